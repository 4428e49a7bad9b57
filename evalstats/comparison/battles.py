"""Comparison of models by battles: strengths, ranks with confidence sets, and all pairs."""

from __future__ import annotations

__all__ = ["BattleComparison", "BattlePair", "compare_battles"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._findings import Finding
from evalstats._result import Record
from evalstats._types import IntArray
from evalstats.multiple.battles import BattleStrengths, bradley_terry_from_battles
from evalstats.multiple.rank_sets import RankConfidenceSets, rank_confidence_sets
from evalstats.tables.battles import Battles

FEW_CLUSTERS, FEW_BATTLES = 10, 5


@dataclass(frozen=True, kw_only=True, eq=False)
class BattlePair(Record):
    """One pair of models.

    Attributes
    ----------
    first, second : str
        The models, the stronger first.
    difference : float
        Difference of the log-strengths.
    low, high : float
        Simultaneous confidence interval of the difference, for all pairs together.
    pvalue : float
        p-value adjusted for all pairs by the max-t method; nan without a standard error.
    different : bool
        Whether the pair differs significantly.
    win_rate : float
        Observed proportion of battles that the first wins against the second; nan if they never met.
    """

    first: str
    second: str
    difference: float
    low: float
    high: float
    pvalue: float
    different: bool
    win_rate: float


@dataclass(frozen=True, kw_only=True, eq=False)
class BattleComparison(Record):
    """Result of `compare` for battles.

    Attributes
    ----------
    ranking : tuple of str
        The models from the strongest to the weakest.
    alpha : float
        Level of significance of all pairs together; the rank sets have the confidence level 1 - alpha.
    strengths : BattleStrengths
        The strengths, with their covariance.
    unadjusted : BattleStrengths or None
        The strengths without position and covariates, if the others are adjusted for them.
    position : BattleStrengths or None
        The model with the effect of the position of the answers; None if it cannot be estimated.
    ranks : RankConfidenceSets or None
        The ranks with their confidence sets, in the order of the models of `strengths`; None without strengths.
    pairs : tuple of BattlePair
        All pairs.
    clusters : tuple of str
        Names of the columns of the clusters.
    source : str or None
        Name of the file.
    findings : tuple of Finding
        What was recognized, and warnings.
    reason : str or None
        None, or a sentence if some strengths are infinite or unknown.
    """

    ranking: tuple[str, ...]
    alpha: float
    strengths: BattleStrengths
    unadjusted: BattleStrengths | None
    position: BattleStrengths | None
    ranks: RankConfidenceSets | None
    pairs: tuple[BattlePair, ...]
    clusters: tuple[str, ...]
    source: str | None
    findings: tuple[Finding, ...]
    reason: str | None

    def _rows(self) -> Sequence[Record] | None:
        return self.pairs

    @property
    def best(self) -> tuple[str, ...]:
        """The models that may have rank 1."""
        if self.ranks is None:
            return ()
        return tuple(name for name in self.ranking if self.ranks.best[self.strengths.models.index(name)])

    def rank_set(self, model: str) -> tuple[int, int]:
        """Return the smallest and the largest rank in the confidence set of a model.

        Parameters
        ----------
        model : str
            Name of the model.

        Returns
        -------
        tuple of int
        """
        if model not in self.strengths.models or self.ranks is None:
            raise InvalidValueError(f"model must be one with a rank, not {model!r}")
        at = self.strengths.models.index(model)
        return int(self.ranks.lower[at]), int(self.ranks.upper[at])


def compare_battles(
    battles: Battles, *, alpha: float = 0.05, n_resamples: int | None = None, rng: Any = None
) -> BattleComparison:
    """Compare models by their battles: strengths, ranks with confidence sets, and all pairs.

    Parameters
    ----------
    battles : Battles
        Result of `read_battles`.
    alpha : float, default: 0.05
        Level of significance of all pairs together.
    n_resamples : int, optional
        Number of simulated vectors of strengths; see `rank_confidence_sets`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so the same call gives the same result; an integer is the
        seed; a Generator is used directly.

    Returns
    -------
    BattleComparison
        For reports and plots.
    """
    alpha = _checks.proportion(alpha, "alpha")
    clusters = tuple(battles.clusters.values()) or None
    given: dict[str, Any] = {"clusters": clusters, "weight": battles.weight}
    data = battles.model_a, battles.model_b, _outcomes(battles)
    strengths = bradley_terry_from_battles(
        *data, **given, covariates=battles.covariates or None, position=battles.position
    )
    is_adjusted = bool(strengths.terms)
    placed = strengths if battles.position else bradley_terry_from_battles(*data, **given, position=True)
    ranks: RankConfidenceSets | None = None
    pairs: tuple[BattlePair, ...] = ()
    if not np.isnan(strengths.estimate).any():
        ranks = rank_confidence_sets(
            strengths.estimate,
            strengths.covariance,
            df=max(strengths.df, 1),
            confidence_level=1 - alpha,
            n_resamples=n_resamples,
            rng=rng,
        )
    order = np.argsort(-np.nan_to_num(strengths.estimate, nan=-np.inf), kind="stable")
    if ranks is not None:
        pairs = _pairs(strengths, ranks, order, alpha)
    return BattleComparison(
        ranking=tuple(strengths.models[i] for i in order),
        alpha=alpha,
        strengths=strengths,
        unadjusted=bradley_terry_from_battles(*data, **given) if is_adjusted else None,
        position=placed if np.isfinite(placed.coefficients).all() else None,
        ranks=ranks,
        pairs=pairs,
        clusters=tuple(battles.clusters),
        source=battles.source,
        findings=(*battles.findings, *_warnings(strengths)),
        reason=strengths.reason,
    )


def _outcomes(battles: Battles) -> Any:
    is_text = all(isinstance(one, str) for one in battles.winner)
    return list(battles.winner) if is_text else np.array(battles.winner, dtype=np.float64)


def _pairs(
    strengths: BattleStrengths, ranks: RankConfidenceSets, order: IntArray, alpha: float
) -> tuple[BattlePair, ...]:
    """Return all pairs; their intervals have the critical value of a single step, so they hold together."""
    single = rank_confidence_sets(
        strengths.estimate,
        strengths.covariance,
        df=max(strengths.df, 1),
        confidence_level=1 - alpha,
        method="single-step",
        n_resamples=ranks.n_resamples,
        rng=ranks.seed,
    )
    error, rates, found = strengths.differences_standard_error, strengths.win_rates, []
    for place, i in enumerate(order.tolist()):
        for j in order[place + 1 :].tolist():
            difference = float(strengths.differences[i, j])
            margin = float(single.critical_value * error[i, j])
            p = float(ranks.pvalue[i, j])
            found.append(
                BattlePair(
                    first=str(strengths.models[i]),
                    second=str(strengths.models[j]),
                    difference=difference,
                    low=difference - margin,
                    high=difference + margin,
                    pvalue=p,
                    different=p <= alpha,
                    win_rate=float(rates[i, j]),
                )
            )
    return tuple(found)


def _warnings(strengths: BattleStrengths) -> tuple[Finding, ...]:
    found = []
    few = [str(m) for m, n in zip(strengths.models, strengths.battles_of_model, strict=True) if n < FEW_BATTLES]
    if few:
        sentence = f"Fewer than {FEW_BATTLES} battles were fought by {', '.join(few)}."
        found.append(Finding(code="few-battles", severity="note", sentence=sentence))
    if strengths.n_clusters and min(strengths.n_clusters) < FEW_CLUSTERS:
        sentence = (
            f"There are only {min(strengths.n_clusters)} clusters; standard errors from fewer than {FEW_CLUSTERS} "
            "clusters are unreliable."
        )
        found.append(Finding(code="few-clusters", severity="warning", sentence=sentence))
    if strengths.is_clipped:
        sentence = "Negative eigenvalues of the covariance of two clusterings were set to 0."
        found.append(Finding(code="clipped-covariance", severity="note", sentence=sentence))
    return tuple(found)
