"""evalstats reproducibility says what analyze_runs says."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from evalstats.cli.output import TABLES
from evalstats.comparison.runs.analysis import analyze_runs


@pytest.fixture
def runs(folder: Path) -> str:
    scores = {"NB": [81, 84, 79, 90, 85, 83], "SVM": [78, 82, 80, 84, 80, 81]}
    rows = [f"iris,{name},{run},{score}" for name, own in scores.items() for run, score in enumerate(own, start=1)]
    (folder / "runs.csv").write_text("\n".join(["dataset,classifier,repeat,accuracy", *rows, ""]))
    return "runs.csv"


@pytest.mark.parametrize("style", TABLES)
def test_reproducibility_prints_every_format(run, written, style: str, runs: str) -> None:
    done = run("reproducibility", runs, "--format", style)

    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == written(analyze_runs(runs), style)


def test_reproducibility_prints_json(run, runs: str) -> None:
    record = json.loads(run("reproducibility", runs, "--format", "json").stdout)["runs"]

    assert (record["pairs"][0]["n_wins"], record["n_runs"], record["over_datasets"]) == (5, [6], None)


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ("--alpha .1 --n-canonical 2 --ceiling 95 --orders 9 --seed 4",
         {"alpha": 0.1, "n_canonical": 2, "ceiling": 95, "n_resamples": 9, "rng": 4}),
        ("--lower-is-better --metric cost --score accuracy",
         {"greater_is_better": False, "metric": "cost", "score": "accuracy"}),
    ],
)  # fmt: skip
def test_options_of_reproducibility_are_arguments(run, options: str, arguments: dict, runs: str) -> None:
    done = run("reproducibility", runs, *options.split(), "--format", "csv")

    assert done.stdout == analyze_runs(runs, **arguments).to_csv()


def test_reproducibility_reads_standard_input(program, runs: str) -> None:
    done = program("reproducibility", "-", input=Path(runs).read_bytes())

    assert done.stdout.startswith(b"6 runs of 2 classifiers on 1 dataset: accuracy\n")


def test_reproducibility_in_ascii(program, runs: str) -> None:
    done = program("reproducibility", runs, env=os.environ | {"PYTHONIOENCODING": "ascii"})

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    assert b"?" not in done.stdout.replace(b"enough?", b"")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("absent.csv", "absent.csv"),
        ("runs.csv --n-canonical 9", "--n-canonical must be at most the number of runs, 6, not 9"),
        ("runs.csv --alpha 7", "alpha must lie between 0 and 1, not 7.0"),
        ("runs.csv --ceiling 80", "scores must not be better than the ceiling of 80.0, but one is 90"),
        ("runs.csv --lower-is-better --higher-is-better", "cannot be combined"),
    ],
)
def test_mistakes_in_reproducibility(refused, options: str, message: str, runs: str) -> None:
    assert message in refused("reproducibility", *options.split())
