"""The difference after an adjustment for covariates, against the same model written with statsmodels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.comparison import adjusted_difference

N = 2_000  # questions
STATSMODELS = "statsmodels' GEE"


def races() -> Iterator[Race]:
    rng = np.random.default_rng(5)
    question, model = np.tile(np.arange(N), 2), np.repeat(["a", "b"], N)
    length = rng.integers(20, 400, 2 * N).astype(float)
    difficulty = rng.normal(size=N)[question]
    chance = 1 / (1 + np.exp(-(0.8 + 0.3 * (model == "b") - difficulty + length / 500)))
    correct = (rng.random(2 * N) < chance).astype(int)

    def by_statsmodels() -> Any:
        import pandas as pd
        import statsmodels.api as sm

        rows = pd.DataFrame({"correct": correct, "model": model, "length": length, "question": question})
        return sm.GEE.from_formula(
            "correct ~ model + length",
            groups="question",
            data=rows,
            family=sm.families.Binomial(),
            cov_struct=sm.cov_struct.Exchangeable(),
        ).fit()

    def agree(ours: Any, theirs: Any, _peer: str) -> None:
        at = ours.coefficients.index("model b")
        np.testing.assert_allclose(ours.coefficient[at], theirs.params["model[T.b]"], rtol=1e-4)

    yield Race(
        job=f"adjusted_difference with bias-reduced errors, {N:,} questions, 1 covariate",
        ours=lambda: adjusted_difference(correct, model, question, {"length": length}),
        peers={STATSMODELS: by_statsmodels},
        agree=agree,
        goal={},
        rounds=3,
        limit=5.0,
    )
