"""What follows for models that answered the same questions of one or several benchmarks?"""

from __future__ import annotations

__all__ = ["compare_questions"]

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._findings import Finding, gravest_first
from evalstats._ranks import compared, rounded
from evalstats._types import AnyArray, FloatArray, IndexArray
from evalstats.adjustment.pair_indexing import adjusted_family
from evalstats.comparison.pair import BenchmarkDifference, Pair
from evalstats.comparison.ranking import ModelScore
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import TESTS_ON_QUESTIONS
from evalstats.comparison.result_building import decisions, given
from evalstats.comparison.validity import (
    Replacement,
    Validity,
    cannot_reach,
    few_clusters_words,
    has_few_clusters,
    lacks_pvalue,
    limits_apart,
    no_interval_finding,
    replaced_words,
    replacement,
    unlike_models_finding,
    untested,
)
from evalstats.design.attainable import minimum_sample_size
from evalstats.metrics.cluster_variance import Clusters, understand_clusters
from evalstats.metrics.clustered import clustered_mean
from evalstats.paired.clustered import clustered_permutation_test, clustered_ttest
from evalstats.tables.items import ItemScores
from evalstats.tables.score_table import ScoreTable

NUMBERS_AT_ONCE = 2**22
OF_T = (
    *("mean_difference", "standard_error", "statistic", "df", "pvalue"),
    *("stratum_differences", "stratum_standard_errors"),
)
OF_SIGNS = ("statistic", "pvalue", "min_attainable_pvalue")


class _Asked(NamedTuple):
    """Who is compared with whom, on what, and how."""

    table: ScoreTable
    items: ItemScores
    control: int | None
    alpha: float
    average: str
    adjust: str
    groups: AnyArray
    strata: AnyArray

    @property
    def clusters(self) -> dict[str, Any]:
        return {"clusters": self.groups, "strata": self.strata, "average": self.average}


def compare_questions(
    table: ScoreTable,
    over_benchmarks: Comparison | None,
    *,
    control: int | None,
    alpha: float,
    average: str,
    adjust: str,
    tie_tolerance: float,
    n_resamples: int | None,
    rng: Any,
) -> Comparison:
    """Compare the models of a table of answers to questions, question by question."""
    items = table._items
    assert items is not None
    if len(items.items) < 2:
        raise InvalidValueError("models are compared by their answers to 2 or more questions, but the table holds 1")
    groups = np.arange(len(items.items)) if items.cluster is None else items.cluster
    asked = _Asked(table, items, control, alpha, average, adjust, groups, items.stratum)
    clusters = understand_clusters(groups, items.stratum, average, len(groups))
    of_models = _models(asked)
    sign = 1 if table.greater_is_better else -1
    scores = rounded(np.array([one.score for one in of_models]), tie_tolerance)
    order = np.argsort(-sign * scores, kind="stable").tolist()
    compared_with = (
        list(itertools.combinations(order, 2)) if control is None else [(a, control) for a in order if a != control]
    )
    choices = {"n_resamples": 9999 if n_resamples is None else n_resamples, "rng": rng}
    pairs, smallest, replaced = _pairs(asked, compared_with, has_few_clusters(clusters), tie_tolerance, choices)
    by_signs = smallest is not None
    pvalues = np.array([pair.pvalue for pair in pairs])
    attainable = None
    if smallest is not None:  # where every pair has it
        first, second = np.array(compared_with).T
        attainable = float(np.nanmin(_adjusted(np.full(len(pairs), smallest), first, second, asked)))
    validity = Validity(
        n_effective=None if items.cluster is None else clusters.effective,
        replacements=replaced,
        untested=untested(table.classifiers, compared_with, pvalues),
        min_attainable_pvalue=attainable,
        out_of_reach=cannot_reach(attainable, alpha),
    )
    shown = [pair.different for pair in pairs]
    ahead = sign * np.array([pair.difference for pair in pairs])
    return Comparison(
        table=table,
        design="questions",
        control=None if control is None else table.classifiers[control],
        alpha=alpha,
        tie_tolerance=tie_tolerance,
        average=average,
        n_questions=len(items.items),
        n_clusters=int(clusters.n_clusters.sum()),
        n_benchmarks=len(table.datasets),
        n_samples=(int(items.n_samples.min()), int(items.n_samples.max())),
        columns=items.columns,
        pair_test="clustered_permutation_test" if by_signs else "clustered_ttest",
        adjustment=adjust if len(pairs) > 1 else "none",
        ranking=tuple(table.classifiers[i] for i in order),
        significant=any(shown),
        min_attainable_pvalue=smallest,
        **decisions(table, control, compared_with, shown, ahead, order),
        models=tuple(of_models[i] for i in order),
        notes=(),
        over_benchmarks=over_benchmarks,
        validity=validity,
        findings=gravest_first([*table.findings, *_findings(asked, clusters, smallest, validity, pairs)]),
        _compared=compared_with,
        _pvalues=partial(given, pvalues),
        _pairs=partial(_at, pairs),
        _advice=partial(given, None),
    )


def _at(pairs: tuple[Pair, ...], places: Sequence[int]) -> tuple[Pair, ...]:
    return tuple(pairs[i] for i in places)


def _models(asked: _Asked) -> list[ModelScore]:
    """Return each model with its score, in the order of the table."""
    found = clustered_mean(asked.items.scores.T, **asked.clusters)
    low, high = found.confidence_interval(1 - asked.alpha)
    between = _share_between(asked.items)
    names = asked.table.datasets
    return [
        ModelScore(
            classifier=classifier,
            score=float(found.estimate[j]),
            standard_error=float(found.standard_error[j]),
            low=float(low[j]),
            high=float(high[j]),
            design_effect=float(found.design_effect[j]),
            intraclass_correlation=float(between[j]),
            benchmarks=dict(zip(names, asked.table.scores[:, j].tolist(), strict=True)),
        )
        for j, classifier in enumerate(asked.table.classifiers)
    ]


def _share_between(items: ItemScores) -> FloatArray:
    """Return the share of the variance of an answer that lies between the questions of a benchmark.

    One-way random effects in each benchmark, by the mean squares within and between questions (Searle et al. 1992,
    section 3.6), pooled over benchmarks; a negative estimate is 0.
    """
    m = items.n_samples.astype(np.float64)
    within = between = np.zeros(m.shape[1])
    df_within, df_between, size = 0.0, 0.0, 0.0
    for stratum in range(items.stratum.max() + 1):
        own = items.stratum == stratum
        counts, scores = m[own], items.scores[own]
        total = counts.sum(axis=0)
        mean = (counts * scores).sum(axis=0) / total
        within = within + items.within[own].sum(axis=0)
        between = between + (counts * (scores - mean) ** 2).sum(axis=0)
        df_within = df_within + (total - own.sum())
        df_between = df_between + (own.sum() - 1)
        size = size + (total - (counts**2).sum(axis=0) / total)
    with np.errstate(divide="ignore", invalid="ignore"):
        ms_within = within / df_within
        variance_between = np.maximum((between - df_between * ms_within) / size, 0)
        share = variance_between / (variance_between + ms_within)
    return np.where(df_within > 0, share, np.nan)


def _pairs(
    asked: _Asked,
    compared_with: Sequence[tuple[int, int]],
    by_signs: bool,
    tie_tolerance: float,
    choices: dict[str, Any],
) -> tuple[tuple[Pair, ...], float | None, tuple[Replacement, ...]]:
    first, second = np.array(compared_with).T
    common = {"tie_tolerance": tie_tolerance, **asked.clusters}
    t = _Tests.of(asked, first, second, clustered_ttest, OF_T, common)
    replaced: tuple[Replacement, ...] = ()
    if not by_signs and lacks_pvalue(t.fields["pvalue"]):
        usual, instead = TESTS_ON_QUESTIONS["clustered_ttest"], TESTS_ON_QUESTIONS["clustered_permutation_test"]
        replaced = (replacement("pairs", usual.words, instead.words, t.reasons),)
        by_signs = True
    tests = _Tests.of(asked, first, second, clustered_permutation_test, OF_SIGNS, common | choices) if by_signs else t
    low, high = limits_apart(tests.low, tests.high, tie_tolerance)
    unadjusted = tests.fields["pvalue"]
    pvalues = _adjusted(unadjusted, first, second, asked)
    by_model, names = asked.items.scores.T, asked.table.classifiers
    benchmarks = [asked.table.datasets[s] for s in dict.fromkeys(asked.strata.tolist())]
    found = []
    for at, (i, j) in enumerate(compared_with):
        ahead = compared(by_model[i], by_model[j], tie_tolerance) * (1 if asked.table.greater_is_better else -1)
        found.append(
            Pair(
                first=names[i],
                second=names[j],
                difference=float(t.fields["mean_difference"][at]),
                standard_error=float(t.fields["standard_error"][at]),
                low=float(low[at]),
                high=float(high[at]),
                statistic=float(tests.fields["statistic"][at]),
                df=None if by_signs else float(t.fields["df"][at]),
                pvalue=float(pvalues[at]),
                unadjusted_pvalue=float(unadjusted[at]),
                different=bool(pvalues[at] <= asked.alpha),
                n_wins=int((ahead > 0).sum()),
                n_ties=int((ahead == 0).sum()),
                n_losses=int((ahead < 0).sum()),
                benchmarks=tuple(
                    BenchmarkDifference(benchmark=name, difference=float(d), standard_error=float(error))
                    for name, d, error in zip(
                        benchmarks,
                        t.fields["stratum_differences"][at],
                        t.fields["stratum_standard_errors"][at],
                        strict=True,
                    )
                ),
            )
        )
    return tuple(found), float(tests.fields["min_attainable_pvalue"].min()) if by_signs else None, replaced


class _Tests(NamedTuple):
    """What a test says of each pair."""

    fields: dict[str, AnyArray]
    low: FloatArray
    high: FloatArray
    reasons: list[Any]

    @classmethod
    def of(
        cls,
        asked: _Asked,
        first: IndexArray,
        second: IndexArray,
        test: Callable[..., Any],
        fields: tuple[str, ...],
        choices: dict[str, Any],
    ) -> _Tests:
        """Test the pairs, as many at a time as fit into memory."""
        by_model = asked.items.scores.T
        n_blocks = 1 + first.size * by_model.shape[1] // NUMBERS_AT_ONCE
        results = [
            test(by_model[i], by_model[j], **choices)
            for i, j in zip(np.array_split(first, n_blocks), np.array_split(second, n_blocks), strict=True)
            if i.size
        ]
        limits = [tuple(result.confidence_interval(1 - asked.alpha)) for result in results]
        low, high = (np.concatenate(side) for side in zip(*limits, strict=True))
        return cls(
            {name: np.concatenate([getattr(result, name) for result in results]) for name in fields},
            low,
            high,
            [reason for result in results for reason in np.ravel(np.asarray(result.reason, dtype=object)).tolist()],
        )


def _adjusted(unadjusted: FloatArray, first: IndexArray, second: IndexArray, asked: _Asked) -> FloatArray:
    """Adjust the p-values for all pairs that are compared."""
    k = len(asked.table.classifiers)
    if len(unadjusted) == 1:
        return unadjusted
    if asked.control is None:
        matrix = np.ones((k, k))
        matrix[first, second] = matrix[second, first] = unadjusted
        return np.asarray(adjusted_family(matrix, asked.adjust, None)[first, second])
    row = np.full(k, np.nan)
    row[first] = unadjusted
    return np.asarray(adjusted_family(row, asked.adjust, asked.control)[first])


def _few_words(clusters: Clusters, smallest: float) -> str:
    """Say why the signs of the clusters are tried, and what they can show."""
    why = few_clusters_words(clusters, ("question", "benchmark"))
    why = f"{why[0].upper()}{why[1:]}"
    if clusters.n_clusters.sum() == 1:
        return f"{why}: there is no standard error and no interval, and no difference can be shown."
    return f"{why}: their signs are tried instead, and no p-value below {smallest:.3g} was possible before adjustment."


def _findings(
    asked: _Asked, clusters: Clusters, smallest: float | None, validity: Validity, pairs: Sequence[Pair]
) -> list[Finding]:
    """Return what the design cannot show, and which test stands in the place of another."""
    found = [
        Finding(
            code="test-replaced",
            severity="note",
            sentence=replaced_words(one),
        )
        for one in validity.replacements
    ]
    if smallest is not None and not validity.replacements:
        severity = "warning" if smallest > asked.alpha else "note"
        found.append(Finding(code="few-clusters", severity=severity, sentence=_few_words(clusters, smallest)))
    unit = "question" if asked.items.cluster is None else "cluster"
    alike = [(pair.first, pair.second) for pair in pairs if np.isnan(pair.low) and not np.isnan(pair.pvalue)]
    if lacking := no_interval_finding(alike, unit):
        found.append(lacking)
    are_clustered = asked.items.cluster is not None
    if are_clustered and any(pair.different for pair in pairs) and (unlike := unlike_models_finding(clusters)):
        found.append(unlike)
    if asked.items.cluster is None:
        words = (
            "Each question is taken as independent of the others. If questions share a passage, a document or a user, "
            "name that column as the cluster: standard errors are too small otherwise."
        )
        found.append(Finding(code="questions-independent", severity="note", sentence=words))
    n, enough = len(asked.table.datasets), minimum_sample_size("wilcoxon", alpha=asked.alpha).n
    if 1 < n < enough:
        words = (
            f"{n} benchmarks are too few to tell two models apart on benchmarks of this kind: a two-sided signed-rank "
            f"test over benchmarks needs {enough} to reach {asked.alpha:g}."
        )
        found.append(Finding(code="few-benchmarks", severity="warning", sentence=words))
    return found
