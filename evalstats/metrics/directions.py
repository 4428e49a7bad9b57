"""Directions of metrics by their names: whether greater is better."""

from __future__ import annotations

__all__ = [
    "ONE_MINUS",
    "REVERSAL",
    "direction_of",
    "direction_of_metric",
    "is_negated_loss",
    "names_no_metric",
    "words_of",
]

import re

from evalstats._lexicon import one_of, word_list

# words that make a name that of a loss, whatever stands beside them
LOSSES = frozenset(word_list("metrics.less_is_better"))
# words of a loss, unless the name has a word of the other kind: "cost-sensitive accuracy", "time series accuracy"
WEAK_LOSSES = frozenset(word_list("metrics.less_at_last"))
GAINS = frozenset(word_list("metrics.more_is_better"))
# words of names that are known to be of metrics; elsewhere they may be those of datasets, classifiers or anything
_LOSSES_OF_METRICS = frozenset(word_list("metrics.less_of_metrics"))
_GAINS_OF_METRICS = frozenset(word_list("metrics.more_of_metrics"))
# what is measured is not named, and everybody means more of it
_UNNAMED = frozenset(word_list("metrics.any"))
# beside these, such words still name no metric
_BESIDE = frozenset(word_list("metrics.beside_any"))
# units of information that a model needs for one of these: bits per byte, nats/token
_INFORMATION, _CODED = frozenset(word_list("metrics.information")), frozenset(word_list("metrics.coded"))
# so much in a second: tokens/s, samples per second
_RATE = re.compile(rf"(?:\bper[\W_]+|/\s*|_per_){one_of('metrics.duration')}(?![^\W_])", re.IGNORECASE)
# a camel's humps, digits kept with their word
_WORD = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+", re.ASCII)
# names of gains whose words alone say nothing
_WRITTEN_APART = [name.split("_") for name in word_list("metrics.more_apart")]
ONE_MINUS = r"(?:1|100\s*%?)\s*[-\N{MINUS SIGN}\N{EN DASH}]\s*"
# 1 - AUC, -RMSE, 1/RMSE
REVERSAL = re.compile(
    r"\s*(?:" + ONE_MINUS + r"(?=\D)"
    r"|(?:[-\N{MINUS SIGN}\N{EN DASH}]|1\s*/\s*)(?=[^\W\d]))"
)
_NEGATING = frozenset(word_list("metrics.negated"))
_TURNING = _NEGATING.union(word_list("metrics.inverted"))
# recall at 1% FPR, FPR@95TPR: the first is measured where the second has a value
_AT = re.compile(r"\s*@\s*|(?<=\w)[\s_]+at[\s_]+", re.IGNORECASE)
# how much less of it there is: error reduction, accuracy drop
_LESS_OF_IT = frozenset(word_list("metrics.less_of_it"))


def direction_of(name: str) -> bool | None:
    """Return whether greater is better, smaller is better, or None if the name does not show it.

    Parameters
    ----------
    name : str
        Such as ``'Error rate (%)'``, ``'test_error'``, ``'neg_log_loss'`` or ``'Percent_correct'``.

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
    """
    if sign := REVERSAL.match(name):
        of_rest = direction_of(name[sign.end() :])
        return None if of_rest is None else not of_rest
    if (place := _AT.search(name)) and (of_first := direction_of(name[: place.start()])) is not None:
        return of_first
    if (rate := _RATE.search(name)) and rate.start():
        # what is done in a second; time/s is a time in seconds, and 12 h a length
        return _of_words([word.casefold() for word in _WORD.findall(name[: rate.start()])]) is not False
    return _of_phrase([word.casefold() for word in words_of(name)])


def is_negated_loss(name: str) -> bool:
    """Return whether a metric is a loss with the opposite sign, such as ``'neg_log_loss'``.

    Examples
    --------
    >>> from evalstats.metrics.directions import is_negated_loss
    >>> is_negated_loss("neg_log_loss"), is_negated_loss("negative log likelihood"), is_negated_loss("1/RMSE")
    (True, False, False)
    """
    words = [word.casefold() for word in words_of(name)]
    return words[:1] != [] and words[0] in _NEGATING and "likelihood" not in words and _of_words(words[1:]) is False


def direction_of_metric(name: str) -> bool | None:
    """Return the direction of a known metric name, also by words that are ambiguous elsewhere.

    Examples
    --------
    >>> from evalstats.metrics.directions import direction_of, direction_of_metric
    >>> direction_of("energy"), direction_of_metric("energy"), direction_of_metric("Gini")
    (None, False, True)
    """
    told = direction_of(name)
    if told is not None:
        return told
    words = {word.casefold() for word in words_of(name)}
    words |= {word.rstrip("0123456789") for word in words} | {name.strip().casefold()}  # ndcg10, map50, hd95; FLOPs
    if words & (LOSSES | _LOSSES_OF_METRICS):
        return False
    return True if words & (GAINS | _GAINS_OF_METRICS) else None


def names_no_metric(name: str) -> bool:
    """Return whether a name does not identify a metric, such as ``'score'`` and ``'test score (%)'``.

    For such a name, greater is assumed to be better, and every report states this assumption.
    """
    words = {word.casefold() for word in words_of(name)}
    return not words.isdisjoint(_UNNAMED) and words <= _UNNAMED | _BESIDE and name.isascii()


def words_of(name: str) -> list[str]:
    """Return the words of a name, also if only capital letters separate them."""
    name = name.replace("\N{SUPERSCRIPT TWO}", "2")
    if name.isascii():
        return _WORD.findall(name)
    whole = re.findall(r"[^\W_]+", name)
    return [part for word in whole for part in (_WORD.findall(word) if word.isascii() else [word])]


def _of_phrase(words: list[str]) -> bool | None:
    """Return the direction of a metric, also if a word before or after it reverses its direction."""
    if words[:1] and words[0] in _TURNING:
        if "likelihood" in words:
            return False  # the negative log-likelihood is a loss by this name
        of_rest = _of_words(words[1:])
        return True if of_rest is False else of_rest
    if words[1:] and words[-1] in _LESS_OF_IT and (of_rest := _of_words(words[:-1])) is not None:
        return not of_rest
    return _of_words(words)


def _of_words(words: list[str]) -> bool | None:
    found = set(words)
    if found & LOSSES:
        return False
    if found & _INFORMATION and found & _CODED:
        return False
    if {"false", "positive"} <= found or {"false", "negative"} <= found or {"zero", "one"} <= found:
        return False
    if found & GAINS or words in _WRITTEN_APART:
        return True
    return False if found & WEAK_LOSSES else None
