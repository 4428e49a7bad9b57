"""Decision curves against dcurves, and readers with several treatments, which no Python package compares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.metrics import decision_curve
from evalstats.multiple import obuchowski_rockette_test
from evalstats.paired import net_benefit_difference

N, THRESHOLDS = 100_000, np.arange(1, 100) / 100
DCURVES = "dcurves.dca"


def races() -> Iterator[Race]:
    rng = np.random.default_rng(3)
    y_true = (rng.random(N) < 0.3).astype(int)
    y_prob = 1 / (1 + np.exp(-rng.normal(1.5 * y_true - 1.4, 1, (2, N))))

    def by_dcurves() -> Any:
        import pandas as pd
        from dcurves import dca

        patients = pd.DataFrame({"sick": y_true, "a": y_prob[0], "b": y_prob[1]})
        return dca(data=patients, outcome="sick", modelnames=["a", "b"], thresholds=THRESHOLDS)

    def agree(ours: Any, theirs: Any, _peer: str) -> None:
        for k, name in enumerate("ab"):
            rows = theirs[theirs["model"] == name]
            np.testing.assert_allclose(ours.net_benefit[k], rows["net_benefit"].to_numpy(), rtol=1e-9, atol=1e-12)

    yield Race(
        job=f"decision curves of 2 classifiers, {N:,} patients, 99 thresholds",
        ours=lambda: decision_curve(y_true, y_prob, thresholds=THRESHOLDS),
        peers={DCURVES: by_dcurves},
        agree=agree,
        goal={DCURVES: 1.0},
    )
    few = slice(2_000)
    yield Race(
        job="net_benefit_difference with both bands, 2,000 patients, 99 thresholds",
        ours=lambda: net_benefit_difference(y_true[few], *y_prob[:, few], thresholds=THRESHOLDS, rng=0),
        peers={},
        agree=lambda *_: None,
        goal={},
        limit=5.0,
    )
    sick = (rng.random(1_000) < 0.3).astype(int)
    ratings = rng.normal(sick, 1, (2, 10, 1_000)).round(1)
    yield Race(
        job="obuchowski_rockette_test, 2 treatments, 10 readers, 1,000 patients",
        ours=lambda: obuchowski_rockette_test(sick, ratings),
        peers={},
        agree=lambda *_: None,
        goal={},
        limit=1.0,
    )
