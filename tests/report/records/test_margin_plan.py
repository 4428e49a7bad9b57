"""A plan of a noninferiority test in words."""

from __future__ import annotations

import pytest

from evalstats import report
from evalstats.design import plan_margin


def shown(*arguments, **options):
    return " ".join(report.text(plan_margin(*arguments, **options)).split())


def test_plan_names_what_it_is_about():
    text = shown("sign", margin=0.01, sd=0.02, n=20)

    assert "Sign test on 20 datasets (noninferiority, margin = 0.01, α = 0.05)" in text
    assert "To show noninferiority with a margin of 0.01 and a power of 0.8 takes 33 to 160 datasets." in text
    assert "The true difference is the score of the candidate minus" in text


def test_what_never_suffices_is_told():
    text = shown("corrected-t", margin=0.01, sd=0.1, n_train=9, n_test=1)

    assert "No sample size that was tried is sufficient to show noninferiority" in text
    assert "Never: no sample size that was tried is sufficient." in text


def test_error_of_simulations_is_told():
    text = shown("wilcoxon", margin=0.01, sd=0.01, n=12, n_simulations=400)

    assert "Simulated: the power has a standard error of up to 0.02" in text


@pytest.mark.parametrize("style", ["text", "markdown", "latex", "html"])
def test_every_format_shows_the_sizes(style):
    plan = plan_margin("accuracy", margin=0.01, n=2000)

    assert all(str(case.required.n) in getattr(report, style)(plan) for case in plan.cases)
