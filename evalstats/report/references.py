"""Which publications stand behind the report?"""

from __future__ import annotations

__all__ = ["PUBLICATIONS", "Publication", "bibliography", "citation"]

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Publication:
    """One entry of the bibliography; authors as 'Family, Given'."""

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
        """Authors and year as they stand in a sentence."""
        families = [author.partition(",")[0] for author in self.authors]
        names = f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
        return f"{names}, {self.year}"

    @property
    def long(self) -> str:
        """The whole entry as it stands in a list of references, without the address."""
        authors = " & ".join(self.authors) if len(self.authors) < 3 else "; ".join(self.authors)
        stop = "" if self.title.endswith("?") else "."
        return f"{authors} ({self.year}). {self.title}{stop} {self.where}{self.details}."


def _article(
    authors: Sequence[str], year: int, title: str, journal: str, volume: str, number: str, pages: str, url: str
) -> Publication:
    fields = {"journal": journal, "volume": volume, "number": number, "pages": pages}
    if url.startswith("https://doi.org/"):
        fields["doi"] = url.removeprefix("https://doi.org/")
    else:
        fields["url"] = url
    return Publication(
        kind="article",
        authors=tuple(authors),
        year=year,
        title=title,
        where=journal,
        details=f", {volume}" + (f"({number})" if number else "") + f", {pages}",
        fields=tuple((name, value) for name, value in fields.items() if value),
        url=url,
    )


PUBLICATIONS: dict[str, Publication] = {
    "benavoli2016": _article(
        ["Benavoli, Alessio", "Corani, Giorgio", "Mangili, Francesca"],
        2016,
        "Should We Really Use Post-Hoc Tests Based on Mean-Ranks?",
        "Journal of Machine Learning Research",
        "17",
        "5",
        "1–10",
        "https://jmlr.org/papers/v17/benavoli16a.html",
    ),
    "demsar2006": _article(
        ["Demšar, Janez"],
        2006,
        "Statistical Comparisons of Classifiers over Multiple Data Sets",
        "Journal of Machine Learning Research",
        "7",
        "",
        "1–30",
        "https://jmlr.org/papers/v7/demsar06a.html",
    ),
    "dunn1961": _article(
        ["Dunn, Olive Jean"],
        1961,
        "Multiple Comparisons Among Means",
        "Journal of the American Statistical Association",
        "56",
        "293",
        "52–64",
        "https://doi.org/10.1080/01621459.1961.10482090",
    ),
    "friedman1937": _article(
        ["Friedman, Milton"],
        1937,
        "The Use of Ranks to Avoid the Assumption of Normality Implicit in the Analysis of Variance",
        "Journal of the American Statistical Association",
        "32",
        "200",
        "675–701",
        "https://doi.org/10.1080/01621459.1937.10503522",
    ),
    "garcia2008": _article(
        ["García, Salvador", "Herrera, Francisco"],
        2008,
        "An Extension on “Statistical Comparisons of Classifiers over Multiple Data Sets” for All Pairwise Comparisons",
        "Journal of Machine Learning Research",
        "9",
        "",
        "2677–2694",
        "https://jmlr.org/papers/v9/garcia08a.html",
    ),
    "hodges1963": _article(
        ["Hodges, Joseph L.", "Lehmann, Erich L."],
        1963,
        "Estimates of Location Based on Rank Tests",
        "The Annals of Mathematical Statistics",
        "34",
        "2",
        "598–611",
        "https://doi.org/10.1214/aoms/1177704172",
    ),
    "iman1980": _article(
        ["Iman, Ronald L.", "Davenport, James M."],
        1980,
        "Approximations of the Critical Region of the Friedman Statistic",
        "Communications in Statistics - Theory and Methods",
        "9",
        "6",
        "571–595",
        "https://doi.org/10.1080/03610928008827904",
    ),
    "kerby2014": _article(
        ["Kerby, Dave S."],
        2014,
        "The Simple Difference Formula: An Approach to Teaching Nonparametric Correlation",
        "Comprehensive Psychology",
        "3",
        "",
        "11.IT.3.1",
        "https://doi.org/10.2466/11.IT.3.1",
    ),
    "nemenyi1963": Publication(
        kind="phdthesis",
        authors=("Nemenyi, Peter Björn",),
        year=1963,
        title="Distribution-Free Multiple Comparisons",
        where="PhD thesis, Princeton University",
        details="",
        fields=(("school", "Princeton University"),),
        url="",
    ),
    "wilcoxon1945": _article(
        ["Wilcoxon, Frank"],
        1945,
        "Individual Comparisons by Ranking Methods",
        "Biometrics Bulletin",
        "1",
        "6",
        "80–83",
        "https://doi.org/10.2307/3001968",
    ),
}

# what classic BibTeX, which knows bytes and not letters, needs written as commands
_BIBTEX = {"š": r"{\v{s}}", "í": r"{\'i}", "ö": r"{\"o}", "–": "--", "“": "``", "”": "''"}


def citation(keys: Sequence[str]) -> str:
    """Write a citation for a sentence: '(Demšar, 2006; Nemenyi, 1963)'."""
    return "(" + "; ".join(PUBLICATIONS[key].short for key in keys) + ")"


def bibliography() -> str:
    """Return the publications that reports cite, as a BibTeX file.

    Returns
    -------
    str
        One entry for each key that ``report.latex`` may cite.

    Examples
    --------
    >>> from evalstats import report
    >>> print(report.bibliography()[:20])
    @article{benavoli201
    """
    return "\n\n".join(_entry(key, publication) for key, publication in PUBLICATIONS.items()) + "\n"


def _entry(key: str, publication: Publication) -> str:
    # double braces keep the capitals of the title, whatever the style does with titles
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
