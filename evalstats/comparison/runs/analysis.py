"""Analysis of the recorded runs of an experiment: reproducibility of the decision, and findings.

A run is one repeat of a whole cross-validation. The score of a run for a classifier and a dataset is the mean over the
folds, or the result of `evalstats.score_predictions`.
"""

from __future__ import annotations

__all__ = ["analyze_runs", "rejections"]

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._findings import Finding
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, rounded
from evalstats._result import ConfidenceInterval
from evalstats._types import FloatArray
from evalstats.comparison.option_checks import data_checksum, options_given
from evalstats.comparison.runs.record import RunAnalysis, RunEstimate, RunPair, RunStopping
from evalstats.distributions.small_sample_limits import unseen_words
from evalstats.io.reader.tables import read_table, reading_of
from evalstats.reproducibility.run_overlap import (
    PValuesOverRuns,
    VerdictReproducibility,
    overlap_matrix,
    pvalues_over_runs,
    verdict_reproducibility,
)
from evalstats.reproducibility.run_summaries import long_run_mean, run_distribution
from evalstats.reproducibility.stopping import (
    FixedRuns,
    KolmogorovSmirnov,
    RankCorrelation,
    StoppingRule,
    replay_stopping_rule,
)
from evalstats.tables.runs import Runs, best_score, runs_of_each_dataset
from evalstats.tables.score_table import ScoreTable, complete_scores

LEAST_REPRODUCIBLE = 0.5  # R if one classifier is ahead in three of four runs
FAR = 2  # standard deviations of a canonical estimate
MOST_PLACES = 4


def _findings_of_runs(
    table: ScoreTable,
    estimates: Sequence[RunEstimate],
    pairs: Sequence[RunPair],
    over_datasets: VerdictReproducibility | None,
    pvalues: PValuesOverRuns | None,
    n_canonical: int,
) -> Iterator[Finding]:
    """Yield the findings about individual runs, contradictory runs and unusual scores."""
    if alone := [{"dataset": name} for name in dict.fromkeys(one.dataset for one in estimates if one.n_runs == 1)]:
        where = "" if len(alone) == len(table.datasets) else f" on {_written(alone)}"
        yield Finding(
            code="one-run",
            severity="warning",
            sentence=f"One run{where} does not represent other partitions: repeat the cross-validation ten or more "
            "times with different seeds.",
            places=tuple(alone),
        )
    if pvalues is not None and not pvalues.agree:
        yield Finding(
            code="runs-disagree",
            severity="warning",
            sentence=f"Of {pvalues.n_runs} runs, {''.join(rejections(pvalues, table.classifiers))}: a report "
            "of one run depends on its seed. Average the scores over the runs, and then test once.",
        )
    if reversing := [*_reversing_ranks(table, over_datasets), *_reversing(pairs)]:
        yield Finding(
            code="pair-reverses",
            severity="warning",
            sentence="In some pairs, each classifier is ahead in more than a quarter of the runs (ties count half). "
            f"The reproducibility R of these pairs is below {LEAST_REPRODUCIBLE:g}: {_written(reversing)}.",
            places=tuple(reversing),
        )
    fewest = min((one.n_runs for one in estimates if one.standard_deviation > 0), default=None)
    if fewest is not None and (unseen := unseen_words(fewest)) is not None:
        yield Finding(
            code="few-runs", severity="note", sentence=f"Few runs may miss a rare failure: {unseen}.", places=()
        )
    yield from _findings_of_estimates(table, estimates, n_canonical)


def _findings_of_estimates(table: ScoreTable, estimates: Sequence[RunEstimate], canonical: int) -> Iterator[Finding]:
    better = table.greater_is_better
    side, word = ("left", "above") if better else ("right", "below")
    of_cases = {
        f"{side}-skewed": (
            f"The runs are skewed to the {side}, so most individual runs are {word} the mean: report the median too",
            [one for one in estimates if (one.skewness_interval.high < 0 if better else one.skewness_interval.low > 0)],
        ),
        "at-ceiling": (
            "Some runs reach the best possible score, which limits the differences between classifiers",
            [one for one in estimates if one.ceiling_proportion > 0],
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
    deviation = one.standard_deviation / math.sqrt(canonical)  # standard error of a mean of this number of runs
    return abs(one.canonical - one.long_run_mean) > FAR * deviation > 0


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
    """Return the first places of a finding as text, with the number of the other places."""
    names = []
    for place in places[:MOST_PLACES]:
        whose = " against ".join(place[what] for what in ("classifier", "against") if what in place)
        dataset = place.get("dataset")
        names.append(f"{whose} on {dataset}" if whose and dataset else f"{whose} by mean rank" if whose else dataset)
    more = len(places) - len(names)
    return ", ".join(map(str, names)) + (f", and {more} more" if more else "")


def rejections(pvalues: PValuesOverRuns, classifiers: Sequence[str]) -> tuple[str, str]:
    """State in how many runs the test rejects and, for two classifiers, in favor of which classifier."""
    words = f"{pvalues.n_reject or 'none'} reject{'s' if pvalues.n_reject < 2 else ''}"
    favored = zip((pvalues.n_reject_first, pvalues.n_reject_second), classifiers, strict=False)
    sides = " and ".join(f"{n} in favor of {name}" for n, name in favored if n)
    return words, f", {sides}" if sides else ""


def _rules_left_out(
    rules: Sequence[StoppingRule], replayed: Sequence[RunStopping], estimates: Sequence[RunEstimate]
) -> Iterator[Finding]:
    """Yield a finding about the stopping rules that require probabilities, if the runs contain no probabilities."""
    done = {(one.rule, one.dataset, one.classifier) for one in replayed}
    several = [(one.dataset, one.classifier) for one in estimates if one.n_runs > 1]
    without: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for rule in map(repr, rules):
        if missing := tuple(place for place in several if (rule, *place) not in done):
            without.setdefault(missing, []).append(rule)
    for missing, names in without.items():
        places = [{"dataset": dataset, "classifier": classifier} for dataset, classifier in missing]
        where = "" if len(missing) == len(several) else f" for {_written(places)}"
        verb, takes = ("was", "it takes") if len(names) == 1 else ("were", "they take")
        yield Finding(
            code="rule-not-replayed",
            severity="note",
            sentence=f"{', '.join(names)} {verb} not replayed{where}: {takes} the probabilities or scores of the same "
            "instances in every run. Predictions contain them, and a study keeps them with predictions=True.",
            places=tuple(places) if where else (),
        )


RULES: tuple[StoppingRule, ...] = (FixedRuns(10), KolmogorovSmirnov(), RankCorrelation())
ONE_RUN = "there is only one run, so no comparison is possible"
TWO_RUNS = "skewness and normality require 3 or more runs"


def analyze_runs(
    source: Any,
    *,
    alpha: float = 0.05,
    n_canonical: int = 1,
    ceiling: float | None = None,
    stopping_rule: StoppingRule | Sequence[StoppingRule] = RULES,
    n_resamples: int = 50,
    rng: Any = None,
    **read_kwargs: Any,
) -> RunAnalysis:
    """Analyze whether the decision is the same in different runs, and how many runs are sufficient.

    Parameters
    ----------
    source : str, path-like, file object, data frame, dict, ScoreTable or Predictions
        Any input of `evalstats.read_table` with repeats: a long table with a column of repeats, the directory of a
        study (`evalstats.run_study`), or predictions. If there are no repeats, the data count as one run.
    alpha : float, default: 0.05
        Significance level of the tests over datasets.
    n_canonical : int, default: 1
        Number of runs, from the first, in the canonical estimate, as in `long_run_mean`.
    ceiling : float, optional
        The best possible score. Default: the best possible score of the metric, if the name of the metric is known.
    stopping_rule : StoppingRule or sequence of StoppingRule, default: each rule
        The rules to replay: ``FixedRuns(10)``, ``KolmogorovSmirnov()`` and ``RankCorrelation()``. If there are no
        probabilities, the rules that require probabilities are left out, and a finding states the omission.
        Probabilities come from predictions with scores and with names of the instances. Each instance must be tested
        once in each run. A study, or its directory, contains probabilities if the study was run with
        ``predictions=True``.
    n_resamples : int, default: 50
        Number of random orders in which the runs are replayed, at least 2.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. If you pass a Generator, the function draws a seed from it.
    **read_kwargs : optional
        Other arguments of `evalstats.read_table`, such as `metric`, `greater_is_better`, `missing` and `columns`. You
        can also pass the options of `columns` and `parsing` as separate arguments, as in `evalstats.compare`.

    Returns
    -------
    RunAnalysis
        Result that `evalstats.report` renders. The method `to_csv` returns every number.

    Raises
    ------
    TableError
        As in `evalstats.read_table`.
    ValueError
        If `n_canonical` exceeds the number of runs of a dataset, or a score is better than `ceiling`.

    Notes
    -----
    Runs that differ in their seed show the effect of different seeds, but not the effect of different data.

    References
    ----------
    Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates.
    IEEE International Conference on Data Mining.

    Examples
    --------
    >>> from evalstats import analyze_runs
    >>> scores = {"NB": [0.81, 0.84, 0.79, 0.90, 0.85, 0.83], "SVM": [0.78, 0.82, 0.80, 0.84, 0.80, 0.81]}
    >>> rows = [("iris", name, run, score) for name, own in scores.items() for run, score in enumerate(own)]
    >>> report = analyze_runs(dict(zip(("dataset", "classifier", "repeat", "accuracy"), zip(*rows))))
    >>> pair = report.pairs[0]
    >>> pair.n_wins, pair.n_losses, round(pair.reproducibility, 3)
    (5, 1, 0.667)
    >>> [finding.code for finding in analyze_runs({"dataset": ["iris"], "NB": [0.81], "SVM": [0.78]}).findings]
    ['one-run']
    """
    given = dict(locals())
    reading = reading_of(None, read_kwargs, analyze_runs)
    alpha = _checks.significance_level(alpha)
    n_canonical = _checks.count(n_canonical, "n_canonical")
    n_resamples = _checks.count(n_resamples, "n_resamples", minimum=2)
    rules, seed = _rules(stopping_rule), _seed(rng)
    table = read_table(source, **reading)
    complete_scores(table, "analyze_runs")
    runs = runs_of_each_dataset(table, source)
    if n_canonical > (fewest := min(len(own.scores) for own in runs)):
        raise InvalidValueError(f"n_canonical must be at most the number of runs, {fewest}, not {n_canonical}")
    best = best_score(table, runs) if ceiling is None else _ceiling(ceiling, table, runs)

    estimates = tuple(_estimates(table, runs, n_canonical, best))
    pairs = tuple(_pairs(table, runs))
    stopping = tuple(_stopping(table, runs, rules, n_resamples, seed))
    over_datasets, pvalues = _over_datasets(table, runs, alpha, seed)
    findings = (
        *_findings_of_runs(table, estimates, pairs, over_datasets, pvalues, n_canonical),
        *_rules_left_out(rules, stopping, estimates),
    )
    return RunAnalysis(
        metric=table.metric,
        unit=table.unit,
        greater_is_better=table.greater_is_better,
        ceiling=best,
        datasets=table.datasets,
        classifiers=table.classifiers,
        n_runs=tuple(len(own.scores) for own in runs),
        n_canonical=n_canonical,
        alpha=alpha,
        seed=seed,
        n_resamples=n_resamples,
        estimates=estimates,
        pairs=pairs,
        over_datasets=over_datasets,
        pvalues=pvalues,
        stopping=stopping,
        findings=findings,
        options=_options(given, rules),
        data_checksum=data_checksum(source),
    )


def _options(given: dict[str, Any], rules: Sequence[StoppingRule]) -> dict[str, Any]:
    """Return the arguments that differ from the defaults. Stopping rules are returned as text."""
    of_report = {name: value for name, value in (analyze_runs.__kwdefaults__ or {}).items() if name != "stopping_rule"}
    options = options_given(given, (read_table.__kwdefaults__ or {}) | of_report)
    texts = [repr(rule) for rule in rules]
    return options if texts == [repr(rule) for rule in RULES] else {**options, "stopping_rule": texts}


def _rules(stop: Any) -> tuple[StoppingRule, ...]:
    words = "stopping rules such as FixedRuns(10)"
    rules = (stop,) if isinstance(stop, StoppingRule) else tuple(_checks.listed(stop, "stopping_rule", words))
    for rule in rules:
        if not isinstance(rule, StoppingRule):
            raise InvalidTypeError(
                f"stopping_rule must be one or more stopping rules such as FixedRuns(10), not {short(rule)}"
            )
        if rule.needs == "pair":
            raise InvalidValueError(
                f"stopping_rule must be for individual classifiers, but {rule!r} uses two classifiers; replay it with "
                "replay_stopping_rule(rule, scores, other_scores=scores_of_the_other)"
            )
    return rules


def _tolerance(table: ScoreTable) -> float:
    """Return the relative precision at which two scores of a table count as equal."""
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


def _estimates(table: ScoreTable, runs: Sequence[Runs], canonical: int, best: float | None) -> Iterator[RunEstimate]:
    """Yield the estimates of each classifier; datasets with the same number of runs are one batch."""
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
    """Return the estimates by name for a batch of scores of shape (n_datasets, n_classifiers, n_runs)."""
    n = scores.shape[-1]
    unknown = np.full(scores.shape[:-1], np.nan)
    known: Any = {"tie_tolerance": tie_tolerance}
    steady = long_run_mean(scores, n_canonical=canonical, **known) if n > 1 else None
    shape = run_distribution(scores, ceiling=best if greater_is_better else None, **known) if n > 2 else None
    low, high = (unknown, unknown) if shape is None else shape.skewness_interval()
    at_best = unknown if shape is None else shape.ceiling_proportion
    if shape is not None and best is not None and not greater_is_better:
        at_best = run_distribution(-scores, ceiling=-best, **known).ceiling_proportion
    few = np.full(scores.shape[:-1], ONE_RUN if n == 1 else TWO_RUNS, dtype=object)
    return {
        "canonical": scores[..., 0] if steady is None else steady.canonical,
        "long_run_mean": unknown if steady is None else steady.estimate,
        "standard_error": unknown if steady is None else steady.standard_error,
        "standard_deviation": unknown if steady is None else steady.standard_deviation,
        "skewness": unknown if shape is None else shape.skewness,
        "low": low,
        "high": high,
        "mean_minus_median": unknown if shape is None else shape.mean_minus_median,
        "normality_pvalue": unknown if shape is None else shape.normality_pvalue,
        "ceiling_proportion": at_best,
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
    table: ScoreTable, runs: Sequence[Runs], rules: Sequence[StoppingRule], n_resamples: int, seed: int
) -> Iterator[RunStopping]:
    for rule, (dataset, own) in itertools.product(rules, zip(table.datasets, runs, strict=True)):
        for j, classifier in enumerate(table.classifiers):
            probabilities = own.probabilities.get(classifier)
            if len(own.scores) < 2 or (rule.needs == "probabilities" and probabilities is None):
                continue
            result = replay_stopping_rule(
                rule, own.scores[:, j], probabilities=probabilities, n_resamples=n_resamples, rng=seed
            )
            yield RunStopping(
                rule=result.rule,
                dataset=dataset,
                classifier=classifier,
                mean_runs=result.mean_runs,
                not_stopped_proportion=result.not_stopped_proportion,
            )


def _over_datasets(
    table: ScoreTable, runs: Sequence[Runs], alpha: float, seed: int
) -> tuple[VerdictReproducibility | None, PValuesOverRuns | None]:
    alike = len({own.names for own in runs}) == 1
    if len(runs) < 2 or len(table.classifiers) < 2 or not alike or len(runs[0].scores) < 2:
        return None, None
    scores = np.stack([own.scores for own in runs], axis=1)
    common: Any = {"alpha": alpha, "greater_is_better": table.greater_is_better, "tie_tolerance": _tolerance(table)}
    return verdict_reproducibility(scores, **common), pvalues_over_runs(scores, **common, rng=seed)
