"""Shells complete commands, options, their words and names of files; every word that is offered is taken."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from evalstats.cli import cli
from evalstats.cli.command_group import COMMANDS
from evalstats.cli.completion import CHOICES, FOLDERS, OF_COMMANDS, PATHS, completed, known_words
from evalstats.cli.man_pages import SHELLS, completion_script

# what is typed, and all that can follow
TYPED = {
    "evalstats co": ["compare"],
    "evalstats compare --posth": ["--posthoc"],
    "evalstats compare x.csv --posthoc ne": ["nemenyi"],
    "evalstats compare x.csv --metric accuracy,coh": ["accuracy,cohen_kappa"],
    "evalstats metrics x.csv --metric f1_ma": ["f1_macro"],
    "evalstats gate a.csv b.csv --metric f1": ["f1"],
    "evalstats gate a.csv b.csv --format g": ["github"],
    "evalstats plan wil": ["wilcoxon"],
    "evalstats validate multiple/nem": ["multiple/nemenyi"],
    "evalstats examples demsar": ["demsar-2006"],
    "evalstats formats ucr-s": ["ucr-summary"],
    "evalstats compare sco": ["scores.csv"],
    "evalstats compare scores.csv --output rep": ["report.html"],
    "evalstats study x.toml --directory ru": ["runs/"],
}
BASH = """
source evalstats.complete
compopt() { kind=$2; }
COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_evalstats_completion evalstats
case $kind in
  default) compgen -f -- "${COMP_WORDS[COMP_CWORD]}";;
  dirnames) compgen -S / -d -- "${COMP_WORDS[COMP_CWORD]}";;
  *) printf '%s\\n' "${COMPREPLY[@]}";;
esac
complete -p evalstats > registered
"""
FISH = 'source evalstats.complete; complete -C "$argv[1]" | string split --fields 1 \\t; true'
ZSH = """
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT=; autoload -Uz compinit; compinit -D -u; source evalstats.complete; setopt nobeep; print DO''NE"
zpty -r -m shell out '*DONE*'
# the line is printed instead of run, when its completion has come
zpty -w shell "show() { print -r -- \\"<\\$BUFFER>\\"; BUFFER=; zle accept-line; }; zle -N show"
zpty -w shell "bindkey '^I' complete-word; bindkey '^X' show; print DO''NE"
zpty -r -m shell out '*DONE*'
zpty -w -n shell "$1"$'\\t'$'\\x18'
zpty -r -m shell out '*<*>*'
print -r -- "${${out##*<}%%>*}"
"""
PROGRAMS = {
    "bash": ["bash", "--norc", "-c", BASH, "bash"],
    "fish": ["fish", "--no-config", "-c", FISH],
    "zsh": ["zsh", "-f", "-c", ZSH, "zsh"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with files to name, and the program on the path."""
    for name in ("scores.csv", "report.html"):
        (tmp_path / name).touch()
    (tmp_path / "runs").mkdir()
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "evalstats"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m evalstats "$@"\n')
    program.chmod(0o755)
    return tmp_path


@pytest.mark.long
@pytest.mark.parametrize("shell", SHELLS)
def test_shell_completes_what_is_typed(shell: str, folder: Path) -> None:
    if shutil.which(shell) is None and os.environ.get("EVALSTATS_REQUIRE_R") != "1":
        pytest.skip(f"there is no {shell} on this machine")
    (folder / "evalstats.complete").write_text(completion_script(shell))
    environment = {
        **os.environ,
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "HOME": str(folder),
        "TERM": "dumb",
    }

    found = {}
    for line in TYPED:
        done = subprocess.run(
            [*PROGRAMS[shell], line],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        last = " ".join(done.stdout.split()[-1:]) if shell == "zsh" else done.stdout
        found[line] = last.split()

    assert found == TYPED


def test_every_word_that_is_listed_has_a_parameter() -> None:
    commands = {name: cli.get_command(click.Context(cli), name) for name in COMMANDS}
    parameters = {(name, param.name) for name, command in commands.items() for param in command.params}

    assert {name for name in (*CHOICES, *PATHS, *FOLDERS) if name not in {param for _, param in parameters}} == set()
    assert set(OF_COMMANDS) <= parameters


def test_every_option_that_takes_words_offers_them() -> None:
    """An option of NAME offers its words, unless they are names of the user's table."""
    of_tables = {
        "control",
        "best",
        "mean_ranks",
        "drop",
        "keep",
        "sheet",
        "shifted_classifier",
        "baseline_name",
        "candidate_name",
        "judge_name",
    }
    commands = {name: cli.get_command(click.Context(cli), name) for name in COMMANDS}

    assert [
        f"{name} {param.opts[0]}"
        for name, command in commands.items()
        for param in command.params
        if isinstance(param, click.Option) and param.metavar == "NAME" and param.name not in of_tables
        if not known_words(name, param) and (name, param.name) != ("projection", "metric")
    ] == []


def test_every_path_is_completed_as_a_path() -> None:
    commands = {name: cli.get_command(click.Context(cli), name) for name in COMMANDS}
    paths = {
        f"{name} {param.name}": [item.type for item in completed(click.Context(command), param, "x")]
        for name, command in commands.items()
        for param in command.params
        if (param.metavar or "").strip("[].") in ("PATH", "FILE") or param.name in ("file", "config", "report")
    }

    assert {name: kinds for name, kinds in paths.items() if kinds not in (["file"], ["dir"])} == {}
    assert len(paths) > 15


LINES = {
    "error-rates": ["{table}", "--simulations", "20", "--higher-is-better"],
    "compare": ["{table}", "--higher-is-better"],
    "gate": ["{predictions}", "{predictions}", "--margin", "0.1"],
    "metrics": ["{predictions}"],
    "plan": ["mcnemar", "--instances", "100", "--accuracy", ".9"],
    "projection": ["{predictions}"],
    "which-test": ["{table}", "--higher-is-better"],
}


@pytest.mark.long
@pytest.mark.parametrize("command", LINES)
def test_no_word_that_is_offered_is_unknown_to_the_command(command: str, tmp_path: Path) -> None:
    """A word may not fit to this table, but there is none that its option does not know."""
    table, predictions = tmp_path / "table.csv", tmp_path / "predictions.csv"
    scores = [f"d{i},.{50 + i},.{55 + i * 7 % 5},.{60 + i * 3 % 7}\n" for i in range(6)]
    table.write_text("dataset,a,b,c\n" + "".join(scores))
    rows = [f"{m},{i},{i % 2},{(i + (i % k == 0)) % 2}\n" for m, k in (("x", 3), ("y", 4)) for i in range(24)]
    predictions.write_text("model,case,y_true,y_pred\n" + "".join(rows))
    line = [word.format(table=table, predictions=predictions) for word in LINES[command]]
    params = cli.get_command(click.Context(cli), command).params
    others = ("format_in", "encoding", "delimiter", "format", "plot_kind")

    refused = []
    for param in params:
        if isinstance(param, click.Option) and param.name not in others:
            for word in known_words(command, param):
                done = CliRunner().invoke(cli, [command, *line, param.opts[0], word])
                rule, _, value = done.output.rpartition(", not ")
                if value.startswith(repr(word)) and ("must be one of" in rule or param.name == "metric"):
                    refused.append(f"{param.opts[0]} {word}: {done.output.strip()}")
                assert done.exception is None or isinstance(done.exception, SystemExit), (param.opts[0], word)

    assert refused == []
