"""Which tests, in which order: from a table of scores to a verdict."""

from __future__ import annotations

__all__ = ["compare"]

import itertools
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, rounded
from evalstats._result import HypothesisTestResult
from evalstats.adjustment.which_pairs import adjustment
from evalstats.comparison.advice import WhichTestResult, which_test
from evalstats.comparison.over_datasets import Comparison, Pair
from evalstats.comparison.registry import OMNIBUS_TESTS, ON_COMMON_DATASETS, POSTHOC_TESTS
from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.multiple.groups import not_different_groups
from evalstats.multiple.mean_ranks import mean_ranks
from evalstats.paired.sign import sign_test, wins_and_losses
from evalstats.paired.wilcoxon import wilcoxon_test
from evalstats.tables.fold_scores import runs_of
from evalstats.tables.reading import read_table
from evalstats.tables.score_table import ScoreTable, complete_scores

if TYPE_CHECKING:
    from evalstats.comparison.one_dataset import OneDatasetComparison
    from evalstats.reproducibility.overlap import PValuesOverRuns, VerdictReproducibility

FloatArray = NDArray[np.float64]

# below this number of datasets an asymptotic p-value deserves a word of warning
FEW_DATASETS = 15
# tests that take the differences over datasets for normal
PARAMETRIC = ("rm-anova", "tukey", "dunnett", "paired-t")


def compare(
    table: Any,
    *,
    control: str | None = None,
    alpha: float = 0.05,
    greater_is_better: bool | None = None,
    posthoc: str = "auto",
    adjust: str = "holm",
    omnibus: str = "auto",
    method: str = "auto",
    n_resamples: int = 9999,
    rng: Any = None,
    missing: str = "raise",
    metric: str | None = None,
    robustness: bool = False,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> Comparison | OneDatasetComparison:
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
    posthoc : str, default: 'auto'
        The test of the pairs of three or more classifiers, or of each with the control. ``'auto'`` is the Nemenyi test,
        with a control the Bonferroni-Dunn test; the page of `compare` in the documentation lists the others.
    adjust : str, default: 'holm'
        How the p-values of pairs that are tested one by one are adjusted: a method of `adjust_pairwise`, or, with a
        control, of `adjust_pvalues`. It changes nothing where the test is one for the whole family, such as Nemenyi's.
    omnibus : str, default: 'auto'
        The leading test of three or more classifiers; ``'auto'`` is the one that `posthoc` belongs to.
    method : str, default: 'auto'
        Null distribution of the leading test: see `friedman_test`, or `wilcoxon_test` for two classifiers.
    n_resamples, rng
        Passed to the leading test for Monte Carlo p-values.
    missing : {'raise', 'drop-datasets', 'skillings-mack'}, default: 'raise'
        What `read_table` does with missing cells. ``'skillings-mack'`` uses every score of three or more classifiers:
        the leading test is that of Skillings & Mack, and each pair is compared, by the Wilcoxon test or with `posthoc`
        ``'sign'`` by the sign test, on the datasets that both have. Of two classifiers it leaves out the datasets that
        lack one. What is missing must not depend on how good it would have been.
    metric : str, optional
        Name of the score, for the report.
    robustness : bool, default: False
        Answer the same question under every other valid test and adjustment as well, and without each dataset and each
        classifier. The analysis that is chosen here stays the primary one, and the verdict is its.
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
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    robustness = _checks.boolean(robustness, "robustness")
    k = len(scores.classifiers)
    if k < 2:
        raise InvalidValueError(f"the table holds {k} classifier; compare needs 2 or more")
    if control is not None and control not in scores.classifiers:
        known = ", ".join(map(repr, scores.classifiers))
        raise InvalidValueError(f"control must be one of {known}, not {control!r}")
    # a test for the whole family does not use it, and would not see a slip of the pen
    adjust = adjustment(adjust, None if control is None else scores.classifiers.index(control))
    parametric = posthoc in PARAMETRIC or omnibus in PARAMETRIC
    advise = partial(which_test, scores, control=control, parametric=parametric, alpha=alpha)
    if robustness and len(scores.datasets) == 1:
        raise InvalidValueError("robustness needs several datasets, but the table holds one")
    if scores.missing and len(scores.datasets) == 1:
        raise InvalidValueError("a comparison with missing scores needs several datasets, but the table holds one")
    if robustness:
        complete_scores(scores, "robustness")
    # one fold alone is one score
    has_runs = any(one.scores[..., 0].size > 1 for one in scores.folds)
    if len(scores.datasets) == 1 and (has_runs or scores._scored is not None):
        # tests that tables of datasets do not need
        from evalstats.comparison.deciding_one_dataset import compare_one_dataset, summed_up_as_tested

        why = "the table holds one dataset, whose folds or cases are compared"
        _refuse_choices(why, posthoc=posthoc, omnibus=omnibus, method=method)
        of_one: dict[str, Any] = {
            "alpha": alpha,
            "adjust": adjust,
            "tie_tolerance": tie_tolerance,
            "n_resamples": n_resamples,
        }
        scores = summed_up_as_tested(scores)
        advice = which_test(scores, control=control, parametric=parametric, alpha=alpha)
        return compare_one_dataset(scores, advice, control=control, rng=rng, **of_one)
    if k == 2:
        _refuse_choices("the table holds 2 classifiers, which have no post-hoc test", posthoc=posthoc)
        _refuse_choices("the table holds 2 classifiers, which have no omnibus test", omnibus=omnibus)
        return _compare_two(scores, advise, control, alpha, method, tie_tolerance, robustness)
    tests = (_tests_with_missing if scores.missing else _chosen_tests)(omnibus, posthoc, control)
    of_omnibus = {"method": method, "n_resamples": n_resamples, "rng": rng}
    return _compare_several(scores, advise, control, alpha, tests, adjust, of_omnibus, tie_tolerance, robustness)


def _refuse_choices(why: str, **choices: str) -> None:
    for argument, given in choices.items():
        if given != "auto":
            raise InvalidValueError(f"{why}: {argument} must be 'auto', not {given!r}")


def _compare_two(
    table: ScoreTable,
    advise: Callable[[], WhichTestResult],
    control: str | None,
    alpha: float,
    method: str,
    tie_tolerance: float,
    robustness: bool,
) -> Comparison:
    second = table.classifiers.index(control) if control is not None else 1
    first = 1 - second
    x, y = table.scores[:, first], table.scores[:, second]
    wilcoxon = wilcoxon_test(x, y, method=method, tie_tolerance=tie_tolerance)
    sign = sign_test(x, y, tie_tolerance=tie_tolerance)
    significant = bool(wilcoxon.pvalue <= alpha)
    ranks = mean_ranks(table.scores, table.greater_is_better, tie_tolerance)
    order = np.argsort(ranks, kind="stable")
    different = np.array([[False, significant], [significant, False]])
    better = np.zeros((2, 2), dtype=bool)
    better[first, second] = wilcoxon.rank_biserial > 0 if table.greater_is_better else wilcoxon.rank_biserial < 0
    better[second, first] = wilcoxon.rank_biserial < 0 if table.greater_is_better else wilcoxon.rank_biserial > 0
    grouped = not_different_groups(different, order)
    found = None
    if robustness:
        # tests that the comparison itself does not need
        from evalstats.comparison.robustness import Question, assess_two

        question = Question(table, None, [(first, second)], alpha, tie_tolerance, {})
        found = assess_two(question, "wilcoxon", method)
    over_runs = _over_runs(table, alpha, tie_tolerance)
    notes = {
        "degenerate": wilcoxon.reason is not None,
        "datasets-dropped": bool(table.dropped),
        "design-cannot-reach-alpha": not wilcoxon.smallest_pvalue <= alpha,
        "few-datasets-asymptotic": wilcoxon.method == "asymptotic"
        and wilcoxon.n_pairs - wilcoxon.n_zero < FEW_DATASETS,
        "one-run": bool(table.folds) and over_runs[0] is None,
        "runs-disagree": over_runs[1] is not None and 0 < over_runs[1].n_reject < over_runs[1].n_runs,
        "depends-on-the-analysis": found is not None and not found.is_unanimous,
        "wilcoxon-and-sign-disagree": significant != bool(sign.pvalue <= alpha),
    }
    return Comparison(
        table=table,
        control=control,
        alpha=alpha,
        tie_tolerance=tie_tolerance,
        mean_ranks=tuple(ranks.tolist()),
        ranking=_names(table, order),
        omnibus=None,
        posthoc=None,
        omnibus_test=None,
        posthoc_test=None,
        adjustment=None,
        wilcoxon=wilcoxon,
        sign=sign,
        hodges_lehmann_interval=wilcoxon.confidence_interval(1 - alpha),
        significant=significant,
        critical_difference=None,
        smallest_pvalue=wilcoxon.smallest_pvalue,
        smallest_posthoc_pvalue=None,
        different=different,
        better=better,
        groups=tuple(_names(table, group) for group in grouped.groups),
        loose_pairs=(),
        notes=_codes(notes),
        reproducibility=over_runs[0],
        pvalues_over_runs=over_runs[1],
        robustness=found,
        _advice=advise,
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
    advise: Callable[[], WhichTestResult],
    control: str | None,
    alpha: float,
    tests: tuple[str, str],
    adjust: str,
    of_omnibus: dict[str, Any],
    tie_tolerance: float,
    robustness: bool,
) -> Comparison:
    omnibus_test, posthoc_test = tests
    common = {"greater_is_better": table.greater_is_better, "tie_tolerance": tie_tolerance}
    omnibus = OMNIBUS_TESTS[omnibus_test].run(table.scores, **of_omnibus, **common)
    significant = bool(omnibus.pvalue <= alpha)
    chosen, position = POSTHOC_TESTS[posthoc_test], None if control is None else table.classifiers.index(control)
    if table.missing:
        from evalstats.pairwise.common_datasets import common_datasets_test

        pairwise: Any = common_datasets_test(
            table.scores, test=posthoc_test, control=position, adjust=adjust, tie_tolerance=tie_tolerance
        )
    else:
        pairwise = chosen.run(table.scores, control=position, adjust=adjust, **common)
    statistic, pvalue = _square(pairwise.statistic, position, -1), _square(pairwise.pvalue, position, 1)
    different = (pvalue <= alpha) & significant
    ranks = _mean_ranks(table, omnibus, tie_tolerance)
    without_noise = rounded(ranks)
    order = np.argsort(without_noise, kind="stable")
    better = without_noise[:, None] < without_noise
    if chosen.effect:
        effect = _square(getattr(pairwise, "effect" if table.missing else chosen.effect), position, -1)
        better = effect > 0 if chosen.compares_scores and table.greater_is_better else effect < 0
    if control is None:
        grouped = not_different_groups(different, order)
        groups, loose = grouped.groups, grouped.loose_pairs
        compared = list(itertools.combinations(order.tolist(), 2))
    else:
        groups, loose = (), ()
        compared = [(a, table.classifiers.index(control)) for a in order.tolist() if table.classifiers[a] != control]
    found = None
    if robustness:
        # tests that the comparison itself does not need
        from evalstats.comparison.robustness import Choice, Question, assess

        question = Question(table, position, compared, alpha, tie_tolerance, of_omnibus)
        found = assess(question, Choice(omnibus_test, posthoc_test, adjust if chosen.adjusts else "single-step"))
    over_runs = _over_runs(table, alpha, tie_tolerance)
    smallest, smallest_of_pair = (getattr(result, "smallest_pvalue", None) for result in (omnibus, pairwise))
    notes = {
        "degenerate": omnibus.reason is not None,
        "datasets-dropped": bool(table.dropped),
        "missing-cells": bool(table.missing),
        "no-common-dataset": bool(table.missing) and (pairwise.n_common == 0).sum() > (control is not None),
        "design-cannot-reach-alpha": smallest is not None and not smallest <= alpha,
        "posthoc-cannot-reach-alpha": smallest_of_pair is not None and not smallest_of_pair <= alpha,
        "few-datasets-asymptotic": omnibus.method in {"chi2", "f"} and len(table.datasets) < FEW_DATASETS,
        "monte-carlo": omnibus.method == "monte-carlo",
        "omnibus-without-pairs": significant and not different.any(),
        "pairs-without-omnibus": not significant and bool((pvalue <= alpha).any()),
        "ranks-say-otherwise": bool((different & better & (without_noise[:, None] > without_noise)).any()),
        "pool-dependence": chosen.depends_on_the_pool,
        "one-run": bool(table.folds) and over_runs[0] is None,
        "runs-disagree": over_runs[1] is not None and 0 < over_runs[1].n_reject < over_runs[1].n_runs,
        "depends-on-the-analysis": found is not None and not found.is_unanimous,
        "no-critical-difference": not chosen.has_critical_difference,
    }
    return Comparison(
        table=table,
        control=control,
        alpha=alpha,
        tie_tolerance=tie_tolerance,
        mean_ranks=tuple(ranks.tolist()),
        ranking=_names(table, order),
        omnibus=omnibus,
        posthoc=pairwise,
        omnibus_test=omnibus_test,
        posthoc_test=posthoc_test,
        adjustment=adjust if chosen.adjusts else "single-step",
        wilcoxon=None,
        sign=None,
        hodges_lehmann_interval=None,
        significant=significant,
        critical_difference=pairwise.critical_difference(alpha) if chosen.has_critical_difference else None,
        smallest_pvalue=smallest,
        smallest_posthoc_pvalue=smallest_of_pair,
        different=different,
        better=better,
        groups=tuple(_names(table, group) for group in groups),
        loose_pairs=tuple((table.classifiers[a], table.classifiers[b]) for a, b in loose),
        notes=_codes(notes),
        reproducibility=over_runs[0],
        pvalues_over_runs=over_runs[1],
        robustness=found,
        _advice=advise,
        _pairs=_pairs_later(table, compared, ranks, statistic, pvalue, different, tie_tolerance),
    )


def _over_runs(
    table: ScoreTable, alpha: float, tie_tolerance: float
) -> tuple[VerdictReproducibility | None, PValuesOverRuns | None]:
    """Compare the classifiers in each repeat alone, where the table holds repeats."""
    runs = runs_of(table.runs)
    if runs is None:
        return None, None
    from evalstats.reproducibility.overlap import pvalues_over_runs, verdict_reproducibility  # tests of its own

    better = table.greater_is_better
    return (
        verdict_reproducibility(runs, alpha=alpha, greater_is_better=better, tie_tolerance=tie_tolerance),
        pvalues_over_runs(runs, alpha=alpha, greater_is_better=better, tie_tolerance=tie_tolerance, rng=0),
    )


def _chosen_tests(omnibus: str, posthoc: str, control: str | None) -> tuple[str, str]:
    """Return the names of the omnibus and the post-hoc test, where they fit together and to the question."""
    posthoc = _checks.choice(posthoc, "posthoc", ("auto", *POSTHOC_TESTS))
    omnibus = _checks.choice(omnibus, "omnibus", ("auto", *OMNIBUS_TESTS))
    if posthoc == "auto":
        posthoc = _usual_posthoc(omnibus, control)
    chosen = POSTHOC_TESTS[posthoc]
    if control is not None and not chosen.control:
        others = _written([name for name, test in POSTHOC_TESTS.items() if test.control])
        raise InvalidValueError(f"posthoc {posthoc!r} compares all pairs; with the control {control!r} use {others}")
    if control is None and not chosen.pairs:
        raise InvalidValueError(f"posthoc {posthoc!r} compares with a control; name it by control=")
    return chosen.omnibus if omnibus == "auto" else omnibus, posthoc


def _tests_with_missing(omnibus: str, posthoc: str, control: str | None) -> tuple[str, str]:
    """Return the tests that can do with missing scores, where no others are asked for."""
    _chosen_tests(omnibus, posthoc, control)
    for argument, given, possible in (
        ("omnibus", omnibus, ("skillings-mack",)),
        ("posthoc", posthoc, ON_COMMON_DATASETS),
    ):
        if given not in ("auto", *possible):
            raise InvalidValueError(
                f"{argument} must be {_written(['auto', *possible])} where scores are missing, not {given!r}; or leave "
                "out their datasets with missing='drop-datasets'"
            )
    return "skillings-mack", ON_COMMON_DATASETS[0] if posthoc == "auto" else posthoc


def _usual_posthoc(omnibus: str, control: str | None) -> str:
    """Return the first test that follows the omnibus test and answers the question."""
    leading = "friedman" if omnibus == "auto" else omnibus
    if leading == "skillings-mack":
        return ON_COMMON_DATASETS[0]
    return next(
        name
        for name, test in POSTHOC_TESTS.items()
        if test.omnibus == leading and (test.pairs if control is None else test.control)
    )


def _written(names: list[str]) -> str:
    return " or ".join(map(repr, names))


def _square(values: NDArray[np.float64], control: int | None, sign: int) -> NDArray[np.float64]:
    """Return what a test says of each pair as a (k, k) matrix; nan where two classifiers were not compared.

    With a control only its column is given; its row holds `sign` times the same.
    """
    if control is None:
        return values
    matrix = np.full((len(values), len(values)), np.nan)
    matrix[:, control], matrix[control, :] = values, sign * values
    return matrix


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
        direction = 1 if table.greater_is_better else -1
        return tuple(
            Pair(
                first=table.classifiers[a],
                second=table.classifiers[b],
                mean_rank_difference=float(ranks[a] - ranks[b]),
                statistic=float(statistic[a, b]),
                pvalue=float(pvalue[a, b]),
                different=bool(different[a, b]),
                n_wins=effect.n_larger if table.greater_is_better else effect.n_smaller,
                n_ties=effect.n_equal,
                n_losses=effect.n_smaller if table.greater_is_better else effect.n_larger,
                rank_biserial=direction * effect.rank_biserial + 0.0,  # no negative zero
                _hodges_lehmann=effect.hodges_lehmann,
            )
            for (a, b), effect in zip(compared, _effects(table, compared, tie_tolerance), strict=True)
        )

    return pairs


class _Effect(NamedTuple):
    """What the scores of two classifiers say without a test, in the direction of the scores."""

    n_larger: int
    n_equal: int
    n_smaller: int
    rank_biserial: float
    hodges_lehmann: Callable[[], float]


def _effects(table: ScoreTable, compared: list[tuple[int, int]], tie_tolerance: float) -> list[_Effect]:
    """Return the effect of each pair, on its common datasets where scores are missing."""
    first, second = np.array(compared).T
    x, y = table.scores.T[first], table.scores.T[second]
    if not table.missing:
        return list(_effects_of(x, y, tie_tolerance))
    effects = [_Effect(0, 0, 0, math.nan, lambda: math.nan)] * len(compared)
    from evalstats.pairwise.common_datasets import of_common_datasets

    for at, own_x, own_y in of_common_datasets(x, y):
        for i, effect in zip(at.tolist(), _effects_of(own_x, own_y, tie_tolerance), strict=True):
            effects[i] = effect
    return effects


def _effects_of(x: FloatArray, y: FloatArray, tie_tolerance: float) -> Iterator[_Effect]:
    wins, losses = wins_and_losses(x, y, tie_tolerance)
    # the effect sizes do not depend on the null distribution; the asymptotic one is the cheapest
    signed_ranks = wilcoxon_test(x, y, method="asymptotic", tie_tolerance=tie_tolerance)
    for i, (larger, smaller) in enumerate(zip(wins.tolist(), losses.tolist(), strict=True)):
        yield _Effect(
            n_larger=int(larger),
            n_equal=x.shape[-1] - int(larger) - int(smaller),
            n_smaller=int(smaller),
            rank_biserial=float(signed_ranks.rank_biserial[i]),
            hodges_lehmann=partial(signed_ranks.hodges_lehmann_at, i),
        )


def _mean_ranks(table: ScoreTable, omnibus: HypothesisTestResult, tie_tolerance: float) -> FloatArray:
    if isinstance(omnibus, FriedmanTestResult):
        return np.asarray(omnibus.mean_ranks)
    mean = _stretched_mean_ranks if table.missing else mean_ranks
    return mean(table.scores, table.greater_is_better, tie_tolerance)


def _stretched_mean_ranks(scores: FloatArray, greater_is_better: bool, tie_tolerance: float) -> FloatArray:
    """Mean rank of each classifier over its datasets, where the ranks 1 to m of a dataset are stretched to 1 to k."""
    from evalstats.multiple.incomplete_blocks import observed_ranks

    ranks = observed_ranks(scores, greater_is_better, tie_tolerance)
    n_scores = (~np.isnan(ranks)).sum(axis=1, keepdims=True)
    return np.asarray(np.nanmean(1 + (ranks - 1) * (scores.shape[1] - 1) / (n_scores - 1), axis=0))


def _names(table: ScoreTable, positions: Any) -> tuple[str, ...]:
    return tuple(table.classifiers[i] for i in positions)


def _codes(notes: dict[str, bool]) -> tuple[str, ...]:
    return tuple(code for code, applies in notes.items() if applies)
