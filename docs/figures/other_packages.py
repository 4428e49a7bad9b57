"""Write docs/other-packages and a part of docs/migration.md from the answers of all programs.

It is run by ``python docs/figures/other_packages.py``. The answers stand in docs/other-packages/answers.json, which
scripts/other_packages.py asks for; the capabilities in capabilities.csv.
"""

from __future__ import annotations

import csv
import json
import runpy
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "other-packages"
MIGRATION = FOLDER.parent / "migration.md"
SHOWN = 5  # significant digits
WIDTH = 110  # characters of an error message in a table
TABLES = runpy.run_path(str(FOLDER.parents[1] / "scripts" / "generated_tables.py"))
_HEAD = """# Peers, side by side

The same inputs through other programs, through evalstats and, where it has an answer, through R, which is the judge.
There are {n} inputs; the peer and evalstats agree in {agree} of them and differ in {differ}. The page of each peer has
its numbers, ours, and why they differ.

An input stands here because it is an edge where programs are known to differ, or to show that the ordinary case agrees:
the shares say nothing about how often a peer is right. Most of what these programs do, they do well, and evalstats is
tested against several of them.

[What each can do](capabilities.md) is a table of its own.

| peer | version | inputs | agree | differ |
| --- | --- | ---: | ---: | ---: |
"""
_FOOT = """
Asked on {date}, Python {python}, {r}.

`python scripts/other_packages.py` asks again: it installs each peer into an environment of its own, with the versions
above, and writes [answers.json](answers.json), which has the versions of everything that was installed beside it; the
inputs are [cases.toml](cases.toml). `python docs/figures/other_packages.py` writes these pages. A test computes our
numbers again.

Not asked, because it could not be installed here by its package manager:

- the cd-diagram of H. Ismail Fawaz: a program that is run as a whole.
- WEKA and KEEL: programs in Java.
- correctR: a package of R that this Debian has not. Of PMCMRplus and scmamp the files of the functions are read.
- the hierarchical model of baycomp: it needs Stan and a compiler; only what happens before Stan is asked is shown.
"""
_CAPABLE = """# What each program can do

One line for each question, one column for each program: *yes*; *partly*, with less than the line says, or by composing
parts; *differs*, it answers, and the page of that peer shows where its numbers are not those of R or of the definition;
nothing, it does not answer. The versions are those of [the page of all peers](index.md). *Here* is the function of
evalstats. The lines were filled by reading the peers' documentation and source in November 2026; what is wrong or old
is an error of this page.

"""


def numbers(value: Any) -> str:
    """Say a value of an answer."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value:.{SHOWN}g}"
    if isinstance(value, list):
        return "[" + ", ".join(numbers(item) for item in value) + "]"
    return str(value).replace("|", "\\|")


def answer(fields: Mapping[str, Any] | None, name: str) -> str:
    """Say what somebody answered about one field."""
    if fields is None:
        return ""
    if "error" in fields:
        message = numbers(fields["error"])
        return f"`{message if len(message) <= WIDTH else message[: WIDTH - 1].rstrip() + '…'}`"
    return numbers(fields[name]) if name in fields else ""


def rows(answers: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Return the lines of the table of one input."""
    names = list(dict.fromkeys(name for fields in answers.values() for name in fields if name != "error"))
    for name in names or ["answer"]:
        cells = [answer(answers.get(who), name) for who in ("theirs", "ours", "r")]
        yield f"| {name.replace('_', ' ')} | " + " | ".join(cells) + " |\n"


def section(case: Mapping[str, Any], answers: Mapping[str, Mapping[str, Any]]) -> str:
    """Return an input with its answers, the reason, and the code of both sides."""
    code = {"data": "", "theirs": "the peer", "ours": "evalstats", "r": "R"}
    lines = [f"{case[key].strip()}" for key in ("data", "theirs") if case[key].strip() != "import numpy as np"]
    shown = "\n".join(lines)
    others = "".join(f"\n```text\n# {code[key]}\n{case[key].strip()}\n```\n" for key in ("ours", "r") if key in case)
    outcome = "They agree." if case["outcome"] == "agrees" else "They differ."
    table = f"| | the peer | evalstats | R |\n| --- | --- | --- | --- |\n{''.join(rows(answers))}"
    asked = f"```text\n# the data, and the peer\n{shown}\n```\n{others}"
    return f"\n### {case['input']}\n\n{table}\n*{outcome}* {case['why']}\n\n{asked}"


def _from(peer: Mapping[str, Any]) -> str:
    """Say from which repository a peer is, if not from an index."""
    return f"{peer['repository']} at {peer['commit'][:10]}" if "repository" in peer else ""


def page(name: str, asked: Mapping[str, Any], said: Mapping[str, Any]) -> str:
    """Return the page of one peer."""
    cases = [case for case in asked["case"] if case["peer"] == name]
    peer = asked["peers"][name]
    installed = "` with `".join(filter(None, [_from(peer), " ".join(peer["requirements"])]))
    text = f"# {peer['title']}\n\nThe numbers of `{installed}`, beside ours and R's; [all peers](index.md).\n"
    for outcome, title in (("differs", "Where they differ"), ("agrees", "Where they agree")):
        chosen = [section(case, said["cases"][case["id"]]) for case in cases if case["outcome"] == outcome]
        if chosen:
            text += f"\n## {title}\n{''.join(chosen)}"
    return text


def _version(peer: Mapping[str, Any]) -> str:
    return str(peer["commit"][:10] if "commit" in peer else peer["requirements"][0].partition("==")[2])


def pair(name: str, case: Mapping[str, Any], asked: Mapping[str, Any], said: Mapping[str, Any]) -> str:
    """Return an input as the user of another program sees it: a call there, a call here, and both answers."""
    peer, answers = asked["peers"][name], said["cases"][case["id"]]
    data = "" if "scores = " in case["data"] else f"# the data\n{case['data'].strip()}\n\n"
    calls = f"{data}# {peer['title']}\n{case['theirs'].strip()}\n\n# evalstats\n{case['ours'].strip()}"
    both = {who: answers[who] for who in ("theirs", "ours")}
    table = "".join(line.removesuffix("  |\n") + "\n" for line in rows(both))
    head = f"| | {peer['title']} {_version(peer)} | evalstats |\n| --- | --- | --- |\n"
    return f"{case['input']}:\n\n```text\n{calls}\n```\n\n{head}{table}\n{case['why']}\n\n"


def _asked_and_said() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the inputs, and the answers of all programs."""
    asked = tomllib.loads((FOLDER / "cases.toml").read_text(encoding="utf-8"))
    return asked, json.loads((FOLDER / "answers.json").read_text(encoding="utf-8"))


def migration() -> str:
    """Return docs/migration.md with the pairs of calls as they were answered."""
    asked, said = _asked_and_said()
    text = ""
    for name, peer in asked["peers"].items():
        chosen = [case for case in asked["case"] if case["peer"] == name and case.get("migration")]
        if chosen:
            pairs = "".join(pair(name, case, asked, said) for case in chosen)
            text += f"### {peer['title']}\n\n{pairs}All inputs: [{peer['title']}](other-packages/{name}.md).\n\n"
    return str(TABLES["filled"](MIGRATION.read_text(encoding="utf-8"), {"side by side": text}))


def index(asked: Mapping[str, Any], said: Mapping[str, Any]) -> str:
    """Return the page of all peers."""
    count = {"agrees": 0, "differs": 0}
    for case in asked["case"]:
        count[case["outcome"]] += 1
    text = _HEAD.format(n=len(asked["case"]), agree=count["agrees"], differ=count["differs"])
    for name, peer in asked["peers"].items():
        of_peer = [case["outcome"] for case in asked["case"] if case["peer"] == name]
        version = _version(peer)
        counts = f"{len(of_peer)} | {of_peer.count('agrees')} | {of_peer.count('differs')}"
        text += f"| [{peer['title']}]({name}.md) | {version} | {counts} |\n"
    links = "".join(f"- [{peer['title']}]({name}.md)\n" for name, peer in asked["peers"].items())
    contents = f"\n<!-- contents -->\n- [What each program can do](capabilities.md)\n{links}<!-- end of contents -->\n"
    return text + _FOOT.format(**said) + contents


def capabilities() -> str:
    """Return the table of what each program can do."""
    with (FOLDER / "capabilities.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    peers = [name for name in table[0] if name not in ("group", "capability", "here")]
    text, group = _CAPABLE, ""
    for row in table:
        if row["group"] != group:
            group = row["group"]
            text += f"\n## {group}\n\n| | here | {' | '.join(peers)} |\n| --- | --- |{' --- |' * len(peers)}\n"
        here = ", ".join(f"`{name}`" for name in row["here"].split(";") if name)
        text += f"| {row['capability']} | {here} | " + " | ".join(row[peer] for peer in peers) + " |\n"
    return text


def pages() -> dict[str, str]:
    """Return every page with the name of its file."""
    asked, said = _asked_and_said()
    written = {f"{name}.md": page(name, asked, said) for name in asked["peers"]}
    return {"index.md": index(asked, said), "capabilities.md": capabilities(), **written}


if __name__ == "__main__":
    for file, text in pages().items():
        (FOLDER / file).write_text(text, encoding="utf-8", newline="\n")
    MIGRATION.write_text(migration(), encoding="utf-8", newline="\n")
