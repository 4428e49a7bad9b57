"""Which test does this experiment call for, and what does that test take for granted?

The answer is a walk through `TREE`, which is data: the docs draw their flow chart from it.
"""

from __future__ import annotations

__all__ = [
    "TREE",
    "Alternative",
    "Answer",
    "ExperimentDesign",
    "Leaf",
    "Question",
    "Step",
    "WhichTestResult",
    "which_test",
]

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._findings import Finding
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, rounded
from evalstats._result import Record
from evalstats._types import FloatArray
from evalstats.distributions.tails import erfc_inverse
from evalstats.paired.sign import wins_and_losses
from evalstats.tables.aligned_cases import aligned_cases, times_predicted
from evalstats.tables.columns import simplified
from evalstats.tables.grid import listed, short
from evalstats.tables.predictions import Predictions
from evalstats.tables.reading import read_table, refuse_late
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats.tables.prediction_scores import PredictionScores


DATA = ("scores", "folds", "predictions", "probabilities")
# the question of the tree that a metric answers; every other metric is of another kind
MEASURES = {"accuracy": "accuracy", "error_rate": "accuracy", "roc_auc": "auc"}
USUAL_METRIC = {"predictions": "accuracy", "probabilities": "roc_auc"}

# names of rows such as 'fold 3', 'run 2', 'iris, fold 3' and 'iris rep 2 fold 3'
FOLD_NAME = re.compile(
    r"(?:[\s,;:/|_.-]*(?:fold|split|repeat|repetition|rep|run|seed|resample|bootstrap)[\s_#.:-]*\d+)+$", re.IGNORECASE
)

# so many datasets show even a small effect (0.2 standard deviations) with a power of 80%: (2.8 / 0.2)^2
HUGE_DATASETS = 196
# if one case in ten tells two classifiers apart, 0.6 percentage points of accuracy are significant here
HUGE_CASES = 10_000
# with fewer datasets the t-test needs normal differences (Demšar 2006, section 3.1.2)
FEW_DATASETS_FOR_T = 30
MANY_TIES = 0.2  # of the scores next to each other in rank
SHAPIRO_LIMIT = 5000  # beyond it scipy's p-value is not accurate, and tiny deviations are significant anyway
SKEWED = 1.0
# findings that speak against nothing
NOTES = ("rows-named-as-folds", "folds-are-not-datasets", "models-share-training-data", "huge-sample")


# --- what is known about the experiment -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class ExperimentDesign(Record):
    """What `which_test` knows about an experiment; its properties answer the questions of the tree.

    Attributes
    ----------
    data : {'scores', 'folds', 'predictions', 'probabilities'}
        What there is for each classifier: one score per dataset, the scores of folds, or the predicted labels or the
        scores of each case of a test set.
    n_classifiers, n_datasets : int
        How many are compared, and on how many datasets.
    n_folds, n_repeats : int
        Folds of one cross-validation, and how often it was repeated; 1 and 1 for one test set.
    n_cases : int or None
        Cases of the one test set, if known.
    metric : str
        What is compared; ``''`` if that does not matter.
    control : str or None
        The classifier that the others are compared with; None: all pairs.
    parametric : bool
        Whether the differences over datasets are taken for normal.
    by_folds : bool
        Whether a score is the mean over its folds, so that cases of different folds are not put together.
    """

    data: str
    n_classifiers: int
    n_datasets: int
    n_folds: int
    n_repeats: int
    n_cases: int | None
    metric: str
    control: str | None
    parametric: bool
    by_folds: bool = False

    @property
    def extent(self) -> str:
        """'one' or 'several' datasets."""
        return "one" if self.n_datasets == 1 else "several"

    @property
    def rivals(self) -> str:
        """'two' or 'several' classifiers."""
        return "two" if self.n_classifiers == 2 else "several"

    @property
    def material(self) -> str:
        """'score', 'folds' or 'cases' of one dataset; one fold alone is one score."""
        if self.data in ("predictions", "probabilities"):
            return "cases"
        return "folds" if self.data == "folds" and self.n_folds * self.n_repeats > 1 else "score"

    @property
    def testing(self) -> str:
        """'once' or 'repeatedly': whether the predictions of all cases can be put together.

        Scores of different folds come from different models and have no common scale for a ranking (Forman & Scholz
        2010), so that an area under the ROC curve is measured fold by fold. What is measured so is tested so.
        """
        return "once" if self.n_repeats == 1 and not self.by_folds else "repeatedly"

    @property
    def measure(self) -> str:
        """'accuracy', 'auc' or 'other'."""
        return MEASURES.get(_name_of(self.metric), "other")

    @property
    def comparison(self) -> str:
        """'pairs' or 'control'."""
        return "pairs" if self.control is None else "control"

    @property
    def distribution(self) -> str:
        """'normal' or 'any'."""
        return "normal" if self.parametric else "any"

    @property
    def resampling(self) -> str:
        """'5x2' or 'other'."""
        return "5x2" if (self.n_repeats, self.n_folds) == (5, 2) else "other"


# --- the tree ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Answer:
    """One way on from a question: the value of the property, in words, and the key of the next node."""

    value: str
    words: str
    then: str


@dataclass(frozen=True, eq=False)
class Question:
    """A node that asks for one property of `ExperimentDesign`."""

    key: str
    text: str
    reads: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, eq=False)
class Leaf:
    """A recommendation; `test` is None where no test can be made.

    `kind` is 'parametric', 'nonparametric' or '' (no test); `alternatives` are pairs of a function and when to take it.
    """

    key: str
    test: str | None
    posthoc: tuple[str, ...]
    kind: str
    reason: str
    assumptions: tuple[str, ...]
    alternatives: tuple[tuple[str, str], ...]


_TWO, _SEVERAL = "two", "three or more"
_CLASSIFIERS = "How many classifiers?"
_CONTROL = "Which of them are compared?"
_NORMAL = "May the differences between datasets be taken for normal?"

_INDEPENDENT_DATASETS = "The datasets are independent of each other and stand for those the conclusion is about."
_ONE_SCORE = "Each score is one number per dataset, such as the mean over its folds."
_SAME_FOLDS = "All classifiers were trained and tested on the same folds."
_THIS_DATASET = "The conclusion is about this one dataset and training sets of this size."
_OVERLAP = (
    "The correlation of two fold scores is n_test / (n_train + n_test): a rule of thumb, derived for random splits; "
    "k folds have n_train : n_test = k - 1 : 1."
)
_NORMAL_FOLDS = "The differences of the fold scores are roughly normal."
_SAME_CASES = "All classifiers predicted the same cases."
_INDEPENDENT_CASES = "The cases are independent: not several rows of one patient, document or user."
_THESE_MODELS = "The conclusion is about these trained models; how much another training set would change is not seen."
_SAME_SHAPE = "Differences on different datasets are on one scale."
_NORMAL_DIFFERENCES = "The differences are a sample of one normal distribution. Equal variances are not assumed."
_NORMAL_NOISE = "What the dataset and the classifier leave unexplained is normal."
_SPHERICITY = "The differences of all pairs have one variance (sphericity), which different learners rarely have."
_EARLY_CONTROL = "The control was chosen before the scores were seen."
_POOL = "Mean ranks depend on which other classifiers are in the table."
_BOTH_CLASSES = "There are enough cases of each class for a normal approximation."

TREE: tuple[Question | Leaf, ...] = (
    Question(
        key="start",
        text="How many datasets?",
        reads="extent",
        answers=(
            Answer("several", "several", "several-datasets"),
            Answer("one", "one", "one-dataset"),
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
        reason="Two classifiers on several datasets are compared by the signs and ranks of their differences, which "
        "need not be normal; one outlier cannot decide.",
        assumptions=(_INDEPENDENT_DATASETS, _ONE_SCORE, "The differences are symmetric about their median."),
        alternatives=(
            ("sign_test", "where differences cannot be ranked or are not symmetric: it counts wins and losses only"),
            ("permutation_test", "if the question is about the mean difference"),
            ("paired_ttest", "if the differences may be taken for normal"),
        ),
    ),
    Leaf(
        key="paired-t",
        test="paired_ttest",
        posthoc=(),
        kind="parametric",
        reason="The differences of two classifiers on several datasets are taken for a normal sample, of which the "
        "matched-pairs t-test asks whether its mean is 0.",
        assumptions=(_INDEPENDENT_DATASETS, _ONE_SCORE, _SAME_SHAPE, _NORMAL_DIFFERENCES),
        alternatives=(
            ("wilcoxon_test", "without the assumption of normality; it loses little power where that is true"),
            ("permutation_test", "for the mean difference without that assumption"),
        ),
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
        answers=(Answer("pairs", "all pairs", "nemenyi"), Answer("control", "all with a control", "bonferroni-dunn")),
    ),
    Question(
        key="normal-pairs",
        text=_CONTROL,
        reads="comparison",
        answers=(Answer("pairs", "all pairs", "tukey"), Answer("control", "all with a control", "dunnett")),
    ),
    Leaf(
        key="nemenyi",
        test="friedman_test",
        posthoc=("nemenyi_test",),
        kind="nonparametric",
        reason="Several classifiers are ranked on each of several datasets; the Friedman test asks whether they all "
        "perform alike. Only if it rejects, the Nemenyi test says which pairs differ.",
        assumptions=(
            _INDEPENDENT_DATASETS,
            _ONE_SCORE,
            _POOL,
        ),
        alternatives=(
            ("wilcoxon_test", "for each pair, with adjust_pairwise: it does not depend on the other classifiers"),
            ("adjust_pairwise", "on the p-values of all pairs, for more power than Nemenyi's single step"),
            ("rm_anova_test", "if the differences may be taken for normal with one variance"),
        ),
    ),
    Leaf(
        key="bonferroni-dunn",
        test="friedman_test",
        posthoc=("bonferroni_dunn_test",),
        kind="nonparametric",
        reason="Several classifiers are ranked on each of several datasets; the Friedman test asks whether they all "
        "perform alike. Only if it rejects, the Bonferroni-Dunn test says which differ from the control: fewer "
        "comparisons than all pairs, so that smaller differences are found.",
        assumptions=(
            _INDEPENDENT_DATASETS,
            _ONE_SCORE,
            _EARLY_CONTROL,
            _POOL,
        ),
        alternatives=(
            ("adjust_pvalues", "on the unadjusted p-values: Holm is never less powerful than Bonferroni"),
            ("wilcoxon_test", "for each classifier against the control, with adjust_pvalues"),
            ("nemenyi_test", "if the control was chosen after the scores were seen"),
        ),
    ),
    Leaf(
        key="tukey",
        test="rm_anova_test",
        posthoc=("tukey_test",),
        kind="parametric",
        reason="Scores are the sum of effects of the dataset, of the classifier, and of normal noise: an analysis of "
        "variance with repeated measures asks whether the classifiers have one mean; if it rejects, Tukey's test says "
        "which pairs differ.",
        assumptions=(
            _INDEPENDENT_DATASETS,
            _ONE_SCORE,
            _SAME_SHAPE,
            _NORMAL_NOISE,
            _SPHERICITY,
        ),
        alternatives=(("friedman_test", "without these assumptions; Demšar (2006) recommends it"),),
    ),
    Leaf(
        key="dunnett",
        test="rm_anova_test",
        posthoc=("dunnett_test",),
        kind="parametric",
        reason="Scores are the sum of effects of the dataset, of the classifier, and of normal noise: an analysis of "
        "variance with repeated measures asks whether the classifiers have one mean; if it rejects, Dunnett's test "
        "says which differ from the control.",
        assumptions=(
            _INDEPENDENT_DATASETS,
            _ONE_SCORE,
            _SAME_SHAPE,
            _NORMAL_NOISE,
            _SPHERICITY,
            _EARLY_CONTROL,
        ),
        alternatives=(
            ("friedman_test", "without these assumptions, with bonferroni_dunn_test for the control"),
            (
                "pairwise_paired_ttest",
                "with the control, adjusted: without sphericity, because each pair has its own variance",
            ),
            ("tukey_test", "if the control was chosen after the scores were seen"),
        ),
    ),
    # --- one dataset
    Question(
        key="one-dataset",
        text="What was measured of each classifier?",
        reads="material",
        answers=(
            Answer("score", "one score", "no-test"),
            Answer("folds", "scores of folds", "folds"),
            Answer("cases", "predictions of cases", "testing"),
        ),
    ),
    Leaf(
        key="no-test",
        test=None,
        posthoc=(),
        kind="",
        reason="One score of each classifier on one dataset has no spread that could be told from chance. Keep the "
        "predictions of the test set, or the scores of the folds.",
        assumptions=(),
        alternatives=(
            ("mcnemar_test", "once you have the predictions of the test set"),
            ("corrected_ttest", "once you have the scores of the folds"),
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
        reason="The folds of one dataset share training data, so that their scores vary too little. The matched t-test "
        "with the standard error of Nadeau & Bengio allows for that; the plain one calls noise significant.",
        assumptions=(_SAME_FOLDS, _OVERLAP, _NORMAL_FOLDS, _THIS_DATASET),
        alternatives=(
            ("ttest_10x10", "for ten repeats of ten folds: Bouckaert's calibrated degrees of freedom"),
            ("ftest_5x2cv", "if five repeats of two folds can be run instead"),
            ("mcnemar_test", "on the predictions of one test set, or of one cross-validation"),
        ),
    ),
    Leaf(
        key="five-by-two",
        test="ftest_5x2cv",
        posthoc=(),
        kind="parametric",
        reason="In five repeats of two folds the training sets of one repeat do not overlap, which keeps the type-I "
        "error near its level; Alpaydin's F uses all ten differences and does not depend on which fold comes first.",
        assumptions=(_SAME_FOLDS, "The two folds of a repeat are of equal size.", _NORMAL_FOLDS, _THIS_DATASET),
        alternatives=(
            ("ttest_5x2cv", "Dietterich's original, whose result depends on the order of the folds"),
            ("corrected_ttest", "with n_train = n_test"),
        ),
    ),
    Leaf(
        key="pairwise-corrected-t",
        test="pairwise_corrected_ttest",
        posthoc=(),
        kind="parametric",
        reason="Each pair, or each classifier against the control, is compared by the corrected t-test, because the "
        "folds share training data, and the p-values are adjusted by Holm's method for the number of comparisons.",
        assumptions=(_SAME_FOLDS, _OVERLAP, _NORMAL_FOLDS, _THIS_DATASET),
        alternatives=(
            ("ftest_5x2cv", "for each pair of five repeats of two folds, with adjust_pairwise"),
            ("cochran_q_test", "on the predictions of one test set"),
        ),
    ),
    Question(
        key="testing",
        text="How often was each case predicted?",
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
            Answer("accuracy", "accuracy: right or wrong", "accuracy"),
            Answer("auc", "area under the ROC curve", "auc"),
            Answer("other", "F or another metric", "other"),
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
        reason="Each case was answered right or wrong by both classifiers; only the cases that one answers right and "
        "the other wrong tell them apart.",
        assumptions=(_SAME_CASES, _INDEPENDENT_CASES, _THESE_MODELS),
        alternatives=(
            ("mcnemar_table", "if it matters which labels are confused, not only how many are right"),
            ("metric_permutation_test", "if accuracy is not what matters, as with rare classes"),
            ("corrected_ttest", "on the scores of folds, to see the influence of the training set"),
        ),
    ),
    Leaf(
        key="cochran",
        test="cochran_q_test",
        posthoc=("pairwise_mcnemar_test",),
        kind="nonparametric",
        reason="Several classifiers answered the same cases right or wrong; Cochran's Q asks whether they have one "
        "accuracy, and if it rejects, McNemar's tests of the pairs, adjusted, say which differ.",
        assumptions=(_SAME_CASES, _INDEPENDENT_CASES, _THESE_MODELS),
        alternatives=(
            ("metric_permutation_test", "for each pair, with adjust_pairwise, if accuracy is not what matters"),
            ("pairwise_corrected_ttest", "on the scores of folds, to see the influence of the training set"),
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
        reason="Two areas under ROC curves of the same cases are correlated; DeLong's test estimates their covariance "
        "from the ranks of the scores.",
        assumptions=(_SAME_CASES, _INDEPENDENT_CASES, _THESE_MODELS, _BOTH_CLASSES),
        alternatives=(
            ("delong_unpaired_test", "if the two were tested on different cases"),
            ("metric_permutation_test", "for few cases of a class, or another metric of the scores"),
        ),
    ),
    Leaf(
        key="pairwise-delong",
        test="pairwise_delong_test",
        posthoc=(),
        kind="nonparametric",
        reason="The areas under the ROC curves of the same cases are correlated; DeLong's test compares each pair, and "
        "the p-values are adjusted for the number of pairs.",
        assumptions=(_SAME_CASES, _INDEPENDENT_CASES, _THESE_MODELS, _BOTH_CLASSES),
        alternatives=(("metric_permutation_test", "for each pair, with adjust_pairwise, with few cases of a class"),),
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
        reason="F and most other metrics are no means over cases. If the classifiers were alike, exchanging their "
        "predictions of any case would change nothing: the test exchanges them at random.",
        assumptions=(_SAME_CASES, _INDEPENDENT_CASES, _THESE_MODELS),
        alternatives=(("mcnemar_test", "if accuracy is what matters"),),
    ),
    Leaf(
        key="metric-pairs",
        test="metric_permutation_test",
        posthoc=("adjust_pairwise",),
        kind="nonparametric",
        reason="F and most other metrics are no means over cases: each pair is compared by exchanging the two "
        "predictions of a case at random, and the p-values are adjusted for the number of pairs.",
        assumptions=(_SAME_CASES, _INDEPENDENT_CASES, _THESE_MODELS),
        alternatives=(("cochran_q_test", "if accuracy is what matters"),),
    ),
)
_NODES = {node.key: node for node in TREE}


# --- the answer -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Alternative(Record):
    """Another function, and when to take it."""

    test: str
    when: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Step(Record):
    """A question on the way to the recommended test, and its answer."""

    question: str
    answer: str


@dataclass(frozen=True, kw_only=True, eq=False)
class WhichTestResult(Record):
    """What `which_test` recommends; `evalstats.report` shows it.

    Attributes
    ----------
    test : str or None
        Name of the function in evalstats; None where no test can be made.
    posthoc : tuple of str
        Functions to call after it, if it rejects.
    reason : str
        Why this test.
    assumptions : tuple of str
        What it takes for granted.
    alternatives : tuple of Alternative
        Other functions (``test``), and when to take them (``when``).
    warnings : tuple of Finding
        What may be wrong with the experiment or the choice, and what is good to know about them.
    path : tuple of Step
        Each ``question`` that was asked, with its ``answer``.
    design : ExperimentDesign
        What was known about the experiment.
    """

    test: str | None
    posthoc: tuple[str, ...]
    reason: str
    assumptions: tuple[str, ...]
    alternatives: tuple[Alternative, ...]
    warnings: tuple[Finding, ...]
    path: tuple[Step, ...]
    design: ExperimentDesign

    def _rows(self) -> Sequence[Record]:
        return self.path


def which_test(
    source: Any = None,
    *,
    n_classifiers: int | None = None,
    n_datasets: int | None = None,
    n_folds: int | None = None,
    n_repeats: int | None = None,
    n_cases: int | None = None,
    data: str | None = None,
    metric: str | None = None,
    control: str | None = None,
    parametric: bool = False,
    alpha: float = 0.05,
    **reading: Any,
) -> WhichTestResult:
    """Say which test an experiment calls for, why, what the test takes for granted, and what speaks against it.

    Nothing is tested. The design is read from the data, or described by keywords before there are any.

    Parameters
    ----------
    source : ScoreTable, Predictions, CrossValidationScores, path, data frame or array, optional
        Scores or predictions, or anything else that `evalstats.read_table` takes. Without it, `n_classifiers` must be
        given.
    n_classifiers, n_datasets : int, optional
        How many classifiers are compared, on how many datasets (1 if not given).
    n_folds, n_repeats : int, optional
        Folds of each cross-validation, and how often it is repeated. They may be given beside the scores of
        `evalstats.cross_validation_scores`, which do not tell one from the other.
    n_cases : int, optional
        Cases of the test set.
    data : {'scores', 'folds', 'predictions', 'probabilities'}, optional
        What there is for each classifier on each dataset: one score, the scores of folds, the label of each case or the
        score or probability of each case. By default ``'folds'`` if `n_folds` or `n_repeats` is given, otherwise
        ``'scores'``.
    metric : str, optional
        What is compared, such as ``'accuracy'``, ``'roc_auc'`` or ``'f1'``. It decides where there are predictions; by
        default accuracy of labels and AUC of probabilities.
    control : str, optional
        Compare the other classifiers with this one instead of all pairs.
    parametric : bool, default: False
        Take the differences over datasets for normal.
    alpha : float, default: 0.05
        Level of significance that the test should be able to reach.
    **reading : optional
        Other arguments of `evalstats.read_table`, if the source has to be read: `delimiter`, `fold`, `layout` ...

    Returns
    -------
    WhichTestResult

    Raises
    ------
    ValueError
        If there are fewer than two classifiers, the keywords contradict the source or each other, or the source is not
        a table of scores or predictions.
    TypeError
        If an argument is not of its type.

    Notes
    -----
    The tree is that of the tutorial of Japkowicz, with what it leaves out: fold scores, AUC, other metrics, several
    classifiers on one dataset. Where the tutorial takes McNemar's test for the alternative to the t-test after repeated
    cross-validation (slide 43), this one does not: McNemar's test counts each case once (Dietterich 1998).

    References
    ----------
    Japkowicz, N. Machine Learning Evaluation: A Classification Perspective. Tutorial slides, last figure.

    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning
    Research 7, 1-30.

    Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised classification learning algorithms.
    Neural Computation 10, 1895-1923.

    Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.

    Examples
    --------
    >>> from evalstats.comparison.advice import which_test
    >>> advice = which_test(n_classifiers=5, n_datasets=12)
    >>> advice.test, advice.posthoc
    ('friedman_test', ('nemenyi_test',))
    >>> [(step.question, step.answer) for step in advice.path][:2]
    [('How many datasets?', 'several'), ('How many classifiers?', 'three or more')]

    Ten repeats of ten folds on one dataset are no sample of 100:

    >>> advice = which_test(n_classifiers=2, n_folds=10, n_repeats=10)
    >>> advice.test, [finding.code for finding in advice.warnings]
    ('corrected_ttest', ['folds-are-not-independent'])

    From a table, with what it cannot show:

    >>> advice = which_test([[0.90, 0.80], [0.70, 0.60], [0.80, 0.75]])
    >>> advice.test, [finding.code for finding in advice.warnings]
    ('wilcoxon_test', ['cannot-reach-alpha'])
    """
    parametric, alpha = _checks.boolean(parametric, "parametric"), _checks.proportion(alpha, "alpha")
    counts = {
        "n_classifiers": n_classifiers,
        "n_datasets": n_datasets,
        "n_folds": n_folds,
        "n_repeats": n_repeats,
        "n_cases": n_cases,
    }
    told = {name: _checks.count(value, name) for name, value in counts.items() if value is not None}
    if data is not None:
        _checks.choice(data, "data", DATA)
    if metric is not None and not isinstance(metric, str):
        raise InvalidTypeError(f"metric must be a name, not {short(metric)}")

    evidence = _described(told, data, metric, reading) if source is None else _read(source, told, data, metric, reading)
    design = replace(evidence.design, control=_known(control, evidence.classifiers), parametric=parametric)
    if design.n_classifiers < 2:
        raise InvalidValueError(f"n_classifiers must be at least 2, not {design.n_classifiers}")

    path, leaf = _walk(design)

    return WhichTestResult(
        test=leaf.test,
        posthoc=leaf.posthoc,
        reason=leaf.reason,
        assumptions=leaf.assumptions,
        alternatives=tuple(Alternative(test=name, when=when) for name, when in leaf.alternatives),
        warnings=tuple(_findings(replace(evidence, design=design), leaf, alpha)),
        path=path,
        design=design,
    )


def _walk(design: ExperimentDesign) -> tuple[tuple[Step, ...], Leaf]:
    node, path = TREE[0], []
    while isinstance(node, Question):
        value = getattr(design, node.reads)
        answer = next(answer for answer in node.answers if answer.value == value)
        path.append(Step(question=node.text, answer=answer.words))
        node = _NODES[answer.then]
    return tuple(path), node


# --- from the input to the design -------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class _Evidence:
    """The design, and what the data add to it."""

    design: ExperimentDesign
    classifiers: tuple[str, ...] | None = None
    scores: FloatArray | None = None  # of shape (n_datasets or n_fold_scores, n_classifiers)
    n_discordant: int | None = None  # cases that one of two classifiers answers right and the other wrong
    has_cases: bool = True  # the predictions of two classifiers can be paired
    has_rows_of_folds: bool = False  # the rows of a table of scores are named as folds
    n_missing: int = 0  # scores
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE


@runtime_checkable
class _ScoresOfFolds(Protocol):
    """What `evalstats.cross_validation_scores` returns."""

    dataset: str
    classifiers: tuple[str, ...]
    scores: FloatArray
    metric: str


def _described(told: dict[str, int], data: str | None, metric: str | None, reading: dict[str, Any]) -> _Evidence:
    """Understand an experiment that is described by keywords."""
    if reading:
        raise InvalidValueError(f"{min(reading)} is for reading a table, but there is none")
    if "n_classifiers" not in told:
        raise InvalidTypeError("which_test needs a table, or n_classifiers")
    data = data or ("folds" if told.keys() & {"n_folds", "n_repeats"} else "scores")
    if data == "folds" and not told.keys() & {"n_folds", "n_repeats"}:
        raise InvalidValueError("data 'folds' needs n_folds or n_repeats")
    if data == "scores" and (given := sorted(told.keys() & {"n_folds", "n_repeats"})):
        raise InvalidValueError(f"data must be 'folds' or 'predictions' or 'probabilities' with {given[0]}")
    counts = {"n_datasets": 1, "n_folds": 1, "n_repeats": 1, "n_cases": None, **told}
    return _Evidence(design=_design(data, metric or USUAL_METRIC.get(data, ""), counts))


def _read(
    source: Any, told: dict[str, int], data: str | None, metric: str | None, reading: dict[str, Any]
) -> _Evidence:
    """Understand an experiment from its data; what is told besides must agree with them."""
    if metric is None and data == "probabilities":
        metric = "roc_auc"
    if isinstance(source, Record) and isinstance(source, _ScoresOfFolds):
        refuse_late(reading)
        evidence = _from_folds(source.scores.T, source.classifiers, source.metric, told)
    elif isinstance(source, Predictions):
        refuse_late(reading)
        evidence = _from_predictions(source, data, metric)
    else:
        table = read_table(source, metric=metric, **reading)
        evidence = _from_table(table, told) if table._scored is None else _from_scored(table._scored, data)
        evidence = replace(evidence, tie_tolerance=_checks.tolerance(DEFAULT_TIE_TOLERANCE, table))
    found = evidence.design.to_dict()
    for name, value in (told | ({} if data is None else {"data": data})).items():
        if found[name] is not None and found[name] != value:
            raise InvalidValueError(f"{name} must be {found[name]!r} as in the data, not {short(value)}")
    n_cases = told.get("n_cases", evidence.design.n_cases)
    return replace(evidence, design=replace(evidence.design, n_cases=n_cases))


def _design(data: str, metric: str, counts: dict[str, Any], by_folds: bool | None = None) -> ExperimentDesign:
    if by_folds is None:
        by_folds = counts["n_folds"] > 1 and data in ("predictions", "probabilities") and _ranks_cases(metric)
    return ExperimentDesign(data=data, metric=metric, control=None, parametric=False, by_folds=by_folds, **counts)


def _ranks_cases(metric: str) -> bool:
    """Tell whether a metric is one of a ranking of cases."""
    from evalstats.metrics import METRICS  # all metrics, a quarter of the time of the import

    record = METRICS.get(_name_of(metric))
    return record is not None and record.needs == "scores"


def _name_of(metric: str) -> str:
    """Return the name under which a metric is known, whatever it is called: 'ROC AUC' and 'roc_auc_score' are one."""
    name = simplified(metric)
    if name in MEASURES:
        return name
    from evalstats.tables.prediction_scores import ALIASES

    return ALIASES.get(name, name)


def _from_folds(scores: FloatArray, classifiers: tuple[str, ...], metric: str, told: dict[str, int]) -> _Evidence:
    """Understand the scores of the folds of one dataset, of shape (n_scores, n_classifiers)."""
    n_folds, n_repeats = _runs(len(scores), told)
    counts = {"n_classifiers": scores.shape[1], "n_datasets": 1, "n_cases": None}
    design = _design("folds", metric, {**counts, "n_folds": n_folds, "n_repeats": n_repeats})
    return _Evidence(design=design, classifiers=classifiers, scores=scores)


def _runs(n: int, told: dict[str, int]) -> tuple[int, int]:
    """Return the numbers of folds and of repeats of n scores that do not tell them."""
    n_folds = told.get("n_folds", n // told.get("n_repeats", 1))
    n_repeats = told.get("n_repeats", n // n_folds)
    if n_folds * n_repeats != n:
        raise InvalidValueError(f"n_folds times n_repeats must be the {n} scores, not {n_folds} x {n_repeats}")
    return n_folds, n_repeats


def _from_table(table: ScoreTable, told: dict[str, int]) -> _Evidence:
    if (datasets := _datasets_of_rows(table.datasets)) is not None and not table.folds and not table.missing:
        return _from_rows_of_folds(table, datasets, told)
    if len(table.folds) == 1:
        (folds,) = table.folds
        n_repeats, n_folds, k = folds.scores.shape
        told = {"n_repeats": n_repeats, "n_folds": n_folds}
        return _from_folds(folds.scores.reshape(-1, k), table.classifiers, table.metric, told)
    n_repeats, n_folds = (max((one.scores.shape[axis] for one in table.folds), default=1) for axis in (0, 1))
    counts = {"n_classifiers": len(table.classifiers), "n_datasets": len(table.datasets), "n_cases": None}
    design = _design(
        "folds" if table.folds else "scores", table.metric, {**counts, "n_folds": n_folds, "n_repeats": n_repeats}
    )
    scores = None if table.missing else table.scores
    return _Evidence(design=design, classifiers=table.classifiers, scores=scores, n_missing=len(table.missing))


def _from_rows_of_folds(table: ScoreTable, datasets: list[str], told: dict[str, int]) -> _Evidence:
    """Understand a table whose rows are named as folds: of one dataset, or 'iris, fold 1' of several."""
    names = list(dict.fromkeys(datasets))
    if len(names) == 1:
        evidence = _from_folds(table.scores, table.classifiers, table.metric, told)
        return replace(evidence, has_rows_of_folds=True)
    scores = np.stack([table.scores[[name == own for own in datasets]].mean(axis=0) for name in names])
    n_folds, n_repeats = _runs(max(map(datasets.count, names)), told)
    counts = {"n_classifiers": len(table.classifiers), "n_datasets": len(names), "n_cases": None}
    design = _design("folds", table.metric, {**counts, "n_folds": n_folds, "n_repeats": n_repeats})
    return _Evidence(design=design, classifiers=table.classifiers, scores=scores, has_rows_of_folds=True)


def _datasets_of_rows(names: tuple[str, ...]) -> list[str] | None:
    """Return what stands before the fold in the names of rows, if all rows are named so and belong together."""
    found = [FOLD_NAME.search(name) for name in names]
    if len(names) < 2 or None in found:
        return None
    datasets = [name[: match.start()] for name, match in zip(names, found, strict=True) if match is not None]
    return datasets if len(set(datasets)) < len(datasets) else None


def _from_scored(scored: PredictionScores, data: str | None) -> _Evidence:
    """Understand predictions that were scored: what is a mean over the folds is tested by the folds."""
    predictions = scored._predictions
    by_folds = len(predictions.folds) > 1 and scored.aggregate == "mean"
    return _from_predictions(predictions, data, scored.metric, scored.scores, by_folds)


def _from_predictions(
    predictions: Predictions,
    data: str | None,
    metric: str | None,
    scores: FloatArray | None = None,
    by_folds: bool | None = None,
) -> _Evidence:
    has_labels, has_scores = predictions.y_pred is not None, predictions.y_score is not None
    if not (has_labels and has_scores) or data not in ("predictions", "probabilities"):
        data = "predictions" if has_labels else "probabilities"
    n_datasets, n_classifiers = len(predictions.datasets), len(predictions.classifiers)
    n_repeats = times_predicted(predictions)
    n_rows = int((predictions.classifier == 0).sum())
    counts = {
        "n_classifiers": n_classifiers,
        "n_datasets": n_datasets,
        "n_folds": len(predictions.folds),
        "n_repeats": n_repeats,
        "n_cases": n_rows // n_repeats if n_datasets == 1 else None,
    }
    design = _design(data, metric or USUAL_METRIC[data], counts, by_folds)
    if (design.measure == "auc" and not has_scores) or (design.measure == "accuracy" and not has_labels):
        held = "labels" if has_labels else "scores"
        raise InvalidValueError(f"metric {short(design.metric)} cannot be computed: the predictions hold {held} only")
    is_one_pair = n_datasets == n_repeats == 1 and n_classifiers == 2
    can_pair = is_one_pair and has_labels and predictions.case is not None
    return _Evidence(
        design=design,
        classifiers=predictions.classifiers,
        scores=scores if n_datasets > 1 else None,
        n_discordant=_discordant(predictions) if can_pair else None,
        has_cases=predictions.case is not None,
    )


def _discordant(predictions: Predictions) -> int:
    """Return how many cases one of two classifiers answers right and the other wrong."""
    first, second = aligned_cases(predictions).is_right
    return int(np.not_equal(first, second).sum())


def _known(control: Any, classifiers: tuple[str, ...] | None) -> str | None:
    if control is not None and not isinstance(control, str):
        raise InvalidTypeError(f"control must be the name of a classifier, not {short(control)}")
    if control is not None and classifiers is not None and control not in classifiers:
        raise InvalidValueError(f"control must be among {listed(classifiers)}, not {short(control)}")
    return control


# --- what speaks against it -------------------------------------------------------------------------------------------


def _findings(evidence: _Evidence, leaf: Leaf, alpha: float) -> Iterator[Finding]:
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
    }
    for code, sentence in found.items():
        if sentence:
            yield Finding(code=code, severity="note" if code in NOTES else "warning", sentence=sentence)


def _rows_named_as_folds(evidence: _Evidence) -> str:
    if not evidence.has_rows_of_folds:
        return ""
    datasets = _counted(evidence.design.n_datasets, "dataset")
    return f"The rows of the table are named as folds or repeats and taken for those of {datasets}, not for datasets."


def _folds_are_not_independent(design: ExperimentDesign) -> str:
    if design.n_datasets > 1 or design.material != "folds":
        return ""
    n = design.n_folds * design.n_repeats
    return (
        f"The {n} scores of each classifier come from one dataset, whose training sets overlap: paired_ttest, "
        f"wilcoxon_test or sign_test on them, as if they were {n} datasets, find differences that are not there."
    )


def _folds_are_not_datasets(design: ExperimentDesign) -> str:
    if design.n_datasets == 1 or design.n_folds * design.n_repeats == 1:
        return ""
    return (
        f"Make one score of the folds of each dataset: there are {design.n_datasets} independent scores of each "
        f"classifier, not {design.n_datasets * design.n_folds * design.n_repeats}."
    )


def _models_share_training_data(design: ExperimentDesign) -> str:
    if design.n_datasets > 1 or design.material != "cases" or design.n_repeats > 1 or design.n_folds == 1:
        return ""
    return (
        f"The predictions come from {design.n_folds} models of each classifier that share training data: the test "
        "speaks of these predictions and does not see how much another division into folds would change."
    )


def _mcnemar_not_for_repeats(design: ExperimentDesign) -> str:
    if design.n_datasets > 1 or design.material != "cases" or design.n_repeats == 1:
        return ""
    return (
        f"Each case was predicted {design.n_repeats} times, which McNemar's, Cochran's and DeLong's tests would count "
        "as so many independent cases: they need one prediction of each case. To advise McNemar's test after repeated "
        "cross-validation, as some tutorials do, is wrong."
    )


def _cases_not_named(evidence: _Evidence) -> str:
    if evidence.has_cases or evidence.design.n_datasets > 1 or evidence.design.testing == "repeatedly":
        return ""
    return "No column names the cases, so that the predictions of two classifiers cannot be paired; add one."


def _huge_sample(evidence: _Evidence, alpha: float) -> str:
    design = evidence.design
    z = math.sqrt(2) * erfc_inverse(math.log(alpha))
    if design.n_datasets > HUGE_DATASETS:
        least = f"a mean difference of {z / math.sqrt(design.n_datasets):.2g} standard deviations"
        return _significant_anyway(f"{design.n_datasets:,} datasets", least)
    if design.n_datasets == 1 and design.material == "cases" and (n := design.n_cases or 0) > HUGE_CASES:
        if evidence.n_discordant:
            points = 100 * z * math.sqrt(evidence.n_discordant) / n
            return _significant_anyway(f"{n:,} cases", f"a difference of {points:.2g} percentage points of accuracy")
        return _significant_anyway(f"{n:,} cases", "a very small difference")
    return ""


def _significant_anyway(many: str, least: str) -> str:
    return (
        f"With {many}, {least} is significant already: report the size of the difference with its interval, and say "
        "which size matters."
    )


def _not_normal(evidence: _Evidence, leaf: Leaf) -> str:
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
        f"The differences do not look normal ({against}), which {leaf.test} assumes; see the alternatives. (That two "
        "classifiers vary differently from dataset to dataset would be no objection.)"
    )


def _residuals(scores: FloatArray) -> FloatArray:
    """Return the differences of two classifiers; of more, what the effects of row and column leave over."""
    if scores.shape[1] == 2:
        differences = scores[:, 0] - scores[:, 1]
        return np.asarray(differences - differences.mean())
    centred = scores - scores.mean(axis=1, keepdims=True)
    return np.asarray(centred - centred.mean(axis=0)).ravel()


def _few_datasets_for_t(design: ExperimentDesign, leaf: Leaf) -> str:
    if design.n_datasets == 1 or leaf.kind != "parametric" or design.n_datasets >= FEW_DATASETS_FOR_T:
        return ""
    return (
        f"With {design.n_datasets} datasets the test depends on normality (from about {FEW_DATASETS_FOR_T} on it "
        "hardly does), and no test of normality has the power to see that it is missing."
    )


def _cannot_reach_alpha(evidence: _Evidence, leaf: Leaf, alpha: float) -> str:
    n, k = evidence.design.n_datasets, evidence.design.n_classifiers
    exponent, what = 0.0, ""  # of the smallest two-sided exact p-value, to the base 2
    if leaf.test == "wilcoxon_test" and evidence.scores is not None:
        wins, losses = wins_and_losses(evidence.scores[:, 0], evidence.scores[:, 1], evidence.tie_tolerance)
        n_different = int(wins + losses)
        exponent, what = 1 - n_different, f"differences on {_counted(n_different, 'dataset')}"
    elif leaf.test == "wilcoxon_test":
        exponent, what = 1 - n, _counted(n, "dataset")
    elif leaf.test == "friedman_test":
        exponent, what = (1 - n) * math.log2(math.factorial(k)), f"{_counted(n, 'dataset')} and {k} classifiers"
    elif leaf.test == "mcnemar_test" and (b := evidence.n_discordant) is not None:
        exponent, what = 1 - b, f"{_counted(b, 'case')} that only one classifier answers right"
    smallest = min(2.0**exponent, 1.0)
    if not what or smallest <= alpha:
        return ""
    return f"With {what} p cannot fall below {smallest:.3g}: no result can be significant at alpha = {alpha:g}."


def _many_ties(evidence: _Evidence) -> str:
    if evidence.scores is None or len(evidence.scores) < 2:
        return ""
    ordered = np.sort(rounded(evidence.scores, evidence.tie_tolerance), axis=1)
    share = float((ordered[:, 1:] == ordered[:, :-1]).mean())
    if share < MANY_TIES:
        return ""
    return (
        f"{share:.0%} of the scores next to each other in rank are tied, and ties speak for no classifier: keep more "
        "digits if the scores were rounded, and see what the test does with ties."
    )


def _missing_scores(evidence: _Evidence, leaf: Leaf) -> str:
    if not evidence.n_missing:
        return ""
    missing = f"{_counted(evidence.n_missing, 'score')} {'is' if evidence.n_missing == 1 else 'are'} missing"
    return (
        f"{missing}, which {leaf.test} does not allow: skillings_mack_test uses all others, and wilcoxon_test compares "
        "each pair on the datasets that both have; or leave out the datasets that lack one."
    )


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
