"""Recommendation of a test for an experiment, from the decision tree, with findings on the experiment."""

from __future__ import annotations

__all__ = ["ALONE", "Alternative", "Step", "WhichTestResult", "which_test"]

import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, listed
from evalstats._findings import Finding
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, rounded
from evalstats._result import Record
from evalstats._types import FloatArray
from evalstats.comparison.advice.decision_tree import NODES, TREE, ExperimentDesign, Leaf, Other, Question
from evalstats.comparison.advice.evidence import DATA, Evidence, evidence_described, evidence_read
from evalstats.comparison.validity import hopeless_words
from evalstats.distributions.tail_probabilities import erfc_inverse
from evalstats.io.reader.tables import reading_of
from evalstats.paired.sign import wins_and_losses
from evalstats.tables.errors import short

# with this number of datasets, even a small effect (0.2 standard deviations) has a power of 80%: (2.8 / 0.2)^2
HUGE_DATASETS = 196
# if two classifiers differ on 10% of the instances, 0.6 percentage points of accuracy are significant here
HUGE_CASES = 10_000
# with fewer datasets, the t-test needs normal differences (Demšar 2006, section 3.1.2)
FEW_DATASETS_FOR_T = 30
# fewer datasets give little information on other datasets (see the notes of compare)
VERY_FEW_DATASETS = 6
# for up to this number of datasets, the predictions may be answers to benchmarks, with the instances as the sample
FEW_BENCHMARKS = 10
MANY_TIES = 0.2  # proportion of ties among the scores next to each other in rank
# for larger samples, the p-value of SciPy is inaccurate, and small deviations are always significant
SHAPIRO_LIMIT = 5000
SKEWED = 1.0
# findings that are not problems
NOTES = (
    "rows-named-as-folds",
    "folds-are-not-datasets",
    "models-share-training-data",
    "huge-sample",
    "cases-of-few-datasets",
)


def _findings_on_advice(evidence: Evidence, leaf: Leaf, alpha: float) -> Iterator[Finding]:
    """Yield the problems of an experiment and of the recommended test, and useful facts about them."""
    if evidence.design.extent == "questions":  # findings on samples of datasets, folds and instances
        return
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
        "very-few-datasets": _very_few_datasets(evidence.design),
        "cases-of-few-datasets": _cases_of_few_datasets(evidence.design),
    }
    for code, sentence in found.items():
        if sentence:
            yield Finding(code=code, severity="note" if code in NOTES else "warning", sentence=sentence)


def _rows_named_as_folds(evidence: Evidence) -> str:
    if not evidence.has_rows_of_folds:
        return ""
    datasets = _counted(evidence.design.n_datasets, "dataset")
    return (
        f"The rows of the table have names of folds or repeats. They are treated as folds or repeats of {datasets}, "
        f"not as datasets."
    )


def _folds_are_not_independent(design: ExperimentDesign) -> str:
    if design.n_datasets > 1 or design.material != "folds":
        return ""
    n = design.n_folds * design.n_repeats
    return (
        f"The {n} scores of each classifier come from overlapping training sets of one dataset. Do not apply "
        f"paired_ttest, wilcoxon_test or sign_test to them as if they were {n} datasets. The type-I error rates of "
        "these tests would be too high."
    )


def _folds_are_not_datasets(design: ExperimentDesign) -> str:
    if design.n_datasets == 1 or design.n_folds * design.n_repeats == 1:
        return ""
    return (
        f"Combine the folds of each dataset into one score: there are {design.n_datasets} independent scores of each "
        f"classifier, not {design.n_datasets * design.n_folds * design.n_repeats}."
    )


def _models_share_training_data(design: ExperimentDesign) -> str:
    if design.n_datasets > 1 or design.material != "cases" or design.n_repeats > 1 or design.n_folds == 1:
        return ""
    return (
        f"The predictions come from {design.n_folds} models of each classifier that share training data. The "
        "conclusion is about these predictions, and it does not include the variation between divisions into folds."
    )


def _mcnemar_not_for_repeats(design: ExperimentDesign) -> str:
    if design.n_datasets > 1 or design.material != "cases" or design.n_repeats == 1:
        return ""
    return (
        f"Each instance was predicted {design.n_repeats} times. McNemar's, Cochran's and DeLong's tests would count "
        "these predictions as independent instances, but these tests require one prediction of each instance. Some "
        "tutorials incorrectly recommend McNemar's test after repeated cross-validation."
    )


def _cases_not_named(evidence: Evidence) -> str:
    if evidence.has_cases or evidence.design.n_datasets > 1 or evidence.design.testing == "repeatedly":
        return ""
    return "No column names the instances, so the predictions of two classifiers cannot be paired; add such a column."


def _huge_sample(evidence: Evidence, alpha: float) -> str:
    design = evidence.design
    z = math.sqrt(2) * erfc_inverse(math.log(alpha))
    if design.n_datasets > HUGE_DATASETS:
        least = f"a mean difference of {z / math.sqrt(design.n_datasets):.2g} standard deviations"
        return _significant_anyway(f"{design.n_datasets:,} {evidence.words.datasets}", least)
    if design.n_datasets == 1 and design.material == "cases" and (n := design.n_instances or 0) > HUGE_CASES:
        if evidence.n_discordant:
            points = 100 * z * math.sqrt(evidence.n_discordant) / n
            return _significant_anyway(
                f"{n:,} instances", f"a difference of {points:.2g} percentage points of accuracy"
            )
        return _significant_anyway(f"{n:,} instances", "a very small difference")
    return ""


def _significant_anyway(many: str, least: str) -> str:
    return (
        f"With {many}, even {least} is significant. Report the size of the difference with a confidence interval, and "
        "state which size is relevant."
    )


def _not_normal(evidence: Evidence, leaf: Leaf) -> str:
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
        f"The differences do not look normal ({against}), but {leaf.test} assumes normality; see the alternatives."
    )


def _residuals(scores: FloatArray) -> FloatArray:
    """Return the centered differences of two classifiers, or the residuals for several classifiers."""
    if scores.shape[1] == 2:
        differences = scores[:, 0] - scores[:, 1]
        return np.asarray(differences - differences.mean())
    centered = scores - scores.mean(axis=1, keepdims=True)
    return np.asarray(centered - centered.mean(axis=0)).ravel()


def _few_datasets_for_t(design: ExperimentDesign, leaf: Leaf) -> str:
    if design.n_datasets == 1 or leaf.kind != "parametric" or design.n_datasets >= FEW_DATASETS_FOR_T:
        return ""
    return (
        f"With {design.n_datasets} datasets, the test depends on normality (less with {FEW_DATASETS_FOR_T} or more), "
        "and tests of normality have too little power to detect a violation."
    )


def _cannot_reach_alpha(evidence: Evidence, leaf: Leaf, alpha: float) -> str:
    n = evidence.design.n_datasets
    exponent, what = 0.0, ""  # logarithm of the smallest two-sided exact p-value, to the base 2
    if leaf.test == "wilcoxon_test" and evidence.scores is not None:
        wins, losses = wins_and_losses(evidence.scores[:, 0], evidence.scores[:, 1], evidence.tie_tolerance)
        n_different = int(wins + losses)
        exponent, what = 1 - n_different, f"differences on {_counted(n_different, 'dataset')}"
    elif leaf.test == "wilcoxon_test":
        exponent, what = 1 - n, _counted(n, "dataset")
    elif leaf.posthoc == ("pairwise_wilcoxon_test",):
        return _no_pair_can_reach(evidence.design, alpha)
    elif leaf.test == "mcnemar_test" and (b := evidence.n_discordant) is not None:
        exponent, what = 1 - b, f"{_counted(b, 'instance')} that only one classifier predicts correctly"
    smallest = min(2.0**exponent, 1.0)
    if not what or smallest <= alpha:
        return ""
    return f"With {what}, p cannot be below {smallest:.3g}: no result can be significant at alpha = {alpha:g}."


def _no_pair_can_reach(design: ExperimentDesign, alpha: float) -> str:
    if _can_reach("pairwise_wilcoxon_test", design, alpha):
        return ""
    n, k = design.n_datasets, design.n_classifiers
    return hopeless_words(
        "wilcoxon",
        "holm",
        where=f"With {_counted(n, 'dataset')} and {_counted(k, 'classifier')}",
        smallest=f"{min(1.0, _n_comparisons(design) * 2.0 ** (1 - n)):.3g}",
        n_classifiers=k,
        control=None if design.control is None else "the control",
        alpha=alpha,
    )


def _many_ties(evidence: Evidence) -> str:
    if evidence.scores is None or len(evidence.scores) < 2:
        return ""
    ordered = np.sort(rounded(evidence.scores, evidence.tie_tolerance), axis=1)
    share = float((ordered[:, 1:] == ordered[:, :-1]).mean())
    if share < MANY_TIES:
        return ""
    return (
        f"{share:.0%} of the adjacent scores in the rankings are tied, and ties are not evidence "
        f"for any {evidence.words.classifier}. If the scores were rounded, keep more digits, and check how the "
        "test treats ties."
    )


def _missing_scores(evidence: Evidence, leaf: Leaf) -> str:
    if not evidence.n_missing:
        return ""
    missing = f"{_counted(evidence.n_missing, 'score')} {'is' if evidence.n_missing == 1 else 'are'} missing"
    return (
        f"{missing}, which {leaf.test} does not allow: skillings_mack_test uses all other scores, and wilcoxon_test "
        "compares each pair on the datasets with scores of both classifiers. Alternatively, leave out the datasets "
        "with missing scores."
    )


def _very_few_datasets(design: ExperimentDesign) -> str:
    if design.n_datasets == 1 or design.n_classifiers == 2 or design.n_datasets >= VERY_FEW_DATASETS:
        return ""
    return (
        f"{design.n_datasets} datasets are a very small sample of all datasets: the verdict depends on each dataset, "
        "and the conclusions may not apply to other datasets."
    )


def _cases_of_few_datasets(design: ExperimentDesign) -> str:
    if design.n_datasets == 1 or design.material != "cases" or design.n_datasets > FEW_BENCHMARKS:
        return ""
    return (
        f"The recommendation is about the population of which these {design.n_datasets} datasets are a sample. "
        "For a conclusion about these datasets themselves, such as benchmarks of questions, compare the predictions "
        "for the instances of "
        "each dataset (keep only its rows)."
    )


def _can_reach(test: str, design: ExperimentDesign, alpha: float) -> bool:
    """Return whether a test can be significant with the number of datasets in the design."""
    of_signs = ("sign_test", "wilcoxon_test", "permutation_test", "pairwise_wilcoxon_test", "pairwise_sign_test")
    if test not in (*of_signs, "pairwise_max_t_test"):
        return True
    n = min(design.n_datasets, 1000)  # a larger number could overflow a float
    m = 1 if test == "pairwise_max_t_test" else _n_comparisons(design)
    return n == 1 or m * 2.0 ** (1 - n) <= alpha


def _n_comparisons(design: ExperimentDesign) -> int:
    k = design.n_classifiers
    return math.comb(k, 2) if design.control is None else k - 1


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


# without a comparison, the tree is not used
ALONE = Leaf(
    key="one-classifier",
    test=None,
    posthoc=(),
    kind="",
    reason="There is no other classifier to compare with, so the classifier is described and not tested. The "
    "description consists of scores with intervals, curves, calibration and the confusion matrix.",
    assumptions=(),
    alternatives=(
        Other("label_permutation_test", "to test whether its accuracy is above the accuracy with permuted labels"),
        Other("run_distribution", "to estimate the variation of its score between runs"),
        Other(
            "project_classifiers",
            "to find classifiers with similar errors, if you have the predictions of other classifiers",
        ),
    ),
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Alternative(Record):
    """Another function, and the condition for its use.

    Attributes
    ----------
    test : str
        Name of the function in evalstats.
    when : str
        Condition under which to use the function.
    options, arguments : str or None
        Additions to `command` and to `call` of the advice, such as ``--posthoc wilcoxon`` and ``posthoc='wilcoxon'``;
        None if `compare` does not provide the test.
    """

    test: str
    when: str
    options: str | None
    arguments: str | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Step(Record):
    """A question of the decision tree, with the answer for the experiment."""

    question: str
    answer: str


@dataclass(frozen=True, kw_only=True, eq=False)
class WhichTestResult(Record):
    """Result of `which_test`; `evalstats.report` renders it.

    Attributes
    ----------
    test : str or None
        Name of the function in evalstats, or None if no test is possible or if there is one classifier.
    posthoc : tuple of str
        Functions that compare all pairs, or each classifier with the control.
    reason : str
        Reason for the recommendation.
    assumptions : tuple of str
        Assumptions of the test.
    alternatives : tuple of Alternative
        Other functions (``test``), each with the condition for its use (``when``).
    warnings : tuple of Finding
        Possible problems of the experiment or of the recommended test, and useful facts about them.
    path : tuple of Step
        Questions of the tree that lead to the test (``question``), with their answers (``answer``).
    design : ExperimentDesign
        Description of the experiment.
    command, call : str or None
        Command and Python call that run the tests, or None if no test is possible. `command` is also None if no command
        runs the test.
    """

    test: str | None
    posthoc: tuple[str, ...]
    reason: str
    assumptions: tuple[str, ...]
    alternatives: tuple[Alternative, ...]
    warnings: tuple[Finding, ...]
    path: tuple[Step, ...]
    design: ExperimentDesign
    command: str | None
    call: str | None

    def _rows(self) -> Sequence[Record]:
        return self.path


def which_test(
    source: Any = None,
    *,
    n_classifiers: int | None = None,
    n_datasets: int | None = None,
    n_folds: int | None = None,
    n_repeats: int | None = None,
    n_instances: int | None = None,
    data: str | None = None,
    metric: str | None = None,
    control: str | None = None,
    parametric: bool = False,
    alpha: float = 0.05,
    **read_kwargs: Any,
) -> WhichTestResult:
    """Recommend a test for an experiment, with its reason, assumptions, alternatives and warnings.

    No test is run. The data determine the design. If no data exist yet, keywords describe the design.

    Parameters
    ----------
    source : ScoreTable, Predictions, CrossValidationScores, path, data frame or array, optional
        Scores or predictions, or any other input that `evalstats.read_table` accepts. If you do not pass the data, you
        must pass `n_classifiers`.
    n_classifiers, n_datasets : int, optional
        Number of classifiers, and number of datasets (default 1). For one classifier, the recommendation is a
        description of its score.
    n_folds, n_repeats : int, optional
        Number of folds of each cross-validation, and number of repeats. If the source is a result of
        `evalstats.tables.fold_scores_from_cross_validate`, pass both numbers too, because the result does not
        distinguish folds from repeats.
    n_instances : int, optional
        Number of instances of the test set.
    data : {'scores', 'folds', 'runs', 'predictions', 'probabilities', 'answers'}, optional
        Type of the data of each classifier on each dataset. ``'scores'``: one score. ``'folds'`` and ``'runs'``: the
        score of each fold or run. ``'predictions'``: the predicted label of each instance. ``'probabilities'``: the
        score or probability of each instance. ``'answers'``: the score of each answer to a question. The runs have
        different seeds but the same training and test set. Without a source, the default is ``'folds'`` if `n_folds` or
        `n_repeats` is given. If only `n_instances` of one dataset is given, the default is ``'predictions'``, or
        ``'probabilities'`` for a metric such as AUC. If none of these arguments is given, the default is ``'scores'``.
    metric : str, optional
        Metric that is compared, such as ``'accuracy'``, ``'roc_auc'`` or ``'f1'``. For predictions, the test depends on
        the metric. Default: accuracy for labels and AUC for probabilities.
    control : str, optional
        The classifier that all others are compared with. By default, all pairs are compared.
    parametric : bool, default: False
        Whether to assume normal differences over datasets.
    alpha : float, default: 0.05
        Significance level that should be attainable with the test.
    **read_kwargs : optional
        Other arguments of `evalstats.read_table`, if the source has to be read, such as `layout` and `columns`. You can
        also pass the options of `columns` and `parsing` as separate arguments, as in `evalstats.compare`.

    Returns
    -------
    WhichTestResult

    Raises
    ------
    ValueError
        If the keywords contradict the source or each other, or the source is not
        a table of scores or predictions.
    TypeError
        If an argument has the wrong type.

    Notes
    -----
    The tree follows the tutorial of Japkowicz. It adds the designs that the tutorial omits: fold scores, AUC, other
    metrics, and several classifiers on one dataset. The tutorial treats McNemar's test as the alternative to the t-test
    after repeated cross-validation (slide 43). This tree does not recommend McNemar's test for such predictions,
    because McNemar's test requires one prediction of each instance (Dietterich 1998).

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
    >>> from evalstats.comparison.advice.recommendation import which_test
    >>> advice = which_test(n_classifiers=5, n_datasets=12)
    >>> advice.test, advice.posthoc
    ('friedman_test', ('pairwise_wilcoxon_test',))
    >>> [(step.question, step.answer) for step in advice.path][:2]
    [('How many datasets?', 'several'), ('How many classifiers?', 'three or more')]

    Ten repeats of ten folds on one dataset are not 100 independent scores:

    >>> advice = which_test(n_classifiers=2, n_folds=10, n_repeats=10)
    >>> advice.test, [finding.code for finding in advice.warnings]
    ('corrected_ttest', ['folds-are-not-independent'])

    A recommendation for a table, with a warning about the limits of the data:

    >>> advice = which_test([[0.90, 0.80], [0.70, 0.60], [0.80, 0.75]])
    >>> advice.test, [finding.code for finding in advice.warnings]
    ('wilcoxon_test', ['cannot-reach-alpha'])
    """
    reading = reading_of(None, read_kwargs, which_test)
    parametric, alpha = _checks.boolean(parametric, "parametric"), _checks.significance_level(alpha)
    counts = {
        "n_classifiers": n_classifiers,
        "n_datasets": n_datasets,
        "n_folds": n_folds,
        "n_repeats": n_repeats,
        "n_instances": n_instances,
    }
    told = {name: _checks.count(value, name) for name, value in counts.items() if value is not None}
    if data is not None:
        _checks.choice(data, "data", DATA)
    if metric is not None and not isinstance(metric, str):
        raise InvalidTypeError(f"metric must be a name, not {short(metric)}")

    evidence = (
        evidence_described(told, data, metric, reading)
        if source is None
        else evidence_read(source, told, data, metric, reading)
    )
    design = replace(evidence.design, control=_known(control, evidence.classifiers), parametric=parametric)
    if design.n_classifiers == 1 and design.control is not None:
        raise InvalidValueError(f"control must be left out if there is one classifier, but it is {short(control)}")

    path, leaf = _walk(design)
    command, call = _typed(leaf, design)

    return WhichTestResult(
        test=leaf.test,
        posthoc=leaf.posthoc,
        reason=leaf.reason,
        assumptions=leaf.assumptions,
        alternatives=tuple(_alternative(other) for other in leaf.alternatives if _can_reach(other.test, design, alpha)),
        warnings=() if leaf is ALONE else tuple(_findings_on_advice(replace(evidence, design=design), leaf, alpha)),
        path=path,
        design=design,
        command=command,
        call=call,
    )


def _walk(design: ExperimentDesign) -> tuple[tuple[Step, ...], Leaf]:
    if design.n_classifiers == 1:
        return (Step(question="How many classifiers?", answer="one"),), ALONE
    node, path = TREE[0], []
    while isinstance(node, Question):
        value = getattr(design, node.reads)
        answer = next(answer for answer in node.answers if answer.value == value)
        path.append(Step(question=node.text, answer=answer.words))
        node = NODES[answer.then]
    return tuple(path), node


def _typed(leaf: Leaf, design: ExperimentDesign) -> tuple[str | None, str | None]:
    """Return the command and the Python call that run the recommended test, each None if there is none."""
    if leaf is ALONE:
        return "evalstats metrics FILE", "evalstats.analyze_predictions(predictions)"
    if leaf.test is None:
        return None, None
    if leaf.posthoc_choice == "":
        return None, f"evalstats.{leaf.test}(x, y)"
    choices = {"posthoc": leaf.posthoc_choice, "control": design.control}
    if design.extent == "one" and design.material == "cases":
        choices["metric"] = design.metric or None
    given = {name: value for name, value in choices.items() if value is not None}
    options, arguments = _written(given)
    return " ".join(["evalstats compare FILE", *options]), f"evalstats.compare({', '.join(['table', *arguments])})"


def _alternative(other: Other) -> Alternative:
    options, arguments = _written(dict(other.choices))
    return Alternative(
        test=other.test, when=other.when, options=" ".join(options) or None, arguments=", ".join(arguments) or None
    )


def _written(choices: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return arguments of `compare` as command-line options and as Python arguments."""
    options = [f"--{name} {shlex.quote(str(value))}" for name, value in choices.items()]
    return options, [f"{name}={value!r}" for name, value in choices.items()]


def _known(control: Any, classifiers: tuple[str, ...] | None) -> str | None:
    if control is not None and not isinstance(control, str):
        raise InvalidTypeError(f"control must be the name of a classifier, not {short(control)}")
    if control is not None and classifiers is not None and control not in classifiers:
        raise InvalidValueError(f"control must be among {listed(classifiers)}, not {short(control)}")
    return control
