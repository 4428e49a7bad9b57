"""Subgroups of the questions in which the candidate may be worse than the baseline."""

from __future__ import annotations

__all__ = ["GatedSubgroup", "gated_subgroups"]

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._errors import listed, short
from evalstats._result import Record
from evalstats._types import FloatArray
from evalstats.adjustment.pvalues import adjust_pvalues
from evalstats.gating.matching import Sides
from evalstats.gating.policy import Policy
from evalstats.gating.tasks import Answers, is_of_accuracy
from evalstats.paired.mcnemar import mcnemar_test
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


def gated_subgroups(sides: Sides, policy: Policy) -> tuple[GatedSubgroup, ...]:
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
