"""Every mistake is answered with one line, an interrupt and a broken pipe with none."""

from __future__ import annotations

import io
import os
import resource
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import click
import pytest

from evalstats.cli import cli, errors
from evalstats.comparison.analysis import compare
from evalstats.examples import example_path

PROGRAM = [sys.executable, "-m", "evalstats"]
DEMSAR = str(example_path("demsar-2006"))
WIDE = "dataset,NB,SVM\niris,0.93,0.95\nglass,0.71,0.50\nwine,0.8,0.9\n"


def seconds() -> float:
    """Return the processor time of finished programs; it does not depend on what else the machine does."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# --- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("compare", "Missing argument 'FILE...' (see evalstats compare --help)"),
        ("compare nope.csv", "there is no file nope.csv"),
        ("compare scores.csv --contol NB", "--control"),  # Click 8.5 writes it in quotes
        ("compare scores.csv --control nb", "control must be one of 'NB', 'SVM', not 'nb'"),
        ("compare scores.csv --alpha 5", "alpha must lie between 0 and 1, not 5.0"),
        ("compare scores.csv --alpha x", "'x' is not a valid float (see evalstats compare --help)"),
        ("compare scores.csv --format word", "'word' is not one of 'text', 'markdown', 'latex', 'html', 'json', 'r'"),
        ("compare scores.csv --layout tall", "'long' or 'predictions' or 'answers', not 'tall'"),
        ("compare scores.csv --posthoc x", "posthoc must be"),
        ("compare scores.csv --method x", "method must be"),
        ("compare scores.csv --delimiter ;", "for a different delimiter, pass --delimiter ,"),
        ("compare scores.csv --layout long", "choose one with --classifier"),
        ("compare scores.csv --output scores.doc", ".json .R .png .svg .pdf; pass --format"),
        ("compare scores.csv --output no/report.txt", "cannot write no/report.txt: No such file or directory"),
        ("compare scores.csv --output . --format text", "cannot write .: Is a directory"),
        ("compare scores.csv --output new.txt/", "--output must be a file, but new.txt/ is the name of a directory"),
        ("compare scores.csv --plot new.png/", "--plot must be a file, but new.png/ is the name of a directory"),
        ("compare scores.csv --output scores.csv --format text", "is the input file, which would be overwritten"),
        ("compare scores.csv --output x.png --format text", "is a plot; with --format, use --plot instead"),
        ("compare scores.csv --plot x.html", "--plot must end in .png or .svg or .pdf, not x.html"),
        ("compare scores.csv --bib x.bib", "--bib requires --format latex"),
        ("compare scores.csv --lower-is-better --higher-is-better", "cannot be combined"),
        ("compare scores.csv --seed -1", "-1 is not in the range"),
        ("compare scores.csv --sheet one", "scores.csv is not an Excel file, so it has no sheet 'one'"),
        ("compare scores.csv --encoding klingon", "encoding must be one that Python supports"),
        ("compare scores.csv more.csv", "there is no file more.csv"),
        ("comapre scores.csv", "No such command 'comapre'; did you mean 'compare'? (see evalstats --help)"),
        ("scores.csv", "No such command 'scores.csv'; to compare a table, run: evalstats compare scores.csv"),
        ("xyz", "No such command 'xyz' (see evalstats --help)"),
        ("examples iris", "name must be 'demsar-2006' or"),
        ("validate --live --stored", "--live and --stored cannot be combined"),
        ("validate no/such", "functions must be names of functions or of modules such as"),
    ],
)  # fmt: skip
def test_mistakes_in_the_options(refused, arguments: str, message: str, folder: Path) -> None:
    assert message in refused(*arguments.split())
    assert sorted(p.name for p in folder.iterdir()) == ["scores.csv"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "scores.csv is empty"),
        (b"dataset,NB,SVM\n", "scores.csv has no row of scores"),
        (b"dataset\tNB\tSVM\niris\t1\t2\n", None),
        (b"dataset NB SVM\niris 1 2\n", "for a different delimiter, pass --delimiter space"),
        (b"dataset,kind,NB\niris,flower,1\nwine,drink,2\n", "holds 1 classifier; compare requires 2 or more"),
        (b"dataset,NB,SVM\niris,1,\n", "(line 2); fill in these scores, or leave out their datasets with --miss"),
        (b"dataset,NB,SVM\niris,1,2\niris,2,3\n", "must be unique, but these are repeated: 'iris' (lines 2, 3)"),
        (b"dataset,NB\niris,1\n", "the table holds 1 classifier; compare requires 2 or more"),
        (b"dataset,NB,SVM\niris,1,2\n", None),
        (b"dataset,NB,SVM\niris,93%,95%\nwine,90%,80%\n", None),
        (b"dataset,NB,SVM\niris,93%,0.95\n", "either all or none of the scores must be written with %"),
        (b"dataset;NB;SVM\niris;1,930;1,950\n", "pass --decimal , if ',' is the decimal mark, or --thousands ,"),
        (b"dataset,NB,SVM\nFarben gr\xfcn,1,2\n", "'grün' in cp1252, 'gr黱' in gbk, "),
        ("dataset,NB\nx,1\n".encode("utf-16-le"), "pass --encoding utf-16-le"),
        (b"\x89PNG\r\n\x1a\n\0\0", "scores.csv is an image; write the table as CSV or Parquet"),
        (b"data,model,acc,my score\nx,a,1,2\n", None),
        (b"data,model,f1,acc\nx,a,1,2\n", "choose one, for example --metric f1"),
        (b"data,model,metric,value\nx,a,two words,1\nx,a,f1,1\n", "choose one, for example --metric 'two words'"),
        (b"dataset,NB,SVM\n\x1b[31mred,1,2\n", "holds the control character '\\x1b'"),
    ],
)  # fmt: skip
def test_mistakes_in_the_table(run, refused, content: bytes, message: str | None, folder: Path) -> None:
    """None: no mistake at all."""
    (folder / "scores.csv").write_bytes(content)

    if message is not None:
        assert message in refused("compare", "scores.csv")
    elif b"model" in content:
        assert "compare requires 2 or more" in refused("compare", "scores.csv")
    else:
        assert run("compare", "scores.csv").exit_code == 0


@pytest.mark.parametrize("error", [RuntimeError("a mistake of the program"), ZeroDivisionError()])
def test_mistake_of_the_program_is_not_hidden(
    run, error: Exception, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("evalstats.comparison.analysis.compare", fail)

    assert run("compare", "scores.csv").exception is error


def test_warning_is_one_line(run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def warn(*_: object, **__: object) -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = errors._show_warning
            warnings.warn("few\ndatasets", UserWarning, stacklevel=1)
        return compare(io.StringIO(WIDE))

    monkeypatch.setattr("evalstats.comparison.analysis.compare", warn)

    assert run("compare", "scores.csv").stderr == "evalstats: warning: few datasets\n"


# --- how it behaves among other programs ------------------------------------------------------------------------------


def test_enormous_line_fails_at_once(program, folder: Path) -> None:
    with open("line.csv", "wb") as file:
        file.write(b"dataset,NB\n")
        file.write(b"x" * 50_000_000)
    start = seconds()
    done = program("compare", "line.csv")

    assert seconds() - start < 2
    assert done.returncode == 2
    assert (
        done.stderr == b"evalstats: error: line.csv, line 2 has more than 10,000,000 characters, "
        b"so the file is not a table of scores\n"
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


@pytest.mark.usefixtures("interruptible")
def test_interrupt_is_silent(folder: Path) -> None:
    os.mkfifo("pipe")
    process = subprocess.Popen([*PROGRAM, "compare", "pipe"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # the pipe opens when the program opens it for reading, and keeps it waiting
    with process, open("pipe", "w"):
        process.send_signal(signal.SIGINT)
        output, told = process.communicate(timeout=60)

    assert (process.returncode, output, told) == (130, b"", b"")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_errors_are_one_line_in_any_encoding(program, encoding: str, folder: Path) -> None:
    (folder / "scores.csv").write_text("dataset,Naïve\nx,Дерево\n", encoding="utf-8")

    done = program("compare", "scores.csv", env={**os.environ, "PYTHONIOENCODING": encoding})

    assert done.returncode == 2
    assert done.stderr.startswith(b"evalstats: error: scores.csv, line 2, column 'Na")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError("Unable to allocate 6.71 GiB\nfor an array"), "there is not enough memory for this command"),
        (RecursionError("maximum recursion depth exceeded"), "the input is nested too deeply"),
    ],
)
def test_what_is_too_much_is_one_line(refused, folder: Path, monkeypatch, error: Exception, message: str) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("evalstats.comparison.analysis.compare", fail)

    assert refused("compare", "scores.csv") == message


def test_warning_that_python_was_told_to_raise_is_one_line(folder: Path) -> None:
    rows = [
        f"d,{c},{fold},{i},{i % 2},1" for shift, c in enumerate("ab") for i in range(4) for fold in [(i + shift) // 2]
    ]
    (folder / "p.csv").write_text("dataset,classifier,fold,row,y_true,y_pred\n" + "\n".join(rows) + "\n")

    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "evalstats", "metrics", "p.csv"], capture_output=True, check=False
    )

    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert b"were tested in different folds of dataset 'd'" in done.stderr


# --- arguments and options --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "message", "written"),
    [
        ("compare", "method='exact' takes long; use method='chi2'", "--method exact takes long; use --method chi2"),
        ("compare", "pass decimal='.' or dataset='v1.'", "pass --decimal . or --dataset v1."),
        ("compare", "read with columns={'fold': ...}", "read with --fold"),
        ("compare", "name the control with control=", "name the control with --control"),
        ("compare", "format must be 'auto'", "--from must be 'auto'"),
        ("compare", "x.csv: rows must be 1-2", "x.csv: --rows must be 1-2"),
        ("compare", "y_true must name a column ('y_true')", "--y-true must name a column ('y_true')"),
        ("compare", "pass n_folds=5.", "pass --n-folds 5."),
        ("compare", "it is lost, such as margin=0.01", "it is lost, such as --margin 0.01"),
        ("compare", "read with columns={'subgroup': 'a'}", "read with --subgroup a"),
        ("compare", "greater_is_better=False is for scores", "--lower-is-better is for scores"),
        ("plan", "tie_rate is for n_train and n_test", "--tie-rate is for --train and --test"),
        ("plan", "effects must be finite", "--effect must be finite"),
        ("audit", "claims must be numbers, but claims['F'] is 'x'", "claims must be numbers, but --f is 'x'"),
        ("reproducibility", "n_resamples must be 1 or more", "--orders must be 1 or more"),
        ("judge", "judge must be one of 'a'", "--judge must be one of 'a'"),
    ],
)  # fmt: skip
def test_argument_in_a_message_is_written_as_the_option(command: str, message: str, written: str) -> None:
    assert errors.OptionNames(cli.get_command(click.Context(cli), command)).written_in(message) == written


@pytest.mark.parametrize(
    "message",
    [
        "there is no classifier 'ridge alpha=0.1'",
        "seed=3.csv is empty",
        "runs/alpha=0.1/x.csv is empty",
        "choose one with --y-true y_true",
        "pass --keep 'ridge alpha=0.1' and --keep b",
        "the predictions lack y_score",
        "use test with alternative='greater'",
        "the control must be known",
    ],
)
def test_names_of_the_user_and_arguments_without_an_option_stay(message: str) -> None:
    assert errors.OptionNames(cli.get_command(click.Context(cli), "compare")).written_in(message) == message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gate", "latin.csv", "scores.csv", "--margin", "1"], "choose its encoding, such as --encoding cp1252"),
        (["compare", "latin.csv"], "choose its encoding, such as --encoding cp1252"),
        (["metrics", "latin.csv"], "choose its encoding, such as --encoding cp1252"),
    ],
)  # fmt: skip
def test_no_advice_names_an_option_that_the_command_lacks(
    refused, arguments: list[str], message: str, folder: Path
) -> None:
    (folder / "latin.csv").write_bytes(b"\xe9,NB,SVM\niris,1,2\n")

    assert refused(*arguments).endswith(message)


@pytest.mark.parametrize(
    "arguments", [["--control", ""], ["--metric", ""], ["--metric", "auc", "--metric="], ["--reader", ""]]
)
def test_empty_value_of_a_script_is_refused(refused, arguments: list[str], folder: Path) -> None:
    """A script with an unset variable would otherwise give another analysis than intended."""
    assert "is empty; omit --" in refused("compare", "scores.csv", *arguments)


def test_column_without_a_name_is_named_by_an_empty_value(run, folder: Path) -> None:
    (folder / "scores.csv").write_text(",model,auc\nx,a,1\nx,b,2\ny,a,1\ny,b,2\n")

    assert run("compare", "scores.csv", "--dataset", "", "--score", "auc").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("compare scores.csv --n-test 0", "--n-test is for learning curves"),
        ("compare scores.csv --strong-weight 0", "--strong-weight requires battles"),
        ("compare scores.csv --n-folds 0", "--n-folds must be at least 1, not 0"),
        ("compare scores.csv --rope 0 --reader reader", "--rope cannot be combined with --reader"),
        ("compare battles.csv --strong-weight nan", "--strong-weight must be finite"),
        (
            "compare long.csv --metric error",
            "is 'accuracy', not 'error', for which lower is better; leave out the option",
        ),
        (
            "compare long.csv --metric nope",
            "is 'accuracy', not 'nope'; leave out the option, or pass --metric accuracy; to re",
        ),
        ("compare long.csv --transpose", "--transpose belongs to a wide table of scores, but this is a long table"),
        ("compare long.csv --no-transpose", "--transpose belongs to a wide table of scores, but this is a long"),
        ("compare folds.csv --rows-are datasets", "--rows-are datasets contradicts 'fold', which names folds or runs"),
        ("compare scores.csv --decimal . --thousands .", "--thousands must not be the decimal mark, but both are '.'"),
        ("compare scores.csv --n-folds 10", "--n-folds is for results of programs that only number the splits"),
        ("compare answers.csv --keep nope", "--keep belongs to a table of scores, but these are answers to questions"),
        ("compare answers.csv --lower-is-better", "--lower-is-better is for scores, but 'correct' says which answers"),
        ("compare answers.csv --metric nope", "--metric must be accuracy for answers that are correct or incorrect"),
        ("compare labels.csv --lower-is-better", "--lower-is-better is for scores, but 'accuracy' is computed from"),
        ("compare battles.csv --small-sample cr0", "is for clusters of battles"),
        ("compare curves.csv --train-size n --no-transpose", "--transpose cannot be combined with --train-size"),
        ("error-rates battles.csv", "the table must hold scores or predictions"),
        ("plan mcnemar --instances 100 --difference nan", "--difference must be finite"),
    ],
)  # fmt: skip
def test_values_are_not_ignored(refused, arguments: str, message: str, folder: Path) -> None:
    (folder / "battles.csv").write_text("model_a,model_b,winner\n" + "a,b,model_a\nb,a,model_a\na,b,tie\n" * 4)
    rows = [(model, q) for model in "AB" for q in range(20)]
    answers = "".join(f"{m},q{q},b{q % 2},{(q + ord(m)) % 3 % 2}\n" for m, q in rows)
    (folder / "answers.csv").write_text("model,question_id,benchmark,correct\n" + answers)
    labels = "".join(f"{m},{q},{q % 2},{(q + ord(m)) % 3 % 2}\n" for m, q in rows)
    (folder / "labels.csv").write_text("classifier,id,y_true,y_pred\n" + labels)
    folds = "".join(f"x,{m},{q},0.{(q + ord(m)) % 7}\n" for m, q in rows)
    (folder / "folds.csv").write_text("dataset,model,fold,accuracy\n" + folds)
    (folder / "long.csv").write_text("dataset,model,accuracy\nx,a,.1\nx,b,.2\ny,a,.1\ny,b,.2\n")

    assert message in refused(*arguments.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--transpose --no-transpose", "--transpose and --no-transpose cannot be combined"),
        ("--drop NB --keep NB", "must name different rows or columns, not both 'NB'"),
        ("--control svm", "not 'svm'; did you mean 'SVM'?"),
    ],
)
def test_contradictions_and_near_names(refused, arguments: str, message: str, folder: Path) -> None:
    assert message in refused("compare", "scores.csv", *arguments.split())


def test_name_of_a_format_is_not_the_option_of_the_output(refused) -> None:
    assert refused("formats", "nope").startswith("format must be")


@pytest.mark.parametrize(
    ("alpha", "rule"), [("1e-300", "be at least 1e-16"), ("0", "lie"), ("1", "lie"), ("nan", "lie")]
)
def test_impossible_significance_level_is_refused_by_its_option(refused, alpha: str, rule: str, folder: Path) -> None:
    """For 1e-300, the confidence level of the intervals was called invalid."""
    assert refused("compare", "scores.csv", "--alpha", alpha).startswith(f"--alpha must {rule}")
