from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import rankdata

from evalstats.examples import example_metric_table, example_names, example_path, example_source, example_table
from evalstats.examples.bundled import SOURCES
from evalstats.multiple import dea_efficiency, pareto_front, ranks_by_metric

SHAPES = {
    "demsar-2006": (14, 4),
    "japkowicz-accuracy": (10, 4),
    "japkowicz-friedman": (10, 3),
    "japkowicz-measures": (8, 9),
    "raeder-2010-seed-216": (18, 2),
    "raeder-2010-seed-459": (18, 2),
    "sklearn-predictions": (10, 4),
    "suzgun-2023-answers": (12, 2),
}
PUBLISHED = [name for name in example_names() if example_source(name).layout == "wide"]

# of the scores as printed: a cell that is changed by accident shows
COLUMN_SUMS = {
    "demsar-2006": [11.269, 11.486, 11.323, 11.581],
    "japkowicz-accuracy": [781.56, 823.52, 711.90, 833.99],
    "japkowicz-friedman": [860.46, 728.58, 854.95],
    "raeder-2010-seed-216": [15.7737, 15.5835],
    "raeder-2010-seed-459": [15.5758, 15.6374],
}

EFFICIENT = ["NB", "C4.5", "SVM", "Boost"]
TABLES = [name for name in example_names() if example_source(name).layout != "measures"]

each_example = pytest.mark.parametrize("name", TABLES)
each_published = pytest.mark.parametrize("name", PUBLISHED)


def ranks(name: str) -> np.ndarray:
    return rankdata(-example_table(name).scores, axis=1)


def test_every_file_has_a_source_and_every_source_a_file() -> None:
    files = {path.stem for path in example_path("demsar-2006").parent.glob("*.csv")}

    assert files == set(SOURCES) == set(SHAPES)
    assert list(example_names()) == sorted(files)


@each_published
def test_table_is_what_the_file_says(name: str) -> None:
    with example_path(name).open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)

    table = example_table(name)

    assert table.scores.shape == SHAPES[name]
    assert list(table.classifiers) == header[1:]
    assert list(table.datasets) == [row[0] for row in rows]
    assert table.scores.tolist() == [[float(cell) for cell in row[1:]] for row in rows]


@each_published
def test_columns_add_up(name: str) -> None:
    np.testing.assert_allclose(example_table(name).scores.sum(axis=0), COLUMN_SUMS[name], rtol=1e-12)


@each_example
def test_table_knows_its_metric_unit_and_file(name: str) -> None:
    table, source = example_table(name), example_source(name)

    assert (table.metric, table.unit) == (source.metric, source.unit)
    assert table.greater_is_better
    assert table.source == example_path(name).name


@each_published
def test_source_names_author_year_and_place(name: str) -> None:
    source = example_source(name)

    assert any(author in source.citation for author in ("Demšar", "Japkowicz", "Raeder"))
    assert any(place in source.citation for place in ("Table", "Slide"))
    assert source.title
    assert source.remark.endswith(".")


def test_demsar_mean_ranks() -> None:
    """JMLR 7, Table 6, prints 3.143, 2.000, 2.893 and 1.964; the two last need the digits it does not print."""
    np.testing.assert_allclose(ranks("demsar-2006").mean(axis=0), [3.143, 2.000, 2.929, 1.929], atol=0.0005)


def test_tutorial_rank_sums() -> None:
    """Slide 53 prints 15.5, 30 and 14.5 because it takes 85.91 and 85.90 for a tie."""
    assert ranks("japkowicz-friedman").sum(axis=0).tolist() == [15, 30, 15]


@pytest.mark.parametrize(("seed", "printed"), [("216", [1.11, 1.89]), ("459", [1.72, 1.28])])
def test_raeder_average_ranks(seed: str, printed: list[float]) -> None:
    """Table II, last row."""
    np.testing.assert_allclose(ranks(f"raeder-2010-seed-{seed}").mean(axis=0), printed, atol=0.005)


def test_measures_are_those_of_the_file() -> None:
    """Slide 10: sums of the columns, so a cell that is changed by accident shows."""
    frame = example_metric_table()

    assert frame.shape == SHAPES["japkowicz-measures"]
    assert frame.sum().round(4).tolist() == [567.53, 3.7515, 2.65, 1.02, 4.21, 2.65, 3.19, 5.07, 269.55]
    assert list(frame.columns) == ["Acc", "RMSE", "TPR", "FPR", "Prec", "Rec", "F", "AUC", "Info S"]


def test_remark_on_the_measures_has_the_ranks_that_follow_from_them() -> None:
    """Slide 11 prints 5, 7 and 5 for the precision of SVM, Boost and RanF, and 7 for the F of RanF."""
    table = example_metric_table()
    prec, f = (rankdata(-table[name], method="min").astype(int) for name in ("Prec", "F"))
    svm, boost, forest = (list(table.index).index(name) for name in ("SVM", "Boost", "RanF"))

    assert (
        f"{prec[svm]}, {prec[boost]} and {prec[forest]}, not 5, 7 and 5" in example_source("japkowicz-measures").remark
    )
    assert f[forest] == f[svm] == 6


def test_measures_go_into_the_functions_of_several_criteria() -> None:
    """Slide 14: no classifier is one of the best three on all measures but one; four are efficient."""
    frame, better = example_metric_table(), list(example_source("japkowicz-measures").greater_is_better)

    ranks = ranks_by_metric(frame, greater_is_better=better)
    result = dea_efficiency(frame, greater_is_better=better)

    assert dict(zip(frame.index, ranks.n_among_best.tolist(), strict=True))["NB"] == max(ranks.n_among_best)
    assert [name for name, one in zip(frame.index, result.is_efficient, strict=True) if one] == EFFICIENT
    assert set(EFFICIENT) <= {
        n for n, one in zip(frame.index, pareto_front(frame, greater_is_better=better).on_front, strict=True) if one
    }


def test_measures_are_no_table_of_scores() -> None:
    with pytest.raises(
        ValueError, match="'japkowicz-measures' holds several metrics on one dataset: see example_metric_table"
    ):
        example_table("japkowicz-measures")
    with pytest.raises(ValueError, match="name must be 'japkowicz-measures', not 'demsar-2006'"):
        example_metric_table("demsar-2006")


def test_predictions_are_those_of_the_file() -> None:
    """Accuracy, counted in the plainest way."""
    right: dict[tuple[str, str], list[bool]] = {}
    with example_path("sklearn-predictions").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            right.setdefault((row["dataset"], row["classifier"]), []).append(row["y_true"] == row["y_pred"])

    table = example_table("sklearn-predictions")

    for (dataset, classifier), hits in right.items():
        at = table.datasets.index(dataset), table.classifiers.index(classifier)
        assert table.scores[at] == sum(hits) / len(hits)
    assert len(right) == table.scores.size


def test_predictions_were_made_by_the_script() -> None:
    """It names the script; the script names the file."""
    script = Path(__file__).parents[2] / "scripts" / "make_predictions_example.py"

    assert "scripts/make_predictions_example.py" in example_source("sklearn-predictions").citation
    assert "evalstats/examples/sklearn-predictions.csv" in script.read_text(encoding="utf-8")


def test_answers_have_the_published_accuracies() -> None:
    """Suzgun et al. (2023), Table 2: means of 66.4 and 73.5 percent on the 12 natural language tasks."""
    table = example_table("suzgun-2023-answers")

    means = dict(zip(table.classifiers, 100 * table.scores.mean(axis=0), strict=True))

    assert table.scores.shape == SHAPES["suzgun-2023-answers"]
    assert {name: round(mean, 1) for name, mean in means.items()} == {"direct": 66.4, "chain-of-thought": 73.5}


def test_answers_were_made_by_the_script() -> None:
    """The source names the script, and the script names the file."""
    script = Path(__file__).parents[2] / "scripts" / "make_answers_example.py"

    assert "scripts/make_answers_example.py" in example_source("suzgun-2023-answers").citation
    assert "evalstats/examples/suzgun-2023-answers.csv" in script.read_text(encoding="utf-8")


def test_path_is_one_of_the_file_system() -> None:
    path = example_path("japkowicz-accuracy")

    assert isinstance(path, Path)
    assert path.is_file()


@pytest.mark.parametrize("function", [example_path, example_source, example_table])
def test_unknown_example_is_refused_with_the_known_ones(function: object) -> None:
    with pytest.raises(ValueError, match=r"name must be 'demsar-2006' or .* or 'suzgun-2023-answers', not 'iris'"):
        function("iris")
