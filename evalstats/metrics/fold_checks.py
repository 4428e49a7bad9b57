"""Checks of cross-validation folds before F1 and AUC are aggregated.

The checks follow Forman & Scholz (2010). They find folds without positive instances, undefined precision, biased
aggregation, scores that are not comparable between folds, and rows in several folds.
"""

from __future__ import annotations

__all__ = ["FoldCheck", "check_folds", "empty_fold_probability"]

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._findings import Finding, gravest_first
from evalstats._result import Record, unbatch
from evalstats._types import AnyArray, BoolArray, FloatArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics import forman_scholz_moments
from evalstats.metrics.class_encoding import Labels, cases_of, positive_cases
from evalstats.metrics.folds import (
    AGGREGATES,
    FOLD_PRESETS,
    POLICIES,
    FoldPreset,
    accuracy_over_folds,
    f1_report_over_folds,
)
from evalstats.metrics.forman_scholz import AFFORDABLE
from evalstats.metrics.ranking import roc_auc_score

WAYS = {
    "tp_fp": "F of the summed counts",
    "mean": "mean of F",
    "mean_skip": "mean of F without undefined folds",
    "precision_recall": "F of mean precision and recall",
    "precision_recall_skip": "F of mean precision and recall without undefined folds",
}
# smallest difference of two values of F that is reported: one percentage point
NOTABLE = 0.01
# smallest probability of a problem that causes a warning
LIKELY = 0.05
# simulated cross-validations if the exact bias of F takes too long; the error is about a tenth of NOTABLE
N_SIMULATED = 20_000
# positions in one block of the permutation test
CELLS_AT_A_TIME = 2**20
# below this, the probability of two empty folds is less than the rounding error of the probability of one
RARE = 1e-16


@dataclass(frozen=True, kw_only=True, eq=False)
class FoldCheck(Record):
    """Result of `check_folds`. Iterating over the result gives the findings, most severe first.

    Attributes
    ----------
    findings : tuple of Finding
        The findings, most severe first.
    folds : tuple
        Names of the folds.
    fold_sizes, fold_positives : ndarray of shape (n_folds,)
        Numbers of instances and positive instances of each fold.
    n_instances, n_positive, n_folds : int
        Total numbers of instances, of positive instances and of folds.
    is_stratified : bool
        Whether the numbers of positive instances of the folds are equal or proportional to the sizes, within one.
    preset : str
        Description of the preset in a sentence.
    seed : int or None
        Seed of the simulation, or None without a simulation or if `rng` was a Generator.
    """

    findings: tuple[Finding, ...]
    folds: tuple[Any, ...]
    fold_sizes: AnyArray
    fold_positives: AnyArray
    n_instances: int
    n_positive: int
    n_folds: int
    is_stratified: bool
    preset: str
    seed: int | None

    def _rows(self) -> Sequence[Record]:
        return self.findings

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The findings as sentences."""
        return tuple(map(str, self.findings))


class _Data(NamedTuple):
    """Data of a cross-validation: class, fold and prediction of each instance, and counts of each fold."""

    names: Sequence[Any]
    fold: AnyArray
    positive: BoolArray
    predicted: BoolArray | None
    score: FloatArray | None
    case: AnyArray | None
    sizes: AnyArray
    positives: AnyArray

    @property
    def n_folds(self) -> int:
        return len(self.names)

    @property
    def n_positive(self) -> int:
        return int(self.positives.sum())

    @property
    def n_negative(self) -> int:
        return len(self.fold) - self.n_positive

    @property
    def is_stratified(self) -> bool:
        """Whether the folds differ by at most one positive instance, or each has its proportional number within one."""
        share = self.sizes * (self.n_positive / len(self.fold))
        return bool(np.ptp(self.positives) <= 1 or (np.abs(self.positives - share) < 1).all())

    def among(self, chosen: BoolArray) -> tuple[Any, ...]:
        """Return the names of the chosen folds."""
        return tuple(name for name, is_chosen in zip(self.names, chosen, strict=True) if is_chosen)

    def places(self, chosen: BoolArray) -> tuple[dict[str, Any], ...]:
        """Return the chosen folds as the locations of a finding."""
        return tuple({"fold": name} for name in self.among(chosen))


def check_folds(
    y_true: ArrayLike,
    fold: ArrayLike,
    *,
    y_pred: ArrayLike | None = None,
    y_score: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    pos_label: Any = None,
    preset: str | FoldPreset = "recommended",
    n_cross_validations: int = 1,
    alpha: float = 0.05,
    n_resamples: int = 999,
    rng: Any = None,
) -> FoldCheck:
    """Check the folds of a cross-validation for common errors.

    Parameters
    ----------
    y_true, fold : array_like of shape (n,)
        True label of each instance, and the fold in which it was tested. Check each repeat of a repeated
        cross-validation, and each class of a problem with several classes, separately.
    y_pred, y_score : array_like of shape (n,), optional
        Predicted label and score of each instance. A greater score means that the positive class is more likely.
        Without `y_pred`, the checks of F1 are left out, and without `y_score`, the checks of AUC.
    groups : array_like of shape (n,), optional
        Identifier of each instance: a key that related rows share, such as the patient, the source document or a hash
        of all features. If the same key is in several folds, a model was tested on its training data.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: True, 1, or the greater of two labels.
    preset : str or FoldPreset, default: 'recommended'
        Way of aggregating F1 and AUC: a name in `FOLD_PRESETS`, or your own preset. The preset determines the severity
        of findings.
    n_cross_validations : int, default: 1
        Number of similar cross-validations in the study (classes x datasets x repeats). More cross-validations
        increase the probability of a fold without positive instances.
    alpha : float, default: 0.05
        Significance level of the test of whether the scores of all folds are on a common scale.
    n_resamples : int, default: 999
        Number of permutations in the test of whether the scores of all folds are on a common scale.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    FoldCheck
        The findings, as records and as sentences.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, or an option is unknown.
    TypeError
        If labels have different types.

    Notes
    -----
    ==================================  ==============================================================================
    code                                severity
    ==================================  ==============================================================================
    fold-without-positives              error: recall and AUC of the fold are undefined
    fold-without-negatives              error: AUC of the fold is undefined
    fewer-positives-than-folds          error: folds without positives are unavoidable
    rows-in-several-folds               error: models were tested on their training data
    not-stratified                      warning if a fold without positives has a probability >= 5%, else note
    fold-without-predicted-positives    warning if F1 is not computed from summed counts, else note
    biased-f                            warning: the expected bias of the requested F1 is 1% or more
    f-values-differ                     warning if F1 is not computed from summed counts, else note (spread >= 0.01)
    uncalibrated-folds                  warning if the merged AUC is requested and 0.01 below the mean, else note
    unequal-folds                       note: pooled accuracy is not the mean over the folds
    ==================================  ==============================================================================

    The finding ``uncalibrated-folds`` is based on a permutation test. Under the null hypothesis that the scores of all
    models are on one scale, the folds of the instances of a class are exchangeable. The test permutes the folds of the
    rarer class. The p-value is the proportion of assignments, including the observed one, whose mean AUC over folds is
    at least as large as the observed value. The p-value is valid for any sample size. If the scores of the folds are
    shifted, a permutation compares scores of different models, which lowers the mean AUC.

    References
    ----------
    Forman, G. & Scholz, M. (2010). Apples-to-apples in cross-validation studies: pitfalls in classifier performance
    measurement. ACM SIGKDD Explorations 12(1), 49-57.

    Examples
    --------
    >>> from evalstats.metrics import check_folds
    >>> y_true = [1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    >>> y_pred = [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
    >>> fold = [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]
    >>> check = check_folds(y_true, fold, y_pred=y_pred)
    >>> [finding.code for finding in check]
    ['fold-without-positives', 'not-stratified', 'fold-without-predicted-positives', 'f-values-differ']
    >>> print(check.sentences[0])
    error: no instance is positive in 1 of 3 folds (3): recall and AUC are undefined there
    """
    data = _understand(y_true, fold, y_pred, y_score, groups, pos_label)
    plan = _preset(preset)
    n_cross_validations = _checks.count(n_cross_validations, "n_cross_validations")
    alpha = _checks.proportion(alpha, "alpha")
    n_resamples, source = _checks.resampling(n_resamples, rng)
    generator = source.generator()
    start = generator.bit_generator.state

    findings = [
        *_lacking_classes(data),
        *_shared_cases(data),
        *_unstratified_folds(data, n_cross_validations),
        *_unequal_folds(data),
        *_undefined_precision(data, plan),
        *_values_of_f(data, plan, generator),
        *_uncalibrated_scores(data, plan, alpha, n_resamples, generator),
    ]

    return FoldCheck(
        findings=gravest_first(findings),
        folds=tuple(data.names),
        fold_sizes=data.sizes,
        fold_positives=data.positives,
        n_instances=len(data.fold),
        n_positive=data.n_positive,
        n_folds=data.n_folds,
        is_stratified=data.is_stratified,
        preset=plan.meaning,
        seed=source.seed if generator.bit_generator.state != start else None,
    )


def _lacking_classes(data: _Data) -> Iterator[Finding]:
    """Find folds without positive or without negative instances."""
    for lacking, word, lost in (
        (data.positives == 0, "positive", "recall and AUC are undefined"),
        (data.positives == data.sizes, "negative", "AUC is undefined"),
    ):
        if lacking.any():
            yield Finding(
                code=f"fold-without-{word}s",
                severity="error",
                places=data.places(lacking),
                numbers={"n_folds": int(lacking.sum())},
                sentence=f"no instance is {word} in {_folds(lacking, data)}: {lost} there",
            )
    if data.n_positive < data.n_folds:
        least = data.n_folds - data.n_positive
        yield Finding(
            code="fewer-positives-than-folds",
            severity="error",
            numbers={"n_positive": data.n_positive, "n_folds": data.n_folds},
            sentence=f"{data.n_positive} positive instances cannot fill {data.n_folds} folds: at least {least} "
            "folds have none",
        )


def _shared_cases(data: _Data) -> Iterator[Finding]:
    """Find instances, by their keys, that occur in several folds."""
    if data.case is None:
        return
    pairs = np.unique(data.case * data.n_folds + data.fold)
    key, number = np.divmod(pairs, data.n_folds)
    is_shared = np.bincount(key) > 1
    if not is_shared.any():
        return
    n = int(is_shared.sum())
    concerned = np.isin(np.arange(data.n_folds), number[is_shared[key]])
    yield Finding(
        code="rows-in-several-folds",
        severity="error",
        places=data.places(concerned),
        numbers={"n_shared": n, "n_keys": len(is_shared)},
        sentence=f"{n} of {len(is_shared)} different instances are in several folds: models were tested on training "
        "data",
    )


def _unstratified_folds(data: _Data, n_cross_validations: int) -> Iterator[Finding]:
    """Find folds without stratification, and compute the probability of an empty fold (Figure 9)."""
    if not data.is_stratified and data.n_positive:
        fewest, most = int(data.positives.min()), int(data.positives.max())
        once, replaced, ever = (
            empty_fold_probability(data.n_positive, data.n_folds, fold_sizes=sizes, n_cross_validations=trials)
            for sizes, trials in ((data.sizes, 1), (None, 1), (data.sizes, n_cross_validations))
        )
        in_trials = (
            f", and at least once in {n_cross_validations:,} such cross-validations with probability {ever:.3g}"
            if n_cross_validations > 1
            else ""
        )
        yield Finding(
            code="not-stratified",
            severity="warning" if ever >= LIKELY else "note",
            numbers={
                "fewest_positives": fewest,
                "most_positives": most,
                "probability": once,
                "probability_with_replacement": replaced,
                "probability_in_trials": ever,
            },
            sentence=f"the folds are not stratified: they hold {fewest} to {most} positive instances. If "
            f"{data.n_positive} positive instances are assigned at random, some fold has none with probability "
            f"{once:.3g}{in_trials}",
        )


def _unequal_folds(data: _Data) -> Iterator[Finding]:
    """Find folds of unequal size, for which the mean accuracy is not the pooled accuracy."""
    smallest, largest = int(data.sizes.min()), int(data.sizes.max())
    if largest > smallest + 1:
        numbers: dict[str, float] = {"smallest": smallest, "largest": largest}
        sentence = f"folds hold {smallest} to {largest} instances, so pooled accuracy is not the mean over the folds"
        if data.predicted is not None:
            correct = np.bincount(data.fold[data.predicted == data.positive], minlength=data.n_folds)
            numbers["pooled"] = accuracy_over_folds(correct, data.sizes)
            numbers["mean"] = accuracy_over_folds(correct, data.sizes, aggregate="mean")
            sentence += f" ({numbers['pooled']:.4f} against {numbers['mean']:.4f})"
        yield Finding(code="unequal-folds", severity="note", numbers=numbers, sentence=sentence)


def _undefined_precision(data: _Data, plan: FoldPreset) -> Iterator[Finding]:
    """Find folds without predicted positives."""
    if data.predicted is None:
        return
    lacking = np.bincount(data.fold[data.predicted], minlength=data.n_folds) == 0
    if lacking.any():
        pooled = _is_pooled(plan)
        yield Finding(
            code="fold-without-predicted-positives",
            severity="note" if pooled else "warning",
            places=data.places(lacking),
            numbers={"n_folds": int(lacking.sum())},
            sentence=f"no instance is predicted positive in {_folds(lacking, data)}: precision is 0/0 there"
            + (", which does not affect F of the summed counts" if pooled else ""),
        )


def _values_of_f(data: _Data, plan: FoldPreset, rng: np.random.Generator) -> Iterator[Finding]:
    """Compare the five aggregated values of F1, and compare the requested value with the expected true value."""
    if data.predicted is None:
        return
    tp = np.bincount(data.fold[data.predicted & data.positive], minlength=data.n_folds)
    fp = np.bincount(data.fold[data.predicted & ~data.positive], minlength=data.n_folds)
    report = f1_report_over_folds(tp, fp, data.positives - tp)
    values = {way: getattr(report, way) for way in WAYS if report.n_undefined or not way.endswith("_skip")}
    if report.spread >= NOTABLE:
        listed = ", ".join(f"{value:.3f} ({WAYS[way]})" for way, value in values.items())
        yield Finding(
            code="f-values-differ",
            severity="note" if _is_pooled(plan) else "warning",
            numbers={**values, "spread": report.spread},
            sentence=f"F depends on the aggregation over the folds: {listed}",
        )
    if _is_pooled(plan) or not report.tp_fp > 0 or not data.n_negative or data.n_folds < 2:
        return
    recall = float(tp.sum() / data.n_positive)
    way = plan.f1["aggregate"] + "_skip" * (plan.f1.get("undefined") == "skip")
    expected = _expected_f(data, way, recall, float(fp.sum() / data.n_negative), rng)
    relative = expected / report.tp_fp - 1
    if abs(relative) >= NOTABLE:
        yield Finding(
            code="biased-f",
            severity="warning",
            numbers={"relative_bias": relative, "bias": expected - report.tp_fp, "f": report.tp_fp, "recall": recall},
            sentence=f"{WAYS[way]} is biased: with {data.n_positive} positives among {len(data.fold)} instances in "
            f"{data.n_folds} folds{_unequal(data)} and a true F of {report.tp_fp:.2f}, it is {abs(relative):.1%} too "
            f"{'high' if relative > 0 else 'low'} on average",
        )


def _expected_f(data: _Data, way: str, recall: float, false_positive_rate: float, rng: np.random.Generator) -> float:
    """Return the expected F1 of one way of aggregation in folds of these sizes, or nan if it is always undefined.

    Stratified folds keep their positive instances. The positive instances of other folds are assigned at random.
    """
    alike = Counter(
        (size, positives if data.is_stratified else None)
        for size, positives in zip(data.sizes.tolist(), data.positives.tolist(), strict=True)
    )
    setting = forman_scholz_moments.Setting(
        n_positive=data.n_positive,
        n_negative=data.n_negative,
        n_folds=data.n_folds,
        recall=recall,
        false_positive_rate=false_positive_rate,
        stratified=data.is_stratified,
        folds=tuple(forman_scholz_moments.FoldGroup(n, size, positives) for (size, positives), n in alike.items()),
    )
    is_affordable = forman_scholz_moments.cost(setting) <= AFFORDABLE
    moments = (
        forman_scholz_moments.exact_moments(setting)
        if is_affordable
        else forman_scholz_moments.monte_carlo_moments(setting, N_SIMULATED, rng, None)
    )
    return float(moments.mean[list(WAYS).index(way)])


def _uncalibrated_scores(
    data: _Data, plan: FoldPreset, alpha: float, n_resamples: int, rng: np.random.Generator
) -> Iterator[Finding]:
    """Test whether the scores of all folds are on one scale."""
    usable = (data.positives > 0) & (data.positives < data.sizes)
    if data.score is None or usable.sum() < 2:
        return
    kept = usable[data.fold]
    positive, score, fold = data.positive[kept], data.score[kept], (np.cumsum(usable) - 1)[data.fold[kept]]
    pvalue = _pvalue_of_one_scale(positive, score, fold, n_resamples, rng)
    if pvalue > alpha:
        return
    mean, merged = float(np.mean(roc_auc_score(positive, score, fold=fold))), roc_auc_score(positive, score)
    asked = plan.auc.get("aggregate") == "merge"
    yield Finding(
        code="uncalibrated-folds",
        severity="warning" if asked and mean - merged >= NOTABLE else "note",
        numbers={
            "mean": mean,
            "merge": merged,
            "difference": mean - merged,
            "pvalue": pvalue,
            "n_resamples": n_resamples,
        },
        sentence=f"the scores of the folds have different scales (p = {pvalue:.2g}): AUC is {mean:.3f} on average "
        f"over the folds, but {merged:.3f} for their merged scores",
    )


def _pvalue_of_one_scale(
    positive: BoolArray, score: FloatArray, fold: AnyArray, n_resamples: int, rng: np.random.Generator
) -> float:
    """Return the proportion of permutations of the folds of one class whose mean AUC is at least as large.

    The position of each instance among the other class of each fold is computed once for all permutations.
    """
    order = np.lexsort((fold, positive, score))  # the order of the instances must not matter
    positive, score, fold = positive[order], score[order], fold[order]
    if 2 * positive.sum() > len(positive):
        positive, score = ~positive, -score  # the AUC is the same, and fewer instances are permuted
    own = fold[positive]
    n_folds = int(fold.max()) + 1
    share = 1 / (n_folds * np.bincount(own, minlength=n_folds))
    place = np.empty((len(own), n_folds))
    for j in range(n_folds):
        others = np.sort(score[~positive & (fold == j)])
        below, up_to = (np.searchsorted(others, score[positive], side) for side in ("left", "right"))
        place[:, j] = share[j] * (below + up_to) / (2 * len(others))
    start = np.arange(len(own)) * n_folds
    observed = place.take(start + own).sum()
    n_as_large = 0
    step = max(1, CELLS_AT_A_TIME // len(own))
    for i in range(0, n_resamples, step):
        permuted = rng.permuted(np.tile(own, (min(step, n_resamples - i), 1)), axis=1)
        n_as_large += int(np.count_nonzero(place.take(start + permuted).sum(axis=1) >= observed - 1e-12))
    return (n_as_large + 1) / (n_resamples + 1)


def _is_pooled(plan: FoldPreset) -> bool:
    return plan.f1.get("aggregate", "tp_fp") == "tp_fp"


def _folds(chosen: BoolArray, data: _Data) -> str:
    """Return the names of the chosen folds, at most five."""
    names = [str(name) for name in data.among(chosen)]
    shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    return f"{len(names)} of {data.n_folds} folds ({shown})"


def _unequal(data: _Data) -> str:
    """Return the sizes of folds that differ by more than one instance."""
    return f" of {data.sizes.min()} to {data.sizes.max()} instances" if np.ptp(data.sizes) > 1 else ""


def _preset(preset: Any) -> FoldPreset:
    if isinstance(preset, FoldPreset):
        _checks.choice(preset.f1.get("aggregate", "tp_fp"), "preset.f1['aggregate']", AGGREGATES)
        _checks.choice(preset.f1.get("undefined", "zero"), "preset.f1['undefined']", POLICIES)
        return preset
    return FOLD_PRESETS[_checks.choice(preset, "preset", tuple(FOLD_PRESETS))]


def _understand(y_true: Any, fold: Any, y_pred: Any, y_score: Any, case: Any, pos_label: Any) -> _Data:
    _labels.same_labels(y_true=y_true, fold=fold, y_pred=y_pred, y_score=y_score, case=case)
    true, folds = classes.understand(y_true, "y_true"), classes.understand(fold, "fold")
    predicted = None if y_pred is None else classes.understand(y_pred, "y_pred")
    keys = None if case is None else classes.understand(case, "instance")
    score = None if y_score is None else _checks.finite(_checks.numbers(y_score, "y_score"), "y_score")
    for name, array in (
        ("y_true", true.array),
        ("fold", folds.array),
        ("y_pred", predicted and predicted.array),
        ("y_score", score),
        ("instance", keys and keys.array),
    ):
        if array is not None and (array.ndim != 1 or array.shape != true.array.shape):
            rule = f"{name} must have the shape (n,) of y_true, {true.array.shape}"
            raise InvalidValueError(f"{rule}, but its shape is {array.shape}")
    names = classes.in_order(classes.distinct(folds))
    of_case = _codes(folds, names)
    present = classes.distinct(true)
    if pos_label is None and len(present) > 2:
        shown = classes.shown(classes.in_order(present))
        raise InvalidValueError(f"pos_label must name the positive class: y_true holds {shown}")
    positive = positive_cases(true, pos_label, greater_of_two=True)
    if predicted is not None:
        classes.same_kind(true, predicted)
        if pos_label is None:
            pos_label = true.array[positive][0] if positive.any() else 1
    return _Data(
        names=names,
        fold=of_case,
        positive=positive,
        predicted=None if predicted is None else cases_of(predicted.array, pos_label),
        score=score,
        case=None if keys is None else _codes(keys, list(classes.distinct(keys))),
        sizes=np.bincount(of_case, minlength=len(names)),
        positives=np.bincount(of_case[positive], minlength=len(names)),
    )


def _codes(labels: Labels, names: Sequence[Any]) -> AnyArray:
    return classes.class_codes(labels, names).of((slice(None),)).astype(np.int64)


def empty_fold_probability(
    n_positive: ArrayLike, n_folds: int, *, fold_sizes: ArrayLike | None = None, n_cross_validations: int = 1
) -> Any:
    """Compute the probability of a fold without positive instances if instances are assigned at random.

    Parameters
    ----------
    n_positive : int or array_like of int
        Number of positive instances in the dataset.
    n_folds : int
        Number of folds of the cross-validation.
    fold_sizes : array_like of shape (n_folds,), or int, optional
        Number of instances of each fold, or one number for all folds. Default: each positive instance is assigned to a
        random fold, independently of the others. The probability is then the limit for many instances, and slightly too
        large for equal folds.
    n_cross_validations : int, default: 1
        Number of independent cross-validations: the product of the numbers of classes, datasets and repeats.

    Returns
    -------
    float or ndarray
        Probability that at least one fold of at least one cross-validation has no positive instance.

    Raises
    ------
    ValueError
        If a number is too small, there are more positive instances than instances, or `fold_sizes` does not have
        `n_folds` elements.
    TypeError
        If a number is not an integer.

    References
    ----------
    Forman, G. & Scholz, M. (2010). Apples-to-apples in cross-validation studies: pitfalls in classifier performance
    measurement. ACM SIGKDD Explorations 12(1), 49-57, Figure 9.

    Examples
    --------
    >>> from evalstats.metrics import empty_fold_probability
    >>> print(f"{empty_fold_probability(50, 10):.4f} {empty_fold_probability(50, 10, fold_sizes=100):.4f}")
    0.0509 0.0443
    >>> print(f"{empty_fold_probability(90, 10, n_cross_validations=1000):.3f}")
    0.533
    """
    positives = _whole(n_positive, "n_positive", 0)
    n_folds = _checks.count(n_folds, "n_folds")
    n_cross_validations = _checks.count(n_cross_validations, "n_cross_validations")
    sizes = None if fold_sizes is None else _sizes(fold_sizes, n_folds, int(positives.max()))

    once = np.array([_once(p, n_folds, sizes) for p in positives.ravel().tolist()])

    with np.errstate(divide="ignore"):  # a fold that is empty with certainty
        return unbatch(-np.expm1(n_cross_validations * np.log1p(-once)).reshape(positives.shape))


def _once(n_positive: int, n_folds: int, sizes: AnyArray | None) -> float:
    """Return the probability that at least one fold has no positive instance.

    The numbers of positive instances in the folds are independent Poisson (or, for given fold sizes, binomial)
    variables, conditional on their total. The folds are added one by one without subtraction of probabilities.
    """
    if n_positive < n_folds:
        return 1.0
    expected = _expected(n_positive, n_folds, sizes)
    if expected < RARE:
        return expected
    none, some = np.zeros(n_positive + 1), np.zeros(n_positive + 1)
    none[0] = 1.0
    for law in _laws(n_positive, n_folds, sizes):
        some = np.convolve(some, law)[: n_positive + 1] + law[0] * none
        none = np.convolve(none, np.concatenate([[0.0], law[1:]]))[: n_positive + 1]
    return float(some[-1] / (some[-1] + none[-1]))


def _expected(n_positive: int, n_folds: int, sizes: AnyArray | None) -> float:
    """Return the expected number of empty folds."""
    if n_folds == 1:
        return 0.0
    if sizes is None:
        return n_folds * math.exp(n_positive * math.log1p(-1 / n_folds))
    n = int(sizes.sum())
    left = n - np.arange(n_positive)  # remaining instances after each assignment
    alike = zip(*np.unique(sizes, return_counts=True), strict=True)
    return float(sum(count * np.exp(np.log1p(-size / left).sum()) for size, count in alike if n - size >= n_positive))


def _laws(n_positive: int, n_folds: int, sizes: AnyArray | None) -> list[FloatArray]:
    """Return, for each fold, the unconditional probabilities of 0, 1, ... positive instances."""
    if sizes is None:
        mean = n_positive / n_folds
        count = np.arange(1, 40 + round(3 * mean))
        return [np.cumprod(np.concatenate([[math.exp(-mean)], mean / count]))] * n_folds
    by_size = {}
    for size in np.unique(sizes).tolist():
        first, law = forman_scholz_moments.binomial_law(size, n_positive / sizes.sum())
        by_size[size] = np.concatenate([np.zeros(first), law])
    return [by_size[size] for size in sizes.tolist()]


def _sizes(fold_sizes: Any, n_folds: int, n_positive: int) -> AnyArray:
    given = _whole(fold_sizes, "fold_sizes", 1)
    if given.shape not in ((), (n_folds,)):
        raise InvalidValueError(f"fold_sizes must be one number or {n_folds} numbers, but its shape is {given.shape}")
    sizes = np.broadcast_to(given, n_folds)
    if n_positive > sizes.sum():
        raise InvalidValueError(
            f"n_positive must not exceed the {sizes.sum()} instances of all folds, but is {n_positive}"
        )
    return sizes


def _whole(value: Any, name: str, minimum: int) -> AnyArray:
    return _checks.counts(value, name, minimum=minimum)
