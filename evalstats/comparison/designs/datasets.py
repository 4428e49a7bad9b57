"""Datasets of a table as the sample, with one score of each classifier on each dataset."""

from __future__ import annotations

__all__ = ["DESIGN"]

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats._errors import InvalidValueError
from evalstats._ranks import rounded
from evalstats._result import HypothesisTestResult
from evalstats._types import BoolArray, FloatArray, IndexArray
from evalstats.adjustment.pair_indexing import USUAL_ADJUSTMENT, USUAL_TEST
from evalstats.comparison import option_checks
from evalstats.comparison.designs import design
from evalstats.comparison.notes import OVER_DATASETS
from evalstats.comparison.ranking import RankedPairs
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import OMNIBUS_TESTS, PARAMETRIC, POSTHOC_TESTS, TESTS_OF_TWO, DeclaredTest
from evalstats.comparison.validity import valid_test
from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.multiple.mean_ranks import mean_ranks
from evalstats.paired.shifted_scores import ShiftedScores
from evalstats.paired.sign import sign_test, wins_and_losses
from evalstats.paired.wilcoxon import wilcoxon_test
from evalstats.tables.fold_scores import runs_of
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats.bayes.posterior import PosteriorResult

CHUNK = 1 << 18  # scores of one pass: the pairs of scores of a table of thousands by thousands exceed the memory
# for more classifiers, the Bergmann-Hommel procedure is slow even if p decreases with the distance of ranks
MOST_RANKED_CLASSIFIERS = 50


def _test(question: design.Question) -> design.Answer:
    return (_of_two if question.k == 2 else _of_several)(question)


# --- two classifiers --------------------------------------------------------------------------------------------------


def _of_two(question: design.Question) -> design.Answer:
    option_checks.refuse_choices(
        "the table holds 2 classifiers, for which there is no post-hoc test", posthoc=question.posthoc
    )
    option_checks.refuse_choices(
        "the table holds 2 classifiers, for which there is no omnibus test", omnibus=question.omnibus
    )
    option_checks.refuse_untaken(TESTS_OF_TWO[USUAL_TEST], method=question.method)
    table, tolerance = question.table, question.tie_tolerance
    second = 1 if question.control is None else question.control
    first = 1 - second
    x, y = table.scores[:, first], table.scores[:, second]
    wilcoxon = wilcoxon_test(x, y, method=question.method, tie_tolerance=tolerance)
    lead = wilcoxon.rank_biserial if table.greater_is_better else -wilcoxon.rank_biserial
    is_pair, better = ~np.eye(2, dtype=bool), np.zeros((2, 2), dtype=bool)
    better[first, second], better[second, first] = lead > 0, lead < 0
    ranks, compared = mean_ranks(table.scores, table.greater_is_better, tolerance), RankedPairs([first, second])
    return _tested(
        question,
        compared,
        ranks,
        statistic=np.where(is_pair, wilcoxon.statistic, 0.0),
        pair_test=USUAL_TEST,
        pvalue=np.where(is_pair, wilcoxon.pvalue, 1.0),
        better=better,
        adjustment=None,
        min_attainable_pvalue=getattr(wilcoxon, "min_attainable_pvalue", None),
        smallest_of_pair=getattr(wilcoxon, "min_attainable_pvalue", None),
        fields={
            "wilcoxon": wilcoxon,
            "sign": sign_test(x, y, tie_tolerance=tolerance),
            "hodges_lehmann_interval": wilcoxon.confidence_interval(1 - question.alpha),
        },
    )


# --- three or more ----------------------------------------------------------------------------------------------------


def _of_several(question: design.Question) -> design.Answer:
    table, control, adjust = question.table, question.control, question.adjustment
    omnibus_test, posthoc_test = _chosen(question)
    common: dict[str, Any] = {"greater_is_better": table.greater_is_better, "tie_tolerance": question.tie_tolerance}

    def led_by(name: str) -> Any:
        test = OMNIBUS_TESTS[name]
        return test.run(table.scores, **test.taken(question.of_leading), **common)

    def pairs_by(name: str) -> Any:
        test = POSTHOC_TESTS[name]
        drawn = test.taken(question.of_leading)
        return test.run(table.scores, control=control, adjust=adjust, **common, **drawn)

    omnibus_test, omnibus, replaced = valid_test("omnibus", OMNIBUS_TESTS, omnibus_test, led_by)
    if table.missing:
        from evalstats.pairwise.common_datasets import common_datasets_test

        of_pairs: dict[str, Any] = {"control": control, "adjust": adjust, "tie_tolerance": question.tie_tolerance}
        posthoc: Any = common_datasets_test(table.scores, test=posthoc_test, **of_pairs)
    else:
        posthoc_test, posthoc, others = valid_test("pairs", POSTHOC_TESTS, posthoc_test, pairs_by, control)
        replaced += others
    test, ranks = POSTHOC_TESTS[posthoc_test], _mean_ranks(table, omnibus, question.tie_tolerance)
    has_one = test.has_critical_difference
    smallest = getattr(posthoc, "min_attainable_pvalue", None)
    return _tested(
        question,
        RankedPairs(design.order_of(ranks), control),
        ranks,
        statistic=_square(posthoc.statistic, control, -1),
        pair_test=posthoc_test,
        pvalue=_square(posthoc.pvalue, control, 1),
        better=_better(table, posthoc_test, posthoc, ranks, control),
        adjustment=adjust if test.adjusts else "single-step",
        omnibus=omnibus,
        is_gated=test.is_gated,
        min_attainable_pvalue=getattr(omnibus, "min_attainable_pvalue", None),
        smallest_of_pair=smallest,
        reasons=getattr(posthoc, "reason", None),
        replaced=replaced,
        fields={
            "omnibus_test": omnibus_test,
            "posthoc_test": posthoc_test,
            "posthoc": posthoc,
            "critical_difference": posthoc.critical_difference(question.alpha) if has_one else None,
            "smallest_posthoc_pvalue": smallest,
        },
    )


def _tested(
    question: design.Question,
    compared: RankedPairs,
    ranks: FloatArray,
    *,
    statistic: FloatArray,
    fields: dict[str, Any],
    **found: Any,
) -> design.Answer:
    effects = _Effects(question.table, compared, statistic, ranks, question.tie_tolerance)
    return design.Answer(
        order=design.order_of(ranks),
        compared=compared,
        columns=effects.columns,
        fields={
            "mean_ranks": tuple(ranks.tolist()),
            "_estimates": effects.estimates,
            **fields,
            **_over_runs(question, fields.get("posthoc_test", USUAL_TEST)),
        },
        **found,
    )


def _chosen(question: design.Question) -> tuple[str, str]:
    """Return the names of the omnibus and the post-hoc test, or raise an error for options that they do not support."""
    choose = option_checks.tests_with_missing if question.table.missing else option_checks.chosen_tests
    chosen = choose(question.omnibus, question.posthoc, question.control_name)
    option_checks.refuse_untaken(OMNIBUS_TESTS[chosen[0]], method=question.method)
    if question.adjust is not None:
        option_checks.refuse_adjust(chosen[1], question.adjust, question.control_name)
    return chosen


def _better(table: ScoreTable, posthoc_test: str, posthoc: Any, ranks: FloatArray, control: int | None) -> BoolArray:
    """Return a matrix that states which classifier of each pair is better according to the post-hoc test."""
    chosen = POSTHOC_TESTS[posthoc_test]
    if not chosen.effect:
        without_noise = rounded(ranks)
        return np.asarray(without_noise[:, None] < without_noise)
    effect = _square(getattr(posthoc, "effect" if table.missing else chosen.effect), control, -1)
    return np.asarray(effect > 0 if chosen.compares_scores and table.greater_is_better else effect < 0)


def _over_runs(question: design.Question, posthoc_test: str) -> dict[str, Any]:
    """Return the reproducibility of the comparison over the repeats, or an empty dict if the table has no repeats."""
    runs = runs_of(question.table.runs)
    if runs is None:
        return {}
    from evalstats.reproducibility.run_overlap import (  # tests of its own
        TESTS_OF_PAIRS,
        pvalues_over_runs,
        verdict_reproducibility,
    )

    common: dict[str, Any] = {"alpha": question.alpha, "tie_tolerance": question.tie_tolerance}
    common["greater_is_better"] = question.table.greater_is_better
    family: dict[str, Any] = {"control": question.control}
    if posthoc_test in TESTS_OF_PAIRS:
        adjust = USUAL_ADJUSTMENT if question.k == 2 else question.adjustment
        family |= {"test": posthoc_test, "adjust": adjust if POSTHOC_TESTS[posthoc_test].adjusts else None}
    return {
        "reproducibility": verdict_reproducibility(runs, **family, **common),
        "pvalues_over_runs": pvalues_over_runs(runs, rng=0, **common),
    }


def _square(values: FloatArray, control: int | None, sign: int) -> FloatArray:
    """Return the results of a pairwise test as a (k, k) matrix; the values of pairs that were not compared are nan.

    With a control, `values` is the column of the control, and the row of the control is `sign` times this column.
    """
    if control is None:
        return values
    matrix = np.full((len(values), len(values)), np.nan)
    matrix[:, control], matrix[control, :] = values, sign * values
    return matrix


def _mean_ranks(table: ScoreTable, omnibus: HypothesisTestResult, tie_tolerance: float) -> FloatArray:
    if isinstance(omnibus, FriedmanTestResult):
        return np.asarray(omnibus.mean_ranks)
    mean = _stretched_mean_ranks if table.missing else mean_ranks
    return mean(table.scores, table.greater_is_better, tie_tolerance)


def _stretched_mean_ranks(scores: FloatArray, greater_is_better: bool, tie_tolerance: float) -> FloatArray:
    """Return mean ranks for incomplete scores; the ranks 1 to m of a dataset are stretched to 1 to k."""
    from evalstats.multiple.incomplete_blocks import observed_ranks

    ranks = observed_ranks(scores, greater_is_better, tie_tolerance)
    n_scores = (~np.isnan(ranks)).sum(axis=1, keepdims=True)
    return np.asarray(np.nanmean(1 + (ranks - 1) * (scores.shape[1] - 1) / (n_scores - 1), axis=0))


# --- effects of the requested pairs -----------------------------------------------------------------------------------


class _Effects(NamedTuple):
    """Effect sizes of the pairs of a table, on which no decision depends."""

    table: ScoreTable
    compared: RankedPairs
    statistic: FloatArray
    mean_ranks: FloatArray
    tie_tolerance: float

    def columns(self, at: Sequence[int]) -> dict[str, Any]:
        """Return the fields of the pairs at the given positions, without the Hodges-Lehmann estimates."""
        first, second = self.compared.sides(at)
        larger, equal, smaller, correlation = self._of(first, second)
        if not self.table.greater_is_better:
            larger, smaller, correlation = smaller, larger, -correlation
        counts = {"n_wins": larger.astype(int), "n_ties": equal.astype(int), "n_losses": smaller.astype(int)}
        return counts | {
            "statistic": self.statistic[first, second],
            "mean_rank_difference": self.mean_ranks[first] - self.mean_ranks[second],
            "rank_biserial": correlation + 0.0,  # no negative zero
        }

    def estimates(self, at: Sequence[int]) -> list[float]:
        """Return the Hodges-Lehmann estimates of the pairs at the given positions, on their common datasets."""
        found = np.full(len(at), np.nan)
        for places, x, y in self._passes(*self.compared.sides(at)):
            signed_ranks = wilcoxon_test(x, y, method="asymptotic", tie_tolerance=self.tie_tolerance)
            found[places] = signed_ranks.hodges_lehmann
        return found.tolist()

    def _of(self, first: IndexArray, second: IndexArray) -> FloatArray:
        """Return, for each pair, the numbers of larger, equal and smaller scores and the rank-biserial correlation."""
        found = np.zeros((4, first.size))
        found[3] = np.nan  # values of a pair without a common dataset
        for at, x, y in self._passes(first, second):
            larger, smaller = wins_and_losses(x, y, self.tie_tolerance)
            # the effect size does not depend on the null distribution; the asymptotic distribution is the fastest
            signed_ranks = wilcoxon_test(x, y, method="asymptotic", tie_tolerance=self.tie_tolerance)
            found[:, at] = larger, x.shape[-1] - larger - smaller, smaller, signed_ranks.rank_biserial
        return found

    def _passes(self, first: IndexArray, second: IndexArray) -> Iterator[tuple[IndexArray, FloatArray, FloatArray]]:
        """Yield the positions and the scores of pairs, in batches that fit into the processor cache."""
        scores = np.ascontiguousarray(self.table.scores.T)
        step = max(1, CHUNK // scores.shape[1])
        for start in range(0, first.size, step):
            places = np.arange(start, min(start + step, first.size))
            x, y = scores[first[places]], scores[second[places]]
            if not self.table.missing:
                yield places, x, y
                continue
            from evalstats.pairwise.common_datasets import of_common_datasets

            yield from ((places[at], own_x, own_y) for at, own_x, own_y in of_common_datasets(x, y))


# --- supplements of the test ------------------------------------------------------------------------------------------


def _margin_problems(comparison: Comparison, places: design.Places, _: int | None, __: Any) -> Iterator[ShiftedScores]:
    chosen = str(comparison.posthoc_test)
    test = "paired-t" if chosen in PARAMETRIC else "sign" if chosen == "sign" else "wilcoxon"
    for i, j in places:
        both = comparison.table.scores[:, [i, j]]
        x, y = both[~np.isnan(both).any(axis=1)].T
        if len(x) < 2:
            names = comparison.table.classifiers
            raise InvalidValueError(
                f"margin requires two datasets with scores of both classifiers, but {names[i]!r} and {names[j]!r} "
                f"share {len(x)}; leave out one of the two classifiers"
            )
        yield ShiftedScores(*design.ahead_of(x, y, comparison.table), test, comparison.tie_tolerance)


def _posteriors(
    comparison: Comparison, test: str, places: design.Places, rope: float, seed: int
) -> Iterator[tuple[design.Places, PosteriorResult]]:
    # imported here because other comparisons do not need these simulations
    from evalstats.bayes.sign import bayes_sign_test
    from evalstats.bayes.signed_rank import bayes_signed_rank_test

    ask = bayes_sign_test if test == "sign" else bayes_signed_rank_test
    scores, here = comparison.table.scores, ~np.isnan(comparison.table.scores)
    groups: dict[bytes, design.Places] = {}
    for i, j in places:
        groups.setdefault((here[:, i] & here[:, j]).tobytes(), []).append((i, j))
    for common, pairs in groups.items():
        rows = np.frombuffer(common, dtype=bool)
        if not rows.any():
            first_name, second_name = (comparison.table.classifiers[i] for i in pairs[0])
            raise InvalidValueError(
                f"rope requires a dataset with scores of both classifiers, but {first_name!r} and {second_name!r} "
                "share none"
            )
        first, second = (list(one) for one in zip(*pairs, strict=True))
        x, y = scores[rows][:, first].T, scores[rows][:, second].T
        yield pairs, ask(x, y, rope=rope, rng=seed, tie_tolerance=comparison.tie_tolerance)


def _alternatives(question: design.Question, comparison: Comparison) -> design.Alternatives:
    normal = _against_normality(question)
    if comparison.omnibus_test is None:
        refused = {name for name in PARAMETRIC if normal}
        names = [USUAL_TEST, *(name for name in TESTS_OF_TWO if name != USUAL_TEST and name not in refused)]
        analyses = [design.OtherAnalysis(None, name, "none") for name in names]
        left_out = [("paired-t", reason) for _, reason in normal]
    else:
        left_out = normal or _against_sphericity(question)
        refused = {name for name, _ in left_out}
        primary = design.OtherAnalysis(comparison.omnibus_test, comparison.pair_test, str(comparison.adjustment))
        others = [a for a in _families(question) if not refused & {a.omnibus, a.posthoc} and a != primary]
        analyses = [primary, *others]
    return design.Alternatives(
        analyses=analyses,
        left_out=left_out,
        units=question.table.datasets,
        led=partial(_led, question, comparison.omnibus_test),
        pvalues=partial(_pvalues, question),
        no_variance="scores, whose differences have no variance",
    )


def _families(question: design.Question) -> Iterator[design.OtherAnalysis]:
    for name, test in POSTHOC_TESTS.items():
        # repeating a simulated test without each dataset would take minutes
        if test.simulates or not (test.pairs if question.control is None else test.control):
            continue
        most = design.MOST_CLASSIFIERS if test.effect else MOST_RANKED_CLASSIFIERS
        for adjust in design.adjustments_of(question, most) if test.adjusts else ("single-step",):
            yield design.OtherAnalysis(test.omnibus, name, adjust)


def _against_normality(question: design.Question) -> list[tuple[str, str]]:
    """Return the test that assumes normal differences with a finding if the data contradict normality."""
    advice = question._replace(parametric=True, control=None, advice=None).advise()
    against = [finding.sentence for finding in advice.warnings if finding.code == "not-normal"]
    return [("rm-anova", against[0])] if against else []


def _against_sphericity(question: design.Question) -> list[tuple[str, str]]:
    """Return the test that assumes equal variances with the reason if the data contradict sphericity."""
    anova = OMNIBUS_TESTS["rm-anova"].run(question.table.scores, **_common(question))
    if not anova.mauchly_pvalue <= question.alpha:
        return []
    name = "tukey" if question.control is None else "dunnett"
    unequal = (
        f"the differences between classifiers have unequal variances (Mauchly's test, p = {anova.mauchly_pvalue:.2g})"
    )
    return [(name, f"{unequal}, but {POSTHOC_TESTS[name].function} assumes equal variances.")]


def _common(question: design.Question) -> dict[str, Any]:
    return {"greater_is_better": question.table.greater_is_better, "tie_tolerance": question.tie_tolerance}


def _of_test(question: design.Question, name: str, test: DeclaredTest, leading: str) -> dict[str, Any]:
    """Return the options of the omnibus test that a test supports.

    For tests other than `leading`, the method ``'exact'`` is left out, because it may be too slow. The default
    ``'auto'`` uses the exact method if it is feasible.
    """
    taken = test.taken(question.of_leading)
    if name != leading and taken.get("method") == "exact":
        del taken["method"]
    return taken


def _scores(question: design.Question, part: design.Part) -> FloatArray:
    scores = question.table.scores
    scores = scores if len(part.kept) == question.k else scores[:, part.kept]
    return design.without_each(scores) if part.without_units else scores


def _led(
    question: design.Question, leading: str | None, analysis: design.OtherAnalysis, part: design.Part
) -> FloatArray | float:
    if analysis.omnibus is None or leading is None:
        return 0.0
    test = OMNIBUS_TESTS[analysis.omnibus]
    choices = _of_test(question, analysis.omnibus, test, leading)
    return np.asarray(test.run(_scores(question, part), **choices, **_common(question)).pvalue)


def _pvalues(question: design.Question, analysis: design.OtherAnalysis, part: design.Part) -> FloatArray:
    scores, (first, second) = _scores(question, part), np.array(part.pairs).T
    if analysis.omnibus is None:
        of_two = TESTS_OF_TWO[analysis.posthoc]
        taken = _of_test(question, analysis.posthoc, of_two, USUAL_TEST)
        x, y = scores[..., first[0]], scores[..., second[0]]
        return np.asarray(of_two.run(x, y, tie_tolerance=question.tie_tolerance, **taken).pvalue)[..., None]
    test = POSTHOC_TESTS[analysis.posthoc]
    result = test.run(scores, control=part.control, adjust=analysis.adjust, **_common(question))
    return np.asarray(result.pvalue[..., first] if part.control is not None else result.pvalue[..., first, second])


DESIGN = design.Design(
    test=_test,
    notes=OVER_DATASETS,
    margin_problems=_margin_problems,
    posterior_test=lambda comparison: "sign" if comparison.posthoc_test == "sign" else "signed-rank",
    posteriors=_posteriors,
    alternatives=_alternatives,
)
