"""The advice of which_test is that of the papers: their recommendations as a table that knows nothing of the tree.

A situation is described in words by whoever generates it; no property of `ExperimentDesign` is asked.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from evalstats import which_test


class Situation(NamedTuple):
    """An experiment in words, and the keywords of `which_test` that describe it."""

    datasets: str  # one | several
    classifiers: str  # two | more
    seen: str  # of each classifier on one dataset: a score | fold scores | 5x2 | cases, each predicted once
    compared: str  # accuracy | auc | other
    pairs: str  # all | control
    normal: str  # no | yes: the differences over datasets may be taken for normal
    warned: frozenset[str]  # what must be said besides
    keywords: dict[str, Any]


class Recommendation(NamedTuple):
    """What papers recommend where the words are such; words that are not named do not matter."""

    where: dict[str, str]
    tests: tuple[str | None, ...]  # the test, and what follows if it rejects
    instead: tuple[str, ...]  # what they name besides
    source: str


RECOMMENDATIONS = (
    Recommendation(
        {"datasets": "several", "classifiers": "two", "normal": "no"},
        ("wilcoxon_test",),
        ("sign_test",),
        "Demšar (2006), sections 3.1.3, 3.1.4 and 5: the Wilcoxon signed-ranks test; the sign test is weaker but "
        "assumes less. Tutorial, last figure: two algorithms, several domains",
    ),
    Recommendation(
        {"datasets": "several", "classifiers": "two", "normal": "yes"},
        ("paired_ttest",),
        ("wilcoxon_test",),
        "Demšar (2006), section 3.1.2: the paired t-test only if differences are normal and commensurable",
    ),
    Recommendation(
        {"datasets": "several", "classifiers": "more", "normal": "no", "pairs": "all"},
        ("friedman_test", "pairwise_wilcoxon_test"),
        ("nemenyi_test", "pairwise_sign_test"),
        "Benavoli, Corani & Mangili (2016): pairs by the Wilcoxon or the sign test, not by mean ranks. Demšar (2006), "
        "section 3.2.2: Friedman, then Nemenyi",
    ),
    Recommendation(
        {"datasets": "several", "classifiers": "more", "normal": "no", "pairs": "control"},
        ("friedman_test", "pairwise_wilcoxon_test"),
        ("bonferroni_dunn_test", "steel_sign_test"),
        "Benavoli, Corani & Mangili (2016), as for all pairs. Demšar (2006), section 3.2.2: Bonferroni-Dunn against a "
        "control; Holm's procedure is more powerful. García et al. (2010): Steel's sign test",
    ),
    Recommendation(
        {"datasets": "several", "classifiers": "more", "normal": "yes", "pairs": "all"},
        ("rm_anova_test", "tukey_test"),
        ("friedman_test",),
        "Demšar (2006), section 3.2.1: repeated-measures ANOVA, then Tukey; better Friedman. Tutorial, last figure",
    ),
    Recommendation(
        {"datasets": "several", "classifiers": "more", "normal": "yes", "pairs": "control"},
        ("rm_anova_test", "dunnett_test"),
        ("friedman_test", "pairwise_paired_ttest"),
        "Demšar (2006), section 3.2.1: Dunnett's test for the comparisons with a control; better Friedman. Tutorial, "
        "last figure: Bonferroni-Dunn after either, which are t-tests with the control after an analysis of variance",
    ),
    Recommendation(
        {"datasets": "one", "seen": "a score"},
        (None,),
        ("mcnemar_test", "corrected_ttest"),
        "Dietterich (1998): each of the five tests of one dataset needs the single decisions, or several scores",
    ),
    Recommendation(
        {"datasets": "one", "seen": "fold scores", "classifiers": "two"},
        ("corrected_ttest",),
        ("ttest_10x10", "ftest_5x2cv", "mcnemar_test"),
        "Dietterich (1998): never the t-test of random splits, and that of ten folds rejects a little too often. "
        "Nadeau & Bengio (2003): the corrected t-test. Bouckaert & Frank (2004): that one, on ten times ten folds",
    ),
    Recommendation(
        {"datasets": "one", "seen": "5x2", "classifiers": "two"},
        ("ftest_5x2cv",),
        ("ttest_5x2cv",),
        "Dietterich (1998): 5x2cv where an algorithm can be run ten times. Alpaydin (1999): the F of all ten scores",
    ),
    *(
        Recommendation(
            {"datasets": "one", "seen": seen, "classifiers": "more"},
            ("pairwise_corrected_ttest",),
            ("cochran_q_test",),
            "Nadeau & Bengio (2003) for each pair; Demšar (2006), section 3.2.2, for the need of an adjustment",
        )
        for seen in ("fold scores", "5x2")
    ),
    Recommendation(
        {"datasets": "one", "seen": "cases", "compared": "accuracy", "classifiers": "two"},
        ("mcnemar_test",),
        ("corrected_ttest",),
        "Dietterich (1998): McNemar's test where an algorithm can be run only once",
    ),
    Recommendation(
        {"datasets": "one", "seen": "cases", "compared": "accuracy", "classifiers": "more"},
        ("cochran_q_test", "pairwise_mcnemar_test"),
        ("pairwise_corrected_ttest",),
        "Looney (1988): Cochran's Q for several classifiers on one test set; McNemar's test is that of two",
    ),
    Recommendation(
        {"datasets": "one", "seen": "cases", "compared": "auc", "classifiers": "two"},
        ("delong_test",),
        ("metric_permutation_test",),
        "DeLong, DeLong & Clarke-Pearson (1988)",
    ),
    Recommendation(
        {"datasets": "one", "seen": "cases", "compared": "auc", "classifiers": "more"},
        ("pairwise_delong_test",),
        ("metric_permutation_test",),
        "DeLong, DeLong & Clarke-Pearson (1988), for each pair",
    ),
    Recommendation(
        {"datasets": "one", "seen": "cases", "compared": "other", "classifiers": "two"},
        ("metric_permutation_test",),
        ("mcnemar_test",),
        "Yeh (2000): approximate randomisation, because F is not a mean over cases",
    ),
    Recommendation(
        {"datasets": "one", "seen": "cases", "compared": "other", "classifiers": "more"},
        ("metric_permutation_test", "adjust_pairwise"),
        ("cochran_q_test",),
        "Yeh (2000), for each pair",
    ),
)

# names of a metric in each of the words, some of other packages; those of the last word rank cases
METRICS = {
    "accuracy": ("accuracy", "acc", "CA", "accuracy_score", "Error rate", "error"),
    "auc": ("roc_auc", "AUC", "AUROC", "ROC AUC", "roc_auc_score"),
    "other": ("f1", "f1_score", "kappa", "balanced_accuracy", "brier", "log loss"),
    "other that ranks": ("average_precision", "AP"),
}
# folds and repeats of the predictions of one dataset
RUNS = ((1, 1), (2, 1), (10, 1), (1, 30), (2, 5), (5, 2), (10, 10))


def materials() -> Iterator[tuple[str, str, set[str], dict[str, Any]]]:
    """Yield what is seen of a classifier on a dataset, what is compared, what is said of one dataset, and keywords."""
    yield "a score", "other", set(), {}
    yield "a score", "other", set(), {"data": "folds", "n_folds": 1}
    for folds, repeats in RUNS[1:]:
        seen = "5x2" if (folds, repeats) == (2, 5) else "fold scores"
        yield seen, "other", {"folds-are-not-independent"}, {"n_folds": folds, "n_repeats": repeats}
    for (folds, repeats), (compared, names) in itertools.product(RUNS, METRICS.items()):
        # Forman & Scholz (2010), section 2.4: scores of different models have no common scale for a ranking
        put_together = repeats == 1 and (folds == 1 or compared in ("accuracy", "other"))
        seen = "cases" if put_together else "5x2" if (folds, repeats) == (2, 5) else "fold scores"
        warned = {"models-share-training-data"} if folds > 1 and repeats == 1 else set()
        warned |= {"mcnemar-not-for-repeats"} if repeats > 1 else set()
        for name, data in itertools.product(names, ("predictions", "probabilities")):
            keywords = {"data": data, "metric": name, "n_folds": folds, "n_repeats": repeats}
            yield seen, compared.split()[0], warned, keywords


def situations() -> Iterator[Situation]:
    """Yield every combination of the words, described in several ways."""
    for (seen, compared, warned, keywords), n, k, control, normal in itertools.product(
        materials(), (1, 2, 7, 29, 30, 60), (2, 3, 10), (None, "a"), (False, True)
    ):
        several = n > 1
        said = set() if several else set(warned)
        if several and keywords.get("n_folds", 1) * keywords.get("n_repeats", 1) > 1:
            said.add("folds-are-not-datasets")  # Demšar (2006), section 3: a dataset is one observation
        if 1 < n < 6 and k > 2:
            said.add("very-few-datasets")
        if 1 < n <= 10 and keywords.get("data") in ("predictions", "probabilities"):
            said.add("cases-of-few-datasets")
        if several and normal and n < 30:
            said.add("few-datasets-for-t")  # Demšar (2006), section 3.1.2: from about 30 datasets on
        yield Situation(
            datasets="several" if several else "one",
            classifiers="two" if k == 2 else "more",
            seen=seen,
            compared=compared,
            pairs="control" if control else "all",
            normal="yes" if normal else "no",
            warned=frozenset(said),
            keywords={"n_datasets": n, "n_classifiers": k, "control": control, "parametric": normal, **keywords},
        )


SITUATIONS = list(situations())
# said of the size of the sample, not of the choice of the test
OF_SIZE = {"cannot-reach-alpha", "huge-sample"}


def recommended(situation: Situation) -> list[Recommendation]:
    words = situation._asdict()
    return [row for row in RECOMMENDATIONS if all(words[name] == word for name, word in row.where.items())]


def test_every_situation_has_one_recommendation_and_every_recommendation_a_situation() -> None:
    found = [recommended(situation) for situation in SITUATIONS]

    assert len(SITUATIONS) > 10_000
    assert [s.keywords for s, rows in zip(SITUATIONS, found, strict=True) if len(rows) != 1] == []
    assert {id(row) for (row,) in found} == {id(row) for row in RECOMMENDATIONS}


def possible(tests: tuple[str, ...], situation: Situation) -> set[str]:
    """Leave out tests of signs and signed ranks that cannot reach 0.05, at best 2^(1 - n) for each of m pairs."""
    n, k, control = (situation.keywords[name] for name in ("n_datasets", "n_classifiers", "control"))
    m = k * (k - 1) / 2 if control is None else k - 1
    hopeless = (
        {"sign_test", "wilcoxon_test", "pairwise_wilcoxon_test", "pairwise_sign_test"}
        if n > 1 and m * 2 ** (1 - n) > 0.05
        else set()
    )
    return set(tests) - hopeless


@pytest.mark.sampled
@pytest.mark.parametrize("row", RECOMMENDATIONS, ids=lambda row: "-".join(row.where.values()).replace(" ", "-"))
def test_advice_is_that_of_the_papers(row: Recommendation) -> None:
    """The test and what follows it, what is named besides, and the warnings: in every situation of this row."""
    wrong = []
    for situation in (s for s in SITUATIONS if row in recommended(s)):
        advice = which_test(**situation.keywords)
        said = {finding.code for finding in advice.warnings} - OF_SIZE
        missing = possible(row.instead, situation) - {other.test for other in advice.alternatives}
        if (advice.test, *advice.posthoc) != row.tests or missing or said != situation.warned:
            wrong.append((situation.keywords, advice.test, advice.posthoc, missing, said ^ situation.warned))

    assert wrong == []


def table_of(situation: Situation) -> pd.DataFrame:
    """Return a long table of such an experiment: scores of datasets or of folds, or predictions of 24 cases."""
    words = situation.keywords
    rng = np.random.default_rng(len(str(words)))
    runs = [words.get(name, 1) for name in ("n_folds", "n_repeats")]
    names = ["dataset", "classifier", "repeat", "fold"]
    places = list(itertools.product(range(words["n_datasets"]), "abcdefghij"[: words["n_classifiers"]], range(runs[1])))
    if words.get("data") in ("predictions", "probabilities"):
        rows = [(f"d{d}", c, r, case % runs[0], case, case // 2 % 2) for d, c, r in places for case in range(24)]
        table = pd.DataFrame(rows, columns=[*names, "case", "y_true"])
        table["y_score"] = rng.random(len(table))
        table["y_pred"] = (table["y_score"] > 0.5).astype(int)
        return table
    rows = [(f"d{d}", c, r, fold, rng.random()) for d, c, r in places for fold in range(runs[0])]
    table = pd.DataFrame(rows, columns=[*names, "score"])
    return table if runs != [1, 1] else table.drop(columns=["repeat", "fold"])


FIRST_NAMES = {names[0] for names in METRICS.values()}
FROM_DATA = [
    s
    for s in SITUATIONS
    if s.keywords["n_datasets"] in (1, 2)
    and s.keywords["n_classifiers"] in (2, 3)
    and s.keywords.get("metric", "f1") in FIRST_NAMES
    and (s.datasets == "one" or s.keywords.get("n_repeats", 1) < 10)
]
# said of the values, or of the names of rows
OF_VALUES = {*OF_SIZE, "not-normal", "many-ties"}


@pytest.mark.sampled
@pytest.mark.parametrize("classifiers", ["two", "more"])
@pytest.mark.parametrize("datasets", ["one", "several"])
def test_advice_read_from_data_is_that_of_the_papers(datasets: str, classifiers: str) -> None:
    """The same table, where nobody describes the experiment: the data show it."""
    wrong = []
    for situation in (s for s in FROM_DATA if (s.datasets, s.classifiers) == (datasets, classifiers)):
        given = {n: v for n, v in situation.keywords.items() if n in ("control", "parametric", "metric", "data")}
        if given.get("data") == "folds":
            del given["data"]
        advice = which_test(table_of(situation), **given)
        (row,) = recommended(situation)
        said = {finding.code for finding in advice.warnings} - OF_VALUES
        if (advice.test, *advice.posthoc) != row.tests or said != situation.warned:
            wrong.append((situation.keywords, advice.test, advice.posthoc, said ^ situation.warned))

    assert wrong == []
