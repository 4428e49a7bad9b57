"""The probabilities of places as a picture."""

from __future__ import annotations

import pytest

from evalstats import compare, example_table, plot
from evalstats.multiple import rank_distribution


@pytest.mark.sampled
def test_new_figure_is_legible(every_comparison, assert_legible) -> None:
    assert_legible(plot.rank_distribution(every_comparison, n_resamples=200, title="A title of the picture"))


def test_cells_are_the_probabilities_in_percent() -> None:
    table = example_table("demsar-2006")
    c = compare(table)
    order = [table.classifiers.index(name) for name in c.ranking]
    probabilities = rank_distribution(table.scores, rng=5, n_resamples=500).probabilities[order]

    drawn = plot.rank_distribution(c, rng=5, n_resamples=500).texts
    cells = {t.get_position(): t.get_text() for t in drawn if t.get_horizontalalignment() == "center"}

    for (place, row), text in cells.items():
        p = probabilities[row, place]
        assert text == ("·" if p == 0 else "<1" if p < 0.01 else f"{100 * p:.0f}")
    assert len(cells) == 16


def test_same_comparison_gives_the_same_picture() -> None:
    c = compare(example_table("demsar-2006"))
    one, other = ([t.get_text() for t in plot.rank_distribution(c).texts] for _ in range(2))

    assert one == other


def test_direction_of_the_metric_counts(from_scores) -> None:
    """The best classifier stands first, whatever the direction."""
    c = compare(example_table("raeder-2010-seed-459"))

    text = plot.rank_distribution(c, n_resamples=100).texts[0].get_text()

    assert text.startswith(f"{min(c.mean_ranks):.2f} ")


def test_not_over_datasets(of_folds) -> None:
    with pytest.raises(TypeError, match="a result of compare for several datasets, not for the folds of one"):
        plot.rank_distribution(of_folds)
