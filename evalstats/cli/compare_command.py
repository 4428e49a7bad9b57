"""``evalstats compare``: which classifiers of a table differ?"""

from __future__ import annotations

__all__ = ["compare", "compared"]

from typing import TYPE_CHECKING, Any

import click

from evalstats.cli.option_groups import HeadedCommand
from evalstats.cli.options import (
    ANALYSIS,
    DIRECTION,
    FORMAT_IN,
    ITEM_COLUMNS,
    METRICS,
    N_FOLDS,
    OF_ANALYSIS,
    PLACES,
    ROLES,
    SUMMED_UP,
    argument,
    cell_options,
    column_options,
    option,
    reading_arguments,
    source_of,
)
from evalstats.cli.output import FORMATS, FormatName, part_of_report, show
from evalstats.cli.output_files import makers_of_files, write_files
from evalstats.cli.plot_options import picture_options

if TYPE_CHECKING:
    from evalstats._result import Record


@click.command(cls=HeadedCommand, short_help="Say which classifiers of a table differ.")
@argument("files", metavar="FILE...", nargs=-1, required=True)
@METRICS
@DIRECTION
@option("--control", "NAME", "Compare the others with this classifier only.")
@SUMMED_UP
@N_FOLDS
@ANALYSIS
@option("--average", "NAME", "Of benchmarks of questions: macro or micro.")
@option("--margin", "M", "How much worse is not worse: 0.01 for a percentage point.", type=float)
@option("--rope", "R", "How close is equal: with probabilities of better, equivalent, worse.", type=float)
@click.option("--robustness", is_flag=True, help="Decide under all other valid analyses too.")
@option("--seed", "N", "Of what is simulated.", type=click.IntRange(min=0))
@option("--format", "NAME", f"{', '.join(FORMATS)} (an R script).", type=FormatName(list(FORMATS)))
@option("--part", "NAME", "Of the report: sentence, methods, scores, ranks, pairs or figure.")
@option("--latex-width", "NAME", "Of a figure in LaTeX: column or text.")
@option("--output", "PATH", "Write the report (.html ...) or the picture (.png ...).")
@option("--bib", "PATH", "Write the references of a LaTeX report.")
@option("--plot", "PATH", "Draw a picture beside the report.")
@picture_options
@FORMAT_IN
@option("--layout", "NAME", "wide, long, predictions or items.", default="auto")
@column_options()
@ITEM_COLUMNS
@option("--missing", "NAME", "raise, drop-datasets, drop-cases or skillings-mack.", default="raise")
@ROLES
@click.option("--transpose/--no-transpose", default=None, help="Rows are classifiers, or they are datasets.")
@cell_options()
@PLACES
def compare(files: tuple[str, ...], **options: Any) -> None:
    """Say which classifiers of a table of scores differ; FILE - is standard input."""
    makers = makers_of_files(files, options)
    comparison = compared(source_of(files), options)
    # everything is made before anything is written
    write_files({path: make(comparison) for path, make in makers.items()})
    if options["output"] is None:
        style = options["format"] or "text"
        show(comparison, style, **part_of_report(style, options))


def compared(source: Any, options: dict[str, Any]) -> Record:
    """Return the comparison of a source under the options of the command."""
    from evalstats.comparison.analysis import compare as compare_table

    passed = {name: options[name] for name in (*OF_ANALYSIS, "robustness", "margin", "rope", "average")}
    comparison: Record = compare_table(source, rng=options["seed"], **passed, **reading_arguments(options))
    return comparison
