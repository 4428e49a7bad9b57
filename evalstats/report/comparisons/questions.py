"""What does a comparison of models on questions say: of these benchmarks, and of benchmarks of their kind?"""

from __future__ import annotations

__all__ = ["document", "methods", "models_table", "paper_table"]

import math
from collections.abc import Iterator, Sequence

import numpy as np

from evalstats.comparison.record import Comparison
from evalstats.report.blocks import (
    Block,
    Cite,
    Column,
    Document,
    Extent,
    Figure,
    Section,
    Sentences,
    Table,
    listing,
    paragraph,
    section,
)
from evalstats.report.comparisons.input_summary import reading_section
from evalstats.report.comparisons.methods import beside_the_test, made_words, tests_over_datasets
from evalstats.report.comparisons.pairs import each_tested_words, pairs_table
from evalstats.report.comparisons.paper_table import NOT_DIFFERENT, first_two
from evalstats.report.comparisons.verdict import over_benchmarks_words, verdict
from evalstats.report.interval_list import difference_list, model_list
from evalstats.report.numbers import column, count, decimal, percent
from evalstats.wording import adjustment_words, metric_name, pair_tests_words

# --- the document -----------------------------------------------------------------------------------------------------


def document(comparison: Comparison, extent: Extent) -> Document:
    """Put a comparison on questions into words, tables and figures."""
    k = len(comparison.models)
    title = f"{count(k, 'model')} on {count(comparison.n_questions, 'question')}"
    if comparison.n_benchmarks > 1:
        title += f" of {comparison.n_benchmarks} benchmarks"
    return Document(title=title, verdict=paragraph(verdict(comparison)), sections=tuple(_sections(comparison, extent)))


def _sections(comparison: Comparison, extent: Extent) -> Iterator[Section]:
    yield from reading_section(comparison, with_findings=False)  # they stand among those of the comparison
    yield section("models", "How good is each model?", models_table(comparison), Figure(diagram=model_list(comparison)))
    which = "Which models differ?" if comparison.control is None else f"Which differ from {comparison.control}?"
    tested = [paragraph(each_tested_words(comparison))] if comparison.n_pairs > 1 else []
    drawn = Figure(diagram=difference_list(comparison))
    yield section("pairs", which, *tested, *pairs_table(comparison, extent.max_rows), drawn)
    if comparison.margins is not None:
        from evalstats.report.comparisons.margins import margin_section  # every test of margins

        yield margin_section(comparison, extent.max_rows)
    if comparison.n_benchmarks > 1:
        words = (
            f"The {comparison.n_benchmarks} benchmarks are the sample, whatever the number of their questions. "
            f"{over_benchmarks_words(comparison, inside=False)}"
        )
        yield section(
            "benchmarks", "And on benchmarks of this kind?", *_blocks_over_benchmarks(comparison, words, extent)
        )
    if any(not math.isnan(model.intraclass_correlation) for model in comparison.models):
        yield section("variance", "Would more samples help?", paragraph(_variance_words(comparison)))
    yield section("design", "How was it compared?", listing(_design(comparison)))
    if comparison.findings:
        found = [f"{one.severity.capitalize()}: {one.sentence}" for one in comparison.findings]
        yield section("findings", "What to know", listing(found))
    if extent.with_methods:
        yield section("methods", "Methods", paragraph(*methods(comparison)))


def _blocks_over_benchmarks(comparison: Comparison, words: str, extent: Extent) -> Iterator[Block]:
    """Show what holds for benchmarks of this kind, and the margin there."""
    yield paragraph(words)
    yield _benchmarks(comparison)
    over = comparison.over_benchmarks
    if over is not None and over.margins is not None:
        from evalstats.report.comparisons.margins import margin_blocks  # every test of margins

        yield from margin_blocks(over, extent.max_rows, name="margins-over-benchmarks")


def models_table(comparison: Comparison) -> Table:
    """Return the score of each model, how sure it is, and what the clusters cost."""
    several = comparison.n_benchmarks > 1
    numbers = _together([(m.score, m.standard_error, m.low, m.high) for m in comparison.models])
    level, metric = percent(1 - comparison.alpha), metric_name(comparison.table.metric)
    average = f" The {comparison.average} average of the benchmarks." if several else ""
    return Table(
        name="models",
        caption=(
            f"Mean {metric} with its cluster-robust standard error and {level} interval; the design effect "
            f"is the variance, relative to that of independent questions.{average}"
        ),
        columns=(
            Column(head="Model"),
            *(
                Column(head=head, numeric=True)
                for head in (f"{metric[:1].upper()}{metric[1:]}", "SE", "Interval", "Design effect")
            ),
        ),
        rows=tuple(
            (model.classifier, score, error, f"{low} to {high}", decimal(model.design_effect, 2))
            for model, (score, error, low, high) in zip(comparison.models, numbers, strict=True)
        ),
    )


def paper_table(comparison: Comparison) -> Table:
    """Return the mean scores on all benchmarks with their average, the best and the second best of each marked."""
    names, models = comparison.table.datasets, comparison.models
    scores = [[model.benchmarks[name] for model in models] for name in names]
    foot = [model.score for model in models] if comparison.n_benchmarks > 1 else None
    ahead = np.array([*scores, foot] if foot else scores) * (1 if comparison.table.greater_is_better else -1)
    best, second = first_two(ahead, 0.0)
    written = _together(scores if foot is None else [*scores, foot])
    k, order = len(models), [comparison.table.classifiers.index(model.classifier) for model in models]
    judge = order[0] if comparison.control is None else comparison.table.classifiers.index(comparison.control)
    lacking = comparison.validity.untested_against(comparison.table.classifiers[judge])
    alike = [
        j != judge and not comparison.different[judge, j] and comparison.table.classifiers[j] not in lacking
        for j in order
    ]
    written[-1] = [written[-1][j] + NOT_DIFFERENT * alike[j] for j in range(k)]
    who = f"the best, {models[0].classifier}" if comparison.control is None else f"the control, {comparison.control}"
    direction = "higher" if comparison.table.greater_is_better else "lower"
    metric = metric_name(comparison.table.metric)
    average = f", and their {comparison.average} average" if foot else ""
    tests = pair_tests_words(comparison)
    return Table(
        name="scores",
        caption=(
            f"Mean {metric} of each model on each benchmark ({direction} is better){average}."
            + f" {NOT_DIFFERENT} not shown to differ from {who} ({tests})." * any(alike)
        ),
        columns=(Column(head="Benchmark"), *(Column(head=model.classifier, numeric=True) for model in models)),
        rows=tuple(
            (name, *row)
            for name, row in zip(
                [*names, *([f"{comparison.average.capitalize()} average"] * bool(foot))], written, strict=True
            )
        ),
        best=frozenset(best),
        second=frozenset(second),
        foot=bool(foot),
    )


def _benchmarks(comparison: Comparison) -> Table:
    names = comparison.table.datasets
    numbers = [[decimal(model.benchmarks[name], 3) for model in comparison.models] for name in names]
    return Table(
        name="benchmarks",
        caption=f"Mean {metric_name(comparison.table.metric)} on each benchmark.",
        columns=(Column(head="Benchmark"), *(Column(head=m.classifier, numeric=True) for m in comparison.models)),
        rows=tuple((name, *row) for name, row in zip(names, numbers, strict=True)),
    )


def _together(rows: Sequence[Sequence[float]]) -> list[list[str]]:
    """Write the numbers of all rows with the same number of decimals."""
    written = iter(column([value for row in rows for value in row], digits=3))
    return [[next(written) for _ in row] for row in rows]


def _variance_words(comparison: Comparison) -> str:
    shares = [
        model.intraclass_correlation for model in comparison.models if not math.isnan(model.intraclass_correlation)
    ]
    low, high = min(shares), max(shares)
    share = " to ".join(dict.fromkeys(percent(round(value, 2)) for value in (low, high)))
    few, many = comparison.n_samples
    samples = f"{few}" if few == many else f"{few} to {many}"
    mean = sum(shares) / len(shares)
    left = mean / (mean + (1 - mean) / few) if few else 1.0
    return (
        f"Of the variance of a single answer, {share} lies between questions, and the rest between the samples of a "
        f"question. With {samples} samples of each question, {percent(round(left, 2))} of the variance of a mean is "
        "due to the questions: no number of samples reduces that, only more questions do."
    )


def _design(comparison: Comparison) -> Iterator[str]:
    of = comparison.columns
    yield (
        f"{count(comparison.n_questions, 'question')} (column {of['item']}) in "
        f"{count(comparison.n_clusters, 'cluster')} "
        + (f"(column {of['cluster']})" if "cluster" in of else "of one question each")
        + (f" and {count(comparison.n_benchmarks, 'benchmark')} (column {of['stratum']})." if "stratum" in of else ".")
    )
    few, many = comparison.n_samples
    if many > 1:
        yield f"{few if few == many else f'{few} to {many}'} samples of each question, whose mean is its score."
    if comparison.n_benchmarks > 1:
        counted = "each benchmark counts the same" if comparison.average == "macro" else "each question counts the same"
        yield f"The {comparison.average} average: {counted}."


def methods(comparison: Comparison) -> Sentences:
    """Say how the models were compared."""
    by: Sentences = ("the permutation test that gives the differences of a cluster a common random sign",)
    if comparison.pair_test == "clustered_ttest":
        by = "a t-test with a cluster-robust standard error and its degrees of freedom ", Cite(("bell2002",))
    strata = " within each benchmark" if comparison.n_benchmarks > 1 else ""
    return (
        "Models were compared question by question, by ",
        *by,
        f"{strata}.{_adjusted(comparison)} Intervals of single models are those of Wilson ",
        Cite(("wilson1927",)),
        f", with the effective sample size{_unseen(comparison)} and the t distribution ",
        Cite(("korn1998",)),
        f", or of t where scores lie outside 0 and 1. Level of significance: {comparison.alpha:g}.",
        *beside_the_test(comparison),
        *_methods_over_benchmarks(comparison),
        made_words(),
    )


def _unseen(comparison: Comparison) -> str:
    """Say that the effective sample size of clusters and of several benchmarks is a cautious one."""
    if comparison.n_clusters == comparison.n_questions and comparison.n_benchmarks == 1:
        return ""
    return ", which allows for clusters of a kind that no question showed,"


def _methods_over_benchmarks(comparison: Comparison) -> Sentences:
    """Say how the models were compared with the benchmarks as the sample, if they were."""
    if comparison.over_benchmarks is None:
        return ()
    first, *rest = tests_over_datasets(comparison.over_benchmarks)
    assert isinstance(first, str)
    return f" With the benchmarks as the sample: {first[0].lower()}{first[1:]}", *rest


def _adjusted(comparison: Comparison) -> str:
    """Say how p-values were adjusted, if they were."""
    if comparison.adjustment == "none":
        return ""
    return f" p-values are adjusted by {adjustment_words(str(comparison.adjustment))}."
