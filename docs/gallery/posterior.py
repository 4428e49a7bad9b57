"""Plot the posterior distribution of a mean difference over folds."""

from evalstats import bayes_correlated_ttest, plot

svm, bayes = [0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83]
result = bayes_correlated_ttest(svm, bayes, rope=0.01, n_train=80, n_test=20)
ax = plot.posterior(result, names=("SVM", "naive Bayes"))
ax.figure.savefig("posterior.svg")
