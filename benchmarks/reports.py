"""Reports and pictures of large comparisons: only what is shown is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import evalstats
from benchmarks.timing import Race
from evalstats import report


def comparison(n: int, k: int) -> Any:
    rng = np.random.default_rng(5)
    noise = 0.1 * rng.random((n, 1)) + 0.05 * rng.random((n, k))
    return evalstats.compare(np.round(0.7 + noise + 0.06 * np.arange(k) / k, 4), rows_are="datasets")


def agree(_here: object, _there: object, _peer: str) -> None:
    """Nobody else does these jobs."""


def win_matrix(comparison: Any) -> None:
    """Draw and save the picture."""
    import io

    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt

    from evalstats import plot

    figure = plot.win_matrix(comparison).figure
    figure.savefig(io.BytesIO())
    plt.close(figure)


def races() -> Iterator[Race]:
    large = comparison(1000, 500)
    for name in ("text", "markdown", "latex"):
        write: Callable[..., str] = getattr(report, name)
        yield Race(f"report.{name}, 1000 datasets x 500 classifiers", lambda w=write: w(large), {}, agree, {}, limit=1)
    many = comparison(500, 200)
    job = "report.json, 500 datasets x 200 classifiers"
    yield Race(job, lambda: report.json(many), {}, agree, {}, limit=1)
    wide = comparison(121, 179)
    yield Race("report.html, 121 x 179", lambda: report.html(wide), {}, agree, {}, limit=1)
    yield Race("plot.win_matrix, 121 x 179, saved", lambda: win_matrix(wide), {}, agree, {}, limit=2)
    usual = comparison(100, 30)
    yield Race("page of a notebook, 100 x 30", usual._repr_html_, {}, agree, {}, limit=0.05)
