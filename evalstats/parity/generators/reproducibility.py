"""Generators of repeated runs."""

from __future__ import annotations

__all__ = [
    "estimation_bias",
    "interquartile_mean",
    "long_run_mean",
    "optimality_gap",
    "overlap",
    "overlap_matrix",
    "probability_of_improvement",
    "run_distribution",
    "run_histogram",
    "running_means",
    "variance_components",
]

from random import Random

from evalstats.parity.random_inputs import Arguments, confidence_level, pairs, scores_in_one_unit, values


def overlap(random: Random) -> Arguments:
    """Generate runs with ties and both ways of pairing, at least two runs."""
    return {
        **pairs(random, smallest=2),
        "pairing": random.choice(["index", "index", "all"]),
        "confidence_level": confidence_level(random),
    }


def overlap_matrix(random: Random) -> Arguments:
    """Generate any number of runs and classifiers, with ties."""
    return {"runs": scores_in_one_unit(random, (random.choice([2, 3, 8, 30]), random.randint(2, 6)))}


def long_run_mean(random: Random) -> Arguments:
    """Generate canonical estimates of one run up to all runs."""
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
