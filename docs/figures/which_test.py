"""Draw the flow chart of the page of which_test from its data: ``python docs/figures/which_test.py``."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import evalstats
from evalstats.comparison.advice.decision_tree import TREE, Answer, Leaf, Question
from evalstats.report.text_width import font_sizes

FIGURE = Path(__file__).with_name("which-test.svg")

FONT, LINE = 12, 15
QUESTION, ANSWER, LEAF, ROW, MARGIN = 142, 90, 218, 54, 14  # widths of the columns, height of a row

# colors of Okabe & Ito (2008), light in the box and full at its edge; the corners tell the kinds apart as well
KINDS = {
    "nonparametric": ("#e3f0f8", "#0072B2", 12, ""),
    "parametric": ("#fdeadb", "#D55E00", 0, ""),
    "": ("#f4f4f4", "#777777", 0, "4 3"),
}


@dataclass
class Node:
    """A question, a recommendation, or a way back to a question that is drawn elsewhere, and where it stands."""

    drawn: Question | Leaf | None
    text: list[str]
    depth: int
    y: float
    below: list[tuple[Answer, Node]]


def place() -> Node:
    """Give each recommendation a row, and put each question in the middle of what follows from it."""
    nodes = {node.key: node for node in TREE}
    rows = itertools.count()
    answered: dict[str, str] = {}  # the answer that leads to a question where it is drawn

    def grow(key: str, words: str, depth: int) -> Node:
        node = nodes[key]
        if isinstance(node, Leaf):
            return Node(node, recommended(node), depth, (next(rows) + 0.5) * ROW, [])
        if key in answered:
            return Node(None, [f"go on as for {answered[key]}"], depth, (next(rows) + 0.5) * ROW, [])
        answered[key] = words
        below = [(answer, grow(answer.then, answer.words, depth + 1)) for answer in node.answers]
        middle = (below[0][1].y + below[-1][1].y) / 2
        return Node(node, wrapped(node.text, QUESTION - 12), depth, middle, below)

    return grow(TREE[0].key, "", 0)


def recommended(leaf: Leaf) -> list[str]:
    """Return the name of the test, and the post-hoc tests below it."""
    return [leaf.test or "no test", *(["then " + ", ".join(leaf.posthoc)] if leaf.posthoc else [])]


def wrapped(text: str, width: float) -> list[str]:
    """Break a text into lines of at most a width, estimated for a wide typeface."""
    lines: list[str] = []
    for word in text.split():
        if lines and font_sizes(f"{lines[-1]} {word}") * FONT <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def nodes_of(node: Node) -> Iterator[Node]:
    """Yield a node and all that follows from it."""
    yield node
    for _, below in node.below:
        yield from nodes_of(below)


def left(node: Node, deepest: int) -> float:
    """Return the left edge of a node: what is recommended stands in the last column."""
    return MARGIN + (node.depth if isinstance(node.drawn, Question) else deepest) * (QUESTION + ANSWER)


def texts(lines: list[str], x: float, y: float, *, anchor: str = "middle", bold: bool = False, size: int = FONT) -> str:
    """Write lines centered about a height."""
    top = y - (len(lines) - 1) * LINE / 2 + size * 0.35
    weight = ' font-weight="bold"'
    return "\n".join(
        f'<text x="{x:g}" y="{top + i * LINE:g}" text-anchor="{anchor}" font-size="{size}"'
        f"{weight if bold and i == 0 else ''}>{escape(line)}</text>"
        for i, line in enumerate(lines)
    )


def page_of(test: str) -> str:
    """Return the way from the picture to the page of a test."""
    packages = (getattr(evalstats, name) for name in evalstats.__all__)
    function = next(getattr(package, test) for package in packages if test in getattr(package, "__all__", ()))
    return f"../reference/{function.__module__.removeprefix('evalstats.').replace('.', '/')}.md"


def box(node: Node, deepest: int) -> str:
    """Draw a node."""
    x = left(node, deepest)
    if node.drawn is None:
        return texts(node.text, x + 8, node.y, anchor="start")
    if isinstance(node.drawn, Leaf):
        fill, stroke, radius, dashes = KINDS[node.drawn.kind]
        width, height = LEAF, ROW - 12
    else:
        fill, stroke, radius, dashes = "#ffffff", "#333333", 4, ""
        width, height = QUESTION, len(node.text) * LINE + 14
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    rectangle = (
        f'<rect x="{x:g}" y="{node.y - height / 2:g}" width="{width}" height="{height}" rx="{radius}" '
        f'fill="{fill}" stroke="{stroke}"{dashed}/>'
    )
    drawn = f"{rectangle}\n{texts(node.text, x + width / 2, node.y, bold=isinstance(node.drawn, Leaf))}"
    if isinstance(node.drawn, Leaf) and node.drawn.test:
        return f'<a href="{page_of(node.drawn.test)}">\n{drawn}\n</a>'
    return drawn


def branch(node: Node, answer: Answer, below: Node, deepest: int) -> str:
    """Draw the way from a question to what follows from an answer, and the answer on it."""
    start, end = left(node, deepest) + QUESTION, left(below, deepest)
    bend = start + 10
    words = wrapped(answer.words, end - bend - 6)  # up to the next box
    line = f'<path d="M{start:g} {node.y:g}H{bend:g}V{below.y:g}H{end:g}" fill="none" stroke="#777777"/>'
    return f"{line}\n{texts(words, bend + 5, below.y - 4 - len(words) * LINE / 2, anchor='start', size=FONT - 1)}"


def legend(y: float) -> str:
    """Tell what the boxes mean."""
    drawn = []
    for i, (kind, (fill, stroke, radius, _)) in enumerate((kind, KINDS[kind]) for kind in KINDS if kind):
        x = MARGIN + i * 170
        drawn.append(
            f'<rect x="{x}" y="{y - 10:g}" width="30" height="20" rx="{radius * 0.7:g}" fill="{fill}" '
            f'stroke="{stroke}"/>\n{texts([f"{kind} test"], x + 38, y, anchor="start")}'
        )
    return "\n".join(drawn)


def svg() -> str:
    """Return the flow chart as SVG."""
    root = place()
    nodes = list(nodes_of(root))
    deepest = max(node.depth for node in nodes)
    n_rows = sum(not node.below for node in nodes)
    width, height = 2 * MARGIN + deepest * (QUESTION + ANSWER) + LEAF, n_rows * ROW + 40
    start = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="group" aria-labelledby="title" font-family="Helvetica, Arial, sans-serif" fill="#111111">'
    )
    parts = [
        start,
        '<title id="title">Which test? From the numbers of datasets and classifiers and the kind of data</title>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *(branch(node, answer, below, deepest) for node in nodes for answer, below in node.below),
        *(box(node, deepest) for node in nodes),
        legend(height - 20),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    FIGURE.write_text(svg(), encoding="utf-8")
