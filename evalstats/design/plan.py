"""Plan of an experiment: attainable p-values, power and sample size."""

from __future__ import annotations

__all__ = ["DesignPlan", "PlannedEffect", "plan_design"]

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._result import MOST_PAIRS, Record
from evalstats._types import Progress
from evalstats.adjustment.pair_indexing import USUAL_ADJUSTMENT, USUAL_TEST
from evalstats.adjustment.pvalues import adjust_pvalues
from evalstats.design import standard_errors
from evalstats.design.attainable import AttainablePValue, minimum_attainable_pvalue, minimum_sample_size
from evalstats.design.detectable import DetectableDifference, minimum_detectable_difference
from evalstats.design.power_analysis import PowerResult, mcnemar_cases, required_sample_size
from evalstats.design.power_analysis import statistical_power as power_of
from evalstats.multiple.critical_differences import critical_difference

# default sizes of a difference: small, medium and large after Cohen (1988) for datasets; folds of one dataset vary less
USUAL = {
    "sign": (0.6, 0.7, 0.8, 0.9),
    "wilcoxon": (0.2, 0.5, 0.8),
    "paired-t": (0.2, 0.5, 0.8),
    "corrected-t": (0.5, 1.0, 1.5),
    "friedman": (0.5, 1.0, 1.5),
    "nemenyi": (0.5, 1.0, 1.5),
    "permutation": (0.2, 0.5, 0.8),
    # differences in points
    "clustered-t": (0.01, 0.02, 0.05, 0.1),
    "auc": (0.01, 0.02, 0.05, 0.1),
    # log-odds: wins of 52, 55, 60 and 67 %
    "battles": (0.1, 0.2, 0.4, 0.7),
}
USUAL_CORRELATIONS = (0.0, 0.25, 0.5, 0.75)
USUAL_DISCORDANCES = (0.02, 0.05, 0.1, 0.2)
SEVERAL = ("friedman", "nemenyi", "bonferroni-dunn")
# arguments of each test; the power of tests without arguments is not computed
OWN = {
    "sign": ("effects", "tie_rate"),
    "wilcoxon": ("effects",),
    "permutation": ("effects",),
    "paired-t": ("effects",),
    "corrected-t": ("effects", "n_train", "n_test"),
    "mcnemar": ("accuracy", "difference", "discordance", "correlation"),
    "friedman": ("effects",),
    "nemenyi": ("effects",),
    "bonferroni-dunn": (),
    **{
        name: ("effects" if test.difference == "effect" else "difference", *test.own)
        for name, test in standard_errors.TESTS.items()
    },
}
KNOWN = tuple(dict.fromkeys(name for names in OWN.values() for name in names))
# upper limit of the search for the minimum detectable difference, in its own unit
LARGEST_DIFFERENCE = 1e3


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannedEffect(Record):
    """A size of the difference, with the power and the required sample size.

    Attributes
    ----------
    size : dict of str to float
        The difference, as arguments of `statistical_power`. For tests of several classifiers: ``{"lead": ...}``, the
        lead of one classifier over all others.
    power : PowerResult or None
        Power of the given design, or None if `n` or the difference is not given.
    required : PowerResult or None
        Required sample size, or None if the difference is not given.
    discordance : float or None
        For McNemar's test: proportion of the rows that exactly one classifier predicts correctly, at the difference in
        `size`.
    detectable : DetectableDifference or None
        For McNemar's test: the minimum detectable difference.
    """

    size: Mapping[str, float]
    power: PowerResult | None
    required: PowerResult | None
    discordance: float | None
    detectable: DetectableDifference | None


@dataclass(frozen=True, kw_only=True, eq=False)
class DesignPlan(Record):
    """Result of `plan_design`. `evalstats.report` renders it.

    Attributes
    ----------
    test : str
        The value passed to the function.
    n : int or None
        Number of datasets, fold scores, rows, questions or battles, or None if only the required number is computed.
    n_classifiers : int or None
        The value passed to the function.
    alpha, alpha_alone : float
        Significance level, and the largest p-value that is significant if all other comparisons have p = 1. If p-values
        are adjusted, `alpha_alone` is smaller than `alpha`. The power refers to `alpha_alone`.
    target_power : float
        Target power.
    alternative, adjust : str
    n_comparisons : int
        Number of comparisons that are adjusted together.
    smallest : AttainablePValue or None
        The smallest p-value of the design. It is None if n is not given, and for McNemar's test, whose smallest p-value
        depends on the number of discordant rows.
    fewest : AttainablePValue
        Smallest number of datasets, or of discordant rows, with which a p-value of at most alpha is attainable.
    critical_difference : float or None
        Critical difference between mean ranks, for ``'nemenyi'`` and ``'bonferroni-dunn'``.
    known : dict of str to float
        Properties of the scores for ``'clustered-t'``, ``'auc'`` and ``'battles'``, as passed to the function.
    detectable : float or None
        Smallest difference that the design detects with the target power, for ``'clustered-t'``, ``'auc'`` and
        ``'battles'``. It is None if n is not given, or if the design detects no difference.
    cases : tuple of PlannedEffect
    """

    test: str
    n: int | None
    n_classifiers: int | None
    alpha: float
    alpha_alone: float
    target_power: float
    alternative: str
    adjust: str
    n_comparisons: int
    smallest: AttainablePValue | None
    fewest: AttainablePValue
    critical_difference: float | None
    known: Mapping[str, float]
    detectable: float | None
    cases: tuple[PlannedEffect, ...]

    def __str__(self) -> str:
        return f"{super().__str__()}{lines_of_cases(self.cases)}"

    def _rows(self) -> Sequence[Record]:
        return self.cases


def lines_of_cases(cases: Sequence[Any]) -> str:
    """Format a line for each case of a plan: the size of the effect, the power and the required sample size."""
    lines = []
    for case in cases[:MOST_PAIRS]:
        sizes = case.size if isinstance(case.size, Mapping) else {"size": case.size}
        told = [f"{name} = {value:g}" for name, value in sizes.items()]
        if case.power is not None:
            told.append(f"power = {case.power.power:.4g}")
        if case.required is not None:
            told.append(f"required n = {case.required.n}")
        lines.append(f"\n{', '.join(told)}")
    left = len(cases) - MOST_PAIRS
    return "".join(lines) + (f"\n... {left} more" if left > 0 else "")


def plan_design(
    test: str = USUAL_TEST,
    *,
    n: int | None = None,
    n_classifiers: int | None = None,
    effects: Sequence[float] | None = None,
    accuracy: float | None = None,
    difference: float | None = None,
    discordance: float | None = None,
    correlation: float | None = None,
    tie_rate: float | None = None,
    n_train: int | None = None,
    n_test: int | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    alternative: str = "two-sided",
    adjust: str | None = None,
    n_comparisons: int | None = None,
    method: str | None = None,
    n_simulations: int = 10_000,
    rng: Any = None,
    progress: Progress | None = None,
    **known: float | None,
) -> DesignPlan:
    """Compute the attainable p-values, the power and the sample size of a planned experiment.

    Parameters
    ----------
    test : str, default: 'wilcoxon'
        ``'sign'``, ``'wilcoxon'``, ``'permutation'``, ``'paired-t'``, ``'corrected-t'``, ``'mcnemar'``, ``'friedman'``,
        ``'nemenyi'``, ``'bonferroni-dunn'``, ``'clustered-t'``, ``'auc'`` or ``'battles'``. The default is the test
        that `compare` uses for several datasets.
    n : int, optional
        Number of datasets. For ``'corrected-t'``: number of fold scores. For ``'mcnemar'`` and ``'auc'``: number of
        instances. For ``'clustered-t'``: number of questions. For ``'battles'``: number of battles of each pair of
        models. Without `n`, the function computes only the required number.
    n_classifiers : int, optional
        Number of classifiers. For a test of two classifiers, all pairs of the k classifiers are compared, with Holm's
        adjustment. For ``'battles'``, the adjustment is ``'max-t'`` (the maximum of all z statistics) or ``'none'``.
    effects : sequence of float, optional
        Sizes of the difference: `effect` for the t-tests and the Wilcoxon test, and `win_probability` for the sign
        test. For tests of several classifiers, the lead of one classifier over all others in standard deviations.
        Default: several usual sizes.
    accuracy, difference, discordance, correlation
        Arguments of McNemar's test, as in `statistical_power`. The plan shows results for several usual values of
        omitted arguments. ``'clustered-t'`` and ``'auc'`` also use `difference`, and ``'auc'`` uses `correlation`.
    tie_rate, n_train, n_test, alpha, alternative, method, n_simulations
        As in `statistical_power`.
    power : float, default: 0.8
        Target power.
    adjust, n_comparisons : optional
        As in `minimum_attainable_pvalue`. By default, `n_classifiers` determines both.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    progress : callable, optional
        As in `statistical_power`.
    **known : float, optional
        Properties of the scores for ``'clustered-t'``, ``'auc'`` and ``'battles'``, as in `statistical_power`: `sd`,
        `sd_within`, `n_samples`, `cluster_size`, `intraclass_correlation`, `auc`, `prevalence`.

    Returns
    -------
    DesignPlan

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as the functions in the section See Also.

    See Also
    --------
    minimum_attainable_pvalue, minimum_sample_size, statistical_power, required_sample_size,
    minimum_detectable_difference : the individual computations.

    References
    ----------
    Cohen, J. (1988). Statistical Power Analysis for the Behavioral Sciences, 2nd ed.

    Examples
    --------
    >>> from evalstats import plan_design
    >>> plan = plan_design("sign", n=10, effects=[0.8])
    >>> round(plan.smallest.pvalue, 5), plan.fewest.n, round(plan.cases[0].power.power, 3), plan.cases[0].required.n
    (0.00195, 6, 0.376, 20)
    """
    test = _checks.choice(test, "test", tuple(OWN))
    sizes = None if effects is None else _sizes(effects)
    difference = None if difference is None else _checks.finite_real(difference, "difference")
    given: dict[str, Any] = {
        "effects": effects, "tie_rate": tie_rate, "n_train": n_train, "n_test": n_test,
        "accuracy": accuracy, "difference": difference, "discordance": discordance, "correlation": correlation,
        **known,
    }  # fmt: skip
    _refuse_others(test, given)
    alpha = _checks.proportion(alpha, "alpha")
    target = _checks.proportion(power, "power")
    k = None if n_classifiers is None else _checks.count(n_classifiers, "n_classifiers", minimum=2)
    if test in SEVERAL and k is None:
        raise InvalidValueError(f"the test {test!r} requires n_classifiers, the number of classifiers")
    has_range = test == "battles" and k is not None and k > 2 and adjust in (None, "max-t") and n_comparisons is None
    adjust, n_comparisons = ("max-t", math.comb(k or 2, 2)) if has_range else _family(test, k, adjust, n_comparisons)
    of_p: dict[str, Any] = {
        "n_classifiers": k if test in SEVERAL else None, "alternative": alternative,
        "adjust": "none" if has_range else adjust,
        "n_comparisons": n_comparisons, "method": _method_of_p(test, method),
    }  # fmt: skip

    fewest = minimum_sample_size(test, alpha=alpha, **of_p)
    smallest = None if n is None or test == "mcnemar" else minimum_attainable_pvalue(test, n=n, **of_p)
    alone = standard_errors.all_pairs_level(k or 2, alpha) if has_range else _level_alone(alpha, adjust, n_comparisons)
    asked = {"alpha": alone, "alternative": alternative, "method": method}
    drawn = {"n_simulations": n_simulations, "rng": rng, "progress": progress}
    detectable = None
    if test == "mcnemar":
        if n is None and difference is None:
            raise InvalidValueError("the test 'mcnemar' requires a number of instances (n), a difference, or both")
        cases = [_test_set(n, target, given, size, asked) for size in _discordances(given)]
    else:
        fixed = {name: value for name, value in given.items() if name not in ("effects", "difference")}
        if test == "battles":
            fixed["n_classifiers"] = k
        chosen = _chosen(test, sizes, given)
        cases = [_case(test, n, k, size, target, {**asked, **fixed, **drawn}) for size in chosen]
        detectable = _detectable(test, n, target, {**asked, **fixed})

    has_bar = n is not None and test in ("nemenyi", "bonferroni-dunn")
    return DesignPlan(
        test=test,
        n=n,
        n_classifiers=k,
        alpha=alpha,
        alpha_alone=alone,
        target_power=target,
        alternative=alternative,
        adjust=adjust,
        n_comparisons=n_comparisons,
        smallest=smallest,
        fewest=fewest,
        critical_difference=critical_difference(n or 1, k or 2, alpha=alpha, test=test) if has_bar else None,
        known={name: float(given[name]) for name in given if _is_known(test, name) and given[name] is not None},
        detectable=detectable,
        cases=tuple(cases),
    )


def _is_known(test: str, name: str) -> bool:
    return test in standard_errors.TESTS and name in standard_errors.TESTS[test].own


def _chosen(test: str, sizes: list[float] | None, given: Mapping[str, Any]) -> Sequence[float]:
    """Return the sizes of the difference in the call, or the usual sizes that are possible."""
    if sizes is not None:
        return sizes
    if given["difference"] is not None:
        return [given["difference"]]
    room = 1 - (given.get("auc") or 0.0)
    return [size for size in USUAL.get(test, ()) if test != "auc" or size < room]


def _detectable(test: str, n: int | None, target: float, options: Mapping[str, Any]) -> float | None:
    """Return the smallest difference with the target power, or None if no difference has this power."""
    if n is None or test not in standard_errors.TESTS:
        return None
    name = standard_errors.TESTS[test].difference
    side = -1 if options["alternative"] == "less" else 1
    limit = LARGEST_DIFFERENCE
    if test == "auc" and options.get("auc") is not None:
        limit = (1 - options["auc"] if side == 1 else options["auc"]) * (1 - 1e-9)

    def power(size: float) -> float:
        return power_of(test, n=n, **{**options, name: side * size}).power

    low, high = 0.0, min(1e-3, limit)
    while power(high) < target:
        if high == limit:
            return None
        low, high = high, min(2 * high, limit)
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) >= target else (middle, high)
    return side * high


def _sizes(effects: Sequence[float]) -> list[float]:
    array = _checks.finite(_checks.numbers(effects, "effects"), "effects")
    if array.ndim != 1 or not array.size:
        raise InvalidValueError(f"effects must be a list of one or more numbers, not {short(effects)}")
    return list(array.tolist())


def _family(test: str, k: int | None, adjust: str | None, n_comparisons: int | None) -> tuple[str, int]:
    """Return the adjustment and the number of comparisons, by default Holm's method for all pairs."""
    pairs = math.comb(k, 2) if k is not None and test not in SEVERAL else 1
    m = pairs if n_comparisons is None else _checks.count(n_comparisons, "n_comparisons")
    if adjust is not None:
        _checks.text(adjust, "adjust")
    return adjust or (USUAL_ADJUSTMENT if m > 1 else "none"), m


def _method_of_p(test: str, method: str | None) -> str:
    """Return the method for the smallest p-value: the given method for McNemar's test or 'chi2', or 'exact'."""
    if method is not None:
        _checks.text(method, "method")
    return method if method is not None and (test == "mcnemar" or method == "chi2") else "exact"


def _level_alone(alpha: float, adjust: str, n_comparisons: int) -> float:
    """Return the largest p-value that rejects if all other hypotheses of the family have p = 1."""
    if adjust == "none" or n_comparisons == 1:
        return alpha
    # only Sidak's methods do not multiply by a number
    tiny = 2.0**-30  # a power of two changes no digit
    at_one = float(adjust_pvalues([tiny] + [1.0] * (n_comparisons - 1), adjust)[0]) / tiny
    return -math.expm1(math.log1p(-alpha) / n_comparisons) if "sidak" in adjust else alpha / at_one


def _refuse_others(test: str, given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        if name not in KNOWN:
            raise InvalidTypeError(f"plan_design has no argument {name!r}")
        if value is not None and name not in OWN[test]:
            raise InvalidValueError(
                f"{name} is not used by the test {test!r}, which takes {' and '.join(OWN[test]) or 'none'}"
            )


def _case(
    test: str, n: int | None, k: int | None, size: float, target: float, options: Mapping[str, Any]
) -> PlannedEffect:
    own = standard_errors.TESTS[test].difference if test in standard_errors.TESTS else "effect"
    name = "win_probability" if test == "sign" else "lead" if test in SEVERAL else own
    arguments: dict[str, Any] = {"means": [size] + [0.0] * ((k or 2) - 1)} if test in SEVERAL else {name: size}
    arguments.update(options)
    return PlannedEffect(
        size={name: size},
        power=None if n is None else power_of(test, n=n, **arguments),
        required=required_sample_size(test, power=target, **arguments),
        discordance=None,
        detectable=None,
    )


def _discordances(given: Mapping[str, Any]) -> Iterator[dict[str, float]]:
    """Yield the arguments that determine the discordance: the given value, or usual values that are possible."""
    accuracy, discordance, correlation = (given[name] for name in ("accuracy", "discordance", "correlation"))
    if accuracy is None and discordance is None and correlation is not None:
        raise InvalidValueError("correlation requires accuracy, which is not given")
    if discordance is not None:
        yield {name: value for name, value in given.items() if value is not None and name != "difference"}
    elif accuracy is None:
        least = abs(given["difference"] or 0.0)
        if least > max(USUAL_DISCORDANCES):
            raise InvalidValueError(
                f"the absolute value of difference must be at most {max(USUAL_DISCORDANCES):g}, the largest usual "
                f"discordance, not {least:g}; for a larger difference, pass discordance="
            )
        yield from ({"discordance": value} for value in USUAL_DISCORDANCES if value >= least)
    elif correlation is not None:
        yield {"accuracy": accuracy, "correlation": correlation}
    else:
        for value in USUAL_CORRELATIONS:
            size = {"accuracy": accuracy, "correlation": value}
            try:
                mcnemar_cases(difference=given["difference"] or 0.0, **size)
            except InvalidValueError:
                if value == 0:  # this discordance is always possible, so another argument is invalid
                    raise
                continue
            yield size


def _test_set(
    n: int | None, target: float, given: Mapping[str, Any], size: dict[str, Any], asked: Mapping[str, Any]
) -> PlannedEffect:
    difference = given["difference"]
    arguments: dict[str, Any] = {**asked, **size, "difference": difference}
    detectable = None
    if n is not None:
        sided = "two-sided" if asked["alternative"] == "two-sided" else "greater"
        method = asked["method"] or "exact"
        detectable = minimum_detectable_difference(
            n, power=target, alpha=asked["alpha"], alternative=sided, method=method, **size
        )
    at = size if difference is None else {**size, "difference": difference}
    return PlannedEffect(
        size=at,
        power=None if n is None or difference is None else power_of("mcnemar", n=n, **arguments),
        required=None if difference is None else required_sample_size("mcnemar", power=target, **arguments),
        discordance=None if difference is None else mcnemar_cases(**at).proportion,
        detectable=detectable,
    )
