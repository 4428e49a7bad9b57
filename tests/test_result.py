from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from dataclasses import dataclass, make_dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import evalstats
from evalstats import (
    Comparison,
    EvalstatsError,
    InvalidValueError,
    ScoreTable,
    bonferroni_dunn_test,
    cohen_kappa,
    compare,
    conover_test,
    friedman_test,
    gate,
    mcnemar_test,
    nemenyi_test,
    overlap,
    paired_ttest,
    read_predictions,
    report,
    sign_test,
    wilcoxon_test,
)
from evalstats._result import LONGEST, ConfidenceInterval, Record, reasons
from evalstats.bayes import bayes_pairwise_sign_test, bayes_pairwise_signed_rank_test
from evalstats.design import plan_design, plan_margin
from evalstats.pairwise import pairwise_sign_test
from evalstats.reproducibility import verdict_reproducibility
from evalstats.tables.fold_scores import FoldScores


def test_every_interval_is_one_of_95_percent_unless_another_is_asked() -> None:
    for found in pkgutil.walk_packages(evalstats.__path__, "evalstats."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    levels, waiting = {}, [Record]
    while waiting:
        below = waiting.pop().__subclasses__()
        waiting += below
        for one in (one for one in below if one.__module__.startswith("evalstats.")):
            for name in ("confidence_interval", "credible_interval"):
                if name in vars(one):
                    arguments = inspect.signature(vars(one)[name]).parameters
                    levels[f"{one.__name__}.{name}"] = next(a.default for n, a in arguments.items() if "level" in n)

    assert len(levels) > 20
    # two one-sided tests at 5 % are an interval of 90 %
    assert levels.pop("EquivalenceTestResult.confidence_interval") == 0.9
    assert set(levels.values()) == {0.95}


@dataclass(frozen=True, kw_only=True, eq=False)
class _Record(Record):
    value: Any
    _own: Any = None


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (np.float64(0.5), 0.5),
        (np.array(0.5), 0.5),
        (np.int64(3), 3),
        (np.array(3, dtype=np.intp), 3),
        (np.bool_(True), True),
        (np.str_("exact"), "exact"),
        (np.array("exact"), "exact"),
        (np.array(None, dtype=object), None),
        (np.array("why", dtype=object), "why"),
    ],
)
def test_one_value_of_numpy_becomes_a_python_scalar(given, kept):
    """Whatever numpy made of one problem, its record holds the plain value."""
    value = _Record(value=given).value

    assert (value, type(value)) == (kept, type(kept))


@pytest.mark.parametrize("given", [np.zeros(1), np.zeros((0, 2)), (np.float64(1),), [1], "text", 2, None])
def test_everything_else_is_kept_as_it_is(given):
    """A batch of one is a batch."""
    assert _Record(value=given).value is given


def test_fields_of_its_own_stay_arrays():
    """The methods of a record compute with them."""
    own = np.array(0.5)

    assert _Record(value=1, _own=own)._own is own


def test_results_print_plain_numbers():
    """overlap() and sign_test() of one problem hold no numpy scalar."""
    for result in (overlap([0.1, 0.2, 0.3], [0.3, 0.2, 0.5]), sign_test([1, 2, 3], [0, 0, 4])):
        assert not [name for name, value in vars(result).items() if isinstance(value, np.generic)]


def test_the_first_case_that_applies_gives_the_reason():
    """One problem gives a sentence or None; later cases are not asked."""
    assert reasons((), (np.bool_(False), "first"), (np.array(True), "second"), (True, "third")) == "second"
    assert reasons((), (False, "first")) is None


def test_a_batch_has_a_reason_for_each_problem():
    """Conditions are broadcast to the batch."""
    found = reasons((2, 2), (np.array([True, False]), "first"), (np.array([[True], [False]]), "second"))

    assert found.tolist() == [["first", "second"], ["first", None]]


def test_the_reasons_of_a_batch_are_those_of_its_problems():
    """An empty batch has none, a condition may be one for all."""
    assert reasons((0,), (True, "all")).tolist() == []
    assert reasons((2,), (True, "all")).tolist() == ["all", "all"]


LONG_NAME = "a classifier with a rather long name, number "


def random_comparison(n: int, k: int, **choices: Any) -> Comparison:
    scores = np.random.default_rng(0).random((n, k))
    datasets, classifiers = [f"dataset {i}" for i in range(n)], [f"{LONG_NAME}{i}" for i in range(k)]
    return compare(ScoreTable(scores=scores, datasets=datasets, classifiers=classifiers), **choices)


@pytest.mark.parametrize("choices", [{}, {"control": f"{LONG_NAME}3"}, {"robustness": True}])
def test_the_repr_of_a_large_comparison_fits_on_a_screen(choices):
    """What twelve datasets and nine classifiers fill with 43,484 characters when it is printed whole."""
    shown = repr(random_comparison(12, 9, **choices))

    assert shown.startswith("Comparison(table=ScoreTable(")
    assert len(shown) <= LONGEST + 100
    assert "partial" not in shown
    assert "array(" not in shown


@pytest.mark.parametrize(
    "value",
    [
        np.zeros((400, 400)),
        np.full(100, "a long text " * 9),
        np.array(["a long sentence " * 99] * 6, dtype=object),
        "a sentence that goes on and on " * 99,
        tuple(range(10_000)),
        tuple(("one", "two") for _ in range(999)),
        dict.fromkeys(range(999), "a value" * 99),
        frozenset(range(999)),
        partial(print, np.zeros(10_000)),
        _Record(value=_Record(value=_Record(value=tuple(range(999))))),
        [np.zeros((99, 99))] * 99,
    ],
    ids=lambda value: type(value).__name__,
)
def test_no_value_makes_a_repr_or_a_text_long(value):
    """One value, and forty of them, in a record and in a record of a record."""
    many = make_dataclass("Many", [(f"field_{i}", Any) for i in range(40)], bases=(Record,), frozen=True, eq=False)
    record = many(**{f"field_{i}": value for i in range(40)})

    for shown in (_Record(value=value), record, _Record(value=record)):
        assert len(repr(shown)) <= LONGEST + 100
        assert len(str(shown)) <= LONGEST + 100


def test_what_is_left_out_is_counted():
    """A reader sees how much there is."""
    array = "<float64 array of shape (2, 5): 0, 0, 0, ... 10 in all>"

    assert repr(_Record(value=np.zeros((2, 5)))) == f"_Record(value={array})"
    assert repr(_Record(value=tuple("abcde"))) == "_Record(value=('a', 'b', 'c', ... 5 in all))"
    assert repr(_Record(value=("a",))) == "_Record(value=('a',))"
    assert repr(_Record(value={"a": 1})) == "_Record(value={'a': 1})"


def test_a_small_record_is_shown_as_it_is_written():
    """The repr of one problem reads as the call that makes it; what begins with an underscore is nobody's business."""
    shown = repr(_Record(value=np.array([0.5, 1.0]), _own=3))

    assert shown == "_Record(value=array([0.5, 1. ]))"


def test_a_record_prints_as_a_line_and_its_reason():
    """Name, statistic, p-value, null distribution; estimates and intervals likewise."""
    assert str(sign_test([1, 2, 3], [0, 0, 4])) == "SignTestResult: statistic = 2, p = 1 (binomial, two-sided)"
    assert str(sign_test([1], [1])).splitlines()[1] == f"reason: {sign_test([1], [1]).reason}"
    assert str(cohen_kappa([1, 2, 1, 1], [1, 2, 2, 1])) == "CohenKappaResult: estimate = 0.5, standard error = 0.375"
    assert str(ConfidenceInterval(low=0.25, high=np.inf, confidence_level=0.9, attained_level=0.9)) == (
        "0.25 to inf (confidence level 0.9)"
    )


def test_a_record_of_records_prints_a_line_for_each():
    """The p-value of each convention, method and pair is what was asked."""
    conventions = wilcoxon_test([5, 7, 3, 8, 6], [4, 4, 4, 4, 1]).all_conventions()
    methods = mcnemar_test(counts=[[20, 3], [9, 30]]).all_methods()
    robustness = random_comparison(12, 3, robustness=True).robustness
    assert robustness is not None

    for shown, rows in ((conventions, conventions.conventions), (methods, methods.methods)):
        lines = str(shown).splitlines()[1:]
        assert len(lines) == len(rows)
        assert all(f"pvalue = {row.pvalue:.4g}" in line for row, line in zip(rows, lines, strict=True))
    lines = str(robustness).splitlines()[1:]
    assert all(f"= {pair.largest_pvalue:.4g}" in line for pair, line in zip(robustness.pairs, lines, strict=True))


def test_lines_of_many_records_are_counted():
    """The first of the 28 pairs of eight classifiers are shown, as many as fit."""
    shown = str(random_comparison(12, 8, robustness=True).robustness)
    n = shown.count("first = ")

    assert 0 < n <= 10
    assert len(shown) <= LONGEST
    assert shown.endswith(f"\n... {28 - n} more")


def test_a_record_with_a_verdict_prints_it():
    """A gate prints its decision; a plan also prints the power and the sample size of each case."""
    answers = pd.DataFrame({"item_id": range(60), "correct": [0, 1, 1] * 20})
    decided = gate(answers, answers.assign(correct=[1, 0, 1] * 20), margin=0.05)
    design, margin = plan_design("sign", n=12, effects=[0.8]), plan_margin("paired-t", margin=0.01, n=30)
    power, required = design.cases[0].power, design.cases[0].required
    assert power is not None
    assert required is not None

    assert str(decided) == report.sentence(decided)
    assert str(design).startswith(report.sentence(design))
    assert str(design).splitlines()[-1].endswith(f"power = {power.power:.4g}, required n = {required.n}")
    assert len(str(margin).splitlines()) == 1 + len(margin.cases)


def test_a_shortened_array_states_its_number_of_values():
    """A curve shows its ends; a short one is whole."""
    assert str(_Record(value=np.arange(10, 50))) == "_Record: value = [10, 11, ..., 48, 49] (40 values)"
    assert str(_Record(value=np.arange(3))) == "_Record: value = [0, 1, 2]"


def test_a_table_holds_plain_values_only():
    """A number of numpy in a dict becomes one of Python; what is neither number nor text has no column."""
    record = _Record(value={"a": np.float64(0.5), "b": np.array(["x", ()], dtype=object), "c": (1, 2)})

    assert repr(record.to_columns()) == "{'value_a': [0.5]}"


SCORES = np.array([[0.81, 0.79, 0.70], [0.64, 0.66, 0.60], [0.70, 0.65, 0.65], [0.93, 0.91, 0.90]])


def test_the_table_of_one_problem_is_a_row():
    """Its columns are the numbers and the text of the result; two degrees of freedom are two numbers."""
    frame = friedman_test(SCORES, method="f").to_frame()

    assert len(frame) == 1
    assert (frame.statistic[0], frame.df_1[0], frame.df_2[0], frame.method[0]) == (
        friedman_test(SCORES, method="f").statistic,
        2,
        6,
        "f",
    )
    assert "mean_ranks" not in frame


def test_the_table_of_a_batch_has_a_row_for_each_problem():
    """Of two batch axes there are two columns of places."""
    batch = sign_test(np.arange(24).reshape(2, 3, 4), [3, 3, 3, 14])
    frame = batch.to_frame()

    assert frame[["problem_0", "problem_1"]].to_numpy().tolist() == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    assert frame.n_wins.tolist() == batch.n_wins.ravel().tolist()
    assert set(frame.n_pairs) == {4}


PAIRWISE = (nemenyi_test, pairwise_sign_test, bayes_pairwise_sign_test, bayes_pairwise_signed_rank_test)


@pytest.mark.parametrize("test", PAIRWISE)
def test_the_table_of_a_test_of_pairs_has_a_row_for_each_pair(test):
    """Each pair once, the first classifier against the second."""
    result = test(SCORES)
    matrix = result.statistic if hasattr(result, "statistic") else result.p_less
    columns = result.to_columns()

    assert (columns["first"], columns["second"]) == ([0, 0, 1], [1, 2, 2])
    assert columns["statistic" if hasattr(result, "statistic") else "p_less"] == matrix[[0, 0, 1], [1, 2, 2]].tolist()


def test_the_table_of_a_test_comparison_with_control_has_a_row_for_each_other():
    """The control is the second of each pair, in a batch too."""
    for result in (bonferroni_dunn_test(SCORES, control=1), conover_test(SCORES, control=1)):
        columns = result.to_columns()

        assert (columns["first"], columns["second"]) == ([0, 2], [1, 1])
        assert columns["pvalue"] == result.pvalue[[0, 2]].tolist()
    batch = bonferroni_dunn_test(np.stack([SCORES, -SCORES]), control=1).to_columns()
    assert (batch["problem"], batch["first"]) == ([0, 0, 1, 1], [0, 2, 0, 2])


def test_the_table_of_a_comparison_has_a_row_for_each_pair():
    """With names, decisions and effect sizes."""
    comparison = random_comparison(6, 3)
    frame = comparison.to_frame()

    assert frame.pvalue.tolist() == [pair.pvalue for pair in comparison.pairs]
    assert frame.hodges_lehmann.tolist() == [pair.hodges_lehmann for pair in comparison.pairs]
    assert {"first", "second", "different", "rank_biserial"} <= set(frame)


def test_places_are_names_where_a_record_has_names():
    """The folds of a table; its classifiers are numbers."""
    folds = FoldScores(
        dataset="iris", scores=np.arange(4.0).reshape(1, 2, 2), repeats=("1",), folds=("a", "b"), n_train=9, n_test=1
    )

    assert folds.to_columns()["fold"] == ["a", "a", "b", "b"]
    assert folds.to_columns()["scores"] == [0.0, 1.0, 2.0, 3.0]


def test_a_verdict_over_runs_has_a_row_for_each_pair():
    """How often each of both is significantly better stands beside."""
    runs = np.random.default_rng(1).random((5, 12, 3)) + np.array([0.0, 0.0, 0.9])
    result = verdict_reproducibility(runs)
    columns = result.to_columns()

    assert columns["n_significant"] == result.n_significant[[0, 0, 1], [1, 2, 2]].tolist()
    assert columns["n_significant_second"] == result.n_significant[[1, 2, 2], [0, 0, 1]].tolist()
    assert columns["win_share"] == result.pairs.win_share[[0, 0, 1], [1, 2, 2]].tolist()


def test_a_table_of_scores_is_wide_as_a_frame_and_long_as_columns():
    """Both hold every score."""
    table = ScoreTable(scores=SCORES, datasets=list("abcd"), classifiers=list("xyz"))

    assert table.to_frame().to_numpy().tolist() == SCORES.tolist()
    assert table.to_columns()["score"] == SCORES.ravel().tolist()
    assert table.to_columns()["dataset"][:4] == ["a", "a", "a", "b"]


def test_predictions_are_read_again_from_their_table():
    """What read_predictions() understood is a data frame that it understands."""
    cases = {"dataset": ["d"] * 8, "fold": [1, 1, 2, 2] * 2, "row": [0, 1, 2, 3] * 2, "y_true": list("abba") * 2}
    frame = pd.DataFrame({**cases, "classifier": ["NB"] * 4 + ["SVM"] * 4, "y_pred": list("aabbabab")})
    first = read_predictions(frame, pos_label="a")

    again = read_predictions(first.to_frame(), pos_label="a")

    assert again.to_columns() == first.to_columns()


def test_without_pandas_the_error_says_what_to_install(monkeypatch):
    """And what does not need it."""
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(EvalstatsError, match=r'pip install "classifier-evalstats\[pandas\]"; to_columns\(\)'):
        sign_test([1, 2], [0, 0]).to_frame()


def test_interval_that_does_not_reach_its_level_says_so() -> None:
    interval = wilcoxon_test([3, 4, 5], [1, 1.5, 2]).confidence_interval(0.95)

    assert str(interval) == "2 to 3 (confidence level 0.75, not 0.95: the widest interval)"
    assert str(paired_ttest([3, 4, 5], [1, 1.5, 2]).confidence_interval()).endswith("(confidence level 0.95)")


NAMED = pd.DataFrame(np.random.default_rng(1).random((12, 4)), columns=list("abcd"), index=[f"d{i}" for i in range(12)])
OF_PAIRS = (
    evalstats.nemenyi_test,
    evalstats.pairwise_wilcoxon_test,
    evalstats.pairwise.pairwise_sign_test,
    evalstats.pairwise.pairwise_max_t_test,
    evalstats.tukey_test,
    evalstats.conover_test,
)


class TestNamesOfClassifiers:
    @pytest.mark.parametrize("test", OF_PAIRS)
    @pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
    def test_names_of_columns_come_out(self, test: Any, kind: Any) -> None:
        result, plain_result = test(kind(NAMED)), test(NAMED.to_numpy())

        assert (result.classifiers, plain_result.classifiers) == (("a", "b", "c", "d"), None)
        assert result.to_columns()["first"] == ["a", "a", "a", "b", "b", "c"]
        assert plain_result.to_columns()["second"] == [1, 2, 3, 2, 3, 3]
        assert (
            result["b", "d"].pvalue == result.pair("d", "b").pvalue == plain_result[1, 3].pvalue == result.pvalue[1, 3]
        )
        assert (result["b", "d"].first, plain_result[1, 3].first) == ("b", 1)

    def test_matrix_has_names_on_both_sides(self) -> None:
        matrix = evalstats.nemenyi_test(NAMED).to_matrix()

        assert (list(matrix.index), list(matrix.columns)) == (list("abcd"), list("abcd"))
        assert matrix.loc["a", "c"] == evalstats.nemenyi_test(NAMED)["a", "c"].pvalue
        with pytest.raises(InvalidValueError, match="but 'mean_ranks' does not"):
            evalstats.nemenyi_test(NAMED).to_matrix("mean_ranks")

    @pytest.mark.parametrize("test", [evalstats.bonferroni_dunn_test, evalstats.multiple.dunnett_test, *OF_PAIRS[1:3]])
    def test_control_is_told_by_its_name(self, test: Any) -> None:
        result, plain_result = test(NAMED, control="c"), test(NAMED.to_numpy(), control=2)

        assert (result.control, plain_result.control) == ("c", 2)
        assert result.to_columns()["second"] == ["c", "c", "c"]
        assert result["a", "c"].pvalue == plain_result[0, 2].pvalue == result.pvalue[0]
        with pytest.raises(InvalidValueError, match=r"the second classifier must be the control 'c'"):
            result["c", "a"]

    @pytest.mark.parametrize(
        ("names", "message"),
        [
            ("a", r"a pair has two classifiers, as in result\['a', 'b'\]"),
            (("a", "a"), "both are 'a'"),
            (("a", "x"), r"each classifier of a pair must be one of 'a', 'b', 'c', 'd', not 'x'"),
        ],
    )
    def test_other_pairs_are_refused(self, names: Any, message: str) -> None:
        with pytest.raises(evalstats.EvalstatsError, match=message):
            evalstats.nemenyi_test(NAMED)[names]

    def test_omnibus_test_has_names_but_no_pairs(self) -> None:
        result = evalstats.friedman_test(NAMED)

        assert result.classifiers == ("a", "b", "c", "d")
        with pytest.raises(InvalidValueError, match="FriedmanTestResult has no pairs"):
            result["a", "b"]

    def test_batch_has_no_pair(self) -> None:
        with pytest.raises(
            InvalidValueError, match="belongs to a batch, which contains this pair once for each problem"
        ):
            evalstats.nemenyi_test(np.stack([NAMED, NAMED]))[0, 1]
