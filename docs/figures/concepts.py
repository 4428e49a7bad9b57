"""Plot the figures of docs/concepts, one idea each: ``python docs/figures/concepts.py``."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from scipy import stats

from evalstats import (
    adjust_pvalues,
    clustered_ttest,
    compare,
    critical_difference,
    equivalence_test,
    example_table,
    overlap,
    plot,
    statistical_power,
    wilcoxon_test,
)
from evalstats.paired import sequential_sign_test

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HERE = Path(__file__).parent
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "concepts",
    "font.size": 9,
    "figure.facecolor": "white",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
}
BLUE, ORANGE, GREEN, PINK, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#999999"  # Okabe & Ito (2008)
FOUR = dict(zip("osD^", (BLUE, ORANGE, GREEN, PINK), strict=True))


def panels(n: int, height: float = 2.7, **options: object) -> tuple[Figure, list[Axes]]:
    """Return a figure with some axes side by side."""
    figure, axes = plt.subplots(1, n, figsize=(7, height), layout="constrained", squeeze=False, **options)
    return figure, list(axes[0])


def ranks() -> Figure:
    """Plot the scores of four classifiers on ten datasets, and their ranks."""
    table = example_table("japkowicz-accuracy")
    places = stats.rankdata(-table.scores, axis=1)
    figure, (left, right) = panels(2, 3.2, sharey=True)
    rows = np.arange(len(table.datasets))
    for column, (marker, color) in enumerate(FOUR.items()):
        left.plot(table.scores[:, column], rows, marker, color=color, label=table.classifiers[column])
        right.plot(places[:, column], rows, marker, color=color)
        right.plot(places[:, column].mean(), len(rows) + 0.6, marker, color=color, markersize=8)
    left.set(xlabel="accuracy, %", title="scores: each dataset has its own level")
    left.set_yticks([*rows, len(rows) + 0.6], [*table.datasets, "mean rank"])
    left.invert_yaxis()
    right.set(xlabel="rank, 1 is the best", title="ranks: only the order matters", xticks=[1, 2, 3, 4])
    right.axhline(len(rows) - 0.2, color=GREY, linewidth=0.8)
    figure.legend(loc="outside lower center", ncols=4, frameon=False)
    return figure


def ties() -> Figure:
    """Plot five scores, two of them equal, and their ranks."""
    scores = np.array([0.90, 0.84, 0.84, 0.81, 0.78])
    places = stats.rankdata(-scores)
    figure, (ax,) = panels(1, 1.6)
    heights = [0, 0.12, -0.12, 0, 0]
    ax.plot(scores, heights, "o", color=BLUE, markersize=9)
    for score, place, height in zip(scores, places, heights, strict=True):
        ax.annotate(f"rank {place:g}", (score, height + 0.16 * (1 if height >= 0 else -1.9)), ha="center")
    ax.annotate("ranks 2 and 3: both get (2 + 3) / 2", (0.84, -0.46), ha="center", color=ORANGE)
    ax.set(xlabel="score", ylim=(-0.55, 0.4), yticks=[], xlim=(0.92, 0.76))
    ax.spines["left"].set_visible(False)
    return figure


def differences() -> np.ndarray:
    """Return the nonzero differences of two classifiers over datasets."""
    table = example_table("demsar-2006").select(["C4.5+m", "C4.5+cf"])
    differences = np.diff(table.scores, axis=1)[:, 0]
    return differences[differences != 0].round(6)


def p_value() -> Figure:
    """Plot the null distribution of the sum of positive ranks, and the proportion of extreme sums."""
    observed = differences()
    sizes = stats.rankdata(abs(observed))
    sums = np.array(list(product((0, 1), repeat=len(sizes)))) @ sizes
    result = wilcoxon_test(observed, np.zeros_like(observed))
    far = abs(sums - sizes.sum() / 2) >= abs(result.statistic - sizes.sum() / 2) - 1e-9
    figure, (ax,) = panels(1)
    edges = np.arange(-0.25, sizes.sum() + 0.75, 1.5)
    ax.hist(
        [sums[~far], sums[far]],
        bins=edges,
        stacked=True,
        color=["#cfcfcf", ORANGE],
        weights=[np.full(n.sum(), 1 / len(sums)) for n in (~far, far)],
    )
    ax.axvline(result.statistic, color=BLUE)
    top = ax.get_ylim()[1]
    ax.annotate(f" observed: {result.statistic:g}", (result.statistic, top), va="top", color=BLUE)
    ax.set(
        xlabel=f"sum of the ranks of the datasets won, in all {len(sums):,} equally likely arrangements of the signs",
        ylabel="proportion",
        title=f"p = {result.pvalue:.3g}: the orange proportion, at least as extreme as observed",
    )
    return figure


def power_of_size() -> Figure:
    """Plot the power by the number of datasets."""
    figure, (ax,) = panels(1)
    numbers = [*range(3, 21), *range(22, 101, 3)]
    for effect, color in ((0.8, BLUE), (0.5, ORANGE), (0.2, GREEN)):
        found = [statistical_power("paired-t", n=n, effect=effect).power for n in numbers]
        ax.plot(numbers, found, color=color, label=f"{effect:g} standard deviations")
    ax.legend(frameon=False, title="true difference", loc="center right")
    ax.axhline(0.8, color=GREY, linestyle="--", linewidth=0.8)
    ax.set(xlabel="datasets", ylabel="power", xlim=(0, 100), ylim=(0, 1.02))
    return figure


def adjustment() -> Figure:
    """Plot the family-wise error rate of many tests, and adjusted p-values."""
    figure, (left, right) = panels(2)
    tests = np.arange(1, 46)
    left.plot(tests, 1 - 0.95**tests, color=ORANGE)
    left.plot(tests, 1 - (1 - 0.05 / tests) ** tests, color=BLUE)
    left.annotate("each at 0.05", (22, 0.6), color=ORANGE)
    left.annotate("each at 0.05 / tests", (16, 0.09), color=BLUE)
    left.set(xlabel="independent true null hypotheses", ylabel="family-wise error rate", ylim=(0, 1))
    pvalues = np.array([0.001, 0.008, 0.012, 0.014, 0.03, 0.045])
    order = np.arange(1, len(pvalues) + 1)
    for values, marker, color, label in (
        (pvalues, "o", GREY, "as computed"),
        (adjust_pvalues(pvalues, "holm"), "D", BLUE, "Holm"),
        (adjust_pvalues(pvalues, "bonferroni"), "s", ORANGE, "Bonferroni"),
    ):
        right.plot(order, values, marker, color=color, label=label)
    right.axhline(0.05, color="black", linewidth=0.8)
    right.set(xlabel="pairs, by their p-values", ylabel="p-value", xticks=order, ylim=(0, 0.3))
    right.legend(frameon=False)
    return figure


def critical_differences() -> Figure:
    """Plot the critical difference by the number of datasets."""
    figure, (ax,) = panels(1)
    numbers = np.arange(5, 101)
    for k, color in ((10, PINK), (5, GREEN), (4, ORANGE), (3, BLUE)):
        needed = [critical_difference(int(n), k) for n in numbers]
        ax.plot(numbers, needed, color=color, label=f"{k} classifiers")
    ax.legend(frameon=False)
    ax.set(xlabel="datasets", ylabel="critical difference", xlim=(0, 100), ylim=(0, 6.3))
    return figure


def critical_difference_diagram() -> Figure:
    """Plot the diagram of four classifiers."""
    return plot.critical_difference_diagram(compare(example_table("japkowicz-accuracy"), posthoc="nemenyi")).figure


def correlated_folds() -> Figure:
    """Plot the overlap of training sets, and the type-I error rate of a test that ignores it."""
    figure, (left, right) = panels(2)
    blocks = np.ones((10, 10)) - np.eye(10)
    left.imshow(blocks, cmap=mpl.colors.ListedColormap([ORANGE, "#9ecae1"]), aspect="auto")
    left.set(xlabel="tenths of the data", ylabel="fold", xticks=[], yticks=range(10), yticklabels=range(1, 11))
    left.set_title("trained on blue, tested on orange")
    repeats = np.arange(1, 31)
    scores = 10 * repeats
    widened = np.sqrt(1 + scores / 9)  # Nadeau & Bengio (2003): 1/J becomes 1/J + n_test/n_train
    rejected = 2 * stats.t.sf(stats.t.isf(0.025, scores - 1) / widened, scores - 1)
    right.plot(repeats, rejected, color=ORANGE)
    right.axhline(0.05, color=BLUE)
    right.annotate("t-test that treats\nfolds as independent", (29, 0.3), color=ORANGE, ha="right")
    right.annotate("corrected t-test", (29, 0.07), color=BLUE, ha="right")
    right.set(xlabel="repeats of ten folds", ylabel="type-I error rate", ylim=(0, 1))
    return figure


def overlapping_runs() -> Figure:
    """Plot the scores of two classifiers over many runs, and how often the better classifier wins."""
    rng = np.random.default_rng(3)
    figure, axes = panels(2, sharey=True)
    for ax, distance in zip(axes, (0.002, 0.02), strict=True):
        x, y = rng.normal(0.84 + distance, 0.01, 400), rng.normal(0.84, 0.01, 400)
        result = overlap(x, y)
        edges = np.linspace(0.80, 0.90, 41)
        ax.hist(x, edges, color=BLUE, alpha=0.7)
        ax.hist(y, edges, color=ORANGE, alpha=0.7)
        ax.set(xlabel="score of one run", yticks=[])
        ax.set_title(f"better in {result.win_share:.0%} of the runs: reproducibility {result.reproducibility:.2f}")
    return figure


def equivalence() -> Figure:
    """Plot four intervals and a margin: different, equivalent, both, and neither."""
    rng = np.random.default_rng(0)
    figure, (ax,) = panels(1, 2.4)
    ax.axvspan(-0.01, 0.01, color="#e6e6e6")
    ax.axvline(0, color=GREY, linewidth=0.8)
    names = []
    for row, (mean, spread) in enumerate(((0.025, 0.015), (0.001, 0.008), (0.005, 0.006), (0.006, 0.03))):
        noise = rng.normal(0, 1, 20)
        values = mean + spread * (noise - noise.mean()) / noise.std()
        zeros = np.zeros_like(values)
        is_different = wilcoxon_test(values, zeros).pvalue <= 0.05
        is_equivalent = equivalence_test(values, zeros, margin=0.01).pvalue <= 0.05
        low, high = wilcoxon_test(values, zeros).confidence_interval(0.90)
        ax.plot([low, high], [row, row], color=BLUE, linewidth=2)
        ax.plot(np.median(values), row, "o", color=BLUE)
        names.append(
            {
                (True, False): "different, not equivalent",
                (False, True): "equivalent, no difference shown",
                (True, True): "different and equivalent: too small to matter",
                (False, False): "neither is shown: more data",
            }[bool(is_different), bool(is_equivalent)]
        )
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.set(xlabel="difference with its 90% interval; gray: margin of 0.01")
    return figure


def clusters() -> Figure:
    """Plot the differences of two models on questions about passages, and their intervals."""
    rng = np.random.default_rng(16)
    passages = rng.normal(0.08, 0.2, (12, 1))
    values = np.clip(passages + rng.normal(0, 0.25, (12, 8)), -1, 1)
    groups = np.repeat(np.arange(12), 8)
    figure, (left, right) = panels(2, width_ratios=[3, 2])
    image = left.imshow(values.T, cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
    figure.colorbar(image, ax=left, label="difference")
    left.set(xlabel="passage", ylabel="question", xticks=range(12), xticklabels=range(1, 13), yticks=[])
    flat, zeros = values.ravel(), np.zeros(values.size)
    for row, (label, result) in enumerate(
        (
            ("96 questions", clustered_ttest(flat, zeros)),
            ("12 passages", clustered_ttest(flat, zeros, clusters=groups)),
        )
    ):
        low, high = result.confidence_interval()
        right.plot([low, high], [row, row], color=(ORANGE, BLUE)[row], linewidth=2)
        right.plot(flat.mean(), row, "o", color=(ORANGE, BLUE)[row])
        right.annotate(f"p = {result.pvalue:.2g}", (flat.mean(), row - 0.12), ha="center")
        right.annotate(f"treated as {label}", (flat.mean(), row + 0.22), ha="center")
    right.axvline(0, color=GREY, linewidth=0.8)
    right.set(xlabel="mean difference, 95% interval", yticks=[], ylim=(1.5, -0.5))
    return figure


def peeking() -> Figure:
    """Plot the p-values of repeated tests without a true difference."""
    rng = np.random.default_rng(2)
    signs = rng.integers(0, 2, (1000, 200)) * 2.0 - 1
    numbers = np.arange(1, signs.shape[1] + 1)
    wins = np.cumsum(signs > 0, axis=1)
    looked = np.minimum(1, 2 * stats.binom.cdf(np.minimum(wins, numbers - wins), numbers, 0.5))
    always = sequential_sign_test(signs, np.zeros_like(signs)).pvalues
    figure, (left, right) = panels(2)
    hit = int(np.flatnonzero((looked.min(axis=1) <= 0.05) & (looked[:, -1] > 0.2))[0])
    left.plot(numbers, looked[hit], color=ORANGE)
    left.plot(numbers, always[hit], color=BLUE)
    left.axhline(0.05, color="black", linewidth=0.8)
    left.set(xlabel="runs", ylabel="p-value", title="one experiment without a true difference", ylim=(0, 1.02))
    ways = ((looked, ORANGE, "sign test, looked at each time"), (always, BLUE, "sequential test"))
    for values, color, label in ways:
        share = (np.minimum.accumulate(values, axis=1) <= 0.05).mean(axis=0)
        right.plot(numbers, share, color=color, label=label)
    right.axhline(0.05, color="black", linewidth=0.8)
    right.set(xlabel="runs", ylabel="proportion with p ≤ 0.05 so far", title="1000 such experiments", ylim=(0, 0.4))
    right.legend(frameon=False, loc="upper left")
    return figure


PICTURES: dict[str, Callable[[], Figure]] = {
    "ranks": ranks,
    "ties": ties,
    "p-value": p_value,
    "power": power_of_size,
    "adjustment": adjustment,
    "critical-difference": critical_differences,
    "critical-difference-diagram": critical_difference_diagram,
    "correlated-folds": correlated_folds,
    "overlap": overlapping_runs,
    "equivalence": equivalence,
    "clusters": clusters,
    "peeking": peeking,
}


def draw(folder: Path) -> None:
    """Save every figure without the date, so the same numbers give the same file."""
    with mpl.rc_context({**mpl.rcParamsDefault, "backend": "agg", **STYLE}):
        for name, picture in PICTURES.items():
            figure = picture()
            figure.savefig(folder / f"concept-{name}.svg", metadata={"Date": None})
            plt.close(figure)


if __name__ == "__main__":
    draw(HERE)
