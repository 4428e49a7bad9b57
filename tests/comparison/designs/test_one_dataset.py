"""compare() on one dataset: the decisions are those of the tests, called by hand."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import evalstats
from evalstats import Comparison, InvalidValueError, compare, read_predictions

RNG = np.random.default_rng(7)
# classifier, repeat, fold: C is the best, A and B are close
FOLDS = (
    RNG.normal(0.8, 0.01, (1, 10, 10)) + RNG.normal(0, 0.005, (3, 10, 10)) + np.reshape([0, 0.002, 0.03], (3, 1, 1))
).round(4)
TRUE = RNG.integers(0, 2, 400)
RIGHT = RNG.random((400, 3)) < [0.7, 0.72, 0.9]


def fold_rows(scores: np.ndarray = FOLDS, **columns: Any) -> dict[str, list[Any]]:
    at = list(itertools.product(*map(range, scores.shape)))
    rows = {"dataset": ["d"] * len(at), "classifier": ["ABC"[c] for c, _, _ in at]}
    rows |= {"repeat": [r for _, r, _ in at], "fold": [f for _, _, f in at], "acc": scores.ravel().tolist()}
    return {**rows, **{name: [value] * len(at) for name, value in columns.items()}}


def answers(right: np.ndarray = RIGHT) -> dict[str, list[Any]]:
    n, k = right.shape
    return {
        "dataset": ["d"] * n * k,
        "classifier": list("ABC"[:k]) * n,
        "row": np.repeat(np.arange(n), k).tolist(),
        "y_true": np.repeat(TRUE[:n], k).tolist(),
        "y_pred": np.where(right, TRUE[:n, None], 1 - TRUE[:n, None]).ravel().tolist(),
    }


def test_folds_of_two_are_the_corrected_t_test() -> None:
    comparison = compare(fold_rows(FOLDS[:2]))
    by_hand = evalstats.corrected_ttest(FOLDS[1].ravel(), FOLDS[0].ravel(), n_train=9, n_test=1)

    assert isinstance(comparison, Comparison)
    pair = comparison.pair("A", "B")
    assert (pair.first, pair.statistic, pair.pvalue) == ("B", by_hand.statistic, by_hand.pvalue)
    assert [pair.low, pair.high] == list(by_hand.confidence_interval())
    assert comparison.design == "folds"


def test_folds_of_three_are_adjusted_for_all_pairs() -> None:
    comparison = compare(fold_rows(), adjust="bonferroni")

    pair = comparison.pair("C", "B")
    assert pair.pvalue == pytest.approx(min(1.0, 3 * pair.unadjusted_pvalue), rel=1e-12)
    assert [p.first + p.second for p in comparison.pairs if p.different] == ["CB", "CA"]
    assert comparison.homogeneous_subsets == (("B", "A"),)


def test_control_is_compared_with_each_other_only() -> None:
    comparison = compare(fold_rows(), control="A")

    assert [pair.first + pair.second for pair in comparison.pairs] == ["CA", "BA"]
    assert comparison.homogeneous_subsets == ()


def test_sizes_in_the_table_are_used() -> None:
    told = compare(fold_rows(n_train=50, n_test=50))
    assumed = compare(fold_rows())

    assert (told.n_train, told.n_test) == (50, 50)
    assert "sizes-assumed" in assumed.notes
    assert "sizes-assumed" not in told.notes
    assert told.pair("A", "B").pvalue > assumed.pair("A", "B").pvalue


def test_order_of_rows_changes_nothing() -> None:
    rows = fold_rows()
    order = RNG.permutation(len(rows["fold"])).tolist()

    assert (
        compare({name: [values[i] for i in order] for name, values in rows.items()}).to_dict()
        == compare(rows).to_dict()
    )


def test_repeats_tell_who_is_ahead() -> None:
    overlap = compare(fold_rows()).reproducibility
    means = FOLDS.mean(axis=2)

    assert overlap.n_wins[2, 0] == (means[2] > means[0]).sum()
    assert compare(fold_rows(FOLDS[:, :1])).reproducibility is None
    assert "one-run" in compare(fold_rows(FOLDS[:, :1])).notes


def test_error_is_better_when_lower() -> None:
    rows = fold_rows(1 - FOLDS)
    rows["error"] = rows.pop("acc")

    comparison = compare(rows)

    assert comparison.ranking == compare(fold_rows()).ranking
    assert comparison.pair("C", "A").difference < 0
    assert comparison.pair("C", "A").n_wins > 90
    assert comparison.reproducibility.n_wins[2, 0] == 10


def test_answers_of_two_are_mcnemars_test() -> None:
    comparison = compare(answers(RIGHT[:, :2]))
    by_hand = evalstats.mcnemar_test(RIGHT[:, 0], RIGHT[:, 1])

    pair = comparison.pair("A", "B")
    sign = 1 if pair.first == "A" else -1
    assert (pair.pvalue, pair.difference) == (by_hand.pvalue, sign * by_hand.difference)
    assert comparison.design == "instances"
    assert {pair.n_wins, pair.n_losses} == {int(by_hand.table[0, 1]), int(by_hand.table[1, 0])}


def test_answers_of_three_are_led_by_cochrans_test() -> None:
    comparison = compare(answers())

    assert comparison.omnibus.pvalue == evalstats.cochran_q_test(RIGHT).pvalue
    assert comparison.significant
    assert [p.first + p.second for p in comparison.pairs if p.different] == ["CB", "CA"]


def test_no_pair_is_different_where_cochrans_test_does_not_reject() -> None:
    """Equal right and wrong answers: nothing can be concluded."""
    comparison = compare(answers(np.repeat(RIGHT[:, :1], 3, axis=1)))

    assert not comparison.different.any()
    assert "degenerate" in comparison.notes
    assert "design-cannot-reach-alpha" in comparison.notes


def test_labels_predicted_once_are_compared_case_by_case_whatever_the_fold() -> None:
    rows = answers()
    rows["fold"] = [i % 10 for i in rows["row"]]

    comparison = compare(rows)

    assert comparison.pair_test == "mcnemar_test"
    assert comparison.pair("C", "A").pvalue == compare(answers()).pair("C", "A").pvalue
    assert "models-share-training-data" in [finding.code for finding in comparison.advice.warnings]


def test_repeated_predictions_are_compared_by_their_folds() -> None:
    once = {**answers(), "fold": [i % 10 for i in answers()["row"]], "repeat": [1] * 1200}
    again = {**answers(RIGHT[::-1]), "fold": [i % 10 for i in answers()["row"]], "repeat": [2] * 1200}

    comparison = compare({name: once[name] + again[name] for name in once})

    assert comparison.pair_test == "corrected_ttest"
    assert (comparison.n_repeats, comparison.n_folds, comparison.n_train, comparison.n_test) == (2, 10, 360, 40)


def test_rankings_in_folds_are_compared_by_their_folds() -> None:
    """Scores of different folds have no common scale."""
    rows = {**answers(), "y_score": RNG.random(1200).tolist(), "fold": [i % 10 for i in answers()["row"]]}

    assert compare(rows, metric="roc_auc").pair_test == "corrected_ttest"
    assert compare({n: v for n, v in rows.items() if n != "fold"}, metric="roc_auc").pair_test == "delong_test"


@pytest.mark.parametrize(("n_positive", "method"), [(499, "t"), (500, "asymptotic"), (521, "t")])
@pytest.mark.parametrize("k", [2, 3])
def test_few_instances_of_a_class_are_compared_by_the_t_distribution(k: int, n_positive: int, method: str) -> None:
    """The normal distribution rejects too often; the intervals and the methods section follow the test."""
    true = np.arange(1000) < n_positive
    scores = np.round(np.random.default_rng(k).random((1000, k)) + 0.3 * true[:, None], 3)
    rows = {
        "dataset": ["d"] * 1000 * k,
        "classifier": list("ABC"[:k]) * 1000,
        "row": np.repeat(np.arange(1000), k).tolist(),
        "y_true": np.repeat(true, k).astype(int).tolist(),
        "y_score": scores.ravel().tolist(),
    }

    comparison = compare(rows, metric="roc_auc", pos_label=1)

    assert (comparison.pair_test, comparison.tests[0].method) == ("delong_test", method)
    pair = comparison.pairs[0]
    first, second = (scores[:, "ABC".index(name)] for name in (pair.first, pair.second))
    alone = evalstats.delong_test(true, first, second)
    assert alone.method == method
    assert pair.unadjusted_pvalue == pytest.approx(alone.pvalue)
    assert pair.low == pytest.approx(alone.confidence_interval().low)
    methods = evalstats.report.text(comparison, part="methods")
    assert ("O'Neill" in methods) is (method == "t")


def test_other_metrics_are_tested_by_exchanging_predictions() -> None:
    y_pred = np.where(RIGHT, TRUE[:, None], 1 - TRUE[:, None])

    comparison = compare(answers(RIGHT[:, :2]), metric="f1", rng=5, n_resamples=499)

    pair = comparison.pairs[0]
    a, b = "ABC".index(pair.first), "ABC".index(pair.second)
    by_hand = evalstats.paired.metric_permutation_test(
        TRUE, y_pred[:, a], y_pred[:, b], metric="f1", rng=5, n_resamples=499
    )
    assert (pair.pvalue, pair.difference) == (by_hand.pvalue, by_hand.difference)
    assert pair.difference == pytest.approx(comparison.score(pair.first) - comparison.score(pair.second), abs=1e-12)
    assert pair.low < pair.difference < pair.high


def test_macro_average_is_that_of_the_table() -> None:
    comparison = compare(answers(), metric="f1_macro", rng=0, n_resamples=99, control="C")

    for pair in comparison.pairs:
        expected = comparison.score(pair.first) - comparison.score(pair.second)
        assert pair.difference == pytest.approx(expected, abs=1e-12)


def test_file_and_predictions_give_the_same() -> None:
    assert compare(read_predictions(answers())).to_dict() == compare(answers()).to_dict()


def test_constant_difference_is_no_verdict() -> None:
    comparison = compare(fold_rows(np.stack([FOLDS[0], FOLDS[0] + 0.5])))

    assert np.isnan(comparison.pairs[0].pvalue)
    assert not comparison.different.any()
    assert "degenerate" in comparison.notes


def test_answers_without_names_of_cases_are_refused() -> None:
    rows = {name: values for name, values in answers().items() if name != "row"}

    with pytest.raises(InvalidValueError, match="add the column 'row' to the predictions"):
        compare(rows)


def test_repeats_of_one_split_need_sizes() -> None:
    rows = fold_rows(FOLDS[:, :, :1])

    with pytest.raises(InvalidValueError, match=r"pass rows_are='runs'; .* add the columns n_train and n_test"):
        compare(rows)
    assert compare(fold_rows(FOLDS[:, :, :1], n_train=90, n_test=10)).n_repeats == 10


@pytest.mark.parametrize("choice", [{"posthoc": "nemenyi"}, {"omnibus": "quade"}, {"method": "exact"}])
def test_choices_over_datasets_are_refused(choice: dict[str, str]) -> None:
    ((argument, given),) = choice.items()

    with pytest.raises(InvalidValueError, match=f"{argument} must be 'auto', not '{given}'"):
        compare(fold_rows(), **choice)


def in_folds(rows: dict[str, list[Any]], n_folds: int = 10) -> dict[str, list[Any]]:
    return {**rows, "fold": [i % n_folds for i in rows["row"]]}


@pytest.mark.parametrize("metric", ["balanced_accuracy", "mcc", "kappa", "geometric_mean", "f1_macro", "f1_weighted"])
def test_true_labels_stand_in_the_order_of_the_cases(metric: str) -> None:
    """A column of folds puts the rows, not the cases, into another order."""
    alone = compare(answers(RIGHT[:, :2]), metric=metric, rng=0, n_resamples=99)
    folds = compare(in_folds(answers(RIGHT[:, :2])), metric=metric, rng=0, n_resamples=99)

    assert folds.pairs[0].to_dict() == alone.pairs[0].to_dict()


def test_the_lower_error_rate_is_the_better_one() -> None:
    comparison = compare(answers(RIGHT[:, [0, 2]]), metric="error_rate")
    accuracy = compare(answers(RIGHT[:, [0, 2]]))

    pair = comparison.pairs[0]
    assert comparison.ranking == accuracy.ranking == ("B", "A")
    assert pair.difference == pytest.approx(comparison.score("B") - comparison.score("A"), abs=1e-15)
    assert pair.low < pair.difference < pair.high < 0
    assert "B is better than A (" in evalstats.report.text(comparison)


def test_what_is_a_mean_over_folds_is_tested_by_the_folds() -> None:
    """Both rank the cases of each fold without a fault, on other scales."""
    rows = in_folds(answers(RIGHT[:, :2]), 4)
    rows["y_score"] = [
        y + (10 * fold if name == "A" else 0)
        for y, fold, name in zip(rows["y_true"], rows["fold"], rows["classifier"], strict=True)
    ]

    comparison = compare(rows, metric="average_precision")

    assert (comparison.pair_test, comparison.score("A"), comparison.score("B")) == ("corrected_ttest", 1, 1)
    assert comparison.pairs[0].pvalue == 1.0


def test_mean_of_accuracies_over_folds_is_the_mean_that_is_tested() -> None:
    rows = in_folds(answers(RIGHT[:, :2]), 3)
    table = evalstats.read_table(rows, aggregate="mean")

    comparison = compare(table)

    assert comparison.pair_test == "corrected_ttest"
    assert comparison.pairs[0].difference == pytest.approx(abs(np.subtract(*table.scores[0])), abs=1e-12)


@pytest.mark.parametrize(
    ("metric", "aggregate", "message"),
    [
        ("f1", None, "each instance was predicted several times.*aggregate='mean'"),
        ("roc_auc", "merge", "each instance was predicted several times.*aggregate='mean'"),
    ],
)
def test_sums_over_folds_that_no_test_of_repeats_compares_are_refused(
    metric: str, aggregate: str | None, message: str
) -> None:
    once = {**in_folds(answers()), "repeat": [1] * 1200, "y_score": RNG.random(1200).tolist()}
    both = {name: values * 2 for name, values in once.items()} | {"repeat": [1] * 1200 + [2] * 1200}

    with pytest.raises(InvalidValueError, match=message):
        compare(evalstats.read_table(both, metric=metric, aggregate=aggregate))


def test_mean_precision_and_recall_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="no test compares the F of mean precision and mean recall"):
        compare(evalstats.read_table(in_folds(answers()), metric="f1", aggregate="precision_recall"))


def test_repeats_in_folds_of_unequal_size_are_scored_as_they_are_tested() -> None:
    rows = answers()
    once = {**rows, "fold": [i % 7 for i in rows["row"]], "repeat": [1] * 1200}
    again = {**once, "repeat": [2] * 1200, "y_pred": answers(RIGHT[::-1])["y_pred"]}

    comparison = compare({name: once[name] + again[name] for name in once})

    assert comparison.table.computation == "accuracy, mean over the folds; mean of 2 repeats"
    for pair in comparison.pairs:
        expected = comparison.score(pair.first) - comparison.score(pair.second)
        assert pair.difference == pytest.approx(expected, abs=1e-12)


def test_selected_classifiers_keep_their_answers() -> None:
    table = evalstats.read_table(answers())

    comparison = compare(table.select(["C", "A"]))

    assert comparison.pair_test == "mcnemar_test"
    assert comparison.pair("A", "C").pvalue == evalstats.mcnemar_test(RIGHT[:, 0], RIGHT[:, 2]).pvalue


def test_another_metric_of_a_table_of_predictions_is_computed() -> None:
    table = evalstats.read_table(answers())

    comparison = compare(table, metric="f1", n_resamples=99)

    assert comparison.table.metric == "f1"
    assert comparison.score("A") == evalstats.read_table(answers(), metric="f1").scores[0, 0]


def test_one_dataset_that_is_left_is_compared_by_its_own_cases() -> None:
    """A second dataset, on which one classifier was not tested, is left out."""
    rows = answers()
    of_a = [i for i, name in enumerate(rows["classifier"]) if name == "A"]
    rows = {name: values + [values[i] for i in of_a] for name, values in rows.items()}
    rows["dataset"] = ["d"] * 1200 + ["e"] * 400

    comparison = compare(rows, missing="drop-datasets")

    assert comparison.pair("A", "B").pvalue == compare(answers()).pair("A", "B").pvalue


def test_repeats_are_summed_up_as_the_score_is() -> None:
    """Counts of folds of unequal size are put together in each repeat, over one dataset and over several."""
    rows = in_folds(answers(), 7)
    once = {**rows, "repeat": [1] * 1200}
    again = {**rows, "repeat": [2] * 1200, "y_pred": answers(RIGHT[::-1])["y_pred"]}
    one = {name: once[name] + again[name] for name in once}
    several = {name: values * 3 for name, values in one.items()}
    several["dataset"] = ["d"] * 2400 + ["e"] * 2400 + ["f"] * 2400

    table = evalstats.read_table(several)
    pooled = [run.scores for run in table.runs]

    np.testing.assert_allclose([run.mean(axis=0) for run in pooled], table.scores, rtol=1e-12)
    np.testing.assert_allclose(pooled[0][0], RIGHT.mean(axis=0), rtol=1e-12)
    comparison = compare(table)
    by_hand = evalstats.reproducibility.pvalues_over_runs(np.stack(pooled, axis=1), rng=0)
    assert comparison.pvalues_over_runs.pvalues.tolist() == by_hand.pvalues.tolist()
    report = evalstats.analyze_runs(several)
    assert report.pvalues.pvalues.tolist() == by_hand.pvalues.tolist()
