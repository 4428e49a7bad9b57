"""R's answers on questions: by t and by signs, one benchmark and several, two models, several and against a control."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evalstats import compare, report
from evalstats.adjustment.pvalues import ADJUSTMENTS
from evalstats.report.formats import r_comparison


def answers(k: int, n_passages: int, benchmarks: int, n_samples: int = 1, **choices: Any) -> Any:
    rng = np.random.default_rng(k + n_passages)
    rows = []
    for b in range(benchmarks):
        for passage in range(n_passages):
            ease = rng.normal()
            for question in range(1 + passage % 4):
                for model in range(k):
                    for sample in range(n_samples):
                        right = int(ease + 0.4 * model + rng.logistic() > 0)
                        rows.append((f"b{b}", "ABCDE"[model], f"{passage}.{question}", f"{b} {passage}", sample, right))
    names = ("benchmark", "model", "question_id", "passage", "sample", "correct")
    return compare(dict(zip(names, zip(*rows, strict=True), strict=True)), **choices)


# what is compared, its test, numbers that agree, and lines that say what R has not
MADE: dict[str, tuple[Callable[[], Any], str, int, int]] = {
    "two models": (lambda: answers(2, 30, 1), "clustered_ttest", 2 * 2 + 6, 0),
    "four models, three benchmarks, samples": (
        lambda: answers(4, 12, 3, 3),
        "clustered_ttest",
        2 * 4 + 7 * 6,
        0,
    ),
    "a control, each question the same": (
        lambda: answers(3, 12, 2, control="B", average="micro", adjust="hochberg"),
        "clustered_ttest",
        2 * 3 + 7 * 2,
        0,
    ),
    "few clusters": (lambda: answers(3, 9, 2), "clustered_permutation_test", 2 * 3 + 4 * 3, 1),
    "a margin": (lambda: answers(2, 30, 1, margin=0.1), "clustered_ttest", 2 * 2 + 6, 1),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", MADE)
def test_r_agrees(name: str, in_r: Callable[[object], str]) -> None:
    make, test, n_agree, n_not_checked = MADE[name]
    comparison = make()
    of_questions, _, of_benchmarks = in_r(comparison).partition("With the benchmarks as the sample:\n")
    lines = of_questions.splitlines()
    known = ("agrees ", "NOT CHECKED: ")

    assert comparison.pair_test == test
    assert [line for line in [*lines, *of_benchmarks.splitlines()] if not line.startswith(known)] == []
    assert ("agrees " in of_benchmarks) == (comparison.over_benchmarks is not None)
    assert sum(line.startswith("agrees ") for line in lines) == n_agree
    assert len(lines) - n_agree == n_not_checked


@pytest.mark.sampled
@pytest.mark.parametrize("average", ["macro", "micro"])
@pytest.mark.parametrize("n_passages", [9, 30])
def test_r_agrees_with_every_adjustment(average: str, n_passages: int, in_r: Callable[[object], str]) -> None:
    made = [
        answers(3, n_passages, 2, average=average, adjust=method, control=control)
        for control in (None, "B")
        for method in ("none", *ADJUSTMENTS)
    ]
    lines = in_r("\n".join(map(report.r_script, made))).splitlines()
    known = ("agrees ", "NOT CHECKED: ", "With the benchmarks as the sample:")

    assert [line for line in lines if not line.startswith(known)] == []
    assert sum(line.startswith("agrees ") for line in lines) > 12 * len(made)


def test_equal_models_and_losses(in_r: Callable[[object], str]) -> None:
    """Where nothing differs, and where the difference is the same everywhere, R has the same answer.

    The signs of the 50 questions decide, of which one size leaves only the number; base R lacks their intervals.
    """
    n = 50
    table = {
        "model": [*"A" * n, *"B" * n, *"C" * n],
        "question_id": [*range(n)] * 3,
        "loss": [0.5, 0.25] * (n // 2) * 2 + [1.5, 1.25] * (n // 2),
    }

    lines = in_r(compare(table, score="loss")).splitlines()

    assert [line[:40] for line in lines if not line.startswith("agrees ")] == [
        "NOT CHECKED: the intervals of the differ"
    ]


def test_script_that_would_be_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(r_comparison, "MOST_NUMBERS", 10)

    _, code = r_comparison.data_and_code(answers(2, 30, 1))

    assert len(code) == 1
    assert code[0].startswith('not_checked("the tests of the pairs", "a script of')


def test_signs_of_many_clusters_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few of them hold most of the questions: the sums of all their signs would not fit into memory."""
    comparison = answers(3, 9, 2)
    monkeypatch.setattr(r_comparison, "MOST_CLUSTERS", 2)

    _, code = r_comparison.data_and_code(comparison)

    assert comparison.pair_test == "clustered_permutation_test"
    assert any("R would have to try all signs of 18 clusters" in line for line in code)
    assert not any("by_signs" in line for line in code)
