"""How does a critical-difference diagram look on a page?"""

from __future__ import annotations

__all__ = ["svg"]

from html import escape

from evalstats.diagram import Diagram, place
from evalstats.report.widths import font_sizes

_FONT_SIZE = 14.0
_LONGEST_NAME = 26.0


def svg(diagram: Diagram, *, title: str) -> str:
    """Draw the diagram as an SVG element with a title and a description for screen readers.

    Colours and line widths come from the classes of its parts, which the style sheet of the page sets.

    Parameters
    ----------
    diagram : Diagram
        What to draw.
    title : str
        The title for screen readers.

    Returns
    -------
    str
        One ``<svg>`` element.
    """
    picture = place(diagram, font_sizes, longest_name=_LONGEST_NAME)
    width, height = picture.width * _FONT_SIZE, picture.height * _FONT_SIZE
    size = (
        f'viewBox="0 0 {width:.1f} {height:.1f}" width="{width:.0f}" height="{height:.0f}" font-size="{_FONT_SIZE:g}"'
    )
    kind = "diagram" if diagram.conclusive else "diagram undecided"
    labelled = 'role="img" aria-labelledby="diagram-title diagram-desc"'
    lines = [
        f'<svg class="{kind}" {labelled} xmlns="http://www.w3.org/2000/svg" {size}>',
        f'<title id="diagram-title">{escape(title)}</title>',
        f'<desc id="diagram-desc">{escape(diagram.description)}</desc>',
    ]
    for s in picture.segments:
        x1, y1, x2, y2 = (_FONT_SIZE * value for value in (s.x1, s.y1, s.x2, s.y2))
        lines.append(f'<line class="{s.kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')
    for t in picture.texts:
        full = f"<title>{escape(t.full)}</title>" if t.full != t.text else ""
        smaller = "" if t.size == 1 else f' font-size="{_FONT_SIZE * t.size:.1f}"'
        x, baseline = _FONT_SIZE * t.x, _FONT_SIZE * (t.y + 0.34)
        where = f'x="{x:.1f}" y="{baseline:.1f}" text-anchor="{t.anchor}"{smaller}'
        lines.append(f'<text class="{t.kind}" {where}>{full}{escape(t.text)}</text>')
    return "\n".join([*lines, "</svg>"])
