"""F as a map over precision and recall, and over the rates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from evalstats.metrics import score_from_counts
from evalstats.plot import f_score_contours
from evalstats.plot.f_contours import f_of_precision, f_of_rates

POINTS = {"$A$": (0.9, 0.35), "network-" * 9: (0.3, 0.75)}
COUNTS = st.integers(0, 30)


@given(COUNTS, COUNTS, COUNTS, COUNTS, st.sampled_from([0.5, 1.0, 2.0]))
def test_both_heights_are_f_of_the_counts(tp: int, fp: int, fn: int, tn: int, beta: float) -> None:
    """Two roads to one number: Forman & Scholz (2010), definition 2 and equation 2."""
    positive, negative = tp + fn + 1, fp + tn
    f = score_from_counts("fbeta", [[tn, fp], [fn + 1, tp]], beta=beta, undefined="zero")

    share = positive / (positive + negative)
    if negative:
        assert f_of_rates(fp / negative, tp / positive, share, beta) == pytest.approx(f)
    if tp + fp:
        assert f_of_precision(tp / (tp + fp), tp / positive, beta) == pytest.approx(f)


def test_corner_is_its_limit() -> None:
    assert f_of_precision(np.zeros(1), np.zeros(1), 1.0).tolist() == [0]
    assert f_of_rates(0.0, 0.0, 0.01, 1.0) == 0


def test_rare_positives_make_the_surface_sharp() -> None:
    """Section 2.2: with 1% of positives, any substantial rate of false positives takes F away."""
    assert f_of_rates(0.1, 1.0, 0.01, 1.0) < 0.17
    assert f_of_rates(0.1, 1.0, 0.5, 1.0) > 0.95


@pytest.mark.parametrize("space", ["precision-recall", "roc"])
def test_new_figure_is_legible(space: str, assert_legible) -> None:
    assert_legible(f_score_contours(space, classifiers=POINTS, prevalence=0.3, title="A title of the picture"))


def test_given_axes_are_returned_and_legible(assert_legible) -> None:
    ax = Figure(figsize=(6, 6), layout="constrained").add_subplot()

    assert f_score_contours(ax=ax, classifiers=POINTS) is ax
    assert_legible(ax)


def test_lines_that_leave_on_the_right_have_a_name_too() -> None:
    """With 1% of positive cases the line of F = .1 does not reach the height of the other names."""
    ax = f_score_contours("roc", max_fpr=0.1)
    places = {text.get_text(): text.get_position() for text in ax.texts}

    x, y = places["0.1"]
    assert 2 * 0.01 * y / (0.01 * y + 0.99 * x + 0.01) == pytest.approx(0.1)
    assert x == pytest.approx(0.0965)


def test_names_of_lines_stand_on_their_lines() -> None:
    ax = f_score_contours("roc", prevalence=0.2, beta=2)

    names = [text for text in ax.texts if text.get_text()[0] == "0"]
    assert len(names) >= 3
    for text in names:
        assert f_of_rates(*text.get_position(), 0.2, 2.0) == pytest.approx(float(text.get_text()))


def test_point_says_its_f() -> None:
    ax = f_score_contours(classifiers={"A": (0.5, 1.0)})

    assert "A: 0.67" in [text.get_text() for text in ax.texts]


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"space": "rates"}, "space must be 'precision-recall' or 'roc', not 'rates'"),
        ({"prevalence": 0}, "prevalence must lie between 0 and 1, not 0"),
        ({"beta": -1}, "beta must be between 0 and 1e100, not -1"),
        ({"beta": np.nan}, "beta must be"),
        ({"classifiers": {"A": (0.5, 1.2)}}, "the point of 'A' must be two numbers from 0 to 1"),
        ({"classifiers": {"A": 0.5}}, "the point of 'A' must be two numbers from 0 to 1"),
        ({"classifiers": [(0.5, 1)]}, "classifiers must be a dict of names and pairs of numbers, not list"),
        ({"space": "roc", "max_fpr": 0}, "max_fpr must be greater than 0 and at most 1, not 0"),
        ({"space": "roc", "max_fpr": 0.1, "classifiers": {"A": (0.5, 1)}}, "the point of 'A' lies beyond max_fpr=0.1"),
    ],
)
def test_bad_choices_are_refused(choices: dict, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        f_score_contours(**choices)
