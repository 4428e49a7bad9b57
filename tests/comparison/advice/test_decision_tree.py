"""The tree is complete, leads where the textbooks say, and is the one that the page draws."""

from __future__ import annotations

import runpy
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from public_names import public_names

from evalstats import which_test
from evalstats.comparison.advice.decision_tree import NODES, TREE, Leaf, Question
from evalstats.comparison.advice.recommendation import ALONE
from evalstats.comparison.registry import POSTHOC_TESTS

ROOT = Path(__file__).parents[3]
LEAVES = [ALONE, *(node for node in TREE if isinstance(node, Leaf))]
QUESTIONS = [node for node in TREE if isinstance(node, Question)]


@pytest.mark.parametrize(
    ("design", "expected"),
    [
        # the figure at the end of Japkowicz's tutorial, but for the tests of the pairs
        ({"n_classifiers": 2, "n_datasets": 10}, ["wilcoxon_test"]),
        ({"n_classifiers": 2, "n_datasets": 10, "parametric": True}, ["paired_ttest"]),
        ({"n_classifiers": 4, "n_datasets": 10}, ["friedman_test", "pairwise_wilcoxon_test"]),
        ({"n_classifiers": 4, "n_datasets": 10, "control": "NB"}, ["friedman_test", "pairwise_wilcoxon_test"]),
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
        ({"n_classifiers": 2, "data": "answers", "n_datasets": 4}, ["clustered_ttest"]),
        ({"n_classifiers": 3, "data": "answers"}, ["pairwise_clustered_ttest"]),
        ({"n_classifiers": 2}, [None]),
        ({"n_classifiers": 2, "n_folds": 1}, [None]),
    ],
)  # fmt: skip
def test_designs_lead_to_their_tests(design: dict, expected: list) -> None:
    advice = which_test(**design)

    assert [advice.test, *advice.posthoc] == expected


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.key)
def test_recommended_functions_exist(leaf: Leaf) -> None:
    names = {leaf.test, *leaf.posthoc, *(other.test for other in leaf.alternatives)} - {None}

    assert names - set(public_names()) == set()


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.key)
def test_recommendation_gives_its_reason_and_its_assumptions(leaf: Leaf) -> None:
    assert leaf.reason.endswith(".")
    assert leaf.alternatives
    assert bool(leaf.assumptions) == (leaf.test is not None)
    assert all(assumption.endswith(".") for assumption in leaf.assumptions)


def test_every_node_is_reached_and_the_keys_are_unique() -> None:
    led_to = {answer.then for question in QUESTIONS for answer in question.answers}

    assert len(NODES) == len(TREE)
    assert led_to | {TREE[0].key} == set(NODES)


def flow_chart() -> str:
    return runpy.run_path(str(ROOT / "docs" / "figures" / "which_test.py"))["svg"]()


def test_flow_chart_is_what_the_tree_gives() -> None:
    assert (ROOT / "docs" / "figures" / "which-test.svg").read_text(encoding="utf-8") == flow_chart()


def test_flow_chart_shows_every_test() -> None:
    shown = [text.text for text in ET.fromstring(flow_chart()).iter("{http://www.w3.org/2000/svg}text")]

    assert all(leaf.test is None or leaf.test in shown for leaf in LEAVES)
    assert all(any(name in text for text in shown) for leaf in LEAVES for name in leaf.posthoc)


def test_flow_chart_leads_to_the_page_of_every_test() -> None:
    links = [link.get("href") for link in ET.fromstring(flow_chart()).iter("{http://www.w3.org/2000/svg}a")]

    assert len(links) == sum(leaf.test is not None for leaf in LEAVES)
    assert [link for link in links if not (ROOT / "docs" / "figures" / link).is_file()] == []


def test_only_tests_that_hold_whoever_else_is_there_are_offered_without_an_if() -> None:
    """A test of mean ranks keeps its family-wise level if all classifiers perform equally: each offer states this."""
    gated = {test.function for test in POSTHOC_TESTS.values() if test.is_gated and not test.assumes_normality}
    gated -= {test.function for test in POSTHOC_TESTS.values() if not test.is_gated}  # by its other methods

    for leaf in LEAVES:
        assert not gated & set(leaf.posthoc)
        for other in leaf.alternatives:
            assert other.test not in gated or "if all classifiers perform equally" in other.when
