"""Two rows of names: one names the classifiers, and what the other says is used or told."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalstats.io.layouts.orientation import one_level, refuse_unsaid_order
from evalstats.io.reader.opening import grid_of
from evalstats.io.reader.tables import read_table
from evalstats.tables.errors import TableError

FRAME = pd.DataFrame({"NB": [0.9, 0.7], "SVM": [0.8, 0.6]}, index=pd.Index(["iris", "glass"], name="dataset"))


def test_metrics_above_classifiers_are_chosen() -> None:
    """And below them, and in a file."""
    frame = pd.concat({"accuracy": FRAME, "f1": FRAME / 2}, axis=1)
    text = ",accuracy,,f1,\ndataset,NB,SVM,NB,SVM\niris,.9,.8,.45,.4\nglass,.7,.6,.35,.3\n"

    for source in (frame, frame.swaplevel(axis=1), io.StringIO(text)):
        table = read_table(source, metric="f1")
        assert (table.classifiers, table.metric, table.scores.tolist()) == (
            ("NB", "SVM"), "f1", [[0.45, 0.4], [0.35, 0.3]]
        )  # fmt: skip
        assert [one.code for one in table.findings] == ["one-metric"]


def test_several_metrics_are_asked_for() -> None:
    with pytest.raises(TableError, match=r"the metrics 'accuracy', 'f1'; choose one, for example metric='accuracy'"):
        read_table(pd.concat({"accuracy": FRAME, "f1": FRAME}, axis=1))


def test_one_metric_over_all_names_the_scores() -> None:
    table = read_table(pd.concat({"error rate": FRAME}, axis=1))

    assert (table.metric, table.greater_is_better) == ("error rate", False)


def test_means_are_read_and_deviations_kept_as_spread() -> None:
    text = ",NB,,SVM,\ndataset,mean,std,mean,std\niris,.9,.01,.8,.02\nglass,.7,.03,.6,.04\n"

    table = read_table(io.StringIO(text))

    assert table.scores.tolist() == [[0.9, 0.8], [0.7, 0.6]]
    assert table.spread is not None
    assert table.spread.tolist() == [[0.01, 0.02], [0.03, 0.04]]


def test_aggregate_of_pandas_is_read() -> None:
    rows = {"d": ["x", "x", "y", "y"] * 2, "m": ["a"] * 4 + ["b"] * 4, "s": [1.0, 3, 5, 7, 2, 2, 2, 4]}
    table = read_table(pd.DataFrame(rows).groupby(["d", "m"]).s.agg(["mean", "std"]).unstack())

    assert (table.classifiers, table.scores.tolist()) == (("a", "b"), [[2.0, 2.0], [6.0, 3.0]])


def test_groups_of_classifiers_are_told_and_not_used() -> None:
    table = read_table(io.StringIO(",trees,,other,\ndataset,C4.5,CART,NB,SVM\niris,.9,.8,.7,.6\nglass,.5,.4,.3,.2\n"))

    assert table.classifiers == ("C4.5", "CART", "NB", "SVM")
    assert [one.code for one in table.findings] == ["groups-of-columns"]


def test_names_that_are_no_metrics_are_asked_for() -> None:
    frame = pd.concat({"pruned": FRAME, "whole": FRAME / 2}, axis=1)

    with pytest.raises(TableError, match=r"neither row is known to hold metrics; choose one name with metric='pruned'"):
        read_table(frame)
    assert read_table(frame, metric="whole", greater_is_better=True).scores[0, 0] == 0.45


def test_grid_of_one_level_stays() -> None:
    grid = grid_of(FRAME, None, "utf-8", None)

    assert one_level(grid, "auc", ".") == (grid, "auc")


def test_dict_of_dicts_is_asked_which_way_it_goes() -> None:
    nested = {"P": {"a": 0.9, "b": 0.7}, "Q": {"a": 0.8, "b": 0.6}}

    with pytest.raises(
        TableError,
        match=r"if the outer keys are the classifiers, pass parsing={'transpose': False}; "
        r"if they are the datasets, pass parsing={'transpose': True}",
    ):
        refuse_unsaid_order(grid_of(nested, None, "utf-8", None), None)
    straight, across = (read_table(nested, parsing={"transpose": way}) for way in (False, True))
    assert straight.scores.tolist() == across.scores.T.tolist() == [[0.9, 0.8], [0.7, 0.6]]
    assert straight.classifiers == across.datasets == ("P", "Q")


@pytest.mark.parametrize("order", [["classifier", "fold"], ["fold", "classifier"]])
@pytest.mark.parametrize("kind", ["frame", "csv", "html", "tex", "xlsx"])
def test_folds_in_one_of_two_levels_are_folds(order, kind, tmp_path) -> None:
    """What ``pivot_table(columns=["model", "fold"])`` makes."""
    scores = np.arange(12.0).reshape(2, 6) / 20
    columns = pd.MultiIndex.from_product([["NB", "SVM"], [1, 2, 3]], names=["classifier", "fold"])
    frame = pd.DataFrame(scores, columns=columns, index=pd.Index(["iris", "wine"], name="dataset"))
    frame = frame.reorder_levels(order, axis=1).sort_index(axis=1)
    path = tmp_path / f"scores.{kind}"
    if kind == "xlsx":
        frame.to_excel(path)
    elif kind != "frame":
        path.write_text({"csv": frame.to_csv, "html": frame.to_html, "tex": frame.to_latex}[kind]())

    table = read_table(frame if kind == "frame" else path)

    assert (table.datasets, table.classifiers) == (("iris", "wine"), ("NB", "SVM"))
    assert pytest.approx(scores[1].reshape(2, 3)) == table.folds[1].scores[0].T


def test_two_columns_of_one_classifier_and_one_fold_are_refused() -> None:
    columns = pd.MultiIndex.from_tuples([("NB", 1), ("NB", 1), ("SVM", 1)], names=["classifier", "fold"])
    frame = pd.DataFrame([[0.1, 0.2, 0.3]] * 2, columns=columns, index=["iris", "wine"])

    with pytest.raises(TableError, match="several columns belong to one classifier and one run"):
        read_table(frame)


NUMBERED = ",NB,NB,SVM,SVM\n,1,2,1,2\niris,.9,.8,.7,.6\nwine,.5,.4,.3,.2\n"


@pytest.mark.parametrize("rows_are", ["folds", "runs"])
def test_numbers_at_each_classifier_are_the_folds_or_runs_that_it_is_said(rows_are: str) -> None:
    """As pandas writes ``pivot_table(columns=["model", "fold"])`` whose levels have lost their names."""
    with pytest.raises(TableError, match=r"may be folds, or runs .*; pass rows_are='folds' or rows_are='runs'"):
        read_table(io.StringIO(NUMBERED))

    frame = pd.read_csv(io.StringIO(NUMBERED), header=[0, 1], index_col=0)
    for source in (io.StringIO(NUMBERED), frame, frame.swaplevel(axis=1)):
        table = read_table(source, rows_are=rows_are)
        assert (table.datasets, table.classifiers) == (("iris", "wine"), ("NB", "SVM"))
        np.testing.assert_allclose(table.scores, [[0.85, 0.65], [0.45, 0.25]])
        assert {own.same_split for own in table.folds} == {rows_are == "runs"}


def test_numbers_at_metrics_are_no_folds() -> None:
    """NDCG at 5 and at 10 documents."""
    with pytest.raises(TableError, match="one holds the metrics 'NDCG', 'MAP'"):
        read_table(io.StringIO(NUMBERED.replace("NB", "NDCG").replace("SVM", "MAP")))


def test_two_names_of_each_column_are_joined() -> None:
    """A second row may hold references: neither name is lost."""
    text = ",NB,SVM,kNN\n,Smith 2010,Jones 2012,Lee 2013\niris,.9,.8,.7\nwine,.5,.4,.3\n"

    table = read_table(io.StringIO(text))

    assert table.classifiers == ("NB Smith 2010", "SVM Jones 2012", "kNN Lee 2013")
    assert [one.sentence for one in table.findings] == [
        "The header has two rows, which were joined, as in 'NB Smith 2010'."
    ]


@pytest.mark.parametrize("metric", ["accuracy", "f1"])
@pytest.mark.parametrize("is_aggregated", [True, False])
def test_two_levels_above_two_names_of_an_index(metric: str, is_aggregated: bool) -> None:
    """As pandas writes `groupby().agg()` and `pivot()` with two index levels: a third row names the index."""
    keys = [(d, c, f) for d in ("iris", "wine", "zoo") for c in ("NB", "SVM", "RF") for f in (1, 2)]
    frame = pd.DataFrame(keys, columns=["dataset", "classifier", "fold"])
    frame["accuracy"] = [0.01 * (7 * i % 31) for i in range(len(frame))]
    frame["f1"] = [0.01 * (11 * i % 37) for i in range(len(frame))]
    means = frame.pivot_table(index="dataset", columns="classifier", values=metric)
    written = (
        frame.groupby(["dataset", "classifier"])[["accuracy", "f1"]].agg(["mean", "std"])
        if is_aggregated
        else frame.pivot(index=["dataset", "fold"], columns="classifier", values=["accuracy", "f1"])
    )

    table = read_table(io.StringIO(written.to_csv()), metric=metric)

    assert (list(table.datasets), sorted(table.classifiers)) == (list(means.index), list(means.columns))
    np.testing.assert_allclose(table.scores, means[list(table.classifiers)].to_numpy())


def _with_levels(*levels: list, names: list[str | None] | None = None) -> pd.DataFrame:
    columns = pd.MultiIndex.from_product(levels, names=names)
    scores = np.random.default_rng(1).uniform(0.5, 0.9, (4, len(columns))).round(3)
    return pd.DataFrame(scores, columns=columns, index=pd.Index(list("abcd"), name="dataset"))


@pytest.mark.parametrize("names", [None, ["split", "model", "metric"]])
@pytest.mark.parametrize("index", ["dataset", None])
def test_three_levels_of_which_two_are_constant(names: list[str | None] | None, index: str | None) -> None:
    """The names of the rows in the corner were read as data, and the table was even transposed."""
    frame = _with_levels(["test"], ["NB", "SVM"], ["rmse"], names=names).rename_axis(index)

    for source in (frame, io.StringIO(frame.to_csv())):
        table = read_table(source)
        assert (table.classifiers, table.metric, table.greater_is_better) == (("NB", "SVM"), "rmse", False)
        assert table.scores.tolist() == frame.to_numpy().tolist()
        assert "'test' in all columns is not used" in str(table.findings[0])


def test_three_levels_are_joined() -> None:
    frame = _with_levels(["trees", "boosting"], ["small", "large"], ["acc", "f1"])

    for source in (frame, io.StringIO(frame.to_csv())):
        table = read_table(source, metric="f1")
        assert table.classifiers == ("trees small", "trees large", "boosting small", "boosting large")
        assert table.scores.tolist() == frame.to_numpy()[:, 1::2].tolist()
    with pytest.raises(TableError, match="choose one, for example metric='acc mean'"):
        read_table(_with_levels(["NB", "SVM"], ["acc", "f1"], ["mean", "std"]))


def test_folds_among_three_levels() -> None:
    frame = _with_levels(["NB", "SVM"], ["acc"], [0, 1, 2], names=["model", "metric", "fold"])
    errors = frame.rename(columns={"acc": "rmse"})

    for source in (frame, io.StringIO(frame.to_csv())):
        assert read_table(source).folds[0].folds == ("0", "1", "2")
    for source in (errors, io.StringIO(errors.to_csv())):
        with pytest.raises(
            TableError, match=r"give each fold or run a row of its own, in pandas with table.stack\(2\)"
        ):
            read_table(source)
    table = read_table(errors.stack(2, future_stack=True))
    assert (table.classifiers, table.greater_is_better, table.folds[0].folds) == (("NB", "SVM"), False, ("0", "1", "2"))


def test_two_levels_of_which_one_is_constant_above_the_name_of_the_rows() -> None:
    frame = _with_levels(["NB", "SVM"], ["rmse"])

    assert (read_table(io.StringIO(frame.to_csv())).classifiers, read_table(frame).metric) == (("NB", "SVM"), "rmse")


SKORE = Path(__file__).parents[2] / "data" / "formats" / "skore"


@pytest.mark.parametrize("corner", ["metric", ""])
def test_folds_beside_the_names_of_classifiers_have_one_metric(corner: str) -> None:
    """The rows of skore's report are metrics. They were read as datasets."""
    text = (SKORE / "each_fold.csv").read_text().removeprefix("metric")
    frame = pd.read_csv(SKORE / "each_fold.csv", index_col=0)

    table = read_table(io.StringIO(corner + text), metric="accuracy")
    assert (table.classifiers, table.datasets, table.metric) == (("lr", "nb", "tree"), ("dataset",), "accuracy")
    expected = frame.loc["accuracy"].to_numpy().reshape(3, 5).T
    np.testing.assert_allclose(table.folds[0].scores[0], expected, rtol=1e-12)
    with pytest.raises(
        TableError, match=r"column 'metric' holds the metrics 'default_score', 'accuracy', .*choose one"
    ):
        read_table(io.StringIO(corner + text))


def test_means_of_metrics_are_no_datasets() -> None:
    for name in ("folds", "test_data"):
        with pytest.raises(TableError, match=r"'accuracy', 'precision', .* have names of metrics, not of datasets"):
            read_table(SKORE / f"{name}.csv", drop=["fit_time", "predict_time"])
