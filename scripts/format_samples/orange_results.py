"""What Orange's Test & Score gives as Predictions: python scripts/format_samples/orange_results.py DIRECTORY."""

import sys
from pathlib import Path

import Orange
from Orange.classification import MajorityLearner, NaiveBayesLearner, TreeLearner
from Orange.evaluation import CrossValidation

directory = Path(sys.argv[1])
data = Orange.data.Table("iris")[::3]
learners = [NaiveBayesLearner(), TreeLearner(), MajorityLearner()]
results = CrossValidation(k=5, random_state=1, store_data=True)(data, learners)
table = results.get_augmented_data(["Naive Bayes", "Tree", "Constant"])
table.save(str(directory / "predictions.tab"))
table.save(str(directory / "predictions.csv"))
(directory / "VERSION").write_text(f"Orange3 {Orange.__version__}, scripts/format_samples/orange_results.py\n")
