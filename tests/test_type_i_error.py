"""The type-I errors on the page are those of the data, and the script behind them can be trusted and gone on with."""

from __future__ import annotations

import os
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "simulate_type_i_error.py"
PAGE = (ROOT / "docs" / "type-i-error.md").read_text(encoding="utf-8")

# what independence of the folds would be needed for, and what has no calibrated degrees of freedom
WRONG = {
    "naive_resampled_ttest",
    "permutation_test",
    "wilcoxon_test",
    "sign_test",
    "ttest_10x10, folds, df=9",
    "ttest_10x10, runs, df=9",
}


@pytest.fixture(scope="module")
def script() -> dict:
    return runpy.run_path(str(SCRIPT))


@pytest.fixture(scope="module")
def figure() -> dict:
    return runpy.run_path(str(ROOT / "docs" / "figures" / "type_i_error.py"))


@pytest.fixture(scope="module")
def rows(figure: dict) -> list[dict[str, str]]:
    return figure["read"]()


def command(out: Path, *arguments: object) -> list[str]:
    return [sys.executable, "-W", "error", str(SCRIPT), "--out", str(out), *map(str, arguments)]


def finished(out: Path, *arguments: object) -> str:
    """Run the script to its end, and return its table behind the line that says when it was made."""
    table = out.with_suffix(".csv")
    subprocess.run(command(out, "--table", table, *arguments), check=True, capture_output=True)
    return table.read_text(encoding="utf-8").partition("\n")[2]


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Make the table of three experiments for each setting in one go."""
    return finished(tmp_path_factory.mktemp("straight") / "run.jsonl", "--experiments", 3)


@pytest.mark.parametrize(
    ("name", "model"), [("naive_bayes", GaussianNB()), ("nearest_neighbour", KNeighborsClassifier(1))]
)
def test_learners_are_those_of_scikit_learn(script: dict, name: str, model: object) -> None:
    """All splits at once give the label that scikit-learn gives in each."""
    rng = np.random.default_rng(7)
    features, _, labels = script["equal_halves"](rng)
    splits = script["draw_splits"](rng)

    scores = script[name](features, labels, splits)

    for i, train in enumerate(splits.is_train):
        expected = model.fit(features[train], labels[train]).predict(features[~train])
        assert ((scores[splits.split == i] > 0) == expected).all()


def test_splits_are_the_four_schemes(script: dict) -> None:
    is_train = script["draw_splits"](np.random.default_rng(1)).is_train
    resamples, folds, halves = is_train[:30], is_train[30:130].reshape(10, 10, 300), is_train[130:].reshape(5, 2, 300)

    assert (resamples.sum(axis=1) == 200).all()
    assert (folds.sum(axis=2) == 270).all()
    assert ((~folds).sum(axis=1) == 1).all()
    assert (halves.sum(axis=2) == 150).all()
    assert ((~halves).sum(axis=1) == 1).all()


def test_accuracies_are_those_of_the_folds(script: dict) -> None:
    """Counted fold by fold."""
    setting = next(iter(script["SETTINGS"].values()))
    outcome = script["experiment"](setting, np.random.default_rng(3))
    rng = np.random.default_rng(3)
    features, _, labels = setting.draw(rng)
    splits = script["draw_splits"](rng)
    right = (setting.x(features, labels, splits) > 0) == labels[splits.case]
    expected = np.array([right[splits.split == i].mean() for i in range(140)])

    accuracies = outcome.accuracies

    np.testing.assert_allclose(accuracies["30 resamples"][0], expected[:30])
    np.testing.assert_allclose(accuracies["10 x 10 folds"][0].ravel(), expected[30:130])
    np.testing.assert_allclose(accuracies["10 folds"][0], expected[30:40])
    np.testing.assert_allclose(accuracies["5 x 2 folds"][0].ravel(), expected[130:])
    assert ((outcome.scores[0] > 0) == outcome.labels).mean() == pytest.approx(expected[0])


@pytest.mark.long
def test_learners_are_equally_good(script: dict) -> None:
    """In each design the two have the same expected accuracy: the null hypothesis is true."""
    for setting in script["SETTINGS"].values():
        experiments = [script["experiment"](setting, np.random.default_rng(i)) for i in range(30)]
        x, y = np.array([e.accuracies["10 folds"].mean(axis=1) for e in experiments]).T

        assert abs((x - y).mean()) < 3 * (x - y).std(ddof=1) / np.sqrt(30)


@pytest.mark.long
def test_halves_are_correlated_by_neighbours(script: dict) -> None:
    """Why the 5 x 2 tests reject too often: they take the differences in the two halves of a run to be uncorrelated."""
    correlation = {}
    for name, setting in script["SETTINGS"].items():
        halves = [script["experiment"](setting, np.random.default_rng(i)).accuracies["5 x 2 folds"] for i in range(30)]
        first, second = np.moveaxis(np.subtract(*np.moveaxis(halves, 1, 0)), -1, 0)
        correlation[name] = np.mean(first * second) / np.mean([first**2, second**2])

    assert all((r > 0.2) == ("neighbour" in name) for name, r in correlation.items())


@pytest.mark.long
def test_seed_decides_everything(straight: str, tmp_path: Path) -> None:
    """Neither the size of the chunks nor the number of processes does."""
    again = finished(tmp_path / "again.jsonl", "--experiments", 3, "--chunk", 2, "--jobs", 2)
    other = finished(tmp_path / "other.jsonl", "--experiments", 3, "--seed", 7)

    assert again == straight
    assert [line.split(",")[-8] for line in other.splitlines()] != [
        line.split(",")[-8] for line in straight.splitlines()
    ]


@pytest.mark.long
def test_killed_run_goes_on(straight: str, tmp_path: Path) -> None:
    """No experiment is lost or counted twice, and half a line is none."""
    out = tmp_path / "run.jsonl"
    process = subprocess.Popen(
        command(out, "--experiments", 3, "--chunk", 1),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while process.poll() is None and (not out.exists() or out.read_bytes().count(b"\n") < 4):
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with out.open("a", encoding="utf-8") as file:
        file.write('{"setting": "noise')

    assert finished(out, "--experiments", 3, "--chunk", 2) == straight


@pytest.mark.long
def test_run_can_be_extended_with_its_own_seed_only(straight: str, tmp_path: Path) -> None:
    """A finished run goes on for more experiments; another seed is refused, and leaves the file as it was."""
    out = tmp_path / "run.jsonl"
    finished(out, "--experiments", 1)

    refused = subprocess.run(command(out, "--seed", 5), capture_output=True, text=True, check=False)

    assert refused.returncode == 1
    assert "was begun with seed 1998, not 5; give another file to --out" in refused.stderr
    assert finished(out, "--experiments", 3) == straight


@pytest.mark.parametrize("content", ["notes\n", "notes", "[1]\n"])
def test_file_that_is_no_run_is_refused(content: str, tmp_path: Path) -> None:
    """And its whole lines are left as they are."""
    out = tmp_path / "notes.txt"
    out.write_text(content, encoding="utf-8")

    done = subprocess.run(command(out), capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "is not a run of this script; give another file to --out" in done.stderr
    assert out.read_text(encoding="utf-8") == content


def test_data_is_whole(script: dict, rows: list[dict[str, str]]) -> None:
    """Every setting, the same tests in each, every level, a thousand experiments or more."""
    n_tests = len({(row["scores"], row["test"]) for row in rows})

    assert len(rows) == len(script["SETTINGS"]) * n_tests * len(script["ALPHAS"])
    assert {row["setting"] for row in rows} == set(script["SETTINGS"])
    assert {row["seed"] for row in rows} == {str(script["SEED"])}
    assert all(int(row["n_experiments"]) >= 1000 for row in rows)
    for row in rows:
        assert float(row["low"]) <= float(row["rate"]) <= float(row["high"])
        assert float(row["rate"]) == pytest.approx(int(row["n_rejections"]) / int(row["n_experiments"]), abs=1e-5)


def test_table_and_figure_are_of_the_data(figure: dict, rows: list[dict[str, str]]) -> None:
    drawing = figure["FIGURE"].read_text(encoding="utf-8")

    assert figure["page"](PAGE, rows) == PAGE
    assert figure["origin"]() in drawing
    assert figure["FIGURE"].name in PAGE


@pytest.mark.long
def test_figure_shows_every_test(figure: dict, rows: list[dict[str, str]], tmp_path: Path) -> None:
    figure["draw"](rows, tmp_path / "figure.svg")

    drawn = (tmp_path / "figure.svg").read_text(encoding="utf-8")

    assert all(f">{name}<" in drawn for row in rows for name in (row["setting"], row["scores"], row["test"]))


# scores, test, what the page says of it: lowest and highest share of the settings at level .05, in percent
RANGES = [
    ("30 resamples", "naive_resampled_ttest", "53 to 60%"),
    ("10 x 10 folds", "naive_resampled_ttest", "54 to 61%"),
    ("10 folds", "naive_resampled_ttest", "6 to 11%"),
    ("30 resamples", "permutation_test", "52 to 59%"),
    ("30 resamples", "wilcoxon_test", "53 to 59%"),
    ("30 resamples", "sign_test", "41 to 49%"),
    ("10 folds", "permutation_test", "4 to 9%"),
    ("30 resamples", "corrected_ttest", "2 to 4%"),
    ("10 folds", "corrected_ttest", "1 to 3%"),
    ("10 x 10 folds", "corrected_ttest", "3 to 9%"),
    ("10 x 10 folds", "ttest_10x10", "4 to 9%"),
    ("10 x 10 folds", "ttest_10x10, folds, df=9", "73 to 86%"),
    ("10 x 10 folds", "ttest_10x10, runs, df=9", "48 to 57%"),
    ("test set", "mcnemar_test, exact", "3 to 4%"),
    ("test set", "mcnemar_test, asymptotic corrected", "3 to 4%"),
]


@pytest.mark.parametrize(("scores", "test", "words"), RANGES, ids=str)
def test_page_says_what_the_data_say(rows: list[dict[str, str]], scores: str, test: str, words: str) -> None:
    rates = [float(r["rate"]) for r in rows if (r["scores"], r["test"], r["alpha"]) == (scores, test, "0.05")]

    assert f"{100 * min(rates):.0f} to {100 * max(rates):.0f}%" == words
    assert words in PAGE


def test_valid_tests_hold_their_level_or_are_named(figure: dict, rows: list[dict[str, str]]) -> None:
    """What rejects more often than it may, beyond the simulation error, stands in its own section of the page."""
    section = PAGE.partition("## Exceptions")[2].partition("\n## ")[0]
    above = {row["test"] for row in rows if figure["is_above"](row)} - WRONG

    assert all(f"`{test}`" in section for test in above)


def test_wrong_tests_are_wrong(figure: dict, rows: list[dict[str, str]]) -> None:
    """Over 30 resamples and over 10 x 10 folds each of them rejects too often, in every setting, at every level."""
    of_wrong = [row for row in rows if row["test"] in WRONG and row["scores"] != "10 folds"]

    assert of_wrong
    assert all(figure["is_above"](row) for row in of_wrong)
