"""Multi-comparison matrix of 12 classifiers on 40 datasets, from the scores to the picture, against aeon."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.timing import Race
from evalstats import compare

N, K = 40, 12


def races() -> Iterator[Race]:
    import matplotlib as mpl

    mpl.use("agg")
    rng = np.random.default_rng(1)
    scores = 0.5 + 0.4 * rng.random((N, 1)) + rng.normal(0, 0.03, (N, K)) + np.linspace(0, 0.03, K)
    table = pd.DataFrame(scores, columns=[f"c{i}" for i in range(K)])

    def ours() -> Any:
        from evalstats import plot

        return _saved(plot.multi_comparison_matrix(compare(table, adjust="none"), max_shown=K).figure)

    def by_aeon() -> Any:
        from aeon.visualisation import create_multi_comparison_matrix

        return _saved(
            create_multi_comparison_matrix(
                table,
                plot_1v1_comparisons=False,
                pvalue_correction=None,
                pvalue_test_params={"zero_method": "pratt", "alternative": "two-sided"},
            )
        )

    def agree(mine: Any, theirs: Any, _peer: str) -> None:
        """Differences, counts and p-values of all cells, in the order of the rows."""
        a, b = (_numbers(figure) for figure in (mine, theirs))
        assert a.shape == b.shape == (K * (K - 1), 5)
        np.testing.assert_array_equal(a[:, 1:4], b[:, 1:4])
        np.testing.assert_allclose(a[:, 0], b[:, 0], atol=6e-5)
        np.testing.assert_allclose(a[:, 4], b[:, 4], atol=1e-3)  # three decimals

    yield Race(
        job=f"multi-comparison matrix, {N} x {K}, saved as PNG",
        ours=ours,
        peers={"aeon": by_aeon},
        agree=agree,
        goal={},
        rounds=3,
        limit=2.0,
    )


def _saved(figure: Any) -> Any:
    from matplotlib import pyplot as plt

    figure.savefig(io.BytesIO(), format="png", dpi=100)
    plt.close(figure)
    return figure


def _numbers(figure: Any) -> np.ndarray:
    """Return the numbers of the cells: a difference, three counts and a p-value."""
    texts = [text.get_text().split("\n") for text in figure.axes[0].texts]
    cells = [lines for lines in texts if len(lines) == 3 and lines[1].count("/") == 2 and lines[0][-1].isdigit()]
    rows = ([difference, *counts.split("/"), p if p[0] in "01" else "0"] for difference, counts, p in cells)
    return np.array([[float(word.replace("−", "-")) for word in row] for row in rows])
