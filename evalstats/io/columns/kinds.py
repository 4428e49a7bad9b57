"""Columns with values of a classifier other than its scores: training scores, times, spreads, ranks.

``LR_test`` and ``LR_train`` are not two classifiers. If several column names have a prefix or suffix in common, it
states the kind of column. evalstats compares one kind, and a note lists the other kinds.
"""

from __future__ import annotations

__all__ = [
    "BESIDE",
    "TOLD",
    "Kinds",
    "companions",
    "datasets_and_metrics",
    "doubtful",
    "is_beside",
    "is_kind",
    "kinds_of",
    "of_kinds",
    "role_of",
    "same_again",
    "shared_metric",
]

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from evalstats._errors import listed
from evalstats._lexicon import TRUTHS, names_of, simplified, word_list
from evalstats.io.columns.grammar import is_classifier_name, is_dataset_name
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import numbers_in
from evalstats.metrics.directions import direction_of, direction_of_metric, is_reversed
from evalstats.tables.errors import TableError, short

# kinds of columns by words, from the first to decide to the last
_ROLES = names_of("kinds")
_ROLE_OF = {word: role for role in _ROLES for word in word_list(f"kinds.{role}")}
# words that add nothing to the other words of a name; "fit time" and "95 % CI" are one kind
_BESIDE = frozenset(word_list("beside_kinds.words"))
# words of metrics without a meaning of their own
_OF_METRICS = frozenset(word_list("metrics.qualifier"))
_COUNT = re.compile(r"(?:^|\s)#\s*[^\W\d_]{2}")  # "# eval": the number of them
_SECOND = ("spread", "time", "rank", "p-value", "number", "training", "extreme")
BESIDE = (*(role for role in _SECOND if role != "extreme"), "validation")  # beside the scores of tests
_SETS = ("training", "test", "validation")
_PAIRED = (*BESIDE, "test")
TOLD = {
    "training": "training score",
    "p-value": "p-value",
    "extreme": "best or worst score",
    "validation": "validation score",
}
_WORDS = re.compile(r"s\.[de]\.|[^\W_]+|[±$€£¥]", re.IGNORECASE)
_UNIT = re.compile(r"\s*[\[(](?:[kmbg]|[kmg]b|%)[\])]\s*$", re.IGNORECASE)
_UNIT_LAST = re.compile(r"(.*\S)\s*[\[(]([^\W\d_]+|[%$€£¥])[\])]\s*")
_UNITS = {"s": "seconds", "h": "hours", "min": "minutes", "J": "joules"}
_LONG_NUMBER = re.compile(r"\d{3,}", re.ASCII)  # in no word of the lexicon of kinds and metrics
_SIZE = re.compile(r"(params?|parameters|flops|macs|memory)[ _](?:[kmbgt]|[kmgt]b)", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_JOINTS = " \t_.-/|:~([{)]}"
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_ONE_BRACKET = str.maketrans("[]{}", "()()")
_NUMBER_APART = re.compile(r"\d+(?!-?[^\W_])")  # not 5-shot
_LONGEST = 80  # maximum length of a name of a kind of column, in characters


class Kinds(NamedTuple):
    """Compared columns with their new names, reasons to omit other columns, the columns of spreads, and the metric."""

    names: dict[int, str]
    beside: dict[int, str]
    spreads: dict[int, int]
    metric: str
    sentence: str


@lru_cache(maxsize=10_000)
def role_of(phrase: str) -> str | None:
    """Return the kind of column that a name states, such as ``'spread'`` or ``'metric'``, or None."""
    if len(phrase) > _LONGEST or phrase.isdecimal() or phrase.casefold() in TRUTHS:
        return None
    if _COUNT.search(phrase):
        return "number"
    return _role_of(_LONG_NUMBER.sub("999", phrase))  # names that differ only in long numbers share one cache entry


@lru_cache(maxsize=10_000)
def _role_of(phrase: str) -> str | None:
    if phrase.rstrip().endswith((")", "]")):
        phrase = _UNIT.sub("", phrase)
    if (size := _SIZE.fullmatch(phrase)) is not None:
        phrase = size[1]
    words = [word.casefold() for word in _words(phrase)]
    joined = "".join(words)
    if joined.removesuffix("s") in word_list("beside_kinds.pvalue"):
        return "p-value"
    if joined in _ROLE_OF:  # FLOPs, StdDev
        return _ROLE_OF[joined]
    others = [word for word in words if word not in _ROLE_OF and word not in _BESIDE and not word.isdecimal()]
    if others and (not all(map(_is_of_metrics, others)) or direction_of(" ".join(others)) is None):
        return None
    roles = {_ROLE_OF[word] for word in words if word in _ROLE_OF}
    if others == ["f"] and "mean" not in roles:
        return None  # one letter of a name
    if len(others) > 4 or not (roles or others) or {"min", "max"}.issubset(words):  # MinMax is a name
        return None
    found = next((role for role in _ROLES if role in roles), "metric")
    return "metric" if found in ("mean", "test") and others else found


def is_kind(name: str) -> bool:
    """Return whether a whole name denotes a kind of column, such as 'std', and no classifier or dataset."""
    return role_of(name) is not None


def is_beside(name: str) -> bool:
    """Return whether a name begins or ends with a kind of column that is not compared, such as ``'LR std'``."""
    parts = (_parts(name, last=last) for last in (True, False))
    return any(part is not None and role_of(part[1]) in BESIDE for part in parts)


def datasets_and_metrics(names: Sequence[str]) -> dict[int, tuple[str, str]]:
    """Return the dataset and the metric in names such as ``'iris accuracy'``, by position.

    Nothing is returned if fewer than half of all names contain a known dataset.

    Examples
    --------
    >>> from evalstats.io.columns.kinds import datasets_and_metrics
    >>> datasets_and_metrics(["iris_f1", "F1 wine"]), datasets_and_metrics(["micro F1", "macro F1"])
    ({0: ('iris', 'f1'), 1: ('wine', 'F1')}, {})
    """
    longer = ((i, name) for i, name in enumerate(names) if role_of(name) is None)  # win rate is one metric
    parts = ((i, _parts(name, last=True) or _parts(name, last=False)) for i, name in longer)
    split = {i: part for i, part in parts if part is not None and role_of(part[1]) == "metric"}
    known = sum(is_dataset_name(own) for own, _ in split.values())
    return split if known > 1 and 2 * known >= len(names) else {}


def doubtful(grid: Grid, heads: list[int], every: list[int]) -> list[int]:
    """Return the columns whose names are checked: all, if one is left and a name is the name of a metric."""
    return every if len(heads) < 2 and "metric" in {role_of(grid.header[j]) for j in every} else heads


def kinds_of(grid: Grid, heads: Sequence[int], metric: str | None, kept: Iterable[str]) -> Kinds | None:
    """Return the kinds in the names of the columns of scores at `heads`, or None if the names have no kinds."""
    at = [j for j in heads if grid.header[j] not in set(kept)]
    ends, starts = ({j: _parts(grid.header[j], last=last) for j in at} for last in (True, False))
    for parts in (ends, starts):
        split = {j: part for j, part in parts.items() if part is not None and not _is_no_such(grid, j, part[1])}
        if found := _of_whole_names(grid, at, split, metric):
            return found
        _refuse_uneven(grid, split, _PAIRED if parts is ends else _SETS)
    return _of_one_metric(grid, at)


def _is_no_such(grid: Grid, j: int, kind: str) -> bool:
    """Return whether the values of a column contradict its name: the column SE-ResNet holds no standard errors."""
    role, is_first = role_of(kind), grid.header[j].startswith(kind)
    if role in ("rank", "number") and is_first:
        values = [value for value in numbers_in(grid.columns[j], ".") if value is not None]
        return all(value < 1 for value in values) or (role == "rank" and max(values) > len(grid.header))
    if role != "spread":
        return False
    columns = [numbers_in(column, ".") for column in (grid.columns[j], *grid.columns)]
    own, *others = (np.array([math.nan if x is None else x for x in column]) for column in columns)
    largest = max((np.nanmax(one) for one in others if not np.isnan(one).all()), default=math.nan)
    # the spread of numbers between 0 and 1 is at most half of the range, in most rows
    return (
        bool(np.nanmedian(own) > (0.5 if largest <= 1 else 50)) if not np.isnan(own).all() and largest <= 100 else False
    )


def _refuse_uneven(grid: Grid, split: Mapping[int, tuple[str, str]], known: Collection[str]) -> None:
    """Reject a table in which only some classifiers have a second column, with a role in `known`."""
    first: dict[str, int] = {}
    for j, (own, kind) in split.items():
        roles = {role_of(kind), role_of(split[first.setdefault(own, j)][1])}
        are_apart = all(re.search(r"[\W_]", grid.header[i]) for i in (first[own], j))  # TestNet, TrainNet are names
        if first[own] != j and are_apart and not roles.isdisjoint(known):
            raise TableError(
                f"{grid.name}: the columns {short(grid.header[first[own]])} and {short(grid.header[j])} seem to belong "
                "to one classifier, but some other classifiers do not have two such columns",
                "exclude the columns without scores, for example with {}; if both are classifiers, pass {keep}",
                "drop",
                grid.header[j],
            )


def companions(grid: Grid, heads: Sequence[int], decimal: str, kept: Iterable[str]) -> dict[int, str]:
    """Map columns with values of a classifier other than its scores, such as its time, to the reason to omit them."""
    own_names, found = {simplified(grid.header[j]): grid.header[j] for j in heads}, {}
    for j in (j for j in heads if grid.header[j] not in set(kept)):
        for parts in (_parts(grid.header[j], last=True), _parts(grid.header[j], last=False)):
            if parts is None or not (whose := own_names.get(simplified(parts[0]))):
                continue
            role = role_of(parts[1])
            if role in ("test", "validation"):
                raise TableError(
                    f"{grid.name}: the columns {short(whose)} and {short(grid.header[j])} seem to belong to one "
                    "classifier",
                    "leave out one of them, for example with {}; if both are classifiers, pass {keep}",
                    "drop",
                    grid.header[j],
                )
            if role in _SECOND and role != "extreme" and not _is_no_such(grid, j, parts[1]):
                found[j] = _told(role, parts[1], whose)
    return found | _in_units(grid, heads, [j for j in heads if grid.header[j] not in set(kept) | set(found)], decimal)


def _in_units(grid: Grid, heads: Sequence[int], at: Sequence[int], decimal: str) -> dict[int, str]:
    """Map columns of a different measure, such as ``NB (MB)`` next to ``NB``, to the reason to omit them."""
    own_names, found, asked = {simplified(grid.header[j]): j for j in heads}, {}, []
    for j in at:
        parts = _UNIT_LAST.fullmatch(grid.header[j])
        whose = own_names.get(simplified(parts[1])) if parts else None
        if parts is None or whose is None or not (parts[2] == "%" or direction_of(f"({parts[2]})") is False):
            continue
        found[j] = _told("", parts[2], grid.header[whose])
        own, scores = (
            [value for value in numbers_in(grid.columns[i], decimal) if value is not None and not math.isnan(value)]
            for i in (j, whose)
        )
        if own and scores and max(own) >= min(scores) and min(own) <= max(scores):
            asked.append(grid.header[j])
    if asked:
        raise TableError(
            f"{grid.name}: {listed(asked)} {'has' if len(asked) == 1 else 'have'} the name of another column and a "
            "unit, but values that look like scores",
            "if these are other values of the same classifiers, pass {}; if they are classifiers, pass {keep}",
            "drop",
            tuple(asked),
        )
    return found


def of_kinds(
    grid: Grid, at: Sequence[int], names: Sequence[str], kinds: Sequence[str], metric: str | None
) -> Kinds | None:
    """Return the compared columns from names and kinds of all columns, or None if a kind is unknown."""
    roles = {kind: role_of(kind) for kind in dict.fromkeys(kinds)}
    if None in roles.values():
        return None
    chosen = _chosen(grid, {kind: role for kind, role in roles.items() if role}, metric)
    compared = {j: name for j, name, kind in zip(at, names, kinds, strict=True) if kind == chosen}
    position = {name: j for j, name in compared.items()}
    beside = {
        j: _told(str(roles[kind]), kind, name) for j, name, kind in zip(at, names, kinds, strict=True) if kind != chosen
    }
    spreads = {
        position[name]: j
        for j, name, kind in zip(at, names, kinds, strict=True)
        if roles[kind] == "spread" and name in position and list(roles.values()).count("spread") == 1
    }
    others = [kind for kind in roles if kind != chosen]
    sentence = f"For each classifier, the columns {short(chosen)} are compared" + (
        f", and {listed(others)} {'is' if len(others) == 1 else 'are'} not." if others else "."
    )
    return Kinds(compared, beside, spreads, chosen if roles[chosen] == "metric" else "", sentence)


def same_again(names: Sequence[str]) -> list[str]:
    """Return the beginnings of names if all have the same numbers: LR and NB for LR_1, LR_2, NB_1, NB_2."""
    numbers: dict[str, list[str]] = {}
    for name in names:
        end = len(name.rstrip("0123456789"))
        number = name[end:]
        while number and end > 1 and not name[end - 1].isalnum():
            end -= 1
        numbers.setdefault(name[:end] or name, []).append(number.lstrip("0") or "0")
    if len(numbers) < 2 or len({tuple(found) for found in numbers.values()}) != 1:
        return []
    first = next(iter(numbers.values()))
    return list(numbers) if len(first) > 1 and first in (_from(0, first), _from(1, first)) else []


def _from(start: int, numbers: Sequence[str]) -> list[str]:
    return list(map(str, range(start, start + len(numbers))))


def _words(name: str) -> list[str]:
    parts = _WORDS.findall(name)
    return parts if name.islower() else [word for part in parts for word in _HUMP.split(part)]


def _parts(name: str, *, last: bool) -> tuple[str, str] | None:
    """Split a column name into classifier and kind, with the kind last or first. Return None if it has no kind."""
    return (_parts_once if len(name) <= _LONGEST else _parts_of)(name)[last]


def _cuts(name: str) -> set[int]:
    """Return the positions at which the words of a name begin, except the first word."""
    cuts = {match.start() for match in _WORDS.finditer(name)} - {0}
    if not name.islower():
        cuts.update(match.start() for match in _HUMP.finditer(name))
    return cuts


def _parts_of(name: str) -> tuple[tuple[str, str] | None, tuple[str, str] | None]:
    """Return the parts of a name with the kind first, and with the kind last."""
    cuts = sorted(_cuts(name))
    return _best_of(name, cuts, last=False), _best_of(name, cuts[::-1], last=True)


def _best_of(name: str, cuts: Sequence[int], *, last: bool) -> tuple[str, str] | None:
    best = None
    for cut in cuts:
        if (len(name) - cut if last else cut) > _LONGEST:
            break
        own, kind = (name[:cut], name[cut:]) if last else (name[cut:], name[:cut])
        kind = _bare(kind)
        if not is_kind(kind) or not _WORDS.search(own) or _is_number(kind, last=last):
            continue
        if "=" in kind and role_of(kind) == "number":
            continue  # a setting, as in RF(n=10)
        best = _bare(own), kind
    return None if best is None or role_of(best[0]) is not None else best


def _bare(part: str) -> str:
    """Remove separators from the ends of a part of a name. Keep a bracket if its partner is inside."""
    bare = part.strip(_JOINTS)
    if bare == part:
        return part
    begin = part.find(bare)
    end = begin + len(bare)
    for opened, closed in _BRACKETS:
        if closed in part[end:] and bare.count(opened) > bare.count(closed):
            end = part.index(closed, end) + 1
        elif opened in part[:begin] and bare.count(opened) < bare.count(closed):
            begin = part.rindex(opened, 0, begin)
    return part[begin:end]


_parts_once = lru_cache(maxsize=10_000)(_parts_of)


@lru_cache(maxsize=10_000)
def _is_of_metrics(word: str) -> bool:
    return word in _OF_METRICS or word == "f" or direction_of(word) is not None


def _is_number(kind: str, *, last: bool) -> bool:
    """Return whether the word of a kind next to the classifier is a number, as in C4.5 train."""
    words = _words(kind)
    end = words[0 if last else -1]
    return end.isdecimal() and not (end in ("90", "95", "99") and "ci" in map(str.casefold, words))


def _of_whole_names(
    grid: Grid, at: Sequence[int], split: Mapping[int, tuple[str, str]], metric: str | None
) -> Kinds | None:
    """Return the compared columns if every classifier has the same kinds of columns. Otherwise return None."""
    kinds: dict[str, list[str]] = {}
    for own, kind in split.values():
        kinds.setdefault(own, []).append(kind)
    if len(split) < max(2, len(at)) or len({frozenset(found) for found in kinds.values()}) != 1:
        return None
    if len(kinds) == 1 and not _tell_of_one(grid, split):
        return None
    n_kinds = len(next(iter(kinds.values())))
    if n_kinds == 1:
        _refuse_one_kind(grid, split, len(kinds))
        return None
    if n_kinds * len(kinds) != len(split):
        return None
    names, said = zip(*split.values(), strict=True)
    return of_kinds(grid, list(split), names, said, metric)


def _tell_of_one(grid: Grid, split: Mapping[int, tuple[str, str]]) -> bool:
    """Return whether all columns belong to one classifier, such as training and test scores."""
    roles = {role_of(kind) for _, kind in split.values()}
    are_apart = all(re.search(r"[\W_]", grid.header[j]) for j in split)  # TestNet, TrainNet are names
    return are_apart and roles <= {"spread", "time", "training", "validation", "test", "mean", "metric", "number"}


def _refuse_one_kind(grid: Grid, split: Mapping[int, tuple[str, str]], n_names: int) -> None:
    """Reject a table whose columns all hold training scores, times, spreads, counts or p-values."""
    kind = next(iter(split.values()))[1]
    role = role_of(kind)
    if role in ("training", "time", "spread", "number", "p-value") and n_names > 1:
        _refuse_other_than_scores(grid, list(split), TOLD.get(role, kind))


def _refuse_other_than_scores(grid: Grid, at: Sequence[int], what: str) -> None:
    raise TableError(
        f"{grid.name}: the columns {listed([grid.header[j] for j in at])} hold the {what} of each classifier, not "
        "scores on new data",
        "to compare them nevertheless, pass {}",
        "layout",
        "wide",
    )


def shared_metric(names: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return the metric shared by all names, at their end or beginning, and the rest of each name.

    The direction comes from all shared words: `neg_log_loss`, not `log_loss`.

    Examples
    --------
    >>> from evalstats.io.columns.kinds import shared_metric
    >>> shared_metric(["LR_neg_log_loss", "RF_neg_log_loss"]), shared_metric(["LR (1-AUC)", "RF (1-AUC)"])
    (('neg_log_loss', ['LR', 'RF']), ('1-AUC', ['LR', 'RF']))
    >>> shared_metric(["LR", "RF"])
    """
    if len(names) < 2 or max(map(len, names)) > 2 * _LONGEST:
        return None
    alike = [name.translate(_ONE_BRACKET) for name in names]
    first, places = alike[0], sorted(_cuts(names[0]))
    for last in (True, False):
        for cut in places if last else reversed(places):  # the most words first
            shared = first[cut:] if last else first[:cut]
            ends = [len(name) - len(shared) if last else len(shared) for name in names]
            if not all((name.endswith if last else name.startswith)(shared) for name in alike):
                continue
            metric = _bare(names[0][cut:] if last else names[0][:cut])
            is_unit = last and shared.endswith(")") and direction_of(names[0][cut - 1 :]) is False
            metric = _UNITS.get(metric, metric) if is_unit else metric
            if direction_of_metric(metric) is None or not all(
                end in _cuts(name) for end, name in zip(ends, names, strict=True)
            ):
                continue
            rest = [_bare(name[:end] if last else name[end:]) for name, end in zip(names, ends, strict=True)]
            is_number = last and _NUMBER_APART.match(metric) is not None and not is_reversed(metric)
            is_name = is_classifier_name(metric) and not is_unit  # GB is a classifier, and [GB] a unit
            if is_number or is_name or not all(rest):
                continue
            return metric, rest
    return None


def _of_one_metric(grid: Grid, at: Sequence[int]) -> Kinds | None:
    """Return the compared columns if all names contain one metric and most other parts are classifiers."""
    names = [grid.header[j] for j in at]
    found = shared_metric(names)
    if found is None or 2 * sum(map(is_classifier_name, found[1])) < len(names):
        return None
    metric, own = found
    if "training" in map(_ROLE_OF.get, map(str.casefold, _words(metric))):
        _refuse_other_than_scores(grid, at, TOLD["training"])
    sentence = f"All names of classifiers contain {short(metric)}, which is treated as the metric."
    return Kinds(dict(zip(at, own, strict=True)), {}, {}, metric, sentence)


def _chosen(grid: Grid, roles: Mapping[str, str], metric: str | None) -> str:
    """Return the requested kind of column, or the only kind that holds scores."""
    if metric is not None and (asked := [kind for kind in roles if _plain(kind) == _plain(metric)]):
        return asked[0]
    first = [kind for kind, role in roles.items() if role not in _SECOND]
    of_tests = [kind for kind in first if roles[kind] != "validation"]
    found = of_tests or first
    if len(found) == 1:
        return found[0]
    if not found:
        raise TableError(
            f"{grid.name}: the columns {listed(roles)} of each classifier hold no scores on new data",
            "to compare them all as classifiers, pass {}",
            "layout",
            "wide",
        )
    problem = (
        f"{grid.name}: the columns of each classifier are {listed(roles)}, and several of them may hold the "
        f"scores: {listed(found)}"
    )
    raise TableError(problem, "choose one, for example {}", "metric", found[0])


def _told(role: str, kind: str, name: str) -> str:
    """Return the reason for omitting a column. The reason follows the name of the column in a sentence."""
    return f"contains the {TOLD.get(role, kind)} of {name}"


def _plain(name: str) -> str:
    return "".join(_words(name)).casefold()
