"""The invariants of tests/invariants.py, for each public function that no other test holds to them."""

from __future__ import annotations

import copy
import dataclasses
import functools
import importlib
import inspect
import itertools
import json
import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions

from evalstats import EvalstatsError, report
from evalstats._result import Record

ROOT = Path(__file__).parents[1]
TABLE = runpy.run_path(str(ROOT / "tests" / "invariants.py"))
INVARIANTS, CALLS, FUNCTIONS = TABLE["INVARIANTS"], TABLE["CALLS"], TABLE["FUNCTIONS"]
arrays_of, plain, takes = TABLE["arrays_of"], TABLE["plain"], TABLE["takes"]

# the invariants are about answers; odd inputs are told of, and matrices of numpy are one of them
pytestmark = [
    pytest.mark.filterwarnings("ignore::evalstats.EvalstatsWarning"),
    pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning"),
]


def held_here(test: str) -> list[str]:
    """Return the functions that a test of this file holds to its invariant."""
    return sorted(
        set().union(*(invariant.held.get(f"tests/test_invariants.py::{test}", ()) for invariant in INVARIANTS.values()))
    )


def for_each_function(invariant: Callable[[str], None]) -> Callable[..., None]:
    """Make a test of a invariant, which tries every function that the table holds to it and lists all that break it."""

    def test(hold_for_each, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        hold_for_each({name: (name,) for name in held_here(invariant.__name__)}, invariant)

    test.__doc__ = invariant.__doc__
    return test


def call(function: str, /, **changed: Any) -> Any:
    arguments = CALLS[function] | changed
    if takes(function, "rng"):
        arguments = {"rng": 1} | arguments
    try:
        return FUNCTIONS[function](**arguments)
    finally:
        plt.close("all")


@functools.cache
def answer(function: str, seed: int = 1) -> Any:
    """Return what the call of a function answers, as plain data, whatever the state of NumPy is; tests share it."""
    state = np.random.get_state()  # noqa: NPY002 - the state that must not matter
    np.random.seed(seed)  # noqa: NPY002 - as above
    try:
        return plain(call(function))
    finally:
        np.random.set_state(state)  # noqa: NPY002 - as above


def fields_of(result: Any) -> dict[str, Any]:
    """Return the fields of a result by name; those of a record in a field by both names."""
    if isinstance(result, Record):
        fields = result.to_dict()
        inner = {f"{name}.{own}": item for name, v in fields.items() if isinstance(v, dict) for own, item in v.items()}
        return {name: value for name, value in fields.items() if not isinstance(value, dict)} | inner
    if isinstance(result, tuple):
        return {str(place): item for place, value in enumerate(result) for item in fields_of(value).values()}
    return {"": result.tolist() if isinstance(result, np.ndarray) else result}


def as_numbers(value: Any) -> np.ndarray | None:
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):  # text, records, or ragged
        return None


def close(first: np.ndarray, second: np.ndarray) -> bool:
    return first.shape == second.shape and bool(np.allclose(first, second, rtol=1e-9, atol=1e-12, equal_nan=True))


# --- the table --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("invariant", INVARIANTS)
def test_every_public_function_is_held_to_the_law_or_excused(invariant: str) -> None:
    told = [
        name
        for names in (*INVARIANTS[invariant].held.values(), *INVARIANTS[invariant].excused.values())
        for name in names
    ]

    assert sorted(told) == sorted(FUNCTIONS)


def test_every_test_of_the_table_exists() -> None:
    for test in {test for invariant in INVARIANTS.values() for test in invariant.held}:
        file, _, name = test.partition("::")
        assert re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), test


def test_page_says_what_the_table_says() -> None:
    writer = runpy.run_path(str(ROOT / "docs" / "figures" / "invariants.py"))

    assert (ROOT / "docs" / "invariants.md").read_text(encoding="utf-8") == writer["page"](TABLE)


# --- the invariants ----------------------------------------------------------------------------------------


def write_protected(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    return value


@pytest.mark.sampled
@for_each_function
def test_input_is_left_alone(name: str) -> None:
    keep = {"ax", "rule"}  # a picture is written; a rule counts the runs that it was told
    given = {k: v if k in keep else write_protected(copy.deepcopy(v)) for k, v in CALLS[name].items()}
    before = plain({k: v for k, v in given.items() if k not in keep})
    state, errors = np.random.get_state()[1].tobytes(), np.geterr()  # noqa: NPY002 - the state that must not change

    call(name, **given)

    assert plain({k: v for k, v in given.items() if k not in keep}) == before
    assert (np.random.get_state()[1].tobytes(), np.geterr()) == (state, errors)  # noqa: NPY002 - as above


@pytest.mark.sampled
@for_each_function
def test_same_call_gives_the_same_answer(name: str) -> None:
    assert answer(name) == answer(name, 2)


@for_each_function
def test_seed_is_in_the_record(name: str) -> None:
    """None stands there where nothing had to be drawn."""
    result = call(name, rng=5)

    assert result.seed == (None if name in {"dataset_selection_sensitivity"} else 5)


def tuples(value: Any) -> Any:
    return tuple(tuples(item) for item in value) if isinstance(value, list) else value


KINDS: dict[str, Callable[[np.ndarray], Any]] = {
    "lists": lambda array: array.tolist(),
    "tuples": lambda array: tuples(array.tolist()),
    "columns first": np.asfortranarray,
    "every second": lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
    "backwards": lambda array: array[::-1].copy()[::-1],
    "the other byte order": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "objects": lambda array: array.astype(object),
    "not to be written": lambda array: write_protected(array.copy()),
}


@pytest.mark.sampled
@for_each_function
def test_any_kind_of_array_will_do(name: str) -> None:
    arrays, expected = arrays_of(name), answer(name)

    found = {kind: plain(call(name, **{k: make(v) for k, v in arrays.items()})) for kind, make in KINDS.items()}

    assert [kind for kind, answer in found.items() if answer != expected] == []


@for_each_function
def test_nan_and_infinity_are_refused_by_name(name: str) -> None:
    for argument, bad in itertools.product(arrays_of(name, "f"), (np.nan, np.inf, -np.inf)):
        array = arrays_of(name)[argument].copy()
        array.flat[-1] = bad
        with pytest.raises(EvalstatsError) as refused:
            call(name, **{argument: array})
        assert re.search(rf"\b{argument}\b", str(refused.value)), str(refused.value)
        assert str(bad) in str(refused.value)


# swapping two of its classifiers and some of its datasets gives the table of the other calls again: which of the two
# comes first is then drawn
ASYMMETRIC = {"rank_distribution": {"scores": CALLS["rank_distribution"]["scores"][:5]}}


def moved(array: Any, axes: tuple[str, ...], axis: str, order: np.ndarray) -> np.ndarray:
    array = np.asarray(array)
    for place, own in enumerate(axes):
        array = np.take(array, order, axis=place) if own == axis else array
    return array


def goes_along(before: Any, after: Any, order: np.ndarray) -> bool:
    """Tell whether a field is what it was, or is so in the new order along one axis or several."""
    x, y = as_numbers(before), as_numbers(after)
    if x is None or y is None:
        x, y = np.asarray(before, dtype=object), np.asarray(after, dtype=object)
    places = [place for place in range(x.ndim) if x.shape[place] == len(order)]
    ways = [way for n in range(len(places) + 1) for way in itertools.combinations(places, n)]
    for way in ways:
        turned = x
        for place in way:
            turned = np.take(turned, order, axis=place)
        if close(turned, y) if x.dtype.kind == "f" else turned.tolist() == y.tolist():
            return True
    return False


@for_each_function
def test_any_order_will_do(name: str) -> None:
    arguments = TABLE["labeled"](name)
    arrays = {argument: np.asarray(value.array) for argument, value in arguments.items()} | ASYMMETRIC.get(name, {})
    if name in TABLE["LABELS"]["CASES"]:
        case = TABLE["LABELS"]["CASES"][name]
        choices = case.choices | ({"pos_label": 1} if case.choices.get("pos_label") == "b" else {})
        function: Callable[..., Any] = lambda **arrays: case.function(**arrays, **choices)  # noqa: E731 - one of two
    else:
        function = lambda **arrays: call(name, **arrays)  # noqa: E731 - one of two
    expected = fields_of(function(**arrays))

    for axis in set(TABLE["axes_of"](name)) - set(TABLE["IN_ORDER"].get(name, ())) - TABLE["MEANT"]:
        n = next(arrays[a].shape[v.axes.index(axis)] for a, v in arguments.items() if axis in v.axes)
        order = np.roll(np.arange(n), 1)
        if axis == "classifier" and takes(name, "control"):  # which is the first
            order = np.concatenate([[0], np.arange(1, n)[::-1]])
        elif n > 2:
            order = order[[1, 0, *range(2, n)]]
        found = fields_of(function(**{a: moved(arrays[a], v.axes, axis, order) for a, v in arguments.items()}))
        told = {field for field in expected if not isinstance(expected[field], str)}
        assert [f for f in told if not goes_along(expected[f], found[f], order)] == [], axis


@for_each_function
def test_batch_equals_the_loop(name: str) -> None:
    arrays = arrays_of(name)
    for ordered in ("bounds", "n_train"):  # the same for all members, in increasing order
        arrays.pop(ordered, None)
    members = [fields_of(call(name, **{k: v[::step] for k, v in arrays.items()})) for step in (1, -1)]

    batch = fields_of(call(name, **{k: np.stack([v, v[::-1]]) for k, v in arrays.items()}))

    assert batch.keys() == members[0].keys()
    for field, value in batch.items():
        both = [member[field] for member in members]
        assert repr(value) == repr(both) or [repr(value)] * 2 == [repr(one) for one in both], field


@pytest.mark.parametrize("name", TABLE["ONE_PROBLEM"])
def test_what_takes_one_problem_takes_no_batch_for_one(name: str) -> None:
    """The excuse is no way round the invariant."""
    arrays = arrays_of(name)

    try:
        result = call(name, **{k: np.stack([v, v]) for k, v in arrays.items()})
    except EvalstatsError:
        return
    assert fields_of(result).keys() == fields_of(call(name)).keys()
    assert name in {"adjust_pairwise", "bradley_terry_from_counts", "nested_cross_validated_mean"}


MIRRORED = {"p_less": "p_greater", "p_greater": "p_less"}
NAMED_ALIKE = (("x", "y"), ("y_true_x", "y_true_y"), ("x_judge", "y_judge"))
# what the sign of says who is ahead, or which share
OF_A_DIFFERENCE = ("difference", "mean_difference", "estimate", "pvalue", "p_less", "p_rope", "p_greater")
OF_A_DIFFERENCE += ("standard_error", "bayes_factor", "mean", "win_share")


@for_each_function
def test_exchange_mirrors_the_result(name: str) -> None:
    call_of = CALLS[name]
    other = {a: call_of[b] for pair in NAMED_ALIKE if pair[0] in call_of for a, b in (pair, pair[::-1])}
    if "bounds" in call_of:
        other["bounds"] = tuple(-bound for bound in reversed(call_of["bounds"]))
    here, there = fields_of(call(name)), fields_of(call(name, **other))
    told = [field for field in here if field in (*OF_A_DIFFERENCE, "")]

    assert told
    for field in told:
        mirror = MIRRORED.get(field, field)
        x, y = as_numbers(here[field]), as_numbers(there[mirror])
        assert x is not None
        assert y is not None
        assert close(x, y) or close(x, -y) or close(x, 1 - y) or close(x, 1 / y), field


@for_each_function
def test_smaller_is_better_equals_negated_scores(name: str) -> None:
    negated = {argument: -array for argument, array in arrays_of(name, "f").items()}
    here, there = fields_of(call(name, greater_is_better=False)), fields_of(call(name, **negated))

    differing = [field for field in here if repr(here[field]) != repr(there[field])]

    assert set(differing) <= {"greater_is_better"}


@for_each_function
def test_monotone_transformation_changes_nothing(name: str) -> None:
    there = {argument: np.exp(array) / 3 for argument, array in arrays_of(name, "f").items()}

    assert plain(call(name, **there)) == answer(name)


@for_each_function
def test_unit_and_zero_of_the_scores_do_not_matter(name: str) -> None:
    counts = {argument: np.round(100 * array) for argument, array in arrays_of(name, "f").items()}
    results = [
        call(name, **{argument: change(array) for argument, array in counts.items()})
        for change in (np.copy, lambda array: array / 10_007, lambda array: array + 50)
    ]

    here, *others = (TABLE["COMMON"]["pvalues_of"](result) for result in results)

    for there in others:
        for field, value in here.items():
            if value is not None:
                np.testing.assert_allclose(there[field], value, rtol=1e-7, err_msg=field)


def few_values(name: str, seed: int) -> dict[str, np.ndarray]:
    """Return scores of 0, 1 and 2, often with constant differences, for each array of floats of a function."""
    rng = np.random.default_rng(seed)
    scores = {argument: rng.integers(0, 3, array.shape) for argument, array in arrays_of(name, "f").items()}
    kind, (first, *others) = rng.integers(4), scores
    if kind == 0 and others and scores[first].shape == scores[others[0]].shape:
        scores[others[0]] = scores[first] + 1
    if kind == 1 and scores[first].ndim > 1:
        scores[first][..., 1] = scores[first][..., 0] + 1
    if kind == 2 and scores[first].ndim > 1:
        scores[first] = scores[first][..., :1] + rng.integers(0, 3, scores[first].shape[-1])
    return scores


@for_each_function
@settings(max_examples=repetitions(25))
@given(seed=st.integers(0, 2**32 - 1))
def test_few_values_have_the_same_pvalues_in_every_unit(name: str, seed: int) -> None:
    """A variance of 0 in counts is no variance of rounding errors in fractions, also of single precision."""
    counts = few_values(name, seed)
    units: dict[Callable[[np.ndarray], np.ndarray], float] = {
        lambda array: array / 3: 1e-7,
        lambda array: array * 0.1: 1e-7,
        lambda array: array + 0.7: 1e-7,
        lambda array: (array * 0.1 + 0.3).astype(np.float32): 2e-3,
    }

    def pvalues(change: Callable[[np.ndarray], np.ndarray]) -> dict[str, Any]:
        try:
            result = call(name, **{argument: change(array.astype(float)) for argument, array in counts.items()})
        except EvalstatsError as error:
            return {"error": len(type(error).__name__)}
        return {k: v for k, v in TABLE["COMMON"]["pvalues_of"](result).items() if v is not None}

    here = pvalues(np.copy)
    for unit, precision in units.items():
        there = pvalues(unit)
        assert there.keys() == here.keys()
        for field, value in here.items():
            np.testing.assert_allclose(there[field], value, rtol=10 * precision, atol=precision, err_msg=field)


def drawn(array: np.ndarray, seed: int) -> np.ndarray:
    """Return other values of the same kind, few of them different: ties are common."""
    rng = np.random.default_rng(seed)
    if array.dtype.kind == "f":
        return rng.integers(0, rng.integers(2, 30), array.shape) / 4
    return rng.choice(np.unique(array), array.shape)


@for_each_function
@settings(max_examples=repetitions(12))
@given(seed=st.integers(0, 2**32 - 1))
def test_pvalues_are_above_0_and_at_most_1(name: str, seed: int) -> None:
    """With data of every kind, of few different values."""
    arrays = {k: drawn(v, seed + i) for i, (k, v) in enumerate(arrays_of(name).items()) if k not in {"order", "bounds"}}
    try:
        result = call(name, **arrays)
    except EvalstatsError:
        return
    for field, value in TABLE["COMMON"]["pvalues_of"](result).items():
        p = as_numbers([value] if value is None or np.ndim(value) == 0 else value)
        if value is not None and p is not None:
            assert ((p > 0) & (p <= 1) | np.isnan(p)).all(), (field, p)
            is_one_nan = field == "pvalue" and np.ndim(value) == 0 and np.isnan(p).any()
            assert not is_one_nan or getattr(result, "reason", "") is not None, field


@for_each_function
def test_identical_classifiers_give_p_one_and_a_reason(name: str) -> None:
    given = CALLS[name]
    if "x" in given:
        same = {b: given[a] for a, b in NAMED_ALIKE if a in given}
    else:
        argument = "scores" if "scores" in given else "correct"
        same = {argument: np.repeat(np.asarray(given[argument])[:, :1], 3, axis=1)}

    result = call(name, **same)

    found = {name: value for name, value in TABLE["COMMON"]["pvalues_of"](result).items() if value is not None}
    pvalue = np.asarray(found.get("pvalue", next(iter(found.values()))))
    assert ((pvalue == 1) | np.isnan(pvalue)).all()
    assert isinstance(result.reason, str)


# what may also be given by its place, though it has a default: data, or the one thing that is asked for
NAMED_BY_PLACE = {
    ("adjust_pairwise", "method"),
    # data, which counts may replace
    *((name, data) for name in ("bayes_accuracy_test", "mcnemar_test") for data in ("x", "y")),
    *((name, data) for name in ("equivalence_test", "noninferiority_test") for data in ("x", "y")),
    *((name, "ratings") for name in ("fleiss_kappa", "gwet_ac1")),
    *(("predictive_value_test", data) for data in ("y_true", "x", "y")),
    *(("sensitivity_specificity_test", data) for data in ("y_true", "x", "y")),
    *(("scott_pi", data) for data in ("y1", "y2")),
    *(("label_variation", data) for data in ("annotators", "judge")),
    ("adjust_pvalues", "method"),
    ("bibliography", "keys"),
    ("check_published_ranks", "n_datasets"),
    ("cost_ranges", "names"),
    ("example_metric_table", "name"),
    ("simulate_flu_shift", "classifiers"),
    ("forman_scholz_simulation", "f"),
    ("forman_scholz_simulation", "percent_positive"),
    ("plan_design", "test"),
    ("plan_margin", "test"),
    ("question_variance", "y"),
    ("which_test", "source"),
}


@for_each_function
def test_options_are_given_by_name(name: str) -> None:
    function = FUNCTIONS[name]
    for argument in inspect.signature(function).parameters.values():
        assert argument.kind is not inspect.Parameter.POSITIONAL_ONLY
        has_default = argument.default is not inspect.Parameter.empty
        if has_default and (function.__name__, argument.name) not in NAMED_BY_PLACE:
            assert argument.kind is inspect.Parameter.KEYWORD_ONLY, argument.name


def test_fields_of_records_are_given_by_name() -> None:
    def below(kind: type) -> list[type]:
        return [one for own in kind.__subclasses__() for one in (own, *below(own))]

    for module in {FUNCTIONS[name].__module__ for name in FUNCTIONS}:
        importlib.import_module(module)
    records = [one for one in below(Record) if one.__module__.startswith("evalstats.")]

    assert len(records) > 50
    for record in records:
        assert all(field.kw_only for field in dataclasses.fields(record)), record.__name__


@for_each_function
def test_result_is_a_frozen_record_that_survives_json(name: str) -> None:
    result = call(name)
    first = dataclasses.fields(result)[0].name

    assert isinstance(result, Record)
    assert json.loads(json.dumps(result.to_dict())).keys() == result.to_dict().keys()
    assert max(len(repr(result)), len(str(result))) < 2000
    # no array of an answer appears only as its shape
    assert not re.search(r"^\S+ +\d+( x \d+)* values|array of shape", report.text(result), re.MULTILINE)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(result, first, None)
