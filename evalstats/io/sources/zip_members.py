"""Content of one file in a zip, with a size limit."""

from __future__ import annotations

__all__ = ["MAX_BYTES", "MAX_RATIO", "unpacked"]

import zlib
from typing import Any

from evalstats import _errors
from evalstats.tables.errors import TableError, short, visible

MAX_BYTES = 500_000_000  # maximum unpacked size of a file
MAX_RATIO = 1_000  # maximum ratio of unpacked to packed bytes


def unpacked(file: Any, name: str, shown: str) -> bytes:
    """Return the content of one file in a zip.

    Parameters
    ----------
    file : binary file object
        The zip, at its beginning.
    name : str
        Path of the file in the zip.
    shown : str
        Name of the zip in messages.

    Raises
    ------
    TableError
        If the zip is damaged, is encrypted or lacks the file, or if the file exceeds the size limit.
    """
    import zipfile  # a seventh of the time of the import of the whole reader

    try:
        return _bytes_of(zipfile, file, name, shown)
    except NotImplementedError:
        return _with_zstandard(file, name, shown)


def _with_zstandard(file: Any, name: str, shown: str) -> bytes:
    try:
        from backports.zstd import zipfile as zipfile_of_later
    except ImportError:
        problem = f"{shown} is packed by a method that this Python does not support, such as Zstandard"
        raise TableError(f'{problem}; to read it: pip install "classifier-evalstats[inspect]"') from None
    file.seek(0)
    try:
        return _bytes_of(zipfile_of_later, file, name, shown)
    except NotImplementedError as error:
        raise TableError(f"{shown} cannot be read as a zip file: {_errors.short(str(error))}") from None


def _bytes_of(library: Any, file: Any, name: str, shown: str) -> bytes:
    try:
        with library.ZipFile(file) as archive:
            info = archive.getinfo(name)
            if info.file_size > MAX_BYTES or info.file_size > MAX_RATIO * max(info.compress_size, 1_000):
                size = f"{info.file_size:,} bytes"
                raise TableError(f"{shown}: {visible(name)} would unpack to {size}, which is not read")
            content: bytes = archive.read(info)
            return content
    except KeyError:
        raise TableError(f"{shown} holds no {short(name)}") from None
    except (TableError, NotImplementedError, MemoryError):
        raise
    except (library.BadZipFile, OSError, EOFError, ValueError, RuntimeError, zlib.error) as error:
        raise _damaged(shown, error) from None
    except Exception as error:
        if type(error).__name__ != "ZstdError":  # known without the package that may be missing
            raise
        raise _damaged(shown, error) from None


def _damaged(shown: str, error: Exception) -> TableError:
    return TableError(f"{shown} cannot be read as a zip file: {_errors.short(str(error) or type(error).__name__)}")
