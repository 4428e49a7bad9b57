"""Which reader takes a file that is no text, by its first bytes?"""

from __future__ import annotations

__all__ = ["START", "begins_as_binary", "grid_of_binary"]

import io
from typing import Any

from evalstats.tables.grid import Grid, Reading, TableError, grid_of_text_bytes

# what comes by a pipe is held in memory, up to so many bytes
LARGEST_PIPE = 2_000_000_000
START = 16  # bytes that tell what a file is
_AS_CSV = "write the table as CSV or Parquet"
_OF_R = "is data of R; write the table in R with write.csv()"
_OF_STATA = f"is a file of Stata; {_AS_CSV}, or give what pandas.read_stata() returns"
_OF_SPSS = f"is a file of SPSS; {_AS_CSV}, or give what pandas.read_spss() returns"
_OF_SAS = f"is a file of SAS; {_AS_CSV}, or give what pandas.read_sas() returns"
_READ = (b"PAR1", b"ARROW1\0", b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")
# what is known and not read, by its first bytes
_OTHERS = {
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "is an Excel file of before 2007; save it as .xlsx",
    **{
        b"\x80" + bytes([protocol]): f"is a pickle, which may run any code where it is read; {_AS_CSV}"
        for protocol in (2, 3, 4, 5)
    },
    b"\x93NUMPY": f"is an array of numpy, in which nothing has a name; {_AS_CSV}",
    b"SQLite f": f"is a database of SQLite; {_AS_CSV}, from MLflow with 'mlflow experiments csv'",
    b"\x89HDF\r\n": f"is an HDF5 file; {_AS_CSV}",
    b"FEA1": "is a Feather file of the first version; write it anew, or as Parquet",
    b"%PDF-": "is a PDF; copy the table out of it, and read that",
    b"<stata_dta>": _OF_STATA,
    **{
        bytes([version, order, 1]): _OF_STATA
        for version in (0x69, 0x6C, 0x6E, 0x6F, 0x71, 0x72, 0x73)
        for order in (1, 2)
    },
    b"$FL2@(#)": _OF_SPSS,
    b"$FL3@(#)": _OF_SPSS,
    b"HEADER RECORD***": _OF_SAS,
    b"\0" * 12 + b"\xc2\xea\x81\x60": _OF_SAS,
    b"MATLAB 5.0 MAT-f": f"is a file of MATLAB; {_AS_CSV}, there with writetable()",
    **dict.fromkeys((b"X\n\x00\x00\x00", b"A\n2\n", b"A\n3\n", b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n"), _OF_R),
}
_OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis."


def begins_as_binary(start: bytes) -> bool:
    """Tell whether a file, of whose first bytes perhaps only some are there yet, may be no text."""
    return bool(start) and any(start[: len(magic)] == magic[: len(start)] for magic in (*_READ, *_OTHERS))


def grid_of_binary(file: Any, name: str, reading: Reading) -> Grid:
    """Return the cells of a workbook, a Parquet file or a packed file; of a text after all, if it is none of these."""
    file = _held(file, name)
    head = file.read(100)
    start = head[:START]
    file.seek(0)
    if start.startswith(b"PAR1"):
        from evalstats.tables.arrow_table import grid_of_parquet

        return grid_of_parquet(file, name)
    if start.startswith(b"ARROW1"):
        from evalstats.tables.arrow_table import grid_of_arrow_file

        return grid_of_arrow_file(file, name)
    if what := next((what for magic, what in _OTHERS.items() if start.startswith(magic)), ""):
        raise TableError(f"{name} {what}")
    if start.startswith(b"PK\x03\x04") and _OPEN_DOCUMENT in head:
        raise TableError(f"{name} is an OpenDocument file, as LibreOffice writes it; save it as .xlsx or CSV")
    from evalstats.tables.packed import opened

    if (unpacked := opened(file, name, start)) is not None:
        content, _ = unpacked
        return grid_of_binary(content, name, reading)
    if start.startswith(b"PK\x03\x04"):
        from evalstats.tables.excel_table import grid_of_excel

        _, _, sheet, rows, header_rows = reading
        return grid_of_excel(file, name, sheet, rows, header_rows)
    return grid_of_text_bytes(file, name, reading)


def _held(file: Any, name: str) -> Any:
    """Return a file in which one can go back; what comes by a pipe is read first."""
    if file.seekable():
        return file
    content = file.read(LARGEST_PIPE + 1)
    if len(content) > LARGEST_PIPE:
        raise TableError(f"{name} has more than {LARGEST_PIPE:,} bytes, which are not held in memory")
    return io.BytesIO(content)
