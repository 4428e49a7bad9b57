"""Simulation of the type-I error rates and the power of an analysis for tables that resemble one table."""

from __future__ import annotations

__all__ = [
    "ErrorRate",
    "ErrorRateSimulation",
    "NullTables",
    "PairErrorRate",
    "decimals_of",
    "null_scores",
    "simulate_error_rates",
]

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._canonical_order import unsigned_order
from evalstats._errors import InvalidValueError, not_among, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import Record, report_module
from evalstats._types import AnyArray, BoolArray, FloatArray, Progress
from evalstats.comparison.record import Comparison
from evalstats.comparison.simulation import batch_decisions
from evalstats.metrics.proportions import mean_share_limits
from evalstats.tables.aligned_instances import aligned_cases

if TYPE_CHECKING:
    from evalstats.tables.score_table import ScoreTable


# scores with more decimals are not rounded
MOST_DECIMALS = 10

Draw = Callable[[int, np.random.Generator], AnyArray]


class NullTables(NamedTuple):
    """Source of tables: `draw(size, rng)` returns `size` tables, each generated from `numbers` random numbers."""

    draw: Draw
    numbers: int


def decimals_of(scores: FloatArray) -> int | None:
    """Return the number of decimals of all scores, or None if it exceeds the maximum."""
    known = scores[~np.isnan(scores)]
    for decimals in range(MOST_DECIMALS + 1):
        if np.allclose(known, np.round(known, decimals), rtol=1e-12, atol=1e-15):
            return decimals
    return None


def _in_any_order(scores: FloatArray, added: FloatArray, draw_like: Callable[..., NullTables]) -> NullTables:
    """Return a source of tables that does not depend on the order of datasets and classifiers or the sign of scores."""
    rows, columns = unsigned_order(scores)
    tables = draw_like(scores[np.ix_(rows, columns)], added[columns])
    datasets, classifiers = rows.argsort(), columns.argsort()
    return tables._replace(draw=lambda size, rng: tables.draw(size, rng)[:, datasets][..., classifiers])


def null_scores(scores: FloatArray, added: FloatArray, *, null: str) -> NullTables:
    """Generate scores of shape (size, n_datasets, n_classifiers); missing scores stay missing.

    `added` is the advantage of each classifier. It is 0 if no classifier is better.
    """
    decimals, is_missing = decimals_of(scores), np.isnan(scores)
    if null == "permutation":

        def draw(size: int, rng: np.random.Generator) -> FloatArray:
            return _written(_exchanged(scores, is_missing, size, rng) + added, decimals)

    else:
        mean = np.nanmean(scores, axis=1, keepdims=True)
        spread = _residuals(scores, is_missing) / math.sqrt(len(scores) - 1)

        def draw(size: int, rng: np.random.Generator) -> FloatArray:
            drawn = rng.standard_normal((size, len(scores), len(scores))) @ spread
            return _written(np.where(is_missing, np.nan, mean + drawn + added), decimals)

    return NullTables(draw, max(scores.size, len(scores) ** 2 if null == "normal" else 0))


def _null_folds(scores: FloatArray, added: FloatArray, *, correlation: float) -> NullTables:
    """Generate normal scores of shape (size, n_folds, n_classifiers) with a given correlation between the folds.

    The covariance of the classifiers is estimated from the given folds, so it does not include effects that are common
    to all folds.
    """
    n, decimals = len(scores), decimals_of(scores)
    mean = scores.mean(axis=1, keepdims=True)
    spread = _residuals(scores, np.isnan(scores)) / math.sqrt(n - 1)
    shared = math.sqrt(correlation / (1 - correlation))

    def draw(size: int, rng: np.random.Generator) -> FloatArray:
        drawn = rng.standard_normal((size, n, n)) @ spread
        common = shared * rng.standard_normal((size, 1, n)) @ spread
        return _written(mean + drawn + common + added, decimals)

    return NullTables(draw, n * n)


def _null_cases(answers: AnyArray) -> NullTables:
    """Assign the answers (n_instances, n_classifiers) to each instance to the classifiers in random order."""
    is_missing = np.zeros(answers.shape, dtype=bool)
    return NullTables(lambda size, rng: _exchanged(answers, is_missing, size, rng), answers.size)


def _exchanged(values: AnyArray, is_missing: BoolArray, size: int, rng: np.random.Generator) -> AnyArray:
    """Permute the entries of each row at random; missing entries stay at their positions."""
    keys = np.where(is_missing, 2.0, rng.random((size, *values.shape)))
    order = keys.argsort(axis=-1)  # missing scores come last
    places = np.broadcast_to(is_missing.argsort(axis=-1, kind="stable"), order.shape)
    drawn = np.empty(order.shape, dtype=values.dtype)
    np.put_along_axis(drawn, places, np.take_along_axis(values[np.newaxis], order, axis=-1), axis=-1)
    return drawn


def _residuals(scores: FloatArray, is_missing: BoolArray) -> FloatArray:
    """Subtract the means of datasets and classifiers from the scores; missing scores become 0.

    A column with missing scores is rescaled to the variance of its known scores.
    """
    left = scores
    for _ in range(1 if not is_missing.any() else 20):  # without missing scores, one iteration is sufficient
        left = left - np.nanmean(left, axis=1, keepdims=True)
        left = left - np.nanmean(left, axis=0, keepdims=True)
    n_known = (~is_missing).sum(axis=0)
    return np.asarray(np.where(is_missing, 0.0, left) * np.sqrt(len(scores) / n_known))


def _written(scores: FloatArray, decimals: int | None) -> FloatArray:
    """Round scores to the decimals of the table, because this rounding causes ties."""
    return scores if decimals is None else np.round(scores, decimals)


# maximum number of tables in a chunk; the random numbers fit into the cache, and chunks are short enough for progress
CHUNK, MOST_TABLES = 2**18, 100
NULLS = ("auto", "permutation", "normal")


@dataclass(frozen=True, kw_only=True, eq=False)
class ErrorRate(Record):
    """Rate of an event in simulated tables, with a confidence interval for the true rate.

    Attributes
    ----------
    rate : float
        Proportion of the tables, or mean proportion of the pairs in a table.
    low, high : float
        Limits of the 95% Wilson interval for the true rate. For a mean proportion, the interval uses the effective
        number of tables.
    """

    rate: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True, eq=False)
class PairErrorRate(ErrorRate):
    """Rate at which the test of one pair rejects.

    Attributes
    ----------
    first, second : str
        The classifiers. `second` is the control if there is one.
    is_different : bool
        Whether the two classifiers truly differ in the simulated tables because of the requested shift.
    """

    first: str
    second: str
    is_different: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class ErrorRateSimulation(Record):
    """Result of `simulate_error_rates`; `evalstats.report` renders it.

    Attributes
    ----------
    design : {'datasets', 'folds', 'instances'}
        Units of the tests.
    null : {'permutation', 'normal'}
        Method that generates the tables (see `simulate_error_rates`).
    source : str or None
        Name of the file, without its folder.
    metric : str
    n : int
        Number of datasets, of fold scores or of instances.
    classifiers : tuple of str
    control : str or None
    n_missing : int
        Number of missing scores, which is the same in the table and in every simulated table.
    decimals : int or None
        Number of decimals of the simulated scores, as in the table, or None if they are not rounded.
    omnibus_test, pair_test : str
        The tests, as `compare` and its records name them. `omnibus_test` is None if each pair is tested separately.
    adjustment : str or None
        Adjustment of the p-values of the pairs, as in `Comparison.adjustment`.
    alpha : float
    options : dict
        The arguments of `compare` that differ from the defaults.
    n_tables, n_requested : int
        Number of simulated tables, and number of requested tables. If the simulation is interrupted or reaches
        the limit `seconds`, `n_tables` is smaller than `n_requested`.
    seed : int or None
        Seed that reproduces all results for the same table, or None if `rng` was a Generator.
    shift : float or None
        True advantage of one classifier, in the unit of the scores, or None if no classifier is better.
    shifted_classifier : str or None
        The classifier with the advantage.
    min_attainable_pvalue : float or None
        Smallest p-value that the omnibus test can produce in the comparison of the original table. Without a required
        omnibus test, it is the smallest p-value of a pair.
    leading : ErrorRate or None
        Rate at which the omnibus test rejects: the type-I error rate if no classifier is shifted, or the power with a
        shift.
    family_wise : ErrorRate or None
        Proportion of tables in which the test of at least one pair without a true difference rejects, or None if every
        compared pair truly differs.
    pairs_alone : ErrorRate or None
        Family-wise error rate of the post-hoc tests without the omnibus test. It is None if the decisions never require
        an omnibus test.
    per_pair : ErrorRate or None
        Mean proportion of false rejections among the pairs without a true difference.
    false_discovery : ErrorRate
        Mean proportion of false rejections among the significantly different pairs. The proportion is 0 for a table
        without such pairs.
    any_found, each_found : ErrorRate or None
        With a shift, `any_found` is the proportion of tables in which the test of at least one truly different pair
        rejects. `each_found` is the mean proportion of the truly different pairs whose test rejects.
    pairs : tuple of PairErrorRate
        Rates of the pairs, in the order of the pairs in the comparison of the original table.
    """

    design: str
    null: str
    source: str | None
    metric: str
    n: int
    classifiers: tuple[str, ...]
    control: str | None
    n_missing: int
    decimals: int | None
    omnibus_test: str | None
    pair_test: str
    adjustment: str | None
    alpha: float
    options: dict[str, Any]
    n_tables: int
    n_requested: int
    seed: int | None
    shift: float | None
    shifted_classifier: str | None
    min_attainable_pvalue: float | None
    leading: ErrorRate | None
    family_wise: ErrorRate | None
    pairs_alone: ErrorRate | None
    per_pair: ErrorRate | None
    false_discovery: ErrorRate
    any_found: ErrorRate | None
    each_found: ErrorRate | None
    pairs: tuple[PairErrorRate, ...]

    def __str__(self) -> str:
        return str(report_module("documents").verdict(self))

    def _rows(self) -> Sequence[Record]:
        return self.pairs

    @property
    def complete(self) -> bool:
        """Whether all requested tables were simulated."""
        return self.n_tables == self.n_requested


def simulate_error_rates(
    table: Any,
    *,
    null: str = "auto",
    shift: float | None = None,
    shifted_classifier: str | None = None,
    n_simulations: int = 2000,
    seconds: float | None = None,
    rng: Any = None,
    progress: Progress | None = None,
    **choices: Any,
) -> ErrorRateSimulation:
    """Simulate how often `compare` rejects true null hypotheses in tables that resemble a given table.

    The simulated tables have the size, the ties, the decimals and the missing scores of the given table. Without a
    shift, no classifier is better. The analysis of each table is the analysis of `compare`, with the same tests,
    adjustment and level.

    Parameters
    ----------
    table : ScoreTable, path, data frame or array
        As in `compare`: scores over datasets, scores of the folds of one dataset, or predictions for one dataset.
    null : {'auto', 'permutation', 'normal'}, default: 'auto'
        Generation of the tables. ``'permutation'`` is the default over datasets and over instances. It assigns the
        scores of each dataset, or the answers to each instance, to the classifiers in a random order. This method
        preserves the variation within each dataset, but it makes the variances of all classifiers, and all correlations
        between them, equal.

        ``'normal'``: differences within a dataset are normal, with the covariances of the classifiers in the table
        after the means of datasets and classifiers are subtracted. This method preserves the variances and correlations
        of the classifiers, but it makes the distribution the same for all datasets. ``'normal'`` is the only choice for
        folds, whose differences are simulated with the correlation that Nadeau and Bengio assume. A table of folds
        cannot show whether real classifiers have this correlation.
    shift : float, optional
        True advantage of one classifier in the unit of the scores, to estimate the power. For instances, the shift is a
        difference of accuracies, and the test is McNemar's test.
    shifted_classifier : str, optional
        The classifier with the advantage. Default: the first classifier of the ranking that is not the control.
    n_simulations : int, default: 2000
        Number of simulated tables. With 2000 tables, the margin of error for a rate of 0.05 is 0.01.
    seconds : float, optional
        Maximum time in seconds. The result is computed from the tables that are finished within this time.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    progress : callable, optional
        Function that is called as ``progress(done, total, "tables")`` repeatedly.
    **choices : optional
        Arguments of `compare`, such as control, alpha, posthoc, adjust, omnibus, method, missing and metric.

    Returns
    -------
    ErrorRateSimulation
        After Ctrl-C, the result is computed from the finished tables.

    Raises
    ------
    ValueError, TypeError
        As in `compare`, if the table or an argument is invalid. If several metrics are given, or if the table contains
        answers to questions.

    See Also
    --------
    compare : the simulated analysis.
    plan_design : the power of a design that has no data yet.

    References
    ----------
    Westfall, P. H. & Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley, section 2.2.

    Examples
    --------
    >>> import evalstats
    >>> result = evalstats.simulate_error_rates(evalstats.example_table("demsar-2006"), n_simulations=500)
    >>> round(result.family_wise.rate, 3), round(result.leading.rate, 3)
    (0.032, 0.034)
    """
    null = _checks.choice(null, "null", NULLS)
    n_simulations = _checks.count(n_simulations, "n_simulations")
    if seconds is not None:
        seconds = _checks.duration(seconds, "seconds")
    progress, source = _checks.progress(progress), _checks.random_source(rng)
    compared = _compared(table, choices)
    amount = None if shift is None else _shift(shift)
    leader = _shifted(compared, amount, shifted_classifier)
    seed = int(source.generator().integers(2**32)) if source.seed is None else source.seed

    simulated = _simulated(compared, null, 0.0 if amount is None else amount, leader, choices)
    end = None if seconds is None else monotonic() + seconds
    found = _run(simulated, n_simulations, seed, end, progress)
    return _recorded(compared, simulated, found, amount, leader, source.seed, n_simulations)


# --- simulated tables -------------------------------------------------------------------------------------------------


class _Simulated(NamedTuple):
    """Source of the simulated tables, and the function that analyzes them."""

    design: str
    null: str
    n: int
    decimals: int | None
    tables: NullTables
    analyze: batch_decisions.Analyze


def _compared(table: Any, choices: dict[str, Any]) -> Comparison:
    """Compare the classifiers of the given table, which raises errors in the tests before the simulation."""
    from evalstats.comparison.analysis import compare

    for name in ("robustness", "margin", "rope", "stability"):
        if choices.get(name):
            raise InvalidValueError(f"{name} must be left out: simulate_error_rates analyzes only the tests of compare")
    if isinstance(choices.get("metric"), list | tuple):
        raise InvalidValueError("metric must be one metric, not several: simulate_error_rates analyzes one comparison")
    compared = compare(table, **choices)
    if not isinstance(compared, Comparison):
        raise InvalidValueError("the table must hold scores or predictions, whose error rates are simulated")
    if compared.design == "questions":
        raise InvalidValueError(
            "the table holds answers to questions, which simulate_error_rates does not simulate; "
            "docs/error-rates-questions.md shows the error rates of their tests"
        )
    return compared


def _shift(value: Any) -> float:
    shift = _checks.real(value, "shift")
    if not (np.isfinite(shift) and shift > 0):
        raise InvalidValueError(f"shift must be a finite number above 0, not {short(value)}")
    _checks.moderate(np.array(shift), "shift")
    return shift


def _shifted(compared: Any, shift: float | None, shifted_classifier: Any) -> int | None:
    """Return the index of the classifier that gets the advantage, or None without a shift."""
    names = compared.table.classifiers
    if shift is None:
        if shifted_classifier is not None:
            raise InvalidValueError("shifted_classifier names the classifier to improve, so shift is required too")
        return None
    if shifted_classifier is None:
        return int(compared.table.position(next(name for name in compared.ranking if name != compared.control)))
    if not _checks.is_among(shifted_classifier, names):
        raise InvalidValueError(not_among("shifted_classifier", shifted_classifier, names))
    return int(names.index(shifted_classifier))


def _simulated(
    compared: Comparison, null: str, shift: float, leader: int | None, choices: dict[str, Any]
) -> _Simulated:
    table = compared.table
    added = np.zeros(len(table.classifiers))
    if leader is not None:
        added[leader] = shift if table.greater_is_better else -shift
    of_leading = {name: choices[name] for name in ("method", "n_resamples") if choices.get(name) is not None}
    if compared.design == "datasets":
        kept = "permutation" if null == "auto" else null
        if kept == "normal" and len(table.datasets) < 2:
            raise InvalidValueError("null 'normal' requires 2 or more datasets, but the table holds one")
        tables = _in_any_order(table.scores, added, partial(null_scores, null=kept))
        analyze = batch_decisions.analysis_over_datasets(compared, of_leading | {"rng": 0})
        return _Simulated("datasets", kept, len(table.datasets), decimals_of(table.scores), tables, analyze)
    if compared.design in ("folds", "runs"):
        tolerance = _checks.tolerance(choices.get("tie_tolerance", DEFAULT_TIE_TOLERANCE), table)
        return _of_folds(compared, null, added, tolerance)
    if null == "normal":
        raise InvalidValueError("null must be 'permutation' if instances are compared, not 'normal'")
    return _of_cases(compared, shift, leader, {name: v for name, v in of_leading.items() if name == "n_resamples"})


def _of_folds(compared: Comparison, null: str, added: FloatArray, tie_tolerance: float) -> _Simulated:
    if null == "permutation":
        raise InvalidValueError(
            "null must be 'normal' if folds are compared, not 'permutation': the differences of the folds of one "
            "dataset are correlated, so they are not exchangeable"
        )
    scores = compared.table.folds[0].scores
    scores = scores.reshape(-1, scores.shape[-1])
    correlation = 0.0  # 5 x 2: all folds are treated as independent; runs on one split are independent
    if compared.pair_test == "corrected_ttest":
        assert compared.n_train is not None
        assert compared.n_test is not None
        correlation = compared.n_test / (compared.n_train + compared.n_test)
    tables = _in_any_order(scores, added, partial(_null_folds, correlation=correlation))
    analyze = batch_decisions.analysis_of_folds(compared, tie_tolerance)
    return _Simulated(compared.design, "normal", len(scores), decimals_of(scores), tables, analyze)


def _of_cases(compared: Comparison, shift: float, leader: int | None, of_leading: dict[str, Any]) -> _Simulated:
    scored = compared.table._scored
    assert scored is not None
    cases = aligned_cases(scored._predictions)
    answers, analyze = batch_decisions.analysis_of_cases(compared, scored, cases, of_leading)
    tables = _null_cases(answers)
    if leader is not None:
        if compared.pair_test != "mcnemar_test":
            raise InvalidValueError(
                "shift is for scores of datasets and folds and for accuracy on instances; leave it out for "
                f"{compared.table.metric}"
            )
        wrong = 1 - answers.mean()
        if shift > wrong:
            raise InvalidValueError(
                f"shift must be at most {wrong:.3g}, the proportion of incorrect answers, not {shift:g}"
            )
        tables = NullTables(_corrected(tables, leader, shift / wrong), tables.numbers)
    return _Simulated("instances", "permutation", len(answers), None, tables, analyze)


def _corrected(tables: NullTables, leader: int, share: float) -> Callable[[int, np.random.Generator], BoolArray]:
    """Return a function that generates tables in which some incorrect answers of one classifier are made correct."""

    def draw(size: int, rng: np.random.Generator) -> BoolArray:
        right: BoolArray = tables.draw(size, rng)
        right[..., leader] |= rng.random(right.shape[:-1]) < share
        return right

    return draw


def _run(
    simulated: _Simulated, n_tables: int, seed: int, end: float | None, progress: Progress | None
) -> batch_decisions.Rejections:
    """Analyze tables until all are finished, the time limit is reached, or the user presses Ctrl-C."""
    size = min(MOST_TABLES, max(1, CHUNK // simulated.tables.numbers))
    parts: list[batch_decisions.Rejections] = []
    try:
        for i, start in enumerate(range(0, n_tables, size)):
            drawn = simulated.tables.draw(min(size, n_tables - start), np.random.default_rng([seed, i]))
            parts.append(simulated.analyze(drawn))
            if progress is not None:
                progress(min(start + size, n_tables), n_tables, "tables")
            if end is not None and monotonic() > end:
                break
    except KeyboardInterrupt:
        if not parts:
            raise
    leading = None if parts[0].leading is None else np.concatenate([part.leading for part in parts])
    return batch_decisions.Rejections(leading, np.concatenate([part.pairs for part in parts]), parts[0].is_gated)


# --- results ----------------------------------------------------------------------------------------------------------


def _recorded(
    compared: Comparison,
    simulated: _Simulated,
    found: batch_decisions.Rejections,
    shift: float | None,
    leader: int | None,
    seed: int | None,
    n_requested: int,
) -> ErrorRateSimulation:
    table: ScoreTable = compared.table
    truly = np.array([leader in pair for pair in compared._compared])
    called, is_null = found.different, ~truly
    has_gate = found.leading is not None and found.is_gated
    n_called = np.maximum(called.sum(axis=1), 1)
    return ErrorRateSimulation(
        design=simulated.design,
        null=simulated.null,
        source=table.source,
        metric=table.metric,
        n=simulated.n,
        classifiers=table.classifiers,
        control=compared.control,
        n_missing=len(table.missing),
        decimals=simulated.decimals,
        omnibus_test=_leading_test(compared, found),
        pair_test=compared.pair_test,
        adjustment=compared.adjustment,
        alpha=compared.alpha,
        options=dict(compared.options),
        n_tables=len(called),
        n_requested=n_requested,
        seed=seed,
        shift=shift,
        shifted_classifier=None if leader is None else table.classifiers[leader],
        min_attainable_pvalue=_smallest_pvalue(compared),
        leading=None if found.leading is None else _rate(found.leading),
        family_wise=_rate(called[:, is_null].any(axis=1)) if is_null.any() else None,
        pairs_alone=_rate(found.pairs[:, is_null].any(axis=1)) if has_gate and is_null.any() else None,
        per_pair=_rate(called[:, is_null].mean(axis=1)) if is_null.any() else None,
        false_discovery=_rate(called[:, is_null].sum(axis=1) / n_called),
        any_found=_rate(called[:, truly].any(axis=1)) if truly.any() else None,
        each_found=_rate(called[:, truly].mean(axis=1)) if truly.any() else None,
        pairs=tuple(
            PairErrorRate(first=first, second=second, is_different=bool(differs), **_rate(column).to_dict())
            for (first, second), differs, column in zip(compared.compared, truly, called.T, strict=True)
        ),
    )


def _smallest_pvalue(compared: Comparison) -> float | None:
    """Return the minimum attainable p-value of the test that decides, which is the omnibus or the post-hoc test."""
    if compared.posthoc_test is not None and not compared.is_gated:
        return compared.smallest_posthoc_pvalue
    return compared.min_attainable_pvalue


def _leading_test(compared: Comparison, found: batch_decisions.Rejections) -> str | None:
    if found.leading is None:
        return None
    return compared.omnibus_test if compared.design == "datasets" else "cochran_q_test"


def _rate(values: Any) -> ErrorRate:
    """Return the mean of one proportion per table, with Wilson's interval."""
    shares = np.asarray(values, dtype=np.float64)
    rate = float(shares.mean())
    low, high = mean_share_limits(rate, float(shares.var()), len(shares))
    return ErrorRate(rate=rate, low=low, high=high)
