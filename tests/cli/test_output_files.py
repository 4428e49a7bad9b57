"""Files are written whole or not at all, in the format of their suffix."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from evalstats import report
from evalstats.comparison.analysis import compare
from evalstats.examples import example_path
from evalstats.study.store import MANIFEST

DEMSAR = str(example_path("demsar-2006"))


@pytest.mark.parametrize(
    ("name", "style"),
    [
        ("r.txt", "text"),
        ("r.md", "markdown"),
        ("r.TEX", "latex"),
        ("r.html", "html"),
        ("r.json", "json"),
        ("r.R", "r_script"),
    ],
)
def test_suffix_chooses_the_format(run, name: str, style: str, folder: Path) -> None:
    result = run("compare", "scores.csv", "--output", name)

    assert (result.exit_code, result.output) == (0, "")
    assert (folder / name).read_text(encoding="utf-8") == getattr(report, style)(compare("scores.csv"))


def test_format_stands_before_the_suffix(run, folder: Path) -> None:
    run("compare", "scores.csv", "--output", "report.html", "--format", "json")

    assert json.loads((folder / "report.html").read_text())["kind"] == "evalstats comparison"


@pytest.mark.sampled
@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_pictures_are_drawn(run, suffix: str, start: bytes, folder: Path) -> None:
    beside = run("compare", DEMSAR, "--plot", f"beside{suffix}")
    alone = run("compare", DEMSAR, "--output", f"alone{suffix}")

    assert beside.stdout.startswith("Comparison of 4 classifiers")
    assert (alone.exit_code, alone.output) == (0, "")
    assert (folder / f"beside{suffix}").read_bytes().startswith(start)
    assert (folder / f"alone{suffix}").read_bytes().startswith(start)


def test_references_are_written_beside_latex(run, folder: Path) -> None:
    result = run("compare", DEMSAR, "--output", "paper.tex", "--bib", "paper.bib")

    assert result.exit_code == 0
    assert (folder / "paper.bib").read_text(encoding="utf-8") == report.bibliography()


def test_file_is_replaced_as_a_whole(run, folder: Path) -> None:
    (folder / "report.txt").write_text("old" * 10_000)
    (folder / "link.txt").symlink_to("report.txt")

    run("compare", "scores.csv", "--output", "link.txt")

    assert (folder / "report.txt").read_text(encoding="utf-8").startswith("Comparison of 2")
    assert (folder / "link.txt").is_symlink()
    assert sorted(p.name for p in folder.iterdir()) == ["link.txt", "report.txt", "scores.csv"]


def test_nothing_is_half_written(refused, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "report.txt").write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device", "report.txt.tmp", None, "report.txt")

    monkeypatch.setattr(os, "replace", fail)

    assert (
        refused("compare", "scores.csv", "--output", "report.txt") == "cannot write report.txt: No space left on device"
    )
    assert (folder / "report.txt").read_text() == "old"
    assert sorted(p.name for p in folder.iterdir()) == ["report.txt", "scores.csv"]


def test_nothing_is_written_if_anything_cannot_be_made(refused, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    message = refused("compare", "scores.csv", "--output", "report.txt", "--plot", "diagram.png")

    assert message == 'a plot needs matplotlib: pip install "classifier-evalstats[plot]"'
    assert sorted(p.name for p in folder.iterdir()) == ["scores.csv"]


def test_device_stays_a_device(run, folder: Path) -> None:
    assert run("compare", "scores.csv", "--format", "html", "--output", os.devnull).exit_code == 0
    assert not os.path.isfile(os.devnull)


def test_new_file_has_the_usual_rights(run, folder: Path) -> None:
    (folder / "usual").touch()

    run("compare", "scores.csv", "--output", "report.txt")

    assert (folder / "report.txt").stat().st_mode == (folder / "usual").stat().st_mode


def test_report_keeps_the_rights_of_what_it_replaces(run, folder: Path) -> None:
    (folder / "report.txt").touch(mode=0o600)

    run("compare", "scores.csv", "--output", "report.txt")

    assert (folder / "report.txt").stat().st_mode & 0o777 == 0o600


def test_table_from_standard_input_is_not_overwritten(program, folder: Path) -> None:
    before = (folder / "scores.csv").read_text()
    for place in ("scores.csv", "link.csv"):
        if place != "scores.csv":
            os.link(folder / "scores.csv", folder / place)
        with open(folder / "scores.csv") as table:
            done = program("compare", "-", "--format", "text", "--output", place, stdin=table, cwd=folder)

        assert done.returncode == 2
        assert f"{place} is the input file, which would be overwritten" in done.stderr.decode()
        assert (folder / "scores.csv").read_text() == before


def test_nothing_is_written_into_a_directory_that_is_read(refused, folder: Path) -> None:
    (folder / "runs" / "scores").mkdir(parents=True)
    (folder / "runs" / "study.json").write_text("{}")

    for place in ("runs/study.json", "./runs/scores/new.txt", "runs/scores/../study.json"):
        message = refused("compare", "runs", "--format", "text", "--output", place)
        assert message.startswith(f"{place} is in the input directory runs; choose another directory")
    assert (folder / "runs" / "study.json").read_text() == "{}"


@pytest.mark.parametrize("second", ["r.tex", "./r.tex", "link.tex"])
def test_two_outputs_are_two_files(refused, folder: Path, second: str) -> None:
    (folder / "link.tex").symlink_to("r.tex")

    message = refused("compare", "scores.csv", "--output", "r.tex", "--bib", second)

    assert message.startswith(f"--output and --bib name the same file, {second}")
    assert not (folder / "r.tex").exists()


def test_both_files_are_written_or_none(refused, folder: Path) -> None:
    (folder / "keep.html").write_text("old")

    message = refused("compare", "scores.csv", "--output", "keep.html", "--plot", "no/where.png")

    assert message == "cannot write no/where.png: No such file or directory"
    assert (folder / "keep.html").read_text() == "old"
    assert sorted(p.name for p in folder.iterdir()) == ["keep.html", "scores.csv"]


def test_files_of_others_are_left_alone(run, folder: Path) -> None:
    mine = [folder / f"report.txt{end}" for end in (".tmp", f".{os.getpid()}.tmp")]
    for path in mine:
        path.write_text("mine")

    assert run("compare", "scores.csv", "--output", "report.txt").exit_code == 0
    assert [path.read_text() for path in mine] == ["mine", "mine"]


@pytest.mark.parametrize("option", [["--output"], ["--format", "text", "--plot"]])
def test_nothing_is_written_into_a_study_that_is_not_read(refused, folder: Path, option: list[str]) -> None:
    (folder / "study" / "runs").mkdir(parents=True)
    (folder / "study" / MANIFEST).write_text("{}")
    (folder / "link").symlink_to("study")

    for place in ("study/scores.svg", "study/runs/scores.svg", "link/scores.svg"):
        message = refused("compare", "scores.csv", *option, place)
        assert message.startswith(f"{place} is in ")
        assert "study; choose another directory" in message
    assert [path.name for path in (folder / "study").rglob("*.svg")] == []


def test_nothing_is_written_over_a_table_that_a_pattern_names(refused, folder: Path) -> None:
    before = (folder / "scores.csv").read_text()

    message = refused("compare", "sc*.csv", "--format", "text", "--output", "scores.csv")

    assert message.startswith("scores.csv is the input file, which would be overwritten")
    assert (folder / "scores.csv").read_text() == before
