"""A long table may have a column for each fold or run."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from evalstats import TableError, read_table

SCORES = np.array([[0.8, 0.81, 0.79], [0.7, 0.72, 0.71], [0.6, 0.65, 0.61], [0.9, 0.91, 0.92]])
NAMES = {"dataset": ["a", "a", "b", "b"], "classifier": ["LR", "NB", "LR", "NB"]}


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        *((word, "folds") for word in ("fold{}", "Fold {}", "cv{}", "test_fold_{}", "cv{}_score", "partition {}")),
        ("round{}", "repeats"),
        ("seed_{}", "runs"),
    ],
)
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
    assert (
        read_table(frame, columns={"score": "fold2"}, greater_is_better=True).scores.ravel().tolist()
        == SCORES[:, 1].tolist()
    )


def test_columns_of_folds_may_name_the_metric() -> None:
    scores = {f"fold_{j}_{name}": SCORES[:, j] - k / 10 for j in range(3) for k, name in enumerate(("accuracy", "f1"))}
    frame = pd.DataFrame({**NAMES, **scores})

    table = read_table(frame.drop(columns=frame.filter(like="f1").columns))

    assert table.metric == "accuracy"
    np.testing.assert_array_equal(table.scores, SCORES.mean(axis=1).reshape(2, 2))
    with pytest.raises(TableError, match="the metrics 'accuracy', 'f1' for each run; choose one, for example"):
        read_table(frame)
    np.testing.assert_allclose(read_table(frame, metric="f1").scores, SCORES.mean(axis=1).reshape(2, 2) - 0.1)
    losses = pd.DataFrame({**NAMES, **{f"log_loss_fold{j}": SCORES[:, j] for j in range(3)}})
    assert not read_table(losses).greater_is_better


@pytest.mark.parametrize(
    ("word", "start"),
    [*((word, start) for word in ("k{}", "f{}", "R{}", "V{}", "{}", "acc_{}") for start in (0, 1)), ("s{}", 0)],
)
def test_columns_that_are_only_numbered_are_asked_about(word: str, start: int) -> None:
    """f1 is not F1, and R2 no coefficient of determination, among f0, f1, f2 and R1, R2, R3."""
    frame = pd.DataFrame({**NAMES, **{word.format(j + start): SCORES[:, j] for j in range(3)}})

    with pytest.raises(
        TableError, match="only number the columns, which may hold folds or repeats; rename them to fold_1"
    ):
        read_table(frame)
    assert read_table(frame, columns={"score": word.format(1)}, greater_is_better=True).scores.shape == (2, 2)
