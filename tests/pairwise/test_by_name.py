"""The function by name must give the result of the function that the name stands for."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalstats import pairwise
from evalstats.comparison.registry import POSTHOC_TESTS
from evalstats.pairwise import pairwise_test
from evalstats.pairwise.by_name import TESTS

DATA = np.random.default_rng(3)
SCORES = pd.DataFrame(np.round(DATA.random((12, 3)), 1), columns=list("abc"))
CORRECT = SCORES > 0.3
TRUE = np.tile([0, 1, 1], 4)
GROUPS = np.repeat([0, 1, 2], 4)
# options that a test requires, or that make it reproducible
OPTIONS: dict[str, dict[str, Any]] = {
    "corrected-t": {"n_train": 80, "n_test": 20},
    "delong": {"y_true": TRUE},
    "proper-score": {"y_true": TRUE},
    "clustered-t": {"clusters": GROUPS},
    "subgroup": {"subgroup": GROUPS, "n_resamples": 99, "rng": 1},
    **{name: {"n_resamples": 99, "rng": 1} for name in ("max-t", "max-t-means", "romano-wolf", "range")},
}


@pytest.mark.parametrize("test", TESTS)
def test_name_gives_the_result_of_the_function(test: str) -> None:
    name, always = TESTS[test]
    function, data = getattr(pairwise, name), CORRECT if test == "mcnemar" else SCORES
    parameter = "correct" if test == "mcnemar" else "scores"

    result = pairwise_test(data, test=test, **OPTIONS.get(test, {}))

    wanted = function(**{parameter: data}, **always, **OPTIONS.get(test, {}))
    assert type(result) is type(wanted)
    np.testing.assert_equal(result.to_dict(), wanted.to_dict())


def test_default_is_the_wilcoxon_test_and_options_are_passed_on() -> None:
    result = pairwise_test(SCORES, control="b", adjust="finner", alternative="greater")

    wanted = pairwise.pairwise_wilcoxon_test(SCORES, control="b", adjust="finner", alternative="greater")
    np.testing.assert_equal(result.to_dict(), wanted.to_dict())


def test_option_of_a_name_can_be_replaced() -> None:
    result = pairwise_test(SCORES, test="max-t", ranks=False, rng=1)

    assert (result.pvalue == pairwise_test(SCORES, test="max-t-means", rng=1).pvalue).all()


def test_every_pairwise_test_has_a_name() -> None:
    tests = {name for name in pairwise.__all__ if name.startswith("pairwise_") and name.endswith("test")}

    assert {name for name, _ in TESTS.values()} == tests - {"pairwise_test"}


def test_names_mean_the_same_in_compare() -> None:
    shared = {name: (one.function, dict(one.always)) for name, one in POSTHOC_TESTS.items() if name in TESTS}

    assert {name: TESTS[name] for name in shared} == shared


def test_every_name_is_documented() -> None:
    documented = inspect.getdoc(pairwise_test) or ""

    assert [name for name in TESTS if f"``'{name}'``" not in documented] == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"test": "nemenyi"},
            f"test must be {' or '.join(map(repr, TESTS))}, not 'nemenyi'",
        ),
        (
            {"test": "sign", "zero_method": "pratt"},
            "pairwise_sign_test has no option 'zero_method'; it takes control, adjust, alternative, ties",
        ),
        ({"test": "corrected-t", "n_train": 80}, "pairwise_corrected_ttest requires the option 'n_test'"),
        ({"test": "delong"}, "pairwise_delong_test requires the option 'y_true'"),
        ({"test": "mcnemar", "correct": SCORES}, "pairwise_mcnemar_test has no option 'correct'; it takes control, "),
        ({"test": "sign", "control": "z"}, "control must be one of 'a', 'b', 'c', not 'z'"),
    ],
)
def test_messages_name_the_function(options: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError)) as refused:
        pairwise_test(SCORES, **options)

    assert str(refused.value).startswith(message)
