"""Make the scores that the tests read by evaluate.save of Hugging Face.

pip install "evaluate==0.4.6"
python scripts/format_samples/hf_evaluate_scores.py tests/data/formats/hf-evaluate
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import evaluate

SCORES = {"alpha": {"imdb": 0.91, "sst2": 0.88, "cola": 0.62}, "beta": {"imdb": 0.87, "sst2": 0.89, "cola": 0.55}}


def main(out: Path) -> None:
    """Write a file for each model and dataset, one of them as the bootstrap of an evaluator returns it."""
    out.mkdir(parents=True, exist_ok=True)
    for model, scores in SCORES.items():
        for dataset, score in scores.items():
            bootstrap = {"confidence_interval": [score - 0.03, score + 0.02], "standard_error": 0.01, "score": score}
            value = bootstrap if dataset == "cola" else score
            path = out / f"{model}_{dataset}.json"
            evaluate.save(path, model=model, dataset=dataset, accuracy=value, total_time_in_seconds=1.5)
            document = json.loads(path.read_text()) | {"_interpreter_path": "python"}  # not that of this machine
            path.write_text(json.dumps(document))
    version = f"evaluate {evaluate.__version__}, scripts/format_samples/hf_evaluate_scores.py"
    (out / "VERSION").write_text(f"{version}; _interpreter_path is shortened\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
