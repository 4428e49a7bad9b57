"""Differences of two models at equal covariates: values of R's gee and clubSandwich, and refusals by name."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from evalstats import report
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.comparison import adjusted_difference

ROWS = np.array(
    [
        *([1, 0, 0.2, 1], [1, 1, 0.9, 1], [1, 1, 0.7, 1], [2, 0, 0.5, 0], [2, 0, 0.4, 1], [2, 1, 0.6, 1]),
        *([3, 0, 0.1, 0], [3, 1, 0.8, 0], [4, 0, 0.3, 0], [4, 1, 0.3, 1], [4, 1, 0.5, 0], [5, 0, 0.9, 1]),
        *([5, 1, 0.2, 1], [6, 0, 0.6, 0], [6, 0, 0.2, 1], [6, 1, 0.4, 0], [7, 0, 0.7, 1], [7, 1, 0.1, 1]),
        *([8, 0, 0.4, 0], [8, 1, 0.5, 1]),
    ]
)
QUESTION, NEW, LENGTH, CORRECT = ROWS.T
MODEL = np.where(NEW == 1, "new", "old")


def fit(**options):
    return adjusted_difference(CORRECT, MODEL, QUESTION, {"length": LENGTH}, baseline="old", **options)


def test_exchangeable_fit_is_that_of_gee() -> None:
    """R's gee 4.13-25: coefficients and the correlation."""
    result = fit()

    assert result.coefficient == pytest.approx([0.10342411, 0.83397390, -0.19878918], abs=1e-8)
    assert result.correlation == pytest.approx(0.12712664, abs=1e-8)
    assert (result.n_clusters, result.n_rows) == (8, 20)


def test_independent_fit_is_that_of_club_sandwich() -> None:
    """R's clubSandwich 0.5.8: CR3."""
    result = fit(working_correlation="independence")

    assert result.coefficient_standard_error == pytest.approx([0.48810110, 0.59406851, 1.10067458], rel=1e-6)
    assert (result.df, result.correlation) == (5.0, 0.0)


def test_difference_and_its_error_are_those_of_the_definition() -> None:
    """The mean over questions of the difference of predictions, and a numerical gradient for the delta method."""
    result = fit()

    def difference(beta):
        linear = beta[0] + beta[2] * LENGTH
        apart = 1 / (1 + np.exp(-linear - beta[1])) - 1 / (1 + np.exp(-linear))
        return np.mean([apart[question == QUESTION].mean() for question in np.unique(QUESTION)])

    step = 1e-6
    gradient = np.array(
        [
            (difference(result.coefficient + step * unit) - difference(result.coefficient - step * unit)) / (2 * step)
            for unit in np.eye(3)
        ]
    )
    assert result.estimate == pytest.approx(difference(result.coefficient), rel=1e-12)
    assert result.standard_error == pytest.approx(np.sqrt(gradient @ result._covariance @ gradient), rel=1e-7)


def test_other_scores_have_the_identity_link() -> None:
    """Balanced scores: the coefficient of the model is the difference of means, whatever the covariate is."""
    rng = np.random.default_rng(1)
    question, model = np.tile(np.arange(30), 2), np.repeat(["a", "b"], 30)
    score, language = rng.random(60), np.tile(rng.choice(["de", "en", "fr"], 30), 2)

    result = adjusted_difference(score, model, question, {"language": language})

    assert result.family == "gaussian"
    assert result.estimate == pytest.approx(score[30:].mean() - score[:30].mean(), rel=1e-9)
    assert result.coefficients == ("constant", "model b", "language = en", "language = fr")
    assert result.reason.startswith("both models answered every question")
    with pytest.raises(InvalidValueError, match="an odds ratio requires scores of 0 and 1"):
        result.odds_ratio_interval()


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_unit_of_the_scores_changes_nothing(unit: float) -> None:
    """The iterations end at rounding errors of the scores, not at a number in their unit."""
    rng = np.random.default_rng(1)
    kept = np.r_[:71]  # some questions have one answer, so the correlation changes the difference
    question, model = np.tile(np.arange(40), 2)[kept], np.repeat(["a", "b"], 40)[kept]
    score, covariates = rng.random(80)[kept], {"length": np.tile(rng.integers(0, 200, 40), 2)[kept]}

    one, other = (adjusted_difference(score * by, model, question, covariates) for by in (1, unit))

    assert other.estimate == pytest.approx(one.estimate * unit, rel=1e-11)
    assert other.standard_error == pytest.approx(one.standard_error * unit, rel=1e-11)
    assert other.correlation == pytest.approx(one.correlation, rel=1e-11)


def test_swapping_the_models_mirrors_the_difference() -> None:
    one = fit()
    other = adjusted_difference(CORRECT, MODEL, QUESTION, {"length": LENGTH}, baseline="new")

    assert other.estimate == pytest.approx(-one.estimate, rel=1e-6)
    assert other.pvalue == pytest.approx(one.pvalue, rel=1e-6)
    assert (other.baseline, other.candidate) == ("new", "old")


def test_order_of_rows_does_not_matter() -> None:
    order = np.random.default_rng(2).permutation(20)
    moved = adjusted_difference(
        CORRECT[order], MODEL[order], QUESTION[order], {"length": LENGTH[order]}, baseline="old"
    )

    assert moved.estimate == pytest.approx(fit().estimate, rel=1e-10)
    assert moved.coefficient_standard_error == pytest.approx(fit().coefficient_standard_error, rel=1e-8)


@pytest.mark.long
def test_interval_covers_the_true_difference() -> None:
    """Models that answered different questions, of which those of one are longer: 400 experiments of 60 questions."""
    rng = np.random.default_rng(7)
    n_covered = 0
    for _ in range(400):
        new = np.repeat([0, 1], 30)
        length = rng.normal(size=60) + 0.8 * new
        correct = rng.random(60) < 1 / (1 + np.exp(-(0.2 + 0.6 * new - 0.7 * length)))
        result = adjusted_difference(correct * 1, new, np.arange(60), {"length": length}, baseline="0")
        truth = np.mean(1 / (1 + np.exp(-(0.8 - 0.7 * length))) - 1 / (1 + np.exp(-(0.2 - 0.7 * length))))
        low, high = result.confidence_interval()
        n_covered += low <= truth <= high

    assert 0.91 < n_covered / 400 < 0.98


def test_report_says_whether_a_difference_is_shown() -> None:
    told = report.sentence(fit())

    assert told.startswith(
        "At equal length, the difference in correct answers, new minus old, is 19.7 points (95 % interval −18.0 to "
        "57.3): no significant difference at the level 0.05"
    )


def test_interval_in_the_report_has_the_sign_of_the_difference() -> None:
    other = adjusted_difference(CORRECT, MODEL, QUESTION, {"length": LENGTH}, baseline="new")

    told = report.sentence(other)

    assert "old minus new, is −19.7 points (95 % interval −57.3 to 18.0)" in told


def varied(**columns):
    given = {"score": CORRECT, "model": MODEL, "question": QUESTION, "covariates": {"length": LENGTH}} | columns
    return adjusted_difference(*given.values())


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"covariates": {"length": LENGTH, "size": 2 * LENGTH + 1}}, "the covariate 'size' is a combination of"),
        ({"covariates": {"length": np.ones(20)}}, r"covariates\['length'\] must vary, but all its values are equal"),
        ({"covariates": {"solved": np.where(CORRECT == 1, "yes", "no")}}, "solved = yes.*separates correct from"),
        ({"question": QUESTION // 2}, "must hold 8 questions or more for 3 coefficients, not 5"),
        ({"model": QUESTION}, "model must hold two names, but it holds"),
        ({"model": MODEL[:5]}, "model must have one value for each of the 20 rows"),
        ({"covariates": {"length": np.where(LENGTH > 0.8, np.nan, LENGTH)}}, "must be finite"),
        ({"score": np.ones(20)}, "score must vary, but all its values are 1"),
    ],
)
def test_faults_are_named(columns: dict, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        varied(**columns)


def test_wrong_types_are_named() -> None:
    with pytest.raises(InvalidTypeError, match="covariates must be a dict of one or more arrays"):
        varied(covariates={})


def test_missing_statsmodels_is_one_sentence(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "statsmodels.genmod.generalized_estimating_equations", None)

    with pytest.raises(ImportError, match=r'requires statsmodels: pip install "classifier-evalstats\[models\]"'):
        fit()


def test_iterations_that_diverge_are_refused() -> None:
    """They end at huge coefficients without a variance, although nothing separates the answers."""
    rng = np.random.default_rng(148)
    question, model = np.repeat(np.arange(12), 2), np.tile(["old", "new"], 12)
    kept = rng.random(24) < 0.8
    length, correct = np.repeat(rng.standard_normal(12).round(1), 2), rng.random(24) < 0.7

    with pytest.raises(InvalidValueError, match="the estimating equations have no solution"):
        adjusted_difference(correct[kept] * 1.0, model[kept], question[kept], {"length": length[kept]})
