"""Output of a training or a search is not a table of datasets and classifiers, and the message names it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from evalstats import TableError, read_table

SAMPLES = Path(__file__).parents[2] / "data" / "formats" / "training-logs"
COURSE = "holds a training history, on one dataset; give one score of each classifier on each dataset"


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("xgboost_cv.csv", COURSE),
        ("xgboost_cv_with_index.csv", COURSE),
        ("xgboost_cv.json", COURSE),
        ("lightgbm_cv.csv", COURSE),
        ("lightgbm_cv.json", COURSE),
        ("catboost_cv.csv", COURSE),
        ("keras_csv_logger.csv", COURSE),
        ("keras_history.json", COURSE),
        ("transformers_trainer_state.json", "holds a training history by transformers, on one dataset"),
        ("optuna.csv", "holds the trials of a search by Optuna, on one dataset"),
        ("optuna_two_aims.csv", "holds the trials of a search by Optuna, on one dataset"),
        ("ray_progress.csv", "holds trials of Ray Tune, on one dataset"),
        ("ray_results.csv", "holds trials of Ray Tune, on one dataset"),
        ("ray_result.json", "trials of Ray Tune, on one dataset"),
        ("../search-logs/flaml_all.log", "holds the log of an AutoML search by FLAML, on one dataset"),
        ("../search-logs/flaml_better.log", "holds the log of an AutoML search by FLAML, on one dataset"),
        ("../deepchecks/check.json", "holds results of checks by deepchecks on one dataset; give the scores"),
        ("../deepchecks/suite.json", "holds results of checks by deepchecks on one dataset; give the scores"),
        ("../deepchecks/several_models.json", "holds results of checks by deepchecks on one dataset; give the scores"),
        ("../deepchecks/train_and_test.csv", "these are scores on one dataset, or of one classifier"),
        (
            "xgboost_evals_result.json",
            "holds a training history of LightGBM or XGBoost",
        ),
    ],
)
def test_logs_of_programs_are_refused_by_their_name(file: str, said: str) -> None:
    with pytest.raises(TableError, match=said):
        read_table(SAMPLES / file)


@pytest.mark.parametrize(
    "columns",
    [
        {"round": [1, 2, 3], "test-auc": [0.8, 0.9, 0.9]},
        {"train_acc": [0.8, 0.9], "val_acc": [0.7, 0.8]},
        {"epoch": [1.0, 2.0], "lr": [0.1, 0.1], "train_loss": [0.5, 0.4], "valid_f1": [0.5, 0.4]},
        {"epoch": [1, 2], "train/loss": [0.5, 0.4], "metrics/accuracy_top1": [0.5, 0.6], "lr/pg0": [0.1, 0.1]},
        {"": [0, 1], "epoch": [0, 1], "train_loss": [0.5, 0.4], "accuracy": [0.5, 0.6], "time": ["00:12", "00:11"]},
    ],
)
def test_columns_of_metrics_on_several_sets_are_a_course(columns: dict[str, list[float]]) -> None:
    for source in (columns, pd.DataFrame(columns)):
        with pytest.raises(TableError, match=COURSE):
            read_table(source)


@pytest.mark.parametrize(
    "columns",
    [
        {"dataset": ["a", "b"], "test_a": [0.1, 0.2], "test_b": [0.1, 0.3]},
        {"": ["iris", "wine"]} | {f"{name}_{of}": [0.9, 0.8] for name in ("LR", "NB") for of in ("train", "test")},
        {"dataset": ["a", "b"], "TestNet": [0.1, 0.2], "TrainNet": [0.1, 0.3]},
    ],
)
def test_tables_of_classifiers_are_none(columns: dict[str, Any]) -> None:
    assert len(read_table(columns).classifiers) == 2


def test_a_table_that_is_said_to_be_one_is_read() -> None:
    table = read_table(
        json.loads((SAMPLES / "xgboost_cv.json").read_text()), rows_are="datasets", greater_is_better=False
    )

    assert len(table.classifiers) == 4


@pytest.mark.parametrize(
    ("header", "whose"),
    [
        (",precision,recall,f1-score,support", "a classification report of scikit-learn for one classifier"),
        (",0,1,accuracy,macro avg,weighted avg", "a classification report of scikit-learn for one classifier"),
        ("model,score_test,score_val,pred_time_val,fit_time", "the leaderboard of AutoGluon"),
        ("model,score_test,score_val,eval_metric,stack_level,fit_order", "the leaderboard of AutoGluon"),
        ("Rank,TeamId,TeamName,Score", "the leaderboard of Kaggle"),
        (
            ",roc_auc_score,Parents,Variation_Function,Individual,Generation,Eval Error",
            "the individuals of a search by TPOT",
        ),
        (",Model,Accuracy,AUC,Recall,Prec.,F1,Kappa,MCC,TT (Sec)", "the leaderboard of PyCaret"),
    ],
)
def test_reports_of_one_dataset_are_called_by_their_program(header: str, whose: str) -> None:
    n = header.count(",")
    text = "\n".join([header, *(f"{name},{','.join(['0.5'] * n)}" for name in "abc"), ""])

    with pytest.raises(TableError, match=f"holds {whose}, on one dataset; give one score"):
        read_table(io.StringIO(text))


def test_scores_by_class_are_no_folds() -> None:
    with pytest.raises(TableError, match="the column 'Class' distinguishes them: they are classes of one dataset"):
        read_table(SAMPLES / "../deepchecks/several_models.csv", metric="F1")


def test_settings_of_trials_may_be_words() -> None:
    trials = [{"trial_id": i, "training_iteration": 1, "time_this_iter_s": 1, "config": {"a": "b"}} for i in range(2)]
    text = "\n".join(map(json.dumps, trials))

    with pytest.raises(TableError, match="holds trials of Ray Tune, on one dataset"):
        read_table(io.StringIO(f"{text}\n"))


def test_leaderboards_of_several_datasets_are_read() -> None:
    rows = [f"{d},{m},{s},{s},0.1,0.2" for d in "pqr" for m, s in (("RF", 0.8), ("GBM", 0.9))]
    text = "\n".join(["dataset,model,score_test,score_val,pred_time_val,fit_time", *rows, ""])

    table = read_table(io.StringIO(text), columns={"score": "score_test"}, greater_is_better=True)

    assert (table.datasets, table.classifiers) == (("p", "q", "r"), ("GBM", "RF"))
