"""Which invariants hold for which public function, which test holds each of them to it, and what is excused, and why?

This is the one table of invariants and functions. `tests/test_invariants.py` tries every function that no other test
holds to a invariant. A new public function is tried too: what is not excused here must hold.
"""

from __future__ import annotations

import inspect
import runpy
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from evalstats import _declarations
from evalstats._declarations import all_declarations

HERE = Path(__file__).parent


def names_in(file: str) -> dict[str, Any]:
    """Return what a file of tests defines."""
    return runpy.run_path(str(HERE / file))


ARGUMENTS = names_in("test_arguments.py")
plain: Callable[[Any], Any] = names_in("result_comparison.py")["plain"]
COMMON, LABELS, TIES = (names_in(f"test_{name}.py") for name in ("common", "labels", "ties"))
FUNCTIONS: dict[str, Callable[..., Any]] = ARGUMENTS["FUNCTIONS"]
CALLS: dict[str, dict[str, Any]] = ARGUMENTS["CALLS"]


# --- what is known of a function --------------------------------------------------------------------------------------


def arrays_of(name: str, kinds: str = "biuf") -> dict[str, np.ndarray]:
    """Return the arguments of a call that are arrays of numbers, or lists of them."""
    found = {}
    for argument, value in CALLS[name].items():
        if isinstance(value, np.ndarray | list | tuple):
            try:
                array = np.asarray(value)
            except ValueError:  # ragged
                continue
            if array.dtype.kind in kinds and array.size:
                found[argument] = array
    return found


def takes(name: str, argument: str) -> bool:
    return argument in inspect.signature(FUNCTIONS[name]).parameters


def where(condition: Callable[[str], bool]) -> frozenset[str]:
    """Return the functions for which something holds."""
    return frozenset(name for name in FUNCTIONS if condition(name))


def without(argument: str) -> frozenset[str]:
    return where(lambda name: not takes(name, argument))


def axes_of(name: str) -> tuple[str, ...]:
    """Return what is counted along the axes of the arguments of a function, each once."""
    return tuple(dict.fromkeys(axis for value in labeled(name).values() for axis in value.axes))


def labeled(name: str) -> dict[str, Any]:
    """Return the arguments of a function as arrays with the names of their axes."""
    if name in LABELS["CASES"]:
        return dict(LABELS["CASES"][name].arguments)
    known = AXES | OWN_AXES.get(name, {})
    return {argument: LABELS["Labeled"](array, known[argument]) for argument, array in arrays_of(name).items()}


def returns_no_record(name: str) -> bool:
    """Tell a function whose result is a number, an array, text, a path or a frame of pandas."""
    kind = inspect.signature(FUNCTIONS[name]).return_annotation
    plainly = (
        "float",
        "int",
        "Any",
        "FloatArray",
        "tuple",
        "Path",
        "DataFrame",
        "IntArray",
        "list",
        "dict",
        "SplitSizes",
        "pd.DataFrame",
    )
    return str(kind).startswith(plainly)


def public(names: Iterable[str]) -> frozenset[str]:
    """Return functions by their public names; ``"test, with a choice"`` is the test."""
    whole = {name.rpartition(".")[2]: name for name in FUNCTIONS} | {name: name for name in FUNCTIONS}
    return frozenset(whole.get(name) or whole[name.partition(",")[0]] for name in names)


# --- the table --------------------------------------------------------------------------------------------------------


class Law(NamedTuple):
    """What holds, by which tests for which functions, and for which it does not, by the reason."""

    name: str
    says: str
    held: dict[str, frozenset[str]]
    excused: dict[str, frozenset[str]]


def invariant(
    name: str,
    says: str,
    test: str,
    *,
    elsewhere: dict[str, Iterable[str]] | None = None,
    excused: dict[str, Iterable[str]] | None = None,
) -> Law:
    """Make a invariant whose test in tests/test_invariants.py tries what no other test holds and nothing excuses.

    Declarations excuse their tests too. Where a function has several reasons, the first is told.
    """
    given = {reason: set(names) for reason, names in (excused or {}).items()}
    for one in all_declarations():
        if name in one.excused:
            given.setdefault(one.excused[name], set()).add(one.name)
    reasons, left = {}, set(FUNCTIONS)
    for reason, names in given.items():
        reasons[reason] = frozenset(names) & left
        left -= reasons[reason]
    held = {}
    for other, names in (elsewhere or {}).items():
        held[other] = frozenset(names) & left
        left -= held[other]
    return Law(name, says, held | ({f"tests/test_invariants.py::{test}": frozenset(left)} if left else {}), reasons)


SHOWS = where(lambda name: name.startswith(("plot.", "report.")))
NO_ARRAYS = where(lambda name: not arrays_of(name))
NO_FLOATS = where(lambda name: not arrays_of(name, "f"))
NO_PVALUES = frozenset(FUNCTIONS) - public(COMMON["EXTREME"])
PAIRED, MULTIPLE = public(COMMON["PAIRED"]), public(COMMON["MULTIPLE"])
TIED = public(TIES["PAIRED"]) | public(TIES["TABLES"])
DRAWN = public(COMMON["SIMULATED"])
FEW_PVALUES = {
    "returns no p-value": NO_PVALUES,
    "tests a margin, which has a unit and a direction": where(
        lambda n: n.startswith(("equivalence_test", "noninferiority_test"))
    ),
}
# functions that a sequence of cases, runs or classifiers means something to, and along which axes
ORDERED = {
    "the classifiers are expected in this order": {
        "jonckheere_block_test": ["classifier"],
        "jonckheere_test": ["group"],
        "page_test": ["classifier"],
    },
    "takes the covariates as a dict of rows; tests/comparison contains this test": {"adjusted_difference": ["case"]},
    "processes a stream": {
        **{key: ["case"] for key in ("metrics.adwin", "metrics.ddm", "metrics.holdout_errors", "metrics.page_hinkley")},
        **{key: ["case"] for key in ("metrics.prequential_errors", "metrics.q_statistic")},
    },
    "uses the runs in their order": {
        "replay_stopping_rule": ["run"],
        "running_means": ["run"],
        "long_run_mean": ["run"],
    },
    "uses the rows in their order": {"pairwise_betting_test": ["dataset", "limit"]},
    "the letters depend on the order": {"compact_letter_display": ["class"], "homogeneous_subsets": ["class"]},
    "returns positions in the table": {
        "dataset_selection_sensitivity": ["dataset"],
        "ranks_by_metric": ["classifier"],
        "ranking_stability": ["case", "classifier"],
        "consensus_ranking": ["case", "classifier"],
        "metrics.cost_ranges": ["classifier"],
        "check_published_ranks": ["classifier"],
        "project_vectors": ["classifier"],
        "performance_vectors": ["class"],
        "project_classifiers": ["class"],
    },
    "has a direction for each metric": {"dea_efficiency": ["measure"]},
    "the sizes increase": {"learning_curve_test": ["size"]},
    "the rows of the inner scores are numbered as the folds": {"nested_cross_validated_mean": ["fold"]},
}
for one in all_declarations():
    if "any order" in one.excused:
        axes = dict.fromkeys(axis for value in LABELS["CASES"][one.name].arguments.values() for axis in value.axes)
        ORDERED.setdefault(one.excused["any order"], {})[one.name] = list(axes)
IN_ORDER = {name: axes for functions in ORDERED.values() for name, axes in functions.items()}
# what is counted along each axis of an argument, where tests/test_labels.py does not say it
AXES = {
    "correct": ("case", "classifier"),
    "counts": ("case", "class"),
    "different": ("classifier", "classifier"),
    "estimates": ("run",),
    "fold": ("case",),
    "losses": ("case",),
    "pvalues": ("classifier", "classifier"),
    "ratings": ("case", "rater"),
    "runs": ("run", "classifier"),
    "samples": ("group", "case"),
    "scores": ("dataset", "classifier"),
    "values": ("case",),
    "y_pred": ("case",),
    "y_score": ("case",),
    "y_true": ("case",),
}
OWN_AXES = {
    "adjust_e_values": {"e_values": ("hypothesis",)},
    "adjust_pvalues": {"pvalues": ("hypothesis",)},
    "classifier_two_sample_test": {"x": ("case", "feature"), "y": ("other instance", "feature")},
    "alternative_annotator_test": {"annotators": ("case", "rater"), "judge": ("case",)},
    "nested_cross_validated_mean": {"outer": ("case",), "inner": ("fold", "case"), "fold": ("case",)},
    "label_variation": {"annotators": ("case", "rater"), "judge": ("case",)},
    "cohen_kappa_matrix": {"y": ("classifier", "case")},
    "dea_efficiency": {"scores": ("classifier", "measure"), "greater_is_better": ("measure",)},
    "run_distribution": {"scores": ("run",)},
    "interquartile_mean": {"runs": ("run", "dataset")},
    "ranks_by_metric": {"scores": ("classifier", "measure")},
    "metrics.ddm": {"is_wrong": ("case",)},
    "mmd_test": {"x": ("case", "feature"), "y": ("other instance", "feature")},
    "obuchowski_rockette_test": {"ratings": ("treatment", "reader", "case")},
    "optimality_gap": {"runs": ("run", "dataset")},
    "pairwise_betting_test": {"bounds": ("limit",)},
    "pareto_front": {"scores": ("classifier", "measure")},
    "performance_vectors": {"confusion_matrices": ("classifier", "class", "class")},
    "plan_design": {"effects": ("effect",)},
    "project_classifiers": {"confusion_matrices": ("classifier", "class", "class")},
    "pvalues_over_runs": {"runs": ("run", "dataset", "classifier")},
    "long_run_mean": {"scores": ("run",)},
    "variance_components": {"scores": ("dataset", "classifier")},
    "verdict_reproducibility": {"runs": ("run", "dataset", "classifier")},
}
ONE_PROBLEM = [
    *("adjust_e_values", "adjusted_difference", "alternative_annotator_test", "label_variation"),
    "metrics.length_adjusted_win_rate",
    "rank_confidence_sets",
    *("bayes_hierarchical_test", "bradley_terry_model"),
    *("classifier_two_sample_test", "cochran_q_test"),
    *(
        "cohen_kappa_matrix",
        "compact_letter_display",
        "curve_difference",
        "dataset_selection_sensitivity",
        "dea_efficiency",
    ),
    *("run_histogram", "estimate_label_shift", "label_permutation_test"),
    "ranks_by_metric",
    *("metrics.adwin", "metrics.check_folds", "metrics.clustered_mean"),
    *("metrics.brier_decomposition", "metrics.calibration_slope", "metrics.recalibration_test"),
    "metrics.reliability_curve",
    *("metrics.group_gaps", "gap_change_test", "subgroup_test_from_estimates"),
    *("metrics.cross_validated_mean", "metrics.decision_curve", "net_benefit_difference"),
    "nested_cross_validated_mean",
    *("metrics.cost_curve", "metrics.cost_ranges", "metrics.ddm", "metrics.expected_cost", "metrics.ppi_mean"),
    "metrics.ppi_score",
    *("metrics.lift_curve", "metrics.near_duplicates", "metrics.page_hinkley", "metrics.precision_at_n_over_folds"),
    *("metrics.precision_recall_curve", "metrics.roc_convex_hull", "metrics.roc_curve"),
    *("metrics.scores_at_thresholds", "mmd_test", "homogeneous_subsets", "pairwise_mean_differences"),
    "pairwise_vargha_delaney_a",
    *("pareto_front", "plackett_luce_model", "plan_design", "probability_of_improvement", "project_vectors"),
    *(
        "pvalues_over_runs",
        "rank_distribution",
        "ranking_stability",
        "consensus_ranking",
        "replay_stopping_rule",
        "running_means",
        "variance_components",
    ),
    *("verdict_reproducibility", "bradley_terry_from_counts", "adjust_pairwise"),
]
# what the values of scores are to these, not only which of two is larger
SIZES_OF_SCORES = [
    *("adjust_pairwise", "adjust_pvalues", "akinshin_gamma", "almost_stochastic_order", "bayes_correlated_ttest"),
    *("bayes_hierarchical_test", "bayes_pairwise_correlated_ttest", "bayes_pairwise_signed_rank_test"),
    *("bayes_signed_rank_test", "bradley_terry_from_counts", "check_published_ranks"),
    *("cohen_d", "cohen_dz", "contrast_estimation"),
    "dea_efficiency",
    *("run_distribution", "run_histogram"),
    *("hedges_g", "interquartile_mean", "jzs_bayes_factor", "mmd_test"),
    *("optimality_gap", "estimation_bias", "consensus_ranking", "ranking_stability", "rank_confidence_sets"),
    "metrics.length_adjusted_win_rate",
    "pairwise_mean_differences",
    *("plan_design", "project_vectors"),
    *("question_variance", "rank_biserial", "replay_stopping_rule"),
    *("running_means", "long_run_mean", "variance_components"),
    *("metrics.brier_score_loss", "metrics.calibration_curve", "metrics.clustered_mean"),
    *("metrics.brier_decomposition", "metrics.calibration_slope", "metrics.miscalibration"),
    *("metrics.recalibration_test", "metrics.reliability_curve", "metrics.spiegelhalter_test"),
    *("metrics.squared_calibration_error", "subgroup_test_from_estimates"),
    *("metrics.cross_validated_mean", "metrics.decision_curve", "net_benefit_difference", "cross_validated_test"),
    "nested_cross_validated_mean",
    *("metrics.expected_calibration_error", "metrics.holdout_errors", "metrics.information_score"),
    *("metrics.ppi_mean", "metrics.ppi_score", "metrics.log_loss", "metrics.prequential_errors", "metrics.q_statistic"),
    *("metrics.relative_information_score", "metrics.root_mean_squared_error"),
    # happen to give the same for these numbers
    *("classifier_two_sample_test", "label_permutation_test", "metrics.adwin", "metrics.page_hinkley"),
    *("metrics.near_duplicates", "dataset_selection_sensitivity"),
    *(one.name for one in all_declarations() if "batches" in one.excused),
]
MEANT = {"class", "right", "value"}  # positions with a meaning: the positive class, who is right
MONTE_CARLO = "tests/test_common.py::test_a_table_has_one_pvalue"

NO_UNITS = {
    "takes no array of floats": NO_FLOATS,
    "takes mean ranks, which have a unit": ["check_published_ranks"],
    "takes probabilities, or estimates with their standard errors": [
        *("proper_score_test", "pairwise_proper_score_test", "subgroup_test_from_estimates"),
        *("metrics.recalibration_test", "metrics.spiegelhalter_test", "rank_confidence_sets"),
    ],
}
TABLE = (
    invariant(
        "input is left alone",
        "A call does not change its arguments, the random state of NumPy, or the warning settings of NumPy.",
        "test_input_is_left_alone",
        elsewhere={"tests/test_common.py::test_input_is_left_alone": PAIRED | MULTIPLE},
        excused={"writes files": ["read_study", "run_study"]},
    ),
    invariant(
        "same call, same answer",
        "The same call returns the same result for every random state of NumPy.",
        "test_same_call_gives_the_same_answer",
        elsewhere={"tests/test_common.py::test_without_a_seed_it_is_zero": DRAWN},
        excused={
            "measures how long classifiers take": ["run_study"],
            "reads a directory of runs": ["read_study"],
            "generates new inputs in each call, and records the seed": ["validate"],
        },
    ),
    invariant(
        "seed in the record",
        "The result contains the seed that was used.",
        "test_seed_is_in_the_record",
        elsewhere={"tests/test_common.py::test_seed_is_in_the_record": DRAWN},
        excused={
            "uses no random numbers": without("rng"),
            "returns the generated patients": ["make_flu_patients"],
            "its report contains no generated instance": ["validate"],
            "uses no random numbers in these forms": where(lambda n: n.endswith((", accuracy", ", auc", ", counts"))),
            "returns only the generated numbers": [*SHOWS, "metrics.bootstrap_auc_scores", "metrics.bootstrap_scores"],
        },
    ),
    invariant(
        "threads",
        "Eight threads that call the public functions in any order get the same numbers as one thread.",
        "",
        elsewhere={"tests/stress/test_threads.py::test_eight_threads_give_the_numbers_of_one": FUNCTIONS},
        excused={
            "plots on the global figure of the process": where(lambda name: name.startswith("plot.")),
            "writes files, runs programs or fits classifiers": names_in("stress/test_threads.py")["ALONE"],
        },
    ),
    invariant(
        "kinds of arrays",
        "Lists, tuples, read-only arrays, object arrays, and arrays of any memory order, byte order and step lead "
        "to exactly the same numbers.",
        "test_any_kind_of_array_will_do",
        excused={"takes no arrays of numbers": NO_ARRAYS},
    ),
    invariant(
        "labels",
        "The labels of pandas objects are never ignored. Labels that contradict the positions are aligned or rejected.",
        "",
        elsewhere={
            "tests/test_labels.py::test_labels_in_another_order_never_give_another_number": LABELS["CASES"],
        },
        excused={
            reason: [name for name, why in LABELS["EXCUSED"].items() if why == reason]
            for reason in dict.fromkeys(LABELS["EXCUSED"].values())
        },
    ),
    invariant(
        "odd arguments",
        "For every value of an argument, the function returns a result or raises an error of evalstats.",
        "",
        elsewhere={
            "tests/test_arguments.py::test_wrong_arguments_are_answered_or_refused": where(ARGUMENTS["arguments_of"])
        },
        excused={"takes no argument": where(lambda name: not ARGUMENTS["arguments_of"](name))},
    ),
    invariant(
        "equal, tiny and huge numbers",
        "Equal scores, scores that differ by rounding noise, and scores of all sizes from 5e-324 lead to a result or "
        "an error, without a warning from NumPy.",
        "",
        elsewhere={
            "tests/test_arguments.py::test_equal_tiny_and_huge_numbers_are_answered_or_refused": where(
                ARGUMENTS["numbers_of"]
            )
        },
        excused={"takes no array of floats": where(lambda name: not ARGUMENTS["numbers_of"](name)) | NO_FLOATS},
    ),
    invariant(
        "nan and infinity",
        "A score that is nan or infinite is rejected with its name and position. No score is dropped silently.",
        "test_nan_and_infinity_are_refused_by_name",
        elsewhere={
            "tests/test_common.py::test_bad_pairs_are_refused_by_name": PAIRED,
            "tests/test_common.py::test_bad_scores_are_refused_by_name": MULTIPLE,
        },
        excused={
            "takes no array of floats": NO_FLOATS,
            "nan is an instance without a rating": ["metrics.ppi_mean", "metrics.ppi_score"],
            "nan is excluded from the family or counts as 1, depending on nan_policy": [
                "adjust_pairwise",
                "adjust_pvalues",
            ],
            "the classifier determines which instances are valid": ["label_permutation_test"],
            "nan is the inner score of an instance of the outer fold": ["nested_cross_validated_mean"],
            "an infinite strength has a rank, and its variance is unknown": ["rank_confidence_sets"],
        },
    ),
    invariant(
        "any order",
        "The order of datasets, instances, classifiers, folds and raters does not matter. Results for each of them "
        "have the new order, and the other results do not change.",
        "test_any_order_will_do",
        elsewhere={MONTE_CARLO: DRAWN & NO_ARRAYS},
        excused={
            "takes no arrays of numbers": NO_ARRAYS,
            "plots ordered data": SHOWS,
            **{
                why: [name for name, axes in own.items() if set(axes) >= set(axes_of(name))]
                for why, own in ORDERED.items()
            },
        },
    ),
    invariant(
        "batches",
        "The results for a batch are exactly the same as in a loop over its members (to "
        "1e-12 for long exact Wilcoxon tests with ties).",
        "test_batch_equals_the_loop",
        elsewhere={
            "tests/test_common.py::test_batch_equals_the_loop_over_its_members": PAIRED,
            "tests/test_common.py::test_batch_of_tables_equals_the_loop": MULTIPLE,
        },
        excused={
            "takes no arrays of numbers": NO_ARRAYS,
            "plots one problem": SHOWS,
            _declarations.ONE_PROBLEM["batches"]: ONE_PROBLEM,
            "the members of a batch use consecutive random numbers": [
                *("akinshin_gamma", "metrics.bootstrap_auc_interval", "metrics.bootstrap_auc_scores"),
                *("metrics.bootstrap_interval", "metrics.bootstrap_scores"),
            ],
            "the first axis contains runs, groups or test sets, not a batch": [
                *("interquartile_mean", "jonckheere_test", "optimality_gap", "performance_vectors"),
                "project_classifiers",
            ],
        },
    ),
    invariant(
        "exchange",
        "Swapping x and y mirrors the result: the p-value is the same, and the difference has the opposite sign.",
        "test_exchange_mirrors_the_result",
        elsewhere={"tests/test_common.py::test_swapping_x_and_y_mirrors_the_result": PAIRED},
        excused={
            "does not take x and y": without("x") | without("y") | without("y_true_x") & NO_ARRAYS,
            "tests whether x is noninferior to y": where(lambda name: "noninferiority" in name),
            "the Markov chain has another start; the posterior is the same within the Monte Carlo error": [
                "bayes_hierarchical_test"
            ],
        },
    ),
    invariant(
        "sign of the scores",
        "Random numbers do not depend on the sign of the scores. Accuracies and error "
        "rates have exactly the same simulated p-values.",
        "",
        elsewhere={
            "tests/test_common.py::test_score_and_its_complement_have_one_simulated_pvalue": public(COMMON["MIRRORED"])
        },
        excused={
            "uses no random numbers": without("rng") | where(lambda n: n.endswith((", accuracy", ", auc", ", counts"))),
            "generates new inputs in each call, and records the seed": ["validate"],
            "returns no p-value": NO_PVALUES - public(COMMON["MIRRORED"]),
            "compares samples of instances, not classifiers": [
                *("classifier_two_sample_test", "estimate_label_shift", "label_permutation_test", "mmd_test"),
            ],
            "takes labels or probabilities, which have no sign": ["gap_change_test", "proper_score_test"],
            "takes estimates, whose sign is their direction": ["rank_confidence_sets"],
            "its p-values use no random numbers": ["ranking_stability"],
        },
    ),
    invariant(
        "smaller is better",
        "The result for greater_is_better=False equals the result for negated scores.",
        "test_smaller_is_better_equals_negated_scores",
        elsewhere={"tests/test_common.py::test_smaller_is_better_equals_negated_scores": MULTIPLE},
        excused={
            "has no greater_is_better": without("greater_is_better"),
            "takes no array of floats": NO_FLOATS,
            "takes mean ranks, where 1 is the best": ["check_published_ranks"],
            "needs nonnegative scores": ["dea_efficiency"],
            "returns the criterion in the unit of the scores": ["consensus_ranking", "ranking_stability"],
            "takes a covariance, which has no direction": ["rank_confidence_sets"],
            "keeps the sign of the scores in its means and its statistic": ["learning_curve_test"],
            "takes labels, counts or areas, which have a direction": where(
                lambda n: n.endswith((", accuracy", ", auc", ", counts"))
            ),
        },
    ),
    invariant(
        "monotone transformations",
        "A monotone transformation of the scores does not change a function that uses only their order.",
        "test_monotone_transformation_changes_nothing",
        elsewhere={
            "tests/test_common.py::test_ranks_do_not_care_for_monotone_transformations": {
                name for name in MULTIPLE if not name.startswith(COMMON["OF_SIZES"])
            }
        },
        excused={
            "takes no array of floats": NO_FLOATS,
            "plots the scores without a transformation": SHOWS,
            _declarations.OF_SIZES["monotone transformations"]: SIZES_OF_SCORES,
            "returns thresholds in the unit of the scores, and the points are the same": [
                *(
                    "metrics.best_threshold",
                    "metrics.cost_curve",
                    "metrics.lift_curve",
                    "metrics.precision_recall_curve",
                ),
                *("metrics.roc_convex_hull", "metrics.roc_curve", "metrics.scores_at_thresholds"),
            ],
        },
    ),
    invariant(
        "units and zero",
        "Counts of correct predictions and proportions of a test set give the same p-values: the unit, rounding noise"
        " and the zero of the scale do not matter.",
        "test_unit_and_zero_of_the_scores_do_not_matter",
        elsewhere={
            "tests/test_ties.py::test_pairs_of_fractions_are_pairs_of_counts": TIED & PAIRED,
            "tests/test_ties.py::test_tables_of_fractions_are_tables_of_counts": TIED - PAIRED,
        },
        excused=FEW_PVALUES | NO_UNITS,
    ),
    invariant(
        "units of few values",
        "Scores of few different values, often with constant differences, have the same p-values in every unit:"
        " no rounding error is taken for a variance.",
        "test_few_values_have_the_same_pvalues_in_every_unit",
        excused=FEW_PVALUES | NO_UNITS,
    ),
    invariant(
        "p-values",
        "A p-value is greater than 0 and at most 1. A p-value of nan has a reason.",
        "test_pvalues_are_above_0_and_at_most_1",
        excused={
            "returns no p-value": NO_PVALUES,
            "takes no arrays of numbers": NO_ARRAYS,
        },
    ),
    invariant(
        "no p-value is 0",
        "For the most extreme data, the p-value is the smallest positive float instead of 0.",
        "",
        elsewhere={"tests/test_common.py::test_no_pvalue_is_zero": set(FUNCTIONS) - NO_PVALUES},
        excused={"returns no p-value": NO_PVALUES},
    ),
    invariant(
        "identical classifiers",
        "For identical classifiers, p is 1, or nan if the test is undefined, and the result has a reason.",
        "test_identical_classifiers_give_p_one_and_a_reason",
        elsewhere={
            "tests/test_common.py::test_identical_classifiers_give_p_one_and_a_reason": PAIRED,
            "tests/test_common.py::test_all_tied_gives_p_one_and_a_reason": MULTIPLE,
        },
        excused=FEW_PVALUES
        | {
            "takes counts, ranks or labels that cannot have these values": [
                *("equivalence_test", "noninferiority_test", "check_published_ranks"),
                *("mcnemar_test, counts", "square_table_test", "minimum_attainable_pvalue", "minimum_sample_size"),
                *("predictive_value_test, counts", "sensitivity_specificity_test, counts"),
            ],
            "takes ratings, rows or estimates of several models": [
                *("adjusted_difference", "alternative_annotator_test", "obuchowski_rockette_test"),
                "rank_confidence_sets",
            ],
            "tests one classifier, or estimates": [
                *("metrics.recalibration_test", "metrics.spiegelhalter_test", "subgroup_test_from_estimates"),
            ],
            "measures agreement: identical raters have the smallest p-value": [
                *("cohen_kappa", "cohen_kappa_table", "fleiss_kappa", "gwet_ac1"),
                *("krippendorff_alpha", "light_kappa", "scott_pi"),
            ],
            "compares samples of instances, not classifiers": [
                *("classifier_two_sample_test", "estimate_label_shift", "label_permutation_test", "mmd_test"),
                *("run_distribution", "jonckheere_test", "pvalues_over_runs", "delong_unpaired_test"),
            ],
        },
    ),
    invariant(
        "adjusted p-values",
        "Adjusted p-values are between the unadjusted p-values and 1, are monotone in them, and have the known order "
        "of the procedures.",
        "",
        elsewhere={
            "tests/adjustment/test_pvalues.py::test_adjusted_is_monotone_in_the_raw": ["adjust_pvalues"],
            "tests/adjustment/test_pairwise.py::test_adjusted_is_monotone_in_the_raw": ["adjust_pairwise"],
        },
        excused={"adjusts no p-values": set(FUNCTIONS) - {"adjust_pvalues", "adjust_pairwise"}},
    ),
    invariant(
        "records",
        "A result is a frozen record of plain values that can be saved as JSON and is printed in a few lines.",
        "test_result_is_a_frozen_record_that_survives_json",
        elsewhere={"tests/test_common.py::test_result_is_a_record_of_plain_values": PAIRED | MULTIPLE},
        excused={
            "reads a directory of runs": ["read_study"],
            "plots or writes files": SHOWS,
            "returns numbers, names or a path": where(returns_no_record),
        },
    ),
    invariant(
        "options by name",
        "Options are keyword arguments. Every argument and every field of a record can be specified by name.",
        "test_options_are_given_by_name",
        excused={"plots names and axes, which can follow the data": where(lambda name: name.startswith("plot."))},
    ),
)
INVARIANTS: dict[str, Law] = {one.name: one for one in TABLE}
