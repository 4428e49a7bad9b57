"""Random numbers, samples and options for the generators."""

from __future__ import annotations

__all__ = [
    "Arguments",
    "alternative",
    "answers",
    "answers_in_groups",
    "classes",
    "clustered_pairs",
    "clusters",
    "confidence_level",
    "counts_and_margin",
    "counts_of_answers",
    "direction",
    "family",
    "family_in_one_unit",
    "family_of_pairs",
    "folds",
    "forecast",
    "forecasts_of_classifiers",
    "learning_curves",
    "level",
    "losses",
    "pairs",
    "pairs_in_subgroups",
    "pairs_of_classifiers",
    "pairs_of_few_digits",
    "pairs_on_a_margin",
    "predicted_labels",
    "ranked_family",
    "ranking",
    "scores_in_one_unit",
    "square_table",
    "table",
    "table_and_control",
    "two_classifications",
    "two_forecasts",
    "two_rankings",
    "two_samples",
    "two_tables",
    "two_test_sets",
    "values",
    "whole_pairs_in_groups",
]

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from evalstats import _checks
from evalstats._declarations import CONFIDENCE_LEVELS, SIGNIFICANCE_LEVELS

Arguments = dict[str, Any]


def pairs(random: Random, *, smallest: int = 1, noise: bool = False) -> Arguments:
    """Return two samples. Some pairs are ties."""
    n = random.choice([n for n in (1, 2, 3, 4, 5, 6, 8, 10, 15, 30, 60) if n >= smallest])
    value = values(random, noise=noise)
    x = [value() for _ in range(n)]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {"x": x, "y": [a if random.random() < share_of_zeros else value() for a in x]}


def folds(random: Random, *, shapes: Sequence[tuple[int, int]]) -> Arguments:
    """Return the scores of two classifiers on repeated folds. Some pairs are ties."""
    value = values(random, noise=False)
    n_repeats, n_folds = shapes[0] if len(shapes) == 1 else random.choice(shapes)
    x = [[value() for _ in range(n_folds)] for _ in range(n_repeats)]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {"x": x, "y": [[a if random.random() < share_of_zeros else value() for a in row] for row in x]}


def learning_curves(random: Random) -> Arguments:
    """Return the scores of two classifiers in some repeats at some sizes, with the sizes of the sets."""
    n_sizes = random.choice([1, 2, 3, 5, 8])
    shapes = tuple((n_repeats, n_sizes) for n_repeats in (2, 3, 5, 10, 30))
    n_train = sorted(random.sample(range(1, 1000), n_sizes))
    n_test = random.choice([1, 10, 5000])
    found = folds(random, shapes=shapes) | {"n_train": n_train, "n_test": n_test}
    return found if random.random() < 0.5 else found | {"n_instances": n_train[-1] + n_test + random.choice([0, 100])}


def pairs_of_few_digits(random: Random) -> Arguments:
    """Return two samples for coin's exact distribution: small integers in one unit."""
    n, most_digits = random.choice([(1, 4), (2, 4), (3, 4), (5, 4), (8, 2), (15, 1), (40, 0)])
    digits = random.randint(0, most_digits)
    x = [round(random.uniform(0, 9), digits) for _ in range(n)]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {"x": x, "y": [a if random.random() < share_of_zeros else round(random.uniform(0, 10), digits) for a in x]}


def clustered_pairs(random: Random) -> Arguments:
    """Return two samples in clusters of all sizes, in one stratum or several. Some pairs are ties."""
    clustered = clusters(random)
    value = values(random, noise=False)
    x = [value() for _ in clustered["clusters"]]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {"x": x, "y": [a if random.random() < share_of_zeros else value() for a in x], **clustered}


def whole_pairs_in_groups(random: Random) -> Arguments:
    """Return two samples of integers in clusters, as coin's exact distribution requires."""
    n = random.choice([1, 5, 20, 60])
    x = [random.randint(0, 5) for _ in range(n)]
    y = [a if random.random() < 0.3 else random.randint(0, 4) for a in x]
    return {"x": x, "y": y, "clusters": [random.randint(1, 12) for _ in x]}


def answers(random: Random) -> Arguments:
    """Return answers of two classifiers that never, sometimes or always agree; in clusters, or with an interval."""
    share_of_discordant = random.choice([0, 0.2, 0.5, 1])
    x = [random.randint(0, 1) for _ in range(random.choice([1, 2, 5, 10, 30, 100]))]
    y = [1 - a if random.random() < share_of_discordant else a for a in x]
    if random.random() < 0.5:
        return {"x": x, "y": y, "confidence_level": confidence_level(random)}
    return {"x": x, "y": y, "clusters": [random.randint(1, 9) for _ in x]}


def answers_in_groups(random: Random) -> Arguments:
    """Return answers of two classifiers in clusters of equal size. Size one gives the results for the counts."""
    share_of_discordant = random.choice([0.1, 0.3, 0.6])
    x = [random.randint(0, 1) for _ in range(random.choice([10, 40, 100]))]
    y = [1 - a if random.random() < share_of_discordant else a for a in x]
    size = random.choice([1, 2, 3])
    return {"x": x, "y": y, "clusters": [i // size for i, _ in enumerate(x)]}


def counts_of_answers(random: Random) -> Arguments:
    """Return a 2 x 2 table with empty cells and counts of very different size."""
    largest = random.choice([1, 5, 30, 1000])
    counts = [[random.randint(0, largest) for _ in range(2)] for _ in range(2)]
    counts[1][1] += 1
    return {"counts": counts}


def counts_and_margin(random: Random) -> Arguments:
    """Return a 2 x 2 table and a margin, for every method; few instances for the exact test."""
    method = random.choice(["score", "exact", "newcombe"])
    largest = random.choice([1, 3, 6] if method == "exact" else [1, 5, 30, 1000])
    counts = [[random.randint(0, largest) for _ in range(2)] for _ in range(2)]
    counts[0][0] += 1
    counts[1][1] += 1
    return {"counts": counts, "margin": random.choice([0.01, 0.05, 0.2, 0.5]), "method": method}


def square_table(random: Random) -> Arguments:
    """Return a square table of counts, in which some pairs of classes may have no counts."""
    k = random.randint(2, 6)
    # at most 100, because R rounds p-values below 5e-324 to 0
    counts = random.choice([[0, 1, 5], [0, 0, 0, 3], [1, 2, 30], [0, 100, 3]])
    square = [[random.choice(counts) for _ in range(k)] for _ in range(k)]
    square[0][1] += 1
    return {"table": square}


def two_rankings(random: Random, *, shares_of_equal: Sequence[float] = ()) -> Arguments:
    """Return two classes and the scores of two classifiers, which agree on some instances."""
    y_true = classes(random, smallest=1)
    value = values(random, noise=False)
    x = [value() for _ in y_true]
    share = random.choice(shares_of_equal) if shares_of_equal else None
    return {"y_true": y_true, "x": x, "y": [a if share is not None and random.random() < share else value() for a in x]}


def forecast(random: Random) -> list[float]:
    """Return probabilities between 0 and 1, some of them equal, of one to thirty instances."""
    digits, n = random.choice([1, 2, 6]), random.choice([6, 12, 30])
    return [min(max(round(random.random(), digits), 0.1**digits), 1 - 0.1**digits) for _ in range(n)]


def pairs_in_subgroups(random: Random) -> Arguments:
    """Return pairs of scores in two to four subgroups, whose differences vary in each."""
    groups = [g for g in range(random.randint(2, 4)) for _ in range(random.choice([5, 12, 30]))]
    digits = random.choice([2, 6])
    x, y = ([round(random.random() + 0.01 * i, digits) for i in range(len(groups))] for _ in range(2))
    return {"x": x, "y": y, "subgroup": groups}


def two_forecasts(random: Random) -> Arguments:
    """Return two classes and the probabilities of two classifiers."""
    x = forecast(random)
    y = [round(1 - p if random.random() < 0.2 else random.uniform(0.05, 0.95), 3) for p in x]
    return {"y_true": [int(random.random() < p) for p in x], "x": x, "y": y}


def forecasts_of_classifiers(random: Random) -> Arguments:
    """Return two classes and the probabilities of two to five classifiers, for all pairs or against a control."""
    n, k = random.choice([6, 12, 30]), random.randint(2, 5)
    rows = [[round(random.uniform(0.05, 0.95), 3) for _ in range(k)] for _ in range(n)]
    return {"y_true": [int(random.random() < 0.5) for _ in range(n)], **family(random, rows)}


def two_test_sets(random: Random) -> Arguments:
    """Return two test sets of any sizes, with the scores of one classifier on each."""
    first, second, value = classes(random, smallest=2), classes(random, smallest=2), values(random, noise=False)
    x, y = [value() for _ in first], [value() for _ in second]
    return {"y_true_x": first, "x": x, "y_true_y": second, "y": y}


def predicted_labels(random: Random) -> Arguments:
    """Return labels of two or three classes, and the predictions of two classifiers."""
    n, n_classes = random.choice([1, 2, 5, 12, 30]), random.choice([2, 3])
    y_true, x, y = ([random.randrange(n_classes) for _ in range(n)] for _ in range(3))
    return {"y_true": y_true, "x": x, "y": y}


def two_classifications(random: Random) -> Arguments:
    """Return two classes, and the classes that two classifiers predict; some predict only one class."""
    y_true = classes(random, smallest=1)
    chance = [random.choice([0, 0.3, 0.5, 0.8]) for _ in range(2)]
    x, y = ([int(random.random() < (0.5 + share if own else share)) for own in y_true] for share in chance)
    return {"y_true": y_true, "x": x, "y": y}


def two_tables(random: Random) -> Arguments:
    """Return the counts of two classes of instances by the classes that two classifiers predict."""
    return {name: counts_of_answers(random)["counts"] for name in ("positives", "negatives")}


def pairs_on_a_margin(random: Random) -> Arguments:
    """Return pairs for every noninferiority test, multiples of 1/2, whose differences may equal the margin."""
    tests = ["wilcoxon", "sign", "permutation", "paired-t", "corrected-t", "clustered-t", "clustered-permutation"]
    test = random.choice(tests)
    clustered = clusters(random) if test.startswith("clustered") else {}
    if test == "clustered-permutation":  # coin's exact distribution requires one stratum, and multiples of 1/2
        clustered = {"clusters": clustered["clusters"]}
    n = len(clustered["clusters"]) if clustered else random.choice([2, 3, 5, 8, 12])
    x = [random.randint(10, 30) / 2 for _ in range(n)]
    sizes = {"n_train": random.choice([4, 9]), "n_test": 1} if test == "corrected-t" else {}
    y = [value + random.choice([-2, -1, -0.5, 0, 0.5, 1, 2.5]) for value in x]
    return {"x": x, "y": y, "margin": random.choice([0.3, 0.5, 1, 2.2]), "test": test, **sizes, **clustered}


def losses(random: Random) -> Arguments:
    """Return losses of two forecasters at the same times, in one unit."""
    n = random.choice([4, 10, 40])
    return {name: [round(random.uniform(0, 4), 4) for _ in range(n)] for name in ("x", "y")}


def two_samples(random: Random, *, smallest: int) -> Arguments:
    """Return two samples of any lengths."""
    value = values(random, noise=False)
    lengths = [n for n in (1, 2, 3, 5, 8, 15, 40) if n >= smallest]
    return {name: [value() for _ in range(random.choice(lengths))] for name in ("x", "y")}


def table(random: Random, size: tuple[int, int] | None = None) -> list[list[float]]:
    """Return rows of scores, of any number of datasets and classifiers or of the given size."""
    n, k = size or (random.choice([1, 2, 3, 5, 10, 20]), random.randint(2, 7))
    value = values(random, noise=True)
    return [[value() for _ in range(k)] for _ in range(n)]


def scores_in_one_unit(random: Random, size: tuple[int, int] | None = None) -> list[list[float]]:
    """Return a table of multiples of one unit. In this case, differences of scores are exact in R and Python."""
    n, k = size or (random.choice([1, 2, 3, 5, 10, 20]), random.randint(2, 7))
    digits, most = random.choice([(0, 4), (0, 99), (2, 1), (4, 1)])
    return [[round(random.uniform(0, most), digits) for _ in range(k)] for _ in range(n)]


def pairs_of_classifiers(random: Random, scores: list[list[float]]) -> Arguments:
    """Return the given scores for all pairs or against a control, in both directions."""
    control = {"control": random.randint(0, len(scores[0]) - 1)} if random.random() < 0.5 else {}
    adjust = random.choice(["none", "bonferroni", "holm", "hochberg", "hommel"])
    return {"scores": scores, "adjust": adjust, **control, **direction(random)}


def family(random: Random, scores: list[list[float]]) -> Arguments:
    """Return the given scores, sometimes with a copied classifier, for all pairs or against a control."""
    if random.random() < 0.2:
        scores = [[*row[:-1], row[0]] for row in scores]
    to_a_control = {"control": random.randrange(len(scores[0])), "alternative": alternative(random)}
    return {
        "scores": scores,
        "adjust": random.choice(["none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by"]),
        **(to_a_control if random.random() < 0.5 else {}),
    }


def ranked_family(random: Random, *, in_one_unit: bool = False) -> Arguments:
    """Return a table for all pairs or against a control, in both directions, with every adjustment that R has."""
    return pairs_of_classifiers(random, scores_in_one_unit(random) if in_one_unit else table(random))


def family_of_pairs(random: Random) -> Arguments:
    """Return a table with at least two datasets, for all pairs or against a control. Some classifiers are copies."""
    k = random.randint(2, 6)
    return family(random, table(random, (random.choice([2, 3, 10, 30]), k)))


def family_in_one_unit(random: Random) -> Arguments:
    """Return a table in one unit, for all pairs or against a control. Some classifiers are copies."""
    return family(random, scores_in_one_unit(random))


def table_and_control(random: Random) -> Arguments:
    """Return a table and one of its classifiers."""
    scores = table(random)
    return {"scores": scores, "control": random.randint(0, len(scores[0]) - 1)}


def direction(random: Random) -> Arguments:
    """Return whether greater scores are better."""
    return {"greater_is_better": random.choice([True, False])}


def ranking(random: Random, *, smallest: int = 1) -> Arguments:
    """Return two classes and a score for each instance."""
    y_true = classes(random, smallest=smallest)
    value = values(random, noise=False)
    return {"y_true": y_true, "y_score": [value() for _ in y_true]}


def classes(random: Random, *, smallest: int) -> list[int]:
    """Return 0 and 1 in any order, each at least the given number of times."""
    y_true = [i for i in (0, 1) for _ in range(random.randint(smallest, 15))]
    random.shuffle(y_true)
    return y_true


def clusters(random: Random) -> Arguments:
    """Return clusters of one to five instances, two or more in each of one to three strata, in any order."""
    cases, n_clusters = [], 0
    for stratum in range(random.randint(1, 3)):
        for group in range(n_clusters, n_clusters + random.choice([2, 3, 5, 12])):
            cases += [(group, stratum)] * random.randint(1, 5)
            n_clusters = group + 1
    random.shuffle(cases)
    groups, strata = ([case[i] for case in cases] for i in (0, 1))
    return {"clusters": groups, "strata": strata, "average": random.choice(["micro", "macro"])}


def values(random: Random, *, noise: bool) -> Callable[[], float]:
    """Return a source of one type of scores: many ties, accuracies, percentages, counts, very large or very small.

    With `noise`, the values include tenths with rounding error, such as 0.3 and 0.1 + 0.2, for adapters that support
    `tie_tolerance`.
    """
    # R's squares of the smallest and largest value stay within the range of normal numbers
    scale = random.choice([1.0, 1.0, 1e-140, 1e-9, 1e9, 1e140])
    sources: list[Callable[[], float]] = [
        lambda: random.randint(0, 4) / 4 * scale,
        lambda: round(random.uniform(0, 1), 4),
        lambda: round(random.uniform(0, 100), 2),
        lambda: float(random.randint(-9, 9)),
        lambda: round(random.uniform(-1, 1), 9) * scale,
        lambda: _tenths(random),
    ]
    return random.choice(sources if noise else sources[:-1])


def _tenths(random: Random) -> float:
    i = random.randint(0, 9)
    return random.choice([i / 10, i * 0.1, 1 - (10 - i) * 0.1])


def alternative(random: Random) -> str:
    """Return one of the three alternatives."""
    return random.choice(_checks.ALTERNATIVES)


def confidence_level(random: Random) -> float:
    """Return a confidence level at which R determines the limits."""
    return random.choice(CONFIDENCE_LEVELS)


def level(random: Random) -> float:
    """Return a significance level."""
    return random.choice(SIGNIFICANCE_LEVELS)
