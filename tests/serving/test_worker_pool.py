"""Processes answer in their turn; one that takes too long, dies or is not wanted any more is replaced."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from threading import Thread

import pytest

from evalstats.serving import worker_pool as module
from evalstats.serving.worker_pool import Gone, TooLong, Workers

SLOW = {"ask": "plan", "options": {"test": "wilcoxon", "datasets": 2000, "simulations": 100_000_000}}
SAMPLE = {"ask": "sample", "options": {"name": "wide"}}


@pytest.fixture
def workers() -> Iterator[Workers]:
    workers = Workers(most=2, time_limit=60)
    yield workers
    workers.close()


def is_answered(workers: Workers) -> bool:
    _, body = workers.ask(SAMPLE, b"")
    return "answer" in json.loads(body)


def pids(workers: Workers) -> list[int]:
    return [worker._process.pid for worker in workers._all]


def test_same_process_answers_again(workers: Workers) -> None:
    assert is_answered(workers)
    first = pids(workers)

    assert is_answered(workers)
    assert pids(workers) == first


def test_process_that_died_is_replaced(workers: Workers) -> None:
    assert is_answered(workers)
    (pid,) = pids(workers)
    os.kill(pid, signal.SIGKILL)
    time.sleep(0.2)

    assert is_answered(workers)
    assert pids(workers) != [pid]


def test_analysis_that_takes_too_long_is_stopped(workers: Workers) -> None:
    assert is_answered(workers)
    workers.time_limit = 0.5

    with pytest.raises(TooLong):
        workers.ask(SLOW, b"")

    assert pids(workers) == []
    workers.time_limit = 60
    assert is_answered(workers)


def test_analysis_that_nobody_wants_is_stopped(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.5)

    with pytest.raises(Gone):
        workers.ask(SLOW, b"", lambda: False)

    assert pids(workers) == []


def test_more_questions_than_processes_wait_for_their_turn(workers: Workers) -> None:
    answered: list[bool] = []
    threads = [Thread(target=lambda: answered.append(is_answered(workers))) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answered == [True] * 20
    assert len(pids(workers)) <= 2


def test_nothing_is_left_when_it_closes() -> None:
    workers = Workers(most=1)
    workers.warm_up()
    (pid,) = pids(workers)

    workers.close()

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(Gone):
        workers.ask(SAMPLE, b"")
