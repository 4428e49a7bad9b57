"""Simulate error rates and coverage of tests and intervals for few instances or labels.

``python scripts/few_cases.py`` writes docs/error-rates/few-instances.csv and the tables of
docs/error-rates-few-instances.md. With ``--experiments 0.01``, the script makes one hundredth of the experiments and
only prints the tables. Each rate is next to the rate of the usual method: the t test of an agreement, the interval of
PPI++, or the test of DeLong's z. The result contains the usual method too.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from generated_tables import read_rows, simulate_and_write
from scipy import stats

import evalstats as ev
from evalstats import agreement
from evalstats.metrics import ppi_mean

DOCS = Path(__file__).parents[1] / "docs"
DATA, PAGE = DOCS / "error-rates" / "few-instances.csv", DOCS / "error-rates-few-instances.md"
SEED, ALPHA = 20261123, 0.05

Row = dict[str, Any]
Rates = tuple[
    float | str, ...
]  # rates of the usual method and of the default method, and the rate of missing results of the default


def share(pvalue: Any) -> float:
    """Return the rate of rejections."""
    return float(np.mean(np.asarray(pvalue) <= ALPHA))


def covered(limits: Any, truth: float) -> float:
    """Return the coverage of intervals. A missing interval does not cover the true value."""
    low, high = limits
    return float(np.mean((low <= truth) & (truth <= high)))


def covered_or_withheld(limits: Any, truth: float) -> tuple[float, float]:
    """Return the coverage of the intervals that exist, and the rate of missing intervals."""
    withheld = float(np.mean(np.isnan(limits.low)))
    return covered(limits, truth) / (1 - withheld), withheld


def of_agreement(name: str, data: str, n: int) -> Iterator[tuple[str, int, Any]]:
    """Yield raters who draw from the same labels at random."""
    shares = {
        "even, 2 labels": [0.5, 0.5],
        "rare label": [0.9, 0.1],
        "uneven, 3": [0.6, 0.3, 0.1],
        "even, 5": [0.2] * 5,
    }
    function = agreement.krippendorff_alpha if name == "krippendorff_alpha" else agreement.light_kappa
    for (words, p), n_raters in itertools.product(shares.items(), (2, 3)):

        def run(rng: np.random.Generator, size: int, p: Any = p, k: int = n_raters) -> Rates:
            x = rng.choice(len(p), p=p, size=(size, n, k))
            choices = {"level": data} if name == "krippendorff_alpha" else {}
            drawn = function(x, method="monte-carlo", n_resamples=199, **choices)
            return share(function(x, method="t", **choices).pvalue), share(drawn.pvalue)

        yield f"{words}, {n_raters} raters", 500, run


def of_judged_mean(n: int) -> Iterator[tuple[str, int, Any]]:
    """Yield correct and incorrect answers, of which one in five is labeled, with judges of all qualities."""
    judges = {"right in .6": (0.6, 0.6), "right in .9": (0.9, 0.9), "right in .99": (0.99, 0.99), "lenient": (1, 0.5)}
    for truth, (words, right) in itertools.product((0.5, 0.8, 0.95), judges.items()):

        def run(rng: np.random.Generator, size: int, truth: float = truth, right: Any = right) -> Rates:
            answers = rng.random((size, 5 * n)) < truth
            judge = np.where(rng.random(answers.shape) < np.where(answers, *right), answers, ~answers)
            result = ppi_mean(np.where(np.arange(5 * n) < n, answers, np.nan), judge)
            return _usual(result.estimate, result.standard_error, n, truth), *covered_or_withheld(
                result.confidence_interval(), truth
            )

        yield f"{truth:g} of the answers right, judge {words}", 2000, run


def of_judged_ttest(n: int) -> Iterator[tuple[str, int, Any]]:
    """Yield two models that give the same answers to half of the questions and differ in the others."""
    for (a, b), right in itertools.product(((0.6, 0.6), (0.9, 0.9), (0.95, 0.85)), (0.7, 0.9, 0.98)):

        def run(rng: np.random.Generator, size: int, a: float = a, b: float = b, right: float = right) -> Rates:
            ease = rng.random((size, 5 * n))
            own = np.where(rng.random(ease.shape) < 0.5, ease, rng.random(ease.shape))
            x, y = ease < a, own < b
            x_judge, y_judge = (np.where(rng.random(ease.shape) < right, one, ~one) for one in (x, y))
            seen = np.arange(5 * n) < n
            result = ev.paired.ppi_ttest(np.where(seen, x, np.nan), np.where(seen, y, np.nan), x_judge, y_judge)
            usual = _usual(result.mean_difference, result.standard_error, n, a - b)
            return usual, *covered_or_withheld(result.confidence_interval(), a - b)

        yield f"{a:g} and {b:g} right, judge right in {right:g}", 2000, run


def _usual(estimate: Any, error: Any, n: int, truth: float) -> float:
    margin = np.where(error > 0, stats.t(n - 1).ppf(1 - ALPHA / 2) * error, np.nan)
    return covered((estimate - margin, estimate + margin), truth)


def of_areas(
    n: int, positives: float, *, equivalence: bool = False, gain: bool = False
) -> Iterator[tuple[str, int, Any]]:
    """Yield normal scores of two classifiers with areas that differ by the margin, or are equal for the power."""
    areas = ((0.65, 0.05), (0.8, 0.1), (0.9, 0.05), (0.9, 0.1), (0.98, 0.02), (0.98, 0.05), (0.98, 0.1))
    function = partial(ev.equivalence_test if equivalence else ev.noninferiority_test, test="auc")
    for (area, margin), correlation in itertools.product(areas, (0, 0.5, 0.9)):

        def run(
            rng: np.random.Generator, size: int, area: float = area, margin: float = margin, c: float = correlation
        ) -> Rates:
            true = np.arange(n) < max(2, round(n * positives))
            noise = rng.multivariate_normal([0, 0], [[1, c], [c, 1]], (size, n))
            shift = np.sqrt(2) * stats.norm.ppf([area - (0 if gain else margin), area])
            scores = np.moveaxis(noise + true[:, None] * shift, -1, 0)
            usual, now = (function(*scores, y_true=true, margin=margin, method=m).pvalue for m in ("normal", "t"))
            return share(usual), share(now)

        yield f"area {area:g}, margin {margin:g}, correlation {correlation:g}", 1000, run


def of_answers(n: int) -> Iterator[tuple[str, int, Any]]:
    """Yield correct and incorrect answers of two models. The candidate is worse by the margin."""
    for old, margin in ((0.7, 0.1), (0.9, 0.1), (0.95, 0.05)):

        def run(rng: np.random.Generator, size: int, old: float = old, margin: float = margin) -> Rates:
            ease = rng.random((size, n))
            own = np.where(rng.random(ease.shape) < 0.5, ease, rng.random(ease.shape))
            return "", share(
                ev.noninferiority_test(own < old - margin, ease < old, margin=margin, test="accuracy").pvalue
            )

        yield f"{old:g} right, margin {margin:g}", 2000, run


def of_metric(n: int, metric: str) -> Iterator[tuple[str, int, Any]]:
    """Yield predictions of a candidate whose score is lower by the margin."""
    for old, margin in ((0.7, 0.1), (0.9, 0.1)):

        def run(rng: np.random.Generator, size: int, old: float = old, margin: float = margin) -> Rates:
            found = []
            for _ in range(size):
                true = (
                    rng.random(n) < 0.5
                )  # if half of the instances are positive, F1 and accuracy are equal in expectation
                ease = rng.random(n)
                own = np.where(rng.random(n) < 0.5, ease, rng.random(n))
                x, y = (np.where(right, true, ~true) for right in (own < old - margin, ease < old))
                result = ev.noninferiority_test(
                    x, y, y_true=true, metric=metric, margin=margin, n_resamples=499, rng=rng, test="metric"
                )
                found.append(result.pvalue)
            return "", share(found)

        yield f"{metric} {old:g}, margin {margin:g}", 2000, run


def of_posteriors(n: int, k: int) -> Iterator[tuple[str, int, Any]]:
    """Yield equal classifiers, to count pairs that are decided with a probability of .95."""
    for rope in (0, 0.005, 0.01):

        def run(rng: np.random.Generator, size: int, rope: float = rope) -> Rates:
            decided = 0
            for _ in range(size):
                scores = 0.8 + 0.03 * rng.standard_normal((n, k))
                result = ev.bayes.bayes_pairwise_signed_rank_test(scores, rope=rope, n_simulations=2000, rng=rng)
                decided += bool((np.nan_to_num(result.p_greater) >= 0.95).any())
            return "", decided / size

        yield f"{k} classifiers with a standard deviation of .03, rope {rope:g}", 100, run


def of_control(test: str, n: int, k: int) -> Iterator[tuple[str, int, Any]]:
    """Yield equal classifiers, to count significant differences from the first classifier."""
    function = {"friedman_dunnett_test": ev.multiple.friedman_dunnett_test, "conover_test": ev.conover_test}[test]

    def run(rng: np.random.Generator, size: int) -> Rates:
        pvalue = function(rng.standard_normal((size, n, k)), control=0).pvalue
        return "", float(np.mean(np.nanmin(pvalue[:, 1:], axis=-1) <= ALPHA))

    yield f"{k} classifiers, the first is the control", 20_000, run


SUBJECTS: list[tuple[str, str, str, int, Any]] = [
    *(
        (name, level, "type-I error", n, lambda name=name, level=level, n=n: of_agreement(name, level, n))
        for name, level in (("krippendorff_alpha", "nominal"), ("krippendorff_alpha", "interval"), ("light_kappa", ""))
        for n in (10, 20, 40, 100)
    ),
    *(("ppi_mean", "", "coverage", n, lambda n=n: of_judged_mean(n)) for n in (5, 10, 20, 50, 100, 200)),
    *(("ppi_ttest", "", "coverage", n, lambda n=n: of_judged_ttest(n)) for n in (5, 10, 20, 50, 100, 200)),
    *(
        ("noninferiority_test, auc", words, what, n, lambda n=n, p=p, gain=what == "power": of_areas(n, p, gain=gain))
        for words, p in (("half positive", 0.5), ("one in ten positive", 0.1))
        for what in ("type-I error", "power")
        for n in (20, 40, 60, 100, 200)
    ),
    *(
        ("equivalence_test, auc", "half positive", "type-I error", n, lambda n=n: of_areas(n, 0.5, equivalence=True))
        for n in (40, 200)
    ),
    *(("noninferiority_test, accuracy", "", "type-I error", n, lambda n=n: of_answers(n)) for n in (20, 40, 100, 200)),
    *(("noninferiority_test, metric", "f1", "type-I error", n, lambda n=n: of_metric(n, "f1")) for n in (40, 100, 200)),
    *(("bayes_pairwise_signed_rank_test", "", "any pair decided", n, lambda n=n: of_posteriors(n, 10)) for n in (20,)),
    *(
        (test, "", "family-wise error", n, lambda test=test, n=n: of_control(test, n, 3))
        for test in ("friedman_dunnett_test", "conover_test")
        for n in (5, 10, 30)
    ),
    *(("noninferiority_test, metric", "f1", "type-I error", n, lambda n=n: of_metric(n, "f1")) for n in (20, 60)),
]


def simulated(part: float) -> Iterator[Row]:
    """Yield a row for each setting. Each setting has its own random numbers."""
    for place, (subject, variant, what, n, settings) in enumerate(SUBJECTS):
        sys.stderr.write(f"{place + 1} of {len(SUBJECTS)}: {subject}, n = {n}\n")
        for number, (data, experiments, run) in enumerate(settings()):
            size = max(4, round(experiments * part))
            usual, now, *withheld = run(np.random.default_rng([SEED, place, number]), size)
            names = {"subject": subject, "variant": variant, "what": what, "n": n, "data": data}
            yield names | {"usual": usual, "default": now, "withheld": (withheld or [0.0])[0], "experiments": size}


def table(rows: list[Row]) -> str:
    """Return the table of the page: the lowest and the highest rate of each subject and size over its settings."""
    lines = [
        "| | quantity | n | usual method | default | undefined | experiments |",
        "| --- " * 2 + "| ---: | --- | --- | --- | ---: |",
    ]
    for subject, variant, what, n, _ in SUBJECTS:
        own = [r for r in rows if (r["subject"], r["variant"], r["what"], int(r["n"])) == (subject, variant, what, n)]
        spans = []
        for name in ("usual", "default", "withheld"):
            values = [float(row[name]) for row in own if row[name] not in ("", None)]
            spans.append(f"{min(values):.3f} to {max(values):.3f}" if values else "")
        withheld = "" if spans[2] == "0.000 to 0.000" else spans[2]
        total = sum(int(row["experiments"]) for row in own)
        words = f"`{subject}`, {variant}" if variant else f"`{subject}`"
        lines.append(f"| {words} | {what} | {n} | {spans[0]} | {spans[1]} | {withheld} | {total:,} |")
    return "\n".join(lines) + "\n"


def read() -> list[dict[str, str]]:
    """Return the rows of the data."""
    return read_rows(DATA)


if __name__ == "__main__":
    simulate_and_write(
        __doc__,
        lambda part: simulated(1.0 if part is None else part),
        lambda rows: {"table": table(rows)},
        data=DATA,
        page=PAGE,
        seed=SEED,
        experiments=float,
    )
