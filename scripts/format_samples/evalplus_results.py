"""Make the results that the tests read by EvalPlus, on problems of our own.

pip install "evalplus==0.3.1"
python scripts/format_samples/evalplus_results.py tests/data/formats/evalplus
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

# name, correct body, body that fails a base test, body that fails an additional test only
PROBLEMS = (
    ("add", "a + b", "a - b", "a + b if a < 9 else 0"),
    ("mul", "a * b", "a + b", "a * b if a < 9 else 0"),
    ("larger", "max(a, b)", "a", "max(a, b) if a < 9 else 0"),
    ("smaller", "min(a, b)", "b", "min(a, b) if a < 9 else 1"),
    ("power", "a**b", "a * b + 1", "a**b if a < 9 else 0"),
    ("equal", "a == b", "True", "a == b if a < 9 else None"),
)
BASE, PLUS = [[2, 3], [5, 1]], [[2, 3], [5, 1], [9, 2]]
RIGHT, FAILS, FAILS_MORE = range(3)
# the bodies of each sample of each model
ANSWERS = {
    "alpha": (RIGHT, RIGHT, FAILS_MORE, FAILS, RIGHT, RIGHT),
    "beta": (FAILS, RIGHT, RIGHT, FAILS_MORE, FAILS, RIGHT),
    "gamma": (FAILS_MORE, FAILS_MORE, RIGHT, FAILS, FAILS, FAILS),
}


def main(out: Path) -> None:
    """Write the results of three models on six problems."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        problems = Path(folder, "problems.jsonl")
        problems.write_text("".join(json.dumps(problem(i)) + "\n" for i in range(len(PROBLEMS))))
        for model, answers in ANSWERS.items():
            samples = Path(folder, f"{model}.jsonl")
            rows = [{"task_id": f"HumanEval/{i}", "solution": body(i, which)} for i, which in enumerate(answers)]
            samples.write_text("".join(json.dumps(row) + "\n" for row in rows))
            command = ["evalplus.evaluate", "--dataset", "humaneval", "--samples", str(samples), "--parallel", "1"]
            settings = os.environ | {"HUMANEVAL_OVERRIDE_PATH": str(problems)}
            subprocess.run([*command, "--test_details"], env=settings, check=True)
            name = f"{model}_eval_results.json"
            (out / name).write_text(Path(folder, name).read_text())
    words = (
        f"evalplus {version('evalplus')}, scripts/format_samples/evalplus_results.py; the problems are not HumanEval\n"
    )
    (out / "VERSION").write_text(words)


def problem(i: int) -> dict[str, object]:
    name = PROBLEMS[i][0]
    return {
        "task_id": f"HumanEval/{i}",
        "prompt": f"def {name}(a, b):\n",
        "entry_point": name,
        "canonical_solution": f"    return {PROBLEMS[i][1]}\n",
        "test": "",
        "contract": "",
        "base_input": BASE,
        "plus_input": PLUS,
        "atol": 0,
    }


def body(i: int, which: int) -> str:
    return f"def {PROBLEMS[i][0]}(a, b):\n    return {PROBLEMS[i][1 + which]}\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
