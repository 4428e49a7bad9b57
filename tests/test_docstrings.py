"""Docstrings begin with the verb of their kind, their examples run, and the records of the examples show themselves."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import itertools
import pkgutil
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from public_names import public_functions, public_names
from source_trees import source_tree

import evalstats
from evalstats._result import LONGEST, Record

MODULES = ["evalstats", *(m.name for m in pkgutil.walk_packages(evalstats.__path__, "evalstats."))]
# what a reader cannot use, or what means that an array or a number of numpy was printed as it is
NEVER_SHOWN = ("functools.partial", " object at 0x", "np.float64(", "np.int64(", "np.str_(", "np.True_", "np.False_")

# how the first line begins, by the kind of function: the first row whose pattern fits "subpackage.name" applies
FIRST_WORDS = {
    r"bayes\..*test": "Compute posterior probabilities",
    r".*(test|_5x2cv|_10x10|_test_from_estimates|(value|specificity)_from_counts)": "Test (whether|which)",
    r".*\.read_.*": "Read",
    r".*\.(make_.*|bootstrap_\w*scores)": "Generate",
    r".*\.simulate_.*|.*_simulation": "Simulate",
    r".*\.check_.*": "Check",
    r".*\.project_.*": "Project",
    r".*\.analyze_.*": "Analyze",
    r".*(\.count_.*|(?<!from)_counts)": "Count",
    r"adjustment\..*": "Adjust",
    r"gating\..*": "Test whether",
    r"examples\..*": "Read|List|Return",
    r"plot\..*": "Plot",
    r"report\..*": "Render",
    r".*": "Compute|Estimate|Find|Count",
}
# reviewed: the verb says more than the verb of the kind
OWN_FIRST_WORDS = {
    "paired.naive_resampled_ttest": "Test as if",  # not a valid test
    "pairwise.pairwise_subgroup_test": "Test for each pair",  # the hypothesis is about one pair in several subgroups
    "paired.curve_difference": "Compare",  # an estimate, a band and a test at once
    "paired.net_benefit_difference": "Compare",
    "comparison.compare": "Compare",
    "comparison.compare_learning_curves": "Compare",
    "comparison.compare_judged": "Compare",
    "comparison.compare_readers": "Compare",
    "comparison.which_test": "Recommend",
    "multiple.ranks_by_metric": "Rank",
    "io.known_formats": "Return",
    "multiple.performance_vectors": "Convert",
    "tables.score_table_from_cross_validate": "Convert",
    "tables.fold_scores_from_cross_validate": "Return",
    "reproducibility.replay_stopping_rule": "Replay",
    "study.run_study": "Run",
    "plot.save": "Save",
    "report.bibliography": "Return",
    "parity.validate": "Compare",
    "verification.verify_report": "Recompute",
}
LONGEST_FIRST_LINE = 100
FIRST_LINES = {
    f"{function.__module__.split('.')[1]}.{function.__name__}": (inspect.getdoc(function) or "").partition("\n")[0]
    for function in public_functions().values()
}


def _begins_by_rule(name: str) -> bool:
    verb = next(verb for pattern, verb in FIRST_WORDS.items() if re.fullmatch(pattern, name))
    return bool(re.match(rf"(?:{verb}) ", FIRST_LINES[name]))


def test_first_line_begins_with_the_verb_of_its_kind() -> None:
    """A test begins with "Test whether", a plot with "Plot", a reader with "Read"; each exception is needed."""
    by_rule = {name for name in FIRST_LINES if _begins_by_rule(name)}

    assert {name: line for name, line in FIRST_LINES.items() if name not in by_rule | set(OWN_FIRST_WORDS)} == {}
    assert by_rule.isdisjoint(OWN_FIRST_WORDS)
    assert [name for name, verb in OWN_FIRST_WORDS.items() if not FIRST_LINES[name].startswith(f"{verb} ")] == []


def test_first_line_is_one_short_sentence() -> None:
    found = [line for line in FIRST_LINES.values() if len(line) > LONGEST_FIRST_LINE or not line.endswith(".")]

    assert found == []


def test_first_line_of_a_class_is_a_noun_phrase() -> None:
    """Classes of stopping rules say when they stop."""
    lines = {
        name: (inspect.getdoc(cls) or "").partition("\n")[0]
        for name, cls in public_names().items()
        if isinstance(cls, type)
    }

    assert {
        n: line
        for n, line in lines.items()
        if re.match(r"(What|Whether|There|Compute|Estimate|Plot|Read|Return|Find) |$", line)
    } == {}


# defaults that a docstring writes in words, or rounds
OWN_DEFAULTS = {
    "analyze_runs.stopping_rule": "each rule",
    "jzs_bayes_factor.scale": "0.7071",
    "rank_confidence_sets.df": "infinity",
}
_PARAMETERS = re.compile(r"^Parameters\n-+\n(.*?)(?=^\w[^\n]*\n-{3,}|\Z)", re.DOTALL | re.MULTILINE)
_HEAD = re.compile(r"^(\w[\w, ]*) : (.*)$", re.MULTILINE)


def _functions_and_methods() -> Iterator[Callable[..., Any]]:
    yield from public_functions().values()
    for module in map(importlib.import_module, MODULES):
        for owner in vars(module).values():
            if inspect.isclass(owner) and owner.__module__ == module.__name__ and owner.__name__[0] != "_":
                yield from (f for f in vars(owner).values() if inspect.isfunction(f) and f.__name__[0] != "_")


def _documented_defaults(function: Callable[..., Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield the parameters of a docstring, what it says of their defaults, and those of the signature."""
    section = _PARAMETERS.search(inspect.getdoc(function) or "")
    parameters = inspect.signature(function).parameters
    for names, kind in _HEAD.findall(section[1] if section else ""):
        told = re.search(r"default: (.+)$", kind)
        defaults = told[1].split(" and ") if told else ["optional" if "optional" in kind else ""]
        for name, default in zip(names.split(", "), itertools.cycle(defaults), strict=False):
            yield name, default, parameters[name].default


def _is_default(told: str, default: Any) -> bool:
    if told == "optional":
        return default is not inspect.Parameter.empty
    if told == "":
        return default is None or default is inspect.Parameter.empty
    try:
        return bool(ast.literal_eval(told) == default)
    except (ValueError, SyntaxError):
        return told == str(default)


def test_related_functions_are_listed_in_the_form_of_numpydoc() -> None:
    """The site is not built if a line of a description is not indented."""
    wrong = []
    for path in sorted(Path(evalstats.__path__[0]).rglob("*.py")):
        for node in ast.walk(source_tree(path)):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and (text := ast.get_docstring(node)):
                related = re.search(r"(?ms)^See Also\n-+\n(.*?)(?=^\S[^\n]*\n-+$|\Z)", text)
                lines = related[1].splitlines() if related else []
                wrong += [
                    (node.name, line)
                    for line in lines
                    if line and not re.match(r"    |[\w.]+(, [\w.]+)*( : |,?$)", line)
                ]
    assert wrong == []


def test_default_of_the_docstring_is_that_of_the_signature() -> None:
    documented = {
        f"{function.__qualname__}.{name}": (told, default)
        for function in _functions_and_methods()
        for name, told, default in _documented_defaults(function)
    }

    assert {
        name: told for name, (told, default) in documented.items() if not _is_default(told, default)
    } == OWN_DEFAULTS
    assert len(documented) > 1500


@pytest.mark.parametrize("name", [m for m in MODULES if not m.endswith("__main__")])
def test_examples_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their records obey the laws of all records: short texts, and a table whose columns are equally long and plain."""
    records: dict[type[Record], Record] = {}
    finish = Record.__post_init__

    def remember(record: Record) -> None:
        finish(record)
        records.setdefault(type(record), record)

    monkeypatch.setattr(Record, "__post_init__", remember)

    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)

    assert failed == 0
    assert not [offence for record in tuple(records.values()) for offence in _offences(record)]


def _offences(record: Record) -> Iterator[str]:
    name, shown, columns = type(record).__name__, repr(record), record.to_columns()
    if len(shown) > LONGEST + 100:
        yield f"repr({name}) has {len(shown)} characters"
    yield from (f"repr({name}) shows {text}" for text in NEVER_SHOWN if text in shown)
    if type(record).__str__.__module__ == Record.__module__ and len(str(record)) > LONGEST:
        yield f"str({name}) has {len(str(record))} characters"
    if len({len(column) for column in columns.values()}) > 1:
        yield f"the columns of {name} differ in length"
    if any(isinstance(value, np.generic) for column in columns.values() for value in column):
        yield f"a column of {name} holds a number of numpy"
