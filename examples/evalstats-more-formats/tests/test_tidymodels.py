from __future__ import annotations

import io
from collections import Counter

import pytest
from evalstats_more_formats.tidymodels import DIRECTIONS, runs_of_resamples, workflows

from evalstats import TableError, compare, read_predictions, read_table
from evalstats.io.formats.format import rows_of
from evalstats.io.sources.source import look
from evalstats.metrics.directions import direction_of


@pytest.mark.parametrize(("metric", "greater_is_better"), [("accuracy", True), ("mn_log_loss", False)])
@pytest.mark.parametrize("form", ["cells", "cells_wide", "cells_summary"])
def test_all_forms_of_the_metrics_give_the_same_means(form, metric, greater_is_better, sample, rows, content) -> None:
    folds = [row for row in rows(sample("tidymodels/cells.csv")) if row[".metric"] == metric]
    flows = sorted({row["wflow_id"] for row in folds})
    mean = {
        (form, flow): sum(float(row[".estimate"]) for row in folds if row["wflow_id"] == flow) / 6 for flow in flows
    }

    table = read_table(sample(f"tidymodels/{form}.csv"), metric=metric)

    assert (table.format, table.greater_is_better) == ("tidymodels-metrics", greater_is_better)
    assert content(table) == pytest.approx(mean, abs=1e-6)


def test_resamples_are_repeats_and_folds(sample) -> None:
    comparison = compare(sample("tidymodels/cells.csv"), metric="accuracy")

    assert comparison.table.folds[0].repeats == ("Repeat1", "Repeat2")
    assert comparison.table.folds[0].folds == ("Fold1", "Fold2", "Fold3")


def test_configurations_of_a_tuned_workflow_are_classifiers() -> None:
    text = "wflow_id,.metric,mean,.config\nrf,accuracy,.8,Model1\nrf,accuracy,.9,Model2\nglm,accuracy,.7,Model1\n"

    table = read_table(io.StringIO(text))

    assert table.classifiers == ("glm", "rf Model1", "rf Model2")
    assert "Each configuration of the workflow rf" in table.findings[-1].sentence


def test_bootstraps_are_repeats() -> None:
    text = "wflow_id,id,.metric,.estimate\n" + "".join(
        f"{flow},Bootstrap{i},accuracy,.{i}\n" for flow in ("a", "b") for i in (1, 2)
    )

    assert read_table(io.StringIO(text)).folds[0].scores.shape == (2, 1, 2)


def test_several_metrics_are_asked(sample) -> None:
    with pytest.raises(TableError, match=r"holds the metrics 'accuracy', 'mn_log_loss'"):
        read_table(sample("tidymodels/cells.csv"))


def test_metric_of_its_own_asks_for_its_direction() -> None:
    with pytest.raises(TableError, match=r"it is not known whether higher or lower 'my_metric' is better"):
        read_table(io.StringIO("wflow_id,.metric,mean\nrf,my_metric,.8\nglm,my_metric,.9\n"))


def test_columns_of_datasets_and_models_that_were_added_are_taken() -> None:
    lines = "iris,rf,accuracy,.8\niris,glm,accuracy,.7\nwine,rf,accuracy,.9\nwine,glm,accuracy,.6\n"
    text = "dataset,model,.metric,.estimate\n" + lines

    table = read_table(io.StringIO(text))

    assert (table.datasets, table.classifiers) == (("iris", "wine"), ("glm", "rf"))
    assert table.scores.tolist() == [[0.7, 0.8], [0.6, 0.9]]


def test_directions_agree_with_the_words_of_the_names() -> None:
    told = {name: direction_of(name) for name in DIRECTIONS}

    assert [name for name, words in told.items() if words is not None and words is not DIRECTIONS[name]] == []


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("id,id2\nRepeat1,Fold1\n", {"repeat": ["Repeat1"], "fold": ["Fold1"]}),
        ("id,x\nFold01,1\n", {"fold": ["Fold01"]}),
        ("id,x\nBootstrap01,1\n", {"repeat": ["Bootstrap01"]}),
        ("x,y\n1,1\n", {}),
    ],
)
def test_resamples(text, runs) -> None:
    assert runs_of_resamples(rows_of(look(io.StringIO(text)), (), "x")) == runs


def test_workflow_that_was_not_tuned_has_its_name() -> None:
    rows = rows_of(look(io.StringIO("wflow_id,.config\na,M1\nb,M1\nb,M2\n")), (), "x")

    names, findings = workflows(rows, "workflow")

    assert names == ["a", "b M1", "b M2"]
    assert len(findings) == 1


HEADER = "wflow_id,id,.row,.pred_class,.pred_a,.pred_b"


def test_score_is_the_share_of_right_classes(sample, rows, means, content) -> None:
    path = sample("tidymodels/cells_predictions.csv")
    own = [{**row, "d": path.stem, "right": row[".pred_class"] == row["class"]} for row in rows(path)]

    table = read_table(path)

    assert table.format == "tidymodels-predictions"
    assert content(table) == pytest.approx(means(own, "d", "wflow_id", "right"))


def test_probability_is_that_of_the_positive_label(sample, rows) -> None:
    path = sample("tidymodels/cells_predictions.csv")

    for label in ("good", "poor"):
        told = Counter(float(row[f".pred_{label}"]) for row in rows(path))
        assert Counter(read_predictions(path, pos_label=label).y_score.tolist()) == told


def test_two_columns_of_classes_are_asked() -> None:
    text = f"{HEADER},class,group\nrf,Fold1,1,a,1,0,a,a\nrf,Fold1,2,b,0,1,b,a\n"

    with pytest.raises(TableError, match=r"any of the columns 'class', 'group' may hold the true classes"):
        read_table(io.StringIO(text))
    assert read_table(io.StringIO(text), columns={"y_true": "class"}).scores.tolist() == [[1.0]]


def test_outcome_must_be_there() -> None:
    with pytest.raises(TableError, match=r"no column is known to hold the true classes"):
        read_table(io.StringIO(f"{HEADER}\nrf,Fold1,1,a,1,0\n"))
