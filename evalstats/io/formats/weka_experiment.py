"""What do the results of WEKA's Experimenter say, in whatever file they are written?"""

from __future__ import annotations

__all__ = ["experiment_found"]

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evalstats._errors import listed
from evalstats._findings import Finding, note
from evalstats.io.formats.format import Found, chosen_metric, scores_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError
from evalstats.tables.names import text_of

_AVERAGED = r"(?:(?:Weighted_avg|Unweighted_macro_avg|Unweighted_micro_avg)_)?"
_GAINS = re.compile(
    rf"{_AVERAGED}(?:Percent_correct|Number_correct|Kappa_statistic|True_(?:positive|negative)_rate"
    r"|Num_true_(?:positives|negatives)|IR_precision|IR_recall|F_measure|[Mm]atthews_correlation"
    r"|[Aa]rea_under_(?:ROC|PRC)|KB_(?:mean_|relative_)?information|SF_(?:mean_)?entropy_gain|Correlation_coefficient"
    r"|Coverage_of_Test_Cases_By_Regions)",
    re.IGNORECASE,
)
_LOSSES = re.compile(
    rf"{_AVERAGED}(?:(?:Percent|Number)_(?:incorrect|unclassified)|\w+_error|False_(?:positive|negative)_rate"
    r"|Num_false_(?:positives|negatives)|SF_(?:mean_)?scheme_entropy|(?:Elapsed|UserCPU)_Time_\w+"
    r"|Serialized_\w+_Size|Size_of_Predicted_Regions)",
    re.IGNORECASE,
)
DEFAULTS = ("Percent_correct", "Correlation_coefficient")
SIZES = {"n_train": "Number_of_training_instances", "n_test": "Number_of_testing_instances"}
# of a result that is the mean over the folds of a run
AVERAGE = "Avg_"


def _direction_of(name: str) -> bool | None:
    """Return whether more of a measure of WEKA is better, None where it is not known."""
    return True if _GAINS.fullmatch(name) else False if _LOSSES.fullmatch(name) else None


def experiment_found(seen: Seen, asked: Asked, columns: Mapping[str, Sequence[Any]], numbers: Sequence[int]) -> Found:
    """Return the scores of an experiment, from its columns by their names."""
    if lacking := {"Key_Dataset", "Key_Scheme"} - set(columns):
        raise TableError(f"{seen.name} lacks the column {min(lacking)} of a WEKA experiment")
    prefix = AVERAGE if any(name.startswith(AVERAGE) for name in columns) else ""
    others = ("Key_", "Dev_", "Num_Fold", "Date_time", "Summary", *SIZES.values())
    named = [name.removeprefix(prefix) for name in columns if name.startswith(prefix) and not name.startswith("Dev_")]
    measures = [name for name in named if not name.startswith(others)]
    metric = chosen_metric(seen, asked, measures, next((name for name in DEFAULTS if name in measures), None))
    classifiers, findings = _classifiers(columns)
    rows = {"dataset": columns["Key_Dataset"], "classifier": classifiers, "score": columns[prefix + metric]}
    keys = {"repeat": "Key_Run", "fold": "Key_Fold"}
    rows |= {name: columns[key] for name, key in keys.items() if key in columns}
    if not prefix and "repeat" in rows and all(size in columns for size in SIZES.values()):
        rows |= {name: columns[size] for name, size in SIZES.items()}
    known = [name for name in measures if _direction_of(name) is not None and name != metric]
    if asked.metric is None and known:
        words = f"{metric} is compared, one of {len(measures)} measures; metric= chooses another, such as {known[0]}."
        findings.append(note("metric-chosen", words))
    if prefix:
        findings.append(note("averages", "Each score is the mean over the folds of a run, as WEKA averaged them."))
    return scores_found(
        seen,
        rows,
        metric=metric,
        greater_is_better=_direction_of(metric),
        unit="%" if metric.startswith("Percent_") else "",
        numbers=numbers,
        findings=findings,
    )


def _classifiers(columns: Mapping[str, Sequence[Any]]) -> tuple[list[str], list[Finding]]:
    """Return the name of the classifier in each row: the scheme, with its options where it was run with several."""
    schemes = list(map(text_of, columns["Key_Scheme"]))
    options = list(map(text_of, columns.get("Key_Scheme_options", [""] * len(schemes))))
    distinct = dict.fromkeys(zip(schemes, options, strict=True))
    short_of = _without_package(dict.fromkeys(schemes))
    n_options = Counter(scheme for scheme, _ in distinct)
    name_of = {
        (scheme, option): f"{short_of[scheme]} {option}".strip() if n_options[scheme] > 1 else short_of[scheme]
        for scheme, option in distinct
    }
    findings = []
    if several := [short_of[scheme] for scheme, n in n_options.items() if n > 1]:
        words = f"{listed(several)} was run with several options: each is a classifier of its own."
        findings.append(note("options-differ", words))
    return [name_of[key] for key in zip(schemes, options, strict=True)], findings


def _without_package(schemes: Iterable[str]) -> dict[str, str]:
    """Return the name of each class without its package, unless two would be called the same."""
    last = {scheme: scheme.rpartition(".")[2] for scheme in schemes}
    n_called = Counter(last.values())
    return {scheme: own if own and n_called[own] == 1 else scheme for scheme, own in last.items()}
