"""What does a result say in words? Sentences for results, and the whole report of a comparison before it has a look."""

from __future__ import annotations

__all__ = ["METHODS", "NOTES", "SENTENCES", "document", "sentence"]

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._result import HypothesisTestResult
from evalstats.comparison import Comparison, Pair
from evalstats.diagram import POSTHOC_NAMES, lay_out, written_list
from evalstats.multiple.bonferroni_dunn import BonferroniDunnTestResult
from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.multiple.nemenyi import NemenyiTestResult
from evalstats.paired.sign import SignTestResult
from evalstats.paired.ttest import PairedTTestResult
from evalstats.paired.wilcoxon import WilcoxonTestResult
from evalstats.report.document import (
    Block,
    Cite,
    Column,
    Document,
    Figure,
    Listing,
    Paragraph,
    Section,
    Sentences,
    Table,
)
from evalstats.report.methods import methods, tie_words
from evalstats.report.numbers import as_given, column, count, decimal, decimals, percent, pvalue_cell, pvalue_words, signed
from evalstats.report.verdict import metric_words, verdict

# the null distribution that was really used, in words
METHODS: dict[str, str] = {
    "asymptotic": "normal approximation",
    "binomial": "binomial distribution",
    "chi2": "χ² approximation",
    "exact": "exact distribution",
    "f": "F approximation of Iman and Davenport",
    "monte-carlo": "simulated permutations",
    "normal": "normal distribution",
    "studentized range": "studentized range distribution",
    "t": "t distribution",
}

# a longer group is written by its ends
_LISTED = 8


def sentence(result: HypothesisTestResult) -> str:
    """Put the result of one test into one sentence, without a decision.

    Parameters
    ----------
    result : HypothesisTestResult
        The result of one problem, not of a batch.

    Returns
    -------
    str
        The test, its statistic, its p-value and its null distribution; and the reason where the input was degenerate.

    Raises
    ------
    InvalidTypeError
        For anything that is not the result of a test of evalstats.
    InvalidValueError
        For a batch of results.

    Examples
    --------
    >>> from evalstats import report, wilcoxon_test
    >>> print(report.sentence(wilcoxon_test([5, 7, 3, 8, 6], [4, 4, 4, 4, 1])))
    Wilcoxon signed-rank test: W+ = 13.5 over 5 differences other than zero, p = 0.1250 (exact distribution).
    """
    if type(result) not in SENTENCES:
        raise InvalidTypeError(f"result must be the result of a test, not {type(result).__name__}")
    if not isinstance(result.method, str):
        raise InvalidValueError("result must be the result of one problem, but it is a batch of results")
    one_sided = "" if result.alternative == "two-sided" else f"; one-sided, alternative '{result.alternative}'"
    reason = "" if result.reason is None else f"; {result.reason}"
    return f"{SENTENCES[type(result)](result)}{one_sided}{reason}."


def document(comparison: Comparison, *, most_pairs: int = 1000, with_scores: bool = False) -> Document:
    """Put a whole comparison into words and tables.

    Parameters
    ----------
    comparison : Comparison
        Every number and every decision is taken from here.
    most_pairs : int, default: 1000
        Where there are more pairs than this, the table shows those with the smallest p-values and says so.
    with_scores : bool, default: False
        Whether to end with the table of the scores themselves.

    Returns
    -------
    Document
    """
    what = f"{count(comparison.n_classifiers, 'classifier')} on {count(comparison.n_datasets, 'dataset')}"
    if comparison.omnibus is None:
        findings = _two(comparison)
    else:
        findings = _several(comparison, comparison.omnibus, most_pairs)
    notes = tuple(_note(code, comparison) for code in comparison.notes)
    return Document(
        title=f"Comparison of {what}: {metric_words(comparison)}",
        verdict=Paragraph(content=(verdict(comparison),)),
        sections=(
            *findings,
            Section(name="design", heading="What the design can show", blocks=(Paragraph(content=(_design(comparison),)),)),
            *([Section(name="notes", heading="What to keep in mind", blocks=(Listing(items=notes),))] if notes else []),
            Section(name="methods", heading="Methods", blocks=(Paragraph(content=methods(comparison)),)),
            *([Section(name="data", heading="Data", blocks=(_scores_table(comparison),))] if with_scores else []),
        ),
    )


# --- One result -------------------------------------------------------------------------------------------------------


def _wilcoxon_sentence(result: WilcoxonTestResult) -> str:
    used = count(result.n_pairs - result.n_zero, "difference")
    return (
        f"Wilcoxon signed-rank test: W+ = {result.statistic:g} over {used} other than zero, "
        f"{pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def _sign_sentence(result: SignTestResult) -> str:
    return (
        f"Sign test: {count(result.n_wins, 'win')}, {count(result.n_losses, 'loss', 'losses')} and "
        f"{count(result.n_ties, 'tie')}, {pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def _ttest_sentence(result: PairedTTestResult) -> str:
    mean = column([result.mean_difference], digits=3)[0]
    return (
        f"Paired t-test: mean difference {mean}, t({result.df:g}) = {decimal(result.statistic, 3)}, "
        f"{pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def _friedman_sentence(result: FriedmanTestResult) -> str:
    law = METHODS[result.method]
    if result.n_resamples is not None:
        law = f"{result.n_resamples} {law}"
    name = _f_words(result) if result.method == "f" else f"{_chi2_words(result)}, corrected for ties"
    return f"Friedman test: {name}, {pvalue_words(result.pvalue)} ({law})"


def _nemenyi_sentence(result: NemenyiTestResult) -> str:
    pvalues = np.asarray(result.pvalue)[np.triu_indices(result.n_classifiers, 1)]
    return (
        f"Nemenyi test of {count(result.n_classifiers, 'classifier')} on {count(result.n_datasets, 'dataset')}: the smallest "
        f"of {count(len(pvalues), 'p-value')} is {pvalue_cell(float(pvalues.min()))} ({METHODS[result.method]})"
    )


def _bonferroni_dunn_sentence(result: BonferroniDunnTestResult) -> str:
    pvalues = np.delete(np.asarray(result.pvalue), result.control)
    return (
        f"Bonferroni-Dunn test of {count(len(pvalues), 'classifier')} against a control on "
        f"{count(result.n_datasets, 'dataset')}: the smallest of {count(len(pvalues), 'adjusted p-value')} is "
        f"{pvalue_cell(float(pvalues.min()))} ({METHODS[result.method]})"
    )


def _chi2_words(result: FriedmanTestResult) -> str:
    return f"χ²({result.n_classifiers - 1}) = {decimal(result.chi2, 3)}"


def _f_words(result: FriedmanTestResult) -> str:
    k, n = result.n_classifiers, result.n_datasets
    return f"F({k - 1}, {(k - 1) * (n - 1)}) = {decimal(result.f, 3)}"


# every class of results of the package; a test proves that none is forgotten
SENTENCES: dict[type, Callable[[Any], str]] = {
    BonferroniDunnTestResult: _bonferroni_dunn_sentence,
    FriedmanTestResult: _friedman_sentence,
    NemenyiTestResult: _nemenyi_sentence,
    PairedTTestResult: _ttest_sentence,
    SignTestResult: _sign_sentence,
    WilcoxonTestResult: _wilcoxon_sentence,
}


# --- Two classifiers --------------------------------------------------------------------------------------------------


def _two(comparison: Comparison) -> tuple[Section, ...]:
    wilcoxon, sign, interval = comparison.wilcoxon, comparison.sign, comparison.hodges_lehmann_interval
    assert wilcoxon is not None
    assert sign is not None
    assert interval is not None
    pair = comparison.pairs[0]
    estimate, low, high = column([pair.hodges_lehmann, interval.low, interval.high], digits=3)
    effects = (
        f"Wins, ties and losses of {pair.first} against {pair.second}: {pair.n_wins}/{pair.n_ties}/{pair.n_losses}. "
        f"Matched-pairs rank-biserial correlation: {signed(pair.rank_biserial, 3)}, from −1 to +1, positive where "
        f"{pair.first} is better. Hodges-Lehmann estimate of the difference in {metric_words(comparison)}, {pair.first} "
        f"minus {pair.second}: {estimate}, {percent(interval.confidence_level)} interval {low} to {high}"
        f"{_attained_words(interval.confidence_level, interval.attained_level)}."
    )
    return (
        Section(name="scores", heading="Scores", blocks=(_ranks_table(comparison),)),
        Section(
            name="difference",
            heading="Do the two classifiers differ?",
            blocks=(
                Paragraph(content=(f"{_wilcoxon_sentence(wilcoxon)}. {_decision(comparison)}",)),
                Paragraph(content=(f"{_sign_sentence(sign)}.",)),
                Paragraph(content=(effects,)),
            ),
        ),
    )


def _attained_words(asked: float, attained: float) -> str:
    return f" (its level is {percent(round(attained, 4))})" if abs(attained - asked) > 1e-12 else ""


# --- Several classifiers ----------------------------------------------------------------------------------------------


def _several(comparison: Comparison, omnibus: FriedmanTestResult, most_pairs: int) -> tuple[Section, ...]:
    return (
        Section(
            name="ranks",
            heading="Mean ranks",
            blocks=(_ranks_table(comparison), Figure(diagram=lay_out(comparison)), *_groups(comparison)),
        ),
        Section(
            name="omnibus",
            heading="Do the classifiers differ?",
            blocks=(
                Paragraph(content=(f"{_friedman_sentence(omnibus)}. {_decision(comparison)}",)),
                Paragraph(content=(_beside(omnibus),)),
            ),
        ),
        Section(
            name="pairs",
            heading="Which classifiers differ?" if comparison.control is None else f"Which differ from {comparison.control}?",
            blocks=(Paragraph(content=(_posthoc(comparison),)), *_pairs_table(comparison, most_pairs)),
        ),
    )


def _ranks_table(comparison: Comparison) -> Table:
    table = comparison.table
    scores = table.scores[:, [table.classifiers.index(name) for name in comparison.ranking]]
    means, medians = scores.mean(axis=0).tolist(), np.median(scores, axis=0).tolist()
    formatted = column([*means, *medians], digits=4)
    direction = "higher" if table.greater_is_better else "lower"
    control = "" if comparison.control is None else f" The control is {comparison.control}."
    return Table(
        name="ranks",
        caption=f"Mean ranks, 1 for the best, and scores: {metric_words(comparison)}, {direction} is better.{control}",
        columns=(
            Column(head="Classifier"),
            Column(head="Mean rank", numeric=True),
            Column(head=f"Mean {table.metric}", numeric=True),
            Column(head=f"Median {table.metric}", numeric=True),
        ),
        rows=tuple(
            (name, decimal(comparison.mean_rank(name), 3), mean, median)
            for name, mean, median in zip(
                comparison.ranking, formatted[: len(means)], formatted[len(means) :], strict=True
            )
        ),
    )


def _decision(comparison: Comparison) -> str:
    at = f"At α = {comparison.alpha:g}"
    who = "two classifiers" if comparison.omnibus is None else "classifiers"
    if comparison.significant:
        return f"{at} the hypothesis that the {who} perform alike is rejected."
    return f"{at} it does not reject: the data do not show a difference."


def _beside(omnibus: FriedmanTestResult) -> str:
    """The other forms of the test, its uncorrected value and the effect size."""
    forms = []
    if omnibus.method != "chi2":
        forms.append(f"the χ² approximation gives {pvalue_words(omnibus.chi2_pvalue)} for {_chi2_words(omnibus)}")
    if omnibus.method != "f" and not math.isnan(omnibus.f):
        forms.append(f"the F form of Iman and Davenport gives {pvalue_words(omnibus.f_pvalue)} for {_f_words(omnibus)}")
    beside = f"Beside it, {written_list(forms)}. " if forms else ""
    return (
        f"{beside}Without the correction for ties the statistic is {decimal(omnibus.chi2_uncorrected, 3)}. "
        f"Kendall's coefficient of concordance is W = {decimal(omnibus.kendall_w, 3)}, where 1 is one ranking on every "
        "dataset and 0 is no agreement."
    )


def _posthoc(comparison: Comparison) -> str:
    name = POSTHOC_NAMES[type(comparison.posthoc)]
    far = "two mean ranks" if comparison.control is None else "a mean rank and that of the control"
    rule = (
        f"The {name} calls {far} different at α = {comparison.alpha:g} where they are at least the critical difference of "
        f"{decimal(comparison.critical_difference or math.nan, 3)} apart."
    )
    n_pairs, n_different = len(comparison.pairs), sum(pair.different for pair in comparison.pairs)
    if not comparison.significant:
        return f"{rule} Because the Friedman test does not reject, its numbers are shown but not interpreted."
    what = "pair" if comparison.control is None else "comparison"
    if n_different == 0:
        return f"{rule} None of {count(n_pairs, what)} is shown to differ, although the Friedman test rejects."
    verb = "is" if n_different == 1 else "are"
    return f"{rule} Of {count(n_pairs, what)}, {n_different} {verb} shown to differ."


def _groups(comparison: Comparison) -> list[Block]:
    """Groups and loose pairs in words; nothing where no conclusion is drawn."""
    if not comparison.significant or comparison.control is not None:
        return []
    blocks: list[Block] = []
    if comparison.groups:
        blocks.append(Paragraph(content=("Groups within which the data do not show a difference:",)))
        blocks.append(Listing(items=tuple((_group_words(group, comparison),) for group in comparison.groups)))
    if comparison.loose_pairs:
        blocks.append(Paragraph(content=("Pairs that are not shown to differ although classifiers ranked between them are:",)))
        blocks.append(Listing(items=tuple((f"{a} and {b}",) for a, b in comparison.loose_pairs)))
    return blocks


def _group_words(group: tuple[str, ...], comparison: Comparison) -> str:
    """The members, or, as they stand one after the other in the ranking, the first and the last of many."""
    if len(group) <= _LISTED:
        return written_list(group)
    first, last = (decimal(comparison.mean_rank(name), 3) for name in (group[0], group[-1]))
    return f"{group[0]} to {group[-1]}: the {len(group)} classifiers with mean ranks from {first} to {last}"


def _pairs_table(comparison: Comparison, most_pairs: int) -> list[Block]:
    pairs = comparison.pairs
    shown = _smallest(pairs, most_pairs)
    estimates = column([pair.hodges_lehmann for pair in shown], digits=3)
    control = comparison.control
    names = ("Classifier",) if control is not None else ("First", "Second")
    against = f"each classifier (first) against the control, {control} (second)" if control is not None else "first against second"
    table = Table(
        name="pairs",
        caption=(
            f"{POSTHOC_NAMES[type(comparison.posthoc)]}, {against}: difference of mean ranks, negative where the first is better; "
            f"p-value adjusted for {count(len(pairs), 'comparison')}; datasets won, tied and lost by the first; "
            "matched-pairs rank-biserial correlation r, positive where the first is better; Hodges-Lehmann (HL) estimate of "
            f"first minus second in {metric_words(comparison)}."
        ),
        columns=(
            *(Column(head=name) for name in names),
            Column(head="Rank diff.", numeric=True),
            Column(head="p", numeric=True),
            Column(head="Shown to differ"),
            Column(head="W/T/L", numeric=True),
            Column(head="r", numeric=True),
            Column(head="HL diff.", numeric=True),
        ),
        rows=tuple(
            (
                *((pair.first,) if control is not None else (pair.first, pair.second)),
                signed(pair.mean_rank_difference, 3),
                pvalue_cell(pair.pvalue, comparison.alpha),
                _shown(pair, comparison),
                f"{pair.n_wins}/{pair.n_ties}/{pair.n_losses}",
                signed(pair.rank_biserial, 3),
                estimate,
            )
            for pair, estimate in zip(shown, estimates, strict=True)
        ),
    )
    if len(shown) == len(pairs):
        return [table]
    cut = f"The table shows the {len(shown)} of {len(pairs)} pairs with the smallest p-values."
    return [Paragraph(content=(cut,)), table]


def _smallest(pairs: tuple[Pair, ...], most: int) -> list[Pair]:
    """The pairs with the smallest p-values, in the order of the comparison."""
    kept = sorted(range(len(pairs)), key=lambda i: (pairs[i].pvalue, i))[:most]
    return [pairs[i] for i in sorted(kept)]


def _shown(pair: Pair, comparison: Comparison) -> str:
    if not comparison.significant:
        return "–"
    return "yes" if pair.different else "no"


def _scores_table(comparison: Comparison) -> Table:
    table = comparison.table
    source = f", from {table.source}" if table.source else ""
    places = decimals(table.scores.ravel().tolist())
    return Table(
        name="scores",
        caption=f"The scores that were compared{source}: {metric_words(comparison)}.",
        columns=(Column(head="Dataset"), *(Column(head=name, numeric=True) for name in table.classifiers)),
        rows=tuple(
            (dataset, *as_given(row, places)) for dataset, row in zip(table.datasets, table.scores.tolist(), strict=True)
        ),
    )


# --- Design and notes -------------------------------------------------------------------------------------------------


def _design(comparison: Comparison) -> str:
    leading = comparison.omnibus or comparison.wilcoxon
    assert leading is not None
    name = _leading_name(comparison)
    smallest = f"{name} can reach with these datasets and ties is {pvalue_cell(comparison.smallest_pvalue, comparison.alpha)}"
    if comparison.smallest_posthoc_pvalue is not None:
        posthoc = POSTHOC_NAMES[type(comparison.posthoc)]
        smallest += f"; for one pair in the {posthoc} it is {pvalue_cell(comparison.smallest_posthoc_pvalue, comparison.alpha)}"
    return (
        f"{count(comparison.n_datasets, 'dataset')}, {count(comparison.n_classifiers, 'classifier')}, α = {comparison.alpha:g}. "
        f"The smallest p-value that the {smallest}. {tie_words(leading.tie_tolerance)}"
    )


def _leading_name(comparison: Comparison) -> str:
    return "Wilcoxon signed-rank test" if comparison.omnibus is None else "Friedman test"


def _note(code: str, comparison: Comparison) -> Sentences:
    if code not in NOTES:
        raise InvalidValueError(f"notes must be among {', '.join(map(repr, NOTES))}, but one is {code!r}")
    return NOTES[code](comparison)


def _degenerate(comparison: Comparison) -> Sentences:
    if comparison.omnibus is not None and comparison.omnibus.f == math.inf:
        return (
            "All datasets put the classifiers in one order: F is infinite, and its p-value is the probability of that by chance.",
        )
    leading = comparison.omnibus or comparison.wilcoxon
    assert leading is not None
    who = "" if comparison.omnibus else f" (x is {comparison.pairs[0].first}, y is {comparison.pairs[0].second})"
    return (f"The data are degenerate: {leading.reason}{who}.",)


def _datasets_dropped(comparison: Comparison) -> Sentences:
    dropped = comparison.table.dropped
    was = "was" if len(dropped) == 1 else "were"
    return (f"{count(len(dropped), 'dataset')} {was} left out because scores were missing: {written_list(dropped, at_most=10)}.",)


def _design_cannot_reach_alpha(comparison: Comparison) -> Sentences:
    return (
        f"This design cannot reach α = {comparison.alpha:g}: the smallest p-value of the {_leading_name(comparison)} with these "
        f"datasets and ties is {pvalue_cell(comparison.smallest_pvalue, comparison.alpha)}. Only more datasets can change that.",
    )


def _posthoc_cannot_reach_alpha(comparison: Comparison) -> Sentences:
    who = "No pair" if comparison.control is None else "No classifier"
    what = "shown to differ" if comparison.control is None else "shown to differ from the control"
    return (
        f"{who} could be {what} by the {POSTHOC_NAMES[type(comparison.posthoc)]} on {count(comparison.n_datasets, 'dataset')}: "
        f"its smallest p-value is {pvalue_cell(comparison.smallest_posthoc_pvalue or math.nan, comparison.alpha)}.",
    )


def _few_datasets_asymptotic(comparison: Comparison) -> Sentences:
    return (
        f"The p-value of the {_leading_name(comparison)} is an approximation for many datasets, and there "
        f"{'is only 1' if comparison.n_datasets == 1 else f'are only {comparison.n_datasets}'}; the exact distribution is to be preferred.",
    )


def _monte_carlo(comparison: Comparison) -> Sentences:
    assert comparison.omnibus is not None
    return (
        f"The p-value of the Friedman test is simulated from {count(comparison.omnibus.n_resamples or 0, 'random permutation')}; "
        "another seed gives a slightly different one.",
    )


def _omnibus_without_pairs(comparison: Comparison) -> Sentences:
    return (
        f"The Friedman test rejects, but the {POSTHOC_NAMES[type(comparison.posthoc)]} finds no difference large enough. This is "
        "no contradiction: the first looks at all classifiers at once, the second at each of "
        f"{count(len(comparison.pairs), 'comparison')}, with p-values adjusted for all of them, and has less power. More powerful "
        "procedures for the pairs exist ",
        Cite(("garcia2008",)),
        ".",
    )


def _pairs_without_omnibus(comparison: Comparison) -> Sentences:
    return (
        f"Taken alone, the {POSTHOC_NAMES[type(comparison.posthoc)]} has p-values up to α = {comparison.alpha:g}; because the "
        "Friedman test does not reject, no conclusion is drawn from them.",
    )


def _pool_dependence(comparison: Comparison) -> Sentences:
    del comparison
    return (
        "Mean ranks depend on all classifiers in the table: adding or leaving out one can change the decision on two others ",
        Cite(("benavoli2016",)),
        ".",
    )


def _wilcoxon_and_sign_disagree(comparison: Comparison) -> Sentences:
    assert comparison.wilcoxon is not None
    assert comparison.sign is not None
    wilcoxon = f"the Wilcoxon signed-rank test ({pvalue_words(comparison.wilcoxon.pvalue, comparison.alpha)})"
    sign = f"the sign test ({pvalue_words(comparison.sign.pvalue, comparison.alpha)})"
    rejecting, other = (wilcoxon, sign) if comparison.significant else (sign, wilcoxon)
    return (
        f"At α = {comparison.alpha:g} {rejecting} rejects and {other} does not: the sign test counts wins only, the Wilcoxon test "
        "weighs them by the size of the difference. The verdict is that of the Wilcoxon test.",
    )


# every code that a Comparison may carry
NOTES: dict[str, Callable[[Comparison], Sentences]] = {
    "datasets-dropped": _datasets_dropped,
    "degenerate": _degenerate,
    "design-cannot-reach-alpha": _design_cannot_reach_alpha,
    "few-datasets-asymptotic": _few_datasets_asymptotic,
    "monte-carlo": _monte_carlo,
    "omnibus-without-pairs": _omnibus_without_pairs,
    "pairs-without-omnibus": _pairs_without_omnibus,
    "pool-dependence": _pool_dependence,
    "posthoc-cannot-reach-alpha": _posthoc_cannot_reach_alpha,
    "wilcoxon-and-sign-disagree": _wilcoxon_and_sign_disagree,
}
