"""Names of classifiers that are one classifier with several hyperparameter settings.

A column for each value of a parameter (``k=1``, ``SVM (C=10)``), or for each classifier under each of the same settings
(``knn_2``, ``tree_2``, ``knn_10``, ``tree_10``). They are compared unchanged, and a note explains the consequence.
"""

from __future__ import annotations

__all__ = ["settings_finding"]

import re
from collections.abc import Sequence

from evalstats._errors import listed
from evalstats._findings import Finding
from evalstats.io.columns.grammar import is_classifier_name, is_setting

BEST_OF_SEVERAL = "the best of several settings is not known to be so on other datasets"
# a classifier and, in brackets or behind a sign, the value of a parameter of it
_WITH_VALUE = re.compile(r"(?P<stem>.*[^\s_,;:([{|/-])[\s_,;:([{|/-]+(?P<setting>[^\W\d]\w*\s*=\s*[^\s=]+?)[)\]}]?")
_SEPARATOR = re.compile(r"\s*[_|/:@,;()\[\]-]+\s*|\s+")


def settings_finding(classifiers: Sequence[str]) -> tuple[Finding, ...]:
    """Return a note if the names are settings of one classifier, or of a few classifiers with the same settings."""
    names = list(classifiers)
    if len(names) < 2:
        return ()
    if all(map(is_setting, names)):
        is_numbered = any(names == list(map(str, range(start, start + len(names)))) for start in (0, 1))
        return () if is_numbered else _note(f"The classifiers {listed(names)} have names of settings of one")
    if same := _of_one(names):
        return _note(f"The classifiers {listed(same)} have names of settings of one")
    if crossed := _crossed(names):
        stems, settings = crossed
        return _note(
            f"The {len(names)} classifiers have the names of {len(stems)} ({listed(stems)}) under "
            f"{len(settings)} settings each ({listed(settings)})"
        )
    return ()


def _note(what: str) -> tuple[Finding, ...]:
    sentence = f"{what}: they are compared as they are, but {BEST_OF_SEVERAL}."
    return (Finding(code="settings", severity="note", sentence=sentence),)


def _of_one(names: Sequence[str]) -> list[str]:
    """Return the names that end in a value of a parameter and share the part before it with another name."""
    found = {name: match["stem"] for name in names if (match := _WITH_VALUE.fullmatch(name))}
    stems = list(found.values())
    return [name for name, stem in found.items() if stems.count(stem) > 1]


def _crossed(names: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Return the classifiers and the settings of names that are each of the ones with each of the others."""
    halves = list(map(_halves, names))
    if [] in halves:
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
