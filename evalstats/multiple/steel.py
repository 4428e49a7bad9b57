"""Steel's many-one sign test of several classifiers against a control."""

from __future__ import annotations

__all__ = ["SteelSignTestResult", "steel_sign_test"]

import itertools
import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._canonical_order import sorted_rows, unsigned_rows
from evalstats._checks import RandomSource
from evalstats._declarations import Data, Declaration
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats._labels import column_names, named
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import reasons
from evalstats._types import FloatArray, IntArray
from evalstats.adjustment.pair_indexing import PairwiseTestResult, column_of
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.tail_probabilities import binomial_left_tail
from evalstats.multiple.mean_ranks import dataset_ranks

Pattern = tuple[int, ...]
METHODS = ("auto", "exact", "monte-carlo", "asymptotic")
NEVER_DIFFERENT = "all classifiers are tied on every dataset, so there are no wins and losses to test"
# 'auto' is exact up to the first limit, about 0.3 s; 'exact' raises an error above the others: a minute, 1 GiB
AUTO_ADDITIONS, MOST_ADDITIONS = 1e8, 2e10
AUTO_CELLS, MOST_CELLS = 2**22, 2**26
A_CALL = 1e4  # number of additions that takes as long as one call
# 'auto' is asymptotic from this number of datasets
AUTO_DATASETS = 100
BLOCK = 2**20  # ranks that are drawn together
STEP = 1 / 16  # half this step changes only rounding errors, for correlations up to 1/2
BEYOND = 9.0  # the normal density is 1e-18 of its largest value


@dataclass(frozen=True, kw_only=True, eq=False)
class SteelSignTestResult(PairwiseTestResult):
    """Result of `steel_sign_test`. See also `PairwiseTestResult`.

    Attributes
    ----------
    statistic : ndarray of shape (..., k)
        Number of wins of each classifier over the control. It is nan for the control.
    pvalue : ndarray of shape (..., k)
        The p-value, adjusted for all comparisons. It is nan for the control.
    unadjusted_pvalue : ndarray of shape (..., k)
        The p-value of the comparison without adjustment, as in `sign_test`, which omits ties.
    n_wins : ndarray of int, of shape (..., k)
        Number of datasets on which the classifier has the larger score. It is 0 for the control.
    win_difference : ndarray of int, of shape (..., k)
        Number of wins minus number of losses, from which the p-value is computed. It is 0 for the control.
    n_ties : ndarray of int, of shape (..., k)
        Number of datasets on which the classifier and the control are tied. It is 0 for the control.
    n_datasets : int
        Number n of datasets.
    min_attainable_pvalue : float or ndarray
        The p-value of `method` for a classifier that wins on all datasets with at least two different scores.
    n_resamples : int, None or ndarray of object
        Number of random permutations within every dataset, or None without random permutations.
    seed : int, None or ndarray of object
        Seed of the random permutations, or None without random permutations or if `rng` was a Generator.
    tie_tolerance : float
        The relative precision to which scores were rounded before the comparison.
    """

    n_wins: IntArray
    win_difference: IntArray
    n_ties: IntArray
    n_datasets: int
    min_attainable_pvalue: Any
    n_resamples: Any
    seed: Any
    tie_tolerance: float


def steel_sign_test(
    scores: Any,
    *,
    control: Any,
    alternative: str = "two-sided",
    method: str = "auto",
    n_resamples: int = 9999,
    rng: Any = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> SteelSignTestResult:
    """Test which classifiers differ from a control in wins and losses (Steel's many-one sign test).

    The null hypothesis is that all orders of the classifiers are equally likely on every dataset, given its ties. All
    comparisons share the control and are therefore correlated. Unlike the adjustment of `pairwise_sign_test`, this test
    uses the correlation. Only wins and losses count, not the sizes of differences. Choose the control before you see
    the results.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least two classifiers, in any unit. Leading axes are
        batch dimensions.
    control : int or column name
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: a win over the control is more likely than a loss.
    method : {'auto', 'exact', 'monte-carlo', 'asymptotic'}, default: 'auto'
        The distribution of the largest lead over the control.

        ``'exact'``: all permutations of the observed ranks within every dataset, including ties. This method raises an
        error if the computation would take minutes.

        ``'monte-carlo'``: random permutations of the ranks within every dataset.

        ``'asymptotic'``: the multivariate normal distribution, with half a step of the lead as continuity correction.

        ``'auto'``: exact if the computation takes about 0.3 s or less. Otherwise, asymptotic if there are 100 or more
        datasets, and random permutations if there are fewer. Without ties, the computation is fast enough for up to 390
        datasets of 3 classifiers, 80 of 4, 30 of 5, 15 of 6 and 9 of 7. For 2 classifiers, it is always fast enough.
    n_resamples : int, default: 9999
        Number of random permutations.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    SteelSignTestResult
        Vectors `statistic` (wins), `pvalue`, `win_difference` and more, which are nan or 0 for the control.

    Raises
    ------
    InvalidValueError
        If scores are not finite or not a table, the control is not in the table, or an option is unknown. If
        ``'exact'`` takes too long.
    InvalidTypeError
        If the control is neither an index nor a column name.

    See Also
    --------
    pairwise_sign_test : sign tests of all pairs or with a control, with any adjustment.
    friedman_dunnett_test : the comparison with a control in mean rank.

    Notes
    -----
    The lead of a classifier is its number of wins over the control minus its number of losses. The p-value is the
    probability under the null hypothesis that the largest lead is at least the observed lead of the classifier. The
    two-sided test uses absolute leads. Without ties, any two leads have the correlation 1/3.

    References
    ----------
    .. [1] R. G. D. Steel (1959). A multiple comparison sign test: treatments versus control. Journal of the American
       Statistical Association 54, 767-775.
    .. [2] S. García, A. Fernández, J. Luengo, F. Herrera (2010). Advanced nonparametric tests for multiple comparisons
       in the design of experiments in computational intelligence and data mining. Information Sciences 180, 2044-2064.

    Examples
    --------
    >>> from evalstats.multiple import steel_sign_test
    >>> scores = [[71, 80, 82], [64, 69, 78], [90, 91, 89], [55, 58, 66], [81, 80, 88], [77, 79, 84], [60, 70, 69]]
    >>> result = steel_sign_test(scores, control=0)
    >>> result.statistic
    array([nan,  6.,  6.])
    >>> result.pvalue.round(4)
    array([   nan, 0.2252, 0.2252])
    """
    matrix, n, k, tie_tolerance = _checks.scores_and_size(scores, tie_tolerance)
    if control is None:
        raise InvalidTypeError("control must be the index or the name of a column, not None")
    names, place = column_names(scores), column_of(control, scores, k)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    method = _checks.choice(method, "method", METHODS)
    n_resamples, source = _checks.resampling(n_resamples, rng)

    ranks = dataset_ranks(matrix, False, tie_tolerance)
    ahead = np.sign(ranks - ranks[..., [place]])
    lead = ahead.sum(axis=-2).astype(np.int64)
    n_ties = np.where(np.arange(k) == place, 0, np.count_nonzero(ahead == 0, axis=-2))
    wins = np.where(np.arange(k) == place, 0, (n + lead - n_ties) // 2)

    towards = {"greater": lead, "less": -lead, "two-sided": np.abs(lead)}[alternative]
    n_informative = np.count_nonzero((ranks != ranks[..., :1]).any(axis=-1), axis=-1)
    asked = np.concatenate([towards, n_informative[..., None]], axis=-1)
    # a lead over the control in one direction is a lead with mirrored ranks in the other direction
    mirrored = -ranks if alternative == "less" else ranks
    pvalue, shape = np.empty(asked.shape), lead.shape[:-1]
    null, resamples = np.empty(shape, dtype=object), np.full(shape, None, dtype=object)
    for at in np.ndindex(shape):
        null[at], pvalue[at] = _tail(mirrored[at], asked[at], alternative == "two-sided", method, n_resamples, source)
        resamples[at] = n_resamples if null[at] == "monte-carlo" else None
    decided = n - n_ties
    alone = (2 if alternative == "two-sided" else 1) * binomial_left_tail((decided - towards) // 2, decided)

    return SteelSignTestResult(
        statistic=_without(wins.astype(np.float64), place),
        pvalue=_without(pvalue[..., :-1], place),
        alternative=alternative,
        method=null.astype(str),
        reason=reasons(shape, ((ranks == ranks[..., :1]).all(axis=(-2, -1)), NEVER_DIFFERENT)),
        unadjusted_pvalue=_without(tails.as_pvalue(alone), place),
        adjustment="single-step",
        control=named(place, names),
        classifiers=names,
        n_classifiers=k,
        n_wins=wins,
        win_difference=lead,
        n_ties=n_ties,
        n_datasets=n,
        min_attainable_pvalue=pvalue[..., -1],
        n_resamples=resamples,
        seed=source.seed_of(resamples),
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=steel_sign_test,
        data=Data.TABLE,
        example={"control": 0},
        sentence="Steel's many-one sign test of {compared} on {n_datasets:count dataset}: {smallest} ({method:law})",
    ),
)


def _without(values: FloatArray, place: int) -> FloatArray:
    values[..., place] = np.nan
    return values


def _tail(
    ranks: FloatArray, leads: IntArray, two_sided: bool, method: str, n_resamples: int, source: RandomSource
) -> tuple[str, FloatArray]:
    """Return P(largest lead >= lead) for each lead of one table, from the selected null distribution."""
    rows = [pattern for pattern in map(_pattern, ranks) if len(pattern) > 1]
    if method == "exact" or (method == "auto" and _is_affordable(rows, AUTO_ADDITIONS, AUTO_CELLS)):
        return "exact", _exact_tail(rows, ranks.shape[1], leads, two_sided)
    if method == "asymptotic" or (method == "auto" and len(rows) >= AUTO_DATASETS):
        return "asymptotic", _normal_tail(rows, ranks.shape[1], leads, two_sided)
    return "monte-carlo", _monte_carlo_tail(ranks, leads, two_sided, n_resamples, source.generator())


def _pattern(row: FloatArray) -> Pattern:
    """Return the number of classifiers with each rank of a dataset, from the smallest score to the largest."""
    return tuple(np.unique(row, return_counts=True)[1].tolist())


# The exact distribution is the joint distribution of the leads of all other classifiers, dataset by dataset. Only
# positive numbers are added, so the far tail is as accurate as the middle.
def _exact_tail(rows: list[Pattern], k: int, leads: IntArray, two_sided: bool) -> FloatArray:
    if not _is_affordable(rows, MOST_ADDITIONS, MOST_CELLS):
        raise InvalidValueError(
            f"method='exact' would take more than {MOST_ADDITIONS:.0e} additions or {8 * MOST_CELLS:.0e} bytes for "
            f"{len(rows)} datasets and {k} classifiers; use method='monte-carlo' or 'asymptotic'"
        )
    if not rows:
        return np.ones(len(leads))
    if k == 2:
        tail = binomial_left_tail((len(rows) - leads) // 2, np.array(len(rows)))
        return tails.as_pvalue(np.where(two_sided, 2 * tail, tail))
    step, m = _step(rows), k - 1
    law = np.ones((1,) * m)
    for pattern, count in sorted(Counter(rows).items()):
        one = _law_of_one(pattern, step)
        for _ in range(count):
            law = _added(law, one)
    of_each = np.arange(law.shape[0]) * step - len(rows)
    of_each = np.abs(of_each) if two_sided else of_each
    largest = of_each
    for _ in range(m - 1):
        largest = np.maximum(largest[..., None], of_each)
    lowest = largest.min()
    return tails.as_pvalue([law[largest >= lead].sum() if lead > lowest else 1.0 for lead in leads.tolist()])


def _law_of_one(pattern: Pattern, step: int) -> dict[tuple[int, ...], float]:
    """Return the probability of every vector of leads on one dataset, in steps from -1."""
    k = sum(pattern)
    law: dict[tuple[int, ...], float] = {}
    below = 0
    for size in pattern:
        above = k - below - size
        ways = math.factorial(k - 1) // (math.factorial(below) * math.factorial(size - 1) * math.factorial(above))
        for worse in itertools.combinations(range(k - 1), below):
            left = [i for i in range(k - 1) if i not in worse]
            for better in itertools.combinations(left, above):
                steps = [1 // step] * (k - 1)
                for i in worse:
                    steps[i] = 0
                for i in better:
                    steps[i] = 2 // step
                law[tuple(steps)] = law.get(tuple(steps), 0.0) + size / k / ways
        below += size
    return law


def _added(law: FloatArray, one: dict[tuple[int, ...], float]) -> FloatArray:
    widest = max(max(steps) for steps in one)
    total = np.zeros(tuple(w + widest for w in law.shape))
    for steps, probability in one.items():
        total[tuple(slice(s, s + w) for s, w in zip(steps, law.shape, strict=True))] += probability * law
    return total


def _step(rows: list[Pattern]) -> int:
    """Return the step between possible leads: 2 unless a dataset has a tie."""
    return 1 if any(max(pattern) > 1 for pattern in rows) else 2


def _is_affordable(rows: list[Pattern], most_additions: float, most_cells: float) -> bool:
    if not rows or sum(rows[0]) == 2:
        return True
    m, n, step = sum(rows[0]) - 1, len(rows), _step(rows)
    log_cells = m * math.log(2 * n // step + 1)
    if log_cells > math.log(most_cells) or m * math.log(1 + 2 / step) > math.log(most_additions):
        return False
    # all datasets have about n / (m + 1) times the cells of the last dataset; each addition of an array is also a call
    return (math.exp(log_cells) / (m + 1) + A_CALL) * n * (1 + 2 / step) ** m <= most_additions


def _normal_tail(rows: list[Pattern], k: int, leads: IntArray, two_sided: bool) -> FloatArray:
    """Return the upper tail of the maximum of k - 1 normal variables with the covariance of the leads."""
    if not rows:
        return np.ones(len(leads))
    sizes = [np.array(pattern, dtype=np.float64) for pattern in rows]
    untied = sum(1 - float((s * (s - 1)).sum()) / (k * (k - 1)) for s in sizes)
    correlation = 0.0
    if k > 2:
        # for three scores that are not all equal, the products of signs, with each score as the control, sum to 1
        triples = sum(1 - float((s * (s - 1) * (s - 2)).sum()) / (k * (k - 1) * (k - 2)) for s in sizes)
        correlation = triples / 3 / untied
    nearer = np.asarray(leads - _step(rows) / 2, dtype=np.float64)
    if two_sided:
        nearer = np.where(leads == 0, 0.0, nearer)
    return tails.as_pvalue(largest_sf(nearer / math.sqrt(untied), k - 1, correlation, two_sided=two_sided))


def _monte_carlo_tail(
    ranks: FloatArray, leads: IntArray, two_sided: bool, n_resamples: int, generator: np.random.Generator
) -> FloatArray:
    """Compute the Monte Carlo p-value (b + 1) / (m + 1), where b of m random permutations reach the observed lead."""
    in_order = unsigned_rows if two_sided else sorted_rows
    rows = in_order(ranks - ranks.mean(axis=-1, keepdims=True)).astype(np.float32)
    count = np.zeros(len(leads))
    step = max(1, BLOCK // rows.size)
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        drawn = generator.permuted(np.broadcast_to(rows, (size, *rows.shape)), axis=-1)
        drawn = np.sign(drawn[..., 1:] - drawn[..., :1]).sum(axis=-2)
        largest = (np.abs(drawn) if two_sided else drawn).max(axis=-1)
        count += (largest >= leads[:, None]).sum(axis=1)
    return (count + 1) / (n_resamples + 1)


def largest_sf(t: FloatArray, m: int, correlation: float, *, two_sided: bool) -> FloatArray:
    """Compute P(max Z_i >= t), or P(max |Z_i| >= t), for m standard normal variables with equal correlations.

    The correlation is between 0 and 1/2. Z_i = sqrt(correlation) Y + sqrt(1 - correlation) Y_i. Given Y, the Z_i are
    independent. The integrand over Y is positive and entire, so the trapezoid rule converges geometrically without
    cancellation.
    """
    t = np.asarray(t, dtype=np.float64)
    return np.array([_sf(one, m, correlation, two_sided) for one in t.ravel().tolist()]).reshape(t.shape)


def _sf(t: float, m: int, correlation: float, two_sided: bool) -> float:
    if two_sided and t <= 0:
        return 1.0
    common, own = math.sqrt(correlation), math.sqrt(1 - correlation)
    reach = abs(t) * common + BEYOND
    y = STEP * np.arange(-math.ceil(reach / STEP), math.ceil(reach / STEP) + 1, dtype=np.float64)
    outside = tails.normal_right_tail(np.asarray((t - common * y) / own))
    if two_sided:
        outside = np.minimum(outside + tails.normal_right_tail(np.asarray((t + common * y) / own)), 1.0)
    with np.errstate(divide="ignore"):  # the logarithm of 0 occurs if every variable is outside
        some_outside = -np.expm1(m * np.log1p(-outside))
    weight = STEP / math.sqrt(2 * math.pi) * np.exp(-(y**2) / 2)
    return min(float((weight * some_outside).sum()), 1.0)
