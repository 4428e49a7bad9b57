"""Plot the ROC curves of three classifiers with confidence bands."""

from evalstats import example_path, plot, read_predictions

task = "breast cancer: malignant"
cases = read_predictions(example_path("sklearn-predictions")).select([task], ["logistic", "naive Bayes", "tree"])
ax = plot.roc_curves(cases, dataset=task)
ax.figure.savefig("roc-curves.svg")
