"""Performance profiles: shares of datasets within a distance of the best."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

from evalstats import ScoreTable, compare, example_table
from evalstats.metrics import proportion_interval
from evalstats.plot import performance_profile

SCORES = np.array([[0.9, 0.8], [0.7, 0.7], [0.5, 0.6], [0.8, 0.4]])
TABLE = ScoreTable(scores=SCORES, datasets=("a", "b", "c", "d"), classifiers=("A", "B"))


def caption(ax: object) -> str:
    return ax.get_xlabel().replace("\n", " ").replace("\u00a0", " ")


def drawn(ax: object) -> dict[str, list[tuple[float, float]]]:
    return {line.get_label(): [(round(x, 9), y) for x, y in line.get_xydata().tolist()[:-1]] for line in ax.lines}


@pytest.mark.sampled
def test_every_comparison_is_legible(every_comparison, assert_legible) -> None:
    assert_legible(performance_profile(every_comparison, title="A title of the picture"))


def test_given_axes_are_legible(thirty, assert_legible) -> None:
    figure = Figure(figsize=(8, 5), layout="constrained")

    assert_legible(performance_profile(thirty, figure.add_subplot()))


def test_lines_are_the_shares_by_hand() -> None:
    """A is behind by 0, 0, 0.1 and 0; B by 0.1, 0, 0 and 0.4."""
    ax = performance_profile(TABLE)

    assert drawn(ax) == {
        "A": [(0, 0.75), (0, 0.75), (0.1, 1.0)],
        "B": [(0, 0.5), (0, 0.5), (0.1, 0.75), (0.4, 1.0)],
    }


def test_ratios_are_those_of_dolan_and_more() -> None:
    """Of costs 2 and 8 the second has ratio 4; Dolan & Moré (2002), section 2."""
    costs = ScoreTable(scores=[[2, 8], [3, 3.0]], datasets=("a", "b"), classifiers=("A", "B"), greater_is_better=False)

    assert drawn(performance_profile(costs, relative=True)) == {
        "A": [(1, 1.0), (1, 1.0)],
        "B": [(1, 0.5), (1, 0.5), (4, 1.0)],
    }


def test_losses_are_mirrored_scores() -> None:
    losses = replace(TABLE, scores=1 - TABLE.scores, greater_is_better=False)

    assert drawn(performance_profile(losses)) == drawn(performance_profile(TABLE))


def test_noise_of_floating_point_is_no_distance() -> None:
    """0.1 + 0.2 is the best beside 0.3, and so is 0.3."""
    table = ScoreTable(scores=[[0.1 + 0.2, 0.3]], datasets=("a",), classifiers=("A", "B"))

    assert [y[0] for y in (line.get_ydata() for line in performance_profile(table).lines)] == [1.0, 1.0]


def test_bands_are_intervals_of_clopper_and_pearson() -> None:
    ax = performance_profile(TABLE, confidence_level=0.9)

    band = next(one for one in ax.collections if one.get_label() == "_band")
    low, high = proportion_interval(3, 4, confidence_level=0.9, method="clopper-pearson")
    assert band.get_paths()[0].vertices[:, 1].min() == pytest.approx(low)
    assert any(np.isclose(band.get_paths()[0].vertices[:, 1], high))
    assert "pointwise Clopper-Pearson intervals with level 90%" in caption(ax)


def test_bands_of_many_would_hide_each_other(thirty) -> None:
    ax = performance_profile(thirty)

    assert len(ax.collections) == 0
    assert len(ax.lines) == 10
    assert "The plot shows the 10 of 30 classifiers" in caption(ax)


def test_best_is_that_of_all_classifiers_drawn_or_not() -> None:
    ax = performance_profile(TABLE, max_shown=1)

    assert drawn(ax) == {"A": drawn(performance_profile(TABLE))["A"]}


class TestMessages:
    def test_ratio_of_a_score_that_is_not_positive(self) -> None:
        with pytest.raises(ValueError, match=r"scores must be above 0 for a ratio to the best, .* smallest is -0\.5"):
            performance_profile(replace(TABLE, scores=TABLE.scores - 0.9), relative=True)

    def test_missing_scores(self, incomplete) -> None:
        with pytest.raises(ValueError, match="performance_profile needs a score in every cell, but 12 are missing"):
            performance_profile(incomplete)

    def test_not_a_table(self) -> None:
        with pytest.raises(TypeError, match="data must be a ScoreTable or a comparison, not int"):
            performance_profile(3)


def test_comparison_and_its_table_give_one_picture() -> None:
    table = example_table("demsar-2006")

    assert drawn(performance_profile(compare(table))) == drawn(performance_profile(table))
