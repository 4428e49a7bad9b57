from __future__ import annotations

import io

import pytest

from evalstats import TableError, compare, read_table


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
    with pytest.raises(TableError, match=r"whether more or less of 'my_metric' is better is not known"):
        read_table(io.StringIO("wflow_id,.metric,mean\nrf,my_metric,.8\nglm,my_metric,.9\n"))


def test_columns_of_datasets_and_models_that_were_added_are_taken() -> None:
    lines = "iris,rf,accuracy,.8\niris,glm,accuracy,.7\nwine,rf,accuracy,.9\nwine,glm,accuracy,.6\n"
    text = "dataset,model,.metric,.estimate\n" + lines

    table = read_table(io.StringIO(text))

    assert (table.datasets, table.classifiers) == (("iris", "wine"), ("glm", "rf"))
    assert table.scores.tolist() == [[0.7, 0.8], [0.6, 0.9]]
