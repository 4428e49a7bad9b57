"""Options stand under headings, in the order of the headings."""

from __future__ import annotations

import click
from click.testing import CliRunner

from evalstats.cli.option_groups import HEADINGS, HeadedCommand
from evalstats.cli.options import option


@click.command(cls=HeadedCommand)
@click.argument("file")
@option("--sheet", "NAME", "Of a workbook.")
@option("--alpha", "P", "Level of significance.")
@option("--colour", "NAME", "Of the door.")
@click.option("--secret", hidden=True)
def door(**_: object) -> None:
    """Open it."""


def test_groups_stand_in_their_order_and_the_rest_last() -> None:
    lines = CliRunner().invoke(door, ["--help"]).output.splitlines()

    headings = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["How it is tested:", "How the file is read:", "Other options:"]
    assert [line.split()[0] for line in lines if line.startswith("  --")] == [
        "--alpha",
        "--sheet",
        "--colour",
        "--help",
    ]
    assert "--secret" not in "".join(lines)


def test_no_option_stands_under_two_headings() -> None:
    names = [name for group in HEADINGS.values() for name in group]

    assert len(names) == len(set(names))
