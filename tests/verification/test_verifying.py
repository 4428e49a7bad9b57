"""Do the numbers of a saved report come out again, and if not, what changed and why?"""

from __future__ import annotations

import copy
import hashlib
import io
import json
import runpy
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import evalstats
from evalstats import EvalstatsError, compare, example_table, report, verify_report

TABLE = example_table("demsar-2006")
RNG = np.random.default_rng(11)
FOLDS = pd.DataFrame(
    [(c, r, f, RNG.normal(0.8 + i / 50, 0.02)) for i, c in enumerate("abc") for r in range(3) for f in range(5)],
    columns=["classifier", "repeat", "fold", "accuracy"],
)
LABELS = RNG.integers(0, 2, 200)
ANSWERS = pd.DataFrame(
    {"y_true": LABELS}
    | {c: np.where(RNG.random(200) < p, LABELS, 1 - LABELS) for c, p in zip("xy", (0.9, 0.7), strict=True)}
)
HOLES = TABLE.to_frame()
HOLES.iloc[2, 1] = np.nan
ROOT = Path(__file__).parents[2]
REPORTS = sorted((ROOT / "tests" / "data" / "reports").glob("*/*.json"))
RELEASED = ROOT / "tests" / "data" / "reports" / evalstats.__version__


def saved(comparison: Any) -> io.StringIO:
    return io.StringIO(report.json(comparison))


def edited(comparison: Any, place: str, value: Any) -> dict[str, Any]:
    """Return the parsed report with one value of the comparison changed."""
    document = json.loads(report.json(comparison))
    *names, last = place.split(".")
    at = document["comparison"]
    for name in names:
        at = at[int(name)] if name.isdigit() else at[name]
    at[int(last) if last.isdigit() else last] = value
    return document


@pytest.mark.parametrize(
    "comparison",
    [
        pytest.param(lambda: compare(TABLE), id="defaults"),
        pytest.param(lambda: compare(TABLE, control="C4.5", alpha=0.1), id="control"),
        pytest.param(lambda: compare(TABLE, posthoc="wilcoxon", adjust="bh", margin=0.01), id="choices"),
        pytest.param(lambda: compare(TABLE, omnibus="quade", posthoc="conover", adjust="holm"), id="quade"),
        pytest.param(lambda: compare(TABLE, robustness=True), id="robustness"),
        pytest.param(lambda: compare(TABLE, rope=0.01), id="rope"),
        pytest.param(lambda: compare(TABLE, method="monte-carlo", n_resamples=999, rng=7), id="seed"),
        pytest.param(lambda: compare(TABLE.select(["C4.5", "C4.5+m"])), id="two"),
        pytest.param(lambda: compare(HOLES, missing="skillings-mack"), id="skillings-mack"),
        pytest.param(lambda: compare(HOLES, missing="drop-datasets"), id="drop-datasets"),
        pytest.param(lambda: compare(1 - TABLE.to_frame(), metric="error rate"), id="loss"),
        pytest.param(lambda: compare(TABLE.to_frame().astype(np.float32)), id="single precision"),
        pytest.param(lambda: compare(FOLDS), id="folds"),
    ],
)
def test_every_value_comes_out_again(comparison: Any) -> None:
    made = comparison()
    found = verify_report(saved(made))

    assert found.changes == ()
    assert found.ok
    assert found.is_edited is False
    assert found.n_values > 50
    assert report.sentence(found).startswith("Verified: all ")


def test_report_is_verified_against_its_data(tmp_path: Path) -> None:
    path, data = tmp_path / "report.json", tmp_path / "scores.csv"
    TABLE.to_frame().assign(notes="x").to_csv(data, sep=";")
    path.write_text(report.json(compare(data, drop="notes", delimiter=";", alpha=0.1)), encoding="utf-8")

    found = verify_report(path, data=data)
    assert found.ok
    assert found.used_data
    assert found.options == {"drop": "notes", "delimiter": ";", "alpha": 0.1}

    text = data.read_text()
    data.write_text(text.replace("0.763", "0.793"))
    found = verify_report(path, data=data)
    assert not found.ok
    assert not found.is_edited
    assert [one.place for one in found.changes][:2] == ["verdict", "table.scores[0][0]"]
    assert "The data are others: table.scores[0][0] was 0.763 and is 0.793." in [one.sentence for one in found.findings]


def test_file_of_the_data_is_known_by_its_checksum(tmp_path: Path) -> None:
    """Also where the same scores come of another file."""
    data, other = tmp_path / "scores.csv", tmp_path / "other.csv"
    TABLE.to_frame().to_csv(data)
    TABLE.to_frame().to_csv(other, sep=";")
    made = compare(data)

    assert made.data_checksum == f"sha256:{hashlib.sha256(data.read_bytes()).hexdigest()}"
    assert compare(TABLE).data_checksum is None
    assert verify_report(saved(made), data=data).findings == ()
    found = verify_report(saved(made), data=other)
    assert (found.ok, [one.code for one in found.findings]) == (True, ["file"])


@pytest.mark.parametrize("name", ["cases", "metrics", "questions", "runs"])
def test_every_kind_of_report_has_the_checksum_of_its_data(name: str) -> None:
    data, told = RELEASED / f"{name}.csv", json.loads((RELEASED / f"{name}.json").read_text(encoding="utf-8"))
    kind = told["kind"].removeprefix("evalstats ")
    options = {"metric": told[kind]["metrics"]} if name == "metrics" else {}

    made = evalstats.report_runs(data) if name == "runs" else compare(data, **options)

    assert made.data_checksum == f"sha256:{hashlib.sha256(data.read_bytes()).hexdigest()}"
    assert json.loads(report.json(made))[kind]["data_checksum"] == made.data_checksum


def test_predictions_are_needed_again() -> None:
    made = compare(ANSWERS)

    with pytest.raises(EvalstatsError, match="not the predictions: pass data"):
        verify_report(saved(made))
    assert verify_report(saved(made), data=ANSWERS).ok
    assert not verify_report(saved(made), data=ANSWERS.assign(x=ANSWERS.y)).ok


@pytest.mark.parametrize("metric", ["accuracy", "f1", ["accuracy", "f1"]])
def test_scores_of_predictions_come_out_again_without_the_predictions(metric: Any) -> None:
    """The advice needs the predictions; it is compared with them alone, and the verification says so."""
    data = evalstats.example_path("sklearn-predictions")
    saved_report = report.json(compare(data, metric=metric))

    without, with_data = (verify_report(io.StringIO(saved_report), data=given) for given in (None, data))

    assert (without.ok, without.changes) == (True, ())
    assert [one.code for one in without.findings] == ["advice-of-predictions"]
    assert (with_data.ok, with_data.findings) == (True, ())
    assert with_data.n_values > without.n_values > 100


@pytest.mark.parametrize(
    ("place", "value", "changed"),
    [
        ("omnibus.pvalue", 0.001, "omnibus.pvalue"),
        ("different.0.1", True, "different[0][1]"),
        ("ranking.0", "C4.5", "ranking[0]"),
        ("pairs.0.pvalue", 1e-9, "pairs[C4.5+m+cf, C4.5+m].pvalue"),
        ("significant", 1, "significant"),
        ("omnibus.df", None, "omnibus.df"),
    ],
)
def test_edited_value_is_found_twice(place: str, value: Any, changed: str) -> None:
    found = verify_report(edited(compare(TABLE), place, value))

    assert found.is_edited
    assert [one.place for one in found.changes] == [changed]
    assert not found.ok
    assert "its checksum does not fit" in report.text(found).replace("\n", " ")


def test_a_careful_forger_is_found_by_the_numbers() -> None:
    from evalstats.report.formats.json import checksum

    document = edited(compare(TABLE), "omnibus.pvalue", 0.001)
    document["checksum"] = checksum(document)
    found = verify_report(document)

    assert found.is_edited is False
    assert [one.place for one in found.changes] == ["omnibus.pvalue"]


def test_edited_words_are_found_though_every_number_comes_out() -> None:
    document = json.loads(report.json(compare(TABLE)))
    document["written_by"] = "somebody"
    found = verify_report(document)

    assert found.changes == ()
    assert found.is_edited
    assert not found.ok
    assert report.sentence(found).startswith("Not verified, though all ")


def test_layout_of_the_text_changes_nothing() -> None:
    assert verify_report(io.StringIO(json.dumps(json.loads(report.json(compare(TABLE))), indent=7))).ok


def test_generator_cannot_be_repeated() -> None:
    made = compare(TABLE, method="monte-carlo", n_resamples=99, rng=np.random.default_rng(5))
    found = verify_report(saved(made))

    assert made.options["rng"] == "Generator"
    assert "A whole number as rng can be repeated." in found.findings[0].sentence


def test_other_versions_are_named() -> None:
    document = json.loads(report.json(compare(TABLE)))
    document["versions"]["numpy"] = "1.25.0"
    del document["checksum"]
    found = verify_report(document)

    assert found.ok
    assert found.is_edited is None
    assert f"It was written with numpy 1.25.0; here numpy {np.__version__} made it again." in [
        one.sentence for one in found.findings
    ]
    assert "has no checksum" in report.text(found).replace("\n", " ")


def data_of(path: Path) -> Path | None:
    """Return the data beside a report that holds less than its making takes."""
    needs = json.loads(path.read_text(encoding="utf-8"))
    has_scores = needs["kind"] in ("evalstats comparison", "evalstats by_metric")
    return None if has_scores and path.stem != "cases" else path.with_suffix(".csv")


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_report_of_every_kind_and_release_comes_out_again(path: Path) -> None:
    found = verify_report(path, data=data_of(path))

    assert found.changes == ()
    assert found.is_edited is False
    assert found.ok
    assert found.n_values > 100


@pytest.mark.parametrize("path", [path for path in REPORTS if path.with_suffix(".csv").exists()], ids=lambda p: p.stem)
def test_report_comes_out_again_from_its_data_alone(path: Path) -> None:
    """The way from the file on is made again too, with the arguments of reading that stand in the report."""
    found = verify_report(path, data=path.with_suffix(".csv"))

    assert (found.ok, found.used_data) == (True, True)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_any_other_number_in_a_report_is_found(path: Path) -> None:
    """A careful forger writes the checksum anew; scores are what the others follow from, and need the data."""
    from evalstats.report.formats.json import checksum

    document = json.loads(path.read_text(encoding="utf-8"))
    kind = document["kind"].removeprefix("evalstats ")
    places = [place for place in numbers_of(document[kind]) if not {"table", "options"} & set(place)]

    for *names, last in places[7 :: max(1, len(places) // 4)]:
        changed = copy.deepcopy(document)
        reduce(lambda value, name: value[name], names, changed[kind])[last] += 1
        assert verify_report(changed, data=data_of(path)).is_edited
        changed["checksum"] = checksum(changed)
        assert len(verify_report(changed, data=data_of(path)).changes) == 1, (names, last)


def numbers_of(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where the floats of a parsed report stand."""
    if isinstance(value, dict | list):
        for name, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers_of(item, (*place, name))
    elif isinstance(value, float):
        yield place


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_report_that_ends_too_early_is_told_from_another_programs(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    document = json.loads(text)

    for share in (0.1, 0.5, 0.99):
        with pytest.raises(EvalstatsError, match="ends too early"):
            verify_report(io.StringIO(text[: int(share * len(text))].rstrip("} \n")))
    with pytest.raises(EvalstatsError, match="is no report of evalstats"):
        verify_report({**document, "kind": "scipy result"})
    with pytest.raises(EvalstatsError, match="a newer one wrote it"):
        verify_report({**document, "schema_version": 2})
    with pytest.raises(EvalstatsError, match="was damaged or edited"):
        verify_report({name: value for name, value in document.items() if name in ("kind", "schema_version")})


@pytest.mark.parametrize("name", ["cases", "questions", "runs"])
def test_data_are_asked_for_where_a_report_holds_too_little(name: str) -> None:
    with pytest.raises(EvalstatsError, match="pass data"):
        verify_report(RELEASED / f"{name}.json")


def test_other_data_are_told() -> None:
    text = (RELEASED / "questions.csv").read_text(encoding="utf-8")
    head, *rows = text.splitlines()
    fewer = [head, *(row for row in rows if ",law-" not in row)]

    assert not verify_report(RELEASED / "questions.json", data=io.StringIO("\n".join(fewer))).ok


def test_every_release_has_a_report_of_every_kind() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "reports_of_release.py"))

    assert set(script["KINDS"]) <= {path.stem for path in RELEASED.glob("*.json")}


@pytest.mark.parametrize("stop", ["FixedRuns", ["print(1)"], ["FixedRuns(n=print(1))"], [3], ["("], "x"])
def test_only_rules_of_evalstats_are_made_again(stop: Any) -> None:
    document = json.loads((RELEASED / "runs.json").read_text(encoding="utf-8"))
    document["runs"]["options"]["stop"] = stop

    with pytest.raises(EvalstatsError, match="stop"):
        verify_report(document, data=RELEASED / "runs.csv")


def test_runs_of_a_generator_can_be_repeated_by_their_seed() -> None:
    data = RELEASED / "runs.csv"
    made = evalstats.report_runs(data, rng=np.random.default_rng(5))

    found = verify_report(saved(made), data=data)

    assert made.options == {"rng": "Generator"}
    assert (found.ok, found.findings) == (True, ())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no report in JSON"),
        ("dataset,NB\n", "is no report in JSON"),
        ('{"kind": "evalstats comparison", "comp', "ends too early"),
        ('{"kind": "evalstats comparison",, }', "see its line 1"),
        ("[1, 2]", "is no report of evalstats"),
        ('{"kind": "other"}', "is no report of evalstats"),
        ('{"a": 1}', "is no report of evalstats"),
        ('{"kind": "evalstats study", "schema_version": 1}', "comparisons and reports over runs can be verified"),
        ('{"kind": "evalstats comparison", "schema_version": 99, "comparison": {}}', "a newer one wrote it"),
        ('{"kind": "evalstats comparison", "schema_version": true, "comparison": {}}', "schema version"),
        ('{"kind": "evalstats comparison", "schema_version": 1}', "holds no comparison"),
        ('{"kind": "evalstats comparison", "schema_version": 1, "comparison": {}}', "holds no table of scores"),
        ('{"kind": "evalstats comparison", "schema_version": 1, "comparison": {"options": 3}}', "must be an object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_report_is_refused(text: str, words: str) -> None:
    with pytest.raises(EvalstatsError, match=words):
        verify_report(io.StringIO(text))


@pytest.mark.parametrize("options", [{"alpha": "x"}, {"posthoc": "nothing"}, {"robustness": 3}, {"nonsense": 1}])
def test_options_that_compare_does_not_take_are_refused(options: dict[str, Any]) -> None:
    document = edited(compare(TABLE), "options", options)
    if "nonsense" in options:  # of reading, which the scores in the report do not need
        assert verify_report(document).is_edited
        return
    with pytest.raises(EvalstatsError):
        verify_report(document)


@pytest.mark.parametrize("given", [5, None, [1], {"a": object()}])
def test_other_things_are_refused(given: Any) -> None:
    with pytest.raises(EvalstatsError):
        verify_report(given)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(EvalstatsError, match="no text in UTF-8"):
        verify_report(path)
    with pytest.raises(FileNotFoundError):
        verify_report(tmp_path / "nowhere.json")


@pytest.mark.parametrize("path", ["x" * 300, "a\0b", "."])
def test_path_that_cannot_be_opened_is_refused_in_one_line(path: str) -> None:
    with pytest.raises(evalstats.InvalidValueError, match="cannot be read") as refused:
        evalstats.verify_report(path)

    assert len(str(refused.value)) < 500


def test_other_words_of_another_version_are_no_change() -> None:
    """Numbers must come out again; how a later version says what follows from them is its own."""
    document = json.loads(report.json(compare(TABLE)))
    document["evalstats_version"] = document["versions"]["evalstats"] = "0.0.9"
    document["verdict"] = "The four do not all perform alike."
    document["comparison"]["advice"]["reason"] = "Ranks, as ever."

    assert verify_report(document).changes == ()

    document["comparison"]["mean_ranks"][0] += 0.5

    assert [one.place for one in verify_report(document).changes] == ["mean_ranks[0]"]


def test_data_of_which_another_kind_of_record_comes_are_not_what_was_compared() -> None:
    """A table of scores, and answers to questions beside it."""
    saved = evalstats.report.json(evalstats.compare(evalstats.example_table("demsar-2006")))
    answers = [(model, item, (item + len(model)) % 3 / 2) for model in ("a", "bc", "def") for item in range(12)]
    data = {
        name: list(column)
        for name, column in zip(("model", "question", "score"), zip(*answers, strict=True), strict=True)
    }

    with pytest.raises(
        evalstats.InvalidValueError, match=r"data must be what was compared: of these comes 'evalstats q"
    ):
        evalstats.verify_report(io.StringIO(saved), data=data)
