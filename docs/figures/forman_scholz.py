"""Draw the figures of docs/replication-forman-scholz-2010.md: ``python docs/figures/forman_scholz.py``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FuncFormatter

from evalstats.metrics import forman_scholz_simulation
from evalstats.metrics.fold_checks import empty_fold_probability

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HERE = Path(__file__).parent

# colors of Okabe & Ito (2008), which color-blind readers can tell apart
LINES = {
    "tp_fp": ("F of the summed counts", {"color": "black", "linewidth": 2}),
    "mean": ("mean of F, undefined as 0", {"color": "#D55E00", "marker": "o"}),
    "mean_skip": (
        "mean of F, undefined left out",
        {"color": "#D55E00", "linestyle": "--", "marker": "o", "mfc": "white"},
    ),
    "precision_recall": ("F of mean rates, undefined as 0", {"color": "#0072B2", "marker": "s"}),
    "precision_recall_skip": (
        "F of mean rates, undefined left out",
        {"color": "#0072B2", "linestyle": "--", "marker": "s", "mfc": "white"},
    ),
}
GRID = np.arange(60, 96) / 100
PERCENT = FuncFormatter(lambda value, _: f"{100 * value:+g}%" if value else "0")


def draw(axes: Axes, x: np.ndarray, values: object, markers: slice | None = None) -> None:
    """Plot one line for each aggregation."""
    for way, (label, style) in LINES.items():
        usual = {"markersize": 4, "linewidth": 1.2, "markevery": markers}
        axes.plot(x, getattr(values, way), label=label, **{**usual, **style})
    axes.axhline(0, color="grey", linewidth=0.5, zorder=0)
    axes.spines[["top", "right"]].set_visible(False)


def legend(figure: Figure, axes: Axes) -> None:
    """Put one legend below all panels."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=8)


def save(figure: Figure, name: str) -> None:
    """Save the figure without the date, so the same numbers give the same file."""
    figure.savefig(HERE / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


def bias_by_class_balance() -> None:
    """Figures 4 and 5."""
    figure, panels = plt.subplots(1, 2, figsize=(8, 3.8), layout="constrained")
    for axes, stratified, percent in zip(panels, (True, False), (range(1, 6), range(1, 11)), strict=True):
        result = forman_scholz_simulation(list(percent), stratified=stratified)
        draw(axes, np.array(percent), result.relative_bias)
        axes.set(title="stratified (Figure 4)" if stratified else "at random (Figure 5)", xlabel="positives, %")
        axes.yaxis.set_major_formatter(PERCENT)
    panels[0].set_ylabel("relative bias, true F of 80%")
    legend(figure, panels[0])
    save(figure, "forman-scholz-bias-by-class-balance")


def bias_by_f() -> None:
    """Figures 6 and 7."""
    figure, rows = plt.subplots(2, 3, figsize=(9, 6), layout="constrained")
    for panels, stratified in zip(rows, (True, False), strict=True):
        result = forman_scholz_simulation([1, 5, 25], GRID, stratified=stratified)
        for i, (axes, percent) in enumerate(zip(panels, (1, 5, 25), strict=True)):
            draw(axes, GRID, at(result.relative_bias, i), slice(0, None, 5))
            word = "stratified" if stratified else "at random"
            axes.set(title=f"{word}, {percent}% positives", xlabel="true F")
            axes.yaxis.set_major_formatter(PERCENT)
        panels[0].set_ylabel("relative bias")
    legend(figure, rows[0, 0])
    save(figure, "forman-scholz-bias-by-f")


def sd_by_f() -> None:
    """Figure 8, relative to the summed counts, because the lines of the paper cannot be distinguished."""
    figure, panels = plt.subplots(1, 3, figsize=(9, 3.6), layout="constrained")
    result = forman_scholz_simulation([1, 5, 25], GRID)
    for i, (axes, percent) in enumerate(zip(panels, (1, 5, 25), strict=True)):
        sd = at(result.sd, i)
        ratio = type(sd)(**{way: getattr(sd, way) / sd.tp_fp - 1 for way in LINES})
        draw(axes, GRID, ratio, slice(0, None, 5))
        axes.set(title=f"{percent}% positives", xlabel="true F")
        axes.yaxis.set_major_formatter(PERCENT)
    panels[0].set_ylabel("sd, compared with the summed counts")
    legend(figure, panels[0])
    save(figure, "forman-scholz-sd")


def empty_folds() -> None:
    """Figure 9."""
    figure, axes = plt.subplots(figsize=(6, 3.4), layout="constrained")
    positives = np.arange(1, 151)
    for n_cross_validations, label, style in ((1, "one cross-validation", "-"), (1000, "at least one of 1000", "--")):
        axes.plot(
            positives,
            empty_fold_probability(positives, 10, n_cross_validations=n_cross_validations),
            style,
            color="black",
            label=label,
        )
    axes.set(
        xlabel="positive cases", ylabel="probability", title="some of 10 random folds has no positive case (Figure 9)"
    )
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    save(figure, "forman-scholz-empty-folds")


def at(values: object, i: int) -> object:
    """Return one row for each aggregation."""
    return type(values)(**{way: getattr(values, way)[i] for way in LINES})


if __name__ == "__main__":
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "forman-scholz", "font.size": 9, "axes.titlesize": 9})
    for figure in (bias_by_class_balance, bias_by_f, sd_by_f, empty_folds):
        figure()
