"""Scores of promptfoo for its test cases."""

from __future__ import annotations

__all__ = ["FORMATS"]

import math
from collections.abc import Mapping, Sequence
from typing import Any

from evalstats._errors import listed
from evalstats._findings import Finding, note, warning
from evalstats.io.formats import log_files
from evalstats.io.formats.format import Format, Found, Sign
from evalstats.io.formats.log_questions import chosen_metrics, direction, items_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import JSON_LINES, Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError, short

# provider, prompt and number of a column
_Column = tuple[str, str, str]

ERROR = 2  # failureReason: 0 none, 1 an assertion, 2 an error of the provider
SUCCESS, SCORE = "success", "score"
TASK = "tests"
LONGEST = 60  # maximum length of variables and prompts in a name, in characters

EXAMPLE = """
{"evalId": "eval-0MD", "results": {"version": 3, "results": [
  {"testIdx": 0, "promptIdx": 0, "provider": {"id": "openai:gpt-4o", "label": "gpt"}, "vars": {"n": 1},
   "prompt": {"label": "What is {{n}}+{{n}}?"}, "success": true, "score": 1, "namedScores": {}, "failureReason": 0}]}}
""".lstrip()


def _is_log(seen: Seen) -> bool:
    if seen.kind == JSON_LINES:
        first = seen.start.partition("\n")[0]
        return '"promptIdx"' in first and '"provider"' in first
    if not log_files.is_document(seen, "results"):
        return False
    return any(log_files.part(one, "promptIdx") is not None for one in _results_of(seen.document)[:1])


def _results_of(document: Any) -> list[Any]:
    """Return the results of a saved evaluation; older versions have one level fewer."""
    return log_files.parts(document, "results", "results") or log_files.parts(document, "results")


def _read(seen: Seen, asked: Asked) -> Found:
    files = [(one, _rows(one)) for one in log_files.logs_in(seen, _is_log)]
    named = dict.fromkeys(
        name for _, rows in files for _, row in rows for name in log_files.names_below(row, "namedScores")
    )
    known = [SUCCESS, SCORE, *named]
    metric = SUCCESS if asked.metric is None else chosen_metrics(seen, asked, {"": known})[""]
    better = direction(seen, asked, {metric: metric in (SUCCESS, SCORE) or direction_of_metric(metric)})
    found = [note("metric", f"The metric of the scores is {short(metric)}.")] if len(known) > 2 or asked.metric else []
    prompts = {_prompt(row) for _, rows in files for _, row in rows}
    logs = []
    for one, rows in files:
        names, told = _classifiers(rows, with_prompt=len(prompts) > 1)
        logs += _logs(one, rows, names, metric)
        found += told
    if metric in (SUCCESS, SCORE):
        found += _of_tests_without_assertions([row for _, rows in files for _, row in rows])
    return items_found(
        seen, asked, logs, metric=metric, greater_is_better=better, findings=found + _of_prompts(prompts)
    )


def _rows(seen: Seen) -> list[tuple[int, Mapping[str, Any]]]:
    found = list(seen.records()) if seen.kind == JSON_LINES else list(enumerate(_results_of(seen.document), 1))
    for number, row in found:
        if not isinstance(row, Mapping):
            raise TableError(f"{seen.name}, result {number} is {short(row)}, not an object")
    return found


def _classifiers(
    rows: Sequence[tuple[int, Mapping[str, Any]]], *, with_prompt: bool
) -> tuple[dict[_Column, str], list[Finding]]:
    """Return a name for each column of the evaluation, and a finding if the columns of one name have numbers."""
    names = {_column(row): f"{_provider(row)}: {_prompt(row)}" if with_prompt else _provider(row) for _, row in rows}
    numbers: dict[str, set[str]] = {}
    for (*_, number), name in names.items():
        numbers.setdefault(name, set()).add(number)
    same = [name for name, own in numbers.items() if len(own) > 1]
    if not same:
        return names, []
    words = (
        f"Several columns of the evaluation are called {listed(sorted(same))}: each column is a classifier, and its "
        "name "
        "contains its number. Labels of the providers and prompts give clearer names."
    )
    named = {
        column: f"{name} (column {column[-1]})" if len(numbers[name]) > 1 else name for column, name in names.items()
    }
    return named, [warning("columns-of-one-name", words)]


def _logs(
    seen: Seen, rows: Sequence[tuple[int, Mapping[str, Any]]], names: Mapping[_Column, str], metric: str
) -> list[log_files.Log]:
    """Return one log for each classifier."""
    logs: dict[str, log_files.Log] = {}
    answers: dict[tuple[str, str], int] = {}
    tests: dict[str, set[str]] = {}
    for _, row in rows:
        tests.setdefault(_variables(row), set()).add(_assertions(row))
    # tests are numbered anew for each repeat, and if some are left out, so their input identifies them
    for number, row in rows:
        item, place = _variables(row), f"{seen.name}, result {number}"
        if not _provider(row) or not item:
            raise TableError(f"{place} has no provider, or no variables and no testIdx")
        model = names[_column(row)]
        if len(tests[item]) > 1:  # other tests of the same variables
            item = f"{item} ({_assertions(row)[:6]})"
        answers[model, item] = answers.get((model, item), 0) + 1
        log = logs.setdefault(model, log_files.Log.of(seen, model))
        log.items.append(
            log_files.Item(
                TASK, item, _value(row, metric, place), str(answers[model, item]), _assertions(row), place=place
            )
        )
    return list(logs.values())


def _column(row: Mapping[str, Any]) -> _Column:
    """Return the provider, the prompt and the position of a column, which is a provider with a prompt."""
    index = row.get("promptIdx")
    return _provider(row), _prompt(row), log_files.word(index + 1 if isinstance(index, int) else index)


def _provider(row: Mapping[str, Any]) -> str:
    provider = row.get("provider")
    return (
        log_files.word(log_files.part(provider, "label"))
        or log_files.word(log_files.part(provider, "id"))
        or log_files.word(provider)
    )


def _prompt(row: Mapping[str, Any]) -> str:
    # older versions write display; raw contains the variables of the test
    text = next(
        filter(None, (log_files.word(log_files.part(row, "prompt", name)) for name in ("label", "display"))), ""
    )
    text = text or log_files.word(row.get("promptIdx"))
    return _shortened(" ".join(text.split()))


def _variables(row: Mapping[str, Any]) -> str:
    """Return a name for a test from its variables, or its index if it has no variables."""
    own = row.get("vars")
    told = {key: value for key, value in own.items() if not key.startswith("_")} if isinstance(own, Mapping) else {}
    if not told:
        return log_files.word(row.get("testIdx"))
    words = ", ".join(
        f"{key}={log_files.word(value) or log_files.digest(value)}" for key, value in sorted(told.items())
    )
    return _shortened(" ".join(words.split()))


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({log_files.digest(text)[:8]})"


def _assertions(row: Mapping[str, Any]) -> str:
    return log_files.digest(log_files.part(row, "testCase", "assert"))


def _value(row: Mapping[str, Any], metric: str, place: str) -> float:
    if row.get("failureReason") == ERROR:
        return math.nan
    value = log_files.number_of(
        row.get(metric) if metric in (SUCCESS, SCORE) else log_files.part(row, "namedScores", metric)
    )
    if value is None:
        raise TableError(f"{place}: {short(metric)} is not a number")
    return value


def _of_prompts(prompts: set[str]) -> list[Finding]:
    if len(prompts) < 2:
        return []
    return [
        note(
            "prompts",
            f"The providers answered {len(prompts)} prompts: each combination of a provider and a prompt is a classifier.",
        )
    ]


def _of_tests_without_assertions(rows: Sequence[Mapping[str, Any]]) -> list[Finding]:
    """Return a warning if promptfoo checked no answer of some tests: it counts each of these answers as a success."""
    unchecked = {_variables(row): _is_unchecked(row) for row in rows}
    if not (n := sum(unchecked.values())):
        return []
    verb = "has" if n == 1 else "have"
    words = (
        f"{n} of {len(unchecked)} test cases {verb} no assertions. promptfoo counts every answer to such a test case "
        "as a "
        "success, so these scores do not show whether an answer is correct."
    )
    return [warning("no-assertions", words)]


def _is_unchecked(row: Mapping[str, Any]) -> bool:
    is_known = isinstance(row.get("testCase"), Mapping)
    return (
        is_known
        and not log_files.part(row, "testCase", "assert")
        and not log_files.part(row, "gradingResult", "componentResults")
    )


FORMATS = (
    Format(
        name="promptfoo",
        title="promptfoo, results",
        description="Outcomes of test cases (.json or .jsonl). A provider with a prompt is a classifier.",
        example=EXAMPLE,
        recognises=(
            Sign("keys", ("results",)),
            Sign("lines", ("promptIdx",)),
        ),
        confirms=_is_log,
        each_file=True,
        read=_read,
    ),
)
