"""Would the verdict survive another run? What the recorded runs of an experiment say about each other.

A run is one repeat of a whole cross-validation. Its score for a classifier and a dataset is the mean over its folds, or
what `evalstats.score_predictions` gives.
"""

from __future__ import annotations

__all__ = ["RunEstimate", "RunPair", "RunReport", "RunStopping", "rejections", "report_runs"]

import csv
import io
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._errors import short
from evalstats._findings import Finding
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, rounded
from evalstats._result import ConfidenceInterval, Record
from evalstats._types import FloatArray
from evalstats.reproducibility.distribution import estimate_distribution, steady_state
from evalstats.reproducibility.overlapping_runs import (
    PValuesOverRuns,
    VerdictReproducibility,
    overlap_matrix,
    pvalues_over_runs,
    verdict_reproducibility,
)
from evalstats.reproducibility.stopping import FixedRuns, KolmogorovSmirnov, RankCorrelation, StoppingRule, replay
from evalstats.tables.reading import read_table
from evalstats.tables.runs import Runs, best_score, runs_of_each_dataset
from evalstats.tables.score_table import ScoreTable, complete_scores

RULES: tuple[StoppingRule, ...] = (FixedRuns(10), KolmogorovSmirnov(), RankCorrelation())
LEAST_REPRODUCIBLE = 0.5  # R where one classifier is ahead in three runs of four
FAR = 2  # standard deviations of a canonical estimate

MOST_PLACES = 4

ONE_RUN = "there is one run, and nothing to compare it with"
TWO_RUNS = "skewness and normality need 3 runs or more"


@dataclass(frozen=True, kw_only=True, eq=False)
class RunEstimate(Record):
    """What the runs say about one classifier on one dataset; nan where there are too few of them.

    Attributes
    ----------
    dataset, classifier : str
        Whose runs they are.
    n_runs : int
        Number of runs.
    canonical : float
        The mean of the first runs: what is usually reported.
    steady_state, standard_error, standard_deviation : float
        The mean over all runs, its Monte Carlo error, and the standard deviation of the runs: see `steady_state`.
    skewness : float
        As in `estimate_distribution`, like the next four.
    skewness_interval : ConfidenceInterval
        Its 95% interval.
    mean_minus_median, normality_pvalue : float
        A mean below the median goes with a left skew.
    ceiling_share : float
        Share of the runs with the best score possible; nan if that is not known.
    reason : str or None
        None, or a sentence where something is not defined.
    """

    dataset: str
    classifier: str
    n_runs: int
    canonical: float
    steady_state: float
    standard_error: float
    standard_deviation: float
    skewness: float
    skewness_interval: ConfidenceInterval
    mean_minus_median: float
    normality_pvalue: float
    ceiling_share: float
    reason: str | None


@dataclass(frozen=True, kw_only=True, eq=False)
class RunPair(Record):
    """How consistently one of two classifiers is ahead on one dataset: see `overlap`.

    Attributes
    ----------
    dataset, first, second : str
        What is compared.
    n_wins, n_ties, n_losses : int
        Number of runs in which the first has the better score, in which they are tied, and in which the second has it.
    win_share, reproducibility : float
        R' and R: Raeder, Hoens & Chawla (2010), eq. 1 and 2.
    interval : ConfidenceInterval
        The 95% interval of `reproducibility`.
    """

    dataset: str
    first: str
    second: str
    n_wins: int
    n_ties: int
    n_losses: int
    win_share: float
    reproducibility: float
    interval: ConfidenceInterval


@dataclass(frozen=True, kw_only=True, eq=False)
class RunStopping(Record):
    """How many runs a stopping rule would have taken: see `replay`.

    Attributes
    ----------
    rule : str
        The rule.
    dataset, classifier : str
        Whose runs they are.
    mean_runs : float
        Mean over the orders in which the rule stops; nan if there is none.
    not_stopped_share : float
        Share of the orders in which all runs are not enough.
    """

    rule: str
    dataset: str
    classifier: str
    mean_runs: float
    not_stopped_share: float


@dataclass(frozen=True, kw_only=True, eq=False)
class RunReport(Record):
    """What `report_runs` returns; `evalstats.report` shows it.

    Attributes
    ----------
    metric, unit : str
        What was measured.
    greater_is_better : bool
        Its direction.
    ceiling : float or None
        The best score possible, if it is known.
    datasets, classifiers : tuple of str
        Their names.
    n_runs : tuple of int
        Number of runs on each dataset.
    canonical : int
        Number of first runs that make the canonical estimate.
    alpha : float
        Level of the tests.
    seed : int
        Of the orders in which the runs are replayed; `replay` with this seed gives the same numbers.
    n_orders : int
        Number of these orders.
    estimates : tuple of RunEstimate
        Each classifier on each dataset.
    pairs : tuple of RunPair
        Each pair of classifiers on each dataset with 2 runs or more.
    over_datasets : VerdictReproducibility or None
        The pairs and the ranking by mean rank; None unless several datasets have the same runs, 2 or more.
    pvalues : PValuesOverRuns or None
        The test over datasets, run by run: Wilcoxon for two classifiers, Friedman for more; None likewise.
    stopping : tuple of RunStopping
        Each rule for each classifier on each dataset with 2 runs or more.
    findings : tuple of Finding
        The gravest first.
    """

    metric: str
    unit: str
    greater_is_better: bool
    ceiling: float | None
    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    n_runs: tuple[int, ...]
    canonical: int
    alpha: float
    seed: int
    n_orders: int
    estimates: tuple[RunEstimate, ...]
    pairs: tuple[RunPair, ...]
    over_datasets: VerdictReproducibility | None
    pvalues: PValuesOverRuns | None
    stopping: tuple[RunStopping, ...]
    findings: tuple[Finding, ...]

    def _rows(self) -> Sequence[Record]:
        return self.estimates

    def to_csv(self) -> str:
        """Return every number as CSV, one in each line.

        Returns
        -------
        str
            Columns ``dataset``, ``classifier``, ``against``, ``quantity``, ``value``, and ``low`` and ``high`` of
            95% intervals; what is undefined is empty, and so is the dataset of what is told of all of them.
        """
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["dataset", "classifier", "against", "quantity", "value", "low", "high"])
        for *names, value, low, high in _quantities(self):
            writer.writerow([*names, *map(_exact, (value, low, high))])
        return out.getvalue()


def report_runs(
    source: Any,
    *,
    alpha: float = 0.05,
    canonical: int = 1,
    ceiling: float | None = None,
    stop: StoppingRule | Sequence[StoppingRule] = RULES,
    n_orders: int = 50,
    rng: Any = None,
    **reading: Any,
) -> RunReport:
    """See whether the verdict on some classifiers would survive another run, and how many runs are enough.

    Parameters
    ----------
    source : str, path-like, file object, data frame, dict, ScoreTable or Predictions
        Anything with repeats that `evalstats.read_table` takes: a long table with a column of repeats, the directory of
        a study (`evalstats.run_study`), or predictions. Without repeats there is one run.
    alpha : float, default: 0.05
        Level of the tests over datasets.
    canonical : int, default: 1
        Number of first runs that make the canonical estimate, as ``n_canonical`` of `evalstats.steady_state`.
    ceiling : float, optional
        The best score possible; by default that of the metric, if its name is known.
    stop : StoppingRule or sequence of StoppingRule, default: FixedRuns(10), KolmogorovSmirnov(), RankCorrelation()
        The rules to replay. Those that need probabilities are left out where there are none: they come from predictions
        with scores and with the names of the cases, all of which must be tested once in every run.
    n_orders : int, default: 50
        Number of random orders in which the runs are replayed, at least 2.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so that the same call gives the same result; a whole number is
        the seed; a Generator is used as it is.
        A seed is drawn from it.
    **reading : optional
        What `evalstats.read_table` takes: `metric`, `greater_is_better`, `dataset`, `missing`, `aggregate` and so on.

    Returns
    -------
    RunReport
        `evalstats.report.text` and its like show it; `to_csv` has every number.

    Raises
    ------
    TableError
        As `evalstats.read_table`.
    ValueError
        If `canonical` is more than the runs of a dataset, or a score is better than `ceiling`.

    Notes
    -----
    Runs that differ by their seed tell what another seed would give, not what other data would.

    References
    ----------
    Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates.
    IEEE International Conference on Data Mining.

    Examples
    --------
    >>> from evalstats import report_runs
    >>> scores = {"NB": [0.81, 0.84, 0.79, 0.90, 0.85, 0.83], "SVM": [0.78, 0.82, 0.80, 0.84, 0.80, 0.81]}
    >>> rows = [("iris", name, run, score) for name, own in scores.items() for run, score in enumerate(own)]
    >>> report = report_runs(dict(zip(("dataset", "classifier", "repeat", "accuracy"), zip(*rows))))
    >>> pair = report.pairs[0]
    >>> pair.n_wins, pair.n_losses, round(pair.reproducibility, 3)
    (5, 1, 0.667)
    >>> [finding.code for finding in report_runs({"dataset": ["iris"], "NB": [0.81], "SVM": [0.78]}).findings]
    ['one-run']
    """
    alpha = _checks.proportion(alpha, "alpha")
    canonical = _checks.count(canonical, "canonical")
    n_orders = _checks.count(n_orders, "n_orders", minimum=2)
    rules, seed = _rules(stop), _seed(rng)
    table = read_table(source, **reading)
    complete_scores(table, "report_runs")
    runs = runs_of_each_dataset(table)
    if canonical > (fewest := min(len(own.scores) for own in runs)):
        raise InvalidValueError(f"canonical must be at most the number of runs, {fewest}, not {canonical}")
    best = best_score(table, runs) if ceiling is None else _ceiling(ceiling, table, runs)

    estimates = tuple(_estimates(table, runs, canonical, best))
    pairs = tuple(_pairs(table, runs))
    stopping = tuple(_stopping(table, runs, rules, n_orders, seed))
    over_datasets, pvalues = _over_datasets(table, runs, alpha, seed)
    findings = tuple(_findings(table, estimates, pairs, over_datasets, pvalues, canonical))
    return RunReport(
        metric=table.metric,
        unit=table.unit,
        greater_is_better=table.greater_is_better,
        ceiling=best,
        datasets=table.datasets,
        classifiers=table.classifiers,
        n_runs=tuple(len(own.scores) for own in runs),
        canonical=canonical,
        alpha=alpha,
        seed=seed,
        n_orders=n_orders,
        estimates=estimates,
        pairs=pairs,
        over_datasets=over_datasets,
        pvalues=pvalues,
        stopping=stopping,
        findings=findings,
    )


def _rules(stop: Any) -> tuple[StoppingRule, ...]:
    words = "stopping rules such as FixedRuns(10)"
    rules = (stop,) if isinstance(stop, StoppingRule) else tuple(_checks.listed(stop, "stop", words))
    for rule in rules:
        if not isinstance(rule, StoppingRule):
            raise InvalidTypeError(f"stop must be stopping rules such as FixedRuns(10), not {short(rule)}")
    return rules


def _tolerance(table: ScoreTable) -> float:
    """Return the precision to which the scores of a table are compared."""
    return _checks.tolerance(DEFAULT_TIE_TOLERANCE, table)


def _seed(rng: Any) -> int:
    source = _checks.random_source(rng)
    return int(source.generator().integers(2**32)) if source.seed is None else source.seed


def _ceiling(given: Any, table: ScoreTable, runs: Sequence[Runs]) -> float:
    ceiling = _checks.finite(_checks.numbers(given, "ceiling"), "ceiling")
    if ceiling.ndim:
        raise InvalidTypeError(f"ceiling must be one number, not {short(given)}")
    sign = 1 if table.greater_is_better else -1
    best = sign * max(float((sign * own.scores).max()) for own in runs)
    if np.subtract(*rounded(sign * np.array([best, ceiling]), _tolerance(table))) > 0:
        raise InvalidValueError(f"scores must not be better than the ceiling of {given}, but one is {best:g}")
    return float(ceiling)


# --- numbers ----------------------------------------------------------------------------------------------------------


def _estimates(table: ScoreTable, runs: Sequence[Runs], canonical: int, best: float | None) -> Iterator[RunEstimate]:
    """Describe the runs; datasets with equally many of them are one batch."""
    numbers: dict[int, dict[str, Any]] = {}
    for at in _datasets_with_equally_many(runs):
        scores = np.stack([runs[i].scores.T for i in at])
        batch = _describe(scores, canonical, best, table.greater_is_better, _tolerance(table))
        numbers |= {i: {name: values[j] for name, values in batch.items()} for j, i in enumerate(at)}
    for i, dataset in enumerate(table.datasets):
        own = numbers[i]
        for j, classifier in enumerate(table.classifiers):
            low, high = float(own["low"][j]), float(own["high"][j])
            yield RunEstimate(
                dataset=dataset,
                classifier=classifier,
                n_runs=len(runs[i].scores),
                skewness_interval=ConfidenceInterval(low=low, high=high, confidence_level=0.95, attained_level=0.95),
                reason=own["reason"][j],
                **{name: float(values[j]) for name, values in own.items() if name not in ("low", "high", "reason")},
            )


def _datasets_with_equally_many(runs: Sequence[Runs]) -> list[list[int]]:
    alike: dict[int, list[int]] = {}
    for i, own in enumerate(runs):
        alike.setdefault(len(own.scores), []).append(i)
    return list(alike.values())


def _describe(
    scores: FloatArray, canonical: int, best: float | None, greater_is_better: bool, tie_tolerance: float
) -> dict[str, Any]:
    """Return the numbers of a batch of shape (n_datasets, n_classifiers, n_runs) by their names."""
    n = scores.shape[-1]
    unknown = np.full(scores.shape[:-1], np.nan)
    known: Any = {"tie_tolerance": tie_tolerance}
    steady = steady_state(scores, n_canonical=canonical, **known) if n > 1 else None
    shape = estimate_distribution(scores, ceiling=best if greater_is_better else None, **known) if n > 2 else None
    low, high = (unknown, unknown) if shape is None else shape.skewness_interval()
    at_best = unknown if shape is None else shape.ceiling_share
    if shape is not None and best is not None and not greater_is_better:
        at_best = estimate_distribution(-scores, ceiling=-best, **known).ceiling_share
    few = np.full(scores.shape[:-1], ONE_RUN if n == 1 else TWO_RUNS, dtype=object)
    return {
        "canonical": scores[..., 0] if steady is None else steady.canonical,
        "steady_state": unknown if steady is None else steady.estimate,
        "standard_error": unknown if steady is None else steady.standard_error,
        "standard_deviation": unknown if steady is None else steady.standard_deviation,
        "skewness": unknown if shape is None else shape.skewness,
        "low": low,
        "high": high,
        "mean_minus_median": unknown if shape is None else shape.mean_minus_median,
        "normality_pvalue": unknown if shape is None else shape.normality_pvalue,
        "ceiling_share": at_best,
        "reason": few if shape is None else shape.reason,
    }


def _pairs(table: ScoreTable, runs: Sequence[Runs]) -> Iterator[RunPair]:
    k = len(table.classifiers)
    sign = 1 if table.greater_is_better else -1
    for dataset, own in zip(table.datasets, runs, strict=True):
        if len(own.scores) < 2 or k < 2:
            continue
        result = overlap_matrix(sign * own.scores, tie_tolerance=_tolerance(table))
        lows, highs = result.confidence_interval()
        for i, j in itertools.combinations(range(k), 2):
            interval = ConfidenceInterval(
                low=float(lows[i, j]), high=float(highs[i, j]), confidence_level=0.95, attained_level=0.95
            )
            yield RunPair(
                dataset=dataset,
                first=table.classifiers[i],
                second=table.classifiers[j],
                n_wins=int(result.n_wins[i, j]),
                n_ties=int(result.n_ties[i, j]),
                n_losses=int(result.n_losses[i, j]),
                win_share=float(result.win_share[i, j]),
                reproducibility=float(result.reproducibility[i, j]),
                interval=interval,
            )


def _stopping(
    table: ScoreTable, runs: Sequence[Runs], rules: Sequence[StoppingRule], n_orders: int, seed: int
) -> Iterator[RunStopping]:
    for rule, (dataset, own) in itertools.product(rules, zip(table.datasets, runs, strict=True)):
        for j, classifier in enumerate(table.classifiers):
            probabilities = own.probabilities.get(classifier)
            if len(own.scores) < 2 or (rule.needs == "probabilities" and probabilities is None):
                continue
            result = replay(rule, own.scores[:, j], probabilities=probabilities, n_orders=n_orders, rng=seed)
            yield RunStopping(
                rule=result.rule,
                dataset=dataset,
                classifier=classifier,
                mean_runs=result.mean_runs,
                not_stopped_share=result.not_stopped_share,
            )


def _over_datasets(
    table: ScoreTable, runs: Sequence[Runs], alpha: float, seed: int
) -> tuple[VerdictReproducibility | None, PValuesOverRuns | None]:
    alike = len({own.names for own in runs}) == 1
    if len(runs) < 2 or len(table.classifiers) < 2 or not alike or len(runs[0].scores) < 2:
        return None, None
    scores = np.stack([own.scores for own in runs], axis=1)
    common: Any = {
        "alpha": alpha,
        "greater_is_better": table.greater_is_better,
        "tie_tolerance": _tolerance(table),
    }
    return verdict_reproducibility(scores, **common), pvalues_over_runs(scores, **common, rng=seed)


# --- findings ---------------------------------------------------------------------------------------------------------


def _findings(
    table: ScoreTable,
    estimates: Sequence[RunEstimate],
    pairs: Sequence[RunPair],
    over_datasets: VerdictReproducibility | None,
    pvalues: PValuesOverRuns | None,
    canonical: int,
) -> Iterator[Finding]:
    if alone := [{"dataset": name} for name in dict.fromkeys(one.dataset for one in estimates if one.n_runs == 1)]:
        where = "" if len(alone) == len(table.datasets) else f" on {_written(alone)}"
        yield Finding(
            code="one-run",
            severity="warning",
            sentence=f"One run{where} tells nothing about another one: repeat the cross-validation with other seeds, "
            "ten times or more.",
            places=tuple(alone),
        )
    if pvalues is not None and not pvalues.agree:
        yield Finding(
            code="runs-disagree",
            severity="warning",
            sentence=f"Of {pvalues.n_runs} runs, {''.join(rejections(pvalues, table.classifiers))}: whoever reports "
            "one run reports its seed. Average the runs, then test once.",
        )
    if reversing := [*_reversing_ranks(table, over_datasets), *_reversing(pairs)]:
        yield Finding(
            code="pair-reverses",
            severity="warning",
            sentence=f"The other classifier is ahead in more than one run of four, ties half, so that R is below "
            f"{LEAST_REPRODUCIBLE:g}: {_written(reversing)}.",
            places=tuple(reversing),
        )
    yield from _findings_of_estimates(table, estimates, canonical)


def _findings_of_estimates(table: ScoreTable, estimates: Sequence[RunEstimate], canonical: int) -> Iterator[Finding]:
    better = table.greater_is_better
    side, word = ("left", "above") if better else ("right", "below")
    of_cases = {
        f"{side}-skewed": (
            f"The runs are skewed to the {side}, so that most single runs are {word} the mean: report the median too",
            [one for one in estimates if (one.skewness_interval.high < 0 if better else one.skewness_interval.low > 0)],
        ),
        "at-ceiling": (
            "Runs reach the best score possible, where differences between classifiers are cut off",
            [one for one in estimates if one.ceiling_share > 0],
        ),
        "canonical-far-from-steady-state": (
            f"The canonical estimate is more than {FAR} standard deviations from the steady state",
            [one for one in estimates if _is_far(one, canonical)],
        ),
    }
    for code, (words, where) in of_cases.items():
        if places := [{"dataset": one.dataset, "classifier": one.classifier} for one in where]:
            yield Finding(code=code, severity="note", sentence=f"{words}: {_written(places)}.", places=tuple(places))


def _is_far(one: RunEstimate, canonical: int) -> bool:
    deviation = one.standard_deviation / math.sqrt(canonical)  # of a mean of so many runs
    return abs(one.canonical - one.steady_state) > FAR * deviation > 0


def _reversing(pairs: Iterable[RunPair]) -> Iterator[dict[str, str]]:
    for pair in pairs:
        if pair.reproducibility < LEAST_REPRODUCIBLE:
            yield {"dataset": pair.dataset, "classifier": pair.first, "against": pair.second}


def _reversing_ranks(table: ScoreTable, over_datasets: VerdictReproducibility | None) -> Iterator[dict[str, str]]:
    if over_datasets is not None:
        for i, j in itertools.combinations(range(len(table.classifiers)), 2):
            if over_datasets.pairs.reproducibility[i, j] < LEAST_REPRODUCIBLE:
                yield {"classifier": table.classifiers[i], "against": table.classifiers[j]}


def _written(places: Sequence[dict[str, str]]) -> str:
    """Name the first places, and count the others."""
    names = []
    for place in places[:MOST_PLACES]:
        whose = " against ".join(place[what] for what in ("classifier", "against") if what in place)
        dataset = place.get("dataset")
        names.append(f"{whose} on {dataset}" if whose and dataset else f"{whose} by mean rank" if whose else dataset)
    more = len(places) - len(names)
    return ", ".join(map(str, names)) + (f", and {more} more" if more else "")


def rejections(pvalues: PValuesOverRuns, classifiers: Sequence[str]) -> tuple[str, str]:
    """Say how many of the runs reject and, of two classifiers, in whose favour."""
    words = f"{pvalues.n_reject or 'none'} reject{'s' if pvalues.n_reject < 2 else ''}"
    favoured = zip((pvalues.n_reject_first, pvalues.n_reject_second), classifiers, strict=False)
    sides = " and ".join(f"{n} in favour of {name}" for n, name in favoured if n)
    return words, f", {sides}" if sides else ""


# --- CSV --------------------------------------------------------------------------------------------------------------

_NO_INTERVAL = (math.nan, math.nan)
_OF_ESTIMATES = (
    *("n_runs", "canonical", "steady_state", "standard_error", "standard_deviation", "skewness"),
    *("mean_minus_median", "normality_pvalue", "ceiling_share"),
)


def _quantities(report: RunReport) -> Iterator[tuple[Any, ...]]:
    """Yield dataset, classifier, classifier it is compared with, name, value and limits of every number."""
    if report.pvalues is not None and report.over_datasets is not None:
        over = report.over_datasets
        yield "", "", "", "reject_share", report.pvalues.reject_share, *report.pvalues.confidence_interval()
        yield "", "", "", "median_pvalue", report.pvalues.median_pvalue, *_NO_INTERVAL
        yield "", "", "", "same_ranking", over.same_ranking, *_NO_INTERVAL
        yield "", "", "", "kendall_tau", over.kendall_tau, *_NO_INTERVAL
        low, high = over.pairs.confidence_interval()
        for i, j in itertools.combinations(range(over.n_classifiers), 2):
            ranked = "", report.classifiers[i], report.classifiers[j]
            yield *ranked, "n_significant", int(over.n_significant[i, j]), *_NO_INTERVAL
            yield *ranked[:1], *ranked[:0:-1], "n_significant", int(over.n_significant[j, i]), *_NO_INTERVAL
            yield *ranked, "win_share", float(over.pairs.win_share[i, j]), *_NO_INTERVAL
            yield (
                *ranked,
                "reproducibility",
                float(over.pairs.reproducibility[i, j]),
                float(low[i, j]),
                float(high[i, j]),
            )
    for pair in report.pairs:
        names = pair.dataset, pair.first, pair.second
        yield *names, "win_share", pair.win_share, *_NO_INTERVAL
        yield *names, "reproducibility", pair.reproducibility, *pair.interval
    for one in report.estimates:
        for name in _OF_ESTIMATES:
            limits = one.skewness_interval if name == "skewness" else _NO_INTERVAL
            yield one.dataset, one.classifier, "", name, getattr(one, name), *limits
    for stopping in report.stopping:
        names = stopping.dataset, stopping.classifier, ""
        yield *names, f"{stopping.rule}: mean_runs", stopping.mean_runs, *_NO_INTERVAL
        yield *names, f"{stopping.rule}: not_stopped_share", stopping.not_stopped_share, *_NO_INTERVAL


def _exact(value: float) -> str:
    return "" if math.isnan(value) else repr(value)
