"""Which tests, in which order: from a table of scores to a verdict."""

from __future__ import annotations

__all__ = ["compare"]

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats.comparison import Comparison, Pair
from evalstats.multiple.bonferroni_dunn import BonferroniDunnTestResult, bonferroni_dunn_test
from evalstats.multiple.friedman import friedman_test
from evalstats.multiple.groups import not_different_groups
from evalstats.multiple.mean_ranks import mean_ranks
from evalstats.multiple.nemenyi import NemenyiTestResult, nemenyi_test
from evalstats.paired.sign import sign_test, wins_and_losses
from evalstats.paired.wilcoxon import wilcoxon_test
from evalstats.table import ScoreTable, read_table

# below this number of datasets an asymptotic p-value deserves a word of warning
FEW_DATASETS = 15


def compare(
    table: Any,
    *,
    control: str | None = None,
    alpha: float = 0.05,
    greater_is_better: bool | None = None,
    posthoc: str = "auto",
    method: str = "auto",
    n_resamples: int = 9999,
    rng: Any = None,
    missing: str = "raise",
    metric: str | None = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> Comparison:
    """Say which classifiers differ, by how much, and what the table cannot show.

    Two classifiers are compared by the Wilcoxon signed-rank test, with the sign test beside it. Three or more are
    compared by the Friedman test and, for the pairs, by the Nemenyi test or, against a control, by the Bonferroni-Dunn
    test. A pair is called different only where the Friedman test rejects too; the numbers are there in any case.

    Parameters
    ----------
    table : ScoreTable, path, data frame or array
        Scores of classifiers (columns) on datasets (rows), or anything else that `read_table` takes.
    control : str, optional
        Compare the other classifiers with this one instead of all pairs.
    alpha : float, default: 0.05
        Level of significance: a hypothesis is rejected where p <= alpha.
    greater_is_better : bool, optional
        False for errors and losses. By default as `read_table` decides: True, unless the metric is called a loss.
    posthoc : {'auto', 'nemenyi', 'bonferroni-dunn'}, default: 'auto'
        ``'auto'`` is Bonferroni-Dunn with a control and Nemenyi without.
    method : str, default: 'auto'
        Null distribution of the leading test: see `friedman_test`, or `wilcoxon_test` for two classifiers.
    n_resamples, rng
        Passed to `friedman_test` for Monte Carlo p-values.
    missing : {'raise', 'drop-datasets'}, default: 'raise'
        What `read_table` does with missing cells.
    metric : str, optional
        Name of the score, for the report.
    tie_tolerance : float, default: 1e-12
        Scores that agree to this relative precision are ties; 0 compares bits.

    Returns
    -------
    Comparison
        A record of every result and decision; ``evalstats.report`` and ``evalstats.plot`` show it.

    Raises
    ------
    ValueError
        For fewer than two classifiers, an unknown control, missing or infinite scores, and options that do not fit.

    See Also
    --------
    evalstats.report.text : the comparison in words.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1-30, section 3.

    Examples
    --------
    >>> import evalstats
    >>> comparison = evalstats.compare(evalstats.example_table("demsar-2006"), control="C4.5")
    >>> comparison.significant
    True
    >>> [pair.first for pair in comparison.pairs if pair.different]
    ['C4.5+m+cf']
    """
    scores = read_table(table, greater_is_better=greater_is_better, missing=missing, metric=metric)
    alpha = _checks.proportion(alpha, "alpha")
    tie_tolerance = _checks.tolerance(tie_tolerance)
    k = len(scores.classifiers)
    if k < 2:
        raise InvalidValueError(f"the table holds {k} classifier; compare needs 2 or more")
    if control is not None and control not in scores.classifiers:
        known = ", ".join(map(repr, scores.classifiers))
        raise InvalidValueError(f"control must be one of {known}, not {control!r}")
    if k == 2:
        return _compare_two(scores, control, alpha, posthoc, method, tie_tolerance)
    return _compare_several(scores, control, alpha, posthoc, method, n_resamples, rng, tie_tolerance)


def _compare_two(
    table: ScoreTable, control: str | None, alpha: float, posthoc: str, method: str, tie_tolerance: float
) -> Comparison:
    if posthoc != "auto":
        raise InvalidValueError(
            f"the table holds 2 classifiers, which have no post-hoc test: posthoc must be 'auto', not {posthoc!r}"
        )
    second = table.classifiers.index(control) if control is not None else 1
    first = 1 - second
    x, y = table.scores[:, first], table.scores[:, second]
    wilcoxon = wilcoxon_test(x, y, method=method, tie_tolerance=tie_tolerance)
    sign = sign_test(x, y, tie_tolerance=tie_tolerance)
    significant = bool(wilcoxon.pvalue <= alpha)
    ranks = mean_ranks(table.scores, table.greater_is_better, tie_tolerance)
    order = np.argsort(ranks, kind="stable")
    different = np.array([[False, significant], [significant, False]])
    grouped = not_different_groups(different, order)
    notes = {
        "degenerate": wilcoxon.reason is not None,
        "datasets-dropped": bool(table.dropped),
        "design-cannot-reach-alpha": not wilcoxon.smallest_pvalue <= alpha,
        "few-datasets-asymptotic": wilcoxon.method == "asymptotic"
        and wilcoxon.n_pairs - wilcoxon.n_zero < FEW_DATASETS,
        "wilcoxon-and-sign-disagree": significant != bool(sign.pvalue <= alpha),
    }
    return Comparison(
        table=table,
        control=control,
        alpha=alpha,
        mean_ranks=tuple(ranks.tolist()),
        ranking=_names(table, order),
        omnibus=None,
        posthoc=None,
        wilcoxon=wilcoxon,
        sign=sign,
        hodges_lehmann_interval=wilcoxon.confidence_interval(1 - alpha),
        significant=significant,
        critical_difference=None,
        smallest_pvalue=wilcoxon.smallest_pvalue,
        smallest_posthoc_pvalue=None,
        different=different,
        groups=tuple(_names(table, group) for group in grouped.groups),
        loose_pairs=(),
        notes=_codes(notes),
        _pairs=_pairs_later(
            table,
            [(first, second)],
            ranks,
            np.full((2, 2), wilcoxon.statistic),
            np.full((2, 2), wilcoxon.pvalue),
            different,
            tie_tolerance,
        ),
    )


def _compare_several(
    table: ScoreTable,
    control: str | None,
    alpha: float,
    posthoc: str,
    method: str,
    n_resamples: int,
    rng: Any,
    tie_tolerance: float,
) -> Comparison:
    omnibus = friedman_test(
        table.scores,
        method=method,
        n_resamples=n_resamples,
        rng=rng,
        greater_is_better=table.greater_is_better,
        tie_tolerance=tie_tolerance,
    )
    significant = bool(omnibus.pvalue <= alpha)
    pairwise = _posthoc_test(table, control, posthoc, tie_tolerance)
    statistic, pvalue = _square(pairwise)
    different = (pvalue <= alpha) & significant
    order = np.argsort(omnibus.mean_ranks, kind="stable")
    if control is None:
        grouped = not_different_groups(different, order)
        groups, loose = grouped.groups, grouped.loose_pairs
        compared = list(itertools.combinations(order.tolist(), 2))
    else:
        groups, loose = (), ()
        compared = [(a, table.classifiers.index(control)) for a in order.tolist() if table.classifiers[a] != control]
    notes = {
        "degenerate": omnibus.reason is not None,
        "datasets-dropped": bool(table.dropped),
        "design-cannot-reach-alpha": not omnibus.smallest_pvalue <= alpha,
        "posthoc-cannot-reach-alpha": not pairwise.smallest_pvalue <= alpha,
        "few-datasets-asymptotic": omnibus.method in {"chi2", "f"} and omnibus.n_datasets < FEW_DATASETS,
        "monte-carlo": omnibus.method == "monte-carlo",
        "omnibus-without-pairs": significant and not different.any(),
        "pairs-without-omnibus": not significant and bool((pvalue <= alpha).any()),
        "pool-dependence": True,
    }
    return Comparison(
        table=table,
        control=control,
        alpha=alpha,
        mean_ranks=tuple(omnibus.mean_ranks.tolist()),
        ranking=_names(table, order),
        omnibus=omnibus,
        posthoc=pairwise,
        wilcoxon=None,
        sign=None,
        hodges_lehmann_interval=None,
        significant=significant,
        critical_difference=pairwise.critical_difference(alpha),
        smallest_pvalue=omnibus.smallest_pvalue,
        smallest_posthoc_pvalue=pairwise.smallest_pvalue,
        different=different,
        groups=tuple(_names(table, group) for group in groups),
        loose_pairs=tuple((table.classifiers[a], table.classifiers[b]) for a, b in loose),
        notes=_codes(notes),
        _pairs=_pairs_later(table, compared, omnibus.mean_ranks, statistic, pvalue, different, tie_tolerance),
    )


def _posthoc_test(
    table: ScoreTable, control: str | None, posthoc: str, tie_tolerance: float
) -> NemenyiTestResult | BonferroniDunnTestResult:
    posthoc = _checks.choice(posthoc, "posthoc", ("auto", "nemenyi", "bonferroni-dunn"))
    if posthoc == "nemenyi" and control is not None:
        raise InvalidValueError(
            f"posthoc 'nemenyi' compares all pairs; with the control {control!r} use 'bonferroni-dunn'"
        )
    if posthoc == "bonferroni-dunn" and control is None:
        raise InvalidValueError("posthoc 'bonferroni-dunn' compares with a control; name it by control=")
    direction = table.greater_is_better
    if control is None:
        return nemenyi_test(table.scores, greater_is_better=direction, tie_tolerance=tie_tolerance)
    return bonferroni_dunn_test(
        table.scores, control=table.classifiers.index(control), greater_is_better=direction, tie_tolerance=tie_tolerance
    )


def _square(pairwise: NemenyiTestResult | BonferroniDunnTestResult) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Statistics and p-values as (k, k) matrices; nan where two classifiers were not compared."""
    if isinstance(pairwise, NemenyiTestResult):
        return pairwise.statistic, pairwise.pvalue
    k, control = pairwise.n_classifiers, pairwise.control
    statistic, pvalue = np.full((k, k), np.nan), np.full((k, k), np.nan)
    statistic[:, control], statistic[control, :] = pairwise.statistic, -pairwise.statistic
    pvalue[:, control] = pvalue[control, :] = pairwise.pvalue
    return statistic, pvalue


def _pairs_later(
    table: ScoreTable,
    compared: list[tuple[int, int]],
    ranks: NDArray[np.float64],
    statistic: NDArray[np.float64],
    pvalue: NDArray[np.float64],
    different: NDArray[np.bool_],
    tie_tolerance: float,
) -> Callable[[], tuple[Pair, ...]]:
    """Postpone the effect sizes, which no decision needs."""

    def pairs() -> tuple[Pair, ...]:
        first, second = np.array(compared).T
        x, y = table.scores.T[first], table.scores.T[second]
        wins, losses = wins_and_losses(x, y, tie_tolerance)
        # the effect sizes do not depend on the null distribution; the asymptotic one is the cheapest
        signed_ranks = wilcoxon_test(x, y, method="asymptotic", tie_tolerance=tie_tolerance)
        better, worse = (wins, losses) if table.greater_is_better else (losses, wins)
        direction = 1 if table.greater_is_better else -1
        return tuple(
            Pair(
                first=table.classifiers[a],
                second=table.classifiers[b],
                mean_rank_difference=float(ranks[a] - ranks[b]),
                statistic=float(statistic[a, b]),
                pvalue=float(pvalue[a, b]),
                different=bool(different[a, b]),
                n_wins=int(better[i]),
                n_ties=x.shape[-1] - int(wins[i]) - int(losses[i]),
                n_losses=int(worse[i]),
                rank_biserial=direction * float(signed_ranks.rank_biserial[i]) + 0.0,  # no negative zero
                _hodges_lehmann=partial(signed_ranks.hodges_lehmann_at, i),
            )
            for i, (a, b) in enumerate(compared)
        )

    return pairs


def _names(table: ScoreTable, positions: Any) -> tuple[str, ...]:
    return tuple(table.classifiers[i] for i in positions)


def _codes(notes: dict[str, bool]) -> tuple[str, ...]:
    return tuple(code for code, applies in notes.items() if applies)
