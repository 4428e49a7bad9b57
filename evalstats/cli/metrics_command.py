"""``evalstats metrics``: compute the scores of predictions and check their folds."""

from __future__ import annotations

__all__ = ["metrics"]

from typing import Any

import click

from evalstats.cli.option_groups import HeadedCommand
from evalstats.cli.options import (
    FORMAT_IN,
    METRICS,
    PLACES,
    ROLES,
    argument,
    cell_options,
    column_options,
    option,
    prediction_arguments,
    source_of,
)
from evalstats.cli.output import TABLES, FormatName, show


@click.command(cls=HeadedCommand, short_help="Compute metrics from predictions and check the folds.")
@argument("files", metavar="FILE...", nargs=-1, required=True)
@METRICS
@option("--aggregate", "NAME", "Aggregation over folds: pooled, mean, merge, tp_fp ...")
@option("--undefined", "NAME", "Handling of scores that are 0/0: nan, zero, skip or raise.", default="nan")
@option("--pos-label", "LABEL", "Label of the positive class.")
@option("--seed", "N", "Random seed of the fold checks.", type=click.IntRange(min=0), default=0)
@option("--format", "NAME", ", ".join(TABLES) + ".", type=FormatName(TABLES), default="text")
@FORMAT_IN
@column_options(of_scores=False)
@ROLES
@cell_options()
@PLACES
def metrics(files: tuple[str, ...], **options: Any) -> None:
    """Compute metrics from predictions, for each fold and overall, and check the folds.

    Use - to read standard input.
    """
    from evalstats.io.reader.predictions import counted_predictions
    from evalstats.tables.prediction_report import analyze_predictions

    predictions = counted_predictions(source_of(files), **prediction_arguments(options))
    chosen = {name: options[name] for name in ("metric", "aggregate", "undefined")}
    show(analyze_predictions(predictions, rng=options["seed"], **chosen), options["format"])
