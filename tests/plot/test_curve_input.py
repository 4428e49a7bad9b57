"""Scores of the same cases, and bands from cases that are drawn again."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats import example_path, plot, read_predictions
from evalstats.plot.curve_drawing import Scored, _curve_bands, scored_classifiers

Y = [0, 0, 1, 1, 0, 1]
S = [0.1, 0.4, 0.35, 0.8, 0.4, 0.9]


@pytest.fixture(scope="module")
def predictions() -> object:
    return read_predictions(example_path("sklearn-predictions"))


def long(**columns: list[object]) -> object:
    return read_predictions({"dataset": ["d"] * len(columns["y_true"]), **columns})


def test_one_classifier_and_several_have_one_shape() -> None:
    one = scored_classifiers(Y, S, None, None, None, None)
    two = scored_classifiers(Y, {"A": S, "B": S[::-1]}, None, None, None, None)

    assert (one.scores.shape, one.names) == ((1, 6), ("classifier 1",))
    assert (two.scores.tolist(), two.names) == ([S, S[::-1]], ("A", "B"))
    assert one.positive.tolist() == [False, False, True, True, False, True]


def test_predictions_of_a_dataset_have_all_classifiers_on_the_same_cases(predictions) -> None:
    scored = scored_classifiers(predictions, None, None, "iris: versicolor", None, None)

    assert scored.names == ("logistic", "naive Bayes", "neighbours", "tree")
    assert scored.scores.shape == (4, 150)
    assert scored.positive.sum() == 50


def test_cases_are_paired_by_their_names() -> None:
    """The rows of the second classifier stand in another order, in other folds."""
    columns = {
        "classifier": ["A"] * 4 + ["B"] * 4,
        "row": [0, 1, 2, 3, 3, 2, 1, 0],
        "y_true": [0, 1, 0, 1, 1, 0, 1, 0],
        "y_score": [0.1, 0.2, 0.3, 0.4, 0.8, 0.7, 0.6, 0.5],
    }

    scored = scored_classifiers(long(**columns), None, None, None, None, None)

    assert scored.scores.tolist() == [[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8]]
    assert scored.positive.tolist() == [False, True, False, True]


def test_bands_are_the_percentiles_of_redrawn_curves() -> None:
    """Read at the grid by a loop over the draws: the share of positive cases with at least the score 0.4."""
    scored = Scored(np.array(Y) == 1, np.array([S]), ("A",), "")

    def share(drawn, grid):
        return np.repeat((drawn.tp[:, 2] / drawn.tp[:, -1])[:, None], len(grid), axis=1)

    low, high = _curve_bands(scored, share, np.zeros(1), level=0.8, n_resamples=400, generator=np.random.default_rng(5))

    weights = np.random.default_rng(5).multinomial(6, np.full(6, 1 / 6), size=400)
    values = [
        sum(w[i] for i in range(6) if Y[i] and S[i] >= 0.4) / sum(w[i] for i in range(6) if Y[i])
        for w in weights
        if 0 < sum(w[i] for i in range(6) if Y[i]) < 6
    ]
    assert (low.item(), high.item()) == pytest.approx(tuple(np.quantile(values, [0.1, 0.9])))


class TestMessages:
    def test_no_scores(self) -> None:
        with pytest.raises(
            ValueError, match="y_score must hold the scores of the instances, unless data is a Predictions object"
        ):
            scored_classifiers(Y, None, None, None, None, None)

    def test_predicted_labels_only(self) -> None:
        labels = long(classifier=["A"] * 2, y_true=[0, 1], y_pred=[0, 1])

        with pytest.raises(ValueError, match="data must hold scores of the instances in a column y_score"):
            scored_classifiers(labels, None, None, None, None, None)

    def test_which_dataset(self, predictions) -> None:
        with pytest.raises(ValueError, match=r"dataset must name one of 'breast cancer: malignant', .*, whose curves"):
            scored_classifiers(predictions, None, None, None, None, None)
        with pytest.raises(ValueError, match=r"dataset must be one of 'breast cancer: malignant', .*, not 'x'"):
            scored_classifiers(predictions, None, None, "x", None, None)

    def test_what_predictions_hold_already(self, predictions) -> None:
        with pytest.raises(ValueError, match="pos_label must be left out: the predictions hold it"):
            scored_classifiers(predictions, None, None, None, None, 1)

    def test_what_arrays_do_not_have(self) -> None:
        with pytest.raises(ValueError, match="repeat must be left out: it selects among predictions"):
            scored_classifiers(Y, S, None, None, "1", None)

    def test_names_twice(self) -> None:
        with pytest.raises(ValueError, match="names must be left out: y_score holds them"):
            scored_classifiers(Y, {"A": S}, ["A"], None, None, None)

    def test_number_of_names(self) -> None:
        with pytest.raises(
            ValueError, match="names must hold one name for each of the 1 classifiers, but the number of names is 2"
        ):
            scored_classifiers(Y, S, ["A", "B"], None, None, None)

    def test_no_positive_label(self) -> None:
        three = long(classifier=["A"] * 3, y_true=["a", "b", "c"], y_score=[0.1, 0.2, 0.3])

        with pytest.raises(ValueError, match="pos_label must be given to read_predictions"):
            scored_classifiers(three, None, None, None, None, None)

    def test_cases_without_names_in_other_orders(self) -> None:
        data = long(classifier=["A", "A", "B", "B"], y_true=[0, 1, 1, 0], y_score=[0.1, 0.2, 0.3, 0.4])

        scored = scored_classifiers(data, None, None, None, None, None)

        assert scored.scores.shape == (2, 2)


def test_scores_of_each_classifier_have_the_labels_of_the_cases() -> None:
    true = pd.Series([0, 1, 0, 1], index=list("abcd"))
    scores = pd.Series([0.1, 0.2, 0.3, 0.4], index=list("dcba"))

    with pytest.raises(ValueError, match="must have equal indexes"):
        plot.roc_curves(true, {"tree": scores})
