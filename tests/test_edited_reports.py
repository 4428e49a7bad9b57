"""No single edit of a saved report is called verified, if the place is not named as taken as given.

``python tests/test_edited_reports.py 2000 1`` tries so many edits of each report, with this seed.
"""

from __future__ import annotations

import copy
import io
import json
import random
import runpy
import sys
from collections.abc import Callable, Iterator
from functools import cache, reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evalstats
from evalstats import EvalstatsError, compare, example_path, example_table, verify_report
from evalstats.comparison import compare_judged, compare_learning_curves, compare_readers
from evalstats.comparison.covariates import compare_adjusted
from evalstats.io.reader.saved_reports import checksum

ROOT = Path(__file__).parents[1]
RELEASED = ROOT / "tests" / "data" / "reports" / evalstats.__version__
TABLE = example_table("demsar-2006")
HOLES = TABLE.to_frame()
HOLES.iloc[2, 1] = np.nan
MADE: dict[str, Callable[[], Any]] = {
    "defaults": lambda: compare(TABLE),
    "two": lambda: compare(TABLE.select(["C4.5", "C4.5+m"])),
    "quade": lambda: compare(TABLE, omnibus="quade", posthoc="conover", adjust="holm"),
    "choices": lambda: compare(TABLE, posthoc="wilcoxon", adjust="bh", margin=0.01, rope=0.01),
    "skillings-mack": lambda: compare(HOLES, missing="skillings-mack"),
    "drop-datasets": lambda: compare(HOLES, missing="drop-datasets", metric="error rate"),
    "two robust": lambda: compare(TABLE.select(["C4.5", "C4.5+m"]), robustness=True),
}
RNG = np.random.default_rng(5)
CURVES = [(c, r, n, RNG.normal(0.8 + n / 1000, 0.02)) for c in ("SVM", "tree") for r in range(4) for n in (20, 50)]
RATINGS = [(r, t, i, i % 2, i % 2 + RNG.normal()) for r in range(3) for t in ("film", "digital") for i in range(20)]
BATTLES = [(*RNG.permutation(["orca", "lynx", "newt"])[:2], RNG.choice(["model_a", "model_b"])) for _ in range(60)]
ANSWERS = [(q, m, int(RNG.integers(2)), int(RNG.integers(9))) for q in range(20) for m in ("old", "new")]
# rows that are no scores, whose reports need them: their columns, the rows, and what compares them
OTHER_ROWS: dict[str, tuple[str, list[Any], Callable[[Any], Any]]] = {
    "learning curves": (
        "classifier repeat n_train accuracy",
        CURVES,
        lambda data: compare_learning_curves(data, n_test=10, n_instances=100, alpha=0.1),
    ),
    "readers": ("reader treatment case truth rating", RATINGS, lambda data: compare_readers(data, alpha=0.1)),
    "judge": (
        "model question people judge",
        [
            (m, q, None if q > 9 else int(RNG.integers(2)), int(RNG.integers(2)))
            for m in ("old", "new")
            for q in range(30)
        ],
        lambda data: compare_judged(data, human="people", judge="judge", adjust="none"),
    ),
    "covariates": (
        "question_id model correct length",
        ANSWERS,
        lambda data: compare_adjusted(data, adjust_for=["length"], control="old"),
    ),
    "battles": ("model_a model_b winner", BATTLES, lambda data: compare(data, control="orca", rng=3)),
}
# the path of the data, where it takes them
PREDICTIONS = {"predictions": "accuracy", "predictions by metric": ["accuracy", "f1"]}
NEED_DATA = ("cases", "questions", "runs")
STORED = tuple(sorted(path.stem for path in RELEASED.glob("*.json")))
WITH_DATA = tuple(sorted(path.stem for path in RELEASED.glob("*.csv")))
REPORTS = (
    *((name, False) for name in (*MADE, *STORED) if name not in NEED_DATA),
    *((name, True) for name in WITH_DATA),
)
REPORTS += tuple((name, True) for name in (*PREDICTIONS, *OTHER_ROWS))
LABELS = [f"{name}{' with data' if with_data else ''}" for name, with_data in REPORTS]
Place = tuple[str | int, ...]


@cache
def text_of(name: str) -> str:
    """Return the text of a report."""
    if name in STORED:
        return (RELEASED / f"{name}.json").read_text(encoding="utf-8")
    if name in PREDICTIONS:
        return evalstats.report.json(compare(example_path("sklearn-predictions"), metric=PREDICTIONS[name]))
    if name in OTHER_ROWS:
        return evalstats.report.json(OTHER_ROWS[name][2](data_of(name, True)))
    return evalstats.report.json(MADE[name]())


def data_of(name: str, with_data: bool) -> Any:
    if not with_data:
        return None
    if name in OTHER_ROWS:
        columns, rows, _ = OTHER_ROWS[name]
        return dict(zip(columns.split(), map(list, zip(*rows, strict=True)), strict=True))
    return example_path("sklearn-predictions") if name in PREDICTIONS else RELEASED / f"{name}.csv"


def values_of(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield every value of a document but the document itself, and where it stands."""
    for name, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*place, name), item
        if isinstance(item, dict | list):
            yield from values_of(item, (*place, name))


# what somebody may write in place of a value, by its type
OTHERS: dict[type, Callable[[Any], list[Any]]] = {
    bool: lambda value: [not value, int(value), str(value), None],
    int: lambda value: [value + 1, float(value), -value - 1, str(value), bool(value), None, [value]],
    float: lambda value: [
        *(value * (1 + 1e-6) + 1e-9, -value - 1.0, round(value, 3) + 0.001, 0.5, str(value), None, "Infinity")
    ],
    str: lambda value: [value + "x", "", [value], None, value.upper() + " ", 3, {}],
    type(None): lambda _: [0, 0.5, "x", True, {}, []],
    list: lambda value: [value[::-1], value[1:] + value[:1], value + value[:1], value[:-1], [], None, [value], {}],
    dict: lambda value: [{**value, "extra": 1}, dict(list(value.items())[:-1]), {}, None, [value]],
}


def edits(document: dict[str, Any]) -> list[tuple[Place, Any]]:
    """Return every edit of one place: what to write there, or nothing where it is deleted."""
    every = ((place, other) for place, value in values_of(document) for other in (*OTHERS[type(value)](value), ...))
    return [(place, other) for place, other in every if place != ("checksum",)]


def edited(document: dict[str, Any], place: Place, other: Any) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    *names, last = place
    holder = reduce(lambda value, name: value[name], names, changed)
    if other is ...:
        del holder[last]
    else:
        holder[last] = other
    return changed


def path_of(place: Place) -> str:
    return "$" + "".join(f"[{name}]" if isinstance(name, int) else f".{name}" for name in place)


def passes(document: dict[str, Any], data: Any) -> tuple[str, ...] | None:
    """Return what a verified report takes as given; None of a report that is not verified."""
    try:
        found = verify_report(document, data=data)
    except EvalstatsError:
        return None
    return found.taken_as_given if found.ok else None


def slipped(name: str, with_data: bool, n: int, seed: int) -> tuple[int, list[str]]:
    """Return how many edits were tried, and those after which a report with a new checksum is called verified."""
    document, data = json.loads(text_of(name)), data_of(name, with_data)
    every, found, n_tried = edits(document), [], 0
    for place, other in random.Random(seed).sample(every, min(n, len(every))):
        changed = edited(document, place, other)
        if json.dumps(changed) == json.dumps(document):
            continue
        n_tried += 1
        given = passes(changed | {"checksum": checksum(changed)}, data)
        path = path_of(place)
        if given is not None and not any(path == one or path.startswith((f"{one}.", f"{one}[")) for one in given):
            found.append(f"{path} = {other!r}")
    return n_tried, found


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "with_data"), REPORTS, ids=LABELS)
def test_no_edit_is_verified_though_the_checksum_was_written_anew(name: str, with_data: bool) -> None:
    assert passes(json.loads(text_of(name)), data_of(name, with_data)) is not None

    n_tried, found = slipped(name, with_data, 30, 1)

    assert n_tried > 20
    assert found == []


@pytest.mark.sampled
@pytest.mark.parametrize("what", ["left", "dropped"])
@pytest.mark.parametrize("name", ["defaults", "metrics", "robustness"])
def test_no_edit_is_verified_where_the_checksum_was_left_or_dropped(name: str, what: str) -> None:
    """Not even of what is taken as given."""
    document = json.loads(text_of(name))
    if what == "dropped":
        del document["checksum"]
        assert passes(document, None) is None

    for place, other in random.Random(2).sample(edits(document), 40):
        changed = edited(document, place, other)
        if json.dumps(changed) != json.dumps(document):
            assert passes(changed, None) is None, path_of(place)


@pytest.mark.parametrize("name", ["defaults", "folds", "rope"])
def test_no_name_may_stand_twice(name: str) -> None:
    """Whichever of both a program takes, and even if they say the same."""
    lines = text_of(name).splitlines()
    named = [i for i, line in enumerate(lines) if line.rstrip(",").endswith(('"', "null", "true", "false", "]"))]
    named = [i for i in named if '": ' in lines[i]]

    for i in random.Random(3).sample(named, 15):
        first = lines[i].rstrip(",") + ","
        with pytest.raises(EvalstatsError, match="occurs twice"):
            verify_report(io.StringIO("\n".join([*lines[:i], first, *lines[i:]])))


@pytest.mark.parametrize("name", ["defaults", "metrics"])
def test_layout_and_order_of_names_are_no_content(name: str) -> None:
    """Other breaks and escapes leave the checksum; another order of names needs a new one, and says the same."""
    document = json.loads(text_of(name))
    turned = dict(reversed(document.items()))

    assert verify_report(io.StringIO(json.dumps(document, indent=7, ensure_ascii=True))).status == "verified"
    assert verify_report(turned).is_edited
    assert verify_report(turned | {"checksum": checksum(turned)}).status == "verified"


def test_every_kind_of_report_is_tried() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "save_release_reports.py"))

    assert set(script["KINDS"]) <= {name for name, _ in REPORTS}


if __name__ == "__main__":
    n, seed = (int(word) for word in [*sys.argv[1:], "500", "1"][:2])
    n_all = 0
    for one, label in zip(REPORTS, LABELS, strict=True):
        n_tried, found = slipped(*one, n, seed)
        n_all += n_tried
        sys.stdout.write(f"{label}: {n_tried:,} edits, verified after {found or 'none'}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{n_all:,} edits\n")
