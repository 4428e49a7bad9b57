"""What stands in the report of a comparison, and in which order, before it has a look?"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["document", "ranks_table", "verdict"]

import math
from collections.abc import Iterator, Sequence

import numpy as np

from evalstats._result import HypothesisTestResult
from evalstats.comparison.record import Comparison
from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.report.blocks import (
    Block,
    Column,
    Document,
    Extent,
    Figure,
    Paragraph,
    Section,
    Table,
    listing,
    paragraph,
    section,
)
from evalstats.report.comparisons import reproducibility
from evalstats.report.comparisons.input_summary import NAMELESS, reading_section
from evalstats.report.comparisons.methods import methods, tie_words
from evalstats.report.comparisons.notes import note
from evalstats.report.comparisons.pairs import pairs_table
from evalstats.report.comparisons.scores import scores_table
from evalstats.report.comparisons.shared_blocks import advised, decision, groups_and_loose_pairs
from evalstats.report.comparisons.verdict import verdict
from evalstats.report.describe import (
    METHODS,
    chi2_words,
    f_words,
    friedman_words,
    metric_words,
)
from evalstats.report.interval_list import drawing_of
from evalstats.report.numbers import (
    column,
    count,
    decimal,
    percent,
    pvalue_bound,
    pvalue_words,
    shown_of,
    signed,
)
from evalstats.report.sentences import result_words
from evalstats.wording import (
    condition_words,
    metric_name,
    noun_words,
    omnibus_words,
    pair_test_words,
    promise_words,
    untested_note,
    written_list,
)

if TYPE_CHECKING:
    from evalstats.tables.score_table import ScoreTable

# findings that the notes tell already
TOLD = ("cannot-reach-alpha", "folds-are-not-datasets", "missing-scores", "very-few-datasets")
# a longer group is written by its ends
_LISTED = 8
# more scores than this are not shown
_MOST_SCORES = 5000


def document(comparison: Comparison, extent: Extent) -> Document:
    """Put a whole comparison into words and tables."""
    if comparison.design == "questions":
        from evalstats.report.comparisons import questions  # knows clusters and benchmarks

        return questions.document(comparison, extent)
    if comparison.design != "datasets":
        from evalstats.report.comparisons import one_dataset  # knows every test of the package

        is_named = comparison.dataset not in NAMELESS
        where, said = comparison.dataset if is_named else "one dataset", one_dataset.methods(comparison)
        sections = list(one_dataset.sections(comparison, extent.max_rows))
    else:
        where, said = count(comparison.n_datasets, noun_words(comparison.table)[1]), methods(comparison)
        sections = list(_sections(comparison, extent.max_rows))
    at = next(i for i, one in enumerate(sections) if one.name == "design")
    sections[at:at] = _beside(comparison, extent.max_rows)
    if extent.with_methods:
        sections.append(section("methods", "Methods", paragraph(*said)))
    if extent.with_scores:
        sections.append(section("data", "Data", _data(comparison.table)))
    sections[:0] = reading_section(comparison)
    what = f"{count(comparison.n_classifiers, noun_words(comparison.table)[0])} on {where}"
    direction = "higher" if comparison.table.greater_is_better else "lower"
    return Document(
        title=f"Comparison of {what}: {metric_words(comparison.table)}, {direction} is better",
        verdict=paragraph(verdict(comparison)),
        sections=tuple(sections),
    )


def _beside(comparison: Comparison, most_pairs: int) -> Iterator[Section]:
    """Show what was asked beside the test."""
    if comparison.margins is not None:
        from evalstats.report.comparisons.margins import margin_section  # every test of margins

        yield margin_section(comparison, most_pairs)
    if comparison.posteriors is not None:
        from evalstats.report.comparisons.posteriors import posterior_section  # Bayesian tests

        yield posterior_section(comparison, most_pairs)


def _data(table: ScoreTable) -> Block:
    """Show the scores, unless nobody would look through them."""
    if table.scores.size <= _MOST_SCORES:
        return scores_table(table)
    return paragraph(
        f"The {table.scores.size:,} scores are not repeated here; the JSON report and the R script hold them."
    )


def _sections(comparison: Comparison, most_pairs: int) -> Iterator[Section]:
    yield from _two(comparison) if comparison.omnibus is None else _several(comparison, comparison.omnibus, most_pairs)
    if comparison.robustness is not None:
        from evalstats.report.comparisons import robustness

        yield from robustness.sections(comparison, comparison.robustness, most_pairs)
    yield from reproducibility.sections(comparison, most_pairs)
    yield section("design", "What the design can show", _design(comparison))
    items = [note(code, comparison) for code in comparison.notes]
    if comparison.decided_otherwise:
        items.insert(0, (_otherwise_words(comparison),))
    items += advised(comparison, TOLD)
    if items:
        yield section("notes", "What to keep in mind", listing(items))


def _otherwise_words(comparison: Comparison) -> str:
    """Say which pairs Wilcoxon's test would decide otherwise: it looks at each pair alone, and at sizes."""
    at, differ = comparison.table.position, comparison.different
    here = [(a, b) for a, b in comparison.decided_otherwise if differ[at(a), at(b)]]
    there = [pair for pair in comparison.decided_otherwise if pair not in here]
    would = [f"would show {_named_pairs(there)} to differ too"] if there else []
    would += [f"would not show {_named_pairs(here)} to differ"] if here else []
    return (
        "The Wilcoxon signed-rank test of each pair with Holm's method, which looks at the size of the differences and "
        f"not at other classifiers, {' and '.join(would)}. Which test decides must be settled before the scores are "
        "seen."
    )


def _named_pairs(pairs: Sequence[tuple[str, str]]) -> str:
    listed = "; ".join(f"{a} and {b}" for a, b in pairs[:_LISTED])
    more = f"; and {len(pairs) - _LISTED} more" if len(pairs) > _LISTED else ""
    return f"{count(len(pairs), 'pair')} ({listed}{more})"


# --- Two classifiers --------------------------------------------------------------------------------------------------


def _two(comparison: Comparison) -> tuple[Section, ...]:
    assert comparison.wilcoxon is not None
    test = f"{result_words(comparison.wilcoxon)}. {decision(comparison)}"
    return (
        section("scores", "Scores", ranks_table(comparison)),
        section(
            "difference",
            "Do the two classifiers differ?",
            *map(paragraph, (test, _effect_words(comparison), _sign_words(comparison))),
        ),
    )


def _effect_words(comparison: Comparison) -> str:
    interval, pair = comparison.hodges_lehmann_interval, comparison.pairs[0]
    assert interval is not None
    estimate, low, high = column([pair.hodges_lehmann, interval.low, interval.high], digits=3)
    covered = "no interval"
    if not math.isnan(interval.low):
        asked, attained = interval.confidence_level, round(interval.attained_level, 4)
        covered = f"{percent(min(asked, attained))} interval {low} to {high}"
        if attained < asked:
            covered += f" (the widest there is: so few differences do not reach {percent(asked)})"
        elif attained > asked:
            covered += f" (its level is {percent(attained)})"
    return (
        f"Hodges-Lehmann estimate of the difference in {metric_words(comparison.table)}, {pair.first} minus "
        f"{pair.second}: {estimate}, {covered}. Matched-pairs rank-biserial correlation: "
        f"{signed(pair.rank_biserial, 3)}, from −1 to +1, positive where {pair.first} is better."
    )


def _sign_words(comparison: Comparison) -> str:
    sign, pair = comparison.sign, comparison.pairs[0]
    assert sign is not None
    wins = count(int(pair.n_wins or 0), "dataset")
    return (
        f"Sign test: {pair.first} wins on {wins}, loses on {pair.n_losses} and ties on {pair.n_ties} against "
        f"{pair.second}, {pvalue_words(sign.pvalue, comparison.alpha)} ({METHODS[sign.method]})."
    )


# --- Several classifiers ----------------------------------------------------------------------------------------------


def _several(comparison: Comparison, omnibus: HypothesisTestResult, most_pairs: int) -> tuple[Section, ...]:
    which = "Which classifiers differ?" if comparison.control is None else f"Which differ from {comparison.control}?"
    groups: list[Block] = []  # nothing where no conclusion is drawn
    if comparison.is_conclusive and comparison.control is None:
        groups = groups_and_loose_pairs(comparison, (_group_words(group, comparison) for group in comparison.groups))
    tested = [paragraph(f"{_leading_words(omnibus)} {decision(comparison)}")]
    if isinstance(omnibus, FriedmanTestResult):
        tested.append(paragraph(_beside_words(omnibus)))
    drawing = drawing_of(comparison)
    figure = [] if drawing is None else [Figure(diagram=drawing)]
    return (
        section("ranks", "Mean ranks", ranks_table(comparison), *figure, *groups),
        section("omnibus", "Do the classifiers differ?", *tested),
        section("pairs", which, paragraph(_posthoc_words(comparison)), *pairs_table(comparison, most_pairs)),
    )


def ranks_table(comparison: Comparison) -> Table:
    """List the classifiers, the best first."""
    table = comparison.table
    scores = table.scores[:, [table.classifiers.index(name) for name in comparison.ranking]]
    means, medians = np.nanmean(scores, axis=0).tolist(), np.nanmedian(scores, axis=0).tolist()
    written = column([*means, *medians], digits=4)
    ranks = [decimal(comparison.mean_rank(name), 3) for name in comparison.ranking]
    direction = "higher" if table.greater_is_better else "lower"
    control = "" if comparison.control is None else f" The control is {comparison.control}."
    computed = f" How each was computed: {table.computation}." if table.computation else ""
    scores_words = f"scores: {metric_words(comparison.table)}, {direction} is better.{computed}{control}"
    columns = [comparison.ranking, ranks, written[: len(means)], written[len(means) :]]
    ranked = "Mean ranks, 1 for the best"
    heads = [Column(head=noun_words(table)[0].capitalize()), Column(head="Mean rank", numeric=True)]
    heads += [Column(head=f"{what} {metric_name(table.metric)}", numeric=True) for what in ("Mean", "Median")]
    if table.missing:
        columns.append([str(n) for n in (~np.isnan(scores)).sum(axis=0).tolist()])
        k = comparison.n_classifiers
        ranked = f"Mean ranks over the datasets that each has, from 1 for the best of a dataset to {k} for its worst"
        heads.append(Column(head="Datasets", numeric=True))
    shared = ""
    if comparison.is_conclusive and comparison.letters and comparison.omnibus is not None:
        letters = dict(zip(table.classifiers, comparison.letters, strict=True))
        columns.append([letters[name] for name in comparison.ranking])
        heads.append(Column(head="Letters", whole=True))
        shared = (
            f" Two classifiers are shown to differ where they share no letter. {untested_note(comparison.validity)}"
        )
        shared = shared.rstrip()
    return Table(
        name="ranks",
        caption=f"{ranked}, and {scores_words}{shared}",
        columns=tuple(heads),
        rows=tuple(zip(*columns, strict=True)),
    )


def _leading_words(omnibus: HypothesisTestResult) -> str:
    """Write the leading test as one sentence."""
    if isinstance(omnibus, FriedmanTestResult):
        return f"{friedman_words(omnibus)}."
    from evalstats.report.sentences import sentence  # knows every test of the package

    return sentence(omnibus)


def _beside_words(omnibus: FriedmanTestResult) -> str:
    """Write the other forms of the test, its uncorrected value and the effect size."""
    forms = []
    if omnibus.method != "chi2":
        forms.append(f"the χ² approximation gives {pvalue_words(omnibus.chi2_pvalue)} for {chi2_words(omnibus)}")
    if omnibus.method != "f" and not math.isnan(omnibus.f):
        forms.append(f"the F form of Iman and Davenport gives {pvalue_words(omnibus.f_pvalue)} for {f_words(omnibus)}")
    beside = f"Beside it, {written_list(forms)}. " if forms else ""
    return (
        f"{beside}Without the correction for ties the statistic is {decimal(omnibus.chi2_uncorrected, 3)}. "
        f"Kendall's coefficient of concordance is W = {decimal(omnibus.kendall_w, 3)}, where 1 is one ranking on every "
        "dataset and 0 is no agreement."
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
    """Say where the post-hoc test calls two classifiers different."""
    test, at = pair_test_words(comparison), f"at α = {comparison.alpha:g}"
    family = promise_words(
        comparison.adjustment, comparison.alpha, comparison.n_pairs, only=condition_words(comparison)
    )
    if comparison.critical_difference is None:
        return f"The {test} calls a pair different {at} where its p-value is at most that; {family}."
    far = "two mean ranks" if comparison.control is None else "a mean rank and that of the control"
    return (
        f"The {test} calls {far} different {at} where they are at least the critical difference of "
        f"{decimal(comparison.critical_difference, 3)} apart; {family}."
    )


def _group_words(group: tuple[str, ...], comparison: Comparison) -> str:
    """Write the members or, as they stand one after the other in the ranking, the first and the last of many."""
    if len(group) <= _LISTED:
        return written_list(group)
    first, last = (decimal(comparison.mean_rank(name), 3) for name in (group[0], group[-1]))
    return f"{group[0]} to {group[-1]}: the {len(group)} classifiers with mean ranks from {first} to {last}"


# --- Design --------------------------------------------------------------------------------------------------


def _design(comparison: Comparison) -> Paragraph:
    alpha, (who, of) = comparison.alpha, noun_words(comparison.table)
    name = omnibus_words(comparison)
    pair = ""
    if comparison.smallest_posthoc_pvalue is not None:
        posthoc = pair_test_words(comparison)
        pair = f"; for one pair in the {posthoc} it is {pvalue_bound(comparison.smallest_posthoc_pvalue, alpha)}"
    can = ""
    if comparison.min_attainable_pvalue is not None:
        smallest = pvalue_bound(comparison.min_attainable_pvalue, alpha)
        can = f" The smallest p-value that the {name} can reach with these datasets and ties is {smallest}{pair}."
    return paragraph(
        f"{count(comparison.n_datasets, of)}, {count(comparison.n_classifiers, who)}, α = {alpha:g}."
        f"{can} {tie_words(comparison.tie_tolerance)}"
    )
