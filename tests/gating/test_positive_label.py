"""A gate does not guess the positive label, because the other label turns the decision around."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import gate
from evalstats._errors import InvalidValueError
from evalstats.tables.errors import TableError

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 400)
GOOD, BAD = (np.clip(a * Y + b * RNG.random(400), 0, 1) for a, b in ((0.5, 0.6), (0.2, 0.8)))


def side(scores, labels=("normal", "attack"), *, turned=False, predicted=False):
    data = {"item_id": list(range(len(Y))), "y_true": [labels[y] for y in Y]}
    if predicted:
        return data | {"y_pred": [labels[int(s > 0.5)] for s in scores]}
    return data | {"y_score": (1 - scores if turned else scores).tolist()}


@pytest.mark.parametrize(("metric", "predicted"), [("roc_auc", False), ("brier", False), ("f1", True)])
def test_words_need_a_positive_label(metric, predicted):
    """With 'normal' as a guess, a candidate with scores of 'attack' that are much worse would pass."""
    sides = [side(scores, predicted=predicted) for scores in (GOOD, BAD)]

    with pytest.raises(TableError, match="needs a positive label, and the labels are 'attack', 'normal'"):
        gate(*sides, metric=metric, margin=0.01)
    assert gate(*sides, metric=metric, margin=0.01, pos_label="attack").status == "fail"
    assert gate(*sides, margin=0.01, policy={"gate": {"metric": metric, "pos_label": "attack"}}).status == "fail"


@pytest.mark.parametrize("turned", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("pos_label", [None, 1])
def test_scores_of_the_other_label_on_a_side_are_an_error(turned, pos_label):
    """If the scores of the baseline alone are of the other label, every candidate seems to be better."""
    sides = [side(scores, (0, 1), turned=is_turned) for scores, is_turned in zip((GOOD, BAD), turned, strict=True)]

    with pytest.raises(TableError, match="the scores are smaller for the positive label '1' than for '0'"):
        gate(*sides, metric="roc_auc", margin=0.01, pos_label=pos_label)
    if all(turned):
        assert gate(*sides, metric="roc_auc", margin=0.01, pos_label=0).status == "fail"


def test_positive_label_has_a_use():
    """A label that does not occur, or that the metric does not need, is an error."""
    sides = [side(scores, predicted=True) for scores in (GOOD, BAD)]

    with pytest.raises(InvalidValueError, match=r"must be a label of 'all questions' \('attack', 'normal'\)"):
        gate(*sides, metric="f1", margin=0.01, pos_label="atack")
    with pytest.raises(InvalidValueError, match="pos_label is for metrics of one label"):
        gate(*sides, margin=0.01, pos_label="attack")
