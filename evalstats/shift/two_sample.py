"""Two-sample test with a classifier."""

from __future__ import annotations

__all__ = ["ClassifierTwoSampleTestResult", "classifier_two_sample_test", "two_samples"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._canonical_order import content_order
from evalstats._errors import EvalstatsError, InvalidTypeError, InvalidValueError, short
from evalstats._result import HypothesisTestResult
from evalstats._types import AnyArray, FloatArray
from evalstats.metrics import roc_auc_score

CONSTANT = "the classifier gives every instance the same score, so it cannot distinguish the samples"


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassifierTwoSampleTestResult(HypothesisTestResult):
    """Result of `classifier_two_sample_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float
        Area under the ROC curve of the classifier for held-out instances of x and y. The expected area under the null
        hypothesis is 0.5.
    pvalue : float
        Monte Carlo p-value: proportion of the random exchanges of held-out instances with at least the observed area,
        counting the observed samples as one exchange.
    method : str
        ``'monte-carlo'``.
    n_x, n_y : int
        Numbers of instances in the samples.
    n_held_out : int
        Number of instances on which the classifier was not trained.
    accuracy : float
        Balanced accuracy on the held-out instances, with the threshold 0.5.
    n_resamples : int
        Number of random exchanges.
    seed : int or None
        Seed of the split and the exchanges, or None if `rng` was a Generator.
    """

    n_x: int
    n_y: int
    n_held_out: int
    accuracy: float
    n_resamples: int
    seed: int | None


def classifier_two_sample_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    classifier: Any = None,
    test_size: float = 0.5,
    n_resamples: int = 9999,
    rng: Any = None,
) -> ClassifierTwoSampleTestResult:
    """Test whether two samples of instances come from the same distribution, with a classifier.

    The null hypothesis is that both samples come from the same distribution. A classifier is trained to distinguish a
    part of x from a part of y. If the classifier distinguishes the held-out instances of x and y better than by chance,
    the samples differ. Held-out instances are exchanged at random, so the test controls the type-I error rate for any
    classifier.

    Parameters
    ----------
    x, y : array_like of shape (n_instances, n_features)
        Two samples with the same columns. Data frames must have the same column names.
    classifier : estimator, optional
        A scikit-learn classifier, or an object with ``fit`` and ``predict_proba`` or ``decision_function``. The
        function clones this object. None: a random forest of 100 trees with at least 5 instances in each leaf.
    test_size : float, default: 0.5
        Proportion of each sample that is held out.
    n_resamples : int, default: 9999
        Number of random exchanges.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    ClassifierTwoSampleTestResult

    Raises
    ------
    ValueError
        If the columns differ, a sample has fewer than 4 instances, or a value is nan or infinite.
    TypeError
        If values are not numbers, or the classifier has neither ``predict_proba`` nor ``decision_function``.
    EvalstatsError
        If scikit-learn is not installed.

    Notes
    -----
    The test is one-sided: an area below 0.5 means that the classifier has learned noise. The p-value is (b + 1) / (m +
    1), where b of the m random exchanges have at least the observed area.

    References
    ----------
    Lopez-Paz, D. & Oquab, M. (2017). Revisiting classifier two-sample tests. ICLR.

    Examples
    --------
    >>> from evalstats.shift import classifier_two_sample_test, make_flu_patients
    >>> usual, other = make_flu_patients(400, rng=1), make_flu_patients(400, rng=2)
    >>> winter = make_flu_patients(400, change="W", rng=3)
    >>> result = classifier_two_sample_test(usual.X, winter.X)
    >>> print(f"area {result.statistic:.2f}, p = {result.pvalue}")
    area 0.57, p = 0.0049
    >>> print(f"p = {classifier_two_sample_test(usual.X, other.X).pvalue:.2f}")
    p = 0.29
    """
    # draws must not depend on the order of the instances
    a, b = (sample[content_order(sample)] for sample in two_samples(x, y, minimum=4))
    share = _checks.proportion(test_size, "test_size")
    n_resamples, source = _checks.resampling(n_resamples, rng)
    generator = source.generator()

    parts = [_split(len(sample), share, generator) for sample in (a, b)]
    held = np.concatenate([sample[p[1]] for sample, p in zip((a, b), parts, strict=True)])
    trained = np.concatenate([sample[p[0]] for sample, p in zip((a, b), parts, strict=True)])
    of_held, of_trained = (np.repeat([0, 1], [len(p[i]) for p in parts]) for i in (1, 0))
    score = _scores(classifier, trained, of_trained, held, int(generator.integers(2**31)))

    auc = float(roc_auc_score(of_held, score))
    reached = _areas_reached(score, int(of_held.sum()), auc, n_resamples, generator)
    above = score > (0.5 if score.min() >= 0 and score.max() <= 1 else 0.0)
    return ClassifierTwoSampleTestResult(
        statistic=auc,
        pvalue=(reached + 1) / (n_resamples + 1),
        alternative="greater",
        method="monte-carlo",
        reason=CONSTANT if np.ptp(score) == 0 else None,
        n_x=len(a),
        n_y=len(b),
        n_held_out=len(held),
        accuracy=float((above[of_held == 1].mean() + (~above[of_held == 0]).mean()) / 2),
        n_resamples=n_resamples,
        seed=source.seed,
    )


def _split(n: int, share: float, generator: np.random.Generator) -> tuple[AnyArray, AnyArray]:
    """Return the training instances and the held-out instances, at least 2 of each."""
    order = generator.permutation(n)
    n_held = min(max(round(share * n), 2), n - 2)
    return order[n_held:], order[:n_held]


def _scores(classifier: Any, trained: FloatArray, labels: AnyArray, held: FloatArray, seed: int) -> FloatArray:
    try:
        from sklearn.base import clone
        from sklearn.ensemble import RandomForestClassifier
    except ImportError as error:
        raise EvalstatsError("this function requires scikit-learn; install classifier-evalstats[study]") from error
    made = RandomForestClassifier(min_samples_leaf=5, random_state=seed)
    if classifier is not None:
        if not hasattr(classifier, "fit") or isinstance(classifier, type):
            raise InvalidTypeError(
                f"classifier must have fit and predict_proba or decision_function, not {short(classifier)}"
            )
        made = clone(classifier)
        if "random_state" in made.get_params(deep=False):
            made.set_params(random_state=seed)
    made.fit(trained, labels)
    for name in ("predict_proba", "decision_function"):
        if hasattr(made, name):
            found = np.asarray(getattr(made, name)(held), dtype=np.float64)
            score = found[:, 1] if found.ndim == 2 else found
            if score.shape != (len(held),) or not np.isfinite(score).all():
                raise InvalidValueError("classifier must give a finite score to every instance, but it does not")
            return score
    raise InvalidTypeError(
        f"classifier must have predict_proba or decision_function, but {type(made).__name__} has neither"
    )


def _areas_reached(score: FloatArray, n_y: int, auc: float, n_resamples: int, generator: np.random.Generator) -> int:
    """Count the random choices of `n_y` instances for which the area under the curve is at least the observed area."""
    from scipy.stats import rankdata

    ranks = rankdata(score)
    n = len(ranks)
    least = auc * n_y * (n - n_y) + n_y * (n_y + 1) / 2 - 1e-9 * n * n
    step = max((1 << 22) // n, 1)
    reached = 0
    for start in range(0, n_resamples, step):
        drawn = generator.permuted(np.tile(ranks, (min(step, n_resamples - start), 1)), axis=1)
        reached += int((drawn[:, :n_y].sum(axis=1) >= least).sum())
    return reached


def two_samples(x: Any, y: Any, *, minimum: int) -> tuple[FloatArray, FloatArray]:
    """Return two samples as arrays of shape (n_instances, n_features) with the same features."""
    named = [list(columns) for sample in (x, y) if (columns := getattr(sample, "columns", None)) is not None]
    if len(named) == 2 and named[0] != named[1]:
        only = [name for name in (*named[0], *named[1]) if (name in named[0]) != (name in named[1])]
        what = f"only one of them has {short(only[0])}" if only else "their orders differ"
        raise InvalidValueError(f"x and y must have the same columns, but {what}")
    a, b = (_matrix(sample, name, minimum) for sample, name in ((x, "x"), (y, "y")))
    if a.shape[1] != b.shape[1]:
        raise InvalidValueError(
            f"x and y must have the same features, but x has {a.shape[1]} columns and y has {b.shape[1]}"
        )
    return a, b


def _matrix(sample: Any, name: str, minimum: int) -> FloatArray:
    array = _checks.numbers(sample, name)
    array = array[:, None] if array.ndim == 1 else array
    if array.ndim != 2 or array.shape[1] == 0:
        raise InvalidValueError(f"{name} must have the shape (n_instances, n_features), but its shape is {array.shape}")
    if len(array) < minimum:
        raise InvalidValueError(f"{name} must have at least {minimum} instances, but it has {len(array)}")
    return _checks.moderate(_checks.finite(array, name), name)
