"""Which results did the AutoML Benchmark write? Its results.csv."""

from __future__ import annotations

__all__ = ["FORMAT"]

from typing import Any

from evalstats._errors import listed
from evalstats._findings import Finding, note, warning
from evalstats.io.formats.format import Format, Found, directions, scores_found
from evalstats.io.formats.tabular import Rows, rows_of
from evalstats.io.options import Asked
from evalstats.io.sources.numbers import is_missing
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

EXAMPLE = """
id,task,framework,constraint,fold,type,result,metric,mode,version,params,seed,info,acc,logloss
openml.org/t/3,kr-vs-kp,RandomForest,1h8c,0,binary,-0.05,neg_logloss,local,1.4,,1,,0.99,0.05
openml.org/t/3,kr-vs-kp,constantpredictor,1h8c,0,binary,-0.69,neg_logloss,local,1.4,,1,,0.52,0.69
""".lstrip()

# files of before 2020 have neither constraint nor metric
REQUIRED = ("task", "framework", "fold", "result")
RESULT = "result"
# the columns of single metrics, which keep their natural sign while `result` is turned so that greater is better
DIRECTIONS = directions(
    gains="acc auc balacc f1 mcc pr_auc r2",
    losses="logloss mae mse rmse rmsle msle mape medae duration training_duration predict_duration",
)


def _recognises(seen: Seen) -> bool:
    return set(REQUIRED) <= set(seen.header) and not {"constraint", "mode"}.isdisjoint(seen.header)


def _read(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, REQUIRED, "the AutoML Benchmark")
    score, metric, rows, findings = _chosen(seen, asked, rows)
    rows, superseded = _without_superseded(rows, score)
    n_failed = sum(map(is_missing, rows[score]))
    if superseded:
        words = f"Left out: {superseded} of {len(rows.numbers) + superseded} jobs, which failed and were run again."
        findings.append(note("jobs-run-again", words))
    if n_failed:
        of_all = f"{n_failed} of {len(rows.numbers)} jobs"
        words = f"Missing: the score of {of_all}, which failed; it is not taken for that of a constant predictor."
        findings.append(warning("failed-jobs", words))
    columns: dict[str, Any] = {
        "dataset": rows.texts("task"),
        "classifier": _frameworks(rows),
        "fold": rows["fold"],
        "score": rows[score],
    }
    direction = True if score == RESULT else DIRECTIONS.get(score)
    return scores_found(
        seen, columns, metric=metric, greater_is_better=direction, numbers=rows.numbers, findings=findings
    )


def _chosen(seen: Seen, asked: Asked, rows: Rows) -> tuple[str, str, Rows, list[Finding]]:
    """Return the column of scores, what they are, their rows, and what to know of them."""
    optimised = sorted(set(rows.texts("metric")) - {""}) if "metric" in rows else []
    if asked.metric in optimised:
        return RESULT, str(asked.metric), rows.where("metric", lambda cell: cell == asked.metric), []
    single = [name for name in rows.columns if name in DIRECTIONS]
    if asked.metric in single:
        return str(asked.metric), str(asked.metric), rows, []
    if asked.metric not in (None, RESULT):
        known = [RESULT, *optimised, *single]
        raise TableError(f"{seen.name} has no metric {short(asked.metric)}; its metrics are {listed(known)}")
    if "metric" not in rows:
        problem = f"{seen.name} is of an old version without the column 'metric', whose result may be a loss"
        raise TableError(
            problem,
            "choose a column, for example {}",
            "metric",
            next((name for name in single if "duration" not in name), "acc"),
        )
    words = "The column result is compared, in which greater is always better: losses were negated."
    findings = [note("metric-chosen", words)]
    if len(optimised) > 1:
        words = f"The tasks have different metrics ({', '.join(optimised)}): ranks can be compared, differences cannot"
        findings.append(warning("several-metrics", f"{words}; metric= keeps the tasks of one."))
    return RESULT, optimised[0] if len(optimised) == 1 else RESULT, rows, findings


def _frameworks(rows: Rows) -> list[str]:
    """Return the name of the framework in each row, with its constraint where there are several."""
    frameworks = rows.texts("framework")
    constraints = rows.texts("constraint") if "constraint" in rows else []
    if len(set(constraints)) < 2:
        return frameworks
    return [f"{name} ({constraint})" for name, constraint in zip(frameworks, constraints, strict=True)]


def _without_superseded(rows: Rows, score: str) -> tuple[Rows, int]:
    """Leave out failed jobs that were run again with a result."""
    keys = list(zip(rows.texts("task"), _frameworks(rows), rows.texts("fold"), strict=True))
    has_score = [not is_missing(cell) for cell in rows[score]]
    done = {key for key, own in zip(keys, has_score, strict=True) if own}
    kept = [i for i, key in enumerate(keys) if has_score[i] or key not in done]
    return rows.at(kept), len(keys) - len(kept)


FORMAT = Format(
    name="amlb-results",
    title="AutoML Benchmark, results.csv",
    description="The column result of tasks, frameworks and folds, greater is better; metric= chooses another column.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
