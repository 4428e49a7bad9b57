"""The script of several metrics: R computes the tests by each, and how alike they rank."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from evalstats import compare, example_path


def several(k: int = 4, **choices: object) -> object:
    scores = np.random.default_rng(k).random((9, k)) + np.arange(k) / 4
    tables = {"accuracy": scores, 'f1"); stop("x': scores[:, ::-1] ** 2, "log loss": scores}
    frames = {metric: pd.DataFrame(table, columns=list("ABCDE")[:k]) for metric, table in tables.items()}
    return compare(frames, metric=list(tables), **choices)


@pytest.mark.sampled
@pytest.mark.parametrize("choices", [{}, {"posthoc": "wilcoxon", "adjust": "bh"}, {"control": "B"}, {"k": 2}], ids=str)
def test_r_agrees_by_each_metric(in_r: Callable[[object], str], choices: dict) -> None:
    lines = in_r(several(**choices)).splitlines()
    correlations = [line for line in lines if "Kendall's tau of" in line or "Spearman's rho of" in line]

    assert [line for line in lines if line.startswith("By ")] == ["By accuracy:", 'By f1"); stop("x:', "By log loss:"]
    assert [line for line in lines if not line.startswith(("agrees ", "NOT CHECKED: ", "By "))] == []
    assert len(correlations) == (0 if choices.get("k") == 2 else 6)


def test_cases_of_one_test_set(in_r: Callable[[object], str]) -> None:
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 2, 50).tolist()
    rows = {"classifier": [], "case": [], "y_true": [], "y_pred": [], "y_score": []}
    for name in "ABC":
        score = rng.random(50) / 2 + np.array(y_true) / 3
        rows["classifier"] += [name] * 50
        rows["case"] += range(50)
        rows["y_true"] += y_true
        rows["y_pred"] += (score > 0.4).astype(int).tolist()
        rows["y_score"] += score.tolist()
    printed = in_r(compare(rows, metric=["accuracy", "roc_auc", "f1"], pos_label=1))

    assert "DIFFERS" not in printed
    assert printed.count("agrees ") == 10 + 15 + 3 + 6


def test_folds_and_several_datasets(in_r: Callable[[object], str]) -> None:
    printed = in_r(compare(example_path("sklearn-predictions"), metric=["accuracy", "brier"]))

    assert "DIFFERS" not in printed
    assert printed.count("agrees   mean rank of") == 8
