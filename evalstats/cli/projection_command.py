"""``evalstats projection``: map classifiers in two dimensions by their confusion matrices."""

from __future__ import annotations

__all__ = ["projection"]

from typing import Any

import click

from evalstats.cli.options import (
    FORMAT_IN,
    HeadedCommand,
    argument,
    cell_options,
    column_options,
    option,
    prediction_arguments,
    source_of,
)
from evalstats.cli.output import REPORTS, FormatName, makers_of_plot, show, write_files


@click.command(cls=HeadedCommand, short_help="Map classifiers by their confusion matrices.")
@argument("files", metavar="FILE...", nargs=-1, required=True)
@option("--distance", "NAME", "Distance: euclidean, cityblock, chebyshev, canberra ...", default="euclidean")
@option("--method", "NAME", "Method: mcst (spanning tree), mds or pca.", default="mcst")
@option("--normalize", "NAME", "Normalization per dataset: none, all or true.", default="none")
@click.option("--show-folds", "folds", is_flag=True, help="Show the folds of each classifier as a cloud.")
@option("--plot", "PATH", "Save a plot in addition to the report: .png, .svg or .pdf.")
@option("--metric", "NAME", "Metric that marks correct answers in evaluation logs.")
@option("--format", "NAME", f"Output format: {', '.join(REPORTS)}.", type=FormatName(REPORTS), default="text")
@FORMAT_IN
@column_options(of_scores=False)
@cell_options()
def projection(files: tuple[str, ...], **options: Any) -> None:
    """Map classifiers in two dimensions by their confusion matrices. Use - to read standard input."""
    from evalstats.io.reader.predictions import counted_predictions
    from evalstats.multiple.projection import project_classifiers
    from evalstats.tables.confusion_counts import confusion_matrices

    makers = makers_of_plot(files, options)
    predictions = counted_predictions(source_of(files), **prediction_arguments(options))
    found = confusion_matrices(predictions, folds=options["folds"])
    chosen = {name: options[name] for name in ("distance", "method", "normalize", "folds")}
    mapped = project_classifiers(found.counts, classifiers=found.classifiers, datasets=found.datasets, **chosen)
    write_files({path: make(mapped) for path, make in makers.items()})
    show(mapped, options["format"])
