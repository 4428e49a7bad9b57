"""Scores for each query from Python: an experiment of PyTerrier, results of pytrec_eval, and scores of ranx."""

from __future__ import annotations

__all__ = ["FORMATS"]

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from numbers import Real
from typing import Any, NamedTuple

from evalstats.io.formats.format import Format, Found, Sign, chosen_metric, rows_of
from evalstats.io.formats.log_files import Item, Log, label_of, logs_in
from evalstats.io.formats.log_questions import are_of_trec, are_queries, items_found
from evalstats.io.options import Asked
from evalstats.io.sources.numbers import as_float
from evalstats.io.sources.source import DOCUMENT, JSON, Seen
from evalstats.tables.errors import TableError, short

TASK = "queries"
NAME, QUERY, MEASURE, VALUE = "name", "qid", "measure", "value"
OF_REPORT = ("metrics", "model_names")
# names of ranx, which writes @; pytrec_eval writes underscores
_DOCUMENT = re.compile(r"(?:d|doc|docno|document|passage)?[\W_]*\d+", re.IGNORECASE)
_RANX = re.compile(
    r"(?:hits|hit_rate|precision|recall|f1|r-precision|bpref|rbp\.\d+|mrr|map|map-min-rel|dcg|dcg_burges|ndcg|ndcg_burges)"
    r"(?:@\d+)?(?:-l\d+)?"
)

EXAMPLE_OF_PYTERRIER = """
name,qid,measure,value
BM25,q1,map,0.61
BM25,q2,map,0.35
BM25 + RM3,q1,map,0.70
BM25 + RM3,q2,map,0.44
""".lstrip()
EXAMPLE_OF_PYTREC = """
{"bm25": {"q1": {"map": 0.61, "P_5": 0.4}, "q2": {"map": 0.35, "P_5": 0.2}},
 "rm3": {"q1": {"map": 0.70, "P_5": 0.6}, "q2": {"map": 0.44, "P_5": 0.2}}}
""".lstrip()
EXAMPLE_OF_RANX = """
{"bm25": {"map": {"q1": 0.61, "q2": 0.35}, "mrr@10": {"q1": 1.0, "q2": 0.5}},
 "rm3": {"map": {"q1": 0.70, "q2": 0.44}, "mrr@10": {"q1": 1.0, "q2": 1.0}}}
""".lstrip()


class _Score(NamedTuple):
    run: str
    query: str
    measure: str
    value: float
    place: str


def _is_experiment(seen: Seen) -> bool:
    return seen.kind in ("text", "frame") and {NAME, QUERY, MEASURE, VALUE} <= set(seen.header)


def _read_experiment(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, (NAME, QUERY, MEASURE, VALUE), "PyTerrier")
    told = zip(rows.texts(NAME), rows.texts(QUERY), rows.texts(MEASURE), rows.values(VALUE), rows.numbers, strict=True)
    scores = [_Score(run, query, measure, value, f"{rows.word} {n}") for run, query, measure, value, n in told]
    return _found(seen, asked, scores)


def _of_pytrec(document: Any, *, is_asked: bool = False) -> list[dict[str, Any]]:
    """Return runs by their names as {query: {measure: value}}; a single run has no name.

    A measure that is also common in other fields is recognized by the names of the queries, unless the caller chose the
    format (`is_asked`).
    """

    def is_run(own: Mapping[Any, Any]) -> bool:
        of_queries = is_asked or are_queries(own)
        return all(_is_scores(one) and are_of_trec(map(str, one), of_queries=of_queries) for one in own.values())

    return _runs(document, is_run)


def _of_ranx(document: Any) -> list[dict[str, Any]]:
    """Return runs by their names as {measure: {query: value}}; a single run has no name."""
    return _runs(document, lambda own: all(_RANX.fullmatch(str(key)) and _is_scores(one) for key, one in own.items()))


def _runs(document: Any, is_run: Callable[[Mapping[Any, Any]], Any]) -> list[dict[str, Any]]:
    def is_good(own: Any) -> bool:
        return isinstance(own, Mapping) and bool(own) and bool(is_run(own))

    if is_good(document):
        return [{"": document}]
    if isinstance(document, Mapping) and document and all(map(is_good, document.values())):
        return [{str(name): own} for name, own in document.items()]
    return []


def _is_scores(one: Any) -> bool:
    return (
        isinstance(one, Mapping)
        and bool(one)
        and all(isinstance(value, Real) and not isinstance(value, bool) for value in one.values())
    )


def _is_document(seen: Seen, runs: Callable[[Any], Any]) -> bool:
    if seen.kind not in (JSON, DOCUMENT):
        return False
    try:
        return bool(runs(seen.document))
    except TableError:  # it is not JSON, which the reader of plain tables reports
        return False


def _report(document: Any) -> list[Any]:
    """Return a ranx report, which has no scores of individual queries. The list is empty for other documents."""
    is_report = isinstance(document, Mapping) and all(key in document for key in OF_REPORT)
    names = document["model_names"] if is_report else ()
    return [document] if is_report and all(isinstance(document.get(str(name)), Mapping) for name in names) else []


def _refuse_report(seen: Seen, asked: Asked) -> Found:
    raise TableError(
        f"{seen.name} is a report of ranx: it holds means, p-values and counts, but no scores of queries; evaluate "
        "with "
        "save_results_in_run=True and give a dict of the scores of each run, {run.name: run.scores}"
    )


def _ranking(document: Any) -> list[Any]:
    """Return a run or judgments of TREC in JSON, {query: {document: number}}; the list is empty for other documents.

    Unlike the classifiers of a table, the documents differ between queries, or are only numbered.
    """
    if not isinstance(document, Mapping) or len(document) < 2 or not all(map(_is_scores, document.values())):
        return []
    n_cells, names = sum(map(len, document.values())), {name for own in document.values() for name in own}
    are_documents = 2 * n_cells < len(document) * len(names) or all(_DOCUMENT.fullmatch(str(name)) for name in names)
    return [document] if are_queries(document) and are_documents else []


def _refuse_ranking(seen: Seen, asked: Asked) -> Found:
    raise TableError(
        f"{seen.name} is a run or a file of judgments of TREC, with a number for each document of a query and no "
        "scores of queries; evaluate the runs, and give a dict of the scores of each run, {run.name: run.scores}"
    )


def _read_pytrec(seen: Seen, asked: Asked) -> Found:
    return _read_documents(
        seen,
        asked,
        partial(_of_pytrec, is_asked=True),
        lambda own: ((query, measure, value) for query, of in own.items() for measure, value in of.items()),
    )


def _read_ranx(seen: Seen, asked: Asked) -> Found:
    return _read_documents(
        seen,
        asked,
        _of_ranx,
        lambda own: ((query, measure, value) for measure, of in own.items() for query, value in of.items()),
    )


def _read_documents(
    seen: Seen,
    asked: Asked,
    runs: Callable[[Any], list[dict[str, Any]]],
    scores_of: Callable[[Mapping[Any, Any]], Iterator[tuple[Any, Any, Any]]],
) -> Found:
    files = logs_in(seen, partial(_is_document, runs=runs))
    labels = label_of([one.path or one.name for one in files])
    scores = []
    for one in files:
        for run in runs(one.document):
            ((name, own),) = run.items()
            label = name or labels[one.path or one.name]
            scores += [
                _Score(label, str(query), str(measure), as_float(value), one.name)
                for query, measure, value in scores_of(own)
            ]
    return _found(seen, asked, scores)


def _found(seen: Seen, asked: Asked, scores: list[_Score]) -> Found:
    """Return the scores of one measure. Counts of documents and queries are not scores."""
    scores = [one for one in scores if not one.measure.startswith("num_") and one.measure != "runid"]
    if bad := next((one for one in scores if math.isinf(one.value)), None):
        raise TableError(f"{seen.name}: {bad.measure} of {short(bad.run)} for {short(bad.query)} is infinite")
    metric = chosen_metric(seen, asked, list(dict.fromkeys(one.measure for one in scores)))
    logs: dict[str, Log] = {}
    for one in scores:
        if one.measure == metric:
            log = logs.setdefault(one.run, Log(one.run, one.run, one.run))
            log.items.append(Item(TASK, one.query, one.value, place=one.place))
    return items_found(seen, asked, list(logs.values()), metric=metric, greater_is_better=True)


FORMATS = (
    Format(
        name="pyterrier",
        title="PyTerrier, Experiment(perquery=True)",
        description="Values of one measure for each query. The column called name contains the classifier.",
        example=EXAMPLE_OF_PYTERRIER,
        recognises=(Sign("columns", (NAME, QUERY, MEASURE, VALUE)),),
        confirms=_is_experiment,
        read=_read_experiment,
    ),
    Format(
        name="pytrec-eval",
        title="pytrec_eval, results of evaluate",
        description="Values of one measure for each query. Each run has a name or a separate file.",
        example=EXAMPLE_OF_PYTREC,
        recognises=(Sign("keys"),),
        confirms=partial(_is_document, runs=_of_pytrec),
        each_file=True,
        read=_read_pytrec,
    ),
    Format(
        name="ranx",
        title="ranx, Run.scores",
        description="Values of one measure for each query. Each run has a name or a separate file.",
        example=EXAMPLE_OF_RANX,
        recognises=(Sign("keys"),),
        confirms=partial(_is_document, runs=_of_ranx),
        each_file=True,
        read=_read_ranx,
    ),
    Format(
        name="ranx-run",
        title="ranx, Run or Qrels in JSON",
        description="Rejected with advice, because the file has scores of documents, but no scores of queries.",
        example='{"q1": {"d7": 0.9, "d2": 0.4}, "q2": {"d3": 0.8, "d5": 0.1}, "q3": {"d4": 0.7, "d9": 0.2}}\n',
        recognises=(Sign("keys"),),
        confirms=partial(_is_document, runs=_ranking),
        each_file=True,
        read=_refuse_ranking,
    ),
    Format(
        name="ranx-report",
        title="ranx, Report",
        description="Rejected with advice, because the file has means and p-values, but no scores of queries.",
        example='{"metrics": ["map"], "model_names": ["a", "b"], "a": {"scores": {"map": 0.4}}, "b": {}}\n',
        recognises=(Sign("keys", OF_REPORT),),
        confirms=partial(_is_document, runs=_report),
        read=_refuse_report,
    ),
)
