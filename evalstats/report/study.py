"""What did the runs of a study give? Mean scores and failures, in words."""

from __future__ import annotations

__all__ = ["document", "verdict"]

from collections.abc import Mapping

import numpy as np

from evalstats._types import AnyArray, FloatArray
from evalstats.report.blocks import Block, Document, Extent, Table, heads, listing, paragraph, sections
from evalstats.report.numbers import counted
from evalstats.study.result import StudyResult

_MOST_REASONS = 5


def verdict(study: StudyResult) -> str:
    """Say what was run, and whether all of it came out."""
    told = [f"{counted(len(study.columns['score']), 'run')} ({study.scheme}), seed {study.seed}."]
    if study.n_failed:
        told.append(f"{counted(study.n_failed, 'run')} failed.")
    if not study.complete:
        told.append("The study was not finished.")
    if study.directory is not None:
        told.append(f"The runs are kept in {study.directory}.")
    return " ".join(told)


def document(study: StudyResult, extent: Extent) -> Document:
    """Show the mean scores with their standard deviation over the repeats, and why runs failed."""
    what = f"{counted(len(study.classifiers), 'classifier')} on {counted(len(study.datasets), 'dataset')}"
    shown: dict[str, Block | None] = {"Scores": _table(study), "What failed": listing(_failures(study.columns))}
    return Document(
        title=f"Study of {what}: {study.metric}", verdict=paragraph(verdict(study)), sections=sections(shown)
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
