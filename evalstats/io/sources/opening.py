"""Conversion of text, Excel, Parquet, data frames, arrays and other objects to one grid of cells."""

from __future__ import annotations

__all__ = ["START", "grid_of_cells", "grid_of_file", "table_of_object", "text_of_bytes"]

import codecs
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from numbers import Real
from typing import Any

import numpy as np

from evalstats import _checks, _errors, _files, _labels
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats._findings import Finding
from evalstats.io.sources.grid import Grid, Reading, grid_of_columns
from evalstats.io.sources.table_region import grid_of_laid_rows, merged_levels, of_level
from evalstats.tables.errors import TableError, TableNotFoundError, short, visible
from evalstats.tables.names import text_of, texts_of


def table_of_object(source: Any) -> Any:
    """Return the frame, the dict or the array that an object contains; return any other object unchanged.

    - A Series becomes a frame of one column and the levels of its index. A Series with only one level is rejected,
      because it names no classifiers.
    - A hyperparameter search of scikit-learn becomes its `cv_results_`, and a reader or dataset of Arrow its table.
    - An array with named fields becomes a dict of columns.
    - A dict of Series with the same row names gets a column of these names.
    - A dict whose keys are pairs of names becomes a dict of dicts.
    - A list of named tuples, or of dataclass objects, becomes a list of dicts.
    """
    if isinstance(source, list | tuple) and source and not isinstance(source[0], str):
        return _of_fields(source)
    if isinstance(source, np.ndarray):
        return {name: source[name] for name in source.dtype.names} if source.dtype.names else source
    if isinstance(source, Mapping):
        return _with_names_of_rows(_of_pairs(source))
    if hasattr(source, "to_frame") and hasattr(source, "dtype") and not hasattr(source, "columns"):
        if getattr(getattr(source, "index", None), "nlevels", 1) < 2:
            raise TableError(
                "the table: a Series has one value in each row, and no names of classifiers",
                "give a data frame with a column for each classifier, or the columns dataset, classifier and score",
            )
        return source.to_frame(source.name or "score")
    if isinstance(found := getattr(source, "cv_results_", None), Mapping):
        return found
    if type(source).__module__.partition(".")[0] == "pyarrow" and not hasattr(source, "to_pydict"):
        read = getattr(source, "read_all", None) or getattr(source, "to_table", None)
        source = source if read is None else read()
    return source


def _rows_of_texts(source: Any) -> bool:
    """Return whether a list contains rows with at least one text."""
    if not isinstance(source, list | tuple) or len(source) < 2:
        return False
    are_rows = all(isinstance(row, list | tuple) for row in source)
    return are_rows and any(isinstance(cell, str) for row in source for cell in row)


def _of_fields(source: Any) -> Any:
    """Convert a list of named tuples or dataclass objects to a list of dicts; return other lists unchanged."""
    if all(isinstance(item, tuple) and hasattr(item, "_fields") for item in source):
        return [item._asdict() for item in source]
    if all(is_dataclass(item) and not isinstance(item, type) for item in source):
        return [{one.name: getattr(item, one.name) for one in fields(item)} for item in source]
    return source


def _of_pairs(source: Mapping[Any, Any]) -> Any:
    """Convert a dict whose keys are pairs of names to a dict of dicts; return other dicts unchanged."""
    are_pairs = all(isinstance(key, tuple) and len(key) == 2 and all(isinstance(x, str) for x in key) for key in source)
    kinds = (Real, Mapping, list, tuple, np.ndarray)
    if not source or not are_pairs or not all(isinstance(value, kinds) for value in source.values()):
        return source
    found: dict[str, dict[str, Any]] = {}
    for (outer, inner), value in source.items():
        found.setdefault(outer, {})[inner] = value
    return found


def _with_names_of_rows(source: Any) -> Any:
    """Add a column of row names to a dict of Series with the same index of texts."""
    indexes: list[Any] = [getattr(column, "index", None) for column in source.values()]
    if not indexes or not all(hasattr(index, "get_level_values") for index in indexes):
        return source
    index = indexes[0]
    are_names = index.nlevels == 1 and all(isinstance(name, str) for name in index)
    if not are_names or any(not index.equals(other) for other in indexes) or (index.name or "") in source:
        return source
    return {index.name or "": list(index), **source}


# maximum number of bytes that are read from a pipe into memory
LARGEST_PIPE = 2_000_000_000
START = 16  # bytes that identify a file format
_AS_CSV = "write the table as CSV or Parquet"
_UNPACK = "unpack it, and read the table in it"
_OF_R = "is an R data file; write the table in R with write.csv()"
_OF_STATA = f"is a Stata file; {_AS_CSV}, or give what pandas.read_stata() returns"
_OF_SPSS = f"is an SPSS file; {_AS_CSV}, or give what pandas.read_spss() returns"
_OF_SAS = f"is a SAS file; {_AS_CSV}, or give what pandas.read_sas() returns"
_READ = (b"PAR1", b"ARROW1\0", b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")
# unsupported file formats by their first bytes
_OTHERS = {
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "is an Excel file in the format before 2007; save it as .xlsx",
    **{
        b"\x80" + bytes([protocol]): f"is a pickle, which can run arbitrary code when it is read; {_AS_CSV}"
        for protocol in (2, 3, 4, 5)
    },
    b"\x93NUMPY": f"is a NumPy array without names; {_AS_CSV}",
    b"SQLite f": f"is an SQLite database; {_AS_CSV}, from MLflow with 'mlflow experiments csv', "
    "or the results of promptfoo as JSON with 'promptfoo export eval'",
    b"\x89HDF\r\n": f"is an HDF5 file; {_AS_CSV}",
    b"FEA1": "is a Feather file of version 1; write it in version 2, or as Parquet",
    b"%PDF-": "is a PDF; copy the table to a text file, and read the text file",
    b"{\\rtf": f"is a word-processor document; {_AS_CSV}",
    **dict.fromkeys((b"\x89PNG", b"\xff\xd8\xff", b"GIF87a", b"GIF89a"), f"is an image; {_AS_CSV}"),
    **dict.fromkeys((b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"), f"is a program; {_AS_CSV}"),
    b"7z\xbc\xaf\x27\x1c": f"is a 7z archive; {_UNPACK}",
    b"Rar!\x1a\x07": f"is a RAR archive; {_UNPACK}",
    b"\x28\xb5\x2f\xfd": f"is compressed with zstd; {_UNPACK}",
    b"\x04\x22\x4d\x18": f"is compressed with lz4; {_UNPACK}",
    b"\x1f\x9d": f"is compressed with compress; {_UNPACK}",
    b"Obj\x01": f"is an Avro file; {_AS_CSV}",
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
    b"MATLAB 5.0 MAT-f": f"is a MATLAB file; {_AS_CSV}, in MATLAB with writetable()",
    **dict.fromkeys((b"X\n\x00\x00\x00", b"A\n2\n", b"A\n3\n", b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n"), _OF_R),
}
# the marks of UTF-32 begin as those of UTF-16
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    codecs.BOM_UTF8: "utf-8-sig",
}
_OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis."


def grid_of_cells(source: Any, reading: Reading) -> Grid:
    """Return the cells of a source that is read cell by cell."""
    if isinstance(source, str | bytes | os.PathLike):
        return grid_of_file(source, reading)
    if hasattr(source, "readline"):
        return _grid_of_stream(source, reading)
    if hasattr(source, "to_pydict"):
        from evalstats.io.sources.arrow import grid_of_arrow

        return grid_of_arrow(source, "the table")
    if hasattr(source, "columns") and hasattr(source, "to_numpy"):
        return _grid_of_frame(source)
    from evalstats._array_conversion import is_other_array, numpy_array

    if is_other_array(source):
        source = numpy_array(source)
    if isinstance(source, dict | list | tuple | np.ndarray):
        return _grid_of_object(source, reading)
    raise InvalidTypeError(
        f"source must be a path, an open file, a data frame, an array or a ScoreTable, not {type(source).__name__}"
    )


def _grid_of_object(source: Any, reading: Reading) -> Grid:
    """Return the cells of a Python object, such as a list of records or a dict of columns."""
    items = list(source.values() if isinstance(source, dict) else () if isinstance(source, np.ndarray) else source)
    if items and all(isinstance(item, dict) for item in items):
        from evalstats.io.sources.json import grid_of_json

        return replace(grid_of_json("the table", source), must_name_datasets=False)
    if isinstance(source, dict):
        return _grid_of_dict(source)
    if _rows_of_texts(source):
        return grid_of_laid_rows("the table", source, range(1, len(items) + 1), "row", header_rows=reading[-1])
    return _grid_of_array(source)


def grid_of_file(source: Any, reading: Reading) -> Grid:
    """Return the cells of the file at a path."""
    path = os.fsdecode(source)
    if "\n" in path:
        raise TableError("source must be a path, but it is a string of several lines; wrap the string in io.StringIO")
    try:
        file = _files.opened(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a NUL character in the path
        how = "; to read a file from the web, download it first" if "://" in path else ""
        raise TableNotFoundError(f"there is no file {visible(path) or repr(path)}{how}") from None
    except OSError as error:
        raise TableError(f"{_errors.short(visible(path))} cannot be read: {error.strerror}") from None
    with file:
        name = visible(os.path.basename(path))
        return replace(_grid_of_binary(file, name, reading), file=name)


def _grid_of_stream(stream: Any, reading: Reading) -> Grid:
    given = getattr(stream, "name", None)
    file = visible(os.path.basename(given)) if isinstance(given, str) and not given.startswith("<") else None
    name = "standard input" if given == "<stdin>" else file or "the table"
    if isinstance(stream.read(0), str):
        return replace(_grid_of_lines(stream, name, reading), file=file)
    buffered = stream if hasattr(stream, "peek") else io.BufferedReader(stream)
    try:
        return replace(_grid_of_binary(buffered, name, reading), file=file)
    finally:
        if buffered is not stream:
            buffered.detach()


def _grid_of_binary(file: Any, name: str, reading: Reading) -> Grid:

    if begins_as_binary(file.peek(START)[:START]):
        return grid_of_binary(file, name, reading)
    return grid_of_text_bytes(file, name, reading)


def grid_of_text_bytes(file: Any, name: str, reading: Reading) -> Grid:
    """Return the cells of a binary file that contains text."""
    _, encoding, sheet, _, _ = reading
    if sheet is not None:
        raise TableError(f"{name} is not an Excel file, so it has no sheet {short(sheet)}")
    try:
        text = text_of_bytes(file, encoding)
    except (LookupError, TypeError, ValueError):
        rule = "encoding must be one that Python supports, such as 'utf-8' or 'latin-1'"
        raise InvalidValueError(f"{rule}, not {short(encoding)}") from None
    try:
        return _grid_of_lines(text, name, reading)
    finally:
        text.detach()


def text_of_bytes(file: Any, encoding: str) -> io.TextIOWrapper:
    """Return the text of a binary file; unless the caller names an encoding, a byte order mark decides."""
    if codecs.lookup(encoding).name == "utf-8":
        start = _first_bytes(file)
        encoding = next((own for mark, own in _MARKS.items() if start.startswith(mark)), "utf-8")
    return io.TextIOWrapper(file, encoding, errors="surrogateescape", newline="")


def _first_bytes(file: Any) -> bytes:
    if hasattr(file, "peek"):
        return bytes(file.peek(START)[:START])
    at = file.tell()
    start = bytes(file.read(START))
    file.seek(at)
    return start


def _grid_of_lines(stream: Any, name: str, reading: Reading) -> Grid:
    from evalstats.io.sources.delimited import grid_of_text

    delimiter, encoding, _, rows, header_rows = reading
    return grid_of_text(stream, name, delimiter, encoding, rows, header_rows)


def _grid_of_frame(frame: Any) -> Grid:
    header, columns = list(frame.columns), _columns_of_frame(frame)
    upper: list[Any] = []
    findings: tuple[Finding, ...] = ()
    if (n_levels := getattr(frame.columns, "nlevels", 1)) > 1:
        names = [_names_of_level(frame.columns, level) for level in range(n_levels)]
        if n_levels > 2:
            names, told = merged_levels(names, "the table")
            findings = (told,)
        upper, header = names if len(names) == 2 else ([], names[0])
    index: Any = getattr(frame, "index", None)
    only_counts = index is not None and index.name is None and _only_counts(index)
    if hasattr(index, "get_level_values") and not only_counts:
        # as pandas names them in reset_index
        levels = [f"level_{i}" if name is None and index.nlevels > 1 else name for i, name in enumerate(index.names)]
        header = [*levels, *header]
        upper = [*[""] * index.nlevels, *upper] if upper else []
        columns = [*(index.get_level_values(level) for level in range(index.nlevels)), *columns]
    # the array of a frame of several types does not have them
    noise = [_checks.noise_of_type(dtype) for dtype in getattr(frame, "dtypes", ())]
    together = getattr(frame.columns, "name", None)
    grid = grid_of_columns("the table", header, columns, [0.0] * (len(columns) - len(noise)) + noise)
    named = tuple(map(text_of, upper))
    return replace(
        grid, across=text_of(together) if together else "", upper=named if any(named) else (), findings=findings
    )


def _names_of_level(columns: Any, level: int) -> list[str]:
    return of_level(text_of(columns.names[level]), texts_of(columns.get_level_values(level)))


def _only_counts(index: Any) -> bool:
    """Return whether an index contains only the row numbers, in any order."""
    if type(index).__name__ == "RangeIndex":
        return True
    is_whole = str(getattr(index.dtype, "kind", "")) in ("i", "u")
    return is_whole and bool(np.array_equal(np.sort(index.to_numpy()), np.arange(len(index))))


def _columns_of_frame(frame: Any) -> list[Any]:
    """Return the columns of a frame as separate arrays, each with its own type."""
    kinds = [str(getattr(dtype, "kind", "O")) for dtype in getattr(frame, "dtypes", ())]
    if len(set(kinds)) < 2 or not hasattr(frame, "iloc"):
        return list(np.asarray(frame.to_numpy()).T)
    of_numbers = [isinstance(dtype, np.dtype) and dtype.kind in "iuf" for dtype in frame.dtypes]
    return [
        np.asarray(frame.iloc[:, j].to_numpy() if is_numeric else frame.iloc[:, j].to_numpy(dtype=object))
        for j, is_numeric in enumerate(of_numbers)
    ]


def _grid_of_dict(columns: dict[Any, Any]) -> Grid:
    from evalstats.io.sources.console_output import refuse_program_document

    refuse_program_document(columns, "the table")
    for name, column in columns.items():
        if isinstance(column, str | dict) or not isinstance(column, Iterable):
            raise InvalidTypeError(f"source must be a dict of columns, but column {short(name)} is {short(column)}")
        if hasattr(column, "columns"):
            raise TableError(
                f"source must be a dict of columns, but {short(name)} is a table",
                "if each table belongs to a dataset, with a row for each fold, give pd.concat(source, "
                "names=['dataset', 'fold'])",
            )
        if len(shape := getattr(column, "shape", (0,))) > 1:
            raise InvalidValueError(
                f"each column of source must have one value for each row, but column {short(name)} has the shape "
                f"{tuple(shape)}; for probabilities of two classes, give column[:, 1]"
            )
    if columns and all(isinstance(column, list | tuple) and _holds_lists(column) for column in columns.values()):
        raise TableError(
            f"source must be a dict of columns, but {short(next(iter(columns)))} holds lists or dicts",
            "give one row for each score, in the columns dataset, classifier, fold and score",
        )
    _labels.same_labels(**{f"column {short(name)}": column for name, column in columns.items()})
    noise = [_checks.noise_in(column) for column in columns.values()]
    return grid_of_columns("the table", list(columns), [list(column) for column in columns.values()], noise)


def _holds_lists(column: Sequence[Any]) -> bool:
    return bool(column) and isinstance(column[0], list | tuple | dict)


def _grid_of_array(values: Any) -> Grid:
    array, noise = _checks.numbers(values, "source"), _checks.noise_in(values)
    if array.ndim != 2:
        raise InvalidValueError(
            f"source must have the shape (n_datasets, n_classifiers), but its shape is {array.shape}"
        )
    header = [f"classifier {j + 1}" for j in range(array.shape[1])]
    return grid_of_columns("the table", header, list(array.T), [noise] * len(header))


def begins_as_binary(start: bytes) -> bool:
    """Return whether the first bytes may begin a binary file; some of these bytes may not be available yet."""
    return bool(start) and any(start[: len(magic)] == magic[: len(start)] for magic in (*_READ, *_OTHERS))


def grid_of_binary(file: Any, name: str, reading: Reading) -> Grid:
    """Return the cells of a workbook, Parquet, Arrow or compressed file; read other files as text."""
    file = _seekable(file, name)
    head = file.read(100)
    start = head[:START]
    file.seek(0)
    if start.startswith(b"PAR1"):
        from evalstats.io.sources.arrow import grid_of_parquet

        return grid_of_parquet(file, name)
    if start.startswith(b"ARROW1"):
        from evalstats.io.sources.arrow import grid_of_arrow_file

        return grid_of_arrow_file(file, name)
    if what := next((what for magic, what in _OTHERS.items() if start.startswith(magic)), ""):
        raise TableError(f"{name} {what}")
    if start.startswith(b"PK\x03\x04") and _OPEN_DOCUMENT in head:
        raise TableError(f"{name} is an OpenDocument file, as LibreOffice writes it; save it as .xlsx or CSV")
    from evalstats.io.sources.compressed import opened

    if (unpacked := opened(file, name, start)) is not None:
        content, _ = unpacked
        return grid_of_binary(content, name, reading)
    if start.startswith(b"PK\x03\x04"):
        from evalstats.io.sources.excel import grid_of_excel

        _, _, sheet, rows, header_rows = reading
        return grid_of_excel(file, name, sheet, rows, header_rows)
    return grid_of_text_bytes(file, name, reading)


def _seekable(file: Any, name: str) -> Any:
    """Return a seekable file; the content of a pipe is loaded into memory."""
    if file.seekable():
        return file
    content = file.read(LARGEST_PIPE + 1)
    if len(content) > LARGEST_PIPE:
        raise TableError(f"{name} has more than {LARGEST_PIPE:,} bytes, too many to be read from a pipe")
    return io.BytesIO(content)
