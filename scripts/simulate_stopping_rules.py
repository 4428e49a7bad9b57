"""Simulate the error rate and the number of runs of stopping rules for repeated experiments.

Two classifiers predict the same 100 instances in up to 500 runs with different seeds. A prediction is the sign of a
margin of the instance plus noise of the run. In one setting, both classifiers are equal and have different seeds. In
the other settings, the margins of the second classifier are slightly smaller. All rules and tests use the same runs.

    python scripts/simulate_stopping_rules.py                 # some minutes; writes the CSV file and the page
    python scripts/simulate_stopping_rules.py --experiments 5 --table rates.csv
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from generated_tables import filled, read_rows, write_rows
from scipy import special, stats

from evalstats.metrics import proportion_interval
from evalstats.paired import betting_test, sequential_sign_test
from evalstats.reproducibility import KolmogorovSmirnov, RankCorrelation, StoppingRule

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs" / "error-rates" / "stopping-rules.csv"
PAGE = ROOT / "docs" / "stopping-rules.md"

SEED = 2010
N_CASES, N_RUNS = 100, 500
# reduction of the margins of the second classifier, by the lead of the first in accuracy
SETTINGS = {"none": 0.0, "small": 0.0175, "medium": 0.035, "large": 0.07}
N_EXPERIMENTS = {"none": 4000, "small": 500, "medium": 500, "large": 500}
ALPHAS = (0.2, 0.1, 0.05, 0.01, 0.001)
POWER = 0.8
MARGINS = special.ndtri((np.arange(N_CASES) + 0.5) / N_CASES) + 0.8
LABELS = np.where(np.arange(N_CASES) % 2, 1.0, -1.0)
NOISE = 0.3

Array = np.ndarray[Any, np.dtype[np.float64]]
Row = dict[str, str]


def draw_runs(handicap: float, rng: np.random.Generator) -> Array:
    """Return the margins of all instances, which determine the correctness, of shape (2, runs, cases)."""
    noise = NOISE * rng.standard_normal((2, N_RUNS, N_CASES))
    return MARGINS + noise - np.array([0.0, handicap])[:, None, None]


def settled(rule: StoppingRule, runs: Array) -> int:
    """Return the number of runs after which a rule for individual classifiers has stopped for both, or all runs."""
    return max(followed(rule.fresh(), own) for own in runs)


def followed(rule: StoppingRule, runs: Array) -> int:
    """Return the number of runs after which a rule has stopped, or all runs."""
    for run in runs:
        if rule.update(run):
            break
    return rule.n_runs


def experiments(setting: str, n: int, seed: int) -> tuple[Array, dict[str, np.ndarray[Any, Any]]]:
    """Return the accuracies, (experiments, runs, 2), and the stopping times of the rules for individual classifiers."""
    accuracies, stops = np.empty((n, N_RUNS, 2)), {"KolmogorovSmirnov(0.2)": [], "RankCorrelation()": []}
    for i in range(n):
        rng = np.random.default_rng([seed, list(SETTINGS).index(setting), i])
        margins = draw_runs(SETTINGS[setting], rng)
        accuracies[i] = (margins > 0).mean(axis=2).T
        stops["KolmogorovSmirnov(0.2)"].append(settled(KolmogorovSmirnov(0.2), accuracies[i].T))
        stops["RankCorrelation()"].append(settled(RankCorrelation(), special.expit(LABELS * margins)))
    return accuracies, {name: np.array(values) for name, values in stops.items()}


def t_pvalues(differences: Array) -> Array:
    """Return the p-value of the paired t-test after each run. It is 1 after the first, and if all differences are 0."""
    n = np.arange(1, differences.shape[1] + 1)
    mean = np.cumsum(differences, axis=1) / n
    deviation = np.maximum(np.cumsum(differences**2, axis=1) - n * mean**2, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(mean) / np.sqrt(deviation / (n - 1) / n)
        pvalues = 2 * stats.t.sf(t, n - 1)
    # two or three equal differences have no standard deviation, so they do not count as a result
    return np.where(deviation > 1e-12, pvalues, 1.0)


def sign_pvalues(differences: Array) -> Array:
    """Return the p-value of the sign test after each run."""
    wins, losses = np.cumsum(differences > 1e-9, axis=1), np.cumsum(differences < -1e-9, axis=1)
    return np.minimum(1.0, 2 * special.bdtr(np.minimum(wins, losses), wins + losses, 0.5))


def procedures(accuracies: Array, stops: dict[str, Any], alpha: float) -> Iterator[tuple[str, Any, Any]]:
    """Yield each way to stop, with its decisions and its numbers of runs."""
    x, y = accuracies[..., 0], accuracies[..., 1]
    t, sign = t_pvalues(x - y), sign_pvalues(x - y)
    rows = np.arange(len(x))
    for n in (10, 50):
        yield f"FixedRuns({n}), then t-test", t[:, n - 1] <= alpha, np.full(len(x), n)
    for rule, at in stops.items():
        yield f"{rule}, then t-test", t[rows, at - 1] <= alpha, at
    yield "t-test after every run", *looking(t, alpha)
    yield "sign test after every run", *looking(sign, alpha)
    yield "AnytimeValid()", *looking(sequential_sign_test(x, y).pvalues, alpha)
    yield "AnytimeValid(bounds=(-1, 1))", *looking(betting_test(x, y, alpha=alpha).pvalues, alpha)


def looking(pvalues: Array, alpha: float) -> tuple[Any, Any]:
    """Return whether any p-value is small enough, and the number of runs at the first such p-value, or all runs."""
    is_found = pvalues <= alpha
    found = is_found.any(axis=1)
    return found, np.where(found, is_found.argmax(axis=1) + 1, pvalues.shape[1])


def rows_of(setting: str, n: int, seed: int) -> Iterator[Row]:
    """Yield the rows of one setting, for each level and each way to stop."""
    accuracies, stops = experiments(setting, n, seed)
    differences = accuracies[..., 0] - accuracies[..., 1]
    lead = f"{differences.mean():.4f}"
    for alpha in ALPHAS:
        for name, found, ended in procedures(accuracies, stops, alpha):
            low, high = proportion_interval(int(found.sum()), n)
            yield {
                "setting": setting,
                "lead": lead,
                "procedure": name,
                "alpha": str(alpha),
                "n_experiments": str(n),
                "n_found": str(int(found.sum())),
                "rate": f"{found.mean():.4f}",
                "low": f"{low:.4f}",
                "high": f"{high:.4f}",
                "mean_runs": f"{ended.mean():.1f}",
                "mean_runs_error": f"{ended.std(ddof=1) / np.sqrt(n):.1f}",
                "runs_for_power": str(runs_for_power(np.where(found, ended, N_RUNS + 1)) or ""),
                "seed": str(seed),
            }
        for name, pvalues in (
            ("t-test, planned", t_pvalues(differences)),
            ("sign test, planned", sign_pvalues(differences)),
        ):
            yield {
                "setting": setting,
                "lead": lead,
                "procedure": name,
                "alpha": str(alpha),
                "n_experiments": str(n),
                "runs_for_power": str(planned((pvalues <= alpha).mean(axis=0)) or ""),
                "seed": str(seed),
            }


def runs_for_power(ended: Any) -> int | None:
    """Return the number of runs after which a proportion of the experiments has stopped with a rejection."""
    n = int(np.sort(ended)[int(np.ceil(POWER * len(ended))) - 1])
    return n if n <= N_RUNS else None


def planned(power: Array) -> int | None:
    """Return the smallest number of runs from which on a single test has the power."""
    too_few = np.flatnonzero(power < POWER)
    n = int(too_few[-1]) + 2 if len(too_few) else 1
    return n if n <= N_RUNS else None


def read(path: Path = TABLE) -> list[Row]:
    """Return the rows of the table."""
    return read_rows(path)


def rate(text: str) -> str:
    """Return a proportion without the zero before the decimal point."""
    return text.removeprefix("0") if not text.startswith("1") else "1"


def error_table(rows: list[Row]) -> str:
    """Return the rates of false rejections of each way to stop. Bold rates exceed the simulation error."""
    own = [row for row in rows if row["setting"] == "none" and row.get("rate")]
    lines = [
        f"| rule | {' | '.join(f'α = {alpha}' for alpha in ALPHAS)} | mean runs at 0.05 |",
        "| --- |" + " --- |" * (len(ALPHAS) + 1),
    ]
    for name in dict.fromkeys(row["procedure"] for row in own):
        of_name = {row["alpha"]: row for row in own if row["procedure"] == name}
        cells = [f"**{rate(r['rate'])}**" if is_above(r) else rate(r["rate"]) for r in of_name.values()]
        lines.append(f"| {name} | {' | '.join(cells)} | {float(of_name['0.05']['mean_runs']):.0f} |")
    return "\n".join(lines) + "\n"


def is_above(row: Row) -> bool:
    """Return whether the simulation shows, at 99.9%, that the rejection rate is above alpha."""
    low, _ = proportion_interval(int(row["n_found"]), int(row["n_experiments"]), confidence_level=0.999)
    return bool(low > float(row["alpha"]))


def runs_table(rows: list[Row]) -> str:
    """Return the numbers of runs that detect a lead at level .05."""
    settings = [name for name in SETTINGS if name != "none"]
    own = [row for row in rows if row["alpha"] == "0.05" and row["setting"] != "none"]
    leads = {row["setting"]: f"{100 * float(row['lead']):.1f} points" for row in own}
    lines = [
        f"| rule | {' | '.join(leads[name] for name in settings)} |",
        "| --- |" + " --- |" * len(settings),
    ]
    for name in dict.fromkeys(row["procedure"] for row in own):
        cells = []
        for setting in settings:
            (row,) = (row for row in own if row["procedure"] == name and row["setting"] == setting)
            cells.append(found_words(row))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def found_words(row: Row) -> str:
    """State how often a lead was detected, and in how many runs."""
    needed = row["runs_for_power"] or f"> {N_RUNS}"
    if not row["rate"]:
        return f"{needed} runs for 80%"
    mean = f"{float(row['mean_runs']):.0f} ± {float(row['mean_runs_error']):.0f}"
    if row["procedure"].endswith("then t-test"):
        return f"{100 * float(row['rate']):.0f}% in {mean}"
    return f"{100 * float(row['rate']):.0f}% in {mean}; {needed} for 80%"


def page(text: str, rows: list[Row]) -> str:
    """Return the page with the tables of these rows."""
    return filled(text, {"errors": error_table(rows), "runs": runs_table(rows)})


def main() -> None:
    """Simulate, and write the table and the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--experiments", type=int, help="of each setting; 4000 and 500 if not given")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--table", type=Path, default=TABLE)
    given = parser.parse_args()
    rows = [row for name, n in N_EXPERIMENTS.items() for row in rows_of(name, given.experiments or n, given.seed)]
    write_rows(given.table, rows, given.seed)
    if given.table == TABLE:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), read()), encoding="utf-8")


if __name__ == "__main__":
    main()
