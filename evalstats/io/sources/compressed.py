"""Content of compressed files and of the members of a zip, with a size limit."""

from __future__ import annotations

__all__ = ["MAX_BYTES", "MAX_RATIO", "opened", "refuse_bomb", "unpacked"]

import bz2
import gzip
import io
import lzma
import os
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

from evalstats import _errors
from evalstats.tables.errors import TableError, first_line_of, short, visible

# a file may unpack to so many bytes, or to so many times its own size
ALWAYS_ALLOWED = 10_000_000
LARGEST_RATIO = 100

_STREAMS: dict[bytes, Callable[[Any], Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
FAULTS = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, NotImplementedError)


def opened(file: Any, name: str, start: bytes) -> tuple[Any, str] | None:
    """Return the content of a compressed file and its inner name, or None if the file is not compressed."""
    for magic, unpacker in _STREAMS.items():
        if start.startswith(magic):
            inner = name.rsplit(".", 1)[0] if name.lower().endswith((".gz", ".bz2", ".xz")) else name
            content = file.read()
            return _read(unpacker(io.BytesIO(content)), name, _allowed(len(content))), inner
    if start.startswith(b"PK\x03\x04"):
        return _opened_zip(file, name)
    return None


def refuse_bomb(file: Any, name: str) -> int:
    """Reject a zip file whose content is far larger than the file; return the size of the content."""
    try:
        with zipfile.ZipFile(file) as archive:
            n_bytes = sum(part.file_size for part in archive.infolist())
    except FAULTS as error:
        raise TableError(f"{name} cannot be read as an Excel file: {short(first_line_of(error))}") from None
    n_packed = file.seek(0, os.SEEK_END)
    file.seek(0)
    if n_bytes > _allowed(n_packed):
        raise _too_large(name, f"{n_bytes:,} bytes")
    return n_bytes


def _opened_zip(file: Any, name: str) -> tuple[Any, str] | None:
    """Return the only file in a zip; return None for a workbook or a damaged zip, which a different reader handles."""
    try:
        with zipfile.ZipFile(file) as archive:
            parts = [part for part in archive.infolist() if _is_content(part)]
            if any(part.filename.startswith(("xl/", "[Content_Types]")) for part in parts):
                return None
            if len(parts) != 1:
                inside = (
                    f"{len(parts)} files: {_errors.listed([part.filename for part in parts])}" if parts else "no file"
                )
                raise TableError(f"{name} must hold one table, but holds {inside}")
            n_packed = file.seek(0, os.SEEK_END)
            with archive.open(parts[0]) as stream:
                inner = visible(os.path.basename(parts[0].filename))
                return _read(stream, name, _allowed(n_packed)), inner
    except (TableError, MemoryError):
        raise
    except NotImplementedError:
        raise TableError(f"{name} is compressed with a method that Python does not support") from None
    except RuntimeError:
        raise TableError(f"{name} is protected by a password") from None
    except Exception:  # a damaged zip raises various exceptions; the reader of workbooks reports the damage
        return None
    finally:
        file.seek(0)


def _is_content(part: zipfile.ZipInfo) -> bool:
    # a name may be empty, for which is_dir() fails
    return not part.filename.startswith("__MACOSX/") and not part.filename.endswith(("/", ".DS_Store"))


def _allowed(n_packed: int) -> int:
    return max(ALWAYS_ALLOWED, LARGEST_RATIO * n_packed)


def _read(stream: Any, name: str, allowed: int) -> io.BytesIO:
    try:
        content = stream.read(allowed + 1)
    except FAULTS as error:
        raise TableError(f"{name} cannot be unpacked: {short(first_line_of(error))}") from None
    if len(content) > allowed:
        raise _too_large(name, f"more than {allowed:,} bytes")
    return io.BytesIO(content)


def _too_large(name: str, size: str) -> TableError:
    return TableError(
        f"{name} unpacks to {size}, more than {LARGEST_RATIO} times its own size, so it is not read; unpack it first"
    )


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
