"""evalstats error-rates says what calibrate says."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evalstats import example_path, report, simulate_error_rates

SCORES = str(example_path("demsar-2006"))


def test_command_prints_what_the_function_says(run) -> None:
    options = [
        "--metric",
        "AUC",
        "--posthoc",
        "wilcoxon",
        "--adjust",
        "holm",
        "--shift",
        ".03",
        "--shifted-classifier",
        "C4.5+m",
    ]
    options += ["--alpha", ".1", "--null", "normal", "--simulations", "60", "--seed", "3"]
    made = simulate_error_rates(
        SCORES, metric="AUC", posthoc="wilcoxon", adjust="holm", shift=0.03, shifted_classifier="C4.5+m",
        alpha=0.1, null="normal", n_simulations=60, rng=3,
    )  # fmt: skip

    result = run("error-rates", SCORES, *options)

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == report.text(made)


@pytest.mark.parametrize("style", ["text", "markdown", "latex", "html", "json"])
def test_every_format(run, written, style: str) -> None:
    result = run("error-rates", SCORES, "--simulations", "20", "--format", style)

    assert result.exit_code == 0
    if style == "json":
        assert json.loads(result.stdout)["error_rates"]["n_tables"] == 20
    else:
        assert result.stdout.rstrip("\n") == written(simulate_error_rates(SCORES, n_simulations=20), style).rstrip("\n")


def test_table_from_standard_input(run) -> None:
    by_file, piped = (
        run("error-rates", like, "--simulations", "10", "--format", "json", input=text)
        for like, text in ((SCORES, None), ("-", Path(SCORES).read_text(encoding="utf-8")))
    )

    source = (json.loads(shown.stdout)["error_rates"].pop("pairs") for shown in (piped, by_file))

    assert next(source) == next(source)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "Missing argument 'FILE...'"),
        (f"{SCORES} --null odd", "null must be 'auto' or 'permutation' or 'normal', not 'odd'"),
        (
            f"{SCORES} --shifted-classifier C4.5",
            "--shifted-classifier names the classifier to improve, so shift is required too",
        ),
        ("nothing.csv", "nothing.csv"),
    ],
)
def test_mistakes_are_answered_in_one_line(refused, options: str, message: str) -> None:
    assert message in refused("error-rates", *options.split())


@pytest.mark.long
def test_ctrl_c_prints_what_was_done(interruptible: None) -> None:
    command = [
        sys.executable,
        "-m",
        "evalstats",
        "error-rates",
        SCORES,
        "--simulations",
        "100000000",
    ]
    for seconds in (5, 60):  # a busy machine has computed nothing after a few seconds
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
            with pytest.raises(subprocess.TimeoutExpired):
                program.wait(timeout=seconds)
            program.send_signal(signal.SIGINT)
            shown, _ = program.communicate(timeout=30)
        if shown:
            break

    assert program.returncode == 130
    assert "of 100000000 tables" in " ".join(shown.split())
