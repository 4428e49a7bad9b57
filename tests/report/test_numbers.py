"""One rule for every number: enough digits, the right side of alpha, no false zero."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.report import describe


class TestPvalues:
    @pytest.mark.parametrize(
        ("pvalue", "words", "cell", "bound"),
        [
            (0.5703125, "p = 0.570", "0.570", "0.570"),
            (0.0120, "p = 0.0120", "0.0120", "0.0120"),
            (0.001, "p = 0.00100", "0.00100", "0.00100"),
            (0.0009999, "p = 1.00e-03", "1.00e-03", "1.00e-03"),
            (1.1e-4, "p = 1.10e-04", "1.10e-04", "1.10e-04"),
            (8e-17, "p = 8.00e-17", "8.00e-17", "8.00e-17"),
            (1e-310, "p < 1e-300", "< 1e-300", "below 1e-300"),
            (1.0, "p = 1", "1", "1"),
            (0.99999, "p > 0.999", "> 0.999", "above 0.999"),
            (math.nan, "no p-value", "none", "no p-value"),
        ],
    )
    def test_form(self, pvalue: float, words: str, cell: str, bound: str) -> None:
        assert describe.pvalue_words(pvalue) == words
        assert describe.pvalue_cell(pvalue) == cell
        assert describe.pvalue_bound(pvalue) == bound

    @given(st.floats(0.001, 1), st.sampled_from([0.001, 0.01, 0.05, 0.1]))
    def test_printed_digits_stay_on_the_side_of_alpha(self, pvalue: float, alpha: float) -> None:
        """0.05004 is not printed as 0.0500 beside alpha = 0.05."""
        printed = describe.pvalue_cell(pvalue, alpha).removeprefix("> ")

        assert (float(printed) <= alpha) == (pvalue <= alpha)

    def test_just_above_and_just_below_alpha(self) -> None:
        assert describe.pvalue_words(0.0500004, 0.05) == "p = 0.0500004"
        assert describe.pvalue_words(0.0499996, 0.05) == "p = 0.0500"
        assert describe.pvalue_words(0.05, 0.05) == "p = 0.0500"

    def test_alpha_below_the_bound_needs_the_digits(self) -> None:
        assert describe.pvalue_words(2e-4, 1e-4) == "p = 2.00e-04"


class TestDecimals:
    @pytest.mark.parametrize(
        ("values", "digits", "written"),
        [
            ([0.857, 0.0312], 4, ["0.8570", "0.0312"]),
            ([96.43, 7.125], 4, ["96.43", "7.12"]),
            ([1234.5, 0.2], 4, ["1234", "0"]),
            ([-0.0123, 0.0001], 3, ["−0.0123", "0.0001"]),
            ([0.0, 0.0], 3, ["0", "0"]),
            ([1.5e-7, -3e-8], 3, ["1.50e-07", "−3.00e-08"]),
            ([2.5e9], 3, ["2.50e+09"]),
            ([math.nan, 0.5], 3, ["none", "0.500"]),
            ([math.inf, -math.inf, 1.0], 3, ["∞", "−∞", "1.000"]),
            ([], 3, []),
        ],
    )
    def test_column(self, values: list[float], digits: int, written: list[str]) -> None:
        assert describe.column(values, digits=digits) == written

    @given(st.floats(-1e6, 1e6), st.integers(0, 6))
    def test_no_negative_zero(self, value: float, places: int) -> None:
        written = describe.decimal(value, places)

        assert not (written.startswith("−") and float(written[1:]) == 0)
        assert float(written.replace("−", "-")) == pytest.approx(value, abs=0.51 * 10**-places)

    def test_sign(self) -> None:
        assert [describe.signed(v, 2) for v in (0.5, -0.5, 0.0, 0.001, -0.001)] == [
            "+0.50",
            "−0.50",
            "0.00",
            "0.00",
            "0.00",
        ]

    def test_scores_are_written_in_full(self) -> None:
        assert describe.as_given([0.97, 1.0], describe.decimals([0.97, 1.0, 0.125])) == ["0.970", "1.000"]
        assert describe.as_given([1e-20, -2.0], describe.decimals([1e-20, -2.0])) == ["1e-20", "−2.0"]
        assert describe.as_given([1.0, 2.0], describe.decimals([1.0, 2.0])) == ["1", "2"]


@pytest.mark.parametrize(("level", "written"), [(0.95, "95 %"), (1 - 0.1, "90 %"), (0.999, "99.9 %")])
def test_percent(level: float, written: str) -> None:
    assert describe.percent(level) == written


def test_plural() -> None:
    assert [describe.count(n, "dataset") for n in (0, 1, 2)] == ["0 datasets", "1 dataset", "2 datasets"]


def test_what_is_no_number_is_a_word_beside_tiny_and_huge_numbers_too() -> None:
    written = describe.column([-5e-18, math.nan, math.inf, 0.3], digits=3), describe.column([2e9, math.nan], digits=3)

    assert written == (["0.000", "none", "∞", "0.300"], ["2.00e+09", "none"])
    assert describe.column([-5e-18, math.nan], digits=3) == ["−5.00e-18", "none"]
