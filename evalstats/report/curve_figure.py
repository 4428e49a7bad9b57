"""Layout of curves in the figure of a report: axes with round ticks, named lines, bands and a legend."""

from __future__ import annotations

__all__ = ["MOST_CURVES", "Band", "Curve", "CurveFigure", "limits_of", "place_curves", "round_ticks"]

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats._result import Record
from evalstats._types import FloatArray
from evalstats.cd_layout import Path, Picture, PlacedText, Segment
from evalstats.report.describe import MINUS, column
from evalstats.wording import Measure, shorten

# maximum number of curves: one color and dash pattern for each
MOST_CURVES = 6
# in font sizes: sides of the plot, sample of a line in the key, height of a row of text, shift of a thinned line
_WIDTH, _HEIGHT, _SIDE, _SAMPLE, _ROW, _SHIFT = 34.0, 19.0, 25.0, 2.6, 1.5, 0.03


@dataclass(frozen=True, kw_only=True, eq=False)
class Curve(Record):
    """Line through points; a reference line is gray. `dots` states whether the points have dots."""

    name: str
    x: FloatArray
    y: FloatArray
    is_reference: bool = False
    dots: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Band(Record):
    """Area between two limits around the curve at index `of`."""

    of: int
    x: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class CurveFigure(Record):
    """Curves with one pair of axes; `across` and `up` are the labels of the axes.

    `x_limits` and `y_limits` are the limits of the axes; lines end where they leave the plot. `x_ticks` are the numbers
    at the horizontal axis, or none for round numbers. In a square figure, both axes have the same scale.
    """

    title: str
    curves: tuple[Curve, ...]
    bands: tuple[Band, ...] = ()
    across: str
    up: str
    x_limits: tuple[float, float]
    y_limits: tuple[float, float]
    x_ticks: tuple[float, ...] = ()
    is_logarithmic: bool = False
    is_square: bool = False
    caption: tuple[str, ...]

    @property
    def description(self) -> str:
        """Text description of the figure for screen readers."""
        return " ".join([*map(self._ends, self.curves), *self.caption])

    def _ends(self, curve: Curve) -> str:
        known = np.flatnonzero(np.isfinite(curve.y))
        if not known.size or curve.is_reference:
            return f"{curve.name}: a reference line."
        ends = known[[0, -1]]
        (x1, x2), (y1, y2) = (column(values[ends].tolist(), digits=3) for values in (curve.x, curve.y))
        return f"{curve.name}: {self.up} {y1} at {x1}, {y2} at {x2}."


def place_curves(drawn: CurveFigure, measure: Measure, *, longest_name: float, width: float | None = None) -> Picture:
    """Convert curves to lines and texts: the legend, the label of the vertical axis, the plot, and the ticks."""
    ups = round_ticks(*drawn.y_limits)
    left = max(measure(_number(value)) for value in ups) + 1.2
    length = (_SIDE if drawn.is_square else _WIDTH) if width is None else width - left - 1.5
    height = length if drawn.is_square else min(_HEIGHT, 0.7 * length)
    key = list(_key(drawn, measure, longest_name, left + length))
    top = (key[-1][2] if key else -0.3) + 2.8
    x = _scale(drawn.x_limits, left, length, is_logarithmic=drawn.is_logarithmic)
    y = _scale(drawn.y_limits, top + height, -height)
    bottom = top + height

    segments = [Segment(kind="grid", x1=left, y1=y(v), x2=left + length, y2=y(v)) for v in ups]
    segments += [Segment(kind="axis", x1=left, y1=bottom, x2=left + length, y2=bottom)]
    texts = [_text("end", left, top - 1.0, drawn.up, "start", 0.95)]
    texts += [_text("tick", left - 0.5, y(v), _number(v), "end", 0.9) for v in ups]
    last = -math.inf
    for value in drawn.x_ticks or round_ticks(*drawn.x_limits):
        segments.append(Segment(kind="tick", x1=x(value), y1=bottom, x2=x(value), y2=bottom + 0.35))
        half = 0.45 * measure(_number(value))
        if x(value) - half > last:
            texts.append(_text("tick", x(value), bottom + 1.05, _number(value), "middle", 0.9))
            last = x(value) + half + 0.5
    texts.append(_text("end", left + length / 2, bottom + 2.6, drawn.across, "middle", 0.95))

    paths = [
        Path(kind="band", style=_style(drawn, band.of), points=_points(area), of=(band.of,))
        for band in drawn.bands
        for area in _areas(band, drawn.y_limits, x, y)
    ]
    for i, curve in enumerate(drawn.curves):
        kind = "reference" if curve.is_reference else "curve"
        own: dict[str, Any] = {"style": _style(drawn, i), "of": (i,)}
        lines = [np.column_stack([x(a), y(b)]) for a, b in _inside(curve.x, curve.y, drawn.y_limits)]
        paths += [Path(kind=kind, points=_points(_thinned(line)), **own) for line in lines if len(line) > 1]
        paths += [Path(kind="dots", points=_points(line), **own) for line in lines if curve.dots or len(line) == 1]
    for i, at, row, name in key:
        kind = "reference" if drawn.curves[i].is_reference else "curve"
        paths.append(Path(kind=kind, style=_style(drawn, i), points=((at, row), (at + _SAMPLE, row)), of=(i,)))
        full = drawn.curves[i].name
        texts.append(
            PlacedText(
                kind="name", x=at + _SAMPLE + 0.5, y=row, text=name, anchor="start", size=1.0, full=full, of=(i,)
            )
        )
    return Picture(
        width=left + length + 1.5, height=bottom + 3.4, segments=tuple(segments), texts=tuple(texts), paths=tuple(paths)
    )


def limits_of(values: Sequence[float]) -> tuple[float, float]:
    """Return the limits of an axis that contains all finite values."""
    finite = [value for value in values if math.isfinite(value)]
    margin = 0.05 * (max(finite) - min(finite)) or 1.0
    return min(finite) - margin, max(finite) + margin


def round_ticks(low: float, high: float) -> list[float]:
    """Return at most six round numbers between the limits."""
    power = 10.0 ** math.floor(math.log10(high - low))
    step = next(s * power for s in (0.1, 0.2, 0.5, 1, 2, 5) if (high - low) / (s * power) <= 5)
    return [round(i * step, 12) for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _number(value: float) -> str:
    return f"{value:,.10g}".replace("-", MINUS)


def _text(kind: str, x: float, y: float, text: str, anchor: str, size: float) -> PlacedText:
    return PlacedText(kind=kind, x=x, y=y, text=text, anchor=anchor, size=size, full=text)


def _style(drawn: CurveFigure, i: int) -> int:
    """Return the number of the pattern of a line, which is its position among the curves or the reference lines."""
    return sum(curve.is_reference == drawn.curves[i].is_reference for curve in drawn.curves[:i])


def _scale(
    limits: tuple[float, float], start: float, length: float, *, is_logarithmic: bool = False
) -> Callable[[Any], Any]:
    """Return the function from a value to its place in font sizes."""
    low, high = np.log(limits) if is_logarithmic else limits

    def place(value: Any) -> Any:
        return start + length * ((np.log(value) if is_logarithmic else value) - low) / (high - low)

    return place


def _key(drawn: CurveFigure, measure: Measure, longest: float, width: float) -> Iterator[tuple[int, float, float, str]]:
    """Yield the entries of the legend from the left, in rows: curve, place of its sample, and short name."""
    at, row = 0.5, 0.9
    for i, name in enumerate(shorten([curve.name for curve in drawn.curves], measure, longest)):
        wide = _SAMPLE + 0.5 + measure(name) + 1.8
        if at > 0.5 and at + wide - 1.8 > width:
            at, row = 0.5, row + _ROW
        yield i, at, row, name
        at += wide


def _inside(x: FloatArray, y: FloatArray, limits: tuple[float, float]) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the parts of a line between two heights; a part ends where the line crosses a limit or is undefined."""
    places = np.arange(len(y), dtype=float)
    at = [places]
    for limit in limits:
        start, end = y[:-1] - limit, y[1:] - limit
        crossed = np.flatnonzero(start * end < 0)
        at.append(crossed + start[crossed] / (start[crossed] - end[crossed]))
    every = np.unique(np.concatenate(at))
    x, y = np.interp(every, places, x), np.interp(every, places, y)
    slack = 1e-9 * (limits[1] - limits[0])
    is_inside = (y >= limits[0] - slack) & (y <= limits[1] + slack)
    for part in np.split(np.arange(len(y)), np.flatnonzero(np.diff(is_inside)) + 1):
        if is_inside[part[0]]:
            yield x[part], y[part]


def _areas(
    band: Band, limits: tuple[float, float], x: Callable[[Any], Any], y: Callable[[Any], Any]
) -> Iterator[FloatArray]:
    """Yield the outlines of a band: the lower limit, and the upper limit in reverse order, where both limits exist."""
    known = np.isfinite(band.low + band.high)
    for part in np.split(np.arange(len(known)), np.flatnonzero(np.diff(known)) + 1):
        if len(part) > 1 and known[part[0]]:
            below, above = (
                _thinned(np.column_stack([x(band.x[part]), y(np.clip(limit[part], *limits))]))
                for limit in (band.low, band.high)
            )
            yield np.concatenate([below, above[::-1]])


def _thinned(points: FloatArray) -> FloatArray:
    """Leave out points whose distance from the line through the other points is invisible (Douglas and Peucker)."""
    steps = np.append(True, np.any(np.diff(np.round(points / _SHIFT), axis=0) != 0, axis=1))
    points = points[steps | (np.arange(len(points)) == len(points) - 1)]
    kept = np.zeros(len(points), dtype=bool)
    kept[[0, -1]] = True
    waiting = [(0, len(points) - 1)]
    while waiting:
        first, last = waiting.pop()
        if last - first < 2:
            continue
        chord, between = points[last] - points[first], points[first + 1 : last] - points[first]
        length = float(np.hypot(*chord))
        if length:
            distance = np.abs(between[:, 0] * chord[1] - between[:, 1] * chord[0]) / length
        else:
            distance = np.hypot(between[:, 0], between[:, 1])
        farthest = int(distance.argmax())
        if distance[farthest] > _SHIFT:
            middle = first + 1 + farthest
            kept[middle] = True
            waiting += [(first, middle), (middle, last)]
    return points[kept]


def _points(line: FloatArray) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in line.tolist())
