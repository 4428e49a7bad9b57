"""``evalstats verify``: do the numbers of a saved report come out again?"""

from __future__ import annotations

import json

import pytest

from evalstats import example_table


@pytest.fixture
def files(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    frame = example_table("demsar-2006").to_frame()
    frame.to_csv("scores.csv", sep=";")
    frame.iloc[:7].to_csv("first.csv")
    frame.iloc[7:].to_csv("second.csv")
    run("compare", "scores.csv", "--delimiter", ";", "--lower-is-better", "--format", "json", "--output", "report.json")
    run("compare", "first.csv", "second.csv", "--format", "json", "--output", "both.json")
    return tmp_path


def test_status_is_the_answer(run, files) -> None:
    assert run("verify", "report.json").exit_code == 0
    assert run("verify", "report.json", "--data", "scores.csv").exit_code == 0
    assert run("verify", "both.json", "--data", "first.csv", "--data", "second.csv").exit_code == 0

    result = run("verify", "both.json", "--data", "first.csv")
    assert result.exit_code == 1
    assert "Not verified" in result.stdout


def test_report_of_another_version_cannot_be_verified(run, files) -> None:
    text = (files / "report.json").read_text()
    (files / "newer.json").write_text(text.replace('"schema_version": 2', '"schema_version": 3'))

    result = run("verify", "newer.json")

    assert (result.exit_code, "Cannot be verified" in result.stdout) == (3, True)


def test_edited_report_is_not_verified(run, files) -> None:
    text = (files / "report.json").read_text()
    (files / "report.json").write_text(text.replace("0.763", "0.764"))

    result = run("verify", "report.json", "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["verification"]["is_edited"] is True


def test_errors_are_one_line(refused, files) -> None:
    (files / "part.json").write_text((files / "report.json").read_text()[:3000])

    assert "part.json ends too early" in refused("verify", "part.json")
    assert "scores.csv is not a report in JSON" in refused("verify", "scores.csv")
    (files / "twice.json").write_text((files / "report.json").read_text().replace("{", '{"kind": "x",', 1))
    assert "twice.json is not a report in the format of evalstats: the name 'kind' occurs twice" in refused(
        "verify", "twice.json"
    )
    assert "there is no file nowhere.json" in refused("verify", "nowhere.json")
    assert "nowhere.csv" in refused("verify", "report.json", "--data", "nowhere.csv")
