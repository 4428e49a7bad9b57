from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from evalstats import overlap, sign_test
from evalstats._result import Record, reasons


@dataclass(frozen=True, kw_only=True, eq=False)
class _Record(Record):
    value: Any
    _own: Any = None


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (np.float64(0.5), 0.5),
        (np.array(0.5), 0.5),
        (np.int64(3), 3),
        (np.array(3, dtype=np.intp), 3),
        (np.bool_(True), True),
        (np.str_("exact"), "exact"),
        (np.array("exact"), "exact"),
        (np.array(None, dtype=object), None),
        (np.array("why", dtype=object), "why"),
    ],
)
def test_one_value_of_numpy_becomes_a_python_scalar(given, kept):
    """Whatever numpy made of one problem, its record holds the plain value."""
    value = _Record(value=given).value

    assert (value, type(value)) == (kept, type(kept))


@pytest.mark.parametrize("given", [np.zeros(1), np.zeros((0, 2)), (np.float64(1),), [1], "text", 2, None])
def test_everything_else_is_kept_as_it_is(given):
    """A batch of one is a batch."""
    assert _Record(value=given).value is given


def test_fields_of_its_own_stay_arrays():
    """The methods of a record compute with them."""
    own = np.array(0.5)

    assert _Record(value=1, _own=own)._own is own


def test_results_print_plain_numbers():
    """overlap() and sign_test() of one problem hold no numpy scalar."""
    for result in (overlap([0.1, 0.2, 0.3], [0.3, 0.2, 0.5]), sign_test([1, 2, 3], [0, 0, 4])):
        assert not [name for name, value in vars(result).items() if isinstance(value, np.generic)]


def test_the_first_case_that_applies_gives_the_reason():
    """One problem gives a sentence or None; later cases are not asked."""
    assert reasons((), (np.bool_(False), "first"), (np.array(True), "second"), (True, "third")) == "second"
    assert reasons((), (False, "first")) is None


def test_a_batch_has_a_reason_for_each_problem():
    """Conditions are broadcast to the batch."""
    found = reasons((2, 2), (np.array([True, False]), "first"), (np.array([[True], [False]]), "second"))

    assert found.tolist() == [["first", "second"], ["first", None]]


def test_the_reasons_of_a_batch_are_those_of_its_problems():
    """An empty batch has none, a condition may be one for all."""
    assert reasons((0,), (True, "all")).tolist() == []
    assert reasons((2,), (True, "all")).tolist() == ["all", "all"]
