"""Tables that programs wrote and repositories published; the truth is computed without evalstats."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from evalstats import TableError, compare, read_table

PUBLISHED = Path(__file__).parents[2] / "data" / "formats" / "published"
MUSR, BABILONG = PUBLISHED / "opencompass" / "musr.md", PUBLISHED / "opencompass" / "babilong.md"
ERRORS = PUBLISHED / "tabarena" / "results_per_split.csv"


def cells(path: Path) -> list[list[str]]:
    lines = path.read_text().splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if not line.startswith("|---")]


def as_csv(rows: list[list[str]]) -> str:
    return "".join(",".join(row) + "\n" for row in rows)


def test_summary_of_opencompass_is_a_table_of_its_models() -> None:
    header, *rows = [row for row in cells(MUSR) if row[2] in ("metric", "accuracy")]
    table = read_table(MUSR, metric="accuracy")

    assert table.classifiers == tuple(header[4:])
    assert table.datasets == tuple(row[0] for row in rows)
    assert table.scores.tolist() == [[float(cell) for cell in row[4:]] for row in rows]
    with pytest.raises(TableError, match="holds the metrics 'accuracy', 'naive_average'; choose one"):
        read_table(MUSR)


def test_version_is_no_classifier_if_no_dataset_has_one() -> None:
    """OpenCompass writes a dash as the version of an average."""
    assert {row[1] for row in cells(BABILONG)} == {"version", "-"}
    told = [(one.name, one.reason) for one in read_table(BABILONG).left_out]

    assert told == [("version", "is a note"), ("mode", "holds no numbers")]
    assert read_table(BABILONG).scores.shape == (6, 4)


def test_summaries_of_opencompass_with_one_model_each_are_joined(tmp_path: Path) -> None:
    rows = cells(MUSR)
    for j in range(4, 7):
        (tmp_path / f"summary_{j}.csv").write_text(as_csv([[*row[:4], row[j]] for row in rows]))
    paths = sorted(map(str, tmp_path.iterdir()))

    table = read_table(paths, metric="accuracy")
    expected = read_table(MUSR, metric="accuracy")
    assert table.classifiers == expected.classifiers[:3]
    assert table.scores.tolist() == expected.scores[:, :3].tolist()


@pytest.mark.parametrize("columns", [("accuracy", "f1"), ("model", "SVM"), ("time", "size")])
def test_columns_that_are_no_names_of_classifiers_are_not_joined(columns: tuple[str, str], tmp_path: Path) -> None:
    for name in columns:
        (tmp_path / f"{name}.csv").write_text(f"dataset,{name}\niris,0.9\nwine,0.8\n")

    with pytest.raises(TableError, match="files that are read together must have the same columns"):
        read_table(sorted(map(str, tmp_path.iterdir())))


def test_errors_of_tabarena_are_read_for_one_metric() -> None:
    with ERRORS.open() as file:
        rows = [row for row in csv.DictReader(file) if row["metric"] == "roc_auc"]
    table = read_table(ERRORS, metric="roc_auc")
    found = {
        (dataset, classifier): table.scores[i, j]
        for i, dataset in enumerate(table.datasets)
        for j, classifier in enumerate(table.classifiers)
    }

    assert found == {(row["dataset"], row["method"]): float(row["metric_error"]) for row in rows}
    assert (table.greater_is_better, len(found)) == (False, 8)


def test_leaderboard_of_tabarena_is_no_table_of_datasets() -> None:
    with pytest.raises(TableError, match="holds the leaderboard of TabArena, with values over all datasets"):
        compare(PUBLISHED / "tabarena" / "leaderboard.csv")


def test_numbers_of_something_are_no_scores() -> None:
    """HELM writes such columns beside the accuracy, and Model/adapter above the models."""
    text = "Model/adapter,arc,bbq,# eval,bbq - # tokens\nGPT-4o,0.5,0.7,200,65.5\nQwen2,0.8,0.6,200,74.5\n"
    table = read_table(io.StringIO(text))

    assert [one.name for one in table.left_out] == ["# eval", "bbq - # tokens"]
    assert (table.classifiers, table.datasets) == (("GPT-4o", "Qwen2"), ("arc", "bbq"))
