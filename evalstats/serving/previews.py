"""Preview of a table: its interpretation before a comparison."""

from __future__ import annotations

__all__ = ["Preview", "preview"]

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evalstats import _lexicon
from evalstats.cli.compare_command import compare
from evalstats.cli.options import reading_arguments
from evalstats.comparison.battles import outcomes_of
from evalstats.io.columns.surroundings import UNKNOWN
from evalstats.io.reader.battles import holds_battles, read_battles
from evalstats.io.reader.opening import open_source
from evalstats.io.sources.source import FILES, Seen
from evalstats.metrics.directions import names_no_metric
from evalstats.report.comparisons.shared_blocks import count_read, read_words
from evalstats.serving.form_arguments import OF_DOWNLOADS, Fields, parameters, words_of
from evalstats.serving.handlers import Content, Refusal, or_refused, sources
from evalstats.tables.errors import TableError
from evalstats.tables.score_table import ScoreTable

MOST_ROWS, MOST_COLUMNS, MOST_HEADERS = 200, 60, 200

# for each layout: the roles of columns, with the fields that name them and the usual names of such columns
ROLES: dict[str, dict[str, tuple[str, ...]]] = {
    "long": {
        "dataset": _lexicon.DATASET_COLUMNS,
        "classifier": _lexicon.CLASSIFIER_COLUMNS,
        "score": (),
        "repeat": _lexicon.PREDICTION_COLUMNS["repeat"],
        "fold": _lexicon.PREDICTION_COLUMNS["fold"],
    },
    "predictions": {
        "dataset": _lexicon.DATASET_COLUMNS,
        "classifier": _lexicon.CLASSIFIER_COLUMNS,
        **_lexicon.PREDICTION_COLUMNS,
        "y_true": (*_lexicon.PREDICTION_COLUMNS["y_true"], *_lexicon.TRUE_AT_LAST),
    },
    "answers": {
        "classifier": _lexicon.CLASSIFIER_COLUMNS,
        "stratum": _lexicon.STRATUM_COLUMNS,
        "question": _lexicon.ITEM_COLUMNS,
        "repeat": _lexicon.SAMPLE_COLUMNS,
        "cluster": _lexicon.CLUSTER_COLUMNS,
        "score": ("correct", "is_correct", "right", "is_right", "passed", *_lexicon.ITEM_SCORE_COLUMNS),
    },
}


@dataclass(frozen=True, kw_only=True)
class Preview:
    """Interpretation of a table before a comparison.

    Attributes
    ----------
    layout : str
        ``'wide'``, ``'long'``, ``'predictions'``, ``'answers'`` or ``'battles'``.
    format : str
        Name of the program that wrote the table, or ``''`` if it is unknown.
    metric, unit, computation : str
        Name of the metric, unit of the scores, and computation of the scores.
    greater_is_better : bool
        Whether larger scores are better.
    is_asked : bool
        Whether the direction is unknown and must be given before the comparison.
    is_assumed : bool
        Whether the direction is only the default for scores without the name of a metric.
    datasets, classifiers : tuple of str
        Names of the first rows and columns. For battles, both are the names of the models.
    n_datasets, n_classifiers : int
        Numbers of datasets and of classifiers. For battles, the numbers of battles and of models.
    scores : tuple of tuple of str
        Scores of the shown rows and columns. For battles, the wins of the row against the column.
    columns : tuple of dict
        Columns of the source with their roles. The tuple is empty for a wide table.
    left_out : tuple of dict
        Rows and columns that are not compared, with the reasons.
        dropped : tuple of str
        Names that the user excluded.
        findings : tuple of dict
        Notes for the user.
    """

    layout: str
    format: str
    metric: str
    unit: str
    computation: str
    greater_is_better: bool
    is_asked: bool
    is_assumed: bool
    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    n_datasets: int
    n_classifiers: int
    scores: tuple[tuple[str, ...], ...]
    columns: tuple[dict[str, Any], ...] = ()
    left_out: tuple[dict[str, str], ...] = ()
    dropped: tuple[str, ...] = ()
    findings: tuple[dict[str, str], ...] = ()


def preview(content: Content, options: Fields) -> Preview | Refusal:
    """Return the interpretation of a table. The arguments are the same as in `verdict`."""

    def answer() -> Preview:
        fields = {name: value for name, value in options.items() if name not in OF_DOWNLOADS}
        params = parameters(compare, words_of(compare, fields), ["-"])
        if holds_battles(sources(content)):
            return _of_battles(content, params)
        reading = reading_arguments(params)
        if isinstance(reading["metric"], list):  # the preview shows the first of several metrics
            reading["metric"] = reading["metric"][0]
        table, is_asked = _read(content, reading)
        return _preview(table, _looked_at(content, params), fields, is_asked=is_asked)

    return or_refused(content, answer)


def _of_battles(content: Content, params: dict[str, Any]) -> Preview:
    """Return the preview of battles: the wins of each model against each other model."""
    from evalstats.multiple.battles import bradley_terry_from_battles

    names = ("cluster", "encoding", "sheet", "delimiter")
    battles = read_battles(sources(content), **{name: params[name] for name in names if params[name] is not None})
    fitted = bradley_terry_from_battles(battles.model_a, battles.model_b, outcomes_of(battles), covariance="model")
    models = tuple(map(str, fitted.models))
    return Preview(
        layout="battles",
        format="",
        metric="wins",
        unit="",
        computation="",
        greater_is_better=True,
        is_asked=False,
        is_assumed=False,
        datasets=models[:MOST_COLUMNS],
        classifiers=models[:MOST_COLUMNS],
        n_datasets=fitted.n_battles,
        n_classifiers=len(models),
        scores=_written(fitted.win_totals[:MOST_COLUMNS, :MOST_COLUMNS].tolist()),
        findings=tuple({"severity": one.severity, "sentence": one.sentence} for one in battles.findings),
    )


def _read(content: Content, reading: dict[str, Any]) -> tuple[ScoreTable, bool]:
    """Return a table, and whether the user must choose the direction.

    If the direction is unknown, the table assumes that higher scores are better.
    """
    from evalstats.io.options import given_together
    from evalstats.io.reader.tables import read_table

    try:
        table = read_table(sources(content), **given_together(reading))
        return table, any(one.code == UNKNOWN for one in table.findings)
    except TableError as error:
        if error.argument != "greater_is_better":
            raise
    return read_table(sources(content), **given_together(reading | {"greater_is_better": True})), True


def _preview(table: ScoreTable, seen: Seen, fields: Fields, *, is_asked: bool) -> Preview:
    layout, columns = _layout(table, seen, fields)
    shown = table.scores[:MOST_ROWS, :MOST_COLUMNS].tolist()
    return Preview(
        layout=layout,
        format=table.format,
        metric=table.metric,
        unit=table.unit,
        computation=table.computation,
        greater_is_better=table.greater_is_better,
        is_asked=is_asked,
        is_assumed=not is_asked and not table.format and names_no_metric(table.metric),
        datasets=table.datasets[:MOST_ROWS],
        classifiers=table.classifiers[:MOST_COLUMNS],
        n_datasets=len(table.datasets),
        n_classifiers=len(table.classifiers),
        scores=_written(shown),
        columns=columns,
        left_out=tuple(
            {"what": one.what, "name": one.name, "reason": one.reason} for one in table.left_out[:MOST_ROWS]
        ),
        dropped=table.dropped[:MOST_ROWS],
        findings=(
            *({"severity": "note", "sentence": read_words(read)} for read in [count_read(table)] if read is not None),
            *({"severity": one.severity, "sentence": one.sentence} for one in table.findings),
        ),
    )


def _written(scores: list[list[float]]) -> tuple[tuple[str, ...], ...]:
    """Return scores as text with a common number of decimals. The text of a missing score is empty."""
    digits = [f"{cell:.6g}" for row in scores for cell in row if not math.isnan(cell)]
    n = max((len(text.partition(".")[2]) for text in digits if "e" not in text), default=0)
    is_plain = all("e" not in text for text in digits)
    written = f".{n}f" if is_plain else ".6g"
    return tuple(tuple("" if math.isnan(cell) else format(cell, written) for cell in row) for row in scores)


def _layout(table: ScoreTable, seen: Seen, fields: Fields) -> tuple[str, tuple[dict[str, Any], ...]]:
    """Return the layout of a table and the roles of its columns. A wide table has no column roles."""
    layout = "answers" if table._items is not None else "long" if table._scored is None else "predictions"
    if table.format:
        return layout, ()
    for header in _headers(seen):
        if layout == "long" and {*table.classifiers, *table.datasets} & set(header):
            break
        columns = _roles(layout, header, table, fields)
        known = {one["role"] for one in columns} - {""}
        if "classifier" in known or (known and layout != "long"):
            return layout, columns
    return ("wide", ()) if layout == "long" else (layout, columns)


def _headers(seen: Seen) -> Iterator[tuple[str, ...]]:
    """Yield the column names in the first line, and then the column names that the reader found."""
    yield seen.header
    if seen.kind != FILES:  # for several files, all files would be read again
        yield tuple(seen.grid.header)


def _looked_at(content: Content, params: dict[str, Any]) -> Seen:
    """Open the content with the parsing options of the command."""
    names = ("delimiter", "encoding", "sheet", "rows", "header_rows")
    return open_source(sources(content), *(params[name] for name in names))


def _roles(layout: str, header: tuple[str, ...], table: ScoreTable, fields: Fields) -> tuple[dict[str, Any], ...]:
    """Return the role of each column, as determined by names or form fields."""
    roles = ROLES[layout]
    role_of = {fields[role]: role for role in roles if fields.get(role) in header}
    for role, known in roles.items():
        if role in role_of.values():
            continue
        of_role = [name for name in header if name not in role_of and _lexicon.is_called(name, known)]
        if role == "score" and layout == "long":
            of_role = [name for name in header if name == table.metric and name not in role_of] or of_role
        if of_role:
            role_of[of_role[0]] = role
    return tuple({"name": name, "role": role_of.get(name, ""), "roles": list(roles)} for name in header[:MOST_HEADERS])
