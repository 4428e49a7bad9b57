"""Stored R results and their validity for the current cases."""

from __future__ import annotations

__all__ = ["Frozen", "read_answers", "render_answers"]

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any

from evalstats._errors import InvalidValueError
from evalstats._result import Record
from evalstats.parity.live_r import Answer
from evalstats.parity.reference_cases import Case, Stem, digest, reference_directory


@dataclass(frozen=True, kw_only=True, eq=False)
class Frozen(Record):
    """Stored R results of one module.

    Attributes
    ----------
    r : str
        Version of R.
    packages : mapping of str to str
        Version of each R package that was used.
    adapter : str
        Digest of the adapter, including the functions of common.R that it uses.
    answers : mapping of (function, case) to Answer
        Stored results.
    digests : mapping of (function, case) to str
        Digest of the arguments of the stored results.
    """

    r: str
    packages: Mapping[str, str]
    adapter: str
    answers: Mapping[tuple[str, str], Answer]
    digests: Mapping[tuple[str, str], str]

    def stale(self, stem: Stem) -> str | None:
        """Return the reason why the results of a module are stale, or None."""
        asked = {(case.function, case.name): case for case in stem.cases}
        again = _again(stem.name)
        for key, case in asked.items():
            if key not in self.answers:
                return f"{case.identity} has no stored result; {again}"
            if self.digests[key] != case.digest:
                return f"{case.identity} has arguments that differ from the arguments of its stored result; {again}"
        if gone := [key for key in self.answers if key not in asked]:
            return f"{stem.name}.json holds a result of {'/'.join(gone[0])}, which is no longer a case; {again}"
        if self.adapter != stem.adapter_digest:
            return f"{stem.name}.R, or what it uses of common.R, differs from the code of the stored results; {again}"
        return None

    def answer(self, case: Case) -> Answer | None:
        """Return the result of a case, or None if there is none for these arguments."""
        key = (case.function, case.name)
        return self.answers[key] if self.digests.get(key) == case.digest else None


def read_answers(stem: str, directory: Traversable | None = None) -> Frozen | None:
    """Return the stored results of ``subpackage/module``, or None if there are none.

    Raises
    ------
    InvalidValueError
        If the file does not contain stored results, or was edited.
    """
    subpackage, name = stem.split("/")
    file = (directory or reference_directory()) / subpackage / f"{name}.json"
    if not file.is_file():
        return None
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        seal = content.pop("digest")
        entries = {
            (function, case): entry for function, cases in content["answers"].items() for case, entry in cases.items()
        }
        frozen = Frozen(
            r=content["r"],
            packages=content["packages"],
            adapter=content["adapter"],
            answers={key: _answer(entry) for key, entry in entries.items()},
            digests={key: entry["arguments"] for key, entry in entries.items()},
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidValueError(f"{stem}.json is not a file of stored R results; {_again(stem)}") from error
    if seal != _digest(content):
        raise InvalidValueError(f"{stem}.json was edited after the R results were stored; {_again(stem)}")
    return frozen


def render_answers(frozen: Frozen) -> str:
    """Return the text of a file of stored results: sorted, one case per line, and a digest."""
    functions = sorted({function for function, _ in frozen.answers})
    blocks = []
    for function in functions:
        names = sorted(name for other, name in frozen.answers if other == function)
        lines = [
            f"{_line(name)}: "
            + _line(
                {
                    "arguments": frozen.digests[function, name],
                    "answer": {field: _encode(value) for field, value in frozen.answers[function, name].fields.items()},
                    "warnings": list(frozen.answers[function, name].warnings),
                }
            )
            for name in names
        ]
        blocks.append(f"{_line(function)}: {{\n" + ",\n".join(lines) + "\n}")
    body = (
        f'"r": {_line(frozen.r)},\n"packages": {_line(dict(sorted(frozen.packages.items())))},\n'
        f'"adapter": {_line(frozen.adapter)},\n"answers": {{\n' + ",\n".join(blocks) + "\n}\n}\n"
    )
    return f'{{\n"digest": {_line(_digest(json.loads("{" + body)))},\n{body}'


def _digest(content: Any) -> str:
    """Return the digest of the content of a file. The layout of the file has no effect."""
    return digest(json.dumps(content, sort_keys=True, ensure_ascii=False))


def _again(stem: str) -> str:
    return f"run python -m evalstats.parity.record_reference {stem}"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _encode(value: Any) -> Any:
    """Encode numbers with 15 digits, as R writes them, and numbers that JSON does not support as {"number": "nan"}."""
    if isinstance(value, float):
        return float(f"{value:.15g}") if math.isfinite(value) else {"number": str(value)}
    return [_encode(item) for item in value] if isinstance(value, list) else value


def _answer(entry: dict[str, Any]) -> Answer:
    fields = {name: _decode(value) for name, value in entry["answer"].items()}
    return Answer(fields=fields, warnings=tuple(entry["warnings"]))


def _decode(value: Any) -> Any:
    if isinstance(value, list):
        return [_decode(item) for item in value]
    return float(value["number"]) if isinstance(value, dict) else value
