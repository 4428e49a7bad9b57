"""What a comparison on one dataset says of two classifiers is what their scores say, however the table was laid out.

Each comparison is generated from its number. EVALSTATS_TRIALS=20000 is a run of hours.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from repetitions import repetitions

import evalstats
from evalstats import Comparison, EvalstatsError, compare, metrics, read_table, report
from evalstats.tables.prediction_scores import AGGREGATES, AVERAGES, NEED_A_NUMBER, POOLED

METRICS = [
    name + suffix
    for name, record in metrics.METRICS.items()
    if name not in NEED_A_NUMBER
    for suffix in ("", *(f"_{a}" for a in AVERAGES if getattr(record, "average", None) == "chosen"))
]
N = repetitions(1000)
AGAIN = repetitions(1000, short=2 * len(METRICS))  # so many of them are compared once more
RESAMPLES = 49
Rows = dict[str, list[Any]]


class Generated:
    """A table of predictions, and the choices with which it is compared."""

    def __init__(self, number: int) -> None:
        rng = np.random.default_rng([3, number])
        self.metric = METRICS[number % len(METRICS)]
        base = next(name for name in sorted(metrics.METRICS, key=len, reverse=True) if self.metric.startswith(name))
        self.record = metrics.METRICS[base]
        known = AGGREGATES.get(self.metric) or AGGREGATES.get(self.record.needs) or POOLED
        self.aggregate = rng.choice([None, *known])
        self.undefined = rng.choice(["raise", "zero", "zero"])
        k, n_labels = int(rng.integers(2, 5)), int(rng.choice([2, 2, 3, 4]))
        n, n_folds = int(rng.integers(12, 50)), int(rng.choice([1, 2, 3, 5]))
        n_repeats = int(rng.choice([1, 1, 1, 2]))
        self.has_rows = rng.random() < 0.95
        labels = [["no", "yes", "maybe", "x"], [0, 1, 2, 3], [-1, 1, 5, 7]][rng.integers(3)][:n_labels]
        self.pos_label = labels[rng.integers(n_labels)] if n_labels > 2 or rng.random() < 0.5 else None
        self.names = ["".join(name) for name in rng.permutation(["NB", "SVM", "tree", "1NN"])[:k]]
        self.truth = rng.permutation(np.resize(np.arange(n_labels), n))
        skill = rng.uniform(0.4, 0.95, k)
        self.rows: Rows = {name: [] for name in ("dataset", "classifier", "y_true", "y_pred", "y_score")}
        self.rows |= {"row": []} if self.has_rows else {}
        self.rows |= {"fold": []} if n_folds > 1 else {}
        self.rows |= {"repeat": []} if n_repeats > 1 else {}
        positive = labels.index(self.pos_label) if self.pos_label is not None else n_labels - 1
        for repeat in range(n_repeats):
            fold = rng.integers(0, n_folds, n) if rng.random() < 0.7 else np.resize(np.arange(n_folds), n)
            for c, name in enumerate(self.names):
                guess = np.where(rng.random(n) < skill[c], self.truth, rng.integers(0, n_labels, n))
                score = np.clip(0.3 * (self.truth == positive) + rng.random(n).round(1) * 0.7, 0, 1)
                columns = {"dataset": ["d"] * n, "classifier": [name] * n, "row": list(range(n))}
                columns |= {"fold": fold.tolist(), "repeat": [repeat] * n, "y_score": score.tolist()}
                columns |= {"y_true": [labels[i] for i in self.truth], "y_pred": [labels[i] for i in guess]}
                for column in self.rows:
                    self.rows[column] += columns[column]
        self.rng = rng

    def table(self, rows: Rows | None = None, metric: str | None = None) -> Any:
        chosen = {"aggregate": self.aggregate, "undefined": self.undefined, "pos_label": self.pos_label}
        return read_table(rows or self.rows, metric=metric or self.metric, **chosen)

    def compared(self, rows: Rows | None = None, metric: str | None = None) -> Comparison:
        result = compare(self.table(rows, metric), n_resamples=RESAMPLES, rng=0)
        assert isinstance(result, Comparison)
        return result

    def shuffled(self) -> Rows:
        order = self.rng.permutation(len(self.rows["dataset"])).tolist()
        return {name: [values[i] for i in order] for name, values in self.rows.items()}

    def cases(self, name: str, column: str) -> np.ndarray:
        """Return what stands in a column for a classifier, in the order of the cases, without help of the library."""
        own = [i for i, other in enumerate(self.rows["classifier"]) if other == name]
        return np.array([self.rows[column][i] for i in sorted(own, key=lambda i: self.rows["row"][i])])


def answered(n: int = N) -> list[int]:
    return [i for i in range(n) if isinstance(outcome(i), Comparison)]


_OUTCOMES: dict[int, Comparison | str] = {}


def outcome(number: int) -> Comparison | str:
    """Return the comparison, or why there is none."""
    if number not in _OUTCOMES:
        try:
            _OUTCOMES[number] = Generated(number).compared()
        except EvalstatsError as error:
            _OUTCOMES[number] = str(error)
    return _OUTCOMES[number]


def direction(comparison: Comparison) -> int:
    return 1 if comparison.table.greater_is_better else -1


def test_most_are_answered_and_the_others_refused_for_known_reasons() -> None:
    reasons = Counter(
        next((reason for reason in REASONS if re.search(reason, str(outcome(i)))), str(outcome(i)))
        for i in range(N)
        if isinstance(outcome(i), str)
    )

    assert set(reasons) <= set(REASONS)
    assert len(answered()) > 0.4 * N


REASONS = (
    "is undefined",
    "add the column 'row' to the predictions",
    "of at least one fold is undefined",
    "the scores of the folds are compared: read the predictions with",
    "no test compares the F of mean precision and mean recall",
    "counts of the true labels",  # without a column row, folds that do not match
    "repeats of one split each",
    "each repeat of dataset",
    "must be tested on the same cases",
)


def test_difference_is_that_of_the_scores() -> None:
    wrong = [
        (i, pair.first, pair.second)
        for i in answered()
        for pair in comparison_of(i).pairs
        if not math.isclose(
            pair.difference,
            comparison_of(i).score(pair.first) - comparison_of(i).score(pair.second),
            rel_tol=1e-9,
            abs_tol=1e-11,
        )
    ]

    assert wrong == []


def test_interval_contains_the_difference() -> None:
    wrong = [
        (i, pair.low, pair.difference, pair.high)
        for i in answered()
        for pair in comparison_of(i).pairs
        if not math.isnan(pair.low) and not pair.low - 1e-12 <= pair.difference <= pair.high + 1e-12
    ]

    assert wrong == []


def test_ranking_is_that_of_the_scores_and_of_the_differences() -> None:
    for i in answered():
        comparison = comparison_of(i)
        scores = [direction(comparison) * comparison.score(name) for name in comparison.ranking]

        assert all(a >= b - 1e-12 for a, b in itertools.pairwise(scores)), i
        assert all(direction(comparison) * pair.difference >= -1e-12 for pair in comparison.pairs), i


@pytest.mark.sampled
@pytest.mark.parametrize("written", [report.text, report.markdown, report.latex, report.html, report.json])
def test_sentence_names_the_better_one(written: Any) -> None:
    for i in answered():
        comparison = comparison_of(i)
        words = written(comparison).replace("\n", " ")
        for better, worse in itertools.permutations(comparison.ranking, 2):
            said = re.search(rf"\b{better} is better than (?:the control, )?{worse}\b", words)
            if said:
                assert comparison.pair(better, worse).different, i
                assert direction(comparison) * (comparison.score(better) - comparison.score(worse)) > 0, i


def test_order_of_the_rows_changes_nothing() -> None:
    for i in answered(AGAIN):
        again = Generated(i).compared(Generated(i).shuffled())
        np.testing.assert_equal(again.to_dict(), comparison_of(i).to_dict(), err_msg=str(i))


def test_columns_that_the_metric_does_not_need_change_nothing() -> None:
    """Labels need no scores, rankings no labels; the folds do not matter where all cases are scored together."""
    for i in answered(AGAIN):
        generated, comparison = Generated(i), comparison_of(i)
        needless = {"y_score"} if generated.record.needs == "labels" else {"y_pred"}
        if comparison.design == "instances" and comparison.table._scored.aggregate != "mean":
            needless |= {"fold"}
        if generated.record.needs != "labels" and generated.pos_label is None:
            needless -= {"y_pred"}  # the labels tell which is positive
        fewer = {name: values for name, values in generated.rows.items() if name not in needless}
        if generated.aggregate is not None and "fold" in needless:
            generated.aggregate = None

        for pair, other in zip(generated.compared(fewer).pairs, comparison.pairs, strict=True):
            here, there = pair.to_dict(), other.to_dict()
            if not generated.has_rows:  # cases without names stand in the order of their folds, and sums follow it
                for name in ("statistic", "pvalue", "unadjusted_pvalue", "difference", "low", "high"):
                    np.testing.assert_allclose(here.pop(name), there.pop(name), rtol=1e-12, err_msg=str(i))
            np.testing.assert_equal(here, there, err_msg=str(i))


def test_error_rate_mirrors_accuracy() -> None:
    seen = 0
    for i in range(AGAIN):
        generated = Generated(i)
        generated.aggregate = None if generated.aggregate in ("tp_fp", "precision_recall", "merge") else "pooled"
        try:
            accuracy, error = (generated.compared(metric=name) for name in ("accuracy", "error_rate"))
        except EvalstatsError:
            continue
        seen += 1
        assert accuracy.ranking == error.ranking
        for right, wrong in zip(accuracy.pairs, error.pairs, strict=True):
            assert (right.first, right.second) == (wrong.first, wrong.second)
            assert (right.n_wins, right.n_ties, right.n_losses) == (wrong.n_wins, wrong.n_ties, wrong.n_losses)
            mirrored = [right.pvalue, right.unadjusted_pvalue, -right.difference, -right.high, -right.low]
            found = [wrong.pvalue, wrong.unadjusted_pvalue, wrong.difference, wrong.low, wrong.high]
            np.testing.assert_allclose(mirrored, found, rtol=1e-9, atol=1e-12, err_msg=str(i))
        assert accuracy.different.tolist() == error.different.tolist()
    assert seen > 0.4 * AGAIN


def test_pvalue_is_that_of_the_function_called_by_hand() -> None:
    seen: Counter[str] = Counter()
    for i in answered():
        generated, comparison = Generated(i), comparison_of(i)
        if comparison.design == "folds":
            continue
        for pair in comparison.pairs:
            by_hand = CALLED_BY_HAND[comparison.pair_test](generated, pair.first, pair.second)
            assert pair.unadjusted_pvalue == pytest.approx(by_hand, rel=1e-12, nan_ok=True), (i, pair)
        seen[comparison.pair_test] += 1

    assert set(seen) == set(CALLED_BY_HAND)


def _positive(generated: Generated) -> Any:
    if generated.pos_label is not None:
        return generated.pos_label
    labels = set(generated.rows["y_true"]) | set(generated.rows["y_pred"])
    return 1 if 1 in labels else max(labels)


def _mcnemar(generated: Generated, first: str, second: str) -> float:
    x, y = (generated.cases(name, "y_pred") == generated.cases(name, "y_true") for name in (first, second))
    return evalstats.mcnemar_test(x, y).pvalue


def _delong(generated: Generated, first: str, second: str) -> float:
    positive = generated.cases(first, "y_true") == _positive(generated)
    df = "adjusted" if min(positive.sum(), (~positive).sum()) < 500 else "infinite"
    scores = (generated.cases(name, "y_score") for name in (first, second))
    return evalstats.delong_test(positive, *scores, df=df).pvalue


def _permutation(generated: Generated, first: str, second: str) -> float:
    base = next(name for name, record in metrics.METRICS.items() if record is generated.record)
    average = generated.metric.removeprefix(base).lstrip("_")
    needs_positive = generated.record.needs != "labels" or (not average and hasattr(generated.record, "average"))
    needs_positive &= generated.record.needs != "labels" or generated.record.average == "chosen"
    column = "y_pred" if generated.record.needs == "labels" else "y_score"
    true, x, y = generated.cases(first, "y_true"), generated.cases(first, column), generated.cases(second, column)
    choices = {"average": average} if average else {}
    if needs_positive:
        true = (true == _positive(generated)).astype(int)
        choices = {"pos_label": 1}
        if column == "y_pred":
            x, y = ((labels == _positive(generated)).astype(int) for labels in (x, y))
    run = {
        **choices,
        "n_resamples": RESAMPLES,
        "rng": 0,
        "undefined": "zero" if generated.undefined == "zero" else "nan",
    }
    return evalstats.paired.metric_permutation_test(true, x, y, metric=base, **run).pvalue


CALLED_BY_HAND = {
    "mcnemar_test": _mcnemar,
    "delong_test": _delong,
    "metric_permutation_test": _permutation,
}


@pytest.mark.parametrize("layout", ["wide", "long"])
@pytest.mark.parametrize("metric", ["accuracy", "error"])
def test_scores_of_folds(layout: str, metric: str) -> None:
    """The same of tables of fold scores: some scores are equal, some classifiers are, and rows stand in any order."""
    for number in range(max(10, N // 20)):
        rng = np.random.default_rng([5, number])
        k, n_repeats, n_folds = int(rng.integers(2, 5)), int(rng.integers(1, 4)), int(rng.integers(3, 11))
        scores = rng.integers(60, 100, (n_repeats, n_folds, k)) / rng.choice([100, 97, 120])
        scores[..., -1] = scores[..., 0] if rng.random() < 0.1 else scores[..., -1]
        names = ["NB", "SVM", "tree", "1NN"][:k]
        at = list(np.ndindex(n_repeats, n_folds))
        if layout == "wide":
            at = [at[i] for i in rng.permutation(len(at))]
            rows: Rows = {"repeat": [r for r, _ in at], "fold": [f for _, f in at]}
            rows |= {name: [scores[r, f, c] for r, f in at] for c, name in enumerate(names)}
            comparison = compare(rows, metric=metric)
        else:
            every = [(r, f, c) for r, f in at for c in range(k)]
            every = [every[i] for i in rng.permutation(len(every))]
            rows = {"dataset": ["d"] * len(every), "classifier": [names[c] for _, _, c in every]}
            rows |= {"repeat": [r for r, _, _ in every], "fold": [f for _, f, _ in every]}
            comparison = compare({**rows, metric: [scores[at] for at in every]})
        for pair in comparison.pairs:
            x, y = (scores[..., names.index(name)].ravel() for name in (pair.first, pair.second))
            assert pair.difference == pytest.approx(
                comparison.score(pair.first) - comparison.score(pair.second), abs=1e-12
            )
            assert pair.difference == pytest.approx(x.mean() - y.mean(), abs=1e-12)
            assert direction(comparison) * pair.difference >= -1e-12
            by_hand = evalstats.corrected_ttest(x, y, n_train=n_folds - 1, n_test=1)
            assert pair.unadjusted_pvalue == pytest.approx(by_hand.pvalue, rel=1e-9, nan_ok=True)
            low, high = by_hand.confidence_interval()
            np.testing.assert_allclose([pair.low, pair.high], [low, high], rtol=1e-9, atol=1e-12)
            better = [pair.n_wins, pair.n_losses][:: direction(comparison)]
            assert better == [int((x > y).sum()), int((x < y).sum())]


def comparison_of(number: int) -> Comparison:
    found = outcome(number)
    assert isinstance(found, Comparison)
    return found
