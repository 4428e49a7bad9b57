"""Which pairs of classifiers are put to R?"""

from __future__ import annotations

__all__ = [
    "accuracy_equivalence_from_counts",
    "accuracy_equivalence_test",
    "accuracy_noninferiority_from_counts",
    "accuracy_noninferiority_test",
    "auc_equivalence_test",
    "auc_noninferiority_test",
    "clustered_permutation_test",
    "clustered_ttest",
    "corrected_ttest",
    "delong_test",
    "delong_unpaired_test",
    "diebold_mariano_test",
    "equivalence_test",
    "ftest_5x2cv",
    "mcnemar_from_counts",
    "mcnemar_table",
    "mcnemar_test",
    "metric_permutation_test",
    "naive_resampled_ttest",
    "noninferiority_test",
    "paired_ttest",
    "permutation_test",
    "sign_test",
    "ttest_5x2cv",
    "ttest_10x10",
    "wilcoxon_test",
]

from random import Random

from evalstats.parity.random_inputs import (
    Arguments,
    alternative,
    classes,
    clusters,
    confidence_level,
    mcnemar,
    pairs,
    values,
)


def sign_test(random: Random) -> Arguments:
    """Every alternative and treatment of ties."""
    return {
        **pairs(random),
        "alternative": alternative(random),
        "ties": random.choice(["drop", "split", "keep"]),
        "confidence_level": confidence_level(random),
    }


def wilcoxon_test(random: Random) -> Arguments:
    """Every alternative, treatment of zeros and null distribution."""
    return {
        **pairs(random, noise=True),
        "alternative": alternative(random),
        "zero_method": random.choice(["wilcox", "pratt", "zsplit"]),
        "method": random.choice(["auto", "exact", "asymptotic"]),
        "correction": random.choice([True, False]),
        "confidence_level": confidence_level(random),
    }


def paired_ttest(random: Random) -> Arguments:
    """Every alternative, with two pairs at least."""
    return {
        **pairs(random, smallest=2),
        "alternative": alternative(random),
        "confidence_level": confidence_level(random),
    }


def corrected_ttest(random: Random) -> Arguments:
    """Every alternative, folds and random splits of any size."""
    return {
        **pairs(random, smallest=2),
        "n_train": random.choice([1, 9, 90, 10_000]),
        "n_test": random.choice([1, 10, 5000]),
        "alternative": alternative(random),
        "confidence_level": confidence_level(random),
    }


def naive_resampled_ttest(random: Random) -> Arguments:
    """Every alternative, with two pairs at least."""
    return {**pairs(random, smallest=2), "alternative": alternative(random)}


def ttest_10x10(random: Random) -> Arguments:
    """Every variant and alternative, two to ten runs of two to ten folds, any degrees of freedom."""
    value = values(random, noise=False)
    n_runs, n_folds = random.choice([(10, 10), (2, 2), (5, 2), (2, 5), (3, 4)])
    x = [[value() for _ in range(n_folds)] for _ in range(n_runs)]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {
        "x": x,
        "y": [[a if random.random() < share_of_zeros else value() for a in row] for row in x],
        "use": random.choice(["all", "folds", "runs", "sorted-runs"]),
        "df": random.choice([1, 2.5, 9, 10, 99]),
        "alternative": alternative(random),
        "confidence_level": confidence_level(random),
    }


def ttest_5x2cv(random: Random) -> Arguments:
    """Every alternative."""
    return {**_five_by_two(random), "alternative": alternative(random)}


def ftest_5x2cv(random: Random) -> Arguments:
    """Five repetitions of two folds."""
    return _five_by_two(random)


def permutation_test(random: Random) -> Arguments:
    """Every alternative, on numbers with few digits: coin's exact distribution takes whole numbers, and small ones."""
    n, most_digits = random.choice([(1, 4), (2, 4), (3, 4), (5, 4), (8, 2), (15, 1), (40, 0)])
    digits = random.randint(0, most_digits)
    x = [round(random.uniform(0, 9), digits) for _ in range(n)]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {
        "x": x,
        "y": [a if random.random() < share_of_zeros else round(random.uniform(0, 10), digits) for a in x],
        "alternative": alternative(random),
    }


def clustered_ttest(random: Random) -> Arguments:
    """Every alternative and average, groups of all sizes, one stratum or several, classifiers that are often equal."""
    clustered = clusters(random)
    value = values(random, noise=False)
    x = [value() for _ in clustered["groups"]]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {
        "x": x,
        "y": [a if random.random() < share_of_zeros else value() for a in x],
        **clustered,
        "alternative": alternative(random),
        "confidence_level": confidence_level(random),
    }


def clustered_permutation_test(random: Random) -> Arguments:
    """Every alternative, on whole numbers: coin's exact distribution takes no others."""
    n = random.choice([1, 5, 20, 60])
    x = [random.randint(0, 5) for _ in range(n)]
    return {
        "x": x,
        "y": [a if random.random() < 0.3 else random.randint(0, 4) for a in x],
        "groups": [random.randint(1, 12) for _ in x],
        "alternative": alternative(random),
    }


def mcnemar_test(random: Random) -> Arguments:
    """Every alternative and null distribution, from always alike to never, with and without groups."""
    share_of_discordant = random.choice([0, 0.2, 0.5, 1])
    x = [random.randint(0, 1) for _ in range(random.choice([1, 2, 5, 10, 30, 100]))]
    arguments = {"x": x, "y": [1 - a if random.random() < share_of_discordant else a for a in x], **mcnemar(random)}
    if random.random() < 0.5:
        return arguments
    del arguments["confidence_level"]  # there is no interval
    return {**arguments, "groups": [random.randint(1, 9) for _ in x]}


def mcnemar_table(random: Random) -> Arguments:
    """Every method, with classes that are never exchanged; R rounds p-values below 5e-324 to 0."""
    k = random.randint(2, 6)
    counts = random.choice([[0, 1, 5], [0, 0, 0, 3], [1, 2, 30], [0, 100, 3]])
    table = [[random.choice(counts) for _ in range(k)] for _ in range(k)]
    table[0][1] += 1
    return {"table": table, "method": random.choice(["bowker", "stuart-maxwell", "bhapkar"])}


def mcnemar_from_counts(random: Random) -> Arguments:
    """Every alternative and null distribution, with empty cells, and counts far apart."""
    largest = random.choice([1, 5, 30, 1000])
    table = [[random.randint(0, largest) for _ in range(2)] for _ in range(2)]
    table[1][1] += 1
    return {"table": table, **mcnemar(random)}


def delong_test(random: Random) -> Arguments:
    """Every alternative, with classifiers that agree on some cases."""
    y_true = classes(random, smallest=1)
    value = values(random, noise=False)
    x = [value() for _ in y_true]
    share_of_equal = random.choice([0, 0, 0.5, 0.9])
    return {
        "y_true": y_true,
        "x": x,
        "y": [a if random.random() < share_of_equal else value() for a in x],
        "alternative": alternative(random),
        "confidence_level": confidence_level(random),
    }


def delong_unpaired_test(random: Random) -> Arguments:
    """Every alternative, on test sets of any two sizes."""
    first, second, value = classes(random, smallest=2), classes(random, smallest=2), values(random, noise=False)
    return {
        "y_true_x": first,
        "x": [value() for _ in first],
        "y_true_y": second,
        "y": [value() for _ in second],
        "df": random.choice(["welch", "infinite"]),
        "alternative": alternative(random),
        "confidence_level": confidence_level(random),
    }


def metric_permutation_test(random: Random) -> Arguments:
    """Accuracy, for which R has the exact test, with every alternative."""
    n, n_classes = random.choice([1, 2, 5, 12, 30]), random.choice([2, 3])
    y_true, x, y = ([random.randrange(n_classes) for _ in range(n)] for _ in range(3))
    return {
        "y_true": y_true,
        "x": x,
        "y": y,
        "metric": "accuracy",
        "method": "exact",
        "alternative": alternative(random),
    }


def _five_by_two(random: Random) -> Arguments:
    """Return two samples of five rows; some pairs are equal."""
    value = values(random, noise=False)
    x = [[value() for _ in range(2)] for _ in range(5)]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {"x": x, "y": [[a if random.random() < share_of_zeros else value() for a in row] for row in x]}


def noninferiority_test(random: Random) -> Arguments:
    """Every test and direction, on few halves, so that differences lie on the margin."""
    return {**equivalence_test(random), "greater_is_better": random.choice([True, False])}


def equivalence_test(random: Random) -> Arguments:
    """Every test, on few halves, so that differences lie on the margin; groups of all sizes, strata."""
    test = random.choice(
        ["wilcoxon", "sign", "permutation", "paired-t", "corrected-t", "clustered-t", "clustered-permutation"]
    )
    clustered = clusters(random) if test.startswith("clustered") else {}
    if test == "clustered-permutation":  # coin's exact distribution is of one stratum, and of halves
        clustered = {"groups": clustered["groups"]}
    n = len(clustered["groups"]) if clustered else random.choice([2, 3, 5, 8, 12])
    x = [random.randint(10, 30) / 2 for _ in range(n)]
    sizes = {"n_train": random.choice([4, 9]), "n_test": 1} if test == "corrected-t" else {}
    return {
        "x": x,
        "y": [value + random.choice([-2, -1, -0.5, 0, 0.5, 1, 2.5]) for value in x],
        "margin": random.choice([0.3, 0.5, 1, 2.2]),
        "test": test,
        "confidence_level": confidence_level(random),
        **sizes,
        **clustered,
    }


def accuracy_noninferiority_from_counts(random: Random) -> Arguments:
    """Every method, with empty cells and counts far apart; few cases for the exact test."""
    method = random.choice(["score", "exact", "newcombe"])
    largest = random.choice([1, 3, 6] if method == "exact" else [1, 5, 30, 1000])
    table = [[random.randint(0, largest) for _ in range(2)] for _ in range(2)]
    table[0][0] += 1
    table[1][1] += 1
    margin = random.choice([0.01, 0.05, 0.2, 0.5])
    return {"table": table, "margin": margin, "method": method, "confidence_level": random.choice([0.8, 0.9, 0.95])}


def accuracy_equivalence_from_counts(random: Random) -> Arguments:
    """Of the same tables."""
    return accuracy_noninferiority_from_counts(random)


def accuracy_noninferiority_test(random: Random) -> Arguments:
    """Draw groups of any size; cases that stand for themselves are those of the counts."""
    share_of_discordant = random.choice([0.1, 0.3, 0.6])
    x = [random.randint(0, 1) for _ in range(random.choice([10, 40, 100]))]
    y = [1 - a if random.random() < share_of_discordant else a for a in x]
    size = random.choice([1, 2, 3])
    return {"x": x, "y": y, "margin": random.choice([0.02, 0.1, 0.3]), "groups": [i // size for i, _ in enumerate(x)]}


def accuracy_equivalence_test(random: Random) -> Arguments:
    """Of the same groups."""
    return accuracy_noninferiority_test(random)


def auc_noninferiority_test(random: Random) -> Arguments:
    """Any scores, ties among them."""
    y_true, value = classes(random, smallest=1), values(random, noise=False)
    scores = {"x": [value() for _ in y_true], "y": [value() for _ in y_true]}
    margin = random.choice([0.01, 0.1, 0.5])
    return {
        "y_true": y_true,
        **scores,
        "margin": margin,
        "method": "normal",
        "confidence_level": confidence_level(random),
    }


def auc_equivalence_test(random: Random) -> Arguments:
    """Of the same scores."""
    return auc_noninferiority_test(random)


def diebold_mariano_test(random: Random) -> Arguments:
    """Every alternative, horizon, distribution and variance, on losses in one unit."""
    n = random.choice([4, 10, 40])
    return {
        "x": [round(random.uniform(0, 4), 4) for _ in range(n)],
        "y": [round(random.uniform(0, 4), 4) for _ in range(n)],
        "horizon": random.choice([1, 2, 3]),
        "alternative": alternative(random),
        "method": random.choice(["t", "asymptotic"]),
        "variance": random.choice(["acf", "bartlett"]),
    }
