"""Report of an analysis of runs, as sentences and tables."""

from __future__ import annotations

__all__ = ["document", "verdict"]

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

from evalstats._result import ConfidenceInterval
from evalstats.comparison.runs.analysis import rejections
from evalstats.comparison.runs.record import RunAnalysis
from evalstats.report.blocks import Cite, Document, Extent, Table, heads, listing, paragraph, sections
from evalstats.report.comparisons.reproducibility import overlap_table
from evalstats.report.describe import column, count, decimal, percent, pvalue_cell, pvalue_words, signed
from evalstats.reproducibility.run_overlap import PValuesOverRuns, VerdictReproducibility

_WHOSE = ("Dataset", "Classifier")


def verdict(report: RunAnalysis) -> str:
    """State whether different runs lead to the same decision."""
    if max(report.n_runs) == 1:
        return "There is one run, so the reproducibility of the decision is unknown."
    if not report.pairs:
        return "There is one classifier, so there is no decision to reproduce."
    sentences = []
    if report.pvalues is not None and report.over_datasets is not None:
        sentences.append(_verdict_over_datasets(report.classifiers, report.over_datasets, report.pvalues))
    elif len(report.datasets) > 1:
        sentences.append("The datasets have different runs, so there is no test over datasets for each run.")
    n_told = sum(pair.interval.low > 0 for pair in report.pairs)
    sentences.append(
        f"By the 95 % interval of R, the runs identify the better of two classifiers on one dataset for {n_told} of "
        f"{count(len(report.pairs), 'comparison')}."
    )
    return " ".join(sentences)


def _verdict_over_datasets(classifiers: Sequence[str], over: VerdictReproducibility, pvalues: PValuesOverRuns) -> str:
    test = {"wilcoxon": "Wilcoxon test", "friedman": "Friedman test"}[pvalues.test]
    low, high = (decimal(limit, 2) for limit in pvalues.confidence_interval())
    opening = "The runs agree" if pvalues.agree else "The verdict depends on the run"
    how_many, sides = rejections(pvalues, classifiers)
    words = (
        f"{opening}: of {count(pvalues.n_runs, 'run')}, {how_many} ({test} at α = {pvalues.alpha:g}, median "
        f"{pvalue_words(pvalues.median_pvalue)}){sides}; another run would reject with probability "
        f"{low} to {high}."
    )
    if over.n_classifiers > 2:
        words += (
            f" Two runs give the same ranking of all classifiers with probability {decimal(over.ranking_agreement, 2)}."
        )
    return words


def document(report: RunAnalysis, extent: Extent) -> Document:
    """Return the document: the verdict, the findings, and the estimates for pairs and classifiers."""
    max_rows = extent.max_rows
    shown = {
        "Notes": listing(f"{one.sentence} [{one.code}]" for one in report.findings),
        "Pairs over all datasets": _over_datasets_table(report, max_rows),
        "Pairs on each dataset": _pair_table(report, max_rows),
        "Estimates": _estimate_table(report, max_rows),
        "Distribution over runs": _distribution_table(report, max_rows),
        "Sufficient number of runs": _stopping_table(report),
    }
    fewest, most = min(report.n_runs), max(report.n_runs)
    n_runs = count(most, "run") if fewest == most else f"{fewest} to {most} runs"
    classifiers, datasets = count(len(report.classifiers), "classifier"), count(len(report.datasets), "dataset")
    metric = f"{report.metric} ({report.unit})" if report.unit else report.metric
    return Document(
        title=f"{n_runs} of {classifiers} on {datasets}: {metric}",
        verdict=paragraph(verdict(report).removesuffix("."), " ", Cite(("raeder2010",)), "."),
        sections=sections(shown),
    )


def _over_datasets_table(report: RunAnalysis, max_rows: int) -> Table | None:
    over = report.over_datasets
    if over is None:
        return None
    two = over.n_classifiers == 2
    pairs = list(itertools.combinations(report.classifiers, 2))
    pairs.sort(key=lambda pair: over.pairs.reproducibility[tuple(map(report.classifiers.index, pair))])
    what = "better score on more datasets" if two else "better mean rank"
    table = overlap_table(report.classifiers, pairs[:max_rows], over.pairs, what, over)
    return replace(table, caption=table.caption + _more(len(pairs), max_rows))


def _pair_table(report: RunAnalysis, max_rows: int) -> Table | None:
    pairs = sorted(report.pairs, key=lambda pair: pair.reproducibility)
    rows = [
        (
            *(pair.dataset, pair.first, pair.second),
            f"{pair.n_wins}/{pair.n_ties}/{pair.n_losses}",
            decimal(pair.reproducibility, 2),
            _limits(pair.interval),
        )
        for pair in pairs[:max_rows]
    ]
    return _table(
        "pairs",
        "Number of runs in which the first has the better score, both are tied, and the second has the better score. "
        "Reproducibility R with its 95 % interval, from 0 (both are better equally often) to 1 (the same classifier is "
        "always better). The least reproducible pairs come first.",
        ("Dataset", "First", "Second"),
        ("Ahead", "R", "Interval"),
        rows,
        len(pairs),
    )


def _estimate_table(report: RunAnalysis, max_rows: int) -> Table | None:
    shown = report.estimates[:max_rows]
    means = column([one.canonical for one in shown] + [one.long_run_mean for one in shown], digits=4)
    spreads = column([one.standard_error for one in shown] + [one.standard_deviation for one in shown], digits=3)
    n = len(shown)
    rows = [
        (one.dataset, one.classifier, str(one.n_runs), *numbers)
        for one, *numbers in zip(shown, means[:n], means[n:], spreads[:n], spreads[n:], strict=True)
    ]
    if max(report.n_runs) == 1:
        only = [row[:4] for row in rows]
        return _table("estimates", "Score of the only run.", _WHOSE, ("Runs", "Score"), only, len(report.estimates))
    first = "the first run" if report.n_canonical == 1 else f"the mean of the first {report.n_canonical} runs"
    return _table(
        "estimates",
        f"Canonical estimate: {first}. Steady state: the mean over all runs, with its Monte Carlo error, which "
        "describes the variation over seeds and not over data. SD: standard deviation over the runs.",
        _WHOSE,
        ("Runs", "Canonical", "Steady state", "Error", "SD"),
        rows,
        len(report.estimates),
    )


def _distribution_table(report: RunAnalysis, max_rows: int) -> Table | None:
    described = [one for one in report.estimates if one.n_runs > 2]
    shown = described[:max_rows]
    written = column([one.mean_minus_median for one in shown], digits=3)
    places = max((len(text.partition(".")[2]) for text in written), default=0)
    rows = []
    for one in shown:
        cells = [
            decimal(one.skewness, 2),
            _limits(one.skewness_interval),
            signed(one.mean_minus_median, min(places, 5)),
        ]
        cells.append(pvalue_cell(one.normality_pvalue))
        if report.ceiling is not None:
            cells.append(percent(round(one.ceiling_proportion, 3)))
        rows.append((one.dataset, one.classifier, *cells))
    quantities = ("Skewness", "Interval", "Mean − median", "Normality p")
    known = report.ceiling is not None
    at_best = f"; proportion of the runs with the best possible score, {report.ceiling:g}" if known else ""
    return _table(
        "distribution",
        "Skewness with its 95 % interval; difference between mean and median; Shapiro and Wilk's p-value, for the null "
        f"hypothesis that the scores of the runs are normally distributed{at_best}.",
        _WHOSE,
        (*quantities, "At best") if known else quantities,
        rows,
        len(described),
    )


def _stopping_table(report: RunAnalysis) -> Table | None:
    rows = []
    for rule in dict.fromkeys(one.rule for one in report.stopping):
        own = [one for one in report.stopping if one.rule == rule]
        stopped = [(one.mean_runs, 1 - one.not_stopped_proportion) for one in own if one.not_stopped_proportion < 1]
        weight = sum(share for _, share in stopped)
        mean = sum(runs * share for runs, share in stopped) / weight if stopped else math.nan
        limits = f"{min(stopped)[0]:.1f} to {max(stopped)[0]:.1f}" if stopped else "none"
        rows.append((rule, decimal(mean, 1), limits, percent(round(1 - weight / len(own), 3))))
    return _table(
        "stopping",
        f"Mean number of runs before a stop, in {report.n_resamples} random orders of the recorded runs, and its range "
        "over classifiers and datasets. Not stopped: proportion of the orders in which the rule does not stop. The "
        "mean excludes these orders.",
        ("Rule",),
        ("Runs", "Range", "Not stopped"),
        rows,
        len(rows),
    )


def _table(
    name: str, caption: str, names: Sequence[str], numbers: Sequence[str], rows: Sequence[tuple[str, ...]], n_rows: int
) -> Table | None:
    if not rows:
        return None
    caption += _more(n_rows, len(rows))
    return Table(name=name, caption=caption, columns=heads(names, numbers), rows=tuple(rows))


def _more(n_rows: int, n_shown: int) -> str:
    return f" {count(n_rows - n_shown, 'more row')} in the CSV." if n_rows > n_shown else ""


def _limits(interval: ConfidenceInterval) -> str:
    low, high = interval
    return "none" if math.isnan(low) else f"{decimal(low, 2)} to {decimal(high, 2)}"
