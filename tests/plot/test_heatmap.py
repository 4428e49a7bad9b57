"""The p-values of all pairs as a picture: what the comparison says, in rank order, legible."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

from evalstats import Comparison, compare, example_table
from evalstats.plot import pvalue_heatmap, win_matrix


def cells(ax: object) -> list[str]:
    return [t.get_text() for t in ax.texts if t.get_horizontalalignment() == "center"]


def caption(ax: object) -> str:
    return ax.get_xlabel().replace("\n", " ").replace("\u00a0", " ")


@pytest.mark.sampled
def test_new_figure_is_legible(every_comparison, assert_legible) -> None:
    assert_legible(pvalue_heatmap(every_comparison, title="A title of the picture"))


def test_one_dataset_is_legible(of_folds, assert_legible) -> None:
    assert_legible(pvalue_heatmap(of_folds, title="A title of the picture"))


def test_one_dataset_names_its_test(of_folds) -> None:
    assert caption(pvalue_heatmap(of_folds)).startswith("p-values of the corrected resampled t-test")


def test_given_axes_are_legible(thirty, assert_legible) -> None:
    figure = Figure(figsize=(7, 7), layout="constrained")

    assert_legible(pvalue_heatmap(thirty, figure.add_subplot()))


def test_cells_hold_the_p_values_of_the_comparison() -> None:
    """Demšar (2006), Table 6, in the order of the mean ranks 1.93, 2.00, 2.93 and 3.14."""
    c = compare(example_table("demsar-2006"), posthoc="nemenyi", alpha=0.10)

    ax = pvalue_heatmap(c)

    assert cells(ax)[0] == "0.999"
    assert sorted(cells(ax)) == sorted(2 * [f"{p.pvalue:.3f}" for p in c.pairs])
    assert [t.get_text() for t in ax.get_yticklabels()] == list(c.ranking)


def test_letters_stand_beside_the_rows() -> None:
    c = compare(example_table("demsar-2006"), posthoc="nemenyi", alpha=0.10)

    ax = pvalue_heatmap(c)

    assert [t.get_text() for t in ax.texts[:4]] == ["a", "a", "ab", "b"]
    assert c.letters == ("b", "a", "ab", "a")


def test_bold_is_different() -> None:
    c = compare(example_table("demsar-2006"), alpha=0.10)

    bold = [t.get_text() for t in pvalue_heatmap(c).texts if t.get_fontweight() == "bold"]

    assert sorted(bold) == sorted(2 * [f"{p.pvalue:.3f}" for p in c.pairs if p.different])


def test_control_gives_one_row_without_letters() -> None:
    ax = pvalue_heatmap(compare(example_table("demsar-2006"), control="C4.5"))

    assert [t.get_text() for t in ax.get_yticklabels()] == ["C4.5"]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["C4.5+m+cf", "C4.5+m", "C4.5+cf"]
    assert len(ax.texts) == 3


def with_pvalues(comparison: Comparison, *pvalues: float) -> Comparison:
    """Change the p-values of the first pairs."""
    matrix = comparison._pvalue.copy()
    for (a, b), pvalue in zip(comparison._compared, pvalues, strict=False):
        matrix[a, b] = matrix[b, a] = pvalue
    return replace(comparison, _pvalue=matrix)


def test_pair_without_p_value_is_hatched() -> None:
    c = compare(example_table("demsar-2006"))

    ax = pvalue_heatmap(with_pvalues(c, np.nan))

    (hatched,) = (drawn for drawn in ax.collections if drawn.get_label() == "_unknown")
    assert hatched.get_hatch() == "////"
    assert [path.vertices.min(axis=0).tolist() for path in hatched.get_paths()] == [[0.5, -0.5], [-0.5, 0.5]]
    assert "no p-value" in [t.get_text() for t in ax.get_legend().get_texts()]


@pytest.mark.parametrize(("alpha", "grey"), [(0.1, False), (0.001, True)])
def test_no_conclusion_is_grey_and_said(alpha: float, grey: bool) -> None:
    ax = pvalue_heatmap(compare(example_table("demsar-2006"), posthoc="nemenyi", alpha=alpha))
    shades = np.array([p.get_facecolor()[:3] for p in ax.get_legend().get_patches()])

    assert (shades == shades[:, :1]).all() == grey
    assert ("no conclusion is possible" in caption(ax)) == grey


def test_shades_are_apart_in_grey_too() -> None:
    ax = pvalue_heatmap(compare(example_table("demsar-2006")))
    shades = np.array([p.get_facecolor()[:3] for p in ax.get_legend().get_patches()])
    luminance = shades @ (0.299, 0.587, 0.114)

    assert (np.diff(luminance) < -0.15).all()


def test_value_never_stands_on_the_wrong_side_of_alpha() -> None:
    c = compare(example_table("demsar-2006"))

    drawn = cells(pvalue_heatmap(with_pvalues(c, 0.0500001, 0.0499999)))

    assert {"0.0500001", "0.050"} <= set(drawn)


def test_adjustment_is_named() -> None:
    c = compare(example_table("japkowicz-accuracy"), posthoc="wilcoxon")

    assert "Wilcoxon signed-rank test, adjusted by Holm's method" in caption(pvalue_heatmap(c))


def test_pictures_with_missing_scores_are_legible(incomplete, assert_legible) -> None:
    """Classifiers without a common dataset have no wins, and stand hatched in the other picture."""
    assert_legible(pvalue_heatmap(incomplete))
    assert_legible(win_matrix(incomplete))


def test_not_a_comparison() -> None:
    with pytest.raises(TypeError, match="comparison must be a result of compare, not list"):
        pvalue_heatmap([[0.1]])


def test_nothing_is_computed_that_is_not_shown() -> None:
    """The effect sizes of 15,931 pairs take a second, and none of them stands in the picture."""
    c = compare(example_table("demsar-2006"))

    pvalue_heatmap(c)

    assert "pairs" not in vars(c)
