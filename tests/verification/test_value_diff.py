"""Which values of two documents differ by more than rounding?"""

from __future__ import annotations

import pytest

from evalstats.verification.report_check import _changed_values, _count_values


def places(before: object, now: object) -> list[str]:
    return [change.place for change in _changed_values(before, now)]


@pytest.mark.parametrize(
    ("before", "now", "is_same"),
    [
        (0.1, 0.1 + 1e-11, True),
        (0.1, 0.1 + 1e-9, False),
        (1, 1.0, False),
        (True, 1, False),
        (True, True, True),
        (None, None, True),
        (None, 0.0, False),
        ("Infinity", "Infinity", True),
        ("a", "b", False),
        (0.0, 5.6e-17, True),
        ([1, 2], [1, 2, 3], False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": 1}, [1], False),
    ],
)
def test_numbers_agree_to_nine_digits_and_all_else_exactly(before: object, now: object, is_same: bool) -> None:
    assert (places({"x": before}, {"x": now}) == []) == is_same


def test_pvalue_may_be_as_small_as_it_likes() -> None:
    assert places({"pvalue": 1e-20}, {"pvalue": 2e-20}) == ["pvalue"]
    assert places({"pvalue": [1e-20]}, {"pvalue": [0.0]}) == ["pvalue[0]"]


def test_pairs_are_named() -> None:
    before = [{"first": "NB", "second": "SVM", "low": 1.0}, {"classifier": "NB", "reference": "SVM", "low": 1.0}]
    now = [{**one, "low": 2.0} for one in before]

    assert places({"pairs": before}, {"pairs": now}) == ["pairs[NB, SVM].low", "pairs[NB, SVM].low"]
    assert places({"pairs": before}, {"pairs": [{**one, "second": "C4.5"} for one in now]})[0] == "pairs[0].second"


def test_values_are_told_in_brief() -> None:
    (change,) = _changed_values({"a": [1, 2]}, {"a": {"b": 1}})

    assert (change.before, change.now) == ("list of 2", "object of 1")
    assert [change.now for change in _changed_values({"a": 1}, {})] == ["nothing"]


def test_values_are_counted() -> None:
    assert _count_values({"a": [1, 2, [3]], "b": {"c": None}, "d": [], "e": "x"}) == 5
