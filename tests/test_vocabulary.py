"""Pages, docstrings, messages, help and reports use the terms of the field and plain English sentences."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from source_trees import source_tree

ROOT = Path(__file__).parents[1]
# generated from the data, or texts of other programs
GENERATED = {"comparison-with-r.md", "randomized-comparison-with-r.md", "invariants.md", "mutation-testing.md"}
PAGES = [path for path in (ROOT / "docs").rglob("*.md") if path.name not in GENERATED]
PAGES += [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
MODULES = sorted((ROOT / "evalstats").rglob("*.py"))
# data whose texts are in answers; Python can also parse JSON
TEXTS = ("comparison/advice/decision_tree.json", "examples/sources.json", "parity/unsupported_inputs.json")
DATA = [ROOT / "evalstats" / name for name in TEXTS]

# what is wrong -> what to write
EVERYWHERE = {
    r"^Of (?!course\b|(?:the |these |those |them |all )?(?:\d|\{|two\b|three\b|four\b))": "begin with the subject",
    r", so that\b": "', so' for a consequence, 'so that' for a purpose",
    r"\b(?:is|are|was|were) (?:that|those) (?:of|from|with|in)\b|^(?:That|Those) of\b": "repeat the noun",
    r"\blaws? (?:of|under|without|that|is|are)\b|\bleading tests?\b": "distribution, omnibus test",
    r"\b(?:twins?|raced|mend(?:s|ed|ing)?|sceptics?|honest|gravest?|strangers?|rivals?)\b": "the term of the field",
    r"\b(?:hangs? together|belongs? together|changed hands|the coins?)\b": "are correlated; other words",
    r"\b(?:front door|the house|stems?|tongues?|faces of)\b": "subpackage, public API, module",
    r"\b(?:stands?|stood|standing)\b(?!ard|-| ?alone| for\b| out\b)": "is, are, is listed",
    r"\b(?:tells?|told|telling)\b(?!.{0,40}\bapart\b)": "shows, states, identifies",
    r"\b(?:called like|(?:is|are|was|were) asked for)\b": "has the name of, is required",
    r"\b(?:goes|go|went) on\b|\b(?:taken|takes|took) for\b|\b(?:comes?|came) out\b": "continues, is treated as",
    r"\b(?:put to R|speaks? (?:for|against))\b": "is compared with R, supports",
    r"(?<!written )(?<!follow )(?<!made )\bby hand\b|\bbeside\b": "manually; next to, in addition to",
    r"(?<!here )(?<!that )\b(?:is|are) no (?!longer|more|less|other|worse|better|larger|smaller|greater)": "is not a",
    r"\b(?:that|those) of\b": "repeat the noun",
    r"^What (?:is|are|was|were|has|the|an?|it|one) [^?]*[.;:]$": "a noun phrase",
    r"\bsum(?:s|med)? up\b(?! to)": "aggregated, summarize",
    r"\b(?:is|are) said\b": "is claimed, is given",
    r"\banew\b": "again",
    r"\bgoes with\b|\bnot go with\b": "requires, cannot be combined with",
    r"\b[Ll]evel of significance\b": "significance level",
    r"\b(?:right|wrong) answers?\b|\bright (?:and|or) wrong\b": "correct, incorrect",
    r"^(?:Drawn|Shown|Named|Left out) (?:are|is)\b|^An? (?:full|empty) dot:": "subject, verb, object",
    r"\b(?:has|have|had) not (?:the|an?|any|all)\b|\bnone of the two\b|\b(?:each|every) two\b": "each pair, neither",
}
# an instance is not a case, a question is not an item
UNITS = {
    r"\b(?:test|training|positive|negative|new|labell?ed|all|the|few|many|more|of|\d+) cases\b|\} cases\b": "instances",
    r"\b(?:the|an|each|every|single|no) items?\b(?! of a list)|\bitems of\b": "questions",
    r"\b[Dd]ata sets?\b": "dataset",
    r"\bshares? of (?:the|all|cases|instances|datasets|answers)\b": "proportion of",
}
# reviewed: the place, and the words of sentences that may remain
REVIEWED = {
    "evalstats/_declarations.py": ("Module whose cases for R",),  # cases of the comparison with R
    "evalstats/parity/record_reference.py": ("cases",),
    "evalstats/parity/reference_cases.py": ("cases",),
    "evalstats/parity/unsupported_inputs.json": ("cases",),
    "evalstats/parity/validation.py": ("cases",),
    "evalstats/io/formats/logs/deepeval.py": ("test cases",),  # the term of these programs
    "evalstats/io/formats/logs/promptfoo.py": ("test cases",),
    "evalstats/io/engines/duckdb.py": ("beside",),  # a column of SQL
    "evalstats/io/sources/grid.py": ("beside : ",),  # a field
    "evalstats/plot/matrix.py": ("beside : ",),
    "evalstats/examples/sources.json": ("multiple data sets", "20 data sets"),  # titles and quotations
}
TITLES = re.compile(r"law of succession|iterated logarithm|multiple data sets|Data set selection")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of Markdown or of a docstring, without code, formulas, tables and headings."""
    text = re.sub(r"```.*?```|<!--.*?-->|\$\$.*?\$\$", "\n\n", text, flags=re.DOTALL)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*] )|\n(?=#)", text):
        if paragraph.lstrip().startswith(("|", ">>>", "#", "```")) or re.match(r"\s{4,}\S", paragraph):
            continue
        line = " ".join(part.strip() for part in paragraph.splitlines() if not part.lstrip().startswith("|"))
        yield from _split(line)


def _split(line: str) -> Iterator[str]:
    line = re.sub(r"``[^`]+``|`[^`]+`", "CODE", re.sub(r"^[-*] ", "", line))
    line = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", re.sub(r"\$[^$]+\$", "X", line))
    yield from (one for one in re.split(r"(?<=[.!?:])\s+(?=[A-Z])", line) if len(one.split()) > 2)


def docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yield the nodes of the docstrings of a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            yield node.body[0].value  # type: ignore[attr-defined]  # it is a constant


def messages(tree: ast.AST) -> Iterator[str]:
    """Yield the texts of a module that people see: messages, help, sentences of reports, descriptions of fields."""
    documented = {id(node) for node in docstrings(tree)}
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not {id(node)} & (documented | parts):
            yield node.value


def faults(place: str, found: Iterator[str], patterns: dict[str, str]) -> Iterator[str]:
    allowed = REVIEWED.get(place, ())
    for sentence in found:
        if not any(words in sentence for words in allowed) and not TITLES.search(sentence):
            yield from (
                f"{place}: {words}: {sentence[:160]}" for p, words in patterns.items() if re.search(p, sentence)
            )


def test_pages_use_the_vocabulary() -> None:
    found = [
        fault
        for path in PAGES
        for fault in faults(str(path.relative_to(ROOT)), sentences(path.read_text(encoding="utf-8")), EVERYWHERE)
    ]

    assert found == []


def test_docstrings_use_the_vocabulary() -> None:
    found = []
    for path in MODULES:
        for node in docstrings(source_tree(path)):
            text = re.sub(r"(?m)^\s*>>>.*\n(?:.*\S.*\n)*", "\n", ast.get_docstring(_holder(node), clean=True) or "")
            found += faults(str(path.relative_to(ROOT)), sentences(text), EVERYWHERE | UNITS)

    assert found == []


def _holder(node: ast.Constant) -> ast.Module:
    return ast.Module(body=[ast.Expr(value=node)], type_ignores=[])


def test_messages_and_reports_use_the_vocabulary() -> None:
    """Strings with a space are sentences or parts of sentences; names and codes have none."""
    found = []
    for path in MODULES + DATA:
        texts = (text for text in messages(source_tree(path)) if len(text.split()) > 2)
        found += faults(str(path.relative_to(ROOT)), texts, EVERYWHERE | UNITS)

    assert found == []


def test_faults_are_found() -> None:
    said = "Each test stands in its own section. It is no worse. 'x' is called like a label."
    tree = ast.parse('"""Subject."""\nraise ValueError(f"x has {n} cases, so that it fails")\n')

    assert len(list(faults("page", sentences(said), EVERYWHERE))) == 2
    assert len(list(faults("module", messages(tree), EVERYWHERE | UNITS))) == 2
