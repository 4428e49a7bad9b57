"""Write docs/peers/index.md and its pages from the answers of all programs: ``python docs/figures/peers.py``.

The answers stand in docs/peers/answers.json, which scripts/peers.py asks for; the capabilities in capabilities.csv.
"""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "peers"
SHOWN = 5  # significant digits
WIDTH = 110  # characters of an error message in a table
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

`python scripts/peers.py` asks again: it installs each peer into an environment of its own, with the versions above,
and writes [answers.json](answers.json), which has the versions of everything that was installed beside it; the inputs
are [cases.toml](cases.toml). `python docs/figures/peers.py` writes these pages. A test computes our numbers again.

Not asked, because it could not be installed here by its package manager:

- the cd-diagram of H. Ismail Fawaz: a program that is run as a whole.
- WEKA and KEEL: programs in Java.
- scmamp and correctR: packages of R that this Debian has not.
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


def page(name: str, asked: Mapping[str, Any], said: Mapping[str, Any]) -> str:
    """Return the page of one peer."""
    cases = [case for case in asked["case"] if case["peer"] == name]
    peer = asked["peers"][name]
    installed = " ".join(peer["requirements"])
    if "repository" in peer:
        installed = f"{peer['repository']} at {peer['commit'][:10]}` with `{installed}"
    text = f"# {peer['title']}\n\nThe numbers of `{installed}`, beside ours and R's; [all peers](index.md).\n"
    for outcome, title in (("differs", "Where they differ"), ("agrees", "Where they agree")):
        chosen = [section(case, said["cases"][case["id"]]) for case in cases if case["outcome"] == outcome]
        if chosen:
            text += f"\n## {title}\n{''.join(chosen)}"
    return text


def index(asked: Mapping[str, Any], said: Mapping[str, Any]) -> str:
    """Return the page of all peers."""
    count = {"agrees": 0, "differs": 0}
    for case in asked["case"]:
        count[case["outcome"]] += 1
    text = _HEAD.format(n=len(asked["case"]), agree=count["agrees"], differ=count["differs"])
    for name, peer in asked["peers"].items():
        of_peer = [case["outcome"] for case in asked["case"] if case["peer"] == name]
        version = peer["commit"][:10] if "commit" in peer else peer["requirements"][0].partition("==")[2]
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
    asked = tomllib.loads((FOLDER / "cases.toml").read_text(encoding="utf-8"))
    said = json.loads((FOLDER / "answers.json").read_text(encoding="utf-8"))
    written = {f"{name}.md": page(name, asked, said) for name in asked["peers"]}
    return {"index.md": index(asked, said), "capabilities.md": capabilities(), **written}


if __name__ == "__main__":
    for file, text in pages().items():
        (FOLDER / file).write_text(text, encoding="utf-8", newline="\n")
