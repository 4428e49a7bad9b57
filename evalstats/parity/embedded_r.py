"""R inside a separate process, which serves the requests of another process."""

from __future__ import annotations

__all__ = ["NoAnswerError", "serve"]

import faulthandler
import os
import pickle
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

# seconds; at the limit, the caller stops this process, or this process stops itself if the caller has ended
_GRACE = 5.0


class NoAnswerError(Exception):
    """R raised an error, or a value cannot be converted."""


class EmbeddedR:
    """The R in this process."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from rpy2 import robjects
            from rpy2.rinterface_lib import callbacks
        for console in ("consolewrite_print", "consolewrite_warnerror"):
            setattr(callbacks, console, _say_nothing)
        self._robjects = robjects
        self._adapters: dict[str, Any] = {}
        # messages in one language, so the stored warnings do not depend on the machine
        robjects.r["Sys.setenv"](LANGUAGE="en")
        side = robjects.r(Path(__file__).with_name("embedded.R").read_text(encoding="utf-8"))
        self._load, self._version, self._call = (side.rx2(name) for name in ("load", "version", "call"))

    def version(self) -> str:
        """Return the version of R."""
        r = self._robjects.r
        return str(r["as.character"](r["getRversion"]())[0])

    def package_version(self, package: str) -> str | None:
        """Return the version of an R package, or None if it is not installed."""
        return str(self._version(package)[0]) or None

    def ask(
        self, stem: str, adapter: str, function: str, arguments: Mapping[str, Any]
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Call a function of an adapter; return its fields and the warnings."""
        ro = self._robjects
        packed = {name: self._pack(name, value) for name, value in arguments.items()}
        values = ro.ListVector({name: vector for name, (vector, _) in packed.items()})
        rows = ro.FloatVector([n for _, n in packed.values()])
        kind, *rest = self._call(self._adapter(stem, adapter), function, values, rows)
        if kind[0] == "error":
            raise NoAnswerError(str(rest[0][0]))
        warned, names, *fields = rest
        return (
            {str(name): _unpack(*field) for name, field in zip(names, fields, strict=True)},
            tuple(str(warning) for warning in warned),
        )

    def _adapter(self, stem: str, code: str) -> Any:
        if code not in self._adapters:
            try:
                self._adapters[code] = self._load(code)
            except Exception as error:
                raise NoAnswerError(f"{stem}.R cannot be read: {str(error).strip()}") from error
        return self._adapters[code]

    def _pack(self, name: str, value: Any) -> tuple[Any, int]:
        """Convert an argument to a flat vector and its number of rows (-1 for a vector). Convert a dict to a list."""
        if isinstance(value, Mapping):
            named = {str(key): self._pack(f"{name}.{key}", of_key)[0] for key, of_key in value.items()}
            return self._robjects.ListVector(named), -1
        items = value if isinstance(value, list | tuple) else [value]
        rows = -1
        if items and all(isinstance(item, list | tuple) for item in items):
            if len({len(item) for item in items}) != 1:
                raise NoAnswerError(f"the rows of {name} have different lengths")
            rows = len(items)
            items = [number for row in items for number in row]
        ro = self._robjects
        if all(isinstance(item, bool) for item in items):
            return ro.BoolVector(items), rows
        if all(isinstance(item, str) for item in items):
            return ro.StrVector(items), rows
        try:
            return ro.FloatVector([float(item) for item in items]), rows
        except (TypeError, ValueError) as error:
            raise NoAnswerError(f"{name} must hold numbers or strings or truth values, not {value!r}") from error


def serve() -> None:
    """Read requests from standard input and write results to standard output until the input ends."""
    with _own_streams() as (questions, answers):
        r = EmbeddedR()
        _send(answers, ("answer", r.version()))
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            while (asked := _received(questions)) is not None:
                seconds, method, arguments = asked
                faulthandler.dump_traceback_later(seconds + _GRACE, exit=True, file=nowhere)
                try:
                    _send(answers, ("answer", getattr(r, method)(*arguments)))
                except NoAnswerError as error:
                    _send(answers, ("error", str(error)))
                faulthandler.cancel_dump_traceback_later()


@contextmanager
def _own_streams() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Reserve the standard streams of this process for requests and results; redirect the output of R."""
    with (
        os.fdopen(os.dup(0), "rb") as questions,
        os.fdopen(os.dup(1), "wb") as answers,
        open(os.devnull, "r+b") as nowhere,
    ):
        os.dup2(nowhere.fileno(), 0)
        os.dup2(nowhere.fileno(), 1)
        yield questions, answers


def _send(stream: BinaryIO, value: Any) -> None:
    pickle.dump(value, stream)
    stream.flush()


def _received(stream: BinaryIO) -> Any:
    try:
        return pickle.load(stream)  # from our own process  # nosec B301
    except EOFError:
        return None


def _say_nothing(text: str) -> None:
    """Discard R's console output: values and warnings are returned separately."""


def _unpack(dim: Any, flat: Any) -> Any:
    values = list(flat)
    if len(dim):
        width = int(dim[1])
        return [values[start : start + width] for start in range(0, len(values), width)]
    return values[0] if len(values) == 1 else values
