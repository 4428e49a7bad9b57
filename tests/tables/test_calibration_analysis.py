"""`analyze_calibration` tests the probabilities of each classifier, and compares all pairs by proper scores."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import compare, read_predictions, report
from evalstats.metrics import expected_calibration_error
from evalstats.paired import proper_score_test
from evalstats.plot import reliability_diagram
from evalstats.tables import CalibrationAnalysis, analyze_calibration

Y = [0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1]
P = [0.05, 0.1, 0.1, 0.2, 0.2, 0.3, 0.35, 0.4, 0.5, 0.55, 0.6, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.9, 0.95, 0.97]
Q = [0.1, 0.2, 0.05, 0.3, 0.1, 0.5, 0.2, 0.3, 0.4, 0.7, 0.5, 0.8, 0.6, 0.9, 0.7, 0.8, 0.8, 0.95, 0.9, 0.85]


def analyzed(**columns: list[float]) -> CalibrationAnalysis:
    return analyze_calibration(read_predictions({"y_true": Y, **columns}))


def test_comparison_that_is_not_possible_names_the_classifier() -> None:
    told = report.text(analyzed(p=[0.0 if value == 0.97 else value for value in P], q=Q)).replace("\n", " ")

    assert "p and q are not compared by the log loss: the true class has the probability 0 by p in 1 of" in told
    assert "log loss of p and q: the true class has the probability 0 by p in 1 of" in told


def test_numbers_of_rms_and_risk_regression() -> None:
    """Worked with rms 6.5-0 (val.prob) and riskRegression 2022.11.28."""
    found = analyzed(p=P, q=Q)
    p, q = found.classifiers
    brier, log_loss = found.comparisons

    assert p.recalibration.slope == pytest.approx(1.14358893, abs=1e-8)
    assert p.recalibration.pvalue == pytest.approx(0.9492107399, abs=1e-9)
    assert p.spiegelhalter.statistic == pytest.approx(-0.1846334154, abs=1e-9)
    assert (p.decomposition.brier, q.decomposition.brier) == pytest.approx((0.149295, 0.172375))
    assert p.decomposition.miscalibration == pytest.approx(0.026795)
    assert (p.log_loss, q.log_loss) == pytest.approx((0.44687751, 0.54393289), abs=1e-8)
    assert brier.test.difference == pytest.approx(-0.02308)
    assert brier.test.standard_error == pytest.approx(0.0222877611, abs=1e-9)
    assert log_loss.test.standard_error == pytest.approx(0.06717352, abs=1e-8)


def test_pairs_are_those_of_the_single_test_adjusted_for_their_number() -> None:
    found = analyzed(p=P, q=Q, r=[0.5] * 20)
    pairs = [one for one in found.comparisons if one.score == "brier"]

    assert [(one.first, one.second) for one in pairs] == [("p", "q"), ("p", "r"), ("q", "r")]
    assert pairs[1].test.pvalue == proper_score_test(Y, P, [0.5] * 20, rng=0).pvalue
    assert pairs[1].adjusted_pvalue == pytest.approx(
        min(1, 3 * min(one.test.pvalue for one in pairs)) if pairs[1].test.pvalue <= pairs[2].test.pvalue else 1
    )


def test_error_by_chance_is_the_mean_error_of_calibrated_probabilities() -> None:
    rng = np.random.default_rng(3)
    p = rng.random(300)
    errors = [expected_calibration_error((rng.random(300) < p).astype(int), p, labels=[0, 1]) for _ in range(400)]
    found = analyze_calibration(read_predictions({"y_true": (rng.random(300) < p).astype(int), "y_score": p}))

    assert found.classifiers[0].chance_calibration_error == pytest.approx(np.mean(errors), abs=0.004)


def test_probabilities_beyond_the_limits_by_rounding_are_clipped_and_the_finding_says_so() -> None:
    found = analyzed(y_score=[-1e-9, *P[1:-1], 1.0000001])

    (clipped,) = [one for one in found.findings if one.code == "clipped-probabilities"]
    assert clipped.sentence.startswith(
        "2 probabilities are outside of [0, 1] by at most 1e-07, because of rounding, and were set"
    )
    assert "2 probabilities are outside" in report.text(found)
    assert (
        found.classifiers[0].recalibration.reason
        == "the probability is 0 or 1 in 2 instances, so the logit is infinite"
    )


@pytest.mark.parametrize(
    ("columns", "choices", "message"),
    [
        ({"p": P, "q": [*Q[:-1], 1.2]}, {}, "but 'q' has 1.2 for instance 20"),
        ({"y_score": [2.5, *P[1:]]}, {}, "must hold probabilities from 0 to 1"),
        ({"y_score": P, "y_true": [*Y[:-1], 2]}, {}, "more than two labels.*pos_label"),
        ({"y_pred": Y}, {}, "calibration needs the probability of the positive class"),
        ({"y_score": P}, {"adjust": "best"}, "adjust must be"),
        ({"y_score": P}, {"alpha": 2}, "alpha"),
        ({"y_score": P}, {"n_bins": 0}, "n_bins"),
        (
            {"y_score": P, "repeat": [1] * 10 + [2] * 10, "instance": [*range(10), *range(10)], "y_true": Y[:10] * 2},
            {},
            "one prediction of each instance",
        ),
    ],
)
def test_faults_are_named(columns: dict[str, list[float]], choices: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        analyze_calibration(read_predictions({"y_true": Y, **columns}), **choices)


def test_instances_without_names_are_not_compared_and_the_finding_says_so() -> None:
    rows = {"model": ["A"] * 20 + ["B"] * 20, "y_true": Y * 2, "y_score": [*P, *Q]}

    found = analyze_calibration(read_predictions(rows))

    assert found.comparisons == ()
    assert "no column names the instances" in " ".join(report.text(found).split())


def test_infinite_log_loss_is_not_compared_and_has_a_reason() -> None:
    found = analyzed(p=P, q=[*Q[:-1], 0.0])
    text = " ".join(report.text(found).split())

    assert found.classifiers[1].log_loss == np.inf
    assert "p and q are not compared by the log loss: the true class has the probability 0" in text
    assert np.isnan(found.comparisons[1].adjusted_pvalue)


def test_report_of_calibrated_and_of_extreme_probabilities() -> None:
    rng = np.random.default_rng(1)
    risk = rng.beta(1, 2, 400)
    y = (rng.random(400) < risk).astype(int).tolist()
    extreme = risk**2 / (risk**2 + (1 - risk) ** 2)
    words = report.text(
        analyze_calibration(read_predictions({"y_true": y, "risk": risk, "extreme": extreme})), width=500
    )

    assert "The probabilities of extreme are miscalibrated: too extreme (slope 0.51" in words
    assert "No miscalibration of risk is shown with 400 instances" in words
    assert "The Brier score of risk is better than the Brier score of extreme" in words
    assert "is its mean for such probabilities" in words


def test_several_datasets_and_many_classifiers_are_counted_in_the_verdict() -> None:
    rows = [
        (d, m, i, y, p)
        for d in "de"
        for m, s in (("A", P), ("B", Q), ("C", P))
        for i, (y, p) in enumerate(zip(Y, s, strict=True))
    ]
    columns = dict(zip(("dataset", "model", "instance", "y_true", "y_score"), zip(*rows, strict=True), strict=True))

    found = analyze_calibration(read_predictions(columns))

    assert len(found.classifiers) == 6
    assert len(found.comparisons) == 12
    assert report.text(found, width=500).count("No miscalibration is shown for any of 6") == 1
    with pytest.raises(ValueError, match="curve must be an analysis of one dataset, but the analysis contains 2"):
        reliability_diagram(found)


def test_compare_adds_the_section_only_if_it_is_asked_for() -> None:
    rows = {"y_true": Y, "p": P, "q": Q}
    plain, asked = compare(rows, metric="brier"), compare(rows, metric="brier", calibration=True)

    assert plain.calibration is None
    assert "Are the probabilities calibrated?" not in report.text(plain)
    assert asked.calibration.comparisons[0].test.pvalue == analyzed(p=P, q=Q).comparisons[0].test.pvalue
    assert "No miscalibration of p is shown with 20 instances" in asked.verdict
    assert "Are the probabilities calibrated?" in report.text(asked)
    with pytest.raises(ValueError, match="calibration requires predictions with probabilities"):
        compare(np.random.default_rng(1).random((8, 3)), calibration=True)
    with pytest.raises(ValueError, match="calibration=True"):
        reliability_diagram(plain)


def test_diagram_of_one_classifier_has_a_band_and_of_two_a_key() -> None:
    one, two = reliability_diagram(analyzed(y_score=P)), reliability_diagram(analyzed(p=P, q=Q))

    assert [collection.get_label() for collection in one.collections] == ["_band"]
    assert [line.get_label() for line in two.lines if line.get_label()[0] != "_"] == ["p", "q"]
    with pytest.raises(ValueError, match="at most 8 classifiers, but the analysis contains 9"):
        reliability_diagram(analyzed(**{f"m{i}": P for i in range(9)}))
