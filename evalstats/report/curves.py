"""Figures for records that contain curves."""

from __future__ import annotations

__all__ = ["benefit_figure", "figure_of", "learning_figure", "reliability_figure"]

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evalstats._result import Record
from evalstats._types import FloatArray
from evalstats.report.curve_figure import MOST_CURVES, Band, Curve, CurveFigure, limits_of
from evalstats.report.describe import count, of_count, percent

UNIT = (0.0, 1.0)
# more bands than this hide one another
_MOST_BANDS = 3
_LEVEL = 0.95
# words at the axes of the curves of `curve_difference`
_POINTS = {"cost": "probability cost", "roc": "false positive rate", "precision-recall": "recall"}
_EVENTS = {
    "positive": ("predicted probability of the positive class", "frequency of the positive class"),
    "predicted": ("probability of the predicted class", "frequency of correct predictions"),
}


def figure_of(record: Record) -> CurveFigure | None:
    """Return the figure for a record of a curve, or None for other records or fewer than two points."""
    make = _MAKERS.get(type(record).__name__)
    return None if make is None else make(record)


def benefit_figure(
    curve: Any, names: Sequence[str], low: FloatArray, high: FloatArray, *, level: float, together: bool
) -> CurveFigure | None:
    """Plot the decision curves with the largest mean net benefits on one dataset."""
    heights, x = np.atleast_2d(curve.net_benefit), curve.thresholds
    if len(x) < 2 or heights.ndim > 2:
        return None
    most = min(len(names), MOST_CURVES)
    shown = sorted(np.argsort(-heights.mean(axis=1), kind="stable")[:most].tolist())
    prevalence = curve.n_positive / curve.n_instances
    bands = () if len(names) > _MOST_BANDS else _bands(x, np.atleast_2d(low)[shown], np.atleast_2d(high)[shown])
    top = np.nanmax([prevalence, heights.max(), *(band.high[np.isfinite(band.high)].max(initial=0) for band in bands)])
    few = ""
    if most < len(names):
        shown_of = of_count(most, len(names), "classifier")
        few = f" The figure shows the {shown_of} with the largest mean net benefits."
    where = "all thresholds of one classifier together" if together else "each threshold separately"
    said = f" Bands: {percent(level)}, for {where}." if bands else ""
    return CurveFigure(
        title="Decision curves",
        curves=(
            *(Curve(name=names[i], x=x, y=heights[i], dots=len(x) <= MOST_CURVES) for i in shown),
            Curve(name="all positive", x=x, y=curve.treat_all, is_reference=True),
            Curve(name="none positive", x=x, y=np.zeros(len(x)), is_reference=True),
        ),
        bands=bands,
        across="threshold probability",
        up="net benefit",
        x_limits=(float(x[0]), float(x[-1])),
        # at costs that are far from realistic costs, the curves decrease without limit
        y_limits=(-0.25 * prevalence, 1.05 * float(top)),
        caption=(f"Net benefit at each threshold; higher is better.{said}{few}",),
    )


def learning_figure(test: Any, names: Sequence[str], *, score: str, level: float) -> CurveFigure | None:
    """Plot the mean scores of both classifiers at each training-set size, with confidence bands."""
    n = np.asarray(test.n_train, dtype=float)
    if len(n) < 2 or test.mean_x.ndim > 1:
        return None
    limits = [test.score_band(learner, level) for learner in ("x", "y")]
    curves = (Curve(name=name, x=n, y=y, dots=True) for name, y in zip(names, (test.mean_x, test.mean_y), strict=True))
    better = "higher" if test.greater_is_better else "lower"
    return CurveFigure(
        title="Learning curves",
        curves=tuple(curves),
        bands=_bands(n, [one.low for one in limits], [one.high for one in limits]),
        across="training instances (logarithmic scale)",
        up=f"mean {score}",
        x_limits=(float(n.min()), float(n.max())),
        y_limits=limits_of(np.concatenate([test.mean_x, test.mean_y, *(v for one in limits for v in one)]).tolist()),
        x_ticks=tuple(n.tolist()),
        is_logarithmic=True,
        caption=(
            f"Mean {score} over {count(test.n_repeats, 'repeat')}; {better} is better.",
            f"Bands: {percent(level)} for the expected scores of one classifier at all sizes together.",
            "The bands of two classifiers may overlap although their difference is significant.",
        ),
    )


def reliability_figure(curves: Mapping[str, Any]) -> CurveFigure | None:
    """Plot the reliability curves for one event, with a band if there is only one curve."""
    shown = dict(list(curves.items())[:MOST_CURVES])
    if not shown:
        return None
    first = next(iter(shown.values()))
    across, up = _EVENTS[first.event]
    bands, said = (), ""
    if len(curves) == 1 and first.band != "none":
        at = first.band_probability
        low, high = first.lower, first.upper
        if first.simultaneous:  # step functions
            x = np.concatenate([[0.0], at, [1.0]])
            at = np.unique(np.concatenate([x, np.nextafter(x, 2), np.nextafter(x, -1)]).clip(0, 1))
            low, high = first.limits_at(at)
        bands = _bands(at, [low], [high])
        said = f" Band: {percent(first.confidence_level)} {first.band} band."
    few = ""
    if len(shown) < len(curves):
        few = f" The figure shows the first {of_count(len(shown), len(curves), 'curve')}."
    return CurveFigure(
        title="Reliability curves",
        curves=(
            *(Curve(name=k, x=v.probability, y=v.frequency, dots=v.method != "isotonic") for k, v in shown.items()),
            Curve(name="calibrated", x=np.array(UNIT), y=np.array(UNIT), is_reference=True),
        ),
        bands=bands,
        across=across,
        up=up,
        x_limits=UNIT,
        y_limits=UNIT,
        is_square=True,
        caption=(f"Below the line of calibrated probabilities, the probabilities are too large.{said}{few}",),
    )


def _bands(x: FloatArray, low: Sequence[FloatArray] | FloatArray, high: Sequence[FloatArray] | FloatArray) -> Any:
    return tuple(Band(of=i, x=x, low=a, high=b) for i, (a, b) in enumerate(zip(low, high, strict=True)))


def _rates(record: Any) -> CurveFigure:
    roc = type(record).__name__ == "RocCurve"
    x, y = (record.fpr, record.tpr) if roc else (record.recall, record.precision)
    across, up = ("false positive rate", "true positive rate") if roc else ("recall", "precision")
    chance = Curve(name="random scores", x=np.array(UNIT), y=np.array(UNIT), is_reference=True)
    name = "ROC curve" if roc else "precision-recall curve"
    return CurveFigure(
        title=f"{name[0].upper()}{name[1:]}",
        curves=(Curve(name=name, x=x, y=y), *([chance] if roc else [])),
        across=across,
        up=up,
        x_limits=UNIT,
        y_limits=UNIT,
        is_square=True,
        caption=(f"{up.capitalize()} and {across} at {count(len(record.thresholds), 'threshold')}.",),
    )


def _benefits(record: Any) -> CurveFigure | None:
    heights = np.atleast_2d(record.net_benefit)
    names = ["classifier"] if len(heights) == 1 else [f"classifier {i}" for i in range(len(heights))]
    low, high = record.confidence_interval(_LEVEL)
    return benefit_figure(record, names, low, high, level=_LEVEL, together=False)


def _learning(record: Any) -> CurveFigure | None:
    return learning_figure(record, ("x", "y"), score="score", level=_LEVEL)


def _reliability(record: Any) -> CurveFigure | None:
    return reliability_figure({"estimated": record})


def _difference(record: Any) -> CurveFigure | None:
    """Plot the difference of two curves with its simultaneous band."""
    is_benefit = type(record).__name__ == "NetBenefitDifference"
    x = record.thresholds if is_benefit else record.at
    if len(x) < 2:
        return None
    up = "difference in net benefit" if is_benefit else "difference in height"
    across = "threshold probability" if is_benefit else _POINTS.get(record.curve, "proportion of the instances")
    low, high = record.low_everywhere, record.high_everywhere
    return CurveFigure(
        title="Difference of two curves",
        curves=(
            Curve(name="x minus y", x=x, y=record.difference),
            Curve(name="no difference", x=x[[0, -1]], y=np.zeros(2), is_reference=True),
        ),
        bands=_bands(x, [low], [high]),
        across=across,
        up=up,
        x_limits=(float(x[0]), float(x[-1])),
        y_limits=limits_of([0.0, *record.difference, *low, *high]),
        caption=(f"Difference, x minus y, with its {percent(record.confidence_level)} band for all points together.",),
    )


_MAKERS = {
    "CurveDifference": _difference,
    "DecisionCurve": _benefits,
    "LearningCurveTestResult": _learning,
    "NetBenefitDifference": _difference,
    "PrecisionRecallCurve": _rates,
    "ReliabilityCurve": _reliability,
    "RocCurve": _rates,
}
