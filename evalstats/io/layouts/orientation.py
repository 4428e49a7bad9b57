"""Orientation of a wide table, and the conversion of two header rows to one row of names.

If the names on both axes indicate a transposed table, it is transposed with a note. If only one axis suggests the
orientation, an error names the option. An unusual shape alone leads to a note.
"""

from __future__ import annotations

__all__ = [
    "are_datasets",
    "is_turned",
    "nested_order",
    "one_level",
    "prepared",
    "refuse_unsaid_order",
    "shape_finding",
    "unsaid_order",
    "with_metrics_apart",
    "with_resamples",
    "with_runs",
    "with_runs_behind_names",
    "with_spread",
]

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from evalstats._errors import examples, listed
from evalstats._findings import Finding, LeftOut
from evalstats._lexicon import (
    CLASSIFIER_COLUMNS,
    DATASET_COLUMNS,
    ITEM_COLUMNS,
    PREDICTION_COLUMNS,
    RUN_COLUMNS,
    SEED_COLUMNS,
    is_called,
    plain_name,
    simplified,
    word_list,
)
from evalstats.io.columns.grammar import counted, is_classifier_name, is_dataset_name, runs_behind, runs_of, split_of
from evalstats.io.columns.kinds import BESIDE, Kinds, datasets_and_metrics, is_beside, of_kinds, role_of
from evalstats.io.columns.roles import NUMBERED, are_numbers, columns_called, rows_at
from evalstats.io.columns.summaries import COUNTERS, describes_classifiers, is_summary
from evalstats.io.layouts.told_rows import RUN_NAMES
from evalstats.io.sources.grid import Grid, NumberColumn, Written, only_columns, only_rows
from evalstats.io.sources.numbers import as_float, numbers_in
from evalstats.metrics.directions import direction_of, direction_of_metric
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import positions_of_repeated, text_of, texts_of

FEWEST = 2  # known names of an axis before they are evidence
FIRST = 100  # number of names that show whether they contain metrics
FEWEST_ACROSS = 12  # minimum number of columns of a table whose shape is unusual
HINT = "if the rows are classifiers, pass {}; if they are datasets, pass {not_transposed}"


def is_turned(grid: Grid) -> bool:
    """Return whether rows are classifiers and columns datasets, or raise an error if the orientation is only likely."""
    if len(grid.header) < 2:
        return False
    corner, others = grid.header[0], grid.header[1:]
    is_of_datasets = is_called(corner, DATASET_COLUMNS)
    if is_of_datasets or any(is_called(name, DATASET_COLUMNS) for name in others) or are_numbers(grid.columns[0]):
        return False
    if is_called(corner, CLASSIFIER_COLUMNS) or is_called(grid.across, DATASET_COLUMNS):
        measured = _measured(grid) or others
        if all(map(_names_scores, measured)) and not datasets_and_metrics(measured):
            raise _of_one_dataset(grid, measured)
        return True
    if is_called(grid.across, CLASSIFIER_COLUMNS):
        return False
    columns = [name for name in others if not describes_classifiers(name)]
    return _is_turned_by_names(grid, texts_of(grid.columns[0]), columns)


def _measured(grid: Grid) -> list[str]:
    """Return the columns of numbers that do not describe classifiers or scores, as sizes, spreads and ranks do.

    A mean with its spread and its number of values is the only score of a row, and other columns are settings.
    """
    roles = {name: role_of(name) for name in grid.header[1:]}
    is_mean_of_runs = {"mean", "spread", "number"} <= {*roles.values()}
    return [
        name
        for name, column in zip(grid.header[1:], grid.columns[1:], strict=True)
        if roles[name] not in BESIDE and not is_beside(name) and not describes_classifiers(name) and are_numbers(column)
        if roles[name] == "mean" or not is_mean_of_runs
    ]


def _names_scores(name: str) -> bool:
    return direction_of(name) is not None or simplified(name) in ("score", "metric", "mean")


def prepared(grid: Grid, dataset: str | None) -> tuple[Grid, tuple[LeftOut, ...]]:
    """Drop summary rows below folds or runs, and move the column of classifiers to the front."""
    grid, of_runs = _without_summaries_of_runs(grid)
    grid, beside = with_classifiers_first(grid, dataset)
    return grid, of_runs + beside


def with_resamples(grid: Grid) -> Grid:
    """Convert cells that name folds and repeats to columns of their numbers. The column may have any name.

    caret writes ``Fold01.Rep2`` in the column Resample, tidymodels ``Repeat1`` and ``Fold2`` in id and id2.
    """
    told = {j: runs for j in range(len(grid.header)) if (runs := _runs_in_cells(grid, j))}
    names = [name for runs in told.values() for name in runs]
    others = [name for j, name in enumerate(grid.header) if j not in told]
    if not told or len(set(names)) < len(names) or any(is_called(name, RUN_COLUMNS) for name in others):
        return grid
    parts = [told.get(j, {name: grid.columns[j]}).items() for j, name in enumerate(grid.header)]
    noise = [
        own
        for j, part in enumerate(parts)
        for own in [grid.noise[j] if grid.noise and j not in told else 0.0] * len(part)
    ]
    header, columns = zip(*itertools.chain(*parts), strict=True)
    return replace(grid, header=list(header), columns=list(columns), noise=tuple(noise) if grid.noise else ())


def _runs_in_cells(grid: Grid, j: int) -> dict[str, list[str]]:
    """Return the numbers of folds and repeats if each cell of a column names them.

    `with_runs` converts the first column of a wide table, so this function returns {} for it.
    """
    name, cells = grid.header[j], grid.columns[j]
    if isinstance(cells, NumberColumn) or is_called(name, RUN_COLUMNS):
        return {}
    first = next(iter(cells), None)
    if not isinstance(first, str) or split_of(first) is None:
        return {}
    has_classifiers = any(not are_numbers(grid.columns[i]) for i in columns_called(grid, CLASSIFIER_COLUMNS))
    return runs_of(map(text_of, cells)) if j or simplified(name) == "resample" or has_classifiers else {}


def with_runs_behind_names(grid: Grid) -> Grid:
    """Split folds or runs from row or column names such as ``SVM_fold1``."""
    if grid.upper or len(grid.header) < 2:
        return grid
    first, *heads = grid.header
    if len(heads) > 1 and (found := runs_behind(heads)):
        return _told_apart(replace(grid, header=[first, *found[1]], upper=("", *found[0])), heads[0], found)
    texts = grid.columns[0]
    if not isinstance(texts, list) or not isinstance(next(iter(texts), None), str) or not (found := runs_behind(texts)):
        return grid
    of_classifiers = is_called(first, CLASSIFIER_COLUMNS) or all(direction_of(name) is not None for name in heads)
    header = ["classifier" if of_classifiers else "dataset", *(own := runs_of(found[1])), *heads]
    noise = (*[0.0] * (1 + len(own)), *grid.noise[1:]) if grid.noise else ()
    columns = [found[0], *own.values(), *grid.columns[1:]]
    return _told_apart(replace(grid, header=header, columns=columns, noise=noise), texts[0], found)


def _told_apart(grid: Grid, name: str, found: tuple[list[str], list[str]]) -> Grid:
    sentence = f"Names such as {short(name)} are read as {short(found[0][0])} in {short(found[1][0])}."
    return replace(
        grid, findings=(*grid.findings, Finding(code="runs-behind-names", severity="note", sentence=sentence))
    )


def _without_summaries_of_runs(grid: Grid) -> tuple[Grid, tuple[LeftOut, ...]]:
    """Drop the summary rows of a table of folds or runs, and convert the row names to numbers."""
    if not grid.header or not any(is_called(grid.header[0], PREDICTION_COLUMNS[name]) for name in ("fold", "repeat")):
        return grid, ()
    names = texts_of(grid.columns[0])
    gone = [i for i, name in enumerate(names) if is_summary(name)]
    if gone and len(gone) < len(names):
        told = tuple(LeftOut(what="row", name=names[i], reason="is a summary of the others") for i in gone)
        return with_runs(only_rows(grid, [i for i in range(len(names)) if i not in gone])), told
    return with_runs(grid), ()


def with_classifiers_first(grid: Grid, dataset: str | None) -> tuple[Grid, tuple[LeftOut, ...]]:
    """Return a table with its only column of classifiers first, before ranks, numbers or notes.

    If `dataset` names the column of the datasets, nothing is moved. Columns that number the rows or hold texts are left
    out.
    """
    named = [j for j, name in enumerate(grid.header) if is_called(name, CLASSIFIER_COLUMNS)]
    has_datasets = dataset is not None or bool(columns_called(grid, DATASET_COLUMNS))
    if has_datasets or len(named) != 1 or are_numbers(grid.columns[named[0]]):
        return grid, ()
    key, names = named[0], texts_of(grid.columns[named[0]])
    if len(set(names)) < len(names):
        repeated = positions_of_repeated(names)
        if sum(map(len, repeated.values())) < len(names) and not columns_called(grid, RUN_COLUMNS):
            places = examples([f"{short(name)} ({rows_at(grid, at)})" for name, at in repeated.items()])
            problem = f"{grid.name}: the names of classifiers must be unique, but these are repeated: {places}"
            raise TableError(problem, NUMBERED, "keep", tuple(repeated))
        for j in columns_called(grid, word_list("first_columns.class")):
            if len(set(zip(names, map(text_of, grid.columns[j]), strict=True))) == len(names):
                raise TableError(
                    f"{grid.name} has several rows of each classifier, and the column {short(grid.header[j])} "
                    "distinguishes them: they are classes of one dataset, not datasets",
                    "give the predictions, or one row for each dataset",
                )
        may_be = {"questions": ITEM_COLUMNS, "runs": SEED_COLUMNS, "folds": grid.header}
        raise TableError(
            f"{grid.name} has several rows of each classifier in the column {short(grid.header[key])}, and no column "
            "that has the name of datasets or folds",
            "add a column called dataset, fold or repeat; or state that the rows are folds, runs or questions, for "
            "example with {}",
            "rows_are",
            next(value for value, known in may_be.items() if columns_called(grid, known) or value == "folds"),
        )
    if key == 0:
        return grid, ()
    reasons = {
        j: "numbers the rows" if are_numbers(grid.columns[j]) else "is a note"
        for j in range(key)
        if plain_name(grid.header[j]) in COUNTERS or not are_numbers(grid.columns[j])
    }
    order = [key, *(j for j in range(len(grid.header)) if j != key and j not in reasons)]
    told = (LeftOut(what="column", name=grid.header[j], reason=why) for j, why in reasons.items() if grid.header[j])
    return only_columns(grid, order), tuple(told)


def with_runs(grid: Grid) -> Grid:
    """Convert row names such as 'fold 1' to a column of fold or run numbers."""
    names = texts_of(grid.columns[0])
    told = runs_of(names) if len(names) >= FEWEST else {}
    if not told:
        are_told = any(is_called(grid.header[0], PREDICTION_COLUMNS[name]) for name in ("fold", "repeat"))
        if not are_told or not counted(names):
            return grid
        told = {grid.header[0]: [re.findall(r"\d+", name)[-1] for name in names]}
    noise = (*[0.0] * len(told), *grid.noise[1:]) if grid.noise else ()
    return replace(grid, header=[*told, *grid.header[1:]], columns=[*told.values(), *grid.columns[1:]], noise=noise)


def with_metrics_apart(
    grid: Grid, key: int | None, metric: str | None
) -> tuple[Grid, str | None, tuple[LeftOut, ...], tuple[Finding, ...]]:
    """Separate the datasets and the metrics in row names such as ``'iris accuracy'``.

    Return the grid, the metric, the omitted rows and a note. A dataset with several metrics needs a given metric.
    """
    cells = [] if key is None or not grid.columns else grid.columns[key]
    first = texts_of(itertools.islice(cells, FIRST))
    names = texts_of(cells) if datasets_and_metrics(first) else []
    split = datasets_and_metrics(names)
    if key is None or not split:
        return grid, metric, (), ()
    metrics = {simplified(kind): kind for _, kind in split.values()}
    own = simplified(metric or "")
    chosen = {own: metrics[own]} if own in metrics else metrics
    held = [dataset for dataset, kind in split.values() if simplified(kind) in chosen]
    if len(set(held)) < len(held) or len(set(map(direction_of_metric, chosen.values()))) > 1:
        found = list(metrics.values())
        problem = f"{grid.name}: the names of the datasets contain the metrics {listed(found)}"
        raise TableError(problem, "choose one, for example {}", "metric", found[0])
    gone = {i for i, (_, kind) in split.items() if simplified(kind) not in chosen}
    columns = list(grid.columns)
    columns[key] = [split[i][0] if i in split else name for i, name in enumerate(names)]
    left_out = (LeftOut(what="row", name=names[i], reason="is of another metric") for i in sorted(gone))
    treated = "is treated as the metric" if len(chosen) == 1 else "are treated as the metrics"
    sentence = f"The names of the datasets contain {listed(chosen.values())}, which {treated}."
    note = Finding(code="metrics-in-names", severity="note", sentence=sentence)
    grid = only_rows(replace(grid, columns=columns), [i for i in range(len(names)) if i not in gone])
    return grid, next(iter(chosen.values())) if len(chosen) == 1 else metric, tuple(left_out), (note,)


def nested_order(outer: Sequence[str], inner: Sequence[str]) -> bool | None:
    """Return whether the outer keys of a dict of dicts are the datasets, or None if uncertain."""
    if _all_or_most(inner, is_classifier_name) and _all_or_most(outer, is_dataset_name):
        return True
    return False if _all_or_most(outer, is_classifier_name) and _all_or_most(inner, is_dataset_name) else None


def are_datasets(names: Sequence[str], others: Sequence[str]) -> bool | None:
    """Return whether names are datasets and the other names classifiers, or None if no name or both are known."""
    are = _all_or_most(names, is_dataset_name) or _all_or_most(others, is_classifier_name)
    are_not = _all_or_most(names, is_classifier_name) or _all_or_most(others, is_dataset_name)
    return None if are == are_not else are


def shape_finding(n_datasets: int, classifiers: Sequence[str]) -> tuple[Finding, ...]:
    """Return a warning if a table with unknown names has far more columns than rows."""
    k = len(classifiers)
    if k < FEWEST_ACROSS or k < 4 * n_datasets or n_datasets < FEWEST or any(map(is_classifier_name, classifiers)):
        return ()
    sentence = (
        f"The {n_datasets} rows are treated as datasets and the {k} columns as classifiers; if the rows are "
        "classifiers, transpose=True exchanges rows and columns."
    )
    return (Finding(code="few-rows", severity="warning", sentence=sentence),)


def _is_turned_by_names(grid: Grid, rows: Sequence[str], columns: Sequence[str]) -> bool:
    if _most(columns, is_classifier_name) or _most(rows, is_dataset_name):
        return False
    rows_are = _most(rows, is_classifier_name)
    columns_are = _most(columns, is_dataset_name) or bool(datasets_and_metrics(columns))
    if rows_are and (columns_are or all(map(_counts_runs, columns))):
        return True
    if rows_are and _most(columns, lambda name: direction_of(name) is not None or role_of(name) == "metric"):
        raise _of_one_dataset(grid, columns)
    if not rows_are and not columns_are:
        return False
    names = _known(rows, is_classifier_name) if rows_are else _known(columns, is_dataset_name)
    axis, what = ("rows", "classifiers") if rows_are else ("columns", "datasets")
    raise TableError(
        f"{grid.name}: the {axis} {listed(names)} have the names of {what}, so the table may be transposed",
        HINT,
        "transpose",
        "True",
    )


def _counts_runs(name: str) -> bool:
    return split_of(name) is not None


def _of_one_dataset(grid: Grid, columns: Sequence[str]) -> TableError:
    columns = [name for name in columns if role_of(name) not in BESIDE] or columns
    is_one, are_metrics = len(columns) == 1, all(role_of(name) is not None for name in columns)
    what = f"column {short(columns[0])}" if is_one else f"columns {listed(columns)}"
    verb = f"hold{'s' * is_one}" if are_metrics else f"seem{'s' * is_one} to hold"
    problem = (
        f"{grid.name}: the rows are classifiers and the {what} {verb} scores on one dataset; scores on several "
        "datasets or folds, or predictions, are needed to compare the classifiers"
    )
    if are_metrics:
        return TableError(problem)
    return TableError(problem, "if the columns are datasets, pass {}", "transpose", "True")


def _known(names: Sequence[str], is_known: Callable[[str], bool]) -> list[str]:
    return [name for name in names if is_known(name)]


def _most(names: Sequence[str], is_known: Callable[[str], bool]) -> bool:
    """Return whether at least two names, and at least half of all names, are known."""
    n = sum(map(is_known, names))
    return n >= FEWEST and 2 * n >= len(names)


def _all_or_most(names: Sequence[str], is_known: Callable[[str], bool]) -> bool:
    """Return whether most names are known, or the only name is known."""
    return _most(names, is_known) or (len(names) == 1 and is_known(names[0]))


_MEANS, _SPREADS, _RANKS = word_list("levels.mean"), word_list("levels.spread"), word_list("levels.rank")


def one_level(grid: Grid, metric: str | None, decimal: str, rows_are: str | None = None) -> tuple[Grid, str | None]:
    """Return a grid with one header row, and the metric if a header row contains it.

    `rows_are` states whether numbers in a header row are folds or runs.
    """
    if not grid.upper:
        return grid, metric
    at = [j for j, name in enumerate(grid.upper) if name]
    upper, lower = ([names[j] for j in at] for names in (grid.upper, grid.header))
    for names, others in ((lower, upper), (upper, lower)):
        if all(is_called(name, (*_MEANS, *_SPREADS, *_RANKS)) for name in names):
            return _means(grid, at, names, others, decimal), metric
        if len(set(others)) > 1 and (runs := runs_of(names) or _numbered(grid, names, others, rows_are)):
            return _with_rows_of_runs(grid, at, others, runs), metric
    for names, others in ((upper, lower), (lower, upper)):
        if _are_metrics(names, metric) and not _are_metrics(others, None):
            return _of_one_metric(grid, at, names, others, metric)
    for names, others in ((lower, upper), (upper, lower)):
        if len(set(others)) > 1 and (kinds := of_kinds(grid, at, others, names, metric)):
            return _of_kinds(grid, at, kinds, decimal), kinds.metric or metric
    return _of_groups(grid, at), metric


def _of_groups(grid: Grid, at: Sequence[int]) -> Grid:
    """Join the two names of each column if every upper name occurs once. Otherwise use the lower names."""
    upper, lower = ([names[j] for j in at] for names in (grid.upper, grid.header))
    if len(set(lower)) < len(lower):
        names = f"{listed(dict.fromkeys(upper))} above {listed(dict.fromkeys(lower))}"
        problem = f"{grid.name}: the header has two rows, {names}, and neither row is known to hold metrics"
        raise TableError(problem, "choose one name with {}", "metric", upper[0])
    if len(set(upper)) == len(upper) > 1:  # for example, a name above its reference
        both = {j: f"{above} {below}" for j, above, below in zip(at, upper, lower, strict=True)}
        sentence = f"The header has two rows, which were joined, as in {short(both[at[0]])}."
        return _columns(grid, at, both, _note("joined-names", sentence))
    sentence = f"The upper names of the header, {listed(dict.fromkeys(upper))}, are names of groups and are not used."
    return replace(grid, upper=(), findings=(*grid.findings, _note("groups-of-columns", sentence)))


def _numbered(grid: Grid, names: list[str], others: Sequence[str], rows_are: str | None) -> dict[str, list[str]]:
    """Return the folds or runs in a header row of numbers, or raise an error if their type is unknown."""
    if not all(name.isdecimal() for name in names) or _are_metrics(others, None):
        return {}
    if rows_are in RUN_NAMES:
        return {RUN_NAMES[rows_are][1]: names}
    problem = (
        f"{grid.name}: the header has two rows, and {listed(dict.fromkeys(names))} at each of "
        f"{listed(dict.fromkeys(others))} may be folds, or runs with different seeds"
    )
    raise TableError(problem, "pass {} or {runs}", "rows_are", "folds")


def refuse_unsaid_order(grid: Grid, transpose: bool | None) -> None:
    """Reject a dict of dicts if its keys do not show whether the outer or the inner keys are the classifiers."""
    if grid.is_nested and transpose is None:
        outer, inner = grid.header[1:], texts_of(grid.columns[0])
        if nested_order(outer, inner) is not None or _are_metrics(outer, None) or _are_metrics(inner, None):
            return  # for metrics, a later check reports the fault
        raise unsaid_order(grid.name, outer, inner)


def unsaid_order(name: str, outer: Sequence[str], inner: Sequence[str]) -> TableError:
    """Return the error for a dict of dicts whose classifiers may be the outer or the inner keys."""
    return TableError(
        f"{name} has the outer keys {listed(outer)} and the inner keys {listed(inner)}, and does not say "
        "which of them are the classifiers",
        "if the outer keys are the classifiers, pass {}; if they are the datasets, pass {transpose}",
        "transpose",
        "False",
    )


def _are_metrics(names: Sequence[str], metric: str | None) -> bool:
    if metric is not None and any(simplified(name) == simplified(metric) for name in names):
        return True
    return all(direction_of(name) is not None for name in names)


def _of_one_metric(
    grid: Grid, at: Sequence[int], metrics: Sequence[str], names: Sequence[str], metric: str | None
) -> tuple[Grid, str]:
    known = list(dict.fromkeys(metrics))
    if metric is None and len(known) > 1:
        problem = f"{grid.name}: the header has two rows, of which one holds the metrics {listed(known)}"
        gain = next((one for one in known if direction_of(one)), known[0])
        raise TableError(problem, "choose one, for example {}", "metric", gain)
    chosen = known[0] if metric is None else next((one for one in known if simplified(one) == simplified(metric)), "")
    if not chosen:
        if len(known) == 1:  # the user's own name for it
            chosen = known[0]
        else:
            raise TableError(f"{grid.name} has no metric {short(metric)}; its metrics are {listed(known)}")
    others = len(known) - 1
    sentence = f"The header has two rows: {short(chosen)} was read" + (
        f", and {listed(name for name in known if name != chosen)} {'was' if others == 1 else 'were'} not."
        if others
        else "."
    )
    kept = {j: name for j, name, of in zip(at, names, metrics, strict=True) if of == chosen}
    return _columns(grid, at, kept, _note("one-metric", sentence)), metric or chosen


def _means(grid: Grid, at: Sequence[int], words: Sequence[str], names: Sequence[str], decimal: str) -> Grid:
    """Return the columns of means. Each column gets the spread from the adjacent column with the same name."""
    kept = {j: name for j, name, word in zip(at, names, words, strict=True) if is_called(word, _MEANS)}
    if len(set(kept.values())) < len(kept) or not kept:
        raise TableError(
            f"{grid.name}: the header has two rows, but no column of means for each of {listed(set(names))}"
        )
    columns = list(grid.columns)
    for j, name in kept.items():
        beside = [i for i, own, word in zip(at, names, words, strict=True) if own == name and is_called(word, _SPREADS)]
        if len(beside) == 1:
            columns[j] = with_spread(columns[j], grid.columns[beside[0]], decimal)
    sentence = f"The header has two rows: the columns {listed(dict.fromkeys(w for w in words if is_called(w, _MEANS)))}"
    rest = [word for word in dict.fromkeys(words) if not is_called(word, _MEANS)]
    sentence += f" were read, but not {listed(rest)}." if rest else " were read."
    return _columns(replace(grid, columns=columns), at, kept, _note("means-and-spreads", sentence))


def with_spread(column: Any, spread: Any, decimal: str) -> list[Any]:
    """Return the cells of a column of scores, with the spreads from the adjacent column."""
    widths = numbers_in(spread, decimal)
    cells = []
    for cell, width in zip(column, widths, strict=True):
        number = Written(cell if isinstance(cell, str) else "" if cell is None else repr(as_float(cell)))
        number.spread = float("nan") if width is None else width
        cells.append(number)
    return cells


def _of_kinds(grid: Grid, at: Sequence[int], kinds: Kinds, decimal: str) -> Grid:
    """Return the columns of the compared kind, such as test scores without training scores."""
    columns = list(grid.columns)
    for j, spread in kinds.spreads.items():
        columns[j] = with_spread(columns[j], columns[spread], decimal)
    note = _note("kinds-of-columns", f"The header has two rows. {kinds.sentence}")
    return _columns(replace(grid, columns=columns), at, kinds.names, note)


def _with_rows_of_runs(grid: Grid, at: Sequence[int], names: Sequence[str], runs: dict[str, list[str]]) -> Grid:
    """Return one row for each fold or repeat. Each classifier must have one column per fold or repeat."""
    told = list(zip(*runs.values(), strict=True))
    each, classifiers = list(dict.fromkeys(told)), list(dict.fromkeys(names))
    column = {(name, run): j for j, name, run in zip(at, names, told, strict=True)}
    if len(column) < len(at):
        problem = f"{grid.name}: the header has two rows, and several columns belong to one classifier and one run"
        raise TableError(f"{problem}, such as {listed([grid.upper[at[0]], grid.header[at[0]]])}")
    n, others = len(grid.numbers), [j for j in range(len(grid.header)) if j not in at]
    columns: list[Any] = [[cell for cell in grid.columns[j] for _ in each] for j in others]
    columns += [[run[level] for _ in range(n) for run in each] for level in range(len(runs))]
    blank = [""] * n
    for name in classifiers:
        own = [grid.columns[column[name, run]] if (name, run) in column else blank for run in each]
        columns.append([cell for row in zip(*own, strict=True) for cell in row])
    sentence = f"The header has two rows: every classifier has a column for each {' and '.join(reversed(runs))}."
    return replace(
        grid,
        header=[*(grid.header[j] for j in others), *runs, *classifiers],
        columns=columns,
        numbers=[number for number in grid.numbers for _ in each],
        noise=(*[0.0] * (len(others) + len(runs)), *[grid.noise_at(at)] * len(classifiers)),
        upper=(),
        findings=(*grid.findings, _note("columns-of-runs", sentence)),
    )


def _columns(grid: Grid, at: Sequence[int], kept: dict[int, str], finding: Finding) -> Grid:
    """Return the columns outside the header levels and the selected columns, with their new names."""
    left = [j for j in range(len(grid.header)) if j not in at or j in kept]
    return replace(
        grid,
        header=[kept.get(j, grid.header[j]) for j in left],
        columns=[grid.columns[j] for j in left],
        noise=[grid.noise[j] for j in left] if grid.noise else (),
        upper=(),
        findings=(*grid.findings, finding),
    )


def _note(code: str, sentence: str) -> Finding:
    return Finding(code=code, severity="note", sentence=sentence)
