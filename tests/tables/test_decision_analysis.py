"""`analyze_decisions` computes net benefits, and compares all pairs by net benefit and by the errors in each class."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import adjust_pvalues, read_predictions, report
from evalstats.metrics import decision_curve
from evalstats.paired import net_benefit_difference, predictive_value_test, sensitivity_specificity_test
from evalstats.plot import decision_curves
from evalstats.tables import DecisionAnalysis, TableError, analyze_decisions

RNG = np.random.default_rng(5)
SEVERITY = RNG.normal(size=120)
Y = (RNG.random(120) < 1 / (1 + np.exp(-2 * SEVERITY))).astype(int)
P, Q, R = (1 / (1 + np.exp(-(SEVERITY + noise * RNG.normal(size=120)))) for noise in (0.3, 1.0, 3.0))
LABELS = {name: (one > 0.5).astype(int) for name, one in (("p", P), ("q", Q))}
AT = [0.2, 0.4]


def analyzed(thresholds: object = None, **columns: object) -> DecisionAnalysis:
    columns = columns or {"p": P, "q": Q}
    return analyze_decisions(read_predictions({"y_true": Y, **columns}), thresholds=thresholds)


def told(found: DecisionAnalysis) -> str:
    return report.text(found).replace("\n", " ")


def test_numbers_are_those_of_the_single_functions() -> None:
    found = analyzed(AT)
    curve, (pair,) = found.curves[0].curve, found.comparisons
    expected = decision_curve(Y, [P, Q], thresholds=AT)
    difference = net_benefit_difference(Y, P, Q, thresholds=AT, rng=0)
    low, high = expected.band(rng=0)

    assert np.array_equal(curve.net_benefit, expected.net_benefit)
    assert np.array_equal(found.curves[0].low, low)
    assert np.array_equal(found.curves[0].high, high)
    assert pair.benefit is not None
    assert np.array_equal(pair.benefit.low_everywhere, difference.low_everywhere)
    assert pair.joint is pair.positive is pair.negative is None


@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_one_threshold_decides_the_classes_of_the_tests(prevalence: float | None) -> None:
    """A probability that is equal to the threshold is positive, as in the decision curve."""
    at = float(P[3])
    found = analyze_decisions(read_predictions({"y_true": Y, "p": P, "q": Q}), thresholds=at, prevalence=prevalence)
    (pair,) = found.comparisons
    x, y = at <= P, at <= Q

    assert found.threshold == at
    assert pair.joint is not None
    assert pair.joint.pvalue == sensitivity_specificity_test(Y, x, y).pvalue
    for value in ("positive", "negative"):
        test = predictive_value_test(Y, x, y, value=value, prevalence=prevalence)
        assert getattr(pair, value).ratio == test.ratio
        assert getattr(pair, f"{value}_pvalue") == test.pvalue


def test_predicted_labels_are_compared_without_probabilities() -> None:
    found = analyzed(**LABELS)
    (pair,) = found.comparisons

    assert found.curves == ()
    assert pair.benefit is None
    assert np.isnan(found.threshold)
    assert pair.joint_pvalue == sensitivity_specificity_test(Y, LABELS["p"], LABELS["q"]).pvalue
    assert "From the predicted labels." in told(found)
    with pytest.raises(ValueError, match="predicted labels do not have a decision curve"):
        decision_curves(found)


def test_labels_are_of_the_positive_class_that_was_chosen() -> None:
    words = {name: np.array(["no", "yes"])[column] for name, column in LABELS.items()}
    truth = np.array(["no", "yes"])[Y]
    found = analyze_decisions(read_predictions({"y_true": truth, **words}, pos_label="no"))
    opposite = sensitivity_specificity_test(1 - Y, 1 - LABELS["p"], 1 - LABELS["q"])

    assert found.comparisons[0].joint is not None
    assert found.comparisons[0].joint.sensitivity_x == opposite.sensitivity_x
    assert found.comparisons[0].joint_pvalue == opposite.pvalue


def test_pairs_are_adjusted_and_their_limits_are_simultaneous() -> None:
    found = analyzed(0.3, p=P, q=Q, r=R)
    own = [float(one.joint.pvalue) for one in found.comparisons if one.joint is not None]
    limits = net_benefit_difference(Y, P, R, thresholds=[0.3], confidence_level=1 - 0.05 / 3, rng=0)
    second = found.comparisons[1]

    assert [(one.first, one.second) for one in found.comparisons] == [("p", "q"), ("p", "r"), ("q", "r")]
    assert [one.joint_pvalue for one in found.comparisons] == adjust_pvalues(own, "holm").tolist()
    assert max(own) < 1
    assert second.benefit is not None
    assert np.array_equal(second.benefit.low_everywhere, limits.low_everywhere)

    alone = analyze_decisions(read_predictions({"y_true": Y, "p": P, "q": Q, "r": R}), thresholds=0.3, adjust="none")
    assert [one.joint_pvalue for one in alone.comparisons] == own
    assert alone.comparisons[1].benefit is not None
    assert alone.comparisons[1].benefit.confidence_level == 0.95


def test_one_classifier_has_a_curve_only() -> None:
    found = analyzed(y_score=P)

    assert found.comparisons == ()
    assert found.curves[0].curve.net_benefit.shape == (1, 9)
    assert "The estimated net benefit is the largest at" in told(found)


def test_datasets_are_analyzed_separately() -> None:
    columns = {"dataset": np.repeat(["a", "b"], 120), "y_true": [*Y, *Y], "p": [*P, *Q], "q": [*Q, *P]}
    found = analyze_decisions(read_predictions(columns), thresholds=0.3)
    first, second = (one.benefit.difference[0] for one in found.comparisons if one.benefit is not None)

    assert [one.dataset for one in found.curves] == ["a", "b"]
    assert first == pytest.approx(-second)
    assert "On 2 datasets, the estimated net benefit" in told(found)
    assert decision_curves(found, dataset="b").get_legend() is not None
    with pytest.raises(ValueError, match="dataset must name one of 'a', 'b'"):
        decision_curves(found)


def test_verdict_states_what_is_shown() -> None:
    same = told(analyzed(0.3, p=P, q=P))
    better = told(analyzed(0.3, p=P, r=R))

    assert "neither is shown to be better" in same
    assert "shown to differ (p = 1)" not in same.replace("not shown to differ (p = 1)", "")
    assert "By the net benefit at 0.3, p is shown to be better" in better
    assert "p and r are shown to differ" in better


def test_undefined_predictive_value_has_its_reason() -> None:
    found = analyzed(0.9, p=np.full(120, 0.1), q=P)

    assert np.isnan(found.comparisons[0].positive_pvalue)
    assert "The positive predictive values are not compared: p" in told(found)


def test_plot_has_the_level_and_the_thresholds_of_the_analysis() -> None:
    predictions = read_predictions({"y_true": Y, "p": P, "q": Q})
    wide = decision_curves(analyze_decisions(predictions, thresholds=AT, alpha=0.2))
    narrow = decision_curves(analyze_decisions(predictions, thresholds=0.3))
    at = wide.lines[0].get_xdata()
    with pytest.raises(ValueError, match="confidence_level must be left out: the analysis holds it"):
        decision_curves(analyze_decisions(predictions), confidence_level=0.9)

    assert (min(at), max(at), len(at)) == (0.2, 0.4, 21)
    assert len(narrow.lines[0].get_xdata()) == 99
    assert "80% intervals" in wide.get_xlabel().replace("\n", " ")


@pytest.mark.parametrize(
    ("columns", "chosen", "message"),
    [
        ({"p": LABELS["p"]}, {}, "a decision curve needs the probability of the positive class"),
        (LABELS, {"thresholds": 0.3}, "a decision curve needs the probability of the positive class"),
        ({"p": P * 3, "q": Q}, {}, "a decision curve is defined only for probabilities"),
        ({"p": P, "q": Q}, {"prevalence": 0.1}, "prevalence must be left out"),
        ({"p": P, "q": Q}, {"thresholds": [0.4, 0.2]}, "thresholds must hold increasing numbers"),
        ({"p": P, "q": Q}, {"adjust": "x"}, "adjust must be"),
    ],
)
def test_impossible_analysis_is_refused(columns: dict, chosen: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        analyze_decisions(read_predictions({"y_true": Y, **columns}), **chosen)


def test_predictions_need_two_classes_and_one_prediction_each() -> None:
    with pytest.raises(TableError, match="more than two labels"):
        analyze_decisions(read_predictions({"y_true": ["a", "b", "c"], "p": ["a", "b", "b"], "q": ["a", "b", "c"]}))
    repeated = {"y_true": [0, 1] * 2, "y_score": [0.1, 0.9] * 2, "repeat": [1, 1, 2, 2], "row": [1, 2] * 2}
    with pytest.raises(ValueError, match="a decision curve needs one prediction of each instance"):
        analyze_decisions(read_predictions(repeated))
