"""Mean ranks with intervals: beside the best, and as a list."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from evalstats import compare, critical_difference, example_table
from evalstats.multiple import compact_letter_display, rank_distribution
from evalstats.plot import multiple_comparisons_with_best, ranked_list
from evalstats.plot.style import ink

both = pytest.mark.parametrize("draw", [multiple_comparisons_with_best, ranked_list])


def caption(ax: object) -> str:
    return ax.get_xlabel().replace("\n", " ").replace("\u00a0", " ")


def drawn(ax: object, label: str) -> list[list[float]]:
    return [list(line.get_xdata()) for line in ax.lines if line.get_label() == label]


def full(ax: object) -> list[bool]:
    return [line.get_markerfacecolor() != ink(0) for line in ax.lines if line.get_label() == "_mean"]


@pytest.mark.sampled
@both
def test_new_figure_is_legible(draw, every_comparison, assert_legible) -> None:
    assert_legible(draw(every_comparison, title="A title of the picture", n_resamples=200))


@pytest.mark.sampled
@both
@pytest.mark.parametrize("k", [40, 179])
def test_many_are_legible_on_a_page(draw, of_many, k: int, assert_legible) -> None:
    ax = draw(of_many(k), n_resamples=200)

    assert_legible(ax)
    assert ax.figure.get_size_inches().max() < 11


@both
def test_given_axes_are_legible(draw, thirty, assert_legible) -> None:
    figure = Figure(figsize=(7, 7), layout="constrained")

    assert_legible(draw(thirty, figure.add_subplot(), n_resamples=200))


def test_intervals_are_half_the_critical_difference_wide_to_either_side() -> None:
    """Demšar (2006), Table 6: CD = 1.25 at alpha = 0.05, mean ranks 1.93, 2.00, 2.93 and 3.14."""
    ax = multiple_comparisons_with_best(compare(example_table("demsar-2006"), posthoc="nemenyi"))

    half = critical_difference(14, 4) / 2
    means = [x for (x,) in drawn(ax, "_mean")]
    assert np.round(means, 2).tolist() == [1.93, 2.0, 2.93, 3.14]
    assert drawn(ax, "_interval") == [pytest.approx([mean - half, mean + half]) for mean in means]


@pytest.mark.parametrize("alpha", [0.05, 0.10])
def test_full_dots_are_those_that_nemenyi_does_not_tell_from_the_best(alpha: float) -> None:
    c = compare(example_table("demsar-2006"), posthoc="nemenyi", alpha=alpha)

    best, *others = c.ranking
    alike = [not c.pair(best, other).different for other in others]
    assert full(multiple_comparisons_with_best(c)) == [True, *alike]


def test_bootstrap_intervals_are_those_of_rank_distribution() -> None:
    c = compare(example_table("demsar-2006"))
    ax = multiple_comparisons_with_best(c, interval="bootstrap", n_resamples=500, rng=3)

    found = rank_distribution(c.table.scores, n_resamples=500, rng=3).confidence_interval(0.95)
    order = [c.table.position(name) for name in c.ranking]
    assert drawn(ax, "_interval") == [pytest.approx([found.low[i], found.high[i]]) for i in order]
    assert "the overlap is not a test" in caption(ax)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "choices", [{}, {"posthoc": "conover"}, {"control": "C4.5", "posthoc": "bonferroni-dunn"}], ids=str
)
def test_intervals_of_another_test_are_no_critical_difference(choices: dict[str, str]) -> None:
    """Half a critical difference belongs to a test that has one for all pairs; beside others the bootstrap stands."""
    c = compare(example_table("demsar-2006"), alpha=0.10, **choices)
    by_default = multiple_comparisons_with_best(c, n_resamples=300)

    assert drawn(by_default, "_interval") == drawn(
        multiple_comparisons_with_best(c, interval="bootstrap", n_resamples=300), "_interval"
    )
    assert "the overlap is not a test" in caption(by_default)
    asked = caption(multiple_comparisons_with_best(c, interval="nemenyi"))
    assert "by Nemenyi's test. This is not the test of the comparison." in asked


def test_test_with_a_critical_difference_of_its_own_has_its_half() -> None:
    c = compare(example_table("demsar-2006"), posthoc="miller")
    ax = multiple_comparisons_with_best(c)

    (low, high), *_ = drawn(ax, "_interval")
    assert high - low == pytest.approx(c.critical_difference)
    assert "critical difference of the Miller test" in caption(ax)


def test_no_conclusion_is_grey_and_said() -> None:
    c = compare(example_table("demsar-2006"), posthoc="nemenyi", alpha=0.001)
    ax = multiple_comparisons_with_best(c)

    assert "The Friedman test does not reject at α = 0.001, so no conclusion is possible." in caption(ax)
    assert {line.get_color() for line in ax.lines} == {ink(0.6)}


@both
def test_only_the_best_of_many_are_drawn_and_the_caption_says_so(draw, thirty) -> None:
    ax = draw(thirty, max_shown=5, n_resamples=200)

    assert [label.get_text().split(" ", 1)[-1] for label in ax.get_yticklabels()] == [
        label.get_text().split(" ", 1)[-1] for label in draw(thirty, n_resamples=200).get_yticklabels()[:5]
    ]
    assert "The plot shows the best 5 of 30 classifiers." in caption(ax)


def test_letters_are_those_of_the_classifiers_that_are_drawn(thirty) -> None:
    ax = ranked_list(thirty, max_shown=25, n_resamples=200)

    order = [thirty.table.position(name) for name in thirty.ranking[:25]]
    letters = compact_letter_display(thirty.different[np.ix_(order, order)], range(25)).letters
    assert [text.get_text().rsplit(" ", 1)[-1] for text in ax.texts] == list(letters)


def test_places_of_equal_mean_ranks_are_equal(from_scores) -> None:
    """Places 1, 2, 2 and 4, as in a race."""
    ax = ranked_list(from_scores(np.array([[4, 3, 2, 1], [4, 2, 3, 1.0]])), n_resamples=50)

    assert [label.get_text() for label in ax.get_yticklabels()] == ["1 A", "2 B", "2 C", "4 D"]


def test_control_has_no_letters_but_full_dots() -> None:
    c = compare(example_table("demsar-2006"), control="C4.5")
    ax = ranked_list(c)

    assert all(text.get_text().endswith("]") for text in ax.texts)
    assert full(ax) == [True, True, False, False]
    assert (
        "A filled dot marks a classifier that is shown to differ from C4.5 (Wilcoxon signed-rank test with Holm's "
        "method, family-wise α = 0.05)."
    ) in caption(ax)


@both
class TestMessages:
    def test_not_a_comparison(self, draw, of_folds) -> None:
        with pytest.raises(TypeError, match="a result of compare for several datasets, not for the folds of one"):
            draw(of_folds)

    def test_interval(self, draw) -> None:
        with pytest.raises(ValueError, match="interval must be 'auto' or 'nemenyi' or 'bootstrap', not 'z'"):
            draw(compare(example_table("demsar-2006")), interval="z")

    def test_missing_scores(self, draw, incomplete) -> None:
        with pytest.raises(ValueError, match="the picture needs a score in every cell, but 12 are missing"):
            draw(incomplete)

    def test_axes_too_small(self, draw, thirty) -> None:
        with pytest.raises(
            ValueError, match=r"ax must have space for \d+ classifiers; enlarge it, plot fewer with max_"
        ):
            draw(thirty, Figure(figsize=(4, 1)).add_subplot(), n_resamples=200)
