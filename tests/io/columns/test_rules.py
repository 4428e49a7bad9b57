"""Each declared rule refuses its examples by its code, and what its hint says ends the refusal."""

from __future__ import annotations

import inspect
import io
from collections.abc import Mapping
from typing import Any

import pytest

from evalstats import EvalstatsError, TableError, read_predictions, read_table
from evalstats.comparison import compare_readers
from evalstats.io.columns.rules import RULES
from evalstats.io.sources.rule import Example, Rule, Stage

EXAMPLES = [(rule, example) for rule in RULES for example in rule.examples]


def refused(rule: Rule, example: Example, **options: Any) -> EvalstatsError | None:
    """Return the error for an example, None if it is read."""
    read: Any = read_predictions if rule.stage is Stage.PREDICTIONS else read_table
    read = compare_readers if "reader" in options else read
    options = {"columns": options} if "y_true" in options else options
    data = io.StringIO(example.data) if isinstance(example.data, str) else example.data
    try:
        read(dict(data) if isinstance(data, Mapping) else data, **options)
    except EvalstatsError as error:
        return error
    return None


def code_of(error: EvalstatsError | None) -> str:
    return error.code if isinstance(error, TableError) else ""


@pytest.mark.filterwarnings("ignore::evalstats._errors.EvalstatsWarning")
@pytest.mark.parametrize(
    ("rule", "example"), EXAMPLES, ids=[f"{rule.code}-{rule.examples.index(one)}" for rule, one in EXAMPLES]
)
def test_rule_does_what_its_example_says(rule: Rule, example: Example) -> None:
    error = refused(rule, example)

    assert (code_of(error) == rule.code) == example.applies, error
    if example.applies and rule.option:
        assert isinstance(error, TableError)
        assert f"{rule.option}={error.value!r}" in error.message(lambda name, value: f"{name}={value!r}")
        assert code_of(refused(rule, example, **{rule.option: error.value})) != rule.code


def test_codes_are_unique() -> None:
    codes = [rule.code for rule in RULES]

    assert len(set(codes)) == len(codes)
    assert all(code == code.lower() and code.replace("-", "").isalnum() for code in codes)


def test_options_are_parameters() -> None:
    assert {rule.option for rule in RULES} - {""} <= {
        name for function in (read_table, compare_readers) for name in inspect.signature(function).parameters
    }


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_rule_has_examples_of_both_kinds(rule: Rule) -> None:
    assert {example.applies for example in rule.examples} == {True, False}
