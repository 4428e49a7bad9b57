"""The methods paragraph names the laws, the ties and the sources of what was done."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from evalstats import Comparison, compare
from evalstats.report import document
from evalstats.report.blocks import Cite, Paragraph


def test_citations_stand_in_order_of_appearance(section, named: Callable[[str], Comparison]) -> None:
    report = document(named("all pairs: rejects, no pair differs"))
    methods = section(report, "methods").blocks[0]
    assert isinstance(methods, Paragraph)

    cited = [key for item in methods.content if isinstance(item, Cite) for key in item.keys]

    assert cited == ["demsar2006", "friedman1937", "iman1980", "nemenyi1963", "kerby2014", "hodges1963"]
    assert report.cited[:2] == ("garcia2008", "benavoli2016")


@pytest.mark.parametrize(
    ("method", "law", "beside", "absent"),
    [
        ("exact", "exact permutation distribution", "its χ² and F forms", "nothing"),
        ("chi2", "with its χ² approximation", "its F form", "the χ² approximation gives"),
        ("f", "in its F form", "its χ² form", "the F form of Iman and Davenport gives"),
        ("monte-carlo", "random permutations", "its χ² and F forms", "nothing"),
    ],
)
def test_methods_name_the_law_that_was_used(
    section, said, named: Callable[[str], Comparison], method: str, law: str, beside: str, absent: str
) -> None:
    report = document(compare(named("all pairs: some differ").table, method=method, rng=1))

    assert law in said(section(report, "methods"))
    assert beside in said(section(report, "methods"))
    assert absent not in said(section(report, "omnibus"))


@pytest.mark.parametrize(
    ("n_datasets", "posthoc", "control", "law"),
    [
        (6, "max-t", None, ", with the exact joint distribution of all comparisons."),
        (16, "max-t", "2", "under 99 random sign assignments with the seed 5."),
        (16, "max-t-means", "2", "under 99 random sign assignments with the seed 5."),
        (16, "romano-wolf", "2", "under 99 bootstrap resamples with the seed 5."),
        (16, "range", None, "under 99 random permutations with the seed 5"),
        (8, "steel", "2", ", with the exact joint distribution of all comparisons."),
        (40, "steel", "2", "under 99 random permutations with the seed 5."),
        (120, "steel", "2", "with the joint normal approximation of all comparisons."),
    ],
)
def test_methods_name_the_joint_distribution(
    section, said, n_datasets: int, posthoc: str, control: str | None, law: str
) -> None:
    scores = np.random.default_rng(1).random((n_datasets, 6))
    table = pd.DataFrame(scores, columns=list("123456"), index=[f"d{i}" for i in range(n_datasets)])
    report = document(compare(table, posthoc=posthoc, control=control, n_resamples=99, rng=5))

    assert law in said(section(report, "methods")).replace(" ,", ",").replace("  ", " ").replace(" .", ".")
    assert {
        "max-t": "westfall1993",
        "max-t-means": "romano2005",
        "romano-wolf": "romano2016",
        "steel": "steel1959",
        "range": "carterette2012",
    }[posthoc] in report.cited


def test_ties_are_explained(said, named: Callable[[str], Comparison]) -> None:
    scores = named("two: not rejected").table
    rounded, bits = document(compare(scores)), document(compare(scores, tie_tolerance=0))

    assert "Scores that agree to 12 significant digits counted as ties." in said(rounded)
    assert "Scores counted as ties only if they were identical to the last bit." in said(bits)


def test_tests_of_means_are_not_said_to_rank(section, said) -> None:
    scores = np.random.default_rng(1).random((12, 4))
    told = " ".join(said(section(document(compare(scores, posthoc="tukey")), "methods")).split())

    assert "were compared by their means." in told
    assert "tests on ranks" not in told


def test_what_was_not_adjusted_was_not_adjusted_by_no_method(section, said) -> None:
    rng = np.random.default_rng(1)
    rows = {"classifier": ["a"] * 60 + ["b"] * 60 + ["c"] * 60, "row": [*range(60)] * 3, "y_true": [0, 1] * 90}
    compared = compare(rows | {"y_pred": rng.integers(0, 2, 180)}, adjust="none")

    assert "with p-values not adjusted." in said(section(document(compared), "methods"))


def test_margin_and_rope_have_their_methods(section, said, named: Callable[[str], Comparison]) -> None:
    """What is asked beside the test is said in the methods too."""
    table = named("all pairs: some differ").table
    text = said(section(document(compare(table, margin=0.02, rope=0.01)), "methods"))

    assert "worse than its reference by the margin of 0.02 or more" in text
    assert "within 0.01 of each other. The Bayesian signed-rank test" in text
    assert "margin" not in said(section(document(compare(table)), "methods"))


def test_models_on_benchmarks_have_the_methods_of_both_samples(section, said) -> None:
    """The questions are one sample, the benchmarks another one."""
    rng = np.random.default_rng(0)
    rows = [
        (benchmark, model, question, int(rng.random() < share))
        for benchmark in "abcdef"
        for model, share in (("one", 0.5), ("two", 0.6), ("three", 0.9))
        for question in range(20)
    ]
    names = ("benchmark", "model", "question_id", "correct")
    text = said(section(document(compare(pd.DataFrame(rows, columns=names))), "methods"))

    assert "With the benchmarks as the sample: the scores (accuracy, higher is better) of 3 models on 6 bench" in text
    assert "they were ranked on each benchmark" in text
    assert "classifier" not in text
    assert "dataset" not in text
    assert text.count("All numbers were computed with evalstats") == 1
