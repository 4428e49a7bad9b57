"""What every-eval-ever converts logs of lm-evaluation-harness into: python every_eval_ever_conversions.py DIRECTORY.

pip install "every-eval-ever==0.3.0" (Python 3.12 or newer); the logs are those of tests/data/formats/lm-eval, and DIRECTORY is
tests/data/formats/every-eval-ever/converted.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

DIRECTORY = Path(sys.argv[1])
LOGS = DIRECTORY.parents[1] / "lm-eval"
TASKS = ("sums_easy", "sums_hard")
CONVERT = (sys.executable, "-m", "every_eval_ever", "convert", "lm_eval", "--include_samples")

for model in ("alpha", "beta"):
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, f"acme__{model}"), Path(folder, "out")
        shutil.copytree(LOGS / source.name, source)
        (results,) = source.glob("results_*.json")
        document = json.loads(results.read_text())
        for key in ("results", "configs", "n-samples", "n-shot", "versions", "higher_is_better", "group_subtasks"):
            document[key] = {task: own for task, own in document.get(key, {}).items() if task in TASKS}
        results.write_text(json.dumps(document))
        options = ("--log_path", str(source), "--output_dir", str(out), "--source_organization_name", "acme")
        subprocess.run([*CONVERT, *options], check=True)
        for task in TASKS:
            for path in out.glob(f"{task}/**/*.json*"):
                suffix = "_samples.jsonl" if path.suffix == ".jsonl" else ".json"
                shutil.copy(path, DIRECTORY / f"{model}_{task}{suffix}")
words = f"every-eval-ever {version('every-eval-ever')}, scripts/format_samples/every_eval_ever_conversions.py\n"
DIRECTORY.joinpath("VERSION").write_text(words)
