"""The report of a comparison: every number is the comparison's, every sentence follows from its decisions."""

from __future__ import annotations

import re
from collections.abc import Callable

from evalstats import Comparison, compare, example_path, read_table
from evalstats.report import document
from evalstats.report.blocks import Document, Listing, Table
from evalstats.report.describe import pvalue_cell
from evalstats.report.references import PUBLICATIONS

# what no report may say, whatever was found: absence of evidence is no evidence of absence
FORBIDDEN = (
    "no difference",
    "no significant difference",
    "not significant",
    "insignificant",
    "equally good",
    "are equal",
    "is equal",
    "the same performance",
    "perform the same",
    "performs the same",
    "equivalent",
    "identical",
    "accept",
    "accepted",
    "null hypothesis is true",
    "prove",
    "nan",
    "None",
)


def shown_table(report: Document, name: str) -> Table:
    tables = [b for part in report.sections for b in part.blocks if isinstance(b, Table)]
    return next(t for t in tables if t.name == name)


def test_report_says_how_scores_of_predictions_were_computed(shown_table) -> None:
    scores = read_table(example_path("sklearn-predictions"), metric="f1")

    caption = shown_table(document(compare(scores)), "ranks").caption

    assert scores.computation
    assert f"Computation of the scores: {scores.computation}." in caption


class TestWords:
    def test_absence_of_evidence_is_never_called_evidence_of_absence(self, on_every_comparison, said) -> None:
        @on_every_comparison
        def law(comparison: Comparison) -> None:
            words = said(document(comparison))

            assert [phrase for phrase in FORBIDDEN if re.search(rf"\b{phrase}\b", words)] == []

    def test_significance_is_called_by_its_name(self, on_every_comparison, said) -> None:
        @on_every_comparison
        def law(comparison: Comparison) -> None:
            words = said(document(comparison))

            assert ("is rejected." in words) == comparison.significant
            assert ("the null hypothesis is not rejected: the test does not show a difference." in words) == (
                not comparison.significant
            )

    def test_sections(self, on_every_comparison) -> None:
        @on_every_comparison
        def law(comparison: Comparison) -> None:
            several = ["ranks", "omnibus", "pairs", "design", "notes", "methods"]
            two = ["scores", "difference", "design", "notes", "methods"]
            if comparison.robustness is not None:
                several[3:3], two[2:2] = (["analyses", "stability"],) * 2
            if comparison.reproducibility is not None:
                several.insert(several.index("design"), "reproducibility")
                two.insert(two.index("design"), "reproducibility")
            expected = [n for n in (two if comparison.omnibus is None else several) if n != "notes" or comparison.notes]

            assert [part.name for part in document(comparison).sections] == ["reading", *expected]

    def test_numbers_of_a_silent_omnibus_are_shown_but_not_interpreted(
        self, on_every_comparison, section, said, shown_table
    ) -> None:
        @on_every_comparison
        def law(comparison: Comparison) -> None:
            if comparison.posthoc is None:
                return
            report = document(comparison)
            words, decided = said(section(report, "pairs")), {row[-4] for row in shown_table(report, "pairs").rows}

            assert ("shown but not interpreted" in words) == (not comparison.is_conclusive)
            unknown = {"–"} if comparison.validity.untested or not comparison.is_conclusive else set()
            assert decided <= unknown | ({"yes", "no"} if comparison.is_conclusive else set())

    def test_every_citation_is_a_publication(self, on_every_comparison) -> None:
        @on_every_comparison
        def law(comparison: Comparison) -> None:
            cited = document(comparison).cited

            assert set(cited) <= set(PUBLICATIONS)
            assert ("demsar2006" in cited) == (comparison.omnibus_test != "rm-anova")  # which is no test on ranks

    def test_numbers_are_in_the_singular_where_they_are_one(self, said, named: Callable[[str], Comparison]) -> None:
        one = document(named("all pairs: one dataset"))

        assert one.title == "Comparison of 3 classifiers on 1 dataset: AUC, higher is better"
        assert "1 datasets" not in said(one)
        assert "Of 6 pairs, 2 are shown to differ." in said(document(named("all pairs: some differ")))
        assert "Of 3 comparisons, 1 is shown to differ." in said(document(named("control: one better")))
        assert "Of 6 pairs, none is shown to differ" in said(document(named("all pairs: rejects, no pair differs")))

    def test_groups_and_loose_pairs_are_written_out(self, section, said, named: Callable[[str], Comparison]) -> None:
        some = section(document(named("all pairs: some differ")), "ranks")
        loose = section(document(named("all pairs: loose pairs")), "ranks")
        control = section(document(named("control: one better")), "ranks")

        assert [block.items for block in some.blocks if isinstance(block, Listing)] == [
            (("C4.5+m+cf, C4.5+m and C4.5+cf",), ("C4.5+cf and C4.5",))
        ]
        assert "C4.5+m+cf and C4.5" in said(loose)
        assert not any(isinstance(b, Listing) for b in control.blocks)

    def test_long_groups_are_written_by_their_ends(self, said, named: Callable[[str], Comparison]) -> None:
        assert "net 22 to net 12: the 11 classifiers with mean ranks from 9.175 to 16.200" in said(
            document(named("all pairs: 30 classifiers"))
        )


class TestTables:
    def test_ranks_are_in_the_order_of_the_ranking(self, on_every_comparison, shown_table) -> None:
        @on_every_comparison
        def law(comparison: Comparison) -> None:
            rows = shown_table(document(comparison), "ranks").rows

            assert tuple(row[0] for row in rows) == comparison.ranking
            assert [row[1] for row in rows] == [f"{comparison.mean_rank(row[0]):.3f}" for row in rows]

    def test_mean_and_median_scores(self, shown_table, named: Callable[[str], Comparison]) -> None:
        """Demšar (2006), Table 6: C4.5 has the mean AUC .8049 and the median .8285."""
        assert ("C4.5", "3.143", "0.8049", "0.8285") in shown_table(
            document(named("control: one better")), "ranks"
        ).rows

    def test_pairs_are_the_pairs_of_the_comparison(self, on_every_comparison, shown_table) -> None:
        @on_every_comparison
        def law(comparison: Comparison) -> None:
            if comparison.posthoc is None:
                return
            rows = shown_table(document(comparison), "pairs").rows

            assert len(rows) == len(comparison.pairs)
            for row, pair in zip(rows, comparison.pairs, strict=True):
                assert row[0] == pair.first
                assert row[-5] == pvalue_cell(pair.pvalue, comparison.alpha)
                assert row[-3] == f"{pair.n_wins}/{pair.n_ties}/{pair.n_losses}"
                if comparison.significant:
                    lacking = comparison.validity.is_untested(pair.first, pair.second)
                    assert row[-4] == ("–" if lacking else "yes" if pair.different else "no")

    def test_long_list_of_pairs_keeps_the_smallest_pvalues(
        self, said, shown_table, named: Callable[[str], Comparison]
    ) -> None:
        c = named("all pairs: 30 classifiers")

        report = document(c, max_rows=40)

        kept = {(row[0], row[1]) for row in shown_table(report, "pairs").rows}
        smallest = sorted(c.pairs, key=lambda pair: pair.pvalue)[:40]
        assert kept == {(pair.first, pair.second) for pair in smallest}
        assert "The table shows the 40 of 435 pairs with the smallest p-values." in said(report)

    def test_scores_are_shown_in_full(self, shown_table, named: Callable[[str], Comparison]) -> None:
        rows = shown_table(document(named("control: one better"), with_scores=True), "scores").rows

        assert len(rows) == 14
        assert rows[-1] == ("wine", "0.957", "0.978", "0.946", "0.970")


class TestTwo:
    def test_wins_follow_the_direction(self, said, named: Callable[[str], Comparison]) -> None:
        """A loss is better when lower: A, with the lower losses, wins."""
        words = said(document(named("two: lower is better")))

        assert "Sign test: A wins on 20 datasets, loses on 0 and ties on 0 against B" in words
        assert "correlation: +1.000" in words
        assert "lower is better" in words

    def test_interval_names_its_true_level(self, said, named: Callable[[str], Comparison]) -> None:
        interval = named("two: not rejected").hodges_lehmann_interval
        assert interval is not None

        words = said(document(named("two: not rejected")))

        assert f"(exact level {100 * round(interval.attained_level, 4):g} %)" in words

    def test_no_interval_where_nothing_differs(self, said, named: Callable[[str], Comparison]) -> None:
        assert "A minus B: 0, no interval." in said(document(named("two: everything tied")))
