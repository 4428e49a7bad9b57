"""Power of a test for a given size of the difference, and the sample size for a given power."""

from __future__ import annotations

__all__ = ["PowerResult", "required_sample_size", "statistical_power"]

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._result import ConfidenceInterval, Record
from evalstats._types import FloatArray, Progress
from evalstats.design import simulation, standard_errors
from evalstats.design.discordant import Discordant, WinsTest
from evalstats.distributions.noncentral_t import t_power

# arguments on the difference for each test; other arguments raise an error
EFFECTS = {
    "sign": ("win_probability", "tie_rate"),
    "wilcoxon": ("effect", "win_probability", "walsh_probability"),
    "permutation": ("effect",),
    "paired-t": ("effect",),
    "corrected-t": ("effect", "n_train", "n_test"),
    "mcnemar": ("difference", "discordance", "accuracy", "correlation"),
    "friedman": ("means",),
    "nemenyi": ("means",),
    **{name: (test.difference, *test.own) for name, test in standard_errors.TESTS.items()},
}
# every argument on the difference
ARGUMENTS = tuple(dict.fromkeys(name for names in EFFECTS.values() for name in names))
METHODS = {
    "sign": ("exact", "asymptotic"),
    "mcnemar": ("exact", "midp", "asymptotic"),
    "friedman": ("auto", "exact", "chi2", "f", "monte-carlo"),
    "clustered-t": ("t", "asymptotic"),
}
SMALLEST_N = {"paired-t": 2, "corrected-t": 2, "clustered-t": 2, "auc": 2}
# end of a search: larger samples are rare, and the search would take minutes
MOST = {"sign": 100_000, "mcnemar": 1_000_000, "paired-t": 10_000_000, "corrected-t": 1_000_000}
MOST_SIMULATED, MOST_FLIPPED = 2000, 500
# end of a search with a closed form
MOST_CLOSED = 100_000_000
# factor for the largest sample size of a single power
LARGEST = 10
# the exact distribution of the signed ranks has n (n + 1) / 2 + 1 values, and n steps
MOST_SIGNED_RANKS = 500


@dataclass(frozen=True, kw_only=True, eq=False)
class PowerResult(Record):
    """Result of `statistical_power` and `required_sample_size`.

    Attributes
    ----------
    test : str
        The value passed to the function.
    n : int or None
        Number of datasets, folds, rows, questions or battles. None, with a `reason`, if no number up to about a million
        (up to 2000 if the power is simulated) is sufficient.
    power : float
        Probability that the test rejects at `alpha`. If `n` is None, `power` applies to the largest number that was
        tried.
    standard_error : float
        Standard error of a simulated power. It is 0 if the power is exact.
    method : str
        Method of the computation: ``'exact'``, ``'noncentral t'``, ``'normal'`` or ``'simulation'``.
    null_distribution : str
        Null distribution of the p-values, as in ``method`` of the test.
    alpha : float
        Significance level.
    alternative : str
        ``'two-sided'``, ``'less'`` or ``'greater'``.
    n_simulations : int
        Number of simulated experiments. It is 0 if the power is exact.
    seed : int or None
        Seed of the simulated experiments, or None if nothing is simulated or `rng` was a Generator.
    pair_power : ndarray of shape (k, k) or None
        For Nemenyi's test: for each pair, the probability that the two classifiers are significantly different. It is 0
        on the diagonal. `power` is then the probability that at least one pair is significantly different.
    reason : str or None
        A sentence if no sample size was found, or None.
    """

    test: str
    n: int | None
    power: float
    standard_error: float
    method: str
    null_distribution: str
    alpha: float
    alternative: str
    n_simulations: int
    seed: int | None
    pair_power: FloatArray | None
    reason: str | None

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the true power from the simulated power.

        The method is Clopper and Pearson's interval. If the power is exact, both limits equal the power.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Minimum probability that the interval contains the true power.

        Returns
        -------
        ConfidenceInterval
            The limits ``low`` and ``high``, which are probabilities.

        Examples
        --------
        >>> from evalstats import statistical_power
        >>> low, high = statistical_power("wilcoxon", n=10, effect=1, n_simulations=1000).confidence_interval()
        >>> 0.7 < low < high < 0.9
        True
        """
        from evalstats.metrics.proportions import proportion_interval

        level = _checks.confidence_level(confidence_level)
        if self.n_simulations:
            count = round(self.power * self.n_simulations)
            return proportion_interval(count, self.n_simulations, method="clopper-pearson", confidence_level=level)
        return ConfidenceInterval(low=self.power, high=self.power, confidence_level=level, attained_level=1.0)


def statistical_power(
    test: str,
    *,
    n: int,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    effect: float | None = None,
    win_probability: float | None = None,
    tie_rate: float | None = None,
    difference: float | None = None,
    discordance: float | None = None,
    accuracy: float | None = None,
    correlation: float | None = None,
    means: ArrayLike | None = None,
    n_train: int | None = None,
    n_test: int | None = None,
    walsh_probability: float | None = None,
    sd: float | None = None,
    sd_within: float | None = None,
    n_samples: int | None = None,
    cluster_size: float | None = None,
    intraclass_correlation: float | None = None,
    auc: float | None = None,
    prevalence: float | None = None,
    n_classifiers: int | None = None,
    method: str | None = None,
    correction: bool = True,
    n_simulations: int = 10_000,
    rng: Any = None,
    progress: Progress | None = None,
) -> PowerResult:
    """Compute the power of a test.

    Parameters
    ----------
    test : {'sign', 'wilcoxon', 'permutation', 'paired-t', 'corrected-t', 'mcnemar', 'friedman', 'nemenyi', 'auc', \
'clustered-t', 'battles'}
        The planned test. The measure of the difference depends on the test (see Notes).
    n : int
        Number of datasets. For ``'corrected-t'``: number of fold scores (folds times repeats). For ``'mcnemar'`` and
        ``'auc'``: number of instances. For ``'clustered-t'``: number of questions. For ``'battles'``: number of battles
        of each pair of models.
    alpha : float, default: 0.05
        Significance level: the test rejects if p <= alpha.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x is larger. Friedman's and Nemenyi's tests do not have one-sided alternatives.
    effect : float, optional
        Mean of the differences x - y divided by their standard deviation. For ``'battles'``: the difference between the
        strengths of two models, that is, the log-odds of a win.
    win_probability : float, optional
        Probability that x is better, given that there is no tie.
    tie_rate : float, optional
        Probability of a tie. Default: 0. The sign test drops ties. In a battle, a tie counts as half a win.
    difference : float, optional
        Accuracy, AUC or mean score of x minus the corresponding value of y.
    discordance : float, optional
        Proportion of the rows that exactly one classifier predicts correctly.
    accuracy, correlation : float, optional
        Alternative to `discordance`: the accuracy of y, and the correlation of correctness. The default correlation is
        0 (independent errors). The correlation is usually positive for classifiers trained on the same data, which
        increases the power.
    means : array_like of shape (k,), optional
        Mean score of each classifier, in units of the residual standard deviation of the scores (see Notes).
    n_train, n_test : int, optional
        Numbers of instances in the training set and in the test set of a fold. Only the ratio of the two numbers
        matters.
    walsh_probability : float, optional
        For ``'wilcoxon'``: probability that the sum of two differences is positive.
    sd : float, optional
        For ``'clustered-t'``: standard deviation of the differences for individual questions. For ``'auc'``: standard
        error of the difference in a pilot study, times the square root of the number of instances in the pilot study.
    sd_within : float, optional
        For ``'clustered-t'`` with sampled answers: standard deviation of the difference between one answer of each
        model to the same question. `sd` is then the standard deviation of the expected differences of the questions.
    n_samples : int, optional
        For `sd_within`: number of sampled answers from each model to a question. Default: 1.
    cluster_size, intraclass_correlation : float, optional
        Number of questions or battles in each cluster, and the correlation between two questions or battles in a
        cluster. Default: 1 and 0.
    auc, prevalence : float, optional
        For ``'auc'``, as an alternative to `sd`: the AUC of y, and the proportion of positive instances (default: 0.5).
        The scores of each class are assumed to be normal with equal variances. `correlation` is the correlation between
        the scores of x and y within a class (default: 0.5).
    n_classifiers : int, optional
        For ``'battles'``: number of models. Default: 2. All pairs of models have the same number of battles.
    method : str, optional
        Null distribution of the p-values. For McNemar's test: ``'exact'`` (default), ``'midp'`` or ``'asymptotic'``.
        For the sign test: ``'exact'`` or ``'asymptotic'``. For ``'clustered-t'``: ``'t'`` or ``'asymptotic'``. For
        Friedman's test: ``'auto'`` (default) or a different method of `friedman_test`.
    correction : bool, default: True
        Continuity correction of ``'asymptotic'`` for McNemar's test.
    n_simulations : int, default: 10000
        Number of simulated experiments, if the power is simulated. With 10,000 experiments, the standard error is 0.005
        or less.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    progress : callable, optional
        Function that is called as ``progress(done, total, "experiments")`` repeatedly while experiments are simulated.

    Returns
    -------
    PowerResult
        The power, and its standard error if the power is simulated.

    Raises
    ------
    ValueError, TypeError
        If a number is out of range. If a required argument is missing, or if you pass an argument that the test does
        not use. If no pair of classifiers can have the given accuracies and the given discordance or correlation.

    Notes
    -----
    ``'sign'`` (`win_probability`, `tie_rate`) and ``'mcnemar'`` (`difference` with `discordance`, or with `accuracy`
    and `correlation`): the power is exact. It is the mean of the conditional power over the binomial distribution of
    the number of datasets without a tie or of discordant rows.

    ``'paired-t'`` (`effect`): the differences are normal, and t has a noncentral t distribution with n - 1 degrees of
    freedom. The power includes rejections in both directions.

    ``'corrected-t'`` (`effect`, `n_train`, `n_test`): the differences of the folds are normal. Any two differences have
    the correlation n_test / (n_train + n_test), which the correction assumes. The unit of `effect` is the standard
    deviation of the differences within one cross-validation, which can be observed. The statistic then has exactly a
    noncentral t distribution with the noncentrality effect / sqrt(1/n + n_test/n_train). With more folds of the same
    data, the noncentrality remains below effect sqrt(n_train/n_test).

    ``'wilcoxon'``: with `effect`, the differences are normal and the power is simulated. With `win_probability`, each
    difference is positive with this probability, independently of its size. The power is then exact and is computed for
    up to 500 datasets.

    ``'friedman'`` and ``'nemenyi'`` (`means`): the scores are normal with variance 1. Their expected value is the sum
    of an effect of the dataset and an effect of the classifier. The power is simulated.

    ``'permutation'`` (`effect`): the differences are normal and the power is simulated. For 13 or more differences, the
    test uses 1999 random sign assignments.

    ``'clustered-t'`` (`difference`, `sd`, `sd_within`, `n_samples`, `cluster_size`, `intraclass_correlation`): the mean
    over n questions has the variance (sd^2 (1 + (cluster_size - 1) rho) + sd_within^2 / n_samples) / n. The degrees of
    freedom are the number of clusters minus one. `question_variance` estimates sd^2 and sd_within^2 from a pilot study.

    ``'auc'`` (`difference` with `sd`, or with `auc`, `correlation` and `prevalence`): the normal approximation of
    DeLong's test. The variance of the difference between two U statistics is computed under the binormal model.

    ``'battles'`` (`effect`, `n_classifiers`, `tie_rate`, `cluster_size`, `intraclass_correlation`): the normal
    approximation of the Bradley-Terry model, with n battles of each pair. The strengths of all other models lie halfway
    between the strengths of the two models. For k models of nearly equal strength, the difference has the variance 8 /
    (n k). Ties multiply this variance by 1 - tie_rate.

    ``'wilcoxon'`` with `walsh_probability`, and ``'sign'`` with `method` ``'asymptotic'``: Noether's approximation.

    References
    ----------
    Cohen, J. (1988). Statistical Power Analysis for the Behavioral Sciences, 2nd ed., chapter 2.

    Duffy, S. W. (1984). Asymptotic and exact power for the McNemar test and its analogue with R controls per case.
    Biometrics 40, 1005-1015.

    Miller, E. (2024). Adding error bars to evals: a statistical approach to language model evaluations.
    arXiv:2411.00640.

    Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.

    Noether, G. E. (1987). Sample size determination for some common nonparametric tests. Journal of the American
    Statistical Association 82, 645-647.

    Examples
    --------
    Ten datasets, and a classifier that wins with probability 0.8:

    >>> from evalstats import statistical_power
    >>> round(statistical_power("sign", n=10, win_probability=0.8).power, 3)
    0.376

    A test set of 2000 rows, accuracies of 0.90 and 0.91, and independent errors:

    >>> round(statistical_power("mcnemar", n=2000, accuracy=0.90, difference=0.01).power, 3)
    0.176
    """
    problem = _understand(dict(locals()))
    n = _checks.count(n, "n", minimum=SMALLEST_N.get(test, 1))
    if n > LARGEST * problem.most:
        raise InvalidValueError(f"n must be at most {LARGEST * problem.most} for the test {test!r}, not {n}")
    return problem.result(n, problem.model(n), None)


def required_sample_size(
    test: str,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    effect: float | None = None,
    win_probability: float | None = None,
    tie_rate: float | None = None,
    difference: float | None = None,
    discordance: float | None = None,
    accuracy: float | None = None,
    correlation: float | None = None,
    means: ArrayLike | None = None,
    n_train: int | None = None,
    n_test: int | None = None,
    walsh_probability: float | None = None,
    sd: float | None = None,
    sd_within: float | None = None,
    n_samples: int | None = None,
    cluster_size: float | None = None,
    intraclass_correlation: float | None = None,
    auc: float | None = None,
    prevalence: float | None = None,
    n_classifiers: int | None = None,
    method: str | None = None,
    correction: bool = True,
    n_simulations: int = 10_000,
    rng: Any = None,
    progress: Progress | None = None,
) -> PowerResult:
    """Compute the sample size for a given power.

    Parameters
    ----------
    test : str
        The planned test, as in `statistical_power`.
    power : float, default: 0.8
        Target power: the probability that the test rejects. For ``'nemenyi'``, it is the probability that at least one
        pair is significantly different.
    alpha, alternative, effect, win_probability, tie_rate, difference, discordance, accuracy, correlation, means
        As in `statistical_power`.
    n_train, n_test, walsh_probability, sd, sd_within, n_samples, cluster_size, intraclass_correlation
        As in `statistical_power`.
    auc, prevalence, n_classifiers, method, correction, n_simulations
        As in `statistical_power`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    progress : callable, optional
        As in `statistical_power`.

    Returns
    -------
    PowerResult
        `n` and the power for `n`. If no sample size is sufficient, `n` is None and `reason` states the cause.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `statistical_power`.

    Notes
    -----
    The power of an exact test of counts is not monotone in n. The result `n` is the smallest sample size whose power
    reaches the target. The power of slightly larger sample sizes may be slightly below the target. A simulated power
    has a random error. The sample size then also has a random error of about 2 (standard error of the power) n / power.

    Examples
    --------
    >>> from evalstats import required_sample_size
    >>> required_sample_size("paired-t", effect=0.5).n
    34
    >>> required_sample_size("sign", win_probability=0.8).n
    20
    >>> required_sample_size("mcnemar", accuracy=0.90, difference=0.01).n
    13690
    """
    problem = _understand(dict(locals()))
    target = _checks.proportion(power, "power")
    n, found = _search(problem, target)
    if found.power < target:
        reason = (
            f"the power is {found.power:.3g} with n = {n} and does not reach {target:g} with any smaller sample size"
        )
        return problem.result(None, found, reason)
    return problem.result(n, found, None)


class _Power(NamedTuple):
    """Power at one sample size, with the standard error and the methods."""

    power: float
    null_distribution: str
    standard_error: float = 0.0
    method: str = "exact"
    n_simulations: int = 0
    pair_power: FloatArray | None = None


class _Design(NamedTuple):
    """Arguments other than the sample size; all are validated except the difference."""

    test: str
    values: dict[str, Any]
    alpha: float
    alternative: str
    null: str
    correction: bool
    draw: simulation.Simulation


class _PowerProblem(NamedTuple):
    """Arguments other than the sample size."""

    test: str
    alpha: float
    alternative: str
    most: int
    model: Callable[[int], _Power]
    """The power as a function of the sample size."""
    refine: Callable[[int, float], int] | None
    """Function that reduces a sufficient sample size to the smallest one, or None if the power only increases."""
    seed: int | None = None

    def result(self, n: int | None, found: _Power, reason: str | None) -> PowerResult:
        return PowerResult(
            test=self.test,
            n=n,
            alpha=self.alpha,
            alternative=self.alternative,
            reason=reason,
            seed=self.seed if found.n_simulations else None,
            **found._asdict(),
        )


# the end of the search, the power, and the search for a smaller size, as in `_PowerProblem`
_Model = tuple[int, Callable[[int], _Power], Callable[[int, float], int] | None]


def _search(problem: _PowerProblem, target: float) -> tuple[int, _Power]:
    """Return the smallest sample size with the target power, or the largest size that was tried."""
    low = SMALLEST_N.get(problem.test, 1) - 1
    high, found = low + 1, problem.model(low + 1)
    while found.power < target:
        if high == problem.most:
            return high, found
        low, high = high, min(2 * high, problem.most)
        found = problem.model(high)
    while high - low > 1:
        middle = (low + high) // 2
        at_middle = problem.model(middle)
        if at_middle.power >= target:
            high, found = middle, at_middle
        else:
            low = middle
    if problem.refine is not None and (first := problem.refine(high, target)) < high:
        return first, problem.model(first)
    return high, found


def _understand(given: Mapping[str, Any]) -> _PowerProblem:
    """Validate all arguments except the sample size; raise an error for arguments of other tests."""
    test = _checks.choice(given["test"], "test", tuple(EFFECTS))
    values = {name: given[name] for name in ARGUMENTS if given[name] is not None}
    if others := [name for name in values if name not in EFFECTS[test]]:
        raise InvalidValueError(
            f"{others[0]} is not used by the test {test!r}, which takes {' and '.join(EFFECTS[test])}"
        )
    alpha = _checks.proportion(given["alpha"], "alpha")
    sides = ("two-sided",) if "means" in EFFECTS[test] else _checks.ALTERNATIVES
    alternative = _checks.choice(given["alternative"], "alternative", sides)
    correction = _checks.boolean(given["correction"], "correction")
    method = given["method"]
    if method is not None:
        if test not in METHODS:
            raise InvalidValueError(f"method is not used by the test {test!r}, but by {' and '.join(METHODS)}")
        _checks.choice(method, "method", METHODS[test])
    null = method or METHODS.get(test, ("exact",))[0]  # the first is the default
    draw, seed = simulation.Simulation.understood(given)

    design = _Design(test, values, alpha, alternative, null, correction, draw)
    most, model, refine = MODELS.get(test, _planned_model)(design)
    return _PowerProblem(test, alpha, alternative, most, model, refine, seed)


def _given(values: dict[str, Any], name: str, test: str, *, number: bool = True) -> Any:
    if name not in values:
        raise InvalidValueError(f"the test {test!r} needs {name}, the size of the difference")
    return _finite(values[name], name) if number else values[name]


def _finite(value: Any, name: str) -> float:
    array = _checks.numbers(value, name)
    if array.ndim:
        raise InvalidValueError(f"{name} must be one number, but its shape is {array.shape}")
    return float(_checks.finite(array, name))


def _share(value: Any, name: str) -> float:
    """Return a probability, which may be 0 or 1, or raise an error for other values."""
    number = _finite(value, name)
    if not 0 <= number <= 1:
        raise InvalidValueError(f"{name} must lie between 0 and 1, not {short(value)}")
    return number


def _sign_model(design: _Design) -> _Model:
    """Return the power of the sign test as a function of n, by Noether's approximation if requested."""
    win_probability = _share(_given(design.values, "win_probability", "sign"), "win_probability")
    untied = 1 - _share(design.values.get("tie_rate", 0.0), "tie_rate")
    if design.null == "asymptotic":
        return _noether_model(design, win_probability, untied)
    return _about_wins(design, Discordant(untied, win_probability))


def mcnemar_cases(
    *,
    difference: float | None = None,
    discordance: float | None = None,
    accuracy: float | None = None,
    correlation: float | None = None,
) -> Discordant:
    """Return the probability of a discordant row and the proportion of these with x correct, or raise an error."""
    if difference is None or (discordance is None) == (accuracy is None):
        raise InvalidValueError("the test 'mcnemar' requires difference, and either discordance or accuracy")
    delta = _finite(difference, "difference")
    if discordance is not None:
        if correlation is not None:
            raise InvalidValueError("correlation requires accuracy, not discordance")
        share = _share(discordance, "discordance")
        if abs(delta) > share:
            raise InvalidValueError(f"difference must not exceed the discordance of {share:g}, but it is {delta:g}")
    else:
        correlation = 0.0 if correlation is None else _finite(correlation, "correlation")
        share = _discordance(_share(accuracy, "accuracy"), delta, correlation)
    return Discordant(share, (1 + delta / share) / 2 if share > 0 else 0.5)


def _discordance(accuracy: float, difference: float, correlation: float) -> float:
    """Return the probability that exactly one of two classifiers is correct for a correlation of correctness."""
    other = accuracy + difference
    if not 0 <= other <= 1:
        raise InvalidValueError(f"accuracy + difference must lie between 0 and 1, but it is {other:g}")
    if not -1 <= correlation <= 1:
        raise InvalidValueError(f"correlation must lie between -1 and 1, not {correlation:g}")
    scale = math.sqrt(accuracy * (1 - accuracy) * other * (1 - other))
    both = accuracy * other + correlation * scale
    slack = 1e-12  # the bounds can be attained, up to rounding
    low, high = max(0.0, accuracy + other - 1), min(accuracy, other)
    if not low - slack <= both <= high + slack:
        least, most = ((bound - accuracy * other) / scale for bound in (low, high))
        raise InvalidValueError(
            f"classifiers with the accuracies {accuracy:g} and {other:g} have a correlation between {least:.3g} and "
            f"{most:.3g}, not {correlation:g}"
        )
    return accuracy + other - 2 * min(max(both, low), high)


def _about_wins(design: _Design, cases: Discordant) -> _Model:
    alternative = design.alternative
    if alternative == "less":  # y wins if x loses
        cases, alternative = Discordant(cases.proportion, 1 - cases.win_probability), "greater"
    test = WinsTest(design.alpha, alternative, design.null, design.correction)
    return (
        MOST[design.test],
        lambda n: _Power(cases.power(n, test), design.null),
        lambda enough, target: cases.first_that_suffices(enough, target, test),
    )


def _noether_model(design: _Design, probability: float, untied: float = 1.0) -> _Model:
    def model(n: int) -> _Power:
        power = standard_errors.noether_power(design.test, probability, n * untied, design.alpha, design.alternative)
        return _Power(power, "asymptotic", method="normal")

    return MOST_CLOSED, model, None


def _planned_model(design: _Design) -> _Model:
    planned = standard_errors.TESTS[design.test].understand(design.test, design.values)
    is_normal = planned.df is None or design.null == "asymptotic"
    null, method = ("asymptotic", "normal") if is_normal else ("t", "noncentral t")
    return (
        MOST_CLOSED,
        lambda n: _Power(planned.power(n, design.alpha, design.alternative, null), null, method=method),
        None,
    )


def _t_scale(test: str, values: dict[str, Any]) -> Callable[[int], float]:
    """Return the variance of the mean difference as a function of n, in units of the variance of one difference."""
    if test == "paired-t":
        return lambda n: 1 / n
    if "n_train" not in values or "n_test" not in values:
        raise InvalidValueError("the test 'corrected-t' requires n_train and n_test")
    ratio = _checks.count(values["n_test"], "n_test") / _checks.count(values["n_train"], "n_train")
    return lambda n: 1 / n + ratio


def _t_model(design: _Design) -> _Model:
    effect, scale = _given(design.values, "effect", design.test), _t_scale(design.test, design.values)

    def model(n: int) -> _Power:
        power = t_power(effect / math.sqrt(scale(n)), n - 1, design.alpha, design.alternative)
        return _Power(power, "t", method="noncentral t")

    return MOST[design.test], model, None


def _permutation_model(design: _Design) -> _Model:
    effect, draw = _given(design.values, "effect", "permutation"), design.draw

    def model(n: int) -> _Power:
        count = simulation.permutation_rejections(n, effect, design.alpha, design.alternative, draw)
        return _of_count(count, "exact" if n <= simulation.FLIPPED_EXACTLY else "monte-carlo", draw)

    return MOST_FLIPPED, model, None


def _wilcoxon_model(design: _Design) -> _Model:
    values, alpha, alternative, draw = design.values, design.alpha, design.alternative, design.draw
    if len(values) != 1:
        raise InvalidValueError("the test 'wilcoxon' requires one of effect, win_probability and walsh_probability")
    ((name, value),) = values.items()
    if name == "effect":
        effect = _finite(value, name)

        def simulated(n: int) -> _Power:
            return _of_count(simulation.wilcoxon_rejections(n, effect, alpha, alternative, draw), "exact", draw)

        return MOST_SIMULATED, simulated, None
    probability = _share(value, name)
    if name == "walsh_probability":
        return _noether_model(design, probability)

    def exact(n: int) -> _Power:
        if n > MOST_SIGNED_RANKS:
            raise InvalidValueError(
                f"with win_probability, n must be at most {MOST_SIGNED_RANKS}, not {n}; for a larger n, pass effect"
            )
        return _Power(simulation.signed_rank_power(n, probability, alpha, alternative), "exact")

    return MOST_SIGNED_RANKS, exact, None


def _means(design: _Design) -> FloatArray:
    value = _given(design.values, "means", design.test, number=False)
    means = _checks.finite(_checks.numbers(value, "means"), "means")
    if means.ndim != 1 or len(means) < 2:
        raise InvalidValueError(f"means must hold one mean for each of 2 or more classifiers, not {short(value)}")
    return means


def _friedman_model(design: _Design) -> _Model:
    means = _means(design)

    def model(n: int) -> _Power:
        count, null = simulation.friedman_rejections(n, means, design.alpha, design.null, design.draw)
        return _of_count(count, null, design.draw)

    return MOST_SIMULATED, model, None


def _nemenyi_model(design: _Design) -> _Model:
    means, draw = _means(design), design.draw

    def model(n: int) -> _Power:
        n_any, n_pairs = simulation.nemenyi_rejections(n, means, design.alpha, draw)
        return _of_count(n_any, "studentized range", draw)._replace(pair_power=n_pairs / draw.n_simulations)

    return MOST_SIMULATED, model, None


def _of_count(count: int, null: str, draw: simulation.Simulation) -> _Power:
    m = draw.n_simulations
    return _Power(count / m, null, simulation.standard_error(count, m), "simulation", m)


MODELS: dict[str, Callable[[_Design], _Model]] = {
    "sign": _sign_model,
    "mcnemar": lambda design: _about_wins(design, mcnemar_cases(**design.values)),
    "wilcoxon": _wilcoxon_model,
    "permutation": _permutation_model,
    "paired-t": _t_model,
    "corrected-t": _t_model,
    "friedman": _friedman_model,
    "nemenyi": _nemenyi_model,
}
