"""Run the same analyses in other packages, R and evalstats: ``python scripts/other_packages.py [FOLDER] [PEER ...]``.

docs/other-packages/cases.toml contains the cases. Each package has its own environment in FOLDER
(build/other-packages), which the script creates with pip and the versions of that file. R, the R packages and Java must
be installed on the machine. The script writes the results to docs/other-packages/answers.json, and ``python
docs/figures/other_packages.py`` writes the pages. With PEER, only the cases of this package are run. If a program such
as Java is missing, the script names it and keeps the recorded results of the package. The exit status is then 1.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import io
import json
import math
import os
import subprocess
import sys
import tomllib
import venv
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "docs" / "other-packages" / "cases.toml"
ANSWERS = ROOT / "docs" / "other-packages" / "answers.json"
JAVA = ROOT / "scripts" / "other_packages_java"
LONGEST = 200  # maximum length of an error message of a package
_R_HEAD = "suppressWarnings(suppressMessages({\n"
_R_TAIL = """
}))
said <- function(v) if (is.character(v)) dQuote(v, FALSE) else if (is.logical(v) && !is.na(v)) tolower(v) else
  if (is.finite(v)) sprintf("%.17g", v) else dQuote(tolower(format(v)), FALSE)
shown <- function(v) if (length(v) == 1) said(v) else paste0("[", paste(sapply(v, said), collapse = ", "), "]")
cat("{", paste0(dQuote(names(answer), FALSE), ": ", sapply(answer, shown), collapse = ", "), "}", sep = "")
"""


def plain(value: Any) -> Any:
    """Return a value for JSON. Values that are not finite become strings."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, bool | int | float | str | None) else str(value)


def answer_of(code: str, data: str) -> dict[str, Any]:
    """Run the lines of a case. Return the value of their variable ``answer``, or the error that they raised."""
    space: dict[str, Any] = {"__name__": "case"}
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        exec(data, space)  # the lines of docs/other-packages/cases.toml, which the page shows
        try:
            exec(code, space)
        except Exception as error:  # an error of the package is its result
            message = " ".join(str(error).split())
            return {"error": f"{type(error).__name__}: {message}"[:LONGEST].rstrip(": ")}
    return {str(name): plain(value) for name, value in space["answer"].items()}


def cases() -> dict[str, Any]:
    """Return the packages and the cases."""
    return tomllib.loads(CASES.read_text(encoding="utf-8"))


def _run(command: list[str], **options: Any) -> str:
    """Return the output of a command, or raise an error with its message."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, **options)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()}")
    return done.stdout


def _as_r(name: str, value: Any) -> Iterator[str]:
    """Format a vector or matrix of the data in R."""
    value = plain(value)
    if isinstance(value, list) and value and all(isinstance(row, list) for row in value):
        numbers = ", ".join("NA" if number == "nan" else repr(number) for row in value for number in row)
        yield f"{name} <- matrix(c({numbers}), nrow = {len(value)}, byrow = TRUE)"
    elif isinstance(value, list) and value:
        yield f"{name} <- c({', '.join('NA' if number == 'nan' else repr(number) for number in value)})"


def ask_r(case: Mapping[str, Any], code: str, folder: Path | None = None) -> dict[str, Any]:
    """Return the results of R for some lines, in the folder of a program or in the current folder."""
    space: dict[str, Any] = {}
    exec(case["data"], space)
    data = [line for name, value in space.items() if hasattr(value, "tolist") for line in _as_r(name, value)]
    script = _R_HEAD + "\n".join(data) + "\n" + code + _R_TAIL
    return dict(json.loads(_run(["Rscript", "--vanilla", "-"], input=script, cwd=folder)))


def _environment(folder: Path, name: str, peer: Mapping[str, Any]) -> Path:
    """Return the Python interpreter of a package's environment."""
    python = folder / name / "bin" / "python"
    if not python.exists():
        venv.create(folder / name, with_pip=True)
        command = [str(python), "-m", "pip", "install", "--quiet", *peer.get("install", peer["requirements"])]
        subprocess.run(command, check=True)
    return python


def _source(folder: Path, name: str, peer: Mapping[str, Any]) -> Path | None:
    """Return the source code of a program that is not in a package index."""
    if "repository" not in peer:
        return None
    source = folder / name / "source"
    if not source.exists():
        subprocess.run(["git", "clone", "--quiet", peer["repository"], str(source)], check=True)
        subprocess.run(["git", "-C", str(source), "checkout", "--quiet", peer["commit"]], check=True)
    return source


def _of_r(source: Path | None, peer: Mapping[str, Any], asked: list[Mapping[str, Any]]) -> tuple[dict[str, str], Any]:
    """Return the versions and the results of the R packages."""
    versions = {}
    for package in (pin.partition("==")[0] for pin in peer["requirements"]):
        code = f'answer <- list(version = as.character(packageVersion("{package}")))'
        versions[package] = ask_r({"data": ""}, code)["version"]
    return versions, (ask_r(case, case["theirs"], source) for case in asked)


def _as_java(name: str, value: Any) -> str:
    """Format a vector or matrix of the data in Java."""
    kind = ("int" if value.dtype.kind == "i" else "double") + "[]" * value.ndim
    items = json.dumps(value.tolist()).translate({ord("["): "{", ord("]"): "}"}).replace("NaN", "Double.NaN")
    return f"{kind} {name} = {items};"


def _java_program(peer: Mapping[str, Any], asked: list[Mapping[str, Any]]) -> str:
    """Return the Java program, with a class for the lines of each case."""
    classes = []
    for case in asked:
        space: dict[str, Any] = {}
        exec(case["data"], space)
        data = "\n".join(_as_java(name, value) for name, value in space.items() if hasattr(value, "tolist"))
        classes.append(f"new {peer['case']}() {{ void ask() throws Exception {{\n{data}\n{case['theirs']}}} }}")
    imports = "".join(f"import {name};\n" for name in ["java.util.List", *peer["imports"]])
    main = f"public static void main(String[] none) {{ Case.printAll(List.of({', '.join(classes)})); }}"
    return f"{imports}class Cases {{ {main} }}\n"


def ask_java(folder: Path, peer: Mapping[str, Any], asked: list[Mapping[str, Any]]) -> tuple[dict[str, str], Any]:
    """Compile the cases with the libraries and the source code of a program. Return its version and its results."""
    jars = [str(jar) for jar in folder.glob(peer["jar"])]
    if not jars:
        raise RuntimeError(f"{folder} has no {peer['jar']}")
    java = 'answer.put("java", System.getProperty("java.version"));'
    version = {"data": "", "theirs": peer.get("version", "") + java}
    (folder / "Cases.java").write_text(_java_program(peer, [version, *asked]), encoding="ascii")
    sources = os.pathsep.join([str(folder / "source" / "src"), str(JAVA)])
    compiled = ["-encoding", "ISO-8859-1", "-d", "classes", "Cases.java"]  # encoding of the source code of KEEL
    _run(["javac", "-nowarn", "-cp", os.pathsep.join(jars), "-sourcepath", sources, *compiled], cwd=folder)
    options = ["-Duser.language=en", "-Duser.country=US", "-Dfile.encoding=UTF-8", "-Djava.awt.headless=true"]
    printed = _run(
        ["java", *options, "-cp", os.pathsep.join([str(folder / "classes"), *jars]), "Cases"],
        env={**os.environ, "WEKA_HOME": str(folder)},
        cwd=folder / peer.get("directory", ""),
    )
    versions, *answers = json.loads(printed)
    return versions, answers


def ask_peer(python: Path, asked: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Return the results of a package for its cases, computed in one process."""
    done = subprocess.run(
        [str(python), str(Path(__file__).resolve()), "--answer"],
        input=json.dumps([[case["theirs"], case["data"]] for case in asked]),
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
        env={**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": str(python.parents[1] / "source")},
        cwd=python.parent,
    )
    if done.returncode:
        raise RuntimeError(f"{python}: {done.stderr}")
    return iter(json.loads(done.stdout))


def _versions(python: Path) -> dict[str, str]:
    listed = subprocess.run(
        [str(python), "-m", "pip", "list", "--format", "json"], capture_output=True, text=True, check=True
    ).stdout
    return {each["name"]: each["version"] for each in json.loads(listed) if each["name"] not in ("pip", "setuptools")}


def _ask(folder: Path, name: str, peer: Mapping[str, Any], asked: list[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the versions of a package and the results of its cases."""
    source = _source(folder, name, peer)
    if peer.get("language") == "R":
        versions, answered = _of_r(source, peer, asked)
    elif peer.get("language") == "Java":
        if "install" in peer:
            _environment(folder, name, peer)
        versions, answered = ask_java(folder / name, peer, asked)
    else:
        python = _environment(folder, name, peer)
        versions, answered = _versions(python), ask_peer(python, asked)
    cases = {}
    for case, theirs in zip(asked, answered, strict=True):
        answers = cases[case["id"]] = {"theirs": theirs}
        if "ours" in case:
            answers["ours"] = answer_of(case["ours"], case["data"])
        if "r" in case:
            answers["r"] = ask_r(case, case["r"])
        sys.stdout.write(f"{case['id']}: {answers}\n")
        sys.stdout.flush()
    commit = {"commit": _run(["git", "-C", str(source), "rev-parse", "HEAD"]).strip()} if source else {}
    return {"peers": {name: versions | commit}, "cases": cases}


def main(arguments: list[str]) -> int:
    """Run all packages and write the results. Return the exit status."""
    if arguments == ["--answer"]:
        sys.stdout.write(json.dumps([answer_of(*each) for each in json.load(sys.stdin)]))
        return 0
    folder = Path(arguments[0]).resolve() if arguments else ROOT / "build" / "other-packages"
    asked, before, missing = cases(), json.loads(ANSWERS.read_text(encoding="utf-8")), False
    r = _run(["Rscript", "-e", "cat(R.version.string)"])
    written: dict[str, Any] = {"date": f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}", "r": r}
    written["python"] = sys.version.split()[0]
    written["peers"], written["cases"] = {}, {}
    for name, peer in asked["peers"].items():
        of_peer = [case for case in asked["case"] if case["peer"] == name]
        found = before
        if not arguments[1:] or name in arguments[1:]:
            try:
                found = _ask(folder, name, peer, of_peer)
            except (OSError, RuntimeError, subprocess.SubprocessError) as error:
                missing = True
                sys.stderr.write(f"{name} keeps its recorded answers: {error}\n")
        unknown = [case["id"] for case in of_peer if case["id"] not in found["cases"]]
        if unknown:
            raise SystemExit(f"{name} has no recorded answers to {', '.join(unknown)}; run it too")
        written["peers"][name] = found["peers"][name]
        written["cases"] |= {case["id"]: found["cases"][case["id"]] for case in of_peer}
    ANSWERS.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    return int(missing)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
