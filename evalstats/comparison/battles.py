"""Comparison of models by battles: strengths, ranks with confidence sets, and tests of all pairs."""

from __future__ import annotations

__all__ = ["BattleComparison", "BattlePair", "EqualLengthWinRate", "compare_battles", "numeric_outcomes", "outcomes_of"]

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError, not_among
from evalstats._findings import Finding
from evalstats._result import Record
from evalstats._types import FloatArray, IntArray
from evalstats.multiple.battles import BattleStrengths, bradley_terry_from_battles
from evalstats.multiple.rank_sets import RankConfidenceSets, rank_confidence_sets
from evalstats.tables.battles import Battles

FEW_CLUSTERS, FEW_BATTLES = 10, 5


@dataclass(frozen=True, kw_only=True, eq=False)
class BattlePair(Record):
    """Difference and test of two models.

    Attributes
    ----------
    first, second : str
        The models, the stronger first.
    difference : float
        Log-strength of `first` minus log-strength of `second`.
    low, high : float
        Limits of the confidence interval for the difference, simultaneous for all pairs.
    pvalue : float
        p-value, adjusted for all pairs by the max-t method. It is nan if there is no standard error.
    different : bool
        Whether the two models differ significantly.
    win_rate : float
        Observed proportion of the battles of the two models that `first` wins. It is nan if there is no such battle.
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
class EqualLengthWinRate(Record):
    """Win rate of one model against the control: the observed rate, and the rate at equal length of the answers.

    Attributes
    ----------
    model : str
        The model.
    n_battles : int
        Number of battles of the model against the control.
    win_rate : float
        Observed proportion of the battles against the control that the model wins. A tie is half a win.
    adjusted : float
        Win rate at equal length, by `length_adjusted_win_rate`. It is nan if there is no estimate, and `reason` then
        states the cause.
    low, high : float
        Confidence limits for `adjusted`, not adjusted for the other models.
    reason : str or None
        A sentence if an estimate or interval is missing, otherwise None.
    """

    model: str
    n_battles: int
    win_rate: float
    adjusted: float
    low: float
    high: float
    reason: str | None


@dataclass(frozen=True, kw_only=True, eq=False)
class BattleComparison(Record):
    """Result of `compare` for battles.

    Attributes
    ----------
    ranking : tuple of str
        The models from the strongest to the weakest.
    alpha : float
        Significance level for all pairs together. The rank sets have the confidence level 1 - alpha.
    strengths : BattleStrengths
        The strengths, with their covariance.
    unadjusted : BattleStrengths or None
        The strengths without adjustment for position and covariates, or None if `strengths` are not adjusted.
    position : BattleStrengths or None
        The fit with an effect of the position of the answers, or None if the effect cannot be estimated.
    ranks : RankConfidenceSets or None
        The ranks with their confidence sets, in the order of the models of `strengths`. It is None if a strength is
        unknown.
    control : str or None
        The model with which all other models are compared, or None for all pairs.
    pairs : tuple of BattlePair
        All pairs, or the pairs with the control.
    win_rates : tuple of EqualLengthWinRate
        Win rates against the control at equal length of the answers, if the strengths are adjusted for the length.
    clusters : tuple of str
        Names of the columns of the clusters.
    source : str or None
        Name of the file.
    findings : tuple of Finding
        Notes on the interpretation, and warnings.
    reason : str or None
        A sentence if some strengths are infinite or unknown, otherwise None.
    options : dict
        The arguments of `compare` that differ from the defaults.
    data_checksum : str or None
        SHA-256 of the file of the battles, or None if they are not from a file.
    """

    ranking: tuple[str, ...]
    alpha: float
    strengths: BattleStrengths
    unadjusted: BattleStrengths | None
    position: BattleStrengths | None
    ranks: RankConfidenceSets | None
    control: str | None
    pairs: tuple[BattlePair, ...]
    win_rates: tuple[EqualLengthWinRate, ...]
    clusters: tuple[str, ...]
    source: str | None
    findings: tuple[Finding, ...]
    reason: str | None
    options: Mapping[str, Any] = field(default_factory=dict)
    data_checksum: str | None = None
    _battles: Battles

    def _rows(self) -> Sequence[Record] | None:
        return self.pairs

    @property
    def best(self) -> tuple[str, ...]:
        """Models whose confidence set contains rank 1."""
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
            raise InvalidValueError(f"model must be a model with a rank, not {model!r}")
        at = self.strengths.models.index(model)
        return int(self.ranks.lower[at]), int(self.ranks.upper[at])


def compare_battles(
    battles: Battles,
    *,
    control: str | None = None,
    alpha: float = 0.05,
    small_sample: str = "cr1",
    n_resamples: int | None = None,
    rng: Any = None,
) -> BattleComparison:
    """Compare models by their battles: strengths, ranks with confidence sets, and tests of all pairs.

    Parameters
    ----------
    battles : Battles
        Result of `read_battles`.
    control : str, optional
        The model with which all other models are compared. By default, all pairs are compared. All models are ranked.
    alpha : float, default: 0.05
        Significance level for all pairs together.
    small_sample : {'cr1', 'cr0', 'cr2'}, default: 'cr1'
        Correction of the covariance for few clusters, as in `bradley_terry_from_battles`.
    n_resamples : int, optional
        Number of simulated vectors of strengths. See `rank_confidence_sets`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    BattleComparison
        The record for reports and plots.
    """
    alpha = _checks.significance_level(alpha)
    clusters = tuple(battles.clusters.values()) or None
    if clusters is None and small_sample != "cr1":
        raise InvalidValueError(
            f"small_sample={small_sample!r} is for clusters of battles; pass the column of the clusters as cluster"
        )
    given: dict[str, Any] = {"clusters": clusters, "weight": battles.weight, "small_sample": small_sample}
    data = battles.model_a, battles.model_b, outcomes_of(battles)
    strengths = bradley_terry_from_battles(
        *data, **given, covariates=battles.covariates or None, position=battles.position
    )
    if control is not None and control not in strengths.models:
        raise InvalidValueError(not_among("control", control, strengths.models))
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
        pairs = _pairs(strengths, ranks, order, control, alpha)
    has_lengths = control is not None and battles.length_difference is not None
    return BattleComparison(
        ranking=tuple(strengths.models[i] for i in order),
        alpha=alpha,
        strengths=strengths,
        unadjusted=bradley_terry_from_battles(*data, **given) if is_adjusted else None,
        position=placed if np.isfinite(placed.coefficients).all() else None,
        ranks=ranks,
        control=control,
        pairs=pairs,
        win_rates=tuple(_win_rates(battles, strengths, control, alpha)) if has_lengths else (),
        clusters=tuple(battles.clusters),
        source=battles.source,
        findings=(*battles.findings, *_warnings(strengths)),
        reason=strengths.reason,
        _battles=battles,
    )


def numeric_outcomes(battles: Battles) -> FloatArray:
    """Return the outcomes of model_a as numbers: 1 for a win, 0.5 for a tie and 0 for a loss."""
    words = {"model_a": 1.0, "model_b": 0.0}
    return np.array([words.get(one, 0.5) if isinstance(one, str) else one for one in battles.winner])


def outcomes_of(battles: Battles) -> Any:
    """Return the winners as a list of words, or as an array of the outcomes of model_a."""
    is_text = all(isinstance(one, str) for one in battles.winner)
    return list(battles.winner) if is_text else np.array(battles.winner, dtype=np.float64)


def _pairs(
    strengths: BattleStrengths, ranks: RankConfidenceSets, order: IntArray, control: str | None, alpha: float
) -> tuple[BattlePair, ...]:
    """Return the pairs with simultaneous intervals from the critical value of a single-step test."""
    family: dict[str, Any] = {
        "estimate": strengths.estimate,
        "covariance": strengths.covariance,
        "df": max(strengths.df, 1),
        "confidence_level": 1 - alpha,
        "simultaneous": control is None,
        "n_resamples": ranks.n_resamples,
        "rng": ranks.seed,
    }
    at = None if control is None else strengths.models.index(control)
    single = rank_confidence_sets(**family, method="single-step")
    critical = single.critical_value if at is None else single.critical_value[at]
    pvalue = ranks.pvalue if at is None else rank_confidence_sets(**family).pvalue[at]
    error, rates, found = strengths.differences_standard_error, strengths.win_rates, []
    for place, i in enumerate(order.tolist()):
        for j in order[place + 1 :].tolist():
            if at not in (None, i, j):
                continue
            difference = float(strengths.differences[i, j])
            margin = float(critical * error[i, j])
            p = float(pvalue[i, j] if at is None else pvalue[j if i == at else i])
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


def _win_rates(
    battles: Battles, strengths: BattleStrengths, control: str | None, alpha: float
) -> Iterator[EqualLengthWinRate]:
    """Yield the win rate of each model against the control at equal answer length."""
    from evalstats.metrics.win_rates import length_adjusted_win_rate  # few comparisons need it

    a, b = (np.array(names) for names in (battles.model_a, battles.model_b))
    outcome = numeric_outcomes(battles)
    length = np.asarray(battles.length_difference)
    if len(battles.clusters) > 1:
        raise InvalidValueError(
            "win rates at equal length accept one column of clusters, not two; pass one column as cluster"
        )
    groups = next((np.array(one) for one in battles.clusters.values()), None)
    for model in strengths.models:
        is_first, is_second = (a == model) & (b == control), (a == control) & (b == model)
        own = is_first | is_second
        if model == control or not own.any():
            continue
        preference = np.where(is_first, outcome, 1 - outcome)[own]
        limits, adjusted, reason = (math.nan, math.nan), math.nan, None
        try:
            found = length_adjusted_win_rate(
                preference, np.where(is_first, length, -length)[own], clusters=None if groups is None else groups[own]
            )
        except InvalidValueError as error:  # too few battles, or all lengths are equal
            reason = str(error)
        else:
            interval = found.confidence_interval(1 - alpha)
            limits, adjusted, reason = (float(interval.low), float(interval.high)), found.estimate, found.reason
        yield EqualLengthWinRate(
            model=str(model),
            n_battles=int(own.sum()),
            win_rate=float(preference.mean()),
            adjusted=adjusted,
            low=limits[0],
            high=limits[1],
            reason=reason,
        )


def _warnings(strengths: BattleStrengths) -> tuple[Finding, ...]:
    found = []
    few = [str(m) for m, n in zip(strengths.models, strengths.battles_of_model, strict=True) if n < FEW_BATTLES]
    if few:
        sentence = f"Each of these models has fewer than {FEW_BATTLES} battles: {', '.join(few)}."
        found.append(Finding(code="few-battles", severity="note", sentence=sentence))
    if strengths.n_clusters and min(strengths.n_clusters) < FEW_CLUSTERS:
        sentence = (
            f"There are only {min(strengths.n_clusters)} clusters; standard errors from fewer than {FEW_CLUSTERS} "
            "clusters are unreliable."
        )
        found.append(Finding(code="few-clusters", severity="warning", sentence=sentence))
    if strengths.is_clipped:
        sentence = "Negative eigenvalues of the covariance matrix for two clusterings were set to 0."
        found.append(Finding(code="clipped-covariance", severity="note", sentence=sentence))
    return tuple(found)
