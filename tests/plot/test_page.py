"""Every plot fits a page and is legible, at 2 to 60 classifiers, with long names, names without a break and Chinese."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.text import Text

import evalstats
from evalstats import bayes, compare, metrics, multiple, paired, plot
from evalstats.agreement import alternative_annotator_test
from evalstats.plot.style import PAGE_WIDTH, READABLE_FONT
from evalstats.tables.score_table import ScoreTable

Names = Sequence[str]


def _long(i: int) -> str:
    return f"gradient-boosting-depth-{i:02d}-learning-rate-0.{i:02d}" if i % 2 else f"net {i}"


NAMES: dict[str, Callable[[int], str]] = {
    "long names": _long,
    "names without a break": lambda i: "abcdefghijklmnopqrstuvwxyz"[i % 26 :] * 2 + f"{i:02d}" + "w" * 20,
    "names that differ at the end": lambda i: "convolutional network, 12 layers, no augmentation, seed " + f"{i:02d}",
    "names that differ in the middle": lambda i: (
        "convolutional network, seed " + f"{i:02d}" + ", 12 layers, no pretraining"
    ),
    "Chinese names": lambda i: f"梯度提升决策树模型第{i:02d}号深度学习率调整后的版本",
}


@cache
def _scores(k: int, n: int = 12) -> np.ndarray:
    rng = np.random.default_rng(1)
    return 0.7 + 0.1 * rng.random((n, 1)) + rng.normal(0, 0.03, (n, k)) + np.linspace(0, 0.1, k)


@cache
def _table(names: Names) -> ScoreTable:
    scores = _scores(len(names))
    return ScoreTable(
        scores=scores,
        datasets=tuple(f"data {name}" for name in names[:12]) + tuple(map(str, range(len(names), 12))),
        classifiers=names,
    )


@cache
def _compared(names: Names, **choices: Any) -> Any:
    return compare(_table(names), **choices)


def _columns(names: Names, units: str, values: np.ndarray, **more: Any) -> dict[str, list[Any]]:
    rows = [(name, f"{units} {i}", float(values[i, j])) for j, name in enumerate(names) for i in range(len(values))]
    return dict(zip(("classifier", units, "score"), map(list, zip(*rows, strict=True)), strict=True)) | more


@cache
def _of_folds(names: Names) -> Any:
    return compare({**_columns(names, "fold", _scores(len(names), 10)), "dataset": ["iris"] * 10 * len(names)})


@cache
def _of_questions(names: Names) -> Any:
    right = np.random.default_rng(2).choice([0, 0.5, 1], (30, len(names)))
    data = _columns(names, "question", right)
    return compare({"model": data["classifier"], "question": data["question"], "score": data["score"]})


@cache
def _of_battles(names: Names) -> Any:
    pairs = [
        pair
        for pair in itertools.permutations(names, 2)
        if (names.index(pair[0]) - names.index(pair[1])) % len(names) in (1, 2, len(names) - 1)
    ]
    winners = ["model_a", "tie", "model_b"]
    rows = [(a, b, winners[(i + turn) % 3]) for i, (a, b) in enumerate(pairs) for turn in range(3)]
    return compare(dict(zip(("model_a", "model_b", "winner"), map(list, zip(*rows, strict=True)), strict=True)))


@cache
def _labels(n: int = 60) -> np.ndarray:
    return np.arange(n) % 2


@cache
def _probabilities(names: Names) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    return {name: np.clip(0.3 + 0.4 * _labels() + rng.normal(0, 0.25, 60), 0.01, 0.99) for name in names}


@cache
def _by_metric(names: Names) -> Any:
    rows = {"dataset": [], "classifier": [], "accuracy": [], "auc": [], "f1": []}
    for j, name in enumerate(names):
        for i in range(12):
            values = _scores(len(names))[i, j], _scores(len(names))[-i, -j], _scores(len(names))[i, -j]
            for key, value in zip(rows, (f"data {i}", name, *values), strict=True):
                rows[key].append(value)
    return compare(rows, metric=["accuracy", "auc", "f1"])


@cache
def _stable(names: Names) -> Any:
    return multiple.ranking_stability(pd.DataFrame(_scores(len(names)), columns=list(names)), n_resamples=200)


@cache
def _posterior(names: Names) -> Any:
    return bayes.bayes_pairwise_signed_rank_test(_scores(len(names)), rope=0.01, n_simulations=500)


def _projected(names: Names) -> Any:
    return multiple.project_vectors(_scores(len(names)).T, classifiers=list(names), ideal=np.ones(12))


PLOTS: dict[str, Callable[[Names], Axes]] = {
    "annotator_margins": lambda names: plot.annotator_margins(
        alternative_annotator_test([[1, 1], [0, 0], [1, 0], [1, 1]], [1, 0, 0, 1], min_instances=4)
    ),
    "battle_strengths": lambda names: plot.battle_strengths(_of_battles(names)),
    "class_imbalance": lambda names: plot.class_imbalance(
        {name: [0] * (9 + i) + [1] * 5 for i, name in enumerate(names)}
    ),
    "classifier_projection": lambda names: plot.classifier_projection(_projected(names)),
    "cost_curves": lambda names: plot.cost_curves(_labels(), _probabilities(names), n_resamples=50),
    "critical_difference_diagram": lambda names: plot.critical_difference_diagram(_compared(names)),
    "curve_difference": lambda names: plot.curve_difference(
        paired.curve_difference(_labels(), *list(_probabilities(names).values())[:2], curve="roc", n_resamples=100),
        names[:2],
    ),
    "decision_curves": lambda names: plot.decision_curves(_labels(), _probabilities(names)),
    "difference_intervals": lambda names: plot.difference_intervals(_of_folds(names)),
    "effect_sizes": lambda names: plot.effect_sizes(_compared(names)),
    "f_score_contours": lambda names: plot.f_score_contours(classifiers={names[0]: (0.3, 0.6), names[1]: (0.8, 0.2)}),
    "fold_distributions": lambda names: plot.fold_distributions(_of_folds(names)),
    "fold_rate_curves": lambda names: plot.fold_rate_curves(
        np.tile([0, 1], 4 * len(names)), np.random.default_rng(4).random(8 * len(names)), np.repeat(names, 8)
    ),
    "gain_curves": lambda names: plot.gain_curves(_labels(), _probabilities(names), n_resamples=50),
    "learning_curves": lambda names: plot.learning_curves(
        paired.learning_curve_test(*_scores(8).reshape(2, 12, 4), n_train=[10, 20, 40, 80], n_test=40), names[:2]
    ),
    "lift_curves": lambda names: plot.lift_curves(_labels(), _probabilities(names), n_resamples=50),
    "margin_intervals": lambda names: plot.margin_intervals(_compared(names[:45], margin=0.02, control=names[0])),
    "multi_comparison_matrix": lambda names: plot.multi_comparison_matrix(_compared(names), max_shown=len(names)),
    "multiple_comparisons_with_best": lambda names: plot.multiple_comparisons_with_best(_compared(names)),
    "pairwise_posteriors": lambda names: plot.pairwise_posteriors(_posterior(names), names),
    "performance_profile": lambda names: plot.performance_profile(_compared(names)),
    "podium_frequencies": lambda names: plot.podium_frequencies(_stable(names)),
    "posterior": lambda names: plot.posterior(
        bayes.bayes_signed_rank_test(*_scores(2).T, rope=0.01, n_simulations=500), names=names[:2]
    ),
    "posterior_heatmap": lambda names: plot.posterior_heatmap(_posterior(names), names),
    "precision_recall_curves": lambda names: plot.precision_recall_curves(
        _labels(), _probabilities(names), n_resamples=50
    ),
    "pvalue_heatmap": lambda names: plot.pvalue_heatmap(_compared(names)),
    "rank_distribution": lambda names: plot.rank_distribution(_compared(names), n_resamples=200),
    "rank_frequencies": lambda names: plot.rank_frequencies(_stable(names)),
    "ranked_list": lambda names: plot.ranked_list(_compared(names), n_resamples=200),
    "ranking_correlations": lambda names: plot.ranking_correlations(dict.fromkeys(names, _stable(names))),
    "ranks_by_metric": lambda names: plot.ranks_by_metric(_by_metric(names)),
    "reliability_diagram": lambda names: plot.reliability_diagram(
        {
            name: metrics.reliability_curve(_labels(), p, n_resamples=99)
            for name, p in list(_probabilities(names).items())[:8]
        }
    ),
    "roc_curves": lambda names: plot.roc_curves(_labels(), _probabilities(names), n_resamples=50),
    "run_histograms": lambda names: plot.run_histograms(_scores(len(names)), names),
    "running_means": lambda names: plot.running_means(_scores(len(names)), names),
    "scatter": lambda names: plot.scatter(_table(names), *names[:2], n_labels=5),
    "score_intervals": lambda names: plot.score_intervals(_of_questions(names)),
    "scores_by_dataset": lambda names: plot.scores_by_dataset(_table(names)),
    "significance_map": lambda names: plot.significance_map(_stable(names)),
    "subgroup_differences": lambda names: plot.subgroup_differences(
        paired.subgroup_test(np.tile([1, 0, 1, 1], len(names)), np.tile([0, 0, 1, 0], len(names)), np.repeat(names, 4)),
        names[:2],
    ),
    "win_matrix": lambda names: plot.win_matrix(_compared(names)),
}


def _exported() -> set[str]:
    stub = Path(plot.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    return {line.rpartition(" as ")[2].strip() for line in stub.splitlines() if " as " in line} - {"save"}


def test_every_plot_of_the_stub_is_drawn() -> None:
    assert set(PLOTS) == _exported()


def _drawn(name: str, names: Names) -> Axes:
    mpl.use("agg")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", evalstats.EvalstatsWarning)
        warnings.filterwarnings("ignore", "Glyph")
        ax = PLOTS[name](names)
        ax.figure.draw_without_rendering()
    return ax


# the short run has one list of names of all kinds
def _mixed(i: int) -> str:
    return list(NAMES.values())[i % len(NAMES)](i)


CASES = [
    pytest.param(kind, k, marks=[] if (kind, k) == ("all kinds", 12) else [pytest.mark.long], id=f"{kind}-{k}")
    for kind in ("all kinds", *NAMES)
    for k in (2, 12, 30, 60)
]


@pytest.mark.sampled
@pytest.mark.filterwarnings("ignore:Glyph")  # a machine may have no font with Chinese letters
@pytest.mark.parametrize(("kind", "k"), CASES)
@pytest.mark.parametrize("name", PLOTS)
def test_new_figure_fits_a_page_and_is_legible(name: str, kind: str, k: int, assert_legible: Any) -> None:
    """No text leaves the figure, covers another or is smaller than 6 points; the figure is no wider than a page."""
    names = tuple((_mixed if kind == "all kinds" else NAMES[kind])(i) for i in range(k))
    ax = _drawn(name, names)

    assert ax.figure.get_size_inches()[0] <= PAGE_WIDTH + 1e-9
    texts = [text for text in ax.figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
    assert min(text.get_fontsize() for text in texts) >= READABLE_FONT - 1e-9
    assert_legible(ax)
