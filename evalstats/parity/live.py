"""What does R answer, here and now?"""

from __future__ import annotations

__all__ = ["Answer", "R", "RFailedError", "RUnavailable", "start"]

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from evalstats._checks import EvalstatsError
from evalstats._result import Record
from evalstats.parity.cases import Stem
from evalstats.parity.interrupts import Interrupts

_HOW_TO_INSTALL = "install R (Debian, Ubuntu: apt-get install r-base-core) and rpy2 (pip install 'rpy2>=3.5.17,<3.6')"

# The adapters are evaluated where they see R's packages, but not what stands in the user's workspace. Values cross the
# border as flat vectors with their dimensions, so that no converter of rpy2 is needed.
_R_SIDE = """
list(
  load = function(code) {
    adapter <- new.env(parent = parent.env(globalenv()))
    eval(parse(text = code, keep.source = FALSE), envir = adapter)
    adapter
  },
  version = function(package) {
    if (requireNamespace(package, quietly = TRUE)) as.character(utils::packageVersion(package)) else ""
  },
  call = function(adapter, name, values, rows) {
    arguments <- Map(function(value, n) if (n < 0) value else matrix(value, nrow = n, byrow = TRUE), values, rows)
    names(arguments) <- names(values)
    warned <- character(0)
    outcome <- tryCatch(
      withCallingHandlers(
        list(value = do.call(get(name, envir = adapter, mode = "function", inherits = FALSE), arguments, quote = TRUE)),
        warning = function(w) {
          warned <<- c(warned, conditionMessage(w))
          invokeRestart("muffleWarning")
        },
        message = function(m) invokeRestart("muffleMessage")
      ),
      error = function(e) list(error = conditionMessage(e)),
      interrupt = function(i) list(interrupt = TRUE)
    )
    if (!is.null(outcome$error)) return(list("error", outcome$error))
    if (!is.null(outcome$interrupt)) return(list("interrupt"))
    value <- outcome$value
    if (!is.list(value)) value <- list(value = value)
    fields <- names(value)
    if (length(value) > 0 && (is.null(fields) || any(fields == "") || anyDuplicated(fields) > 0)) {
      return(list("error", "every value of the list that the adapter returns must have a name of its own"))
    }
    for (field in fields) {
      v <- value[[field]]
      plain <- is.numeric(v) || is.logical(v) || (is.character(v) && !anyNA(v))
      if (!plain || length(dim(v)) > 2) {
        return(list("error", paste(field, "must be numbers, strings or truth values in a vector or matrix")))
      }
    }
    c(list("value", warned, as.character(fields)), lapply(unname(value), function(v) {
      flat <- as.vector(if (is.matrix(v)) t(v) else v)
      if (is.integer(flat) || (is.logical(flat) && anyNA(flat))) flat <- as.double(flat)
      list(if (is.matrix(v)) as.double(dim(v)) else double(0), flat)
    }))
  }
)
"""


class RUnavailable(EvalstatsError):  # noqa: N818  # a state of the machine that callers handle, not a mistake
    """R, or the bridge to it, does not work on this machine; the message says why and how to install it."""


class RFailedError(EvalstatsError):
    """R raised an error while it answered a case."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer(Record):
    """What R answered to one case.

    Attributes
    ----------
    fields : mapping of str to value
        Numbers, strings, lists of them, and lists of rows.
    warnings : tuple of str
        The warnings that R gave on the way.
    """

    fields: Mapping[str, Any]
    warnings: tuple[str, ...]


class R:
    """The one R of this process; every method may be called from any thread."""

    def __init__(self) -> None:
        _check_that_r_works()
        with _quiet_start(), _library_path_kept():
            from rpy2 import robjects
            from rpy2.rinterface_lib import callbacks, openrlib
        self._robjects = robjects
        self._callbacks = callbacks
        self._lock = openrlib.rlock
        self._interrupts = Interrupts(partial(setattr, openrlib.rlib, "R_interrupts_pending"))
        self._adapters: dict[str, Any] = {}
        self._versions: dict[str, str | None] = {}
        with self._ready():
            # messages in one language, so that the frozen warnings do not depend on who froze them
            robjects.r["Sys.setenv"](LANGUAGE="en")
            side = robjects.r(_R_SIDE)
            self._load, self._version, self._call = (side.rx2(name) for name in ("load", "version", "call"))
            self.version = str(robjects.r["as.character"](robjects.r["getRversion"]())[0])

    def package_version(self, package: str) -> str | None:
        """Return the version of an R package, or None where it is not installed."""
        with self._ready():
            if package not in self._versions:
                self._versions[package] = str(self._version(package)[0]) or None
            return self._versions[package]

    def ask(self, stem: Stem, function: str, arguments: Mapping[str, Any]) -> Answer:
        """Call an adapter's function with the arguments of one case.

        Raises
        ------
        RFailedError
            If R raises an error; the message is R's.
        """
        with self._ready():
            ro = self._robjects
            packed = {name: self._pack(name, value) for name, value in arguments.items()}
            values = ro.ListVector({name: vector for name, (vector, _) in packed.items()})
            rows = ro.FloatVector([n for _, n in packed.values()])
            kind, *rest = self._call(self._adapter(stem), function, values, rows)
            if kind[0] == "interrupt":
                raise KeyboardInterrupt
            if kind[0] == "error":
                raise RFailedError(str(rest[0][0]))
            warned, names, *fields = rest
            return Answer(
                fields={str(name): _unpack(*field) for name, field in zip(names, fields, strict=True)},
                warnings=tuple(str(warning) for warning in warned),
            )

    def _adapter(self, stem: Stem) -> Any:
        if stem.adapter_digest not in self._adapters:
            try:
                self._adapters[stem.adapter_digest] = self._load(stem.adapter)
            except Exception as error:
                raise RFailedError(f"{stem.name}.R cannot be read: {str(error).strip()}") from error
        return self._adapters[stem.adapter_digest]

    def _pack(self, name: str, value: Any) -> tuple[Any, int]:
        """Return a flat vector and the number of rows of the matrix that it is, or -1."""
        items = value if isinstance(value, list | tuple) else [value]
        rows = -1
        if items and all(isinstance(item, list | tuple) for item in items):
            if len({len(item) for item in items}) != 1:
                raise RFailedError(f"the rows of {name} have different lengths")
            rows = len(items)
            items = [number for row in items for number in row]
        ro = self._robjects
        if all(isinstance(item, bool) for item in items):
            return ro.BoolVector(items), rows
        if all(isinstance(item, str) for item in items):
            return ro.StrVector(items), rows
        try:
            return ro.FloatVector([float(item) for item in items]), rows
        except (TypeError, ValueError) as error:
            raise RFailedError(f"{name} must hold numbers or strings or truth values, not {value!r}") from error

    @contextmanager
    def _ready(self) -> Iterator[None]:
        """Hold R's lock, the conversion rules of this thread and Ctrl-C, and keep R silent."""
        with self._lock, self._interrupts.raised_afterwards(), self._robjects.default_converter.context():
            consoles = {
                name: getattr(self._callbacks, name) for name in ("consolewrite_print", "consolewrite_warnerror")
            }
            try:
                for name in consoles:
                    setattr(self._callbacks, name, _say_nothing)
                yield
            finally:
                for name, write in consoles.items():
                    setattr(self._callbacks, name, write)


_starting = threading.Lock()
_running: R | None = None


def start() -> R:
    """Return the R of this process, started on the first call.

    Raises
    ------
    RUnavailable
        If R or rpy2 is missing or does not start; the interpreter stays alive.
    """
    global _running  # noqa: PLW0603  # a process can hold one R only
    with _starting:
        if _running is None:
            _running = R()
        return _running


def _check_that_r_works() -> None:
    """Try everything in child processes first: a wrong R_HOME would end this one."""
    if importlib.util.find_spec("rpy2") is None:
        raise RUnavailable(f"rpy2 is not installed; {_HOW_TO_INSTALL}")
    home = os.environ.get("R_HOME")
    if home and not (Path(home) / "library" / "base").is_dir():
        raise RUnavailable(
            f"the environment variable R_HOME is {home!r}, but no R lives there; unset it or {_HOW_TO_INSTALL}"
        )
    program = str(Path(home) / "bin" / "R") if home else shutil.which("R")
    if program is None:
        raise RUnavailable(f"R is not on the PATH; {_HOW_TO_INSTALL}")
    _try([program, "RHOME"], "R does not run")
    _try([sys.executable, "-c", "import rpy2.robjects"], "rpy2 cannot start R")


def _try(command: list[str], problem: str) -> None:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RUnavailable(f"{problem}: {error}; {_HOW_TO_INSTALL}") from error
    if done.returncode != 0:
        lines = (done.stderr.strip() or done.stdout.strip() or f"exit status {done.returncode}").splitlines()
        raise RUnavailable(f"{problem}: {lines[-1].strip()}; {_HOW_TO_INSTALL}")


@contextmanager
def _library_path_kept() -> Iterator[None]:
    """Take back where R has libraries looked for: processes that are started later would load R's instead of theirs."""
    before = os.environ.get("LD_LIBRARY_PATH")
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("LD_LIBRARY_PATH", None)
        else:
            os.environ["LD_LIBRARY_PATH"] = before


@contextmanager
def _quiet_start() -> Iterator[None]:
    """Start R without its warning about threads, and give Ctrl-C back to whoever had it."""
    main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT) if main else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    if handler is not None:
        signal.signal(signal.SIGINT, handler)


def _say_nothing(text: str) -> None:
    """Take R's console output and drop it: values and warnings come back by other ways."""


def _unpack(dim: Any, flat: Any) -> Any:
    values = list(flat)
    if len(dim):
        width = int(dim[1])
        return [values[start : start + width] for start in range(0, len(values), width)]
    return values[0] if len(values) == 1 else values
