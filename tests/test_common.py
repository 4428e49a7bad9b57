"""What holds for every hypothesis test stands here, once."""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import evalstats
from evalstats._result import HypothesisTestResult

PAIRED = {
    "sign_test": evalstats.sign_test,
    "sign_test, ties split": lambda x, y, **choices: evalstats.sign_test(x, y, ties="split", **choices),
    "wilcoxon_test": evalstats.wilcoxon_test,
    "wilcoxon_test, pratt": lambda x, y, **choices: evalstats.wilcoxon_test(x, y, zero_method="pratt", **choices),
    "wilcoxon_test, zsplit": lambda x, y, **choices: evalstats.wilcoxon_test(x, y, zero_method="zsplit", **choices),
    "wilcoxon_test, asymptotic": lambda x, y, **choices: evalstats.wilcoxon_test(x, y, method="asymptotic", **choices),
    "paired_ttest": evalstats.paired_ttest,
    "corrected_ttest": lambda x, y, **choices: evalstats.corrected_ttest(x, y, n_train=9, n_test=1, **choices),
    "naive_resampled_ttest": evalstats.naive_resampled_ttest,
    "permutation_test": evalstats.permutation_test,
    "permutation_test, monte-carlo": lambda x, y, **choices: evalstats.permutation_test(
        x, y, method="monte-carlo", n_resamples=199, rng=1, **choices
    ),
}
MULTIPLE = {
    "friedman_test": evalstats.friedman_test,
    "friedman_test, exact": lambda scores, **choices: evalstats.friedman_test(scores, method="exact", **choices),
    "friedman_test, chi2": lambda scores, **choices: evalstats.friedman_test(scores, method="chi2", **choices),
    "friedman_test, f": lambda scores, **choices: evalstats.friedman_test(scores, method="f", **choices),
    "friedman_test, monte-carlo": lambda scores, **choices: evalstats.friedman_test(
        scores, method="monte-carlo", n_resamples=199, rng=1, **choices
    ),
    "nemenyi_test": evalstats.nemenyi_test,
    "bonferroni_dunn_test": lambda scores, **choices: evalstats.bonferroni_dunn_test(scores, control=0, **choices),
    "friedman_dunnett_test": lambda scores, **choices: evalstats.friedman_dunnett_test(scores, control=0, **choices),
    "siegel_castellan_test": evalstats.siegel_castellan_test,
    "siegel_castellan_test, control": lambda scores, **choices: evalstats.siegel_castellan_test(
        scores, control=0, **choices
    ),
    "miller_test": evalstats.miller_test,
    "conover_test": evalstats.conover_test,
    "conover_test, control": lambda scores, **choices: evalstats.conover_test(scores, control=0, **choices),
    "rank_sum_difference_test": evalstats.rank_sum_difference_test,
    "rank_sum_difference_test, control": lambda scores, **choices: evalstats.rank_sum_difference_test(
        scores, control=0, **choices
    ),
    "rank_sum_difference_test, normal": lambda scores, **choices: evalstats.rank_sum_difference_test(
        scores, method="normal", **choices
    ),
    "quade_test": evalstats.quade_test,
    "quade_test, f": lambda scores, **choices: evalstats.quade_test(scores, method="f", **choices),
    "quade_test, monte-carlo": lambda scores, **choices: evalstats.quade_test(
        scores, method="monte-carlo", n_resamples=199, rng=1, **choices
    ),
    "quade_posthoc_test": evalstats.quade_posthoc_test,
    "quade_posthoc_test, t": lambda scores, **choices: evalstats.quade_posthoc_test(scores, method="t", **choices),
    "friedman_aligned_test": evalstats.friedman_aligned_test,
    "friedman_aligned_test, chi2": lambda scores, **choices: evalstats.friedman_aligned_test(
        scores, method="chi2", **choices
    ),
    "friedman_aligned_posthoc_test": evalstats.friedman_aligned_posthoc_test,
}
# tests of data of another kind, and where their laws stand
NOT_COMMON = {
    "bayes_correlated_ttest": "has probabilities and no p-value: tests/bayes/test_correlated_t.py",
    "bayes_hierarchical_test": "has probabilities and no p-value: tests/bayes/test_hierarchical.py",
    "bayes_pairwise_correlated_ttest": "has probabilities and no p-value: tests/bayes/test_correlated_t.py",
    "bayes_pairwise_sign_test": "has probabilities and no p-value: tests/bayes/test_sign.py",
    "bayes_pairwise_signed_rank_test": "has probabilities and no p-value: tests/bayes/test_signed_rank.py",
    "bayes_sign_test": "has probabilities and no p-value: tests/bayes/test_sign.py",
    "bayes_signed_rank_test": "has probabilities and no p-value: tests/bayes/test_signed_rank.py",
    "cochran_q_test": "takes right and wrong answers: tests/multiple/test_cochran.py",
    "delong_test": "takes true labels beside the scores: tests/paired/test_delong.py",
    "delong_unpaired_test": "takes two test sets: tests/paired/test_delong.py",
    "dunnett_test": "has no ranks and needs two datasets: tests/multiple/test_tukey.py",
    "ftest_5x2cv": "takes scores of shape (5, 2): tests/paired/test_five_by_two.py",
    "mcnemar_test": "takes right and wrong answers: tests/paired/test_mcnemar.py",
    "metric_bootstrap_test": "takes true labels beside the predictions: tests/paired/test_metric_bootstrap.py",
    "metric_permutation_test": "takes true labels beside the predictions: tests/paired/test_metric_permutation.py",
    "pairwise_delong_test": "takes true labels beside the scores: tests/pairwise/test_delong.py",
    "pairwise_mcnemar_test": "takes right and wrong answers: tests/pairwise/test_mcnemar.py",
    "pairwise_paired_ttest": "has no greater_is_better and no ranks: tests/pairwise/test_paired_t.py",
    "pairwise_sign_test": "has no greater_is_better and no ranks: tests/pairwise/test_sign.py",
    "pairwise_wilcoxon_test": "has no greater_is_better and no mean ranks: tests/pairwise/test_wilcoxon.py",
    "pairwise_corrected_ttest": "has no greater_is_better and takes sizes: tests/pairwise/test_corrected_t.py",
    "rm_anova_test": "has no ranks and needs two datasets: tests/multiple/test_rm_anova.py",
    "tukey_test": "has no ranks and needs two datasets: tests/multiple/test_tukey.py",
    "ttest_5x2cv": "takes scores of shape (5, 2): tests/paired/test_five_by_two.py",
    "skillings_mack_test": "takes missing scores: tests/multiple/test_skillings_mack.py",
    "durbin_test": "takes missing scores: tests/multiple/test_durbin.py",
    "page_test": "depends on the order of the classifiers: tests/multiple/test_page.py",
    "which_test": "recommends a test and is none: tests/comparison/test_advice.py",
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
        (evalstats.mcnemar_table, "table", (0, 3, 3)),
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
    public = {name for name in evalstats.__all__ if name.endswith(("_test", "_ttest", "_5x2cv"))}
    here = {name.partition(",")[0] for name in ALL}

    assert here | set(NOT_COMMON) == public


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
    function = getattr(evalstats, name.partition(",")[0])
    kinds = [p.kind for p in inspect.signature(function).parameters.values()]
    n_data = 2 if name in PAIRED else 1

    assert all(kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for kind in kinds[:n_data])
    assert all(kind is inspect.Parameter.KEYWORD_ONLY for kind in kinds[n_data:])


@pytest.mark.parametrize("name", [n for n in evalstats.__all__ if inspect.isfunction(getattr(evalstats, n))])
def test_docstring_lets_a_stranger_use_the_function(name: str) -> None:
    """Every public function says what it takes, what it returns, and shows it; every test names its source."""
    doc = inspect.getdoc(getattr(evalstats, name)) or ""

    sections = ["Parameters", "Returns", "Examples"]
    if name.endswith(("_test", "_ttest", "_5x2cv")):
        sections += ["References", "Raises"]
    missing = [s for s in sections if f"{s}\n{'-' * len(s)}" not in doc]

    assert ">>> " in doc
    assert missing == [] or (missing == ["Parameters"] and not inspect.signature(getattr(evalstats, name)).parameters)


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


@paired
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
def test_bad_pairs_are_refused_by_name(test: Callable[..., Any], x: Any, y: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        test(x, y)

    assert isinstance(caught.value, evalstats.EvalstatsError)
    assert message in str(caught.value)


@paired
def test_unknown_alternative_is_refused(test: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="alternative must be 'two-sided' or 'less' or 'greater', not 'more'"):
        test(X, Y, alternative="more")


@multiple
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
def test_bad_scores_are_refused_by_name(test: Callable[..., Any], scores: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        test(scores)

    assert isinstance(caught.value, evalstats.EvalstatsError)
    assert message in str(caught.value)


@pytest.mark.parametrize("name", MULTIPLE)
def test_relabelling_classifiers_permutes_the_result(name: str) -> None:
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


@pytest.mark.parametrize("name", MULTIPLE)
@pytest.mark.parametrize("shape", [(1, 3), (4, 2), (1, 2)])
def test_one_dataset_and_two_classifiers_are_allowed(name: str, shape: tuple[int, int]) -> None:
    result = MULTIPLE[name](np.random.default_rng(7).random(shape))

    assert np.all(np.isnan(result.pvalue) | ((result.pvalue > 0) & (result.pvalue <= 1)))
    assert name in WITHOUT_SMALLEST_PVALUE or 0 < result.smallest_pvalue <= 1
