"""Whatever stands in the place of an argument, a function answers or refuses by an error of evalstats."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import json
import warnings
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from public_names import public_functions
from repetitions import repetitions
from sklearn.dummy import DummyClassifier

import evalstats
from evalstats import EvalstatsError, EvalstatsWarning, metrics, plot, report
from evalstats._declarations import Data, Declaration, all_declarations
from evalstats.reproducibility import FixedRuns

TRIALS = repetitions(3000)
pytestmark = pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")

N = 12
DATA = np.random.default_rng(5)
X, Y = np.round(DATA.random((2, N)), 2)
TRUE = np.tile([0, 1, 1], 4)
PRED = np.roll(TRUE, 5)
FOLD = np.repeat([0, 1], N // 2)
SCORES = np.round(DATA.random((6, 3)), 2)
CORRECT = DATA.random((N, 3)) < 0.7
FIVE = np.round(DATA.random((2, 5, 2)), 2)
TEN = np.round(DATA.random((2, 10, 10)), 2)
RUNS = np.round(DATA.random((4, 6, 3)), 2)
TABLE = [[20, 5], [3, 30]]
PVALUES = [[1, 0.01, 0.04], [0.01, 1, 0.03], [0.04, 0.03, 1]]
DIFFERENT = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
LONG = {"dataset": ["d", "d", "e", "e"], "classifier": ["a", "b"] * 2, "accuracy": [0.1, 0.2, 0.3, 0.1]}
PREDICTIONS = {
    "dataset": ["d"] * 2 * N,
    "classifier": ["a"] * N + ["b"] * N,
    "row": [*range(N)] * 2,
    "y_true": [*TRUE] * 2,
    "y_pred": [*PRED, *TRUE],
}
RESULTS = {"a": {"test_score": np.array([0.1, 0.3, 0.2])}, "b": {"test_score": np.array([0.2, 0.1, 0.4])}}
CASES_AND_LABELS = (np.arange(40.0).reshape(20, 2), np.tile([0, 1], 10))

COMPARISON = evalstats.compare(dict(zip("abc", SCORES.T, strict=True)))
ANNOTATED = evalstats.agreement.alternative_annotator_test([[1, 1], [0, 0], [1, 0]], [1, 0, 0], min_instances=3)
WITH_MARGIN = evalstats.compare(dict(zip("abc", SCORES.T, strict=True)), margin=0.2)
BATTLE_ROWS = {
    "model_a": list("ABCABC"),
    "model_b": list("BCACAB"),
    "winner": ["model_a", "tie"] * 3,
    "length_a": [1, 2, 3, 4, 5, 6],
    "length_b": [2, 1, 3, 1, 2, 9],
}
BATTLES = evalstats.compare(BATTLE_ROWS)
RATING_ROWS = {
    "reader": np.repeat(["r1", "r2", "r3"], 16).tolist(),
    "treatment": np.tile(np.repeat(["x", "y"], 8), 3).tolist(),
    "case": [*range(8)] * 6,
    "truth": [0, 1] * 24,
    "rating": [0.1 * (i * i % 17) for i in range(48)],
}
JUDGED_ROWS = {
    "model": ["x"] * 8 + ["y"] * 8,
    "question": [*range(8)] * 2,
    "people": [1, 0, 1, 1, None, None, None, None, 0, 0, 1, 0, None, None, None, None],
    "judge": [1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0],
}
CURVE_ROWS = {
    "classifier": ["x", "y"] * 12,
    "n_train": np.repeat([10, 20, 40], 8).tolist(),
    "repeat": np.tile(np.repeat([1, 2, 3, 4], 2), 3).tolist(),
    "accuracy": [0.1 * (i * i % 7) for i in range(24)],
}
ONE_DATASET = evalstats.compare(evalstats.read_predictions(PREDICTIONS))
RANKING = evalstats.multiple.ranking_stability([[0.9, 0.8, 0.3], [0.6, 0.7, 0.5], [0.8, 0.5, 0.6]])
BY_METRIC = evalstats.compare(
    {m: pd.DataFrame(SCORES[:, ::step], columns=list("abc")) for m, step in (("f1", 1), ("auc", -1))},
    metric=["f1", "auc"],
)
ON_QUESTIONS = evalstats.compare({"model": ["a", "b"] * N, "question": np.repeat(range(N), 2), "score": [*X, *Y]})
FOLDS = evalstats.read_table(
    {"dataset": ["d"] * 6, "classifier": ["a", "b"] * 3, "fold": [1, 1, 2, 2, 3, 3], "score": X[:6]}
)
POSTERIORS = evalstats.bayes.bayes_pairwise_sign_test(SCORES, n_simulations=50)
POSTERIOR = evalstats.bayes.bayes_sign_test(X, Y, n_simulations=50, rng=1)

MARKS = np.asarray(SCORES) > np.median(SCORES)

PAIR = {"x": X, "y": Y}
MANY = {"scores": SCORES}
LABELS = {"y_true": TRUE, "y_pred": PRED}
RANKED = {"y_true": TRUE, "y_score": Y}
QUICK = {"n_resamples": 20, "rng": 1}
SIZES = {"n_train": 80, "n_test": 20}
BAYES = {"n_simulations": 50, "rng": 1}
COUNTS = {"metric": "f1", "counts": TABLE}

DATA: dict[Data, dict[str, Any]] = {
    Data.PAIRS: PAIR,
    Data.SUBGROUPS: PAIR | {"subgroup": FOLD},
    Data.SUBGROUP_TABLE: {"scores": np.column_stack([X, Y]), "subgroup": FOLD},
    Data.CLUSTERED_PAIRS: PAIR | {"clusters": FOLD},
    Data.JUDGED_PAIRS: {"x": np.where(TRUE == 1, X, np.nan), "y": np.where(TRUE == 1, Y, np.nan)}
    | {"x_judge": X, "y_judge": Y, "clusters": FOLD},
    Data.FOLDED_PAIRS: PAIR | {"fold": FOLD},
    Data.REPEATED_FOLDS: {"x": TEN[0], "y": TEN[1]},
    Data.LEARNING_CURVES: {"x": TEN[0][:, :3], "y": TEN[1][:, :3]},
    Data.FIVE_BY_TWO: {"x": FIVE[0], "y": FIVE[1]},
    Data.ANSWERS: {"x": CORRECT[:, 0], "y": CORRECT[:, 1], "clusters": FOLD},
    Data.PREDICTED_LABELS: {"y_true": TRUE, "x": PRED, "y": TRUE[::-1]},
    Data.CLASS_SCORES: {"y_true": TRUE, "x": X, "y": Y},
    Data.PROBABILITIES: {"y_true": TRUE, "x": X, "y": Y},
    Data.PROBABILITY_TABLE: {"y_true": TRUE, "scores": np.column_stack([X, Y])},
    Data.CLUSTERED_CLASS_SCORES: {"y_true": TRUE, "x": X, "y": Y, "clusters": np.arange(N) // 2},
    Data.READERS: {"y_true": TRUE, "ratings": np.round(np.random.default_rng(8).random((2, 3, N)), 2)},
    Data.TWO_TEST_SETS: {"y_true_x": TRUE, "x": X, "y_true_y": PRED, "y": Y},
    Data.COUNTS: {"counts": TABLE},
    Data.SQUARE_TABLE: {"table": TABLE},
    Data.CLASSIFIED: {"y_true": TRUE, "x": PRED, "y": TRUE[::-1]},
    Data.CLASS_COUNTS: {"positives": TABLE, "negatives": [[4, 6], [2, 25]]},
    Data.RANKED_TABLE: MANY,
    Data.TABLE: MANY,
    Data.CORRECT_ANSWERS: {"correct": CORRECT},
    Data.CLASS_SCORE_TABLE: {"y_true": TRUE, "scores": np.column_stack([X, Y])},
}


def call_of(one: Declaration) -> dict[str, Any]:
    """Return a call of a declared test; one that draws draws little."""
    quick = {name: value for name, value in QUICK.items() if name in inspect.signature(one.function).parameters}
    return {**DATA[one.data], **one.example, **quick}


# a call of each public function that is right; of a choice that is not here the default stands
CALLS: dict[str, dict[str, Any]] = {
    **{one.name: call_of(one) for one in all_declarations() if one.data in DATA},
    "adjust_pairwise": {"pvalues": PVALUES},
    "adjust_e_values": {"e_values": [200, 90, 30, 4]},
    "adjust_pvalues": {"pvalues": [0.01, 0.2, 0.03]},
    "akinshin_gamma": PAIR | QUICK,
    "almost_stochastic_order": PAIR | QUICK,
    "bradley_terry_from_battles": {
        "model_a": ["a", "b", "c", "a", "b"],
        "model_b": ["b", "c", "a", "b", "a"],
        "winner": ["model_a", "model_a", "model_a", "tie", "model_b"],
        "n_resamples": 9,
    },
    "rank_confidence_sets": {"estimate": [0.1, 0.5, 0.3], "covariance": np.diag([0.1, 0.2, 0.3]), "n_resamples": 99},
    "bradley_terry_from_counts": {
        "n_wins": [[0, 5, 2], [3, 0, 4], [1, 6, 0]],
        "n_ties": np.ones((3, 3)) - np.eye(3),
    },
    "bradley_terry_model": MANY,
    "simulate_error_rates": {"table": COMPARISON.table, "n_simulations": 5},
    "check_published_ranks": {"mean_ranks": [1.2, 2.0, 2.8], "n_datasets": 10},
    "bayes_accuracy_test": {"x": CORRECT[:, 0], "y": CORRECT[:, 1]},
    "bayes_correlated_ttest": PAIR | SIZES,
    "contrast_estimation": MANY,
    "jonckheere_block_test": MANY,
    "jonckheere_test": {"samples": SCORES.T},
    "light_kappa": {"ratings": [[0, 1, 1], [1, 1, 1], [0, 0, 1]]},
    "bayes_hierarchical_test": {"x": SCORES[:, :2], "y": SCORES[:, 1:], **SIZES}
    | {"n_simulations": 16, "n_warmup": 4, "n_chains": 2, "rng": 1},
    "bayes_pairwise_correlated_ttest": MANY | SIZES,
    "bayes_pairwise_sign_test": MANY | BAYES,
    "bayes_pairwise_signed_rank_test": MANY | BAYES,
    "bayes_sign_test": PAIR | BAYES,
    "bayes_signed_rank_test": PAIR | BAYES,
    "classifier_two_sample_test": {"x": SCORES, "y": SCORES[:5], "classifier": DummyClassifier(), "n_resamples": 9},
    "cliffs_delta": PAIR,
    "cochran_q_test": {"correct": CORRECT, "clusters": FOLD},
    "cohen_d": PAIR,
    "cohen_dz": PAIR,
    "cohen_kappa": {"y1": TRUE, "y2": PRED},
    "adjusted_difference": {
        "score": [1, 0, 1, 0, 0] * 4 + [1, 1, 0, 1, 0] * 4,
        "model": ["a"] * 20 + ["b"] * 20,
        "question": [*range(20)] * 2,
        "covariates": {"length": [1, 2, 3, 4, 5] * 8},
    },
    "label_variation": {"annotators": [[1, 1], [0, 0], [1, 0]], "judge": [1, 0, 0]},
    "alternative_annotator_test": {"annotators": [[1, 1], [0, 0], [1, 0]], "judge": [1, 0, 0], "min_instances": 3},
    "cohen_kappa_matrix": {"y": [TRUE, PRED]},
    "cohen_kappa_table": {"table": TABLE},
    "compact_letter_display": {"different": DIFFERENT, "order": [0, 1, 2]},
    "compare": {"table": LONG},
    "critical_difference": {"n_datasets": 10, "n_classifiers": 3},
    "fold_scores_from_cross_validate": {"results": RESULTS},
    "dataset_selection_sensitivity": MANY | {"n_selected": 2},
    "curve_difference": {"y_true": TRUE, "x": X, "y": Y, "n_resamples": 20, "rng": 1},
    "net_benefit_difference": {"y_true": TRUE, "x": X, "y": Y, "clusters": FOLD, "n_resamples": 20, "rng": 1},
    "estimate_label_shift": {"y_true": TRUE, "y_pred": PRED, "y_pred_new": PRED, "n_resamples": 9},
    "run_distribution": {"scores": X},
    "run_histogram": {"runs": RUNS[0]},
    "known_formats": {},
    "example_metric_table": {},
    "example_names": {},
    "example_path": {"name": "demsar-2006"},
    "example_source": {"name": "demsar-2006"},
    "example_table": {"name": "demsar-2006"},
    "simulate_flu_shift": {"classifiers": {"dummy": DummyClassifier()}, "changes": ["W"], "n_repeats": 1, "n_test": 20}
    | {"n_train": 20},
    "make_flu_patients": {"n": 5},
    "fleiss_kappa": {"ratings": [[0, 1, 1], [1, 1, 1], [0, 0, 1]]},
    "score_table_from_cross_validate": {"results": {"d": RESULTS, "e": RESULTS}},
    "gate": {
        "baseline": {"item_id": [*range(N)], "correct": [1] * N},
        "candidate": {"item_id": [*range(N)], "correct": [1] * N},
        "margin": 0.1,
    },
    "gwet_ac1": {"ratings": [[0, 1, 1], [1, 1, 1], [0, 0, 1]]},
    "hedges_g": PAIR,
    "interquartile_mean": {"runs": RUNS[0]} | QUICK,
    "jzs_bayes_factor": PAIR,
    "hellinger_distance": {"positives": [3, 1], "negatives": [2, 4]},
    "kendall_w": MANY | QUICK,
    "krippendorff_alpha": {"ratings": [[0, 1, 1], [1, 1, 1], [0, 0, 1]]},
    "label_permutation_test": {"classifier": DummyClassifier(), "X": CASES_AND_LABELS[0], "y": CASES_AND_LABELS[1]}
    | {"n_folds": 2, "n_resamples": 3},
    "noninferiority_power": {"test": "accuracy", "n": 50, "margin": 0.1, "discordance": 0.2},
    "noninferiority_sample_size": {"test": "accuracy", "margin": 0.1, "discordance": 0.2},
    "mmd_test": {"x": SCORES, "y": SCORES[:5], "n_resamples": 9},
    "homogeneous_subsets": {"different": DIFFERENT, "order": [0, 1, 2]},
    "estimation_bias": {"estimates": X, "truth": Y},
    "optimality_gap": {"runs": RUNS[0]} | QUICK,
    "overlap": PAIR,
    "overlap_matrix": {"runs": RUNS[0]},
    "pairwise_mean_differences": MANY | QUICK,
    "pairwise_vargha_delaney_a": MANY,
    "performance_deterioration": {"error_test": 0.2, "error_ideal": 0.1, "error_trivial": 0.4},
    "performance_vectors": {"confusion_matrices": [[[5, 1], [2, 6]], [[4, 2], [0, 8]]]},
    "plackett_luce_model": MANY,
    "plan_margin": {"test": "accuracy", "margin": 0.1, "discordance": 0.2},
    "plan_design": {"test": "sign", "n": 10, "effects": [0.8], "n_simulations": 20},
    "statistical_power": {"test": "sign", "n": 10, "win_probability": 0.8},
    "pvalues_over_runs": {"runs": RUNS, "rng": 1},
    "probability_of_improvement": {"x": RUNS[0], "y": RUNS[1]} | QUICK,
    "proportion_posterior": {"n_successes": 5, "n": 9},
    "confusion_matrices": {"predictions": evalstats.read_predictions(PREDICTIONS)},
    "project_classifiers": {"confusion_matrices": [[[5, 1], [2, 6]], [[4, 2], [0, 8]]]},
    "project_vectors": {"vectors": [[1.0, 2.0], [3.0, 1.0]], "ideal": [0.0, 0.0]},
    "question_variance": {"x": SCORES, "y": SCORES[:, :2]},
    "rank_biserial": PAIR,
    "rank_distribution": MANY | QUICK,
    "ranking_stability": MANY | QUICK,
    "consensus_ranking": {"scores": np.vstack([SCORES, SCORES]), "tasks": [0] * len(SCORES) + [1] * len(SCORES)}
    | QUICK,
    "read_predictions": {"source": PREDICTIONS},
    "read_study": {"directory": "no-such-directory"},
    "read_table": {"source": LONG},
    "replay_stopping_rule": {"rule": FixedRuns(3), "estimates": X, "n_resamples": 3, "rng": 1},
    "analyze_predictions": {"predictions": evalstats.read_predictions(PREDICTIONS), "n_resamples": 20, "rng": 1},
    "analyze_calibration": {
        "predictions": evalstats.read_predictions(
            {**PREDICTIONS, "y_score": np.linspace(0.1, 0.9, len(PREDICTIONS["y_true"]))}
        )
    },
    "analyze_decisions": {
        "predictions": evalstats.read_predictions(
            {**PREDICTIONS, "y_score": np.linspace(0.1, 0.9, len(PREDICTIONS["y_true"]))}
        )
    },
    "analyze_runs": {"source": {**LONG, "dataset": ["d"] * 4, "repeat": [1, 1, 2, 2]}, "n_resamples": 3},
    "required_sample_size": {"test": "sign", "win_probability": 0.8},
    "run_study": {
        "classifiers": {"dummy": DummyClassifier()},
        "datasets": {"d": CASES_AND_LABELS},
        "n_folds": 2,
        "n_repeats": 1,
        "rng": 0,
    },
    "running_means": {"runs": RUNS[0]},
    "score_predictions": {"predictions": evalstats.read_predictions(PREDICTIONS)},
    "scott_pi": {"y1": TRUE, "y2": PRED},
    "minimum_attainable_pvalue": {"test": "sign", "n": 10},
    "minimum_detectable_difference": {"n": 100, "discordance": 0.2},
    "minimum_sample_size": {"test": "sign"},
    "split_sizes": {"splits": [([0, 1, 2], [3]), ([1, 2, 3], [0])]},
    "long_run_mean": {"scores": X},
    "validate": {"live": False, "functions": ["paired/sign"]},
    "variance_components": {"scores": SCORES, "factors": ["dataset", "classifier"]},
    "vargha_delaney_a": PAIR,
    "verdict_reproducibility": {"runs": RUNS},
    "verify_report": {"report": json.loads(report.json(evalstats.compare(evalstats.example_table("demsar-2006"))))},
    "which_test": {"n_classifiers": 3, "n_datasets": 10},
    "adjusted_mutual_info_score": {"y_true": TRUE, "y_pred": PRED},
    "adjusted_rand_score": {"y_true": TRUE, "y_pred": PRED},
    "completeness_score": {"y_true": TRUE, "y_pred": PRED},
    "fowlkes_mallows_score": {"y_true": TRUE, "y_pred": PRED},
    "homogeneity_score": {"y_true": TRUE, "y_pred": PRED},
    "normalized_mutual_info_score": {"y_true": TRUE, "y_pred": PRED},
    "pair_counting_f_score": {"y_true": TRUE, "y_pred": PRED},
    "purity_score": {"y_true": TRUE, "y_pred": PRED},
    "rand_score": {"y_true": TRUE, "y_pred": PRED},
    "v_measure_score": {"y_true": TRUE, "y_pred": PRED},
    "dea_efficiency": {"scores": SCORES + 0.1, "greater_is_better": [True, False, True]},
    "ranks_by_metric": {"scores": SCORES},
    "pareto_front": {"scores": SCORES},
    "metrics.near_duplicates": {"X": np.column_stack([X, Y]), "fold": FOLD},
    "nested_cross_validated_mean": {
        "outer": [2.0, 4, 1, 3, 2, 2],
        "inner": [[np.nan] * 2 + [1, 2, 2, 3], [2, 4, np.nan, np.nan, 1, 3], [1, 5, 3, 3] + [np.nan] * 2],
        "fold": [0, 0, 1, 1, 2, 2],
    },
    "metrics.cross_validated_mean": {"scores": X, "fold": FOLD},
    "metrics.decision_curve": {"y_true": TRUE, "y_prob": X, "clusters": FOLD},
    "metrics.adwin": {"values": X},
    "metrics.ddm": {"is_wrong": TRUE},
    "metrics.holdout_errors": {"losses": X, "n_instances": 3},
    "metrics.ppi_score": {
        "human": [1, 1, 0, 0, 1, 0, np.nan, np.nan, np.nan],
        "judge": [1, 1, 0, 1, 1, 0, 1, 0, 1],
        "prediction": [1, 0, 0, 1, 1, 0, 1, 0, 1],
    },
    "metrics.ppi_mean": {"human": np.where(TRUE == 1, X, np.nan), "judge": Y, "clusters": FOLD},
    "metrics.kendall_tau_b": LABELS,
    "metrics.coverage_error": {"y_true": MARKS, "y_score": SCORES},
    "metrics.subset_accuracy_score": {"y_true": MARKS, "y_pred": ~MARKS},
    "metrics.hamming_loss": {"y_true": MARKS, "y_pred": ~MARKS},
    "metrics.label_ranking_average_precision_score": {"y_true": MARKS, "y_score": SCORES},
    "metrics.label_ranking_loss": {"y_true": MARKS, "y_score": SCORES},
    "metrics.multilabel_counts": {"y_true": MARKS, "y_pred": ~MARKS},
    "metrics.multilabel_score": {"metric": "f1", "y_true": MARKS, "y_pred": ~MARKS},
    "metrics.one_vs_rest_counts": LABELS,
    "metrics.ordinal_absolute_error": LABELS,
    "metrics.ordinal_squared_error": LABELS,
    "metrics.page_hinkley": {"values": X},
    "metrics.prequential_errors": {"losses": X},
    "metrics.q_statistic": PAIR,
    "metrics.accuracy_interval": {"counts": TABLE},
    "metrics.accuracy_over_folds": {"n_correct": [5, 7], "n_instances": [9, 9]},
    "metrics.auc_estimate": RANKED,
    "metrics.auc_over_folds": RANKED | {"fold": FOLD},
    "metrics.auc_report_over_folds": RANKED | {"fold": FOLD},
    "metrics.average_precision_over_folds": RANKED | {"fold": FOLD},
    "metrics.average_precision_score": RANKED,
    "metrics.best_threshold": RANKED,
    "metrics.bootstrap_auc_interval": RANKED | QUICK,
    "metrics.bootstrap_auc_scores": RANKED | QUICK,
    "metrics.bootstrap_interval": COUNTS | QUICK,
    "metrics.bootstrap_scores": COUNTS | QUICK,
    "metrics.break_even_point": RANKED,
    "metrics.brier_decomposition": {"y_true": TRUE, "y_proba": Y},
    "metrics.calibration_slope": {"y_true": TRUE, "y_prob": Y},
    "metrics.miscalibration": {"y_true": TRUE, "y_proba": Y},
    "metrics.recalibration_test": {"y_true": TRUE, "y_prob": Y},
    "metrics.reliability_curve": {"y_true": TRUE, "y_proba": Y, **QUICK},
    "metrics.spiegelhalter_test": {"y_true": TRUE, "y_prob": Y},
    "metrics.squared_calibration_error": {"y_true": TRUE, "y_proba": Y},
    "metrics.brier_score_loss": {"y_true": TRUE, "y_proba": Y},
    "metrics.calibration_curve": {"y_true": TRUE, "y_prob": Y},
    "metrics.check_folds": {"y_true": TRUE, "fold": FOLD, "y_pred": PRED, "y_score": Y, **QUICK},
    "plot.battle_strengths": {"comparison": BATTLES},
    "read_battles": {"source": BATTLE_ROWS},
    "compare_learning_curves": {"source": CURVE_ROWS, "n_test": 5},
    "compare_readers": {"source": RATING_ROWS},
    "compare_judged": {"source": JUDGED_ROWS, "human": "people", "judge": "judge"},
    "metrics.length_adjusted_win_rate": {"preference": [0.2, 0.9, 0.4, 0.6], "length_difference": [1, 5, -2, 0]},
    "metrics.clustered_mean": {"scores": X, "clusters": FOLD},
    "metrics.cohen_kappa_score": {"y1": TRUE, "y2": PRED},
    "metrics.confusion_counts": LABELS,
    "metrics.count_undefined": COUNTS,
    "metrics.cost_curve": RANKED,
    "metrics.cost_ranges": {"y_true": TRUE, "y_score": [X, Y]},
    "metrics.delong_covariance": {"y_true": TRUE, "y_score": [X, Y]},
    "metrics.empty_fold_probability": {"n_positive": 50, "n_folds": 10},
    "metrics.f1_fold_bias": {"n_positive": 5, "n_negative": 20, "n_folds": 5, "f": 0.8, "n_simulations": 20, "rng": 1},
    "metrics.expected_cost": {"counts": TABLE, "costs": [[0, 1], [5, 0]]},
    "metrics.expected_calibration_error": {"y_true": TRUE, "y_proba": Y},
    "metrics.f1_over_folds": {"tp": [5, 7], "fp": [1, 2], "fn": [4, 0]},
    "metrics.f1_report_over_folds": {"tp": [5, 7], "fp": [1, 2], "fn": [4, 0]},
    "metrics.fbeta_score": LABELS | {"beta": 2},
    "metrics.forman_scholz_simulation": {"percent_positive": 5, "n_instances": 100, "n_folds": 5, "n_simulations": 20},
    "metrics.group_gaps": LABELS | {"subgroup": FOLD},
    "gap_change_test": {"y_true": TRUE, "x": PRED, "y": TRUE, "subgroup": FOLD, **QUICK},
    "subgroup_test_from_estimates": {"difference": [0.1, 0.2], "standard_error": [0.1, 0.1]},
    "metrics.h_measure": RANKED,
    "metrics.information_score": {"y_true": TRUE, "y_proba": Y},
    "metrics.lift_curve": RANKED,
    "metrics.lift_score": RANKED,
    "metrics.log_loss": {"y_true": TRUE, "y_proba": Y},
    "metrics.majority_at_k": {"n_correct": [1, 3], "n_samples": [5, 5], "k": 2},
    "metrics.pass_at_k": {"n_correct": [1, 3], "n_samples": [5, 5], "k": 2},
    "metrics.pass_hat_k": {"n_correct": [1, 3], "n_samples": [5, 5], "k": 2},
    "metrics.precision_at_n": RANKED | {"n": 3},
    "metrics.precision_at_n_over_folds": RANKED | {"fold": FOLD, "n": 3},
    "metrics.precision_recall_curve": RANKED,
    "metrics.proportion_interval": {"n_successes": 5, "n": 9},
    "metrics.relative_information_score": {"y_true": TRUE, "y_proba": Y},
    "metrics.roc_auc_score": RANKED,
    "metrics.roc_convex_hull": RANKED,
    "metrics.roc_curve": RANKED,
    "metrics.root_mean_squared_error": {"y_true": TRUE, "y_proba": Y},
    "metrics.score_from_counts": COUNTS,
    "metrics.scores_at_thresholds": RANKED,
    **{
        f"metrics.{name}": LABELS
        for name in (
            "accuracy_score",
            "balanced_accuracy_score",
            "error_rate",
            "f1_score",
            "false_positive_rate",
            "geometric_mean_score",
            "informedness_score",
            "jaccard_score",
            "matthews_corrcoef",
            "precision_score",
            "recall_score",
            "specificity_score",
        )
    },
    "plot.margin_intervals": {"comparison": WITH_MARGIN},
    "plot.annotator_margins": {"result": ANNOTATED},
    "plot.classifier_projection": {"projection": evalstats.multiple.project_classifiers({"a": TABLE, "b": TABLE})},
    "plot.multiple_comparisons_with_best": {"comparison": COMPARISON, "n_resamples": 20},
    "plot.critical_difference_diagram": {"comparison": COMPARISON},
    "plot.curve_difference": {"result": evalstats.paired.curve_difference(TRUE, X, Y, n_resamples=20)},
    "plot.decision_curves": {"data": TRUE, "y_score": Y},
    "plot.difference_intervals": {"comparison": ONE_DATASET},
    "plot.effect_sizes": {"comparison": COMPARISON},
    "plot.class_imbalance": {"data": {"d": TRUE}},
    "plot.f_score_contours": {},
    "plot.fold_distributions": {"data": FOLDS},
    "plot.fold_rate_curves": {"data": TRUE, "y_score": Y, "fold": FOLD},
    "plot.multi_comparison_matrix": {"comparison": COMPARISON},
    "plot.performance_profile": {"data": COMPARISON},
    "plot.cost_curves": {"data": TRUE, "y_score": Y, "n_resamples": 20},
    "plot.gain_curves": {"data": TRUE, "y_score": Y, "n_resamples": 20},
    "plot.lift_curves": {"data": TRUE, "y_score": Y, "n_resamples": 20},
    "plot.posterior": {"result": POSTERIOR},
    "plot.posterior_heatmap": {"result": POSTERIORS},
    "plot.pairwise_posteriors": {"result": POSTERIORS},
    "plot.precision_recall_curves": {"data": TRUE, "y_score": Y, "n_resamples": 20},
    "plot.pvalue_heatmap": {"comparison": COMPARISON},
    "plot.rank_distribution": {"comparison": COMPARISON, "n_resamples": 20},
    "plot.podium_frequencies": {"found": RANKING},
    "plot.rank_frequencies": {"found": RANKING},
    "plot.ranking_correlations": {"found": RANKING},
    "plot.significance_map": {"found": RANKING},
    "plot.ranked_list": {"comparison": COMPARISON, "n_resamples": 20},
    "plot.ranks_by_metric": {"comparison": BY_METRIC},
    "plot.reliability_diagram": {"curve": metrics.reliability_curve(TRUE, Y, n_resamples=20)},
    "plot.learning_curves": {
        "result": evalstats.paired.learning_curve_test(SCORES[:, :2], SCORES[:, 1:], n_train=[5, 9], n_test=3)
    },
    "plot.subgroup_differences": {"result": evalstats.paired.subgroup_test_from_estimates([0.1, 0.2], [0.1, 0.1])},
    "plot.roc_curves": {"data": TRUE, "y_score": Y, "n_resamples": 20},
    "plot.run_histograms": {"runs": RUNS[0]},
    "plot.running_means": {"runs": RUNS[0]},
    "plot.save": {"ax": plot.win_matrix(COMPARISON), "path": "picture.svg"},
    "plot.scatter": {"data": COMPARISON, "first": "a", "second": "b"},
    "plot.score_intervals": {"comparison": ON_QUESTIONS},
    "plot.scores_by_dataset": {"data": COMPARISON},
    "plot.win_matrix": {"comparison": COMPARISON},
    "report.bibliography": {},
    "report.document": {"record": COMPARISON},
    "report.html": {"record": COMPARISON},
    "report.json": {"record": COMPARISON},
    "report.latex": {"record": COMPARISON},
    "report.markdown": {"record": COMPARISON},
    "report.r_script": {"comparison": COMPARISON},
    "report.render": {"record": COMPARISON, "format": "markdown"},
    "report.sentence": {"record": evalstats.sign_test(X, Y)},
    "report.text": {"record": COMPARISON},
}


class WithoutRepr:
    """An object that cannot be written into a message."""

    def __repr__(self) -> str:
        msg = "no words for it"
        raise RuntimeError(msg)


def wrong_values() -> list[Any]:
    """Values of every kind that may stand where another was meant."""
    structured = np.array([(1, 2.0)], dtype=[("a", int), ("b", float)])
    return [
        None, True, False, 0, 1, 3, -1, 2**63, 2**64 - 1, 10**30, 10**400, 10**5000, -(10**5000), 2.5, -0.0, 1e-311,
        1e308, float("nan"), float("inf"), -float("inf"), 1j, Fraction(1, 3), Decimal("0.5"), Decimal("NaN"),
        Decimal("sNaN"), "", "x", "x" * 300, "a\0b", "\ud800", b"x", [], (), {}, set(), [[1, 2], [3]], [None], ["a", 1],
        [10**400, 1], [10**5000, 1], [Decimal("sNaN"), 1], {"a": 1}, {"a": [1]}, {"a": {}}, {1: [2]}, [[[]]],
        {"a": [Decimal("sNaN")], "b": [10**5000]}, range(3), object(), WithoutRepr(), print, int, Ellipsis, iter([1]),
        np.array(3), np.array([]), np.zeros((0, 3)), np.zeros((2, 0)), np.array([1.0, np.nan]), np.int8(3),
        np.float16(0.5), np.float32(0.5), np.matrix([[0]]), np.matrix([[1, 0], [0, 1]]), np.eye(3, dtype=bool),
        np.float16([0, 1] * 6), np.float16(SCORES), np.full(N, 1e308), np.full((6, 3), 1e308),
        np.outer([1e308, -1e308, 1], [1, -1, 0.5]), np.full(N, 1e-311), np.full((2, 2), 2.0**63),
        np.full((2, 2), 1e300),
        np.full((2, 2), 10**400, dtype=object), structured, np.array(["2020-01-01"], dtype="datetime64[D]"),
        np.array(["a", "b"]), np.array([None, 1], dtype=object), np.array([[1], [1, 2]], dtype=object),
        np.array([pd.NA] * N, dtype=object), np.ma.masked_array([1.0, 2.0], [True, False]), np.random.default_rng(0),
        pd.NA, pd.NaT, pd.Series([1, 2]), pd.Series([1, pd.NA], dtype="Int64"), pd.DataFrame({"a": [1, 2]}),
        pd.DataFrame({"a": [1, 2], "b": [0, 1]}), pd.Series(["a", "b"], dtype="category"), pd.Index([1, 2]),
        pd.Timestamp("2020-01-01"), np.datetime64("NaT", "s"), COMPARISON, ONE_DATASET, X, SCORES, TRUE, FIVE,
        Path("no-such-file"), Path("x" * 300), io.StringIO("a,b\n"), io.BytesIO(b"\x1f\x8b\x08"),
    ]  # fmt: skip


FUNCTIONS = public_functions() | {one.name: one.function for one in all_declarations() if one.form}


def arguments_of(name: str) -> list[str]:
    parameters = inspect.signature(FUNCTIONS[name]).parameters.values()
    collected = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    return [p.name for p in parameters if p.kind not in collected]


def answers_or_refuses(function: Callable[..., Any], arguments: dict[str, Any]) -> str | None:
    """Call a function, and say what came out that is neither an answer nor an error of evalstats."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", EvalstatsWarning)
        try:
            function(**arguments)
        except EvalstatsError as error:
            return None if len(str(error)) < 2000 else f"a message of {len(str(error))} characters"
        except Exception as error:  # what else comes out is what is looked for
            return f"{type(error).__name__}: {str(error)[:200]}"
        finally:
            plt.close("all")
    return None


def is_left_out(name: str, argument: str, value: Any) -> bool:
    """Tell what is no argument of evalstats, or takes long by design."""
    if argument in ("directory", "n_jobs"):
        return True  # writes files, and starts processes
    if argument in ("progress", "metric", "distance"):
        return callable(value)  # what it raises is the user's own
    return name == "validate" and (value is None or value is True)  # starts R, and checks everything


def trials() -> Iterator[tuple[str, dict[str, Any]]]:
    """Draw calls with one or two arguments that are wrong; the same ones on every run."""
    draw = np.random.default_rng(20261122)
    names = [name for name in FUNCTIONS if arguments_of(name)]
    for _ in range(TRIALS):
        name = names[draw.integers(len(names))]
        known = arguments_of(name)
        chosen = [known[i] for i in draw.permutation(len(known))[: 1 + (draw.random() < 0.25)]]
        values = wrong_values()
        wrong = {argument: values[draw.integers(len(values))] for argument in chosen}
        if not any(is_left_out(name, argument, value) for argument, value in wrong.items()):
            yield name, wrong


def test_every_public_function_has_a_call() -> None:
    """A function that is added without a call fails here."""
    assert set(CALLS) == set(FUNCTIONS)


def test_calls_are_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trials that start from a call that is refused anyway would try one argument only."""
    monkeypatch.chdir(tmp_path)
    refused = []
    for name in sorted(set(FUNCTIONS) - {"read_study"}):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", EvalstatsWarning)
            try:
                FUNCTIONS[name](**CALLS[name])
            except EvalstatsError as error:
                refused.append((name, str(error)))
        plt.close("all")

    assert refused == []


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in FUNCTIONS if arguments_of(name)])
def test_every_wrong_value_of_an_argument_is_answered_or_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each value in the place of each argument; the trials below also change two arguments."""
    monkeypatch.chdir(tmp_path)
    leaks = [
        (argument, type(value).__name__, leak)
        for argument in arguments_of(name)
        for value in wrong_values()
        if not is_left_out(name, argument, value)
        if (leak := answers_or_refuses(FUNCTIONS[name], {**CALLS[name], argument: value}))
    ]

    assert leaks == []


def test_wrong_arguments_are_answered_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    leaks = [
        (name, sorted(wrong), {argument: type(value).__name__ for argument, value in wrong.items()}, leak)
        for name, wrong in trials()
        if (leak := answers_or_refuses(FUNCTIONS[name], {**CALLS[name], **wrong}))
    ]

    assert leaks == []


def numbers_of(name: str) -> list[str]:
    """Return the arguments of a call that are arrays of floats."""

    def holds_floats(value: Any) -> bool:
        try:
            return isinstance(value, np.ndarray | list) and np.asarray(value).dtype.kind == "f"
        except ValueError:  # ragged
            return False

    return [argument for argument, value in CALLS[name].items() if holds_floats(value)]


def hard_numbers(shape: tuple[int, ...]) -> Iterator[np.ndarray]:
    """Yield equal scores, or nearly, in percent or in the smallest unit, and scores of all sizes together."""
    for one, others in ((80.0, 80.0), (80 * (1 + 1e-13), 80.0), (5e-324, 5e-324), (5e-324, 0.0), (1e-200, 1e150)):
        values = np.full(shape, others)
        values.flat[0] = one
        yield values


@pytest.mark.sampled
@pytest.mark.parametrize(
    "name", sorted(set(filter(numbers_of, CALLS)) - {"validate", "run_study", "simulate_error_rates"})
)
def test_equal_tiny_and_huge_numbers_are_answered_or_refused(name: str) -> None:
    arguments = {argument: list(hard_numbers(np.shape(CALLS[name][argument]))) for argument in numbers_of(name)}

    leaks = [
        answers_or_refuses(FUNCTIONS[name], CALLS[name] | dict(zip(arguments, values, strict=True)))
        for values in zip(*arguments.values(), strict=True)
    ]

    assert leaks == [None] * len(leaks)


class Shared:
    """An array of another library that numpy knows by its shared memory only, as an array of torch on the CPU."""

    def __init__(self, values: np.ndarray) -> None:
        self._values, self.shape = values, values.shape

    def __dlpack__(self, **choices: Any) -> Any:
        return self._values.__dlpack__(**choices)

    def __dlpack_device__(self) -> Any:
        return self._values.__dlpack_device__()


def arrays_of(name: str) -> dict[str, np.ndarray]:
    """Return the arguments of a call that are arrays of numbers or of True and False, nested lists included."""
    found = {}
    for argument, value in CALLS[name].items():
        with contextlib.suppress(ValueError):  # ragged
            array = np.array(value) if isinstance(value, np.ndarray | list) else np.array(None)
            if array.ndim and array.dtype.kind in "biuf":
                found[argument] = array
    return found


def fields_of(answer: Any) -> Any:
    """Return the numbers of a result; a plot has drawn, which is all that is asked."""
    if hasattr(answer, "to_dict"):
        return answer.to_dict()
    return None if hasattr(answer, "figure") else answer


@pytest.mark.sampled
@pytest.mark.parametrize("library", ["memory", "array_api_strict"])
@pytest.mark.parametrize("name", sorted(filter(arrays_of, set(CALLS) - {"simulate_error_rates"})))
def test_arrays_of_other_libraries_give_the_answer_of_numpy(name: str, library: str) -> None:
    """Every function takes arrays that export `__dlpack__`, whatever their library is."""
    other = Shared if library == "memory" else importlib.import_module(library).asarray
    function, call, arrays = FUNCTIONS[name], CALLS[name], arrays_of(name)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EvalstatsWarning)
        expected = function(**call | arrays)
        answer = function(**call | {argument: other(array) for argument, array in arrays.items()})
    plt.close("all")

    np.testing.assert_equal(fields_of(answer), fields_of(expected))


HUGE = 10**5000
SNAN = Decimal("sNaN")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: report.html(5), "of a test, not int"),
        (lambda: report.text(None), "of a test, not NoneType"),
        (lambda: report.json("x"), "of a test, not str"),
        (lambda: evalstats.read_table(LONG, columns={"score": np.arange(3)}), "score must name a column of the table"),
        (lambda: evalstats.read_table(LONG, columns={"fold": np.arange(3)}), "fold must name a column of the table"),
        (lambda: evalstats.score_predictions({}), "predictions must be a result of read_predictions, not dict"),
        (lambda: evalstats.compare(LONG, metric=5), "metric must be text, not int"),
        (
            lambda: evalstats.tables.score_table_from_cross_validate({"d": RESULTS}, metric=5),
            "metric must be text, not int",
        ),
        (lambda: evalstats.compare(LONG, control=np.arange(3)), "control must be one of 'a', 'b', not array"),
        (lambda: evalstats.compare(LONG, adjust=pd.NA), "adjust must be"),
        (lambda: plot.scatter(COMPARISON, np.arange(2), "b"), "first must be one of"),
        (lambda: plot.win_matrix(COMPARISON, title=5), "title must be text, not int"),
        (lambda: plot.win_matrix(COMPARISON, title="a\0b"), "title must be text that can be drawn"),
        (lambda: plot.win_matrix(COMPARISON, legend=np.arange(2)), "key must be True or False"),
        (lambda: plot.win_matrix(COMPARISON, font_size="big"), "font_size must be a number, not 'big'"),
        (lambda: plot.effect_sizes(COMPARISON, control=[1]), "control must be one of"),
        (lambda: metrics.f1_score(TRUE, PRED, pos_label=SNAN), "pos_label must be one of 0, 1, not Decimal"),
        (lambda: metrics.roc_auc_score(TRUE, Y, pos_label=X), "pos_label must be of the same kind as y_true"),
        (lambda: metrics.accuracy_score([SNAN, 1], [0, 1]), "y_true must hold hashable labels"),
        (lambda: evalstats.ScoreTable(scores=[[1]], datasets=("d",), classifiers=("a",), folds=5), "folds must be"),
        (lambda: evalstats.ScoreTable(scores=[[1]], datasets=("d",), classifiers=("a",), missing=5), "missing must be"),
        (lambda: evalstats.cohen_kappa(TRUE, PRED, labels=np.array(3)), "labels must be a sequence of classes"),
        (lambda: evalstats.paired.split_sizes(np.array(3)), "splits must be pairs"),
        (lambda: metrics.f1_fold_bias(5, 20, 5, 0.8, recall=[[1, 2], [3]]), "rows have different lengths"),
        (lambda: metrics.empty_fold_probability([[1, 2], [3]], 5), "rows have different lengths"),
        (lambda: metrics.precision_at_n_over_folds([[1, 2], [3]], Y, FOLD, n=3), "rows have different lengths"),
        (lambda: metrics.f1_fold_bias(8, 2**64 - 1, 5, 0.8), "n_negative must be at most 2^53"),
        (lambda: evalstats.critical_difference(10, 10**400), "n_classifiers must be at most 2^53"),
        (lambda: evalstats.which_test(n_classifiers=10**30, n_datasets=5), "n_classifiers must be at most 2^53"),
        (lambda: evalstats.sign_test(X, Y, tie_tolerance=HUGE), "a whole number of 16610 bits"),
        (lambda: evalstats.critical_difference(10, 3, alpha=HUGE), "a whole number of 16610 bits"),
        (lambda: evalstats.compare({"a": [HUGE, 1], "b": [1, 2]}), "is not finite"),
        (lambda: evalstats.sign_test(X, Y, alternative="x" * 5000), "not 'xxx"),
        (lambda: evalstats.which_test("x" * 300), "cannot be read"),
        (lambda: evalstats.friedman_test(SCORES, rng=np.matrix([[0]])), "rng must be None, a seed"),
        (lambda: evalstats.cohen_kappa_table(np.full((2, 2), 2.0**63)), "whole numbers from 0 to 2^50"),
        (lambda: evalstats.agreement.gwet_ac1(counts=np.full((2, 2), 2.0**63)), "whole numbers from 0 to 2^50"),
        (lambda: metrics.accuracy_score([1, 0, 1], [1, 1, 1], sample_weight=[1e308] * 3), "the largest sample_weight"),
        (
            lambda: evalstats.reproducibility.estimation_bias([1e308, 1], [-1e308, 0]),
            "estimates must lie between -1e150 and 1e150",
        ),
    ],
)  # fmt: skip
def test_what_users_try_is_refused_by_name(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(EvalstatsError) as caught:
        call()

    assert message in str(caught.value)
    assert len(str(caught.value)) < 400


def test_cut_compressed_stream_is_a_table_that_cannot_be_read() -> None:
    import gzip

    whole = gzip.compress(b"dataset,a,b\n" + b"".join(b"d%d,0.5,0.25\n" % i for i in range(2000)))

    with (
        gzip.open(io.BytesIO(whole[:-400])) as cut,
        pytest.raises(evalstats.TableError, match=r"the table cannot be read: .*Compressed file ended"),
    ):
        evalstats.read_table(cut)


def test_labels_of_half_precision_and_matrices_are_understood() -> None:
    """They are arrays as any others, and no warning of numpy comes through."""
    half = np.float16([0, 1, 1])
    table = np.array([[True, False], [True, True], [False, True]])

    assert metrics.accuracy_score(half, [0, 1, 0]) == pytest.approx(2 / 3)
    assert evalstats.cochran_q_test(np.matrix(table)).statistic == evalstats.cochran_q_test(table).statistic
    assert evalstats.bayes_signed_rank_test(X, Y, prior_strength=-0.0, n_simulations=50, rng=1).p_less >= 0


def test_value_without_words_is_told_by_its_type() -> None:
    with pytest.raises(EvalstatsError, match=r"not a value of the type WithoutRepr"):
        evalstats.sign_test(X, Y, alternative=WithoutRepr())
