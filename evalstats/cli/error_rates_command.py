"""``evalstats error-rates``: simulate the error rates of the analysis of a table."""

from __future__ import annotations

__all__ = ["error_rates"]

from typing import Any

import click

from evalstats.cli.options import (
    ANALYSIS,
    DIRECTION,
    FORMAT_IN,
    N_FOLDS,
    OF_ANALYSIS,
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
from evalstats.cli.output import REPORTS, FormatName, show, shown_progress


@click.command(cls=HeadedCommand, short_help="Simulate the error rates of an analysis.")
@argument("files", metavar="FILE...", nargs=-1, required=True)
@option("--null", "NAME", "Null model of the simulation: permutation or normal.", default="auto")
@option("--shift", "X", "Increase the scores of one classifier by X to estimate the power.", type=float)
@option("--shifted-classifier", "NAME", "Classifier to improve. [default: the best]")
@option("--simulations", "N", "Number of simulated tables.", type=int, default=2000, show_default=True)
@option("--seconds", "N", "Time limit in seconds.", type=float)
@option("--seed", "N", "Random seed of the simulations.", type=click.IntRange(min=0), default=0)
@option("--metric", "NAME", "Metric of the scores, or metric to compute from predictions.")
@DIRECTION
@option("--control", "NAME", "Compare all classifiers with this control only.")
@SUMMED_UP
@N_FOLDS
@ANALYSIS
@option("--format", "NAME", f"Output format: {', '.join(REPORTS)}.", type=FormatName(REPORTS), default="text")
@FORMAT_IN
@option("--layout", "NAME", "Table layout: wide, long or predictions.", default="auto")
@ROWS
@column_options()
@option("--missing", "NAME", "Missing scores: raise, drop-datasets or skillings-mack.", default="raise")
@ROLES
@click.option("--transpose/--no-transpose", default=None, help="Rows are classifiers, or rows are datasets.")
@cell_options()
@PLACES
def error_rates(files: tuple[str, ...], **options: Any) -> None:
    """Simulate how often the analysis rejects the null hypothesis for classifiers that perform equally.

    Each simulated table has the size, ties and decimals of FILE. Use - to read standard input.
    """
    from evalstats.comparison.simulation.error_rates import simulate_error_rates

    chosen = {name: options[name] for name in ("null", "shift", "shifted_classifier", "seconds")}
    passed = {name: options[name] for name in OF_ANALYSIS}
    with shown_progress(bar=True) as progress:
        found = simulate_error_rates(
            source_of(files),
            **chosen,
            n_simulations=options["simulations"],
            rng=options["seed"],
            progress=progress,
            **passed,
            **reading_arguments(options),
        )
    show(found, options["format"])
    if not found.complete and options["seconds"] is None:
        raise click.exceptions.Exit(130)
