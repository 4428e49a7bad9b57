"""All pairs by a proper score are the single tests, with names and adjustments."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from forecasts import P, Q, Y

from evalstats.adjustment import adjust_pairwise
from evalstats.paired import proper_score_test
from evalstats.pairwise import pairwise_proper_score_test

FORECASTS = np.column_stack([P, Q, [0.5] * 20])


@pytest.mark.parametrize("score", ["brier", "log_loss"])
@pytest.mark.parametrize("clusters", [None, [i // 2 for i in range(20)]])
def test_every_pair_is_the_single_test(score: str, clusters: list[int] | None) -> None:
    result = pairwise_proper_score_test(Y, FORECASTS, score=score, clusters=clusters)

    for i, j in ((0, 1), (0, 2), (2, 1)):
        one = proper_score_test(Y, FORECASTS[:, i], FORECASTS[:, j], score=score, clusters=clusters, method="t")
        assert result.statistic[i, j] == pytest.approx(one.statistic)
        assert result.unadjusted_pvalue[i, j] == pytest.approx(one.pvalue)
        assert result.scores[i] == pytest.approx(one.score_x)
    np.testing.assert_allclose(result.pvalue, adjust_pairwise(result.unadjusted_pvalue, "holm"))


def test_names_and_control_stay() -> None:
    frame = pd.DataFrame(FORECASTS, columns=["forest", "network", "constant"])

    result = pairwise_proper_score_test(Y, frame, control="constant", alternative="less")

    assert (result.classifiers, result.control) == (("forest", "network", "constant"), "constant")
    assert np.isnan(result.statistic[2])


def test_infinite_log_loss_is_refused_with_its_place() -> None:
    with pytest.raises(ValueError, match=r"because the log loss would be infinite, but scores\[1, 0\] assigns"):
        pairwise_proper_score_test([0, 1], [[0.5, 0.5], [0.0, 0.4]], score="log_loss")


def test_one_classifier_is_refused() -> None:
    with pytest.raises(ValueError, match="with two classifiers or more"):
        pairwise_proper_score_test([0, 1], [[0.5], [0.1]])
