"""``evalstats learning-curves``: at which training sizes classifiers differ."""

from __future__ import annotations

__all__ = ["learning_curves"]

from typing import Any

import click

from evalstats.cli.option_groups import HeadedCommand
from evalstats.cli.options import argument, option
from evalstats.cli.output import REPORTS, FormatName, show
from evalstats.cli.output_files import NO_CHOICES, makers_of_files, write_files


@click.command(cls=HeadedCommand, short_help="Test at which training sizes classifiers differ.")
@argument("file", metavar="FILE")
@option("--test-size", "N", "Number of test instances of each split.", "n_test", type=float, required=True)
@option("--pool", "N", "Number of instances outside the test set, for all sizes.", "n_pool", type=click.IntRange(min=1))
@click.option("--lower-is-better", is_flag=True, help="Lower scores are better, as for errors and losses.")
@option("--alpha", "P", "Significance level; the bands have level 1 - P.", type=float, default=0.05, show_default=True)
@option("--plot", "PATH", "Save the curves with their band: .png, .svg or .pdf.")
@option("--format", "NAME", ", ".join(REPORTS) + ".", type=FormatName(REPORTS), default="text")
def learning_curves(file: str, **options: Any) -> None:
    """Test at which training sizes classifiers differ, with simultaneous bands of their learning curves.

    FILE is a table with the columns classifier, train_size, repeat and score. All classifiers use the same splits.
    """
    from evalstats.io.reader.learning_curves import read_learning_curves
    from evalstats.reproducibility import learning_curve_test

    makers = makers_of_files((file,), NO_CHOICES | {"plot": options["plot"], "format": options["format"]})
    scores, n_train = read_learning_curves(file)
    found = learning_curve_test(
        scores,
        n_train,
        n_test=options["n_test"],
        n_pool=options["n_pool"],
        confidence_level=1 - options["alpha"],
        greater_is_better=not options["lower_is_better"],
    )
    write_files({path: make(found) for path, make in makers.items()})
    show(found, options["format"])
