"""Checks that the options are compatible and that the test supports each option.

An unsupported option raises an error, because an ignored option would lead to a misleading result.
"""

from __future__ import annotations

__all__ = [
    "chosen_tests",
    "data_checksum",
    "options_given",
    "refuse_adjust",
    "refuse_choices",
    "refuse_one_or_too_many",
    "refuse_untaken",
    "tests_with_missing",
    "understood",
]

import hashlib
import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from evalstats import _checks
from evalstats._errors import InvalidValueError, did_you_mean, examples, short
from evalstats._result import SCALARS, plain
from evalstats.adjustment.pair_indexing import USUAL_TEST, adjustments
from evalstats.comparison import registry
from evalstats.io.options import DEFAULT_PARSING, one_by_one
from evalstats.tables.errors import GROUPS, TableError
from evalstats.tables.score_table import ScoreTable

# this number of classifiers has 18 million pairs, which need less than 3 GB
MOST_CLASSIFIERS = 6_000
# other names of the tests
ALSO_CALLED = {
    "anova": "rm-anova",
    "aligned": "friedman-aligned",
    "dunn": "bonferroni-dunn",
    "eisinga": "rank-sum",
    "hsd": "tukey",
    "iman-davenport": "friedman",
    "max-t-ranks": "max-t",
    "maxt": "max-t",
    "randomized-tukey": "range",
    "signed-rank": "wilcoxon",
    "t": "paired-t",
    "ttest": "paired-t",
    "tukey-hsd": "tukey",
}
# values of each option; a word that occurs in several options belongs to the first of these options
VOCABULARIES: dict[str, tuple[str, ...]] = {
    "posthoc": tuple(registry.POSTHOC_TESTS),
    "omnibus": tuple(registry.OMNIBUS_TESTS),
    "adjust": adjustments(None),
    "method": tuple(dict.fromkeys(method for test in registry.OMNIBUS_TESTS.values() for method in test.methods)),
}


def understood(value: Any, name: str, options: Sequence[str]) -> str:
    """Return `value` if it is one of the `options`, or raise an error that suggests an option."""
    try:
        return _checks.choice(value, name, options)
    except InvalidValueError as error:
        raise InvalidValueError(f"{error}{_meant(value, name, options)}") from None


def _meant(value: Any, name: str, options: Sequence[str]) -> str:
    """Return a hint for an unknown option, such as a similar option, or '' if there is no hint."""
    if not isinstance(value, str):
        return ""
    word = value.strip().lower().replace("_", "-").replace(" ", "-").removesuffix("-test").removesuffix("-posthoc")
    word = word if word in options else ALSO_CALLED.get(word, word)
    elsewhere = [other for other, words in VOCABULARIES.items() if other != name and word in words]
    if word not in options and elsewhere:
        with_it = ""
        if name == "posthoc" and elsewhere[0] == "adjust":
            with_it = ", with a posthoc test of individual pairs such as 'wilcoxon'"
        return f"; {word!r} is a choice of {elsewhere[0]}{with_it}"
    return did_you_mean(word, options, _needs if name == "posthoc" else lambda _: "")


def _needs(posthoc: str) -> str:
    test = registry.POSTHOC_TESTS.get(posthoc)
    return ", which compares with a control" if test is not None and not test.pairs else ""


def refuse_one_or_too_many(table: ScoreTable) -> None:
    """Raise an error for a single classifier, or for so many classifiers that their pairs do not fit in memory."""
    n, k = len(table.datasets), len(table.classifiers)
    if k < 2:
        problem = f"the table holds {k} classifier; compare requires 2 or more"
        gone = [one for one in table.left_out if one.what == "column" and one.reason != "was excluded on request"]
        if not gone:
            raise InvalidValueError(problem)
        told = examples([f"{short(one.name)} {one.reason}" for one in gone])
        raise TableError(f"{problem}: {told}", "if it is a classifier, pass {} and so on", "keep", gone[0].name)
    if k <= MOST_CLASSIFIERS:
        return
    problem = f"the table holds {k:,} classifiers, and compare takes {MOST_CLASSIFIERS:,} at most"
    if k > n > 1:
        hint = f"if the {n:,} rows of the table are the classifiers, pass {{}}; otherwise leave some out"
        raise TableError(problem, hint, "transpose", "True")
    raise TableError(problem, "leave some out, with {}", "drop")


def refuse_choices(why: str, allowed: Mapping[str, Sequence[str]] = MappingProxyType({}), **choices: str) -> None:
    """Raise an error for arguments other than 'auto' and the supported options."""
    for argument, given in choices.items():
        known = ("auto", *allowed.get(argument, ()))
        if given not in known:
            raise InvalidValueError(f"{why}: {argument} must be {' or '.join(map(repr, known))}, not {given!r}")


def refuse_untaken(test: registry.DeclaredTest, *, method: Any = "auto") -> None:
    """Raise an error for a null distribution that the test does not support."""
    options = test.methods or ("auto",)
    if not isinstance(method, str) or method not in options:
        others = registry.OMNIBUS_TESTS if isinstance(test, registry.OmnibusTest) else {}
        with_it = [name for name, other in others.items() if isinstance(method, str) and method in other.methods]
        known = f"; {method!r} requires omnibus {_written(with_it)}" if with_it else _meant(method, "method", options)
        must_be = f"method must be {_written(options)}, not {short(method)}"
        raise InvalidValueError(f"{must_be}: the {test.words} supports no other method{known}")


def refuse_adjust(posthoc: str, adjust: str, control: str | None) -> None:
    """Raise an error for an adjustment if the post-hoc test already controls the family-wise error rate."""
    test = registry.POSTHOC_TESTS[posthoc]
    if not test.adjusts:
        pairwise = (name for name, other in registry.POSTHOC_TESTS.items() if other.adjusts and _fits(other, control))
        raise InvalidValueError(
            f"adjust must be left out, not {adjust!r}: posthoc {posthoc!r} is one test for the whole family; adjust "
            f"requires posthoc {_written(pairwise)}"
        )


def chosen_tests(omnibus: str, posthoc: str, control: str | None) -> tuple[str, str]:
    """Return the names of the omnibus and the post-hoc test, or raise an error if they are incompatible."""
    posthoc = understood(posthoc, "posthoc", ("auto", *registry.POSTHOC_TESTS))
    omnibus = understood(omnibus, "omnibus", ("auto", *registry.OMNIBUS_TESTS))
    if posthoc == "auto":
        posthoc = _usual_posthoc(omnibus, control)
    chosen = registry.POSTHOC_TESTS[posthoc]
    if control is not None and not chosen.control:
        others = _written(name for name, test in registry.POSTHOC_TESTS.items() if test.control)
        raise InvalidValueError(f"posthoc {posthoc!r} compares all pairs; with the control {control!r}, use {others}")
    if control is None and not chosen.pairs:
        raise InvalidValueError(f"posthoc {posthoc!r} compares with a control; pass the control as control=")
    return chosen.omnibus if omnibus == "auto" else omnibus, posthoc


def tests_with_missing(omnibus: str, posthoc: str, control: str | None) -> tuple[str, str]:
    """Return the tests for missing scores, or raise an error if other tests are chosen."""
    chosen_tests(omnibus, posthoc, control)
    for argument, given, possible in (
        ("omnibus", omnibus, ("skillings-mack",)),
        ("posthoc", posthoc, registry.ON_COMMON_DATASETS),
    ):
        if given not in ("auto", *possible):
            raise InvalidValueError(
                f"{argument} must be {_written(['auto', *possible])} if scores are missing, not {given!r}; "
                "alternatively, leave out the datasets with missing scores with missing='drop-datasets'"
            )
    return "skillings-mack", registry.ON_COMMON_DATASETS[0] if posthoc == "auto" else posthoc


def _usual_posthoc(omnibus: str, control: str | None) -> str:
    """Return the default post-hoc test of an omnibus test."""
    leading = "friedman" if omnibus == "auto" else omnibus
    if leading == "skillings-mack":
        return registry.ON_COMMON_DATASETS[0]
    if leading == registry.POSTHOC_TESTS[USUAL_TEST].omnibus:
        return USUAL_TEST
    return next(
        name for name, test in registry.POSTHOC_TESTS.items() if test.omnibus == leading and _fits(test, control)
    )


def _fits(test: registry.PosthocTest, control: str | None) -> bool:
    return test.pairs if control is None else test.control


def _written(names: Iterable[str]) -> str:
    return " or ".join(map(repr, names))


def data_checksum(source: Any) -> str | None:
    """Return the SHA-256 checksum of the data file, or None if the data are not a file."""
    if not isinstance(source, str | os.PathLike) or not os.path.isfile(source):
        return None
    with open(source, "rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"


def options_given(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that differ from the defaults, as plain values, in the order of the defaults.

    Each argument in a group of `read_table` is listed separately. Other values, such as a Generator, are replaced by
    the name of their type.
    """
    options = {name: value for name, value in given.items() if name in defaults} | one_by_one(given["read_kwargs"])
    defaults = {**defaults, **dict.fromkeys(itertools.chain(*GROUPS.values())), **DEFAULT_PARSING}
    written = {name: _plain_option(options[name]) for name in defaults if name in options}
    return {name: value for name, value in written.items() if value is not None and value != defaults[name]}


def _plain_option(value: Any) -> Any:
    value = plain(value)
    if isinstance(value, set | frozenset):
        value = sorted(value)
    if isinstance(value, list):
        return [_plain_option(item) for item in value]
    return value if isinstance(value, SCALARS) else type(value).__name__
