"""Decision tree that selects a test, and the description of an experiment that answers its questions."""

from __future__ import annotations

__all__ = ["NODES", "TREE", "Answer", "ExperimentDesign", "Leaf", "Other", "Question", "ranks_cases"]

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalstats._lexicon import simplified
from evalstats._result import Record


@dataclass(frozen=True, eq=False)
class Answer:
    """Answer to a question of the tree: the value of the property, the text, and the key of the next node."""

    value: str
    words: str
    then: str


@dataclass(frozen=True, eq=False)
class Question:
    """Node that reads one property of `ExperimentDesign`."""

    key: str
    text: str
    reads: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, eq=False)
class Other:
    """Alternative function, its condition, and the arguments of `compare` that select the function."""

    test: str
    when: str
    choices: tuple[tuple[str, str | float], ...] = ()


@dataclass(frozen=True, eq=False)
class Leaf:
    """Recommendation of a test. `test` is None if no test is possible.

    `kind` is 'parametric', 'nonparametric' or '' (no test). `posthoc_choice` is the value of the argument `posthoc` of
    `compare` that selects the recommended tests. It is None if `compare` runs these tests by default, and '' if
    `compare` cannot run them.
    """

    key: str
    test: str | None
    posthoc: tuple[str, ...]
    kind: str
    reason: str
    assumptions: tuple[str, ...]
    alternatives: tuple[Other, ...]
    posthoc_choice: str | None = None


def _node(entry: dict[str, Any], assumptions: dict[str, str]) -> Question | Leaf:
    if "reads" in entry:
        answers = tuple(Answer(*answer) for answer in entry.pop("answers"))
        return Question(**entry, answers=answers)
    return Leaf(
        key=entry["key"],
        test=entry.get("test"),
        posthoc=tuple(entry.get("posthoc", ())),
        kind=entry.get("kind", ""),
        reason=entry["reason"],
        assumptions=tuple(assumptions[name] for name in entry.get("assumptions", ())),
        alternatives=tuple(
            Other(test, when, tuple(*map(dict.items, choices)))
            for test, when, *choices in entry.get("alternatives", ())
        ),
        posthoc_choice=entry.get("posthoc_choice"),
    )


_DATA = json.loads(Path(__file__).with_name("decision_tree.json").read_text(encoding="utf-8"))
TREE = tuple(_node(entry, _DATA["assumptions"]) for entry in _DATA["nodes"])
NODES = {node.key: node for node in TREE}


# the value of `measure` for each metric; all other metrics have the value 'other'
MEASURES = {"accuracy": "accuracy", "error_rate": "accuracy", "roc_auc": "auc"}


@dataclass(frozen=True, kw_only=True, eq=False)
class ExperimentDesign(Record):
    """Description of an experiment for `which_test`; its properties answer the questions of the tree.

    Attributes
    ----------
    data : {'scores', 'folds', 'runs', 'predictions', 'probabilities', 'answers'}
        Type of the data of each classifier, such as one score per dataset, predicted labels of instances, or scores of
        answers to questions (see `which_test`). The runs have different seeds but the same training and test set. The
        questions can come from several benchmarks.
    n_classifiers, n_datasets : int
        Number of classifiers, and number of datasets.
    n_folds, n_repeats : int
        Number of folds of a cross-validation, and number of repeats. Both are 1 for one test set.
    n_instances : int or None
        Number of instances in the only test set, or number of questions in all benchmarks. It is None if unknown.
    metric : str
        Metric of the comparison, or ``''`` if the choice of the test does not depend on it.
    control : str or None
        The classifier with which all other classifiers are compared, or None if all pairs are compared.
    parametric : bool
        Whether the differences over datasets are assumed to be normal.
    by_folds : bool
        Whether a score is the mean over the folds, so instances of different folds are not pooled.
    n_clusters : int or None
        Number of clusters of the instances. If the instances are independent, it is None and is left out of a saved
        report.
    """

    data: str
    n_classifiers: int
    n_datasets: int
    n_folds: int
    n_repeats: int
    n_instances: int | None
    metric: str
    control: str | None
    parametric: bool
    by_folds: bool = False
    n_clusters: int | None = None

    def _told(self) -> Iterator[tuple[str, Any]]:
        return ((name, value) for name, value in super()._told() if name != "n_clusters" or value is not None)

    @property
    def extent(self) -> str:
        """Extent of the data: 'one' dataset, 'several' datasets, or 'questions' of benchmarks."""
        if self.data == "answers":
            return "questions"
        return "one" if self.n_datasets == 1 else "several"

    @property
    def rivals(self) -> str:
        """Number of classifiers: 'two' or 'several'."""
        return "two" if self.n_classifiers == 2 else "several"

    @property
    def material(self) -> str:
        """Type of the data of one dataset: 'score' (also for a single fold), 'folds', 'runs' or 'cases'."""
        if self.data in ("predictions", "probabilities"):
            return "cases"
        return self.data if self.data in ("folds", "runs") and self.n_folds * self.n_repeats > 1 else "score"

    @property
    def testing(self) -> str:
        """Number of predictions of each instance: 'once' if the predictions can be pooled, or 'repeatedly'.

        Scores in different folds come from different models and have no common scale for a ranking (Forman & Scholz
        2010). The area under the ROC curve is therefore computed for each fold. The test then also compares the scores
        of the folds.
        """
        return "once" if self.n_repeats == 1 and not self.by_folds else "repeatedly"

    @property
    def measure(self) -> str:
        """Type of the metric: 'accuracy', 'auc' or 'other'; 'clustered' for any metric if there are clusters."""
        if self.n_clusters is not None:
            return "clustered"
        return MEASURES.get(_name_of(self.metric), "other")

    @property
    def comparison(self) -> str:
        """Comparisons: 'pairs' for all pairs, or 'control' for each classifier with the control."""
        return "pairs" if self.control is None else "control"

    @property
    def distribution(self) -> str:
        """Assumed distribution of the differences: 'normal' or 'any'."""
        return "normal" if self.parametric else "any"

    @property
    def resampling(self) -> str:
        """Type of the cross-validation: '5x2' for five repeats of two folds, or 'other'."""
        return "5x2" if (self.n_repeats, self.n_folds) == (5, 2) else "other"


def ranks_cases(metric: str) -> bool:
    """Return whether a metric evaluates a ranking of instances by their scores."""
    from evalstats.metrics import METRICS  # all metrics, a quarter of the time of the import

    record = METRICS.get(_name_of(metric))
    return record is not None and record.needs == "scores"


def _name_of(metric: str) -> str:
    """Return the standard name of a metric, which is the same for names such as 'ROC AUC' and 'roc_auc_score'."""
    name = simplified(metric)
    if name in MEASURES:
        return name
    from evalstats.tables.prediction_scores import usual_name

    return usual_name(metric)
