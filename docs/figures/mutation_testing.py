"""Write the tables of docs/mutation-testing.md: ``python docs/figures/mutation_testing.py``.

They come from docs/mutation-testing/runs.csv, the long runs of tests/trials; from docs/mutation-testing/closed.csv,
what earlier attacks found and which tests hold it; and from docs/mutation-testing/mutants.csv and a later sample,
docs/mutation-testing/mutants-2030.csv, which scripts/mutation_testing.py makes. docs/mutation-testing/survivors.toml
says why a mutant survived.
"""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path

from evalstats.metrics import proportion_interval

HERE = Path(__file__).parent
PAGE = HERE.parent / "mutation-testing.md"
FILES = ("runs.csv", "closed.csv", "mutants.csv", "mutants-2030.csv", "survivors.toml")
RUNS, CLOSED, MUTANTS, LATER, SURVIVORS = (HERE.parent / "mutation-testing" / name for name in FILES)
TABLES = runpy.run_path(str(HERE.parents[1] / "scripts" / "generated_tables.py"))
SAME = "the same numbers"  # so begins the reason of a mutant that no test of numbers can notice
SUBPACKAGES = ("distributions", "adjustment", "paired", "multiple")
OUTCOMES = ("tests", "time", "R", "others", "survived")

Row = dict[str, str]


def rows(file: Path) -> list[Row]:
    """Return the rows of a file, without its first line."""
    return TABLES["read_rows"](file)


def origin(file: Path) -> str:
    """Return the seed, the sizes and the date of a sample of mutants."""
    return file.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")


def reasons() -> dict[str, str]:
    """Return why each mutant survived, by `name`."""
    return tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))


def name(mutant: Row) -> str:
    """Return the name of a mutant: its module and its change."""
    return f"{mutant['stem']}: {mutant['before']} -> {mutant['after']}"


def of_runs() -> str:
    """Return the table of the long runs."""
    lines = ["| test | trials | seed | date | failures |", "| --- | --- | --- | --- | --- |"]
    lines += [f"| {r['trial']} | {r['tried']} | {r['seed']} | {r['date']} | {r['wrong']} |" for r in rows(RUNS)]
    return "\n".join(lines)


def of_closed() -> str:
    """Return the table of the faults that were found."""
    lines = ["| fault | tests |", "| --- | --- |"]
    for row in rows(CLOSED):
        tried, tests = row.values()
        lines.append(f"| {tried} | {'<br>'.join(f'`{test}`' for test in tests.split())} |")
    return "\n".join(lines)


def of_mutants(file: Path) -> str:
    """Return the table of a sample of mutants by subpackage, and the surviving mutants."""
    mutants, why = rows(file), reasons()
    lines = [
        f"Sample: {origin(file)}.",
        "",
        "| subpackage | mutants | detected by tests | by time | by R | by other modules or invariants | survived |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for subpackage in (*SUBPACKAGES, ""):
        own = [m["outcome"] for m in mutants if m["stem"].startswith(subpackage)]
        counts = [own.count(outcome) for outcome in OUTCOMES]
        lines.append(f"| {subpackage or 'all'} | {len(own)} | {' | '.join(map(str, counts))} |")
    survived = [m for m in mutants if m["outcome"] == "survived"]
    same = sum(why[name(m)].startswith(SAME) for m in survived)
    noticed, of = at_first(mutants)
    low, high = proportion_interval(noticed, of)
    lines += [
        "",
        f"{same} of the surviving mutants compute the same numbers, so no test can detect them. When the sample was",
        f"drawn, {noticed} of the {of} other mutants were detected ({noticed / of:.0%}; 95% interval {low:.0%} to",
        f"{high:.0%}). Tests were written afterwards. They detect {share(mutants):.1f}% of these mutants. This number",
        "does not apply to mutants that were not drawn. These mutants survived:",
        "",
    ]
    lines += [f"- `{m['stem']}`: `{m['after']}` instead of `{m['before']}`. {sentence(why[name(m)])}" for m in survived]
    return "\n".join(lines)


def sentence(reason: str) -> str:
    """Return the reason why a mutant survived as a sentence."""
    reason = reason.replace(SAME, "the numbers are the same", 1) if reason.startswith(SAME) else reason
    return f"{reason[0].upper()}{reason[1:]}."


def share(mutants: list[Row]) -> float:
    """Return the percentage of detected mutants, among mutants that give other numbers."""
    why = reasons()
    noticed = [m["outcome"] != "survived" for m in mutants if not why.get(name(m), "").startswith(SAME)]
    return 100 * sum(noticed) / len(noticed)


def at_first(mutants: list[Row]) -> tuple[int, int]:
    """Return the number of mutants that were detected at first, and of mutants that give other numbers."""
    why = reasons()
    told = [m["at_first"] != "survived" for m in mutants if not why.get(name(m), "").startswith(SAME)]
    return sum(told), len(told)


def page(text: str) -> str:
    """Return the page with its tables."""
    tables = {"runs": of_runs(), "closed": of_closed(), "mutants": of_mutants(MUTANTS), "later": of_mutants(LATER)}
    return TABLES["filled"](text, tables)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
