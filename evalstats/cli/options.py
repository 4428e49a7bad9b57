"""Options that several commands share, and the function arguments that these options set."""

from __future__ import annotations

__all__ = [
    "ANALYSIS",
    "CHARACTERS",
    "DIRECTION",
    "FORMAT_IN",
    "ITEM_COLUMNS",
    "N_FOLDS",
    "OF_ANALYSIS",
    "OF_ROWS",
    "PLACES",
    "ROLES",
    "ROWS",
    "SUMMED_UP",
    "argument",
    "as_typed",
    "by_metric",
    "cell_options",
    "column_options",
    "direction_asked",
    "option",
    "places_and_roles",
    "prediction_arguments",
    "reading_arguments",
    "refuse_of_the_other",
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
