"""Inputs without a result in R, and the reasons."""

from __future__ import annotations

__all__ = ["NO_ANSWER", "why_unanswered"]

from collections.abc import Mapping

NO_ANSWER: Mapping[str, Mapping[str, str]] = {
    "agreement/clusterings/adjusted_rand_score": {"no two cases are together": "mclust divides zero by zero"},
    "bayes/correlated_t/bayes_correlated_ttest": {"the differences have no variance": "R would divide by zero"},
    "bayes/correlated_t/bayes_pairwise_correlated_ttest": {
        "the differences have no variance": "R would divide by zero"
    },
    "bayes/jzs/jzs_bayes_factor": {"the differences have no variance": "R would divide by zero"},
    "effects/standardized/cohen_d": {"the samples have no variance": "R would divide by zero or by rounding errors"},
    "effects/standardized/cohen_dz": {
        "the differences have no variance": "R would divide by zero or by rounding errors"
    },
    "effects/standardized/hedges_g": {"have no variance": "R would divide by zero or by rounding errors"},
    "metrics/recalibration/calibration_slope": {
        "glm steps past the maximum": "probabilities of 0 and 1 stop its steps"
    },
    "metrics/recalibration/recalibration_test": {
        "glm steps past the maximum": "probabilities of 0 and 1 stop its steps"
    },
    "metrics/win_rates/length_adjusted_win_rate": {
        "Argument mu must be a nonempty numeric vector": "glm drops a covariate that is always the same",
    },
    "multiple/battles/bradley_terry_from_battles": {
        "some strengths are infinite": "glm stops when its steps are small, at an arbitrary value",
    },
    "multiple/bradley_terry/bradley_terry_from_counts": {
        "some strengths are infinite": "glm stops when its steps are small, at an arbitrary value",
        "not log-linear": "glm has no model of Rao and Kupper",
    },
    "multiple/bradley_terry/bradley_terry_model": {
        "some strengths are infinite": "glm stops when its steps are small, at an arbitrary value",
        "not log-linear": "glm has no model of Rao and Kupper",
    },
    "reproducibility/variance_sources/variance_components": {
        "no variance is left": "R would divide by rounding errors"
    },
    "multiple/rm_anova/rm_anova_test": {"no variance is left": "R would divide by zero or by rounding errors"},
    "multiple/tukey/dunnett_test": {"no variance is left": "R would divide by zero or by rounding errors"},
    "multiple/tukey/tukey_test": {"no variance is left": "R would divide by zero or by rounding errors"},
    "paired/five_by_two/ftest_5x2cv": {"the differences have no variance": "R would divide by zero"},
    "paired/five_by_two/ttest_5x2cv": {"the differences have no variance": "R would divide by zero"},
    "paired/accuracy_noninferiority/equivalence_test": {
        "the limit does not reach the margin": "Newcombe's limit for a few instances is within the margin at any level",
    },
    "paired/accuracy_noninferiority/noninferiority_test": {
        "the limit does not reach the margin": "Newcombe's limit for a few instances is within the margin at any level",
    },
    "paired/learning_curves/learning_curve_test": {"the differences have no variance": "R would divide by zero"},
    "paired/noninferiority/equivalence_test": {
        "data are essentially constant": "t.test rejects differences that are all equal",
        "the differences have no variance": "R would divide by zero",
    },
    "paired/noninferiority/noninferiority_test": {
        "data are essentially constant": "t.test rejects differences that are all equal",
        "the differences have no variance": "R would divide by zero",
    },
    "paired/ttest/naive_resampled_ttest": {
        "data are essentially constant": "t.test rejects differences that are equal, or equal except for rounding "
        "errors",
    },
    "paired/proper_score/proper_score_test": {
        "missing value where TRUE/FALSE needed": "t.test has no test of infinite losses",
        "data are essentially constant": "t.test rejects differences that are all equal",
    },
    "paired/subgroups/subgroup_test": {"NA/NaN/Inf in 'x'": "lm has no weights for a subgroup without variance"},
    "pairwise/proper_score/pairwise_proper_score_test": {
        "missing value where TRUE/FALSE needed": "t.test has no test of infinite losses",
        "data are essentially constant": "t.test rejects differences that are all equal",
    },
    "paired/ten_by_ten/ttest_10x10": {"the differences have no variance": "R would divide by zero"},
    "pairwise/corrected_t/pairwise_corrected_ttest": {"the differences have no variance": "R would divide by zero"},
    "pairwise/paired_t/pairwise_paired_ttest": {
        "data are essentially constant": "t.test rejects differences that are equal, or equal except for rounding "
        "errors",
    },
    "reproducibility/run_summaries/long_run_mean": {
        "data are essentially constant": "t.test rejects values that are equal, or equal except for rounding errors",
    },
    "paired/ttest/corrected_ttest": {"the differences have no variance": "R would divide by zero"},
    "paired/ttest/paired_ttest": {
        "data are essentially constant": "t.test rejects differences that are equal, or equal except for rounding "
        "errors",
    },
}
"""Per function: a part of R's error message, and why R has no answer then. Any other error is a mismatch."""


def why_unanswered(name: str, error: Exception) -> str | None:
    """Return the documented reason for an error of R, or None if there is none."""
    return next((why for part, why in NO_ANSWER.get(name, {}).items() if part in str(error)), None)
