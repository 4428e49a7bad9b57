"""Labels of the fields of the web interface, and arguments of a command from them; the command itself parses them."""

from __future__ import annotations

__all__ = ["Fields", "command_line", "fields_of", "label_of", "parameters", "words_of"]

import shlex
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

import click

from evalstats.cli.completion import known_words
from evalstats.cli.option_groups import HEADINGS, OTHERS

Fields = Mapping[str, Any]

# parameters for paths on the computer, and parameters set by a button, are not fields of the page
NO_FIELDS = frozenset(("output", "plot", "bib", "scores", "pilot", "samples", "format", "help"))
# of a picture or a part: they come with a download
OF_DOWNLOADS = frozenset(("part", "latex_width", "plot_kind", "width", "font_size", "dpi", "no_caption"))
# a list would keep a user from what it does not hold
ANY_TEXT = frozenset(("delimiter", "encoding", "metric"))


def words_of(command: click.Command, fields: Fields) -> list[str]:
    """Return the words that give the fields to a command, in the order of its options."""
    options = dict(_options(command))
    for name in fields:
        if name not in options:
            raise click.UsageError(f"evalstats {command.name} has no field {name!r} on this page")
    return [word for name, option in options.items() for word in _words(option, fields.get(name))]


def parameters(command: click.Command, words: Sequence[str], arguments: Sequence[str] = ()) -> dict[str, Any]:
    """Return the parsed arguments of a command; a mistake is a click.UsageError."""
    context = command.make_context(command.name, [*words, "--", *arguments])
    return dict(context.params)


def command_line(command: click.Command, words: Sequence[str], arguments: Sequence[str]) -> str:
    """Return the command line for the same answer."""
    return shlex.join(["evalstats", str(command.name), *arguments, *words])


def fields_of(command: click.Command) -> list[dict[str, Any]]:
    """Return the fields of the form of a command, each with its option, its words and its choices."""
    heading_of = {name: heading for heading, names in HEADINGS.items() for name in names}
    return [
        {
            "name": name,
            "option": option.opts[0],
            "words": label_of(str(command.name), name, option.help or ""),
            "value": option.metavar or "",
            "heading": heading_of.get(name, OTHERS),
            "initial": _initial(option),
            "kind": _kind(option),
            "choices": _choices(str(command.name), name, option),
            "is_download": name in OF_DOWNLOADS,
        }
        for name, option in _options(command)
    ]


def _options(command: click.Command) -> Iterator[tuple[str, click.Option]]:
    for param in command.params:
        if isinstance(param, click.Option) and param.name and param.name not in NO_FIELDS:
            yield param.name, param


def _initial(option: click.Option) -> str:
    """Return the default value of a form field, or an empty text if the option has an automatic default."""
    is_told = isinstance(option.default, str | int | float) and not isinstance(option.default, bool | Enum)
    return str(option.default) if is_told and option.default != "auto" else ""


def _kind(option: click.Option) -> str:
    """Return the type of a form field: checkbox, choice of two, names, pairs of names, number or text."""
    if option.is_flag:
        return "either" if option.secondary_opts else "flag"
    if option.multiple and option.callback is None:  # with one the option is a text that holds several
        return "pairs" if option.nargs == 2 else "numbers" if option.type is click.FLOAT else "names"
    return "number" if isinstance(option.type, click.types.IntRange | click.types.IntParamType) else "text"


def _choices(command: str, name: str, option: click.Option) -> list[str]:
    """Return the choices of an option, if they can be listed."""
    return [] if name in ANY_TEXT else known_words(command, option)


def _words(option: click.Option, value: Any) -> Iterator[str]:
    """Yield the command-line arguments of one form field; an empty field yields none."""
    name = option.opts[0]
    if value is None or value in ("", [], ()):
        return
    if option.is_flag:
        if value is True or option.secondary_opts:
            yield name if value is True else option.secondary_opts[0]
        return
    for one in _listed(value) if option.multiple else [value]:
        if option.nargs == 2:
            yield from (name, *map(_text, _listed(one)))
        else:
            text = _text(one)
            yield from [f"{name}={text}"] if text.startswith("-") or not text else [name, text]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise click.UsageError(f"a field must be a text or a number, not {value!r:.80}")
    return value if isinstance(value, str) else repr(value)


# --- labels of the fields ---------------------------------------------------------------------------------------------


# by the names of the parameters, of all commands
LABELS = {
    "accuracy": "Accuracy of one classifier",
    "adjust": "Multiple-testing adjustment",
    "aggregate": "Aggregation over the folds of predictions",
    "adjust_for": "Columns for which answers of two models are adjusted; for battles position, style, length",
    "alternative": "Alternative hypothesis",
    "average": "Average over benchmarks: equal weight for benchmarks (macro) or for questions (micro)",
    "instances": "Number of test instances",
    "classifier": "Column of the classifier names",
    "cluster": "Column of the clusters of questions, such as passages",
    "comparisons": "Number of p-values to adjust",
    "control": "Compare all classifiers with this control only",
    "data": "Type of data",
    "dataset": "Column of the dataset names",
    "decimal": "Decimal separator",
    "delimiter": "Field delimiter: a character, tab or space",
    "difference": "Difference in accuracy",
    "discordance": "Probability that exactly one classifier is correct",
    "correlation": "Correlation of correctness",
    "drop": "Rows or columns to exclude",
    "effect": "Effect sizes",
    "encoding": "Text encoding",
    "fold": "Column of the folds",
    "folds": "Number of folds of each cross-validation",
    "format_in": "File format",
    "higher_is_better": "Higher scores are better",
    "n_instances": "For learning curves: number of all instances",
    "n_test": "For learning curves: number of test instances",
    "question": "Column of the question identifiers",
    "keep": "Rows or columns to include despite their names",
    "layout": "Table layout",
    "lower_is_better": "Lower scores are better, as for errors and losses",
    "margin": "Noninferiority margin; 0.01 is one percentage point",
    "method": "Null distribution",
    "metric": "Metric that was measured or is computed, such as accuracy,f1",
    "missing": "Treatment of missing scores",
    "omnibus": "Omnibus test",
    "pos_label": "Label of the positive class",
    "posthoc": "Post-hoc test",
    "questions": "Number of questions",
    "cluster_size": "Mean number of questions in a cluster",
    "intraclass_correlation": "Correlation of two differences in a cluster",
    "reader": "Column of the readers, for ratings of several readers",
    "repeat": "Column of the cross-validation repeats",
    "repeats": "Number of repeats of each cross-validation",
    "rope": "Half-width of the region of practical equivalence; adds posterior probabilities",
    "instance": "Column of the instance identifiers",
    "rows_are": "What the rows are",
    "same_order": "The rows of all classifiers have the same order",
    "score": "Column of the scores",
    "seed": "Random seed of the simulations",
    "sheet": "Name of the worksheet",
    "stratum": "Column of the benchmarks",
    "test_size": "Number of test instances of a random split",
    "thousands": "Thousands separator",
    "tie_rate": "Probability of a tie",
    "train": "Number of training instances of a random split",
    "train_size": "Column of the training-set sizes, for learning curves",
    "transpose": "Rows are classifiers",
    "undefined": "Handling of scores that are 0/0",
    "y_pred": "Column of the predicted labels",
    "y_score": "Column of the scores of the positive class",
    "y_true": "Column of the true labels",
}
# where one name means something else
OF_COMMANDS = {
    ("audit", "best"): "Classifier with the claimed best mean rank",
    ("audit", "control"): "Control of the published comparison",
    ("audit", "datasets"): "Number of datasets; not necessary if the scores are pasted too",
    ("audit", "different"): "Pairs that are claimed to differ",
    ("audit", "not_different"): "Pairs that are claimed not to differ",
    ("audit", "rejects"): "The publication claims a rejection by the Friedman test",
    ("audit", "test"): "Published post-hoc test",
    ("judge", "epsilon"): "Largest disadvantage of the judge",
    ("judge", "method"): "Test of each annotator",
    ("judge", "similarity"): "Similarity of two annotations: agreement or rmse",
    ("plan", "auc"): "AUC of the baseline",
    ("plan", "battles"): "Number of battles of each pair of models",
    ("plan", "classifiers"): "Number of classifiers; tests of two classifiers compare all pairs",
    ("plan", "datasets"): "Number of datasets",
    ("plan", "prevalence"): "Proportion of positive instances",
    ("plan", "sd_within"): "Standard deviation of the difference of two answers to a question",
    ("which-test", "classifiers"): "Number of classifiers",
    ("which-test", "datasets"): "Number of datasets; the default is 1",
    ("which-test", "metric"): "Metric: accuracy, roc_auc, f1 ...",
}


def label_of(command: str, name: str, words: str) -> str:
    """Return the label of a field; by default `words`, the help of the option, if they are complete."""
    label = OF_COMMANDS.get((command, name)) or LABELS.get(name)
    return label or (words if words.endswith("...") else words.removesuffix("."))
