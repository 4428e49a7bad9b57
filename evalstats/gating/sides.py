"""Which items do both sides have, and who is ahead in each task?"""

from __future__ import annotations

__all__ = ["GateTask", "Sides", "gate_tasks", "read_sides"]

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._errors import short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._types import FloatArray
from evalstats.gating.anytime import AnytimePair, in_order, limits_of, loss_of_items, of_clusters, over_tasks
from evalstats.gating.policy import Policy, Rule
from evalstats.paired.accuracy_margins import AccuracyPair, GroupedAccuracyPair
from evalstats.paired.margin_results import MarginProblem, understand_margin
from evalstats.paired.shifted_scores import ShiftedScores
from evalstats.tables.grid import TableError
from evalstats.tables.item_answers import ItemAnswers, item_answers
from evalstats.tables.log_answers import log_answers
from evalstats.tables.prediction_scores import metric_names, usual_name
from evalstats.tables.reading import read_table
from evalstats.tables.score_table import ScoreTable

# so many names are listed in a message before the others are counted
LISTED = 5
N_RESAMPLES = 9999
# what a table calls scores that nobody named
UNNAMED = "score"


class GateTask(NamedTuple):
    """One task: by how much the candidate is ahead, whatever the direction of the metric."""

    name: str
    metric: str
    rule: Rule
    problem: MarginProblem
    n: int
    n_clusters: int | None
    unit: str  # what is counted: cases or datasets
    scores: tuple[float, float]  # of the baseline and of the candidate, as they are
    lost: tuple[str, ...]  # items that only the baseline gets right
    won: tuple[str, ...]
    n_left_out: int
    greater_is_better: bool
    has_samples: bool = False


class Sides(NamedTuple):
    """Both sides, of one kind: answers to items, or scores of datasets."""

    baseline: ItemAnswers | ScoreTable
    candidate: ItemAnswers | ScoreTable


def read_sides(
    baseline: Any, candidate: Any, baseline_name: str | None, candidate_name: str | None, policy: Policy
) -> Sides:
    """Read both sides, which must be of one kind."""
    cluster, metric = policy.cluster, policy.rule.metric
    first = _read(baseline, "baseline", baseline_name, cluster, metric)
    second = _read(candidate, "candidate", candidate_name, None, metric)
    if isinstance(first, ScoreTable) != isinstance(second, ScoreTable):
        kinds = [
            ("scores of datasets" if isinstance(one, ScoreTable) else "answers to items") for one in (first, second)
        ]
        raise InvalidValueError(f"baseline and candidate must be of one kind, but they are {kinds[0]} and {kinds[1]}")
    if cluster is not None and isinstance(first, ScoreTable):
        raise InvalidValueError("cluster is of answers to items, but baseline and candidate are scores of datasets")
    return Sides(first, second)


def _read(
    source: Any, side: str, classifier: str | None, cluster: str | None, metric: str | None
) -> ItemAnswers | ScoreTable:
    if isinstance(source, str | os.PathLike) and os.fspath(source).endswith(".json") and (kept := _report(source)):
        return _one_column(kept, side, classifier)
    if not isinstance(source, ScoreTable):
        logged = log_answers(source, classifier=classifier, cluster=cluster, metric=metric, argument=f"{side}_name")
        if logged is not None:
            return logged
        answers = item_answers(source, classifier=classifier, cluster=cluster, argument=f"{side}_name")
        if answers is not None:
            return answers
    table = source if isinstance(source, ScoreTable) else read_table(source, metric=metric)
    return _one_column(table, side, classifier)


def _report(path: Any) -> ScoreTable | None:
    """Return the table that the JSON of a comparison holds; None where the file is no report."""
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None  # whatever it is, the reader of tables says what is wrong with it
    if not isinstance(report, Mapping) or not str(report.get("kind", "")).startswith("evalstats"):
        return None
    stored = report.get("comparison", {}).get("table") if isinstance(report.get("comparison"), Mapping) else None
    if not isinstance(stored, Mapping):
        raise InvalidValueError(f"{short(os.fspath(path))} is a report without a table of scores; take that of compare")
    names = ("scores", "datasets", "classifiers", "metric", "unit", "greater_is_better")
    try:
        kept: dict[str, Any] = {name: tuple(stored[name]) if name in names[1:3] else stored[name] for name in names}
    except (KeyError, TypeError):
        raise InvalidValueError(f"{short(os.fspath(path))} is a report whose table is not whole") from None
    return ScoreTable(**kept)


def _one_column(table: ScoreTable, side: str, classifier: str | None) -> ScoreTable:
    known = table.classifiers
    if classifier is None and len(known) > 1:
        listed = ", ".join(map(short, known[:LISTED]))
        problem = f"{side} must be one classifier, but the table holds {listed}"
        raise TableError(problem, "name the one that is meant with {}", f"{side}_name", known[0])
    if classifier is not None and classifier not in known:
        raise InvalidValueError(
            f"{side}_name must be one of {', '.join(map(short, known[:LISTED]))}, not {short(classifier)}"
        )
    return table.select((known[0] if classifier is None else classifier,))


def gate_tasks(sides: Sides, policy: Policy) -> Iterator[GateTask]:
    """Yield every task, or refuse sides that do not have the same."""
    if isinstance(sides.baseline, ScoreTable) and isinstance(sides.candidate, ScoreTable):
        yield _over_datasets(sides.baseline, sides.candidate, policy)
        return
    assert isinstance(sides.baseline, ItemAnswers)
    assert isinstance(sides.candidate, ItemAnswers)
    old, new = sides.baseline.keys(), sides.candidate.keys()
    tasks = list(dict.fromkeys(sides.baseline.task))
    _refuse_other_tasks(tasks, list(dict.fromkeys(sides.candidate.task)), policy)
    both: dict[str, list[tuple[int, int]]] = {name: [] for name in tasks}
    for key, i in old.items():
        if key in new:
            both[key[0]].append((i, new[key]))
    alone = [key for key in old if key not in new], [key for key in new if key not in old]
    if not policy.intersect:
        _refuse_alone(*alone)
    left_out = Counter(task for side in alone for task, _ in side)
    for name, rows in both.items():
        if not rows:
            raise InvalidValueError(f"baseline and candidate must have items of {short(name)} in common, but have none")
    if policy.average is not None:
        yield _over_tasks(policy, sides.baseline, sides.candidate, both, left_out.total())
    for name, rows in both.items():
        yield _task(name, policy, sides.baseline, sides.candidate, rows, left_out[name])


def _refuse_other_tasks(old: list[str], new: list[str], policy: Policy) -> None:
    """Refuse a task that one side lacks altogether: that would be no intersection of items."""
    for names, others, side in ((old, new, "candidate"), (new, old, "baseline")):
        if missing := [name for name in names if name not in others]:
            listed = ", ".join(map(short, missing[:LISTED]))
            raise InvalidValueError(f"baseline and candidate must have the same tasks, but the {side} lacks {listed}")
    if missing := [name for name in policy.tasks if name not in old]:
        known = ", ".join(map(short, old[:LISTED]))
        raise InvalidValueError(f"the policy names the task {short(missing[0])}, but both sides have {known}")


def _refuse_alone(old: list[tuple[str, str]], new: list[tuple[str, str]]) -> None:
    if not old and not new:
        return
    told = []
    for keys, words in ((old, "the candidate lacks"), (new, "the baseline lacks")):
        if keys:
            listed = ", ".join(f"{short(item)} of {short(task)}" for task, item in keys[:LISTED])
            more = f" and {len(keys) - LISTED} more" if len(keys) > LISTED else ""
            told.append(f"{words} {len(keys)} ({listed}{more})")
    problem = f"baseline and candidate must have answered the same items, but {' and '.join(told)}"
    raise TableError(problem, "to compare what both have, give {}", "intersect")


def _task(
    name: str, policy: Policy, old: ItemAnswers, new: ItemAnswers, rows: list[tuple[int, int]], n_left_out: int
) -> GateTask:
    rule = policy.of(name)
    first, second = (np.array(side) for side in zip(*rows, strict=True))
    _refuse_other_truths(name, old, new, rows)
    metric = usual_name(rule.metric or "") or ("accuracy" if _has_answers(old) and _has_answers(new) else "roc_auc")
    if old.metric is not None or new.metric is not None:
        metric = "accuracy"  # the metric was that of the log, and its scores are here
    clusters = None if old.cluster is None else [old.cluster[i] for i in first]
    n_clusters = None if clusters is None else len(set(clusters))
    right = None
    if _has_answers(old) and _has_answers(new):
        right = _share(old)[first], _share(new)[second]
    if metric == "accuracy":
        if right is None:
            raise InvalidValueError(
                f"accuracy of {short(name)} needs the columns correct, or y_true and y_pred, on both sides"
            )
        understand_margin(rule.margin, are_shares=True)
        problem: MarginProblem
        scores, greater = (float(right[0].mean()), float(right[1].mean())), True
        if policy.anytime:
            problem = in_order(*of_clusters(clusters, *right), policy.alpha, name)
            scores = problem.scores
        elif _has_samples(old, new):
            problem = _shares(*right, clusters, None, "micro")
        else:
            problem = _accuracy(*right, clusters)
    else:
        problem, scores, greater = _any_metric(metric, policy, name, old, new, (first, second), clusters)
    items = [old.item[i] for i in first]
    lost = won = ()
    if right is not None:
        lost = tuple(item for item, a, b in zip(items, *right, strict=True) if a > b)
        won = tuple(item for item, a, b in zip(items, *right, strict=True) if b > a)
    sampled = _has_samples(old, new)
    return GateTask(
        name, metric, rule, problem, len(rows), n_clusters, "case", scores, lost, won, n_left_out, greater, sampled
    )


def _over_tasks(
    policy: Policy, old: ItemAnswers, new: ItemAnswers, both: dict[str, list[tuple[int, int]]], n_left_out: int
) -> GateTask:
    """Return the mean accuracy over all tasks as one task: they are the strata of the items."""
    assert policy.average is not None
    is_told = old.metric is not None or new.metric is not None
    is_other = not is_told and (policy.rule.metric or "accuracy") != "accuracy"
    if is_other or not (_has_answers(old) and _has_answers(new)):
        raise InvalidValueError(
            f"average is of accuracies, and needs right and wrong answers, not {policy.rule.metric or 'scores alone'}"
        )
    understand_margin(policy.rule.margin, are_shares=True)
    name = f"mean of {len(both)} tasks ({policy.average})"
    if name in both:
        raise InvalidValueError(f"no task may be called {short(name)}, which is the mean of all; rename it")
    strata = [task for task, pairs in both.items() for _ in pairs]
    rows = [pair for pairs in both.values() for pair in pairs]
    for task, pairs in both.items():
        _refuse_other_truths(task, old, new, pairs)
    first, second = (np.array(side) for side in zip(*rows, strict=True))
    clusters = None if old.cluster is None else [old.cluster[i] for i in first]
    x, y = _share(old)[first], _share(new)[second]
    problem: MarginProblem
    if policy.anytime:
        problem = over_tasks(x, y, first, clusters, strata, policy.average, policy.alpha)
        scores = problem.scores
    else:
        problem = _shares(x, y, clusters, strata, policy.average)
        scores = _mean_of(x, strata, policy.average), _mean_of(y, strata, policy.average)
    return GateTask(
        name,
        "accuracy",
        policy.rule,
        problem,
        len(rows),
        None if clusters is None else len(set(clusters)),
        "case",
        scores,
        (),
        (),
        n_left_out,
        True,
        _has_samples(old, new),
    )


def _mean_of(values: FloatArray, strata: list[str], average: str) -> float:
    from evalstats.metrics.clustered import clustered_mean

    return float(clustered_mean(values, strata=strata, average=average).estimate)


def _shares(
    old: FloatArray, new: FloatArray, clusters: list[str] | None, strata: list[str] | None, average: str
) -> MarginProblem:
    """Compare shares of right samples, or right answers over several tasks: by t."""
    from evalstats.paired.clustered_margins import expecting_another_cluster

    if len(old) < 2:
        raise InvalidValueError("samples of a single item tell nothing of other items; two items are needed at least")
    return expecting_another_cluster(new, old, groups=clusters, strata=strata, average=average)


def _has_samples(old: ItemAnswers, new: ItemAnswers) -> bool:
    return old.share is not None or new.share is not None


def _has_answers(side: ItemAnswers) -> bool:
    if side.share is not None:
        return True
    return side.right is not None or (side.y_true is not None and side.y_pred is not None)


def _share(side: ItemAnswers) -> FloatArray:
    """Return the share of right samples of each item: 1 and 0 of a single answer."""
    if side.share is not None:
        return np.array(side.share)
    if side.right is not None:
        return np.array(side.right, dtype=np.float64)
    assert side.y_true is not None
    assert side.y_pred is not None
    return np.array([a == b for a, b in zip(side.y_true, side.y_pred, strict=True)], dtype=np.float64)


def _refuse_other_truths(name: str, old: ItemAnswers, new: ItemAnswers, rows: list[tuple[int, int]]) -> None:
    if old.y_true is None or new.y_true is None:
        return
    for i, j in rows:
        if old.y_true[i] != new.y_true[j]:
            raise InvalidValueError(
                f"the item {short(old.item[i])} of {short(name)} must have one true label, but it is "
                f"{short(old.y_true[i])} in the baseline and {short(new.y_true[j])} in the candidate"
            )


def _accuracy(old: Any, new: Any, clusters: list[str] | None) -> MarginProblem:
    from evalstats.metrics.case_groups import understand_groups
    from evalstats.paired.mcnemar import table_of_right

    old, new = old > 0, new > 0
    if clusters is None:
        return AccuracyPair(table_of_right(new, old), "score")
    return GroupedAccuracyPair(new, old, understand_groups(clusters, len(clusters)))


def _any_metric(
    metric: str,
    policy: Policy,
    name: str,
    old: ItemAnswers,
    new: ItemAnswers,
    rows: tuple[Any, Any],
    clusters: list[str] | None,
) -> tuple[MarginProblem, tuple[float, float], bool]:
    """Return the area under the ROC curve by DeLong's test, other metrics by the bootstrap; or a test by betting."""
    from evalstats import _checks
    from evalstats.metrics import METRICS
    from evalstats.paired.auc_margins import area_margin
    from evalstats.paired.metric_bootstrap import metric_bootstrap_test
    from evalstats.paired.metric_margins import MetricMargin

    record = METRICS[_checks.choice(metric, "metric", metric_names(with_averages=False))]
    understand_margin(policy.of(name).margin, are_shares=record.range[1] <= 1)
    truth = old.y_true if old.y_true is not None else new.y_true
    field = "y_pred" if record.needs == "labels" else "y_score"
    sides: list[Any] = [getattr(old, field), getattr(new, field)]
    if _has_samples(old, new):
        raise InvalidValueError(f"{metric} is of one answer to each item, but a side has several samples of some")
    if truth is None or sides[0] is None or sides[1] is None:
        raise InvalidValueError(f"{metric} needs the columns y_true and {field} on both sides")
    y_true = [truth[i] for i in rows[0 if old.y_true is not None else 1]]
    x, y = ([side[i] for i in at] for side, at in zip(reversed(sides), reversed(rows), strict=True))
    if policy.anytime:
        losses = of_clusters(clusters, *(loss_of_items(metric, y_true, side, name) for side in (y, x)))
        bets = in_order(*losses, policy.alpha, name, greater_is_better=False)
        return bets, bets.scores, False
    if metric == "roc_auc" and clusters is None:
        of_areas = area_margin(y_true, x, y)
        return of_areas, (float(of_areas.areas.auc_y), float(of_areas.areas.auc_x)), True
    choices: dict[str, Any] = {"metric": metric, "groups": clusters, "n_resamples": N_RESAMPLES, "rng": 0}
    ahead = (x, y) if record.greater_is_better else (y, x)
    problem = MetricMargin(metric_bootstrap_test(y_true, *ahead, **choices))
    scores = problem.scores
    ordered = (scores[1], scores[0]) if record.greater_is_better else scores
    return problem, ordered, record.greater_is_better


def _direction(table: ScoreTable) -> str:
    return "more" if table.greater_is_better else "less"


def _over_datasets(old: ScoreTable, new: ScoreTable, policy: Policy) -> GateTask:
    """Return the scores of all datasets as one task: by signed ranks."""
    # a table without a name for its scores is measured by the name of the other
    if old.greater_is_better != new.greater_is_better or len({old.metric, new.metric} - {UNNAMED}) > 1:
        raise InvalidValueError(
            f"baseline and candidate must be measured alike, but one is {short(old.metric)}, where "
            f"{_direction(old)} is better, and the other {short(new.metric)}, where {_direction(new)} is"
        )
    alone = [("scores", name) for name in old.datasets if name not in new.datasets]
    extra = [("scores", name) for name in new.datasets if name not in old.datasets]
    if not policy.intersect:
        _refuse_alone(alone, extra)
    names = [name for name in old.datasets if name in new.datasets]
    if len(names) < 2:
        raise InvalidValueError(f"baseline and candidate must have two datasets in common, not {len(names)}")
    x, y = (np.array([table.scores[table.datasets.index(name), 0] for name in names]) for table in (new, old))
    for values, side in ((y, "baseline"), (x, "candidate")):
        if np.isnan(values).any():
            raise InvalidValueError(
                f"{side} must have every score, but that of {short(names[int(np.isnan(values).argmax())])} is missing"
            )
    are_shares = bool(min(x.min(), y.min()) >= 0 and max(x.max(), y.max()) <= 1)
    understand_margin(policy.rule.margin, are_shares=are_shares)
    ahead = (x, y) if old.greater_is_better else (y, x)
    problem: MarginProblem = ShiftedScores(*ahead, "wilcoxon", DEFAULT_TIE_TOLERANCE)
    if policy.anytime:
        named = new.metric if old.metric == UNNAMED else old.metric
        problem = AnytimePair(*ahead, policy.alpha, limits_of(named, old.unit or new.unit, x, y))
    left_out = len(alone) + len(extra)
    scores = float(y.mean()), float(x.mean())
    return GateTask(
        "all datasets",
        old.metric,
        policy.rule,
        problem,
        len(names),
        None,
        "dataset",
        scores,
        (),
        (),
        left_out,
        old.greater_is_better,
    )
