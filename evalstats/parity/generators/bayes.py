"""Generators of scores for Bayesian tests."""

from __future__ import annotations

__all__ = [
    "bayes_accuracy_test",
    "bayes_correlated_ttest",
    "bayes_pairwise_correlated_ttest",
    "bayes_pairwise_sign_test",
    "bayes_sign_test",
    "jzs_bayes_factor",
    "proportion_posterior",
]

from random import Random

from evalstats.parity.random_inputs import Arguments, scores_in_one_unit


def bayes_accuracy_test(random: Random) -> Arguments:
    """Generate equal and different instances, from always to never equal; or counts of very different size."""
    if random.random() < 0.3:
        largest = random.choice([1, 5, 30, 1000])
        counts = [[random.randint(0, largest) for _ in range(2)] for _ in range(2)]
        counts[1][1] += 1
        return {"counts": counts, **_prior_of_shares(random)}
    share_of_discordant = random.choice([0, 0.2, 0.5, 1])
    x = [random.randint(0, 1) for _ in range(random.choice([1, 2, 5, 10, 30, 100]))]
    y = [1 - a if random.random() < share_of_discordant else a for a in x]
    paired = random.choice([True, False])
    return {"x": x, "y": y if paired else y * random.randint(1, 3), "paired": paired, **_prior_of_shares(random)}


def proportion_posterior(random: Random) -> Arguments:
    """Generate zero to all successes in few or many trials."""
    n = random.choice([0, 1, 5, 30, 1000])
    return {"n_successes": random.randint(0, n), "n": n, "prior_count": random.choice([0.5, 1, 3])}


def bayes_correlated_ttest(random: Random) -> Arguments:
    """Generate inputs with and without a ROPE, folds and random splits of any size, or the correlation."""
    x, y = zip(*scores_in_one_unit(random, (random.choice([2, 3, 10, 30]), 2)), strict=True)
    return {"x": list(x), "y": list(y), **_posterior_of_folds(random)}


def bayes_pairwise_correlated_ttest(random: Random) -> Arguments:
    """Generate all pairs, with and without a ROPE."""
    k = random.randint(2, 5)
    return {"scores": scores_in_one_unit(random, (random.choice([2, 3, 10, 30]), k)), **_posterior_of_folds(random)}


def bayes_sign_test(random: Random) -> Arguments:
    """Generate small integers, so differences are often on the boundary of the ROPE; every place of the prior."""
    n = random.choice([1, 2, 5, 20, 60])
    return {name: [random.randint(0, 5) for _ in range(n)] for name in ("x", "y")} | _prior(random)


def bayes_pairwise_sign_test(random: Random) -> Arguments:
    """Generate all pairs of small integers; every place of the prior."""
    n, k = random.choice([1, 3, 12]), random.randint(2, 5)
    return {"scores": [[random.randint(0, 5) for _ in range(k)] for _ in range(n)], **_prior(random)}


def jzs_bayes_factor(random: Random) -> Arguments:
    """Generate at least two pairs, narrow and wide priors."""
    x, y = zip(*scores_in_one_unit(random, (random.choice([2, 3, 10, 30]), 2)), strict=True)
    return {"x": list(x), "y": list(y), "scale": random.choice([0.1, 0.5, 1, 3])}


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


def _prior_of_shares(random: Random) -> Arguments:
    return {"rope": random.choice([0, 0.01, 0.1, 0.5]), "prior_count": random.choice([0.5, 1, 3])}
