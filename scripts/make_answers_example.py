"""Make the bundled example of answers from a checkout of github.com/suzgunmirac/BIG-Bench-Hard (MIT License).

python scripts/make_answers_example.py CHECKOUT > evalstats/examples/suzgun-2023-answers.csv
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

CONDITIONS = {"direct": "direct", "cot": "chain-of-thought"}
NAME = "{task}_few_shot_template_0-255000{suffix}"
# the tasks that the paper calls natural language tasks; the other tasks are algorithmic
TASKS = (
    "causal_judgement",
    "date_understanding",
    "disambiguation_qa",
    "formal_fallacies",
    "hyperbaton",
    "movie_recommendation",
    "penguins_in_a_table",
    "reasoning_about_colored_objects",
    "ruin_names",
    "salient_translation_error_detection",
    "snarks",
    "sports_understanding",
)


def correctness(folder: Path, task: str) -> tuple[list[str], list[bool]]:
    """Return the questions of a task and the correctness of each final answer, verified by the published accuracy."""
    content = json.loads((folder / NAME.format(task=task, suffix=".json")).read_text(encoding="utf-8"))
    published = json.loads((folder / NAME.format(task=task, suffix="_eval_metrics.jsonl")).read_text(encoding="utf-8"))
    questions = [output["input"].split("Q: ")[-1].split("\nA:")[0].strip() for output in content["outputs"]]
    correct = [
        output["prediction"].split("So the answer is")[-1].strip().rstrip(".").strip() == output["target"].strip()
        for output in content["outputs"]
    ]
    if abs(100 * sum(correct) / len(correct) - published["accuracy"]) > 1e-9:
        raise SystemExit(f"{folder.name}, {task}: the accuracy differs from the published accuracy")
    return questions, correct


def main(checkout: str) -> None:
    """Write a row for each question, with a column for each condition, as CSV to standard output."""
    outputs = Path(checkout) / "code-davinci-002-outputs"
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["benchmark", "question_id", *CONDITIONS.values()])
    for task in TASKS:
        answers = {name: correctness(outputs / f"code-davinci-002-{name}", task) for name in CONDITIONS}
        if answers["direct"][0] != answers["cot"][0]:
            raise SystemExit(f"{task}: the two conditions have different questions")
        for question in range(len(answers["direct"][0])):
            out.writerow([task, question + 1, *(int(answers[name][1][question]) for name in CONDITIONS)])


if __name__ == "__main__":
    main(sys.argv[1])
