"""The properties of a design are the answers to the questions of the tree."""

from __future__ import annotations

import itertools

import pytest

from evalstats import which_test
from evalstats.comparison.advice.decision_tree import NODES, TREE, ExperimentDesign, Leaf, Question
from evalstats.comparison.advice.recommendation import _walk

LEAVES = [node for node in TREE if isinstance(node, Leaf)]
QUESTIONS = [node for node in TREE if isinstance(node, Question)]
# every design that the properties of ExperimentDesign tell apart
DESIGNS = [
    {"data": data, "n_classifiers": k, "n_datasets": n, "n_folds": folds, "n_repeats": repeats, "metric": metric}
    | {"control": control, "parametric": parametric}
    for data, k, n, (folds, repeats), metric, control, parametric in itertools.product(
        ("scores", "folds", "runs", "predictions", "probabilities", "answers"),
        (2, 3),
        (1, 7),
        ((1, 1), (10, 1), (2, 5), (10, 10)),
        ("accuracy", "roc_auc", "f1"),
        (None, "a"),
        (False, True),
    )
    if data != "scores" or folds * repeats == 1
    if data != "runs" or (folds, repeats) == (2, 5)
]
# only predictions that are read can be in clusters
CLUSTERED = [
    {"data": "predictions", "n_classifiers": k, "n_datasets": 1, "n_folds": 1, "n_repeats": 1, "metric": "roc_auc"}
    | {"control": None, "parametric": False, "n_clusters": 9}
    for k in (2, 3)
]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.key)
def test_answers_are_those_that_the_design_gives(question: Question) -> None:
    """Each answer leads on, and each value of the property has one answer."""
    values = [answer.value for answer in question.answers]
    counts = {"n_instances": None}

    given = {getattr(ExperimentDesign(**(counts | design)), question.reads) for design in (*DESIGNS, *CLUSTERED)}

    assert sorted(given) == sorted(values)
    assert all(answer.then in NODES for answer in question.answers)


def test_every_design_has_a_recommendation_and_every_recommendation_a_design() -> None:
    described = [without(design, *UNTOLD.get(design["data"], ())) for design in DESIGNS]

    reasons = {which_test(**design).reason for design in described}
    reasons |= {_walk(ExperimentDesign(n_instances=36, **design))[1].reason for design in CLUSTERED}

    assert reasons == {leaf.reason for leaf in LEAVES}


UNTOLD = {"scores": ("n_folds", "n_repeats"), "runs": ("n_folds",)}


def without(design: dict, *names: str) -> dict:
    return {name: value for name, value in design.items() if name not in names}
