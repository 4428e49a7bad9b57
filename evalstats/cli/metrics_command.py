"""``evalstats metrics``: compute the scores of predictions and check their folds."""

from __future__ import annotations

__all__ = ["metrics"]

from typing import TYPE_CHECKING, Any

import click

from evalstats.cli.options import (
    FORMAT_IN,
    METRICS,
    PLACES,
    ROLES,
    HeadedCommand,
    argument,
    by_metric,
    cell_options,
    column_options,
    option,
    prediction_arguments,
    refuse_of_the_other,
    source_of,
)
from evalstats.cli.output import TABLES, FormatName, makers_of_plot, show, write_files

if TYPE_CHECKING:
    from evalstats._result import Record

OF_SCORES = ("metric", "aggregate", "undefined")
OF_DECISIONS = ("thresholds", "prevalence", "adjust", "alpha", "plot")


def _numbers(_: Any, __: Any, given: str | None) -> list[float] | None:
    """Return the comma-separated numbers in the value of an option."""
    try:
        return None if given is None else [float(one) for one in given.split(",")]
    except ValueError:
        raise click.UsageError(f"--thresholds must be numbers such as 0.1,0.2, not {given}") from None


@click.command(cls=HeadedCommand, short_help="Compute metrics from predictions and check the folds.")
@argument("files", metavar="FILE...", nargs=-1, required=True)
@METRICS
@option("--aggregate", "NAME", "Aggregation over folds: pooled, mean, merge, tp_fp ...")
@option("--undefined", "NAME", "Handling of undefined scores (0/0): nan, zero, skip or raise.", default="nan")
@option("--pos-label", "LABEL", "Label of the positive class.")
@click.option("--decisions", is_flag=True, help="Analyze decisions: net benefit, sensitivity, predictive values.")
@option("--thresholds", "P,...", "With --decisions: thresholds such as 0.1,0.2,0.3.", callback=_numbers)
@option("--prevalence", "P", "With --decisions: prevalence in the population.", type=float)
@option("--adjust", "NAME", "With --decisions: adjustment for the pairs: holm, bh, none ...", default="holm")
@option("--alpha", "P", "With --decisions: significance level.", type=float, default=0.05, show_default=True)
@option("--plot", "PATH", "With --decisions: save the decision curves: .png, .svg or .pdf.")
@option("--seed", "N", "Random seed of the fold checks and the intervals.", type=click.IntRange(min=0), default=0)
@option("--format", "NAME", f"Output format: {', '.join(TABLES)}.", type=FormatName(TABLES), default="text")
@FORMAT_IN
@column_options(of_scores=False)
@ROLES
@cell_options()
@PLACES
def metrics(files: tuple[str, ...], **options: Any) -> None:
    """Compute metrics from predictions, for each fold and overall, and check the folds.

    Use - to read standard input.
    """
    from evalstats.io.reader.predictions import predictions_and_metric
    from evalstats.tables.prediction_report import analyze_predictions

    is_decisions = options["decisions"]
    refuse_of_the_other(OF_SCORES if is_decisions else OF_DECISIONS, "--decisions", is_given=is_decisions)
    if is_decisions:
        _show_decisions(files, options)
        return
    from evalstats.io.reader.opening import rereadable

    source, reading = rereadable(source_of(files)), prediction_arguments(options)
    chosen = {name: options[name] for name in ("aggregate", "undefined")}

    def analyzed(asked: Any) -> Record:
        predictions, metric = predictions_and_metric(source, asked, **reading)
        return analyze_predictions(predictions, rng=options["seed"], metric=metric, **chosen)

    show(by_metric(options["metric"], analyzed), options["format"])


def _show_decisions(files: tuple[str, ...], options: dict[str, Any]) -> None:
    """Print the report of the decisions, and save their plot."""
    from evalstats.io.reader.predictions import counted_predictions
    from evalstats.tables.decision_analysis import analyze_decisions

    if options["format"] == "csv":
        raise click.UsageError("--format csv cannot be combined with --decisions")
    makers = makers_of_plot(files, options)
    predictions = counted_predictions(source_of(files), **prediction_arguments(options))
    chosen = {name: options[name] for name in ("thresholds", "prevalence", "alpha", "adjust")}
    found = analyze_decisions(predictions, rng=options["seed"], **chosen)
    write_files({path: make(found) for path, make in makers.items()})
    show(found, options["format"])
