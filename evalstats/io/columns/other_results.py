"""Rules that reject tables of results other than scores, such as tests, battles, curves, counts and importances."""

from __future__ import annotations

__all__ = [
    "INSTANCES",
    "OTHER_RESULTS",
    "RATINGS",
    "READERS",
    "TREATMENTS",
    "TRUE_LABELS",
    "TRUTH",
    "pair_called",
]

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evalstats import _lexicon
from evalstats.io.columns.conditions import Seen, pairs_in_columns
from evalstats.io.columns.roles import columns_called
from evalstats.io.sources.numbers import number_in
from evalstats.io.sources.rule import Example, Match, Rule, Stage
from evalstats.tables.errors import short
from evalstats.tables.names import texts_of

# columns that only results of tests or models have, and those that stand beside them
_STATISTICS = frozenset(_lexicon.word_list("statistics.certain"))
_BESIDE = frozenset(_lexicon.word_list("statistics.beside"))
_CURVES = ({"fpr", "tpr"}, {"precision", "recall", "threshold"}, {"precision", "recall", "thresholds"})
_FEATURES = ("feature", "features", "variable", "predictor", "feature_name")
_COUNTS = ("count", "counts", "freq", "frequency", "proportion")
_SCORES = "give one score for each dataset and classifier, or the predictions"

# columns of the ratings of several readers
READERS = ("reader", "reader_id", "readerid", "annotator", "rater", "seed")
TREATMENTS = ("treatment", "modality", "modality_id", "modalityid", *_lexicon.CLASSIFIER_COLUMNS)
INSTANCES = ("case", "case_id", "caseid", "patient", "patient_id", *_lexicon.PREDICTION_COLUMNS["instance"])
TRUE_LABELS = ("truth", *_lexicon.PREDICTION_COLUMNS["y_true"], *_lexicon.TRUE_AT_LAST)
RATINGS = ("rating", *_lexicon.PREDICTION_COLUMNS["y_score"], *_lexicon.GENERIC_SCORE_COLUMNS)
# iMRMC writes the true labels as the scores of this reader
TRUTH = "truth"


def statistics(seen: Seen) -> Match | None:
    """Find results of tests or models: a table with only estimates, standard errors, statistics or p-values."""
    grid = seen.grid
    if grid.is_held or columns_called(grid, _lexicon.DATASET_COLUMNS):
        return None
    words = {_lexicon.plain_name(name): j for j, name in enumerate(grid.header) if name}
    found = [grid.header[j] for word, j in words.items() if word in _STATISTICS]
    if len(found) < 2:
        return None
    others = [j for word, j in words.items() if j and word not in _STATISTICS | _BESIDE]
    if any(number_in(cell, ".") is not None for j in others for cell in grid.columns[j]):
        return None
    return {"first": short(found[0]), "second": short(found[1])}


def search(seen: Seen) -> Match | None:
    """Find the results of a scikit-learn search that the reader of the format does not recognize."""
    names = seen.grid.header
    is_so = "params" in names and any(name.startswith("split0_test_") for name in names)
    return {} if is_so else None


def described_rows(seen: Seen) -> Match | None:
    """Find summary statistics of columns, as ``describe().T`` of pandas returns them."""
    names = {_lexicon.simplified(name) for name in seen.grid.header[1:]}
    is_so = names >= set(_lexicon.word_list("summaries.described")) and not columns_called(
        seen.grid, _lexicon.DATASET_COLUMNS
    )
    return {} if is_so else None


def curve(seen: Seen) -> Match | None:
    """Find the points of a curve of one classifier."""
    names = [_lexicon.simplified(name) for name in seen.grid.header if name]
    return {} if any(own <= set(names) and len(names) <= len(own) + 1 for own in _CURVES) else None


def several_readers(seen: Seen) -> Match | None:
    """Find ratings of several readers for each treatment and instance. Seeds denote runs, not readers."""
    grid = seen.grid
    readers, *others = (columns_called(grid, known) for known in (READERS, TREATMENTS, INSTANCES, RATINGS))
    readers = [j for j in readers if j not in columns_called(grid, _lexicon.SEED_COLUMNS)]
    if grid.is_held or not readers or not all(others) or columns_called(grid, _lexicon.DATASET_COLUMNS):
        return None
    names, treatments, instances = (texts_of(grid.columns[j]) for j in (readers[0], others[0][0], others[1][0]))
    if TRUTH not in names and not columns_called(grid, TRUE_LABELS):
        return None
    rated = [key for name, *key in zip(names, treatments, instances, strict=True) if name != TRUTH]
    is_rated_again = len(set(map(tuple, rated))) < len(rated) and len(set(names) - {TRUTH}) > 1
    column = grid.header[readers[0]]
    return {"column": short(column), "value": column} if is_rated_again else None


def importances(seen: Seen) -> Match | None:
    """Find feature importances of one classifier."""
    header = [_lexicon.simplified(name) for name in seen.grid.header]
    names = [name for name in header if "importance" in name]
    return {"column": short(names[0])} if names and any(name in _FEATURES for name in header) else None


def one_count(seen: Seen) -> Match | None:
    """Find a column of counts next to a column of names, as ``value_counts`` of pandas returns it."""
    header = seen.grid.header
    is_so = (
        len(header) == 2
        and _lexicon.simplified(header[1]) in _COUNTS
        and not _lexicon.is_called(header[0], _lexicon.DATASET_COLUMNS)
    )
    return {"column": short(header[1])} if is_so else None


# columns that count wins, or hold the outcome of one side
_WINS = re.compile(r"(?<![^\W_])(wins?|won|score_?[ab12])(?![^\W_])")


def pair_called(names: Mapping[str, str], *lists: str) -> tuple[str, str] | None:
    """Return the columns of the first pair of words in these lists that both occur; `names` maps words to columns."""
    pairs = (pair.split("/") for pair in _lexicon.word_list(*lists))
    return next(((names[a], names[b]) for a, b in pairs if {a, b} <= names.keys()), None)


def battles(seen: Seen) -> Match | None:
    """Find battles: columns of two models and the winner, or of the winner and the loser."""
    names = {_lexicon.simplified(name): name for name in seen.grid.header}
    winner = next((short(names[word]) for word in _lexicon.word_list("battles.winner") if word in names), None)
    pair = pair_called(names, "battles.models", *["battles.sides"] * (winner is not None))
    if winner is not None and pair is None:
        found = pairs_in_columns(seen)
        return None if found is None else {**found, "winner": winner, "value": ""}
    if pair is None:
        return None
    winner = winner or next((f"perhaps {short(own)}" for name, own in names.items() if _WINS.search(name)), None)
    if winner is None:
        return None
    return {"first": short(pair[0]), "second": short(pair[1]), "winner": winner}


def matrix_of_wins(seen: Seen) -> Match | None:
    """Find a square matrix of wins: each row counts the wins of a model against the models of the columns."""
    grid = seen.grid
    names = grid.header[1:]
    if not 1 < len(names) == len(grid.numbers) or grid.is_held or texts_of(grid.columns[0]) != names:
        return None
    cells = [[number_in(cell, ".") for cell in column] for column in grid.columns[1:]]
    diagonal = {own for i, column in enumerate(cells) if (own := column[i]) is not None and not math.isnan(own)}
    pairs = [(cells[j][i], cells[i][j]) for j in range(len(names)) for i in range(j)]
    wins = [(x, y) for x, y in pairs if x is not None and y is not None and min(x, y) >= 0]
    if len(wins) < len(pairs):
        return None
    if all(x % 1 == y % 1 == 0 for x, y in wins) and diagonal <= {0.0}:
        return {
            "what": "counts",
            "rest": "bradley_terry_from_counts() in Python takes such counts, with 0 on the diagonal",
        }
    whole = next((whole for whole in (1, 100) if all(abs(x + y - whole) < 0.011 * whole for x, y in wins)), 0)
    if whole and diagonal <= {0.0, whole / 2}:
        return {"what": "rates", "rest": "the numbers of battles are missing"}
    return None


def _rule(
    code: str,
    applies: Callable[[Any], Match | None],
    sentence: str,
    refused: Sequence[dict[str, Any] | str],
    read: Sequence[dict[str, Any]],
    hint: str = _SCORES,
    option: str = "",
) -> Rule:
    examples = (*(Example(data=one) for one in refused), *(Example(data=one, applies=False) for one in read))
    return Rule(
        code=code,
        stage=Stage.TABLE,
        applies=applies,
        sentence=f"{{name}} {sentence}",
        hint=hint,
        option=option,
        examples=examples,
    )


_WIDE: dict[str, Any] = {"dataset": ["iris", "wine"], "NB": [0.8, 0.9], "SVM": [0.7, 0.6]}
_HOW = "compare takes battles in the columns model_a, model_b and winner; a winner is model_a, model_b or tie"
_RATED: dict[str, list[Any]] = {
    "reader": ["R1", "R1", "R2", "R2"] * 2,
    "modality": ["CT", "MR"] * 4,
    "case": [1] * 4 + [2] * 4,
    "truth": [0] * 4 + [1] * 4,
    "rating": [0.1, 0.2, 0.3, 0.1, 0.9, 0.6, 0.8, 0.7],
}
OTHER_RESULTS = (
    _rule(
        "several-readers",
        several_readers,
        "holds the ratings of several readers, in the column {column}",
        [
            _RATED,
            {
                "readerID": ["truth", "truth", *_RATED["reader"]],
                "caseID": [1, 2, *_RATED["case"]],
                "modalityID": ["truth", "truth", *_RATED["modality"]],
                "score": [0, 1, *_RATED["rating"]],
            },
        ],
        [_RATED | {"reader": ["R1"] * 8}, _WIDE],
        "to compare the treatments over the readers, pass {} (in Python, to compare_readers)",
        "reader",
    ),
    _rule(
        "battles",
        battles,
        "holds battles: {first} and {second} name pairs of models, and {winner} the winner",
        [
            {"model_a": ["x", "y"], "model_b": ["y", "z"], "winner": ["model_a", "tie"]},
            {"prompt": [1, 2], "left": ["x", "y"], "right": ["y", "z"], "winner": ["x", "z"]},
            {"winner": ["x", "y"], "loser": ["y", "z"], "n": [3, 2]},
            {"model_a": ["x", "y"], "model_b": ["y", "z"], "wins_a": [60, 70], "wins_b": [40, 30]},
            {"model_1": ["x", "y"], "model_2": ["y", "z"], "score_1": [1, 0.5]},
        ],
        [_WIDE | {"winner": ["NB", "NB"]}, {"dataset": ["iris", "wine"], "left": [0.9, 0.8], "right": [0.7, 0.6]}],
        _HOW,
    ),
    _rule(
        "matrix-of-wins",
        matrix_of_wins,
        "holds {what} of wins of the model in each row over the model in each column, not scores: {rest}",
        [
            {"": ["x", "y"], "x": [0, 3], "y": [5, 0]},
            {"": ["x", "y", "z"], "x": ["", 0.6, 0.3], "y": [0.4, "", 0.8], "z": [0.7, 0.2, ""]},
        ],
        [_WIDE, {"": ["NB", "SVM"], "NB": [0.8, 0.9], "SVM": [0.7, 0.6]}],
        f"give the individual battles: {_HOW}",
    ),
    _rule(
        "statistics",
        statistics,
        "holds results of a statistical test or model, such as {first} and {second}, and not scores",
        [
            {"term": ["a", "b"], "estimate": [0.7, 0.1], "std.error": [0.1, 0.1], "p.value": [0.1, 0.2]},
            {"": ["C(model)", "Residual"], "df": [3, 15], "sum_sq": [0.1, 0.2], "F": [1.2, ""], "PR(>F)": [0.3, ""]},
            {"group1": ["LR", "LR"], "group2": ["NB", "SVM"], "meandiff": [0.1, 0.2], "p-adj": [0.4, 0.3]},
        ],
        [_WIDE | {"t": [1.2, 1.3], "p": [0.2, 0.3]}, {"dataset": ["a", "b"], "p": [0.9, 0.8], "q": [0.8, 0.7]}],
    ),
    _rule(
        "search",
        search,
        "holds the results of a hyperparameter search by scikit-learn, and its cells may be truncated",
        ["<table><tr><th>params</th><th>split0_test_score</th></tr><tr><td>{'C': 1}</td><td>0.9</td></tr></table>"],
        [_WIDE],
        "write cv_results_ with pandas.DataFrame(cv_results_).to_csv()",
    ),
    _rule(
        "described-rows",
        described_rows,
        "describes the columns of another table, as describe() of pandas does",
        [
            {
                "": ["NB", "SVM"],
                "count": [6, 6],
                "mean": [0.8, 0.7],
                "25%": [0.7] * 2,
                "50%": [0.8] * 2,
                "75%": [0.9] * 2,
            }
        ],
        [_WIDE],
        "give that table",
    ),
    _rule(
        "curve",
        curve,
        "holds the points of a curve of one classifier",
        [{"fpr": [0, 0.5, 1], "tpr": [0, 0.8, 1], "threshold": [1, 0.5, 0]}],
        [_WIDE | {"fpr": [0.1, 0.2]}],
    ),
    _rule(
        "importances",
        importances,
        "holds the feature importances of one classifier in {column}",
        [
            {"feature": ["age", "sex"], "importance": [0.7, 0.3]},
            {"feature": ["a", "b"], "importances_mean": [0.1, 0.2]},
        ],
        [_WIDE],
    ),
    _rule(
        "one-count",
        one_count,
        "holds counts in {column}, but no scores",
        [{"label": ["cat", "dog"], "count": [12, 30]}],
        [{"dataset": ["iris", "wine"], "count": [0.8, 0.9], "SVM": [0.7, 0.6]}],
    ),
)
