"""Nothing is forgotten: each stem has its files, each name its export, page and description, each promise its check."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import evalstats
from evalstats._result import HypothesisTestResult
from evalstats.report import sentences

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "evalstats"
ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
STEMS = sorted(str(p.relative_to(PACKAGE).with_suffix("")) for p in PACKAGE.glob("*/**/[!_]*.py"))
HEAVY = ("scipy.special", "scipy.stats", "pandas", "statsmodels", "matplotlib", "rpy2", "pyarrow", "openpyxl", "joblib")

TOGETHER = {"report", "tables"}
# modules whose tests still stand in those of the modules that use them
WAITING = {
    "comparison/test_decision.py",
    "comparison/test_one_dataset.py",
    "comparison/test_over_datasets.py",
    "comparison/test_result.py",
    "parity/test_freeze.py",
    "parity/test_fuzz.py",
    "parity/test_verdict.py",
    "report/test_blocks.py",
    "report/test_methods.py",
    "report/test_record.py",
    "report/test_reproducibility.py",
    "report/test_robustness.py",
    "report/test_scores.py",
    "report/test_sentences.py",
    "report/test_study.py",
    "tables/test_columns.py",
    "tables/test_grid.py",
    "tables/test_layouts.py",
    "tables/test_score_table.py",
}


def shown(stem: str) -> list[str]:
    """Return the names of a module that its room shows: users write them."""
    stub = PACKAGE / stem.split("/", maxsplit=1)[0] / "__init__.pyi"
    lines = [line.split() for line in stub.read_text(encoding="utf-8").splitlines()] if stub.is_file() else []
    return [words[3] for words in lines if words[1] == f"evalstats.{stem.replace('/', '.')}"]


def shown_functions(stem: str) -> list[str]:
    return [name for name in shown(stem) if inspect.isfunction(getattr(module(stem), name))]


def module(stem: str) -> object:
    return importlib.import_module(f"evalstats.{stem.replace('/', '.')}")


def result_classes() -> list[type]:
    for stem in STEMS:
        module(stem)
    found, waiting = [], [HypothesisTestResult]
    while waiting:
        below = waiting.pop().__subclasses__()
        found += [c for c in below if c.__module__.startswith("evalstats.")]
        waiting += below
    return sorted({c for c in found if not c.__subclasses__()}, key=lambda c: c.__name__)


def test_export_is_not_forgotten() -> None:
    """A function that a module lists is shown by its room, or serves another module."""
    texts = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}

    forgotten = [
        f"{stem}: {name}"
        for stem in STEMS
        for name in set(getattr(module(stem), "__all__", ())) - set(shown(stem))
        if inspect.isfunction(getattr(module(stem), name))
        and not any(re.search(rf"\b{name}\b", text) for path, text in texts.items() if path != PACKAGE / f"{stem}.py")
    ]

    assert forgotten == []


def test_every_function_that_a_room_shows_stands_at_the_top() -> None:
    """The names of metrics, plots and reports are written with their room; all others are names of the package."""
    stems = [stem for stem in STEMS if stem.split("/")[0] not in {"metrics", "plot", "report"}]

    missing = [f"{s}: {name}" for s in stems for name in shown_functions(s) if name not in evalstats.__all__]

    assert missing == []


def test_tests_are_not_forgotten() -> None:
    """Every module has its file of tests, and every such file its module."""
    tests = {str(p.relative_to(ROOT / "tests")) for p in (ROOT / "tests").glob("*/**/test_*.py")}
    wanted = {str(Path(stem).parent / f"test_{Path(stem).name}.py") for stem in STEMS}

    assert sorted(wanted - tests - WAITING) == []
    assert sorted(tests - wanted) == []
    assert wanted - tests >= WAITING


def test_docs_page_is_not_forgotten() -> None:
    """The page names every function and class that its module shows, runs an example, and stands in the index.

    One page may describe several modules of the rooms that read tables and write reports: there the room is looked at.
    """
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    faults = []
    for stem in filter(shown_functions, STEMS):
        room = stem.split("/")[0]
        path = ROOT / "docs" / "reference" / f"{stem}.md"
        paths = list((ROOT / "docs" / "reference" / room).glob("*.md")) if room in TOGETHER else [path]
        pages = "".join(path.read_text(encoding="utf-8") for path in paths if path.is_file())
        faults += [f"{stem}: {name} is not on its page" for name in shown(stem) if name not in pages]
        faults += [f"{stem}: no example"] * ("```python" not in pages)
        faults += [f"{stem}: not in the index"] * (f"reference/{stem}.md" not in index and room not in TOGETHER)

    assert faults == []


def test_r_case_is_not_forgotten() -> None:
    """Every function that a room of statistics shows has R cases, or a reason and an oracle in without_r.toml."""
    without_r = tomllib.loads((ROOT / "r_reference" / "without_r.toml").read_text(encoding="utf-8"))
    rooms = {path.name for path in (ROOT / "r_reference").iterdir() if path.is_dir()}
    forgotten = []
    for stem in STEMS:
        cases = ROOT / "r_reference" / f"{stem}.toml"
        asked = tomllib.loads(cases.read_text(encoding="utf-8"))["reference"] if cases.is_file() else {}
        if stem.split("/")[0] in rooms:
            forgotten += [f"{stem}: {n}" for n in shown_functions(stem) if n not in asked and n not in without_r]

    assert forgotten == []


def test_every_file_of_r_has_its_module() -> None:
    files = {path.relative_to(ROOT / "r_reference") for path in (ROOT / "r_reference").glob("*/*.*")}

    assert sorted(str(path) for path in files if str(path.with_suffix("")) not in STEMS) == []
    assert sorted(str(p) for p in files if not {p.with_suffix(s) for s in (".R", ".toml", ".json")} <= files) == []


@pytest.mark.parametrize("result", result_classes(), ids=lambda c: c.__name__)
def test_description_is_not_forgotten(result: type) -> None:
    assert result.__name__ in sentences.SENTENCES
    assert result.__name__ in importlib.import_module(".".join(result.__module__.split(".")[:2])).__all__


def test_every_public_name_stands_in_the_docs() -> None:
    pages = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / "docs").rglob("*.md"))

    names = [*evalstats.__all__, *(name for stem in STEMS for name in shown(stem))]
    missing = [name for name in names if not re.search(rf"\b{name}\b", pages)]

    assert missing == []


def test_every_public_function_stands_in_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    missing = [n for n in evalstats.__all__ if inspect.isfunction(getattr(evalstats, n)) and n not in changelog]

    assert missing == []


def test_first_statistic_loads_nothing_heavy() -> None:
    script = f"import sys, evalstats; evalstats.sign_test; print([m for m in {HEAVY!r} if m in sys.modules])"

    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout

    assert loaded.strip() == "[]"


@pytest.mark.parametrize("path", sorted((ROOT / "evalstats").rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT)))
def test_module_states_its_subject_and_its_names(path: Path) -> None:
    """Each module opens with a docstring, and each that defines something public lists it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    public = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and not n.name.startswith("_")]

    assert ast.get_docstring(tree)
    assert not public or any(isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__" for n in tree.body)


def test_every_module_can_be_imported_alone() -> None:
    names = [m.name for m in pkgutil.walk_packages(evalstats.__path__, "evalstats.") if not m.name.endswith("__main__")]

    for name in names:
        importlib.import_module(name)

    assert {f"evalstats.{stem.replace('/', '.')}" for stem in STEMS} <= set(names)


def test_test_script_installs_every_r_package_that_cases_need() -> None:
    script = (ROOT / "scripts" / "test").read_text(encoding="utf-8")
    needed = set()
    for path in (ROOT / "r_reference").rglob("*.toml"):
        for reference in tomllib.loads(path.read_text(encoding="utf-8")).get("reference", {}).values():
            needed |= set(reference["packages"])

    missing = [p for p in needed - {"stats", "base"} if f'"{p}"' not in script]

    assert missing == []


def test_project_speaks_of_the_project_alone() -> None:
    """No path of a machine, no pointer to something that readers do not have."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    # folders of a machine or a user, the workplace's own library, numbers of a tracker
    forbidden = re.compile(r"/(?:home|root|tmp|work|Users)/|\.\./[s]hared|\bissue #?\d+\b")

    found = [
        f"{name}: {match.group()}"
        for name in files
        if (ROOT / name).suffix in {".py", ".md", ".toml", ".R", ".ini", ""} and (ROOT / name).is_file()
        for match in forbidden.finditer((ROOT / name).read_text(encoding="utf-8"))
    ]

    assert found == []
