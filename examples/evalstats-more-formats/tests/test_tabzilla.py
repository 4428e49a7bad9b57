from __future__ import annotations

import io
from collections import defaultdict

import pytest

from evalstats import TableError, read_table

HEADER = "dataset_fold_id,alg_name,Accuracy__val,Accuracy__test\n"


@pytest.mark.parametrize(("metric", "best"), [("Accuracy", max), ("Log Loss", min)])
def test_trial_is_chosen_on_the_validation_set(metric, best, sample, rows, means, content) -> None:
    path = sample("tabzilla/metadataset.csv")
    trials = defaultdict(list)
    for row in rows(path):
        trials[row["dataset_fold_id"], row["alg_name"]].append(row)
    chosen = [best(own, key=lambda row: float(row[f"{metric}__val"])) for own in trials.values()]

    table = read_table(path, metric=metric)

    assert (table.format, table.greater_is_better) == ("tabzilla", metric == "Accuracy")
    assert content(table) == pytest.approx(means(chosen, "dataset_name", "alg_name", f"{metric}__test"))
    assert "Among up to 3 trials" in table.findings[0].sentence


def test_one_trial_needs_no_validation_set() -> None:
    text = "dataset_fold_id,alg_name,AUC__test\nd__fold_0,a,.8\nd__fold_0,b,.9\n"

    assert read_table(io.StringIO(text)).scores.tolist() == [[0.8, 0.9]]


def test_several_trials_without_a_validation_score_are_refused() -> None:
    text = "dataset_fold_id,alg_name,AUC__test\nd__fold_0,a,.8\nd__fold_0,a,.9\n"

    with pytest.raises(TableError, match=r"several trials of an algorithm on a fold, but no column 'AUC__val'"):
        read_table(io.StringIO(text))


def test_trial_without_a_validation_score_is_not_chosen() -> None:
    lines = "d__fold_0,a,,.99\nd__fold_0,a,.7,.71\nd__fold_0,b,.6,.61\n"

    assert read_table(io.StringIO(HEADER + lines)).scores.tolist() == [[0.71, 0.61]]


def test_fold_must_be_told() -> None:
    with pytest.raises(TableError, match=r"line 2: 'adult' does not end in __fold_ and a number"):
        read_table(io.StringIO(HEADER + "adult,a,.7,.7\n"))
