"""Options are the arguments of the functions that read, and a dash is standard input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evalstats import report
from evalstats.comparison.analysis import compare
from evalstats.examples import example_path

PROGRAM = [sys.executable, "-m", "evalstats"]
DEMSAR = str(example_path("demsar-2006"))


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
    run, text: str, options: list[str], arguments: dict | None, folder: Path
) -> None:
    (folder / "scores.csv").write_text(text)

    result = run("compare", "scores.csv", "--format", "json", *options)

    if arguments is None:
        assert "compare requires 2 or more" in result.stderr
    else:
        assert result.stdout == report.json(compare("scores.csv", **arguments))


def test_standard_input(program) -> None:
    done = program("compare", "-", "--format", "json", input=Path(DEMSAR).read_bytes())

    assert done.stderr == b""
    assert json.loads(done.stdout)["comparison"]["table"]["source"] is None


def test_error_in_standard_input_is_named_so(program) -> None:
    done = program("compare", "-", input=b"d,NB\nx,abc\n")

    assert done.stderr == b"evalstats: error: standard input, line 2, column 'NB': 'abc' is not a number\n"


def test_hint_can_be_typed_as_it_stands(refused, folder: Path) -> None:
    (folder / "scores.csv").write_text("dataset\tNB,1\tSVM,2,3,4,5\nx\t1\t2\ny\t2\t1\n")
    hint = refused("compare", "scores.csv", "--delimiter", ";").rpartition("pass ")[2].split()

    assert hint == ["--delimiter", ","]


def test_closed_standard_input_is_one_line() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *PROGRAM, "compare", "-"], capture_output=True, check=False, timeout=60
    )

    assert done.stderr == b"evalstats: error: there is no standard input (see evalstats compare --help)\n"


BATTLES = "model_a,model_b,winner\n" + "a,b,model_a\nb,a,model_a\na,b,tie\n" * 4
ANSWERS = "question,correct\n" + "".join(f"q{i},{i % 3 > 0:d}\n" for i in range(60))


@pytest.mark.sampled
@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="the shell has no process substitution")
@pytest.mark.parametrize(
    ("command", "first"),
    [
        ("compare <(cat scores.csv)", "Comparison of 2 classifiers on 3 datasets"),
        ("compare <(head -2 scores.csv) <(sed 2d scores.csv)", "Comparison of 2 classifiers on 3 datasets"),
        ("compare <(cat battles.csv)", "Comparison of 2 models in 12 battles"),
        ("gate <(cat answers.csv) <(cat answers.csv) --margin 0.1", "Gate: pass"),
    ],
)
def test_files_may_be_pipes_of_the_shell(command: str, first: str, folder: Path) -> None:
    (folder / "battles.csv").write_text(BATTLES)
    (folder / "answers.csv").write_text(ANSWERS)

    line = f'"$0" -m evalstats {command}'
    done = subprocess.run(
        ["bash", "-c", line, sys.executable], capture_output=True, text=True, check=False, timeout=60, cwd=folder
    )

    assert done.stderr == ""
    assert done.stdout.startswith(first)
