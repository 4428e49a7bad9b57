"""The pages of the manual say what the commands say, are the same each time, and are shown without a warning."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from evalstats.cli import cli
from evalstats.cli.command_group import COMMANDS
from evalstats.cli.man_pages import SHELLS, completion_script, manual_pages, statuses


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return manual_pages()


def test_each_command_has_a_page(pages: dict[str, str]) -> None:
    assert list(pages) == ["evalstats.1", *(f"evalstats-{name}.1" for name in COMMANDS)]


def test_page_says_every_option_and_every_exit_status(pages: dict[str, str]) -> None:
    told = {
        name: (
            {option for param in command.params if isinstance(param, click.Option) for option in param.opts},
            [str(status) for status in statuses(name)],
        )
        for name in COMMANDS
        if (command := cli.get_command(click.Context(cli), name))
    }
    shown = {name: pages[f"evalstats-{name}.1"].replace("\\-", "-") for name in COMMANDS}

    assert [(n, option) for n, (options, _) in told.items() for option in options if option not in shown[n]] == []
    assert [(n, s) for n, (_, numbers) in told.items() for s in numbers if f"\n.B {s}\n" not in shown[n]] == []


def test_pages_are_the_same_each_time_and_need_no_library_but_click(pages: dict[str, str]) -> None:
    """They are made where a wheel is built, and nothing else is installed there."""
    script = (
        "import sys\n"
        "class Refused:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name in ('numpy', 'scipy', 'pandas', 'matplotlib'):\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Refused())\n"
        "from evalstats.cli.man_pages import manual_pages\n"
        "sys.stdout.reconfigure(encoding='utf-8')\n"
        "print(*manual_pages().values(), sep='')"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)

    assert done.stdout == "".join(pages.values()) + "\n"


def test_packagers_write_the_files_with_one_command(pages: dict[str, str], tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "evalstats.cli.man_pages", str(tmp_path)], check=True)

    assert {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "man/man1").iterdir()} == pages
    assert all((tmp_path / place).is_file() for place in SHELLS.values())


@pytest.mark.parametrize("program", [["groff", "-man", "-ww", "-Tutf8"], ["mandoc", "-T", "lint", "-W", "style"]])
def test_page_is_shown_without_a_warning(program: list[str], pages: dict[str, str], tmp_path: Path) -> None:
    if shutil.which(program[0]) is None and os.environ.get("EVALSTATS_REQUIRE_R") != "1":
        pytest.skip(f"there is no {program[0]} on this machine")
    told = []
    for name, page in pages.items():
        (tmp_path / name).write_text(page, encoding="utf-8")
        done = subprocess.run([*program, name], cwd=tmp_path, capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines() if program[0] == "mandoc" else []
        # a page has no date: it would be another one each time it is made
        told += [line for line in (*lines, *done.stderr.splitlines()) if "missing date" not in line]

    assert told == []


def test_words_cannot_be_requests_of_roff() -> None:
    from evalstats.cli.man_pages import _text

    assert _text(".so /etc/passwd") == "\\&.so /etc/passwd"
    assert _text('\'x \\fB --y "z"') == "\\&'x \\efB \\-\\-y \\(dqz\\(dq"


def test_unknown_shell_is_refused() -> None:
    with pytest.raises(ValueError, match="shell must be one of bash, zsh, fish, not 'tcsh'"):
        completion_script("tcsh")
