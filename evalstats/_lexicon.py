"""Recognized names and words: the lists of `lexicon.toml`."""

from __future__ import annotations

__all__ = [
    "ANSWER_WORDS",
    "CLASSIFIER_COLUMNS",
    "CLUSTER_COLUMNS",
    "DATASET_COLUMNS",
    "GENERIC_SCORE_COLUMNS",
    "ITEM_COLUMNS",
    "ITEM_SCORE_COLUMNS",
    "ITEM_TEXT_COLUMNS",
    "METRIC_COLUMNS",
    "MISSING_WORDS",
    "NUMBER_COLUMNS",
    "PREDICTION_COLUMNS",
    "QUESTION_COLUMNS",
    "RIGHT_COLUMNS",
    "RIGHT_WORDS",
    "RUN_COLUMNS",
    "SAMPLE_COLUMNS",
    "SCORE_COLUMNS",
    "SEED_COLUMNS",
    "SIZE_COLUMNS",
    "STRATUM_COLUMNS",
    "TRUE_AT_LAST",
    "TRUTHS",
    "UNNAMED",
    "is_called",
    "names_of",
    "one_of",
    "plain_name",
    "program_of",
    "simplified",
    "two_spellings",
    "word_list",
]

import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

_POINT_OF_R = re.compile(r"(?<=[^\W\d_])\.(?=[^\W\d_])")
_NO_LETTER = re.compile(r"[\W_]+")


@cache
def _lexicon() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("lexicon.toml").read_text(encoding="utf-8"))


@cache
def word_list(*lists: str) -> tuple[str, ...]:
    """Return the words in the given lists of `lexicon.toml`, such as ``'columns.dataset'``."""
    found: list[str] = []
    for name in lists:
        section: Any = _lexicon()
        for part in name.split("."):
            section = section[part]
        found += section.split()
    return tuple(found)


def names_of(section: str) -> tuple[str, ...]:
    """Return the names of the lists in a section, in order."""
    return tuple(_lexicon()[section])


def program_of(columns: Iterable[str]) -> str:
    """Return the first program all of whose columns, as `simplified` names, are among these columns, or ''."""
    known = set(columns)
    return next((one for one in names_of("programs") if known.issuperset(word_list(f"programs.{one}"))), "")


def one_of(*lists: str) -> str:
    """Return a regular expression that matches any word of the given lists."""
    return f"(?:{'|'.join(map(re.escape, word_list(*lists)))})"


# Columns that are recognized without an argument; case does not matter, spaces and hyphens are underscores.
DATASET_COLUMNS = word_list("columns.dataset")
CLASSIFIER_COLUMNS = word_list("columns.classifier")
METRIC_COLUMNS = word_list("columns.metric")
QUESTION_COLUMNS = word_list("columns.question")
NUMBER_COLUMNS = word_list("columns.number")
ITEM_COLUMNS = (*QUESTION_COLUMNS, *word_list("columns.case", "columns.number"))
SAMPLE_COLUMNS = word_list("columns.sample")
RIGHT_COLUMNS = word_list("columns.correct")
RIGHT_WORDS = {word: name == "true" for name in ("true", "false") for word in word_list(f"values.{name}")}
# values in a column of answers, or in a column that is declared as answers
ANSWER_WORDS = {
    **RIGHT_WORDS,
    **{word: name == "yes" for name in ("yes", "no") for word in word_list(f"values.{name}")},
}
# labels that are numbers in words
TRUTHS = {"true": 1.0, "false": 0.0}
# names of a dataset and a classifier without a column
UNNAMED = {"dataset": "dataset", "classifier": "classifier"}
MISSING_WORDS = frozenset(("", *word_list("values.missing")))
PREDICTION_COLUMNS = {
    **{name: word_list(f"columns.{name}") for name in ("repeat", "fold")},
    "instance": tuple(name for name in ITEM_COLUMNS if name not in NUMBER_COLUMNS),
    **{name: word_list(f"columns.{name}") for name in ("y_true", "y_pred", "y_score")},
}
TRUE_AT_LAST = word_list("columns.y_true_at_last")
SEED_COLUMNS = word_list("columns.seed")
# names of folds, repeats and seeds: the units of repeated measurements on one dataset
RUN_COLUMNS = (*PREDICTION_COLUMNS["fold"], *PREDICTION_COLUMNS["repeat"], *SEED_COLUMNS)
SIZE_COLUMNS = {name: word_list(f"columns.{name}") for name in ("n_train", "n_test")}
STRATUM_COLUMNS = (*word_list("columns.benchmark"), *DATASET_COLUMNS)
ITEM_TEXT_COLUMNS = word_list("columns.item_text")
CLUSTER_COLUMNS = word_list("columns.cluster", "columns.item_text", "columns.cluster_at_last")
ITEM_SCORE_COLUMNS = word_list("columns.item_score")
GENERIC_SCORE_COLUMNS = word_list("columns.score")
SCORE_COLUMNS = (*GENERIC_SCORE_COLUMNS, *word_list("columns.named_score"))


def is_called(name: str, known: Sequence[str]) -> bool:
    """Return whether a name is a known name, regardless of case, spaces and hyphens."""
    return simplified(name) in known


@lru_cache(maxsize=10_000)
def simplified(name: str) -> str:
    """Return a name in lower case, without spaces and hyphens, and without the dots that replace them in R."""
    name = name.casefold().replace(" ", "_").replace("-", "_")
    return _POINT_OF_R.sub("_", name) if "." in name else name


@lru_cache(maxsize=10_000)
def plain_name(name: str) -> str:
    """Return the letters and digits of a name in lower case: `Data Set`, `data_set` and `DataSet` are equal."""
    plain = name.casefold()
    return plain if plain.isalnum() else _NO_LETTER.sub("", plain)


def two_spellings(labels: Iterable[Any], value_of: Callable[[Any], Any]) -> tuple[Any, Any] | None:
    """Return the first two different labels with the same value, or None; skip labels with the value None."""
    known: dict[Any, Any] = {}
    for label in labels:
        value = value_of(label)
        if value is not None and (other := known.setdefault(value, label)) != label:
            return other, label
    return None
