"""trec_eval: what it prints for each query of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalstats import TableError, read_table
from evalstats.io.formats.logs.trec_eval import EXAMPLE

OTHER = EXAMPLE.replace("bm25", "splade").replace("0.1526", "0.2526")

SAMPLES = Path(__file__).parents[3] / "data" / "formats" / "trec-eval"


@pytest.fixture
def folder(tmp_path):
    """Write what trec_eval prints of two runs."""
    for name, text in (("a.txt", EXAMPLE), ("b.txt", OTHER)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_runs_have_the_names_and_the_scores_that_are_printed(folder) -> None:
    table = read_table(folder, metric="map")

    assert (table.classifiers, table.metric, table.greater_is_better) == (("bm25", "splade"), "map", True)
    assert table.scores.mean(axis=0) == pytest.approx([(0.1526 + 0.412) / 2, (0.2526 + 0.412) / 2])


def test_sample_has_the_means_that_are_printed() -> None:
    for metric in ("map", "P_5", "ndcg"):
        table = read_table(SAMPLES, metric=metric)
        for name, score in zip(table.classifiers, table.scores.mean(axis=0), strict=True):
            lines = (SAMPLES / f"{name}.txt").read_text().splitlines()
            (printed,) = (float(line.split()[2]) for line in lines if line.split()[:2] == [metric, "all"])
            assert score == pytest.approx(printed, abs=1e-4)


def test_run_without_a_name_is_called_like_its_file(folder) -> None:
    for path in folder.iterdir():
        path.write_text(path.read_text().partition("runid")[0])

    assert read_table(folder, metric="P_10").classifiers == ("a", "b")


def test_measure_is_asked_for_and_counts_are_none(folder) -> None:
    for path in folder.iterdir():
        path.write_text("num_q                 \t301\t1\n" + path.read_text())

    with pytest.raises(TableError, match="holds the metrics 'map', 'P_10'; choose one"):
        read_table(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("map                   \tall\t0.2823\n", "only means over all queries, .* call trec_eval with the option -q"),
        (EXAMPLE + "map 303\n", "line 7 is not a measure, a query and a value between tabs"),
        (EXAMPLE + "map\t303\tx\n", "line 7: the value of map is not a number"),
        (EXAMPLE + "map\t302\t0.9\n", "line 7: map of the query 302 occurs twice"),
    ],
)
def test_other_files_are_refused(text, message, tmp_path) -> None:
    (tmp_path / "a.txt").write_text(text)

    with pytest.raises(TableError, match=message):
        read_table(tmp_path / "a.txt", metric="map")


def test_all_measures_of_two_files_are_read_whatever_they_are_called(tmp_path) -> None:
    """With -m all_trec, the judgments are a text; measures have parameters in their names."""
    lines = "relstring             \t{0}\t'0000011000'\nutility_2,-1,0,0      \t{0}\t-287.0000\n"
    lines += "ndcg_1=3,2=9,4=4.5    \t{0}\t0.1584\n"
    for name, text in (("out.test.aq", EXAMPLE), ("out.test.aqc", OTHER.replace("splade", "bm25"))):
        (tmp_path / name).write_text(text + lines.format(301) + lines.format(302))
    paths = sorted(map(str, tmp_path.iterdir()))

    table = read_table(paths, metric="map")
    assert table.classifiers == ("bm25 [out.test.aq]", "bm25 [out.test.aqc]")
    assert table.scores.mean(axis=0) == pytest.approx([(0.1526 + 0.412) / 2, (0.2526 + 0.412) / 2])
    assert read_table(paths, metric="ndcg_1=3,2=9,4=4.5").scores.max() == 0.1584
    with pytest.raises(TableError, match=r"its metrics are 'map', 'P_10', 'utility_2,-1,0,0', 'ndcg_1=3,2=9,4=4\.5'"):
        read_table(paths, metric="relstring")
