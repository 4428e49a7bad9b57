"""The ranking of a comparison as a table: best first, as the report shows it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from repetitions import repetitions

from evalstats import compare, example_table, report

LIMITS = ["rank_lower", "rank_upper"]


def test_table_of_the_ranking() -> None:
    comparison = compare(example_table("demsar-2006"), alpha=0.10)
    frame = comparison.ranks.to_frame()

    assert list(frame.columns) == ["classifier", "mean_rank", "mean_score", "median_score", "letters", *LIMITS]
    assert list(frame["classifier"]) == list(comparison.ranking)
    assert list(frame["mean_rank"]) == [comparison.mean_rank(name) for name in comparison.ranking]
    assert list(frame["letters"]) == ["a", "ab", "bc", "c"]
    scores = comparison.table.scores[:, comparison.table.position("C4.5+m+cf")]
    assert frame["mean_score"][0] == pytest.approx(scores.mean())
    assert frame["median_score"][0] == np.median(scores)


def test_no_letters_where_nothing_is_concluded() -> None:
    by_ranks = compare(example_table("demsar-2006"), posthoc="nemenyi", alpha=0.001)
    assert "letters" not in by_ranks.ranks.to_columns()
    assert "letters" not in compare(example_table("demsar-2006"), control="C4.5").ranks.to_columns()


@pytest.mark.parametrize("adjust", ["holm", "bonferroni"])
def test_confidence_sets_have_the_ranks_that_the_decisions_on_pairs_allow(adjust: str) -> None:
    """A is better than C and D, B is better than D, and no other pair differs significantly."""
    shifts = np.array([0.3, 0.2, 0.1, 0.0])
    scores = np.random.default_rng(4).normal(shifts, 0.1, size=(12, 4))
    comparison = compare(
        {"dataset": list(range(12)), **dict(zip("DABC", scores[:, [3, 0, 1, 2]].T, strict=True))}, adjust=adjust
    )
    ranks = comparison.ranks
    shown = {(pair.first, pair.second) for pair in comparison.pairs if pair.different}

    assert shown == {("A", "C"), ("A", "D"), ("B", "D")}
    assert dict(zip(ranks.classifiers, zip(ranks.rank_lower, ranks.rank_upper, strict=True), strict=True)) == {
        "A": (1, 2), "B": (1, 3), "C": (2, 4), "D": (3, 4)
    }  # fmt: skip


@pytest.mark.parametrize("choices", [{"posthoc": "nemenyi"}, {"adjust": "bh"}, {"adjust": "none"}, {"control": "C4.5"}])
def test_no_confidence_sets_without_control_of_every_wrong_decision(choices: dict) -> None:
    comparison = compare(example_table("demsar-2006"), **choices)

    assert (comparison.ranks.rank_lower, comparison.ranks.rank_upper) == ((), ())
    told = report.text(compare(example_table("demsar-2006"), stability=True, n_resamples=20, **choices))
    assert "There are no confidence sets for the ranks" in told.replace("\n", " ")


def test_confidence_sets_are_in_the_section_of_the_stability() -> None:
    told = report.text(compare(example_table("demsar-2006"), stability=True, n_resamples=20))

    assert re.search(r"C4.5\+m +1 to 3\n", told)
    assert "Confidence sets of the ranks" in told


@pytest.mark.long
def test_confidence_sets_contain_all_true_ranks_with_their_level() -> None:
    """Two groups of equal classifiers: the smallest true rank of a group is 1 plus the number of better classifiers."""
    rng, shifts = np.random.default_rng(1), np.array([1.0, 1.0, 0.0, 0.0, 0.0])
    covered, n = 0, repetitions(400)
    for _ in range(n):
        scores = rng.normal(shifts, 1.0, size=(12, 5)) + rng.normal(size=(12, 1))
        ranks = compare({"dataset": list(range(12)), **dict(zip("ABCDE", scores.T, strict=True))}).ranks
        limits = dict(zip(ranks.classifiers, zip(ranks.rank_lower, ranks.rank_upper, strict=True), strict=True))
        covered += all(limits[name][0] == 1 and limits[name][1] >= 2 for name in "AB") and all(
            limits[name][0] <= 3 and limits[name][1] == 5 for name in "CDE"
        )

    assert covered / n >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / n)


def test_one_dataset_has_scores_and_no_mean_ranks() -> None:
    folds = {"dataset": ["d"] * 20, "classifier": ["a"] * 10 + ["b"] * 10, "fold": [*range(10)] * 2}
    comparison = compare(folds | {"accuracy": [0.5 + i / 30 + i % 3 / 100 for i in range(20)]})

    assert comparison.ranks.mean_ranks is None
    assert comparison.ranks.classifiers == ("b", "a")


def test_verdict_is_the_text_of_a_comparison() -> None:
    comparison = compare(example_table("demsar-2006"))

    assert str(comparison) == comparison.verdict == report.sentence(comparison)
    assert comparison.verdict in " ".join(report.text(comparison).split())
