"""Generators of samples for effect sizes."""

from __future__ import annotations

__all__ = [
    "cliffs_delta",
    "cohen_d",
    "cohen_dz",
    "contrast_estimation",
    "hedges_g",
    "rank_biserial",
    "vargha_delaney_a",
]

from random import Random

from evalstats.parity.random_inputs import Arguments, confidence_level, pairs, scores_in_one_unit, two_samples


def cohen_dz(random: Random) -> Arguments:
    """Generate at least two pairs."""
    return {**pairs(random, smallest=2), "confidence_level": confidence_level(random)}


def cohen_d(random: Random) -> Arguments:
    """Generate two samples of different lengths; effectsize needs two values in each."""
    return {**two_samples(random, smallest=2), "confidence_level": confidence_level(random)}


def hedges_g(random: Random) -> Arguments:
    """Generate pairs and independent samples, with at least two degrees of freedom."""
    paired = random.choice([True, False])
    samples = pairs(random, smallest=3) if paired else two_samples(random, smallest=2)
    return {**samples, "paired": paired, "confidence_level": confidence_level(random)}


def cliffs_delta(random: Random) -> Arguments:
    """Generate both intervals, and samples of different lengths."""
    return {**two_samples(random, smallest=1), **_dominance(random)}


def vargha_delaney_a(random: Random) -> Arguments:
    """Generate the same inputs as for Cliff's delta, which has another scale."""
    return cliffs_delta(random)


def rank_biserial(random: Random) -> Arguments:
    """Generate both intervals, and pairs with ties and zeros."""
    return {**pairs(random), **_dominance(random)}


def _dominance(random: Random) -> Arguments:
    return {"method": random.choice(["consistent", "fisher"]), "confidence_level": confidence_level(random)}


def contrast_estimation(random: Random) -> Arguments:
    """Generate tables of any size."""
    return {"scores": scores_in_one_unit(random)}
