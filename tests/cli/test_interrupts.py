"""Ctrl-C is not lost in a module that swallows it, and waits for none that is loaded without end."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOADING = """
import os, signal, sys, threading, time

def press():
    os.kill(os.getpid(), signal.SIGINT)

class Loading:
    def find_spec(self, name, *_):
        if name != "click":
            return
        try:
            press()
            {while_loading}
        except KeyboardInterrupt:
            {when_interrupted}

sys.meta_path.insert(0, Loading())
from evalstats.cli import main
sys.argv[1:] = ["plan", "wilcoxon", "--datasets", "30", "--effect", "0.5", "--simulations", "100000000"]
main()
"""


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("while_loading", "when_interrupted"),
    [("time.sleep(0.3)", "pass"), ("threading.Timer(0.5, press).start(); time.sleep(300)", "raise")],
    ids=["waited for", "pressed again"],
)
def test_interrupt_ends_the_program_after_a_module_was_loaded_or_if_pressed_again(
    while_loading: str, when_interrupted: str
) -> None:
    script = LOADING.format(while_loading=while_loading, when_interrupted=when_interrupted)

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=60)

    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.usefixtures("interruptible")
def test_a_module_that_is_loaded_without_end_is_not_waited_for() -> None:
    script = "import evalstats.cli.interrupts as own\nown.LONGEST = 0.5\n"
    script += LOADING.format(while_loading="time.sleep(300)", when_interrupted="raise")

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=60)

    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
