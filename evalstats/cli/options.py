"""Options that several commands share, their groups in the help, and the arguments that they set."""

from __future__ import annotations

__all__ = [
    "ANALYSIS",
    "CHARACTERS",
    "DIRECTION",
    "FORMAT_IN",
    "HEADINGS",
    "ITEM_COLUMNS",
    "N_FOLDS",
    "OF_ANALYSIS",
    "OF_ROWS",
    "PICTURES",
    "PLACES",
    "ROLES",
    "ROWS",
    "SUFFIXES",
    "SUMMED_UP",
    "HeadedCommand",
    "StrictCommand",
    "argument",
    "as_typed",
    "by_metric",
    "cell_options",
    "column_options",
    "default_picture",
    "direction_asked",
    "drawn_picture",
    "grouped_options",
    "option",
    "picture_options",
    "places_and_roles",
    "prediction_arguments",
    "reading_arguments",
    "refuse_of_the_other",
    "refuse_without_picture",
    "source_of",
    "with_format",
]

import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from evalstats.cli.completion import completed

if TYPE_CHECKING:
    from evalstats._result import Record


CASES = ("repeat", "fold", "instance", "y_true", "y_pred", "y_score")
OF_PREDICTIONS = (
    "format_in",
    "dataset",
    "classifier",
    *CASES,
    "pos_label",
    "decimal",
    "thousands",
    "encoding",
    "sheet",
)
READING = (*OF_PREDICTIONS, "layout", "score", "metric", "aggregate", "undefined", "missing")
OF_ANALYSIS = ("control", "alpha", "posthoc", "adjust", "omnibus", "method")
OF_QUESTIONS = ("question", "cluster", "stratum")
OF_ROWS = ("rows_are", "same_order")
CHARACTERS = {"tab": "\t", "\\t": "\t", "space": " ", "apostrophe": "'"}  # hard to type in a shell


Decorator = Callable[[Any], Any]


def with_options(*options: Decorator) -> Decorator:
    """Return a decorator that adds options to a command in the given order."""

    def add(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def option(name: str, metavar: str, words: str, *others: str, **choices: Any) -> Decorator:
    """Return an option with its metavariable, help and shell completion."""
    if metavar == "CHAR":
        choices["callback"] = lambda _, __, given: CHARACTERS.get(given, given)
    return click.option(name, *others, metavar=metavar, help=words, shell_complete=completed, **choices)


def _several(given: str) -> str | list[str] | None:
    names = [name.strip() for name in re.split(r",(?! )", given)]
    return names if len(names) > 1 else given or None


def by_metric(metric: str | list[str] | None, analyze: Callable[[Any], Record]) -> Record:
    """Analyze by several metrics, or by one metric whose name contains a comma, such as acc,none."""
    from evalstats._errors import EvalstatsError

    try:
        return analyze(metric)
    except EvalstatsError as error:
        if not isinstance(metric, list):
            raise
        try:
            return analyze(",".join(metric))
        except EvalstatsError:
            raise error from None


def argument(name: str, **choices: Any) -> Decorator:
    """Return an argument with shell completion."""
    return click.argument(name, shell_complete=completed, **choices)


# --- the options that commands share ----------------------------------------------------------------------------------

DIRECTION = with_options(
    click.option("--lower-is-better", is_flag=True, help="Lower scores are better, as for errors and losses."),
    click.option("--higher-is-better", is_flag=True, help="Higher scores are better. Overrides the metric."),
)
# one or several metrics: a,b or repeated options; a comma before a space is part of a name
METRICS = with_options(
    option(
        "--metric",
        "NAME",
        "Metrics of the scores, or metrics to compute from predictions, such as accuracy,f1. Repeatable.",
        multiple=True,
        callback=lambda _, __, given: _several(",".join(given)),
    )
)
SUMMED_UP = with_options(
    option("--aggregate", "NAME", "Aggregation over folds: pooled, mean, merge, tp_fp ..."),
    option("--undefined", "NAME", "Handling of undefined scores (0/0): raise, zero or skip."),
    option("--pos-label", "LABEL", "Label of the positive class."),
)
FORMAT_IN = option(
    "--from", "FORMAT", "File format of another program; see evalstats formats.", "format_in", default="auto"
)
N_FOLDS = option("--n-folds", "N", "Number of folds per repeat, if the file contains only split numbers.", type=int)
ANALYSIS = with_options(
    option("--posthoc", "NAME", "Post-hoc test: wilcoxon, sign, max-t, betting, nemenyi ...", default="auto"),
    option("--omnibus", "NAME", "Omnibus test: friedman, quade, rm-anova ...", default="auto"),
    option("--adjust", "NAME", "Multiple-testing adjustment: holm, shaffer, bh, none ..."),
    option("--method", "NAME", "Null distribution: auto, exact, chi2, f, monte-carlo ...", default="auto"),
    option("--alpha", "P", "Significance level.", type=float, default=0.05, show_default=True),
)
ITEM_COLUMNS = with_options(
    option("--question", "COLUMN", "Column of the question identifiers."),
    option("--cluster", "COLUMN", "Column of the clusters of questions or instances."),
    option("--stratum", "COLUMN", "Column of the benchmarks."),
)
ROWS = with_options(
    option("--rows-are", "NAME", "Type of the rows: datasets, folds, runs, instances or questions."),
    click.option("--same-order", is_flag=True, help="Confirm that the rows of all classifiers are in the same order."),
)
PLACES = with_options(
    option("--rows", "A-B", "Lines or rows of the table, such as 3-15."),
    option("--header-rows", "N", "Number of header rows: 0, 1 or 2.", type=click.IntRange(0, 2)),
)


ROLES = with_options(
    option("--drop", "NAME", "Row or column to exclude. Repeatable.", multiple=True),
    option("--keep", "NAME", "Row or column to include despite its name. Repeatable.", multiple=True),
)


def cell_options(*, has_file: bool = True) -> Decorator:
    """Return a decorator that adds the options for cells. Without a file, these options have no defaults."""
    decimal, encoding = ("auto", "utf-8") if has_file else (None, None)
    return with_options(
        option("--delimiter", "CHAR", "Field delimiter: a character, tab or space."),
        option("--decimal", "CHAR", "Decimal separator: . or , [default: detected].", default=decimal),
        option("--thousands", "CHAR", "Thousands separator: , or . or apostrophe or space [default: detected]."),
        option("--encoding", "NAME", "Text encoding, such as latin-1.", default=encoding),
        option("--sheet", "NAME", "Name of the worksheet."),
    )


def column_options(*, of_scores: bool = True) -> Decorator:
    """Return a decorator that adds the options for the names of columns."""
    told = {
        "dataset": "dataset names",
        "classifier": "classifier names",
        "score": "scores",
        "repeat": "cross-validation repeats",
        "fold": "folds",
        "instance": "instance identifiers",
        "y_true": "true labels",
        "y_pred": "predicted labels",
        "y_score": "scores of the positive class",
    }
    names = [name for name in told if of_scores or name != "score"]
    return with_options(
        *(option(f"--{name.replace('_', '-')}", "COLUMN", f"Column of the {told[name]}.") for name in names)
    )


def as_typed(file: str) -> str:
    """Return a file name that a command does not confuse with an option or with standard input."""
    return f"./{file}" if file.startswith("-") else file


def reading_arguments(options: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `read_table` that the options of a command set."""
    return {
        "delimiter": options["delimiter"],
        "greater_is_better": direction_asked(options),
        **with_format({name: options[name] for name in READING}),
        **{name: options[name] for name in (*OF_QUESTIONS, *OF_ROWS, "n_folds", "transpose") if name in options},
        **places_and_roles(options),
    }


def prediction_arguments(options: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `read_predictions` that the options of a command set."""
    from evalstats.io.options import given_together

    return given_together(
        {
            "delimiter": options["delimiter"],
            **with_format({name: options[name] for name in OF_PREDICTIONS if name in options}),
            **places_and_roles(options),
        }
    )


def direction_asked(options: dict[str, Any]) -> bool | None:
    """Return whether greater scores are better according to the options, or None if the options set no direction."""
    lower, higher = options["lower_is_better"], options["higher_is_better"]
    if lower and higher:
        raise click.UsageError("--lower-is-better and --higher-is-better cannot be combined")
    return True if higher else False if lower else None


def places_and_roles(options: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments for the position of a table in its file, and for names to drop or keep."""
    return {
        **{name: options[name] for name in ("rows", "header_rows") if name in options},
        **{name: options[name] or None for name in ("drop", "keep") if name in options},
    }


def with_format(reading: dict[str, Any], file: Any = "") -> dict[str, Any]:
    """Return the arguments with the value of --from as `format`. Without a file, auto is omitted."""
    wanted = reading.pop("format_in")
    return reading if file is None and wanted == "auto" else {**reading, "format": wanted}


def refuse_of_the_other(names: tuple[str, ...], flag: str, *, is_given: bool) -> None:
    """Raise an error for a given option that does not belong to the chosen analysis.

    If `flag` is given, the options `names` are not allowed. Otherwise, they require `flag`.
    """
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            why = "cannot be combined with" if is_given else "requires"
            raise click.UsageError(f"--{name.replace('_', '-')} {why} {flag}")


def source_of(files: tuple[str, ...]) -> Any:
    """Return the source of a command: standard input for ``-``, one path, a list of paths, or None."""
    if "-" in files and len(files) > 1:
        raise click.UsageError("standard input cannot be read together with files")
    if files == ("-",):
        return standard_input()
    return None if not files else files[0] if len(files) == 1 else list(files)


def standard_input() -> Any:
    """Return the standard input of the command as a binary stream."""
    if sys.stdin is None:
        raise click.UsageError("there is no standard input")
    return sys.stdin.buffer


# groups by the names of the parameters; options without a group are shown last, under "Other options"
HEADINGS = {
    "Comparison options": """
        metric lower_is_better higher_is_better control aggregate undefined pos_label n_folds n_canonical
        ceiling adjust_for scores mean_ranks decimals baseline_name candidate_name policy average intersect
        allow_missing allow_unequal_samples accept_scores
    """,
    "Experiment options": """
        datasets instances classifiers data folds repeats train test_size effect tie_rate accuracy difference
        discordance correlation sd auc prevalence sd_within questions battles cluster_size
        intraclass_correlation pilot samples
    """,
    "Published claims": """
        test cd chi2 f_statistic pvalue rejects best different not_different
    """,
    "Test options": """
        posthoc omnibus adjust method alpha margin equivalence rope calibration decisions thresholds subgroup
        bins robustness stability consensus orders variation distance normalize seed parametric null shift
        shifted_classifier simulations power alternative comparisons small_sample strong_weight sampled n_test
        n_instances anytime until_decided live stored fuzz seconds
    """,
    "Output options": """
        format part latex_width output bib plot plot_kind junit directory width font_size dpi no_caption
    """,
    "Input options": """
        format_in layout rows_are same_order dataset classifier score repeat fold instance reader train_size
        y_true y_pred y_score question cluster stratum missing drop keep transpose delimiter decimal thousands
        encoding sheet rows header_rows
    """,
}
OTHERS = "Other options"
# options whose value may be empty, because names of columns, rows and labels may be empty
MAY_BE_EMPTY = (
    *("dataset", "classifier", "score", "repeat", "fold", "instance", "y_true", "y_pred", "y_score"),
    *("question", "cluster", "stratum", "drop", "keep", "pos_label"),
)


class StrictCommand(click.Command):
    """Command that rejects repetitions of single-value options and empty values."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reject repeated, contradictory and empty options. Without this check, click would use the last value."""
        values, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for one in given:
            if isinstance(one, click.Option) and not ctx.resilient_parsing:
                fault = _fault_of(one, values.get(str(one.name)), given.count(one), args)
                if fault:
                    raise click.UsageError(fault, ctx)
        return super().parse_args(ctx, args)


def _fault_of(one: click.Option, value: Any, n: int, args: list[str]) -> str:
    """Return the reason why an option given `n` times is invalid, or '' if it is valid."""
    name = max(one.opts, key=len)
    if not (one.multiple or one.is_flag) and n > 1:
        return f"{name} is given {_times(n)}, but it accepts one value"
    if one.is_flag and n > 1 and not set(one.opts).isdisjoint(args) and not set(one.secondary_opts).isdisjoint(args):
        return f"{name} and {one.secondary_opts[0]} cannot be combined"
    if one.name not in MAY_BE_EMPTY and (value == "" or (isinstance(value, list) and "" in value)):
        return f"the value of {name} is empty; omit {name}"
    return ""


class HeadedCommand(StrictCommand):
    """Command whose help shows its options in groups."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups of options in their order."""
        for heading, records in grouped_options(self, ctx).items():
            with formatter.section(heading):
                formatter.write_dl(records)


def _times(n: int) -> str:
    return "twice" if n == 2 else f"{n} times"


def grouped_options(command: click.Command, context: click.Context) -> dict[str, list[tuple[str, str]]]:
    """Return the options of a command with their help texts, grouped by heading."""
    options = [param for param in command.get_params(context) if isinstance(param, click.Option)]
    shown = {option.name: option.get_help_record(context) for option in options}
    # click keeps the names of the help option from the first context
    asking = command.get_help_option(context)
    if asking is not None and (told_help := shown[asking.name]):
        shown[asking.name] = ", ".join(context.help_option_names), told_help[1]
    groups = {heading: [shown.pop(name, None) for name in names.split()] for heading, names in HEADINGS.items()}
    groups[OTHERS] = list(shown.values())
    told = {heading: [record for record in records if record is not None] for heading, records in groups.items()}
    return {heading: records for heading, records in told.items() if records}


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

    from evalstats._errors import EvalstatsWarning
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
