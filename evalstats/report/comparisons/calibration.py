"""Report of the calibration of probabilities: verdict, table of the classifiers, and comparisons of pairs."""

from __future__ import annotations

__all__ = ["calibration_sections", "document", "verdict"]

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evalstats.report.blocks import Block, Document, Extent, Figure, Section, Table, heads, listing, paragraph, section
from evalstats.report.comparisons.shared_blocks import NAMELESS
from evalstats.report.curve_figure import MOST_CURVES
from evalstats.report.curves import reliability_figure
from evalstats.report.describe import column, count, counted, decimal, percent, pvalue_cell, pvalue_words
from evalstats.report.sentences import with_names
from evalstats.tables.calibration_analysis import CalibrationAnalysis, ClassifierCalibration, ProbabilityComparison
from evalstats.wording import written_list

SCORES = {"brier": "Brier score", "log_loss": "log loss"}
_MOST_NAMES, _MOST_FIGURES = 5, 6
_TESTED = (
    "Slope and intercept are from a logistic regression on the logits; for calibrated probabilities, they are 1 and 0. "
    "The column p (both) is from the likelihood-ratio test of slope and intercept together. A slope below 1 means "
    "that the probabilities are too extreme. Each classifier is tested separately, without adjustment for several "
    "classifiers."
)
_SCORED = (
    "Brier score = miscalibration - discrimination + uncertainty (isotonic fit). Smaller values are better, except "
    "for {}."
)


def verdict(found: CalibrationAnalysis) -> str:
    """Name the classifiers that are shown to be miscalibrated, and the pairs that differ significantly."""
    return " ".join([*_calibrated(found), *_compared(found)])


def _calibrated(found: CalibrationAnalysis) -> Iterator[str]:
    own = found.classifiers
    if len(own) <= 2:
        yield from (_one(found, one) for one in own)
        return
    shown = [one for one in own if is_miscalibrated(found, one)]
    untested = [one for one in own if math.isnan(one.recalibration.pvalue)]
    if shown:
        names = written_list([_name(found, one) for one in shown], at_most=_MOST_NAMES)
        yield f"Miscalibration is shown for {len(shown)} of {len(own)} classifiers, each tested separately: {names}."
    else:
        yield f"No miscalibration is shown for any of {len(own)} classifiers, each tested separately."
    if untested:
        names = written_list([_name(found, one) for one in untested], at_most=_MOST_NAMES)
        yield f"Not tested, because the slope is undefined: {names}."


def is_miscalibrated(found: CalibrationAnalysis, one: ClassifierCalibration) -> bool:
    """Return whether the joint test of slope and intercept rejects at the significance level of the analysis."""
    return bool(one.recalibration.pvalue <= found.alpha)


def _name(found: CalibrationAnalysis, one: ClassifierCalibration) -> str:
    return f"{one.classifier} on {one.dataset}" if len(found.datasets) > 1 else one.classifier


def _one(found: CalibrationAnalysis, one: ClassifierCalibration) -> str:
    who, n, joint = _name(found, one), counted(one.n_instances, "instance"), one.recalibration
    if math.isnan(joint.pvalue):
        of_brier = pvalue_words(one.spiegelhalter.pvalue, found.alpha)
        return f"The calibration slope of {who} is not tested: {joint.reason}. Spiegelhalter's test: {of_brier}."
    slope, low, high = (decimal(value, 2) for value in (joint.slope, one.slope_low, one.slope_high))
    tested = (
        f"slope {slope}, {percent(1 - found.alpha)} interval {low} to {high}; {pvalue_words(joint.pvalue, found.alpha)}"
    )
    if not is_miscalibrated(found, one):
        return f"No miscalibration of {who} is shown with {n} ({tested})."
    how = ""
    if one.slope_high < 1 or one.slope_low > 1:
        how = " too extreme" if one.slope_high < 1 else " too close to the mean"
    elif joint.in_the_large_pvalue <= found.alpha:
        how = " too small on average" if joint.calibration_in_the_large > 0 else " too large on average"
    return f"The probabilities of {who} are miscalibrated{':' if how else ''}{how} ({tested})."


def _compared(found: CalibrationAnalysis) -> Iterator[str]:
    for score, words in SCORES.items():
        pairs = [one for one in found.comparisons if one.score == score]
        if len(pairs) == 1:
            yield _pair(found, pairs[0])
        elif pairs:
            shown = [one for one in pairs if one.adjusted_pvalue <= found.alpha]
            adjusted = "without adjustment" if found.adjustment == "none" else f"adjusted by {found.adjustment}"
            better = [f"{a} is better than {b}" for a, b in map(_ordered, shown)]
            found_words = f": {written_list(better, at_most=_MOST_NAMES)}" if shown else ""
            yield (
                f"By the {words}, {len(shown)} of {count(len(pairs), 'pair')} {'is' if len(shown) == 1 else 'are'} "
                f"shown to differ ({adjusted}){found_words}."
            )


def _ordered(pair: ProbabilityComparison) -> tuple[str, str]:
    """Return the names of the classifiers of a pair, the better score first."""
    return (pair.first, pair.second) if pair.test.difference < 0 else (pair.second, pair.first)


def _pair(found: CalibrationAnalysis, pair: ProbabilityComparison) -> str:
    words, test = SCORES[pair.score], pair.test
    if math.isnan(test.pvalue):
        return f"{pair.first} and {pair.second} are not compared by the {words}: {_reason(pair)}."
    better, worse = _ordered(pair)
    low, high = (pair.low, pair.high) if test.difference >= 0 else (-pair.high, -pair.low)
    size, least, most = column([abs(test.difference), low, high], digits=3)
    tested = f"{percent(1 - found.alpha)} interval {least} to {most}; {pvalue_words(test.pvalue, found.alpha)}"
    if pair.adjusted_pvalue <= found.alpha:
        return f"The {words} of {better} is better than the {words} of {worse}: {size} lower ({tested})."
    if test.difference == 0:
        return f"{better} and {worse} have the same {words} ({tested})."
    return (
        f"The {words} of {better} is {size} lower than the {words} of {worse} ({tested}). This does not show that "
        f"{better} is better."
    )


def _reason(pair: ProbabilityComparison) -> str:
    return with_names(str(pair.test.reason), pair.first, pair.second)


def document(found: CalibrationAnalysis, extent: Extent) -> Document:
    """Return the document: the findings about the source, the tests of calibration, the scores and the pairs."""
    reading = [listing(one.sentence for one in found.findings)] if found.findings else []
    n = count(len({one.classifier for one in found.classifiers}), "classifier")
    first = [section("reading", "Input", *reading)] if reading else []
    return Document(
        title=f"Calibration of the probabilities of {n}",
        verdict=paragraph(verdict(found)),
        sections=(*first, *calibration_sections(found, extent.max_rows)),
    )


def calibration_sections(found: CalibrationAnalysis, most: int) -> Iterator[Section]:
    """Yield the sections of the calibration tests, of the scores, and of the compared pairs."""
    yield section("calibration", "Are the probabilities calibrated?", *_figures(found), *_test_blocks(found, most))
    yield section("proper-scores", "Brier score and calibration error", *_score_blocks(found, most))
    if found.comparisons:
        yield section("probability-pairs", "Which probabilities are better?", *_pair_blocks(found, most))


def _test_blocks(found: CalibrationAnalysis, most: int) -> list[Block]:
    """Return the table of the calibration tests, and the reasons for missing tests."""
    shown = found.classifiers[:most]
    rows = []
    for one in shown:
        joint = one.recalibration
        values = (joint.slope, one.slope_low, one.slope_high, joint.intercept, joint.calibration_in_the_large)
        slope, low, high, intercept, in_the_large = (
            "undefined" if math.isnan(value) else decimal(value, 2) for value in values
        )
        interval = "undefined" if math.isnan(one.slope_low) else f"{low} to {high}"
        of_tests = (joint.pvalue, one.spiegelhalter.pvalue)
        own = (slope, interval, intercept, in_the_large, *(pvalue_cell(p, found.alpha) for p in of_tests))
        rows.append((*_labels(found, one), *own))
    names = [
        "slope",
        f"{percent(1 - found.alpha)} interval",
        "intercept",
        "in the large",
        "p (both)",
        "p (Spiegelhalter)",
    ]
    reasons = {_name(found, one): one.recalibration.reason for one in shown if one.recalibration.reason}
    blocks: list[Block] = [_table(found, "calibration", _TESTED, names, rows)]
    if reasons:
        blocks.append(listing(f"{name}: {reason}." for name, reason in reasons.items()))
    return blocks


def _figures(found: CalibrationAnalysis) -> Iterator[Figure]:
    for dataset in found.datasets[:_MOST_FIGURES]:
        own = [one for one in found.classifiers if one.dataset == dataset]
        band = "confidence" if len(own) == 1 else "none"
        curves = {
            one.classifier: one.curve(band=band, confidence_level=1 - found.alpha) for one in own[: MOST_CURVES + 1]
        }
        drawn = reliability_figure(curves)
        if drawn is not None:
            where = f" Dataset {dataset}." if len(found.datasets) > 1 else ""
            yield Figure(diagram=replace(drawn, caption=(*drawn.caption, where)))


def _score_blocks(found: CalibrationAnalysis, most: int) -> list[Block]:
    """Return the table of the scores, and a warning about the interpretation of the calibration error."""
    rows = []
    for one in found.classifiers[:most]:
        parts = one.decomposition
        values = (parts.brier, parts.miscalibration, parts.discrimination, parts.uncertainty, one.log_loss)
        errors = (one.expected_calibration_error, one.chance_calibration_error)
        own = (decimal(value, 4) for value in (*values, *errors))
        rows.append((*_labels(found, one), *own))
    names = ["Brier", "miscalibration", "discrimination", "uncertainty", "log loss", "ECE", "ECE by chance"]
    caution = (
        f"ECE is the expected calibration error in {count(found.n_bins, 'bin')} of equal width. It is never negative, "
        'so it is above 0 by chance even for calibrated probabilities: "ECE by chance" is its mean for such '
        "probabilities. It depends on the number of bins and is not a proper score. Do not rank classifiers by it."
    )
    return [_table(found, "proper-scores", _SCORED.format("the discrimination"), names, rows), paragraph(caution)]


def _pair_blocks(found: CalibrationAnalysis, most: int) -> list[Block]:
    """Return the table of the compared pairs, and the reasons for missing comparisons."""
    shown = found.comparisons[:most]
    rows = []
    for one in shown:
        difference, low, high = column([one.test.difference, one.low, one.high], digits=3)
        pvalues = (pvalue_cell(p, found.alpha) for p in (one.test.pvalue, one.adjusted_pvalue))
        where = (one.dataset,) if len(found.datasets) > 1 else ()
        rows.append((*where, SCORES[one.score], one.first, one.second, difference, f"{low} to {high}", *pvalues))
    names = ["dataset"] if len(found.datasets) > 1 else []
    level = percent(1 - found.alpha)
    table = Table(
        name="probability-pairs",
        caption=f"Difference, first minus second classifier; a smaller score is better. The {level} "
        f"interval and p are for each single pair; the p-values are adjusted for all pairs of a dataset, separately "
        f"for each score.",
        columns=heads([*names, "score", "first", "second"], ["difference", f"{level} interval", "p", "adjusted p"]),
        rows=tuple(rows),
    )
    reasons = {f"{SCORES[one.score]} of {one.first} and {one.second}": _reason(one) for one in shown if one.test.reason}
    return [table, *([listing(f"{name}: {reason}." for name, reason in reasons.items())] if reasons else [])]


def _labels(found: CalibrationAnalysis, one: ClassifierCalibration) -> tuple[str, ...]:
    """Return the cells that name a row: the dataset if there are several, and the classifier."""
    return (one.dataset, one.classifier) if len(found.datasets) > 1 else (one.classifier,)


def _table(
    found: CalibrationAnalysis, name: str, caption: str, numbers: list[str], rows: Sequence[tuple[str, ...]]
) -> Table:
    names = ["dataset", "classifier"] if len(found.datasets) > 1 else ["classifier"]
    if len(found.datasets) == 1 and found.datasets[0] not in NAMELESS:
        caption = f"Dataset {found.datasets[0]}. {caption}"
    return Table(name=name, caption=caption, columns=heads(names, numbers), rows=tuple(rows))
