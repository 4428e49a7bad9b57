"""Experiment with simple and complex classifiers under shifts of the flu domain."""

from __future__ import annotations

__all__ = ["MISSING", "ShiftExperiment", "simulate_flu_shift"]

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Self

import numpy as np

from evalstats import _checks
from evalstats._errors import EvalstatsError, InvalidTypeError, InvalidValueError, short
from evalstats._result import Record
from evalstats._types import FloatArray
from evalstats.shift.deterioration import performance_deterioration
from evalstats.shift.flu import CHANGES, FluPatients, make_flu_patients

# training data that lack groups, by name: the distribution does not change, and all groups are tested
MISSING = {
    "no elderly": ("elderly",),
    "no infants": ("infant",),
    "no infants or elderly": ("infant", "elderly"),
    "no adults": ("adult",),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class ShiftExperiment(Record):
    """Result of `simulate_flu_shift`.

    Attributes
    ----------
    changes, classifiers : tuple of str
        Names of the changes and of the classifiers.
    error_test, error_ideal : ndarray of shape (n_repeats, n_changes, n_classifiers)
        Error rates after the change: of a classifier trained before the change, and of a classifier trained after the
        change.
    error_before : ndarray of shape (n_repeats, n_classifiers)
        Error rates without a change.
    error_trivial : ndarray of shape (n_repeats, n_changes)
        Error rates of the trivial classifier after the change.
    deterioration : ndarray of shape (n_repeats, n_changes, n_classifiers)
        `performance_deterioration` of each repeat.
    mean_deterioration : ndarray of shape (n_changes, n_classifiers)
        Deterioration computed from the mean error rates. This value is less variable than `deterioration`.
    n_train, n_test, n_repeats : int
        Sizes of the training and test sets, and number of repeats.
    seed : int or None
        Seed of the random numbers, or None if `rng` was a Generator.
    """

    changes: tuple[str, ...]
    classifiers: tuple[str, ...]
    error_test: FloatArray
    error_ideal: FloatArray
    error_before: FloatArray
    error_trivial: FloatArray
    deterioration: FloatArray
    mean_deterioration: FloatArray
    n_train: int
    n_test: int
    n_repeats: int
    seed: int | None

    def _axes(self) -> tuple[str, ...]:
        return ("change", "classifier")


def simulate_flu_shift(
    classifiers: Mapping[str, Any] | None = None,
    *,
    changes: Sequence[str] | None = None,
    n_train: int = 500,
    n_test: int = 2000,
    n_repeats: int = 10,
    rng: Any = None,
) -> ShiftExperiment:
    """Simulate classifiers that are trained before and tested after a change in the flu domain.

    Parameters
    ----------
    classifiers : dict of str to estimator, optional
        Classifiers of scikit-learn, or other objects with ``fit`` and ``predict`` that scikit-learn can clone. They
        receive the four attributes in `FluPatients.X`. Default: the two pairs of the paper. The first pair is a rule on
        one attribute (1R) and a decision tree. The second pair is a perceptron and a multilayer perceptron.
    changes : sequence of str, optional
        Changes of `make_flu_patients`, and ``'no elderly'``, ``'no infants'``, ``'no infants or elderly'``, ``'no
        adults'``. For the last four names, the training data lack these age groups, and the distribution does not
        change. Default: all changes.
    n_train, n_test : int, default: 500 and 2000
        Numbers of patients in the training set and in the test set.
    n_repeats : int, default: 10
        Number of repeats. Each repeat has new patients, so the repeats are independent, and tests may treat the repeats
        as a sample.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    ShiftExperiment

    Raises
    ------
    ValueError
        If a change is unknown or a number is too small.
    TypeError
        If an argument has the wrong type.
    EvalstatsError
        If scikit-learn is not installed.

    References
    ----------
    Alaiz-Rodriguez, R. & Japkowicz, N. (2008). Assessing the impact of changing environments on classifier performance.
    Canadian AI, 13-24.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from evalstats.shift import simulate_flu_shift
    >>> tree = DecisionTreeClassifier(min_samples_leaf=5)
    >>> found = simulate_flu_shift({"tree": tree}, changes=["W", "MC"], n_repeats=3)
    >>> found.mean_deterioration.round(2)
    array([[-0.01],
           [ 0.12]])
    """
    _need_scikit_learn()
    names = tuple([*list(CHANGES)[1:], *MISSING] if changes is None else _checks.listed(changes, "changes", "str"))
    for name in names:
        if not _checks.is_among(name, (*CHANGES, *MISSING)):
            raise InvalidValueError(f"changes must be among {', '.join((*CHANGES, *MISSING))}, not {short(name)}")
    if not names:
        raise InvalidValueError("changes must name at least one change, but it is empty")
    own = _of_the_paper() if classifiers is None else _understood(classifiers)
    sizes = _checks.count(n_train, "n_train", minimum=20), _checks.count(n_test, "n_test", minimum=20)
    n_repeats = _checks.count(n_repeats, "n_repeats")
    source = _checks.random_source(rng)
    generator = source.generator()

    with _one_thread():
        repeats = [_repeat(own, names, sizes, generator) for _ in range(n_repeats)]
    before, test, ideal, trivial = (np.stack(arrays) for arrays in zip(*repeats, strict=True))
    of_means = performance_deterioration(test.mean(axis=0), ideal.mean(axis=0), trivial.mean(axis=0)[:, None])
    return ShiftExperiment(
        changes=names,
        classifiers=tuple(own),
        error_test=test,
        error_ideal=ideal,
        error_before=before,
        error_trivial=trivial,
        deterioration=performance_deterioration(test, ideal, trivial[..., None]).estimate,
        mean_deterioration=of_means.estimate,
        n_train=sizes[0],
        n_test=sizes[1],
        n_repeats=n_repeats,
        seed=source.seed,
    )


def _repeat(
    classifiers: Mapping[str, Any], names: tuple[str, ...], sizes: tuple[int, int], generator: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the error rates before and after each change, and the error rates of the ideal and trivial classifiers."""
    seed = int(generator.integers(2**31))
    usual, tested = (make_flu_patients(n, rng=generator) for n in sizes)
    trained = _fitted(classifiers, usual, seed)
    test, ideal, trivial = (np.zeros((len(names), len(classifiers))) for _ in range(3))
    for i, name in enumerate(names):
        if name in MISSING:
            lacking = make_flu_patients(sizes[0], exclude=MISSING[name], rng=generator)
            after, ideals, old = tested, trained, _fitted(classifiers, lacking, seed)
        else:
            after = make_flu_patients(sizes[1], change=name, rng=generator)
            ideals, old = _fitted(classifiers, make_flu_patients(sizes[0], change=name, rng=generator), seed), trained
        test[i], ideal[i] = _errors(old, after), _errors(ideals, after)
        trivial[i] = min(after.y.mean(), 1 - after.y.mean())
    return _errors(trained, tested), test, ideal, trivial[:, 0]


def _one_thread() -> Any:
    """Limit small networks to one thread, because several threads are slower."""
    from threadpoolctl import threadpool_limits  # comes with scikit-learn

    return threadpool_limits(1)


def _fitted(classifiers: Mapping[str, Any], patients: FluPatients, seed: int) -> list[Any]:
    from sklearn.base import clone

    made = [clone(one) for one in classifiers.values()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # networks that stop before they converge are part of the comparison
        for one in made:
            seeds = {name: seed for name in one.get_params() if name.endswith("random_state")}
            one.set_params(**seeds).fit(patients.X, patients.y)
    return made


def _errors(fitted: list[Any], patients: FluPatients) -> FloatArray:
    return np.array([np.mean(np.asarray(one.predict(patients.X)) != patients.y) for one in fitted])


def _understood(classifiers: Any) -> dict[str, Any]:
    own = _checks.instance(classifiers, "classifiers", Mapping, "a dict of names and classifiers")
    for name, one in own.items():
        _checks.text(name, "a name of classifiers")
        if isinstance(one, type) or not all(hasattr(one, part) for part in ("fit", "predict", "get_params")):
            raise InvalidTypeError(f"classifiers must have fit, predict and get_params, but {name!r} is {short(one)}")
    if not own:
        raise InvalidValueError("classifiers must hold at least one classifier, but it is empty")
    return dict(own)


def _need_scikit_learn() -> None:
    try:
        import_module("sklearn")
    except ImportError as error:
        raise EvalstatsError("this function requires scikit-learn; install classifier-evalstats[study]") from error


def _of_the_paper() -> dict[str, Any]:
    from sklearn.linear_model import Perceptron
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    def coded(classifier: Any) -> Any:
        return make_pipeline(OneHotEncoder(handle_unknown="ignore"), classifier)

    return {
        "1R": OneRule(),
        "tree": coded(DecisionTreeClassifier(min_samples_leaf=5)),
        "perceptron": coded(Perceptron()),
        "MLP": coded(MLPClassifier((6,), solver="lbfgs", alpha=0.1, max_iter=100)),
    }


class OneRule:
    """The rule 1R: the attribute that predicts the class best, with the most frequent class for each of its values.

    Attributes must be integer codes. The class has the methods of a scikit-learn classifier, so scikit-learn can clone
    it.

    References
    ----------
    Holte, R. C. (1993). Very simple classification rules perform well on most commonly used datasets. Machine Learning
    11, 63-90.
    """

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return an empty dict, because the rule has no parameters."""
        return {}

    def set_params(self) -> Self:
        """Return the rule unchanged, because it has no parameters."""
        return self

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803  (the words of scikit-learn)
        """Choose the attribute with the fewest errors in the training data, or the first of tied attributes."""
        codes, target = np.asarray(X), np.asarray(y)
        classes, numbers = np.unique(target, return_inverse=True)
        self.default_ = classes[np.bincount(numbers).argmax()]
        rules = [_rule(column, numbers, classes) for column in codes.T]
        self.attribute_ = int(np.argmin([errors for _, errors in rules]))
        self.rule_ = rules[self.attribute_][0]
        return self

    def predict(self, X: Any) -> Any:  # noqa: N803 - scikit-learn calls it so
        """Return the class for the value of the chosen attribute; for an unseen value, the most frequent class."""
        column = np.asarray(X)[:, self.attribute_].tolist()
        return np.array([self.rule_.get(value, self.default_) for value in column])


def _rule(column: Any, numbers: Any, classes: Any) -> tuple[dict[Any, Any], int]:
    """Return the most frequent class for each value of an attribute, and the number of instances of other classes."""
    values, places = np.unique(column, return_inverse=True)
    counts = np.zeros((len(values), len(classes)), dtype=np.int64)
    np.add.at(counts, (places, numbers), 1)
    rule = dict(zip(values.tolist(), classes[counts.argmax(axis=1)].tolist(), strict=True))
    return rule, int(counts.sum() - counts.max(axis=1).sum())
