"""Reader of battles: votes of an arena, AlpacaEval, Arena-Hard and plain tables of model_a, model_b and winner."""

from __future__ import annotations

__all__ = ["holds_battles", "read_battles"]

import contextlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import EvalstatsError, listed
from evalstats._findings import Finding
from evalstats._lexicon import simplified, word_list
from evalstats._types import FloatArray
from evalstats.io.columns.other_results import pair_called
from evalstats.io.reader.opening import open_source
from evalstats.io.sources.numbers import as_float
from evalstats.io.sources.source import Seen
from evalstats.multiple.battle_model.cells import WINNERS
from evalstats.tables.battles import Battles
from evalstats.tables.errors import TableError, short

ARENA, ONE_HOT = ("model_a", "model_b", "winner"), ("winner_model_a", "winner_model_b", "winner_tie")
ALPACA = ("generator_1", "generator_2", "preference")
HARD = ("question_id", "model", "games")
# columns of clusters that are recognized: of prompts, and of annotators
PROMPTS = ("question_id", "instruction", "prompt_id", "prompt", "evaluation_session_id", "session_id")
ANNOTATORS = ("judge", "annotator", "user", "user_id")
# the answers of AlpacaEval, whose lengths are in characters
ANSWERS = ("output_1", "output_2")
VERDICTS = {"A>>B": 1.0, "A>B": 1.0, "A=B": 0.5, "B=A": 0.5, "B>A": 0.0, "A<B": 0.0, "B>>A": 0.0, "A<<B": 0.0}
STYLE = ("sum_assistant_{}_tokens", "header_count_{}", "list_count_{}", "bold_count_{}")
METADATA = "conv_metadata"
# other words for a winner than those of `WINNERS`, in small letters
WORDS = {
    **dict.fromkeys(word_list("battles.first"), "model_a"),
    **dict.fromkeys(word_list("battles.second"), "model_b"),
    **dict.fromkeys(word_list("battles.tie"), "tie"),
    **dict.fromkeys(word_list("battles.both_bad"), "both_bad"),
    **{verdict.casefold(): {1.0: "model_a", 0.5: "tie", 0.0: "model_b"}[value] for verdict, value in VERDICTS.items()},
}
EMPTY = ("", "nan", "none", "null", "na", "n/a")

Columns = dict[str, list[Any]]


def holds_battles(
    source: Any, *, delimiter: str | None = None, encoding: str = "utf-8", sheet: str | None = None
) -> bool:
    """Return whether a source has the columns of battles. A stream keeps its position."""
    is_stream = hasattr(source, "seekable") and source.seekable()
    is_path = isinstance(source, str | os.PathLike) and os.path.isfile(source)
    # a lazy frame would have to be computed to name its columns
    is_frame = type(source).__name__ == "DataFrame" and type(source).__module__.startswith(("pandas", "polars"))
    if not is_stream and not is_path and not is_frame and not isinstance(source, dict | list):
        return False
    with contextlib.suppress(EvalstatsError):  # the reader of tables reports the error
        seen = open_source(source, delimiter, encoding, sheet)
        return not (is_stream and seen.kind == "frame") and _format_of(seen) is not None
    return False


def read_battles(
    source: Any,
    *,
    cluster: str | Sequence[str] | None = None,
    covariates: Sequence[str] = (),
    strong_weight: float = 1.0,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    sheet: str | None = None,
) -> Battles:
    """Read battles of two models from a file, a data frame or a list of records.

    Parameters
    ----------
    source : path, data frame, dict of columns or list of dicts
        One row for each battle, in one of three forms. The form of LMArena and FastChat has ``model_a``, ``model_b``
        and ``winner``. The winner is ``model_a``, ``model_b``, ``tie``, ``both_bad`` or ``tie (bothbad)``. It can also
        be the name of the model that won, or a word such as ``A``, ``left`` or ``[[A]]``. The columns can also be
        ``model_1``, ``model_2`` and ``outcome``, with 1 and 2, and the winner can be in the three columns
        ``winner_model_a``, ``winner_model_b``, ``winner_tie``. The form of AlpacaEval has ``generator_1``,
        ``generator_2`` and ``preference`` from 1 to 2. The values 1.5 and 0 denote ties, and rows without a preference
        are left out. The form of Arena-Hard (JSON lines) has ``question_id``, ``model`` and two ``games`` against the
        baseline. The answers are swapped in the second game.
    cluster : str or sequence of two str, optional
        Columns of the clusters. By default, a column of prompts is recognized (``question_id``, ``instruction``, a
        session) or, without such a column, a column of annotators (``judge``, ``annotator``). A column whose values are
        all equal is not used. If all prompts differ, each battle is its own cluster. With ``''``, the battles are
        treated as independent.
    covariates : sequence of str, default: ()
        The strengths are adjusted for these covariates: ``'position'``, ``'style'`` or names of pairs of columns, such
        as ``'length'`` for ``length_a`` and ``length_b``. ``'style'`` means the numbers of tokens, headers, lists and
        bold words in ``conv_metadata``. Without these two columns, ``'length'`` is the number of characters in the
        answers of AlpacaEval, or the number of tokens in ``conv_metadata``. A property x enters the model as (x_a -
        x_b) / (x_a + x_b + 1).
    strong_weight : float, default: 1.0
        Weight of the strong verdicts ``>>`` of Arena-Hard. Its authors use 3.
    delimiter : str, optional
        The character between the fields of a text file. By default, the most frequent of tab, semicolon, comma and
        ``|`` in the header line outside quotes (for ties, the first of them).
    encoding : str, default: 'utf-8'
        The encoding of a text file. A byte order mark is skipped.
    sheet : str, optional
        The sheet of an Excel file. The default is the only sheet that holds a table.

    Returns
    -------
    Battles
        The battles, for `evalstats.compare`.

    Raises
    ------
    TableError
        If the columns of battles are missing, if a winner is unknown, or if a model has a battle against itself. The
        message names the row.

    Examples
    --------
    >>> from evalstats.io import read_battles
    >>> rows = {"model_a": ["A", "B"], "model_b": ["B", "C"], "winner": ["model_a", "tie"], "question_id": [1, 2]}
    >>> battles = read_battles(rows)
    >>> battles.winner, tuple(battles.clusters)
    (('model_a', 'tie'), ('question_id',))
    """
    seen = open_source(source, delimiter, encoding, sheet)
    kind = _format_of(seen)
    if kind is None:
        raise TableError(f"{seen.name} has no battles: the columns model_a, model_b and winner are missing")
    columns = _columns(seen)
    weight, strong_weight = None, _checks.finite_real(strong_weight, "strong_weight")
    findings: list[Finding] = []
    if kind == "alpaca-eval":
        columns = _of_alpaca(columns, seen.name, findings)
    elif kind == "arena-hard":
        columns, weight = _of_hard(columns, seen.name, strong_weight)
    elif columns.keys() >= set(ONE_HOT):
        columns["winner"] = _of_three(columns, seen.name)
    else:
        columns |= {own: columns[name] for own, name in zip(ARENA, _of_arena(list(columns)) or ARENA, strict=True)}
    a, b = ([_name(value) for value in columns[name]] for name in ("model_a", "model_b"))
    winner = columns["winner"] if kind != "arena" else _words(columns["winner"], a, b, seen.name)
    for row, (first, second) in enumerate(zip(a, b, strict=True), start=1):
        if first == second:
            raise TableError(f"{seen.name}, row {row}: the model {short(first)} has a battle against itself")
    adjusted = [_checks.text(name, "covariates") for name in _checks.listed(covariates, "covariates", "names")]
    clusters = _clusters(columns, cluster, seen.name, findings)
    sides = _sides(columns, [name for name in adjusted if name != "position"], seen.name)
    return Battles(
        model_a=tuple(a),
        model_b=tuple(b),
        winner=tuple(winner),
        clusters=clusters,
        covariates={key: (a - b) / (a + b + 1) for key, (a, b) in sides.items()},
        length_difference=sides["length"][0] - sides["length"][1] if "length" in sides else None,
        position="position" in adjusted,
        weight=weight,
        source=seen.file,
        format=kind,
        findings=tuple(findings),
    )


def _format_of(seen: Seen) -> str | None:
    if seen.kind in ("text", "frame"):
        names = set(seen.header)
        if _of_arena(seen.header) is not None or names.issuperset({*ARENA[:2], *ONE_HOT}):
            return "arena"
        return "alpaca-eval" if names.issuperset(ALPACA) else None
    face = seen.face if seen.kind in ("json", "json-lines", "document") else ""
    if _of_arena(re.findall(r'"([^"\\]+)"\s*:', face)) is not None:
        return "arena"
    for name, keys in (("arena", ARENA), ("alpaca-eval", ALPACA), ("arena-hard", HARD)):
        if all(key in face for key in keys):
            return name
    return None


def _of_arena(header: Sequence[str]) -> tuple[str, str, str] | None:
    """Return the columns of the two models and of the winner, if they have known names."""
    named = {simplified(name): name for name in reversed(header)}
    winner = next((named[word] for word in word_list("battles.outcome") if word in named), None)
    found = pair_called(named, "battles.models")
    return None if winner is None or found is None else (*found, winner)


def _columns(seen: Seen) -> Columns:
    """Return the columns of a table, or of a list of records. A field that a record lacks is None."""
    if seen.kind in ("text", "frame"):
        grid = seen.grid
        if not len(grid.numbers):
            raise TableError(f"{seen.name} has no row of battles")
        return {name: list(column) for name, column in zip(grid.header, grid.columns, strict=True)}
    rows = [row for _, row in seen.records()] if seen.kind == "json-lines" else seen.document
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise TableError(f"{seen.name} must be a list of battles, each with its model_a, model_b and winner")
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _name(value: Any) -> str:
    return str(value.item() if hasattr(value, "item") else value)


def _is_empty(value: Any) -> bool:
    return value is None or str(value).strip().lower() in EMPTY


def _words(values: list[Any], a: list[str], b: list[str], name: str) -> list[str]:
    """Convert winners to the words in `WINNERS`; names of the two models, and words such as A or left, are accepted.

    The numbers 1 and 2 denote the first and the second model. The meaning of 0 and 1 is unknown.
    """
    texts = [_name(value) for value in values]
    numbers = {"1": "model_a", "2": "model_b"} if "2" in texts and "0" not in texts else {}
    others = WORDS | numbers
    if not others.keys().isdisjoint(map(str.casefold, {*a, *b})):
        others = {}
    words = []
    for row, (text, *models) in enumerate(zip(texts, a, b, strict=True), start=1):
        word = {models[0]: "model_a", models[1]: "model_b"}.get(text, text)
        if word not in WINNERS:
            word = others.get(simplified(text.strip(" []")), text)
        if word not in WINNERS:
            rule = "the winner must be model_a, model_b, tie or both_bad, or one of the two models"
            raise TableError(f"{name}, row {row}: {rule}, not {short(text)}")
        words.append(word)
    return words


def _of_three(columns: Columns, name: str) -> list[str]:
    words = []
    for row, cells in enumerate(zip(*(columns[one] for one in ONE_HOT), strict=True), start=1):
        ones = [str(cell).strip() in ("1", "1.0", "True", "true") for cell in cells]
        if sum(ones) != 1:
            raise TableError(f"{name}, row {row}: exactly one of {', '.join(ONE_HOT)} must be 1")
        words.append(("model_a", "model_b", "tie")[ones.index(True)])
    return words


def _of_alpaca(columns: Columns, name: str, findings: list[Finding]) -> Columns:
    """Convert the columns of AlpacaEval to battles; drop rows without a preference, with a note."""
    kept = [row for row, value in enumerate(columns["preference"]) if not _is_empty(value)]
    if lost := len(columns["preference"]) - len(kept):
        sentence = f"Comparisons without a preference were left out: {lost:,}."
        findings.append(Finding(code="no-preference", severity="note", sentence=sentence))
    outcome = []
    for row in kept:
        try:
            value = as_float(columns["preference"][row])
        except (TypeError, ValueError):
            value = np.nan
        if not (value == 0 or 1 <= value <= 2):
            rule = "the preference must be between 1 and 2, or 0 for a tie"
            raise TableError(f"{name}, row {row + 1}: {rule}, not {short(columns['preference'][row])}")
        outcome.append(0.5 if value == 0 else 2 - value)
    own = {key: [values[row] for row in kept] for key, values in columns.items()}
    return own | {"model_a": own["generator_1"], "model_b": own["generator_2"], "winner": outcome}


def _of_hard(columns: Columns, name: str, strong_weight: float) -> tuple[Columns, FloatArray]:
    """Convert Arena-Hard judgments to one battle for each game. The models are swapped in the second game."""
    made: Columns = {key: [] for key in ("model_a", "model_b", "winner", "question_id", "judge")}
    weight = []
    judges = columns.get("judge") or [None] * len(columns["model"])
    for row, (question, model, games, judge) in enumerate(
        zip(columns["question_id"], columns["model"], columns["games"], judges, strict=True), start=1
    ):
        for game, one in enumerate(games):
            score = one.get("score") if isinstance(one, Mapping) else None
            if score is None:
                continue
            if score not in VERDICTS:
                raise TableError(f"{name}, row {row}: the score must have a form such as A>B, not {short(score)}")
            sides = ("baseline", str(model)) if game == 0 else (str(model), "baseline")
            for key, value in zip(made, (*sides, VERDICTS[score], question, judge), strict=True):
                made[key].append(value)
            weight.append(strong_weight if ">>" in score or "<<" in score else 1.0)
    return made, np.array(weight)


def _clusters(columns: Columns, cluster: Any, name: str, findings: list[Finding]) -> dict[str, tuple[Any, ...]]:
    if isinstance(cluster, str) and not cluster:
        return {}
    if cluster is None:
        found = _numbers_of_clusters(columns, PROMPTS) or _numbers_of_clusters(columns, ANNOTATORS)
        chosen = ([one for one, count in found.items() if count < len(columns[one])] or list(found))[:1]
    else:
        several = [cluster] if isinstance(cluster, str) else _checks.listed(cluster, "cluster", "names")
        chosen = [_checks.text(one, "cluster") for one in several]
        chosen = [part for one in chosen for part in ([one] if one in columns else one.split(","))]
        for one in chosen:
            if one not in columns:
                raise TableError(f"{name} has no column {short(one)}; its columns are {listed(list(columns))}")
    if chosen:
        sentence = f"Battles with the same {' or the same '.join(chosen)} form one cluster."
    else:
        sentence = "No column of several prompts or annotators was found, so each battle counts as independent."
    findings.append(Finding(code="clusters-of-battles", severity="note", sentence=sentence))
    return {one: tuple(map(_name, columns[one])) for one in chosen}


def _numbers_of_clusters(columns: Columns, names: Sequence[str]) -> dict[str, int]:
    """Count the clusters in each column of these names, without columns with empty cells or a single cluster."""
    own = [one for one in names if one in columns and not any(map(_is_empty, columns[one]))]
    counts = {one: len(set(map(_name, columns[one]))) for one in own}
    return {one: count for one, count in counts.items() if count > 1}


def _sides(columns: Columns, names: list[str], name: str) -> dict[str, list[FloatArray]]:
    """Return the values of each covariate for the answers of model_a and of model_b."""
    made = {}
    for one in names:
        if one == "style":
            for key in STYLE:
                made[key.format("").replace("__", "_").strip("_")] = _of_metadata(columns, key, name)
        elif all(f"{one}_{side}" in columns for side in "ab"):
            made[one] = [np.array([_total(value) for value in columns[f"{one}_{side}"]]) for side in "ab"]
        elif one == "length" and all(answer in columns for answer in ANSWERS):
            made[one] = [np.array([float(len(str(text))) for text in columns[answer]]) for answer in ANSWERS]
        elif one == "length" and METADATA in columns:
            made[one] = _of_metadata(columns, STYLE[0], name)
        else:
            raise TableError(f"{name} has no columns {one}_a and {one}_b")
    return made


def _of_metadata(columns: Columns, key: str, name: str) -> list[FloatArray]:
    if METADATA not in columns:
        raise TableError(f"{name} has no column {METADATA} with the style of the answers")
    data = [json.loads(value) if isinstance(value, str) else value for value in columns[METADATA]]
    return [np.array([_total(row.get(key.format(side))) for row in data]) for side in "ab"]


def _total(value: Any) -> float:
    """Convert a value to a float; for a dict of counts, return their sum."""
    return as_float(sum(value.values())) if isinstance(value, Mapping) else as_float(value or 0)
