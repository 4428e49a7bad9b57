"""Numbers in the cells of published tables, separated from spread, emphasis and marks."""

from __future__ import annotations

__all__ = [
    "MARKS",
    "NO_NUMBER",
    "are_plain_numbers",
    "as_float",
    "frequent_number",
    "is_missing",
    "not_a_number",
    "number_in",
    "numbers_in",
    "plain_name",
    "plain_numbers",
    "thousands_mark",
    "without_markup",
    "without_thousands",
    "written_in",
    "written_number",
]

import html
import math
import re
import unicodedata
from collections.abc import Collection, Iterable
from numbers import Number
from typing import Any

import numpy as np

from evalstats._lexicon import MISSING_WORDS, RIGHT_WORDS, word_list
from evalstats.io.options import THOUSANDS
from evalstats.io.sources.grid import NumberColumn, Written
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import MISSING_TYPES, text_of

NO_NUMBER = "no-number"
_LONGEST_MISSING = max(map(len, MISSING_WORDS))
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_OF_NUMBERS = {mark: f"0123456789{mark}+-eE".encode() for mark in ".,"}
# a number with groups of three digits, such as 1,234.5, and none with another number beside it
_SPACES = ("\u2007", "\u2009", "\u00a0", "\u202f", r"\,")
_MARKS_OF_GROUPS = ("'", "’", *_SPACES)  # nothing else in a number
# by the value of `thousands`
_ALSO = {"'": ("’",), " ": _SPACES}
MARKS = {mark: (mark, *_ALSO.get(mark, ())) for mark in THOUSANDS}
_MARK = "|".join(re.escape(mark) for marks in MARKS.values() for mark in marks)
_GROUPED = re.compile(
    rf"(?<![\w.,'’])(?<![\d.,]\s)(?P<first>[1-9]\d{{0,2}})(?P<groups>(?P<mark>{_MARK})\d{{3}}(?:(?P=mark)\d{{3}})*)"
    r"(?:(?!(?P=mark))(?P<decimal>[.,])\d+)?(?![\w.,'’\s]?\d)",
    re.ASCII,
)

_PLUS_MINUS = re.compile(r"\s*(?:±|\+/?[-\N{MINUS SIGN}])\s*")
# the most frequent forms of a number with its spread, by decimal mark: 93.3 ± 0.5 and 93.3 (0.5)
_FREQUENT = {
    mark: re.compile(
        r"([+-]?\d+(?:@\d+)?)(?: ?(?:±|\+/?-) ?(\d+(?:@\d+)?)| \((\d+@\d+)\))".replace("@", re.escape(mark)), re.ASCII
    )
    for mark in ".,"
}
# text that some PDF fonts produce for the sign ±
_SIGN_OF_PDF = re.compile(r"\(cid:\d+\)|\N{PLUS SIGN}\N{COMBINING MINUS SIGN BELOW}")
_TWO_NUMBERS = re.compile(r"\d[\d.,]*\s?%?\s*[/|]\s*\d[\d.,]*\s?%?", re.ASCII)
_LOST_SIGN = re.compile(r"(\d+[.,]\d+)\s*[6\N{REPLACEMENT CHARACTER}?]\s*(\d+[.,]\d+)")
_BRACKETS = re.compile(r"([^()\[\]]*[^()\[\]\s])(\s*)(?:\(([^()]*)\)|\[([^\[\]]*)\])")
_LIMITS = re.compile(
    r"(.+?)(?:\s*[,;]\s*|\s+(?:to|[-\N{EN DASH}\N{EM DASH}])\s+|\s*[\N{EN DASH}\N{EM DASH}]\s*|(?<=\d)-(?=[\d.]))(.+)"
)

# marks before or after a number: significance, a footnote, the best score
_MARKS = "*_`~†‡•◦○●∘∗⁎⋆★☆§¶"
_SUPERSCRIPTS = "¹²³⁰⁴⁵⁶⁷⁸⁹"
_LETTERS = "ᵃᵇᶜᵈᵉᶠᵍʰⁱⁿ⁺⁻⁼"
_ARROWS = "↑↓▲▼△▽✓✔≈🥇🥈🥉"
# marks of the tests of each cell against another: better, worse, no significant difference
_OUTCOMES = r"\s+(?:[-+=\N{MINUS SIGN}]|v|n\.?s\.?)|\s*\((?:[-+=~≈\N{MINUS SIGN}]|n\.?s\.?)\)"
_LAST = re.compile(rf"(?:\s*[{re.escape(_MARKS + _LETTERS + _ARROWS)}]|(?<=[\d%)\]])(?:{_OUTCOMES})$)+\s*$")
_FIRST = re.compile(rf"^[\s{re.escape(_MARKS)}]+")
_FOOTNOTE_NUMBER = re.compile(rf"(\d[.,]\d+\s?%?[*_`~]*|[)\]])[{_SUPERSCRIPTS}]+$")

_SUP_OF_HTML = re.compile(r"<sup\b[^<>]*>[^<>]*</sup>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
_SPACE_OF_LATEX = re.compile(r"\\[,;:! ]|~|\\(?:q?quad|enspace|thinspace|hfill|hspace\*?\{[^{}]*\})(?![A-Za-z])")
# commands whose first argument is not text: a color, what is invisible, how wide a cell is
_ARGUMENT = r"\s*(?:\[[^\[\]]*\])?\s*\{[^{}]*\}"
_DROPPED = re.compile(
    rf"\\(?:cellcolor|rowcolor|textcolor|color|colorbox|h?phantom|cite[pt]?|footnote|footnotemark|tnote|label|rule"
    rf"|textsuperscript){_ARGUMENT}|\\(?:multicolumn|multirow|fontsize){_ARGUMENT}{_ARGUMENT}"
    r"|\\footnotemark(?:\[[^\[\]]*\])?"
)
_SUBSCRIPT = re.compile(r"_\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|\\text(?:rm|sc)?\{([^{}]*)\})")
_END_OF_NAME = re.compile(r"[^\W\d_]\w*\}*\$?\s*$")
_SHIFTED = re.compile(r"[_^]\s*\{")  # braces of nothing else are those of a template: {0}
_SUPERSCRIPT = re.compile(r"(\d?)\s*\^\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|(\\[A-Za-z]+|[^\s\\{}]))")
_MARK_OF_LATEX = re.compile(
    r"\\(?:dagger|ddagger|dag|ddag|ast|star|bigstar|bullet|circ|checkmark|diamond|blacktriangle\w*)(?![A-Za-z])"
)
_ACCENTS = dict(
    zip("`'^\"~=.uvHcrk", "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0306\u030c\u030b\u0327\u030a\u0328", strict=True)
)
_ACCENT = re.compile(r"\\(?:([`'^\"~=.])\s*|([uvHcrk])(?:\s+|(?=\{)))(?:\{\\?([A-Za-z])\}|\\?([A-Za-z]))")
_GREEK = word_list("latex.greek")
_LETTERS_OF_LATEX = {
    **{name: unicodedata.lookup(f"GREEK SMALL LETTER {name}") for name in _GREEK},
    **{name.title(): unicodedata.lookup(f"GREEK CAPITAL LETTER {name}") for name in _GREEK},
    "lambda": "λ",
    "Lambda": "Λ",
    "ss": "ß",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "i": "ı",
    "j": "ȷ",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
}
_LETTER = re.compile(rf"\\({'|'.join(_LETTERS_OF_LATEX)})(?![A-Za-z])(?:\s+|\{{\}})?")
_COMMAND = re.compile(r"\\(?!(?:times|cdot|frac|sqrt)(?![A-Za-z]))[A-Za-z]+\*?\s*")
_TAGGED = re.compile(r"(?:<[a-z]+>)+[^<>]*(?:</[a-z]+>)+", re.IGNORECASE)
_EMPHASISED = re.compile(r"(\*\*\*|\*\*|__|~~|`)(.+)\1")
_LINK = re.compile(r"\[([^\[\]]+)\]\([^()\s]*\)")
_FORMULA = re.compile(r"\\\((.*?)\\\)")
_ESCAPED = re.compile(r"\\([%&_#${}*`|~\-+.()\[\]!])")


def written_in(cell: str, decimal: str) -> Written | None:
    """Return the number in a decorated cell; return None unless it contains exactly one number."""
    text = _SIGN_OF_PDF.sub("±", text_of(cell))
    bare = without_markup(text)
    number = None if bare is None else _number_in(text, bare, decimal)
    if number is not None:
        number.cell = text
    return number


def frequent_number(cell: str, decimal: str) -> Written | None:
    """Return the number in a cell with the most frequent form of a spread, in less time than `written_in`."""
    if (found := _FREQUENT[decimal].fullmatch(cell)) is None:
        return None
    number, inner = Written(found[1]), found[2] or found[3]
    number.cell, number.spread = cell, float(inner if decimal == "." else inner.replace(",", "."))
    number.beside = "plus-minus"
    if found[3]:
        number.beside, number.inside = "parentheses", number.spread
    return number


def _number_in(text: str, bare: str, decimal: str) -> Written | None:
    stripped = _without_marks(bare)
    beside = "markup" if bare != text else ""
    beside = "marks" if stripped != bare and stripped != _between_pairs(bare) else beside or "markup"
    if stripped and (number := _plain(stripped, decimal)) is not None:
        return _made(number, math.nan, beside)
    return _with_spread(stripped, decimal)


def without_markup(text: str) -> str | None:
    """Remove LaTeX commands and HTML tags from a string. If the removal would change a number, return None."""
    if "<" in text or "&" in text:
        text = _TAG.sub("", html.unescape(_SUP_OF_HTML.sub("", text)))
    if "\\" in text or "$" in text or _SHIFTED.search(text):
        text = unicodedata.normalize(
            "NFC", _LETTER.sub(lambda found: _LETTERS_OF_LATEX[found[1]], _ACCENT.sub(_accented, text))
        )
        text = _FORMULA.sub(r"\1", _SPACE_OF_LATEX.sub(" ", text))
        text = _DROPPED.sub("", text)
        text = _SUBSCRIPT.sub(_as_spread, text)
        if any(found[1] and re.search(r"\d", found[2] or found[3]) for found in _SUPERSCRIPT.finditer(text)):
            return None  # a power
        text = _SUPERSCRIPT.sub(r"\1", text)
        text = re.sub(r"\\pm(?![A-Za-z])", "±", _MARK_OF_LATEX.sub("", text))
        text = re.sub(r"(?<!\\)[${}]", "", _COMMAND.sub("", text))
        text = _ESCAPED.sub(r"\1", text)
    return " ".join(text.split())


def plain_name(cell: str) -> str:
    """Remove LaTeX, HTML and Markdown markup from a name."""
    if not any(sign in cell for sign in ("\\", "{", "$", "*", "__", "~~", "`", "<", "](")):
        return cell
    name = _LINK.sub(r"\1", text_of(cell))
    is_formula = name.startswith("$") and name.endswith("$") and len(name) > 2
    if "\\" in name or is_formula or _TAGGED.fullmatch(name):
        name = without_markup(name) or name
    while found := _EMPHASISED.fullmatch(name):
        name = found[2].strip()
    return name


def _accented(found: re.Match[str]) -> str:
    r"""Return the letter of an accent command, such as ``\'e`` or ``\c{c}``, with its combining mark."""
    return (found[3] or found[4]) + _ACCENTS[found[1] or found[2]]


def _as_spread(found: re.Match[str]) -> str:
    """Convert ``93.3_{0.5}`` to ``93.3 ± 0.5``, with or without a sign, and the subscript of a name to words."""
    inner = re.sub(r"\\pm(?![A-Za-z])", "±", found[1] or found[2] or "").strip()
    is_of_name = _END_OF_NAME.search(found.string[: found.start()]) is not None
    return f" {inner} " if is_of_name or inner.startswith(("±", "(", "+")) else f" ± {inner} "


def _between_pairs(text: str) -> str:
    """Remove Markdown emphasis around a whole text."""
    for mark in ("***", "**", "__", "*", "_", "`", "~~"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            return _between_pairs(text[len(mark) : -len(mark)].strip())
    return text


def _without_marks(text: str) -> str:
    text = _LAST.sub("", _FOOTNOTE_NUMBER.sub(r"\1", _FIRST.sub("", text)))
    return _FOOTNOTE_NUMBER.sub(r"\1", text).strip()


def _plain(text: str, decimal: str) -> str | None:
    """Return the text if it is a number or a word for a missing number; otherwise return None."""
    return text if text and written_number(text, decimal) is not None else None


def _with_spread(text: str, decimal: str) -> Written | None:
    found = _BRACKETS.fullmatch(text)
    if found and _has_rank(found[1], found[3] or ""):
        text, found = found[1], None
    if not found or _PLUS_MINUS.search(found[1]):
        parts = _PLUS_MINUS.split(text.replace("(", "").replace(")", "") if found else text)
        parts = [_without_marks(part) for part in parts]
        return _checked(parts[0], parts[1], decimal, "plus-minus") if len(parts) == 2 else None
    value, gap, inner = _without_marks(found[1]), found[2], (found[3] if found[4] is None else found[4]).strip()
    limits = _LIMITS.fullmatch(inner)
    if limits and written_number(inner, decimal) is None:
        return _interval(value, limits[1], limits[2], decimal)
    if inner.startswith(("+", "-", "\N{MINUS SIGN}")) and not _PLUS_MINUS.match(inner):
        is_said = bool(value) and None not in (written_number(value, decimal), written_number(inner, decimal))
        return _made(value, math.nan, "difference") if is_said else None
    inner = _PLUS_MINUS.sub("", inner, count=1)
    is_compact = found[3] is not None and not gap and inner.isdecimal() and inner.isascii()
    return _checked(value, inner, decimal, "parentheses", compact=is_compact)


def _has_rank(score: str, inside: str) -> bool:
    """Return whether a rank in parentheses follows a score with its spread."""
    parts = _PLUS_MINUS.split(score)
    return len(parts) == 2 and all(map(str.strip, parts)) and re.fullmatch(r"\d{1,3}(?:\.[05])?", inside) is not None


def _checked(value: str, spread: str, decimal: str, beside: str, *, compact: bool = False) -> Written | None:
    """Return a number with its spread; return None if the number or the spread is not valid."""
    number, width = written_number(value, decimal), written_number(spread, decimal)
    if number is None or width is None or not value or not spread or width < 0:
        return None
    percent = "" if "%" in value or not spread.endswith("%") else "%"
    if math.isnan(number):  # nan (6) is a mean over runs of which 6 failed
        is_count = beside == "parentheses" and width % 1 == 0
        return _made("", math.nan, beside) if is_count or math.isnan(width) else None
    digits, inside = value.removesuffix("%").rpartition(decimal), width
    if compact and digits[1] and "e" not in value.casefold():
        width /= 10.0 ** len(digits[2].strip())  # 93.3(5) is 93.3 ± 0.5
    return _made(value + percent, width, beside, inside if beside == "parentheses" else math.nan)


def _interval(value: str, low: str, high: str, decimal: str) -> Written | None:
    """Return a number followed by an interval; return None unless the interval contains the number."""
    numbers = [written_number(text, decimal) for text in (low, value, high)]
    known = [number for number in numbers if number is not None and not math.isnan(number)]
    if len(known) < 3 or known != sorted(known):
        return None
    return _made(value, math.nan, "interval")


def _made(text: str, spread: float, beside: str, inside: float = math.nan) -> Written:
    number = Written(text)
    number.spread, number.beside, number.inside = spread, beside, inside
    return number


def numbers_in(column: Any, decimal: str) -> list[float | None]:
    """Return the number in each cell of a column: nan if missing, None for other text."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return [float(value) for value in column.tolist()]
    plain = plain_numbers(column, decimal)
    return [number_in(cell, decimal) for cell in column] if plain is None else list(plain)


def plain_numbers(column: Any, decimal: str = ".") -> list[float] | None:
    """Return the numbers in a column of strings, or None if one has characters besides digits and the decimal mark."""
    if isinstance(column, NumberColumn):
        return list(column.numbers.tolist()) if decimal == "." else None
    try:
        # for these characters only, `float` agrees with `number_in`
        if "".join(column).encode("ascii").translate(None, _OF_NUMBERS[decimal]):
            return None
        return list(map(float, column if decimal == "." else "\n".join(column).replace(",", ".").split("\n")))
    except (TypeError, ValueError):
        return None


def number_in(cell: Any, decimal: str) -> float | None:
    """Return the number in a cell: nan if missing, None for other text."""
    return written_number(cell, decimal) if isinstance(cell, str) else _number(cell)


def are_plain_numbers(column: Iterable[Any]) -> bool:
    """Return whether all cells of a column are numbers with a decimal point, or missing."""
    return all(number_in(cell, ".") is not None for cell in column)


def _number(cell: Any) -> float | None:
    if cell is None or type(cell).__name__ in MISSING_TYPES:
        return math.nan
    if isinstance(cell, bool | np.bool_ | complex | np.complexfloating) or not isinstance(cell, Number):
        return None
    try:
        return as_float(cell)
    except ValueError:  # a signaling nan
        return None


def as_float(value: Any) -> float:
    """Return ``float(value)``, which is infinite for an integer too large for a float."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def written_number(cell: str, decimal: str) -> float | None:
    """Return the number that a string represents: nan if missing, None for other text."""
    text = text_of(cell)
    if len(text) > _LONGEST_MISSING and text[0].isalpha():
        return None
    if text.casefold() in MISSING_WORDS:
        return math.nan
    number = text.removesuffix("%").rstrip().replace("\N{MINUS SIGN}", "-")
    if decimal == ",":
        number = number.translate({ord(","): ".", ord("."): ","})
    return float(number) if _NUMBER.fullmatch(number) else None


def thousands_mark(texts: Iterable[str], decimal: str) -> tuple[str, str]:
    """Return the thousands separator and the decimal mark of the numbers in texts, each empty if it is not certain.

    The separator is certain if a number also has a decimal mark (1,234.5) or several groups (1,234,567). It is also
    certain if it has no other meaning (1'234). `decimal` is the given decimal mark, or ``'auto'``.

    Examples
    --------
    >>> from evalstats.io.sources.numbers import thousands_mark
    >>> [thousands_mark([text], "auto") for text in ("1,234.5", "1.234,5", "1,234,567", "1'234", "1,234")]
    [(',', '.'), ('.', ','), (',', ''), ("'", ''), ('', '')]
    """
    marks, certain, several, lists = (set[str]() for _ in range(4))
    decimals = set() if decimal == "auto" else {decimal}
    for found in (found for text in texts for found in _GROUPED.finditer(text)):
        mark = _value_of(found["mark"])
        marks.add(mark)
        if found["decimal"] is not None:
            decimals.add(found["decimal"])
        if found["decimal"] is not None or found["mark"] in _MARKS_OF_GROUPS:
            certain.add(mark)
        elif len(found["groups"]) > len(",000"):
            # 128,256,512 is a list of numbers rather than a hundred millions
            (several if len(found["first"]) < 3 else lists).add(mark)
    certain |= several - lists
    is_certain = len(marks) == len(certain) == 1 and len(decimals) < 2 and certain != decimals
    return (certain.pop(), "".join(decimals)) if is_certain else ("", "")


def _value_of(mark: str) -> str:
    """Return the value of `thousands` for a mark in a string."""
    return next(value for value, marks in MARKS.items() if mark in marks)


def without_thousands(text: str, marks: Collection[str] = ()) -> str:
    """Remove the thousands separators in `marks` from the numbers of a string.

    Examples
    --------
    >>> from evalstats.io.sources.numbers import without_thousands
    >>> without_thousands("3,009.5 ± 1,000.2"), without_thousands("3.009,5", ",")
    ('3009.5 ± 1000.2', '3.009,5')
    """
    return _GROUPED.sub(
        lambda found: found[0].replace(found["mark"], "") if not marks or found["mark"] in marks else found[0], text
    )


def not_a_number(place: str, cell: Any, decimal: str, *, is_text: bool) -> TableError:
    """Return the error for a cell that must contain a number; it suggests a fix if possible."""
    problem = f"{place}: {short(cell)}"
    is_number = number_in(cell, decimal) is not None
    text = "" if is_number else text_of(cell)  # a number may have more digits than a string
    if is_number or text.casefold().lstrip("+-") in ("inf", "infinity"):
        return TableError(f"{problem} is not finite")
    told, *hint = _meaning(text, decimal, is_text=is_text)
    return TableError(f"{problem} {told}", *hint, code=NO_NUMBER)


def _meaning(text: str, decimal: str, *, is_text: bool) -> tuple[str, ...]:
    """Return what is wrong with a string that must be a number, and the hint, argument and value that may help."""
    other = "," if decimal == "." else "."
    marks = {_value_of(found["mark"]) for found in _GROUPED.finditer(text)}
    if written_number(text, other) is not None:
        hint = f"pass {{}} if {other!r} is the decimal mark"
        hint += ", or {thousands} if it separates thousands" if marks == {other} else ""
        return f"is not a number with the decimal mark {decimal!r}", hint, "decimal", other
    if lost := _LOST_SIGN.fullmatch(text):
        words = "may be two numbers whose ± was lost when the table was copied from a PDF"
        return (f"{words}; if so, write {lost[1]} ± {lost[2]}",)
    if _TWO_NUMBERS.fullmatch(text):
        return ("is not a number, because it holds two numbers; write one number in each cell",)
    plain = without_thousands(text)
    if len(marks) == 1 and any(written_in(plain, one) is not None for one in ".,"):
        mark = marks.pop()
        return f"is a number only if {mark!r} separates thousands", "if so, pass {}", "thousands", mark
    meaning: tuple[str, ...] = ()
    if text.casefold() in RIGHT_WORDS:
        words = "if it says whether the answer to a question is correct, name the column of the questions with {}"
        meaning = (words, "question")
    elif is_text and not any(map(str.isdigit, text)):
        meaning = ("if each row holds one score of one classifier, pass {}", "layout", "long")
    return ("is not a number", *meaning)


def is_missing(cell: Any) -> bool:
    """Return whether a cell is empty, nan or a word for a missing number."""
    value = number_in(cell, ".")
    return value is not None and math.isnan(value)
