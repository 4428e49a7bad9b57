"""Pairs of a comparison: the effects of those that are asked for, in passes, are those of the tests of two."""

from __future__ import annotations

import itertools
import json
import math
import tracemalloc
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalstats import Comparison, compare, example_table, nemenyi_test, report, sign_test, wilcoxon_test
from evalstats.comparison import record
from evalstats.comparison.designs import datasets as pairs
from evalstats.comparison.option_checks import refuse_one_or_too_many
from evalstats.comparison.ranking import Pair
from evalstats.tables.errors import TableError
from evalstats.tables.score_table import ScoreTable


def scores(n: int, k: int) -> np.ndarray:
    rng = np.random.default_rng(n + k)
    return np.round(rng.random((n, 1)) + rng.normal(0, 0.05, (n, k)) + np.linspace(0, 0.1, k), 2)


@pytest.mark.parametrize("choice", [{}, {"control": "classifier 2"}, {"greater_is_better": False}])
def test_effects_are_those_of_the_tests_of_two(choice: dict[str, object]) -> None:
    comparison = compare(scores(14, 5), **choice)
    table = comparison.table

    for pair in comparison.pairs:
        x, y = (table.scores[:, table.position(name)] for name in (pair.first, pair.second))
        better = (x, y) if table.greater_is_better else (-x, -y)
        signs, signed_ranks = sign_test(*better), wilcoxon_test(*better)
        assert (pair.n_wins, pair.n_ties, pair.n_losses) == (signs.n_wins, signs.n_ties, signs.n_losses)
        assert pair.rank_biserial == signed_ranks.rank_biserial
        assert pair.hodges_lehmann == wilcoxon_test(x, y).hodges_lehmann


def test_passes_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    incomplete = scores(12, 6)
    incomplete[::5, 2] = np.nan
    for table, choice in ((scores(12, 6), {}), (incomplete, {"missing": "skillings-mack"})):
        whole = compare(table, **choice).to_dict()["pairs"]
        with monkeypatch.context() as patch:
            patch.setattr(pairs, "CHUNK", 30)
            assert compare(table, **choice).to_dict()["pairs"] == whole


def test_pair_without_a_common_dataset_has_no_effect() -> None:
    table = [[1, 2, np.nan], [2, 3, np.nan], [np.nan, 1, 2], [np.nan, 3, 1], [np.nan, 2, 5]] * 2
    pair = compare(np.array(table), missing="skillings-mack").pair("classifier 1", "classifier 3")

    assert (pair.n_wins, pair.n_ties, pair.n_losses) == (0, 0, 0)
    assert math.isnan(pair.rank_biserial)
    assert math.isnan(pair.hodges_lehmann)


def test_columns_are_the_fields_of_a_pair() -> None:
    comparison = compare(example_table("demsar-2006"))

    told = [*comparison._columns_of_pairs([0]), "hodges_lehmann"]
    assert told == [field.name for field in fields(Pair)][: len(told)] == list(comparison.pairs[0].to_dict())


def test_frame_of_pairs_holds_numbers_and_no_function() -> None:
    """Pandas takes the fields of a dataclass as they are: those of other designs are empty columns."""
    comparison = compare(example_table("demsar-2006"))
    frame = pd.DataFrame(comparison.pairs).dropna(axis="columns", how="all")

    pd.testing.assert_frame_equal(frame, comparison.to_frame())
    assert replace(comparison.pairs[0], pvalue=0.5).hodges_lehmann == comparison.pairs[0].hodges_lehmann


class TestSmallestPvalues:
    def test_in_the_order_of_the_comparison(self) -> None:
        comparison = compare(scores(14, 6))
        some = comparison.pairs_with_smallest_pvalues(4)

        assert [p.pvalue for p in some] == [
            p.pvalue for p in comparison.pairs if p.pvalue <= sorted(q.pvalue for q in comparison.pairs)[3]
        ]

    def test_all_where_there_are_no_more(self) -> None:
        comparison = compare(scores(14, 3))

        assert comparison.pairs_with_smallest_pvalues(9) is comparison.pairs

    def test_counts_need_no_effects(self) -> None:
        comparison = compare(scores(14, 6))

        assert comparison.n_pairs == len(comparison.pairs) == len(comparison.compared) == 15
        assert comparison.n_different == sum(pair.different for pair in comparison.pairs)
        assert comparison.compared[3] == (comparison.pairs[3].first, comparison.pairs[3].second)

    def test_number_is_checked(self) -> None:
        with pytest.raises(ValueError, match="most must be"):
            compare(scores(14, 3)).pairs_with_smallest_pvalues(0)


@pytest.mark.long
def test_report_of_a_large_table_holds_no_table_of_all_pairs() -> None:
    """All pairs times all datasets would be 319,600 times 300 numbers: 767 MB for either side."""
    comparison = compare(scores(300, 800), rows_are="datasets")
    tracemalloc.start()
    report.text(comparison)
    report.markdown(comparison)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 200e6


def test_file_leaves_out_estimates_that_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = compare(scores(14, 6))
    monkeypatch.setattr(record, "MOST_ESTIMATES", 4)
    written = written_pairs(comparison)

    assert sum("hodges_lehmann" in pair for pair in written) == 4
    assert max(p["pvalue"] for p in written if "hodges_lehmann" in p) <= min(
        p["pvalue"] for p in written if "hodges_lehmann" not in p
    )
    for pair, whole in zip(written, comparison.to_dict()["pairs"], strict=True):
        assert pair == {name: value for name, value in whole.items() if name in pair}


def written_pairs(comparison: Comparison) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(report.json(comparison))["comparison"]["pairs"]
    return found


def test_estimates_of_pairs_are_those_of_the_test_whoever_is_asked_first() -> None:
    scores = np.round(np.random.default_rng(5).random((9, 13)), 2)
    pairs = compare(scores, rows_are="datasets").pairs  # 78, more than are made at once

    asked = [pairs[i] for i in (77, 0, 63, 64, 70, 1)]

    for pair in asked:
        x, y = (scores[:, int(name.removeprefix("classifier ")) - 1] for name in (pair.first, pair.second))
        assert pair.hodges_lehmann == wilcoxon_test(x, y).hodges_lehmann


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare(scores(3, 1_500), rows_are="datasets")


class TestThousandsOfClassifiers:
    """A table that lies on its side has few datasets and thousands of classifiers, so it has millions of pairs."""

    @pytest.mark.long
    def test_no_pair_is_held(self) -> None:
        table = scores(3, 1_000)
        compare(scores(3, 30), rows_are="datasets")  # what is loaded is not what is measured
        tracemalloc.start()
        text = report.text(compare(table, rows_are="datasets"))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

        assert "499,500 pairs" in text
        # 13 numbers for either side of each pair; one object for each of the pairs, of 100 bytes or more, is 6 beside
        assert peak < 8 * 13 * 1_000**2

    @pytest.mark.long
    def test_pvalues_are_those_of_the_test(self, comparison: Comparison) -> None:
        first, second, pvalue, _ = next(itertools.islice(comparison.decisions(), 700_000, None))
        at = comparison.table.position(first), comparison.table.position(second)

        assert pvalue == nemenyi_test(comparison.table.scores).pvalue[at]

    @pytest.mark.parametrize("show", [report.json, lambda c: c.pairs, lambda c: c.to_dict(), lambda c: c.to_frame()])
    def test_all_of_them_are_not_written_one_by_one(self, comparison: Comparison, show: Any) -> None:
        with pytest.raises(TableError, match=r"1,500 classifiers form 1,124,250 pairs, .* with control="):
            show(comparison)

    def test_the_smallest_are(self, comparison: Comparison) -> None:
        assert len(comparison.pairs_with_smallest_pvalues(5)) == 5

    @pytest.mark.parametrize(("n", "way"), [(3, "parsing={'transpose': True}"), (6_002, "drop=")])
    def test_more_are_refused_before_anything_is_computed(self, n: int, way: str) -> None:
        table = np.broadcast_to(np.arange(6_001.0), (n, 6_001)) if n > 3 else scores(n, 6_001)
        with pytest.raises(TableError, match=f"6,001 classifiers, and compare takes 6,000 at most; .*{way}"):
            refuse_one_or_too_many(
                ScoreTable(
                    scores=table,
                    datasets=tuple(f"d{i}" for i in range(n)),
                    classifiers=tuple(f"c{i}" for i in range(6_001)),
                    metric="accuracy",
                    greater_is_better=True,
                )
            )
