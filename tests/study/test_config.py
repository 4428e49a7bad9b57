"""A TOML file says what run_study says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

from evalstats._errors import InvalidValueError
from evalstats.study.config import arguments_in
from evalstats.study.runner import run_study

CONFIG = """
seed = 3
jobs = 1
folds = 3
repeats = 2
metric = "f1_macro"
directory = "runs"

[classifiers."naive Bayes"]
class = "sklearn.naive_bayes.GaussianNB"

[classifiers.svm]
class = "sklearn.pipeline.Pipeline"
steps = [["scale", {class = "sklearn.preprocessing.StandardScaler"}], ["svm", {class = "sklearn.svm.SVC", C = 2.0}]]

[datasets.iris]
loader = "load_iris"

[datasets.made]
loader = "make_classification"
n_samples = 40
random_state = 1

[datasets.mine]
csv = "mine.csv"
target = "kind"

[stopping_rule]
rule = "FixedRuns"
n = 2
"""
ROWS = [f"{i},{'ab'[i % 2]},{i % 2 + i / 20}" for i in range(12)]
MINE = "\n".join(["x,kind,y", *ROWS, ""])
NB = '[classifiers.NB]\nclass = "sklearn.naive_bayes.GaussianNB"\n'
IRIS = '[datasets.iris]\nloader = "load_iris"\n'


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "mine.csv").write_text(MINE)
    (tmp_path / "study.toml").write_text(CONFIG)
    return tmp_path / "study.toml"


def test_file_becomes_the_arguments_of_run_study(config: Path) -> None:
    arguments = arguments_in(config)
    svm = arguments["classifiers"]["svm"]
    cases, labels = arguments["datasets"]["mine"]

    assert isinstance(svm, Pipeline)
    assert isinstance(svm.named_steps["svm"], SVC)
    assert svm.named_steps["svm"].C == 2.0
    assert (labels[:2].tolist(), cases[1].tolist()) == (["a", "b"], [1.0, 1.05])
    assert arguments["datasets"]["iris"][0].shape == (150, 4)
    assert arguments["directory"] == config.parent / "runs"
    assert (arguments["rng"], arguments["n_jobs"], repr(arguments["stopping_rule"])) == (3, 1, "FixedRuns(2)")


def test_file_can_be_run(config: Path) -> None:
    study = run_study(**arguments_in(config))

    assert len(study.columns["score"]) == 2 * 3 * 2 * 3
    assert study.n_failed == 0
    assert (config.parent / "runs" / "study.json").is_file()


def test_last_column_is_the_target_and_empty_cells_are_missing(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("x,kind\n1,a\n,b\n")
    (tmp_path / "study.toml").write_text(NB + '[datasets.mine]\ncsv = "mine.csv"\n')
    cases, labels = arguments_in(tmp_path / "study.toml")["datasets"]["mine"]

    np.testing.assert_array_equal(cases, [[1.0], [np.nan]])
    assert labels.tolist() == ["a", "b"]


def test_every_rule_can_be_asked_for(config: Path) -> None:
    config.write_text(NB + IRIS + '[stopping_rule]\nrule = "AnytimeValid"\nalpha = 0.1\nbounds = [-0.5, 0.5]\n')

    assert repr(arguments_in(config)["stopping_rule"]) == "AnytimeValid(0.1, bounds=(-0.5, 0.5))"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = ", "study.toml is not TOML: Invalid value"),
        ("fold = 3\n", "there is no setting 'fold'; the settings are scheme, folds"),
        (NB, r"must have a table \[datasets.NAME\] for each of its datasets"),
        (IRIS, r"must have a table \[classifiers.NAME\]"),
        ("[classifiers.NB]\nx = 1\n" + IRIS, "classifiers.NB must name its class"),
        ('[classifiers.NB]\nclass = "sklearn.nothing.NB"\n' + IRIS, "nothing to import as 'sklearn.nothing.NB'"),
        ('[classifiers.NB]\nclass = "NB"\n' + IRIS, "nothing to import as 'NB'"),
        ('[classifiers.NB]\nclass = "math.pi"\n' + IRIS, "'math.pi' is not a class or a function"),
        (NB + "x = 1\n" + IRIS, "classifiers.NB: .*unexpected keyword argument 'x'"),
        (NB + '[datasets.d]\nloader = "fetch_openml"\n', "loader must be load_... or make_..."),
        (NB + '[datasets.d]\nloader = "load_iris"\ncsv = "x"\n', "must have a loader"),
        (NB + '[datasets.d]\ncsv = "no.csv"\n', "cannot read no.csv: No such file"),
        (NB + '[datasets.d]\ncsv = "unlabeled.csv"\n', "unlabeled.csv, instance 2 has no label in column 'kind'"),
        (NB + '[datasets.d]\ncsv = "mine.csv"\ntarget = "z"\n', "mine.csv has no column 'z'"),
        (NB + '[datasets.d]\ncsv = "mine.csv"\ntarget = "x"\n', "instance 1, column 'kind': 'a' is not a number"),
        (NB + IRIS + '[stopping_rule]\nrule = "Never"\n', "stopping_rule must have a rule, one of FixedRuns"),
        (NB + IRIS + "[stopping_rule]\nrule = [1]\n", "stopping_rule must have a rule, one of FixedRuns"),
        (NB + IRIS + '[stopping_rule]\nrule = "FixedRuns"\n', "missing 1 required positional argument: 'n'"),
    ],
)
def test_mistakes_say_where_they_are(config: Path, text: str, message: str) -> None:
    config.write_text(text)
    (config.parent / "unlabeled.csv").write_text("x,kind\n1,a\n2, \n")

    with pytest.raises(InvalidValueError, match=message):
        arguments_in(config)


@pytest.mark.parametrize(("name", "message"), [("no.toml", "there is no file"), ("", "is a directory")])
def test_file_that_cannot_be_read(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        arguments_in(tmp_path / name)


def test_nothing_but_what_is_named_is_called(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Text that looks like code stays text."""
    text: Any = NB.replace('GaussianNB"\n', 'GaussianNB"\nvar_smoothing = "print(1)"\n') + IRIS
    config.write_text(text)

    assert arguments_in(config)["classifiers"]["NB"].var_smoothing == "print(1)"
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (NB + '[datasets.d]\nloader = "make_classification"\nn_features = 1\n', "datasets.d: ValueError: Number of"),
        (NB + '[datasets.d]\ncsv = "a\\u0000b"\ntarget = "y"\n', "cannot read a.*b: it is not a CSV file"),
        (NB + IRIS + "x = " + "9" * 5000, "study.toml is not TOML: Exceeds the limit"),
        ('[classifiers.N]\nclass = "leaves_with_7.A"\n' + IRIS, "the import of 'leaves_with_7.A' fails: SystemExit: 7"),
        ('[classifiers.N]\nclass = "lacks_a_key.A"\n' + IRIS, "the import of 'lacks_a_key.A' fails: KeyError: 'x'"),
    ],
)
def test_whatever_a_named_object_raises_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "leaves_with_7.py").write_text("import sys\nsys.exit(7)\n")
    (tmp_path / "lacks_a_key.py").write_text("raise KeyError('x')\n")
    (tmp_path / "study.toml").write_text(text)

    with pytest.raises(InvalidValueError, match=message):
        arguments_in(tmp_path / "study.toml")
