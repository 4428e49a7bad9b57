"""The diagram in TikZ: LaTeX measures the names, and positions on the axis are shares of what they leave."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from evalstats import Comparison, compare
from evalstats.cd_layout import lay_out
from evalstats.report.formats.latex import _tikz
from evalstats.report.interval_list import IntervalList, IntervalRow, drawing_of

NUMBER = r"-?\d+\.\d+"


def test_positions_are_shares_of_the_axis(named: Callable[[str], Comparison]) -> None:
    comparison = named("all pairs: some differ")
    page = _tikz(lay_out(comparison), width=r"\columnwidth", room=28)
    stems = sorted({float(x) for x in re.findall(rf"line width=0\.4pt\] \(({NUMBER}), {NUMBER}\) -- \(\1,", page)})
    k = comparison.n_classifiers

    assert stems == pytest.approx(sorted((rank - 1) / (k - 1) for rank in comparison.mean_ranks), abs=1e-5)
    assert all(0 <= float(x) <= 1 for x in re.findall(rf"\((?:\[[^]]*\])?({NUMBER}), ", page))


def test_names_are_measured_where_they_stand(named: Callable[[str], Comparison]) -> None:
    comparison = named("all pairs: some differ")
    page = _tikz(lay_out(comparison), width=r"\textwidth", room=56)
    left, right = (page.partition(rf"\setbox{box}=")[2].partition("\n")[0] for box in (0, 2))

    assert r"\strut C4.5+m+cf\kern" in left
    assert r"\strut C4.5\kern" in right
    assert r"\dimen0=\textwidth\advance\dimen0 by-\wd0\advance\dimen0 by-\wd2" in page


def test_long_names_are_shortened_to_the_room(named: Callable[[str], Comparison]) -> None:
    drawn = lay_out(named("all pairs: 30 classifiers"))

    assert r"\ldots{}" in _tikz(drawn, width=r"\columnwidth", room=28)
    assert r"\ldots{}" not in _tikz(drawn, width=r"\textwidth", room=100)


def test_control_is_bold(named: Callable[[str], Comparison]) -> None:
    assert r"\textbf{C}" in _tikz(lay_out(named("control: better and worse")), width=r"\columnwidth", room=28)


def test_numbers_of_a_short_axis_do_not_touch() -> None:
    """A column of a paper leaves so little between long names and values that not every number has room."""
    pair = "gradient boosting − logistic regression"
    row = IntervalRow(name=pair, value=0.02, low=-0.1, high=0.15, written="0.020 [−0.100, 0.150]", full=True)
    drawn = IntervalList(rows=(row,), low=-0.09, high=0.16, zero=0.0, ends=("", ""), caption=("Differences.",))

    narrow, wide = (re.findall(r"anchor=center.*\\strut (.*)\}", _tikz(drawn, width="1in", room=r)) for r in (24, 60))

    assert 2 <= len(narrow) < len(wide)
    assert set(narrow) < set(wide)
    assert (narrow[0], narrow[-1]) == (wide[0], wide[-1])


def test_ranks_of_a_short_axis_keep_both_ends() -> None:
    scores = np.random.default_rng(1).random((20, 40))
    drawn = drawing_of(compare(scores, rows_are="datasets"))
    assert drawn is not None

    numbers = re.findall(r"anchor=center.*\\strut (\d+)\}", _tikz(drawn, width="1in", room=24))

    assert numbers[0] == "1"
    assert numbers[-1] == "40"
    assert len(numbers) < 9
