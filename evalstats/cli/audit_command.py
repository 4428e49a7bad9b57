"""``evalstats audit``: check a published table of mean ranks and the claims about it."""

from __future__ import annotations

__all__ = ["audit", "audited"]

import os
from typing import TYPE_CHECKING, Any

import click

from evalstats.cli.options import DIRECTION, PLACES, HeadedCommand, argument, direction_asked, option, source_of
from evalstats.cli.output import REPORTS, FormatName, show

if TYPE_CHECKING:
    from evalstats._types import FloatArray
    from evalstats.multiple.published_ranks import PublishedRanksCheck

# keys of the claims, by the names of their options
CLAIMS = {
    **{name: name for name in ("test", "cd", "chi2", "pvalue", "rejects", "best", "different", "not_different")},
    "f_statistic": "F",
}


@click.command(cls=HeadedCommand, short_help="Check published mean ranks for inconsistencies.")
@argument("file")
@option("--datasets", "N", "Number of datasets. [default: number of datasets in --scores]", type=click.IntRange(min=1))
@option("--scores", "PATH", "File of the published scores, to recompute the ranks.")
@DIRECTION
@option("--control", "NAME", "Control of the published comparison.")
@option("--alpha", "P", "Significance level.", type=float, default=0.05, show_default=True)
@option("--test", "NAME", "Published post-hoc test, such as nemenyi or wilcoxon.")
@option("--cd", "X", "Published critical difference.")
@option("--chi2", "X", "Published Friedman statistic (chi-squared).")
@option("--f", "X", "Published F statistic of Iman and Davenport.", "f_statistic")
@option("--pvalue", "P", "Published p-value of the Friedman test.")
@click.option("--rejects/--no-rejects", default=None, help="The publication claims a rejection, or no rejection.")
@option("--best", "NAME", "Classifier with the claimed best mean rank.")
@option("--different", "A B", "Pair that is claimed to differ. Repeatable.", nargs=2, multiple=True)
@option("--not-different", "A B", "Pair that is claimed not to differ. Repeatable.", nargs=2, multiple=True)
@option("--mean-ranks", "NAME", "Row or column of the mean ranks.")
@option("--decimals", "N", "Number of decimals of the published mean ranks.", type=click.IntRange(min=0))
@option("--delimiter", "CHAR", "Field delimiter: a character, tab or space.")
@option("--encoding", "NAME", "Text encoding, such as latin-1.", default="utf-8")
@option("--sheet", "NAME", "Name of the worksheet.")
@PLACES
@option("--format", "NAME", f"Output format: {', '.join(REPORTS)}.", type=FormatName(REPORTS), default="text")
def audit(file: str, **options: Any) -> None:
    """Check whether the mean ranks in FILE are possible and whether published claims follow from them.

    FILE contains a row or column of mean ranks, with or without the scores. Exit status 1 means that an inconsistency
    was found.
    """
    found = audited(source_of((file,)), options)
    show(found, options["format"])
    if not found.ok:
        raise click.exceptions.Exit(1)


def audited(source: Any, options: dict[str, Any]) -> PublishedRanksCheck:
    """Check the published mean ranks in a source with the options of the command."""
    better = direction_asked(options)
    from evalstats.io.reader.published_ranks import read_printed_ranks
    from evalstats.multiple.published_ranks import check_published_ranks

    reading = {name: options[name] for name in ("delimiter", "encoding", "sheet", "rows", "header_rows")}
    read = read_printed_ranks(source, named=options["mean_ranks"], **reading)
    scores, is_better = None, better is not False
    if options["scores"] is not None:
        scores, is_better = _scores(options["scores"], tuple(read.ranks), options, {})
    elif read.beside_scores and isinstance(source, str):
        left_out = {"drop": [options["mean_ranks"]]} if options["mean_ranks"] else {}
        scores, is_better = _scores(source, tuple(read.ranks), options, reading | left_out)
    if scores is None and options["datasets"] is None:
        raise click.UsageError("give the number of datasets with --datasets, or the scores with --scores")
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
    """Return the scores of the classifiers with mean ranks, and whether greater scores are better."""
    from evalstats.io.options import given_together
    from evalstats.io.reader.tables import read_table

    table = read_table(file, greater_is_better=direction_asked(options), **given_together(reading))
    if missing := [name for name in names if name not in table.classifiers]:
        raise click.UsageError(f"{os.path.basename(file)} has no scores of {missing[0]!r}, which has a mean rank")
    return table.scores[:, [table.position(name) for name in names]], table.greater_is_better
