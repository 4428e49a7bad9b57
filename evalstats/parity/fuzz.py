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
    return {
        **_pairs(random),
        "alternative": _alternative(random),
        "ties": random.choice(["drop", "split"]),
        "confidence_level": _confidence_level(random),
    }


def wilcoxon_test(random: Random) -> Arguments:
    """Every alternative, treatment of zeros and null distribution."""
    return {
        **_pairs(random, noise=True),
        "alternative": _alternative(random),
        "zero_method": random.choice(["wilcox", "pratt", "zsplit"]),
        "method": random.choice(["auto", "exact", "asymptotic"]),
        "correction": random.choice([True, False]),
        "confidence_level": _confidence_level(random),
    }


def paired_ttest(random: Random) -> Arguments:
    """Every alternative, with two pairs at least."""
    return {
        **_pairs(random, smallest=2),
        "alternative": _alternative(random),
        "confidence_level": _confidence_level(random),
    }


def corrected_ttest(random: Random) -> Arguments:
    """Every alternative, folds and random splits of any size."""
    return {
        **_pairs(random, smallest=2),
        "n_train": random.choice([1, 9, 90, 10_000]),
        "n_test": random.choice([1, 10, 5000]),
        "alternative": _alternative(random),
        "confidence_level": _confidence_level(random),
    }


def ttest_5x2cv(random: Random) -> Arguments:
    """Every alternative."""
    return {**_five_by_two(random), "alternative": _alternative(random)}


def ftest_5x2cv(random: Random) -> Arguments:
    """Five repetitions of two folds."""
    return _five_by_two(random)


def permutation_test(random: Random) -> Arguments:
    """Every alternative, on numbers with few digits: coin's exact distribution takes whole numbers, and small ones."""
    n, most_digits = random.choice([(1, 4), (2, 4), (3, 4), (5, 4), (8, 2), (15, 1), (40, 0)])
    digits = random.randint(0, most_digits)
    x = [round(random.uniform(0, 9), digits) for _ in range(n)]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {
        "x": x,
        "y": [a if random.random() < share_of_zeros else round(random.uniform(0, 10), digits) for a in x],
        "alternative": _alternative(random),
    }


def mcnemar_test(random: Random) -> Arguments:
    """Every alternative and null distribution, from always alike to never."""
    share_of_discordant = random.choice([0, 0.2, 0.5, 1])
    x = [random.randint(0, 1) for _ in range(random.choice([1, 2, 5, 10, 30, 100]))]
    return {"x": x, "y": [1 - a if random.random() < share_of_discordant else a for a in x], **_mcnemar(random)}


def mcnemar_from_counts(random: Random) -> Arguments:
    """Every alternative and null distribution, with empty cells, and counts far apart."""
    largest = random.choice([1, 5, 30, 1000])
    table = [[random.randint(0, largest) for _ in range(2)] for _ in range(2)]
    table[1][1] += 1
    return {"table": table, **_mcnemar(random)}


def friedman_test(random: Random) -> Arguments:
    """Both directions, and every null distribution that R has: the exact one for the smallest tables."""
    method = random.choice(["chi2", "f", "exact"])
    size = random.choice([(2, 2), (9, 2), (40, 2), (2, 3), (3, 3), (2, 4)]) if method == "exact" else None
    return {"scores": _table(random, size), "method": method, "greater_is_better": random.choice([True, False])}


def cochran_q_test(random: Random) -> Arguments:
    """Rows on which all agree, and every null distribution: R has the exact one for the smallest tables."""
    method = random.choice(["chi2", "exact"])
    sizes = {"chi2": [(1, 2), (5, 3), (30, 5), (80, 9)], "exact": [(2, 2), (9, 2), (40, 2), (3, 3), (4, 3), (3, 4)]}
    n, k = random.choice(sizes[method])
    share = random.choice([0.2, 0.5, 0.9])
    return {"correct": [[int(random.random() < share) for _ in range(k)] for _ in range(n)], "method": method}


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
    """Probabilities from 0.001 to 0.1; elsewhere R's qtukey may stop too early (8e-5 off at p = 6.5e-6, k = 2)."""
    return {"p": 10 ** -random.uniform(1, 3), "k": random.randint(2, 7)}


def cohen_kappa(random: Random) -> Arguments:
    """Every kind of weights, on words; two labels at least are in use."""
    words = ["a", "b", "c", "d"][: random.randint(2, 4)]
    y1 = ["a", "b", *(random.choice(words) for _ in range(random.randint(0, 40)))]
    return {"y1": y1, "y2": [a if random.random() < 0.5 else random.choice(words) for a in y1], **_kappa(random)}


def cohen_kappa_table(random: Random) -> Arguments:
    """Every kind of weights, on tables with empty cells; every label is in use."""
    k = random.randint(2, 5)
    largest = random.choice([1, 5, 1000])
    table = [[random.randint(0, largest) + (i == j) for j in range(k)] for i in range(k)]
    return {"table": table, **_kappa(random)}


def proportion_interval(random: Random) -> Arguments:
    """Both methods, from none to all."""
    n = random.choice([1, 2, 5, 20, 100, 10_000])
    return {"n_successes": random.choice([0, n, random.randint(0, n)]), "n": n, **_interval(random)}


def accuracy_interval(random: Random) -> Arguments:
    """Both methods, two to four classes."""
    k = random.randint(2, 4)
    counts = [[random.randint(0, 30) for _ in range(k)] for _ in range(k)]
    counts[0][0] += 1
    return {"counts": counts, **_interval(random)}


def roc_auc_score(random: Random) -> Arguments:
    """Every sample, and the whole area or a part of it."""
    return {**_ranking(random), "max_fpr": random.choice([1, 0.05, 0.3, 0.5])}


def roc_curve(random: Random) -> Arguments:
    """Ties, and curves on either side of the diagonal."""
    return _ranking(random)


def auc_estimate(random: Random) -> Arguments:
    """Both scales, with two samples of each class at least."""
    return {
        **_ranking(random, smallest=2),
        "confidence_level": _confidence_level(random),
        "scale": random.choice(["logit", "plain"]),
    }


def delong_test(random: Random) -> Arguments:
    """Every alternative, with classifiers that agree on some cases."""
    y_true = _classes(random, smallest=1)
    value = _values(random, noise=False)
    x = [value() for _ in y_true]
    share_of_equal = random.choice([0, 0, 0.5, 0.9])
    return {
        "y_true": y_true,
        "x": x,
        "y": [a if random.random() < share_of_equal else value() for a in x],
        "alternative": _alternative(random),
        "confidence_level": _confidence_level(random),
    }


def delong_covariance(random: Random) -> Arguments:
    """Several classifiers, with two samples of each class at least."""
    y_true = _classes(random, smallest=2)
    value = _values(random, noise=False)
    return {"y_true": y_true, "y_score": [[value() for _ in y_true] for _ in range(random.randint(1, 4))]}


GENERATORS: Mapping[str, Callable[[Random], Arguments]] = {
    "agreement/kappa/cohen_kappa": cohen_kappa,
    "agreement/kappa/cohen_kappa_table": cohen_kappa_table,
    "metrics/curves/roc_curve": roc_curve,
    "metrics/delong/auc_estimate": auc_estimate,
    "metrics/delong/delong_covariance": delong_covariance,
    "metrics/intervals/accuracy_interval": accuracy_interval,
    "metrics/intervals/proportion_interval": proportion_interval,
    "metrics/ranking/roc_auc_score": roc_auc_score,
    "multiple/adjust/adjust_pvalues": adjust_pvalues,
    "multiple/bonferroni_dunn/bonferroni_dunn_test": bonferroni_dunn_test,
    "multiple/cochran/cochran_q_test": cochran_q_test,
    "multiple/critical_difference/critical_difference": critical_difference,
    "multiple/friedman/friedman_test": friedman_test,
    "multiple/nemenyi/nemenyi_test": nemenyi_test,
    "multiple/studentized_range/isf": isf,
    "multiple/studentized_range/sf": sf,
    "paired/delong/delong_test": delong_test,
    "paired/five_by_two/ftest_5x2cv": ftest_5x2cv,
    "paired/five_by_two/ttest_5x2cv": ttest_5x2cv,
    "paired/permutation/permutation_test": permutation_test,
    "paired/mcnemar/mcnemar_from_counts": mcnemar_from_counts,
    "paired/mcnemar/mcnemar_test": mcnemar_test,
    "paired/sign/sign_test": sign_test,
    "paired/ttest/corrected_ttest": corrected_ttest,
    "paired/ttest/paired_ttest": paired_ttest,
    "paired/wilcoxon/wilcoxon_test": wilcoxon_test,
}
"""One generator per function that has an answer in R."""

NO_ANSWER: Mapping[str, Mapping[str, str]] = {
    "paired/five_by_two/ftest_5x2cv": {"the differences have no variance": "R would divide by zero"},
    "paired/five_by_two/ttest_5x2cv": {"the differences have no variance": "R would divide by zero"},
    "paired/ttest/corrected_ttest": {"the differences have no variance": "R would divide by zero"},
    "paired/ttest/paired_ttest": {
        "data are essentially constant": "t.test refuses differences that are all the same, or the same but for noise",
    },
}
"""Per function: a part of R's error message, and why R has no answer then. Any other error is a mismatch."""


def why_unanswered(name: str, error: Exception) -> str | None:
    """Return the documented reason for an error of R, or None where there is none."""
    return next((why for part, why in NO_ANSWER.get(name, {}).items() if part in str(error)), None)


def _pairs(random: Random, *, smallest: int = 1, noise: bool = False) -> Arguments:
    """Return two samples; some pairs are equal."""
    n = random.choice([n for n in (1, 2, 3, 4, 5, 6, 8, 10, 15, 30, 60) if n >= smallest])
    value = _values(random, noise=noise)
    x = [value() for _ in range(n)]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {"x": x, "y": [a if random.random() < share_of_zeros else value() for a in x]}


def _five_by_two(random: Random) -> Arguments:
    """Return two samples of five rows; some pairs are equal."""
    value = _values(random, noise=False)
    x = [[value() for _ in range(2)] for _ in range(5)]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {"x": x, "y": [[a if random.random() < share_of_zeros else value() for a in row] for row in x]}


def _table(random: Random, size: tuple[int, int] | None = None) -> list[list[float]]:
    """Return rows of scores, of any number of datasets and classifiers or of the size asked for."""
    n, k = size or (random.choice([1, 2, 3, 5, 10, 20]), random.randint(2, 7))
    value = _values(random, noise=True)
    return [[value() for _ in range(k)] for _ in range(n)]


def _ranking(random: Random, *, smallest: int = 1) -> Arguments:
    y_true = _classes(random, smallest=smallest)
    value = _values(random, noise=False)
    return {"y_true": y_true, "y_score": [value() for _ in y_true]}


def _classes(random: Random, *, smallest: int) -> list[int]:
    """Return 0 and 1 in any order, each as often as asked for at least."""
    y_true = [i for i in (0, 1) for _ in range(random.randint(smallest, 15))]
    random.shuffle(y_true)
    return y_true


def _values(random: Random, *, noise: bool) -> Callable[[], float]:
    """Return a source of one kind of score: many ties, accuracies, percentages, counts, very large or very small.

    With `noise` also tenths that went through different sums, such as 0.3 and 0.1 + 0.2, for adapters that take
    `tie_tolerance` as we do.
    """
    scale = random.choice([1.0, 1.0, 1e-150, 1e-9, 1e9, 1e150])
    sources: list[Callable[[], float]] = [
        lambda: random.randint(0, 4) / 4 * scale,
        lambda: round(random.uniform(0, 1), 4),
        lambda: round(random.uniform(0, 100), 2),
        lambda: float(random.randint(-9, 9)),
        lambda: random.uniform(-1, 1) * scale,
        lambda: _tenths(random),
    ]
    return random.choice(sources if noise else sources[:-1])


def _tenths(random: Random) -> float:
    i = random.randint(0, 9)
    return random.choice([i / 10, i * 0.1, 1 - (10 - i) * 0.1])


def _alternative(random: Random) -> str:
    return random.choice(["two-sided", "less", "greater"])


def _kappa(random: Random) -> Arguments:
    weights = random.choice([None, "linear", "quadratic"])
    return {
        "alternative": _alternative(random),
        "confidence_level": _confidence_level(random),
        **({"weights": weights} if weights else {}),
    }


def _interval(random: Random) -> Arguments:
    return {"method": random.choice(["wilson", "clopper-pearson"]), "confidence_level": _confidence_level(random)}


def _mcnemar(random: Random) -> Arguments:
    return {
        "alternative": _alternative(random),
        "method": random.choice(["exact", "midp", "asymptotic"]),
        "correction": random.choice([True, False]),
        "confidence_level": _confidence_level(random),
    }


def _confidence_level(random: Random) -> float:
    # at 0.5 a one-sided limit of R's normal approximation is any point of an interval: z crosses 0 on a plateau
    return random.choice([0.6, 0.9, 0.95, 0.99])


def _level(random: Random) -> float:
    return random.choice([0.01, 0.05, 0.1, 0.5])
