"""evalstats judge reads the two files of the authors, or long rows."""

from __future__ import annotations

import json

import pytest

from evalstats import report
from evalstats.agreement import alternative_annotator_test, label_variation

HUMANS = {"ann": "AABBAABBAA", "bob": "AABBABBBAA", "eva": "ABBBAABAAA"}
LABELS = {name: {f"q{i}": label for i, label in enumerate(given)} for name, given in HUMANS.items()}
JUDGE = {f"q{i}": label for i, label in enumerate("AABBAABBBA")}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.json").write_text(json.dumps(LABELS), encoding="utf-8")
    (tmp_path / "model.json").write_text(json.dumps({"gpt": JUDGE}), encoding="utf-8")
    (tmp_path / "plain.json").write_text(json.dumps(JUDGE), encoding="utf-8")
    rows = [f"{i},{name},{label}" for name, of in {**LABELS, "gpt": JUDGE}.items() for i, label in of.items()]
    (tmp_path / "rows.csv").write_text("\n".join(["item,annotator,label", *rows]), encoding="utf-8")
    (tmp_path / "twice.csv").write_text("\n".join(["item,annotator,label", *rows, rows[0]]), encoding="utf-8")
    (tmp_path / "list.json").write_text("[1]", encoding="utf-8")
    (tmp_path / "bytes.json").write_bytes(b"PK\xf8\x00")


@pytest.mark.parametrize("line", ["people.json model.json", "people.json plain.json", "rows.csv --judge gpt"])
def test_files_are_read_alike(run, files, line: str) -> None:
    result = alternative_annotator_test(LABELS, JUDGE, epsilon=0.1, min_instances=10)

    done = run("judge", *line.split(), "--epsilon", "0.1", "--min-instances", "10")

    assert (done.exit_code, done.stdout) == (0, report.text(result))
    assert "0 of 3 annotators" in done.stdout


@pytest.mark.parametrize("line", ["people.json model.json", "rows.csv --judge gpt"])
def test_variation_is_another_report(run, files, line: str) -> None:
    """It needs no 30 instances."""
    result = label_variation(LABELS, JUDGE, distance="jensen-shannon")

    done = run("judge", *line.split(), "--variation", "--distance", "jensen-shannon")
    told = json.loads(run("judge", *line.split(), "--variation", "--format", "json").stdout)

    assert (done.exit_code, done.stdout) == (0, report.text(result))
    assert "Two annotators with each other" in done.stdout
    assert told["label_variation"]["judge_agreement"] == pytest.approx(result.judge_agreement)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rows.csv --judge gpt --variation --epsilon 0.1", "--epsilon cannot be combined with --variation"),
        ("rows.csv --judge gpt --distance total-variation", "--distance requires --variation"),
        ("rows.csv", "choose the judge among 'ann', 'bob', 'eva', 'gpt' with --judge"),
        ("rows.csv --judge eve", "judge must be one of"),
        ("twice.csv --judge gpt", "twice.csv, line 42, column 'item': 'ann' labeled 'q0' twice"),
        ("people.json list.json", "list.json must hold an object of labels, not a list"),
        ("people.json rows.csv", "rows.csv is not JSON"),
        ("people.json bytes.json", "bytes.json is not JSON"),
        ("plain.json model.json", "plain.json must hold {annotator: {instance: label}}"),
        ("people.json model.json", "annotators must include one with 30 or more instances"),
        ("people.json model.json rows.csv", "the labels must be two JSON files or one table, not 3 files"),
    ],
)
def test_faults_are_named_in_one_line(refused, files, line: str, message: str) -> None:
    assert message in refused("judge", *line.split())
