"""Comparison of classifiers: the tests and the decisions for a table of scores."""

from __future__ import annotations

__all__ = ["compare"]

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError, listed, not_among
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats.adjustment.e_values import METHODS as E_METHODS
from evalstats.adjustment.pair_indexing import adjustments
from evalstats.adjustment.pvalues import ADJUSTMENTS
from evalstats.comparison import option_checks
from evalstats.comparison.designs.design import Answer, Question, design_named
from evalstats.comparison.designs.questions import BETTING
from evalstats.comparison.notes import notes_of
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import PARAMETRIC, TESTS_OF_DIFFERENCES
from evalstats.comparison.validity import Validity, cannot_reach, first_reason, untested
from evalstats.io.options import DEFAULT_PARSING, given_together, one_by_one
from evalstats.io.reader.battles import holds_battles, read_battles
from evalstats.io.reader.opening import rereadable
from evalstats.io.reader.tables import read_table, reading_of
from evalstats.multiple.subsets import homogeneous_subsets
from evalstats.tables.battles import Battles
from evalstats.tables.errors import GROUPS
from evalstats.tables.predictions import Predictions, refuse_clusters
from evalstats.tables.score_table import ScoreTable, complete_scores

if TYPE_CHECKING:
    from evalstats.comparison.battles import BattleComparison
    from evalstats.comparison.by_metric import ComparisonByMetric
    from evalstats.tables.calibration_analysis import CalibrationAnalysis


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
    calibration: bool = False,
    subgroup: str | Sequence[str] | None = None,
    stability: bool = False,
    consensus: bool = False,
    tie_tolerance: float = ...,
    **read_kwargs: Any,
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
    calibration: bool = False,
    subgroup: str | Sequence[str] | None = None,
    stability: bool = False,
    consensus: bool = False,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
    **read_kwargs: Any,
) -> Comparison | ComparisonByMetric | BattleComparison:
    """Compare classifiers: select and run the tests, and estimate effect sizes.

    On several datasets, two classifiers are compared by the Wilcoxon signed-rank test. The report also contains the
    sign test. For three or more classifiers, the Wilcoxon signed-rank test compares each pair, or each classifier with
    the control. Holm's method adjusts the p-values for all compared pairs. The Friedman test of all classifiers, the
    omnibus test, is reported first. It affects the decisions on pairs only if you choose a post-hoc test that requires
    an omnibus test, such as Nemenyi's test.

    Parameters
    ----------
    table : ScoreTable, path, data frame or array
        Scores of classifiers (columns) on datasets (rows), or any other input of `read_table`. For battles (columns
        model_a, model_b and winner, or the result of `read_battles`), the models are compared by the Bradley-Terry
        model. For battles, only `alpha`, `control`, `n_resamples`, `rng`, the arguments of `read_battles` and
        `small_sample` of `bradley_terry_from_battles` apply.
    control : str, optional
        The classifier that all others are compared with. By default, all pairs are compared.
    alpha : float, default: 0.05
        Significance level: a null hypothesis is rejected if p <= alpha.
    greater_is_better : bool, optional
        False for losses and error rates, where a smaller score is better. By default, `read_table` determines the
        direction: True, unless the name of the metric is the name of a loss.
    posthoc : str, default: 'auto'
        The post-hoc test for three or more classifiers, which compares all pairs, or each classifier with the control.
        Over datasets, ``'auto'`` is ``'wilcoxon'``. ``'nemenyi'`` and, with a control, ``'bonferroni-dunn'`` have a
        critical difference of mean ranks. ``'betting'``, for answers to questions, is valid if you compare again after
        every batch of questions, with `adjust` ``'e-holm'`` (the default) or ``'e-bh'``. The page of `compare` in the
        documentation lists the other tests.
    adjust : str, optional
        A method of `adjust_pairwise` (`adjust_pvalues` with a control), or ``'none'``. If each pair has its
        own test, the default is ``'holm'``. A test for the whole family, such as Nemenyi's test, accepts no adjustment.
    omnibus : str, default: 'auto'
        The omnibus test for three or more classifiers. ``'auto'`` is the omnibus test that belongs to `posthoc`, by
        default the Friedman test.
    method : str, default: 'auto'
        Null distribution of the omnibus test, as in `friedman_test`, or of the test of two classifiers, as in
        `wilcoxon_test`.
    n_resamples : int, optional
        Number of simulations or resamples for each method that draws random numbers. Default: 9999 for tests, 1999 for
        the bootstrap of `subgroup`, and 10000 for `stability` and `consensus`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    missing : str, default: 'raise'
        Treatment of missing cells by `read_table`. ``'skillings-mack'`` uses every score of three or more classifiers:
        the omnibus test is the Skillings-Mack test. Each pair is compared on the datasets with scores of both
        classifiers, by the Wilcoxon test, or by the sign test if `posthoc` is ``'sign'``. For two classifiers, the
        datasets with a missing score are left out. Whether a score is missing must not depend on its value.
    metric : str or sequence of str, optional
        Name of the score, for the report. If you pass several names, the classifiers are compared by each metric. The
        source must then have a column or a header row of metrics, contain predictions, or be a dict with a table for
        each metric.
    robustness : bool, default: False
        Whether to repeat the analysis with every other valid test and adjustment, and with one dataset or classifier
        excluded at a time. For one dataset, one fold or run is excluded at a time. The chosen analysis remains the
        primary analysis and determines the verdict.
    margin : float, optional
        Noninferiority margin: the largest acceptable loss, in the unit of the scores. For accuracies between 0 and 1,
        0.01 is one percentage point. Each pair is then also tested with the margin. The field `margins` states the
        verdict on each pair: better, not worse, worse or undecided. Choose the margin before you see the scores. For
        answers to questions, `margins` refers to the benchmarks of the questions, and ``over_benchmarks.margins``
        refers to other benchmarks of the same kind.
    rope : float, optional
        Half the width of the region of practical equivalence, in the unit of the scores. The field `posteriors` then
        gives three posterior probabilities for each pair: the first classifier is better, both are practically
        equivalent, or the second is better. Over datasets, `bayes_signed_rank_test` computes the probabilities
        (`bayes_sign_test` if `posthoc` is ``'sign'``). For the folds or runs of one dataset, the function is
        `bayes_correlated_ttest`. For the instances of one test set, the function is `bayes_accuracy_test`.
    average : {'macro', 'micro'}, optional
        For models that answered questions of several benchmarks: ``'macro'`` (the default) gives equal weight to each
        benchmark, and ``'micro'`` gives equal weight to each question.
    calibration : bool, default: False
        Whether to analyze the predicted probabilities too, as `analyze_calibration` does: the calibration of each
        classifier, and the Brier scores and log losses of all pairs. The source must be predictions with probabilities.
    subgroup : str or list of str, optional
        For predictions and answers to questions: the column of the subgroups, such as the language or the sex, or
        several columns. With several columns, the combinations of their values are the subgroups: ``['sex', 'age']`` or
        ``'sex,age'`` gives subgroups such as ``'female, 60+'``. The difference in each pair is then also estimated in
        each subgroup, with simultaneous confidence limits. The interaction test examines whether the difference is the
        same in all subgroups. If you pass a table or predictions, read them with ``columns={'subgroup': ...}``.
    stability : bool, default: False
        Whether to estimate the stability of the ranking too, as `ranking_stability` does. The datasets, the instances
        of one test set (for accuracy) or the questions are resampled `n_resamples` times. For the macro average of
        several benchmarks, the benchmarks are resampled. The result describes the sample; it is not a test.
    consensus : bool, default: False
        Whether to compute a consensus ranking, as `consensus_ranking` does. The classifiers are ranked on each of
        several benchmarks of questions or (for accuracy) datasets, and then by the mean of these ranks. The questions
        or the instances of each benchmark or dataset are resampled `n_resamples` times. The benchmarks or datasets are
        not resampled.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.
    **read_kwargs : optional
        Other arguments of `read_table`, if the table has to be read, such as `layout`, `drop`, `keep` and
        `columns`. You can also pass the options of `columns` and `parsing` as separate arguments: ``fold='split'`` is
        equivalent to ``columns={'fold': 'split'}``.

    Returns
    -------
    Comparison, ComparisonByMetric or BattleComparison
        A record of every result and decision, which ``evalstats.report`` renders and ``evalstats.plot`` plots. For
        answers to questions of benchmarks (see `columns` of `read_table`), the record contains results for these and
        for other benchmarks of the same kind. For several metrics, the record contains one comparison for each metric.
        For battles, the record contains the strengths of the models and confidence sets for their ranks.

    Raises
    ------
    ValueError
        If there are fewer than two classifiers, the control is unknown, or scores are missing or infinite. If options
        are incompatible with each other or with the test.

    See Also
    --------
    evalstats.report.text : the comparison as text.

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
    given = dict(locals()) | {"table": rereadable(table)}
    table = given["table"]
    if isinstance(table, Battles) or holds_battles(table, **_reading_of_battles(read_kwargs)):
        return _of_battles(given)
    reading = reading_of(table, read_kwargs, compare)
    if isinstance(subgroup, list | tuple):
        subgroup = given["subgroup"] = ", ".join(_checks.text(name, "subgroup") for name in subgroup)
    if subgroup is not None and not isinstance(table, ScoreTable | Predictions):
        reading = given_together(reading | {"subgroup": _checks.text(subgroup, "subgroup")})
    if metric is not None and not isinstance(metric, str):
        from evalstats.comparison.by_metric import compared_by_metric  # arguments that are not for one metric

        for name, is_given in (("subgroup", subgroup is not None), ("stability", stability), ("consensus", consensus)):
            if is_given:
                raise InvalidValueError(f"{name} is for one metric, not for {listed(metric)}")
        of_reading = ("table", "metric", "greater_is_better", "average", "read_kwargs")
        chosen = {name: value for name, value in given.items() if name not in of_reading}
        reading = {"greater_is_better": greater_is_better, "missing": missing, **reading}
        by_metric = compared_by_metric(table, metric, partial(compare, **chosen), reading)
        return replace(by_metric, **_asked(given))
    scores = read_table(table, greater_is_better=greater_is_better, missing=missing, metric=metric, **reading)
    alpha = _checks.significance_level(alpha)
    posthoc, omnibus = _checks.text(posthoc, "posthoc"), _checks.text(omnibus, "omnibus")
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    robustness = _checks.boolean(robustness, "robustness")
    option_checks.refuse_one_or_too_many(scores)
    if control is not None and not _checks.is_among(control, scores.classifiers):
        raise InvalidValueError(not_among("control", control, scores.classifiers))
    position = None if control is None else scores.classifiers.index(control)
    if adjust is not None:
        adjust = option_checks.understood(adjust, "adjust", E_METHODS if posthoc == BETTING else adjustments(position))
    _refuse_one_dataset(scores, robustness)
    if average is not None and scores._items is None:
        raise InvalidValueError("average is for answers to questions, but the table holds other scores")
    parametric = posthoc in PARAMETRIC or omnibus in PARAMETRIC
    question = Question(scores, position, alpha, tie_tolerance, omnibus, posthoc, adjust, method, n_resamples, rng)
    asked = {"margin": margin, "rope": rope, "robustness": robustness or None}
    comparison = _answered(question._replace(average=average, parametric=parametric), asked)
    return replace(comparison, **_beside_the_tests(comparison, given | {"adjust": adjust}), **_asked(given))


def _beside_the_tests(comparison: Comparison, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the requested optional analyses: calibration, subgroups, stability and consensus."""
    found: dict[str, Any] = {}
    n_resamples, rng = given["n_resamples"], given["rng"]
    if _checks.boolean(given["calibration"], "calibration"):
        found["calibration"] = _calibrated(comparison, given["adjust"], rng)
    if given["subgroup"] is not None:
        from evalstats.comparison.optional_analyses import subgroups_of_comparison  # few comparisons need it

        found["subgroups"] = subgroups_of_comparison(comparison, given["subgroup"], n_resamples, rng)
    if _checks.boolean(given["stability"], "stability"):
        from evalstats.comparison.stability import stability_of_comparison  # few comparisons need it

        found["stability"] = stability_of_comparison(comparison, n_resamples, rng)
    if _checks.boolean(given["consensus"], "consensus"):
        from evalstats.comparison.stability import consensus_of_comparison  # few comparisons need it

        found["consensus"] = consensus_of_comparison(comparison, n_resamples, rng)
    return found


def _calibrated(comparison: Comparison, adjust: str | None, rng: Any) -> CalibrationAnalysis:
    """Return the calibration analysis of the compared predictions; raise an error for a table of scores."""
    from evalstats.tables.calibration_analysis import analyze_calibration  # few comparisons need it

    scored = comparison.table._scored
    if scored is None:
        raise InvalidValueError("calibration requires predictions with probabilities, but the table holds scores")
    adjust = "holm" if adjust not in ("none", *ADJUSTMENTS) else adjust
    return analyze_calibration(scored._predictions, alpha=comparison.alpha, adjust=str(adjust), rng=rng)


def _reading_of_battles(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that open a source of battles: delimiter, encoding and sheet."""
    parsing = given.get("parsing")
    told = {**(parsing if isinstance(parsing, Mapping) else {}), **given}
    return {name: told[name] for name in ("delimiter", "encoding", "sheet") if name in told}


def _of_battles(given: Mapping[str, Any]) -> BattleComparison:
    """Compare models by battles, or raise an error for options that battles do not support."""
    from evalstats.comparison.battles import compare_battles  # tables of scores do not need it

    table, reading = given["table"], one_by_one(given["read_kwargs"])
    own, chosen = read_battles.__kwdefaults__ or {}, compare_battles.__kwdefaults__ or {}
    defaults = (read_table.__kwdefaults__ or {}) | (compare.__kwdefaults__ or {}) | DEFAULT_PARSING
    for name, value in {**given, **reading}.items():
        is_known = name in ("table", "read_kwargs", *own, *chosen)
        if not is_known and value not in (defaults.get(name), None, ()):
            taken = listed([name for name in (*chosen, *own) if name not in GROUPS["parsing"]], 9)
            raise InvalidValueError(f"{name} cannot be used for battles, which accept {taken}")
    of_reading = {name: value for name, value in reading.items() if name in own and value is not None}
    choices = {name: value for name, value in {**given, **reading}.items() if name in chosen and value is not None}
    if isinstance(table, Battles) and of_reading.keys() - DEFAULT_PARSING.keys():
        raise InvalidValueError(f"the battles are already read; pass {listed(list(of_reading))} to read_battles")
    battles = table if isinstance(table, Battles) else read_battles(table, **of_reading)
    options = option_checks.options_given({**given, **choices}, defaults | own | chosen)
    return replace(
        compare_battles(battles, **choices), options=options, data_checksum=option_checks.data_checksum(table)
    )


def _answered(question: Question, asked: Mapping[str, Any]) -> Comparison:
    """Compare the classifiers with the tests for the design, and add margins, posteriors and robustness."""
    code, question = _understood(question)
    design = design_named(code)
    if design.why_no_choice:
        choices = {"posthoc": question.posthoc, "omnibus": question.omnibus, "method": question.method}
        option_checks.refuse_choices(design.why_no_choice, {"posthoc": design.posthocs}, **choices)
        if question.posthoc not in ("auto", BETTING) and question.adjust is not None:
            why = "which adjusts the p-values of all pairs together"
            raise InvalidValueError(f"adjust cannot be combined with posthoc={question.posthoc!r}, {why}")
    for name in design.unanswered:
        if asked[name] is not None:
            raise InvalidValueError(f"{name} cannot be used for answers to questions")
    over_benchmarks = None if code != "questions" else _over_benchmarks(question, asked["margin"])
    if question.posthoc == BETTING and asked["margin"] is not None:
        raise InvalidValueError(
            "margin cannot be combined with posthoc='betting'; to test a margin by betting, use gate(anytime=True)"
        )
    comparison = replace(_decided(code, question, design.test(question)), over_benchmarks=over_benchmarks)
    # imported here because the comparison alone does not need these tests
    if asked["rope"] is not None:
        from evalstats.comparison.optional_analyses import posteriors_of

        comparison = replace(comparison, posteriors=posteriors_of(comparison, asked["rope"], question.rng))
    if asked["robustness"] and design.alternatives is not None:
        from evalstats.comparison.optional_analyses import assess

        found = assess(question, comparison, design.alternatives(question, comparison))
        comparison = replace(comparison, robustness=found)
    comparison = replace(comparison, notes=notes_of(comparison, design.notes))
    if asked["margin"] is not None:
        from evalstats.comparison.margins import margins_of

        found_of_margin = margins_of(comparison, asked["margin"], question.n_resamples, question.rng)
        comparison = replace(comparison, margins=found_of_margin)
    return comparison


def _understood(question: Question) -> tuple[str, Question]:
    """Return the code of the design, and the question with a table of the scores that the test compares."""
    table = question.table
    # a single fold counts as one score
    if question.posthoc == BETTING:
        if table.answers is None:
            raise InvalidValueError(
                "posthoc='betting' is for answers to questions; for other scores with known bounds, see "
                "evalstats.pairwise.pairwise_betting_test"
            )
        table = replace(table, _scored=None)  # also for one benchmark without clusters
        question = question._replace(table=table)
    has_runs = any(one.scores[..., 0].size > 1 for one in table.folds)
    if len(table.datasets) == 1 and (has_runs or table._scored is not None):
        # imported here because tables of datasets do not need these tests
        from evalstats.comparison.designs.instances import summed_up_as_tested

        question = question._replace(table=summed_up_as_tested(table))
        question = question._replace(advice=question.advise())
        design = TESTS_OF_DIFFERENCES[question.advised].design
        if design != "instances" and table._scored is not None:
            refuse_clusters(table._scored._predictions, f"the scores of {design}")
        return design, question
    if table._scored is not None:
        refuse_clusters(table._scored._predictions, "several datasets, which are the sample")
    if table._items is None:
        return "datasets", question
    average = _checks.choice("macro" if question.average is None else question.average, "average", ("macro", "micro"))
    return "questions", question._replace(average=average)


def _over_benchmarks(question: Question, margin: float | None) -> Comparison | None:
    """Compare the models with the benchmarks as the sample, or return None if there is only one benchmark."""
    table = question.table
    if len(table.datasets) == 1:
        return None
    alone = replace(table, answers=None, _of_benchmarks=True, findings=())
    choices: dict[str, Any] = {"control": question.control_name, "alpha": question.alpha, "margin": margin}
    over: Comparison = compare(alone, **choices, rng=question.rng, tie_tolerance=question.tie_tolerance)
    return over


def _decided(code: str, question: Question, tested: Answer) -> Comparison:
    """Decide on every pair, and return the record of the comparison; `code` names the design."""
    table, alpha, compared = question.table, question.alpha, tested.compared
    rejected = np.asarray(tested.pvalue <= alpha)
    significant = bool(rejected.any() if tested.omnibus is None else tested.omnibus.pvalue <= alpha)
    different = rejected & significant if tested.is_gated else rejected
    lacking = untested(table.classifiers, compared, compared.of(tested.pvalue))
    leading = tested.min_attainable_pvalue if tested.is_gated else None
    subsets: dict[str, Any] = {"homogeneous_subsets": (), "pairs_outside_subsets": ()}
    if question.control is None:  # with a control, the others are not compared with each other
        found = homogeneous_subsets(different, tested.order)
        for name, places in zip(subsets, (found.subsets, found.pairs_outside_subsets), strict=True):
            subsets[name] = tuple(_names(table, positions) for positions in places)
    return Comparison(
        table=table,
        design=code,
        control=question.control_name,
        alpha=alpha,
        tie_tolerance=question.tie_tolerance,
        ranking=_names(table, tested.order),
        pair_test=tested.pair_test,
        adjustment=tested.adjustment,
        omnibus=tested.omnibus,
        significant=significant,
        min_attainable_pvalue=tested.min_attainable_pvalue,
        different=different,
        better=tested.better,
        **subsets,
        notes=(),
        validity=Validity(
            n_effective=tested.n_effective,
            replacements=tested.replaced,
            untested=lacking,
            reason=first_reason(tested.reasons) if lacking and code != "questions" else None,
            min_attainable_pvalue=tested.smallest_of_pair,
            out_of_reach=any(cannot_reach(one, alpha) for one in (tested.smallest_of_pair, leading)),
        ),
        **tested.fields,
        _compared=compared,
        _pvalue=tested.pvalue,
        _columns=tested.columns,
        _advice=None if code == "questions" else question._replace(rng=None).advise,  # a record cannot hold a generator
    )


def _names(table: ScoreTable, positions: Any) -> tuple[str, ...]:
    return tuple(table.classifiers[i] for i in positions)


def _asked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `compare` that differ from the defaults, and the checksum of the data."""
    options = option_checks.options_given(given, (read_table.__kwdefaults__ or {}) | (compare.__kwdefaults__ or {}))
    return {"options": options, "data_checksum": option_checks.data_checksum(given["table"])}


def _refuse_one_dataset(table: ScoreTable, robustness: bool) -> None:
    """Raise an error for robustness or missing scores if the table of one dataset does not support them."""
    if robustness and len(table.datasets) == 1 and not table.folds and table._scored is None:
        raise InvalidValueError(
            "robustness requires several datasets, or the folds or predictions of one dataset, but the table holds "
            "one score of each classifier"
        )
    if table.missing and len(table.datasets) == 1:
        raise InvalidValueError(
            "a comparison with missing scores requires several datasets, but the table holds one dataset"
        )
    if robustness:
        complete_scores(table, "robustness")
