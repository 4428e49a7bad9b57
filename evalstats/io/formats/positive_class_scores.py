"""Which of the probabilities of several classes is the score of the positive one?"""

from __future__ import annotations

__all__ = ["positive_scores"]

from collections.abc import Mapping, Sequence
from typing import Any

from evalstats.io.options import Asked
from evalstats.tables.names import text_of


def positive_scores(
    asked: Asked, datasets: Sequence[str], y_true: Sequence[str], probabilities: Mapping[str, Sequence[Any]]
) -> list[Any] | None:
    """Return the probability of the positive label in each row, None where a dataset has no positive label.

    Parameters
    ----------
    asked : Asked
        Whose `pos_label` is the positive label, or that of each dataset.
    datasets, y_true : sequence of str
        Name of the dataset and true label in each row.
    probabilities : mapping of str to sequence
        The probability of each label in each row.
    """
    from evalstats.io.layouts.labels import usual_positive

    labels: dict[str, set[str]] = {}
    for dataset, label in zip(datasets, y_true, strict=True):
        labels.setdefault(dataset, set()).add(label)
    positive: dict[str, str | None] = {}
    for dataset, own in labels.items():
        given = asked.pos_label
        if isinstance(given, Mapping):
            given = {text_of(key): value for key, value in given.items()}.get(dataset)
        positive[dataset] = usual_positive(sorted(own)) if given is None else text_of(given)
    if any(label not in probabilities for label in positive.values()):
        return None
    return [probabilities[positive[dataset] or ""][i] for i, dataset in enumerate(datasets)]
