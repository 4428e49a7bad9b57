"""Worker process of the web interface: it reads requests one after another and writes the results.

The server can stop a worker process whose analysis takes too long. The server itself continues.
"""

from __future__ import annotations

__all__ = ["main", "read_message", "write_message"]

import contextlib
import json
import os
import signal
import struct
import sys
import traceback
from dataclasses import asdict, is_dataclass
from typing import Any, BinaryIO

_LENGTH = struct.Struct(">Q")


def main() -> None:
    """Process requests from standard input until it ends; write only results to standard output."""
    with contextlib.suppress(ValueError, OSError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which closes our input
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # printed output must not mix with the results
    _warm_up()
    while (question := read_message(questions)) is not None:
        content = read_message(questions)
        head, body = reply(json.loads(question), content or b"")
        write_message(answers, json.dumps(head).encode())
        write_message(answers, body)


def reply(question: dict[str, Any], content: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the content type and the bytes of the result of a request.

    Parameters
    ----------
    question : dict
        ``ask``: the requested result. ``options``: the values of the form fields. ``paths``: the chosen files.
        ``is_pasted``: whether the content was pasted.
    content : bytes
        Pasted text.

    Returns
    -------
    head : dict
        ``type``: the content type of the body. ``name``: the file name, if the result is a file.
        body : bytes
        JSON, or the content of the file.
    """
    try:
        answer = _answer(question, content)
    except Exception as error:  # a fault of the program: the page reports it, and the terminal shows the traceback
        traceback.print_exc(file=sys.stderr)
        from evalstats._errors import short

        sentence = f"evalstats failed because of an internal error ({type(error).__name__}: {short(str(error))})"
        answer = {"error": {"sentence": sentence}}
    if isinstance(answer, tuple):
        name, body = answer
        return {"type": "application/octet-stream", "name": name}, body
    return {"type": "application/json"}, json.dumps(answer, allow_nan=False).encode()


def _answer(question: dict[str, Any], content: bytes) -> Any:
    from evalstats.serving.handlers import File, Refusal, answered, download
    from evalstats.serving.previews import preview

    ask, options = question.get("ask"), question.get("options", {})
    paths = question.get("paths", [])
    given: Any = content if question.get("is_pasted") else paths[0] if len(paths) == 1 else paths or None
    if ask == "start":
        return _start(options)
    if ask == "sample":
        return _sample(options)
    if ask == "formats":
        return _formats()
    if ask == "preview":
        found: Any = preview(given, options)
    elif ask == "download":
        found = download(question.get("question", ""), given, options, question.get("kind", ""))
    else:
        found = answered(str(ask), given, options)
    if isinstance(found, File):
        return found.name, found.content
    return {"error" if isinstance(found, Refusal) else "answer": _plain(found)}


def _start(options: dict[str, Any]) -> dict[str, Any]:
    """Return the data for the forms, and their texts in the language of the page."""
    from evalstats._version import __version__
    from evalstats.serving.form_arguments import fields_of
    from evalstats.serving.handlers import QUESTIONS
    from evalstats.serving.languages import LANGUAGES, form_words
    from evalstats.serving.sample_data import known_samples

    language = options.get("language")
    told = form_words(language if language in LANGUAGES else LANGUAGES[0])
    forms = {name: fields_of(make()[0]) for name, make in QUESTIONS.items()}
    samples = [_plain(one) for one in known_samples()]
    return {"answer": {"version": __version__, "forms": forms, "samples": samples, "words": told}}


def _sample(options: dict[str, Any]) -> dict[str, Any]:
    from evalstats.serving.handlers import Refusal, or_refused
    from evalstats.serving.sample_data import sample_content

    text = or_refused(None, lambda: sample_content(str(options.get("name"))))
    return {"error": _plain(text)} if isinstance(text, Refusal) else {"answer": {"text": text}}


def _formats() -> dict[str, Any]:
    from evalstats.io.formats.recognition import known_formats

    told = ("name", "title", "description", "example")
    return {"answer": [{name: getattr(one, name) for name in told} for one in known_formats()]}


def _plain(record: Any) -> Any:
    return asdict(record) if is_dataclass(record) and not isinstance(record, type) else record


def _warm_up() -> None:
    """Import the modules for the first request while the browser opens the page."""
    from evalstats.serving.handlers import answered
    from evalstats.serving.sample_data import WIDE

    answered("compare", WIDE.encode(), {"metric": "accuracy"})


def read_message(stream: BinaryIO) -> bytes | None:
    """Return the next message, or None at the end of the stream."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    message = stream.read(length)
    return message if len(message) == length else None


def write_message(stream: BinaryIO, message: bytes) -> None:
    """Write the length of a message, and then the message."""
    stream.write(_LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()
