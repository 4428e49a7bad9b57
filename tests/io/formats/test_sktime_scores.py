from __future__ import annotations

import io

import pytest

from evalstats import TableError
from evalstats.io.formats.sktime_scores import FoldScore, benchmark_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import look

SEEN = look(io.StringIO("a,b\n"))


def test_metric_without_a_score_is_refused() -> None:
    with pytest.raises(TableError, match="the table holds no score of 'acc'"):
        benchmark_found(SEEN, Asked(), [FoldScore("t", "m", "0", "acc", "", 1)])


def test_times_are_no_metric_unless_asked() -> None:
    scores = [FoldScore("t", "m", "0", name, 1, 1) for name in ("acc", "fit_time")]

    assert benchmark_found(SEEN, Asked(), scores).metric == "acc"
    assert benchmark_found(SEEN, Asked(metric="fit_time"), scores).greater_is_better is False
