"""The diagram in TikZ: LaTeX measures the names, and positions on the axis are shares of what they leave."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from evalstats import Comparison
from evalstats.diagram import lay_out
from evalstats.report.formats.tikz import tikz

NUMBER = r"-?\d+\.\d+"


def test_positions_are_shares_of_the_axis(named: Callable[[str], Comparison]) -> None:
    comparison = named("all pairs: some differ")
    page = tikz(lay_out(comparison), width=r"\columnwidth", room=28)
    stems = sorted({float(x) for x in re.findall(rf"line width=0\.4pt\] \(({NUMBER}), {NUMBER}\) -- \(\1,", page)})
    k = comparison.n_classifiers

    assert stems == pytest.approx(sorted((rank - 1) / (k - 1) for rank in comparison.mean_ranks), abs=1e-5)
    assert all(0 <= float(x) <= 1 for x in re.findall(rf"\((?:\[[^]]*\])?({NUMBER}), ", page))


def test_names_are_measured_where_they_stand(named: Callable[[str], Comparison]) -> None:
    comparison = named("all pairs: some differ")
    page = tikz(lay_out(comparison), width=r"\textwidth", room=56)
    left, right = (page.partition(rf"\setbox{box}=")[2].partition("\n")[0] for box in (0, 2))

    assert r"\strut C4.5+m+cf\kern" in left
    assert r"\strut C4.5\kern" in right
    assert r"\dimen0=\textwidth\advance\dimen0 by-\wd0\advance\dimen0 by-\wd2" in page


def test_long_names_are_shortened_to_the_room(named: Callable[[str], Comparison]) -> None:
    drawn = lay_out(named("all pairs: 30 classifiers"))

    assert r"\ldots{}" in tikz(drawn, width=r"\columnwidth", room=28)
    assert r"\ldots{}" not in tikz(drawn, width=r"\textwidth", room=100)


def test_control_is_bold(named: Callable[[str], Comparison]) -> None:
    assert r"\textbf{C}" in tikz(lay_out(named("control: better and worse")), width=r"\columnwidth", room=28)
