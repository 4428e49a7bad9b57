"""Common questions of baseline and candidate, the questions that only one has, and the difference in each task."""

from __future__ import annotations

__all__ = ["Answers", "GateTask", "UnpairedItems", "gate_tasks", "is_of_accuracy"]

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats._errors import InvalidValueError, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._types import FloatArray, IntArray
from evalstats.gating.anytime import AnytimePair, in_order, limits_of, loss_of_items, of_clusters, over_tasks
from evalstats.gating.matching import LISTED, Sides
from evalstats.gating.policy import Policy, Rule
from evalstats.gating.side_checks import NO_METRIC, has_positive_label, of_positive_label
from evalstats.metrics.cluster_variance import Clusters, understand_clusters
from evalstats.paired.accuracy_noninferiority import AccuracyPair, GroupedAccuracyPair
from evalstats.paired.noninferiority_results import MarginProblem, understand_margin
from evalstats.paired.shifted_scores import ShiftedScores
from evalstats.tables.errors import TableError
from evalstats.tables.items import ItemAnswers
from evalstats.tables.names import two_writings
from evalstats.tables.prediction_scores import metric_names, usual_name
from evalstats.tables.score_table import ScoreTable

N_RESAMPLES = 9999
# common cluster of all questions that the baseline lacks, because their clusters are unknown
UNKNOWN_CLUSTER = "\0the baseline lacks them"
# lag of the candidate on a dataset that it lacks, as a multiple of the largest difference plus the margin
FAR_BEHIND = 10.0


class GateTask(NamedTuple):
    """One task of a gate, with its noninferiority problem and its scores."""

    name: str
    metric: str
    rule: Rule
    problem: MarginProblem
    n: int
    n_clusters: int | None
    unit: str  # what is counted: cases or datasets
    scores: tuple[float, float]  # of the baseline and of the candidate, as they are
    lost: tuple[str, ...]  # questions that only the baseline answers correctly
    won: tuple[str, ...]
    left_out: UnpairedItems
    worst: MarginProblem | None  # worst-case values of omitted questions; None if unavailable
    greater_is_better: bool
    has_samples: bool = False
    clusters: Clusters | None = None  # clusters of the instances; None for datasets, and for anytime-valid tests
    table: IntArray | None = None  # independent instances: [[both correct, only candidate], [only baseline, neither]]


class Answers(NamedTuple):
    """Baseline and candidate, with the proportion of correct answers to each question, or None for scores."""

    old: ItemAnswers
    new: ItemAnswers
    x: FloatArray | None
    y: FloatArray | None

    @classmethod
    def of(cls, old: ItemAnswers, new: ItemAnswers) -> Answers:
        """Return the answers of baseline and candidate, with the proportion of correct answers to each question."""
        return cls(old, new, old.shares(), new.shares())

    @property
    def right(self) -> tuple[FloatArray, FloatArray] | None:
        """Return the proportions of correct answers of baseline and candidate, or None."""
        return None if self.x is None or self.y is None else (self.x, self.y)

    @property
    def has_samples(self) -> bool:
        """Whether the baseline or the candidate has several answers to some question."""
        return self.old.share is not None or self.new.share is not None


class _Rows(NamedTuple):
    """Rows of the questions of a task: the common questions of baseline and candidate, and all others."""

    first: list[int]
    second: list[int]
    absent: Absent


def gate_tasks(sides: Sides, policy: Policy) -> Iterator[GateTask]:
    """Yield the tasks of a gate, or raise an error if baseline and candidate have different tasks."""
    if isinstance(sides.baseline, ScoreTable) and isinstance(sides.candidate, ScoreTable):
        yield _over_datasets(sides.baseline, sides.candidate, policy)
        return
    old, new = sides.baseline, sides.candidate
    assert isinstance(old, ItemAnswers)
    assert isinstance(new, ItemAnswers)
    rows = _rows_of_tasks(old, new, policy)
    answers = Answers.of(old, new)
    for name, own in rows.items():
        _refuse_other_truths(name, old, new, own)
    if policy.average is not None:
        yield _over_tasks(policy, answers, rows)
    for name, own in rows.items():
        yield _task(name, policy, answers, own)


def _rows_of_tasks(old: ItemAnswers, new: ItemAnswers, policy: Policy) -> dict[str, _Rows]:
    """Return the rows of the questions of each task. Raise an error if the two files have different questions."""
    at, others = old.keys(), new.keys()
    rows = {name: _Rows([], [], Absent([], [])) for name in dict.fromkeys(old.task)}
    _refuse_other_tasks(list(rows), list(dict.fromkeys(new.task)), policy)
    if not policy.intersect:
        _refuse_alone([key for key in at if key not in others], [key for key in others if key not in at])
    of_baseline: dict[str, list[int]] = {name: [] for name in rows}
    of_candidate: dict[str, list[int]] = {name: [] for name in rows}
    for key, i in at.items():
        if (j := others.get(key)) is None:
            of_baseline[key[0]].append(i)
        else:
            rows[key[0]].first.append(i)
            rows[key[0]].second.append(j)
    for key, j in others.items():
        if key not in at:
            of_candidate[key[0]].append(j)
    for name, own in rows.items():
        if not own.first:
            raise InvalidValueError(
                f"baseline and candidate must have questions of {short(name)} in common, but they have none"
            )
    return {name: own._replace(absent=Absent(of_baseline[name], of_candidate[name])) for name, own in rows.items()}


def _refuse_other_tasks(old: list[str], new: list[str], policy: Policy) -> None:
    """Raise an error for a task that the baseline, the candidate or both lack."""
    for names, others, side in ((old, set(new), "candidate"), (new, set(old), "baseline")):
        if missing := [name for name in names if name not in others]:
            listed = ", ".join(map(short, missing[:LISTED]))
            problem = f"baseline and candidate must have the same tasks, but the {side} lacks {listed}"
            raise InvalidValueError(f"{problem}{two_writings([*names, *sorted(others)])}")
    if missing := [name for name in policy.tasks if name not in set(old)]:
        known = ", ".join(map(short, old[:LISTED]))
        raise InvalidValueError(
            f"the policy names the task {short(missing[0])}, but baseline and candidate have {known}"
        )


def _refuse_alone(old: list[tuple[str, str]], new: list[tuple[str, str]]) -> None:
    if not old and not new:
        return
    told = []
    for keys, words in ((old, "the candidate lacks"), (new, "the baseline lacks")):
        if keys:
            listed = ", ".join(f"{short(item)} of {short(task)}" for task, item in keys[:LISTED])
            more = f" and {len(keys) - LISTED} more" if len(keys) > LISTED else ""
            told.append(f"{words} {len(keys)} ({listed}{more})")
    problem = f"baseline and candidate must have answered the same questions, but {' and '.join(told)}"
    problem += two_writings([item for _, item in (*old, *new)])
    raise TableError(problem, "to compare only the common questions, pass {}", "intersect")


def _refuse_other_truths(name: str, old: ItemAnswers, new: ItemAnswers, rows: _Rows) -> None:
    if old.y_true is None or new.y_true is None:
        return
    for i, j in zip(rows.first, rows.second, strict=True):
        if old.y_true[i] != new.y_true[j]:
            raise InvalidValueError(
                f"the question {short(old.item[i])} of {short(name)} must have one true label, but it is "
                f"{short(old.y_true[i])} in the baseline and {short(new.y_true[j])} in the candidate"
            )


# --- a task -----------------------------------------------------------------------------------------------------------


def _task(name: str, policy: Policy, answers: Answers, rows: _Rows) -> GateTask:
    rule, old = policy.of(name), answers.old
    metric = _metric_of(rule, answers)
    if policy.pos_label is not None and not policy.tasks and not has_positive_label(metric):
        raise InvalidValueError(f"pos_label is for metrics of one label, such as f1 and roc_auc, not {metric}")
    clusters = named = None if old.cluster is None else [old.cluster[i] for i in rows.first]
    if named is not None and len(set(named)) == len(named) and not answers.has_samples:
        clusters = None  # clusters with one instance each are not clusters, as in a comparison
    right = answers.right
    x, y = (None, None) if right is None else (right[0][rows.first], right[1][rows.second])
    table = None
    worst: MarginProblem | None = None
    if metric == "accuracy":
        if x is None or y is None:
            raise InvalidValueError(
                f"accuracy of {short(name)} needs the column correct, or y_true and y_pred, in baseline and candidate"
            )
        if policy.greater_is_better is False and not old.is_turned:
            raise InvalidValueError("greater_is_better=False contradicts accuracy, because higher accuracy is better")
        understand_margin(rule.margin, are_shares=True)
        scores, greater = (float(x.mean()), float(y.mean())), True
        problem: MarginProblem
        if policy.anytime:
            bets = in_order(*of_clusters(clusters, x, y), policy.alpha, name)
            problem, scores = bets, bets.scores
        else:
            problem, table = _of_shares(x, y, clusters, has_samples=answers.has_samples)
            if rows.absent.n and right is not None:
                known = worst_scores((rows.first, rows.second), rows.absent, *right, old.cluster)
                worst, _ = _of_shares(*known, has_samples=answers.has_samples)
    else:
        problem, scores, greater = _any_metric(metric, policy, name, answers, rows, clusters)
    lost, won = _flips(old, rows, x, y)
    return GateTask(
        name,
        _shown(metric, answers),
        rule,
        problem,
        len(rows.first),
        None if named is None else len(set(named)),
        "instance",
        scores,
        lost,
        won,
        left_out_of(rows.absent, answers.x, answers.y),
        worst,
        greater,
        answers.has_samples,
        None if policy.anytime else understand_clusters(clusters, None, "micro", len(rows.first)),
        table,
    )


def is_of_accuracy(rule: Rule, answers: Answers) -> bool:
    """Return whether the metric of a task is accuracy."""
    return _metric_of(rule, answers) == "accuracy"


def _metric_of(rule: Rule, answers: Answers) -> str:
    if answers.old.metric is not None or answers.new.metric is not None:
        return "accuracy"  # the metric comes from the log, which also holds its scores
    return usual_name(rule.metric or "") or ("roc_auc" if answers.right is None else "accuracy")


def _shown(metric: str, answers: Answers) -> str:
    """Return the name of a metric. The proportion of correct answers in a log keeps its name in the log."""
    return next((one.metric for one in (answers.old, answers.new) if one.metric), metric)


def _flips(
    old: ItemAnswers, rows: _Rows, x: FloatArray | None, y: FloatArray | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the questions that only the baseline answers correctly, and the questions that only the candidate does."""
    if x is None or y is None:
        return (), ()
    items = np.array(rows.first)
    return tuple(old.item[i] for i in items[x > y].tolist()), tuple(old.item[i] for i in items[y > x].tolist())


def _of_shares(
    old: FloatArray, new: FloatArray, clusters: list[str] | None, *, has_samples: bool
) -> tuple[MarginProblem, IntArray | None]:
    """Return the noninferiority problem: a t-test for several sampled answers, or a score test with its table."""
    from evalstats.metrics.cluster_variance import understand_groups
    from evalstats.paired.mcnemar import table_of_right

    if has_samples:
        return _by_t(old, new, clusters, None, "micro"), None
    right_x, right_y = new > 0, old > 0
    if clusters is not None:
        return GroupedAccuracyPair(right_x, right_y, understand_groups(clusters, len(clusters))), None
    table = table_of_right(right_x, right_y)
    return AccuracyPair(table, "score"), table


def _by_t(
    old: FloatArray, new: FloatArray, clusters: list[str] | None, strata: list[str] | None, average: str
) -> MarginProblem:
    """Return the t-test of proportions of correct sampled answers, or of correct answers over several tasks."""
    from evalstats.paired.shifted_scores import expecting_another_cluster

    if len(old) < 2:
        raise InvalidValueError(
            "the sampled answers to a single question do not represent other questions; "
            "at least two questions are required"
        )
    return expecting_another_cluster(new, old, clusters=clusters, strata=strata, average=average)


# --- the mean over tasks ----------------------------------------------------------------------------------------------


def _over_tasks(policy: Policy, answers: Answers, tasks: Mapping[str, _Rows]) -> GateTask:
    """Return the mean accuracy over all tasks as one task. The tasks are the strata of the questions."""
    assert policy.average is not None
    old, new, right = answers.old, answers.new, answers.right
    is_told = old.metric is not None or new.metric is not None
    is_other = not is_told and (policy.rule.metric or "accuracy") != "accuracy"
    if is_other or right is None:
        raise InvalidValueError(
            f"average is for accuracies, and needs correct and incorrect answers, not "
            f"{policy.rule.metric or 'scores alone'}"
        )
    understand_margin(policy.rule.margin, are_shares=True)
    name = f"mean of {len(tasks)} tasks ({policy.average})"
    if name in tasks:
        raise InvalidValueError(f"no task may have the name {short(name)}, which is the mean of all tasks; rename it")
    first = [i for own in tasks.values() for i in own.first]
    second = [j for own in tasks.values() for j in own.second]
    absent = Absent(*([i for own in tasks.values() for i in own.absent[side]] for side in (0, 1)))
    strata = [task for task, own in tasks.items() for _ in own.first]
    clusters = None if old.cluster is None else [old.cluster[i] for i in first]
    x, y = right[0][first], right[1][second]
    worst: MarginProblem | None = None
    problem: MarginProblem
    if policy.anytime:
        bets = over_tasks(x, y, np.array(first), clusters, strata, policy.average, policy.alpha)
        problem, scores = bets, bets.scores
    else:
        problem = _by_t(x, y, clusters, strata, policy.average)
        scores = _mean_of(x, strata, policy.average), _mean_of(y, strata, policy.average)
        if absent.n:
            known = worst_scores((first, second), absent, *right, old.cluster)
            every = [*strata, *(old.task[i] for i in absent.of_baseline), *(new.task[j] for j in absent.of_candidate)]
            groups = None if known.clusters is None else _within(known.clusters, every)
            worst = _by_t(known.old, known.new, groups, every, policy.average)
    return GateTask(
        name,
        _shown("accuracy", answers),
        policy.rule,
        problem,
        len(first),
        None if clusters is None else len(set(clusters)),
        "instance",
        scores,
        (),
        (),
        left_out_of(absent, *right),
        worst,
        True,
        answers.has_samples,
        None if policy.anytime else understand_clusters(clusters, strata, policy.average, len(first)),
    )


def _within(clusters: Sequence[str], tasks: Sequence[str]) -> list[str]:
    """Return names of clusters that are unique to their task."""
    return [f"{task}\0{cluster}" for task, cluster in zip(tasks, clusters, strict=True)]


def _mean_of(values: FloatArray, strata: list[str], average: str) -> float:
    from evalstats.metrics.clustered import clustered_mean

    return float(clustered_mean(values, strata=strata, average=average).estimate)


# --- other metrics ----------------------------------------------------------------------------------------------------


def _any_metric(
    metric: str, policy: Policy, name: str, answers: Answers, rows: _Rows, clusters: list[str] | None
) -> tuple[MarginProblem, tuple[float, float], bool]:
    """Return the test for any metric: DeLong's test for the AUC, the bootstrap, a jackknife of clusters, or betting."""
    from evalstats import _checks
    from evalstats.metrics import METRICS
    from evalstats.paired.auc_noninferiority import area_margin
    from evalstats.paired.metric_bootstrap import metric_bootstrap_test
    from evalstats.paired.noninferiority import ClusteredMetricDifference, MetricMargin, difference_in_clusters

    old, new = answers.old, answers.new
    record = METRICS[_checks.choice(metric, "metric", metric_names(with_averages=False))]
    if policy.greater_is_better not in (None, record.greater_is_better):
        more = "higher" if record.greater_is_better else "lower"
        given = policy.greater_is_better
        raise InvalidValueError(f"greater_is_better={given} contradicts {metric}, for which {more} is better")
    understand_margin(policy.of(name).margin, are_shares=record.range[1] <= 1)
    truth = old.y_true if old.y_true is not None else new.y_true
    field = "y_pred" if record.needs == "labels" else "y_score"
    sides: list[Any] = [getattr(old, field), getattr(new, field)]
    if answers.has_samples:
        raise InvalidValueError(
            f"{metric} needs one answer to each question, but the baseline or the candidate has several sampled "
            "answers to some questions"
        )
    if truth is None or sides[0] is None or sides[1] is None:
        raise InvalidValueError(f"{metric} needs the columns y_true and {field} in baseline and candidate")
    y_true = [truth[i] for i in (rows.first if old.y_true is not None else rows.second)]
    at = (rows.first, rows.second)
    answered, predicted = (
        [None if side is None else [side[i] for i in own] for side, own in zip(both, at, strict=True)]
        for both in (sides, (old.y_pred, new.y_pred))
    )
    y_true, (y, x) = of_positive_label(metric, policy, name, y_true, answered, predicted)
    if policy.anytime:
        losses = of_clusters(clusters, *(loss_of_items(metric, y_true, side, name) for side in (y, x)))
        bets = in_order(*losses, policy.alpha, name, greater_is_better=False)
        return bets, bets.scores, False
    if metric == "roc_auc" and clusters is None:
        of_areas = area_margin(y_true, x, y)
        return of_areas, (float(of_areas.areas.auc_y), float(of_areas.areas.auc_x)), True
    ahead = (x, y) if record.greater_is_better else (y, x)
    problem: MetricMargin | ClusteredMetricDifference
    if clusters is None:
        problem = MetricMargin(metric_bootstrap_test(y_true, *ahead, metric=metric, n_resamples=N_RESAMPLES, rng=0))
    else:
        problem = difference_in_clusters(y_true, *ahead, metric=metric, clusters=clusters)
    scores = problem.scores
    ordered = (scores[1], scores[0]) if record.greater_is_better else scores
    return problem, ordered, record.greater_is_better


# --- scores of datasets -----------------------------------------------------------------------------------------------


def _over_datasets(old: ScoreTable, new: ScoreTable, policy: Policy) -> GateTask:
    """Return the signed-rank test of the scores of all datasets as one task."""
    at, others = ({name: i for i, name in enumerate(table.datasets)} for table in (old, new))
    absent = Absent([i for name, i in at.items() if name not in others], [i for n, i in others.items() if n not in at])
    if not policy.intersect:
        alone = [old.datasets[i] for i in absent.of_baseline], [new.datasets[i] for i in absent.of_candidate]
        _refuse_alone(*([("scores", name) for name in names] for names in alone))
    names = [name for name in old.datasets if name in others]
    if len(names) < 2:
        listed = f": {short(names[0])}" if names else ""
        advice = "to compare them question by question, give the answers of baseline and candidate to each question"
        if old.folds and new.folds:
            advice = "to compare their folds, give both files and the margin to the command compare"
        raise InvalidValueError(
            "baseline and candidate must have scores of two or more datasets in common, but they have "
            f"{len(names) or 'none'}{listed}; {advice}"
        )
    y, x = (np.array([table.scores[rows[name], 0] for name in names]) for table, rows in ((old, at), (new, others)))
    for values, side in ((y, "baseline"), (x, "candidate")):
        if np.isnan(values).any():
            raise InvalidValueError(
                f"{side} must have every score, but the score of {short(names[int(np.isnan(values).argmax())])} "
                f"is missing"
            )
    are_shares = bool(min(x.min(), y.min()) >= 0 and max(x.max(), y.max()) <= 1)
    understand_margin(policy.rule.margin, are_shares=are_shares)
    ahead = (x, y) if old.greater_is_better else (y, x)
    metric = new.metric if old.metric == NO_METRIC else old.metric
    problem: MarginProblem = ShiftedScores(*ahead, "wilcoxon", DEFAULT_TIE_TOLERANCE)
    worst: MarginProblem | None = None
    if policy.anytime:
        problem = AnytimePair(*ahead, policy.alpha, limits_of(metric, old.unit or new.unit, x, y))
    elif absent.n:
        filled = worst_leads(*ahead, absent.n, policy.rule.margin)
        worst = ShiftedScores(*filled, "wilcoxon", DEFAULT_TIE_TOLERANCE)
    return GateTask(
        "all datasets",
        metric,
        policy.rule,
        problem,
        len(names),
        None,
        "dataset",
        (float(y.mean()), float(x.mean())),
        (),
        (),
        left_out_of(absent, old.scores[:, 0], new.scores[:, 0]),
        worst,
        old.greater_is_better,
    )


class Absent(NamedTuple):
    """Rows of the questions of a task that only the baseline or only the candidate has."""

    of_baseline: Sequence[int]  # what the candidate lacks
    of_candidate: Sequence[int]  # what the baseline lacks

    @property
    def n(self) -> int:
        """Number of questions."""
        return len(self.of_baseline) + len(self.of_candidate)


class UnpairedItems(NamedTuple):
    """Numbers of omitted questions of baseline and candidate, and the scores on these questions or None."""

    of_baseline: int
    of_candidate: int
    baseline: float | None
    candidate: float | None


def left_out_of(absent: Absent, old: FloatArray | None, new: FloatArray | None) -> UnpairedItems:
    """Return the omitted questions of a task, with the proportions of correct answers of baseline and candidate."""
    means = [
        float(share[list(rows)].mean()) if share is not None and len(rows) else None
        for share, rows in ((old, absent.of_baseline), (new, absent.of_candidate))
    ]
    return UnpairedItems(len(absent.of_baseline), len(absent.of_candidate), *means)


class WorstScores(NamedTuple):
    """Scores of baseline and candidate over the union of their questions, and the clusters of the questions."""

    old: FloatArray
    new: FloatArray
    clusters: list[str] | None


def worst_scores(
    both: tuple[Sequence[int], Sequence[int]],
    absent: Absent,
    old: FloatArray,
    new: FloatArray,
    clusters: Sequence[str] | None,
) -> WorstScores:
    """Return the known scores, with the worst values for the candidate in place of the missing scores.

    A missing answer of the candidate counts as incorrect, and a missing answer of the baseline as correct. These values
    are the least favorable for the candidate.
    """
    first, second = (list(rows) for rows in both)
    mine, others = list(absent.of_baseline), list(absent.of_candidate)
    known = None
    if clusters is not None:
        known = [*(clusters[i] for i in first), *(clusters[i] for i in mine), *[UNKNOWN_CLUSTER] * len(others)]
    return WorstScores(
        np.concatenate([old[first], old[mine], np.ones(len(others))]),
        np.concatenate([new[second], np.zeros(len(mine)), new[others]]),
        known,
    )


def worst_leads(ahead: FloatArray, behind: FloatArray, n_absent: int, margin: float) -> tuple[FloatArray, FloatArray]:
    """Return scores with additional datasets, on which the candidate loses more than on all common datasets."""
    worst = FAR_BEHIND * (float(np.abs(ahead - behind).max()) + margin)
    level = float(min(ahead.min(), behind.min()))
    return (
        np.concatenate([ahead, np.full(n_absent, level - worst)]),
        np.concatenate([behind, np.full(n_absent, level)]),
    )
