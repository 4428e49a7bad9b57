"""Generators of p-values, scores and runs for tests and effect sizes of two classifiers, and of all pairs."""

from __future__ import annotations

__all__ = ["GENERATORS"]

from collections.abc import Callable, Mapping
from random import Random

from evalstats.paired.delong import DEGREES
from evalstats.parity.random_inputs import (
    Arguments,
    alternative,
    classes,
    clusters,
    confidence_level,
    family,
    pairs,
    scores_in_one_unit,
    two_samples,
    values,
)

# --- adjustment -------------------------------------------------------------------------------------------------------


def adjust_pvalues(random: Random) -> Arguments:
    """Generate inputs for every method, with ties, zeros, ones and very small p-values in any order."""
    draws: list[Callable[[], float]] = [
        random.random,
        lambda: random.choice([0.0, 0.01, 0.02, 0.04, 0.5, 1.0]),
        lambda: 10.0 ** -random.randint(0, 300),
    ]
    draw = random.choice(draws)
    methods = ["bonferroni", "sidak", "holm", "holm-sidak", "hochberg", "hommel", "finner", "holland", "bh", "by"]
    return {"pvalues": [draw() for _ in range(random.randint(1, 12))], "method": random.choice(methods)}


def adjust_pairwise(random: Random) -> Arguments:
    """Generate inputs for R's methods; for Bergmann and Hommel, R enumerates all subsets and does not support ties."""
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
    return {"pvalues": matrix, "method": method, "enforce_monotonicity": logical}


# --- bayes ------------------------------------------------------------------------------------------------------------


def bayes_accuracy_test(random: Random) -> Arguments:
    """Generate equal and different answers, from always to never equal, or counts of very different size."""
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
    """Generate inputs for all pairs, with and without a ROPE."""
    k = random.randint(2, 5)
    return {"scores": scores_in_one_unit(random, (random.choice([2, 3, 10, 30]), k)), **_posterior_of_folds(random)}


def bayes_sign_test(random: Random) -> Arguments:
    """Generate small integers, so differences are often on a limit of the ROPE, and every place of the prior."""
    n = random.choice([1, 2, 5, 20, 60])
    return {name: [random.randint(0, 5) for _ in range(n)] for name in ("x", "y")} | _prior(random)


def bayes_pairwise_sign_test(random: Random) -> Arguments:
    """Generate inputs for all pairs of small integers, and every place of the prior."""
    n, k = random.choice([1, 3, 12]), random.randint(2, 5)
    return {"scores": [[random.randint(0, 5) for _ in range(k)] for _ in range(n)], **_prior(random)}


def jzs_bayes_factor(random: Random) -> Arguments:
    """Generate at least two pairs, with narrow or wide priors."""
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


# --- effects ----------------------------------------------------------------------------------------------------------


def cohen_dz(random: Random) -> Arguments:
    """Generate at least two pairs."""
    return {**pairs(random, smallest=2), "confidence_level": confidence_level(random)}


def cohen_d(random: Random) -> Arguments:
    """Generate two samples of different lengths. The R package effectsize needs two values in each."""
    return {**two_samples(random, smallest=2), "confidence_level": confidence_level(random)}


def hedges_g(random: Random) -> Arguments:
    """Generate pairs and independent samples, with at least two degrees of freedom."""
    paired = random.choice([True, False])
    samples = pairs(random, smallest=3) if paired else two_samples(random, smallest=2)
    return {**samples, "paired": paired, "confidence_level": confidence_level(random)}


def cliffs_delta(random: Random) -> Arguments:
    """Generate inputs for both intervals, and samples of different lengths."""
    return {**two_samples(random, smallest=1), **_dominance(random)}


def vargha_delaney_a(random: Random) -> Arguments:
    """Generate the same inputs as for Cliff's delta, which has a different scale."""
    return cliffs_delta(random)


def rank_biserial(random: Random) -> Arguments:
    """Generate inputs for both intervals, and pairs with ties and zeros."""
    return {**pairs(random), **_dominance(random)}


def _dominance(random: Random) -> Arguments:
    return {"method": random.choice(["consistent", "fisher"]), "confidence_level": confidence_level(random)}


def contrast_estimation(random: Random) -> Arguments:
    """Generate tables of any size."""
    return {"scores": scores_in_one_unit(random)}


# --- paired -----------------------------------------------------------------------------------------------------------


def subgroup_test_from_estimates(random: Random) -> Arguments:
    """Generate two to eight subgroups, with differences of both signs."""
    k = random.randint(2, 8)
    return {
        "difference": [round(random.uniform(-1, 1), 3) for _ in range(k)],
        "standard_error": [round(random.uniform(0.01, 1), 3) for _ in range(k)],
    }


def gap_change_test(random: Random) -> Arguments:
    """Generate all rates in two or three subgroups; the difference varies in each subgroup."""
    y_true, x, y, subgroup = [], [], [], []
    for group in range(random.randint(2, 3)):
        for true in (0, 1):
            cells = [
                (0, 1),
                (1, 0),
                (1, 1),
                *((random.randint(0, 1), random.randint(0, 1)) for _ in range(random.choice([3, 12]))),
            ]
            y_true += [true] * len(cells)
            x += [a for a, _ in cells]
            y += [b for _, b in cells]
            subgroup += [group] * len(cells)
    rates = ["tpr", "fpr", "selection_rate", "accuracy"]
    return {
        "y_true": y_true,
        "x": x,
        "y": y,
        "subgroup": subgroup,
        "rate": random.choice(rates),
        "method": "asymptotic",
    }


# --- pairwise ---------------------------------------------------------------------------------------------------------


def pairwise_clustered_ttest(random: Random) -> Arguments:
    """Generate inputs for all pairs, or for a control and every alternative; clusters and strata of all sizes."""
    clustered = clusters(random)
    return {
        **family(random, scores_in_one_unit(random, (len(clustered["clusters"]), random.randint(2, 5)))),
        **clustered,
    }


def pairwise_wilcoxon_test(random: Random) -> Arguments:
    """Generate inputs for all pairs and a control, with ties and zeros, for all null distributions that R has."""
    zero_method, method = random.choice(["wilcox", "pratt"]), random.choice(["auto", "exact", "asymptotic"])
    is_corrected = random.choice([True, False]) and not (zero_method == "pratt" and method == "asymptotic")
    choices = {"zero_method": zero_method, "method": method, "correction": is_corrected}
    return {**family(random, scores_in_one_unit(random)), **choices}


def pairwise_mcnemar_test(random: Random) -> Arguments:
    """Generate inputs for all pairs and a control, exact and asymptotic, with every adjustment that R has."""
    n, k = random.choice([(1, 2), (5, 3), (30, 4), (80, 6)])
    share = random.choice([0.5, 0.9])
    control = random.choice([None, random.randint(0, k - 1)])
    return {
        "correct": [[int(random.random() < share) for _ in range(k)] for _ in range(n)],
        **({} if control is None else {"control": control, "alternative": alternative(random)}),
        "adjust": random.choice(["none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by"]),
        "method": random.choice(["exact", "asymptotic"]),
        "correction": random.choice([True, False]),
    }


def pairwise_delong_test(random: Random) -> Arguments:
    """Generate inputs for all pairs, or comparisons with a control, with every adjustment that R has."""
    y_true = classes(random, smallest=2)
    value, k = values(random, noise=False), random.randint(2, 5)
    return {
        "y_true": y_true,
        "scores": [[value() for _ in range(k)] for _ in y_true],
        "adjust": random.choice(["holm", "bonferroni", "hochberg", "hommel", "bh", "by", "none"]),
        "df": random.choice(DEGREES),
        **random.choice([{}, {"control": random.randrange(k)}]),
    }


def pairwise_max_t_test(random: Random) -> Arguments:
    """Generate few datasets, whose signs R enumerates, without ties that R would break by rounding error."""
    n, k = random.choice([(3, 2), (4, 3), (6, 4), (8, 3)])
    own = Random(
        random.randrange(10**6)
    )  # no two scores are equal for any generator; nine digits, because differences are rounded
    scores = [[round(own.random(), 9) for _ in range(k)] for _ in range(n)]
    to_a_control = {"control": random.randrange(k), "alternative": alternative(random)}
    if random.random() < 0.25:
        # the number of datasets of which all permutations are tried
        return {"scores": scores[: {2: n, 3: 5, 4: 2}[k]], "method": "range"}
    choices = {"method": "exact", "ranks": own.random() < 0.5}
    return {"scores": scores, **choices, **(to_a_control if random.random() < 0.5 else {})}


# --- reproducibility --------------------------------------------------------------------------------------------------


def overlap(random: Random) -> Arguments:
    """Generate at least two runs, with ties and both ways of pairing."""
    return {
        **pairs(random, smallest=2),
        "pairing": random.choice(["index", "index", "all"]),
        "confidence_level": confidence_level(random),
    }


def overlap_matrix(random: Random) -> Arguments:
    """Generate any number of runs and classifiers, with ties."""
    return {"runs": scores_in_one_unit(random, (random.choice([2, 3, 8, 30]), random.randint(2, 6)))}


def long_run_mean(random: Random) -> Arguments:
    """Generate runs, with canonical estimates from one run up to all runs."""
    value = values(random, noise=False)
    scores = [value() for _ in range(random.choice([2, 3, 5, 10, 40]))]
    return {
        "scores": scores,
        "n_canonical": random.randint(1, len(scores)),
        "confidence_level": confidence_level(random),
        "method": "t",
    }


def run_distribution(random: Random) -> Arguments:
    """Generate estimates with and without ties."""
    return {"scores": [row[0] for row in scores_in_one_unit(random, (random.choice([3, 4, 11, 12, 50]), 1))]}


def running_means(random: Random) -> Arguments:
    """Generate any number of runs and classifiers."""
    return {"runs": scores_in_one_unit(random, (random.choice([2, 3, 8, 30]), random.randint(2, 5)))}


def run_histogram(random: Random) -> Arguments:
    """Generate integers and bins with integer limits, to test the assignment of values on a limit."""
    runs = [[float(random.randint(0, 9)) for _ in range(2)] for _ in range(random.choice([2, 5, 20]))]
    inner = sorted(random.sample(range(1, 9), random.randint(1, 4)))
    return {"runs": runs, "bins": [0.0, *map(float, inner), 9.0]}


def estimation_bias(random: Random) -> Arguments:
    """Generate estimates and true scores in one unit."""
    pairs = scores_in_one_unit(random, (random.choice([1, 2, 7, 30]), 2))
    return {"estimates": [row[0] for row in pairs], "truth": [row[1] for row in pairs]}


def interquartile_mean(random: Random) -> Arguments:
    """Generate at least two runs, on any number of datasets."""
    return {"runs": scores_in_one_unit(random, (random.choice([2, 3, 5, 10]), random.randint(1, 6)))}


def optimality_gap(random: Random) -> Arguments:
    """Generate targets below, within and above the scores."""
    return {**interquartile_mean(random), "target": random.choice([0.5, 1, 3, 50])}


def probability_of_improvement(random: Random) -> Arguments:
    """Generate different numbers of runs, with ties."""
    runs = scores_in_one_unit(random, (random.choice([4, 6, 15]), random.randint(1, 6)))
    n = random.randint(2, len(runs) - 2)
    return {"x": runs[:n], "y": runs[n:]}


def variance_components(random: Random) -> Arguments:
    """Generate two crossed factors; the tests check three or more factors and nested factors."""
    scores = scores_in_one_unit(random, (random.choice([2, 3, 8, 20]), random.randint(2, 6)))
    return {"scores": scores, "factors": ["dataset", "classifier"]}


# the generators of each subpackage, named as the functions
GENERATORS: Mapping[str, tuple[Callable[[Random], Arguments], ...]] = {
    "adjustment": (adjust_pairwise, adjust_pvalues),
    "bayes": (
        bayes_accuracy_test,
        bayes_correlated_ttest,
        bayes_pairwise_correlated_ttest,
        bayes_pairwise_sign_test,
        bayes_sign_test,
        jzs_bayes_factor,
        proportion_posterior,
    ),
    "effects": (cliffs_delta, cohen_d, cohen_dz, contrast_estimation, hedges_g, rank_biserial, vargha_delaney_a),
    "paired": (gap_change_test, subgroup_test_from_estimates),
    "pairwise": (
        pairwise_clustered_ttest,
        pairwise_delong_test,
        pairwise_max_t_test,
        pairwise_mcnemar_test,
        pairwise_wilcoxon_test,
    ),
    "reproducibility": (
        estimation_bias,
        interquartile_mean,
        long_run_mean,
        optimality_gap,
        overlap,
        overlap_matrix,
        probability_of_improvement,
        run_distribution,
        run_histogram,
        running_means,
        variance_components,
    ),
}
