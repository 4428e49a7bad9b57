from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from evalstats import TableError, read_table

WIDE = pd.DataFrame(
    {"NB": [0.8, 0.7, 0.9], "SVM": [0.85, 0.6, 0.95]}, index=pd.Index(["iris", "glass", "wine"], name="dataset")
)


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (
            lambda t: t.reset_index().melt(id_vars="dataset"),
            "'variable' contains the classifiers, 'value' contains the scores.",
        ),
        (
            lambda t: t.rename_axis(None).melt(ignore_index=False).reset_index(),
            "'index' contains the datasets, 'variable' contains the classifiers, 'value' contains the scores.",
        ),
        (lambda t: t.stack().reset_index(), "'level_1' contains the classifiers, '0' contains the scores."),
        (
            lambda t: t.rename_axis(None).stack().reset_index(),
            "'level_0' contains the datasets, 'level_1' contains the classifiers, '0' contains the scores.",
        ),
        (lambda t: t.unstack().reset_index(), "'level_0' contains the classifiers, '0' contains the scores."),
    ],
)
def test_long_tables_with_the_names_of_pandas_are_read(
    made: Callable[[pd.DataFrame], pd.DataFrame], sentence: str
) -> None:
    table = read_table(made(WIDE))

    assert table.classifiers == ("NB", "SVM")
    assert table.scores.tolist() == WIDE.loc[list(table.datasets)].to_numpy().tolist()
    assert (
        table.findings[0].sentence
        == f"The columns have the names that pandas gives to the columns of long tables: {sentence}"
    )


def test_metrics_that_were_melted_are_metrics() -> None:
    long = WIDE.assign(model="NB").rename(columns={"NB": "accuracy", "SVM": "f1"})
    long = pd.concat([long, long.assign(model="SVM", accuracy=0.5)]).reset_index().melt(id_vars=["dataset", "model"])

    with pytest.raises(TableError, match="column 'metric' holds the metrics 'accuracy', 'f1'; choose one"):
        read_table(long)
    assert read_table(long, metric="accuracy").scores[:, 1].tolist() == [0.5] * 3


def test_roles_that_were_given_and_names_that_are_taken_stay() -> None:
    long = WIDE.reset_index().melt(id_vars="dataset")

    assert read_table(long, columns={"classifier": "variable", "score": "value"}).findings == ()
    with pytest.raises(TableError):
        read_table(long.assign(score=1.0))
    wide = pd.DataFrame({"dataset": ["a", "b", "c"], "variable": [0.5, 0.6, 0.7], "fixed": [0.6, 0.5, 0.4]})
    assert read_table(wide).classifiers == ("variable", "fixed")
