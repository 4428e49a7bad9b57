"""Results of EvalPlus for each problem of HumanEval+ or MBPP+."""

from __future__ import annotations

__all__ = ["FORMATS"]

import os
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from evalstats._findings import note
from evalstats.io.formats.format import Format, Found, Sign, chosen_metric
from evalstats.io.formats.log_files import Item, Log, is_document, label_of, logs_in, part, parts, word
from evalstats.io.formats.log_questions import items_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

# what a solution must pass: the base tests, or these and the additional tests
PLUS = "plus"
TESTS = {"base": ("base_status",), PLUS: ("base_status", "plus_status")}
PASSED = ("pass", "success")  # any other status is a failure, such as fail or timeout
ENDING = "_eval_results"

EXAMPLE = """
alpha_eval_results.json:
{"date": "2026-11-29 05:31", "hash": "cbe3", "eval": {
  "HumanEval/0": [{"task_id": "HumanEval/0", "base_status": "pass", "plus_status": "fail"}],
  "HumanEval/1": [{"task_id": "HumanEval/1", "base_status": "pass", "plus_status": "pass"}]}}
""".lstrip()


def _is_log(seen: Seen) -> bool:
    if not is_document(seen, "eval", "base_status") and not is_document(seen, "eval", "nfiles"):
        return False
    answers = part(seen.document, "eval")
    return isinstance(answers, Mapping) and all(isinstance(one, list) or _is_old(one) for one in answers.values())


def _is_old(answers: Any) -> bool:
    """Return whether a problem has lists of results, as older versions of EvalPlus write them: ``[["success", [...]]]``."""
    return isinstance(answers, Mapping) and isinstance(answers.get("base"), list)


def _read(seen: Seen, asked: Asked) -> Found:
    files = logs_in(seen, _is_log)
    answers = [answer for one in files for _, answer in _answers(one)]
    known = [name for name, keys in TESTS.items() if all(word(answer.get(keys[-1])) for answer in answers)]
    tests = chosen_metric(seen, asked, known, default=known[-1])
    labels = label_of([one.path or one.name for one in files])
    logs = []
    for one in files:
        log = Log.of(one, _model(labels[one.path or one.name]))
        numbers: dict[str, int] = {}
        for problem, answer in _answers(one):
            numbers[problem] = number = numbers.get(problem, 0) + 1
            right = all(word(answer.get(key)) in PASSED for key in TESTS[tests])
            place = f"{one.name}, {short(problem)}"
            log.items.append(Item(problem.partition("/")[0], problem, float(right), str(number), place=place))
        logs.append(log)
    found = [note("named-by-file", "The models have the names of their files.")]
    if other := [name for name in known if name != tests]:
        passed = "the base tests and the additional tests" if tests == PLUS else "the base tests"
        words = f"A solution is correct if it passes {passed}; metric={other[0]!r} selects the other definition."
        found.append(note("tests-passed", words))
    return items_found(seen, asked, logs, metric=tests, greater_is_better=True, findings=found)


def _answers(seen: Seen) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for problem in part(seen.document, "eval") or {}:
        own = part(seen.document, "eval", problem)
        for answer in _statuses(own) if _is_old(own) else parts(own):
            if not isinstance(answer, Mapping) or not word(answer.get("base_status")):
                raise TableError(f"{seen.name}: an answer to {short(problem)} has no base_status")
            yield word(problem), answer


def _statuses(own: Mapping[str, Any]) -> list[dict[str, Any]]:
    base, plus = ([next(iter(parts(one)), None) for one in parts(own, name)] for name in TESTS)
    return [{"base_status": one, "plus_status": more} for one, more in zip_longest(base, plus)]


def _model(label: str) -> str:
    folder, name = os.path.split(label)
    return os.path.join(folder, name.removesuffix(ENDING) or name)


FORMATS = (
    Format(
        name="evalplus",
        title="EvalPlus, results of problems",
        description="Outcomes of problems. The name of each file is the name of a classifier, and each problem is a question.",
        example=EXAMPLE,
        recognises=(Sign("keys", ("eval", "base_status|nfiles")),),
        confirms=_is_log,
        each_file=True,
        read=_read,
    ),
)
