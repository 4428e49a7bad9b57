"""Texts in LaTeX: nothing in a name is a command, numbers are mathematics, long names may break."""

from __future__ import annotations

import pytest

from evalstats.report.blocks import Cite
from evalstats.report.formats.latex import escaped, number, sentences, words


class TestEscapes:
    @pytest.mark.parametrize(
        ("text", "written"),
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
    def test_text(self, text: str, written: str) -> None:
        assert escaped(text) == written

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
    def testnumber(self, cell: str, written: str) -> None:
        assert number(cell) == written


def test_long_names_may_break_in_running_text_alone() -> None:
    assert words("multi_boost_ab") == r"multi\_\allowbreak{}boost\_\allowbreak{}ab"
    assert escaped("multi_boost_ab") == r"multi\_boost\_ab"


def test_the_space_before_a_citation_does_not_break() -> None:
    assert (
        sentences(("by the Friedman test ", Cite(("friedman1937",)), "."))
        == r"by the Friedman test~\cite{friedman1937}."
    )
