"""Options stand under headings, in the order of the headings."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from evalstats.cli.command_group import COMMANDS, cli
from evalstats.cli.options import HEADINGS, HeadedCommand, StrictCommand, option
from evalstats.examples import example_path


@click.command(cls=HeadedCommand)
@click.argument("file")
@option("--sheet", "NAME", "Of a workbook.")
@option("--alpha", "P", "Significance level.")
@option("--color", "NAME", "Of the door.")
@click.option("--secret", hidden=True)
def door(**_: object) -> None:
    """Open it."""


def test_groups_stand_in_their_order_and_the_rest_last() -> None:
    lines = CliRunner().invoke(door, ["--help"]).output.splitlines()

    headings = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["Test options:", "Input options:", "Other options:"]
    assert [line.split()[0] for line in lines if line.startswith("  --")] == [
        "--alpha",
        "--sheet",
        "--color",
        "--help",
    ]
    assert "--secret" not in "".join(lines)


def test_no_option_stands_under_two_headings() -> None:
    names = [name for group in HEADINGS.values() for name in group.split()]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", COMMANDS)
def test_option_that_takes_one_value_is_refused_if_it_is_given_twice(run, name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert isinstance(command, StrictCommand)
    single = [p for p in command.params if isinstance(p, click.Option) and not (p.multiple or p.is_flag)]

    for one in single:
        typed = max(one.opts, key=len)
        words = ["1"] * one.nargs
        done = run(name, typed, *words, typed, *words, typed, *words)

        assert done.exit_code == 2
        assert f"{typed} is given 3 times, but it accepts one value" in done.stderr


def test_several_metrics_are_named_in_one_option_or_one_by_one(run) -> None:
    together, apart = (["--metric", "accuracy,f1"], ["--metric", "accuracy", "--metric", "f1"])
    file = str(example_path("sklearn-predictions"))

    assert run("compare", file, *together).stdout == run("compare", file, *apart).stdout != ""


def test_completion_goes_on_after_an_option_that_is_given_twice() -> None:
    command = cli.get_command(click.Context(cli), "compare")

    context = command.make_context("compare", ["--seed", "1", "--seed", "2"], resilient_parsing=True)

    assert context.params["seed"] == 2
