"""A generator is found by the name of its function, and each has a function that R is asked for."""

from __future__ import annotations

import json
import re
from random import Random

from evalstats._declarations import all_declarations
from evalstats.parity.fuzz import WRITTEN, find_generator, generated
from evalstats.parity.reference_cases import read_stem, stem_names

ASKED = [f"{name}/{function}" for name in stem_names() for function in read_stem(name).references]


def test_every_function_that_r_is_asked_for_has_a_generator() -> None:
    assert [name for name in ASKED if find_generator(name) is None] == []


def test_every_generator_has_one_function() -> None:
    """A function that several modules compare with R has inputs of its own for each."""
    subpackages = WRITTEN.keys() | {one.package for one in all_declarations()}

    made = sorted(name for subpackage in subpackages for name in generated(subpackage))

    assert made == sorted(name if name in made else re.sub("/.*/", "/", name) for name in ASKED)


def test_what_has_no_generator_is_none() -> None:
    assert find_generator("demo/subject/spread") is None
    assert find_generator("paired/sign/spread") is None
    assert find_generator("drawing/x/pairs") is None


def test_same_seed_draws_the_same() -> None:
    for name in ASKED:
        first, second = (find_generator(name)(Random(5)) for _ in range(2))
        assert repr(first) == repr(second), name


def test_arguments_are_plain() -> None:
    """They are written into a case, so they can be asked again."""
    for name in ASKED:
        drawn = find_generator(name)(Random(1))
        assert repr(json.loads(json.dumps(drawn))) == repr(drawn), name
