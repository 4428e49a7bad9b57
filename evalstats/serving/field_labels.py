"""Labels of the fields of the web interface. The help text of a command follows the name of an option."""

from __future__ import annotations

__all__ = ["label_of"]

# by the names of the parameters, of all commands
LABELS = {
    "accuracy": "Accuracy of one classifier",
    "adjust": "Multiple-testing adjustment",
    "aggregate": "Aggregation over the folds of predictions",
    "adjust_for": "Columns for which answers of two models are adjusted; for battles position, style, length",
    "alternative": "Alternative hypothesis",
    "average": "Average over benchmarks: equal weight for benchmarks (macro) or for questions (micro)",
    "instances": "Number of test instances",
    "classifier": "Column of the classifier names",
    "cluster": "Column of the clusters of questions, such as passages",
    "comparisons": "Number of p-values to adjust",
    "control": "Compare all classifiers with this control only",
    "data": "Type of data",
    "dataset": "Column of the dataset names",
    "decimal": "Decimal separator",
    "delimiter": "Field delimiter: a character, tab or space",
    "difference": "Difference in accuracy",
    "discordance": "Probability that exactly one classifier is correct",
    "correlation": "Correlation of correctness",
    "drop": "Rows or columns to exclude",
    "effect": "Effect sizes",
    "encoding": "Text encoding",
    "fold": "Column of the folds",
    "folds": "Number of folds of each cross-validation",
    "format_in": "File format",
    "higher_is_better": "Higher scores are better",
    "question": "Column of the question identifiers",
    "keep": "Rows or columns to include despite their names",
    "layout": "Table layout",
    "lower_is_better": "Lower scores are better, as for errors and losses",
    "margin": "Noninferiority margin; 0.01 is one percentage point",
    "method": "Null distribution",
    "metric": "Metric that was measured or is computed, such as accuracy,f1",
    "missing": "Treatment of missing scores",
    "omnibus": "Omnibus test",
    "pos_label": "Label of the positive class",
    "posthoc": "Post-hoc test",
    "questions": "Number of questions",
    "cluster_size": "Mean number of questions in a cluster",
    "intraclass_correlation": "Correlation of two differences in a cluster",
    "repeat": "Column of the cross-validation repeats",
    "repeats": "Number of repeats of each cross-validation",
    "rope": "Half-width of the region of practical equivalence; adds posterior probabilities",
    "instance": "Column of the instance identifiers",
    "rows_are": "What the rows are",
    "same_order": "The rows of all classifiers have the same order",
    "score": "Column of the scores",
    "seed": "Random seed of the simulations",
    "sheet": "Name of the worksheet",
    "stratum": "Column of the benchmarks",
    "test_size": "Number of test instances of a random split",
    "tie_rate": "Probability of a tie",
    "train": "Number of training instances of a random split",
    "transpose": "Rows are classifiers",
    "undefined": "Handling of scores that are 0/0",
    "y_pred": "Column of the predicted labels",
    "y_score": "Column of the scores of the positive class",
    "y_true": "Column of the true labels",
}
# where one name means something else
OF_COMMANDS = {
    ("audit", "best"): "Classifier with the claimed best mean rank",
    ("audit", "control"): "Control of the published comparison",
    ("audit", "datasets"): "Number of datasets; not necessary if the scores are pasted too",
    ("audit", "different"): "Pairs that are claimed to differ",
    ("audit", "not_different"): "Pairs that are claimed not to differ",
    ("audit", "rejects"): "The publication claims a rejection by the Friedman test",
    ("audit", "test"): "Published post-hoc test",
    ("judge", "epsilon"): "Largest disadvantage of the judge",
    ("judge", "method"): "Test of each annotator",
    ("judge", "similarity"): "Similarity of two annotations: agreement or rmse",
    ("plan", "auc"): "AUC of the baseline",
    ("plan", "battles"): "Number of battles of each pair of models",
    ("plan", "classifiers"): "Number of classifiers; tests of two compare all pairs",
    ("plan", "datasets"): "Number of datasets",
    ("plan", "prevalence"): "Proportion of positive instances",
    ("plan", "sd_within"): "Standard deviation of the difference of two answers to a question",
    ("which-test", "classifiers"): "Number of classifiers",
    ("which-test", "datasets"): "Number of datasets; the default is 1",
    ("which-test", "metric"): "What is compared: accuracy, roc_auc, f1 ...",
}


def label_of(command: str, name: str, words: str) -> str:
    """Return the label of a field; by default `words`, the help of the option, if they are complete."""
    label = OF_COMMANDS.get((command, name)) or LABELS.get(name)
    return label or (words if words.endswith("...") else words.removesuffix("."))
