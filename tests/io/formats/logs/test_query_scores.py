"""Scores of queries from PyTerrier, pytrec_eval and ranx: the same table, missing queries, and what has no scores."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalstats import TableError, compare, read_table

SAMPLES = Path(__file__).parents[3] / "data" / "formats" / "query-scores"
SYSTEMS = ("bm25", "rm3", "dense")
QUERIES = np.array([[0.9, 0.7, 0.6], [0.5, 0.4, 0.45], [0.8, 0.75, 0.3], [0.6, 0.65, 0.2]])
PYTREC = {
    name: {
        f"q{i + 1}": {"map": float(row[j]), "P_5": float(row[j]) / 2, "num_rel": 3.0} for i, row in enumerate(QUERIES)
    }
    for j, name in enumerate(SYSTEMS)
}
RANX = {name: {"map": {query: of["map"] for query, of in own.items()}} for name, own in PYTREC.items()}


def written(folder: Path, documents: dict) -> list[Path]:
    for name, document in documents.items():
        (folder / f"{name}.json").write_text(json.dumps(document))
    return [folder / f"{name}.json" for name in documents]


@pytest.mark.parametrize(
    "source",
    [
        SAMPLES / "pyterrier.csv",
        pd.read_csv(SAMPLES / "pyterrier.csv"),
        SAMPLES / "pytrec_eval.json",
        SAMPLES / "ranx.json",
        PYTREC,
        RANX,
    ],
)
def test_sources_hold_the_scores_of_each_query(source) -> None:
    table = read_table(source, metric="map")

    assert sorted(table.classifiers) == sorted(SYSTEMS)
    order = [SYSTEMS.index(name) for name in table.classifiers]
    assert table._items.scores.tolist() == QUERIES[:, order].tolist()
    assert table._items.questions == ("q1", "q2", "q3", "q4")
    assert (compare(table).design, table.greater_is_better) == ("questions", True)


@pytest.mark.parametrize("runs", [PYTREC, RANX])
def test_each_file_may_be_a_run(runs, tmp_path) -> None:
    table = read_table(written(tmp_path, runs), metric="map")

    assert sorted(table.classifiers) == sorted(SYSTEMS)
    assert table._items.scores[:, table.classifiers.index("rm3")].tolist() == QUERIES[:, 1].tolist()


ONE_MEASURE = {name: {query: {"map": of["map"]} for query, of in own.items()} for name, own in PYTREC.items()}
OTHER_NAMES = {name: {f"what is {query}": of for query, of in own.items()} for name, own in ONE_MEASURE.items()}


@pytest.mark.parametrize(
    "runs",
    [ONE_MEASURE, {name: {q.replace("q", "30"): of for q, of in own.items()} for name, own in ONE_MEASURE.items()}],
)
def test_one_measure_of_each_query_is_enough(runs, tmp_path) -> None:
    for source in (runs, written(tmp_path, runs)):
        table = read_table(source)

        assert sorted(table.classifiers) == sorted(SYSTEMS)
        assert table._items.scores[:, table.classifiers.index("rm3")].tolist() == QUERIES[:, 1].tolist()
        assert compare(table).design == "questions"


def test_names_that_may_be_of_datasets_are_queries_if_the_format_is_given(tmp_path) -> None:
    for source in (OTHER_NAMES, written(tmp_path, OTHER_NAMES)):
        assert compare(source, format="pytrec-eval").design == "questions"


def test_counts_are_no_measures() -> None:
    with pytest.raises(TableError, match="holds the metrics 'map', 'P_5'; choose one"):
        read_table(PYTREC)


def test_map_of_datasets_is_not_taken_for_retrieval() -> None:
    """MAP is also a metric of object detection."""
    nested = {"a": {"d1": {"map": 0.4}, "d2": {"map": 0.3}}, "b": {"d1": {"map": 0.5}, "d2": {"map": 0.2}}}

    assert read_table(nested, parsing={"transpose": False}).datasets == ("d1", "d2")


def test_report_of_ranx_is_refused_with_what_to_do() -> None:
    with pytest.raises(TableError, match=r"no scores of queries; evaluate with save_results_in_run=True"):
        read_table(SAMPLES / "ranx_report.json")


def without(query: str) -> dict:
    own = {name: dict(of) for name, of in PYTREC.items()}
    del own["rm3"][query]
    return own


def test_missing_query_is_refused_by_name() -> None:
    with pytest.raises(TableError, match=r"'q3' of 'rm3' \(missing\).*missing='zero' or 'worst'"):
        read_table(without("q3"), metric="map")


@pytest.mark.parametrize(("missing", "value"), [("zero", 0.0), ("worst", 0.2)])
def test_missing_query_counts_as_asked(missing, value) -> None:
    """The worst score of any system on any query is 0.2."""
    table = read_table(without("q3"), metric="map", missing=missing)

    assert table._items.scores[2].tolist() == [0.8, 0.3, value]
    assert table.classifiers == ("bm25", "dense", "rm3")
    assert [one.sentence for one in table.findings if one.code == "missing-filled"] == [
        f"1 missing scores of 'queries' count as {value:g}: 'q3' of 'rm3'."
    ]


def test_rankings_in_json_are_no_scores(tmp_path) -> None:
    """``Run.save`` and ``Qrels.save`` of ranx write a number for each document of a query."""
    ranking = {f"q_{i}": {f"d{i}": 0.9, f"d{i + 1}": 0.4} for i in range(9)}
    paths = written(tmp_path, {"bm25": ranking, "dense": ranking})

    for source in (paths[0], paths, ranking):
        with pytest.raises(
            TableError, match=r"run or a file of judgments of TREC.* give a dict of the scores of each run"
        ):
            read_table(source)


@pytest.mark.parametrize("name", ["d{}", "doc_{}", "{}", "D-{}"])
def test_rankings_of_the_same_documents_are_no_scores(name: str) -> None:
    """Judgements of a small collection have a number for each document and query."""
    with pytest.raises(TableError, match=r"run or a file of judgments of TREC.* give a dict of the scores of each run"):
        read_table({f"q_{i}": {name.format(j): float(i * j % 3) for j in range(4)} for i in range(9)})


def test_queries_with_the_same_systems_are_a_table() -> None:
    table = read_table({f"q_{i}": {"bm25": 0.1 * i, "dense": 0.2} for i in range(4)}, parsing={"transpose": True})

    assert table.classifiers == ("bm25", "dense")


def test_integer_beyond_all_floats_is_infinite(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"q1": {"map": 10**400}, "q2": {"map": 0.5}}))

    with pytest.raises(TableError, match="map of 'a' for 'q1' is infinite"):
        read_table(tmp_path / "a.json")
