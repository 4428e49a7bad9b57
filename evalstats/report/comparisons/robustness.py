"""Sentences on the dependence of the decisions on the analysis, on individual datasets and on other classifiers."""

from __future__ import annotations

__all__ = ["sections"]

import math
from collections import Counter
from collections.abc import Iterator

from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import ANALYSES, OMNIBUS_TESTS, POSTERIOR_TESTS, POSTHOC_TESTS, TESTS_OF_TWO
from evalstats.comparison.supplements import OUTCOMES, Analysis, PairRobustness, Posteriors, Robustness
from evalstats.report.blocks import Block, Column, Section, Table, listing, paragraph, section
from evalstats.report.describe import count, percent, pvalue_cell
from evalstats.wording import adjusted_words, written_list

# maximum number of names of datasets or classifiers in a cell; the others are counted
_LISTED = 2


def sections(comparison: Comparison, robustness: Robustness, most_pairs: int) -> Iterator[Section]:
    """Yield the sections on the agreement of alternative analyses and on the stability of each decision."""
    blocks: list[Block] = [paragraph(_words(comparison, robustness)), _analyses_table(comparison, robustness)]
    if comparison.posteriors is not None:
        blocks.append(paragraph(_bayesian_answers(robustness, comparison.posteriors)))
    if robustness.left_out:
        blocks.append(paragraph("Left out because the data contradict an assumption:"))
        blocks.append(listing(f"{_name(name)}: {reason}" for name, reason in robustness.left_out))
    yield section("analyses", "Would another valid analysis decide differently?", *blocks)
    pairs = _pairs_table(comparison, robustness, most_pairs)
    yield section("stability", "What do the decisions depend on?", pairs)


def _words(comparison: Comparison, robustness: Robustness) -> str:
    others = robustness.n_analyses - 1
    if not others:
        alike = "no other valid analysis was made"
    elif robustness.is_unanimous:
        alike = f"all other valid analyses ({others}) reach the same decision on every pair"
    else:
        n = sum(pair.n_different not in (0, robustness.n_analyses) for pair in robustness.pairs)
        alike = (
            f"of the {count(others, 'other valid analysis', 'other valid analyses')}, some decide differently, on {n} "
            f"of {count(len(robustness.pairs), 'pair')}; {percent(round(robustness.agreement, 3))} of all decisions "
            "agree with the primary analysis"
        )
    primary = _label(robustness.analyses[0])
    return (
        f"The verdict is from the primary analysis ({primary}). At α = {comparison.alpha:g}, {alike}. A choice among "
        "these analyses after you see this table would be another multiple comparison."
    )


def _bayesian_answers(robustness: Robustness, posteriors: Posteriors) -> str:
    """State for how many pairs the posterior probabilities agree with the primary analysis."""
    answered = [pair for pair in robustness.pairs if pair.posterior is not None]
    counted = Counter(pair.posterior for pair in answered)
    told = written_list([f"{counted[outcome]} {outcome}" for outcome in OUTCOMES if counted[outcome]])
    n = sum(bool(pair.posterior_agrees) for pair in answered)
    return (
        f"With a rope of {posteriors.rope:g}, the {POSTERIOR_TESTS[posteriors.test]} answers on "
        f"{count(len(answered), 'pair')}: {told}. It agrees with the primary analysis on {n} of them. Its "
        "probabilities are not adjusted for the number of pairs, and they do not control an error rate."
    )


def _analyses_table(comparison: Comparison, robustness: Robustness) -> Table:
    """Return a table with a row for each test and a column for each adjustment of its p-values."""
    found = {(analysis.posthoc_test, analysis.adjustment): analysis for analysis in robustness.analyses}
    tests = list(dict.fromkeys(analysis.posthoc_test for analysis in robustness.analyses))
    adjustments = [name for name in _ADJUSTMENTS if any(adjustment == name for _, adjustment in found)]
    return Table(
        name="analyses",
        caption=(
            f"Number of the {len(robustness.pairs)} pairs that are shown to differ by each test{_chosen(comparison)} "
            "and each "
            f"multiple-testing adjustment that controls the family-wise error rate.{_led(robustness)} The primary "
            "analysis is in brackets; ! marks an analysis that decides some pair differently."
        ),
        columns=(
            Column(head="Test of the pairs", whole=True),
            Column(head="Omnibus test", whole=True),
            Column(head="p", numeric=True),
            *(Column(head=_ADJUSTMENTS[name], numeric=True) for name in adjustments),
        ),
        rows=tuple(
            (
                test,
                *_leading(next(a for (name, _), a in found.items() if name == test), comparison.alpha),
                *(_decisions(found.get((test, name))) for name in adjustments),
            )
            for test in tests
        ),
    )


# heads of the columns; other columns use their own names
_ADJUSTMENTS = {
    "none": "alone",
    "single-step": "family",
    "bonferroni": "bonf.",
    "sidak": "sidak",
    "holm": "holm",
    "holm-sidak": "h.-sidak",
    "hochberg": "hochb.",
    "hommel": "hommel",
    "rom": "rom",
    "finner": "finner",
    "holland": "holland",
    "li": "li",
    "bh": "bh",
    "by": "by",
    "shaffer": "shaffer",
    "shaffer-dynamic": "s.-dyn.",
    "bergmann-hommel": "B.-H.",
}


def _chosen(comparison: Comparison) -> str:
    return " (posthoc=)" if comparison.design == "datasets" else ""


def _is_led(analysis: Analysis) -> bool:
    """Return whether a pair is significantly different in the analysis only if an omnibus test also rejects."""
    test = POSTHOC_TESTS.get(analysis.posthoc_test)
    return analysis.omnibus_test is None or test is None or test.is_gated


def _led(robustness: Robustness) -> str:
    """Explain the role of the omnibus test if some analyses require it."""
    led = [a for a in robustness.analyses if a.omnibus_test in OMNIBUS_TESTS and _is_led(a)]
    if not led:
        return ""
    return (
        " If an omnibus test is listed, it must also reject. The rate is then controlled only if all classifiers "
        "perform equally."
    )


def _leading(analysis: Analysis, alpha: float) -> tuple[str, str]:
    """Return the cells with the omnibus test and its p-value, or dashes if the analysis requires no omnibus test."""
    if math.isnan(analysis.omnibus_pvalue) or not _is_led(analysis):
        return "–", "–"  # no other test decides
    return _SHORT.get(analysis.omnibus_test or "", "–"), pvalue_cell(analysis.omnibus_pvalue, alpha)


_SHORT = {
    "cochran": "Cochran's Q",
    "friedman": "Friedman",
    "friedman-aligned": "aligned",
    "quade": "Quade",
    "rm-anova": "ANOVA",
}


def _decisions(analysis: Analysis | None) -> str:
    if analysis is None:
        return ""
    n = str(sum(analysis.different))
    return f"[{n}]" if analysis.is_primary else n if analysis.agreement == 1 else f"{n}!"


def _pairs_table(comparison: Comparison, robustness: Robustness, most_pairs: int) -> Table:
    pairs = robustness.pairs
    # if there are too many pairs, the least stable pairs come first
    order = sorted(range(len(pairs)), key=lambda i: (pairs[i].stability, -_disputed(pairs[i], robustness), i))
    shown = [pairs[i] for i in sorted(order[:most_pairs])]
    which = "" if len(shown) == len(pairs) else ", the least stable pairs"
    has_posteriors = comparison.posteriors is not None
    bayesian = (
        " Posterior is the Bayesian decision for the first classifier; ! marks a disagreement with the primary "
        "analysis."
        if has_posteriors
        else ""
    )
    return Table(
        name="stability",
        caption=(
            f"Decision of the primary analysis on each pair{which}. Number of the {robustness.n_analyses} analyses "
            f"that show a difference, and the range of their p-values; {_left_out(comparison, robustness)} whose "
            f"removal, one at a time, changes the decision.{bayesian}"
        ),
        columns=(
            Column(head="First"),
            Column(head="Second"),
            Column(head="Shown to differ", whole=True),
            Column(head="Analyses", numeric=True),
            Column(head="p from", numeric=True),
            Column(head="to", numeric=True),
            *((Column(head="Posterior", whole=True),) if has_posteriors else ()),
            Column(head="Changes without", prose=True),
        ),
        rows=tuple(
            (
                pair.first,
                pair.second,
                "yes" if pair.different else "no",
                f"{pair.n_different}/{robustness.n_analyses}",
                pvalue_cell(pair.smallest_pvalue, comparison.alpha),
                pvalue_cell(pair.largest_pvalue, comparison.alpha),
                *((_bayesian_answer(pair),) if has_posteriors else ()),
                _hangs_on(pair),
            )
            for pair in shown
        ),
        marked=tuple(pair.different for pair in shown),
    )


def _bayesian_answer(pair: PairRobustness) -> str:
    if pair.posterior is None:
        return "–"
    return pair.posterior if pair.posterior_agrees else f"{pair.posterior}!"


def _left_out(comparison: Comparison, robustness: Robustness) -> str:
    leaves_out_units = any(not math.isnan(pair.stability) for pair in robustness.pairs)
    return f"{comparison.words.units} and other classifiers" if leaves_out_units else "other classifiers"


def _disputed(pair: PairRobustness, robustness: Robustness) -> int:
    return min(pair.n_different, robustness.n_analyses - pair.n_different)


def _hangs_on(pair: PairRobustness) -> str:
    names = [*pair.deciding_datasets, *pair.deciding_classifiers]
    return written_list(names, at_most=_LISTED) if names else "–"


def _label(analysis: Analysis) -> str:
    return adjusted_words(_name(analysis.posthoc_test), analysis.adjustment)


def _name(test: str) -> str:
    if test in ANALYSES:
        return ANALYSES[test]
    if test in OMNIBUS_TESTS and test not in POSTHOC_TESTS:
        return OMNIBUS_TESTS[test].words
    return POSTHOC_TESTS[test].words if test in POSTHOC_TESTS else TESTS_OF_TWO[test].words
