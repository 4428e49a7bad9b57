"""Compare the statistics with R, and write docs/comparison-with-r.md: ``python docs/figures/comparison_with_r.py``."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from evalstats import __version__, report
from evalstats._errors import EvalstatsError
from evalstats.parity import validate
from evalstats.parity.numeric_difference import answer, failure
from evalstats.parity.reference_cases import Case, Stem, read_stem, reference_directory, stem_names
from evalstats.parity.reference_values import read_answers
from evalstats.report.records.parity import python_line, r_lines

DEMSAR = "Demšar (2006), section 3.2.2"
NEWCOMBE = "Newcombe (1998), Table I"
FAGERLAND = "Fagerland, Lydersen & Laake (2013), two visits of 21 children (Bentur et al. 2009)"
# characters that a line of R may have where another case is shorter
LONGEST = 400
# publication, what it prints, the case of R, the field, what is printed
PUBLISHED = (
    (DEMSAR, "mean ranks", "multiple/friedman/friedman_test/demsar-ranks-of-the-paper", "mean_ranks",
     "3.143 2.000 2.893 1.964"),
    (DEMSAR, "chi-squared without correction for ties", "multiple/friedman/friedman_test/demsar-ranks-of-the-paper",
     "chi2_uncorrected", "9.28"),
    (DEMSAR, "Nemenyi's critical difference at .05", "multiple/critical_differences/critical_difference/demsar-nemenyi",
     "value", "1.25"),
    (DEMSAR, "Nemenyi's critical difference at .10",
     "multiple/critical_differences/critical_difference/demsar-nemenyi-at-ten-percent", "value", "1.12"),
    ("García & Herrera (2008), 30 datasets", "mean ranks", "multiple/friedman/friedman_test/garcia-herrera-2008",
     "mean_ranks", "2.100 3.250 2.200 4.333 3.117"),
    ("García & Herrera (2008), 30 datasets", "chi-squared without correction for ties",
     "multiple/friedman/friedman_test/garcia-herrera-2008", "chi2_uncorrected", "39.647"),
    ("Raeder, Hoens & Chawla (2010), Table I", "Bonferroni and Dunn's critical difference",
     "multiple/critical_differences/critical_difference/raeder-table-1", "value", "0.709"),
    ("Hanley & McNeil (1982), Table I", "area under the ROC curve",
     "metrics/ranking/roc_auc_score/hanley-mcneil-ratings", "value", "0.893"),
    ("Tango (1998), section 5", "z against a margin of .1",
     "paired/accuracy_noninferiority/noninferiority_test/tango-lenses", "statistic", "1.709"),
    ("Tango (1998), section 5", "its p-value",
     "paired/accuracy_noninferiority/noninferiority_test/tango-lenses", "pvalue", "0.044"),
    (NEWCOMBE, "Wilson, 81 of 263", "metrics/proportions/proportion_interval/newcombe-81-of-263", "low high",
     "0.2553 0.3662"),
    (NEWCOMBE, "Wilson, 15 of 148", "metrics/proportions/proportion_interval/newcombe-15-of-148", "low high",
     "0.0624 0.1605"),
    (NEWCOMBE, "Wilson, 1 of 29", "metrics/proportions/proportion_interval/newcombe-1-of-29", "low high",
     "0.0061 0.1718"),
    (NEWCOMBE, "exact, 1 of 29", "metrics/proportions/proportion_interval/newcombe-1-of-29-exact", "low high",
     "0.0009 0.1776"),
    (FAGERLAND, "McNemar, exact", "paired/mcnemar/mcnemar_test/bentur", "pvalue", "0.0703"),
    (FAGERLAND, "McNemar, mid-p", "paired/mcnemar/mcnemar_test/bentur-midp", "pvalue", "0.0391"),
    (FAGERLAND, "McNemar, asymptotic, corrected", "paired/mcnemar/mcnemar_test/bentur-asymptotic", "pvalue",
     "0.0771"),
    (FAGERLAND, "McNemar, asymptotic", "paired/mcnemar/mcnemar_test/bentur-asymptotic-uncorrected", "pvalue",
     "0.0339"),
    (FAGERLAND, "McNemar, exact unconditional", "paired/mcnemar/mcnemar_test/bentur-unconditional", "pvalue",
     "0.0353"),
    ("Stuart (1955), vision of 7477 women", "chi-squared of the margins",
     "paired/square_table/square_table_test/vision-stuart-maxwell", "statistic", "11.957"),
    ("Hollander & Wolfe (1999), example 6.2", "Jonckheere's J",
     "multiple/jonckheere/jonckheere_test/hollander-wolfe", "statistic", "79"),
    ("Conover (1999), section 5.9", "Durbin's chi-squared", "multiple/durbin/durbin_test/ice-cream-chi2", "chi2", "12"),
    ("Conover (1999), section 5.9", "Durbin's F", "multiple/durbin/durbin_test/ice-cream-f", "f", "8"),
    ("R package Skillings.Mack, after Skillings & Mack (1981)", "statistic",
     "multiple/skillings_mack/skillings_mack_test/assembly-times", "statistic", "15.493049"),
)  # fmt: skip


def stems() -> list[Stem]:
    """Return the content of r_reference."""
    directory = reference_directory()
    return [read_stem(name, directory) for name in stem_names(directory)]


def functions() -> list[str]:
    """Return ``subpackage/stem/function`` of every function that R has."""
    return [f"{stem.name}/{one}" for stem in stems() for one in stem.references]


def cases() -> dict[str, Case]:
    """Return every case of r_reference by its name."""
    return {case.identity: case for stem in stems() for case in stem.cases}


def rounded(values: Any, printed: str) -> str:
    """Write numbers with the decimals of those that are printed."""
    numbers = zip(np.ravel(values).tolist(), printed.split(), strict=True)
    return " ".join(f"{value:.{len(text.partition('.')[2])}f}" for value, text in numbers)


def published() -> Iterator[str]:
    """Yield the printed values of publications, and the results of evalstats and R."""
    yield "\n## Published tables\n"
    yield "The numbers have the decimals of the publication. The R results are the stored results.\n"
    yield "| publication | quantity | printed | evalstats | R |"
    yield "| --- | --- | ---: | ---: | ---: |"
    known = cases()
    for publication, what, name, fields, printed in PUBLISHED:
        case = known[name]
        frozen = read_answers(case.stem)
        kept = None if frozen is None else frozen.answer(case)
        assert kept is not None, name
        ours = answer(case)
        here, in_r = ([read(field) for field in fields.split()] for read in (ours.field, kept.fields.__getitem__))
        yield f"| {publication} | {what} | {printed} | {rounded(here, printed)} | {rounded(in_r, printed)} |"
    yield "\nThe ranks of Demšar are the printed ranks. Table 6 of the paper prints two different scores as equal."


def calls() -> Iterator[str]:
    """Yield, for every function, the first short case as a call in Python and in R."""
    yield "\n## Calls\n"
    yield "This section contains one case of each function as a call in Python and in R. R runs in the folder"
    yield "`r_reference`, whose files contain the R functions. The first table names the functions of the R packages"
    yield "that they call."
    chosen: dict[str, Case] = {}
    for case in cases().values():
        before = chosen.setdefault(f"{case.stem}/{case.function}", case)
        if length(case) < length(before) and length(before) > LONGEST:
            chosen[f"{case.stem}/{case.function}"] = case
    for case in (chosen[name] for name in functions()):
        asked = failure(case, "frozen")
        yield f"\n### {case.function}\n\n```text\n{python_line(asked)}\n{r_lines(asked)}\n```"


def length(case: Case) -> int:
    """Return how long the line of R is."""
    return len(r_lines(failure(case, "frozen")))


def foot() -> str:
    """Return the date and the versions of the page."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "rpy2"))
    return (
        f"\nWritten on {datetime.now(UTC).date().isoformat()} with evalstats {__version__}, Python "
        f"{platform.python_version()} and {packages}, by `python docs/figures/comparison_with_r.py`; "
        "see [how to read it](reference/parity/validation.md).\n"
    )


def main() -> int:
    """Run all comparisons and write docs/comparison-with-r.md; return the exit status."""
    try:
        checked = validate(live=True)
    except EvalstatsError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    page = Path(__file__).parents[1] / "comparison-with-r.md"
    lines = "\n".join([*published(), *calls()])
    page.write_text(f"{report.markdown(checked)}{lines}\n{foot()}", encoding="utf-8", newline="\n")
    sys.stdout.write(f"{checked.verdict}\n")
    return 0 if checked.ok else 1


if __name__ == "__main__":
    raise SystemExit(main())
