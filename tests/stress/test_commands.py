"""Each command with options and files drawn at random: a status of the manual, and errors of one line.

EVALSTATS_TRIALS=2000 draws 2,000 calls; the same ones on every run.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click
import matplotlib.pyplot as plt
import pytest
from click.testing import CliRunner, Result
from repetitions import repetitions

import evalstats
from evalstats import EvalstatsWarning, report
from evalstats.cli.command_group import COMMANDS, cli
from evalstats.cli.man_pages import statuses

pytestmark = pytest.mark.long

CALLS = repetitions(300)
SEED = 20261123
LONGEST = 120  # seconds that a call may take
# a server waits for a browser; what asks R, fits classifiers or simulates a million times takes long by design
NEVER = {"serve": None, "validate": {"--live", "--fuzz", "--refreeze"}, "study": {"--jobs"}}
WORDS = (
    "x",
    "",
    "accuracy",
    "f1",
    "holm",
    "NB",
    "d1",
    "a,b",
    "=1+1",
    "<b>",
    "\\input",
    "-",
    "--",
    "é",
    "nan",
    "1e400",
    "\0",
)
STUDY = """
folds = 2
repeats = 2
[classifiers]
NB.class = "sklearn.naive_bayes.GaussianNB"
dummy.class = "sklearn.dummy.DummyClassifier"
[datasets]
iris.loader = "load_iris"
"""


def files(folder: Path) -> list[str]:
    """Write tables of every layout, records, and what is none of them; return their names."""
    chance = random.Random(SEED)
    demsar = Path(evalstats.example_path("demsar-2006")).read_text()
    rows = [f"d{d},{c},{f},{chance.random():.3f}" for d in range(4) for c in "ab" for f in range(5)]
    cases = [
        f"d{d},{c},{i},{i % 2},{chance.randrange(2)},{chance.random():.2f}"
        for d in "uv"
        for c in "ab"
        for i in range(20)
    ]
    items = [f"{i},1,{chance.randrange(2)}" for i in range(60)]
    questions = [f"{b},{m},{q},{chance.randrange(2)}" for b in "xy" for m in "ABC" for q in range(15)]
    texts = {
        "demsar.csv": demsar,
        "wide.tsv": "dataset\ta\tb\tc\n" + "".join(f"d{i}\t{i / 9:.2f}\t{i / 7:.2f}\t.5\n" for i in range(6)),
        "folds.csv": "\n".join(["dataset,classifier,fold,accuracy", *rows]),
        "cases.csv": "\n".join(["dataset,classifier,row,y_true,y_pred,y_score", *cases]),
        "good.csv": "\n".join(["item,y_true,y_pred", *items]),
        "questions.csv": "\n".join(["benchmark,model,question,correct", *questions]),
        "ranks.csv": "classifier,mean rank\na,1.2\nb,1.8\nc,3.0\n",
        "report.json": report.json(evalstats.compare(evalstats.example_table("demsar-2006"))),
        "study.toml": STUDY,
        "broken.toml": "[classifiers\n",
        "empty.csv": "",
        "words.csv": "it is\nno table\n",
        "cut.json": '{"kind": "evalstats comparison", "comparison": {',
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("demsar.csv", "cases.csv", "report.json", "study.toml"):  # with a fault in each
        text = list((folder / name).read_text(encoding="utf-8"))
        for _ in range(4):
            text[chance.randrange(len(text))] = chance.choice(["", ",", '"', "\n", "x", "9", "é", "\0"])
        (folder / f"faulty-{name}").write_text("".join(text), encoding="utf-8")
    (folder / "binary.xlsx").write_bytes(chance.randbytes(300))
    (folder / "folder").mkdir()
    return sorted(path.name for path in folder.iterdir())


# what each command is meant to read
FITTING = {
    "audit": ["ranks.csv"],
    "error-rates": ["demsar.csv"],
    "gate": ["good.csv"],
    "metrics": ["cases.csv"],
    "projection": ["cases.csv"],
    "reproducibility": ["folds.csv"],
    "study": ["study.toml"],
    "verify": ["report.json"],
}
TABLES = ["demsar.csv", "wide.tsv", "folds.csv", "cases.csv", "questions.csv"]


def value_of(option: click.Parameter, names: list[str], chance: random.Random) -> str:
    """Draw a value that an option may have, or that is none."""
    kind = option.type
    if chance.random() < 0.1:
        return chance.choice(WORDS)
    if isinstance(kind, click.Choice):
        return str(chance.choice(list(kind.choices)))
    if isinstance(kind, click.types.IntParamType):
        return str(chance.choice([-1, 0, 1, 2, 3, 5, 10, 20, 50]))
    if isinstance(kind, click.types.FloatParamType):
        return str(chance.choice([-1, 0, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 1, 3, "nan", "inf"]))
    if any(word in (option.name or "") for word in ("output", "plot", "bib", "junit", "directory", "report")):
        ends = ("html", "tex", "json", "md", "txt", "R", "png", "svg", "bib", "xml", "doc", "csv")
        return chance.choice([f"made.{end}" for end in ends] + ["no/where.html", *names])
    return chance.choice(
        [*WORDS, "holm", "bh", "nemenyi", "wilcoxon", "friedman", "exact", "mean", "macro", "a", "b", *names]
    )


def calls(names: list[str]) -> Iterator[list[str]]:
    """Draw commands with their options and files."""
    chance = random.Random(SEED)
    commands = [name for name in COMMANDS if NEVER.get(name, ()) is not None]
    for _ in range(CALLS):
        name = chance.choice(commands)
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        words = [name]
        for option in command.params:
            known = FITTING.get(name, TABLES) if chance.random() < 0.7 else names
            if isinstance(option, click.Argument):
                n = chance.choice([0, 1, 1, 1, 2]) if option.nargs == -1 or not option.required else option.nargs
                is_choice = isinstance(option.type, click.Choice)
                words += [value_of(option, names, chance) if is_choice else chance.choice(known) for _ in range(n)]
                continue
            spelt = max(option.opts, key=len)
            asked = option.required or chance.random() < 1 / len(command.params)
            if asked and spelt not in (NEVER.get(name) or ()) and spelt != "--help":
                value = value_of(option, names, chance)
                words += [spelt] if getattr(option, "is_flag", False) else [spelt, value]
        if name == "validate":
            words += ["--stored", "paired/sign"]
        if name in ("error-rates", "plan") and "--simulations" not in words:
            words += ["--simulations", "20"]
        yield words


def too_long(_: int, __: FrameType | None) -> NoReturn:
    raise AssertionError(f"more than {LONGEST} seconds")


def called(words: list[str]) -> Result:
    """Call the program in this process; what Python or another package warns of is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", EvalstatsWarning)
        signal.alarm(LONGEST)
        try:
            return CliRunner().invoke(cli, words, prog_name="evalstats")
        finally:
            signal.alarm(0)
            plt.close("all")


def fault(words: list[str], done: Result) -> str:
    """Say what is wrong with the end of a call; nothing if it is as the manual says."""
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        return f"{type(done.exception).__name__}: {str(done.exception)[:300]}"
    if done.exit_code not in statuses(words[0]):
        return f"status {done.exit_code}"
    told = done.stderr.splitlines()
    errors = [line for line in told if line.startswith("evalstats: error: ")]
    if len(errors) != (done.exit_code == 2):
        return f"status {done.exit_code} and {told[-3:]}"
    if "Traceback" in done.output or any(len(line) > 4000 for line in told):
        return f"told {told[-1][:300]}"
    return ""


@pytest.mark.skipif(sys.platform == "win32", reason="alarms are set the POSIX way")
def test_any_call_ends_as_the_manual_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names, ends, faults = files(tmp_path), Counter[int](), list[Any]()
    before = signal.signal(signal.SIGALRM, too_long)
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    try:
        for words in calls(names):
            with contextlib.redirect_stderr(io.StringIO()):
                done = called(words)
            ends[done.exit_code] += 1
            if what := fault(words, done):
                faults.append((" ".join(words), what))
            for name, text in kept.items():  # a report may have been asked for under that name
                (tmp_path / name).write_bytes(text)
    finally:
        signal.signal(signal.SIGALRM, before)

    assert faults == []
    assert ends[0] > CALLS / 20
    assert ends[2] > CALLS / 5
    sys.stdout.write(json.dumps({"calls": CALLS, "ends": dict(sorted(ends.items()))}) + "\n")
