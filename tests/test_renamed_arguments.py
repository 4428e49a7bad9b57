"""Former names of arguments work, with a warning."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import pytest

from evalstats._errors import InvalidTypeError
from evalstats._renamed_arguments import renamed_arguments


@renamed_arguments("2.0", level="alpha", side="alternative")
def anything(scores: Any, *, alpha: float = 0.05, alternative: str = "two-sided") -> tuple[Any, float, str]:
    """Return the arguments."""
    return scores, alpha, alternative


def test_former_names_give_the_same_answer_with_a_warning_at_the_call() -> None:
    with pytest.warns(
        FutureWarning, match=r"^anything: the argument level is now called alpha; .* 2\.0 removes"
    ) as told:
        found = anything(1, level=0.01)  # type: ignore[call-arg]  # the former name

    assert found == anything(1, alpha=0.01)
    assert [warning.filename for warning in told] == [__file__]


def test_each_former_name_is_named() -> None:
    with pytest.warns(FutureWarning) as told:
        found = anything(1, level=0.01, side="less")  # type: ignore[call-arg]  # the former names

    assert found == (1, 0.01, "less")
    assert sorted(str(warning.message).split()[3] for warning in told) == ["level", "side"]


def test_present_names_give_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        assert anything(1, alpha=0.01, alternative="less") == (1, 0.01, "less")


def test_both_names_are_refused() -> None:
    with pytest.raises(InvalidTypeError, match="anything takes alpha or its former name level, but both are given"):
        anything(1, alpha=0.01, level=0.01)  # type: ignore[call-arg]  # both


def test_function_keeps_its_name_signature_and_docstring() -> None:
    assert (anything.__name__, anything.__doc__) == ("anything", "Return the arguments.")
    assert list(inspect.signature(anything).parameters) == ["scores", "alpha", "alternative"]
