"""Findings on a recommended test: problems of the experiment, and useful facts."""

from __future__ import annotations

__all__ = ["can_reach", "findings_on_advice"]

import math
from collections.abc import Iterator

import numpy as np

from evalstats._findings import Finding
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, rounded
from evalstats._types import FloatArray
from evalstats.comparison.advice.decision_tree import Leaf
from evalstats.comparison.advice.evidence import Evidence
from evalstats.comparison.advice.experiment_design import ExperimentDesign
from evalstats.comparison.fewest_datasets import hopeless_words
from evalstats.distributions.tail_probabilities import erfc_inverse
from evalstats.paired.sign import wins_and_losses

# with this number of datasets, even a small effect (0.2 standard deviations) has a power of 80%: (2.8 / 0.2)^2
HUGE_DATASETS = 196
# if two classifiers differ on 10% of the instances, 0.6 percentage points of accuracy are significant here
HUGE_CASES = 10_000
# with fewer datasets, the t-test needs normal differences (Demšar 2006, section 3.1.2)
FEW_DATASETS_FOR_T = 30
# fewer datasets give little information on other datasets (see the notes of compare)
VERY_FEW_DATASETS = 6
# for up to this number of datasets, the predictions may be answers to benchmarks, with the instances as the sample
FEW_BENCHMARKS = 10
MANY_TIES = 0.2  # proportion of ties among the scores next to each other in rank
# for larger samples, the p-value of SciPy is inaccurate, and small deviations are always significant
SHAPIRO_LIMIT = 5000
SKEWED = 1.0
# findings that are not problems
NOTES = (
    "rows-named-as-folds",
    "folds-are-not-datasets",
    "models-share-training-data",
    "huge-sample",
    "cases-of-few-datasets",
)


def findings_on_advice(evidence: Evidence, leaf: Leaf, alpha: float) -> Iterator[Finding]:
    """Yield the problems of an experiment and of the recommended test, and useful facts about them."""
    if evidence.design.extent == "questions":  # findings on samples of datasets, folds and instances
        return
    found = {
        "rows-named-as-folds": _rows_named_as_folds(evidence),
        "folds-are-not-independent": _folds_are_not_independent(evidence.design),
        "folds-are-not-datasets": _folds_are_not_datasets(evidence.design),
        "models-share-training-data": _models_share_training_data(evidence.design),
        "mcnemar-not-for-repeats": _mcnemar_not_for_repeats(evidence.design),
        "cases-not-named": _cases_not_named(evidence),
        "huge-sample": _huge_sample(evidence, alpha),
        "not-normal": _not_normal(evidence, leaf),
        "few-datasets-for-t": _few_datasets_for_t(evidence.design, leaf),
        "cannot-reach-alpha": _cannot_reach_alpha(evidence, leaf, alpha),
        "many-ties": _many_ties(evidence),
        "missing-scores": _missing_scores(evidence, leaf),
        "very-few-datasets": _very_few_datasets(evidence.design),
        "cases-of-few-datasets": _cases_of_few_datasets(evidence.design),
    }
    for code, sentence in found.items():
        if sentence:
            yield Finding(code=code, severity="note" if code in NOTES else "warning", sentence=sentence)


def _rows_named_as_folds(evidence: Evidence) -> str:
    if not evidence.has_rows_of_folds:
        return ""
    datasets = _counted(evidence.design.n_datasets, "dataset")
    return (
        f"The rows of the table have names of folds or repeats. They are treated as folds or repeats of {datasets}, "
        f"not as datasets."
    )


def _folds_are_not_independent(design: ExperimentDesign) -> str:
    if design.n_datasets > 1 or design.material != "folds":
        return ""
    n = design.n_folds * design.n_repeats
    return (
        f"The {n} scores of each classifier come from overlapping training sets of one dataset. Do not apply "
        f"paired_ttest, wilcoxon_test or sign_test to them as if they were {n} datasets. The type-I error rates of "
        "these tests would be too high."
    )


def _folds_are_not_datasets(design: ExperimentDesign) -> str:
    if design.n_datasets == 1 or design.n_folds * design.n_repeats == 1:
        return ""
    return (
        f"Combine the folds of each dataset into one score: there are {design.n_datasets} independent scores of each "
        f"classifier, not {design.n_datasets * design.n_folds * design.n_repeats}."
    )


def _models_share_training_data(design: ExperimentDesign) -> str:
    if design.n_datasets > 1 or design.material != "cases" or design.n_repeats > 1 or design.n_folds == 1:
        return ""
    return (
        f"The predictions come from {design.n_folds} models of each classifier that share training data. The "
        "conclusion is about these predictions, and it does not include the variation between divisions into folds."
    )


def _mcnemar_not_for_repeats(design: ExperimentDesign) -> str:
    if design.n_datasets > 1 or design.material != "cases" or design.n_repeats == 1:
        return ""
    return (
        f"Each instance was predicted {design.n_repeats} times. McNemar's, Cochran's and DeLong's tests would count "
        "these predictions as independent instances, but these tests require one prediction of each instance. Some "
        "tutorials incorrectly recommend McNemar's test after repeated cross-validation."
    )


def _cases_not_named(evidence: Evidence) -> str:
    if evidence.has_cases or evidence.design.n_datasets > 1 or evidence.design.testing == "repeatedly":
        return ""
    return "No column names the instances, so the predictions of two classifiers cannot be paired; add such a column."


def _huge_sample(evidence: Evidence, alpha: float) -> str:
    design = evidence.design
    z = math.sqrt(2) * erfc_inverse(math.log(alpha))
    if design.n_datasets > HUGE_DATASETS:
        least = f"a mean difference of {z / math.sqrt(design.n_datasets):.2g} standard deviations"
        return _significant_anyway(f"{design.n_datasets:,} {evidence.words.datasets}", least)
    if design.n_datasets == 1 and design.material == "cases" and (n := design.n_instances or 0) > HUGE_CASES:
        if evidence.n_discordant:
            points = 100 * z * math.sqrt(evidence.n_discordant) / n
            return _significant_anyway(
                f"{n:,} instances", f"a difference of {points:.2g} percentage points of accuracy"
            )
        return _significant_anyway(f"{n:,} instances", "a very small difference")
    return ""


def _significant_anyway(many: str, least: str) -> str:
    return (
        f"With {many}, even {least} is significant. Report the size of the difference with a confidence interval, and "
        "state which size is relevant."
    )


def _not_normal(evidence: Evidence, leaf: Leaf) -> str:
    if leaf.kind != "parametric" or evidence.scores is None or len(evidence.scores) < 3:
        return ""
    residuals = _residuals(evidence.scores / (np.abs(evidence.scores).max() or 1.0))
    if np.ptp(residuals) <= DEFAULT_TIE_TOLERANCE:
        return ""
    if evidence.design.n_datasets > 1 and residuals.size <= SHAPIRO_LIMIT:
        from scipy.stats import shapiro

        pvalue = float(shapiro(residuals).pvalue)
        against = f"Shapiro-Wilk test, p = {pvalue:.2g}" if pvalue <= 0.05 else ""
    else:
        skewness = float((residuals**3).mean() / (residuals**2).mean() ** 1.5)
        against = f"skewness {skewness:.2g}" if abs(skewness) > SKEWED else ""
    return against and (
        f"The differences do not look normal ({against}), but {leaf.test} assumes normality; see the alternatives."
    )


def _residuals(scores: FloatArray) -> FloatArray:
    """Return the centered differences of two classifiers, or the residuals for several classifiers."""
    if scores.shape[1] == 2:
        differences = scores[:, 0] - scores[:, 1]
        return np.asarray(differences - differences.mean())
    centered = scores - scores.mean(axis=1, keepdims=True)
    return np.asarray(centered - centered.mean(axis=0)).ravel()


def _few_datasets_for_t(design: ExperimentDesign, leaf: Leaf) -> str:
    if design.n_datasets == 1 or leaf.kind != "parametric" or design.n_datasets >= FEW_DATASETS_FOR_T:
        return ""
    return (
        f"With {design.n_datasets} datasets, the test depends on normality (less with {FEW_DATASETS_FOR_T} or more), "
        "and tests of normality have too little power to detect a violation."
    )


def _cannot_reach_alpha(evidence: Evidence, leaf: Leaf, alpha: float) -> str:
    n = evidence.design.n_datasets
    exponent, what = 0.0, ""  # logarithm of the smallest two-sided exact p-value, to the base 2
    if leaf.test == "wilcoxon_test" and evidence.scores is not None:
        wins, losses = wins_and_losses(evidence.scores[:, 0], evidence.scores[:, 1], evidence.tie_tolerance)
        n_different = int(wins + losses)
        exponent, what = 1 - n_different, f"differences on {_counted(n_different, 'dataset')}"
    elif leaf.test == "wilcoxon_test":
        exponent, what = 1 - n, _counted(n, "dataset")
    elif leaf.posthoc == ("pairwise_wilcoxon_test",):
        return _no_pair_can_reach(evidence.design, alpha)
    elif leaf.test == "mcnemar_test" and (b := evidence.n_discordant) is not None:
        exponent, what = 1 - b, f"{_counted(b, 'instance')} that only one classifier predicts correctly"
    smallest = min(2.0**exponent, 1.0)
    if not what or smallest <= alpha:
        return ""
    return f"With {what}, p cannot be below {smallest:.3g}: no result can be significant at alpha = {alpha:g}."


def _no_pair_can_reach(design: ExperimentDesign, alpha: float) -> str:
    if can_reach("pairwise_wilcoxon_test", design, alpha):
        return ""
    n, k = design.n_datasets, design.n_classifiers
    return hopeless_words(
        "wilcoxon",
        "holm",
        where=f"With {_counted(n, 'dataset')} and {_counted(k, 'classifier')}",
        smallest=f"{min(1.0, _n_comparisons(design) * 2.0 ** (1 - n)):.3g}",
        n_classifiers=k,
        control=None if design.control is None else "the control",
        alpha=alpha,
    )


def _many_ties(evidence: Evidence) -> str:
    if evidence.scores is None or len(evidence.scores) < 2:
        return ""
    ordered = np.sort(rounded(evidence.scores, evidence.tie_tolerance), axis=1)
    share = float((ordered[:, 1:] == ordered[:, :-1]).mean())
    if share < MANY_TIES:
        return ""
    return (
        f"{share:.0%} of the adjacent scores in the rankings are tied, and ties are not evidence "
        f"for any {evidence.words.classifier}. If the scores were rounded, keep more digits, and check how the "
        "test treats ties."
    )


def _missing_scores(evidence: Evidence, leaf: Leaf) -> str:
    if not evidence.n_missing:
        return ""
    missing = f"{_counted(evidence.n_missing, 'score')} {'is' if evidence.n_missing == 1 else 'are'} missing"
    return (
        f"{missing}, which {leaf.test} does not allow: skillings_mack_test uses all other scores, and wilcoxon_test "
        "compares each pair on the datasets with scores of both classifiers. Alternatively, leave out the datasets "
        "with missing scores."
    )


def _very_few_datasets(design: ExperimentDesign) -> str:
    if design.n_datasets == 1 or design.n_classifiers == 2 or design.n_datasets >= VERY_FEW_DATASETS:
        return ""
    return (
        f"{design.n_datasets} datasets are a very small sample of all datasets: the verdict depends on each dataset, "
        "and the conclusions may not apply to other datasets."
    )


def _cases_of_few_datasets(design: ExperimentDesign) -> str:
    if design.n_datasets == 1 or design.material != "cases" or design.n_datasets > FEW_BENCHMARKS:
        return ""
    return (
        f"The recommendation is about the population of which these {design.n_datasets} datasets are a sample. "
        "For a conclusion about these datasets themselves, such as benchmarks of questions, compare the predictions "
        "for the instances of "
        "each dataset (keep only its rows)."
    )


def can_reach(test: str, design: ExperimentDesign, alpha: float) -> bool:
    """Return whether a test can be significant with the number of datasets in the design."""
    of_signs = ("sign_test", "wilcoxon_test", "permutation_test", "pairwise_wilcoxon_test", "pairwise_sign_test")
    if test not in (*of_signs, "pairwise_max_t_test"):
        return True
    n = min(design.n_datasets, 1000)  # a larger number could overflow a float
    m = 1 if test == "pairwise_max_t_test" else _n_comparisons(design)
    return n == 1 or m * 2.0 ** (1 - n) <= alpha


def _n_comparisons(design: ExperimentDesign) -> int:
    k = design.n_classifiers
    return math.comb(k, 2) if design.control is None else k - 1


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
