"""Report of a comparison by several metrics: ranks by each metric, and the correlations of the ranks."""

from __future__ import annotations

__all__ = ["document", "methods", "pairs_table", "paper_table", "place_intervals", "ranks_table", "verdict"]

from collections.abc import Iterator

import numpy as np

from evalstats._ranks import DEFAULT_TIE_TOLERANCE, rounded
from evalstats.comparison.by_metric import ComparisonByMetric
from evalstats.comparison.record import Comparison
from evalstats.report import blocks
from evalstats.report.comparisons.comparison_tables import first_two
from evalstats.report.comparisons.methods import methods as methods_of
from evalstats.report.curve_figure import limits_of
from evalstats.report.describe import column, count, decimal, metric_words, pvalue_cell, signed
from evalstats.report.interval_list import MOST_ROWS, IntervalList, IntervalRow
from evalstats.wording import metric_name, written_list

# maximum number of names in a sentence; the others are counted
_LISTED = 4
_BEST = 3


def verdict(found: ComparisonByMetric) -> str:
    """State the best classifier and the significant differences by each metric, and how well the rankings agree."""
    n = len(found)
    names = _metrics(found)
    best = {metric: _best(found, j) for j, metric in enumerate(names)}
    if len(set(best.values())) == 1:
        who = best[names[0]]
        every = "both" if n == 2 else f"all {n}"
        said = f"By {every} metrics {_named(who)} {'has' if len(who) == 1 else 'have'} {_best_what(found)}."
    else:
        by_best: dict[tuple[str, ...], list[str]] = {}
        for metric, who in best.items():
            by_best.setdefault(who, []).append(metric)
        clauses = [f"{_named(who)} by {_named(metrics)}" for who, metrics in by_best.items()]
        said = f"The classifier with {_best_what(found)} depends on the metric: {'; '.join(clauses)}."
    shown = [metric for metric, one in zip(names, found.comparisons, strict=True) if one.different.any()]
    by = "no metric" if not shown else f"{len(shown)} of {n} metrics ({_named(shown)})"
    by = "every metric" if len(shown) == n else by
    differ = f"Classifiers are shown to differ by {by}, each tested separately at α = {found.alpha:g}."
    lacking = [(metric, len(one.validity.untested)) for metric, one in zip(names, found.comparisons, strict=True)]
    untested = [f"{count(n, 'pair')} by {metric}" for metric, n in lacking if n]
    told = f" No conclusion is possible about pairs without a p-value: {_named(untested)}." if untested else ""
    return f"{said} {differ}{told}{_alike_words(found)}"


def document(found: ComparisonByMetric, extent: blocks.Extent) -> blocks.Document:
    """Return the document: the verdict of each metric, the ranks, the means and the correlations."""
    sizes = sorted({len(one.table.datasets) for one in found.comparisons})
    datasets = count(sizes[0], "dataset") if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]} datasets"
    return blocks.Document(
        title=f"Comparison of {count(len(found.classifiers), 'classifier')} on {datasets} by {len(found)} metrics",
        verdict=blocks.paragraph(verdict(found)),
        sections=tuple(_sections(found, extent)),
    )


def _sections(found: ComparisonByMetric, extent: blocks.Extent) -> Iterator[blocks.Section]:
    max_rows = extent.max_rows
    said = [f"{metric}: {one.verdict}" for metric, one in zip(_metrics(found), found.comparisons, strict=True)]
    yield blocks.section("metrics", "Conclusions by metric", blocks.listing(said))
    order = _order(found)[:max_rows]
    cut = len(found.classifiers) - len(order)
    more = (
        [blocks.paragraph(f"The tables leave out the {count(cut, 'classifier')} with the largest ranks.")]
        if cut
        else []
    )
    yield blocks.section(
        "ranks", "Ranks by metric", ranks_table(found, max_rows), *more, blocks.Figure(diagram=place_intervals(found))
    )
    which = "Which classifiers differ by which metric?"
    yield blocks.section("pairs", which, *pairs_table(found, max_rows))
    means = [_mean_ranks_table(found, order)] if _is_over_datasets(found) else []
    yield blocks.section("means", "Means by metric", *means, _mean_scores_table(found, order))
    if len(found.classifiers) > 2:
        yield blocks.section("agreement", "Agreement of the metrics", _correlations_table(found, max_rows))
    yield blocks.section("notes", "Notes", blocks.listing(_notes(found)))
    if extent.with_methods:
        yield blocks.section("methods", "Methods", blocks.paragraph(*methods(found)))


def ranks_table(found: ComparisonByMetric, max_rows: int) -> blocks.Table:
    """List the classifiers with their ranks by each metric, smallest mean of the ranks first."""
    k, order = len(found.classifiers), _order(found)[:max_rows]
    counts_best = k > _BEST
    n_best = (found.ranks <= _BEST).sum(axis=1)
    by = "mean rank" if _is_over_datasets(found) else "score"
    return blocks.Table(
        name="ranks",
        caption=(
            f"Rank of each classifier by its {by}, 1 for the best; ties get the smallest of their ranks. "
            f"{_directions(found)}"
            + (
                f" Best {_BEST}: number of metrics by which the classifier is among the best {_BEST}."
                if counts_best
                else ""
            )
        ),
        columns=blocks.heads(["Classifier"], [*_metrics(found), *([f"Best {_BEST}"] if counts_best else [])]),
        rows=tuple(
            (found.classifiers[i], *map(str, found.ranks[i].tolist()), *([str(int(n_best[i]))] if counts_best else []))
            for i in order
        ),
    )


def pairs_table(found: ComparisonByMetric, most_pairs: int) -> list[blocks.Block]:
    """List the pairs with their p-values by each metric, and the metrics with a significant difference."""
    place = {found.classifiers[i]: at for at, i in enumerate(_order(found))}
    control = found.comparisons[0].control
    by_pair: dict[tuple[str, str], list[tuple[float, bool]]] = {}
    for one in found.comparisons:
        for first, second, pvalue, differs in one.decisions():
            # without a control, a pair has the order of each ranking; here it has a common order
            turned = control is None and place[first] > place[second]
            by_pair.setdefault((second, first) if turned else (first, second), []).append((pvalue, differs))
    smallest = {pair: min((p for p, _ in of if not np.isnan(p)), default=1.0) for pair, of in by_pair.items()}
    kept = set(sorted(by_pair, key=lambda pair: smallest[pair])[:most_pairs])
    shown = sorted(kept, key=lambda pair: (place[pair[0]], place[pair[1]]))
    few = "The table shows the {} of {} pairs with the smallest p-values.".format
    adjusted = ", adjusted for the pairs of that metric" if len(by_pair) > 1 else ""
    differ = {pair: [m for m, (_, yes) in zip(_metrics(found), by_pair[pair], strict=True) if yes] for pair in shown}
    table = blocks.Table(
        name="pairs",
        caption=f"The p-value of each pair by each metric{adjusted}, and the metrics by which the pair is shown to "
        f"differ.",
        columns=(
            *blocks.heads(["First", "Second"], [f"p, {metric}" for metric in _metrics(found)]),
            blocks.Column(head="Differ by", prose=True),
        ),
        rows=tuple(
            (
                *pair,
                *(pvalue_cell(p, found.alpha) for p, _ in by_pair[pair]),
                _named(differ[pair]) if differ[pair] else "none",
            )
            for pair in shown
        ),
        marked=tuple(bool(differ[pair]) for pair in shown),
    )
    return [*([blocks.paragraph(few(len(shown), len(by_pair)))] if len(shown) < len(by_pair) else []), table]


def paper_table(found: ComparisonByMetric) -> blocks.Table:
    """Return the mean scores by metric, with the best and second best marked, and the mean ranks in the last row."""
    signs = np.array([1 if one.table.greater_is_better else -1 for one in found.comparisons])
    places = found.ranks.mean(axis=1)
    best, second = first_two(np.vstack([found.mean_scores.T * signs[:, None], -places]), DEFAULT_TIE_TOLERANCE)
    what = "Mean over the datasets of the score" if _is_over_datasets(found) else "Score"
    return blocks.Table(
        name="scores",
        caption=(
            f"{what} of each classifier by each metric, and the mean of its ranks by the metrics (1 is the best). "
            f"{_directions(found)}"
        ),
        columns=blocks.heads(["Metric"], found.classifiers),
        rows=(
            *(
                (metric_words(one.table), *column(scores.tolist(), digits=4))
                for one, scores in zip(found.comparisons, found.mean_scores.T, strict=True)
            ),
            ("Mean of ranks", *(decimal(float(place), 2) for place in places)),
        ),
        best=frozenset(best),
        second=frozenset(second),
        foot=True,
    )


def place_intervals(found: ComparisonByMetric, max_rows: int = MOST_ROWS) -> IntervalList:
    """List the classifiers with the mean and the range of their mean ranks over the metrics."""
    low, mean, high = found.mean_ranks.min(axis=1), found.mean_ranks.mean(axis=1), found.mean_ranks.max(axis=1)
    order = [int(i) for i in np.argsort(rounded(mean), kind="stable")][:max_rows]
    is_best = (found.ranks == 1).any(axis=1)
    few = f" The list shows {len(order)} of {len(low)} classifiers." if len(order) < len(low) else ""
    axis = limits_of([*low[order].tolist(), *high[order].tolist()])
    return IntervalList(
        rows=tuple(
            IntervalRow(
                name=found.classifiers[i],
                value=float(mean[i]),
                low=float(low[i]),
                high=float(high[i]),
                written=f"{decimal(mean[i], 2)} [{decimal(low[i], 2)}, {decimal(high[i], 2)}]",
                full=bool(is_best[i]),
            )
            for i in order
        ),
        low=axis[0],
        high=axis[1],
        zero=float(mean[order[0]]),
        ends=("best", ""),
        caption=(
            f"The mean of the {_ranks_words(found)} by the {len(found)} metrics; 1 is the best.",
            f"A line extends from the smallest to the largest of these ranks.{few}",
            "A filled dot marks a classifier that is the best by at least one metric.",
        ),
    )


def methods(found: ComparisonByMetric) -> blocks.Sentences:
    """Describe the analysis by each metric; metrics with the same analysis share one description."""
    done: dict[blocks.Sentences, list[Comparison]] = {}
    for one in found.comparisons:
        done.setdefault(methods_of(one)[1:], []).append(one)  # the first words name the metric
    parts: list[blocks.Inline] = [f"The classifiers were compared by {count(len(found), 'metric')}, each separately. "]
    for alike in done.values():
        first, *others = alike
        parts += methods_of(first)
        if others:
            parts.append(f" The same analysis was used for {written_list([_with_direction(one) for one in others])}.")
        parts.append(" ")
    return tuple(parts[:-1])


def _metrics(found: ComparisonByMetric) -> list[str]:
    return [metric_name(metric) for metric in found.metrics]


def _with_direction(comparison: Comparison) -> str:
    table = comparison.table
    return f"{metric_name(table.metric)} ({'higher' if table.greater_is_better else 'lower'} is better)"


def _is_over_datasets(found: ComparisonByMetric) -> bool:
    return any(one.design == "datasets" for one in found.comparisons)


def _ranks_words(found: ComparisonByMetric) -> str:
    return "mean ranks" if _is_over_datasets(found) else "ranks"


def _best_what(found: ComparisonByMetric) -> str:
    return "the best mean rank" if _is_over_datasets(found) else "the best score"


def _mean_ranks_table(found: ComparisonByMetric, order: list[int]) -> blocks.Table:
    return blocks.Table(
        name="mean-ranks",
        caption="Mean rank over the datasets, 1 for the best; equal scores have the mean of their ranks.",
        columns=blocks.heads(["Classifier"], _metrics(found)),
        rows=tuple((found.classifiers[i], *(decimal(rank, 3) for rank in found.mean_ranks[i])) for i in order),
    )


def _mean_scores_table(found: ComparisonByMetric, order: list[int]) -> blocks.Table:
    columns = [column(found.mean_scores[order, j].tolist(), digits=4) for j in range(len(found))]
    units = [metric_words(one.table) for one in found.comparisons]
    return blocks.Table(
        name="mean-scores",
        caption=f"{'Mean score over the datasets' if _is_over_datasets(found) else 'Score'}. {_directions(found)}",
        columns=blocks.heads(["Classifier"], units),
        rows=tuple(zip([found.classifiers[i] for i in order], *columns, strict=True)),
    )


def _correlations_table(found: ComparisonByMetric, max_rows: int) -> blocks.Table:
    names = _metrics(found)
    pairs = [(i, j) for i in range(len(found)) for j in range(i + 1, len(found))][:max_rows]
    return blocks.Table(
        name="correlations",
        caption=(
            f"Correlations of the {_ranks_words(found)} of the {len(found.classifiers)} classifiers by two metrics: "
            "1 for equal rankings, 0 for unrelated rankings, −1 for reversed rankings."
        ),
        columns=(
            *(blocks.Column(head=head) for head in ("Metric", "and metric")),
            *(blocks.Column(head=head, numeric=True) for head in ("Kendall's τ", "Spearman's ρ")),
        ),
        rows=tuple(
            (names[i], names[j], _correlation(found.kendall[i, j]), _correlation(found.spearman[i, j]))
            for i, j in pairs
        ),
    )


def _notes(found: ComparisonByMetric) -> Iterator[str]:
    yield (
        "Each metric is tested separately: the error rate of its test is controlled for that metric, not for all "
        f"{len(found)} together. Choose the primary metric before you see the scores."
    )
    datasets = [set(one.table.datasets) for one in found.comparisons]
    if any(one != datasets[0] for one in datasets):
        yield "The metrics are available for different datasets, so the mean ranks are based on different datasets."
    if len(found.classifiers) < 5 and len(found.classifiers) > 2:
        yield (
            f"Correlations of {len(found.classifiers)} classifiers have few possible values and hardly "
            "apply to other classifiers."
        )


def _directions(found: ComparisonByMetric) -> str:
    lower = [metric_name(one.table.metric) for one in found.comparisons if not one.table.greater_is_better]
    if not lower:
        return "Higher is better by every metric."
    if len(lower) == len(found):
        return "Lower is better by every metric."
    return f"Lower is better by {written_list(lower)}, higher by the others."


def _order(found: ComparisonByMetric) -> list[int]:
    """Return the positions of the classifiers, ordered by the mean of their ranks."""
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
    which = "the two" if len(found) == 2 else "any two"
    return f" Kendall's correlation of the {_ranks_words(found)} by {which} metrics is {between}."


def _correlation(value: float) -> str:
    return "–" if np.isnan(value) else signed(float(value), 3)
