"""What was under way when a worker process died? Each process keeps a note of it while it works.

A process that dies tells nothing. Its note stays behind, in a folder of the machine that asked for the work; a worker
on another machine finds no such folder and keeps none.
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
_SECONDS = 0.5  # between two looks at who is the parent
_watched: set[int] = set()


class Notes(NamedTuple):
    """Notes of what is under way; those who travel to other processes know where they are kept."""

    folder: str
    asker: int = 0  # the process that asked for the work

    @classmethod
    @contextmanager
    def kept(cls) -> Iterator[Self]:
        """Keep notes as long as this lasts."""
        with tempfile.TemporaryDirectory(prefix="evalstats-") as folder:
            yield cls(folder, os.getpid())

    @property
    def _own(self) -> Path:
        return Path(self.folder, f"{os.getpid()}-{threading.get_ident()}")

    def begun(self, dataset: str, classifier: str, repeat: int, fold: int) -> None:
        """Note what this process does now."""
        end_with(self.asker)
        with suppress(OSError):
            self._own.write_text(json.dumps([dataset, classifier, repeat, fold]), encoding="utf-8")

    def finished(self) -> None:
        """Take the note of this process away."""
        with suppress(OSError):
            self._own.unlink()

    def left(self) -> str:
        """Tell what the notes say that are still there; empty where there are none."""
        told = []
        for path in sorted(Path(self.folder).iterdir()):
            with suppress(OSError, ValueError):  # of a note that was being written
                dataset, classifier, repeat, fold = json.loads(path.read_text(encoding="utf-8"))
                where = f"repeat {repeat}, fold {fold}" if repeat else "trained on all of it"
                told.append(f"{short(classifier)} on {short(dataset)} ({where})")
        return examples(told, _MOST_TOLD) if told else ""


def end_with(asker: int) -> None:
    """Let this worker end soon after the process that started it, which can no longer tell it to if it was killed.

    A process that is none of its children, as in threads and on other machines, is left alone.
    """
    if os.name != "posix" or os.getppid() != asker or asker in _watched:
        return
    _watched.add(asker)
    threading.Thread(target=_outlive_nobody, args=(asker,), daemon=True).start()


def _outlive_nobody(asker: int) -> None:
    while os.getppid() == asker:
        time.sleep(_SECONDS)
    os._exit(1)
