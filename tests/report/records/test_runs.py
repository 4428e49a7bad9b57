"""Whether another run would agree, in words: the verdict first, then what is least reproducible."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evalstats import analyze_runs, report
from evalstats.comparison import RunAnalysis

RUNS = 0.75 + np.random.default_rng(7).normal(0, 0.03, size=(5, 20, 3))  # dataset, run, classifier


def of_runs(runs: np.ndarray, names: tuple[str, ...] = ("C4.5", "NB", "SVM")) -> dict[str, list[Any]]:
    places = list(np.ndindex(runs.shape))
    return {
        "dataset": [f"d{d}" for d, _, _ in places],
        "repeat": [run + 1 for _, run, _ in places],
        "classifier": [names[c] for _, _, c in places],
        "accuracy": runs.ravel().tolist(),
    }


@pytest.fixture(scope="module")
def runs() -> RunAnalysis:
    return analyze_runs(of_runs(RUNS))


def test_text_begins_with_the_verdict(runs: RunAnalysis) -> None:
    lines = report.text(runs).splitlines()

    assert lines[0] == "20 runs of 3 classifiers on 5 datasets: accuracy"
    assert lines[3].startswith(("The runs agree: of 20 runs, ", "The verdict depends on the run: of 20 runs, "))


def test_every_part_has_its_section(runs: RunAnalysis) -> None:
    assert [section.name for section in report.document(runs).sections][-5:] == [
        "pairs-over-all-datasets",
        "pairs-on-each-dataset",
        "estimates",
        "distribution-over-runs",
        "sufficient-number-of-runs",
    ]


@pytest.mark.parametrize("width", [60, 80, 100])
def test_text_fits_the_terminal(runs: RunAnalysis, width: int) -> None:
    assert max(map(len, report.text(runs, width=width).splitlines())) <= width


def test_long_tables_are_cut_and_say_so() -> None:
    names = tuple(f"c{c}" for c in range(12))
    text = report.text(analyze_runs(of_runs(np.random.default_rng(0).random((1, 3, 12)), names), stopping_rule=()))

    assert "26 more rows in the CSV." in " ".join(text.split())  # of 66 pairs


def test_undefined_numbers_are_called_none() -> None:
    equal = analyze_runs(of_runs(np.full((1, 4, 2), 0.8)))

    assert "none" in report.text(equal)


def test_markdown_names_what_it_cites(runs: RunAnalysis) -> None:
    text = report.markdown(runs)

    assert text.startswith("# 20 runs of 3 classifiers on 5 datasets: accuracy\n")
    assert "Raeder" in text.partition("## References")[2]
