"""Whatever happens to the file of a table: it is read, or refused in one sentence of evalstats.

``python scripts/corrupted_inputs.py tables 1000000 7`` tries as many files, from a seed.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import sys
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from repetitions import repetitions

from evalstats.io.options import given_together

sys.path.insert(0, str(Path(__file__).parents[1]))

from evalstats import compare, read_predictions, read_table, report
from evalstats._errors import EvalstatsError

SCORES = pd.DataFrame(
    {"NB": [93.31, 70.1, 80.2, 88.8], "SVM": [95.0, 71.25, 79.9, 90.1], "C4.5": [94.1, 68.0, 81.3, 87.9]},
    index=pd.Index(["iris", "glass", "wine", "breast cancer"], name="dataset"),
)
LONG = SCORES.melt(ignore_index=False, var_name="classifier", value_name="accuracy").reset_index()
LATEX = r"""\begin{table}
\caption{Accuracy, in \%}
\begin{tabular}{lccc}
\toprule
 & \multicolumn{2}{c}{Bayes} & Trees \\ \cmidrule(lr){2-3}
Dataset & NB & \textbf{SVM} & C4.5 \\
\midrule
iris & $93.3 \pm 0.5$ & \textbf{95.0} & 94.1$^{*}$ \\
\multirow{2}{*}{glass} & 70.1 (2) & \underline{71.2} & 68 \\[2pt]
Average & 81 & 82 & 83 \\
\bottomrule
\end{tabular}
\end{table}
"""
PUBLISHED = (
    "Table 1. Accuracy\ndataset;NB;SVM\niris;93,3 ± 0,5;**95,0**\nglass;70,1 (2,1) v;71,2†\nAverage;1;2\nNote: x\n"
)
TWO_LEVELS = ",accuracy,,f1,\ndataset,NB,SVM,NB,SVM\niris,93.3,95,1,2\nglass,70,71,3,4\n"
PREDICTIONS = "dataset,classifier,fold,row,y_true,y_pred,y_score\n" + "".join(
    f"d,{name},{row % 2},{row},{row % 2},{(row + shift) // 2 % 2},0.{row + shift}\n"
    for shift, name in enumerate(("NB", "SVM"))
    for row in range(6)
)
JSON = {"dataset": ["iris", "glass"], "NB": [0.9, None], "SVM": [0.8, 0.7]}


def parquet(frame: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.to_parquet(file)
    return file.getvalue()


def workbook() -> bytes:
    file = io.BytesIO()
    with pd.ExcelWriter(file) as book:
        SCORES.to_excel(book, sheet_name="scores", startrow=2)
        pd.DataFrame({"about": ["by me"]}).to_excel(book, sheet_name="readme")
        book.sheets["scores"].cell(1, 1).value = "Table 1"
        book.sheets["scores"].merge_cells("A1:D1")
    return file.getvalue()


def zipped(content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("scores.csv", content)
    return file.getvalue()


CSV = SCORES.to_csv().encode()
TABLES: dict[str, bytes] = {
    "csv": CSV,
    "long": LONG.to_csv(index=False).encode(),
    "tsv": SCORES.to_csv(sep="\t").encode(),
    "published": PUBLISHED.encode(),
    "two-levels": TWO_LEVELS.encode(),
    "predictions": PREDICTIONS.encode(),
    "folds": b"dataset,fold,NB,SVM\na,1,.1,.9\na,2,.2,.8\na,3,.3,.7\nb,1,.4,.6\nb,2,.5,.5\nb,3,.6,.4\n",
    "latex": LATEX.encode(),
    "markdown": b"# All\n\n| dataset | NB | **SVM** |\n|---|:-:|--:|\n| iris | 93.3 | **95** |\n| glass | 1 | 2* |\n",
    "html": SCORES.to_html().encode(),
    "columns": json.dumps(JSON).encode(),
    "records": LONG.to_json(orient="records").encode(),
    "lines": LONG.to_json(orient="records", lines=True).encode(),
    "split": SCORES.to_json(orient="split").encode(),
    "nested": SCORES.to_json().encode(),
    "record": report.json(compare(SCORES)).encode(),
    "excel": workbook(),
    "parquet": parquet(SCORES),
    "parquet-long": parquet(LONG),
    "gzip": gzip.compress(CSV),
    "bzip2": bz2.compress(CSV),
    "xz": lzma.compress(CSV),
    "zip": zipped(CSV),
}  # fmt: skip
PIECES = (
    *(b"", b"x", b"NaN", b"inf", b"-1e999", b"9" * 5000, b"0", b"-", b"--", b"%", b"93,3", b"1 (2)", b"\xb1", b"\\pm"),
    *("±".encode(), "−".encode(), "²".encode(), b"**", b"__", b"$", b"{", b"}", b"[", b"]", b"(", b")", b"\\\\", b"&"),
    *(b"\\multicolumn{99999}{c}{x}", b"\\multirow{-9}{*}{x}", b"colspan=999", b"rowspan='-1'", b"|", b"|---|---|"),
    *(b"null", b"{}", b"[]", b"[[", b'"', b"'", b",", b";", b"\t", b"\n", b"\n\n", b"\r", b"#", b"mean", b"std"),
    *(
        b"accuracy",
        b"fold",
        b"classifier",
        b"dataset",
        b"Average",
        b"<table>",
        b"</td>",
        b"<sup>",
        b"\\begin{tabular}{",
    ),
    *("\u202e".encode(), b"\xef\xbb\xbf", b"\xff", b"\0", b"\x1b[31m", "١٢".encode(), "e\u0301".encode()),
)
OPTIONS: tuple[dict[str, Any], ...] = (
    *({}, {}, {}, {}, {"metric": "accuracy"}, {"metric": "f1"}, {"missing": "drop-datasets"}, {"decimal": ","}),
    *({"missing": "skillings-mack"}, {"transpose": True}, {"transpose": False}, {"rows": "2-4"}, {"rows": "3-"}),
    *({"header_rows": 0}, {"header_rows": 1}, {"header_rows": 2}, {"layout": "wide"}, {"layout": "long"}),
    *({"layout": "predictions"}, {"drop": "iris"}, {"sheet": "scores"}, {"delimiter": ";"}, {"dataset": "dataset"}),
    *({"repeat": "fold"}, {"encoding": "latin-1"}, {"classifier": "classifier"}, {"score": "accuracy"}),
)
Mutation = Callable[[bytes, random.Random], bytes]


def shortened(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def without_a_part(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start + rng.randrange(1, 60) :]


def with_a_piece(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(PIECES) + data[at + rng.choice((0, 1, 4)) :]


def with_another_byte(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def with_a_part_again(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    part = data[start : start + rng.randrange(1, 80)]
    at = rng.randrange(len(data) + 1)
    return data[:at] + part * rng.choice((1, 2, 20)) + data[at:]


def with_lines_in_another_order(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    rng.shuffle(lines)
    return b"".join(lines)


def with_a_part_of_another_table(data: bytes, rng: random.Random) -> bytes:
    other = TABLES[rng.choice(list(TABLES))]
    start, at = rng.randrange(len(other)), rng.randrange(len(data) + 1)
    return data[:at] + other[start : start + rng.randrange(1, 200)] + data[at:]


def with_a_faulty_part_of_a_zip(data: bytes, rng: random.Random) -> bytes:
    """Change one file of a workbook, so the zip itself is sound."""
    if not data.startswith(b"PK"):
        return with_a_piece(data, rng)
    file = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
            chosen = rng.choice(old.namelist())
            for name in old.namelist():
                content = old.read(name)
                new.writestr(name, rng.choice(MUTATIONS[:5])(content, rng) if name == chosen else content)
    except Exception:
        return data
    return file.getvalue()


MUTATIONS: tuple[Mutation, ...] = (
    *(shortened, without_a_part, with_a_piece, with_another_byte, with_a_part_again),
    *(with_lines_in_another_order, with_a_part_of_another_table, with_a_faulty_part_of_a_zip),
)


def outcome(seed: int) -> str:
    """Read one table with a fault, and tell what came of it."""
    rng = random.Random(seed)
    data = TABLES[rng.choice(list(TABLES))]
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        data = rng.choice(MUTATIONS)(data, rng)
    if rng.random() < 0.05:
        data = rng.choice((gzip.compress, zipped))(data)
    options = rng.choice(OPTIONS)
    read: Any = rng.choice((read_table, read_table, read_table, read_predictions if not options else compare))
    try:
        table = read(io.BytesIO(data), **given_together(options))
    except EvalstatsError as error:
        message = str(error)
        assert message, seed
        assert message.isprintable(), (seed, message)
        assert len(message) < 2_500, (seed, message)
        return "refused"
    if read is read_table:
        assert not np.isinf(table.scores).any(), seed
        assert table.missing or not np.isnan(table.scores).any(), seed
        assert report.json(table), seed
    return "read"


@pytest.mark.filterwarnings("ignore::evalstats._errors.EvalstatsWarning")
@pytest.mark.parametrize("start", range(0, repetitions(600), 100))
def test_table_with_a_fault_is_read_or_refused(start) -> None:
    outcomes = Counter(outcome(seed) for seed in range(start, start + 100))

    assert set(outcomes) == {"read", "refused"}


@pytest.mark.parametrize("name", TABLES)
def test_table_without_a_fault_is_read(name) -> None:
    options = {"nested": {"parsing": {"transpose": False}}, "two-levels": {"metric": "f1"}}.get(name, {})

    assert read_table(io.BytesIO(TABLES[name]), missing="drop-datasets", **options).scores.size


def test_page_tells_the_counts_of_the_runs() -> None:
    """Each input was read, refused or failed, and the page of reading says how many."""
    tests = Path(__file__).parent
    page = (tests.parent / "docs" / "reference" / "tables" / "reading.md").read_text(encoding="utf-8")
    runs = json.loads((tests / "data" / "corrupted_inputs.json").read_text())
    for run in runs:
        kinds = [one for one in run.values() if isinstance(one, dict)]
        assert all(one["read"] + one["refused"] + len(one["failed"]) == run["seeds"] for one in kinds)
        row = [len(kinds) * run["seeds"], sum(one["read"] for one in kinds), sum(one["refused"] for one in kinds)]
        assert f"| {' | '.join(f'{n:,}' for n in row)} | {sum(len(one['failed']) for one in kinds)} |" in page
    n_inputs = sum(run["seeds"] for run in runs for one in run.values() if isinstance(one, dict))
    assert f"{n_inputs:,} inputs" in page
    assert all(one["failed"] == [] for one in runs[-1].values() if isinstance(one, dict))


@pytest.mark.parametrize("seed", [32498, 189392, 225554])
def test_inputs_that_failed_once_are_refused(seed: int) -> None:
    assert outcome(seed) == "refused"
