"""Generators of inputs for tests of all pairs."""

from __future__ import annotations

__all__ = [
    "pairwise_clustered_ttest",
    "pairwise_delong_test",
    "pairwise_max_t_test",
    "pairwise_mcnemar_test",
    "pairwise_wilcoxon_test",
]

from random import Random

from evalstats.parity.random_inputs import (
    Arguments,
    alternative,
    classes,
    clusters,
    family,
    scores_in_one_unit,
    values,
)


def pairwise_clustered_ttest(random: Random) -> Arguments:
    """Generate all pairs, or all against a control with every alternative; clusters and strata of all sizes."""
    clustered = clusters(random)
    return {
        **family(random, scores_in_one_unit(random, (len(clustered["clusters"]), random.randint(2, 5)))),
        **clustered,
    }


def pairwise_wilcoxon_test(random: Random) -> Arguments:
    """Generate all pairs and a control, with ties and zeros, for all null distributions that R has."""
    zero_method, method = random.choice(["wilcox", "pratt"]), random.choice(["auto", "exact", "asymptotic"])
    is_corrected = random.choice([True, False]) and not (zero_method == "pratt" and method == "asymptotic")
    choices = {"zero_method": zero_method, "method": method, "correction": is_corrected}
    return {**family(random, scores_in_one_unit(random)), **choices}


def pairwise_mcnemar_test(random: Random) -> Arguments:
    """Generate all pairs and a control, exact and asymptotic, with every adjustment that R has."""
    n, k = random.choice([(1, 2), (5, 3), (30, 4), (80, 6)])
    share = random.choice([0.5, 0.9])
    control = random.choice([None, random.randint(0, k - 1)])
    return {
        "correct": [[int(random.random() < share) for _ in range(k)] for _ in range(n)],
        **({} if control is None else {"control": control, "alternative": alternative(random)}),
        "adjust": random.choice(["none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by"]),
        "method": random.choice(["exact", "asymptotic"]),
        "correction": random.choice([True, False]),
    }


def pairwise_delong_test(random: Random) -> Arguments:
    """Generate all pairs, or all against a control, with every adjustment that R has."""
    y_true = classes(random, smallest=2)
    value, k = values(random, noise=False), random.randint(2, 5)
    return {
        "y_true": y_true,
        "scores": [[value() for _ in range(k)] for _ in y_true],
        "adjust": random.choice(["holm", "bonferroni", "hochberg", "hommel", "bh", "by", "none"]),
        **random.choice([{}, {"control": random.randrange(k)}]),
    }


def pairwise_max_t_test(random: Random) -> Arguments:
    """Generate few datasets, whose signs R enumerates, without ties that R would break by rounding error."""
    n, k = random.choice([(3, 2), (4, 3), (6, 4), (8, 3)])
    own = Random(
        random.randrange(10**6)
    )  # whoever draws, no two scores are equal; nine digits, because differences are rounded
    scores = [[round(own.random(), 9) for _ in range(k)] for _ in range(n)]
    to_a_control = {"control": random.randrange(k), "alternative": alternative(random)}
    if random.random() < 0.25:
        return {"scores": scores[: {2: n, 3: 5, 4: 2}[k]], "method": "range"}  # of which all permutations are tried
    choices = {"method": "exact", "ranks": own.random() < 0.5}
    return {"scores": scores, **choices, **(to_a_control if random.random() < 0.5 else {})}
