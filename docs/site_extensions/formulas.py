"""Formulas as MathML, which every browser shows without a script: docutils translates them when the site is built."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

# commands of LaTeX that docutils does not know, and what will do
UNKNOWN = {r"\dots": r"\ldots", r"\big": "", r"\Big": ""}


def mathml(node: Element, *, as_block: bool) -> str:
    """Translate a formula."""
    text = re.sub(r"\\[A-Za-z]+", lambda command: UNKNOWN.get(command[0], command[0]), node.astext())
    return tex2mathml(text, as_block=as_block)


def inline(writer: HTML5Translator, node: Element) -> None:
    """Write a formula within a line."""
    writer.body.append(mathml(node, as_block=False))
    raise SkipNode


def display(writer: HTML5Translator, node: Element) -> None:
    """Write a formula on its own line."""
    writer.body.append(f'<div class="formula" tabindex="0">{mathml(node, as_block=True)}</div>')
    raise SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect."""
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
