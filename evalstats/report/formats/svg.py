"""Diagrams as SVG."""

from __future__ import annotations

__all__ = ["svg"]

from html import escape

from evalstats.cd_layout import Diagram, Path, Picture, PlacedText, Segment, place
from evalstats.report.curve_figure import CurveFigure, place_curves
from evalstats.report.interval_list import IntervalList, place_list
from evalstats.report.projection_map import ProjectionMap, place_map
from evalstats.report.text_width import font_sizes

_FONT_SIZE = 14.0
_LONGEST_NAME = 20.0


def svg(
    drawn: Diagram | IntervalList | ProjectionMap | CurveFigure,
    *,
    title: str,
    name: str = "diagram",
    brief: bool = False,
) -> str:
    """Render a diagram as an SVG element with a title and a description for screen readers.

    The style sheet of the page sets colors and line widths by the classes of the parts.

    Parameters
    ----------
    drawn : Diagram, IntervalList, ProjectionMap or CurveFigure
        The diagram.
    title : str
        Title of the SVG element, for screen readers.
    name : str, default: 'diagram'
        Prefix of the ids for the title and the description. The name must be unique on the page.
    brief : bool, default: False
        Whether to leave out the ranks in the description and the labels of each part, which only a complete page
        requires.

    Returns
    -------
    str
        One ``<svg>`` element.
    """
    if isinstance(drawn, Diagram):
        picture = place(drawn, font_sizes, longest_name=_LONGEST_NAME)
        kind = "diagram" if drawn.conclusive else "diagram undecided"
    elif isinstance(drawn, ProjectionMap):
        picture, kind = place_map(drawn, font_sizes, longest_name=_LONGEST_NAME), "diagram map"
    elif isinstance(drawn, CurveFigure):
        picture, kind = place_curves(drawn, font_sizes, longest_name=_LONGEST_NAME), "diagram curves"
    else:
        picture, kind = place_list(drawn, font_sizes, longest_name=2.5 * _LONGEST_NAME), "diagram list"
    labeled = f'role="img" aria-labelledby="{name}-title {name}-desc"'
    return "\n".join(
        [
            f'<svg class="{kind}" {labeled} xmlns="http://www.w3.org/2000/svg" {_size(picture)}>',
            f'<title id="{name}-title">{escape(title)}</title>',
            f'<desc id="{name}-desc">{escape(" ".join(drawn.caption) if brief else drawn.description)}</desc>',
            '<g stroke="currentColor">',  # for readers that ignore styles
            *(_line(s, "" if brief else _of(s.of)) for s in picture.segments),
            "</g>",
            *_paths(picture.paths, brief=brief),
            *(_text(t, "" if brief else _of(t.of)) for t in picture.texts),
            "</svg>",
        ]
    )


def _size(picture: Picture) -> str:
    width, height = picture.width * _FONT_SIZE, picture.height * _FONT_SIZE
    return (
        f'viewBox="0 0 {width:.1f} {height:.1f}" width="{width:.0f}" height="{height:.0f}" font-size="{_FONT_SIZE:g}"'
    )


def _line(s: Segment, of: str) -> str:
    x1, y1, x2, y2 = (_FONT_SIZE * value for value in (s.x1, s.y1, s.x2, s.y2))
    line = f'<line class="{s.kind}"{of} x1="{x1:.4g}" y1="{y1:.4g}" x2="{x2:.4g}" y2="{y2:.4g}"'
    return f"{line}><title>{escape(s.full)}</title></line>" if s.full else f"{line}/>"


def _paths(paths: tuple[Path, ...], *, brief: bool) -> list[str]:
    if not paths:
        return []
    return [
        '<g stroke="currentColor" fill="none">',
        *(_path(one, "" if brief else _of(one.of)) for one in paths),
        "</g>",
    ]


def _path(path: Path, of: str) -> str:
    places = [f"{_FONT_SIZE * x:.1f},{_FONT_SIZE * y:.1f}" for x, y in path.points]
    # a dot is a line without length
    data = "".join(f"M{place}h0" for place in places) if path.kind == "dots" else "M" + " ".join(places)
    close = "Z" if path.kind == "band" else ""
    return f'<path class="{path.kind} s{path.style}"{of} d="{data}{close}"/>'


def _text(t: PlacedText, of: str) -> str:
    full = f"<title>{escape(t.full)}</title>" if t.full != t.text else ""
    smaller = "" if t.size == 1 else f' font-size="{_FONT_SIZE * t.size:.1f}"'
    x, baseline = _FONT_SIZE * t.x, _FONT_SIZE * (t.y + 0.34)
    where = f'x="{x:.4g}" y="{baseline:.4g}" text-anchor="{t.anchor}"{smaller}'
    return f'<text class="{t.kind}"{of} {where}>{full}{escape(t.text)}</text>'


def _of(labels: tuple[int, ...]) -> str:
    return f' data-of="{" ".join(map(str, labels))}"' if labels else ""
