"""Both comparisons tell what a report may rely on, in one way."""

from __future__ import annotations

from dataclasses import fields

import pytest

from evalstats import Comparison, InvalidValueError, OneDatasetComparison, compare, example_table
from evalstats.comparison import ComparisonResult

Compared = Comparison | OneDatasetComparison


def test_what_a_report_reads_stands_in_both(compared: Compared) -> None:
    said = compared.to_dict()

    assert isinstance(compared, ComparisonResult)
    assert {f.name for f in fields(ComparisonResult) if not f.name.startswith("_")} <= set(said)
    assert [pair["first"] for pair in said["pairs"]] == [pair.first for pair in compared.pairs]
    assert said["advice"]["test"] == compared.advice.test


def test_pairs_are_found_in_either_order(compared: Compared) -> None:
    for pair in compared.pairs:
        assert compared.pair(pair.first, pair.second) is compared.pair(pair.second, pair.first) is pair
    with pytest.raises(InvalidValueError, match="were not compared with each other"):
        compared.pair(compared.ranking[0], compared.ranking[0])


@pytest.mark.parametrize("control", [None, "C4.5"])
def test_decisions_are_those_of_the_pairs(control: str | None) -> None:
    c = compare(example_table("demsar-2006"), control=control)
    told = list(c.decisions())

    assert "pairs" not in vars(c)
    assert told == [(p.first, p.second, p.pvalue, p.different) for p in c.pairs]
