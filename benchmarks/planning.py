"""Sample sizes and power, against statsmodels where it has the test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.design import required_sample_size, statistical_power

STATSMODELS = "statsmodels' TTestPower"


def races() -> Iterator[Race]:
    def by_statsmodels() -> Any:
        from statsmodels.stats.power import TTestPower

        return TTestPower().solve_power(effect_size=0.3, alpha=0.05, power=0.8)

    def agree(ours: Any, theirs: Any, _peer: str) -> None:
        assert ours.n == np.ceil(theirs)

    yield Race(
        job="sample size of the paired t-test",
        ours=lambda: required_sample_size("paired-t", effect=0.3),
        peers={STATSMODELS: by_statsmodels},
        agree=agree,
        goal={},
    )
    for test, options in (
        ("wilcoxon", {"effect": 0.5}),
        ("mcnemar", {"difference": 0.03, "discordance": 0.1}),
        ("clustered-t", {"difference": 0.05, "sd": 0.4, "cluster_size": 5, "intraclass_correlation": 0.2}),
    ):
        yield Race(
            job=f"power of {test}, n = 500",
            ours=lambda test=test, options=options: statistical_power(test, n=500, **options),
            peers={},
            agree=lambda *_: None,
            goal={},
            limit=1.0,
        )
