"""Contents of the report of a comparison, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["document", "verdict"]

import math
from collections.abc import Iterator, Sequence

from evalstats._result import HypothesisTestResult
from evalstats.comparison.record import Comparison
from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.report.blocks import Block, Column, Document, Extent, Figure, Section, Table, listing, paragraph, section
from evalstats.report.comparisons import reproducibility
from evalstats.report.comparisons.comparison_tables import classifiers_table, each_tested_words, pairs_table
from evalstats.report.comparisons.methods import methods, tie_words
from evalstats.report.comparisons.notes import note
from evalstats.report.comparisons.scores import scores_table
from evalstats.report.comparisons.shared_blocks import (
    NAMELESS,
    advised,
    decision,
    reading_section,
    subsets_and_pairs_outside,
)
from evalstats.report.comparisons.verdict import over_benchmarks_words, verdict
from evalstats.report.describe import (
    METHODS,
    chi2_words,
    column,
    count,
    decimal,
    f_words,
    friedman_words,
    metric_words,
    percent,
    pvalue_bound,
    pvalue_words,
    shown_of,
    signed,
)
from evalstats.report.interval_list import difference_list, drawing_of, model_list
from evalstats.report.sentences import result_words, sentence
from evalstats.wording import condition_words, metric_name, omnibus_words, pair_test_words, promise_words, written_list

if TYPE_CHECKING:
    from evalstats.tables.score_table import ScoreTable

# findings that the notes contain, or that the choice of the test resolves: on one dataset, and over several
TOLD = (
    ("cannot-reach-alpha", "folds-are-not-independent"),
    ("cannot-reach-alpha", "folds-are-not-datasets", "missing-scores", "very-few-datasets"),
)
# a subset with more members is written as its first and last member
_LISTED = 8
# maximum number of scores in the table
_MOST_SCORES = 5000


def document(comparison: Comparison, extent: Extent) -> Document:
    """Return the document of a comparison: its sentences, tables and figures."""
    return Document(
        title=_title(comparison), verdict=paragraph(verdict(comparison)), sections=tuple(_sections(comparison, extent))
    )


def _title(comparison: Comparison) -> str:
    who = count(comparison.n_classifiers, comparison.words.classifier)
    if comparison.design == "questions":
        title = f"{who} on {count(comparison.n_questions, 'question')}"
        return f"{title} of {comparison.n_benchmarks} benchmarks" if comparison.n_benchmarks > 1 else title
    where = comparison.dataset if comparison.dataset not in NAMELESS else "one dataset"
    if comparison.design == "datasets":
        where = count(comparison.n_datasets, comparison.words.dataset)
    direction = "higher" if comparison.table.greater_is_better else "lower"
    return f"Comparison of {who} on {where}: {metric_words(comparison.table)}, {direction} is better"


def _sections(comparison: Comparison, extent: Extent) -> Iterator[Section]:
    of_questions = comparison.design == "questions"
    # findings of questions are part of the comparison
    yield from reading_section(comparison, with_findings=not of_questions)
    yield _standing(comparison)
    yield from _tests(comparison, extent.max_rows)
    if comparison.robustness is not None:
        from evalstats.report.comparisons import robustness

        yield from robustness.sections(comparison, comparison.robustness, extent.max_rows)
    yield from reproducibility.sections(comparison, extent.max_rows)
    yield from _beside(comparison, extent.max_rows)
    if of_questions:
        yield from _beyond_the_questions(comparison, extent)
    yield _design(comparison)
    yield from _notes(comparison)
    if extent.with_methods:
        yield section("methods", "Methods", paragraph(*methods(comparison)))
    if extent.with_scores and not of_questions:
        yield section("data", "Data", _data(comparison.table))


def _beside(comparison: Comparison, most_pairs: int) -> Iterator[Section]:
    """Yield a section for each optional analysis that the comparison contains, such as noninferiority tests."""
    if comparison.margins is not None:
        from evalstats.report.comparisons.optional_analyses import margin_section  # every test of margins

        yield margin_section(comparison, most_pairs)
    if comparison.posteriors is not None:
        from evalstats.report.comparisons.optional_analyses import posterior_section  # Bayesian tests

        yield posterior_section(comparison, most_pairs)
    if comparison.calibration is not None:
        from evalstats.report.comparisons.calibration import calibration_sections  # tests of probabilities

        yield from calibration_sections(comparison.calibration, most_pairs)
    if comparison.subgroups is not None:
        from evalstats.report.comparisons.optional_analyses import subgroup_section  # tests in subgroups

        yield subgroup_section(comparison.subgroups, most_pairs)
    if comparison.stability is not None:
        from evalstats.report.comparisons.ranking_stability import stability_section  # ranks of resamples

        yield stability_section(comparison.stability, most_pairs, comparison.ranks, comparison.alpha)
    if comparison.consensus is not None:
        from evalstats.report.comparisons.consensus import consensus_section  # ranks on several tasks

        yield consensus_section(comparison.consensus, most_pairs)


def _data(table: ScoreTable) -> Block:
    """Return the table of the scores, or a sentence if the table is too long."""
    if table.scores.size <= _MOST_SCORES:
        return scores_table(table)
    return paragraph(
        f"The {table.scores.size:,} scores are not repeated here; the JSON report and the R script contain them."
    )


# --- How good, and do they differ? ------------------------------------------------------------------------------------


def _standing(comparison: Comparison) -> Section:
    """Return the section with the scores of the classifiers and the homogeneous subsets."""
    table = classifiers_table(comparison)
    if comparison.design == "questions":
        return section("models", "How good is each model?", table, Figure(diagram=model_list(comparison)))
    groups: list[Block] = []
    if comparison.design != "datasets":
        if comparison.n_classifiers > 2:
            named = (written_list(group, at_most=_LISTED) for group in comparison.homogeneous_subsets)
            groups = subsets_and_pairs_outside(comparison, named)
        return section("scores", "Scores", table, *groups)
    if comparison.omnibus is None:
        return section("scores", "Scores", table)
    if comparison.is_conclusive and comparison.control is None:  # empty without a conclusion
        groups = subsets_and_pairs_outside(
            comparison, (_group_words(group, comparison) for group in comparison.homogeneous_subsets)
        )
    drawing = drawing_of(comparison)
    figure = [] if drawing is None else [Figure(diagram=drawing)]
    return section("ranks", "Mean ranks", table, *figure, *groups)


def _tests(comparison: Comparison, most_pairs: int) -> Iterator[Section]:
    """Yield the sections of the omnibus test and of the tests of pairs."""
    words = comparison.words
    if comparison.wilcoxon is not None:
        test = f"{result_words(comparison.wilcoxon)}. {decision(comparison)}"
        said = map(paragraph, (test, _effect_words(comparison), _sign_words(comparison)))
        yield section("difference", f"Do the two {words.classifiers} differ?", *said)
        return
    if (omnibus := comparison.omnibus) is not None:
        tested = [paragraph(f"{_leading_words(omnibus)} {decision(comparison)}")]
        if isinstance(omnibus, FriedmanTestResult):
            tested.append(paragraph(_beside_words(omnibus, words.dataset)))
        yield section("omnibus", f"Do the {words.classifiers} differ?", *tested)
    which = f"Which {words.classifiers} differ?"
    if comparison.control is not None:
        which = f"Which {words.classifiers} differ from {comparison.control}?"
    if comparison.n_pairs == 1 and comparison.design != "questions":
        which = f"Do the two {words.classifiers} differ?"
    yield section("pairs", which, *_pairs(comparison, most_pairs))


def _pairs(comparison: Comparison, most_pairs: int) -> Iterator[Block]:
    if comparison.design == "datasets":
        yield paragraph(_posthoc_words(comparison))
    elif comparison.n_pairs > 1:
        yield paragraph(each_tested_words(comparison))
    elif comparison.tests:
        pair = comparison.pairs[0]
        yield paragraph(sentence(comparison.tests[0], names=(pair.first, pair.second)))
    yield from pairs_table(comparison, most_pairs)
    if comparison.design != "datasets":
        yield Figure(diagram=difference_list(comparison))


def _effect_words(comparison: Comparison) -> str:
    interval, pair = comparison.hodges_lehmann_interval, comparison.pairs[0]
    assert interval is not None
    estimate, low, high = column([pair.hodges_lehmann, interval.low, interval.high], digits=3)
    covered = "no interval"
    if not math.isnan(interval.low):
        asked, attained = interval.confidence_level, round(interval.attained_level, 4)
        covered = f"{percent(min(asked, attained))} interval {low} to {high}"
        if attained < asked:
            covered += f" (the widest possible interval: with so few differences, {percent(asked)} is not attainable)"
        elif attained > asked:
            covered += f" (exact level {percent(attained)})"
    return (
        f"Hodges-Lehmann estimate of the difference in {metric_words(comparison.table)}, {pair.first} minus "
        f"{pair.second}: {estimate}, {covered}. Matched-pairs rank-biserial correlation: "
        f"{signed(pair.rank_biserial, 3)}, from −1 to +1, positive if {pair.first} is better."
    )


def _sign_words(comparison: Comparison) -> str:
    sign, pair = comparison.sign, comparison.pairs[0]
    assert sign is not None
    wins = count(int(pair.n_wins or 0), comparison.words.dataset)
    return (
        f"Sign test: {pair.first} wins on {wins}, loses on {pair.n_losses} and ties on {pair.n_ties} against "
        f"{pair.second}, {pvalue_words(sign.pvalue, comparison.alpha)} ({METHODS[sign.method]})."
    )


def _leading_words(omnibus: HypothesisTestResult) -> str:
    """State the result of the omnibus test in one sentence."""
    return f"{friedman_words(omnibus)}." if isinstance(omnibus, FriedmanTestResult) else sentence(omnibus)


def _beside_words(omnibus: FriedmanTestResult, dataset: str) -> str:
    """State the other forms of the Friedman test, the uncorrected statistic and the effect size."""
    forms = []
    if omnibus.method != "chi2":
        forms.append(f"the χ² approximation gives {pvalue_words(omnibus.chi2_pvalue)} for {chi2_words(omnibus)}")
    if omnibus.method != "f" and not math.isnan(omnibus.f):
        forms.append(f"the F form of Iman and Davenport gives {pvalue_words(omnibus.f_pvalue)} for {f_words(omnibus)}")
    beside = f"In addition, {written_list(forms)}. " if forms else ""
    return (
        f"{beside}Without the correction for ties, the statistic is {decimal(omnibus.chi2_uncorrected, 3)}. "
        f"Kendall's coefficient of concordance is W = {decimal(omnibus.kendall_w, 3)}, from 0 (no agreement) to "
        f"1 (the same "
        f"ranking on every {dataset})."
    )


def _posthoc_words(comparison: Comparison) -> str:
    rule = _rule_words(comparison)
    if not comparison.is_conclusive:
        leading = omnibus_words(comparison)
        return f"{rule} Because the {leading} does not reject, its numbers are shown but not interpreted."
    compared = count(comparison.n_pairs, "pair" if comparison.control is None else "comparison")
    n_different = comparison.n_different
    if n_different == 0:
        although = f", although the {omnibus_words(comparison)} rejects" if comparison.significant else ""
        return f"{rule} Of {compared}, none is shown to differ{although}."
    found = shown_of(n_different, compared, comparison.n_pairs)
    return f"{rule} {found[0].upper()}{found[1:]} shown to differ."


def _rule_words(comparison: Comparison) -> str:
    """State the rule by which the post-hoc test decides that a pair is significantly different."""
    test, at = pair_test_words(comparison), f"at α = {comparison.alpha:g}"
    family = promise_words(
        comparison.adjustment, comparison.alpha, comparison.n_pairs, only=condition_words(comparison)
    )
    if comparison.critical_difference is None:
        who = comparison.words.classifiers
        return f"The {test} rejects the equality of two {who} {at} if its p-value is at most α; {family}."
    far = "two mean ranks" if comparison.control is None else "a mean rank and the mean rank of the control"
    return (
        f"By the {test}, {far} differ significantly {at} if they are at least the critical difference of "
        f"{decimal(comparison.critical_difference, 3)} apart; {family}."
    )


def _group_words(group: tuple[str, ...], comparison: Comparison) -> str:
    """List the members of a subset; for a long subset, name only the first and the last member."""
    if len(group) <= _LISTED:
        return written_list(group)
    first, last = (decimal(comparison.mean_rank(name), 3) for name in (group[0], group[-1]))
    who = count(len(group), comparison.words.classifier)
    return f"{group[0]} to {group[-1]}: the {who} with mean ranks from {first} to {last}"


# --- beyond these questions -------------------------------------------------------------------------------------------


def _beyond_the_questions(comparison: Comparison, extent: Extent) -> Iterator[Section]:
    """Yield the sections on the population of similar benchmarks and on the effect of more sampled answers."""
    if comparison.n_benchmarks > 1:
        words = (
            f"The {comparison.n_benchmarks} benchmarks are the sample, regardless of their numbers of questions. "
            f"{over_benchmarks_words(comparison, inside=False)}"
        )
        blocks = _blocks_over_benchmarks(comparison, words, extent)
        yield section("benchmarks", "Similar benchmarks", *blocks)
    if any(not math.isnan(model.intraclass_correlation) for model in comparison.models):
        yield section("variance", "Effect of more samples", paragraph(_variance_words(comparison)))


def _blocks_over_benchmarks(comparison: Comparison, words: str, extent: Extent) -> Iterator[Block]:
    """Yield the test with the benchmarks as the sample, their scores, and the noninferiority tests."""
    yield paragraph(words)
    yield _benchmarks(comparison)
    over = comparison.over_benchmarks
    if over is not None and over.margins is not None:
        from evalstats.report.comparisons.optional_analyses import margin_blocks  # every test of margins

        yield from margin_blocks(over, extent.max_rows, name="margins-over-benchmarks")


def _benchmarks(comparison: Comparison) -> Table:
    names = comparison.table.datasets
    numbers = [[decimal(model.benchmarks[name], 3) for model in comparison.models] for name in names]
    return Table(
        name="benchmarks",
        caption=f"Mean {metric_name(comparison.table.metric)} on each benchmark.",
        columns=(Column(head="Benchmark"), *(Column(head=m.classifier, numeric=True) for m in comparison.models)),
        rows=tuple((name, *row) for name, row in zip(names, numbers, strict=True)),
    )


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
        f"The variance between questions is {share} of the variance of a single answer; the rest is the variance "
        f"between samples of a question. With {samples} samples of each question, {percent(round(left, 2))} of the "
        "variance of a mean is due to the questions. Only more questions, not more samples, reduce this part."
    )


# --- Design and notes -------------------------------------------------------------------------------------------------


def _design(comparison: Comparison) -> Section:
    if comparison.design == "questions":
        return section("design", "How was it compared?", listing(_design_of_questions(comparison)))
    words = _design_over_datasets if comparison.design == "datasets" else _design_on_one_dataset
    return section("design", "What the design can show", paragraph(words(comparison)))


def _design_over_datasets(comparison: Comparison) -> str:
    alpha, words = comparison.alpha, comparison.words
    name = omnibus_words(comparison)
    pair = ""
    if comparison.smallest_posthoc_pvalue is not None:
        posthoc = pair_test_words(comparison)
        pair = f"; for one pair in the {posthoc} it is {pvalue_bound(comparison.smallest_posthoc_pvalue, alpha)}"
    can = ""
    if comparison.min_attainable_pvalue is not None:
        smallest = pvalue_bound(comparison.min_attainable_pvalue, alpha)
        can = (
            f" The smallest p-value that the {name} can reach with these {words.datasets} and ties is {smallest}{pair}."
        )
    return (
        f"{count(comparison.n_datasets, words.dataset)}, {count(comparison.n_classifiers, words.classifier)}, "
        f"α = {alpha:g}.{can} {tie_words(comparison.tie_tolerance)}"
    )


def _design_on_one_dataset(comparison: Comparison) -> str:
    classifiers = count(comparison.n_classifiers, "classifier")
    if comparison.design == "instances":
        can = ""
        if comparison.min_attainable_pvalue is not None:
            leading = "Cochran's Q test" if comparison.omnibus is not None else f"the {pair_test_words(comparison)}"
            smallest = pvalue_bound(comparison.min_attainable_pvalue, comparison.alpha)
            units = "discordant instances" if comparison.n_clusters is None else "clusters"
            can = f" The smallest p-value that {leading} can reach with these {units} is {smallest}."
        size, instances = f"{classifiers}, one test set of", count(int(comparison.n_test), "instance")
        if comparison.n_clusters is not None:
            return (
                f"{size} {instances} in {count(comparison.n_clusters, 'cluster')} (column "
                f"{comparison.columns['cluster']}), α = {comparison.alpha:g}.{can} The clusters must be independent of "
                "each other; the intervals are from the jackknife of the clusters."
            )
        return (
            f"{size} {instances}, α = {comparison.alpha:g}.{can} The instances must be independent of each other; if "
            "several belong to one patient or document, name its column with --cluster COLUMN."
        )
    if comparison.pair_test == "ftest_5x2cv":
        repeats = f"{classifiers}, 5 repeats of 2 folds, α = {comparison.alpha:g}."
        return (
            f"{repeats} The training sets of the two folds of a repeat do not overlap, but the training sets "
            f"of two repeats do."
        )
    assert comparison.n_repeats is not None
    if comparison.design == "runs":
        return (
            f"{classifiers}, {count(comparison.n_repeats, 'run')} on one training and test set, α = "
            f"{comparison.alpha:g}. The runs are independent of each other. More runs make the means over seeds more "
            "precise, but they give no information about other training data."
        )
    assert comparison.n_folds is not None
    assert comparison.n_train is not None
    n = comparison.n_repeats * comparison.n_folds
    correlation = comparison.n_test / (comparison.n_test + comparison.n_train)
    return (
        f"{classifiers}, {count(comparison.n_repeats, 'repeat')} of {count(comparison.n_folds, 'fold')}, α = "
        f"{comparison.alpha:g}. The training sets of the folds overlap, so the test assumes a correlation of "
        f"{decimal(correlation, 3)} between the differences of two folds: {n} scores count as "
        f"{n / (1 + n * comparison.n_test / comparison.n_train):.1f} independent scores. More repeats on the same data "
        "hardly add information; other datasets do."
    )


def _design_of_questions(comparison: Comparison) -> Iterator[str]:
    of = comparison.columns
    yield (
        count(comparison.n_questions, "question")
        + (f" (column {of['question']})" if "question" in of else "")
        + f" in {count(comparison.n_clusters, 'cluster')} "
        + (f"(column {of['cluster']})" if "cluster" in of else "of one question each")
        + (f" and {count(comparison.n_benchmarks, 'benchmark')} (column {of['stratum']})." if "stratum" in of else ".")
    )
    few, many = comparison.n_samples
    if many > 1:
        n_samples = few if few == many else f"{few} to {many}"
        yield f"{n_samples} samples of each question; their mean is the score of the question."
    if comparison.n_benchmarks > 1:
        counted = (
            "each benchmark has the same weight"
            if comparison.average == "macro"
            else "each question has the same weight"
        )
        yield f"The {comparison.average} average: {counted}."


def _notes(comparison: Comparison) -> Iterator[Section]:
    """Yield the section of the notes and of the warnings of `which_test`, if there are any."""
    if comparison.design == "questions":
        found = [f"{one.severity.capitalize()}: {one.sentence}" for one in comparison.findings]
        yield from [section("findings", "Notes", listing(found))] * bool(found)
        return
    items = [note(code, comparison) for code in comparison.notes]
    if comparison.decided_otherwise:
        items.insert(0, (_otherwise_words(comparison),))
    items += advised(comparison, TOLD[comparison.design == "datasets"])
    yield from [section("notes", "Notes", listing(items))] * bool(items)


def _otherwise_words(comparison: Comparison) -> str:
    """State for which pairs the Wilcoxon test, which uses the sizes of the differences, decides differently."""
    at, differ = comparison.table.position, comparison.different
    here = [(a, b) for a, b in comparison.decided_otherwise if differ[at(a), at(b)]]
    there = [pair for pair in comparison.decided_otherwise if pair not in here]
    would = [f"would also show {_named_pairs(there)} to differ"] if there else []
    would += [f"would not show {_named_pairs(here)} to differ"] if here else []
    return (
        "The Wilcoxon signed-rank test of each pair with Holm's method, which depends on the sizes of the differences "
        f"but not on the other {comparison.words.classifiers}, {' and '.join(would)}. Choose the test before you see "
        "the scores."
    )


def _named_pairs(pairs: Sequence[tuple[str, str]]) -> str:
    listed = "; ".join(f"{a} and {b}" for a, b in pairs[:_LISTED])
    more = f"; and {len(pairs) - _LISTED} more" if len(pairs) > _LISTED else ""
    return f"{count(len(pairs), 'pair')} ({listed}{more})"
