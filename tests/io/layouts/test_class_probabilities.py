"""Probabilities of two classes in two columns are one classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evalstats import read_predictions
from evalstats.tables.errors import TableError

P = np.random.default_rng(1).random(30).round(3)
TRUE = ["yes" if p > 0.4 else "no" for p in P]


def columns(**own: Any) -> dict[str, Any]:
    return {"id": list(range(30)), "y_true": TRUE, **{name: list(values) for name, values in own.items()}}


def test_probabilities_of_both_classes_are_refused_with_one_hint() -> None:
    """They were compared as two classifiers without a word."""
    data = columns(prob_no=1 - P, prob_yes=P)
    with pytest.raises(TableError, match=r"'prob_no', 'prob_yes' add up to 1 .* for example with drop='prob_no'"):
        read_predictions(data)
    with pytest.raises(TableError, match="for example with drop='prob_no'"):
        read_predictions(columns(prob_yes=P, prob_no=1 - P))

    assert read_predictions(data, drop="prob_no").classifiers == ("prob_yes",)
    assert read_predictions(data, keep="prob_no").classifiers == ("prob_no", "prob_yes")


def test_both_classes_of_several_classifiers_are_left_out_together() -> None:
    other = np.random.default_rng(2).random(30).round(3)
    data = columns(NB_no=1 - P, NB_yes=P, LR_no=1 - other, LR_yes=other)
    with pytest.raises(TableError) as error:
        read_predictions(data)

    assert error.value.value == ("NB_no", "LR_no")
    assert read_predictions(data, drop=["NB_no", "LR_no"]).classifiers == ("LR_yes", "NB_yes")


def test_scores_of_two_classifiers_are_read() -> None:
    assert read_predictions(columns(NB=P, LR=P**2)).classifiers == ("LR", "NB")
