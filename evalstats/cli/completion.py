"""Values of options and arguments, for shell completion and for the choices of the web interface."""

from __future__ import annotations

__all__ = ["CHOICES", "FOLDERS", "PATHS", "completed", "known_words"]

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# parameters whose values are files or directories
PATHS = frozenset((
    *("file", "files", "scores", "baseline", "candidate", "policy", "config", "report", "pilot"),
    *("output", "bib", "plot", "junit"),
))  # fmt: skip
FOLDERS = frozenset(("directory",))
# suggested values of options that accept any text, because a file may contain other values
CHOICES = {
    "aggregate": ("pooled", "mean", "merge", "tp_fp", "precision_recall"),
    "alternative": ("two-sided", "less", "greater"),
    "average": ("macro", "micro"),
    "data": ("scores", "folds", "predictions", "probabilities", "answers"),
    "decimal": (".", ","),
    "delimiter": ("tab", "space"),
    "encoding": ("utf-8", "latin-1", "cp1252", "utf-16"),
    "latex_width": ("column", "text"),
    "layout": ("wide", "long", "predictions", "answers"),
    "rows_are": ("datasets", "folds", "runs", "instances", "questions"),
    "missing": ("raise", "drop-datasets", "drop-folds", "drop-instances", "skillings-mack", "zero", "worst"),
    "null": ("permutation", "normal"),
    "part": ("sentence", "methods", "scores", "ranks", "pairs", "matrix", "figure"),
    "similarity": ("agreement", "rmse"),
    "sampled": ("both", "cases", "readers"),
    "small_sample": ("cr1", "cr0", "cr2"),
    "thousands": (",", ".", "'", "space"),
    "undefined": ("raise", "zero", "skip"),
}
# values for individual commands
OF_COMMANDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("error-rates", "layout"): ("wide", "long", "predictions"),
    ("error-rates", "missing"): ("raise", "drop-datasets", "skillings-mack"),
    ("judge", "method"): ("t", "exact"),
    ("metrics", "undefined"): ("nan", "zero", "skip", "raise"),
    ("plan", "method"): ("auto", "exact", "midp", "asymptotic", "chi2", "f", "monte-carlo"),
    ("reproducibility", "layout"): ("wide", "long", "predictions"),
    ("reproducibility", "missing"): ("raise", "drop-datasets"),
    ("which-test", "layout"): ("wide", "long", "predictions"),
    ("which-test", "missing"): ("raise", "drop-datasets", "skillings-mack"),
}


def completed(context: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the possible completions of an incomplete word in bash, zsh and fish."""
    from click.shell_completion import CompletionItem

    name = param.name or ""
    if name in PATHS or name in FOLDERS:
        return [CompletionItem(incomplete, type="dir" if name in FOLDERS else "file")]
    before, comma, last = incomplete.rpartition(",") if name == "metric" else ("", "", incomplete)
    words = known_words(str(context.command.name), param)
    return [CompletionItem(f"{before}{comma}{word}") for word in words if word.startswith(last)]


def known_words(command: str, param: click.Parameter) -> list[str]:
    """Return the known values of an option or an argument, or an empty list if they cannot be listed."""
    if isinstance(param.type, click.Choice):
        return list(map(str, param.type.choices))
    name = param.name or ""
    if found := OF_COMMANDS.get((command, name)) or CHOICES.get(name):
        return list(found)
    listed = _LISTS.get((command, name)) or _LISTS.get(("", name))
    return list(listed()) if listed and (command, name) not in _ANY_TEXT else []


def _listed(module: str, name: str) -> Callable[[], Iterable[str]]:
    """Return a function that imports and returns the values under a name in a module."""

    def words() -> Iterable[str]:
        found = getattr(import_module(f"evalstats.{module}"), name)
        values: Iterable[str] = found() if callable(found) else found
        return values

    return words


def _formats_and_tables() -> Iterable[str]:
    from evalstats.io.formats.recognition import TABLE, format_names

    return (TABLE, *format_names())


def _metrics_of_gate() -> Iterable[str]:
    from evalstats.tables.prediction_scores import metric_names

    return metric_names(with_averages=False)


def _choices_of_compare(name: str) -> Callable[[], Iterable[str]]:
    def words() -> Iterable[str]:
        from evalstats.comparison.option_checks import VOCABULARIES

        return VOCABULARIES[name]

    return words


# functions that list values, by command and parameter, or by the parameter of any command; they are called on demand
_LISTS: dict[tuple[str, str], Callable[[], Iterable[str]]] = {
    **{("", name): _choices_of_compare(name) for name in ("posthoc", "omnibus", "adjust", "method")},
    ("", "metric"): _listed("tables.prediction_scores", "metric_names"),
    ("", "format_in"): _formats_and_tables,
    ("audit", "test"): _choices_of_compare("posthoc"),
    ("examples", "name"): _listed("examples", "example_names"),
    ("formats", "name"): _listed("io.formats.recognition", "format_names"),
    ("gate", "metric"): _metrics_of_gate,
    ("judge", "distance"): _listed("agreement.variation", "DISTANCES"),
    ("plan", "adjust"): _listed("adjustment.pvalues", "ADJUSTMENTS"),
    ("plan", "test"): _listed("design.plan", "OWN"),
    ("projection", "distance"): _listed("multiple.projection", "DISTANCES"),
    ("projection", "method"): _listed("multiple.projection", "PROJECTIONS"),
    ("projection", "normalize"): _listed("multiple.confusion_vectors", "NORMALIZATIONS"),
    ("validate", "functions"): _listed("parity.reference_cases", "stem_names"),
}
# logs of evaluation programs have other metric names
_ANY_TEXT = frozenset((("projection", "metric"),))
