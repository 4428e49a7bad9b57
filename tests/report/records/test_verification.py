"""Did the numbers of a saved report come out again, in words?"""

from __future__ import annotations

import json

from evalstats import compare, example_path, example_table, report, verify_report

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
    document["comparison"]["significant"] = False
    said = text(document)

    assert "differ, including the verdict. the report was changed" in said
    assert "In the report: NB is better." in said
    assert "significant false true" in said


def test_what_is_taken_as_given_is_named() -> None:
    said = text(SAVED)

    assert (
        "Taken as given, not verified: the arguments; the versions of the software; the amount of data that was "
        "read; the scores, and" in said
    )
    assert "not verified: $.comparison.options, $.evalstats_version, $.versions, $.read, $.comparison.table." in said


def test_what_is_not_in_the_format_is_listed() -> None:
    document = json.loads(json.dumps(SAVED)) | {"written_by": "somebody"}
    del document["comparison"]["alpha"]
    said = text(document)

    assert "does not have the format of a report of evalstats: $.comparison.alpha is missing. There is 1 more" in said
    assert "- $.comparison.alpha is missing - $.written_by is not in the format" in said
    assert "Recomputation" not in said


def test_report_that_cannot_be_verified_says_why() -> None:
    said = text(SAVED | {"schema_version": 99})

    assert (
        "Cannot be verified: nothing of the report was recomputed. The report has the schema version 99: a newer"
        in said
    )
    assert "Why?" not in said


def test_advice_that_was_not_made_again_is_named() -> None:
    made = compare(example_path("sklearn-predictions"))
    said = text(json.loads(report.json(made)))

    assert "Not verified, though all" in said
    assert "Not recomputed: $.comparison.advice, which requires the data." in said
    assert "pass the data too" in said


def test_long_lists_are_cut() -> None:
    document = json.loads(json.dumps(SAVED))
    document["comparison"]["table"]["scores"][0][0] = 0.9
    found = verify_report(document)

    (table,) = [one.blocks[0] for one in report.document(found, max_rows=3).sections if one.name == "changes"]
    assert len(table.rows) == 3
    assert table.caption.endswith(f"These are the first 3 of {len(found.changes) - 1:,}.")
