"""``evalstats study``: run classifiers on datasets, repeatedly."""

from __future__ import annotations

__all__ = ["study"]

import math
import sys
from contextlib import redirect_stdout
from typing import Any

import click

from evalstats.cli.option_groups import HeadedCommand
from evalstats.cli.options import argument, option
from evalstats.cli.output import TABLES, FormatName, show, shown_progress


@click.command(cls=HeadedCommand, short_help="Run classifiers on datasets, repeatedly.")
@argument("config")
@option("--directory", "PATH", "Keep the runs there, and go on from those that are there.")
@option("--jobs", "N", "Worker processes; -1 is one for each processor.", type=int)
@option("--seed", "N", "Seed of the study.", type=click.IntRange(min=0))
@click.option("--until-decided", is_flag=True, help="Repeat until it is clear which classifier is better, or the end.")
@option("--alpha", "P", "Level of --until-decided on each dataset; 0.05 if not given.", type=float)
@option("--format", "NAME", ", ".join(TABLES) + ".", type=FormatName(TABLES), default="text")
def study(
    config: str,
    directory: str | None,
    jobs: int | None,
    seed: int | None,
    until_decided: bool,
    alpha: float | None,
    format: str,
) -> None:
    """Run the classifiers of a TOML file on its datasets, repeatedly, on the same splits.

    The classes that CONFIG names are imported and called: run only what you trust.

    With --until-decided a dataset is repeated until a test that may be looked at after every repeat has told every two
    classifiers apart, at most as often as CONFIG says, or 500 times.
    """
    from evalstats.study.config import arguments_in
    from evalstats.study.runner import run_study

    if alpha is not None and not until_decided:
        raise click.UsageError("--alpha is the level of --until-decided, which is not given")
    arguments = arguments_in(config)
    chosen: dict[str, Any] = {"directory": directory, "n_jobs": jobs, "rng": seed}
    if until_decided:
        chosen["stop"] = _until_decided(len(arguments["classifiers"]), alpha)
    arguments |= {name: value for name, value in chosen.items() if value is not None}
    # what classifiers print is none of the record
    with shown_progress(bar=True) as progress, redirect_stdout(sys.stderr):
        result = run_study(**arguments, progress=progress)
    show(result, format)
    if not result.complete:
        raise click.exceptions.Exit(130)


def _until_decided(n_classifiers: int, alpha: float | None) -> Any:
    """Return the rule for each pair of classifiers on a dataset, so that all of them have the level together."""
    from evalstats.reproducibility import AnytimeValid

    rule = AnytimeValid() if alpha is None else AnytimeValid(alpha)
    return rule.of_pairs(max(math.comb(n_classifiers, 2), 1))
