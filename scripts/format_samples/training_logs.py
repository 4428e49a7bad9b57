"""What programs write of a training or a search, which is no table of datasets and classifiers.

pip install xgboost lightgbm catboost optuna transformers keras jax "ray[tune]" pandas
python scripts/format_samples/training_logs.py tests/data/formats/training-logs
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

os.environ |= {"KERAS_BACKEND": "jax", "RAY_AIR_NEW_OUTPUT": "0"}
RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 4)).astype("float32")
Y = (X[:, 0] + RNG.normal(size=120) > 0).astype(int)
PROGRAMS = ("xgboost", "lightgbm", "catboost", "optuna", "keras", "transformers", "ray")


def boosting(out: Path) -> None:
    """Write what the cross-validations of three libraries return: a row for each round."""
    import catboost
    import lightgbm
    import xgboost

    data = xgboost.DMatrix(X, Y)
    options = {"objective": "binary:logistic", "max_depth": 2}
    cv = xgboost.cv(options, data, 4, nfold=3, metrics=["error", "auc"], seed=0)
    cv.to_csv(out / "xgboost_cv.csv", index=False)
    cv.to_csv(out / "xgboost_cv_with_index.csv")
    plain = xgboost.cv(options, data, 4, nfold=3, seed=0, as_pandas=False)
    (out / "xgboost_cv.json").write_text(json.dumps(plain))
    told: dict[str, dict[str, list[float]]] = {}
    xgboost.train(options, data, 4, evals=[(data, "train")], evals_result=told, verbose_eval=False)
    (out / "xgboost_evals_result.json").write_text(json.dumps(told))

    options = {"objective": "binary", "metric": ["binary_logloss", "auc"], "verbosity": -1}
    found = lightgbm.cv(options, lightgbm.Dataset(X, Y), 4, nfold=3, seed=0)
    pd.DataFrame(found).to_csv(out / "lightgbm_cv.csv", index=False)
    (out / "lightgbm_cv.json").write_text(json.dumps({name: list(map(float, own)) for name, own in found.items()}))

    options = {"loss_function": "Logloss", "custom_metric": ["AUC"], "iterations": 4, "allow_writing_files": False}
    catboost.cv(catboost.Pool(X, Y), {**options, "verbose": False}, fold_count=3, seed=0).to_csv(
        out / "catboost_cv.csv", index=False
    )


def searches(out: Path) -> None:
    """Write the trials of searches by Optuna, for one aim and for two."""
    import optuna

    def aim(trial: optuna.Trial) -> float:
        trial.suggest_categorical("classifier", ["SVC", "RF"])
        return 0.8 + 0.01 * trial.number

    for stem, directions in (("optuna", ["maximize"]), ("optuna_two_aims", ["maximize", "minimize"])):
        search = optuna.create_study(directions=directions, sampler=optuna.samplers.RandomSampler(seed=0))
        search.optimize(lambda trial: [aim(trial), 1.0][: len(directions)], n_trials=4)  # noqa: B023 - called at once
        search.trials_dataframe().to_csv(out / f"{stem}.csv", index=False)


def networks(out: Path) -> None:
    """Write the history of a network of Keras, and the state of a trainer of transformers."""
    import keras
    from transformers.trainer_callback import TrainerState

    keras.utils.set_random_seed(0)
    model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(1, activation="sigmoid")])
    model.compile("sgd", "binary_crossentropy", metrics=["accuracy"])
    log = keras.callbacks.CSVLogger(str(out / "keras_csv_logger.csv"))
    history = model.fit(X, Y, epochs=4, validation_split=0.25, verbose=0, callbacks=[log]).history
    (out / "keras_history.json").write_text(json.dumps(history))

    speed = {"eval_runtime": 1.2, "eval_samples_per_second": 66.1, "eval_steps_per_second": 8.3}
    steps = [
        {"epoch": 1.0, "loss": 0.6, "learning_rate": 5e-5, "grad_norm": 1.2, "step": 10},
        {"epoch": 1.0, "eval_loss": 0.5, "eval_accuracy": 0.81, **speed, "step": 10},
        {"epoch": 2.0, "eval_loss": 0.4, "eval_accuracy": 0.90, **speed, "step": 20},
    ]
    TrainerState(epoch=2.0, global_step=20, max_steps=20, num_train_epochs=2, log_history=steps).save_to_json(
        str(out / "transformers_trainer_state.json")
    )


def tuned(out: Path) -> None:
    """Write the reports of a trial of Ray Tune, and the last ones of all trials; nothing tells of this machine."""
    import ray
    from ray import tune

    def train(config: dict[str, int]) -> None:
        for i in range(3):
            tune.report({"accuracy": 0.8 + 0.01 * i + config["c"] / 100, "loss": 0.5 - 0.01 * i})

    ray.init(num_cpus=1, include_dashboard=False, logging_level="ERROR", object_store_memory=80 * 2**20)
    with tempfile.TemporaryDirectory() as folder:
        run = tune.RunConfig(storage_path=folder, verbose=0)
        found = tune.Tuner(train, param_space={"c": tune.grid_search([1, 2])}, run_config=run).fit()
        shutil.copy(Path(found[0].path, "progress.csv"), out / "ray_progress.csv")
        shutil.copy(Path(found[0].path, "result.json"), out / "ray_result.json")
        last = found.get_dataframe()
    ray.shutdown()
    here = {"hostname": "host", "node_ip": "192.0.2.1", "logdir": "logdir", "pid": 1}
    last.assign(**here).to_csv(out / "ray_results.csv", index=False)
    frame = pd.read_csv(out / "ray_progress.csv").assign(
        **{name: here[name] for name in ("hostname", "node_ip", "pid")}
    )
    frame.to_csv(out / "ray_progress.csv", index=False)
    lines = [json.loads(line) for line in (out / "ray_result.json").read_text().splitlines()]
    told = [line | {name: here[name] for name in ("hostname", "node_ip", "pid")} for line in lines]
    (out / "ray_result.json").write_text("".join(f"{json.dumps(line)}\n" for line in told))


def main(out: Path) -> None:
    """Write what all of them write, and their versions."""
    out.mkdir(parents=True, exist_ok=True)
    for make in (boosting, searches, networks, tuned):
        make(out)
    versions = ", ".join(f"{name} {version(name)}" for name in PROGRAMS)
    (out / "VERSION").write_text(f"{versions}; scripts/format_samples/training_logs.py\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
