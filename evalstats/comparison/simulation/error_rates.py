"""How often does an analysis of tables like this one call something different where nothing is?"""

from __future__ import annotations

__all__ = ["ErrorRate", "ErrorRateSimulation", "PairErrorRate", "simulate_error_rates"]

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._errors import listed, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import Record, report_module
from evalstats._types import BoolArray, FloatArray, Progress
from evalstats.comparison.record import Comparison
from evalstats.comparison.simulation.batch_decisions import (
    Analyse,
    Rejections,
    analysis_of_cases,
    analysis_of_folds,
    analysis_over_datasets,
)
from evalstats.comparison.simulation.null_simulation import (
    NullTables,
    decimals_of,
    in_any_order,
    null_cases,
    null_folds,
    null_scores,
)
from evalstats.metrics.proportions import mean_share_limits
from evalstats.tables.aligned_instances import aligned_cases

if TYPE_CHECKING:
    from evalstats.tables.score_table import ScoreTable

# tables of one chunk: as many random numbers as stay in the cache, but few enough to show progress
CHUNK, MOST_TABLES = 2**18, 100
NULLS = ("auto", "permutation", "normal")


@dataclass(frozen=True, kw_only=True, eq=False)
class ErrorRate(Record):
    """How often something happened in simulated tables, with the interval of the simulation's own error.

    Attributes
    ----------
    rate : float
        Share of the tables, or mean share of the pairs in a table.
    low, high : float
        95 % interval of the true rate: Wilson's, for a mean share with the effective number of tables.
    """

    rate: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True, eq=False)
class PairErrorRate(ErrorRate):
    """How often one pair is called different.

    Attributes
    ----------
    first, second : str
        The classifiers. `second` is the control where there is one.
    is_different : bool
        Whether the two truly differ in the simulated tables, by the shift that was asked for.
    """

    first: str
    second: str
    is_different: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class ErrorRateSimulation(Record):
    """What `simulate_error_rates` returns; `evalstats.report` shows it.

    Attributes
    ----------
    design : {'datasets', 'folds', 'instances'}
        What the tests compare.
    null : {'permutation', 'normal'}
        How the tables were drawn: see `simulate_error_rates`.
    source : str or None
        Name of the file, without its folder.
    metric : str
    n : int
        Number of datasets, of fold scores or of cases.
    classifiers : tuple of str
    control : str or None
    n_missing : int
        Scores that are missing, in every simulated table too.
    decimals : int or None
        To how many decimals the simulated scores are rounded, as those of the table are; None: they are not.
    omnibus_test, pair_test : str
        The tests, as `compare` and its records name them; `omnibus_test` is None where each pair is tested by itself.
    adjustment : str or None
        How the p-values of the pairs are adjusted, as `Comparison.adjustment`.
    alpha : float
    options : dict
        The arguments of `compare` that were given and are not the default.
    n_tables, n_requested : int
        How many tables were simulated, and how many were asked for: fewer where it was interrupted, or `seconds` over.
    seed : int or None
        With it and the same table everything comes out again; None where a Generator was given.
    shift : float or None
        By how much one classifier is truly better, in the unit of the scores; None: no classifier is.
    shifted_classifier : str or None
        That classifier.
    min_attainable_pvalue : float or None
        Smallest p-value that the leading test can reach, or a pair where that test is no gate, of the comparison of the
        table itself.
    leading : ErrorRate or None
        How often the leading test rejects: its type-I error where nothing is shifted_classifier, otherwise its power.
    family_wise : ErrorRate or None
        How often any pair is called different that is not; None where every compared pair truly differs.
    pairs_alone : ErrorRate or None
        The same without the leading test: where the test of the pairs alone decides. None where it does so anyway.
    per_pair : ErrorRate or None
        Mean share of the pairs that are not different and are called so.
    false_discovery : ErrorRate
        Mean share of the pairs that are called different and are not; 0 in tables where none is.
    any_found, each_found : ErrorRate or None
        With a shift: how often any of the pairs that truly differ is called different, and their mean share.
    pairs : tuple of PairErrorRate
        In the order of the comparison of the table itself.
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
        said: str = report_module("documents").verdict(self)
        return said

    def _rows(self) -> Sequence[Record]:
        return self.pairs

    @property
    def complete(self) -> bool:
        """Whether all tables were simulated that were asked for."""
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
    """Tell how often `compare` would call something different in tables like this one where nothing is.

    Tables are simulated that have the size of this one, its ties, decimals and missing scores, and in which no
    classifier is better. Each is analysed as `compare` would analyse this one: with the same tests, adjustment and
    level.

    Parameters
    ----------
    table : ScoreTable, path, data frame or array
        What `compare` takes: scores over datasets, scores of the folds of one dataset, or predictions for one.
    null : {'auto', 'permutation', 'normal'}, default: 'auto'
        How the tables are drawn. ``'permutation'``, the default over datasets and over cases: the scores of each
        dataset, or the answers to each case, are given to the classifiers in a random order. That keeps the spread of
        each dataset, and makes all classifiers alike in spread and correlation.

        ``'normal'``: differences within a dataset are normal, with the covariances of the classifiers in the table
        after the means of datasets and classifiers are taken out. That keeps which classifiers are alike and which
        vary much, and makes all datasets alike. It is the only one for folds, whose differences are correlated as
        Nadeau and Bengio assume: whether that holds for real learners no table of folds can tell.
    shift : float, optional
        Make one classifier truly better, by so much in the unit of the scores, to learn about power. Of cases it is a
        share of right answers, for McNemar's test.
    shifted_classifier : str, optional
        The classifier that is made better; by default the first of the ranking that is not the control.
    n_simulations : int, default: 2000
        Number of tables that are simulated. With 2000 a rate of .05 is known to within .01.
    seconds : float, optional
        Stop after this time, with the tables that are done.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so that the same call gives the same result; a whole number is
        the seed; a Generator is used as it is.
    progress : callable, optional
        Called as ``progress(done, total, "tables")`` again and again.
    **choices : optional
        Arguments of `compare`: control, alpha, posthoc, adjust, omnibus, method, missing, metric ...

    Returns
    -------
    ErrorRateSimulation
        Ctrl-C ends it early, with the tables that are done.

    Raises
    ------
    ValueError, TypeError
        As `compare` does for the table and the choices; for several metrics, and for answers to questions.

    See Also
    --------
    compare, plan_design : the power of a design that has no data yet.

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
        _checks.duration(seconds, "seconds")
    progress, source = _checks.progress(progress), _checks.random_source(rng)
    compared = _compared(table, choices)
    amount = None if shift is None else _shift(shift)
    leader = _shifted(compared, amount, shifted_classifier)
    seed = int(source.generator().integers(2**32)) if source.seed is None else source.seed

    simulated = _simulated(compared, null, 0.0 if amount is None else amount, leader, choices)
    end = None if seconds is None else monotonic() + seconds
    found = _run(simulated, n_simulations, seed, end, progress)
    return _recorded(compared, simulated, found, amount, leader, source.seed, n_simulations)


# --- what is simulated ------------------------------------------------------------------------------------------------


class _Simulated(NamedTuple):
    """Where tables come from, and what is done with them."""

    design: str
    null: str
    n: int
    decimals: int | None
    tables: NullTables
    analyse: Analyse


def _compared(table: Any, choices: dict[str, Any]) -> Comparison:
    """Compare the classifiers of the table itself: what its tests refuse is refused, and its record names them."""
    from evalstats.comparison.analysis import compare

    for name in ("robustness", "margin", "rope"):
        if choices.get(name):
            raise InvalidValueError(
                f"{name} must be left out: simulate_error_rates looks at the tests of compare alone"
            )
    if isinstance(choices.get("metric"), list | tuple):
        raise InvalidValueError("metric must be one metric, not several: simulate_error_rates looks at one comparison")
    compared: Comparison = compare(table, **choices)
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
    return shift


def _shifted(compared: Any, shift: float | None, shifted_classifier: Any) -> int | None:
    """Return the place of the classifier that is made better."""
    names = compared.table.classifiers
    if shift is None:
        if shifted_classifier is not None:
            raise InvalidValueError("shifted_classifier names the classifier that is made better: give shift too")
        return None
    if shifted_classifier is None:
        return int(compared.table.position(next(name for name in compared.ranking if name != compared.control)))
    if not _checks.is_among(shifted_classifier, names):
        raise InvalidValueError(f"shifted_classifier must be one of {listed(names)}, not {short(shifted_classifier)}")
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
            raise InvalidValueError("null 'normal' needs 2 or more datasets, but the table holds one")
        tables = in_any_order(table.scores, added, partial(null_scores, null=kept))
        analyse = analysis_over_datasets(compared, of_leading | {"rng": 0})
        return _Simulated("datasets", kept, len(table.datasets), decimals_of(table.scores), tables, analyse)
    if compared.design in ("folds", "runs"):
        tolerance = _checks.tolerance(choices.get("tie_tolerance", DEFAULT_TIE_TOLERANCE), table)
        return _of_folds(compared, null, added, tolerance)
    if null == "normal":
        raise InvalidValueError("null must be 'permutation' where cases are compared, not 'normal'")
    return _of_cases(compared, shift, leader, {name: v for name, v in of_leading.items() if name == "n_resamples"})


def _of_folds(compared: Comparison, null: str, added: FloatArray, tie_tolerance: float) -> _Simulated:
    if null == "permutation":
        raise InvalidValueError(
            "null must be 'normal' where folds are compared, not 'permutation': the differences of the folds of one "
            "dataset are correlated, and cannot be exchanged one by one"
        )
    scores = compared.table.folds[0].scores
    scores = scores.reshape(-1, scores.shape[-1])
    correlation = 0.0  # 5 x 2: all folds are taken to be independent, and runs on one split are
    if compared.pair_test == "corrected_ttest":
        assert compared.n_train is not None
        assert compared.n_test is not None
        correlation = compared.n_test / (compared.n_train + compared.n_test)
    tables = in_any_order(scores, added, partial(null_folds, correlation=correlation))
    analyse = analysis_of_folds(compared, tie_tolerance)
    return _Simulated(compared.design, "normal", len(scores), decimals_of(scores), tables, analyse)


def _of_cases(compared: Comparison, shift: float, leader: int | None, of_leading: dict[str, Any]) -> _Simulated:
    scored = compared.table._scored
    assert scored is not None
    cases = aligned_cases(scored._predictions)
    answers, analyse = analysis_of_cases(compared, scored, cases, of_leading)
    tables = null_cases(answers)
    if leader is not None:
        if compared.pair_test != "mcnemar_test":
            raise InvalidValueError(
                "shift is for scores of datasets and folds and for accuracy on cases; leave it out for "
                f"{compared.table.metric}"
            )
        wrong = 1 - answers.mean()
        if shift > wrong:
            raise InvalidValueError(f"shift must be at most {wrong:.3g}, the share of wrong answers, not {shift:g}")
        tables = NullTables(_corrected(tables, leader, shift / wrong), tables.numbers)
    return _Simulated("instances", "permutation", len(answers), None, tables, analyse)


def _corrected(tables: NullTables, leader: int, share: float) -> Callable[[int, np.random.Generator], BoolArray]:
    """Make this share of one classifier's wrong answers right."""

    def draw(size: int, rng: np.random.Generator) -> BoolArray:
        right: BoolArray = tables.draw(size, rng)
        right[..., leader] |= rng.random(right.shape[:-1]) < share
        return right

    return draw


def _run(simulated: _Simulated, n_tables: int, seed: int, end: float | None, progress: Progress | None) -> Rejections:
    """Analyse tables until all are done, the time is over, or somebody presses Ctrl-C."""
    size = min(MOST_TABLES, max(1, CHUNK // simulated.tables.numbers))
    parts: list[Rejections] = []
    try:
        for i, start in enumerate(range(0, n_tables, size)):
            drawn = simulated.tables.draw(min(size, n_tables - start), np.random.default_rng([seed, i]))
            parts.append(simulated.analyse(drawn))
            if progress is not None:
                progress(min(start + size, n_tables), n_tables, "tables")
            if end is not None and monotonic() > end:
                break
    except KeyboardInterrupt:
        if not parts:
            raise
    leading = None if parts[0].leading is None else np.concatenate([part.leading for part in parts])
    return Rejections(leading, np.concatenate([part.pairs for part in parts]), parts[0].is_gated)


# --- what was found ---------------------------------------------------------------------------------------------------


def _recorded(
    compared: Comparison,
    simulated: _Simulated,
    found: Rejections,
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
    """Return the smallest p-value of what decides: the leading test, or the pairs' own where it is no gate."""
    if compared.posthoc_test is not None and not compared.is_gated:
        return compared.smallest_posthoc_pvalue
    return compared.min_attainable_pvalue


def _leading_test(compared: Comparison, found: Rejections) -> str | None:
    if found.leading is None:
        return None
    return compared.omnibus_test if compared.design == "datasets" else "cochran_q_test"


def _rate(values: Any) -> ErrorRate:
    """Return the mean of shares, one for each table, with Wilson's interval."""
    shares = np.asarray(values, dtype=np.float64)
    rate = float(shares.mean())
    low, high = mean_share_limits(rate, float(shares.var()), len(shares))
    return ErrorRate(rate=rate, low=low, high=high)
