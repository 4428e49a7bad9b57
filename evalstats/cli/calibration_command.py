"""``evalstats calibration``: test the calibration of probabilities and compare classifiers."""

from __future__ import annotations

__all__ = ["calibration"]

from typing import Any

import click

from evalstats.cli.options import (
    FORMAT_IN,
    PLACES,
    ROLES,
    HeadedCommand,
    argument,
    cell_options,
    column_options,
    option,
    prediction_arguments,
    source_of,
)
from evalstats.cli.output import REPORTS, FormatName, makers_of_plot, show, write_files


@click.command(cls=HeadedCommand, short_help="Test whether predicted probabilities are calibrated.")
@argument("files", metavar="FILE...", nargs=-1, required=True)
@option("--pos-label", "LABEL", "Label of the positive class.")
@option("--adjust", "NAME", "Multiple-testing adjustment for the pairs: holm, hommel, bh, none ...", default="holm")
@option("--alpha", "P", "Significance level.", type=float, default=0.05, show_default=True)
@option(
    "--bins",
    "N",
    "Number of bins for the calibration error.",
    type=click.IntRange(min=1),
    default=15,
    show_default=True,
)
@option("--seed", "N", "Random seed of the simulations.", type=click.IntRange(min=0), default=0)
@option("--plot", "PATH", "Save a reliability diagram: .png, .svg or .pdf.")
@option("--format", "NAME", f"Output format: {', '.join(REPORTS)}.", type=FormatName(REPORTS), default="text")
@FORMAT_IN
@column_options(of_scores=False)
@ROLES
@cell_options()
@PLACES
def calibration(files: tuple[str, ...], **options: Any) -> None:
    """Test whether the probabilities of each classifier are calibrated, and compare the classifiers.

    FILE contains true labels and the probability of the positive class. Use - to read standard input.
    """
    from evalstats.io.reader.predictions import counted_predictions
    from evalstats.tables.calibration_analysis import analyze_calibration

    makers = makers_of_plot(files, options)
    predictions = counted_predictions(source_of(files), **prediction_arguments(options))
    chosen = {"alpha": options["alpha"], "adjust": options["adjust"], "n_bins": options["bins"], "rng": options["seed"]}
    found = analyze_calibration(predictions, **chosen)
    write_files({path: make(found) for path, make in makers.items()})
    show(found, options["format"])
