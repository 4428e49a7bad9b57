"""Tables in records of evalstats, as objects or as saved JSON."""

from __future__ import annotations

__all__ = ["SCORES_OF_PREDICTIONS", "held_by", "of_own_rows", "table_of_record", "table_told"]

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from evalstats._errors import listed
from evalstats._findings import Finding, LeftOut
from evalstats._result import Record
from evalstats.io.reader.saved_reports import check_report
from evalstats.io.sources.grid import Grid, grid_of_columns
from evalstats.tables.correct_answers import are_single_answers, predictions_of_answers
from evalstats.tables.errors import TableError, short, visible
from evalstats.tables.fold_scores import FoldScores
from evalstats.tables.items import QuestionScores
from evalstats.tables.names import text_of, texts_of
from evalstats.tables.predictions import Predictions
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats.tables.cross_validation import CrossValidationScores
    from evalstats.tables.prediction_scores import PredictionScores

# the columns of what `evalstats metrics` writes as CSV
SCORES_OF_PREDICTIONS = ("dataset", "classifier", "repeat", "fold", "aggregate", "metric", "score")


def held_by(source: Any) -> Any:
    """Return the table or predictions in a record; return other sources unchanged."""
    if not isinstance(source, Record) or isinstance(source, ScoreTable | Predictions):
        return source
    if type(source).__name__ == "CrossValidationScores":  # without its module, which loads the t-tests
        return _table_of_folds(cast("CrossValidationScores", source))
    for name in ("table", "_predictions", "scores", "predictions"):
        held = getattr(source, name, None)
        if isinstance(held, ScoreTable | Predictions):
            return held
        if isinstance(held, Record):
            return held_by(held)
    columns = getattr(source, "columns", None)
    return dict(columns) if isinstance(columns, Mapping) else source


def _table_of_folds(source: CrossValidationScores) -> ScoreTable:
    """Return the fold scores of one dataset as a table that contains the folds."""
    n = source.scores.shape[1]
    folds = FoldScores(
        dataset=source.dataset,
        scores=source.scores.T[None],
        repeats=("",),
        folds=tuple(str(i) for i in range(1, n + 1)),
        n_train=source.n_train,
        n_test=source.n_test,
    )
    return ScoreTable(
        scores=source.scores.mean(axis=1)[None],
        datasets=(source.dataset,),
        classifiers=source.classifiers,
        metric=source.metric,
        computation=f"{source.metric}, mean over the folds",
        folds=(folds,),
    )


def table_of_record(grid: Grid) -> ScoreTable | Grid:
    """Return the table of scores in a record saved as JSON, or the rows of its scores.

    A modified report is rejected. See `check_report`.
    """
    record: Mapping[str, Any] = grid.record or {}
    check_report(record, grid.name)
    kind = str(record.get("kind", "")).removeprefix("evalstats ")
    told = record.get(kind)
    try:
        if isinstance(told, Mapping) and kind in ("study", "predictions"):
            columns = told["columns"] if kind == "study" else _columns_of_scores(told["scores"])
            return replace(grid_of_columns(grid.name, list(columns), list(columns.values())), file=grid.file)
        table = told.get("table") if isinstance(told, Mapping) and kind != "scores" else told
        if not isinstance(told, Mapping) or not isinstance(table, Mapping):
            raise TableError(f"it is of the kind {short(kind)}, which holds no table of scores")
        if told.get("design") == "instances" and table.get("answers") is None:
            raise TableError("it holds the scores of predictions, not the predictions; read the predictions")
        return table_told(table)
    except (TypeError, ValueError, KeyError, AttributeError, IndexError, RecursionError) as error:
        problem = f"its key {short(error.args[0])} is missing" if isinstance(error, KeyError) else str(error)
        raise TableError(f"{grid.name} is a record of evalstats, but {visible(problem)}") from None


def of_own_rows(grid: Grid, aggregate: str | None) -> tuple[Grid, str | None]:
    """Return one score for each row of `evalstats metrics` output: folds of one dataset, or aggregates over folds.

    Other grids are returned unchanged.
    """
    if tuple(grid.header) != SCORES_OF_PREDICTIONS:
        return grid, aggregate
    columns = dict(zip(grid.header, grid.columns, strict=True))
    sums = texts_of(columns["aggregate"])
    known = sorted(set(sums) - {""})
    of_folds = len({text_of(cell) for cell in columns["dataset"]}) == 1 and "" in sums and aggregate is None
    if not of_folds and len(known) > 1 and aggregate not in known:
        problem = f"{grid.name} holds scores that were aggregated over the folds in several ways: {listed(known)}"
        raise TableError(problem, "choose one, for example {}", "aggregate", known[0])
    wanted = "" if of_folds or not known else aggregate or known[0]
    kept = [i for i, own in enumerate(sums) if own == wanted]
    left = [
        name for name in SCORES_OF_PREDICTIONS if name != "aggregate" and any(text_of(columns[name][i]) for i in kept)
    ]
    words = (
        "of the folds were read, and the aggregated scores were not"
        if of_folds
        else f"aggregated by {wanted} were read"
    )
    finding = Finding(code="rows-of-metrics", severity="note", sentence=f"The scores {words}.")
    return replace(
        grid,
        header=left,
        columns=[[columns[name][i] for i in kept] for name in left],
        numbers=[grid.numbers[i] for i in kept],
        noise=(),
        findings=(*grid.findings, finding),
    ), None


def _columns_of_scores(scores: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the columns that `evalstats metrics` writes as CSV, from its saved record."""
    rows: list[tuple[Any, ...]] = []
    for group in scores["groups"]:
        key = group["dataset"], group["classifier"]
        for repeat, fold, score in zip(group["repeats"], group["folds"], group["fold_scores"], strict=True):
            rows.append((*key, repeat, fold, "", scores["metric"], score))
        rows.append((*key, "", "", scores["aggregate"], scores["metric"], group["score"]))
    return {name: list(column) for name, column in zip(SCORES_OF_PREDICTIONS, zip(*rows, strict=True), strict=True)}


def table_told(table: Mapping[str, Any]) -> ScoreTable:
    """Return a table of scores from its fields in a saved record."""
    known = ("metric", "unit", "greater_is_better", "source", "computation", "noise", "format")
    answers = None if table.get("answers") is None else QuestionScores.from_dict(table["answers"])
    return ScoreTable(
        scores=_numbers(table["scores"]),
        datasets=tuple(table["datasets"]),
        classifiers=tuple(table["classifiers"]),
        dropped=tuple(table.get("dropped", ())),
        missing=tuple(map(tuple, table.get("missing", ()))),
        folds=tuple(_folds(one) for one in table.get("folds", ())),
        left_out=tuple(
            LeftOut(**{name: str(one[name]) for name in ("what", "name", "reason")})
            for one in table.get("left_out", ())
        ),
        findings=tuple(_finding(one) for one in table.get("findings", ())),
        spread=None if table.get("spread") is None else _numbers(table["spread"]),
        answers=answers,
        _scored=None if answers is None or not are_single_answers(answers) else _scored(answers, table),
        **{name: table[name] for name in known if name in table},
    )


def _scored(answers: QuestionScores, table: Mapping[str, Any]) -> PredictionScores:
    """Return correct and incorrect answers as the predictions that `read_table` creates from them."""
    from evalstats.tables.prediction_scores import score_predictions  # all metrics, which other tables do not need

    (dataset,) = table["datasets"]
    predictions = predictions_of_answers(
        answers, dataset, table["classifiers"], greater_is_better=True, source=table["source"]
    )
    scores: PredictionScores = score_predictions(predictions, metric=table["metric"])
    return scores


def _folds(one: Mapping[str, Any]) -> FoldScores:
    import numpy as np

    return FoldScores(
        dataset=str(one["dataset"]),
        scores=np.array(_numbers(one["scores"]), dtype=np.float64),
        repeats=tuple(map(str, one["repeats"])),
        folds=tuple(map(str, one["folds"])),
        n_train=one["n_train"],
        n_test=one["n_test"],
        same_split=one["same_split"],
    )


def _finding(one: Mapping[str, Any]) -> Finding:
    told = {name: str(one[name]) for name in ("code", "severity", "sentence")}
    return Finding(**told, places=tuple(one.get("places", ())), numbers=one.get("numbers", {}))


def _numbers(values: Any) -> Any:
    """Convert null to nan in nested lists; reject infinite values."""
    if isinstance(values, list):
        return [_numbers(value) for value in values]
    if isinstance(values, str):
        raise ValueError(f"scores must be finite, not {short(values)}")
    return math.nan if values is None else values
