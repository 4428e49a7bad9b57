"""Numerical accuracy of p-values down to 1e-300: ``python scripts/numerical_accuracy.py [NAME ...]``.

The script writes docs/numerical-accuracy/references.json: random arguments of every null distribution of evalstats, the
values with 50 digits (`high_precision_values.py`), and the error of evalstats. With names, only these distributions are
computed again. With ``--measure``, the reference values are not changed, and mpmath is not necessary.
docs/figures/numerical_accuracy.py plots the errors and writes the table.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import platform
import sys
from decimal import Decimal
from importlib import metadata
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent
FILE = HERE.parent / "docs" / "numerical-accuracy" / "references.json"
SEED = 20260
# regions of the references, from the largest probabilities to the smallest
REGIONS = ((1e-2, "above 1e-2"), (1e-15, "1e-2 to 1e-15"), (1e-100, "1e-15 to 1e-100"), (0.0, "below 1e-100"))
SMALLEST = -300  # decimal logarithm

Arguments = dict[str, Any]


class Distribution(NamedTuple):
    """One null distribution: the function of evalstats, the reference function, and the arguments."""

    function: str  # of evalstats
    says: str
    stated: float  # largest error
    ours: Callable[..., Any]
    reference: str  # in high_precision_values
    cases: Callable[[Random], Iterator[Arguments]]
    kind: str = "relative"  # or absolute


def at_tail(tail: Callable[[float], float], log10_p: float, high: float) -> float:
    """Return the approximate x at which a decreasing tail is 10^log10_p, or the largest x if there is none."""
    low = 0.0
    for _ in range(60):
        middle = (low + high) / 2
        p = tail(middle)
        low, high = (middle, high) if p > 0 and math.log10(p) > log10_p else (low, middle)
    return low


def targets(rng: Random, n: int) -> Iterator[float]:
    """Yield decimal logarithms of probabilities: a third near 1, a third between, and a third down to the smallest."""
    for i in range(n):
        yield -rng.uniform(*((0.0, 3.0), (3.0, 20.0), (20.0, -SMALLEST))[i % 3])


# The result of evalstats for one problem.


def normal(z: float) -> float:
    """P(Z > z)."""
    from evalstats.distributions import tail_probabilities as tails

    return float(tails.normal_pvalue(np.array(z), "greater"))


def chi2(x: float, df: int) -> float:
    """P(X > x)."""
    from evalstats.distributions import tail_probabilities as tails

    return float(tails.chi2_pvalue(np.array(x), df))


def f(between: float, within: float, df_between: int, df_within: int) -> float:
    """P(X > F)."""
    from evalstats.distributions import tail_probabilities as tails

    return float(tails.f_pvalue(np.array(between), np.array(within), df_between, df_within))


def t(t: float, df: float) -> float:
    """P(|T| > t)."""
    from evalstats.distributions import tail_probabilities as tails

    return float(tails.t_pvalue(np.array(t), df))


def t_quantile(tail: float, df: float) -> float:
    """Return the t that T exceeds with the given probability."""
    from evalstats.distributions import tail_probabilities as tails

    return -float(tails.t_quantile(df, tail))


def erfc_inverse(log_p: float) -> float:
    """Return the x with log(erfc(x)) = log_p."""
    from evalstats.distributions import tail_probabilities as tails

    return tails.erfc_inverse(log_p)


def binomial(k: int, n: int) -> float:
    """P(K <= k)."""
    from evalstats.distributions.tail_probabilities import binomial_left_tail

    return float(binomial_left_tail(np.array([k]), np.array([n]))[0])


def trinomial(lead: int, n_edges: int, n: int) -> float:
    """P(heads - tails >= lead)."""
    from evalstats.distributions.tail_probabilities import trinomial_lead_tail

    return float(trinomial_lead_tail(np.array([lead]), np.array([n_edges]), n)[0])


def studentized_range(q: float, k: int, df: int | None = None) -> float:
    """P(range > q s)."""
    from evalstats.distributions import studentized_range

    return float(studentized_range.sf(np.array([q]), k, math.inf if df is None else df)[0])


def studentized_range_quantile(p: float, k: int) -> float:
    """Return the q that the range exceeds with probability p."""
    from evalstats.distributions import studentized_range

    return studentized_range.isf(p, k)


def power(noncentrality: float, df: int, alpha: float, alternative: str) -> float:
    """Return the power of a t-test."""
    from evalstats.distributions.noncentral_t import t_power

    return t_power(noncentrality, df, alpha, alternative)


def noncentrality_limit(t: float, df: int, tail: float) -> float:
    """Return the upper limit of the noncentrality."""
    from evalstats.distributions.noncentral_t import noncentrality_limits

    return float(noncentrality_limits(np.array(t), df, tail)[1])


def noncentral_t(t: float, df: int, delta: float) -> float:
    """P(T <= t)."""
    from evalstats.distributions.noncentral_t import left_tail

    return float(left_tail(np.array([t]), df, np.array([delta]))[0])


def largest(t: float, m: int, correlation: float, two_sided: bool) -> float:
    """P(max Z_i >= t)."""
    from evalstats.multiple.steel import largest_sf

    return float(largest_sf(np.array([t]), m, correlation, two_sided=two_sided)[0])


def signed_rank(ranks: list[int], w: int) -> float:
    """P(X <= w)."""
    from evalstats.distributions.signed_rank import SignedRankLaw

    return float(SignedRankLaw(*np.unique(np.array(ranks), return_counts=True)).cdf(w))


def rank_sums(patterns: list[list[int]], spread: int) -> float:
    """P(S >= spread)."""
    from evalstats.distributions.rank_sums import exact_tail

    return exact_tail([tuple(pattern) for pattern in patterns], spread)


def agreement(n: int) -> float:
    """P(n datasets order three classifiers in the same way)."""
    from evalstats.distributions.rank_sums import exact_tail

    return exact_tail([(2, 4, 6)] * n, 2 * (2 * n) ** 2)


def permuted_rows(rows: list[list[int]], spread: int) -> float:
    """P(spread >= s)."""
    from evalstats.distributions.row_permutations import exact_tail

    return float(exact_tail(np.array(rows, dtype=float), np.array([float(spread)]))[0])


def ordered_pairs(sizes: list[int], n_tables: int, pairs: int) -> float:
    """P(at least this number of pairs in order) of untied values."""
    from evalstats.multiple.jonckheere import law_of_pairs, law_of_sum

    law = law_of_sum([law_of_pairs(tuple(sizes), (1,) * sum(sizes))] * n_tables)
    return float(law[2 * pairs :][::-1].sum())


def tied_pairs(sizes: list[int], pattern: list[int], twice: int) -> float:
    """P(at least this number of pairs in order) of tied values."""
    from evalstats.multiple.jonckheere import law_of_pairs

    return float(law_of_pairs(tuple(sizes), tuple(pattern))[twice:][::-1].sum())


def independent_betas(limit: float, a_x: int, b_x: int, a_y: int, b_y: int) -> float:
    """P(x - y > limit)."""
    from evalstats.distributions.beta_difference import IndependentBetas

    return float(IndependentBetas(*(np.array(float(v)) for v in (a_x, b_x, a_y, b_y))).above(np.array(limit)))


def paired_betas(limit: float, p: int, q: int, rest: int) -> float:
    """P(p - q > limit)."""
    from evalstats.distributions.beta_difference import PairedBetas

    return float(PairedBetas(*(np.array(float(v)) for v in (p, q, rest))).above(np.array(limit)))


def largest_share(alpha: list[float]) -> float:
    """P(the first share is the largest)."""
    from evalstats.distributions.dirichlet_process import largest_share_probabilities

    return float(largest_share_probabilities(np.array([alpha]))[0, 0])


# Where to look.


def normal_cases(rng: Random) -> Iterator[Arguments]:
    """Yield both sides of 0, and the tail."""
    yield from ({"z": z} for z in (-8.0, -1.0, 0.0, 1.0, 5.0, 26.0, 36.0, 37.0))
    yield from ({"z": -rng.uniform(0, 8)} for _ in range(10))
    yield from ({"z": at_tail(normal, p, 40.0)} for p in targets(rng, 150))


def chi2_cases(rng: Random) -> Iterator[Arguments]:
    """Yield odd and even degrees of freedom, from few to thousands."""
    for p in targets(rng, 240):
        df = rng.choice([1, 2, 3, 4, 5, 9, 10, 29, 50, 99, 100, 299, 499, 500, 501, 1000, 5000])
        yield {"x": at_tail(lambda x, df=df: chi2(x, df), p, 4000.0 + 4 * df), "df": df}


def f_cases(rng: Random) -> Iterator[Arguments]:
    """Yield degrees of freedom of Friedman tables and of single datasets."""
    for p in targets(rng, 240):
        k1 = rng.choice([1, 2, 3, 4, 5, 9, 20, 49, 99, 500, 501, 2000])
        k2 = rng.choice([1, 2, 3, 5, 8, 20, 101, 1000, 20_001])
        log_f = at_tail(lambda u, k1=k1, k2=k2: f(math.exp(u - 20), 1.0, k1, k2), p, 700.0) - 20
        yield {"between": math.exp(log_f), "within": 1.0, "df_between": k1, "df_within": k2}


def t_cases(rng: Random) -> Iterator[Arguments]:
    """Yield integer degrees of freedom, and degrees of freedom of Welch and Satterthwaite."""
    for p in targets(rng, 200):
        df = rng.choice([1, 2, 3, 4, 9, 29, 99, 999, 10**5, 10**7, round(rng.uniform(1, 60), 3)])
        yield {"t": math.exp(at_tail(lambda u, df=df: t(math.exp(u - 20), df), p, 720.0) - 20), "df": df}


def t_quantile_cases(rng: Random) -> Iterator[Arguments]:
    """Yield confidence levels, and far tails."""
    for i in range(60):
        df = rng.choice([1, 2, 3, 4, 9, 29, 99, 999, round(rng.uniform(1, 60), 3)])
        yield {"tail": 10 ** -rng.uniform(0.4, 4 if i % 2 else 60), "df": df}


def erfc_inverse_cases(rng: Random) -> Iterator[Arguments]:
    """Yield logarithms of probabilities of any size."""
    yield from ({"log_p": -(10 ** rng.uniform(-3, 5))} for _ in range(60))


def binomial_cases(rng: Random) -> Iterator[Arguments]:
    """Yield few trials, and millions."""
    for _ in range(120):
        n = round(10 ** rng.uniform(0, 3.1))
        yield {"k": rng.randint(0, n // 2), "n": n}
    for p in targets(rng, 90):
        n = rng.choice([1000, 1200, 5000, 10**5, 10**7])
        z = at_tail(normal, p, 38.0)
        yield {"k": max(0, round(n / 2 - z * math.sqrt(n) / 2)), "n": n}


def trinomial_cases(rng: Random) -> Iterator[Arguments]:
    """Yield few and many edges."""
    for _ in range(150):
        n = round(10 ** rng.uniform(0.3, 2.5))
        yield {"lead": rng.randint(-n // 4, n), "n_edges": rng.randint(0, n), "n": n}


def range_cases(rng: Random) -> Iterator[Arguments]:
    """Yield two to a hundred classifiers."""
    for i, p in enumerate(targets(rng, 150)):
        k = rng.choice([2, 3, 4, 5, 10, 20, 50] + [100, 200] * (i % 5 == 0))
        yield {"q": at_tail(lambda q, k=k: studentized_range(q, k), p, 60.0), "k": k}
    for _ in range(20):  # near 0
        yield {"q": rng.uniform(0.01, 2), "k": rng.choice([3, 5, 10])}


def studentized_cases(rng: Random) -> Iterator[Arguments]:
    """Yield few and many degrees of freedom. For two classifiers, this is Student's distribution."""
    for p in targets(rng, 90):
        df = rng.choice([1, 2, 5, 18, 29, 120, 1000, 10_000])
        yield studentized_case(2, df, p)
    for p in (-1.3, -40.0):
        yield studentized_case(rng.choice([3, 5]), rng.choice([8, 27, 200]), p)


def studentized_case(k: int, df: int, log10_p: float) -> Arguments:
    """Return arguments with this tail probability."""
    q = math.exp(at_tail(lambda u: studentized_range(math.exp(u - 5), k, df), log10_p, 705.0) - 5)
    return {"q": q, "k": k, "df": df}


def range_quantile_cases(rng: Random) -> Iterator[Arguments]:
    """Yield levels and far tails."""
    for log10_p in (-0.1, math.log10(0.05), -20):
        yield {"p": 10**log10_p, "k": rng.choice([3, 5, 10])}


def power_cases(rng: Random) -> Iterator[Arguments]:
    """Yield levels down to 1e-10, effects on both sides, and few to many degrees of freedom."""
    for i in range(24):
        df = rng.choice([2, 4, 9, 29, 99])
        noncentrality = rng.uniform(-8, 8) if i % 4 else rng.uniform(-12, 12)
        alpha = rng.choice([0.3, 0.05, 0.01, 1e-3, 1e-6, 1e-10])
        yield {
            "noncentrality": noncentrality,
            "df": df,
            "alpha": alpha,
            "alternative": rng.choice(["two-sided", "greater", "less"]),
        }


def limit_cases(rng: Random) -> Iterator[Arguments]:
    """Yield confidence levels from 80% to 99.9%. Limits below 0 are left out, because they mirror limits above 0."""
    for _ in range(5):
        df = rng.choice([2, 4, 9, 29, 99])
        yield {"t": round(rng.uniform(-6, 12), 2), "df": df, "tail": rng.choice([0.1, 0.025, 0.005, 0.0005])}


def noncentral_cases(rng: Random) -> Iterator[Arguments]:
    """Yield arguments of the search for limits."""
    for _ in range(24):
        df = rng.choice([2, 4, 9, 29, 99])
        delta = rng.uniform(-10, 10)
        yield {"t": delta + rng.uniform(-4, 4), "df": df, "delta": delta}


def largest_cases(rng: Random) -> Iterator[Arguments]:
    """Yield correlations from 0 to the correlation of Dunnett."""
    for p in targets(rng, 45):
        m, correlation, two_sided = rng.choice([1, 2, 4, 9, 49]), rng.choice([0.0, 0.1, 1 / 3, 0.5]), rng.random() < 0.5

        def tail(t: float, m: int = m, c: float = correlation, two: bool = two_sided) -> float:
            return largest(t, m, c, two)

        yield {"t": at_tail(tail, p, 40.0), "m": m, "correlation": correlation, "two_sided": two_sided}


def signed_rank_cases(rng: Random) -> Iterator[Arguments]:
    """Yield tables without ties, with few and with many ties, for counted and inverted tails."""
    for n in (5, 12, 30, 60, 120, 250):
        untied = list(range(1, n + 1))
        tied = sorted(2 * rng.randint(1, max(2, n // 5)) for _ in range(n))
        few = sorted(rng.randint(1, 2 * n) for _ in range(n))
        for ranks in (untied, tied, few):
            half = sum(ranks) // 2
            for i in range(8):
                share = rng.random() ** (1 + i % 3)
                yield {"ranks": ranks, "w": round(half * share)}


def rank_sums_cases(rng: Random) -> Iterator[Arguments]:
    """Yield three classifiers on many datasets and five on few datasets, with and without ties."""
    tables = [[[2, 4, 6]] * n for n in (2, 10, 40, 100)]
    tables += [[[2, 4, 6, 8]] * n for n in (5, 14)] + [[[2, 4, 6, 8, 10]] * 5]
    tables += [[[3, 3, 6]] * 10 + [[2, 4, 6]] * 20 + [[2, 5, 5]] * 12, [[2, 5, 5, 8]] * 6 + [[3, 3, 6, 8]] * 6]
    for patterns in tables:
        most = spread_of(patterns)
        for _ in range(8):
            yield {"patterns": patterns, "spread": round(most * rng.random() ** 2)}


def spread_of(patterns: list[list[int]]) -> int:
    """Return the spread of datasets that agree."""
    n, k = len(patterns), len(patterns[0])
    return sum((sum(pattern[j] for pattern in patterns) - n * (k + 1)) ** 2 for j in range(k))


def agreement_cases(rng: Random) -> Iterator[Arguments]:
    """Yield probabilities down to 1e-300."""
    yield from ({"n": n} for n in (2, 5, 20, 50, 100, 200, 300, 386))


def permuted_rows_cases(rng: Random) -> Iterator[Arguments]:
    """Yield rows of Quade's test, and other rows."""
    for n in (2, 4, 7, 12):
        for kind in range(2):
            rows = [[-q, 0, q] if kind == 0 else zero_sum(rng, kind) for q in range(1, n + 1)]
            most = sum(sum(row[j] for row in map(sorted, rows)) ** 2 for j in range(3))
            yield from ({"rows": rows, "spread": round(most * rng.random())} for _ in range(3))
            yield {"rows": rows, "spread": most}


def zero_sum(rng: Random, size: int) -> list[int]:
    """Return three integers with the sum 0."""
    a, b = rng.randint(-9 * size, 9 * size), rng.randint(-9 * size, 9 * size)
    return [a, b, -a - b]


def ordered_pairs_cases(rng: Random) -> Iterator[Arguments]:
    """Yield Jonckheere's test on one dataset, and on many datasets."""
    for sizes, n_tables in (
        ([3, 4, 5], 1),
        ([10, 10, 10], 1),
        ([30, 20], 1),
        ([40, 40], 1),
        ([2, 2, 2], 10),
        ([1, 1, 1, 1], 60),
        ([3, 3, 3], 90),
        ([20, 25, 30], 4),
    ):
        most = n_tables * (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2
        yield {"sizes": sizes, "n_tables": n_tables, "pairs": most}
        for _ in range(9):
            yield {"sizes": sizes, "n_tables": n_tables, "pairs": round(most * (0.5 + rng.random() / 2))}


def tied_pairs_cases(rng: Random) -> Iterator[Arguments]:
    """Yield values with ties."""
    for sizes, pattern in (
        ([3, 4, 5], [2, 3, 1, 6]),
        ([5, 5], [4, 2, 4]),
        ([2, 3, 3, 2], [3, 3, 4]),
        ([8, 9], [1, 5, 2, 5, 4]),
    ):
        most = sum(sizes) ** 2 - sum(size**2 for size in sizes)
        yield from (
            {"sizes": sizes, "pattern": pattern, "twice": round(most * rng.uniform(0.4, 0.9))} for _ in range(6)
        )


def independent_betas_cases(rng: Random) -> Iterator[Arguments]:
    """Yield posteriors of two accuracies."""
    for _ in range(40):
        n, m = round(10 ** rng.uniform(0.5, 2)), round(10 ** rng.uniform(0.5, 2))
        a, b = rng.randint(1, n), rng.randint(1, m)
        limit = rng.choice([0.0, 0.01, -0.05, round(rng.uniform(-0.9, 0.9), 2)])
        yield {"limit": limit, "a_x": a, "b_x": n + 1 - a, "a_y": b, "b_y": m + 1 - b}


def paired_betas_cases(rng: Random) -> Iterator[Arguments]:
    """Yield posteriors of a difference on the same instances."""
    for _ in range(40):
        p, q, rest = (round(10 ** rng.uniform(0, 1.7)) for _ in range(3))
        yield {"limit": rng.choice([0.0, 0.01, -0.05, round(rng.uniform(-0.9, 0.9), 2)]), "p": p, "q": q, "rest": rest}


def largest_share_cases(rng: Random) -> Iterator[Arguments]:
    """Yield wins, ties and losses, with and without a prior. One proportion may be 0."""
    for _ in range(8):
        alpha = [round(10 ** rng.uniform(-0.3, 1.8), 1) for _ in range(3)]
        alpha[rng.randint(0, 2)] += 1.0
        if rng.random() < 0.1:
            alpha[rng.choice([1, 2])] = 0.0
        if max(alpha) >= 1:
            yield {"alpha": alpha}


DISTRIBUTIONS = {
    "normal": Distribution(
        "tail_probabilities.normal_pvalue",
        "standard normal distribution",
        5e-13,
        normal,
        "normal_right_tail",
        normal_cases,
    ),
    "chi2": Distribution(
        "tail_probabilities.chi2_pvalue", "chi-squared distribution", 1e-11, chi2, "chi2_right_tail", chi2_cases
    ),
    "f": Distribution("tail_probabilities.f_pvalue", "F distribution", 5e-12, f, "f_right_tail", f_cases),
    "t": Distribution("tail_probabilities.t_pvalue", "Student's distribution", 5e-13, t, "t_both_tails", t_cases),
    "t-quantile": Distribution(
        "tail_probabilities.t_quantile",
        "quantiles of Student's distribution",
        1e-13,
        t_quantile,
        "t_upper_quantile",
        t_quantile_cases,
    ),
    "erfc-inverse": Distribution(
        "tail_probabilities.erfc_inverse",
        "quantiles of the normal distribution",
        2e-13,
        erfc_inverse,
        "erfc_inverse",
        erfc_inverse_cases,
    ),
    "binomial": Distribution(
        "tail_probabilities.binomial_left_tail",
        "binomial distribution (sign test, McNemar)",
        2e-14,  # SciPy 1.15 has one digit less if n is ten million
        binomial,
        "binomial_left_tail",
        binomial_cases,
    ),
    "trinomial": Distribution(
        "tail_probabilities.trinomial_lead_tail",
        "trinomial distribution",
        5e-14,
        trinomial,
        "trinomial_lead_tail",
        trinomial_cases,
    ),
    "studentized-range": Distribution(
        "studentized_range.sf",
        "range of k normal variables (Nemenyi)",
        5e-13,
        studentized_range,
        "range_sf",
        range_cases,
    ),
    "studentized-range-df": Distribution(
        "studentized_range.standardized_sf",
        "studentized range (Tukey)",
        2e-12,
        studentized_range,
        "studentized_range_sf",
        studentized_cases,
    ),
    "studentized-range-quantile": Distribution(
        "studentized_range.isf",
        "critical values of the range",
        1e-13,
        studentized_range_quantile,
        "range_quantile",
        range_quantile_cases,
    ),
    "t-power": Distribution("noncentral_t.t_power", "power of t-tests", 5e-13, power, "t_power", power_cases),
    "noncentral-t": Distribution(
        "noncentral_t.left_tail",
        "noncentral t distribution",
        2e-14,
        noncentral_t,
        "noncentral_t_left_tail",
        noncentral_cases,
        "absolute",
    ),
    "noncentrality-limit": Distribution(
        "noncentral_t.noncentrality_limits",
        "limits of the noncentrality",
        1e-12,
        noncentrality_limit,
        "noncentrality_limit",
        limit_cases,
    ),
    "largest-of-m": Distribution(
        "steel.largest_sf",
        "largest of correlated normal variables (Dunnett, Steel)",
        5e-13,
        largest,
        "largest_sf",
        largest_cases,
    ),
    "signed-rank": Distribution(
        "signed_rank.SignedRankLaw.cdf",
        "signed ranks (Wilcoxon)",
        1e-12,
        signed_rank,
        "signed_rank_cdf",
        signed_rank_cases,
    ),
    "rank-sums": Distribution(
        "rank_sums.exact_tail", "rank sums (Friedman)", 2e-14, rank_sums, "rank_sums_tail", rank_sums_cases
    ),
    "rank-sums-agreement": Distribution(
        "rank_sums.exact_tail", "rank sums: all datasets agree", 2e-14, agreement, "agreement_of_three", agreement_cases
    ),
    "permuted-rows": Distribution(
        "row_permutations.exact_tail",
        "rows in random order (Quade, aligned ranks)",
        2e-14,
        permuted_rows,
        "permuted_rows_tail",
        permuted_rows_cases,
    ),
    "ordered-pairs": Distribution(
        "jonckheere.law_of_sum",
        "pairs in order (Jonckheere, Mann & Whitney)",
        1e-13,
        ordered_pairs,
        "ordered_pairs_tail",
        ordered_pairs_cases,
    ),
    "tied-pairs": Distribution(
        "jonckheere.law_of_pairs",
        "pairs in order, with ties",
        1e-13,
        tied_pairs,
        "tied_pairs_tail",
        tied_pairs_cases,
    ),
    "independent-betas": Distribution(
        "beta_difference.IndependentBetas.above",
        "difference of two beta variables",
        1e-12,
        independent_betas,
        "independent_betas_above",
        independent_betas_cases,
        "absolute",
    ),
    "paired-betas": Distribution(
        "beta_difference.PairedBetas.above",
        "difference of two shares",
        1e-12,
        paired_betas,
        "paired_betas_above",
        paired_betas_cases,
        "absolute",
    ),
    "largest-share": Distribution(
        "dirichlet_process.largest_share_probabilities",
        "largest of three shares",
        1e-13,
        largest_share,
        "largest_share_probability",
        largest_share_cases,
    ),
}


def error(ours: float, reference: str, kind: str) -> float:
    """Return the error of a value relative to the reference value with 50 digits."""
    right = Decimal(reference)
    off = abs(Decimal(ours) - right)
    return float(off / abs(right) if kind == "relative" and right else off)


def region(reference: str) -> str:
    """Return the name of the region of a reference."""
    return next(name for edge, name in REGIONS if Decimal(reference) >= Decimal(edge))


def with_error(name: str, case: dict[str, Any]) -> dict[str, Any]:
    """Return a reference with the error of evalstats."""
    distribution = DISTRIBUTIONS[name]
    off = error(distribution.ours(**case["arguments"]), case["value"], distribution.kind)
    return {**case, "error": float(f"{off:.3g}")}


def summary(cases: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Return the largest error in each region, and the number of references."""
    found: dict[str, dict[str, float]] = {}
    for case in cases:
        at = found.setdefault(region(case["value"]), {"n": 0, "largest_error": 0.0})
        at["n"] += 1
        at["largest_error"] = max(at["largest_error"], case["error"])
    return {name: found[name] for _, name in REGIONS if name in found}


def references(name: str) -> list[dict[str, Any]]:
    """Return arguments of one distribution, each with its value with 50 digits."""
    import high_precision_values

    distribution = DISTRIBUTIONS[name]
    oracle = getattr(high_precision_values, distribution.reference)
    cases = []
    for arguments in distribution.cases(Random(f"{SEED} {name}")):
        value = oracle(**arguments)
        if distribution.kind == "absolute" or value > high_precision_values.mpf(10) ** SMALLEST:
            cases.append({"arguments": arguments, "value": high_precision_values.text(value)})
    return cases


def described(name: str, cases: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the entry of one distribution in the file."""
    distribution = DISTRIBUTIONS[name]
    cases = [with_error(name, case) for case in cases]
    return {
        "function": distribution.function,
        "says": distribution.says,
        "reference": distribution.reference,
        "kind": distribution.kind,
        "stated": distribution.stated,
        "errors": summary(cases),
        "cases": cases,
    }


@click.command()
@click.argument("names", nargs=-1)
@click.option("--measure", is_flag=True, help="Keep the references, and measure evalstats against them again.")
def main(names: tuple[str, ...], measure: bool) -> None:
    """Write the file, or compute some of its distributions again."""
    content: dict[str, Any] = {"versions": {}, "distributions": {}}
    if FILE.is_file() and (names or measure):
        content = json.loads(FILE.read_text(encoding="utf-8"))
    made = content["distributions"]
    content["versions"] |= versions(measure=measure)
    head = {"made": dt.datetime.now(dt.UTC).date().isoformat(), "seed": SEED, "digits": 50}
    FILE.parent.mkdir(exist_ok=True)
    for name in names or DISTRIBUTIONS:
        cases = made[name]["cases"] if measure else references(name)
        made[name] = described(name, cases)
        worst = max(at["largest_error"] for at in made[name]["errors"].values())
        click.echo(f"{name}: {len(cases)} references, largest error {worst:.1e}")
        in_order = {each: made[each] for each in DISTRIBUTIONS if each in made}
        FILE.write_text(written({**head, **content, **head, "distributions": in_order}), encoding="utf-8")


def versions(*, measure: bool) -> dict[str, str]:
    """Return the versions of the measured packages."""
    import scipy

    import evalstats

    own = {"evalstats": evalstats.__version__, "python": platform.python_version()}
    own |= {"numpy": np.__version__, "scipy": scipy.__version__}
    return own if measure else {**own, "mpmath": metadata.version("mpmath")}


def written(content: dict[str, Any]) -> str:
    """Return JSON with a line for each reference."""
    blocks = []
    for name, at in content["distributions"].items():
        own = {key: value for key, value in at.items() if key != "cases"}
        rows = ",\n".join(json.dumps(case) for case in at["cases"])
        blocks.append(f'{json.dumps(name)}: {json.dumps(own)[:-1]}, "cases": [\n{rows}\n]}}')
    head = json.dumps({key: value for key, value in content.items() if key != "distributions"})
    return f'{head[:-1]}, "distributions": {{\n' + ",\n".join(blocks) + "\n}}\n"


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    main()
