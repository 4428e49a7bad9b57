"""What does a comparison of models on questions say: of these benchmarks, and of benchmarks of their kind?"""

from __future__ import annotations

__all__ = ["document", "methods", "models_intervals", "models_table", "pairs_table", "paper_table", "verdict"]

import math
from collections.abc import Iterator, Sequence

import numpy as np

from evalstats.comparison.over_questions import ModelOnQuestions, QuestionComparison, QuestionPair
from evalstats.io.layouts.questions import ONE_STRATUM
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
from evalstats.report.comparisons.paper_table import NOT_DIFFERENT, first_two
from evalstats.report.comparisons.shared_blocks import against_control_words
from evalstats.report.comparisons.validity import untested_words, without_untested
from evalstats.report.comparisons.verdict import decided_words
from evalstats.report.interval_list import IntervalList, IntervalRow, full_dot_words, limits_of
from evalstats.report.numbers import MINUS, column, count, decimal, percent, pvalue_cell, pvalue_words, shown_of
from evalstats.wording import adjusted_words, adjustment_words, level_words, metric_name, untested_note, written_list

# so many names are listed in a sentence before the others are counted
LISTED = 4
# more rows than this are not drawn
MOST_DRAWN = 40
TESTS = {"clustered_ttest": "cluster-robust t-test", "clustered_permutation_test": "cluster-wise permutation test"}


def verdict(comparison: QuestionComparison) -> str:
    """Say what follows for these benchmarks, and what for benchmarks of their kind."""
    words = _two(comparison)
    if len(comparison.pairs) > 1:
        words = _several(comparison) + untested_words(comparison, TESTS[comparison.pair_test])
    told = f"{_where(comparison)}: {words} This is about questions like these."
    if comparison.margins is not None:
        from evalstats.report.comparisons.margins import margin_words  # every test of margins

        told += margin_words(comparison)
    if comparison.over_benchmarks is None:
        return told
    return f"{told} On benchmarks of this kind, with the benchmarks as the sample: {_over_benchmarks(comparison)}"


def _where(comparison: QuestionComparison) -> str:
    if comparison.n_benchmarks > 1:
        return f"On these {comparison.n_benchmarks} benchmarks, with the questions as the sample"
    name = comparison.table.datasets[0]
    return "On these questions" if name == ONE_STRATUM else f"On {name}"


def _two(comparison: QuestionComparison) -> str:
    pair = comparison.pairs[0]
    test = f"{TESTS[comparison.pair_test]}, {pvalue_words(pair.pvalue, comparison.alpha)}"
    sign = 1 if comparison.table.greater_is_better else -1
    metric = metric_name(comparison.table.metric)
    if pair.different:
        better, worse = (pair.first, pair.second) if sign * pair.difference > 0 else (pair.second, pair.first)
        return (
            f"{better} is better than {worse} ({test}). The difference in {metric}, {pair.first} minus {pair.second}, "
            f"is {_estimate(comparison, pair)}."
        )
    if math.isnan(pair.pvalue):
        return untested_words(comparison, TESTS[comparison.pair_test]).strip()
    return (
        f"no difference between {pair.first} and {pair.second} is shown ({test}). That is not evidence that they "
        f"perform alike: the difference in {metric}, {pair.first} minus {pair.second}, is "
        f"{_estimate(comparison, pair)}."
    )


def _several(comparison: QuestionComparison) -> str:
    n_different, n = sum(pair.different for pair in comparison.pairs), len(comparison.pairs)
    compared = count(n, "pair" if comparison.control is None else "comparison")
    level = level_words(comparison.adjustment, comparison.alpha, n)
    tests = f"{adjusted_words(TESTS[comparison.pair_test] + 's', comparison.adjustment)}, {level}"
    best = comparison.models[0]
    like = [model.classifier for model in comparison.models[1:] if model.score == best.score]
    also = f", like {written_list(like, at_most=LISTED)}," if like else ""
    score = f"{best.classifier} has{also} the best {metric_name(comparison.table.metric)}, {_score(comparison, best)}"
    if not n_different:
        return (
            f"{shown_of(0, compared, n)} shown to differ ({tests}), which is no evidence that they are alike. {score}."
        )
    differ = f"{shown_of(n_different, compared, n)} shown to differ ({tests})."
    sign = 1 if comparison.table.greater_is_better else -1
    if comparison.control is not None:
        better, worse = (
            [pair.first for pair in comparison.pairs if pair.different and (sign * pair.difference > 0) == is_better]
            for is_better in (True, False)
        )
        return f"{differ} {against_control_words(comparison.control, better, worse)}."
    names = comparison.table.classifiers
    row = comparison.different[names.index(best.classifier)]
    beaten = [name for name in comparison.ranking if row[names.index(name)]]
    if not beaten:
        return f"{differ} {score}, and is not shown to differ from any other."
    unlike = [name for name in comparison.ranking[1:] if name not in beaten]
    others = without_untested(comparison, best.classifier, unlike)
    against = "all others" if not unlike else written_list(beaten, at_most=LISTED)
    rest = f"; from {written_list(others, at_most=LISTED)} it is not shown to differ" if others else ""
    return f"{differ} {score}, and is better than {against}{rest}."


def _over_benchmarks(comparison: QuestionComparison, *, inside: bool = True) -> str:
    over = comparison.over_benchmarks
    assert over is not None
    said = decided_words(over, inside=inside)
    smallest = over.smallest_pvalue
    if smallest is not None and smallest > comparison.alpha:
        said = (
            f"{count(comparison.n_benchmarks, 'benchmark')} can show no difference at all (no p-value below "
            f"{decimal(smallest, 3)} is possible)."
        )
    if over.margins is None:
        return said
    from evalstats.report.comparisons.margins import margin_words  # every test of margins

    return said + margin_words(over)


def _estimate(comparison: QuestionComparison, pair: QuestionPair) -> str:
    estimate, low, high = column([pair.difference, pair.low, pair.high], digits=3)
    if math.isnan(pair.low):
        return estimate
    return f"{estimate} ({percent(1 - comparison.alpha)} interval {low} to {high})"


def _score(comparison: QuestionComparison, model: ModelOnQuestions) -> str:
    score, low, high = column([model.score, model.low, model.high], digits=3)
    if math.isnan(model.low):
        return score
    return f"{score} ({percent(1 - comparison.alpha)} interval {low} to {high})"


# --- the document -----------------------------------------------------------------------------------------------------


def document(comparison: QuestionComparison, extent: Extent) -> Document:
    """Put a comparison on questions into words, tables and figures."""
    k = len(comparison.models)
    title = f"{count(k, 'model')} on {count(comparison.n_questions, 'question')}"
    if comparison.n_benchmarks > 1:
        title += f" of {comparison.n_benchmarks} benchmarks"
    return Document(title=title, verdict=paragraph(verdict(comparison)), sections=tuple(_sections(comparison, extent)))


def _sections(comparison: QuestionComparison, extent: Extent) -> Iterator[Section]:
    yield from reading_section(comparison, with_findings=False)  # they stand among those of the comparison
    yield section(
        "models", "How good is each model?", models_table(comparison), Figure(diagram=models_intervals(comparison))
    )
    which = "Which models differ?" if comparison.control is None else f"Which differ from {comparison.control}?"
    yield section("pairs", which, pairs_table(comparison, extent.most_rows), Figure(diagram=_drawn_pairs(comparison)))
    if comparison.margins is not None:
        from evalstats.report.comparisons.margins import margin_section  # every test of margins

        yield margin_section(comparison, extent.most_rows)
    if comparison.n_benchmarks > 1:
        words = (
            f"The {comparison.n_benchmarks} benchmarks are the sample, whatever the number of their questions. "
            f"{_over_benchmarks(comparison, inside=False)}"
        )
        yield section(
            "benchmarks", "And on benchmarks of this kind?", *_blocks_over_benchmarks(comparison, words, extent)
        )
    if any(not math.isnan(model.share_between) for model in comparison.models):
        yield section("variance", "Would more samples help?", paragraph(_variance_words(comparison)))
    yield section("design", "How was it compared?", listing(_design(comparison)))
    if comparison.findings:
        found = [f"{one.severity.capitalize()}: {one.sentence}" for one in comparison.findings]
        yield section("findings", "What to know", listing(found))
    if extent.with_methods:
        yield section("methods", "Methods", paragraph(*methods(comparison)))


def _blocks_over_benchmarks(comparison: QuestionComparison, words: str, extent: Extent) -> Iterator[Block]:
    """Show what holds for benchmarks of this kind, and the margin there."""
    yield paragraph(words)
    yield _benchmarks(comparison)
    over = comparison.over_benchmarks
    if over is not None and over.margins is not None:
        from evalstats.report.comparisons.margins import margin_blocks  # every test of margins

        yield from margin_blocks(over, extent.most_rows, name="margins-over-benchmarks")


def models_table(comparison: QuestionComparison) -> Table:
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


def pairs_table(comparison: QuestionComparison, most: int) -> Table:
    """Return the differences of the pairs, or those with the smallest p-values."""
    shown = sorted(range(len(comparison.pairs)), key=lambda at: comparison.pairs[at].pvalue)[:most]
    pairs = [comparison.pairs[at] for at in sorted(shown)]
    numbers = _together([(pair.difference, pair.low, pair.high) for pair in pairs])
    few = f" The {len(pairs)} smallest p-values of {len(comparison.pairs)}." * (len(pairs) < len(comparison.pairs))
    adjusted = _adjusted(comparison)
    return Table(
        name="pairs",
        caption=(
            f"Differences in {metric_name(comparison.table.metric)}, first minus second, each with its own "
            f"{percent(1 - comparison.alpha)} interval; questions that the first answers better, as well and worse."
            f"{adjusted}{few}"
        ),
        columns=(
            Column(head="First"),
            Column(head="Second"),
            *(Column(head=head, numeric=True) for head in ("Difference", "Interval", "p", "Better", "Same", "Worse")),
        ),
        rows=tuple(
            (
                pair.first,
                pair.second,
                difference,
                "none" if math.isnan(pair.low) else f"{low} to {high}",
                pvalue_cell(pair.pvalue, comparison.alpha),
                str(pair.n_wins),
                str(pair.n_ties),
                str(pair.n_losses),
            )
            for pair, (difference, low, high) in zip(pairs, numbers, strict=True)
        ),
        marked=tuple(pair.different for pair in pairs),
    )


def paper_table(comparison: QuestionComparison) -> Table:
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
    level = level_words(comparison.adjustment, comparison.alpha, len(comparison.pairs))
    tests = f"{adjusted_words(TESTS[comparison.pair_test] + 's', comparison.adjustment)}, {level}"
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


def _benchmarks(comparison: QuestionComparison) -> Table:
    names = comparison.table.datasets
    numbers = [[decimal(model.benchmarks[name], 3) for model in comparison.models] for name in names]
    return Table(
        name="benchmarks",
        caption=f"Mean {metric_name(comparison.table.metric)} on each benchmark.",
        columns=(Column(head="Benchmark"), *(Column(head=m.classifier, numeric=True) for m in comparison.models)),
        rows=tuple((name, *row) for name, row in zip(names, numbers, strict=True)),
    )


def models_intervals(comparison: QuestionComparison, most_rows: int = MOST_DRAWN) -> IntervalList:
    """List the score of each model with its interval, or of the best."""
    shown = comparison.models[:most_rows]
    values = [(model.score, model.low, model.high) for model in shown]
    low, high = limits_of([value for three in values for value in three])
    level, metric = percent(1 - comparison.alpha), metric_name(comparison.table.metric)
    few = f" The best {len(shown)} of {len(comparison.models)}." if len(shown) < len(comparison.models) else ""
    return IntervalList(
        rows=tuple(
            IntervalRow(
                name=model.classifier,
                value=model.score,
                low=model.low,
                high=model.high,
                written=_written(three),
                full=True,
            )
            for model, three in zip(shown, _together(values), strict=True)
        ),
        low=low,
        high=high,
        zero=shown[0].score,
        ends=("", ""),
        caption=(
            f"Mean {metric} with its {level} cluster-robust interval; the line is the best.{few}",
            "Intervals of two models may overlap although the two differ: see the differences.",
        ),
    )


def _drawn_pairs(comparison: QuestionComparison) -> IntervalList:
    shown = sorted(comparison.pairs, key=lambda pair: pair.pvalue)[:MOST_DRAWN]
    values = [(pair.difference, pair.low, pair.high) for pair in shown]
    low, high = limits_of([0.0, *(value for three in values for value in three)])
    better = "Above" if comparison.table.greater_is_better else "Below"
    level, metric = percent(1 - comparison.alpha), metric_name(comparison.table.metric)
    few = f" Of {len(comparison.pairs)} pairs, those with the smallest p-values." * (len(shown) < len(comparison.pairs))
    return IntervalList(
        rows=tuple(
            IntervalRow(
                name=f"{pair.first} {MINUS} {pair.second}",
                value=pair.difference,
                low=pair.low,
                high=pair.high,
                written=_written(three),
                full=pair.different,
            )
            for pair, three in zip(shown, _together(values), strict=True)
        ),
        low=low,
        high=high,
        zero=0.0,
        ends=("", ""),
        caption=(
            f"Differences in {metric}, first minus second, each with its own {level} interval.{few}",
            f"{better} 0 the first is better. {full_dot_words(comparison.adjustment, len(comparison.pairs))}",
            *filter(None, [untested_note(comparison.validity)]),
        ),
    )


def _together(rows: Sequence[Sequence[float]]) -> list[list[str]]:
    """Write the numbers of all rows with the same number of decimals."""
    written = iter(column([value for row in rows for value in row], digits=3))
    return [[next(written) for _ in row] for row in rows]


def _written(numbers: Sequence[str]) -> str:
    value, low, high = numbers
    return value if low == "none" else f"{value} [{low}, {high}]"


def _variance_words(comparison: QuestionComparison) -> str:
    shares = [model.share_between for model in comparison.models if not math.isnan(model.share_between)]
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


def _design(comparison: QuestionComparison) -> Iterator[str]:
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


def methods(comparison: QuestionComparison) -> Sentences:
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


def _unseen(comparison: QuestionComparison) -> str:
    """Say that the effective sample size of clusters and of several benchmarks is a cautious one."""
    if comparison.n_clusters == comparison.n_questions and comparison.n_benchmarks == 1:
        return ""
    return ", which allows for clusters of a kind that no question showed,"


def _methods_over_benchmarks(comparison: QuestionComparison) -> Sentences:
    """Say how the models were compared with the benchmarks as the sample, if they were."""
    if comparison.over_benchmarks is None:
        return ()
    first, *rest = tests_over_datasets(comparison.over_benchmarks)
    assert isinstance(first, str)
    return f" With the benchmarks as the sample: {first[0].lower()}{first[1:]}", *rest


def _adjusted(comparison: QuestionComparison) -> str:
    """Say how p-values were adjusted, if they were."""
    if comparison.adjustment == "none":
        return ""
    return f" p-values are adjusted by {adjustment_words(comparison.adjustment)}."
