"""What hangs on the analysis, on a dataset or on a classifier is shown beside what does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evalstats import Comparison, compare, example_table
from evalstats.report import document, text

NAMED = Callable[[str], Comparison]
each = pytest.mark.parametrize("name", ["all pairs: robustness", "control: robustness", "two: robustness"])


@each
def test_analyses_are_counted_as_they_decided(named: NAMED, shown_table, name: str) -> None:
    robustness = named(name).robustness
    rows = shown_table(document(named(name)), "analyses").rows
    written = [cell for row in rows for cell in row[3:] if cell]

    assert sorted(int(cell.strip("[]!")) for cell in written) == sorted(sum(a.different) for a in robustness.analyses)
    assert [cell for cell in written if "[" in cell] == [f"[{sum(robustness.analyses[0].different)}]"]
    assert sum("!" in cell for cell in written) == sum(a.agreement < 1 for a in robustness.analyses)


@each
def test_pairs_show_how_many_analyses_agree(named: NAMED, shown_table, name: str) -> None:
    robustness = named(name).robustness
    rows = shown_table(document(named(name)), "stability").rows

    assert [(row[0], row[1], row[2] == "yes", row[3]) for row in rows] == [
        (p.first, p.second, p.different, f"{p.n_different}/{robustness.n_analyses}") for p in robustness.pairs
    ]


@each
def test_deciding_names_are_listed_and_the_others_counted(named: NAMED, shown_table, name: str) -> None:
    pairs = named(name).robustness.pairs
    shown = [row[-1] for row in shown_table(document(named(name)), "stability").rows]

    for pair, words in zip(pairs, shown, strict=True):
        deciding = [*pair.deciding_datasets, *pair.deciding_classifiers]
        assert words.startswith(deciding[0]) if deciding else words == "–", (pair.first, pair.second)


def test_long_list_keeps_the_least_stable_pairs(named: NAMED, shown_table) -> None:
    comparison = named("all pairs: robustness")
    table = shown_table(document(comparison, max_rows=2), "stability")
    kept = {(row[0], row[1]) for row in table.rows}
    stability = {(pair.first, pair.second): pair.stability for pair in comparison.robustness.pairs}

    assert len(kept) == 2
    assert max(stability[pair] for pair in kept) <= min(stability[pair] for pair in stability.keys() - kept)
    assert ", the least stable pairs." in table.caption


def test_agreement_is_said_in_words(named: NAMED, section, said) -> None:
    disputed = said(section(document(named("all pairs: robustness")), "analyses"))
    unanimous = said(section(document(named("two: robustness")), "analyses"))

    assert "some decide differently, on 4 of 6 pairs" in disputed
    assert "reach the same decision on every pair" in unanimous
    assert "Left out because the data contradict an assumption:" in disputed


def test_primary_analysis_is_named_in_words_and_not_by_codes() -> None:
    said = " ".join(text(compare(example_table("demsar-2006"), posthoc="sign", adjust="by", robustness=True)).split())

    assert "is from the primary analysis (sign test with Benjamini and Yekutieli's method)." in said


def test_table_says_what_a_leading_test_means(named: NAMED, shown_table) -> None:
    """It stands beside tests that need it, which keep their level if all classifiers perform equally, and no others."""
    table = shown_table(document(named("all pairs: robustness")), "analyses")
    leading = {row[0]: row[1] for row in table.rows}

    assert "The rate is then controlled only if all classifiers perform equally." in " ".join(table.caption.split())
    assert (leading["wilcoxon"], leading["sign"], leading["nemenyi"]) == ("–", "–", "Friedman")


def test_bayesian_answers_stand_in_the_table_of_pairs_and_in_a_sentence(shown_table, section, said) -> None:
    found = compare(example_table("demsar-2006"), robustness=True, rope=0.01)
    table = shown_table(document(found), "stability")
    place = [column.head for column in table.columns].index("Posterior")

    assert [row[place].rstrip("!") for row in table.rows] == [pair.posterior for pair in found.robustness.pairs]
    assert [row[place].endswith("!") for row in table.rows] == [
        not pair.posterior_agrees for pair in found.robustness.pairs
    ]
    assert (
        "With a rope of 0.01, the Bayesian signed-rank test answers on 6 pairs: 1 better and 5 undecided. It agrees "
        "with the primary analysis on 4 of them."
    ) in said(section(document(found), "analyses"))


def test_table_of_pairs_has_no_bayesian_column_without_a_rope(named: NAMED, shown_table) -> None:
    table = shown_table(document(named("all pairs: robustness")), "stability")

    assert "Posterior" not in [column.head for column in table.columns]
