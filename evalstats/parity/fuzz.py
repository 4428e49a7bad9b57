"""Which inputs that nobody thought of are put to R?

A generator draws the arguments of one call from a `random.Random`. ``validate(fuzz=...)`` gives it a seeded one; the
test suite gives it one that Hypothesis controls, which then finds the smallest input that fails.
"""

from __future__ import annotations

__all__ = ["GENERATORS", "NO_ANSWER", "why_unanswered"]

import itertools
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


def bayes_correlated_ttest(random: Random) -> Arguments:
    """With and without a rope, folds and random splits of any size, or the correlation itself."""
    x, y = zip(*_scores_in_one_unit(random, (random.choice([2, 3, 10, 30]), 2)), strict=True)
    return {"x": list(x), "y": list(y), **_posterior_of_folds(random)}


def bayes_pairwise_correlated_ttest(random: Random) -> Arguments:
    """All pairs, with and without a rope."""
    k = random.randint(2, 5)
    return {"scores": _scores_in_one_unit(random, (random.choice([2, 3, 10, 30]), k)), **_posterior_of_folds(random)}


def bayes_sign_test(random: Random) -> Arguments:
    """Small integers, so that differences are often on the edge of the rope; every place of the prior."""
    n = random.choice([1, 2, 5, 20, 60])
    return {name: [random.randint(0, 5) for _ in range(n)] for name in ("x", "y")} | _prior(random)


def bayes_pairwise_sign_test(random: Random) -> Arguments:
    """All pairs of small integers; every place of the prior."""
    n, k = random.choice([1, 3, 12]), random.randint(2, 5)
    return {"scores": [[random.randint(0, 5) for _ in range(k)] for _ in range(n)], **_prior(random)}


def naive_resampled_ttest(random: Random) -> Arguments:
    """Every alternative, with two pairs at least."""
    return {**_pairs(random, smallest=2), "alternative": _alternative(random)}


def ttest_10x10(random: Random) -> Arguments:
    """Every variant and alternative, two to ten runs of two to ten folds, any degrees of freedom."""
    value = _values(random, noise=False)
    n_runs, n_folds = random.choice([(10, 10), (2, 2), (5, 2), (2, 5), (3, 4)])
    x = [[value() for _ in range(n_folds)] for _ in range(n_runs)]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {
        "x": x,
        "y": [[a if random.random() < share_of_zeros else value() for a in row] for row in x],
        "use": random.choice(["all", "folds", "runs", "sorted-runs"]),
        "df": random.choice([1, 2.5, 9, 10, 99]),
        "alternative": _alternative(random),
        "confidence_level": _confidence_level(random),
    }


def pairwise_corrected_ttest(random: Random) -> Arguments:
    """All pairs, or all against a control with every alternative; some classifiers are copies."""
    k = random.randint(2, 6)
    return {
        **_family(random, _table(random, (random.choice([2, 3, 10, 30]), k))),
        "n_train": random.choice([1, 9, 90, 10_000]),
        "n_test": random.choice([1, 10, 5000]),
    }


def pairwise_paired_ttest(random: Random) -> Arguments:
    """All pairs, or all against a control with every alternative; some classifiers are copies."""
    k = random.randint(2, 6)
    return _family(random, _table(random, (random.choice([2, 3, 10, 30]), k)))


def pairwise_sign_test(random: Random) -> Arguments:
    """All pairs and a control, and both ways with ties."""
    return {**_family(random, _scores_in_one_unit(random)), "ties": random.choice(["drop", "split"])}


def pairwise_wilcoxon_test(random: Random) -> Arguments:
    """All pairs and a control, ties and zeros, wherever R has the null distribution."""
    zero_method, method = random.choice(["wilcox", "pratt"]), random.choice(["auto", "exact", "asymptotic"])
    is_corrected = random.choice([True, False]) and not (zero_method == "pratt" and method == "asymptotic")
    choices = {"zero_method": zero_method, "method": method, "correction": is_corrected}
    return {**_family(random, _scores_in_one_unit(random)), **choices}


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
    """Every alternative and null distribution, from always alike to never, with and without groups."""
    share_of_discordant = random.choice([0, 0.2, 0.5, 1])
    x = [random.randint(0, 1) for _ in range(random.choice([1, 2, 5, 10, 30, 100]))]
    arguments = {"x": x, "y": [1 - a if random.random() < share_of_discordant else a for a in x], **_mcnemar(random)}
    if random.random() < 0.5:
        return arguments
    del arguments["confidence_level"]  # there is no interval
    return {**arguments, "groups": [random.randint(1, 9) for _ in x]}


def mcnemar_table(random: Random) -> Arguments:
    """Every method, with classes that are never exchanged; R rounds p-values below 5e-324 to 0."""
    k = random.randint(2, 6)
    counts = random.choice([[0, 1, 5], [0, 0, 0, 3], [1, 2, 30], [0, 100, 3]])
    table = [[random.choice(counts) for _ in range(k)] for _ in range(k)]
    table[0][1] += 1
    return {"table": table, "method": random.choice(["bowker", "stuart-maxwell", "bhapkar"])}


def pairwise_mcnemar_test(random: Random) -> Arguments:
    """All pairs and a control, exact and asymptotic, with every way to adjust that R has."""
    n, k = random.choice([(1, 2), (5, 3), (30, 4), (80, 6)])
    share = random.choice([0.5, 0.9])
    control = random.choice([None, random.randint(0, k - 1)])
    return {
        "correct": [[int(random.random() < share) for _ in range(k)] for _ in range(n)],
        **({} if control is None else {"control": control, "alternative": _alternative(random)}),
        "adjust": random.choice(["none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by"]),
        "method": random.choice(["exact", "asymptotic"]),
        "correction": random.choice([True, False]),
    }


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


def friedman_dunnett_test(random: Random) -> Arguments:
    """Both directions, every control; R's quadrature keeps its digits for a moderate number of datasets."""
    scores = _table(random)
    return {
        "scores": scores,
        "control": random.randint(0, len(scores[0]) - 1),
        "greater_is_better": random.choice([True, False]),
        "alpha": _level(random),
    }


def conover_test(random: Random) -> Arguments:
    """Both directions, all pairs or a control, every adjustment that R has."""
    return _pairs_of_classifiers(random, _table(random))


def siegel_castellan_test(random: Random) -> Arguments:
    """Both directions, all pairs or a control, every adjustment that R has."""
    return _pairs_of_classifiers(random, _table(random))


def miller_test(random: Random) -> Arguments:
    """Both directions."""
    return {"scores": _table(random), "greater_is_better": random.choice([True, False])}


def rank_sum_difference_test(random: Random) -> Arguments:
    """Both directions and both distributions, with many ties; of few datasets, because R keeps every sum."""
    scores = _table(random, (random.choice([1, 2, 5, 8]), random.randint(2, 5)))
    return {**_pairs_of_classifiers(random, scores), "method": random.choice(["exact", "normal"])}


def skillings_mack_test(random: Random) -> Arguments:
    """Both directions, with any scores missing, from none to most."""
    scores, share = _table(random), random.choice([0, 0.1, 0.3, 0.7])
    missing = [[float("nan") if random.random() < share else score for score in row] for row in scores]
    return {"scores": missing, "method": "chi2", **_direction(random)}


def durbin_test(random: Random) -> Arguments:
    """Both directions and both approximations, on all subsets of some size of the classifiers, and complete tables."""
    t = random.randint(2, 5)
    k = random.randint(2, t)
    blocks = list(itertools.combinations(range(t), k)) * random.randint(1, 3)
    value = _values(random, noise=True)
    scores = [[value() if j in block else float("nan") for j in range(t)] for block in blocks]
    return {"scores": scores, "method": random.choice(["chi2", "f"]), **_direction(random)}


def page_test(random: Random) -> Arguments:
    """Both directions, every alternative; the normal approximation, and the exact one of the smallest tables."""
    method = random.choice(["asymptotic", "exact"])
    size = random.choice([(1, 2), (40, 2), (2, 3), (3, 3), (2, 4)]) if method == "exact" else None
    return {
        "scores": _table(random, size),
        "alternative": _alternative(random),
        "method": method,
        "correction": False,
        **_direction(random),
    }


def kendall_w(random: Random) -> Arguments:
    """Tables of any size."""
    return {"scores": _table(random), "n_resamples": 9}


def quade_test(random: Random) -> Arguments:
    """Both directions, the F distribution, and the exact one for the smallest tables."""
    method = random.choice(["f", "exact"])
    size = random.choice([(2, 2), (9, 2), (2, 3), (3, 3), (4, 3), (2, 4)]) if method == "exact" else None
    return {"scores": _scores_in_one_unit(random, size), "method": method, **_direction(random)}


def quade_posthoc_test(random: Random) -> Arguments:
    """Both directions, all pairs or a control, every adjustment that R has."""
    return _pairs_of_classifiers(random, _scores_in_one_unit(random))


def friedman_aligned_test(random: Random) -> Arguments:
    """Both directions, chi-squared, and the exact distribution for the smallest tables."""
    method = random.choice(["chi2", "exact"])
    size = random.choice([(2, 2), (9, 2), (2, 3), (3, 3), (4, 3), (2, 4)]) if method == "exact" else None
    return {"scores": _scores_in_one_unit(random, size), "method": method, **_direction(random)}


def friedman_aligned_posthoc_test(random: Random) -> Arguments:
    """Both directions, all pairs or a control, every adjustment that R has."""
    return _pairs_of_classifiers(random, _scores_in_one_unit(random))


def adjust_pvalues(random: Random) -> Arguments:
    """Every method, on ties, zeros, ones and tiny p-values in any order."""
    draws: list[Callable[[], float]] = [
        random.random,
        lambda: random.choice([0.0, 0.01, 0.02, 0.04, 0.5, 1.0]),
        lambda: 10.0 ** -random.randint(0, 300),
    ]
    draw = random.choice(draws)
    methods = ["bonferroni", "sidak", "holm", "holm-sidak", "hochberg", "hommel", "finner", "holland", "bh", "by"]
    return {"pvalues": [draw() for _ in range(random.randint(1, 12))], "method": random.choice(methods)}


def adjust_pairwise(random: Random) -> Arguments:
    """Every method that R has; for Bergmann and Hommel's R goes through all subsets, and wants no ties."""
    methods = ["bonferroni", "holm", "hochberg", "hommel", "bh", "by", "bergmann-hommel"]
    method = random.choice(methods)
    logical = method == "bergmann-hommel"
    k = random.randint(3, 4) if logical else random.randint(2, 8)
    power = random.choice([1, 3, 9])
    # zero has no z value
    thousandths = random.sample(range(1, 1001), k * (k - 1) // 2)
    matrix = [[1.0] * k for _ in range(k)]
    for i in range(k):
        for j in range(i):
            matrix[i][j] = matrix[j][i] = (thousandths.pop() / 1000) ** power
    return {"pvalues": matrix, "method": method, "running_maximum": logical}


def critical_difference(random: Random) -> Arguments:
    """Both tests, any number of datasets."""
    return {
        "n_datasets": random.randint(1, 500),
        "n_classifiers": random.randint(2, 9),
        "alpha": _level(random),
        "test": random.choice(["nemenyi", "bonferroni-dunn"]),
    }


def rm_anova_test(random: Random) -> Arguments:
    """Every correction, tables with fewer datasets than classifiers too; `aov` loses digits of scores in many units."""
    size = (random.choice([3, 4, 5, 10, 20]), random.randint(2, 6))
    corrections = ["none", "greenhouse-geisser", "huynh-feldt"]
    return {"scores": _scores_in_one_unit(random, size), "correction": random.choice(corrections)}


def tukey_test(random: Random) -> Arguments:
    """Eight degrees of freedom at least, below which `ptukey` is not accurate."""
    size = random.choice([(9, 2), (5, 3), (4, 4), (10, 3), (20, 5), (10, 7)])
    return {"scores": _scores_in_one_unit(random, size), "alpha": random.choice([0.01, 0.05, 0.1])}


def dunnett_test(random: Random) -> Arguments:
    """Every control of a few classifiers."""
    n, k = random.choice([(9, 2), (5, 3), (10, 3), (10, 4)])
    return {"scores": _scores_in_one_unit(random, (n, k)), "control": random.randint(0, k - 1)}


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


def delong_unpaired_test(random: Random) -> Arguments:
    """Every alternative, on test sets of any two sizes."""
    first, second, value = _classes(random, smallest=2), _classes(random, smallest=2), _values(random, noise=False)
    return {
        "y_true_x": first,
        "x": [value() for _ in first],
        "y_true_y": second,
        "y": [value() for _ in second],
        "df": random.choice(["welch", "infinite"]),
        "alternative": _alternative(random),
        "confidence_level": _confidence_level(random),
    }


def pairwise_delong_test(random: Random) -> Arguments:
    """All pairs, or all against a control, with every adjustment that R has too."""
    y_true = _classes(random, smallest=2)
    value, k = _values(random, noise=False), random.randint(2, 5)
    return {
        "y_true": y_true,
        "scores": [[value() for _ in range(k)] for _ in y_true],
        "adjust": random.choice(["holm", "bonferroni", "hochberg", "hommel", "bh", "by", "none"]),
        **random.choice([{}, {"control": random.randrange(k)}]),
    }


def metric_permutation_test(random: Random) -> Arguments:
    """Accuracy, for which R has the exact test, with every alternative."""
    n, n_classes = random.choice([1, 2, 5, 12, 30]), random.choice([2, 3])
    y_true, x, y = ([random.randrange(n_classes) for _ in range(n)] for _ in range(3))
    return {
        "y_true": y_true,
        "x": x,
        "y": y,
        "metric": "accuracy",
        "method": "exact",
        "alternative": _alternative(random),
    }


def delong_covariance(random: Random) -> Arguments:
    """Several classifiers, with two samples of each class at least."""
    y_true = _classes(random, smallest=2)
    value = _values(random, noise=False)
    return {"y_true": y_true, "y_score": [[value() for _ in y_true] for _ in range(random.randint(1, 4))]}


def cohen_dz(random: Random) -> Arguments:
    """Two pairs at least."""
    return {**_pairs(random, smallest=2), "confidence_level": _confidence_level(random)}


def cohen_d(random: Random) -> Arguments:
    """Two samples of different lengths; effectsize needs two values of each."""
    return {**_two_samples(random, smallest=2), "confidence_level": _confidence_level(random)}


def hedges_g(random: Random) -> Arguments:
    """Pairs and independent samples, with two degrees of freedom at least."""
    paired = random.choice([True, False])
    samples = _pairs(random, smallest=3) if paired else _two_samples(random, smallest=2)
    return {**samples, "paired": paired, "confidence_level": _confidence_level(random)}


def dominance(random: Random) -> Arguments:
    """Both intervals, samples of different lengths."""
    return {**_two_samples(random, smallest=1), **_dominance(random)}


def rank_biserial(random: Random) -> Arguments:
    """Both intervals, pairs with ties and zeros."""
    return {**_pairs(random), **_dominance(random)}


def smallest_attainable_pvalue(random: Random) -> Arguments:
    """Every test that has a bound, and adjustments of one family; few datasets, where R enumerates."""
    test = random.choice(["sign", "wilcoxon", "permutation", "mcnemar", "friedman", "nemenyi", "bonferroni-dunn"])
    if test in ("friedman", "nemenyi", "bonferroni-dunn"):
        n, k = random.choice([(1, 2), (2, 3), (3, 3), (2, 4)])
        return {"test": test, "n": n, "k": k}
    adjust = random.choice(["none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by"])
    family = {"adjust": adjust, "n_comparisons": random.choice([1, 3, 10])}
    return {"test": test, "n": random.randint(1, 40), "alternative": _alternative(random), **family}


def smallest_n(random: Random) -> Arguments:
    """Two classifiers, any level."""
    test = random.choice(["sign", "wilcoxon", "permutation", "mcnemar"])
    return {"test": test, "alpha": 10.0 ** -random.uniform(0.2, 9), "alternative": _alternative(random)}


def power(random: Random) -> Arguments:
    """Every test whose power is not simulated."""
    test = random.choice(["sign", "wilcoxon", "mcnemar", "paired-t", "corrected-t"])
    n = random.randint(2, 9 if test == "wilcoxon" else 20)
    share = random.uniform(0.2, 1)
    effects: dict[str, Arguments] = {
        "sign": {"win_probability": random.random(), "tie_rate": random.choice([0, 0.3])},
        "wilcoxon": {"win_probability": random.random()},
        "mcnemar": {
            "discordance": share,
            "difference": random.uniform(-share, share),
            "method": random.choice(["exact", "midp", "asymptotic"]),
            "correction": random.choice([True, False]),
        },
        "paired-t": {"effect": random.uniform(0, 2)},
        "corrected-t": {"effect": random.uniform(0, 2), "n_train": random.randint(1, 9), "n_test": 1},
    }
    # not to the left of an effect on the right: R's tail there is rounding noise
    sided = _alternative(random) if test in ("sign", "wilcoxon", "mcnemar") else random.choice(["two-sided", "greater"])
    level = random.choice([0.01, 0.05, 0.1, 0.2])
    return {"test": test, "n": n, "alternative": sided, "alpha": level, **effects[test]}


def required_sample_size(random: Random) -> Arguments:
    """Large differences, which R finds in a short search."""
    test = random.choice(["sign", "paired-t"])
    effect = {"win_probability": random.uniform(0.85, 0.99)} if test == "sign" else {"effect": random.uniform(0.2, 2)}
    sided = random.choice(["two-sided", "greater"])
    return {"test": test, "power": random.uniform(0.5, 0.9), "alternative": sided, **effect}


def smallest_detectable_difference(random: Random) -> Arguments:
    """Small test sets, every null distribution."""
    known: Arguments = {"discordance": random.uniform(0.4, 1)}
    if random.random() < 0.5:
        known = {"accuracy": random.uniform(0.3, 0.6), "correlation": random.uniform(0, 0.3)}
    return {
        "n": random.choice([30, 40]),
        "method": random.choice(["exact", "midp", "asymptotic"]),
        "alternative": random.choice(["two-sided", "greater"]),
        **known,
    }


def overlap(random: Random) -> Arguments:
    """Ties, both ways to pair, two runs at least."""
    return {
        **_pairs(random, smallest=2),
        "pairing": random.choice(["index", "index", "all"]),
        "confidence_level": _confidence_level(random),
    }


def overlap_matrix(random: Random) -> Arguments:
    """Any number of runs and classifiers, with ties."""
    return {"runs": _scores_in_one_unit(random, (random.choice([2, 3, 8, 30]), random.randint(2, 6)))}


def steady_state(random: Random) -> Arguments:
    """Canonical estimates of one run up to all."""
    value = _values(random, noise=False)
    scores = [value() for _ in range(random.choice([2, 3, 5, 10, 40]))]
    return {
        "scores": scores,
        "n_canonical": random.randint(1, len(scores)),
        "confidence_level": _confidence_level(random),
    }


def estimate_distribution(random: Random) -> Arguments:
    """Estimates with and without ties."""
    return {"scores": [row[0] for row in _scores_in_one_unit(random, (random.choice([3, 4, 11, 12, 50]), 1))]}


def running_means(random: Random) -> Arguments:
    """Any number of runs and classifiers."""
    return {"runs": _scores_in_one_unit(random, (random.choice([2, 3, 8, 30]), random.randint(2, 5)))}


def estimate_histogram(random: Random) -> Arguments:
    """Whole numbers in bins with whole limits: which bin holds a limit is part of the definition."""
    runs = [[float(random.randint(0, 9)) for _ in range(2)] for _ in range(random.choice([2, 5, 20]))]
    inner = sorted(random.sample(range(1, 9), random.randint(1, 4)))
    return {"runs": runs, "bins": [0.0, *map(float, inner), 9.0]}


def optimism(random: Random) -> Arguments:
    """Estimates and true scores in one unit."""
    pairs = _scores_in_one_unit(random, (random.choice([1, 2, 7, 30]), 2))
    return {"estimates": [row[0] for row in pairs], "truth": [row[1] for row in pairs]}


GENERATORS: Mapping[str, Callable[[Random], Arguments]] = {
    "agreement/kappa/cohen_kappa": cohen_kappa,
    "agreement/kappa/cohen_kappa_table": cohen_kappa_table,
    "bayes/correlated_t/bayes_correlated_ttest": bayes_correlated_ttest,
    "bayes/correlated_t/bayes_pairwise_correlated_ttest": bayes_pairwise_correlated_ttest,
    "bayes/sign/bayes_pairwise_sign_test": bayes_pairwise_sign_test,
    "bayes/sign/bayes_sign_test": bayes_sign_test,
    "design/attainable/smallest_attainable_pvalue": smallest_attainable_pvalue,
    "design/attainable/smallest_n": smallest_n,
    "design/detectable/smallest_detectable_difference": smallest_detectable_difference,
    "design/power_analysis/power": power,
    "design/power_analysis/required_sample_size": required_sample_size,
    "effects/dominance/cliffs_delta": dominance,
    "effects/dominance/rank_biserial": rank_biserial,
    "effects/dominance/vargha_delaney_a": dominance,
    "effects/standardized/cohen_d": cohen_d,
    "effects/standardized/cohen_dz": cohen_dz,
    "effects/standardized/hedges_g": hedges_g,
    "metrics/curves/roc_curve": roc_curve,
    "metrics/delong/auc_estimate": auc_estimate,
    "metrics/delong/delong_covariance": delong_covariance,
    "metrics/intervals/accuracy_interval": accuracy_interval,
    "metrics/intervals/proportion_interval": proportion_interval,
    "metrics/ranking/roc_auc_score": roc_auc_score,
    "adjustment/pvalues/adjust_pvalues": adjust_pvalues,
    "adjustment/pairwise/adjust_pairwise": adjust_pairwise,
    "multiple/bonferroni_dunn/bonferroni_dunn_test": bonferroni_dunn_test,
    "multiple/cochran/cochran_q_test": cochran_q_test,
    "multiple/critical_differences/critical_difference": critical_difference,
    "multiple/friedman/friedman_test": friedman_test,
    "multiple/nemenyi/nemenyi_test": nemenyi_test,
    "multiple/conover/conover_test": conover_test,
    "multiple/friedman_aligned/friedman_aligned_posthoc_test": friedman_aligned_posthoc_test,
    "multiple/friedman_aligned/friedman_aligned_test": friedman_aligned_test,
    "multiple/friedman_dunnett/friedman_dunnett_test": friedman_dunnett_test,
    "multiple/skillings_mack/skillings_mack_test": skillings_mack_test,
    "multiple/durbin/durbin_test": durbin_test,
    "multiple/page/page_test": page_test,
    "multiple/kendall/kendall_w": kendall_w,
    "multiple/quade/quade_posthoc_test": quade_posthoc_test,
    "multiple/quade/quade_test": quade_test,
    "multiple/rm_anova/rm_anova_test": rm_anova_test,
    "multiple/tukey/dunnett_test": dunnett_test,
    "multiple/tukey/tukey_test": tukey_test,
    "multiple/rank_sum_differences/rank_sum_difference_test": rank_sum_difference_test,
    "multiple/siegel_castellan/miller_test": miller_test,
    "multiple/siegel_castellan/siegel_castellan_test": siegel_castellan_test,
    "distributions/studentized_range/isf": isf,
    "distributions/studentized_range/sf": sf,
    "paired/delong/delong_test": delong_test,
    "paired/delong/delong_unpaired_test": delong_unpaired_test,
    "paired/five_by_two/ftest_5x2cv": ftest_5x2cv,
    "paired/five_by_two/ttest_5x2cv": ttest_5x2cv,
    "paired/naive/naive_resampled_ttest": naive_resampled_ttest,
    "paired/permutation/permutation_test": permutation_test,
    "paired/mcnemar/mcnemar_from_counts": mcnemar_from_counts,
    "paired/mcnemar/mcnemar_test": mcnemar_test,
    "paired/square_table/mcnemar_table": mcnemar_table,
    "pairwise/mcnemar/pairwise_mcnemar_test": pairwise_mcnemar_test,
    "paired/metric_permutation/metric_permutation_test": metric_permutation_test,
    "pairwise/delong/pairwise_delong_test": pairwise_delong_test,
    "paired/sign/sign_test": sign_test,
    "paired/ten_by_ten/ttest_10x10": ttest_10x10,
    "paired/ttest/corrected_ttest": corrected_ttest,
    "paired/ttest/paired_ttest": paired_ttest,
    "paired/wilcoxon/wilcoxon_test": wilcoxon_test,
    "pairwise/corrected_t/pairwise_corrected_ttest": pairwise_corrected_ttest,
    "pairwise/paired_t/pairwise_paired_ttest": pairwise_paired_ttest,
    "pairwise/sign/pairwise_sign_test": pairwise_sign_test,
    "pairwise/wilcoxon/pairwise_wilcoxon_test": pairwise_wilcoxon_test,
    "reproducibility/distribution/estimate_distribution": estimate_distribution,
    "reproducibility/distribution/estimate_histogram": estimate_histogram,
    "reproducibility/distribution/optimism": optimism,
    "reproducibility/distribution/running_means": running_means,
    "reproducibility/distribution/steady_state": steady_state,
    "reproducibility/overlapping_runs/overlap": overlap,
    "reproducibility/overlapping_runs/overlap_matrix": overlap_matrix,
}
"""One generator per function that has an answer in R."""

NO_ANSWER: Mapping[str, Mapping[str, str]] = {
    "bayes/correlated_t/bayes_correlated_ttest": {"the differences have no variance": "R would divide by zero"},
    "bayes/correlated_t/bayes_pairwise_correlated_ttest": {
        "the differences have no variance": "R would divide by zero"
    },
    "effects/standardized/cohen_d": {"the samples have no variance": "R would divide by zero, or by noise"},
    "effects/standardized/cohen_dz": {"the differences have no variance": "R would divide by zero, or by noise"},
    "effects/standardized/hedges_g": {"have no variance": "R would divide by zero, or by noise"},
    "multiple/rm_anova/rm_anova_test": {"no variance is left": "R would divide by zero, or by noise"},
    "multiple/tukey/dunnett_test": {"no variance is left": "R would divide by zero, or by noise"},
    "multiple/tukey/tukey_test": {"no variance is left": "R would divide by zero, or by noise"},
    "paired/five_by_two/ftest_5x2cv": {"the differences have no variance": "R would divide by zero"},
    "paired/five_by_two/ttest_5x2cv": {"the differences have no variance": "R would divide by zero"},
    "paired/naive/naive_resampled_ttest": {
        "data are essentially constant": "t.test refuses differences that are all the same, or the same but for noise",
    },
    "paired/ten_by_ten/ttest_10x10": {"the differences have no variance": "R would divide by zero"},
    "pairwise/corrected_t/pairwise_corrected_ttest": {"the differences have no variance": "R would divide by zero"},
    "pairwise/paired_t/pairwise_paired_ttest": {
        "data are essentially constant": "t.test refuses differences that are all the same, or the same but for noise",
    },
    "reproducibility/distribution/steady_state": {
        "data are essentially constant": "t.test refuses values that are all the same, or the same but for noise",
    },
    "paired/ttest/corrected_ttest": {"the differences have no variance": "R would divide by zero"},
    "paired/ttest/paired_ttest": {
        "data are essentially constant": "t.test refuses differences that are all the same, or the same but for noise",
    },
}
"""Per function: a part of R's error message, and why R has no answer then. Any other error is a mismatch."""


def why_unanswered(name: str, error: Exception) -> str | None:
    """Return the documented reason for an error of R, or None where there is none."""
    return next((why for part, why in NO_ANSWER.get(name, {}).items() if part in str(error)), None)


def _posterior_of_folds(random: Random) -> Arguments:
    sizes = {"n_train": random.choice([1, 9, 90]), "n_test": random.choice([1, 10])}
    return {
        "rope": random.choice([0, 0.01, 0.1, 1]),
        **random.choice([sizes, {"correlation": random.choice([0, 0.1, 0.5])}]),
    }


def _prior(random: Random) -> Arguments:
    return {
        "rope": random.choice([0, 1, 2]),
        "prior_strength": random.choice([0, 0.5, 1, 3]),
        "prior_place": random.choice(["less", "rope", "greater"]),
    }


def _pairs(random: Random, *, smallest: int = 1, noise: bool = False) -> Arguments:
    """Return two samples; some pairs are equal."""
    n = random.choice([n for n in (1, 2, 3, 4, 5, 6, 8, 10, 15, 30, 60) if n >= smallest])
    value = _values(random, noise=noise)
    x = [value() for _ in range(n)]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {"x": x, "y": [a if random.random() < share_of_zeros else value() for a in x]}


def _two_samples(random: Random, *, smallest: int) -> Arguments:
    """Return two samples of any lengths."""
    value = _values(random, noise=False)
    lengths = [n for n in (1, 2, 3, 5, 8, 15, 40) if n >= smallest]
    return {name: [value() for _ in range(random.choice(lengths))] for name in ("x", "y")}


def _dominance(random: Random) -> Arguments:
    return {"method": random.choice(["consistent", "fisher"]), "confidence_level": _confidence_level(random)}


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


def _scores_in_one_unit(random: Random, size: tuple[int, int] | None = None) -> list[list[float]]:
    """Return a table of multiples of one unit: distances of scores are as exact in R's adapter as here."""
    n, k = size or (random.choice([1, 2, 3, 5, 10, 20]), random.randint(2, 7))
    digits, most = random.choice([(0, 4), (0, 99), (2, 1), (4, 1)])
    return [[round(random.uniform(0, most), digits) for _ in range(k)] for _ in range(n)]


def _pairs_of_classifiers(random: Random, scores: list[list[float]]) -> Arguments:
    control = {"control": random.randint(0, len(scores[0]) - 1)} if random.random() < 0.5 else {}
    adjust = random.choice(["none", "bonferroni", "holm", "hochberg", "hommel"])
    return {"scores": scores, "adjust": adjust, **control, **_direction(random)}


def _family(random: Random, scores: list[list[float]]) -> Arguments:
    """Return these scores, sometimes with a copied classifier, for all pairs or against a control."""
    if random.random() < 0.2:
        scores = [[*row[:-1], row[0]] for row in scores]
    to_a_control = {"control": random.randrange(len(scores[0])), "alternative": _alternative(random)}
    return {
        "scores": scores,
        "adjust": random.choice(["none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by"]),
        **(to_a_control if random.random() < 0.5 else {}),
    }


def _direction(random: Random) -> Arguments:
    return {"greater_is_better": random.choice([True, False])}


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
