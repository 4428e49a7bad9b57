"""Simulate the error rates and the power of post-hoc tests.

``python scripts/posthoc_error_rates.py`` writes docs/error-rates/posthoc.csv and the tables of
docs/error-rates-posthoc.md. With ``--tables 50``, the script only prints the rates of a short simulation. The tests are
the choices of `compare(posthoc=)`, with the omnibus test if they require it.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from generated_tables import filled, read_rows, write_rows

from evalstats.comparison.registry import OMNIBUS_TESTS, POSTHOC_TESTS

DOCS = Path(__file__).parents[1] / "docs"
DATA, PAGE = DOCS / "error-rates" / "posthoc.csv", DOCS / "error-rates-posthoc.md"
TABLES, SEED, LEVEL = 1000, 20261123, 0.05
# tests with Monte Carlo p-values use only some of the tables
SLOW = ("steel", "max-t", "max-t-means", "romano-wolf")
PART, RESAMPLES, AT_ONCE = 4, 399, 100
# post-hoc test and adjustment, with a control or for all pairs
ALL_PAIRS = (
    ("wilcoxon", "holm"),
    ("nemenyi", ""),
    ("wilcoxon", "shaffer"),
    ("sign", "holm"),
    ("sign", "shaffer"),
    ("max-t", ""),
    ("max-t-means", ""),
    ("range", ""),
    ("paired-t", "holm"),
    ("siegel-castellan", "holm"),
    ("siegel-castellan", "shaffer"),
    ("rank-sum", "holm"),
    ("miller", ""),
    ("conover", "holm"),
    ("friedman-aligned", "holm"),
    ("quade", "holm"),
    ("tukey", ""),
)
WITH_CONTROL = (
    ("wilcoxon", "holm"),
    ("bonferroni-dunn", ""),
    ("friedman-dunnett", ""),
    ("siegel-castellan", "holm"),
    ("rank-sum", "holm"),
    ("conover", "holm"),
    ("friedman-aligned", "holm"),
    ("quade", "holm"),
    ("steel", ""),
    ("max-t", ""),
    ("dunnett", ""),
)

Row = dict[str, Any]
Draw = Callable[[np.random.Generator, tuple[int, int, int]], np.ndarray]


class Setting(NamedTuple):
    """Random scores of shape (size, n, k), the values of n and k, and the equal pairs, of shape (k, k)."""

    draw: Draw
    sizes: tuple[tuple[int, int], ...]
    alike: Callable[[int], np.ndarray]
    is_power: bool = False


def _all(k: int) -> np.ndarray:
    return ~np.eye(k, dtype=bool)


def _first_two(k: int) -> np.ndarray:
    return _all(k) & (np.add.outer(np.arange(k), np.arange(k)) == 1)


def _neighbours(k: int) -> np.ndarray:
    return np.asarray(np.abs(np.subtract.outer(np.arange(k), np.arange(k))) == 1)


def _all_but_first(k: int) -> np.ndarray:
    return _all(k) & (np.minimum.outer(np.arange(k), np.arange(k)) > 0)


def _none(k: int) -> np.ndarray:
    return np.zeros((k, k), dtype=bool)


def _normal(rng: np.random.Generator, shape: tuple[int, int, int]) -> np.ndarray:
    return rng.normal(size=shape)


def _coin(rng: np.random.Generator, shape: tuple[int, int, int]) -> np.ndarray:
    """Draw two classifiers that are randomly best and worst on each dataset, among very different classifiers."""
    scores = rng.normal(0, 0.1, shape) + np.maximum(np.arange(shape[-1]) - 1, 0)
    side = rng.choice([-1, 1], shape[:2]) * 2 * shape[-1]
    scores[..., 0] += side
    scores[..., 1] -= side
    return scores


def _one_far_better(rng: np.random.Generator, shape: tuple[int, int, int]) -> np.ndarray:
    scores = rng.normal(size=shape)
    scores[..., 2:] += 8 * np.arange(1, shape[-1] - 1)
    return scores


def _near_duplicates(rng: np.random.Generator, shape: tuple[int, int, int]) -> np.ndarray:
    """Draw pairs of nearly identical classifiers. All classifiers perform equally."""
    size, n, k = shape
    return np.repeat(rng.normal(size=(size, n, (k + 1) // 2)), 2, axis=-1)[..., :k] + rng.normal(0, 0.05, shape)


def _unequal_spread(rng: np.random.Generator, shape: tuple[int, int, int]) -> np.ndarray:
    """Draw equal classifiers. The scores of two of them vary thirty times as much as the other scores."""
    return rng.normal(size=shape) * np.where(np.arange(shape[-1]) < 2, 30, 1)


def _no_transitivity(rng: np.random.Generator, shape: tuple[int, int, int]) -> np.ndarray:
    """Draw A, B and C with symmetric differences A - B and B - C and an asymmetric sum: A is better than C."""
    first = np.array([[3, -1], [-1, 3], [1, 1], [-3, -3]]) * 1.0
    steps = first[rng.integers(0, 4, shape[:2])]
    size = rng.uniform(0.9, 1.1, (*shape[:2], 1))
    a_minus_b, b_minus_c = np.moveaxis(steps * size, -1, 0)
    return np.stack([a_minus_b + b_minus_c, b_minus_c, np.zeros(shape[:2])], axis=-1)


def _one_better(by: float) -> Draw:
    def draw(rng: np.random.Generator, shape: tuple[int, int, int]) -> np.ndarray:
        scores = rng.normal(size=shape)
        scores[..., 0] += by
        return scores

    return draw


def _ladder(rng: np.random.Generator, shape: tuple[int, int, int]) -> np.ndarray:
    """Draw correlated classifiers, each of which is better than the next."""
    common = rng.normal(size=(*shape[:2], 1))
    return common + rng.normal(0, 0.5, shape) + 0.25 * np.arange(shape[-1])


SETTINGS: dict[str, Setting] = {
    "all alike": Setting(_normal, ((8, 3), (10, 5), (30, 5), (30, 10)), _all),
    "swapped by a coin": Setting(_coin, ((10, 4), (20, 10), (30, 10)), _first_two),
    "one or more far better, two alike": Setting(_one_far_better, ((8, 3), (30, 3), (30, 6)), _first_two),
    "near-duplicates": Setting(_near_duplicates, ((10, 4), (30, 10)), _all),
    "unequal spread": Setting(_unequal_spread, ((10, 4), (30, 10)), _all),
    "alike, but not transitive": Setting(_no_transitivity, ((40, 3), (100, 3)), _neighbours),
    "one better": Setting(_one_better(1.0), ((10, 5), (20, 5), (20, 10), (50, 10)), _all_but_first, True),
    "ladder": Setting(_ladder, ((10, 5), (20, 5), (20, 10), (50, 10)), _none, True),
}


def called_different(scores: np.ndarray, posthoc: str, adjust: str, control: int | None) -> np.ndarray:
    """Return the decisions on all pairs of each table, (size, k, k), or on all against a control, (size, k)."""
    test = POSTHOC_TESTS[posthoc]
    common: dict[str, Any] = {"greater_is_better": True, "tie_tolerance": 1e-12}
    simulated: dict[str, Any] = {"n_resamples": RESAMPLES, "rng": 0} if test.simulates else {}
    found = test.run(scores, control=control, adjust=adjust, **common, **simulated)
    with np.errstate(invalid="ignore"):
        rejected = np.asarray(found.pvalue <= LEVEL)
    if not test.is_gated:
        return rejected
    led = OMNIBUS_TESTS[test.omnibus].run(scores, **common, **_approximate(test.omnibus)).pvalue <= LEVEL
    return test.different(rejected, np.asarray(led).reshape(-1, *[1] * (rejected.ndim - 1)))


def _approximate(omnibus: str) -> dict[str, str]:
    """Use the approximation of an omnibus test, which is fast and rarely changes the decision."""
    return {"friedman": {"method": "f"}, "friedman-aligned": {"method": "chi2"}, "quade": {"method": "f"}}.get(
        omnibus, {}
    )


def rates(name: str, n: int, k: int, posthoc: str, adjust: str, control: int | None, n_tables: int) -> Row:
    """Return the rate of tables with a rejected equal pair, and the proportion of detected true differences."""
    setting = SETTINGS[name]
    of_tables = max(1, n_tables // (PART if posthoc in SLOW else 1))
    alike, others = setting.alike(k), ~np.eye(k, dtype=bool)
    is_null, is_true = (alike, others & ~alike) if control is None else (alike[control], (others & ~alike)[control])
    errors, found, done = 0, 0.0, 0
    rng = np.random.default_rng([SEED, *name.encode(), n, k])  # the same tables for all tests
    while done < of_tables:
        size = min(AT_ONCE, of_tables - done)
        different = called_different(setting.draw(rng, (size, n, k)), posthoc, adjust, control)
        errors += int((different & is_null).reshape(size, -1).any(axis=1).sum())
        found += float(different[:, is_true].mean(axis=1).sum()) if is_true.any() else 0.0
        done += size
    return {
        "setting": name,
        "n": n,
        "k": k,
        "posthoc": posthoc,
        "adjust": adjust,
        "control": "yes" if control is not None else "no",
        "tables": of_tables,
        "error": round(errors / of_tables, 5) if is_null.any() else "",
        "found": round(found / of_tables, 5) if is_true.any() else "",
    }


def cells() -> Iterator[tuple[str, int, int, str, str, int | None]]:
    """Yield every setting, size, test and family."""
    for name, setting in SETTINGS.items():
        for n, k in setting.sizes:
            for posthoc, adjust in ALL_PAIRS:
                yield name, n, k, posthoc, adjust, None
            for posthoc, adjust in WITH_CONTROL:
                yield name, n, k, posthoc, adjust, 0


def simulated(n_tables: int) -> list[Row]:
    """Return a row for each cell."""
    return [rates(*cell, n_tables) for cell in cells()]


# --- the tables of the page -------------------------------------------------------------------------------------------


def words(posthoc: str, adjust: str) -> str:
    """Return the name of a procedure as users type it."""
    led = f"{POSTHOC_TESTS[posthoc].omnibus}, then " if POSTHOC_TESTS[posthoc].is_gated else ""
    return f"{led}`{posthoc}`" + (f" with `{adjust}`" if adjust else "")


def error_table(rows: list[Row], control: str) -> str:
    """Return the table of the largest rates: one row for each test, one column for each setting."""
    names = [name for name, setting in SETTINGS.items() if not setting.is_power]
    lines = [f"| test | {' | '.join(names)} |", f"| --- |{' ---: |' * len(names)}"]
    for posthoc, adjust in ALL_PAIRS if control == "no" else WITH_CONTROL:
        largest = []
        for name in names:
            own = [row for row in rows if _is(row, posthoc, adjust, control) and row["setting"] == name]
            values = [float(row["error"]) for row in own if row["error"] != ""]
            largest.append(_short(max(values)) if values else "")
        lines.append(f"| {words(posthoc, adjust)} | {' | '.join(largest)} |")
    return "\n".join(lines) + "\n"


def power_table(rows: list[Row]) -> str:
    """Return the table of the power of the main tests, for all pairs and with a control."""
    columns = [(name, n, k) for name, one in SETTINGS.items() if one.is_power for n, k in one.sizes]
    heads = [f"{name}, n = {n}, k = {k}" for name, n, k in columns]
    lines = [f"| test | {' | '.join(heads)} |", f"| --- |{' ---: |' * len(heads)}"]
    for control, tests in (("no", ALL_PAIRS), ("yes", WITH_CONTROL)):
        for posthoc, adjust in tests:
            if posthoc not in ("wilcoxon", "nemenyi", "bonferroni-dunn", "sign", "steel", "max-t", "max-t-means"):
                continue
            own = {(r["setting"], int(r["n"]), int(r["k"])): r for r in rows if _is(r, posthoc, adjust, control)}
            found = [_short(float(own[at]["found"])) for at in columns]
            where = "" if control == "no" else ", with a control"
            lines.append(f"| {words(posthoc, adjust)}{where} | {' | '.join(found)} |")
    return "\n".join(lines) + "\n"


def _is(row: Row, posthoc: str, adjust: str, control: str) -> bool:
    return (row["posthoc"], row["adjust"], row["control"]) == (posthoc, adjust, control)


def _short(rate: float) -> str:
    return f"{rate:.3f}"


def tables(rows: list[Row]) -> dict[str, str]:
    """Return the tables of the page by their marks."""
    return {"pairs": error_table(rows, "no"), "control": error_table(rows, "yes"), "found": power_table(rows)}


def read() -> list[Row]:
    """Return the rows of the data."""
    return list(read_rows(DATA))


def main() -> None:
    """Simulate, and write the data and the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, help="print the tables of so many, and write nothing")
    n = parser.parse_args().tables
    rows = simulated(TABLES if n is None else n)
    if n is not None:
        sys.stdout.write("\n".join(itertools.chain(*tables(rows).items())))
        return
    write_rows(DATA, rows, SEED)
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), tables(rows)), encoding="utf-8")


if __name__ == "__main__":
    main()
