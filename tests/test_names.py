"""Names of classifiers in a table are the names in the result, whatever holds the table."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from public_names import public_functions

import evalstats
from evalstats import InvalidValueError, bonferroni_dunn_test, friedman_test, nemenyi_test
from evalstats._result import Record

NAMES = ("alpha", "beta", "gamma")
SCORES = np.round(np.random.default_rng(1).random((8, 3)), 3)
FRAME = pd.DataFrame(SCORES, columns=list(NAMES))
NAMED: dict[str, Any] = {
    "pandas": FRAME,
    "polars": pl.DataFrame(SCORES, schema=list(NAMES)),
    "structured array": np.array([tuple(row) for row in SCORES], dtype=[(name, float) for name in NAMES]),
    "score table": evalstats.ScoreTable(
        scores=SCORES, datasets=tuple("abcdefgh"), classifiers=NAMES, greater_is_better=True
    ),
}
# options that a function requires, or that keep it fast
OPTIONS = {
    "n_train": 80,
    "n_test": 20,
    "n_resamples": 49,
    "n_simulations": 50,
    "n_selected": 2,
    "control": "beta",
    "tasks": list("uuuuvvvv"),
    "subgroup": list("ababababab")[:8],
}
# the rows of these are the classifiers, or they have no classifiers
OTHER = {
    *("dea_efficiency", "pareto_front", "ranks_by_metric"),
    *(
        "metrics.clustered_mean",
        "metrics.cross_validated_mean",
        "nested_cross_validated_mean",
        "run_distribution",
        "long_run_mean",
        "variance_components",
        "question_variance",
    ),
    *("kendall_w", "page_test", "jonckheere_block_test"),
}
TESTS = [
    name
    for name, function in public_functions().items()
    if next(iter(inspect.signature(function).parameters), "") == "scores" and name not in OTHER
]


def called(name: str, scores: Any) -> Record:
    function: Callable[..., Any] = public_functions()[name]
    taken = inspect.signature(function).parameters
    return function(scores, **{option: value for option, value in OPTIONS.items() if option in taken})


@pytest.mark.filterwarnings("ignore::evalstats.EvalstatsWarning")
@pytest.mark.parametrize("name", TESTS)
def test_result_has_the_names_of_every_kind_of_table(name: str) -> None:
    assert {kind: called(name, table).classifiers for kind, table in NAMED.items()} == dict.fromkeys(NAMED, NAMES)


def test_array_gets_no_invented_names() -> None:
    assert friedman_test(SCORES).classifiers is None
    assert "classifiers" not in nemenyi_test(SCORES).to_columns()


@pytest.mark.parametrize("kind", NAMED)
def test_numbers_are_those_of_the_array(kind: str) -> None:
    np.testing.assert_array_equal(nemenyi_test(NAMED[kind]).pvalue, nemenyi_test(SCORES).pvalue)


def test_posteriors_of_pairs_are_told_by_names() -> None:
    table = evalstats.bayes.bayes_pairwise_sign_test(FRAME, n_simulations=50).to_columns()

    assert list(zip(table["first"], table["second"], strict=True)) == [
        ("alpha", "beta"), ("alpha", "gamma"), ("beta", "gamma"),
    ]  # fmt: skip


def test_strengths_are_told_by_names() -> None:
    assert evalstats.multiple.bradley_terry_model(FRAME).to_columns()["classifier"] == list(NAMES)
    assert evalstats.multiple.plackett_luce_model(FRAME).to_columns()["classifier"] == list(NAMES)


def test_name_that_occurs_twice_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="columns of scores must have different names, but 'a' occurs twice"):
        nemenyi_test(FRAME.set_axis(["a", "b", "a"], axis=1))


def test_names_of_two_levels_are_refused() -> None:
    two = pd.MultiIndex.from_tuples([("x", "a"), ("x", "b"), ("y", "a")])

    with pytest.raises(InvalidValueError, match="must have one name each, but they have 2 levels"):
        nemenyi_test(FRAME.set_axis(two, axis=1))


def test_control_that_is_missing_is_told_with_the_closest_name() -> None:
    with pytest.raises(InvalidValueError, match=r"not 'alhpa'; did you mean 'alpha'\?"):
        bonferroni_dunn_test(FRAME, control="alhpa")


def test_names_that_are_numbers_are_names() -> None:
    numbered = FRAME.set_axis([10, 20, 30], axis=1)

    assert bonferroni_dunn_test(numbered, control=20).control == 20
    with pytest.raises(InvalidValueError, match="control must be one of 10, 20, 30, not 1"):
        bonferroni_dunn_test(numbered, control=1)


def test_table_of_losses_is_refused_where_larger_is_better() -> None:
    """A test that ranks would call the worst classifier the best."""
    losses = evalstats.ScoreTable(scores=SCORES, datasets=tuple("abcdefgh"), classifiers=NAMES, greater_is_better=False)

    with pytest.raises(InvalidValueError, match="in this table smaller is better"):
        friedman_test(losses)
