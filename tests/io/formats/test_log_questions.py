"""Questions become answers, rows or means; what lacks a score is never counted as wrong."""

from __future__ import annotations

import math

import pytest

from evalstats.io.formats.format import Found
from evalstats.io.formats.log_files import Item, Log
from evalstats.io.formats.log_questions import cells_found, items_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import look
from evalstats.tables.errors import TableError

SEEN = look(["a", "b"])


def log(model: str, values: dict[str, float], task: str = "sums") -> Log:
    """Return a log; a question is called as in 'q1' or, with its epoch, 'q1/2'."""
    items = [
        Item(task, name.partition("/")[0], value, name.partition("/")[2], place=name) for name, value in values.items()
    ]
    return Log(model, model, model, items)


def found(
    *logs: Log, missing: str = "raise", better: bool = True, reducer: str = "mean", as_items: bool = False
) -> Found:
    asked = Asked(missing=missing, as_items=as_items)
    return items_found(SEEN, asked, logs, metric="m", greater_is_better=better, reducer=reducer, findings=())


def column(of: Found, name: str) -> list[object]:
    return list(of.grid.columns[of.grid.header.index(name)])


def codes(of: Found) -> list[str]:
    return [one.code for one in of.findings]


def test_right_and_wrong_are_answers() -> None:
    of = found(log("a", {"q1": 1, "q2": 0}), log("b", {"q2": 1, "q1": 1}))

    assert (of.layout, of.metric) == ("predictions", "accuracy")
    assert list(zip(column(of, "classifier"), column(of, "instance"), column(of, "y_pred"), strict=True)) == [
        *(("a", "q1", "right"), ("a", "q2", "wrong"), ("b", "q2", "right"), ("b", "q1", "right"))
    ]


def test_where_less_is_better_one_is_an_error() -> None:
    of = found(log("a", {"q1": 1, "q2": 0}), log("b", {"q1": 0, "q2": 0}), better=False)

    assert of.metric == "error_rate"
    assert column(of, "y_pred") == ["wrong", "right", "right", "right"]


def test_other_values_of_one_benchmark_are_rows() -> None:
    of = found(log("a", {"q1": 0.5, "q2": 1}), log("b", {"q1": 0.25, "q2": 0}))

    assert (of.layout, of.metric, of.greater_is_better) == ("long", "m", True)
    assert (column(of, "dataset"), column(of, "score")) == (["q1", "q2", "q1", "q2"], [0.5, 1, 0.25, 0])
    assert codes(of) == ["items-are-rows"]


def test_other_values_of_several_benchmarks_are_means() -> None:
    of = found(log("a", {"q1": 0.5, "q2": 1}), log("a", {"q1": 0.1}, "more"), log("b", {"q1": 0, "q2": 0}))

    assert column(of, "dataset") == ["sums", "sums", "more"]
    assert column(of, "score") == [0.75, 0, 0.1]
    assert codes(of) == ["few-benchmarks", "means"]


def test_epochs_are_reduced_before_models_are_compared() -> None:
    """The questions are the unit: 2 of them, not 4 answers."""
    logs = [log("a", {"q1/1": 1, "q1/2": 0, "q2/1": 1, "q2/2": 1}), log("b", {"q1/1": 0, "q1/2": 0, "q2/1": 0})]
    of = found(*logs)

    assert column(of, "score") == [0.5, 1, 0, 0]
    assert codes(of) == ["epochs-reduced", "items-are-rows"]
    assert found(*logs, reducer="max").layout == "predictions"


def test_answers_to_questions_stay_answers() -> None:
    logs = [log("a", {"q1/1": 1, "q1/2": 0, "q2/1": 1}), log("b", {"q1/1": 0, "q1/2": math.nan, "q2/1": 0})]
    of = found(*logs, as_items=True)

    rows = zip(*(column(of, name) for name in ("model", "benchmark", "question", "epoch", "score")), strict=True)
    assert (of.layout, of.metric) == ("answers", "accuracy")
    assert list(rows) == [
        *(("a", "sums", "q1", "1", 1), ("a", "sums", "q1", "2", 0), ("a", "sums", "q2", "1", 1)),
        *(("b", "sums", "q1", "1", 0), ("b", "sums", "q2", "1", 0)),
    ]
    assert codes(of) == ["epochs-unscored"]


def test_answers_that_are_reduced_otherwise_are_one_answer() -> None:
    logs = [log("a", {"q1/1": 0.5, "q1/2": 1}), log("b", {"q1/1": 0, "q1/2": 0.25})]
    of = found(*logs, as_items=True, reducer="max")

    assert column(of, "score") == [1, 0.25]
    assert "epoch" not in of.grid.header


def test_several_benchmarks_are_questions_where_every_model_has_them() -> None:
    both = [log(model, {"q1": 1, "q2": 0}, task) for model in "ab" for task in ("x", "y")]

    assert found(*both, as_items=True).layout == "answers"
    assert found(*both[:3], as_items=True).layout == "predictions"
    assert found(*both).layout == "predictions"


def test_right_and_wrong_on_one_benchmark_are_compared_exactly() -> None:
    logs = [log("a", {"q1": 1, "q2": 0}), log("b", {"q2": 1, "q1": 1})]

    assert found(*logs, as_items=True).layout == "predictions"


def test_cluster_must_be_the_same_in_every_log() -> None:
    first, second = (Log(m, m, m, [Item("x", "q1", 0.5, cluster=c)]) for m, c in (("a", "p1"), ("b", "p2")))

    with pytest.raises(TableError, match="'q1' of 'x' is in the cluster 'p2' in b, but in 'p1' elsewhere"):
        found(first, second, as_items=True)


def test_answer_that_was_not_scored_is_left_to_the_others_of_its_item() -> None:
    of = found(log("a", {"q1/1": 1, "q1/2": math.nan, "q2/1": 0.5}), log("b", {"q1/1": 0, "q2/1": 0}))

    assert column(of, "score") == [1, 0.5, 0, 0]
    assert "epochs-unscored" in codes(of)


@pytest.mark.parametrize("lacking", [{"q1": 1.0, "q2": math.nan}, {"q1": 1.0}])
def test_item_without_a_score_of_every_model_is_refused_or_left_out(lacking: dict[str, float]) -> None:
    logs = [log("a", {"q1": 1, "q2": 1}), log("b", lacking)]
    how = "not scored" if "q2" in lacking else "missing"

    with pytest.raises(
        TableError, match=rf"1 of 2 questions of 'sums' lacks .*: 'q2' of 'b' \({how}\); .*'drop-instances'"
    ):
        found(*logs)
    of = found(*logs, missing="drop-instances")
    assert column(of, "instance") == ["q1", "q1"]
    assert [one.severity for one in of.findings] == ["warning"]


def test_no_item_in_common_is_refused() -> None:
    with pytest.raises(TableError, match="no question of 'sums' has a score of every model"):
        found(log("a", {"q1": 1}), log("b", {"q2": 1}), missing="drop-instances")


def test_no_items_are_refused() -> None:
    with pytest.raises(TableError, match="has no score of a question"):
        found(log("a", {}))
    with pytest.raises(TableError, match="holds no score of a benchmark"):
        cells_found(SEEN, [log("a", {})], metric="m", greater_is_better=True)


def test_benchmarks_that_ask_the_same_are_told() -> None:
    items = [Item(task, "q1", 1.0, check="same") for task in ("strict", "loose")]
    of = found(Log("a", "a", "a", items), Log("b", "b", "b", [item._replace(value=0.0) for item in items]))

    assert "same-questions" in codes(of)


def test_cells_are_scores_of_benchmarks() -> None:
    logs = [
        Log("a", "a", "a", [Item("x", "", 0.5), Item("y", "", math.nan)]),
        Log("b", "b", "b", [Item("x", "", 0.25)]),
    ]
    of = cells_found(SEEN, logs, metric="m", greater_is_better=False)

    assert (column(of, "dataset"), column(of, "classifier")) == (["x", "y", "x"], ["a", "a", "b"])
    assert (of.layout, of.greater_is_better) == ("long", False)
