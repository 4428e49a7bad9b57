"""Error rates that need no simulation: every outcome is enumerated with its probability.

Ranks of up to 10 datasets and 4 classifiers: the outcomes are the rank sums of all tables of ranks without ties. Signs:
the outcomes are the signs of n differences with ranks 1 to n. Two classifiers on one test set: the outcomes are the two
counts of discordant instances. Under the null hypothesis, all tables, all signs, or both kinds of discordant instances
are equally probable. ``python scripts/exact_error_rates.py`` writes docs/error-rates/exact.csv.
"""

from __future__ import annotations

import math
import platform
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from experiments import ALPHA
from generated_tables import write_rows
from scipy.stats import binom

import evalstats as ev

TABLE = Path(__file__).parents[1] / "docs" / "error-rates" / "exact.csv"
TABLES = ((4, 3), (5, 3), (10, 3), (30, 3), (5, 4), (10, 4))
SIGNS = (5, 6, 8, 10, 12)
DISCORDANT = ((20, 0.3), (100, 0.3), (1000, 0.3), (50, 0.04), (200, 0.04), (1000, 0.04))


class Exact(NamedTuple):
    """A rate, with its method and the enumerated outcomes."""

    subject: str
    variant: str
    data: str
    n: int
    k: int
    what: str
    rate: float


@cache
def rank_tables(n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a table of ranks of shape (n, k) for each possible vector of rank sums, and their probabilities."""
    orders = [np.array(order) for order in permutations(range(1, k + 1))]
    tables: dict[tuple[int, ...], list[np.ndarray]] = {(0,) * k: []}
    counts: Counter[tuple[int, ...]] = Counter({(0,) * k: 1})
    for _ in range(n):
        longer: dict[tuple[int, ...], list[np.ndarray]] = {}
        ways: Counter[tuple[int, ...]] = Counter()
        for sums, rows in tables.items():
            for order in orders:
                key = tuple((np.array(sums) + order).tolist())
                longer.setdefault(key, [*rows, order])
                ways[key] += counts[sums]
        tables, counts = longer, ways
    total = math.factorial(k) ** n
    return np.array(list(tables.values()), dtype=float), np.array([counts[key] / total for key in tables])


def of_ranks() -> Iterator[Exact]:
    """Yield the rates of tests that depend on the rank sums only."""
    omnibus: dict[tuple[str, str], Callable[..., Any]] = {
        ("friedman_test", "auto"): ev.friedman_test,
        ("friedman_test", "chi2"): lambda s: ev.friedman_test(s, method="chi2"),
        ("friedman_test", "f"): lambda s: ev.friedman_test(s, method="f"),
        ("page_test", "auto"): ev.multiple.page_test,
    }
    posthoc: dict[tuple[str, str], tuple[Callable[..., Any], bool]] = {
        ("nemenyi_test", "all pairs"): (ev.nemenyi_test, False),
        ("siegel_castellan_test", "holm"): (ev.multiple.siegel_castellan_test, False),
        ("miller_test", "all pairs"): (ev.multiple.miller_test, False),
        ("conover_test", "holm"): (ev.conover_test, False),
        ("conover_test", "control, holm"): (lambda s: ev.conover_test(s, control=0), True),
        ("friedman_exact_posthoc_test", "holm"): (ev.multiple.friedman_exact_posthoc_test, False),
        ("bonferroni_dunn_test", "control"): (lambda s: ev.bonferroni_dunn_test(s, control=0), True),
        ("friedman_dunnett_test", "control"): (lambda s: ev.multiple.friedman_dunnett_test(s, control=0), True),
    }
    for n, k in TABLES:
        tables, probability = rank_tables(n, k)
        for (name, variant), test in omnibus.items():
            p = np.asarray(test(tables).pvalue)
            yield Exact(name, variant, "all ranks", n, k, "type-I error", float(probability[p <= ALPHA].sum()))
        for (name, variant), (test, has_control) in posthoc.items():
            p = np.asarray(test(tables).pvalue)
            some = p if has_control else p[:, *np.triu_indices(k, 1)]
            smallest = np.nanmin(np.where(np.isnan(some), 1.0, some), axis=-1)
            rate = float(probability[smallest <= ALPHA].sum())
            yield Exact(name, variant, "all ranks", n, k, "family-wise error", rate)


def of_signs() -> Iterator[Exact]:
    """Yield the rates of tests of n differences without ties; a permutation test depends on the sizes, here 1 to n."""
    tests: dict[tuple[str, str], Callable[..., Any]] = {
        ("sign_test", ""): ev.sign_test,
        ("wilcoxon_test", "auto"): ev.wilcoxon_test,
        ("wilcoxon_test", "asymptotic"): lambda x, y: ev.wilcoxon_test(x, y, method="asymptotic"),
        ("permutation_test", ""): ev.permutation_test,
    }
    for n in SIGNS:
        signs = 1 - 2 * (np.arange(2**n)[:, None] >> np.arange(n) & 1)
        x = signs * np.arange(1.0, n + 1)
        for (name, variant), test in tests.items():
            rate = float(np.mean(np.asarray(test(x, np.zeros_like(x)).pvalue) <= ALPHA))
            yield Exact(name, variant, "all signs of 1 to n", n, 2, "type-I error", rate)


def of_counts() -> Iterator[Exact]:
    """Yield the rates of McNemar's tests; each instance is discordant with a given probability."""
    variants: dict[str, dict[str, Any]] = {
        "exact": {"method": "exact"}, "midp": {"method": "midp"}, "asymptotic": {"method": "asymptotic"},
        "asymptotic, not corrected": {"method": "asymptotic", "correction": False},
    }  # fmt: skip
    for n, discordant in DISCORDANT:
        m = np.arange(n + 1)
        likely = m[binom.pmf(m, n, discordant) > 1e-14]
        total = np.repeat(likely, likely + 1)
        wins = np.concatenate([np.arange(one + 1) for one in likely])
        probability = binom.pmf(total, n, discordant) * binom.pmf(wins, total, 0.5)
        tables = np.stack([n - total, wins, total - wins, np.zeros_like(total)], axis=-1).reshape(-1, 2, 2)
        for variant, choices in variants.items():
            p = np.asarray(ev.paired.mcnemar_test(counts=tables, **choices).pvalue)
            rate = float(probability[p <= ALPHA].sum())
            data = f"all counts, {discordant:.0%} discordant"
            yield Exact("mcnemar_test", variant, data, n, 2, "type-I error", rate)


def exact_rates() -> Iterator[Exact]:
    """Yield all rates."""
    yield from of_ranks()
    yield from of_signs()
    yield from of_counts()


def rows() -> Iterator[dict[str, Any]]:
    """Yield the rates as rows of the table of all methods, with 0 experiments and no simulation error."""
    made = {name: version(name) for name in ("numpy", "scipy")} | {"python": platform.python_version()}
    known = {"seed": "", "evalstats": ev.__version__, **made, "date": datetime.now(UTC).date().isoformat()}
    for one in exact_rates():
        rate = round(one.rate, 5)
        setting = one._asdict() | {"lead": "0", "n_experiments": 0, "rate": rate, "low": rate, "high": rate}
        order = ("subject", "variant", "data", "n", "k", "lead", "what", "n_experiments", "rate", "low", "high")
        yield {name: setting[name] for name in order} | {"width": 0.0, "wanted": 0.01, "smallest_excess": 0.0} | known


if __name__ == "__main__":
    write_rows(TABLE, list(rows()))
