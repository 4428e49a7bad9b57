"""``evalstats which-test``: recommend the test for an experiment."""

from __future__ import annotations

__all__ = ["advised", "which_test"]

from typing import TYPE_CHECKING, Any

import click

from evalstats.cli.options import (
    FORMAT_IN,
    OF_PREDICTIONS,
    PLACES,
    ROLES,
    ROWS,
    HeadedCommand,
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


@click.command("which-test", cls=HeadedCommand, short_help="Recommend a statistical test.")
@argument("files", metavar="[FILE]...", nargs=-1)
@option("--classifiers", "N", "Number of classifiers, if there is no FILE.", type=int)
@option("--datasets", "N", "Number of datasets. [default: 1]", type=int)
@option("--folds", "N", "Number of folds of each cross-validation.", "--n-folds", "folds", type=int)
@option("--repeats", "N", "Number of repeats of the cross-validation.", type=int)
@option("--instances", "N", "Number of test instances.", type=int)
@option("--data", "NAME", "Type of data: scores, folds, runs, predictions ...")
@option("--metric", "NAME", "Metric: accuracy, roc_auc, f1 ...")
@option("--control", "NAME", "Compare all classifiers with this control only.")
@option("--pos-label", "LABEL", "Label of the positive class.")
@click.option("--parametric", is_flag=True, help="Assume normally distributed differences.")
@option("--alpha", "P", "Significance level.", type=float, default=0.05, show_default=True)
@option("--format", "NAME", f"Output format: {', '.join(REPORTS)}.", type=FormatName(REPORTS), default="text")
@FORMAT_IN
@option("--layout", "NAME", "Table layout: wide, long or predictions.")
@ROWS
@column_options()
@option("--missing", "NAME", "Missing scores: raise, drop-datasets or skillings-mack.")
@ROLES
@click.option("--transpose/--no-transpose", default=None, help="Rows are classifiers, or rows are datasets.")
@cell_options(has_file=False)
@PLACES
def which_test(files: tuple[str, ...], **options: Any) -> None:
    """Recommend a test for a table, predictions or a planned experiment, and list its assumptions."""
    show(advised(source_of(files), options), options["format"])


def advised(source: Any, options: dict[str, Any]) -> WhichTestResult:
    """Return the recommendation for a source, or for a planned experiment if `source` is None."""
    from evalstats.comparison.advice.recommendation import which_test as advise

    own = ("delimiter", "layout", "rows_are", "score", "missing", "transpose")
    reading = {name: options[name] for name in (*OF_PREDICTIONS, *own)}
    reading["same_order"] = options["same_order"] or None
    reading |= places_and_roles(options)
    planned = {name: f"n_{name}" for name in ("classifiers", "datasets", "folds", "repeats", "instances")}
    if source is None and options["classifiers"] is None:
        raise click.UsageError("give a FILE, or the number of classifiers with --classifiers")
    return advise(
        source,
        **{argument: options[name] for name, argument in planned.items()},
        **{name: options[name] for name in ("data", "metric", "control", "parametric", "alpha")},
        **with_format({name: value for name, value in reading.items() if value is not None}, source),
    )
