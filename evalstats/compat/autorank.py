"""An automatic comparison with the signatures of autorank 1.3."""

from __future__ import annotations

__all__ = ["RankResult", "autorank", "create_report", "latex_table", "plot_stats"]

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._frames import data_frame
from evalstats._types import FloatArray
from evalstats.comparison.analysis import compare
from evalstats.comparison.record import Comparison
from evalstats.effects.dominance import cliffs_delta
from evalstats.effects.effect_size import EffectSizeResult
from evalstats.effects.quantiles import akinshin_gamma
from evalstats.effects.standardized import cohen_d
from evalstats.paired.ttest import paired_ttest
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

EFFECT_SIZES: dict[str, Callable[[FloatArray, FloatArray], EffectSizeResult]] = {
    "cohen_d": cohen_d,
    "cliff_delta": cliffs_delta,
    "akinshin_gamma": lambda x, y: akinshin_gamma(x, y, paired=True, n_resamples=19),
}
HEADS = {
    "meanrank": "MR",
    "mean": "M",
    "std": "SD",
    "median": "MED",
    "mad": "MAD",
    "ci_lower": "CI",
    "magnitude": "Magnitude",
    "p_equal": r"$P(\textit{equal})$",
    "p_smaller": r"$P(\textit{smaller})$",
    "decision": "Decision",
}
SYMBOLS = {"cohen_d": "$d$", "cliff_delta": r"$\delta$", "akinshin_gamma": r"$\gamma$"}
RELATIONS = ("best", "above", "both")


class RankResult(NamedTuple):
    """Result of `autorank`, with the fields of autorank.

    Attributes
    ----------
    rankdf : DataFrame
        A row for each classifier, the best first. The columns are the columns of autorank. They contain the mean rank
        (1 is the best), the mean and standard deviation (or median and median absolute deviation), and the interval.
        They also contain the effect sizes relative to the best classifier and to the classifier in the row above.
    pvalue : float or None
        p-value of the omnibus test, or of the test of two classifiers. None for the Bayesian test.
    cd : float or None
        Critical difference of the Nemenyi test, or None for any other test.
    omnibus : {'friedman', 'anova', 'wilcoxon', 'bayes'}
        Name of the test whose p-value is `pvalue`, or ``'bayes'`` for the Bayesian test.
    posthoc : {'nemenyi', 'tukeyhsd', 'bayes'} or None
        Name of the post-hoc test, or ``'bayes'``. None for two classifiers in a frequentist comparison.
    all_normal, pvals_shapiro, homoscedastic, pval_homogeneity, homogeneity_test, alpha_normality : None
        None, because the choice of the tests does not depend on a test of normality or a test of equal variances.
    alpha : float
        Significance level.
    num_samples : int
        Number of datasets.
    sample_matrix : None
        None, because evalstats does not use baycomp.
    posterior_matrix, decision_matrix : DataFrame or None
        As in autorank: the probabilities that the column is smaller than, equal to or larger than the row,
        and the decision.
    rope, rope_mode : float and str, or None
        The arguments of `autorank` with these names, or None for a frequentist comparison.
    effect_size : str
        Name of the effect size.
    force_mode : str or None
        The argument of `autorank` with this name.
    plot_order : None
        None, because the argument is not supported.
    comparison : Comparison
        The result of `compare`, for `evalstats.report` and `evalstats.plot`. autorank has no such field.
    """

    rankdf: DataFrame
    pvalue: float | None
    cd: float | None
    omnibus: str
    posthoc: str | None
    all_normal: None
    pvals_shapiro: None
    homoscedastic: None
    pval_homogeneity: None
    homogeneity_test: None
    alpha: float
    alpha_normality: None
    num_samples: int
    sample_matrix: None
    posterior_matrix: DataFrame | None
    decision_matrix: DataFrame | None
    rope: float | None
    rope_mode: str | None
    effect_size: str
    force_mode: str | None
    plot_order: None
    comparison: Comparison


def autorank(
    data: DataFrame,
    alpha: float = 0.05,
    verbose: bool = False,
    order: str = "descending",
    approach: str = "frequentist",
    rope: float = 0.1,
    rope_mode: str = "effsize",
    nsamples: int = 50000,
    effect_size: str | None = None,
    force_mode: str | None = None,
    random_state: int | None = None,
    plot_order: Sequence[str] | None = None,
) -> RankResult:
    """Compare classifiers, as `autorank.autorank` does, with the tests of evalstats.

    Three or more classifiers are compared by the Friedman test and the Nemenyi test. Two classifiers are compared by
    the two-sided Wilcoxon signed-rank test. With ``force_mode='parametric'``, three or more classifiers are compared by
    the repeated-measures analysis of variance and Tukey's test for paired scores. A test of normality never determines
    the choice of the tests.

    Parameters
    ----------
    data : DataFrame
        One row per dataset and one column per classifier.
    alpha : float, default: 0.05
        Significance level.
    verbose : bool, default: False
        Whether to print the conclusions.
    order : {'descending', 'ascending'}, default: 'descending'
        ``'descending'``: larger scores are better. ``'ascending'``: smaller scores are better.
    approach : {'frequentist', 'bayesian'}, default: 'frequentist'
        ``'bayesian'``: the posterior probabilities of `bayes_signed_rank_test`.
    rope : float, default: 0.1
        Half the width of the region of practical equivalence, in the unit of the scores. This argument is used only for
        ``'bayesian'``.
    rope_mode : {'effsize', 'absolute'}, default: 'effsize'
        Definition of `rope`. ``'bayesian'`` requires ``'absolute'``.
    nsamples : int, default: 50000
        Number of posterior draws. No other value is supported.
    effect_size : {'cohen_d', 'cliff_delta', 'akinshin_gamma'}, optional
        Effect size. Default: Cohen's d with ``force_mode='parametric'``, and Akinshin's gamma in all other cases.
    force_mode : {'parametric', 'nonparametric'}, optional
        None means ``'nonparametric'``. ``'parametric'`` requires three or more classifiers.
    random_state : int, optional
        Seed of the random numbers. None means the seed 0.
    plot_order : None
        Other values raise an error.

    Returns
    -------
    RankResult
        A named tuple with the fields of autorank, and `comparison`, the result of `compare`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If an option is unknown or not supported, or a score is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> import evalstats
    >>> from evalstats.compat.autorank import autorank
    >>> table = evalstats.example_table("demsar-2006")
    >>> result = autorank(pd.DataFrame(table.scores, columns=table.classifiers))
    >>> print(f"{result.omnibus} p = {result.pvalue:.4f}, {result.posthoc} CD = {result.cd:.4f}")
    friedman p = 0.0091, nemenyi CD = 1.2536
    >>> result.rankdf["meanrank"].round(3).to_dict()
    {'C4.5+m+cf': 1.929, 'C4.5+m': 2.0, 'C4.5+cf': 2.929, 'C4.5': 3.143}
    """
    if not hasattr(data, "columns"):
        raise InvalidTypeError(f"data must be a data frame, not {type(data).__name__}")
    order = _checks.choice(order, "order", ("descending", "ascending"))
    approach = _checks.choice(approach, "approach", ("frequentist", "bayesian"))
    if force_mode is not None:
        _checks.choice(force_mode, "force_mode", ("parametric", "nonparametric"))
    is_parametric, is_bayesian = force_mode == "parametric", approach == "bayesian"
    effect_size = ("cohen_d" if is_parametric else "akinshin_gamma") if effect_size is None else effect_size
    _checks.choice(effect_size, "effect_size", tuple(EFFECT_SIZES))
    _refuse(is_bayesian, rope_mode, nsamples, plot_order)

    names = [str(name) for name in data.columns]
    if is_parametric and len(names) == 2:
        raise InvalidValueError(
            "force_mode='parametric' requires three or more classifiers; for two classifiers, use paired_ttest"
        )
    scores = _checks.score_matrix(data.to_numpy())
    table = ScoreTable(
        scores=scores,
        datasets=tuple(str(i) for i in range(1, len(scores) + 1)),
        classifiers=tuple(names),
        greater_is_better=order == "descending",
    )
    comparison = compare(
        table,
        alpha=alpha,
        posthoc=("tukey" if is_parametric else "nemenyi") if len(names) > 2 else "auto",
        rope=rope if is_bayesian else None,
        rng=random_state,
    )
    rankdf = _ranks(comparison, effect_size, is_parametric)
    posterior = _posteriors(comparison, rankdf) if is_bayesian else (None, None)
    if verbose:
        sys.stdout.write(f"{comparison.verdict}\n")
    omnibus, posthoc, pvalue = _tests(comparison, is_parametric)
    return RankResult(
        rankdf=rankdf,
        pvalue=None if is_bayesian else pvalue,
        cd=None if is_bayesian else comparison.critical_difference,
        omnibus="bayes" if is_bayesian else omnibus,
        posthoc="bayes" if is_bayesian else posthoc,
        all_normal=None,
        pvals_shapiro=None,
        homoscedastic=None,
        pval_homogeneity=None,
        homogeneity_test=None,
        alpha=comparison.alpha,
        alpha_normality=None,
        num_samples=comparison.n_datasets,
        sample_matrix=None,
        posterior_matrix=posterior[0],
        decision_matrix=posterior[1],
        rope=rope if is_bayesian else None,
        rope_mode=rope_mode if is_bayesian else None,
        effect_size=effect_size,
        force_mode=force_mode,
        plot_order=None,
        comparison=comparison,
    )


def create_report(result: RankResult, *, decimal_places: int = 3) -> None:
    """Print the report of evalstats on a comparison.

    Parameters
    ----------
    result : RankResult
        Result of `autorank`.
    decimal_places : int, default: 3
        Number of decimals, which must be 3: the report determines the digits of each number, so other values raise an
        error.

    Examples
    --------
    >>> import pandas as pd
    >>> import evalstats
    >>> from evalstats.compat.autorank import autorank, create_report
    >>> table = evalstats.example_table("demsar-2006")
    >>> create_report(autorank(pd.DataFrame(table.scores, columns=table.classifiers)))
    Comparison of 4 classifiers on 14 datasets...
    """
    from evalstats import report

    comparison = _compared(result)
    if decimal_places != 3:
        raise InvalidValueError("decimal_places must be 3: the report determines the digits of each number")
    sys.stdout.write(report.text(comparison))


def plot_stats(
    result: RankResult, *, allow_insignificant: bool = False, ax: Axes | None = None, width: float | None = None
) -> Axes:
    """Plot the critical-difference diagram of a comparison.

    Parameters
    ----------
    result : RankResult
        Result of `autorank` with ``approach='frequentist'``.
    allow_insignificant : bool, default: False
        Whether to plot a result that is not significant.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    width : float, optional
        Width of the new figure in inches.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidValueError
        If the result is Bayesian, or if it is not significant and `allow_insignificant` is False.
    """
    from evalstats import plot

    comparison = _compared(result)
    if result.pvalue is None:
        raise InvalidValueError("plot_stats requires approach='frequentist'; see evalstats.plot.pairwise_posteriors")
    if result.pvalue > result.alpha and not allow_insignificant:
        raise InvalidValueError(
            f"the result is not significant (p = {result.pvalue:.3g}); allow_insignificant=True plots it nevertheless"
        )
    return plot.critical_difference_diagram(comparison, ax, width=width)


def latex_table(
    result: RankResult,
    *,
    decimal_places: int = 3,
    label: str | None = None,
    effect_size_relation: str = "best",
    posterior_relation: str = "best",
) -> None:
    """Print the table of the classifiers in LaTeX, with the rules of booktabs.

    Parameters
    ----------
    result : RankResult
        Result of `autorank`.
    decimal_places : int, default: 3
        Number of digits after the decimal point.
    label : str, optional
        Label of the table. Default: ``tbl:stat_results``.
    effect_size_relation, posterior_relation : {'best', 'above', 'both'}, default: 'best'
        Whether the effect sizes and the posterior probabilities are relative to the best classifier, to the row above,
        or both.
    """
    from evalstats.report.formats.latex import escaped

    _compared(result)
    digits = _checks.count(decimal_places, "decimal_places", minimum=0)
    _checks.choice(effect_size_relation, "effect_size_relation", RELATIONS)
    _checks.choice(posterior_relation, "posterior_relation", RELATIONS)
    relations = {"effect_size": effect_size_relation, "magnitude": effect_size_relation}
    columns = {}
    for name, values in ((str(column), result.rankdf[column]) for column in result.rankdf):
        if name == "ci_upper":
            continue
        root, is_above = name.removesuffix("_above"), name.endswith("_above")
        is_relative = f"{root}_above" in result.rankdf
        relation = relations.get(root, posterior_relation)
        if is_relative and relation == ("best" if is_above else "above"):
            continue
        cells = [_cell(value, digits) for value in values]
        if name == "ci_lower":
            high = (_cell(value, digits) for value in result.rankdf["ci_upper"])
            cells = [f"[{a}, {b}]" for a, b in zip(cells, high, strict=True)]
        which = f" ({'above' if is_above else 'best'})" if is_relative and relation == "both" else ""
        columns[(HEADS | {"effect_size": SYMBOLS[result.effect_size]})[root] + which] = cells
    rows = [
        f"{' & '.join([escaped(str(classifier)), *(column[i] for column in columns.values())])} \\\\"
        for i, classifier in enumerate(result.rankdf.index)
    ]
    lines = [
        r"\begin{table}[h]",
        r"\centering",
        rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
        r"\toprule",
        f" & {' & '.join(columns)} \\\\",
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
        r"\caption{Summary of populations}",
        rf"\label{{{'tbl:stat_results' if label is None else label}}}",
        r"\end{table}",
    ]
    sys.stdout.write("\n".join(lines) + "\n")


def _refuse(is_bayesian: bool, rope_mode: str, nsamples: int, plot_order: Sequence[str] | None) -> None:
    """Raise an error for options that evalstats does not support."""
    _checks.choice(rope_mode, "rope_mode", ("effsize", "absolute"))
    if is_bayesian and rope_mode == "effsize":
        raise InvalidValueError(
            "rope_mode='effsize' is not supported, because the rope would then differ between pairs; pass rope in the "
            "unit of the scores, with rope_mode='absolute'"
        )
    if nsamples != 50000:
        raise InvalidValueError(f"nsamples must be 50000, not {short(nsamples)}")
    if plot_order is not None:
        raise InvalidValueError("plot_order must be None: the plots are in the order of the mean ranks")


def _tests(comparison: Comparison, is_parametric: bool) -> tuple[str, str | None, float]:
    """Return the names of the tests in autorank, and the p-value of the omnibus test."""
    assert comparison.leading is not None
    names = ("anova", "tukeyhsd") if is_parametric else ("friedman", "nemenyi")
    return *(names if comparison.n_classifiers > 2 else ("wilcoxon", None)), float(comparison.leading.pvalue)


def _ranks(comparison: Comparison, effect_size: str, is_parametric: bool) -> DataFrame:
    """Return the table of the classifiers, the best first."""
    columns = [comparison.table.scores[:, comparison.table.position(name)] for name in comparison.ranking]
    level = 1 - comparison.alpha / len(columns)
    effects = [EFFECT_SIZES[effect_size](columns[0], column) for column in columns]
    above = [EFFECT_SIZES[effect_size](columns[max(i - 1, 0)], column) for i, column in enumerate(columns)]
    rows = [_center(column, level, is_parametric) for column in columns]
    center, spread = ("mean", "std") if is_parametric else ("median", "mad")
    return data_frame(
        {
            "meanrank": [comparison.mean_rank(name) for name in comparison.ranking],
            **dict(zip((center, spread, "ci_lower", "ci_upper"), zip(*rows, strict=True), strict=True)),
            **_sizes("", effects),
            **_sizes("_above", above),
        },
        index=list(comparison.ranking),
    )


def _sizes(relation: str, effects: Sequence[EffectSizeResult]) -> dict[str, list[Any]]:
    return {
        f"effect_size{relation}": [float(effect.estimate) for effect in effects],
        f"magnitude{relation}": [str(effect.magnitude) for effect in effects],
    }


def _center(values: FloatArray, level: float, is_parametric: bool) -> tuple[float, float, float, float]:
    """Return center, spread and interval, by Student's t for the mean and by order statistics for the median."""
    if is_parametric:
        low, high = paired_ttest(values, np.zeros_like(values)).confidence_interval(level)
        return float(values.mean()), float(values.std(ddof=1)), float(low), float(high)
    from scipy.stats import median_abs_deviation, quantile_test

    order: Any = quantile_test(values, p=0.5)
    low, high = order.confidence_interval(level)
    return float(np.median(values)), float(median_abs_deviation(values)), float(low), float(high)


def _posteriors(comparison: Comparison, rankdf: DataFrame) -> tuple[DataFrame, DataFrame]:
    """Return the matrices of probabilities and decisions, and add the values of each row to the table."""
    names, is_greater = list(comparison.ranking), comparison.table.greater_is_better
    found: dict[tuple[int, int], tuple[float, float, float]] = {}
    assert comparison.posteriors is not None
    for pair in comparison.posteriors.pairs:
        better, worse = (names.index(name) for name in (pair.first, pair.second))
        smaller, larger = (pair.p_better, pair.p_worse) if is_greater else (pair.p_worse, pair.p_better)
        found[better, worse] = (smaller, pair.p_equivalent, larger)
        found[worse, better] = (larger, pair.p_equivalent, smaller)
    decided = {places: _decision(found[places], comparison.alpha) for places in found}
    for relation, steps in (("", range(1, len(names))), ("_above", [1] * (len(names) - 1))):
        places = [(i - step, i) for i, step in enumerate(steps, start=1)]
        rankdf[f"p_equal{relation}"] = [np.nan, *(found[place][1] for place in places)]
        rankdf[f"p_smaller{relation}"] = [np.nan, *(found[place][0] for place in places)]
        rankdf[f"decision{relation}"] = ["NA", *(decided[place] for place in places)]
    upper = {place: triple for place, triple in found.items() if place[0] < place[1]}
    return _square(names, upper), _square(names, decided)


def _square(names: list[str], values: Mapping[tuple[int, int], Any]) -> DataFrame:
    """Return a matrix with the names of the classifiers, and nan for pairs without a value."""
    cells = [[values.get((i, j), np.nan) for j in range(len(names))] for i in range(len(names))]
    return data_frame(cells, index=names, columns=names, dtype=object)


def _decision(probabilities: tuple[float, float, float], alpha: float) -> str:
    words = ("smaller", "equal", "larger")
    return next((word for word, p in zip(words, probabilities, strict=True) if p >= 1 - alpha), "inconclusive")


def _compared(result: Any) -> Comparison:
    if not isinstance(result, RankResult):
        raise InvalidTypeError(f"result must be a RankResult of autorank, not {type(result).__name__}")
    return result.comparison


def _cell(value: Any, digits: int) -> str:
    if isinstance(value, str):
        return "-" if value == "NA" else value
    return "-" if np.isnan(value) else f"{value:.{digits}f}"
