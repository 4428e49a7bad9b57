"""The verdict says what was decided, about the right classifier, in the right direction."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from repetitions import repetitions

from evalstats import Comparison, ScoreTable, compare, report
from evalstats.report.comparisons.shared_blocks import against_control_words
from evalstats.report.comparisons.verdict import verdict

NOT_SHOWN = "No difference among the"
NO_EVIDENCE = "The absence of a significant difference is not evidence of equal performance"

WORDS = {
    "all pairs: rejects, no pair differs": [
        (
            "The 4 classifiers do not all perform equally (Friedman test, p = 0.00912), but the Nemenyi test "
            "(family-wise α = 0.05 if all classifiers perform equally) does not show between which of them the "
            "difference lies."
        )
    ],
    "all pairs: not rejected": [
        f"{NOT_SHOWN} 4 classifiers is shown (Friedman test, p = 0.00912, α = 0.001)",
        NO_EVIDENCE,
    ],
    "all pairs: some differ": [
        (
            "C4.5+m+cf has the best mean rank (1.929) and is better than C4.5 (Nemenyi test, family-wise α = 0.1 "
            "if all "
            "classifiers perform equally); the test does not show that it differs from C4.5+m and C4.5+cf. In all, 2 "
            "of 6 pairs are shown to differ."
        )
    ],
    "all pairs: all differ": [
        "C has the best mean rank (1.000) and is better than all others",
        "All 3 pairs are shown to differ.",
    ],
    "all pairs: best shared": [
        "C has the best mean rank (2.000, shared by D and E) and is better than A and B",
        "the test does not show that it differs from D and E",
    ],
    "all pairs: everything tied": [
        f"{NOT_SHOWN} 4 classifiers is shown (Friedman test, p = 1",
        "could not have shown a difference",
    ],
    "all pairs: one dataset": [f"{NOT_SHOWN} 3 classifiers", "could not have shown a difference"],
    "all pairs: design too small": [
        NOT_SHOWN,
        "the smallest p-value that it can reach with these datasets and ties is 0.167",
    ],
    "all pairs: post-hoc too small": [
        "do not all perform equally",
        "does not show between which of them",
        (
            "With 2 datasets and 4 classifiers, the smallest p-value is 0.0926: no pair can be significantly "
            "different; a significant difference needs 3 datasets"
        ),
    ],
    "all pairs: pairs without omnibus": [f"{NOT_SHOWN} 3 classifiers", NO_EVIDENCE],
    "all pairs: lower is better": ["A has the best mean rank (1.000) and is better than all others"],
    "all pairs: loose pairs": [
        "C4.5+m+cf has the best mean rank (1.929) and is better than C4.5+m",
        "the test does not show that it differs from C4.5+cf and C4.5. In all, 2 of 6 pairs are shown to differ.",
    ],
    "all pairs: best not shown to differ": [
        "C4.5+m+cf has the best mean rank (1.929) and is not shown to differ from any other.",
        (
            "In all, 1 of 6 pairs is shown to differ: C4.5+m is better than C4.5 (Nemenyi test, family-wise α = 0.05 "
            "if all classifiers"
        ),
    ],
    "all pairs: 30 classifiers": [
        "and 12 others (Nemenyi test, family-wise α = 0.05 if all classifiers perform equally)",
        "In all, 191 of 435 pairs are shown to differ.",
    ],
    "control: one better": [
        (
            "C4.5+m+cf is better than the control, C4.5 (Bonferroni-Dunn test, family-wise α = 0.05 if all classifiers "
            "perform equally; Friedman test, p = 0.00912). The test does not show that C4.5+m and C4.5+cf differ "
            "from C4.5."
        )
    ],
    "control: better and worse": [
        "E is better than the control, C; A is worse than it",
        "The test does not show that D and B differ from C.",
    ],
    "control: all worse": ["B and A are worse than the control, C"],
    "control: none differs": [
        "do not all perform equally",
        (
            "the Bonferroni-Dunn test (family-wise α = 0.05 if all classifiers perform equally) does not show that any "
            "of them "
        ),
    ],
    "control: not rejected": [NOT_SHOWN, NO_EVIDENCE],
    "control: pairs without omnibus": [NOT_SHOWN, NO_EVIDENCE],
    "control: post-hoc too small": ["does not show that any of them differs from the control, A."],
    "all pairs: by default": [
        (
            "The 4 classifiers do not all perform equally (Friedman test, p = 0.00912). C4.5+m+cf has the best "
            "mean rank (1.929) and is not shown to differ from any other. In all, 1 of 6 pairs is shown to differ: "
            "C4.5+m is better than C4.5 "
            "(Wilcoxon "
            "signed-rank test with Holm's method, family-wise α = 0.05)."
        ),
    ],
    "all pairs: by default, none differs": [
        (
            "do not all perform equally (Friedman test, p = 0.00912), but the Wilcoxon signed-rank test with Holm's "
            "method "
            "(family-wise α = 0.01) does not show between which of them the difference lies."
        ),
    ],
    "all pairs: by default, without Friedman": [
        "The Friedman test of all ranks at once does not reject (p = 0.",
        "; the pair is tested separately, by the sizes of its differences. ",
        (
            "B has the best mean rank (3.429) and is better than A (Wilcoxon signed-rank test with Holm's method, "
            "family-wise"
        ),
    ],
    "all pairs: by default, nothing at all": [
        f"{NOT_SHOWN} 4 classifiers is shown (Friedman test, p = 0.",
        "; Wilcoxon signed-rank test with Holm's method, family-wise α = 0.05). The absence of",
    ],
    "all pairs: by default, too few datasets": [
        (
            "does not show between which of them the difference lies. With 5 datasets and 4 classifiers, the smallest "
            "adjusted "
            "p-value is 0.375: no pair can be significantly different; a significant difference needs 8 "
            "datasets, or 7 with a control"
        ),
    ],
    "all pairs: by default, nothing and too few datasets": [
        "4 datasets and 3 classifiers, the smallest adjusted p-value is 0.375: no pair can be significantly",
    ],
    "all pairs: sign test without Friedman": ["the pair is tested separately, by its wins and losses."],
    "all pairs: Shaffer": [
        "family-wise α = 0.05 if two classifiers that do not differ from a third do not differ from each other)"
    ],
    "control: by default": [
        (
            "C4.5+m+cf and C4.5+m are better than the control, C4.5 (Wilcoxon signed-rank test with Holm's method, "
            "family-wise α = 0.05; Friedman test, p = 0.00912)."
        ),
    ],
    "control: by default, without Friedman": [
        (
            "B is better than the control, A (Wilcoxon signed-rank test with Holm's method, family-wise α = 0.05; "
            "Friedman "
        ),
        "The Friedman test of all ranks at once does not reject (p = 0.",
    ],
    "control: by default, too few datasets": [
        (
            "With 5 datasets and 4 classifiers, the smallest adjusted p-value is 0.188: no classifier can be "
            "significantly different "
            "from A; a significant difference needs 7 datasets."
        ),
    ],
    "two: first better": [
        "C4.5 is better than HDDT (Wilcoxon signed-rank test, p = 0.00129).",
        "The difference in AUROC, C4.5 minus HDDT, is estimated as 0.0",
    ],
    "two: second better": ["B is better than A", "The difference in AUC, B minus A, is estimated as 0.1"],
    "two: lower is better": ["A is better than B", "The difference in loss, A minus B, is estimated as −0.1"],
    "two: not rejected": [
        "No difference between C4.5 and HDDT is shown (Wilcoxon signed-rank test, p = 0.229).",
        f"{NO_EVIDENCE}: the difference in AUROC, C4.5 minus HDDT, is estimated as",
    ],
    "two: control": ["B is better than A", "The difference in AUC, B minus A"],
    "two: design too small": [
        "No difference between A and B is shown",
        "could not have shown a difference",
        "is 0.125.",
    ],
    "two: everything tied": ["No difference between A and B is shown (Wilcoxon signed-rank test, p = 1)."],
    "two: only Wilcoxon rejects": ["B is better than A"],
    "two: only the sign test rejects": ["No difference between A and B is shown"],
    "two: large wins against many": ["A is better than B"],
}


@pytest.mark.parametrize("name", WORDS)
def test_verdict_of_each_branch(named: Callable[[str], Comparison], name: str) -> None:
    said = verdict(named(name))

    assert [words for words in WORDS[name] if words not in said] == []


def test_wilcoxon_decides_the_direction_and_not_the_mean_ranks(named: Callable[[str], Comparison]) -> None:
    """A wins on 9 datasets by much, B on 11 by little: mean ranks favor B, the test that decides favors A."""
    c = named("two: large wins against many")

    assert c.ranking == ("B", "A")
    assert verdict(c).startswith("A is better than B")


@pytest.mark.parametrize("greater_is_better", [True, False])
@pytest.mark.parametrize("control", [None, "good", "bad"])
@pytest.mark.parametrize("k", [2, 3])
def test_better_is_called_better(greater_is_better: bool, control: str | None, k: int) -> None:
    """Whatever the direction, the control and the number of classifiers, and wherever they stand in the table."""
    base = np.linspace(0, 1, 25)[:, None]
    levels = np.array([0.0, 0.1, -0.1])[:k] * (1 if greater_is_better else -1)
    names = ("fair", "good", "bad") if k == 3 else ("bad", "good")
    table = ScoreTable(
        scores=base + levels,
        datasets=tuple(map(str, range(25))),
        classifiers=names,
        greater_is_better=greater_is_better,
    )

    said = verdict(compare(table, control=control))

    expected = {
        (2, None): "good is better than bad",
        (2, "good"): "good is better than bad",
        (2, "bad"): "good is better than bad",
        (3, None): "good has the best mean rank (1.000) and is better than all others",
        (3, "good"): "fair and bad are worse than the control, good",
        (3, "bad"): "good and fair are better than the control, bad",
    }
    assert expected[k, control] in said


@settings(max_examples=repetitions(60))
@given(
    hnp.arrays(float, st.tuples(st.integers(1, 9), st.integers(2, 4)), elements=st.integers(0, 9).map(lambda v: v / 9)),
    st.sampled_from([None, "A"]),
    st.sampled_from([0.05, 0.5]),
)
def test_verdict_never_contradicts_the_decisions(scores: np.ndarray, control: str | None, alpha: float) -> None:
    """Better or worse is said only where a test rejects, and a rejection is never kept quiet."""
    n, k = scores.shape
    table = ScoreTable(scores=scores, datasets=tuple(map(str, range(n))), classifiers=tuple("ABCD")[:k])
    c = compare(table, control=control, alpha=alpha)

    said = verdict(c)

    assert (" better than " in said or " worse than " in said) == bool(c.different.any())
    assert c.different.any() or " is shown (" in said or "does not show" in said
    if c.omnibus is not None:
        assert ("No difference among" in said) == (not c.significant and not c.different.any())


@settings(max_examples=repetitions(60))
@given(
    hnp.arrays(float, st.tuples(st.integers(1, 9), st.integers(3, 4)), elements=st.integers(0, 9).map(lambda v: v / 9)),
    st.sampled_from([None, "A"]),
    st.sampled_from([0.05, 0.5]),
)
def test_verdict_of_mean_ranks_needs_the_leading_test(scores: np.ndarray, control: str | None, alpha: float) -> None:
    n, k = scores.shape
    table = ScoreTable(scores=scores, datasets=tuple(map(str, range(n))), classifiers=tuple("ABCD")[:k])
    c = compare(table, control=control, alpha=alpha, posthoc="bonferroni-dunn" if control else "nemenyi")

    said = verdict(c)

    assert ("No difference among" in said) == (not c.significant)
    assert (" better than " in said or " worse than " in said) == bool(c.different.any())
    assert c.different.any() <= c.significant


def test_test_of_the_pairs_without_a_variance_is_replaced(named: Callable[[str], Comparison]) -> None:
    """All datasets agree: Conover's t has no variance left, and the Wilcoxon test speaks in its place."""
    comparison = named("all pairs: no variance left")

    assert "Wilcoxon signed-rank test with Holm's method" in comparison.verdict
    assert [(one.test, one.by) for one in comparison.validity.replacements] == [
        ("Conover test", "Wilcoxon signed-rank test")
    ]


def test_lists_that_follow_each_other_are_told_apart(named: Callable[[str], Comparison]) -> None:
    """'better than the control, B, and A' could be read as three."""
    assert against_control_words("B", ["D", "C"], ["A"]) == "D and C are better than the control, B; A is worse than it"
    assert against_control_words("B", [], ["A"]) == "A is worse than the control, B"


def test_counts_of_one_sentence_are_written_alike() -> None:
    """9,239 of 15,931, not 9239 of 15,931."""
    scores = np.linspace(0, 1, 30)[:, None] + np.random.default_rng(1).normal(0, 0.05, (30, 142)) + np.arange(142) / 500

    assert re.search(
        r"In all, \d,\d{3} of 10,011 pairs are shown to differ", compare(scores, rows_are="datasets").verdict
    )


def test_metrics_are_named_in_words() -> None:
    rng = np.random.default_rng(2)
    rows = {"classifier": ["a"] * 60 + ["b"] * 60, "row": [*range(60)] * 2, "y_true": [0, 1] * 60}
    compared = compare(rows | {"y_score": rng.random(120), "y_pred": rng.integers(0, 2, 120)}, metric="roc_auc")

    assert "the difference in AUC, " in compared.verdict
    assert "roc_auc" not in report.text(compared, methods=True)
    assert compared.table.metric == "roc_auc"
