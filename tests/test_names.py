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


def tables_of(values: Any) -> dict[str, Any]:
    """Return these values in each kind of table with names."""
    return {
        "pandas": pd.DataFrame(values, columns=list(NAMES)),
        "polars": pl.DataFrame(values, schema=list(NAMES)),
        "structured array": np.array([tuple(row) for row in values], dtype=[(name, values.dtype) for name in NAMES]),
    }


def tables_of_numbers(values: Any) -> dict[str, Any]:
    """Return these tables, and a table of scores."""
    table = evalstats.ScoreTable(scores=values, datasets=tuple("abcdefgh"), classifiers=NAMES, greater_is_better=True)
    return {**tables_of(values), "score table": table}


NAMED = tables_of_numbers(SCORES)
RIGHT = tables_of_numbers((SCORES > 0.5).astype(int))
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
    *("plot.run_histograms", "plot.running_means"),
}
# the tables of these have three axes: a list of data frames
OF_LISTS = ("interquartile_mean", "optimality_gap", "verdict_reproducibility")
TESTS = {
    name: first
    for name, function in public_functions().items()
    if (first := next(iter(inspect.signature(function).parameters), "")) in ("scores", "runs", "correct")
    and name not in (*OTHER, *OF_LISTS, "pvalues_over_runs")
}
TWO_LEVELS = pd.MultiIndex.from_tuples([("x", "a"), ("x", "b"), ("y", "a")])


def called(name: str, scores: Any, **choices: Any) -> Record:
    function: Callable[..., Any] = public_functions()[name]
    taken = inspect.signature(function).parameters
    return function(scores, **{option: value for option, value in (OPTIONS | choices).items() if option in taken})


@pytest.mark.filterwarnings("ignore::evalstats.EvalstatsWarning")
@pytest.mark.parametrize("name", TESTS)
def test_result_has_the_names_of_every_kind_of_table(name: str) -> None:
    tables = RIGHT if TESTS[name] == "correct" else NAMED

    assert {kind: called(name, table).classifiers for kind, table in tables.items()} == dict.fromkeys(tables, NAMES)


@pytest.mark.filterwarnings("ignore::evalstats.EvalstatsWarning")
@pytest.mark.parametrize("name", OF_LISTS)
def test_result_has_the_names_of_the_tables_of_a_list(name: str) -> None:
    frames = [FRAME, FRAME**2, FRAME / 2]

    assert called(name, frames).classifiers == NAMES
    assert called(name, np.stack(frames), control=1).classifiers is None
    with pytest.raises(InvalidValueError, match=r"columns of runs\[0\] must have different names"):
        called(name, [frame.set_axis(["a"] * 3, axis=1) for frame in frames], control=0)


def test_runs_of_one_classifier_have_no_names_of_classifiers() -> None:
    """The columns are datasets."""
    assert evalstats.reproducibility.interquartile_mean(FRAME, n_resamples=49).classifiers is None


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "b", "a"], "must have different names, but 'a' occurs twice"),
        (TWO_LEVELS, "must have one name each, but their names have 2 levels"),
    ],
)
@pytest.mark.parametrize("name", [*TESTS, "interquartile_mean"])
def test_ambiguous_names_are_refused(name: str, names: Any, message: str) -> None:
    table = RIGHT["pandas"] if TESTS.get(name) == "correct" else FRAME

    with pytest.raises(InvalidValueError, match=f"columns of {TESTS.get(name, 'runs')} {message}"):
        called(name, table.set_axis(names, axis=1), control=0)


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


PAIRS: dict[Callable[..., Any], tuple[str, str]] = {
    evalstats.pairwise.pairwise_mean_differences: ("estimate", "estimate"),
    evalstats.effects.pairwise_vargha_delaney_a: ("estimate", "estimate"),
    evalstats.effects.contrast_estimation: ("contrast", "contrasts"),
    evalstats.reproducibility.overlap_matrix: ("n_wins", "n_wins"),
    nemenyi_test: ("pvalue", "pvalue"),
}


@pytest.mark.parametrize("test", PAIRS)
class TestPairs:
    def test_pair_is_returned_by_names_or_positions(self, test: Callable[..., Any]) -> None:
        result, nameless, (of_pair, of_all) = test(FRAME), test(SCORES), PAIRS[test]
        pair = result["gamma", "alpha"]

        assert (pair.first, pair.second, nameless[2, 0].first) == ("gamma", "alpha", 2)
        assert repr(pair.to_dict()) == repr(result.pair("gamma", "alpha").to_dict())
        assert getattr(pair, of_pair) == getattr(nameless[2, 0], of_pair) == getattr(result, of_all)[2, 0]

    def test_unknown_name_is_told_with_the_closest_name(self, test: Callable[..., Any]) -> None:
        with pytest.raises(InvalidValueError, match=r"must be one of 'alpha', .*, not 'gama'; did you mean 'gamma'\?"):
            test(FRAME)["alpha", "gama"]

    def test_classifier_has_no_pair_with_itself(self, test: Callable[..., Any]) -> None:
        with pytest.raises(InvalidValueError, match="a pair has two classifiers, but both are 'beta'"):
            test(FRAME)["beta", "beta"]


@pytest.mark.parametrize(
    "test", [evalstats.pairwise.pairwise_mean_differences, evalstats.effects.pairwise_vargha_delaney_a]
)
def test_second_of_a_pair_is_the_control(test: Callable[..., Any]) -> None:
    result = test(FRAME, control="beta")

    assert result["gamma", "beta"].estimate == result.estimate[2] == test(FRAME)["gamma", "beta"].estimate
    with pytest.raises(InvalidValueError, match="the second classifier must be the control 'beta'"):
        result["beta", "gamma"]


def test_two_classifiers_and_batches_have_no_pair_by_name() -> None:
    with pytest.raises(InvalidValueError, match="OverlapResult has no pairs"):
        evalstats.overlap(SCORES[:, 0], SCORES[:, 1]).pair(0, 1)
    with pytest.raises(InvalidValueError, match="ContrastEstimation belongs to a batch"):
        evalstats.effects.contrast_estimation(np.stack([SCORES, SCORES]))[0, 1]


OF_RATERS = ("fleiss_kappa", "gwet_ac1", "krippendorff_alpha", "light_kappa")
LABELS = np.where(SCORES > 0.5, "good", "poor")


@pytest.mark.parametrize("name", OF_RATERS)
def test_raters_have_the_names_of_every_kind_of_table(name: str) -> None:
    tables = tables_of(LABELS)

    assert {kind: called(name, table).raters for kind, table in tables.items()} == dict.fromkeys(tables, NAMES)
    assert called(name, LABELS).raters is None
    assert {called(name, table).estimate for table in tables.values()} == {called(name, LABELS).estimate}
    with pytest.raises(InvalidValueError, match="columns of ratings must have different names, but 'a' occurs twice"):
        called(name, tables["pandas"].set_axis(["a", "b", "a"], axis=1))


def test_strengths_are_told_by_names() -> None:
    assert evalstats.multiple.bradley_terry_model(FRAME).to_columns()["classifier"] == list(NAMES)
    assert evalstats.multiple.plackett_luce_model(FRAME).to_columns()["classifier"] == list(NAMES)


@pytest.mark.parametrize("kind", NAMED)
def test_predicted_order_is_given_and_told_by_names(kind: str) -> None:
    order = ("gamma", "alpha", "beta")

    for test in (evalstats.multiple.page_test, evalstats.multiple.jonckheere_block_test):
        result, nameless = test(NAMED[kind], order=order), test(SCORES, order=(2, 0, 1))
        assert (result.order, nameless.order) == (order, (2, 0, 1))
        assert result.statistic == nameless.statistic


def test_pairs_of_runs_and_aggregates_are_told_by_names() -> None:
    pairs = evalstats.reproducibility.overlap_matrix(FRAME).to_columns()
    verdicts = evalstats.reproducibility.verdict_reproducibility([FRAME, FRAME**2], control="beta")
    aggregates = evalstats.reproducibility.interquartile_mean([FRAME, FRAME**2], n_resamples=49).to_columns()

    assert (pairs["first"], pairs["second"]) == (["alpha", "alpha", "beta"], ["beta", "gamma", "gamma"])
    assert (verdicts.control, verdicts.to_columns()["second"]) == ("beta", pairs["second"])
    assert aggregates["classifier"] == list(NAMES)


@pytest.mark.parametrize("kind", ["pandas", "polars", "structured array"])
def test_column_of_text_is_told_by_its_name(kind: str) -> None:
    """A frame of polars has no index, so the names of the datasets are a column."""
    polars = pl.DataFrame({"alpha": SCORES[:, 0], "data": list("abcdefgh"), "beta": SCORES[:, 1]})
    fields = [("alpha", float), ("data", "U9"), ("beta", float)]
    table = {
        "pandas": pd.DataFrame(polars.to_dict(as_series=False)),
        "polars": polars,
        "structured array": np.array(polars.rows(), dtype=fields),
    }[kind]

    with pytest.raises(evalstats.InvalidTypeError, match="scores must be numbers, but its column 'data' has 'a'; drop"):
        nemenyi_test(table)


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

    with pytest.raises(InvalidValueError, match="in this table, smaller values are better"):
        friedman_test(losses)
