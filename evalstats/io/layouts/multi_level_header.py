"""Conversion of tables with two header rows to one row of classifier names."""

from __future__ import annotations

__all__ = ["one_level", "refuse_unsaid_order", "unsaid_order", "with_spread"]

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from evalstats._errors import listed
from evalstats._findings import Finding
from evalstats._lexicon import is_called, simplified, word_list
from evalstats.io.columns.grammar import runs_of
from evalstats.io.columns.kinds import Kinds, of_kinds
from evalstats.io.layouts.orientation import nested_order
from evalstats.io.layouts.told_rows import RUN_NAMES
from evalstats.io.sources.grid import Grid, Written
from evalstats.io.sources.numbers import as_float, numbers_in
from evalstats.metrics.directions import direction_of
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import texts_of

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
        "if the outer keys are the classifiers, pass {}; if they are the datasets, pass the opposite value",
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
