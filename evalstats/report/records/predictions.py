"""Report of the scores and findings of predictions with folds."""

from __future__ import annotations

__all__ = ["document", "verdict"]

import itertools
import math

import numpy as np

from evalstats._findings import SEVERITIES, Finding
from evalstats.report.blocks import Block, Document, Extent, Section, Table, heads, listing, paragraph, section
from evalstats.report.comparisons.shared_blocks import NAMELESS, reading_section
from evalstats.report.describe import count, counted
from evalstats.tables.prediction_report import INTERVAL, PredictionAnalysis, chosen_sum, sums
from evalstats.tables.prediction_scores import GroupScore, PredictionScores
from evalstats.wording import metric_name, written_list

_LEGEND = "* is the score that is compared; - is undefined."
_LISTED = 5


def verdict(report: PredictionAnalysis) -> str:
    """State the metric and the number of findings of the fold checks."""
    severities = [finding.severity for finding in report.findings if finding.code != INTERVAL]
    found = [count(severities.count(one), one) for one in SEVERITIES if one in severities]
    described = " ".join(f"{scores.description}." for scores in report.by_metric)
    return described + (f" The checks of the folds found {written_list(found)}." if found else "")


def document(report: PredictionAnalysis, extent: Extent) -> Document:
    """Return the document: for each dataset, the scores of all folds and the findings."""
    scores = report.scores
    k = count(len(scores.classifiers), "classifier")
    n = "one dataset" if scores.datasets[0] in NAMELESS else count(len(scores.datasets), "dataset")
    groups: dict[str, list[GroupScore]] = {}
    for group in report.by_metric[0].groups:
        groups.setdefault(group.dataset, []).append(group)
    n_repeats = max(len(set(group.repeats)) for group in report.by_metric[0].groups)
    found: dict[str, list[str]] = {}
    for finding in report.findings:
        sentence = _sentence(finding, len(scores.classifiers), n_repeats)
        for dataset in finding.named("dataset"):
            found.setdefault(dataset, []).append(sentence)
    sections = [
        _section(report, i, groups[dataset], found.get(dataset, [])) for i, dataset in enumerate(scores.datasets)
    ]
    sections[:0] = reading_section(report)
    return Document(
        title=f"Scores of {k} on {n}: {written_list([metric_name(one.metric) for one in report.by_metric])}",
        verdict=paragraph(verdict(report)),
        sections=tuple(sections),
    )


def _section(report: PredictionAnalysis, i: int, groups: list[GroupScore], found: list[str]) -> Section:
    dataset = report.scores.datasets[i]
    heading = f"{'This dataset' if dataset in NAMELESS else dataset} ({counted(groups[0].n_instances, 'instance')}"
    heading += f", {groups[0].n_positive:,} positive)" if groups[0].n_positive >= 0 else ")"
    scores = report.scores
    blocks: list[Block] = [
        _table(scores, groups, i) if isinstance(scores, PredictionScores) else _table_of_metrics(report, i)
    ]
    if found:
        blocks.append(listing(found))
    return section(f"dataset-{i + 1}", heading, *blocks)


def _table_of_metrics(report: PredictionAnalysis, i: int) -> Table:
    """Return a table of the scores over all folds, with a row for each classifier and a column for each metric."""
    rows = [
        (classifier, *(_number(scores.scores[i, j]) for scores in report.by_metric))
        for j, classifier in enumerate(report.scores.classifiers)
    ]
    return Table(
        name=f"dataset-{i + 1}",
        caption="" if i or not np.isnan([scores.scores for scores in report.by_metric]).any() else "- is undefined.",
        columns=heads(["classifier"], [metric_name(scores.metric) for scores in report.by_metric]),
        rows=tuple(rows),
    )


def _table(scores: PredictionScores, groups: list[GroupScore], i: int) -> Table:
    """Return a table of the score of each fold, with the aggregate score in the last row."""
    cells = {
        group.classifier: dict(zip(zip(group.repeats, group.folds, strict=True), group.fold_scores, strict=True))
        for group in groups
    }
    keys = list(dict.fromkeys(itertools.chain.from_iterable(cells.values())))
    rows = [
        (_fold_name(*key), *(_number(of_folds.get(key, math.nan)) for of_folds in cells.values()))
        for key in keys
        if any(key)
    ]
    of_groups, chosen = [sums(group, scores) for group in groups], chosen_sum(scores)
    rows += [
        (f"{name} *" if name == chosen else name, *(_number(own[name]) for own in of_groups)) for name in of_groups[0]
    ]
    return Table(
        name=f"dataset-{i + 1}",
        caption="" if i else _LEGEND,
        columns=heads(["fold" if len(keys) > 1 else ""], cells),
        rows=tuple(rows),
    )


def _sentence(finding: Finding, n_classifiers: int, n_repeats: int) -> str:
    """Format a finding with its classifiers and repeats, unless it applies to all of them."""
    classifiers, repeats = finding.named("classifier"), finding.named("repeat")
    where = [] if len(classifiers) == n_classifiers else [", ".join(classifiers)]
    if n_repeats > 1 and len(repeats) < n_repeats:
        where.append(f"repeat {', '.join(repeats[:_LISTED])}{', ...' if len(repeats) > _LISTED else ''}")
    whose = f" ({'; '.join(where)})" if where else ""
    return f"{finding.severity}{whose}: {finding.sentence}"


def _fold_name(repeat: str, fold: str) -> str:
    return f"{repeat}, {fold}" if repeat and fold else repeat or fold


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"
