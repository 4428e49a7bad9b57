"""R's answers on tests against a margin: over datasets, over folds, in either direction, and what R has not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evalstats import Comparison, compare, example_table

TABLE = example_table("demsar-2006")
HOLES = TABLE.to_frame()
HOLES.iloc[2, 1] = np.nan
LOSSES = 1 - TABLE.to_frame()


def folds(n_repeats: int = 3, n_folds: int = 5) -> Any:
    rng = np.random.default_rng(1)
    at = list(np.ndindex(3, n_repeats, n_folds))
    rows = {"classifier": ["ABC"[c] for c, *_ in at], "repeat": [r for _, r, _ in at], "fold": [f for *_, f in at]}
    return compare(rows | {"accuracy": [rng.normal(0.8 + c / 50, 0.02) for c, *_ in at]}, margin=0.02)


def questions() -> Any:
    rng = np.random.default_rng(2)
    rows = [(m, f"q{i}", int(rng.random() < 0.6)) for m in "ab" for i in range(30)]
    columns = dict(zip(("model", "question_id", "correct"), zip(*rows, strict=True), strict=True))
    return compare({**columns, "benchmark": ["x", "y"] * 30}, margin=0.1)


MADE: dict[str, tuple[Callable[[], Comparison], str, int, int]] = {
    # the test with the margin, numbers of R on it, and lines that say what R has not
    "signed ranks": (lambda: compare(TABLE, margin=0.01), "wilcoxon", 2 * 6, 1),
    "signs, a control": (lambda: compare(TABLE, margin=0.01, control="C4.5", posthoc="sign"), "sign", 2 * 3, 1),
    "t": (lambda: compare(TABLE, margin=0.01, omnibus="rm-anova"), "paired-t", 5 * 6, 0),
    "losses, signed ranks": (lambda: compare(LOSSES, metric="error rate", margin=0.01), "wilcoxon", 2 * 6, 1),
    "losses, t": (
        lambda: compare(LOSSES, metric="error rate", margin=0.01, omnibus="rm-anova", alpha=0.1),
        "paired-t",
        5 * 6,
        0,
    ),
    "missing scores": (lambda: compare(HOLES, margin=0.01, missing="skillings-mack"), "wilcoxon", 2 * 6, 1),
    "two": (lambda: compare(TABLE.select(["C4.5", "C4.5+m"]), margin=0.01), "wilcoxon", 2, 1),
    "folds": (folds, "corrected-t", 5 * 3, 0),
    "questions": (questions, "clustered-t", 0, 1),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", MADE)
def test_r_agrees(name: str, in_r: Callable[[object], str]) -> None:
    make, test, n_agree, n_not_checked = MADE[name]
    comparison = make()
    lines = [line for line in in_r(comparison).splitlines() if "margin" in line]

    assert comparison.margins is not None
    assert comparison.margins.test == test
    assert sum(line.startswith("agrees ") for line in lines) == n_agree
    assert sum(line.startswith("NOT CHECKED: ") for line in lines) == n_not_checked
    assert len(lines) == n_agree + n_not_checked


@pytest.mark.sampled
@pytest.mark.parametrize("name", MADE)
def test_r_finds_each_edited_number(name: str, edited_in_r: Callable[[object], list[str]]) -> None:
    assert [line for line in edited_in_r(MADE[name][0]()) if "margin" in line] == []
