"""The numbers on the pages are those of the result files."""

from __future__ import annotations

import inspect
import re
import runpy
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from public_names import functions_by_name, public_functions, public_names

from evalstats.comparison.registry import POSTHOC_TESTS

ROOT = Path(__file__).parents[1]
# a measured number: a sentence with a time, an amount of memory or a ratio, and a word for speed
SIZE = re.compile(
    r"(?<![\w.])\d[\d,.]*\s?"
    r"(?:x(?! \d)\b|times (?:as fast|faster|as long|slower|less)|[mµn]s\b|[MG]B\b|s\b(?=[ .,;):|])"
    r"|seconds?\b|minutes?\b|hours?\b)"
)
SPEED = re.compile(r"\b(?:takes?|took|faster|as fast|slower|times as long)\b")
# a simulated rate: a percentage or a proportion in a sentence about rejections or coverage
RATE = re.compile(
    r"(?<![\w.^-])(\d+(?:\.\d+)?)(?=(?:(?:,? (?:to|and)|,) \d+(?:\.\d+)?)?\s?%)"
    r"|(?<![\w.^-])(0?\.\d{2,4}|1\.00)(?![\d%]|\.\d)"
)
OF_RATES = re.compile(
    r"\b(?:reject(?:s|ed|ion rate)?|cover(?:s|ed|age)?|error rates?|simulat\w+|contained|false rejections?)\b"
)
# levels, confidence levels and the proportions of classes and answers that a setting has
NOMINAL = re.compile(
    r"\d+(?:\.\d+)?\s?%[- ](?:confidence|interval|band|bound|level|limit|point|positive|errors)\w*"
    r"|(?:levels?|α =|p [<≤]=?|at least|at most|less than|greater than|above|coverage(?: is)?|coverage of|bands of"
    r"|bands? of|alpha =|proportion of|probability of|prevalence of|accuracy of|instead of)\s"
    r"(?:of )?(?:1\s?%|5\s?%|10\s?%|90\s?%|95\s?%|0?\.01|0?\.05|0?\.1|0?\.9|0?\.95|0?\.99)(?!\d|\.\d)"
    r"|(?:the|a) 0\.05 level|0\.95 (?:The interval covers|(?:Nominal|Approximate) coverage)|0\.05 Significance level"
)
# numbers in sentences about rates that are no simulated rates
NOT_MEASURED = re.compile(
    "|".join(
        (
            # worked out
            r"probability \$?1 - 0?\.95\^3 = 0?\.14\$?(?:, not 0\.05)?",
            r"with probability 0\.64",
            r"(?<=adjustment is )at most 5\.13%|at most 5\.13%, if the (?:t-)?test of each size is valid",
            # p-values and results of examples and of papers
            r"[pP] = 0?\.\d+",
            r"p ranges from 0\.024 to 0\.864",
            r"error rate of 13%",
            r"with 0\.94 of its error rate",
            r"F of \.75 or \.79",
            r"means 72\.46 and \.64 \| 72\.47 and \.63",
            # places on the axis of a curve
            r"(?<=0\.64 to 0\.85 )at 0\.05, 0\.1",
            r"(?:at|and|to) 0\.05 and 0\.1\b",
            r"^At 0\.05|recall of 0\.05",
            # settings, and how a simulation stops
            r"margin, 0\.02 to 0\.1",
            r"narrower than 0\.01, or (?:narrower )?than 0\.03",
            r"standard error (?:of a coverage near |of at most )?0\.0\d+(?: is 0\.\d+)?(?: at 0\.05)?",
            r"tests that simulate p-values \(0\.014\)",
            r"power of 80%",
            # levels
            r"error rate is 5%",
            r"in 5% of (?:all|the) experiments",
            r"its hypotheses in 5%",
            r"true value in 95%",
            r"such as 95%",
            r"correct in 70% or 90%",
            r"κ = 0\.49",
            r"rejects? at (?:5%|0\.05)",
            r"^At 5%",
            r"each at 0\.05",
            r"critical value for 0\.05|not for 0\.005",
            r"α = 0?\.\d+",
            r"\(0\.01 is one",
            # names
            r"95% Wilson",
            r"\.632\+",
        )
    )
)
# pages with exact rates, and the test that computes them again
COMPUTED = {
    "sign": "test_largest_rejection_rates_on_the_page_are_exact",
    "cochran": "test_rejection_rates_of_chi_squared_on_the_page_are_exact",
    "mcnemar": "test_how_often_a_true_null_hypothesis_is_rejected_at_five_percent",
    "ten_by_ten": "test_published_number_rejects_at_its_level",
    "ttest": "TYPE_I_ERROR",
    "nemenyi": "A and B each win with probability 1/2, three classifiers stand between them: 11.5 % rejections",
}
# the files of rates, the function of a row, and the columns with its rates
FILES = (
    ("all-methods", "{subject}", ("rate",)),
    ("exact", "{subject}", ("rate",)),
    ("few-instances", "{subject}", ("usual", "default")),
    ("intervals", "{function}", ("coverage",)),
    ("posthoc", "{posthoc}", ("error",)),
    ("type-i-error", "{test}", ("rate",)),
    ("unequal-clusters", "clustered_ttest", ("t", "signs")),
    ("unequal-clusters", "clustered_mean", ("covers", "covers_wilson", "covers_before")),
    ("curves", "curve_difference", ("pointwise", "everywhere")),
    ("curves", "{curve}_curves", ("pointwise", "everywhere")),
)
# pages that tell the results of files
PAGES = {
    "error-rates-few-instances": ("few-instances",),
    "coverage-of-intervals": ("intervals",),
    "coverage-of-curve-bands": ("curves",),
    "error-rates-questions": ("questions", "unequal-clusters", "cluster-variances", "unlike-models-at-margin"),
    "type-i-error": ("type-i-error",),
}
# pages that are themselves the result of a program, with its command, versions and date
RESULTS = ("comparison-with-r.md", "randomized-comparison-with-r.md", "other-packages")


@pytest.fixture(scope="module")
def figure() -> dict:
    return runpy.run_path(str(ROOT / "docs" / "figures" / "measured_numbers.py"))


def rows_of(file: str) -> list[dict[str, str]]:
    figure = runpy.run_path(str(ROOT / "docs" / "figures" / "measured_numbers.py"))
    return figure["rows"](file)


def test_pages_hold_the_numbers_of_the_result_files(figure: dict) -> None:
    pages = figure["pages"]()

    assert {"README.md", "how-do-we-know.md"} <= {path.name for path in pages}
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert figure["filled"](text) == text, f"run python docs/figures/measured_numbers.py: {path.name} is old"


def test_every_mark_is_closed(figure: dict) -> None:
    for path in figure["pages"]():
        text = path.read_text(encoding="utf-8")
        assert text.count("<!-- n: ") == len(figure["MARK"].findall(text)) == text.count("<!-- / -->")


def test_unknown_name_is_an_error(figure: dict) -> None:
    with pytest.raises(KeyError, match=r"no\.such"):
        figure["filled"]("<!-- n: no.such -->1<!-- / -->")


def test_summary_for_referees_is_short() -> None:
    page = (ROOT / "docs" / "how-do-we-know.md").read_text(encoding="utf-8")

    assert len(page.splitlines()) <= 150
    assert re.search(r"^## What is not known$", page, re.MULTILINE)


def cleaned(text: str) -> str:
    """Return a page without code, marks and generated tables."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = re.sub(r"<!-- ([\w-]+): begin -->.*?<!-- \1: end -->", "", text, flags=re.DOTALL)
    return re.sub(r"<!-- n: .*?<!-- / -->", "", text, flags=re.DOTALL)


def sentences(text: str) -> list[str]:
    """Return the sentences of a page outside code, marks and generated tables; a row of a table is a sentence."""
    text = cleaned(text)
    # limits in the code, not measurements
    text = re.sub(r"takes\s+(?:about\s+[\d.]+\s+s\s+or\s+less|at\s+most\s+about\s+[\d.]+\s+s)", "", text)
    parts = re.split(r"\n\n|\n(?=[-|])", text)
    return [one for part in parts for one in re.split(r"(?<=[.;:]) ", " ".join(part.split()))]


def test_no_time_or_ratio_is_typed() -> None:
    """Times and ratios are between the marks of a result file."""
    pages = [ROOT / "README.md", ROOT / "paper" / "paper.md", *(ROOT / "docs").rglob("*.md")]
    texts = {str(page): page.read_text(encoding="utf-8") for page in pages if not set(RESULTS) & set(page.parts)}
    texts |= {name: inspect.getdoc(function) or "" for name, function in public_functions().items()}

    typed = [
        (name, one) for name, text in texts.items() for one in sentences(text) if SIZE.search(one) and SPEED.search(one)
    ]

    assert typed == []


def test_typed_time_is_found() -> None:
    page = "It is quick. The test takes 3 ms.\n\n```\nit took 4 s\n```\n\n<!-- n: a.b -->It takes 5 s<!-- / --> now."

    assert [one for one in sentences(page) if SIZE.search(one) and SPEED.search(one)] == ["The test takes 3 ms."]


@cache
def simulated() -> dict[str, set[float]]:
    """Return all rates and coverages of the result files, by the function of their row."""
    found: dict[str, set[float]] = defaultdict(set)
    functions, results = defaultdict(set), {}
    for name, function in functions_by_name().items():
        result = str(inspect.signature(function).return_annotation)
        functions[result].add(name)
        results[name] = {result}
    for file, form, columns in FILES:
        for row in rows_of(file):
            subject = re.split(r"[.,]", form.format(**row))[0].replace("-", "_")
            subject = POSTHOC_TESTS[row["posthoc"]].function if file == "posthoc" else subject
            for name in {subject, *functions.get(subject, ()), *results.get(subject, ())}:
                found[name] |= {float(row[column]) for column in columns if row[column] not in ("", "nan")}
    return found


def rates_told(text: str) -> list[tuple[str, list[tuple[float, float]]]]:
    """Return the sentences about error rates and coverage, with their numbers and half of the last digit of each.

    A table is about what the paragraph before it is about.
    """
    found, is_about_rates = [], False
    for paragraph in re.split(r"\n\s*\n", cleaned(re.sub(r"(?sm)^ *(?:>>>|\.\.\.) .*?(?=^\s*$|\Z)", "", text))):
        is_about_rates = bool(OF_RATES.search(paragraph)) or (is_about_rates and paragraph.startswith("|"))
        for one in sentences(paragraph) if is_about_rates else ():
            told = OF_RATES.search(one) or one.startswith("|")
            numbers = RATE.findall(NOT_MEASURED.sub("", NOMINAL.sub("", one))) if told else []
            if numbers:
                found.append(
                    (one, [rounded(*((percent, 100) if percent else (plain, 1))) for percent, plain in numbers])
                )
    return found


def rounded(text: str, unit: int) -> tuple[float, float]:
    """Return a printed number as a proportion, and the largest error of its rounding."""
    return float(text) / unit, (0.5 * 10.0 ** -len(text.partition(".")[2]) + 1e-9) / unit


def is_found(number: tuple[float, float], rates: set[float]) -> bool:
    return any(abs(number[0] - rate) <= number[1] for rate in rates)


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield the docstring of every public function, class and method, with the name of the function or class."""
    for name, one in public_names().items():
        short = name.rpartition(".")[2]
        yield short, inspect.getdoc(one) or ""
        if inspect.isclass(one):
            yield from ((short, inspect.getdoc(x) or "") for x in vars(one).values() if inspect.isfunction(x))


def test_rates_in_docstrings_are_those_of_the_result_files() -> None:
    """Each is a rate of the function, of the functions with this result, or of a function that the sentence names."""
    unknown = [
        (name, number[0], sentence)
        for name, text in docstrings()
        for sentence, numbers in rates_told(text)
        for number in numbers
        if not is_found(number, set().union(*(simulated()[x] for x in (name, *re.findall(r"`(\w+)`", sentence)))))
    ]

    assert unknown == []


def test_rates_on_pages_are_between_marks_or_on_the_page_of_their_file() -> None:
    """A page that tells the results of a file has only its rates; other pages have marks."""
    unknown = []
    for path in [ROOT / "README.md", ROOT / "paper" / "paper.md", *(ROOT / "docs").rglob("*.md")]:
        if set(RESULTS) & set(path.parts) or path.stem in COMPUTED:
            continue
        cells = (x for file in PAGES.get(path.stem, ()) for row in rows_of(file) for x in row.values())
        own = {float(x) for x in cells if re.fullmatch(r"[01](?:\.\d+)?", x)}
        unknown += [
            (path.stem, number[0], sentence)
            for sentence, numbers in rates_told(path.read_text(encoding="utf-8"))
            for number in numbers
            if not is_found(number, own)
        ]

    assert unknown == []


@pytest.mark.parametrize("page", COMPUTED)
def test_exact_rates_of_a_page_are_computed_again(page: str) -> None:
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob(f"*/test_{page}.py"))

    assert any(COMPUTED[page] in source for source in sources)


def test_typed_rate_is_found() -> None:
    page = "At the 5% level, it rejects in 6.3% of samples.\n\nThe coverage is:\n\n| n | 95% interval |\n| 10 | .912 |"

    assert [[value for value, _ in numbers] for _, numbers in rates_told(page)] == [[0.063], [0.912]]
