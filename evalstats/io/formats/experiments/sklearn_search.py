"""Which candidates did a search of scikit-learn try, and with which scores? Its cv_results_."""

from __future__ import annotations

__all__ = ["FORMAT"]

import math
import re
from collections import Counter
from dataclasses import replace
from typing import Any

from evalstats._findings import Finding, note
from evalstats._lexicon import CLASSIFIER_COLUMNS, DATASET_COLUMNS
from evalstats.io.columns.split_counting import counted_splits
from evalstats.io.formats.format import Format, Found, chosen_metric, scores_found
from evalstats.io.formats.tabular import Rows, column_called, file_stem, rows_of
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.names import text_of

EXAMPLE = """
param_max_depth,params,split0_test_score,split1_test_score,split2_test_score,mean_test_score,std_test_score,rank_test_score
2,{'max_depth': 2},0.90,0.94,0.92,0.92,0.016,2
4,{'max_depth': 4},0.93,0.95,0.94,0.94,0.008,1
""".lstrip()

_SPLIT = re.compile(r"split(\d+)_test_(.+)")


def _recognises(seen: Seen) -> bool:
    header = seen.header
    return any(map(_SPLIT.fullmatch, header)) and any(name.startswith("mean_test_") for name in header)


def _read(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, (), "cv_results_")
    matches = {name: match for name in rows.columns if (match := _SPLIT.fullmatch(name))}
    wanted = asked if asked.metric is None else _without_prefix(asked)
    metric = chosen_metric(seen, wanted, list(dict.fromkeys(match[2] for match in matches.values())))
    splits = sorted((int(match[1]), name) for name, match in matches.items() if match[2] == metric)
    rows, findings = _of_one_iteration(rows)
    names, n = _candidates(rows), len(rows.numbers)
    column = column_called(rows.columns, DATASET_COLUMNS)
    datasets = [file_stem(seen, "dataset")] * n if column is None else rows.texts(column)
    repeats, folds, assumed = counted_splits(seen.name, len(splits), asked, is_one_dataset=len(set(datasets)) == 1)
    columns: dict[str, list[Any]] = {
        "dataset": datasets * len(splits),
        "classifier": names * len(splits),
        "repeat": [repeat for repeat in repeats for _ in range(n)],
        "fold": [fold for fold in folds for _ in range(n)],
        "score": [cell for _, split in splits for cell in rows[split]],
    }
    words = "The search chose among these candidates by these scores: that of the best one is too good, for new data."
    findings += [note("candidates", words), *assumed]
    return scores_found(
        seen,
        columns,
        metric=metric,
        greater_is_better=True,
        numbers=rows.numbers * len(splits),
        findings=findings,
    )


def _without_prefix(asked: Asked) -> Asked:
    return replace(asked, metric=str(asked.metric).removeprefix("test_"))


def _of_one_iteration(rows: Rows) -> tuple[Rows, list[Finding]]:
    """Return the candidates of the last iteration of a halving search that has two or more: others saw less data."""
    if "iter" not in rows:
        return rows, []
    iterations = rows.values("iter")
    n_candidates = Counter(own for own in iterations if not math.isnan(own))
    last = max((own for own, n in n_candidates.items() if n > 1), default=max(n_candidates, default=0))
    kept = rows.at([at for at, own in enumerate(iterations) if own == last])
    words = f"Only the {len(kept.numbers)} candidates of iteration {last:g} are compared: others were trained on less."
    return kept, [note("one-iteration", words)]


def _candidates(rows: Rows) -> list[str]:
    """Return the name of each candidate: the parameters that differ, or all of them where none does."""
    parameters = {name.removeprefix("param_"): rows.texts(name) for name in rows.columns if name.startswith("param_")}
    if (column := column_called(rows.columns, CLASSIFIER_COLUMNS)) is not None:  # of several searches
        parameters = {column: rows.texts(column), **parameters}
    varied = {name: own for name, own in parameters.items() if len(set(own)) > 1} or parameters
    n = len(rows.numbers)
    if not varied:
        return rows.texts("params") if "params" in rows else [f"candidate {i + 1}" for i in range(n)]
    return [
        ", ".join(f"{name}={text_of(own[i])}" for name, own in varied.items() if own[i] not in ("", "--"))
        or f"candidate {i + 1}"
        for i in range(n)
    ]


FORMAT = Format(
    name="sklearn-search",
    title="scikit-learn, cv_results_ of a search as dict, frame or CSV",
    description="Scores of candidates in the splits; n_folds= tells the folds of a repeated cross-validation.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
