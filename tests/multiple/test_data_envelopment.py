"""The efficiency method of Nakhaeizadeh and Schnabl."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats.multiple import dea_efficiency, pareto_front

SCORES = [[0.9, 60], [0.8, 2], [0.84, 3]]
TWO = {"greater_is_better": [True, False]}


def drawn(seed: int, k: int = 12) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.random((k, 5)) + 0.1, np.array([True, True, False, True, False])


def test_one_measure_on_each_side_is_a_ratio() -> None:
    """Accuracy per second: .015, .4 and .28."""
    result = dea_efficiency(SCORES, **TWO)

    assert result.efficiencies.tolist() == pytest.approx([0.015 / 0.4, 1, 0.28 / 0.4])
    assert result.is_efficient.tolist() == [False, True, False]
    assert result.peers[2].tolist() == pytest.approx([0, 0.84 / 0.8, 0])


def test_breast_cancer_of_the_tutorial() -> None:
    """Values of R's lpSolve stand in r_reference; the four efficient classifiers and the peers are seen here."""
    from tests.multiple.test_several_metrics import GREATER, MEASURES, NAMES
    from tests.multiple.test_several_metrics import SCORES as OF_SLIDES

    result = dea_efficiency(OF_SLIDES, greater_is_better=GREATER, classifiers=NAMES, metrics=MEASURES)

    assert [name for name, is_one in zip(NAMES, result.is_efficient, strict=True) if is_one] == [
        "NB",
        "C4.5",
        "SVM",
        "Boost",
    ]
    assert result.efficiencies.round(4).tolist() == [1, 1, 0.9399, 0.9529, 1, 0.9518, 1, 0.8817]
    assert {NAMES[i] for i in np.flatnonzero(result.peers[2] > 1e-9)} == {"NB", "C4.5", "SVM"}


@pytest.mark.parametrize("seed", range(5))
def test_weights_give_the_efficiency_and_nobody_more_than_one(seed: int) -> None:
    scores, great = drawn(seed)
    result = dea_efficiency(scores, greater_is_better=great.tolist())

    ratios = (scores[:, great] @ result.weights[:, great].T) / (scores[:, ~great] @ result.weights[:, ~great].T)
    np.testing.assert_allclose(np.diag(ratios), result.efficiencies, rtol=1e-7)
    assert ratios.max() <= 1 + 1e-7
    assert result.weights.min() >= 0


@pytest.mark.parametrize("seed", range(5))
def test_peers_do_as_well_with_a_share_of_the_burdens(seed: int) -> None:
    scores, great = drawn(seed)
    result = dea_efficiency(scores, greater_is_better=great.tolist())

    assert (result.peers @ scores[:, great] >= scores[:, great] * (1 - 1e-7)).all()
    assert (result.peers @ scores[:, ~great] <= scores[:, ~great] * result.efficiencies[:, None] * (1 + 1e-7)).all()
    assert result.is_efficient[(result.peers > 1e-9).any(axis=0)].all()


@pytest.mark.parametrize("seed", range(5))
def test_units_do_not_matter_and_who_is_dominated_is_not_efficient(seed: int) -> None:
    scores, great = drawn(seed, 30)
    result = dea_efficiency(scores, greater_is_better=great.tolist())
    rescaled = dea_efficiency(scores * [1, 1000, 1e-3, 5, 1e6], greater_is_better=great.tolist())

    np.testing.assert_allclose(rescaled.efficiencies, result.efficiencies, rtol=1e-8)
    on_front = pareto_front(scores, greater_is_better=great.tolist()).on_front
    assert not result.is_efficient[~on_front].any()


def test_as_good_but_for_one_measure_is_not_efficient() -> None:
    """With weight 0 on the second measure the ratio is 1, but the first classifier has more of it for the same time."""
    result = dea_efficiency([[1, 2, 1], [1, 1, 1]], greater_is_better=[True, True, False])

    assert result.efficiencies.tolist() == pytest.approx([1, 1])
    assert result.is_efficient.tolist() == [True, False]


def test_copies_are_all_efficient() -> None:
    result = dea_efficiency([[1, 2], [1, 2], [0.5, 3]], **TWO)

    assert result.is_efficient.tolist() == [True, True, False]


@pytest.mark.parametrize("better", [True, False])
def test_one_direction_alone(better: bool) -> None:
    """The other side of the ratio is 1: the best in one measure alone is efficient."""
    result = dea_efficiency([[0.1, 0.4], [0.2, 0.3], [0.15, 0.2]], greater_is_better=better)

    assert 1 in result.efficiencies.round(9)


def test_no_merit_is_no_efficiency() -> None:
    assert dea_efficiency([[0, 3], [1, 2]], **TWO).efficiencies.tolist() == pytest.approx([0, 1], abs=1e-9)


class TestMessages:
    def test_negative(self) -> None:
        with pytest.raises(ValueError, match="scores must be nonnegative for dea_efficiency, but column 0 of row 1 is"):
            dea_efficiency([[1, 2], [-1, 2]], **TWO)

    def test_measure_of_a_unit_that_is_too_large(self) -> None:
        with pytest.raises(ValueError, match="the scores of column 1 go up to 2e-310; use a smaller unit"):
            dea_efficiency([[1, 1e-310], [1, 2e-310]], **TWO)

    @pytest.mark.parametrize("better", [True, [True, False]])
    def test_nothing_but_zero_to_be_great(self, better) -> None:
        with pytest.raises(ValueError, match="above 0 in a metric to maximize, but all are 0"):
            dea_efficiency([[0, 0], [0, 0]] if better is True else [[0, 3], [0, 2]], greater_is_better=better)

    def test_nothing_but_zero_to_be_small(self) -> None:
        with pytest.raises(ValueError, match="but all such scores of row 0 are 0 or nearly 0"):
            dea_efficiency([[1, 0], [1, 2]], **TWO)
