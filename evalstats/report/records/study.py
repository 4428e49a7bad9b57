"""Report of a study: mean scores and failures."""

from __future__ import annotations

__all__ = ["document", "verdict"]

import re
from collections.abc import Mapping
from itertools import combinations

import numpy as np

from evalstats._types import AnyArray, FloatArray
from evalstats.paired.sequential import sequential_sign_test
from evalstats.report.blocks import Block, Column, Document, Extent, Table, heads, listing, paragraph, sections
from evalstats.report.describe import counted, pvalue_cell
from evalstats.study.result import StudyResult
from evalstats.wording import metric_name

_MOST_REASONS = 5
# AnytimeValid without bounds
_COUNTS_WINS = re.compile(r"AnytimeValid\(([^,]+)\)")


def verdict(study: StudyResult) -> str:
    """State the number of runs, the number of failures, and the directory of the saved runs."""
    told = [f"{counted(len(study.columns['score']), 'run')} ({study.scheme}), seed {study.seed}."]
    if study.n_failed:
        told.append(f"{counted(study.n_failed, 'run')} failed.")
    if not study.complete:
        told.append("The study was not finished.")
    if study.directory is not None:
        told.append(f"The runs are saved in {study.directory}.")
    return " ".join(told)


def document(study: StudyResult, extent: Extent) -> Document:
    """Return the document: the mean scores with standard deviations over the repeats, and the failures."""
    what = f"{counted(len(study.classifiers), 'classifier')} on {counted(len(study.datasets), 'dataset')}"
    shown: dict[str, Block | None] = {
        "Scores": _table(study),
        "Pairs of classifiers": _decisions(study, extent.max_rows),
        "Failures": listing(_failures(study.columns)),
    }
    return Document(
        title=f"Study of {what}: {metric_name(study.metric)}",
        verdict=paragraph(verdict(study)),
        sections=sections(shown),
    )


def _table(study: StudyResult) -> Table:
    own = study.columns
    rows = []
    for dataset in study.datasets:
        cells = []
        for classifier in study.classifiers:
            is_own = (own["dataset"] == dataset) & (own["classifier"] == classifier)
            cells.append(_cell(own["repeat"][is_own], own["score"][is_own]))
        rows.append((dataset, *cells))
    caption = "Mean score ± standard deviation over the repeats."
    return Table(name="scores", caption=caption, columns=heads(["Dataset"], study.classifiers), rows=tuple(rows))


def _decisions(study: StudyResult, max_rows: int) -> Table | None:
    """Return the numbers of repeats that each classifier wins, or None if the stopping rule counts no wins."""
    level = _COUNTS_WINS.fullmatch(study.stop or "")
    if level is None:
        return None
    alpha, rows = float(level[1]), []
    for dataset in study.datasets:
        means = {name: _means(study, dataset, name) for name in study.classifiers}
        for first, second in combinations(study.classifiers, 2):
            repeats = sorted(set(means[first]) & set(means[second]))
            if not repeats:
                continue
            x, y = ([means[name][repeat] for repeat in repeats] for name in (first, second))
            result = sequential_sign_test(x, y)
            told = "yes" if result.pvalue <= alpha else "no"
            counts = (len(repeats), result.n_wins, result.n_losses)
            rows.append((dataset, first, second, *map(str, counts), pvalue_cell(result.pvalue), told))
    more = f" {counted(len(rows) - max_rows, 'more pair')} not shown." if len(rows) > max_rows else ""
    return Table(
        name="decisions",
        caption=(
            "Number of repeats in which the first or the second classifier has the higher mean score, and the "
            f"anytime-valid p-value of each pair. A pair is decided if p is at most {alpha:.3g}.{more}"
        ),
        columns=(
            *(Column(head=head) for head in ("Dataset", "First", "Second")),
            *(Column(head=head, numeric=True) for head in ("Repeats", "First higher", "Second higher", "p")),
            Column(head="Decided", whole=True),
        ),
        rows=tuple(rows[:max_rows]),
    )


def _means(study: StudyResult, dataset: str, classifier: str) -> dict[int, float]:
    """Return the mean score of each repeat in which all folds succeeded."""
    own = study.columns
    is_own = (own["dataset"] == dataset) & (own["classifier"] == classifier)
    repeats, scores = own["repeat"][is_own], own["score"][is_own]
    means = {int(repeat): float(scores[repeats == repeat].mean()) for repeat in np.unique(repeats)}
    return {repeat: mean for repeat, mean in means.items() if not np.isnan(mean)}


def _cell(repeats: AnyArray, scores: FloatArray) -> str:
    done = ~np.isnan(scores)
    if not done.any():
        return "-"
    means = [scores[done & (repeats == repeat)].mean() for repeat in np.unique(repeats[done])]
    spread = f" ± {np.std(means, ddof=1):.3f}" if len(means) > 1 else ""
    return f"{np.mean(means):.3f}{spread}"


def _failures(columns: Mapping[str, AnyArray]) -> list[str]:
    reasons: dict[str, int] = {}
    for dataset, classifier, reason in zip(columns["dataset"], columns["classifier"], columns["failure"], strict=True):
        if reason is not None:
            text = f"{dataset} / {classifier}: {reason}"
            reasons[text] = reasons.get(text, 0) + 1
    lines = [f"{count} x {text}" for text, count in reasons.items()]
    return lines[:_MOST_REASONS] + (
        [f"and {len(lines) - _MOST_REASONS} other reasons"] if len(lines) > _MOST_REASONS else []
    )
