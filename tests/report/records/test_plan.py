"""A plan in words."""

from __future__ import annotations

import pytest

from evalstats import plan_design, report

EVERY = [
    ("sign", {"n": 10}),
    ("wilcoxon", {"n": 10, "n_classifiers": 4}),
    ("permutation", {"n": 10}),
    ("paired-t", {}),
    ("corrected-t", {"n": 10, "n_train": 9, "n_test": 1}),
    ("mcnemar", {"n": 2000, "accuracy": 0.9, "difference": 0.01}),
    ("mcnemar", {"n": 100}),
    ("friedman", {"n": 10, "n_classifiers": 3}),
    ("nemenyi", {"n": 10, "n_classifiers": 3}),
    ("bonferroni-dunn", {"n": 10, "n_classifiers": 3}),
]


def test_text_of_a_test_set() -> None:
    plan = plan_design("mcnemar", n=2000, accuracy=0.9, difference=0.01, correlation=0.5)

    assert report.text(plan).splitlines()[:13] == [
        "McNemar's test on 2000 instances (two-sided, α = 0.05)",
        "══════════════════════════════════════════════════════",
        "",
        "At least 6 discordant instances are needed to reach p = 0.05. The accuracy of",
        "one classifier is estimated to within 0.013, with 95 % confidence.",
        "",
        "Power",
        "─────",
        "",
        "                                instances",
        "             discordant         for power  detectable",
        "correlation   instances  power        0.8  difference",
        "─────────────────────────────────────────────────────",
    ]
    assert report.text(plan).splitlines()[13] == "        0.5       0.086  0.305       6940      0.0185"


def test_text_says_what_can_show_nothing() -> None:
    text = report.text(plan_design("permutation", n=5, n_simulations=100), width=200)

    assert "This design cannot show a difference: the minimum attainable p-value is 0.0625, above 0.05." in text
    assert "At least 6 datasets are needed." in text


def test_text_says_what_no_sample_can_show() -> None:
    text = report.text(plan_design("corrected-t", n_train=9, n_test=1, effects=[0.5]))

    assert any(line.split() == ["0.5", "never"] for line in text.splitlines())
    assert "Never: no sample size that can be computed is sufficient." in text.replace("\n", " ")


def test_one_dataset_is_singular() -> None:
    assert report.document(plan_design("permutation", n=1, n_simulations=100)).title.startswith(
        "Permutation test on 1 dataset ("
    )
    assert report.document(plan_design("mcnemar", n=1)).title.startswith("McNemar's test on 1 instance (")


@pytest.mark.sampled
@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize(("test", "options"), EVERY)
def test_no_line_is_too_wide(test: str, options: dict, width: int) -> None:
    if test not in ("bonferroni-dunn", "mcnemar"):
        options = {**options, "n_simulations": 100, **({} if test == "permutation" else {"effects": [0.8]})}
    text = report.text(plan_design(test, **options), width=width, ascii=True)

    assert max(map(len, text.splitlines())) <= width
    assert text.isascii()
    assert text == text.strip("\n") + "\n"
