"""``evalstats judge``: whether an LLM judge may replace human annotators."""

from __future__ import annotations

__all__ = ["judge"]

from typing import Any

import click

from evalstats.cli.option_groups import HeadedCommand
from evalstats.cli.options import argument, option
from evalstats.cli.output import REPORTS, FormatName, show


@click.command(cls=HeadedCommand, short_help="Test whether an LLM judge may replace human annotators.")
@argument("files", metavar="FILE...", nargs=-1, required=True)
@option("--judge", "NAME", "Annotator of the rows that is the judge.", "judge_name")
@option("--epsilon", "X", "Largest acceptable disadvantage of the judge.", type=float, default=0.2, show_default=True)
@option("--similarity", "NAME", "agreement (default) or rmse.", default="agreement")
@option("--method", "NAME", "p-values of the decision: t (default) or exact.", default="t")
@option("--min-instances", "N", "Leave out annotators with fewer instances.", type=int, default=30, show_default=True)
@option("--alpha", "P", "False discovery rate.", type=float, default=0.05, show_default=True)
@option("--format", "NAME", ", ".join(REPORTS) + ".", type=FormatName(REPORTS), default="text")
def judge(files: tuple[str, ...], **options: Any) -> None:
    """Test whether an LLM judge is as good as human annotators, and may therefore replace them.

    Two JSON files, {annotator: {instance: label}} and {instance: label} or {judge: {instance: label}}; or one table
    with a row for each label and the columns instance, annotator and label, and --judge.
    """
    from evalstats.agreement.alternative_annotators import alternative_annotator_test
    from evalstats.io.reader.annotations import read_annotations

    annotators, of_judge = read_annotations(*files, judge=options.pop("judge_name"))
    name = options.pop("format")
    show(alternative_annotator_test(annotators, of_judge, **options), name)
