"""Make the logs of OpenAI evals that the tests read, by its own recorder: events of two mock models.

pip install "evals==3.0.1.post1"
OPENAI_API_KEY=none python scripts/format_samples/openai_evals_logs.py tests/data/formats/openai-evals
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from evals.base import RunSpec
from evals.record import LocalRecorder

WRONG = {"alpha": {3}, "beta": {2, 3, 5, 7}}
CRASHED = {"alpha": (), "beta": (8,)}


def _write(path: Path, name: str, crashed: tuple[int, ...]) -> None:
    spec = RunSpec(
        completion_fns=[name],
        eval_name="sums.dev.v0",
        base_eval="sums",
        split="dev",
        run_config={"completion_fns": [name], "seed": 20220722, "max_samples": None},
        created_by="",
        run_id=f"26112209{name.upper()}",
        created_at="2026-11-22 09:00:00.000000",
    )
    recorder = LocalRecorder(str(path), run_spec=spec)
    for n in range(10):
        with recorder.as_default_recorder(f"sums.dev.{n}"):
            if n in crashed:
                recorder.record_error("the mock model is not reachable", RuntimeError("not reachable"))
                continue
            answer = str(2 * n + (n in WRONG[name]))
            recorder.record_sampling(prompt=f"What is {n}+{n}?", sampled=[answer])
            recorder.record_match(answer == str(2 * n), expected=str(2 * n), picked=answer, sampled=answer)
            recorder.record_metrics(length_error=abs(len(answer) - len(str(2 * n))) + n / 10)
    right = [event.data["correct"] for event in recorder.get_events("match")]
    recorder.record_final_report({"accuracy": sum(right) / len(right)})
    recorder.flush_events()


def main(out: Path) -> None:
    """Write one log for each model, and one in which a sample has no match."""
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*.jsonl"):
        old.unlink()
    for name in WRONG:
        _write(out / f"{name}.jsonl", name, ())
    _write(out / "beta_crashed.jsonl", "beta", CRASHED["beta"])
    (out / "VERSION").write_text(f"evals {version('evals')}, scripts/format_samples/openai_evals_logs.py\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
