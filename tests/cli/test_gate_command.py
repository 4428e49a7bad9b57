"""The status of the command is the answer."""

from __future__ import annotations

import json
import random

import pytest

LINES = [f"q{i},{int(i < 240)}" for i in range(300)]
CHANGED = [f"q{i},{int(12 <= i < 242)}" for i in range(300)]


@pytest.fixture
def files(folder):
    (folder / "old.csv").write_text("item_id,correct\n" + "\n".join(LINES) + "\n")
    (folder / "new.csv").write_text("item_id,correct\n" + "\n".join(CHANGED) + "\n")
    (folder / "part.csv").write_text("item_id,correct\n" + "\n".join(CHANGED[:290]) + "\n")
    return folder


@pytest.mark.parametrize(("margin", "status"), [("0.1", 0), ("0.001", 1), ("0.03", 3)])
def test_status(run, files, margin, status):
    assert run("gate", "old.csv", "new.csv", "--margin", margin).exit_code == status


def test_errors_are_two(refused, files):
    assert "margin must be given" in refused("gate", "old.csv", "new.csv")
    assert "there is no file nowhere.csv" in refused("gate", "nowhere.csv", "new.csv", "--margin", "0.1")
    assert refused("gate", "old.csv", "part.csv", "--margin", "0.1").endswith("pass --intersect")
    assert "write 0.01" in refused("gate", "old.csv", "new.csv", "--margin", "1")


def test_intersect_is_said(run, files):
    result = run("gate", "old.csv", "part.csv", "--margin", "0.1", "--intersect")

    assert result.exit_code == 0
    words = " ".join(result.stdout.split())
    assert "because the candidate lacks them: 10 instances; the score of the baseline is 0.000 on them" in words


def test_anytime_needs_more(run, files):
    """The questions in random order, as this test wants them."""
    order = random.Random(1).sample(range(300), 300)
    for name in ("old.csv", "new.csv"):
        header, *lines = (files / name).read_text().splitlines()
        (files / name).write_text("\n".join([header, *(lines[i] for i in order)]) + "\n")

    result = run("gate", "old.csv", "new.csv", "--margin", "0.06", "--anytime")

    assert run("gate", "old.csv", "new.csv", "--margin", "0.06").exit_code == 0
    assert result.exit_code == 3
    assert "may be repeated whenever there are more instances" in " ".join(result.stdout.split())


def test_policy(run, files):
    (files / "gate.toml").write_text('[gate]\nmargin = 0.03\n[task."all questions"]\nmargin = 0.1\n')

    assert run("gate", "old.csv", "new.csv", "--policy", "gate.toml").exit_code == 0


def test_json(run, files):
    result = run("gate", "old.csv", "new.csv", "--margin", "0.03", "--format", "json")

    assert json.loads(result.stdout)["gating"]["status"] == "inconclusive"


def test_github_gets_a_summary_and_one_line(run, files, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(files / "summary.md"))

    result = run("gate", "old.csv", "new.csv", "--margin", "0.001", "--format", "github")

    assert result.exit_code == 1
    assert result.stdout.startswith("::error title=Gate%3A fail::Fail: in all questions")
    assert result.stdout.count("\n") == 1
    assert (files / "summary.md").read_text().startswith("# Gate: fail\n")


def test_no_name_becomes_a_command_of_github(run, files, monkeypatch):
    """Of a task that has the name of one: it stays within its line."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(files / "summary.md"))
    for name in ("old", "new"):
        lines = (files / f"{name}.csv").read_text().splitlines()
        rows = [f'{line},"::set-output name=x::y, 100%"' for line in lines[1:]]
        (files / f"{name}.csv").write_text("\n".join(["item_id,correct,task", *rows]))

    result = run("gate", "old.csv", "new.csv", "--margin", "0.001", "--format", "github")

    assert [line[:7] for line in result.stdout.splitlines()] == ["::error"]
    assert "100%25" in result.stdout


def test_summary_that_cannot_be_written_is_an_error(refused, files, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(files / "no" / "summary.md"))

    assert "cannot write" in refused("gate", "old.csv", "new.csv", "--margin", "0.1", "--format", "github")


def test_subgroup_fails_the_gate(run, files):
    """The status is 1 if the candidate is worse in a subgroup, and the last line for GitHub names it."""
    kinds = ["hard" if i < 40 else "easy" for i in range(300)]
    rows = "\n".join(f"{line},{kind}" for line, kind in zip(LINES, kinds, strict=True))
    (files / "kinds.csv").write_text(f"item_id,correct,kind\n{rows}\n")
    options = ("gate", "kinds.csv", "new.csv", "--margin", "0.1")
    found = run(*options, "--subgroup", "kind", "--format", "github")

    assert run(*options).exit_code == 0
    assert found.exit_code == 1
    assert "Fail. The candidate is shown to be worse in hard" in found.stdout.splitlines()[-1]


def test_positive_label_that_the_message_names_is_accepted(run, refused, folder):
    """The labels 1 and 2 do not show which is positive."""
    for name in ("old.csv", "new.csv"):
        lines = [f"q{i},{1 + i % 2},{0.3 + 0.4 * (i % 2) + i % 7 / 20}" for i in range(300)]
        (folder / name).write_text("item_id,y_true,y_score\n" + "\n".join(lines) + "\n")
    command = ["gate", "old.csv", "new.csv", "--margin", "0.1", "--metric", "roc_auc"]

    message = refused(*command)
    assert message.endswith("choose one with --pos-label 2")
    assert run(*command, *message.split()[-2:]).exit_code == 0


def test_both_files_are_read_in_the_encoding(run, refused, files):
    for name, lines in (("old.csv", LINES), ("new.csv", CHANGED)):
        text = "item_id;correct\n" + "\n".join(lines).replace(",", ";").replace("q1;", "Größe;") + "\n"
        (files / name).write_bytes(text.encode("cp1252"))

    told = refused("gate", "old.csv", "new.csv", "--margin", "0.1")
    assert told.startswith("baseline: old.csv, line ")
    assert told.endswith("choose its encoding, such as --encoding cp1252")
    assert run("gate", "old.csv", "new.csv", "--margin", "0.1", "--encoding", "cp1252").exit_code == 0


def test_sheet_of_both_workbooks_is_chosen(run, files):
    pandas = pytest.importorskip("pandas")
    for name in ("old", "new"):
        table = pandas.read_csv(files / f"{name}.csv")
        with pandas.ExcelWriter(files / f"{name}.xlsx") as book:
            table.to_excel(book, sheet_name="first", index=False)
            table.to_excel(book, sheet_name="second", index=False)

    assert run("gate", "old.xlsx", "new.xlsx", "--margin", "0.1", "--sheet", "second").exit_code == 0


@pytest.mark.parametrize("side", ["baseline", "candidate"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "results.csv is empty"),
        ("item_id,correct\na,1\na,0\n", "results.csv"),
        ("item_id,correct\na,7\nb,0\n", "results.csv"),
        ("dataset,f1\nd,0.5\ne,word\n", "is not a number"),
        (None, "there is no file"),
    ],
)
def test_errors_about_one_file_name_its_side(refused, files, side, content, message):
    """The files of two runs often have one name."""
    (files / "one").mkdir()
    (files / "two").mkdir()
    (files / "one/results.csv").write_text((files / "old.csv").read_text())
    if content is not None:
        (files / "two/results.csv").write_text(content)
    order = ("one", "two") if side == "candidate" else ("two", "one")

    told = refused("gate", *(f"{folder}/results.csv" for folder in order), "--margin", "0.1")
    assert told.startswith(f"{side}: ")
    assert message in told
