"""A report shows the answer of every record, not only the shape or the range of its numbers."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalstats import report
from evalstats._result import Record

ARGUMENTS = runpy.run_path(str(Path(__file__).parents[2] / "test_arguments.py"))
# read or write files, or fit classifiers; the records of studies are in test_documents.py
SLOW = ("read_study", "run_study", "simulate_flu_shift", "label_permutation_test", "validate")
RETURNING: dict[str, Callable[..., Any]] = {
    name: function
    for name, function in ARGUMENTS["FUNCTIONS"].items()
    if name not in SLOW and not name.startswith(("plot.", "report."))
}
FORMATS = ("text", "markdown", "latex", "html")
SHORTENED = re.compile(r"\d+ values from|\d+ of \d+ true|\(\d+ values\)|of (the )?shape \(")


@pytest.fixture(scope="module")
def records() -> dict[str, Record]:
    """Return a record of every public function that returns one."""
    found = {name: function(**ARGUMENTS["CALLS"][name]) for name, function in RETURNING.items()}
    return {name: record for name, record in found.items() if isinstance(record, Record)}


def arrays(record: Record) -> Iterator[tuple[str, np.ndarray]]:
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name[0] != "_" and isinstance(value, np.ndarray) and value.dtype.kind == "f":
            yield field.name, value


@pytest.mark.sampled
@pytest.mark.filterwarnings("ignore::evalstats.EvalstatsWarning")
@pytest.mark.parametrize("style", FORMATS)
def test_no_array_is_shown_as_its_shape_or_range(records: dict[str, Record], style: str) -> None:
    written = {name: " ".join(str(getattr(report, style)(record)).split()) for name, record in records.items()}

    assert len(written) > 150
    assert {name: SHORTENED.findall(words) for name, words in written.items() if SHORTENED.search(words)} == {}


@pytest.mark.filterwarnings("ignore::evalstats.EvalstatsWarning")
def test_str_shows_values_of_arrays_and_not_their_shapes(records: dict[str, Record]) -> None:
    assert {name: str(record) for name, record in records.items() if "array of shape" in str(record)} == {}


@pytest.mark.filterwarnings("ignore::evalstats.EvalstatsWarning")
def test_small_arrays_of_numbers_are_shown_whole(records: dict[str, Record]) -> None:
    """Each finite number of a small array of a record with the general report is in its text, with six digits."""
    missing = {}
    for name, record in records.items():
        if type(record).__name__ in report.documents.KINDS:
            continue
        words = report.text(record)
        are_pairs = record._axes() == ("first", "second")
        for field, array in arrays(record):
            # the pair (j, i) is the pair (i, j)
            values = array[np.triu_indices(len(array), 1)] if are_pairs and array.ndim == 2 else array.ravel()
            numbers = {f"{one:.6g}" for one in values[np.isfinite(values)].tolist()}
            if array.size <= 12 and not all(one in words for one in numbers):
                missing[name, field] = sorted(one for one in numbers if one not in words)

    assert missing == {}
