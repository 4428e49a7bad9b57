"""Report of an analysis of decisions: net benefit, sensitivity and specificity, and predictive values."""

from __future__ import annotations

__all__ = ["document", "verdict"]

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from evalstats.paired.net_benefit import NetBenefitDifference
from evalstats.report.blocks import Block, Document, Extent, Figure, Section, Table, heads, listing, paragraph, section
from evalstats.report.comparisons.shared_blocks import NAMELESS
from evalstats.report.curves import benefit_figure
from evalstats.report.describe import column, count, decimal, percent, pvalue_cell, pvalue_words
from evalstats.report.sentences import with_names
from evalstats.tables.decision_analysis import DatasetDecisions, DecisionAnalysis, DecisionComparison
from evalstats.wording import written_list

_MOST_NAMES, _MOST_FIGURES = 5, 6
_ALL = "all positive"
_BENEFIT = (
    "Net benefit: the proportion of true positives minus t / (1 - t) times the proportion of false positives, for the "
    'threshold t. "{}" predicts every instance as positive; predicting no instance as positive has the net benefit 0. '
    "A star marks the largest net benefit at a threshold, if this net benefit is above 0. The {} intervals apply to "
    "all thresholds of one classifier together, and to the prevalence of the sample."
)
_SMALL = "At {}, some classifiers have fewer than 5 true or false positives, so the limits are too narrow."


def verdict(found: DecisionAnalysis) -> str:
    """State at which thresholds each classifier has the larger net benefit, and which rates are shown to differ."""
    told = list(map(_best, found.curves)) if len(found.curves) == 1 else []
    if len(found.curves) > 1:
        best = [one >= 0 for own in found.curves for one in own.curve.best.tolist()]
        told.append(
            f"On {len(found.curves)} datasets, the estimated net benefit is the largest for a classifier at "
            f"{sum(best)} of {len(best)} thresholds. At the others, it is the largest for predicting all or no "
            "instances as positive."
        )
    if len(found.comparisons) == 1:
        told += _one_pair(found, found.comparisons[0])
    elif found.comparisons:
        told += _several_pairs(found)
    return " ".join(told)


def _best(own: DatasetDecisions) -> str:
    """State which decision has the largest net benefit at the thresholds of one dataset."""
    best = own.curve.best.tolist()
    names = {-1: "predicting all instances as positive", -2: "predicting no instance as positive"}
    told = [
        f"{_places(own, [i for i, other in enumerate(best) if other == one])} for "
        f"{names.get(one) or own.classifiers[one]}"
        for one in dict.fromkeys(best)
    ]
    return f"The estimated net benefit is the largest at {'; at '.join(told)}."


def _places(own: DatasetDecisions, at: list[int]) -> str:
    """Name the thresholds at these positions, as a range if they are consecutive."""
    thresholds = [f"{value:g}" for value in own.curve.thresholds[at].tolist()]
    if len(at) == len(own.curve.thresholds) > 2:
        return f"all thresholds from {thresholds[0]} to {thresholds[-1]}"
    if len(at) > 2 and at[-1] - at[0] + 1 == len(at):
        return f"{thresholds[0]} to {thresholds[-1]}"
    return written_list(thresholds) if len(at) <= _MOST_NAMES else f"{len(at)} thresholds"


def _one_pair(found: DecisionAnalysis, pair: DecisionComparison) -> Iterator[str]:
    if pair.benefit is not None:
        yield _benefit_words(pair, pair.benefit)
    if pair.joint is None or pair.positive is None or pair.negative is None:
        return
    joint = pair.joint
    tested = "no joint test" if math.isnan(pair.joint_pvalue) else pvalue_words(pair.joint_pvalue, found.alpha)
    shown = pair.joint_pvalue <= found.alpha
    sizes = [
        f"{name} {_limits(part.difference, *part.confidence_interval(1 - found.alpha))}"
        for name, part in (("sensitivity", joint.sensitivity), ("specificity", joint.specificity))
    ]
    yield (
        f"The sensitivities and specificities of {pair.first} and {pair.second} are {'' if shown else 'not '}shown to "
        f"differ ({tested}); {pair.first} minus {pair.second}: {written_list(sizes)}."
    )
    for name, test, pvalue in (
        ("positive", pair.positive, pair.positive_pvalue),
        ("negative", pair.negative, pair.negative_pvalue),
    ):
        if math.isnan(pvalue):
            yield f"The {name} predictive values are not compared: {_reason(pair, test.reason)}."
            continue
        values = " and ".join(column([float(test.value_x), float(test.value_y)], digits=3))
        yield (
            f"The {name} predictive values ({values}) are {'' if pvalue <= found.alpha else 'not '}shown to differ "
            f"({pvalue_words(pvalue, found.alpha)})."
        )


def _benefit_words(pair: DecisionComparison, benefit: NetBenefitDifference) -> str:
    n, level = len(benefit.thresholds), percent(benefit.confidence_level)
    if math.isnan(benefit.low_everywhere[0]):
        return f"The net benefits of {pair.first} and {pair.second} are not compared: {_reason(pair, benefit.reason)}."
    better = {1: pair.first, -1: pair.second}
    at = int(abs(benefit.difference).argmax())
    size = _limits(benefit.difference[at], benefit.low_everywhere[at], benefit.high_everywhere[at])
    who, where = f"{pair.first} minus {pair.second}", f"{benefit.thresholds[at]:g}"
    if n == 1:
        told = f"{better[int(benefit.shown[0])]} is" if benefit.shown[0] else "neither is"
        return f"By the net benefit at {where}, {told} shown to be better ({level} limits); {who}: {size}."
    shown = {sign: int((benefit.shown == sign).sum()) for sign in better}
    where_shown = [
        f"{better[sign]} is shown to be better at {'all' if n_shown == n else f'{n_shown} of'} {n} thresholds"
        for sign, n_shown in shown.items()
        if n_shown
    ]
    told = " and ".join(where_shown) or "neither is shown to be better at any threshold"
    told = f"{told} (simultaneous {level} limits)"
    return f"By the net benefit, {told}; the largest difference, {who}, is {size} at {where}."


def _several_pairs(found: DecisionAnalysis) -> Iterator[str]:
    n = count(len(found.comparisons), "pair")
    where = len(_datasets(found)) > 1
    pairs = [f"{one.first} / {one.second}{f' on {one.dataset}' if where else ''}" for one in found.comparisons]
    within = " within each dataset" if where else ""
    adjusted, limits = (
        "without adjustment" if found.adjustment == "none" else f"{words}{within}"
        for words in (f"adjusted by {found.adjustment}", "simultaneous limits of all pairs")
    )
    if found.curves:
        shown = [one.benefit is not None and bool(one.benefit.shown.any()) for one in found.comparisons]
        yield f"The net benefit is shown to differ at some thresholds for {_shown(pairs, shown, n)} ({limits})."
    if all(one.joint is None for one in found.comparisons):
        return
    for what, name in (
        ("sensitivity or the specificity", "joint_pvalue"),
        ("positive predictive value", "positive_pvalue"),
        ("negative predictive value", "negative_pvalue"),
    ):
        shown = [getattr(one, name) <= found.alpha for one in found.comparisons]
        yield f"The {what} is shown to differ for {_shown(pairs, shown, n)} ({adjusted})."


def _shown(pairs: list[str], shown: list[bool], n: str) -> str:
    chosen = [pair for pair, is_shown in zip(pairs, shown, strict=True) if is_shown]
    if not chosen:
        return f"none of {n}"
    return f"{len(chosen)} of {n}: {written_list(chosen, at_most=_MOST_NAMES)}"


def document(found: DecisionAnalysis, extent: Extent) -> Document:
    """Return the document: the findings, the net benefits, and the tests of the pairs."""
    names = {name for one in found.curves for name in one.classifiers}
    names |= {name for one in found.comparisons for name in (one.first, one.second)}
    return Document(
        title=f"Decisions of {count(len(names), 'classifier')}",
        verdict=paragraph(verdict(found)),
        sections=tuple(_sections(found, extent.max_rows)),
    )


def _sections(found: DecisionAnalysis, most: int) -> Iterator[Section]:
    if found.findings:
        yield section("reading", "Input", listing(one.sentence for one in found.findings))
    if found.curves:
        yield section("net-benefit", "Net benefit", *_curve_blocks(found, most))
    if any(one.benefit is not None for one in found.comparisons):
        yield section("net-benefit-pairs", "Differences in net benefit", _benefit_table(found, most))
    if any(one.joint is not None for one in found.comparisons):
        yield section("rates", "Sensitivity and specificity", *_joint_blocks(found, most))
        yield section("predictive-values", "Predictive values", *_value_blocks(found, most))


def _curve_blocks(found: DecisionAnalysis, most: int) -> list[Block]:
    rows, few = [], []
    for own in found.curves:
        curve = own.curve
        for at, threshold in enumerate(curve.thresholds.tolist()):
            few += [f"{threshold:g}"] if (curve.n_deciding[:, at] < 5).any() else []
            values = (*curve.net_benefit[:, at].tolist(), float(curve.treat_all[at]))
            limits = [*zip(own.low[:, at].tolist(), own.high[:, at].tolist(), strict=True), None]
            for i, (name, value, limit) in enumerate(zip((*own.classifiers, _ALL), values, limits, strict=True)):
                star = "*" if curve.best[at] == (i if i < len(own.classifiers) else -1) else ""
                interval = "" if limit is None else _interval(*limit)
                rows.append((*_place(found, own.dataset), f"{threshold:g}", name, decimal(value, 3), star, interval))
    level = percent(1 - found.alpha)
    table = _table(
        found,
        "net-benefit",
        _BENEFIT.format(_ALL, level),
        ["threshold", "decisions of"],
        ["net benefit", "largest", f"{level} interval"],
        rows[:most],
    )
    small = [paragraph(_SMALL.format(written_list(dict.fromkeys(few), at_most=10)))] if few else []
    return [*_figures(found), table, *small]


def _figures(found: DecisionAnalysis) -> Iterator[Figure]:
    for own in found.curves[:_MOST_FIGURES]:
        drawn = benefit_figure(own.curve, own.classifiers, own.low, own.high, level=1 - found.alpha, together=True)
        if drawn is not None:
            where = f" Dataset {own.dataset}." if len(found.curves) > 1 else ""
            yield Figure(diagram=replace(drawn, caption=(*drawn.caption, where)))


def _benefit_table(found: DecisionAnalysis, most: int) -> Table:
    rows, levels = [], set()
    for pair in found.comparisons:
        if pair.benefit is None:
            continue
        own = pair.benefit
        levels.add(percent(own.confidence_level))
        better = {1: pair.first, -1: pair.second, 0: "not shown"}
        for at, threshold in enumerate(own.thresholds.tolist()):
            numbers = (decimal(own.difference[at], 3), _interval(own.low_everywhere[at], own.high_everywhere[at]))
            shown = better[int(own.shown[at])]
            rows.append((*_place(found, pair.dataset), pair.first, pair.second, f"{threshold:g}", shown, *numbers))
    together = "" if found.adjustment == "none" else " and of all pairs of a dataset"
    caption = (
        f"First minus second classifier. The limits apply to all thresholds of a pair{together} together, with the "
        f"confidence level {percent(1 - found.alpha)}."
    )
    texts = ["first", "second", "threshold", "better"]
    return _table(found, "net-benefit-pairs", caption, texts, ["difference", "limits"], rows[:most])


def _joint_blocks(found: DecisionAnalysis, most: int) -> list[Block]:
    """Return the table of the differences in each rate, and the table of the joint tests."""
    rates, tests, reasons = [], [], {}
    for pair in found.comparisons:
        joint = pair.joint
        if joint is None:
            continue
        who = (*_place(found, pair.dataset), pair.first, pair.second)
        for name, x, y, part in (
            ("sensitivity", joint.sensitivity_x, joint.sensitivity_y, joint.sensitivity),
            ("specificity", joint.specificity_x, joint.specificity_y, joint.specificity),
        ):
            interval = _interval(*part.confidence_interval(1 - found.alpha))
            rates.append((*who, name, *(decimal(float(value), 3) for value in (x, y, part.difference)), interval))
        pvalues = (pvalue_cell(p, found.alpha) for p in (float(joint.pvalue), pair.joint_pvalue))
        tests.append((*who, decimal(float(joint.statistic), 2), str(joint.df), *pvalues))
        reasons[f"{pair.first} and {pair.second}"] = _reason(pair, joint.reason)
    level = percent(1 - found.alpha)
    of_rates = (
        f"{_how(found)} Each {level} interval is Tango's interval for one rate of one pair, first minus second "
        "classifier."
    )
    of_tests = (
        "Joint test of equal sensitivities and equal specificities (Lachenbruch and Lynch, 1998), adjusted for the "
        "pairs of a dataset. The instances must be independent."
    )
    numbers = ["first value", "second value", "difference", f"{level} interval"]
    return [
        _table(found, "rates", of_rates, ["first", "second", "rate"], numbers, rates[: 2 * most]),
        _table(found, "joint-tests", of_tests, ["first", "second"], ["χ²", "df", "p", "adjusted p"], tests[:most]),
        *_listed(reasons),
    ]


def _value_blocks(found: DecisionAnalysis, most: int) -> list[Block]:
    rows, reasons = [], {}
    for pair in found.comparisons:
        for name, test, adjusted in (
            ("positive", pair.positive, pair.positive_pvalue),
            ("negative", pair.negative, pair.negative_pvalue),
        ):
            if test is None:
                continue
            numbers = [decimal(float(value), 3) for value in (test.value_x, test.value_y, test.ratio)]
            pvalues = (pvalue_cell(p, found.alpha) for p in (float(test.pvalue), adjusted))
            interval = _interval(*test.ratio_interval(1 - found.alpha))
            rows.append((*_place(found, pair.dataset), pair.first, pair.second, name, *numbers, interval, *pvalues))
            reasons[f"{name} predictive value of {pair.first} and {pair.second}"] = _reason(pair, test.reason)
    level = percent(1 - found.alpha)
    prevalence = "of the sample" if found.prevalence is None else f"{found.prevalence:g}, which was given"
    caption = (
        "Proportions of correct predictions among the instances that are predicted positive, and among those that are "
        f"predicted negative, for the prevalence {prevalence}. The {level} interval is for the ratio (first divided by "
        "second) of this pair only. The p-values are adjusted for the pairs of a dataset, not for the two values."
    )
    numbers_of = ["first value", "second value", "ratio", f"{level} interval", "p", "adjusted p"]
    table = _table(found, "predictive-values", caption, ["first", "second", "value"], numbers_of, rows[: 2 * most])
    return [table, *_listed(reasons)]


def _how(found: DecisionAnalysis) -> str:
    if math.isnan(found.threshold):
        return "From the predicted labels."
    return f"An instance is predicted positive if its probability is at least {found.threshold:g}."


def _listed(reasons: dict[str, str]) -> Iterable[Block]:
    told = [f"{name}: {reason}." for name, reason in reasons.items() if reason]
    return [listing(told)] if told else []


def _reason(pair: DecisionComparison, reason: str | None) -> str:
    return "" if reason is None else with_names(str(reason), pair.first, pair.second)


def _limits(value: float, low: float, high: float) -> str:
    size, least, most = column([float(value), float(low), float(high)], digits=3)
    return f"{size} ({least} to {most})"


def _interval(low: float, high: float) -> str:
    return "undefined" if math.isnan(low) else f"{decimal(float(low), 3)} to {decimal(float(high), 3)}"


def _datasets(found: DecisionAnalysis) -> dict[str, None]:
    return dict.fromkeys([one.dataset for one in found.curves] + [one.dataset for one in found.comparisons])


def _place(found: DecisionAnalysis, dataset: str) -> tuple[str, ...]:
    return (dataset,) if len(_datasets(found)) > 1 else ()


def _table(
    found: DecisionAnalysis,
    name: str,
    caption: str,
    texts: list[str],
    numbers: list[str],
    rows: Sequence[tuple[str, ...]],
) -> Table:
    datasets = list(_datasets(found))
    if len(datasets) == 1 and datasets[0] not in NAMELESS:
        caption = f"Dataset {datasets[0]}. {caption}"
    first = ["dataset"] if len(datasets) > 1 else []
    return Table(name=name, caption=caption, columns=heads([*first, *texts], numbers), rows=tuple(rows))
