"""Nothing is forgotten: each stem has its files, each name its export, page and description, each promise its check."""

from __future__ import annotations

import ast
import graphlib
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

from public_names import public_functions
from source_trees import source_tree

import evalstats
from evalstats._declarations import all_declarations
from evalstats._result import HypothesisTestResult
from evalstats.parity.live_r import debian_packages
from evalstats.parity.reference_cases import read_stem, stem_names
from evalstats.report import sentences

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "evalstats"
SUBPACKAGES = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
STEMS = sorted(str(p.relative_to(PACKAGE).with_suffix("")) for p in PACKAGE.glob("*/**/[!_]*.py"))
HEAVY = ("scipy.special", "scipy.stats", "pandas", "statsmodels", "matplotlib", "rpy2", "pyarrow", "openpyxl", "joblib")

# files in a folder: statistics have one for each subject; the numbers of today, which may only fall
MOST_FILES = {
    "metrics": 45,
    "multiple": 41,
    "paired": 32,
    "plot": 33,
}
LONGEST_BODY, LONGEST_MODULE = 60, 500  # lines of code: blank lines, comments and docstrings are free
# subpackages whose pages describe several modules, by the folder of these pages
TOGETHER = {"report": "report", "tables": "tables", "io": "tables"}
# one file of tests for each module; elsewhere tests follow what is meant
OF_STATISTICS = {
    *("adjustment", "agreement", "bayes", "design", "distributions", "effects", "metrics", "multiple", "paired"),
    *("pairwise", "reproducibility", "shift"),
}


def words(path: Path) -> set[str]:
    return set(re.findall(r"\w+", path.read_text(encoding="utf-8")))


def shown(stem: str) -> list[str]:
    """Return the names of a module that its subpackage shows: users write them."""
    if stem.startswith("compat/"):  # users import the module, instead of the package whose name it has
        return module(stem).__all__
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


def lines_of_code(source: str, tree: ast.Module) -> set[int]:
    """Return the numbers of the lines that hold something else than a comment or a docstring."""
    lines = {n for n, line in enumerate(source.splitlines(), 1) if line.strip() and not line.lstrip().startswith("#")}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            lines.update(range(node.lineno, node.end_lineno + 1))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            lines -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return lines


def test_export_is_not_forgotten() -> None:
    """A function that a module lists is shown by its subpackage, or serves another module."""
    homes = {}
    for path in PACKAGE.rglob("*.py"):
        for word in words(path):
            homes.setdefault(word, set()).add(path)

    forgotten = [
        f"{stem}: {name}"
        for stem in STEMS
        for name in set(getattr(module(stem), "__all__", ())) - set(shown(stem))
        if inspect.isfunction(getattr(module(stem), name)) and homes[name] == {PACKAGE / f"{stem}.py"}
    ]

    assert forgotten == []


def test_every_public_name_is_in_one_package() -> None:
    """What the top level shows too is the same object."""
    packages = [importlib.import_module(f"evalstats.{stub.parent.name}") for stub in PACKAGE.glob("*/__init__.pyi")]
    homes = Counter(name for package in packages for name in package.__all__)

    assert {name for name, n in homes.items() if n > 1} <= set(evalstats.plot.__all__)  # as in plot.rank_distribution
    assert [
        name for name in evalstats.__all__ if inspect.isfunction(getattr(evalstats, name)) and name not in homes
    ] == []


def test_tests_are_not_forgotten() -> None:
    """Every module of statistics has its file of tests, and every such file its module."""
    tests = {str(p.relative_to(ROOT / "tests")) for p in (ROOT / "tests").glob("*/**/test_*.py")}
    stems = [stem for stem in STEMS if stem.split("/")[0] in OF_STATISTICS]
    wanted = {str(Path(stem).parent / f"test_{Path(stem).name}.py") for stem in stems}
    tests = {name for name in tests if name.split("/")[0] in OF_STATISTICS}

    assert sorted(wanted - tests) == []
    assert sorted(tests - wanted) == []


def test_script_runs_the_tests_of_all_statistics() -> None:
    script = (ROOT / "scripts" / "test").read_text(encoding="utf-8")

    assert re.search(r'^STATISTICS="(.*)"$', script, re.MULTILINE)[1].split() == sorted(OF_STATISTICS)


def test_docs_page_is_not_forgotten() -> None:
    """The page names every function and class of its module, runs an example, and is listed on its landing page.

    One page may describe several modules of the subpackages that read tables and write reports. For these, the test
    checks the subpackage.
    """
    faults = []
    for stem in filter(shown_functions, STEMS):
        subpackage, _, rest = stem.partition("/")
        path = ROOT / "docs" / "reference" / f"{stem}.md"
        paths = (
            list((ROOT / "docs" / "reference" / TOGETHER[subpackage]).glob("*.md"))
            if subpackage in TOGETHER
            else [path]
        )
        pages = "".join(path.read_text(encoding="utf-8") for path in paths if path.is_file())
        faults += [f"{stem}: {name} is not on its page" for name in shown(stem) if name not in pages]
        faults += [f"{stem}: no example"] * ("```python" not in pages)
        landing = ROOT / "docs" / "reference" / subpackage / "index.md"
        if subpackage not in TOGETHER:
            faults += [f"{stem}: not on its landing page"] * (f"({rest}.md)" not in landing.read_text(encoding="utf-8"))

    assert faults == []


def test_r_case_is_not_forgotten() -> None:
    """Every function of a statistical package has R cases, or a reason and an oracle in functions_without_r.toml."""
    without_r = tomllib.loads((ROOT / "r_reference" / "functions_without_r.toml").read_text(encoding="utf-8"))
    subpackages = {path.name for path in (ROOT / "r_reference").iterdir() if path.is_dir()}
    forgotten = []
    for stem in STEMS:
        cases = ROOT / "r_reference" / f"{stem}.toml"
        asked = tomllib.loads(cases.read_text(encoding="utf-8"))["reference"] if cases.is_file() else {}
        if stem.split("/")[0] in subpackages:
            forgotten += [f"{stem}: {n}" for n in shown_functions(stem) if n not in asked and n not in without_r]

    assert forgotten == []


def test_every_file_of_r_has_its_module() -> None:
    files = {path.relative_to(ROOT / "r_reference") for path in (ROOT / "r_reference").glob("*/*.*")}

    assert sorted(str(path) for path in files if str(path.with_suffix("")) not in STEMS) == []
    assert sorted(str(p) for p in files if not {p.with_suffix(s) for s in (".R", ".toml", ".json")} <= files) == []


def test_description_is_not_forgotten() -> None:
    """Every class of results has a sentence, and its subpackage shows it."""
    told = {*sentences.SENTENCES, *(one.result for one in all_declarations() if one.sentence)}
    forgotten = []
    for result in result_classes():
        subpackage = importlib.import_module(".".join(result.__module__.split(".")[:2]))
        forgotten += [f"{result.__name__}: no sentence"] * (result.__name__ not in told)
        forgotten += [f"{result.__name__}: not in {subpackage.__name__}"] * (result.__name__ not in subpackage.__all__)

    assert forgotten == []


def test_every_public_name_stands_in_the_docs() -> None:
    written = set().union(*map(words, (ROOT / "docs").rglob("*.md")))

    names = {*evalstats.__all__, *(name for stem in STEMS for name in shown(stem))}

    assert sorted(names - written) == []


def test_every_public_function_stands_in_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    missing = [name for name in public_functions() if "." not in name and name not in changelog]

    assert missing == []


def test_changelog_has_one_entry_for_each_subject_and_names_what_exists() -> None:
    """Entries of two lines of work were joined once: functions stood there three times, and some had gone."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    subjects = re.findall(r"(?m)^- `(\w+)`: ", changelog)
    listed = re.findall(r"`([a-z0-9]+(?:_[a-z0-9]+)+)`", changelog)

    assert sorted(subjects) == sorted(set(subjects))
    assert sorted(set(listed) - set(public_functions()) - {"to_frame", "to_matrix"}) == []
    assert sorted({name for name in listed if listed.count(name) > 2}) == []


def test_first_statistic_loads_nothing_heavy() -> None:
    script = f"import sys, evalstats; evalstats.sign_test; print([m for m in {HEAVY!r} if m in sys.modules])"

    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout

    assert loaded.strip() == "[]"


def test_modules_state_their_subject_and_their_names() -> None:
    """Each module opens with a docstring, and each that defines something public lists it."""
    silent = []
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = source_tree(path)
        public = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and not n.name.startswith("_")]
        lists = any(isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__" for n in tree.body)
        silent += [f"{path.relative_to(ROOT)}: no docstring"] * (not ast.get_docstring(tree))
        silent += [f"{path.relative_to(ROOT)}: {node.name} is in no __all__" for node in public if not lists]

    assert silent == []


def test_functions_and_modules_fit_into_a_head() -> None:
    """Whoever needs more lines has two subjects, and gives each its name."""
    too_long = []
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        tree = source_tree(path)
        lines, name = lines_of_code(source, tree), path.relative_to(PACKAGE)
        too_long += [f"{name}: {len(lines)} lines of code"] * (len(lines) > LONGEST_MODULE)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = len(lines.intersection(range(node.body[0].lineno, node.end_lineno + 1)))
                too_long += [f"{name}: {node.name} has a body of {body} lines"] * (body > LONGEST_BODY)

    assert too_long == []


def test_every_module_can_be_imported_alone() -> None:
    names = [m.name for m in pkgutil.walk_packages(evalstats.__path__, "evalstats.") if not m.name.endswith("__main__")]

    for name in names:
        importlib.import_module(name)

    assert {f"evalstats.{stem.replace('/', '.')}" for stem in STEMS} <= set(names)


def test_every_list_of_r_packages_is_that_of_the_adapters() -> None:
    """The script of the tests, the page and the message on a missing package name what the adapters ask for."""
    references = [one for stem in stem_names() for one in read_stem(stem).references.values()]
    packages = sorted({name for one in references for name in one.packages} - {"base", "stats"}, key=str.casefold)
    script = (ROOT / "scripts" / "test").read_text(encoding="utf-8")
    lists = script[script.index("R_LIBRARIES=") : script.index("JAVA_PACKAGE=")]
    code = f'{lists}\necho "$R_LIBRARIES"\necho "$R_PACKAGES"'
    printed = subprocess.run(["sh", "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    page = (ROOT / "docs" / "reference" / "parity" / "validation.md").read_text(encoding="utf-8")

    of_debian = f"r-base-core {debian_packages(packages)}"

    assert printed == [" ".join(packages), of_debian]
    assert f"    apt-get install {of_debian}\n" in page


def imported_modules(tree: ast.Module, known: set[str]) -> set[str]:
    """Return the modules that a module imports, in functions too, but not those for type checkers only."""
    typing = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None and id(node) not in typing:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (names & known) or {node.module}
    return found & known


def test_no_import_goes_in_a_circle() -> None:
    """Imports in functions count: who loads a module late still cannot be understood without it."""
    paths = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in PACKAGE.rglob("[!_]*.py")}
    trees = {name: source_tree(path) for name, path in paths.items()}

    order = graphlib.TopologicalSorter({name: imported_modules(tree, set(paths)) for name, tree in trees.items()})

    assert len(list(order.static_order())) == len(paths)


def test_folders_can_be_drawn_from_memory() -> None:
    """One file for each subject of statistics; elsewhere a folder with more files has two subjects."""
    folders = Counter(path.parent for path in PACKAGE.rglob("[!_]*.py"))

    large = {
        str(folder.relative_to(PACKAGE)): n for folder, n in folders.items() if n > MOST_FILES.get(folder.name, 25)
    }

    assert large == {}


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
