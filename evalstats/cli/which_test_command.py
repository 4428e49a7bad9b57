"""``evalstats which-test``: which test does an experiment call for?"""

from __future__ import annotations

__all__ = ["advised", "which_test"]

from typing import TYPE_CHECKING, Any

import click

from evalstats.cli.option_groups import HeadedCommand
from evalstats.cli.options import (
    DELIMITERS,
    FORMAT_IN,
    OF_PREDICTIONS,
    PLACES,
    ROLES,
    argument,
    cell_options,
    column_options,
    option,
    places_and_roles,
    source_of,
    with_format,
)
from evalstats.cli.output import REPORTS, FormatName, show

if TYPE_CHECKING:
    from evalstats.comparison.advice.recommendation import WhichTestResult


@click.command("which-test", cls=HeadedCommand, short_help="Say which test an experiment calls for.")
@argument("files", metavar="[FILE]...", nargs=-1)
@option("--classifiers", "N", "How many are compared, if there is no FILE yet.", type=int)
@option("--datasets", "N", "On how many datasets; 1 if not given.", type=int)
@option("--folds", "N", "Folds of each cross-validation.", "--n-folds", "folds", type=int)
@option("--repeats", "N", "How often it is repeated.", type=int)
@option("--instances", "N", "Cases of the test set.", type=int)
@option("--data", "NAME", "What there is: scores, folds, predictions, probabilities or answers.")
@option("--metric", "NAME", "What is compared: accuracy, roc_auc, f1 ...")
@option("--control", "NAME", "Compare the others with this classifier only.")
@option("--pos-label", "LABEL", "The positive label; all others are negative.")
@click.option("--parametric", is_flag=True, help="Take the differences over datasets for normal.")
@option("--alpha", "P", "Level of significance.", type=float, default=0.05, show_default=True)
@option("--format", "NAME", ", ".join(REPORTS) + ".", type=FormatName(REPORTS), default="text")
@FORMAT_IN
@option("--layout", "NAME", "wide, long or predictions.")
@column_options()
@option("--missing", "NAME", "raise, drop-datasets or skillings-mack.")
@ROLES
@click.option("--transpose/--no-transpose", default=None, help="Rows are classifiers, or they are datasets.")
@cell_options(has_file=False)
@PLACES
def which_test(files: tuple[str, ...], **options: Any) -> None:
    """Say which test a table, predictions or a plan call for, and what it assumes; FILE - is standard input."""
    show(advised(source_of(files), options), options["format"])


def advised(source: Any, options: dict[str, Any]) -> WhichTestResult:
    """Return the advice for a source, or for a plan if it is None, under the options of the command."""
    from evalstats.comparison.advice.recommendation import which_test as advise

    reading = {name: options[name] for name in (*OF_PREDICTIONS, "layout", "score", "missing", "transpose")}
    reading["delimiter"] = DELIMITERS.get(options["delimiter"], options["delimiter"])
    reading |= places_and_roles(options)
    planned = {name: f"n_{name}" for name in ("classifiers", "datasets", "folds", "repeats", "instances")}
    if source is None and options["classifiers"] is None:
        raise click.UsageError("name a FILE, or how many --classifiers")
    return advise(
        source,
        **{argument: options[name] for name, argument in planned.items()},
        **{name: options[name] for name in ("data", "metric", "control", "parametric", "alpha")},
        **with_format({name: value for name, value in reading.items() if value is not None}, source),
    )
