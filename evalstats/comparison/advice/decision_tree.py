"""Decision tree that selects a test for an experiment. The file `decision_tree.json` contains its nodes."""

from __future__ import annotations

__all__ = ["NODES", "TREE", "Answer", "Leaf", "Other", "Question"]

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, eq=False)
class Answer:
    """Answer to a question of the tree: the value of the property, the text, and the key of the next node."""

    value: str
    words: str
    then: str


@dataclass(frozen=True, eq=False)
class Question:
    """Node that reads one property of `ExperimentDesign`."""

    key: str
    text: str
    reads: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, eq=False)
class Other:
    """Alternative function, its condition, and the arguments of `compare` that select the function."""

    test: str
    when: str
    choices: tuple[tuple[str, str | float], ...] = ()


@dataclass(frozen=True, eq=False)
class Leaf:
    """Recommendation of a test. `test` is None if no test is possible.

    `kind` is 'parametric', 'nonparametric' or '' (no test). `posthoc_choice` is the value of the argument `posthoc` of
    `compare` that selects the recommended tests. It is None if `compare` runs these tests by default, and '' if
    `compare` cannot run them.
    """

    key: str
    test: str | None
    posthoc: tuple[str, ...]
    kind: str
    reason: str
    assumptions: tuple[str, ...]
    alternatives: tuple[Other, ...]
    posthoc_choice: str | None = None


def _node(entry: dict[str, Any], assumptions: dict[str, str]) -> Question | Leaf:
    if "reads" in entry:
        answers = tuple(Answer(*answer) for answer in entry.pop("answers"))
        return Question(**entry, answers=answers)
    return Leaf(
        key=entry["key"],
        test=entry.get("test"),
        posthoc=tuple(entry.get("posthoc", ())),
        kind=entry.get("kind", ""),
        reason=entry["reason"],
        assumptions=tuple(assumptions[name] for name in entry.get("assumptions", ())),
        alternatives=tuple(
            Other(test, when, tuple(*map(dict.items, choices)))
            for test, when, *choices in entry.get("alternatives", ())
        ),
        posthoc_choice=entry.get("posthoc_choice"),
    )


_DATA = json.loads(Path(__file__).with_name("decision_tree.json").read_text(encoding="utf-8"))
TREE = tuple(_node(entry, _DATA["assumptions"]) for entry in _DATA["nodes"])
NODES = {node.key: node for node in TREE}
