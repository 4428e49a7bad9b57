from __future__ import annotations

import io

import pytest

from evalstats import TableError, read_table
from evalstats.io.options import given_together

HEADER = "run_id,metrics.acc,params.model,params.dataset,params.seed,params.fold"


def test_parameters_are_known_by_their_names() -> None:
    table = read_table(io.StringIO(f"{HEADER}\n1,.8,a,d,0,1\n2,.9,b,d,0,1\n3,.6,a,d,0,2\n4,.7,b,d,0,2\n"))

    assert table.scores.ravel() == pytest.approx([0.7, 0.8])
    assert (table.folds[0].repeats, table.folds[0].folds) == (("0",), ("1", "2"))
    sentence = table.findings[0].sentence
    assert sentence.startswith("Columns: dataset 'params.dataset', classifier 'params.model', repeat 'params.seed'")


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (f"{HEADER},params.algorithm\n1,.8,a,d,0,1,x\n", {}, "any of the columns .* may contain the classifier"),
        (f"{HEADER}\n1,.8,a,d,0,1\n", {"classifier": "model"}, "classifier must name a column of the table"),
        (f"{HEADER}\n1,.8,a,d,0,1\n", {"score": "x"}, "score must name a column of the table"),
        (f"{HEADER}\n1,.8,a,d,0,1\n2,.8,a,d,0,1\n", {}, "several scores belong to 'd', 'a', '0', '1'"),
    ],
)
def test_what_is_not_clear_is_asked(text, options, message) -> None:
    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(text), **given_together(options))
