"""Plot the figures of docs/reference/plot: ``python docs/figures/plots.py``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from evalstats import bayes_correlated_ttest, compare, example_path, example_table, plot, read_predictions, read_table
from evalstats.bayes import bayes_pairwise_signed_rank_test, bayes_sign_test
from evalstats.metrics import reliability_curve
from evalstats.multiple import consensus_ranking, ranking_stability
from evalstats.paired import curve_difference, learning_curve_test, subgroup_test

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from evalstats.bayes import PosteriorResult
    from evalstats.paired import CurveDifference, LearningCurveTestResult
    from evalstats.tables import Predictions

HERE = Path(__file__).parent
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "plots", "font.size": 9, "figure.facecolor": "white"}

TREES = example_table("demsar-2006")
CLASSIFIERS = example_table("japkowicz-accuracy")


def repeated_runs() -> np.ndarray:
    """Return accuracies of 200 runs of four classifiers, one of them with a tail of small values."""
    rng = np.random.default_rng(4)
    spread = rng.normal(0, 0.02, (200, 4))
    spread[:, 3] = 0.02 - rng.gamma(1.2, 0.02, 200)
    return np.array([0.84, 0.845, 0.86, 0.85]) + spread


RUNS = ["naive Bayes", "nearest neighbour", "random forest", "decision tree"]


def folds() -> dict[str, list[object]]:
    """Return accuracies of four classifiers in the ten folds of one dataset."""
    rng = np.random.default_rng(7)
    scores = rng.normal(0.8, 0.03, (10, 1)) + rng.normal([0.0, 0.01, 0.05, 0.06], 0.015, (10, 4))
    rows = [("iris", name, fold, scores[fold, i]) for fold in range(10) for i, name in enumerate(RUNS)]
    return dict(zip(("dataset", "classifier", "fold", "accuracy"), map(list, zip(*rows, strict=True)), strict=True))


def reliability() -> Axes:
    """Plot the reliability diagram of probabilities that are too small below 0.5 and too large above."""
    rng = np.random.default_rng(3)
    probability = rng.beta(1, 1.3, 400)
    positive = rng.random(400) < 0.2 + 0.6 * probability
    return plot.reliability_diagram(reliability_curve(positive, probability))


def subgroups() -> Axes:
    """Plot the differences of two models of the same accuracy, one of which is better in one language."""
    rng = np.random.default_rng(5)
    language = rng.choice(["Dutch", "English", "French", "German", "Greek"], 900, p=[0.1, 0.4, 0.25, 0.2, 0.05])
    new = rng.random(900) < np.where(language == "French", 0.95, 0.75)
    return plot.subgroup_differences(subgroup_test(new, rng.random(900) < 0.75, language), ["new", "old"])


def density() -> Axes:
    """Draw the posterior of a mean difference."""
    x, y = [0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83]
    result = bayes_correlated_ttest(x, y, rope=0.01, n_train=80, n_test=20)
    return plot.posterior(result, names=("SVM", "naive Bayes"))


def triangle() -> Axes:
    """Plot the posterior of three outcomes."""
    forest, svm = (CLASSIFIERS.select([name]).scores[:, 0] for name in ("Random Forest", "SVM"))
    return plot.posterior(
        bayes_sign_test(forest, svm, rope=1, n_simulations=5000, rng=0), names=("Random Forest", "SVM")
    )


# from rare to frequent: the cases of a class, and of the others
TASKS = {
    "many classes": np.array([[2 ** (i / 3 + 4), 11_000 - 2 ** (i / 3 + 4)] for i in range(24)]).round(),
    "texts": np.array([[15, 1489], [38, 1466], [120, 1384], [300, 1204]]),
    "medical": np.array([[25, 47], [81, 225], [148, 207]]),
}
TASK = "breast cancer: malignant"


def cases() -> Predictions:
    """Return the scores of three classifiers on one dataset."""
    return read_predictions(example_path("sklearn-predictions")).select([TASK], ["logistic", "naive Bayes", "tree"])


def two_curves() -> CurveDifference:
    """Compare the cost curves of two classifiers."""
    own = [cases().select([TASK], [name]) for name in ("naive Bayes", "tree")]
    y_true = own[0].y_true == own[0].labels.index(own[0].positives[0])
    return curve_difference(y_true, own[0].y_score, own[1].y_score)


def crossing_curves() -> LearningCurveTestResult:
    """Compare two learning curves that cross, over 10 splits of 1,000 instances."""
    rng, n_train = np.random.default_rng(4), np.array([25, 50, 100, 200, 400, 800])
    means = np.array([0.86 - 0.9 * n_train**-0.5, 0.95 - 2.2 * n_train**-0.5])
    spread = rng.normal(0, 0.012, (2, 10, 1)) + rng.normal(0, 0.008, (2, 10, 6))
    x, y = means[:, None] + spread
    return learning_curve_test(x, y, n_train=n_train, n_test=200, n_instances=1000)


def uncalibrated() -> Axes:
    """Plot the folds of a classifier with another scale in each fold, as in Forman and Scholz (2010)."""
    rng = np.random.default_rng(3)
    y_true = np.tile(rng.permuted(np.arange(250) < 25), 4)
    fold = np.repeat([1, 2, 3, 4], 250)
    logit = rng.normal(0, 1, 1000) + 2.5 * y_true + np.array([-3.0, -2.5, -1.0, 0.5])[fold - 1]
    return plot.fold_rate_curves(y_true, 1 / (1 + np.exp(-logit)), fold)


@cache
def all_pairs() -> PosteriorResult:
    """Return the posterior of all pairs of four classifiers over datasets."""
    return bayes_pairwise_signed_rank_test(CLASSIFIERS.scores, rope=1, n_simulations=20_000)


@cache
def challenge() -> pd.DataFrame:
    """Return scores of six algorithms on 60 cases of a challenge."""
    better = np.array([0.09, 0.07, 0.06, 0.0, -0.02, -0.05])
    scores = np.clip(0.7 + np.random.default_rng(1).normal(size=(60, 6)) * 0.12 + better, 0, 1)
    return pd.DataFrame(scores, columns=["nnU-Net", "Swin", "TransUNet", "DeepLab", "FCN", "atlas"])


PICTURES: dict[str, Callable[[], Axes]] = {
    "pvalue-heatmap": lambda: plot.pvalue_heatmap(compare(CLASSIFIERS)),
    "pvalue-heatmap-control": lambda: plot.pvalue_heatmap(compare(TREES, control="C4.5")),
    "win-matrix": lambda: plot.win_matrix(compare(CLASSIFIERS)),
    "multi-comparison-matrix": lambda: plot.multi_comparison_matrix(compare(CLASSIFIERS)),
    "rank-distribution": lambda: plot.rank_distribution(compare(CLASSIFIERS)),
    "podium-frequencies": lambda: plot.podium_frequencies(ranking_stability(challenge())),
    "rank-frequencies": lambda: plot.rank_frequencies(ranking_stability(challenge())),
    "ranking-correlations": lambda: plot.ranking_correlations(
        consensus_ranking(challenge(), np.repeat(["liver", "kidney", "spleen"], 20))
    ),
    "significance-map": lambda: plot.significance_map(ranking_stability(challenge())),
    "scatter": lambda: plot.scatter(TREES, "C4.5", "C4.5+m", n_labels=5),
    "effect-sizes": lambda: plot.effect_sizes(compare(CLASSIFIERS)),
    "difference-intervals": lambda: plot.difference_intervals(compare(folds())),
    "posterior-density": density,
    "posterior-triangle": triangle,
    "critical-difference-diagram": lambda: plot.critical_difference_diagram(compare(CLASSIFIERS)),
    "multiple-comparisons-with-best": lambda: plot.multiple_comparisons_with_best(
        compare(CLASSIFIERS, posthoc="nemenyi")
    ),
    "ranked-list": lambda: plot.ranked_list(compare(CLASSIFIERS)),
    "performance-profile": lambda: plot.performance_profile(CLASSIFIERS),
    "scores-by-dataset": lambda: plot.scores_by_dataset(CLASSIFIERS),
    "ranks-by-metric": lambda: plot.ranks_by_metric(
        compare(example_path("sklearn-predictions"), metric=["accuracy", "roc_auc", "brier", "f1"])
    ),
    "fold-distributions": lambda: plot.fold_distributions(read_table(folds())),
    "fold-distributions-violin": lambda: plot.fold_distributions(read_table(folds()), kind="violin"),
    "posterior-heatmap": lambda: plot.posterior_heatmap(all_pairs(), CLASSIFIERS.classifiers, unit="%"),
    "posterior-heatmap-rope": lambda: plot.posterior_heatmap(
        all_pairs(), CLASSIFIERS.classifiers, region="rope", unit="%"
    ),
    "pairwise-posteriors": lambda: plot.pairwise_posteriors(all_pairs(), CLASSIFIERS.classifiers, unit="%"),
    "roc-curves": lambda: plot.roc_curves(cases(), dataset=TASK),
    "reliability-diagram": reliability,
    "subgroup-differences": subgroups,
    "precision-recall-curves": lambda: plot.precision_recall_curves(cases(), dataset=TASK),
    "cost-curves": lambda: plot.cost_curves(cases(), dataset=TASK),
    "gain-curves": lambda: plot.gain_curves(cases(), dataset=TASK),
    "lift-curves": lambda: plot.lift_curves(cases(), dataset=TASK),
    "curve-difference": lambda: plot.curve_difference(two_curves(), ["naive Bayes", "tree"]),
    "learning-curves": lambda: plot.learning_curves(crossing_curves(), ["logistic regression", "boosting"]),
    "decision-curves": lambda: plot.decision_curves(cases(), dataset=TASK),
    "f-score-contours": lambda: plot.f_score_contours(classifiers={"A": (0.9, 0.5), "B": (0.65, 0.7)}),
    "f-score-contours-rates": lambda: plot.f_score_contours(
        "roc", max_fpr=0.1, classifiers={"A": (0.001, 0.5), "B": (0.004, 0.7)}
    ),
    "class-imbalance": lambda: plot.class_imbalance(TASKS),
    "fold-rate-curves": uncalibrated,
    "running-means": lambda: plot.running_means(repeated_runs(), RUNS, metric="accuracy"),
    "run-histograms": lambda: plot.run_histograms(repeated_runs(), RUNS, metric="accuracy"),
}


def draw(folder: Path) -> None:
    """Save every figure without the date, so the same numbers give the same file."""
    with mpl.rc_context({**mpl.rcParamsDefault, "backend": "agg", **STYLE}):
        for name, picture in PICTURES.items():
            figure = picture().figure
            figure.savefig(folder / f"plot-{name}.svg", metadata={"Date": None})
            plt.close(figure)


if __name__ == "__main__":
    draw(HERE)
