"""ROC, precision-recall, cost, gain and lift curves as pictures."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.stats import norm

from evalstats import example_path, metrics, read_predictions
from evalstats.metrics.bootstrap import cost_heights
from evalstats.plot import cost_curves, gain_curves, lift_curves, precision_recall_curves, roc_curves
from evalstats.plot.curve_drawing import _curve_bands, scored_classifiers

RNG = np.random.default_rng(0)
Y = RNG.random(200) < 0.3
SCORES = {f"$net_{i}$" if i else "network-" * 9: Y * (1.5 - i / 40) + RNG.normal(0, 1, 200) for i in range(12)}
both = pytest.mark.parametrize("draw", [roc_curves, precision_recall_curves])
OTHER_RNG = np.random.default_rng(0)
RARE = OTHER_RNG.random(150) < 0.3
SCORES_OF_RARE = {
    f"$net_{i}$" if i else "network-" * 9: np.round(RARE * (1.5 - i / 40) + OTHER_RNG.normal(0, 1, 150), 1)
    for i in range(6)
}
NAME, SCORE = next(iter(SCORES_OF_RARE.items()))
every = pytest.mark.parametrize("draw", [cost_curves, gain_curves, lift_curves])


def caption(ax: object) -> str:
    return ax.get_xlabel().replace("\n", " ")


def few(k: int) -> dict[str, object]:
    return dict(list(SCORES.items())[:k])


def bands(ax: object) -> list[np.ndarray]:
    return [one.get_paths()[0].vertices for one in ax.collections if one.get_label() == "_band"]


@pytest.mark.sampled
@both
@pytest.mark.parametrize("k", [1, 3, 12])
def test_new_figure_is_legible(draw, k: int, assert_legible) -> None:
    assert_legible(draw(Y, few(k), title="A title of the picture", n_resamples=50))


@both
def test_given_axes_are_legible(draw, assert_legible) -> None:
    figure = Figure(figsize=(8, 6), layout="constrained")

    assert_legible(draw(Y, few(3), ax=figure.add_subplot(), n_resamples=50))


def test_roc_curve_is_that_of_metrics() -> None:
    (name, scores), *_ = SCORES.items()
    ax = roc_curves(Y, {name: scores}, n_resamples=50)

    curve = metrics.roc_curve(Y, scores)
    assert ax.lines[0].get_xdata().tolist() == curve.fpr.tolist()
    assert ax.lines[0].get_ydata().tolist() == curve.tpr.tolist()


def test_precision_recall_curve_is_that_of_metrics() -> None:
    (name, scores), *_ = SCORES.items()
    ax = precision_recall_curves(Y, {name: scores}, n_resamples=50)

    curve = metrics.precision_recall_curve(Y, scores)
    assert ax.lines[0].get_xdata().tolist() == curve.recall.tolist()
    assert ax.lines[0].get_ydata().tolist() == curve.precision.tolist()
    assert ax.lines[0].get_drawstyle() == "steps-post"


def test_key_holds_areas_and_their_intervals_greatest_first() -> None:
    ax = roc_curves(Y, few(3), n_resamples=50, confidence_level=0.9)

    found = {name: metrics.auc_estimate(Y, scores) for name, scores in few(3).items()}
    areas = sorted((one.estimate for one in found.values()), reverse=True)
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    low, high = max(found.values(), key=lambda one: one.estimate).confidence_interval(0.9)
    assert [float(text.split(":")[1].split()[0]) for text in texts] == [round(area, 2) for area in areas]
    assert texts[0].endswith(f"[{low:.2f}, {high:.2f}]")
    assert "its 90% interval by DeLong" in caption(ax)


def test_roc_band_is_that_of_a_loop_over_redrawn_cases() -> None:
    """At a false positive rate of one half, from metrics.roc_curve of each draw."""
    (name, scores), *_ = SCORES.items()
    (band,) = bands(roc_curves(Y, {name: scores}, n_resamples=60, rng=1))

    heights = []
    for weights in np.random.default_rng(1).multinomial(200, np.full(200, 1 / 200), size=60):
        curve = metrics.roc_curve(Y, scores, sample_weight=weights)
        heights.append(np.interp(0.5, curve.fpr, curve.tpr))
    drawn = band[np.isclose(band[:, 0], 0.5), 1]
    assert [drawn.min(), drawn.max()] == pytest.approx(np.quantile(heights, [0.025, 0.975]))


def test_precision_band_is_that_of_a_loop_over_redrawn_cases() -> None:
    """At a recall of one half: the precision at the highest threshold that finds as many."""
    (name, scores), *_ = SCORES.items()
    (band,) = bands(precision_recall_curves(Y, {name: scores}, n_resamples=60, rng=1))

    heights = []
    for weights in np.random.default_rng(1).multinomial(200, np.full(200, 1 / 200), size=60):
        curve = metrics.precision_recall_curve(Y, scores, sample_weight=weights)
        heights.append(curve.precision[np.flatnonzero(curve.recall >= 0.5 - 1e-9)[-1]])
    drawn = band[np.isclose(band[:, 0], 0.5), 1]
    assert [drawn.min(), drawn.max()] == pytest.approx(np.quantile(heights, [0.025, 0.975]))


@both
def test_bands_hold_most_of_the_curve_and_are_called_pointwise(draw) -> None:
    ax = draw(Y, few(1), n_resamples=200)

    assert len(bands(ax)) == 1
    assert "pointwise 95% intervals" in caption(ax)
    assert "instances resampled 200 times" in caption(ax)


@both
def test_many_curves_have_no_bands_and_the_others_are_grey(draw) -> None:
    ax = draw(Y, SCORES, max_shown=5)

    assert bands(ax) == []
    assert len([line for line in ax.lines if line.get_label() == "_other"]) == 7
    assert len(ax.get_legend().get_texts()) == 5
    assert "Gray: the 7 other classifiers." in caption(ax)


@both
def test_bands_and_caption_are_choices(draw) -> None:
    ax = draw(Y, few(2), bands=False, caption=False)

    assert bands(ax) == []
    assert ax.get_xlabel() in {"false positive rate", "recall"}


@both
def test_predictions_bring_names_and_dataset(draw) -> None:
    predictions = read_predictions(example_path("sklearn-predictions"))
    ax = draw(predictions, dataset="iris: versicolor", n_resamples=50)

    assert caption(ax).split(" ", 1)[1].lstrip().startswith(("positive rate", "150 instances", " 150 instances"))
    assert "150 instances of iris: versicolor, 50 of them positive." in caption(ax)
    assert len(ax.get_legend().get_texts()) == 4


def test_chance_is_the_share_of_positive_cases() -> None:
    ax = precision_recall_curves(Y, few(1), n_resamples=50)

    (chance,) = (line for line in ax.lines if line.get_label() == "_chance")
    assert list(chance.get_ydata()) == [Y.mean()] * 2


def test_single_case_of_a_class_has_an_area_without_an_interval() -> None:
    ax = roc_curves([0, 0, 1], [0.1, 0.5, 0.3], n_resamples=50)

    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["classifier 1: 0.50"]


@both
class TestMessages:
    def test_one_class(self, draw) -> None:
        with pytest.raises(ValueError, match="y_true must hold positive and negative instances for a curve"):
            draw([1, 1], [0.1, 0.2])

    def test_lengths(self, draw) -> None:
        with pytest.raises(
            ValueError, match="y_true and y_score must be paired: y_true has 2 instances, y_score has 3"
        ):
            draw([0, 1], [0.1, 0.2, 0.3])

    def test_batch_of_labels(self, draw) -> None:
        with pytest.raises(ValueError, match=r"y_true must have the shape \(n,\) and y_score"):
            draw([[0, 1], [1, 0]], [[0.1, 0.2], [0.3, 0.4]])


@pytest.mark.sampled
@every
@pytest.mark.parametrize("k", [1, 3, 6])
def test_new_figure_of_costs_and_gains_is_legible(draw, k: int, assert_legible) -> None:
    assert_legible(
        draw(
            RARE,
            dict(list(SCORES_OF_RARE.items())[:k]),
            title="A title of the picture",
            n_resamples=30,
        )
    )


@every
def test_given_axes_of_costs_and_gains_are_legible(draw, assert_legible) -> None:
    figure = Figure(figsize=(8, 6), layout="constrained")

    assert_legible(draw(RARE, {NAME: SCORE}, ax=figure.add_subplot(), n_resamples=30))


def test_cost_curve_is_that_of_metrics() -> None:
    line = cost_curves(RARE, {NAME: SCORE}, n_resamples=10).lines[0]

    curve = metrics.cost_curve(RARE, SCORE)
    assert line.get_ydata().tolist() == curve.at(line.get_xdata()).tolist()


def test_gain_and_lift_are_those_of_metrics() -> None:
    gain, lift = (draw(RARE, {NAME: SCORE}, n_resamples=10).lines[0] for draw in (gain_curves, lift_curves))

    curve = metrics.lift_curve(RARE, SCORE)
    assert gain.get_ydata().tolist() == curve.gain.tolist()
    assert np.interp(curve.proportion, *lift.get_data()).tolist() == pytest.approx(curve.lift.tolist())
    tenth = np.interp(0.1, *lift.get_data())
    assert tenth == pytest.approx(metrics.lift_score(RARE, SCORE))


@pytest.mark.parametrize(
    ("draw", "height"),
    [
        (
            gain_curves,
            lambda weights: 0.4 * metrics.lift_score(RARE, SCORE, fraction=0.4, sample_weight=weights),
        ),
        (
            lift_curves,
            lambda weights: metrics.lift_score(RARE, SCORE, fraction=0.4, sample_weight=weights),
        ),
    ],
)
def test_band_is_that_of_a_loop_over_redrawn_cases(draw, height) -> None:
    (band,) = bands(draw(RARE, {NAME: SCORE}, n_resamples=40, rng=1))

    heights = [height(weights) for weights in np.random.default_rng(1).multinomial(150, np.full(150, 1 / 150), size=40)]
    drawn = band[np.isclose(band[:, 0], 0.4), 1]
    assert [drawn.min(), drawn.max()] == pytest.approx(np.quantile(heights, [0.025, 0.975]))


def test_band_of_a_cost_curve_turns_what_redrawn_ones_are_too_low() -> None:
    """The basic bootstrap: redrawn curves are below the curve as it is below the truth, since thresholds are chosen."""
    (band,) = bands(cost_curves(RARE, {NAME: SCORE}, n_resamples=40, rng=1))

    weights = np.random.default_rng(1).multinomial(150, np.full(150, 1 / 150), size=40)
    heights = [metrics.cost_curve(RARE, SCORE, sample_weight=own).at(0.4) for own in weights]
    low, high = np.quantile(heights, [0.025, 0.975])
    own = metrics.cost_curve(RARE, SCORE).at(0.4)
    drawn = band[np.isclose(band[:, 0], 0.4), 1]
    assert [drawn.min(), drawn.max()] == pytest.approx([min(own, 2 * own - high), max(own, 2 * own - low)])


def test_band_of_a_cost_curve_holds_it_and_stays_between_nothing_and_calling_all_the_same() -> None:
    ax = cost_curves(RARE, {NAME: SCORE}, n_resamples=40)
    (band,), curve = bands(ax), metrics.cost_curve(RARE, SCORE)

    for x in (0.01, 0.1, 0.5, 0.95):
        low, high = (reach(band[np.isclose(band[:, 0], x), 1]) for reach in (np.min, np.max))
        assert 0 <= low <= curve.at(x) + 1e-12
        assert curve.at(x) - 1e-12 <= high <= min(x, 1 - x) + 1e-12
    assert "the bands account for this" in ax.get_xlabel().replace("\n", " ")


@pytest.mark.long
def test_bands_of_cost_curves_cover_better_than_percentiles() -> None:
    """Samples of 100 cases with a known curve: at .5 percentiles hold it in about 75%, the bands of pictures in 86%."""
    rng, truth, at = np.random.default_rng(6), norm.cdf(-0.75), np.array([0.5])
    covered = {None: 0, "greatest": 0}
    for seed in range(80):
        y_true = np.arange(100) % 2
        scored = scored_classifiers(y_true, 1.5 * y_true + rng.normal(size=100), None, None, None, None)
        for how in covered:
            low, high = _curve_bands(
                scored,
                cost_heights,
                at,
                level=0.95,
                n_resamples=199,
                generator=np.random.default_rng(seed),
                greatest=None if how is None else lambda x: np.minimum(x, 1 - x),
            )
            covered[how] += bool(low[0, 0] <= truth <= high[0, 0])

    # of 80 at .86 less than 61 happens once in two hundred times
    assert covered["greatest"] >= 61
    assert covered["greatest"] >= covered[None] + 4, covered


@every
def test_key_names_the_best_first(draw) -> None:
    """A perfect ranking and a useless one."""
    ax = draw(
        RARE,
        {"useless": RARE * 0.0, "perfect": RARE * 1.0},
        n_resamples=20,
    )

    assert [text.get_text().split(":")[0] for text in ax.get_legend().get_texts()] == ["perfect", "useless"]


def test_lift_fits_into_the_picture() -> None:
    ax = lift_curves(RARE, {NAME: SCORE}, n_resamples=30)

    assert ax.get_ylim()[1] >= max(band[:, 1].max() for band in bands(ax))


def test_low_cost_curves_fill_the_picture() -> None:
    """The triangle of calling no case or all cases positive reaches .5, far above good classifiers."""
    noise = np.random.default_rng(3).normal(0, 0.35, len(RARE))
    ax = cost_curves(RARE, {NAME: RARE + noise}, n_resamples=30)
    highest = max(band[:, 1].max() for band in bands(ax))

    assert highest < 0.2
    assert highest <= ax.get_ylim()[1] < 1.2 * highest


@every
def test_dotted_line_is_explained(draw) -> None:
    words = {cost_curves: "Dotted: predicting no instance, or every instance, as positive."}.get(
        draw, "Dotted: a random order."
    )

    assert words in draw(RARE, {NAME: SCORE}, bands=False).get_xlabel().replace("\n", " ")


@every
def test_one_class_is_refused(draw) -> None:
    with pytest.raises(ValueError, match="y_true must hold positive and negative instances for a curve"):
        draw([1, 1], [0.1, 0.2])
