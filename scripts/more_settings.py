"""Additional settings of true null hypotheses: rare classes, unequal clusters, and partly equal classifiers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
from experiments import RARE, RATED, Found, Setting, covered, discoveries, family, one_by_one, rated, rejected, right
from scipy.special import expit, ndtr, ndtri

import evalstats as ev
from evalstats._errors import InvalidValueError
from evalstats.comparison import adjusted_difference, compare_readers
from evalstats.metrics import clustered_mean, length_adjusted_win_rate, ppi_score
from evalstats.reproducibility import nested_cross_validated_mean

FEW = 199  # random draws of a simulated p-value

# --- some equal classifiers -------------------------------------------------------------------------------------------


def half_equal(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw normal scores. The second half of the classifiers is better by three standard deviations."""
    k = shape[-1]
    return rng.standard_normal(shape) + 3.0 * (np.arange(k) >= k // 2)


def extremes_swapped(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw scores of a ladder of classifiers. The first two are randomly its best and its worst on each dataset."""
    drawn = 0.1 * rng.standard_normal(shape) + np.arange(shape[-1])
    best = rng.random(shape[:-1]) < 0.5
    drawn[..., 0] = np.where(best, 1.0, -1.0) * (shape[-1] + 1)
    drawn[..., 1] = -drawn[..., 0]
    return drawn


def near_duplicates(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw normal scores of pairs of nearly equal classifiers. The pairs differ by three standard deviations."""
    k = shape[-1]
    shared = np.repeat(rng.standard_normal((*shape[:-1], (k + 1) // 2)), 2, axis=-1)[..., :k]
    return shared + 0.05 * rng.standard_normal(shape) + 3.0 * (np.arange(k) // 2)


def noisy_control(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw normal scores with equal means. The standard deviation of the first classifier is 3."""
    return rng.standard_normal(shape) * np.where(np.arange(shape[-1]) == 0, 3.0, 1.0)


def heavy_tailed(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw scores with Student's t distribution with two degrees of freedom."""
    return rng.standard_t(2, shape)


def two_digits(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw accuracies near .8, rounded to two digits."""
    return np.round(0.8 + 0.03 * rng.standard_normal(shape), 2)


def halves(i: int, j: int, k: int) -> bool:
    """Return whether two classifiers are in the same half."""
    return (i < k // 2) == (j < k // 2)


# random scores, and whether the null hypothesis of a pair is true
PARTLY_EQUAL: dict[str, tuple[Callable[..., np.ndarray], Callable[[int, int, int], bool]]] = {
    "half are better": (half_equal, halves),
    "extremes swapped by a coin": (extremes_swapped, lambda i, j, k: {i, j} == {0, 1}),
    "near-duplicates": (near_duplicates, lambda i, j, k: i // 2 == j // 2),
    "noisy control": (noisy_control, lambda i, j, k: True),
    "heavy-tailed": (heavy_tailed, lambda i, j, k: True),
    "two digits": (two_digits, lambda i, j, k: True),
}

POSTHOC: dict[tuple[str, str, int | None], Callable[..., Any]] = {
    ("nemenyi_test", "all pairs", None): ev.nemenyi_test,
    ("bonferroni_dunn_test", "control", 0): lambda s: ev.bonferroni_dunn_test(s, control=0),
    ("friedman_dunnett_test", "control", 0): lambda s: ev.multiple.friedman_dunnett_test(s, control=0),
    ("siegel_castellan_test", "holm", None): ev.multiple.siegel_castellan_test,
    ("miller_test", "all pairs", None): ev.multiple.miller_test,
    ("conover_test", "holm", None): ev.conover_test,
    ("friedman_exact_posthoc_test", "holm", None): ev.multiple.friedman_exact_posthoc_test,
    ("friedman_aligned_posthoc_test", "holm", None): ev.multiple.friedman_aligned_posthoc_test,
    ("quade_posthoc_test", "holm", None): ev.multiple.quade_posthoc_test,
    ("tukey_test", "all pairs", None): ev.tukey_test,
    ("dunnett_test", "control", 0): lambda s: ev.multiple.dunnett_test(s, control=0),
    ("pairwise_wilcoxon_test", "holm", None): ev.pairwise_wilcoxon_test,
    ("pairwise_wilcoxon_test", "control, holm", 0): lambda s: ev.pairwise_wilcoxon_test(s, control=0),
    ("pairwise_sign_test", "holm", None): ev.pairwise.pairwise_sign_test,
    ("pairwise_paired_ttest", "holm", None): ev.pairwise.pairwise_paired_ttest,
}


def true_nulls(pvalue: np.ndarray, is_true: Callable[[int, int, int], bool], control: int | None) -> Found:
    """Count families with a rejected true hypothesis, from p-values of shape (size, k, k) or (size, k)."""
    k = pvalue.shape[-1]
    if pvalue.ndim == 3:
        pairs = [(i, j) for i in range(k) for j in range(i + 1, k) if control is None or control in (i, j)]
        p = np.stack([pvalue[:, i, j] for i, j in pairs], axis=1)
    else:
        pairs = [(control or 0, i) for i in range(k) if i != (control or 0)]
        p = np.stack([pvalue[:, i] for _, i in pairs], axis=1)
    truly = np.array([not is_true(i, j, k) for i, j in pairs])
    found = discoveries(p <= 0.05, truly)
    return {"family-wise error": found["family-wise error"]}


def some_equal() -> Iterator[Setting]:
    """Yield post-hoc tests with some true hypotheses, and with violated assumptions of some tests."""
    for (name, variant, control), test in POSTHOC.items():
        for data, (draw, is_true) in PARTLY_EQUAL.items():
            if data == "noisy control" and control is None:
                continue
            for n, k in ((10, 5), (30, 10), (100, 20)):

                def run(
                    rng: np.random.Generator, many: int, test=test, n=n, k=k, draw=draw, is_true=is_true, c=control
                ) -> Found:
                    return true_nulls(np.asarray(test(draw(rng, (many, n, k))).pvalue), is_true, c)

                slow = "wilcoxon" in name or k == 20
                yield Setting(name, variant, data, n, k, 0, run, 20 if slow else 100)


def other_scores() -> Iterator[Setting]:
    """Yield tests of two classifiers and omnibus tests of scores with heavy tails, or rounded to two digits."""
    pairs = {
        "wilcoxon_test": ev.wilcoxon_test, "sign_test": ev.sign_test, "paired_ttest": ev.paired_ttest,
        "permutation_test": partial(ev.permutation_test, n_resamples=FEW),
    }  # fmt: skip
    omnibus = {
        ("friedman_test", "auto"): partial(ev.friedman_test, n_resamples=FEW),
        ("friedman_aligned_test", "chi2"): partial(ev.friedman_aligned_test, method="chi2"),
        ("quade_test", "f"): partial(ev.quade_test, method="f"),
        ("rm_anova_test", "greenhouse-geisser"): partial(ev.rm_anova_test, correction="greenhouse-geisser"),
    }
    for data, draw in (("heavy-tailed", heavy_tailed), ("two digits", two_digits)):
        for n in (5, 10, 30, 100):
            for name, test in pairs.items():

                def run(rng: np.random.Generator, many: int, test=test, n=n, draw=draw) -> Found:
                    drawn = draw(rng, (many, n, 2))
                    return rejected(test(drawn[..., 0], drawn[..., 1]).pvalue, 0)

                yield Setting(name, "", data, n, 2, 0, run, 200 if name != "permutation_test" else 50)
        for (name, variant), test in omnibus.items():
            for n, k in ((5, 3), (10, 5), (30, 10), (100, 20)):

                def run(rng: np.random.Generator, many: int, test=test, n=n, k=k, draw=draw) -> Found:
                    return rejected(test(draw(rng, (many, n, k))).pvalue, 0)

                yield Setting(name, variant, data, n, k, 0, run, 50 if k > 3 else 200)


# --- clusters of unequal sizes ----------------------------------------------------------------------------------------

CLUSTER_SIZES = {
    "18 of 2 and 2 of 40": [2] * 18 + [40] * 2,
    "29 of 3 and 1 of 57": [3] * 29 + [57],
    "30, log-normal": np.ceil(4 * np.exp(1.2 * ndtri((np.arange(30) + 0.5) / 30))).astype(int).tolist(),
    "30, Pareto": np.minimum(np.ceil(1 / (1 - (np.arange(30) + 0.5) / 30)), 300).astype(int).tolist(),
    "8 of 10": [10] * 8,
}


def unequal_clusters() -> Iterator[Setting]:
    """Yield correlated instances. Half of the variance of a score is between clusters."""
    for data, sizes in CLUSTER_SIZES.items():
        clusters = np.repeat(np.arange(len(sizes)), sizes)

        def draw(rng: np.random.Generator, many: int, k: int, clusters=clusters) -> np.ndarray:
            shared = rng.standard_normal((many, clusters[-1] + 1, k))[:, clusters]
            return shared + rng.standard_normal(shared.shape)

        tests = {
            "clustered_ttest": ev.clustered_ttest,
            "clustered_permutation_test": partial(ev.paired.clustered_permutation_test, n_resamples=FEW),
        }
        for name, test in tests.items():
            for is_binary in (False, True):

                def run(
                    rng: np.random.Generator, many: int, test=test, draw=draw, clusters=clusters, is_binary=is_binary
                ) -> Found:
                    drawn = draw(rng, many, 2)
                    drawn = (drawn < 1) * 1.0 if is_binary else drawn
                    return rejected(test(drawn[..., 0], drawn[..., 1], clusters=clusters).pvalue, 0)

                kind = f"clusters: {data}" + (", correct or not" if is_binary else "")
                yield Setting(name, "", kind, len(sizes), 2, 0, run, 100 if name == "clustered_ttest" else 50)

        def run(rng: np.random.Generator, many: int, draw=draw, clusters=clusters) -> Found:
            found = ev.pairwise.pairwise_clustered_ttest(draw(rng, many, 4), clusters=clusters)
            return true_nulls(found.pvalue, lambda i, j, k: True, None)

        yield Setting("pairwise_clustered_ttest", "holm", f"clusters: {data}", len(sizes), 4, 0, run, 100)

        def run(rng: np.random.Generator, many: int, draw=draw, clusters=clusters) -> Found:
            found = clustered_mean(draw(rng, many, 1)[..., 0], clusters=clusters)
            return covered(found.confidence_interval(), 0)

        yield Setting("clustered_mean.confidence_interval", "", f"clusters: {data}", len(sizes), 1, 0, run, 50)


# --- labels -----------------------------------------------------------------------------------------------------------


def rare_classes() -> Iterator[Setting]:
    """Yield tests of one test set with few errors, or with few positive instances."""
    for n in (50, 200, 1000):
        for variant in ("exact", "midp", "asymptotic"):

            def run(rng: np.random.Generator, many: int, n=n, method=variant) -> Found:
                drawn = right(rng, (many, n, 2), 0.98)
                return rejected(ev.mcnemar_test(drawn[..., 0], drawn[..., 1], method=method).pvalue, 0)

            yield Setting("mcnemar_test", variant, "2% errors", n, 2, 0, run)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            return rejected(ev.cochran_q_test(right(rng, (many, n, 4), 0.98)).pvalue, 0)

        yield Setting("cochran_q_test", "", "2% errors", n, 4, 0, run, 100 if n < 1000 else 20)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            p = ev.pairwise_mcnemar_test(right(rng, (many, n, 4), 0.98)).pvalue
            return true_nulls(p, lambda i, j, k: True, None)

        yield Setting("pairwise_mcnemar_test", "holm", "2% errors", n, 4, 0, run, 100 if n < 1000 else 20)
    yield from rare_positive_instances()
    yield from areas_at_the_margin()


def rare_positive_instances() -> Iterator[Setting]:
    """Yield two equal AUCs with few positive instances, also with more or less varied positive scores."""
    tests = {"": {}, "welch": {"df": "welch"}, "infinite": {"df": "infinite"}}
    tests |= {side: {"alternative": side} for side in ("greater", "less")}
    # both areas are normal.cdf(lead / sqrt(2)): DeLong's test is about areas, not about equal distributions
    shapes = {"": (1.2, 1.0), ", unequal shapes": (1.2, 3.0), ", a narrow shape": (1.2, 1 / 3)}
    # areas of 0.98
    shapes |= {f", large areas{shape}": (2.9, spread) for shape, (_, spread) in shapes.items() if shape}
    for n, percent in ((100, 10), (500, 10), (100, 5), (500, 2), (1000, 20)):
        y_true = (np.arange(n) < n * percent // 100).astype(int)
        for variant, choices in tests.items():
            for shape, (lead, spread) in shapes.items():

                def run(
                    rng: np.random.Generator, many: int, n=n, y_true=y_true, choices=choices, spread=spread, lead=lead
                ) -> Found:
                    hard = rng.standard_normal((many, n, 1))
                    drawn = math.sqrt(0.5) * (hard + rng.standard_normal((many, n, 2)))
                    drawn[..., 0] += lead * y_true
                    drawn[..., 1] *= np.where(y_true == 1, spread, 1.0)
                    drawn[..., 1] += lead * math.sqrt((1 + spread**2) / 2) * y_true
                    return rejected(ev.delong_test(y_true, drawn[..., 0], drawn[..., 1], **choices).pvalue, 0)

                yield Setting("delong_test", variant, f"{percent}% positive{shape}", n, 2, 0, run)

            def run(rng: np.random.Generator, many: int, n=n, y_true=y_true, choices=choices) -> Found:
                hard = rng.standard_normal((many, n, 1))
                drawn = math.sqrt(0.5) * (hard + rng.standard_normal((many, n, 4))) + 1.2 * y_true[:, None]
                return family(ev.pairwise.pairwise_delong_test(y_true, drawn, **choices).pvalue, 0, None)

            if not variant:
                yield Setting("pairwise_delong_test", "holm", f"{percent}% positive", n, 4, 0, run, 100)

        def run(rng: np.random.Generator, many: int, n=n, y_true=y_true) -> Found:
            hard = rng.standard_normal((many, n, 1))
            drawn = math.sqrt(0.5) * (hard + rng.standard_normal((many, n, 2))) + 1.2 * y_true[:, None]
            return covered(ev.delong_test(y_true, *np.moveaxis(drawn, -1, 0)).confidence_interval(), 0.0)

        yield Setting("DeLongTestResult.confidence_interval", "", f"{percent}% positive", n, 2, 0, run)


def areas_at_the_margin() -> Iterator[Setting]:
    """Yield areas of 0.98 and 0.96, with more varied positive scores of the candidate, and the margin 0.02."""
    for n, percent in ((500, 10), (1000, 20)):
        y_true = (np.arange(n) < n * percent // 100).astype(int)

        def run(rng: np.random.Generator, many: int, n=n, y_true=y_true) -> Found:
            noise = math.sqrt(0.5) * (rng.standard_normal((many, n, 1)) + rng.standard_normal((many, n, 2)))
            y = noise[..., 1] + math.sqrt(2) * ndtri(0.98) * y_true
            x = noise[..., 0] * np.where(y_true == 1, 3.0, 1.0) + math.sqrt(10) * ndtri(0.96) * y_true
            return rejected(ev.noninferiority_test(x, y, y_true=y_true, margin=0.02, test="auc").pvalue, 0)

        data = f"at the margin, {percent}% positive, large areas, unequal shapes"
        yield Setting("noninferiority_test, auc", "", data, n, 2, 0, run, 100)


def independent_raters() -> Iterator[Setting]:
    """Yield agreements of raters who draw their labels independently."""
    tests: dict[str, tuple[int, Callable[..., Any]]] = {
        "cohen_kappa": (2, lambda r: ev.cohen_kappa(r[..., 0], r[..., 1])),
        "scott_pi": (2, lambda r: ev.agreement.scott_pi(r[..., 0], r[..., 1])),
        "fleiss_kappa": (4, ev.agreement.fleiss_kappa),
        "light_kappa": (4, ev.agreement.light_kappa),
        "krippendorff_alpha": (4, ev.agreement.krippendorff_alpha),
        "gwet_ac1": (4, ev.agreement.gwet_ac1),
    }
    proportions = {"equal classes": [1 / 3] * 3, "classes of .6, .3, .1": [0.6, 0.3, 0.1]}
    for n in (10, 50, 200):
        for data, p in proportions.items():
            for name, (raters, test) in tests.items():
                if name == "gwet_ac1" and "6" in data:
                    continue  # by the chance agreement of this measure, such raters agree more than by chance
                if n == 200 and name in ("light_kappa", "krippendorff_alpha"):
                    continue  # each takes a tenth of a second

                def run(rng: np.random.Generator, many: int, n=n, p=p, raters=raters, test=test) -> Found:
                    return rejected(test(rng.choice(3, (many, n, raters), p=p)).pvalue, 0)

                yield Setting(name, "", f"independent raters, {data}", n, raters, 0, run, 50)


def few_rated_instances() -> Iterator[Setting]:
    """Yield one-sided tests of agreement, also with 5 instances, a rare label, or AC1 of two raters and five labels."""
    one_sided: dict[str, tuple[int, Callable[..., Any]]] = {
        "cohen_kappa": (2, lambda r: ev.cohen_kappa(r[..., 0], r[..., 1], alternative="greater")),
        "fleiss_kappa": (4, lambda r: ev.agreement.fleiss_kappa(r, alternative="greater")),
    }
    proportions = {"equal classes": [1 / 3] * 3, "classes of .9, .1": [0.9, 0.1]}
    for n in (5, 10, 50, 200):
        for data, p in proportions.items():
            for name, (raters, test) in one_sided.items():

                def run(rng: np.random.Generator, many: int, n=n, p=p, raters=raters, test=test) -> Found:
                    return rejected(test(rng.choice(len(p), (many, n, raters), p=p)).pvalue, 0)

                yield Setting(name, "one-sided", f"independent raters, {data}", n, raters, 0, run, 200)

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            return rejected(ev.agreement.gwet_ac1(rng.integers(0, 5, (many, n, 2))).pvalue, 0)

        yield Setting("gwet_ac1", "two raters", "independent raters, five labels", n, 2, 0, run, 200)


def other_intervals() -> Iterator[Setting]:
    """Yield Fisher's intervals as in other programs, and intervals of changed class proportions and of few labels."""
    for n in (10, 50, 500):

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            truth = rng.integers(0, 3, (many, n, 1))
            ratings = np.where(rng.random((many, n, 2)) < 0.7, truth, rng.integers(0, 3, (many, n, 2)))
            kappa = ev.cohen_kappa(ratings[..., 0], ratings[..., 1])
            return covered(kappa.confidence_interval(method="fisher"), 0.49)

        yield Setting("cohen_kappa.confidence_interval", "fisher", "three classes", n, 2, 0, run, 50)
    effects = {"cliffs_delta": 2 * float(ndtr(1 / math.sqrt(2))) - 1, "rank_biserial": 2 * float(ndtr(1)) - 1}
    for n in (10, 50):
        for name, truth in effects.items():
            for method in ("consistent", "fisher"):

                def run(rng: np.random.Generator, many: int, n=n, name=name, truth=truth, method=method) -> Found:
                    x, y = rng.standard_normal((2, many, n)) + np.array([1.0, 0.0])[:, None, None]
                    return covered(getattr(ev.effects, name)(x, y).confidence_interval(method=method), truth)

                yield Setting(f"{name}.confidence_interval", method, "one SD apart", n, 2, 0, run, 20)
    for n in (60, 200):
        shares = np.array([0.5, 0.3, 0.2])

        def run(rng: np.random.Generator, many: int, n=n, shares=shares) -> Found:
            def labeled(y: np.ndarray) -> np.ndarray:
                return np.where(rng.random(n) < 0.8, y, rng.integers(0, 3, n))

            y = np.arange(n) % 3
            drawn = (rng.choice(3, n, p=shares) for _ in range(many))
            found = (ev.shift.estimate_label_shift(y, labeled(y), labeled(new), n_resamples=399) for new in drawn)
            return {"coverage": np.array([covered(f.confidence_interval(), shares)["coverage"].mean() for f in found])}

        yield Setting("LabelShift.confidence_interval", "each proportion", "three classes", n, 3, 0, run, 5)
    for n in (50, 200):
        for judge in (0.7, 0.9):

            def run(rng: np.random.Generator, many: int, n=n, judge=judge) -> Found:
                y = (rng.random((many, 10 * n)) < 0.3).astype(float)
                judged, predicted = (np.where(rng.random(y.shape) < p, y, 1 - y) for p in (judge, 0.8))
                human = np.where(np.arange(10 * n) < n, y, np.nan)
                found = [ppi_score(*one).confidence_interval() for one in zip(human, judged, predicted, strict=True)]
                low, high = (np.array([getattr(one, side) for one in found]) for side in ("low", "high"))
                return covered(SimpleNamespace(low=low, high=high), 0.24 / 0.34)

            data = f"judge right in {judge:g}"
            yield Setting("PPIScore.confidence_interval", "f1, one in ten labeled", data, n, 1, 0, run, 20)


def of_distributions() -> Iterator[Setting]:
    """Yield bounds of the stochastic order of equal distributions, and intervals of the skewness of runs."""
    for n in (5, 20, 50):
        for limit in (0.5, 0.2):

            def run(rng: np.random.Generator, many: int, n=n, limit=limit) -> Found:
                x, y = rng.standard_normal((2, many, n))
                bound = ev.effects.almost_stochastic_order(x, y, n_resamples=499, rng=rng).upper_bound(0.95)
                return {"type-I error": np.asarray(bound) < limit}

            yield Setting("almost_stochastic_order", f"bound below {limit:g}", "normal", n, 2, 0, run, 20)
    runs: dict[str, tuple[Callable[..., np.ndarray], float]] = {
        "normal": (lambda rng, n: rng.standard_normal(n), 0.0),
        "beta(8, 2)": (lambda rng, n: rng.beta(8, 2, n), -0.8291561975888499),
        "exponential": (lambda rng, n: rng.exponential(size=n), 2.0),
    }
    for n in (20, 100):
        for data, (draw, truth) in runs.items():
            for method in ("jackknife", "normal"):

                def run(rng: np.random.Generator, many: int, n=n, draw=draw, truth=truth, method=method) -> Found:
                    found = (ev.reproducibility.run_distribution(draw(rng, n)) for _ in range(many))
                    return {"coverage": np.array([
                        covered(one.skewness_interval(method=method), truth)["coverage"] for one in found
                    ])}  # fmt: skip

                yield Setting("run_distribution.skewness_interval", method, data, n, 1, 0, run, 20)


def other_hypotheses() -> Iterator[Setting]:
    """Yield tests of concordance of independent rankings, and of unchanged class proportions."""
    for n, k in ((5, 3), (10, 5), (30, 10)):
        for variant in ("chi2", "f"):

            def run(rng: np.random.Generator, many: int, n=n, k=k, variant=variant) -> Found:
                found = ev.multiple.kendall_w(rng.standard_normal((many, n, k)), n_resamples=10)
                return rejected(getattr(found, f"{variant}_pvalue"), 0)

            yield Setting("kendall_w", variant, "normal", n, k, 0, run, 100)
    for n in (50, 200, 1000):

        def run(rng: np.random.Generator, many: int, n=n) -> Found:
            def one(y: np.ndarray, z: np.ndarray, new: np.ndarray) -> Any:
                return ev.shift.estimate_label_shift(y, z, new, n_resamples=0)

            y = np.tile(np.arange(n) % 2, (many, 1))
            predicted = np.where(rng.random((many, n)) < 0.8, y, 1 - y)
            other = rng.integers(0, 2, (many, n))
            new = np.where(rng.random((many, n)) < 0.8, other, 1 - other)
            return rejected(one_by_one(one, y, predicted, new), 0)

        yield Setting("estimate_label_shift", "", "two classes", n, 2, 0, run, 50)


def label_variations() -> Iterator[Setting]:
    """Yield intervals for a judge that copies a random annotator in four of five instances and otherwise guesses."""
    for m in (3, 10):
        # for uniform proportions of three labels, all counts of m annotators have the same probability
        counts = np.array([(a, b, m - a - b) for a in range(m + 1) for b in range(m + 1 - a)])
        chances = 0.8 * (counts + 1) / (m + 3) + 0.2 / 3
        found = [
            ev.agreement.label_variation(
                counts=counts, judge_counts=np.eye(3)[np.full(len(counts), label)], distance="jensen-shannon"
            )
            for label in range(3)
        ]
        distance = sum(chances[:, label] @ one._values[:, 3] for label, one in enumerate(found)) / len(counts)
        truth = {"difference": 0.8 * 0.5 + 0.2 / 3 - 0.5, "annotator_agreement": 0.5, "distance": float(distance)}
        truth["split_half_distance"] = found[0].split_half_distance
        for n in (20, 50, 200):
            for of, expected in truth.items():

                def run(rng: np.random.Generator, many: int, n=n, m=m, of=of, expected=expected) -> Found:
                    found = []
                    for _ in range(many):
                        judge, counts = _labeled(rng, n, m)
                        one = ev.agreement.label_variation(
                            counts=counts, judge_counts=np.eye(3)[judge], distance="jensen-shannon"
                        )
                        found.append(one.confidence_interval(of=of, n_resamples=999))
                    low, high = np.transpose([tuple(one) for one in found])
                    return covered(SimpleNamespace(low=low, high=high), expected)

                data = f"{m} annotators, three labels"
                yield Setting("label_variation.confidence_interval", of, data, n, m, 0, run, 50)


def _labeled(rng: np.random.Generator, n: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw the label of the judge, and the counts of three labels of m annotators, for each instance."""
    p = rng.dirichlet([1.0, 1.0, 1.0], n)
    own = (rng.random((n, 1)) > p.cumsum(axis=1)[:, :2]).sum(axis=1)
    judge = np.where(rng.random(n) < 0.8, own, rng.integers(0, 3, n))
    return judge, rng.multinomial(m, p)


# --- nested cross-validation ------------------------------------------------------------------------------------------


def nested_cross_validations() -> Iterator[Setting]:
    """Yield intervals of the error of the nearest class mean on all instances, with 5 folds and 100 repeats."""
    for n in (50, 100):
        for p in (4, 20):

            def run(rng: np.random.Generator, many: int, n=n, p=p) -> Found:
                drawn = [_nearest_mean_errors(rng, n, p, 5, 100) for _ in range(many)]
                found = [nested_cross_validated_mean(*one[:3]) for one in drawn]
                return covered(_limits(found), np.array([one[3] for one in drawn]))

            data = f"nearest means, {p} features"
            yield Setting("nested_cross_validated_mean.confidence_interval", "", data, n, 1, 0, run, 20)


def _nearest_mean_errors(rng: np.random.Generator, n: int, p: int, k: int, n_repeats: int) -> tuple[Any, ...]:
    """Return outer errors, inner errors, folds, and the expected error of the model for all instances.

    The class means of the model that leaves out two folds come from the sums of the other folds.
    """
    y = rng.permutation(np.arange(n) % 2)
    lead = np.where(np.arange(p) < 2, 0.8, 0.0)
    x = rng.standard_normal((n, p)) + np.outer(y - 0.5, lead)
    fold = rng.permuted(np.tile(np.arange(n) % k, (n_repeats, 1)), axis=1)
    is_in = (fold[:, np.newaxis] == np.arange(k)[:, np.newaxis])[:, :, np.newaxis] & (y == np.arange(2)[:, np.newaxis])
    is_in = is_in.astype(np.float64)  # (n_repeats, k, 2, n)
    sums, sizes = is_in @ x, is_in.sum(axis=-1)
    is_other = 1 - np.eye(k)[:, :, np.newaxis]
    left = sums.sum(axis=1)[:, None, None] - sums[:, :, None] - (is_other[..., np.newaxis] * sums[:, np.newaxis])
    means = left / (sizes.sum(axis=1)[:, None, None] - sizes[:, :, None] - is_other * sizes[:, np.newaxis])[..., None]
    w, middle = means[..., 1, :] - means[..., 0, :], means.mean(axis=-2)  # (n_repeats, k, k, p)
    rows = np.arange(n_repeats)[:, np.newaxis]
    offset = (w * middle).sum(axis=-1)
    margin = np.stack([(w[rows, j, fold] * x).sum(axis=-1) - offset[rows, j, fold] for j in range(k)], axis=1)
    inner = ((margin > 0) != y).astype(np.float64)
    is_own = fold[:, np.newaxis] == np.arange(k)[:, np.newaxis]
    outer = np.where(is_own, inner, 0.0).sum(axis=1)
    whole = np.array([x[y == c].mean(axis=0) for c in (0, 1)])
    of_all = whole[1] - whole[0]
    ends = [(sign * lead / 2 - whole.mean(axis=0)) @ of_all / np.linalg.norm(of_all) for sign in (-1, 1)]
    return outer, np.where(is_own, np.nan, inner), fold, (ndtr(ends[0]) + ndtr(-ends[1])) / 2


# --- differences and win rates that are adjusted for covariates -------------------------------------------------------


def win_rates() -> Iterator[Setting]:
    """Yield verdicts of a judge that prefers longer answers, with an effect of each question within a cluster."""
    for n in (50, 200, 1000):
        for data in ("independent", "clusters of 5"):
            clusters = None if data == "independent" else np.arange(n) // 5

            def run(rng: np.random.Generator, many: int, n=n, clusters=clusters) -> Found:
                d = rng.standard_normal((many, n))
                z = rng.standard_normal((many, n))
                if clusters is not None:
                    z = math.sqrt(0.7) * z + math.sqrt(0.3) * rng.standard_normal((many, n // 5))[:, clusters]
                wins = z < ndtri(expit(-0.4 + 1.5 * np.tanh(d)))
                found = [length_adjusted_win_rate(*each, clusters=clusters) for each in zip(wins * 1.0, d, strict=True)]
                return covered(_limits(found), expit(-0.4))

            yield Setting("length_adjusted_win_rate.confidence_interval", "", data, n, 2, 0, run, 50)


def adjusted_differences() -> Iterator[Setting]:
    """Yield answers of two models that skipped a third of the questions, one model mostly the long questions."""
    for n in (20, 30, 60, 200):
        for lead in (0.0, 0.8):

            def run(rng: np.random.Generator, many: int, n=n, lead=lead) -> Found:
                found, truth = [], []
                while len(found) < many:
                    one = _answers(rng, n, lead)
                    try:
                        found.append(adjusted_difference(*one, baseline="old"))
                    except InvalidValueError:  # separated by chance: the function raises an error
                        continue
                    _, _, question, covariates = one
                    of_question = dict(zip(question.tolist(), covariates["length"].tolist(), strict=True))
                    x = np.array(list(of_question.values()))
                    truth.append((expit(0.3 + lead - 0.8 * x) - expit(0.3 - 0.8 * x)).mean())
                counted = covered(_limits(found), np.array(truth))
                return counted if lead else counted | rejected([one.pvalue for one in found], 0)

            yield Setting("adjusted_difference.confidence_interval", "exchangeable", f"lead {lead:g}", n, 2, 0, run, 20)


def _answers(rng: np.random.Generator, n: int, lead: float) -> tuple[Any, ...]:
    """Draw score, model, question and length. Answers to a question are correlated, with exact probabilities."""
    x, shared = rng.standard_normal((2, n))
    is_kept = rng.random((2, n)) < np.stack([np.full(n, 2 / 3), expit(0.7 - 0.7 * x)])
    model, question = np.nonzero(is_kept)
    z = math.sqrt(0.6) * rng.standard_normal(len(model)) + math.sqrt(0.4) * shared[question]
    score = z < ndtri(expit(0.3 + lead * model - 0.8 * x[question]))
    return score * 1.0, np.where(model == 1, "new", "old"), question, {"length": x[question]}


def _limits(results: list[Any]) -> Any:
    """Return the intervals of several results as one interval."""
    low, high = np.transpose([tuple(one.confidence_interval()) for one in results])
    return SimpleNamespace(low=low, high=high)


# --- repeated analyses of all pairs -----------------------------------------------------------------------------------


def leagues() -> Iterator[Setting]:
    """Yield tests of several models after every tenth question, until the first rejection."""
    for k in (3, 6):
        for lead in (0.0, 0.2):
            for adjust in ("e-holm", "e-bh"):

                def run(rng: np.random.Generator, many: int, k=k, lead=lead, adjust=adjust) -> Found:
                    shares = np.full(k, 0.6)
                    shares[-1] += lead
                    drawn = right(rng, (many, 300, k), shares) * 1.0
                    looks = [
                        ev.pairwise.pairwise_betting_test(drawn[:, :n], adjust=adjust).rejected
                        for n in range(10, 301, 10)
                    ]
                    places = np.triu_indices(k, 1)
                    called = np.stack(looks)[:, :, places[0], places[1]]
                    # at the first analysis with a rejection, or at the last
                    first = np.where(called.any(axis=(0, 2)), called.any(axis=2).argmax(axis=0), len(looks) - 1)
                    at_stop = called[first, np.arange(many)]
                    return discoveries(at_stop, (places[1] == k - 1) & bool(lead))

                yield Setting("pairwise_betting_test", adjust, "stopped at the first rejection", 300, k, lead, run, 50)


# --- learning curves --------------------------------------------------------------------------------------------------


def learning_curves() -> Iterator[Setting]:
    """Yield curves without a difference at any size: correlated normal repeats, and splits of real instances."""
    three, eight = ((5, 3, 0.5), (10, 3, 0.5)), ((5, 8, 0.0), (5, 8, 0.5), (10, 8, 0.0), (10, 8, 0.5), (10, 8, 0.9))
    for n, k, rho in (*three, *eight, (30, 8, 0.5)):
        sizes = np.arange(k)
        root = np.linalg.cholesky(rho ** abs(sizes[:, None] - sizes) if rho else np.eye(k))
        # max-t takes a tenth of a second
        for adjust in ("sidak", "max-t") if k == 8 and rho else ("sidak",):

            def test(rng: np.random.Generator, many: int, n=n, k=k, root=root, adjust=adjust) -> Any:
                shared, own = rng.standard_normal((many, 1, k)), rng.standard_normal((many, n, k))
                d = (0.2**0.5 * shared + 0.8**0.5 * own) @ root.T
                of_sizes = {"n_train": np.arange(1, k + 1), "n_test": 2.25, "n_instances": 11.25}
                return ev.paired.learning_curve_test(d, np.zeros_like(d), adjust=adjust, **of_sizes)

            def run(rng: np.random.Generator, many: int, k=k, test=test) -> Found:
                return discoveries(test(rng, many).pvalue <= 0.05, np.zeros(k, dtype=bool))

            def run_interval(rng: np.random.Generator, many: int, test=test) -> Found:
                low, high = test(rng, many).confidence_interval()
                return {"coverage": ((low <= 0) & (high >= 0)).all(axis=-1)}

            data = f"correlation {rho:g} of neighboring sizes"
            yield Setting("learning_curve_test", adjust, data, n, k, 0, run, 2000 if adjust == "sidak" else 20)
            if adjust == "sidak":
                name = "LearningCurveTestResult.confidence_interval"
                yield Setting(name, "all sizes", data, n, k, 0, run_interval, 2000)
    for n in (5, 10, 30):
        for variant, total in (("sidak", None), ("sidak, n_instances", 200)):

            def run(rng: np.random.Generator, many: int, n=n, total=total) -> Found:
                x, y = (np.stack(one) for one in zip(*(_centroid_curves(rng, n) for _ in range(many)), strict=True))
                test = ev.paired.learning_curve_test(x, y, n_train=SIZES_OF_200, n_test=50, n_instances=total)
                return discoveries(test.pvalue <= 0.05, np.zeros(len(SIZES_OF_200), dtype=bool))

            yield Setting("learning_curve_test", variant, "splits of 200 instances", n, 4, 0, run, 100)


SIZES_OF_200 = np.array([15, 30, 75, 150])


def _centroid_curves(rng: np.random.Generator, n_repeats: int) -> np.ndarray:
    """Return accuracies, (2, n_repeats, 4), of nearest-centroid classifiers on one of two equally good features."""
    labels = rng.permutation(np.arange(200) % 2)
    features = rng.standard_normal((2, 200)) + 0.8 * labels
    order = rng.permuted(np.tile(np.arange(200), (n_repeats, 1)), axis=1)
    train, test = order[:, :150], order[:, 150:]
    is_one = labels[train]
    n_ones = np.maximum(np.cumsum(is_one, axis=1)[:, SIZES_OF_200 - 1], 1)
    n_zeros = np.maximum(np.cumsum(1 - is_one, axis=1)[:, SIZES_OF_200 - 1], 1)
    found = []
    for feature in features:
        ones = np.cumsum(feature[train] * is_one, axis=1)[:, SIZES_OF_200 - 1] / n_ones
        zeros = np.cumsum(feature[train] * (1 - is_one), axis=1)[:, SIZES_OF_200 - 1] / n_zeros
        at = feature[test][:, None]
        found.append(((abs(at - ones[..., None]) < abs(at - zeros[..., None])) == labels[test][:, None]).mean(axis=-1))
    return np.array(found)


# --- comparisons of whole tables --------------------------------------------------------------------------------------


def answer_tables() -> Iterator[Setting]:
    """Yield comparisons of the answers of three models after every 50th question, until the first rejection."""
    for lead in (0.0, 0.2):

        def run(rng: np.random.Generator, many: int, lead=lead) -> Found:
            drawn = right(rng, (many, 300, 3), [0.6, 0.6, 0.6 + lead])
            called = np.array([_first_rejections(one * 1) for one in drawn])
            return discoveries(called, np.array([False, True, True]) & bool(lead))

        yield Setting("compare", "betting", "stopped at the first rejection", 300, 3, lead, run, 20)


def _first_rejections(answers: np.ndarray) -> list[bool]:
    """Return the decisions on A and B, A and C, and B and C at the first analysis with a rejection, or at the last."""
    called: list[bool] = []
    for n in range(50, len(answers) + 1, 50):
        table = dict(zip(("A", "B", "C"), answers[:n].T.tolist(), strict=True))
        options: Any = {"posthoc": "betting", "rows_are": "questions", "same_order": True}
        pairs = sorted(ev.compare(table, **options).pairs, key=lambda pair: sorted([pair.first, pair.second]))
        called = [pair.different for pair in pairs]
        if any(called):
            break
    return called


def battle_tables() -> Iterator[Setting]:
    """Yield comparisons with a control by a judge that prefers longer answers. Some questions are easy."""
    for n in (200, 1000):
        for per_question in (1, 5):

            def run(rng: np.random.Generator, many: int, n=n, per_question=per_question) -> Found:
                found = [_equal_length(rng, n, per_question) for _ in range(many)]
                limits = SimpleNamespace(low=[one.low for one in found], high=[one.high for one in found])
                return covered(limits, expit(-0.4))

            data = "independent" if per_question == 1 else f"{per_question} battles of each question"
            yield Setting("EqualLengthWinRate", "compare", data, n, 2, 0, run, 10)


def _equal_length(rng: np.random.Generator, n: int, per_question: int) -> Any:
    question = np.arange(n) // per_question
    d = rng.standard_normal(n)
    z = math.sqrt(0.7) * rng.standard_normal(n) + math.sqrt(0.3) * rng.standard_normal(n)[question]
    wins = z < ndtri(expit(-0.4 + 1.5 * np.tanh(d)))
    battles = {
        "model_a": ["new"] * n, "model_b": ["old"] * n, "winner": np.where(wins, "model_a", "model_b").tolist(),
        "question_id": question.tolist(), "length_a": (1000 + 100 * d).tolist(), "length_b": [1000] * n,
    }  # fmt: skip
    comparison: Any = ev.compare(battles, control="old", covariates=["length"])
    return comparison.win_rates[0]


def rating_tables() -> Iterator[Setting]:
    """Yield comparisons of two treatments with equal areas, from tables of the ratings of several readers."""
    for data, truth, k in (*RATED, ("one reader, 10% positive", RARE, 1)):
        keys = list(np.ndindex(2, k, len(truth)))
        columns: dict[str, Any] = {"treatment": [i for i, _, _ in keys], "reader": [j for _, j, _ in keys]}
        columns |= {"case": [c for _, _, c in keys], "truth": [int(truth[c]) for _, _, c in keys]}
        sampled = "both" if k > 1 else "cases"

        def run(rng: np.random.Generator, many: int, truth=truth, k=k, columns=columns, sampled=sampled) -> Found:
            drawn = rated(rng, many, truth, k, sampled)
            found = [compare_readers(columns | {"rating": one.ravel().tolist()}).test.pvalue for one in drawn]
            return rejected(np.array(found), 0)

        yield Setting("compare_readers", "", data, len(truth), k, 0, run, 10)


MORE = (
    some_equal, other_scores, unequal_clusters, rare_classes, independent_raters, few_rated_instances, other_intervals,
    of_distributions, label_variations, nested_cross_validations, other_hypotheses, win_rates, adjusted_differences,
    leagues, learning_curves, answer_tables, battle_tables, rating_tables,
)  # fmt: skip
