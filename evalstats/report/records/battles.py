"""Report of a comparison of models by battles."""

from __future__ import annotations

__all__ = ["document", "verdict"]

import math
from collections.abc import Iterator

import numpy as np

from evalstats.comparison.battles import BattleComparison
from evalstats.report.blocks import Document, Extent, Figure, Section, Table, heads, listing, paragraph, section
from evalstats.report.curve_figure import limits_of
from evalstats.report.describe import count, decimal, percent, pvalue_cell, signed
from evalstats.report.interval_list import MOST_ROWS, IntervalList, IntervalRow

MOST_NAMED = 6
LARGEST_TABLE = 12  # models in the table of win rates


def verdict(record: BattleComparison) -> str:
    """State the best model with its rank set, the models that may be the best, and the effect of the position."""
    return " ".join(_sentences(record))


def document(record: BattleComparison, extent: Extent) -> Document:
    """Return the document: the strengths with rank sets, the pairs, the win rates and the methods."""
    k = len(record.ranking)
    sections: list[Section] = [section("read", "Input", listing(_read(record)))]
    sections.append(section("strengths", "Strengths and ranks", *_figures(record), _strengths(record, extent.max_rows)))
    if record.pairs:
        sections.append(section("pairs", "Pairs", _pairs(record, extent.max_rows)))
    if record.win_rates:
        sections.append(section("equal-length", "Win rates at equal length", _equal_length(record, extent.max_rows)))
    if k <= LARGEST_TABLE:
        sections.append(section("win-rates", "Win rates", _win_rates(record)))
    if record.strengths.terms or record.position is not None:
        sections.append(section("effects", "Effects of position and style", _effects(record)))
    if extent.with_methods:
        sections.append(section("methods", "Methods", paragraph(_methods(record))))
    n = record.strengths.n_battles
    title = f"Comparison of {count(k, 'model')} in {count(n, 'battle')}"
    return Document(title=title, verdict=paragraph(verdict(record)), sections=tuple(sections))


def _sentences(record: BattleComparison) -> Iterator[str]:
    first, k = record.ranking[0], len(record.ranking)
    if record.reason is not None:
        yield f"{record.reason[0].upper()}{record.reason[1:]}."
    if record.ranks is None:
        return
    low, high = record.rank_set(first)
    level = percent(1 - record.alpha)
    ranks = f"{low}" if low == high else f"{low} or {high}" if high == low + 1 else f"{low} to {high}"
    yield (f"{first} is first. With {level} confidence, simultaneously for all models, its rank is {ranks} of {k}.")
    best = record.best
    if len(best) == 1:
        yield "No other model may be the best."
    else:
        named = f" ({', '.join(best)})" if len(best) <= MOST_NAMED else ""
        yield f"{len(best)} models may be the best{named}."
    n = sum(pair.different for pair in record.pairs)
    if record.control is None:
        yield f"{n:,} of {len(record.pairs):,} pairs are shown to differ."
    else:
        better = sum(pair.different and pair.second == record.control for pair in record.pairs)
        are = "is" if better == 1 else "are"
        yield (
            f"{better:,} of the other {count(k - 1, 'model')} {are} shown to be better than {record.control}, and "
            f"{n - better:,} worse."
        )
    yield from _position(record)


def _position(record: BattleComparison) -> Iterator[str]:
    if record.position is None or math.isnan(record.position.coefficients_standard_error[0]):
        return
    effect, error = record.position.coefficients[0], record.position.coefficients_standard_error[0]
    shown = abs(effect) > 1.96 * error
    rate = 1 / (1 + math.exp(-effect))
    adjusted = "are" if "position" in record.strengths.terms else "are not"
    if shown:
        yield (
            f"At equal strength, the model that is named first wins {percent(round(rate, 3))} of the battles; the "
            f"strengths {adjusted} adjusted for this."
        )


def _read(record: BattleComparison) -> Iterator[str]:
    own = record.strengths
    bad = f", {own.n_both_bad:,} of them because both answers were bad" if own.n_both_bad else ""
    yield f"Read {count(own.n_battles, 'battle')} of {count(len(own.models), 'model')}, {own.n_ties:,} ties{bad}."
    yield from (finding.sentence for finding in record.findings)


def _figures(record: BattleComparison) -> list[Figure]:
    own, shown = record.strengths, record.ranking[:MOST_ROWS]
    interval = own.confidence_interval(1 - record.alpha)
    at = [own.models.index(name) for name in shown]
    values = [(float(own.estimate[i]), float(interval.low[i]), float(interval.high[i])) for i in at]
    if not all(math.isfinite(value) for three in values for value in three):
        return []
    low, high = limits_of([value for three in values for value in three])
    best = set(record.best)
    few = (
        f" The list shows the best {len(shown)} of {len(record.ranking)} models."
        if len(shown) < len(record.ranking)
        else ""
    )
    rows = tuple(
        IntervalRow(
            name=name,
            value=value,
            low=left,
            high=right,
            written=f"{decimal(value, 2)}, rank {_set(record, name)}",
            full=name in best,
        )
        for name, (value, left, right) in zip(shown, values, strict=True)
    )
    captions = (
        f"Log-strengths with {percent(1 - record.alpha)} intervals of individual models, and sets of ranks.{few}",
        "A filled dot marks a model that may be the best.",
    )
    made = IntervalList(rows=rows, low=low, high=high, zero=values[0][0], ends=("weaker", "stronger"), caption=captions)
    return [Figure(diagram=made)]


def _set(record: BattleComparison, name: str) -> str:
    if record.ranks is None:
        return "unknown"
    low, high = record.rank_set(name)
    return f"{low}" if low == high else f"{low}-{high}"


def _strengths(record: BattleComparison, max_rows: int) -> Table:
    own, plain = record.strengths, record.unadjusted
    interval = own.confidence_interval(1 - record.alpha)
    elo, numbers = own.elo(), ["Rank", "Strength", "Interval", "Elo", "Battles"]
    rows = []
    for name in record.ranking[:max_rows]:
        i = own.models.index(name)
        limits = f"{_number(interval.low[i])} to {_number(interval.high[i])}"
        row = [name, _set(record, name), _number(own.estimate[i]), limits, _number(elo[i], 0)]
        row.append(f"{own.battles_of_model[i]:,}")
        rows.append((*row, _number(plain.estimate[i])) if plain is not None else tuple(row))
    if plain is not None:
        numbers.append("Unadjusted")
    words = f"Strengths are log-odds with mean 0; intervals are for individual models ({percent(1 - record.alpha)})."
    return Table(
        name="strengths",
        caption=f"{words} The ranks are simultaneous confidence sets.",
        columns=heads(["Model"], numbers),
        rows=tuple(rows),
    )


def _number(value: float, decimals: int = 3) -> str:
    return (
        decimal(float(value), decimals)
        if math.isfinite(value)
        else "-"
        if math.isnan(value)
        else ("infinite" if value > 0 else "minus infinite")
    )


def _pairs(record: BattleComparison, max_rows: int) -> Table:
    n_drawn = None if record.ranks is None else record.ranks.n_resamples
    family = "all pairs" if record.control is None else f"all pairs with {record.control}"
    shown = sorted(record.pairs, key=lambda pair: (math.isnan(pair.pvalue), pair.pvalue, -pair.difference))[:max_rows]
    rows = tuple(
        (
            pair.first,
            pair.second,
            signed(pair.difference, 3) if math.isfinite(pair.difference) else "infinite",
            f"{_number(pair.low)} to {_number(pair.high)}",
            "-" if math.isnan(pair.pvalue) else pvalue_cell(pair.pvalue, record.alpha, n_drawn),
            "-" if math.isnan(pair.win_rate) else percent(round(pair.win_rate, 3)),
        )
        for pair in shown
    )
    left = f" The table shows the {len(shown):,} of {len(record.pairs):,} pairs with the smallest p-values." * (
        len(shown) < len(record.pairs)
    )
    return Table(
        name="pairs",
        caption=f"Differences between the strengths; intervals and p-values apply to {family} together (max-t). The "
        f"win rates are observed proportions.{left}",
        columns=heads(["First", "Second"], ["Difference", "Interval", "p", "Win rate"]),
        rows=rows,
        marked=tuple(pair.different for pair in shown),
    )


def _win_rates(record: BattleComparison) -> Table:
    own = record.strengths
    at = [own.models.index(name) for name in record.ranking]
    seen, expected = own.win_rates, own.win_probabilities
    rows = tuple(
        (record.ranking[place], *("" if i == j else f"{_percent(seen[i, j])} ({_percent(expected[i, j])})" for j in at))
        for place, i in enumerate(at)
    )
    return Table(
        name="win-rates",
        caption="Observed proportion of battles that the row wins against the column; a tie is half a win. The "
        "estimated probabilities of the Bradley-Terry model are in parentheses.",
        columns=heads(["Model"], record.ranking),
        rows=rows,
    )


def _equal_length(record: BattleComparison, max_rows: int) -> Table:
    rows = tuple(
        (
            one.model,
            f"{one.n_battles:,}",
            percent(round(one.win_rate, 3)),
            "-" if math.isnan(one.adjusted) else percent(round(one.adjusted, 3)),
            "-" if math.isnan(one.low) else f"{percent(round(one.low, 3))} to {percent(round(one.high, 3))}",
        )
        for one in record.win_rates[:max_rows]
    )
    why = "".join(f" {one.model}: {one.reason}." for one in record.win_rates if one.reason is not None)
    return Table(
        name="equal-length",
        caption=f"Proportion of battles won against {record.control}, observed and for answers of the same length; "
        f"{percent(1 - record.alpha)} intervals of individual models.{why}",
        columns=heads(["Model"], ["Battles", "Win rate", "At equal length", "Interval"]),
        rows=rows,
    )


def _percent(value: float) -> str:
    return "-" if math.isnan(value) else f"{100 * value:.0f} %"


def _effects(record: BattleComparison) -> Table:
    rows = []
    for own, note in ((record.strengths, "adjusted for"), (record.position, "not adjusted for")):
        if own is None or (note.startswith("not") and "position" in record.strengths.terms):
            continue
        terms = own.terms if own is record.strengths else own.terms[:1]
        rows += [
            (name, note, decimal(float(own.coefficients[i]), 3), _number(own.coefficients_standard_error[i]))
            for i, name in enumerate(terms)
        ]
    return Table(
        name="effects",
        caption="Effects on the log-odds of the model that is named first. The effect of a property is the effect of "
        "an increase of one standard deviation in its difference.",
        columns=heads(["Effect", "Strengths"], ["Log-odds", "Standard error"]),
        rows=tuple(rows),
    )


def _methods(record: BattleComparison) -> str:
    own, ranks = record.strengths, record.ranks
    kinds = {
        "HC0": "robust standard errors for independent battles (HC0)",
        **{name: f"cluster-robust standard errors ({name})" for name in ("CR0", "CR1", "CR2")},
    }
    over = f" over {' and '.join(f'{n:,}' for n in own.n_clusters)} clusters ({', '.join(record.clusters)})" * bool(
        own.n_clusters
    )
    t = "" if np.isinf(own.df) else f", and Student's t distribution with {own.df:g} degrees of freedom"
    kind = kinds.get(own.covariance_method, own.covariance_method)
    told = f"Bradley-Terry model with ties counted as half a win, {kind}"
    told += f"{over}{t}."
    if ranks is not None:
        how = "" if ranks.n_resamples is None else f", {ranks.n_resamples:,} simulated vectors, seed {ranks.seed}"
        told += f" Confidence sets of ranks by Mogstad et al. (2024), {ranks.method}{how}."
    return told
