"""Eight threads that call everything at once get the numbers of one.

EVALSTATS_TRIALS=200 calls each function 200 times.
"""

from __future__ import annotations

import inspect
import random
import runpy
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from repetitions import repetitions

pytestmark = pytest.mark.long

TIMES = repetitions(2)
TESTS = Path(__file__).parents[1]
ARGUMENTS = runpy.run_path(str(TESTS / "test_arguments.py"))
CALLS, FUNCTIONS = ARGUMENTS["CALLS"], ARGUMENTS["FUNCTIONS"]
plain = runpy.run_path(str(TESTS / "result_comparison.py"))["plain"]
# they write files, start programs or draw in the one canvas of the process
ALONE = {
    "read_study",
    "run_study",
    "validate",
    "simulate_flu_shift",
    "label_permutation_test",
    "classifier_two_sample_test",
}


def call(name: str) -> Any:
    function, arguments = FUNCTIONS[name], dict(CALLS[name])
    if "rng" in inspect.signature(function).parameters:
        arguments["rng"] = 1
    return plain(function(**arguments))


def test_eight_threads_give_the_numbers_of_one() -> None:
    names = [name for name in CALLS if name not in ALONE and not name.startswith("plot.")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # filters belong to the process, not to a thread
        alone = {name: call(name) for name in names}
        order = names * TIMES
        random.Random(3).shuffle(order)

        with ThreadPoolExecutor(8) as pool:
            found = list(zip(order, pool.map(call, order), strict=True))

    assert len(names) > 150
    assert [name for name, value in found if value != alone[name]] == []
