"""Whatever happens to a file of another program: it is read, or refused in one sentence of evalstats.

``python scripts/corrupted_inputs.py sources 100000 7`` tries as many files, from a seed.
"""

from __future__ import annotations

import random
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from repetitions import repetitions

from evalstats import compare, read_predictions, read_table
from evalstats._errors import EvalstatsError
from evalstats.io import known_formats
from evalstats.io.options import given_together

SAMPLES = Path(__file__).parent / "data" / "formats"
FOLDERS = ("aeon", "amlb/runs", "openml", "tsml-results")
OPTIONS = (
    {},
    {"metric": "accuracy"},
    {"n_folds": 3},
    {"missing": "drop-datasets"},
    {"greater_is_better": True},
    {"pos_label": "a"},
    {"drop": "x"},
)
# what a source without a fault needs
NEEDED = {
    "grid.csv": {"metric": "accuracy"},
    "repeated.csv": {"n_folds": 3},
    "runs.csv": {"metric": "accuracy"},
    "exported.csv": {"metric": "accuracy"},
    "failed.csv": {"missing": "skillings-mack"},
}
CELLS = (
    b"",
    b"x",
    b"NaN",
    b"inf",
    b"-1e999",
    b"1" * 400,
    b"0",
    b"{}",
    b"[]",
    b"null",
    b"'",
    b'"',
    b"a,b",
    b"?",
    b"1 (2)",
    b"\xe9",
)
TEXT = {".csv", ".arff", ".tab", ".json", ".tst", ".jsonl", ".tra"}
_CELL = re.compile(rb"[^,\t\n ]+")


def shortened(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def without_a_part(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start + rng.randrange(1, 60) :]


def with_another_cell(data: bytes, rng: random.Random) -> bytes:
    cells = list(_CELL.finditer(data))
    if not cells:
        return data
    match = rng.choice(cells)
    return data[: match.start()] + rng.choice(CELLS) + data[match.end() :]


def with_a_cell_of_elsewhere(data: bytes, rng: random.Random) -> bytes:
    cells = list(_CELL.finditer(data))
    if not cells:
        return data
    first, second = rng.choice(cells), rng.choice(cells)
    return data[: first.start()] + second.group() + data[first.end() :]


def with_a_line_again(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join([*lines, rng.choice(lines)]) if lines else data


def without_a_line(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if lines:
        del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def with_a_byte(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice((b"\0", b"\xff", b"\r", b"\n", b"\x1b[31m", b"'", b'"', b",", b"\\")) + data[at:]


def with_a_byte_order_mark(data: bytes, rng: random.Random) -> bytes:
    return b"\xef\xbb\xbf" + data


def with_other_line_ends(data: bytes, rng: random.Random) -> bytes:
    return data.replace(b"\n", rng.choice((b"\r\n", b"\r")))


def in_another_encoding(data: bytes, rng: random.Random) -> bytes:
    return data.decode("utf-8", "replace").encode(rng.choice(("utf-16", "utf-32", "latin-1")), "replace")


def empty(data: bytes, rng: random.Random) -> bytes:
    return rng.choice((b"", b"\n", b" \n\n", b"{", b"[", b"[]", b"{}"))


MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(shortened, without_a_part, with_another_cell, with_a_cell_of_elsewhere, with_a_line_again, without_a_line),
    *(with_a_byte, with_a_byte_order_mark, with_other_line_ends, in_another_encoding, empty),
)


def mutated(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.choice((1, 1, 2, 3))):
        data = rng.choice(MUTATIONS)(data, rng)
    return data


def sources() -> list[Path]:
    folders = [SAMPLES / name for name in FOLDERS]
    files = [path for path in SAMPLES.rglob("*") if path.is_file() and path.suffix in (TEXT | {".parquet"})]
    return sorted([*folders, *(path for path in files if not any(map(path.is_relative_to, folders)))])


def altered(source: Path, directory: Path, rng: random.Random) -> Path:
    """Write a source with a fault."""
    target = directory / source.name
    if source.is_file():
        target.write_bytes(mutated(source.read_bytes(), rng))
        return target
    shutil.copytree(source, target)
    files = sorted(path for path in target.rglob("*.*") if path.is_file())
    for path in rng.sample(files, rng.choice((1, 1, 2))):
        if rng.random() < 0.2:
            path.unlink()
        else:
            path.write_bytes(mutated(path.read_bytes(), rng))
    return target


def outcome(seed: int) -> str:
    """Read one source with a fault, and tell what came of it."""
    rng = random.Random(seed)
    source = rng.choice(SOURCES)
    options = dict(NEEDED.get(source.name, {}) if rng.random() < 0.8 else rng.choice(OPTIONS))
    read = rng.choice((read_table, read_table, compare, read_predictions if not options else compare))
    if rng.random() < 0.1:
        options["format"] = rng.choice(NAMES)
    with tempfile.TemporaryDirectory() as directory:
        try:
            read(altered(source, Path(directory), rng), **given_together(options))
        except EvalstatsError as error:
            message = str(error)
            assert message, seed
            assert message.isprintable(), (seed, message)
            assert len(message) < 2_000, (seed, message)
            return "refused"
    return "read"


SOURCES, NAMES = sources(), [one.name for one in known_formats()]


@pytest.mark.filterwarnings("ignore::evalstats._errors.EvalstatsWarning")
@pytest.mark.parametrize("start", range(0, repetitions(400), 50))
def test_source_with_a_fault_is_read_or_refused(start) -> None:
    outcomes = Counter(outcome(seed) for seed in range(start, start + 50))

    assert set(outcomes) == {"read", "refused"}
