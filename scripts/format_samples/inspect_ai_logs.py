"""Make the logs of Inspect that the tests read: two mock models on one task, an unfinished run, tables of samples.

pip install "inspect-ai==0.3.285" pandas pyarrow
python scripts/format_samples/inspect_ai_logs.py tests/data/formats/inspect-ai
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import inspect_ai
from inspect_ai import Task, eval, task
from inspect_ai.analysis import evals_df, samples_df
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import Model, ModelAPI, ModelOutput, get_model
from inspect_ai.scorer import Score, match, mean, scorer, stderr
from inspect_ai.solver import generate

N_QUESTIONS = 12
# the questions that each mock model answers wrong, and those at which it crashes
WRONG = {"alpha": {3}, "beta": {2, 3, 5, 7, 8, 11}, "gamma": {1, 2}, "crash": set()}
CRASHES = {"gamma": {4}}


@scorer(metrics=[mean(), stderr()])
def digits():
    """Score the number of digits that are right, a fraction."""

    async def score(state, target):
        answer, right = state.output.completion.strip(), target.text
        return Score(value=sum(a == b for a, b in zip(answer, right, strict=False)) / len(right), answer=answer)

    return score


def _samples():
    numbers = range(1, N_QUESTIONS + 1)
    return [
        Sample(id=f"q{n}", input=f"What is {n}+{n}?", target=str(2 * n), metadata={"passage": (n - 1) // 3})
        for n in numbers
    ]


@task
def addition():
    """Ask for sums, one right answer each."""
    return Task(dataset=MemoryDataset(_samples(), name="sums"), scorer=match(numeric=True), solver=generate())


@task
def sums_twice():
    """Ask for sums, two epochs and two scorers."""
    dataset = MemoryDataset(_samples()[:6], name="sums")
    return Task(dataset=dataset, scorer=[match(numeric=True), digits()], solver=generate(), epochs=2)


def _model(name: str) -> Model:
    asked: dict[int, int] = {}

    def answer(messages, tools, tool_choice, config):
        n = int(messages[-1].text.removesuffix("?").split("+")[-1])
        asked[n] = asked.get(n, 0) + 1
        if n in CRASHES.get(name, ()):
            raise RuntimeError("the mock model is not reachable")
        if name == "crash" and n == 8:
            os._exit(1)  # as a machine that is switched off: the log has no header
        return ModelOutput.from_content(name, str(2 * n + (n in WRONG[name] and asked[n] == 1)))

    return get_model(f"mockllm/{name}", custom_outputs=answer)


async def _count_text_tokens(self, text: str) -> int:
    return len(text)  # the real tokenizer is fetched from the network


def _run(tasks, name: str, directory: str, **options) -> None:
    eval(tasks, model=_model(name), log_dir=directory, display="none", max_connections=1, **options)


def main(out: Path) -> None:
    """Write the logs below names that do not change from run to run."""
    ModelAPI.count_text_tokens = _count_text_tokens
    if out.name == "crash":
        _run(addition(), "crash", str(out), log_buffer=1, max_samples=1)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as directory:
        for name in ("alpha", "beta", "gamma"):
            _run(addition(), name, f"{directory}/eval/{name}", fail_on_error=False)
            _move(f"{directory}/eval/{name}", "eval", out / f"addition_{name}.eval")
            _without_events(out / f"addition_{name}.eval")
        for name in ("alpha", "beta"):
            _run(sums_twice(), name, f"{directory}/json/{name}", log_format="json")
            _move(f"{directory}/json/{name}", "json", out / f"sums_twice_{name}.json")
            _without_events(out / f"sums_twice_{name}.json")
        subprocess.run([sys.executable, __file__, f"{directory}/crash"], check=False)
        _move(f"{directory}/crash", "eval", out / "addition_unfinished.eval")
    logs = [str(out / f"addition_{name}.eval") for name in ("alpha", "beta", "gamma")]
    for name, table in (("samples_df", samples_df(logs, quiet=True)), ("evals_df", evals_df(logs, quiet=True))):
        table["log"] = ["logs/" + Path(log).name for log in table["log"]]
        table.to_csv(out / f"{name}.csv", index=False)
    (out / "VERSION").write_text(f"inspect_ai {inspect_ai.__version__}, scripts/format_samples/inspect_ai_logs.py\n")


def _without_events(path: Path) -> None:
    """Take the transcripts out: nine tenths of the file, and no score in them."""
    log = read_eval_log(str(path))
    for sample in log.samples or []:
        sample.events, sample.messages = [], []
        if sample.error is not None:  # its traceback names the folders of this machine
            sample.error = sample.error.model_copy(update={"traceback": "", "traceback_ansi": ""})
    write_eval_log(log, str(path))


def _move(directory: str, suffix: str, to: Path) -> None:
    (made,) = Path(directory).glob(f"*.{suffix}")
    shutil.move(made, to)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
