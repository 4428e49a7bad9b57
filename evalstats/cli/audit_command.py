"""``evalstats audit``: can a published table of mean ranks be right, and does it say what the text says?"""

from __future__ import annotations

__all__ = ["audit", "audited"]

import os
from typing import TYPE_CHECKING, Any

import click

from evalstats.cli.option_groups import HeadedCommand
from evalstats.cli.options import DELIMITERS, DIRECTION, PLACES, argument, option, source_of
from evalstats.cli.output import REPORTS, FormatName, show

if TYPE_CHECKING:
    from evalstats._types import FloatArray
    from evalstats.multiple.published_ranks import PublishedRanksCheck

# the keys of claims, by the names of the options
CLAIMS = {
    **{name: name for name in ("test", "cd", "chi2", "pvalue", "rejects", "best", "different", "not_different")},
    "f_statistic": "F",
}


@click.command(cls=HeadedCommand, short_help="Say whether published mean ranks can be right.")
@argument("file")
@option("--datasets", "N", "Over how many datasets; as many as --scores has.", type=click.IntRange(min=1))
@option("--scores", "PATH", "The printed scores, to see whether they have these ranks.")
@DIRECTION
@option("--control", "NAME", "The classifier that all others are compared with.")
@option("--alpha", "P", "Level of significance.", type=float, default=0.05, show_default=True)
@option("--test", "NAME", "The test of the pairs, such as nemenyi or wilcoxon.")
@option("--cd", "X", "The critical difference, with the decimals printed.")
@option("--chi2", "X", "Friedman's statistic.")
@option("--f", "X", "The statistic of Iman and Davenport.", "f_statistic")
@option("--pvalue", "P", "The p-value of the Friedman test.")
@click.option("--rejects/--no-rejects", default=None, help="The Friedman test rejects, or not.")
@option("--best", "NAME", "This one has the best mean rank.")
@option("--different", "A B", "These two differ; may be repeated.", nargs=2, multiple=True)
@option("--not-different", "A B", "These two do not.", nargs=2, multiple=True)
@option("--mean-ranks", "NAME", "The row or column of the mean ranks.")
@option("--decimals", "N", "Decimals of the mean ranks, if the file lost them.", type=click.IntRange(min=0))
@option("--delimiter", "CHAR", "Between the fields of a text, or tab or space.")
@option("--encoding", "NAME", "Of a text file, such as latin-1.", default="utf-8")
@option("--sheet", "NAME", "Of a workbook.")
@PLACES
@option("--format", "NAME", f"{', '.join(REPORTS)}.", type=FormatName(REPORTS), default="text")
def audit(file: str, **options: Any) -> None:
    """Say whether the mean ranks in FILE can be right, and whether what is claimed follows.

    FILE has a row or a column of mean ranks, alone or below the scores. The status is 1 where the printed numbers
    contradict each other or a claim.
    """
    found = audited(source_of((file,)), options)
    show(found, options["format"])
    if not found.ok:
        raise click.exceptions.Exit(1)


def audited(source: Any, options: dict[str, Any]) -> PublishedRanksCheck:
    """Return what a check of the printed mean ranks in a source finds under the options of the command."""
    if options["lower_is_better"] and options["higher_is_better"]:
        raise click.UsageError("--lower-is-better and --higher-is-better exclude each other")
    from evalstats.io.reader.published_ranks import read_printed_ranks
    from evalstats.multiple.published_ranks import check_published_ranks

    reading = {name: options[name] for name in ("encoding", "sheet", "rows", "header_rows")}
    reading["delimiter"] = DELIMITERS.get(options["delimiter"], options["delimiter"])
    read = read_printed_ranks(source, named=options["mean_ranks"], **reading)
    scores, is_better = None, not options["lower_is_better"]
    if options["scores"] is not None:
        scores, is_better = _scores(options["scores"], tuple(read.ranks), options, {})
    elif read.beside_scores and isinstance(source, str):
        left_out = {"drop": [options["mean_ranks"]]} if options["mean_ranks"] else {}
        scores, is_better = _scores(source, tuple(read.ranks), options, reading | left_out)
    if scores is None and options["datasets"] is None:
        raise click.UsageError("say by --datasets over how many datasets the mean ranks are")
    claims = {key: options[name] for name, key in CLAIMS.items() if options[name] not in (None, ())}
    return check_published_ranks(
        read.ranks,
        options["datasets"],
        scores=scores,
        greater_is_better=is_better,
        claims=claims,
        alpha=options["alpha"],
        control=options["control"],
        decimals=options["decimals"],
    )


def _scores(
    file: str, names: tuple[str, ...], options: dict[str, Any], reading: dict[str, Any]
) -> tuple[FloatArray, bool]:
    """Return printed scores with a column for each mean rank, and their direction."""
    from evalstats.io.reader.tables import read_table

    better = True if options["higher_is_better"] else False if options["lower_is_better"] else None
    table = read_table(file, greater_is_better=better, **reading)
    if missing := [name for name in names if name not in table.classifiers]:
        raise click.UsageError(f"{os.path.basename(file)} has no scores of {missing[0]!r}, which has a mean rank")
    return table.scores[:, [table.position(name) for name in names]], table.greater_is_better
