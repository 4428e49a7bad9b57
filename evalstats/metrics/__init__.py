"""How good is one classifier? Predictions become counts, counts become scores."""

from evalstats.metrics.counts import confusion_counts
from evalstats.metrics.curves import (
    PrecisionRecallCurve,
    RocCurve,
    precision_recall_curve,
    roc_curve,
)
from evalstats.metrics.delong import (
    AucEstimate,
    DelongCovariance,
    auc_estimate,
    delong_covariance,
)
from evalstats.metrics.empty_folds import empty_fold_probability
from evalstats.metrics.fold_checks import FoldCheck, check_folds
from evalstats.metrics.folds import (
    FOLD_PRESETS,
    F1FoldReport,
    F1Strategies,
    FoldPreset,
    accuracy_over_folds,
    f1_over_folds,
    f1_report_over_folds,
)
from evalstats.metrics.forman_scholz import (
    FoldBias,
    expected_bias,
    forman_scholz_simulation,
)
from evalstats.metrics.formulas import LABEL_METRICS
from evalstats.metrics.intervals import (
    BootstrapInterval,
    accuracy_interval,
    bootstrap_auc_interval,
    bootstrap_auc_scores,
    bootstrap_interval,
    bootstrap_scores,
    proportion_interval,
)
from evalstats.metrics.labels import (
    accuracy_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    count_undefined,
    error_rate,
    f1_score,
    false_positive_rate,
    fbeta_score,
    geometric_mean_score,
    informedness_score,
    jaccard_score,
    matthews_corrcoef,
    precision_score,
    recall_score,
    score_from_counts,
    specificity_score,
)
from evalstats.metrics.probabilities import (
    PROBABILITY_METRICS,
    CalibrationCurve,
    brier_score_loss,
    calibration_curve,
    expected_calibration_error,
    information_score,
    log_loss,
    relative_information_score,
    root_mean_squared_error,
)
from evalstats.metrics.ranking import (
    RANKING_METRICS,
    average_precision_score,
    precision_at_n,
    roc_auc_score,
)
from evalstats.metrics.ranking_folds import (
    AucFoldReport,
    auc_over_folds,
    auc_report_over_folds,
    average_precision_over_folds,
    precision_at_n_over_folds,
)
from evalstats.metrics.registry import Metric

__all__ = [
    "FOLD_PRESETS",
    "METRICS",
    "AucEstimate",
    "AucFoldReport",
    "BootstrapInterval",
    "CalibrationCurve",
    "DelongCovariance",
    "F1FoldReport",
    "F1Strategies",
    "FoldBias",
    "FoldCheck",
    "FoldPreset",
    "Metric",
    "PrecisionRecallCurve",
    "RocCurve",
    "accuracy_interval",
    "accuracy_over_folds",
    "accuracy_score",
    "auc_estimate",
    "auc_over_folds",
    "auc_report_over_folds",
    "average_precision_over_folds",
    "average_precision_score",
    "balanced_accuracy_score",
    "bootstrap_auc_interval",
    "bootstrap_auc_scores",
    "bootstrap_interval",
    "bootstrap_scores",
    "brier_score_loss",
    "calibration_curve",
    "check_folds",
    "cohen_kappa_score",
    "confusion_counts",
    "count_undefined",
    "delong_covariance",
    "empty_fold_probability",
    "error_rate",
    "expected_bias",
    "expected_calibration_error",
    "f1_over_folds",
    "f1_report_over_folds",
    "f1_score",
    "false_positive_rate",
    "fbeta_score",
    "forman_scholz_simulation",
    "geometric_mean_score",
    "information_score",
    "informedness_score",
    "jaccard_score",
    "log_loss",
    "matthews_corrcoef",
    "precision_at_n",
    "precision_at_n_over_folds",
    "precision_recall_curve",
    "precision_score",
    "proportion_interval",
    "recall_score",
    "relative_information_score",
    "roc_auc_score",
    "roc_curve",
    "root_mean_squared_error",
    "score_from_counts",
    "specificity_score",
]

METRICS: dict[str, Metric] = {**LABEL_METRICS, **RANKING_METRICS, **PROBABILITY_METRICS}
