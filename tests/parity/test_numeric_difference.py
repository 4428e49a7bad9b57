"""Two answers are measured field by field; nothing that R said is passed over."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from evalstats._errors import InvalidValueError
from evalstats._result import ConfidenceInterval, Record
from evalstats.parity.numeric_difference import OurAnswer, answer, compare, failure
from evalstats.parity.reference_cases import Case, Reference, Tolerance

TIGHT = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class Result(Record):
    statistic: Any = 1.0
    pvalue: Any = 0.05
    mean_difference: Any = 0.1
    method: Any = "exact"
    reason: Any = None

    def interval(self, level: float = 0.95) -> ConfidenceInterval:
        return ConfidenceInterval(low=-level, high=level, confidence_level=level, attained_level=level)

    def broken(self) -> float:
        raise ValueError("out of order")


def case(*, absolute=(), fields=(), **arguments) -> Case:
    nothing = Tolerance(relative=None, fields={}, absolute={}, reason=None)
    reference = Reference(
        function="f", r="base::f", packages=("base",), source="implementation", second_source=None, tolerance=nothing
    )
    said = Tolerance(relative=None, fields=dict(fields), absolute=dict(absolute), reason=None)
    return Case(stem="subpackage/stem", name="one", arguments=arguments, reference=reference, tolerance=said)


def measured(ours: Record, theirs: dict[str, Any], *, further=(), asked: Case | None = None) -> tuple[float, list[str]]:
    largest, mismatches = compare(
        asked or case(x=[1.0]), OurAnswer(result=ours, further=dict(further)), theirs, "frozen"
    )
    return largest, [mismatch.field for mismatch in mismatches]


def test_equal_answers_differ_by_nothing() -> None:
    assert measured(Result(), {"statistic": 1.0, "pvalue": 0.05, "method": "exact"}) == (0.0, [])


def test_altered_number_is_found_and_measured() -> None:
    largest, fields = measured(Result(), {"statistic": 1.0, "pvalue": 0.05 * (1 + 3e-12)})

    assert largest == pytest.approx(3e-12, rel=1e-3)
    assert fields == ["pvalue"]


def test_rounding_is_no_mismatch() -> None:
    assert measured(Result(statistic=0.1 + 0.2), {"statistic": 0.3})[1] == []


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (math.nan, 1.0),
        (1.0, math.nan),
        (math.inf, 1e308),
        (math.inf, -math.inf),
        (-1.0, 1.0),
        (1e308, -1e308),
        (None, math.nan),
        (None, 0.0),
        ("1", 1.0),
        (1.0, "1"),
        (True, 1.0),
        (1.0, True),
        ("exact", "asymptotic"),
        ([1.0, 2.0], 1.0),
        ([[1.0, 2.0]], [1.0, 2.0]),
        ([1.0, 2.0], [1.0, 2.0, 3.0]),
        ([1.0, 2.0], [2.0, 1.0]),
        ([[1.0, 2.0], [3.0, 4.0]], [[1.0, 3.0], [2.0, 4.0]]),
        (np.array(["a", "b"]), ["a", "c"]),
        (np.array([None, None]), [math.nan, math.nan]),
        (1 + 0j, 1.0),
    ],
)
def test_what_is_not_equal_is_a_mismatch(ours: Any, theirs: Any) -> None:
    assert measured(Result(statistic=ours), {"statistic": theirs})[1] == ["statistic"]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (math.nan, math.nan),
        (math.inf, math.inf),
        (-math.inf, -math.inf),
        (0.0, -0.0),
        (3, 3.0),
        (np.float64(2.5), 2.5),
        (np.array([0.3]), 0.3),
        ((1.0, math.nan), [1.0, math.nan]),
        (np.array([[1, 2], [3, 4]]), [[1.0, 2.0], [3.0, 4.0]]),
        (np.array(["a", "b"]), ["a", "b"]),
        (np.bool_(True), True),
        (np.array([]), []),
    ],
)
def test_what_is_equal_in_another_type_is_no_mismatch(ours: Any, theirs: Any) -> None:
    assert measured(Result(statistic=ours), {"statistic": theirs}) == (0.0, [])


def test_noise_around_a_true_zero_is_small_against_the_data() -> None:
    """1e-17 here and -3e-17 there are both 0 for a difference of scores of size 1, but not for scores of size 1e-16."""
    ours, theirs = Result(mean_difference=1e-17), {"mean_difference": -3e-17}

    assert measured(ours, theirs, asked=case(x=[0.5, 0.9]))[1] == []
    assert measured(ours, {"mean_difference": 0.0}, asked=case(x=[0.5, 0.9]))[1] == []
    assert measured(ours, theirs, asked=case(x=[1e-16, 2e-16]))[1] == ["mean_difference"]


def test_noise_of_a_ratio_is_small_whatever_the_scores() -> None:
    assert measured(Result(statistic=1e-17), {"statistic": -3e-17}, asked=case(x=[1e-150, 1e-160]))[1] == []
    assert measured(Result(statistic=1e-11), {"statistic": 0.0}, asked=case(x=[1e150, 1e160]))[1] == ["statistic"]


def test_no_pvalue_is_noise() -> None:
    """R's 0 for a true 1e-17 is R's floor, not our rounding."""
    assert measured(Result(pvalue=1e-17), {"pvalue": 0.0})[1] == ["pvalue"]
    assert measured(1e-17, {"value": 0.0})[1] == ["value"]


def test_absolute_tolerance_holds_for_its_field_alone() -> None:
    lenient = case(x=[1.0], absolute={"pvalue": 1e-15})

    assert measured(Result(pvalue=1e-17), {"pvalue": 0.0}, asked=lenient)[1] == []
    assert measured(Result(pvalue=1e-14), {"pvalue": 0.0}, asked=lenient)[1] == ["pvalue"]
    assert measured(Result(statistic=1.0 + 1e-11, pvalue=0.0), {"statistic": 1.0}, asked=lenient)[1] == ["statistic"]


def test_a_mismatch_tells_the_difference_itself_and_how_much_of_it_is_allowed() -> None:
    """Neither is a share of a thousand, which is where 1e-9 and the relative 1e-12 are the same."""
    lenient = case(x=[1.0], absolute={"pvalue": 1e-9})
    ours = OurAnswer(result=Result(pvalue=np.array([0.05, 0.02]), statistic=np.array([5.0, 4.0])), further={})

    theirs = {"pvalue": [0.05, 0.02 + 1.4e-8], "statistic": [5.0 + 1e-10, 4.0 + 2e-10]}
    largest, (pvalue, statistic) = compare(lenient, ours, theirs, "frozen")

    assert largest == pytest.approx(5e-11, rel=1e-3)
    assert (pvalue.difference, pvalue.tolerance) == (pytest.approx(1.4e-8, rel=1e-6), 1e-9)
    assert (statistic.difference, statistic.tolerance) == pytest.approx((2e-10, 4e-12), rel=1e-5)


def test_tolerance_of_a_field_holds_for_that_field() -> None:
    lenient = case(x=[1.0], fields={"pvalue": 1e-3})

    assert measured(Result(statistic=1.0001, pvalue=0.05001), {"statistic": 1.0, "pvalue": 0.05}, asked=lenient)[1] == [
        "statistic"
    ]


def test_method_is_called_with_the_arguments_that_the_function_left() -> None:
    assert measured(Result(), {"interval": [-0.5, 0.5]}, further={"level": 0.5}) == (0.0, [])
    assert measured(Result(), {"interval": [-0.95, 0.95]}) == (0.0, [])


def test_argument_that_nobody_takes_is_a_mismatch() -> None:
    _, mismatches = compare(
        case(x=[1.0]), OurAnswer(result=Result(), further={"levle": 0.5}), {"interval": [0, 1]}, "live"
    )

    assert mismatches[0].ours == "neither the function nor a method of its result has the parameter levle"


def test_field_that_we_lack_is_a_mismatch() -> None:
    assert measured(Result(), {"statistic": 1.0, "df": 3.0})[1] == ["df"]
    assert measured(0.5, {"statistic": 0.5})[1] == ["statistic"]


def test_method_that_raises_is_a_mismatch() -> None:
    _, mismatches = compare(case(x=[1.0]), OurAnswer(result=Result(), further={}), {"broken": 1.0}, "live")

    assert mismatches[0].ours == "ValueError: out of order"


def test_plain_result_has_one_field_named_value() -> None:
    assert measured(np.array([0.1, 0.2]), {"value": [0.1, 0.2]}) == (0.0, [])


def test_mismatch_carries_all_that_is_needed_to_repeat_it() -> None:
    mismatch = failure(case(x=[1.0]), "generated", r=ValueError("no"))

    assert mismatch.to_dict() == {
        "case": "subpackage/stem/f/one",
        "source": "generated",
        "field": "",
        "ours": "not computed",
        "r": "ValueError: no",
        "difference": math.inf,
        "tolerance": TIGHT,
        "arguments": {"x": [1.0]},
    }


def test_function_of_the_stem_is_called_with_its_own_arguments(reference) -> None:
    from evalstats.parity.reference_cases import read_stem

    asked = read_stem("demo/subject", reference).cases[1]

    ours = answer(asked)

    assert (ours.field("mean"), ours.field("size"), ours.field("interval")) == (52.0, "wide", (51.75, 52.25))


@pytest.mark.parametrize(
    ("ours", "r", "same"), [(5e-324, 0.0, True), (2e-308, 0.0, True), (3e-308, 0.0, False), (0.0, 5e-324, False)]
)
def test_smallest_floats_are_what_r_rounds_to_zero(ours: float, r: float, same: bool) -> None:
    """A p-value of ours is never 0, however small the truth."""
    assert (measured(Result(pvalue=ours), {"pvalue": r})[1] == []) == same


@pytest.mark.parametrize(
    ("ours", "r", "same"),
    [(9.881e-323, 1.0375e-322, True), (1.729e-312, 1.729e-312 + 5e-324, True), (1e-321, 2e-321, False)],
)
def test_one_step_between_the_smallest_floats_is_no_difference(ours: float, r: float, same: bool) -> None:
    assert ours != r
    assert (measured(Result(pvalue=ours), {"pvalue": r})[1] == []) == same


def test_function_that_does_not_exist_is_named(reference) -> None:
    lost = Case(**{**vars(case(x=[1.0])), "stem": "demo/subject"})

    with pytest.raises(InvalidValueError, match=r"neither evalstats.demo.subject nor evalstats has a function f"):
        answer(lost)
