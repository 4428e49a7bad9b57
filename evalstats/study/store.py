"""Storage of the runs of a study, in memory or in a directory.

A directory contains ``study.json``, which describes the study. The folders ``scores`` and ``predictions`` contain a
Parquet file for each finished repeat of a classifier on a dataset. Files are written atomically.
"""

from __future__ import annotations

__all__ = [
    "DirectoryStore",
    "MemoryStore",
    "StudyStorageError",
    "have_same_cases",
    "is_study",
    "manifest_in",
    "scores_of_cases",
]

import io
import json
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from evalstats import _files
from evalstats._errors import EvalstatsError, EvalstatsWarning, InvalidValueError, short
from evalstats._types import FloatArray, IndexArray
from evalstats.study.single_run import PREDICTION_COLUMNS, RUN_COLUMNS, Repeat

Key = tuple[str, str, int]  # dataset, classifier, repeat
Columns = dict[str, list[Any]]

MANIFEST = "study.json"
FORMAT = 1
KEYS = {"dataset": "string", "classifier": "string", "repeat": "int64"}
KINDS = {"scores": RUN_COLUMNS, "predictions": PREDICTION_COLUMNS}


def have_same_cases(runs: Sequence[IndexArray]) -> bool:
    """Return whether all runs have the same instances: at least two, each once, in ascending order."""
    first = runs[0]
    return len(first) > 1 and bool((np.diff(first) > 0).all()) and all(np.array_equal(first, own) for own in runs)


def scores_of_cases(predictions: Mapping[str, Any]) -> FloatArray:
    """Return the scores of one repeat, sorted by instance: of the positive label, or of each of several labels."""
    proba = list(predictions["y_proba"])
    scores = predictions["y_score"] if proba[0] is None else proba
    return np.array(scores, dtype=np.float64)[np.argsort(predictions["row"])]


class StudyStorageError(EvalstatsError, OSError):
    """The directory of a study cannot be written or read."""


class MemoryStore:
    """Storage of runs in memory."""

    directory: str | None = None

    def __init__(self) -> None:
        self._runs: dict[Key, Columns] = {}
        self._predictions: dict[Key, dict[str, Any]] = {}

    def keep(self, key: Key, repeat: Repeat) -> None:
        """Save the folds of a repeat."""
        self._runs[key] = repeat.runs
        if repeat.predictions is not None:
            self._predictions[key] = repeat.predictions

    def runs(self) -> dict[Key, Columns]:
        """Return the folds of every finished repeat."""
        return self._runs

    def predictions_of(self, key: Key) -> Mapping[str, Any]:
        """Return the predictions in one repeat."""
        return self._predictions.get(key, {})

    def finish(self) -> None:
        """Do nothing: storage in memory does not record the end of a study."""


class DirectoryStore:
    """Storage of runs in a directory, including earlier runs."""

    def __init__(self, directory: Any, description: Mapping[str, Any], made_with: Mapping[str, str]) -> None:
        self._path = Path(directory).absolute()  # a classifier may change the working directory
        self.directory: str | None = str(directory)
        manifest = manifest_in(directory)
        if manifest is None:
            new = {"evalstats_study": FORMAT, "finished": False, "made_with": dict(made_with)}
            manifest = self._create(new | {"description": dict(description)})
        if manifest["description"] != description:
            differences = "; ".join(_differences(manifest["description"], description))
            raise InvalidValueError(f"directory {str(directory)!r} holds a different study: {differences}")
        self._manifest = manifest
        self._numbers = [
            {name: i for i, name in enumerate(manifest["description"][names])} for names in ("datasets", "classifiers")
        ]
        paths = sorted((self._path / "scores").glob("*.parquet"))
        self._runs: dict[Key, Columns] = {}
        for path in paths:
            try:
                key, columns = _read(path, RUN_COLUMNS)
            except StudyStorageError as error:
                warnings.warn(f"{error}: its runs count as not computed", EvalstatsWarning, stacklevel=4)
            else:
                self._runs[key] = columns

    def keep(self, key: Key, repeat: Repeat) -> None:
        """Write the folds of a repeat. They count as finished once the file of their scores exists."""
        if repeat.predictions is not None and len(repeat.predictions["row"]):
            self._write(self._file("predictions", key), _parquet(key, repeat.predictions, PREDICTION_COLUMNS))
        self._write(self._file("scores", key), _parquet(key, repeat.runs, RUN_COLUMNS))
        self._runs[key] = repeat.runs

    def runs(self) -> dict[Key, Columns]:
        """Return the folds of every finished repeat."""
        return self._runs

    def predictions_of(self, key: Key) -> Mapping[str, Any]:
        """Return the predictions in one repeat."""
        path = self._file("predictions", key)
        if not path.exists() and None not in self._runs.get(key, {"failure": []})["failure"]:
            return {}  # all of its folds failed
        try:
            found, columns = _read(path, PREDICTION_COLUMNS)
            if found != key:
                raise StudyStorageError(f"{path} holds the predictions of {found}, not of {key}")
            return columns
        except StudyStorageError as error:
            raise StudyStorageError(
                f"{error}; delete the file of the same name in the folder scores, and run_study computes the repeat "
                "again"
            ) from None

    @property
    def n_missing(self) -> int:
        """Return the number of missing runs of a finished study."""
        n_runs: int = self._manifest.get("n_runs", 0)
        return max(0, n_runs - len(self._runs))

    def _file(self, kind: str, key: Key) -> Path:
        datasets, classifiers = self._numbers
        return self._path / kind / f"{datasets[key[0]]:04}-{classifiers[key[1]]:04}-{key[2]:06}.parquet"

    def finish(self) -> None:
        """Record the end of the study."""
        if not self._manifest["finished"] or "n_runs" not in self._manifest:
            self._manifest = self._manifest | {"finished": True, "n_runs": len(self._runs)}
            self._write(self._path / MANIFEST, _json(self._manifest))

    def _create(self, manifest: dict[str, Any]) -> dict[str, Any]:
        """Create a study in the directory. Return its description, which another process may have written."""
        try:
            held = os.listdir(self._path) if self._path.exists() else []
            # files of a study that was killed at its beginning
            held = [name for name in held if name not in KINDS and not name.startswith(MANIFEST)]
            if held:
                raise InvalidValueError(
                    f"directory must be new, empty or the directory of a study, but {short(str(self._path))} holds "
                    f"{short(min(held))}"
                )
            for kind in KINDS:
                (self._path / kind).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StudyStorageError(f"cannot create the directory {self._path}: {error.strerror}") from None
        self._write(self._path / MANIFEST, _json(manifest), place=_place_new)
        return manifest_in(self._path) or manifest

    def _write(self, path: Path, content: bytes, *, place: Callable[[Path, Path], None] = os.replace) -> None:
        """Write a file atomically, but without fsync, which would take longer than a fit.

        If the machine crashes, a file may be damaged, and its runs are computed again.
        """
        temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        try:
            temporary.write_bytes(content)
            place(temporary, path)
        except OSError as error:
            with suppress(OSError):
                temporary.unlink()
            raise StudyStorageError(
                f"cannot write to {self._path}: {error.strerror}; the finished runs are saved there, and the same "
                "call resumes the study"
            ) from None


def _place_new(temporary: Path, path: Path) -> None:
    """Rename a file if the target does not exist, so only one of two concurrent processes succeeds."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        os.replace(temporary, path)
        return
    temporary.unlink()


def is_study(path: Any) -> bool:
    """Return whether a path is the directory of a study."""
    return isinstance(path, str | os.PathLike) and os.path.isfile(os.path.join(path, MANIFEST))


def manifest_in(directory: Any) -> dict[str, Any] | None:
    """Return the description of the study in a directory, and whether it is finished, or None if there is no study."""
    path = Path(directory, MANIFEST)
    try:
        with _files.opened(path) as file:
            manifest: dict[str, Any] = json.loads(_files.whole(file))
        version, _ = manifest["evalstats_study"], manifest["description"]
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, KeyError, TypeError):
        raise StudyStorageError(f"{path} is damaged") from None
    except OSError as error:
        raise StudyStorageError(f"cannot read {path}: {error.strerror}") from None
    if version != FORMAT:
        raise StudyStorageError(f"{path} was written by another version of evalstats")
    return manifest


def _json(manifest: Mapping[str, Any]) -> bytes:
    return (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()


def _parquet(key: Key, columns: Mapping[str, Any], types: Mapping[str, str]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    n = len(columns["fold"])
    keys = {name: [part] * n for name, part in zip(KEYS, key, strict=True)}
    arrays = {
        name: pa.array((keys | dict(columns))[name], type=_arrow_type(kind), from_pandas=False)
        for name, kind in (KEYS | dict(types)).items()
    }
    file = io.BytesIO()
    pq.write_table(pa.table(arrays), file, write_statistics=False, write_page_checksum=True)
    return file.getvalue()


def _arrow_type(kind: str) -> Any:
    import pyarrow as pa

    return pa.list_(pa.float64()) if kind == "probabilities" else getattr(pa, kind)()


def _read(path: Path, types: Mapping[str, str]) -> tuple[Key, Columns]:
    import pyarrow.parquet as pq

    try:
        columns = pq.ParquetFile(path, page_checksum_verification=True).read().to_pydict()
        key = columns["dataset"][0], columns["classifier"][0], columns["repeat"][0]
        return key, {name: columns[name] for name in types}
    except (OSError, ValueError, KeyError, IndexError, NotImplementedError):
        raise StudyStorageError(f"{path} is damaged") from None


def _differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """Return a sentence with the differences between two study descriptions."""
    found = []
    for name in here:
        old, new = there.get(name), here[name]
        if isinstance(new, Mapping) and isinstance(old, Mapping):
            what = name.removesuffix("s")
            found += [f"{what} {part!r} is missing in the directory" for part in new if part not in old]
            found += [f"{what} {part!r} is only in the directory" for part in old if part not in new]
            found += [
                f"{what} {part!r} is different in the directory"
                for part in new
                if part in old and old[part] != new[part]
            ]
        elif old != new:
            found.append(f"{name} is {short(old)} in the directory and {short(new)} in this call")
    return found or ["its description was changed"]
