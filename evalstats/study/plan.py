"""Plan of a study: the runs to compute, and the description that identifies the study."""

from __future__ import annotations

__all__ = ["PARTITIONS", "Plan", "description_of", "made_with", "plan_of"]

import json
import sys
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks, _labels
from evalstats._errors import EvalstatsWarning, InvalidTypeError, InvalidValueError, listed, short
from evalstats._types import AnyArray
from evalstats._version import __version__
from evalstats.study.metric import StudyMetric, understand_metric, without_address
from evalstats.study.single_run import Data, Protocol
from evalstats.study.splits import SCHEMES, Splitting, check_size, understand_splits
from evalstats.study.store import Key

FOLDS = {"k-fold": 10, "5x2": 2, "temporal": 10}
REPEATS = {"k-fold": 10, "5x2": 5, "leave-one-out": 1, "temporal": 1, "precomputed": 1}
MANY_REPEATS = 100  # schemes with one test set in each repeat
MOST_REPEATS = 500  # with a stopping rule
# every instance is tested once in each repeat
PARTITIONS = ("k-fold", "5x2", "leave-one-out")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Plan of a study."""

    data: list[Data]
    estimators: dict[str, Any]
    protocols: dict[str, Protocol]
    metric: StudyMetric
    n_folds: int | None
    n_repeats: int
    stop: Any
    predictions: bool

    def keys(self, repeat: int, datasets: Iterable[str]) -> list[Key]:
        """Return one repeat of every classifier on every dataset of the plan."""
        return [(dataset, classifier, repeat) for dataset in datasets for classifier in self.estimators]


def plan_of(
    classifiers: Any,
    datasets: Any,
    *,
    scheme: str,
    n_folds: Any,
    n_repeats: Any,
    splits: Any,
    test_size: Any,
    stratify: Any,
    metric: Any,
    pos_label: Any,
    stopping_rule: Any,
    predictions: Any,
    seed: int,
) -> Plan:
    """Return the plan for the validated arguments of `run_study`."""
    measured = understand_metric(metric)
    keep = _checks.boolean(predictions, "predictions")
    estimators = {name: _classifier(name, value) for name, value in _filled(classifiers, "classifiers").items()}
    data = [_data(name, value, pos_label) for name, value in _filled(datasets, "datasets").items()]
    scheme, given = _understand_scheme(scheme, splits, data)
    n_folds, n_repeats = _understand_numbers(scheme, n_folds, n_repeats, stopping_rule, given)
    _check_rule(stopping_rule, scheme, len(estimators))
    has_probabilities = stopping_rule is not None and stopping_rule.needs == "probabilities"
    protocols = {}
    for one in data:
        splitting = Splitting(
            scheme=scheme,
            dataset=one.name,
            seed=seed,
            folds=n_folds or len(given[one.name]) or 1,
            test_size=_checks.proportion(test_size, "test_size"),
            stratify=_checks.boolean(stratify, "stratify"),
            given=given[one.name],
        )
        _check_data(one, splitting, measured)
        protocols[one.name] = Protocol(
            splitting=splitting,
            metric=measured,
            keep_predictions=keep or has_probabilities,
            needs_probabilities=has_probabilities,
        )
    return Plan(
        data=data,
        estimators=estimators,
        protocols=protocols,
        metric=measured,
        n_folds=n_folds,
        n_repeats=n_repeats,
        stop=stopping_rule,
        predictions=keep,
    )


def _filled(value: Any, name: str) -> dict[str, Any]:
    """Validate and return a nonempty dict of named objects."""
    if not isinstance(value, Mapping):
        raise InvalidTypeError(f"{name} must be a dict of names, not {type(value).__name__}")
    if not value:
        raise InvalidValueError(f"{name} must hold at least one entry, but it is empty")
    for key in value:
        if not isinstance(key, str) or not key.strip() or not key.isprintable() or key != " ".join(key.split()):
            raise InvalidValueError(f"{name} must have names of visible characters and single spaces, not {short(key)}")
    return dict(value)


def _classifier(name: str, estimator: Any) -> Any:
    if isinstance(estimator, type):
        raise InvalidTypeError(
            f"classifiers[{name!r}] must be an estimator, not its class: write {estimator.__name__}()"
        )
    for method in ("fit", "get_params"):
        if not hasattr(estimator, method):
            raise InvalidTypeError(
                f"classifiers[{name!r}] must be an estimator, but it has no {method}: {short(estimator)}"
            )
    return estimator


def _data(name: str, value: Any, pos_label: Any) -> Data:
    place = f"datasets[{name!r}]"
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise InvalidTypeError(f"{place} must be a pair (X, y)")
    _labels.same_labels(rows=("X",), X=value[0], y=value[1])
    cases, y = value[0], np.asarray(value[1])
    cases = cases.tocsr() if hasattr(cases, "tocsr") else cases
    try:
        n = cases.shape[0] if hasattr(cases, "shape") else len(cases)
    except (TypeError, IndexError):
        raise InvalidTypeError(f"{place} must have a table of instances, but X is {short(cases)}") from None
    if y.ndim != 1 or len(y) != n or n < 2:
        raise InvalidValueError(
            f"{place} must have one label for each of 2 or more instances, but X has {n} and y has the shape {y.shape}"
        )
    if y.dtype.kind == "f" and not (np.isfinite(y) & (y == np.round(y))).all():
        wrong = y[~(y == np.round(y))]
        raise InvalidValueError(
            f"{place} must have labels of classes, but y holds {wrong[0] if len(wrong) else np.inf}"
        )
    try:
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError:
        raise InvalidTypeError(f"{place} must have labels of one type, with none missing") from None
    if len(classes) < 2:
        raise InvalidValueError(
            f"{place} must have two classes or more, but all labels are {short(classes.tolist()[0])}"
        )
    given = pos_label.get(name) if isinstance(pos_label, Mapping) else pos_label
    return Data(name=name, X=cases, y=y, codes=codes, classes=classes, positive=_positive(classes, given, place))


def _positive(classes: AnyArray, given: Any, place: str) -> int:
    """Return the index of the positive label: the given label, 1 or True, or the greater label."""
    texts = [_checks.label_text(label) for label in classes.tolist()]
    if given is not None:
        if _checks.label_text(given) not in texts:
            raise InvalidValueError(f"pos_label must be a label of {place} ({listed(texts)}), not {short(given)}")
        return texts.index(_checks.label_text(given))
    return next((i for i, text in enumerate(texts) if text in ("1", "1.0", "True", "true")), len(texts) - 1)


def _understand_scheme(scheme: Any, splits: Any, data: list[Data]) -> tuple[str, dict[str, Any]]:
    """Return the name of the scheme, and the given splits of each dataset."""
    _checks.choice(scheme, "scheme", SCHEMES)
    if splits is None:
        if scheme == "precomputed":
            raise InvalidValueError("scheme 'precomputed' needs splits")
        return scheme, {one.name: () for one in data}
    if scheme not in ("k-fold", "precomputed"):  # the default scheme, and the scheme that splits imply
        raise InvalidValueError(f"splits cannot be combined with scheme {scheme!r}")
    return "precomputed", understand_splits(splits, {one.name: len(one.codes) for one in data})


def _understand_numbers(
    scheme: str, n_folds: Any, n_repeats: Any, stop: Any, given: Mapping[str, Any]
) -> tuple[int | None, int]:
    """Return the numbers of folds (None if they depend on the dataset) and of repeats."""
    if n_folds is not None:
        n_folds = _checks.count(n_folds, "n_folds", minimum=2 if scheme in ("k-fold", "5x2") else 1)
        if scheme not in ("k-fold", "temporal", "precomputed") and n_folds != FOLDS.get(scheme):
            raise InvalidValueError(f"n_folds cannot be combined with scheme {scheme!r}")
    n_folds = FOLDS.get(scheme) if n_folds is None else n_folds
    usual = REPEATS.get(scheme, MANY_REPEATS)
    if scheme == "precomputed" and n_folds is not None:
        counts = {len(own) for own in given.values()}
        if any(count % n_folds for count in counts) or len(counts) > 1:
            raise InvalidValueError(
                f"splits must be a whole number of repeats of {n_folds} folds, the same for all datasets"
            )
        usual = counts.pop() // n_folds
    elif stop is not None and scheme != "5x2":
        usual = MOST_REPEATS
    n_repeats = usual if n_repeats is None else _checks.count(n_repeats, "n_repeats")
    if (scheme == "5x2" or (scheme == "precomputed" and usual > 1)) and n_repeats > usual:
        raise InvalidValueError(f"n_repeats of scheme {scheme!r} must be at most {usual}, not {n_repeats}")
    return n_folds, n_repeats


def _check_rule(stop: Any, scheme: str, n_classifiers: int) -> None:
    if stop is None:
        return
    if not all(hasattr(stop, name) for name in ("needs", "fresh", "update", "stopped")) or isinstance(stop, type):
        raise InvalidTypeError(f"stopping_rule must be a stopping rule such as RankCorrelation(), not {short(stop)}")
    if stop.needs == "pair" and n_classifiers < 2:
        raise InvalidValueError(f"{stop!r} compares classifiers, of which the study must have 2 or more")
    if stop.needs == "probabilities" and scheme not in PARTITIONS:
        raise InvalidValueError(
            f"scheme must be {' or '.join(map(repr, PARTITIONS))} with {stop!r}, which needs every instance in a test "
            f"set once in each repeat, not {scheme!r}"
        )


def _check_data(data: Data, splitting: Splitting, metric: StudyMetric) -> None:
    n, scheme = len(data.codes), splitting.scheme
    check_size(scheme, data.name, n, splitting.folds)
    metric.check(data.name, len(data.classes), scheme)
    smallest = int(np.bincount(data.codes).min())
    if splitting.stratify and scheme in ("k-fold", "5x2") and smallest < splitting.folds:
        label = data.classes.tolist()[np.bincount(data.codes).argmin()]
        warnings.warn(
            f"class {label!r} of dataset {data.name!r} has {smallest} instances for {splitting.folds} folds: folds "
            "without a test instance of this class fail if the metric needs one",
            EvalstatsWarning,
            stacklevel=4,
        )


def description_of(plan: Plan) -> dict[str, Any]:
    """Return the description that identifies a study, for JSON."""
    first = plan.protocols[plan.data[0].name].splitting
    described = {
        "datasets": {one.name: _content(one) for one in plan.data},
        "classifiers": {name: _written(estimator) for name, estimator in plan.estimators.items()},
        "metric": plan.metric.name,
        "scheme": first.scheme,
        "folds": plan.n_folds,
        "repeats": plan.n_repeats,
        "splits": {one.dataset: _digest(one.given) for one in (p.splitting for p in plan.protocols.values())},
        "test_size": first.test_size if first.scheme == "hold-out" else None,
        "stratify": first.stratify,
        "stop": None if plan.stop is None else without_address(repr(plan.stop)),
        "predictions": plan.predictions,
        "seed": first.seed,
    }
    return json.loads(json.dumps(described))  # type: ignore[no-any-return]  # json is untyped


def _content(data: Data) -> dict[str, Any]:
    return {
        "cases": len(data.codes),
        "classes": [_checks.label_text(label) for label in data.classes.tolist()],
        "positive": _checks.label_text(data.classes.tolist()[data.positive]),
        "content": _digest((data.X, data.codes)),
    }


def _digest(value: Any) -> str:
    from joblib import hash as hash_of_arrays

    return str(hash_of_arrays(value, hash_name="sha1"))


def _written(value: Any) -> str:
    """Format an estimator or a parameter as text that is the same in every process."""
    if hasattr(value, "get_params") and not isinstance(value, type):
        # every run has its own random state
        own = {key: part for key, part in value.get_params(deep=False).items() if key != "random_state"}
        params = ", ".join(f"{key}={_written(part)}" for key, part in sorted(own.items()))
        return f"{type(value).__module__}.{type(value).__qualname__}({params})"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, np.ndarray):
        return f"array {_digest(value)}"
    return without_address(repr(value))


def made_with() -> dict[str, str]:
    """Return the versions of the packages that compute a study."""
    import joblib
    import sklearn

    return {
        "python": sys.version.split()[0],
        "evalstats": __version__,
        "numpy": np.__version__,
        "scikit-learn": sklearn.__version__,
        "joblib": joblib.__version__,
    }
