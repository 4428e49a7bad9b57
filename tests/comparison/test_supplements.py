"""Margins, posteriors and robustness are records: each has a row for each pair, and names who has a verdict."""

from __future__ import annotations

import pytest

from evalstats import Comparison, InvalidValueError, compare, example_table
from evalstats.comparison.supplements import OUTCOMES, VERDICTS


@pytest.fixture(scope="module")
def asked() -> Comparison:
    return compare(example_table("demsar-2006"), control="C4.5", margin=0.01, rope=0.01, robustness=True)


def test_each_pair_is_a_row(asked: Comparison) -> None:
    assert asked.margins.to_columns()["classifier"] == [pair.first for pair in asked.pairs]
    assert asked.posteriors.to_columns()["first"] == [pair.first for pair in asked.pairs]
    assert [pair.first for pair in asked.robustness.pairs] == [pair.first for pair in asked.pairs]


def test_classifiers_are_found_by_their_verdict(asked: Comparison) -> None:
    of_margins = [name for verdict in VERDICTS for name in asked.margins.classifiers(verdict)]
    of_posteriors = [pair for outcome in OUTCOMES for pair in asked.posteriors.classifiers(outcome)]

    assert sorted(of_margins) == sorted(pair.first for pair in asked.pairs)
    assert sorted(of_posteriors) == sorted((pair.first, pair.second) for pair in asked.pairs)


def test_unknown_verdicts_are_refused(asked: Comparison) -> None:
    with pytest.raises(InvalidValueError, match="verdict must be 'better' or 'not worse' or"):
        asked.margins.classifiers("fine")
    with pytest.raises(InvalidValueError, match="outcome must be 'better' or 'equivalent' or"):
        asked.posteriors.classifiers("fine")
