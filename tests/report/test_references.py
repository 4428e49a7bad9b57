"""The bibliography: complete entries that BibTeX reads."""

from __future__ import annotations

import re

import pytest

from evalstats import report
from evalstats.report.references import PUBLICATIONS, citation

ENTRIES = dict(re.findall(r"^@\w+\{(\w+),\n(.*?)\n\}$", report.bibliography(), flags=re.DOTALL | re.MULTILINE))


def test_every_publication_has_an_entry() -> None:
    assert list(ENTRIES) == sorted(PUBLICATIONS)


@pytest.mark.parametrize("key", PUBLICATIONS)
def test_entry_is_complete(key: str) -> None:
    fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", ENTRIES[key], flags=re.MULTILINE))
    kind = PUBLICATIONS[key].kind

    needed = {
        "article": {"author", "title", "journal", "year", "volume", "pages"},
        "book": {"author", "title", "publisher", "year"},
        "inproceedings": {"author", "title", "booktitle", "year", "pages"},
        "phdthesis": {"author", "title", "school", "year"},
    }
    assert needed[kind] <= set(fields)
    assert fields["year"] == key[-4:]
    assert fields["title"].startswith("{")
    assert ENTRIES[key].count("{") == ENTRIES[key].count("}")
    assert ENTRIES[key].isascii()
    assert not re.search(r"(?<!\\)&", ENTRIES[key])


def test_citation() -> None:
    assert citation(["demsar2006"]) == "(Demšar, 2006)"
    assert citation(["iman1980", "benavoli2016"]) == "(Iman & Davenport, 1980; Benavoli et al., 2016)"


def test_long_form() -> None:
    assert PUBLICATIONS["demsar2006"].long == (
        "Demšar, Janez (2006). Statistical Comparisons of Classifiers over Multiple Data Sets. "
        "Journal of Machine Learning Research, 7, 1–30."
    )
    assert "Mean-Ranks? Journal" in PUBLICATIONS["benavoli2016"].long


def test_bibliography_of_what_is_cited() -> None:
    some = report.bibliography(["nemenyi1963", "demsar2006", "demsar2006"])

    assert re.findall(r"@\w+\{(\w+),", some) == ["demsar2006", "nemenyi1963"]
    assert all(entry in report.bibliography() for entry in some.rstrip().split("\n\n"))
    assert report.bibliography([]) == ""
    with pytest.raises(ValueError, match=r"keys must be 'alpaydin1999' or .*, not 'demsar'"):
        report.bibliography(["demsar"])
