"""Public names of evalstats and its subpackages: a stub lists each name once, and the first use loads it."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import evalstats

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "evalstats"
# the command shows no names, and the modules of compat are imported instead of the packages whose names they have
SUBPACKAGES = sorted(p.parent.name for p in PACKAGE.glob("*/__init__.py") if p.parent.name not in ("cli", "compat"))
FACES = ["evalstats", *(f"evalstats.{subpackage}" for subpackage in SUBPACKAGES)]
MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p.name != "__init__.py")
LINE = re.compile(r"from (?P<home>\S+) import (?P<name>\w+) as (?P=name)")

# other people write against these names, as scripts, notebooks and papers do: none of them may go
PROMISED = [
    "sign_test",
    "wilcoxon_test",
    "paired_ttest",
    "corrected_ttest",
    "ttest_5x2cv",
    "ftest_5x2cv",
    "permutation_test",
    "mcnemar_test",
    "delong_test",
    "cochran_q_test",
    "friedman_test",
    "nemenyi_test",
    "bonferroni_dunn_test",
    "friedman_aligned_test",
    "quade_test",
    "rm_anova_test",
    "tukey_test",
    "conover_test",
    "adjust_pvalues",
    "adjust_pairwise",
    "cohen_kappa",
    "cohen_kappa_table",
    "overlap",
    "read_table",
    "compare",
    "validate",
    "which_test",
    "ScoreTable",
    "Comparison",
    "Predictions",
    "ConfidenceInterval",
    "HypothesisTestResult",
    "EstimateResult",
    "metrics.confusion_counts",
    "metrics.accuracy_score",
    "metrics.f1_score",
    "metrics.roc_auc_score",
    "metrics.f1_over_folds",
    "metrics.auc_over_folds",
    "reproducibility.FixedRuns",
    "reproducibility.RankCorrelation",
    "reproducibility.KolmogorovSmirnov",
    "report.text",
    "report.markdown",
    "report.latex",
    "report.html",
    "report.json",
    "report.r_script",
    "plot.critical_difference_diagram",
]

each_face = pytest.mark.parametrize("face", FACES)


def lines_of(face: str) -> list[str]:
    folder = PACKAGE.joinpath(*face.split(".")[1:])
    return (folder / "__init__.pyi").read_text(encoding="utf-8").splitlines()


def python(*arguments: str, path: Path = ROOT, cwd: Path | None = None) -> str:
    environment = {**os.environ, "PYTHONPATH": str(path)}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=True, env=environment, cwd=cwd
    ).stdout


@each_face
def test_stub_is_a_list_of_names_and_each_leads_somewhere(face: str) -> None:
    module, found = importlib.import_module(face), {}

    for line in lines_of(face):
        match = LINE.fullmatch(line)
        assert match, line
        assert match["name"] not in found, f"{match['name']} is said twice"
        home = importlib.import_module(match["home"])
        found[match["name"]] = getattr(home, match["name"])

    assert {name: getattr(module, name) for name in found} == found


@each_face
def test_room_shows_its_own_names_only(face: str) -> None:
    """What another subpackage makes comes from there, so nobody wonders whether the two are the same."""
    homes = [LINE.fullmatch(line)["home"] for line in lines_of(face)]

    # the package takes names from its subpackages, not from their modules
    allowed = {*FACES, *(f"evalstats.{ground}" for ground in ("_errors", "_findings", "_result", "_version"))}
    strangers = [h for h in homes if (h not in allowed if face == "evalstats" else not h.startswith(f"{face}."))]

    assert strangers == []


@each_face
def test_dir_shows_the_public_names_and_nothing_else(face: str) -> None:
    for path in MODULES:  # modules that are loaded become attributes of their subpackage, and are not shown for that
        importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__"))
    module = importlib.import_module(face)
    names = sorted(name for line in lines_of(face) if not (name := LINE.fullmatch(line)["name"]).startswith("_"))

    assert dir(module) == names
    assert module.__all__ == names


def test_public_names_are_few_enough_to_read() -> None:
    functions = [name for name in evalstats.__all__ if inspect.isfunction(getattr(evalstats, name))]
    subpackages = [name for name in evalstats.__all__ if isinstance(getattr(evalstats, name), ModuleType)]
    classes = [name for name in evalstats.__all__ if inspect.isclass(getattr(evalstats, name))]

    assert len(functions) + len(subpackages) + len(classes) == len(evalstats.__all__) <= 80
    assert len(classes) < 20


def test_name_of_a_subpackage_is_named_with_it() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'kendall_w'; it is evalstats\.multiple\.kendall_w$"):
        evalstats.kendall_w  # noqa: B018 - to read it is the test


def test_promised_names_are_kept(hold_for_each) -> None:
    def law(name: str) -> None:
        value = evalstats
        for part in name.split("."):
            value = getattr(value, part)
        assert callable(value)

    hold_for_each({name: (name,) for name in PROMISED}, law)


def test_no_module_has_the_name_of_a_function_that_the_package_exports() -> None:
    """`evalstats.compare` is the function, and nothing else, whatever was imported before."""
    modules = {path.stem for path in MODULES} | set(SUBPACKAGES)

    assert {name for name in evalstats.__all__ if inspect.isfunction(getattr(evalstats, name))} & modules == set()


@each_face
def test_no_module_hides_a_name_of_its_room(face: str) -> None:
    folder = PACKAGE.joinpath(*face.split(".")[1:])
    inside = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    module = importlib.import_module(face)

    hidden = {name for name in module.__all__ if name in inside and not isinstance(getattr(module, name), ModuleType)}

    assert hidden == set()


def test_unknown_name_is_an_attribute_error_of_its_room() -> None:
    with pytest.raises(AttributeError, match=r"module 'evalstats' has no attribute 'wilcoxn_test'") as caught:
        evalstats.wilcoxn_test  # noqa: B018 - to look it up is the test

    assert caught.value.name == "wilcoxn_test"
    assert caught.value.obj is evalstats
    assert not hasattr(importlib.import_module("evalstats.paired"), "nothing")


def test_import_loads_the_door_and_nothing_else() -> None:
    script = "import sys, evalstats; print(*sorted(m for m in sys.modules if m.startswith(('evalstats', 'numpy'))))"

    assert python("-c", script).split() == ["evalstats", "evalstats._lazy_names"]


def test_one_name_loads_its_room_and_no_other_on_its_floor() -> None:
    script = "import sys; from evalstats import sign_test; print(*sorted(m for m in sys.modules if 'evalstats' in m))"

    loaded = python("-c", script).split()

    assert "evalstats.paired.sign" in loaded
    assert [m for m in loaded if m.startswith(("evalstats.multiple", "evalstats.metrics", "evalstats.report"))] == []


def test_help_of_the_command_loads_no_numpy() -> None:
    script = (
        "import sys\nfrom evalstats.cli import main\nsys.argv = ['evalstats', '--help']\n"
        "try:\n    main()\nfinally:\n    print('numpy' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )

    assert (done.returncode, done.stderr.strip()) == (0, "False")
    assert "compare" in done.stdout


def test_star_imports_the_public_names() -> None:
    names: dict[str, object] = {}
    exec("from evalstats.adjustment import *", names)

    assert set(names) - {"__builtins__"} == set(importlib.import_module("evalstats.adjustment").__all__)


def test_stub_is_found_in_a_zip_file(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for path in [*PACKAGE.glob("*.py*"), *PACKAGE.glob("adjustment/*.py*")]:
            archive.write(path, path.relative_to(ROOT))

    shown = python("-c", "import evalstats; print(evalstats.adjust_pvalues.__module__)", path=tmp_path / "all.zip")

    assert shown.strip() == "evalstats.adjustment.pvalues"


# --- types ------------------------------------------------------------------------------------------------------------

USER = """
from typing import assert_type

import evalstats
from evalstats import Comparison, ConfidenceInterval, Comparison, ScoreTable, report
from evalstats.paired import WilcoxonTestResult

table = evalstats.read_table("scores.csv")
assert_type(table, ScoreTable)
result = evalstats.wilcoxon_test([0.9, 0.8, 0.7], [0.8, 0.7, 0.65])
assert_type(result, WilcoxonTestResult)
assert_type(result.confidence_interval(0.9), ConfidenceInterval)
assert_type(report.text(evalstats.compare(table)), str)
rule: evalstats.reproducibility.FixedRuns = evalstats.reproducibility.FixedRuns(10)


def winner(comparison: Comparison) -> str:
    return report.text(comparison)


evalstats.metrics.METRICS["accuracy"].greater_is_better
"""

MISTAKES = {
    "evalstats.wilcoxn_test": "Module has no attribute",
    "evalstats.metrics.acuracy_score": "Module has no attribute",
    "evalstats.sign_test([1.0], [0.5], alternativ='less')": "Unexpected keyword argument",
    "rule = evalstats.reproducibility.RankCorrelation(10)": "Incompatible types in assignment",
}


@pytest.mark.long
def test_type_checker_sees_the_types_of_every_name(tmp_path: Path) -> None:
    """A user's script passes mypy --strict, and a mistake in it does not."""
    script = tmp_path / "user.py"
    script.write_text(USER + "\n".join(MISTAKES) + "\n", encoding="utf-8")
    first = USER.count("\n") + 1
    options = ["--strict", "--config-file=", "--follow-imports=silent", "--hide-error-codes", "--no-error-summary"]

    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, f"--cache-dir={tmp_path / 'cache'}", str(script)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT)},
    )

    found = re.findall(r"user\.py:(\d+): error: (.*)", done.stdout)
    said = {int(line): message for line, message in found}
    assert sorted(said) == list(range(first, first + len(MISTAKES))), done.stdout + done.stderr
    assert all(wanted in said[first + i] for i, wanted in enumerate(MISTAKES.values())), done.stdout
