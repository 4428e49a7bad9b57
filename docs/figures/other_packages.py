"""Write docs/other-packages and a part of docs/migration.md from the results of all packages.

Run ``python docs/figures/other_packages.py``. The script scripts/other_packages.py writes the results to
docs/other-packages/answers.json; the features are in capabilities.csv.
"""

from __future__ import annotations

import csv
import json
import re
import runpy
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from evalstats.parity.reference_cases import read_stem, stem_names

FOLDER = Path(__file__).resolve().parents[1] / "other-packages"
MIGRATION = FOLDER.parent / "migration.md"
SHOWN = 5  # significant digits
WIDTH = 110  # characters of an error message in a table
TABLES = runpy.run_path(str(FOLDER.parents[1] / "scripts" / "generated_tables.py"))
_HEAD = """# Other packages

These pages compare other packages with evalstats and, if R provides the function, with R, on the same inputs. There
are {n} inputs. For {both} of them, the package and evalstats return comparable results, which agree for {agree}
and differ for {differ}. For the other {no_number} inputs, at least one of the two rejects the input, returns no
number, or returns text. The page of each package lists all results and the reason for each difference.

The inputs were not sampled at random. Most are edge cases in which packages are known to differ, and some are
ordinary cases in which they agree. The proportions are therefore not error rates of a package. Most functions of
these packages are correct, and the tests of evalstats use several of them as references.

[The table of features](capabilities.md) lists the functions of each package.

| package | version | inputs | agree | differ | no number |
| --- | --- | ---: | ---: | ---: | ---: |
"""
_FOOT = """
The results were computed on {date} with Python {python} and {r}.

`python scripts/other_packages.py` recomputes the results. The script installs each package in a separate environment,
in the version listed above. It writes [answers.json](answers.json), which also lists the versions of all
dependencies. The inputs are in [cases.toml](cases.toml). `python docs/figures/other_packages.py` writes these pages.
A test recomputes the results of evalstats.

WEKA and KEEL are written in Java, and the script calls their classes. WEKA comes from the Python package
python-weka-wrapper3. The statistical tests of KEEL are compiled from its source. If a part such as Java is missing, the
script names the part and keeps the recorded results of the package.

The following programs are not compared, or only partly compared:

- The critical-difference diagram of H. Ismail Fawaz is a script without functions that can be called separately.
- The R package correctR is not available in the Debian release that was used. For PMCMRplus and scmamp, the comparison
  loads only the source files of the functions.
- The hierarchical model of baycomp requires Stan and a compiler. The comparison covers only the code that runs before
  Stan.
"""
_CAPABLE = """# Features of other packages

Each row is a feature and each column is a package. Each table contains only packages with at least one entry.

- *Yes*, *partly* and *differs* require that an input was run with the package and with the evalstats function in the
  column *here*. *Partly* means that the package provides a part of the feature. *Differs* means that the result of the
  package differs from the result of R or from the definition. Each of these marks links to the page with the input.
- *1 of 3 agree* means that the results agree for one of three inputs of the function. For packages whose
  documentation was not read, the table contains only such counts, in the first row of each function.
- *Documented* means that the documentation or the source code of the package describes the feature, but no input was
  run. These entries are from November 2026.
- The column R contains *yes* if the [comparison with R](../comparison-with-r.md) calls an implementation in R or in one
  of its packages. It contains *formula* if R provides only the distributions.
- An empty cell means that the feature was not found and that no input was run. It does not prove that the package lacks
  the feature.
- The columns WEKA and KEEL contain only marks of inputs that were run. Other functions of these programs were not
  examined.

The versions are listed in [Other packages](index.md).

"""


def numbers(value: Any) -> str:
    """Format a value of a result."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value:.{SHOWN}g}"
    if isinstance(value, list):
        return "[" + ", ".join(numbers(item) for item in value) + "]"
    return str(value).replace("|", "\\|")


def answer(fields: Mapping[str, Any] | None, name: str) -> str:
    """Format one field of a result, or its error."""
    if fields is None:
        return ""
    if "error" in fields:
        message = numbers(fields["error"])
        return f"`{message if len(message) <= WIDTH else message[: WIDTH - 1].rstrip() + '…'}`"
    return numbers(fields[name]) if name in fields else ""


def rows(answers: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Return the lines of the table of one input."""
    names = list(dict.fromkeys(name for fields in answers.values() for name in fields if name != "error"))
    for name in names or ["answer"]:
        cells = [answer(answers.get(who), name) for who in ("theirs", "ours", "r")]
        yield f"| {name.replace('_', ' ')} | " + " | ".join(cells) + " |\n"


def section(case: Mapping[str, Any], answers: Mapping[str, Mapping[str, Any]]) -> str:
    """Return an input with its results, the reason, and the code."""
    code = {"data": "", "theirs": "the other package", "ours": "evalstats", "r": "R"}
    lines = [f"{case[key].strip()}" for key in ("data", "theirs") if case[key].strip() != "import numpy as np"]
    shown = "\n".join(lines)
    others = "".join(f"\n```text\n# {code[key]}\n{case[key].strip()}\n```\n" for key in ("ours", "r") if key in case)
    outcome = "The results agree." if case["outcome"] == "agrees" else "The results differ."
    table = f"| | other package | evalstats | R |\n| --- | --- | --- | --- |\n{''.join(rows(answers))}"
    asked = f"```text\n# the data, and the other package\n{shown}\n```\n{others}"
    return f"\n### {case['input']}\n\n{table}\n*{outcome}* {case['why']}\n\n{asked}"


def _from(peer: Mapping[str, Any]) -> str:
    """Return the repository and commit of a package that is not installed from an index."""
    return f"{peer['repository']} at {peer['commit'][:10]}" if "repository" in peer else ""


def page(name: str, asked: Mapping[str, Any], said: Mapping[str, Any]) -> str:
    """Return the page of one package."""
    cases = [case for case in asked["case"] if case["peer"] == name]
    peer = asked["peers"][name]
    installed = "` with `".join(filter(None, [_from(peer), " ".join(peer["requirements"])]))
    text = f"# {peer['title']}\n\nThis page compares the results of `{installed}`, evalstats and R. "
    text += "The page [Other packages](index.md) describes the method of the comparison.\n"
    if peer.get("language") == "Java":
        text += "The inputs are written in Java. Helper functions such as "
        text += f"{peer['helpers']} are in the folder `scripts/other_packages_java`.\n"
    for outcome, title in (("differs", "Differences"), ("agrees", "Agreements")):
        chosen = [section(case, said["cases"][case["id"]]) for case in cases if case["outcome"] == outcome]
        if chosen:
            text += f"\n## {title}\n{''.join(chosen)}"
    return text


def _version(peer: Mapping[str, Any]) -> str:
    return str(peer["commit"][:10] if "commit" in peer else peer["requirements"][0].partition("==")[2])


def pair(name: str, case: Mapping[str, Any], asked: Mapping[str, Any], said: Mapping[str, Any]) -> str:
    """Return the call of another package, the call of evalstats, and both results."""
    peer, answers = asked["peers"][name], said["cases"][case["id"]]
    data = "" if "scores = " in case["data"] else f"# the data\n{case['data'].strip()}\n\n"
    calls = f"{data}# {peer['title']}\n{case['theirs'].strip()}\n\n# evalstats\n{case['ours'].strip()}"
    both = {who: answers[who] for who in ("theirs", "ours")}
    table = "".join(line.removesuffix("  |\n") + "\n" for line in rows(both))
    head = f"| | {peer['title']} {_version(peer)} | evalstats |\n| --- | --- | --- |\n"
    return f"{case['input']}:\n\n```text\n{calls}\n```\n\n{head}{table}\n{case['why']}\n\n"


def _asked_and_said() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the inputs, and the results of all packages."""
    asked = tomllib.loads((FOLDER / "cases.toml").read_text(encoding="utf-8"))
    return asked, json.loads((FOLDER / "answers.json").read_text(encoding="utf-8"))


def migration() -> str:
    """Return docs/migration.md with the pairs of calls and their results."""
    asked, said = _asked_and_said()
    text = ""
    for name, peer in asked["peers"].items():
        chosen = [case for case in asked["case"] if case["peer"] == name and case.get("migration")]
        if chosen:
            pairs = "".join(pair(name, case, asked, said) for case in chosen)
            link = f"For all comparisons with this package, see [{peer['title']}](other-packages/{name}.md)."
            text += f"### {peer['title']}\n\n{pairs}{link}\n\n"
    return str(TABLES["filled"](MIGRATION.read_text(encoding="utf-8"), {"side by side": text}))


def is_number(value: Any) -> bool:
    """Return whether a field of a result consists of finite numbers."""
    try:
        return bool(np.isfinite(np.asarray(value, dtype=float)).all())
    except (TypeError, ValueError):
        return False


def outcome(case: Mapping[str, Any], answers: Mapping[str, Mapping[str, Any]]) -> str:
    """Return "agrees", "differs" if both give a number, and otherwise "no number"."""
    if case["outcome"] == "agrees":
        return "agrees"
    theirs, judge = answers["theirs"], answers.get("ours", answers.get("r", {}))
    both = [name for name in theirs if name in judge and is_number(theirs[name]) and is_number(judge[name])]
    different = any(
        not np.array_equal(np.asarray(theirs[name], float), np.asarray(judge[name], float)) for name in both
    )
    return "differs" if different else "no number"


def index(asked: Mapping[str, Any], said: Mapping[str, Any]) -> str:
    """Return the page of all packages."""
    outcomes = {case["id"]: outcome(case, said["cases"][case["id"]]) for case in asked["case"]}
    count = Counter(outcomes.values())
    both, agree, differ = count["agrees"] + count["differs"], count["agrees"], count["differs"]
    text = _HEAD.format(n=len(outcomes), both=both, agree=agree, differ=differ, no_number=count["no number"])
    for name, peer in asked["peers"].items():
        own = Counter(outcomes[case["id"]] for case in asked["case"] if case["peer"] == name)
        counts = " | ".join(str(n) for n in (own.total(), own["agrees"], own["differs"], own["no number"]))
        text += f"| [{peer['title']}]({name}.md) | {_version(peer)} | {counts} |\n"
    links = "".join(f"- [{peer['title']}]({name}.md)\n" for name, peer in asked["peers"].items())
    contents = (
        f"\n<!-- contents -->\n- [Features of other packages](capabilities.md)\n{links}<!-- end of contents -->\n"
    )
    return text + _FOOT.format(**said) + contents


def _run(asked: Mapping[str, Any], said: Mapping[str, Any]) -> dict[tuple[str, str], list[str]]:
    """Return the outcomes of the inputs that were run, by the package and the function of evalstats."""
    found: dict[tuple[str, str], list[str]] = {}
    for case in asked["case"]:
        for called in set(re.findall(r"(\w+)\(", case.get("ours", ""))):
            function = called.replace("_from_counts", "_test")
            found.setdefault((case["peer"], function), []).append(outcome(case, said["cases"][case["id"]]))
    return found


def _in_r() -> dict[str, str]:
    """Return the mark of each function that is compared with R."""
    stems = [read_stem(name) for name in stem_names()]
    marks = {"implementation": "yes", "formula": "formula"}
    return {name: marks[one.source] for stem in stems for name, one in stem.references.items()}


def _mark(row: Mapping[str, str], name: str, title: str, run: Mapping[tuple[str, str], list[str]]) -> str:
    """Return the mark of a package for a feature; `row` may have the mark from the documentation."""
    functions = [one.rpartition(".")[2] for one in row["here"].split(";") if one]
    outcomes = [one for function in functions for one in run.get((name, function), ())]
    if title in row:
        read = row[title]
        return (f"[{read}]({name}.md)" if outcomes else "documented") if read else ""
    return f"[{outcomes.count('agrees')} of {len(outcomes)} agree]({name}.md)" if outcomes else ""


def capabilities() -> str:
    """Return the table of features."""
    with (FOLDER / "capabilities.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    asked, said = _asked_and_said()
    run, in_r = _run(asked, said), _in_r()
    titles = {name: peer["title"] for name, peer in asked["peers"].items()}
    seen: dict[str, Mapping[str, str]] = {}
    for row in table:
        seen.setdefault(row["here"], row)
    first = list(seen.values())
    text = _CAPABLE
    for group in dict.fromkeys(row["group"] for row in table):
        rows_of_group = [row for row in table if row["group"] == group]
        cells = {
            title: [_mark(row, name, title, run if title in row or row in first else {}) for row in rows_of_group]
            for name, title in titles.items()
        }
        of_r = [{in_r.get(one.rpartition(".")[2], "") for one in row["here"].split(";")} for row in rows_of_group]
        columns = {"R": ["yes" if "yes" in marks else "formula" if "formula" in marks else "" for marks in of_r]}
        columns |= {title: marks for title, marks in cells.items() if any(marks)}
        text += f"\n## {group}\n\n| | here | {' | '.join(columns)} |\n| --- | --- |{' --- |' * len(columns)}\n"
        for i, row in enumerate(rows_of_group):
            here = ", ".join(f"`{name}`" for name in row["here"].split(";") if name)
            text += f"| {row['capability']} | {here} | " + " | ".join(marks[i] for marks in columns.values()) + " |\n"
    return text


def pages() -> dict[str, str]:
    """Return every page with the name of its file."""
    asked, said = _asked_and_said()
    written = {f"{name}.md": page(name, asked, said) for name in asked["peers"]}
    return {"index.md": index(asked, said), "capabilities.md": capabilities(), **written}


if __name__ == "__main__":
    for file, text in pages().items():
        (FOLDER / file).write_text(text, encoding="utf-8", newline="\n")
    MIGRATION.write_text(migration(), encoding="utf-8", newline="\n")
