"""Can a published table of mean ranks be right, and does it say what the text says it says?"""

from __future__ import annotations

__all__ = ["RankAudit", "audit_ranks"]

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate, combinations
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks, _labels
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._errors import short
from evalstats._findings import Finding, gravest_first
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.distributions import tails
from evalstats.multiple.critical_differences import critical_difference

CLAIMS = ("cd", "chi2", "F", "rejects", "different", "not_different")
MOST_DECIMALS = 12  # more are those of a computer, not of a printed table
LARGEST_RANK = 1e9  # no table has so many classifiers
TESTS = {"nemenyi": "Nemenyi", "bonferroni-dunn": "Bonferroni-Dunn"}


@dataclass(frozen=True, kw_only=True, eq=False)
class RankAudit(Record):
    """What `audit_ranks` returns; `evalstats.report` shows it.

    One table gives plain numbers and a tuple of findings; a batch gives arrays of its leading shape, of which that of
    the findings holds tuples.

    Attributes
    ----------
    ok : bool or ndarray of bool
        Whether no finding is an error.
    findings : tuple of Finding, or ndarray of such tuples
        The errors first, then the warnings, then the notes.
    mean_ranks : ndarray of shape (..., n_classifiers)
        As given.
    n_datasets : int or ndarray of int
        As given.
    n_classifiers : int
        Number of mean ranks in a table.
    names : tuple of str
        As given, or ``'1'``, ``'2'``, ...
    control : int or None
        Place of the control.
    alpha : float
        Level of the critical differences and of what is said about significance.
    decimals : int or ndarray of int
        Decimals to which the mean ranks are taken to be rounded.
    rank_sum, expected_sum : float
        Sum of the printed mean ranks, and k (k + 1) / 2, what that of the mean ranks is.
    rounding : float
        k / 2 units of the last decimal: how much rounding can change the sum.
    chi2, chi2_pvalue : float or ndarray
        Friedman's statistic from the printed mean ranks, not corrected for ties, and its p-value.
    chi2_low, chi2_high : float or ndarray
        The smallest and largest value that the rounding of the mean ranks allows.
    chi2_tied : float or ndarray
        No correction for ties can make the statistic larger than this.
    f, f_pvalue : float or ndarray
        Iman & Davenport's statistic from `chi2`, and its p-value; nan for one dataset or impossible mean ranks. Where F
        is infinite the p-value is the probability that all datasets agree without ties, k!^(1 - n).
    nemenyi_difference, bonferroni_dunn_difference : float or ndarray
        Critical differences, between any two and between one and a control.
    different : ndarray of bool, of shape (..., k, k) or (..., k)
        Which pairs differ: all pairs by Nemenyi's, or with a control each from it by Bonferroni-Dunn's critical
        difference; as printed, where it is undecided.
    undecided : ndarray of bool, of the same shape
        Where rounding may have changed that.
    """

    ok: Any
    findings: Any
    mean_ranks: FloatArray
    n_datasets: Any
    n_classifiers: int
    names: tuple[str, ...]
    control: int | None
    alpha: float
    decimals: Any
    rank_sum: Any
    expected_sum: float
    rounding: Any
    chi2: Any
    chi2_pvalue: Any
    chi2_low: Any
    chi2_high: Any
    chi2_tied: Any
    f: Any
    f_pvalue: Any
    nemenyi_difference: Any
    bonferroni_dunn_difference: Any
    different: BoolArray
    undecided: BoolArray


def audit_ranks(
    mean_ranks: Any,
    n_datasets: Any,
    *,
    claims: Any = None,
    alpha: float = 0.05,
    control: Any = None,
    names: Sequence[str] | None = None,
    decimals: int | None = None,
) -> RankAudit:
    """Learn whether a published table of mean ranks can be right, and whether its claims follow from it.

    Only what is printed is needed: the mean ranks and the number of datasets.

    Parameters
    ----------
    mean_ranks : array_like of shape (..., n_classifiers)
        Mean rank of each classifier over the datasets, as printed; two or more. Leading axes are a batch of tables.
    n_datasets : int or array_like of int
        Number of datasets; of a batch, of all tables or of each.
    claims : dict or sequence of dict, optional
        What the publication says, of all tables or, in a sequence, of each. ``'cd'``: the critical difference;
        ``'chi2'`` and ``'F'``: Friedman's and Iman & Davenport's statistic; ``'rejects'``: whether the Friedman test
        rejects; ``'different'`` and ``'not_different'``: lists of pairs, by name or by index. Numbers are taken to be
        rounded to the decimals they have.
    alpha : float, default: 0.05
        Level of the tests.
    control : str or int, optional
        Name or index of the classifier that the others were compared with, by Bonferroni and Dunn's test. By default
        all pairs are compared, by Nemenyi's.
    names : sequence of str, optional
        Names of the classifiers.
    decimals : int, optional
        Decimals of the printed mean ranks. By default as many as the one with the most has, in each table; 3.00 and
        2.00 do not tell that they had two.

    Returns
    -------
    RankAudit
        The findings, and the numbers behind them.

    Raises
    ------
    InvalidValueError
        If there are fewer than two mean ranks, one is not finite or has more than `decimals`, or a name, a claim or
        another argument is not understood.
    InvalidTypeError
        If an argument has the wrong type.

    See Also
    --------
    friedman_test, nemenyi_test, bonferroni_dunn_test : from the scores, which is better.
    critical_difference : that alone.

    Notes
    -----
    Codes of errors: ``'range'`` (a mean rank below 1 or above k), ``'granularity'`` (a mean rank over n datasets is a
    multiple of 1 / (2 n), and none rounds to this), ``'sum'`` (mean ranks that round to these cannot add up to
    k (k + 1) / 2), ``'extremes'`` (the j smallest add up to less than j (j + 1) / 2, or the j largest to more than is
    possible); ``'cd'``, ``'chi2'``, ``'F'``, ``'rejects'``, ``'different'``, ``'not-different'`` (the claim of that
    name is contradicted). Codes of warnings: the same where only ties or rounding can make a claim true;
    ``'not-compared'`` (a claim about a pair without the control), ``'post-hoc'`` (a difference is claimed, but the
    Friedman test does not reject). Codes of notes: ``'ties'`` (a mean rank needs tied ranks), ``'tests-disagree'``
    (only one of chi-squared and F rejects), ``'undecided'`` (rounding decides whether a pair differs).

    Rounding is to the nearest, a half to either side. `chi2` is computed from deviations from (k + 1) / 2; Demšar's
    formula with sums of squares gives the same where the mean ranks add up to k (k + 1) / 2 and amplifies what
    rounding adds to the sum where they do not.

    A correction for ties divides by less than 1: it makes chi2 larger, at most n (k - 1). `chi2_tied` is sharper.
    Ranks on a dataset differ from (k + 1) / 2 by multiples of 1/2; the sum of their squares is smallest when those of
    a classifier are as equal as they can be.

    References
    ----------
    .. [1] J. Demšar (2006). Statistical Comparisons of Classifiers over Multiple Data Sets. Journal of Machine Learning
       Research 7:1-30, section 3.2.2.
    .. [2] T. Raeder, T. R. Hoens, N. V. Chawla (2010). Consequences of variability in classifier performance estimates.
       IEEE International Conference on Data Mining, 421-430, Table I.

    Examples
    --------
    A column of Table I of Raeder, Hoens & Chawla: 5-nearest-neighbour, the mean ranks of its 2-, 5- and 10-fold
    estimates over 20 datasets.

    >>> from evalstats import audit_ranks
    >>> audit = audit_ranks(
    ...     [2.95, 1.90, 1.05], 20, names=["2-fold", "5-fold", "10-fold"], control="10-fold", claims={"cd": 0.709}
    ... )
    >>> print(audit.findings[0].sentence)
    the mean ranks add up to 5.90, not to 6; rounding to 2 decimals can change the sum by 0.015 at most
    >>> audit.ok, round(audit.bonferroni_dunn_difference, 3)
    (False, 0.709)
    """
    if hasattr(mean_ranks, "columns"):
        _labels.same_labels(rows=("mean_ranks",), n_datasets=n_datasets, mean_ranks=mean_ranks)
    ranks = _understand_ranks(mean_ranks)
    shape, k = ranks.shape[:-1], ranks.shape[-1]
    counts = _understand_counts(n_datasets, shape)
    alpha = _checks.proportion(alpha, "alpha")
    names = _understand_names(names, k)
    axis = "columns" if hasattr(mean_ranks, "columns") else "index"
    _labels.labels_agree(mean_ranks, "mean_ranks", names, "names", axis=axis)
    at = None if control is None else _place(control, "control", names)
    all_claims = [_understand_claims(one, names) for one in _one_for_each(claims, math.prod(shape))]
    tables = ranks.reshape(-1, k)
    all_decimals = [_decimals(row) for row in tables] if decimals is None else _given_decimals(tables, decimals)

    audits = [
        _audit(_Table(row, int(n), d, names, at, alpha), claim)
        for row, n, d, claim in zip(tables, counts.ravel(), all_decimals, all_claims, strict=True)
    ]

    return audits[0] if not shape else _stacked(audits, ranks)


class _Claims(NamedTuple):
    """What the publication says, understood: numbers with the half of their last decimal, pairs of places."""

    cd: tuple[float, float] | None = None
    chi2: tuple[float, float] | None = None
    f: tuple[float, float] | None = None
    rejects: bool | None = None
    different: tuple[tuple[int, int], ...] = ()
    not_different: tuple[tuple[int, int], ...] = ()


class _Table:
    """A table of mean ranks, and what follows from it."""

    def __init__(
        self, ranks: FloatArray, n: int, decimals: int, names: tuple[str, ...], control: int | None, alpha: float
    ) -> None:
        self.ranks, self.n, self.k, self.decimals = ranks, n, len(ranks), decimals
        self.names, self.control, self.alpha = names, control, alpha
        self.half = 0.5 * 10.0**-decimals
        units = [round(rank * 10**decimals) for rank in ranks.tolist()]
        # rank sums are multiples of 1/2: the smallest and the largest that is printed so, doubled
        self.lowest = [-(-n * (2 * unit - 1) // 10**decimals) for unit in units]
        self.highest = [n * (2 * unit + 1) // 10**decimals for unit in units]
        self.sum = sum(units) / 10**decimals
        self.expected_sum = self.k * (self.k + 1) / 2
        self.most = float(n * (self.k - 1))  # of chi2, with ties or without

        near, far = self._extreme_deviations()
        self.chi2 = self._chi2(ranks - (self.k + 1) / 2)
        self.chi2_low = self._chi2(near)
        self.chi2_high = max(min(self._chi2(far), self.most), self.chi2)
        self.chi2_tied = self._chi2_tied(near, far)
        self.chi2_pvalue, self.f_pvalue = self.pvalues(self.chi2)
        self.cds = {test: critical_difference(n, self.k, alpha=alpha, test=test) for test in TESTS}
        self.test = "nemenyi" if control is None else "bonferroni-dunn"

    def f(self, chi2: float) -> float:
        """Return Iman & Davenport's statistic of Friedman's."""
        within = self.most - chi2
        if self.n == 1 or within < 0:
            return math.nan
        return (self.n - 1) * chi2 / within if within else math.inf

    def pvalues(self, chi2: float) -> tuple[float, float]:
        """Return the p-values of Friedman's and of Iman & Davenport's statistic."""
        df, within = self.k - 1, self.most - chi2
        of_chi2 = tails.chi2_pvalue(np.array(chi2), df).item()
        if math.isnan(self.f(chi2)):
            return of_chi2, math.nan
        if within == 0:  # F is infinite: the probability that all datasets agree, as in friedman_test
            return of_chi2, float(tails.as_pvalue(math.exp((1 - self.n) * math.lgamma(self.k + 1))))
        of_f = tails.f_pvalue(np.array(chi2), np.array(within), df, (self.n - 1) * df).item()
        return of_chi2, of_f

    def gap(self, i: int, j: int) -> float:
        """Return the difference of two mean ranks, free of the noise of floating point."""
        return round(abs(float(self.ranks[i] - self.ranks[j])), MOST_DECIMALS)

    def verdict(self, i: int, j: int, test: str) -> bool | None:
        """Tell whether two mean ranks differ; None where that is a matter of rounding."""
        least, most = self._extreme_gaps(i, j)
        return None if least < self.cds[test] <= most else least >= self.cds[test]

    def _extreme_gaps(self, i: int, j: int) -> tuple[float, float]:
        """Return the smallest and the largest difference of two mean ranks that are printed so."""
        if any(self.lowest[one] > self.highest[one] for one in (i, j)):
            return self.gap(i, j) - 2 * self.half, self.gap(i, j) + 2 * self.half
        steps = self.lowest[i] - self.highest[j], self.highest[i] - self.lowest[j]
        least = 0 if steps[0] <= 0 <= steps[1] else min(map(abs, steps))
        return least / (2 * self.n), max(map(abs, steps)) / (2 * self.n)

    def _extreme_deviations(self) -> tuple[FloatArray, FloatArray]:
        """Return how near to and far from (k + 1) / 2 the mean ranks can be that are printed so."""
        distance = np.abs(self.ranks - (self.k + 1) / 2)
        return np.maximum(distance - self.half, 0), np.minimum(distance + self.half, (self.k - 1) / 2)

    def _chi2(self, deviations: FloatArray) -> float:
        chi2 = float(12 * self.n / (self.k * (self.k + 1)) * (deviations**2).sum())  # Demšar (2006), section 3.2.2
        return self.most if math.isclose(chi2, self.most, rel_tol=1e-12) else chi2

    def _chi2_tied(self, near: FloatArray, far: FloatArray) -> float:
        """Bound (k - 1) S / W, with the sums of squares S of rank sums and W of ranks, each about its mean."""
        between = self.n**2 * float((far**2).sum())
        halves, rest = np.divmod(2 * near * self.n, self.n)
        within = float(((self.n - rest) * halves**2 + rest * (halves + 1) ** 2).sum()) / 4
        bound = (self.k - 1) * between / within if within > 0 else self.most
        return max(min(self.most, bound), self.chi2_high)


def _audit(table: _Table, claims: _Claims) -> RankAudit:
    found = [*_impossible(table), *_wrong_numbers(table, claims), *_wrong_verdicts(table, claims), *_notes(table)]
    k, others = table.k, range(table.k) if table.control is None else (table.control,)
    verdicts = {(i, j): table.verdict(i, j, table.test) if i != j else False for i in range(k) for j in others}
    shape = (k, k) if table.control is None else (k,)
    undecided = [verdict is None for verdict in verdicts.values()]
    different = [
        table.gap(*pair) >= table.cds[table.test] if verdict is None else verdict for pair, verdict in verdicts.items()
    ]
    return RankAudit(
        ok=all(one.severity != "error" for one in found),
        findings=gravest_first(found),
        mean_ranks=table.ranks,
        n_datasets=table.n,
        n_classifiers=k,
        names=table.names,
        control=table.control,
        alpha=table.alpha,
        decimals=table.decimals,
        rank_sum=table.sum,
        expected_sum=table.expected_sum,
        rounding=k * table.half,
        chi2=table.chi2,
        chi2_pvalue=table.chi2_pvalue,
        chi2_low=table.chi2_low,
        chi2_high=table.chi2_high,
        chi2_tied=table.chi2_tied,
        f=table.f(table.chi2),
        f_pvalue=table.f_pvalue,
        nemenyi_difference=table.cds["nemenyi"],
        bonferroni_dunn_difference=table.cds["bonferroni-dunn"],
        different=np.array(different).reshape(shape),
        undecided=np.array(undecided).reshape(shape),
    )


def _impossible(table: _Table) -> Iterator[Finding]:
    """Find what no ranks can give."""
    k, n, digits = table.k, table.n, table.decimals
    outside = [i for i, rank in enumerate(table.ranks) if not 1 <= rank <= k]
    for i in outside:
        yield _error(
            "range", f"the mean rank {table.ranks[i]:.{digits}f} of {table.names[i]} does not lie between 1 and {k}"
        )
    between = [i for i in range(k) if table.lowest[i] > table.highest[i]]
    for i in between:
        below, above = (table.lowest[i] + step for step in (-1, 0))
        yield _error(
            "granularity",
            f"the mean rank {table.ranks[i]:.{digits}f} of {table.names[i]} is not possible: over {n} datasets mean "
            f"ranks are multiples of 1/{2 * n}, such as {below / (2 * n):.{digits + 2}f} and "
            f"{above / (2 * n):.{digits + 2}f}",
        )
    least, most = (sum(table.lowest), sum(table.highest)) if not between else _by_rounding(table)
    if not least <= 2 * n * table.expected_sum <= most:
        yield _error(
            "sum",
            f"the mean ranks add up to {table.sum:.{digits}f}, not to {table.expected_sum:g}; rounding to {digits} "
            f"decimals can change the sum by {k * table.half:g} at most"
            + ("" if abs(table.sum - table.expected_sum) > k * table.half else f", and by less with {n} datasets"),
        )
    elif not outside and not between:
        yield from _too_extreme(table)


def _by_rounding(table: _Table) -> tuple[float, float]:
    """Return the limits of the doubled rank sums of all classifiers, from the printed digits alone."""
    return (
        2 * table.n * (table.sum - table.k * table.half) - 1e-6,
        2 * table.n * (table.sum + table.k * table.half) + 1e-6,
    )


def _too_extreme(table: _Table) -> Iterator[Finding]:
    """On each dataset, and so on average, any j ranks add up to at least 1 + ... + j, and at most the j largest."""
    k, n = table.k, table.n
    for bounds, words, sign in ((table.highest, "smallest", 1), ([-one for one in table.lowest], "largest", -1)):
        limits = accumulate(range(1, k + 1)) if sign > 0 else accumulate(range(-k, 0))
        for j, (total, limit) in enumerate(zip(accumulate(sorted(bounds)), limits, strict=True), start=1):
            if 1 < j < k and total < 2 * n * limit:
                reached = sum(sorted(table.ranks.tolist(), reverse=sign < 0)[:j])
                yield _error(
                    "extremes",
                    f"the {j} {words} mean ranks add up to {reached:.{table.decimals}f}, but any {j} ranks of {k} add "
                    f"up to {abs(limit)} at {'least' if sign > 0 else 'most'}",
                )
                break


def _wrong_numbers(table: _Table, claims: _Claims) -> Iterator[Finding]:
    """Find claimed critical differences and statistics that are not those of the table."""
    yield from _wrong_cd(table, claims.cd)
    low, high, tied = table.chi2_low, table.chi2_high, table.chi2_tied
    for code, claim, transform in (("chi2", claims.chi2, float), ("F", claims.f, table.f)):
        if claim is None:
            continue
        value, half = claim
        least, most, largest = (transform(min(one, table.most)) for one in (low, high, tied))
        if math.isnan(least):
            yield _error(code, f"{code} is said to be {value:g}, but is not defined for one dataset")
        elif value + half < least or value - half > largest:
            yield _error(
                code,
                f"{code} is said to be {value:g}; from the mean ranks it is {transform(table.chi2):.4g}, and rounding "
                f"and ties can make it {least:.4g} to {largest:.4g}",
            )
        elif value - half > most:
            yield Finding(
                code=code,
                severity="warning",
                sentence=f"{code} is said to be {value:g}; from the mean ranks it is {transform(table.chi2):.4g}, and "
                f"only a correction for ties can make it larger than {most:.4g}",
            )


def _wrong_cd(table: _Table, claim: tuple[float, float] | None) -> Iterator[Finding]:
    if claim is None or _agrees(table.cds[table.test], claim):
        return
    other = next(test for test in TESTS if test != table.test)
    n, k = table.n, table.k
    least, most = (n * (table.cds[table.test] / (claim[0] + sign * claim[1])) ** 2 for sign in (1, -1))
    if _agrees(table.cds[other], claim):
        hint = f"; it is that of {TESTS[other]}"
    elif math.ceil(least) <= most:
        hint = f"; it would be that of {math.ceil(least)} datasets"
    else:
        hint = ""
    yield _error(
        "cd",
        f"the critical difference is said to be {claim[0]:g}; that of {TESTS[table.test]} for {k} classifiers, {n} "
        f"datasets and alpha = {table.alpha:g} is {table.cds[table.test]:.4g}{hint}",
    )


def _wrong_verdicts(table: _Table, claims: _Claims) -> Iterator[Finding]:
    """Find verdicts that do not follow from the table."""
    yield from _wrong_rejection(table, claims.rejects)
    if claims.different and not _rejects(table.pvalues(table.chi2), table.alpha, any):
        yield Finding(
            code="post-hoc",
            severity="warning",
            sentence=f"a difference is claimed, but the Friedman test does not reject at {table.alpha:g}: "
            f"{_pvalues_in_words(table)}",
        )
    for is_claimed, pairs in ((True, claims.different), (False, claims.not_different)):
        for pair in pairs:
            yield from _wrong_pair(table, pair, is_claimed)


def _wrong_rejection(table: _Table, rejects: bool | None) -> Iterator[Finding]:
    if rejects is None:
        return
    at_low, at_high, at_tied = (
        table.pvalues(min(one, table.most)) for one in (table.chi2_low, table.chi2_high, table.chi2_tied)
    )
    said = f"the Friedman test is said {'' if rejects else 'not '}to reject at {table.alpha:g}"
    if not rejects and _rejects(at_low, table.alpha, all):
        yield _error("rejects", f"{said}, but {_pvalues_in_words(table)}")
    if rejects and not _rejects(at_tied, table.alpha, any):
        yield _error("rejects", f"{said}, but {_pvalues_in_words(table)}, whatever is tied")
    elif rejects and not _rejects(at_high, table.alpha, any):
        yield Finding(
            code="rejects",
            severity="warning",
            sentence=f"{said}, but without a correction for ties {_pvalues_in_words(table)}",
        )


def _wrong_pair(table: _Table, pair: tuple[int, int], is_claimed: bool) -> Iterator[Finding]:
    """Judge a claim that two classifiers differ, or that they do not."""
    is_compared = table.control is None or table.control in pair
    test = table.test if is_compared else "nemenyi"
    verdict = table.verdict(*pair, test)
    first, second = (table.names[i] for i in pair)
    words = f"the mean ranks of {first} and {second} differ by {table.gap(*pair):.{table.decimals}f}"
    cd = f"the critical difference of {TESTS[test]}, {table.cds[test]:.4g}"
    claim = "they are said to differ" if is_claimed else "they are said not to differ"
    code = "different" if is_claimed else "not-different"
    if not is_compared:
        against = table.names[table.control] if table.control is not None else ""
        severity = "note" if verdict is is_claimed else "warning"
        place = "within rounding of" if verdict is None else "beyond" if verdict else "below"
        yield Finding(
            code="not-compared",
            severity=severity,
            sentence=f"{claim}, but {first} and {second} are not compared in a test against {against}; {words}, "
            f"{place} {cd}",
        )
    elif verdict is None:
        yield Finding(code=code, severity="warning", sentence=f"{claim}, but {words}, within rounding of {cd}")
    elif verdict is not is_claimed:
        yield _error(code, f"{claim}, but {words}, {'beyond' if verdict else 'less than'} {cd}")


def _notes(table: _Table) -> Iterator[Finding]:
    tied = [i for i in range(table.k) if table.lowest[i] == table.highest[i] and table.lowest[i] % 2]
    if tied:
        who = ", ".join(table.names[i] for i in tied)
        yield _note("ties", f"the mean ranks of {who} are possible only if ranks are tied")
    if _rejects(table.pvalues(table.chi2), table.alpha, any) != _rejects(table.pvalues(table.chi2), table.alpha, all):
        yield _note("tests-disagree", f"only one form of the Friedman test rejects: {_pvalues_in_words(table)}")
    pairs = combinations(range(table.k), 2) if table.control is None else ((i, table.control) for i in range(table.k))
    for i, j in pairs:
        if i != j and table.verdict(i, j, table.test) is None:
            yield _note(
                "undecided",
                f"whether {table.names[i]} and {table.names[j]} differ is a matter of rounding: their mean ranks "
                f"differ by {table.gap(i, j):.{table.decimals}f}, and the critical difference is "
                f"{table.cds[table.test]:.4g}",
            )


def _rejects(pvalues: tuple[float, float], alpha: float, how: Any) -> bool:
    """Tell whether any or all forms of the test reject that are defined."""
    defined = [p for p in pvalues if not math.isnan(p)]
    return bool(how(p <= alpha for p in defined))


def _pvalues_in_words(table: _Table) -> str:
    of_f = "" if math.isnan(table.f_pvalue) else f" and by F {table.f_pvalue:.2g}"
    return f"p is {table.chi2_pvalue:.2g} by chi-squared{of_f}"


def _error(code: str, sentence: str) -> Finding:
    return Finding(code=code, severity="error", sentence=sentence)


def _note(code: str, sentence: str) -> Finding:
    return Finding(code=code, severity="note", sentence=sentence)


def _agrees(value: float, claim: tuple[float, float]) -> bool:
    return abs(value - claim[0]) <= claim[1] * (1 + 1e-9)


def _understand_ranks(mean_ranks: Any) -> FloatArray:
    ranks = _checks.numbers(mean_ranks, "mean_ranks")
    if ranks.ndim == 0 or ranks.shape[-1] < 2 or ranks.size == 0:
        raise InvalidValueError(f"mean_ranks must hold 2 or more classifiers, but their shape is {ranks.shape}")
    ranks = _checks.finite(ranks, "mean_ranks")
    if np.abs(ranks).max() > LARGEST_RANK:
        largest = ranks.flat[np.abs(ranks).argmax()]
        raise InvalidValueError(f"mean_ranks must be {LARGEST_RANK:g} or less, but one of them is {largest}")
    return ranks


def _understand_counts(n_datasets: Any, shape: tuple[int, ...]) -> IntArray:
    try:
        counts = np.asarray(n_datasets)
    except ValueError as error:
        raise InvalidValueError(f"n_datasets must be a regular array, not {short(n_datasets)}") from error
    for one in counts.ravel().tolist() if counts.size else (n_datasets,):
        _checks.count(one, "n_datasets")
    try:
        return np.broadcast_to(counts, shape)
    except ValueError as error:
        raise InvalidValueError(
            f"n_datasets must be one number or one for each table, but its shape is {counts.shape} and that of the "
            f"tables {shape}"
        ) from error


def _understand_names(names: Any, k: int) -> tuple[str, ...]:
    if names is None:
        return tuple(str(i + 1) for i in range(k))
    found = tuple(_checks.listed(names, "names", "str"))
    if not all(isinstance(name, str) for name in found):
        raise InvalidTypeError(f"names must be a sequence of str, not {short(names)}")
    if len(found) != k or len(set(found)) != k:
        raise InvalidValueError(f"names must be {k} different names, one for each mean rank, not {short(found)}")
    return found


def _place(value: Any, argument: str, names: tuple[str, ...]) -> int:
    """Return the place of a classifier, given by its name or its index."""
    if isinstance(value, str) and value in names:
        return names.index(value)
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and 0 <= value < len(names):
        return int(value)
    raise InvalidValueError(
        f"{argument} must be an index from 0 to {len(names) - 1} or one of {', '.join(map(repr, names))}, not "
        f"{short(value)}"
    )


def _one_for_each(claims: Any, n_tables: int) -> list[Any]:
    if claims is None or isinstance(claims, Mapping):
        return [claims or {}] * n_tables
    if isinstance(claims, str) or not isinstance(claims, Sequence) or len(claims) != n_tables:
        raise InvalidValueError(f"claims must be a dict, or a sequence of {n_tables}, one for each table")
    return list(claims)


def _understand_claims(claims: Any, names: tuple[str, ...]) -> _Claims:
    if not isinstance(claims, Mapping):
        raise InvalidTypeError(f"claims must be a dict, not {short(claims)}")
    for key in claims:
        _checks.choice(key, "a claim", CLAIMS)
    rejects = claims.get("rejects")
    return _Claims(
        cd=_number(claims.get("cd"), "cd"),
        chi2=_number(claims.get("chi2"), "chi2"),
        f=_number(claims.get("F"), "F"),
        rejects=None if rejects is None else _checks.boolean(rejects, "claims['rejects']"),
        different=_pairs(claims.get("different", ()), "different", names),
        not_different=_pairs(claims.get("not_different", ()), "not_different", names),
    )


def _number(value: Any, key: str) -> tuple[float, float] | None:
    """Return a claimed number, and half a unit of its last decimal."""
    if value is None:
        return None
    number = _checks.finite(_checks.numbers(value, f"claims[{key!r}]"), f"claims[{key!r}]")
    if number.ndim or number < 0 or (number == 0 and key == "cd"):
        rule = "one positive number" if key == "cd" else "one number of 0 or more"
        raise InvalidValueError(f"claims[{key!r}] must be {rule}, not {short(value)}")
    return float(number), 0.5 * 10.0 ** -_decimals(number.reshape(1))


def _pairs(pairs: Any, key: str, names: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    if not isinstance(pairs, Iterable):
        raise InvalidTypeError(f"claims[{key!r}] must be a list of pairs, not {short(pairs)}")
    found = []
    for pair in pairs:
        if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise InvalidValueError(f"claims[{key!r}] must be a list of pairs, but it holds {short(pair)}")
        i, j = (_place(one, f"a classifier in claims[{key!r}]", names) for one in pair)
        if i == j:
            raise InvalidValueError(f"claims[{key!r}] must be of two classifiers each, but it holds {short(pair)}")
        found.append((i, j))
    return tuple(found)


def _decimals(values: FloatArray) -> int:
    """Return the number of decimals that all values need."""
    return next((d for d in range(MOST_DECIMALS) if (np.round(values, d) == values).all()), MOST_DECIMALS)


def _given_decimals(tables: FloatArray, decimals: Any) -> list[int]:
    d = _checks.count(decimals, "decimals", minimum=0)
    if d > MOST_DECIMALS:
        raise InvalidValueError(f"decimals must be at most {MOST_DECIMALS}, not {d}")
    finer = np.abs(np.round(tables, d) - tables) > 1e-12
    if finer.any():
        raise InvalidValueError(f"mean_ranks must have {d} decimals, but one of them is {tables[finer][0]}")
    return [d] * len(tables)


def _stacked(audits: list[RankAudit], ranks: FloatArray) -> RankAudit:
    """Return one result with arrays of the leading shape of the batch."""
    same = {"n_classifiers", "names", "control", "alpha", "expected_sum"}
    shape = ranks.shape[:-1]
    stacked: dict[str, Any] = {}
    for name in (field.name for field in fields(RankAudit)):
        values = [getattr(audit, name) for audit in audits]
        if name == "findings":
            stacked[name] = np.empty(len(values), dtype=object)
            stacked[name][:] = values
            stacked[name] = stacked[name].reshape(shape)
        elif name in same:
            stacked[name] = values[0]
        else:
            stacked[name] = np.array(values).reshape(shape + np.shape(values[0]))
    return RankAudit(**stacked)
