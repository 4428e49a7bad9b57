"""The tree of tests is complete and leads where the textbooks say; what speaks against a test is said."""

from __future__ import annotations

import dataclasses
import io
import itertools
import json
import math
import runpy
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import evalstats
from evalstats import EvalstatsError, InvalidTypeError, InvalidValueError, report, which_test
from evalstats.comparison.advice import (
    HUGE_CASES,
    HUGE_DATASETS,
    TREE,
    ExperimentDesign,
    Leaf,
    Question,
    WhichTestResult,
)
from evalstats.examples import example_path, example_table
from evalstats.tables.cross_validation import cross_validation_scores
from evalstats.tables.predictions import read_predictions
from evalstats.tables.reading import read_table
from evalstats.tables.score_table import ScoreTable

ROOT = Path(__file__).parents[2]
LEAVES = [node for node in TREE if isinstance(node, Leaf)]
QUESTIONS = [node for node in TREE if isinstance(node, Question)]
NODES = {node.key: node for node in TREE}

# every design that the properties of ExperimentDesign tell apart
DESIGNS = [
    {"data": data, "n_classifiers": k, "n_datasets": n, "n_folds": folds, "n_repeats": repeats, "metric": metric}
    | {"control": control, "parametric": parametric}
    for data, k, n, (folds, repeats), metric, control, parametric in itertools.product(
        ("scores", "folds", "predictions", "probabilities"),
        (2, 3),
        (1, 7),
        ((1, 1), (10, 1), (2, 5), (10, 10)),
        ("accuracy", "roc_auc", "f1"),
        (None, "a"),
        (False, True),
    )
    if data != "scores" or folds * repeats == 1
]


def codes(advice: WhichTestResult) -> set[str]:
    return {finding.code for finding in advice.warnings}


def sentence(advice: WhichTestResult, code: str) -> str:
    return next(finding.sentence for finding in advice.warnings if finding.code == code)


def predictions(
    n_cases: int = 6,
    classifiers: str = "ab",
    n_repeats: int = 1,
    n_folds: int = 1,
    columns: str = "dataset classifier repeat fold row y_true y_pred",
    n_discordant: int = 0,
) -> dict[str, list]:
    """Return a table of predictions of one dataset: the first cases are answered wrongly by classifier b only."""
    rows = [
        {
            "dataset": "d",
            "classifier": classifier,
            "repeat": repeat,
            "fold": case % n_folds,
            "row": case,
            "y_true": case % 2,
            "y_pred": 1 - case % 2 if classifier == "b" and case < n_discordant else case % 2,
            "y_score": 0.25 + case % 2 / 2,
        }
        for classifier in classifiers
        for repeat in range(n_repeats)
        for case in range(n_cases)
    ]
    return {name: [row[name] for row in rows] for name in columns.split()}


# --- the tree ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("design", "expected"),
    [
        # the figure at the end of Japkowicz's tutorial
        ({"n_classifiers": 2, "n_datasets": 10}, ["wilcoxon_test"]),
        ({"n_classifiers": 2, "n_datasets": 10, "parametric": True}, ["paired_ttest"]),
        ({"n_classifiers": 4, "n_datasets": 10}, ["friedman_test", "nemenyi_test"]),
        ({"n_classifiers": 4, "n_datasets": 10, "control": "NB"}, ["friedman_test", "bonferroni_dunn_test"]),
        ({"n_classifiers": 4, "n_datasets": 10, "parametric": True}, ["rm_anova_test", "tukey_test"]),
        ({"n_classifiers": 4, "n_datasets": 10, "parametric": True, "control": "NB"},
         ["rm_anova_test", "dunnett_test"]),
        ({"n_classifiers": 2, "n_folds": 10}, ["corrected_ttest"]),
        ({"n_classifiers": 2, "data": "predictions"}, ["mcnemar_test"]),
        # and beyond it
        ({"n_classifiers": 2, "n_folds": 10, "n_repeats": 10}, ["corrected_ttest"]),
        ({"n_classifiers": 2, "n_repeats": 30}, ["corrected_ttest"]),
        ({"n_classifiers": 2, "n_folds": 2, "n_repeats": 5}, ["ftest_5x2cv"]),
        ({"n_classifiers": 3, "n_folds": 2, "n_repeats": 5}, ["pairwise_corrected_ttest"]),
        ({"n_classifiers": 3, "n_folds": 10}, ["pairwise_corrected_ttest"]),
        ({"n_classifiers": 3, "data": "predictions"}, ["cochran_q_test", "pairwise_mcnemar_test"]),
        ({"n_classifiers": 2, "data": "probabilities"}, ["delong_test"]),
        ({"n_classifiers": 3, "data": "probabilities"}, ["pairwise_delong_test"]),
        ({"n_classifiers": 2, "data": "predictions", "metric": "f1"}, ["metric_permutation_test"]),
        ({"n_classifiers": 2, "data": "probabilities", "metric": "brier"}, ["metric_permutation_test"]),
        ({"n_classifiers": 3, "data": "predictions", "metric": "kappa"},
         ["metric_permutation_test", "adjust_pairwise"]),
        ({"n_classifiers": 2, "data": "predictions", "metric": "Error rate"}, ["mcnemar_test"]),
        ({"n_classifiers": 2, "data": "predictions", "n_folds": 10}, ["mcnemar_test"]),
        ({"n_classifiers": 2, "data": "predictions", "n_folds": 10, "n_repeats": 10}, ["corrected_ttest"]),
        ({"n_classifiers": 3, "data": "probabilities", "n_repeats": 2}, ["pairwise_corrected_ttest"]),
        ({"n_classifiers": 2, "data": "folds", "n_folds": 10, "n_datasets": 20}, ["wilcoxon_test"]),
        ({"n_classifiers": 2, "data": "predictions", "n_datasets": 20}, ["wilcoxon_test"]),
        ({"n_classifiers": 2}, [None]),
        ({"n_classifiers": 2, "n_folds": 1}, [None]),
    ],
)  # fmt: skip
def test_designs_lead_to_their_tests(design: dict, expected: list) -> None:
    advice = which_test(**design)

    assert [advice.test, *advice.posthoc] == expected


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.key)
def test_recommended_functions_exist(leaf: Leaf) -> None:
    names = {leaf.test, *leaf.posthoc, *(name for name, _ in leaf.alternatives)} - {None}

    assert names - set(evalstats.__all__) == set()


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.key)
def test_recommendation_gives_its_reason_and_its_assumptions(leaf: Leaf) -> None:
    assert leaf.reason.endswith(".")
    assert leaf.alternatives
    assert bool(leaf.assumptions) == (leaf.test is not None)
    assert all(assumption.endswith(".") for assumption in leaf.assumptions)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.key)
def test_answers_are_those_that_the_design_gives(question: Question) -> None:
    """Each answer leads on, and each value of the property has one answer."""
    values = [answer.value for answer in question.answers]
    counts = {"n_cases": None}

    given = {getattr(ExperimentDesign(**(counts | design)), question.reads) for design in DESIGNS}

    assert sorted(given) == sorted(values)
    assert all(answer.then in NODES for answer in question.answers)


def test_every_node_is_reached_and_the_keys_are_unique() -> None:
    led_to = {answer.then for question in QUESTIONS for answer in question.answers}

    assert len(NODES) == len(TREE)
    assert led_to | {TREE[0].key} == set(NODES)


def test_every_design_has_a_recommendation_and_every_recommendation_a_design() -> None:
    described = [without_folds(design) if design["data"] == "scores" else design for design in DESIGNS]

    reasons = {which_test(**design).reason for design in described}

    assert reasons == {leaf.reason for leaf in LEAVES}


def without_folds(design: dict) -> dict:
    return {name: value for name, value in design.items() if name not in ("n_folds", "n_repeats")}


# --- from data to the design ------------------------------------------------------------------------------------------


def test_scores_of_several_datasets() -> None:
    advice = which_test(example_table("japkowicz-accuracy"), control="SVM")

    assert (advice.test, advice.posthoc) == ("friedman_test", ("bonferroni_dunn_test",))
    assert (advice.design.n_datasets, advice.design.n_classifiers, advice.design.data) == (10, 4, "scores")
    assert [(step.question, step.answer) for step in advice.path] == [
        ("How many datasets?", "several"),
        ("How many classifiers?", "three or more"),
        ("May the differences between datasets be taken for normal?", "no"),
        ("Which of them are compared?", "all with a control"),
    ]


@pytest.mark.parametrize(
    "read", [str, read_table, lambda path: io.BytesIO(path.read_bytes())], ids=["path", "table", "file"]
)
def test_file_and_table_have_one_answer(read: Callable) -> None:
    path = example_path("demsar-2006")

    assert report.text(which_test(read(path))) == report.text(which_test(example_table("demsar-2006")))


def test_folds_in_a_long_table() -> None:
    rows = [(c, r, f) for c in "ab" for r in range(10) for f in range(10)]
    table = {"dataset": ["d"] * 200, "classifier": [c for c, _, _ in rows], "repeat": [r for _, r, _ in rows]}
    table |= {"fold": [f for _, _, f in rows], "score": list(np.random.default_rng(1).normal(size=200))}

    advice = which_test(table)

    assert (advice.test, advice.design.n_repeats, advice.design.n_folds) == ("corrected_ttest", 10, 10)
    assert codes(advice) == {"folds-are-not-independent"}


def test_folds_of_several_datasets_are_averaged() -> None:
    rows = [(d, c, f) for d in "stuvwxyz" for c in "ab" for f in range(5)]
    table = {"dataset": [d for d, _, _ in rows], "classifier": [c for _, c, _ in rows], "fold": [f for *_, f in rows]}

    advice = which_test({**table, "score": list(range(80))})

    assert (advice.test, advice.design.data, advice.design.n_folds) == ("wilcoxon_test", "folds", 5)
    assert "8 independent scores of each classifier, not 40" in sentence(advice, "folds-are-not-datasets")


def test_scores_of_cross_validate() -> None:
    results = {name: {"test_score": np.random.default_rng(i).normal(size=10)} for i, name in enumerate(("a", "b"))}
    scores = cross_validation_scores(results)

    assert which_test(scores).test == "corrected_ttest"
    assert which_test(scores, n_folds=2).test == "ftest_5x2cv"
    assert which_test(scores, n_repeats=5).design.n_folds == 2
    with pytest.raises(InvalidValueError, match="n_folds times n_repeats must be the 10 scores, not 3 x 3"):
        which_test(scores, n_folds=3)


@pytest.mark.parametrize(
    ("names", "datasets"),
    [
        (("fold 1", "fold 2", "fold 3", "fold 4"), 1),
        (("Fold1", "Fold2", "Fold3", "Fold4"), 1),
        (("rep 1 fold 1", "rep 1 fold 2", "rep 2 fold 1", "rep 2 fold 2"), 1),
        (("iris_run1", "iris_run2", "iris_run3", "iris_run4"), 1),
        (("iris, fold 1", "iris, fold 2", "wine, fold 1", "wine, fold 2"), 2),
        (("iris", "iris fold 2", "wine", "fold 2"), None),
        (("trump 1", "trump 2", "manifold 3", "bifold"), None),
        (("iris fold 1", "wine fold 1", "glass fold 1", "yeast fold 1"), None),
    ],
)
def test_rows_named_as_folds_are_no_datasets(names: tuple[str, ...], datasets: int | None) -> None:
    """None: they are datasets after all."""
    scores = np.random.default_rng(3).normal(size=(4, 2))

    advice = which_test(ScoreTable(scores=scores, datasets=names, classifiers=("a", "b")))

    assert ("rows-named-as-folds" in codes(advice)) == (datasets is not None)
    assert advice.design.n_datasets == (datasets or 4)
    assert (advice.test == "corrected_ttest") == (datasets == 1)


def test_predictions_of_one_test_set() -> None:
    advice = which_test(read_predictions(predictions(n_cases=40, n_discordant=9)))

    assert (advice.test, advice.design.n_cases, advice.design.metric) == ("mcnemar_test", 40, "accuracy")
    assert codes(advice) == set()


def test_predictions_of_several_classifiers() -> None:
    assert which_test(predictions(classifiers="abc")).test == "cochran_q_test"


def test_scores_or_labels_of_the_same_predictions() -> None:
    both = predictions(columns="dataset classifier row y_true y_pred y_score")

    assert which_test(both).test == "mcnemar_test"
    assert which_test(both, metric="f1").test == "metric_permutation_test"
    assert which_test(both, metric="roc_auc").test == "delong_test"
    assert which_test(both, data="probabilities").test == "delong_test"
    assert which_test(read_predictions(both), data="probabilities").test == "delong_test"
    assert which_test(predictions(columns="dataset classifier row y_true y_score")).test == "delong_test"


def test_predictions_of_repeated_cross_validation_are_scored_by_fold() -> None:
    """McNemar's test is no alternative to the t-test there, though the tutorial says so (slide 43)."""
    advice = which_test(predictions(n_cases=20, n_repeats=3, n_folds=5))

    assert (advice.test, advice.design.n_cases) == ("corrected_ttest", 20)
    assert "Each case was predicted 3 times" in sentence(advice, "mcnemar-not-for-repeats")


def test_repeats_are_seen_without_a_column_of_repeats() -> None:
    """Folds of several random splits: the same case comes again."""
    table = predictions(n_repeats=3)
    table["fold"] = table.pop("repeat")

    assert which_test(table).design.n_repeats == 3


def test_predictions_in_folds() -> None:
    advice = which_test(predictions(n_cases=40, n_folds=5, n_discordant=9))

    assert (advice.test, codes(advice)) == ("mcnemar_test", {"models-share-training-data"})


def test_predictions_without_cases_cannot_be_paired() -> None:
    advice = which_test(predictions(columns="dataset classifier y_true y_pred"))

    assert codes(advice) == {"cases-not-named"}


def test_predictions_on_several_datasets_are_scores() -> None:
    advice = which_test(example_path("sklearn-predictions"), metric="f1")

    assert (advice.test, advice.design.n_datasets, advice.design.metric) == ("friedman_test", 10, "f1")


# --- what speaks against it -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "smallest"), [(5, 0.0625), (6, 0.03125)])
def test_smallest_p_of_wilcoxon_is_that_of_the_test(n: int, smallest: float) -> None:
    x, y = np.arange(1, n + 1) / 10, np.zeros(n)

    advice = which_test(np.column_stack([x, y]))

    assert evalstats.wilcoxon_test(x, y).smallest_pvalue == smallest
    assert ("cannot-reach-alpha" in codes(advice)) == (smallest > 0.05)
    assert "cannot-reach-alpha" in codes(which_test(n_classifiers=2, n_datasets=n, alpha=smallest / 2))
    assert "cannot-reach-alpha" not in codes(which_test(n_classifiers=2, n_datasets=n, alpha=smallest))


def test_equal_scores_do_not_help_to_reach_alpha() -> None:
    scores = np.column_stack([[0.3, 0.2, 0.3, 0.4, 0.5, 0.6], [0.1 + 0.2, 0.1, 0.2, 0.3, 0.4, 0.5]])

    found = sentence(which_test(scores), "cannot-reach-alpha")

    assert "With differences on 5 datasets p cannot fall below 0.0625" in found


@pytest.mark.parametrize(("k", "n"), [(3, 2), (3, 3), (4, 2)])
def test_smallest_p_of_friedman_is_that_of_the_test(k: int, n: int) -> None:
    scores = np.tile(np.arange(k), (n, 1))
    smallest = evalstats.friedman_test(scores, method="exact").smallest_pvalue

    assert smallest == pytest.approx(math.factorial(k) ** (1.0 - n), rel=1e-12)
    assert "cannot-reach-alpha" in codes(which_test(scores, alpha=smallest * 0.99))
    assert "cannot-reach-alpha" not in codes(which_test(scores, alpha=smallest * 1.01))


@pytest.mark.parametrize("n_discordant", [0, 1, 5, 6])
def test_smallest_p_of_mcnemar_is_that_of_the_test(n_discordant: int) -> None:
    advice = which_test(predictions(n_cases=30, n_discordant=n_discordant))
    is_right = np.arange(30) >= n_discordant
    smallest = evalstats.mcnemar_test(np.ones(30, dtype=bool), is_right).smallest_pvalue

    assert ("cannot-reach-alpha" in codes(advice)) == (smallest > 0.05)


def test_normality_is_only_asked_of_a_test_that_assumes_it() -> None:
    rng = np.random.default_rng(5)
    skewed = np.column_stack([rng.exponential(size=40) ** 2, np.zeros(40)])
    normal = np.column_stack([rng.normal(size=40), np.zeros(40)])

    assert codes(which_test(skewed)) == set()
    assert "Shapiro-Wilk" in sentence(which_test(skewed, parametric=True), "not-normal")
    assert codes(which_test(normal, parametric=True)) == set()


def test_normality_of_several_classifiers_is_that_of_the_residuals() -> None:
    """Effects of datasets and classifiers are no matter, whatever their distribution."""
    rng = np.random.default_rng(8)
    effects = 100 * rng.exponential(size=(40, 1)) + np.array([0, 5, 50])

    assert codes(which_test(effects + rng.normal(size=(40, 3)), parametric=True)) == set()
    assert codes(which_test(effects + rng.exponential(size=(40, 3)) ** 2, parametric=True)) == {"not-normal"}


@pytest.mark.parametrize("n", [100, 6000])
def test_skewed_differences_of_folds_and_of_very_many_datasets(n: int) -> None:
    """Where a test of normality means nothing, the skewness does."""
    differences = np.random.default_rng(2).exponential(size=n)
    word = "fold" if n == 100 else "dataset"
    table = ScoreTable(
        scores=np.column_stack([differences, np.zeros(n)]),
        datasets=tuple(f"{word} {i}" for i in range(n)),
        classifiers=("a", "b"),
    )

    assert "skewness" in sentence(which_test(table, parametric=True), "not-normal")


@pytest.mark.parametrize("scores", [np.zeros((5, 3)), np.array([[1e308, -1e308], [5.0, 1e300], [3.0, 4.0]])])
def test_extreme_scores_are_no_obstacle(scores: np.ndarray) -> None:
    assert "few-datasets-for-t" in codes(which_test(scores, parametric=True))


def test_constant_differences_are_not_called_skewed() -> None:
    scores = np.column_stack([np.arange(30) / 7, np.arange(30) / 7 + 0.1])

    assert codes(which_test(scores, parametric=True)) == set()


def test_t_test_of_few_datasets_depends_on_normality() -> None:
    assert codes(which_test(n_classifiers=2, n_datasets=29, parametric=True)) == {"few-datasets-for-t"}
    assert codes(which_test(n_classifiers=2, n_datasets=30, parametric=True)) == set()


def test_huge_samples() -> None:
    """With enough data everything is significant: z / sqrt(200) = 0.14."""
    assert codes(which_test(n_classifiers=3, n_datasets=HUGE_DATASETS)) == set()
    assert "0.14 standard deviations" in sentence(which_test(n_classifiers=3, n_datasets=200), "huge-sample")
    assert codes(which_test(n_classifiers=2, data="predictions", n_cases=HUGE_CASES)) == set()
    assert codes(which_test(n_classifiers=2, data="predictions", n_cases=HUGE_CASES + 1)) == {"huge-sample"}


def test_huge_test_set_tells_the_smallest_significant_difference() -> None:
    """1.96 sqrt(400) / 10001 = 0.39 percentage points."""
    advice = which_test(predictions(n_cases=HUGE_CASES + 1, n_discordant=400))

    assert "0.39 percentage points" in sentence(advice, "huge-sample")


def test_many_ties() -> None:
    scores = np.column_stack([np.arange(10), np.arange(10) + np.array([0] * 4 + [1] * 6)])

    assert "40% of the scores" in sentence(which_test(scores), "many-ties")
    assert "many-ties" not in codes(which_test(scores[3:]))
    assert "many-ties" in codes(which_test([[0.3, 0.1 + 0.2], [0.5, 0.6]]))


# --- the record and its text ------------------------------------------------------------------------------------------


def test_missing_scores() -> None:
    nan = float("nan")
    scores = np.array([[0.3, 0.5, nan], [0.5, 0.6, 0.1], [nan, 0.1, 0.3], [0.2, 0.3, 0.5]])

    advice = which_test(scores, missing="skillings-mack", parametric=True)

    assert "skillings_mack_test uses all others" in sentence(advice, "missing-scores")
    assert sentence(advice, "missing-scores").startswith("2 scores are missing, which rm_anova_test does not allow")


def test_result_is_frozen_and_plain() -> None:
    advice = which_test(example_table("demsar-2006"))

    with pytest.raises(dataclasses.FrozenInstanceError):
        advice.test = "paired_ttest"
    assert json.loads(json.dumps(advice.to_dict()))["design"]["n_classifiers"] == 4


# --- messages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, InvalidTypeError, "which_test needs a table, or n_classifiers"),
        ({"n_classifiers": 1}, InvalidValueError, "n_classifiers must be at least 2, not 1"),
        ({"n_classifiers": 2.0}, InvalidTypeError, "n_classifiers must be a whole number, not 2.0"),
        ({"n_classifiers": 2, "n_datasets": 0}, InvalidValueError, "n_datasets must be at least 1, not 0"),
        ({"n_classifiers": 2, "data": "fold"}, InvalidValueError, "data must be 'scores' or 'folds' or"),
        ({"n_classifiers": 2, "data": "folds"}, InvalidValueError, "data 'folds' needs n_folds or n_repeats"),
        ({"n_classifiers": 2, "data": "scores", "n_folds": 3}, InvalidValueError, "data must be 'folds' or"),
        ({"n_classifiers": 2, "alpha": 0}, InvalidValueError, "alpha must lie between 0 and 1"),
        ({"n_classifiers": 2, "parametric": "no"}, InvalidTypeError, "parametric must be True or False"),
        ({"n_classifiers": 2, "control": 1}, InvalidTypeError, "control must be the name of a classifier, not 1"),
        ({"n_classifiers": 2, "metric": 1}, InvalidTypeError, "metric must be a name, not 1"),
        ({"n_classifiers": 2, "delimiter": ";"}, InvalidValueError, "delimiter is for reading a table"),
        ({"source": [[1], [2]]}, InvalidValueError, "n_classifiers must be at least 2, not 1"),
        ({"source": [[1, 2], [2, 3]], "n_datasets": 3}, InvalidValueError, "n_datasets must be 2 as in the data"),
        ({"source": [[1, 2], [2, 3]], "data": "folds"}, InvalidValueError, "data must be 'scores' as in the data"),
        ({"source": [[1, 2], [2, 3]], "control": "NB"}, InvalidValueError, "control must be among 'classifier 1'"),
        ({"source": 7}, InvalidTypeError, "source must be a path"),
        ({"source": read_predictions(predictions()), "metric": "roc_auc"}, InvalidValueError,
         "metric 'roc_auc' cannot be computed: the predictions hold labels only"),
        ({"source": read_predictions(predictions()), "fold": "x"}, InvalidValueError, "this source is read already"),
    ],
)  # fmt: skip
def test_messages(arguments: dict, error: type[EvalstatsError], message: str) -> None:
    with pytest.raises(error, match=message):
        which_test(**arguments)


def test_options_of_reading_are_passed_on() -> None:
    text = io.StringIO("name;NB;SVM\nx;0,5;0,6\ny;0,7;0,5\n")

    assert which_test(text, delimiter=";", decimal=",").design.n_datasets == 2


# --- the flow chart ---------------------------------------------------------------------------------------------------


def flow_chart() -> str:
    return runpy.run_path(str(ROOT / "docs" / "figures" / "which_test.py"))["svg"]()


def test_flow_chart_is_what_the_tree_gives() -> None:
    assert (ROOT / "docs" / "figures" / "which-test.svg").read_text(encoding="utf-8") == flow_chart()


def test_flow_chart_shows_every_test() -> None:
    shown = [text.text for text in ET.fromstring(flow_chart()).iter("{http://www.w3.org/2000/svg}text")]

    assert all(leaf.test is None or leaf.test in shown for leaf in LEAVES)
    assert all(any(name in text for text in shown) for leaf in LEAVES for name in leaf.posthoc)


def test_page_explains_every_warning() -> None:
    page = (ROOT / "docs" / "reference" / "comparison" / "advice.md").read_text(encoding="utf-8")
    source = (ROOT / "evalstats" / "comparison" / "advice.py").read_text(encoding="utf-8")
    found = {line.split('"')[1] for line in source.splitlines() if line.startswith('        "') and '": _' in line}

    assert len(found) > 10
    assert all(f"| `{code}` |" in page for code in found)
