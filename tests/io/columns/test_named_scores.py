"""A name alone never removes a row or column: its values must agree with what the name says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats import TableError, read_table

DATASETS = ["iris", "wine", "glass", "zoo", "sonar"]
FRAME = pd.DataFrame(
    {
        "SVM": [0.91, 0.72, 0.55, 0.83, 0.64],
        "RF": [0.88, 0.79, 0.61, 0.9, 0.7],
        "NB": [0.71, 0.66, 0.48, 0.77, 0.52],
    },
    index=pd.Index(DATASETS, name="dataset"),
)
LIKE_SCORES = [0.62, 0.86, 0.5]
NAMES_OF_ROWS = ["average", "Mittelwert", "moyenne", "total", "median", "mean rank", "wins"]
NAMES_OF_COLUMNS = ["time", "runtime", "year", "p"]
FORMULAS = {
    "average": lambda frame: frame.mean().round(3),
    "mean": lambda frame: frame.mean().round(2),
    "median": lambda frame: frame.median(),
    "total": lambda frame: frame.sum(),
    "gmean": lambda frame: np.exp(np.log(frame).mean()).round(3),
    "rank": lambda frame: frame.rank(axis=1, ascending=False).mean(),
    "std": lambda frame: frame.std().round(3),
    "max": lambda frame: frame.max(),
}


def _long(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.rename_axis(columns="classifier").stack().rename("accuracy").reset_index()


def _with_row(name: str, values: object) -> pd.DataFrame:
    return pd.concat([FRAME, pd.DataFrame([values], index=pd.Index([name], name="dataset"), columns=FRAME.columns)])


@pytest.mark.parametrize("name", NAMES_OF_ROWS)
def test_row_that_is_no_summary_is_asked_about(name: str) -> None:
    frame = _with_row(name, LIKE_SCORES)

    for source in (frame, _long(frame)):
        with pytest.raises(TableError, match=rf"'{name}' has the name of a summary of the others, but its values look"):
            read_table(source)
        assert read_table(source, keep=name).scores.shape == (6, 3)
        assert read_table(source, drop=name).scores.shape == (5, 3)


@pytest.mark.parametrize("name", FORMULAS)
def test_row_that_is_a_summary_is_left_out_and_listed(name: str) -> None:
    frame = _with_row(name, FORMULAS[name](FRAME).tolist())

    for source in (frame, _long(frame)):
        table = read_table(source)
        assert sorted(table.datasets) == sorted(DATASETS)
        assert [(one.what, one.name) for one in table.left_out] == [("row", name)]


def test_mean_of_a_group_of_rows_is_a_summary() -> None:
    parts = [
        FRAME.iloc[:3],
        FRAME.iloc[:3].mean().to_frame("mean").T,
        FRAME.iloc[3:],
        FRAME.iloc[3:].mean().to_frame("avg").T,
    ]

    assert read_table(pd.concat(parts).rename_axis("dataset")).datasets == tuple(DATASETS)


def test_mean_of_incomplete_rows_is_a_summary() -> None:
    frame = FRAME.copy()
    frame.iloc[1, 2] = np.nan

    table = read_table(
        pd.concat([frame, frame.mean().to_frame("mean").T]).rename_axis("dataset"), missing="drop-datasets"
    )

    assert [one.name for one in table.left_out] == ["mean"]


@pytest.mark.parametrize("name", NAMES_OF_COLUMNS)
def test_classifier_with_the_name_of_a_description_is_asked_about(name: str) -> None:
    frame = FRAME.assign(**{name: [0.84, 0.7, 0.51, 0.8, 0.59]})

    for source in (frame, frame.T.rename_axis("classifier")):
        with pytest.raises(
            TableError, match=f"the column '{name}' has the name of .*, but its values look like scores"
        ):
            read_table(source)
        assert read_table(source, keep=name).classifiers == (*FRAME.columns, name)
        assert read_table(source, drop=name).classifiers == tuple(FRAME.columns)


@pytest.mark.parametrize("name", ["time", "size", "rank", "std"])
def test_classifier_of_a_long_table_is_asked_about(name: str) -> None:
    source = _long(FRAME.assign(**{name: [0.84, 0.7, 0.51, 0.8, 0.59]}))

    with pytest.raises(
        TableError, match=f"the classifier '{name}' has the name of .*, but its values look like scores"
    ):
        read_table(source)
    assert name in read_table(source, keep=name).classifiers


def test_times_in_seconds_are_left_out() -> None:
    table = read_table(FRAME.assign(time=[12.5, 3.1, 8.2, 40.6, 5.5]))

    assert [(one.what, one.name) for one in table.left_out] == [("column", "time")]


@pytest.mark.parametrize("name", ["mean", "median", "max", "std"])
def test_column_that_is_a_summary_is_left_out(name: str) -> None:
    frame = FRAME.assign(**{name: getattr(FRAME, name)(axis=1).round(3)})

    assert [(one.what, one.name) for one in read_table(frame).left_out] == [("column", name)]


@pytest.mark.parametrize("name", ["average", "moyenne", "total", "max"])
def test_column_that_is_no_summary_is_asked_about(name: str) -> None:
    """A column called 'average' was left out if its values were between the smallest and the largest score."""
    frame = FRAME.assign(**{name: 0.7 * FRAME["SVM"] + 0.3 * FRAME["NB"]})

    with pytest.raises(TableError, match=rf"column '{name}' has the name of a summary of the others, but its values"):
        read_table(frame)
    assert read_table(frame, keep=name).classifiers == ("SVM", "RF", "NB", name)


def test_mean_of_scores_beside_their_spreads_is_a_summary() -> None:
    columns = {f"{name} {kind}": FRAME[name] / n for name in FRAME for kind, n in (("mean", 1), ("std", 20))}
    frame = pd.DataFrame(columns).assign(Average=FRAME.mean(axis=1))

    assert read_table(frame).classifiers == tuple(FRAME)
    assert "Average" in [one.name for one in read_table(frame).left_out]


@pytest.mark.parametrize(
    "settings",
    [
        {"k": [3, 5, 3, 7, 9]},
        {"d": [2, 3, 2, 3, 2], "C": [0.1, 1.0, 10.0, 1.0, 100.0]},
        {"gamma": [0.001, 0.002, 0.001, 0.01, 0.1]},
        {"n_estimators": [100, 200, 100, 500, 300]},
        {"Prompt tokens": [71, 14, 38, 52, 44], "LLM duration": [1.2, 2.5, 1.1, 0.9, 3.1]},
    ],
)
def test_settings_beside_scores_are_asked_about(settings: dict[str, list[float]]) -> None:
    """Tables of tuned classifiers hold their settings, and Braintrust writes tokens and times beside scores."""
    frame, names = FRAME.assign(**settings), list(settings)

    with pytest.raises(TableError, match=r"on a different scale from the scores of the other columns; if .* drop="):
        read_table(frame)
    assert read_table(frame, drop=names).classifiers == ("SVM", "RF", "NB")
    assert set(names) <= set(read_table(frame, keep=names).classifiers)


@pytest.mark.parametrize(
    "columns",
    [
        {"A": [0.95, 0.97, 0.93, 0.99, 0.92]},
        {"A": [0.2, 0.3, 0.1, 0.2, 0.4], "lambda": [0.5, 0.6, 0.7, 0.8, 0.6]},
        {"C": [0.9, 1.0, 0.8, 1.0, 0.7]},
        {"always wrong": [0, 0, 0, 0, 0]},
    ],
)
def test_classifiers_with_short_names_are_compared(columns: dict[str, list[float]]) -> None:
    assert read_table(FRAME.assign(**columns)).classifiers == ("SVM", "RF", "NB", *columns)


def test_losses_of_a_classifier_with_one_letter_are_compared() -> None:
    """A loss above 1 is no reason to doubt, if most of the values are among those of the others."""
    columns = {"NB": [0.4, 0.9, 0.3], "SVM": [0.5, 0.8, 0.6], "A": [0.6, 1.2, 0.5]}

    assert read_table({"dataset": DATASETS[:3], **columns}, metric="log_loss").classifiers == ("NB", "SVM", "A")


def test_columns_of_an_array_have_no_names_of_settings() -> None:
    assert read_table(FRAME[["SVM", "RF"]].assign(NB=[5, 7, 9, 5, 8]).to_numpy()).scores.shape == (5, 3)


def test_whole_scores_beside_whole_scores_are_compared() -> None:
    assert read_table({"dataset": ["iris"], "NB": [1], "SVM": [2], "C4.5": [30]}).scores.tolist() == [[1, 2, 30]]
