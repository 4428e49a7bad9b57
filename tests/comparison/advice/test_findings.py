"""What speaks against a test is said, with the numbers of that test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import evalstats
from evalstats import which_test
from evalstats.comparison.advice.recommendation import HUGE_CASES, HUGE_DATASETS
from evalstats.tables.score_table import ScoreTable

ROOT = Path(__file__).parents[3]


def test_predictions_without_cases_cannot_be_paired(predictions, codes) -> None:
    advice = which_test(predictions(columns="dataset classifier y_true y_pred"))

    assert codes(advice) == {"cases-not-named"}


@pytest.mark.parametrize(("n", "smallest"), [(5, 0.0625), (6, 0.03125)])
def test_smallest_p_of_wilcoxon_is_that_of_the_test(codes, n: int, smallest: float) -> None:
    x, y = np.arange(1, n + 1) / 10, np.zeros(n)

    advice = which_test(np.column_stack([x, y]))

    assert evalstats.wilcoxon_test(x, y).min_attainable_pvalue == smallest
    assert ("cannot-reach-alpha" in codes(advice)) == (smallest > 0.05)
    assert "cannot-reach-alpha" in codes(which_test(n_classifiers=2, n_datasets=n, alpha=smallest / 2))
    assert "cannot-reach-alpha" not in codes(which_test(n_classifiers=2, n_datasets=n, alpha=smallest))


def test_equal_scores_do_not_help_to_reach_alpha(sentence) -> None:
    scores = np.column_stack([[0.3, 0.2, 0.3, 0.4, 0.5, 0.6], [0.1 + 0.2, 0.1, 0.2, 0.3, 0.4, 0.5]])

    found = sentence(which_test(scores), "cannot-reach-alpha")

    assert "With differences on 5 datasets, p cannot be below 0.0625" in found


@pytest.mark.parametrize(("k", "n", "control"), [(3, 6, None), (10, 8, None), (10, 8, "classifier 1"), (4, 4, None)])
def test_smallest_p_of_a_pair_is_that_of_the_test(codes, sentence, k: int, n: int, control: str | None) -> None:
    scores = np.tile(np.arange(k), (n, 1)) + np.arange(n)[:, np.newaxis]
    smallest = evalstats.compare(scores, control=control).smallest_posthoc_pvalue

    assert smallest == (k - 1 if control else k * (k - 1) / 2) * 2.0 ** (1 - n)
    assert "cannot-reach-alpha" not in codes(which_test(scores, control=control, alpha=smallest * 1.01))
    found = sentence(which_test(scores, control=control, alpha=smallest * 0.99), "cannot-reach-alpha")
    assert found.startswith(
        f"With {n} datasets and {k} classifiers, the smallest adjusted p-value is {smallest:.3g}: no "
    )


def test_number_of_datasets_that_can_show_a_pair_is_told(sentence) -> None:
    found = sentence(which_test(n_classifiers=10, n_datasets=8), "cannot-reach-alpha")

    assert found == (
        "With 8 datasets and 10 classifiers, the smallest adjusted p-value is 0.352: no pair can be significantly "
        "different; a significant difference needs 11 "
        "datasets, or 9 with a control that is chosen in advance."
    )


@pytest.mark.parametrize("n_discordant", [0, 1, 5, 6])
def test_smallest_p_of_mcnemar_is_that_of_the_test(predictions, codes, n_discordant: int) -> None:
    advice = which_test(predictions(n_instances=30, n_discordant=n_discordant))
    is_right = np.arange(30) >= n_discordant
    smallest = evalstats.mcnemar_test(np.ones(30, dtype=bool), is_right).min_attainable_pvalue

    assert ("cannot-reach-alpha" in codes(advice)) == (smallest > 0.05)


def test_normality_is_only_asked_of_a_test_that_assumes_it(codes, sentence) -> None:
    rng = np.random.default_rng(5)
    skewed = np.column_stack([rng.exponential(size=40) ** 2, np.zeros(40)])
    normal = np.column_stack([rng.normal(size=40), np.zeros(40)])

    assert codes(which_test(skewed)) == set()
    assert "Shapiro-Wilk" in sentence(which_test(skewed, parametric=True), "not-normal")
    assert codes(which_test(normal, parametric=True)) == set()


def test_normality_of_several_classifiers_is_that_of_the_residuals(codes) -> None:
    """Effects of datasets and classifiers are no matter, whatever their distribution."""
    rng = np.random.default_rng(8)
    effects = 100 * rng.exponential(size=(40, 1)) + np.array([0, 5, 50])

    assert codes(which_test(effects + rng.normal(size=(40, 3)), parametric=True)) == set()
    assert codes(which_test(effects + rng.exponential(size=(40, 3)) ** 2, parametric=True)) == {"not-normal"}


@pytest.mark.parametrize("n", [100, 6000])
def test_skewed_differences_of_folds_and_of_very_many_datasets(sentence, n: int) -> None:
    """Where a test of normality means nothing, the skewness does."""
    differences = np.random.default_rng(2).exponential(size=n)
    word = "fold" if n == 100 else "dataset"
    table = ScoreTable(
        scores=np.column_stack([differences, np.zeros(n)]),
        datasets=tuple(f"{word} {i}" for i in range(n)),
        classifiers=("a", "b"),
    )

    assert "skewness" in sentence(which_test(table, parametric=True), "not-normal")


@pytest.mark.parametrize("scores", [np.zeros((5, 3)), np.array([[1e308, -1e308], [5.0, 1e300], [3.0, 4.0]])])
def test_extreme_scores_are_no_obstacle(codes, scores: np.ndarray) -> None:
    assert "few-datasets-for-t" in codes(which_test(scores, parametric=True))


def test_constant_differences_are_not_called_skewed(codes) -> None:
    scores = np.column_stack([np.arange(30) / 7, np.arange(30) / 7 + 0.1])

    assert codes(which_test(scores, parametric=True)) == set()


def test_t_test_of_few_datasets_depends_on_normality(codes) -> None:
    assert codes(which_test(n_classifiers=2, n_datasets=29, parametric=True)) == {"few-datasets-for-t"}
    assert codes(which_test(n_classifiers=2, n_datasets=30, parametric=True)) == set()


def test_huge_samples(codes, sentence) -> None:
    """With enough data everything is significant: z / sqrt(200) = 0.14."""
    assert codes(which_test(n_classifiers=3, n_datasets=HUGE_DATASETS)) == set()
    assert "0.14 standard deviations" in sentence(which_test(n_classifiers=3, n_datasets=200), "huge-sample")
    assert codes(which_test(n_classifiers=2, data="predictions", n_instances=HUGE_CASES)) == set()
    assert codes(which_test(n_classifiers=2, data="predictions", n_instances=HUGE_CASES + 1)) == {"huge-sample"}


def test_huge_test_set_tells_the_smallest_significant_difference(predictions, sentence) -> None:
    """1.96 sqrt(400) / 10001 = 0.39 percentage points."""
    advice = which_test(predictions(n_instances=HUGE_CASES + 1, n_discordant=400))

    assert "0.39 percentage points" in sentence(advice, "huge-sample")


def test_many_ties(codes, sentence) -> None:
    scores = np.column_stack([np.arange(10), np.arange(10) + np.array([0] * 4 + [1] * 6)])

    assert "40% of the adjacent scores" in sentence(which_test(scores), "many-ties")
    assert "many-ties" not in codes(which_test(scores[3:]))
    assert "many-ties" in codes(which_test([[0.3, 0.1 + 0.2], [0.5, 0.6]]))


def test_missing_scores(sentence) -> None:
    nan = float("nan")
    scores = np.array([[0.3, 0.5, nan], [0.5, 0.6, 0.1], [nan, 0.1, 0.3], [0.2, 0.3, 0.5]])

    advice = which_test(scores, missing="skillings-mack", parametric=True)

    assert "skillings_mack_test uses all other scores" in sentence(advice, "missing-scores")
    assert sentence(advice, "missing-scores").startswith("2 scores are missing, which rm_anova_test does not allow")


def test_page_explains_every_warning() -> None:
    page = (ROOT / "docs" / "reference" / "comparison" / "advice" / "recommendation.md").read_text(encoding="utf-8")
    source = (ROOT / "evalstats" / "comparison" / "advice" / "recommendation.py").read_text(encoding="utf-8")
    found = {line.split('"')[1] for line in source.splitlines() if line.startswith('        "') and '": _' in line}

    assert len(found) > 10
    assert all(f"| `{code}` |" in page for code in found)
