"""The report shows every fold, what the folds sum up to, and what is wrong with them."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions

from evalstats._errors import EvalstatsError
from evalstats.examples import example_path
from evalstats.io.reader.predictions import read_predictions
from evalstats.metrics import check_folds
from evalstats.report import text
from evalstats.tables.prediction_report import PredictionAnalysis, analyze_predictions
from evalstats.tables.prediction_scores import score_predictions
from evalstats.tables.predictions import Predictions

# the first fold is without a predicted positive, the second one perfect
TRUE, PREDICTED, FOLD = [1, 0, 0, 1, 0, 0], [0, 0, 0, 1, 0, 0], [1, 1, 1, 2, 2, 2]


def made(classifier: str = "c", **more: list) -> Predictions:
    n = len(more.get("fold", FOLD))
    data = {"dataset": ["d"] * n, "classifier": [classifier] * n, "y_true": TRUE, "y_pred": PREDICTED, "fold": FOLD}
    return read_predictions(data | more)


@pytest.fixture(scope="module")
def example() -> PredictionAnalysis:
    return analyze_predictions(read_predictions(example_path("sklearn-predictions")), metric="f1", rng=0)


def test_scores_are_those_of_score_predictions(example: PredictionAnalysis) -> None:
    predictions = read_predictions(example_path("sklearn-predictions"))

    assert np.array_equal(example.scores.scores, score_predictions(predictions, metric="f1").scores)


def test_findings_are_those_of_check_folds() -> None:
    found = analyze_predictions(made(), metric="f1").findings

    check = check_folds(TRUE, FOLD, y_pred=PREDICTED)
    assert {(f.code, f.severity, f.sentence) for f in found} == {(f.code, f.severity, f.sentence) for f in check}
    assert found


def test_case_in_several_folds_is_an_error() -> None:
    found = analyze_predictions(made(row=[1, 2, 3, 1, 5, 6]), metric="f1").findings

    assert (found[0].code, found[0].severity) == ("rows-in-several-folds", "error")


def test_what_is_said_of_several_classifiers_is_said_once() -> None:
    twice = {name: values * 2 for name, values in {"y_true": TRUE, "y_pred": PREDICTED, "fold": FOLD}.items()}
    data = {"dataset": ["d"] * 12, "classifier": ["a"] * 6 + ["b"] * 6, **twice}

    found = analyze_predictions(read_predictions(data), metric="f1").findings

    assert {f.named("classifier") for f in found} == {("a", "b")}
    assert len({f.sentence for f in found}) == len(found)


def test_undefined_score_is_not_refused() -> None:
    report = analyze_predictions(made(), metric="f1", aggregate="mean")

    assert np.isnan(report.scores.scores).all()


def test_one_fold_and_several_labels_have_no_findings() -> None:
    several = made(y_true=list("abcabc"), y_pred=list("abcabc"))

    assert analyze_predictions(made(fold=[1] * 6), metric="f1").findings == ()
    assert analyze_predictions(several, metric="f1_macro").findings == ()


def test_csv_has_every_number(example: PredictionAnalysis) -> None:
    rows = list(csv.DictReader(io.StringIO(example.to_csv())))

    of_folds = [row for row in rows if row["fold"]]
    chosen = [float(row["score"]) for row in rows if row["aggregate"] == "tp_fp"]
    assert len(of_folds) == 10 * 4 * 10
    assert len(rows) - len(of_folds) == 10 * 4 * 5
    assert chosen == example.scores.scores.ravel().tolist()


def test_same_seed_gives_the_same_report() -> None:
    predictions = read_predictions(example_path("sklearn-predictions"))

    first, again = (analyze_predictions(predictions, metric="roc_auc", rng=1).to_dict() for _ in range(2))

    np.testing.assert_equal(first, again)


ROWS = st.lists(
    st.tuples(*map(st.sampled_from, ("xy", "123", "01", "012", ("0", "1", "0.25", "7")))), min_size=1, max_size=14
)
METRICS = (
    None,
    "f1",
    "f1_macro",
    "recall",
    "balanced_accuracy",
    "cohen_kappa",
    "roc_auc",
    "average_precision",
    "brier",
)


@settings(max_examples=repetitions(200))
@given(
    rows=ROWS, metric=st.sampled_from(METRICS), undefined=st.sampled_from(["zero", "skip", "nan"]), random=st.randoms()
)
def test_shuffled_rows_give_the_same_report(
    rows: list[tuple], metric: str | None, undefined: str, random: object
) -> None:
    def answer(rows: list[tuple]) -> str:
        names = ("dataset", "fold", "y_true", "y_pred", "y_score")
        data = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)) | {"classifier": ["c"] * len(rows)}
        try:
            report = analyze_predictions(
                read_predictions(data), metric=metric, undefined=undefined, n_resamples=19, rng=0
            )
        except EvalstatsError:
            return "refused"
        return text(report) + report.to_csv()

    assert answer(random.sample(rows, len(rows))) == answer(rows)


def test_several_metrics_are_each_metric_alone() -> None:
    predictions = read_predictions(example_path("sklearn-predictions"))
    names = ["accuracy", "f1", "roc_auc"]

    together = analyze_predictions(predictions, metric=names, rng=0)
    alone = [analyze_predictions(predictions, metric=name, rng=0) for name in names]

    assert (together.scores.metrics, together.scores.scores.shape) == (tuple(names), (3, 10, 4))
    for name, one in zip(names, alone, strict=True):
        assert repr(together.scores[name].to_dict()) == repr(one.scores.to_dict())  # nan is nan
    assert {(f.code, f.sentence) for f in together.findings} == {
        (f.code, f.sentence) for a in alone for f in a.findings
    }
    assert together.to_csv().splitlines()[1:] == [row for one in alone for row in one.to_csv().splitlines()[1:]]
    rows = together.scores.to_frame()
    assert len(rows) == 120
    assert rows.iloc[1].tolist() == [
        predictions.datasets[0],
        predictions.classifiers[0],
        "f1",
        alone[1].scores.scores[0, 0],
    ]


def test_report_of_several_metrics_has_a_row_for_each_classifier() -> None:
    found = analyze_predictions(
        read_predictions(example_path("sklearn-predictions")), metric=["accuracy", "auc"], rng=0
    )

    lines = text(found).splitlines()
    heading = next(line for line in lines if line.startswith("classifier"))
    assert heading.split() == ["classifier", "accuracy", "AUC"]
    expected = ["tree", *(f"{score:.3f}" for score in found.scores.scores[:, 0, 3])]
    assert next(line for line in lines if line.startswith("tree")).split() == expected


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (["f1", "accuracy", "F1"], "metric must name different metrics, but these are the same: 'f1', 'F1'"),
        ([], "metric must be the name of a metric or a list of such names"),
        (["f1", 3], "metric must be the name of a metric or a list of such names"),
        (["f1", "nothing"], "metric of predictions must be one of accuracy"),
    ],
)
def test_mistakes_in_lists_of_metrics(metric: list, message: str) -> None:
    for function in (analyze_predictions, score_predictions):
        with pytest.raises(EvalstatsError, match=message):
            function(made(), metric=metric)
