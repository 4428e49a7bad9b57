"""Recommendation of a test for an experiment, from the decision tree in `decision_tree`."""

from __future__ import annotations

__all__ = ["ALONE", "Alternative", "Step", "WhichTestResult", "which_test"]

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evalstats import _checks
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._errors import listed
from evalstats._findings import Finding
from evalstats._result import Record
from evalstats.comparison.advice.decision_tree import NODES, TREE, Leaf, Other, Question
from evalstats.comparison.advice.evidence import DATA, evidence_described, evidence_read
from evalstats.comparison.advice.experiment_design import ExperimentDesign
from evalstats.comparison.advice.findings import can_reach, findings_on_advice
from evalstats.io.reader.tables import reading_of
from evalstats.tables.errors import short

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
        alternatives=tuple(_alternative(other) for other in leaf.alternatives if can_reach(other.test, design, alpha)),
        warnings=() if leaf is ALONE else tuple(findings_on_advice(replace(evidence, design=design), leaf, alpha)),
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
