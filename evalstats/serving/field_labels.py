"""Labels of the fields of the web interface. The help text of a command follows the name of an option."""

from __future__ import annotations

__all__ = ["label_of"]

# by the names of the parameters, of all commands
LABELS = {
    "accuracy": "Accuracy of one of the two",
    "adjust": "Adjustment of the p-values of pairs",
    "aggregate": "How folds of predictions are put together",
    "alternative": "Alternative",
    "average": "Mean over several benchmarks: each the same (macro), or each question (micro)",
    "instances": "Instances of the test set",
    "classifier": "Column of the classifiers",
    "cluster": "Column of what hangs together: a passage, a user",
    "comparisons": "P-values that are adjusted together",
    "control": "Compare all others with this classifier only",
    "data": "What there is of each classifier",
    "dataset": "Column of the datasets",
    "decimal": "Decimal mark",
    "delimiter": "Sign between the fields of a text, or tab or space",
    "difference": "How much better the other of the two is",
    "discordance": "How often only one of the two is right",
    "correlation": "Correlation of both being right",
    "drop": "Rows or columns to leave out",
    "effect": "Sizes of the difference",
    "encoding": "Encoding of a text file",
    "fold": "Column of the folds",
    "folds": "Folds of each cross-validation",
    "format_in": "Format of the file",
    "higher_is_better": "Higher scores are better",
    "item": "Column of the questions",
    "keep": "Rows or columns to keep, although they are called like a summary",
    "layout": "Layout of the table",
    "lower_is_better": "Lower scores are better: errors, losses",
    "margin": "How much worse still counts as not worse: 0.01 for a percentage point",
    "method": "Null distribution",
    "metric": "What was measured, such as accuracy; several: accuracy,f1",
    "missing": "What happens to missing scores",
    "omnibus": "Test of all classifiers together",
    "pos_label": "The positive label",
    "posthoc": "Test of the pairs",
    "repeat": "Column of the repeats",
    "repeats": "Repeats of each cross-validation",
    "rope": "How close counts as equal: gives probabilities of better, equal, worse",
    "row": "Column of the cases",
    "rows_are": "What the rows are",
    "same_order": "The rows of all classifiers stand in the same order",
    "score": "Column of the scores",
    "seed": "Seed of what is simulated",
    "sheet": "Sheet of a workbook",
    "stratum": "Column of the benchmarks",
    "test_size": "Test cases of a random split",
    "tie_rate": "How often the two are equal",
    "train": "Training cases of a random split",
    "transpose": "Rows are classifiers",
    "undefined": "What a score of 0/0 counts as",
    "y_pred": "Column of the predicted labels",
    "y_score": "Column of the scores of the positive label",
    "y_true": "Column of the true labels",
}
# where one name means something else
OF_COMMANDS = {
    ("audit", "best"): "Said to have the best mean rank",
    ("audit", "control"): "The classifier that all others are compared with",
    ("audit", "datasets"): "Number of datasets; not needed where the scores are pasted too",
    ("audit", "different"): "Pairs that are said to differ",
    ("audit", "not_different"): "Pairs that are said not to differ",
    ("audit", "rejects"): "The Friedman test is said to reject",
    ("audit", "test"): "Test of the pairs, as published",
    ("plan", "classifiers"): "Number of classifiers; of a test of two, all pairs are compared",
    ("plan", "datasets"): "Number of datasets",
    ("which-test", "classifiers"): "Number of classifiers",
    ("which-test", "datasets"): "Number of datasets; 1 if not given",
    ("which-test", "metric"): "What is compared: accuracy, roc_auc, f1 ...",
}


def label_of(command: str, name: str, words: str) -> str:
    """Return the label of a field; `words`, the help of the option, where they can stand alone."""
    label = OF_COMMANDS.get((command, name)) or LABELS.get(name)
    return label or (words if words.endswith("...") else words.removesuffix("."))
