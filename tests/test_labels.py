"""Labels of pandas objects are never ignored: what contradicts the positions is refused, by every public function."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from public_names import public_functions
from sklearn.dummy import DummyClassifier

import evalstats
from evalstats import InvalidValueError, metrics, plot, reproducibility
from evalstats._declarations import Data, Declaration, all_declarations
from evalstats.comparison import adjusted_difference
from evalstats.reproducibility import FixedRuns

rng = np.random.default_rng(11)
N = 12
X, Y = np.round(rng.random((2, N)), 2)
TRUE = np.tile([0, 1, 1], 4)
THREE = np.tile([0, 1, 2], 4)
PRED, OTHER = (np.where(rng.random((2, N)) < 0.7, THREE, rng.integers(0, 3, (2, N)))).clip(0, 1)
PRED3, OTHER3 = np.where(rng.random((2, N)) < 0.7, THREE, rng.integers(0, 3, (2, N)))
TRUE2 = np.minimum(THREE, 1)
SCORES = np.round(rng.random((6, 4)), 3)
RIGHT = rng.random((N, 3)) < [0.9, 0.6, 0.4]
FOLD = np.repeat([0, 1], N // 2)
WEIGHT = np.round(rng.random(N) + 0.1, 2)
PARTLY = np.where(np.arange(N) % 3 == 2, np.nan, X)
PROBA = rng.dirichlet([1, 1, 1], N)
TABLE = np.array([[20, 5, 2], [10, 30, 4], [7, 9, 25]])
TWO = np.array([[20, 5], [10, 30]])
PVALUES = np.array([[1, 0.01, 0.04], [0.01, 1, 0.03], [0.04, 0.03, 1]])
DIFFERENT = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
FIVE = np.round(rng.random((2, 5, 2)), 3)


class Labeled(NamedTuple):
    """An array, and what is counted along each of its axes; the labels of an axis that has a meaning of its own."""

    array: Any
    axes: tuple[str, ...]
    own: dict[str, list[Any]] = {}  # noqa: RUF012 - a named tuple has no factory


class Case(NamedTuple):
    """A function, and the arguments whose labels must fit."""

    function: Callable[..., Any]
    arguments: dict[str, Labeled]
    choices: dict[str, Any]


def of_cases(*names: str, **choices: Any) -> Callable[[Callable[..., Any]], Case]:
    """Arguments that hold one value for each case."""
    arrays = {
        "x": X, "y": Y, "y_true": TRUE2, "y_pred": PRED, "y_score": Y, "y_prob": Y, "y_proba": Y, "fold": FOLD,
        "sample_weight": WEIGHT, "y1": PRED3, "y2": OTHER3, "clusters": np.arange(N) // 2, "groups": np.arange(N),
        "subgroup": FOLD,
    }  # fmt: skip
    return lambda function: Case(function, {name: Labeled(arrays[name], ("case",)) for name in names}, choices)


def case(function: Callable[..., Any], choices: dict[str, Any] | None = None, **arguments: Any) -> Case:
    return Case(function, {name: Labeled(*value) for name, value in arguments.items()}, choices or {})


e, m, r = evalstats, metrics, reproducibility
paired = of_cases("x", "y")
labels = of_cases("y_true", "y_pred", "sample_weight")
scored = of_cases("y_true", "y_score", "sample_weight", "fold")
folds = of_cases("y_true", "y_score", "fold")
right = {"x": (RIGHT[:, 0], ("case",)), "y": (RIGHT[:, 1], ("case",)), "clusters": (FOLD, ("case",))}
pairs = {"y_true": (TRUE2, ("case",)), "x": (PRED, ("case",)), "y": (OTHER, ("case",)), "clusters": (FOLD, ("case",))}
proba = {
    "y_true": (THREE, ("case",)),
    "y_proba": (PROBA, ("case", "class"), {"class": [0, 1, 2]}),
    "sample_weight": (WEIGHT, ("case",)),
}
prior = {"prior": (np.array([0.2, 0.3, 0.5]), ("class",), {"class": [0, 1, 2]})}
counts = {"counts": (TWO, ("class", "class"))}
f1 = {"metric": "f1", "pos_label": "b"}
weights = {"weights": (np.array([[1, 0.5, 0], [0.5, 1, 0.2], [0, 0.1, 1]]), ("class", "class"), {"class": [0, 1, 2]})}
square = {"table": (TABLE, ("class", "class"))}
five = {"x": (FIVE[0], ("repeat", "fold")), "y": (FIVE[1], ("repeat", "fold"))}
sizes = {"n_train": 80, "n_test": 20}
quick = {"n_resamples": 99, "rng": 1}

marks = {
    "y_true": (PROBA > 0.3, ("case", "label")),
    "y_pred": (PROBA > 0.2, ("case", "label")),
    "sample_weight": (WEIGHT, ("case",)),
}
ranked = {"y_true": marks["y_true"], "y_score": (PROBA, ("case", "label")), "sample_weight": marks["sample_weight"]}
by_right = ({"right": [True, False]},)

DATA: dict[Data, Callable[[Callable[..., Any]], Case]] = {
    Data.PAIRS: paired,
    Data.CLUSTERED_PAIRS: of_cases("x", "y", "clusters"),
    Data.JUDGED_PAIRS: partial(
        case,
        x=(PARTLY, ("case",)),
        y=(1.5 * PARTLY**2, ("case",)),
        x_judge=(WEIGHT, ("case",)),
        y_judge=(Y, ("case",)),
        clusters=(np.arange(N) // 2, ("case",)),
    ),
    Data.FOLDED_PAIRS: of_cases("x", "y", "fold"),
    Data.REPEATED_FOLDS: partial(
        case,
        x=(np.outer(X[:10], Y[:10]), ("repeat", "fold")),
        y=(np.outer(X[:10], WEIGHT[:10]), ("repeat", "fold")),
    ),
    Data.LEARNING_CURVES: partial(
        case,
        x=(np.outer(X[:6], Y[:3]), ("repeat", "size")),
        y=(np.outer(X[:6], WEIGHT[:3]), ("repeat", "size")),
    ),
    Data.FIVE_BY_TWO: partial(case, **five),
    Data.ANSWERS: partial(case, **right),
    Data.PREDICTED_LABELS: partial(case, **pairs),
    Data.CLASS_SCORES: of_cases("y_true", "x", "y"),
    Data.SUBGROUPS: of_cases("x", "y", "subgroup", "clusters"),
    Data.SUBGROUP_TABLE: partial(
        case,
        scores=(np.column_stack([X, Y, WEIGHT]), ("case", "classifier")),
        subgroup=(FOLD, ("case",)),
    ),
    Data.PROBABILITIES: of_cases("y_true", "x", "y", "clusters"),
    Data.PROBABILITY_TABLE: partial(
        case,
        y_true=(TRUE2, ("case",)),
        scores=(np.column_stack([X, Y, WEIGHT / 2]), ("case", "classifier")),
        clusters=(np.arange(N) // 2, ("case",)),
    ),
    Data.CLUSTERED_CLASS_SCORES: of_cases("y_true", "x", "y", "clusters"),
    Data.TWO_TEST_SETS: partial(
        case,
        y_true_x=(TRUE2, ("case",)),
        x=(X, ("case",)),
        y_true_y=(TRUE, ("other case",)),
        y=(Y, ("other case",)),
    ),
    Data.COUNTS: partial(case, counts=(TWO, ("right", "right"), *by_right)),
    Data.SQUARE_TABLE: partial(case, **square),
    Data.CLASSIFIED: partial(case, **{name: pairs[name] for name in ("y_true", "x", "y")}),
    Data.CLASS_COUNTS: partial(
        case,
        positives=(TWO, ("right", "right"), *by_right),
        negatives=(TWO[::-1], ("right", "right"), *by_right),
    ),
}


def declared(one: Declaration) -> Case:
    """Return the case of a declared test; one that draws draws little."""
    drawn = {name: value for name, value in quick.items() if name in inspect.signature(one.function).parameters}
    return DATA[one.data](one.function)._replace(choices={**one.example, **drawn})


CASES: dict[str, Case] = {
    **{one.name: declared(one) for one in all_declarations() if one.data in DATA},
    "curve_difference": of_cases("y_true", "x", "y", n_resamples=20)(e.paired.curve_difference),
    "net_benefit_difference": of_cases("y_true", "x", "y", "clusters", n_resamples=20)(e.paired.net_benefit_difference),
    "metrics.cross_validated_mean": case(
        m.cross_validated_mean, scores=(WEIGHT, ("case",)), fold=(np.arange(N) // 4, ("case",))
    ),
    "metrics.decision_curve": of_cases("y_true", "y_prob", "clusters")(m.decision_curve),
    "estimate_label_shift": case(
        e.shift.estimate_label_shift,
        quick,
        y_true=(PRED3, ("case",)),
        y_pred=(OTHER3, ("case",)),
        y_pred_new=(OTHER3, ("new case",)),
    ),
    "metrics.clustered_mean": case(
        m.clustered_mean, scores=(WEIGHT, ("case",)), clusters=(np.arange(N) // 2, ("case",))
    ),
    "metrics.ppi_score": case(
        m.ppi_score,
        human=(np.where(np.arange(N) < N // 2, TRUE, np.nan), ("case",)),
        judge=(np.arange(N) % 2, ("case",)),
        prediction=(np.arange(N) // 2 % 2, ("case",)),
    ),
    "metrics.length_adjusted_win_rate": case(
        m.length_adjusted_win_rate,
        preference=(WEIGHT / WEIGHT.max(), ("case",)),
        length_difference=(np.arange(N) % 5, ("case",)),
        clusters=(np.arange(N) // 2, ("case",)),
    ),
    "metrics.ppi_mean": case(
        m.ppi_mean,
        human=(PARTLY, ("case",)),
        judge=(WEIGHT, ("case",)),
        clusters=(np.arange(N) // 2, ("case",)),
    ),
    "metrics.majority_at_k": case(
        m.majority_at_k, n_correct=([1, 2, 3], ("case",)), n_samples=([3, 5, 7], ("case",))
    ),
    "metrics.near_duplicates": case(
        m.near_duplicates, X=(rng.random((N, 2)), ("case", "feature")), fold=(FOLD, ("case",))
    ),
    "metrics.pass_at_k": case(
        m.pass_at_k, {"k": 2}, n_correct=([1, 2, 3], ("case",)), n_samples=([3, 5, 7], ("case",))
    ),
    "metrics.pass_hat_k": case(
        m.pass_hat_k, {"k": 2}, n_correct=([1, 2, 3], ("case",)), n_samples=([3, 5, 7], ("case",))
    ),
    "pairwise_clustered_ttest": case(
        e.pairwise.pairwise_clustered_ttest,
        scores=(rng.random((N, 3)), ("case", "classifier")),
        clusters=(np.arange(N) // 2, ("case",)),
    ),
    "performance_deterioration": case(
        e.shift.performance_deterioration,
        error_test=([0.2, 0.3], ("classifier",)),
        error_ideal=([0.1, 0.1], ("classifier",)),
        error_trivial=([0.5, 0.5], ("classifier",)),
    ),
    "hellinger_distance": case(
        e.study.hellinger_distance, positives=([3, 4, 5], ("value",)), negatives=([9, 2, 1], ("value",))
    ),
    "label_permutation_test": case(
        lambda **given: e.study.label_permutation_test(DummyClassifier(), n_folds=2, n_resamples=19, rng=1, **given),
        X=(rng.random((N, 2)), ("case", "feature")),
        y=(PRED, ("case",)),
    ),
    "project_vectors": case(
        e.multiple.project_vectors,
        {"classifiers": ["a", "b", "c", "d"]},
        vectors=(rng.random((4, 3)), ("classifier", "entry")),
        ideal=([1.0, 0.0, 1.0], ("entry",)),
    ),
    "question_variance": case(
        e.design.question_variance,
        x=(rng.random((N, 3)), ("case", "sample")),
        y=(rng.random((N, 3)), ("case", "other sample")),
    ),
    "adjust_pairwise": case(
        e.adjust_pairwise,
        {"method": "shaffer-dynamic"},
        pvalues=(np.array([[1, 0.3, 0.01], [0.3, 1, 0.2], [0.01, 0.2, 1]]), ("classifier", "classifier")),
        mean_ranks=(np.array([1.2, 2.0, 2.8]), ("classifier",)),
    ),
    "akinshin_gamma": of_cases("x", "y", paired=True, n_resamples=99, rng=1)(e.effects.akinshin_gamma),
    "check_published_ranks": case(
        e.multiple.check_published_ranks,
        {"names": ["a", "b", "c"]},
        mean_ranks=([[1.2, 2.0, 2.8], [1.0, 2.0, 3.0]], ("paper", "classifier"), {"classifier": ["a", "b", "c"]}),
        n_datasets=([10, 20], ("paper",)),
    ),
    "bayes_accuracy_test, counts": case(
        e.bayes.bayes_accuracy_test, counts=(TWO, ("right", "right"), {"right": [True, False]})
    ),
    "bayes_accuracy_test": case(e.bayes.bayes_accuracy_test, x=right["x"], y=right["y"]),
    "bradley_terry_from_battles": case(
        e.multiple.bradley_terry_from_battles,
        model_a=(np.array(["a", "b", "c", "a", "b", "c"]), ("battle",)),
        model_b=(np.array(["b", "c", "a", "b", "a", "a"]), ("battle",)),
        winner=(np.array([1, 1, 0.5, 0, 0.5, 1]), ("battle",)),
        clusters=(np.array([1, 1, 2, 2, 3, 3]), ("battle",)),
        weight=(np.array([1.0, 2, 1, 1, 2, 1]), ("battle",)),
    ),
    "rank_confidence_sets": case(
        e.multiple.rank_confidence_sets,
        {"n_resamples": 99},
        estimate=(np.array([0.1, 0.9, 0.5]), ("classifier",)),
        covariance=(np.diag([0.1, 0.2, 0.3]), ("classifier", "classifier")),
    ),
    "bradley_terry_from_counts": case(
        e.multiple.bradley_terry_from_counts,
        n_wins=(np.array([[0, 5, 2], [3, 0, 4], [1, 6, 0]]), ("classifier", "classifier")),
        n_ties=(np.array([[0, 1, 2], [1, 0, 4], [2, 4, 0]]), ("classifier", "classifier")),
    ),
    "probability_of_improvement": case(
        e.reproducibility.probability_of_improvement,
        quick,
        x=(SCORES, ("run x", "dataset")),
        y=(SCORES[:3], ("run y", "dataset")),
    ),
    "proportion_posterior": case(
        e.bayes.proportion_posterior, n_successes=([5, 7, 9], ("fold",)), n=([9, 9, 10], ("fold",))
    ),
    "bayes_correlated_ttest": of_cases("x", "y", **sizes)(e.bayes_correlated_ttest),
    "bayes_hierarchical_test": case(
        e.bayes.bayes_hierarchical_test,
        {**sizes, "n_simulations": 40, "n_warmup": 20, "n_chains": 2, "rng": 1},
        x=(SCORES, ("dataset", "fold")),
        y=(SCORES[:, ::-1], ("dataset", "fold")),
    ),
    "bayes_sign_test": of_cases("x", "y", n_simulations=500, rng=1)(e.bayes.bayes_sign_test),
    "bayes_signed_rank_test": of_cases("x", "y", n_simulations=500, rng=1)(e.bayes_signed_rank_test),
    "almost_stochastic_order": case(
        e.effects.almost_stochastic_order,
        quick,
        x=(SCORES, ("dataset", "run x")),
        y=(SCORES[:, :3], ("dataset", "run y")),
    ),
    "jzs_bayes_factor": paired(e.bayes.jzs_bayes_factor),
    "cliffs_delta": case(
        e.effects.cliffs_delta, x=(SCORES, ("dataset", "run x")), y=(SCORES[:, :3], ("dataset", "run y"))
    ),
    "cochran_q_test": case(e.cochran_q_test, correct=(RIGHT, ("case", "classifier")), clusters=(FOLD, ("case",))),
    "cohen_d": case(e.effects.cohen_d, x=(SCORES, ("dataset", "run x")), y=(SCORES[:, :3], ("dataset", "run y"))),
    "cohen_dz": paired(e.effects.cohen_dz),
    "cohen_kappa": case(e.cohen_kappa, y1=(PRED3, ("case",)), y2=(OTHER3, ("case",)), **weights),
    "cohen_kappa_table": case(
        e.cohen_kappa_table, table=(TABLE, ("class", "class"), {"class": [0, 1, 2]}), **weights
    ),
    "compact_letter_display": case(
        e.multiple.compact_letter_display, {"order": [0, 1, 2]}, different=(DIFFERENT, ("class", "class"))
    ),
    "hedges_g": of_cases("x", "y", paired=True)(e.effects.hedges_g),
    "homogeneous_subsets": case(
        e.multiple.homogeneous_subsets, {"order": [0, 1, 2]}, different=(DIFFERENT, ("class", "class"))
    ),
    "estimation_bias": case(e.reproducibility.estimation_bias, estimates=(X, ("dataset",)), truth=(Y, ("dataset",))),
    "overlap": paired(e.overlap),
    "pairwise_delong_test": case(
        e.pairwise.pairwise_delong_test,
        y_true=(TRUE2, ("case",)),
        scores=(np.round(rng.random((N, 3)), 2), ("case", "classifier")),
    ),
    "adjusted_difference": case(
        adjusted_difference,
        {"covariates": {"length": np.arange(N) % 3}},
        score=(Y, ("case",)),
        model=(np.where(np.arange(N) % 2, "b", "a"), ("case",)),
        question=(np.arange(N), ("case",)),
    ),
    "pairwise_mcnemar_test": case(
        e.pairwise_mcnemar_test, correct=(RIGHT, ("case", "classifier")), clusters=(FOLD, ("case",))
    ),
    "rank_biserial": paired(e.effects.rank_biserial),
    "read_table": Case(
        lambda **columns: e.read_table(columns).scores,  # the names of rows are those of datasets
        {name: Labeled(values, ("row",)) for name, values in (("a", X), ("b", Y))},
        {},
    ),
    "replay_stopping_rule": case(
        lambda **runs: e.reproducibility.replay_stopping_rule(FixedRuns(3), rng=1, **runs),
        estimates=(X, ("run",)),
        probabilities=(rng.random((N, 3)), ("run", "instance")),
    ),
    "scott_pi": of_cases("y1", "y2")(e.agreement.scott_pi),
    "scott_pi, counts": case(e.agreement.scott_pi, counts=(TABLE, ("class", "class"), {"class": [0, 1, 2]})),
    "vargha_delaney_a": case(
        e.effects.vargha_delaney_a, x=(SCORES, ("dataset", "run x")), y=(SCORES[:, :3], ("dataset", "run y"))
    ),
    "adjusted_mutual_info_score": of_cases("y_true", "y_pred")(e.agreement.adjusted_mutual_info_score),
    "adjusted_rand_score": of_cases("y_true", "y_pred")(e.agreement.adjusted_rand_score),
    "completeness_score": of_cases("y_true", "y_pred")(e.agreement.completeness_score),
    "fowlkes_mallows_score": of_cases("y_true", "y_pred")(e.agreement.fowlkes_mallows_score),
    "homogeneity_score": of_cases("y_true", "y_pred")(e.agreement.homogeneity_score),
    "normalized_mutual_info_score": of_cases("y_true", "y_pred")(e.agreement.normalized_mutual_info_score),
    "pair_counting_f_score": of_cases("y_true", "y_pred")(e.agreement.pair_counting_f_score),
    "purity_score": of_cases("y_true", "y_pred")(e.agreement.purity_score),
    "rand_score": of_cases("y_true", "y_pred")(e.agreement.rand_score),
    "v_measure_score": of_cases("y_true", "y_pred")(e.agreement.v_measure_score),
    "metrics.one_vs_rest_counts": labels(m.one_vs_rest_counts),
    "metrics.multilabel_counts": case(m.multilabel_counts, **marks, fold=(FOLD, ("case",))),
    "metrics.multilabel_score": case(m.multilabel_score, {"metric": "f1"}, **marks),
    "metrics.subset_accuracy_score": case(m.subset_accuracy_score, **marks),
    "metrics.hamming_loss": case(m.hamming_loss, **marks),
    "metrics.coverage_error": case(m.coverage_error, **ranked),
    "metrics.label_ranking_average_precision_score": case(m.label_ranking_average_precision_score, **ranked),
    "metrics.label_ranking_loss": case(m.label_ranking_loss, **ranked),
    "metrics.kendall_tau_b": labels(m.kendall_tau_b),
    "metrics.ordinal_absolute_error": labels(m.ordinal_absolute_error),
    "metrics.ordinal_squared_error": labels(m.ordinal_squared_error),
    "metrics.q_statistic": paired(m.q_statistic),
    "metrics.accuracy_interval": case(m.accuracy_interval, counts=square["table"]),
    "metrics.accuracy_over_folds": case(
        m.accuracy_over_folds, n_correct=([5, 7, 9], ("fold",)), n_instances=([9, 9, 10], ("fold",))
    ),
    "metrics.auc_estimate": of_cases("y_true", "y_score")(m.auc_estimate),
    "metrics.auc_over_folds": folds(m.auc_over_folds),
    "metrics.auc_report_over_folds": folds(m.auc_report_over_folds),
    "metrics.average_precision_over_folds": folds(m.average_precision_over_folds),
    "metrics.average_precision_score": scored(m.average_precision_score),
    "metrics.balanced_accuracy_score": labels(m.balanced_accuracy_score),
    "metrics.accuracy_score": labels(m.accuracy_score),
    "metrics.best_threshold": of_cases("y_true", "y_score", "sample_weight")(m.best_threshold),
    "metrics.bootstrap_auc_interval": of_cases("y_true", "y_score", **quick)(m.bootstrap_auc_interval),
    "metrics.bootstrap_auc_scores": of_cases("y_true", "y_score", **quick)(m.bootstrap_auc_scores),
    "metrics.bootstrap_interval": case(m.bootstrap_interval, {**f1, **quick}, **counts),
    "metrics.bootstrap_scores": case(m.bootstrap_scores, {**f1, **quick}, **counts),
    "metrics.break_even_point": of_cases("y_true", "y_score", "sample_weight")(m.break_even_point),
    "metrics.brier_score_loss": case(m.brier_score_loss, **proba),
    "metrics.calibration_curve": of_cases("y_true", "y_prob", "sample_weight", pos_label=1)(m.calibration_curve),
    "metrics.check_folds": of_cases("y_true", "fold", "y_pred", "y_score", "groups", rng=1)(m.check_folds),
    "metrics.cohen_kappa_score": of_cases("y1", "y2", "sample_weight")(m.cohen_kappa_score),
    "metrics.confusion_counts": of_cases("y_true", "y_pred", "sample_weight", "fold")(m.confusion_counts),
    "metrics.count_undefined": case(m.count_undefined, f1, **counts),
    "metrics.cost_curve": of_cases("y_true", "y_score", "sample_weight")(m.cost_curve),
    "metrics.cost_ranges": case(
        m.cost_ranges,
        y_true=(TRUE2, ("case",)),
        y_score=(rng.random((3, N)), ("classifier", "case")),
        sample_weight=(WEIGHT, ("case",)),
    ),
    "metrics.delong_covariance": case(
        m.delong_covariance, y_true=(TRUE2, ("case",)), y_score=(rng.random((3, N)), ("classifier", "case"))
    ),
    "metrics.error_rate": labels(m.error_rate),
    "metrics.f1_fold_bias": case(
        m.f1_fold_bias,
        n_positive=([5, 9], ("design",)),
        n_negative=([50, 90], ("design",)),
        n_folds=([2, 3], ("design",)),
        f=([0.5, 0.8], ("design",)),
        recall=([0.6, 0.9], ("design",)),
    ),
    "metrics.expected_cost": case(
        m.expected_cost,
        counts=(TWO, ("class", "class")),
        costs=([[0, 1], [5, 0]], ("class", "class")),
        class_priors=([0.9, 0.1], ("class",)),
    ),
    "metrics.expected_calibration_error": case(m.expected_calibration_error, **proba),
    "metrics.brier_decomposition": of_cases("y_true", "y_proba")(m.brier_decomposition),
    "metrics.calibration_slope": of_cases("y_true", "y_prob")(m.calibration_slope),
    "metrics.miscalibration": case(m.miscalibration, **proba),
    "metrics.recalibration_test": of_cases("y_true", "y_prob")(m.recalibration_test),
    "metrics.reliability_curve": of_cases("y_true", "y_proba", n_resamples=20)(m.reliability_curve),
    "metrics.spiegelhalter_test": of_cases("y_true", "y_prob")(m.spiegelhalter_test),
    "metrics.squared_calibration_error": of_cases("y_true", "y_proba")(m.squared_calibration_error),
    "metrics.f1_over_folds": case(
        m.f1_over_folds, tp=([5, 7, 9], ("fold",)), fp=([1, 2, 3], ("fold",)), fn=([4, 0, 1], ("fold",))
    ),
    "metrics.f1_report_over_folds": case(
        m.f1_report_over_folds, tp=([5, 7, 9], ("fold",)), fp=([1, 2, 3], ("fold",)), fn=([4, 0, 1], ("fold",))
    ),
    "metrics.f1_score": labels(m.f1_score),
    "metrics.false_positive_rate": labels(m.false_positive_rate),
    "metrics.fbeta_score": of_cases("y_true", "y_pred", "sample_weight", beta=2)(m.fbeta_score),
    "metrics.geometric_mean_score": labels(m.geometric_mean_score),
    "metrics.group_gaps": of_cases("y_true", "y_pred", "subgroup")(m.group_gaps),
    "gap_change_test": case(
        e.paired.gap_change_test, {"rate": "accuracy", **quick}, **pairs, subgroup=(FOLD, ("case",))
    ),
    "subgroup_test_from_estimates": case(
        e.paired.subgroup_test_from_estimates,
        difference=([0.1, 0.2, 0.4], ("group",)),
        standard_error=([0.1, 0.1, 0.2], ("group",)),
    ),
    "metrics.h_measure": of_cases("y_true", "y_score", "sample_weight")(m.h_measure),
    "metrics.information_score": case(m.information_score, **proba, **prior),
    "metrics.informedness_score": labels(m.informedness_score),
    "metrics.jaccard_score": labels(m.jaccard_score),
    "metrics.lift_curve": of_cases("y_true", "y_score", "sample_weight")(m.lift_curve),
    "metrics.lift_score": of_cases("y_true", "y_score", "sample_weight")(m.lift_score),
    "metrics.log_loss": case(m.log_loss, **proba),
    "metrics.matthews_corrcoef": labels(m.matthews_corrcoef),
    "ranking_stability": case(
        lambda **given: e.multiple.ranking_stability(**given, n_resamples=9).frequencies,
        scores=(rng.random((N, 3)), ("case", "classifier")),
        clusters=(np.arange(N) // 2, ("case",)),
    ),
    "consensus_ranking": case(
        lambda **given: e.multiple.consensus_ranking(**given, n_resamples=9).frequencies,
        scores=(rng.random((N, 3)), ("case", "classifier")),
        tasks=(np.arange(N) // 4 % 2, ("case",)),
        clusters=(np.arange(N) // 2, ("case",)),
    ),
    "metrics.precision_at_n": of_cases("y_true", "y_score", "fold", n=3)(m.precision_at_n),
    "metrics.precision_at_n_over_folds": of_cases("y_true", "y_score", "fold", n=3)(m.precision_at_n_over_folds),
    "metrics.precision_recall_curve": of_cases("y_true", "y_score", "sample_weight")(m.precision_recall_curve),
    "metrics.precision_score": labels(m.precision_score),
    "metrics.proportion_interval": case(
        m.proportion_interval, n_successes=([5, 7, 9], ("fold",)), n=([9, 9, 10], ("fold",))
    ),
    "metrics.recall_score": labels(m.recall_score),
    "metrics.relative_information_score": case(m.relative_information_score, **proba, **prior),
    "metrics.roc_auc_score": case(
        m.roc_auc_score,
        {"multi_class": "ovr"},
        y_true=proba["y_true"],
        y_score=proba["y_proba"],
        fold=(FOLD, ("case",)),
    ),
    "metrics.roc_convex_hull": of_cases("y_true", "y_score", "sample_weight")(m.roc_convex_hull),
    "metrics.roc_curve": of_cases("y_true", "y_score", "sample_weight")(m.roc_curve),
    "metrics.root_mean_squared_error": case(m.root_mean_squared_error, **proba),
    "metrics.score_from_counts": case(m.score_from_counts, f1, **counts),
    "metrics.scores_at_thresholds": of_cases("y_true", "y_score", "sample_weight")(m.scores_at_thresholds),
    "metrics.specificity_score": labels(m.specificity_score),
    "plot.fold_rate_curves": of_cases("y_true", "y_score", "fold")(
        lambda y_true, y_score, fold: [
            list(line.get_ydata()) for line in plot.fold_rate_curves(y_true, y_score, fold).lines
        ]
    ),
    "plot.precision_recall_curves": of_cases("y_true", "y_score")(
        lambda y_true, y_score: [list(line.get_ydata()) for line in plot.precision_recall_curves(y_true, y_score).lines]
    ),
    **{
        f"plot.{draw.__name__}": of_cases("y_true", "y_score", bands=False)(
            lambda y_true, y_score, bands, draw=draw: [
                list(line.get_ydata()) for line in draw(y_true, y_score, bands=bands).lines
            ]
        )
        for draw in (plot.cost_curves, plot.gain_curves, plot.lift_curves)
    },
    "plot.decision_curves": of_cases("y_true", "y_score")(
        lambda y_true, y_score: [list(line.get_ydata()) for line in plot.decision_curves(y_true, y_score).lines]
    ),
    "plot.roc_curves": of_cases("y_true", "y_score")(
        lambda y_true, y_score: [list(line.get_ydata()) for line in plot.roc_curves(y_true, y_score).lines]
    ),
    "plot.run_histograms": case(
        lambda runs: [list(line.get_xdata()) for line in plot.run_histograms(runs, ["a", "b", "c"]).lines],
        runs=(rng.random((N, 3)), ("run", "classifier"), {"classifier": ["a", "b", "c"]}),
    ),
    "plot.running_means": case(
        lambda runs: [list(line.get_ydata()) for line in plot.running_means(runs, ["a", "b", "c"]).lines],
        runs=(rng.random((N, 3)), ("run", "classifier"), {"classifier": ["a", "b", "c"]}),
    ),
    "ScoreTable": case(
        lambda scores: e.ScoreTable(scores=scores, datasets=("d", "e"), classifiers=("a", "b", "c")).to_dict(),
        scores=(
            rng.random((2, 3)), ("dataset", "classifier"), {"dataset": ["d", "e"], "classifier": ["a", "b", "c"]},
        ),
    ),
}  # fmt: skip

ONE_ARRAY = "takes one array, so there are no other labels to contradict"
NO_ARRAY = "takes no arrays"
RECORD = "takes a record of evalstats, or what read_table reads"
OF_ONE_TABLE = (Data.RANKED_TABLE, Data.TABLE)
EXCUSED = {
    "nested_cross_validated_mean": "takes an array with three axes, and no object of pandas has three",
    "label_variation": "takes the labels of alternative_annotator_test: tests/agreement contains this test",
    "alternative_annotator_test": "takes the names of annotators from a frame: tests/agreement contains this test",
    "obuchowski_rockette_test": "takes an array with three axes, and no object of pandas has three",
    **dict.fromkeys(
        [
            *(one.name for one in all_declarations() if one.data in OF_ONE_TABLE and one.name not in CASES),
            "adjust_e_values",
            "adjust_pvalues",
            "bayes_pairwise_correlated_ttest",
            "bayes_pairwise_sign_test",
            "bayes_pairwise_signed_rank_test",
            "cohen_kappa_matrix",
            "dataset_selection_sensitivity",
            "performance_vectors",
            "project_classifiers",
            "dea_efficiency",
            "run_distribution",
            "fleiss_kappa",
            "bradley_terry_model",
            "variance_components",
            "plackett_luce_model",
            "interquartile_mean",
            "optimality_gap",
            "gwet_ac1",
            "kendall_w",
            "krippendorff_alpha",
            "ranks_by_metric",
            "overlap_matrix",
            "pareto_front",
            "pairwise_mean_differences",
            "pairwise_vargha_delaney_a",
            "pvalues_over_runs",
            "rank_distribution",
            "running_means",
            "long_run_mean",
            "verdict_reproducibility",
            "jonckheere_test",
            "jonckheere_block_test",
            "looney_f_test",
            "contrast_estimation",
            "light_kappa",
            "statistical_power",
            "metrics.adwin",
            "metrics.ddm",
            "metrics.holdout_errors",
            "metrics.page_hinkley",
            "metrics.prequential_errors",
            "required_sample_size",
        ],
        ONE_ARRAY,
    ),
    **dict.fromkeys(
        [
            "critical_difference",
            "simulate_flu_shift",
            "make_flu_patients",
            "example_metric_table",
            "example_names",
            "example_path",
            "example_source",
            "example_table",
            "known_formats",
            "noninferiority_power",
            "noninferiority_sample_size",
            "plan_design",
            "plan_margin",
            "minimum_attainable_pvalue",
            "minimum_detectable_difference",
            "minimum_sample_size",
            "validate",
            "plot.f_score_contours",
            "report.bibliography",
            "report.document",
        ],
        NO_ARRAY,
    ),
    **dict.fromkeys(
        [
            "simulate_error_rates",
            "compare",
            "confusion_matrices",
            "verify_report",
            "plot.classifier_projection",
            "plot.score_intervals",
            "plot.battle_strengths",
            "read_battles",
            "compare_learning_curves",
            "compare_readers",
            "compare_judged",
            "read_predictions",
            "read_study",
            "analyze_predictions",
            "analyze_calibration",
            "analyze_decisions",
            "analyze_runs",
            "score_predictions",
            "which_test",
            "plot.multiple_comparisons_with_best",
            "plot.critical_difference_diagram",
            "plot.difference_intervals",
            "plot.effect_sizes",
            "plot.class_imbalance",
            "plot.curve_difference",
            "plot.fold_distributions",
            "plot.annotator_margins",
            "plot.margin_intervals",
            "plot.multi_comparison_matrix",
            "plot.performance_profile",
            "plot.posterior",
            "plot.posterior_heatmap",
            "plot.pairwise_posteriors",
            "plot.pvalue_heatmap",
            "plot.rank_distribution",
            "plot.podium_frequencies",
            "plot.rank_frequencies",
            "plot.ranking_correlations",
            "plot.significance_map",
            "plot.ranked_list",
            "plot.ranks_by_metric",
            "plot.reliability_diagram",
            "plot.learning_curves",
            "plot.subgroup_differences",
            "plot.save",
            "plot.scatter",
            "plot.scores_by_dataset",
            "plot.win_matrix",
            "report.html",
            "report.json",
            "report.latex",
            "report.markdown",
            "report.r_script",
            "report.render",
            "report.sentence",
            "report.text",
        ],
        RECORD,
    ),
    "classifier_two_sample_test": "takes instances of two independent samples",
    "mmd_test": "takes instances of two independent samples",
    "run_histogram": "the argument bins contains edges, and not one value for each run",
    "gate": "pairs questions by columns with their names: tests/gating/test_matching.py",
    "split_sizes": "takes the positions of the instances of training sets and test sets",
    "metrics.empty_fold_probability": "n_positive contains designs and fold_sizes contains folds, which are not paired",
    "metrics.forman_scholz_simulation": "combines each prevalence with each F1, so they are not paired",
    "fold_scores_from_cross_validate": "takes the NumPy arrays that scikit-learn returns",
    "score_table_from_cross_validate": "takes the NumPy arrays that scikit-learn returns",
    "run_study": "fits classifiers: a separate test checks the index of instances and labels",
}


def labels_of(axis: str, n: int) -> list[str]:
    letters = [chr(ord("a") + i) for i in range(n)]
    return letters if axis == "class" else [f"{axis} {letter}" for letter in letters]


def as_pandas(value: Labeled, move: int | None = None) -> Any:
    """Return an array with its labels, as a Series or a data frame; the values along one axis in another order."""
    array = np.asarray(value.array)
    of_axes = [
        pd.Index(value.own.get(axis, labels_of(axis, n))) for axis, n in zip(value.axes, array.shape, strict=True)
    ]
    frame: Any = pd.Series(array, of_axes[0]) if array.ndim == 1 else pd.DataFrame(array, *of_axes)
    if move is None:
        return frame
    order = [*range(1, array.shape[move]), 0]
    return frame.iloc[order] if move == 0 else frame.iloc[:, order]


def moves(case: Case) -> Iterator[tuple[str, int]]:
    """Each argument and axis that another argument, another axis or the subject gives an order."""
    everywhere = [axis for value in case.arguments.values() for axis in value.axes]
    for name, value in case.arguments.items():
        for number, axis in enumerate(value.axes):
            if everywhere.count(axis) > 1 or axis in value.own:
                yield name, number


def plain(value: Any) -> Any:
    """Return a result as lists and numbers that can be compared."""
    if dataclasses.is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value) if not f.name.startswith("_")}
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def same(first: Any, second: Any) -> bool:
    return bool(repr(plain(first)) == repr(plain(second)))


def test_every_public_function_stands_here() -> None:
    """A function that is added without saying what its labels must fit fails here."""
    assert set(public_functions()) == {name.partition(",")[0] for name in CASES if name != "ScoreTable"} | set(EXCUSED)


@pytest.mark.sampled
@pytest.mark.filterwarnings("ignore::evalstats.EvalstatsWarning")
@pytest.mark.parametrize("name", CASES)
def test_labels_that_fit_change_nothing(name: str) -> None:
    function, arguments, choices = CASES[name]
    by_position = {name: np.asarray(value.array) for name, value in arguments.items()}
    positive = {"pos_label": 1} if choices.get("pos_label") == "b" else {}

    named = function(**{name: as_pandas(value) for name, value in arguments.items()}, **choices)
    nameless = function(**by_position, **choices | positive)

    if getattr(nameless, "classifiers", ...) is None is not named.classifiers:
        named = dataclasses.replace(named, classifiers=None)
    if name == "learning_curve_test":  # the names of the sizes are the columns
        named = dataclasses.replace(named, sizes=nameless.sizes)
    assert same(named, nameless)


@pytest.mark.sampled
@pytest.mark.filterwarnings("ignore::evalstats.EvalstatsWarning")
@pytest.mark.parametrize("name", CASES)
def test_labels_in_another_order_never_give_another_number(hold_for_each, name: str) -> None:
    """The same numbers with the same labels, one argument in another order: the same result, or our refusal.

    A case in which nothing could be moved would prove nothing, and is a failure.
    """
    function, arguments, choices = CASES[name]
    in_order = {name: as_pandas(value) for name, value in arguments.items()}
    expected = function(**in_order, **choices)

    def law(argument: str, axis: int) -> None:
        moved = in_order | {argument: as_pandas(arguments[argument], axis)}
        try:
            result = function(**moved, **choices)
        except InvalidValueError as error:
            assert any(word in str(error) for word in ("equal", "same labels", "in their order"))  # noqa: PT017 - it need not raise
        else:
            assert same(result, expected)

    hold_for_each({f"{argument}, axis {axis}": (argument, axis) for argument, axis in moves(CASES[name])}, law)


def test_rows_of_a_list_of_series_have_one_index() -> None:
    rows = [pd.Series([1.0, 2.0], index=["a", "b"]), pd.Series([1.0, 2.0], index=["b", "a"])]

    with pytest.raises(InvalidValueError, match=r"scores\[0\] and scores\[1\] must have equal indexes"):
        evalstats.friedman_test(rows)
    with pytest.raises(InvalidValueError, match=r"y\[0\] and y\[1\] must have equal indexes"):
        evalstats.agreement.cohen_kappa_matrix([pd.Series([0, 1]), pd.Series([0, 1], index=[1, 0])])


def test_message_says_where_the_labels_differ() -> None:
    x, y = pd.Series([1, 2, 3], index=list("abc")), pd.Series([1, 2, 3], index=list("acb"))

    with pytest.raises(InvalidValueError) as caught:
        evalstats.sign_test(x, y)

    assert str(caught.value) == (
        "x and y must have equal indexes to be paired, but position 1 is 'b' in x and 'c' in y; align them first, for "
        "example with x.align(y, join='inner')"
    )


def test_cross_table_that_lacks_a_class_is_refused_with_the_way_out() -> None:
    """pandas.crosstab leaves out the classes that a rater never used."""
    first, second = pd.Series(list("aabbc"), name="first"), pd.Series(list("aabba"), name="second")
    table = pd.crosstab(first, second)

    with pytest.raises(InvalidValueError, match=r"the columns lack \['c'\].*reindex\(index=labels"):
        evalstats.cohen_kappa_table(table)
    whole = table.reindex(index=list("abc"), columns=list("abc"), fill_value=0)
    assert evalstats.cohen_kappa_table(whole).estimate == evalstats.cohen_kappa(first, second).estimate


@pytest.mark.parametrize(("right", "wrong"), [(True, False), (1, 0)])
def test_cross_table_of_correctness_says_who_is_right(right: Any, wrong: Any) -> None:
    """pandas.crosstab puts False first, where mcnemar_test has the cases that both get right."""
    x, y = [right] * 7 + [wrong] * 3, [right] * 2 + [wrong] * 5 + [wrong] * 3
    table = pd.crosstab(pd.Series(x, name="x"), pd.Series(y, name="y"))

    with pytest.raises(InvalidValueError, match="a correct prediction comes first"):
        evalstats.paired.mcnemar_test(counts=table)
    in_order = table.reindex(index=[right, wrong], columns=[right, wrong])
    assert evalstats.paired.mcnemar_test(counts=in_order).difference == evalstats.mcnemar_test(x, y).difference == 0.5


def test_positive_class_of_a_cross_table_is_named_by_its_label() -> None:
    """Both rows and columns in another order: class 1 stays class 1."""
    y_true, y_pred = pd.Series([0, 0, 0, 1, 1, 1, 1]), pd.Series([0, 1, 1, 1, 1, 0, 1])
    table = pd.crosstab(y_true, y_pred)
    expected = metrics.f1_score(y_true, y_pred)

    for order in ([0, 1], [1, 0]):
        assert metrics.score_from_counts("f1", table.loc[order, order]) == expected
        assert metrics.bootstrap_interval("f1", table.loc[order, order], rng=1, n_resamples=99).estimate == expected
    with pytest.raises(InvalidValueError, match=r"pos_label must be a row label of counts \('ham', 'spam'\), not 1"):
        metrics.score_from_counts("f1", table.set_axis(["ham", "spam"]).set_axis(["ham", "spam"], axis=1))


def test_cases_and_labels_of_a_study_have_one_index() -> None:
    from sklearn.dummy import DummyClassifier

    cases = pd.DataFrame({"a": range(20)}, index=range(20, 40))
    y = pd.Series([0, 1] * 10, index=range(39, 19, -1))

    with pytest.raises(InvalidValueError, match="X and y must have equal indexes"):
        evalstats.run_study({"dummy": DummyClassifier()}, {"d": (cases, y)}, n_folds=2, n_repeats=1, rng=0)


class OfPolars:
    """What numpy and evalstats see of a Series of polars: no index, no position by label."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self.values


class OfXarray(OfPolars):
    """What numpy and evalstats see of a DataArray of xarray: indexes by the names of its axes."""

    def __init__(self, values: Any) -> None:
        super().__init__(values)
        self.dims, self.coords, self.indexes = ("case",), {"case": self.values}, {"case": pd.Index(self.values)}


@pytest.mark.parametrize("make", [OfPolars, OfXarray, np.array, list, lambda values: pd.Series(values).array])
def test_objects_without_such_labels_are_taken_by_position(make: Callable[[Any], Any]) -> None:
    """Polars has no index, and xarray none that pandas knows; beside a Series, too."""
    expected = evalstats.sign_test(X, Y).pvalue

    assert evalstats.sign_test(make(X), make(Y)).pvalue == expected
    assert evalstats.sign_test(make(X), pd.Series(Y, index=range(N, 2 * N))).pvalue == expected


FRAME = pd.DataFrame(SCORES, index=list("uvwxyz"), columns=list("ABCD"))
SHUFFLED = FRAME.loc[list("zyxuvw"), list("DBAC")]
OF_TABLES: dict[str, Callable[[Any], Any]] = {
    "verdict_reproducibility": evalstats.reproducibility.verdict_reproducibility,
    "pvalues_over_runs": evalstats.reproducibility.pvalues_over_runs,
    "interquartile_mean": reproducibility.interquartile_mean,
    "overlap_matrix": evalstats.reproducibility.overlap_matrix,
    "friedman_test": evalstats.friedman_test,
}
of_tables = pytest.mark.parametrize("test", OF_TABLES.values(), ids=OF_TABLES.keys())


@of_tables
def test_tables_of_one_list_are_aligned_by_their_names(test: Callable[[Any], Any]) -> None:
    again, aligned = test([FRAME, FRAME, FRAME + 0.1]), test((FRAME, SHUFFLED, FRAME[list("BDCA")] + 0.1))

    assert str(again.to_dict()) == str(aligned.to_dict())


def test_tables_in_lists_of_lists_and_of_polars_are_aligned() -> None:
    polars = importlib.import_module("polars")
    plain = polars.DataFrame({name: FRAME[name].to_numpy() for name in FRAME})
    expected = evalstats.reproducibility.overlap_matrix([[FRAME, FRAME]] * 2).to_dict()

    assert str(evalstats.reproducibility.overlap_matrix([[FRAME, SHUFFLED], [SHUFFLED, FRAME]]).to_dict()) == str(
        expected
    )
    assert str(evalstats.reproducibility.overlap_matrix([[plain, plain[list("CABD")]]] * 2).to_dict()) == str(expected)


@of_tables
@pytest.mark.parametrize(
    ("other", "message"),
    [
        (
            FRAME.rename(columns={"B": "E"}),
            r"\[0\] and \w+\[1\] must have the same columns, but 'B' is only in \w+\[0\]",
        ),
        (FRAME[["A", "B"]], r"must have the same columns, but 'C', 'D' are only in \w+\[0\]"),
        (FRAME.assign(E=1.0), r"must have the same columns, but 'E' is only in \w+\[1\]"),
        (FRAME.rename(index={"u": "t"}), r"must have the same index, but 'u' is only in \w+\[0\]"),
        (FRAME.loc[[*"uvwxyz", "u"]], "must have the same index, but some labels of"),
        (FRAME.iloc[:4], r"must have the same index, but 'y', 'z' are only in \w+\[0\]"),
    ],
)
def test_tables_of_one_list_with_other_names_are_refused(test: Callable[[Any], Any], other: Any, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        test([FRAME, other])


def test_tables_without_names_are_taken_by_position() -> None:
    arrays = [SCORES, SCORES[::-1]]

    assert str(evalstats.reproducibility.overlap_matrix([FRAME, arrays[1]]).to_dict()) == str(
        evalstats.reproducibility.overlap_matrix(arrays).to_dict()
    )
