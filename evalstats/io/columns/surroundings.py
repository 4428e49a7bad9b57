"""Metric, unit and direction in the words around a table.

The sources are captions, titles, adjacent paragraphs, labels, and the names of sheets and files. Only unambiguous
statements are used. An ambiguous statement leads to an error that asks for the correct value.
"""

from __future__ import annotations

__all__ = ["UNKNOWN", "Said", "said_in", "unknown_direction", "unknown_metric"]

import os
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from evalstats._findings import Finding
from evalstats._lexicon import one_of, word_list
from evalstats.io.columns.kinds import role_of
from evalstats.io.sources.grid import Around
from evalstats.metrics.directions import (
    ONE_MINUS,
    WEAK_LOSSES,
    direction_of,
    direction_of_metric,
    is_reversed,
    is_written_apart,
    names_no_metric,
    stated_directions,
)
from evalstats.tables.errors import TableError, short

# whole names, which contain no sentence
NAMES = ("label", "sheet", "file")
# kinds of words that such a name may contain in addition to the metric: val_loss, best_error
_OF_SCORES = ("metric", "training", "validation", "test", "extreme")
_BESIDE_SCORES = ("time", "rank")
_NO_METRIC = re.compile(r"\b(?:standard|std\.?|typical|margins? of|±)\s*errors?\b|\berror bars?\b", re.IGNORECASE)
_PERCENT = re.compile(r"%|\bper ?cents?\b|\bpercentages?\b", re.IGNORECASE)
_LABEL = re.compile(r"^\s*(?:tab|table|tbl|t)\s*[:_-]\s*", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_JOINED = re.compile(r"[\s_/-]*")
# an accuracy drop and a reduction in error are differences, but such words may also speak of a purpose
_OF_IT = frozenset(word_list("metrics.less_of_it", "metrics.unknown_of_it"))
_OF_IT_BEFORE = re.compile(
    rf"\b{one_of('metrics.less_of_it', 'metrics.unknown_of_it')}\s+(?:in|of)\s+(?:the\s+)?$", re.I
)
_QUALIFIERS = _OF_IT.union(word_list("metrics.qualifier", "around.beside"))
_NO_METRICS = frozenset(word_list("around.no_metric"))
# after a bare word such as "error", these words show that it is the metric; "error analysis" is not a metric
_FOLLOWING = frozenset(word_list("around.following"))
_BARE = frozenset(word_list("around.bare"))
_MEANS = frozenset(word_list("summaries.mean_of"))
# these alone may be of anything: false positive rate, miss rate, time (s)
_RATES = frozenset(word_list("around.rate"))
_SIGNS = frozenset(word_list("around.sign"))
_OF_TIME = re.compile(rf"(?:\s*[(\[]|\s+in\b)\s*(?:ms|{one_of('metrics.duration')})s?\b", re.IGNORECASE)
# before a metric: 1-AUC, -RMSE; with a space, a number of a title
_REVERSED = re.compile(
    r"(?:^|(?<=[(:,])|(?<=[(:,]\s))" + ONE_MINUS + r"$"
    r"|(?:^|(?<=[\s(:,]))(?:1/|[-\N{MINUS SIGN}])$"
)
# NB (M); a longer word is no unit
_MAYBE_UNIT = re.compile(r"(?<=[ _])[(\[][^\W\d_]{1,3}[)\]]$")
_MOST_WORDS = 5


class Said(NamedTuple):
    """Statement about the metric near a table: content, place and words. The content is None if there is no statement.

    Attributes
    ----------
    metric : str
        The metric.
    greater_is_better : bool or None
        Whether greater values of the metric are better, or None if the words do not state the direction.
    unit : str
        ``'%'``, if the words mean percentages.
    where, text : str
        The place of the words, as the beginning of a sentence, and the text at this place.
    is_doubtful : bool
        Whether the words may have a different meaning, or state both directions.
    is_stated : bool
        Whether the words state the direction and do not only name the metric.
    """

    metric: str = ""
    greater_is_better: bool | None = None
    unit: str = ""
    where: str = ""
    text: str = ""
    is_doubtful: bool = False
    is_stated: bool = False


class _Phrase(NamedTuple):
    text: str
    is_gain: bool
    is_certain: bool


def said_in(words: Sequence[Around], file: str | None) -> Said:
    """Combine the statements of the texts around a table. The nearest text with a metric determines the metric."""
    name = os.path.basename(file or "").partition(".")[0]
    places = [*words, *([Around("file", name, "the name of the file")] if name else [])]
    found = [one for one in map(_said, places) if one.metric or one.greater_is_better is not None or one.is_doubtful]
    unit = next((one.unit for one in map(_said, places) if one.unit), "")
    if not found:
        return Said(unit=unit)
    directions = {one.greater_is_better for one in found} - {None}
    first = next((one for one in found if one.metric), found[0])
    if len(directions) > 1 or (not directions and first.is_doubtful):
        other = next(one for one in found if one.is_doubtful or one.greater_is_better is not first.greater_is_better)
        return (other if not directions else first)._replace(unit=unit, greater_is_better=None, is_doubtful=True)
    told = next((one for one in found if one.greater_is_better is not None), first)
    is_stated = any(one.is_stated for one in found)
    return told._replace(metric=first.metric or told.metric, unit=unit, is_stated=is_stated)


def _said(around: Around) -> Said:
    if around.kind in NAMES:
        name = _LABEL.sub("", around.text) if around.kind == "label" else around.text
        plain = re.sub(r"[\s_-]+", " ", name).strip()
        role, phrases = role_of(plain), list(_phrases(plain))
        is_metric = role in _OF_SCORES or [one.text for one in phrases] == [plain]
        direction = direction_of(plain) if is_metric else None
        # 1-AUC may be the first of several, latency.csv may hold accuracies, and losses.csv may compare losses
        may_be_loss = role in _BESIDE_SCORES or (bool(phrases) and not any(one.is_gain for one in phrases))
        if is_reversed(name) if direction is not None else may_be_loss:
            return Said("", None, "", around.where, around.text, is_doubtful=True)
        return Said() if direction is None else Said(_as_name(plain), direction, "", around.where, around.text)
    text = _NO_METRIC.sub(" ", around.text)
    unit = "%" if _PERCENT.search(text) else ""
    explicit = stated_directions(text)
    phrases = list(_phrases(text)) if around.kind != "note" else []
    certain = [one for one in phrases if one.is_certain]
    directions = explicit or {one.is_gain for one in certain}
    agreeing = list(dict.fromkeys(one.text.casefold() for one in certain if {one.is_gain} == directions))
    named = next((one.text for one in certain if [one.text.casefold()] == agreeing), "")
    is_contradicted = bool(explicit) and bool(certain) and not agreeing
    if len(directions) > 1 or is_contradicted or (not directions and any(not one.is_gain for one in phrases)):
        return Said("", None, unit, around.where, around.text, is_doubtful=True)
    direction = next(iter(directions), None)
    return Said(_as_name(named), direction, unit, around.where, around.text, is_stated=bool(explicit))


def _phrases(text: str) -> Iterable[_Phrase]:
    """Yield the longest phrases of a sentence that are names of metrics."""
    words = list(_WORD.finditer(text))
    at = 0
    while at < len(words):
        length = next((n for n in range(_MOST_WORDS, 0, -1) if _is_metric(words[at : at + n], text, n)), 0)
        if length:
            last = words[at + length - 1]
            own = text[words[at].start() : last.end()]
            after = words[at + length] if at + length < len(words) else None
            is_of_it = _is_of_it(text[: words[at].start()], own)
            is_certain = not is_of_it and _is_certain(own, text[last.end() :], after)
            if (sign := _REVERSED.search(text[: words[at].start()])) is not None:
                own = sign[0].strip() + own
                is_certain &= " " not in sign[0].strip() and not sign[0].endswith(" ")
            is_gain = bool(direction_of(own)) and (is_certain or (sign is None and not is_of_it))
            yield _Phrase(own, is_gain, is_certain)
        at += max(1, length)


def _is_of_it(before: str, phrase: str) -> bool:
    """Return whether a phrase is a change in a metric, such as 'accuracy drop' or 'reduction in error'."""
    return _OF_IT_BEFORE.search(before) is not None or not _OF_IT.isdisjoint(_WORD.findall(phrase.casefold()))


def _is_metric(words: Sequence[re.Match[str]], text: str, n: int) -> bool:
    """Return whether the next n adjacent words are the name of a metric."""
    if len(words) < n or words[0][0].casefold() in ("mean", "average"):
        return False
    gaps = [text[one.end() : other.start()] for one, other in pairwise(words)]
    if not all(map(_JOINED.fullmatch, gaps)):
        return False
    whole = text[words[0].start() : words[-1].end()]
    if is_written_apart(whole):
        return True
    names = [word[0].casefold() for word in words]
    is_rate = not _RATES.isdisjoint(names[1:]) or _OF_TIME.match(text, words[-1].end()) is not None
    is_false = not _SIGNS.isdisjoint(names)
    doubtful = frozenset() if is_rate else _NO_METRICS - {"false"} if is_false else _NO_METRICS
    known = [direction_of(name) is not None and name not in doubtful for name in names]
    others = [name for name, is_known in zip(names, known, strict=True) if not is_known]
    if not all(name in _QUALIFIERS or name in _MEANS for name in others):
        return False
    return any(known)


def _is_certain(phrase: str, rest: str, after: re.Match[str] | None) -> bool:
    """Return whether a metric name is unambiguous in its context."""
    words = [word.casefold() for word in _WORD.findall(phrase)]
    if WEAK_LOSSES.issuperset(words) or direction_of(phrase) is None:
        return False
    if len(words) > 1 or words[0] not in _BARE or after is None:
        return True
    return not rest[:1].isspace() or rest.lstrip()[:1] in "([%" or after[0].casefold() in _FOLLOWING


def _as_name(words: str) -> str:
    """Return a metric name for use within a sentence: without the capital letter of a title."""
    first = words.partition(" ")[0]
    return words if not first[1:].islower() else first.casefold() + words[len(first) :]


# the code of a note
UNKNOWN = "unknown-direction"


def unknown_metric(metric: str, classifiers: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Return a note for a metric, or a unit of all classifiers, that does not show whether higher is better."""
    sentence = f"It is not known whether higher or lower {short(metric)} is better: higher is treated as better."
    if not metric.strip() or names_no_metric(metric):
        if not (unit := _shared_unit(classifiers)):
            return ()
        sentence = f"The names of all classifiers end in {unit}, which may be a unit. " + sentence
    elif direction_of_metric(metric) is not None:
        return ()
    return (Finding(code=UNKNOWN, severity="warning", sentence=sentence),)


def _shared_unit(names: Sequence[str]) -> str:
    """Return the short word in brackets at the end of all names, such as ``'(M)'``; return '' if there is none."""
    end = found[0] if len(names) > 1 and (found := _MAYBE_UNIT.search(names[0])) else ""
    if not end or not all(name.endswith((f" {end}", f"_{end}")) for name in names):
        return ""
    # min is a minimum, and a unit in other brackets
    return end if role_of(end[1:-1]) is None or direction_of(f"[{end[1:-1]}]") is False else ""


def unknown_direction(name: str, metric: str) -> TableError:
    """Return the error for a metric with an unknown direction."""
    problem = f"{name}: it is not known whether higher or lower {short(metric)} is better"
    return TableError(problem, "pass {} or {lower}", "greater_is_better", "True")
