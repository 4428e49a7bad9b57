"""The report in a paper: every name escaped, every brace closed, every citation in the bibliography."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from evalstats import Comparison, InvalidValueError, report
from evalstats.report.references import PUBLICATIONS


def test_braces_and_environments_close(on_every_comparison) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        page = report.latex(comparison, standalone=True)
        bare = re.sub(r"\\[\\{}%]", "", re.sub(r"(?<!\\)%.*", "", page))
        begun = re.findall(r"\\(begin|end)\{(\w+)\}", page)

        assert bare.count("{") == bare.count("}")
        for name in {name for _, name in begun}:
            assert sum(1 if kind == "begin" else -1 for kind, n in begun if n == name) == 0
        n_tables = (1 if comparison.omnibus is None else 2) + (0 if comparison.robustness is None else 2)
        n_tables += comparison.reproducibility is not None
        assert page.count("\\begin{tabular}") == n_tables
        assert page.count("\\begin{tikzpicture}") == (comparison.omnibus is not None)


def test_no_character_of_a_name_is_a_command(named: Callable[[str], Comparison]) -> None:
    page = report.latex(named("all pairs: nasty names"))
    bare = re.sub(r"(?m)^%.*$", "", page)

    assert not re.search(r"(?<!\\)#\d", bare)
    assert "$x$" not in bare
    assert r"\textbackslash{}j" in bare
    assert r"\textless{}script\textgreater{}" in bare


def test_citations_are_in_the_bibliography(on_every_comparison) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        cited = {key for keys in re.findall(r"~\\cite\{([^}]*)\}", report.latex(comparison)) for key in keys.split(",")}

        assert cited
        assert cited <= set(PUBLICATIONS)


def test_fragment_says_what_it_needs(named: Callable[[str], Comparison]) -> None:
    head = report.latex(named("two: not rejected")).splitlines()[:4]

    assert all(line.startswith("%") for line in head)
    assert r"\usepackage{booktabs}" in head[1]
    assert r"\usepackage{siunitx}" in head[1]
    assert r"\usepackage{tikz}" in head[1]
    assert "bibliography()" in head[2]


def test_standalone_holds_the_fragment(named: Callable[[str], Comparison]) -> None:
    c = named("control: one better")

    assert report.latex(c) in report.latex(c, standalone=True)
    assert report.latex(c, standalone=True).startswith("\\documentclass{article}")


def test_omnibus_that_does_not_reject_draws_dotted_bars(named: Callable[[str], Comparison]) -> None:
    assert "densely dotted" in report.latex(named("all pairs: not rejected"))
    assert "densely dotted" not in report.latex(named("all pairs: some differ"))


PARTS = ("sentence", "methods", "scores", "ranks", "pairs", "figure")


@pytest.mark.parametrize("part", ["sentence", "methods", "ranks", "figure"])
def test_part_stands_in_the_whole(named: Callable[[str], Comparison], part: str) -> None:
    comparison = named("all pairs: some differ")

    assert report.latex(comparison, part=part) in report.latex(comparison)


def test_scores_have_the_best_in_bold_the_second_underlined_and_mean_ranks(
    named: Callable[[str], Comparison],
) -> None:
    lines = report.latex(named("all pairs: some differ"), part="scores").splitlines()

    assert r"  wine & 0.957 & {\bfseries 0.978} & 0.946 & {\underline{0.970}} \\" in lines
    # equal ones are best together, and nobody is ahead where all are equal
    assert r"  mushroom & 1.000 & 1.000 & 1.000 & 1.000 \\" in lines
    foot = lines[lines.index(r"  \bottomrule") - 1]
    assert foot.startswith("  Mean rank & 3.143 & ")
    assert foot.count(r"\rlap{$^{\circ}$}") == 2
    assert r"{\bfseries 1.929}" in foot


def test_width_is_that_of_a_column_or_of_the_text(named: Callable[[str], Comparison]) -> None:
    comparison = named("all pairs: some differ")
    column, text = (report.latex(comparison, part="figure", width=width) for width in ("column", "text"))

    assert column.startswith("\\begin{figure}")
    assert r"\dimen0=\columnwidth" in column
    assert text.startswith("\\begin{figure*}")
    assert r"\dimen0=\textwidth" in text
    with pytest.raises(InvalidValueError, match="width must be 'column' or 'text', not 'page'"):
        report.latex(comparison, width="page")


def test_table_that_is_wider_than_a_column_goes_across_both(named: Callable[[str], Comparison]) -> None:
    assert "\\begin{table}" in report.latex(named("all pairs: some differ"), part="ranks")
    assert "\\begin{table*}" in report.latex(named("all pairs: 30 classifiers"), part="scores")


LATEX = shutil.which("pdflatex")
SIUNITX = (
    LATEX
    and shutil.which("kpsewhich")
    and subprocess.run(["kpsewhich", "siunitx.sty"], capture_output=True, check=False).stdout
)
TWO_COLUMNS = r"""\documentclass[twocolumn]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{booktabs}
\usepackage{siunitx}
\usepackage{tikz}
\begin{document}
"""


@pytest.mark.sampled
@pytest.mark.skipif(not SIUNITX, reason="pdflatex or siunitx is not installed")
@pytest.mark.parametrize(
    "name",
    ["all pairs: some differ", "all pairs: 30 classifiers", "control: better and worse", "all pairs: not rejected"],
)
def test_parts_compile_and_fit_into_two_columns(named: Callable[[str], Comparison], tmp_path: Path, name: str) -> None:
    parts = [report.latex(named(name), part=part, width=w) for part in PARTS[2:] for w in ("column", "text")]

    log = compiled(TWO_COLUMNS + "\\clearpage\n".join(parts) + "\\end{document}", tmp_path)

    assert "Overfull" not in log


@pytest.mark.sampled
@pytest.mark.skipif(not SIUNITX, reason="pdflatex or siunitx is not installed")
@pytest.mark.parametrize("name", ["all pairs: some differ", "all pairs: 30 classifiers", "two: not rejected"])
def test_whole_document_compiles(named: Callable[[str], Comparison], tmp_path: Path, name: str) -> None:
    compiled(report.latex(named(name), standalone=True), tmp_path)


def compiled(page: str, folder: Path) -> str:
    assert LATEX is not None
    (folder / "report.tex").write_text(page, encoding="utf-8")
    done = subprocess.run(
        [LATEX, "-interaction=nonstopmode", "-halt-on-error", "report.tex"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    log = done.stdout.decode(errors="replace")
    assert done.returncode == 0, log[-2000:]
    return log
