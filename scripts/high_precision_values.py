"""Null distributions with 50 digits, by other methods than in evalstats. The script needs mpmath.

Continuous distributions are integrated by Gauss-Legendre quadrature, or summed as a series of positive terms. Discrete
distributions are counted in integers: a generating function is one long integer, whose digits are its coefficients.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, Any

from mpmath import mp, mpf

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DIGITS = 50
GUARD = 15  # additional digits of the computation
mp.dps = DIGITS + GUARD


def normal_right_tail(z: float | mpf) -> mpf:
    """P(Z > z)."""
    return mp.erfc(mpf(z) / mp.sqrt(2)) / 2


def normal_density(z: mpf) -> mpf:
    """Density of Z."""
    return mp.exp(-z * z / 2) / mp.sqrt(2 * mp.pi)


def chi2_right_tail(x: float | mpf, df: float | mpf) -> mpf:
    """P(X > x): one minus the left series for the larger part, otherwise the continued fraction of Legendre."""
    a, y = mpf(df) / 2, mpf(x) / 2
    if y == 0:
        return mpf(1)
    scale = mp.exp(a * mp.log(y) - y - mp.loggamma(a))
    if y < a + 1:
        term = total = 1 / a
        j = 1
        while term > total * mp.eps:
            term *= y / (a + j)
            total += term
            j += 1
        return 1 - scale * total
    return scale / _continued_fraction(lambda j: y + 2 * j + 1 - a, lambda j: j * (a - j))


def _continued_fraction(b: Callable[[int], mpf], a: Callable[[int], mpf]) -> mpf:
    """b0 + a1 / (b1 + a2 / (b2 + ...)), by Lentz's algorithm."""
    tiny = mpf(10) ** -400
    f = b(0) or tiny
    c, d, j = f, mpf(0), 1
    while True:
        d = 1 / ((b(j) + a(j) * d) or tiny)
        c = (b(j) + a(j) / c) or tiny
        f *= c * d
        if abs(c * d - 1) < mp.eps:
            return f
        j += 1


def beta_left_tail(w: mpf, rest: mpf, a: mpf, b: mpf) -> mpf:
    """P(B <= w) of a beta variable, with rest = 1 - w, by Gauss's continued fraction of the smaller side."""
    if w > a / (a + b):
        return 1 - beta_left_tail(rest, w, b, a)
    if w == 0:
        return mpf(0)
    log_beta = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
    factor = mp.exp(a * mp.log(w) + b * mp.log(rest) - log_beta) / a

    def partial(j: int) -> mpf:
        m = j // 2
        if j % 2:
            return -(a + m) * (a + b + m) * w / ((a + 2 * m) * (a + 2 * m + 1))
        return m * (b - m) * w / ((a + 2 * m - 1) * (a + 2 * m))

    return factor / _continued_fraction(lambda _: mpf(1), partial)


def f_right_tail(between: float, within: float, df_between: int, df_within: int) -> mpf:
    """P(X > F), from the two sums of squares."""
    v, w = mpf(between), mpf(within)
    return beta_left_tail(w / (v + w), v / (v + w), mpf(df_within) / 2, mpf(df_between) / 2)


def t_both_tails(t: float | mpf, df: float | mpf) -> mpf:
    """P(|T| > |t|)."""
    t, df = mpf(t), mpf(df)
    total = df + t * t
    return beta_left_tail(df / total, t * t / total, df / 2, mpf(1) / 2)


def t_upper_quantile(tail: float | mpf, df: float) -> mpf:
    """Return the t that T exceeds with a probability below 1/2."""

    def miss(log_t: mpf) -> mpf:
        return mp.log(t_both_tails(mp.exp(log_t), df) / 2) - mp.log(mpf(tail))

    from scipy.special import stdtrit

    guess = math.log(-float(stdtrit(df, float(tail))))
    return mp.exp(mp.findroot(miss, (mpf(guess), mpf(guess) + mpf("1e-8")), tol=mpf(10) ** (-2 * DIGITS)))


def binomial_left_tail(k: int, n: int) -> mpf:
    """P(K <= k), K binomial (n, 1/2)."""
    if k < 0:
        return mpf(0)
    if 2 * k >= n:
        return 1 - binomial_left_tail(n - k - 1, n)
    term = total = mp.exp(mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1) - n * mp.log(2))
    for i in range(k, 0, -1):
        term *= mpf(i) / (n - i + 1)
        total += term
        if term < total * mp.eps:
            break
    return total


def trinomial_lead_tail(lead: int, n_edges: int, n: int) -> mpf:
    """P(heads - tails >= lead), by counting all numbers of heads and tails."""
    fair, edges = n - n_edges, 2 * n_edges
    count = sum(
        math.comb(n, m)
        * fair**m
        * edges ** (n - m)
        * sum(math.comb(m, h) for h in range(max((m + lead + 1) // 2, 0), m + 1))
        for m in range(max(lead, 0), n + 1)
    )
    return mpf(count) / mpf((2 * n) ** n)


@lru_cache(maxsize=8)
def _legendre(n: int) -> tuple[list[mpf], list[mpf]]:
    """Return nodes and weights of Gauss-Legendre quadrature."""
    nodes, weights = [], []
    for i in range(1, n + 1):
        x = mp.cos(mp.pi * (mpf(i) - mpf("0.25")) / (n + mpf("0.5")))
        while True:
            before, here = mpf(1), x
            for j in range(2, n + 1):
                before, here = here, ((2 * j - 1) * x * here - (j - 1) * before) / j
            slope = n * (x * here - before) / (x * x - 1)
            step = here / slope
            x -= step
            if abs(step) < mp.eps * 8:
                break
        nodes.append(x)
        weights.append(2 / ((1 - x * x) * slope**2))
    return nodes, weights


def integral(f: Callable[[mpf], mpf], low: float | mpf, high: float | mpf, pieces: int, n: int = 40) -> mpf:
    """Integrate a smooth function over the given number of equal pieces."""
    nodes, weights = _legendre(n)
    low, width = mpf(low), (mpf(high) - mpf(low)) / pieces
    total = mpf(0)
    for i in range(pieces):
        middle = low + (i + mpf(1) / 2) * width
        total += sum(weight * f(middle + node * width / 2) for node, weight in zip(nodes, weights, strict=True))
    return total * width / 2


def erfc_inverse(log_p: float) -> mpf:
    """Return the x with log(erfc(x)) = log_p."""
    guess = mp.sqrt(-mpf(log_p))
    return mp.findroot(lambda x: mp.log(mp.erfc(x)) - mpf(log_p), (guess * mpf("0.9"), guess), tol=mpf(10) ** -100)


def power_difference(a: mpf, b: mpf, m: int) -> mpf:
    """Return a^m - (a - b)^m without a difference of nearly equal numbers."""
    if b * 1000 * m > a:
        return a**m - (a - b) ** m
    c = a - b
    return b * sum(a ** (m - 1 - i) * c**i for i in range(m))


def range_sf(q: float | mpf, k: int) -> mpf:
    """P(range of k standard normal variables > q), integrated over the smallest variable."""
    q = mpf(q)

    def integrand(z: mpf) -> mpf:
        above, beyond = normal_right_tail(z), normal_right_tail(z + q)
        return normal_density(z) * power_difference(above, beyond, k - 1)

    # the maximum of the integrand is near -q / 2; in the far tail, it is half as wide as a normal density
    return k * integral(integrand, -q / 2 - 17, -q / 2 + 17, 34)


def range_quantile(p: float, k: int) -> mpf:
    """Return the q that the range exceeds with probability p, to 30 digits."""
    from evalstats.distributions import studentized_range

    guess = mpf(studentized_range.isf(p, k))  # start of the search
    with mp.workdps(32):
        return mp.findroot(
            lambda q: mp.log(range_sf(q, k) / mpf(p)), (guess, guess * (1 + mpf("1e-9"))), tol=mpf(10) ** -50
        )


def studentized_range_sf(q: float, k: int, df: int) -> mpf:
    """P(range > q s): Student's t for two variables, otherwise an integral over the logarithm of s."""
    q = mpf(q)
    if k == 2:
        return t_both_tails(q / mp.sqrt(2), df)
    step = mpf(1) / 8
    z = [step * i for i in range(-8 * 40, 8 * 17)]
    above = [normal_right_tail(x) for x in z]
    weight = [k * step * normal_density(x) for x in z]
    log_mass = mp.log(2) + mpf(df) / 2 * mp.log(mpf(df) / 2) - mp.loggamma(mpf(df) / 2)

    def of_range(r: mpf) -> mpf:
        total = mpf(0)
        for x, a, w in zip(z, above, weight, strict=True):
            if -r - 17 < x:
                total += w * power_difference(a, normal_right_tail(x + r), k - 1)
        return total

    def integrand(u: mpf) -> mpf:
        return mp.exp(log_mass + df * (u - mp.exp(2 * u) / 2)) * of_range(q * mp.exp(u))

    top = -mp.log(1 + q * q / (2 * mpf(df))) / 2  # where the two exponents balance
    width = mpf(12) / mp.sqrt(df)
    low, high = top - max(width, 130 / mpf(df)), top + min(width, mpf(3))
    return integral(integrand, low, high, max(10, math.ceil(high - low)), 20)


def noncentral_t_right_tail(t: mpf, df: int, noncentrality: float) -> mpf:
    """P(T > t), integrated over the logarithm of the standard deviation."""
    t, delta = mpf(t), mpf(noncentrality)
    log_mass = mp.log(2) + mpf(df) / 2 * mp.log(mpf(df) / 2) - mp.loggamma(mpf(df) / 2)

    def log_terms(u: mpf) -> mpf:
        log_density = log_mass + df * (u - mp.exp(2 * u) / 2)
        return log_density + mp.log(normal_right_tail(t * mp.exp(u) - delta))

    low, high = _reach(log_terms, df)
    # the steepest factor is as wide as one standard deviation of log S, or of Z over t
    pieces = max(8, math.ceil((high - low) * max(math.sqrt(2 * df), abs(float(delta)), 1) / 2))
    return integral(lambda u: mp.exp(log_terms(u)), low, high, pieces)


def _reach(log_f: Callable[[mpf], mpf], df: int) -> tuple[float, float]:
    """Find the point at which a unimodal function falls below 10^-(DIGITS + 10) of its maximum."""
    grid = [i / 40 for i in range(-400, 80)] if df < 40 else [i / 40 / math.sqrt(df) for i in range(-3000, 2000, 4)]
    with mp.workdps(20):
        values = [float(log_f(mpf(u))) for u in grid]
    top = max(range(len(grid)), key=values.__getitem__)
    drop = (DIGITS + 10) * math.log(10)
    low, high = grid[top], grid[top]
    step = 1 / math.sqrt(df)
    with mp.workdps(20):
        while float(log_f(mpf(low))) > values[top] - drop:
            low -= step
        while float(log_f(mpf(high))) > values[top] - drop:
            high += step / 4
    return low, high


def t_power(noncentrality: float, df: int, alpha: float, alternative: str) -> mpf:
    """Return the power of a t-test."""
    n_sides = 2 if alternative == "two-sided" else 1
    critical = t_upper_quantile(mpf(alpha) / n_sides, df)
    delta = -noncentrality if alternative == "less" else noncentrality
    power = noncentral_t_right_tail(critical, df, delta)
    return power + noncentral_t_right_tail(critical, df, -delta) if n_sides == 2 else power


def noncentral_t_left_tail(t: float, df: int, delta: float) -> mpf:
    """P(T <= t)."""
    return noncentral_t_right_tail(-mpf(t), df, -delta)


def noncentrality_limit(t: float, df: int, tail: float) -> mpf:
    """Return the noncentrality at which P(T <= t) is `tail`."""
    from scipy.stats import norm

    def miss(delta: mpf) -> mpf:
        return mp.log(noncentral_t_left_tail(t, df, delta) / mpf(tail))

    with mp.workdps(25):
        guess = t + float(norm.isf(tail)) * math.sqrt(1 + t * t / (2 * df))
        return mp.findroot(miss, (mpf(guess), mpf(guess) * mpf("1.001") + mpf("0.001")), tol=mpf(10) ** -40)


def largest_sf(t: float, m: int, correlation: float, two_sided: bool) -> mpf:
    """P(max Z_i >= t) or P(max |Z_i| >= t) of equally correlated normal variables."""
    t, correlation = mpf(t), mpf(correlation)
    common, own = mp.sqrt(correlation), mp.sqrt(1 - correlation)

    def integrand(y: mpf) -> mpf:
        outside = normal_right_tail((t - common * y) / own)
        if two_sided:
            outside += normal_right_tail((t + common * y) / own)
        return normal_density(y) * power_difference(mpf(1), outside, m)

    reach = 17 + abs(t) * common
    return integral(integrand, -reach, reach, math.ceil(2 * float(reach)))


def counts_of_sums(ranks: Sequence[int]) -> list[int]:
    """Count the subsets of integers by their sum."""
    bits = len(ranks) + 1
    number = 1
    for rank in ranks:
        number += number << (bits * rank)
    return _digits(number, bits, sum(ranks) + 1)


def _digits(number: int, bits: int, n: int) -> list[int]:
    """Split a number into n pieces with the given number of bits, the lowest first. Callers round up to whole bytes."""
    if bits % 8 == 0:
        size = bits // 8
        raw = number.to_bytes(size * n, "little")
        return [int.from_bytes(raw[i : i + size], "little") for i in range(0, size * n, size)]
    text = format(number, f"0{bits * n}b")
    return [int(text[len(text) - bits * (i + 1) : len(text) - bits * i], 2) for i in range(n)]


@lru_cache(maxsize=32)
def _signed_rank_counts(ranks: tuple[int, ...]) -> list[int]:
    return counts_of_sums(ranks)


def signed_rank_cdf(ranks: Sequence[int], w: int) -> mpf:
    """P(X <= w) of the sum of ranks, each counted with probability 1/2."""
    return mpf(sum(_signed_rank_counts(tuple(ranks))[: max(w + 1, 0)])) / mpf(2) ** len(ranks)


@lru_cache(maxsize=16)
def _rank_sum_spreads(patterns: tuple[tuple[int, ...], ...]) -> dict[int, int]:
    """Count the orders of all patterns by the spread of their sums."""
    k, n = len(patterns[0]), len(patterns)
    counts = [sorted(set(permutations(pattern))) for pattern in patterns]
    total = math.prod(map(len, counts))
    bits = -(-(total.bit_length() + 1) // 8) * 8
    most = 2 * k * n + 1  # one sum less: the last sum follows from the others
    number = 1
    for orders in counts:
        moved = 0
        for order in orders:
            moved += number << (bits * sum(value * most**j for j, value in enumerate(order[:-1])))
        number = moved
    spreads: Counter[int] = Counter()
    grand = sum(map(sum, patterns))
    for place, count in enumerate(_digits(number, bits, most ** (k - 1))):
        if count:
            sums = [place // most**j % most for j in range(k - 1)]
            sums.append(grand - sum(sums))
            spreads[sum((value - n * (k + 1)) ** 2 for value in sums)] += count
    return {**spreads, -1: total}


def rank_sums_tail(patterns: Sequence[Sequence[int]], spread: int) -> mpf:
    """P(S >= spread)."""
    counts = dict(_rank_sum_spreads(tuple(map(tuple, patterns))))
    total = counts.pop(-1)
    return mpf(sum(count for s, count in counts.items() if s >= spread)) / mpf(total)


def agreement_of_three(n: int) -> mpf:
    """P(n datasets order three classifiers in the same way)."""
    return mpf(6) ** (1 - n)


@lru_cache(maxsize=4)
def _column_sums(rows: tuple[tuple[int, ...], ...]) -> dict[tuple[int, ...], int]:
    """Count the orders of all rows by their column sums."""
    counts: dict[tuple[int, ...], int] = {(0,) * len(rows[0]): 1}
    for row in rows:
        moved: Counter[tuple[int, ...]] = Counter()
        for order in permutations(row):
            for sums, count in counts.items():
                moved[tuple(s + o for s, o in zip(sums, order, strict=True))] += count
        counts = moved
    return counts


def permuted_rows_tail(rows: Sequence[Sequence[int]], spread: int) -> mpf:
    """P(sum of squared column sums >= spread), by counting every order of every row."""
    counts = _column_sums(tuple(map(tuple, rows)))
    reached = sum(count for sums, count in counts.items() if sum(s * s for s in sums) >= spread)
    return mpf(reached) / mpf(sum(counts.values()))


@lru_cache(maxsize=16)
def _ordered_pairs_counts(sizes: tuple[int, ...], n_tables: int) -> list[int]:
    """Count the orders of untied values by the pairs in order: a power of the q-multinomial coefficient."""
    n = sum(sizes)
    bits = (n_tables * math.factorial(n).bit_length() // 8 + 2) * 8

    def factorial(m: int) -> int:
        number = 1
        for i in range(1, m + 1):
            number = sum(number << (bits * j) for j in range(i))
        return number

    number = factorial(n)
    for size in sizes:
        number, rest = divmod(number, factorial(size))
        if rest:
            raise AssertionError
    pairs = (n * n - sum(size * size for size in sizes)) // 2
    return _digits(number**n_tables, bits, pairs * n_tables + 1)


def ordered_pairs_tail(sizes: Sequence[int], n_tables: int, pairs: int) -> mpf:
    """P(at least this number of pairs in order), over independent tables."""
    counts = _ordered_pairs_counts(tuple(sizes), n_tables)
    return mpf(sum(counts[pairs:])) / mpf(sum(counts))


def tied_pairs_tail(sizes: Sequence[int], pattern: Sequence[int], twice: int) -> mpf:
    """P(twice the pairs in order >= a number) of tied values. Groups are filled in order with any values."""

    def fill(group: int, left: tuple[int, ...], before: tuple[int, ...]) -> Counter[int]:
        if group == len(sizes):
            return Counter({0: 1})
        found: Counter[int] = Counter()
        for chosen in _choices(sizes[group], left):
            ways = math.prod(math.comb(have, c) for have, c in zip(left, chosen, strict=True))
            # each value against all values in earlier groups: a larger value counts twice, an equal value once
            gain = sum(c * (2 * sum(before[:i]) + before[i]) for i, c in enumerate(chosen))
            rest = tuple(have - c for have, c in zip(left, chosen, strict=True))
            now = tuple(b + c for b, c in zip(before, chosen, strict=True))
            for value, count in fill(group + 1, rest, now).items():
                found[value + gain] += ways * count
        return found

    counts = fill(0, tuple(pattern), (0,) * len(pattern))
    return mpf(sum(c for value, c in counts.items() if value >= twice)) / mpf(sum(counts.values()))


def _choices(n: int, left: Sequence[int]) -> list[tuple[int, ...]]:
    if not left:
        return [()] if n == 0 else []
    return [(first, *others) for first in range(min(n, left[0]) + 1) for others in _choices(n - first, left[1:])]


def _beta_sum(w: mpf, a: int, b: int) -> mpf:
    """P(B <= w) of a beta variable with integer parameters: a binomial sum."""
    n = a + b - 1
    return mp.fsum(math.comb(n, j) * w**j * (1 - w) ** (n - j) for j in range(a, n + 1))


def _beta_density(w: mpf, a: int, b: int) -> mpf:
    return (
        w ** (a - 1) * (1 - w) ** (b - 1) * (math.factorial(a + b - 1) // math.factorial(a - 1)) / math.factorial(b - 1)
    )


def independent_betas_above(limit: float, a_x: int, b_x: int, a_y: int, b_y: int) -> mpf:
    """P(x - y > limit) for integer parameters. The integrand is a polynomial, so Gauss's rule is exact."""
    limit = mpf(limit)
    low, high = max(limit, mpf(0)), min(mpf(1), 1 + limit)
    middle = integral(
        lambda x: _beta_density(x, a_x, b_x) * _beta_sum(x - limit, a_y, b_y),
        low,
        high,
        1,
        (a_x + b_x + a_y + b_y) // 2 + 1,
    )
    # below the limit, 1 + limit y is always at most x - limit
    return middle + (1 - _beta_sum(high, a_x, b_x) if limit < 0 else 0)


def paired_betas_above(limit: float, p: int, q: int, rest: int) -> mpf:
    """P(p - q > limit) of a Dirichlet distribution with integer parameters: a polynomial in p, then in q."""
    limit = mpf(limit)
    n = p + q + rest
    factor = mpf(math.factorial(n - 1)) / (math.factorial(p - 1) * math.factorial(q - 1) * math.factorial(rest - 1))

    def over_rest(q_share: mpf) -> mpf:
        # p from max(q + limit, 0) to 1 - q, with p = start + (1 - q - start) v
        start = max(q_share + limit, mpf(0))
        width = 1 - q_share - start
        if width <= 0:
            return mpf(0)
        inner = mp.fsum(
            math.comb(p - 1, i) * start ** (p - 1 - i) * width ** (i + rest)
            * mpf(math.factorial(i) * math.factorial(rest - 1)) / math.factorial(i + rest)
            for i in range(p)
        )  # fmt: skip
        return q_share ** (q - 1) * inner

    end = (1 - limit) / 2
    parts = [(mpf(0), end)] if limit >= 0 else [(mpf(0), -limit), (-limit, end)]
    return factor * sum(integral(over_rest, low, high, 1, n // 2 + 1) for low, high in parts)


def largest_share_probability(alpha: Sequence[float]) -> mpf:
    """Return the probability that the first of three gamma variables is the largest."""
    first, others = mpf(alpha[0]), [mpf(a) for a in alpha[1:]]

    def log_density(t: mpf) -> mpf:
        return first * t - mp.exp(t) - mp.loggamma(first)

    def integrand(t: mpf) -> mpf:
        return mp.exp(log_density(t)) * mp.fprod(
            1 - chi2_right_tail(2 * mp.exp(t), 2 * a) if a else mpf(1) for a in others
        )

    total = sum(alpha)
    low = math.log(max(alpha) / 3) - 150 / max(*alpha, 1.0) - math.sqrt(300 / max(alpha))
    high = math.log(max(alpha) + math.sqrt(300 * max(alpha)) + 160)
    return integral(integrand, low, high, max(20, math.ceil((high - low) * math.sqrt(total))))


def text(value: Any) -> str:
    """Return a number with the digits that are saved."""
    return mp.nstr(mpf(value), DIGITS, strip_zeros=False)
