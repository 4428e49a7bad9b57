"""The Bradley-Terry model of battles: 18 battles on six prompts, with the values of statsmodels, sandwich and more."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm

from evalstats import InvalidValueError
from evalstats.multiple import bradley_terry_from_battles, bradley_terry_from_counts, bradley_terry_model

WORDS = {"1": "model_a", "2": "model_b", "t": "tie", "b": "both_bad"}
BATTLES = [
    (f"p{prompt}", *battle)
    for prompt, row in enumerate(
        ["AB1 AC1 BC2", "BA2 CA1 CBt", "AB1 ACt BC1", "AB2 CA2 BC1", "AB1 AC1 CBb", "BA1 AC1 BC2"], start=1
    )
    for battle in row.split()
]
PROMPT, A, B, WINNER = (list(column) for column in zip(*BATTLES, strict=True))
WINNER = [WORDS[word] for word in WINNER]
OUTCOME = np.array([{"model_a": 1.0, "model_b": 0.0}.get(word, 0.5) for word in WINNER])
ANNOTATOR = ["u1", "u2", "u3"] * 6
LENGTH = np.array([3.0, -1, 2, 5, -2, 1, 4, -3, 2, -1, 6, -2, 1, 2, -4, 3, 2, -1])


def fit(**choices: Any) -> Any:
    return bradley_terry_from_battles(A, B, WINNER, **choices)


def from_first(result: Any) -> np.ndarray:
    return np.concatenate([(result.estimate - result.estimate[0])[1:], result.differences_standard_error[0, 1:]])


def design() -> np.ndarray:
    rows = np.array([[(a == m) - (b == m) for m in "ABC"] for a, b in zip(A, B, strict=True)], dtype=float)
    return rows[:, 1:]


def test_strengths_by_hand() -> None:
    """Three wins of four: the log-odds are log 3, half of it for each model."""
    result = bradley_terry_from_battles(["x"] * 4, ["y"] * 4, [1, 1, 1, 0])

    assert result.estimate == pytest.approx([math.log(3) / 2, -math.log(3) / 2], rel=1e-12)
    assert result.differences_standard_error[0, 1] == pytest.approx(math.sqrt(1 / 3 + 1), rel=1e-12)
    assert result.win_probabilities[0, 1] == pytest.approx(0.75, rel=1e-12)


@pytest.mark.parametrize(
    ("choices", "errors"),
    [
        ({"covariance": "model"}, [0.718454530, 0.726508814]),
        ({}, [0.694171715729, 0.642908921548]),
        ({"clusters": PROMPT, "small_sample": "cr0"}, [0.604458821250, 0.443307418085]),
        ({"clusters": PROMPT}, [0.662151462963, 0.485618945589]),
        # at the default epsilon, clubSandwich 0.5.8 has .662005399 and .485480211
        ({"clusters": PROMPT, "small_sample": "cr2"}, [0.662005578, 0.485480369]),
    ],
)
def test_standard_errors_are_those_of_r(choices: dict[str, Any], errors: list[float]) -> None:
    """Values of R: sandwich (vcovHC, vcovCL) and clubSandwich (CR2) on glm(quasibinomial) with epsilon 1e-15."""
    result = fit(**choices)

    assert from_first(result) == pytest.approx([-0.829004985771, -0.947053208408, *errors], abs=2e-9)


def test_covariance_and_mean_zero_errors_are_those_of_r() -> None:
    clustered = fit(clusters=PROMPT, small_sample="cr0")
    to_first = np.array([[-1, 1, 0], [-1, 0, 1]])

    assert (to_first @ clustered.covariance @ to_first.T)[0, 1] == pytest.approx(0.10855467, abs=1e-8)
    assert fit().standard_error == pytest.approx([0.40034275, 0.37212664, 0.34004520], abs=1e-8)


def test_degrees_of_freedom_of_satterthwaite_are_those_of_club_sandwich() -> None:
    result = fit(clusters=PROMPT, small_sample="cr2")

    assert result.differences_df[0, 1:] == pytest.approx([5, 5], abs=1e-4)
    assert fit(clusters=PROMPT).df == 5


def test_position_is_that_of_r() -> None:
    result = fit(position=True, clusters=PROMPT, small_sample="cr0")

    assert result.terms == ("position",)
    assert result.coefficients == pytest.approx([0.4414677488], abs=1e-9)
    assert result.coefficients_standard_error == pytest.approx([0.305324192], abs=1e-8)
    assert from_first(result)[:2] == pytest.approx([-0.7660745564, -0.7822685710], abs=1e-9)


def test_davidson_model_of_the_same_battles_is_that_of_psychotools() -> None:
    """The values are of psychotools 0.7-2, btmodel(type = "loglin", undecided = TRUE)."""
    n_wins, n_ties = np.zeros((2, 3, 3), dtype=int)
    for a, b, y in zip(A, B, OUTCOME, strict=True):
        i, j = "ABC".index(a), "ABC".index(b)
        table, i, j = (n_ties, i, j) if y == 0.5 else (n_wins, i, j) if y == 1 else (n_wins, j, i)
        table[i, j] += 1
    result = bradley_terry_from_counts(n_wins, n_ties=n_ties + n_ties.T)

    assert (result.estimate - result.estimate[0])[1:] == pytest.approx([-1.016987540791, -1.161695148957], abs=1e-10)
    assert math.log(result.tie_parameter or 0) == pytest.approx(-0.822251690, abs=1e-8)
    assert result.log_likelihood == pytest.approx(-17.1868118662, abs=1e-9)


@pytest.mark.parametrize("clusters", [None, PROMPT])
@pytest.mark.parametrize("position", [False, True])
def test_fit_with_covariates_is_that_of_statsmodels(clusters: Any, *, position: bool) -> None:
    columns = [design(), np.ones((18, 1)) if position else np.zeros((18, 0))]
    columns.append((LENGTH / math.sqrt((LENGTH**2).mean()))[:, None])
    model = sm.GLM(OUTCOME, np.hstack(columns), family=sm.families.Binomial())
    how = {"cov_type": "HC0"}
    if clusters is not None:
        codes = np.unique(clusters, return_inverse=True)[1]
        how = {"cov_type": "cluster", "cov_kwds": {"groups": codes, "use_correction": False}}
    expected = model.fit(tol=1e-14, **how)

    result = fit(covariates={"length": LENGTH}, clusters=clusters, small_sample="cr0", position=position)

    found = [*from_first(result)[:2], *result.coefficients]
    errors = [*result.differences_standard_error[0, 1:], *result.coefficients_standard_error]
    assert found == pytest.approx(expected.params, abs=1e-9)
    assert errors == pytest.approx(expected.bse, rel=1e-8)


def test_two_clusterings_are_the_sum_of_both_minus_that_of_their_intersection() -> None:
    """Cameron, Gelbach & Miller (2011), eq. 2.11: here each battle is an intersection of its own."""
    both = fit(clusters=(PROMPT, ANNOTATOR), small_sample="cr0")
    expected = sum(fit(clusters=one, small_sample="cr0").covariance for one in (PROMPT, ANNOTATOR)) - fit().covariance
    values, vectors = np.linalg.eigh(expected)
    clipped = (vectors * np.maximum(values, 0)) @ vectors.T

    assert both.covariance == pytest.approx(clipped, abs=1e-12)
    assert both.is_clipped == bool(values[0] < -1e-12)
    assert both.n_clusters == (6, 3)
    assert fit(clusters=(PROMPT, ANNOTATOR)).df == 2


def test_clusters_of_one_battle_are_independent_battles() -> None:
    alone = fit(clusters=list(range(18)), small_sample="cr0")

    assert alone.covariance == pytest.approx(fit().covariance, abs=1e-14)


def test_naming_the_models_the_other_way_round_changes_nothing() -> None:
    other = {"model_a": "model_b", "model_b": "model_a"}
    swapped = [at % 3 == 0 for at in range(18)]
    a = [y if s else x for x, y, s in zip(A, B, swapped, strict=True)]
    b = [x if s else y for x, y, s in zip(A, B, swapped, strict=True)]
    winner = [other.get(w, w) if s else w for w, s in zip(WINNER, swapped, strict=True)]
    length = np.where(swapped, -LENGTH, LENGTH)

    result = bradley_terry_from_battles(a, b, winner, clusters=PROMPT, covariates={"length": length})

    expected = fit(clusters=PROMPT, covariates={"length": LENGTH})
    assert result.estimate == pytest.approx(expected.estimate, abs=1e-12)
    assert result.covariance == pytest.approx(expected.covariance, abs=1e-12)
    centered = bradley_terry_from_battles(a, b, winner, covariates={"length": length}, center=True)
    # the choice of FastChat lacks this property
    assert np.abs(centered.estimate - fit(covariates={"length": LENGTH}, center=True).estimate).max() > 0.01


def test_weights_of_two_are_every_battle_twice() -> None:
    """The estimates are the same, and the robust covariance, because the same battle is not a second one."""
    weighted, clustered = fit(weight=[2] * 18), fit()
    double = bradley_terry_from_battles(A * 2, B * 2, WINNER * 2, clusters=list(range(18)) * 2, small_sample="cr0")

    assert weighted.estimate == pytest.approx(clustered.estimate, abs=1e-12)
    assert weighted.covariance == pytest.approx(clustered.covariance, abs=1e-12)
    assert double.covariance == pytest.approx(clustered.covariance, abs=1e-12)


def test_table_of_datasets_clustered_by_dataset_is_the_model_of_the_table() -> None:
    """One dataset gives all comparisons of its classifiers at once, so it is the cluster."""
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(12, 4)).round(1)
    first, second = np.triu_indices(4, 1)
    outcome = (1 + np.sign(scores[:, first] - scores[:, second])) / 2
    a, b = np.tile(first, 12), np.tile(second, 12)
    result = bradley_terry_from_battles(a, b, outcome.ravel(), clusters=np.repeat(np.arange(12), len(first)))

    expected = bradley_terry_model(scores, ties="split")
    assert result.estimate == pytest.approx(expected.estimate, abs=1e-9)
    assert result.covariance == pytest.approx(expected.covariance, abs=1e-9)


def test_win_rates_and_counts() -> None:
    result = fit()

    assert (result.n_battles, result.n_ties, result.n_both_bad) == (18, 3, 1)
    assert result.battles_of_model.tolist() == [12, 12, 12]
    assert result.win_totals.sum() == 18
    assert result.win_rates[0, 1] + result.win_rates[1, 0] == pytest.approx(1)
    # maximum likelihood: the expected number of wins of each model is the observed one
    expected = np.nansum(result.win_probabilities * (result.win_totals + result.win_totals.T), axis=1)
    assert result.win_totals.sum(axis=1) == pytest.approx(expected, rel=1e-10)
    assert result.elo()[0] - result.elo()[1] == pytest.approx(400 / math.log(10) * 0.829004985771, rel=1e-9)


def test_bootstrap_of_clusters_agrees_with_the_formula_for_many_clusters() -> None:
    rng = np.random.default_rng(5)
    a = rng.integers(0, 4, 4000)
    b = (a + rng.integers(1, 4, 4000)) % 4
    cluster = np.arange(4000) // 8
    outcome = (rng.random(500)[cluster] * 0.5 + rng.random(4000) * 0.5 < 0.5 + 0.1 * (b - a)).astype(float)
    drawn = bradley_terry_from_battles(a, b, outcome, clusters=cluster, covariance="bootstrap", n_resamples=400, rng=1)

    expected = bradley_terry_from_battles(a, b, outcome, clusters=cluster)
    assert drawn.standard_error == pytest.approx(expected.standard_error, rel=0.12)
    assert drawn.confidence_interval().low == pytest.approx(expected.confidence_interval().low, abs=0.03)
    assert (drawn.n_infinite, drawn.n_resamples, drawn.seed) == (0, 400, 1)


def test_bootstrap_sample_without_a_link_is_infinite_and_counted() -> None:
    drawn = fit(clusters=PROMPT, covariance="bootstrap", n_resamples=200)
    few = bradley_terry_from_battles(
        ["x", "x", "x", "y"], ["y"] * 3 + ["x"], [1, 1, 1, 1], covariance="bootstrap", n_resamples=300
    )

    assert drawn.n_infinite is not None
    assert few.n_infinite > 50
    assert few.confidence_interval().high[0] == math.inf


def test_groups_without_a_battle_between_them_are_named() -> None:
    result = bradley_terry_from_battles(["A", "B", "C", "D"], ["B", "A", "D", "C"], [1, 1, 1, 1])

    assert result.reason == (
        "the models form 2 groups that no battle connects ('A', 'B'; 'C', 'D'), so strengths of different "
        "groups cannot be compared"
    )


def test_model_that_never_lost_is_infinitely_strong() -> None:
    result = bradley_terry_from_battles(["A", "A", "B", "C"], ["B", "C", "C", "B"], [1, 1, 1, 1])

    assert result.estimate.tolist() == [math.inf, 0, 0]
    assert result.reason == "'A' never lost or tied against the other models, so these strengths are infinite"
    assert np.isnan(result.standard_error[0])


def test_one_cluster_has_no_standard_error() -> None:
    result = fit(clusters=["p"] * 18)

    assert np.isnan(result.standard_error).all()
    assert result.reason == "all battles belong to one cluster, so the strengths have no standard error"


def test_position_that_explains_everything_is_a_reason() -> None:
    result = bradley_terry_from_battles(["A", "B", "A", "B"], ["B", "A", "B", "A"], [1, 1, 1, 1], position=True)

    assert np.isnan(result.estimate).all()
    assert "position" in (result.reason or "")


@pytest.mark.parametrize(
    ("winner", "message"),
    [
        (
            ["modela", *WINNER[1:]],
            "winner must be 'model_a', 'model_b', 'tie' or 'both_bad', but winner[0] is 'modela'",
        ),
        ([1.5, *OUTCOME[1:]], "winner must be words, or outcomes of model a from 0 to 1, but winner[0] is 1.5"),
        (["tie"], "winner must have one value for each of the 18 battles, but its shape is (1,)"),
    ],
)
def test_unknown_winner_is_refused(winner: Any, message: str) -> None:
    """arena-rank counts every other word as a tie without a message."""
    with pytest.raises(InvalidValueError) as error:
        bradley_terry_from_battles(A, B, winner)

    assert str(error.value) == message


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"weight": [0.0] * 18}, "weight must be positive and finite, but weight[0] is 0"),
        (
            {"covariates": {"length": [2.0] * 18}},
            "covariate 'length' is the same in all battles, so its effect cannot be estimated",
        ),
        (
            {"clusters": (PROMPT, PROMPT, PROMPT)},
            "clusters must be one clustering or a tuple of two, but there are 3 clusterings",
        ),
        (
            {"clusters": (PROMPT, ANNOTATOR), "small_sample": "cr2"},
            "CR2 is available for only one clustering; for two clusterings, use small_sample='cr1'",
        ),
        (
            {"clusters": PROMPT[:3]},
            "clusters must name a cluster for each of the 18 battles, but the number of values is 3",
        ),
        ({"models": ["A", "B"]}, "models must name all models of the battles, but 'C' is missing"),
    ],
)
def test_wrong_choice_is_refused(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidValueError) as error:
        fit(**choices)

    assert str(error.value) == message


def test_model_against_itself_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="must be different models, but both are 'A' in battle 1"):
        bradley_terry_from_battles(["A", "A"], ["B", "A"], [1, 0])
