"""What is said of tests that were replaced, and of pairs that no test speaks of."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from evalstats.comparison.validity import Replacement, UntestedPair, Validity
from evalstats.report.comparisons.shared_blocks import replaced_words, untested_words, without_untested

AB, AC = UntestedPair(first="a", second="b"), UntestedPair(first="a", second="c")


def with_(validity: Validity, n: int = 3) -> Any:
    return SimpleNamespace(validity=validity, compared=[None] * n)


def test_nothing_is_said_where_every_pair_is_tested() -> None:
    assert untested_words(with_(Validity()), "t-test") == ""
    assert replaced_words(with_(Validity())) == ""


def test_untested_pairs_are_named_with_the_reason() -> None:
    reason = "in 1 of 3 pairs, the scores differ by the same amount"

    said = untested_words(with_(Validity(untested=(AB,), reason=reason)), "t-test")

    assert said == (
        " 1 of 3 pairs cannot be tested by the t-test (a and b), because the scores differ by the same amount: "
        "nothing is concluded about it."
    )


def test_all_of_them_need_no_names() -> None:
    said = untested_words(with_(Validity(untested=(AB, AC)), 2), "t-test")

    assert said == " 2 of 2 pairs cannot be tested by the t-test: nothing is concluded about them."


def test_only_those_are_not_shown_to_differ_that_were_tested() -> None:
    assert without_untested(with_(Validity(untested=(AB,))), "a", ["b", "c"]) == ["c"]


def test_replacement_is_named_with_its_reason() -> None:
    one = Replacement(of="pairs", test="t-test", by="sign test", reason="all differences are equal")

    assert replaced_words(with_(Validity(replacements=(one,)))) == (
        "The t-test cannot test every pair, because all differences are equal. The sign test decides instead; it "
        "does not require a variance."
    )
