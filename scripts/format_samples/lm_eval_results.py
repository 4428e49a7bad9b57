"""Make the results and samples of lm-evaluation-harness that the tests read: two mock models on local tasks.

pip install "lm_eval==0.4.13" torch transformers
python scripts/format_samples/lm_eval_results.py tests/data/formats/lm-eval
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import yaml
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.api.registry import register_model
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

# the sums that each mock model answers wrong; a stylish one writes the number inside a sentence
WRONG = {"acme/alpha": {3, 4}, "acme/beta": {2, 3, 5, 7, 8, 9}}
STYLISH = {"acme/alpha": {6}, "acme/beta": {1, 2, 6}}

COMMON = {"dataset_path": "json", "test_split": "train", "metadata": {"version": 1.0}}
CHOICE = {
    **COMMON,
    "output_type": "multiple_choice",
    "doc_to_text": "{{question}}",
    "doc_to_target": "gold",
    "doc_to_choice": "{{choices}}",
    "metric_list": [{"metric": m, "aggregation": "mean", "higher_is_better": True} for m in ("acc", "acc_norm")],
}
GENERATE = {
    **COMMON,
    "output_type": "generate_until",
    "doc_to_text": "{{question}}",
    "doc_to_target": "{{answer}}",
    "generation_kwargs": {"until": ["\n"]},
    "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
    "filter_list": [
        {
            "name": "strict-match",
            "filter": [{"function": "regex", "regex_pattern": r"^(\d+)$"}, {"function": "take_first"}],
        },
        {
            "name": "flexible-extract",
            "filter": [{"function": "regex", "regex_pattern": r"(\d+)"}, {"function": "take_first"}],
        },
    ],
}
TEXT = {
    **COMMON,
    "output_type": "loglikelihood_rolling",
    "doc_to_text": "",
    "doc_to_target": "{{question}}",
    "metric_list": [{"metric": "word_perplexity", "aggregation": "weighted_perplexity", "higher_is_better": False}],
}


@register_model("mock")
class Mock(LM):
    """Know the answers, but for those of `WRONG`."""

    def __init__(self, pretrained: str) -> None:
        super().__init__()
        self.name = pretrained

    @classmethod
    def create_from_arg_obj(cls, arg_dict, additional_config=None):
        return cls(**arg_dict)

    @classmethod
    def create_from_arg_string(cls, arg_string, additional_config=None):
        return cls(arg_string.partition("=")[2])

    def _answer(self, question: str) -> str:
        n = int(question.removesuffix("?").split("+")[-1])
        return str(2 * n + (n in WRONG[self.name]))

    def loglikelihood(self, requests):
        return [(0.0 if text.strip() == self._answer(question) else -3.0, False) for question, text in _args(requests)]

    def loglikelihood_rolling(self, requests):
        return [-(3.0 + (n % 4) + len(WRONG[self.name]) / 4) for n in range(len(requests))]

    def generate_until(self, requests):
        answers = [(self._answer(question), question) for question, _ in _args(requests)]
        stylish = [int(question.removesuffix("?").split("+")[-1]) in STYLISH[self.name] for _, question in answers]
        return [f"it is {answer}" if style else answer for (answer, _), style in zip(answers, stylish, strict=True)]


def _args(requests):
    return [request.args for request in requests]


def _documents(first: int, last: int):
    numbers = range(first, last + 1)
    return [
        {
            "question": f"{n}+{n}?",
            "answer": str(2 * n),
            "choices": [str(2 * n), str(2 * n + 1)],
            "gold": 0,
            "passage": n // 4,
        }
        for n in numbers
    ]


def _tasks(directory: Path) -> None:
    parts = {"sums_easy": (CHOICE, 1, 5), "sums_hard": (CHOICE, 6, 12)}
    parts |= {"sums_written": (GENERATE, 1, 10), "sums_text": (TEXT, 1, 4)}
    for name, (config, first, last) in parts.items():
        data = directory / f"{name}.jsonl"
        data.write_text("".join(json.dumps(document) + "\n" for document in _documents(first, last)))
        written = {"task": name, **config, "dataset_kwargs": {"data_files": str(data)}}
        (directory / f"{name}.yaml").write_text(yaml.safe_dump(written))
    means = [{"metric": "acc", "aggregation": "mean", "weight_by_size": True}]
    group = {"group": "sums_choice", "task": ["sums_easy", "sums_hard"], "aggregate_metric_list": means}
    (directory / "sums_choice.yaml").write_text(yaml.safe_dump(group))


def main(out: Path) -> None:
    """Run both models, and write what the command line of the harness writes, without the paths of this machine."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary)
        _tasks(directory)
        manager = TaskManager(include_path=temporary, include_defaults=False)
        for name in WRONG:
            tracker = EvaluationTracker(output_path=str(directory / "out"))
            results = simple_evaluate(
                model="mock",
                model_args=f"pretrained={name}",
                tasks=["sums_choice", "sums_written", "sums_text"],
                task_manager=manager,
                evaluation_tracker=tracker,
                log_samples=True,
                bootstrap_iters=100,
            )
            samples = results.pop("samples")
            tracker.save_results_aggregated(results=results, samples=samples)
            for task, lines in samples.items():
                tracker.save_results_samples(task_name=task, samples=lines)
        for made in (directory / "out").glob("*/*"):
            text = made.read_text().replace(temporary, "tasks")
            made.write_text(re.sub(r'"pretty_env_info": ".*?",\n', '"pretty_env_info": "",\n', text))
        shutil.copytree(directory / "out", out, dirs_exist_ok=True)
    (out / "VERSION").write_text(f"lm_eval {version('lm_eval')}, scripts/format_samples/lm_eval_results.py\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
