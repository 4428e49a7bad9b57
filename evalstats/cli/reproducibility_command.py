"""``evalstats reproducibility``: analyze whether repeated runs lead to the same decision."""

from __future__ import annotations

__all__ = ["reproducibility"]

from typing import Any

import click

from evalstats.cli.options import (
    DIRECTION,
    FORMAT_IN,
    N_FOLDS,
    PLACES,
    ROLES,
    ROWS,
    SUMMED_UP,
    HeadedCommand,
    argument,
    cell_options,
    column_options,
    option,
    reading_arguments,
    source_of,
)
from evalstats.cli.output import TABLES, FormatName, show


@click.command(cls=HeadedCommand, short_help="Analyze the variation between repeated runs.")
@argument("files", metavar="FILE...", nargs=-1, required=True)
@option("--metric", "NAME", "Metric of the scores, or metric to compute from predictions.")
@DIRECTION
@SUMMED_UP
@N_FOLDS
@option("--n-canonical", "N", "The first N runs give the canonical estimate.", type=int, default=1)
@option("--ceiling", "X", "Best possible score; required only if the metric is unknown.", type=float)
@option("--alpha", "P", "Significance level.", type=float, default=0.05, show_default=True)
@option("--orders", "N", "Number of random orders of the runs for the stopping rules.", type=int, default=50)
@option("--seed", "N", "Random seed of the orders.", type=click.IntRange(min=0))
@option("--format", "NAME", f"Output format: {', '.join(TABLES)}.", type=FormatName(TABLES), default="text")
@FORMAT_IN
@option("--layout", "NAME", "Table layout: wide, long or predictions.", default="auto")
@ROWS
@column_options()
@option("--missing", "NAME", "Missing scores: raise or drop-datasets.", default="raise")
@ROLES
@cell_options()
@PLACES
def reproducibility(files: tuple[str, ...], **options: Any) -> None:
    """Analyze whether repeated runs lead to the same decision. Use - to read standard input."""
    from evalstats.comparison.runs.analysis import analyze_runs

    chosen = {name: options[name] for name in ("alpha", "n_canonical", "ceiling")}
    source = source_of(files)
    report = analyze_runs(
        source, n_resamples=options["orders"], rng=options["seed"], **chosen, **reading_arguments(options)
    )
    show(report, options["format"])
