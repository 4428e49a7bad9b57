"""Compact letter display of the decisions of a post-hoc test."""

from __future__ import annotations

__all__ = ["CompactLetterDisplay", "compact_letter_display"]

import itertools
import string
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats._result import Record
from evalstats._types import BoolArray
from evalstats.multiple.subsets import decisions_in_order

# above this number of letters, each step of insert-and-absorb takes too long, so groups are extended one by one
MOST_INSERTED = 500

# a set of classifiers: bit p is the classifier at position p of the ranking
_Set = int


@dataclass(frozen=True, kw_only=True, eq=False)
class CompactLetterDisplay(Record):
    """Result of `compact_letter_display`.

    Attributes
    ----------
    letters : tuple of str
        Letters of each classifier, in the order of `different`, sorted alphabetically. The alphabet continues with
        capital letters, and then with a1, b1 and so on.
    groups : tuple of tuple of int
        Classifiers that have each letter, in the order of the ranking. The first group is the group of the letter
        ``'a'``.
    classifiers : tuple or None
        Names of the classifiers, if `different` has names.
    """

    letters: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    classifiers: tuple[Any, ...] | None = None

    def __str__(self) -> str:
        table = self.to_columns()
        pairs = zip(table["classifier"], table["letters"], strict=True)
        return f"{type(self).__name__}: {', '.join(f'{classifier}: {letters}' for classifier, letters in pairs)}"

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each classifier: its name or its row of `different`, and its letters."""
        return {"classifier": [*(self.classifiers or range(len(self.letters)))], "letters": list(self.letters)}


def compact_letter_display(different: Any, order: Any) -> CompactLetterDisplay:
    """Compute a compact letter display of the significant differences between classifiers.

    Two classifiers that differ share no letter, and two classifiers that do not differ share at least one letter.
    Unlike the bars of a critical-difference diagram, letters can show any set of decisions. The display has no
    redundant letter.

    Parameters
    ----------
    different : array_like of bool, shape (k, k)
        Whether the test concludes that two classifiers differ. The matrix is symmetric, and False on the diagonal.
        False does not mean that the two classifiers are equal.
    order : sequence of length k
        The classifiers from the best to the worst, each once: rows of `different`, or names if it has names. This
        argument determines the order of the letters, and the choice among equally short displays.

    Returns
    -------
    CompactLetterDisplay
        The fields `letters` and `groups`.

    Raises
    ------
    InvalidTypeError
        If `different` is not Boolean, or if `order` contains neither integers nor names.
    InvalidValueError
        If `different` is not square, not symmetric or True on the diagonal, or `order` does not contain each classifier
        once.

    Notes
    -----
    The algorithm is insert, absorb and sweep (Piepho 2004). For some sets of decisions, the number of intermediate
    groups is exponential. If there are more than 500 groups, the function extends groups one by one as in Gramm et al.
    (2007), and then applies the sweep step.

    References
    ----------
    Piepho, H.-P. (2004). An algorithm for a letter-based representation of all-pairwise comparisons. Journal of
    Computational and Graphical Statistics 13(2), 456-466.

    Gramm, J., Guo, J., Hüffner, F., Niedermeier, R., Piepho, H.-P. & Schmid, R. (2007). Algorithms for compact letter
    displays: comparison and evaluation. Computational Statistics & Data Analysis 52(2), 725-736.

    Examples
    --------
    Of four classifiers, only the best and the worst differ:

    >>> import numpy as np
    >>> from evalstats.multiple import compact_letter_display
    >>> different = np.zeros((4, 4), dtype=bool)
    >>> different[0, 3] = different[3, 0] = True
    >>> compact_letter_display(different, order=[0, 1, 2, 3]).letters
    ('a', 'ab', 'ab', 'b')

    The first and the last of three classifiers do not differ significantly, but the second classifier differs from
    both:

    >>> different = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
    >>> print(compact_letter_display(different, order=[0, 1, 2]))
    CompactLetterDisplay: 0: a, 1: b, 2: a
    """
    in_order, order, classifiers = decisions_in_order(different, order)

    alike = _alike(in_order)
    columns = _swept(_inserted_and_absorbed(alike) or _grown(alike))

    groups = sorted(tuple(_places(column)) for column in columns)
    names = list(itertools.islice(_alphabet(), len(groups)))
    letters = {
        classifier: "".join(name for name, group in zip(names, groups, strict=True) if place in group)
        for place, classifier in enumerate(order.tolist())
    }
    return CompactLetterDisplay(
        letters=tuple(letters[classifier] for classifier in range(len(order))),
        groups=tuple(tuple(order[list(group)].tolist()) for group in groups),
        classifiers=classifiers,
    )


def _alike(different: BoolArray) -> list[_Set]:
    """Return, for each position of the ranking, the positions that do not differ significantly from it, and itself."""
    return [sum(1 << place for place in np.flatnonzero(~row).tolist()) for row in different]


def _inserted_and_absorbed(alike: list[_Set]) -> list[_Set]:
    """Split each set at a significant difference, and drop sets that are subsets of other sets.

    All maximal sets without a difference remain (Piepho, 2004, section 2.1). The result is empty if there are too many.
    """
    columns = [(1 << len(alike)) - 1]
    for place, friends in enumerate(alike):
        own = 1 << place
        kept = [c for c in columns if not (c & own and c & ~friends)]
        split = [c for c in columns if c & own and c & ~friends]
        # a half without the position may be a subset of another half or of a kept set, and so may a half with it
        halves = {c & ~own for c in split} | {c & friends for c in split}
        # a kept set is not a subset of a half, because no set was a subset of the set that was split
        halves = {h for h in halves if not any(h | other == other for other in halves if other != h)}
        columns = kept + [h for h in halves if not any(h | c == c for c in kept)]
        if len(columns) > MOST_INSERTED:
            return []
    return columns


def _grown(alike: list[_Set]) -> list[_Set]:
    """Extend each pair that no set contains to a maximal set without a difference (Gramm et al., 2007, section 3)."""
    columns: list[_Set] = []
    covered = [0] * len(alike)
    for place, friends in enumerate(alike):
        while missing := friends & ~covered[place]:
            column, candidates = 0, friends & alike[(missing & -missing).bit_length() - 1]
            for start in (missing & candidates, candidates):
                while rest := start & candidates & ~column:
                    added = (rest & -rest).bit_length() - 1
                    column |= 1 << added
                    candidates &= alike[added]
            for member in _places(column):
                covered[member] |= column
            columns.append(column)
    return columns


def _swept(columns: list[_Set]) -> list[_Set]:
    """Remove redundant sets and then redundant members (Piepho, 2004, section 2.2)."""
    columns = sorted(columns, key=_places)
    holding: dict[int, list[int]] = {}  # for each position: the sets that contain it
    for at, column in enumerate(columns):
        for place in _places(column):
            holding.setdefault(place, []).append(at)
    for at in reversed(range(len(columns))):
        if all(_is_shared(columns, at, place, holding[place]) for place in _places(columns[at])):
            columns[at] = 0
    for at in range(len(columns)):
        for place in reversed(_places(columns[at])):
            if _is_shared(columns, at, place, holding[place]):
                columns[at] &= ~(1 << place)
    return [column for column in columns if column]


def _is_shared(columns: list[_Set], but: int, place: int, holding: list[int]) -> bool:
    """Return whether a position shares another set with each of the other positions of this set."""
    shared = 0
    for at in holding:
        if at != but and columns[at] >> place & 1:
            shared |= columns[at]
    return shared & columns[but] == columns[but]


def _places(column: _Set) -> list[int]:
    return [place for place in range(column.bit_length()) if column >> place & 1]


def _alphabet() -> Iterator[str]:
    yield from string.ascii_letters
    for number in itertools.count(1):
        yield from (f"{letter}{number}" for letter in string.ascii_letters)
