"""The picture of models on questions draws what the comparison says."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import evalstats
from evalstats import plot


def compared(n_models: int = 3) -> evalstats.Comparison:
    rng = np.random.default_rng(2)
    rows = [
        (b, f"model {m}", q, int(rng.random() < 0.4 + 0.1 * (m % 5)))
        for b in ("law", "maths")
        for q in range(20)
        for m in range(n_models)
    ]
    return evalstats.compare(pd.DataFrame(rows, columns=["benchmark", "model", "question", "correct"]))


def test_each_model_has_its_score_its_interval_and_its_benchmarks() -> None:
    comparison = compared()

    ax = plot.score_intervals(comparison)

    lines = {name: [line for line in ax.lines if line.get_label() == name] for name in ("_interval", "_estimate")}
    for place, model in enumerate(comparison.models):
        assert lines["_interval"][place].get_xdata().tolist() == [model.low, model.high]
        assert lines["_estimate"][place].get_xdata().tolist() == [model.score]
    benchmarks = next(line for line in ax.lines if line.get_label() == "_benchmarks")
    assert benchmarks.get_xdata().tolist() == list(comparison.models[0].benchmarks.values())
    assert [label.get_text() for label in ax.get_yticklabels()] == list(comparison.ranking)


def test_axes_of_the_user_are_used() -> None:
    _, ax = plt.subplots(figsize=(6, 3))

    assert plot.score_intervals(compared(), ax, title="Models", caption=False) is ax
    assert ax.get_title() == "Models"


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(TypeError, match="answers to questions, not for several datasets"):
        plot.score_intervals(evalstats.compare(evalstats.example_table("demsar-2006")))
    with pytest.raises(ValueError, match="at most 60 models, not 61"):
        plot.score_intervals(compared(61))
    with pytest.raises(ValueError, match="ax must have space for 40 models"):
        plot.score_intervals(compared(40), plt.subplots(figsize=(6, 1))[1])
