"""Reader of the predictions of classifiers."""

from __future__ import annotations

__all__ = ["counted_predictions", "predictions_and_metric", "predictions_in", "read_predictions"]

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._findings import Finding
from evalstats._lexicon import PREDICTION_COLUMNS
from evalstats.io.columns.roles import looks_like_predictions, with_crossed_subgroups
from evalstats.io.engines.wide import counted_or_read
from evalstats.io.formats.format import Found
from evalstats.io.formats.recognition import found_in
from evalstats.io.layouts.predictions import predictions_of
from evalstats.io.options import Asked, group_of, parsing_of
from evalstats.io.reader.opening import open_source
from evalstats.io.sources.grid import Grid
from evalstats.tables.categorical import GROUPINGS
from evalstats.tables.errors import GROUPS, TableError, short
from evalstats.tables.predictions import Predictions

if TYPE_CHECKING:
    from evalstats.io.layouts.wide_predictions import WideAnswers

# arguments for predictions: how a file is read, and what a column holds
OF_TEXT = tuple(name for name in GROUPS["parsing"] if name not in ("transpose", "n_folds"))
OF_PREDICTIONS = tuple(name for name in GROUPS["columns"] if name not in ("score", "question", "stratum"))


def read_predictions(
    source: Any,
    *,
    format: str = "auto",
    columns: Mapping[str, str | None] | None = None,
    parsing: Mapping[str, Any] | None = None,
    pos_label: Any = None,
    metric: str | None = None,
    greater_is_better: bool | None = None,
    missing: str = "raise",
    drop: Any = None,
    keep: Any = None,
) -> Predictions:
    r"""Read predictions of classifiers for each instance from a file or a data frame.

    Parameters
    ----------
    source : str, path-like, file object, data frame or dict
        A long table, as in `evalstats.read_table`: one row for each instance, classifier and repeat. Alternatively, the
        directory of a study with stored predictions (`evalstats.run_study`), or the output of another program.
    format : str, default: 'auto'
        As in `evalstats.read_table`.
    columns : dict of str to str, optional
        Names of the columns that are not recognized, by their content: ``{'y_true': 'gold', 'instance': 'patient'}``.

        - ``'dataset'``, ``'classifier'``, ``'y_true'``: the datasets, the classifiers and the true labels. Without a
          column of datasets, or of classifiers, there is one dataset or classifier, and `findings` states this.
        - ``'repeat'``, ``'fold'``: the repeats of a cross-validation, and its folds. Without these columns, there is
          one repeat or fold.
        - ``'instance'``: the name of the instance within its dataset. With this column, all classifiers of a dataset
          must have predicted the same instances with the same true labels. Without this column, they must have the same
          number of instances of each true label.
        - ``'y_pred'``, ``'y_score'``: the predicted labels, and scores or probabilities of the positive label; at least
          one is required. With only one of these columns, evalstats can compute only metrics of labels or only metrics
          of rankings.
        - ``'subgroup'``: the subgroup of each instance, such as the sex of a patient, for `evalstats.compare`; several
          columns, separated by commas, give their combinations.
        - ``'cluster'``: the cluster of each instance, such as the patient: instances of a cluster may be correlated.
    parsing : dict, optional
        As in `evalstats.read_table`.
    pos_label : label or dict of str to label, optional
        The positive label, or a dict of the positive labels of all datasets. Default: 1 for the labels 0 and 1 or -1
        and 1, and True for False and True. For any other two labels, it is the greater in natural order. For more than
        two labels, no default exists. With `pos_label`, all other labels are negative.
    metric : str, optional
        For logs of evaluation programs: the metric that defines correct answers, if the log has several metrics.
    greater_is_better : bool, optional
        The direction of the metric for logs of evaluation programs that do not state it: whether 1 is correct and 0 is
        incorrect.
    missing : {'raise', 'drop-instances'}, default: 'raise'
        For logs of evaluation programs: whether questions that lack a score of some model raise an error, or are left
        out for every model.
    drop, keep : str or sequence of str, optional
        For a table with a column for each classifier: columns to leave out, and columns to keep as classifiers although
        their names suggest otherwise.

    Returns
    -------
    Predictions

    Raises
    ------
    TableNotFoundError
        If the file does not exist. This error is also a FileNotFoundError.
    TableError
        If the source is not a table of predictions, if a label is missing, or if a score is not finite. If an instance
        occurs twice, or if classifiers were not tested on the same instances. The message names the place.
    InvalidTypeError
        If the type of the source is not supported.

    Warns
    -----
    EvalstatsWarning
        If the classifiers of a dataset were tested on the same instances, but in different folds.

    Notes
    -----
    Labels are compared as text after trimming. An integer from a data frame is written without a decimal point. Two
    labels of a dataset that are the same number, such as ``1`` and ``1.0``, are rejected.

    Examples
    --------
    >>> import io

    >>> text = "dataset,classifier,fold,y_true,y_pred\niris,NB,1,rose,rose\niris,NB,2,lily,rose\n"
    >>> predictions = read_predictions(io.StringIO(text))
    >>> predictions.labels, predictions.positives
    (('lily', 'rose'), ('rose',))
    >>> predictions.y_true, predictions.y_pred
    (array([1, 0]), array([1, 1]))
    """
    chosen: dict[str, Any] = {"format": format, "metric": metric, "greater_is_better": greater_is_better}
    chosen |= {"missing": missing, "drop": drop, "keep": keep, "pos_label": pos_label}
    return counted_predictions(source, columns=columns, parsing=parsing, one_by_one=True, **chosen)


def counted_predictions(
    source: Any,
    *,
    one_by_one: bool = False,
    format: str = "auto",
    columns: Mapping[str, str | None] | None = None,
    parsing: Mapping[str, Any] | None = None,
    pos_label: Any = None,
    metric: str | None = None,
    greater_is_better: bool | None = None,
    missing: str = "raise",
    drop: Any = None,
    keep: Any = None,
) -> Predictions:
    """Read predictions like `read_predictions`. Unless `one_by_one`, an engine may count the rows."""
    of_logs = {"metric": metric, "greater_is_better": greater_is_better, "missing": missing}
    told: dict[str, Any] = {"columns": columns, "parsing": parsing, "pos_label": pos_label, "drop": drop, "keep": keep}
    return _read(source, of_logs, one_by_one=one_by_one, format=format, **told)[0]


def predictions_and_metric(source: Any, metric: Any, **reading: Any) -> tuple[Predictions, Any]:
    """Read predictions like `counted_predictions`, and return the metric to compute.

    In a log, `metric` selects the scores of the answers. The returned metric is computed from these answers.
    """
    of_logs = {"metric": metric if isinstance(metric, str) else None, "greater_is_better": None, "missing": "raise"}
    predictions, of_log = _read(source, of_logs, is_computed=True, **reading)
    return predictions, of_log or metric


def _read(
    source: Any,
    of_logs: dict[str, Any],
    *,
    is_computed: bool = False,
    one_by_one: bool = False,
    format: str = "auto",
    columns: Mapping[str, str | None] | None = None,
    parsing: Mapping[str, Any] | None = None,
    pos_label: Any = None,
    drop: Any = None,
    keep: Any = None,
) -> tuple[Predictions, str]:
    """Return predictions, and the metric of the answers of a log, or ''. Other metrics must be computed, if given."""
    opened = parsing_of(parsing, OF_TEXT)
    decimal, thousands = opened.pop("decimal"), opened.pop("thousands")
    roles = group_of("columns", columns, OF_PREDICTIONS)
    source = _kept_in(source)
    if isinstance(source, Predictions):
        return source, ""
    seen = open_source(source, **opened)
    _checks.choice(of_logs["missing"], "missing", ("raise", "drop-instances"))
    if of_logs["greater_is_better"] is not None:
        of_logs["greater_is_better"] = _checks.boolean(of_logs["greater_is_better"], "greater_is_better")
    if of_logs["metric"] is not None:
        _checks.text(of_logs["metric"], "metric")
    found = found_in(seen, format, Asked(columns=roles, pos_label=pos_label, **of_logs))
    picked = {name: value for name, value in (("drop", drop), ("keep", keep)) if value is not None}
    if found is not None:
        _refuse_picked(picked, found.grid.name)
        return predictions_in(found, pos_label), found.metric
    if not is_computed and (named := [name for name, value in of_logs.items() if value not in (None, "raise")]):
        raise InvalidValueError(f"{named[0]} is for logs of answers, but {seen.name} is a table of predictions")
    grid, roles["subgroup"] = with_crossed_subgroups(seen.grid, roles["subgroup"])
    given: dict[str, Any] = {"decimal": decimal, "columns": roles, "picked": picked, "pos_label": pos_label}
    given |= {"thousands": thousands}
    if one_by_one:
        return _predictions_in_grid(grid, **given, one_by_one=True), ""
    return counted_or_read(grid, lambda grid: _predictions_in_grid(grid, **given, one_by_one=False)), ""


def _predictions_in_grid(
    grid: Grid,
    *,
    decimal: str,
    thousands: str | None,
    columns: dict[str, str | None],
    picked: Mapping[str, Any],
    pos_label: Any,
    one_by_one: bool,
) -> Predictions:
    from evalstats.io.columns.cleaning import decimal_of, with_plain_thousands
    from evalstats.io.layouts.held_out_rows import held_rows_of_new_data, rows_of_new_data

    if thousands is not None:
        grid, decimal = with_plain_thousands(replace(grid, columns=list(grid.columns)), decimal, thousands)
    decimal = decimal_of(grid, decimal)
    if grid.is_held and looks_like_predictions(grid):
        _refuse_picked(picked, grid.name)
        grid = held_rows_of_new_data(grid, columns.values())
        predictions = predictions_of(grid, decimal, pos_label, columns, one_by_one=one_by_one)
        return replace(predictions, findings=(*grid.findings, *predictions.findings))
    grid = (held_rows_of_new_data if grid.is_held else rows_of_new_data)(grid, columns.values())
    answers = _answers_in_columns(grid, decimal, columns, picked.get("drop"), picked.get("keep"))
    if answers is None or not answers.has_true:
        _refuse_picked(picked, grid.name)
        predictions = predictions_of(grid, decimal, pos_label, columns)
        return replace(predictions, findings=(*grid.findings, *predictions.findings))
    of_long = dict.fromkeys(columns) | {name: columns[name] for name in GROUPINGS}
    predictions = predictions_of(answers.grid, decimal, pos_label, of_long, one_by_one=one_by_one)
    left_out = (
        Finding(code="left-out", severity="note", sentence=f"Left out: the {o.what} {short(o.name)}, which {o.reason}.")
        for o in answers.left_out
    )
    return replace(predictions, findings=(*grid.findings, *answers.findings, *left_out))


def _answers_in_columns(
    grid: Grid, decimal: str, columns: Mapping[str, str | None], drop: Any, keep: Any
) -> WideAnswers | None:
    """Return the answers of a wide table, or None if the table is long."""
    from evalstats.io.columns.rules import refuse_predictions
    from evalstats.io.layouts.wide_predictions import answers_of_wide  # which needs the names of columns above

    if drop is None and all(column is None for column in columns.values()):
        refuse_predictions(grid)
    return answers_of_wide(grid, decimal, columns, drop=drop, keep=keep, has_direction=False)


def _refuse_picked(picked: Mapping[str, Any], name: str) -> None:
    if picked:
        problem = (
            f"{min(picked)} is for a table with a column for each classifier, but {name} has a row for each answer"
        )
        raise InvalidValueError(problem)


def predictions_in(found: Found, pos_label: Any) -> Predictions:
    """Return the predictions that a format found in a source."""
    if found.layout != "predictions":
        raise TableError(f"{found.grid.name} holds scores ({found.format}), not predictions", "read it with read_table")
    names = ("dataset", "classifier", *PREDICTION_COLUMNS)
    columns = {name: name if name in found.grid.header else None for name in names}
    predictions = predictions_of(found.grid, ".", pos_label, columns)
    return replace(predictions, findings=found.findings, format=found.format)


def _kept_in(source: Any) -> Any:
    """Return the stored predictions of a study or its directory; return other sources unchanged."""
    if hasattr(source, "prediction_columns"):
        return source.prediction_columns()
    if not isinstance(source, str | os.PathLike) or not os.path.isdir(source):
        return source
    from evalstats.study.store import is_study

    if not is_study(source):
        return source
    from evalstats.study.runner import read_study

    return read_study(source).prediction_columns()
