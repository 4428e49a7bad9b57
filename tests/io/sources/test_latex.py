"""A tabular of LaTeX is its cells."""

from __future__ import annotations

import io

import pytest

from evalstats.io.reader.tables import read_table
from evalstats.io.sources.latex import grid_of_latex, looks_like_latex
from evalstats.tables.errors import TableError

BOOKTABS = r"""
\begin{table}[t]
\caption{Accuracy, in \%, of all}
\centering
\begin{tabular}{l@{\hskip 1em}cc}
\toprule
 & \multicolumn{2}{c}{Accuracy} \\
\cmidrule(lr){2-3}
Dataset & NB & \textbf{SVM} \\ % the header
\midrule
iris & $93.3 \pm 0.5$ & \textbf{95.0 $\pm$ 0.2} \\
breast\_cancer & 70.1$^{*}$ & \underline{71.2} \\[2pt]
\hline
Average & 81.7 & 83.1 \\
\bottomrule
\end{tabular}
\end{table}
"""


def grid(text: str):
    return grid_of_latex("t", list(enumerate(text.splitlines(keepends=True), 1)))


def test_table_of_a_paper_is_read() -> None:
    table = read_table(io.StringIO(BOOKTABS))

    assert table.scores.tolist() == [[93.3, 95.0], [70.1, 71.2]]
    assert (table.datasets, table.classifiers, table.metric) == (("iris", "breast_cancer"), ("NB", "SVM"), "Accuracy")
    assert table.spread is not None
    assert table.spread[0].tolist() == [0.5, 0.2]
    assert [one.name for one in table.left_out] == ["Average"]


def test_lines_are_those_of_the_file() -> None:
    with pytest.raises(TableError, match=r"t, line 3, column 'NB': 'DNF' is not a number"):
        read_table(_Named("Dataset & NB & SVM \\\\\niris & 1 & 2 \\\\\nglass & DNF & 3 \\\\\n"))


class _Named(io.StringIO):
    name = "t"


@pytest.mark.parametrize(
    "text",
    [
        "d & a \\\\\nx & 1 \\\\\n",
        "d & a \\\\ \\hline\nx & 1",
        "\\begin{tabular}{ll} d & a \\\\ x & 1 \\end{tabular}",
        (
            "\\begin{tabular*}{\\textwidth}[t]{l@{\\extracolsep{\\fill}}l}\nd\n& a \\tabularnewline\n"
            "x &\n1\\\\\n\\end{tabular*}"
        ),
        (
            "% a comment & more \\\\\n\\begin{longtable}{ll}\n\\toprule d & a \\\\ \\endhead % & z\n"
            "x & 1 \\\\\n\\end{longtable}\n"
        ),
    ],
)
def test_forms_of_rows(text: str) -> None:
    found = grid(text)

    assert (found.header, [[cell.strip() for cell in column] for column in found.columns]) == (
        ["d", "a"],
        [["x"], ["1"]],
    )


def test_multirow_names_the_rows_below() -> None:
    found = grid(
        "dataset & model & acc \\\\\n\\multirow{2}{*}{iris} & NB & 1 \\\\\n & SVM & 2 \\\\\n"
        "\\multirow{2}*{glass} & NB & 3 \\\\ \\cline{2-3}\n & SVM & 4 \\\\\n".replace("}*{", "}{*}{")
    )

    assert found.columns[0] == ["iris", "iris", "glass", "glass"]


def test_escaped_signs_are_no_ends_of_cells() -> None:
    assert grid("d & A\\&B \\\\\nx\\% & 1 \\\\\n").header == ["d", "A&B"]


def test_headings_and_stacked_cells_are_no_rows() -> None:
    text = (
        "\\resizebox{\\textwidth}{!}{\\begin{tabular}{@{}l *{2}{S[table-format=2.1]}@{}}\n"
        "Dataset & {\\makecell{Naive\\\\Bayes}} & {\\textsc{SVM}~\\cite{x}} \\\\ \\midrule\n"
        "\\multicolumn{3}{l}{\\textit{Small datasets}} \\\\\n\\rowcolor{gray!10} iris & 93.3 & 95 \\\\\n"
        "\\multicolumn{3}{c}{Large datasets} \\\\\nwine & 80 & \\cellcolor{red!20}70 \\\\ \\bottomrule\n"
        "\\end{tabular}}\n"
    )

    table = read_table(io.StringIO(text))

    assert (table.datasets, table.classifiers) == (("iris", "wine"), ("Naive Bayes", "SVM"))
    assert table.scores.tolist() == [[93.3, 95.0], [80.0, 70.0]]
    assert "headings" in [one.code for one in table.findings]


def test_two_tabulars_are_asked_for() -> None:
    one = "\\begin{tabular}{ll}\nd & a \\\\\nx & 1 \\\\\n\\end{tabular}\n"

    with pytest.raises(TableError, match=r"holds 2 tables of LaTeX, in the lines '2-3', '6-7'"):
        grid(one + one)


def test_first_line_of_latex() -> None:
    assert all(map(looks_like_latex, ["% x", "\\begin{table}", "a & b \\\\", "\\textbf{a} & b"]))
    assert not any(map(looks_like_latex, ["dataset,\\alpha,b", "C:\\data,b"]))
