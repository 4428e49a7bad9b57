"""How do programs write a data frame? Files of all formats, and the frames of all engines.

Cells are written as they are; whole numbers, texts and truth values are labels, fractions are scores.
"""

from __future__ import annotations

import csv
import gzip
import importlib
import io
import json
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["FILES", "FILES_OF_SCORES", "FRAMES", "KINDS", "written"]

Writer = Callable[[pd.DataFrame], str | bytes]


def _rows(frame: pd.DataFrame) -> list[list[str]]:
    return [list(frame.columns), *frame.astype(str).to_numpy().tolist()]


def markdown(frame: pd.DataFrame) -> str:
    head, *rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in _rows(frame)]
    return "\n".join([head, "|" + "---|" * frame.shape[1], *rows, ""])


def latex(frame: pd.DataFrame) -> str:
    signs = str.maketrans({sign: f"\\{sign}" for sign in "_&%$#"})
    rows = "".join(" & ".join(cell.translate(signs) for cell in row) + " \\\\\n" for row in _rows(frame))
    return f"\\begin{{tabular}}{{{'l' * frame.shape[1]}}}\n{rows}\\end{{tabular}}\n"


def arff(frame: pd.DataFrame) -> str:
    def quoted(cell: Any) -> str:
        return "'" + str(cell).replace("'", "\\'") + "'"

    is_plain = {name: name == "id" or pd.api.types.is_float_dtype(frame[name]) for name in frame}
    kinds = [
        "numeric" if is_plain[name] else "{" + ",".join(map(quoted, dict.fromkeys(frame[name]))) + "}" for name in frame
    ]
    rows = [
        [str(c) if is_plain[name] else quoted(c) for name, c in zip(frame, row, strict=True)]
        for row in frame.to_numpy().tolist()
    ]
    head = [
        f"@attribute {quoted(name) if ' ' in name else name} {kind}" for name, kind in zip(frame, kinds, strict=True)
    ]
    return "\n".join(["@relation r", *head, "@data", *map(",".join, rows), ""])


def excel(frame: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.to_excel(file, index=False)
    return file.getvalue()


def parquet(frame: pd.DataFrame) -> bytes:
    return frame.to_parquet()


def feather(frame: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.to_feather(file)
    return file.getvalue()


def zipped(frame: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("predictions.csv", frame.to_csv(index=False))
    return file.getvalue()


def polars_frame(frame: pd.DataFrame) -> Any:
    return importlib.import_module("polars").from_pandas(frame)


def excel_below_a_title(frame: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    with pd.ExcelWriter(file) as book:
        frame.to_excel(book, sheet_name="Table 1", startrow=2, index=False)
        book.sheets["Table 1"].cell(1, 1).value = "Results of the classifiers"
    return file.getvalue()


def workbook(frame: pd.DataFrame) -> bytes:
    openpyxl, file = importlib.import_module("openpyxl"), io.BytesIO()
    book = openpyxl.Workbook()
    for row in (list(frame.columns), *frame.astype(object).to_numpy().tolist()):
        book.active.append(row)
    book.create_sheet("notes")
    book.save(file)
    return file.getvalue()


def copied(frame: pd.DataFrame, kind: str) -> bytes:
    duckdb = importlib.import_module("duckdb")
    with tempfile.TemporaryDirectory() as directory, duckdb.connect() as connection:
        path = Path(directory) / "table"
        connection.register("frame", frame)
        connection.sql("SELECT * FROM frame").create("scores")
        connection.execute(f"COPY scores TO '{path}' (FORMAT {kind})")
        return path.read_bytes()


def arrow_csv(frame: pd.DataFrame) -> bytes:
    arrow, csv_of_arrow, file = (
        importlib.import_module("pyarrow"),
        importlib.import_module("pyarrow.csv"),
        io.BytesIO(),
    )
    csv_of_arrow.write_csv(arrow.Table.from_pandas(frame, preserve_index=False), file)
    return file.getvalue()


def tabulated(frame: pd.DataFrame, name: str) -> str:
    return importlib.import_module("tabulate").tabulate(
        frame, headers="keys", tablefmt=name, showindex=False, floatfmt=".17g", disable_numparse=[0]
    )


FILES: dict[str, tuple[str, Writer]] = {
    "CSV": ("csv", lambda frame: frame.to_csv(index=False)),
    "CSV with an index": ("csv", lambda frame: frame.to_csv()),
    "tabs": ("tsv", lambda frame: frame.to_csv(index=False, sep="\t")),
    "semicolons": ("csv", lambda frame: frame.to_csv(index=False, sep=";")),
    "JSON records": ("json", lambda frame: frame.to_json(orient="records")),
    "JSON columns": ("json", lambda frame: json.dumps(frame.to_dict("list"))),
    "JSON lines": ("jsonl", lambda frame: frame.to_json(orient="records", lines=True)),
    "Parquet": ("parquet", parquet),
    "Feather": ("feather", feather),
    "Excel": ("xlsx", excel),
    "HTML": ("html", lambda frame: frame.to_html(index=False)),
    "Markdown": ("md", markdown),
    "LaTeX": ("tex", latex),
    "ARFF": ("arff", arff),
    "zip": ("zip", zipped),
}
# of scores: what is printed for people, where the labels of predictions would not be kept as they are
FILES_OF_SCORES: dict[str, tuple[str, Writer]] = {
    "CSV, quoted": ("csv", lambda frame: frame.to_csv(index=False, quoting=csv.QUOTE_ALL)),
    "CSV with a byte order mark": ("csv", lambda frame: b"\xef\xbb\xbf" + frame.to_csv(index=False).encode()),
    "CSV, lines of Windows": ("csv", lambda frame: frame.to_csv(index=False, lineterminator="\r\n")),
    "CSV, gzip": ("csv.gz", lambda frame: gzip.compress(frame.to_csv(index=False).encode())),
    "decimal commas": ("csv", lambda frame: frame.to_csv(index=False, sep=";", decimal=",")),
    "decimal commas, tabs": ("tsv", lambda frame: frame.to_csv(index=False, sep="\t", decimal=",")),
    "JSON split": ("json", lambda frame: frame.to_json(orient="split", index=False)),
    "JSON table": ("json", lambda frame: frame.to_json(orient="table", index=False)),
    "Excel below a title": ("xlsx", excel_below_a_title),
    "LaTeX of pandas": ("tex", lambda frame: frame.style.hide(axis="index").to_latex(hrules=True)),
    "HTML of a style": ("html", lambda frame: frame.style.hide(axis="index").format(precision=17).to_html()),
    "printed by pandas": ("txt", lambda frame: frame.to_string(index=False)),
    "CSV of polars": ("csv", lambda frame: polars_frame(frame).write_csv()),
    "JSON lines of polars": ("ndjson", lambda frame: polars_frame(frame).write_ndjson()),
    "Excel of openpyxl": ("xlsx", workbook),
    "CSV of DuckDB": ("csv", lambda frame: copied(frame, "CSV")),
    "JSON of DuckDB": ("json", lambda frame: copied(frame, "JSON")),
    "Parquet of DuckDB": ("parquet", lambda frame: copied(frame, "PARQUET")),
    "CSV of Arrow": ("csv", arrow_csv),
    **{
        f"tabulate, {name}": (suffix, lambda frame, name=name: tabulated(frame, name))
        for name, suffix in {
            "github": "md",
            "pipe": "md",
            "grid": "txt",
            "orgtbl": "txt",
            "psql": "txt",
            "pretty": "txt",
            "rst": "rst",
            "simple": "txt",
            "latex": "tex",
            "latex_booktabs": "tex",
            "html": "html",
            "tsv": "tsv",
            "presto": "txt",
        }.items()
    },
}


def duckdb_relation(frame: pd.DataFrame) -> Any:
    return importlib.import_module("duckdb").from_df(frame)


FRAMES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "pandas, shuffled index": lambda frame: frame.set_axis(np.random.default_rng(0).permutation(len(frame))),
    "categories": lambda frame: frame.astype({name: "category" for name in frame if name != "id"}),
    "polars": polars_frame,
    "polars, lazy": lambda frame: polars_frame(frame).lazy(),
    "DuckDB": duckdb_relation,
    "Arrow": lambda frame: importlib.import_module("pyarrow").Table.from_pandas(frame, preserve_index=False),
    "dict": lambda frame: frame.to_dict("list"),
}
KINDS = (*FILES, *FRAMES)


def written(frame: pd.DataFrame, kind: str, directory: Path, name: str = "predictions") -> Any:
    """Return a frame as a source of some kind: a frame, or the path of a file."""
    if kind in FRAMES:
        return FRAMES[kind](frame)
    suffix, write = (FILES | FILES_OF_SCORES)[kind]
    path, content = directory / f"{name}.{suffix}", write(frame)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
