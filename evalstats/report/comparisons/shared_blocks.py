"""Blocks and sentences that the reports of all designs share."""

from __future__ import annotations

__all__ = [
    "advised",
    "against_control_words",
    "decision",
    "replaced_words",
    "subsets_and_pairs_outside",
    "untested_words",
    "without_untested",
]

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from evalstats.comparison import validity
from evalstats.comparison.record import Comparison
from evalstats.report.blocks import Block, Sentences, listing, paragraph
from evalstats.report.numbers import of_count
from evalstats.wording import listed_pairs, untested_note, written_list

# maximum number of names in a sentence; the others are counted
MOST_LISTED = 4
# start of the reason for missing p-values of a test of many pairs
_OF_PAIRS = re.compile(r"^in [\d,]+ of [\d,]+ pairs, ")


def decision(comparison: Comparison) -> str:
    """State whether the omnibus test rejects."""
    at = f"At α = {comparison.alpha:g}"
    who = "two " * (comparison.n_classifiers == 2) + comparison.words.classifiers
    if comparison.significant:
        return f"{at}, the null hypothesis that the {who} perform equally is rejected."
    return f"{at}, the null hypothesis is not rejected: the test does not show a difference."


def advised(comparison: Comparison, told: Collection[str]) -> list[Sentences]:
    """Return the warnings of `which_test` except warnings whose code is in `told`."""
    found = () if comparison.advice is None else comparison.advice.warnings
    return [(finding.sentence,) for finding in found if finding.code not in told]


def subsets_and_pairs_outside(comparison: Comparison, groups: Iterable[str]) -> list[Block]:
    """List the homogeneous subsets, and the pairs without a significant difference that no subset contains."""
    blocks: list[Block] = []
    if comparison.homogeneous_subsets:
        told = untested_note(comparison.validity)
        blocks += [paragraph("Groups within which the test does not show a difference:"), listing(groups)]
        blocks += [paragraph(told)] * bool(told)
    if comparison.pairs_outside_subsets:
        blocks.append(
            paragraph(
                f"Pairs that are not shown to differ, although {comparison.words.classifiers} ranked between them are "
                "shown to differ:"
            )
        )
        blocks.append(listing(f"{a} and {b}" for a, b in comparison.pairs_outside_subsets))
    return blocks


def against_control_words(control: str, better: Sequence[str], worse: Sequence[str]) -> str:
    """State which classifiers are significantly better and which are significantly worse than the control."""
    clauses: list[str] = []
    for group, word in ((better, "better"), (worse, "worse")):
        if group:
            are = "is" if len(group) == 1 else "are"
            whom = "it" if clauses else f"the control, {control}"
            clauses.append(f"{written_list(group, at_most=MOST_LISTED)} {are} {word} than {whom}")
    return "; ".join(clauses)


def replaced_words(comparison: Any) -> str:
    """State which test replaces an invalid test, and why."""
    return " ".join(map(validity.replaced_words, comparison.validity.replacements))


def untested_words(comparison: Any, test: str) -> str:
    """Name the pairs without a p-value of the post-hoc test in a sentence, or return '' if there are none."""
    lacking = comparison.validity.untested
    if not lacking:
        return ""
    reason = comparison.validity.reason
    of_these = None if reason is None else _OF_PAIRS.sub("", reason)
    n = len(comparison.compared if hasattr(comparison, "compared") else comparison.pairs)
    which = "" if len(lacking) == n > 1 else f" ({listed_pairs(lacking)})"
    about = "it" if len(lacking) == 1 else "them"
    said = f"{of_count(len(lacking), n, 'pair')} {validity.untested_clause(f'{test}{which}', of_these)}"
    return f" {said}: nothing is concluded about {about}."


def without_untested(comparison: Any, name: str, others: Sequence[str]) -> list[str]:
    """Return the classifiers of `others` whose comparison with the classifier `name` has a p-value."""
    lacking = comparison.validity.untested_against(name)
    return [other for other in others if other not in lacking]
