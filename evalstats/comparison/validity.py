"""Validity of the tests of a comparison for its data: replaced tests, untested pairs, and too few datasets.

Every comparison, noninferiority test and gate checks the validity of its tests with this module before it decides, and
stores the result. Reports and plots read only this result.
"""

from __future__ import annotations

__all__ = [
    "FEW_CLUSTERS",
    "LEVEL_OF_BOOTSTRAP",
    "AgainstMargin",
    "Replacement",
    "Unseen",
    "UntestedPair",
    "Validity",
    "against_margin",
    "cannot_reach",
    "few_clusters_words",
    "first_reason",
    "has_few_clusters",
    "hopeless_words",
    "lacks_pvalue",
    "limits_apart",
    "margin_validity",
    "means_otherwise",
    "no_interval_finding",
    "not_worse_pvalue",
    "out_of_reach_words",
    "replaced_words",
    "replacement",
    "two_sided_pvalue",
    "unlike_models_finding",
    "unseen_words",
    "untested",
    "untested_clause",
    "valid_test",
]

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats._findings import Finding
from evalstats._ranks import compared, rounded
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray
from evalstats.adjustment.pairwise import PAIRWISE_ONLY
from evalstats.comparison.registry import POSTHOC_TESTS, DeclaredTest
from evalstats.design import attainable
from evalstats.distributions.small_sample_limits import ClusterLeads, fewest_clusters, share_never_seen
from evalstats.paired.accuracy_noninferiority import GroupedAccuracyPair
from evalstats.paired.noninferiority import MetricMargin
from evalstats.paired.shifted_scores import FEW_CASES, ClusteredDifference

if TYPE_CHECKING:
    from evalstats.metrics.cluster_variance import Clusters
    from evalstats.paired.noninferiority_results import MarginProblem


# with fewer clusters, or with very unequal clusters, the estimated variance is too imprecise
FEW_CLUSTERS = FEW_CASES
# type-I error rate of the noninferiority test by the bootstrap at alpha = 0.05, by the number of instances: the highest
# rate of F1 in docs/error-rates/few-instances.csv; and the rate above which a finding is reported
LEVEL_OF_BOOTSTRAP = {20: 0.0915, 40: 0.067, 60: 0.0585, 100: 0.0535, 200: 0.055}
LEVEL_HELD = 0.06
# type-I error rate of the default test at alpha = 0.05 for two models of equal accuracy, if one model errs in whole
# clusters and the other independently, by the number of clusters: the highest rates of
# docs/error-rates/unlike-models.csv; and the number of clusters from which the rates are close to the level
LEVEL_OF_UNLIKE_MODELS, ENOUGH_FOR_UNLIKE_MODELS = {8: 0.1875, 12: 0.252, 20: 0.343, 30: 0.21675, 50: 0.0935}, 100


@dataclass(frozen=True, kw_only=True, eq=False)
class Replacement(Record):
    """Replacement of a test that is not valid for these data.

    Attributes
    ----------
    of : {'omnibus', 'pairs'}
        Purpose of the test: ``'omnibus'`` (whether any classifiers differ) or ``'pairs'`` (which pairs differ).
    test, by : str
        Names of the test that is not valid, and of its replacement, as written in a sentence.
    reason : str
        Reason as a clause, such as 'the differences have no variance'.
    """

    of: str
    test: str
    by: str
    reason: str


@dataclass(frozen=True, kw_only=True, eq=False)
class UntestedPair(Record):
    """Pair without a p-value, about which there is no conclusion.

    Attributes
    ----------
    first, second : str
        The classifiers.
    """

    first: str
    second: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Validity(Record):
    """Validity of the tests of a comparison for its data.

    Attributes
    ----------
    n_effective : float or None
        Effective number of clusters: the number of clusters of equal size with the same information. It is None if
        there are no clusters.
    replacements : tuple of Replacement
        Tests that replace other tests.
    untested : tuple of UntestedPair
        Pairs without a p-value, for which no valid test is known.
    reason : str or None
        Reason for the missing p-values, or None if every pair has a p-value.
    min_attainable_pvalue : float or None
        The smallest adjusted p-value that a pair can have with these data, or None if there is no such bound.
    out_of_reach : bool
        Whether no pair can be significantly different, regardless of the scores. The minimum attainable p-value of
        every pair, or of a required omnibus test, is then above the level.
    findings : tuple of Finding
        For noninferiority tests: findings about the type-I error rate with few instances or clusters.
    """

    n_effective: float | None = None
    replacements: tuple[Replacement, ...] = ()
    untested: tuple[UntestedPair, ...] = ()
    reason: str | None = None
    min_attainable_pvalue: float | None = None
    out_of_reach: bool = False
    findings: tuple[Finding, ...] = ()

    def is_untested(self, first: str, second: str) -> bool:
        """Return whether a pair, in either order of the names, has no p-value."""
        return any({pair.first, pair.second} == {first, second} for pair in self.untested)

    def untested_against(self, name: str) -> tuple[str, ...]:
        """Return the classifiers that could not be tested against a given classifier."""
        met = [(pair.first, pair.second) for pair in self.untested if name in (pair.first, pair.second)]
        return tuple(b if a == name else a for a, b in met)


# --- clusters ---------------------------------------------------------------------------------------------------------


def has_few_clusters(clusters: Clusters) -> bool:
    """Return whether there are too few clusters for a t-test, so a sign-flip test is necessary."""
    return round(clusters.effective, 9) < FEW_CLUSTERS or bool((clusters.n_clusters == 1).any())


def few_clusters_words(clusters: Clusters, nouns: tuple[str, str] = ("instance", "task")) -> str:
    """State in a clause why the clusters are too few; `nouns` contains the words for an instance and a stratum."""
    case, stratum = nouns
    n, effective = int(clusters.n_clusters.sum()), f"{clusters.effective:.1f}".removesuffix(".0")
    if n == 1:
        return f"all {case}s belong to one cluster, so the variance between clusters is unknown"
    if (clusters.n_clusters == 1).any():
        return f"a {stratum} has a single cluster, so the variance between its clusters is unknown"
    if effective != str(n):
        counted = f"the {n} clusters have unequal sizes and count as {effective} clusters of equal size"
        return f"{counted}, so the variance of a mean is uncertain"
    return f"with {n} clusters, the variance of a mean is uncertain"


def unlike_models_finding(clusters: Clusters) -> Finding | None:
    """Return a finding about models with different error patterns if there are few clusters, or None.

    With few clusters, no test can detect different error patterns, because the sample may contain no cluster in which
    one model errs in all instances.
    """
    if round(clusters.effective, 9) >= ENOUGH_FOR_UNLIKE_MODELS:
        return None
    rates = LEVEL_OF_UNLIKE_MODELS
    size = max((n for n in rates if n <= clusters.effective), default=min(rates))
    words = (
        "The difference is shown under the assumption that the errors of the models form similar clusters. If one "
        "model errs in whole clusters and the other independently, the sample may contain too few clusters of errors. "
        f"At 0.05, the test then rejects for models of equal accuracy in up to {100 * rates[size]:.0f}% of simulated "
        f"samples of {size} clusters."
    )
    numbers = {"n_effective": clusters.effective, "rate": rates[size], "n_simulated": float(size)}
    return Finding(code="unlike-models", severity="note", sentence=words, numbers=numbers)


# --- attainable p-values ----------------------------------------------------------------------------------------------


def cannot_reach(smallest: float | None, alpha: float) -> bool:
    """Return whether the minimum attainable p-value is known and above the significance level."""
    return smallest is not None and not smallest <= alpha


# --- no p-value -------------------------------------------------------------------------------------------------------


def lacks_pvalue(pvalues: FloatArray) -> bool:
    """Return whether a p-value is missing because the test does not apply."""
    return bool(np.isnan(pvalues).any())


def replacement(of: str, test: str, by: str, reasons: Any) -> Replacement:
    """Return the record of a replaced test, with the first reason of its missing p-values."""
    return Replacement(of=of, test=test, by=by, reason=first_reason(reasons))


def replaced_words(one: Replacement) -> str:
    """State which test replaces an invalid test, and why."""
    what = "compare all classifiers" if one.of == "omnibus" else "test every pair"
    decides = f"The {one.by} decides instead; it does not require a variance."
    return f"The {one.test} cannot {what}, because {one.reason}. {decides}"


def untested_clause(test: str, reason: str | None) -> str:
    """Return a clause that states why a pair has no p-value."""
    return f"cannot be tested by the {test}" + ("" if reason is None else f", because {reason}")


def valid_test(
    of: str, tests: Mapping[str, DeclaredTest], name: str, run: Callable[[str], Any], control: int | None = None
) -> tuple[str, Any, tuple[Replacement, ...]]:
    """Return the name and the result of the test or, if p-values are missing, of its replacement, and the replacements.

    The same test decides on all pairs of a family, because no error rate is known for a mixture of tests. With a
    control, the entry for the control itself is ignored.
    """
    found, by = run(name), tests[name].instead
    pvalues = np.asarray(found.pvalue if control is None else np.delete(found.pvalue, control))
    if not lacks_pvalue(pvalues) or by in ("", name):
        return name, found, ()
    return by, run(by), (replacement(of, tests[name].words, tests[by].words, found.reason),)


def untested(names: Sequence[str], pairs: Iterable[tuple[int, int]], pvalues: FloatArray) -> tuple[UntestedPair, ...]:
    """Return the pairs without a p-value."""
    if not lacks_pvalue(pvalues):
        return ()
    lack = np.isnan(pvalues).tolist()
    return tuple(
        UntestedPair(first=names[a], second=names[b]) for (a, b), is_nan in zip(pairs, lack, strict=True) if is_nan
    )


def first_reason(reasons: Any) -> str:
    """Return the first reason of a test, without the advice after the semicolon."""
    found = (reason for reason in np.ravel(np.asarray(reasons, dtype=object)).tolist() if reason is not None)
    return str(next(found, "it is not defined for these data")).partition(";")[0]


# --- no interval ------------------------------------------------------------------------------------------------------


def limits_apart(low: FloatArray, high: FloatArray, tie_tolerance: float) -> tuple[FloatArray, FloatArray]:
    """Return the limits of the means; equal limits are replaced by nan, because the variation is unknown."""
    is_one = high - low <= max(tie_tolerance, 8 * np.finfo(np.float64).eps) * np.maximum(np.abs(low), np.abs(high))
    return np.where(is_one, np.nan, low), np.where(is_one, np.nan, high)


def no_interval_finding(pairs: Sequence[tuple[str, str]], unit: str) -> Finding | None:
    """Return a finding about the pairs without an interval, or None if there are none; `unit` is the sampled unit."""
    if not pairs:
        return None
    named = " and ".join(pairs[0])
    others = f" and {len(pairs) - 1} more pairs" if len(pairs) > 1 else ""
    words = (
        f"No interval is given for {named}{others}: the difference is the same for all {unit}s, so its variation is "
        f"unknown."
    )
    return Finding(code="no-interval", severity="note", sentence=words, numbers={"n_pairs": float(len(pairs))})


# --- noninferiority tests ---------------------------------------------------------------------------------------------


class Unseen(NamedTuple):
    """Effect of unseen clusters on a noninferiority test."""

    decide: bool  # whether the observed clusters alone show noninferiority of the first classifier
    proportion: float  # maximum proportion of clusters of an unseen kind
    enough: int  # number of equal clusters without a difference at which this proportion is at most the margin
    effective: float


class AgainstMargin(NamedTuple):
    """Result of the tests of one pair for noninferiority, and for inferiority by more than the margin."""

    not_worse: float
    worse: float
    low: float
    high: float
    reason: str | None  # reason for a missing p-value
    unseen: Unseen | None = None

    @property
    def is_untested(self) -> bool:
        """Whether a p-value is missing."""
        return math.isnan(self.not_worse) or math.isnan(self.worse)


def against_margin(
    problem: MarginProblem, margin: float, alpha: float, clusters: Clusters | None = None
) -> AgainstMargin:
    """Test one pair for noninferiority and inferiority; `clusters` contains the clusters of the instances.

    The result also allows for unseen clusters. Each p-value is the larger of the p-values of the test and
    of `ClusterLeads`, and each limit is the outer of the two limits.
    """
    sure, worse = (problem.one_sided(-margin, side) for side in ("greater", "less"))
    low, high = (float(limit) for limit in problem.limits(alpha))
    found = AgainstMargin(float(sure.pvalue), float(worse.pvalue), low, high, None)
    if found.is_untested and clusters is not None and (clusters.n_clusters == 1).any():
        return found._replace(reason=few_clusters_words(clusters))
    if found.is_untested or any(one is not None for one in np.ravel(np.asarray(sure.reason, dtype=object))):
        return found._replace(reason=first_reason(sure.reason))
    return found if (leads := _leads_of(problem)) is None else _beside_unseen(found, leads, margin, alpha)


def not_worse_pvalue(problem: MarginProblem, margin: float) -> float:
    """Return the p-value for noninferiority, with an allowance for unseen clusters."""
    alone = float(problem.one_sided(-margin, "greater").pvalue)
    leads = _leads_of(problem)
    return alone if leads is None or math.isnan(alone) else max(alone, leads.pvalue(-margin, "greater"))


def _leads_of(problem: MarginProblem) -> ClusterLeads | None:
    return problem.leads if isinstance(problem, ClusteredDifference | GroupedAccuracyPair) else None


def _beside_unseen(found: AgainstMargin, leads: ClusterLeads, margin: float, alpha: float) -> AgainstMargin:
    not_worse, worse = (leads.pvalue(-margin, side) for side in ("greater", "less"))
    share = share_never_seen(leads.effective, alpha)
    enough = fewest_clusters(margin / leads.largest, alpha) if leads.largest > 0 else 1
    return AgainstMargin(
        max(found.not_worse, not_worse),
        max(found.worse, worse),
        *leads.limits(alpha, (found.low, found.high)),
        None,
        Unseen(not_worse > alpha >= leads.pvalue_of_seen(-margin), share, enough, leads.effective),
    )


def two_sided_pvalue(problem: MarginProblem) -> float:
    """Return twice the smaller one-sided p-value for a difference of 0, or nan if one is missing."""
    sides = [float(problem.one_sided(0.0, side).pvalue) for side in ("greater", "less")]
    return math.nan if np.isnan(sides).any() else min(1.0, 2 * min(sides))


def margin_validity(
    problems: Sequence[MarginProblem],
    found: Sequence[AgainstMargin],
    names: Sequence[tuple[str, str]],
    *,
    alpha: float,
    adjust: str = "none",
    clusters: Clusters | None = None,
    noun: str = "dataset",
) -> Validity:
    """Return the validity of the noninferiority tests of these pairs.

    `noun` is the word for a dataset.
    """
    of_signs = [problem for problem in problems if problem.test in attainable.SIGNS]
    smallest, findings = None, []
    if of_signs:
        largest = max(of_signs, key=lambda problem: int(problem.n))
        family: dict[str, Any] = {"adjust": adjust, "n_comparisons": len(problems)}
        smallest = _of_signs(largest, **family).adjusted_pvalue
        if cannot_reach(smallest, alpha):
            words = out_of_reach_words(largest, alpha, noun, **family)
            numbers = {"n": float(largest.n), "min_attainable_pvalue": smallest}
            sentence = f"{words[0].upper()}{words[1:]}."
            findings.append(Finding(code="out-of-reach", severity="warning", sentence=sentence, numbers=numbers))
    is_grouped = clusters is not None and clusters.is_grouped
    n_effective = clusters.effective if clusters is not None and is_grouped else None
    is_tested = not all(one.is_untested for one in found)
    if is_tested and isinstance(problems[0], MetricMargin) and (few := _few_of_bootstrap(int(problems[0].n))):
        findings.append(few)
    elif clusters is not None and is_grouped and has_few_clusters(clusters):
        findings.append(_few_at_margin(clusters, adds_one=_leads_of(problems[0]) is not None))
    findings += [_unseen_at_margin(one.unseen) for one in found if one.unseen and one.unseen.decide][:1]
    return Validity(
        n_effective=n_effective,
        untested=tuple(
            UntestedPair(first=a, second=b) for (a, b), one in zip(names, found, strict=True) if one.is_untested
        ),
        reason=next((one.reason for one in found if one.is_untested), None),
        min_attainable_pvalue=smallest,
        out_of_reach=cannot_reach(smallest, alpha),
        findings=tuple(findings),
    )


def _of_signs(problem: MarginProblem, **family: Any) -> attainable.AttainablePValue:
    return attainable.minimum_attainable_pvalue(problem.test, n=int(problem.n), alternative="greater", **family)


def out_of_reach_words(problem: MarginProblem, alpha: float, noun: str = "dataset", **family: Any) -> str:
    """State in a clause the minimum attainable p-value and the necessary number of datasets."""
    smallest = _of_signs(problem, **family).adjusted_pvalue
    enough = attainable.minimum_sample_size(problem.test, alpha=alpha, alternative="greater", **family).n
    return (
        f"with {problem.n} {noun}s, no p-value can be below {smallest:.3g}, so a significant result needs {enough} "
        f"{noun}s"
    )


def _few_at_margin(clusters: Clusters, *, adds_one: bool) -> Finding:
    why = few_clusters_words(clusters)
    added = " The variance includes one additional cluster in which all instances differ." if adds_one else ""
    words = f"{why[0].upper()}{why[1:]}.{added}"
    return Finding(code="few-clusters", severity="note", sentence=words, numbers={"n_effective": clusters.effective})


def unseen_words(unseen: Unseen) -> str:
    """State in a clause the proportion of clusters that may be unseen and the necessary number of clusters."""
    effective = f"{unseen.effective:.1f}".removesuffix(".0")
    return (
        f"up to {100 * unseen.proportion:.1f}% of all clusters may have a type that is not in this sample (the sample "
        f"counts as {effective} clusters of equal size), and one model may err in all instances of this type; this "
        f"margin needs {unseen.enough} clusters if the models do not differ in any cluster, and more clusters otherwise"
    )


def _unseen_at_margin(unseen: Unseen) -> Finding:
    words = unseen_words(unseen)
    sentence = (
        f"{words[0].upper()}{words[1:]}. The sampled clusters alone would show noninferiority, but the test does not."
    )
    numbers = {"n_effective": unseen.effective, "proportion": unseen.proportion, "n_enough": float(unseen.enough)}
    return Finding(code="unseen-clusters", severity="warning", sentence=sentence, numbers=numbers)


def _few_of_bootstrap(n: int) -> Finding | None:
    """Return a finding about the type-I error rate of the bootstrap if there are few instances, or None."""
    too_often = [size for size, rate in LEVEL_OF_BOOTSTRAP.items() if rate > LEVEL_HELD]
    enough = min(size for size in LEVEL_OF_BOOTSTRAP if size > max(too_often))
    if n >= enough:
        return None
    size = max((size for size in LEVEL_OF_BOOTSTRAP if size <= n), default=min(LEVEL_OF_BOOTSTRAP))
    rate = LEVEL_OF_BOOTSTRAP[size]
    words = (
        f"{n} instances are few for the bootstrap, so the p-value may be too small: for F1 at the margin, the test "
        f"rejects at 0.05 in {100 * rate:.1f}% of simulated samples of {size} instances. With {enough} or more "
        "instances, the type-I error rate is close to the level."
    )
    numbers = {"n": float(n), "rate": rate, "n_simulated": float(size)}
    return Finding(code="few-cases", severity="warning", sentence=words, numbers=numbers)


# --- ranks and means --------------------------------------------------------------------------------------------------


def means_otherwise(scores: FloatArray, better: BoolArray, *, greater_is_better: bool) -> BoolArray:
    """Return, for each pair of classifiers, whether the first is better according to the test but has the worse mean.

    Parameters
    ----------
    scores : ndarray of shape (n_datasets, k)
        Scores. Missing scores are nan. The means of a pair are taken over its common datasets.
    better : ndarray of bool, shape (k, k)
        ``better[i, j]`` is True if i is better than j according to the test.
    greater_is_better : bool
        Direction of the scores.

    Returns
    -------
    ndarray of bool, shape (k, k)
    """
    there = ~np.isnan(scores)
    worse = np.less if greater_is_better else np.greater
    if there.all():
        means = rounded(scores.mean(axis=0))
        return np.asarray(better & worse.outer(means, means))
    own = np.where(there, scores, 0.0).T @ there  # [i, j]: the sum of the scores of i on the datasets of j
    return np.asarray(better & worse(own, own.T) & (compared(own, own.T) != 0))


# for more classifiers, the exact sum over all subsets of the classifiers takes seconds
MOST_OF_STEEL = 100


def _fewest_datasets(
    posthoc_test: str, adjustment: str | None, *, n_classifiers: int, has_control: bool, alpha: float
) -> int | None:
    """Return the smallest number of datasets for which a pair can be significant, or None if it is unknown."""
    test = POSTHOC_TESTS[posthoc_test]
    if not test.bound or (test.bound == "steel" and n_classifiers > MOST_OF_STEEL):
        return None
    family: dict[str, Any] = {}
    if test.bound in attainable.OF_RANKS:
        family = {"n_classifiers": n_classifiers}
    elif test.adjusts and adjustment not in (None, "none"):
        n_others = n_classifiers - 1
        # the first step of the procedures for pairs equals the first step of Holm's method
        family["adjust"] = "holm" if adjustment in PAIRWISE_ONLY else adjustment
        family["n_comparisons"] = n_others if has_control else n_classifiers * n_others // 2
    enough = attainable.minimum_sample_size(test.bound, alpha=alpha, **family).n
    if test.is_gated:  # the omnibus test is the Friedman test, whose p-value must also be attainable
        enough = max(enough, attainable.minimum_sample_size(test.omnibus, alpha=alpha, n_classifiers=n_classifiers).n)
    return enough


def hopeless_words(
    posthoc_test: str,
    adjustment: str | None,
    *,
    where: str,
    smallest: str,
    n_classifiers: int,
    control: str | None,
    alpha: float,
    nouns: tuple[str, str] = ("classifier", "dataset"),
) -> str:
    """State that no pair can be significantly different, and the number of datasets that would be sufficient.

    `where` describes the size of the table, as in 'With 8 datasets and 10 classifiers'. `smallest` is the minimum
    attainable p-value as text.
    """
    test, (who, what) = POSTHOC_TESTS[posthoc_test], nouns
    design: dict[str, Any] = {"n_classifiers": n_classifiers, "alpha": alpha}
    enough = _fewest_datasets(posthoc_test, adjustment, has_control=control is not None, **design)
    adjusted = "adjusted " if test.adjusts and adjustment != "none" else ""
    none = (
        "no pair can be significantly different"
        if control is None
        else f"no {who} can be significantly different from {control}"
    )
    said = f"{where}, the smallest {adjusted}p-value is {smallest}: {none}"
    if enough is None:
        return f"{said}."
    fewer = None
    if control is None and test.control:
        fewer = _fewest_datasets(posthoc_test, adjustment, has_control=True, **design)
    instead = f", or {fewer} with a control that is chosen in advance" if fewer is not None and fewer < enough else ""
    return f"{said}; a significant difference needs {enough} {what}s{instead}."
