"""Scores of deepeval for the test cases of a run."""

from __future__ import annotations

__all__ = ["FORMATS"]

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from evalstats._findings import Finding, note, warning
from evalstats.io.formats import log_files
from evalstats.io.formats.format import Format, Found, Sign
from evalstats.io.formats.log_questions import chosen_metrics, direction, items_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError, short

SUCCESS = "success"
# hyperparameters that identify the systems
NAMES = ("model", "model_name", "llm", "system", "name")

# fields that, with the input, identify a question; retrieved texts are part of the answer
QUESTION = ("expectedOutput", "context", "expectedTools")

EXAMPLE = """
{"testCases": [{"name": "test_case_0", "input": "1+1?", "actualOutput": "2", "expectedOutput": "2", "success": true,
  "metricsData": [{"name": "Exact", "score": 1.0, "success": true, "threshold": 0.5}]}],
 "hyperparameters": {"model": "gpt-4o"}}
""".lstrip()


def _is_log(seen: Seen) -> bool:
    if not log_files.is_document(seen, "testCases"):
        return False
    return any(
        log_files.part(case, "metricsData") is not None for case in log_files.parts(seen.document, "testCases")[:1]
    )


def _read(seen: Seen, asked: Asked) -> Found:
    files = log_files.logs_in(seen, _is_log)
    known = dict.fromkeys(
        log_files.word(log_files.part(data, "name"))
        for one in files
        for case in _cases(one)
        for data in log_files.parts(case, "metricsData")
    )
    metric = chosen_metrics(seen, asked, {"": [*known] if asked.metric != SUCCESS else [SUCCESS]})[""]
    better = direction(seen, asked, {metric: metric == SUCCESS or _direction(files, metric)})
    labels = log_files.label_of([one.path or one.name for one in files])
    several, told = _same_inputs(files)
    logs = [_log(one, metric, labels[one.path or one.name], several) for one in files]
    found = [note("metric", f"The metric of the scores is {short(metric)}."), *told]
    if any(not _named(one) for one in files):
        found.append(note("named-by-file", "A run without a model in its hyperparameters has the name of its file."))
    return items_found(seen, asked, logs, metric=metric, greater_is_better=better, findings=found)


def _direction(files: Sequence[Seen], metric: str) -> bool | None:
    """Return the direction of a metric from scores, thresholds and success marks, or None if it is not clear."""
    passes_above: set[bool] = set()
    for case in (case for one in files for case in _cases(one)):
        for data in (
            data
            for data in log_files.parts(case, "metricsData")
            if log_files.word(log_files.part(data, "name")) == metric
        ):
            score, threshold = (
                log_files.number_of(log_files.part(data, "score")),
                log_files.number_of(log_files.part(data, "threshold")),
            )
            if score is None or threshold is None or math.isnan(score - threshold) or score == threshold:
                continue
            if isinstance(success := log_files.part(data, "success"), bool):
                passes_above.add((score > threshold) == success)
    return passes_above.pop() if len(passes_above) == 1 else direction_of_metric(metric)


def _cases(seen: Seen) -> list[Any]:
    return log_files.parts(seen.document, "testCases")


def _named(seen: Seen) -> str:
    chosen = log_files.part(seen.document, "hyperparameters")
    return next(
        (
            log_files.word(log_files.part(chosen, name))
            for name in NAMES
            if log_files.word(log_files.part(chosen, name))
        ),
        "",
    )


def _log(seen: Seen, metric: str, label: str, several: Collection[str]) -> log_files.Log:
    """Return the scores of a run; `several` contains inputs of several questions."""
    log = log_files.Log.of(seen, _named(seen) or label)
    answers: dict[str, int] = {}
    for i, case in enumerate(_cases(seen), 1):
        place = f"{seen.name}, test case {i}"
        item = _input(case)
        if not item:
            raise TableError(f"{place} has no input")
        if item in several:
            item = f"{item} ({_question(case)[:6]})"
        answers[item] = answers.get(item, 0) + 1
        check = log_files.digest(log_files.part(case, "expectedOutput"))
        log.items.append(
            log_files.Item("test cases", item, _value(case, metric, place), str(answers[item]), check, place=place)
        )
    return log


def _input(case: Any) -> str:
    """Return a name from the input of a test case; names of test cases are numbered anew in each run."""
    asked = log_files.part(case, "input")
    if asked is None:
        return ""
    text = " ".join(log_files.word(asked).split())
    return text if 0 < len(text) <= 60 else f"{text[:60]}... ({log_files.digest(asked)[:8]})"


def _question(case: Any) -> str:
    return log_files.digest(*(log_files.part(case, name) for name in QUESTION))


def _same_inputs(files: Sequence[Seen]) -> tuple[set[str], list[Finding]]:
    """Return the inputs of several questions of one run, and a finding if an answer used different retrieved texts."""
    several: set[str] = set()
    other_texts: set[str] = set()
    for one in files:
        questions: dict[str, set[str]] = {}
        texts: dict[tuple[str, str], set[str]] = {}
        for case in _cases(one):
            item, question = _input(case), _question(case)
            questions.setdefault(item, set()).add(question)
            texts.setdefault((item, question), set()).add(log_files.digest(log_files.part(case, "retrievalContext")))
        several |= {item for item, own in questions.items() if len(own) > 1}
        other_texts |= {item for (item, _), own in texts.items() if len(own) > 1}
    if not other_texts:
        return several, []
    words = (
        f"The same input with different retrieved texts, such as {short(min(other_texts))}, counts as a repeated "
        "question "
        f"({len(other_texts):,} of the inputs). Different questions must differ in the input, the context or the "
        "expected output."
    )
    return several, [warning("other-retrieved-texts", words)]


def _value(case: Mapping[str, Any], metric: str, place: str) -> float:
    data = log_files.parts(case, "metricsData")
    if metric == SUCCESS:
        # a metric that raised an error makes the test case fail, but says nothing about it
        value = (
            math.nan if any(log_files.part(one, "error") for one in data) else log_files.number_of(case.get(SUCCESS))
        )
    else:
        own = [one for one in data if log_files.word(log_files.part(one, "name")) == metric]
        value = (
            log_files.number_of(log_files.part(own[0], "score"))
            if own and not log_files.part(own[0], "error")
            else math.nan
        )
    if value is None:
        raise TableError(f"{place}: {short(metric)} is not a number")
    return value


FORMATS = (
    Format(
        name="deepeval",
        title="deepeval, test runs",
        description="Scores of a metric on test cases. Each run is a classifier with the name of its model or of its file.",
        example=EXAMPLE,
        recognises=(Sign("keys", ("testCases",)),),
        confirms=_is_log,
        each_file=True,
        read=_read,
    ),
)
