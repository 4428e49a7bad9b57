"""The difference of two curves, place by place."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from evalstats import metrics
from evalstats.paired import curve_difference

RNG = np.random.default_rng(0)
N = 160
Y = (np.arange(N) % 5 < 2).astype(int)
X = np.round(Y + RNG.normal(0, 1, N), 1)
OTHER = np.round(0.5 * Y + RNG.normal(0, 1, N), 1)
AT = [0.1, 0.25, 0.6]
CURVES = ["cost", "roc", "precision-recall", "gain", "lift"]
every = pytest.mark.parametrize("curve", CURVES)


def height(curve: str, score: np.ndarray, place: float, weight: np.ndarray | None = None) -> float:
    """Read a curve off the functions of metrics; the largest precision is that of the highest threshold."""
    choices = {"sample_weight": weight}
    if curve == "cost":
        return metrics.cost_curve(Y, score, **choices).at(place)
    if curve == "roc":
        found = metrics.roc_curve(Y, score, **choices)
        return float(np.interp(place, found.fpr, found.tpr))
    if curve == "precision-recall":
        found = metrics.precision_recall_curve(Y, score, **choices)
        order = np.argsort(found.recall, kind="stable")
        reached = found.recall[order] >= place * (1 - 1e-12)
        return float(found.precision[order][reached & (found.recall[order] > 0)][0])
    share = 1 if curve == "lift" else place
    return share * float(metrics.lift_score(Y, score, fraction=place, **choices))


@pytest.mark.parametrize("curve", ["cost", "roc", "gain", "lift"])
def test_heights_are_those_of_metrics(curve: str) -> None:
    result = curve_difference(Y, X, OTHER, curve=curve, at=AT, n_resamples=20)

    assert result.height_x.tolist() == pytest.approx([height(curve, X, place) for place in AT])
    assert result.height_y.tolist() == pytest.approx([height(curve, OTHER, place) for place in AT])
    assert result.difference.tolist() == pytest.approx((result.height_x - result.height_y).tolist())


@pytest.mark.parametrize("curve", ["cost", "roc", "gain", "lift"])
def test_bands_are_those_of_a_loop_over_redrawn_cases(curve: str) -> None:
    """The literal definition: draws of the cases in an order of their content, and every depth by counting."""
    n, level = 60, 0.8
    result = curve_difference(Y, X, OTHER, curve=curve, at=AT, n_resamples=n, rng=3, confidence_level=level)
    mirrored = curve_difference(Y, OTHER, X, curve=curve, at=AT, n_resamples=n, rng=3, confidence_level=level)

    by_order = []
    for first, second in ((X, OTHER), (OTHER, X)):
        order = np.lexsort([second, first, Y])
        draws = np.random.default_rng(3).multinomial(N, np.full(N, 1 / N), size=n)
        weights = np.zeros((n, N))
        weights[:, order] = draws
        by_order.append(
            np.array([[height(curve, first, p, w) - height(curve, second, p, w) for p in AT] for w in weights])
        )
    expected = [literal_bands(drawn, level) for drawn in by_order]
    ours = [np.array([one.low, one.high, one.low_everywhere, one.high_everywhere]) for one in (result, mirrored)]
    assert any(np.allclose(own, known) for own, known in zip(ours, expected, strict=True))


def literal_bands(drawn: np.ndarray, level: float) -> np.ndarray:
    n = len(drawn)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    for depth in range(n // 2, 0, -1):
        lowest, highest = np.sort(drawn, axis=0)[[depth - 1, n - depth]]
        inside = ((drawn >= lowest - 1e-12) & (drawn <= highest + 1e-12)).all(axis=1)
        if inside.mean() >= level:
            return np.array([low, high, np.minimum(low, lowest), np.maximum(high, highest)])
    raise AssertionError


@every
def test_simultaneous_band_holds_the_pointwise_one(curve: str) -> None:
    result = curve_difference(Y, X, OTHER, curve=curve, n_resamples=200)

    assert (result.low_everywhere <= result.low).all()
    assert (result.high <= result.high_everywhere).all()
    assert (result.low_everywhere < result.low).any()


@every
def test_exchanging_the_classifiers_turns_the_sign(curve: str) -> None:
    one, other = (curve_difference(Y, *pair, curve=curve, n_resamples=100) for pair in ((X, OTHER), (OTHER, X)))

    assert one.difference.tolist() == (-other.difference).tolist()
    assert one.low_everywhere.tolist() == (-other.high_everywhere).tolist()
    assert one.shown.tolist() == (-other.shown).tolist()


@every
def test_order_of_the_cases_and_scale_of_the_scores_do_not_matter(curve: str) -> None:
    order = RNG.permutation(N)

    one = curve_difference(Y, X, OTHER, curve=curve, n_resamples=50)
    other = curve_difference(Y[order], np.exp(X[order]), 3 * OTHER[order] - 7, curve=curve, n_resamples=50)

    assert one.low.tolist() == other.low.tolist()
    assert one.high_everywhere.tolist() == other.high_everywhere.tolist()


@every
def test_same_scores_differ_nowhere(curve: str) -> None:
    result = curve_difference(Y, X, X, curve=curve, n_resamples=50)

    assert not result.difference.any()
    assert not np.array([result.low_everywhere, result.high_everywhere, result.shown]).any()


def test_bands_cover_in_the_middle_of_roc_curves() -> None:
    """Binormal scores, whose true curves are known: 40 samples, each band of 80%."""
    rng, at = np.random.default_rng(2), np.linspace(0.1, 0.4, 7)
    truth = norm.cdf(1.5 + norm.ppf(at)) - norm.cdf(0.7 + norm.ppf(at))
    covered = 0
    for _ in range(40):
        y_true = np.arange(300) % 2
        x, y = 1.5 * y_true + rng.normal(0, 1, 300), 0.7 * y_true + rng.normal(0, 1, 300)
        result = curve_difference(y_true, x, y, curve="roc", at=at, n_resamples=300, confidence_level=0.8, rng=rng)
        covered += bool(((result.low_everywhere <= truth) & (truth <= result.high_everywhere)).all())
    # 32 expected; less than 25 or more than 39 happens once in a hundred times
    assert 25 <= covered <= 39


def test_bands_cover_wherever_there_are_cases_enough() -> None:
    """Over the whole range 30 bands of 95% miss the known curves about half of the time; regional ones do not."""
    rng, covered = np.random.default_rng(4), 0
    for _ in range(30):
        y_true = np.arange(300) % 2
        both = rng.normal(0, 0.7, 300)
        x, y = (d * y_true + both + rng.normal(0, 0.51**0.5, 300) for d in (2, 1))
        result = curve_difference(y_true, x, y, curve="roc", n_resamples=300, rng=rng)
        truth = norm.cdf(2 + norm.ppf(result.at)) - norm.cdf(1 + norm.ppf(result.at))
        covered += bool(((result.low_everywhere <= truth) & (truth <= result.high_everywhere)).all())
    # of 95% less than 25 happens once in a hundred times
    assert covered >= 25


@pytest.mark.parametrize("curve", ["roc", "precision-recall", "gain", "lift"])
@pytest.mark.parametrize(
    ("negatives", "positives", "threshold"),
    # ties: 4 to 9 have one of each; in the second case, the true negatives are the fewest
    [(range(10), range(4, 14), 6), ([0, 7, *range(11, 19)], [*range(2, 7), 10, *range(19, 23)], 10)],
)
def test_deciding_cases_are_counted(curve: str, negatives: list[int], positives: list[int], threshold: int) -> None:
    """At a threshold between two cases the four counts are whole, and known."""
    y_true, score = [0] * 10 + [1] * 10, [*negatives, *positives]
    fp, tp = (sum(one >= threshold for one in scores) for scores in (negatives, positives))
    at = {"roc": fp / 10, "precision-recall": tp / 10, "gain": (tp + fp) / 20, "lift": (tp + fp) / 20}[curve]

    result = curve_difference(y_true, score, score, curve=curve, at=[at], n_resamples=20)

    assert result.n_deciding.tolist() == pytest.approx([min(tp, 10 - tp, fp, 10 - fp)])
    assert (
        result.reason == "at 1 of 1 points, a count of true or false positives or negatives is below 5; the "
        "bands are too narrow"
    )


def test_cost_is_decided_by_the_cases_of_the_best_threshold() -> None:
    """Of 20 negative and 20 positive cases 6 and 7 are on the wrong side of the only threshold."""
    y_true, score = np.repeat([0, 1], 20), np.r_[np.repeat([0, 1], [14, 6]), np.repeat([0, 1], [7, 13])]

    result = curve_difference(y_true, score, score, at=[0.45, 0.5], n_resamples=20)

    assert result.n_deciding.tolist() == pytest.approx([6, 6])
    assert result.reason is None


def test_places_without_cases_are_left_out_unless_they_are_asked_for() -> None:
    by_default = curve_difference(Y, X, OTHER, curve="roc", n_resamples=20)
    asked = curve_difference(Y, X, OTHER, curve="roc", at=np.linspace(0, 1, 101), n_resamples=20)

    assert by_default.at.tolist() == asked.at[asked.n_deciding >= 5].tolist()
    assert 10 < len(by_default.at) < 101
    assert by_default.reason.startswith("points at which a count of true or false positives or negatives is below 5")
    n_few = (asked.n_deciding < 5).sum()
    assert asked.reason.startswith(f"at {n_few} of 101 points, a count of true or false positives")


@pytest.mark.parametrize(
    ("arguments", "choices", "message"),
    [
        (
            ([1, 1], [1, 2], [2, 1]),
            {},
            "y_true must hold positive and negative instances for a curve, but all are positive",
        ),
        ((Y, X[:5], OTHER), {}, "y_true and x must be paired: y_true has"),
        ((Y, [X, X], OTHER), {}, r"y_true and x must have the shape \(n,\)"),
        ((Y, X, OTHER), {"curve": "calibration"}, "curve must be 'cost' or 'roc' or"),
        ((Y, X, OTHER), {"at": [0.5, 0.2]}, "at must hold increasing numbers from 0 to 1"),
        ((Y, X, OTHER), {"at": [-0.1]}, "at must hold increasing numbers from 0 to 1"),
        ((Y, X, OTHER), {"at": []}, r"at must have the shape \(n_points,\)"),
        ((Y, X, OTHER), {"n_resamples": 1}, "n_resamples must be at least 2"),
        ((Y, np.where(X > 1, np.nan, X), OTHER), {}, "x must be finite"),
    ],
)
def test_bad_arguments_are_refused(arguments: tuple, choices: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        curve_difference(*arguments, **choices)
