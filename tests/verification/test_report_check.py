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
from evalstats.io.reader.saved_reports import checksum

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
SAVED = ROOT / "tests" / "data" / "reports"
# of the schema version of today, and of earlier ones
REPORTS = sorted(SAVED.glob("[0-9]*/*.json"))
EARLIER = sorted(SAVED.glob("schema-*/*.json"))
RELEASED = SAVED / evalstats.__version__


VERSION = evalstats.__version__
GIVEN = ("$.comparison.options", "$.evalstats_version", "$.versions")


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
    assert "The data are different: table.scores[0][0] was 0.763 and is 0.793." in [
        one.sentence for one in found.findings
    ]


def test_file_of_the_data_is_known_by_its_checksum(tmp_path: Path) -> None:
    """Also where the same scores come of another file."""
    data, other = tmp_path / "scores.csv", tmp_path / "other.csv"
    TABLE.to_frame().to_csv(data)
    TABLE.to_frame().to_csv(other, sep=";")
    made = compare(data)

    assert made.data_checksum == f"sha256:{hashlib.sha256(data.read_bytes()).hexdigest()}"
    assert compare(TABLE).data_checksum is None
    found = verify_report(saved(made), data=data)
    assert (found.ok, found.findings, found.taken_as_given) == (True, (), GIVEN)
    found = verify_report(saved(made), data=other)
    assert (found.status, [one.place for one in found.changes]) == ("not verified", ["data_checksum"])


def test_file_may_have_another_name(tmp_path: Path) -> None:
    data, other = tmp_path / "scores.csv", tmp_path / "other.csv"
    for path in (data, other):
        TABLE.to_frame().to_csv(path)

    found = verify_report(saved(compare(data)), data=other)

    assert (found.status, found.taken_as_given) == ("verified", (*GIVEN, "$.comparison.table.source"))


def test_frame_may_be_saved_as_a_file_and_a_file_be_read_into_a_frame(tmp_path: Path) -> None:
    data = tmp_path / "scores.csv"
    TABLE.to_frame().to_csv(data)

    of_frame = verify_report(saved(compare(TABLE.to_frame(), metric="AUC")), data=data)
    of_file = verify_report(saved(compare(data, metric="AUC")), data=TABLE.to_frame())

    for found in (of_frame, of_file):
        assert found.status == "verified"
        assert "$.comparison.data_checksum" in found.taken_as_given


@pytest.mark.parametrize("name", ["cases", "metrics", "questions", "runs"])
def test_every_kind_of_report_has_the_checksum_of_its_data(name: str) -> None:
    data, told = RELEASED / f"{name}.csv", json.loads((RELEASED / f"{name}.json").read_text(encoding="utf-8"))
    kind = told["kind"].removeprefix("evalstats ")
    options = {"metric": told[kind]["metrics"]} if name == "metrics" else {}

    made = evalstats.analyze_runs(data) if name == "runs" else compare(data, **options)

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
    """The advice needs the predictions: without them it is not made again, and the report is not verified."""
    data = evalstats.example_path("sklearn-predictions")
    saved_report = report.json(compare(data, metric=metric))

    without, with_data = (verify_report(io.StringIO(saved_report), data=given) for given in (None, data))

    assert (without.status, without.changes, without.is_edited) == ("not verified", (), False)
    assert all(place.endswith(".advice") for place in without.not_recomputed)
    assert [one.code for one in without.findings] == ["advice-of-predictions"]
    assert (with_data.status, with_data.findings, with_data.not_recomputed) == ("verified", (), ())
    assert with_data.n_values > without.n_values > 100


@pytest.mark.parametrize(
    ("place", "value", "changed"),
    [
        ("omnibus.pvalue", 0.001, "omnibus.pvalue"),
        ("different.0.2", True, "different[0][2]"),
        ("ranking.0", "C4.5", "ranking[0]"),
        ("pairs.0.pvalue", 1e-9, "pairs[C4.5+m+cf, C4.5+m].pvalue"),
        ("significant", False, "significant"),
        ("omnibus.df", 99, "omnibus.df"),
    ],
)
def test_edited_value_is_found_twice(place: str, value: Any, changed: str) -> None:
    found = verify_report(edited(compare(TABLE), place, value))

    assert found.is_edited
    assert [one.place for one in found.changes] == [changed]
    assert not found.ok
    assert "its checksum does not match" in report.text(found).replace("\n", " ")


def test_a_careful_forger_is_found_by_the_numbers() -> None:
    document = edited(compare(TABLE), "omnibus.pvalue", 0.001)
    document["checksum"] = checksum(document)
    found = verify_report(document)

    assert found.is_edited is False
    assert [one.place for one in found.changes] == ["omnibus.pvalue"]


@pytest.mark.parametrize(
    ("place", "value", "fault"),
    [
        ("written_by", "somebody", "$.written_by is not in the format"),
        ("checksum", None, "$.checksum must be a string that matches ^sha256:[0-9a-f]{64}$, not null"),
        ("schema_version", 0, "$.schema_version must be 2, not 0"),
        ("schema_version", -1, "$.schema_version must be 2, not -1"),
        ("schema_version", True, "$.schema_version must be 2, not true"),
        ("schema_version", "2", "$.schema_version must be 2, not '2'"),
        ("schema_version", 2.0, "$.schema_version must be 2, not 2.0"),
        (
            "evalstats_version",
            "0.0.9",
            f"$.evalstats_version must be {VERSION!r}, as in $.versions.evalstats, not '0.0.9'",
        ),
        ("evalstats_version", None, "$.evalstats_version must be a string, not null"),
    ],
)
def test_what_is_not_in_the_format_is_told_by_its_place(place: str, value: Any, fault: str) -> None:
    """Though the checksum was written anew; nothing is made again then."""
    document = json.loads(report.json(compare(TABLE))) | {place: value}
    if place != "checksum":
        document["checksum"] = checksum(document)
    found = verify_report(document)

    assert (found.status, fault in map(str, found.faults)) == ("not verified", True)
    assert (found.n_values, found.not_recomputed) == (0, ("$",))
    assert fault in report.sentence(found)


@pytest.mark.parametrize("place", ["verdict", "checksum", "evalstats_version", "versions", "comparison.pairs.3.pvalue"])
def test_what_is_missing_is_told_by_its_place(place: str) -> None:
    document = json.loads(report.json(compare(TABLE)))
    *names, last = [int(name) if name.isdigit() else name for name in place.split(".")]
    del reduce(lambda value, name: value[name], names, document)[last]
    found = verify_report(document)

    assert found.status == "not verified"
    assert "is missing" in str(found.faults[0])


@pytest.mark.parametrize("name", ["options", "data_checksum", "whole"])
@pytest.mark.parametrize("kind", ["battles", "judged_scores", "learning_curves", "readers"])
def test_missing_part_of_a_kind_is_told(kind: str, name: str) -> None:
    rows = {"model_a": ["x", "y", "x"], "model_b": ["y", "x", "y"], "winner": ["model_a", "model_a", "tie"]}
    document = json.loads(report.json(compare(rows)))
    held = document.pop("battles")
    document |= {"kind": f"evalstats {kind}", kind: {key: value for key, value in held.items() if key != name}}
    if name == "whole":
        document["record"] = document.pop(kind)
    found = verify_report(document, data=rows)

    assert (found.status, found.n_values) == ("not verified", 0)
    assert "is missing" in str(found.faults[0])


def test_place_of_a_pair_is_told() -> None:
    document = edited(compare(TABLE), "pairs.3.pvalue", "0.01")

    assert [str(fault) for fault in verify_report(document).faults] == [
        "$.comparison.pairs[3].pvalue must be a number or a string that matches ^-?Infinity$ or null, not '0.01'"
    ]


def test_other_words_with_another_checksum_are_found() -> None:
    document = json.loads(report.json(compare(TABLE)))
    document["verdict"] = "NB is better than all others."
    document["checksum"] = checksum(document)
    found = verify_report(document)

    assert (found.status, found.is_edited) == ("not verified", False)
    assert [one.place for one in found.changes] == ["verdict"]


def test_only_the_checksum_does_not_fit() -> None:
    document = json.loads(report.json(compare(TABLE)))
    document["checksum"] = "sha256:" + 64 * "0"
    found = verify_report(document)

    assert (found.changes, found.is_edited, found.status) == ((), True, "not verified")
    assert report.sentence(found).startswith("Not verified, though all ")


def test_layout_of_the_text_changes_nothing() -> None:
    assert verify_report(io.StringIO(json.dumps(json.loads(report.json(compare(TABLE))), indent=7))).ok


def test_generator_cannot_be_repeated() -> None:
    made = compare(TABLE, method="monte-carlo", n_resamples=99, rng=np.random.default_rng(5))
    found = verify_report(saved(made))

    assert made.options["rng"] == "Generator"
    assert "Use a whole number as rng to repeat them." in found.findings[0].sentence


def test_other_versions_are_named() -> None:
    document = json.loads(report.json(compare(TABLE)))
    document["versions"]["numpy"] = "1.25.0"
    document["checksum"] = checksum(document)
    found = verify_report(document)

    assert found.ok
    assert "$.versions" in found.taken_as_given
    assert f"The report was written with numpy 1.25.0, and numpy {np.__version__} recomputed it." in [
        one.sentence for one in found.findings
    ]


def of_release(version: str, **changes: Any) -> dict[str, Any]:
    """Return a report that says another release wrote it."""
    document = json.loads(report.json(compare(TABLE))) | changes
    document["evalstats_version"] = document["versions"]["evalstats"] = version
    document["checksum"] = checksum(document)
    return document


def test_report_of_another_release_is_verified_if_the_same_comes_out() -> None:
    assert verify_report(of_release("0.0.9")).status == "verified"


def test_report_of_another_release_that_comes_out_otherwise_cannot_be_verified() -> None:
    """Whether that release says so, or somebody else: this one cannot tell."""
    document = of_release("0.0.9", verdict="The four do not all perform equally.")
    found = verify_report(document)

    assert (found.status, found.ok, [one.place for one in found.changes]) == ("cannot be verified", False, ["verdict"])
    assert "install evalstats 0.0.9 to verify it" in found.findings[0].sentence

    document["verdict"] += " "
    assert verify_report(document).status == "not verified"


@pytest.mark.parametrize("path", EARLIER, ids=lambda path: path.stem)
def test_report_of_an_earlier_schema_cannot_be_verified(path: Path) -> None:
    found = verify_report(path)

    assert (found.status, found.is_edited, found.not_recomputed) == ("cannot be verified", False, ("$",))
    assert "before the first release" in report.sentence(found)

    document = json.loads(path.read_text(encoding="utf-8")) | {"verdict": "NB is better."}
    assert (verify_report(document).status, verify_report(document).is_edited) == ("not verified", True)


def test_report_of_a_newer_schema_cannot_be_verified() -> None:
    found = verify_report(json.loads(report.json(compare(TABLE))) | {"schema_version": 99, "new": {}})

    assert (found.status, found.is_edited) == ("cannot be verified", None)
    assert "a newer evalstats wrote it" in report.sentence(found)


def data_of(path: Path) -> Path | None:
    """Return the data beside a report that holds less than its making takes."""
    needs = json.loads(path.read_text(encoding="utf-8"))
    has_scores = needs["kind"] in ("evalstats comparison", "evalstats by_metric")
    return None if has_scores and path.stem not in ("cases", "questions") else path.with_suffix(".csv")


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


@pytest.mark.sampled
@pytest.mark.parametrize("path", REPORTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_any_other_number_in_a_report_is_found(path: Path) -> None:
    """A careful forger writes the checksum anew; scores are what the others follow from, and need the data."""
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
    with pytest.raises(EvalstatsError, match="is not a report of evalstats"):
        verify_report({**document, "kind": "scipy result"})


@pytest.mark.parametrize("name", ["cases", "runs"])
def test_data_are_asked_for_where_a_report_holds_too_little(name: str) -> None:
    with pytest.raises(EvalstatsError, match="pass data"):
        verify_report(RELEASED / f"{name}.json")


def test_other_data_are_told() -> None:
    text = (RELEASED / "questions.csv").read_text(encoding="utf-8")
    head, *rows = text.splitlines()
    fewer = [head, *(row for row in rows if ",law-" not in row)]

    assert not verify_report(RELEASED / "questions.json", data=io.StringIO("\n".join(fewer))).ok


def test_every_release_has_a_report_of_every_kind() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "save_release_reports.py"))

    assert set(script["KINDS"]) <= {path.stem for path in RELEASED.glob("*.json")}


@pytest.mark.parametrize("stop", ["FixedRuns", ["print(1)"], ["FixedRuns(n=print(1))"], [3], ["("], "x"])
def test_only_rules_of_evalstats_are_made_again(stop: Any) -> None:
    document = json.loads((RELEASED / "runs.json").read_text(encoding="utf-8"))
    document["runs"]["options"]["stopping_rule"] = stop

    with pytest.raises(EvalstatsError, match="stop"):
        verify_report(document, data=RELEASED / "runs.csv")


def test_runs_of_a_generator_can_be_repeated_by_their_seed() -> None:
    data = RELEASED / "runs.csv"
    made = evalstats.analyze_runs(data, rng=np.random.default_rng(5))

    found = verify_report(saved(made), data=data)

    assert made.options == {"rng": "Generator"}
    assert (found.ok, found.findings) == (True, ())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not a report in JSON"),
        ("dataset,NB\n", "is not a report in JSON"),
        ('{"kind": "evalstats comparison", "comp', "ends too early"),
        ('{"kind": "evalstats comparison",, }', "see its line 1"),
        ("[1, 2]", "is not a report in JSON"),
        ('{"kind": "other"}', "is not a report of evalstats"),
        ('{"kind": 3}', "is not a report of evalstats"),
        ('{"a": 1}', "is not a report of evalstats"),
        ('{"kind": "evalstats study", "schema_version": 2}', "comparisons and reports over runs can be verified"),
        ('{"kind": "evalstats comparison", "verdict": "a", "verdict": "a"}', "the name 'verdict' occurs twice"),
        ('{"kind": "evalstats comparison", "comparison": {"x": [{"p": 1, "p": 1}]}}', "the name 'p' occurs twice"),
        ('{"kind": "evalstats comparison", "alpha": NaN}', "holds NaN, which is not JSON"),
        ('{"kind": "evalstats comparison", "alpha": -Infinity}', "holds -Infinity, which is not JSON"),
        ('{"kind": "evalstats comparison", "alpha": 1e999}', "a number that is too large"),
        ('{"kind": "evalstats comparison"} {}', "holds more than a report"),
        ('{"kind": "evalstats comparison", "a": ' + "[" * 60 + "]" * 60 + "}", "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_report_is_refused(text: str, words: str) -> None:
    with pytest.raises(EvalstatsError, match=words):
        verify_report(io.StringIO(text))


@pytest.mark.parametrize("options", [{"alpha": "x"}, {"posthoc": "nothing"}, {"robustness": 3}])
def test_options_that_compare_does_not_take_cannot_be_made_again(options: dict[str, Any]) -> None:
    document = edited(compare(TABLE), "options", options)
    document["checksum"] = checksum(document)
    found = verify_report(document)

    assert (found.status, [one.code for one in found.findings]) == ("not verified", ["not-repeatable"])
    assert "cannot be compared again" in report.sentence(found)


def test_option_that_nobody_has_is_not_in_the_format() -> None:
    found = verify_report(edited(compare(TABLE), "options", {"nonsense": 1}))

    assert [str(fault) for fault in found.faults] == ["$.comparison.options.nonsense is not in the format"]


@pytest.mark.parametrize("given", [5, None, [1], {"a": object()}])
def test_other_things_are_refused(given: Any) -> None:
    with pytest.raises(EvalstatsError):
        verify_report(given)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(b'{"kind": "\xff\xfe\x00"}')
    with pytest.raises(EvalstatsError, match="not text in UTF-8"):
        verify_report(path)
    with pytest.raises(FileNotFoundError):
        verify_report(tmp_path / "nowhere.json")


@pytest.mark.parametrize("path", ["x" * 300, "a\0b", "."])
def test_path_that_cannot_be_opened_is_refused_in_one_line(path: str) -> None:
    with pytest.raises(evalstats.InvalidValueError, match="cannot be read") as refused:
        evalstats.verify_report(path)

    assert len(str(refused.value)) < 500


def test_data_of_which_another_kind_of_record_comes_are_not_what_was_compared() -> None:
    """A table of scores, and answers to questions beside it."""
    saved = evalstats.report.json(evalstats.compare(evalstats.example_table("demsar-2006")))
    answers = [(model, item, (item + len(model)) % 3 / 2) for model in ("a", "bc", "def") for item in range(12)]
    data = {
        name: list(column)
        for name, column in zip(("model", "question", "score"), zip(*answers, strict=True), strict=True)
    }

    with pytest.raises(
        evalstats.InvalidValueError,
        match=r"data must be the data of the comparison: they give a comparison of questions, but",
    ):
        evalstats.verify_report(io.StringIO(saved), data=data)
