"""Words that people use stand in one data file, each list is used, and no module has a list of its own."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import evalstats
from evalstats._lexicon import names_of, one_of, word_list

ROOT = Path(evalstats.__file__).parent
LEXICON = tomllib.loads((ROOT / "lexicon.toml").read_text(encoding="utf-8"))
LISTS = [f"{section}.{name}" for section, lists in LEXICON.items() for name in lists]
PARTS = ("io", "tables", "gating", "metrics")
READERS = [path for part in PARTS for path in (ROOT / part).rglob("*.py") if "formats" not in path.parts]
LONGEST = 8  # words of an argument, an option or a state of the program itself
OWN = {"source.py"}  # the kinds of sources


@pytest.mark.parametrize("name", LISTS)
def test_list_has_each_word_once(name: str) -> None:
    words = word_list(name)

    assert words
    assert len(set(words)) == len(words)
    assert words == tuple(word.casefold() for word in words)


def test_every_list_is_used() -> None:
    """By its name, or with all lists of its section."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py"))

    unused = [
        name
        for name in LISTS
        if f'"{name}"' not in code and f"'{name}'" not in code and f'"{name.partition(".")[0]}.{{' not in code
    ]

    assert unused == []


def lists_in(path: Path) -> Iterator[str]:
    """Yield where a module spells more than a few plain words in a list, or splits them from a text."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    public = {id(node.value) for node in assigned if ast.unparse(node.targets[0]) == "__all__"}
    for node in ast.walk(tree):
        words: list[object] = []
        if isinstance(node, ast.Tuple | ast.List | ast.Set) and id(node) not in public:
            words = [one.value for one in node.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
            words = node.func.value.value.split() if isinstance(node.func.value, ast.Constant) else []
        plain = [word for word in words if isinstance(word, str) and word.replace("_", "").isalnum() and word.islower()]
        if len(plain) > LONGEST:
            yield f"{path.name}:{node.lineno}"


def test_modules_have_no_lists_of_words() -> None:
    found = [place for path in READERS if path.name not in OWN for place in lists_in(path)]

    assert found == []


def test_lists_are_joined() -> None:
    assert word_list("columns.metric", "values.true")[:3] == ("metric", ".metric", "measure")
    assert names_of("values")[:2] == ("true", "false")
    assert (
        one_of("sets.prefix_in_logs", "columns.metric") == r"(?:learn|metric|\.metric|measure|metric_type|metric_name)"
    )
