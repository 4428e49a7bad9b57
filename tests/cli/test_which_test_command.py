"""evalstats which-test advises from a table, from predictions and from a plan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalstats import report
from evalstats.comparison.advice.recommendation import which_test
from evalstats.examples import example_path

DEMSAR = str(example_path("demsar-2006"))
PREDICTIONS = str(example_path("sklearn-predictions"))
WIDE = "dataset,NB,SVM\niris,0.93,0.95\nglass,0.71,0.50\nwine,0.8,0.9\n"


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ([DEMSAR], {"source": DEMSAR}),
        ([DEMSAR, "--control", "C4.5", "--parametric"], {"source": DEMSAR, "control": "C4.5", "parametric": True}),
        ([PREDICTIONS, "--metric", "f1", "--alpha", ".001"], {"source": PREDICTIONS, "metric": "f1", "alpha": 0.001}),
        (["--classifiers", "5", "--datasets", "12", "--data", "scores"], {"n_classifiers": 5, "n_datasets": 12}),
        (["--classifiers", "2", "--folds", "10", "--repeats", "3"],
         {"n_classifiers": 2, "n_folds": 10, "n_repeats": 3}),
        (["--classifiers", "2", "--data", "predictions", "--instances", "20000"],
         {"n_classifiers": 2, "data": "predictions", "n_instances": 20000}),
    ],
)  # fmt: skip
def test_options_are_the_arguments_of_which_test(run, options: list[str], arguments: dict) -> None:
    done = run("which-test", *options)

    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == report.text(which_test(**arguments))


def test_which_test_reads_tables_as_compare_does(run, folder: Path) -> None:
    (folder / "scores.csv").write_text("a;b;c\nx;NB;1,5\nx;SVM;2,5\ny;NB;1,5\ny;SVM;2,0\n")
    columns = {"dataset": "a", "classifier": "b", "score": "c", "delimiter": ";", "decimal": ","}
    options = [f"--{name}={value}" for name, value in columns.items()]

    assert run("which-test", "scores.csv", *options).stdout == report.text(which_test("scores.csv", **columns))


def test_which_test_takes_the_places_and_roles_of_compare(run, folder: Path) -> None:
    (folder / "scores.csv").write_text(f"A title\n\n{WIDE.replace('wine', 'Average')}")
    reading = {"rows": "3-6", "header_rows": 1, "drop": ["glass"], "keep": ["Average"], "transpose": False}
    options = ["--rows", "3-6", "--header-rows", "1", "--drop", "glass", "--keep", "Average", "--no-transpose"]

    assert run("which-test", "scores.csv", *options).stdout == report.text(which_test("scores.csv", **reading))


def test_which_test_prints_json(run) -> None:
    record = json.loads(run("which-test", DEMSAR, "--format", "json").stdout)["advice"]

    assert (record["test"], record["posthoc"]) == ("friedman_test", ["pairwise_wilcoxon_test"])
    assert record["design"]["n_datasets"] == 14


def test_which_test_reads_missing_scores_as_compare_does(run, refused, folder: Path) -> None:
    (folder / "missing.csv").write_text(WIDE.replace("0.95", ""))

    assert "--missing drop-datasets" in refused("which-test", "missing.csv")
    assert "on 2 datasets" in run("which-test", "missing.csv", "--missing", "drop-datasets").stdout


def test_which_test_reads_standard_input(program) -> None:
    done = program("which-test", "-", input=WIDE.encode())

    assert done.stderr == b""
    assert done.stdout.startswith(b"wilcoxon_test\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "give a FILE, or the number of classifiers with --classifiers (see evalstats which-test --help)"),
        ("nope.csv", "there is no file nope.csv"),
        ("--classifiers 0", "--classifiers must be at least 1, not 0"),
        ("--classifiers x", "'x' is not a valid integer"),
        ("--classifiers 2 --decimal ,", "decimal is for reading a table, but there is none"),
        ("scores.csv --datasets 4", "--datasets must be 3 as in the data, not 4"),
        ("scores.csv --control nb", "control must be among 'NB', 'SVM', not 'nb'"),
    ],
)
def test_mistakes_in_which_test(refused, options: str, message: str, folder: Path) -> None:
    assert message in refused("which-test", *options.split())
