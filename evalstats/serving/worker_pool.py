"""Pool of worker processes for the web interface, with a time limit for each request."""

from __future__ import annotations

__all__ = ["Gone", "TooLong", "Workers"]

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from evalstats.serving.worker import read_message, write_message

# seconds between two checks of a long request: for the time limit and for a closed connection
_LOOK = 0.25
# seconds after which an abandoned request is stopped; a shorter request is finished, so its process can be reused
PATIENCE = 3.0


class TooLong(Exception):  # noqa: N818  (it is an answer to the page, not a mistake of the program)
    """An analysis took longer than the time limit."""


class Gone(Exception):  # noqa: N818  (it is an answer to the page, not a mistake of the program)
    """The process or the client ended the connection."""


class Workers:
    """Pool of worker processes, which are started on demand. The most recently used process is used first."""

    def __init__(self, most: int | None = None, *, time_limit: float = 300.0) -> None:
        self._free: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._turn = threading.Semaphore(most or min(4, max(2, os.cpu_count() or 1)))
        self._lock = threading.Lock()
        self._closed = False
        self.time_limit = time_limit

    def warm_up(self) -> None:
        """Start the first process so that it loads its modules before the first request."""
        self._give_back(self._taken())

    def ask(
        self, question: dict[str, Any], content: bytes, is_wanted: Callable[[], bool] = lambda: True
    ) -> tuple[dict[str, Any], bytes]:
        """Return the head and the body of the result of a request.

        Raises
        ------
        TooLong
            If the analysis takes longer than the time limit.
        Gone
            If the process ended, or the client no longer waits for the result.
        """
        while not self._turn.acquire(timeout=_LOOK):
            if self._closed or not is_wanted():
                raise Gone
        try:
            worker = self._taken()
            try:
                answer = worker.ask(question, content, self.time_limit, is_wanted)
            except BaseException:
                self._end(worker)
                raise
            self._give_back(worker)
            return answer
        finally:
            self._turn.release()

    def close(self) -> None:
        """Stop all processes, including processes that are computing a result."""
        with self._lock:
            self._closed = True
            ended, self._all, self._free = self._all, set(), []
        for worker in ended:
            worker.end()

    def _taken(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise Gone
            while self._free:
                worker = self._free.pop()
                if worker.is_alive():
                    return worker
                self._all.discard(worker)
                worker.end()
            worker = _Worker()
            self._all.add(worker)
            return worker

    def _give_back(self, worker: _Worker) -> None:
        with self._lock:
            self._free.append(worker)

    def _end(self, worker: _Worker) -> None:
        with self._lock:
            self._all.discard(worker)
        worker.end()


class _Worker:
    """Worker process of the pool."""

    def __init__(self) -> None:
        # the same modules as in this process, from the same paths
        script = f"import sys; sys.path[:] = {sys.path!r}; from evalstats.serving.worker import main; main()"
        # in its own session, because Ctrl-C must not reach it before it ignores the signal
        self._process = subprocess.Popen(
            [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(
        self, question: dict[str, Any], content: bytes, time_limit: float, is_wanted: Callable[[], bool]
    ) -> tuple[dict[str, Any], bytes]:
        answer: list[tuple[dict[str, Any], bytes]] = []
        thread = threading.Thread(target=self._exchange, args=(question, content, answer), daemon=True)
        started = time.monotonic()
        thread.start()
        while thread.is_alive():
            thread.join(_LOOK)
            waited = time.monotonic() - started
            if not thread.is_alive():
                break
            if waited > time_limit:
                raise TooLong
            if waited > PATIENCE and not is_wanted():
                raise Gone
        if not answer:
            raise Gone
        return answer[0]

    def _exchange(self, question: dict[str, Any], content: bytes, answer: list[tuple[dict[str, Any], bytes]]) -> None:
        with suppress(OSError, ValueError):  # the process was ended
            write_message(self._process.stdin, json.dumps(question).encode())  # type: ignore[arg-type]  # it is a pipe
            write_message(self._process.stdin, content)  # type: ignore[arg-type]  # so it is
            head, body = read_message(self._process.stdout), read_message(self._process.stdout)  # type: ignore[arg-type]  # and this one
            if head is not None and body is not None:
                answer.append((json.loads(head), body))

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError, ValueError):
                if pipe is not None:
                    pipe.close()
