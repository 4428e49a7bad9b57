"""Fields of the page become words of the command, whatever stands in them."""

from __future__ import annotations

import click
import pytest

from evalstats.cli.audit_command import audit
from evalstats.cli.compare_command import compare
from evalstats.cli.options import CHARACTERS
from evalstats.cli.plan_command import plan
from evalstats.cli.which_test_command import which_test
from evalstats.serving.form_arguments import NO_FIELDS, command_line, fields_of, parameters, words_of

COMMANDS = (compare, which_test, plan, audit)


def test_fields_come_out_as_they_went_in() -> None:
    fields = {
        "metric": "--output=x",
        "control": "-a b",
        "alpha": 0.1,
        "drop": ["x", "--y"],
        "transpose": True,
        "robustness": True,
    }

    understood = parameters(compare, words_of(compare, fields), ["-"])

    assert {name: understood[name] for name in fields} == fields | {"drop": ("x", "--y")}
    assert understood["files"] == ("-",)
    assert all(understood[name] is None for name in ("output", "plot", "bib"))


def test_pairs_may_begin_with_hyphens() -> None:
    understood = parameters(audit, words_of(audit, {"different": [["-a", "--b"], ["c", "d"]]}), ["file"])

    assert understood["different"] == (("-a", "--b"), ("c", "d"))


@pytest.mark.parametrize("value", [None, "", [], False])
def test_empty_field_says_nothing(value) -> None:
    fields = {"metric": value} if value is not False else {"robustness": value}

    assert words_of(compare, fields) == []


def test_choice_of_two_can_be_no() -> None:
    assert words_of(compare, {"transpose": False}) == ["--no-transpose"]


def test_space_is_a_delimiter() -> None:
    assert parameters(compare, words_of(compare, {"delimiter": " "}), ["-"])["delimiter"] == " "


@pytest.mark.parametrize("value", [{"a": 1}, [1, [2]], [None]])
def test_value_that_is_no_text_is_refused(value) -> None:
    with pytest.raises(click.UsageError, match="a field must be a string or a number"):
        words_of(compare, {"metric": value})


def test_every_command_has_fields_and_none_of_them_is_a_place() -> None:
    for command in COMMANDS:
        fields = fields_of(command)
        names = {field["name"] for field in fields}

        assert not names & NO_FIELDS
        assert all(field["option"].startswith("--") for field in fields)
        paths = {"PATH", "FILE"}
        assert not [field["name"] for field in fields if field["value"] in paths]


def test_what_can_be_chosen_is_taken() -> None:
    """Each word of a list is one that the command understands, or refuses for another reason than being unknown."""
    for field in fields_of(compare):
        for word in field["choices"]:
            read = parameters(compare, words_of(compare, {field["name"]: word}), ["-"])[field["name"]]
            assert read == CHARACTERS.get(word, word)


def test_what_is_typed_is_quoted() -> None:
    assert command_line(compare, ["--metric", "a b"], ["x y.csv"]) == "evalstats compare 'x y.csv' --metric 'a b'"
