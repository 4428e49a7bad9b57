"""One score for each dataset and classifier, computed as the functions of `evalstats.metrics` compute it."""

from __future__ import annotations

import functools
import io

import numpy as np
import pytest

from evalstats import metrics
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.comparison.analysis import compare
from evalstats.examples import example_path
from evalstats.io.options import given_together
from evalstats.io.reader.predictions import read_predictions
from evalstats.io.reader.tables import read_table
from evalstats.metrics import METRICS
from evalstats.tables.errors import TableError
from evalstats.tables.prediction_scores import NEED_A_NUMBER, PredictionScores, score_predictions
from evalstats.tables.predictions import Predictions

EXAMPLE = example_path("sklearn-predictions")

# Forman & Scholz (2010), Table 1: counts of four folds of a text classifier, and the F that follow in three ways
TP, FP, FN, N = [3, 4, 4, 3], [0, 1, 13, 5], [0, 0, 0, 1], 376
TABLE_1 = {"tp_fp": 0.58, "mean": 0.69, "precision_recall": 0.73}


@functools.cache
def example() -> Predictions:
    return read_predictions(EXAMPLE)


@functools.cache
def columns(dataset: str, classifier: str) -> dict[str, np.ndarray]:
    """Return the cases of one group of the example, read without evalstats."""
    import csv

    with EXAMPLE.open(encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file) if (r["dataset"], r["classifier"]) == (dataset, classifier)]
    return {name: np.array([float(r[name]) for r in rows]) for name in ("fold", "y_true", "y_pred", "y_score")}


def made(true: list, predicted: list | None = None, score: list | None = None, **more: list) -> Predictions:
    n = len(true)
    data = {"dataset": ["d"] * n, "classifier": ["c"] * n, "y_true": true, **more}
    data |= {"y_pred": predicted} if predicted is not None else {}
    return read_predictions(data | ({"y_score": score} if score is not None else {}))


def only(scores: PredictionScores) -> float:
    assert scores.scores.size == 1
    return float(scores.scores[0, 0])


def table_1() -> Predictions:
    true, predicted, fold = [], [], []
    for number, (tp, fp, fn) in enumerate(zip(TP, FP, FN, strict=True)):
        tn = N - tp - fp - fn
        true += [1] * (tp + fn) + [0] * (fp + tn)
        predicted += [1] * tp + [0] * fn + [1] * fp + [0] * tn
        fold += [number] * N
    return made(true, predicted, fold=fold)


# --- values -----------------------------------------------------------------------------------------------------------


def test_f1_by_hand() -> None:
    """Two hits, a miss and a false alarm: 2 * 2 / (2 * 2 + 1 + 1)."""
    assert only(score_predictions(made([1, 1, 1, 0, 0], [1, 1, 0, 1, 0]), metric="f1")) == pytest.approx(2 / 3)


@pytest.mark.parametrize(("aggregate", "published"), TABLE_1.items())
def test_published_f1(aggregate: str, published: float) -> None:
    """Forman & Scholz (2010), Table 1."""
    scored = score_predictions(table_1(), metric="f1", aggregate=aggregate)

    assert only(scored) == pytest.approx(published, abs=0.005)
    assert getattr(scored.groups[0].strategies, aggregate) == only(scored)


@pytest.mark.parametrize("undefined", ["zero", "skip"])
@pytest.mark.parametrize("aggregate", ["tp_fp", "mean", "precision_recall"])
def test_f1_is_that_of_f1_over_folds(aggregate: str, undefined: str) -> None:
    scored = score_predictions(example(), metric="f1", aggregate=aggregate, undefined=undefined)

    for group in scored.groups:
        c = columns(group.dataset, group.classifier)
        counts = metrics.confusion_counts(c["y_true"], c["y_pred"], fold=c["fold"], n_classes=2)
        expected = metrics.f1_over_folds(
            counts[:, 1, 1], counts[:, 0, 1], counts[:, 1, 0], aggregate=aggregate, undefined=undefined
        )
        assert group.score == expected


@pytest.mark.parametrize("aggregate", ["mean", "merge"])
@pytest.mark.parametrize(
    ("metric", "function"),
    [("roc_auc", metrics.auc_over_folds), ("average_precision", metrics.average_precision_over_folds)],
)
def test_rankings_are_those_over_folds(metric: str, function: object, aggregate: str) -> None:
    scored = score_predictions(example(), metric=metric, aggregate=aggregate)

    for group in scored.groups:
        c = columns(group.dataset, group.classifier)
        expected = function(c["y_true"].astype(int), c["y_score"], c["fold"].astype(int), aggregate=aggregate)
        assert group.score == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("metric", [name for name, record in METRICS.items() if record.needs != "scores"])
def test_pooled_score_is_the_function_of_all_cases(metric: str) -> None:
    if metric in NEED_A_NUMBER:
        return
    scored = score_predictions(example(), metric=metric)
    record = METRICS[metric]

    assert scored.greater_is_better == record.greater_is_better
    for group in scored.groups[::7]:
        c = columns(group.dataset, group.classifier)
        given = c["y_pred"].astype(int) if record.needs == "labels" else c["y_score"]
        assert group.score == pytest.approx(
            getattr(metrics, record.function)(c["y_true"].astype(int), given), rel=1e-12
        )


@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
@pytest.mark.parametrize("metric", ["f1", "precision", "recall", "jaccard"])
def test_averages_over_labels_are_those_of_scikit_learn(metric: str, average: str) -> None:
    from sklearn import metrics as sklearn

    rng = np.random.default_rng(3)
    true, predicted = rng.integers(0, 4, 60), rng.integers(0, 4, 60)

    score = only(score_predictions(made(true.tolist(), predicted.tolist()), metric=f"{metric}_{average}"))

    assert score == pytest.approx(getattr(sklearn, f"{metric}_score")(true, predicted, average=average), rel=1e-12)


def test_accuracy_is_pooled_or_the_mean() -> None:
    p = made([1, 1, 1, 0], [1, 1, 0, 1], fold=[1, 1, 1, 2])

    assert only(score_predictions(p)) == 0.5
    assert only(score_predictions(p, aggregate="mean")) == pytest.approx(1 / 3)


def test_repeats_are_averaged_last() -> None:
    """F of each repeat is from its summed counts; their mean is not F of all counts."""
    p = made([1, 1, 0, 0] * 2, [1, 1, 0, 0, 1, 0, 1, 1], fold=[1, 2] * 4, repeat=[1] * 4 + [2] * 4)

    scored = score_predictions(p, metric="f1")

    assert only(scored) == pytest.approx((1 + 2 / 5) / 2)
    assert scored.groups[0].repeats == ("1", "1", "2", "2")
    assert scored.description.endswith("; mean of 2 repeats")


def test_positive_label_against_all_others() -> None:
    data = {"dataset": ["d"] * 6, "classifier": ["c"] * 6, "y_true": list("abcabc"), "y_pred": list("abccba")}

    assert only(score_predictions(read_predictions(data, pos_label="b"), metric="f1")) == 1
    assert only(score_predictions(read_predictions(data, pos_label="a"), metric="f1")) == 0.5


def test_label_that_is_only_predicted_is_no_part_of_balanced_accuracy() -> None:
    """Recall is 1 and .5; a fold without one of the two labels has no balanced accuracy."""
    p = made(list("aabb"), list("aabx"), fold=[1, 1, 2, 2])

    assert only(score_predictions(p, metric="balanced_accuracy")) == 0.75
    with pytest.raises(TableError, match="fold 1 is undefined"):
        score_predictions(p, metric="balanced_accuracy", aggregate="mean")


def test_other_names_of_metrics() -> None:
    for name, metric in {"AUC": "roc_auc", "ROC-AUC": "roc_auc", "MCC": "matthews_corrcoef", "F1 score": "f1"}.items():
        assert score_predictions(example(), metric=name).metric == metric


def test_default_metric_fits_the_columns() -> None:
    assert score_predictions(made([0, 1], [0, 1])).metric == "accuracy"
    assert score_predictions(made([0, 1], score=[0.2, 0.7])).metric == "roc_auc"


# --- undefined scores -------------------------------------------------------------------------------------------------

UNDEFINED = {"true": [1, 0, 1, 0, 0, 0], "fold": [1, 1, 2, 2, 3, 3]}


@pytest.mark.parametrize(("undefined", "expected"), [("zero", 2 / 3), ("skip", 1.0)])
@pytest.mark.parametrize("metric", ["f1", "roc_auc", "recall"])
def test_fold_without_positives(metric: str, undefined: str, expected: float) -> None:
    p = made(UNDEFINED["true"], UNDEFINED["true"], UNDEFINED["true"], fold=UNDEFINED["fold"])

    scored = score_predictions(p, metric=metric, aggregate="mean", undefined=undefined)

    assert only(scored) == pytest.approx(expected)
    assert np.isnan(scored.groups[0].fold_scores).tolist() == [False, False, True]
    assert scored.groups[0].n_undefined == 1


@pytest.mark.parametrize("metric", ["f1", "roc_auc", "recall", "average_precision", "f1_macro"])
def test_undefined_fold_is_refused_with_its_name(metric: str) -> None:
    p = made(UNDEFINED["true"], [1, 0, 1, 0, 0, 0], UNDEFINED["true"], fold=UNDEFINED["fold"])

    with pytest.raises(TableError, match=rf"{metric} of 'c' on dataset 'd', fold 3 is undefined: .*; to continue"):
        score_predictions(p, metric=metric, aggregate="mean")


@pytest.mark.parametrize("metric", ["f1", "roc_auc", "recall"])
def test_nothing_to_score_is_refused(metric: str) -> None:
    p = made([0, 0, 0, 0], [0, 0, 0, 0], [1, 2, 3, 4], fold=[1, 1, 2, 2])

    for undefined in ("raise", "skip"):
        with pytest.raises(TableError, match="is undefined"):
            score_predictions(p, metric=metric, undefined=undefined)
    assert only(score_predictions(p, metric=metric, undefined="zero")) == 0
    assert np.isnan(only(score_predictions(p, metric=metric, undefined="nan")))


def test_summed_counts_need_no_policy() -> None:
    p = made(UNDEFINED["true"], [1, 0, 0, 0, 0, 0], fold=UNDEFINED["fold"])

    assert only(score_predictions(p, metric="f1")) == pytest.approx(2 / 3)


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "f2"}, "metric of predictions must be one of accuracy, error_rate, .*, not 'f2'"),
        ({"metric": "accuracy_macro"}, "metric of predictions must be one of"),
        ({"metric": 3}, "metric must be the name of a metric or a list of such names, not 3"),
        ({"metric": "fbeta"}, "fbeta needs beta, which predictions do not contain; .* evalstats.metrics.fbeta_score"),
        ({"metric": "precision_at_n"}, "precision_at_n needs n"),
        ({"aggregate": "tp_fp"}, "aggregate of accuracy must be 'pooled' or 'mean', not 'tp_fp'"),
        ({"metric": "f1", "aggregate": "merge"}, "aggregate of f1 must be 'tp_fp' or 'mean' or 'precision_recall'"),
        ({"undefined": "warn"}, "undefined must be 'raise' or 'zero' or 'skip' or 'nan', not 'warn'"),
    ],
)
def test_choices_that_do_not_exist(options: dict, message: str) -> None:
    with pytest.raises((InvalidValueError, InvalidTypeError), match=message):
        score_predictions(example(), **options)


def test_metric_must_fit_the_columns() -> None:
    with pytest.raises(TableError, match="roc_auc needs scores, but the predictions lack y_score"):
        score_predictions(made([0, 1], [0, 1]), metric="roc_auc")
    with pytest.raises(TableError, match="f1 needs predicted labels, but the predictions lack y_pred"):
        score_predictions(made([0, 1], score=[0, 1]), metric="f1")
    with pytest.raises(TableError, match=r"'d' / 'c': .* 1\.5"):
        score_predictions(made([0, 1], score=[0, 1.5]), metric="brier")


def test_several_labels_need_a_positive_one_or_an_average() -> None:
    message = (
        "f1 needs a positive label, and dataset 'd' has the labels 'a', 'b', 'c'; "
        "choose one with pos_label=, or choose an average over the labels, such as f1_macro"
    )
    with pytest.raises(TableError) as error:
        score_predictions(made(list("abc"), list("abc")), metric="f1")
    assert str(error.value) == message


def test_measurements_are_no_labels() -> None:
    values = list(range(6000))

    with pytest.raises(TableError, match=r"'d' has 6,000 different labels, .* check whether they are scores"):
        score_predictions(made(values, values, fold=[1, 2] * 3000), metric="cohen_kappa")
    assert score_predictions(made(values, values, fold=[1, 2] * 3000)).scores.item() == 1.0  # no pair is counted


# --- the table that goes on -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["accuracy", "error_rate", "f1", "roc_auc", "brier"])
def test_table_holds_the_scores_and_how_they_were_computed(metric: str) -> None:
    scored, table = score_predictions(example(), metric=metric), read_table(EXAMPLE, metric=metric)

    assert np.array_equal(table.scores, scored.scores)
    assert (table.metric, table.greater_is_better) == (metric, METRICS[metric].greater_is_better)
    assert table.computation == scored.description
    assert table.source == "sklearn-predictions.csv"
    assert read_table(example(), metric=metric).to_dict() == table.to_dict()


def test_choices_reach_the_score() -> None:
    table = read_table(EXAMPLE, metric="f1", aggregate="mean", undefined="skip", pos_label=0)

    expected = score_predictions(
        read_predictions(EXAMPLE, pos_label=0), metric="f1", aggregate="mean", undefined="skip"
    )
    assert np.array_equal(table.scores, expected.scores)


def test_error_and_accuracy_are_compared_alike() -> None:
    a, b = (compare(read_table(EXAMPLE, metric=metric)) for metric in ("accuracy", "error_rate"))

    assert a.table.greater_is_better
    assert not b.table.greater_is_better
    np.testing.assert_allclose(a.mean_ranks, b.mean_ranks, rtol=1e-12)


def test_named_columns_make_a_table_of_predictions() -> None:
    text = "dataset,classifier,gold,guess\nx,a,1,1\nx,a,0,0\nx,b,1,0\nx,b,0,0\n"

    table = read_table(io.StringIO(text), columns={"y_true": "gold", "y_pred": "guess"})

    assert table.scores.tolist() == [[1.0, 0.5]]


def test_scores_beside_a_target_stay_a_long_table() -> None:
    text = "dataset,classifier,target,accuracy\nx,a,t,.5\nx,b,t,.7\n"

    assert read_table(io.StringIO(text), columns={"score": "accuracy"}).scores.tolist() == [[0.5, 0.7]]


def test_pair_that_lacks_is_missing() -> None:
    data = {"dataset": list("xxy"), "classifier": list("aba"), "y_true": [1, 1, 1], "y_pred": [1, 0, 1]}

    with pytest.raises(TableError, match=r"1 score is missing: 'y' / 'b'; fill in these scores, or leave out"):
        read_table(data)
    assert read_table(data, missing="drop-datasets").dropped == ("y",)


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (None, {"undefined": "nan"}, "undefined must be 'raise' or 'zero' or 'skip' for a table of scores, not 'nan'"),
        (None, {"score": "y_score", "layout": "predictions"}, "score does not apply to predictions, and layout is"),
        ([[1.0, 2.0]], {"aggregate": "mean"}, "aggregate belongs to predictions, but this is a wide table of scores"),
        (
            [[1.0, 2.0]],
            {"y_true": "a", "layout": "wide"},
            "y_true does not apply to a wide table of scores",
        ),
        ("predictions", {"pos_label": 1}, "pos_label must be given to read_predictions, not together with its result"),
    ],
)
def test_choices_that_do_not_go_together(source: object, options: dict, message: str) -> None:
    source = EXAMPLE if source is None else example() if source == "predictions" else source

    with pytest.raises(InvalidValueError, match=message):
        read_table(source, **given_together(options))
