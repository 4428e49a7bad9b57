"""Did the numbers of a saved report come out again, in words?"""

from __future__ import annotations

import json

from evalstats import compare, example_table, report, verify_report

SAVED = json.loads(report.json(compare(example_table("demsar-2006"), control="C4.5")))


def text(document: dict) -> str:
    return " ".join(report.text(verify_report(document)).split())


def test_all_is_said_of_what_is_verified() -> None:
    said = text(SAVED)

    assert "Verified: all" in said
    assert "With control = 'C4.5'." in said
    assert "the data were not read" in said
    assert "Why?" not in said


def test_both_verdicts_stand_below_each_other() -> None:
    document = json.loads(json.dumps(SAVED))
    document["verdict"] = "NB is better."
    document["comparison"]["significant"] = None
    said = text(document)

    assert "come out otherwise, the verdict among them. the report was changed" in said
    assert "In the report: NB is better." in said
    assert "significant null true" in said


def test_long_lists_are_cut() -> None:
    document = json.loads(json.dumps(SAVED))
    document["comparison"]["table"]["scores"][0][0] = 0.9
    found = verify_report(document)

    (table,) = [one.blocks[0] for one in report.document(found, most_rows=3).sections if one.name == "changes"]
    assert len(table.rows) == 3
    assert table.caption.endswith(f"These are the first 3 of {len(found.changes) - 1:,}.")
