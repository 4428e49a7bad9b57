"""The bridge to R: values cross it unharmed, errors have names, threads wait for each other, and nothing is printed."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evalstats._errors import EvalstatsError, InvalidValueError
from evalstats.parity import RNotAvailableError
from evalstats.parity.live_r import R, RFailedError, RStoppedError, start
from evalstats.parity.reference_cases import Stem

ADAPTER = """
echo <- function(...) list(...)
plus <- function(x, y) x + y
describe <- function(x) list(type = typeof(x), shape = paste(dim(x), collapse = " x "))
many <- function() list(int = 1:3, na = NA, yes = TRUE, both = c(TRUE, FALSE), nan = NaN, inf = -Inf,
                        word = c("a", "b"), m = matrix(1:6, nrow = 2), one = matrix(5), none = numeric(0),
                        na_real = NA_real_)
nothing <- function() list()
warn <- function() { warning("first"); warning("second"); list(value = 1) }
speak <- function() { print("one"); cat("two\\n"); message("three"); cat("four", file = stderr()); list(value = 1) }
fail <- function() stop("this is wrong")
nameless <- function() list(1, 2)
twice <- function() list(a = 1, a = 2)
strange <- function() list(a = 1, model = quote(x))
sees_the_workspace <- function() list(value = exists("left_by_the_user"))
slow <- function() { Sys.sleep(60); list(value = 1) }
endless <- function() repeat {}
leave <- function() { assign("left_by_the_user", 1, envir = globalenv()); list() }
quits <- function() quit(status = 3)
is_killed <- function() { tools::pskill(Sys.getpid(), tools::SIGKILL); Sys.sleep(60) }
exhausts <- function() { f <- function(n) c(f(n + 1), n); f(1) }
"""


@pytest.fixture(scope="session")
def stem() -> Stem:
    return Stem(name="demo/bridge", adapter=ADAPTER, references={}, cases=())


def code(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in {"R_HOME", "EVALSTATS_REQUIRE_R"}}
    return subprocess.run(
        [sys.executable, "-c", script],
        env={**clean, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def fields(r: R, stem: Stem, function: str, **arguments) -> dict:
    return dict(r.ask(stem, function, arguments).fields)


@pytest.mark.live
def test_numbers_words_and_truths_cross_over_and_back(r: R, stem: Stem) -> None:
    values = {
        "x": 0.1 + 0.2,
        "v": [1.0, 1e-300, -math.inf],
        "m": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
        "w": "two-sided",
        "b": False,
    }

    assert fields(r, stem, "echo", **values) == values


@pytest.mark.live
def test_nan_crosses_over_and_back(r: R, stem: Stem) -> None:
    assert math.isnan(fields(r, stem, "echo", x=math.nan)["x"])


@pytest.mark.live
@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (3, {"type": "double", "shape": ""}),
        ([1, 2], {"type": "double", "shape": ""}),
        ([], {"type": "logical", "shape": ""}),
        ([[1, 2, 3], [4, 5, 6]], {"type": "double", "shape": "2 x 3"}),
        ([[7]], {"type": "double", "shape": "1 x 1"}),
        (True, {"type": "logical", "shape": ""}),
        ([True, False], {"type": "logical", "shape": ""}),
        (["a", "b"], {"type": "character", "shape": ""}),
    ],
)
def test_r_gets_vectors_and_matrices(r: R, stem: Stem, value: object, kind: dict) -> None:
    assert fields(r, stem, "describe", x=value) == kind


@pytest.mark.live
def test_answers_become_plain_values(r: R, stem: Stem) -> None:
    answer = fields(r, stem, "many")

    assert math.isnan(answer.pop("na"))
    assert math.isnan(answer.pop("nan"))
    assert math.isnan(answer.pop("na_real"))
    assert answer == {
        "int": [1.0, 2.0, 3.0],
        "yes": True,
        "both": [True, False],
        "inf": -math.inf,
        "word": ["a", "b"],
        "m": [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]],
        "one": [[5.0]],
        "none": [],
    }


@pytest.mark.live
def test_plain_answer_is_the_field_value(r: R, stem: Stem) -> None:
    assert fields(r, stem, "plus", x=[1, 2], y=1) == {"value": [2.0, 3.0]}


@pytest.mark.live
def test_no_answer_is_no_field(r: R, stem: Stem) -> None:
    assert fields(r, stem, "nothing") == {}


@pytest.mark.live
def test_warnings_are_collected(r: R, stem: Stem) -> None:
    assert r.ask(stem, "warn", {}).warnings == ("first", "second")


@pytest.mark.live
def test_console_stays_silent(r: R, stem: Stem, capfd: pytest.CaptureFixture[str]) -> None:
    fields(r, stem, "speak")

    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")


@pytest.mark.live
@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        ("fail", {}, "this is wrong"),
        ("absent", {}, "object 'absent' of mode 'function' was not found"),
        ("plus", {"x": 1, "z": 2}, "unused argument"),
        ("nameless", {}, "must have a name of its own"),
        ("twice", {}, "must have a name of its own"),
        ("strange", {}, "model must be numbers, strings or truth values in a vector or matrix"),
        ("plus", {"x": [[1, 2], [3]], "y": 1}, "the rows of x have different lengths"),
        ("plus", {"x": [{"a": 1}], "y": 1}, "x must hold numbers or strings or truth values"),
    ],
)
def test_error_of_r_is_an_error_with_its_message(
    r: R, stem: Stem, function: str, arguments: dict, message: str
) -> None:
    with pytest.raises(RFailedError, match=message):
        r.ask(stem, function, arguments)


@pytest.mark.live
def test_adapter_that_cannot_be_read_is_named(r: R) -> None:
    with pytest.raises(RFailedError, match=r"demo/broken.R cannot be read"):
        r.ask(Stem(name="demo/broken", adapter="f <- function( {", references={}, cases=()), "f", {})


@pytest.mark.live
def test_words_are_never_code(r: R, stem: Stem) -> None:
    """A string, an argument's name and a function's name that are R code reach R as text."""
    attack = "'); stop('executed'); ('"

    assert fields(r, stem, "echo", x=attack) == {"x": attack}
    assert fields(r, stem, "echo", **{attack: 1.0}) == {attack: 1.0}
    with pytest.raises(RFailedError, match="was not found"):
        r.ask(stem, attack, {})


@pytest.mark.live
def test_adapters_do_not_see_the_workspace_of_the_user(r: R, stem: Stem) -> None:
    fields(r, stem, "leave")

    assert fields(r, stem, "sees_the_workspace") == {"value": False}


@pytest.mark.live
def test_versions_are_known_and_a_missing_package_has_none(r: R) -> None:
    assert r.version == r.package_version("stats")
    assert r.package_version("noSuchPackage") is None


@pytest.mark.live
def test_there_is_one_r(r: R) -> None:
    assert start() is r


@pytest.mark.live
def test_eight_threads_get_right_answers(r: R, stem: Stem) -> None:
    """Without R's lock, threads get wrong sums or end the process."""
    barrier = threading.Barrier(8)

    def sums(thread: int) -> bool:
        barrier.wait()
        return all(
            fields(r, stem, "plus", x=[float(thread), float(i)], y=1.0) == {"value": [thread + 1.0, i + 1.0]}
            for i in range(100)
        )

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(sums, range(8)))


@pytest.mark.live
def test_r_may_be_started_in_a_thread(r: R) -> None:
    script = (
        "import warnings; warnings.simplefilter('error')\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from evalstats.parity.live_r import start\n"
        "with ThreadPoolExecutor(4) as pool:\n"
        "    print({f.result().version for f in [pool.submit(start) for _ in range(4)]})\n"
    )

    done = code(script)

    assert (done.stdout, done.stderr, done.returncode) == (f"{{'{r.version}'}}\n", "", 0)


@pytest.mark.long
@pytest.mark.live
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent the POSIX way")
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("work", ["slow", "endless"])
def test_ctrl_c_while_r_works_is_a_keyboard_interrupt(r: R, work: str) -> None:
    script = (
        "from evalstats.parity.live_r import start\nfrom evalstats.parity.reference_cases import Stem\n"
        f"stem = Stem(name='demo/bridge', adapter={ADAPTER!r}, references={{}}, cases=())\n"
        "r = start()\n"
        "print('ready', flush=True)\n"
        f"try:\n    r.ask(stem, {work!r}, {{}})\n"
        "except KeyboardInterrupt:\n    print('interrupted', r.ask(stem, 'plus', {'x': 1, 'y': 1}).fields)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout.readline() == "ready\n"
        threading.Timer(0.5, child.send_signal, [signal.SIGINT]).start()
        out, err = child.communicate(timeout=30)

    assert out == "interrupted {'value': 2.0}\n", err


@pytest.mark.long
@pytest.mark.live
@pytest.mark.parametrize(
    ("function", "how"),
    [
        ("quits", "exit status 3"),
        pytest.param(
            "is_killed", "signal 9", marks=pytest.mark.skipif(sys.platform == "win32", reason="no signals there")
        ),
    ],
)
def test_r_that_dies_is_an_error_and_the_next_question_is_answered(r: R, stem: Stem, function: str, how: str) -> None:
    with pytest.raises(RStoppedError, match=f"R ended without a result .{how}.") as caught:
        r.ask(stem, function, {})

    assert not caught.value.hung
    assert fields(r, stem, "plus", x=1, y=1) == {"value": 2.0}


@pytest.mark.live
def test_endless_recursion_is_an_error_of_r(r: R, stem: Stem) -> None:
    with pytest.raises(RFailedError):
        r.ask(stem, "exhausts", {})

    assert fields(r, stem, "plus", x=1, y=1) == {"value": 2.0}


@pytest.mark.long
@pytest.mark.live
@pytest.mark.usefixtures("r")
@pytest.mark.parametrize("work", ["slow", "endless"])
def test_r_that_hangs_is_stopped_and_the_next_question_is_answered(stem: Stem, work: str) -> None:
    r = R(seconds=1)

    with pytest.raises(RStoppedError, match="R returned no result within 1 seconds") as caught:
        r.ask(stem, work, {})

    assert caught.value.hung
    assert fields(r, stem, "plus", x=1, y=1) == {"value": 2.0}
    r.close()


@pytest.mark.long
@pytest.mark.live
@pytest.mark.usefixtures("r")
def test_r_that_was_ended_from_outside_is_begun_again(stem: Stem) -> None:
    r = R()
    r._process.kill()
    r._process.wait()

    assert fields(r, stem, "plus", x=1, y=1) == {"value": 2.0}
    r.close()


@pytest.mark.live
@pytest.mark.usefixtures("r")
def test_r_ends_with_the_process_that_asked() -> None:
    done = code("from evalstats.parity.live_r import start; print(start()._process.pid)")

    assert done.stderr == ""
    with pytest.raises(OSError, match="No such process"):
        os.kill(int(done.stdout), 0)


@pytest.mark.parametrize("said", ["soon", "0", "-1", "nan", "1e400"])
def test_time_limit_must_be_seconds(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    from evalstats.parity import live_r as live

    monkeypatch.setenv("EVALSTATS_R_SECONDS", said)

    with pytest.raises(InvalidValueError, match="EVALSTATS_R_SECONDS must be a number of seconds above 0"):
        live._time_limit()


@pytest.mark.parametrize(
    ("environment", "reason"),
    [
        ({"R_HOME": "/nonexistent"}, "the environment variable R_HOME is '/nonexistent', but R is not installed there"),
        ({"R_HOME": "x" * 5000}, "the environment variable R_HOME is 'xxx"),
        ({"PATH": ""}, "R is not on the PATH"),
        ({"PATH": "", "R_HOME": "/nonexistent"}, "the environment variable R_HOME is '/nonexistent'"),
    ],
)
def test_missing_r_is_a_sentence_and_the_interpreter_lives(environment: dict[str, str], reason: str) -> None:
    pytest.importorskip("rpy2", reason="rpy2 is not installed")
    script = (
        "from evalstats.parity.live_r import start, RNotAvailableError\n"
        "try:\n    start()\nexcept RNotAvailableError as error:\n    print(error)\n"
    )

    done = code(script, **environment)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(reason)
    assert "apt-get install r-base-core" in done.stdout


def test_missing_rpy2_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from evalstats.parity import live_r as live

    monkeypatch.setattr(live.importlib.util, "find_spec", lambda name: None)

    with pytest.raises(RNotAvailableError, match=r"rpy2 is not installed; .*pip install 'rpy2>=3.5.17,<3.6'"):
        R()


@pytest.mark.skipif(sys.platform == "win32", reason="the impostor is a shell script")
def test_r_that_does_not_run_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rpy2", reason="rpy2 is not installed")
    impostor = tmp_path / "R"
    impostor.write_text("#!/bin/sh\necho cannot load libR.so >&2\nexit 127\n")
    impostor.chmod(0o755)
    monkeypatch.delenv("R_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(RNotAvailableError, match=r"R does not run: cannot load libR.so; install R"):
        R()


def test_unavailable_r_is_one_of_our_errors() -> None:
    assert issubclass(RNotAvailableError, EvalstatsError)


def test_import_does_not_start_r() -> None:
    done = code("import sys, evalstats.parity; print('rpy2' in sys.modules)")

    assert done.stdout == "False\n", done.stderr


@pytest.mark.live
def test_processes_that_are_started_later_load_their_own_libraries(r: R) -> None:
    """R has its own folders searched first, where another libpython may be."""
    assert r.version
    assert "R/lib" not in os.environ.get("LD_LIBRARY_PATH", "")
