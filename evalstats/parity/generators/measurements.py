"""Generators of labels, forecasts, samples and values of null distributions."""

from __future__ import annotations

__all__ = ["GENERATORS"]

from collections.abc import Callable, Mapping
from random import Random

from evalstats.parity import random_inputs

# --- agreement --------------------------------------------------------------------------------------------------------


def adjusted_rand_score(random: Random) -> random_inputs.Arguments:
    """Generate similar and different clusterings, from a single cluster to one cluster for each instance."""
    n = random.randint(2, 30)
    y_true = [random.randint(1, random.choice([2, 3, n])) for _ in range(n)]
    return {"y_true": y_true, "y_pred": [a if random.random() < 0.5 else random.randint(1, 4) for a in y_true]}


def cohen_kappa(random: Random) -> random_inputs.Arguments:
    """Generate labels (words) with all types of weights; at least two labels are in use."""
    words = ["a", "b", "c", "d"][: random.randint(2, 4)]
    y1 = ["a", "b", *(random.choice(words) for _ in range(random.randint(0, 40)))]
    return {"y1": y1, "y2": [a if random.random() < 0.5 else random.choice(words) for a in y1], **_kappa(random)}


def cohen_kappa_table(random: Random) -> random_inputs.Arguments:
    """Generate tables with empty cells and all types of weights. Every label is in use."""
    k = random.randint(2, 5)
    largest = random.choice([1, 5, 1000])
    table = [[random.randint(0, largest) + (i == j) for j in range(k)] for i in range(k)]
    return {"table": table, **_kappa(random)}


def light_kappa(random: Random) -> random_inputs.Arguments:
    """Generate three or more raters who use every label. The R package psych has quadratic weights only."""
    k, n_raters = random.randint(2, 4), random.randint(3, 5)
    every = [[label] * n_raters for label in range(1, k + 1)]
    ratings = every + [[random.randint(1, k) for _ in range(n_raters)] for _ in range(random.randint(3, 30))]
    return {"ratings": ratings, **({"weights": "quadratic"} if random.random() < 0.5 else {})}


def _kappa(random: Random) -> random_inputs.Arguments:
    weights = random.choice([None, "linear", "quadratic"])
    return {
        "alternative": random_inputs.alternative(random),
        "confidence_level": random_inputs.confidence_level(random),
        **({"weights": weights} if weights else {}),
    }


# --- distributions ----------------------------------------------------------------------------------------------------


def sf(random: Random) -> random_inputs.Arguments:
    """Generate small and large ranges, for the small numbers of variables for which R is accurate."""
    return {"q": [random.uniform(0, 8) for _ in range(random.randint(1, 4))], "k": random.randint(2, 7)}


def isf(random: Random) -> random_inputs.Arguments:
    """Generate probabilities from 0.001 to 0.1. Below 0.001, qtukey may stop early (error 8e-5 at 6.5e-6, k = 2)."""
    return {"p": 10 ** -random.uniform(1, 3), "k": random.randint(2, 7)}


# --- metrics ----------------------------------------------------------------------------------------------------------


def proportion_interval(random: Random) -> random_inputs.Arguments:
    """Generate inputs for both methods, with zero to all successes."""
    n = random.choice([1, 2, 5, 20, 100, 10_000])
    return {"n_successes": random.choice([0, n, random.randint(0, n)]), "n": n, **_interval(random)}


def accuracy_interval(random: Random) -> random_inputs.Arguments:
    """Generate inputs for both methods, with two to four classes."""
    k = random.randint(2, 4)
    counts = [[random.randint(0, 30) for _ in range(k)] for _ in range(k)]
    counts[0][0] += 1
    return {"counts": counts, **_interval(random)}


def roc_auc_score(random: Random) -> random_inputs.Arguments:
    """Generate every type of sample, with the whole area or a part of it."""
    return {**random_inputs.ranking(random), "max_fpr": random.choice([1, 0.05, 0.3, 0.5])}


def roc_curve(random: Random) -> random_inputs.Arguments:
    """Generate scores with ties, and curves on both sides of the diagonal."""
    return random_inputs.ranking(random)


def roc_convex_hull(random: Random) -> random_inputs.Arguments:
    """Generate scores with ties, and curves on both sides of the diagonal."""
    return random_inputs.ranking(random)


def cost_curve(random: Random) -> random_inputs.Arguments:
    """Generate every type of sample, with costs of both errors."""
    return {**random_inputs.ranking(random), "probability_cost": [random.random() for _ in range(4)]}


def kendall_tau_b(random: Random) -> random_inputs.Arguments:
    """Generate two to five classes; at least two occur among the true and the predicted labels."""
    k, n = random.randint(2, 5), random.randint(0, 30)
    y_true = [0, 1, *(random.randrange(k) for _ in range(n))]
    others = [a if random.random() < 0.5 else random.randrange(k) for a in y_true[2:]]
    return {"y_true": y_true, "y_pred": [*random.choice([[0, 1], [1, 0]]), *others]}


def lift_curve(random: Random) -> random_inputs.Arguments:
    """Generate every type of sample."""
    return random_inputs.ranking(random)


def scores_at_thresholds(random: Random) -> random_inputs.Arguments:
    """Generate every type of sample and every score."""
    metrics = ["accuracy", "error_rate", "f1", "recall", "false_positive_rate"]
    return {**random_inputs.ranking(random), "metric": random.choice(metrics)}


def auc_estimate(random: Random) -> random_inputs.Arguments:
    """Generate inputs for both scales, with at least two instances of each class."""
    return {
        **random_inputs.ranking(random, smallest=2),
        "confidence_level": random_inputs.confidence_level(random),
        "scale": random.choice(["logit", "plain"]),
    }


def delong_covariance(random: Random) -> random_inputs.Arguments:
    """Generate several classifiers, with at least two instances of each class."""
    y_true = random_inputs.classes(random, smallest=2)
    value = random_inputs.values(random, noise=False)
    return {"y_true": y_true, "y_score": [[value() for _ in y_true] for _ in range(random.randint(1, 4))]}


def clustered_mean(random: Random) -> random_inputs.Arguments:
    """Generate clusters of all sizes, one stratum or several, and both averages."""
    clustered = random_inputs.clusters(random)
    value = random_inputs.values(random, noise=False)
    return {
        "scores": [value() for _ in clustered["clusters"]],
        **clustered,
        "confidence_level": random_inputs.confidence_level(random),
        "method": "t",
    }


def length_adjusted_win_rate(random: Random) -> random_inputs.Arguments:
    """Generate fractions, with or without clusters, so the estimates are finite."""
    n = random.choice([5, 20, 60])
    made: random_inputs.Arguments = {
        "preference": [random.choice([0.1, 0.5, random.random()]) for _ in range(n)],
        "length_difference": [random.randint(-500, 500) + random.random() for _ in range(n)],
    }
    if random.random() < 0.5:
        made["clusters"] = [i % 4 for i in range(n)]
    return made


def pass_at_k(random: Random) -> random_inputs.Arguments:
    """Generate one to many sampled answers, with zero to all correct."""
    n = [random.choice([1, 2, 5, 10, 100]) for _ in range(5)]
    return {"n_correct": [random.randint(0, m) for m in n], "n_samples": n, "k": random.randint(1, min(n))}


def pass_hat_k(random: Random) -> random_inputs.Arguments:
    """Generate the same inputs as for `pass_at_k`."""
    return pass_at_k(random)


def majority_at_k(random: Random) -> random_inputs.Arguments:
    """Generate the same inputs as for `pass_at_k`."""
    return pass_at_k(random)


def _interval(random: Random) -> random_inputs.Arguments:
    return {
        "method": random.choice(["wilson", "clopper-pearson"]),
        "confidence_level": random_inputs.confidence_level(random),
    }


def recalibration_test(random: Random) -> random_inputs.Arguments:
    """Generate labels of two classes and probabilities that do not separate the classes."""
    return {**_overlapping(random), "confidence_level": random_inputs.confidence_level(random), "method": "wald"}


def calibration_slope(random: Random) -> random_inputs.Arguments:
    """Generate labels of two classes and probabilities that do not separate the classes."""
    return _overlapping(random)


def reliability_curve(random: Random) -> random_inputs.Arguments:
    """Generate probabilities with ties. R has no band."""
    return {**_forecast(random), "band": "none"}


def brier_decomposition(random: Random) -> random_inputs.Arguments:
    """Generate probabilities with ties, for both methods that use no bins."""
    return {**_forecast(random), "method": random.choice(["isotonic", "distinct"])}


def miscalibration(random: Random) -> random_inputs.Arguments:
    """Generate probabilities with ties."""
    return _forecast(random)


def _forecast(random: Random) -> random_inputs.Arguments:
    y_proba = random_inputs.forecast(random)
    return {"y_true": [0, 1, *(int(random.random() < p) for p in y_proba[2:])], "y_proba": y_proba}


def _overlapping(random: Random) -> random_inputs.Arguments:
    """Generate classes that no threshold separates: the smallest and the largest probability occur in both classes."""
    y_prob = random_inputs.forecast(random)
    ends = [min(y_prob), min(y_prob), max(y_prob), max(y_prob)]
    if ends[0] == ends[-1]:
        y_prob, ends = [*y_prob[1:], 0.5], [0.25, 0.25, 0.75, 0.75]
    return {"y_true": [0, 1, 0, 1, *(int(random.random() < p) for p in y_prob)], "y_prob": [*ends, *y_prob]}


# --- shift ------------------------------------------------------------------------------------------------------------


def mmd_test(random: Random) -> random_inputs.Arguments:
    """Generate samples of any size and number of columns with common instances. R requires a bandwidth."""
    p, digits = random.randint(1, 4), random.choice([0, 2, 6])
    own = Random(random.randrange(10**6))  # a separate source, so every input ends for any given source

    def cases() -> list[list[float]]:
        return [[round(own.gauss(0, 2), digits) for _ in range(p)] for _ in range(random.randint(2, 12))]

    x, y = cases(), cases()
    if random.random() < 0.3:
        y[0] = x[0]
    choices = {"bandwidth": random.choice([0.3, 1.0, 2.5, 40.0]), "scale": random.choice([True, False])}
    return {"x": x, "y": y, **choices, "n_resamples": 9}


# the generators of each subpackage, named as the functions
GENERATORS: Mapping[str, tuple[Callable[[Random], random_inputs.Arguments], ...]] = {
    "agreement": (adjusted_rand_score, cohen_kappa, cohen_kappa_table, light_kappa),
    "distributions": (isf, sf),
    "metrics": (
        accuracy_interval,
        auc_estimate,
        brier_decomposition,
        calibration_slope,
        clustered_mean,
        cost_curve,
        delong_covariance,
        kendall_tau_b,
        length_adjusted_win_rate,
        lift_curve,
        majority_at_k,
        miscalibration,
        pass_at_k,
        pass_hat_k,
        proportion_interval,
        recalibration_test,
        reliability_curve,
        roc_auc_score,
        roc_convex_hull,
        roc_curve,
        scores_at_thresholds,
    ),
    "shift": (mmd_test,),
}
