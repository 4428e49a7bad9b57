from __future__ import annotations

import io

from evalstats import compare, read_predictions, report, report_predictions
from evalstats._findings import Finding
from evalstats.report.reading import what_was_read
from evalstats.tables.roles import LeftOut

WEKA = "Key_Dataset,Key_Scheme,Percent_correct\n" + "".join(f"d{i},a,{i}\nd{i},b,{i + 2}\n" for i in range(6))
EXPLORER = "inst#,actual,predicted,error,prediction\n1,1:a,1:a,,.9\n2,2:b,1:a,+,.6\n"


def test_plain_table_says_nothing() -> None:
    assert what_was_read("", ()) == []


def test_format_findings_and_what_was_left_out_are_told_in_this_order() -> None:
    found = Finding(code="x", severity="note", sentence="Something was found.")
    left = [LeftOut(what="row", name=name, reason="is a summary of the others") for name in ("Mean", "Rank")]

    assert what_was_read("ucr-summary", [found], left) == [
        "Read as UCR archive, DataSummary.csv (ucr-summary).",
        "Something was found.",
        "Left out: the rows Mean and Rank; each is a summary of the others.",
    ]


def test_report_of_a_comparison_names_the_format() -> None:
    assert "Read as WEKA Experimenter, CSV (weka-csv)." in report.text(compare(io.StringIO(WEKA)))


def test_report_of_predictions_names_the_format() -> None:
    text = report.text(report_predictions(read_predictions(io.StringIO(EXPLORER))))

    assert "Read as WEKA Explorer, predictions as CSV (weka-predictions)." in text
