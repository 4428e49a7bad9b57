"""Layout of a critical-difference diagram.

Two steps compute the geometry of the figure of Demšar (2006, Fig. 1) as data. `lay_out` assigns each
label to a row and a side and each bar to a level, and writes the caption. `place` turns the layout into line segments
and texts with coordinates. The output formats (text, SVG, TikZ and matplotlib) draw these line segments and texts.
"""

from __future__ import annotations

__all__ = [
    "Bar",
    "Diagram",
    "Interval",
    "Label",
    "Path",
    "Picture",
    "PlacedText",
    "Ruler",
    "Segment",
    "Tick",
    "lay_out",
    "place",
]

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from evalstats import _checks
from evalstats._result import Record
from evalstats.comparison.record import Comparison, of_design
from evalstats.wording import (
    Measure,
    plain_number,
    tested_words,
    unbroken,
    untested_note,
    wrap,
    wrap_names,
    written_list,
)

# extension of a bar beyond its outermost members, and the gap between two bars of one level, in lengths of the axis
_OVERHANG = 0.012
_GAP = 0.045
# in font sizes: space for the words at the ends of the axis; factor of the width of a bold name
_SMALLEST_MARGIN, _BOLD = 4.0, 1.16
# in font sizes: distance of two rows, and of two lines of a name
_ROW, _LINE = 1.4, 1.15
# maximum number of listed names in a caption; the others are counted
_LISTED = 6


@dataclass(frozen=True, kw_only=True, eq=False)
class Tick(Record):
    """An integer rank on the axis. `text` is empty if there is no space for the number."""

    rank: int
    position: float
    text: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Label(Record):
    """The name of a classifier, in a row of the left or the right side. Row 0 is nearest to the axis.

    `position` is the position of its mean rank, from 0 (left) to 1 (right).
    """

    classifier: str
    mean_rank: float
    position: float
    side: str
    row: int
    is_control: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class Bar(Record):
    """A homogeneous subset of classifiers. Level 0 is nearest to the axis."""

    members: tuple[str, ...]
    start: float
    end: float
    level: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Ruler(Record):
    """The critical difference as a length, beginning at rank 1; `fits` is False if it is longer than the axis."""

    critical_difference: float
    start: float
    end: float
    fits: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class Interval(Record):
    """The control's mean rank plus and minus the critical difference (Demšar, 2006, Fig. 1b).

    `start_cut` and `end_cut` state whether the interval continues beyond the axis.
    """

    control: str
    start: float
    end: float
    start_cut: bool
    end_cut: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class Diagram(Record):
    """A critical-difference diagram, as data. Positions run from 0, the left end of the axis, to 1, its right end.

    Attributes
    ----------
    n_classifiers : int
        Number of classifiers; the axis covers the ranks from 1 (the best) to this number.
    best : {'left', 'right'}
        The side of rank 1.
    ticks : tuple of Tick
        Ticks from left to right.
    labels : tuple of Label
        Labels from left to right. Leader lines that are drawn row by row never cross.
    bars : tuple of Bar
        Homogeneous subsets of classifiers, best first; a bar covers only classifiers of its subset.
    n_rows, n_levels : int
        Number of rows of labels on the side with more labels, and number of levels of bars.
    ruler : Ruler or None
        The critical difference, or None if the comparison has none.
    interval : Interval or None
        The interval of the control, or None without a control.
    conclusive : bool
        Whether the omnibus test rejects or is not required for the pairs. If False, the bars and the interval mark no
        conclusion.
    caption : tuple of str
        Sentences below the figure: an explanation, and the relations that the figure cannot show.
    """

    n_classifiers: int
    best: str
    ticks: tuple[Tick, ...]
    labels: tuple[Label, ...]
    bars: tuple[Bar, ...]
    n_rows: int
    n_levels: int
    ruler: Ruler | None
    interval: Interval | None
    conclusive: bool
    caption: tuple[str, ...]

    title: ClassVar[str] = "Critical-difference diagram"

    @property
    def description(self) -> str:
        """Text description of the figure for screen readers."""
        by_rank = sorted(self.labels, key=lambda label: label.mean_rank)
        ranks = ", ".join(f"{label.classifier} {plain_number(label.mean_rank)}" for label in by_rank)
        bars = "; ".join(", ".join(bar.members) for bar in self.bars)
        return f"Mean ranks: {ranks}." + (f" Bars join: {bars}." if bars else "") + " " + " ".join(self.caption)


@dataclass(frozen=True, kw_only=True, eq=False)
class Segment(Record):
    """A straight line. `kind` is 'axis', 'tick', 'leader', 'bar', 'interval' or 'ruler'.

    `of` holds the positions of its labels, counted from the left. `full` is the description that appears under the
    mouse pointer.
    """

    kind: str
    x1: float
    y1: float
    x2: float
    y2: float
    of: tuple[int, ...] = ()
    full: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class PlacedText(Record):
    """Text whose vertical middle is at y and whose 'start', 'middle' or 'end' (`anchor`) is at x.

    `kind` is 'tick', 'end', 'name', 'control', 'rank', 'ruler', 'title' or 'caption'. `size` is in font sizes. `full`
    is the complete text, if the text is shortened. `of` holds the position of its label.
    """

    kind: str
    x: float
    y: float
    text: str
    anchor: str
    size: float
    full: str
    of: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Path(Record):
    """Points that form a line, an area or dots: `kind` is 'curve' or 'reference' (lines), 'band' (an area) or 'dots'.

    `style` is the number of its color and dash pattern.
    """

    kind: str
    style: int
    points: tuple[tuple[float, float], ...]
    of: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Picture(Record):
    """The diagram as lines and texts. The unit is the font size, and y increases downwards from the upper edge."""

    width: float
    height: float
    segments: tuple[Segment, ...]
    texts: tuple[PlacedText, ...]
    paths: tuple[Path, ...] = ()


def lay_out(comparison: Comparison, *, best_side: str = "left") -> Diagram:
    """Return the layout of the critical-difference diagram of a comparison.

    Parameters
    ----------
    comparison : Comparison
        Comparison whose ranks, homogeneous subsets and decisions the diagram shows.
    best_side : {'left', 'right'}, default: 'left'
        The side of rank 1. In Demšar (2006), rank 1 is on the right.

    Returns
    -------
    Diagram

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning
    Research, 7, 1-30. Section 3.2.2 and Figure 1.
    """
    of_design(comparison, "for several datasets", "datasets")
    best_side = _checks.choice(best_side, "best_side", ("left", "right"))
    k = comparison.n_classifiers

    def position(rank: float) -> float:
        along = (rank - 1) / (k - 1)
        return along if best_side == "left" else 1 - along

    positions = dict(zip(comparison.table.classifiers, map(position, comparison.mean_ranks), strict=True))
    labels = _labels(comparison, positions, mirrored=best_side == "right")
    bars, unbarred = _bars(comparison, positions)
    interval = _interval(comparison, position)
    return Diagram(
        n_classifiers=k,
        best=best_side,
        ticks=_ticks(k, position, mirrored=best_side == "right"),
        labels=labels,
        bars=bars,
        n_rows=max(label.row for label in labels) + 1,
        n_levels=max((bar.level + 1 for bar in bars), default=0 if interval is None else 1),
        ruler=_ruler(comparison, position),
        interval=interval,
        conclusive=comparison.is_conclusive,
        caption=_caption(comparison, best_side, unbarred),
    )


def place(
    diagram: Diagram,
    measure: Measure,
    *,
    width: float | None = None,
    longest_name: float = math.inf,
    title: str = "",
    caption: bool = False,
) -> Picture:
    """Convert a layout of a diagram to lines and texts.

    Parameters
    ----------
    diagram : Diagram
        Layout of the diagram.
    measure : callable
        Function that returns the width of a string in font sizes.
    width : float, optional
        Width of the plot in font sizes. By default, the names and a standard length of the axis determine the width.
    longest_name : float, optional
        Maximum width of a name in font sizes. Wider names are broken into two lines, and shortened if two lines are not
        sufficient.
    title : str, optional
        Title above the plot.
    caption : bool, default: False
        Whether to write the caption under the diagram.

    Returns
    -------
    Picture
    """
    wrapped = wrap_names([label.classifier for label in diagram.labels], measure, longest_name)
    names = [name.split("\n") for name in wrapped]
    number = max(measure(plain_number(label.mean_rank)) for label in diagram.labels)
    margin = {"left": _SMALLEST_MARGIN, "right": _SMALLEST_MARGIN}
    for label, name in zip(diagram.labels, names, strict=True):
        wide = max(map(measure, name)) * (_BOLD if label.is_control else 1)
        margin[label.side] = max(margin[label.side], wide + number + 2.2)
    names_and_ranks = margin["left"] + margin["right"]
    axis = min(28 + 0.4 * diagram.n_classifiers, 44) if width is None else width - names_and_ranks
    sketch = _Sketch(measure, left=margin["left"], axis=axis, width=names_and_ranks + axis)
    sketch.title(title)
    sketch.ruler(diagram.ruler)
    sketch.axis_line(diagram)
    sketch.bars(diagram)
    sketch.labels(diagram, names, number)
    if caption:
        sketch.caption(diagram.caption)
    return Picture(width=sketch.width, height=sketch.y, segments=tuple(sketch.segments), texts=tuple(sketch.texts))


def _labels(comparison: Comparison, positions: dict[str, float], *, mirrored: bool) -> tuple[Label, ...]:
    """Assign labels to rows; the outermost classifier of each side is nearest to the axis, so no leader lines cross."""
    order = comparison.ranking[::-1] if mirrored else comparison.ranking
    n_left = (len(order) + 1) // 2
    return tuple(
        Label(
            classifier=name,
            mean_rank=comparison.mean_rank(name),
            position=positions[name],
            side="left" if i < n_left else "right",
            row=i if i < n_left else len(order) - 1 - i,
            is_control=name == comparison.control,
        )
        for i, name in enumerate(order)
    )


def _ticks(k: int, position: Callable[[float], float], *, mirrored: bool) -> tuple[Tick, ...]:
    """Return a tick at each rank, with at most about twelve numbers: the first, the last and round numbers."""
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, k) if k / s <= 12)
    numbered = {1, k} | {r for r in range(step, k, step) if min(r - 1, k - r) >= 0.7 * step}
    ranks = range(k, 0, -1) if mirrored else range(1, k + 1)
    return tuple(Tick(rank=r, position=position(r), text=str(r) if r in numbered else "") for r in ranks)


def _bars(comparison: Comparison, positions: dict[str, float]) -> tuple[tuple[Bar, ...], list[tuple[str, ...]]]:
    """Assign the bar of each subset to the first level with enough space, and return the subsets without a bar.

    A subset has no bar if the mean rank of a classifier outside the subset would lie within the bar.
    """
    bars: list[Bar] = []
    unbarred: list[tuple[str, ...]] = []
    for members in comparison.homogeneous_subsets:
        first, last = sorted((positions[members[0]], positions[members[-1]]))
        group = set(members)
        strangers = [place for name, place in positions.items() if name not in group]
        if any(first <= place <= last for place in strangers):
            unbarred.append(members)
            continue
        start = first - min([_OVERHANG, *(0.4 * (first - place) for place in strangers if place < first)])
        end = last + min([_OVERHANG, *(0.4 * (place - last) for place in strangers if place > last)])
        taken = {bar.level for bar in bars if bar.start < end + _GAP and start < bar.end + _GAP}
        level = next(level for level in range(len(bars) + 1) if level not in taken)
        bars.append(Bar(members=members, start=start, end=end, level=level))
    return tuple(bars), unbarred


def _ruler(comparison: Comparison, position: Callable[[float], float]) -> Ruler | None:
    length = comparison.critical_difference
    if length is None:
        return None
    fits = length <= comparison.n_classifiers - 1
    start, end = sorted([position(1), position(1 + length) if fits else position(comparison.n_classifiers)])
    return Ruler(critical_difference=length, start=start, end=end, fits=fits)


def _interval(comparison: Comparison, position: Callable[[float], float]) -> Interval | None:
    if comparison.control is None or comparison.critical_difference is None:
        return None
    centre = comparison.mean_rank(comparison.control)
    start, end = sorted(position(centre + sign * comparison.critical_difference) for sign in (-1, 1))
    return Interval(
        control=comparison.control, start=max(start, 0.0), end=min(end, 1.0), start_cut=start < 0, end_cut=end > 1
    )


def _caption(comparison: Comparison, best: str, unbarred: list[tuple[str, ...]]) -> tuple[str, ...]:
    n, words = comparison.n_datasets, comparison.words
    axis = f"Mean ranks over {n} {words.dataset if n == 1 else words.datasets}; rank 1, on the {best}, is the best."
    if comparison.table.missing:
        axis += f" Scores are missing: each mean is over the {words.datasets} with a score for the {words.classifier}."
    if not comparison.is_conclusive:
        return axis, _nothing_concluded(comparison)
    test, not_tested = tested_words(comparison), untested_note(comparison.validity)
    if comparison.control is not None and comparison.posthoc is not None:
        return axis, *_control_caption(comparison, comparison.control, test), *([not_tested] * bool(not_tested))
    if not comparison.homogeneous_subsets and not comparison.pairs_outside_subsets:
        return axis, f"No bar is drawn: every pair is shown to differ ({test})."
    sentences = [axis]
    if len(unbarred) < len(comparison.homogeneous_subsets):
        sentences.append(f"A bar joins {words.classifiers} that are not shown to differ ({test}).")
    loose = [f"{a} and {b}" for a, b in comparison.pairs_outside_subsets]
    loose += [written_list(members) for members in unbarred]
    if loose:
        listed = "; ".join(loose[:_LISTED])
        rest = f"; and {len(loose) - _LISTED} more" if len(loose) > _LISTED else ""
        sentences.append(f"No bar can join these {words.classifiers}, which are not shown to differ: {listed}{rest}.")
    return *sentences, *([not_tested] * bool(not_tested))


def _nothing_concluded(comparison: Comparison) -> str:
    test = "Wilcoxon signed-rank test" if comparison.omnibus is None else "omnibus test"
    return f"The {test} does not reject at α = {comparison.alpha:g}, so no conclusion is possible."


def _control_caption(comparison: Comparison, control: str, test: str) -> list[str]:
    names = comparison.table.classifiers
    row = comparison.different[names.index(control)]
    outside = [name for name in comparison.ranking if row[names.index(name)]]
    if comparison.critical_difference is None:
        if not outside:
            return [f"No {comparison.words.classifier} is shown to differ from the control, {control} ({test})."]
        verb = "is shown to differ" if len(outside) == 1 else "are shown to differ"
        return [f"{written_list(outside, at_most=_LISTED)} {verb} from the control, {control} ({test})."]
    who = f"the control, {control},"
    line = f"The interval is the mean rank of {who} plus and minus the critical difference ({test})."
    if not outside:
        return [line, f"No {comparison.words.classifier} lies outside it."]
    verb = "lies outside it and is" if len(outside) == 1 else "lie outside it and are"
    return [line, f"{written_list(outside, at_most=_LISTED)} {verb} shown to differ from the control."]


class _Sketch:
    """Lines and texts that are added from the top downwards; `y` is the lower edge of the existing elements."""

    def __init__(self, measure: Measure, *, left: float, axis: float, width: float) -> None:
        self.measure, self.left, self.axis, self.width = measure, left, axis, width
        self.y = 0.4
        self.segments: list[Segment] = []
        self.texts: list[PlacedText] = []

    def x(self, position: float) -> float:
        return self.left + self.axis * position

    def line(self, kind: str, x1: float, y1: float, x2: float, y2: float, of: tuple[int, ...] = ()) -> None:
        self.segments.append(Segment(kind=kind, x1=x1, y1=y1, x2=x2, y2=y2, of=of))

    def text(
        self,
        kind: str,
        x: float,
        text: str,
        anchor: str,
        *,
        y: float,
        size: float = 1.0,
        full: str = "",
        of: tuple[int, ...] = (),
    ) -> None:
        placed = PlacedText(kind=kind, x=x, y=y, text=text, anchor=anchor, size=size, full=full or text, of=of)
        self.texts.append(placed)

    def title(self, title: str) -> None:
        for line in wrap(title, lambda t: 1.2 * self.measure(t), self.width, whole_words=False):
            if line:
                self.text("title", self.width / 2, line, "middle", y=self.y + 0.8, size=1.2)
                self.y += 1.6
        self.y += 0.4 if title else 0.0

    def ruler(self, ruler: Ruler | None) -> None:
        if ruler is None:
            return
        text = f"CD = {plain_number(ruler.critical_difference)}" + ("" if ruler.fits else " (longer than the axis)")
        start, end = self.x(ruler.start), self.x(ruler.end)
        half = self.measure(text) / 2
        middle = min(max((start + end) / 2, half), self.width - half)
        self.text("ruler", middle, text, "middle", y=self.y + 0.6)
        y = self.y + 1.7
        self.line("ruler", start, y, end, y)
        open_end = None if ruler.fits else end if start == self.x(0) else start
        for x in (start, end):
            if x != open_end:
                self.line("ruler", x, y - 0.3, x, y + 0.3)
        self.y += 2.3

    def axis_line(self, diagram: Diagram) -> None:
        y = self.y + 1.9
        self.line("axis", self.x(0), y, self.x(1), y)
        for tick in diagram.ticks:
            self.line("tick", self.x(tick.position), y - (0.45 if tick.text else 0.25), self.x(tick.position), y)
            if tick.text:
                self.text("tick", self.x(tick.position), tick.text, "middle", y=y - 1.1)
        words = ("best", "worst") if diagram.best == "left" else ("worst", "best")
        self.text("end", self.x(0) - 0.8, words[0], "end", y=y, size=0.9)
        self.text("end", self.x(1) + 0.8, words[1], "start", y=y, size=0.9)
        self.y = y

    def bars(self, diagram: Diagram) -> None:
        first = self.y + 0.8
        places = {label.classifier: i for i, label in enumerate(diagram.labels)}
        for bar in diagram.bars:
            y = first + 0.75 * bar.level
            of = tuple(sorted(places[name] for name in bar.members))
            self.line("bar", self.x(bar.start), y, self.x(bar.end), y, of)
        if diagram.interval is not None:
            start, end = self.x(diagram.interval.start), self.x(diagram.interval.end)
            self.line("interval", start, first, end, first)
            for x, cut in ((start, diagram.interval.start_cut), (end, diagram.interval.end_cut)):
                if not cut:
                    self.line("interval", x, first - 0.35, x, first + 0.35)
        self.leaders_from = self.y
        self.y += 0.8 + 0.75 * max(diagram.n_levels - 1, 0) + (0.6 if diagram.n_levels else 0.0)

    def labels(self, diagram: Diagram, names: list[list[str]], number: float) -> None:
        lines = [1] * diagram.n_rows
        for label, name in zip(diagram.labels, names, strict=True):
            lines[label.row] = max(lines[label.row], len(name))
        heights = [_ROW + _LINE * (n - 1) for n in lines]
        middles = [self.y + 0.5 - _ROW / 2 + sum(heights[:row]) + height / 2 for row, height in enumerate(heights)]
        for i, (label, name) in enumerate(zip(diagram.labels, names, strict=True)):
            y = middles[label.row]
            outward, anchor = (-1, "end") if label.side == "left" else (1, "start")
            edge = self.x(0 if label.side == "left" else 1) + 0.9 * outward
            stem = self.x(label.position)
            self.line("leader", stem, self.leaders_from, stem, y, (i,))
            self.line("leader", stem, y, edge, y, (i,))
            rank = plain_number(label.mean_rank)
            self.text("rank", edge + 0.3 * outward, rank, anchor, y=y, of=(i,))
            kind = "control" if label.is_control else "name"
            for place, line in enumerate(name):
                lower = y + _LINE * (place - (len(name) - 1) / 2)
                self.text(kind, edge + (0.9 + number) * outward, line, anchor, y=lower, full=label.classifier, of=(i,))
        self.y += 0.5 - _ROW + sum(heights) + 1.0

    def caption(self, sentences: tuple[str, ...]) -> None:
        self.y += 0.3
        text, room = unbroken(" ".join(sentences)), self.width - 1
        for line in wrap(text, lambda t: 0.85 * self.measure(t), room, whole_words=False):
            self.text("caption", self.width / 2, line, "middle", y=self.y + 0.6, size=0.85)
            self.y += 1.25
        self.y += 0.2
