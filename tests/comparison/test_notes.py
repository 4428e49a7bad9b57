"""Each code has a condition, a sentence and a line in the documentation, and nothing else has."""

from __future__ import annotations

import re
from pathlib import Path

from evalstats.comparison.notes import CONDITIONS, ON_ONE_DATASET, OVER_DATASETS, Note
from evalstats.report.comparisons.notes import NOTES

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "comparison" / "analysis.md"


def documented(part: str) -> set[str]:
    """Codes in the first column of a table of the page."""
    rows = re.findall(r"^\| (`[a-z`, -]+`) \| ", part, flags=re.MULTILINE)
    return {code for row in rows for code in re.findall(r"`([a-z-]+)`", row)}


def test_each_code_has_a_condition() -> None:
    assert set(CONDITIONS) == set(OVER_DATASETS) | set(ON_ONE_DATASET) == set(Note)


def test_each_condition_has_a_sentence_and_each_sentence_a_condition() -> None:
    assert set(NOTES) == set(OVER_DATASETS) | set(ON_ONE_DATASET)


def test_each_code_stands_in_the_documentation() -> None:
    notes = PAGE.read_text(encoding="utf-8").split("\n## Notes\n")[1].split("\n## ")[0]
    over_datasets, on_one = notes.split("The following notes apply to one dataset:")

    assert documented(over_datasets) == set(OVER_DATASETS)
    assert documented(on_one) == set(ON_ONE_DATASET)


def test_codes_are_plain_words() -> None:
    """A record holds strings that print as themselves."""
    from evalstats import compare

    notes = compare([[0.1, 0.2, 0.3]] * 3).notes

    assert {type(code) for code in notes} == {str}
