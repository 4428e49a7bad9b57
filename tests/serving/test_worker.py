"""A process answers one question after the other; a fault of the program is told, and takes nothing with it."""

from __future__ import annotations

import io
import json

import pytest

from evalstats.serving import worker
from evalstats.serving.worker import read_message, reply, write_message


def told(question: dict, content: bytes = b"") -> dict:
    head, body = reply(question, content)
    assert head == {"type": "application/json"}
    return json.loads(body)


def test_messages_come_out_as_they_went_in() -> None:
    stream = io.BytesIO()
    for message in (b"", b"abc", b"\x00" * 70_000):
        write_message(stream, message)
    stream.seek(0)

    assert [read_message(stream) for _ in range(4)] == [b"", b"abc", b"\x00" * 70_000, None]


def test_message_that_is_cut_off_is_none() -> None:
    assert read_message(io.BytesIO(b"\x00" * 7 + b"\x05abc")) is None


def test_start_tells_the_forms_and_the_samples() -> None:
    start = told({"ask": "start"})["answer"]

    assert set(start["forms"]) == {"compare", "which-test", "plan", "audit"}
    assert {"name", "question", "options"} == set(start["samples"][0])


def test_formats_are_told_with_examples() -> None:
    formats = told({"ask": "formats"})["answer"]

    assert len(formats) > 30
    assert all(one["example"] and one["description"] for one in formats)


def test_sample_is_told_or_refused() -> None:
    assert told({"ask": "sample", "options": {"name": "wide"}})["answer"]["text"].startswith("dataset,")
    assert "name must be" in told({"ask": "sample", "options": {"name": "x"}})["error"]["sentence"]


def test_table_is_previewed_and_compared(scores: bytes) -> None:
    question = {"options": {"metric": "acc"}, "is_pasted": True}

    assert told(question | {"ask": "preview"}, scores)["answer"]["n_datasets"] == 4
    assert "verdict" in told(question | {"ask": "compare"}, scores)["answer"]["body"]


def test_file_has_its_name(scores: bytes) -> None:
    question = {"ask": "download", "question": "compare", "kind": "r", "options": {"metric": "acc"}, "is_pasted": True}

    head, body = reply(question, scores)

    assert head == {"type": "application/octet-stream", "name": "comparison.R"}
    assert body.startswith(b"#")


def test_unknown_question_is_refused() -> None:
    assert "has no request" in told({"ask": "rm"})["error"]["sentence"]


def test_fault_of_the_program_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("evalstats.serving.handlers.answered", broken)

    assert told({"ask": "compare"})["error"]["sentence"] == (
        "evalstats failed because of an internal error (ZeroDivisionError: 'by nothing')"
    )
    assert "Traceback" in capsys.readouterr().err


def test_nan_never_stands_in_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_formats", lambda: {"answer": float("nan")})

    with pytest.raises(ValueError, match="JSON"):
        reply({"ask": "formats"}, b"")
