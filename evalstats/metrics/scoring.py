"""Computation of scores from labels or counts.

The steps are: validate the arguments, count, apply the formula to blocks of tables, and report the number of undefined
scores once.
"""

from __future__ import annotations

__all__ = ["beta_of", "choices_by_position", "class_score", "score", "score_table", "undefined_in_table"]

import math
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError, short
from evalstats._result import unbatch
from evalstats._types import AnyArray
from evalstats.metrics.class_encoding import (
    NUMBERS,
    both_equal,
    class_codes,
    distinct,
    fits,
    given_classes,
    in_order,
    shown,
)
from evalstats.metrics.counts import Pairs, present_classes, tally, understand_pairs
from evalstats.metrics.formulas import (
    AVERAGES,
    CHOSEN,
    LABEL_METRICS,
    LabelMetric,
    OneVsRest,
    evaluate,
    fill_value,
    one_vs_rest,
    policy,
    report,
    total_of,
)
from evalstats.metrics.score_input import near_one

LARGEST_BETA = 1e100  # its square times a count does not overflow
CELLS_AT_A_TIME = 2**16


class MetricChoice(NamedTuple):
    """A metric with all its options. `scored` are the indexes of the classes that are averaged."""

    record: LabelMetric
    scored: Sequence[int]
    average: str | None
    choices: dict[str, Any]

    def scores(self, c: OneVsRest, fill: float) -> tuple[AnyArray, AnyArray]:
        """Return the scores and the number of undefined values in each."""
        return evaluate(self.record, c, self.scored, self.average, fill, **self.choices)


def score(
    metric: str, y_true: Any, y_pred: Any, sample_weight: Any, undefined: Any, *, labels: Any = None, **choices: Any
) -> Any:
    """Compute a metric of all classes together, from labels."""
    undefined = policy(undefined)
    average, choices = _understand_choices(LABEL_METRICS[metric], choices)
    arguments = ("y1", "y2") if metric == "cohen_kappa" else ("y_true", "y_pred")
    pairs = _scaled(understand_pairs(y_true, y_pred, sample_weight, names=arguments))
    names = present_classes(pairs) if labels is None else given_classes(labels, pairs.kind)
    return _score_of_pairs(
        MetricChoice(LABEL_METRICS[metric], range(len(names)), average, choices), pairs, names, undefined
    )


def class_score(
    metric: str,
    y_true: Any,
    y_pred: Any,
    labels: Any,
    pos_label: Any,
    average: Any,
    sample_weight: Any,
    undefined: Any,
    **choices: Any,
) -> Any:
    """Compute a metric that has a value for each class, from labels."""
    undefined = policy(undefined)
    average, choices = _understand_choices(LABEL_METRICS[metric], {"average": average, **choices})
    pairs = _scaled(understand_pairs(y_true, y_pred, sample_weight))
    listed = None if labels is None else given_classes(labels, pairs.kind)
    names = _all_classes(pairs, listed or [])
    if average == "binary" and len(names) == 1 and pos_label not in names and fits(pos_label, pairs.kind):
        names = in_order([*names, pos_label])  # every instance is negative
    scored = _scored(names, listed, pos_label, average)
    return _score_of_pairs(MetricChoice(LABEL_METRICS[metric], scored, average, choices), pairs, names, undefined)


def score_table(metric: Any, counts: Any, undefined: Any, choices: dict[str, Any]) -> Any:
    """Compute a metric from counts of shape (..., k, k)."""
    undefined = policy(undefined)
    choice, table = _understand_counts(metric, counts, choices)

    values, n_undefined = _from_tables(table, choice, fill_value(undefined, choice.record.usual))

    _report(choice, n_undefined, undefined)
    return unbatch(values)


def undefined_in_table(metric: Any, counts: Any, choices: dict[str, Any]) -> Any:
    """Count the undefined values that affect each score."""
    choice, table = _understand_counts(metric, counts, choices)

    _, n_undefined = _from_tables(table, choice, math.nan)

    return unbatch(n_undefined)


def _score_of_pairs(choice: MetricChoice, pairs: Pairs, names: Sequence[Any], undefined: str) -> Any:
    fill = fill_value(undefined, choice.record.usual)
    more_cells_than_cases = len(names) ** 2 > pairs.true.array.shape[-1]
    if more_cells_than_cases and not choice.choices.get("weights"):
        values, n_undefined = _from_pairs(pairs, names, choice, fill)
    else:
        counts = tally([class_codes(pairs.true, names), class_codes(pairs.predicted, names)], pairs.weight)
        values, n_undefined = _from_tables(counts, choice, fill)
    _report(choice, n_undefined, undefined)
    return unbatch(values)


def _from_tables(table: AnyArray, choice: MetricChoice, fill: float) -> tuple[AnyArray, AnyArray]:
    """Score tables of shape (..., k, k) in chunks that fit into the cache."""
    *batch, k, _ = table.shape
    rows = table.reshape(-1, k * k)
    step = max(1, CELLS_AT_A_TIME // k**2)
    parts = [choice.scores(_planes(rows[i : i + step], k), fill) for i in range(0, len(rows), step)]
    values, n_undefined = (np.concatenate(part, axis=-1) for part in zip(*parts, strict=True))
    return _shaped(values, batch), _shaped(n_undefined, batch)


def _planes(rows: AnyArray, k: int) -> OneVsRest:
    """Convert m tables, one in each row, to arrays of shape (k, m)."""
    cells = np.array(rows.T, dtype=np.float64, order="C").reshape(k, k, -1)
    diagonal = np.arange(k)
    tp = cells[diagonal, diagonal]
    cells[diagonal, diagonal] = 0
    return one_vs_rest(tp, fp=total_of(cells), fn=total_of(cells.swapaxes(0, 1)), off_diagonal=cells)


def _from_pairs(pairs: Pairs, names: Sequence[Any], choice: MetricChoice, fill: float) -> tuple[AnyArray, AnyArray]:
    """Score labels without a table of all pairs of classes, for many classes."""
    true, predicted = class_codes(pairs.true, names), class_codes(pairs.predicted, names)
    hit = both_equal(true, predicted)
    by_true, by_predicted = tally([true, hit], pairs.weight), tally([predicted, hit], pairs.weight)
    parts = (by_true[..., 1], by_predicted[..., 0], by_true[..., 0])
    tp, fp, fn = (np.array(part.reshape(-1, len(names)).T, dtype=np.float64) for part in parts)
    values, n_undefined = choice.scores(one_vs_rest(tp, fp, fn), fill)
    batch = by_true.shape[:-2]
    return _shaped(values, batch), _shaped(n_undefined, batch)


def _shaped(planes: AnyArray, batch: Sequence[int]) -> AnyArray:
    """Give values of shape (m,) or (t, m) the shape of the batch."""
    return planes.T.reshape((*batch, *planes.shape[:-1]))


def _report(choice: MetricChoice, n_undefined: AnyArray, undefined: str) -> None:
    record = choice.record
    averaged = record.average is not None and choice.average not in (None, "binary", "micro")
    report(
        n_undefined > 0,
        undefined,
        function=record.function,
        when=record.undefined_when,
        usual=record.usual,
        averaged=averaged,
    )


def _scaled(pairs: Pairs) -> Pairs:
    """Rescale weights to prevent overflow. No score depends on the scale of the weights."""
    return pairs._replace(weight=near_one(pairs.weight))


def _understand_choices(record: LabelMetric, choices: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """Return the average and the options of the formula."""
    choices = dict(choices)
    average = record.average
    if average == CHOSEN:
        average = choices.pop("average", "binary")
        if average is not None:
            average = _checks.choice(average, "average", [a for a in AVERAGES if a])
    if "adjusted" in choices and _checks.boolean(choices.pop("adjusted"), "adjusted"):
        average = "adjusted"
    if "beta" in record.choices:
        choices["beta"] = beta_of(choices.get("beta"))
    if choices.get("weights") is not None:
        _checks.choice(choices["weights"], "weights", ("linear", "quadratic"))
    return average, choices


def beta_of(beta: Any) -> float:
    """Return the beta of F, at least 0."""
    value = _checks.numbers(beta, "beta")
    if value.ndim or not value >= 0 or LARGEST_BETA < value < math.inf:
        raise InvalidValueError(f"beta must be between 0 and 1e100, or infinite, not {short(beta)}")
    return float(value)


def _all_classes(pairs: Pairs, listed: list[Any]) -> list[Any]:
    """Return the listed classes, followed by all other classes in the data, sorted."""
    present = distinct(pairs.true) | distinct(pairs.predicted)
    return [*listed, *in_order(present - set(listed))]


def _scored(names: Collection[Any], listed: Sequence[Any] | None, pos_label: Any, average: str | None) -> list[int]:
    """Return the indexes of the classes to score, among all classes `names`."""
    if average != "binary":
        if not _checks.is_among(pos_label, (1,)):
            raise InvalidValueError(
                f"pos_label={pos_label!r} needs average='binary'; labels=[{pos_label!r}] scores one class of several"
            )
        number = {c: i for i, c in enumerate(names)}
        return list(number.values()) if listed is None else [number[c] for c in listed]
    if len(names) > 2:
        raise InvalidValueError(
            f"average='binary' needs two classes, but there are {len(names)}: {shown(names)}; "
            "choose 'macro', 'micro', 'weighted' or None"
        )
    if not _checks.is_among(pos_label, names):
        raise InvalidValueError(f"pos_label must be one of {shown(names)}, not {short(pos_label)}")
    return [list(names).index(pos_label)]


def _understand_counts(metric: Any, counts: Any, choices: dict[str, Any]) -> tuple[MetricChoice, AnyArray]:
    record = LABEL_METRICS[_checks.choice(metric, "metric", tuple(LABEL_METRICS))]
    taken = ("average", "labels", "pos_label") * (record.average == CHOSEN) + record.choices
    _checks.options(choices, metric, (*taken, "undefined"))
    table = _table(counts)
    choices = choices_by_position(metric, counts, choices)
    of_formula = {name: value for name, value in choices.items() if name not in ("labels", "pos_label")}
    average, of_formula = _understand_choices(record, of_formula)
    names = range(table.shape[-1])
    scored: Sequence[int] = names
    if record.average == CHOSEN:
        listed = None if choices.get("labels") is None else given_classes(choices["labels"], NUMBERS)
        if listed and not set(listed) <= set(names):
            raise InvalidValueError(f"labels must be row numbers of counts ({shown(names)}), not {shown(listed)}")
        scored = _scored(names, listed, choices.get("pos_label", 1), average)
    return MetricChoice(record, scored, average, of_formula), table


def choices_by_position(metric: str, counts: Any, choices: dict[str, Any]) -> dict[str, Any]:
    """Return the options with each class label replaced by the index of its row.

    Only a data frame has class labels, and its rows and columns must have the same labels in the same order.
    """
    names = _labels.square_labels(counts, "counts", missing=0)
    if names is None or LABEL_METRICS[metric].average != CHOSEN or _labels.only_counts(counts.index):
        return choices
    placed = dict(choices)
    if choices.get("labels") is not None:
        listed = _checks.listed(choices["labels"], "labels", "classes")
        if unknown := [label for label in listed if not _checks.is_among(label, names)]:
            raise InvalidValueError(f"labels must be row labels of counts ({shown(names)}), not {shown(unknown)}")
        placed["labels"] = [names.index(label) for label in listed]
    pos_label = choices.get("pos_label", 1)
    if choices.get("average", "binary") == "binary" and len(names) <= 2:
        if not _checks.is_among(pos_label, names):
            raise InvalidValueError(f"pos_label must be a row label of counts ({shown(names)}), not {short(pos_label)}")
        placed["pos_label"] = names.index(pos_label)
    return placed


def _table(counts: Any) -> AnyArray:
    """Return square tables of finite numbers of at least 0."""
    table = np.asarray(counts) if isinstance(counts, np.ndarray) else _checks.numbers(counts, "counts")
    if table.dtype.kind not in "iu":
        table = _checks.finite(_checks.numbers(table, "counts"), "counts")
    _checks.batch(table, "counts")
    if table.ndim < 2 or table.shape[-1] != table.shape[-2] or table.size == 0:
        raise InvalidValueError(
            f"counts must have the shape (..., k, k) with k of 1 or more, but its shape is {table.shape}"
        )
    if table.min() < 0:
        at = tuple(np.argwhere(table < 0)[0])
        raise InvalidValueError(f"counts must be nonnegative, but counts[{', '.join(map(str, at))}] is {table[at]}")
    return table
