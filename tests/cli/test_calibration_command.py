"""``evalstats calibration``."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalstats import read_predictions, report
from evalstats.tables import analyze_calibration

ROWS = "y_true,p,q\n" + "".join(f"{int(i % 3 == 0)},{0.1 + i / 40:.3f},{0.3 + i / 80:.4f}\n" for i in range(30))


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "predictions.csv"
    path.write_text(ROWS, encoding="utf-8")
    return str(path)


def test_command_prints_the_report_of_the_function_and_saves_the_diagram(run, file, tmp_path) -> None:
    picture = tmp_path / "curve.svg"

    done = run("calibration", file, "--bins", "5", "--plot", str(picture))

    assert done.exit_code == 0
    assert done.stdout == report.text(analyze_calibration(read_predictions(file), n_bins=5, rng=0))
    assert "frequency of the positive class" in picture.read_text(encoding="utf-8")


@pytest.mark.parametrize("style", ["markdown", "latex", "html", "json"])
def test_every_format_names_both_classifiers(run, file, style: str) -> None:
    done = run("calibration", file, "--format", style)

    assert done.exit_code == 0
    assert "miscalibration" in done.stdout


def test_compare_takes_the_option(run, file) -> None:
    done = run("compare", file, "--metric", "brier", "--calibration")

    assert done.exit_code == 0
    assert "Are the probabilities calibrated?" in done.stdout


def test_scores_that_are_no_probabilities_are_one_line(refused, tmp_path) -> None:
    path = tmp_path / "margins.csv"
    path.write_text("y_true,y_score\n0,-1.5\n1,2.5\n0,0.2\n", encoding="utf-8")

    assert "has 2.5 for instance 2" in refused("calibration", str(path)) or "has -1.5 for instance 1" in refused(
        "calibration", str(path)
    )
