"""Simulate the coverage and the width of intervals for few runs or datasets.

``python scripts/simulate_interval_coverage.py`` writes docs/error-rates/intervals.csv and the tables of
docs/coverage-of-intervals.md. With ``--only NAME``, the script replaces only the rows of one function. With
``--experiments 20``, it only prints the rates of a short simulation. With ``--shapes``, it only writes the table of
intervals by the skewness of the runs.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from generated_tables import filled, read_rows, write_rows
from simulate_error_rates import apart, strengths

import evalstats as ev
from evalstats.distributions.small_sample_limits import win_probability_limits
from evalstats.metrics import proportion_interval
from evalstats.multiple.mean_ranks import dataset_ranks

DOCS = Path(__file__).parents[1] / "docs"
DATA, PAGE = DOCS / "error-rates" / "intervals.csv", DOCS / "coverage-of-intervals.md"
SEED, LEVEL, DRAWS = 20261124, 0.95, 199
EXPERIMENTS = 4000
LARGE = 400_000  # number of values for a true value without a formula

Row = dict[str, Any]
Limits = tuple[np.ndarray, np.ndarray]
Found = dict[str, Limits]  # by the method


class Setting(NamedTuple):
    """Estimated quantity, type of data, number of runs or datasets, and number of datasets or classifiers."""

    function: str
    data: str
    n: int
    other: int
    draw: Callable[
        [np.random.Generator, int], tuple[Found, Any]
    ]  # limits of this number of experiments, and the true value


# --- data -------------------------------------------------------------------------------------------------------------

SCORES: dict[str, Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]] = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "two digits": lambda rng, shape: np.round(0.8 + 0.02 * rng.standard_normal(shape), 2),
    "heavy tails": lambda rng, shape: rng.standard_t(3, shape),
    "exponential": lambda rng, shape: rng.exponential(size=shape),
    "log-normal": lambda rng, shape: np.exp(rng.standard_normal(shape)),
    "one run of ten fails": lambda rng, shape: rng.standard_normal(shape) - 8 * (rng.random(shape) < 0.1),
}
MEANS = {"normal": 0.0, "two digits": 0.8, "heavy tails": 0.0, "exponential": 1.0, "log-normal": float(np.exp(0.5))}
MEANS |= {"one run of ten fails": -0.8}
BEFORE_AFTER = {
    "pairwise_mean_differences": ("bca", "hall"),
    "long_run_mean": ("t", "hall"),
    "interquartile_mean": ("percentile", "small-sample"),
    "optimality_gap": ("percentile", "small-sample"),
    "probability_of_improvement": ("percentile", "small-sample"),
    "rank_distribution": ("percentile", "gaffke"),
    "bradley_terry_model": ("model", "datasets"),
    "kendall_w": ("bca", "jackknife"),
    "akinshin_gamma": ("percentile", "expanded"),
    "pvalues_over_runs": ("wilson", "clopper-pearson"),
}


def truth_rng(*names: Any) -> np.random.Generator:
    """Return random numbers for a true value, which no experiment uses."""
    return np.random.default_rng([SEED, zlib.crc32(repr(names).encode())])


def limits(intervals: list[Any]) -> Limits:
    """Stack the intervals of several experiments, with an additional axis for several intervals of an experiment."""
    return tuple(np.stack([np.asarray(getattr(one, side)) for one in intervals]) for side in ("low", "high"))


# --- estimated quantities ---------------------------------------------------------------------------------------------


def of_mean_differences() -> Iterator[Setting]:
    """Yield differences of two classifiers. Each experiment is a column against zeros; 100 share their draws."""
    for data in ("normal", "two digits", "heavy tails", "log-normal", "exponential differences"):
        for n in (3, 5, 10, 20):

            def draw(rng: np.random.Generator, many: int, data: str = data, n: int = n) -> tuple[Found, Any]:
                shape = (n, many)
                if data == "exponential differences":
                    d = rng.exponential(size=shape)
                else:
                    d = SCORES[data](rng, shape) - SCORES[data](rng, shape)
                found: dict[str, list[Any]] = {"bca": [], "hall": []}
                for start in range(0, many, 100):
                    table = np.column_stack([np.zeros(n), d[:, start : start + 100]])
                    for method, own in found.items():
                        result = ev.pairwise.pairwise_mean_differences(
                            table, control=0, method=method, n_resamples=999, rng=rng
                        )
                        interval = result.confidence_interval()
                        own.append((interval.low[1:], interval.high[1:]))
                joined = {way: tuple(map(np.concatenate, zip(*own, strict=True))) for way, own in found.items()}
                return joined, 1.0 if data == "exponential differences" else 0.0

            yield Setting("pairwise_mean_differences", data, n, 2, draw)


def of_steady_states() -> Iterator[Setting]:
    """Yield the mean over runs on one dataset."""
    for data, mean in MEANS.items():
        for n in (3, 5, 10, 20):

            def draw(
                rng: np.random.Generator, many: int, data: str = data, n: int = n, mean: float = mean
            ) -> tuple[Found, Any]:
                result = ev.reproducibility.long_run_mean(SCORES[data](rng, (many, n)))
                found = {method: result.confidence_interval(method=method) for method in ("t", "hall")}
                return {method: (own.low, own.high) for method, own in found.items()}, mean

            yield Setting("long_run_mean", data, n, 1, draw)


def levels_of(data: str, n_datasets: int) -> np.ndarray:
    """Return the levels of the datasets: two standard deviations from the first to the last."""
    step = 0.02 if data == "two digits" else 1.0
    return step * np.linspace(-1, 1, n_datasets) if n_datasets > 1 else np.zeros(1)


def of_aggregates(name: str) -> Iterator[Setting]:
    """Yield aggregates of runs on several datasets. The target is out of reach for 4 of 10 runs, or for all."""
    functions: dict[str, Callable[..., Any]] = {
        "interquartile_mean": lambda runs, target, **choices: ev.reproducibility.interquartile_mean(runs, **choices),
        "optimality_gap": lambda runs, target, **choices: ev.reproducibility.optimality_gap(
            runs, target=target, **choices
        ),
    }
    function = functions[name]
    for data, scores in SCORES.items():
        for n_datasets in (1, 5):
            large = scores(truth_rng(name, data), (LARGE // n_datasets, n_datasets))
            large = large + levels_of(data, n_datasets)
            target = float(np.quantile(large, 0.6 if n_datasets > 1 else 1.0))
            truth = float(function(large, target, n_resamples=19).estimate)
            for n in (3, 5, 10, 20):

                def draw(
                    rng: np.random.Generator, many: int, function=function, scores=scores, data=data, n=n,
                    n_datasets=n_datasets, target=target, truth=truth,
                ) -> tuple[Found, Any]:  # fmt: skip
                    runs = scores(rng, (many, n, n_datasets)) + levels_of(data, n_datasets)
                    parts = [runs[start : start + 100] for start in range(0, many, 100)]  # share their draws
                    found = [function(np.moveaxis(part, 0, -1), target, n_resamples=DRAWS, rng=rng) for part in parts]
                    ways = {}
                    for way in ("percentile", "small-sample"):
                        low, high = zip(*(one.confidence_interval(method=way) for one in found), strict=True)
                        ways[way] = np.concatenate(low), np.concatenate(high)
                    return ways, truth

                yield Setting(name, data, n, n_datasets, draw)


def improvement_limits(rng: np.random.Generator, x: np.ndarray, y: np.ndarray) -> Found:
    """Return the limits of `probability_of_improvement` for all experiments, with 99 common draws."""
    _, n, n_datasets = x.shape
    wins = (x[:, :, None] > y[:, None]) + (x[:, :, None] == y[:, None]) / 2  # (many, n, n, n_datasets)
    estimate = wins.mean(axis=(1, 2, 3))
    variance = sum(wins.mean(axis=axis).var(axis=1, ddof=1).sum(axis=-1) for axis in (1, 2)) / n / n_datasets**2
    of_x, of_y = rng.multinomial(n, np.full(n, 1 / n), size=(2, 99, n_datasets)) / n
    drawn = np.einsum("bdi,eijd,bdj->eb", of_x, wins, of_y, optimize=True) / n_datasets
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=1)
    return {
        "percentile": (low, high),
        "small-sample": win_probability_limits(estimate, (n, n), n_datasets, LEVEL, variance),
    }


def of_improvement() -> Iterator[Setting]:
    """Yield runs of two classifiers: equal, one or three standard deviations apart, or with unequal variances."""
    kinds = {"alike": 0.0, "one SD apart": 1.0, "three SD apart": 3.0, "heavy tails": 1.0, "one varies little": 1.2}
    for data, lead in kinds.items():
        for n_datasets in (1, 5):

            def pair(rng: np.random.Generator, shape: tuple[int, ...], data: str = data, lead: float = lead) -> Any:
                if data == "one varies little":
                    return lead + 0.05 * rng.standard_normal(shape), rng.exponential(size=shape)
                scores = SCORES["heavy tails" if data == "heavy tails" else "normal"]
                return lead + scores(rng, shape), scores(rng, shape)

            large = pair(truth_rng(data), (LARGE * 10,))
            truth = float(np.mean(large[0] > large[1]))
            for n in (3, 5, 10, 20):

                def draw(
                    rng: np.random.Generator, many: int, pair=pair, n=n, n_datasets=n_datasets, truth=truth
                ) -> tuple[Found, Any]:
                    x, y = pair(rng, (many, n, n_datasets))
                    return improvement_limits(rng, x, y), truth

                yield Setting("probability_of_improvement", data, n, n_datasets, draw)


def percentile_of_ranks(ranks: np.ndarray, rng: np.random.Generator) -> Limits:
    """Return earlier limits of rank_distribution: percentiles of the mean ranks of resampled datasets."""
    n = len(ranks)
    means = rng.multinomial(n, np.full(n, 1 / n), size=DRAWS) @ ranks / n
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return low, high


def of_ranks() -> Iterator[Setting]:
    """Yield classifiers that are equal, apart, or far apart, and one far better classifier."""
    for data in ("alike", "spread", "spread, tied", "far apart", "one far ahead"):
        for k in (3, 10):
            truth = dataset_ranks(apart(truth_rng(data, k), data, (LARGE // 2, k)), True, 0.0).mean(axis=0)
            for n in (3, 5, 10, 20):

                def draw(rng: np.random.Generator, many: int, data=data, k=k, n=n, truth=truth) -> tuple[Found, Any]:
                    before, after = [], []
                    for one in apart(rng, data, (many, n, k)):
                        before.append(percentile_of_ranks(dataset_ranks(one, True, 0.0), rng))
                        after.append(
                            ev.multiple.rank_distribution(one, n_resamples=DRAWS, rng=rng).confidence_interval()
                        )
                    old = tuple(np.stack(side) for side in zip(*before, strict=True))
                    return {"percentile": old, "gaffke": limits(after)}, truth

                yield Setting("rank_distribution", data, n, k, draw)


def beside_all(found: Limits, truth: np.ndarray) -> Limits:
    """Return limits of strengths relative to the mean of all strengths instead of all finite strengths."""
    low, high = found
    shift = np.array([truth[given].mean() if given.any() else 0.0 for given in ~np.isnan(low)])[:, None]
    return low + shift, high + shift


def of_strengths() -> Iterator[Setting]:
    """Yield scores whose comparisons have the strengths of the model, and other scores."""
    kinds: dict[str, Callable[..., np.ndarray]] = {
        "Gumbel": lambda rng, shape: strengths(shape[-1]) + rng.gumbel(size=shape),
        "normal, alike": lambda rng, shape: rng.standard_normal(shape),
        "normal, far apart": lambda rng, shape: 1.5 * strengths(shape[-1]) + rng.standard_normal(shape),
        "Gumbel, rounded": lambda rng, shape: np.round(strengths(shape[-1]) + rng.gumbel(size=shape)),
    }
    for data, drawn in kinds.items():
        for k in (3, 10):
            truth = ev.multiple.bradley_terry_model(
                drawn(truth_rng(data, k), (LARGE // 8, k)), covariance="model"
            ).estimate
            for n in (5, 10, 20):

                def draw(rng: np.random.Generator, many: int, drawn=drawn, n=n, k=k, truth=truth) -> tuple[Found, Any]:
                    ways: dict[str, list[Any]] = {"model": [], "datasets": []}
                    for one in drawn(rng, (many, n, k)):
                        for way, own in ways.items():
                            own.append(ev.multiple.bradley_terry_model(one, covariance=way).confidence_interval())
                    return {way: beside_all(limits(own), truth) for way, own in ways.items()}, truth

                yield Setting("bradley_terry_model", data, n, k, draw)


def of_concordance() -> Iterator[Setting]:
    """Yield tables with a known mean W."""
    for data in ("alike", "spread", "spread, tied", "far apart"):
        for k in (3, 10):
            for n in (4, 6, 10, 20):
                large = apart(truth_rng(data, k, n), data, (20_000, n, k))
                truth = float(np.mean(ev.friedman_test(large, method="chi2").kendall_w))

                def draw(rng: np.random.Generator, many: int, data=data, n=n, k=k, truth=truth) -> tuple[Found, Any]:
                    result = ev.multiple.kendall_w(apart(rng, data, (many, n, k)), n_resamples=DRAWS, rng=rng)
                    found = {way: result.confidence_interval(method=way) for way in ("bca", "jackknife")}
                    return {way: (own.low, own.high) for way, own in found.items()}, truth

                yield Setting("kendall_w", data, n, k, draw)


def of_gamma() -> Iterator[Setting]:
    """Yield two samples that are half a median deviation or two apart."""
    large = np.sort(np.exp(truth_rng("gamma").standard_normal(10 * LARGE)))
    deviation = {"log-normal": 1.482602218505602 * float(np.median(np.abs(large - 1)))}
    for data in ("normal", "log-normal"):
        for lead in (0.0, 2.0):
            for n in (4, 5, 7, 10):

                def draw(rng: np.random.Generator, many: int, data=data, lead=lead, n=n) -> tuple[Found, Any]:
                    x, y = SCORES[data](rng, (2, many, n))
                    result = ev.effects.akinshin_gamma(x + lead, y, n_resamples=999, rng=rng)
                    found = {way: result.confidence_interval(method=way) for way in ("percentile", "expanded")}
                    return {way: (own.low, own.high) for way, own in found.items()}, lead / deviation.get(data, 1.0)

                yield Setting("akinshin_gamma", f"{data}, {lead:g} apart", n, 2, draw)


def of_rejections() -> Iterator[Setting]:
    """Yield runs that reject with a given probability. The interval uses only the number of rejections."""
    for share in (0.05, 0.2, 0.5, 0.9, 0.97):
        for n in (3, 5, 10, 20):

            def draw(rng: np.random.Generator, many: int, share=share, n=n) -> tuple[Found, Any]:
                counts = rng.binomial(n, share, many)
                found = {way: proportion_interval(counts, n, method=way) for way in ("wilson", "clopper-pearson")}
                return {way: (own.low, own.high) for way, own in found.items()}, share

            yield Setting("pvalues_over_runs", f"rejects in {share:.0%}", n, 1, draw)


SUBJECTS: dict[str, Callable[[], Iterator[Setting]]] = {
    "pairwise_mean_differences": of_mean_differences,
    "long_run_mean": of_steady_states,
    "interquartile_mean": lambda: of_aggregates("interquartile_mean"),
    "optimality_gap": lambda: of_aggregates("optimality_gap"),
    "probability_of_improvement": of_improvement,
    "rank_distribution": of_ranks,
    "bradley_terry_model": of_strengths,
    "kendall_w": of_concordance,
    "akinshin_gamma": of_gamma,
    "pvalues_over_runs": of_rejections,
}


# --- counts -----------------------------------------------------------------------------------------------------------


def counted(setting: Setting, many: int) -> list[Row]:
    """Return a row for the earlier and for the present interval: coverage, width and rate of missing intervals."""
    rng = np.random.default_rng([SEED, zlib.crc32(repr(setting[:4]).encode())])
    with np.errstate(all="ignore"):
        found, truth = setting.draw(rng, many)
    rows = []
    for version, method in zip(("before", "after"), BEFORE_AFTER[setting.function], strict=True):
        low, high = (np.asarray(side, dtype=np.float64).reshape(many, -1) for side in found[method])
        given, finite = ~np.isnan(low + high), np.isfinite(low) & np.isfinite(high)
        holds = (low <= np.asarray(truth) + 1e-12) & (np.asarray(truth) - 1e-12 <= high) & given
        per_experiment = holds.sum(axis=1)[given.any(axis=1)] / given.sum(axis=1)[given.any(axis=1)]
        n = len(per_experiment)
        worst = (holds.sum(axis=0) / np.maximum(given.sum(axis=0), 1)).min() if n else np.nan
        rows.append(
            {
                "function": setting.function,
                "data": setting.data,
                "n": setting.n,
                "other": setting.other,
                "version": version,
                "method": method,
                "experiments": many,
                "given": round(float(given.mean()), 4),
                "coverage": round(float(per_experiment.mean()), 4) if n else "",
                "error": round(float(per_experiment.std() / np.sqrt(n)), 4) if n else "",
                "worst": round(float(worst), 4) if n else "",
                "width": float(f"{np.mean((high - low)[finite]):.4g}") if finite.any() else "",
                "infinite": round(float((given & ~finite).mean()), 4),
            }
        )
    return rows


def simulated(many: int, only: str) -> list[Row]:
    """Return the rows of all settings, or of one function."""
    rows = []
    for setting in (setting for name, subject in SUBJECTS.items() if only in name for setting in subject()):
        rows += counted(setting, many)
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\033[K{setting.function}, {setting.data}, {setting.n}")
    return rows


# --- tables of the page -----------------------------------------------------------------------------------------------

OTHERS = {
    "interquartile_mean": "datasets", "optimality_gap": "datasets", "probability_of_improvement": "datasets",
    "rank_distribution": "classifiers", "bradley_terry_model": "classifiers", "kendall_w": "classifiers",
}  # fmt: skip
UNITS = {
    "pairwise_mean_differences",
    "rank_distribution",
    "bradley_terry_model",
    "kendall_w",
}  # n is the number of datasets


def _number(value: Any, digits: int = 3) -> str:
    return "" if value == "" else f"{float(value):.{digits}f}".removeprefix("0")


def summary(rows: list[Row]) -> str:
    """Return the lowest coverage of each function at each n over its types of data, before and after the change."""
    lines = ["| | n | lowest coverage before | after | width after / before | not given after |", "|" + " --- |" * 6]
    for name in BEFORE_AFTER:
        own = [row for row in rows if row["function"] == name]
        for n in sorted({int(row["n"]) for row in own}):
            of_each = [[r for r in own if int(r["n"]) == n and r["version"] == v] for v in ("before", "after")]
            least = [[float(r["coverage"]) for r in some if r["coverage"] != ""] for some in of_each]
            pairs = zip(*of_each, strict=True)
            ratios = [float(b["width"]) / float(a["width"]) for a, b in pairs if a["width"] != "" != b["width"]]
            missing = max(1 - float(row["given"]) for row in of_each[1])
            cells = [_number(min(some)) if some else "none" for some in least]
            ratio = f"{min(ratios):.2f} to {max(ratios):.2f}" if ratios else ""
            lines.append(f"| `{name}` | {n} | {cells[0]} | {cells[1]} | {ratio} | up to {missing:.0%} |")
    return "\n".join(lines) + "\n"


def details(rows: list[Row]) -> str:
    """Return a table for each function: coverage and mean width before and after the change."""
    parts = []
    for name, methods in BEFORE_AFTER.items():
        own = [row for row in rows if row["function"] == name]
        if not own:
            continue
        unit, other = "datasets" if name in UNITS else "runs", OTHERS.get(name)
        if name == "akinshin_gamma":
            unit = "values"
        head = ["data", *([other] if other else []), unit]
        titles = ["before", "width", "after", "width", "least of one", "given"]
        lines = [f"### {name}: {' and '.join(methods)}", ""]
        lines += [f"| {' | '.join([*head, *titles])} |", "|" + " --- |" * (len(head) + 6)]
        for old, new in zip(own[::2], own[1::2], strict=True):
            cells = [old["data"], *([str(old["other"])] if other else []), str(old["n"])]
            cells += [_number(old["coverage"]), f"{old['width']}", _number(new["coverage"]), f"{new['width']}"]
            cells += [_number(new["worst"]), f"{float(new['given']):.0%}"]
            lines.append(f"| {' | '.join(cells)} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


TABLES = {"summary": summary, "details": details}


# --- coverage by the skewness of the observed runs --------------------------------------------------------------------

SHARES = (0.0, 0.3, 0.5, 0.7, 1.0)  # relative to the largest possible skewness of this number of values


def by_shape(many: int = 10 * EXPERIMENTS) -> str:
    """Return the coverage of intervals of long-run means, by the skewness of the runs."""
    titles = [f"{low:.0%} to {high:.0%}" for low, high in pairwise(SHARES)]
    lines = [f"| data | runs | {' | '.join(titles)} |", "|" + " --- |" * (len(titles) + 2)]
    for data in ("normal", "exponential", "log-normal", "one run of ten fails"):
        for n in (5, 10):
            runs = SCORES[data](np.random.default_rng([SEED, n]), (many, n))
            low, high = ev.reproducibility.long_run_mean(runs).confidence_interval()
            holds = (low <= MEANS[data]) & (MEANS[data] <= high)
            d = runs - runs.mean(axis=1, keepdims=True)
            skewness = np.abs((d**3).mean(axis=1)) / (d**2).mean(axis=1) ** 1.5
            which = np.digitize(skewness * np.sqrt(n - 1) / (n - 2), SHARES[1:-1])
            cells = [f"{_number(holds[which == i].mean())} of {np.mean(which == i):.0%}" for i in range(len(titles))]
            lines.append(f"| {data} | {n} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def read() -> list[Row]:
    """Return the rows of the data."""
    return read_rows(DATA)


def merged(before: list[Row], made: list[Row]) -> list[Row]:
    """Return the rows with the old rows of the simulated functions replaced."""
    again = {row["function"] for row in made}
    rows = [row for row in before if row["function"] not in again] + made
    order = list(BEFORE_AFTER)
    return sorted(rows, key=lambda row: order.index(row["function"]))


def main() -> None:
    """Simulate, and write the data and the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--experiments", type=int, help="print the tables of so many each, and write nothing")
    parser.add_argument("--only", default="", help="the name of a function")
    parser.add_argument("--shapes", action="store_true", help="write only the table of intervals by shape")
    given = parser.parse_args()
    if given.shapes:
        page = filled(PAGE.read_text(encoding="utf-8"), {"shapes": by_shape()})
        PAGE.write_text(page, encoding="utf-8")
        return
    rows = simulated(given.experiments or EXPERIMENTS, given.only)
    if given.experiments is not None:
        sys.stdout.write("\n".join(table(rows) for table in TABLES.values()))
        return
    rows = merged(read() if DATA.exists() else [], rows)
    write_rows(DATA, rows, SEED)
    page = filled(PAGE.read_text(encoding="utf-8"), {name: table(rows) for name, table in TABLES.items()})
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
