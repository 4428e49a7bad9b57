"""``evalstats compare``: compare the classifiers of a table."""

from __future__ import annotations

__all__ = ["compare", "compared"]

from typing import TYPE_CHECKING, Any

import click

from evalstats.cli.options import (
    ANALYSIS,
    DIRECTION,
    FORMAT_IN,
    ITEM_COLUMNS,
    METRICS,
    N_FOLDS,
    OF_ANALYSIS,
    PLACES,
    ROLES,
    ROWS,
    SUMMED_UP,
    HeadedCommand,
    argument,
    by_metric,
    cell_options,
    column_options,
    direction_asked,
    option,
    picture_options,
    reading_arguments,
    source_of,
)
from evalstats.cli.output import FORMATS, FormatName, makers_of_files, part_of_report, show, write_files

if TYPE_CHECKING:
    from evalstats._result import Record

OF_COMPARISON = ("margin", "rope", "robustness", "average", "calibration", "subgroup", "stability", "consensus")
_OF_CURVES = "learning curves; give the column of the training-set sizes with --train-size"
OF_OTHER_ROWS = {
    "sampled": "ratings of several readers; give the column of the readers with --reader",
    "n_test": _OF_CURVES,
    "n_instances": _OF_CURVES,
}
# options that every comparison accepts; the options of the output are used after the comparison
ALWAYS = (
    *("score", "classifier", "delimiter", "encoding", "sheet", "seed"),
    *("format", "part", "latex_width", "output", "bib", "plot", "plot_kind", "width", "font_size", "dpi", "no_caption"),
)


@click.command(cls=HeadedCommand, short_help="Test which classifiers differ.")
@argument("files", metavar="FILE...", nargs=-1, required=True)
@METRICS
@DIRECTION
@option("--control", "NAME", "Compare all classifiers with this control only.")
@SUMMED_UP
@N_FOLDS
@ANALYSIS
@option("--average", "NAME", "Average over benchmarks: macro or micro.")
@option("--margin", "M", "Noninferiority margin; 0.01 is one percentage point.", type=float)
@option("--rope", "R", "Half-width of the ROPE; adds posterior probabilities.", type=float)
@option("--adjust-for", "COLUMN,...", "Columns to adjust for; for battles: position,style,length.")
@option("--reader", "COLUMN", "Ratings of several readers: the column of the readers.")
@option("--sampled", "NAME", "Ratings of several readers: sampled factors (both, cases or readers).")
@option("--train-size", "COLUMN", "Learning curves: the column of the training-set sizes.")
@option("--n-test", "N", "Learning curves: number of test instances.", type=float)
@option("--n-instances", "N", "Learning curves: total number of instances.", type=float)
@option("--small-sample", "NAME", "Correction for few clusters of battles: cr1, cr0 or cr2.")
@option("--strong-weight", "W", "Weight of the strong verdicts of Arena-Hard.", type=float)
@click.option("--calibration", is_flag=True, help="Also analyze the calibration of the probabilities.")
@option("--subgroup", "COLUMN,...", "Also compare the classifiers in each subgroup or combination of subgroups.")
@click.option("--robustness", is_flag=True, help="Repeat the comparison with all other valid analyses.")
@click.option("--stability", is_flag=True, help="Estimate the stability of the ranking by resampling.")
@click.option("--consensus", is_flag=True, help="Rank classifiers by their mean rank over benchmarks or datasets.")
@option("--seed", "N", "Random seed of the simulations.", type=click.IntRange(min=0))
@option("--format", "NAME", f"Output format: {', '.join(FORMATS)} (an R script).", type=FormatName(list(FORMATS)))
@option("--part", "NAME", "Write one part: sentence, methods, scores, matrix ...")
@option("--latex-width", "NAME", "Width of the LaTeX figure: column or text.", type=click.Choice(("column", "text")))
@option("--output", "PATH", "Save the report (.html ...) or the plot (.png ...).")
@option("--bib", "PATH", "Save the references as a BibTeX file.")
@option("--plot", "PATH", "Save a plot in addition to the report.")
@picture_options
@FORMAT_IN
@option("--layout", "NAME", "Table layout: wide, long, predictions or answers.", default="auto")
@ROWS
@column_options()
@ITEM_COLUMNS
@option("--missing", "NAME", "Missing scores: raise, drop-datasets, drop-folds, drop-instances ...", default="raise")
@ROLES
@click.option("--transpose/--no-transpose", default=None, help="Rows are classifiers, or rows are datasets.")
@cell_options()
@PLACES
def compare(files: tuple[str, ...], **options: Any) -> None:
    """Test which classifiers in FILE differ. Use - to read standard input."""
    makers = makers_of_files(files, options)
    comparison = compared(source_of(files), options)
    # all contents are computed before the first file is written
    write_files({path: make(comparison) for path, make in makers.items()})
    if options["output"] is None:
        style = options["format"] or "text"
        show(comparison, style, **part_of_report(style, options))


def compared(source: Any, options: dict[str, Any]) -> Record:
    """Compare the classifiers of a source with the options of the command."""
    from evalstats.comparison.analysis import compare as compare_table
    from evalstats.io.reader.battles import holds_battles
    from evalstats.io.reader.opening import rereadable

    for name, of_rows in (("reader", _of_readers), ("train_size", _of_sizes)):
        if _is_given(options[name]):
            return of_rows(source, options)
    for name, words in OF_OTHER_ROWS.items():
        if _is_given(options[name]):
            raise click.UsageError(f"{_typed(name)} is for {words}")
    source = rereadable(source)
    if is_for_battles := holds_battles(source):
        options = options | {"covariates": [name.strip() for name in (options["adjust_for"] or "").split(",") if name]}
    elif options["adjust_for"]:
        return _adjusted(source, options)
    passed = {name: options[name] for name in (*OF_ANALYSIS, *OF_COMPARISON)}
    for name in ("covariates", "small_sample", "strong_weight"):
        if _is_given(options.get(name)):
            if not is_for_battles:
                raise click.UsageError(f"{_typed(name)} requires battles, with the columns model_a, model_b and winner")
            passed[name] = options[name]
    reading = reading_arguments(options)
    metric = reading.pop("metric", None)
    return by_metric(metric, lambda one: compare_table(source, metric=one, rng=options["seed"], **passed, **reading))


def _is_given(value: Any) -> bool:
    """Return whether an option has a value. The number 0 is a value."""
    return value is not None and value is not False and value not in ("", (), [])


def _typed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _only(names: tuple[str, ...], options: dict[str, Any], chosen: str) -> dict[str, Any]:
    """Return the options `names` and the options for all comparisons. Raise an error for other options."""
    taken = {*ALWAYS, *names, chosen}
    for parameter in compare.params:
        name = str(parameter.name)
        value = options.get(name)
        is_no = value is False and bool(parameter.secondary_opts)  # --no-transpose
        if name not in taken and (_is_given(value) or is_no) and value != parameter.default:
            raise click.UsageError(f"{_typed(name)} cannot be combined with {_typed(chosen)}")
    return {
        **{name: options[name] for name in (*names, "classifier", "score", "sheet", "delimiter")},
        "encoding": options["encoding"] or "utf-8",
    }


def _of_readers(source: Any, options: dict[str, Any]) -> Record:
    """Compare the ratings of several readers."""
    from evalstats.comparison.readers import compare_readers

    names = ("reader", "instance", "y_true", "sampled", "pos_label", "alpha", "drop")
    return compare_readers(source, **_only(names, options, "reader"))


def _of_sizes(source: Any, options: dict[str, Any]) -> Record:
    """Compare the learning curves of two classifiers."""
    from evalstats.comparison.learning_curves import compare_learning_curves

    names = ("train_size", "n_test", "n_instances", "metric", "repeat", "fold", "dataset", "keep", "drop")
    directions = ("lower_is_better", "higher_is_better")
    passed = _only((*names, *directions, "alpha", "adjust", "decimal", "thousands"), options, "train_size")
    passed = {name: value for name, value in passed.items() if name not in directions and value is not None}
    return compare_learning_curves(source, greater_is_better=direction_asked(options), **passed)


def _adjusted(source: Any, options: dict[str, Any]) -> Record:
    """Compare two models after adjustment for covariates."""
    from evalstats.comparison.covariates import compare_adjusted

    passed = _only(("question", "cluster", "control", "adjust_for"), options, "adjust_for")
    covariates = [name.strip() for name in passed.pop("adjust_for").split(",")]
    return compare_adjusted(source, adjust_for=covariates, **passed)
