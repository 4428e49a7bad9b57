"""Findings about the scores of one or more runs."""

from __future__ import annotations

__all__ = ["findings_of_runs", "rejections", "rules_left_out"]

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

from evalstats._findings import Finding
from evalstats.comparison.runs.record import RunEstimate, RunPair, RunStopping
from evalstats.distributions.small_sample_limits import unseen_words
from evalstats.reproducibility.run_overlap import PValuesOverRuns, VerdictReproducibility
from evalstats.reproducibility.stopping import StoppingRule
from evalstats.tables.score_table import ScoreTable

LEAST_REPRODUCIBLE = 0.5  # R if one classifier is ahead in three of four runs
FAR = 2  # standard deviations of a canonical estimate
MOST_PLACES = 4


def findings_of_runs(
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


def rules_left_out(
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
