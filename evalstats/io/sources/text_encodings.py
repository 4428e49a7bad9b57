"""Encodings in which text that is not UTF-8 may be written, with the words that the encodings yield."""

from __future__ import annotations

__all__ = ["not_decoded"]

import codecs
import itertools
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from evalstats._lexicon import word_list
from evalstats.tables.errors import TableError, short

LARGEST = 10_000_000  # characters that are decoded to exclude an encoding
SHOWN = 6
_ENCODINGS = word_list("encodings.plausible")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_WORD = re.compile(r"[^\s,;|\"'/\\]*[^\x00-\x7f][^\s,;|\"'/\\]*")


def not_decoded(place: str, line: str, stream: Any, byte: int, encoding: str) -> TableError:
    """Return the error for a byte that is not text in an encoding; it shows the first word in other encodings.

    `line` contains the byte, with bytes that are not text as surrogates, and `stream` has the rest of the text.
    """
    problem = f"{place}: the byte {byte:#x} is not {encoding}"
    try:
        rest = (line + stream.read(LARGEST)).encode(encoding, "surrogateescape")
    except (TypeError, ValueError, OSError):  # the rest is not at hand, or it is damaged
        rest = line.encode("utf-8", "surrogateescape")
    readings = list(itertools.islice(_readings(rest, codecs.lookup(encoding).name), SHOWN))
    if not readings:
        return TableError(problem)
    words = ", ".join(f"{short(word)} in {name}" for word, name in readings)
    first = readings[0][1]
    return TableError(f"{problem}. The first word is {words}", "choose its encoding, such as {}", "encoding", first)


def _readings(rest: bytes, other_than: str) -> Iterator[tuple[str, str]]:
    """Yield the first word with a character outside ASCII in each possible encoding, the most plausible first."""
    found: dict[str, tuple[int, str]] = {}
    for name in _ENCODINGS:
        if codecs.lookup(name).name == other_than:
            continue
        try:
            text = codecs.getincrementaldecoder(name)().decode(rest, final=len(rest) < LARGEST)
        except UnicodeError:
            continue
        word = _WORD.search(text)
        if word is None or any(unicodedata.category(letter)[0] == "C" for letter in _NOT_ASCII.findall(text)):
            continue
        found.setdefault(word[0], (_doubts(text), name))
    for shown, (_, name) in sorted(found.items(), key=lambda one: one[1][0]):
        yield shown, name


def _doubts(text: str) -> int:
    """Return the number of unusual neighbors of the first characters outside ASCII."""
    n = 0
    for found in itertools.islice(_NOT_ASCII.finditer(text), 1_000):
        own, before, after = found[0], text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        script = _script(own)
        n += 3 * (script == "")
        # a word has letters of one script, and few accents in Latin
        n += sum(_script(other) not in ("", script) for other in (before, after) if other)
        n += script == "LATIN" and not after.isascii()
        n += own.isupper() and before.islower()
    return n


def _script(letter: str) -> str:
    """Return the first word of the name of a letter, such as LATIN, CYRILLIC or CJK; return '' for other characters."""
    if unicodedata.category(letter)[0] not in "LM":
        return ""
    script = unicodedata.name(letter, "").partition(" ")[0]
    # Japanese mixes its scripts
    return "CJK" if script in ("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA") else script
