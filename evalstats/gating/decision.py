"""Noninferiority gate: pass, fail or inconclusive, for each task and for subgroups of its questions."""

from __future__ import annotations

__all__ = ["STATUSES", "GateResult", "GatedSubgroup", "GatedTask", "gate"]

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from evalstats._errors import InvalidValueError, listed, short
from evalstats._findings import Finding
from evalstats._result import Record
from evalstats._types import FloatArray
from evalstats.adjustment.pvalues import adjust_pvalues
from evalstats.comparison.validity import (
    AgainstMargin,
    Validity,
    against_margin,
    margin_validity,
    not_worse_pvalue,
    out_of_reach_words,
    two_sided_pvalue,
    unseen_words,
)
from evalstats.gating.matching import Sides, read_sides
from evalstats.gating.policy import Policy, read_policy
from evalstats.gating.tasks import Answers, GateTask, gate_tasks, is_of_accuracy
from evalstats.paired.accuracy_noninferiority import AccuracyPair, GroupedAccuracyPair
from evalstats.paired.mcnemar import mcnemar_test
from evalstats.paired.shifted_scores import ClusteredDifference
from evalstats.paired.subgroups import subgroup_test
from evalstats.tables.items import ItemAnswers


@dataclass(frozen=True, kw_only=True, eq=False)
class GatedSubgroup(Record):
    """Comparison of the candidate with the baseline in one subgroup of the questions of all required tasks.

    Attributes
    ----------
    subgroup : str
        Name of the subgroup.
    n : int
        Number of questions that both baseline and candidate have.
    baseline, candidate : float
        Accuracies of both classifiers.
    difference : float
        Candidate minus baseline.
    pvalue : float
        One-sided p-value of the hypothesis that the candidate is not worse, without a margin, adjusted by Holm's method
        for all tested subgroups. It is nan if the subgroup is not tested.
    is_worse : bool
        Whether the candidate is shown to be worse, which fails the gate.
    reason : str or None
        Reason why the subgroup is not tested, or None.
    """

    subgroup: str
    n: int
    baseline: float
    candidate: float
    difference: float
    pvalue: float
    is_worse: bool
    reason: str | None


class _Items(NamedTuple):
    """Common questions: their subgroups, the proportions of correct answers of both models, and the clusters."""

    subgroup: list[str]
    old: FloatArray
    new: FloatArray
    clusters: list[str] | None
    has_samples: bool


def _gated_subgroups(sides: Sides, policy: Policy) -> tuple[GatedSubgroup, ...]:
    """Return the result of each subgroup, or an empty tuple if no subgroups are requested."""
    if policy.subgroup is None:
        return ()
    if policy.anytime:
        raise InvalidValueError("subgroup is for a gate that is used once, and cannot be combined with anytime")
    items = _items(sides, policy)
    labels = np.array(items.subgroup)
    names = sorted(set(items.subgroup))
    if len(names) < 2:
        raise InvalidValueError(f"subgroup must hold two subgroups or more, but it holds {listed(names)} only")
    test = _exact if items.clusters is None and not items.has_samples else _by_moments
    pvalues, reasons = test(items, names, policy.alpha)
    adjusted = adjust_pvalues(pvalues, nan_policy="omit")
    return tuple(
        _subgroup(name, items, labels == name, p, policy.alpha, reasons.get(name))
        for name, p in zip(names, adjusted.tolist(), strict=True)
    )


def _subgroup(
    name: str, items: _Items, own: np.ndarray, pvalue: float, alpha: float, reason: str | None
) -> GatedSubgroup:
    old, new = float(items.old[own].mean()), float(items.new[own].mean())
    return GatedSubgroup(
        subgroup=name,
        n=int(own.sum()),
        baseline=old,
        candidate=new,
        difference=new - old,
        pvalue=pvalue,
        is_worse=pvalue <= alpha,
        reason=reason,
    )


def _items(sides: Sides, policy: Policy) -> _Items:
    """Return the common questions of the required tasks, or of all tasks if the mean over tasks is tested."""
    old, new = sides.baseline, sides.candidate
    if not isinstance(old, ItemAnswers) or not isinstance(new, ItemAnswers) or old.subgroup is None:
        raise InvalidValueError(
            "subgroup must name a column of individual answers of the baseline, which has none: "
            f"{short(policy.subgroup)}"
        )
    required = {task for task in set(old.task) if policy.average is not None or policy.of(task).tier == "required"}
    answers = Answers.of(old, new)
    others = [task for task in sorted(required) if not is_of_accuracy(policy.of(task), answers)]
    if others or answers.right is None:
        where = f", but {short(others[0])} has a different metric" if others else ""
        raise InvalidValueError(f"subgroup needs correct and incorrect answers{where}")
    at = new.keys()
    rows = [(i, at[key]) for key, i in old.keys().items() if key in at and key[0] in required]
    if not rows:
        raise InvalidValueError("subgroup needs a required task, and the policy has none")
    first, second = (list(column) for column in zip(*rows, strict=True))
    clusters = None if old.cluster is None else [old.cluster[i] for i in first]
    if clusters is not None and len(set(clusters)) == len(clusters):
        clusters = None
    return _Items(
        [old.subgroup[i] for i in first],
        answers.right[0][first],
        answers.right[1][second],
        clusters,
        old.share is not None or new.share is not None,
    )


def _exact(items: _Items, names: list[str], alpha: float) -> tuple[FloatArray, dict[str, str]]:
    """Return one-sided p-values of McNemar's exact test, or nan if a subgroup is too small to be significant."""
    labels = np.array(items.subgroup)
    pvalues, reasons = np.full(len(names), math.nan), {}
    for i, name in enumerate(names):
        own = labels == name
        n = int(own.sum())
        if 0.5**n > alpha:
            reasons[name] = (
                f"{n} question{'s' if n > 1 else ''} cannot show at α = {alpha:g} that the candidate is worse"
            )
        else:
            pvalues[i] = mcnemar_test(items.new[own] > 0, items.old[own] > 0, alternative="less").pvalue
    return pvalues, reasons


def _by_moments(items: _Items, names: list[str], alpha: float) -> tuple[FloatArray, dict[str, str]]:
    """Return one-sided p-values from the mean difference and its standard error in each subgroup."""
    found = subgroup_test(
        items.new,
        items.old,
        np.array(items.subgroup, dtype=object),
        clusters=items.clusters,
        method="asymptotic",
        confidence_level=1 - alpha,
    )
    at = [found.subgroups.index(name) for name in names]
    both, d = found.subgroup_pvalue[at], found.difference[at]
    reasons = {
        name: "the subgroup has few questions or clusters, or all of its differences are equal"
        for name, p in zip(names, both.tolist(), strict=True)
        if math.isnan(p)
    }
    return np.where(d < 0, both / 2, 1 - both / 2), reasons


STATUSES = ("pass", "fail", "inconclusive")
# maximum of the reported number of instances
MOST = 1e9


@dataclass(frozen=True, kw_only=True, eq=False)
class GatedTask(Record):
    """Result of one task: the candidate compared with the baseline.

    Attributes
    ----------
    task : str
        Name of the task.
    status : {'pass', 'fail', 'inconclusive'}
        ``'pass'``: the candidate is shown to be noninferior at the margin. ``'fail'``: the candidate is shown to be
        worse by more than the margin. ``'inconclusive'``: neither is shown.
    tier : {'required', 'watched'}
        A watched task does not affect the status of the gate.
    metric : str
    greater_is_better : bool
        Direction of the metric.
    margin : float
    baseline, candidate : float
        Scores of both classifiers.
    difference : float
        Estimate of candidate minus baseline, in the unit of the metric. Over datasets, it is the Hodges-Lehmann
        estimate.
    low, high : float
        Limits of the confidence interval for the difference, with the confidence level 1 - 2 alpha.
    pvalue_noninferiority : float
        One-sided p-value for noninferiority. It is not adjusted, because a gate passes only if all of its required
        tasks pass.
    pvalue_inferiority : float
        One-sided p-value for inferiority by more than the margin. It is adjusted by Holm's method for all required
        tasks, because one failing task makes the gate fail.
    pvalue_different : float
        Two-sided p-value of the hypothesis that both classifiers are equally good, adjusted by Holm's method for all
        tasks. A candidate that passes may be shown to be worse, by less than the margin.
    n : int
        Number of instances, or of datasets.
    n_clusters : int or None
        Number of clusters of instances, or None if the instances are independent.
    unit : {'case', 'dataset'}
        Sampling unit.
    n_needed : int or None
        Approximate number of units for a decision, if the difference remains the same, or None if the task is decided
        or no number is sufficient.
    lost, won : tuple of str
        Instances that only the baseline (`lost`) or only the candidate (`won`) answers correctly. If instances have
        several answers, these are the instances that the baseline (`lost`) or the candidate (`won`) answers correctly
        more often.
    has_samples : bool
        Whether the baseline or the candidate has several answers to some instances. The score of an instance is then
        the proportion of correct answers.
    n_left_out_baseline, n_left_out_candidate : int
        Number of instances of this task that only the baseline has, and that only the candidate has.
    left_out_baseline, left_out_candidate : float or None
        Proportion of correct answers, or mean score, of the baseline on its omitted instances and of the candidate on
        its omitted instances. The value is None if there are no omitted instances.
    pvalue_worst : float or None
        As `pvalue_noninferiority`, with the worst values for the candidate in place of the omitted instances. It is
        None if nothing is left out, or if no such test is available.
    test : str
        The test with the margin: a test of `noninferiority_test`, ``'accuracy'``, ``'auc'``, ``'clustered-t'``,
        ``'betting'``, or the name of a different metric of instances.
    validity : Validity
        Validity of the test for these data: the effective number of clusters, the attainable p-values, and the type-I
        error rate for few instances.
    reason : str or None
        Reason why there is no p-value, why no p-value can be small enough, or why omitted instances prevent a pass.
        None in all other cases.
    """

    task: str
    status: str
    tier: str
    metric: str
    greater_is_better: bool
    margin: float
    baseline: float
    candidate: float
    difference: float
    low: float
    high: float
    pvalue_noninferiority: float
    pvalue_inferiority: float
    pvalue_different: float
    n: int
    n_clusters: int | None
    unit: str
    n_needed: int | None
    lost: tuple[str, ...]
    won: tuple[str, ...]
    has_samples: bool
    n_left_out_baseline: int
    n_left_out_candidate: int
    left_out_baseline: float | None
    left_out_candidate: float | None
    pvalue_worst: float | None
    test: str
    validity: Validity
    reason: str | None

    @property
    def n_left_out(self) -> int:
        """Number of instances that only the baseline or only the candidate has."""
        return self.n_left_out_baseline + self.n_left_out_candidate

    def shown(self, alpha: float = 0.05) -> str | None:
        """Return whether the candidate differs significantly from the baseline, without a margin.

        Parameters
        ----------
        alpha : float, default: 0.05
            Significance level.

        Returns
        -------
        {'better', 'worse'} or None
            None if there is no significant difference.

        Examples
        --------
        >>> import evalstats
        >>> old = {"item_id": list(range(2000)), "correct": [1] * 1600 + [0] * 400}
        >>> new = {"item_id": list(range(2000)), "correct": [0] * 20 + [1] * 1582 + [0] * 398}
        >>> result = evalstats.gate(old, new, margin=0.02)
        >>> result.status, result.tasks[0].shown()
        ('pass', 'worse')
        """
        if not self.pvalue_different <= alpha or self.difference == 0:
            return None
        return "better" if (self.difference > 0) == self.greater_is_better else "worse"


@dataclass(frozen=True, kw_only=True, eq=False)
class GateResult(Record):
    """Result of `gate`.

    Attributes
    ----------
    status : {'pass', 'fail', 'inconclusive'}
        ``'fail'`` if a required task fails, or the candidate is shown to be worse in a subgroup. ``'pass'`` if every
        required task passes. ``'inconclusive'`` in all other cases.
    alpha, power : float
        Significance level, and the power for which `n_needed` is computed.
    cluster : str or None
        Column of the clusters of instances.
    intersect : bool
        Whether instances that only the baseline or only the candidate has were left out.
    allow_missing : int
        Number of instances of a task that may be left out without a worst-case check.
    allow_unequal_samples : bool
        Whether some instances may have more answers than others.
    anytime : bool
        Whether the tests and intervals are anytime-valid.
    average : {'macro', 'micro'} or None
        Type of the tested mean over all tasks, or None if there is no such mean. The mean is the first of the `tasks`.
    tasks : tuple of GatedTask
    subgroup : str or None
        Column of the subgroups.
    subgroups : tuple of GatedSubgroup
        Result for each subgroup of the questions of all required tasks, or an empty tuple.
    findings : tuple of Finding
        Findings from reading baseline and candidate, such as tasks that were left out.
    """

    status: str
    alpha: float
    power: float
    cluster: str | None
    intersect: bool
    allow_missing: int
    allow_unequal_samples: bool
    anytime: bool
    average: str | None
    tasks: tuple[GatedTask, ...]
    subgroup: str | None = None
    subgroups: tuple[GatedSubgroup, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the candidate is shown to be noninferior. The value is also False if there are too few instances."""
        return self.status == "pass"

    def _rows(self) -> Sequence[Record]:
        return self.tasks


def gate(
    baseline: Any,
    candidate: Any,
    *,
    margin: float | None = None,
    metric: str | None = None,
    cluster: str | None = None,
    policy: Any = None,
    alpha: float | None = None,
    intersect: bool | None = None,
    allow_missing: int | None = None,
    allow_unequal_samples: bool | None = None,
    greater_is_better: bool | None = None,
    accept_scores: bool | None = None,
    anytime: bool | None = None,
    average: str | None = None,
    subgroup: str | None = None,
    pos_label: Any = None,
    baseline_name: str | None = None,
    candidate_name: str | None = None,
    parsing: Mapping[str, Any] | None = None,
) -> GateResult:
    """Test whether a candidate is noninferior to a baseline in every task.

    The gate passes only if noninferiority is shown in every required task. The absence of a significant difference is
    not evidence: with too few instances, the result is inconclusive.

    Parameters
    ----------
    baseline, candidate : path, data frame, dict or ScoreTable
        Answers to named questions, or scores of datasets. Answers require a column that identifies the questions
        (``item_id``, ``row`` ...), and either ``correct``, or ``y_true`` with ``y_pred`` or ``y_score``. The column
        ``task`` names several tasks, and ``sample`` or ``epoch`` identifies several answers to a question. You can also
        give a file, the JSON report of a comparison, or the directory of a study.
    margin : float, optional
        Noninferiority margin: the largest acceptable loss, in the unit of the metric. 0.01 is one percentage point of
        accuracy. The margin is required here or in the policy.
    metric : str, optional
        A name in `evalstats.metrics.METRICS`. Default: accuracy, or the area under the ROC curve if there are only
        scores.
    cluster : str, optional
        Column of the baseline that names the clusters, such as questions about one text or images of one patient.
    policy : path or dict, optional
        Margins, metrics and tiers of individual tasks, in TOML. Arguments of this function take precedence.
    alpha : float, optional
        Significance level. Default: the level of the policy, or 0.05.
    intersect : bool, optional
        If the questions of baseline and candidate differ, compare the common questions and report the number of omitted
        questions. By default, different questions are an error: a gate must not pass because the hard questions are
        missing. A task with omitted questions passes only under two conditions. It must also pass in the worst case:
        missing answers of the candidate are incorrect, and missing answers of the baseline are correct. The omission
        must also not change the score of the baseline or the candidate by more than the margin. The worst case is not
        available for metrics other than accuracy and for anytime-valid tests.
    allow_missing : int, optional
        Number of questions of a task that may be left out without a worst-case check, because you know why they are
        missing. This argument implies `intersect`.
    allow_unequal_samples : bool, optional
        Accept numbers of answers that differ between questions, or between baseline and candidate. By default,
        different numbers are an error: if only incorrect answers were sampled again, the proportion of correct answers
        is too high.
    greater_is_better : bool, optional
        The direction of the metric, for scores of datasets. It is required if the name of the metric does not determine
        the direction. For a column of 0 and 1 with the name of a loss, it states whether 1 is a correct answer.
    accept_scores : bool, optional
        Accept scores that seem to be proportions for the baseline and percentages for the candidate, or the reverse. By
        default, such scores are an error.
    anytime : bool, optional
        Use anytime-valid tests (`betting_test`), which control the error rate no matter how often you repeat the gate
        with more questions. They apply to means over individual questions (accuracy, error rate, Brier score), and to
        datasets with a metric of known limits. The questions must be in random order, with new questions at the end. A
        clearly sorted order is an error. Each cluster is one step with equal weight. For a macro mean over tasks, a
        step is the next question of every task. By default, the tests are valid only for one decision.
    average : {'macro', 'micro'}, optional
        Test the mean accuracy over all tasks, such as several benchmarks, with equal weights for the tasks
        (``'macro'``) or for the questions (``'micro'``). Individual tasks are then watched, unless the policy requires
        them. By default, every task is tested separately.
    subgroup : str, optional
        Column of the baseline that names the subgroups of questions, such as their language. The gate then also fails
        if the candidate is shown to be worse in a subgroup of the questions of all required tasks. The test is
        one-sided and without a margin: McNemar's exact test, or `subgroup_test` with clusters or several answers. The
        p-values are adjusted by Holm's method for all subgroups. Use this argument only for correct and incorrect
        answers, and not with `anytime`.
    pos_label : label, optional
        The positive label, for metrics such as F1 and the area under the ROC curve. Default: 1 or True. By default,
        other positive labels are an error. Scores that seem to belong to a different label are also an error.
    baseline_name, candidate_name : str, optional
        Name of the classifier, if the baseline or the candidate contains several classifiers.
    parsing : dict, optional
        Options for reading both files: ``'delimiter'``, ``'encoding'`` and ``'sheet'``, as in `evalstats.read_table`.

    Returns
    -------
    GateResult
        ``status`` and the result of each task. Use ``result.passed`` in an ``assert``.

    Raises
    ------
    ValueError, TypeError
        If baseline and candidate do not have the same questions, tasks or true labels. If an answer is missing, if a
        task that the policy names is missing, or if a margin is invalid for the metric. If columns of a file contradict
        each other, or if a report was changed. If scores may be in two units or have no known direction.

    See Also
    --------
    noninferiority_test,
    betting_test : the tests of the gate.

    References
    ----------
    Berger, R. L. (1982). Multiparameter hypothesis testing and acceptance sampling. Technometrics 24, 295-300.

    Examples
    --------
    >>> import evalstats
    >>> old = {"item_id": list(range(800)), "correct": [1] * 640 + [0] * 160}
    >>> new = {"item_id": list(range(800)), "correct": [0] * 4 + [1] * 641 + [0] * 155}
    >>> result = evalstats.gate(old, new, margin=0.02)
    >>> result.status, result.tasks[0].lost
    ('pass', ('0', '1', '2', '3'))
    >>> evalstats.gate(old, new, margin=0.001).status
    'inconclusive'
    """
    given = {"margin": margin, "metric": metric, "cluster": cluster, "alpha": alpha, "accept_scores": accept_scores}
    given |= {"allow_missing": allow_missing, "allow_unequal_samples": allow_unequal_samples}
    given |= {"greater_is_better": greater_is_better, "intersect": intersect, "anytime": anytime, "average": average}
    given |= {"subgroup": subgroup, "pos_label": pos_label}
    rules = read_policy(policy, **given)
    sides = read_sides(baseline, candidate, baseline_name, candidate_name, rules, parsing)
    subgroups = _gated_subgroups(sides, rules)
    tasks = list(gate_tasks(sides, rules))
    found = _evidence(tasks, rules.alpha)
    worse, different = (np.array([getattr(one, name) for one in found]) for name in ("worse", "different"))
    is_required = np.array([task.rule.tier == "required" for task in tasks])
    if is_required.any():
        worse[is_required] = adjust_pvalues(worse[is_required], "holm", nan_policy="count")
    different = adjust_pvalues(different, "holm", nan_policy="count")
    adjusted = zip(tasks, found, worse.tolist(), np.atleast_1d(different).tolist(), strict=True)
    gated = tuple(_gated(task, one._replace(worse=p, different=q), rules) for task, one, p, q in adjusted)
    of_tasks = [task.status for task in gated if task.tier == "required"]
    return GateResult(
        status="fail" if any(one.is_worse for one in subgroups) else _overall(of_tasks),
        alpha=rules.alpha,
        power=rules.power,
        cluster=rules.cluster,
        intersect=rules.intersect,
        allow_missing=rules.allow_missing,
        allow_unequal_samples=rules.allow_unequal_samples,
        anytime=rules.anytime,
        average=rules.average,
        tasks=gated,
        subgroup=rules.subgroup,
        subgroups=subgroups,
        findings=sides.findings,
    )


class _Evidence(NamedTuple):
    """Results of the tests of one task."""

    found: AgainstMargin
    worse: float  # adjusted, in the end
    different: float  # two-sided, without a margin


def _evidence(tasks: Sequence[GateTask], alpha: float) -> list[_Evidence]:
    """Return the test results of each task. Tasks with independent answers are tested together for speed."""
    tables = {i: task.table for i, task in enumerate(tasks) if task.table is not None}
    found: dict[int, _Evidence] = {}
    if tables:
        shifts = np.array([-tasks[i].rule.margin for i in tables])
        found = dict(zip(tables, _of_counts(np.stack(list(tables.values())), shifts, alpha), strict=True))
    return [found.get(i) or _of_problem(task, alpha) for i, task in enumerate(tasks)]


def _of_counts(tables: Any, shifts: FloatArray, alpha: float) -> list[_Evidence]:
    """Apply the score test and McNemar's exact test to tasks with independent correct and incorrect answers."""
    from evalstats.distributions.tail_probabilities import normal_pvalue
    from evalstats.paired.accuracy_difference_interval import discordant, tango_statistic

    pairs = AccuracyPair(tables, "score")
    z = tango_statistic(*discordant(tables), pairs.n, shifts)
    sure, worse = (normal_pvalue(z, side) for side in ("greater", "less"))
    different = np.atleast_1d(mcnemar_test(counts=tables).pvalue)
    low, high = pairs.limits(alpha)
    rows = zip(*(column.tolist() for column in (sure, worse, different, low, high)), strict=True)
    return [_Evidence(AgainstMargin(p, q, first, last, None), q, r) for p, q, r, first, last in rows]


def _of_problem(task: GateTask, alpha: float) -> _Evidence:
    found = against_margin(task.problem, task.rule.margin, alpha, task.clusters)
    return _Evidence(found, found.worse, two_sided_pvalue(task.problem))


def _overall(statuses: Sequence[str]) -> str:
    """Return the status of the gate. Without required tasks, it is inconclusive."""
    if "fail" in statuses:
        return "fail"
    return "pass" if statuses and set(statuses) == {"pass"} else "inconclusive"


def _gated(task: GateTask, evidence: _Evidence, policy: Policy) -> GatedTask:
    found = evidence.found
    worst, reason = None, found.reason
    pairs = [("candidate", "baseline")]
    validity = margin_validity([task.problem], [found], pairs, alpha=policy.alpha, clusters=task.clusters)
    n_left_out = task.left_out.of_baseline + task.left_out.of_candidate
    if task.worst is not None:
        worst = not_worse_pvalue(task.worst, task.rule.margin)
    is_sure = found.not_worse <= policy.alpha and reason is None  # nan is not evidence
    if is_sure and n_left_out > policy.allow_missing:
        reason = _open_reason(task, n_left_out, worst, policy.alpha)
        is_sure = reason is None
    status = "pass" if is_sure else "fail" if evidence.worse <= policy.alpha else "inconclusive"
    lead, low, high = float(task.problem.difference), found.low, found.high
    sign = 1 if task.greater_is_better else -1
    if validity.out_of_reach and reason is None:
        reason = out_of_reach_words(task.problem, policy.alpha)
    unseen = found.unseen
    if status == "inconclusive" and reason is None and unseen is not None and unseen.decide:
        reason = unseen_words(unseen)
    is_open = status == "inconclusive" and reason is None
    return GatedTask(
        task=task.name,
        status=status,
        tier=task.rule.tier,
        metric=task.metric,
        greater_is_better=task.greater_is_better,
        margin=task.rule.margin,
        baseline=task.scores[0],
        candidate=task.scores[1],
        difference=sign * lead,
        low=low if sign > 0 else -high,
        high=high if sign > 0 else -low,
        pvalue_noninferiority=found.not_worse,
        pvalue_inferiority=evidence.worse,
        pvalue_different=evidence.different,
        n=task.n,
        n_clusters=task.n_clusters,
        unit=task.unit,
        n_needed=_needed(task, found, policy) if is_open else None,
        lost=task.lost,
        won=task.won,
        has_samples=task.has_samples,
        n_left_out_baseline=task.left_out.of_baseline,
        n_left_out_candidate=task.left_out.of_candidate,
        left_out_baseline=task.left_out.baseline,
        left_out_candidate=task.left_out.candidate,
        pvalue_worst=worst,
        test=task.problem.test,
        validity=validity,
        reason=reason,
    )


def _open_reason(task: GateTask, n_left_out: int, worst: float | None, alpha: float) -> str | None:
    """Return why omitted questions prevent a pass, or None if the task passes in the worst case.

    If the omission changes the score of the baseline or of the candidate by more than the margin, the questions are not
    missing at random. The task then does not pass either.
    """
    left = f"{n_left_out:,} {task.unit}{'s' if n_left_out > 1 else ''} left out"
    if worst is None:
        return f"{left}, whose worst effect on {task.metric} is unknown"
    if not worst <= alpha:
        hidden = "the candidate is worse by more than the margin"
        return f"{left} may hide that {hidden} (p = {worst:.3g} in the worst case)"
    known = (task.left_out.of_baseline, task.left_out.baseline), (task.left_out.of_candidate, task.left_out.candidate)
    for side, on_both, (n, there) in zip(("baseline", "candidate"), task.scores, known, strict=True):
        if there is not None and abs(there - on_both) * n / (n + task.n) > task.rule.margin:
            on_all = (n * there + task.n * on_both) / (n + task.n)
            change = "change" if n_left_out > 1 else "changes"
            moved = f"from {on_all:.3f} to {on_both:.3f}, by more than the margin"
            return f"{left} {change} the score of the {side} {moved}"
    return None


def _no_answer_differs(task: GateTask) -> bool:
    return isinstance(task.problem, AccuracyPair | GroupedAccuracyPair) and not (task.lost or task.won)


def _needed(task: GateTask, found: AgainstMargin, policy: Policy) -> int | None:
    """Return the approximate number of instances for a decision with the target power.

    The difference is assumed to remain the same. The standard error comes from the interval and decreases with the
    square root of the number of instances. If no answer differs, the limits decrease with the number of instances. The
    result is at least the number of clusters that excludes unseen clusters.
    """
    from scipy.special import ndtri

    lead, low, high = float(task.problem.difference), found.low, found.high

    z_alpha, z_beta = -float(ndtri(policy.alpha)), float(ndtri(policy.power))
    error, distance = (high - low) / (2 * z_alpha), abs(lead + task.rule.margin)
    if isinstance(task.problem, ClusteredDifference):  # few clusters have a larger t quantile
        error = float(task.problem.standard_error)
    if not (math.isfinite(error) and error > 0 and distance > 0):
        return None
    needed = task.n * ((z_alpha + z_beta) * error / distance) ** 2
    if _no_answer_differs(task):  # the limits of the score test are then z^2 / (n + z^2), without randomness
        needed = task.n * ((high - low) / 2 / distance) * (1 - distance) / (1 - (high - low) / 2)
    fewest = 0.0 if found.unseen is None else task.n * found.unseen.enough / found.unseen.effective
    return math.ceil(max(needed, fewest, task.n + 1)) if needed < MOST else None
