"""Make the test runs of deepeval that the tests read: two mock systems, measured without a model that judges.

pip install "deepeval==4.3.1"
python scripts/format_samples/deepeval_runs.py tests/data/formats/deepeval
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"

from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, DisplayConfig, ErrorConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

WRONG = {"alpha": {3}, "beta": {2, 3, 5, 7}}
BROKEN = {"alpha": (), "beta": (), "broken": (6,)}


class Exact(BaseMetric):
    """Right or wrong."""

    def __init__(self) -> None:
        self.threshold, self.async_mode = 0.5, False

    def measure(self, test_case, *args, **kwargs):
        if test_case.actual_output == "":
            raise RuntimeError("there is no answer")
        self.score = float(test_case.actual_output == test_case.expected_output)
        self.success, self.reason = self.score >= self.threshold, "compared as text"
        return self.score

    async def a_measure(self, test_case, *args, **kwargs):
        return self.measure(test_case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Exact"


class Closeness(Exact):
    """How close a number is."""

    def measure(self, test_case, *args, **kwargs):
        if test_case.actual_output == "":
            raise RuntimeError("there is no answer")
        self.score = 1 / (1 + abs(int(test_case.actual_output) - int(test_case.expected_output)))
        self.success, self.reason = self.score >= self.threshold, "compared as numbers"
        return self.score

    @property
    def __name__(self):
        return "Closeness"


def _same_inputs() -> list[LLMTestCase]:
    """Return one input with another context or expected output, which is another question, and one repeat of it."""
    cases = [
        LLMTestCase(
            input="What is n+n?",
            actual_output=str(2 * n + (n == 3)),
            expected_output=str(2 * n),
            context=[f"n is {n}."],
        )
        for n in range(1, 7)
    ]
    return [
        *cases,
        LLMTestCase(input="What is n+n?", actual_output="2", expected_output="2", context=["n is one."]),
        LLMTestCase(input="What is n+n?", actual_output="3", expected_output="2", context=["n is one."]),
    ]


def _write_run(cases: list[LLMTestCase], model: str, path: Path) -> None:
    with tempfile.TemporaryDirectory() as directory:
        evaluate(
            test_cases=cases,
            metrics=[Exact(), Closeness()],
            hyperparameters={"model": model, "temperature": 0},
            async_config=AsyncConfig(run_async=False),
            display_config=DisplayConfig(show_indicator=False, print_results=False, results_folder=directory),
            error_config=ErrorConfig(ignore_errors=True),
        )
        (made,) = Path(directory).glob("test_run_*.json")
        shutil.copy(made, path)


def main(out: Path) -> None:
    """Write one run for each system, named by a hyperparameter, and a run whose inputs are the same."""
    out.mkdir(parents=True, exist_ok=True)
    for name, broken in BROKEN.items():
        wrong = WRONG.get(name, WRONG["beta"])
        answers = {n: "" if n in broken else str(2 * n + (n in wrong)) for n in range(1, 11)}
        cases = [
            LLMTestCase(input=f"What is {n}+{n}?", actual_output=answer, expected_output=str(2 * n))
            for n, answer in answers.items()
        ]
        _write_run(cases, "beta" if name == "broken" else name, out / f"{name}.json")
    _write_run(_same_inputs(), "gamma", out / "same_inputs.json")
    (out / "VERSION").write_text(f"deepeval {version('deepeval')}, scripts/format_samples/deepeval_runs.py\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
