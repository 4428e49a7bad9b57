"""Write the tables of docs/error-rates/all-methods.md: ``python docs/figures/error_rates.py``.

The data are in docs/error-rates/all-methods.csv, which scripts/simulate_error_rates.py writes.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterator
from pathlib import Path

from evalstats.metrics import proportion_interval

HERE = Path(__file__).parent
DATA = HERE.parent / "error-rates" / "all-methods.csv"
PAGE = HERE.parent / "error-rates" / "all-methods.md"
TABLES = runpy.run_path(str(HERE.parents[1] / "scripts" / "generated_tables.py"))
LEVEL = 0.05
BEYOND_CHANCE = 0.999  # confidence: the table has hundreds of rates, and some 95% intervals miss by chance
# what these methods promise of families in which something differs
OF_DISCOVERIES = ("bh", "by")
ONLY_WHILE_NOTHING_DIFFERS = (*OF_DISCOVERIES, "finner")
ERRORS = ("type-I error", "family-wise error")

Row = dict[str, str]


def read() -> list[Row]:
    """Return the rows of the data."""
    return TABLES["read_rows"](DATA)


def is_off(row: Row) -> bool:
    """Return whether the simulation shows a higher error rate, or a lower coverage, than nominal."""
    n, rate = int(row["n_experiments"]), float(row["rate"])
    low, high = proportion_interval(round(rate * n), n, confidence_level=BEYOND_CHANCE)
    return bool(high < 1 - LEVEL if row["what"] == "coverage" else low > LEVEL)


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


def levels(rows: list[Row], *, what: tuple[str, ...]) -> Iterator[str]:
    """Yield a table of the lowest and the highest rate of each subject, with the extreme setting."""
    extreme = "lowest" if "coverage" in what else "highest"
    yield f"| | settings | experiments | lowest | highest | setting of the {extreme} rate |"
    yield "| --- | ---: | ---: | ---: | ---: | --- |"
    for subject, own in grouped([r for r in rows if r["what"] in what]).items():
        sign = -1 if "coverage" in what else 1
        rates = [float(r["rate"]) for r in own]
        worst = max(own, key=lambda r: sign * float(r["rate"]))
        n = sum(int(r["n_experiments"]) for r in own)
        low, high = (short(x) for x in (min(rates), max(rates)))
        off = any(is_off(r) and promises(r) for r in own)
        low, high = (f"**{low}**" if off and sign < 0 else low), (f"**{high}**" if off and sign > 0 else high)
        at = f"{setting(worst)} ({short(float(worst['low']))} to {short(float(worst['high']))})"
        yield f"| {subject} | {len(own)} | {n:,} | {low} | {high} | {at} |"


def beyond(rows: list[Row]) -> Iterator[str]:
    """Yield a table of all settings whose rate is off the level by more than simulation error."""
    yield "| | what | setting | experiments | rate | 95% interval |"
    yield "| --- | --- | --- | ---: | ---: | --- |"
    for row in rows:
        if promises(row) and is_off(row):
            low, high = (short(float(row[side])) for side in ("low", "high"))
            yield (
                f"| {name(row)} | {row['what']} | {setting(row)} | {int(row['n_experiments']):,} | "
                f"{short(float(row['rate']))} | {low} to {high} |"
            )


def power(rows: list[Row]) -> Iterator[str]:
    """Yield a table of the power."""
    yield "| | setting | experiments | power | 95% interval | false discovery rate |"
    yield "| --- | --- | ---: | ---: | --- | ---: |"
    discovery = {(name(r), setting(r)): r["rate"] for r in rows if r["what"] == "false discovery rate"}
    for row in rows:
        if row["what"] == "power":
            low, high = (short(float(row[side])) for side in ("low", "high"))
            false = discovery.get((name(row), setting(row)))
            yield (
                f"| {name(row)} | {setting(row)} | {int(row['n_experiments']):,} | {short(float(row['rate']))} | "
                f"{low} to {high} | {'' if false is None else short(float(false))} |"
            )


def tables(rows: list[Row]) -> str:
    """Return everything that is generated."""
    made = {what: " and ".join(sorted({row[what] for row in rows})) for what in rows[0]}
    versions = ", ".join(f"{what} {made[what]}" for what in ("evalstats", "numpy", "scipy", "python"))
    experiments = grouped(rows, lambda r: f"{name(r)}, {setting(r)}")
    n = sum(int(own[0]["n_experiments"]) for own in experiments.values())
    parts = [
        f"{len(experiments):,} settings and {n:,} experiments, seed {made['seed']}, {made['date']}; {versions}.",
        "### Settings above the level\n\n" + "\n".join(beyond(rows)),
        "### Tests of one hypothesis: type-I error rates\n\n" + "\n".join(levels(rows, what=("type-I error",))),
        "### Tests of families and adjustments: family-wise error rates\n\n"
        + "\n".join(levels(rows, what=("family-wise error",))),
        "### Intervals: coverage of 95% intervals\n\n" + "\n".join(levels(rows, what=("coverage",))),
        "### Power and false discovery rates\n\n" + "\n".join(power(rows)),
    ]
    return "\n\n".join(parts) + "\n"


def page(text: str, rows: list[Row]) -> str:
    """Return the page with its tables."""
    return TABLES["filled"](text, {"tables": tables(rows)})


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), read()), encoding="utf-8")
    print(f"wrote {PAGE}")
