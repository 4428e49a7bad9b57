"""Publications that the reports cite."""

from __future__ import annotations

__all__ = ["PUBLICATIONS", "Publication", "bibliography", "citation"]

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalstats import _checks


@dataclass(frozen=True, kw_only=True)
class Publication:
    """One entry of the bibliography. The authors are written as 'Family, Given'."""

    kind: str
    authors: tuple[str, ...]
    year: int
    title: str
    where: str
    details: str
    fields: tuple[tuple[str, str], ...]
    url: str

    @property
    def short(self) -> str:
        """Authors and year, as cited in a sentence."""
        families = [author.partition(",")[0] for author in self.authors]
        names = f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
        return f"{names}, {self.year}"

    @property
    def long(self) -> str:
        """Complete entry for a list of references, without the address."""
        authors = " & ".join(self.authors) if len(self.authors) < 3 else "; ".join(self.authors)
        stop = "" if self.title.endswith("?") else "."
        return f"{authors} ({self.year}). {self.title}{stop} {self.where}{self.details}."


def _publication(entry: dict[str, Any]) -> Publication:
    kind, authors, year, title = (entry.pop(name) for name in ("kind", "authors", "year", "title"))
    container = next(name for name in ("journal", "booktitle", "publisher", "school") if name in entry)
    number = f"({entry['number']})" if "number" in entry else ""
    details = (entry.get("volume", "") + number, entry.get("edition"), entry.get("pages"))
    return Publication(
        kind=kind,
        authors=tuple(authors),
        year=year,
        title=title,
        where=f"PhD thesis, {entry[container]}" if kind == "phdthesis" else entry[container],
        details="".join(f", {detail}" for detail in details if detail),
        fields=tuple(entry.items()),
        url=f"https://doi.org/{entry['doi']}" if "doi" in entry else entry.get("url", ""),
    )


_ENTRIES = json.loads(Path(__file__).with_name("publications.json").read_text(encoding="utf-8"))
PUBLICATIONS = {key: _publication(entry) for key, entry in _ENTRIES.items()}

# characters that must be commands in classic BibTeX, because it processes bytes
_BIBTEX = {
    "&": r"\&",
    "ı": r"{\i}",
    "×": r"$\times$",
    "š": r"{\v{s}}",
    "Š": r"{\v{S}}",
    "ě": r"{\v{e}}",
    "í": r"{\'i}",
    "ö": r"{\"o}",
    "á": r"{\'a}",
    "–": "--",
    "“": "``",
    "”": "''",
}


def citation(keys: Sequence[str]) -> str:
    """Format a citation for a sentence: '(Demšar, 2006; Nemenyi, 1963)'."""
    return "(" + "; ".join(PUBLICATIONS[key].short for key in keys) + ")"


def bibliography(keys: Iterable[str] | None = None) -> str:
    """Return the publications that reports cite, as a BibTeX file.

    Parameters
    ----------
    keys : iterable of str, optional
        Keys of the publications, such as `Document.cited`. Default: all publications.

    Returns
    -------
    str
        One entry for each key that ``report.latex`` may cite.

    Examples
    --------
    >>> from evalstats import report
    >>> print(report.bibliography()[:20])
    @article{alpaydin199
    """
    wanted = PUBLICATIONS
    if keys is not None:
        named = [_checks.choice(key, "keys", tuple(PUBLICATIONS)) for key in _checks.listed(keys, "keys", "citations")]
        wanted = {key: PUBLICATIONS[key] for key in sorted(set(named))}
    return "".join(f"{_entry(key, publication)}\n\n" for key, publication in wanted.items())[:-1]


def _entry(key: str, publication: Publication) -> str:
    # double braces preserve the capitals of the title in all styles
    fields = {
        "author": " and ".join(publication.authors),
        "title": f"{{{publication.title}}}",
        **dict(publication.fields),
        "year": str(publication.year),
    }
    lines = [f"  {name} = {{{_bibtex(value)}}}" for name, value in fields.items()]
    return f"@{publication.kind}{{{key},\n" + ",\n".join(lines) + "\n}"


def _bibtex(text: str) -> str:
    return "".join(_BIBTEX.get(character, character) for character in text)
