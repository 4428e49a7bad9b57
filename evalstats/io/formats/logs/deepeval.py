"""Scores of deepeval for the test cases of a run."""

from __future__ import annotations

__all__ = ["FORMATS"]

import math
from collections.abc import Mapping, Sequence
from typing import Any

from evalstats._findings import note
from evalstats.io.formats.format import Format, Found, Sign
from evalstats.io.formats.log_files import Item, Log, is_document, label_of, logs_in
from evalstats.io.formats.log_questions import chosen_metrics, direction, items_found
from evalstats.io.formats.log_values import digest, number_of, part, parts, word
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError, short

SUCCESS = "success"
# hyperparameters that identify the systems
NAMES = ("model", "model_name", "llm", "system", "name")

EXAMPLE = """
{"testCases": [{"name": "test_case_0", "input": "1+1?", "actualOutput": "2", "expectedOutput": "2", "success": true,
  "metricsData": [{"name": "Exact", "score": 1.0, "success": true, "threshold": 0.5}]}],
 "hyperparameters": {"model": "gpt-4o"}}
""".lstrip()


def _is_log(seen: Seen) -> bool:
    if not is_document(seen, "testCases"):
        return False
    return any(part(case, "metricsData") is not None for case in parts(seen.document, "testCases")[:1])


def _read(seen: Seen, asked: Asked) -> Found:
    files = logs_in(seen, _is_log)
    known = dict.fromkeys(
        word(part(data, "name")) for one in files for case in _cases(one) for data in parts(case, "metricsData")
    )
    metric = chosen_metrics(seen, asked, {"": [*known] if asked.metric != SUCCESS else [SUCCESS]})[""]
    better = direction(seen, asked, {metric: metric == SUCCESS or _direction(files, metric)})
    labels = label_of([one.path or one.name for one in files])
    logs = [_log(one, metric, labels[one.path or one.name]) for one in files]
    found = [note("metric", f"The metric of the scores is {short(metric)}.")]
    if any(not _named(one) for one in files):
        found.append(note("named-by-file", "A run without a model in its hyperparameters has the name of its file."))
    return items_found(seen, asked, logs, metric=metric, greater_is_better=better, findings=found)


def _direction(files: Sequence[Seen], metric: str) -> bool | None:
    """Return the direction of a metric from scores, thresholds and success marks; None if it is not clear."""
    passes_above: set[bool] = set()
    for case in (case for one in files for case in _cases(one)):
        for data in (data for data in parts(case, "metricsData") if word(part(data, "name")) == metric):
            score, threshold = number_of(part(data, "score")), number_of(part(data, "threshold"))
            if score is None or threshold is None or math.isnan(score - threshold) or score == threshold:
                continue
            if isinstance(success := part(data, "success"), bool):
                passes_above.add((score > threshold) == success)
    return passes_above.pop() if len(passes_above) == 1 else direction_of_metric(metric)


def _cases(seen: Seen) -> list[Any]:
    return parts(seen.document, "testCases")


def _named(seen: Seen) -> str:
    chosen = part(seen.document, "hyperparameters")
    return next((word(part(chosen, name)) for name in NAMES if word(part(chosen, name))), "")


def _log(seen: Seen, metric: str, label: str) -> Log:
    log = Log.of(seen, _named(seen) or label)
    answers: dict[str, int] = {}
    # names of test cases are numbered anew in each run, so their input identifies them
    for i, case in enumerate(_cases(seen), 1):
        asked, place = part(case, "input"), f"{seen.name}, test case {i}"
        if not isinstance(case, Mapping) or asked is None:
            raise TableError(f"{place} has no input")
        text = " ".join(word(asked).split())
        item = text if 0 < len(text) <= 60 else f"{text[:60]}... ({digest(asked)[:8]})"
        answers[item] = answers.get(item, 0) + 1
        check = digest(part(case, "expectedOutput"))
        log.items.append(Item("test cases", item, _value(case, metric, place), str(answers[item]), check, place=place))
    return log


def _value(case: Mapping[str, Any], metric: str, place: str) -> float:
    data = parts(case, "metricsData")
    if metric == SUCCESS:
        # a metric that raised an error makes the test case fail, but says nothing about it
        value = math.nan if any(part(one, "error") for one in data) else number_of(case.get(SUCCESS))
    else:
        own = [one for one in data if word(part(one, "name")) == metric]
        value = number_of(part(own[0], "score")) if own and not part(own[0], "error") else math.nan
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
