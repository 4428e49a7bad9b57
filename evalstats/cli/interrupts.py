"""Handling of Ctrl-C during imports, because some C extension modules ignore it."""

from __future__ import annotations

__all__ = ["wait_for_modules"]

import _thread
import signal
import threading
import time
from types import FrameType

AGAIN, LONGEST = 0.02, 10.0  # seconds between checks, and seconds until the wait ends


class _Handler:
    """Signal handler that delays KeyboardInterrupt until the current import ends or Ctrl-C is repeated."""

    def __init__(self) -> None:
        self._pressed_at: float | None = None
        self._is_looking_again = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        is_pressed_again = self._pressed_at is not None and not self._is_looking_again
        self._is_looking_again = False
        pressed_at = time.monotonic() if self._pressed_at is None else self._pressed_at
        if is_pressed_again or not _is_loading(frame) or time.monotonic() - pressed_at > LONGEST:
            self._pressed_at = None
            raise KeyboardInterrupt
        self._pressed_at = pressed_at
        timer = threading.Timer(AGAIN, self._look_again)
        timer.daemon = True
        timer.start()

    def _look_again(self) -> None:
        if self._pressed_at is None:
            return
        self._is_looking_again = True
        if hasattr(signal, "pthread_kill"):  # also wakes a call that waits
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            _thread.interrupt_main()


def wait_for_modules() -> None:
    """Delay Ctrl-C until the current import is complete, if the signal has its default handler."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _Handler())


def _is_loading(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False
