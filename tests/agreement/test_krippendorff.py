from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.agreement import krippendorff, krippendorff_alpha

LEVELS = ["nominal", "ordinal", "interval"]

NA = None
# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section C: four observers, twelve units
OBSERVERS = [
    [1, 1, NA, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NA, 5, 5, 5], [NA, NA, 1, 1], [NA, 3, NA, NA],
]  # fmt: skip
ALPHA = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849}
# by irrCAC::krippen.alpha.raw: alpha, observed and chance agreement
IRRCAC = (0.74342, 0.805, 0.24)

gaps = st.lists(st.lists(st.sampled_from([0, 1, 2, 5, None]), min_size=3, max_size=3), min_size=2, max_size=10)


def pairable(ratings: list[list[Any]]) -> list[list[Any]]:
    units = [[value for value in unit if value is not None] for unit in ratings]
    return [unit for unit in units if len(unit) > 1]


def difference(a: Any, b: Any, level: str, pooled: list[Any]) -> Fraction:
    """Krippendorff (2011), section 5 of part E: the metrics."""
    if level == "nominal":
        return Fraction(a != b)
    if level == "interval":
        return Fraction(a - b) ** 2
    a, b = sorted([a, b])
    between = sum(a <= value <= b for value in pooled)
    return (between - Fraction(pooled.count(a) + pooled.count(b), 2)) ** 2


def transcribed(ratings: list[list[Any]], level: str) -> tuple[Fraction, Fraction]:
    """Observed and expected disagreement, pair by pair."""
    units = pairable(ratings)
    pooled = [value for unit in units for value in unit]
    n = len(pooled)
    observed = sum(
        sum(difference(a, b, level, pooled) for a, b in itertools.permutations(unit, 2)) / Fraction(len(unit) - 1)
        for unit in units
    ) / Fraction(n)
    expected = sum(difference(a, b, level, pooled) for a, b in itertools.permutations(pooled, 2))
    return observed, Fraction(expected) / (n * (n - 1))


def test_two_raters_by_hand() -> None:
    """Labels aa, bb, ab: one pair of three differs; of the six ratings 9 of 15 pairs do."""
    result = krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"]])

    assert result.observed_disagreement == pytest.approx(1 / 3, rel=1e-15)
    assert result.expected_disagreement == pytest.approx(9 / 15, rel=1e-15)
    assert result.estimate == pytest.approx(4 / 9, rel=1e-14)
    assert (result.n_instances, result.n_ratings) == (3, 6)


@pytest.mark.parametrize("level", LEVELS)
def test_four_observers(level: str) -> None:
    assert krippendorff_alpha(OBSERVERS, level=level).estimate == pytest.approx(ALPHA[level], abs=0.0005)


def test_printout_of_irrcac() -> None:
    """The share 1 / n of pairs of a rating with itself is in its observed agreement, too."""
    result = krippendorff_alpha(OBSERVERS)
    n = result.n_ratings

    observed = 1 - result.observed_disagreement * (1 - 1 / n)
    chance = 1 - result.expected_disagreement * (1 - 1 / n)
    assert (result.estimate, observed, chance) == pytest.approx(IRRCAC, abs=5e-6)
    assert (result.n_instances, n) == (11, 40)


def alphas_of_all_arrangements(ratings: list[list[Any]], level: str) -> list[Fraction]:
    """Alpha for every order of the ratings on the places of ratings."""
    sizes = [len(unit) for unit in pairable(ratings)]
    pooled = [value for unit in pairable(ratings) for value in unit]
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    table = [
        [order[start : start + m] for start, m in zip(starts, sizes, strict=True)]
        for order in itertools.permutations(pooled)
    ]
    return [1 - observed / expected for observed, expected in (transcribed(units, level) for units in table)]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_pvalue_is_the_share_of_all_arrangements(level: str, alternative: str) -> None:
    """All 720 orders of six ratings, one case having two, one three, and one a single one that does not count."""
    ratings = [[1, 2, 5], [2, 2, None], [None, 4, None]]
    alphas = alphas_of_all_arrangements(ratings, level)
    here = transcribed(ratings, level)
    towards = {"two-sided": abs, "greater": lambda alpha: alpha, "less": lambda alpha: -alpha}[alternative]
    expected = sum(towards(alpha) >= towards(1 - here[0] / here[1]) for alpha in alphas) / len(alphas)

    result = krippendorff_alpha(ratings, level=level, alternative=alternative)

    assert (result.method, result.n_resamples, result.seed) == ("exact", None, None)
    assert result.pvalue == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("level", [*LEVELS, "ratio"])
def test_random_arrangements_are_near_all(level: str) -> None:
    """The error of 99,999 arrangements is .0016."""
    x = np.random.default_rng(8).integers(0, 3, (7, 2))
    exact = krippendorff_alpha(x, level=level, method="exact")
    drawn = krippendorff_alpha(x, level=level, method="monte-carlo", n_resamples=99_999, rng=1)

    assert (drawn.method, drawn.n_resamples, drawn.seed) == ("monte-carlo", 99_999, 1)
    assert drawn.pvalue == pytest.approx(exact.pvalue, abs=0.007)


@pytest.mark.parametrize("level", [*LEVELS, "ratio"])
def test_order_of_cases_raters_and_names_is_nothing_to_random_arrangements(level: str) -> None:
    rng = np.random.default_rng(4)
    x = rng.integers(1, 6, (30, 4)).astype(float)
    x[rng.random(x.shape) < 0.3] = np.nan
    mixed = rng.permuted(x[rng.permutation(30)], axis=1)
    if level == "nominal":
        mixed = np.array([np.nan, 7, 2, 9, 0, 4])[np.nan_to_num(mixed).astype(int)]
    elif level != "ratio":
        mixed = 6 - mixed
    here, there = (krippendorff_alpha(y, level=level, n_resamples=199) for y in (x, mixed))

    assert here.method == "monte-carlo"
    assert here.pvalue == there.pvalue


@pytest.mark.long
@pytest.mark.parametrize(("shares", "n"), [([0.5, 0.5], 8), ([0.9, 0.1], 12), ([0.2] * 5, 6)])
def test_raters_who_guess_are_rejected_as_often_as_the_level_says(shares: list[float], n: int) -> None:
    """400 tables; 36 of them is the 99.99 % point of a binomial distribution of .05."""
    x = np.random.default_rng(9).choice(len(shares), p=shares, size=(400, n, 2))

    assert (krippendorff_alpha(x, n_resamples=199).pvalue <= 0.05).sum() <= 36


def test_more_ratings_have_fewer_random_arrangements_unless_asked_for() -> None:
    x = np.random.default_rng(6).integers(0, 4, (20_000, 2))

    assert krippendorff_alpha(x).n_resamples == 2**26 // 40_000
    assert krippendorff_alpha(x, n_resamples=19).n_resamples == 19


@given(gaps, st.sampled_from(LEVELS))
def test_definition_in_fractions(ratings: list[list[Any]], level: str) -> None:
    if pairable(ratings):
        observed, expected = transcribed(ratings, level)
        result = krippendorff_alpha(ratings, level=level)

        assert result.observed_disagreement == pytest.approx(float(observed), rel=1e-12)
        assert result.expected_disagreement == pytest.approx(float(expected), rel=1e-12)
        if expected:
            assert result.estimate == pytest.approx(float(1 - observed / expected), rel=1e-12, abs=1e-14)
        else:
            assert math.isnan(result.estimate)


@pytest.mark.parametrize("level", LEVELS)
def test_standard_error_is_near_the_jackknife(level: str) -> None:
    """Leave out each case in turn: a way to the same variance that uses alpha alone."""
    rng = np.random.default_rng(1)
    x = np.clip(np.rint(rng.exponential(2, (300, 1)) + rng.standard_normal((300, 3))), 0, 6)
    x[rng.random(x.shape) < 0.2] = np.nan
    without = krippendorff_alpha(
        np.stack([np.delete(x, i, axis=0) for i in range(300)]), level=level, method="t"
    ).estimate
    jackknife = math.sqrt(299 / 300 * np.sum((without - without.mean()) ** 2))

    assert krippendorff_alpha(x, level=level).standard_error == pytest.approx(jackknife, rel=0.05)


@pytest.mark.parametrize("level", LEVELS)
def test_standard_error_is_the_spread_of_samples(level: str) -> None:
    rng = np.random.default_rng(2)
    x = np.clip(np.rint(rng.normal(3, 1.5, (2000, 200, 1)) + rng.standard_normal((2000, 200, 3))), 0, 6)
    result = krippendorff_alpha(x, level=level, method="t")

    assert np.sqrt(np.mean(result.standard_error**2)) == pytest.approx(result.estimate.std(), rel=0.05)


@given(gaps, st.sampled_from(["nominal", "ordinal"]))
def test_only_the_order_of_the_labels_matters(ratings: list[list[Any]], level: str) -> None:
    renamed = [[None if value is None else "abcdef"[value] for value in case] for case in ratings]
    if pairable(ratings):
        here, there = krippendorff_alpha(ratings, level=level), krippendorff_alpha(renamed, level=level)

        np.testing.assert_array_equal([here.estimate, here.standard_error], [there.estimate, there.standard_error])


def test_labels_give_the_order() -> None:
    words = {1: "low", 2: "middle", 3: "high", 4: "top", 5: "tip", None: None}
    ratings = [[words[value] for value in case] for case in OBSERVERS]
    order = ["low", "middle", "high", "top", "tip"]

    assert krippendorff_alpha(ratings, level="ordinal", labels=order).estimate == pytest.approx(
        ALPHA["ordinal"], abs=5e-4
    )


@pytest.mark.parametrize(("factor", "shift"), [(1e-200, 0), (1e200, 0), (-1, 0), (1, 1e6), (0.1, 7)])
def test_unit_and_zero_of_an_interval_scale_do_not_matter(factor: float, shift: float) -> None:
    x = np.array([[np.nan if v is None else v for v in case] for case in OBSERVERS])
    here, there = (krippendorff_alpha(values, level="interval") for values in (x, x * factor + shift))

    assert there.estimate == pytest.approx(here.estimate, rel=1e-9)
    assert there.standard_error == pytest.approx(here.standard_error, rel=1e-9)


def test_two_labels_are_the_same_on_every_scale() -> None:
    """On a ratio scale, where one of them is 0."""
    ratings = np.random.default_rng(3).integers(0, 2, (30, 3))
    results = [krippendorff_alpha(ratings, level=level) for level in LEVELS]

    assert [r.estimate for r in results] == pytest.approx([results[0].estimate] * len(LEVELS), rel=1e-12)
    assert [r.standard_error for r in results] == pytest.approx([results[0].standard_error] * len(LEVELS), rel=1e-11)


@pytest.mark.parametrize("level", LEVELS)
def test_a_case_with_one_rating_is_not_compared(level: str) -> None:
    here, there = krippendorff_alpha(OBSERVERS, level=level), krippendorff_alpha(OBSERVERS[:11], level=level)

    assert (here.estimate, here.standard_error) == pytest.approx((there.estimate, there.standard_error), rel=1e-13)


def test_equal_numbers_agree_to_the_last_bit() -> None:
    """Sums of squares would leave 1e-17 of disagreement between three times 0.1."""
    result = krippendorff_alpha([[0.1, 0.1, 0.1], [0.7, 0.7, 0.7]], level="interval")

    assert (result.estimate, result.standard_error, result.observed_disagreement) == (1, 0, 0)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("ratings", "words"),
    [
        ([[1, 1], [1, 1]], "no disagreement is possible"),
        ([[1, None], [None, 2]], "no instance has two ratings"),
        ([[1, 2], [3, None]], "only one instance"),
        ([[1, 1], [2, 2]], "of every instance agree"),
        ([[1, 2], [2, 1]], "no variance"),
    ],
)
def test_degenerate_ratings_have_a_reason(level: str, ratings: Any, words: str) -> None:
    result = krippendorff_alpha(ratings, level=level)

    assert words in str(result.reason)
    assert math.isnan(result.pvalue) == math.isnan(result.estimate)
    assert math.isnan(krippendorff_alpha(ratings, level=level, method="t").pvalue)
    for method in ("wald", "fisher"):
        assert math.isnan(result.confidence_interval(method=method).low) == (words != "of every instance agree")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ratings": [["a", "b"]], "level": "interval"}, "ratings must be numbers, but ratings[0, 0] is 'a'"),
        ({"ratings": [[1, math.inf]], "level": "interval"}, "ratings must be finite, but ratings[0, 1] is inf"),
        ({"ratings": [[1, 2]], "level": "interval", "labels": [1, 2]}, "labels apply only to the levels"),
        ({"ratings": [[1, 2]], "level": "log"}, "level must be 'nominal' or 'ordinal' or 'interval' or 'ratio', not"),
        (
            {"ratings": [[1, 2]], "level": "ratio", "labels": [1, 2]},
            "on a ratio scale, the numbers themselves are used",
        ),
        (
            {"ratings": [[1, -2]], "level": "ratio"},
            "ratings must be nonnegative on a ratio scale, but ratings[0, 1] is",
        ),
        ({"ratings": [[1, 2]], "method": "z"}, "method must be 'auto' or 'exact' or 'monte-carlo' or 't', not 'z'"),
        (
            {"ratings": np.arange(60).reshape(20, 3), "method": "exact"},
            "method='exact' would take more than 2e+07 steps",
        ),
        ({"ratings": [[1, 2.5]]}, "ratings"),
        ({"ratings": [[1, 3]], "labels": [1, 2]}, "ratings[0, 1] is 3"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        krippendorff_alpha(**arguments)

    assert message in str(caught.value)


@pytest.mark.parametrize("factor", [1e-300, 1e-9, 1e300])
def test_unit_of_a_ratio_scale_does_not_matter(factor: float) -> None:
    x = np.array([[np.nan if v is None else v for v in case] for case in OBSERVERS])
    here, there = (krippendorff_alpha(values, level="ratio") for values in (x, x * factor))

    assert there.estimate == pytest.approx(here.estimate, rel=1e-12)
    assert there.standard_error == pytest.approx(here.standard_error, rel=1e-12)


def test_ratio_of_many_values_is_that_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(5).exponential(1, (40, 3))
    expected = krippendorff_alpha(x, level="ratio")

    monkeypatch.setattr(krippendorff, "NUMBERS_AT_ONCE", 500)

    assert krippendorff_alpha(x, level="ratio").estimate == pytest.approx(expected.estimate, rel=1e-14)
