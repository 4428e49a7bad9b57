"""Publications that the reports cite."""

from __future__ import annotations

__all__ = ["PUBLICATIONS", "Publication", "bibliography", "citation"]

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalstats import _checks


@dataclass(frozen=True, kw_only=True)
class Publication:
    """One entry of the bibliography; the authors are written as 'Family, Given'."""

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
        """Authors and year, as in a sentence."""
        families = [author.partition(",")[0] for author in self.authors]
        names = f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
        return f"{names}, {self.year}"

    @property
    def long(self) -> str:
        """Complete entry of a list of references, without the address."""
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


# fmt: off
PUBLICATIONS: dict[str, Publication] = {
    "alpaydin1999": _article(
        ["Alpaydın, Ethem"], 1999,
        "Combined 5 × 2 cv F Test for Comparing Supervised Classification Learning Algorithms",
        "Neural Computation", "11", "8", "1885–1892", "https://doi.org/10.1162/089976699300016007",
    ),
    "bell2002": _article(
        ["Bell, Robert M.", "McCaffrey, Daniel F."], 2002,
        "Bias Reduction in Standard Errors for Linear Regression with Multi-Stage Samples",
        "Survey Methodology", "28", "2", "169–181", "",
    ),
    "benavoli2014": Publication(
        kind="inproceedings",
        authors=(
            "Benavoli, Alessio", "Corani, Giorgio", "Mangili, Francesca", "Zaffalon, Marco", "Ruggeri, Fabrizio",
        ),
        year=2014,
        title="A Bayesian Wilcoxon Signed-Rank Test Based on the Dirichlet Process",
        where="International Conference on Machine Learning (ICML), PMLR 32(2)",
        details=", 1026–1034",
        fields=(
            ("booktitle", "International Conference on Machine Learning (ICML), PMLR 32(2)"),
            ("pages", "1026–1034"),
            ("url", "https://proceedings.mlr.press/v32/benavoli14.html"),
        ),
        url="https://proceedings.mlr.press/v32/benavoli14.html",
    ),
    "benavoli2016": _article(
        ["Benavoli, Alessio", "Corani, Giorgio", "Mangili, Francesca"], 2016,
        "Should We Really Use Post-Hoc Tests Based on Mean-Ranks?",
        "Journal of Machine Learning Research", "17", "5", "1–10", "https://jmlr.org/papers/v17/benavoli16a.html",
    ),
    "benavoli2017": _article(
        ["Benavoli, Alessio", "Corani, Giorgio", "Demšar, Janez", "Zaffalon, Marco"], 2017,
        "Time for a Change: a Tutorial for Comparing Multiple Classifiers Through Bayesian Analysis",
        "Journal of Machine Learning Research", "18", "77", "1–36", "https://jmlr.org/papers/v18/16-305.html",
    ),
    "bouckaert2004": Publication(
        kind="inproceedings",
        authors=("Bouckaert, Remco R.", "Frank, Eibe"),
        year=2004,
        title="Evaluating the Replicability of Significance Tests for Comparing Learning Algorithms",
        where="Advances in Knowledge Discovery and Data Mining (PAKDD), LNAI 3056",
        details=", 3–12",
        fields=(
            ("booktitle", "Advances in Knowledge Discovery and Data Mining (PAKDD), LNAI 3056"),
            ("pages", "3–12"),
            ("doi", "10.1007/978-3-540-24775-3_3"),
        ),
        url="https://doi.org/10.1007/978-3-540-24775-3_3",
    ),
    "brunner2000": _article(
        ["Brunner, Edgar", "Munzel, Ullrich"], 2000,
        "The Nonparametric Behrens-Fisher Problem: Asymptotic Theory and a Small-Sample Approximation",
        "Biometrical Journal", "42", "1", "17–25",
        "https://doi.org/10.1002/(SICI)1521-4036(200001)42:1<17::AID-BIMJ17>3.0.CO;2-U",
    ),
    "carterette2012": _article(
        ["Carterette, Benjamin A."], 2012,
        "Multiple Testing in Statistical Analysis of Systems-Based Information Retrieval Experiments",
        "ACM Transactions on Information Systems", "30", "1", "4", "https://doi.org/10.1145/2094072.2094076",
    ),
    "cochran1950": _article(
        ["Cochran, William G."], 1950, "The Comparison of Percentages in Matched Samples",
        "Biometrika", "37", "3/4", "256–266", "https://doi.org/10.1093/biomet/37.3-4.256",
    ),
    "conover1999": Publication(
        kind="book",
        authors=("Conover, William J.",),
        year=1999,
        title="Practical Nonparametric Statistics",
        where="Wiley",
        details=", 3rd edition",
        fields=(
            ("publisher", "Wiley"),
            ("edition", "3rd edition"),
        ),
        url="",
    ),
    "corani2015": _article(
        ["Corani, Giorgio", "Benavoli, Alessio"], 2015,
        "A Bayesian Approach for Comparing Cross-Validated Algorithms on Multiple Data Sets",
        "Machine Learning", "100", "2–3", "285–304", "https://doi.org/10.1007/s10994-015-5486-z",
    ),
    "delong1988": _article(
        ["DeLong, Elizabeth R.", "DeLong, David M.", "Clarke-Pearson, Daniel L."], 1988,
        "Comparing the Areas under Two or More Correlated Receiver Operating Characteristic Curves",
        "Biometrics", "44", "3", "837–845", "https://doi.org/10.2307/2531595",
    ),
    "demsar2006": _article(
        ["Demšar, Janez"], 2006, "Statistical Comparisons of Classifiers over Multiple Data Sets",
        "Journal of Machine Learning Research", "7", "", "1–30", "https://jmlr.org/papers/v7/demsar06a.html",
    ),
    "dunn1961": _article(
        ["Dunn, Olive Jean"], 1961, "Multiple Comparisons Among Means",
        "Journal of the American Statistical Association", "56", "293", "52–64",
        "https://doi.org/10.1080/01621459.1961.10482090",
    ),
    "dunnett1955": _article(
        ["Dunnett, Charles W."], 1955,
        "A Multiple Comparison Procedure for Comparing Several Treatments with a Control",
        "Journal of the American Statistical Association", "50", "272", "1096–1121",
        "https://doi.org/10.1080/01621459.1955.10501294",
    ),
    "eisinga2017": _article(
        ["Eisinga, Rob", "Heskes, Tom", "Pelzer, Ben", "te Grotenhuis, Manfred"], 2017,
        "Exact p-Values for Pairwise Comparison of Friedman Rank Sums, with Application to Comparing Classifiers",
        "BMC Bioinformatics", "18", "", "68", "https://doi.org/10.1186/s12859-017-1486-2",
    ),
    "fisher1925": Publication(
        kind="book",
        authors=("Fisher, Ronald A.",),
        year=1925,
        title="Statistical Methods for Research Workers",
        where="Oliver and Boyd",
        details="",
        fields=(("publisher", "Oliver and Boyd"),),
        url="",
    ),
    "friedman1937": _article(
        ["Friedman, Milton"], 1937,
        "The Use of Ranks to Avoid the Assumption of Normality Implicit in the Analysis of Variance",
        "Journal of the American Statistical Association", "32", "200", "675–701",
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
    "garcia2010": _article(
        ["García, Salvador", "Fernández, Alberto", "Luengo, Julián", "Herrera, Francisco"],
        2010,
        "Advanced Nonparametric Tests for Multiple Comparisons in the Design of Experiments in Computational "
        "Intelligence and Data Mining: Experimental Analysis of Power",
        "Information Sciences",
        "180",
        "10",
        "2044–2064",
        "https://doi.org/10.1016/j.ins.2009.12.010",
    ),
    "gelman2013": Publication(
        kind="book",
        authors=(
            *("Gelman, Andrew", "Carlin, John B.", "Stern, Hal S."),
            *("Dunson, David B.", "Vehtari, Aki", "Rubin, Donald B."),
        ),
        year=2013,
        title="Bayesian Data Analysis",
        where="Chapman & Hall",
        details=", 3rd edition",
        fields=(
            ("publisher", "Chapman & Hall"),
            ("edition", "3rd edition"),
        ),
        url="",
    ),
    "hodges1962": _article(
        ["Hodges, Joseph L.", "Lehmann, Erich L."], 1962,
        "Rank Methods for Combination of Independent Experiments in Analysis of Variance",
        "The Annals of Mathematical Statistics", "33", "2", "482–497", "https://doi.org/10.1214/aoms/1177704575",
    ),
    "hodges1963": _article(
        ["Hodges, Joseph L.", "Lehmann, Erich L."], 1963, "Estimates of Location Based on Rank Tests",
        "The Annals of Mathematical Statistics", "34", "2", "598–611", "https://doi.org/10.1214/aoms/1177704172",
    ),
    "hothorn2008": _article(
        ["Hothorn, Torsten", "Bretz, Frank", "Westfall, Peter"],
        2008, "Simultaneous inference in general parametric models",
        "Biometrical Journal", "50", "3", "346–363", "https://doi.org/10.1002/bimj.200810425",
    ),
    "iman1980": _article(
        ["Iman, Ronald L.", "Davenport, James M."], 1980,
        "Approximations of the Critical Region of the Friedman Statistic",
        "Communications in Statistics - Theory and Methods", "9", "6", "571–595",
        "https://doi.org/10.1080/03610928008827904",
    ),
    "japkowicz2008": Publication(
        kind="inproceedings",
        authors=("Japkowicz, Nathalie", "Sanghi, Pritika", "Tischer, Peter"),
        year=2008,
        title="A Projection-Based Framework for Classifier Performance Evaluation",
        where="Machine Learning and Knowledge Discovery in Databases (ECML PKDD)",
        details=", 548–563",
        fields=(
            ("booktitle", "Machine Learning and Knowledge Discovery in Databases (ECML PKDD)"),
            ("pages", "548–563"),
            ("doi", "10.1007/978-3-540-87479-9_54"),
        ),
        url="https://doi.org/10.1007/978-3-540-87479-9_54",
    ),
    "kerby2014": _article(
        ["Kerby, Dave S."], 2014, "The Simple Difference Formula: An Approach to Teaching Nonparametric Correlation",
        "Comprehensive Psychology", "3", "", "11.IT.3.1", "https://doi.org/10.2466/11.IT.3.1",
    ),
    "korn1998": _article(
        ["Korn, Edward L.", "Graubard, Barry I."], 1998,
        "Confidence Intervals for Proportions with Small Expected Number of Positive Counts Estimated from Survey Data",
        "Survey Methodology", "24", "2", "193–201", "",
    ),
    "liang1986": _article(
        ["Liang, Kung-Yee", "Zeger, Scott L."], 1986,
        "Longitudinal Data Analysis Using Generalized Linear Models",
        "Biometrika", "73", "1", "13–22", "https://doi.org/10.1093/biomet/73.1.13",
    ),
    "mcnemar1947": _article(
        ["McNemar, Quinn"], 1947,
        "Note on the Sampling Error of the Difference between Correlated Proportions or Percentages",
        "Psychometrika", "12", "2", "153–157", "https://doi.org/10.1007/BF02295996",
    ),
    "miller1981": Publication(
        kind="book",
        authors=("Miller, Rupert G.",),
        year=1981,
        title="Simultaneous Statistical Inference",
        where="Springer",
        details=", 2nd edition",
        fields=(
            ("publisher", "Springer"),
            ("edition", "2nd edition"),
        ),
        url="",
    ),
    "nadeau2003": _article(
        ["Nadeau, Claude", "Bengio, Yoshua"], 2003, "Inference for the Generalization Error",
        "Machine Learning", "52", "3", "239–281", "https://doi.org/10.1023/A:1024068626366",
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
    "quade1979": _article(
        ["Quade, Dana"], 1979, "Using Weighted Rankings in the Analysis of Complete Blocks with Additive Block Effects",
        "Journal of the American Statistical Association", "74", "367", "680–683",
        "https://doi.org/10.1080/01621459.1979.10481670",
    ),
    "raeder2010": Publication(
        kind="inproceedings",
        authors=("Raeder, Troy", "Hoens, T. Ryan", "Chawla, Nitesh V."),
        year=2010,
        title="Consequences of Variability in Classifier Performance Estimates",
        where="IEEE International Conference on Data Mining",
        details=", 421–430",
        fields=(("booktitle", "IEEE International Conference on Data Mining"), ("pages", "421–430")),
        url="https://doi.org/10.1109/ICDM.2010.110",
    ),
    "romano2005": _article(
        ["Romano, Joseph P.", "Wolf, Michael"], 2005,
        "Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing",
        "Journal of the American Statistical Association", "100", "469", "94–108",
        "https://doi.org/10.1198/016214504000000539",
    ),
    "romano2016": _article(
        ["Romano, Joseph P.", "Wolf, Michael"], 2016,
        "Efficient Computation of Adjusted p-Values for Resampling-Based Stepdown Multiple Testing",
        "Statistics & Probability Letters", "113", "", "38–40",
        "https://doi.org/10.1016/j.spl.2016.02.012",
    ),
    "salzberg1997": _article(
        ["Salzberg, Steven L."], 1997,
        "On Comparing Classifiers: Pitfalls to Avoid and a Recommended Approach",
        "Data Mining and Knowledge Discovery", "1", "3", "317–328", "https://doi.org/10.1023/A:1009752403260",
    ),
    "sidak1967": _article(
        ["Šidák, Zbyněk"], 1967, "Rectangular confidence regions for the means of multivariate normal distributions",
        "Journal of the American Statistical Association", "62", "318", "626–633",
        "https://doi.org/10.1080/01621459.1967.10482935",
    ),
    "siegel1988": Publication(
        kind="book",
        authors=("Siegel, Sidney", "Castellan, N. John"),
        year=1988,
        title="Nonparametric Statistics for the Behavioral Sciences",
        where="McGraw-Hill",
        details=", 2nd edition",
        fields=(
            ("publisher", "McGraw-Hill"),
            ("edition", "2nd edition"),
        ),
        url="",
    ),
    "skillings1981": _article(
        ["Skillings, John H.", "Mack, Gregory A."], 1981,
        "On the Use of a Friedman-Type Statistic in Balanced and Unbalanced Block Designs",
        "Technometrics", "23", "2", "171–177", "https://doi.org/10.1080/00401706.1981.10486261",
    ),
    "steel1959": _article(
        ["Steel, Robert G. D."], 1959,
        "A Multiple Comparison Sign Test: Treatments versus Control",
        "Journal of the American Statistical Association", "54", "288", "767–775",
        "https://doi.org/10.1080/01621459.1959.10501988",
    ),
    "tukey1949": _article(
        ["Tukey, John W."], 1949, "Comparing Individual Means in the Analysis of Variance",
        "Biometrics", "5", "2", "99–114", "https://doi.org/10.2307/3001913",
    ),
    "wellek2010": Publication(
        kind="book",
        authors=("Wellek, Stefan",),
        year=2010,
        title="Testing Statistical Hypotheses of Equivalence and Noninferiority",
        where="Chapman & Hall/CRC",
        details=", 2nd edition",
        fields=(
            ("publisher", "Chapman and Hall/CRC"),
            ("edition", "2nd edition"),
        ),
        url="",
    ),
    "westfall1993": Publication(
        kind="book",
        authors=("Westfall, Peter H.", "Young, S. Stanley"),
        year=1993,
        title="Resampling-Based Multiple Testing: Examples and Methods for p-Value Adjustment",
        where="Wiley",
        details="",
        fields=(("publisher", "Wiley"),),
        url="",
    ),
    "wiesenfarth2021": _article(
        ["Wiesenfarth, Manuel", "Reinke, Annika", "Landman, Bennett A.", "Eisenmann, Matthias",
         "Aguilera Saiz, Laura", "Cardoso, M. Jorge", "Maier-Hein, Lena", "Kopp-Schneider, Annette"], 2021,
        "Methods and Open-Source Toolkit for Analyzing and Visualizing Challenge Results",
        "Scientific Reports", "11", "", "2369", "https://doi.org/10.1038/s41598-021-82017-6",
    ),
    "wilcoxon1945": _article(
        ["Wilcoxon, Frank"], 1945, "Individual Comparisons by Ranking Methods",
        "Biometrics Bulletin", "1", "6", "80–83", "https://doi.org/10.2307/3001968",
    ),
    "wilson1927": _article(
        ["Wilson, Edwin B."], 1927, "Probable Inference, the Law of Succession, and Statistical Inference",
        "Journal of the American Statistical Association", "22", "158", "209–212",
        "https://doi.org/10.1080/01621459.1927.10502953",
    ),
    "yeh2000": Publication(
        kind="inproceedings",
        authors=("Yeh, Alexander",),
        year=2000,
        title="More Accurate Tests for the Statistical Significance of Result Differences",
        where="Proceedings of COLING 2000",
        details=", 947–953",
        fields=(("booktitle", "Proceedings of COLING 2000"), ("pages", "947–953")),
        url="https://aclanthology.org/C00-2137/",
    ),
}
# fmt: on

# characters that must be commands in classic BibTeX, because it processes bytes
_BIBTEX = {
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
        Keys of the publications, such as `Document.cited`; by default all publications.

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
