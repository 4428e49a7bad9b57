"""Generators of designs, and of scores of several classifiers."""

from __future__ import annotations

__all__ = ["GENERATORS"]

import itertools
from collections.abc import Callable, Mapping
from random import Random

from evalstats.parity.random_inputs import (
    Arguments,
    alternative,
    direction,
    level,
    pairs_of_classifiers,
    scores_in_one_unit,
    table,
    values,
)

# --- design -----------------------------------------------------------------------------------------------------------


def question_variance(random: Random) -> Arguments:
    """Generate scores of answers, for 2 to 12 questions with 2 to 6 sampled answers, not all equal."""
    n, m = random.randint(2, 12), random.randint(2, 6)
    digits = random.choice([0, 3])
    x = [[round(random.random(), digits) for _ in range(m)] for _ in range(n)]
    x[0][:2] = [0, 1]
    return {"x": x}


def minimum_attainable_pvalue(random: Random) -> Arguments:
    """Generate inputs for every test with a minimum p-value and adjustments of a family; R enumerates few datasets."""
    of_ranks = ["friedman", "nemenyi", "bonferroni-dunn", "steel"]
    test = random.choice(["sign", "wilcoxon", "permutation", "mcnemar", *of_ranks])
    if test in of_ranks:
        n, k = random.choice([(1, 2), (2, 3), (3, 3), (2, 4)])
        return {"test": test, "n": n, "n_classifiers": k}
    adjust = random.choice(["none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by"])
    family = {"adjust": adjust, "n_comparisons": random.choice([1, 3, 10])}
    return {"test": test, "n": random.randint(1, 40), "alternative": alternative(random), **family}


def minimum_sample_size(random: Random) -> Arguments:
    """Generate designs for two classifiers with any significance level."""
    test = random.choice(["sign", "wilcoxon", "permutation", "mcnemar"])
    return {"test": test, "alpha": 10.0 ** -random.uniform(0.2, 9), "alternative": alternative(random)}


def statistical_power(random: Random) -> Arguments:
    """Generate inputs for every test whose power is not simulated."""
    test = random.choice(["sign", "wilcoxon", "mcnemar", "paired-t", "corrected-t", "clustered-t", "auc", "battles"])
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
        "clustered-t": {
            "difference": random.uniform(0, 1),
            "sd": random.uniform(0.5, 1),
            "sd_within": random.choice([0, 0.5]),
            "n_samples": random.choice([1, 3]),
            "method": random.choice(["t", "asymptotic"]),
        },
        "auc": {"difference": random.uniform(-0.2, 0.2), "sd": random.uniform(0.5, 1)},
        "battles": {
            "effect": random.uniform(-1, 1),
            "n_classifiers": random.choice([2, 3, 10]),
            "tie_rate": random.choice([0, 0.3]),
        },
    }
    # no left-sided test of a positive effect, because R's tail probability is then rounding noise
    sided = (
        alternative(random)
        if test in ("sign", "wilcoxon", "mcnemar", "auc", "battles")
        else random.choice(["two-sided", "greater"])
    )
    level = random.choice([0.01, 0.05, 0.1, 0.2])
    return {"test": test, "n": n, "alternative": sided, "alpha": level, **effects[test]}


def required_sample_size(random: Random) -> Arguments:
    """Generate large differences, for which R finds the sample size in a short search."""
    test = random.choice(["sign", "paired-t"])
    effect = {"win_probability": random.uniform(0.85, 0.99)} if test == "sign" else {"effect": random.uniform(0.2, 2)}
    sided = random.choice(["two-sided", "greater"])
    return {"test": test, "power": random.uniform(0.5, 0.9), "alternative": sided, **effect}


def minimum_detectable_difference(random: Random) -> Arguments:
    """Generate small test sets with every null distribution."""
    known: Arguments = {"discordance": random.uniform(0.4, 1)}
    if random.random() < 0.5:
        known = {"accuracy": random.uniform(0.3, 0.6), "correlation": random.uniform(0, 0.3)}
    return {
        "n": random.choice([30, 40]),
        "method": random.choice(["exact", "midp", "asymptotic"]),
        "alternative": random.choice(["two-sided", "greater"]),
        **known,
    }


def noninferiority_power(random: Random) -> Arguments:
    """Generate inputs for every test and hypothesis for few instances, because R sums over all tables."""
    test = random.choice(["accuracy", "paired-t", "corrected-t", "sign", "clustered-t"])
    hypothesis = random.choice(["noninferiority", "equivalence"])
    common = {"test": test, "hypothesis": hypothesis, "alpha": random.choice([0.05, 0.1])}
    if test == "accuracy":
        sizes = {"n": random.choice([3, 8, 20]), "margin": random.choice([0.1, 0.25, 0.5])}
        return {
            **common,
            **sizes,
            "discordance": random.choice([0.2, 0.5]),
            "difference": random.choice([-0.1, 0, 0.1]),
        }
    own: dict[str, Arguments] = {
        "corrected-t": {"n_train": 9, "n_test": 1},
        "clustered-t": {"cluster_size": random.choice([1, 2, 5]), "intraclass_correlation": random.choice([0, 0.3])},
    }
    sizes = {"n": random.choice([10, 20, 30]), "margin": random.choice([0.5, 1, 2])}
    return {
        **common,
        **own.get(test, {}),
        **sizes,
        "sd": random.choice([0.5, 1]),
        "difference": random.choice([-0.3, 0, 0.2]),
    }


def noninferiority_sample_size(random: Random) -> Arguments:
    """Generate inputs for the t-tests with a minimum sample size; R tries the sizes one by one."""
    return {
        "test": "paired-t",
        "hypothesis": random.choice(["noninferiority", "equivalence"]),
        "margin": random.choice([0.5, 1]),
        "sd": random.choice([0.5, 1]),
        "difference": random.choice([-0.1, 0, 0.1]),
        "power": random.choice([0.7, 0.9]),
    }


# --- multiple ---------------------------------------------------------------------------------------------------------


def friedman_test(random: Random) -> Arguments:
    """Generate inputs for both directions and all null distributions that R has: exact for the smallest tables."""
    method = random.choice(["chi2", "f", "exact"])
    size = random.choice([(2, 2), (9, 2), (40, 2), (2, 3), (3, 3), (2, 4)]) if method == "exact" else None
    return {"scores": table(random, size), "method": method, "greater_is_better": random.choice([True, False])}


def dea_efficiency(random: Random) -> Arguments:
    """Generate metrics with both directions, with equal values, in different units."""
    k, m = random.randint(1, 9), random.randint(1, 5)
    units = [random.choice([1.0, 100.0, 0.01]) for _ in range(m)]
    rows = [
        [random.choice([random.uniform(0.05, 1), random.randint(1, 4) / 4]) * unit for unit in units] for _ in range(k)
    ]
    return {"scores": rows, "greater_is_better": [random.random() < 0.5 for _ in range(m)]}


def cochran_q_test(random: Random) -> Arguments:
    """Generate rows without disagreement, and all null distributions: exact for the smallest tables."""
    method = random.choice(["chi2", "exact"])
    sizes = {"chi2": [(1, 2), (5, 3), (30, 5), (80, 9)], "exact": [(2, 2), (9, 2), (40, 2), (3, 3), (4, 3), (3, 4)]}
    n, k = random.choice(sizes[method])
    share = random.choice([0.2, 0.5, 0.9])
    return {"correct": [[int(random.random() < share) for _ in range(k)] for _ in range(n)], "method": method}


def friedman_exact_posthoc_test(random: Random) -> Arguments:
    """Generate inputs for both directions and distributions, with ties; few datasets, because R stores every sum."""
    scores = table(random, (random.choice([1, 2, 5, 8]), random.randint(2, 5)))
    return {**pairs_of_classifiers(random, scores), "method": random.choice(["exact", "normal"])}


def skillings_mack_test(random: Random) -> Arguments:
    """Generate inputs for both directions, with none, some or most of the scores missing."""
    scores, share = table(random), random.choice([0, 0.1, 0.3, 0.7])
    missing = [[float("nan") if random.random() < share else score for score in row] for row in scores]
    return {"scores": missing, "method": "chi2", **direction(random)}


def durbin_test(random: Random) -> Arguments:
    """Generate inputs for both directions and approximations, for all subsets of a size and for complete tables."""
    t = random.randint(2, 5)
    k = random.randint(2, t)
    blocks = list(itertools.combinations(range(t), k)) * random.randint(1, 3)
    value = values(random, noise=True)
    scores = [[value() if j in block else float("nan") for j in range(t)] for block in blocks]
    return {"scores": scores, "method": random.choice(["chi2", "f"]), **direction(random)}


def page_test(random: Random) -> Arguments:
    """Generate inputs for both directions and every alternative: normal approximation, or exact for small tables."""
    method = random.choice(["asymptotic", "exact"])
    size = random.choice([(1, 2), (40, 2), (2, 3), (3, 3), (2, 4)]) if method == "exact" else None
    return {
        "scores": table(random, size),
        "alternative": alternative(random),
        "method": method,
        "correction": False,
        **direction(random),
    }


def kendall_w(random: Random) -> Arguments:
    """Generate tables of any size."""
    return {"scores": table(random), "n_resamples": 9}


def quade_test(random: Random) -> Arguments:
    """Generate inputs for both directions, the F distribution, and the exact distribution for the smallest tables."""
    method = random.choice(["f", "exact"])
    size = random.choice([(2, 2), (9, 2), (2, 3), (3, 3), (4, 3), (2, 4)]) if method == "exact" else None
    return {"scores": scores_in_one_unit(random, size), "method": method, **direction(random)}


def friedman_aligned_test(random: Random) -> Arguments:
    """Generate inputs for both directions, chi-squared, and the exact distribution for the smallest tables."""
    method = random.choice(["chi2", "exact"])
    size = random.choice([(2, 2), (9, 2), (2, 3), (3, 3), (4, 3), (2, 4)]) if method == "exact" else None
    return {"scores": scores_in_one_unit(random, size), "method": method, **direction(random)}


def critical_difference(random: Random) -> Arguments:
    """Generate inputs for both tests, with any number of datasets."""
    return {
        "n_datasets": random.randint(1, 500),
        "n_classifiers": random.randint(2, 9),
        "alpha": level(random),
        "test": random.choice(["nemenyi", "bonferroni-dunn"]),
    }


def rm_anova_test(random: Random) -> Arguments:
    """Generate inputs in one unit, because `aov` loses digits: every correction; fewer datasets than classifiers."""
    size = (random.choice([3, 4, 5, 10, 20]), random.randint(2, 6))
    corrections = ["none", "greenhouse-geisser", "huynh-feldt"]
    return {"scores": scores_in_one_unit(random, size), "correction": random.choice(corrections)}


def tukey_test(random: Random) -> Arguments:
    """Generate at least eight degrees of freedom, below which `ptukey` is not accurate."""
    size = random.choice([(9, 2), (5, 3), (4, 4), (10, 3), (20, 5), (10, 7)])
    return {"scores": scores_in_one_unit(random, size), "alpha": random.choice([0.01, 0.05, 0.1])}


def dunnett_test(random: Random) -> Arguments:
    """Generate inputs for every control of a few classifiers."""
    n, k = random.choice([(9, 2), (5, 3), (10, 3), (10, 4)])
    return {"scores": scores_in_one_unit(random, (n, k)), "control": random.randint(0, k - 1)}


def steel_sign_test(random: Random) -> Arguments:
    """Generate inputs for every alternative and control, exact for the smallest tables, or the normal approximation."""
    method = random.choice(["asymptotic", "exact"])
    size = random.choice([(2, 2), (9, 2), (2, 3), (3, 3), (2, 4)]) if method == "exact" else None
    scores = table(random, size)
    control = random.randint(0, len(scores[0]) - 1)
    return {"scores": scores, "control": control, "alternative": alternative(random), "method": method}


def jonckheere_test(random: Random) -> Arguments:
    """Generate inputs for every alternative for groups of one size, because R reads the groups as rows of a matrix."""
    method = random.choice(["asymptotic", "exact"])
    sizes = [(2, 1), (2, 2), (3, 2), (2, 3)] if method == "exact" else [(2, 4), (3, 5), (5, 10)]
    return {
        "samples": table(random, random.choice(sizes)),
        "alternative": alternative(random),
        "method": method,
        "correction": random.choice([True, False]),
    }


def jonckheere_block_test(random: Random) -> Arguments:
    """Generate inputs for both directions and every alternative, exact for small tables, or asymptotic."""
    method = random.choice(["asymptotic", "exact"])
    size = random.choice([(1, 2), (3, 2), (2, 3), (3, 3), (2, 4)]) if method == "exact" else None
    return {
        "scores": table(random, size),
        "alternative": alternative(random),
        "method": method,
        "correction": random.choice([True, False]),
        **direction(random),
    }


def looney_f_test(random: Random) -> Arguments:
    """Generate tables of any size with good and bad classifiers."""
    n, k = random.choice([(2, 2), (5, 3), (30, 5), (80, 9)])
    share = random.choice([0.2, 0.5, 0.9])
    return {"correct": [[int(random.random() < share) for _ in range(k)] for _ in range(n)]}


def project_vectors(random: Random) -> Arguments:
    """Generate inputs for every distance that R has, and each projection. Some vectors are equal."""
    k, p = random.choice([1, 2, 3, 5, 12]), random.choice([1, 2, 4, 9])
    most = random.choice([3, 99])
    vectors = [[random.randint(0, most) for _ in range(p)] for _ in range(k)]
    if random.random() < 0.3:
        vectors[-1] = vectors[0]
    return {
        "vectors": vectors,
        "ideal": [random.randint(0, most) for _ in range(p)],
        "distance": random.choice(["euclidean", "cityblock", "chebyshev", "canberra", "sqeuclidean"]),
        "method": random.choice(["mcst", "mds", "pca"]),
    }


def bradley_terry_from_battles(random: Random) -> Arguments:
    """Generate a win and a loss of every pair in clusters of different sizes, so all strengths are finite."""
    names = ["A", "B", "C", "D"][: random.randint(2, 4)]
    pairs = list(itertools.permutations(names, 2))
    battles = pairs + [random.choice(pairs) for _ in range(random.choice([10, 40]))]
    winner = ["model_a"] * len(pairs)
    winner += random.choices(["model_a", "model_b", "tie", "both_bad"], k=len(battles) - len(pairs))
    made: Arguments = {"model_a": [a for a, _ in battles], "model_b": [b for _, b in battles], "winner": winner}
    if random.random() < 0.7:
        made["clusters"] = [random.randint(0, 7) for _ in battles]
        made["small_sample"] = random.choice(["cr0", "cr1", "cr2"])
    return made | {"position": random.random() < 0.3, "covariance": random.choice(["robust", "robust", "model"])}


def bradley_terry_from_counts(random: Random) -> Arguments:
    """Generate a win and a loss of every pair, so all strengths are finite; some pairs never tie."""
    k, largest = random.randint(2, 5), random.choice([2, 8, 50])
    n_wins = [[0 if i == j else random.randint(1, largest) for j in range(k)] for i in range(k)]
    n_ties = [[0] * k for _ in range(k)]
    for i, j in itertools.combinations(range(k), 2):
        n_ties[i][j] = n_ties[j][i] = random.choice([0, random.randint(0, largest)])
    return {"n_wins": n_wins, "n_ties": n_ties, "ties": random.choice(["davidson", "split", "drop"])}


def bradley_terry_model(random: Random) -> Arguments:
    """Generate many datasets with ties, so most strengths are finite."""
    k = random.randint(2, 4)
    scores = [[random.randint(0, 5) for _ in range(k)] for _ in range(random.choice([20, 40]))]
    ties = random.choice(["davidson", "split", "drop"])
    return {"scores": scores, "ties": ties, "covariance": random.choice(["datasets", "model"]), **direction(random)}


# the generators of each subpackage, named as the functions
GENERATORS: Mapping[str, tuple[Callable[[Random], Arguments], ...]] = {
    "design": (
        minimum_attainable_pvalue,
        minimum_detectable_difference,
        minimum_sample_size,
        noninferiority_power,
        noninferiority_sample_size,
        question_variance,
        required_sample_size,
        statistical_power,
    ),
    "multiple": (
        bradley_terry_from_battles,
        bradley_terry_from_counts,
        bradley_terry_model,
        cochran_q_test,
        critical_difference,
        dea_efficiency,
        dunnett_test,
        durbin_test,
        friedman_aligned_test,
        friedman_exact_posthoc_test,
        friedman_test,
        jonckheere_block_test,
        jonckheere_test,
        kendall_w,
        looney_f_test,
        page_test,
        project_vectors,
        quade_test,
        rm_anova_test,
        skillings_mack_test,
        steel_sign_test,
        tukey_test,
    ),
}
