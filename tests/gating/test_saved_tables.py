"""Reports as they were written, and no others."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

import evalstats
from evalstats import EvalstatsError, gate, report
from evalstats.gating.matching import _saved_table
from evalstats.io.reader.saved_reports import checksum

TABLE = evalstats.example_table("demsar-2006")
SAVED = report.json(evalstats.compare(TABLE))


def test_table_comes_back(tmp_path):
    for name in ("report.json", "report.txt"):
        (tmp_path / name).write_text(SAVED, encoding="utf-8")
        found = _saved_table(tmp_path / name)

        assert np.array_equal(found.table.scores, TABLE.scores)
        assert found.table.metric == "AUC"


@pytest.mark.parametrize("source", [{"kind": "other"}, [1], "nowhere.json", 3])
def test_other_sources_are_none(source):
    assert _saved_table(source) is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("0.763", "0.963"), "checksum does not match"),
        (lambda text: text.replace('"schema_version": 2', '"schema_version": 1'), "schema version 1, but this version"),
        (lambda text: text.replace('"verdict"', '"other": 1,\n  "verdict"', 1), "other is not in the format"),
        (
            lambda text: text.replace('"verdict"', '"verdict": "x",\n  "verdict"', 1),
            "'verdict' occurs twice in one object",
        ),
        (lambda text: text.replace("0.763", "NaN"), "NaN, which is not JSON"),
        (lambda text: text[: len(text) // 2], "a part of the report is missing"),
        (
            lambda text: text.replace('"kind": "evalstats comparison"', '"kind": "evalstats gating"'),
            "gating is missing",
        ),
    ],
)
def test_edited_reports_are_refused(tmp_path, change, message):
    path = tmp_path / "report.json"
    path.write_text(change(SAVED), encoding="utf-8")

    with pytest.raises(EvalstatsError, match=message):
        _saved_table(path)


def test_report_without_its_checksum_is_refused():
    document = json.loads(SAVED)
    del document["checksum"]

    with pytest.raises(EvalstatsError, match="checksum is missing"):
        _saved_table(document)


def test_unknown_key_of_the_table_is_refused_even_with_a_checksum():
    document = json.loads(SAVED)
    document["comparison"]["table"]["weights"] = [1]
    document["checksum"] = checksum(document)

    with pytest.raises(EvalstatsError, match=r"table\.weights is not in the format"):
        _saved_table(document)


def test_report_by_several_metrics_asks_for_one():
    by_metric = evalstats.compare(
        {"accuracy": TABLE.to_frame(), "F1": TABLE.to_frame() - 0.1}, metric=["accuracy", "F1"]
    )
    document = json.loads(report.json(by_metric))

    with pytest.raises(EvalstatsError, match=r"for several metrics \('accuracy', 'F1'\); choose one with metric="):
        _saved_table(document)
    assert _saved_table(document, "F1").table.scores == pytest.approx(TABLE.scores - 0.1)
    with pytest.raises(EvalstatsError, match="not for 'AUC'"):
        _saved_table(document, "AUC")


def test_report_without_a_table_is_refused():
    document = json.loads(report.json(evalstats.sign_test([1, 2, 3], [0, 0, 0])))

    with pytest.raises(EvalstatsError, match="which holds no table of scores"):
        _saved_table(document)


def test_report_of_questions_holds_their_answers():
    rows = [(m, f"b{i % 3}", i, (i * 7 + len(m)) % 3 > 0) for m in ("x", "yy") for i in range(60)]
    columns = dict(zip(("model", "benchmark", "item_id", "correct"), map(list, zip(*rows, strict=True)), strict=True))

    found = _saved_table(json.loads(report.json(evalstats.compare(columns))))

    assert (len(found.table.answers.questions), found.table.datasets) == (60, ("b0", "b1", "b2"))


def test_direction_that_was_told_is_known():
    told = evalstats.compare(TABLE.to_frame(), greater_is_better=True)

    assert _saved_table(json.loads(report.json(told))).knows_direction
    assert not _saved_table(json.loads(SAVED)).knows_direction


# --- answers to questions ---------------------------------------------------------------------------------------------


def answers(n_benchmarks, n_samples, *, clusters=False, benchmark="benchmark"):
    """Rows of two models with a seed of their own, a row for each answer."""
    rng = np.random.default_rng(n_benchmarks + 10 * n_samples)
    keys = itertools.product(("old", "new"), range(n_benchmarks), range(48), range(n_samples))
    share = {"old": 0.6, "new": 0.8}
    rows = [(m, f"b{b}", f"q{q}", s, f"p{b}-{q // 2}", int(rng.random() < share[m])) for m, b, q, s in keys]
    names = ("model", benchmark, "item_id", "sample", "passage", "correct")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return {
        name: column
        for name, column in columns.items()
        if (name != "sample" or n_samples > 1) and (name != "passage" or clusters)
    }


def of_model(columns, model):
    at = [i for i, name in enumerate(columns["model"]) if name == model]
    return {name: [column[i] for i in at] for name, column in columns.items() if name != "model"}


def saved_report(source, **choices):
    return json.loads(report.json(evalstats.compare(source, **choices)))


@pytest.mark.parametrize(
    "columns",
    [
        answers(1, 1),
        answers(1, 3),
        answers(1, 1, clusters=True),
        answers(3, 1),
        answers(3, 2, clusters=True, benchmark="task"),
    ],
    ids=["single answers", "sampled answers", "clusters", "benchmarks", "samples and clusters of benchmarks"],
)
def test_gate_of_reports_equals_the_gate_of_the_answers(columns):
    cluster = "passage" if "passage" in columns else None
    saved = saved_report(columns)
    x, y = of_model(columns, "old"), of_model(columns, "new")
    expected = gate(x, y, margin=0.05, cluster=cluster)

    both = gate(saved, saved, margin=0.05, cluster=cluster, baseline_name="old", candidate_name="new")
    baseline = gate(saved, y, margin=0.05, cluster=cluster, baseline_name="old")
    candidate = gate(x, saved, margin=0.05, cluster=cluster, candidate_name="new")

    assert both.to_dict() == baseline.to_dict() == candidate.to_dict() == expected.to_dict()


def test_clusters_of_a_report_count_without_being_named():
    columns = answers(1, 1, clusters=True)
    saved, x = saved_report(columns), of_model(columns, "old")
    (expected,) = gate(x, of_model(columns, "new"), margin=0.05, cluster="passage").tasks

    (both,) = gate(saved, saved, margin=0.05, baseline_name="old", candidate_name="new").tasks
    (candidate,) = gate(x, saved, margin=0.05, candidate_name="new").tasks

    assert both.to_dict() == candidate.to_dict() == expected.to_dict()
    assert both.n_clusters == 24


def test_clusters_that_a_report_does_not_hold_are_refused():
    saved = saved_report(answers(1, 1, clusters=True))

    with pytest.raises(EvalstatsError, match="holds the clusters of 'passage', not 'document'"):
        gate(saved, saved, margin=0.05, cluster="document", baseline_name="old", candidate_name="new")


def test_answers_are_held_in_every_layout():
    """A wide table, right answers told by errors, and a saved text of both."""
    columns = answers(1, 1)
    x, y = of_model(columns, "old"), of_model(columns, "new")
    wide = {"item_id": x["item_id"], "old": x["correct"], "new": y["correct"]}
    errors = columns | {"error": [1 - value for value in columns["correct"]]}
    del errors["correct"]
    expected = gate(x, y, margin=0.05).tasks[0].to_dict() | {"task": ""}

    for saved in (saved_report(wide), saved_report(errors, score="error", greater_is_better=False)):
        (task,) = gate(saved, saved, margin=0.05, baseline_name="old", candidate_name="new").tasks
        assert task.to_dict() | {"task": ""} == expected


def test_table_that_was_read_is_a_side_as_its_source():
    columns = answers(3, 1)
    table = evalstats.read_table(columns)

    found = gate(table, table, margin=0.05, baseline_name="old", candidate_name="new")

    assert found.to_dict() == gate(of_model(columns, "old"), of_model(columns, "new"), margin=0.05).to_dict()


def test_report_with_other_questions_is_refused():
    saved, fewer = saved_report(answers(1, 1)), of_model(answers(1, 1), "new")
    fewer = {name: column[:40] for name, column in fewer.items()}

    with pytest.raises(EvalstatsError, match="the candidate lacks 8"):
        gate(saved, fewer, margin=0.05, baseline_name="old")


def test_grades_of_questions_are_scores_of_benchmarks():
    rng = np.random.default_rng(5)
    columns = answers(8, 1) | {"correct": rng.random(8 * 48 * 2).round(3).tolist()}
    columns["score"] = columns.pop("correct")
    saved = saved_report(columns, metric="score", greater_is_better=True)

    found = gate(saved, saved, margin=0.05, baseline_name="old", candidate_name="new")

    assert (found.tasks[0].n, found.tasks[0].unit) == (8, "dataset")
