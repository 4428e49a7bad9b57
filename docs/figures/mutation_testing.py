"""Write the tables of docs/mutation-testing.md: ``python docs/figures/mutation_testing.py``.

They come from docs/mutation-testing/runs.csv, the long runs of tests/trials; from docs/mutation-testing/closed.csv,
what earlier attacks found and which tests hold it; and from docs/mutation-testing/mutants.csv and a later sample,
docs/mutation-testing/mutants-2028.csv, which scripts/mutation_testing.py makes. docs/mutation-testing/survivors.toml
says why a mutant survived.
"""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path

from evalstats.metrics import proportion_interval

HERE = Path(__file__).parent
PAGE = HERE.parent / "mutation-testing.md"
FILES = ("runs.csv", "closed.csv", "mutants.csv", "mutants-2028.csv", "survivors.toml")
RUNS, CLOSED, MUTANTS, LATER, SURVIVORS = (HERE.parent / "mutation-testing" / name for name in FILES)
TABLES = runpy.run_path(str(HERE.parents[1] / "scripts" / "generated_tables.py"))
SAME = "the same numbers"  # so begins the reason of a mutant that no test of numbers can notice
ROOMS = ("distributions", "adjustment", "paired", "multiple")
OUTCOMES = ("tests", "time", "R", "others", "survived")

Row = dict[str, str]


def rows(file: Path) -> list[Row]:
    """Return the rows of a file, without its first line of words."""
    return TABLES["read_rows"](file)


def origin(file: Path) -> str:
    """Return the seed, the sizes and the date of a sample of mutants."""
    return file.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")


def reasons() -> dict[str, str]:
    """Return why each mutant survived, by `name`."""
    return tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))


def name(mutant: Row) -> str:
    """Name a mutant by what stands there now."""
    return f"{mutant['stem']}: {mutant['before']} -> {mutant['after']}"


def of_runs() -> str:
    """Return the table of the long runs."""
    lines = ["| trial | tried | seed | date | went wrong |", "| --- | --- | --- | --- | --- |"]
    lines += [f"| {r['trial']} | {r['tried']} | {r['seed']} | {r['date']} | {r['wrong']} |" for r in rows(RUNS)]
    return "\n".join(lines)


def of_closed() -> str:
    """Return the table of what was found once."""
    lines = ["| what was tried | what holds it now |", "| --- | --- |"]
    for row in rows(CLOSED):
        tried, tests = row.values()
        lines.append(f"| {tried} | {'<br>'.join(f'`{test}`' for test in tests.split())} |")
    return "\n".join(lines)


def of_mutants(file: Path) -> str:
    """Return the table of a sample of mutants, room by room, and what survived."""
    mutants, why = rows(file), reasons()
    lines = [
        f"Of {origin(file)}.",
        "",
        "| room | mutants | noticed by tests | by time | by R's answers | by other modules or laws | survived |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for room in (*ROOMS, ""):
        own = [m["outcome"] for m in mutants if m["stem"].startswith(room)]
        counts = [own.count(outcome) for outcome in OUTCOMES]
        lines.append(f"| {room or 'all'} | {len(own)} | {' | '.join(map(str, counts))} |")
    survived = [m for m in mutants if m["outcome"] == "survived"]
    same = sum(why[name(m)].startswith(SAME) for m in survived)
    noticed, of = at_first(mutants)
    low, high = proportion_interval(noticed, of)
    lines += [
        "",
        f"{same} of them cannot be noticed: they give the same numbers. When they were drawn, {noticed} of the {of}",
        f"others were noticed, {noticed / of:.0%}; with a confidence of 95 %, that is between {low:.0%} and {high:.0%}",
        f"of all that could stand there. Then tests were written, and {share(mutants):.1f} % of these mutants are",
        "noticed now, which says nothing of mutants that were not drawn. What survived:",
        "",
    ]
    lines += [f"- `{m['stem']}`: `{m['before']}` as `{m['after']}`: {why[name(m)]}" for m in survived]
    return "\n".join(lines)


def share(mutants: list[Row]) -> float:
    """Return the percentage that was noticed, of those that give other numbers."""
    why = reasons()
    noticed = [m["outcome"] != "survived" for m in mutants if not why.get(name(m), "").startswith(SAME)]
    return 100 * sum(noticed) / len(noticed)


def at_first(mutants: list[Row]) -> tuple[int, int]:
    """Return how many were noticed when they were drawn, and of how many that give other numbers."""
    why = reasons()
    told = [m["at_first"] != "survived" for m in mutants if not why.get(name(m), "").startswith(SAME)]
    return sum(told), len(told)


def page(text: str) -> str:
    """Return the page with its tables."""
    tables = {"runs": of_runs(), "closed": of_closed(), "mutants": of_mutants(MUTANTS), "later": of_mutants(LATER)}
    return TABLES["filled"](text, tables)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
