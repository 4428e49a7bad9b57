"""Directions of metrics, inferred from their names: whether greater is better."""

from __future__ import annotations

__all__ = [
    "ONE_MINUS",
    "WEAK_LOSSES",
    "direction_of",
    "direction_of_metric",
    "is_effort",
    "is_negated_loss",
    "is_reversed",
    "is_written_apart",
    "names_no_metric",
    "stated_directions",
    "words_of",
]

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from evalstats._lexicon import one_of, word_list

# words of losses; if a name has two words with a direction, the last word decides: "accuracy loss", "error AUROC"
LOSSES = frozenset(word_list("metrics.less_is_better"))
# words of losses, unless the name also has a word of a gain: "cost-sensitive accuracy", "time series accuracy"
WEAK_LOSSES = frozenset(word_list("metrics.less_at_last"))
GAINS = frozenset(word_list("metrics.more_is_better"))
# also names of classes: "precision incorrect" is the precision of a class
_CLASSES = frozenset(word_list("metrics.class_or_loss"))
_WEAK = WEAK_LOSSES.union(_CLASSES, word_list("metrics.used", "metrics.spent"))
# words of gains with other meanings: they are ignored if the name also has a word of a loss
_ANYTHING = frozenset(word_list("around.no_metric"))
# "accuracy rank" is a rank, and "AUC time" is a time
_RANKS = frozenset(word_list("summaries.rank"))
_AT_LAST = _RANKS.union(word_list("kinds.time"))


def _phrases(*lists: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(name.split("_")) for name in word_list(*lists))


class _Lexicon(NamedTuple):
    """Words and phrases that have a direction, and names of metrics."""

    losses: frozenset[str]
    gains: frozenset[str]
    phrases: dict[tuple[str, ...], bool]
    whole: dict[tuple[str, ...], bool]
    is_of_metrics: bool  # a number after a word is part of it: ndcg10, hd95; other words may accompany a complete name


_EVERYWHERE = _Lexicon(
    losses=LOSSES,
    gains=GAINS,
    phrases={
        **dict.fromkeys(_phrases("metrics.less_phrases"), False),
        **dict.fromkeys(_phrases("metrics.more_phrases"), True),
    },
    whole=dict.fromkeys(_phrases("metrics.more_apart"), True),
    is_of_metrics=False,
)
# words with a direction only in known metric names; elsewhere they may name datasets, classifiers or other things
_OF_METRICS = _Lexicon(
    losses=LOSSES.union(word_list("metrics.less_of_metrics")),
    gains=GAINS.union(word_list("metrics.more_of_metrics")),
    phrases=_EVERYWHERE.phrases,
    whole={
        **_EVERYWHERE.whole,
        **dict.fromkeys(_phrases("metrics.less_alone"), False),
        **dict.fromkeys(_phrases("metrics.more_alone"), True),
    },
    is_of_metrics=True,
)
_LONGEST_PHRASE = max(map(len, _EVERYWHERE.phrases))
_BEGIN_PHRASES = frozenset(phrase[0] for phrase in _EVERYWHERE.phrases)
# names without a quantity, for which greater is usually better
_UNNAMED = frozenset(word_list("metrics.any"))
# with these additional words, such a name still does not identify a metric
_BESIDE = frozenset(word_list("metrics.beside_any"))
# units of information per unit of text: bits per byte, nats/token
_INFORMATION, _CODED = frozenset(word_list("metrics.information")), frozenset(word_list("metrics.coded"))
# throughput: tokens/s, samples per second, tokens/$
_RATE = re.compile(rf"(?:\bper[\W_]+|/\s*|_per_){one_of('metrics.duration', 'metrics.spent')}(?![^\W_])", re.IGNORECASE)
# words in camel case; digits stay with their word
_WORD = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+", re.ASCII)
_APART = re.compile(r"[^\W_]+|[$€£¥]")
# a formula of LaTeX, such as $f_1$, is no amount of dollars
_FORMULA = re.compile(r"\$([^$]*)\$")
ONE_MINUS = r"(?:(?:1|100\s*%?)\s*[-\N{MINUS SIGN}\N{EN DASH}]\s*|(?:(?:1|100\s*%?|one)[\s_-]*)?\bminus[\s_]+)"
# 1 - AUC, -RMSE, - RMSE, 1/RMSE, one minus AUC
_REVERSAL = re.compile(
    r"\s*(?:" + ONE_MINUS + r"(?=\D)"
    r"|(?:[-\N{MINUS SIGN}\N{EN DASH}](?:1\s*[*×·])?|1\s*/)\s*(?=[^\W\d]))",
    re.IGNORECASE,
)
_SPENT = frozenset(word_list("metrics.spent"))
_USED = _SPENT.union(word_list("metrics.used"))
# NB (s), NB [s], ms/image, $ per 1M tokens; not classifier(s)
_UNIT = r"(?P<unit>[^\W\d_][^\W_]*|[$€£¥])(?:(?:\s*/\s*|[\s_]+per[\s_]+)(?P<of>[\w\s]{2,}))?\s*"
_UNITS = tuple(map(re.compile, (_UNIT, rf"(?:.*[\s_])?\({_UNIT}\)\s*", rf".*\[{_UNIT}\]\s*")))
_WHOLE, _SQUARE = 0, 2
_LETTERS = frozenset("shJ$€£¥")  # units of one letter, as they are written
_OTHERWISE = frozenset(("min", "j"))  # in round brackets also a minimum, and Youden's J
_EXTREMES, _DURATIONS = frozenset(word_list("kinds.extreme")), frozenset(word_list("metrics.duration"))
# words after "1-" for which it is not a subtraction: 1-shot accuracy, 1-NN error
_JOINED_TO_ONE = re.compile(r"\s*1[-\N{EN DASH}]([^\W\d_]+)")
_QUALIFIERS = frozenset(word_list("metrics.qualifier", "metrics.any", "metrics.beside_any"))
_NEGATING = frozenset(word_list("metrics.negated"))
_TURNING = _NEGATING.union(word_list("metrics.inverted"))
# the negative log-likelihood is a loss, although its name begins with a sign
_LOSS_IF_NEGATED = frozenset(word_list("metrics.loss_if_negated"))
# "negative class error" is the error in a class
_NAMES_OF_CLASSES = frozenset(word_list("metrics.class"))
# error-free, no errors
_FREE, _NO = frozenset(word_list("metrics.free")), frozenset(word_list("metrics.no"))
# "error detection rate", "cost-aware learning": here, the word of a loss does not name the metric
_ABOUT = frozenset(word_list("metrics.about"))
# the metric precedes these words: AUROC of errors, loss in accuracy
_PREPOSITIONS = frozenset(word_list("metrics.preposition"))
# recall at 1% FPR, FPR@95TPR: the first metric is computed at a value of the second
_AT = re.compile(r"\s*@\s*|(?<=\w)[\s_]+at[\s_]+", re.IGNORECASE)
# top@1 error
_OF_THE_FIRST = re.compile(r"@\d+[\s_]+(?=[^\W\d])")
_GAINS_AT = frozenset(word_list("metrics.more_at"))
_UNKNOWN_AT = frozenset(word_list("metrics.unknown_at"))
# error (1 - accuracy)
_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
# names of decreases: error reduction, accuracy drop
_LESS_OF_IT = frozenset(word_list("metrics.less_of_it"))
_BETTER = frozenset(word_list("metrics.better"))
_UNKNOWN_OF_IT = frozenset(word_list("metrics.unknown_of_it"))
_OF_IT = _LESS_OF_IT | _BETTER | _UNKNOWN_OF_IT
# effort until a success: steps to success
_EFFORT, _UNTIL = frozenset(word_list("metrics.effort")), frozenset(word_list("metrics.until"))
_LOWER = re.compile(r"\b(?:lower|smaller|less|fewer)\b(?:\W+\w+){0,3}\W+better\b|↓", re.IGNORECASE)
_HIGHER = re.compile(r"\b(?:higher|greater|larger|bigger|more)\b(?:\W+\w+){0,3}\W+better\b|↑", re.IGNORECASE)


@lru_cache(maxsize=10_000)  # the readers look up the same names repeatedly
def direction_of(name: str) -> bool | None:
    """Return True if greater is better, False if smaller is better, or None if the name does not show the direction.

    Parameters
    ----------
    name : str
        Name of a metric, such as ``'Error rate (%)'``, ``'test_error'``, ``'neg_log_loss'`` or ``'Percent_correct'``.

    Returns
    -------
    bool or None

    Examples
    --------
    >>> from evalstats.metrics.directions import direction_of
    >>> [direction_of(name) for name in ("Error rate (%)", "classif.ce", "neg_log_loss", "F1", "score")]
    [False, False, True, True, None]
    >>> [direction_of(name) for name in ("1 - AUC", "-RMSE", "recall at 1% FPR", "FPR@95TPR", "error reduction")]
    [False, True, True, False, True]
    >>> [direction_of(name) for name in ("error-free rate", "error AUROC", "AUROC of errors", "neg_accuracy")]
    [True, True, True, None]
    """
    return _direction(name, _EVERYWHERE)


def is_negated_loss(name: str) -> bool:
    """Return whether a metric is a loss with the opposite sign, such as ``'neg_log_loss'``.

    Examples
    --------
    >>> from evalstats.metrics.directions import is_negated_loss
    >>> is_negated_loss("neg_log_loss"), is_negated_loss("negative log likelihood"), is_negated_loss("1/RMSE")
    (True, False, False)
    """
    words = _words(name, _EVERYWHERE)
    at = next((i for i, word in enumerate(words) if word in _NEGATING), None)
    if at is None or not _LOSS_IF_NEGATED.isdisjoint(words) or _of_words(words[:at], _EVERYWHERE) is not None:
        return False
    return _of_words(words, _EVERYWHERE) is True and _of_words(words[at + 1 :], _EVERYWHERE) is False


def direction_of_metric(name: str) -> bool | None:
    """Return the direction of a name that is known to be a metric. It also reads ambiguous words and arrows.

    If the name and its arrow contradict each other, the direction is None.

    Examples
    --------
    >>> from evalstats.metrics.directions import direction_of, direction_of_metric
    >>> direction_of("energy"), direction_of_metric("energy"), direction_of_metric("Gini")
    (None, False, True)
    >>> direction_of_metric("PER ↓"), direction_of_metric("accuracy ↓")
    (False, None)
    """
    told = direction_of(name)
    if told is None:
        told = _direction(name, _OF_METRICS)
    stated = stated_directions(name)
    return told if not stated or told in stated else next(iter(stated)) if told is None and len(stated) == 1 else None


def stated_directions(text: str) -> set[bool]:
    """Return the directions that a string states by an arrow or by words such as "lower is better"."""
    return {is_gain for is_gain, told in ((False, _LOWER), (True, _HIGHER)) if told.search(text)}


def is_reversed(name: str) -> bool:
    """Return whether a name begins with a subtraction or a sign: ``'1-AUC'``, but not ``'1-shot accuracy'``."""
    return _reversal(name) is not None


def _reversal(name: str) -> re.Match[str] | None:
    """Return the subtraction or the sign at the beginning of a name."""
    if (found := _JOINED_TO_ONE.match(name)) is not None:
        first = _words(found[1], _OF_METRICS)
        if first[0] not in _QUALIFIERS and all(_of_words([word], _OF_METRICS) is None for word in first):
            return None
    return _REVERSAL.match(name)


def is_effort(name: str) -> bool:
    """Return whether a name describes an effort until a success, such as ``'steps to success'``."""
    return any(itertools.starmap(_are_effort, itertools.pairwise(_words(name, _EVERYWHERE))))


def _are_effort(word: str, after: str) -> bool:
    return word in _EFFORT and after in _UNTIL


def is_written_apart(name: str) -> bool:
    """Return whether several words together are the name of a metric, such as ``'bits per byte'``."""
    words = _words(name, _EVERYWHERE)
    return tuple(words) in _EVERYWHERE.phrases or (len(words) == 3 and words[1] == "per" and _is_information(words))


def names_no_metric(name: str) -> bool:
    """Return whether a name, such as ``'score'`` or ``'test score (%)'``, does not identify a metric.

    For an unknown name, greater values are assumed to be better, and every report states this assumption.
    """
    words = {word.casefold() for word in words_of(name)}
    return not words.isdisjoint(_UNNAMED) and words <= _UNNAMED | _BESIDE and name.isascii()


def words_of(name: str) -> list[str]:
    """Return the words of a name, even if only capital letters separate them."""
    name = name.replace("\N{SUPERSCRIPT TWO}", "2")
    if name.isascii():
        return _WORD.findall(name)
    whole = re.findall(r"[^\W_]+", name)
    return [part for word in whole for part in (_WORD.findall(word) if word.isascii() else [word])]


def _words(name: str, lexicon: _Lexicon) -> list[str]:
    """Split a name into words in lower case; do not split words of the lexicon at capital letters."""
    found: list[str] = []
    for chunk in _APART.findall(_without_formulas(name).replace("\N{SUPERSCRIPT TWO}", "2")):
        word = chunk.casefold()
        is_whole = _of_word(word, lexicon) is not None or (word,) in lexicon.whole
        found += [word] if is_whole else [part.casefold() for part in words_of(chunk)]
    return found


def _without_formulas(name: str) -> str:
    """Return a name without the dollar signs around LaTeX formulas."""
    return _FORMULA.sub(r"\1", name) if "$" in name else name


def _direction(name: str, lexicon: _Lexicon) -> bool | None:
    name = _without_formulas(name)
    if sign := _reversal(name):
        of_rest = _direction(name[sign.end() :], lexicon)
        return None if of_rest is None else not of_rest
    if found := _BRACKETS.search(name):
        outside = _direction(name[: found.start()] + " " + name[found.end() :], lexicon)
        inside = found[1] or found[2] or ""
        if outside is not None or is_reversed(inside):
            return outside if outside is not None else _direction(inside, lexicon)
    if (place := _AT.search(name)) and (first := _words(name[: place.start()], lexicon)):
        if first[-1] in _UNKNOWN_AT:
            return None
        told = first[-1] in _GAINS_AT or _of_words(first, lexicon)
        number = _OF_THE_FIRST.search(name)
        return _direction(name[number.end() :], lexicon) if told is None and number else told
    is_used, rate = _is_used(name, lexicon), _RATE.search(name)
    if not is_used and rate and rate.start():
        # throughput; but time/s is a time in seconds, and 12 h a duration
        return _of_words(_words(name[: rate.start()], lexicon), lexicon) is not False
    return False if is_used else _of_words(_words(name, lexicon), lexicon)


def _is_used(name: str, lexicon: _Lexicon) -> bool:
    """Return whether a name is a unit of time, memory, energy or money, or ends with such a unit in brackets."""
    place, found = next(((i, one) for i, units in enumerate(_UNITS) if (one := units.fullmatch(name))), (0, None))
    unit = found["unit"].casefold() if found else ""
    if found is None or unit not in _USED or (len(unit) == 1 and found["unit"] not in _LETTERS):
        return False
    if found["of"]:
        of = found["of"].casefold().split()[0]
        return of not in _EXTREMES and (unit in _SPENT or of not in _DURATIONS)
    if place == _WHOLE:
        return lexicon.is_of_metrics and _is_unit(unit)
    return place == _SQUARE or unit not in _OTHERWISE


def _is_unit(word: str) -> bool:
    """Return whether a word is a unit, even without brackets."""
    return word in _USED and word not in _OTHERWISE and (len(word) > 1 or not word.isalpha())


def _of_words(words: Sequence[str], lexicon: _Lexicon) -> bool | None:
    """Return the direction of a name: split the name at prepositions, and use the first part that has a direction."""
    for i, word in enumerate(words):
        if not i or word not in _PREPOSITIONS:
            continue
        if _are_effort(words[i - 1], word):
            return False
        if words[i - 1] in _OF_IT:
            return _of_part([*words[i + 1 :], words[i - 1]], lexicon)  # reduction in error
        if (told := _of_part(words[:i], lexicon)) is not None:
            return told
    return _of_part(words, lexicon)


def _of_part(words: Sequence[str], lexicon: _Lexicon) -> bool | None:
    """Return the direction of words; account for words that reverse the direction of a metric."""
    if words[1:] and words[0] in _UNKNOWN_OF_IT:
        return None  # delta accuracy
    if words[1:] and words[-1] in _OF_IT:
        of_rest = _of_part(words[:-1], lexicon)
        if of_rest is not None:
            return None if words[-1] in _UNKNOWN_OF_IT else words[-1] in _BETTER or not of_rest
    found = list(_told(words, lexicon))
    turned = next((i for i, (word, _) in enumerate(found) if word in _TURNING), None)
    if turned is not None and not any(told is not None for _, told in found[:turned]):
        rest = [word for word, _ in found[turned + 1 :]]
        of_rest = None if rest[:1] and rest[0] in _NAMES_OF_CLASSES else _decisive(found[turned + 1 :])
        if of_rest is not None:
            # "negative F1" may be the F1 of the negative class
            return True if not of_rest else None if _LOSS_IF_NEGATED.isdisjoint(rest) else False
    bare = [word for word in words if word not in _QUALIFIERS and not word.isdecimal()]
    names = (words, bare) if lexicon.is_of_metrics else (words,)
    of_whole = next((lexicon.whole[tuple(name)] for name in names if tuple(name) in lexicon.whole), None)
    return _decisive(found) if of_whole is None else of_whole


def _told(words: Sequence[str], lexicon: _Lexicon) -> Iterator[tuple[str, bool | None]]:
    """Yield the words and phrases of a name with their directions, without losses that are not the metric."""
    at = 0
    while at < len(words):
        word, after = words[at], words[at + 1] if at + 1 < len(words) else ""
        lengths = range(min(_LONGEST_PHRASE, len(words) - at), 1, -1) if word in _BEGIN_PHRASES else ()
        length = next((n for n in lengths if tuple(words[at : at + n]) in lexicon.phrases), 0)
        told = _of_word(word, lexicon)
        if length:
            yield "_".join(words[at : at + length]), lexicon.phrases[tuple(words[at : at + length])]
        elif _says_none(word, after, lexicon):
            length = 2
            yield f"{word}_{after}", True
        elif told is False and ((after in _ABOUT and len(words) > at + 2) or (word in _RANKS and after.isdecimal())):
            length = 2
            yield f"{word}_{after}", None
        else:
            yield word, told
        at += max(1, length)


def _says_none(word: str, after: str, lexicon: _Lexicon) -> bool:
    """Return whether two words negate a loss, such as "error-free" or "no errors"."""
    if after in _FREE:
        return _of_word(word, lexicon) is False
    return word in _NO and after in lexicon.losses


def _of_word(word: str, lexicon: _Lexicon) -> bool | None:
    words = {word, word.rstrip("0123456789")} if lexicon.is_of_metrics else {word}
    if words & lexicon.losses or word in WEAK_LOSSES or (lexicon.is_of_metrics and _is_unit(word)):
        return False
    return True if words & lexicon.gains else None


def _decisive(found: Sequence[tuple[str, bool | None]]) -> bool | None:
    """Return the direction of the last word with an unambiguous direction."""
    words = [word for word, _ in found]
    if _is_information(words) or not _AT_LAST.isdisjoint(words[-1:]):
        return False
    losses = [i for i, (word, told) in enumerate(found) if told is False and word not in _WEAK]
    gains = [i for i, (word, told) in enumerate(found) if told and (word not in _ANYTHING or not losses)]
    if losses or gains:
        return max(gains, default=-1) > max(losses, default=-1)
    return False if any(told is False for _, told in found) else None


def _is_information(words: Sequence[str]) -> bool:
    return not _INFORMATION.isdisjoint(words) and not _CODED.isdisjoint(words)
