"""Whatever stands in a log, it is read or refused in one line: samples are damaged in many ways, alike each time."""

from __future__ import annotations

import json
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from later_zipfile import zstd
from repetitions import repetitions

import evalstats

FORMATS = Path(__file__).parent / "data" / "formats"
PROGRAMS = (
    *("deepeval", "evalplus", "every-eval-ever", "helm", "hf-evaluate", "inspect-ai", "lighteval", "lm-eval", "mteb"),
    *("bigcode", "nemo-evaluator", "openai-evals", "promptfoo"),
    *("published/evalplus", "published/helm", "published/lm-eval"),
)
TEXTS = (".json", ".jsonl", ".csv")
ODD = [None, True, -1, 0, 10**400, 1e308, float("nan"), float("inf"), "", "\0", "\u202e", "1e999", "x" * 2000, [], {}]
# of each file; a longer run: EVALSTATS_TRIALS=1000 pytest tests/test_corrupted_logs.py
N_DAMAGED = repetitions(4)


def files(program: str) -> list[Path]:
    found = sorted(path for path in (FORMATS / program).rglob("*") if path.is_file() and path.name != "VERSION")
    return [path for path in found if path.suffix in (*TEXTS, ".eval", ".parquet")]


def replaced(value: Any, rng: random.Random) -> Any:
    """Return a document in which one value, key or element is another."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        if rng.random() < 0.15:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: replaced(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        i = rng.randrange(len(value))
        if rng.random() < 0.2:
            return [*value, value[i]] if rng.random() < 0.5 else value[:i] + value[i + 1 :]
        return [*value[:i], replaced(value[i], rng), *value[i + 1 :]]
    return rng.choice(ODD)


def shuffled(content: bytes, rng: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    rng.shuffle(lines)
    return b"".join(lines)


def changed(content: bytes, rng: random.Random) -> bytes:
    """Return a JSON document, or one of its lines, with another value in it."""
    lines = content.splitlines()
    i = rng.randrange(len(lines))
    for before, text, after in ((lines[:i], lines[i], lines[i + 1 :]), ([], content, [])):
        try:
            new = json.dumps(replaced(json.loads(text), rng)).encode()
        except ValueError:
            continue
        return b"\n".join([*before, new, *after])
    return b""


def damaged_text(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(content))
    ways: list[Callable[[], bytes]] = [
        lambda: content[:at],
        lambda: content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :],
        lambda: b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"),
        lambda: shuffled(content, rng),
        lambda: content[:at] + b"[" * 20_000 + content[at:],
        lambda: changed(content, rng),
        lambda: changed(changed(content, rng) or content, rng),
        lambda: changed(content, rng),
    ]
    return rng.choice(ways)()


def damage(path: Path, rng: random.Random) -> None:
    content = path.read_bytes()
    if path.suffix in TEXTS:
        path.write_bytes(damaged_text(content, rng))
    elif path.suffix == ".eval" and rng.random() < 0.7:
        with zstd.ZipFile(path) as old:
            members = {name: old.read(name) for name in old.namelist()}
        chosen = rng.choice([name for name in members if not name.startswith("samples/")])
        members[chosen] = damaged_text(members[chosen], rng)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
            for name, own in members.items():
                new.writestr(name, own)
    else:
        at = rng.randrange(len(content))
        path.write_bytes(
            content[:at] + (b"" if rng.random() < 0.5 else bytes([rng.randrange(256)]) + content[at + 1 :])
        )


def read(source: Any, metric: str | None, missing: str) -> str:
    """Return what is refused, in words; any other error is a fault."""
    try:
        evalstats.read_table(source, metric=metric, missing=missing, greater_is_better=True)
    except evalstats.EvalstatsError as error:
        return str(error)
    return ""


@pytest.mark.filterwarnings("ignore::evalstats.EvalstatsWarning")
@pytest.mark.parametrize("program", PROGRAMS)
def test_damaged_log_is_read_or_refused_in_one_line(program: str, tmp_path: Path) -> None:
    rng = random.Random(program)
    metrics = [None, "acc", "match", "Exact", "exact_match", "reward", "score"]
    answers: list[str] = []
    for i, path in enumerate(files(program)):
        directory = tmp_path / str(i)
        shutil.copytree(FORMATS / program, directory)
        copy = directory / path.relative_to(FORMATS / program)
        for _ in range(N_DAMAGED):
            shutil.copy(path, copy)
            damage(copy, rng)
            missing = rng.choice(["raise", "drop-instances", "drop-datasets"])
            for source in (copy, directory):
                answers.append(read(source, rng.choice(metrics), missing))

    assert all("\n" not in answer and len(answer) < 2000 for answer in answers)
    assert any(answers)


def test_the_same_damage_each_time() -> None:
    """A fault that is found can be found again."""
    content = next(iter(files("deepeval"))).read_bytes()
    first, again = ([damaged_text(content, random.Random(seed)) for seed in range(20)] for _ in range(2))

    assert first == again
