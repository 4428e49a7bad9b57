"""Make the results of promptfoo that the tests read: two mock providers, once and repeated, and two with one name.

npm install promptfoo@0.121.20
python scripts/format_samples/promptfoo_results.py node_modules/.bin/promptfoo tests/data/formats/promptfoo
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROVIDER = """
class Mock {
  constructor(options) { Object.assign(this, options.config); this.label = options.label; }
  id() { return `mock:${this.model}`; }
  async callApi(prompt) {
    const n = parseInt(prompt.match(/(\\d+)\\+/)[1]);
    if (this.broken.includes(n)) return { error: 'the mock model is not reachable' };
    return { output: String(2 * n + (this.wrong.includes(n) ? 1 : 0)) };
  }
}
module.exports = Mock;
"""
WRONG = {"alpha": [3], "beta": [1, 2, 3, 5]}
QUESTION = "What is {{n}}+{{n}}?"
QUIET = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1"}


def _config(prompts: list, broken: list[int], n_tests: int, model: str = "") -> dict:
    """Return a configuration; with a model, both providers are configurations of it that have no label."""
    own = {"alpha": [], "beta": broken}
    providers = [
        {
            "id": "file://provider.js",
            **({} if model else {"label": name}),
            "config": {"model": model or name, "wrong": wrong, "broken": own[name]},
        }
        for name, wrong in WRONG.items()
    ]
    tests = [{"vars": {"n": n}, "assert": [{"type": "equals", "value": str(2 * n)}]} for n in range(1, n_tests + 1)]
    return {"description": "sums", "prompts": prompts, "providers": providers, "tests": tests}


def main(program: Path, out: Path) -> None:
    """Run promptfoo for each sample, without the network."""
    out.mkdir(parents=True, exist_ok=True)
    same_label = [{"label": "sum", "raw": raw} for raw in (QUESTION, "Add {{n}}+{{n}}.")]
    runs = {
        "results": (_config([QUESTION], [], 6), []),
        "error": (_config([QUESTION], [4], 4), []),
        "repeat": (_config([QUESTION], [], 3), ["--repeat", "2"]),
        "two_prompts": (_config([QUESTION, "Add {{n}}+{{n}}."], [], 3), []),
        "one_name": (_config([QUESTION], [], 6, model="gpt"), ["--repeat", "2"]),
        "one_label": (_config(same_label, [], 3), []),
    }
    with tempfile.TemporaryDirectory() as directory:
        Path(directory, "provider.js").write_text(PROVIDER)
        for name, (config, options) in runs.items():
            Path(directory, "config.json").write_text(json.dumps(config))
            files = [f"{name}.json", f"{name}.jsonl"] if name == "results" else [f"{name}.json"]
            outputs = [part for file in files for part in ("-o", file)]
            command = [str(program.absolute()), "eval", "-c", "config.json", *outputs, "--no-cache", "--no-table"]
            environment = {**os.environ, **QUIET, "PROMPTFOO_CONFIG_DIR": f"{directory}/.promptfoo"}
            subprocess.run([*command, *options], cwd=directory, env=environment, check=False)  # 100: a test failed
            for file in files:
                (out / file).write_text(Path(directory, file).read_text().replace(directory, "."))
    version = json.loads((out / "results.json").read_text())["metadata"]["promptfooVersion"]
    (out / "VERSION").write_text(f"promptfoo {version}, scripts/format_samples/promptfoo_results.py\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
