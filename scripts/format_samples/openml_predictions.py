"""What a run of OpenML keeps as predictions: python scripts/format_samples/openml_predictions.py DIRECTORY.

The run is written by openml's own classes; the task, which its server would send, is made here.
"""

import sys
from pathlib import Path
from unittest import mock

import numpy as np
import openml
from openml.runs.functions import format_prediction
from openml.tasks import OpenMLClassificationTask, TaskType

directory = Path(sys.argv[1])
labels = ["good class", "bad"]
task = OpenMLClassificationTask(
    task_type_id=TaskType.SUPERVISED_CLASSIFICATION,
    task_type="Supervised Classification",
    data_set_id=31,
    target_name="class",
    class_labels=labels,
    task_id=7,
)
rng = np.random.default_rng(1)
true = rng.integers(0, 2, size=24)
for name, skill in (("forest", 1.5), ("tree", 0.7)):
    rows = []
    for i, label in enumerate(true.tolist()):
        one = float(np.round(1 / (1 + np.exp(-skill * (2 * label - 1) - rng.normal())), 3))
        proba = {labels[0]: 1 - one, labels[1]: one}
        rows.append(format_prediction(task, 0, i % 3, i, labels[int(one > 0.5)], labels[label], proba=proba))
    run = openml.OpenMLRun(
        task_id=7, flow_id=1, dataset_id=31, data_content=rows, description_text="made offline", uploader_name="x"
    )
    run.flow = openml.OpenMLFlow(
        name,
        description="",
        model=None,
        components={},
        parameters={},
        parameters_meta_info={},
        external_version="1",
        tags=[],
        language="English",
        dependencies="",
    )
    with mock.patch("openml.runs.run.get_task", return_value=task):
        import arff

        text = arff.dumps(run._generate_arff_dict())
    (directory / name).mkdir(parents=True, exist_ok=True)
    (directory / name / "predictions.arff").write_text(text)
(directory / "VERSION").write_text(f"openml {openml.__version__}, scripts/format_samples/openml_predictions.py\n")
