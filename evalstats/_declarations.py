"""Declarations of statistical tests: data, invariants, generated inputs for R, and sentences.

A module of statistics declares its tests in `DECLARATIONS`. The common tests, the documentation, the sentences of
reports, the simulations of error rates and the generated inputs for R use these records.
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

# invariants that do not hold for many tests, with the reasons
ONE_PROBLEM = {"batches": "takes one problem, and rejects a batch or treats it as one problem"}
OF_SIZES = {"monotone transformations": "uses the sizes of scores or differences"}


class Data(StrEnum):
    """Names of the arguments of a test that contain data."""

    PAIRS = "x, y: scores"
    SUBGROUPS = "x, y: scores; subgroup"
    SUBGROUP_TABLE = "scores: instances and classifiers; subgroup"
    CLUSTERED_PAIRS = "x, y: scores; groups"
    JUDGED_PAIRS = "x, y, x_judge, y_judge: scores; groups"
    FOLDED_PAIRS = "x, y: scores; fold"
    REPEATED_FOLDS = "x, y: scores of 10 repeats of 10 folds"
    LEARNING_CURVES = "x, y: scores of repeats and training-set sizes"
    FIVE_BY_TWO = "x, y: scores of 5 repeats of 2 folds"
    ANSWERS = "x, y: correct or not; groups"
    PREDICTED_LABELS = "y_true, x, y: labels; groups"
    CLASS_SCORES = "y_true: labels; x, y: scores"
    PROBABILITIES = "y_true: labels; x, y: probabilities; groups"
    CLUSTERED_CLASS_SCORES = "y_true: labels; x, y: scores; clusters"
    TWO_TEST_SETS = "y_true_x, y_true_y: labels; x, y: scores"
    COUNTS = "counts: a table of correct answers"
    SQUARE_TABLE = "table: counts of predicted labels"
    CLASSIFIED = "y_true, x, y: labels of two classes"
    CLASS_COUNTS = "positives, negatives: counts of predicted labels"
    RANKED_TABLE = "scores: datasets and classifiers, whose mean ranks are compared"
    TABLE = "scores: datasets and classifiers"
    READERS = "y_true: labels; ratings: treatments, readers and instances"
    CORRECT_ANSWERS = "correct: instances and classifiers"
    CLASS_SCORE_TABLE = "y_true: labels; scores: instances and classifiers"
    PROBABILITY_TABLE = "y_true: labels; scores: probabilities of instances and classifiers"
    LABELLINGS = "labels by two raters or more"


@dataclass(frozen=True)
class Draw:
    """Type of random data with its parameters; `evalstats.parity.random_inputs` generates the data."""

    kind: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """Declaration of a statistical test, next to its function.

    Attributes
    ----------
    function : callable
        The test function. Its return annotation names the result class.
    data : Data
        Data arguments.
    form : str
        Name of this form of the call, if the function has several declarations. The first form has an empty name.
    stem : str
        Module whose cases for R use these inputs. The default is the module of the function.
    example : mapping
        Required arguments other than the data, such as ``{"margin": 0.1}``.
    variants : mapping
        Additional options that the common tests use: names mapped to options.
    excused : mapping
        Invariants that do not hold: their names in ``tests/invariants.py``, mapped to the reasons.
    inputs : mapping
        Generated inputs for R: arguments mapped to a `Draw` or a tuple of choices. Empty if R does not have the test.
    simulations : mapping
        Options for the simulations of the error rates of the test. `n_experiments` is the number of experiments per
        chunk.
    sentence : str
        Template of the sentence for the result (see `evalstats.report.sentences`), or ``''`` if a different function
        with the same result class declares the template. `words` formats the values of fields.
    """

    function: Callable[..., Any]
    data: Data
    form: str = ""
    stem: str = ""
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
        """Name of the function, with the form of the call: ``'mcnemar_test, counts'``."""
        return ", ".join(filter(None, (self.function.__name__, self.form)))

    @property
    def package(self) -> str:
        """Name of the package of the function."""
        return self.function.__module__.split(".")[1]

    @property
    def result(self) -> str:
        """Name of the class of the result."""
        return str(self.function.__annotations__["return"])


@cache
def all_declarations() -> tuple[Declaration, ...]:
    """Return the declarations of all modules in the stubs of the statistical packages, in order."""
    packages = [import_module(f"evalstats.{package}").__name__ for package in PACKAGES]
    modules = dict.fromkeys(module for package in packages for module in modules_of_names(package).values())
    return tuple(one for module in modules for one in getattr(import_module(module), "DECLARATIONS", ()))


def declaration_of(result: type) -> Declaration | None:
    """Return the declaration with the sentence for a result class, or None if no test returns the class."""
    if not result.__module__.startswith(tuple(f"evalstats.{package}." for package in PACKAGES)):
        return None
    beside = getattr(import_module(result.__module__), "DECLARATIONS", ())
    # all modules are loaded only if another module defines the result class
    return _with_words(beside, result) or _with_words(all_declarations(), result)


def _with_words(declarations: tuple[Declaration, ...], result: type) -> Declaration | None:
    return next((one for one in declarations if one.sentence and one.result == result.__name__), None)
