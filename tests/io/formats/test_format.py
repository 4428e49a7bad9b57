from __future__ import annotations

import io

import pytest

from evalstats import TableError
from evalstats.io.formats.format import chosen_metric, directions, predictions_found, scores_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import look

SEEN = look(io.StringIO("a,b\n"))


def test_metric_is_what_is_asked_or_the_default_or_the_only_one() -> None:
    assert chosen_metric(SEEN, Asked(metric="auc"), ["acc", "auc"]) == "auc"
    assert chosen_metric(SEEN, Asked(), ["acc", "auc"], "auc") == "auc"
    assert chosen_metric(SEEN, Asked(), ["acc"], "auc") == "acc"


@pytest.mark.parametrize(
    ("metric", "known", "message"),
    [
        (None, ["acc", "auc"], "holds the metrics 'acc', 'auc'; choose one, for example metric='acc'"),
        ("f1", ["acc"], "has no metric 'f1'; its metrics are 'acc'"),
        (None, [], "holds no metric"),
    ],
)
def test_metric_that_is_not_clear_is_asked(metric, known, message) -> None:
    with pytest.raises(TableError, match=message):
        chosen_metric(SEEN, Asked(metric=metric), known)


def test_directions_are_written_as_words() -> None:
    assert directions("acc auc", "error") == {"acc": True, "auc": True, "error": False}


def test_what_is_found_keeps_the_numbers_of_its_lines() -> None:
    columns = {"dataset": ["d"], "classifier": ["a"], "score": [0.5]}

    found = scores_found(SEEN, columns, metric="acc", greater_is_better=True, numbers=[7])

    assert found.grid.place(0, 2) == "the table, line 7, column 'score'"
    assert predictions_found(SEEN, {"y_true": ["x"]}).layout == "predictions"
