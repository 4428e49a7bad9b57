from __future__ import annotations

import io

import pytest

from evalstats.io.formats.tabular import rows_of
from evalstats.io.formats.yardstick import DIRECTIONS, runs_of_resamples, workflows
from evalstats.io.sources.source import look
from evalstats.metrics.directions import direction_of


def test_directions_agree_with_the_words_of_the_names() -> None:
    told = {name: direction_of(name) for name in DIRECTIONS}

    assert [name for name, words in told.items() if words is not None and words is not DIRECTIONS[name]] == []


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("id,id2\nRepeat1,Fold1\n", {"repeat": ["Repeat1"], "fold": ["Fold1"]}),
        ("id,x\nFold01,1\n", {"fold": ["Fold01"]}),
        ("id,x\nBootstrap01,1\n", {"repeat": ["Bootstrap01"]}),
        ("x,y\n1,1\n", {}),
    ],
)
def test_resamples(text, runs) -> None:
    assert runs_of_resamples(rows_of(look(io.StringIO(text)), (), "x")) == runs


def test_workflow_that_was_not_tuned_has_its_name() -> None:
    rows = rows_of(look(io.StringIO("wflow_id,.config\na,M1\nb,M1\nb,M2\n")), (), "x")

    names, findings = workflows(rows, "workflow")

    assert names == ["a", "b M1", "b M2"]
    assert len(findings) == 1
