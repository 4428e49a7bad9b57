"""What do the folds say, and how far may they be believed?

Scores of every fold, what they sum up to, and what `evalstats.metrics.check_folds` finds.
"""

from __future__ import annotations

__all__ = ["PredictionFinding", "PredictionReport", "report_predictions"]

import csv
import io
import itertools
import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._result import Record
from evalstats.metrics import FoldPreset, check_folds
from evalstats.report.widths import columns, pad
from evalstats.tables.prediction_scores import (
    Group,
    GroupScore,
    PredictionScores,
    Way,
    groups_of,
    score_predictions,
    way_of,
)
from evalstats.tables.predictions import Predictions

SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, kw_only=True, eq=False)
class PredictionFinding(Record):
    """One thing that `evalstats.metrics.check_folds` found.

    Attributes
    ----------
    dataset : str
        Where it was found.
    classifiers, repeats : tuple of str
        The classifiers and repeats of which it is true.
    code, severity, sentence : str
        As in `evalstats.metrics.FoldFinding`.
    """

    dataset: str
    classifiers: tuple[str, ...]
    repeats: tuple[str, ...]
    code: str
    severity: str
    sentence: str


@dataclass(frozen=True, kw_only=True, eq=False)
class PredictionReport(Record):
    """Scores of predictions with the findings about their folds; ``print(report)`` shows it.

    Attributes
    ----------
    scores : PredictionScores
        The scores.
    findings : tuple of PredictionFinding
        By dataset, the gravest first.
    seed : int or None
        Seed of the p-values in the findings; None where there are none, or where `rng` was a Generator.
    """

    scores: PredictionScores
    findings: tuple[PredictionFinding, ...]
    seed: int | None

    def _rows(self) -> Sequence[Record]:
        return self.findings

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, width: int = 80) -> str:
        """Return the report as text.

        Parameters
        ----------
        width : int, default: 80
            Columns of the terminal.

        Returns
        -------
        str
        """
        lines = [*textwrap.wrap(self._title(), width), ""]
        for dataset in self.scores.datasets:
            header, rows, heading = self._table(dataset)
            lines += textwrap.wrap(heading, width)
            lines += _text_table(header, rows, width)
            for sentence in self._sentences(dataset):
                lines += textwrap.wrap(sentence, width, initial_indent="  ", subsequent_indent="    ")
            lines.append("")
        return "\n".join([*lines, *textwrap.wrap(self._legend(), width)]) + "\n"

    def to_markdown(self) -> str:
        """Return the report as Markdown.

        Returns
        -------
        str
        """
        lines = [self._title().replace("|", "\\|"), ""]
        for dataset in self.scores.datasets:
            header, rows, heading = self._table(dataset)
            lines += [f"## {_plain(heading)}", "", _row(header), _row(["---"] + ["---:"] * (len(header) - 1))]
            lines += [*map(_row, rows), ""]
            if sentences := self._sentences(dataset):
                lines += [*(f"- {_plain(sentence)}" for sentence in sentences), ""]
        return "\n".join([*lines, _plain(self._legend())]) + "\n"

    def to_csv(self) -> str:
        """Return the scores as CSV: a row for each fold, and one for each sum over the folds.

        Returns
        -------
        str
            Rows of folds have no `aggregate`, the others no `fold`. An undefined score is empty.
        """
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["dataset", "classifier", "repeat", "fold", "aggregate", "metric", "score"])
        for group in self.scores.groups:
            key = [group.dataset, group.classifier]
            for repeat, fold, score in zip(group.repeats, group.folds, group.fold_scores.tolist(), strict=True):
                writer.writerow([*key, repeat, fold, "", self.scores.metric, _exact(score)])
            for name, score in _sums(group, self.scores).items():
                writer.writerow([*key, "", "", name, self.scores.metric, _exact(score)])
        return out.getvalue()

    def _title(self) -> str:
        k, n = len(self.scores.classifiers), len(self.scores.datasets)
        return f"{self.scores.description}. {_counted(k, 'classifier')} on {_counted(n, 'dataset')}."

    def _legend(self) -> str:
        return "* is the score that is compared; - is undefined."

    def _table(self, dataset: str) -> tuple[list[str], list[list[str]], str]:
        """Return the header and the rows of the scores of a dataset, and a heading."""
        groups = [group for group in self.scores.groups if group.dataset == dataset]
        cells = {
            group.classifier: dict(zip(zip(group.repeats, group.folds, strict=True), group.fold_scores, strict=True))
            for group in groups
        }
        keys = list(dict.fromkeys(itertools.chain.from_iterable(cells.values())))
        rows = [
            [_fold_name(*key), *(_number(of_folds.get(key, math.nan)) for of_folds in cells.values())]
            for key in keys
            if any(key)
        ]
        sums = [_sums(group, self.scores) for group in groups]
        chosen = _chosen(self.scores)
        rows += [
            [f"{name} *" if name == chosen else name, *(_number(of_group[name]) for of_group in sums)]
            for name in sums[0]
        ]
        heading = f"{dataset} ({_counted(groups[0].n_cases, 'case')}"
        heading += f", {groups[0].n_positive:,} positive)" if groups[0].n_positive >= 0 else ")"
        return ["fold" if len(keys) > 1 else "", *cells], rows, heading

    def _sentences(self, dataset: str) -> list[str]:
        n, r = len(self.scores.classifiers), max(len(set(group.repeats)) for group in self.scores.groups)
        return [_sentence(finding, n, r) for finding in self.findings if finding.dataset == dataset]


def report_predictions(
    predictions: Predictions,
    *,
    metric: str | None = None,
    aggregate: str | None = None,
    undefined: str = "nan",
    n_resamples: int = 999,
    rng: Any = None,
) -> PredictionReport:
    """See the scores of all folds, what they sum up to, and what is wrong with the folds.

    Parameters
    ----------
    predictions : Predictions
        From `read_predictions`.
    metric, aggregate : str, optional
        As in `score_predictions`.
    undefined : {'nan', 'raise', 'zero', 'skip'}, default: 'nan'
        As in `score_predictions`, but by default an undefined score is shown as such and nothing is refused.
    n_resamples : int, default: 999
        As in `evalstats.metrics.check_folds`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so that the same call gives the same result; a whole number is
        the seed; a Generator is used as it is. Every check starts from the seed.

    Returns
    -------
    PredictionReport

    Raises
    ------
    TableError, InvalidValueError
        As `score_predictions`.

    Examples
    --------
    >>> from evalstats.tables.predictions import read_predictions
    >>> from evalstats.tables.prediction_findings import report_predictions
    >>> predictions = read_predictions({
    ...     "dataset": ["d"] * 8, "classifier": ["NB"] * 8, "fold": [1, 1, 1, 1, 2, 2, 2, 2],
    ...     "y_true": [1, 1, 0, 0, 1, 0, 0, 0], "y_pred": [1, 0, 0, 0, 0, 0, 0, 0],
    ... })
    >>> report = report_predictions(predictions, metric="f1")
    >>> print(report.to_text().partition("  note")[0])
    F1 of the positive label 1, from TP, FP and FN summed over the folds. 1
    classifier on 1 dataset.
    <BLANKLINE>
    d (8 cases, 3 positive)
    fold                      NB
    1                      0.667
    2                          -
    tp_fp *                0.500
    mean                   0.333
    mean_skip              0.667
    precision_recall       0.333
    precision_recall_skip  0.667
    <BLANKLINE>
    >>> [finding.code for finding in report.findings]
    ['fold-without-predicted-positives', 'f-values-differ']
    """
    way = way_of(predictions, metric, aggregate, undefined)
    source = _checks.random_source(rng)

    scores = score_predictions(predictions, metric=way.name, aggregate=way.aggregate, undefined=way.undefined)

    findings = list(_findings(predictions, way, scores.description, n_resamples, source.given))
    order = {dataset: i for i, dataset in enumerate(predictions.datasets)}
    findings.sort(key=lambda finding: (order[finding.dataset], SEVERITIES.index(finding.severity)))
    is_simulated = any(finding.code == "uncalibrated-folds" for finding in findings)
    return PredictionReport(scores=scores, findings=tuple(findings), seed=source.seed if is_simulated else None)


# --- findings ---------------------------------------------------------------------------------------------------------


def _findings(
    predictions: Predictions, way: Way, description: str, n_resamples: int, rng: Any
) -> Iterator[PredictionFinding]:
    """Check each repeat of each classifier on each dataset; what is said of several is said once."""
    if len(predictions.folds) < 2:
        return
    preset = FoldPreset(
        f1={
            "aggregate": way.aggregate if way.is_f1 else "tp_fp",
            "undefined": "skip" if way.undefined == "skip" else "zero",
        },
        auc={"aggregate": way.aggregate if way.record.needs == "scores" else "mean"},
        meaning=description,
    )
    n_trials = len(predictions.datasets) * len(predictions.repeats)
    found: dict[tuple[str, str, str, str], list[Group]] = {}
    positives = dict(zip(predictions.datasets, predictions.positives, strict=True))
    for group in itertools.chain.from_iterable(groups_of(predictions)):
        if positives[group.dataset] is None or len(group.folds) < 2:
            continue
        check = check_folds(
            group.is_positive,
            _fold_keys(group),
            y_pred=group.is_predicted if way.record.needs == "labels" and way.needs_positive else None,
            y_score=group.score if way.record.needs == "scores" else None,
            case=group.case,
            pos_label=True,
            preset=preset,
            n_trials=n_trials,
            n_resamples=n_resamples,
            rng=rng,
        )
        for finding in check:
            key = group.dataset, finding.code, finding.severity, finding.sentence
            found.setdefault(key, []).append(group)
    for (dataset, code, severity, sentence), groups in found.items():
        yield PredictionFinding(
            dataset=dataset,
            classifiers=tuple(dict.fromkeys(group.classifier for group in groups)),
            repeats=tuple(dict.fromkeys(group.repeat for group in groups)),
            code=code,
            severity=severity,
            sentence=sentence,
        )


def _fold_keys(group: Group) -> Any:
    """Return the fold of each case by its name: as numbers if the names are, so that 2 comes before 10."""
    names: list[Any] = list(group.folds)
    if all(name.isdecimal() for name in names):
        names = [int(name) for name in names]
    return np.array(names)[np.unique(group.fold, return_inverse=True)[1]]


def _sentence(finding: PredictionFinding, n_classifiers: int, n_repeats: int) -> str:
    where = [] if len(finding.classifiers) == n_classifiers else [", ".join(finding.classifiers)]
    if n_repeats > 1 and len(finding.repeats) < n_repeats:
        shown = ", ".join(finding.repeats[:5]) + (", ..." if len(finding.repeats) > 5 else "")
        where.append(f"repeat {shown}")
    whose = f" ({'; '.join(where)})" if where else ""
    return f"{finding.severity}{whose}: {finding.sentence}"


# --- tables -----------------------------------------------------------------------------------------------------------


def _sums(group: GroupScore, scores: PredictionScores) -> dict[str, float]:
    """Return what the folds of a group sum up to, by the way of summing up."""
    others = {} if group.strategies is None else group.strategies.to_dict()
    return {**others, _chosen(scores): group.score}


def _chosen(scores: PredictionScores) -> str:
    skips = scores.metric == "f1" and scores.undefined == "skip" and scores.aggregate != "tp_fp"
    return scores.aggregate + "_skip" * skips


def _text_table(header: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Lay out a table, in parts below each other if it is wider than the terminal."""
    widths = [max(columns(row[j]) for row in (header, *rows)) for j in range(len(header))]
    lines, start = [], 1
    while start < len(header):
        end, total = start + 1, widths[0] + 2 + widths[start]
        while end < len(header) and total + 2 + widths[end] <= width:
            total, end = total + 2 + widths[end], end + 1
        for row in (header, *rows):
            cells = [pad(row[0], widths[0]), *(pad(row[j], widths[j], right=True) for j in range(start, end))]
            lines.append("  ".join(cells).rstrip())
        start = end
    return lines


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_plain, cells))} |"


def _plain(text: str) -> str:
    """Escape what Markdown would take for its own."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|" else c for c in text)


def _fold_name(repeat: str, fold: str) -> str:
    return f"{repeat}, {fold}" if repeat and fold else repeat or fold


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def _exact(value: float) -> str:
    return "" if math.isnan(value) else repr(value)


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
