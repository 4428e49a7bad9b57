"""Fields are called by words that can stand without the name of an option."""

from __future__ import annotations

import click

from evalstats.cli import cli
from evalstats.cli.command_group import COMMANDS
from evalstats.serving.form_arguments import LABELS, OF_COMMANDS, fields_of

QUESTIONS = ("compare", "which-test", "plan", "audit")


def test_every_label_has_a_field() -> None:
    commands = {name: cli.get_command(click.Context(cli), name) for name in COMMANDS}
    names = {(name, param.name) for name, command in commands.items() for param in command.params}

    assert set(LABELS) <= {name for _, name in names}
    assert set(OF_COMMANDS) <= names


def test_no_label_leans_on_the_name_of_its_option() -> None:
    fields = {name: fields_of(cli.get_command(click.Context(cli), name)) for name in QUESTIONS}
    leaning = ("Of ", "Where ", "These ", "Its ", "It ", "They ", "How often it")

    assert [
        (name, field["words"])
        for name in QUESTIONS
        for field in fields[name]
        if not field["is_download"] and (field["words"].startswith(leaning) or not field["words"][:1].isupper())
    ] == []
