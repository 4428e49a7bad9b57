"""What is known of a statistical test beside its function? Its data, its laws, its inputs for R, and its words.

A module of statistics declares its tests in `DECLARATIONS`. The tests that hold for every function, the pages of the
documentation, the sentences of reports, the simulations of error rates and the inputs that are put to R are made from
these records, so that nothing of a test is listed twice.
"""

from __future__ import annotations

__all__ = [
    "CONFIDENCE_LEVELS",
    "OF_SIZES",
    "ONE_PROBLEM",
    "SIDES",
    "SIDES_AND_LEVELS",
    "SIGNIFICANCE_LEVELS",
    "Data",
    "Declaration",
    "Draw",
    "all_declarations",
    "declaration_of",
]

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import Any

from evalstats._checks import ALTERNATIVES
from evalstats._lazy_names import modules_of_names

PACKAGES = ("paired", "multiple", "pairwise", "agreement")
# levels at which R's limits are determined: at 0.5 a one-sided limit of its normal approximation is any point of an
# interval, where z crosses 0 on a plateau
CONFIDENCE_LEVELS = (0.6, 0.9, 0.95, 0.99)
SIDES = {"alternative": ALTERNATIVES}
SIDES_AND_LEVELS = {**SIDES, "confidence_level": CONFIDENCE_LEVELS}
SIGNIFICANCE_LEVELS = (0.01, 0.05, 0.1, 0.5)

# laws that do not hold for many tests, with the reasons
ONE_PROBLEM = {"batches": "takes one problem, and rejects a batch or treats it as one problem"}
OF_SIZES = {"monotone transformations": "uses the sizes of scores or differences"}


class Data(StrEnum):
    """What a test takes, by the names of its arguments."""

    PAIRS = "x, y: scores"
    CLUSTERED_PAIRS = "x, y: scores; groups"
    JUDGED_PAIRS = "x, y, x_judge, y_judge: scores; groups"
    REPEATED_FOLDS = "x, y: scores of 10 repeats of 10 folds"
    FIVE_BY_TWO = "x, y: scores of 5 repeats of 2 folds"
    ANSWERS = "x, y: correct or not; groups"
    PREDICTED_LABELS = "y_true, x, y: labels; groups"
    CLASS_SCORES = "y_true: labels; x, y: scores"
    TWO_TEST_SETS = "y_true_x, y_true_y: labels; x, y: scores"
    COUNTS = "table: counts of correct answers"
    SQUARE_TABLE = "table: counts of predicted labels"
    RANKED_TABLE = "scores: datasets and classifiers, whose mean ranks are compared"
    TABLE = "scores: datasets and classifiers"
    CORRECT_ANSWERS = "correct: instances and classifiers"
    CLASS_SCORE_TABLE = "y_true: labels; scores: instances and classifiers"
    LABELLINGS = "labels by two raters or more"


@dataclass(frozen=True)
class Draw:
    """A kind of random data, which `evalstats.parity.random_inputs` draws, with its parameters."""

    kind: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """A statistical test, declared beside its function.

    Attributes
    ----------
    function : callable
        The test. Its annotation names the class of its result.
    data : Data
        What it takes.
    example : mapping
        Arguments besides the data without which a call is refused, such as ``{"margin": 0.1}``.
    variants : mapping
        Further choices that the common tests try, by their names.
    excused : mapping
        Laws that do not hold, by their names in ``tests/invariants.py``, each with the reason.
    inputs : mapping
        How inputs for R are drawn: arguments to a `Draw`, or to a tuple of choices. Empty where R has no such test.
    simulations : mapping
        The choices with which its error rates are simulated, by their names; `n_experiments` are one chunk.
    sentence : str
        Its result in words, a template of `evalstats.report.sentences`; empty where another function with the same
        result declares it. `words` writes values of fields out.
    """

    function: Callable[..., Any]
    data: Data
    example: Mapping[str, Any] = field(default_factory=dict)
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    excused: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    simulations: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    n_experiments: int = 200
    sentence: str = ""
    words: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.function.__name__

    @property
    def package(self) -> str:
        """Name of the package that shows the function."""
        return self.function.__module__.split(".")[1]

    @property
    def result(self) -> str:
        """Name of the class of its result."""
        return str(self.function.__annotations__["return"])


@cache
def all_declarations() -> tuple[Declaration, ...]:
    """Return the declarations of all modules that the stubs of the statistical packages name, in their order."""
    packages = [import_module(f"evalstats.{package}").__name__ for package in PACKAGES]
    modules = dict.fromkeys(module for package in packages for module in modules_of_names(package).values())
    return tuple(one for module in modules for one in getattr(import_module(module), "DECLARATIONS", ()))


def declaration_of(result: type) -> Declaration | None:
    """Return the declaration that puts the results of a class into words, or None where no test has such results."""
    if not result.__module__.startswith(tuple(f"evalstats.{package}." for package in PACKAGES)):
        return None
    beside = getattr(import_module(result.__module__), "DECLARATIONS", ())
    # another module may hold the class of results; only then all are loaded
    return _with_words(beside, result) or _with_words(all_declarations(), result)


def _with_words(declarations: tuple[Declaration, ...], result: type) -> Declaration | None:
    return next((one for one in declarations if one.sentence and one.result == result.__name__), None)
