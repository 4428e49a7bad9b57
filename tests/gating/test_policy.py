"""What a policy may hold, and what stands above it."""

from __future__ import annotations

import pytest

from evalstats import EvalstatsError, gate
from evalstats.gating.policy import read_policy

TEXT = """
[gate]
margin = 0.02
alpha = 0.1
cluster = "text"

[task.arc]
margin = 0.05

[task.mmlu]
tier = "watched"
metric = "f1"
"""


def test_file_is_read(tmp_path):
    path = tmp_path / "gate.toml"
    path.write_text(TEXT)

    policy = read_policy(path)

    assert (policy.rule.margin, policy.alpha, policy.cluster, policy.intersect) == (0.02, 0.1, "text", False)
    assert (policy.of("arc").margin, policy.of("arc").tier) == (0.05, "required")
    assert (policy.of("mmlu").margin, policy.of("mmlu").tier, policy.of("mmlu").metric) == (0.02, "watched", "f1")
    assert policy.of("other") is policy.rule


def test_arguments_stand_above_the_file():
    policy = read_policy({"gate": {"margin": 0.02}, "task": {"arc": {}, "b": {"margin": 0.3}}}, margin=0.01, alpha=None)

    assert policy.rule.margin == policy.of("arc").margin == 0.01
    assert policy.of("b").margin == 0.3
    assert policy.alpha == 0.05


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (None, "margin must be given"),
        ({"gate": {"margin": 0}}, r"^gate\.margin must be larger than 0"),
        ({"gate": {"margn": 0.1}}, "pos_label, not 'margn'; did you mean 'margin'\\?"),
        ({"gate": {"margin": 0.1, "tier": "required"}}, r"\[gate\] of the policy must hold margin, metric"),
        (
            {"gate": {"margin": 0.1}, "task": {"a": {"alpha": 1}}},
            r"\[task\.a\] of the policy must hold margin, tier, metric, not 'alpha'",
        ),
        ({"gate": {"margin": 0.1}, "task": {"a": {"tier": "some"}}}, r"^task\.a\.tier must be 'required' or 'watched'"),
        ({"gate": {"margin": 0.1}, "tasks": {}}, "policy must have the tables 'gate' and 'task' only, not 'tasks'"),
        ({"gate": {"margin": 0.1, "alpha": 0.7}}, r"^gate\.alpha must be below 0\.5"),
        ({"gate": {"margin": 0.1, "intersect": "yes"}}, r"^gate\.intersect must be True or False"),
        ("no-such.toml", r"policy 'no-such\.toml' cannot be read"),
        (5, "policy must be a path or a dict, not int"),
    ],
)
def test_messages(source, message):
    with pytest.raises(EvalstatsError, match=message):
        read_policy(source)


def test_what_is_no_toml_is_told(tmp_path):
    (tmp_path / "gate.toml").write_text("margin = = 1")

    with pytest.raises(EvalstatsError, match="is not TOML"):
        read_policy(tmp_path / "gate.toml")


def test_options_of_the_other_kind_of_sides_are_refused():
    answers = {"item_id": list(range(20)), "correct": [1, 0] * 10}
    scores = {"dataset": list("abc"), "accuracy": [0.9, 0.8, 0.7]}

    with pytest.raises(EvalstatsError, match="accept_scores is for scores, but baseline and candidate have"):
        gate(answers, answers, margin=0.1, accept_scores=True)
    with pytest.raises(EvalstatsError, match="allow_unequal_samples is for answers to questions, but baseline and"):
        gate(scores, scores, margin=0.1, allow_unequal_samples=True)
