"""A metric is taken where only one can be meant, and asked for otherwise; so is its direction."""

from __future__ import annotations

import pytest

from evalstats.io.formats.log_questions import chosen_metrics, direction, together
from evalstats.io.options import Asked
from evalstats.io.sources.source import look
from evalstats.tables.errors import TableError

SEEN = look({"a": [1]})


def chosen(of_tasks: dict[str, list[str]], metric: str | None = None) -> dict[str, str]:
    return chosen_metrics(SEEN, Asked(metric=metric), of_tasks)


def test_only_common_metric_is_taken() -> None:
    assert chosen({"x": ["acc", "f1"], "y": ["acc"]}) == {"x": "acc", "y": "acc"}


def test_each_task_may_have_a_metric_of_its_own() -> None:
    assert chosen({"x": ["acc"], "y": ["f1"]}) == {"x": "acc", "y": "f1"}


def test_metric_may_leave_its_filter_out() -> None:
    of_tasks = {"x": ["acc,none", "acc_norm,none"], "y": ["em,strict", "em,loose"]}

    assert chosen(of_tasks, "acc") == {"x": "acc,none"}
    assert chosen(of_tasks, "em,loose") == {"y": "em,loose"}
    with pytest.raises(TableError, match=r"holds the metrics 'em, strict', 'em, loose'; .*metric='em, strict'"):
        chosen(of_tasks, "em")


def test_several_metrics_are_asked_for() -> None:
    with pytest.raises(TableError, match=r"holds the metrics 'acc', 'f1'; choose one, for example metric='acc'"):
        chosen({"x": ["acc", "f1"]})


def test_unknown_and_no_metric() -> None:
    with pytest.raises(TableError, match="has no metric 'f2'; its metrics are 'acc'"):
        chosen({"x": ["acc"]}, "f2")
    with pytest.raises(TableError, match="has no score of a question"):
        chosen({"x": []})


def test_direction_is_that_of_the_caller_or_else_of_the_log() -> None:
    assert direction(SEEN, Asked(greater_is_better=False), {"a": True}) is False
    assert direction(SEEN, Asked(), {"a": True, "b": True}) is True
    with pytest.raises(TableError, match="it is not known whether higher or lower 'b' is better; pass greater_is_"):
        direction(SEEN, Asked(), {"a": True, "b": None})
    with pytest.raises(TableError, match="higher is better for some metrics, but lower for 'b'; choose one metric"):
        direction(SEEN, Asked(), {"a": True, "b": False})


def test_together() -> None:
    assert together(["acc", "acc"]) == "acc"
    assert together(["acc", "f1"]) == "score"
