"""A saved report is as evalstats wrote it, or is refused with the place that is not."""

from __future__ import annotations

import io
import json
import os
import runpy
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalstats import (
    EvalstatsError,
    compare,
    example_table,
    friedman_test,
    report,
    run_study,
    validate,
)
from evalstats.io.reader import saved_reports
from evalstats.io.reader.saved_reports import (
    SCHEMA_VERSION,
    check_report,
    checksum,
    has_own_checksum,
    report_faults,
    report_schema,
    text_of_report,
)
from evalstats.report.documents import KINDS
from evalstats.tables.errors import TableError

ROOT = Path(__file__).parents[3]
ARGUMENTS = runpy.run_path(str(ROOT / "tests" / "test_arguments.py"))
OF_STUDIES = ("read_study", "run_study")
TABLE = example_table("demsar-2006")
REPORT = json.loads(report.json(compare(TABLE)))


def test_schema_is_that_of_the_records_of_today() -> None:
    """``python scripts/report_schema.py`` writes it anew; what is released needs a new version then."""
    script = runpy.run_path(str(ROOT / "scripts" / "report_schema.py"))

    assert script["FILE"].read_text(encoding="utf-8") == script["text"]()


def test_another_program_finds_the_same() -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(report_schema())
    validator = Draft202012Validator(report_schema())
    other = json.loads(json.dumps(REPORT))
    other["comparison"]["pairs"][0]["pvalue"] = "0.01"

    assert validator.is_valid(REPORT)
    assert not validator.is_valid(other)


def test_another_program_finds_every_kind_of_report_in_form(tmp_path: Path) -> None:
    from jsonschema import Draft202012Validator
    from sklearn.dummy import DummyClassifier
    from sklearn.naive_bayes import GaussianNB

    made = runpy.run_path(str(ROOT / "scripts" / "save_release_reports.py"))["KINDS"]
    battles = {"model_a": ["x", "y"] * 9, "model_b": ["y", "x"] * 9, "winner": ["model_a", "tie", "model_b"] * 6}
    records = [make(tmp_path / f"{name}.csv") for name, make in made.items()]
    data = np.arange(24.0).reshape(12, 2), np.tile([0, 1], 6)
    records.append(run_study({"NB": GaussianNB(), "all": DummyClassifier()}, {"x": data}, n_folds=2, rng=1))
    records += [compare(battles), validate(functions=["sign_test"], live=False)]
    names = [name for name, one in ARGUMENTS["FUNCTIONS"].items() if KINDS.keys() & {one.__annotations__.get("return")}]
    records += [ARGUMENTS["FUNCTIONS"][name](**ARGUMENTS["CALLS"][name]) for name in names if name not in OF_STUDIES]
    validator = Draft202012Validator(report_schema())
    documents = [json.loads(report.json(record)) for record in records]

    assert [next(validator.iter_errors(one), None) for one in documents] == [None] * len(documents)
    assert {one["kind"] for one in documents} == {
        one["properties"]["kind"]["const"] for one in report_schema()["anyOf"]
    }


def test_report_of_evalstats_is_taken() -> None:
    check_report(REPORT, "it")

    assert (report_faults(REPORT), has_own_checksum(REPORT)) == ((), True)


def test_record_of_another_kind_has_its_surroundings_checked() -> None:
    made = json.loads(report.json(friedman_test(TABLE.scores)))

    check_report(made, "it")
    assert [str(fault) for fault in report_faults(made | {"more": 1})] == ["$.more is not in the format"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schema_version": 1}, f"it has the schema version 1, but this version of evalstats reads {SCHEMA_VERSION}"),
        ({"schema_version": True}, "it has the schema version True"),
        ({"schema_version": None}, "it has the schema version None"),
        ({"more": 1}, r"it is not a report in the format of evalstats: \$\.more is not in the format"),
        ({"verdict": None}, r"\$\.verdict must be a string, not null"),
        ({"comparison": {}}, r"\$\.comparison\.table is missing"),
        ({"kind": "evalstats runs"}, r"\$\.runs is missing"),
    ],
)
def test_report_in_another_form_is_refused(changes: dict[str, Any], words: str) -> None:
    """Though its checksum was written anew."""
    document = REPORT | changes
    document["checksum"] = checksum(document)

    with pytest.raises(TableError, match=words):
        check_report(document, "it")


def test_report_with_another_checksum_or_none_is_refused() -> None:
    without = {name: value for name, value in REPORT.items() if name != "checksum"}

    with pytest.raises(TableError, match="its checksum does not match"):
        check_report(REPORT | {"verdict": "x"}, "it")
    with pytest.raises(TableError, match=r"\$\.checksum is missing"):
        check_report(without, "it")
    assert not has_own_checksum(without)


def test_text_comes_from_a_path_or_a_file(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(REPORT).encode())

    assert text_of_report(path) == text_of_report(str(path)) == ("report.json", json.dumps(REPORT))
    assert text_of_report(io.StringIO(json.dumps(REPORT)))[1] == json.dumps(REPORT)
    with path.open("rb") as file:
        assert text_of_report(file)[1] == json.dumps(REPORT)


def test_what_is_piped_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    threading.Thread(target=(tmp_path / "pipe").write_text, args=(json.dumps(REPORT),), daemon=True).start()

    assert text_of_report(tmp_path / "pipe")[1] == json.dumps(REPORT)


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/urandom"])
def test_device_that_never_ends_is_refused_by_its_beginning(path: str) -> None:
    with pytest.raises(EvalstatsError, match="it is a device, and not a file"):
        text_of_report(path)


def test_text_that_never_ends_is_refused_by_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless:
        name = "endless"

        def read(self, n: int) -> bytes:
            return b"{" * n

    monkeypatch.setattr(saved_reports, "LARGEST_TEXT", 3 * 2**20)

    with pytest.raises(EvalstatsError, match="endless is longer than 3 MB, which is too long for a report"):
        text_of_report(Endless())


@pytest.mark.parametrize("content", [b"", b"   \n", b"\xff\xfe{", b"a,b\n1,2\n"])
def test_what_does_not_begin_as_a_report_is_refused(content: bytes) -> None:
    with pytest.raises(EvalstatsError, match="is not a report in JSON"):
        text_of_report(io.BytesIO(content))
