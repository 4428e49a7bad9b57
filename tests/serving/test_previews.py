"""The preview says what was understood, and what can be corrected, before anything is compared."""

from __future__ import annotations

import io

import pytest

from evalstats.serving.handlers import Refusal
from evalstats.serving.previews import MOST_COLUMNS, MOST_ROWS, Preview, preview
from evalstats.serving.sample_data import sample_content


def seen(content: str, **fields: object) -> Preview:
    found = preview(content.encode(), fields)
    assert isinstance(found, Preview), found
    return found


def test_wide_table_is_shown_as_it_was_understood(scores: bytes) -> None:
    found = seen(scores.decode())

    assert (found.layout, found.n_datasets, found.n_classifiers) == ("wide", 4, 3)
    assert found.classifiers == ("NB", "SVM", "tree")
    assert found.scores[0] == ("0.93", "0.95", "0.90")
    assert (found.metric, found.greater_is_better, found.is_asked) == ("score", True, False)
    assert found.is_assumed


def test_what_is_dropped_is_gone_and_what_is_kept_is_there() -> None:
    table = "dataset,NB,SVM,Average\niris,1,2,1.5\nwine,3,4,3.5\nMean,2,3,2.5\n"

    found = seen(table, drop=["NB", "wine"], keep=["Average"])

    assert (found.classifiers, found.datasets) == (("SVM", "Average"), ("iris",))
    assert [(one["what"], one["name"]) for one in seen(table).left_out] == [("column", "Average"), ("row", "Mean")]


def test_table_is_swapped_on_request(scores: bytes) -> None:
    assert seen(scores.decode(), transpose=True).datasets == ("NB", "SVM", "tree")


@pytest.mark.parametrize(
    ("metric", "is_better", "is_asked"), [("AUC", True, False), ("error", False, False), ("speed", True, True)]
)
def test_direction_is_asked_where_the_metric_does_not_tell(
    scores: bytes, metric: str, is_better: bool, is_asked: bool
) -> None:
    found = seen(scores.decode(), metric=metric)

    assert (found.greater_is_better, found.is_asked, found.is_assumed) == (is_better, is_asked, False)


def test_direction_of_what_is_computed_is_known() -> None:
    for name in ("test-set", "questions"):
        found = seen(sample_content(name))
        assert not found.is_asked
        assert not found.is_assumed


def test_table_whose_direction_is_asked_is_shown_all_the_same() -> None:
    runs = "run_id,metrics.goodness,params.model,params.dataset\n1,.8,A,d\n2,.9,B,d\n"

    assert seen(runs).is_asked
    assert not seen(runs, lower_is_better=True).is_asked
    assert not seen(runs, lower_is_better=True).greater_is_better


def test_columns_have_the_roles_that_were_found() -> None:
    found = seen("fold,model,data,acc,note\n1,a,x,.5,n\n1,b,x,.6,n\n2,a,x,.7,n\n2,b,x,.8,n\n")

    assert {one["name"]: one["role"] for one in found.columns} == {
        "fold": "fold",
        "model": "classifier",
        "data": "dataset",
        "acc": "score",
        "note": "",
    }


def test_role_that_is_said_is_taken() -> None:
    table = "a,b,c,d\nx,m,.5,.1\nx,n,.6,.2\ny,m,.7,.3\ny,n,.8,.4\n"

    found = seen(table, dataset="a", classifier="b", score="d")

    assert [one["role"] for one in found.columns] == ["dataset", "classifier", "", "score"]
    assert found.scores == (("0.1", "0.2"), ("0.3", "0.4"))


WIDE = (
    "dataset & NB & SVM \\\\ \\hline\niris & \\textbf{0.9} & 0.8 \\\\\nwine & 0.8 & 0.9 \\\\\n",
    "results of our paper\n\ndataset,NB,SVM\niris,.9,.8\nwine,.8,.7\n",
    "<table><tr><th>dataset<th>NB<th>SVM</tr><tr><td>iris<td>.9<td>.8</tr><tr><td>wine<td>.7<td>.8</tr></table>",
    '{"NB": {"iris": 0.9, "wine": 0.8}, "SVM": {"iris": 0.8, "wine": 0.7}}',
    "method,iris,wine\nNB,.9,.8\nSVM,.8,.7\n",
)
LONG = (
    "dataset & model & AUC \\\\\niris & a & .5 \\\\\niris & b & .6 \\\\\nwine & a & .7 \\\\\nwine & b & .4 \\\\\n",
    "all results\n\ndataset,model,AUC\niris,a,.5\niris,b,.6\nwine,a,.7\nwine,b,.4\n",
    '[{"dataset": "iris", "model": "a", "AUC": 0.5}, {"dataset": "iris", "model": "b", "AUC": 0.6}]',
)


@pytest.mark.parametrize("table", [*WIDE, *LONG])
def test_layout_is_that_of_the_table_and_not_of_its_first_line(table: str) -> None:
    """Titles, markup and other ways to write a table change nothing about its rows."""
    found = seen(table)

    roles = {one["name"]: one["role"] for one in found.columns}
    assert found.layout == ("wide" if table in WIDE else "long")
    assert roles == ({} if table in WIDE else {"dataset": "dataset", "model": "classifier", "AUC": "score"})


def test_workbook_is_shown() -> None:
    from openpyxl import Workbook

    book, file = Workbook(), io.BytesIO()
    for row in (("dataset", "a", "b"), ("x", 1, 2), ("y", 3, 4)):
        book.active.append(row)
    book.save(file)

    found = preview(file.getvalue(), {})

    assert isinstance(found, Preview)
    assert found.scores == (("1", "2"), ("3", "4"))


def test_large_table_is_shown_in_part() -> None:
    names = ",".join(f"c{j}" for j in range(100))
    rows = "".join(f"d{i}," + ",".join(["1"] * 100) + "\n" for i in range(300))

    found = seen(f"dataset,{names}\n{rows}")

    assert (found.n_datasets, found.n_classifiers) == (300, 100)
    assert (len(found.datasets), len(found.scores), len(found.classifiers)) == (MOST_ROWS, MOST_ROWS, MOST_COLUMNS)
    assert {len(row) for row in found.scores} == {MOST_COLUMNS}


def test_missing_scores_are_empty() -> None:
    found = seen("dataset,a,b,c\nx,1,,3\ny,1,2,3\n", missing="skillings-mack")

    assert found.scores[0] == ("1", "", "3")


def test_small_and_large_scores_keep_their_digits() -> None:
    assert seen("dataset,a,b\nx,1e-9,2000000\ny,1,2\n").scores == (("1e-09", "2e+06"), ("1", "2"))


def test_of_several_metrics_the_first_is_shown() -> None:
    assert seen(sample_content("predictions"), metric="roc_auc,accuracy").metric == "roc_auc"


def test_mistake_is_refused() -> None:
    assert isinstance(preview(b"dataset,a,b\nx,1\n", {}), Refusal)
    assert isinstance(preview(b"dataset,a,b\nx,1,2\n", {"no such field": "x"}), Refusal)


def test_battles_are_shown_as_wins() -> None:
    found = seen("model_a,model_b,winner,judge\nA,B,model_a,x\nB,A,tie,x\nA,C,model_b,y\n")

    assert (found.layout, found.n_datasets, found.classifiers) == ("battles", 3, ("A", "B", "C"))
    assert found.scores == (("0.0", "1.5", "0.0"), ("0.5", "0.0", "0.0"), ("1.0", "0.0", "0.0"))
    assert [one["sentence"] for one in found.findings] == ["Battles with the same judge form one cluster."]


def test_column_of_the_battles_that_is_not_there_is_named() -> None:
    found = preview(b"model_a,model_b,winner\nA,B,model_a\n", {"cluster": "user"})

    assert isinstance(found, Refusal)
    assert "has no column 'user'" in found.sentence
