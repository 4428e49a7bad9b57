"""Configuration of a study in a TOML file.

A file names classes and functions, which are imported and called with the given parameters. Nothing else in it is
executed. A file can call any installed function, so run only files from people you trust.
"""

from __future__ import annotations

__all__ = ["arguments_in"]

import csv
import io
import tomllib
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from evalstats import _files
from evalstats._errors import InvalidValueError, short, words_of
from evalstats.reproducibility import stopping

MOST_BYTES = 10_000_000  # of settings

RULES: dict[str, Any] = {
    rule.__name__: rule
    for rule in (stopping.FixedRuns, stopping.RankCorrelation, stopping.KolmogorovSmirnov, stopping.AnytimeValid)
}
# settings of the file, and the corresponding arguments of run_study
PASSED = {"scheme": "scheme", "folds": "n_folds", "repeats": "n_repeats"} | {
    name: name for name in ("test_size", "stratify", "metric", "pos_label", "predictions")
}
KNOWN = (*PASSED, "classifiers", "datasets", "stopping_rule", "seed", "directory", "jobs")


def arguments_in(path: Any) -> dict[str, Any]:
    """Return the arguments for `run_study` from a file. Paths are relative to its folder."""
    path = Path(path)
    config = _parsed(path)
    if unknown := [name for name in config if name not in KNOWN]:
        raise InvalidValueError(
            f"{path.name}: there is no setting {short(unknown[0])}; the settings are {', '.join(KNOWN)}"
        )
    arguments: dict[str, Any] = {argument: config[name] for name, argument in PASSED.items() if name in config}
    arguments["classifiers"] = {
        name: _made(value, f"{path.name}, classifiers.{name}") for name, value in _tables(config, "classifiers", path)
    }
    arguments["datasets"] = {
        name: _dataset(value, f"{path.name}, datasets.{name}", path.parent)
        for name, value in _tables(config, "datasets", path)
    }
    if "stopping_rule" in config:
        arguments["stopping_rule"] = _rule(config["stopping_rule"], f"{path.name}, stopping_rule")
    if "directory" in config:
        arguments["directory"] = path.parent / str(config["directory"])
    return arguments | {"rng": config.get("seed"), "n_jobs": config.get("jobs")}


def _parsed(path: Path) -> dict[str, Any]:
    try:
        with _files.opened(path) as file:
            return tomllib.loads(_files.whole(file, MOST_BYTES).decode())
    except (FileNotFoundError, NotADirectoryError):
        raise InvalidValueError(f"there is no file {path}") from None
    except IsADirectoryError:
        raise InvalidValueError(f"{path} is a directory, not a file") from None
    except _files.SpecialFileError as error:
        raise InvalidValueError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidValueError(f"{path.name} is not UTF-8, which TOML requires") from None
    except ValueError as error:  # also for a number of thousands of digits
        raise InvalidValueError(f"{path.name} is not TOML: {_line_of(error)}") from None


def _line_of(error: BaseException) -> str:
    return words_of(error).strip().partition("\n")[0]


def _tables(config: Mapping[str, Any], name: str, path: Path) -> list[tuple[str, dict[str, Any]]]:
    tables = config.get(name)
    if not isinstance(tables, dict) or not tables or not all(isinstance(table, dict) for table in tables.values()):
        raise InvalidValueError(f"{path.name} must have a table [{name}.NAME] for each of its {name}")
    return list(tables.items())


def _made(value: Any, place: str) -> Any:
    """Return a value of the configuration. Replace each table that names a class by an object of the class."""
    if isinstance(value, list):
        made = [_made(item, place) for item in value]
        # a named part, as in pipelines
        return tuple(made) if len(made) == 2 and isinstance(made[0], str) and not isinstance(made[1], str) else made
    if not isinstance(value, dict):
        return value
    if "class" not in value:
        if "." not in place.rpartition("classifiers.")[2]:
            raise InvalidValueError(f'{place} must name its class, such as class = "sklearn.naive_bayes.GaussianNB"')
        return {name: _made(item, place) for name, item in value.items()}
    parameters = {name: _made(item, f"{place}.{name}") for name, item in value.items() if name != "class"}
    return _called(_imported(value["class"], place), parameters, place)


def _imported(name: Any, place: str) -> Callable[..., Any]:
    module, _, attribute = str(name).rpartition(".")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError):
        raise InvalidValueError(f"{place}: there is nothing to import as {short(name)}") from None
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:  # a module may raise anything
        what = f"{type(error).__name__}: {_line_of(error)}"
        raise InvalidValueError(f"{place}: the import of {short(name)} fails: {what}") from None
    if not callable(found):
        raise InvalidValueError(f"{place}: {name!r} is not a class or a function")
    called: Callable[..., Any] = found
    return called


def _called(function: Callable[..., Any], parameters: Mapping[str, Any], place: str) -> Any:
    try:
        return function(**parameters)
    except TypeError as error:
        raise InvalidValueError(f"{place}: {error}") from None
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:  # a constructor or a loader may raise anything
        raise InvalidValueError(f"{place}: {type(error).__name__}: {_line_of(error)}") from None


def _dataset(table: Mapping[str, Any], place: str, folder: Path) -> Any:
    rest = {name: value for name, value in table.items() if name not in ("loader", "csv", "target")}
    if "csv" in table and "loader" not in table and not rest:
        return _csv(folder / str(table["csv"]), table.get("target"), place)
    if "loader" not in table or "csv" in table or "target" in table:
        raise InvalidValueError(f'{place} must have a loader, such as "load_iris", or csv and target')
    name = str(table["loader"])
    if "." not in name:
        if not name.startswith(("load_", "make_")):
            raise InvalidValueError(
                f"{place}: loader must be load_... or make_... of sklearn.datasets, not {short(name)}"
            )
        rest |= {"return_X_y": True} if name.startswith("load_") else {}
        name = f"sklearn.datasets.{name}"
    return _called(_imported(name, place), rest, place)


def _csv(path: Path, target: Any, place: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Read the numbers and the labels from a CSV file. The default column of the labels is the last column."""
    try:
        with _files.opened(path) as content, io.TextIOWrapper(content, "utf-8-sig", newline="") as file:
            header, *rows = [row for row in csv.reader(file) if row] or [[]]
    except (OSError, ValueError, csv.Error) as error:  # ValueError: a NUL in the path, or content that is not UTF-8
        reason = error.strerror if isinstance(error, OSError) else "it is not a CSV file in UTF-8"
        raise InvalidValueError(f"{place}: cannot read {repr(path.name)[1:-1]}: {reason}") from None
    target = header[-1] if target is None and header else target
    if target not in header or not rows:
        raise InvalidValueError(f"{place}: {path.name} has no column {target!r}" if rows else f"{place}: no instances")
    t = header.index(target)
    numbers = np.empty((len(rows), len(header) - 1))
    for i, row in enumerate(rows):
        if len(row) == len(header) and not row[t].strip():
            raise InvalidValueError(f"{place}: {path.name}, instance {i + 1} has no label in column {target!r}")
        if len(row) != len(header):
            raise InvalidValueError(f"{place}: {path.name}, instance {i + 1} has {len(row)} fields, not {len(header)}")
        for j, cell in enumerate(row[:t] + row[t + 1 :]):
            try:
                numbers[i, j] = float(cell) if cell.strip() else np.nan
            except ValueError:
                column = (header[:t] + header[t + 1 :])[j]
                raise InvalidValueError(
                    f"{place}: {path.name}, instance {i + 1}, column {column!r}: {cell!r} is not a number; encode it "
                    "first"
                ) from None
    return numbers, np.array([row[t].strip() for row in rows])


def _rule(table: Any, place: str) -> Any:
    if not isinstance(table, dict) or table.get("rule") not in tuple(RULES):
        raise InvalidValueError(f"{place} must have a rule, one of {', '.join(RULES)}")
    rest = {name: value for name, value in table.items() if name != "rule"}
    return _called(RULES[table["rule"]], rest, place)
