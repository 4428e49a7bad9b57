"""All pairs of models on questions in groups against statsmodels' cluster-robust regressions; exact signs of groups."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np

from benchmarks.timing import Race
from evalstats.paired.clustered import ClusteredPermutationTestResult, clustered_permutation_test
from evalstats.paired.permutation import permutation_test
from evalstats.pairwise.clustered import pairwise_clustered_ttest

STATSMODELS = "statsmodels OLS on benchmarks, cov_type='cluster'"
UNGROUPED = "evalstats permutation_test of the totals"
N_PAIRS = 3


def answers(n_models: int, n_questions: int, n_samples: int, n_benchmarks: int) -> tuple[np.ndarray, ...]:
    """Return who is right, a row for each sample, and the question and the benchmark of each row."""
    rng = np.random.default_rng(n_questions)
    question = np.repeat(np.arange(n_questions), n_samples)
    ease = rng.normal(size=n_questions).astype(np.float32)[question]
    skill = np.linspace(0, 0.5, n_models, dtype=np.float32)
    right = np.empty((question.size, n_models), dtype=bool)
    for model in range(n_models):
        right[:, model] = ease + skill[model] + rng.normal(size=question.size).astype(np.float32) > 0
    return right, question, question * n_benchmarks // n_questions


def statsmodels_errors(right: np.ndarray, question: np.ndarray, benchmark: np.ndarray) -> np.ndarray:
    """Return the macro average's standard error of the first pairs, one regression for each benchmark."""
    from statsmodels.regression.linear_model import OLS

    found = []
    for x, y in islice(combinations(right.T, 2), N_PAIRS):
        d = x.astype(float) - y
        errors = [
            OLS(d[own], np.ones(own.sum())).fit(cov_type="cluster", cov_kwds={"groups": question[own]}).bse[0]
            for own in (benchmark == b for b in range(benchmark[-1] + 1))
        ]
        found.append(np.sqrt(np.sum(np.square(errors))) / len(errors))
    return np.array(found)


def agree(here: np.ndarray, there: np.ndarray, _peer: str) -> None:
    np.testing.assert_allclose(here[np.triu_indices(len(here), 1)][:N_PAIRS], there, rtol=1e-9)


def agree_p(here: ClusteredPermutationTestResult, there: float, _peer: str) -> None:
    np.testing.assert_allclose(here.pvalue, there, rtol=1e-12)


def races() -> Iterator[Race]:
    for n_models, n_questions in ((50, 20_000), (50, 200_000)):
        right, question, benchmark = answers(n_models, n_questions, 5, 10)
        n_pairs = n_models * (n_models - 1) // 2
        yield Race(
            f"cluster-robust t-tests, all {n_pairs:,} pairs of {n_models} models, {n_questions:,} questions in 10 "
            "benchmarks, 5 samples each",
            lambda data=(right, question, benchmark): (
                pairwise_clustered_ttest(data[0], clusters=data[1], strata=data[2], average="macro").standard_error
            ),
            {STATSMODELS: lambda data=(right, question, benchmark): statsmodels_errors(*data)},
            agree,
            {STATSMODELS: 100},
            {STATSMODELS: N_PAIRS / n_pairs},
            rounds=3,
        )
    right, question, _ = answers(2, 4_000, 5, 1)
    x, y = right.T.astype(float)
    totals = np.add.reduceat(x - y, np.arange(0, x.size, 5))
    yield Race(
        "exact signs of 4,000 questions of 5 samples",
        lambda: clustered_permutation_test(x, y, clusters=question),
        {UNGROUPED: lambda: permutation_test(totals, np.zeros(totals.size)).pvalue},
        agree_p,
        {},
    )
