"""Bias of each way to aggregate F1 over folds: the experiment of Forman and Scholz, exact or simulated.

The model is a classifier whose true recall and precision, and thus F1, are known. Each fold of a cross-validation then
has binomial numbers of true and false positives. F1 aggregated in each of the five ways (`F1Strategies`) has a mean and
a standard deviation.
"""

from __future__ import annotations

__all__ = ["F1FoldBias", "f1_fold_bias", "forman_scholz_simulation"]

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._checks import RandomSource
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._result import Record
from evalstats._types import AnyArray, FloatArray, Progress
from evalstats.metrics.folds import F1Strategies
from evalstats.metrics.forman_scholz_moments import Setting, cost, exact_moments, monte_carlo_moments

Generator = np.random.Generator
SMALLEST_SHARE = 1e-100  # division by this number does not overflow
METHODS = ("auto", "exact", "monte-carlo")
# largest number of multiplications for method='auto' to choose 'exact': about one second
AFFORDABLE = 2e9
# rounding may increase a false positive rate of 1 by this amount
ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class F1FoldBias(Record):
    """Result of `f1_fold_bias` and `forman_scholz_simulation`: the five ways and the true value.

    Attributes
    ----------
    f : float or ndarray
        The true F1 of the classifier.
    mean : F1Strategies
        Mean F1 of each way over all cross-validations in which it is defined.
    bias, relative_bias : F1Strategies
        The mean minus the true F1, and this difference divided by the true F1.
    sd, relative_sd : F1Strategies
        Standard deviation over all cross-validations, and this standard deviation divided by the true F1.
    standard_error : F1Strategies
        Monte Carlo standard error of the mean and the bias. It is 0 if they are exact.
    undefined_fold : float or ndarray
        Probability that precision or recall is undefined in a fold.
    any_undefined_fold, no_defined_fold : float or ndarray
        Probability that precision or recall is undefined in at least one fold of the cross-validation and in all folds,
        respectively.
    recall, precision : float or ndarray
        True recall and precision of the classifier.
    n_positive, n_negative, n_folds : int or ndarray of int
        Numbers of positive instances, negative instances and folds of the cross-validation.
    stratified : bool or ndarray of bool
        Whether the folds have the same class counts, or random numbers of positive instances.
    method : str or ndarray of str
        ``'exact'`` or ``'monte-carlo'``, or ``'none'`` if the computation was interrupted at the start.
    n_simulations : int or ndarray of int
        Number of simulated cross-validations. It is 0 if the result is exact.
    seed : int, None or ndarray of object
        Seed of the simulation, or None if the result is exact or `rng` was a Generator.
    reason : str, None or ndarray of object
        A sentence if the simulation was interrupted, otherwise None.
    """

    f: Any
    mean: F1Strategies
    bias: F1Strategies
    relative_bias: F1Strategies
    sd: F1Strategies
    relative_sd: F1Strategies
    standard_error: F1Strategies
    undefined_fold: Any
    any_undefined_fold: Any
    no_defined_fold: Any
    recall: Any
    precision: Any
    n_positive: Any
    n_negative: Any
    n_folds: Any
    stratified: Any
    method: Any
    n_simulations: Any
    seed: Any
    reason: Any

    @property
    def rmse(self) -> F1Strategies:
        """Root mean squared error of each way, computed from the bias and the standard deviation."""
        return F1Strategies(
            **{w.name: np.hypot(getattr(self.bias, w.name), getattr(self.sd, w.name)) for w in fields(self.sd)}
        )


class _Settings(NamedTuple):
    """Settings of the simulation, as arrays of one shape."""

    n_positive: AnyArray
    n_negative: AnyArray
    n_folds: AnyArray
    f: FloatArray
    recall: FloatArray
    precision: FloatArray
    stratified: AnyArray

    @property
    def false_positive_rate(self) -> FloatArray:
        return self.n_positive * self.recall * (1 - self.precision) / (self.precision * self.n_negative)

    def each(self) -> list[Setting]:
        columns = (*self[:3], self.recall, np.minimum(self.false_positive_rate, 1.0), self.stratified)
        return [Setting(*row) for row in zip(*(np.ravel(column).tolist() for column in columns), strict=True)]


class _Outcome(NamedTuple):
    """Results for one setting."""

    mean: FloatArray
    sd: FloatArray
    standard_error: FloatArray
    undefined: FloatArray
    method: str
    n_simulations: int
    reason: str | None


_NAN = np.full(5, np.nan)
NOT_BEGUN = _Outcome(_NAN, _NAN, _NAN, _NAN[:3], "none", 0, "interrupted before this setting started")


def f1_fold_bias(
    n_positive: ArrayLike,
    n_negative: ArrayLike,
    n_folds: ArrayLike,
    f: ArrayLike,
    *,
    stratified: ArrayLike = True,
    recall: ArrayLike | None = None,
    method: str = "auto",
    n_simulations: int = 200_000,
    rng: Any = None,
) -> F1FoldBias:
    """Compute the bias of each of the five ways to aggregate F1 over folds.

    The classifier is the same in all folds. The result is therefore the bias from aggregation, without the bias from
    training on fewer instances.

    Parameters
    ----------
    n_positive, n_negative : int or array_like of int
        Numbers of positive and negative instances in the dataset.
    n_folds : int or array_like of int
        Number of folds of the cross-validation, at least 2. Folds differ in size by at most one instance.
    f : float or array_like
        The true F1 of the classifier, above 0 and at most 1. An estimate is sufficient.
    stratified : bool or array_like of bool, default: True
        Whether the folds have the same number of positive instances (within one), or random numbers.
    recall : float or array_like, optional
        The true recall. The precision then follows from `f`. Default: recall and precision are equal to `f`, as in the
        paper.
    method : {'auto', 'exact', 'monte-carlo'}, default: 'auto'
        ``'exact'``: the sum over all possible outcomes. ``'monte-carlo'``: a simulation. ``'auto'``: exact if the exact
        method takes at most about one second. This limit corresponds to about a thousand positive instances without
        stratification, and a million with stratification.
    n_simulations : int, default: 200000
        Number of cross-validations to simulate, if the result is not exact.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    F1FoldBias
        Mean, bias and standard deviation of each way, and the probability of undefined folds. All arguments broadcast.

    Raises
    ------
    ValueError
        If a count is too small, `f` is not above 0 and at most 1, or no classifier can have this F1 with the given
        class counts.
    TypeError
        If a count is not an integer.

    References
    ----------
    Forman, G. & Scholz, M. (2010). Apples-to-apples in cross-validation studies: pitfalls in classifier performance
    measurement. ACM SIGKDD Explorations 12(1), 49-57, section 4.

    Examples
    --------
    Ten positive instances among 1000, ten folds, F1 of 80%. The mean over the folds is 6% too low. If undefined folds
    are left out, the mean is 12% too high:

    >>> from evalstats.metrics import f1_fold_bias
    >>> result = f1_fold_bias(10, 990, 10, 0.8)
    >>> for way, bias in result.relative_bias.to_dict().items():
    ...     print(f"{way}: {bias:+.2%}")
    tp_fp: -0.15%
    mean: -6.35%
    mean_skip: +11.98%
    precision_recall: -5.06%
    precision_recall_skip: +13.52%
    >>> print(f"{result.undefined_fold:.0%} of the folds are undefined")
    16% of the folds are undefined
    """
    method = _checks.choice(method, "method", METHODS)
    n_simulations = _checks.count(n_simulations, "n_simulations", minimum=2)
    settings = _understand(n_positive, n_negative, n_folds, f, stratified, recall)
    return _bias(settings, method, n_simulations, _checks.random_source(rng), None)


def forman_scholz_simulation(
    percent_positive: ArrayLike = (1, 2, 3, 4, 5, 10, 25),
    f: ArrayLike = 0.8,
    *,
    stratified: bool = True,
    n_instances: int = 1000,
    n_folds: int = 10,
    method: str = "auto",
    n_simulations: int = 1_000_000,
    rng: Any = None,
    progress: Progress | None = None,
) -> F1FoldBias:
    """Simulate the experiment of Forman and Scholz (section 4.2): bias for each class balance and true F1.

    Parameters
    ----------
    percent_positive : float or sequence of float, default: (1, 2, 3, 4, 5, 10, 25)
        Percentages of positive instances. Each percentage must correspond to an integer number of instances.
    f : float or sequence of float, default: 0.8
        The true F1, with equal precision and recall.
    stratified : bool, default: True
        As in `f1_fold_bias`.
    n_instances : int, default: 1000
        Number of instances, as in the paper.
    n_folds : int, default: 10
        Number of folds, as in the paper.
    method : {'auto', 'exact', 'monte-carlo'}, default: 'auto'
        As in `f1_fold_bias`. The published experiment used ``'monte-carlo'``.
    n_simulations : int, default: 1000000
        Number of cross-validations to simulate in each setting, if the result is not exact.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    progress : callable, optional
        Function that is called as ``progress(done, total, "simulations")`` from time to time. An exact setting counts
        as all of its simulations.

    Returns
    -------
    F1FoldBias
        The result has the shape (n_percentages, n_values_of_f). If an argument is a single number, its axis is omitted.
        After an interrupt (Ctrl-C), the function returns the completed part, which `n_simulations` and `reason`
        describe. The values for settings whose simulation was not started are nan.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `f1_fold_bias`.

    References
    ----------
    Forman & Scholz (2010), section 4 and Figures 4 to 8.

    Examples
    --------
    The bias of the mean of F1 over stratified folds, for 1% to 5% positive instances (Figure 4):

    >>> from evalstats.metrics import forman_scholz_simulation
    >>> exact = forman_scholz_simulation([1, 2, 3, 4, 5])
    >>> (100 * exact.relative_bias.mean).round(2)
    array([-6.35, -1.8 , -0.89, -0.56, -0.4 ])
    >>> simulated = forman_scholz_simulation(1, method="monte-carlo", n_simulations=10_000, rng=1)
    >>> print(f"{100 * simulated.relative_bias.mean:.1f} +- {100 * simulated.standard_error.mean / 0.8:.1f}")
    -6.4 +- 0.2
    """
    method = _checks.choice(method, "method", METHODS)
    n_simulations = _checks.count(n_simulations, "n_simulations", minimum=2)
    n_instances = _checks.count(n_instances, "n_instances", minimum=2)
    n_positive = _cases(percent_positive, n_instances)
    true_f = _checks.numbers(f, "f")
    n_positive = n_positive.reshape(n_positive.shape + (1,) * true_f.ndim)
    settings = _understand(n_positive, n_instances - n_positive, n_folds, true_f, stratified, None)
    return _bias(settings, method, n_simulations, _checks.random_source(rng), _checks.progress(progress))


def _bias(
    settings: _Settings, method: str, n_simulations: int, source: RandomSource, progress: Progress | None
) -> F1FoldBias:
    outcomes = _outcomes(settings.each(), method, n_simulations, source.generator(), progress)
    shape = settings.f.shape
    mean, sd, error = (_array(outcomes, name, (*shape, 5)) for name in ("mean", "sd", "standard_error"))
    undefined = _array(outcomes, "undefined", (*shape, 3))
    f = settings.f[..., None]
    return F1FoldBias(
        mean=_strategies(mean),
        bias=_strategies(mean - f),
        relative_bias=_strategies(mean / f - 1),
        sd=_strategies(sd),
        relative_sd=_strategies(sd / f),
        standard_error=_strategies(error),
        undefined_fold=undefined[..., 0],
        any_undefined_fold=undefined[..., 1],
        no_defined_fold=undefined[..., 2],
        **settings._asdict(),
        **{name: _array(outcomes, name, shape) for name in ("method", "n_simulations", "reason")},
        seed=source.seed_of(_array(outcomes, "n_simulations", shape)),
    )


def _outcomes(
    settings: list[Setting], method: str, n_simulations: int, rng: Generator, progress: Progress | None
) -> list[_Outcome]:
    """Compute the outcomes of the settings. After an interrupt, return the completed settings."""
    done: list[_Outcome] = []
    try:
        for setting in settings:
            exact = method == "exact" or (method == "auto" and cost(setting) <= AFFORDABLE)
            told = _told(progress, len(done), len(settings), n_simulations)
            done.append(_exact(setting) if exact else _simulated(setting, n_simulations, rng, told))
            if exact and told is not None:
                told(n_simulations)
            if done[-1].reason is not None:
                break
    except KeyboardInterrupt:
        if not done:
            raise
    return done + [NOT_BEGUN] * (len(settings) - len(done))


def _exact(setting: Setting) -> _Outcome:
    moments = exact_moments(setting)
    return _Outcome(moments.mean, moments.sd, np.zeros(5), _undefined(moments.n_defined), "exact", 0, None)


def _simulated(
    setting: Setting, n_simulations: int, rng: Generator, progress: Callable[[int], object] | None
) -> _Outcome:
    run = monte_carlo_moments(setting, n_simulations, rng, progress)
    reason = None
    if run.n_simulations < n_simulations:
        reason = f"interrupted after {run.n_simulations:,} of {n_simulations:,} simulations"
    error = run.sd / np.sqrt(np.maximum(run.n_used, 1))
    return _Outcome(run.mean, run.sd, error, _undefined(run.n_defined), "monte-carlo", run.n_simulations, reason)


def _undefined(n_defined: FloatArray) -> FloatArray:
    """Return the probabilities that a given fold, at least one fold, and every fold is undefined."""
    k = len(n_defined) - 1
    return np.array([1 - n_defined @ np.arange(k + 1) / k, 1 - n_defined[k], n_defined[0]])


def _told(progress: Progress | None, number: int, n: int, size: int) -> Callable[[int], object] | None:
    """Convert the progress of one of n equal parts to the total progress."""
    return None if progress is None else lambda done: progress(number * size + done, n * size, "simulations")


def _array(outcomes: list[_Outcome], name: str, shape: tuple[int, ...]) -> AnyArray:
    values = [getattr(outcome, name) for outcome in outcomes]
    return np.array(values, dtype=object if name == "reason" else None).reshape(shape)


def _strategies(values: FloatArray) -> F1Strategies:
    return F1Strategies(**{way.name: values[..., i] for i, way in enumerate(fields(F1Strategies))})


def _understand(n_positive: Any, n_negative: Any, n_folds: Any, f: Any, stratified: Any, recall: Any) -> _Settings:
    _labels.same_labels(
        n_positive=n_positive, n_negative=n_negative, n_folds=n_folds, f=f, stratified=stratified, recall=recall
    )
    counts = [
        _whole(value, name, minimum)
        for value, name, minimum in (
            (n_positive, "n_positive", 1),
            (n_negative, "n_negative", 1),
            (n_folds, "n_folds", 2),
        )
    ]
    true_f = _share(f, "f")
    true_recall = true_f if recall is None else _share(recall, "recall")
    is_stratified = _checks.regular(stratified, "stratified")
    if is_stratified.dtype != bool:
        raise InvalidTypeError(f"stratified must be True or False, not {short(stratified)}")
    try:
        p, m, k, true_f, true_recall, is_stratified = np.broadcast_arrays(*counts, true_f, true_recall, is_stratified)
    except ValueError as error:
        raise InvalidValueError(f"the arguments must broadcast: {error}") from error
    if (many := k > p + m).any():
        raise InvalidValueError(
            f"n_folds must not exceed the number of instances, {(p + m)[many][0]}, but is {k[many][0]}"
        )
    if (low := true_recall < true_f / (2 - true_f) * (1 - 1e-12)).any():
        at = true_f[low][0]
        raise InvalidValueError(
            f"with an F of {at:g}, recall is at least {at / (2 - at):g}, but it is {true_recall[low][0]:g}"
        )
    precision = np.minimum(true_f * true_recall / (2 * true_recall - true_f), 1.0)
    settings = _Settings(p, m, k, true_f, true_recall, precision, is_stratified)
    if (impossible := settings.false_positive_rate > 1 + ROUNDING).any():
        of = f"{p[impossible][0]} positive and {m[impossible][0]} negative instances"
        raise InvalidValueError(
            f"no classifier has an F of {true_f[impossible][0]:g} on {of}: predicting every instance as positive "
            "gives a higher F"
        )
    return settings


def _whole(value: Any, name: str, minimum: int) -> AnyArray:
    return _checks.counts(value, name, minimum=minimum)


def _share(value: Any, name: str) -> FloatArray:
    array = _checks.finite(_checks.numbers(value, name), name)
    if array.size == 0 or array.min() < SMALLEST_SHARE or array.max() > 1:
        raise InvalidValueError(f"{name} must be greater than 0 and at most 1, not {short(value)}")
    return array


def _cases(percent_positive: Any, n_instances: int) -> AnyArray:
    """Convert a percentage to a number of instances."""
    percent = _checks.finite(_checks.numbers(percent_positive, "percent_positive"), "percent_positive")
    if percent.size and (percent.min() <= 0 or percent.max() >= 100):
        raise InvalidValueError(f"percent_positive must lie between 0 and 100, not {short(percent_positive)}")
    cases = percent * n_instances / 100
    if (wrong := np.abs(cases - np.rint(cases)) > 1e-9).any():
        held = f"{percent[wrong][0]:g}% of {n_instances} are {cases[wrong][0]:g}"
        raise InvalidValueError(f"percent_positive must correspond to whole numbers of instances, but {held}")
    return np.rint(cases).astype(np.int64)
