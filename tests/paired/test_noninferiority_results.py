"""What both results have in common, whatever they were made of."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from evalstats import EvalstatsError, equivalence_test, noninferiority_test
from evalstats.paired.noninferiority_results import understand_margin

X, Y = [0.8, 0.7, 0.9, 0.6, 0.75, 0.85], [0.82, 0.69, 0.9, 0.61, 0.74, 0.85]
RESULTS = [
    noninferiority_test(X, Y, margin=0.05),
    equivalence_test(X, Y, margin=0.05, test="sign"),
    noninferiority_test(counts=[[40, 2], [3, 5]], margin=0.1, test="accuracy"),
    equivalence_test(counts=[[40, 2], [3, 5]], margin=0.1, test="accuracy"),
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: f"{type(r).__name__}-{r.test}")
def test_record_is_plain_and_unpacks(result):
    statistic, pvalue = result

    assert (statistic, pvalue) == (result.statistic, result.pvalue)
    assert list(result.to_dict()) == [f.name for f in dataclasses.fields(result) if f.name[0] != "_"]
    assert json.loads(json.dumps(result.to_dict())) == result.to_dict()
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.margin = 1


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: f"{type(r).__name__}-{r.test}")
def test_smallest_margin_is_the_limit_of_the_interval(result):
    level = 0.95 if "Noninferiority" in type(result).__name__ else 0.9
    low, high = result.confidence_interval(level)

    assert result.smallest_margin(0.05) == pytest.approx(max(-low, high if level == 0.9 else 0.0))


def test_equivalence_has_no_interval_of_more_than_half():
    with pytest.raises(EvalstatsError, match=r"alpha must be at most 0\.5"):
        RESULTS[1].smallest_margin(0.6)


def test_reason_belongs_to_the_larger_pvalue():
    """Each member of a batch has the reason of its own test."""
    x = np.array([[1.0, 1, 1, 1], [1.0, 2, 3, 4]])

    result = equivalence_test(x, np.zeros((2, 4)), margin=1.5, test="paired-t")

    assert "no variance" in result.reason[0]
    assert result.reason[1] is None


def test_unit_of_the_margin():
    assert understand_margin(0.01, are_shares=True) == 0.01
    assert understand_margin(3, are_shares=False) == 3
    with pytest.raises(EvalstatsError, match=r"not 70$"):
        understand_margin(70, are_shares=True)
