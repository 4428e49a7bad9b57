"""Names that nobody should write, drawn from pieces of every language that a report speaks, through every format.

R runs the scripts, LaTeX sets the reports, a browser opens the pages, and renderers of Markdown read them: nothing of a
name is executed, and no name changes what stands around it. EVALSTATS_TRIALS=40 draws 40 tables.
"""

from __future__ import annotations

import csv
import importlib
import io
import json
import os
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import matplotlib.pyplot as plt
import numpy as np
import pytest
from markdown_it import MarkdownIt
from repetitions import repetitions

import evalstats
from evalstats import Comparison, EvalstatsError, plot, report
from evalstats.io.reader.saved_reports import UNSEEN

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from selenium import webdriver

TABLES = repetitions(3)
SEED = 20261123
PIECES = {
    "markup": [
        "<script>window.caught=1;document.title='caught'</script>", "<img src=x onerror=window.caught=1>", "&lt;",
        "&copy;", "</td></table>", "<!--", "]]>", "</style>", "<svg onload=window.caught=1>",
        "<a href='javascript:caught=1'>x</a>", "'\"",
    ],
    "Markdown": [
        "[x](javascript:caught)", "![x](http://e.example/x.png)", "| a | b |", "```", "*b*", "_i_", "# h", "- l",
        "1. x", "> q", "http://e.example", "<http://e.example>", "~~s~~", "$x$", "\\|", "![", "[^1]", "`c`", "---",
    ],
    "LaTeX": [
        "\\write18{touch caught}", "\\input{/etc/passwd}", "\\end{document}", "^^5cinput", "%", "#1", "}{", "$", "~",
        "^", "_", "\\\\", "\\csname", "{", "&", "\\def\\x{}", "``", "\\verb|x|", "--", "?`",
    ],
    "R": [
        "\"); system('touch caught'); (\"", "'); file.create('caught'); ('", "\\x22", "\\", "`", "%s", "{{x}}",
        "\\u0022", "#", "$(touch caught)", "`touch caught`", "; touch caught",
    ],
    "spreadsheets": [
        "=cmd|' /C calc'!A0", "@SUM(1)", "+1+1", "-1", "=1+1", ",", ";", "\"", "\x09",
    ],
    "writing": [
        "Naïve", "Дерево", "決定木", "عربي", "עברית", "é", "👩‍👩‍👧", "ﬁ", "½", "١٢", "ß", "İ", "\u2011", "α", "𝔄", "-",
        ".",
    ],
    "orders": [
        "\x1b[31m", "\x9b31m", "\u202e", "\x00", "\x07", "\x0d", "\x0a", "\ud800", "\ufffe", "\u200b", "\U0010ffff",
        "\u2028",
    ],
}  # fmt: skip
RENDERERS = ("markdown-it-py", "mistune")


def drawn() -> Iterator[tuple[list[str], list[str]]]:
    """Draw the names of datasets and classifiers of each table; half of the tables have no orders in them."""
    chance = random.Random(SEED)
    for number in range(TABLES):
        kinds = [kind for kind in PIECES if kind != "orders" or number % 4 == 3]
        names = [
            "".join(chance.choice(PIECES[chance.choice(kinds)]) for _ in range(chance.randint(1, 3))) + f" {i}"
            for i in range(9)
        ]
        yield names[:6], names[6:]


def compared(datasets: list[str], classifiers: list[str]) -> Comparison | None:
    """Compare a table with such names; None where it is refused by an error of evalstats."""
    scores = np.random.default_rng(1).random((6, 3)).round(2) + np.array([0, 0.2, 1])
    try:
        return evalstats.compare(evalstats.ScoreTable(scores=scores, datasets=datasets, classifiers=classifiers))
    except EvalstatsError:
        return None


@pytest.fixture(scope="module")
def tables() -> list[Comparison]:
    found = [one for names in drawn() if (one := compared(*names)) is not None]
    assert len(found) >= TABLES * 2 // 3
    return found


@pytest.fixture(scope="module")
def harmless() -> Comparison:
    made = compared([f"d {i}" for i in range(6)], [f"c {i}" for i in range(3)])
    assert made is not None
    return made


@pytest.mark.parametrize("order", PIECES["orders"])
def test_names_that_give_orders_are_refused_or_shown(order: str) -> None:
    made = compared([f"d{order}{i}" for i in range(6)], ["a", "b", "c"])

    if made is not None:
        assert UNSEEN.search(report.text(made).replace("\n", "")) is None


def test_every_text_is_whole_and_gives_no_orders(tables: list[Comparison]) -> None:
    for made in tables:
        for style in ("text", "markdown", "latex", "html", "json"):
            text = getattr(report, style)(made)
            assert UNSEEN.search(text.replace("\n", "")) is None, style
            text.encode("utf-8")


def test_csv_and_json_give_the_names_back(tables: list[Comparison]) -> None:
    for made in tables:
        frame = made.table.to_frame()
        rows = list(csv.reader(io.StringIO(frame.to_csv())))
        assert rows[0][1:] == list(made.table.classifiers)
        assert [row[0] for row in rows[1:]] == list(made.table.datasets)
        read = json.loads(report.json(made))
        assert read["comparison"]["table"]["classifiers"] == list(made.table.classifiers)


def test_tables_of_such_names_are_read_again(tables: list[Comparison], tmp_path: Path) -> None:
    for made in tables:
        path = tmp_path / "table.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["dataset", *made.table.classifiers])
            rows = zip(made.table.datasets, made.table.scores.tolist(), strict=True)
            writer.writerows([dataset, *row] for dataset, row in rows)
        try:
            again = evalstats.read_table(path)
        except EvalstatsError:  # such as a name that looks like a mean
            continue
        assert again.left_out or np.array_equal(again.scores, made.table.scores)  # a rule of hyphens is not a dataset


def in_r(program: str, made: Comparison, folder: Path) -> str:
    (folder / "check.R").write_text(report.r_script(made), encoding="ascii")
    done = subprocess.run(
        [program, "--vanilla", "check.R"], cwd=folder, capture_output=True, check=False, timeout=120, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_r_runs_the_scripts_and_agrees(tables: list[Comparison], tmp_path: Path) -> None:
    program = shutil.which("Rscript")
    if program is None and os.environ.get("EVALSTATS_REQUIRE_R") != "1":
        pytest.skip("NOT RUN IN R: Rscript is not installed")
    assert program is not None, "EVALSTATS_REQUIRE_R is set, but there is no Rscript"

    for made in tables:
        said = in_r(program, made, tmp_path)
        assert "agrees" in said
        assert "DIFFERS" not in said
    assert [path.name for path in tmp_path.iterdir()] == ["check.R"]


def test_latex_sets_the_reports_and_opens_nothing_else(tables: list[Comparison], tmp_path: Path) -> None:
    program = shutil.which("pdflatex")
    if program is None:
        pytest.skip("NOT SET BY LATEX: pdflatex is not installed")

    for made in tables:
        (tmp_path / "report.tex").write_text(report.latex(made, standalone=True), encoding="utf-8")
        command = [program, "-interaction=nonstopmode", "-recorder", "report.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
        log = done.stdout.decode(errors="replace")
        # a letter that these fonts do not have is the one error that a name may make
        errors = [line for line in log.splitlines() if line.startswith("!")]
        assert all("Unicode character" in line or "not set up for use" in line for line in errors), errors
        opened = (tmp_path / "report.fls").read_text(encoding="utf-8", errors="replace")
        assert "passwd" not in opened
        assert not list(tmp_path.glob("caught*"))


class Structure(HTMLParser):
    """Counts the tags of a page, and collects where its links go."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes |= {name for name, _ in attrs}
        self.links |= {str(value) for name, value in attrs if name in ("href", "src")}


def structure(page: str) -> Structure:
    reader = Structure()
    reader.feed(page)
    reader.close()
    return reader


def renderer(name: str) -> Callable[[str], str]:
    if name == "markdown-it-py":
        return MarkdownIt("gfm-like", {"html": True, "linkify": False}).disable("linkify").render
    try:
        mistune = importlib.import_module("mistune")
    except ImportError:
        pytest.skip("NOT READ BY A SECOND RENDERER: mistune is not installed")
    return mistune.create_markdown(escape=False, plugins=["table", "strikethrough", "footnotes", "math"])


@pytest.mark.parametrize("name", RENDERERS)
def test_markdown_has_the_structure_of_harmless_names(
    tables: list[Comparison], harmless: Comparison, name: str
) -> None:
    render = renderer(name)
    expected = structure(render(report.markdown(harmless)))

    for made in tables:
        found = structure(render(report.markdown(made)))
        assert found.tags == expected.tags, made.table.classifiers
        assert found.links <= expected.links


def test_browser_executes_nothing_and_sees_no_other_elements(
    tables: list[Comparison], harmless: Comparison, chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    path = tmp_path / "report.html"
    # what the pages of tests before this one were still loading is not said of these
    chromium.get("about:blank")
    chromium.get_log("browser")

    def opened(made: Comparison) -> dict[str, int]:
        path.write_text(report.html(made), encoding="utf-8")
        chromium.get(path.as_uri())
        assert chromium.execute_script("return window.caught") is None
        assert "caught" not in chromium.execute_script("return [...document.scripts].map(s => s.text).join()")
        assert chromium.get_log("browser") == []
        tags = "return [...document.querySelectorAll('*')].map(one => one.localName)"
        # full names, and names that are set apart because they are written from right to left
        own = {"wbr", "bdi", "tspan", "title"}
        return Counter(tag for tag in chromium.execute_script(tags) if tag not in own)

    expected = opened(harmless)
    for made in tables:
        assert opened(made) == expected, made.table.classifiers


@pytest.mark.filterwarnings("ignore:the font .* has no glyph for:evalstats.EvalstatsWarning")
def test_pictures_are_well_formed_and_show_no_mathematics(tables: list[Comparison], tmp_path: Path) -> None:
    for made in tables:
        path = tmp_path / "picture.svg"
        plot.save(plot.critical_difference_diagram(made), path)
        plt.close("all")
        tags = {element.tag.rpartition("}")[2] for element in ET.parse(path).iter()}
        assert not tags & {"script", "image", "foreignObject", "a"}
