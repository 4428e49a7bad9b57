"""Declaration of a rule that rejects a source: code, condition, sentence, fix and examples."""

from __future__ import annotations

__all__ = ["Example", "Match", "Rule", "Stage", "apply_rules"]

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from evalstats.tables.errors import TableError

Match = Mapping[str, str]  # the words for the sentence, and the `value` for the option


class Stage(StrEnum):
    """Stages at which rules are applied, with the type of object that each stage checks."""

    TEXT = "text"  # the first lines of text
    DOCUMENT = "document"  # a dict of anything
    TABLE = "table"  # the cells, before their layout is known
    PREDICTIONS = "predictions"  # the cells of what is read as predictions
    NAMES = "names"  # the names of the rows and columns of a wide table
    NUMBERS = "numbers"  # the numbers of a wide table whose rows have no names


@dataclass(frozen=True, kw_only=True)
class Example:
    """Source that a rule rejects, or a similar source that the rule accepts."""

    data: Any
    applies: bool = True


@dataclass(frozen=True, kw_only=True)
class Rule:
    """Rule that rejects one kind of source.

    Attributes
    ----------
    code : str
        Name of the rule in tests, programs and pages.
    stage : Stage
        Stage at which the rule is applied.
    applies : callable
        A predicate that returns the words for the sentence, or None if the rule does not apply.
    sentence : str
        Fault, with ``{name}`` for the source and other fields of the predicate.
    hint : str
        Advice, in which ``{}`` is replaced by the option.
    option, value : str
        The parameter of `read_table` or of `compare_readers` that the hint names, and the value to pass, which the
        predicate may supply.
    examples : tuple of Example
        Sources that the rule rejects, and similar sources that the rule accepts.
    """

    code: str
    stage: Stage
    applies: Callable[[Any], Match | None]
    sentence: str
    hint: str = ""
    option: str = ""
    value: str = ""
    examples: tuple[Example, ...] = ()

    def error(self, name: str, match: Match) -> TableError:
        """Return the error of this rule for a source."""
        problem = self.sentence.format(name=name, **match)
        return TableError(problem, self.hint, self.option, match.get("value", self.value), code=self.code)


def apply_rules(rules: Iterable[Rule], stage: Stage, what: Any, name: str, answered: Container[str] = ()) -> None:
    """Raise the error of the first matching rule of a stage; skip rules whose option is in `answered`."""
    for rule in rules:
        if rule.stage is stage and rule.option not in answered and (match := rule.applies(what)) is not None:
            raise rule.error(name, match)
