"""Which metrics did tidymodels collect? The table of collect_metrics(), long, wide or summarised."""

from __future__ import annotations

__all__ = ["FORMAT"]

from typing import Any

from evalstats._findings import Finding, note
from evalstats.io.formats.format import Format, Found, chosen_metric, scores_found
from evalstats.io.formats.tabular import rows_of
from evalstats.io.formats.yardstick import DIRECTIONS, datasets_of, runs_of_resamples, workflows
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError

EXAMPLE = """
wflow_id,id,.metric,.estimator,.estimate,.config
rec_glm,Fold01,accuracy,binary,0.81,Preprocessor1_Model1
rec_rf,Fold01,accuracy,binary,0.86,Preprocessor1_Model1
""".lstrip()


def _recognises(seen: Seen) -> bool:
    header = set(seen.header)
    if ".metric" in header:
        return bool(header & {".estimate", "mean"})
    return ".config" in header and ".pred_class" not in header and bool(header & set(DIRECTIONS))


def _read(seen: Seen, asked: Asked) -> Found:
    is_long = ".metric" in seen.header
    rows = rows_of(seen, [".metric"] if is_long else [".config"], "collect_metrics()")
    names = (
        list(dict.fromkeys(rows.texts(".metric"))) if is_long else [name for name in rows.columns if name in DIRECTIONS]
    )
    metric = chosen_metric(seen, asked, names)
    if is_long:
        rows = rows.where(".metric", lambda cell: cell == metric)
        score = ".estimate" if ".estimate" in rows else "mean"
        if score not in rows:
            raise TableError(f"{seen.name} lacks the column '.estimate' or 'mean' of collect_metrics()")
    else:
        score = metric
    classifiers, findings = workflows(rows, "workflow")
    datasets, told = datasets_of(seen, rows)
    columns: dict[str, Any] = {
        "dataset": datasets,
        "classifier": classifiers,
        "score": rows[score],
    }
    return scores_found(
        seen,
        columns | runs_of_resamples(rows),
        metric=metric,
        greater_is_better=DIRECTIONS.get(metric),
        numbers=rows.numbers,
        findings=[*told, *_of_summary(score), *findings],
    )


def _of_summary(score: str) -> list[Finding]:
    words = "These are means over the resamples; collect_metrics(summarize = FALSE) has the scores of each."
    return [note("averages", words)] if score == "mean" else []


FORMAT = Format(
    name="tidymodels-metrics",
    title="tidymodels, collect_metrics() as CSV",
    description="Scores of workflows on the resamples of one dataset, long, wide or summarised; metric= chooses one.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
