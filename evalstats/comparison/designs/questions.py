"""Questions of one or more benchmarks as the sample, with their clusters, and tests by betting on them."""

from __future__ import annotations

__all__ = ["BETTING", "DESIGN", "MOST_SORTED", "PairBets", "sorted_by"]

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from evalstats._errors import InvalidValueError, short
from evalstats._findings import Finding, gravest_first
from evalstats._ranks import compared as compared_scores
from evalstats._types import AnyArray, FloatArray, IndexArray
from evalstats.comparison import validity
from evalstats.comparison.designs import design
from evalstats.comparison.ranking import BenchmarkDifference, ModelScore, RankedPairs
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import TESTS_OF_DIFFERENCES
from evalstats.design.attainable import minimum_sample_size
from evalstats.metrics.cluster_variance import Clusters, understand_clusters
from evalstats.metrics.clustered import clustered_mean
from evalstats.paired.betting import betting_test
from evalstats.paired.clustered import clustered_permutation_test, clustered_ttest
from evalstats.pairwise.betting import pairwise_betting_test
from evalstats.tables.items import QuestionScores

BETTING = "betting"
# correlation of correct answers with their position, in standard errors: a random order exceeds it in one comparison
# of a million
MOST_SORTED = 5.0
IN_ORDER = (
    "A step is a {step}, in the natural order of the names of the questions. New questions must come last in this "
    "order, and the order must not depend on the answers. The intervals of individual models are valid "
    "only for a single analysis."
)


class PairBets(NamedTuple):
    """Adjusted p-values of the pairs, the other columns of the pairs, the adjustment, and findings on the validity."""

    pvalue: FloatArray
    columns: dict[str, AnyArray | None]
    adjustment: str
    findings: tuple[Finding, ...]


def _bets_of_pairs(question: design.Question, items: QuestionScores, compared: RankedPairs) -> PairBets:
    """Test the compared pairs of models by betting on the questions, or on the means of the clusters of questions.

    For several benchmarks, the score at a step is the mean over the next question or cluster of each benchmark. The
    average must then be ``'macro'``.
    """
    steps, step = _steps(items, question.average)
    for name, values in zip(question.table.classifiers, steps.T, strict=True):
        if abs(z := sorted_by(values)) > MOST_SORTED:
            raise InvalidValueError(
                f"posthoc='betting' requires questions in random order, but the correct answers of {short(name)} come "
                f"{'last' if z > 0 else 'first'} in the order of the names of the questions"
            )
    adjust = question.adjust or "e-holm"
    choices: dict[str, Any] = {"alpha": question.alpha, "tie_tolerance": question.tie_tolerance}
    result = pairwise_betting_test(steps, control=question.control, adjust=adjust, **choices)
    first, second = compared.sides()
    at = (first, second) if question.control is None else (first,)
    single = betting_test(steps.T[first], steps.T[second], **choices)
    low, high = single.confidence_interval(1 - question.alpha)
    columns: dict[str, AnyArray | None] = {
        "statistic": result.e_value[at],
        "unadjusted_pvalue": result.unadjusted_pvalue[at],
        "difference": (steps.T[first] - steps.T[second]).mean(axis=-1),
        "standard_error": None,
        "low": low,
        "high": high,
        "df": None,
    }
    told = [("order-of-questions", IN_ORDER.format(step=step))]
    if result.caution is not None:
        told.append(("current-e-values", f"The false discovery rate is {result.caution}."))
    findings = tuple(Finding(code=code, severity="note", sentence=sentence) for code, sentence in told)
    return PairBets(result.pvalue[at], columns, adjust, findings)


def sorted_by(values: Any) -> float:
    """Return the correlation between values and their positions, in units of its standard error."""
    n = len(values)
    place = np.arange(n) - (n - 1) / 2
    centered = values - np.mean(values)
    spread = math.sqrt(float(np.sum(centered**2) * np.sum(place**2)))
    return float(np.sum(centered * place)) / spread * math.sqrt(n - 1) if spread else 0.0


def _steps(items: QuestionScores, average: str | None) -> tuple[FloatArray, str]:
    """Return the scores of the models at each step, of shape (n_steps, n_models), and the noun for a step."""
    scores, low, high = items.scores, float(items.scores.min()), float(items.scores.max())
    if low < 0 or high > 1:
        worst = low if low < 0 else high
        raise InvalidValueError(f"posthoc='betting' requires scores between 0 and 1, but the scores contain {worst:g}")
    parts = []
    for benchmark in range(int(items.benchmark.max()) + 1):
        own = items.benchmark == benchmark
        if items.cluster is None:
            parts.append(scores[own])
            continue
        codes = {cluster: code for code, cluster in enumerate(dict.fromkeys(items.cluster[own].tolist()))}
        of_question = np.array([codes[cluster] for cluster in items.cluster[own].tolist()])
        sizes = np.bincount(of_question)[:, None]
        parts.append(np.stack([np.bincount(of_question, column) for column in scores[own].T], axis=1) / sizes)
    unit = "question" if items.cluster is None else "cluster of questions of any size"
    if len(parts) == 1:
        return parts[0], unit
    if average == "micro":
        raise InvalidValueError(
            "posthoc='betting' requires average='macro' over benchmarks, because each step uses one question from "
            "every benchmark"
        )
    n = min(len(part) for part in parts)
    return np.mean([part[:n] for part in parts], axis=0), f"{unit}, from each benchmark"


NUMBERS_AT_ONCE = 2**22
# the tests that adjust the p-values of all pairs jointly
MAX_T = "max-t"
RANGE = "range"
OF_T = (
    *("mean_difference", "standard_error", "statistic", "df", "pvalue"),
    *("stratum_differences", "stratum_standard_errors"),
)
OF_SIGNS = ("statistic", "pvalue", "min_attainable_pvalue")


class _Answers(NamedTuple):
    """Answers to the questions of a table, with their clusters and benchmarks."""

    question: design.Question
    items: QuestionScores
    clusters: Clusters
    groups: AnyArray

    @classmethod
    def of(cls, question: design.Question) -> _Answers:
        """Return the answers in the table of a question, or raise an error for fewer than two questions."""
        items = question.table._items
        assert items is not None
        n = len(items.questions)
        if n < 2:
            raise InvalidValueError(
                "models are compared by their answers to 2 or more questions, but the table holds 1"
            )
        groups = np.arange(n) if items.cluster is None else items.cluster
        return cls(question, items, understand_clusters(groups, items.benchmark, question.average, n), groups)

    @property
    def choices(self) -> dict[str, Any]:
        """Arguments of every cluster-robust statistic."""
        return {"clusters": self.groups, "strata": self.items.benchmark, "average": self.question.average}


def _test(question: design.Question) -> design.Answer:
    answers = _Answers.of(question)
    table, items, clusters = question.table, answers.items, answers.clusters
    models = _models(answers)
    scores = np.array([one.score for one in models])
    order = design.order_of(scores, greater_is_better=table.greater_is_better, tie_tolerance=question.tie_tolerance)
    compared = RankedPairs(order, question.control)

    def run(name: str) -> _OfPairs:
        return _OfPairs.of(answers, compared, *_TESTS[name](question))

    t = run("clustered_ttest")
    replaced: tuple[validity.Replacement, ...] = ()
    if validity.has_few_clusters(clusters):
        name, tests = "clustered_permutation_test", run("clustered_permutation_test")
    else:
        known = {"clustered_ttest": t}
        name, tests, replaced = validity.valid_test(
            "pairs", TESTS_OF_DIFFERENCES, "clustered_ttest", lambda one: known.get(one) or run(one)
        )
    smallest = attainable = None
    if by_signs := name == "clustered_permutation_test":
        smallest = float(tests.fields["min_attainable_pvalue"].min())  # if every pair has it
        attainable = float(np.nanmin(_adjusted(np.full(len(compared), smallest), question, compared)))
    adjusted = _adjusted(tests.pvalue, question, compared)
    columns = _columns(answers, compared, t, tests, by_signs)
    drawn: tuple[Finding, ...] = ()
    adjustment: str | None = None
    if question.posthoc in (MAX_T, RANGE):
        name = RANGE if question.posthoc == RANGE else "pairwise_max_t_test"
        replaced, adjustment = (), "single-step"
        adjusted, smallest, of_max_t, drawn = _by_max_t(answers, compared)
        attainable, columns = smallest, columns | of_max_t
    if question.posthoc == BETTING:
        name, replaced, smallest, attainable = "pairwise_betting_test", (), None, None
        bets = _bets_of_pairs(question, items, compared)
        adjusted, columns, drawn, adjustment = bets.pvalue, columns | bets.columns, bets.findings, bets.adjustment
    tested = design.by_differences(
        question,
        compared,
        order,
        adjusted,
        columns,
        pair_test=name,
        min_attainable_pvalue=smallest,
        smallest_of_pair=attainable,
        replaced=replaced,
        n_effective=None if items.cluster is None else clusters.effective,
    )
    if adjustment is not None and len(compared) > 1:
        tested = tested._replace(adjustment=adjustment)
    found = [*drawn, *_findings(answers, smallest, tested, columns, adjusted)]
    fields = {
        "average": question.average,
        "n_questions": len(items.questions),
        "n_clusters": int(clusters.n_clusters.sum()),
        "n_benchmarks": len(table.datasets),
        "n_samples": (int(items.n_samples.min()), int(items.n_samples.max())),
        "columns": items.columns,
        "models": tuple(models[i] for i in order),
        "findings": gravest_first([*table.findings, *found]),
    }
    return tested._replace(fields=fields)


# --- the models -------------------------------------------------------------------------------------------------------


def _models(answers: _Answers) -> list[ModelScore]:
    """Return the score of each model with its interval, in the order of the table."""
    table, items = answers.question.table, answers.items
    found = clustered_mean(items.scores.T, **answers.choices)
    low, high = found.confidence_interval(1 - answers.question.alpha)
    between = _share_between(items)
    return [
        ModelScore(
            classifier=classifier,
            score=float(found.estimate[j]),
            standard_error=float(found.standard_error[j]),
            low=float(low[j]),
            high=float(high[j]),
            design_effect=float(found.design_effect[j]),
            intraclass_correlation=float(between[j]),
            benchmarks=dict(zip(table.datasets, table.scores[:, j].tolist(), strict=True)),
        )
        for j, classifier in enumerate(table.classifiers)
    ]


def _share_between(items: QuestionScores) -> FloatArray:
    """Return the proportion of the variance of an answer that is between the questions of a benchmark.

    The model has one-way random effects in each benchmark. The mean squares within and between questions (Searle et al.
    1992, section 3.6) are pooled over benchmarks. A negative estimate is set to 0.
    """
    m = items.n_samples.astype(np.float64)
    within = between = np.zeros(m.shape[1])
    df_within, df_between, size = 0.0, 0.0, 0.0
    for stratum in range(items.benchmark.max() + 1):
        own = items.benchmark == stratum
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


# --- the pairs --------------------------------------------------------------------------------------------------------


def _by_t(question: design.Question) -> tuple[Callable[..., Any], tuple[str, ...], dict[str, Any]]:
    return clustered_ttest, OF_T, {"tie_tolerance": question.tie_tolerance}


def _by_signs(question: design.Question) -> tuple[Callable[..., Any], tuple[str, ...], dict[str, Any]]:
    n = design.N_RESAMPLES if question.n_resamples is None else question.n_resamples
    return clustered_permutation_test, OF_SIGNS, {**_by_t(question)[2], "n_resamples": n, "rng": question.rng}


_TESTS = {"clustered_ttest": _by_t, "clustered_permutation_test": _by_signs}


class _OfPairs(NamedTuple):
    """Results of a test for each pair."""

    fields: dict[str, AnyArray]
    low: FloatArray
    high: FloatArray
    reason: list[Any]

    @property
    def pvalue(self) -> FloatArray:
        """Unadjusted p-value of each pair."""
        return self.fields["pvalue"]

    @classmethod
    def of(
        cls,
        answers: _Answers,
        compared: RankedPairs,
        test: Callable[..., Any],
        fields: tuple[str, ...],
        choices: dict[str, Any],
    ) -> _OfPairs:
        """Test the pairs in batches that fit into memory."""
        by_model, (first, second) = answers.items.scores.T, compared.sides()
        n_blocks = 1 + first.size * by_model.shape[1] // NUMBERS_AT_ONCE
        results = [
            test(by_model[i], by_model[j], **choices, **answers.choices)
            for i, j in zip(np.array_split(first, n_blocks), np.array_split(second, n_blocks), strict=True)
            if i.size
        ]
        limits = [tuple(result.confidence_interval(1 - answers.question.alpha)) for result in results]
        low, high = (np.concatenate(side) for side in zip(*limits, strict=True))
        return cls(
            {name: np.concatenate([getattr(result, name) for result in results]) for name in fields},
            low,
            high,
            [reason for result in results for reason in np.ravel(np.asarray(result.reason, dtype=object)).tolist()],
        )


def _by_max_t(
    answers: _Answers, compared: RankedPairs
) -> tuple[FloatArray, float, dict[str, AnyArray | None], tuple[Finding, ...]]:
    """Return the p-values, the minimum attainable p-value, the columns and the resamples of a joint test."""
    from evalstats.pairwise.max_t import pairwise_max_t_test

    question = answers.question
    choices, what = {**_by_signs(question)[2], **answers.choices}, "sign assignments"
    if question.posthoc == RANGE:
        choices["method"] = RANGE
        what = "permutations within questions" if answers.items.cluster is None else "permutations within clusters"
    result = pairwise_max_t_test(answers.items.scores, control=question.control, **choices)
    first, second = compared.sides()
    at = (first, second) if question.control is None else (first,)
    columns: dict[str, AnyArray | None] = {
        "statistic": result.statistic[at],
        "unadjusted_pvalue": result.unadjusted_pvalue[at],
        "df": None,
    }
    drawn: tuple[Finding, ...] = ()
    if result.n_resamples is not None:
        seed = "" if result.seed is None else f" (seed {result.seed})"
        words = f"The p-values of the pairs are simulated from {result.n_resamples:,} random {what}{seed}; "
        words += "a different seed gives slightly different p-values."
        drawn = (Finding(code="simulated", severity="note", sentence=words),)
    return result.pvalue[at], float(result.min_attainable_pvalue), columns, drawn


def _adjusted(unadjusted: FloatArray, question: design.Question, compared: RankedPairs) -> FloatArray:
    # tests by betting adjust e-values, by methods that p-values do not have
    adjust = "none" if question.posthoc == BETTING else question.adjustment
    return design.adjusted_pairs(unadjusted, compared, question.k, question.control, adjust)


def _columns(
    answers: _Answers, compared: RankedPairs, t: _OfPairs, tests: _OfPairs, by_signs: bool
) -> dict[str, AnyArray | None]:
    low, high = validity.limits_apart(tests.low, tests.high, answers.question.tie_tolerance)
    columns: dict[str, AnyArray | None] = {
        "statistic": tests.fields["statistic"],
        "unadjusted_pvalue": tests.pvalue,
        "difference": t.fields["mean_difference"],
        "standard_error": t.fields["standard_error"],
        "low": low,
        "high": high,
        "df": None if by_signs else t.fields["df"],
        "benchmarks": _of_benchmarks(answers, t),
    }
    return columns | _counts(answers, *compared.sides())


def _of_benchmarks(answers: _Answers, t: _OfPairs) -> AnyArray:
    """Return the differences of each pair on each benchmark, with their standard errors."""
    names = [answers.question.table.datasets[s] for s in dict.fromkeys(answers.items.benchmark.tolist())]
    found = np.empty(len(t.pvalue), dtype=object)
    both = t.fields["stratum_differences"].tolist(), t.fields["stratum_standard_errors"].tolist()
    for at, (differences, errors) in enumerate(zip(*both, strict=True)):
        found[at] = tuple(
            BenchmarkDifference(benchmark=name, difference=d, standard_error=error)
            for name, d, error in zip(names, differences, errors, strict=True)
        )
    return found


def _counts(answers: _Answers, first: IndexArray, second: IndexArray) -> dict[str, AnyArray]:
    """Count the questions on which the first model of each pair is better, equal and worse."""
    table, by_model, found = answers.question.table, answers.items.scores.T, np.empty((first.size, 3), dtype=int)
    for at, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        ahead = compared_scores(*design.ahead_of(by_model[i], by_model[j], table), answers.question.tie_tolerance)
        found[at] = (ahead > 0).sum(), (ahead == 0).sum(), (ahead < 0).sum()
    return dict(zip(("n_wins", "n_ties", "n_losses"), found.T, strict=True))


# --- limits of the design ---------------------------------------------------------------------------------------------


def _findings(
    answers: _Answers, smallest: float | None, tested: design.Answer, columns: dict[str, Any], pvalues: FloatArray
) -> Iterator[Finding]:
    """Yield the findings about replaced tests, few clusters and missing intervals."""
    alpha, names, items = answers.question.alpha, answers.question.table.classifiers, answers.items
    for one in tested.replaced:
        yield Finding(code="test-replaced", severity="note", sentence=validity.replaced_words(one))
    says_little = answers.question.posthoc not in (MAX_T, RANGE) or (smallest is not None and smallest > alpha)
    if smallest is not None and not tested.replaced and says_little:
        severity = "warning" if smallest > alpha else "note"
        yield Finding(code="few-clusters", severity=severity, sentence=_few_words(answers.clusters, smallest))
    is_alike = np.isnan(columns["low"]) & ~np.isnan(pvalues)
    alike = [(names[a], names[b]) for a, b in (tested.compared[i] for i in np.flatnonzero(is_alike).tolist())]
    if lacking := validity.no_interval_finding(alike, "question" if items.cluster is None else "cluster"):
        yield lacking
    if items.cluster is None:
        words = (
            "The questions are treated as independent. If questions share a passage, a document or a user, name the "
            "column of the shared unit as the cluster. Without clusters, the standard errors are then too small."
        )
        yield Finding(code="questions-independent", severity="note", sentence=words)
    elif (pvalues <= alpha).any() and (unlike := validity.unlike_models_finding(answers.clusters)):
        yield unlike
    n, enough = len(answers.question.table.datasets), minimum_sample_size("wilcoxon", alpha=alpha).n
    if 1 < n < enough:
        words = (
            f"{n} benchmarks are too few to show a difference between two models on benchmarks of this kind: a "
            f"two-sided signed-rank test over benchmarks needs at least {enough} benchmarks for p <= {alpha:g}."
        )
        yield Finding(code="few-benchmarks", severity="warning", sentence=words)


def _few_words(clusters: Clusters, smallest: float) -> str:
    """Return the reason why the test permutes the signs of the clusters, and the minimum attainable p-value."""
    why = validity.few_clusters_words(clusters, ("question", "benchmark"))
    why = f"{why[0].upper()}{why[1:]}"
    if clusters.n_clusters.sum() == 1:
        return f"{why}: there is no standard error and no interval, and no difference can be shown."
    return (
        f"{why}: the test permutes the signs of the clusters instead of using the t distribution, and no p-value below "
        f"{smallest:.3g} was "
        "possible before adjustment."
    )


# --- supplements of the test ------------------------------------------------------------------------------------------


def _margin_problems(comparison: Comparison, places: design.Places, _: int | None, __: Any) -> Iterator[Any]:
    from evalstats.paired.shifted_scores import expecting_another_cluster

    items = comparison.table._items
    assert items is not None
    for i, j in places:
        x, y = design.ahead_of(items.scores[:, i], items.scores[:, j], comparison.table)
        yield expecting_another_cluster(
            x, y, clusters=items.cluster, strata=items.benchmark, average=comparison.average
        )


DESIGN = design.Design(
    test=_test,
    why_no_choice="the table holds answers to questions, which are compared in their clusters",
    posthocs=(MAX_T, RANGE, BETTING),
    unanswered=("rope", "robustness"),
    margin_problems=_margin_problems,
)
