"""A renamed argument: the old name works on, warns where it is written, and is in no signature."""

from __future__ import annotations

import inspect
import warnings

import pytest

from evalstats._deprecation import renamed_arguments
from evalstats._errors import InvalidTypeError


@renamed_arguments(removed_in="2.0", items="questions", best="greater_is_better")
def score(table, *, questions=1, greater_is_better=True):
    """Compute a score."""
    return table, questions, greater_is_better


def test_new_name_gives_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        assert score("a", questions=2, greater_is_better=False) == ("a", 2, False)


def test_old_names_give_the_same_result_and_a_warning_at_the_line_of_the_call() -> None:
    with pytest.warns(FutureWarning) as caught:
        result = score("a", items=2, best=False)

    assert result == ("a", 2, False)
    assert sorted(str(one.message) for one in caught) == [
        "score(): best= is called greater_is_better= now; best= is removed in version 2.0",
        "score(): items= is called questions= now; items= is removed in version 2.0",
    ]
    assert {one.filename for one in caught} == {__file__}


def test_both_names_are_refused() -> None:
    with pytest.raises(InvalidTypeError, match=r"^score\(\) got questions= and items=, its old name: pass questions=$"):
        score("a", questions=2, items=2)


def test_other_names_are_refused_as_ever() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'question'"):
        score("a", question=2)


def test_signature_and_docstring_are_those_of_the_function() -> None:
    assert list(inspect.signature(score).parameters) == ["table", "questions", "greater_is_better"]
    assert (score.__name__, score.__doc__) == ("score", "Compute a score.")
