"""R may be without an answer for a reason that is written down, and for no other."""

from __future__ import annotations

import importlib

import pytest

from evalstats.parity.reference_cases import read_stem, stem_names
from evalstats.parity.unsupported_inputs import NO_ANSWER, why_unanswered

KNOWN = [(name, part, why) for name, parts in NO_ANSWER.items() for part, why in parts.items()]


def test_known_part_of_a_message_has_its_reason() -> None:
    for name, part, why in KNOWN:
        assert why_unanswered(name, ValueError(f"Error in f(x): {part} here")) == why, name


@pytest.mark.parametrize("name", ["paired/ttest/paired_ttest", "paired/sign/sign_test"])
def test_any_other_error_has_none(name: str) -> None:
    assert why_unanswered(name, ValueError("object 'x' not found")) is None


def test_reason_of_one_function_is_none_of_another() -> None:
    assert why_unanswered("paired/sign/sign_test", ValueError("data are essentially constant")) is None


def test_every_name_is_a_function_with_answers() -> None:
    asked = {f"{name}/{function}" for name in stem_names() for function in read_stem(name).references}

    assert set(NO_ANSWER) <= asked
    for name in NO_ANSWER:
        subpackage, _, function = name.split("/")
        assert callable(getattr(importlib.import_module(f"evalstats.{subpackage}"), function))
