"""A decorated cell says one number, or none."""

from __future__ import annotations

import math
import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats import read_table
from evalstats.io.sources.numbers import (
    frequent_number,
    not_a_number,
    number_in,
    numbers_in,
    plain_name,
    thousands_mark,
    without_markup,
    written_in,
    written_number,
)
from evalstats.tables.errors import TableError

# the cell, the number, its spread, what stood beside it
CELLS = [
    ("93.3 ± 0.5", "93.3", 0.5, "plus-minus"),
    ("93.3±0.5", "93.3", 0.5, "plus-minus"),
    ("93.3\u2009±\u202f0.5", "93.3", 0.5, "plus-minus"),
    ("93.3 +/- 0.5", "93.3", 0.5, "plus-minus"),
    ("93.3+-0.5", "93.3", 0.5, "plus-minus"),
    (r"$93.3 \pm 0.5$", "93.3", 0.5, "plus-minus"),
    (r"\textbf{93.3 $\pm$ 0.5}$^\ast$", "93.3", 0.5, "plus-minus"),
    (r"$\mathbf{93.3}_{\pm 0.5}$", "93.3", 0.5, "plus-minus"),
    ("93.3_{0.5}", "93.3", 0.5, "plus-minus"),
    ("93.3&plusmn;0.5", "93.3", 0.5, "plus-minus"),
    ("**93.3** ± 0.5", "93.3", 0.5, "plus-minus"),
    ("93.3 ± 0.5%", "93.3%", 0.5, "plus-minus"),
    ("93.3% ± 0.5%", "93.3%", 0.5, "plus-minus"),
    ("93.30± 2.10 •", "93.30", 2.1, "plus-minus"),
    ("93.3 (0.5)", "93.3", 0.5, "parentheses"),
    ("93.30(2.10) v", "93.30", 2.1, "parentheses"),
    ("93.3(5)", "93.3", 0.5, "parentheses"),
    ("93.3 (± 0.5)", "93.3", 0.5, "parentheses"),
    ("93.3 (+0.5)", "93.3", math.nan, "difference"),
    ("93.3 (\N{MINUS SIGN}0.5)", "93.3", math.nan, "difference"),
    ("0.93 [0.91, 0.95]", "0.93", math.nan, "interval"),
    ("0.93 (0.91-0.95)", "0.93", math.nan, "interval"),
    ("0.93 (0.91\N{EN DASH}0.95)", "0.93", math.nan, "interval"),
    (r"\textbf{93.3}", "93.3", math.nan, "markup"),
    (r"\underline{93.3}", "93.3", math.nan, "markup"),
    (r"{\bf 93.3}", "93.3", math.nan, "markup"),
    (r"\cellcolor{red!20}93.3", "93.3", math.nan, "markup"),
    (r"\textcolor{blue}{93.3}", "93.3", math.nan, "markup"),
    (r"\best{93.3}", "93.3", math.nan, "markup"),
    (r"93.3\,\%", "93.3 %", math.nan, "markup"),
    ("<b>93.3</b>", "93.3", math.nan, "markup"),
    ("93.3<sup>a</sup>", "93.3", math.nan, "markup"),
    ("**93.3**", "93.3", math.nan, "markup"),
    ("__93.3__", "93.3", math.nan, "markup"),
    ("93.3†", "93.3", math.nan, "marks"),
    ("93.3 ‡", "93.3", math.nan, "marks"),
    ("93.3*", "93.3", math.nan, "marks"),
    ("93.3 •", "93.3", math.nan, "marks"),
    ("93.3 ◦", "93.3", math.nan, "marks"),
    ("93.3 v", "93.3", math.nan, "marks"),
    ("93.3²", "93.3", math.nan, "marks"),
]


@pytest.mark.parametrize(("cell", "number", "spread", "beside"), CELLS, ids=[cell for cell, *_ in CELLS])
def test_published_cell_is_its_number(cell: str, number: str, spread: float, beside: str) -> None:
    found = written_in(cell, ".")

    assert found is not None
    assert (str(found), found.beside) == (number, beside)
    assert found.spread == pytest.approx(spread, nan_ok=True)


def test_what_says_no_number_or_two_is_none() -> None:
    """A power, a product, a range, two numbers, a name, a negative spread: nothing is guessed."""
    cells = [
        *("10^{-3}", r"1.2 \times 10^{-3}", "2^3", "10²", "$2^{10}$", "1.2·10⁻³", "93.3 ± 0.5 ± 0.2", "93.3 0.5"),
        *("0.93 (0.96, 0.97)", "93.3 (n=10)", "93/100", "12 ± -3", "±", "± 1", "()", "*", "**", "", "v", "DNF"),
        *("SVM", "C4.5 (pruned)", "1,234", "93.3+", "93.3-"),
    ]

    assert [cell for cell in cells if written_in(cell, ".") is not None] == []


def test_decimal_comma_holds_for_the_spread_too() -> None:
    found = written_in("93,3 ± 0,5", ",")

    assert found is not None
    assert (str(found), found.spread) == ("93,3", 0.5)


def test_missing_score_with_a_missing_spread_is_missing() -> None:
    assert written_in("nan ± nan", ".") == ""
    assert written_in("nan ± 0.5", ".") is None


@given(
    st.integers(0, 10**6).map(lambda n: n / 1000),
    st.integers(0, 1000).map(lambda n: n / 100),
    st.sampled_from(["{} ± {}", "{} ({})", "**{} ± {}**", r"\textbf{{{} $\pm$ {}}}", "{}_{{{}}}", "{} +/- {}*"]),
)
def test_any_number_is_read_back(number: float, spread: float, form: str) -> None:
    found = written_in(form.format(number, spread), ".")

    assert found is not None
    assert (float(found), found.spread) == (number, spread)


@given(st.text(st.sampled_from("0123456789.,±()[]*$\\{}^_v %†<>b/&;+-"), max_size=14))
def test_what_is_read_is_a_number_of_the_cell(cell: str) -> None:
    """No digit is made up: the number that is read stands in the cell."""
    found = written_in(cell, ".")

    if found:
        assert written_number(found, ".") is not None
        assert all(cell.count(digit) >= found.count(digit) for digit in "0123456789")


def test_names_lose_the_markup_around_them() -> None:
    names = ["**SVM**", r"\textbf{SVM}", r"breast\_cancer", "<b>SVM</b>", "C4.5*", "a_b", "x < y", "a*b*c"]

    assert [plain_name(name) for name in names] == [
        *("SVM", "SVM", "breast_cancer", "SVM", "C4.5*", "a_b", "x < y", "a*b*c")
    ]


def test_markup_that_makes_a_power_is_not_taken_away() -> None:
    assert without_markup("10^{-3}") is None
    assert without_markup(r"93.3$^{\dagger}$") == "93.3"


@pytest.mark.parametrize(
    "cell",
    [
        *("93.3 +", "93.3 -", "93.3 =", "93.3 (+)", "93.3(-)", "93.3 ≈", "93.3 ± 0.5 (=)", "93.3 n.s.", "93.3 (ns)"),
        *("93.3 ↑", "93.3▲", "93.3 ✓", "93.3 🥇", r"\(93.3\)", r"\(\mathbf{93.3}\) \(\pm\) 0.5"),
        *("93.3 ± 0.5 (1)", "93.3±0.5 (2.5)", "93.3 +/- 0.5 (10)"),
    ],
)
def test_outcomes_of_tests_arrows_and_ranks_stand_beside_a_score(cell: str) -> None:
    number = written_in(cell, ".")

    assert number == "93.3"
    assert math.isnan(number.spread) or number.spread == 0.5


@pytest.mark.parametrize("cell", ["93.3-", "93.3+", "93.3 (x)", "93.3 ± 0.5 (0.1)", "± 0.5 (1)", "12.3 s", "<93.3"])
def test_what_may_be_another_number_is_none(cell: str) -> None:
    assert written_in(cell, ".") is None


@pytest.mark.parametrize("cell", ["{0}", "{0.5}", "{0", "0}", "{0} {1}"])
def test_braces_alone_are_no_markup(cell: str) -> None:
    assert written_in(cell, ".") is None


@pytest.mark.parametrize("sign", ["±", " ± ", "+/-", " +− ", "(cid:6)", " (cid:6) ", " +/− "])
def test_signs_of_a_pdf_are_plus_minus(sign) -> None:
    number = written_in(f"93.3{sign}0.5", ".")

    assert (float(number), number.spread) == (93.3, 0.5)


@pytest.mark.parametrize("cell", ["93.3 6 0.5", "93.360.5", "93.3 \ufffd 0.5"])
def test_sign_that_was_lost_in_a_pdf_is_told(cell) -> None:
    error = not_a_number("t, line 2", cell, ".", is_text=True)

    assert "may be two numbers whose ± was lost when the table was copied from a PDF; if so, write 93.3 ± 0.5" in str(
        error
    )


@pytest.mark.parametrize("cell", ["1,234.5", "1 234.5", "1'234.5"])
def test_thousands_separator_is_asked_about(cell) -> None:
    assert f"is a number only if {cell[1]!r} separates thousands; if so, pass parsing={{'thousands': " in str(
        not_a_number("t, line 2", cell, ".", is_text=True)
    )


def test_a_text_with_a_grouped_number_is_not_asked_about() -> None:
    assert str(not_a_number("t, line 2", "about 1,234.5 x", ".", is_text=False)) == (
        "t, line 2: 'about 1,234.5 x' is not a number"
    )


def test_words_for_right_and_wrong_lead_to_the_questions() -> None:
    """Each advice that is followed leads to the next question, and at last to answers that are compared."""
    rows = [(f"task-{i}", name, bool((i + j) % (2 + j))) for i in range(20) for j, name in enumerate(("old", "new"))]
    frame = pd.DataFrame(rows, columns=["task_id", "condition", "resolved"])
    steps = [
        ({"layout": "long"}, "choose one with columns={'classifier': 'condition'}"),
        ({"layout": "long", "columns": {"classifier": "condition"}}, "name the column of the questions with"),
        ({"columns": {"classifier": "condition", "question": "task_id"}}, "columns={'score': 'resolved'}"),
    ]
    for options, advice in steps:
        with pytest.raises(TableError, match=re.escape(advice)):
            read_table(frame, **options)

    table = read_table(frame, columns={"classifier": "condition", "question": "task_id", "score": "resolved"})
    assert table.classifiers == ("new", "old")
    assert table.scores[0].tolist() == frame.groupby("condition")["resolved"].mean().tolist()


@pytest.mark.parametrize(
    ("texts", "decimal", "marks"),
    [
        (["3,009.5", "2,000", "0.5"], "auto", (",", ".")),
        (["3.009,5", "2.000"], "auto", (".", ",")),
        (["1 234,5 ± 2,1"], "auto", (" ", ",")),
        (["1,234,567", "9,001"], "auto", (",", "")),
        (["1'234"], "auto", ("'", "")),
        (["3,009"], "auto", ("", "")),
        (["128,256,512", "64,128,256"], "auto", ("", "")),
        (["1,234.5", "1.234,5"], "auto", ("", "")),
        (["3.009,5"], ".", ("", "")),
        (["1,234,5", "12,34,567", "x1,234.5"], "auto", ("", "")),
    ],
)
def test_thousands_separator_is_known_if_it_can_be_nothing_else(texts, decimal, marks) -> None:
    assert thousands_mark(texts, decimal) == marks


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize(
    "cell", ["0.9 ± 0.01", "-93 ±5", "+0.9± 1.25", "0.9 +/- 0.01", "0.9+-0.1", "93.3 (0.5)", "93 (0.50)", "12.50 ± 0"]
)
def test_frequent_forms_are_read_as_all_others(cell: str, decimal: str) -> None:
    cell = cell.replace(".", decimal)

    fast, complete = frequent_number(cell, decimal), written_in(f"{cell} ", decimal)

    assert fast is not None
    assert complete is not None
    assert frequent_number(f"{cell} ", decimal) is None
    assert (fast, fast.spread, fast.beside, fast.cell) == (complete, complete.spread, complete.beside, complete.cell)
    assert repr(fast.inside) == repr(complete.inside)


@pytest.mark.parametrize(
    "cell", ["0.9 ± 0.01 ± 0.1", "93.3 (5)", "93.3(5)", "0.9 (0.8, 1.0)", "0.9 ± 0.1 (2)", "± 0.1"]
)
def test_other_forms_are_not_frequent(cell: str) -> None:
    assert frequent_number(cell, ".") is None


@pytest.mark.parametrize(
    "column", [["0,5", "1", "-2,5e3", "+1,"], ["1,2,3", "1"], ["0.5", "1"], ["", "1,5"], ["1", "x"]]
)
def test_columns_with_decimal_commas_agree_with_their_cells(column: list[str]) -> None:
    assert str(numbers_in(column, ",")) == str([number_in(cell, ",") for cell in column])
