"""Tables as papers and read-me files print them are read, or asked about with an option."""

from __future__ import annotations

import io

import pytest

from evalstats import TableError, read_table
from evalstats.io.sources.numbers import plain_name, without_markup


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        (r"For\^et al\'eatoire", "Forêt aléatoire"),
        (r"Na\"{\i}ve Bayes", "Naïve Bayes"),
        (r"Fran\c{c}ais", "Français"),
        (r"Ho\v{r}ava", "Hořava"),
        (r"Stra{\ss}e", "Straße"),
        (r"S\o ren", "Søren"),
        (r"$\beta$-VAE", "β-VAE"),
        (r"\textbf{$\lambda$-opt}", "λ-opt"),
        (r"$\Delta$", "Δ"),
        (r"\emph{C4.5}", "C4.5"),
        (r"$93.3 \pm 0.5$", "93.3 ± 0.5"),
    ],
)
def test_letters_of_latex_stay_letters(written: str, plain: str) -> None:
    assert without_markup(written) == plain


def test_link_of_markdown_is_its_text() -> None:
    text = (
        "| Model | iris | wine |\n|---|---|---|\n| [NB](https://a.org) | 0.8 | 0.7 |\n| [**SVM**](b.md) | 0.9 | 0.6 |\n"
    )

    assert read_table(io.StringIO(text)).classifiers == ("NB", "SVM")
    assert plain_name("GAT [12] (2018)") == "GAT [12] (2018)"


def test_comma_in_braces_is_a_decimal_comma() -> None:
    text = r"""\begin{tabular}{lcc} & NB & SVM \\ \midrule
    Iris & $0{,}95$ & $\mathbf{0{,}97}$ \\ Glas & $0{,}49$ & $0{,}70$ \\ \end{tabular}"""

    table = read_table(io.StringIO(text))
    assert table.scores.tolist() == [[0.95, 0.97], [0.49, 0.7]]
    assert table.findings[0].code == "decimal-comma"


def test_footnote_behind_bold_type_is_a_mark() -> None:
    text = "| Data | A | B |\n|---|---|---|\n| x | 0.81† | **0.85**¹ |\n| y | 0.72 | __0.75__² |\n"

    assert read_table(io.StringIO(text)).scores.tolist() == [[0.81, 0.85], [0.72, 0.75]]


def test_ranks_in_parentheses_are_ranks_above_a_row_of_mean_ranks() -> None:
    text = "d,A,B,C\nx,98 (1),86 (3),97 (2)\ny,77 (2),73 (3),81 (1)\navg. rank,1.5,3,1.5\n"

    table = read_table(io.StringIO(text))
    assert (table.spread, [one.code for one in table.findings]) == (None, ["ranks"])
    assert [one.name for one in table.left_out] == ["avg. rank"]


def test_row_of_wins_ties_and_losses_of_weka_is_left_out() -> None:
    text = "Dataset,A,B\nx,98.57 v,86.59 *\ny,77.26,72.64 *\n(v/ /*),,(0/0/2)\n"

    table = read_table(io.StringIO(text))
    assert table.datasets == ("x", "y")
    assert [one.name for one in table.left_out] == ["(v/ /*)"]


def test_models_a_and_b_with_intervals_are_classifiers() -> None:
    text = (
        "Dataset\tModel A\tModel B\nx\t0.81 [0.79, 0.83]\t0.83 [0.81, 0.85]\ny\t0.70 [0.68, 0.72]\t0.71 [0.69, 0.73]\n"
    )

    assert read_table(io.StringIO(text)).classifiers == ("Model A", "Model B")


def test_column_of_signed_numbers_is_the_difference_that_it_is_called() -> None:
    """The difference of rounded means need not be the rounded mean of the differences."""
    text = "Data,Old,New,Δ\nx,81.5,83.3,+1.8\ny,70.3,72.5,+2.2\nz,79.0,79.0,0.0\nw,76.9,78.3,+1.3\n"

    assert [one.reason for one in read_table(io.StringIO(text)).left_out] == ["is a difference between other columns"]


def test_thousands_separator_of_a_turned_table_is_asked_about() -> None:
    text = "| Model | iris | wine |\n|---|---|---|\n| SVM | 1,243 | 1,100 |\n| NB | 1,131 | 1,090 |\n"

    with pytest.raises(TableError, match=r"column 'iris' of 'SVM': '1,243' .* or parsing={'thousands': ','} if it"):
        read_table(io.StringIO(text))
    table = read_table(io.StringIO(text), parsing={"thousands": ","})
    assert table.scores.tolist() == [[1243.0, 1131.0], [1100.0, 1090.0]]


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        (r"BERT$_{\text{base}}$", "BERT base"),
        (r"T5$_{11B}$", "T5 11B"),
        (r"\textbf{95.1}$_{0.2}$", "95.1 ± 0.2"),
        (r"$93.3_{\pm 0.5}$", "93.3 ± 0.5"),
    ],
)
def test_subscript_of_a_name_is_no_spread(written: str, plain: str) -> None:
    assert without_markup(written) == plain


@pytest.mark.parametrize("unit", ["(s)", "[s]", "(ms)"])
def test_scores_in_seconds_are_times(unit: str) -> None:
    table = read_table(io.StringIO(f"Dataset,NB {unit},SVM {unit}\nx,1.2,1.1\ny,4.5,4.0\nz,2.2,2.1\n"))

    assert (table.classifiers, table.greater_is_better) == (("NB", "SVM"), False)
    with pytest.raises(TableError, match=r"'v1 .* have names of metrics, not of classifiers; .* pass layout='wide'"):
        read_table(io.StringIO(f"Benchmark,v1 {unit},v2 {unit}\nparse,1.2,1.1\neval,4.5,4.0\nfly,2.2,2.1\n"))


def test_points_of_r_are_those_of_blanks() -> None:
    text = "task.id,learner.id,mmce.test.mean\nx,lda,.02\nx,rpart,.06\ny,lda,.25\ny,rpart,.3\n"

    table = read_table(io.StringIO(text))
    assert (table.classifiers, table.datasets, table.greater_is_better) == (("lda", "rpart"), ("x", "y"), False)


def test_two_numbers_in_a_cell_are_told() -> None:
    with pytest.raises(
        TableError, match=r"'0\.91/1' is not a number, because it holds two numbers; write one number in each"
    ):
        read_table(io.StringIO("Dataset,A,B\nx,0.91/1,0.90/2\ny,0.71/2,0.80/1\n"))
