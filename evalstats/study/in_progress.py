"""Notes of each worker process about its current task, for error messages after a crash.

A process that crashes cannot report anything. Its note remains in a folder of the main machine. A worker on another
machine does not find this folder and keeps no note.
"""

from __future__ import annotations

__all__ = ["Notes", "end_with"]

import json
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Self

from evalstats._errors import examples, short

_MOST_TOLD = 5
_SECONDS = 0.5  # seconds between two checks of the parent process
_watched: set[int] = set()


class Notes(NamedTuple):
    """Notes on current tasks; copies of this object in other processes know the folder."""

    folder: str
    asker: int = 0  # the process that requested the work

    @classmethod
    @contextmanager
    def kept(cls) -> Iterator[Self]:
        """Keep notes while the context is active."""
        with tempfile.TemporaryDirectory(prefix="evalstats-") as folder:
            yield cls(folder, os.getpid())

    @property
    def _own(self) -> Path:
        return Path(self.folder, f"{os.getpid()}-{threading.get_ident()}")

    def begun(self, dataset: str, classifier: str, repeat: int, fold: int) -> None:
        """Write a note on the current task of this process."""
        end_with(self.asker)
        with suppress(OSError):
            self._own.write_text(json.dumps([dataset, classifier, repeat, fold]), encoding="utf-8")

    def finished(self) -> None:
        """Remove the note of this process."""
        with suppress(OSError):
            self._own.unlink()

    def left(self) -> str:
        """Return the remaining notes as a sentence, or '' if there are none."""
        told = []
        for path in sorted(Path(self.folder).iterdir()):
            with suppress(OSError, ValueError):  # a note that was not written completely
                dataset, classifier, repeat, fold = json.loads(path.read_text(encoding="utf-8"))
                where = f"repeat {repeat}, fold {fold}" if repeat else "trained on the whole dataset"
                told.append(f"{short(classifier)} on {short(dataset)} ({where})")
        return examples(told, _MOST_TOLD) if told else ""


def end_with(asker: int) -> None:
    """End this worker soon after its parent process, because a killed parent cannot end its workers.

    A process that is not a child, as with threads and on other machines, is not affected.
    """
    if os.name != "posix" or os.getppid() != asker or asker in _watched:
        return
    _watched.add(asker)
    threading.Thread(target=_outlive_nobody, args=(asker,), daemon=True).start()


def _outlive_nobody(asker: int) -> None:
    while os.getppid() == asker:
        time.sleep(_SECONDS)
    os._exit(1)
