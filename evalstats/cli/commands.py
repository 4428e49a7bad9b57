"""The command line: parse, call, print.

Errors are one line on standard error and exit status 2; an interrupt (130) and a broken pipe (141) are silent.
"""

from __future__ import annotations

__all__ = ["cli", "main"]

import io
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click

import evalstats

if TYPE_CHECKING:
    from evalstats._result import Record
    from evalstats.comparison.one_dataset import OneDatasetComparison
    from evalstats.comparison.over_datasets import Comparison

FORMATS = {"text": ".txt", "markdown": ".md", "latex": ".tex", "html": ".html", "json": ".json", "r": ".R"}
REPORTS = ("text", "markdown", "latex", "html", "json")
TABLES = (*REPORTS, "csv")
PICTURES = (".png", ".svg", ".pdf")
CASES = ("repeat", "fold", "row", "y_true", "y_pred", "y_score")
OF_PREDICTIONS = ("dataset", "classifier", *CASES, "pos_label", "decimal", "encoding", "sheet")
READING = (*OF_PREDICTIONS, "layout", "score", "metric", "aggregate", "undefined", "missing")
DELIMITERS = {"tab": "\t", "\\t": "\t", "space": " "}  # hard to type in a shell


def _columns(others: str) -> Callable[[Any], Any]:
    """Add the options that name columns, of which the help shows one and names the others."""
    names = [f"--{name.replace('_', '-')}" for name in CASES]
    shown = f"Where the names are; likewise {others} {', '.join(names)}."

    def add(command: Any) -> Any:
        for name in reversed(("--classifier", *names)):
            command = click.option(name, hidden=True)(command)
        return click.option("--dataset", metavar="COLUMN", help=shown)(command)

    return add


class _Program(click.Group):
    """A group whose commands tell every error in one line."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _one_line_errors():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with _one_line_errors():
            return super().invoke(ctx)


@click.group(cls=_Program, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(evalstats.__version__, prog_name="evalstats", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Say whether one classifier is really better than another.

    \b
    evalstats examples demsar-2006 > scores.csv
    evalstats compare scores.csv --metric AUC
    """  # noqa: D301  (click keeps the lines of a paragraph that begins with a backspace)
    if context.invoked_subcommand is None:
        _print(context.get_help())


@cli.command(short_help="Say which classifiers of a table differ.")
@click.argument("file")
@click.option("--control", metavar="NAME", help="Compare the others with this classifier only.")
@click.option("--alpha", type=float, metavar="P", default=0.05, show_default=True, help="Level of significance.")
@click.option("--lower-is-better", is_flag=True, help="The scores are errors or losses.")
@click.option("--higher-is-better", is_flag=True, hidden=True)
@click.option("--metric", metavar="NAME", help="What was measured, or what to compute from predictions.")
@click.option("--aggregate", metavar="NAME", help="Of predictions; likewise --undefined and --pos-label.")
@click.option("--undefined", hidden=True)
@click.option("--pos-label", hidden=True)
@click.option(
    "--posthoc", metavar="NAME", default="auto", help="Of pairs: nemenyi, conover, wilcoxon ...; also --omnibus."
)
@click.option("--adjust", metavar="NAME", help="Of pairs tested one by one: holm, shaffer, bh ...")
@click.option("--omnibus", default="auto", hidden=True)
@click.option(
    "--method", metavar="NAME", default="auto", help="auto, exact, chi2, f or monte-carlo; asymptotic for two."
)
@click.option("--robustness", is_flag=True, help="Decide under all other valid analyses too.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Seed of simulated p-values; 0 if not given.")
@click.option("--format", type=click.Choice(list(FORMATS)), metavar="NAME", help=f"{', '.join(FORMATS)} (an R script).")
@click.option("--output", metavar="PATH", help="Write the report (.html ...) or the diagram (.png ...).")
@click.option("--plot", metavar="PATH", help="Draw the diagram too; --bib for references of latex.")
@click.option("--bib", hidden=True)
@click.option("--layout", metavar="NAME", default="auto", help="auto, wide, long or predictions.")
@click.option("--score", hidden=True)
@_columns("--classifier, --score,")
@click.option("--missing", metavar="NAME", default="raise", help="drop-datasets ...; also --drop, --keep, --transpose.")
@click.option("--drop", multiple=True, hidden=True)
@click.option("--keep", multiple=True, hidden=True)
@click.option("--transpose/--no-transpose", default=None, hidden=True)
@click.option("--delimiter", metavar="CHAR", help="Of a text file; likewise --decimal, --encoding, --sheet.")
@click.option("--decimal", default=".", hidden=True)
@click.option("--encoding", default="utf-8", hidden=True)
@click.option("--sheet", hidden=True)
def compare(file: str, **options: Any) -> None:
    """Say which classifiers of a table of scores differ; FILE - is standard input."""
    makers = _makers(file, options)
    comparison = _comparison(file, options)
    # everything is made before anything is written
    files = {path: make(comparison) for path, make in makers.items()}
    for path, content in files.items():
        _write(path, content)
    if options["output"] is None:
        _show(comparison, options["format"] or "text")


@cli.command(short_help="Score predictions, and check their folds.")
@click.argument("file")
@click.option("--metric", metavar="NAME", help="accuracy, f1, f1_macro, roc_auc, brier, cohen_kappa ...")
@click.option("--aggregate", metavar="NAME", help="Of the folds: pooled, mean, merge, tp_fp, precision_recall.")
@click.option("--undefined", metavar="NAME", default="nan", help="nan, zero, skip or raise.")
@click.option("--pos-label", metavar="LABEL", help="The positive label; all others are negative.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", default=0, help="Seed of the checks.")
@click.option("--format", type=click.Choice(TABLES), default="text", metavar="NAME", help=", ".join(TABLES) + ".")
@_columns("--classifier,")
@click.option("--delimiter", metavar="CHAR", help="Of a text file, or tab or space; likewise --decimal.")
@click.option("--decimal", default=".", hidden=True)
@click.option("--encoding", metavar="NAME", default="utf-8", help="Of a text file; --sheet of an Excel file.")
@click.option("--sheet", hidden=True)
def metrics(file: str, **options: Any) -> None:
    """Compute scores from predictions, of each fold and of all, and check the folds; FILE - is standard input."""
    from evalstats.tables.prediction_findings import report_predictions
    from evalstats.tables.predictions import read_predictions

    predictions = read_predictions(
        _standard_input() if file == "-" else file,
        delimiter=DELIMITERS.get(options["delimiter"], options["delimiter"]),
        **{name: options[name] for name in OF_PREDICTIONS},
    )
    chosen = {name: options[name] for name in ("metric", "aggregate", "undefined")}
    _show(report_predictions(predictions, rng=options["seed"], **chosen), options["format"])


@cli.command(short_help="Check every statistic against R.")
@click.argument("stems", metavar="[ROOM/STEM]...", nargs=-1)
@click.option("--live", is_flag=True, help="Ask R now; it is an error if R does not work.")
@click.option("--frozen", is_flag=True, help="Compare with the kept answers of R only; needs no R.")
@click.option("--fuzz", metavar="N", default=0, help="Ask R about N generated inputs per function as well.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Seed of the generated inputs.")
@click.option("--format", type=click.Choice(REPORTS), default="text", metavar="NAME", help=", ".join(REPORTS) + ".")
def validate(stems: tuple[str, ...], *, live: bool, frozen: bool, fuzz: int, seed: int | None, format: str) -> None:
    """Check every statistic against R: its kept answers and, where R works, what it answers now."""
    from evalstats.parity import validate as check

    if live and frozen:
        raise click.UsageError("--live and --frozen exclude each other")
    with _progress() as progress:
        report = check(
            live=live if live or frozen else "auto", fuzz=fuzz, rng=seed, stems=stems or None, progress=progress
        )
    _show(report, format)
    if not report.ok:
        raise click.exceptions.Exit(1 if report.complete else 130)


@cli.command("which-test", short_help="Say which test an experiment calls for.")
@click.argument("file", required=False)
@click.option("--classifiers", type=int, metavar="N", help="How many are compared, if there is no FILE yet.")
@click.option("--datasets", type=int, metavar="N", help="On how many datasets; 1 if not given.")
@click.option("--folds", type=int, metavar="N", help="Folds of each cross-validation.")
@click.option("--repeats", type=int, metavar="N", help="How often it is repeated.")
@click.option("--cases", type=int, metavar="N", help="Cases of the test set.")
@click.option("--data", metavar="NAME", help="What there is: scores, folds, predictions or probabilities.")
@click.option("--metric", metavar="NAME", help="What is compared: accuracy, roc_auc, f1 ...")
@click.option("--control", metavar="NAME", help="Compare the others with this classifier only.")
@click.option("--parametric", is_flag=True, help="Take the differences over datasets for normal.")
@click.option("--alpha", type=float, metavar="P", default=0.05, show_default=True, help="Level of significance.")
@click.option("--format", type=click.Choice(REPORTS), default="text", metavar="NAME", help=", ".join(REPORTS) + ".")
@click.option("--layout", hidden=True)
@click.option("--score", hidden=True)
@_columns("--classifier, --score,")
@click.option("--pos-label", hidden=True)
@click.option("--missing", metavar="NAME", help="raise, drop-datasets or skillings-mack.")
@click.option("--delimiter", metavar="CHAR", help="Of a text file; likewise --decimal, --encoding.")
@click.option("--decimal", hidden=True)
@click.option("--encoding", hidden=True)
@click.option("--sheet", hidden=True)
def which_test(file: str | None, **options: Any) -> None:
    """Say which test a table, predictions or a plan call for, and what it assumes; FILE - is standard input."""
    from evalstats.comparison.advice import which_test as advise

    options["delimiter"] = DELIMITERS.get(options["delimiter"], options["delimiter"])
    reading = (*OF_PREDICTIONS, "layout", "score", "missing", "delimiter")
    planned = {name: f"n_{name}" for name in ("classifiers", "datasets", "folds", "repeats", "cases")}
    if file is None and options["classifiers"] is None:
        raise click.UsageError("name a FILE, or how many --classifiers")
    advice = advise(
        _standard_input() if file == "-" else file,
        **{argument: options[name] for name, argument in planned.items()},
        **{name: options[name] for name in ("data", "metric", "control", "parametric", "alpha")},
        **{name: options[name] for name in reading if options[name] is not None},
    )
    _show(advice, options["format"])


@cli.command(short_help="Say what an experiment can show before it is done.")
@click.argument("test")
@click.option("--datasets", type=click.IntRange(min=1), metavar="N", help="How many; --rows N for mcnemar.")
@click.option("--rows", type=click.IntRange(min=1), hidden=True)
@click.option("--folds", type=click.IntRange(min=2), metavar="N", help="For corrected-t; --repeats, --train, --test.")
@click.option("--repeats", type=click.IntRange(min=1), hidden=True)
@click.option("--train", type=click.IntRange(min=1), hidden=True)
@click.option("--test", "test_size", type=click.IntRange(min=1), hidden=True)
@click.option("--classifiers", type=click.IntRange(min=2), metavar="N", help="How many; of a test of two, all pairs.")
@click.option("--effect", type=float, multiple=True, metavar="X", help="Size of the difference; may be repeated.")
@click.option("--tie-rate", type=float, metavar="P", help="Of the sign test: how often the two are equal.")
@click.option("--accuracy", type=float, metavar="P", help="For mcnemar; likewise --difference,")
@click.option("--difference", type=float, hidden=True)
@click.option("--discordance", type=float, metavar="P", help="and --correlation of being right.")
@click.option("--correlation", type=float, hidden=True)
@click.option("--alpha", type=float, metavar="P", default=0.05, show_default=True, help="Level of significance.")
@click.option("--power", type=float, metavar="P", default=0.8, show_default=True, help="The power that is wanted.")
@click.option("--alternative", metavar="NAME", default="two-sided", help="two-sided, less or greater.")
@click.option("--adjust", metavar="NAME", help="holm, bonferroni ... over --comparisons N.")
@click.option("--comparisons", type=int, hidden=True)
@click.option("--method", metavar="NAME", help="Null distribution: exact, midp, asymptotic; chi2 ...")
@click.option("--simulations", type=int, metavar="N", default=10_000, help="Simulated experiments; --seed N.")
@click.option("--seed", type=click.IntRange(min=0), default=0, hidden=True)
@click.option("--format", type=click.Choice(REPORTS), default="text", metavar="NAME", help=", ".join(REPORTS) + ".")
def plan(test: str, **options: Any) -> None:
    """Say which p-values, which power and which sample size an experiment has.

    TEST: sign, wilcoxon, permutation, paired-t, corrected-t, mcnemar, friedman, nemenyi, bonferroni-dunn.
    """
    from evalstats.design.plan import plan_design

    of_the_difference = ("accuracy", "difference", "discordance", "correlation", "tie_rate")
    of_the_test = ("alpha", "power", "alternative", "adjust", "method")
    with _progress() as progress:
        planned = plan_design(
            test,
            **_planned_size(test, options),
            k=options["classifiers"],
            effects=options["effect"] or None,
            n_comparisons=options["comparisons"],
            n_simulations=options["simulations"],
            rng=options["seed"],
            progress=progress,
            **{name: options[name] for name in (*of_the_difference, *of_the_test)},
        )
    _show(planned, options["format"])


@cli.command(short_help="Run classifiers on datasets, repeatedly.")
@click.argument("config")
@click.option("--directory", metavar="PATH", help="Keep the runs there, and go on from those that are there.")
@click.option("--jobs", type=int, metavar="N", help="Worker processes; -1 is one for each processor.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Seed of the study.")
@click.option("--format", type=click.Choice(TABLES), default="text", metavar="NAME", help=", ".join(TABLES) + ".")
def study(config: str, directory: str | None, jobs: int | None, seed: int | None, format: str) -> None:
    """Run the classifiers of a TOML file on its datasets, repeatedly, on the same splits.

    The classes that CONFIG names are imported and called: run only what you trust.
    """
    from evalstats.study.config import arguments_in
    from evalstats.study.running import run_study

    chosen = {"directory": directory, "n_jobs": jobs, "rng": seed}
    arguments = arguments_in(config) | {name: value for name, value in chosen.items() if value is not None}
    with _progress(bar=True) as progress:
        result = run_study(**arguments, progress=progress)
    _show(result, format)
    if not result.complete:
        raise click.exceptions.Exit(130)


@cli.command(short_help="Say whether another run would agree.")
@click.argument("file")
@click.option("--alpha", type=float, metavar="P", default=0.05, show_default=True, help="Level of significance.")
@click.option("--lower-is-better", is_flag=True, help="The scores are errors or losses.")
@click.option("--higher-is-better", is_flag=True, hidden=True)
@click.option("--metric", metavar="NAME", help="What was measured, or what to compute from predictions.")
@click.option("--aggregate", metavar="NAME", help="Of predictions; likewise --undefined and --pos-label.")
@click.option("--undefined", hidden=True)
@click.option("--pos-label", hidden=True)
@click.option("--canonical", type=int, metavar="N", default=1, help="So many first runs are the canonical estimate.")
@click.option("--ceiling", type=float, metavar="X", help="The best score possible, if the metric is not known.")
@click.option("--orders", type=int, metavar="N", default=50, help="Orders in which stopping rules see the runs.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", default=0, help="Seed of these orders.")
@click.option("--format", type=click.Choice(TABLES), default="text", metavar="NAME", help=", ".join(TABLES) + ".")
@click.option("--layout", metavar="NAME", default="auto", help="auto, wide, long or predictions.")
@click.option("--score", hidden=True)
@_columns("--classifier, --score,")
@click.option("--missing", metavar="NAME", default="raise", help="raise or drop-datasets.")
@click.option("--delimiter", metavar="CHAR", help="Of a text file; likewise --decimal, --encoding, --sheet.")
@click.option("--decimal", default=".", hidden=True)
@click.option("--encoding", default="utf-8", hidden=True)
@click.option("--sheet", hidden=True)
def reproducibility(file: str, **options: Any) -> None:
    """Say whether another run would agree, from repeats of an experiment; FILE - is standard input."""
    from evalstats.comparison.over_runs import report_runs

    chosen = {name: options[name] for name in ("alpha", "canonical", "ceiling")}
    source = _standard_input() if file == "-" else file
    report = report_runs(source, n_orders=options["orders"], rng=options["seed"], **chosen, **_reading(options))
    _show(report, options["format"])


@cli.command(short_help="List tables to try, or write one.")
@click.argument("name", required=False)
def examples(name: str | None) -> None:
    """List the tables that come with evalstats, or write one of them as CSV."""
    from evalstats.examples import example_names, example_path, example_source

    if name is not None:
        _print(example_path(name).read_text(encoding="utf-8"))
        return
    sources = {known: example_source(known) for known in example_names()}
    formatter = click.HelpFormatter()
    formatter.write_dl([(known, f"{source.title} ({source.metric})") for known, source in sources.items()])
    _print(formatter.getvalue())


def main() -> None:
    """Run the command ``evalstats``."""
    cli(prog_name="evalstats")


def _comparison(file: str, options: dict[str, Any]) -> Comparison | OneDatasetComparison:
    from evalstats.tables.reading import read_table

    table = read_table(_standard_input() if file == "-" else file, **_reading(options))
    from evalstats.comparison.deciding import compare as compare_table

    passed = {
        name: options[name] for name in ("control", "alpha", "posthoc", "adjust", "omnibus", "method", "robustness")
    }
    return compare_table(table, rng=options["seed"], **passed)


def _reading(options: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `read_table` that the options of a command give."""
    if options["lower_is_better"] and options["higher_is_better"]:
        raise click.UsageError("--lower-is-better and --higher-is-better exclude each other")
    return {
        "delimiter": DELIMITERS.get(options["delimiter"], options["delimiter"]),
        "greater_is_better": True if options["higher_is_better"] else False if options["lower_is_better"] else None,
        **{name: options[name] for name in READING},
        **{name: options[name] or None for name in ("drop", "keep") if name in options},
        **{name: options[name] for name in ("transpose",) if name in options},
    }


def _planned_size(test: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return how many datasets, rows or fold scores there are; options of other tests are refused."""
    mine = {"mcnemar": ("rows",), "corrected-t": ("folds", "repeats", "train", "test_size")}.get(test, ("datasets",))
    for name in ("datasets", "rows", "folds", "repeats", "train", "test_size"):
        if name not in mine and options[name] is not None:
            raise click.UsageError(f"--{name.removesuffix('_size')} does not go with {test}, which takes --{mine[0]}")
    if test != "corrected-t":
        return {"n": options[mine[0]]}
    folds, repeats, train, size = (options[name] for name in mine)
    if (train is None) != (size is None) or (train is None and folds is None):
        raise click.UsageError("corrected-t needs --folds, or --train and --test")
    n = None if folds is None else folds * (1 if repeats is None else repeats)
    # of k folds, k - 1 are for training; random splits have sizes of their own
    return {"n": n, "n_train": folds - 1, "n_test": 1} if train is None else {"n": n, "n_train": train, "n_test": size}


def _standard_input() -> Any:
    if sys.stdin is None:
        raise click.UsageError("there is no standard input")
    return sys.stdin.buffer


def _makers(file: str, options: dict[str, Any]) -> dict[str, Callable[[Any], bytes]]:
    """Return how each file that is asked for is made; options that do not go together are refused."""
    output, plot, bib, style = (options[name] for name in ("output", "plot", "bib", "format"))
    for path in filter(None, (output, plot, bib)):
        if os.path.exists(path) and os.path.exists(file) and os.path.samefile(path, file):
            raise click.UsageError(f"{path} is the table itself, which would be overwritten")
    makers: dict[str, Callable[[Any], bytes]] = {}
    if output is not None and _suffix(output) in PICTURES:
        if style is not None:
            raise click.UsageError(f"--output {output} is a picture; beside a --format it is drawn by --plot")
        makers[output] = lambda comparison: _picture(comparison, _suffix(output))
    elif output is not None:
        style = style or _style_of(output)
        makers[output] = lambda comparison: _report(comparison, style).encode()
    if plot is not None:
        if _suffix(plot) not in PICTURES:
            raise click.UsageError(f"--plot must end in {' or '.join(PICTURES)}, not {plot}")
        makers[plot] = lambda comparison: _picture(comparison, _suffix(plot))
    if bib is not None:
        if style != "latex":
            raise click.UsageError("--bib belongs to --format latex")
        makers[bib] = lambda _: _bibliography().encode()
    return makers


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _style_of(path: str) -> str:
    for style, suffix in FORMATS.items():
        if _suffix(path) == suffix.lower():
            return style
    known = " ".join([*FORMATS.values(), *PICTURES])
    raise click.UsageError(f"--output {path} has none of the suffixes {known}; name its --format")


def _report(record: Record, style: str, **layout: Any) -> str:
    from evalstats import report
    from evalstats.comparison.over_datasets import Comparison

    if style == "csv":
        from evalstats.report.documents import seen

        table: Any = record
        return "\n".join(map(seen, table.to_csv().split("\n")))
    if style == "r" and not isinstance(record, Comparison):
        raise click.ClickException("a comparison on one dataset has no R script")
    write: Callable[..., str] = getattr(report, "r_script" if style == "r" else style)
    return write(record, **layout)


def _bibliography() -> str:
    from evalstats import report

    return report.bibliography()


def _picture(comparison: Comparison | OneDatasetComparison, suffix: str) -> bytes:
    from evalstats.comparison.over_datasets import Comparison

    if not isinstance(comparison, Comparison):
        raise click.ClickException("a comparison on one dataset has no mean ranks, and so no diagram")
    try:
        import matplotlib as mpl
    except ImportError:
        raise click.ClickException('a picture needs matplotlib: pip install "classifier-evalstats[plot]"') from None
    mpl.use("agg")
    from evalstats.plot import critical_difference_diagram

    file = io.BytesIO()
    figure: Any = critical_difference_diagram(comparison).figure
    figure.savefig(file, format=suffix[1:], bbox_inches="tight", dpi=200)
    return file.getvalue()


def _show(record: Record, style: str) -> None:
    """Print a record: text as the terminal can show it, everything else in UTF-8."""
    if style != "text":
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        _print(_report(record, style))
        return
    layout = _layout()
    text = _report(record, style, **layout)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = _report(record, style, **layout, ascii=True)
    _print(text)


def _layout() -> dict[str, Any]:
    """Return how wide text is on a terminal."""
    import shutil

    return {"width": min(max(shutil.get_terminal_size().columns, 40), 100)} if _is_terminal(sys.stdout) else {}


def _print(text: str) -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    click.echo(text, nl=not text.endswith("\n"))


def _write(path: str, content: bytes) -> None:
    """Write a file whole or not at all."""
    target = os.path.realpath(path)
    try:
        if os.path.exists(target) and not os.path.isfile(target):  # a device or a pipe stays what it is
            with open(target, "wb") as file:
                file.write(content)
            return
        temporary = f"{target}.{os.getpid()}.tmp"
        try:
            with open(temporary, "xb") as file:
                file.write(content)
            os.replace(temporary, target)
        except BaseException:
            if os.path.exists(temporary):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror}") from None


@contextmanager
def _progress(*, bar: bool = False) -> Iterator[Callable[[int, int, str], None] | None]:
    """Show on a terminal how far a long check has come."""
    if not _is_terminal(sys.stderr):
        yield None
        return

    def show(done: int, total: int, name: str) -> None:
        drawn = f"[{'#' * (20 * done // max(total, 1)):20}] " if bar else ""
        click.echo(f"\r\033[K{drawn}{done}/{total} {name}", nl=False, err=True)

    try:
        yield show
    finally:
        click.echo("\r\033[K", nl=False, err=True)


def _is_terminal(stream: Any) -> bool:
    return stream is not None and stream.isatty()


@contextmanager
def _one_line_errors() -> Iterator[None]:
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        raise click.exceptions.Exit(130) from None
    except BrokenPipeError:
        _discard_output()
        raise click.exceptions.Exit(141) from None  # as a shell counts the death by SIGPIPE
    except click.exceptions.Exit:  # the help was shown: nothing else needs to be loaded
        raise
    except Exception as error:
        message = _message(error)
        if message is None:
            raise
        if isinstance(error, OSError) and error.errno is not None and error.filename is None:  # the output is broken
            _discard_output()
        _tell("error", message)
        raise click.exceptions.Exit(2) from None


def _message(error: Exception) -> str | None:
    """Return what to tell about an error that is not a mistake of the program."""
    from evalstats._checks import EvalstatsError, EvalstatsWarning
    from evalstats.tables.grid import TableError

    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{error.format_message().removesuffix('.')} (see {error.ctx.command_path} --help)"
    if isinstance(error, click.ClickException):
        return error.format_message()

    if isinstance(error, TableError):
        return error.message(_option)
    if isinstance(error, EvalstatsError | EvalstatsWarning):  # a warning where Python was told to raise them
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
    return None


def _option(argument: str, value: str) -> str:
    """Write an argument of `read_table` as an option of the command."""
    import shlex

    argument = argument.replace("_", "-")
    words = {character: word for word, character in reversed(DELIMITERS.items())}
    return f"--{argument} {words.get(value) or shlex.quote(value)}" if value else f"--{argument}"


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _tell("warning", str(message))


def _tell(kind: str, message: str) -> None:
    from evalstats.tables.grid import visible

    click.echo(f"evalstats: {kind}: {visible(' '.join(message.split()))}", err=True)


def _discard_output() -> None:
    """Keep Python from writing at its end what can no longer be written."""
    with suppress(AttributeError, OSError), open(os.devnull, "wb") as nothing:  # there may be no output, or no file
        os.dup2(nothing.fileno(), sys.stdout.fileno())
