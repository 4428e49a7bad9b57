"""Report of the learning curves of two classifiers: the training-set sizes at which they differ."""

from __future__ import annotations

__all__ = ["document", "verdict"]

from typing import Any

import numpy as np

from evalstats._types import BoolArray
from evalstats.comparison.learning_curves import LearningCurveComparison
from evalstats.report.blocks import Cite, Document, Extent, Figure, Table, heads, listing, paragraph, sections
from evalstats.report.curves import learning_figure
from evalstats.report.describe import column, count, percent, pvalue_cell
from evalstats.wording import metric_name, written_list

MOST_SIZES = 10  # in a sentence
_ADJUSTED = {"sidak": "Šidák's adjustment", "max-t": "the max-t adjustment"}
_METHODS = {
    "sidak": ("Šidák's method", "sidak1967"),
    "max-t": ("the max-t method with the multivariate t distribution", "hothorn2008"),
}


def verdict(record: LearningCurveComparison) -> str:
    """State the sizes at which each classifier is better, no difference is shown, and there is no test."""
    x, y = record.classifiers
    winners, untested = record.test.winners(record.alpha), np.isnan(record.test.pvalue)
    words = {
        x: f"{x} is better than {y}",
        y: f"{y} is better than {x}",
        "": f"no difference between {x} and {y} is shown",
    }
    found = {x: winners == 1, y: winners == -1, "": (winners == 0) & ~untested}
    first = sorted((name for name in found if name and found[name].any()), key=lambda name: int(found[name].argmax()))
    test = f"corrected resampled t-tests, α = {record.alpha:g}"
    if len(winners) > 1:
        n, adjusted = count(len(winners), "training-set size"), _ADJUSTED[record.test.adjustment]
        test = f"corrected resampled t-tests with {adjusted} for {n}, family-wise α = {record.alpha:g}"
    said = [f"{_at(record, found[name])}, {words[name]}" for name in first or [""] if found[name].any()]
    sentences = [f"{'; '.join(said)} ({test})"] if said else []
    if first and found[""].any():
        sentences.append(f"{_at(record, found[''])}, no difference is shown")
    if untested.any():
        sentences.append(f"{_at(record, untested)}, there is no test, because the differences have no variance")
    return " ".join(f"{one[0].upper()}{one[1:]}." for one in sentences)


def _at(record: LearningCurveComparison, which: BoolArray) -> str:
    chosen = [f"{size:,}" for size, is_so in zip(record.test.sizes, which.tolist(), strict=True) if is_so]
    return f"with {written_list(chosen, at_most=MOST_SIZES)} training instances"


def document(record: LearningCurveComparison, extent: Extent) -> Document:
    """Return the table of the sizes, the findings and the method."""
    test, (x, y) = record.test, record.classifiers
    metric, better = metric_name(record.metric), "higher" if test.greater_is_better else "lower"
    low, high = test.confidence_interval(1 - record.alpha)
    n, level = len(test.sizes), percent(1 - record.alpha)
    means = column([*test.mean_x, *test.mean_y], digits=4)
    differences = column([*test.mean_difference, *low, *high], digits=3)
    winners = test.winners(record.alpha).tolist()
    rows = [
        (
            f"{size:,}",
            {1: x, -1: y}.get(winners[i], "no test" if np.isnan(test.pvalue[i]) else "not shown"),
            means[i],
            means[n + i],
            differences[i],
            "none" if np.isnan(low[i]) else f"{differences[n + i]} to {differences[2 * n + i]}",
            pvalue_cell(float(test.pvalue[i]), record.alpha),
        )
        for i, size in enumerate(test.sizes)
    ]
    of_all = "" if n == 1 else f", simultaneous for all {n} sizes"
    table = Table(
        name="sizes",
        caption=f"Size: training instances. Mean {metric} ({better} is better) and differences, {x} minus {y}, with "
        f"the {level} band{of_all}; adjusted p-values.",
        columns=heads(["Size", "Better"], [x, y, "Difference", f"{level} band", "p"]),
        rows=tuple(rows[: extent.max_rows]),
        marked=tuple(winner != 0 for winner in winners[: extent.max_rows]),
    )
    n_test = written_list(dict.fromkeys(f"{size:,.10g}" for size in test.n_test.tolist()), at_most=MOST_SIZES)
    of_all = "" if test.n_instances is None else f" of {test.n_instances:,}"
    read = [
        f"{count(test.n_repeats, 'repeat')} at {count(n, 'training-set size')}; {n_test} test instances{of_all}.",
        "Each difference is for one training-set size; the report does not describe other sizes.",
    ]
    said, source = _METHODS[test.adjustment]
    how = paragraph(
        f"t-tests of the differences of the repeats with the correction for overlapping training sets, "
        f"{test.df} degrees of freedom ",
        Cite(("nadeau2003",)),
        *(("; p-values and band by ", said, " ", Cite((source,)), ".") if n > 1 else (".",)),
    )
    figure = learning_figure(test, record.classifiers, score=metric, level=1 - record.alpha)
    parts: dict[str, Any] = {
        "Curves": None if figure is None else Figure(diagram=figure),
        "Sizes": table,
        "Findings": listing(map(str, record.findings)),
        "Input": listing(read),
    }
    return Document(
        title=f"Learning curves of {x} and {y}: {metric}, {better} is better",
        verdict=paragraph(verdict(record)),
        sections=sections(parts | ({"Methods": how} if extent.with_methods else {})),
    )
