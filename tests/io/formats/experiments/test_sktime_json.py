from __future__ import annotations

import io
import json

import pytest

from evalstats import TableError, read_table


def test_scores_of_folds(sample, content) -> None:
    results = json.loads(sample("sktime/results.json").read_text())
    expected = {(one["validation_id"], one["model_id"]): one["means"]["accuracy_score"] for one in results}

    table = read_table(sample("sktime/results.json"))

    assert (table.format, table.greater_is_better) == ("sktime-json", True)
    assert content(table) == pytest.approx(expected)


def test_list_of_dicts_is_the_same_as_its_text(sample, content) -> None:
    text = sample("sktime/results.json").read_text()

    assert content(read_table(json.loads(text))) == content(read_table(io.StringIO(text)))


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ({"folds": []}, r"result 1: folds must be an object with names, not \[\]"),
        ({"folds": {"0": 5}}, "result 1: a fold must be an object"),
        ({"folds": {"0": {}}}, "result 1: scores must be an object"),
        ({"folds": {"0": {"scores": {"acc": "x"}}}}, "'x' is not a number"),
        ({"folds": {}}, "holds no metric"),
    ],
)
def test_faults_are_told_with_their_place(result, message) -> None:
    text = json.dumps([{"model_id": "a", "validation_id": "p", **result}])

    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(text))
