from __future__ import annotations

import io

import pytest

from evalstats import analyze_predictions, compare, gate, read_predictions, report, wilcoxon_test
from evalstats._findings import Finding, LeftOut
from evalstats.report.comparisons.shared_blocks import _what_was_read, count_read, read_words

WEKA = "Key_Dataset,Key_Scheme,Percent_correct\n" + "".join(f"d{i},a,{i}\nd{i},b,{i + 2}\n" for i in range(6))
ROWS = {name: "".join(f"{name},{i},{int(i % 3 != k)}\n" for i in range(8)) for k, name in enumerate("ab")}
HEAD = "model,question_id,correct\n"
ITEMS = HEAD + ROWS["a"] + ROWS["b"]
GRADED = ITEMS.replace(",1\n", ",0.5\n", 1)
EXPLORER = "inst#,actual,predicted,error,prediction\n1,1:a,1:a,,.9\n2,2:b,1:a,+,.6\n"


def test_plain_table_says_nothing() -> None:
    assert [*_what_was_read("", ())] == []


def test_format_findings_and_what_was_left_out_are_told_in_this_order() -> None:
    found = Finding(code="x", severity="note", sentence="Something was found.")
    left = [LeftOut(what="row", name=name, reason="is a summary of the others") for name in ("Mean", "Rank")]

    assert [*_what_was_read("ucr-summary", [found], left)] == [
        "Read as UCR archive, DataSummary.csv (ucr-summary).",
        "Something was found.",
        "Left out: the rows Mean and Rank; each is a summary of the others.",
    ]


SCORES = "dataset,NB,SVM,n_train\n" + "".join(f"d{i},0.{i + 1},0.{i + 2},{i}00\n" for i in range(1, 7))
WIDE = "split,y_true,a,b\n" + "".join(f"{s},{y},{y},x\n" for s in ("train", "test") for y in "xyxyxyxyxy")


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (SCORES, "Read 6 datasets of 2 classifiers; 1 column left out."),
        (SCORES + "Average,0.45,0.55,3\n", "Read 6 datasets of 2 classifiers; 1 row and 1 column left out."),
        (WIDE, "Read 10 instances of 2 classifiers; 10 rows left out."),
        (ITEMS, "Read 8 instances of 2 classifiers; none left out."),
        (GRADED, "Read 8 questions of 2 models; none left out."),
    ],
)
def test_report_counts_what_was_read_and_left_out_in_its_first_lines(source, sentence) -> None:
    assert sentence in report.text(compare(io.StringIO(source)))[:900]


def test_datasets_and_questions_that_lack_a_score_are_counted() -> None:
    datasets = compare(io.StringIO(SCORES + "d9,,0.5,1\n"), missing="drop-datasets")
    questions = compare(io.StringIO(GRADED + "a,9,1\n"), missing="drop-instances")

    assert count_read(datasets)._asdict() == {
        "unit": "dataset",
        "n_read": 7,
        "n_kept": 6,
        "n_left_out": 1,
        "n_classifiers": 2,
        "n_datasets": 6,
        "n_rows_left_out": 0,
        "n_columns_left_out": 1,
    }
    assert read_words(count_read(questions)) == "Read 9 questions of 2 models; 1 question left out."


def test_gate_counts_what_was_read_on_both_sides() -> None:
    baseline, candidate = (io.StringIO(HEAD + rows) for rows in ROWS.values())

    said = report.text(gate(baseline, candidate, margin=0.1))

    assert "Read 8 instances of 1 task on both sides; none left out." in said


def test_record_of_no_table_counts_nothing() -> None:
    assert count_read(wilcoxon_test([1, 2, 3, 4], [2, 4, 1, 3])) is None


def test_report_of_a_comparison_names_the_format() -> None:
    assert "Read as WEKA Experimenter, CSV (weka-csv)." in report.text(compare(io.StringIO(WEKA)))


def test_report_of_predictions_names_the_format() -> None:
    text = report.text(analyze_predictions(read_predictions(io.StringIO(EXPLORER))))

    assert "Read as WEKA Explorer, predictions as CSV (weka-predictions)." in text
