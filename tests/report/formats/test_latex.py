"""The report in a paper: every name escaped, every brace closed, every citation in the bibliography."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from evalstats import Comparison, report
from evalstats.report.formats.latex import _escaped, _number
from evalstats.report.references import PUBLICATIONS


class TestEscapes:
    @pytest.mark.parametrize(
        ("text", "escaped"),
        [
            ("100% & #1 $x_i$", r"100\% \& \#1 \$x\_i\$"),
            (r"~a^b\c{d}", r"\textasciitilde{}a\textasciicircum{}b\textbackslash{}c\{d\}"),
            ("<a>|b", r"\textless{}a\textgreater{}\textbar{}b"),
            ("[a]*", "{[}a{]}{*}"),
            ("a--b''c,,d", "a-{}-b'{}'c,{},d"),
            ('"q" `t`', r"{\char34}q{\char34} \textasciigrave{}t\textasciigrave{}"),
            ("β = −1", r"\ensuremath{\beta} = \ensuremath{-}1"),
            ("χ²(3)", r"\ensuremath{\chi}\ensuremath{^{2}}(3)"),
            ("Šidák, naïve", "Šidák, naïve"),
        ],
    )
    def test_text(self, text: str, escaped: str) -> None:
        assert _escaped(text) == escaped

    @pytest.mark.parametrize(
        ("cell", "written"),
        [
            ("−1.214", "$-1.214$"),
            ("+0.33", "$+0.33$"),
            ("1.10e-04", r"$1.10\times 10^{-4}$"),
            ("−3.00e+08", r"$-3.00\times 10^{8}$"),
            ("10/1/3", "10/1/3"),
            ("< 1e-300", r"$< 1\times 10^{-300}$"),
            ("none", "none"),
            ("1", "$1$"),
        ],
    )
    def test_number(self, cell: str, written: str) -> None:
        assert _number(cell) == written


def test_braces_and_environments_close(comparison: Comparison) -> None:
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


def test_citations_are_in_the_bibliography(comparison: Comparison) -> None:
    cited = {key for keys in re.findall(r"~\\cite\{([^}]*)\}", report.latex(comparison)) for key in keys.split(",")}

    assert "demsar2006" in cited
    assert cited <= set(PUBLICATIONS)


def test_fragment_says_what_it_needs(named: Callable[[str], Comparison]) -> None:
    head = report.latex(named("two: not rejected")).splitlines()[:4]

    assert all(line.startswith("%") for line in head)
    assert r"\usepackage{booktabs}" in head[1]
    assert r"\usepackage{tikz}" in head[1]
    assert "bibliography()" in head[2]


def test_standalone_holds_the_fragment(named: Callable[[str], Comparison]) -> None:
    c = named("control: one better")

    assert report.latex(c) in report.latex(c, standalone=True)
    assert report.latex(c, standalone=True).startswith("\\documentclass{article}")


def test_omnibus_that_does_not_reject_draws_dotted_bars(named: Callable[[str], Comparison]) -> None:
    assert "densely dotted" in report.latex(named("all pairs: not rejected"))
    assert "densely dotted" not in report.latex(named("all pairs: some differ"))


LATEX = shutil.which("pdflatex")
COMPILED = [
    "all pairs: some differ",
    "all pairs: not rejected",
    "all pairs: 30 classifiers",
    "control: better and worse",
    "two: not rejected",
]


@pytest.mark.skipif(LATEX is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("name", COMPILED)
def test_latex_compiles(named: Callable[[str], Comparison], tmp_path: Path, name: str) -> None:
    assert LATEX is not None
    (tmp_path / "report.tex").write_text(report.latex(named(name), standalone=True), encoding="utf-8")

    done = subprocess.run(
        [LATEX, "-interaction=nonstopmode", "-halt-on-error", "report.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
