"""Vectors of confusion entries: the tutorial's, the Ideal, folds, and what does not fit together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats import EvalstatsError
from evalstats.multiple import performance_vectors

# Japkowicz's tutorial, slide 90: TP FP FN TN of three domains; here rows are the true class: TP FN FP TN
SLIDE = [[[82, 12], [17, 114]], [[15, 25], [5, 231]], [[99, 1], [6, 94]]]


def folds(seed: int = 0, n_folds: int = 4) -> np.ndarray:
    """Two classifiers that were tested on the same folds of three classes, of different sizes."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(3, 30, (n_folds, 3))
    return np.array([[[rng.multinomial(m, [0.6, 0.3, 0.1]) for m in fold] for fold in sizes] for _ in range(2)])


def test_vector_of_the_tutorial_and_its_ideal():
    made = performance_vectors({"one": SLIDE})

    assert made.vectors[0].tolist() == [82, 12, 17, 114, 15, 25, 5, 231, 99, 1, 6, 94]
    assert made.ideal.tolist() == [94, 0, 0, 131, 40, 0, 0, 236, 100, 0, 0, 100]
    # 47.328..., 132: derived from the printed counts
    assert np.linalg.norm(made.vectors[0] - made.ideal) == pytest.approx(np.sqrt(2240))
    assert abs(made.vectors[0] - made.ideal).sum() == 132
    assert (made.n_classes, made.domains) == ((2, 2, 2), ("domain 1", "domain 2", "domain 3"))


def test_every_way_to_give_matrices_is_the_same():
    a, b = np.array(SLIDE, dtype=float), np.array(SLIDE)[:, ::-1, ::-1]
    b = np.array([np.diag(m.sum(axis=1)) for m in a])
    wanted = performance_vectors({"a": list(a), "b": list(b)}).vectors

    for given in (
        [np.array([m, n]) for m, n in zip(a, b, strict=True)],
        np.stack([a, b], axis=1),
        {"a": {"x": a[0], "y": a[1], "z": a[2]}, "b": {"z": b[2], "x": b[0], "y": b[1]}},
        {"a": a.tolist(), "b": b.tolist()},
        {"a": [pd.DataFrame(m) for m in a], "b": list(b)},
    ):
        assert performance_vectors(given).vectors.tolist() == wanted.tolist()
    one = performance_vectors(np.stack([a[0], b[0]]), classifiers=["a", "b"], datasets=["d"])
    assert (one.classifiers, one.domains) == (("a", "b"), ("d",))
    assert one.vectors.tolist() == performance_vectors({"a": a[0], "b": b[0]}).vectors.tolist()


def test_domains_may_have_different_numbers_of_classes():
    made = performance_vectors([np.ones((2, 2, 2)), np.ones((2, 5, 5))])

    assert made.vectors.shape == (2, 29)


def test_normalized_domains_have_the_same_weight():
    small, large = np.array([[[3, 1], [0, 4]]]), np.array([[[300, 100], [0, 400]]])
    whole = performance_vectors([small, large], normalize="all")
    by_class = performance_vectors([small, large], normalize="true")

    assert whole.vectors[0, :4].tolist() == whole.vectors[0, 4:].tolist() == [0.375, 0.125, 0, 0.5]
    assert by_class.vectors[0, :4].tolist() == [0.75, 0.25, 0, 1]
    assert by_class.ideal.tolist() == [1, 0, 0, 1] * 2


def test_class_without_cases_is_no_division_by_zero():
    made = performance_vectors([[[[0, 0], [1, 4]]]], normalize="true")

    assert made.vectors.tolist() == [[0, 0, 0.2, 0.8]]


def test_folds_average_to_the_whole_by_their_sizes():
    """The errors of a fold are as if it were as large as the domain: so their mean, by size, is that of the whole."""
    each = folds()
    made = performance_vectors(each, folds=True)
    sizes = each[0].sum(axis=(-2, -1))

    assert made.vectors.tolist() == performance_vectors(each.sum(axis=1)).vectors.tolist()
    mean = np.average(made.fold_vectors, axis=1, weights=sizes)
    np.testing.assert_allclose(mean, made.vectors, atol=1e-12)


def test_fold_without_errors_is_at_the_ideal_whatever_its_classes():
    each = folds()
    each[0, 2] = np.diag(each[0, 2].sum(axis=1))
    made = performance_vectors({"a": each[0], "b": each[1]}, folds=True)

    np.testing.assert_allclose(made.fold_vectors[0, 2], made.ideal)


@pytest.mark.parametrize(
    ("confusions", "choices", "message"),
    [
        ([[[1, 2], [3, 4]], [[1, 2], [4, 4]]], {}, "domain 1, class 1 has 7 instances for classifier 1 and 8"),
        ([[[1, 2], [3, 4]], [[1, 4], [4, 4]], [[9, 2], [3, 4]]], {}, "class 0 has 3 instances for classifier 1 and 5"),
        ([[[1, 2, 3], [3, 4, 5]]], {}, r"must have the shape \(n_classifiers, c, c\)"),
        ([[[1, -2], [3, 4]]], {}, "confusion_matrices of domain 1 must hold nonnegative counts, but one count is -2"),
        ([SLIDE, [[[1, -2], [3, 4]]] * 3], {}, "confusion_matrices of domain 2 must hold nonnegative counts"),
        ([[[1, np.nan], [3, 4]]], {}, "must be finite"),
        ([[[0, 0], [0, 0]]], {}, "at least one instance"),
        (np.ones((0, 2, 2)), {}, "at least one matrix"),
        ({}, {}, "at least one classifier"),
        (
            {"a": SLIDE, "b": SLIDE[:2]},
            {},
            "number of matrices for every classifier, but 'a' has 3 matrices and 'b' has 2",
        ),
        ({"a": {"x": SLIDE[0]}, "b": {"y": SLIDE[0]}}, {}, "the same domains for every classifier, but 'b'"),
        ({"a": {"x": SLIDE[0]}, "b": SLIDE[0]}, {}, "the same domains for every classifier, but 'b'"),
        ([np.ones((2, 2, 2)), np.ones((3, 2, 2))], {}, "the same classifiers"),
        (np.ones((2, 2, 2)), {"classifiers": ["a"]}, "classifiers must hold 2 different names"),
        (np.ones((2, 2, 2)), {"classifiers": ["a", "a"]}, "classifiers must hold 2 different names"),
        ({"a": SLIDE}, {"classifiers": ["a"]}, "classifiers must be left out"),
        (np.ones((2, 2, 2)), {"normalize": "rows"}, "normalize must be 'none' or 'all' or 'true'"),
        ([[np.zeros((2, 2)), np.ones((2, 2))]], {"folds": True}, "at least one instance in every fold"),
        (7, {}, "confusion_matrices must be a sequence"),
    ],
)
def test_what_does_not_fit_is_refused(confusions, choices, message):
    with pytest.raises(EvalstatsError, match=message):
        performance_vectors(confusions, **choices)


def test_proportions_of_all_instances_are_divided_by_their_rows() -> None:
    counts = np.array([SLIDE[0]])

    by_row = performance_vectors({"one": counts / counts.sum()}, normalize="true").vectors

    np.testing.assert_allclose(by_row, performance_vectors({"one": counts}, normalize="true").vectors, rtol=1e-14)
