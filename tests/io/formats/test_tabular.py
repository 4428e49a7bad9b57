from __future__ import annotations

import io
import math

import pytest

from evalstats import TableError
from evalstats.io.formats.format import file_stem, positive_scores, rows_of
from evalstats.io.options import Asked
from evalstats.io.sources.numbers import is_missing
from evalstats.io.sources.source import look

TEXT = "name,score\na,1\nb,NA\nc,x\n"


def test_rows_keep_their_numbers() -> None:
    rows = rows_of(look(io.StringIO(TEXT)), ("name",), "a format").where("name", lambda cell: cell != "a")

    assert rows.texts("name") == ["b", "c"]
    assert rows.numbers == [3, 4]
    assert "score" in rows


def test_values_are_numbers_or_missing() -> None:
    rows = rows_of(look(io.StringIO(TEXT)), (), "a format")

    assert math.isnan(rows.at([0, 1]).values("score")[1])
    with pytest.raises(TableError, match="line 4, column 'score': 'x' is not a number"):
        rows.values("score")


def test_column_must_be_there_once() -> None:
    with pytest.raises(TableError, match="lacks the column 'fold' of a format"):
        rows_of(look(io.StringIO(TEXT)), ("fold",), "a format")
    with pytest.raises(TableError, match="2 columns are called 'a'"):
        rows_of(look(io.StringIO("a,a\n1,2\n")), ("a",), "a format")


@pytest.mark.parametrize(
    ("cell", "missing"), [("", True), (None, True), ("NA", True), (math.nan, True), (0, False), ("x", False)]
)
def test_missing_cells(cell, missing) -> None:
    assert is_missing(cell) is missing


def test_stem_of_a_file_stands_for_what_it_does_not_tell(tmp_path) -> None:
    (tmp_path / "iris.csv").write_text(TEXT)

    assert file_stem(look(tmp_path / "iris.csv"), "x") == "iris"
    assert file_stem(look(io.StringIO(TEXT)), "x") == "x"


TOLD = {"no": [0.9, 0.2], "yes": [0.1, 0.8]}


def test_positive_label_is_that_of_the_dataset() -> None:
    datasets, true = ["d", "d"], ["no", "yes"]

    assert positive_scores(Asked(), datasets, true, TOLD) == [0.1, 0.8]
    assert positive_scores(Asked(pos_label="no"), datasets, true, TOLD) == [0.9, 0.2]
    assert positive_scores(Asked(pos_label={"d": "no"}), datasets, true, TOLD) == [0.9, 0.2]


def test_three_labels_have_no_positive_one_unless_asked() -> None:
    datasets, true = ["d"] * 3, ["a", "b", "c"]
    told = {label: [0.1, 0.2, 0.3] for label in true}

    assert positive_scores(Asked(), datasets, true, told) is None
    assert positive_scores(Asked(pos_label="b"), datasets, true, told) == [0.1, 0.2, 0.3]


def test_label_without_a_probability_has_no_score() -> None:
    assert positive_scores(Asked(), ["d", "d"], ["no", "yes"], {"no": [0.9, 0.2]}) is None
