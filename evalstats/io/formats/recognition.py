"""Which formats of results are known, and which of them is this?

A format is recognised by what it shows first. What must be there before its module is loaded stands in one table here,
so that a plain table of scores loads none of them.
"""

from __future__ import annotations

__all__ = ["STEMS", "format_named", "found_in", "known_formats"]

import os
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any, NamedTuple

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats.io.columns.directions import unknown_direction
from evalstats.io.formats.format import Format, Found
from evalstats.io.options import Asked
from evalstats.io.sources.folders import tables_in
from evalstats.io.sources.source import DIRECTORY, Seen
from evalstats.tables.errors import TableError, TableNotFoundError, short, visible

AUTO, TABLE = "auto", "table"


class Sign(NamedTuple):
    """The kinds of source that may be of a format, and words that all stand in what it shows first.

    Of several words in one text, separated by ``|``, one is enough.
    """

    kinds: tuple[str, ...]
    words: tuple[str, ...] = ()

    def is_shown_by(self, seen: Seen) -> bool:
        """Tell whether a source may be of the format."""
        if seen.kind not in self.kinds:
            return False
        return all(any(word in seen.face for word in words.split("|")) for words in self.words)


TABLES = ("text", "frame")
DOCUMENTS = ("json", "document")
FOLDERS = ("directory", "files")

# by the name of the module in evalstats.io.formats.experiments
SIGNS = {
    "aeon_results": Sign((*FOLDERS, "text"), ("Resamples|.csv",)),
    "amlb_predictions": Sign(FOLDERS, ("predictions.csv",)),
    "amlb_results": Sign(TABLES, ("framework", "task", "result")),
    "keel_results": Sign(FOLDERS, (".tst",)),
    "mlflow_runs": Sign(TABLES, ("run_id", "metrics.")),
    "mlr3_predictions": Sign(TABLES, ("row_id", "truth", "response")),
    "mlr3_scores": Sign(TABLES, ("task_id", "learner_id", "resampling_id")),
    "nested_scores": Sign(DOCUMENTS),
    "openml_evaluations": Sign(TABLES, ("flow_name", "data_name", "function")),
    "openml_predictions": Sign((*FOLDERS, "text"), (".arff|row_id", "prediction")),
    "orange_predictions": Sign(("text",), ("class", "meta", " (")),
    "orange_results": Sign(("object",)),
    "sklearn_cross_validate": Sign((*TABLES, *DOCUMENTS), ("test_", "_time")),
    "sklearn_search": Sign(TABLES, ("mean_test_", "split0_test_")),
    "sktime_json": Sign(("json", "document"), ("validation_id", "model_id")),
    "sktime_results": Sign(TABLES, ("validation_id", "model_id")),
    "tabarena_results": Sign(TABLES, ("metric_error", "method")),
    "tabzilla_results": Sign(TABLES, ("dataset_fold_id", "alg_name")),
    "tidymodels_metrics": Sign(TABLES, (".metric|.config",)),
    "tidymodels_predictions": Sign(TABLES, (".pred_class", ".row")),
    "tsml_results": Sign(FOLDERS, ("Resample",)),
    "ucr_summary": Sign(TABLES, ("ED (w=0)",)),
    "wandb_runs": Sign(TABLES, ("config|Runtime|__MIN", "summary|State|Step")),
    "weka_arff": Sign(("text",), ("Key_Scheme", "@attribute")),
    "weka_csv": Sign(TABLES, ("Key_Scheme", "Key_Dataset")),
    "weka_predictions": Sign((*TABLES, *FOLDERS), ("inst#|.csv",)),
}
# likewise in evalstats.io.formats.logs; several signs of one format: one file, the lines of a file, a directory
SIGNS_OF_LOGS = {
    "deepeval": (Sign(DOCUMENTS, ("testCases",)),),
    "every_eval_ever": (
        Sign(DOCUMENTS, ("schema_version", "evaluation_results")),
        Sign(("json-lines",), ("schema_version", "evaluation_id")),
    ),
    "helm": (
        Sign(("directory",), ("per_instance_stats.json",)),
        Sign(("json",), ("train_trial_index", "instance_id")),
    ),
    "hf_evaluate": (Sign(DOCUMENTS, ("_timestamp", "_evaluate_version")),),
    "inspect_ai": (Sign(("zip",), ("_journal/|header.json",)), Sign(DOCUMENTS, ("eval", "task", "model"))),
    "inspect_frames": (Sign(TABLES, ("eval_id", "log")),),
    "lighteval": (
        Sign(DOCUMENTS, ("config_general",)),
        Sign(("frame",), ("doc", "metric", "model_response")),
        Sign(("frame",), ("full_prompt", "metrics")),
    ),
    "lm_eval": (Sign(DOCUMENTS, ("results",)), Sign(("json-lines",), ("doc_id",))),
    "nemo_evaluator": (Sign(("json-lines",), ("problem_idx", "reward")), Sign(DOCUMENTS, ("benchmark", "scores"))),
    "openai_evals": (Sign(("json-lines",), ("spec", "completion_fns")),),
    "promptfoo": (Sign(DOCUMENTS, ("results",)), Sign(("json-lines",), ("promptIdx",))),
}
STEMS = sorted((*SIGNS, *SIGNS_OF_LOGS))


def known_formats() -> tuple[Format, ...]:
    """Return the formats of results that `read_table` and `read_predictions` recognise.

    Returns
    -------
    tuple of Format
        In the order of their names; each has a `title`, a `description` and an `example`.

    Examples
    --------
    >>> from evalstats.io.formats.recognition import known_formats
    >>> weka = next(one for one in known_formats() if one.name == "weka-csv")
    >>> weka.title
    'WEKA Experimenter, CSV'
    """
    return tuple(_loaded(stem) for stem in STEMS)


def format_named(name: Any) -> Format:
    """Return the format of a name."""
    stem = name.replace("-", "_") if isinstance(name, str) else ""
    if stem not in STEMS or "_" in name:
        known = ", ".join(stem.replace("_", "-") for stem in STEMS)
        raise InvalidValueError(f"format must be 'auto', 'table' or one of {known}, not {short(name)}")
    return _loaded(stem)


def found_in(seen: Seen, wanted: str, asked: Asked) -> Found | None:
    """Return what a format finds in a source, None if it is a plain table.

    Parameters
    ----------
    seen : Seen
        The source.
    wanted : str
        ``'auto'``, ``'table'`` or the name of a format.
    asked : Asked
        What the caller asked for.
    """
    wanted = _checks.text(wanted, "format")
    chosen = None if wanted == TABLE else _recognised(seen, asked) if wanted == AUTO else format_named(wanted)
    if chosen is None:
        files = tables_in(seen.path or ".") if seen.kind == DIRECTORY and wanted == AUTO else None
        return None if files is None else found_in(seen.another(files), wanted, asked)
    if wanted != AUTO and (named := sorted(_named(asked) - set(chosen.takes))):
        raise InvalidValueError(f"{named[0]} cannot be given: {chosen.title} has columns of fixed names")
    found = chosen.read(seen, asked)
    if found.layout == "long" and found.greater_is_better is None and asked.greater_is_better is None:
        raise unknown_direction(seen.name, found.metric)
    return replace(found, format=chosen.name)


def _recognised(seen: Seen, asked: Asked) -> Format | None:
    if seen.kind == "files":
        for name in seen.members:
            if not os.path.exists(name):
                raise TableNotFoundError(f"there is no file {visible(name) or repr(name)}")
    found = [one for one in _candidates(seen) if _named(asked) <= set(one.takes) and one.recognises(seen)]
    if len(found) > 1:
        names = " or ".join(one.name for one in found)
        raise TableError(f"{seen.name} may be {names}", "choose one with {}", "format", found[0].name)
    return found[0] if found else None


def _candidates(seen: Seen) -> Iterator[Format]:
    """Load the formats whose signs a source shows."""
    shown = [seen]
    if seen.kind in FOLDERS:
        from evalstats.io.formats.log_files import first_logs  # a file alone does without

        shown = list(first_logs(seen))
    yield from (_loaded(stem) for stem, sign in SIGNS.items() if sign.is_shown_by(seen))
    for stem, signs in SIGNS_OF_LOGS.items():
        if any(sign.is_shown_by(one) for sign in signs for one in shown):
            yield _loaded(stem)


def _named(asked: Asked) -> set[str]:
    return {name for name, column in asked.columns.items() if column is not None}


def _loaded(stem: str) -> Format:
    kind = "logs" if stem in SIGNS_OF_LOGS else "experiments"
    one: Format = import_module(f"evalstats.io.formats.{kind}.{stem}").FORMAT
    return one
