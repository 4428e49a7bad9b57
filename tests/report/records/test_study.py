"""A study tells the mean score of each classifier, how far its repeats spread, and what failed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from evalstats import report
from evalstats.study.result import COLUMNS, StudyResult

NAN = math.nan
# dataset, classifier, repeat, fold, score, failure
ROWS = [
    ("z", "svm", 1, 1, 0.25, None),
    ("z", "svm", 1, 2, NAN, "it broke"),
    ("a", "svm", 1, 1, NAN, "it broke"),
    ("a", "svm", 1, 2, NAN, "it broke"),
    ("a", "NB", 1, 1, 0.8, None),
    ("a", "NB", 1, 2, 0.8, None),
    ("a", "NB", 2, 1, 0.5, None),
    ("a", "NB", 2, 2, 0.7, None),
]


def made(rows: list[tuple[Any, ...]], **changes: Any) -> StudyResult:
    held = dict(
        zip(("dataset", "classifier", "repeat", "fold", "score", "failure"), zip(*rows, strict=True), strict=True)
    )
    return StudyResult(
        **{
            "datasets": tuple(dict.fromkeys(held["dataset"])),
            "classifiers": tuple(dict.fromkeys(held["classifier"])),
            "metric": "accuracy",
            "scheme": "k-fold",
            "seed": 1,
            "columns": {name: np.array(held.get(name, [1] * len(rows)), dtype=kind) for name, kind in COLUMNS.items()},
            "n_failed": sum(reason is not None for reason in held["failure"]),
            "complete": True,
            "directory": None,
        }
        | changes
    )


def test_text_tells_means_spread_and_failures() -> None:
    assert report.text(made(ROWS, complete=False)).splitlines() == [
        "Study of 2 classifiers on 2 datasets: accuracy",
        "══════════════════════════════════════════════",
        "",
        "8 runs (k-fold), seed 1. 3 runs failed. The study was not finished.",
        "",
        "Scores",
        "──────",
        "",
        "Dataset    svm             NB",
        "─────────────────────────────",
        "z        0.250              -",
        "a            -  0.700 ± 0.141",
        "",
        "Mean score ± standard deviation over the repeats.",
        "",
        "Failures",
        "────────",
        "",
        "- 1 x z / svm: it broke",
        "- 2 x a / svm: it broke",
    ]


@pytest.mark.parametrize(
    ("changes", "end"),
    [
        ({}, "seed 1."),
        ({"n_failed": 1}, "seed 1. 1 run failed."),
        ({"complete": False}, "seed 1. The study was not finished."),
        ({"directory": "kept"}, "seed 1. The runs are saved in kept."),
    ],
    ids=["whole", "failed", "unfinished", "kept"],
)
def test_verdict_says_whether_all_of_it_came_out(changes: dict[str, Any], end: str) -> None:
    assert report.sentence(made(ROWS[4:], **changes)) == f"4 runs (k-fold), {end}"


def test_many_reasons_are_cut_and_counted() -> None:
    rows = [("a", f"c{i}", 1, 1, NAN, f"reason {i}") for i in range(8)]

    shown = report.text(made(rows)).partition("Failures")[2]

    assert shown.count("- 1 x a / c") == 5
    assert "- and 3 other reasons" in shown


def test_study_until_decided_tells_which_pairs_are_told_apart() -> None:
    """Eight repeats that a wins against b; c failed in the second, and never differs from a."""
    rows = [("d", name, r, 1, score, None) for r in range(1, 9) for name, score in (("a", 0.9), ("b", 0.8), ("c", 0.9))]
    rows[5] = ("d", "c", 2, 1, NAN, "it broke")

    text = report.text(made(rows, stop="AnytimeValid(0.05)"))

    assert [" ".join(line.split()) for line in text.splitlines() if line.startswith("d  ")][1:] == [
        "d a b 8 8 0 0.0352 yes",
        "d a c 7 0 0 1 no",
        "d b c 7 0 7 0.0625 no",
    ]
    assert "decided if p is at most 0.05." in " ".join(text.split())


@pytest.mark.parametrize("stop", [None, "FixedRuns(8)", "AnytimeValid(0.05, bounds=(-1.0, 1.0))"])
def test_other_studies_have_no_such_table(stop: str | None) -> None:
    assert "decided if p is at most" not in report.text(made(ROWS, stop=stop))
