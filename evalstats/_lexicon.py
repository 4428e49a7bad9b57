"""Which words do people use for columns, and for right and wrong?"""

from __future__ import annotations

__all__ = [
    "CLASSIFIER_COLUMNS",
    "CLUSTER_COLUMNS",
    "DATASET_COLUMNS",
    "GENERIC_SCORE_COLUMNS",
    "ITEM_COLUMNS",
    "ITEM_SCORE_COLUMNS",
    "ITEM_TEXT_COLUMNS",
    "METRIC_COLUMNS",
    "MISSING_WORDS",
    "NUMBER_COLUMNS",
    "PREDICTION_COLUMNS",
    "QUESTION_COLUMNS",
    "RIGHT_COLUMNS",
    "RIGHT_WORDS",
    "SAMPLE_COLUMNS",
    "SCORE_COLUMNS",
    "SIZE_COLUMNS",
    "STRATUM_COLUMNS",
    "TRUE_AT_LAST",
    "TRUTHS",
    "UNNAMED",
    "is_called",
    "plain_name",
    "simplified",
]

import re
from collections.abc import Sequence
from functools import lru_cache

# Columns that are understood without being named; case does not matter, spaces and hyphens are underscores.
DATASET_COLUMNS = ("dataset", "data", "data_set", "dataset_name", "dataset_id", "problem", "task", "task_id", "domain")
CLASSIFIER_COLUMNS = ("classifier", "model", "algorithm", "method", "learner", "estimator")
METRIC_COLUMNS = ("metric", "measure")
# what is called so is answered; what is called like cases may number rows of anything
QUESTION_COLUMNS = (
    *("question_id", "question", "item_id", "item", "qid", "prompt_id", "example_id", "doc_id", "instance_id"),
)
# what may number anything, and names cases only where it tells them apart
NUMBER_COLUMNS = ("id", "uid")
# of answers and predictions, the surest first: beside an item, a row may be only counted, a sample one of its answers
ITEM_COLUMNS = (
    *QUESTION_COLUMNS,
    *("instance", "case_id", "case", "document_id", "row_id", "row", "sample_id", "sample", *NUMBER_COLUMNS),
)
# of several answers to each item
SAMPLE_COLUMNS = (
    *("sample", "sample_id", "sample_index", "epoch", "repeat", "repetition", "replicate", "run", "seed"),
    *("attempt", "trial", "generation", "completion_id"),
)
# of right and wrong answers, and how these are written
RIGHT_COLUMNS = ("correct", "is_correct", "right", "is_right", "passed")
RIGHT_WORDS = {
    **dict.fromkeys(("1", "1.0", "1,0", "true"), True),
    **dict.fromkeys(("0", "0.0", "0,0", "false"), False),
}
# labels that are numbers in words
TRUTHS = {"true": 1.0, "false": 0.0}
# what there is one of where no column names it
UNNAMED = {"dataset": "dataset", "classifier": "classifier"}
MISSING_WORDS = frozenset(
    ("", "na", "n/a", "#n/a", "nan", "-", "?", "null", "none", "missing", "<na>", "n.a.", "--", "---", "–", "—")
)
_NO_LETTER = re.compile(r"[\W_]+")
PREDICTION_COLUMNS = {
    "repeat": ("repeat", "repetition", "rep", "run", "replicate", "iteration", "trial"),
    "fold": ("fold", "fold_id", "cv_fold", "split"),
    "row": tuple(name for name in ITEM_COLUMNS if name not in NUMBER_COLUMNS),
    "y_true": (
        *("y_true", "true", "truth", "ground_truth", "groundtruth", "true_label", "true_labels", "true_class"),
        *("label_true", "labels_true", "actual", "actual_label", "actual_class", "gold", "gold_label", "target"),
    ),
    "y_pred": (
        *("y_pred", "pred", "predicted", "prediction", "predicted_label", "predicted_class", "y_hat", "yhat"),
        *("pred_label", "pred_class", "label_pred", "predicted_y", "predictions"),
    ),
    "y_score": ("y_score", "y_prob", "y_proba", "probability", "proba", "prob", "decision_function", "confidence"),
}
# true labels where no column is called more clearly, beside predictions
TRUE_AT_LAST = ("label", "labels", "class", "y", "expected", "reference")
SIZE_COLUMNS = {
    "n_train": ("n_train", "train_size", "n_training"),
    "n_test": ("n_test", "test_size", "n_testing"),
}
STRATUM_COLUMNS = ("benchmark", "benchmark_name", "benchmark_id", "suite", "subset", *DATASET_COLUMNS)
# texts that belong to their benchmark, unlike users: where their numbers begin anew in each, they are other ones
ITEM_TEXT_COLUMNS = (
    *("passage", "passage_id", "document", "document_id", "context", "context_id", "paragraph", "paragraph_id"),
    *("article", "article_id", "story", "story_id"),
)
CLUSTER_COLUMNS = (
    *("cluster", "cluster_id", *ITEM_TEXT_COLUMNS, "user", "user_id", "conversation", "conversation_id"),
    *("group", "group_id"),
)
ITEM_SCORE_COLUMNS = ("score", "value", "accuracy", "acc", "exact_match", "f1", "f1_score", "reward", "rating")
GENERIC_SCORE_COLUMNS = ("score", "value", "result")
SCORE_COLUMNS = (
    *GENERIC_SCORE_COLUMNS,
    *("accuracy", "acc", "balanced_accuracy", "auc", "auroc", "roc_auc", "f1", "f1_score", "f_measure"),
    *("precision", "recall", "kappa", "mcc"),
    *("error", "error_rate", "loss", "log_loss", "logloss", "brier", "brier_score", "mae", "mse", "rmse"),
    *("root_mean_squared_error", "expected_calibration_error", "false_positive_rate"),
    *("false_positive_rate_macro", "false_positive_rate_micro", "false_positive_rate_weighted"),
)


def is_called(name: str, known: Sequence[str]) -> bool:
    """Return whether a name is one of those known, however it is written."""
    return simplified(name) in known


@lru_cache(maxsize=10_000)
def simplified(name: str) -> str:
    """Return a name without its case, spaces and hyphens."""
    return name.casefold().replace(" ", "_").replace("-", "_")


def plain_name(name: str) -> str:
    """Return the letters and digits of a name, without case: `Data Set`, `data_set` and `DataSet` are one."""
    return _NO_LETTER.sub("", name.casefold())
