"""``evalstats reproducibility``: would another run agree?"""

from __future__ import annotations

__all__ = ["reproducibility"]

from typing import Any

import click

from evalstats.cli.option_groups import HeadedCommand
from evalstats.cli.options import (
    DIRECTION,
    FORMAT_IN,
    N_FOLDS,
    PLACES,
    SUMMED_UP,
    argument,
    cell_options,
    column_options,
    option,
    reading_arguments,
    source_of,
)
from evalstats.cli.output import TABLES, FormatName, show


@click.command(cls=HeadedCommand, short_help="Say whether another run would agree.")
@argument("files", metavar="FILE...", nargs=-1, required=True)
@option("--metric", "NAME", "What was measured, or what to compute from predictions.")
@DIRECTION
@SUMMED_UP
@N_FOLDS
@option("--canonical", "N", "So many first runs are the canonical estimate.", type=int, default=1)
@option("--ceiling", "X", "The best score possible, if the metric is not known.", type=float)
@option("--alpha", "P", "Level of significance.", type=float, default=0.05, show_default=True)
@option("--orders", "N", "Orders in which stopping rules see the runs.", type=int, default=50)
@option("--seed", "N", "Of these orders.", type=click.IntRange(min=0))
@option("--format", "NAME", ", ".join(TABLES) + ".", type=FormatName(TABLES), default="text")
@FORMAT_IN
@option("--layout", "NAME", "wide, long or predictions.", default="auto")
@column_options()
@option("--missing", "NAME", "raise or drop-datasets.", default="raise")
@cell_options()
@PLACES
def reproducibility(files: tuple[str, ...], **options: Any) -> None:
    """Say whether another run would agree, from repeats of an experiment; FILE - is standard input."""
    from evalstats.comparison.runs.analysis import analyze_runs

    chosen = {name: options[name] for name in ("alpha", "canonical", "ceiling")}
    source = source_of(files)
    report = analyze_runs(
        source, n_resamples=options["orders"], rng=options["seed"], **chosen, **reading_arguments(options)
    )
    show(report, options["format"])
