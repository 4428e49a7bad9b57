"""Conclusions of a comparison in a few sentences, which follow only from the decisions."""

from __future__ import annotations

__all__ = ["over_benchmarks_words", "verdict"]

import math

from evalstats.comparison.notes import Note
from evalstats.comparison.ranking import Pair
from evalstats.comparison.record import Comparison
from evalstats.io.layouts.questions import ONE_STRATUM
from evalstats.report.comparisons.notes import hopeless_pairs, judged_alone_words, means_otherwise_words
from evalstats.report.comparisons.shared_blocks import (
    MOST_LISTED,
    against_control_words,
    dataset_words,
    untested_words,
    without_untested,
)
from evalstats.report.describe import (
    column,
    count,
    decimal,
    metric_words,
    of_count,
    percent,
    pvalue_bound,
    pvalue_of,
    pvalue_words,
    shown_of,
)
from evalstats.report.sentences import with_names
from evalstats.wording import (
    adjusted_words,
    kept_words,
    omnibus_words,
    pair_test_words,
    pair_tests_words,
    tested_words,
    written_list,
)


def verdict(comparison: Comparison) -> str:
    """Return the conclusions of a comparison in a few sentences, which state its decisions."""
    if comparison.design == "datasets":
        return decided_words(comparison) + _lost(comparison) + _beside(comparison)
    told = _about(comparison, _by_differences(comparison)) + _beside(comparison)
    if comparison.over_benchmarks is None:
        return told
    over = over_benchmarks_words(comparison)
    return f"{told} For the population of similar benchmarks, with the benchmarks as the sample: {over}"


def _about(comparison: Comparison, said: str) -> str:
    """Add the population to which the verdict applies, such as this dataset or similar questions."""
    if comparison.design == "runs":
        return (
            f"{said} This verdict is about repeated training on {dataset_words(comparison)} with different seeds. "
            "Different training or test data may give a different order."
        )
    if comparison.design != "questions":
        other = "A different dataset may give a different order."
        return f"{said} This verdict is about {dataset_words(comparison)} only. {other}"
    name = comparison.table.datasets[0]
    where = "On these questions" if name == ONE_STRATUM else f"On {name}"
    if comparison.n_benchmarks > 1:
        where = f"On these {comparison.n_benchmarks} benchmarks, with the questions as the sample"
    if said.startswith(_BEGINNINGS):
        said = f"{said[0].lower()}{said[1:]}"
    if comparison.pair_test == "pairwise_betting_test":
        said += _ANYTIME + (_TAKEN_BACK if comparison.adjustment == "e-bh" else "") + _PRICE
    return f"{where}: {said} This verdict is about the population of similar questions."


_NO_EVIDENCE = "The absence of a significant difference is not evidence of equal performance"
# of tests by betting
_ANYTIME = (
    " The decision is valid at any stopping time, so the comparison may be repeated after every batch of questions"
)
_TAKEN_BACK = ", but e-BH may withdraw a rejection when there are more questions"
_PRICE = ". The test has less power than a test with a fixed number of questions."
# beginnings of sentences that do not name a classifier first
_BEGINNINGS = ("All ", "No ", "Nothing ", "Of ", "The ")


def _beside(comparison: Comparison) -> str:
    """State the results of the optional analyses: noninferiority, posterior probabilities and others."""
    said = ""
    if comparison.margins is not None:
        from evalstats.report.comparisons.optional_analyses import margin_words  # every test of margins

        said += margin_words(comparison)
    if comparison.posteriors is not None:
        from evalstats.report.comparisons.optional_analyses import posterior_words  # Bayesian tests

        said += posterior_words(comparison)
    if comparison.calibration is not None:
        from evalstats.report.comparisons.calibration import verdict as calibration_words  # tests of probabilities

        said += f" {calibration_words(comparison.calibration)}"
    if comparison.subgroups is not None:
        from evalstats.report.comparisons.optional_analyses import verdict as subgroup_words  # tests in subgroups

        said += f" {subgroup_words(comparison.subgroups)}"
    if comparison.stability is not None:
        from evalstats.report.comparisons.ranking_stability import winner_words  # ranks of resamples

        said += f" {winner_words(comparison.stability)}"
    if comparison.consensus is not None:
        from evalstats.report.comparisons.consensus import verdict as consensus_words  # ranks on several tasks

        said += f" Consensus ranking: {consensus_words(comparison.consensus)}"
    return said


# --- by differences of scores: folds, instances and questions ---------------------------------------------------------


def _by_differences(comparison: Comparison) -> str:
    if comparison.n_pairs == 1:
        return _one_difference(comparison)
    return _several_differences(comparison) + untested_words(comparison, pair_test_words(comparison))


def _one_difference(comparison: Comparison) -> str:
    pair = comparison.pairs[0]
    test = f"{pair_test_words(comparison)}, {pvalue_words(pair.pvalue, comparison.alpha)}"
    if math.isnan(pair.pvalue):
        if not comparison.tests:
            return untested_words(comparison, pair_test_words(comparison)).strip()
        reason = with_names(str(comparison.tests[0].reason), pair.first, pair.second)
        return f"The {pair_test_words(comparison)} does not apply: {reason}."
    estimate, low, high = column([pair.difference, pair.low, pair.high], digits=3)
    if not math.isnan(pair.low):
        estimate = f"{estimate} ({percent(1 - comparison.alpha)} interval {low} to {high})"
    difference = f"he difference in {metric_words(comparison.table)}, {pair.first} minus {pair.second}, is {estimate}."
    if comparison.different.any():
        at = comparison.table.position
        is_first = comparison.better[at(pair.first), at(pair.second)]
        better, worse = (pair.first, pair.second) if is_first else (pair.second, pair.first)
        return f"{better} is better than {worse} ({test}). T{difference}"
    shown = f"No difference between {pair.first} and {pair.second} is shown ({test})."
    return f"{shown} {_NO_EVIDENCE}: t{difference}"


def _several_differences(comparison: Comparison) -> str:
    n_different = comparison.n_different
    compared = count(comparison.n_pairs, "pair" if comparison.control is None else "comparison")
    tests = pair_tests_words(comparison)
    if n_different == 0:
        return _no_difference(comparison, f"{tests}; {compared}")
    if comparison.control is not None:
        return _differences_from_control(comparison, tests)
    best, names = comparison.ranking[0], comparison.table.classifiers
    row = comparison.different[names.index(best)]
    beaten = [name for name in comparison.ranking if row[names.index(name)]]
    found = shown_of(n_different, compared, comparison.n_pairs)
    differ = f"{found[0].upper()}{found[1:]} shown to differ ({tests})."
    unlike = [name for name in comparison.ranking if name != best and name not in beaten]
    others = without_untested(comparison, best, unlike)
    if not beaten:
        whom = "any other" if others == unlike else written_list(others or [best], at_most=MOST_LISTED)
        leads = _leads(comparison)
        return f"{differ} {leads} and is not shown to differ from {whom}." if others else f"{differ} {leads}."
    against = "all others" if not unlike else written_list(beaten, at_most=MOST_LISTED)
    rest = f"; from {written_list(others, at_most=MOST_LISTED)} it is not shown to differ" if others else ""
    return f"{differ} {_leads(comparison)} and is better than {against}{rest}."


def _leads(comparison: Comparison) -> str:
    """Name the classifier with the best score, and state the score and, if available, its interval."""
    best = comparison.ranking[0]
    like = [name for name in comparison.ranking[1:] if comparison.score(name) == comparison.score(best)]
    also = f", like {written_list(like, at_most=MOST_LISTED)}," if like else ""
    score = f"{comparison.score(best):.4g}"
    if comparison.models:
        model = comparison.models[0]
        score, low, high = column([model.score, model.low, model.high], digits=3)
        if not math.isnan(model.low):
            score = f"{score}, {percent(1 - comparison.alpha)} interval {low} to {high}"
    return f"{best} has{also} the best {metric_words(comparison.table)} ({score})"


def _no_difference(comparison: Comparison, tests: str) -> str:
    """State that no difference is shown, and name the test; an omnibus test that does not reject decides alone."""
    if len(comparison.validity.untested) == comparison.n_pairs:
        return "No pair could be tested."
    omnibus = (
        "" if comparison.omnibus is None else f"Cochran's Q test, {pvalue_of(comparison.omnibus, comparison.alpha)}"
    )
    rejects = bool(omnibus) and comparison.significant
    shown = f"o difference between any two of the {_all_of(comparison)} is shown"
    if comparison.control is not None:
        shown = f"o {comparison.words.classifier} is shown to differ from the control, {comparison.control}"
    first = f"The {comparison.words.classifiers} are not all correct equally often ({omnibus}), but n"
    decided = f"{omnibus}, α = {comparison.alpha:g}" if omnibus and not rejects else tests
    return f"{first if rejects else 'N'}{shown} ({decided}). {_NO_EVIDENCE}."


def _differences_from_control(comparison: Comparison, tests: str) -> str:
    own = comparison.ranking.index(str(comparison.control))
    groups: dict[str, list[str]] = {"better": [], "worse": []}
    for pair in comparison.pairs:
        if pair.different:
            groups["better" if comparison.ranking.index(pair.first) < own else "worse"].append(pair.first)
    others = [pair.first for pair in comparison.pairs if not (pair.different or math.isnan(pair.pvalue))]
    are = "is" if len(others) == 1 else "are"
    rest = f" {written_list(others, at_most=MOST_LISTED)} {are} not shown to differ from it." if others else ""
    return f"{against_control_words(str(comparison.control), **groups)} ({tests}).{rest}"


def over_benchmarks_words(comparison: Comparison, *, inside: bool = True) -> str:
    """Return the conclusions with the benchmarks as the sample, or '' if there is only one benchmark."""
    over = comparison.over_benchmarks
    if over is None:
        return ""
    said = decided_words(over, inside=inside)
    smallest = over.min_attainable_pvalue
    if smallest is not None and smallest > comparison.alpha:
        said = (
            f"{count(comparison.n_benchmarks, 'benchmark')} cannot show any difference (no p-value below "
            f"{decimal(smallest, 3)} is possible)."
        )
    if over.margins is None:
        return said
    from evalstats.report.comparisons.optional_analyses import margin_words  # every test of margins

    return said + margin_words(over)


# --- by ranks over datasets -------------------------------------------------------------------------------------------


def decided_words(comparison: Comparison, *, inside: bool = False) -> str:
    """State the decisions of the tests; with `inside`, the text begins with a lowercase letter."""
    said = _decided(comparison) + means_otherwise_words(comparison)
    said += untested_words(comparison, pair_test_words(comparison))
    names_nobody = said.startswith((f"The {comparison.n_classifiers} ", "No difference "))
    return f"{said[0].lower()}{said[1:]}" if inside and names_nobody else said


def _decided(comparison: Comparison) -> str:
    if comparison.omnibus is None:
        return _two(comparison)
    if not comparison.different.any():
        return (_no_pair_differs if comparison.significant else _none_differs)(comparison)
    return _all_pairs(comparison) if comparison.control is None else _against_control(comparison)


def _lost(comparison: Comparison) -> str:
    """State how many datasets were left out, because the excluded datasets may change the verdict."""
    n, dropped = comparison.n_datasets, len(comparison.table.dropped)
    if not dropped:
        return ""
    were = "was" if dropped == 1 else "were"
    return f" {dropped} of {count(n + dropped, comparison.words.dataset)} {were} left out: scores are missing."


def _two(comparison: Comparison) -> str:
    assert comparison.wilcoxon is not None
    pair = comparison.pairs[0]
    test = f"Wilcoxon signed-rank test, {pvalue_of(comparison.wilcoxon, comparison.alpha)}"
    if comparison.significant:
        first_is_better = pair.rank_biserial > 0
        better, worse = (pair.first, pair.second) if first_is_better else (pair.second, pair.first)
        return (
            f"{better} is better than {worse} ({test}). "
            f"The difference in {metric_words(comparison.table)}, {better} minus {worse}, is estimated as "
            f"{_estimate_words(comparison, pair, 1 if first_is_better else -1)}."
        )
    shown = f"No difference between {pair.first} and {pair.second} is shown ({test})."
    if comparison.wilcoxon.reason is not None:
        return shown
    if _is_hopeless(comparison):
        return f"{shown} {_hopeless(comparison)}"
    return (
        f"{shown} {_NO_EVIDENCE}: the difference in {metric_words(comparison.table)}, {pair.first} minus "
        f"{pair.second}, is estimated as {_estimate_words(comparison, pair, 1)}."
    )


def _estimate_words(comparison: Comparison, pair: Pair, direction: int) -> str:
    """Format the Hodges-Lehmann estimate with its interval, as the better minus the worse classifier."""
    interval = comparison.hodges_lehmann_interval
    assert interval is not None
    low, high = sorted((direction * interval.low, direction * interval.high))
    estimate, low_text, high_text = column([direction * pair.hodges_lehmann, low, high], digits=3)
    level = percent(min(interval.confidence_level, interval.attained_level))
    widest = ", the widest possible" if interval.attained_level < interval.confidence_level - 1e-12 else ""
    return f"{estimate} (Hodges-Lehmann; {level} interval{widest}: {low_text} to {high_text})"


def _none_differs(comparison: Comparison) -> str:
    assert comparison.omnibus is not None
    tests = f"{_led(comparison)}, α = {comparison.alpha:g}"
    if not comparison.is_gated:
        tests = f"{_led(comparison)}; {tested_words(comparison)}"
    shown = f"No difference among the {_all_of(comparison)} is shown ({tests})."
    if not comparison.is_gated and (hopeless := _pairs_are_hopeless(comparison)):
        return f"{shown}{hopeless}"
    unknown = f"{_NO_EVIDENCE}."
    return f"{shown} {_hopeless(comparison) if comparison.is_gated and _is_hopeless(comparison) else unknown}"


def _no_pair_differs(comparison: Comparison) -> str:
    alike = _alike(comparison)
    if len(comparison.validity.untested) == comparison.n_pairs:
        return f"{alike}."
    test = adjusted_words(pair_test_words(comparison), comparison.adjustment)
    differ = f"{alike}, but the {test} ({kept_words(comparison)}) does not show"
    where = "between which of them the difference lies"
    if comparison.control is not None:
        where = f"that any of them differs from the control, {comparison.control}"
    return f"{differ} {where}.{_pairs_are_hopeless(comparison)}"


def _all_pairs(comparison: Comparison) -> str:
    names = comparison.table.classifiers
    best = comparison.ranking[0]
    row, is_better = comparison.different[names.index(best)], comparison.better[names.index(best)]
    beaten = [name for name in comparison.ranking if row[names.index(name)] and is_better[names.index(name)]]
    above = [name for name in comparison.ranking if row[names.index(name)] and name not in beaten]
    unlike = [name for name in comparison.ranking if name != best and not row[names.index(name)]]
    others = without_untested(comparison, best, unlike)
    sharing = [name for name in unlike if comparison.mean_rank(name) == comparison.mean_rank(best)]
    shared = f", shared by {written_list(sharing, at_most=MOST_LISTED)}" if sharing else ""
    sentences = [f"{_alike(comparison)}." if comparison.significant else judged_alone_words(comparison)]
    lead = f"{best} has the best mean rank ({comparison.mean_rank(best):.3f}{shared}) and"
    if above:
        others_are = f"{written_list(above, at_most=MOST_LISTED)} {'is' if len(above) == 1 else 'are'} better"
        sentences.append(f"{best} has the best mean rank, but {others_are} by scores ({tested_words(comparison)}).")
    elif not beaten:
        whom = "any other" if others == unlike else written_list(others or [best], at_most=MOST_LISTED)
        sentences.append(f"{lead} is not shown to differ from {whom}." if others else f"{lead[:-4]}.")
    elif not unlike:
        sentences.append(f"{lead} is better than all others ({tested_words(comparison)}).")
    else:
        from_whom = (
            f"; the test does not show that it differs from {written_list(others or [best], at_most=MOST_LISTED)}"
        )
        better = f"{lead} is better than {written_list(beaten, at_most=MOST_LISTED)} ({tested_words(comparison)})"
        sentences.append(f"{better}{from_whom if others else ''}.")
    n_different = int(comparison.different.sum()) // 2
    n_pairs = len(names) * (len(names) - 1) // 2
    if n_different == n_pairs:
        sentences.append(f"All {count(n_pairs, 'pair')} are shown to differ.")
    elif n_different > len(beaten):
        are = "is" if n_different == 1 else "are"
        which = "" if beaten or above else f"{_named_differences(comparison)} ({tested_words(comparison)})"
        sentences.append(f"In all, {of_count(n_different, n_pairs, 'pair')} {are} shown to differ{which}.")
    return " ".join(sentences)


def _named_differences(comparison: Comparison) -> str:
    """State for each significantly different pair which classifier is better, if there are few such pairs."""
    if comparison.n_different > MOST_LISTED:
        return ""
    at, better = comparison.table.position, comparison.better
    pairs = [(a, b) for a, b, _, differs in comparison.decisions() if differs]
    ordered = [(a, b) if better[at(a), at(b)] else (b, a) for a, b in pairs]
    return ": " + "; ".join(f"{a} is better than {b}" for a, b in ordered)


def _against_control(comparison: Comparison) -> str:
    names, control = comparison.table.classifiers, comparison.control
    assert control is not None
    row, is_better = comparison.different[names.index(control)], comparison.better[names.index(control)]
    worse = [n for n in comparison.ranking if row[names.index(n)] and is_better[names.index(n)]]
    better = [n for n in comparison.ranking if row[names.index(n)] and n not in worse]
    others = [n for n in comparison.ranking if n != control and not row[names.index(n)]]
    others = without_untested(comparison, control, others)
    tests = f"{tested_words(comparison)}; {_led(comparison)}"
    shown = f"{against_control_words(control, better, worse)} ({tests})."
    if not comparison.significant:
        shown = f"{shown} {judged_alone_words(comparison)}"
    if not others:
        return shown
    differ = "differs" if len(others) == 1 else "differ"
    return f"{shown} The test does not show that {written_list(others, at_most=MOST_LISTED)} {differ} from {control}."


def _alike(comparison: Comparison) -> str:
    return f"The {_all_of(comparison)} do not all perform equally ({_led(comparison)})"


def _all_of(comparison: Comparison) -> str:
    return f"{comparison.n_classifiers} {comparison.words.classifiers}"


def _led(comparison: Comparison) -> str:
    assert comparison.omnibus is not None
    return f"{omnibus_words(comparison)}, {pvalue_of(comparison.omnibus, comparison.alpha)}"


def _is_hopeless(comparison: Comparison) -> bool:
    return Note.DESIGN_CANNOT_REACH_ALPHA in comparison.notes


def _hopeless(comparison: Comparison) -> str:
    assert comparison.min_attainable_pvalue is not None
    datasets = comparison.words.datasets
    return (
        f"The test could not have shown a difference: the smallest p-value that it can reach with these {datasets} "
        "and ties is "
        f"{pvalue_bound(comparison.min_attainable_pvalue, comparison.alpha)}."
    )


def _pairs_are_hopeless(comparison: Comparison) -> str:
    return f" {hopeless_pairs(comparison)}" if Note.POSTHOC_CANNOT_REACH_ALPHA in comparison.notes else ""
