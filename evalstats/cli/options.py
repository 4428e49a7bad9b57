"""Which options do commands share, and which arguments are they?"""

from __future__ import annotations

__all__ = [
    "ANALYSIS",
    "DIRECTION",
    "FORMAT_IN",
    "ITEM_COLUMNS",
    "N_FOLDS",
    "OF_ANALYSIS",
    "PLACES",
    "ROLES",
    "SUMMED_UP",
    "argument",
    "as_typed",
    "cell_options",
    "column_options",
    "direction_asked",
    "option",
    "places_and_roles",
    "reading_arguments",
    "source_of",
    "with_format",
]

import re
import sys
from collections.abc import Callable
from typing import Any

import click

from evalstats.cli.completion import completed

CASES = ("repeat", "fold", "row", "y_true", "y_pred", "y_score")
OF_PREDICTIONS = ("format_in", "dataset", "classifier", *CASES, "pos_label", "decimal", "encoding", "sheet")
READING = (*OF_PREDICTIONS, "layout", "score", "metric", "aggregate", "undefined", "missing")
OF_ANALYSIS = ("control", "alpha", "posthoc", "adjust", "omnibus", "method")
OF_QUESTIONS = ("item", "cluster", "stratum")
DELIMITERS = {"tab": "\t", "\\t": "\t", "space": " "}  # hard to type in a shell


Decorator = Callable[[Any], Any]


def with_options(*options: Decorator) -> Decorator:
    """Add options to a command, in their order."""

    def add(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def option(name: str, metavar: str, words: str, *others: str, **choices: Any) -> Decorator:
    """Return an option with its metavariable and its help."""
    return click.option(name, *others, metavar=metavar, help=words, shell_complete=completed, **choices)


def _several(given: str) -> str | list[str] | None:
    names = [name.strip() for name in re.split(r",(?! )", given)]
    return names if len(names) > 1 else given or None


def argument(name: str, **choices: Any) -> Decorator:
    """Return an argument that shells complete."""
    return click.argument(name, shell_complete=completed, **choices)


# --- the options that commands share ----------------------------------------------------------------------------------

DIRECTION = with_options(
    click.option("--lower-is-better", is_flag=True, help="The scores are errors or losses."),
    click.option("--higher-is-better", is_flag=True, help="They are not, whatever they are called."),
)
# one metric or several: as a,b or one by one; a comma before a space is part of a name
METRICS = with_options(
    option(
        "--metric",
        "NAME",
        "Metric to read or compute; several as accuracy,f1 or one by one.",
        multiple=True,
        callback=lambda _, __, given: _several(",".join(given)),
    )
)
SUMMED_UP = with_options(
    option("--aggregate", "NAME", "Of folds of predictions: pooled, mean, merge, tp_fp ..."),
    option("--undefined", "NAME", "Where a score is 0/0: raise, zero or skip."),
    option("--pos-label", "LABEL", "The positive label; all others are negative."),
)
FORMAT_IN = option(
    "--from", "FORMAT", "Read what another program wrote; see evalstats formats.", "format_in", default="auto"
)
N_FOLDS = option("--n-folds", "N", "Folds of a cross-validation whose splits are only counted.", type=int)
ANALYSIS = with_options(
    option("--posthoc", "NAME", "Test of the pairs: wilcoxon, sign, max-t, nemenyi ...", default="auto"),
    option("--omnibus", "NAME", "The test that leads them: friedman, quade, rm-anova ...", default="auto"),
    option("--adjust", "NAME", "Of pairs tested one by one: holm, shaffer, bh, none ..."),
    option("--method", "NAME", "Null distribution: auto, exact, chi2, f, monte-carlo ...", default="auto"),
    option("--alpha", "P", "Level of significance.", type=float, default=0.05, show_default=True),
)
ITEM_COLUMNS = with_options(
    option("--item", "COLUMN", "Where questions stand, of which each row is an answer."),
    option("--cluster", "COLUMN", "Which questions hang together: a passage, a user."),
    option("--stratum", "COLUMN", "Which benchmark a question is of."),
)
PLACES = with_options(
    option("--rows", "A-B", "The lines or rows of the table, such as 3-15."),
    option("--header-rows", "N", "Rows of names above the scores: 0, 1 or 2.", type=click.IntRange(0, 2)),
)


ROLES = with_options(
    option("--drop", "NAME", "Leave out this row or column; may be repeated.", multiple=True),
    option("--keep", "NAME", "Keep this one, although it is called like a summary.", multiple=True),
)


def cell_options(*, has_file: bool = True) -> Decorator:
    """Add the options that say how cells are written; without defaults where there may be no file."""
    decimal, encoding = ("auto", "utf-8") if has_file else (None, None)
    return with_options(
        option("--delimiter", "CHAR", "Between the fields of a text, or tab or space."),
        option("--decimal", "CHAR", "Decimal mark, . or , ; by default what the numbers show.", default=decimal),
        option("--encoding", "NAME", "Of a text file, such as latin-1.", default=encoding),
        option("--sheet", "NAME", "Of a workbook."),
    )


def column_options(*, of_scores: bool = True) -> Decorator:
    """Add the options that name columns."""
    told = {
        "dataset": "the datasets",
        "classifier": "the classifiers",
        "score": "the scores",
        "repeat": "the repeats of a cross-validation",
        "fold": "its folds",
        "row": "the cases",
        "y_true": "the true labels",
        "y_pred": "the predicted labels",
        "y_score": "the scores of the positive label",
    }
    names = [name for name in told if of_scores or name != "score"]
    return with_options(
        *(option(f"--{name.replace('_', '-')}", "COLUMN", f"Where {told[name]} stand.") for name in names)
    )


def as_typed(file: str) -> str:
    """Return the name of a file so that a command takes it neither for an option nor for its standard input."""
    return f"./{file}" if file.startswith("-") else file


def reading_arguments(options: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `read_table` that the options of a command give."""
    return {
        "delimiter": DELIMITERS.get(options["delimiter"], options["delimiter"]),
        "greater_is_better": direction_asked(options),
        **with_format({name: options[name] for name in READING}),
        **{name: options[name] for name in (*OF_QUESTIONS, "n_folds", "transpose") if name in options},
        **places_and_roles(options),
    }


def direction_asked(options: dict[str, Any]) -> bool | None:
    """Return the direction of the scores that the options of a command tell; None where nothing is said."""
    lower, higher = options["lower_is_better"], options["higher_is_better"]
    if lower and higher:
        raise click.UsageError("--lower-is-better and --higher-is-better exclude each other")
    return True if higher else False if lower else None


def places_and_roles(options: dict[str, Any]) -> dict[str, Any]:
    """Return where a table stands in its file, and what of it is left out or kept, as arguments."""
    return {
        **{name: options[name] for name in ("rows", "header_rows") if name in options},
        **{name: options[name] or None for name in ("drop", "keep") if name in options},
    }


def with_format(reading: dict[str, Any], file: Any = "") -> dict[str, Any]:
    """Return arguments of reading with the option --from as the argument format."""
    wanted = reading.pop("format_in")
    return reading if file is None and wanted == "auto" else {**reading, "format": wanted}


def source_of(files: tuple[str, ...]) -> Any:
    """Return what a command reads: standard input for ``-``, one path, or several; None if none is named."""
    if "-" in files and len(files) > 1:
        raise click.UsageError("standard input cannot be read together with files")
    if files == ("-",):
        return standard_input()
    return None if not files else files[0] if len(files) == 1 else list(files)


def standard_input() -> Any:
    """Return what is piped into the command, as bytes."""
    if sys.stdin is None:
        raise click.UsageError("there is no standard input")
    return sys.stdin.buffer
