"""Write the tables of docs/error-rates/all-methods.md: ``python docs/figures/error_rates.py``.

The data are in docs/error-rates/all-methods.csv, which scripts/simulate_error_rates.py writes, and in exact.csv, which
scripts/exact_error_rates.py writes.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterator
from pathlib import Path

from evalstats.metrics import proportion_interval

HERE = Path(__file__).parent
DATA = HERE.parent / "error-rates" / "all-methods.csv"
EXACT = HERE.parent / "error-rates" / "exact.csv"
PAGE = HERE.parent / "error-rates" / "all-methods.md"
TABLES = runpy.run_path(str(HERE.parents[1] / "scripts" / "generated_tables.py"))
LEVEL = 0.05
FAR = 0.01  # a rate that exceeds the level by more is listed, and the docstring of the function gives it
BEYOND_CHANCE = 0.999  # confidence: the table has hundreds of rates, and some 95% intervals miss by chance
# what these methods promise of families in which something differs
OF_DISCOVERIES = ("bh", "by")
ONLY_WHILE_NOTHING_DIFFERS = (*OF_DISCOVERIES, "finner")
ERRORS = ("type-I error", "family-wise error")

Row = dict[str, str]


def read() -> list[Row]:
    """Return the rows of the data, simulated and enumerated."""
    return TABLES["read_rows"](DATA) + TABLES["read_rows"](EXACT)


def is_exact(row: Row) -> bool:
    """Return whether a rate was enumerated."""
    return row["n_experiments"] == "0"


def excess(row: Row) -> float:
    """Return by how much the rate is above the level, or the coverage below."""
    rate = float(row["rate"])
    return 1 - LEVEL - rate if row["what"] == "coverage" else rate - LEVEL


def is_off(row: Row) -> bool:
    """Return whether a rate is higher, or a coverage lower, than nominal by more than simulation error."""
    if is_exact(row):
        return excess(row) > 0
    n, rate = int(row["n_experiments"]), float(row["rate"])
    low, high = proportion_interval(round(rate * n), n, confidence_level=BEYOND_CHANCE)
    return bool(high < 1 - LEVEL if row["what"] == "coverage" else low > LEVEL)


def is_far(row: Row) -> bool:
    """Return whether a rate exceeds the level by more than `FAR` and by more than simulation error."""
    return promises(row) and is_off(row) and excess(row) > FAR


def is_known(row: Row) -> bool:
    """Return whether the interval of the simulation is as narrow as it has to be."""
    return float(row["width"]) <= float(row["wanted"])


def promises(row: Row) -> bool:
    """Return whether a rate must be at most the level."""
    if row["what"] == "family-wise error" and float(row["lead"]):
        return row["variant"] not in ONLY_WHILE_NOTHING_DIFFERS
    return row["what"] in (*ERRORS, "coverage") or (
        row["what"] == "false discovery rate" and row["variant"] in OF_DISCOVERIES
    )


def name(row: Row) -> str:
    """Return the subject with its variant."""
    return f"`{row['subject']}`" + (f", {row['variant']}" if row["variant"] else "")


def setting(row: Row) -> str:
    """Return the distribution of the data, and their size."""
    size = f"n = {row['n']}" + (f", k = {row['k']}" if int(row["k"]) > 2 else "")
    return f"{row['data']}, {size}" + (", one is better" if float(row["lead"]) else "")


def short(rate: float) -> str:
    """Return a rate with three decimals."""
    return f"{rate:.3f}"


def grouped(rows: list[Row], key: Callable[[Row], str] = name) -> dict[str, list[Row]]:
    """Return the rows of each subject, in their order."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def experiments(row: Row) -> str:
    """Return the number of experiments of a row."""
    return "exact" if is_exact(row) else f"{int(row['n_experiments']):,}"


def verdict(rows: list[Row]) -> str:
    """Return what the null settings of one method show together."""
    unknown = sum(not is_known(row) for row in rows)
    more = f"; {unknown} not known" if unknown else ""
    if any(map(is_far, rows)):
        return f"**exceeds by {short(max(map(excess, filter(is_far, rows))))}**{more}"
    if any(promises(row) and is_off(row) for row in rows):
        return f"exceeds by less than {FAR:g}{more}"
    if not any(map(promises, rows)):
        return "promises less"
    return "not known" if unknown == len(rows) else f"no excess{more}"


def levels(rows: list[Row], *, what: tuple[str, ...]) -> Iterator[str]:
    """Yield a table of the pooled and the extreme rate of each method, with the extreme setting and the verdict."""
    extreme = "lowest" if "coverage" in what else "highest"
    yield f"| | settings | experiments | pooled | {extreme} | setting of the {extreme} rate | could find | verdict |"
    yield "| --- | ---: | ---: | ---: | ---: | --- | ---: | --- |"
    for subject, own in grouped([r for r in rows if r["what"] in what]).items():
        simulated = [r for r in own if not is_exact(r)]
        n = sum(int(r["n_experiments"]) for r in simulated)
        pooled = short(sum(float(r["rate"]) * int(r["n_experiments"]) for r in simulated) / n) if n else ""
        worst = max(own, key=excess)
        interval = "exact" if is_exact(worst) else f"{short(float(worst['low']))} to {short(float(worst['high']))}"
        at = f"{setting(worst)} ({interval})"
        least = short(max(float(r["smallest_excess"]) for r in own))
        yield (
            f"| {subject} | {len(own)} | {n:,} | {pooled} | {short(float(worst['rate']))} | {at} | {least} | "
            f"{verdict(own)} |"
        )


def far(rows: list[Row]) -> Iterator[str]:
    """Yield a table of the methods that exceed their level by more than `FAR`, each with its worst setting."""
    yield "| | what | settings above | worst setting | experiments | rate | 95% interval |"
    yield "| --- | --- | ---: | --- | ---: | ---: | --- |"
    for key, own in grouped(rows, lambda r: f"{name(r)} | {r['what']}").items():
        above = list(filter(is_far, own))
        if above:
            worst = max(above, key=excess)
            low, high = (short(float(worst[side])) for side in ("low", "high"))
            yield (
                f"| {key} | {len(above)} of {len(own)} | {setting(worst)} | {experiments(worst)} | "
                f"{short(float(worst['rate']))} | {low} to {high} |"
            )


def unknown(rows: list[Row]) -> Iterator[str]:
    """Yield a table of the rates of error and coverage that are not known precisely enough."""
    yield "| | what | setting | experiments | rate | not known to |"
    yield "| --- | --- | --- | ---: | ---: | ---: |"
    for row in rows:
        if promises(row) and not is_known(row):
            yield (
                f"| {name(row)} | {row['what']} | {setting(row)} | {experiments(row)} | not known | "
                f"{short(float(row['width']))} |"
            )


def tables(rows: list[Row]) -> str:
    """Return everything that is generated."""
    made = {what: " and ".join(sorted({row[what] for row in rows} - {""})) for what in rows[0]}
    versions = ", ".join(f"{what} {made[what]}" for what in ("evalstats", "numpy", "scipy", "python"))
    by_setting = grouped(rows, lambda r: f"{name(r)}, {setting(r)}")
    n = sum(int(own[0]["n_experiments"]) for own in by_setting.values())
    promised = [row for row in rows if promises(row)]
    n_unknown = sum(not is_known(row) for row in promised)
    n_exact = sum(map(is_exact, rows))
    summary = (
        f"{len(by_setting):,} settings and {n:,} experiments, seed {made['seed']}, {made['date']}; {versions}. "
        f"Of {len(promised):,} error rates and coverages, {n_exact} are exact, {n_unknown} are not known, and "
        f"{sum(map(is_far, rows))} exceed their level by more than {FAR:g}."
    )
    parts = [
        summary,
        f"### Methods above the level by more than {FAR:g}\n\n" + "\n".join(far(rows)),
        "### Tests of one hypothesis: type-I error rates\n\n" + "\n".join(levels(rows, what=("type-I error",))),
        "### Tests of families and adjustments: family-wise error rates\n\n"
        + "\n".join(levels(rows, what=("family-wise error",))),
        "### Intervals: coverage of 95% intervals\n\n" + "\n".join(levels(rows, what=("coverage",))),
    ]
    if n_unknown:
        parts.append("### Rates that are not known\n\n" + "\n".join(unknown(rows)))
    return "\n\n".join(parts) + "\n"


def page(text: str, rows: list[Row]) -> str:
    """Return the page with its tables."""
    return TABLES["filled"](text, {"tables": tables(rows)})


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), read()), encoding="utf-8")
    print(f"wrote {PAGE}")
