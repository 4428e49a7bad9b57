"""Lists of values with intervals, for pairs and for very many classifiers."""

from __future__ import annotations

__all__ = ["IntervalList", "IntervalRow", "difference_list", "drawing_of", "model_list", "place_list"]

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from evalstats._result import Record
from evalstats.cd_layout import Diagram, Picture, PlacedText, Segment, lay_out
from evalstats.comparison.record import Comparison
from evalstats.report.curve_figure import limits_of, round_ticks
from evalstats.report.describe import MINUS, column, decimal, metric_words, percent
from evalstats.wording import Measure, metric_name, plain_number, shorten, tested_words, untested_note

# maximum number of rows
MOST_ROWS = 40
# in font sizes
_ROW, _AXIS = 1.5, 24.0


@dataclass(frozen=True, kw_only=True, eq=False)
class IntervalRow(Record):
    """Value with its name, limits (nan if there are none) and text, and whether its dot is filled."""

    name: str
    value: float
    low: float
    high: float
    written: str
    full: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class IntervalList(Record):
    """Values with their intervals, the first at the top.

    `low` and `high` are the limits of the axis, and `ends` contains the words at its ends. `zero` is the position of
    the reference line. `caption` contains the sentences below the figure.
    """

    rows: tuple[IntervalRow, ...]
    low: float
    high: float
    zero: float
    ends: tuple[str, str]
    caption: tuple[str, ...]

    title: ClassVar[str] = "Values with their intervals"

    @property
    def description(self) -> str:
        """Text description of the figure for screen readers."""
        return "; ".join(f"{row.name}: {row.written}" for row in self.rows) + ". " + " ".join(self.caption)

    def position(self, value: float) -> float:
        """Return the position of a value on the axis, from 0 to 1."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)


def drawing_of(
    comparison: Comparison, *, most_labels: int = MOST_ROWS, max_rows: int = MOST_ROWS
) -> Diagram | IntervalList | None:
    """Return the figure of a comparison, or None for two classifiers over datasets.

    For folds and instances, the figure shows the differences of the pairs. For questions, it shows the scores of the
    models.

    For more than 40 classifiers (`most_labels`), a critical-difference diagram is not readable. The figure then lists
    the best classifiers.
    """
    if comparison.design == "questions":
        return model_list(comparison, max_rows)
    if comparison.design != "datasets":
        return difference_list(comparison, max_rows)
    if comparison.omnibus is None:
        return None
    return lay_out(comparison) if comparison.n_classifiers <= most_labels else rank_list(comparison, max_rows)


def difference_list(comparison: Comparison, max_rows: int = MOST_ROWS) -> IntervalList:
    """List the differences of the pairs, or of the pairs with the smallest p-values."""
    pairs = comparison.pairs_with_smallest_pvalues(max_rows)
    numbers: list[Any] = [(pair.difference, pair.low, pair.high) for pair in pairs]
    written = _written(numbers)
    rows = tuple(
        IntervalRow(
            name=f"{pair.first} {MINUS} {pair.second}",
            value=value,
            low=low,
            high=high,
            written=text,
            full=pair.different,
        )
        for pair, (value, low, high), text in zip(pairs, numbers, written, strict=True)
    )
    low, high = limits_of([0.0, *(value for three in numbers for value in three)])
    table = comparison.table
    metric = metric_words(table)
    few = (
        f" The list shows the {len(rows)} of {comparison.n_pairs} pairs with the smallest p-values."
        if len(rows) < comparison.n_pairs
        else ""
    )
    better = "Above" if table.greater_is_better else "Below"
    level = percent(1 - comparison.alpha)
    return IntervalList(
        rows=rows,
        low=low,
        high=high,
        zero=0.0,
        ends=("", ""),
        caption=(
            f"Differences in {metric}, first minus second, each with its own {level} interval.{few}",
            f"{better} 0, the first is better. {full_dot_words(comparison.adjustment, comparison.n_pairs)}",
            *filter(None, [untested_note(comparison.validity)]),
        ),
    )


def model_list(comparison: Comparison, max_rows: int = MOST_ROWS) -> IntervalList:
    """List the scores of the models (or only of the best models) on questions, with intervals."""
    shown = comparison.models[:max_rows]
    values = [(model.score, model.low, model.high) for model in shown]
    low, high = limits_of([value for three in values for value in three])
    level, metric = percent(1 - comparison.alpha), metric_name(comparison.table.metric)
    few = (
        f" The list shows the best {len(shown)} of {len(comparison.models)} models."
        if len(shown) < len(comparison.models)
        else ""
    )
    return IntervalList(
        rows=tuple(
            IntervalRow(
                name=model.classifier, value=model.score, low=model.low, high=model.high, written=text, full=True
            )
            for model, text in zip(shown, _written(values), strict=True)
        ),
        low=low,
        high=high,
        zero=shown[0].score,
        ends=("", ""),
        caption=(
            f"Mean {metric} with its {level} cluster-robust interval; the line marks the best model.{few}",
            "Intervals of two models may overlap although the models differ significantly; see the differences.",
        ),
    )


def _written(numbers: Sequence[Sequence[float]]) -> list[str]:
    """Format values and their limits with the same number of decimals; leave out missing limits."""
    written = column([value for three in numbers for value in three], digits=3)
    return [
        written[3 * i] if math.isnan(low) else f"{written[3 * i]} [{', '.join(written[3 * i + 1 :][:2])}]"
        for i, (_, low, _) in enumerate(numbers)
    ]


def full_dot_words(adjustment: str | None, n_pairs: int) -> str:
    """Explain the meaning of a filled dot, which depends on the adjustment of the p-values."""
    if n_pairs == 1 or adjustment is None:
        return "A filled dot marks a pair that is shown to differ."
    how = "without any adjustment" if adjustment == "none" else "after adjustment"
    return f"A filled dot marks a pair that is shown to differ, {how}."


def rank_list(comparison: Comparison, max_rows: int = MOST_ROWS) -> IntervalList:
    """List the mean ranks of the best classifiers, with an interval of half a critical difference on each side."""
    names = comparison.ranking[:max_rows]
    half = math.nan if comparison.critical_difference is None else comparison.critical_difference / 2
    differs = comparison.different[comparison.table.position(comparison.control or names[0])]
    ranks = [comparison.mean_rank(name) for name in names]
    rows = tuple(
        IntervalRow(
            name=name,
            value=rank,
            low=rank - half,
            high=rank + half,
            written=plain_number(rank),
            full=bool(differs[comparison.table.position(name)]),
        )
        for name, rank in zip(names, ranks, strict=True)
    )
    low, high = limits_of([value for row in rows for value in (row.value, row.low, row.high)])
    return IntervalList(
        rows=rows, low=low, high=high, zero=ranks[0], ends=("best", ""), caption=_rank_caption(comparison, len(rows))
    )


def _rank_caption(comparison: Comparison, n_shown: int) -> tuple[str, ...]:
    shown = f"Mean ranks over {comparison.n_datasets} {comparison.words.datasets}; 1 is the best."
    if n_shown < comparison.n_classifiers:
        shown += f" The list shows the best {n_shown} of {comparison.n_classifiers} {comparison.words.classifiers}."
    if not comparison.is_conclusive:
        return shown, f"The omnibus test does not reject at α = {comparison.alpha:g}, so no conclusion is possible."
    test = tested_words(comparison)
    who = "the best one" if comparison.control is None else f"the control, {comparison.control}"
    said = [shown, f"A filled dot marks a {comparison.words.classifier} that is shown to differ from {who} ({test})."]
    length = comparison.critical_difference
    if length is not None and comparison.control is None:
        said.append(
            f"Lines reach half a critical difference, {decimal(length / 2, 2)}, to either side: two "
            f"{comparison.words.classifiers} differ if their lines do not overlap."
        )
    return tuple(said)


def place_list(drawn: IntervalList, measure: Measure, *, longest_name: float) -> Picture:
    """Convert a list to lines and texts: the names on the left, an axis, and the values on the right."""
    names = shorten([row.name for row in drawn.rows], measure, longest_name)
    left = max(map(measure, names)) + 1.0
    right = max(measure(row.written) for row in drawn.rows) + 1.5
    bottom = _ROW * len(drawn.rows) + 0.4

    def x(value: float) -> float:
        return left + _AXIS * drawn.position(value)

    segments = [Segment(kind="tick", x1=x(drawn.zero), y1=0.2, x2=x(drawn.zero), y2=bottom)]
    texts = []
    for i, (row, name) in enumerate(zip(drawn.rows, names, strict=True)):
        y, of = _ROW * (i + 0.5) + 0.3, (i,)
        if not math.isnan(row.low + row.high):
            segments.append(Segment(kind="interval", x1=x(row.low), y1=y, x2=x(row.high), y2=y, of=of))
        dots = ("dot",) if row.full else ("dot", "hole")
        segments += [Segment(kind=dot, x1=x(row.value), y1=y, x2=x(row.value), y2=y, of=of) for dot in dots]
        for kind, at, text, anchor, full in (
            ("name", left - 1.0, name, "end", row.name),
            ("rank", left + _AXIS + 1.0, row.written, "start", row.written),
        ):
            texts.append(PlacedText(kind=kind, x=at, y=y, text=text, anchor=anchor, size=1.0, full=full, of=of))
    segments.append(Segment(kind="axis", x1=left, y1=bottom, x2=left + _AXIS, y2=bottom))
    for value in round_ticks(drawn.low, drawn.high):
        segments.append(Segment(kind="tick", x1=x(value), y1=bottom, x2=x(value), y2=bottom + 0.35))
        text = f"{value:g}".replace("-", MINUS)
        texts.append(
            PlacedText(kind="tick", x=x(value), y=bottom + 1.0, text=text, anchor="middle", size=0.9, full=text)
        )
    return Picture(width=left + _AXIS + right, height=bottom + 1.8, segments=tuple(segments), texts=tuple(texts))
