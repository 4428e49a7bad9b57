"""A plan of a noninferiority test says what noninferiority_power and noninferiority_sample_size say."""

from __future__ import annotations

import pytest

from evalstats import EvalstatsError
from evalstats.design import noninferiority_power, noninferiority_sample_size, plan_margin


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("test", "n", "known", "varied", "sizes"),
    [
        ("sign", 20, {}, "sd", [0.005, 0.01, 0.02, 0.04]),
        ("sign", 20, {"sd": 0.02}, "difference", [0.0025, 0.0, -0.0025, -0.005]),
        ("accuracy", 500, {}, "discordance", [0.02, 0.05, 0.1, 0.2]),
        ("paired-t", 20, {"sd": 0.02, "difference": -0.002}, "difference", [-0.002]),
        ("corrected-t", 50, {"n_train": 9, "n_test": 1}, "sd", [0.005, 0.01, 0.02, 0.04]),
    ],
)
@pytest.mark.parametrize("hypothesis", ["noninferiority", "equivalence"])
def test_plan_has_the_power_and_the_size_of_each_case(test, n, known, varied, sizes, hypothesis):
    plan = plan_margin(test, n=n, margin=0.01, hypothesis=hypothesis, **known)

    assert (plan.varied, [case.size for case in plan.cases]) == (varied, pytest.approx(sizes))
    for case in plan.cases:
        asked = {**known, "margin": 0.01, "hypothesis": hypothesis, varied: case.size}
        assert case.power.to_dict() == noninferiority_power(test, n=n, **asked).to_dict()
        assert case.required.to_dict() == noninferiority_sample_size(test, **asked).to_dict()


def test_areas_of_the_old_classifier_are_varied():
    plan = plan_margin("auc", n=100, margin=0.1, power=0.5, n_simulations=200)

    assert [case.size for case in plan.cases] == [0.7, 0.8, 0.9]
    assert plan.cases[0].power.power < plan.cases[2].power.power


def test_without_a_size_only_the_required_one_is_told():
    plan = plan_margin("sign", margin=0.01, sd=0.02)

    assert {case.power for case in plan.cases} == {None}
    assert plan.to_columns()["size"] == [case.size for case in plan.cases]


def test_discordances_below_the_difference_are_left_out():
    plan = plan_margin("accuracy", margin=0.1, difference=0.06)

    assert [case.size for case in plan.cases] == [0.1, 0.2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"test": "anova", "margin": 0.1}, "test must be 'wilcoxon' or"),
        ({"margin": 0.1, "auc": 0.8}, "the test 'wilcoxon' does not take auc"),
        ({"test": "sign", "margin": 0, "sd": 1}, "margin"),
        ({"test": "clustered-t", "margin": 0.1, "sd": 1}, "requires cluster_size"),
    ],
)
def test_messages(arguments, message):
    with pytest.raises(EvalstatsError, match=message):
        plan_margin(**arguments)
