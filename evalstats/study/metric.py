"""Metric of a fold: a metric of evalstats, or a function of the fitted classifier."""

from __future__ import annotations

__all__ = ["FoldOutput", "StudyMetric", "understand_metric", "without_address"]

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import metrics
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._types import FloatArray, IndexArray
from evalstats.metrics import METRICS

AVERAGES = ("micro", "macro", "weighted")
NEED_A_NUMBER = ("fbeta", "precision_at_n")
# means over the instances, for which one instance is sufficient
OF_ONE_CASE = ("accuracy", "error_rate", "brier", "log_loss")
# the expected score of predictions that are independent of the instance has a closed form
WITH_NO_INFORMATION = ("accuracy", "error_rate")


@dataclass(frozen=True, kw_only=True)
class FoldOutput:
    """Output of a fitted classifier for the test instances of a fold, or None if it is not necessary.

    Labels are class indexes. `score` is the score of the positive class, and `proba` has a column for each class.
    """

    true: IndexArray
    predicted: IndexArray | None
    score: FloatArray | None
    proba: FloatArray | None


@dataclass(frozen=True, kw_only=True)
class StudyMetric:
    """A metric with all options. `needs` is 'labels', 'scores', 'probabilities' or 'estimator'."""

    name: str
    needs: str
    greater_is_better: bool = True
    base: str = ""
    average: str | None = None
    function: Callable[[Any, Any, Any], Any] | None = None

    @property
    def needs_positive(self) -> bool:
        """Whether one of two classes must be the positive class."""
        return self.needs == "scores" or (
            self.needs == "labels" and self.average is None and _has_average(self.base) and bool(self.base)
        )

    def check(self, dataset: str, n_classes: int, scheme: str) -> None:
        """Raise an error if a metric is undefined on the dataset, or in the folds of the scheme."""
        if self.needs_positive and n_classes > 2:
            hint = f"; {self.base}_macro does not" if self.needs == "labels" else ""
            raise InvalidValueError(
                f"metric {self.name!r} needs two classes, but dataset {dataset!r} has {n_classes}{hint}"
            )
        if scheme == "leave-one-out" and self.base and self.base not in OF_ONE_CASE:
            raise InvalidValueError(
                f"metric {self.name!r} is undefined for the single instance of a fold of leave-one-out; choose "
                f"among {', '.join(OF_ONE_CASE)}; with predictions=True, read_predictions() scores all instances "
                "together"
            )
        if scheme == ".632+" and self.base not in WITH_NO_INFORMATION:
            raise InvalidValueError(
                f"metric of the .632+ bootstrap must be {' or '.join(map(repr, WITH_NO_INFORMATION))}, whose "
                f"no-information value is known, not {short(self.name)}"
            )

    def of_fold(self, output: FoldOutput, n_classes: int, positive: int) -> float:
        """Return the score of a fold. An undefined score raises an error with the reason."""
        if self.needs == "labels":
            assert output.predicted is not None
            true, predicted, n = output.true, output.predicted, max(n_classes, 2)
            if self.needs_positive:
                true, predicted, n = (true == positive).astype(np.intp), (predicted == positive).astype(np.intp), 2
            counts = metrics.confusion_counts(true, predicted, n_classes=n)
            choices = {"average": self.average} if self.average else {}
            return float(metrics.score_from_counts(self.base, counts, undefined="raise", **choices))
        function = getattr(metrics, METRICS[self.base].function)
        is_positive = output.true == positive
        if self.needs == "scores":
            return float(function(is_positive, output.score, pos_label=True, undefined="raise"))
        assert output.proba is not None
        if n_classes <= 2:
            of_positive = output.proba[:, positive]
            return float(function(is_positive, of_positive, pos_label=True, labels=[False, True], undefined="raise"))
        return float(function(output.true, output.proba, labels=list(range(n_classes)), undefined="raise"))

    def without_information(self, output: FoldOutput, n_classes: int) -> float:
        """Return the score that is expected if the predictions are assigned to the instances at random.

        This is the no-information error rate of Efron & Tibshirani (1997).
        """
        assert output.predicted is not None
        of_true, of_predicted = (np.bincount(y, minlength=n_classes) for y in (output.true, output.predicted))
        accuracy = float(of_true @ of_predicted) / len(output.true) ** 2
        return accuracy if self.base == "accuracy" else 1.0 - accuracy


def understand_metric(metric: Any) -> StudyMetric:
    """Return the metric for a name or for a callable such as the scorers of scikit-learn."""
    if callable(metric):
        name = getattr(metric, "__name__", None) or str(metric)
        return StudyMetric(name=without_address(" ".join(name.split())), needs="estimator", function=metric)
    if not isinstance(metric, str):
        raise InvalidTypeError(f"metric must be a name or a callable (estimator, X, y), not {short(metric)}")
    base, _, average = metric.rpartition("_")
    if metric in METRICS and metric not in NEED_A_NUMBER:
        record = METRICS[metric]
        return StudyMetric(name=metric, base=metric, needs=record.needs, greater_is_better=record.greater_is_better)
    if average in AVERAGES and base in METRICS and _has_average(base) and base not in NEED_A_NUMBER:
        return StudyMetric(
            name=metric, base=base, average=average, needs="labels", greater_is_better=METRICS[base].greater_is_better
        )
    known = ", ".join(name for name in METRICS if name not in NEED_A_NUMBER)
    raise InvalidValueError(f"metric must be one of {known}, or a callable (estimator, X, y), not {short(metric)}")


def without_address(text: str) -> str:
    """Return the representation of an object without its memory address, which differs between processes."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)


def _has_average(base: str) -> bool:
    return getattr(METRICS.get(base), "average", None) == "chosen"
