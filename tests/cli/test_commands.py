"""The command line does what a new user expects, and answers every mistake with one line."""

from __future__ import annotations

import fcntl
import io
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import termios
import time
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click import Command
from click.testing import CliRunner, Result

from evalstats import __version__, report
from evalstats._result import Record
from evalstats.cli import commands
from evalstats.cli.commands import REPORTS, TABLES
from evalstats.comparison.advice import which_test
from evalstats.comparison.deciding import compare
from evalstats.comparison.over_runs import report_runs
from evalstats.design.plan import plan_design
from evalstats.examples import example_names, example_path, example_table
from evalstats.parity import ParityReport, validate
from evalstats.tables.prediction_findings import report_predictions
from evalstats.tables.predictions import read_predictions
from evalstats.tables.reading import read_table

PROGRAM = [sys.executable, "-m", "evalstats"]
DEMSAR = str(example_path("demsar-2006"))
PREDICTIONS = str(example_path("sklearn-predictions"))
NAMES = ("compare", "metrics", "validate", "examples", "which-test", "plan", "study", "reproducibility")
COMMANDS = ([], *([name] for name in NAMES))
WIDE = "dataset,NB,SVM\niris,0.93,0.95\nglass,0.71,0.50\nwine,0.8,0.9\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(WIDE)
    return tmp_path


def run(*arguments: str, **options) -> Result:
    return CliRunner().invoke(commands.cli, list(arguments), prog_name="evalstats", **options)


def written(record: Record, style: str) -> str:
    return record.to_csv() if style == "csv" else getattr(report, style)(record)


def seconds() -> float:
    """Return the processor time of finished programs; it does not depend on what else the machine does."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def program(*arguments: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run([*PROGRAM, *arguments], capture_output=True, check=False, timeout=60, **options)


def refused(*arguments: str, **options) -> str:
    """Return the one line that a mistake is answered with."""
    result = run(*arguments, **options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("evalstats: error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("evalstats: error: ").rstrip("\n")


# --- compare ----------------------------------------------------------------------------------------------------------


def test_compare_prints_the_text_report() -> None:
    result = run("compare", DEMSAR, "--metric", "AUC")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == report.text(compare(read_table(DEMSAR, metric="AUC")))


@pytest.mark.parametrize("style", ["text", "markdown", "latex", "html", "json"])
def test_compare_prints_every_format(style: str) -> None:
    expected = getattr(report, style)(compare(read_table(DEMSAR)))

    assert run("compare", DEMSAR, "--format", style).stdout == expected


def test_compare_prints_an_r_script() -> None:
    assert run("compare", DEMSAR, "--format", "r").stdout == report.r_script(compare(read_table(DEMSAR)))


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--control", "C4.5"], {"control": "C4.5"}),
        (["--alpha", ".1"], {"alpha": 0.1}),
        (["--lower-is-better"], {"greater_is_better": False}),
        (["--method", "chi2"], {"method": "chi2"}),
        (["--posthoc", "nemenyi"], {"posthoc": "nemenyi"}),
        (["--method", "monte-carlo", "--seed", "7"], {"method": "monte-carlo", "rng": 7}),
    ],
)
def test_options_are_the_arguments_of_compare(options: list[str], arguments: dict) -> None:
    expected = report.json(compare(read_table(DEMSAR), **arguments))

    assert run("compare", DEMSAR, "--format", "json", *options).stdout == expected


@pytest.mark.parametrize(
    ("text", "options", "arguments"),
    [
        ("d;NB;SVM\nx;0,5;0,6\ny;0,7;0,5\n", ["--decimal", ","], {"decimal": ","}),
        ("d\tNB\tSVM,a,b\nx\t1\t2\ny\t3\t1\n", ["--delimiter", "tab"], {"delimiter": "\t"}),
        ("d NB SVM\nx 1 2\ny 3 1\n", ["--delimiter", "space"], {"delimiter": " "}),
        ("d,NB,SVM\nx,1,2\ny,NA,1\n", ["--missing", "drop-datasets"], {"missing": "drop-datasets"}),
        ("d,A,B,C\nx,1,2,3\ny,NA,1,2\n", ["--missing", "skillings-mack"], {"missing": "skillings-mack"}),
        ("a,b,c\nx,NB,1\nx,SVM,2\n", ["--dataset", "a", "--classifier", "b", "--score", "c"],
         {"dataset": "a", "classifier": "b", "score": "c"}),
        ("data,model,error,auc\nx,NB,1,3\nx,SVM,2,4\n", ["--metric", "error"], {"metric": "error"}),
        ("data,model,error,auc\nx,NB,1,3\nx,SVM,2,4\n", ["--metric", "error", "--higher-is-better"],
         {"metric": "error", "greater_is_better": True}),
        ("data,model\nx,1\ny,2\n", ["--layout", "wide", "--encoding", "ascii"], None),
    ],
)  # fmt: skip
def test_options_are_the_arguments_of_read_table(
    text: str, options: list[str], arguments: dict | None, folder: Path
) -> None:
    (folder / "scores.csv").write_text(text)

    result = run("compare", "scores.csv", "--format", "json", *options)

    if arguments is None:
        assert "compare needs 2 or more" in result.stderr
    else:
        assert result.stdout == report.json(compare(read_table("scores.csv", **arguments)))


def test_standard_input() -> None:
    done = program("compare", "-", "--format", "json", input=Path(DEMSAR).read_bytes())

    assert done.stderr == b""
    assert json.loads(done.stdout)["comparison"]["table"]["source"] is None


def test_error_in_standard_input_is_named_so() -> None:
    done = program("compare", "-", input=b"d,NB\nx,abc\n")

    assert done.stderr == b"evalstats: error: standard input, line 2, column 'NB': 'abc' is not a number\n"


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "style"),
    [
        ("r.txt", "text"),
        ("r.md", "markdown"),
        ("r.TEX", "latex"),
        ("r.html", "html"),
        ("r.json", "json"),
        ("r.R", "r_script"),
    ],
)
def test_suffix_chooses_the_format(name: str, style: str, folder: Path) -> None:
    result = run("compare", "scores.csv", "--output", name)

    assert (result.exit_code, result.output) == (0, "")
    assert (folder / name).read_text(encoding="utf-8") == getattr(report, style)(compare(read_table("scores.csv")))


def test_format_stands_before_the_suffix(folder: Path) -> None:
    run("compare", "scores.csv", "--output", "report.html", "--format", "json")

    assert json.loads((folder / "report.html").read_text())["kind"] == "evalstats comparison"


@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_pictures_are_drawn(suffix: str, start: bytes, folder: Path) -> None:
    beside = run("compare", DEMSAR, "--plot", f"beside{suffix}")
    alone = run("compare", DEMSAR, "--output", f"alone{suffix}")

    assert beside.stdout.startswith("Comparison of 4 classifiers")
    assert (alone.exit_code, alone.output) == (0, "")
    assert (folder / f"beside{suffix}").read_bytes().startswith(start)
    assert (folder / f"alone{suffix}").read_bytes().startswith(start)


def test_references_are_written_beside_latex(folder: Path) -> None:
    result = run("compare", DEMSAR, "--output", "paper.tex", "--bib", "paper.bib")

    assert result.exit_code == 0
    assert (folder / "paper.bib").read_text(encoding="utf-8") == report.bibliography()


def test_file_is_replaced_as_a_whole(folder: Path) -> None:
    (folder / "report.txt").write_text("old" * 10_000)
    (folder / "link.txt").symlink_to("report.txt")

    run("compare", "scores.csv", "--output", "link.txt")

    assert (folder / "report.txt").read_text(encoding="utf-8").startswith("Comparison of 2")
    assert (folder / "link.txt").is_symlink()
    assert sorted(p.name for p in folder.iterdir()) == ["link.txt", "report.txt", "scores.csv"]


def test_nothing_is_half_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "report.txt").write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device", "report.txt.tmp", None, "report.txt")

    monkeypatch.setattr(os, "replace", fail)

    assert (
        refused("compare", "scores.csv", "--output", "report.txt") == "cannot write report.txt: No space left on device"
    )
    assert (folder / "report.txt").read_text() == "old"
    assert sorted(p.name for p in folder.iterdir()) == ["report.txt", "scores.csv"]


def test_nothing_is_written_if_anything_cannot_be_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    message = refused("compare", "scores.csv", "--output", "report.txt", "--plot", "diagram.png")

    assert message == 'a picture needs matplotlib: pip install "classifier-evalstats[plot]"'
    assert sorted(p.name for p in folder.iterdir()) == ["scores.csv"]


def test_device_stays_a_device(folder: Path) -> None:
    assert run("compare", "scores.csv", "--format", "html", "--output", os.devnull).exit_code == 0
    assert not os.path.isfile(os.devnull)


def test_new_file_has_the_usual_rights(folder: Path) -> None:
    (folder / "usual").touch()

    run("compare", "scores.csv", "--output", "report.txt")

    assert (folder / "report.txt").stat().st_mode == (folder / "usual").stat().st_mode


# --- predictions ------------------------------------------------------------------------------------------------------


def test_predictions_are_compared() -> None:
    done = run("compare", PREDICTIONS, "--metric", "roc_auc", "--format", "json")

    assert done.stdout == report.json(compare(read_table(PREDICTIONS, metric="roc_auc")))


def test_options_of_predictions_are_the_arguments_of_read_table(folder: Path) -> None:
    text = Path(PREDICTIONS).read_text(encoding="utf-8").replace("fold,row,y_true,y_pred", "part,item,gold,guess", 1)
    (folder / "p.csv").write_text(text, encoding="utf-8")
    columns = {"fold": "part", "row": "item", "y_true": "gold", "y_pred": "guess"}
    choices = {"metric": "f1", "aggregate": "mean", "undefined": "skip", "pos_label": "0"}
    options = [f"--{name.replace('_', '-')}={value}" for name, value in (columns | choices).items()]

    done = run("compare", "p.csv", "--format", "json", *options)

    assert done.stdout == report.json(compare(read_table("p.csv", **columns, **choices)))


@pytest.mark.parametrize("style", TABLES)
def test_metrics_prints_every_format(style: str) -> None:
    expected = report_predictions(read_predictions(PREDICTIONS), metric="f1", rng=0)

    done = run("metrics", PREDICTIONS, "--metric", "f1", "--format", style)

    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == written(expected, style)


def test_metrics_prints_json_without_nan(folder: Path) -> None:
    (folder / "p.csv").write_text("dataset,classifier,fold,y_true,y_pred\nx,a,1,1,1\nx,a,2,0,0\n")

    record = json.loads(run("metrics", "p.csv", "--metric", "f1", "--format", "json").stdout)["predictions"]

    assert record["scores"]["scores"] == [[1.0]]
    assert record["scores"]["groups"][0]["fold_scores"] == [1.0, None]
    assert record["findings"][0]["code"] == "fold-without-positives"


def test_label_does_not_become_markup(folder: Path) -> None:
    label = "<script>alert(1)</script> ![x](http://e)"
    (folder / "p.csv").write_text(f"dataset,classifier,fold,y_true,y_pred\nx,a,1,{label},{label}\nx,a,1,no,no\n")

    text = run("metrics", "p.csv", "--metric", "f1", "--pos-label", label, "--format", "markdown").stdout

    assert r"\<script\>alert(1)\</script\> !\[x\](http://e)" in text
    assert "<script>" not in text.replace(r"\<", "")


def test_csv_holds_no_order_to_a_terminal() -> None:
    made = report_predictions(read_predictions(PREDICTIONS), metric="f1")
    hostile = replace(made, scores=replace(made.scores, metric="f1 \x1b]0;pwned\x07"))

    text = commands._report(hostile, "csv")

    assert r"f1 \x1b]0;pwned\x07" in text
    assert text.count("\n") == made.to_csv().count("\n")


@pytest.mark.parametrize(
    ("options", "read", "chosen"),
    [
        (["--aggregate", "mean", "--undefined", "skip", "--metric", "f1"], {},
         {"aggregate": "mean", "undefined": "skip", "metric": "f1"}),
        (["--pos-label", "0", "--metric", "recall"], {"pos_label": "0"}, {"metric": "recall"}),
        (["--metric", "auc", "--seed", "3"], {}, {"metric": "roc_auc", "rng": 3}),
        (["--fold", "row"], {"fold": "row"}, {}),
    ],
)  # fmt: skip
def test_options_of_metrics_are_arguments(options: list[str], read: dict, chosen: dict) -> None:
    expected = report_predictions(read_predictions(PREDICTIONS, **read), **{"rng": 0} | chosen)

    assert run("metrics", PREDICTIONS, *options).stdout == report.text(expected)


def test_metrics_reads_standard_input() -> None:
    done = program("metrics", "-", input=b"dataset,classifier,y_true,y_pred\nx,a,1,1\nx,a,0,1\n")

    assert done.stderr == b""
    assert b"pooled *  0.500" in done.stdout


@pytest.mark.parametrize(
    ("command", "text", "message"),
    [
        ("metrics p.csv", "dataset,classifier,gold,y_pred\nx,a,1,1\n", "choose one with --y-true"),
        ("metrics p.csv --metric f1", "dataset,classifier,y_true,y_pred\nx,a,r,r\nx,a,g,g\nx,a,b,g\n",
         "choose one with --pos-label, or choose an average over the labels, such as f1_macro"),
        ("compare p.csv --metric recall", "dataset,classifier,y_true,y_pred\nx,a,0,0\nx,b,0,0\n",
         "recall of 'a' on dataset 'x' is undefined: no case is of the class; to go on, pass --undefined zero"),
        ("compare p.csv --metric roc_auc", "dataset,classifier,y_true,y_pred\nx,a,0,0\nx,b,0,0\n",
         "roc_auc needs scores, but the predictions have no column y_score; name it by --y-score"),
        ("metrics p.csv --decimal ,", "dataset;classifier;y_true;y_score\nx;a;0;0.5\nx;a;1;0.7\n", "pass --decimal ."),
        ("metrics scores.csv", "", "none of the columns 'dataset', 'NB', 'SVM' is known to hold the true labels"),
        ("metrics p.csv --metric f3", "dataset,classifier,y_true,y_pred\nx,a,0,0\n", "metric of predictions must"),
        ("compare scores.csv --aggregate mean", "", "aggregate belongs to predictions, but this is a wide table"),
    ],
)  # fmt: skip
def test_mistakes_in_predictions(command: str, text: str, message: str, folder: Path) -> None:
    (folder / "p.csv").write_text(text)

    assert message in refused(*command.split())


# --- the other commands -----------------------------------------------------------------------------------------------


def test_examples_are_listed() -> None:
    assert [line.split()[0] for line in run("examples").stdout.splitlines() if line[0] != " "] == list(example_names())


@pytest.mark.parametrize("name", example_names())
def test_example_is_written_and_compared(name: str, folder: Path) -> None:
    (folder / "example.csv").write_text(run("examples", name).stdout, encoding="utf-8")

    assert read_table("example.csv").scores.tolist() == example_table(name).scores.tolist()
    assert run("compare", "example.csv").exit_code == 0


def test_version() -> None:
    assert run("--version").stdout == f"evalstats {__version__}\n"


def test_without_a_command_the_help_is_shown() -> None:
    assert run().stdout == run("--help").stdout == run("-h").stdout


def parity(*, ok: bool = True, complete: bool = True) -> ParityReport:
    """Return a report on one function, which agrees or could not be checked."""
    checked = validate(live=False, stems=["paired/sign"])
    return replace(checked, rows=(replace(checked.rows[0], ok=ok),), complete=complete)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict:
    """Replace the check against R by a note of what was asked."""
    arguments: dict = {"answer": parity()}

    def check(**options: object) -> ParityReport:
        arguments.update(options)
        return arguments["answer"]

    monkeypatch.setattr("evalstats.parity.validate", check)
    return arguments


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], {"live": "auto", "fuzz": 0, "rng": None, "stems": None, "progress": None}),
        (["--live", "--fuzz", "5", "--seed", "3"], {"live": True, "fuzz": 5, "rng": 3}),
        (["--frozen", "paired/sign", "paired/ttest"], {"live": False, "stems": ("paired/sign", "paired/ttest")}),
    ],
)
def test_options_are_the_arguments_of_validate(options: list[str], expected: dict, asked: dict) -> None:
    assert run("validate", *options).stdout == report.text(asked["answer"])
    assert {name: asked[name] for name in expected} == expected


@pytest.mark.parametrize(("answer", "status"), [({}, 0), ({"ok": False}, 1), ({"ok": False, "complete": False}, 130)])
def test_status_of_validate_is_its_verdict(answer: dict, status: int, asked: dict) -> None:
    asked["answer"] = parity(**answer)

    assert run("validate").exit_code == status


@pytest.mark.parametrize("style", REPORTS)
def test_formats_of_validate(style: str, asked: dict) -> None:
    assert run("validate", "--format", style).stdout == written(asked["answer"], style)


def test_validate_really_checks() -> None:
    result = run("validate", "--frozen", "paired/sign", "--format", "json")

    assert (result.exit_code, json.loads(result.stdout)["parity"]["ok"]) == (0, True)


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    with commands._progress() as progress:
        progress(1, 2, "sign_test")
    shown = sys.stderr.getvalue()
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with commands._progress() as progress:
        assert progress is None

    assert shown == "\r\033[K1/2 sign_test\r\033[K"


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ([DEMSAR], {"source": DEMSAR}),
        ([DEMSAR, "--control", "C4.5", "--parametric"], {"source": DEMSAR, "control": "C4.5", "parametric": True}),
        ([PREDICTIONS, "--metric", "f1", "--alpha", ".001"], {"source": PREDICTIONS, "metric": "f1", "alpha": 0.001}),
        (["--classifiers", "5", "--datasets", "12", "--data", "scores"], {"n_classifiers": 5, "n_datasets": 12}),
        (["--classifiers", "2", "--folds", "10", "--repeats", "3"],
         {"n_classifiers": 2, "n_folds": 10, "n_repeats": 3}),
        (["--classifiers", "2", "--data", "predictions", "--cases", "20000"],
         {"n_classifiers": 2, "data": "predictions", "n_cases": 20000}),
    ],
)  # fmt: skip
def test_options_are_the_arguments_of_which_test(options: list[str], arguments: dict) -> None:
    done = run("which-test", *options)

    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == report.text(which_test(**arguments))


def test_which_test_reads_tables_as_compare_does(folder: Path) -> None:
    (folder / "scores.csv").write_text("a;b;c\nx;NB;1,5\nx;SVM;2,5\ny;NB;1,5\ny;SVM;2,0\n")
    columns = {"dataset": "a", "classifier": "b", "score": "c", "delimiter": ";", "decimal": ","}
    options = [f"--{name}={value}" for name, value in columns.items()]

    assert run("which-test", "scores.csv", *options).stdout == report.text(which_test("scores.csv", **columns))


def test_which_test_prints_json() -> None:
    record = json.loads(run("which-test", DEMSAR, "--format", "json").stdout)["advice"]

    assert (record["test"], record["posthoc"]) == ("friedman_test", ["nemenyi_test"])
    assert record["design"]["n_datasets"] == 14


def test_which_test_reads_missing_scores_as_compare_does(folder: Path) -> None:
    (folder / "missing.csv").write_text(WIDE.replace("0.95", ""))

    assert "--missing drop-datasets" in refused("which-test", "missing.csv")
    assert "on 2 datasets" in run("which-test", "missing.csv", "--missing", "drop-datasets").stdout


def test_one_dataset_has_no_r_script(folder: Path) -> None:
    (folder / "folds.csv").write_text("fold,NB,SVM\n1,0.8,0.9\n2,0.7,0.9\n")

    assert refused("compare", "folds.csv", "--format", "r") == "a comparison on one dataset has no R script"
    assert refused("compare", "folds.csv", "--output", "check.R") == "a comparison on one dataset has no R script"


def test_which_test_reads_standard_input() -> None:
    done = program("which-test", "-", input=WIDE.encode())

    assert done.stderr == b""
    assert done.stdout.startswith(b"wilcoxon_test\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "name a FILE, or how many --classifiers (see evalstats which-test --help)"),
        ("nope.csv", "there is no file nope.csv"),
        ("--classifiers 1", "n_classifiers must be at least 2, not 1"),
        ("--classifiers x", "'x' is not a valid integer"),
        ("--classifiers 2 --decimal ,", "decimal is for reading a table, but there is none"),
        ("scores.csv --datasets 4", "n_datasets must be 3 as in the data, not 4"),
        ("scores.csv --control nb", "control must be among 'NB', 'SVM', not 'nb'"),
    ],
)
def test_mistakes_in_which_test(options: str, message: str, folder: Path) -> None:
    assert message in refused("which-test", *options.split())


# --- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("compare", "Missing argument 'FILE' (see evalstats compare --help)"),
        ("compare nope.csv", "there is no file nope.csv"),
        ("compare .", ". is a directory, not a file"),
        ("compare scores.csv --contol NB", "No such option '--contol'"),
        ("compare scores.csv --control nb", "control must be one of 'NB', 'SVM', not 'nb'"),
        ("compare scores.csv --alpha 5", "alpha must lie between 0 and 1, not 5.0"),
        ("compare scores.csv --alpha x", "'x' is not a valid float (see evalstats compare --help)"),
        ("compare scores.csv --format word", "'word' is not one of 'text', 'markdown', 'latex', 'html', 'json', 'r'"),
        ("compare scores.csv --layout tall", "layout must be 'auto' or 'wide' or 'long' or 'predictions', not 'tall'"),
        ("compare scores.csv --posthoc x", "posthoc must be"),
        ("compare scores.csv --method x", "method must be"),
        ("compare scores.csv --delimiter ;", "if its columns are separated so, pass --delimiter ,"),
        ("compare scores.csv --layout long", "choose one with --classifier"),
        ("compare scores.csv --output scores.doc", ".json .R .png .svg .pdf; name its --format"),
        ("compare scores.csv --output no/report.txt", "cannot write no/report.txt: No such file or directory"),
        ("compare scores.csv --output . --format text", "cannot write .: Is a directory"),
        ("compare scores.csv --output scores.csv --format text", "is the table itself, which would be overwritten"),
        ("compare scores.csv --output x.png --format text", "is a picture; beside a --format it is drawn by --plot"),
        ("compare scores.csv --plot x.html", "--plot must end in .png or .svg or .pdf, not x.html"),
        ("compare scores.csv --bib x.bib", "--bib belongs to --format latex"),
        ("compare scores.csv --lower-is-better --higher-is-better", "exclude each other"),
        ("compare scores.csv --seed -1", "-1 is not in the range"),
        ("compare scores.csv --sheet one", "scores.csv is not an Excel file, so it has no sheet 'one'"),
        ("compare scores.csv --encoding klingon", "encoding must be one that Python knows"),
        ("compare scores.csv more.csv", "unexpected extra argument"),
        ("comapre scores.csv", "No such command 'comapre'"),
        ("examples iris", "name must be 'demsar-2006' or"),
        ("validate --live --frozen", "--live and --frozen exclude each other"),
        ("validate no/such", "stems must be among"),
    ],
)  # fmt: skip
def test_mistakes_in_the_options(arguments: str, message: str, folder: Path) -> None:
    assert message in refused(*arguments.split())
    assert sorted(p.name for p in folder.iterdir()) == ["scores.csv"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "scores.csv is empty"),
        (b"dataset,NB,SVM\n", "scores.csv has no row of scores"),
        (b"dataset\tNB\tSVM\niris\t1\t2\n", None),
        (b"dataset NB SVM\niris 1 2\n", "if its columns are separated so, pass --delimiter space"),
        (b"dataset,kind,NB\niris,flower,1\nwine,drink,2\n", "holds 1 classifier; compare needs 2 or more"),
        (b"dataset,NB,SVM\niris,1,\n", "(line 2); fill them, or leave out their datasets with --missing drop-datasets"),
        (b"dataset,NB,SVM\niris,1,2\niris,2,3\n", "must be unique, but these are repeated: 'iris' (lines 2, 3)"),
        (b"dataset,NB\niris,1\n", "the table holds 1 classifier; compare needs 2 or more"),
        (b"dataset,NB,SVM\niris,1,2\n", None),
        (b"dataset,NB,SVM\niris,93%,95%\nwine,90%,80%\n", None),
        (b"dataset,NB,SVM\niris,93%,0.95\n", "all scores must be written with % or none"),
        (b"dataset;NB;SVM\niris;0,93;0,95\n", "if ',' is the decimal mark, pass --decimal ,"),
        (b"dataset,NB,SVM\nFarben g\xfcn,1,2\n", "is not utf-8; if the file is written so, pass --encoding latin-1"),
        ("dataset,NB\nx,1\n".encode("utf-16"), "pass --encoding utf-16"),
        (b"\x89PNG\r\n\x1a\n\0\0", "scores.csv, line 1"),
        (b"data,model,acc,my score\nx,a,1,2\n", None),
        (b"data,model,f1,acc\nx,a,1,2\n", "choose one, for example --score f1"),
        (b"data,model,metric,value\nx,a,two words,1\nx,a,f1,1\n", "choose one, for example --metric 'two words'"),
        (b"dataset,NB,SVM\n\x1b[31mred,1,2\n", "holds the control character '\\x1b'"),
    ],
)  # fmt: skip
def test_mistakes_in_the_table(content: bytes, message: str | None, folder: Path) -> None:
    """None: no mistake at all."""
    (folder / "scores.csv").write_bytes(content)

    if message is not None:
        assert message in refused("compare", "scores.csv")
    elif b"model" in content:
        assert "compare needs 2 or more" in refused("compare", "scores.csv")
    else:
        assert run("compare", "scores.csv").exit_code == 0


def test_one_dataset_is_compared_and_said_to_be_too_few(folder: Path) -> None:
    (folder / "scores.csv").write_text("dataset,NB,SVM,C4.5\niris,1,2,3\n")

    record = json.loads(run("compare", "scores.csv", "--format", "json").stdout)["comparison"]

    assert record["significant"] is False
    assert record["smallest_pvalue"] > 0.05


def test_hint_can_be_typed_as_it_stands(folder: Path) -> None:
    (folder / "scores.csv").write_text("dataset\tNB,1\tSVM,2,3,4,5\nx\t1\t2\ny\t2\t1\n")
    hint = refused("compare", "scores.csv", "--delimiter", ";").rpartition("pass ")[2].split()

    assert hint == ["--delimiter", ","]


@pytest.mark.parametrize("error", [RuntimeError("a mistake of the program"), ZeroDivisionError()])
def test_mistake_of_the_program_is_not_hidden(error: Exception, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("evalstats.tables.reading.read_table", fail)

    assert run("compare", "scores.csv").exception is error


def test_warning_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def warn(*_: object, **__: object) -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = commands._show_warning
            warnings.warn("few\ndatasets", UserWarning, stacklevel=1)
        return read_table(io.StringIO(WIDE))

    monkeypatch.setattr("evalstats.tables.reading.read_table", warn)

    assert run("compare", "scores.csv").stderr == "evalstats: warning: few datasets\n"


# --- plan -------------------------------------------------------------------------------------------------------------


def planned(command: str) -> Result:
    return run("plan", *command.split())


def test_plan_prints_what_plan_design_says() -> None:
    plan = plan_design("sign", n=10, effects=[0.7, 0.8], tie_rate=0.1, power=0.9)

    result = planned("sign --datasets 10 --effect .7 --effect .8 --tie-rate .1 --power .9")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == report.text(plan)


def test_plan_of_a_test_set() -> None:
    known = {"accuracy": 0.9, "difference": 0.01, "correlation": 0.5}
    command = "mcnemar --rows 2000 --accuracy .9 --difference .01 --correlation .5 --method midp --format json"

    assert (
        json.loads(planned(command).stdout)["plan"] == plan_design("mcnemar", n=2000, method="midp", **known).to_dict()
    )


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ("--folds 10 --repeats 5", {"n": 50, "n_train": 9, "n_test": 1}),
        ("--folds 30 --train 200 --test 100", {"n": 30, "n_train": 200, "n_test": 100}),
        ("--train 2 --test 1", {"n_train": 2, "n_test": 1}),
    ],
)
def test_plan_of_folds(options: str, arguments: dict) -> None:
    """Of k folds, k - 1 are for training; random splits say their sizes."""
    assert planned(f"corrected-t {options}").stdout == report.text(plan_design("corrected-t", **arguments))


def test_plan_of_several_classifiers_is_seeded() -> None:
    command = "friedman --datasets 8 --classifiers 3 --effect 1 --simulations 200 --seed 7"
    plan = plan_design("friedman", n=8, k=3, effects=[1], n_simulations=200, rng=7)

    assert planned(command).stdout == report.text(plan)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("anova", "test must be 'sign' or 'wilcoxon'"),
        ("friedman --datasets 9", "the test 'friedman' needs k, the number of classifiers"),
        ("mcnemar --datasets 9", "--datasets does not go with mcnemar, which takes --rows (see evalstats plan --help)"),
        ("sign --test 9", "--test does not go with sign, which takes --datasets (see evalstats plan --help)"),
        ("corrected-t", "corrected-t needs --folds, or --train and --test (see evalstats plan --help)"),
        ("corrected-t --folds 5 --train 5", "corrected-t needs --folds, or --train and --test"),
        ("sign --datasets 0", "Invalid value for '--datasets': 0 is not in the range x>=1."),
        ("sign --effect 2", "win_probability must lie between 0 and 1, not 2.0"),
        ("mcnemar --rows 9 --effect 2", "effects is not of the test 'mcnemar'"),
    ],
)
def test_plan_refuses_in_one_line(options: str, message: str) -> None:
    assert refused("plan", *options.split()).startswith(message.rstrip("."))


def test_plan_shows_its_progress_on_a_terminal() -> None:
    main, terminal = os.openpty()
    options = ["plan", "wilcoxon", "--datasets", "9", "--effect", "1", "--simulations", "1000"]
    with subprocess.Popen([*PROGRAM, *options], stdout=subprocess.PIPE, stderr=terminal) as process:
        os.close(terminal)
        text = process.stdout.read()
        shown = b""
        while chunk := _read(main):
            shown += chunk
    os.close(main)

    assert text.startswith(b"Wilcoxon signed-rank test on 9 datasets")
    assert b"1000/1000 experiments" in shown
    assert shown.endswith(b"\r\x1b[K")


# --- reproducibility --------------------------------------------------------------------------------------------------


@pytest.fixture
def runs(folder: Path) -> str:
    scores = {"NB": [81, 84, 79, 90, 85, 83], "SVM": [78, 82, 80, 84, 80, 81]}
    rows = [f"iris,{name},{run},{score}" for name, own in scores.items() for run, score in enumerate(own, start=1)]
    (folder / "runs.csv").write_text("\n".join(["dataset,classifier,repeat,accuracy", *rows, ""]))
    return "runs.csv"


@pytest.mark.parametrize("style", TABLES)
def test_reproducibility_prints_every_format(style: str, runs: str) -> None:
    done = run("reproducibility", runs, "--format", style)

    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == written(report_runs(runs), style)


@pytest.mark.parametrize("style", REPORTS)
def test_advice_and_plans_have_every_format(style: str) -> None:
    advice = run("which-test", "--classifiers", "3", "--datasets", "9", "--format", style)
    plan = run("plan", "sign", "--datasets", "10", "--format", style)

    assert advice.stdout == written(which_test(n_classifiers=3, n_datasets=9), style)
    assert plan.stdout == written(plan_design("sign", n=10), style)


def test_reproducibility_prints_json(runs: str) -> None:
    record = json.loads(run("reproducibility", runs, "--format", "json").stdout)["runs"]

    assert (record["pairs"][0]["n_wins"], record["n_runs"], record["over_datasets"]) == (5, [6], None)


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ("--alpha .1 --canonical 2 --ceiling 95 --orders 9 --seed 4",
         {"alpha": 0.1, "canonical": 2, "ceiling": 95, "n_orders": 9, "rng": 4}),
        ("--lower-is-better --metric cost --score accuracy",
         {"greater_is_better": False, "metric": "cost", "score": "accuracy"}),
    ],
)  # fmt: skip
def test_options_of_reproducibility_are_arguments(options: str, arguments: dict, runs: str) -> None:
    done = run("reproducibility", runs, *options.split(), "--format", "csv")

    assert done.stdout == report_runs(runs, **arguments).to_csv()


def test_reproducibility_reads_standard_input(runs: str) -> None:
    done = program("reproducibility", "-", input=Path(runs).read_bytes())

    assert done.stdout.startswith(b"6 runs of 2 classifiers on 1 dataset: accuracy\n")


def test_reproducibility_in_ascii(runs: str) -> None:
    done = program("reproducibility", runs, env=os.environ | {"PYTHONIOENCODING": "ascii"})

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    assert b"?" not in done.stdout.replace(b"enough?", b"")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("absent.csv", "absent.csv"),
        ("runs.csv --canonical 9", "canonical must be at most the number of runs, 6, not 9"),
        ("runs.csv --alpha 7", "alpha must lie between 0 and 1, not 7.0"),
        ("runs.csv --ceiling 80", "scores must not be better than the ceiling of 80.0, but one is 90"),
        ("runs.csv --lower-is-better --higher-is-better", "exclude each other"),
    ],
)
def test_mistakes_in_reproducibility(options: str, message: str, runs: str) -> None:
    assert message in refused("reproducibility", *options.split())


# --- how it behaves among other programs ------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_fits_a_screen(command: list[str]) -> None:
    lines = run(*command, "--help").stdout.splitlines()

    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    "command", [commands.compare, commands.metrics, commands.reproducibility], ids=lambda command: command.name
)
def test_help_names_every_option(command: Command) -> None:
    text = run(command.name, "--help").stdout
    hidden = {"--higher-is-better"}  # the default of most metrics

    missing = [option for p in command.params for option in p.opts if option.startswith("--") and option not in text]

    assert set(missing) <= hidden


def test_help_loads_no_library_but_numpy_and_click() -> None:
    script = (
        "import sys\nfrom evalstats.cli import cli\ncli(['compare', '--help'], standalone_mode=False)\n"
        "print([m for m in ('scipy', 'pandas', 'matplotlib', 'rpy2', 'pyarrow', 'openpyxl') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.endswith("[]\n")


def test_enormous_line_fails_at_once(folder: Path) -> None:
    with open("line.csv", "wb") as file:
        file.write(b"dataset,NB\n")
        file.write(b"x" * 50_000_000)
    start = seconds()
    done = program("compare", "line.csv")

    assert seconds() - start < 2
    assert done.returncode == 2
    assert (
        done.stderr
        == b"evalstats: error: line.csv, line 2 has more than 10,000,000 characters: not a table of scores\n"
    )


def test_broken_pipe_is_silent() -> None:
    """As in `evalstats compare scores.csv | true`; the status is what a shell counts for SIGPIPE."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(
            [*PROGRAM, "compare", DEMSAR], stdout=pipe, stderr=subprocess.PIPE, check=False, timeout=60
        )

    assert (done.returncode, done.stderr) == (141, b"")


def test_full_disk_is_one_line() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*PROGRAM, "examples"], stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)

    assert (done.returncode, done.stderr) == (2, b"evalstats: error: No space left on device\n")


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let programs listen to Ctrl-C, also where these tests are the background job of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_interrupt_is_silent(folder: Path) -> None:
    os.mkfifo("pipe")
    process = subprocess.Popen([*PROGRAM, "compare", "pipe"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # the pipe opens when the program opens it for reading, and keeps it waiting
    with process, open("pipe", "w"):
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)

    assert (process.returncode, output, errors) == (130, b"", b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_streams_do_no_harm(closed: str, folder: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *PROGRAM, "compare", "scores.csv"],
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert (done.returncode, done.stderr) == (0, b"")


def test_closed_standard_input_is_one_line() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *PROGRAM, "compare", "-"], capture_output=True, check=False, timeout=60
    )

    assert done.stderr == b"evalstats: error: there is no standard input (see evalstats compare --help)\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_text_is_what_the_output_can_show(encoding: str, folder: Path) -> None:
    (folder / "scores.csv").write_text("dataset,Naïve,Дерево\nx,1,2\ny,2,1\nz,3,4\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": encoding}

    done = program("compare", "scores.csv", env=environment)
    text = done.stdout.decode(encoding)

    assert (done.returncode, done.stderr) == (0, b"")
    assert ("Дерево" in text) == (encoding == "utf-8")


@pytest.mark.parametrize("style", ["html", "json"])
def test_documents_are_utf_8_whatever_the_output_is(style: str, folder: Path) -> None:
    (folder / "scores.csv").write_text("dataset,Naïve,Дерево\nx,1,2\ny,2,1\n", encoding="utf-8")

    done = program("compare", "scores.csv", "--format", style, env={**os.environ, "PYTHONIOENCODING": "ascii"})

    assert done.stdout.decode() == getattr(report, style)(compare(read_table("scores.csv")))


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_errors_are_one_line_in_any_encoding(encoding: str, folder: Path) -> None:
    (folder / "scores.csv").write_text("dataset,Naïve\nx,Дерево\n", encoding="utf-8")

    done = program("compare", "scores.csv", env={**os.environ, "PYTHONIOENCODING": encoding})

    assert done.returncode == 2
    assert done.stderr.startswith(b"evalstats: error: scores.csv, line 2, column 'Na")
    assert done.stderr.count(b"\n") == 1


def test_terminal_gets_its_width_and_no_colour(folder: Path) -> None:
    main, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 50, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    with subprocess.Popen([*PROGRAM, "compare", "scores.csv"], stdout=terminal, env=environment) as process:
        os.close(terminal)
        shown = b""
        while chunk := _read(main):
            shown += chunk
    os.close(main)

    assert process.returncode == 0
    assert shown.decode().splitlines() == report.text(compare(read_table("scores.csv")), width=50).splitlines()
    assert b"\x1b" not in shown


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # Linux tells so that the other side of a terminal is closed
        return b""


# --- study ------------------------------------------------------------------------------------------------------------

STUDY = """
seed = 1
folds = 3
repeats = 2
[classifiers]
NB.class = "sklearn.naive_bayes.GaussianNB"
dummy.class = "sklearn.dummy.DummyClassifier"
[datasets]
iris.loader = "load_iris"
"""


def test_study_runs_a_file_and_compare_reads_what_it_kept(folder: Path) -> None:
    (folder / "study.toml").write_text(STUDY)
    result = run("study", "study.toml", "--directory", "runs")
    again = run("study", "study.toml", "--directory", "runs", "--format", "csv")

    assert (result.exit_code, result.stderr) == (0, "")
    assert "12 runs (k-fold), seed 1" in result.stdout
    assert again.stdout.startswith("dataset,classifier,repeat,fold,metric,score,")
    assert again.stdout.count("\n") == 13
    assert json.loads(run("study", "study.toml", "--format", "json").stdout)["study"]["complete"] is True
    assert read_table("runs").classifiers == ("dummy", "NB")


def test_study_refuses_in_one_line(folder: Path) -> None:
    (folder / "study.toml").write_text(STUDY)
    run("study", "study.toml", "--directory", "runs")

    message = refused("study", "study.toml", "--directory", "runs", "--seed", "2")
    assert message == "directory 'runs' holds another study: seed is 1 there and 2 here"
    assert refused("study", "no.toml") == "there is no file no.toml"


@pytest.mark.usefixtures("interruptible")
def test_interrupted_study_shows_what_it_has(folder: Path) -> None:
    (folder / "study.toml").write_text(STUDY.replace("repeats = 2", "repeats = 2000"))
    process = subprocess.Popen([*PROGRAM, "study", "study.toml", "--directory", "runs"], stdout=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not list(folder.glob("runs/scores/*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)

    assert process.returncode == 130
    assert b"The study was not finished." in output
