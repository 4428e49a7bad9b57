from __future__ import annotations

import io

import pytest

from evalstats import TableError, compare, read_predictions, read_table

HEADER = "inst#,actual,predicted,error,prediction\n"


def test_two_files_are_two_classifiers_on_the_same_cases(sample, rows) -> None:
    paths = [sample(f"weka-explorer/{name}.csv") for name in ("J48", "SMO")]
    right = [sum(row["error"] == "" for row in rows(path)) / 12 for path in paths]

    comparison = compare(paths)

    assert comparison.table.classifiers == ("J48", "SMO")
    assert comparison.table.scores[0] == pytest.approx(right)
    assert read_table(sample("weka-explorer")).scores.tolist() == comparison.table.scores.tolist()


def test_labels_lose_their_numbers() -> None:
    predictions = read_predictions(io.StringIO(HEADER + "1,2:no,1:yes,+,.6\n2,1:yes,1:yes,,.9\n"))

    assert predictions.labels == ("no", "yes")
    assert predictions.y_pred.tolist() == [1, 1]


@pytest.mark.parametrize("cell", ["yes", "x:yes", "1:", "?"])
def test_label_must_be_written_as_weka_does(cell) -> None:
    with pytest.raises(TableError, match=r"line 2: .* is not a label as WEKA writes it"):
        read_table(io.StringIO(HEADER + f"1,{cell},1:yes,,.6\n"))


def test_label_that_is_missing_is_told() -> None:
    """WEKA writes 1:? where the data do not tell the class."""
    with pytest.raises(TableError, match=r"line 2: '1:[?]' is no label, it is missing"):
        read_table(io.StringIO(HEADER + "1,1:?,1:yes,,.6,\n"))
