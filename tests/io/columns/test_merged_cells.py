"""A name stands for the empty cells below it where nothing else can be meant."""

from __future__ import annotations

import io

import pytest

from evalstats import TableError, read_table

DATASETS = "dataset,model,acc\niris,NB,.8\n,SVM,.81\n,tree,.82\nwine,NB,.7\n,SVM,.71\n,tree,.72\n"
MODELS = "model,dataset,acc\nNB,iris,.8\n,wine,.7\nSVM,iris,.81\n,wine,.71\ntree,iris,.82\n,wine,.72\n"


@pytest.mark.parametrize("text", [DATASETS, MODELS], ids=["datasets", "classifiers"])
def test_merged_names_are_filled_down_and_told(text: str) -> None:
    table = read_table(io.StringIO(text))

    assert (table.datasets, table.classifiers) == (("iris", "wine"), ("NB", "SVM", "tree"))
    assert table.scores.tolist() == [[0.8, 0.81, 0.82], [0.7, 0.71, 0.72]]
    assert [one.code for one in table.findings] == ["merged-cells"]


@pytest.mark.parametrize(
    "text",
    [
        DATASETS.replace("wine", ""),
        DATASETS.replace("iris", ""),
        DATASETS.replace("SVM", ""),
    ],
    ids=["a name that is missing", "the first one", "in both columns"],
)
def test_names_that_may_be_others_are_missing(text: str) -> None:
    with pytest.raises(TableError, match=r"the name of a .* is empty"):
        read_table(io.StringIO(text))
