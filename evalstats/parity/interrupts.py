"""How does Ctrl-C reach R, while R works and Python waits?"""

from __future__ import annotations

__all__ = ["Interrupts"]

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupts:
    """Ctrl-C during a call of R ends the call: R is told at once, Python when R has come back.

    Python runs a signal handler between two of its own steps. While R works there are none, but in a callback, where an
    exception would be printed and lost. So Python only takes note. What it writes to a socket when the signal comes, a
    thread reads, which tells R; R looks for it wherever it may be interrupted.
    """

    def __init__(self, set_pending: Callable[[bool], object]) -> None:
        self._set_pending = set_pending
        self._was_told = threading.Event()
        self._writer: socket.socket | None = None
        self._came = False

    @contextmanager
    def raised_afterwards(self) -> Iterator[None]:
        """Hold Ctrl-C back while R works, and raise it as a KeyboardInterrupt then."""
        before = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is not threading.main_thread() or before is not signal.default_int_handler:
            yield  # signals are the main thread's, and another handler is somebody else's
            return
        if self._writer is None:
            self._writer = self._watched()
        self._came = False
        self._was_told.clear()
        signal.signal(signal.SIGINT, self._take_note)
        wakeup = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakeup)
            signal.signal(signal.SIGINT, before)
            if self._came:
                self._was_told.wait(timeout=1)
                self._set_pending(False)  # R may have come back without looking
                raise KeyboardInterrupt

    def _take_note(self, _number: int, _frame: FrameType | None) -> None:
        self._came = True

    def _watched(self) -> socket.socket:
        """Return a socket whose other end a thread reads."""
        reader, writer = socket.socketpair()
        writer.setblocking(False)
        threading.Thread(target=self._wait, args=(reader,), name="Ctrl-C for R", daemon=True).start()
        return writer

    def _wait(self, reader: socket.socket) -> None:
        while numbers := reader.recv(64):
            if signal.SIGINT in numbers:
                self._set_pending(True)
                self._was_told.set()
