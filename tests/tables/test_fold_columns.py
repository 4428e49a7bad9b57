"""A long table may have a column for each fold or run."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from evalstats import TableError, read_table

SCORES = np.array([[0.8, 0.81, 0.79], [0.7, 0.72, 0.71], [0.6, 0.65, 0.61], [0.9, 0.91, 0.92]])
NAMES = {"dataset": ["a", "a", "b", "b"], "classifier": ["LR", "NB", "LR", "NB"]}


@pytest.mark.parametrize(("word", "runs"), [("fold{}", "folds"), ("Fold {}", "folds"), ("seed_{}", "repeats")])
def test_a_column_for_each_fold_is_read_as_a_row_for_each(word: str, runs: str) -> None:
    frame = pd.DataFrame({**NAMES, **{word.format(j + 1): SCORES[:, j] for j in range(3)}})
    for source in (frame, io.StringIO(frame.to_csv(index=False)), io.StringIO(frame.to_json(orient="records"))):
        table = read_table(source)

        assert (table.datasets, table.classifiers) == (("a", "b"), ("LR", "NB"))
        assert table.computation == f"score, mean over the {runs}"
        np.testing.assert_array_equal(table.folds[1].scores.reshape(3, 2), SCORES[2:].T)
        np.testing.assert_array_equal(table.scores, SCORES.mean(axis=1).reshape(2, 2))
        assert table.findings[0].code == "columns-of-folds"


def test_a_summary_beside_folds_is_left_out_and_another_column_is_asked_for() -> None:
    frame = pd.DataFrame({**NAMES, "fold1": SCORES[:, 0], "fold2": SCORES[:, 1]})

    table = read_table(frame.assign(mean=frame[["fold1", "fold2"]].mean(axis=1)))

    assert [one.name for one in table.left_out] == ["mean"]
    with pytest.raises(TableError, match="any of the columns 'fold1', 'fold2', 'gain' may hold the scores"):
        read_table(frame.assign(gain=0.1))
    assert read_table(frame, score="fold2", greater_is_better=True).scores.ravel().tolist() == SCORES[:, 1].tolist()
