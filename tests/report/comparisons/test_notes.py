"""Each note has its sentence, and no sentence says more than was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from evalstats import (
    Comparison,
    compare,
    report,
)
from evalstats.comparison.notes import ON_ONE_DATASET, OVER_DATASETS, Note
from evalstats.report.comparisons import notes as of_codes

NOTES = {
    "datasets-dropped": ("all pairs: datasets dropped", "1 dataset was left out because scores were missing: c."),
    "degenerate": ("two: everything tied", "The data are degenerate: all differences are zero"),
    "depends-on-the-analysis": ("all pairs: robustness", "Other valid analyses decide differently on 4 pairs"),
    "design-cannot-reach-alpha": (
        "two: design too small",
        (
            "No p-value can be as small as α = 0.05 with this design. The smallest p-value of the Wilcoxon "
            "signed-rank test with these datasets and ties is 0.125. Only more datasets can change that."
        ),
    ),
    "few-datasets-asymptotic": ("all pairs: chi2, few datasets", "it is based on only 14 datasets; use the exact"),
    "missing-cells": (
        "all pairs: scores missing",
        "10 of 56 scores are missing, on 9 datasets. The Skillings-Mack test is valid only if no score is missing",
    ),
    "no-common-dataset": (
        "all pairs: no common dataset",
        "about pairs without a common dataset: classifier 3 with classifier 1.",
    ),
    "monte-carlo": (
        "all pairs: monte carlo",
        "simulated from 999 random permutations with the seed 1; a different seed",
    ),
    "datasets-are-a-sample": ("all pairs: holm", "of which these datasets are a random sample"),
    "not-adjusted": ("all pairs: not adjusted", "The p-values are not adjusted for 6 comparisons"),
    "pvalue": ("all pairs: holm", "1 − p is neither the probability that they differ nor the probability that"),
    "unequal-variation": ("all pairs: unequal variation", "have unequal variances (Mauchly's test of sphericity, p = "),
    "very-few-datasets": ("all pairs: post-hoc too small", "2 datasets are a very small sample"),
    "no-critical-difference": (
        "all pairs: holm",
        "The Conover test with Holm's method decides on each pair by its own p-value, so there is no single",
    ),
    "ranks-say-otherwise": ("all pairs: ranks say otherwise", "The Tukey HSD test uses the scores"),
    "one-run": ("all pairs: one run", "Each score comes from one run of its cross-validation"),
    "runs-disagree": ("two: repeats", "a verdict from one run is not reproducible"),
    "omnibus-without-pairs": ("all pairs: rejects, no pair differs", "This is not a contradiction"),
    "pairs-without-omnibus": ("all pairs: pairs without omnibus", "no conclusion is drawn from them"),
    "pool-dependence": ("control: one better", "depend on all classifiers in the table"),
    "posthoc-cannot-reach-alpha": (
        "control: post-hoc too small",
        (
            "With 2 datasets and 4 classifiers, the smallest p-value is 0.0604: no classifier can be "
            "significantly different from "
            "A; a significant difference needs 3 datasets."
        ),
    ),
    "test-replaced": (
        "all pairs: no variance left",
        "The Conover test cannot test every pair, because all datasets agree, so there is no residual variance",
    ),
    "means-say-otherwise": (
        "two: the mean says otherwise",
        "For one pair that is shown to differ, the better classifier has the worse mean",
    ),
    "wilcoxon-and-sign-disagree": (
        "two: only Wilcoxon rejects",
        "At α = 0.05, the Wilcoxon signed-rank test (p = 0.0",
    ),
}


class TestNotes:
    @pytest.mark.parametrize("code", OVER_DATASETS)
    def test_note_of_each_code(self, named: Callable[[str], Comparison], code: str) -> None:
        name, words = NOTES[code]

        said = of_codes.note(code, named(name))

        assert code in named(name).notes
        assert words in "".join(part for part in said if isinstance(part, str))

    @pytest.mark.parametrize(
        ("code", "name", "words"),
        [
            (
                "pairs-without-omnibus",
                "all pairs: by default, without Friedman",
                "; the pair is tested separately, by the sizes of its differences.",
            ),
            ("pairs-without-omnibus", "all pairs: sign test without Friedman", "by its wins and losses."),
            (
                "omnibus-without-pairs",
                "all pairs: by default, none differs",
                (
                    "the first test compares all ranks at once, and the second tests each of 6 comparisons, by the "
                    "sizes of its differences"
                ),
            ),
            (
                "posthoc-cannot-reach-alpha",
                "all pairs: by default, too few datasets",
                "no pair can be significantly different; a significant difference needs 8 datasets, or 7",
            ),
            (
                "monte-carlo",
                "all pairs: many draws",
                (
                    "The p-values of the step-down max-T test of signed ranks are simulated from 199 random sign "
                    "assignments "
                    "with the seed 0; a different seed gives slightly different p-values."
                ),
            ),
        ],
    )
    def test_note_of_tests_that_need_no_leading_test(
        self, named: Callable[[str], Comparison], code: str, name: str, words: str
    ) -> None:
        assert code in named(name).notes
        assert words in "".join(part for part in of_codes.note(code, named(name)) if isinstance(part, str))

    def test_every_code_of_a_comparison_has_a_note(self) -> None:
        assert set(of_codes.NOTES) == set(OVER_DATASETS) | set(ON_ONE_DATASET) == set(Note)

    def test_groups_that_no_dataset_links_are_named(self, named: Callable[[str], Comparison]) -> None:
        said = of_codes.note("degenerate", named("all pairs: groups that nothing links"))

        assert "groups of classifiers: classifier 1 and classifier 2; classifier 3 and classifier 4." in said[0]

    def test_unknown_code_is_an_error(self, named: Callable[[str], Comparison]) -> None:
        with pytest.raises(ValueError, match=r"notes must be among 'datasets-are-a-sample', .* but one is 'astrology'"):
            report.document(replace(named("two: not rejected"), notes=("astrology",)))

    def test_who_disagrees_is_told_both_ways(self, named: Callable[[str], Comparison]) -> None:
        for name, first in (("Wilcoxon", "Wilcoxon signed-rank"), ("the sign test", "sign")):
            c = named(f"two: only {name} rejects")

            said = of_codes.note("wilcoxon-and-sign-disagree", c)[0]

            assert said.startswith(f"At α = 0.05, the {first} test (p = 0.0")

    def test_other_degenerate_notes(self, named: Callable[[str], Comparison]) -> None:
        tied = of_codes.note("degenerate", named("all pairs: everything tied"))
        one_order = of_codes.note("degenerate", named("all pairs: one order, few datasets"))
        few = of_codes.note("few-datasets-asymptotic", named("two: asymptotic, few datasets"))

        assert tied[0].startswith("The data are degenerate: ")
        assert one_order[0].startswith("All datasets rank the classifiers in the same order: F is infinite")
        assert "it is based on only 8 differences other than zero" in few[0]


@pytest.mark.parametrize("posthoc", ["tukey", "dunnett"])
def test_sphericity_is_told_whatever_test_leads(posthoc: str) -> None:
    """Tukey's test pools the variance after a Friedman test too, which knows nothing of it."""
    rng = np.random.default_rng(3)
    scores = rng.random((20, 1)) + rng.normal(0, 1, (20, 4)) * [0.001, 0.001, 0.3, 0.02] + [0, 0.1, 0.2, 0.9]
    control = {"control": "classifier 1"} if posthoc == "dunnett" else {}
    led, alone = (compare(scores, posthoc=posthoc, omnibus=omnibus, **control) for omnibus in ("friedman", "auto"))
    notes = [" ".join(map(str, of_codes.note("unequal-variation", one))) for one in (led, alone)]

    assert "unequal-variation" in led.notes
    assert "assumes equal variances: its p-values are too small" in notes[0]
    assert "The analysis of variance is corrected for this, but" in notes[1]
