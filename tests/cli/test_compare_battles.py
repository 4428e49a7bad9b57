"""``evalstats compare`` for battles says what compare says."""

from __future__ import annotations

import random

import pytest

import evalstats
from evalstats import report


@pytest.fixture
def path(tmp_path):
    draw = random.Random(4)
    rows = ["model_a,model_b,winner,judge,length_a,length_b"]
    for battle in range(300):
        first, second = draw.sample(["ant", "bee", "cat"], 2)
        word = draw.choices(["model_a", "model_b", "tie"], [3 if first < second else 1, 1, 1])[0]
        rows.append(f"{first},{second},{word},u{battle % 25},{draw.randrange(99)},{draw.randrange(99)}")
    path = tmp_path / "battles.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return str(path)


OPTIONS = {
    (): {},
    ("--cluster", "judge", "--small-sample", "cr2"): {"cluster": "judge", "small_sample": "cr2"},
    ("--control", "ant", "--adjust-for", "position, length"): {"control": "ant", "covariates": ["position", "length"]},
}


@pytest.mark.parametrize("words", OPTIONS)
def test_command_prints_the_comparison(run, path, words) -> None:
    done = run("compare", path, *words)

    assert (done.exit_code, done.stdout) == (0, report.text(evalstats.compare(path, **OPTIONS[words])))


def test_battles_come_from_standard_input(run, path) -> None:
    with open(path, "rb") as file:
        done = run("compare", "-", "--format", "json", input=file.read())

    assert '"kind": "evalstats battles"' in done.stdout


def test_strong_verdicts_have_a_weight(run, tmp_path) -> None:
    games = '[{"score": "A>>B"}, {"score": "A>B"}]'
    lines = [f'{{"question_id": {q}, "model": "new", "games": {games}}}' for q in range(20)]
    path = tmp_path / "judgments.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")

    done = run("compare", str(path), "--strong-weight", "3")

    assert "25 %" in done.stdout


def test_saved_report_is_verified_by_the_battles(run, path, tmp_path) -> None:
    saved = str(tmp_path / "report.json")
    run("compare", path, "--control", "bee", "--adjust-for", "length", "--output", saved)

    assert run("verify", saved, "--data", path).exit_code == 0
    without = run("verify", saved)
    assert (without.exit_code, "pass data" in without.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--margin", "0.1"), "margin cannot be used for battles, which accept 'control', 'alpha', 'small_sample'"),
        (("--adjust-for", "width"), "has no columns width_a and width_b"),
    ],
)
def test_wrong_option_for_battles_is_named(run, path, words, message) -> None:
    assert message in run("compare", path, *words).stderr


def test_option_for_battles_is_refused_for_scores(run, folder) -> None:
    done = run("compare", "scores.csv", "--small-sample", "cr2")

    assert "--small-sample requires battles" in done.stderr
