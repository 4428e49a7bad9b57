"""Options for the kind and the size of the plot of a comparison."""

from __future__ import annotations

__all__ = ["PICTURES", "SUFFIXES", "default_picture", "drawn_picture", "picture_options", "refuse_without_picture"]

from collections.abc import Callable
from typing import Any

import click

SUFFIXES = (".png", ".svg", ".pdf")
# functions of evalstats.plot that need only a comparison
PICTURES = (
    *("critical-difference-diagram", "ranked-list", "multiple-comparisons-with-best", "pvalue-heatmap", "win-matrix"),
    *("rank-distribution", "effect-sizes", "difference-intervals", "scores-by-dataset", "performance-profile"),
    *("fold-distributions", "score-intervals", "ranks-by-metric", "battle-strengths", "reliability-diagram"),
    *("multi-comparison-matrix", "rank-frequencies", "podium-frequencies", "ranking-correlations"),
    "learning-curves",
)
DEFAULTS = {
    "BattleComparison": "battle-strengths",
    "ComparisonByMetric": "ranks-by-metric",
    "CalibrationAnalysis": "reliability-diagram",
    "DecisionAnalysis": "decision-curves",
    "ClassifierProjection": "classifier-projection",
    "LearningCurveComparison": "learning-curves",
    # designs of comparisons
    "datasets": "critical-difference-diagram",
    "folds": "difference-intervals",
    "runs": "difference-intervals",
    "instances": "difference-intervals",
    "questions": "score-intervals",
}
_CHOICES = ("plot_kind", "width", "font_size", "dpi", "no_caption")


def kind_for_pictures(record: Any) -> str:
    """Return the key of the plots of a record: the design of a comparison, or the class of the record."""
    kind = type(record).__name__
    return str(record.design) if kind == "Comparison" else kind


def default_picture(record: Any) -> Any:
    """Return the name of the default plot of a record, or None if the record has no plot."""
    return DEFAULTS.get(kind_for_pictures(record))


def picture_options(command: Any) -> Any:
    """Add the options for the kind and the size of the plot to a command."""
    for add in (
        click.option("--no-caption", is_flag=True, help="Omit the caption."),
        click.option("--dpi", type=float, metavar="N", help="Resolution of a PNG file in dots per inch."),
        click.option("--font-size", type=float, metavar="N", help="Font size in points."),
        click.option("--width", type=float, metavar="N", help="Width of the plot in inches."),
        click.option("--plot-kind", type=click.Choice(PICTURES), metavar="NAME", help=f"{', '.join(PICTURES)}."),
    ):
        command = add(command)
    return command


def refuse_without_picture(options: dict[str, Any], *, has_picture: bool) -> None:
    """Raise an error for plot options if no plot is requested."""
    given = [name for name in _CHOICES if options[name] not in (None, False)]
    if given and not has_picture:
        option = f"--{given[0].replace('_', '-')}"
        raise click.UsageError(f"{option} requires a plot; give its file with --plot, such as --plot plot.pdf")


def drawn_picture(comparison: Any, suffix: str, options: dict[str, Any]) -> bytes:
    """Return the bytes of an image file with the requested plot or the default plot."""
    name = options["plot_kind"] or default_picture(comparison)
    if name is None:
        raise click.UsageError("this comparison has no plot; omit --plot, or save the report as .html or .md")
    try:
        import matplotlib as mpl
    except ImportError:
        raise click.ClickException('a plot needs matplotlib: pip install "classifier-evalstats[plot]"') from None
    mpl.use("agg")
    from evalstats import plot
    from evalstats.plot.saving import DOTS_PER_INCH, picture_bytes

    draw: Callable[..., Any] = getattr(plot, name.replace("-", "_"))
    choices: dict[str, Any] = {"caption": not options["no_caption"], "font_size": options["font_size"]}
    if name == "critical-difference-diagram" and getattr(comparison, "design", None) == "datasets":
        _advise(comparison.n_classifiers)
    is_natural = options["width"] is None
    ax = draw(comparison, **choices) if is_natural else _of_width(draw, comparison, options, choices)
    dpi = DOTS_PER_INCH if options["dpi"] is None else options["dpi"]
    return picture_bytes(ax, suffix, dpi=dpi, trim=is_natural)


def _advise(n_classifiers: int) -> None:
    """Warn about an illegible diagram, and suggest options of the command."""
    import warnings

    from evalstats._checks import EvalstatsWarning
    from evalstats.plot.critical_differences import MOST_LEGIBLE, what_cannot_be_read

    if n_classifiers > MOST_LEGIBLE:
        what = what_cannot_be_read(n_classifiers)
        warnings.warn(
            f"{what}: --plot-kind ranked-list draws the best classifiers, multiple-comparisons-with-best the "
            "classifiers that are not shown to be worse than the best, and pvalue-heatmap all pairs",
            EvalstatsWarning,
            stacklevel=2,
        )
        warnings.filterwarnings("ignore", what, EvalstatsWarning)


def _of_width(draw: Callable[..., Any], comparison: Any, options: dict[str, Any], choices: dict[str, Any]) -> Any:
    """Plot a comparison with the given width in inches, and with the required or the default height."""
    from evalstats import plot

    width = options["width"]
    if draw is plot.critical_difference_diagram:
        return draw(comparison, width=width, **choices)
    from evalstats.plot.critical_differences import LARGEST_WIDTH

    if not 0 < width <= LARGEST_WIDTH:
        raise click.UsageError(f"--width must be greater than 0 and at most {LARGEST_WIDTH} inches, not {width:g}")
    height = draw(comparison, **choices).figure.get_size_inches()[1]
    from matplotlib.figure import Figure

    return draw(comparison, ax=Figure(figsize=(width, height), layout="constrained").add_subplot(), **choices)
