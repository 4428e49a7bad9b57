"""The answers of models to items."""

from __future__ import annotations

__all__ = ["ItemAnswers", "ItemScores"]

from dataclasses import dataclass, replace
from typing import NamedTuple

from evalstats._types import FloatArray, IndexArray, IntArray


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemScores:
    """The score of each model on each item: the mean of its samples.

    The strata are the datasets of the table that holds this.
    """

    items: tuple[str, ...]
    stratum: IndexArray  # of each item
    cluster: IndexArray | None  # of each item; None where items are independent
    scores: FloatArray  # (n_items, n_classifiers)
    n_samples: IntArray  # of the same shape
    within: FloatArray  # of the same shape: the squared deviations of the samples from their mean, summed up
    columns: dict[str, str]  # what the columns of the table are called

    def select(self, chosen: list[int]) -> ItemScores:
        """Return the scores of these classifiers."""
        parts = {name: getattr(self, name)[:, chosen] for name in ("scores", "n_samples", "within")}
        return replace(self, **parts)


class ItemAnswers(NamedTuple):
    """The answers of one classifier to each item of each task; what the file does not tell is None.

    Of several sampled answers to each item only the share of right ones is kept.
    """

    name: str  # of the file
    task: list[str]
    item: list[str]
    y_true: list[str] | None
    y_pred: list[str] | None
    y_score: list[float] | None
    right: list[bool] | None
    cluster: list[str] | None
    metric: str | None = None  # what was chosen of a log, whose mean is compared
    share: list[float] | None = None  # of the samples of each item, those that are right; None of one answer to each
    n_answers: list[int] | None = None  # how many samples each item has; None of one answer to each

    def keys(self) -> dict[tuple[str, str], int]:
        """Return the row of each item, by its task and its name."""
        return {key: i for i, key in enumerate(zip(self.task, self.item, strict=True))}
