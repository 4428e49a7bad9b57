"""The lines that are printed give both sides again."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evalstats
import evalstats.distributions.studentized_range
from evalstats.parity.numeric_difference import Mismatch
from evalstats.parity.reference_cases import reference_directory
from evalstats.report.records.parity import python_line, r_lines

X, Y = [0.81, 0.79, 0.9, 0.7], [0.78, 0.82, 0.85, 0.6]


def mismatch(case: str, field: str, **arguments: Any) -> Mismatch:
    return Mismatch(
        case=f"{case}/generated-1",
        source="generated",
        field=field,
        ours=1.0,
        r=2.0,
        difference=1.0,
        tolerance=1e-12,
        arguments=arguments,
    )


CASES = [
    (
        mismatch("paired/sign/sign_test", "pvalue", x=X, y=Y, ties="split"),
        evalstats.sign_test(X, Y, ties="split").pvalue,
    ),
    (
        mismatch("paired/sign/sign_test", "confidence_interval", x=X, y=Y, confidence_level=0.9),
        [*evalstats.sign_test(X, Y).confidence_interval(0.9)],
    ),
    (
        mismatch("multiple/quade/quade_test", "statistic", scores=[X, Y, X[::-1]], greater_is_better=True),
        evalstats.quade_test([X, Y, X[::-1]]).statistic,
    ),
]


def test_functions_behind_the_public_ones_are_given_arrays() -> None:
    line = python_line(mismatch("distributions/studentized_range/sf", "value", q=[3.5, 0.5], k=4))

    got = eval(line, {"evalstats": evalstats, "numpy": np})

    assert [*got] == [*evalstats.distributions.studentized_range.sf(np.array([3.5, 0.5]), 4)]


def test_a_dict_is_a_list_in_r() -> None:
    line = r_lines(mismatch("paired/sign/sign_test", "", x={"a": [1, 2], "b": "c"}))

    assert line.endswith('sign_test(x = list(a = c(1.0, 2.0), b = "c"))')


@pytest.mark.parametrize(("shown", "expected"), CASES, ids=["field", "method", "table"])
def test_python_gives_our_side(shown: Mismatch, expected: Any) -> None:
    got = eval(python_line(shown), {"evalstats": evalstats, "numpy": np})  # our own line

    assert [*got] == expected if isinstance(expected, list) else got == expected


@pytest.mark.live
@pytest.mark.parametrize(("shown", "expected"), CASES, ids=["field", "method", "table"])
def test_r_gives_its_side(in_r: Callable[[object], str], shown: Mismatch, expected: Any) -> None:
    folder = Path(str(reference_directory()))
    line = r_lines(shown)
    before, _, value = line.rpartition("; ")
    printed = in_r(f'setwd("{folder.as_posix()}"); {before}; cat(format({value}, digits = 17))')

    assert [float(number) for number in printed.split()] == pytest.approx(
        expected if isinstance(expected, list) else [expected], rel=1e-12
    )


def test_odd_values_are_written() -> None:
    line = r_lines(mismatch("paired/sign/sign_test", "", x=[math.nan, math.inf], y=[True], alternative='a"b'))

    assert 'sign_test(x = c(NaN, Inf), y = c(TRUE), alternative = "a\\"b")' in line
    assert python_line(mismatch("paired/sign/nothing", "pvalue", x=[1.0])) == "evalstats.paired.sign.nothing(x=[1.0])"
    assert python_line(mismatch("paired/sign/sign_test", "", x=[1.0], y=[2.0])).endswith("sign_test(x=[1.0], y=[2.0])")
