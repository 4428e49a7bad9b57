"""Decision tree that selects a test for an experiment, as data that the documentation draws as a flow chart."""

from __future__ import annotations

__all__ = ["NODES", "TREE", "Answer", "Leaf", "Other", "Question"]

from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Answer:
    """Answer to a question: the value of the property, the text of the answer, and the key of the next node."""

    value: str
    words: str
    then: str


@dataclass(frozen=True, eq=False)
class Question:
    """Node that reads one property of `ExperimentDesign`."""

    key: str
    text: str
    reads: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, eq=False)
class Other:
    """Another function, its condition, and the arguments of `compare` that select it."""

    test: str
    when: str
    choices: tuple[tuple[str, str | float], ...] = ()


@dataclass(frozen=True, eq=False)
class Leaf:
    """Recommendation; `test` is None if no test is possible.

    `kind` is 'parametric', 'nonparametric' or '' (no test). `posthoc_choice` is the argument of `compare` for these
    tests; None if they are its default tests, and '' if it does not run them.
    """

    key: str
    test: str | None
    posthoc: tuple[str, ...]
    kind: str
    reason: str
    assumptions: tuple[str, ...]
    alternatives: tuple[Other, ...]
    posthoc_choice: str | None = None


_TWO, _SEVERAL = "two", "three or more"
_CLASSIFIERS = "How many classifiers?"
_CONTROL = "Which of them are compared?"
_NORMAL = "Do you assume normal differences between datasets?"
_INDEPENDENT_DATASETS = "The datasets are independent and represent the population that the conclusion is about."
_ONE_SCORE = "Each score is one number per dataset, such as the mean over its folds."
_SAME_FOLDS = "All classifiers were trained and tested on the same folds."
_THIS_DATASET = "The conclusion is about this one dataset and training sets of this size."
_SAME_SPLIT = "Each run trained and tested on the same data, with another seed: no new split was drawn."
_NORMAL_RUNS = "The differences of the runs are roughly normal."
_THIS_SPLIT = "The conclusion is about repeated training on these data with other seeds, not about other data."
_OVERLAP = (
    "The correlation of two fold scores is n_test / (n_train + n_test), which is a rule of thumb for random splits. "
    "For k folds, n_train : n_test is k - 1 : 1."
)
_NORMAL_FOLDS = "The differences of the fold scores are roughly normal."
_SAME_CASES = "All classifiers predicted the same instances."
_INDEPENDENT_CASES = (
    "The instances are independent. If several rows belong to one patient, document or user, pass these clusters to "
    "the test (clusters=)."
)
_INDEPENDENT_CLUSTERS = "The clusters are independent of each other; instances of one cluster may be correlated."
_SAME_QUESTIONS = "All models answered the same questions; several answers to a question are averaged first."
_CLUSTERS = "Clusters of questions are independent of each other, and there are more than a few of them."
_THESE_BENCHMARKS = "The conclusion is about other questions of these benchmarks, not about other benchmarks."
_THESE_MODELS = (
    "The conclusion is about these trained models. The test does not show the effect of another training set."
)
_SAME_SHAPE = "Differences on different datasets are on the same scale."
_NORMAL_DIFFERENCES = "The differences are a sample of one normal distribution. Equal variances are not assumed."
_NORMAL_NOISE = "The residuals after the effects of the dataset and of the classifier are normal."
_SPHERICITY = (
    "The differences of all pairs have the same variance (sphericity), which is rare for different classifiers."
)
_EARLY_CONTROL = "The control was chosen before the scores were seen."
_SYMMETRIC = "The differences are symmetric about their median."
_UNRANKED = "if differences of different datasets cannot be ranked or are not symmetric: it counts wins only"
_IF_ALIKE = "it controls the family-wise error rate only if all classifiers perform equally"
_BOTH_CLASSES = "Each class has 30 or more instances. Otherwise, use df='welch' (the t distribution), as compare does."
_ROPE = (("rope", 0.01),)
_MAX_T = Other(
    "pairwise_max_t_test",
    "with few datasets or many classifiers: signed ranks with the joint distribution of all comparisons",
    (("posthoc", "max-t"),),
)
TREE: tuple[Question | Leaf, ...] = (
    Question(
        key="start",
        text="How many datasets?",
        reads="extent",
        answers=(
            Answer("several", "several", "several-datasets"),
            Answer("one", "one", "one-dataset"),
            Answer("questions", "benchmarks of questions", "questions"),
        ),
    ),
    # --- benchmarks of questions
    Question(
        key="questions",
        text=_CLASSIFIERS,
        reads="rivals",
        answers=(Answer("two", _TWO, "clustered-t"), Answer("several", _SEVERAL, "pairwise-clustered-t")),
    ),
    Leaf(
        key="clustered-t",
        test="clustered_ttest",
        posthoc=(),
        kind="parametric",
        reason="Two models answer the same questions, and questions about one passage, document or user are "
        "correlated. A t-test of the differences with a cluster-robust standard error accounts for the clusters.",
        assumptions=(_SAME_QUESTIONS, _CLUSTERS, _THESE_BENCHMARKS),
        alternatives=(
            Other("clustered_permutation_test", "with few clusters: it is exact if their signs are exchangeable"),
            Other("wilcoxon_test", "for a conclusion about other benchmarks, with six or more benchmarks"),
        ),
    ),
    Leaf(
        key="pairwise-clustered-t",
        test="pairwise_clustered_ttest",
        posthoc=(),
        kind="parametric",
        reason="Each pair of models, or each model and the control, is compared on the same questions by a t-test "
        "with a cluster-robust standard error. The p-values are adjusted by Holm's method.",
        assumptions=(_SAME_QUESTIONS, _CLUSTERS, _THESE_BENCHMARKS),
        alternatives=(
            Other("clustered_permutation_test", "for each pair, with few clusters"),
            Other("friedman_test", "for a conclusion about other benchmarks, with many benchmarks"),
        ),
    ),
    # --- several datasets
    Question(
        key="several-datasets",
        text=_CLASSIFIERS,
        reads="rivals",
        answers=(Answer("two", _TWO, "two-normal"), Answer("several", _SEVERAL, "several-normal")),
    ),
    Question(
        key="two-normal",
        text=_NORMAL,
        reads="distribution",
        answers=(Answer("any", "no", "wilcoxon"), Answer("normal", "yes", "paired-t")),
    ),
    Leaf(
        key="wilcoxon",
        test="wilcoxon_test",
        posthoc=(),
        kind="nonparametric",
        reason="Two classifiers on several datasets are compared by the signs and ranks of their differences. The "
        "differences need not be normal, and a single outlier has little effect.",
        assumptions=(_INDEPENDENT_DATASETS, _ONE_SCORE, _SYMMETRIC),
        alternatives=(
            Other("sign_test", "if differences cannot be ranked or are not symmetric: it counts wins and losses only"),
            Other("permutation_test", "if the question is about the mean difference"),
            Other("paired_ttest", "if the differences may be treated as normal"),
            Other(
                "bayes_signed_rank_test",
                "for the probabilities that one is better and that both are practically equivalent",
                _ROPE,
            ),
            Other("bayes_hierarchical_test", "for these probabilities, from the scores of the folds of each dataset"),
        ),
    ),
    Leaf(
        key="paired-t",
        test="paired_ttest",
        posthoc=(),
        kind="parametric",
        reason="The differences of two classifiers on several datasets are treated as a normal sample. The paired "
        "t-test tests whether their mean is 0.",
        assumptions=(_INDEPENDENT_DATASETS, _ONE_SCORE, _SAME_SHAPE, _NORMAL_DIFFERENCES),
        alternatives=(
            Other("wilcoxon_test", "without the assumption of normality; it loses little power if they are normal"),
            Other("permutation_test", "for the mean difference without this assumption"),
        ),
        posthoc_choice="",
    ),
    Question(
        key="several-normal",
        text=_NORMAL,
        reads="distribution",
        answers=(Answer("any", "no", "rank-pairs"), Answer("normal", "yes", "normal-pairs")),
    ),
    Question(
        key="rank-pairs",
        text=_CONTROL,
        reads="comparison",
        answers=(
            Answer("pairs", "all pairs", "wilcoxon-pairs"),
            Answer("control", "all with a control", "wilcoxon-control"),
        ),
    ),
    Question(
        key="normal-pairs",
        text=_CONTROL,
        reads="comparison",
        answers=(Answer("pairs", "all pairs", "tukey"), Answer("control", "all with a control", "dunnett")),
    ),
    Leaf(
        key="wilcoxon-pairs",
        test="friedman_test",
        posthoc=("pairwise_wilcoxon_test",),
        kind="nonparametric",
        reason="Each pair is tested by the Wilcoxon signed-rank test, and the p-values are adjusted for all pairs by "
        "Holm's method. The Friedman test of all classifiers is reported first, but the tests of the pairs do not "
        "require it.",
        assumptions=(_INDEPENDENT_DATASETS, _ONE_SCORE, _SAME_SHAPE, _SYMMETRIC),
        alternatives=(
            Other("pairwise_sign_test", _UNRANKED, (("posthoc", "sign"),)),
            _MAX_T,
            Other("nemenyi_test", f"for one critical difference of mean ranks; {_IF_ALIKE}", (("posthoc", "nemenyi"),)),
            Other(
                "rm_anova_test",
                "if the differences may be treated as normal with the same variance",
                (("posthoc", "tukey"),),
            ),
            Other("bayes_pairwise_signed_rank_test", "for the probability that one of each pair is better", _ROPE),
        ),
    ),
    Leaf(
        key="wilcoxon-control",
        test="friedman_test",
        posthoc=("pairwise_wilcoxon_test",),
        kind="nonparametric",
        reason="Each classifier is compared with the control by the Wilcoxon signed-rank test, and the p-values are "
        "adjusted by Holm's method. There are fewer comparisons than pairs, so smaller differences are detected. The "
        "Friedman test of all classifiers is reported first, but the comparisons do not require it.",
        assumptions=(_INDEPENDENT_DATASETS, _ONE_SCORE, _SAME_SHAPE, _SYMMETRIC, _EARLY_CONTROL),
        alternatives=(
            Other("steel_sign_test", _UNRANKED, (("posthoc", "steel"),)),
            _MAX_T,
            Other(
                "bonferroni_dunn_test",
                f"for one critical difference of mean ranks; {_IF_ALIKE}",
                (("posthoc", "bonferroni-dunn"),),
            ),
            Other("pairwise_wilcoxon_test", "for all pairs, if the control was chosen after the scores were seen"),
        ),
    ),
    Leaf(
        key="tukey",
        test="rm_anova_test",
        posthoc=("tukey_test",),
        kind="parametric",
        reason="Each score is the sum of an effect of the dataset, an effect of the classifier and normal noise. A "
        "repeated-measures analysis of variance tests whether all classifiers have the same mean. If it rejects, "
        "Tukey's test shows which pairs differ.",
        assumptions=(
            _INDEPENDENT_DATASETS,
            _ONE_SCORE,
            _SAME_SHAPE,
            _NORMAL_NOISE,
            _SPHERICITY,
        ),
        alternatives=(Other("friedman_test", "without these assumptions, with pairwise_wilcoxon_test for the pairs"),),
        posthoc_choice="tukey",
    ),
    Leaf(
        key="dunnett",
        test="rm_anova_test",
        posthoc=("dunnett_test",),
        kind="parametric",
        reason="Each score is the sum of an effect of the dataset, an effect of the classifier and normal noise. A "
        "repeated-measures analysis of variance tests whether all classifiers have the same mean. If it rejects, "
        "Dunnett's test shows which classifiers differ from the control.",
        assumptions=(
            _INDEPENDENT_DATASETS,
            _ONE_SCORE,
            _SAME_SHAPE,
            _NORMAL_NOISE,
            _SPHERICITY,
            _EARLY_CONTROL,
        ),
        alternatives=(
            Other("friedman_test", "without these assumptions, with pairwise_wilcoxon_test for the control"),
            Other("pairwise_paired_ttest", "with the control and adjusted p-values: it does not assume sphericity"),
            Other("tukey_test", "if the control was chosen after the scores were seen"),
        ),
        posthoc_choice="dunnett",
    ),
    # --- one dataset
    Question(
        key="one-dataset",
        text="What was measured of each classifier?",
        reads="material",
        answers=(
            Answer("score", "one score", "no-test"),
            Answer("folds", "scores of folds", "folds"),
            Answer("runs", "scores of runs with other seeds, on one training and test set", "runs"),
            Answer("cases", "predictions of instances", "testing"),
        ),
    ),
    Leaf(
        key="no-test",
        test=None,
        posthoc=(),
        kind="",
        reason="One score of each classifier on one dataset does not show random variation. Keep the predictions of "
        "the test set, or the scores of the folds.",
        assumptions=(),
        alternatives=(
            Other("mcnemar_test", "if you keep the predictions of the test set"),
            Other("corrected_ttest", "if you keep the scores of the folds"),
        ),
    ),
    Question(
        key="folds",
        text=_CLASSIFIERS,
        reads="rivals",
        answers=(Answer("two", _TWO, "resampling"), Answer("several", _SEVERAL, "pairwise-corrected-t")),
    ),
    Question(
        key="resampling",
        text="Five repeats of two folds?",
        reads="resampling",
        answers=(Answer("other", "no", "corrected-t"), Answer("5x2", "yes", "five-by-two")),
    ),
    Leaf(
        key="corrected-t",
        test="corrected_ttest",
        posthoc=(),
        kind="parametric",
        reason="The folds of one dataset share training data, so their scores vary too little. The paired t-test with "
        "the standard error of Nadeau and Bengio accounts for this. The usual paired t-test rejects true null "
        "hypotheses too often.",
        assumptions=(_SAME_FOLDS, _OVERLAP, _NORMAL_FOLDS, _THIS_DATASET),
        alternatives=(
            Other("ttest_10x10", "for ten repeats of ten folds: Bouckaert's calibrated degrees of freedom"),
            Other("ftest_5x2cv", "if you can run five repeats of two folds instead"),
            Other("mcnemar_test", "on the predictions of one test set, or of one cross-validation"),
            Other(
                "bayes_correlated_ttest",
                "for the probabilities that one is better and that both are practically equivalent",
                _ROPE,
            ),
        ),
    ),
    Leaf(
        key="five-by-two",
        test="ftest_5x2cv",
        posthoc=(),
        kind="parametric",
        reason="In five repeats of two folds, the training sets of one repeat do not overlap. The type-I error rate "
        "is therefore closer to its level than in a usual t-test. Alpaydin's F uses all ten differences and does not "
        "depend on the order of the folds.",
        assumptions=(_SAME_FOLDS, "The two folds of a repeat are of equal size.", _NORMAL_FOLDS, _THIS_DATASET),
        alternatives=(
            Other("ttest_5x2cv", "for the original test of Dietterich, whose result depends on the order of the folds"),
            Other("corrected_ttest", "with n_train = n_test"),
        ),
    ),
    Leaf(
        key="pairwise-corrected-t",
        test="pairwise_corrected_ttest",
        posthoc=(),
        kind="parametric",
        reason="Each pair, or each classifier and the control, is compared by the corrected t-test, because the folds "
        "share training data. The p-values are adjusted by Holm's method for the number of comparisons.",
        assumptions=(_SAME_FOLDS, _OVERLAP, _NORMAL_FOLDS, _THIS_DATASET),
        alternatives=(
            Other("ftest_5x2cv", "for each pair of five repeats of two folds, with adjust_pairwise"),
            Other("cochran_q_test", "on the predictions of one test set"),
        ),
    ),
    Leaf(
        key="runs",
        test="paired_ttest",
        posthoc=("pairwise_paired_ttest",),
        kind="parametric",
        reason="Runs with other seeds on one training and test set are independent of each other, so the paired "
        "t-test of their differences is valid. The p-values of several pairs are adjusted by Holm's method. The test "
        "shows which training procedure is better on these data.",
        assumptions=(_SAME_SPLIT, _NORMAL_RUNS, _THIS_SPLIT),
        alternatives=(
            Other("permutation_test", "without the assumption of normality; it needs six runs to reach p = 0.05"),
            Other("corrected_ttest", "if every run drew another split, with the sizes of its sets"),
            Other("mcnemar_test", "on the predictions of one run, for a conclusion about other instances"),
        ),
    ),
    Question(
        key="testing",
        text="How often was each instance predicted?",
        reads="testing",
        answers=(
            Answer("once", "once", "measure"),
            Answer("repeatedly", "in every repeat, or measured in folds: score the folds", "folds"),
        ),
    ),
    Question(
        key="measure",
        text="What is compared?",
        reads="measure",
        answers=(
            Answer("accuracy", "accuracy: correct or incorrect", "accuracy"),
            Answer("auc", "area under the ROC curve", "auc"),
            Answer("other", "F or another metric", "other"),
            Answer("clustered", "any metric, and the instances are in clusters", "clustered"),
        ),
    ),
    Question(
        key="accuracy",
        text=_CLASSIFIERS,
        reads="rivals",
        answers=(Answer("two", _TWO, "mcnemar"), Answer("several", _SEVERAL, "cochran")),
    ),
    Leaf(
        key="mcnemar",
        test="mcnemar_test",
        posthoc=(),
        kind="nonparametric",
        reason="Each prediction is correct or incorrect. Only the instances that exactly one classifier predicts "
        "correctly show a difference.",
        assumptions=(_SAME_CASES, _INDEPENDENT_CASES, _THESE_MODELS),
        alternatives=(
            Other("square_table_test", "if it matters which labels are confused, not only how many are correct"),
            Other("metric_permutation_test", "if accuracy is not the relevant metric, for example with rare classes"),
            Other(
                "bayes_accuracy_test",
                "for the probabilities that one is better and that both are practically equivalent",
                _ROPE,
            ),
            Other("corrected_ttest", "on the scores of folds, to see the influence of the training set"),
        ),
    ),
    Leaf(
        key="cochran",
        test="cochran_q_test",
        posthoc=("pairwise_mcnemar_test",),
        kind="nonparametric",
        reason="Several classifiers predicted the same instances. Cochran's Q tests whether they have the same "
        "accuracy. If it rejects, McNemar's tests of the pairs, with adjusted p-values, show which classifiers differ.",
        assumptions=(_SAME_CASES, _INDEPENDENT_CASES, _THESE_MODELS),
        alternatives=(
            Other(
                "metric_permutation_test", "for each pair, with adjust_pairwise, if accuracy is not the relevant metric"
            ),
            Other("bayes_accuracy_test", "for the probability that one of each pair is better", _ROPE),
            Other("pairwise_corrected_ttest", "on the scores of folds, to see the influence of the training set"),
        ),
    ),
    Question(
        key="auc",
        text=_CLASSIFIERS,
        reads="rivals",
        answers=(Answer("two", _TWO, "delong"), Answer("several", _SEVERAL, "pairwise-delong")),
    ),
    Leaf(
        key="delong",
        test="delong_test",
        posthoc=(),
        kind="nonparametric",
        reason="Two areas under ROC curves of the same instances are correlated. DeLong's test estimates their "
        "covariance from the ranks of the scores.",
        assumptions=(_SAME_CASES, _INDEPENDENT_CASES, _THESE_MODELS, _BOTH_CLASSES),
        alternatives=(
            Other("delong_unpaired_test", "if the two classifiers were tested on different instances"),
            Other("metric_permutation_test", "for another metric of the scores"),
        ),
    ),
    Leaf(
        key="pairwise-delong",
        test="pairwise_delong_test",
        posthoc=(),
        kind="nonparametric",
        reason="The areas under the ROC curves of the same instances are correlated. DeLong's test compares each "
        "pair, and the p-values are adjusted for the number of pairs.",
        assumptions=(_SAME_CASES, _INDEPENDENT_CASES, _THESE_MODELS, _BOTH_CLASSES),
        alternatives=(
            Other("metric_permutation_test", "for each pair, with adjust_pairwise, for another metric of the scores"),
        ),
    ),
    Question(
        key="other",
        text=_CLASSIFIERS,
        reads="rivals",
        answers=(Answer("two", _TWO, "metric"), Answer("several", _SEVERAL, "metric-pairs")),
    ),
    Leaf(
        key="metric",
        test="metric_permutation_test",
        posthoc=(),
        kind="nonparametric",
        reason="F and most other metrics are not means over instances. If the classifiers perform equally, their two "
        "predictions of an instance are exchangeable. The test exchanges them at random.",
        assumptions=(_SAME_CASES, _INDEPENDENT_CASES, _THESE_MODELS),
        alternatives=(Other("mcnemar_test", "if accuracy is the relevant metric"),),
    ),
    Leaf(
        key="metric-pairs",
        test="metric_permutation_test",
        posthoc=("adjust_pairwise",),
        kind="nonparametric",
        reason="F and most other metrics are not means over instances. Each pair is compared by random exchanges of "
        "the two predictions of an instance, and the p-values are adjusted for the number of pairs.",
        assumptions=(_SAME_CASES, _INDEPENDENT_CASES, _THESE_MODELS),
        alternatives=(Other("cochran_q_test", "if accuracy is the relevant metric"),),
    ),
    Leaf(
        key="clustered",
        test="metric_permutation_test",
        posthoc=("adjust_pairwise",),
        kind="nonparametric",
        reason="The instances of a cluster may be correlated, so the clusters are the sample. For each pair, the test "
        "exchanges the two predictions in whole clusters at random. The p-values of several pairs are adjusted.",
        assumptions=(_SAME_CASES, _INDEPENDENT_CLUSTERS, _THESE_MODELS),
        alternatives=(Other("clustered_delong_test", "for the areas under ROC curves, with many clusters"),),
    ),
)

NODES = {node.key: node for node in TREE}
