"""What an experiment can show before it is done."""

from __future__ import annotations

import json

import pytest

from evalstats import adjust_pvalues, critical_difference, plan_design, required_sample_size, statistical_power
from evalstats._errors import InvalidValueError
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
        ({"test": "friedman", "n": 5}, "the test 'friedman' requires n_classifiers, the number of classifiers"),
        (
            {"test": "sign", "accuracy": 0.9},
            "accuracy is not used by the test 'sign', which takes effects and tie_rate",
        ),
        (
            {"test": "bonferroni-dunn", "n_classifiers": 3, "effects": [1]},
            "effects is not used by the test 'bonferroni-dunn'",
        ),
        ({"test": "sign", "sd": 0.9}, "sd is not used by the test 'sign', which takes effects and tie_rate"),
        (
            {"test": "mcnemar", "accuracy": 0.9},
            "requires a number of instances \\(n\\), a difference, or both",
        ),
        ({"test": "mcnemar", "n": 9, "correlation": 0.9}, "correlation requires accuracy, which is not given"),
        ({"test": "mcnemar", "n": 9, "accuracy": 1.9}, "accuracy must lie between 0 and 1"),
        ({"test": "mcnemar", "difference": 0.3, "accuracy": 0.9}, "must lie between 0 and 1, but it is 1.2"),
        (
            {"test": "mcnemar", "difference": 0.3},
            "difference must be at most 0.2, the largest usual discordance, not 0.3",
        ),
        ({"test": "corrected-t", "n": 9}, "requires n_train and n_test"),
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


@pytest.mark.parametrize(
    ("test", "known"),
    [
        ("clustered-t", {"sd": 0.5, "cluster_size": 4, "intraclass_correlation": 0.2}),
        ("auc", {"auc": 0.8, "prevalence": 0.3}),
        ("battles", {"tie_rate": 0.2}),
    ],
)
def test_smallest_difference_has_the_target_power(test: str, known: dict) -> None:
    for alternative in ("two-sided", "greater", "less"):
        plan = plan_design(test, n=400, alternative=alternative, **known)
        name = "effect" if test == "battles" else "difference"
        found = statistical_power(test, n=400, alternative=alternative, **known, **{name: plan.detectable})

        assert found.power == pytest.approx(0.8, abs=1e-6)
        assert plan.known == known


def test_all_pairs_of_models_are_compared_by_the_largest_z() -> None:
    """Tukey's quantile of the range of 10 divided by sqrt(2), and not Holm's level."""
    from scipy.stats import norm, studentized_range

    plan = plan_design("battles", n=157, n_classifiers=10, effects=[0.2])

    assert (plan.adjust, plan.n_comparisons) == ("max-t", 45)
    assert plan.alpha_alone == pytest.approx(2 * norm.sf(studentized_range.isf(0.05, 10, 1e6) / 2**0.5), rel=1e-3)
    assert plan_design("battles", n=157, n_classifiers=10, adjust="none").alpha_alone == 0.05


def test_unknown_properties_are_refused() -> None:
    with pytest.raises(TypeError, match="plan_design has no argument 'variance'"):
        plan_design("clustered-t", variance=1)
