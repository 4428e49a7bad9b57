"""Reliability diagrams: frequencies against predicted probabilities, with a band and a histogram."""

from __future__ import annotations

__all__ = ["reliability_diagram"]

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats.comparison.record import Comparison
from evalstats.metrics.reliability import ReliabilityCurve
from evalstats.plot import style
from evalstats.plot.style import caption as write_caption
from evalstats.tables.calibration_analysis import CalibrationAnalysis

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# in font sizes
_SIDE = 28.0
_AROUND = {True: 15.0, False: 5.0}
_MOST_CURVES = 8
_HIGHEST_BAR = 0.15  # of the axes
_BANDS = {
    "consistency": "Band: at each point, the curve of calibrated probabilities lies within the band with probability "
    "{}.",
    "confidence": "Band: {} confidence interval for the frequency, {}.",
}
_CURVES = {
    "isotonic": "Line: isotonic fit.",
    "uniform": "Points: bins of equal width.",
    "quantile": "Points: bins with equal numbers of instances.",
}
_EVENTS = {
    "positive": ("predicted probability", "frequency of the positive class"),
    "predicted": ("largest predicted probability", "accuracy"),
}


def reliability_diagram(
    curve: ReliabilityCurve | Mapping[str, ReliabilityCurve] | CalibrationAnalysis | Comparison,
    ax: Axes | None = None,
    *,
    histogram: bool = True,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot a reliability diagram, which shows the frequency of an event against its predicted probability.

    Calibrated probabilities lie on the dotted diagonal, except for random deviations. A curve below the diagonal means
    that the probabilities are too large. A curve within the consistency band does not show that the probabilities are
    calibrated, because the band is wide if there are few instances.

    Parameters
    ----------
    curve : ReliabilityCurve, mapping of str to ReliabilityCurve, CalibrationAnalysis or Comparison
        Result of `evalstats.metrics.reliability_curve`, or a dict of the curves of at most 8 classifiers for the same
        event. Alternatively, the result of `analyze_calibration` for one dataset, or of ``compare(...,
        calibration=True)``. The band and the histogram are plotted for a single curve only.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    histogram : bool, default: True
        Whether to plot the histogram of the predicted probabilities at the bottom of a single curve.
    title : str, optional
        Title above the plot.
    caption : bool, default: True
        Whether to write an explanation below the plot. The explanation states the type of the band.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidTypeError
        If `curve` contains an object that is not a result of `reliability_curve`.
    InvalidValueError
        If there is no curve, if there are more than 8 curves, or if their events differ.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> from evalstats.metrics import reliability_curve
    >>> curve = reliability_curve([0, 0, 1, 0, 1, 1] * 10, [0.1, 0.2, 0.3, 0.6, 0.7, 0.9] * 10, n_resamples=99)
    >>> ax = plot.reliability_diagram(curve)
    >>> ax.get_ylabel()
    'frequency of the positive class'
    """
    curves = _understood(curve)
    size = style.font_size_of(font_size, title, caption=caption, histogram=histogram)
    names, drawn = style.key_labels(list(curves)), list(curves.values())
    width = _SIDE + (9 if len(drawn) > 1 else 7)
    ax = style.axes_with_key(ax, names if len(drawn) > 1 else [""], size, width=width, height=_SIDE + _AROUND[caption])
    ax.plot(
        [0, 1], [0, 1], color=style.ink(0.5), linewidth=0.08 * size, linestyle=(0, (1, 2)), zorder=1, label="_diagonal"
    )
    if len(drawn) == 1:
        if histogram:
            _draw_histogram(ax, drawn[0])
        _draw_band(ax, drawn[0])
    for number, (one, name) in enumerate(zip(drawn, names, strict=True)):
        line: dict[str, Any] = style.line_style(number) if len(drawn) > 1 else {"color": style.BLUE}
        mark: dict[str, Any] = (
            {} if one.method == "isotonic" and one.probability.size > 1 else {"marker": "o", "markersize": 0.5 * size}
        )
        label = name if len(drawn) > 1 else "_curve"
        ax.plot(one.probability, one.frequency, linewidth=0.16 * size, label=label, **line, **mark)
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    across, up = _EVENTS[drawn[0].event]
    ax.set_ylabel(up, fontsize=size)
    style.plain_axes(ax, size, title)
    if len(drawn) > 1:
        style.key_beside(ax, names, size)
    if not caption:
        ax.set_xlabel(across, fontsize=size)
        return ax
    write_caption(ax, _said(drawn, histogram=histogram), size=size, head=across)
    return ax


def _understood(curve: Any) -> dict[str, ReliabilityCurve]:
    words = "a result of reliability_curve, or a mapping of names to such results"
    if isinstance(curve, Comparison):
        if curve.calibration is None:
            raise InvalidValueError("curve must be a comparison with calibration=True")
        curve = curve.calibration
    if isinstance(curve, CalibrationAnalysis):
        curve = _curves_of(curve)
    curves = dict(curve) if isinstance(curve, Mapping) else {"": curve}
    if not 1 <= len(curves) <= _MOST_CURVES:
        raise InvalidValueError(f"curve must hold 1 to {_MOST_CURVES} curves, but it holds {len(curves)}")
    found = {
        _checks.text(k, "a name"): _checks.instance(v, "curve", ReliabilityCurve, words) for k, v in curves.items()
    }
    if len({one.event for one in found.values()}) > 1:
        raise InvalidValueError("all curves must describe the same event, but their events differ")
    return found


def _curves_of(found: CalibrationAnalysis) -> dict[str, ReliabilityCurve]:
    """Return the curves by classifier; only a single curve has a band."""
    if len(found.datasets) > 1:
        raise InvalidValueError(
            f"curve must be an analysis of one dataset, but the analysis contains {len(found.datasets)} datasets"
        )
    if len(found.classifiers) > _MOST_CURVES:
        raise InvalidValueError(
            f"curve must be an analysis of at most {_MOST_CURVES} classifiers, but the analysis contains "
            f"{len(found.classifiers)} classifiers"
        )
    band = "consistency" if len(found.classifiers) == 1 else "none"
    level = 1 - found.alpha
    return {one.classifier: one.curve(band=band, confidence_level=level) for one in found.classifiers}


def _draw_histogram(ax: Axes, curve: ReliabilityCurve) -> None:
    heights = curve.bar_counts * (_HIGHEST_BAR / curve.bar_counts.max())
    ax.bar(
        curve.bar_edges[:-1],
        heights,
        np.diff(curve.bar_edges),
        align="edge",
        color=style.ink(0.2),
        zorder=0,
        label="_bars",
    )


def _draw_band(ax: Axes, curve: ReliabilityCurve) -> None:
    if curve.band == "none":
        return
    look: dict[str, Any] = {"color": style.BLUE, "alpha": 0.18, "linewidth": 0, "zorder": 1, "label": "_band"}
    if not curve.simultaneous:
        ax.fill_between(curve.band_probability, curve.lower, curve.upper, **look)
        return
    # a step function: the lower limit increases at its position, and the upper limit increases after it
    x = np.concatenate([[0.0], curve.band_probability, [1.0]])
    at = np.unique(np.concatenate([x, np.nextafter(x, 2), np.nextafter(x, -1)]).clip(0, 1))
    ax.fill_between(at, *curve.limits_at(at), **look)


def _said(curves: list[ReliabilityCurve], *, histogram: bool) -> list[str]:
    """Describe the diagram in sentences."""
    first = curves[0]
    n, events = int(first.n_instances.sum()), int(first.n_events.sum())
    word = "positive" if first.event == "positive" else "predicted correctly"
    methods = dict.fromkeys(_CURVES[one.method] for one in curves)
    said = [f"{n:,} instances, {events:,} of them {word}." if len(curves) == 1 else f"{n:,} instances.", *methods]
    said.append("Dotted: calibrated probabilities.")
    if len(curves) == 1 and first.band != "none":
        together = "at all probabilities together" if first.simultaneous else "in each bin separately"
        said.append(_BANDS[first.band].format(f"{100 * first.confidence_level:.4g}%", together))
    if len(curves) == 1 and histogram:
        said.append("Gray bars: histogram of the probabilities.")
    return said
