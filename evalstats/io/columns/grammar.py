"""Names of classifiers, datasets, runs and hyperparameter settings.

The module lists names that are frequent in papers and programs. They are evidence for the layout of a table, but never
the only reason to change it.
"""

from __future__ import annotations

__all__ = [
    "VERSUS",
    "Split",
    "alike",
    "count_on",
    "counted",
    "is_classifier_name",
    "is_dataset_name",
    "is_run",
    "runs_behind",
    "runs_of",
    "settings_finding",
    "split_of",
]

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from evalstats._errors import listed
from evalstats._findings import Finding
from evalstats._lexicon import one_of, plain_name, word_list
from evalstats.metrics.directions import direction_of

FEWEST_COUNTED = 3


# a name with one of these words is the name of a classifier
_CLASSIFIERS = frozenset(word_list("names.classifiers"))
_DATASETS = frozenset(word_list("names.datasets"))
VERSUS = re.compile(r".+\S\s+(?:vs?\.?|versus)\s+\S.+", re.IGNORECASE)
# words that count folds or runs, with a number behind them or an ordinal before them
_RUN_WORD = one_of("runs.fold", "runs.run")
_RUN = re.compile(
    rf"(?<![^\W\d_])({_RUN_WORD})[\W_]*(\d+)(?:\s*(?:of|/)\s*\d+)?(?!\d)|(?<!\w)(\d+)(?:\.|st|nd|rd|th)[\W_]*({_RUN_WORD})(?![^\W_])",
    re.IGNORECASE,
)
_BEHIND = re.compile(rf"(.*[^\W_])[\W_]+({one_of('runs.behind')}[\W_]*\d+)", re.IGNORECASE)
_BESIDE_RUNS = frozenset(word_list("runs.beside"))
_AROUND_METRIC = " _-.:/,;()"
_COUNTED = re.compile(r"(.{0,30}?)[\W_]*(\d{1,4})", re.ASCII)
# names that only count: of anything, where a program gave them, or of runs
_COUNTERS = frozenset(word_list("runs.counter"))
_SETTING = re.compile(r"(?:[^\W\d]\w{0,20}\s*=\s*)?[-+]?\d*[.,]?\d+(?:e-?\d+)?\s?%?", re.IGNORECASE)
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")
_LONG_NUMBER = re.compile(r"\d{5,}|[1346789]\d{3}", re.ASCII)  # but waveform5000, coil2000, 0.025 without its point


@lru_cache(maxsize=10_000)
def is_dataset_name(name: str) -> bool:
    """Return whether a name is the name of a well-known dataset. Case and punctuation are ignored."""
    plain = plain_name(name).removesuffix("dataset").removesuffix("data")
    return plain in _DATASETS


@lru_cache(maxsize=10_000)
def is_classifier_name(name: str) -> bool:
    """Return whether a name contains the name of a classifier, and is not the name of a dataset or of a pair."""
    words = [word.casefold() for word in _HUMPS.split(name)]
    if plain_name(name) not in _CLASSIFIERS and _CLASSIFIERS.isdisjoint(words):
        return False
    return not is_dataset_name(name) and not ("v" in name.casefold() and VERSUS.fullmatch(name))


class Split(NamedTuple):
    """Repeat, fold and metric in one name. Each is empty if the name does not contain it."""

    repeat: str
    fold: str
    metric: str
    stem: str  # the words that count

    @property
    def runs(self) -> dict[str, str]:
        """Numbers by their role: ``'fold'`` and ``'repeat'``, or ``'seed'`` if the name contains that word."""
        repeat = "seed" if self.stem == "seed" else "repeat"
        return {name: number for name, number in ((repeat, self.repeat), ("fold", self.fold)) if number}


@lru_cache(maxsize=10_000)
def split_of(name: str) -> Split | None:
    """Return the fold and the repeat in a name, or None if the name contains neither.

    Apart from the fold and the repeat, the name may contain only a metric.

    Examples
    --------
    >>> from evalstats.io.columns.grammar import split_of
    >>> split_of("Fold1.Rep2").runs, split_of("1. fold").runs, split_of("GLUE")
    ({'repeat': '2', 'fold': '1'}, {'fold': '1'}, None)
    >>> split_of("test_fold_3").metric, split_of("fold_3_accuracy").metric
    ('', 'accuracy')
    >>> split_of("outer CV fold 3 of 5").runs, split_of("random seed 7").runs
    ({'fold': '3'}, {'seed': '7'})
    """
    runs: dict[str, str] = {}
    stem, rest, end = "", [], 0
    for found in _RUN.finditer(name):
        word = (found[1] or found[4]).casefold()
        counter = "fold" if word in word_list("runs.fold") else "repeat"
        if counter in runs:
            return None
        runs[counter] = found[2] or found[3]
        stem += word
        rest.append(name[end : found.start()])
        end = found.end()
    parts = (part.strip(_AROUND_METRIC) for part in (*rest, name[end:]))
    metric = " ".join(part for part in parts if not _BESIDE_RUNS.issuperset(re.findall(r"\w+", part.casefold())))
    if not runs or (metric and direction_of(metric) is None):
        return None
    return Split(runs.get("repeat", ""), runs.get("fold", ""), metric, stem)


def is_run(name: str) -> bool:
    """Return whether a name only numbers a fold, a run, a seed or a similar unit."""
    split = split_of(name)
    return split is not None and not split.metric


def runs_of(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the numbers of folds and repeats in names, by role, or {} if the names differ in their roles."""
    splits = [split_of(name) for name in names]
    told = [split.runs for split in splits if split is not None and not split.metric]
    if not told or len(told) < len(splits) or any(runs.keys() != told[0].keys() for runs in told):
        return {}
    return {name: [runs[name] for runs in told] for name in told[0]}


def runs_behind(names: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Split names into classifiers and runs if several classifiers have the same runs. If not, return None.

    Examples
    --------
    >>> from evalstats.io.columns.grammar import runs_behind
    >>> runs_behind(["NB_fold1", "NB_fold2", "SVM_fold1", "SVM_fold2"])
    (['NB', 'NB', 'SVM', 'SVM'], ['fold1', 'fold2', 'fold1', 'fold2'])
    >>> runs_behind(["NB_fold1", "SVM_fold2"]), runs_behind(["acc_fold1", "acc_fold2", "f1_fold1", "f1_fold2"])
    (None, None)
    """
    parts = [*itertools.takewhile(bool, map(_BEHIND.fullmatch, names))]  # usually stops at the first name
    if len(parts) < len(names):
        return None
    stems, runs = ([part[i] for part in parts if part] for i in (1, 2))
    own = {stem: [run for name, run in zip(stems, runs, strict=True) if name == stem] for stem in dict.fromkeys(stems)}
    if (
        None in parts
        or len(own) < 2
        or any(direction_of(stem) is not None or split_of(stem) for stem in own)
        or not runs_of(runs)
    ):
        return None
    first, *others = map(sorted, own.values())
    return (stems, runs) if len(set(first)) == len(first) > 1 and all(one == first for one in others) else None


def counted(names: Sequence[str], *, of_columns: bool = False) -> bool:
    """Return whether names consist of a counting word and consecutive numbers from 0 or 1: k1, k2, k3.

    Names of columns may also be plain numbers, or the default names of a program: V1, X1.
    """
    first = _COUNTED.fullmatch(names[0].strip()) if len(names) >= FEWEST_COUNTED else None
    stem = "" if first is None else first[1].casefold()
    if first is None or not (stem in _COUNTERS or (of_columns and stem in ("", "v", "x"))):
        return False
    parts = [_COUNTED.fullmatch(name.strip()) for name in names]
    if None in parts or {part[1].casefold() for part in parts if part is not None} != {stem}:
        return False
    numbers = [int(part[2]) for part in parts if part is not None]
    is_subject = stem == "s" and numbers[0] == 1  # S1, S2 are persons
    return not is_subject and count_on(numbers)


def alike(names: Sequence[str]) -> list[str]:
    """Replace the long numbers in names with one number.

    No list of known names contains one of these numbers, so one check then applies to thousands of names.
    """
    return list(_alike(tuple(names)))


@lru_cache(maxsize=1)  # cached, because several rules check the same names
def _alike(names: tuple[str, ...]) -> list[str]:
    together = "\n".join(names)
    return _LONG_NUMBER.sub("99999", together).split("\n") if together.count("\n") == len(names) - 1 else list(names)


def count_on(numbers: Sequence[float | None]) -> bool:
    """Return whether integers increase by one from 0 or from 1."""
    return list(numbers) in (list(range(len(numbers))), list(range(1, len(numbers) + 1)))


def is_setting(name: str) -> bool:
    """Return whether a name contains a value of a parameter, such as ``k=3``, or is a number."""
    return _SETTING.fullmatch(name.strip()) is not None


# --- one classifier with several settings -----------------------------------------------------------------------------


BEST_OF_SEVERAL = "the best of several settings is not necessarily the best on other datasets"
# a classifier and, in brackets or behind a sign, the value of a parameter of it
_WITH_VALUE = re.compile(r"(?P<stem>.*[^\s_,;:([{|/-])[\s_,;:([{|/-]+(?P<setting>[^\W\d]\w*\s*=\s*[^\s=]+?)[)\]}]?")
_SEPARATOR = re.compile(r"\s*[_|/:@,;()\[\]-]+\s*|\s+")


def settings_finding(classifiers: Sequence[str]) -> tuple[Finding, ...]:
    """Return a note if classifier names are hyperparameter settings of one classifier or of a few classifiers."""
    names = list(classifiers)
    if len(names) < 2:
        return ()
    if all(map(is_setting, names)):
        is_numbered = any(names == list(map(str, range(start, start + len(names)))) for start in (0, 1))
        return () if is_numbered else _note(f"The classifiers {listed(names)} seem to be settings of one classifier")
    if same := _of_one(names):
        return _note(f"The classifiers {listed(same)} seem to be settings of one classifier")
    if crossed := _crossed(names):
        stems, settings = crossed
        return _note(
            f"The {len(names)} classifiers seem to be {len(stems)} classifiers ({listed(stems)}) with {len(settings)} "
            f"settings each ({listed(settings)})"
        )
    return ()


def _note(what: str) -> tuple[Finding, ...]:
    sentence = f"{what}. They are compared without changes, but {BEST_OF_SEVERAL}."
    return (Finding(code="settings", severity="note", sentence=sentence),)


def _of_one(names: Sequence[str]) -> list[str]:
    """Return the names that end in a parameter value, if another name has the same beginning."""
    found = {name: match["stem"] for name in names if "=" in name and (match := _WITH_VALUE.fullmatch(name))}
    counts = Counter(found.values())
    return [name for name, stem in found.items() if counts[stem] > 1]


def _crossed(names: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Return classifiers and settings if the names are all combinations of both. Otherwise return None."""
    halves = [*itertools.takewhile(bool, map(_halves, names))]
    if len(halves) < len(names):
        return None
    for at in (-1, 0):
        parts = [own[at] for own in halves]
        first, second = (list(dict.fromkeys(half)) for half in zip(*parts, strict=True))
        if min(len(first), len(second)) > 1 and len(first) * len(second) == len(set(parts)) == len(names):
            is_turned = any(map(is_classifier_name, second)) and not any(map(is_classifier_name, first))
            return (second, first) if is_turned else (first, second)
    return None


def _halves(name: str) -> list[tuple[str, str]]:
    """Return the parts of a name before and after each separator."""
    name = name.strip()
    name = name[:-1] if name.endswith((")", "]")) else name
    cuts = [one.span() for one in _SEPARATOR.finditer(name)]
    return [(name[:start], name[end:]) for start, end in cuts if start > 0 and end < len(name)]
