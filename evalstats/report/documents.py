"""Document of a record: a table assigns a module of the report to each class of records."""

from __future__ import annotations

__all__ = ["KINDS", "document", "is_batch", "kind_of", "seen", "sentence", "verdict", "without_unseen"]

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from typing import Any

from evalstats._checks import boolean, count, listed, text
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._result import Record
from evalstats.io.reader.saved_reports import UNSEEN
from evalstats.report.blocks import Document, Extent

# the class of a record, or of an ancestor, and its module in this subpackage; classes are identified by their names,
# because their modules may not be loaded
KINDS = {
    "AdjustedDifference": "adjusted_difference",
    "AlternativeAnnotatorResult": "annotators",
    "CalibrationAnalysis": "calibration",
    "DecisionAnalysis": "decisions",
    "ErrorRateSimulation": "error_rates",
    "ClassifierProjection": "projection",
    "BattleComparison": "battles",
    "Comparison": "comparison",
    "ComparisonByMetric": "by_metric",
    "ConsensusRanking": "consensus",
    "DesignPlan": "plan",
    "GateResult": "gating",
    "JudgedComparison": "judged_scores",
    "LabelVariationResult": "label_variation",
    "LearningCurveComparison": "learning_curves",
    "MarginPlan": "margin_plan",
    "ParityReport": "parity",
    "PredictionAnalysis": "predictions",
    "PublishedRanksCheck": "published_ranks",
    "RankingStability": "ranking_stability",
    "ReaderComparison": "readers",
    "Record": "record",
    "ReportVerification": "verification",
    "RunAnalysis": "runs",
    "ScoreTable": "scores",
    "StudyResult": "study",
    "WhichTestResult": "advice",
}
# kinds whose modules are in the folder comparisons; the modules of other kinds are in records
OF_COMPARISONS = frozenset(["by_metric", "calibration", "comparison", "consensus", "ranking_stability", "scores"])


def document(
    record: Record | Document, *, max_rows: int = 1000, with_scores: bool = False, with_methods: bool = True
) -> Document:
    """Render a record as a document of words and tables for `text`, `markdown`, `latex` and `html`.

    Parameters
    ----------
    record : Record
        Any record of evalstats: a comparison, a report, a plan, a recommendation, a table, or the result of one test.
        Every number and every decision in the document comes from the record. A document is returned unchanged.
    max_rows : int, default: 1000
        Maximum number of rows of a table. A longer table shows only the most relevant rows and states the selection.
    with_scores : bool, default: False
        Whether the document of a comparison ends with the table of scores.
    with_methods : bool, default: True
        Whether the document of a comparison contains the methods paragraph.

    Returns
    -------
    Document
        The document, whose texts contain no terminal control characters.

    Raises
    ------
    InvalidTypeError
        If the record is not a record of evalstats.

    Examples
    --------
    >>> from evalstats import report, which_test
    >>> shown = report.document(which_test(n_classifiers=5, n_datasets=12))
    >>> shown.title
    'friedman_test + pairwise_wilcoxon_test'
    >>> [section.heading for section in shown.sections]
    ['Why', 'Assumptions', 'Commands', 'Alternatives']
    """
    extent = Extent(
        max_rows=count(max_rows, "max_rows"),
        with_scores=boolean(with_scores, "with_scores"),
        with_methods=boolean(with_methods, "with_methods"),
    )
    made = record if isinstance(record, Document) else _module_of(record).document(record, extent)
    shown: Document = without_unseen(made)
    return shown


def sentence(record: Record, *, names: Sequence[str] | None = None) -> str:
    """Render the result of a record as one or a few sentences.

    Parameters
    ----------
    record : Record
        The result of one test or estimate. The sentence states the statistic, the p-value and the null distribution,
        but no decision. If the input is degenerate, the sentence also states the reason. For a comparison or a report,
        the sentences state the conclusions.
    names : sequence of two str, optional
        Names of x and y in the sentence, for a test of two classifiers.

    Returns
    -------
    str

    Raises
    ------
    InvalidTypeError
        If the record is not a record of evalstats.
    InvalidValueError
        If the record is a batch of results. If names are given, but the sentence contains no x and y.

    Examples
    --------
    >>> from evalstats import report, wilcoxon_test
    >>> print(report.sentence(wilcoxon_test([5, 7, 3, 8, 6], [4, 4, 4, 4, 1])))
    Wilcoxon signed-rank test: W+ = 13.5 over 5 differences other than zero, p = 0.188 (exact distribution).
    >>> from evalstats import mcnemar_test
    >>> print(report.sentence(mcnemar_test([1, 1, 1, 0], [0, 0, 1, 1]), names=("SVM", "tree")))
    McNemar's test: only SVM is correct in 2 instances and only tree in 1 of 4, p = 1 (exact distribution).
    """
    if is_batch(record):
        raise InvalidValueError("result must be the result of one problem, but it is a batch of results")
    if names is None:
        return verdict(record)
    both = [text(name, "names") for name in listed(names, "names", "names")]
    if len(both) != 2:
        raise InvalidValueError(f"names must be two names, of x and y, not {short(names)}")
    return seen(_sentence_of(record, both[0], both[1]))


def _sentence_of(record: Record, x: str, y: str) -> str:
    """Return the sentence of a test of two classifiers with their names."""
    from evalstats.report.sentences import has_sentence, sentence  # imports every test of the package

    kind_of(record)  # raises an error for other objects
    if not has_sentence(record):
        raise InvalidValueError(f"names are the names of x and y, which {type(record).__name__} does not contain")
    return sentence(record, (x, y))


def verdict(record: Record) -> str:
    """Return the sentences at the start of the document of a record."""
    return seen(_module_of(record).verdict(record))


def is_batch(record: Any) -> bool:
    """Return whether a record contains a batch of results, which have separate reasons."""
    return not isinstance(getattr(record, "reason", None), str | None)


def kind_of(record: Any) -> str:
    """Return the kind of a record, which is the name of its module in this subpackage."""
    for ancestor in type(record).__mro__ if isinstance(record, Record) else ():
        if ancestor.__name__ in KINDS:
            return KINDS[ancestor.__name__]
    raise InvalidTypeError(
        f"record must be a result of evalstats, such as a comparison or the result of a test, not "
        f"{type(record).__name__}"
    )


def _module_of(record: Any) -> Any:
    kind = kind_of(record)
    folder = "comparisons" if kind in OF_COMPARISONS else "records"
    return import_module(f"evalstats.report.{folder}.{kind}")


def seen(text: str) -> str:
    """Replace invisible characters with escape sequences so that no label can control a terminal."""
    return text if text.isprintable() else UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def without_unseen(part: Any) -> Any:
    """Return a document, or a part of it, without invisible characters; if there are none, return the same object."""
    if isinstance(part, str):
        return seen(part)
    names = [field.name for field in fields(part)] if is_dataclass(part) and not isinstance(part, type) else []
    own = part if isinstance(part, tuple) else tuple(getattr(part, name) for name in names)
    new = tuple(without_unseen(one) for one in own)
    if all(one is old for one, old in zip(new, own, strict=True)):
        return part
    return new if isinstance(part, tuple) else replace(part, **dict(zip(names, new, strict=True)))
