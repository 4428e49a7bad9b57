"""Beside the test stand the probabilities of the Bayesian test of each pair, computed when they are shown."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import evalstats
from evalstats import (
    InvalidTypeError,
    InvalidValueError,
    bayes_correlated_ttest,
    bayes_signed_rank_test,
    compare,
    example_table,
)
from evalstats.bayes import bayes_accuracy_test, bayes_sign_test

TABLE = example_table("demsar-2006")


def scores_of(table, *names):
    return [table.scores[:, table.position(name)] for name in names]


def folds(n_classifiers: int = 3) -> pd.DataFrame:
    """Return the scores of ten folds of one dataset."""
    rng = np.random.default_rng(1)
    scores = 0.8 + 0.05 * rng.random((10, 1)) + 0.02 * rng.random((10, n_classifiers)) + 0.03 * np.arange(n_classifiers)
    return pd.DataFrame(scores, columns=list("ABCDE")[:n_classifiers], index=pd.RangeIndex(1, 11, name="fold"))


@pytest.mark.parametrize(
    ("choices", "test", "ask"),
    [
        ({}, "signed-rank", bayes_signed_rank_test),
        ({"posthoc": "wilcoxon"}, "signed-rank", bayes_signed_rank_test),
        ({"posthoc": "sign"}, "sign", bayes_sign_test),
        ({"control": "C4.5+cf"}, "signed-rank", bayes_signed_rank_test),
    ],
)
def test_every_pair_has_the_numbers_of_its_bayesian_test(choices, test, ask) -> None:
    found = compare(TABLE, rope=0.01, rng=3, **choices)

    assert (found.posteriors.test, found.posteriors.rope, found.posteriors.seed) == (test, 0.01, 3)
    assert [(p.first, p.second) for p in found.posteriors.pairs] == [(p.first, p.second) for p in found.pairs]
    for pair in found.posteriors.pairs:
        alone = ask(*scores_of(TABLE, pair.first, pair.second), rope=0.01, rng=3)
        assert (pair.p_better, pair.p_equivalent, pair.p_worse) == pytest.approx(
            (alone.p_greater, alone.p_rope, alone.p_less), abs=1e-12
        )
        assert pair.outcome == {None: "undecided", "x": "better", "y": "worse", "rope": "equivalent"}[alone.decision()]


def test_smaller_scores_may_be_better() -> None:
    """Losses are mirrored: who is better stays the same."""
    losses = evalstats.read_table(pd.DataFrame(1 - TABLE.scores, columns=TABLE.classifiers), greater_is_better=False)
    one, other = compare(TABLE, rope=0.01).posteriors, compare(losses, rope=0.01).posteriors

    for gain, loss in zip(one.pairs, other.pairs, strict=True):
        assert (gain.first, gain.second, gain.outcome) == (loss.first, loss.second, loss.outcome)
        assert gain.p_better == pytest.approx(loss.p_better, abs=0.01)


def test_folds_of_one_dataset_are_compared_by_the_correlated_t_test() -> None:
    table = folds()
    found = compare(table, rope=0.01, rows_are="datasets")

    assert (found.posteriors.test, found.posteriors.seed, found.posteriors.n_simulations) == (
        "correlated-t",
        None,
        None,
    )
    for pair in found.posteriors.pairs:
        alone = bayes_correlated_ttest(table[pair.first], table[pair.second], n_train=9, n_test=1, rope=0.01)
        assert pair.p_better == pytest.approx(alone.p_greater, rel=1e-12)


def test_missing_scores_are_compared_on_common_datasets() -> None:
    scores = TABLE.scores.copy()
    scores[0, 0] = scores[3, 2] = np.nan
    frame = pd.DataFrame(scores, columns=TABLE.classifiers, index=TABLE.datasets)
    found = compare(frame, missing="skillings-mack", rope=0.01)

    for pair in found.posteriors.pairs:
        x, y = frame[[pair.first, pair.second]].dropna().to_numpy().T
        assert pair.p_better == pytest.approx(bayes_signed_rank_test(x, y, rope=0.01).p_greater, abs=1e-12)


def test_two_classifiers_and_equal_ones() -> None:
    frame = pd.DataFrame({"a": [0.5, 0.6, 0.7, 0.8], "b": [0.5, 0.6, 0.7, 0.8]})
    (pair,) = compare(frame, rope=0.01).posteriors.pairs

    assert pair.outcome == "equivalent"
    assert pair.p_equivalent == 1
    assert pair.reason == "x and y are equal in every pair"


def test_many_pairs_are_bounded_and_nothing_is_computed_before_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """30 classifiers have 435 pairs; the 300 with the smallest p-values are shown, in the order of the comparison."""
    monkeypatch.setattr("evalstats.comparison.optional_analyses.MOST_PAIRS", 5)
    frame = pd.DataFrame(np.random.default_rng(0).random((8, 6)), columns=list("ABCDEF"))
    found = compare(frame, rope=0.1)

    assert "pairs" not in vars(found.posteriors)
    assert found.posteriors.n_pairs == 15
    wanted = [(pair.first, pair.second) for pair in found.pairs_with_smallest_pvalues(5)]
    assert [(pair.first, pair.second) for pair in found.posteriors.pairs] == wanted


def test_answers_can_be_asked_for() -> None:
    posteriors = compare(TABLE, rope=0.01, control="C4.5").posteriors

    assert posteriors.classifiers("better") == (("C4.5+m+cf", "C4.5"),)
    assert posteriors.to_frame()["outcome"].tolist() == ["better", "undecided", "undecided"]
    with pytest.raises(InvalidValueError, match="outcome must be 'better' or 'equivalent'"):
        posteriors.classifiers("best")


def test_without_a_rope_there_is_nothing() -> None:
    assert compare(TABLE).posteriors is None


@pytest.mark.parametrize(
    ("rope", "error", "message"),
    [
        (-0.01, InvalidValueError, "rope must be nonnegative, not -0.01"),
        (1, InvalidValueError, "rope must be below 1 if the scores lie between 0 and 1, not 1; if 1 means percentage"),
        (float("nan"), InvalidValueError, "rope must be finite"),
        ("0.01", InvalidTypeError, "rope must be a number, not '0.01'"),
        (True, InvalidTypeError, "rope must be a number, not True"),
    ],
)
def test_ropes_that_are_refused(rope, error, message) -> None:
    with pytest.raises(error, match=message):
        compare(TABLE, rope=rope)


def predictions(n_instances: int = 60) -> pd.DataFrame:
    """Return the answers of three classifiers to the cases of one test set, more and more of them wrong."""
    rng = np.random.default_rng(8)
    y_true = rng.integers(0, 2, n_instances)
    rows = {"classifier": [], "case": [], "y_true": [], "y_pred": [], "y_score": []}
    for name, share in (("A", 0.05), ("B", 0.15), ("C", 0.4)):
        y_pred = np.where(rng.random(n_instances) < share, 1 - y_true, y_true)
        rows["classifier"] += [name] * n_instances
        rows["case"] += range(n_instances)
        rows["y_true"] += y_true.tolist()
        rows["y_pred"] += y_pred.tolist()
        rows["y_score"] += (0.8 * y_pred + 0.2 * rng.random(n_instances)).tolist()
    return pd.DataFrame(rows)


@pytest.mark.parametrize("choices", [{}, {"metric": "error_rate"}, {"control": "B"}])
def test_cases_of_one_test_set_are_compared_by_their_accuracies(choices) -> None:
    frame = predictions()
    right = {name: (rows.y_true == rows.y_pred).to_numpy() for name, rows in frame.groupby("classifier")}
    found = compare(frame, rope=0.05, **choices).posteriors

    assert (found.test, found.seed, found.n_simulations) == ("accuracy", None, None)
    for pair in found.pairs:
        alone = bayes_accuracy_test(right[pair.first], right[pair.second], rope=0.05)
        assert (pair.p_better, pair.p_equivalent, pair.p_worse) == pytest.approx(
            (alone.p_greater, alone.p_rope, alone.p_less), rel=1e-12
        )
        assert pair.outcome == {None: "undecided", "x": "better", "y": "worse", "rope": "equivalent"}[alone.decision()]
    assert found.classifiers("better")


@pytest.mark.parametrize("metric", ["roc_auc", "f1"])
def test_other_metrics_of_cases_have_no_rope(metric) -> None:
    with pytest.raises(InvalidValueError, match=f"rope requires accuracy or error rate .*, not '{metric}'; to test"):
        compare(predictions(), metric=metric, pos_label=1, rope=0.01)
