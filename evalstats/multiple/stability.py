"""Stability of a ranking under resampling, other ranking rules, and omission of instances or classifiers."""

from __future__ import annotations

__all__ = [
    "RankingChange",
    "RankingStability",
    "Settings",
    "instance_scores",
    "ranking_change",
    "ranking_stability",
    "resample_summary",
    "stability_of",
]


from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._labels import column_names, named
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.multiple.resampled_rankings import (
    METHODS,
    ORDERED,
    RULES,
    SIGNIFICANCE,
    RankingRule,
    Units,
    is_enumerated,
    kendall_tau_b,
    min_ranks,
    resample_counts,
    significance_map,
    units_of,
)

PODIUM = 3
RESAMPLED = ("mean", "mean-rank")  # rules that are applied in addition to the chosen rule
ALL_TIED = "all classifiers are tied in the full ranking, so its rank correlation with other rankings is undefined"


@dataclass(frozen=True, kw_only=True, eq=False)
class RankingChange(Record):
    """Change in the ranking if one instance, one cluster or one classifier is left out.

    Attributes
    ----------
    left_out : Any
        The index or the name of the instance, of the cluster or of the classifier.
    winner_changes : bool
        Whether different classifiers have rank 1. If the winner itself is left out, the classifiers that follow the
        winner are expected to have rank 1. Only a different winner counts as a change.
    pairs : tuple of tuple
        The pairs of classifiers whose order changes. The classifier that is better in the full ranking is first. A tie
        that is broken or created also counts as a change.
    """

    left_out: Any
    winner_changes: bool
    pairs: tuple[tuple[Any, Any], ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class RankingStability(Record):
    """Result of `ranking_stability`.

    Attributes
    ----------
    rule : str
        The ranking rule.
    criterion : ndarray of shape (k,)
        The values by which the classifiers are ranked: means, quantiles, mean ranks, or the number of classifiers that
        are significantly worse.
    ranks : ndarray of int, shape (k,)
        Ranks on all instances. Rank 1 is the best, and ties get the smallest of their ranks.
    frequencies : ndarray of shape (k, k)
        ``frequencies[i, j]``: proportion of the resamples in which classifier i has rank j + 1.
    podium : ndarray of shape (k,)
        Proportion of the resamples in which the classifier has rank 1, 2 or 3.
    rank_lower, rank_upper : ndarray of int, shape (k,)
        Percentile interval of the rank over the resamples. The interval describes the resamples and is not a confidence
        interval. If the classifiers perform almost equally, the coverage of the interval is too low (see
        `rank_confidence_sets`).
    confidence_level : float
        Level of the percentile intervals of ranks and of tau.
    tau : ndarray of shape (n_resamples,)
        Kendall's tau-b between each resample's ranking and the full ranking. It is nan if all classifiers are tied.
    mean_tau, tau_lower, tau_upper : float
        Mean and percentile interval of tau over the resamples in which it is defined.
    n_all_tied : int
        Number of resamples in which all classifiers are tied. These resamples do not count in the mean of tau.
    same_winner, same_podium, same_ranking : float
        Proportions of the resamples in which rank 1, ranks 1 to 3, or all ranks are the same as in the full ranking.
    rules : tuple of str
        All ranking rules that were applied to all instances. The chosen rule is the first.
    ranks_by_rule : ndarray of int, shape (n_rules, k)
        Ranks by each rule in `rules`.
    rule_agreement : ndarray of shape (n_rules, n_rules)
        Kendall's tau-b between the rankings by each pair of rules.
    same_winner_by_rule, mean_tau_by_rule : ndarray of shape (n_rules,)
        Proportion of the resamples with the same winner, and the mean of tau, if the given rule ranks both all
        instances and the resamples. Only the chosen rule, ``'mean'`` (aggregate, then rank) and ``'mean-rank'`` (rank,
        then aggregate) are applied to the resamples. The values for the remaining rules are nan.
    pvalue : ndarray of shape (k, k)
        ``pvalue[i, j]``: adjusted p-value of the Wilcoxon signed-rank test of classifiers i and j. It is 1 on the
        diagonal. With ``significance='ordered-pairs'``, the p-values are for the alternative that i is better, so the
        matrix is not symmetric.
    superior : ndarray of bool, shape (k, k)
        Whether classifier i is significantly better than classifier j at the level `alpha`.
    significance : str
        ``'pairs'`` or ``'ordered-pairs'``.
    alpha : float
        Significance level.
    instance_changes : tuple of RankingChange
        The instances, or the clusters, whose omission changes the ranking.
    classifier_changes : tuple of RankingChange
        The classifiers whose omission changes the order of two other classifiers.
    n_instances, n_clusters, n_classifiers : int
        Numbers of rows, of resampled units and of columns.
    unit : {'instance', 'dataset', 'question', 'benchmark'}
        Unit of a row. It is ``'instance'`` unless `compare` made the result.
    method : str
        ``'exact'`` if all resamples were enumerated, otherwise ``'monte-carlo'``.
    n_resamples : int
        Number of resamples.
    seed : int or None
        Seed of the resamples, or None if they were enumerated or `rng` was a Generator.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    tie_tolerance : float
        Relative precision to which values were rounded before ranking.
    reason : str or None
        A sentence if the input was degenerate, otherwise None.

    Notes
    -----
    The frequencies describe the sample of instances. They are not confidence levels: a rank that occurs in 95% of the
    resamples is not necessarily the true rank with 95% confidence.
    """

    rule: str
    criterion: FloatArray
    ranks: IntArray
    frequencies: FloatArray
    podium: FloatArray
    rank_lower: IntArray
    rank_upper: IntArray
    confidence_level: float
    tau: FloatArray
    mean_tau: float
    tau_lower: float
    tau_upper: float
    n_all_tied: int
    same_winner: float
    same_podium: float
    same_ranking: float
    rules: tuple[str, ...]
    ranks_by_rule: IntArray
    rule_agreement: FloatArray
    same_winner_by_rule: FloatArray
    mean_tau_by_rule: FloatArray
    pvalue: FloatArray
    superior: BoolArray
    significance: str
    alpha: float
    instance_changes: tuple[RankingChange, ...]
    classifier_changes: tuple[RankingChange, ...]
    n_instances: int
    n_clusters: int
    n_classifiers: int
    unit: str
    method: str
    n_resamples: int
    seed: int | None
    classifiers: tuple[Any, ...] | None
    tie_tolerance: float
    reason: str | None
    _drawn: IntArray  # the ranks in the resamples

    def _axes(self) -> tuple[str, ...]:
        return ("classifier",)


def ranking_stability(
    scores: ArrayLike,
    *,
    rule: str = "mean",
    quantile: float = 0.5,
    clusters: ArrayLike | None = None,
    significance: str = "pairs",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    method: str = "auto",
    n_resamples: int = 10_000,
    rng: Any = None,
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> RankingStability:
    """Estimate the stability of a ranking under changes in the instances, ranking rule and classifiers.

    The instances of one test set or challenge task are resampled with replacement, and the classifiers are ranked on
    each resample. In addition, the function applies the other ranking rules, and leaves out each instance and each
    classifier in turn. The result is descriptive and not a test, except for the significance matrix.

    Parameters
    ----------
    scores : array_like of shape (n_instances, n_classifiers)
        One row per instance, one column per classifier, with at least two rows and two columns. An instance can be a
        question or an image.
    rule : {'mean', 'median', 'quantile', 'mean-rank', 'significance'}, default: 'mean'
        ``'mean'``, ``'median'`` and ``'quantile'`` aggregate the scores of each classifier and then rank.
        ``'mean-rank'`` ranks on each instance and then ranks by the mean of these ranks. ``'significance'`` ranks by
        the number of classifiers that are significantly worse, by the normal approximation of the Wilcoxon signed-rank
        test with Holm's adjustment.
    quantile : float, default: 0.5
        The quantile of the rule ``'quantile'``, from 0 to 1. With a small quantile, the difficult instances determine
        the ranking.
    clusters : array_like of shape (n_instances,), optional
        The cluster of each row, such as the patient of an image. Clusters are drawn and left out as a whole.
    significance : {'pairs', 'ordered-pairs'}, default: 'pairs'
        ``'pairs'``: two-sided tests with Holm's adjustment for the k(k-1)/2 pairs. The p-values are exact if the
        computation is fast enough. ``'ordered-pairs'``: one-sided tests by the normal approximation with Holm's
        adjustment for the k(k-1) ordered pairs, as in challengeR.
    alpha : float, default: 0.05
        Significance level of the pairwise tests.
    confidence_level : float, default: 0.95
        Level of the percentile intervals of the ranks and of tau.
    method : {'auto', 'exact', 'monte-carlo'}, default: 'auto'
        ``'exact'``: all n^n resamples, for up to 7 instances or clusters. ``'monte-carlo'``: random resamples.
        ``'auto'``: exact if there are at most `n_resamples` resamples, otherwise Monte Carlo.
    n_resamples : int, default: 10000
        Number of random resamples.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    RankingStability
        Ranks, frequencies of ranks, tau, agreement of the rules, the significance matrix and the influential instances.

    Raises
    ------
    ValueError
        If scores have the wrong shape, or contain nan or infinity. If there is only one instance or cluster, or an
        option is unknown. If ``'exact'`` is requested for more than 7 instances or clusters.
    TypeError
        If an argument has the wrong type.

    See Also
    --------
    rank_distribution : the distribution of the ranking by mean ranks under resampling of datasets.
    consensus_ranking : the consensus ranking over several tasks.

    References
    ----------
    Wiesenfarth, M., Reinke, A., Landman, B. A., Eisenmann, M., Aguilera Saiz, L., Cardoso, M. J., Maier-Hein, L. &
    Kopp-Schneider, A. (2021). Methods and open-source toolkit for analyzing and visualizing challenge results.
    Scientific Reports 11, 2369.

    Maier-Hein, L. et al. (2018). Why rankings of biomedical image analysis competitions should be interpreted with
    care. Nature Communications 9, 5217.

    Examples
    --------
    >>> from evalstats.multiple import ranking_stability
    >>> scores = [[0.9, 0.8, 0.3], [0.6, 0.7, 0.5], [0.8, 0.5, 0.6], [0.7, 0.6, 0.8]]
    >>> result = ranking_stability(scores)
    >>> result.method, result.n_resamples, result.ranks
    ('exact', 256, array([1, 2, 3]))
    >>> (256 * result.frequencies).round().astype(int)
    array([[238,  18,   0],
           [ 37, 167,  52],
           [ 15,  55, 186]])
    >>> round(result.mean_tau, 6), result.n_all_tied
    (0.788377, 6)
    >>> [(change.left_out, change.pairs) for change in result.instance_changes]
    [(0, ((1, 2),))]
    """
    matrix = instance_scores(scores)
    settings = Settings.checked(
        _checks.tolerance(tie_tolerance, scores),
        rule=rule,
        quantile=quantile,
        significance=significance,
        alpha=alpha,
        confidence_level=confidence_level,
        method=method,
        n_resamples=n_resamples,
        greater_is_better=greater_is_better,
    )
    source = _checks.random_source(rng)
    units = units_of(clusters, matrix, scores, settings.tie_tolerance)
    drawn_by = None if is_enumerated(settings.method, units.n, settings.n_resamples) else source.generator()
    return stability_of(
        matrix, units, settings, drawn_by, None if drawn_by is None else source.seed, column_names(scores)
    )


class Settings(NamedTuple):
    """The arguments of an analysis of stability, other than the data."""

    rule: str
    quantile: float
    significance: str
    alpha: float
    confidence_level: float
    method: str
    n_resamples: int
    greater_is_better: bool
    tie_tolerance: float

    @classmethod
    def checked(cls, tie_tolerance: float, **asked: Any) -> Settings:
        """Check the arguments."""
        return cls(
            rule=_checks.choice(asked["rule"], "rule", RULES),
            quantile=_checks.proportion(asked["quantile"], "quantile"),
            significance=_checks.choice(asked["significance"], "significance", SIGNIFICANCE),
            alpha=_checks.proportion(asked["alpha"], "alpha"),
            confidence_level=_checks.confidence_level(asked["confidence_level"]),
            method=_checks.choice(asked["method"], "method", METHODS),
            n_resamples=_checks.count(asked["n_resamples"], "n_resamples"),
            greater_is_better=_checks.boolean(asked["greater_is_better"], "greater_is_better"),
            tie_tolerance=tie_tolerance,
        )

    def rule_of(self, scores: FloatArray) -> RankingRule:
        """Return the rule for these scores."""
        better = scores if self.greater_is_better else 0.0 - scores
        is_ordered = self.significance == ORDERED
        return RankingRule(self.rule, better, self.quantile, self.alpha, is_ordered, self.tie_tolerance)


def stability_of(
    scores: FloatArray,
    units: Units,
    settings: Settings,
    generator: np.random.Generator | None,
    seed: int | None,
    names: tuple[Any, ...] | None,
    unit: str = "instance",
) -> RankingStability:
    """Return the stability of the ranking on one task. Without a generator, all resamples are enumerated."""
    chosen = settings.rule_of(scores)
    criterion = chosen.criterion(np.ones((1, len(scores))))
    ranks = chosen.ranks_by(criterion)[0]
    resampled = dict.fromkeys((chosen.name, *RESAMPLED))
    blocks = [
        [chosen._replace(name=name).ranks(block) for name in resampled]
        for block in resample_counts(units, settings.n_resamples, generator)
    ]
    drawn_by = dict(zip(resampled, map(np.concatenate, zip(*blocks, strict=True)), strict=True))
    drawn = drawn_by.pop(chosen.name)
    summary = resample_summary(drawn, ranks, settings.confidence_level)
    pvalue, superior = significance_map(chosen)
    is_turned = settings.rule in RULES[:3] and not settings.greater_is_better
    return RankingStability(
        rule=settings.rule,
        criterion=0.0 - criterion[0] if is_turned else criterion[0],
        ranks=ranks,
        **summary,
        **_of_rules(chosen, drawn_by, summary),
        pvalue=pvalue,
        superior=superior,
        significance=settings.significance,
        alpha=settings.alpha,
        instance_changes=_without_instances(chosen, units, ranks, names),
        classifier_changes=_without_classifiers(chosen, ranks, names),
        n_instances=len(scores),
        n_clusters=units.n,
        n_classifiers=scores.shape[1],
        unit=unit,
        method="exact" if generator is None else "monte-carlo",
        seed=seed,
        classifiers=names,
        tie_tolerance=settings.tie_tolerance,
        reason=ALL_TIED if (ranks == 1).all() else None,
        _drawn=drawn,
    )


def instance_scores(scores: Any) -> FloatArray:
    """Return scores of instances: a table of at least two rows and two columns."""
    matrix = _checks.moderate(_checks.score_matrix(scores, minimum_datasets=2), "scores")
    if matrix.ndim != 2:
        raise InvalidValueError(
            f"scores must have the shape (n_instances, n_classifiers), but their shape is {matrix.shape}"
        )
    return matrix


def resample_summary(drawn: IntArray, ranks: IntArray, level: float) -> dict[str, Any]:
    """Return the fields that describe the ranks in the resamples, (m, k), and their agreement with the ranks (k,)."""
    n, k = drawn.shape
    counts = np.array([np.bincount(own, minlength=k + 1)[1:] for own in drawn.T])
    reached = counts.cumsum(axis=1)
    lower, upper = ((reached < share * n * (1 - 1e-12)).sum(axis=1) + 1 for share in ((1 - level) / 2, (1 + level) / 2))
    tau = kendall_tau_b(drawn, ranks)
    known = tau[~np.isnan(tau)]
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2]) if known.size else (np.nan, np.nan)
    return {
        "frequencies": counts / n,
        "podium": reached[:, min(PODIUM, k) - 1] / n,
        "rank_lower": lower,
        "rank_upper": upper,
        "confidence_level": level,
        "tau": tau,
        "mean_tau": float(known.mean()) if known.size else np.nan,
        "tau_lower": float(low),
        "tau_upper": float(high),
        "n_all_tied": int((drawn == 1).all(axis=1).sum()),
        "same_winner": _same_winner(drawn, ranks),
        "same_podium": float(((drawn <= PODIUM) == (ranks <= PODIUM)).all(axis=1).mean()),
        "same_ranking": float((drawn == ranks).all(axis=1).mean()),
        "n_resamples": n,
    }


def _same_winner(drawn: IntArray, ranks: IntArray) -> float:
    return float(((drawn == 1) == (ranks == 1)).all(axis=1).mean())


def _of_rules(chosen: RankingRule, drawn_by: Mapping[str, IntArray], summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rankings by all rules (the chosen rule first), their agreement, and their stability in resamples.

    `summary` is the summary for the chosen rule, and `drawn_by` contains the ranks by the other rules in the resamples.
    """
    names = (chosen.name, *(name for name in RULES if name not in (chosen.name, "quantile")))
    everything = np.ones((1, len(chosen.scores)))
    ranks = np.concatenate([chosen._replace(name=name).ranks(everything) for name in names])
    agreement = np.array([kendall_tau_b(ranks, one) for one in ranks])
    winner, tau = np.full((2, len(names)), np.nan)
    winner[0], tau[0] = summary["same_winner"], summary["mean_tau"]
    for name, drawn in drawn_by.items():
        at = names.index(name)
        winner[at] = _same_winner(drawn, ranks[at])
        own = kendall_tau_b(drawn, ranks[at])
        tau[at] = own[~np.isnan(own)].mean() if not np.isnan(own).all() else np.nan
    return {
        "rules": names,
        "ranks_by_rule": ranks,
        "rule_agreement": agreement,
        "same_winner_by_rule": winner,
        "mean_tau_by_rule": tau,
    }


def _without_instances(
    chosen: RankingRule, units: Units, ranks: IntArray, names: tuple[Any, ...] | None
) -> tuple[RankingChange, ...]:
    """Return the instances or clusters whose omission changes the ranking."""
    without = chosen.ranks_without(units.number, units.n)
    different = np.flatnonzero((without != ranks).any(axis=1)).tolist()
    columns = np.arange(len(ranks))
    found = (ranking_change(units.labels[unit], ranks, without[unit], columns, names) for unit in different)
    return tuple(change for change in found if change.pairs)


def _without_classifiers(
    chosen: RankingRule, ranks: IntArray, names: tuple[Any, ...] | None
) -> tuple[RankingChange, ...]:
    """Return the classifiers whose omission changes the order of two other classifiers."""
    k = len(ranks)
    if k < 3 or chosen.name in RULES[:3]:  # an aggregated score does not depend on the other classifiers
        return ()
    everything = np.ones((1, len(chosen.scores)))
    found = []
    for out in range(k):
        left = np.delete(np.arange(k), out)
        without = chosen._replace(scores=chosen.scores[:, left]).ranks(everything)[0]
        found.append(ranking_change(named(out, names), ranks[left], without, left, names))
    return tuple(change for change in found if change.pairs)


def ranking_change(
    left_out: Any, before: IntArray, after: IntArray, columns: IntArray, names: tuple[Any, ...] | None
) -> RankingChange:
    """Compare the order of these columns before and after an omission. The ranks in `before` may have a gap."""
    first, second = np.triu_indices(len(columns), 1)
    was, is_now = np.sign(before[first] - before[second]), np.sign(after[first] - after[second])
    changed = np.flatnonzero(was != is_now)
    pairs = [
        (i, j) if sign <= 0 else (j, i)
        for i, j, sign in zip(first[changed], second[changed], was[changed], strict=True)
    ]
    winners = min_ranks(before) == 1, after == 1
    return RankingChange(
        left_out=left_out,
        winner_changes=bool((winners[0] != winners[1]).any()),
        pairs=tuple((named(int(columns[i]), names), named(int(columns[j]), names)) for i, j in pairs),
    )
