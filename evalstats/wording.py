"""How are names, numbers and tests written in a sentence?"""

from __future__ import annotations

__all__ = ["Measure", "omnibus_words", "pair_test_words", "plain_number", "shorten", "unbroken", "wrap", "written_list"]

import bisect
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from evalstats.comparison.over_datasets import Comparison
from evalstats.comparison.registry import OMNIBUS_TESTS, POSTHOC_TESTS

Measure = Callable[[str], float]


def shorten(names: Sequence[str], measure: Measure, limit: float) -> list[str]:
    """Shorten the names that are wider than the limit, in the middle, where experience puts what they have in common.

    Names that would become the same keep the part in which they differ.

    Examples
    --------
    >>> from evalstats.wording import shorten
    >>> shorten(["svm", "resnet50-imagenet-lr-0.01"], len, 12)
    ['svm', 'resnet…-0.01']
    """
    short = {name: _shortened(name, measure, limit) for name in names}
    seen = Counter(short.values())
    clashes = [name for name in short if seen[short[name]] > 1]
    if clashes:
        common = _common_prefix(clashes)
        short |= {name: _shortened("…" + name[common:], measure, limit) for name in clashes}
    return [short[name] for name in names]


def wrap(text: str, measure: Measure, limit: float) -> list[str]:
    """Break a text at its spaces into lines no wider than the limit; only a single word may be wider."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and measure(longer) > limit:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def unbroken(text: str) -> str:
    """Bind what must not be torn apart at the end of a line with no-break spaces: 'p = 0.05', '95 %', 'F(3, 39)'."""
    return re.sub(r" (?=[=<>] )|(?<= [=<>]) |(?<=\d) (?=%)|(?<=\(\d,) (?=\d+\))|(?<=\(\d\d,) (?=\d+\))", "\u00a0", text)


def plain_number(value: float) -> str:
    """Write a mean rank or a critical difference with two decimals."""
    return f"{value:.2f}"


def written_list(names: Iterable[str], *, at_most: int | None = None) -> str:
    """Write names as English lists them; those beyond `at_most` are counted.

    Examples
    --------
    >>> from evalstats.wording import written_list
    >>> written_list(["A", "B", "C"])
    'A, B and C'
    >>> written_list(["A", "B", "C", "D"], at_most=2)
    'A, B and 2 others'
    """
    items = list(names)
    if at_most is not None and len(items) > at_most + 1:
        items = [*items[:at_most], f"{len(items) - at_most} others"]
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def omnibus_words(comparison: Comparison) -> str:
    """Name the leading test."""
    leading = comparison.omnibus_test
    return "Wilcoxon signed-rank test" if leading is None else OMNIBUS_TESTS[leading].words


def pair_test_words(comparison: Comparison) -> str:
    """Name the test of the pairs, which is the leading test of two classifiers."""
    posthoc = comparison.posthoc_test
    return omnibus_words(comparison) if posthoc is None else POSTHOC_TESTS[posthoc].words


def _shortened(name: str, measure: Measure, limit: float) -> str:
    """Return the longest 'head…tail' within the limit, or the name itself where it fits."""
    if measure(name) <= limit:
        return name

    def cut(kept: int) -> str:
        return f"{name[: (kept + 1) // 2]}…{name[len(name) - kept // 2 :]}"

    # the more is kept, the wider it is
    return cut(max(bisect.bisect_right(range(len(name)), limit, key=lambda kept: measure(cut(kept))) - 1, 0))


def _common_prefix(names: Sequence[str]) -> int:
    shortest = min(map(len, names))
    return next((i for i in range(shortest) if len({name[i] for name in names}) > 1), shortest)
