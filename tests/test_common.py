"""What holds for every hypothesis test stands here, once."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import pkgutil
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from public_names import public_functions
from repetitions import repetitions
from sklearn.naive_bayes import GaussianNB

import evalstats
from evalstats._declarations import Data, all_declarations
from evalstats._result import HypothesisTestResult, Record
from evalstats.adjustment.pairwise import PAIRWISE_ONLY
from evalstats.adjustment.pvalues import ADJUSTMENTS

# the tests that are declared, with their variants
DECLARED = {one.name: one for one in all_declarations()}


def with_variants(*, of: tuple[Data, ...]) -> dict[str, Callable[..., Any]]:
    """Return the declared tests for which the common laws hold, by name and variant."""
    common = [
        one
        for one in DECLARED.values()
        if one.data in of
        and "any order" not in one.excused
        and {"alternative", "greater_is_better"} & set(inspect.signature(one.function).parameters)
        and "margin" not in one.example
    ]
    return {
        ", ".join(filter(None, (one.name, variant))): partial(one.function, **one.example, **choices)
        for one in common
        for variant, choices in {"": {}, **one.variants}.items()
    }


PAIRED = with_variants(of=(Data.PAIRS, Data.CLUSTERED_PAIRS))
MULTIPLE = with_variants(of=(Data.RANKED_TABLE,))
# tests of data of another kind that are not declared, and where their laws stand
NOT_COMMON = {
    "alternative_annotator_test": "has one p-value for each annotator: tests/agreement/test_alternative_annotators.py",
    "bayes_accuracy_test": "has probabilities and no p-value: tests/bayes/test_accuracy.py",
    "bayes_correlated_ttest": "has probabilities and no p-value: tests/bayes/test_correlated_t.py",
    "bayes_hierarchical_test": "has probabilities and no p-value: tests/bayes/test_hierarchical.py",
    "bayes_pairwise_correlated_ttest": "has probabilities and no p-value: tests/bayes/test_correlated_t.py",
    "bayes_pairwise_sign_test": "has probabilities and no p-value: tests/bayes/test_sign.py",
    "bayes_pairwise_signed_rank_test": "has probabilities and no p-value: tests/bayes/test_signed_rank.py",
    "bayes_sign_test": "has probabilities and no p-value: tests/bayes/test_sign.py",
    "bayes_signed_rank_test": "has probabilities and no p-value: tests/bayes/test_signed_rank.py",
    "classifier_two_sample_test": "takes samples of cases: tests/shift/test_two_sample.py",
    "label_permutation_test": "takes a classifier and its cases: tests/study/test_label_permutation.py",
    "mmd_test": "takes samples of cases: tests/shift/test_mmd.py",
    "cochran_q_test": "takes right and wrong answers: tests/multiple/test_cochran.py",
    "jonckheere_block_test": "depends on the order of the classifiers: tests/multiple/test_jonckheere.py",
    "jonckheere_test": "takes independent groups: tests/multiple/test_jonckheere.py",
    "gap_change_test": "takes predictions and subgroups: tests/paired/test_subgroups.py",
    "metrics.recalibration_test": "takes probabilities: tests/metrics/test_recalibration.py",
    "metrics.spiegelhalter_test": "takes probabilities: tests/metrics/test_spiegelhalter.py",
    "which_test": "recommends a test and is none: tests/comparison/advice/test_recommendation.py",
}
# the p-values of these come from a random sample, whose draws follow the order of the input
SAMPLED = {"friedman_test, monte-carlo", "quade_test, monte-carlo"}
# these compare the sizes of differences too, not only the order of the classifiers on each dataset
OF_SIZES = ("friedman_aligned_", "quade_")
# the variance of these is estimated from the data and may be as small as you like, and so the p-value
WITHOUT_SMALLEST_PVALUE = {"conover_test", "conover_test, control", "quade_posthoc_test, t"}

paired = pytest.mark.parametrize("test", PAIRED.values(), ids=PAIRED.keys())
multiple = pytest.mark.parametrize("test", MULTIPLE.values(), ids=MULTIPLE.keys())

X = np.array([0.81, 0.64, 0.70, 0.93, 0.55, 0.78, 0.88, 0.61, 0.72])
Y = np.array([0.79, 0.66, 0.65, 0.93, 0.50, 0.70, 0.85, 0.62, 0.60])
SCORES = np.array(
    [
        [0.81, 0.79, 0.70],
        [0.64, 0.66, 0.60],
        [0.70, 0.65, 0.65],
        [0.93, 0.91, 0.90],
        [0.55, 0.50, 0.52],
        [0.78, 0.70, 0.77],
    ]
)


def call(test: Callable[..., Any], function: str) -> Any:
    return test(X, Y) if function in PAIRED else test(SCORES)


ALL = {**PAIRED, **MULTIPLE}
every = pytest.mark.parametrize("name", ALL)


@pytest.mark.parametrize(
    ("function", "name", "shape"),
    [
        *((test, "scores", (0, 5, 3)) for test in MULTIPLE.values()),
        (evalstats.cochran_q_test, "correct", (0, 5, 3)),
        (evalstats.pairwise_mcnemar_test, "correct", (0, 5, 3)),
        (evalstats.cohen_kappa_table, "table", (0, 2, 2)),
        (evalstats.paired.square_table_test, "table", (0, 3, 3)),
        (partial(evalstats.metrics.score_from_counts, "f1"), "counts", (0, 2, 2)),
        (evalstats.metrics.accuracy_interval, "counts", (0, 2, 2)),
    ],
)
def test_batch_of_no_tables_is_called_so(function: Callable[..., Any], name: str, shape: tuple[int, ...]) -> None:
    """The rows and columns of its shape are right: what is missing is a table."""
    data = np.zeros(shape, dtype=bool if name == "correct" else float)

    with pytest.raises(evalstats.InvalidValueError) as refused:
        function(data)

    assert str(refused.value) == f"{name} must hold at least one table, but its shape is {shape}"


def test_every_public_test_stands_in_this_file() -> None:
    """A test that is added without its common laws fails here."""
    public = {name for name in public_functions() if name.endswith(("_test", "_ttest", "_5x2cv"))}
    here = {name.partition(",")[0] for name in ALL}

    assert here | set(NOT_COMMON) | set(DECLARED) & public == public


@every
def test_statistic_and_pvalue_unpack(name: str) -> None:
    result = call(ALL[name], name)

    statistic, pvalue = result

    assert statistic is result.statistic
    assert pvalue is result.pvalue


@every
def test_result_is_frozen(name: str) -> None:
    result = call(ALL[name], name)

    with pytest.raises(dataclasses.FrozenInstanceError):
        result.pvalue = 0.0


@every
def test_result_is_a_record_of_plain_values(name: str) -> None:
    """to_dict survives JSON, holds every public field and nothing of numpy."""
    result = call(ALL[name], name)

    record = result.to_dict()

    assert isinstance(result, HypothesisTestResult)
    assert list(record) == [f.name for f in dataclasses.fields(result) if not f.name.startswith("_")]
    assert json.loads(json.dumps(record)).keys() == record.keys()


@every
def test_data_by_position_choices_by_keyword(name: str) -> None:
    function = public_functions()[name.partition(",")[0]]
    kinds = [p.kind for p in inspect.signature(function).parameters.values()]
    n_data = 2 if name in PAIRED else 1

    assert all(kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for kind in kinds[:n_data])
    assert all(kind is inspect.Parameter.KEYWORD_ONLY for kind in kinds[n_data:])


def test_docstring_lets_a_stranger_use_the_function(hold_for_each) -> None:
    """Every public function says what it takes, what it returns, and shows it; every test names its source."""

    def law(name: str) -> None:
        doc = inspect.getdoc(public_functions()[name]) or ""
        sections = ["Parameters", "Returns", "Examples"]
        if name.endswith(("_test", "_ttest", "_5x2cv")):
            sections += ["References", "Raises"]
        missing = [s for s in sections if f"{s}\n{'-' * len(s)}" not in doc]

        assert ">>> " in doc
        assert missing == [] or (
            missing == ["Parameters"] and not inspect.signature(public_functions()[name]).parameters
        )

    hold_for_each({name: (name,) for name in public_functions() if "." not in name}, law)


@every
def test_input_is_left_alone(name: str) -> None:
    state = np.random.get_state()[1].copy()  # noqa: NPY002 - the global state is what must not change
    x, y, scores = X.copy(), Y.copy(), SCORES.copy()
    for array in (x, y, scores):
        array.flags.writeable = False

    ALL[name](x, y) if name in PAIRED else ALL[name](scores)

    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002 - as above


@paired
def test_one_problem_gives_plain_numbers(test: Callable[..., Any]) -> None:
    result = test(X, Y)

    assert type(result.statistic) is float
    assert type(result.pvalue) is float
    assert type(result.method) is str
    assert result.reason is None


@paired
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_swapping_x_and_y_mirrors_the_result(test: Callable[..., Any], alternative: str) -> None:
    mirrored = {"two-sided": "two-sided", "less": "greater", "greater": "less"}[alternative]

    assert test(X, Y, alternative=alternative).pvalue == pytest.approx(
        test(Y, X, alternative=mirrored).pvalue, rel=1e-12
    )


@paired
def test_one_sided_pvalues_point_the_right_way(test: Callable[..., Any]) -> None:
    """'greater' means that x is larger, and here it is."""
    assert test(X, Y, alternative="greater").pvalue < 0.5 < test(X, Y, alternative="less").pvalue


@paired
def test_statistic_does_not_depend_on_the_alternative(test: Callable[..., Any]) -> None:
    assert (
        test(X, Y).statistic == test(X, Y, alternative="less").statistic == test(X, Y, alternative="greater").statistic
    )


@paired
def test_order_of_the_pairs_does_not_matter(test: Callable[..., Any]) -> None:
    order = np.random.default_rng(3).permutation(len(X))

    assert test(X[order], Y[order]).pvalue == pytest.approx(test(X, Y).pvalue, rel=1e-12)


@paired
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_identical_classifiers_give_p_one_and_a_reason(test: Callable[..., Any], alternative: str) -> None:
    result = test(X, X, alternative=alternative)

    assert result.pvalue == 1
    assert isinstance(result.reason, str)


@paired
def test_noise_of_floating_point_is_a_tie(test: Callable[..., Any]) -> None:
    """0.1 + 0.2 and 0.3 are the same score."""
    result = test([0.1 + 0.2, 0.7, 0.6], [0.3, 0.7, 0.6])

    assert result.pvalue == 1
    assert result.reason is not None


@paired
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_batch_equals_the_loop_over_its_members(test: Callable[..., Any], alternative: str) -> None:
    rng = np.random.default_rng(4)
    x = np.round(rng.random((4, 3, 9)), 1)
    y = np.round(rng.random((4, 3, 9)), 1)
    x[0, 0] = y[0, 0]

    batch = test(x, y, alternative=alternative)

    assert batch.statistic.shape == batch.pvalue.shape == (4, 3)
    for at in np.ndindex(4, 3):
        member = test(x[at], y[at], alternative=alternative)
        assert (batch.statistic[at], batch.pvalue[at]) == (member.statistic, member.pvalue)
        assert (batch.method[at], batch.reason[at]) == (member.method, member.reason)


@paired
def test_leading_axes_broadcast(test: Callable[..., Any]) -> None:
    """All pairs of k classifiers are one call."""
    scores = np.random.default_rng(5).random((3, 8))

    batch = test(scores[:, None], scores[None])

    assert batch.pvalue.shape == (3, 3)
    assert batch.pvalue[0, 2] == test(scores[0], scores[2]).pvalue


@paired
def test_any_kind_of_numbers_will_do(test: Callable[..., Any]) -> None:
    x, y = [3, 5, 2, 7, 9, 4], [1, 6, 2, 3, 5, 1]
    expected = tuple(test(x, y))

    assert tuple(test(np.array(x, dtype=np.int8), np.array(y, dtype=np.float32))) == expected
    assert tuple(test(pd.Series(x), pd.Series(y))) == expected
    assert tuple(test([Fraction(v) for v in x], tuple(y))) == expected


def refuses(test: Callable[..., Any], data: tuple[Any, ...], message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        test(*data)

    assert isinstance(caught.value, evalstats.EvalstatsError)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, 2, 3], [1, 2], "x and y must be paired: x has 3 values, y has 2"),
        ([1, np.nan], [1, 2], "x must be finite, but x[1] is nan"),
        ([1, 2], [np.inf, 2], "y must be finite, but y[0] is inf"),
        ([], [], "x and y must have at least"),
        (1.0, 2.0, "x must have at least one axis"),
        (["a", "b"], [1, 2], "x must be numbers, but x[0] is 'a'"),
        ([1, None], [1, 2], "x must be numbers, but x[1] is None"),
        ([[1, 2], [1]], [1, 2], "x must be a regular array"),
        ([1 + 2j, 1], [1, 2], "x must be real numbers"),
        (np.ma.masked_array([1.0, 2.0], [False, True]), [1, 2], "x[1] is masked"),
        (np.ones((2, 3)), np.ones((3, 3)), "leading axes of x and y must broadcast"),
        (pd.Series([1, 2], index=[0, 1]), pd.Series([1, 2], index=[1, 0]), "equal indexes"),
    ],
)
def test_bad_pairs_are_refused_by_name(hold_for_each, x: Any, y: Any, message: str) -> None:
    hold_for_each({name: (test, (x, y), message) for name, test in PAIRED.items()}, refuses)


@paired
def test_unknown_alternative_is_refused(test: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="alternative must be 'two-sided' or 'less' or 'greater', not 'more'"):
        test(X, Y, alternative="more")


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[1, 2, 3], [1, np.nan, 3]], "scores must be finite, but scores[1, 1] is nan"),
        ([1, 2, 3], "shape (n_datasets, n_classifiers)"),
        ([[1], [2]], "2 classifiers"),
        (np.empty((0, 3)), "at least 1 dataset"),
        ([["a", "b"]], "scores must be numbers, but scores[0, 0] is 'a'"),
        (
            pd.DataFrame({"C4.5": [1, 2], "NB": [3, np.inf]}, index=["iris", "wine"]),
            "scores[1, 1] (dataset 'wine', classifier 'NB') is inf",
        ),
    ],
)
def test_bad_scores_are_refused_by_name(hold_for_each, scores: Any, message: str) -> None:
    hold_for_each({name: (test, (scores,), message) for name, test in MULTIPLE.items()}, refuses)


@pytest.mark.parametrize("name", MULTIPLE)
def test_relabeling_classifiers_permutes_the_result(name: str) -> None:
    """The last classifiers change places; the control of Bonferroni-Dunn stays the first."""
    here, there = MULTIPLE[name](SCORES), MULTIPLE[name](SCORES[:, [0, 2, 1]])

    np.testing.assert_allclose(there.mean_ranks, np.asarray(here.mean_ranks)[[0, 2, 1]], rtol=1e-14)
    if np.ndim(here.pvalue) == 2:
        np.testing.assert_array_equal(there.pvalue, here.pvalue[np.ix_([0, 2, 1], [0, 2, 1])])
    elif np.ndim(here.pvalue) == 1:
        np.testing.assert_array_equal(there.pvalue, here.pvalue[[0, 2, 1]])
    elif name not in SAMPLED:
        assert there.pvalue == pytest.approx(here.pvalue, rel=1e-12)


@multiple
def test_order_of_the_datasets_does_not_matter(test: Callable[..., Any]) -> None:
    here, there = test(SCORES), test(SCORES[::-1])

    np.testing.assert_allclose(there.statistic, here.statistic, rtol=1e-12)


@multiple
def test_smaller_is_better_equals_negated_scores(test: Callable[..., Any]) -> None:
    here, there = test(SCORES, greater_is_better=False), test(-SCORES)

    np.testing.assert_array_equal(here.statistic, there.statistic)
    np.testing.assert_array_equal(here.pvalue, there.pvalue)
    np.testing.assert_array_equal(here.mean_ranks, there.mean_ranks)


@pytest.mark.parametrize("name", [name for name in MULTIPLE if not name.startswith(OF_SIZES)])
def test_ranks_do_not_care_for_monotone_transformations(name: str) -> None:
    here, there = MULTIPLE[name](SCORES), MULTIPLE[name](np.exp(5 * SCORES))

    np.testing.assert_array_equal(here.statistic, there.statistic)
    np.testing.assert_array_equal(here.pvalue, there.pvalue)


@multiple
def test_batch_of_tables_equals_the_loop(test: Callable[..., Any]) -> None:
    tables = np.round(np.random.default_rng(6).random((2, 3, 5, 4)), 1)
    tables[0, 0] = 0.5

    batch = test(tables)

    for at in np.ndindex(2, 3):
        member = test(tables[at])
        np.testing.assert_array_equal(batch.statistic[at], member.statistic)
        np.testing.assert_array_equal(batch.pvalue[at], member.pvalue)
        np.testing.assert_array_equal(batch.mean_ranks[at], member.mean_ranks)
        assert (batch.method[at], batch.reason[at]) == (member.method, member.reason)


@multiple
def test_all_tied_gives_p_one_and_a_reason(test: Callable[..., Any]) -> None:
    result = test(np.full((5, 3), 0.5))

    assert np.all(np.isnan(result.pvalue) | (result.pvalue == 1))
    assert np.nanmin(result.pvalue) == 1
    assert isinstance(result.reason, str)
    np.testing.assert_array_equal(result.mean_ranks, [2, 2, 2])


@pytest.mark.parametrize("shape", [(1, 3), (4, 2), (1, 2)])
def test_one_dataset_and_two_classifiers_are_allowed(hold_for_each, shape: tuple[int, int]) -> None:
    def law(name: str) -> None:
        result = MULTIPLE[name](np.random.default_rng(7).random(shape))

        assert np.all(np.isnan(result.pvalue) | ((result.pvalue > 0) & (result.pvalue <= 1)))
        assert name in WITHOUT_SMALLEST_PVALUE or 0 < result.min_attainable_pvalue <= 1

    hold_for_each({name: (name,) for name in MULTIPLE}, law)


# one sign for one kind of quantity: see "What the sign of a statistic says" in docs/results-and-errors.md
OF_MEANS = {
    "tukey_test": evalstats.tukey_test,
    "dunnett_test": lambda scores: evalstats.multiple.dunnett_test(scores, control=2),
    "pairwise_clustered_ttest": evalstats.pairwise.pairwise_clustered_ttest,
    "pairwise_paired_ttest": evalstats.pairwise.pairwise_paired_ttest,
    "pairwise_corrected_ttest": lambda scores: evalstats.pairwise.pairwise_corrected_ttest(scores, n_train=9, n_test=1),
}


def of_first_and_last(result: Any) -> float:
    """Return the statistic of the first classifier against the third."""
    return float(result.statistic[0] if result.statistic.ndim == 1 else result.statistic[0, 2])


@pytest.mark.parametrize("name", OF_MEANS)
def test_statistics_of_means_are_positive_where_the_first_has_the_larger_scores(name: str) -> None:
    assert SCORES[:, 0].mean() > SCORES[:, 2].mean()
    assert of_first_and_last(OF_MEANS[name](SCORES)) > 0


@pytest.mark.parametrize("name", [name for name, test in MULTIPLE.items() if np.ndim(test(SCORES).statistic)])
@pytest.mark.parametrize("greater_is_better", [True, False])
def test_statistics_of_ranks_are_positive_where_the_first_ranks_worse(name: str, greater_is_better: bool) -> None:
    """Rank 1 is the best, of accuracies and of losses; with a control, which is the first column, it is the second."""
    result = MULTIPLE[name](SCORES if greater_is_better else 1 - SCORES, greater_is_better=greater_is_better)

    assert result.mean_ranks[2] > result.mean_ranks[0]
    assert result.statistic[(2, 0)[: np.ndim(result.statistic)]] > 0


# What gives p-values, with data as extreme as they come: x is better than y everywhere, and by far.
MANY = 6000
CLEAR = np.random.default_rng(0).random(MANY) + 10.0
FAR = np.outer(np.linspace(1.0, 1.1, MANY), 10.0 ** np.arange(6))
NEARLY = np.vstack([FAR, FAR[:1, ::-1]])  # all datasets agree but one
LABELS = np.arange(MANY) % 2
RATED = np.column_stack([LABELS, LABELS, np.where(CLEAR > 10.99, 0, LABELS)])
FOLDS = np.random.default_rng(1).normal(size=(5, 2))
CLEAR_CUT: dict[Data, tuple[Any, ...]] = {
    Data.PAIRS: (CLEAR, np.zeros(MANY)),
    Data.CLUSTERED_PAIRS: (CLEAR, np.zeros(MANY)),
    Data.SUBGROUPS: (CLEAR * LABELS, np.zeros(MANY), LABELS),
    Data.JUDGED_PAIRS: (CLEAR, np.zeros(MANY), CLEAR, np.zeros(MANY)),
    Data.REPEATED_FOLDS: (1e9 + CLEAR[:100].reshape(10, 10), np.zeros((10, 10))),
    Data.LEARNING_CURVES: (1e9 + CLEAR[:300].reshape(100, 3), np.zeros((100, 3))),
    Data.ANSWERS: (np.ones(MANY, dtype=bool), np.zeros(MANY, dtype=bool)),
    Data.CLASS_SCORES: (LABELS, LABELS + CLEAR / 20, CLEAR),
    Data.PROBABILITIES: (LABELS, 0.5 + 0.1 * (CLEAR - 10), 0.5 + (LABELS - 0.5) * (CLEAR - 10)),
    Data.TWO_TEST_SETS: (LABELS, LABELS + CLEAR / 20, LABELS, CLEAR),
    Data.CLUSTERED_CLASS_SCORES: (LABELS, LABELS + CLEAR / 20, CLEAR, np.arange(MANY)),
    Data.READERS: (
        LABELS[:600],
        LABELS[:600] * [[[0.0]] * 40, [[3.0]] * 40] + np.random.default_rng(2).normal(size=(2, 40, 600)),
    ),
    Data.FOLDED_PAIRS: (CLEAR, np.zeros(MANY), LABELS),
    Data.CLASSIFIED: (LABELS, LABELS, 1 - LABELS),
}
ALL_RIGHT = np.ones(MANY, dtype=bool)
EXTREME: dict[str, Callable[[Any], Any]] = {
    **{
        name: partial(lambda data, one, test: test(*data, **one.example), CLEAR_CUT[one.data], one)
        for name, one in DECLARED.items()
        if one.data in CLEAR_CUT
    },
    **dict.fromkeys(PAIRED, lambda test: test(CLEAR, np.zeros(MANY))),
    **dict.fromkeys(MULTIPLE, lambda test: test(NEARLY)),
    **{
        f"{name}_test, counts": lambda test: test(positives=[[0, 10**9], [0, 0]], negatives=[[0, 0], [10**9, 0]])
        for name in ("predictive_value", "sensitivity_specificity")
    },
    "friedman_test, exact": lambda test: test(NEARLY[:, :2]),
    "equivalence_test, counts": lambda test: test(counts=[[10**9, 0], [0, 0]], margin=0.5, test="accuracy"),
    "equivalence_test, accuracy": lambda test: test(ALL_RIGHT, ALL_RIGHT, margin=0.9, test="accuracy"),
    "noninferiority_test, counts": lambda test: test(counts=[[0, 10**9], [0, 0]], margin=0.5, test="accuracy"),
    "noninferiority_test, accuracy": lambda test: test(ALL_RIGHT, ~ALL_RIGHT, margin=0.9, test="accuracy"),
    "equivalence_test, auc": lambda test: test(CLEAR, CLEAR[::-1], y_true=LABELS, margin=0.9, test="auc"),
    "noninferiority_test, auc": lambda test: test(LABELS + CLEAR / 20, CLEAR, y_true=LABELS, margin=0.9, test="auc"),
    "equivalence_test": lambda test: test(CLEAR, CLEAR, margin=1.0),
    "noninferiority_test": lambda test: test(CLEAR, np.zeros(MANY), margin=1.0),
    "equivalence_test, metric": lambda test: test(
        LABELS, LABELS * (CLEAR > 10.5), y_true=LABELS, margin=0.9, test="metric"
    ),
    "noninferiority_test, metric": lambda test: test(
        LABELS, LABELS * (CLEAR > 10.5), y_true=LABELS, margin=0.9, test="metric"
    ),
    "classifier_two_sample_test": lambda test: test(CLEAR[:50], -CLEAR[:50], classifier=GaussianNB(), n_resamples=9),
    "estimate_label_shift": lambda test: test([0, 1] * MANY, [0, 1] * MANY, [1] * MANY, n_resamples=0),
    "label_permutation_test": lambda test: test(GaussianNB(), LABELS[:60, None], LABELS[:60], n_resamples=9),
    "mmd_test": lambda test: test(CLEAR[:50], -CLEAR[:50], n_resamples=9),
    "cochran_q_test": lambda test: test(np.tile([True, False, False], (MANY, 1))),
    "dunnett_test": lambda test: test(NEARLY, control=0),
    "ftest_5x2cv": lambda test: test(1e300 + 1e290 * FOLDS, 0 * FOLDS, tie_tolerance=0),
    "ttest_5x2cv": lambda test: test(1e300 + 1e290 * FOLDS, 0 * FOLDS, tie_tolerance=0),
    "mcnemar_test, counts": lambda test: test(counts=[[0, 10**9], [0, 0]], method="asymptotic"),
    "square_table_test": lambda test: test([[10**9, 10**9], [0, 10**9]]),
    "metric_bootstrap_test": lambda test: test(LABELS, LABELS, LABELS * (CLEAR > 10.5)),
    "metric_permutation_test": lambda test: test(LABELS[:2400], LABELS[:2400], 1 - LABELS[:2400], method="exact"),
    "pairwise_betting_test": lambda test: test(np.tile([1.0, 0.0, 0.0], (5000, 1))),
    "pairwise_clustered_ttest": lambda test: test(NEARLY),
    "pairwise_corrected_ttest": lambda test: test(NEARLY, n_train=9, n_test=1),
    "pairwise_delong_test": lambda test: test(LABELS, np.column_stack([LABELS + CLEAR / 20, CLEAR, -CLEAR])),
    "pairwise_subgroup_test": lambda test: test(NEARLY, np.arange(len(NEARLY)) % 2, method="asymptotic"),
    "spiegelhalter_test": lambda test: test(LABELS, np.where(LABELS == 1, 0.01, 0.99)),
    "recalibration_test": lambda test: test([*LABELS, 0, 1], [*np.where(LABELS == 1, 0.01, 0.99), 0.01, 0.99]),
    "gap_change_test": lambda test: test(LABELS, LABELS, LABELS * (CLEAR > 10.5), CLEAR > 10.5, method="asymptotic"),
    "subgroup_test_from_estimates": lambda test: test([1e3, -1e3], [1e-3, 1e-3], margin=1.0),
    "pairwise_proper_score_test": lambda test: test(LABELS, np.column_stack([CLEAR - 10, LABELS * 0.5, CLEAR * 0])),
    "pairwise_mcnemar_test": lambda test: test(np.tile([True, False, False], (MANY, 1))),
    "pairwise_max_t_test": lambda test: test(NEARLY, n_resamples=99),
    "pairwise_paired_ttest": lambda test: test(NEARLY),
    "pairwise_sign_test": lambda test: test(NEARLY),
    "pairwise_wilcoxon_test": lambda test: test(NEARLY),
    "pairwise_test": lambda test: test(NEARLY),
    "rm_anova_test": lambda test: test(NEARLY),
    "tukey_test": lambda test: test(NEARLY),
    "skillings_mack_test": lambda test: test(np.where(CLEAR[:, None] > 10.1, FAR, np.nan)),
    "durbin_test": lambda test: test(NEARLY),
    "page_test": lambda test: test(NEARLY),
    "jonckheere_test": lambda test: test([np.arange(60), np.arange(60) + 60], method="exact"),
    "jonckheere_block_test": lambda test: test(NEARLY),
    "looney_f_test": lambda test: test(np.vstack([np.tile([True, False, False], (MANY, 1)), [True, True, False]])),
    "steel_sign_test": lambda test: test(NEARLY, control=0),
    "kendall_w": lambda test: test(NEARLY, n_resamples=9),
    "check_published_ranks": lambda test: test([1.0, 2.0, 3.0], n_datasets=MANY),
    "minimum_attainable_pvalue": lambda test: test("nemenyi", n=MANY, n_classifiers=10),
    "minimum_sample_size": lambda test: test("sign", alpha=5e-324),
    "pvalues_over_runs": lambda test: test([NEARLY, NEARLY]),
    "cohen_kappa": lambda test: test(RATED[:, 0], RATED[:, 2]),
    "cohen_kappa_table": lambda test: test([[10**6, 1], [1, 10**6]]),
    "scott_pi": lambda test: test(RATED[:, 0], RATED[:, 2]),
    "scott_pi, counts": lambda test: test(counts=[[10**6, 1], [1, 10**6]]),
    "fleiss_kappa": lambda test: test(RATED),
    "fleiss_kappa, counts": lambda test: test(counts=np.tile([[3, 0], [0, 3], [2, 1]], (MANY, 1))),
    "gwet_ac1": lambda test: test(RATED),
    "gwet_ac1, counts": lambda test: test(counts=np.tile([[3, 0], [0, 3], [2, 1]], (MANY, 1))),
    "krippendorff_alpha": lambda test: test(RATED),
    "light_kappa": lambda test: test(RATED),
    "run_distribution": lambda test: test(np.append(np.zeros(4999), 1.0)),
    "ranking_stability": lambda test: test(NEARLY[-300:, :3], n_resamples=9),
    "ranking_stability, ordered pairs": lambda test: test(
        NEARLY[:300, :3], n_resamples=9, rule="significance", significance="ordered-pairs"
    ),
    "rank_confidence_sets": lambda test: test([0.0, 1e3, 2e3], 1e-6 * np.eye(3)),
    "rank_confidence_sets, simulated": lambda test: test([0.0, 1e3, 2e3], np.diag([1e-6, 2e-6, 3e-6]), n_resamples=99),
    "adjusted_difference": lambda test: test(
        [*CLEAR, *(CLEAR[::-1] + 1e3)], np.repeat(["a", "b"], MANY), [*range(MANY)] * 2, {"length": [*LABELS, *LABELS]}
    ),
    "alternative_annotator_test": lambda test: test(RATED, LABELS),
    "alternative_annotator_test, exact": lambda test: test(RATED, LABELS, method="exact"),
}
# reports that repeat p-values of these functions
REPORTS = {"compare", "analyze_runs"}


def functions() -> dict[str, Callable[..., Any]]:
    """Every public function, by its name without the package."""
    found = public_functions()
    return {name.rpartition(".")[2]: found[name] for name in found if not name.startswith(("plot.", "report."))}


def pvalues_of(record: Any) -> dict[str, Any]:
    """Every field and property of a result, or of its class, whose name says that it holds p-values."""
    return {name: getattr(record, name, None) for name in dir(record) if "pvalue" in name and name[0] != "_"}


def result_class(function: Callable[..., Any]) -> Any:
    late = function.__name__ in {*REPORTS, "example_metric_table"}  # what it returns is loaded when it is called
    kind = inspect.signature(function, eval_str=not late).return_annotation
    return kind if dataclasses.is_dataclass(kind) else None


def has_pvalues(kind: Any) -> bool:
    return kind is not None and any(
        "pvalue" in name for name in [*dir(kind), *(f.name for f in dataclasses.fields(kind))]
    )


def test_every_function_that_gives_pvalues_is_tried_with_extreme_data() -> None:
    """Found by what the public functions return: one that is added without its data fails here."""
    giving = {name for name, function in functions().items() if has_pvalues(result_class(function))}

    assert giving - REPORTS - {"simulate_error_rates"} == {name.partition(",")[0] for name in EXTREME}  # it counts them


@pytest.mark.sampled
@pytest.mark.parametrize("name", EXTREME)
@pytest.mark.filterwarnings("ignore::evalstats.EvalstatsWarning")
def test_no_pvalue_is_zero(name: str) -> None:
    """One too small for a float is the smallest float; a p of 0 would say that something is impossible."""
    function = ALL.get(name) or functions()[name.partition(",")[0]]

    pvalues = pvalues_of(EXTREME[name](function))

    of_all = np.concatenate([np.ravel(np.asarray(p, dtype=float)) for p in pvalues.values()])
    assert (of_all[~np.isnan(of_all)] > 0).all()
    assert not np.isnan(of_all).all()


@pytest.mark.parametrize("method", [*ADJUSTMENTS, *PAIRWISE_ONLY])
def test_no_adjustment_makes_a_pvalue_zero(method: str) -> None:
    tiny = np.full((4, 4), np.finfo(float).smallest_subnormal)

    assert evalstats.adjust_pairwise(tiny, method).min() > 0


# What draws random numbers: each with data that make it draw, in the order that came or in another one.
RANDOM = np.random.default_rng(11)
WIDE = np.round(RANDOM.random((12, 10)) + np.linspace(0, 0.2, 10), 2)  # with ties
HOLES = np.where(RANDOM.random((12, 10)) < 0.2, np.nan, WIDE)
PAIRS = RANDOM.normal(0.02, 0.1, (2, 60))
IN_GROUPS = np.column_stack([*PAIRS, np.arange(60) // 2])
CASES = np.column_stack([RANDOM.integers(0, 2, 90), RANDOM.integers(0, 2, (90, 2))])
LONG_PAIRS = np.random.default_rng(3).normal(0.8, 0.02, (2, 60))
SCORED = np.column_stack([CASES[:, 0], np.round(RANDOM.normal(CASES[:, :1], 1.5, (90, 2)), 1), np.arange(90) // 3])
PROBABILITIES = np.column_stack([CASES[:, 0], np.round(RANDOM.uniform(0.05, 0.95, (90, 2)), 3)])
SUBGROUPS = np.column_stack([CASES, np.arange(90) % 3])
SUBGROUPED = np.column_stack([*PAIRS, np.arange(60) % 3])
ESTIMATES = np.array([0.1, 0.3, 0.35, 0.8])
BATTLES = np.column_stack([np.arange(90) % 3, (np.arange(90) + 1 + np.arange(90) // 45) % 3, CASES[:, 1]])
BY_FOLD = np.stack([RANDOM.normal(0.8 + 0.01 * i, 0.02, (6, 10)) for i in range(2)])
FOLDED = {"dataset": ["d"] * 90, "classifier": ["a"] * 90, "fold": SCORED[:, 3] % 3}
FOLDED |= {"y_true": CASES[:, 0], "y_score": 2 * CASES[:, 0] + RANDOM.random(90) + 9 * (SCORED[:, 3] % 3)}
PROBABLE = {**FOLDED, "y_score": FOLDED["y_score"] / 30, "instance": np.arange(90)}


def mixed(n: int, order: int) -> np.ndarray:
    """Return the numbers of n rows in one of several orders; 0 is their own."""
    return np.random.default_rng(order).permutation(n) if order else np.arange(n)


RUNS = {"dataset": ["d"] * 20, "classifier": ["a", "b"] * 10, "repeat": np.repeat(np.arange(10), 2)}
RUNS |= {"accuracy": np.round(0.8 + 0.05 * RANDOM.random(20), 3)}


def shuffled(table: np.ndarray, order: int) -> np.ndarray:
    """Put rows and columns of a table into another order; order 0 leaves it as it is."""
    generator = np.random.default_rng(order)
    rows, columns = (generator.permutation(size) for size in table.shape)
    return table[np.ix_(rows, columns)] if order else table


def place_of_first(table: np.ndarray, order: int) -> int:
    """Return where the first column of a table stands after `shuffled`."""
    return int(
        np.flatnonzero((shuffled(np.arange(table.size).reshape(table.shape), order) % table.shape[1])[0] == 0)[0]
    )


def reordered(columns: np.ndarray, order: int, *, exchanged: tuple[int, int] | None = None) -> list[np.ndarray]:
    """Return the columns with their rows in another order, and in every second order with two columns exchanged."""
    places = list(range(columns.shape[1]))
    if exchanged and order % 2:
        i, j = exchanged
        places[i], places[j] = j, i
    rows = np.random.default_rng(order).permutation(len(columns)) if order else slice(None)
    return [columns[rows, place] for place in places]


def of_table(table: np.ndarray, **choices: Any) -> Callable[..., Any]:
    return lambda function, order, rng: function(shuffled(table, order), rng=rng, **choices)


def of_pair(**choices: Any) -> Callable[..., Any]:
    return lambda function, order, rng: function(*reordered(PAIRS.T, order, exchanged=(0, 1)), rng=rng, **choices)


def of_labels(**choices: Any) -> Callable[..., Any]:
    return lambda function, order, rng: function(*reordered(CASES, order, exchanged=(1, 2)), rng=rng, **choices)


def by_metric(function: Any, columns: Any, **choices: Any) -> Any:
    """Test two predictions at a margin; `columns` are the true labels and the two."""
    return function(columns[1], columns[2], y_true=columns[0], test="metric", margin=0.05, **choices)


def of_scores(function: Any, order: int, rng: Any, **choices: Any) -> Any:
    y_true, x, y, groups = reordered(SCORED, order, exchanged=(1, 2))
    return function(y_true, x, y, metric="roc_auc", clusters=groups, rng=rng, **choices)


def of_function(function: Any, order: int, rng: Any, **choices: Any) -> Any:
    """Take a metric that is a function of the user's, on single cases."""
    y_true, x, y, _ = reordered(SCORED, order, exchanged=(1, 2))
    return function(y_true, x, y, metric=lambda true, score: -np.mean((true - score) ** 2), rng=rng, **choices)


def of_sample(function: Any, order: int, rng: Any, **choices: Any) -> Any:
    y_true, score = reordered(SCORED, order)[:2]
    return function(y_true, score, rng=rng, **choices)


# the declared variants of tests of pairs that draw, without their seeds
DRAWING = {
    f"{name}, {variant}": {choice: value for choice, value in choices.items() if choice != "rng"}
    for name, one in DECLARED.items()
    if one.data == Data.PAIRS
    for variant, choices in one.variants.items()
    if "rng" in choices
}
SIMULATED: dict[str, Callable[..., Any]] = {
    "friedman_test": of_table(WIDE),
    "friedman_aligned_test": of_table(WIDE),
    "quade_test": of_table(WIDE),
    "skillings_mack_test": of_table(HOLES),
    "durbin_test": of_table(WIDE),
    "kendall_w": of_table(WIDE, n_resamples=99),
    "rank_distribution": of_table(WIDE, n_resamples=99),
    "pairwise_max_t_test": of_table(WIDE, method="monte-carlo", n_resamples=499),
    "pairwise_max_t_test, bootstrap": of_table(WIDE, method="bootstrap", n_resamples=499),
    "steel_sign_test": lambda function, order, rng: function(
        shuffled(WIDE, order), control=place_of_first(WIDE, order), n_resamples=499, rng=rng
    ),
    "clustered_permutation_test": lambda function, order, rng: function(
        *(columns := reordered(IN_GROUPS, order, exchanged=(0, 1)))[:2],
        clusters=columns[2],
        method="monte-carlo",
        n_resamples=499,
        rng=rng,
    ),
    **{name: of_pair(**choices) for name, choices in DRAWING.items()},
    "permutation_test, one-sided": lambda function, order, rng: function(
        *reordered(PAIRS.T, order, exchanged=(0, 1)),
        rng=rng,
        method="monte-carlo",
        alternative="less" if order % 2 else "greater",
    ),
    "metric_permutation_test": of_labels(n_resamples=499, metric="f1", method="monte-carlo"),
    "metric_permutation_test, roc_auc in groups": of_scores,
    "metric_permutation_test, any function": lambda *given: of_function(*given, n_resamples=99),
    "metric_bootstrap_test": of_labels(n_resamples=499, metric="f1"),
    "metric_bootstrap_test, basic": of_labels(n_resamples=499, metric="f1", method="basic"),
    "metric_bootstrap_test, roc_auc in groups": of_scores,
    "metric_bootstrap_test, any function": lambda *given: of_function(*given, n_resamples=99),
    "equivalence_test, metric": lambda function, order, rng: by_metric(
        function, reordered(CASES, order, exchanged=(1, 2)), rng=rng, n_resamples=499, metric="f1"
    ),
    "noninferiority_test, metric": lambda function, order, rng: by_metric(
        function, reordered(CASES, order), rng=rng, n_resamples=499, metric="f1"
    ),
    "equivalence_test": lambda function, order, rng: function(
        *reordered(LONG_PAIRS.T, order, exchanged=(0, 1)), rng=rng, n_resamples=499, test="permutation", margin=0.01
    ),
    "noninferiority_test": lambda function, order, rng: function(
        *reordered(LONG_PAIRS.T, order), rng=rng, n_resamples=499, test="permutation", margin=0.01
    ),
    "pvalues_over_runs": lambda function, order, rng: function([shuffled(WIDE, order), WIDE], rng=rng),
    "compare": lambda function, order, rng: function(shuffled(WIDE, order), rng=rng),
    "akinshin_gamma": lambda function, order, rng: function(*reordered(PAIRS.T, order), rng=rng, paired=True),
    "akinshin_gamma, unpaired": lambda function, order, rng: function(*reordered(PAIRS.T, order), rng=rng),
    "almost_stochastic_order": lambda function, order, rng: function(*reordered(PAIRS.T, order), rng=rng),
    "interquartile_mean": of_table(WIDE, n_resamples=99),
    "optimality_gap": of_table(WIDE, n_resamples=99),
    "probability_of_improvement": lambda function, order, rng: function(
        *np.split(np.column_stack(reordered(WIDE.T, order)).T, [5]), rng=rng, n_resamples=99
    ),
    "pairwise_mean_differences": of_table(WIDE, n_resamples=99),
    "bayes_sign_test": lambda function, order, rng: function(*reordered(PAIRS.T, order), rng=rng),
    "bayes_pairwise_sign_test": of_table(WIDE, n_simulations=99),
    "bayes_signed_rank_test": of_pair(n_simulations=999, rope=0.01),
    "bayes_pairwise_signed_rank_test": of_table(WIDE, n_simulations=99, rope=0.01),
    "bayes_hierarchical_test": lambda function, order, rng: function(
        *np.stack([reordered(of_one, order) for of_one in BY_FOLD.swapaxes(1, 2)]).swapaxes(1, 2),
        rope=0.01,
        n_train=9,
        n_test=1,
        n_simulations=800,
        n_warmup=50,
        rng=rng,
    ),
    "krippendorff_alpha": lambda function, order, rng: function(
        shuffled(WIDE, order), level="interval", n_resamples=99, rng=rng
    ),
    "light_kappa": lambda function, order, rng: function(
        np.round(4 * shuffled(WIDE, order)).astype(int), n_resamples=99, rng=rng
    ),
    "bootstrap_interval": lambda function, order, rng: function("f1", [[40, 9], [7, 20]], n_resamples=99, rng=rng),
    "bootstrap_scores": lambda function, order, rng: function("f1", [[40, 9], [7, 20]], n_resamples=99, rng=rng),
    "bootstrap_auc_interval": lambda *given: of_sample(*given, n_resamples=99),
    "bootstrap_auc_scores": lambda *given: of_sample(*given, n_resamples=99),
    "proper_score_test": lambda function, order, rng: function(
        *reordered(PROBABILITIES, order, exchanged=(1, 2)), method="permutation", n_resamples=499, rng=rng
    ),
    "subgroup_test": lambda function, order, rng: function(
        *(columns := reordered(IN_GROUPS, order, exchanged=(0, 1)))[:2],
        columns[2] % 3,
        method="permutation",
        n_resamples=499,
        rng=rng,
    ),
    "gap_change_test": lambda function, order, rng: function(
        *(columns := reordered(SUBGROUPS, order, exchanged=(1, 2)))[:3],
        columns[3],
        rate="accuracy",
        method="permutation",
        n_resamples=499,
        rng=rng,
    ),
    "pairwise_subgroup_test": lambda function, order, rng: function(
        np.column_stack((columns := reordered(np.column_stack([WIDE, np.arange(12) % 2]), order))[:-1]),
        columns[-1],
        n_resamples=99,
        rng=rng,
    ),
    "reliability_curve": lambda function, order, rng: function(
        *reordered(PROBABILITIES, order)[:2], n_resamples=99, rng=rng
    ),
    "curve_difference": lambda function, order, rng: function(*reordered(SCORED, order)[:3], rng=rng, n_resamples=99),
    "net_benefit_difference": lambda function, order, rng: function(
        reordered(SCORED, order)[0],
        *(1 / (1 + np.exp(-one)) for one in reordered(SCORED, order)[1:3]),
        rng=rng,
        n_resamples=99,
    ),
    "check_folds": lambda function, order, rng: function(
        *(reordered(SCORED, order)[i] for i in (0, 3)), y_score=reordered(SCORED, order)[1], alpha=0.9999, rng=rng
    ),
    "f1_fold_bias": lambda function, order, rng: function(
        10, 90, 5, 0.8, method="monte-carlo", n_simulations=99, rng=rng
    ),
    "forman_scholz_simulation": lambda function, order, rng: function(
        5, method="monte-carlo", n_simulations=99, rng=rng
    ),
    "statistical_power": lambda function, order, rng: function("wilcoxon", n=10, effect=0.8, n_simulations=99, rng=rng),
    "required_sample_size": lambda function, order, rng: function("wilcoxon", effect=1.5, n_simulations=99, rng=rng),
    "simulate_error_rates": lambda function, order, rng: dataclasses.replace(
        function(shuffled(WIDE, order), n_simulations=50, alpha=0.4, rng=rng), classifiers=(), pairs=()
    ),
    "plan_design": lambda function, order, rng: function("wilcoxon", n=9, effects=[2], n_simulations=99, rng=rng),
    "noninferiority_power": lambda function, order, rng: function(
        "wilcoxon", n=9, margin=1, sd=1, n_simulations=99, rng=rng
    ),
    "noninferiority_sample_size": lambda function, order, rng: function(
        "wilcoxon", margin=2, sd=1, n_simulations=99, rng=rng
    ),
    "plan_margin": lambda function, order, rng: function("wilcoxon", margin=2, sd=1, n_simulations=99, rng=rng),
    "replay_stopping_rule": lambda function, order, rng: function(
        evalstats.reproducibility.KolmogorovSmirnov(0.3), RUNS["accuracy"], rng=rng
    ),
    "ranking_stability": of_table(WIDE, n_resamples=99),
    "ranking_stability, clusters": lambda function, order, rng: function(
        (columns := np.column_stack(reordered(IN_GROUPS, order, exchanged=(0, 1))))[:, :2],
        clusters=columns[:, 2],
        n_resamples=99,
        rng=rng,
    ),
    "consensus_ranking": lambda function, order, rng: function(
        (columns := np.column_stack(reordered(SUBGROUPED, order, exchanged=(0, 1))))[:, :2],
        columns[:, 2],
        n_resamples=99,
        rng=rng,
    ),
    "rank_confidence_sets": lambda function, order, rng: function(
        ESTIMATES[at := np.random.default_rng(order).permutation(4) if order else np.arange(4)],
        np.diag([0.01, 0.02, 0.03, 0.04])[np.ix_(at, at)],
        n_resamples=499,
        rng=rng,
    ),
    "bradley_terry_from_battles": lambda function, order, rng: function(
        *reordered(BATTLES, order), covariance="bootstrap", n_resamples=99, rng=rng
    ),
    "analyze_runs": lambda function, order, rng: function(RUNS, rng=rng),
    "analyze_calibration": lambda function, order, rng: function(
        evalstats.read_predictions({name: np.asarray(PROBABLE[name])[mixed(90, order)] for name in PROBABLE}), rng=rng
    ),
    "analyze_decisions": lambda function, order, rng: function(
        evalstats.read_predictions({name: np.asarray(PROBABLE[name])[mixed(90, order)] for name in PROBABLE}), rng=rng
    ),
    "analyze_predictions": lambda function, order, rng: function(
        evalstats.read_predictions(FOLDED), metric="roc_auc", aggregate="merge", rng=rng
    ),
}
# a new seed each time is wanted here: other splits, other generated inputs; the seed is in the record all the same
FRESH = {"run_study", "validate"}
# these have no data that could stand in another order, or deal out the cases in the order in which they come
IN_ORDER = {
    *("simulate_flu_shift", "make_flu_patients", "dataset_selection_sensitivity", "estimate_label_shift"),
    *("classifier_two_sample_test", "label_permutation_test", "mmd_test"),
}
THE_RULE = (
    "rng : None, int or numpy.random.Generator, optional Source of the random numbers. None means the seed 0, so the "
    "same call returns the same result. An integer is used as the seed. A Generator is used directly."
)
simulated = pytest.mark.parametrize("name", SIMULATED)
chains_are_short = pytest.mark.filterwarnings("ignore:the chains have not converged")


def draw(name: str, order: int = 0, rng: Any = None) -> Any:
    return SIMULATED[name](functions()[name.partition(",")[0]], order, rng)


@cache
def drawn(name: str, rng: int | None = None) -> Any:
    """Return the first result of these draws, which several tests compare with another one."""
    return draw(name, rng=rng)


def numbers_of(result: Any) -> Any:
    """Return what a result says that came from draws, in no order of datasets or classifiers."""
    if isinstance(result, np.ndarray):
        return np.sort(result).tolist()
    names = ("pvalue", "min_attainable_pvalue", "pvalues", "probabilities", "p_rope", "low", "high")
    names += ("frequencies", "mean_tau", "same_ranking", "same_winner")
    names += () if hasattr(result, "pvalue") else ("_replicates",)
    found = {
        name: np.sort(np.ravel(np.asarray(getattr(result, name), dtype=float))).tolist()
        for name in names
        if hasattr(result, name)
    }
    text = json.dumps(found or getattr(result, "omnibus", result).to_dict(), default=float)
    return re.sub('"seed": [^,}]*', "", text)  # text, because nan is not equal to itself


def seeds_in(record: Any) -> set[Any]:
    """Every seed that a result holds, at any depth."""
    if isinstance(record, dict):
        return {v for k, v in record.items() if k == "seed"}.union(*(seeds_in(v) for v in record.values()))
    return set().union(*map(seeds_in, record)) if isinstance(record, list) else set()


def test_everything_that_draws_is_tried_here() -> None:
    """Found by its argument: a function that draws random numbers has the argument rng."""
    drawing = {name for name, function in functions().items() if "rng" in inspect.signature(function).parameters}

    assert {name.partition(",")[0] for name in SIMULATED} | FRESH | IN_ORDER == drawing


@pytest.mark.sampled
@simulated
@chains_are_short
def test_a_table_has_one_pvalue(name: str) -> None:
    """Datasets, cases and classifiers may come in any order: to the last bit, because the draws do not follow it."""
    first, n_orders = numbers_of(drawn(name)), repetitions(3, short=2)

    assert [numbers_of(draw(name, 1 + order)) for order in range(n_orders)] == [first] * n_orders


def complement(scores: np.ndarray) -> np.ndarray:
    """Return error rates in place of accuracies, with two decimals as those have."""
    return np.round(1 - scores, 2)


def of_both_signs(scores: np.ndarray, **choices: Any) -> Callable[..., list[Any]]:
    """Ask about scores, their complements and their negatives, of which the larger or the smaller are the better."""
    return lambda function: [
        function(one, rng=1, **choices, greater_is_better=greater_is_better)
        for one in (scores, complement(scores), -scores)
        for greater_is_better in (True, False)
    ]


def of_either_sign(scores: np.ndarray, **choices: Any) -> Callable[..., list[Any]]:
    """Ask about scores, their complements and their negatives where the test does not know which are better."""
    return lambda function: [function(one, rng=1, **choices) for one in (scores, complement(scores), -scores)]


def of_two(**choices: Any) -> Callable[..., list[Any]]:
    pair = np.round(LONG_PAIRS, 2)
    return lambda function: [function(*one, rng=1, **choices) for one in (pair, complement(pair), -pair)]


def of_metrics(**choices: Any) -> Callable[..., list[Any]]:
    return lambda function: [function(*RIGHT, rng=1, metric=m, **choices) for m in ("accuracy", "error_rate")]


def of_metrics_at_margin(function: Any) -> list[Any]:
    return [by_metric(function, RIGHT, rng=1, n_resamples=499, metric=m) for m in ("accuracy", "error_rate")]


RIGHT = (CASES[:, 0], CASES[:, 1], CASES[:, 2])
LEVELS = np.round(4 * WIDE).astype(int)
# each two of seven classifiers meet on two of fourteen datasets, with ties
IN_THREES = np.where(
    np.isin(np.subtract.outer(np.arange(14), np.arange(7)) % 7, (0, 1, 3)),
    np.random.default_rng(4).integers(0, 6, (14, 7)) / 100,
    np.nan,
)
MIRRORED: dict[str, Callable[..., list[Any]]] = {
    "friedman_test": of_both_signs(WIDE, method="monte-carlo", n_resamples=499),
    "friedman_aligned_test": of_both_signs(WIDE, method="monte-carlo", n_resamples=499),
    "quade_test": of_both_signs(WIDE, method="monte-carlo", n_resamples=499),
    "skillings_mack_test": of_both_signs(HOLES, method="monte-carlo", n_resamples=499),
    "durbin_test": of_both_signs(WIDE, method="monte-carlo", n_resamples=499),
    "kendall_w": of_either_sign(WIDE, n_resamples=99),
    "durbin_test, incomplete": of_both_signs(IN_THREES, method="monte-carlo", n_resamples=499),
    "pvalues_over_runs": of_both_signs(np.stack([WIDE, np.round(WIDE**2, 2)])),
    "simulate_error_rates": lambda function: [
        function(one, n_simulations=40, alpha=0.4, rng=1).family_wise for one in (WIDE, complement(WIDE), -WIDE)
    ],
    "krippendorff_alpha": of_either_sign(LEVELS, level="interval", method="monte-carlo", n_resamples=499),
    "light_kappa": of_either_sign(LEVELS, n_resamples=499),
    "light_kappa, weighted": of_either_sign(LEVELS, weights="linear", n_resamples=499),
    "equivalence_test": of_two(n_resamples=499, test="permutation", margin=0.01),
    "noninferiority_test": lambda function: [
        function(*one, rng=1, n_resamples=499, test="permutation", margin=0.01, greater_is_better=greater_is_better)
        for one, greater_is_better in ((PAIRS, True), (-PAIRS, False))
    ],
    "metric_bootstrap_test": of_metrics(n_resamples=499),
    "equivalence_test, metric": of_metrics_at_margin,
    "noninferiority_test, metric": of_metrics_at_margin,
    "compare": of_both_signs(WIDE, posthoc="max-t", n_resamples=499, method="monte-carlo"),
    "compare, by a bootstrap": of_both_signs(WIDE, posthoc="romano-wolf", n_resamples=499),
    "steel_sign_test": of_either_sign(WIDE, control=0, method="monte-carlo", n_resamples=499),
    "pairwise_max_t_test": of_either_sign(WIDE, method="monte-carlo", n_resamples=499),
    "pairwise_max_t_test, ranks": of_either_sign(WIDE, method="monte-carlo", n_resamples=499, ranks=True),
    "pairwise_max_t_test, bootstrap": of_either_sign(WIDE, method="bootstrap", n_resamples=499),
    **{name: of_two(**choices) for name, choices in DRAWING.items()},
    "subgroup_test": of_two(subgroup=np.arange(60) % 3, method="permutation", n_resamples=499),
    "pairwise_subgroup_test": of_either_sign(WIDE, subgroup=np.arange(12) % 2, n_resamples=99),
    "clustered_permutation_test": of_two(clusters=np.arange(60) // 2, method="monte-carlo", n_resamples=499),
    "metric_permutation_test": of_metrics(method="monte-carlo", n_resamples=499),
}


def simulated_pvalues(result: Any) -> np.ndarray:
    """Return the p-values of a result, in no order: what is `less` of scores is `greater` of their negatives."""
    if hasattr(result, "pairs"):
        values = [result.omnibus.pvalue, *(pair.pvalue for pair in result.pairs)]
    elif hasattr(result, "rate"):  # of p-values below a level
        values = [result.rate]
    else:
        # nobody draws for the others
        names = ("pvalue", "min_attainable_pvalue", "unadjusted_pvalue", "pvalue_low", "pvalue_high", "pvalues")
        values = [getattr(result, name) for name in names if hasattr(result, name)]
        values = values or [result._replicates]  # of its interval, where the p-values are those of another test
    return np.sort(np.concatenate([np.ravel(np.asarray(value, dtype=float)) for value in values]))


@pytest.mark.sampled
@pytest.mark.parametrize("name", MIRRORED)
def test_score_and_its_complement_have_one_simulated_pvalue(name: str) -> None:
    """An accuracy and an error rate ask one question: the draws do not know the sign of the scores."""
    results = MIRRORED[name](functions()[name.partition(",")[0]])

    first, *others = (simulated_pvalues(result) for result in results)
    assert np.nanmin(first) < 1
    for other in others:
        np.testing.assert_array_equal(other, first)


def test_steel_one_sided_is_mirrored_by_the_sign() -> None:
    test = functions()["steel_sign_test"]
    choices = {"control": 0, "method": "monte-carlo", "n_resamples": 499, "rng": 1}

    greater, less = test(WIDE, alternative="greater", **choices), test(-WIDE, alternative="less", **choices)

    np.testing.assert_array_equal(greater.pvalue, less.pvalue)


def test_intervals_of_differences_are_mirrored_by_the_sign() -> None:
    test = functions()["pairwise_mean_differences"]
    here, there = (test(one, n_resamples=199).confidence_interval() for one in (WIDE, complement(WIDE)))

    np.testing.assert_allclose(here.low, -there.high, rtol=1e-9, atol=1e-12)


@pytest.mark.sampled
@simulated
@chains_are_short
def test_without_a_seed_it_is_zero(name: str) -> None:
    assert numbers_of(drawn(name)) == numbers_of(draw(name, rng=0))
    assert numbers_of(drawn(name, 5)) == numbers_of(draw(name, rng=5))


@pytest.mark.sampled
@simulated
@chains_are_short
def test_seed_is_in_the_record(name: str) -> None:
    """What was used: 0 if none was given; nobody can record a Generator."""
    results = [drawn(name), drawn(name, 5), draw(name, rng=np.random.default_rng(5))]
    if isinstance(results[0], np.ndarray):
        return

    seeds = [seeds_in(result.to_dict()) - {None} for result in results]

    assert seeds[:2] == [{0}, {5}]
    assert seeds[2] == set() or name == "analyze_runs"  # which draws a seed for all its parts


@pytest.mark.parametrize("name", sorted({name.partition(",")[0] for name in SIMULATED}))
def test_one_rule_for_random_numbers_in_the_same_words(name: str) -> None:
    function = functions()[name]

    assert inspect.signature(function).parameters["rng"].default is None
    text = " ".join((inspect.getdoc(function) or "").split())

    assert THE_RULE in text


def test_records_are_compared_by_identity() -> None:
    """The comparison of two arrays is an array, so records with equal fields must not be compared by their fields."""

    def below(cls: type) -> list[type]:
        return [each for sub in cls.__subclasses__() for each in (sub, *below(sub))]

    for module in pkgutil.walk_packages(evalstats.__path__, "evalstats."):
        if module.name != "evalstats.__main__":
            importlib.import_module(module.name)
    own = [cls for cls in below(Record) if cls.__module__.startswith("evalstats.")]

    assert len(own) > 100
    assert [cls.__name__ for cls in own if cls.__eq__ is not object.__eq__] == []
