"""One text for one parameter: what `vocabulary.toml` says of shared parameters is what the docstrings say."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from public_names import public_functions

SUBPACKAGES = ("metrics", "plot", "report", "reproducibility")
WORDS: dict[str, dict[str, list[str]]] = tomllib.loads(
    (Path(__file__).parent / "parameter_docs.toml").read_text(encoding="utf-8")
)


class Parameter(NamedTuple):
    """What a docstring says of a parameter."""

    function: str
    name: str
    type: str | None
    text: str


def described(name: str, function: Callable[..., Any]) -> Iterator[Parameter]:
    """Read the section of parameters of a docstring."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", inspect.getdoc(function) or "", re.S | re.M)
    for block in re.finditer(
        r"^(\*{0,2}\w[\w, *]*?)(?: : (.*))?\n((?: {4}.*\n?|\n)*)", section[1] if section else "", re.M
    ):
        for parameter in block[1].split(", "):
            yield Parameter(name, parameter, block[2], " ".join(block[3].split()))


FUNCTIONS = public_functions()
PARAMETERS = [parameter for name, function in FUNCTIONS.items() for parameter in described(name, function)]


def test_every_parameter_is_described() -> None:
    told = {(p.function, p.name.lstrip("*")) for p in PARAMETERS}
    wanted = {(name, p) for name, f in FUNCTIONS.items() for p in inspect.signature(f).parameters}

    assert sorted(wanted - told) == []


def test_shared_parameters_have_one_text() -> None:
    offenders = [
        f"{p.function}({p.name}): {p.text}"
        for p in PARAMETERS
        if p.name in WORDS and not p.text.startswith((*WORDS[p.name]["texts"], "As in `", "For predictions: "))
    ]

    assert offenders == []


def test_shared_parameters_have_one_type() -> None:
    offenders = [
        f"{p.function}({p.name}): {p.type}"
        for p in PARAMETERS
        if p.type is not None and p.type not in WORDS.get(p.name, {}).get("types", [p.type])
    ]

    assert offenders == []


def test_choices_of_undefined_are_parts_of_one_list() -> None:
    order = WORDS["undefined"]["order"]
    choices = {p: re.findall(r"'(\w+)'", (p.type or "").split("}")[0]) for p in PARAMETERS if p.name == "undefined"}

    assert [p for p, given in choices.items() if given != [word for word in order if word in given]] == []
    assert set().union(*choices.values()) == set(order)


def test_a_text_that_points_elsewhere_points_at_the_same_parameter() -> None:
    told = {(p.function.removeprefix("metrics.").removeprefix("plot."), p.name) for p in PARAMETERS}
    offenders = []
    for p in PARAMETERS:
        for name in re.findall(r"^As in `(?:evalstats\.)?(?:metrics\.)?(\w+)`", p.text):
            offenders += [f"{p.function}({p.name}): {name} has none"] * ((name, p.name) not in told)

    assert offenders == []


def test_every_word_is_in_use() -> None:
    """A text that no docstring begins with is not one of the vocabulary any more."""
    texts = {name: [p.text for p in PARAMETERS if p.name == name] for name in WORDS}

    unused = [
        f"{name}: {text}"
        for name, words in WORDS.items()
        for text in words["texts"]
        if not any(said.startswith(text) for said in texts[name])
    ]

    assert unused == []
