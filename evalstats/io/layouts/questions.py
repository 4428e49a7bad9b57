"""Answers of each model to each question of each benchmark: a long or a wide table.

Each row is an answer of a model to a question of a stratum (a benchmark), perhaps one of several sampled
answers. Questions may be correlated within clusters, such as passages, documents or users. The module reads plain
tables; the formats read the output of evaluation programs.
"""

from __future__ import annotations

__all__ = [
    "DROP_CASES",
    "FILLED",
    "are_labels_in_clusters",
    "item_cells",
    "key_columns",
    "long_items",
    "looks_like_items",
    "questions_dropped",
]

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from evalstats import _lexicon
from evalstats._errors import InvalidValueError, examples
from evalstats._findings import Finding, LeftOut, note
from evalstats._types import BoolArray, FloatArray, IndexArray
from evalstats.io.columns import roles
from evalstats.io.columns.computed import refuse_contradictions
from evalstats.io.columns.grammar import count_on
from evalstats.io.columns.summaries import names_in, rows_of_long, truths_in
from evalstats.io.layouts import candidate
from evalstats.io.layouts.labels import refuse_shares
from evalstats.io.layouts.wide_predictions import PREDICTED
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import is_missing, number_in
from evalstats.metrics.directions import direction_of
from evalstats.tables.categorical import CodedColumn, Subgroups, coded, distinct_cells, subgroups_in
from evalstats.tables.errors import TableError, short
from evalstats.tables.items import QuestionScores, unscored
from evalstats.tables.names import natural_order, text_of, texts_of, two_writings

_NUMBERED = re.compile(r"(.{0,30}?)(\d{1,9})", re.ASCII)
ONE_STRATUM = "all questions"
DROP_CASES = "drop-instances"
FILLED = ("zero", "worst")  # values of `missing` that fill in a score of a log


def looks_like_items(grid: Grid, score: str | None) -> bool:
    """Return whether column names show that each row is an answer of a model to a question."""
    named = [
        roles.columns_called(grid, known)
        for known in (
            _lexicon.CLASSIFIER_COLUMNS,
            _lexicon.ITEM_COLUMNS,
            (*_lexicon.RIGHT_COLUMNS, *_lexicon.ITEM_SCORE_COLUMNS)
            if score is None
            else (_lexicon.simplified(text_of(score)),),
        )
    ]
    if not all(named):
        return False
    classifier, item, _ = named
    is_sure = roles.columns_called(grid, _lexicon.RIGHT_COLUMNS) or any(
        _lexicon.is_called(grid.header[j], _lexicon.QUESTION_COLUMNS) for j in item
    )
    return bool(is_sure) and any(number_in(cell, ".") is None for cell in grid.columns[classifier[0]])


def are_labels_in_clusters(grid: Grid, metric: str | None, columns: Mapping[str, str | None]) -> bool:
    """Return whether a cluster column belongs to predictions: there are true labels, and no scores of answers."""
    if columns.get("cluster") is None or columns.get("score") is not None:
        return False
    is_labeled = columns.get("y_true") is not None or roles.columns_of(grid, "y_true")
    return bool(is_labeled) and not roles.columns_called(grid, _names_of_scores(metric))


def item_cells(
    grid: Grid, decimal: str, metric: str | None, columns: dict[str, str | None], choices: Any
) -> candidate.Cells:
    """Read answers to questions. The scores of the table are the means over the questions of each benchmark."""
    candidate.refuse_choices(choices, "answers")
    c = roles.key_column(grid, columns["classifier"], "classifier", _lexicon.CLASSIFIER_COLUMNS)
    dropped = names_in(choices.get("drop"), "drop")
    gone = {j for j, name in enumerate(grid.header) if name in dropped}
    keys = key_columns(grid, columns, c, gone)
    i, b, r, g, u = keys.values()
    if i is None:
        names = [name for j, name in enumerate(grid.header) if name and j not in (c, b, r)]
        raise TableError(
            f"{grid.name}: none of the columns {roles.headers(grid)} is known to name the questions",
            "choose one with {}",
            "question",
            next((name for name in names if direction_of(name) is None), next(iter(names), "")),
        )
    gone -= {c, i}
    s = _score_column(grid, columns["score"], metric, {c, i, b, r, g, u, *gone})
    _refuse_other_measure(grid, grid.header[s], metric, choices.get("greater_is_better"))
    grid, left_out = _chosen_rows(grid, c, b, gone, dropped)
    refuse_contradictions(
        grid,
        *(
            next(iter(roles.columns_called(grid, _lexicon.PREDICTION_COLUMNS[name])), None)
            for name in ("y_true", "y_pred")
        ),
    )
    models = roles.row_names(grid, c, "model")
    items = _keys(grid, i, "question")
    strata = [ONE_STRATUM] * len(items) if b is None else roles.row_names(grid, b, "benchmark")
    samples = None if r is None else _keys(grid, r, "sample")
    clusters: _Clusters | None = None
    told: tuple[Finding, ...] = ()
    if g is not None:
        names, told = _named_clusters(grid, g, strata, items)
        clusters = _Clusters(names, grid.header[g], columns["cluster"] is not None)
    _refuse_twice(grid, strata, items, models, samples)
    values = _values(grid, s, decimal)
    subgroup = None if u is None else subgroups_in(grid.header[u], grid.columns[u])
    found = _Answers(grid, strata, items, models, values, clusters, subgroup)
    used = {"classifier": c, "question": i, "stratum": b, "sample": r, "cluster": g, "score": s}
    cells = found.cells(
        metric or _metric_of(grid.header[s]),
        {name: grid.header[j] for name, j in used.items() if j is not None},
        drop=choices.get("missing") == DROP_CASES,
    )
    if g is None:
        unused = [j for j in range(len(grid.header)) if j not in used.values() and j != u]
        told = roles.possible_clusters(grid, unused, lambda: len({*zip(strata, items, strict=True)}), "questions")
    elif cells.items is None or cells.items.cluster is None:
        told = ()
    return replace(cells, left_out=left_out, findings=(*cells.findings, *told))


def _refuse_other_measure(grid: Grid, name: str, metric: str | None, greater_is_better: bool | None) -> None:
    """Reject a metric or a direction that contradicts the name of the column of the answers."""
    if not _lexicon.is_called(name, _lexicon.RIGHT_COLUMNS):
        candidate.refuse_other_metric(grid, name, metric, greater_is_better)
        return
    if greater_is_better is False:
        raise InvalidValueError(
            f"greater_is_better=False is for scores, but {short(name)} says which answers are correct"
        )
    from evalstats.tables.prediction_scores import usual_name  # all metrics, a quarter of the time of the import

    if (
        metric is not None
        and not _lexicon.is_called(name, [_lexicon.simplified(metric)])
        and usual_name(metric) != "accuracy"
    ):
        problem = f"metric must be accuracy for answers that are correct or incorrect, not {short(metric)}"
        raise InvalidValueError(f"{problem}: other metrics need the true and the predicted labels")


def key_columns(grid: Grid, columns: Mapping[str, str | None], c: int | None, gone: set[int]) -> dict[str, int | None]:
    """Return the columns that identify answers, without the models: question, stratum, sample, cluster, subgroup."""
    i = _column(grid, columns.get("question"), "question", _lexicon.ITEM_COLUMNS, {c})
    as_stratum = "dataset" if columns.get("stratum") is None and columns.get("dataset") is not None else "stratum"
    gone = gone - {i}
    b = _column(grid, columns.get(as_stratum), as_stratum, _lexicon.STRATUM_COLUMNS, {c, i, *gone})
    r = _column(grid, columns.get("repeat"), "repeat", _lexicon.SAMPLE_COLUMNS, {c, i, b, *gone})
    g = _column(grid, columns.get("cluster"), "cluster", _lexicon.CLUSTER_COLUMNS, {c, i, b, r, *gone})
    u = None if columns.get("subgroup") is None else _column(grid, columns["subgroup"], "subgroup", (), set())
    return {"question": i, "stratum": b, "sample": r, "cluster": g, "subgroup": u}


def _chosen_rows(
    grid: Grid, c: int, b: int | None, gone: set[int], dropped: set[str]
) -> tuple[Grid, tuple[LeftOut, ...]]:
    """Drop the models and benchmarks that the caller names. No name is dropped automatically."""
    told = tuple(LeftOut(what="column", name=grid.header[j], reason="was excluded on request") for j in sorted(gone))
    drop = dropped.difference(grid.header[j] for j in gone)
    at = [j for j in (c, b) if j is not None]
    if not drop:
        return grid, told
    names = {text_of(cell) for j in at for cell in grid.columns[j]}
    kept, of_rows = rows_of_long(grid, at, drop, sorted(names - drop))
    return kept, told + of_rows


class _Clusters(NamedTuple):
    """Cluster of each answer, with the column of clusters and whether the caller named it."""

    names: list[str]
    column: str
    is_told: bool


class _Answers:
    """The answers of a table by model and question."""

    def __init__(
        self,
        grid: Grid,
        strata: list[str],
        items: list[str],
        models: list[str],
        values: FloatArray,
        clusters: _Clusters | None,
        subgroup: Subgroups | None,
    ) -> None:
        self.grid, self.values = grid, values
        self.classifiers = sorted(set(models), key=natural_order)
        self.strata = sorted(set(strata), key=natural_order)
        keys = list(zip(strata, items, strict=True))
        self.keys = sorted(set(keys), key=lambda key: (natural_order(key[0]), natural_order(key[1])))
        number = {key: i for i, key in enumerate(self.keys)}
        column = {name: j for j, name in enumerate(self.classifiers)}
        self.item = np.fromiter(map(number.__getitem__, keys), np.intp, len(keys))
        self.model = np.fromiter(map(column.__getitem__, models), np.intp, len(keys))
        self.cluster = None if clusters is None else self._clusters(keys, clusters)
        self.subgroup = None if subgroup is None else self._subgroups(subgroup)

    def cells(self, metric: str, used: dict[str, str], *, drop: bool) -> candidate.Cells:
        shape = len(self.keys), len(self.classifiers)
        answered = ~np.isnan(self.values)
        all_at = np.ravel_multi_index((self.item, self.model), shape)
        at, values, size = all_at[answered], self.values[answered], shape[0] * shape[1]
        n_samples = np.bincount(at, minlength=size).reshape(shape)
        with np.errstate(invalid="ignore"):
            means = np.bincount(at, values, size).reshape(shape) / n_samples
        squares = (values - means.ravel()[at]) ** 2
        within: FloatArray = np.bincount(at, squares, size).reshape(shape).astype(np.float64)
        kept: BoolArray = np.all(n_samples > 0, axis=1)
        is_short = (n_samples == 0) | (n_samples < np.bincount(all_at, minlength=size).reshape(shape))
        if is_short.any() and not drop:
            raise self._missing(is_short)
        if not kept.any():
            raise TableError(f"{self.grid.name}: no question was answered by all models")
        names = {name: b for b, name in enumerate(self.strata)}
        stratum = np.array([names[key[0]] for key in self.keys], dtype=np.intp)
        if lost := [name for b, name in enumerate(self.strata) if not (stratum[kept] == b).any()]:
            raise TableError(f"{self.grid.name}: no question of {examples(lost)} was answered by all models")
        items = QuestionScores(
            questions=tuple(key[1] for key, is_kept in zip(self.keys, kept, strict=True) if is_kept),
            benchmark=stratum[kept],
            cluster=None if self.cluster is None else self.cluster[kept],
            scores=means[kept],
            n_samples=n_samples[kept],
            within=within[kept],
            columns=used,
            subgroup=None if self.subgroup is None else self.subgroup.at(kept),
        )
        scores = np.stack([items.scores[items.benchmark == b].mean(axis=0) for b in range(len(self.strata))])
        return candidate.Cells(
            name=self.grid.name,
            file=self.grid.file,
            metric=metric,
            greater_is_better=candidate.is_better_greater(metric),
            datasets=tuple(self.strata),
            classifiers=tuple(self.classifiers),
            scores=scores,
            is_percent=np.zeros(scores.shape, dtype=bool),
            computation=f"{metric}, mean over the questions",
            items=items,
            findings=(*self._findings(items, int((~kept).sum())), *unscored(int(is_short[kept].sum()))),
        )

    def _clusters(self, keys: list[tuple[str, str]], clusters: _Clusters) -> IndexArray | None:
        """Return the cluster of each question, or None if the column does not contain clusters."""
        of_item: dict[tuple[str, str], str] = {}
        stratum_of: dict[str, str] = {}
        for row, (key, cluster) in enumerate(zip(keys, clusters.names, strict=True)):
            place = f"{self.grid.name}, {self.grid.word} {self.grid.numbers[row]}"
            if of_item.setdefault(key, cluster) != cluster:
                if not clusters.is_told:
                    return None
                raise TableError(
                    f"{place}: the question {short(key[1])} is in the cluster {short(cluster)} here and in "
                    f"{short(of_item[key])} elsewhere, but a question belongs to one cluster"
                )
            if stratum_of.setdefault(cluster, key[0]) != key[0]:
                raise TableError(
                    f"{place}: clusters must not contain questions of several benchmarks, but {short(cluster)} "
                    "has questions of "
                    f"{short(stratum_of[cluster])} and of {short(key[0])}",
                    "if these are two clusters, give them two names; if questions are not correlated in this "
                    "way, pass {}",
                    "drop",
                    clusters.column,
                )
        numbers = {name: j for j, name in enumerate(stratum_of)}
        return np.array([numbers[of_item[key]] for key in self.keys], dtype=np.intp)

    def _subgroups(self, given: Subgroups) -> Subgroups:
        """Return the subgroup of each question, or raise an error if its rows have different subgroups."""
        first = np.full(len(self.keys), -1, dtype=np.intp)
        first[self.item[::-1]] = given.code[::-1]  # the reversed order keeps the first row of each question
        if (other := np.flatnonzero(first[self.item] != given.code)).size:
            row = int(other[0])
            key, own = self.keys[self.item[row]], first[self.item[row]]
            raise TableError(
                f"{self.grid.name}, {self.grid.word} {self.grid.numbers[row]}: the question {short(key[1])} is in the "
                f"subgroup {short(given.names[given.code[row]])} here and in {short(given.names[own])} elsewhere, but "
                "a question is in one subgroup"
            )
        return replace(given, code=first)

    def _missing(self, is_short: BoolArray) -> TableError:
        lacking = np.argwhere(is_short).tolist()
        places = examples(
            [f"{short(self.keys[i][1])} of {short(self.keys[i][0])} / {self.classifiers[j]}" for i, j in lacking]
        )
        are = "answer is" if len(lacking) == 1 else "answers are"
        problem = f"{self.grid.name}: {len(lacking):,} {are} missing: {places}"
        problem += two_writings(self.classifiers, *(dict.fromkeys(key[i] for key in self.keys) for i in (0, 1)))
        return TableError(
            problem,
            "record a failed answer as incorrect, or leave out the questions with {}",
            "missing",
            DROP_CASES,
        )

    def _findings(self, items: QuestionScores, n_dropped: int) -> list[Finding]:
        found = []
        if n_dropped:
            found.append(questions_dropped(n_dropped))
        if items.n_samples.max() > 1:
            low, high = int(items.n_samples.min()), int(items.n_samples.max())
            how_many = f"{low}" if low == high else f"{low} to {high}"
            words = f"Each question has {how_many} answers of each model; its score is their mean score."
            found.append(note("samples-averaged", words))
        if items.cluster is not None:
            n, n_questions = len(set(items.cluster.tolist())), len(items.questions)
            words = f"Questions with the same {items.columns['cluster']} may be correlated: {n_questions:,} "
            found.append(note("clusters-found", f"{words}questions in {n:,} cluster{'s' if n > 1 else ''}."))
        return found


def questions_dropped(n: int) -> Finding:
    """Return a finding with the number of questions that are dropped because some model did not answer them."""
    words = (
        f"{n:,} questions that some model did not answer are left out. The missing questions may be the "
        "difficult questions."
    )
    return replace(note("questions-dropped", words), numbers={"n_left_out": n})


def _named_clusters(grid: Grid, g: int, strata: list[str], items: list[str]) -> tuple[list[str], tuple[Finding, ...]]:
    """Return the cluster of each answer; in a benchmark without clusters, each question is a cluster."""
    clusters = texts_of(grid.columns[g])
    with_clusters = {stratum for stratum, cluster in zip(strata, clusters, strict=True) if cluster}
    told: list[Finding] = []
    if without := sorted(set(strata) - with_clusters if with_clusters else (), key=natural_order):
        alone = [stratum not in with_clusters for stratum in strata]
        clusters = [
            f"{stratum} {item}" if is_alone else cluster
            for stratum, item, cluster, is_alone in zip(strata, items, clusters, alone, strict=True)
        ]
        words = (
            f"No {grid.header[g]} is given for {examples(without)}: each of these questions is a cluster of its own."
        )
        told.append(note("questions-alone", words))
    if "" in clusters:
        raise TableError(f"{grid.place(clusters.index(''), g)}: the name of a cluster is empty")
    if (
        _lexicon.is_called(grid.header[g], _lexicon.ITEM_TEXT_COLUMNS)
        and (start := _begins_anew(strata, clusters)) is not None
    ):
        clusters = [f"{stratum} {cluster}" for stratum, cluster in zip(strata, clusters, strict=True)]
        words = f"The numbers of {grid.header[g]} begin with {start} in each benchmark: "
        told.append(note("clusters-anew", f"{words}the same number in two benchmarks is treated as two clusters."))
    return clusters, tuple(told)


def _begins_anew(strata: list[str], clusters: list[str]) -> str | None:
    """Return the first cluster if all benchmarks number their clusters consecutively from it. Otherwise return None."""
    of_stratum: dict[str, set[str]] = {}
    for stratum, cluster in zip(strata, clusters, strict=True):
        of_stratum.setdefault(stratum, set()).add(cluster)
    firsts = set()
    for own in of_stratum.values():
        parts = [_NUMBERED.fullmatch(name) for name in own]
        if None in parts:
            return None
        stems = {part[1] for part in parts if part is not None}
        numbers = sorted(int(part[2]) for part in parts if part is not None)
        if len(stems) > 1 or not count_on(numbers):
            return None
        firsts.add((stems.pop(), numbers[0]))
    stem, first = next(iter(firsts))
    return f"{stem}{first}" if len(of_stratum) > 1 and len(firsts) == 1 else None


def _keys(grid: Grid, j: int, what: str) -> list[str]:
    """Return the identifiers of questions, samples or clusters as texts. Raise an error if one is empty."""
    texts = texts_of(grid.columns[j])
    if "" in texts:
        raise TableError(f"{grid.place(texts.index(''), j)}: the name of a {what} is empty")
    return texts


def _metric_of(header: str) -> str:
    if _lexicon.is_called(header, _lexicon.RIGHT_COLUMNS):
        return "accuracy"
    return "score" if _lexicon.is_called(header, ("score", "value")) else header


def _column(
    grid: Grid, given: str | None, argument: str, known: tuple[str, ...], others: set[int | None]
) -> int | None:
    """Return the column that the caller named, or the first column with a known name."""
    if given is not None:
        return roles.column_named(grid, given, argument)
    found = {_lexicon.simplified(name): j for j, name in enumerate(grid.header) if j not in others}
    return next((found[name] for name in known if name in found), None)


def _names_of_scores(metric: str | None) -> tuple[str, ...]:
    return (
        *([] if metric is None else [_lexicon.simplified(metric)]),
        *_lexicon.RIGHT_COLUMNS,
        *_lexicon.ITEM_SCORE_COLUMNS,
    )


def _score_column(grid: Grid, given: str | None, metric: str | None, others: set[int | None]) -> int:
    if given is not None:
        return roles.column_named(grid, given, "score")
    s = _column(grid, None, "score", _names_of_scores(metric), others)
    if s is None:
        roles.refuse_true_labels(grid, others)
        may_be = [j for j in range(len(grid.header)) if j not in others and _may_be_answers(grid, j)]
        refuse_shares(grid, [j for j in may_be if roles.are_numbers(grid.columns[j])], ".")
        raise TableError(
            f"{grid.name}: none of the columns {roles.headers(grid)} is known to hold correct and incorrect answers or "
            "scores",
            "choose one with {}",
            "score",
            next((grid.header[j] for j in may_be), ""),
        )
    return s


def _may_be_answers(grid: Grid, j: int) -> bool:
    """Return whether a column without a known role holds numbers, or words for correct and incorrect."""
    return grid.header[j] in roles.without_role(grid) and all(
        text_of(cell).casefold() in _lexicon.ANSWER_WORDS or number_in(cell, ".") is not None or is_missing(cell)
        for cell in distinct_cells(grid.columns[j]).values
    )


def _values(grid: Grid, s: int, decimal: str) -> FloatArray:
    """Return answers as numbers: 1 for correct, 0 for incorrect, nan for missing, and other scores unchanged."""
    known: dict[Any, float] = {}
    values = np.empty(len(grid.numbers))
    for row, cell in enumerate(grid.columns[s]):
        key = cell if isinstance(cell, str) else text_of(cell)
        if key not in known:
            word = key.casefold()
            number = float(_lexicon.ANSWER_WORDS[word]) if word in _lexicon.ANSWER_WORDS else number_in(key, decimal)
            if number is None or math.isinf(number):
                raise TableError(
                    f"{grid.place(row, s)}: an answer must be correct (1, true), incorrect (0, false) or a "
                    "finite score, not "
                    f"{short(key)}; a failed answer counts as incorrect"
                )
            known[key] = number
        values[row] = known[key]
    return values


def _refuse_twice(
    grid: Grid, strata: list[str], items: list[str], models: list[str], samples: list[str] | None
) -> None:
    """Reject duplicate answers. Several sampled answers to a question require a column of samples."""
    rows: dict[tuple[str, ...], int] = {}
    columns = [strata, items, models] if samples is None else [strata, items, models, samples]
    for row, key in enumerate(zip(*columns, strict=True)):
        first = rows.setdefault(key, row)
        if first != row:
            sample = "" if samples is None else f", sample {short(samples[row])}"
            benchmark = "" if strata[row] == ONE_STRATUM else f" of {short(strata[row])}"
            problem = (
                f"{grid.name}, {grid.word} {grid.numbers[row]}: the answer of {short(models[row])} to "
                f"{short(items[row])}{benchmark}{sample} already occurs in {grid.word} {grid.numbers[first]}"
            )
            if samples is None:
                hint = "if a question was answered several times, name the column that counts the answers with {}; if "
                hint += "several questions belong to one document, name the column of these clusters with {cluster}"
                raise TableError(problem, hint, "repeat")
            raise TableError(problem)


# a column of classifiers belongs to a long table, and true labels make the others labels
NO_HEADS = (*_lexicon.CLASSIFIER_COLUMNS, *_lexicon.PREDICTION_COLUMNS["y_true"], *_lexicon.TRUE_AT_LAST)
# columns that the caller may name in a wide table of answers
NAMED = ("question", "dataset", "stratum", "cluster", "subgroup")


def long_items(
    grid: Grid, dropped: Collection[str], columns: Mapping[str, str | None], greater_is_better: bool | None = None
) -> Grid | None:
    """Return the long table of answers, or None if the table has no benchmarks or clusters.

    The last column is called ``correct``, or, if `greater_is_better` is False and 1 means an incorrect answer,
    ``error``.
    """
    others = (name for role, name in columns.items() if role not in NAMED)
    if any(name is not None for name in others) or roles.columns_called(grid, NO_HEADS):
        return None
    gone = {j for j, name in enumerate(grid.header) if name in dropped}
    keys = key_columns(grid, columns, None, gone)
    told = list(dict.fromkeys(j for j in keys.values() if j is not None))
    heads = [j for j in range(len(grid.header)) if j not in (*told, *gone)]
    if keys["question"] is None or (keys["stratum"] is None and keys["cluster"] is None) or len(heads) < 2:
        return None
    if any(PREDICTED.search(grid.header[j]) or truths_in(grid.columns[j]) is None for j in heads):
        return None
    candidate.refuse_names_of_losses(grid, heads, greater_is_better)
    n, m = len(grid.numbers), len(heads)
    codes = {j: coded(grid.columns[j]) for j in told}
    answers = [cell for row in zip(*(grid.columns[j] for j in heads), strict=True) for cell in row]
    return replace(
        grid,
        header=[*(grid.header[j] for j in told), "model", "error" if greater_is_better is False else "correct"],
        columns=[
            *(CodedColumn(own.values, own.codes.repeat(m)) for own in codes.values()),
            [grid.header[j] for j in heads] * n,
            answers,
        ],
        numbers=[number for number in grid.numbers for _ in heads],
        noise=(),
    )
