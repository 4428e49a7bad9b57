"""What an experiment can show before it is done."""

from __future__ import annotations

import json

import pytest

from evalstats import adjust_pvalues, critical_difference, plan_design, required_sample_size, statistical_power
from evalstats._checks import InvalidValueError
from evalstats.design import minimum_attainable_pvalue, minimum_detectable_difference, minimum_sample_size

EFFECTS = {
    "sign": ({}, lambda size: {"win_probability": size}),
    "wilcoxon": ({}, lambda size: {"effect": size}),
    "paired-t": ({}, lambda size: {"effect": size}),
    "corrected-t": ({"n_train": 9, "n_test": 1}, lambda size: {"effect": size, "n_train": 9, "n_test": 1}),
    "friedman": ({"n_classifiers": 3}, lambda size: {"means": [size, 0, 0]}),
    "nemenyi": ({"n_classifiers": 3}, lambda size: {"means": [size, 0, 0]}),
}


def test_five_datasets_can_show_nothing() -> None:
    plan = plan_design("wilcoxon", n=5, effects=[2.0])

    assert (plan.smallest.pvalue, plan.fewest.n) == (0.0625, 6)
    assert plan.cases[0].power.power == 0


@pytest.mark.parametrize("test", EFFECTS)
def test_plan_says_what_its_parts_say(test: str) -> None:
    options, effect = EFFECTS[test]
    size = 0.9
    plan = plan_design(test, n=12, effects=[size], n_simulations=500, **options)

    k = options.get("n_classifiers")
    (case,) = plan.cases
    assert plan.smallest.to_dict() == minimum_attainable_pvalue(test, n=12, n_classifiers=k).to_dict()
    assert plan.fewest.to_dict() == minimum_sample_size(test, n_classifiers=k).to_dict()
    assert case.power.to_dict() == statistical_power(test, n=12, n_simulations=500, **effect(size)).to_dict()
    assert case.required.to_dict() == required_sample_size(test, n_simulations=500, **effect(size)).to_dict()
    assert plan.critical_difference == (critical_difference(12, 3) if test == "nemenyi" else None)


def test_plan_of_a_test_set_says_what_its_parts_say() -> None:
    known = {"accuracy": 0.8, "correlation": 0.4}
    plan = plan_design("mcnemar", n=300, difference=0.1, method="midp", **known)

    (case,) = plan.cases
    arguments = {"method": "midp", **known}
    assert case.power.to_dict() == statistical_power("mcnemar", n=300, difference=0.1, **arguments).to_dict()
    assert case.required.to_dict() == required_sample_size("mcnemar", difference=0.1, **arguments).to_dict()
    assert case.detectable.to_dict() == minimum_detectable_difference(300, **arguments).to_dict()
    assert case.size == {**known, "difference": 0.1}


@pytest.mark.parametrize("adjust", ["bonferroni", "holm", "sidak", "holm-sidak", "hochberg", "hommel", "bh", "by"])
def test_power_is_at_the_level_of_a_comparison_alone(adjust: str) -> None:
    plan = plan_design("sign", n=20, effects=[0.8], adjust=adjust, n_comparisons=7)

    assert adjust_pvalues([plan.alpha_alone] + [1.0] * 6, adjust)[0] == pytest.approx(0.05, rel=1e-7)
    assert plan.cases[0].power.alpha == plan.alpha_alone


def test_several_classifiers_are_all_pairs_after_holm() -> None:
    plan = plan_design("wilcoxon", n=10, n_classifiers=6, effects=[2], n_simulations=100)

    assert (plan.adjust, plan.n_comparisons, plan.alpha_alone) == ("holm", 15, 0.05 / 15)


def test_impossible_correlations_are_left_out() -> None:
    """Accuracies that are far apart cannot be right in the same rows."""
    plan = plan_design("mcnemar", n=100, accuracy=0.5, difference=0.4)

    assert [case.size["correlation"] for case in plan.cases] == [0.0, 0.25]


def test_discordances_below_the_difference_are_left_out() -> None:
    plan = plan_design("mcnemar", difference=0.07)

    assert [case.size["discordance"] for case in plan.cases] == [0.1, 0.2]
    assert all(case.power is None and case.detectable is None for case in plan.cases)


def test_plan_is_json() -> None:
    plan = plan_design("nemenyi", n=8, n_classifiers=3, effects=[1], n_simulations=100)

    assert json.loads(json.dumps(plan.to_dict()))["cases"][0]["power"]["n"] == 8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"test": "anova"}, "test must be 'sign' or"),
        ({"test": "friedman", "n": 5}, "the test 'friedman' needs n_classifiers, the number of classifiers"),
        ({"test": "sign", "accuracy": 0.9}, "accuracy is not of the test 'sign', which takes effects and tie_rate"),
        ({"test": "permutation", "effects": [1]}, "effects is not of the test 'permutation', which takes none"),
        ({"test": "mcnemar", "accuracy": 0.9}, "the test 'mcnemar' needs n, difference or both"),
        ({"test": "mcnemar", "n": 9, "correlation": 0.9}, "correlation goes with accuracy, which is not given"),
        ({"test": "mcnemar", "n": 9, "accuracy": 1.9}, "accuracy must lie between 0 and 1"),
        ({"test": "mcnemar", "difference": 0.3, "accuracy": 0.9}, "must lie between 0 and 1, but it is 1.2"),
        ({"test": "mcnemar", "difference": 0.3}, "difference must be below the discordances"),
        ({"test": "corrected-t", "n": 9}, "needs n_train and n_test"),
        ({"test": "sign", "n": 9, "power": 1}, "power must lie between 0 and 1"),
        ({"test": "nemenyi", "n": 9, "n_classifiers": 3, "adjust": "holm"}, "need no adjustment"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        plan_design(**arguments)


@pytest.mark.parametrize("effects", [0.5, [], [[0.5, 0.6]]])
def test_effects_that_are_no_list_are_refused(effects: object) -> None:
    with pytest.raises(InvalidValueError, match="effects must be a list of one or more numbers"):
        plan_design("sign", n=10, effects=effects)
