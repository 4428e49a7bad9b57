"""Diagrams in TikZ for a paper, in the font of the paper and with the width of a column."""

from __future__ import annotations

__all__ = ["tikz"]

from collections.abc import Sequence

from evalstats.cd_layout import Diagram, Path, Picture, PlacedText, Segment, place
from evalstats.report.curve_figure import CurveFigure, place_curves
from evalstats.report.formats.tex import escaped
from evalstats.report.interval_list import IntervalList, place_list
from evalstats.report.projection_map import ProjectionMap, place_map
from evalstats.report.text_width import font_sizes
from evalstats.wording import plain_number

_STYLES = {
    "axis": "line width=0.5pt",
    "tick": "line width=0.5pt",
    "leader": "line width=0.4pt",
    "bar": "line width=2.4pt",
    "interval": "line width=1.6pt",
    "ruler": "line width=0.7pt",
    "dot": "line width=5pt, line cap=round",
    "hole": "line width=3pt, line cap=round, white",
    "spoke": "line width=0.2pt, black!20",
    "fold": "line width=2pt, line cap=round, black!45",
    "grid": "line width=0.2pt, black!20",
    "reference": "line width=0.6pt, black!60",
    "curve": "line width=1pt",
    "dots": "line width=3pt, line cap=round",
}
# color and dash pattern of each curve, as in page.css
_CURVES = (
    ("{rgb,255:red,47;green,134;blue,200}", "solid"),
    ("{rgb,255:red,213;green,94;blue,0}", "dash pattern=on 6pt off 2.5pt"),
    ("{rgb,255:red,0;green,150;blue,110}", "dash pattern=on 1.5pt off 2pt"),
    ("{rgb,255:red,192;green,96;blue,154}", "dash pattern=on 7pt off 2pt on 1.5pt off 2pt"),
    ("{rgb,255:red,143;green,122;blue,0}", "dash pattern=on 10pt off 3pt"),
    ("{rgb,255:red,127;green,134;blue,141}", "dash pattern=on 3pt off 1.5pt on 1pt off 1.5pt on 1pt off 1.5pt"),
)
_SHORTEST_AXIS = 7.0  # in font sizes
_LARGEST_SIDE = 22.0  # of a square figure
_BETWEEN_NUMBERS = 0.5
_ANCHORS = {"start": "west", "middle": "center", "end": "east"}


def tikz(drawn: Diagram | IntervalList | ProjectionMap | CurveFigure, *, width: str, room: float) -> str:
    r"""Render a diagram in TikZ: LaTeX measures the names in its font, and the axis uses the remaining width.

    Parameters
    ----------
    drawn : Diagram, IntervalList, ProjectionMap or CurveFigure
        The diagram.
    width : str
        A length of LaTeX, such as ``\columnwidth``.
    room : float
        The minimum width in font sizes. If names do not fit, they are shortened.

    Returns
    -------
    str
        Lines for a LaTeX group, such as a figure.
    """
    if isinstance(drawn, ProjectionMap):
        longest = room / 4
        beside = max(min(_measured(point.name), longest) for point in drawn.points) + 1.0
        width_of_points = max(room - 2 * beside, _SHORTEST_AXIS)
        return _in_font_sizes(place_map(drawn, _measured, longest_name=longest, width=width_of_points))
    if isinstance(drawn, CurveFigure):
        side = min(room, _LARGEST_SIDE) if drawn.is_square else room
        return _in_font_sizes(place_curves(drawn, _measured, longest_name=room / 2, width=side))
    if isinstance(drawn, Diagram):
        ranks = max(_measured(plain_number(label.mean_rank)) for label in drawn.labels)
        longest = (room - _SHORTEST_AXIS) / 2 - ranks - 1.8
        picture = place(drawn, _measured, longest_name=longest)
        marks = "" if drawn.conclusive else ", densely dotted"
    else:
        longest = room - _SHORTEST_AXIS - max(_measured(row.written) for row in drawn.rows) - 2.0
        picture, marks = place_list(drawn, _measured, longest_name=longest), ""
    axis = next(s for s in picture.segments if s.kind == "axis")
    frame = _Frame(axis.x1, axis.x2 - axis.x1)
    texts = _apart(picture.texts, frame, room)
    return "\n".join(
        [
            "% LaTeX measures the names, and the axis uses the remaining width",
            *(rf"\setbox{box}=\hbox{{\shortstack{{{lines}}}}}" for box, lines in frame.beside(picture).items()),
            rf"\dimen0={width}\advance\dimen0 by-\wd0\advance\dimen0 by-\wd2",
            r"\ifdim\dimen0<5em\dimen0=5em\fi\ifdim\dimen0>44em\dimen0=44em\fi",
            r"\edef\evalstatsaxis{\the\dimen0}%",
            r"\begin{tikzpicture}[x=\evalstatsaxis, y=-1em, every node/.style={inner sep=0pt, outer sep=0pt}]",
            *(frame.line(s, marks) for s in picture.segments),
            *(frame.text(t) for t in texts),
            r"\end{tikzpicture}",
        ]
    )


def _in_font_sizes(picture: Picture) -> str:
    """Render a picture with the same scale in both directions, in font sizes."""
    lines = [
        rf"  \draw[{_STYLES[s.kind]}] ({s.x1:.3f}, {s.y1:.3f}) -- ({s.x2:.3f}, {s.y2:.3f});" for s in picture.segments
    ]
    lines += [_path(path) for path in picture.paths]
    texts = [rf"  \node[anchor={_ANCHORS[t.anchor]}] at ({t.x:.3f}, {t.y:.3f}) {{{_words(t)}}};" for t in picture.texts]
    opening = r"\begin{tikzpicture}[x=1em, y=-1em, every node/.style={inner sep=0pt, outer sep=0pt}]"
    return "\n".join([opening, *lines, *texts, r"\end{tikzpicture}"])


def _path(path: Path) -> str:
    places = [f"({x:.2f}, {y:.2f})" for x, y in path.points]
    color, dashes = _CURVES[path.style % len(_CURVES)]
    if path.kind == "band":
        return rf"  \fill[color={color}, opacity=0.15] {' -- '.join(places)} -- cycle;"
    if path.kind == "reference":
        return rf"  \draw[{_STYLES['reference']}, {'dashed' if path.style else 'dotted'}] {' -- '.join(places)};"
    if path.kind == "dots":
        return "\n".join(rf"  \draw[{_STYLES['dots']}, color={color}] {place} -- {place};" for place in places)
    return rf"  \draw[{_STYLES['curve']}, color={color}, {dashes}] {' -- '.join(places)};"


class _Frame:
    """Start and length of the axis, in font sizes of the layout; in the picture, the axis extends from 0 to 1."""

    def __init__(self, start: float, length: float) -> None:
        self.start, self.length = start, length

    def split(self, x: float) -> tuple[float, float]:
        """Return the position on the axis, and the distance from the nearer end of the axis in font sizes."""
        along = min(max((x - self.start) / self.length, 0.0), 1.0)
        return along, x - self.start - along * self.length

    def at(self, x: float, y: float) -> str:
        along, beside = self.split(x)
        shift = f"[xshift={beside:.3f}em]" if abs(beside) > 5e-4 else ""
        return f"({shift}{along:.5f}, {y:.3f})"

    def line(self, s: Segment, marks: str) -> str:
        style = _STYLES[s.kind] + (marks if s.kind in {"bar", "interval"} else "")
        return rf"  \draw[{style}] {self.at(s.x1, s.y1)} -- {self.at(s.x2, s.y2)};"

    def text(self, t: PlacedText) -> str:
        return rf"  \node[anchor={_ANCHORS[t.anchor]}] at {self.at(t.x, t.y)} {{{_words(t)}}};"

    def beside(self, picture: Picture) -> dict[int, str]:
        """Return the texts to the left and to the right of the axis, as two boxes that LaTeX measures."""
        lines: dict[int, list[str]] = {0: [r"\kern1em"], 2: [r"\kern1em"]}
        for t in picture.texts:
            _, beside = self.split(t.x)
            if t.anchor != "middle" and beside:
                lines[0 if beside < 0 else 2].append(rf"\hbox{{{_words(t)}\kern{abs(beside):.3f}em}}")
        return {box: r"\\".join(own) for box, own in lines.items()}


def _apart(texts: Sequence[PlacedText], frame: _Frame, room: float) -> list[PlacedText]:
    """Leave out numbers that would overlap on a short axis, but keep the numbers at both ends."""
    ticks = sorted((t for t in texts if t.kind == "tick"), key=lambda t: t.x)
    taken = {True: 0.0, False: 0.0}  # to the left and to the right of the axis
    for t in texts:
        beside = frame.split(t.x)[1]
        if t.anchor != "middle":
            taken[beside < 0] = max(taken[beside < 0], abs(beside) + _measured(t.text))
    length = max(room - sum(taken.values()), _SHORTEST_AXIS)

    def touch(first: PlacedText, second: PlacedText) -> bool:
        between = length * (frame.split(second.x)[0] - frame.split(first.x)[0])
        return between < (_measured(first.text) + _measured(second.text)) / 2 + _BETWEEN_NUMBERS

    kept = ticks[:1]
    for tick in ticks[1:]:
        if tick is ticks[-1]:
            while len(kept) > 1 and touch(kept[-1], tick):
                kept.pop()
        if not touch(kept[-1], tick):
            kept.append(tick)
    return [t for t in texts if t.kind != "tick" or t in kept]


def _measured(text: str) -> float:
    """Estimate the width of a string in the font of a paper, which is narrower than the font of a page."""
    return 0.82 * font_sizes(text)


def _words(t: PlacedText) -> str:
    words = rf"\textbf{{{escaped(t.text)}}}" if t.kind == "control" else escaped(t.text)
    return rf"\strut {words}"
