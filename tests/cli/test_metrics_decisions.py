"""``evalstats metrics --decisions``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalstats import read_predictions, report
from evalstats.tables import analyze_decisions

ROWS = "y_true,p,q\n" + "".join(f"{int(i % 3 == 0)},{0.1 + i / 40:.3f},{0.3 + i % 7 / 14:.4f}\n" for i in range(30))


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "predictions.csv"
    path.write_text(ROWS, encoding="utf-8")
    return str(path)


def test_command_prints_the_report_of_the_function_and_saves_the_curves(run, file, tmp_path) -> None:
    picture = tmp_path / "curves.svg"
    options = ("--thresholds", "0.3", "--prevalence", "0.1", "--alpha", "0.1", "--adjust", "none", "--seed", "2")
    chosen = {"thresholds": 0.3, "prevalence": 0.1, "alpha": 0.1, "adjust": "none", "rng": 2}

    done = run("metrics", file, "--decisions", *options, "--plot", str(picture))

    assert done.exit_code == 0
    assert done.stdout == report.text(analyze_decisions(read_predictions(file), **chosen))
    assert "net benefit" in picture.read_text(encoding="utf-8")


def test_several_thresholds_are_separated_by_commas(run, file) -> None:
    made = run("metrics", file, "--decisions", "--thresholds", "0.2, 0.3", "--format", "json").stdout

    assert json.loads(made)["decisions"]["curves"][0]["curve"]["thresholds"] == [0.2, 0.3]


@pytest.mark.parametrize("style", ["markdown", "latex", "html"])
def test_every_format_has_the_tables(run, file, style: str) -> None:
    done = run("metrics", file, "--decisions", "--thresholds", "0.3", "--format", style)

    assert done.exit_code == 0
    assert "Predictive values" in done.stdout


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--thresholds 0.3", "--thresholds requires --decisions"),
        ("--plot x.svg", "--plot requires --decisions"),
        ("--decisions --metric f1", "--metric cannot be combined with --decisions"),
        ("--decisions --format csv", "--format csv cannot be combined with --decisions"),
        ("--decisions --thresholds a", "--thresholds must be numbers such as 0.1,0.2, not a"),
        ("--decisions --thresholds 2", "thresholds must hold increasing numbers above 0 and below 1"),
    ],
)
def test_wrong_options_are_one_line(refused, file, line: str, message: str) -> None:
    assert message in refused("metrics", file, *line.split())
