"""Alternative annotator test: whether an LLM judge may replace human annotators."""

from __future__ import annotations

__all__ = ["AlternativeAnnotatorResult", "alternative_annotator_test", "codes_of", "understand_judge"]

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidTypeError, InvalidValueError, listed, short
from evalstats._lexicon import TRUTHS, plain_name, two_spellings
from evalstats._result import ConfidenceInterval, Record
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.adjustment.pvalues import adjust_pvalues
from evalstats.agreement.ratings import understand
from evalstats.distributions import tail_probabilities as tails

# rule of the authors: fewer instances of an annotator are not sufficient
MIN_INSTANCES = 30
# probability that the interval does not cover the tie rate, and number of tie rates inside the interval
MISSED, N_RATES = 1e-4, 129
# number of values in a chunk of bootstrap weights
CHUNK = 2**22
NO_VARIANCE = (
    "all differences of at least one annotator are equal, so the t-test is undefined and the exact test is used"
)
FEW = "only one annotator has enough instances"


@dataclass(frozen=True, kw_only=True, eq=False)
class AlternativeAnnotatorResult(Record):
    """Result of `alternative_annotator_test`.

    Attributes
    ----------
    annotators : tuple
        Names of the k annotators with enough instances, in the order of the call.
    left_out : tuple
        Names of the annotators with fewer than `min_instances` instances.
    n_instances : ndarray of int, shape (k,)
        Number of instances of each annotator that another annotator also labeled.
    win_rate : ndarray of shape (k,)
        Proportion of the instances (see `n_instances`) on which the judge agrees with the other annotators at least as
        well as the annotator.
    mean_difference : ndarray of shape (k,)
        Proportion of the instances (see `n_instances`) on which the annotator agrees with the others at least as well
        as the judge, minus `win_rate`.
    pvalue : ndarray of shape (k,)
        The p-value of the one-sided t-test of the mean difference against `epsilon`. It is nan if all differences are
        equal.
    exact_pvalue : ndarray of shape (k,)
        The p-value from the trinomial distribution of the differences.
    adjusted_pvalue : ndarray of shape (k,)
        The p-values of `method`, adjusted by the procedure of Benjamini and Yekutieli. If a t-test is undefined, the
        exact p-value is used.
    is_rejected : ndarray of bool, shape (k,)
        Whether the adjusted p-value is at most `alpha`: the judge is shown to be as good as the annotator, up to
        `epsilon`.
    winning_rate : float
        Proportion of the annotators for whom the null hypothesis is rejected.
    advantage_probability : float
        Mean of `win_rate` over the annotators.
    may_replace : bool
        Whether the winning rate is at least 0.5, the threshold of the authors.
    epsilon, alpha : float
        The values passed to the function.
    similarity, method : str
        The values passed to the function.
    reason : str or None
        A sentence if the data are degenerate, otherwise None.
    """

    annotators: tuple[Any, ...]
    left_out: tuple[Any, ...]
    n_instances: IntArray
    win_rate: FloatArray
    mean_difference: FloatArray
    pvalue: FloatArray
    exact_pvalue: FloatArray
    adjusted_pvalue: FloatArray
    is_rejected: BoolArray
    winning_rate: float
    advantage_probability: float
    may_replace: bool
    epsilon: float
    alpha: float
    similarity: str
    method: str
    reason: str | None
    _difference: FloatArray = field(repr=False)  # shape (n, k); nan without a label of the annotator

    def at(self, epsilon: float) -> AlternativeAnnotatorResult:
        """Return the result for a different `epsilon`.

        Parameters
        ----------
        epsilon : float
            Value of epsilon, from 0 to less than 1.

        Returns
        -------
        AlternativeAnnotatorResult

        Examples
        --------
        >>> from evalstats.agreement import alternative_annotator_test
        >>> result = alternative_annotator_test([[1, 1], [0, 0], [1, 0], [1, 1]], [1, 0, 0, 1], min_instances=4)
        >>> [result.at(epsilon).exact_pvalue.round(2).tolist() for epsilon in (0.1, 0.5)]
        [[0.3, 0.66], [0.06, 0.21]]
        """
        epsilon = _understand_epsilon(epsilon)
        return _result(
            self._difference, self.annotators, self.left_out, epsilon, self.alpha, self.similarity, self.method
        )

    def confidence_interval(
        self, confidence_level: float = 0.95, *, n_resamples: int = 1000, rng: Any = None
    ) -> ConfidenceInterval:
        """Compute a confidence interval for the advantage probability by a percentile bootstrap of the instances.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage.
        n_resamples : int, default: 1000
            Number of bootstrap samples.
        rng : None, int or numpy.random.Generator, optional
            Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
            used as the seed. A Generator is used directly.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> from evalstats.agreement import alternative_annotator_test
        >>> result = alternative_annotator_test([[1, 1], [0, 0], [1, 0], [1, 1]], [1, 0, 0, 1], min_instances=4)
        >>> result.confidence_interval().high
        1.0
        """
        level = _checks.confidence_level(confidence_level)
        b = _checks.count(n_resamples, "n_resamples")
        generator = _checks.random_source(rng).generator()
        # instances with the same outcomes for all annotators are counted together
        patterns, counts = np.unique(self._difference, axis=0, return_counts=True, equal_nan=True)
        is_given = (~np.isnan(patterns)).astype(np.float64)
        wins = np.where(is_given > 0, patterns <= 0, 0.0)
        means = []
        for start in range(0, b, max(1, CHUNK // len(counts))):
            size = min(b - start, max(1, CHUNK // len(counts)))
            weights = generator.multinomial(counts.sum(), counts / counts.sum(), size=size).astype(np.float64)
            with np.errstate(invalid="ignore"):
                means.append(np.nanmean((weights @ wins) / (weights @ is_given), axis=1))
        low, high = np.quantile(np.concatenate(means), [(1 - level) / 2, (1 + level) / 2])
        return ConfidenceInterval(low=float(low), high=float(high), confidence_level=level, attained_level=level)


def alternative_annotator_test(
    annotators: ArrayLike | Mapping[Any, Mapping[Any, Any]],
    judge: ArrayLike | Mapping[Any, Any],
    *,
    epsilon: float = 0.2,
    similarity: str = "agreement",
    method: str = "t",
    alpha: float = 0.05,
    min_instances: int = MIN_INSTANCES,
) -> AlternativeAnnotatorResult:
    """Test whether an LLM judge is as good as human annotators, and may therefore replace them.

    For each annotator in turn, the other annotators are the reference. Let p be the proportion of the instances on
    which the annotator is more similar to the reference than the judge. Let q be the proportion on which the judge is
    more similar. The null hypothesis is that p - q is `epsilon` or more. By the rule of the authors, the judge may
    replace the annotators if the test rejects for at least half of them.

    Parameters
    ----------
    annotators : array_like of shape (n_instances, n_annotators), or dict of dict
        Labels, with None or nan for an instance without a label of the annotator, or ``{annotator: {instance:
        label}}``.
    judge : array_like of shape (n_instances,), or dict
        Label of the judge for every instance, or ``{instance: label}``. Instances without a label of the judge are left
        out.
    epsilon : float, default: 0.2
        Largest acceptable disadvantage of the judge, as a difference between two proportions. The authors use 0.2 for
        experts, 0.15 for skilled annotators and 0.1 for crowdworkers.
    similarity : {'agreement', 'rmse'}, default: 'agreement'
        ``'agreement'``: proportion of the other annotators with the same label. ``'rmse'``: minus the root mean squared
        difference from the numbers of the other annotators.
    method : {'t', 'exact'}, default: 't'
        The p-values for the decision. ``'t'``: the t-test of the authors. ``'exact'``: the exact test, see Notes.
    alpha : float, default: 0.05
        Significance level: the maximum false discovery rate over the annotators.
    min_instances : int, default: 30
        Annotators with fewer instances are left out.

    Returns
    -------
    AlternativeAnnotatorResult
        The result also has the methods `confidence_interval` and `at`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If there are fewer than two annotators, no annotator has enough instances that another annotator also labeled,
        or a choice is invalid.

    See Also
    --------
    krippendorff_alpha : the agreement of all annotators with each other.

    Notes
    -----
    Let s be the similarity with the other annotators who labeled the instance. The difference of an instance is 1 if s
    is larger for the annotator, -1 if s is larger for the judge, and 0 otherwise. The t-test tests the mean of these
    differences.

    The t-test is approximate for few instances and few differences other than 0. The exact p-value follows Berger and
    Boos (1994). Let r be the probability that the sum of the differences is at most the observed sum. The p-value is
    the maximum of r over a 99.99% confidence interval for the rate of equal similarity, plus 0.0001. The test therefore
    controls the type-I error rate.

    References
    ----------
    Calderon, N., Reichart, R. & Dror, R. (2025). The alternative annotator test for LLM-as-a-judge: how to
    statistically justify replacing human annotators with LLMs. Proceedings of ACL 2025. arXiv:2501.10970, section 3.

    Berger, R. L. & Boos, D. D. (1994). P values maximized over a confidence set for the nuisance parameter. Journal of
    the American Statistical Association 89, 1012-1016.

    Examples
    --------
    Ten instances, three annotators.

    >>> from evalstats.agreement import alternative_annotator_test
    >>> labels = [list("AABBAABBAA"), list("AABBABBBAA"), list("ABBBAABAAA")]
    >>> annotators = [[column[i] for column in labels] for i in range(10)]
    >>> result = alternative_annotator_test(annotators, list("AABBAABBBA"), epsilon=0.2, min_instances=10)
    >>> result.pvalue.round(3), result.winning_rate, round(result.advantage_probability, 2)
    (array([0.172, 0.106, 0.065]), 0.0, 0.9)
    """
    epsilon = _understand_epsilon(epsilon)
    similarity = _checks.choice(similarity, "similarity", ("agreement", "rmse"))
    method = _checks.choice(method, "method", ("t", "exact"))
    alpha = _checks.proportion(alpha, "alpha")
    fewest = _checks.count(min_instances, "min_instances", minimum=2)
    names, labels, is_given, of_judge = understand_judge(annotators, judge)
    if similarity == "rmse":
        labels, of_judge = (_numbers(labels, is_given, "annotators"), _numbers(of_judge, None, "judge"))
    difference = _differences(labels, is_given, of_judge, similarity)
    enough = (~np.isnan(difference)).sum(axis=0) >= fewest
    if not enough.any():
        raise InvalidValueError(
            f"annotators must include one with {fewest} or more instances that another annotator also labeled, "
            f"but the largest number of such instances is {int((~np.isnan(difference)).sum(axis=0).max())}; pass a "
            "smaller min_instances"
        )
    kept = tuple(name for name, is_kept in zip(names, enough, strict=True) if is_kept)
    left_out = tuple(name for name, is_kept in zip(names, enough, strict=True) if not is_kept)
    return _result(difference[:, enough], kept, left_out, epsilon, alpha, similarity, method)


def _understand_epsilon(value: Any) -> float:
    epsilon = _checks.finite_real(value, "epsilon")
    if not 0 <= epsilon < 1:
        raise InvalidValueError(f"epsilon must be at least 0 and below 1, not {epsilon:g}")
    return epsilon


def understand_judge(annotators: Any, judge: Any) -> tuple[tuple[Any, ...], Any, BoolArray, Any]:
    """Return the names and labels of the annotators, of shape (n, k) with a mask, and the labels of the judge."""
    if isinstance(annotators, Mapping) != isinstance(judge, Mapping):
        raise InvalidTypeError("annotators and judge must both be dicts, or both be arrays")
    if isinstance(annotators, Mapping):
        if not all(isinstance(labels, Mapping) for labels in annotators.values()):
            raise InvalidTypeError("annotators must be a dict of dicts, {annotator: {instance: label}}")
        names = tuple(annotators)
        if len(names) < 2:
            raise InvalidValueError(f"annotators must hold two annotators or more, not {len(names)}")
        instances = list(dict.fromkeys(i for labels in annotators.values() for i in labels if i in judge))
        if not instances:
            raise InvalidValueError("annotators and judge must have instances in common, but they have none")
        table = [[annotators[name].get(i) for name in names] for i in instances]
        ratings = understand(table)
        judged: Any = [judge[i] for i in instances]
    else:
        _labels.same_labels(rows=("annotators", "judge"), annotators=annotators, judge=judge)
        ratings, judged = understand(annotators), judge
        if ratings.array.ndim != 2:
            raise InvalidValueError(f"annotators must have two axes, not the shape {ratings.array.shape}")
        columns = getattr(annotators, "columns", None)
        names = tuple(range(ratings.array.shape[1])) if columns is None else tuple(columns)
    of_judge = _checks.mixed(judged, "judge")
    if of_judge.shape != ratings.array.shape[:1]:
        raise InvalidValueError(
            f"judge must have one label for each of the {len(ratings.array)} instances, but its shape is "
            f"{of_judge.shape}"
        )
    both = understand(np.column_stack([of_judge, of_judge]))
    kept = both.is_given[:, 0]
    return names, ratings.array[kept], ratings.is_given[kept], of_judge[kept]


def _numbers(values: Any, is_given: BoolArray | None, name: str) -> FloatArray:
    """Convert numeric labels to floats. Missing labels become 0."""
    if is_given is not None:
        values = np.where(is_given, values, 0.0)
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidTypeError(f"{name} must hold numbers for the similarity 'rmse', not {short(values)}") from None
    return _checks.moderate(_checks.finite(array, name), name)


def _differences(labels: Any, is_given: BoolArray, judge: Any, similarity: str) -> FloatArray:
    """Return 1 if the annotator is more similar to the others than the judge, -1 if less, and 0 if equally similar."""
    n, k = labels.shape
    n_others = is_given.sum(axis=1)[:, np.newaxis] - is_given
    if similarity == "agreement":
        # count the equal labels of all other annotators, without the annotator
        codes = codes_of(np.column_stack([labels, judge]))
        of_judge = np.equal(codes[:, :k], codes[:, k:]) & is_given
        judged = of_judge.sum(axis=1)[:, np.newaxis] - of_judge
        own = np.empty((n, k), dtype=np.int64)
        for j in range(k):
            own[:, j] = (np.equal(codes[:, :k], codes[:, [j]]) & is_given).sum(axis=1) - 1
        difference = np.sign(own - judged).astype(np.float64)
    else:
        square = np.where(is_given, (labels - judge[:, np.newaxis]) ** 2, 0.0)
        judged = square.sum(axis=1)[:, np.newaxis] - square
        own = np.empty((n, k))
        for j in range(k):
            own[:, j] = np.where(is_given, (labels - labels[:, [j]]) ** 2, 0.0).sum(axis=1)
        largest = np.maximum(np.maximum(own, judged), 1e-300)
        # the similarity is minus the error; values that are equal up to rounding are equal
        difference = np.where(np.abs(judged - own) <= 1e-12 * largest, 0.0, np.sign(judged - own))
    return np.where(is_given & (n_others > 0), difference, np.nan)


def codes_of(labels: Any) -> IntArray:
    """Return a number for each distinct label. The judge is in the last column.

    Labels are equal only if they are written in the same way. Two spellings of one label would count as a disagreement,
    so they raise an error. A judge who uses no label of the annotators also raises an error.
    """
    known: dict[Any, int] = {}
    codes = np.fromiter((known.setdefault(one, len(known)) for one in labels.ravel().tolist()), np.int64, labels.size)
    codes = codes.reshape(labels.shape)
    is_closed = 2 * len(known) <= max(4, labels.size)  # free-text answers may differ in anything
    if twice := two_spellings(known, lambda label: _plain(label, is_closed=is_closed)):
        raise InvalidValueError(
            f"annotators and judge write one label in two ways, {twice[0]!r} and {twice[1]!r}; use one spelling, "
            "because labels are compared as written"
        )
    names = list(known)
    of_people, of_judge = ([names[i] for i in np.unique(own)] for own in (codes[:, :-1], codes[:, -1]))
    if is_closed and set(of_people).isdisjoint(of_judge):
        raise InvalidValueError(
            f"the judge must use the labels of the annotators ({listed(of_people)}), but it uses only different "
            f"labels ({listed(of_judge)})"
        )
    return codes


def _plain(label: Any, *, is_closed: bool) -> Any:
    """Return the value of a number or Boolean, or the letters and digits of a word, or None for free text."""
    if not isinstance(label, str):
        return label
    word = label.strip().casefold()
    try:
        return TRUTHS[word] if word in TRUTHS else int(word) if word.isdecimal() else float(word)
    except ValueError:
        return (plain_name(word) or word) if is_closed else None


def _result(
    difference: FloatArray,
    names: tuple[Any, ...],
    left_out: tuple[Any, ...],
    epsilon: float,
    alpha: float,
    similarity: str,
    method: str,
) -> AlternativeAnnotatorResult:
    n = (~np.isnan(difference)).sum(axis=0)
    mean, sd = np.nanmean(difference, axis=0), np.nanstd(difference, axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (mean - epsilon) / (sd / np.sqrt(n))
    pvalue = np.where(sd > 0, tails.t_pvalue(np.where(sd > 0, t, 0.0), n - 1, "less"), np.nan)
    minus, plus = np.nansum(difference == -1, axis=0), np.nansum(difference == 1, axis=0)
    exact = np.array([_exact_pvalue(int(m), int(b), int(a), epsilon) for m, a, b in zip(n, minus, plus, strict=True)])
    used = np.where(np.isnan(pvalue), exact, pvalue) if method == "t" else exact
    adjusted = adjust_pvalues(used, "by")
    is_rejected = adjusted <= alpha
    win_rate = (n - plus) / n
    winning_rate = float(is_rejected.mean())
    reason = NO_VARIANCE if np.isnan(pvalue).any() else FEW if len(names) == 1 else None
    return AlternativeAnnotatorResult(
        annotators=names,
        left_out=left_out,
        n_instances=n.astype(np.int64),
        win_rate=win_rate,
        mean_difference=mean,
        pvalue=pvalue,
        exact_pvalue=exact,
        adjusted_pvalue=adjusted,
        is_rejected=is_rejected,
        winning_rate=winning_rate,
        advantage_probability=float(win_rate.mean()),
        may_replace=winning_rate >= 0.5,
        epsilon=epsilon,
        alpha=alpha,
        similarity=similarity,
        method=method,
        reason=reason,
        _difference=difference,
    )


def _exact_pvalue(n: int, n_plus: int, n_minus: int, epsilon: float) -> float:
    """Return the Berger-Boos p-value for the sum of n differences if their mean is epsilon."""
    from scipy.stats import beta

    n_zero = n - n_plus - n_minus
    low = float(beta.ppf(MISSED / 2, n_zero, n_plus + n_minus + 1)) if n_zero else 0.0
    high = float(beta.isf(MISSED / 2, n_zero + 1, n_plus + n_minus)) if n_zero < n else 1.0
    # if the rate of equal similarities is above 1 - epsilon, the mean cannot be epsilon
    low, high = min(low, 1 - epsilon), min(high, 1 - epsilon)
    rates = np.linspace(low, high, N_RATES)
    return float(min(1.0, max(_sum_at_most(n, n_plus - n_minus, epsilon, rate) for rate in rates) + MISSED))


def _sum_at_most(n: int, total: int, mean: float, zero_rate: float) -> float:
    """Return P(sum <= total) for n differences of -1, 0 or 1, given their mean and the probability of 0."""
    from scipy.special import bdtr
    from scipy.stats import binom

    other = 1 - zero_rate
    spread = 9 * math.sqrt(n * zero_rate * other) + 30
    m = np.arange(max(0, math.floor(n * other - spread)), min(n, math.ceil(n * other + spread)) + 1)
    up = (other + mean) / 2 / other if other > 0 else 0.5
    # the sum is twice the number of values 1, minus m
    most = np.floor((total + m) / 2)
    tail = np.where(most < 0, 0.0, np.where(most >= m, 1.0, bdtr(np.clip(most, 0, m), m, min(up, 1.0))))
    return float(np.sum(binom.pmf(m, n, other) * tail))
