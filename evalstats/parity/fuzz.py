"""Which inputs that nobody thought of are put to R?

A generator draws the arguments of one call from a `random.Random`. ``validate(fuzz=...)`` gives it a seeded one; the
test suite gives it one that Hypothesis controls, which then finds the smallest input that fails.
"""

from __future__ import annotations

__all__ = ["GENERATORS", "NO_ANSWER", "why_unanswered"]

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

Arguments = dict[str, Any]


def sign_test(random: Random) -> Arguments:
    """Every alternative and both ways with ties."""
    return {**_pairs(random), "alternative": _alternative(random), "ties": random.choice(["drop", "split"])}


def wilcoxon_test(random: Random) -> Arguments:
    """Every alternative, treatment of zeros and null distribution."""
    method = random.choice(["auto", "exact", "asymptotic"])
    return {
        **_pairs(random),
        "alternative": _alternative(random),
        "zero_method": random.choice(["wilcox", "pratt", "zsplit"]),
        "method": method,
        "correction": random.choice([True, False]),
    }


def paired_ttest(random: Random) -> Arguments:
    """Several levels of the interval; two pairs at least."""
    return {
        **_pairs(random, smallest=2),
        "alternative": _alternative(random),
        "confidence_level": random.choice([0.5, 0.9, 0.95, 0.99]),
    }


def friedman_test(random: Random) -> Arguments:
    """Both directions, and every null distribution that R has: the exact one for the smallest tables."""
    method = random.choice(["chi2", "f", "exact"])
    size = random.choice([(2, 2), (9, 2), (40, 2), (2, 3), (3, 3), (2, 4)]) if method == "exact" else None
    return {"scores": _table(random, size), "method": method, "greater_is_better": random.choice([True, False])}


def nemenyi_test(random: Random) -> Arguments:
    """Both directions."""
    return {"scores": _table(random), "greater_is_better": random.choice([True, False]), "alpha": _level(random)}


def bonferroni_dunn_test(random: Random) -> Arguments:
    """Both directions, every control."""
    scores = _table(random)
    return {
        "scores": scores,
        "control": random.randint(0, len(scores[0]) - 1),
        "greater_is_better": random.choice([True, False]),
        "alpha": _level(random),
    }


def adjust_pvalues(random: Random) -> Arguments:
    """Every method, on ties, zeros, ones and tiny p-values in any order."""
    draws: list[Callable[[], float]] = [
        random.random,
        lambda: random.choice([0.0, 0.01, 0.02, 0.04, 0.5, 1.0]),
        lambda: 10.0 ** -random.randint(0, 300),
    ]
    draw = random.choice(draws)
    methods = ["bonferroni", "sidak", "holm", "holm-sidak", "hochberg", "hommel", "bh", "by"]
    return {"pvalues": [draw() for _ in range(random.randint(1, 12))], "method": random.choice(methods)}


def critical_difference(random: Random) -> Arguments:
    """Both tests, any number of datasets."""
    return {
        "n_datasets": random.randint(1, 500),
        "n_classifiers": random.randint(2, 9),
        "alpha": _level(random),
        "test": random.choice(["nemenyi", "bonferroni-dunn"]),
    }


def sf(random: Random) -> Arguments:
    """Small and large ranges, of as few variables as R is accurate for."""
    return {"q": [random.uniform(0, 8) for _ in range(random.randint(1, 4))], "k": random.randint(2, 7)}


def isf(random: Random) -> Arguments:
    """Probabilities from one in a million to one half, where R is accurate."""
    return {"p": 10 ** -random.uniform(0.3, 6), "k": random.randint(2, 7)}


GENERATORS: Mapping[str, Callable[[Random], Arguments]] = {
    "multiple/adjust/adjust_pvalues": adjust_pvalues,
    "multiple/bonferroni_dunn/bonferroni_dunn_test": bonferroni_dunn_test,
    "multiple/critical_difference/critical_difference": critical_difference,
    "multiple/friedman/friedman_test": friedman_test,
    "multiple/nemenyi/nemenyi_test": nemenyi_test,
    "multiple/studentized_range/isf": isf,
    "multiple/studentized_range/sf": sf,
    "paired/sign/sign_test": sign_test,
    "paired/ttest/paired_ttest": paired_ttest,
    "paired/wilcoxon/wilcoxon_test": wilcoxon_test,
}
"""One generator per function that has an answer in R."""

NO_ANSWER: Mapping[str, Mapping[str, str]] = {
    "multiple/friedman/friedman_test": {
        "dim(X) must have a positive length": "friedman.test takes a single dataset for no matrix",
    },
    "paired/ttest/paired_ttest": {
        "data are essentially constant": "t.test refuses differences that are all the same, or the same but for noise",
    },
}
"""Per function: a part of R's error message, and why R has no answer then. Any other error is a mismatch."""


def why_unanswered(name: str, error: Exception) -> str | None:
    """Return the documented reason for an error of R, or None where there is none."""
    return next((why for part, why in NO_ANSWER.get(name, {}).items() if part in str(error)), None)


def _pairs(random: Random, smallest: int = 1) -> Arguments:
    """Return two samples; some pairs are equal."""
    n = random.choice([n for n in (1, 2, 3, 4, 5, 6, 8, 10, 15, 30, 60) if n >= smallest])
    value = _values(random)
    x = [value() for _ in range(n)]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {"x": x, "y": [a if random.random() < share_of_zeros else value() for a in x]}


def _table(random: Random, size: tuple[int, int] | None = None) -> list[list[float]]:
    """Return rows of scores, of any number of datasets and classifiers or of the size asked for."""
    n, k = size or (random.choice([1, 2, 3, 5, 10, 20]), random.randint(2, 7))
    value = _values(random)
    return [[value() for _ in range(k)] for _ in range(n)]


def _values(random: Random) -> Callable[[], float]:
    """Return a source of one kind of score: many ties, accuracies, percentages, counts, very large or very small."""
    scale = random.choice([1.0, 1.0, 1e-150, 1e-9, 1e9, 1e150])
    return random.choice(
        [
            lambda: random.randint(0, 4) / 4 * scale,
            lambda: round(random.uniform(0, 1), 4),
            lambda: round(random.uniform(0, 100), 2),
            lambda: float(random.randint(-9, 9)),
            lambda: random.uniform(-1, 1) * scale,
        ]
    )


def _alternative(random: Random) -> str:
    return random.choice(["two-sided", "less", "greater"])


def _level(random: Random) -> float:
    return random.choice([0.01, 0.05, 0.1, 0.5])
