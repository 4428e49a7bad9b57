"""Runs with other seeds on one training and test set: how they are read, which test they have, what is said of it."""

from __future__ import annotations

import io

import numpy as np
import pytest

from evalstats import compare, paired_ttest, report, which_test
from evalstats.pairwise import pairwise_paired_ttest

A, B, C = [0.91, 0.92, 0.915, 0.93, 0.92], [0.90, 0.905, 0.91, 0.912, 0.9], [0.8, 0.82, 0.81, 0.83, 0.8]
SOURCES = {
    "long": {"model": ["A"] * 5 + ["B"] * 5, "seed": [*range(5)] * 2, "acc": A + B},
    "wide": {"seed": [*range(5)], "A": A, "B": B},
    "turned": {"model": ["A", "B"], **{f"seed_{i}": [A[i], B[i]] for i in range(5)}},
}


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("is_file", [False, True])
def test_five_seeds_of_two_models_have_the_paired_t_test(name: str, is_file: bool) -> None:
    import pandas as pd

    frame = pd.DataFrame(SOURCES[name])
    comparison = compare(io.StringIO(frame.to_csv(index=False)) if is_file else frame)

    (pair,) = comparison.pairs
    assert (comparison.design, comparison.pair_test) == ("runs", "paired_ttest")
    assert (comparison.n_repeats, comparison.n_folds) == (5, 1)
    assert pair.pvalue == paired_ttest(A, B).pvalue
    assert (pair.n_wins, pair.n_ties, pair.n_losses) == (5, 0, 0)


def test_pairs_of_three_models_are_adjusted() -> None:
    comparison = compare({"seed": [*range(5)], "A": A, "B": B, "C": C})

    expected = pairwise_paired_ttest(np.array([A, B, C]).T)
    assert comparison.pair("A", "B").pvalue == expected.pvalue[0, 1]
    assert comparison.adjustment == "holm"


def test_report_says_what_a_seed_varies_and_what_it_does_not() -> None:
    said = " ".join(report.text(compare(SOURCES["wide"])).split())

    assert "Read 5 runs of 2 classifiers on one dataset; none left out." in said
    assert "This verdict is about repeated training on this dataset with different seeds" in said
    assert (
        "If the seed also determined the split, the test sets and training sets of the runs overlap and the test "
        "rejects too often" in said
    )
    assert "cross-validation" not in said


def test_sizes_of_splits_lead_to_the_corrected_test() -> None:
    sizes = {"n_train": [90] * 5, "n_test": [10] * 5}

    assert compare({"seed": [*range(5)], **sizes, "A": A, "B": B}).pair_test == "corrected_ttest"


def test_runs_that_do_not_vary_have_no_p_value() -> None:
    comparison = compare({"seed": [1, 2, 3], "A": [0.75] * 3, "B": [0.5] * 3})

    assert not comparison.different.any()
    assert np.isnan(comparison.pairs[0].pvalue)


def test_advice_on_runs_is_the_test_that_compare_makes() -> None:
    assert which_test(n_classifiers=2, n_repeats=5, data="runs").test == "paired_ttest"
    assert which_test(SOURCES["wide"]).design.data == "runs"


@pytest.mark.parametrize("told", [{}, {"n_repeats": 5, "n_folds": 2}])
def test_runs_are_described_by_their_number_alone(told: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="data 'runs' requires n_repeats, the number of runs, and accepts no n_folds"):
        which_test(n_classifiers=2, data="runs", **told)


def test_margins_and_posteriors_take_runs_for_independent() -> None:
    comparison = compare(SOURCES["wide"], margin=0.05, rope=0.01)

    assert comparison.margins is not None
    assert comparison.posteriors is not None


def test_predictions_of_repeats_without_sizes_are_not_sent_to_an_argument_for_scores() -> None:
    n = 20
    rows: dict[str, list[object]] = {
        "classifier": ["A"] * 2 * n + ["B"] * 2 * n,
        "repeat": [*[1] * n, *[2] * n] * 2,
        "case": [*range(n)] * 4,
        "y_true": [i % 2 for i in range(n)] * 4,
        "y_pred": [*[i % 2 for i in range(2 * n)], *[i % 3 % 2 for i in range(2 * n)]],
    }

    with pytest.raises(ValueError, match=r"2 repeats of one split each: .* needs the columns n_train and n_test"):
        compare(rows)


def predictions_of_seeds(seeds: tuple[tuple[int, ...], ...], name: str = "id") -> dict[str, list[object]]:
    """Return the predictions of A and B for 30 instances with the seeds of each; A is right more often."""
    rows = [
        (seed, model, case, case % 2, (case + (7 * case * case + 3 * seed) % 11 // (8 - 3 * (model == "B"))) % 2)
        for model, own in zip("AB", seeds, strict=True)
        for seed in own
        for case in range(30)
    ]
    return dict(zip(("seed", "model", name, "label", "prediction"), map(list, zip(*rows, strict=True)), strict=True))


@pytest.mark.parametrize("name", ["id", "row_id"])
def test_predictions_of_several_seeds_are_runs_and_not_more_instances(name: str) -> None:
    rows = predictions_of_seeds(((1, 2, 3), (1, 2, 3)), name)
    right = np.equal(rows["label"], rows["prediction"]).reshape(2, 3, 30).mean(axis=2)

    comparison = compare(rows)
    assert (comparison.design, comparison.pair_test, comparison.n_repeats) == ("runs", "paired_ttest", 3)
    assert comparison.pairs[0].pvalue == pytest.approx(paired_ttest(*right).pvalue)
    assert "Read 30 instances" in report.text(comparison)


def test_predictions_with_one_seed_for_each_model_are_paired_by_instance() -> None:
    comparison = compare(predictions_of_seeds(((1,), (2,))))

    assert (comparison.design, comparison.pair_test) == ("instances", "mcnemar_test")


def test_predictions_of_seeds_that_draw_other_instances_are_no_runs_on_one_split() -> None:
    rows = predictions_of_seeds(((1, 2), (1, 2)))
    rows["id"] = [100 * seed + case for seed, case in zip(rows["seed"], rows["id"], strict=True)]

    with pytest.raises(ValueError, match="2 repeats of one split each"):
        compare(rows)
