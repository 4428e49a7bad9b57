"""Claims of a publication about its mean ranks, and the comparison of the mean ranks with the published scores."""

from __future__ import annotations

__all__ = ["Claims", "claims_of_each", "faults_of_scores", "place_of", "understand_claims", "understand_printed_scores"]

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, did_you_mean, listed, short
from evalstats._findings import Finding
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._types import FloatArray
from evalstats.multiple.mean_ranks import dataset_ranks
from evalstats.multiple.published_rank_bounds import TESTS, PrintedNumber, PrintedRanks, printed_number, printed_table

CLAIMS = ("cd", "chi2", "F", "rejects", "different", "not_different", "test", "best", "pvalue")


class Claims(NamedTuple):
    """Validated claims of a publication: numbers as published, and pairs of positions."""

    cd: PrintedNumber | None = None
    chi2: PrintedNumber | None = None
    f: PrintedNumber | None = None
    rejects: bool | None = None
    different: tuple[tuple[int, int], ...] = ()
    not_different: tuple[tuple[int, int], ...] = ()
    test: str | None = None
    best: int | None = None
    pvalue: PrintedNumber | None = None

    @property
    def rests_on_ranks(self) -> bool:
        """Whether the pairs were compared by a critical difference, so mean ranks can contradict the claims."""
        return self.test in TESTS or (self.test is None and self.cd is not None)


def place_of(value: Any, argument: str, names: tuple[str, ...]) -> int:
    """Return the position of the classifier with the given name or index."""
    if isinstance(value, str) and value in names:
        return names.index(value)
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and 0 <= value < len(names):
        return int(value)
    raise InvalidValueError(
        f"{argument} must be an index from 0 to {len(names) - 1} or one of {listed(names)}, not {short(value)}"
    )


def claims_of_each(claims: Any, n_tables: int) -> list[Any]:
    """Return the claims about each table. One dict applies to all tables."""
    if claims is None or isinstance(claims, Mapping):
        return [claims or {}] * n_tables
    if isinstance(claims, str) or not isinstance(claims, Sequence) or len(claims) != n_tables:
        raise InvalidValueError(f"claims must be a dict, or a sequence of {n_tables} dicts, one for each table")
    return list(claims)


def understand_claims(claims: Any, names: tuple[str, ...], control: int | None) -> Claims:
    """Return the claims as numbers and positions, or raise an error that names the invalid claim."""
    if not isinstance(claims, Mapping):
        raise InvalidTypeError(f"claims must be a dict, not {short(claims)}")
    for key in claims:
        _checks.choice(key, "a claim", CLAIMS)
    rejects, best, pvalue = claims.get("rejects"), claims.get("best"), _number(claims.get("pvalue"), "pvalue")
    if pvalue is not None and pvalue.value > 1:
        raise InvalidValueError(f"claims['pvalue'] must lie between 0 and 1, not {pvalue.written}")
    different, not_different = (_pairs(claims.get(key, ()), key, names) for key in ("different", "not_different"))
    if both := {*map(frozenset, different)} & {*map(frozenset, not_different)}:
        pair = " and ".join(short(names[i]) for i in sorted(min(both, key=sorted)))
        problem = f"claims['different'] and claims['not_different'] must not contain the same pair: {pair}"
        raise InvalidValueError(problem)
    return Claims(
        cd=_number(claims.get("cd"), "cd"),
        chi2=_number(claims.get("chi2"), "chi2"),
        f=_number(claims.get("F"), "F"),
        rejects=None if rejects is None else _checks.boolean(rejects, "claims['rejects']"),
        different=different,
        not_different=not_different,
        test=_test(claims.get("test"), control),
        best=None if best is None else place_of(best, "claims['best']", names),
        pvalue=pvalue,
    )


def _test(test: Any, control: int | None) -> str | None:
    """Return the name of the claimed post-hoc test. Names of tests with a critical difference are standardized."""
    if test is None:
        return None
    given = " ".join(_checks.text(test, "claims['test']").split())
    word = given.lower().replace(" and ", "-").replace(" ", "-").replace("_", "-").removesuffix("-test")
    if not word:
        raise InvalidValueError("claims['test'] must be the name of a test, not ''")
    word = {"dunn": "bonferroni-dunn"}.get(word, word)
    if word == "bonferroni-dunn" and control is None:
        raise InvalidValueError("claims['test'] 'bonferroni-dunn' compares with a control; specify it with control=")
    hint = "" if any(word in name.split("-") for name in TESTS) else did_you_mean(word, TESTS)
    if word not in TESTS and hint:
        raise InvalidValueError(f"claims['test'] is {short(given)}, which is not the name of a test{hint}")
    return word if word in TESTS else given


def _number(value: Any, key: str) -> PrintedNumber | None:
    """Return a claimed number, and its rounding error, which is half a unit of the last decimal."""
    if value is None:
        return None
    number = printed_number(value, f"claims[{key!r}]")
    if number.value < 0 or (number.value == 0 and key == "cd"):
        rule = "one positive number" if key == "cd" else "one nonnegative number"
        raise InvalidValueError(f"claims[{key!r}] must be {rule}, not {short(value)}")
    return number


def _pairs(pairs: Any, key: str, names: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    if not isinstance(pairs, Iterable):
        raise InvalidTypeError(f"claims[{key!r}] must be a list of pairs, not {short(pairs)}")
    found = []
    for pair in pairs:
        if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise InvalidValueError(f"claims[{key!r}] must be a list of pairs, but it holds {short(pair)}")
        i, j = (place_of(one, f"a classifier in claims[{key!r}]", names) for one in pair)
        if i == j:
            raise InvalidValueError(f"claims[{key!r}] must hold pairs of two classifiers, but it holds {short(pair)}")
        found.append((i, j))
    return tuple(found)


def understand_printed_scores(scores: Any, names: tuple[str, ...]) -> FloatArray | None:
    """Return published scores with a column for each mean rank, or raise an error with the cause."""
    if scores is None:
        return None
    labels = [str(one) for one in scores.columns] if hasattr(scores, "columns") else None
    if labels is not None and set(labels) & set(names):
        if sorted(labels) != sorted(names):
            raise InvalidValueError(
                f"the columns of scores must be the classifiers of mean_ranks, {short(list(names))}, not "
                f"{short(labels)}"
            )
        scores = scores[[scores.columns[labels.index(name)] for name in names]]
    table = _checks.score_matrix(printed_table(scores, "scores")[0])
    if table.ndim != 2 or table.shape[1] != len(names):
        raise InvalidValueError(
            f"scores must have one row per dataset and {len(names)} columns, one for each mean rank, but their shape "
            f"is {table.shape}"
        )
    return table


def faults_of_scores(table: PrintedRanks, scores: FloatArray, *, greater_is_better: bool) -> Iterator[Finding]:
    """Find mean ranks that contradict the published scores, whatever the unpublished digits of equal scores are."""
    n = len(scores)
    if n != table.n:
        yield Finding(
            code="n-datasets",
            severity="warning",
            sentence=f"the published scores are for {n} datasets and the mean ranks are for {table.n}, "
            "so the scores and the mean ranks are not compared",
        )
        return
    wrong = _wrong_places(table, scores, greater_is_better)
    if wrong and not _wrong_places(table, scores, not greater_is_better):
        other = "smallest" if greater_is_better else "largest"
        yield Finding(
            code="direction",
            severity="warning",
            sentence=f"the mean ranks agree with the published scores only if the {other} score of a dataset has rank "
            f"1. Either {other.replace('est', 'er')} scores are better, or the last rank is the best",
        )
        return
    digits = max(table.decimals, 3)
    low, middle, high = _doubled_sums(scores, greater_is_better)
    for i in range(table.k):
        is_wrong = i in wrong
        if not is_wrong and table.lowest[i] <= middle[i] <= table.highest[i]:
            continue
        own, least, most = (f"{one[i] / (2 * n):.{digits}f}" for one in (middle, low, high))
        among = f"; more digits of equal scores can make it {least} to {most}" if least != most else ""
        yield Finding(
            code="scores",
            severity="error" if is_wrong else "note",
            sentence=f"the published scores give {table.names[i]} the mean rank {own}, not "
            f"{table.ranks[i]:.{table.decimals}f}{among}",
        )


def _wrong_places(table: PrintedRanks, scores: FloatArray, greater_is_better: bool) -> list[int]:
    """Return the positions of mean ranks that contradict the published scores."""
    low, _, high = _doubled_sums(scores, greater_is_better)
    n = table.n
    limits = [(2 * n * (rank - table.half), 2 * n * (rank + table.half)) for rank in table.ranks.tolist()]
    return [i for i, (least, most) in enumerate(limits) if high[i] < least - 1e-6 or low[i] > most + 1e-6]


def _doubled_sums(scores: FloatArray, greater_is_better: bool) -> tuple[list[float], list[float], list[float]]:
    """Return the doubled rank sums with each tie broken in favor of a classifier, kept, or broken against it."""
    ranks = dataset_ranks(scores, greater_is_better, DEFAULT_TIE_TOLERANCE)
    # number of other classifiers with the same rank, which is also the number of half ranks that can change
    others = [(ranks == ranks[:, [j]]).sum() - len(ranks) for j in range(ranks.shape[1])]
    middle = (2 * ranks.sum(axis=0)).tolist()
    return (
        [own - n for own, n in zip(middle, others, strict=True)],
        middle,
        [own + n for own, n in zip(middle, others, strict=True)],
    )
