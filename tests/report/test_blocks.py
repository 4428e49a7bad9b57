"""A document is made of blocks: what is empty has no heading, and what is cited is found wherever it stands."""

from __future__ import annotations

import pytest

from evalstats.report.blocks import Cite, Column, Document, Listing, heads, listing, paragraph, section, sections


def test_citations_are_listed_once_in_the_order_of_the_first() -> None:
    document = Document(
        title="A title",
        verdict=paragraph("It is so ", Cite(("c2",)), "."),
        sections=(
            section("one", "One", paragraph("As before ", Cite(("c1", "c2")))),
            section("two", "Two", listing(["no citation", ("a place ", Cite(("c3",)))]), paragraph(Cite(("c1",)))),
        ),
    )

    assert document.cited == ("c2", "c1", "c3")


def test_items_are_sentences_whether_plain_or_in_parts() -> None:
    assert listing(["plain", ("in ", Cite(("c1",)))]) == Listing(items=(("plain",), ("in ", Cite(("c1",)))))


def test_heading_without_anything_below_it_is_left_out() -> None:
    made = sections({"Scores": paragraph("some"), "Nothing": None, "What failed": listing([])})

    assert [(part.heading, part.blocks) for part in made] == [("Scores", (paragraph("some"),))]


@pytest.mark.parametrize(
    ("heading", "name"),
    [("Data", "data"), ("What failed", "what-failed"), ("Would 2 runs agree?", "would-runs-agree")],
)
def test_name_of_a_section_is_its_heading_in_letters(heading: str, name: str) -> None:
    assert [part.name for part in sections({heading: paragraph("some")})] == [name]


def test_numbers_stand_after_names() -> None:
    assert heads(["Dataset"], ["A", "B"]) == (
        Column(head="Dataset"),
        Column(head="A", numeric=True),
        Column(head="B", numeric=True),
    )
