"""Draw the figures of docs/replication-raeder-2010.md, and write its tables.

It is run by ``python docs/figures/replication_raeder.py``. All come from the results in docs/replication-
raeder-2010/, which scripts/replicate_raeder.py makes.
"""

from __future__ import annotations

import hashlib
import json
import runpy
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import evalstats as ev
from evalstats.multiple.mean_ranks import dataset_ranks

HERE = Path(__file__).parent
RESULTS = HERE.parent / "replication-raeder-2010"
PAGE = HERE.parent / "replication-raeder-2010.md"
TABLES = runpy.run_path(str(HERE.parents[1] / "scripts" / "generated_tables.py"))
CURVES, BARS = HERE / "replication-raeder-2010-running-means.svg", HERE / "replication-raeder-2010-distributions.svg"

FOLDS = (2, 5, 10)
CANONICAL = {2: 5, 5: 2, 10: 1}  # runs: 5 x 2, 2 x 5 and 1 x 10 folds
PAIRS = {
    "a": "2 folds, gini and entropy",
    "b": "2 folds, NB and SVM",
    "c": "10 folds, gini and entropy",
}
# colors of Okabe & Ito (2008), which color-blind readers can tell apart; the line styles tell them apart as well
STYLES = {
    "NB": ("#0072B2", "-"),
    "MLP": ("#D55E00", "--"),
    "5-NN": ("#009E73", "-."),
    "gini": ("#CC79A7", "-"),
    "entropy": ("black", "--"),
    "SVM": ("#56B4E9", ":"),
}
# dataset, folds, classifiers, runs: the panels of the figures
CURVE_PANELS = (
    ("threenorm", 10, ("gini", "entropy"), 100),
    ("ringnorm", 10, ("gini", "entropy", "MLP"), 100),
    ("breast-cancer", 10, ("NB", "MLP", "5-NN"), 50),
    ("digits", 10, ("gini", "entropy"), 100),
)
BAR_PANELS = (
    ("wine", ("SVM", "MLP")),
    ("digits", ("5-NN", "NB")),
    ("iris", ("MLP", "SVM")),
    ("twonorm", ("gini", "entropy")),
)

Estimates = dict[tuple[int, str], np.ndarray]  # of folds and dataset: (runs, classifiers)


class Results:
    """The results of the study."""

    def __init__(self, folder: Path = RESULTS) -> None:
        rows = TABLES["read_rows"](folder / "estimates.csv")
        self.classifiers = list(rows[0])[3:]
        self.datasets = list(dict.fromkeys(row["dataset"] for row in rows))
        self.estimates: Estimates = {}
        for folds in FOLDS:
            for name in self.datasets:
                own = [row for row in rows if (row["folds"], row["dataset"]) == (str(folds), name)]
                self.estimates[folds, name] = np.array([[float(row[c]) for c in self.classifiers] for row in own])
        self.stopping = TABLES["read_rows"](folder / "stopping.csv")
        held_out = TABLES["read_rows"](folder / "held-out.csv")
        self.truth = {(row["dataset"], row["classifier"]): float(row["auroc"]) for row in held_out}
        self.about: dict[str, Any] = json.loads((folder / "study.json").read_text(encoding="utf-8"))
        self.n_runs = self.about["runs"]

    def column(self, folds: int, dataset: str, classifier: str) -> np.ndarray:
        """Return the estimates of one classifier."""
        return self.estimates[folds, dataset][:, self.classifiers.index(classifier)]

    def settled(self, classifier: str, state: str) -> np.ndarray:
        """Return the canonical or the steady-state estimates of a classifier, (datasets, 2, 5 and 10 folds)."""
        table = []
        for name in self.datasets:
            by_folds = [
                ev.reproducibility.long_run_mean(self.column(folds, name, classifier), n_canonical=CANONICAL[folds])
                for folds in FOLDS
            ]
            table.append([one.canonical if state == "canonical" else one.estimate for one in by_folds])
        return np.array(table)


# --- tables ---


def study(results: Results) -> Iterator[str]:
    """Describe the experiment."""
    about, k, n = results.about, len(results.classifiers), len(results.datasets)
    yield (
        f"The experiment has {about['runs']} runs each of stratified 2-, 5- and 10-fold cross-validation, with {k} "
        f"classifiers on {n} datasets. {about['runs'] * sum(FOLDS) * k * n:,} classifiers were trained. The versions "
        f"are scikit-learn {about['scikit-learn']}, NumPy {about['numpy']} and Python {about['python']}, and the seed "
        f"is {about['seed']}."
    )


def table_one(results: Results) -> Iterator[str]:
    """Yield the mean ranks of 2, 5 and 10 folds, bold if the Bonferroni-Dunn test rejects."""
    yield "| classifier | canonical: 2 | 5 | 10 | p | steady state: 2 | 5 | 10 | p |"
    yield "| --- |" + " --- |" * 8
    for classifier in results.classifiers:
        cells = []
        for state, control in (("canonical", 0), ("steady state", 2)):
            table = results.settled(classifier, state)
            test = ev.bonferroni_dunn_test(table, control=control)
            pvalue = ev.friedman_test(table).pvalue
            different = test.pvalue <= 0.05
            cells += [
                f"**{rank:.2f}**" if is_different else f"{rank:.2f}"
                for rank, is_different in zip(test.mean_ranks, different, strict=True)
            ]
            cells.append(_p(pvalue))
        yield f"| {classifier} | {' | '.join(cells)} |"
    cd = ev.critical_difference(len(results.datasets), 3, test="bonferroni-dunn")
    yield ""
    yield (
        f"The critical difference is {cd:.2f}. The control has 2 folds for the canonical estimates and 10 folds for "
        "the steady state. The p-values come from the exact Friedman test."
    )


def opposite_runs(results: Results, folds: int) -> tuple[tuple[int, float], tuple[int, float]]:
    """Return the run with the largest advantage of each tree, and its p-value."""
    gini, entropy = (np.array([results.column(folds, name, c) for name in results.datasets]).T for c in _TREES)
    test = ev.wilcoxon_test(gini, entropy)
    towards_gini = np.where(test.rank_biserial > 0, test.pvalue, 2 - test.pvalue)
    first, second = int(towards_gini.argmin()), int(towards_gini.argmax())
    return (first, float(test.pvalue[first])), (second, float(test.pvalue[second]))


_TREES = ("gini", "entropy")


def table_two(results: Results) -> Iterator[str]:
    """Yield two of the runs, and a summary of all runs."""
    (first, p_first), (second, p_second) = opposite_runs(results, 10)
    yield f"| dataset | run {first + 1}: gini | entropy | run {second + 1}: gini | entropy | all runs: gini | entropy |"
    yield "| --- |" + " --- |" * 6
    ranks = []
    for name in results.datasets:
        both = np.array([results.column(10, name, c) for c in _TREES]).T
        pairs = [both[first], both[second], both.mean(axis=0)]
        ranks.append([dataset_ranks(pair, True, 1e-12) for pair in pairs])
        yield f"| {name} | {' | '.join(f'{value:.4f}' for pair in pairs for value in pair)} |"
    yield f"| mean rank | {' | '.join(f'{value:.2f}' for value in np.mean(ranks, axis=0).ravel())} |"
    everything = np.array([[results.column(10, name, c).mean() for c in _TREES] for name in results.datasets])
    p_all = ev.wilcoxon_test(*everything.T).pvalue
    yield f"| Wilcoxon p | {p_first:.3f} | | {p_second:.3f} | | {p_all:.3f} | |"
    yield ""
    for folds in FOLDS:
        runs = np.stack([results.estimates[folds, name] for name in results.datasets], axis=1)
        trees = runs[:, :, [results.classifiers.index(c) for c in _TREES]]
        over = ev.reproducibility.pvalues_over_runs(trees, test="wilcoxon")
        yield (
            f"- {folds} folds: at the level 0.05, gini is significantly better in {over.n_reject_first} of "
            f"{over.n_runs} runs, and entropy in {over.n_reject_second}. "
            f"The median p-value is {over.median_pvalue:.2f}."
        )


def table_three(results: Results) -> Iterator[str]:
    """Yield the reproducibility and the number of runs of each rule."""
    rules = list(dict.fromkeys(row["rule"] for row in results.stopping))
    for panel, words in PAIRS.items():
        own = {(row["dataset"], row["rule"]): row for row in results.stopping if row["panel"] == panel}
        yield f"**({panel}) {words}**"
        yield ""
        yield "| dataset | " + " | ".join(f"R {rule}" for rule in rules) + " | runs Rank | KS-0.1 | KS-0.2 |"
        yield "| --- |" + " --- |" * (len(rules) + 3)
        for name in results.datasets:
            overlaps = [f"{float(own[name, rule]['reproducibility']):.2f}" for rule in rules]
            runs = [f"{_runs(own[name, rule], 1)}; {_runs(own[name, rule], 2)}" for rule in rules[2:]]
            yield f"| {name} | {' | '.join(overlaps + runs)} |"
        means = [
            f"{np.mean([float(own[name, rule]['reproducibility']) for name in results.datasets]):.2f}" for rule in rules
        ]
        yield f"| mean | {' | '.join(means)} | | | |"
        yield ""


def _runs(row: dict[str, str], which: int) -> str:
    """Return the mean number of runs, and in how many percent of the orders the rule did not stop."""
    missing, mean = float(row[f"not_stopped_{which}"]), row[f"mean_runs_{which}"]
    if not mean:
        return "never"
    return f"{float(mean):.0f}" + (f" ({missing:.0%} never)" if missing else "")


def tables_four_and_five(results: Results) -> Iterator[str]:
    """Yield estimates and true values."""
    generated = [name for name in results.datasets if (name, results.classifiers[0]) in results.truth]
    yield "| dataset | classifier | canonical: 2 | 5 | 10 | steady state: 2 | 5 | 10 | new instances |"
    yield "| --- | --- |" + " --- |" * 7
    estimates, truth = [], []
    for name in generated:
        for classifier in results.classifiers:
            place = results.datasets.index(name)
            values = np.concatenate([results.settled(classifier, s)[place] for s in ("canonical", "steady state")])
            estimates.append(values)
            truth.append(results.truth[name, classifier])
            yield f"| {name} | {classifier} | {' | '.join(f'{v:.3f}' for v in values)} | {truth[-1]:.3f} |"
    error = ev.reproducibility.estimation_bias(np.array(estimates).T, truth)
    for words, values in (
        ("mean absolute error", error.mean_absolute_error),
        ("root mean squared error", error.root_mean_squared_error),
        ("mean error", error.bias),
    ):
        yield f"| *{words}* | | {' | '.join(f'{v:.4f}' for v in values)} | |"


def table_skewness(results: Results) -> Iterator[str]:
    """Yield the skewness of the 2-fold estimates, bold if its interval excludes 0."""
    yield f"| dataset | {' | '.join(results.classifiers)} |"
    yield "| --- |" + " --- |" * len(results.classifiers)
    for name in results.datasets:
        cells = []
        for classifier in results.classifiers:
            found = ev.reproducibility.run_distribution(results.column(2, name, classifier), ceiling=1.0)
            low, high = found.skewness_interval()
            shown = f"{found.skewness:.2f}"
            cells.append((f"**{shown}**" if low > 0 or high < 0 else shown) + f", {found.proportion_above_mean:.0%}")
        yield f"| {name} | {' | '.join(cells)} |"


def table_overlap(results: Results) -> Iterator[str]:
    """Yield the pairs with the lowest reproducibility."""
    yield "| dataset | least reproducible pair, 10 folds | R of single runs | 95% interval | last crossing |"
    yield "| --- |" + " --- |" * 4
    for name in results.datasets:
        runs = results.estimates[10, name]
        found = ev.reproducibility.overlap_matrix(runs)
        i, j = min(combinations(range(len(results.classifiers)), 2), key=lambda pair: found.reproducibility[pair])
        low, high = (limit[i, j] for limit in found.confidence_interval())
        crossing = ev.reproducibility.running_means(runs).last_crossing[i, j]
        pair = f"{results.classifiers[i]} and {results.classifiers[j]}"
        yield f"| {name} | {pair} | {found.reproducibility[i, j]:.2f} | {low:.2f} to {high:.2f} | run {crossing} |"
    yield ""
    for folds in FOLDS:
        runs = np.stack([results.estimates[folds, name] for name in results.datasets], axis=1)
        verdict = ev.reproducibility.verdict_reproducibility(runs)
        yield (
            f"- {folds} folds: two runs have the same order of the {len(results.classifiers)} mean ranks with a "
            f"probability of {verdict.ranking_agreement:.2f}. The {verdict.n_runs} runs have {verdict.n_rankings} "
            "different orders."
        )


def _p(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else f"{value:.0e}"


BLOCKS: dict[str, Callable[[Results], Iterator[str]]] = {
    "study": study,
    "table one": table_one,
    "table two": table_two,
    "overlap": table_overlap,
    "table three": table_three,
    "tables four and five": tables_four_and_five,
    "skewness": table_skewness,
}


def page(text: str, results: Results) -> str:
    """Return the page with the tables of these results."""
    return TABLES["filled"](text, {name: "\n".join(block(results)) for name, block in BLOCKS.items()})


# --- figures ---


def origin() -> str:
    """Return the description of the data in the figures."""
    data = RESULTS / "estimates.csv"
    return f"drawn from {data.name}, SHA-256 {hashlib.sha256(data.read_bytes()).hexdigest()}"


def draw(results: Results, draw_panels: Callable[[Results, Any], None], file: Path) -> None:
    """Plot a figure of four panels."""
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": file.stem, "font.size": 9}):
        figure, axes = plt.subplots(2, 2, figsize=(8.4, 6.2), layout="constrained")
        draw_panels(results, axes.ravel())
        for axis in axes.ravel():
            axis.spines[["top", "right"]].set_visible(False)
        # without the date, so that the same numbers give the same file
        figure.savefig(file, metadata={"Date": None, "Description": origin()})
        plt.close(figure)


def curves(results: Results, axes: Any) -> None:
    """Plot the mean of the runs so far, as in Figure 1."""
    for axis, (name, folds, chosen, most) in zip(axes, CURVE_PANELS, strict=True):
        runs = np.array([results.column(folds, name, c) for c in chosen]).T
        means = ev.reproducibility.running_means(runs).means[:most]
        for classifier, values in zip(chosen, means.T, strict=True):
            color, line = STYLES[classifier]
            axis.plot(np.arange(1, len(values) + 1), values, line, color=color, linewidth=1.3, label=classifier)
        axis.set(title=f"{name}, {folds} folds", xlabel="runs", ylabel="mean AUROC so far", xlim=(0, len(means) + 1))
        axis.legend(frameon=False, fontsize=8)


def bars(results: Results, axes: Any) -> None:
    """Plot the distribution of the 2-fold estimates, as in Figure 2."""
    for axis, (name, chosen) in zip(axes, BAR_PANELS, strict=True):
        runs = np.array([results.column(2, name, c) for c in chosen]).T
        histogram = ev.reproducibility.run_histogram(runs, bins=20)
        for classifier, shares, mean in zip(chosen, histogram.proportions.T, runs.mean(axis=0), strict=True):
            color, line = STYLES[classifier]
            axis.stairs(shares, histogram.edges, color=color, fill=True, alpha=0.3)
            axis.stairs(shares, histogram.edges, color=color, linestyle=line, linewidth=1.3, label=classifier)
            axis.axvline(mean, color=color, linestyle=line, linewidth=0.8)
        axis.set(title=f"{name}, 2 folds", xlabel="AUROC of a run", ylabel="share of the runs")
        axis.legend(frameon=False, fontsize=8)


if __name__ == "__main__":
    data = Results()
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), data), encoding="utf-8")
    draw(data, curves, CURVES)
    draw(data, bars, BARS)
