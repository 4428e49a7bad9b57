"""The program shows its commands, its version and its help, and loads little."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest
from click import Context, Option

from evalstats import __version__
from evalstats.cli import cli
from evalstats.cli.command_group import COMMANDS


def test_version(run) -> None:
    assert run("--version").stdout == f"evalstats {__version__}\n"


def test_without_a_command_the_help_is_shown(run) -> None:
    assert run().stdout == run("--help").stdout == run("-h").stdout


def test_help_of_the_program_fits_a_screen(run) -> None:
    shown = run("--help").stdout.splitlines()

    assert len(shown) <= 24
    assert {line.split()[0] for line in shown[-len(COMMANDS) :]} == set(COMMANDS)


def test_no_line_of_help_is_too_wide(run) -> None:
    too_wide = [
        f"{command}: {line}"
        for command in ([], *([name] for name in COMMANDS))
        for line in run(*command, "--help").stdout.splitlines()
        if len(line) > 80
    ]

    assert too_wide == []


def test_help_shows_every_option_with_words() -> None:
    commands = {name: cli.get_command(Context(cli), name) for name in COMMANDS}

    assert [
        f"{name} {param.opts[0]}"
        for name, command in commands.items()
        for param in command.params
        if isinstance(param, Option) and (param.hidden or not param.help)
    ] == []


def test_help_loads_no_library_but_numpy_and_click() -> None:
    script = (
        "import sys\nfrom evalstats.cli import cli\ncli(['compare', '--help'], standalone_mode=False)\n"
        "print([m for m in ('scipy', 'pandas', 'matplotlib', 'rpy2', 'pyarrow', 'openpyxl') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.endswith("[]\n")


def test_interrupt_while_modules_are_loaded_is_silent() -> None:
    script = (
        "import sys\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'click':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "from evalstats.cli import main\n"
        "main()\n"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=60)

    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_module_has_no_other_names() -> None:
    with pytest.raises(AttributeError, match=r"module 'evalstats.cli' has no attribute 'commands'"):
        _ = importlib.import_module("evalstats.cli").commands
