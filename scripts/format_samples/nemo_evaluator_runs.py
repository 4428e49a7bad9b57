"""What NeMo Evaluator writes of a run: python nemo_evaluator_runs.py tests/data/formats/nemo-evaluator.

pip install "nemo-evaluator==0.3.0" scipy (Python 3.12 or newer); an environment of sums, and solvers that know the answers.
"""

import asyncio
import sys
from importlib.metadata import version
from pathlib import Path

from nemo_evaluator.engine.artifacts import write_all
from nemo_evaluator.engine.eval_loop import run_evaluation
from nemo_evaluator.environments.base import EvalEnvironment, SeedResult, VerifyResult
from nemo_evaluator.solvers.base import SolveResult

WRONG = {"alpha": {3}, "beta": {2, 3, 5, 7}}


class Sums(EvalEnvironment):
    """Problems of a benchmark: n + n, or n times two."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.dataset = [{"n": n} for n in range(8)]

    async def seed(self, idx: int) -> SeedResult:
        sign = "+" if self.name == "sums" else "*"
        right = 2 * idx if self.name == "sums" else idx * idx
        category = {"category": "even" if idx % 2 == 0 else "odd"}
        return SeedResult(prompt=f"{idx}{sign}{idx}?", expected_answer=str(right), metadata=category)

    async def verify(self, response, expected, sandbox=None, **metadata):
        return VerifyResult(reward=float(response == expected), extracted_answer=response)


class Known:
    """A solver that is wrong on some problems; the second time it knows one of them better."""

    def __init__(self, wrong: set[int]) -> None:
        self.wrong, self.n_requested = wrong, {}

    async def solve(self, task: SeedResult) -> SolveResult:
        n = int(task.prompt[0])
        self.n_requested[n] = self.n_requested.get(n, 0) + 1
        is_right = n not in self.wrong or (n == 3 and self.n_requested[n] > 1)
        return SolveResult(response=task.expected_answer if is_right else "?")


async def main(directory: Path) -> None:
    for model, wrong in WRONG.items():
        for benchmark in ("sums", "doubles"):
            config = {"benchmark": benchmark, "model": f"acme/{model}"}
            solver = Known(wrong)
            options = {"n_repeats": 2, "config": config, "max_concurrent": 1}
            bundle = await run_evaluation(Sums(benchmark), solver, **options)
            folder = directory / model / benchmark
            paths = write_all(bundle, folder)
            # the problems of one benchmark are enough; what else is written tells how the run went
            kept = (paths["bundle"], paths["results"])[: 2 if benchmark == "sums" else 1]
            for path in folder.iterdir():
                if path not in kept:
                    path.unlink()


root = Path(sys.argv[1])
asyncio.run(main(root))
root.joinpath("VERSION").write_text(
    f"nemo-evaluator {version('nemo-evaluator')}, its engine, scripts/format_samples/nemo_evaluator_runs.py\n"
)
