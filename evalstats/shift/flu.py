"""Simulated flu patients: a domain with controlled distribution shifts."""

from __future__ import annotations

__all__ = ["AGE_GROUPS", "CHANGES", "FluPatients", "make_flu_patients"]

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._result import Record
from evalstats._types import FloatArray, IntArray

AGE_GROUPS = ("infant", "teenager", "young adult", "adult", "old adult", "elderly")
# lower limits in years; the last group has no upper limit and an exponential distribution with this mean
LIMITS, MEAN_BEYOND = (0.0, 3.0, 20.0, 35.0, 50.0, 65.0), 9.0
VARIANCE = 0.75


class _World(NamedTuple):
    """Parameters of the simulated population."""

    ages: tuple[float, ...]  # share of each group
    symptoms: float = 2.0  # means of the normal laws
    social: float = 2.0
    health: float = 0.0  # decrease of the general health of all patients
    fewer: tuple[float, ...] = (0.0,) * 6  # reduction of the logit of normal remission, by age group
    poor: float = 0.0  # reduction for poor patients, and for strong symptoms
    strong: float = 0.0


# Negative growth: many adults and young adults, few others. The slides give the order of the numbers, not the numbers.
_NGP = _World(ages=(0.05, 0.12, 0.28, 0.30, 0.14, 0.11))
CHANGES: dict[str, _World] = {
    "none": _NGP,
    "DP": _NGP._replace(ages=(0.22, 0.30, 0.22, 0.14, 0.08, 0.04)),
    "ZGP": _NGP._replace(ages=(0.10, 0.19, 0.19, 0.19, 0.18, 0.15)),
    "W": _NGP._replace(symptoms=2.6),
    "SW": _NGP._replace(symptoms=1.4),
    "DW": _NGP._replace(symptoms=2.6, health=0.5),
    "P": _NGP._replace(social=2.8),
    "P+DW": _NGP._replace(social=2.8, symptoms=2.6, health=0.5),
    "MC": _NGP._replace(fewer=(1.0, 0.0, 0.0, 1.0, 2.0, 1.0), poor=1.0, strong=1.0),
    "FC": _NGP._replace(fewer=(-2.0, 0.0, 0.0, 0.0, -1.2, -2.0)),
}
# logit of normal remission with light symptoms and good health, and its reduction by age, symptoms and health
_BEST, _AGE, _SYMPTOMS, _HEALTH = 5.5, (0.5, 0.0, 0.0, 0.3, 1.5, 1.0), 1.7, 1.5
# reduction by poverty if health is not good, and by infancy or old age if symptoms are not light
_POOR, _WEAK = 2.5, 4.5


@dataclass(frozen=True, kw_only=True, eq=False)
class FluPatients(Record):
    """Result of `make_flu_patients`.

    Attributes
    ----------
    age_group, symptoms, health, social : ndarray of int, shape (n,)
        Age group from 0 (infant) to 5 (elderly), and severity of the symptoms from 1 (light) to 3 (strong). General
        health from 1 (good) to 3 (poor), and social position from 1 (rich) to 3 (poor).
    age : ndarray of shape (n,)
        Age in years.
    p_remission : ndarray of shape (n,)
        True probability of normal remission, which limits the accuracy of any classifier.
    y : ndarray of int, shape (n,)
        Class of each patient: 1 for complications, and 0 for normal remission.
    change : str
        Name of the change.
    seed : int or None
        Seed of the random numbers, or None if `rng` was a Generator.
    """

    age_group: IntArray
    symptoms: IntArray
    health: IntArray
    social: IntArray
    age: FloatArray
    p_remission: FloatArray
    y: IntArray
    change: str
    seed: int | None

    @property
    def X(self) -> IntArray:  # noqa: N802  (the name that every scikit-learn classifier uses)
        """The four attributes, of shape (n, 4): age group, symptoms, health, social position."""
        return np.column_stack([self.age_group, self.symptoms, self.health, self.social])

    def one_hot(self) -> FloatArray:
        """Return a matrix with a column of 0 and 1 for each value of each attribute, of shape (n, 15).

        Returns
        -------
        ndarray of shape (n, 15)
        """
        values = (
            (self.age_group, range(6)),
            *((codes, (1, 2, 3)) for codes in (self.symptoms, self.health, self.social)),
        )
        return np.column_stack([codes == value for codes, own in values for value in own]).astype(np.float64)


def make_flu_patients(n: int, *, change: str = "none", exclude: Sequence[str] = (), rng: Any = None) -> FluPatients:
    """Generate flu patients with or without complications, before or after a distribution shift.

    The simulated medical domain follows Alaiz-Rodriguez & Japkowicz (2008). The attributes depend on each other. A
    change can affect one attribute or the definition of the class.

    Parameters
    ----------
    n : int
        Number of patients.
    change : {'none', 'DP', 'ZGP', 'W', 'SW', 'DW', 'P', 'P+DW', 'MC', 'FC'}, default: 'none'
        ``'none'``: a shrinking population (negative growth). The following values change the population. ``'DP'``: a
        developing population. ``'ZGP'``: a population with zero growth. ``'W'``: a winter with stronger symptoms.
        ``'SW'``: a soft winter with weaker symptoms. ``'DW'``: a drastic winter with stronger symptoms and worse
        general health. ``'P'``: a much poorer population. ``'P+DW'``: a much poorer population and a drastic winter.
        The following values change the class definition. ``'MC'``: more complications for certain ages, poor patients
        and strong symptoms. ``'FC'``: fewer complications for more age groups.
    exclude : sequence of str, optional
        Age groups that do not occur: one or more of ``'infant'``, ``'teenager'``, ``'young adult'``, ``'adult'``,
        ``'old adult'``, ``'elderly'``.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    FluPatients

    Raises
    ------
    ValueError
        If `n` is below 1, or a change or an age group is unknown.
    TypeError
        If an argument has the wrong type.

    Notes
    -----
    Slides 101 to 109 of Japkowicz's tutorial give the attributes, the distributions of age, social position and
    symptoms, and the directions of all other dependencies. The figures with the numbers are not available. The
    documentation lists the values that evalstats uses.

    References
    ----------
    Alaiz-Rodriguez, R. & Japkowicz, N. (2008). Assessing the impact of changing environments on classifier performance.
    Canadian AI, 13-24.

    Examples
    --------
    >>> from evalstats.shift import make_flu_patients
    >>> usual, winter = make_flu_patients(10_000), make_flu_patients(10_000, change="W")
    >>> print(f"{usual.y.mean():.2f} {winter.y.mean():.2f}")
    0.33 0.42
    >>> usual.X.shape
    (10000, 4)
    """
    n = _checks.count(n, "n")
    world = CHANGES[_checks.choice(change, "change", tuple(CHANGES))]
    source = _checks.random_source(rng)
    generator = source.generator()

    group = generator.choice(6, n, p=_shares(world, exclude))
    age = _ages(group, generator)
    social = _coded(world.social, n, generator)
    symptoms = _coded(world.symptoms, n, generator)
    delicate = generator.random(n) < 1 / (1 + np.exp((60 - age) / 12))
    health = _coded(1.5 + 0.8 * delicate + 0.35 * (social - 2) + world.health, n, generator)
    found = FluPatients(
        age_group=group.astype(np.int64),
        symptoms=symptoms,
        health=health,
        social=social,
        age=age,
        p_remission=_p_remission(world, group, symptoms, health, social),
        y=np.zeros(n, dtype=np.int64),
        change=change,
        seed=source.seed,
    )
    return replace(found, y=(generator.random(n) >= found.p_remission).astype(np.int64))


def _shares(world: _World, exclude: Any) -> FloatArray:
    shares = np.array(world.ages)
    for name in _checks.listed(exclude, "exclude", "age groups"):
        if not _checks.is_among(name, AGE_GROUPS):
            raise InvalidValueError(f"exclude must name age groups among {', '.join(AGE_GROUPS)}, not {short(name)}")
        shares[AGE_GROUPS.index(name)] = 0.0
    if not shares.any():
        raise InvalidValueError("exclude must leave at least one age group")
    return np.asarray(shares / shares.sum())


def _ages(group: Any, generator: np.random.Generator) -> FloatArray:
    """Generate ages, which are uniform within a group and, for the oldest group, exponential beyond the last limit."""
    low = np.array(LIMITS)
    width = np.append(np.diff(low), MEAN_BEYOND)
    unit = np.where(group == 5, generator.exponential(size=len(group)), generator.random(len(group)))
    return np.asarray(low[group] + width[group] * unit)


def _coded(mean: Any, n: int, generator: np.random.Generator) -> IntArray:
    """Generate codes 1, 2 or 3: the code that is nearest to a normal value with variance 0.75."""
    values = generator.normal(mean, np.sqrt(VARIANCE), n)
    return np.clip(np.rint(values), 1, 3).astype(np.int64)


def _p_remission(world: _World, group: Any, symptoms: Any, health: Any, social: Any) -> FloatArray:
    logit = _BEST - (np.array(_AGE) + world.fewer)[group] - _SYMPTOMS * (symptoms - 1) - _HEALTH * (health - 1)
    logit = logit - _POOR * (social == 3) * (health > 1) - _WEAK * np.isin(group, (0, 5)) * (symptoms > 1)
    logit = logit - world.poor * (social == 3) - world.strong * (symptoms == 3)
    return np.asarray(1 / (1 + np.exp(-logit)))
