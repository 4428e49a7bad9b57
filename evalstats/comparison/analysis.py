"""Which tests, in which order: from a table of scores to a verdict."""

from __future__ import annotations

__all__ = ["compare"]

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._errors import listed, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, rounded
from evalstats._result import HypothesisTestResult
from evalstats._types import BoolArray, FloatArray
from evalstats.adjustment.pair_indexing import USUAL_ADJUSTMENT, USUAL_TEST, adjustments
from evalstats.comparison.advice.recommendation import which_test
from evalstats.comparison.decision import Decision, order_of
from evalstats.comparison.option_checks import (
    chosen_tests,
    data_checksum,
    options_given,
    refuse_adjust,
    refuse_choices,
    refuse_one_or_too_many,
    refuse_untaken,
    tests_with_missing,
    understood,
)
from evalstats.comparison.ranked_pairs import RankedPairs
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import OMNIBUS_TESTS, PARAMETRIC, POSTHOC_TESTS, TESTS_OF_TWO
from evalstats.comparison.result_building import recorded
from evalstats.comparison.validity import valid_omnibus, valid_posthoc
from evalstats.io.reader.tables import read_table, refuse_reading
from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.multiple.mean_ranks import mean_ranks
from evalstats.paired.sign import sign_test
from evalstats.paired.wilcoxon import wilcoxon_test
from evalstats.tables.fold_scores import runs_of
from evalstats.tables.score_table import ScoreTable, complete_scores

if TYPE_CHECKING:
    from evalstats.comparison.by_metric import ComparisonByMetric
    from evalstats.reproducibility.run_overlap import PValuesOverRuns, VerdictReproducibility


@overload
def compare(
    table: Any,
    *,
    control: str | None = None,
    alpha: float = 0.05,
    greater_is_better: bool | None = None,
    posthoc: str = "auto",
    adjust: str | None = None,
    omnibus: str = "auto",
    method: str = "auto",
    n_resamples: int | None = None,
    rng: Any = None,
    missing: str = "raise",
    metric: str | None = None,
    robustness: bool = False,
    margin: float | None = None,
    rope: float | None = None,
    average: str | None = None,
    tie_tolerance: float = ...,
    **reading: Any,
) -> Comparison: ...
@overload
def compare(table: Any, *, metric: Sequence[str], **choices: Any) -> ComparisonByMetric: ...
def compare(
    table: Any,
    *,
    control: str | None = None,
    alpha: float = 0.05,
    greater_is_better: bool | None = None,
    posthoc: str = "auto",
    adjust: str | None = None,
    omnibus: str = "auto",
    method: str = "auto",
    n_resamples: int | None = None,
    rng: Any = None,
    missing: str = "raise",
    metric: str | Sequence[str] | None = None,
    robustness: bool = False,
    margin: float | None = None,
    rope: float | None = None,
    average: str | None = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
    **reading: Any,
) -> Comparison | ComparisonByMetric:
    """Say which classifiers differ, by how much, and what the table cannot show.

    Two classifiers are compared by the Wilcoxon signed-rank test, with the sign test beside it. Of three or more each
    pair, or each with the control, is tested by the Wilcoxon signed-rank test, as two classifiers are, and the p-values
    are adjusted for all pairs by Holm's method. The Friedman test, of all at once, is reported first and decides on no
    pair; it does where a post-hoc test is chosen that needs it, such as Nemenyi's.

    Parameters
    ----------
    table : ScoreTable, path, data frame or array
        Scores of classifiers (columns) on datasets (rows), or anything else that `read_table` takes.
    control : str, optional
        The classifier that all others are compared with, instead of all pairs.
    alpha : float, default: 0.05
        Level of significance: a hypothesis is rejected where p <= alpha.
    greater_is_better : bool, optional
        False for losses and error rates, where a smaller score is better. By default as `read_table` decides: True,
        unless the metric is called a loss.
    posthoc : str, default: 'auto'
        The test of the pairs of three or more classifiers, or of each with the control. ``'auto'`` is ``'wilcoxon'``;
        ``'nemenyi'`` and, with a control, ``'bonferroni-dunn'`` have a critical difference of mean ranks. The page of
        `compare` in the documentation lists the others.
    adjust : str, optional
        A method of `adjust_pairwise`, with a control of `adjust_pvalues`; or ``'none'``. For pairs that are tested one
        by one, by default ``'holm'``; a test for the whole family, such as Nemenyi's, takes none.
    omnibus : str, default: 'auto'
        The leading test of three or more classifiers; ``'auto'`` is the one that `posthoc` belongs to, the Friedman
        test if nothing is chosen.
    method : str, default: 'auto'
        Null distribution of the leading test: see `friedman_test`, or `wilcoxon_test` for two classifiers.
    n_resamples : int, optional
        Number of simulations of a Monte Carlo p-value: of the leading test, with `robustness` of every test that
        simulates; by default 9999. It changes nothing where nothing is simulated.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so that the same call gives the same result; a whole number is
        the seed; a Generator is used as it is.
    missing : {'raise', 'drop-datasets', 'skillings-mack'}, default: 'raise'
        What `read_table` does with missing cells. ``'skillings-mack'`` uses every score of three or more classifiers:
        the leading test is that of Skillings & Mack, and each pair is compared, by the Wilcoxon test or with `posthoc`
        ``'sign'`` by the sign test, on the datasets that both have. Of two classifiers it leaves out the datasets that
        lack one. What is missing must not depend on how good it would have been.
    metric : str or sequence of str, optional
        Name of the score, for the report. Several names compare the classifiers by each of them: the source then holds
        several metrics (a column or a header row of metrics, predictions), or is a dict of a table for each.
    robustness : bool, default: False
        Answer the same question under every other valid test and adjustment as well, and without each dataset (of one
        dataset: each fold) and each classifier. The analysis that is chosen here stays the primary one, and the verdict
        is its.
    margin : float, optional
        How much worse is still good enough, in the unit of the scores: 0.01 is one percentage point of accuracies
        that are shares. Each pair is then also tested against it, and `margins` says which classifiers are shown to be
        better, not worse, or worse, and which are undecided. Choose it before you see the scores. Of benchmarks of
        questions, `margins` is about these benchmarks, and ``over_benchmarks.margins`` about benchmarks of this kind.
    rope : float, optional
        Half the width of the region of practical equivalence, in the unit of the scores. Beside the test, `posteriors`
        then gives the probabilities that one classifier is better, that both are practically equivalent, and that the
        other is better, of each pair: by `bayes_signed_rank_test` over datasets, `bayes_sign_test` if `posthoc` is
        ``'sign'``, `bayes_correlated_ttest` over the folds of one dataset, and `bayes_accuracy_test` over the cases of
        one test set.
    average : {'macro', 'micro'}, optional
        Of models that answered questions of several benchmarks: ``'macro'``, the default, counts each benchmark the
        same, ``'micro'`` each question.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied; 0 compares bits.
    **reading : optional
        Other arguments of `read_table`, if the table has to be read: `drop`, `keep`, `transpose`, `fold`, `aggregate`,
        `layout` ...

    Returns
    -------
    Comparison or ComparisonByMetric
        A record of every result and decision; ``evalstats.report`` and ``evalstats.plot`` show it. Of answers to
        questions (`item`, `cluster` and `stratum` of `read_table` name their columns) it answers for these benchmarks
        and for benchmarks of their kind. Several metrics have one comparison each.

    Raises
    ------
    ValueError
        For fewer than two classifiers, an unknown control, missing or infinite scores, and choices that do not fit
        together or that the test does not take.

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
    ['C4.5+m+cf', 'C4.5+m']
    """
    given = dict(locals())
    refuse_reading(table, reading, compare)
    if metric is not None and not isinstance(metric, str):
        from evalstats.comparison.by_metric import compared_by_metric  # what one metric does not need

        chosen: dict[str, Any] = {"control": control, "alpha": alpha, "posthoc": posthoc, "adjust": adjust}
        chosen |= {"omnibus": omnibus, "method": method, "n_resamples": n_resamples, "rng": rng, "missing": missing}
        chosen |= {"robustness": robustness, "margin": margin, "rope": rope, "tie_tolerance": tie_tolerance}
        reading = {"greater_is_better": greater_is_better, "missing": missing, **reading}
        by_metric = compared_by_metric(table, metric, partial(compare, **chosen), reading)
        return replace(by_metric, **_asked(given))
    scores = read_table(table, greater_is_better=greater_is_better, missing=missing, metric=metric, **reading)
    alpha = _checks.proportion(alpha, "alpha")
    posthoc, omnibus = _checks.text(posthoc, "posthoc"), _checks.text(omnibus, "omnibus")
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    robustness = _checks.boolean(robustness, "robustness")
    k = len(scores.classifiers)
    refuse_one_or_too_many(scores)
    if control is not None and not _checks.is_among(control, scores.classifiers):
        raise InvalidValueError(f"control must be one of {listed(scores.classifiers)}, not {short(control)}")
    position = None if control is None else scores.classifiers.index(control)
    if adjust is not None:
        adjust = understood(adjust, "adjust", adjustments(position))
    parametric = posthoc in PARAMETRIC or omnibus in PARAMETRIC
    advise = partial(which_test, scores, control=control, parametric=parametric, alpha=alpha)
    _refuse_one_dataset(scores, robustness)
    choices = _Choices(position, alpha, tie_tolerance, omnibus, posthoc, adjust, method, n_resamples, rng, robustness)
    if average is not None and scores._items is None:
        raise InvalidValueError("average is of answers to questions, but this is a table of other scores")
    # one fold alone is one score
    has_runs = any(one.scores[..., 0].size > 1 for one in scores.folds)
    if len(scores.datasets) == 1 and (has_runs or scores._scored is not None):
        return _with_more(_compare_one_dataset(scores, choices, parametric), margin, rope, choices, given)
    if scores._items is not None:
        return replace(_compare_questions(scores, choices, average, margin, rope=rope), **_asked(given))
    decision = (_decide_two if k == 2 else _decide_several)(scores, choices)
    return _with_more(recorded(decision, advise), margin, rope, choices, given)


def _compare_questions(
    table: ScoreTable, choices: _Choices, average: str | None, margin: float | None, **others: float | None
) -> Comparison:
    """Compare models question by question, and over their benchmarks where there are several."""
    # tests that tables of datasets do not need
    from evalstats.comparison.analysis_questions import compare_questions

    why = "the table holds answers to questions, which are compared in their clusters"
    refuse_choices(why, posthoc=choices.posthoc, omnibus=choices.omnibus, method=choices.method)
    given = [name for name, value in {**others, "robustness": choices.robustness or None}.items() if value is not None]
    if given:
        raise InvalidValueError(f"{given[0]} is not for answers to questions")
    control = None if choices.control is None else table.classifiers[choices.control]
    over_benchmarks: Any = None
    if len(table.datasets) > 1:
        alone = replace(table, _items=None, _of_benchmarks=True, findings=())
        over_benchmarks = compare(
            alone,
            control=control,
            alpha=choices.alpha,
            rng=choices.rng,
            tie_tolerance=choices.tie_tolerance,
            margin=margin,
        )
    comparison = compare_questions(
        table,
        over_benchmarks,
        control=choices.control,
        alpha=choices.alpha,
        average=_checks.choice("macro" if average is None else average, "average", ("macro", "micro")),
        adjust=USUAL_ADJUSTMENT if choices.adjust is None else choices.adjust,
        tie_tolerance=choices.tie_tolerance,
        n_resamples=choices.n_resamples,
        rng=choices.rng,
    )
    if margin is None:
        return comparison
    from evalstats.comparison.margins import margins_of

    return replace(comparison, margins=margins_of(comparison, margin, choices.n_resamples, choices.rng))


def _with_more(
    comparison: Comparison, margin: float | None, rope: float | None, choices: _Choices, given: Mapping[str, Any]
) -> Comparison:
    """Keep what was given; test the pairs against a margin too, and ask how probable equivalence is, with a rope."""
    comparison = replace(comparison, **_asked(given))
    # tests that the comparison itself does not need
    if margin is not None:
        from evalstats.comparison.margins import margins_of

        comparison = replace(comparison, margins=margins_of(comparison, margin, choices.n_resamples, choices.rng))
    if rope is not None:
        from evalstats.comparison.posteriors import posteriors_of

        comparison = replace(comparison, posteriors=posteriors_of(comparison, rope, choices.rng))
    return comparison


def _asked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `compare` that were given and are not the default, and the checksum of the data."""
    options = options_given(given, (read_table.__kwdefaults__ or {}) | (compare.__kwdefaults__ or {}))
    return {"options": options, "data_checksum": data_checksum(given["table"])}


class _Choices(NamedTuple):
    """What the user has chosen; the control by its place in the table."""

    control: int | None
    alpha: float
    tie_tolerance: float
    omnibus: str
    posthoc: str
    adjust: str | None
    method: str
    n_resamples: int | None
    rng: Any
    robustness: bool

    @property
    def of_leading(self) -> dict[str, Any]:
        """What may be chosen of a leading test."""
        resamples = {} if self.n_resamples is None else {"n_resamples": self.n_resamples}
        return {"method": self.method, "rng": self.rng, **resamples}


def _refuse_one_dataset(table: ScoreTable, robustness: bool) -> None:
    """Refuse what one dataset cannot have, and robustness where scores are missing."""
    if robustness and len(table.datasets) == 1 and not table.folds and table._scored is None:
        raise InvalidValueError(
            "robustness needs several datasets, or folds or predictions of one, but the table holds one score of each "
            "classifier"
        )
    if table.missing and len(table.datasets) == 1:
        raise InvalidValueError("a comparison with missing scores needs several datasets, but the table holds one")
    if robustness:
        complete_scores(table, "robustness")


def _compare_one_dataset(table: ScoreTable, choices: _Choices, parametric: bool) -> Comparison:
    # tests that tables of datasets do not need
    from evalstats.comparison.analysis_one_dataset import compare_one_dataset, summed_up_as_tested

    why = "the table holds one dataset, whose folds or cases are compared"
    refuse_choices(why, posthoc=choices.posthoc, omnibus=choices.omnibus, method=choices.method)
    table = summed_up_as_tested(table)
    control = None if choices.control is None else table.classifiers[choices.control]
    advice = which_test(table, control=control, parametric=parametric, alpha=choices.alpha)
    return compare_one_dataset(
        table,
        advice,
        control=control,
        alpha=choices.alpha,
        adjust=USUAL_ADJUSTMENT if choices.adjust is None else choices.adjust,
        tie_tolerance=choices.tie_tolerance,
        n_resamples=choices.n_resamples,
        rng=choices.rng,
        robustness=choices.robustness,
    )


# --- two classifiers --------------------------------------------------------------------------------------------------


def _decide_two(table: ScoreTable, choices: _Choices) -> Decision:
    refuse_choices("the table holds 2 classifiers, which have no post-hoc test", posthoc=choices.posthoc)
    refuse_choices("the table holds 2 classifiers, which have no omnibus test", omnibus=choices.omnibus)
    leading = TESTS_OF_TWO["wilcoxon"]
    refuse_untaken(leading, method=choices.method)
    second = 1 if choices.control is None else choices.control
    first = 1 - second
    x, y = table.scores[:, first], table.scores[:, second]
    wilcoxon = wilcoxon_test(x, y, method=choices.method, tie_tolerance=choices.tie_tolerance)
    lead = wilcoxon.rank_biserial if table.greater_is_better else -wilcoxon.rank_biserial
    found = None
    if choices.robustness:
        # tests that the comparison itself does not need
        from evalstats.comparison.robustness import Question, assess_two

        question = Question(
            table, None, [(first, second)], choices.alpha, choices.tie_tolerance, "wilcoxon", choices.of_leading
        )
        found = assess_two(question)
    reproducibility, pvalues = _over_runs(table, choices)
    is_pair = ~np.eye(2, dtype=bool)
    better = np.zeros((2, 2), dtype=bool)
    better[first, second], better[second, first] = lead > 0, lead < 0
    return Decision(
        table=table,
        control=choices.control,
        alpha=choices.alpha,
        tie_tolerance=choices.tie_tolerance,
        compared=RankedPairs([first, second]),
        mean_ranks=mean_ranks(table.scores, table.greater_is_better, choices.tie_tolerance),
        statistic=np.where(is_pair, wilcoxon.statistic, 0.0),
        pvalue=np.where(is_pair, wilcoxon.pvalue, 1.0),
        better=better,
        wilcoxon=wilcoxon,
        sign=sign_test(x, y, tie_tolerance=choices.tie_tolerance),
        reproducibility=reproducibility,
        pvalues_over_runs=pvalues,
        robustness=found,
    )


# --- three or more ----------------------------------------------------------------------------------------------------


def _decide_several(table: ScoreTable, choices: _Choices) -> Decision:
    omnibus_test, posthoc_test = _tests(table, choices)
    adjust = USUAL_ADJUSTMENT if choices.adjust is None else choices.adjust
    common: dict[str, Any] = {"greater_is_better": table.greater_is_better, "tie_tolerance": choices.tie_tolerance}

    def led_by(name: str) -> Any:
        test = OMNIBUS_TESTS[name]
        return test.run(table.scores, **test.taken(choices.of_leading), **common)

    def pairs_by(name: str) -> Any:
        test = POSTHOC_TESTS[name]
        drawn = test.taken(choices.of_leading)
        return test.run(table.scores, control=choices.control, adjust=adjust, **common, **drawn)

    omnibus_test, omnibus, replaced = valid_omnibus(omnibus_test, led_by)
    if table.missing:
        from evalstats.pairwise.common_datasets import common_datasets_test

        of_pairs: dict[str, Any] = {
            "control": choices.control,
            "adjust": adjust,
            "tie_tolerance": choices.tie_tolerance,
        }
        posthoc: Any = common_datasets_test(table.scores, test=posthoc_test, **of_pairs)
    else:
        posthoc_test, posthoc, others = valid_posthoc(posthoc_test, choices.control, pairs_by)
        replaced += others
    ranks = _mean_ranks(table, omnibus, choices.tie_tolerance)
    control = choices.control
    compared = RankedPairs(order_of(ranks), control)
    adjusted_by = adjust if POSTHOC_TESTS[posthoc_test].adjusts else "single-step"
    found = None
    if choices.robustness:
        # tests that the comparison itself does not need
        from evalstats.comparison.robustness import Choice, Question, assess

        question = Question(
            table, control, list(compared), choices.alpha, choices.tie_tolerance, omnibus_test, choices.of_leading
        )
        found = assess(question, Choice(omnibus_test, posthoc_test, adjusted_by))
    reproducibility, pvalues = _over_runs(table, choices, posthoc_test, adjust)
    return Decision(
        table=table,
        control=control,
        alpha=choices.alpha,
        tie_tolerance=choices.tie_tolerance,
        compared=compared,
        mean_ranks=ranks,
        statistic=_square(posthoc.statistic, control, -1),
        pvalue=_square(posthoc.pvalue, control, 1),
        better=_better(table, posthoc_test, posthoc, ranks, control),
        omnibus_test=omnibus_test,
        omnibus=omnibus,
        posthoc_test=posthoc_test,
        posthoc=posthoc,
        adjustment=adjusted_by,
        reproducibility=reproducibility,
        pvalues_over_runs=pvalues,
        robustness=found,
        replaced=replaced,
    )


def _tests(table: ScoreTable, choices: _Choices) -> tuple[str, str]:
    """Return the names of both tests, which take what was chosen."""
    control = None if choices.control is None else table.classifiers[choices.control]
    chosen = (tests_with_missing if table.missing else chosen_tests)(choices.omnibus, choices.posthoc, control)
    omnibus_test, posthoc_test = chosen
    refuse_untaken(OMNIBUS_TESTS[omnibus_test], method=choices.method)
    if choices.adjust is not None:
        refuse_adjust(posthoc_test, choices.adjust, control)
    return chosen


def _better(table: ScoreTable, posthoc_test: str, posthoc: Any, ranks: FloatArray, control: int | None) -> BoolArray:
    """Tell who is better in the eyes of the post-hoc test."""
    chosen = POSTHOC_TESTS[posthoc_test]
    if not chosen.effect:
        without_noise = rounded(ranks)
        return np.asarray(without_noise[:, None] < without_noise)
    effect = _square(getattr(posthoc, "effect" if table.missing else chosen.effect), control, -1)
    return np.asarray(effect > 0 if chosen.compares_scores and table.greater_is_better else effect < 0)


def _over_runs(
    table: ScoreTable, choices: _Choices, posthoc_test: str = USUAL_TEST, adjust: str = USUAL_ADJUSTMENT
) -> tuple[VerdictReproducibility | None, PValuesOverRuns | None]:
    """Compare the classifiers in each repeat alone, where the table holds repeats: by this test, or the usual one."""
    runs = runs_of(table.runs)
    if runs is None:
        return None, None
    from evalstats.reproducibility.run_overlap import (  # tests of its own
        TESTS_OF_PAIRS,
        pvalues_over_runs,
        verdict_reproducibility,
    )

    common: dict[str, Any] = {"alpha": choices.alpha, "tie_tolerance": choices.tie_tolerance}
    common["greater_is_better"] = table.greater_is_better
    family: dict[str, Any] = {"control": choices.control}
    if posthoc_test in TESTS_OF_PAIRS:
        family |= {"test": posthoc_test, "adjust": adjust if POSTHOC_TESTS[posthoc_test].adjusts else None}
    return verdict_reproducibility(runs, **family, **common), pvalues_over_runs(runs, rng=0, **common)


def _square(values: FloatArray, control: int | None, sign: int) -> FloatArray:
    """Return what a test says of each pair as a (k, k) matrix; nan where two classifiers were not compared.

    With a control only its column is given; its row holds `sign` times the same.
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
    """Mean rank of each classifier over its datasets, where the ranks 1 to m of a dataset are stretched to 1 to k."""
    from evalstats.multiple.incomplete_blocks import observed_ranks

    ranks = observed_ranks(scores, greater_is_better, tie_tolerance)
    n_scores = (~np.isnan(ranks)).sum(axis=1, keepdims=True)
    return np.asarray(np.nanmean(1 + (ranks - 1) * (scores.shape[1] - 1) / (n_scores - 1), axis=0))
