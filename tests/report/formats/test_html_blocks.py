"""Blocks as HTML: names break where they may, what is written from the right is set apart, nothing becomes a tag."""

from __future__ import annotations

import pytest

from evalstats.report.blocks import Cite, Column, Table, listing, paragraph
from evalstats.report.formats.html import block, words

HEADS = (Column(head="Name"), Column(head="p", numeric=True), Column(head="Differ"))


def cells(*row: str, **more: object) -> str:
    return block(Table(name="pairs", caption="", columns=HEADS, rows=(row,), **more))


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("mlp_matlab", "mlp_matlab"),
        ("bagging_mlp_matlab", "bagging_<wbr>mlp_<wbr>matlab"),
        ("MultiBoostAB_NaiveBayes", "Multi<wbr>BoostAB_<wbr>Naive<wbr>Bayes"),
        ("resnet50/lr-0.01,0.1", "resnet50/<wbr>lr-<wbr>0.01,0.1"),
        ("C4.5+m+cf+smoothing", "C4.5+<wbr>m+<wbr>cf+<wbr>smoothing"),
        ("a<b>", "a&lt;b&gt;"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)<wbr>&lt;/<wbr>script&gt;"),
        ("<img onerror=alert(1)>", "&lt;img onerror=alert(1)&gt;"),
        ("SVM", "SVM"),
    ],
)
def test_names_break_between_their_words(name: str, written: str) -> None:
    of_long = ' class="long"' if len(name) > 16 else ""

    assert f'<th scope="row"{of_long}>{written}</th>' in cells(name, "1", "no")


def test_powers_of_ten_and_marks() -> None:
    page = cells("a", "1.10e-04", "yes", marked=(True,), best=frozenset({(0, 1)}))

    assert '<tr class="marked">' in page
    assert "<td><b>1.10 × 10<sup>−4</sup></b></td>" in page
    assert '<td class="t"><b>yes</b></td>' in page


def test_foot_is_no_row_that_could_be_sorted() -> None:
    page = block(Table(name="s", caption="", columns=HEADS[:2], rows=(("a", "1"), ("Mean", "2")), foot=True))

    assert page.index("</tbody>") < page.index("Mean") < page.index("</tfoot>")


def test_what_is_written_from_the_right_is_set_apart() -> None:
    assert words("שלום עולם (1) and מצנף") == "<bdi>שלום עולם</bdi> (1) and <bdi>מצנף</bdi>"
    assert '<th scope="row" dir="auto">' in cells("שלום", "1", "no")


def test_citations_link_where_there_are_references() -> None:
    said = paragraph("by Friedman ", Cite(("friedman1937",)), ".")

    assert block(said) == '<p>by Friedman (<a href="#ref-friedman1937">Friedman, 1937</a>).</p>'
    assert block(said, links=False) == "<p>by Friedman (Friedman, 1937).</p>"


def test_lists() -> None:
    assert block(listing(["a < b", "c"])) == "<ul>\n<li>a\u00a0&lt;\u00a0b</li>\n<li>c</li>\n</ul>"


def test_long_words_of_a_sentence_may_break_and_small_numbers_may_not() -> None:
    name = "MultiBoostAB_MultilayerPerceptron_weka_resampled"

    assert words(f"{name} wins (p = 3.77e-28).") == (
        "Multi<wbr>BoostAB_<wbr>Multilayer<wbr>Perceptron_<wbr>weka_<wbr>resampled wins "
        '(p\u00a0=\u00a0<span class="whole">3.77e-28</span>).'
    )
    assert words("lr-1e-05 and C4.5_m are short") == "lr-1e-05 and C4.5_m are short"
    assert words("at least 1.00e-04; 5e-9.") == (
        'at least <span class="whole">1.00e-04</span>; <span class="whole">5e-9</span>.'
    )
