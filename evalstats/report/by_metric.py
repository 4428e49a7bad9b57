"""Do several metrics tell the same story? Ranks by each metric, and how alike the metrics rank."""

from __future__ import annotations

__all__ = ["document", "verdict"]

from collections.abc import Iterator

import numpy as np

from evalstats._ranks import rounded
from evalstats.comparison.by_metric import ComparisonByMetric
from evalstats.report.blocks import Column, Document, Extent, Section, Table, heads, listing, paragraph, section
from evalstats.report.describe import metric_words
from evalstats.report.numbers import column, count, decimal, signed
from evalstats.wording import written_list

# so many names are listed in a sentence before the others are counted
_LISTED = 4
_BEST = 3


def verdict(found: ComparisonByMetric) -> str:
    """Say who is best by which metric, by which metrics a difference is shown, and how alike they rank."""
    n = len(found)
    best = {metric: _best(found, j) for j, metric in enumerate(found.metrics)}
    if len(set(best.values())) == 1:
        who = best[found.metrics[0]]
        every = "both" if n == 2 else f"all {n}"
        said = f"By {every} metrics {_named(who)} {'has' if len(who) == 1 else 'have'} the best mean rank."
    else:
        by_best: dict[tuple[str, ...], list[str]] = {}
        for metric, who in best.items():
            by_best.setdefault(who, []).append(metric)
        clauses = [f"{_named(who)} by {_named(metrics)}" for who, metrics in by_best.items()]
        said = f"Who has the best mean rank depends on the metric: {'; '.join(clauses)}."
    shown = [metric for metric, one in zip(found.metrics, found.comparisons, strict=True) if one.different.any()]
    none = "Classifiers are shown to differ by none of the metrics"
    by = none if not shown else f"Classifiers are shown to differ by {len(shown)} of {n} metrics ({_named(shown)})"
    return f"{said} {by}, each tested by itself at α = {found.alpha:g}.{_alike_words(found)}"


def document(found: ComparisonByMetric, extent: Extent) -> Document:
    """Show the verdict of each metric, the table of ranks, the means, and the correlations."""
    sizes = sorted({len(one.table.datasets) for one in found.comparisons})
    datasets = count(sizes[0], "dataset") if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]} datasets"
    return Document(
        title=f"Comparison of {count(len(found.classifiers), 'classifier')} on {datasets} by {len(found)} metrics",
        verdict=paragraph(verdict(found)),
        sections=tuple(_sections(found, extent.most_rows)),
    )


def _sections(found: ComparisonByMetric, most_rows: int) -> Iterator[Section]:
    said = [f"{metric}: {one.verdict}" for metric, one in zip(found.metrics, found.comparisons, strict=True)]
    yield section("metrics", "What follows by each metric", listing(said))
    order = _order(found)[:most_rows]
    cut = len(found.classifiers) - len(order)
    more = [paragraph(f"The tables leave out the {count(cut, 'classifier')} with the largest ranks.")] if cut else []
    yield section("ranks", "Ranks by metric", _ranks_table(found, order), *more)
    yield section("means", "Means by metric", _mean_ranks_table(found, order), _mean_scores_table(found, order))
    if len(found.classifiers) > 2:
        yield section("agreement", "Do the metrics rank alike?", _correlations_table(found, most_rows))
    yield section("notes", "What to keep in mind", listing(_notes(found)))


def _ranks_table(found: ComparisonByMetric, order: list[int]) -> Table:
    k = len(found.classifiers)
    counts_best = k > _BEST
    n_best = (found.ranks <= _BEST).sum(axis=1)
    return Table(
        name="ranks",
        caption=(
            "Place of each classifier by its mean rank, 1 for the best; equal mean ranks have the smallest place. "
            f"{_directions(found)}"
            + (f" Best {_BEST}: by how many metrics it is among the best {_BEST}." if counts_best else "")
        ),
        columns=heads(["Classifier"], [*found.metrics, *([f"Best {_BEST}"] if counts_best else [])]),
        rows=tuple(
            (
                found.classifiers[i],
                *map(str, found.ranks[i].tolist()),
                *([str(int(n_best[i]))] if counts_best else []),
            )
            for i in order
        ),
    )


def _mean_ranks_table(found: ComparisonByMetric, order: list[int]) -> Table:
    return Table(
        name="mean-ranks",
        caption="Mean rank over the datasets, 1 for the best; equal scores have the mean of their ranks.",
        columns=heads(["Classifier"], found.metrics),
        rows=tuple((found.classifiers[i], *(decimal(rank, 3) for rank in found.mean_ranks[i])) for i in order),
    )


def _mean_scores_table(found: ComparisonByMetric, order: list[int]) -> Table:
    columns = [column(found.mean_scores[order, j].tolist(), digits=4) for j in range(len(found))]
    units = [metric_words(one.table) for one in found.comparisons]
    return Table(
        name="mean-scores",
        caption=f"Mean score over the datasets. {_directions(found)}",
        columns=heads(["Classifier"], units),
        rows=tuple(zip([found.classifiers[i] for i in order], *columns, strict=True)),
    )


def _correlations_table(found: ComparisonByMetric, most_rows: int) -> Table:
    pairs = [(i, j) for i in range(len(found)) for j in range(i + 1, len(found))][:most_rows]
    return Table(
        name="correlations",
        caption=(
            f"Correlations of the mean ranks of the {len(found.classifiers)} classifiers by two metrics: 1 where they "
            "rank alike, 0 where they are unrelated, −1 where they rank the other way round."
        ),
        columns=(
            *(Column(head=head) for head in ("Metric", "and metric")),
            *(Column(head=head, numeric=True) for head in ("Kendall's τ", "Spearman's ρ")),
        ),
        rows=tuple(
            (found.metrics[i], found.metrics[j], _correlation(found.kendall[i, j]), _correlation(found.spearman[i, j]))
            for i, j in pairs
        ),
    )


def _notes(found: ComparisonByMetric) -> Iterator[str]:
    yield (
        f"Each metric is tested by itself: the promise of its test holds for that metric, not for all {len(found)} at "
        "once. Which metric decides must be settled before the scores are seen."
    )
    datasets = [set(one.table.datasets) for one in found.comparisons]
    if any(one != datasets[0] for one in datasets):
        yield "The metrics are not known of the same datasets, so that their mean ranks are over different ones."
    if len(found.classifiers) < 5 and len(found.classifiers) > 2:
        yield (
            f"Correlations of {len(found.classifiers)} classifiers have few possible values, and say little of other "
            "classifiers."
        )


def _directions(found: ComparisonByMetric) -> str:
    lower = [one.table.metric for one in found.comparisons if not one.table.greater_is_better]
    if not lower:
        return "Higher is better by every metric."
    if len(lower) == len(found):
        return "Lower is better by every metric."
    return f"Lower is better by {written_list(lower)}, higher by the others."


def _order(found: ComparisonByMetric) -> list[int]:
    """Return the classifiers from the smallest mean of their ranks to the largest."""
    return [int(i) for i in np.argsort(rounded(found.ranks.mean(axis=1)), kind="stable")]


def _best(found: ComparisonByMetric, j: int) -> tuple[str, ...]:
    return tuple(name for name, rank in zip(found.classifiers, found.ranks[:, j], strict=True) if rank == 1)


def _named(names: tuple[str, ...] | list[str]) -> str:
    return written_list(list(names), at_most=_LISTED)


def _alike_words(found: ComparisonByMetric) -> str:
    if len(found.classifiers) < 3:
        return ""
    taus = found.kendall[np.triu_indices(len(found), 1)]
    taus = taus[~np.isnan(taus)]
    if not len(taus):
        return ""
    low, high = (signed(float(limit), 2) for limit in (taus.min(), taus.max()))
    between = low if low == high else f"{low} to {high}"
    return f" Kendall's correlation of the mean ranks by two metrics is {between}."


def _correlation(value: float) -> str:
    return "–" if np.isnan(value) else signed(float(value), 3)
