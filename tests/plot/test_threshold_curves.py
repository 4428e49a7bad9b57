"""ROC and precision-recall curves as pictures."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from evalstats import example_path, metrics, read_predictions
from evalstats.plot import precision_recall_curves, roc_curves

RNG = np.random.default_rng(0)
Y = RNG.random(200) < 0.3
SCORES = {f"$net_{i}$" if i else "network-" * 9: Y * (1.5 - i / 40) + RNG.normal(0, 1, 200) for i in range(12)}
both = pytest.mark.parametrize("draw", [roc_curves, precision_recall_curves])


def caption(ax: object) -> str:
    return ax.get_xlabel().replace("\n", " ")


def few(k: int) -> dict[str, object]:
    return dict(list(SCORES.items())[:k])


def bands(ax: object) -> list[np.ndarray]:
    return [one.get_paths()[0].vertices for one in ax.collections if one.get_label() == "_band"]


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
    assert [float(text.split(": ")[1].split(" ")[0]) for text in texts] == [round(area, 2) for area in areas]
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
    assert "cases drawn again 200 times" in caption(ax)


@both
def test_many_curves_have_no_bands_and_the_others_are_grey(draw) -> None:
    ax = draw(Y, SCORES, at_most=5)

    assert bands(ax) == []
    assert len([line for line in ax.lines if line.get_label() == "_other"]) == 7
    assert len(ax.get_legend().get_texts()) == 5
    assert "Grey: the 7 other classifiers." in caption(ax)


@both
def test_bands_and_caption_are_choices(draw) -> None:
    ax = draw(Y, few(2), bands=False, caption=False)

    assert bands(ax) == []
    assert ax.get_xlabel() in {"false positive rate", "recall"}


@both
def test_predictions_bring_names_and_dataset(draw) -> None:
    predictions = read_predictions(example_path("sklearn-predictions"))
    ax = draw(predictions, dataset="iris: versicolor", n_resamples=50)

    assert caption(ax).split(" ", 1)[1].lstrip().startswith(("positive rate", "150 cases", " 150 cases"))
    assert "150 cases of iris: versicolor, 50 of them positive." in caption(ax)
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
        with pytest.raises(ValueError, match="y_true must hold positive and negative cases for a curve"):
            draw([1, 1], [0.1, 0.2])

    def test_lengths(self, draw) -> None:
        with pytest.raises(ValueError, match="y_true and y_score must be paired: y_true has 2 cases, y_score has 3"):
            draw([0, 1], [0.1, 0.2, 0.3])

    def test_batch_of_labels(self, draw) -> None:
        with pytest.raises(ValueError, match=r"y_true must have the shape \(n,\) and y_score"):
            draw([[0, 1], [1, 0]], [[0.1, 0.2], [0.3, 0.4]])
