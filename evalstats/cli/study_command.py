"""``evalstats study``: run a repeated evaluation of classifiers on datasets."""

from __future__ import annotations

__all__ = ["study"]

import math
import sys
from contextlib import redirect_stdout
from typing import Any

import click

from evalstats.cli.options import HeadedCommand, argument, option
from evalstats.cli.output import TABLES, FormatName, show, shown_progress


@click.command(cls=HeadedCommand, short_help="Run a repeated evaluation of classifiers on datasets.")
@argument("config")
@option("--directory", "PATH", "Directory in which runs are saved and resumed.")
@option("--jobs", "N", "Number of worker processes; -1 uses all processors.", type=int)
@option("--seed", "N", "Random seed of the study.", type=click.IntRange(min=0))
@click.option("--until-decided", is_flag=True, help="Repeat until each pair is decided.")
@option("--alpha", "P", "Significance level of --until-decided on each dataset. [default: 0.05]", type=float)
@option("--format", "NAME", f"Output format: {', '.join(TABLES)}.", type=FormatName(TABLES), default="text")
def study(
    config: str,
    directory: str | None,
    jobs: int | None,
    seed: int | None,
    until_decided: bool,
    alpha: float | None,
    format: str,
) -> None:
    """Run the classifiers in a TOML file on its datasets, with the same splits for all classifiers.

    CONFIG can import and run any Python class. Use trusted files only.

    With --until-decided, the runs on a dataset are repeated until an anytime-valid test has decided every pair of
    classifiers. The maximum number of repeats is the number in CONFIG (default 500).
    """
    from evalstats.study.config import arguments_in
    from evalstats.study.runner import run_study

    if alpha is not None and not until_decided:
        raise click.UsageError("--alpha requires --until-decided")
    arguments = arguments_in(config)
    chosen: dict[str, Any] = {"directory": directory, "n_jobs": jobs, "rng": seed}
    if until_decided:
        chosen["stopping_rule"] = _until_decided(len(arguments["classifiers"]), alpha)
    arguments |= {name: value for name, value in chosen.items() if value is not None}
    # the printed output of classifiers is not part of the record
    with shown_progress(bar=True) as progress, redirect_stdout(sys.stderr):
        result = run_study(**arguments, progress=progress)
    show(result, format)
    if not result.complete:
        raise click.exceptions.Exit(130)


def _until_decided(n_classifiers: int, alpha: float | None) -> Any:
    """Return the stopping rule for all pairs of classifiers on a dataset with a joint significance level."""
    from evalstats.reproducibility import AnytimeValid

    rule = AnytimeValid() if alpha is None else AnytimeValid(alpha)
    return rule.of_pairs(max(math.comb(n_classifiers, 2), 1))
