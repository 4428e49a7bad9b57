"""Posterior probabilities of all pairs: as a matrix, and as bars."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from evalstats import example_table
from evalstats.bayes import (
    bayes_pairwise_correlated_ttest,
    bayes_pairwise_sign_test,
    bayes_pairwise_signed_rank_test,
    bayes_sign_test,
)
from evalstats.plot import pairwise_posteriors, posterior_heatmap
from evalstats.plot.matrix import whole_percent

TABLE = example_table("japkowicz-accuracy")
RESULT = bayes_pairwise_signed_rank_test(TABLE.scores, rope=1, n_simulations=2000)
ORDER = ["Random Forest", "SVM", "NB", "AdaBoost"]
both = pytest.mark.parametrize("draw", [posterior_heatmap, pairwise_posteriors])


def many(k: int) -> object:
    scores = np.random.default_rng(k).normal(0.8, 0.05, (12, k)) + np.linspace(0.1, 0, k)
    return bayes_pairwise_sign_test(scores, rope=0.01, n_simulations=200)


def caption(ax: object) -> str:
    return ax.get_xlabel().replace("\n", " ")


@pytest.mark.sampled
@both
@pytest.mark.parametrize("k", [2, 9, 40])
def test_new_figure_is_legible(draw, k: int, assert_legible) -> None:
    names = [f"network-{i} $x_1$ " * (1 + i % 3) for i in range(k)]

    assert_legible(draw(many(k), names, title="A title of the picture"))


@both
def test_given_axes_are_legible(draw, assert_legible) -> None:
    assert_legible(draw(RESULT, TABLE.classifiers, Figure(figsize=(6, 5), layout="constrained").add_subplot()))


def test_cells_are_the_probabilities_of_the_result() -> None:
    ax = posterior_heatmap(RESULT, TABLE.classifiers)

    at = [TABLE.classifiers.index(name) for name in ORDER]
    assert [label.get_text() for label in ax.get_yticklabels()] == ORDER
    cells = {text.get_position(): text.get_text() for text in ax.texts}
    assert len(cells) == 12
    assert cells[2, 1] == f"{100 * RESULT.p_greater[at[1], at[2]]:.0f}"  # SVM against NB
    assert cells[1, 2] == f"{100 * RESULT.p_greater[at[2], at[1]]:.0f}"


def test_rope_is_symmetric_and_the_rest() -> None:
    cells = {t.get_position(): t.get_text() for t in posterior_heatmap(RESULT, TABLE.classifiers, region="rope").texts}

    assert all(cells[j, i] == text for (i, j), text in cells.items())
    nb, svm = TABLE.classifiers.index("NB"), TABLE.classifiers.index("SVM")
    assert cells[1, 2] == whole_percent(RESULT.p_rope[nb, svm])


def test_of_losses_the_order_is_turned_round() -> None:
    losses = bayes_pairwise_signed_rank_test(-TABLE.scores, rope=1, n_simulations=2000)
    ax = posterior_heatmap(losses, TABLE.classifiers, greater_is_better=False)

    assert [label.get_text() for label in ax.get_yticklabels()] == ORDER


def test_bars_add_up_to_the_probabilities() -> None:
    ax = pairwise_posteriors(RESULT, TABLE.classifiers)

    first, rope, second = (container for container in ax.containers)
    widths = np.array([[bar.get_width() for bar in part] for part in (first, rope, second)])
    assert widths.sum(axis=0) == pytest.approx(np.ones(6))
    a, b = TABLE.classifiers.index("Random Forest"), TABLE.classifiers.index("AdaBoost")
    assert widths[:, 2] == pytest.approx([RESULT.p_greater[a, b], RESULT.p_rope[a, b], RESULT.p_less[a, b]])
    assert len(ax.get_yticklabels()) == 6


def test_many_pairs_are_those_with_the_best() -> None:
    assert len(pairwise_posteriors(many(12)).get_yticklabels()) == 11
    assert len(pairwise_posteriors(many(10)).get_yticklabels()) == 45


def test_pairs_with_one_classifier() -> None:
    ax = pairwise_posteriors(RESULT, TABLE.classifiers, control="SVM")

    assert [label.get_text() for label in ax.get_yticklabels()] == ["Random Forest − SVM", "SVM − NB", "SVM − AdaBoost"]


def test_rope_has_its_unit() -> None:
    assert "the rope, ±1%." in caption(posterior_heatmap(RESULT, TABLE.classifiers, unit="%"))
    assert "within ±1 points /" in caption(pairwise_posteriors(RESULT, TABLE.classifiers, unit="points"))


@pytest.mark.filterwarnings("error")
def test_endless_unit_leaves_room_for_the_picture() -> None:
    """Layout has no place for axes below a caption of 300 letters without a space."""
    ax = pairwise_posteriors(RESULT, TABLE.classifiers, unit="x" * 300)
    ax.figure.draw_without_rendering()

    assert "x" * 300 not in caption(ax)


@both
def test_pair_without_a_posterior_is_told_with_the_reason(draw, assert_legible) -> None:
    """The second classifier is below the others by the same amount in every fold."""
    scores = [[0.8, 0.7, 0.8], [0.9, 0.8, 0.9], [0.7, 0.6, 0.7], [0.8, 0.7, 0.8]]
    ax = draw(bayes_pairwise_correlated_ttest(scores, rope=0.01, n_train=80, n_test=20))

    assert_legible(ax)
    assert "Without a posterior: x and y differ by the same amount in every fold" in caption(ax)


def test_pair_without_a_posterior_is_hatched() -> None:
    scores = [[0.8, 0.7, 0.8], [0.9, 0.8, 0.9], [0.7, 0.6, 0.7], [0.8, 0.7, 0.8]]
    result = bayes_pairwise_correlated_ttest(scores, rope=0.01, n_train=80, n_test=20)
    ax = posterior_heatmap(result)

    (hatched,) = (one for one in ax.collections if one.get_label() == "_unknown")
    assert len(hatched.get_paths()) == 4
    assert "no posterior" in [text.get_text() for text in ax.get_legend().get_texts()]
    assert [text.get_text() for text in pairwise_posteriors(result).texts].count("none / none / none") == 2


@both
class TestMessages:
    def test_no_result(self, draw) -> None:
        with pytest.raises(TypeError, match="result must be the result of a Bayesian comparison, not int"):
            draw(3)

    def test_one_pair(self, draw) -> None:
        with pytest.raises(ValueError, match=r"result must contain all pairs, .* but its shape is \(\)"):
            draw(bayes_sign_test([1, 2, 3], [2, 3, 5], rope=0.1, n_simulations=50))

    def test_names(self, draw) -> None:
        with pytest.raises(
            ValueError, match="names must hold one name for each of the 4 classifiers, but the number of names is 1"
        ):
            draw(RESULT, ["A"])


def test_unknown_classifier() -> None:
    with pytest.raises(ValueError, match="control must be one of 'Random Forest', 'SVM', 'NB', 'AdaBoost', not 'X'"):
        pairwise_posteriors(RESULT, TABLE.classifiers, control="X")
