"""evalstats metrics scores predictions and checks their folds."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from evalstats import report
from evalstats.cli.output import TABLES
from evalstats.examples import example_path
from evalstats.io.options import given_together
from evalstats.io.reader.predictions import read_predictions
from evalstats.tables.prediction_report import analyze_predictions

PREDICTIONS = str(example_path("sklearn-predictions"))


@pytest.mark.sampled
@pytest.mark.parametrize("style", TABLES)
def test_metrics_prints_every_format(run, written, style: str) -> None:
    expected = analyze_predictions(read_predictions(PREDICTIONS), metric="f1", rng=0)

    done = run("metrics", PREDICTIONS, "--metric", "f1", "--format", style)

    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == written(expected, style)


@pytest.mark.parametrize("options", [["--metric", "accuracy,auc"], ["--metric", "accuracy", "--metric", "auc"]])
def test_several_metrics(run, written, options: list[str]) -> None:
    expected = analyze_predictions(read_predictions(PREDICTIONS), metric=["accuracy", "auc"], rng=0)

    done = run("metrics", PREDICTIONS, *options)

    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == written(expected, "text")


def test_metrics_prints_json_without_nan(run, folder: Path) -> None:
    (folder / "p.csv").write_text("dataset,classifier,fold,y_true,y_pred\nx,a,1,1,1\nx,a,2,0,0\n")

    record = json.loads(run("metrics", "p.csv", "--metric", "f1", "--format", "json").stdout)["predictions"]

    assert record["scores"]["scores"] == [[1.0]]
    assert record["scores"]["groups"][0]["fold_scores"] == [1.0, None]
    assert record["findings"][0]["code"] == "fold-without-positives"


def test_label_does_not_become_markup(run, folder: Path) -> None:
    label = "<script>alert(1)</script> ![x](http://e)"
    (folder / "p.csv").write_text(f"dataset,classifier,fold,y_true,y_pred\nx,a,1,{label},{label}\nx,a,1,no,no\n")

    text = run("metrics", "p.csv", "--metric", "f1", "--pos-label", label, "--format", "markdown").stdout

    assert r"\<script\>alert(1)\</script\> !\[x\](http\://e)" in text
    assert "<script>" not in text.replace(r"\<", "")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("options", "read", "chosen"),
    [
        (["--aggregate", "mean", "--undefined", "skip", "--metric", "f1"], {},
         {"aggregate": "mean", "undefined": "skip", "metric": "f1"}),
        (["--pos-label", "0", "--metric", "recall"], {"pos_label": "0"}, {"metric": "recall"}),
        (["--metric", "auc", "--seed", "3"], {}, {"metric": "roc_auc", "rng": 3}),
        (["--fold", "row"], {"fold": "row"}, {}),
    ],
)  # fmt: skip
def test_options_of_metrics_are_arguments(run, options: list[str], read: dict, chosen: dict) -> None:
    expected = analyze_predictions(read_predictions(PREDICTIONS, **given_together(read)), **{"rng": 0} | chosen)

    assert run("metrics", PREDICTIONS, *options).stdout == report.text(expected)


def test_metrics_reads_standard_input(program) -> None:
    done = program("metrics", "-", input=b"dataset,classifier,y_true,y_pred\nx,a,1,1\nx,a,0,1\n")

    assert done.stderr == b""
    assert b"pooled *  0.500" in done.stdout


@pytest.mark.parametrize(
    ("command", "text", "message"),
    [
        ("metrics p.csv", "dataset,classifier,shade,y_pred\nx,a,1,1\n", "choose one with --y-true"),
        ("metrics p.csv --metric f1", "dataset,classifier,y_true,y_pred\nx,a,r,r\nx,a,g,g\nx,a,b,g\n",
         "choose one with --pos-label, or choose an average over the labels, such as f1_macro"),
        ("compare p.csv --metric recall", "dataset,classifier,y_true,y_pred\nx,a,0,0\nx,b,0,0\n",
         ("recall of 'a' on dataset 'x' is undefined: no instance belongs to the class; "
          "to continue, pass --undefined zero")),
        ("compare p.csv --metric roc_auc", "dataset,classifier,y_true,y_pred\nx,a,0,0\nx,b,0,0\n",
         "roc_auc needs scores, but the predictions lack y_score; name it with --y-score"),
        ("metrics p.csv --decimal ,", "dataset;classifier;y_true;y_score\nx;a;0;0.5\nx;a;1;0.7\n", "pass --decimal ."),
        ("metrics scores.csv", "", "none of the columns 'dataset', 'NB', 'SVM' is known to hold the true labels"),
        ("metrics p.csv --metric f3", "dataset,classifier,y_true,y_pred\nx,a,0,0\n", "metric of predictions must"),
        ("compare scores.csv --aggregate mean", "", "aggregate belongs to predictions, but this is a wide table"),
    ],
)  # fmt: skip
def test_mistakes_in_predictions(refused, command: str, text: str, message: str, folder: Path) -> None:
    (folder / "p.csv").write_text(text)

    assert message in refused(*command.split())


def test_table_among_other_lines_is_read(run, folder: Path) -> None:
    lines = [
        "A title",
        "",
        "id,age,truth,lr,tree",
        *(f"{i},{i % 3},{'ab'[i % 2]},{'ab'[i % 2]},a" for i in range(6)),
        "",
        "A note",
    ]
    (folder / "p.csv").write_text("\n".join(lines) + "\n")
    expected = analyze_predictions(read_predictions("p.csv", drop="age", parsing={"rows": "3-9"}), rng=0)

    done = run("metrics", "p.csv", "--drop", "age", "--rows", "3-9", "--header-rows", "1")

    assert (done.stderr, done.stdout) == ("", report.text(expected))
    assert "Left out: the column 'age', which was excluded on request." in done.stdout


FILTERS = ("strict-match", "flexible-extract")


def test_metric_of_a_log_selects_its_answers(run) -> None:
    logs = Path(__file__).parents[1] / "data" / "formats" / "lm-eval"
    (alpha,) = logs.glob("acme__alpha/samples_sums_written_*")
    right = [json.loads(line) for line in alpha.read_text().splitlines()]
    share = {name: sum(one["exact_match"] for one in right if one["filter"] == name) / 10 for name in FILTERS}

    for name, comma in itertools.product(FILTERS, (",", ", ")):
        told = {name: run("metrics", str(alpha), "--metric", f"exact_match{comma}{name}").output}
        assert f"The metric of the scores is exact_match,{name}." in told[name]
        assert f"{share[name]:.3f}" in told[name]
