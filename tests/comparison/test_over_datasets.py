"""A comparison over datasets answers questions about its classifiers by their names."""

from __future__ import annotations

import pytest

import evalstats
from evalstats import compare, example_table


def test_unknown_classifier_in_a_question(demsar: evalstats.Comparison) -> None:
    with pytest.raises(ValueError, match=r"classifier must be one of 'C4\.5', "):
        demsar.pair("C4.5", "NB")


def test_pair_that_was_not_compared() -> None:
    c = compare(example_table("demsar-2006"), control="C4.5")

    with pytest.raises(ValueError, match="were not compared"):
        c.pair("C4.5+m", "C4.5+cf")
