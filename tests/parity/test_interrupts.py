from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable

import pytest

from evalstats.parity.interrupts import Interrupts

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals are sent the POSIX way"),
    pytest.mark.usefixtures("interruptible"),
]


def during(interrupts: Interrupts, work: Callable[[], object]) -> None:
    with interrupts.raised_afterwards():
        work()


def test_ctrl_c_is_told_at_once_and_raised_afterwards() -> None:
    told: list[bool] = []
    interrupts = Interrupts(told.append)
    steps = []

    def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        until = time.monotonic() + 5
        while not told and time.monotonic() < until:
            time.sleep(0.001)
        steps.append(list(told))

    with pytest.raises(KeyboardInterrupt):
        during(interrupts, work)

    assert steps == [[True]]
    assert told == [True, False]


def test_calls_without_ctrl_c_tell_nothing_and_leave_all_as_it_was() -> None:
    told: list[bool] = []
    interrupts = Interrupts(told.append)

    for _ in range(3):
        with interrupts.raised_afterwards():
            assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler

    assert told == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.set_wakeup_fd(-1) == -1


def test_next_call_is_not_interrupted_again() -> None:
    interrupts = Interrupts(lambda _: None)
    with pytest.raises(KeyboardInterrupt):
        during(interrupts, lambda: os.kill(os.getpid(), signal.SIGINT))

    with interrupts.raised_afterwards():
        pass


def test_error_of_the_call_gives_way_to_ctrl_c() -> None:
    interrupts = Interrupts(lambda _: None)

    def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        raise ValueError("R failed because it was interrupted")

    with pytest.raises(KeyboardInterrupt):
        during(interrupts, work)


def test_handler_of_somebody_else_stays() -> None:
    seen: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: seen.append(number))

    with Interrupts(lambda _: None).raised_afterwards():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)

    assert seen == [signal.SIGINT]


def test_other_threads_have_no_signals() -> None:
    done = []

    def call() -> None:
        with Interrupts(lambda _: None).raised_afterwards():
            done.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()

    assert done == [signal.default_int_handler]
