"""Generators of designs for power and sample-size functions."""

from __future__ import annotations

__all__ = [
    "minimum_attainable_pvalue",
    "minimum_detectable_difference",
    "minimum_sample_size",
    "noninferiority_power",
    "noninferiority_sample_size",
    "question_variance",
    "required_sample_size",
    "statistical_power",
]

from random import Random

from evalstats.parity.random_inputs import Arguments, alternative


def question_variance(random: Random) -> Arguments:
    """Generate correct and incorrect answers and scores, 2 to 12 questions of 2 to 6 samples, not all equal."""
    n, m = random.randint(2, 12), random.randint(2, 6)
    digits = random.choice([0, 3])
    x = [[round(random.random(), digits) for _ in range(m)] for _ in range(n)]
    x[0][:2] = [0, 1]
    return {"x": x}


def minimum_attainable_pvalue(random: Random) -> Arguments:
    """Generate every test with a minimum p-value, and adjustments of one family; few datasets, which R enumerates."""
    of_ranks = ["friedman", "nemenyi", "bonferroni-dunn", "steel"]
    test = random.choice(["sign", "wilcoxon", "permutation", "mcnemar", *of_ranks])
    if test in of_ranks:
        n, k = random.choice([(1, 2), (2, 3), (3, 3), (2, 4)])
        return {"test": test, "n": n, "n_classifiers": k}
    adjust = random.choice(["none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by"])
    family = {"adjust": adjust, "n_comparisons": random.choice([1, 3, 10])}
    return {"test": test, "n": random.randint(1, 40), "alternative": alternative(random), **family}


def minimum_sample_size(random: Random) -> Arguments:
    """Generate designs of two classifiers with any level."""
    test = random.choice(["sign", "wilcoxon", "permutation", "mcnemar"])
    return {"test": test, "alpha": 10.0 ** -random.uniform(0.2, 9), "alternative": alternative(random)}


def statistical_power(random: Random) -> Arguments:
    """Generate every test whose power is not simulated."""
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
    # not to the left of an effect on the right: R's tail there is rounding noise
    sided = (
        alternative(random)
        if test in ("sign", "wilcoxon", "mcnemar", "auc", "battles")
        else random.choice(["two-sided", "greater"])
    )
    level = random.choice([0.01, 0.05, 0.1, 0.2])
    return {"test": test, "n": n, "alternative": sided, "alpha": level, **effects[test]}


def required_sample_size(random: Random) -> Arguments:
    """Generate large differences, which R finds in a short search."""
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
    """Generate every test and question; few instances, because R sums over all tables."""
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
    """Generate the t-tests with a minimum sample size; R tries the sizes one by one."""
    return {
        "test": "paired-t",
        "hypothesis": random.choice(["noninferiority", "equivalence"]),
        "margin": random.choice([0.5, 1]),
        "sd": random.choice([0.5, 1]),
        "difference": random.choice([-0.1, 0, 0.1]),
        "power": random.choice([0.7, 0.9]),
    }
