"""Decision curves as pictures."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from evalstats.metrics import decision_curve
from evalstats.plot import decision_curves

RNG = np.random.default_rng(0)
Z = RNG.normal(size=200)
Y = RNG.random(200) < 1 / (1 + np.exp(-Z))
PROBABILITIES = {
    f"$net_{i}$" if i else "network-" * 9: 1 / (1 + np.exp(-Z - i / 4 * RNG.normal(size=200))) for i in range(12)
}


def few(k: int) -> dict[str, np.ndarray]:
    return dict(list(PROBABILITIES.items())[:k])


@pytest.mark.sampled
@pytest.mark.parametrize("k", [1, 3, 12])
def test_new_figure_is_legible(k: int, assert_legible) -> None:
    assert_legible(decision_curves(Y, few(k), title="A title of the picture"))


def test_given_axes_hold_the_numbers(assert_legible) -> None:
    ax = Figure(figsize=(8, 6), layout="constrained").add_subplot()

    drawn = decision_curves(Y, few(1), ax=ax, caption=False)

    found = decision_curve(Y, PROBABILITIES["network-" * 9])
    low, high = found.confidence_interval()
    (band,) = (one.get_paths()[0].vertices[:, 1] for one in ax.collections)
    assert drawn is ax
    assert_legible(ax)
    assert ax.lines[0].get_ydata().tolist() == found.net_benefit.tolist()
    assert ax.lines[1].get_ydata().tolist() == found.treat_all.tolist()
    assert (band.min(), band.max()) == (low.min(), high.max())


def test_key_says_where_a_classifier_is_best() -> None:
    good, useless = np.where(Y, 0.8, 0.3), np.full(200, 0.5)

    ax = decision_curves(Y, {"useless": useless, "good": good}, thresholds=[0.2, 0.4, 0.6], bands=False)

    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "good: best at 0.40 to 0.60",
        "useless: nowhere best",
    ]


def test_scores_that_are_no_probabilities_are_refused() -> None:
    with pytest.raises(ValueError, match="y_score must hold probabilities from 0 to 1"):
        decision_curves(Y, Z)
