"""``evalstats compare --train-size`` says what compare_learning_curves says, and draws its plot."""

from __future__ import annotations

import json

import numpy as np
import pytest

from evalstats import report
from evalstats.comparison import compare_learning_curves

SIZES = (25, 100, 400)
NOISE = np.random.default_rng(8).normal(0, 0.01, (3, 6, 3))
SCORES = np.array([[0.2, 0.15, 0.1], [0.4, 0.15, 0.05], [0.3, 0.3, 0.3]])[:, None] + NOISE


@pytest.fixture
def path(folder):
    rows = ["model,size,run,loss"]
    for i, name in enumerate(("SVM", "tree", "Bayes")):
        rows += [f"{name},{size},{r},{SCORES[i, r, j]:.6f}" for r in range(6) for j, size in enumerate(SIZES)]
    (folder / "curves.csv").write_text("\n".join(rows), encoding="utf-8")
    return "curves.csv"


BASE = ("--train-size", "size", "--n-test", "50", "--keep", "SVM", "--keep", "tree")
ARGUMENTS = {"train_size": "size", "n_test": 50, "keep": ["SVM", "tree"]}
OPTIONS = {
    (): {},
    ("--n-instances", "500"): {"n_instances": 500},
    ("--adjust", "max-t"): {"adjust": "max-t"},
    ("--higher-is-better", "--alpha", "0.1"): {"greater_is_better": True, "alpha": 0.1},
    ("--classifier", "model", "--repeat", "run", "--score", "loss", "--drop", "25"): {
        "classifier": "model",
        "repeat": "run",
        "score": "loss",
        "drop": "25",
    },
}


@pytest.mark.parametrize("words", OPTIONS)
def test_command_compares_learning_curves(run, path, words) -> None:
    done = run("compare", path, *BASE, *words)

    assert (done.exit_code, done.stdout) == (
        0,
        report.text(compare_learning_curves(path, **ARGUMENTS, **OPTIONS[words])),
    )


@pytest.mark.parametrize("width", [(), ("--width", "5", "--no-caption")], ids=str)
def test_plot_and_report_are_written(run, path, folder, width) -> None:
    done = run("compare", path, *BASE, "--plot", "curves.svg", *width, "--output", "report.json")

    assert (done.exit_code, done.stdout) == (0, "")
    assert (folder / "curves.svg").stat().st_size > 5000
    record = json.loads((folder / "report.json").read_text(encoding="utf-8"))["learning_curves"]
    assert record["classifiers"] == ["SVM", "tree"]
    assert record["test"]["greater_is_better"] is False


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--train-size", "size", "--n-test", "50"), "choose two of them, for example with --keep Bayes --keep SVM"),
        (BASE[:2] + BASE[4:], "the number of test instances is not known; pass it with --n-test"),
        ((*BASE, "--margin", "0.1"), "--margin cannot be combined with --train-size"),
        ((*BASE, "--posthoc", "nemenyi"), "--posthoc cannot be combined with --train-size"),
        ((*BASE, "--adjust", "holm"), "adjust must be 'sidak' or 'max-t'"),
        ((*BASE, "--reader", "run"), "--train-size cannot be combined with --reader"),
        ((*BASE, "--adjust-for", "run"), "--adjust-for cannot be combined with --train-size"),
        ((*BASE, "--lower-is-better", "--higher-is-better"), "cannot be combined"),
        ((*BASE, "--metric", "loss,f1"), "metric must be"),
        (("--n-test", "50"), "--n-test is for learning curves; give the column of the training-set sizes"),
        ((*BASE, "--drop", "9"), "must name a classifier, size, repeat or dataset of curves.csv, not '9'"),
    ],
)
def test_faults_are_named_in_one_line(refused, path, words, message) -> None:
    assert message in refused("compare", path, *words)


def test_comparison_of_datasets_names_the_option(refused, folder) -> None:
    rows = [f"{name},{size},{r},{0.1 * r + size / 1000}" for name in "ab" for size in SIZES for r in range(4)]
    (folder / "long.csv").write_text("\n".join(["classifier,n_train,repeat,accuracy", *rows]), encoding="utf-8")

    assert "for learning curves, use compare_learning_curves, or --train-size" in refused("compare", "long.csv")
