"""What list_evaluations of OpenML returns, saved as CSV: python openml_evaluations.py DIRECTORY.

pip install "openml==0.15.1"; its function runs, on answers as the server of OpenML gives them, which is not asked.
"""

import json
import random
import sys
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from xml.sax.saxutils import escape

import openml

DIRECTORY = Path(sys.argv[1])
DATASETS = ("adult", "car", "heart", "iris", "sonar", "zoo")
FLOWS = {"sklearn.forest(1)": 0.90, "sklearn.boost(1)": 0.93, "sklearn.knn(1)": 0.82}
USERS = '<oml:users xmlns:oml="x"><oml:user><oml:id>1</oml:id><oml:username>x</oml:username></oml:user></oml:users>'


def evaluation(run: int, dataset: int, flow: int, scores: list[float], *, per_fold: bool) -> str:
    fields = {"run_id": run, "task_id": 50 + dataset, "setup_id": 900 + flow, "flow_id": 70 + flow}
    fields |= {"flow_name": list(FLOWS)[flow], "data_id": dataset + 1, "data_name": DATASETS[dataset]}
    fields |= {"function": "predictive_accuracy", "upload_time": "2026-01-01 00:00:00", "uploader": 1}
    fields |= {"values": json.dumps(scores)} if per_fold else {"value": round(fmean(scores), 6)}
    inner = "".join(f"<oml:{name}>{escape(str(value))}</oml:{name}>" for name, value in fields.items())
    return f"<oml:evaluation>{inner}</oml:evaluation>"


def answers(*, per_fold: bool) -> str:
    rng, rows = random.Random(20), []
    for d in range(len(DATASETS)):
        for f, base in enumerate(FLOWS.values()):
            scores = [round(base - 0.03 * d + rng.gauss(0, 0.012), 4) for _ in range(3)]
            rows.append(evaluation(101 + len(rows), d, f, scores, per_fold=per_fold))
    return f'<oml:evaluations xmlns:oml="x">{"".join(rows)}</oml:evaluations>'


for name, per_fold in (("evaluations", False), ("per_fold", True)):
    listed = answers(per_fold=per_fold)
    openml._api_calls._perform_api_call = lambda call, method, a=listed: USERS if call.startswith("user/") else a
    options = {"per_fold": True} if per_fold else {}
    frame = openml.evaluations.list_evaluations(
        "predictive_accuracy", size=len(DATASETS) * len(FLOWS), output_format="dataframe", **options
    )
    frame.to_csv(DIRECTORY / f"{name}.csv")
DIRECTORY.joinpath("VERSION").write_text(
    f"openml {version('openml')}, its list_evaluations on composed answers, scripts/format_samples/openml_evaluations.py\n"
)
