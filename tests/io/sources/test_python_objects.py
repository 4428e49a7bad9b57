"""Objects that stand for a table are read as it is."""

from __future__ import annotations

import dataclasses
import importlib
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from evalstats import TableError, read_table

FRAME = pd.DataFrame(
    [[0.93, 0.95], [0.71, 0.5], [0.8, 0.9]],
    index=pd.Index(["glass", "iris", "wine"], name="dataset"),
    columns=pd.Index(["NB", "SVM"], name="model"),
)
LONG = FRAME.stack()
PAIRS = {(str(d), str(c)): float(score) for (d, c), score in LONG.items()}


class Scored(NamedTuple):
    dataset: str
    classifier: str
    score: float


def arrow_reader() -> Any:
    import pyarrow as pa

    return pa.table(FRAME.reset_index()).to_reader()


def arrow_dataset() -> Any:
    import pyarrow as pa
    from pyarrow import dataset

    return dataset.dataset(pa.table(FRAME.reset_index()))


@pytest.mark.parametrize(
    "source",
    [
        LONG,
        LONG.rename("accuracy"),
        LONG.groupby(["dataset", "model"]).mean(),
        {name: FRAME[name] for name in FRAME},
        {name: FRAME[name].rename_axis(None) for name in FRAME},
        FRAME.reset_index().to_records(index=False),
        LONG.rename("score").reset_index().to_records(index=False),
        PAIRS,
        {(c, d): score for (d, c), score in PAIRS.items()},
        [["dataset", "NB", "SVM"], *[[name, *row] for name, row in zip(FRAME.index, FRAME.to_numpy(), strict=True)]],
        arrow_reader,
        arrow_dataset,
    ],
    ids=[
        *("series", "named series", "means of groups", "dict of series", "dict of series without a name of rows"),
        *("array with fields", "long array with fields", "pairs", "pairs, classifiers first", "rows"),
        *("reader of arrow", "dataset of arrow"),
    ],
)
def test_objects_are_read_with_their_names(source: Any) -> None:
    table = read_table(source() if callable(source) else source)

    assert (table.datasets, table.classifiers) == (("glass", "iris", "wine"), ("NB", "SVM"))
    np.testing.assert_array_equal(table.scores, FRAME)


def test_a_search_is_what_it_found() -> None:
    from sklearn.datasets import load_iris
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, cv=3)
    search.fit(*load_iris(return_X_y=True))

    table = read_table(search)

    assert table.classifiers == ("max_depth=1", "max_depth=2")
    np.testing.assert_array_equal(table.scores, read_table(search.cv_results_).scores)


def test_numbers_that_are_left_of_another_table_are_no_names() -> None:
    kept = FRAME.reset_index().iloc[[2, 0]]

    assert read_table({name: kept[name] for name in kept}).datasets == ("wine", "glass")
    assert read_table({name: kept[name] for name in ("NB", "SVM")}).datasets == ("dataset 1", "dataset 2")


def test_pairs_of_which_nobody_knows_the_order_are_asked_about() -> None:
    with pytest.raises(TableError, match="does not say which of them are the classifiers"):
        read_table({("a", "x"): 0.5, ("a", "y"): 0.6, ("b", "x"): 0.7, ("b", "y"): 0.8})


def test_an_array_of_xarray_without_labels_is_an_array() -> None:
    xarray = importlib.import_module("xarray")

    table = read_table(xarray.DataArray(FRAME.to_numpy()))

    assert table.classifiers == ("classifier 1", "classifier 2")
    np.testing.assert_array_equal(table.scores, FRAME)


def test_named_tuples_and_dataclasses_are_records() -> None:
    rows = [("iris", "NB", 0.9), ("iris", "SVM", 0.8), ("wine", "NB", 0.7), ("wine", "SVM", 0.6)]
    made = dataclasses.make_dataclass("Made", ["dataset", "classifier", "score"])

    for kind in (Scored, made):
        assert read_table([kind(*row) for row in rows]).scores.tolist() == [[0.9, 0.8], [0.7, 0.6]]


def test_index_that_only_counts_rows_names_no_datasets_in_any_order() -> None:
    frame = pd.DataFrame({"error rate": ["iris", "wine", "glass"], "NB": [0.1, 0.2, 0.3], "SVM": [0.2, 0.1, 0.2]})

    for index in ([0, 1, 2], [2, 0, 1]):
        table = read_table(frame.set_axis(index))
        assert (table.datasets, table.greater_is_better) == (("iris", "wine", "glass"), False)


def test_levels_without_names_are_called_as_in_reset_index() -> None:
    """A question about them has an option that answers."""
    scores = FRAME.rename_axis(columns=None).stack()
    scores.index.names = [None, None]

    with pytest.raises(TableError, match=r"columns=\{'dataset': 'level_0'\}"):
        read_table(scores, columns={"score": "score"})
    table = read_table(scores, columns={"score": "score", "dataset": "level_0", "classifier": "level_1"})

    assert (table.datasets, table.classifiers) == (tuple(FRAME.index), tuple(FRAME.columns))


def test_sparse_columns_are_numbers() -> None:
    table = read_table(FRAME.astype(pd.SparseDtype("float32")))

    assert table.scores.tolist() == FRAME.astype("float32").to_numpy().tolist()


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("name", ["acc", ""])
def test_series_of_one_value_in_each_row_is_no_table_of_classifiers(library: str, name: str) -> None:
    series = importlib.import_module(library).Series(name=name, **{"data" if library == "pandas" else "values": [0.9]})

    with pytest.raises(TableError, match=r"a Series has .* no names of classifiers; give a data frame with a column"):
        read_table(series)
