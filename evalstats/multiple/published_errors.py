"""Detection of impossible published mean ranks and of claims that do not follow from them."""

from __future__ import annotations

__all__ = ["faults_of"]

import math
from collections.abc import Iterator
from itertools import accumulate, combinations
from typing import Any

from evalstats._findings import Finding
from evalstats.multiple.published_claims import Claims
from evalstats.multiple.published_rank_bounds import TESTS, PrintedNumber, PrintedRanks


def faults_of(table: PrintedRanks, claims: Claims) -> Iterator[Finding]:
    """Find impossible mean ranks, claims that do not follow from them, and notes for the reader."""
    yield from _impossible(table)
    yield from _wrong_numbers(table, claims)
    yield from _wrong_verdicts(table, claims)
    yield from _notes(table)


def _impossible(table: PrintedRanks) -> Iterator[Finding]:
    """Find mean ranks that cannot result from any ranks."""
    k, n, digits = table.k, table.n, table.decimals
    outside = [i for i, rank in enumerate(table.ranks) if not 1 <= rank <= k]
    for i in outside:
        yield _error("range", f"the mean rank {table.ranks[i]:.{digits}f} of {table.names[i]} is not between 1 and {k}")
    between = [i for i in range(k) if table.lowest[i] > table.highest[i]]
    for i in between:
        below, above = (table.lowest[i] + step for step in (-1, 0))
        yield _error(
            "granularity",
            f"the mean rank {table.ranks[i]:.{digits}f} of {table.names[i]} is not possible: over {n} datasets, mean "
            f"ranks are multiples of 1/{2 * n}, such as {below / (2 * n):.{digits + 2}f} and "
            f"{above / (2 * n):.{digits + 2}f}",
        )
    least, most = (sum(table.lowest), sum(table.highest)) if not between else _by_rounding(table)
    if not least <= 2 * n * table.expected_sum <= most:
        yield _error(
            "sum",
            f"the mean ranks add up to {table.sum:.{digits}f}, not to {table.expected_sum:g}; rounding to {digits} "
            f"decimal{'s' * (digits != 1)} can change the sum by {k * table.half:g} at most"
            + ("" if abs(table.sum - table.expected_sum) > k * table.half else f", and by less with {n} datasets"),
        )
    elif not outside and not between:
        yield from _too_extreme(table)


def _by_rounding(table: PrintedRanks) -> tuple[float, float]:
    """Return the limits of the doubled rank sums of all classifiers from the rounding of the printed mean ranks."""
    return (
        2 * table.n * (table.sum - table.k * table.half) - 1e-6,
        2 * table.n * (table.sum + table.k * table.half) + 1e-6,
    )


def _too_extreme(table: PrintedRanks) -> Iterator[Finding]:
    """Find sums of j ranks below 1 + ... + j, or above the sum of the j largest ranks."""
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


def _wrong_numbers(table: PrintedRanks, claims: Claims) -> Iterator[Finding]:
    """Find claimed critical differences and statistics that do not follow from the table."""
    yield from _wrong_cd(table, claims.cd, _rule(table, claims))
    low, high, tied = table.chi2_low, table.chi2_high, table.chi2_tied
    for code, claim, transform in (("chi2", claims.chi2, float), ("F", claims.f, table.f)):
        if claim is None:
            continue
        value, half, said = claim
        least, most, largest = (transform(min(one, table.most)) for one in (low, high, tied))
        if math.isnan(least):
            yield _error(code, f"{code} is claimed to be {said}, but it is not defined for one dataset")
        elif value + half < least or value - half > largest:
            yield _error(
                code,
                f"{code} is claimed to be {said}; computed from the mean ranks, it is {transform(table.chi2):.4g}, "
                f"and rounding and ties can make it {least:.4g} to {largest:.4g}",
            )
        elif value - half > most:
            yield Finding(
                code=code,
                severity="warning",
                sentence=f"{code} is claimed to be {said}; computed from the mean ranks, it is "
                f"{transform(table.chi2):.4g}, and only a correction for ties can make it larger than {most:.4g}",
            )


def _rule(table: PrintedRanks, claims: Claims) -> str:
    """Return the test whose critical difference applies: the named test, or the test for the kind of comparison."""
    return claims.test if claims.test in TESTS else table.test


def _wrong_cd(table: PrintedRanks, claim: PrintedNumber | None, test: str) -> Iterator[Finding]:
    if claim is None or _agrees(table.cds[test], claim):
        return
    other = next(one for one in TESTS if one != test)
    n, k = table.n, table.k
    # if the claim may be 0, any number of datasets is large enough
    least, most = (n * (table.cds[test] / max(claim.value + sign * claim.half, 1e-9)) ** 2 for sign in (1, -1))
    if _agrees(table.cds[other], claim):
        hint = f"; {claim.written} is the value of {TESTS[other]}"
    elif math.ceil(least) <= most:
        hint = f"; {claim.written} is the value for {math.ceil(least)} datasets"
    else:
        hint = ""
    yield _error(
        "cd",
        f"the critical difference is claimed to be {claim.written}; the value of {TESTS[test]} for {k} "
        f"classifiers, {n} "
        f"datasets and alpha = {table.alpha:g} is {table.cds[test]:.4g}{hint}",
    )


def _wrong_verdicts(table: PrintedRanks, claims: Claims) -> Iterator[Finding]:
    """Find claimed decisions that do not follow from the table."""
    yield from _wrong_rejection(table, claims.rejects)
    yield from _wrong_pvalue(table, claims.pvalue)
    yield from _wrong_best(table, claims.best)
    if claims.different and not _rejects(table.pvalues(table.chi2), table.alpha, any):
        yield Finding(
            code="post-hoc",
            severity="warning",
            sentence=f"a difference is claimed, but the Friedman test does not reject at {table.alpha:g}: "
            f"{_pvalues_in_words(table)}",
        )
    for is_claimed, pairs in ((True, claims.different), (False, claims.not_different)):
        for pair in pairs:
            yield from _wrong_pair(table, pair, is_claimed, claims)


def _wrong_rejection(table: PrintedRanks, rejects: bool | None) -> Iterator[Finding]:
    if rejects is None:
        return
    at_low, at_high, at_tied = (
        table.pvalues(min(one, table.most)) for one in (table.chi2_low, table.chi2_high, table.chi2_tied)
    )
    said = f"the Friedman test is claimed {'' if rejects else 'not '}to reject at {table.alpha:g}"
    if not rejects and _rejects(at_low, table.alpha, all):
        yield _error("rejects", f"{said}, but {_pvalues_in_words(table)}")
    if rejects and not _rejects(at_tied, table.alpha, any):
        yield _error("rejects", f"{said}, but {_pvalues_in_words(table)}, for any ties")
    elif rejects and not _rejects(at_high, table.alpha, any):
        yield Finding(
            code="rejects",
            severity="warning",
            sentence=f"{said}, but without a correction for ties, {_pvalues_in_words(table)}",
        )


def _wrong_pvalue(table: PrintedRanks, claim: PrintedNumber | None) -> Iterator[Finding]:
    """Find a claimed p-value that neither form of the Friedman test can have, for any rounding or ties."""
    if claim is None:
        return
    of_most, of_least = (table.pvalues(min(one, table.most)) for one in (table.chi2_tied, table.chi2_low))
    limits = [(low, high) for low, high in zip(of_most, of_least, strict=True) if not math.isnan(low + high)]
    if all(claim.value + claim.half < low or claim.value - claim.half > high for low, high in limits):
        yield Finding(
            code="pvalue",
            severity="warning",
            sentence=f"the p-value of the Friedman test is claimed to be {claim.written}, but "
            f"{_pvalues_in_words(table)}; "
            "an exact or simulated p-value may differ from both",
        )


def _wrong_best(table: PrintedRanks, best: int | None) -> Iterator[Finding]:
    if best is None:
        return
    first = int(table.ranks.argmin())
    if table.gap(best, first) > 2 * table.half:
        digits = table.decimals
        yield _error(
            "best",
            f"{table.names[best]} is claimed to have the best mean rank, but it has {table.ranks[best]:.{digits}f} "
            f"and {table.names[first]} has {table.ranks[first]:.{digits}f}",
        )


def _wrong_pair(table: PrintedRanks, pair: tuple[int, int], is_claimed: bool, claims: Claims) -> Iterator[Finding]:
    """Check a claim that two classifiers differ, or that they do not differ."""
    is_compared = table.control is None or table.control in pair
    test = _rule(table, claims) if is_compared else "nemenyi"
    is_compared = is_compared or claims.test == "nemenyi"
    verdict = table.verdict(*pair, test)
    first, second = (table.names[i] for i in pair)
    words = f"the mean ranks of {first} and {second} differ by {table.gap(*pair):.{table.decimals}f}"
    cd = f"the critical difference of {TESTS[test]}, {table.cds[test]:.4g}"
    claim = "they are claimed to differ" if is_claimed else "they are claimed not to differ"
    code = "different" if is_claimed else "not-different"
    place = "within rounding of" if verdict is None else "beyond" if verdict else "less than"
    if not is_compared:
        against = table.names[table.control] if table.control is not None else ""
        yield Finding(
            code="not-compared",
            severity="note" if verdict is is_claimed else "warning",
            sentence=f"{claim}, but {first} and {second} are not compared in a test against {against}; {words}, "
            f"{place.replace('less than', 'below')} {cd}",
        )
    elif verdict is not is_claimed:
        contradicts = claims.rests_on_ranks and verdict is not None
        yield Finding(
            code=code,
            severity="error" if contradicts else "warning",
            sentence=f"{claim}, but {words}, {place} {cd}{'' if verdict is None else _unless(claims)}",
        )


def _unless(claims: Claims) -> str:
    """Return a clause which states that mean ranks alone cannot contradict the test."""
    if claims.rests_on_ranks:
        return ""
    if claims.test is None:
        return "; mean ranks cannot contradict other tests, so name the test with claims['test']"
    return f"; mean ranks cannot contradict {claims.test}, which uses more than mean ranks"


def _notes(table: PrintedRanks) -> Iterator[Finding]:
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
                f"whether {table.names[i]} and {table.names[j]} differ depends on rounding: their mean ranks differ by "
                f"{table.gap(i, j):.{table.decimals}f}, and the critical difference is {table.cds[table.test]:.4g}",
            )


def _rejects(pvalues: tuple[float, float], alpha: float, how: Any) -> bool:
    """Return whether any or all of the defined forms of the test reject."""
    defined = [p for p in pvalues if not math.isnan(p)]
    return bool(how(p <= alpha for p in defined))


def _pvalues_in_words(table: PrintedRanks) -> str:
    of_f = "" if math.isnan(table.f_pvalue) else f" and {table.f_pvalue:.2g} by the F test"
    return f"p is {table.chi2_pvalue:.2g} by the chi-squared test{of_f}"


def _error(code: str, sentence: str) -> Finding:
    return Finding(code=code, severity="error", sentence=sentence)


def _note(code: str, sentence: str) -> Finding:
    return Finding(code=code, severity="note", sentence=sentence)


def _agrees(value: float, claim: PrintedNumber) -> bool:
    return abs(value - claim.value) <= claim.half * (1 + 1e-9)
