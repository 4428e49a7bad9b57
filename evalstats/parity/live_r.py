"""Results of R on this machine."""

from __future__ import annotations

__all__ = ["Answer", "R", "RFailedError", "RNotAvailableError", "RStoppedError", "debian_packages", "start"]

import atexit
import contextlib
import importlib.util
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalstats._errors import EvalstatsError, InvalidValueError, short
from evalstats._result import Record
from evalstats.parity.reference_cases import Stem

_HOW_TO_INSTALL = "install R (Debian, Ubuntu: apt-get install r-base-core) and rpy2 (pip install 'rpy2>=3.5.17,<3.6')"
_BIOCONDUCTOR = ("multtest",)  # what is not CRAN's
_LIMIT = "EVALSTATS_R_SECONDS"
_SECONDS = 300.0  # the slowest case takes a few
_SECONDS_TO_START = 120.0


class RNotAvailableError(EvalstatsError):  # a state of the machine that callers handle, not an error in the program
    """R, or rpy2, does not work on this machine. The message states the reason and how to install R and rpy2."""


class RFailedError(EvalstatsError):
    """R raised an error for a case."""


class RStoppedError(RFailedError):
    """R ended, or was ended at the time limit, during a case; the next case starts a new R process.

    Attributes
    ----------
    hung : bool
        Whether the time limit was exceeded.
    """

    def __init__(self, message: str, *, hung: bool) -> None:
        super().__init__(message)
        self.hung = hung


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer(Record):
    """Result of R for one case.

    Attributes
    ----------
    fields : mapping of str to value
        Numbers, strings, lists of numbers or strings, and lists of rows.
    warnings : tuple of str
        Warnings of R.
    """

    fields: Mapping[str, Any]
    warnings: tuple[str, ...]


class R:
    """R in a separate process, so a crash of R does not stop Python. Any thread may call any method.

    Parameters
    ----------
    seconds : float, optional
        Time limit of one call. Default: the value of the environment variable EVALSTATS_R_SECONDS, or 300.
    """

    def __init__(self, seconds: float | None = None) -> None:
        _check_that_r_works()
        self._seconds = _time_limit() if seconds is None else seconds
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._versions: dict[str, str | None] = {}
        self.version = self._begin()

    def package_version(self, package: str) -> str | None:
        """Return the version of an R package, or None if it is not installed."""
        with self._lock:
            if package not in self._versions:
                self._versions[package] = self._answer(_SECONDS_TO_START, "package_version", package)
            return self._versions[package]

    def ask(self, stem: Stem, function: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a function of an adapter with the arguments of one case.

        Raises
        ------
        RFailedError
            If R raises an error. The message is the message of R.
        RStoppedError
            If R ends, or exceeds the time limit.
        """
        fields, warned = self._answer(self._seconds, "ask", stem.name, stem.adapter, function, dict(arguments))
        return Answer(fields=fields, warnings=warned)

    def close(self) -> None:
        """End the process; the next call starts a new process."""
        with self._lock:
            process, self._process = self._process, None
        if process is None or self._owner != os.getpid():
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        process.wait()

    def _answer(self, seconds: float, method: str, *arguments: Any) -> Any:
        with self._lock:
            if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
                self._begin()
            return self._talk((seconds, method, arguments), seconds)

    def _begin(self) -> str:
        """Start the process and return the version of R."""
        self.close()
        code = f"import sys; sys.path[:] = {sys.path!r}; from evalstats.parity.embedded_r import serve; serve()"
        with tempfile.TemporaryFile() as said:
            # in its own session, because Ctrl-C in a terminal is for this process, which ends the other process
            self._process = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                start_new_session=True,
            )
            self._owner = os.getpid()
            try:
                return str(self._talk(None, _SECONDS_TO_START))
            except RStoppedError as error:
                said.seek(0)
                lines = said.read().decode(errors="replace").strip().splitlines() or [str(error)]
                raise RNotAvailableError(f"rpy2 cannot start R: {lines[-1].strip()}; {_HOW_TO_INSTALL}") from error

    def _talk(self, question: Any, seconds: float) -> Any:
        """Send a request, if one is given, and wait for the result."""
        process, late = self._process, threading.Event()
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            if question is not None:
                pickle.dump(question, process.stdin)
                process.stdin.flush()
            kind, answer = pickle.load(process.stdout)  # from our own process  # nosec B301
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            status = process.wait()
            self.close()
            if late.is_set():
                raise RStoppedError(
                    f"R returned no result within {seconds:g} seconds and was stopped", hung=True
                ) from error
            raise RStoppedError(f"R ended without a result ({_ending(status)})", hung=False) from error
        except BaseException:
            self.close()  # this result would be read as the next result
            raise
        finally:
            timer.cancel()
        if kind == "error":
            raise RFailedError(answer)
        return answer


_starting = threading.Lock()
_running: R | None = None


def debian_packages(packages: Sequence[str]) -> str:
    """Return the names of R packages in Debian."""
    return " ".join(f"r-{'bioc' if name in _BIOCONDUCTOR else 'cran'}-{name.lower()}" for name in packages)


def start() -> R:
    """Return the R process, which the first call starts.

    Raises
    ------
    RNotAvailableError
        If R or rpy2 is missing or does not start. The interpreter is not affected.
    """
    global _running  # noqa: PLW0603  # one R is enough for all
    with _starting:
        if _running is None:
            _running = R()
            atexit.register(_running.close)
        return _running


def _time_limit() -> float:
    said = os.environ.get(_LIMIT)
    if said is None:
        return _SECONDS
    with contextlib.suppress(ValueError):
        if 0 < float(said) < threading.TIMEOUT_MAX:
            return float(said)
    raise InvalidValueError(f"the environment variable {_LIMIT} must be a number of seconds above 0, not {short(said)}")


def _ending(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit status {status}"


def _check_that_r_works() -> None:
    """Raise an error that names a missing part of R before the part crashes the process."""
    if importlib.util.find_spec("rpy2") is None:
        raise RNotAvailableError(f"rpy2 is not installed; {_HOW_TO_INSTALL}")
    home = os.environ.get("R_HOME")
    if home and not os.path.isdir(Path(home) / "library" / "base"):  # also False for a name that is too long
        raise RNotAvailableError(
            f"the environment variable R_HOME is {short(home)}, but R is not installed there; unset it or "
            f"{_HOW_TO_INSTALL}"
        )
    program = str(Path(home) / "bin" / "R") if home else shutil.which("R")
    if program is None:
        raise RNotAvailableError(f"R is not on the PATH; {_HOW_TO_INSTALL}")
    _try([program, "RHOME"], "R does not run")


def _try(command: list[str], problem: str) -> None:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RNotAvailableError(f"{problem}: {error}; {_HOW_TO_INSTALL}") from error
    if done.returncode != 0:
        lines = (done.stderr.strip() or done.stdout.strip() or f"exit status {done.returncode}").splitlines()
        raise RNotAvailableError(f"{problem}: {lines[-1].strip()}; {_HOW_TO_INSTALL}")
