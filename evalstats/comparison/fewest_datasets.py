"""Smallest number of datasets for which a pair can be significantly different."""

from __future__ import annotations

__all__ = ["fewest_datasets", "hopeless_words"]

from typing import Any

from evalstats.adjustment.pairwise import PAIRWISE_ONLY
from evalstats.comparison.registry import POSTHOC_TESTS
from evalstats.design.attainable import OF_RANKS, minimum_sample_size

# for more classifiers, the exact sum over all subsets of the classifiers takes seconds
MOST_OF_STEEL = 100


def fewest_datasets(
    posthoc_test: str, adjustment: str | None, *, n_classifiers: int, has_control: bool, alpha: float
) -> int | None:
    """Return the smallest number of datasets for which a pair can be significant, or None if it is unknown."""
    test = POSTHOC_TESTS[posthoc_test]
    if not test.bound or (test.bound == "steel" and n_classifiers > MOST_OF_STEEL):
        return None
    family: dict[str, Any] = {}
    if test.bound in OF_RANKS:
        family = {"n_classifiers": n_classifiers}
    elif test.adjusts and adjustment not in (None, "none"):
        n_others = n_classifiers - 1
        # the first step of the procedures for pairs equals the first step of Holm's method
        family["adjust"] = "holm" if adjustment in PAIRWISE_ONLY else adjustment
        family["n_comparisons"] = n_others if has_control else n_classifiers * n_others // 2
    enough = minimum_sample_size(test.bound, alpha=alpha, **family).n
    if test.is_gated:  # the omnibus test is the Friedman test, whose p-value must also be attainable
        enough = max(enough, minimum_sample_size(test.omnibus, alpha=alpha, n_classifiers=n_classifiers).n)
    return enough


def hopeless_words(
    posthoc_test: str,
    adjustment: str | None,
    *,
    where: str,
    smallest: str,
    n_classifiers: int,
    control: str | None,
    alpha: float,
    nouns: tuple[str, str] = ("classifier", "dataset"),
) -> str:
    """State that no pair can be significantly different, and the number of datasets that would be sufficient.

    `where` describes the size of the table, as in 'With 8 datasets and 10 classifiers'. `smallest` is the minimum
    attainable p-value as text.
    """
    test, (who, what) = POSTHOC_TESTS[posthoc_test], nouns
    design: dict[str, Any] = {"n_classifiers": n_classifiers, "alpha": alpha}
    enough = fewest_datasets(posthoc_test, adjustment, has_control=control is not None, **design)
    adjusted = "adjusted " if test.adjusts and adjustment != "none" else ""
    none = (
        "no pair can be significantly different"
        if control is None
        else f"no {who} can be significantly different from {control}"
    )
    said = f"{where}, the smallest {adjusted}p-value is {smallest}: {none}"
    if enough is None:
        return f"{said}."
    fewer = None
    if control is None and test.control:
        fewer = fewest_datasets(posthoc_test, adjustment, has_control=True, **design)
    instead = f", or {fewer} with a control that is chosen in advance" if fewer is not None and fewer < enough else ""
    return f"{said}; a significant difference needs {enough} {what}s{instead}."
