"""Label variation: a worked case, the definition, all splits into halves, and what is refused."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from evalstats import report
from evalstats._errors import EvalstatsError
from evalstats.agreement import label_variation
from evalstats.agreement import variation as module

LABELS = [list("aaab"), list("aabb"), list("bbbb"), list("abbb")]
JUDGE = list("abba")
RNG = np.random.default_rng(4)
RATED = RNG.integers(0, 3, (40, 5))
JUDGED = RNG.integers(0, 3, 40)
DISTANCES = {
    "total-variation": lambda p, q: sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2,
    "jensen-shannon": lambda p, q: jensenshannon(p, q, base=2),
}


def proportions(labels: list[int]) -> list[float]:
    return [labels.count(c) / len(labels) for c in range(3)]


def by_definition(rated: list[list[int]], judged: list[int], distance: str) -> dict[str, float]:
    """Loop over instances, annotators and all splits into halves."""
    found: dict[str, list[float]] = {"judge": [], "annotators": [], "distance": [], "halves": []}
    measure = DISTANCES[distance]
    for labels, own in zip(rated, judged, strict=True):
        m = len(labels)
        found["judge"].append(np.mean([own == label for label in labels]))
        found["annotators"].append(np.mean([a == b for a, b in itertools.permutations(labels, 2)]))
        found["distance"].append(measure(proportions(labels), proportions([own])))
        halves = []
        for first in itertools.combinations(range(m), m // 2):
            one = [labels[j] for j in first]
            other = [labels[j] for j in range(m) if j not in first]
            halves.append(measure(proportions(one), proportions(other)))
        found["halves"].append(np.mean(halves))
    return {name: float(np.mean(values)) for name, values in found.items()}


def test_worked_instances() -> None:
    """Agreements of the judge 3/4, 1/2, 1, 1/4; of two annotators 1/2, 1/3, 1, 1/2; halves 1/2, 1/3, 0, 1/2."""
    result = label_variation(LABELS, JUDGE)

    assert result.judge_agreement == pytest.approx(10 / 16)
    assert result.annotator_agreement == pytest.approx(7 / 12)
    assert result.difference == pytest.approx(10 / 16 - 7 / 12)
    assert result.distance == pytest.approx(6 / 16)
    assert result.split_half_distance == pytest.approx(1 / 3)
    assert (result.n_instances, result.n_left_out, result.n_labels, result.reason) == (4, 0, 16, None)


@pytest.mark.parametrize("distance", DISTANCES)
def test_means_are_those_of_the_definition(distance: str) -> None:
    """Five annotators are split into two and three."""
    result = label_variation(RATED, JUDGED, distance=distance)
    expected = by_definition(RATED.tolist(), JUDGED.tolist(), distance)

    assert result.judge_agreement == pytest.approx(expected["judge"], rel=1e-12)
    assert result.annotator_agreement == pytest.approx(expected["annotators"], rel=1e-12)
    assert result.distance == pytest.approx(expected["distance"], rel=1e-12)
    assert result.split_half_distance == pytest.approx(expected["halves"], rel=1e-12)


@pytest.mark.parametrize("distance", DISTANCES)
def test_distance_of_proportions_of_a_judge(distance: str) -> None:
    """The judge gave several labels to each instance; scipy's distance is the second source."""
    counts = RNG.multinomial(6, [0.5, 0.3, 0.2], 30)
    judge = RNG.dirichlet([1, 1, 1], 30)
    result = label_variation(counts=counts, judge_counts=7 * judge, distance=distance)

    expected = [DISTANCES[distance](p / p.sum(), q) for p, q in zip(counts, judge, strict=True)]
    assert result.distance == pytest.approx(np.mean(expected), rel=1e-10)
    assert result.judge_agreement == pytest.approx((counts / 6 * judge).sum(axis=1).mean(), rel=1e-12)


def test_counts_and_labels_and_dicts_agree() -> None:
    counts = np.stack([(c == RATED).sum(axis=1) for c in range(3)], axis=1)
    people = {f"p{j}": {i: int(RATED[i, j]) for i in range(40)} for j in range(5)}
    results = (
        label_variation(RATED, JUDGED),
        label_variation(counts=counts, judge_counts=np.eye(3)[JUDGED]),
        label_variation(people, {i: int(label) for i, label in enumerate(JUDGED)}),
    )

    assert len({str(one) for one in results}) == 1


def test_missing_labels_are_left_out() -> None:
    labels = [["a", "b", None], ["a", None, None], ["b", "b", "b"], ["a", "a", "b"]]
    result = label_variation(labels, ["a", "a", "b", None])

    assert (result.n_instances, result.n_left_out, result.n_labels) == (2, 1, 5)
    assert result.judge_agreement == pytest.approx(0.75)
    assert result.annotator_agreement == pytest.approx(0.5)


def test_order_and_names_do_not_matter() -> None:
    order, rng = RNG.permutation(40), np.random.default_rng(2)
    renamed = np.array(["z", "y", "x"])
    here = label_variation(RATED, JUDGED, distance="jensen-shannon")
    there = label_variation(
        renamed[rng.permuted(RATED, axis=1)][order], renamed[JUDGED][order], distance="jensen-shannon"
    )

    for name in module.QUANTITIES:
        assert getattr(there, name) == pytest.approx(getattr(here, name), rel=1e-12)
        assert tuple(there.confidence_interval(of=name, rng=5)) == pytest.approx(
            tuple(here.confidence_interval(of=name, rng=5)), abs=1e-12
        )


def test_random_splits_are_near_all_splits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A standard deviation below .15 of a split gives a standard error below .004 of 2,000 splits."""
    counts = np.array([9, 7, 4])
    every = module._halves(counts, "jensen-shannon")
    monkeypatch.setattr(module, "MOST_SPLITS", 1)

    assert module._halves(counts, "jensen-shannon") == pytest.approx(every, abs=0.015)


def test_interval_is_that_of_resampled_instances() -> None:
    """Quantiles of means of instances that are drawn one by one; five standard errors of a quantile are below .01."""
    result = label_variation(RATED, JUDGED)
    drawn = result._values[RNG.integers(0, 40, (20_000, 40)), 0].mean(axis=1)
    low, high = result.confidence_interval(0.9, n_resamples=20_000)

    assert (low, high) == pytest.approx(tuple(np.quantile(drawn, [0.05, 0.95])), abs=0.01)
    assert low < result.difference < high


def test_judge_like_an_annotator_has_no_difference() -> None:
    """Also with few annotators, while its distance is far from 0: the halves differ too."""
    p = RNG.dirichlet([1, 1, 1], 20_000)
    result = label_variation(counts=RNG.multinomial(4, p), judge_counts=RNG.multinomial(2, p))

    assert result.difference == pytest.approx(0, abs=0.01)
    assert result.split_half_distance > 0.3
    assert result.distance > 0.3


def test_complete_agreement_and_one_instance() -> None:
    same = label_variation([["a"] * 3] * 5, ["a"] * 5)
    one = label_variation([["a", "b"]], ["a"])

    assert (same.judge_agreement, same.difference, same.distance, same.split_half_distance) == (1, 0, 0, 0)
    assert tuple(same.confidence_interval()) == (0, 0)
    assert "only one instance" in one.reason
    assert math.isnan(one.confidence_interval().low)
    assert "undefined" in report.text(one)
    assert (one.judge_agreement, one.annotator_agreement, one.split_half_distance) == (0.5, 0, 1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "needs annotators and judge, or counts and judge_counts"),
        (
            {"annotators": RATED, "judge": JUDGED, "counts": [[1, 2]]},
            "must be passed together, without annotators and judge",
        ),
        ({"counts": [[1, 2]]}, "must be passed together, without annotators and judge"),
        ({"counts": [[1, 2]], "judge_counts": [[1, 2, 3]]}, r"the same shape \(n_instances, n_labels\)"),
        ({"counts": [[1, 2]], "judge_counts": [[0, 0]]}, "every row must have a positive sum"),
        ({"counts": [[1, 2]], "judge_counts": [[-1, 2]]}, "judge_counts must be nonnegative"),
        (
            {"counts": [[1, 0]], "judge_counts": [[1, 0]]},
            "at least one instance must have labels of two or more annotators",
        ),
        ({"counts": [[1.5, 1]], "judge_counts": [[1, 0]]}, "counts must hold whole numbers"),
        ({"annotators": RATED, "judge": JUDGED[:-1]}, "one label for each of the 40 instances"),
        ({"annotators": np.arange(3000).reshape(-1, 2), "judge": range(1500)}, "at most 1,000 different labels"),
        ({"annotators": RATED, "judge": JUDGED, "distance": "js"}, "distance must be 'total-variation' or"),
    ],
)
def test_bad_input_is_named(given: dict, message: str) -> None:
    with pytest.raises(EvalstatsError, match=message):
        label_variation(**given)
