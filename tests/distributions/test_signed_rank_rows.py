from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from evalstats.distributions import signed_rank_rows
from evalstats.distributions.signed_rank import SignedRankLaw
from evalstats.distributions.signed_rank_rows import cdf_of_rows


def midranks(values: np.ndarray) -> list[int]:
    """Doubled midranks in ascending order."""
    _, counts = np.unique(values, return_counts=True)
    return np.repeat(2 * (np.cumsum(counts) - counts) + counts + 1, counts).tolist()


def rows_of(n: int, n_rows: int, levels: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Rows of ranks of up to n values on some levels, zeros before them."""
    rng = np.random.default_rng(seed)
    ranks = np.zeros((n_rows, n), dtype=np.int64)
    for i, row in enumerate(ranks):
        n_ranked = n - int(rng.integers(0, min(n, 4)))
        row[n - n_ranked :] = midranks(rng.integers(0, levels[i % len(levels)], n_ranked))
    return ranks


def law_of(row: np.ndarray) -> SignedRankLaw:
    return SignedRankLaw(*np.unique(row[row > 0], return_counts=True))


def counted(row: np.ndarray, w: int) -> Fraction:
    """Count the sets of ranks with a sum of at most w, in whole numbers."""
    n_sets = np.zeros(w + 1, dtype=object)
    n_sets[0] = 1
    for rank in row[row > 0].tolist():
        if rank <= w:
            n_sets[rank:] = n_sets[rank:] + n_sets[: w + 1 - rank]
    return Fraction(int(n_sets.sum()), 2 ** int(np.count_nonzero(row)))


def sums_at(ranks: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    return (ranks.sum(axis=1) / 2 - deviations * np.sqrt((ranks**2).sum(axis=1)) / 2).astype(np.int64)


@pytest.mark.parametrize("n", [3, 12, 121, 400])
def test_few_rows_have_the_bits_of_their_laws(n: int) -> None:
    """Zeros before the ranks are none; sums below 0, of the upper half and of long tails are asked for too."""
    rng = np.random.default_rng(n)
    ranks = rows_of(n, 12, (2, 3, 40, 10_000), seed=n)
    ranks[-1] = 6  # all equal: one unit
    sums = (ranks.sum(axis=1) * rng.choice([-0.01, 0, 0.2, 0.45, 0.5, 0.8, 1], len(ranks))).astype(np.int64)

    found = cdf_of_rows(ranks, sums)

    assert found.tolist() == [float(law_of(row).cdf(w)) for row, w in zip(ranks, sums.tolist(), strict=True)]


@pytest.mark.parametrize(("n", "levels"), [(121, (60, 10_000, 200)), (121, (30, 90, 1000)), (170, (80, 10_000))])
def test_many_rows_are_the_counts_of_sets(monkeypatch: pytest.MonkeyPatch, n: int, levels: tuple[int, ...]) -> None:
    """Many rows are inverted together: of few ties and of many, near the middle and at p = 1e-7, one unit or two."""
    ranks = rows_of(n, 1400, levels)
    sums = sums_at(ranks, np.linspace(-1.0, 5.2, len(ranks)))
    inverted, n_inverted = signed_rank_rows._inverted, []

    def seen(rows: np.ndarray, w: np.ndarray) -> np.ndarray:
        tail = inverted(rows, w)
        n_inverted.append(np.isfinite(tail).sum())
        return tail

    monkeypatch.setattr(signed_rank_rows, "_inverted", seen)
    found = cdf_of_rows(ranks, sums)

    assert n_inverted[0] > 700
    few = slice(3, None, 35)
    truth = [counted(row, w) for row, w in zip(ranks[few], sums[few].tolist(), strict=True)]
    assert max(abs(float(Fraction(p) / q - 1)) for p, q in zip(found[few].tolist(), truth, strict=True)) < 1e-12
    alone = [float(law_of(row).cdf(w)) for row, w in zip(ranks, sums.tolist(), strict=True)]
    np.testing.assert_allclose(found, alone, rtol=1e-12)


@pytest.mark.parametrize("fault", ["period", "terms"])
def test_what_is_not_proven_is_counted(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """Where the period is too short, or more terms are large than may be added, the sets are counted."""
    ranks = rows_of(121, 600, (60, 10_000))
    sums = sums_at(ranks, np.linspace(0.1, 2, len(ranks)))
    if fault == "period":
        monkeypatch.setattr(signed_rank_rows, "MARGIN", -20.0)
    else:
        monkeypatch.setattr(signed_rank_rows, "MOST_TERMS", 2)

    is_counted = np.isnan(signed_rank_rows._inverted(ranks, sums))
    assert is_counted.sum() > 100
    alone = [float(law_of(row).cdf(w)) for row, w in zip(ranks, sums.tolist(), strict=True)]
    found = cdf_of_rows(ranks, sums)
    assert found[is_counted].tolist() == np.array(alone)[is_counted].tolist()
    np.testing.assert_allclose(found, alone, rtol=1e-12)
