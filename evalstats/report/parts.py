"""Individual parts of a record for a paper."""

from __future__ import annotations

__all__ = ["PARTS", "part_of"]

from collections.abc import Callable
from typing import Any

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.comparison.by_metric import ComparisonByMetric
from evalstats.comparison.record import Comparison
from evalstats.report.blocks import Block, Figure, paragraph
from evalstats.report.comparisons import by_metric
from evalstats.report.comparisons.comparison_tables import classifiers_table, matrix_table, pairs_table, paper_table
from evalstats.report.comparisons.methods import methods
from evalstats.report.comparisons.verdict import verdict
from evalstats.report.documents import without_unseen
from evalstats.report.interval_list import drawing_of


def part_of(record: Any, part: str, *, max_rows: int) -> tuple[Block, ...]:
    """Return the blocks of one part of a comparison: a paragraph, a table or a figure.

    Parameters
    ----------
    record : Comparison or ComparisonByMetric
        Result of `compare`.
    part : {'sentence', 'methods', 'scores', 'ranks', 'pairs', 'matrix', 'figure'}
        ``'sentence'``: the conclusions. ``'methods'``: the methods paragraph. ``'scores'``: the table of datasets,
        metrics or benchmarks x classifiers. ``'ranks'``: the table of the classifiers. ``'pairs'``: the table of the
        pairs. ``'matrix'``: the multi-comparison matrix. ``'figure'``: the diagram.
    max_rows : int
        Maximum number of rows in the table of pairs. If there are more pairs, the table shows the pairs with the
        smallest p-values.

    Returns
    -------
    tuple of Block

    Raises
    ------
    InvalidTypeError
        If the record is not a comparison.
    InvalidValueError
        If there is no part with this name, or the comparison does not have this part.
    """
    part = _checks.choice(part, "part", tuple(PARTS))
    if not isinstance(record, Comparison | ComparisonByMetric):
        raise InvalidTypeError(f"part requires a result of compare, but record is a {type(record).__name__}")
    made = (_BY_METRIC if isinstance(record, ComparisonByMetric) else PARTS)[part]
    blocks: tuple[Block, ...] = without_unseen(tuple(made(record, max_rows)))
    return blocks


def _sentence(comparison: Any, _: int) -> list[Block]:
    return [paragraph(verdict(comparison))]


def _methods(comparison: Any, _: int) -> list[Block]:
    return [paragraph(*methods(comparison))]


def _scores(comparison: Any, _: int) -> list[Block]:
    return [paper_table(comparison)]


def _ranks(comparison: Any, _: int) -> list[Block]:
    return [classifiers_table(comparison)]


def _pairs(comparison: Any, max_rows: int) -> list[Block]:
    if comparison.design == "datasets" and comparison.posthoc is None:
        raise InvalidValueError("part must not be 'pairs': two classifiers form one pair, which the sentence describes")
    return pairs_table(comparison, max_rows)


def _figure(comparison: Any, _: int) -> list[Block]:
    drawing = drawing_of(comparison)
    if drawing is None:
        raise InvalidValueError("part must not be 'figure': a comparison of two classifiers has no diagram")
    return [Figure(diagram=drawing)]


# in the order in which a paper shows them
PARTS: dict[str, Callable[[Any, int], list[Block]]] = {
    "sentence": _sentence,
    "methods": _methods,
    "scores": _scores,
    "ranks": _ranks,
    "pairs": _pairs,
    "matrix": lambda comparison, max_rows: [matrix_table(comparison, max_rows)],
    "figure": _figure,
}

_BY_METRIC: dict[str, Callable[[Any, int], list[Block]]] = {
    "sentence": lambda found, _: [paragraph(by_metric.verdict(found))],
    "methods": lambda found, _: [paragraph(*by_metric.methods(found))],
    "scores": lambda found, _: [by_metric.paper_table(found)],
    "ranks": lambda found, max_rows: [by_metric.ranks_table(found, max_rows)],
    "pairs": by_metric.pairs_table,
    "matrix": lambda found, max_rows: [matrix_table(one, max_rows) for one in found.comparisons],
    "figure": lambda found, _: [Figure(diagram=by_metric.place_intervals(found))],
}
