"""Multi-comparison matrix: worked values, order by the mean, missing scores, a control, many classifiers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evalstats import compare, example_table, report
from evalstats.comparison.record import pair_matrix
from evalstats.plot import multi_comparison_matrix
from evalstats.plot.style import PAGE_HEIGHT, PAGE_WIDTH

A, B, C = np.array(
    [
        [0.81, 0.74, 0.90, 0.66, 0.78, 0.85, 0.70, 0.92],
        [0.79, 0.74, 0.88, 0.60, 0.80, 0.83, 0.66, 0.90],
        [0.70, 0.71, 0.86, 0.61, 0.75, 0.84, 0.69, 0.85],
    ]
)
MINUS = str.maketrans("−", "-")


def cells(ax) -> dict[tuple[str, str], list[str]]:
    """Return the lines of the cells by the names of the row and of the column."""
    rows, columns = ([t.get_text() for t in axis.get_ticklabels()] for axis in (ax.yaxis, ax.xaxis))
    texts = [t for t in ax.texts if t.get_text().count("/") == 2]
    at = [tuple(map(round, t.get_position())) for t in texts]
    return {
        (rows[y], columns[x]): t.get_text().translate(MINUS).split("\n") for (x, y), t in zip(at, texts, strict=True)
    }


@pytest.mark.sampled
def test_new_figure_is_legible(every_comparison, assert_legible) -> None:
    assert_legible(multi_comparison_matrix(every_comparison, title="A title of the picture"))


def test_one_dataset_is_legible(of_folds, assert_legible) -> None:
    assert_legible(multi_comparison_matrix(of_folds, title="A title of the picture"))


def test_worked_values(from_scores) -> None:
    """Differences, counts and exact p-values without adjustment: 1/128 if one wins on all 8 datasets."""
    drawn = cells(multi_comparison_matrix(from_scores(np.column_stack([B, C, A]), "BCA", adjust="none")))

    assert list(drawn) == [("A", "B"), ("A", "C"), ("B", "A"), ("B", "C"), ("C", "A"), ("C", "B")]
    assert drawn["A", "B"][:2] == ["+0.0200", "6/1/1"]
    assert drawn["A", "C"] == ["+0.0438", "8/0/0", "0.008"]
    assert drawn["B", "C"] == ["+0.0238", "5/0/3", "0.156"]
    assert drawn["C", "B"] == ["-0.0238", "3/0/5", "0.156"]


def test_pvalues_are_adjusted_as_in_the_comparison(from_scores) -> None:
    c = from_scores(np.column_stack([A, B, C]))
    ax = multi_comparison_matrix(c)

    assert cells(ax)["A", "C"][2] == "0.023"  # 3 / 128
    assert c.pair("A", "C").pvalue == pytest.approx(3 / 128)
    assert "Holm's method" in ax.get_xlabel().replace("\n", " ")
    assert "p-values depend on the other classifiers" in ax.get_xlabel().replace("\n", " ")


def test_nothing_depends_on_other_classifiers_without_an_adjustment(from_scores) -> None:
    both = (
        multi_comparison_matrix(from_scores(np.column_stack(of), adjust="none")) for of in ([A, B, C], [A, B, C, A])
    )
    few, many = map(cells, both)

    assert {pair: many[pair] for pair in few} == few
    ax = multi_comparison_matrix(from_scores(np.column_stack([A, B, C]), adjust="none"))
    assert "No cell depends on the other classifiers" in ax.get_xlabel().replace("\n", " ")


def test_order_is_by_mean_score_and_not_by_rank(from_scores) -> None:
    """B has the better rank on all datasets but one, on which it fails."""
    a, b = np.full(6, 0.7), np.array([0.8, 0.8, 0.8, 0.8, 0.8, 0.0])
    c = from_scores(np.column_stack([b, a, a - 0.2]), "BAC")

    assert c.ranking[0] == "B"
    assert pair_matrix(c, 9).rows == ("A", "B", "C")


def test_lower_is_better() -> None:
    """For losses the smaller mean is first, and the counts stay; only the signs of the differences are turned."""
    table = example_table("demsar-2006")
    one, other = (
        cells(multi_comparison_matrix(compare(t)))
        for t in (table, replace(table, scores=-table.scores, greater_is_better=False))
    )

    assert list(one) == list(other)
    assert all(
        (float(own[0]), own[1:]) == (-float(turned[0]), turned[1:])
        for own, turned in zip(one.values(), other.values(), strict=True)
    )


def test_missing_scores_are_left_out_of_each_pair(incomplete) -> None:
    found = pair_matrix(incomplete, 9)
    at = {name: i for i, name in enumerate(found.rows)}
    first, second, third, fourth = (at[name] for name in incomplete.table.classifiers)

    assert found.difference[first, second] == pytest.approx(-1)
    assert found.difference[second, fourth] == pytest.approx(1.5)  # 2 and 2.5 against 0.5 and 1
    assert np.isnan(found.difference[first, third])
    assert found.counts is not None
    assert found.counts.n[first, third] == 0


def test_control_is_the_only_column() -> None:
    ax = multi_comparison_matrix(compare(example_table("demsar-2006"), control="C4.5"))

    assert [t.get_text() for t in ax.get_xticklabels()] == ["C4.5"]
    assert cells(ax)["C4.5+m", "C4.5"][1] == "10/2/2"


def test_of_many_classifiers_the_best_are_legible(of_many, assert_legible) -> None:
    ax = multi_comparison_matrix(of_many(40))

    assert_legible(ax)
    assert len(ax.get_yticklabels()) == 10
    assert "The matrix shows the 10 of 40 classifiers with the best mean scores." in ax.get_xlabel().replace("\n", " ")
    assert min(t.get_fontsize() for t in ax.texts) >= 6
    assert tuple(ax.figure.get_size_inches()) <= (PAGE_WIDTH, PAGE_HEIGHT)


def test_more_can_be_shown(of_many) -> None:
    assert len(multi_comparison_matrix(of_many(40), max_shown=20).get_yticklabels()) == 20


def test_questions_have_differences_and_counts() -> None:
    rows = [(m, f"q{q}", int(q % n > 0)) for q in range(30) for m, n in (("a", 2), ("b", 3))]
    answers = dict(zip(("model", "question", "correct"), map(list, zip(*rows, strict=True)), strict=True))

    assert cells(multi_comparison_matrix(compare(answers)))["b", "a"][:2] == ["+0.167", "10/15/5"]


def test_table_has_the_numbers_of_the_plot() -> None:
    c = compare(example_table("demsar-2006"))
    drawn = cells(multi_comparison_matrix(c))
    text = report.markdown(c, part="matrix").translate(MINUS)
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    names = [cell.strip() for cell in lines[0][2:]]
    for at, row in enumerate(names):
        difference, counts, _ = (line[2:] for line in lines[2 + 3 * at : 5 + 3 * at])
        for j, column in enumerate(names):
            assert row == column or [difference[j].strip(), counts[j].strip()] == drawn[row, column][:2]


def test_not_a_comparison() -> None:
    with pytest.raises(TypeError, match="comparison must be a result of compare, not int"):
        multi_comparison_matrix(3)
