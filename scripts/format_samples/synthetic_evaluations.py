"""Compose files of Every Eval Ever with what its converters do not write, after its schemas.

python scripts/format_samples/synthetic_evaluations.py tests/data/formats

What its converters write is made by every_eval_ever_conversions.py.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

WRONG = {"alpha": {3}, "beta": {2, 3, 5, 7}}


def _lines(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def _every_eval_ever(out: Path) -> None:
    """instance_level_eval.schema.json and eval.schema.json 0.3.0."""
    for name, wrong in WRONG.items():
        evaluation = f"sums/acme_{name}/1750000000"
        rows = []
        for n in range(1, 9):
            question, answer = f"{n}+{n}?", str(2 * n)
            own = str(2 * n + (n in wrong))
            rows.append(
                {
                    "schema_version": "0.3.0",
                    "evaluation_id": evaluation,
                    "model_id": f"acme/{name}",
                    "evaluation_name": "sums",
                    "sample_id": str(n),
                    "sample_hash": hashlib.sha256((question + answer).encode()).hexdigest(),
                    "interaction_type": "single_turn",
                    "input": {"raw": question, "reference": [answer]},
                    "output": {"raw": [own]},
                    "answer_attribution": [],
                    "evaluation": {"score": float(own == answer), "is_correct": own == answer},
                }
            )
        _lines(out / f"{name}_samples.jsonl", rows)
        scores = {"sums": sum(row["evaluation"]["score"] for row in rows) / len(rows), "doubles": 0.5, "halves": 0.25}
        results = [
            {
                "evaluation_name": task,
                "source_data": {"dataset_name": task, "source_type": "other"},
                "metric_config": {"metric_name": "accuracy", "lower_is_better": False, "score_type": "continuous"},
                "score_details": {"score": score + (name == "beta") / 10},
            }
            for task, score in scores.items()
        ]
        document = {
            "schema_version": "0.3.0",
            "evaluation_id": evaluation,
            "retrieved_timestamp": "1750000001",
            "source_metadata": {
                "source_type": "evaluation_run",
                "source_organization_name": "acme",
                "evaluator_relationship": "first_party",
            },
            "eval_library": {"name": "unknown", "version": "unknown"},
            "model_info": {"name": name, "id": f"acme/{name}"},
            "evaluation_results": results,
            "detailed_evaluation_results": {"format": "jsonl", "file_path": f"{name}_samples.jsonl"},
        }
        (out / f"{name}.json").write_text(json.dumps(document))
    text = "composed after the schemas of every-eval-ever 0.3.0"
    (out / "VERSION").write_text(f"{text}, scripts/format_samples/synthetic_evaluations.py\n")


if __name__ == "__main__":
    _every_eval_ever(Path(sys.argv[1]) / "every-eval-ever" / "composed")
