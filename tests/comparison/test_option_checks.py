"""A choice that the test does not take is refused by name, and a word that is a choice elsewhere is sent there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evalstats import InvalidValueError, compare, example_table
from evalstats.comparison.registry import POSTHOC_TESTS

TABLE, TWO = example_table("demsar-2006"), example_table("raeder-2010-seed-216")
FOLDS = {
    "dataset": ["d"] * 10,
    "classifier": ["A"] * 5 + ["B"] * 5,
    "fold": [*range(5), *range(5)],
    "acc": [0.81, 0.84, 0.79, 0.90, 0.85, 0.78, 0.82, 0.80, 0.84, 0.83],
}


def refusal(table: Any, **choices: Any) -> str:
    with pytest.raises(InvalidValueError) as refused:
        compare(table, **choices)
    return str(refused.value)


@pytest.mark.parametrize(
    ("table", "choices", "message"),
    [
        (
            TABLE,
            {"omnibus": "rm-anova", "posthoc": "tukey", "method": "exact"},
            "the repeated-measures ANOVA supports no other method; 'exact' requires omnibus 'friedman'",
        ),
        (TABLE, {"posthoc": "paired-t", "method": "monte-carlo"}, "method must be 'auto', not 'monte-carlo'"),
        (TABLE, {"omnibus": "friedman-aligned", "method": "f"}, "'f' requires omnibus 'friedman' or 'quade'"),
        (
            TABLE,
            {"omnibus": "quade", "method": "chi2"},
            "the Quade test supports no other method; 'chi2' requires omnibus",
        ),
        (TWO, {"method": "f"}, "method must be 'auto' or 'exact' or 'asymptotic', not 'f'"),
        (TABLE, {"method": ["exact"]}, "not ['exact']: the Friedman test supports no other method"),
        (TABLE, {"method": "chi"}, "; did you mean 'chi2'?"),
        (
            TABLE,
            {"posthoc": "nemenyi", "adjust": "holm"},
            "adjust must be left out, not 'holm': posthoc 'nemenyi' is one test for the whole",
        ),
    ],
)
def test_choice_that_the_test_does_not_take_is_refused(table: Any, choices: dict[str, Any], message: str) -> None:
    assert message in refusal(table, **choices)


@pytest.mark.parametrize("posthoc", [name for name, test in POSTHOC_TESTS.items() if not test.adjusts])
def test_tests_for_a_whole_family_take_no_adjustment(posthoc: str) -> None:
    control = None if POSTHOC_TESTS[posthoc].pairs else "C4.5"
    known = POSTHOC_TESTS[posthoc]

    said = refusal(TABLE, posthoc=posthoc, control=control, adjust="bonferroni")

    assert f"posthoc {posthoc!r} is one test for the whole family; adjust requires posthoc 'wilcoxon'" in said
    assert not known.adjusts


def test_holm_is_the_adjustment_of_pairs_unless_another_is_chosen() -> None:
    usual, holm, bonferroni = (
        compare(TABLE, **choice) for choice in ({}, {"adjust": "holm"}, {"adjust": "bonferroni"})
    )

    assert usual.to_dict() | {"options": None} == holm.to_dict() | {"options": None}
    assert (usual.adjustment, bonferroni.adjustment) == ("holm", "bonferroni")


def test_single_pair_takes_every_adjustment_since_none_changes_it() -> None:
    assert compare(TWO, adjust="bonferroni").to_dict() | {"options": {}} == compare(TWO).to_dict()


@pytest.mark.parametrize(
    ("choices", "hint"),
    [
        ({"posthoc": "holm"}, "'holm' is a choice of adjust, with a posthoc test of individual pairs such as"),
        ({"posthoc": "Shaffer"}, "'shaffer' is a choice of adjust"),
        ({"posthoc": "dunn"}, "did you mean 'bonferroni-dunn', which compares with a control?"),
        ({"posthoc": "Nemenyi test"}, "did you mean 'nemenyi'?"),
        ({"posthoc": "nemenyi_test"}, "did you mean 'nemenyi'?"),
        ({"posthoc": "conovr"}, "did you mean 'conover'?"),
        ({"posthoc": "friedman"}, "'friedman' is a choice of omnibus"),
        ({"omnibus": "nemenyi"}, "'nemenyi' is a choice of posthoc"),
        ({"omnibus": "anova"}, "did you mean 'rm-anova'?"),
        ({"adjust": "nemenyi"}, "'nemenyi' is a choice of posthoc"),
        ({"posthoc": "conover", "adjust": "bonferoni"}, "did you mean 'bonferroni'?"),
    ],
)
def test_refusal_says_what_may_have_been_meant(choices: dict[str, str], hint: str) -> None:
    said = refusal(TABLE, **choices)

    ((argument, given),) = ((name, word) for name, word in choices.items() if word != "conover")
    assert said.startswith(f"{argument} must be ")
    assert f"not {given!r}; {hint}" in said


def test_word_that_is_near_nothing_gets_no_hint() -> None:
    assert refusal(TABLE, posthoc="astrology").endswith("not 'astrology'")


def test_robustness_takes_the_choices_of_the_leading_test_as_far_as_another_test_does() -> None:
    """Friedman's aligned ranks have no F distribution: they are asked in their own way, and nothing fails."""
    robustness = compare(TABLE, method="f", robustness=True, rng=0).robustness
    asked = {analysis.posthoc_test: analysis.omnibus_pvalue for analysis in robustness.analyses}

    assert asked["quade"] == compare(TABLE, posthoc="quade", method="f").omnibus.pvalue
    assert asked["friedman-aligned"] == compare(TABLE, posthoc="friedman-aligned", rng=0).omnibus.pvalue


def test_seed_holds_for_the_permutation_test_of_two() -> None:
    """With fifty differences of sixteen digits it is simulated."""
    scores = np.random.default_rng(1).random((50, 2))

    one, again, other = (
        compare(scores, robustness=True, rng=rng, n_resamples=199).robustness.to_dict() for rng in (1, 1, 2)
    )

    assert one == again
    assert one != other
