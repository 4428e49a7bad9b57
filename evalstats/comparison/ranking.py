"""Rank and scores of each classifier in a comparison."""

from __future__ import annotations

__all__ = ["ModelScore", "Ranking"]

from dataclasses import dataclass
from typing import Any

from evalstats._result import Record


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelScore(Record):
    """Score of one model on the questions of these benchmarks.

    Attributes
    ----------
    classifier : str
        The model.
    score, standard_error : float
        Its mean score, and the cluster-robust standard error; nan if a benchmark has a single cluster.
    low, high : float
        Interval of the mean score at level 1 - alpha; within [0, 1] where the scores are.
    design_effect : float
        The variance, relative to the variance for independent questions; 1 without clusters.
    intraclass_correlation : float
        Proportion of the variance of single answers that lies between questions, and not within them; nan if each
        question has one answer.
    benchmarks : dict of str to float
        The mean score on each benchmark.
    """

    classifier: str
    score: float
    standard_error: float
    low: float
    high: float
    design_effect: float
    intraclass_correlation: float
    benchmarks: dict[str, float]


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranking(Record):
    """The classifiers of a comparison from the best to the worst; `to_frame` and `to_columns` give the table.

    Attributes
    ----------
    classifiers : tuple of str
        Their names.
    mean_ranks : tuple of float or None
        Mean rank of each over datasets; None in other designs, which order the classifiers by their scores.
    mean_scores, median_scores : tuple of float
        Over the datasets that each has.
    letters : tuple of str
        Classifiers that share a letter are not significantly different; empty with a control, and if the omnibus test
        does not reject.
    """

    classifiers: tuple[str, ...]
    mean_ranks: tuple[float, ...] | None
    mean_scores: tuple[float, ...]
    median_scores: tuple[float, ...]
    letters: tuple[str, ...]

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each classifier, the best first.

        Returns
        -------
        dict of str to list
            `classifier`, `mean_rank`, `mean_score`, `median_score` and `letters`, as far as there are such.
        """
        columns = {
            "classifier": self.classifiers,
            "mean_rank": self.mean_ranks,
            "mean_score": self.mean_scores,
            "median_score": self.median_scores,
            "letters": self.letters,
        }
        return {name: list(values) for name, values in columns.items() if values}
