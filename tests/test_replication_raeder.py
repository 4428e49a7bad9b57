"""The repeated experiment of Raeder et al.: its script works, and its page and figures are those of the results."""

from __future__ import annotations

import csv
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from evalstats import bonferroni_dunn_test
from evalstats.reproducibility import estimation_bias, run_distribution

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "replicate_raeder.py"
PAGE = (ROOT / "docs" / "replication-raeder-2010.md").read_text(encoding="utf-8")
A = 2 / np.sqrt(20)
EASY = {"breast-cancer", "digits", "iris", "wine"}


@pytest.fixture(scope="module")
def script() -> dict:
    return runpy.run_path(str(SCRIPT))


@pytest.fixture(scope="module")
def figure() -> dict:
    return runpy.run_path(str(ROOT / "docs" / "figures" / "replication_raeder.py"))


@pytest.fixture(scope="module")
def results(figure: dict) -> object:
    return figure["Results"]()


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def finished(directory: Path, out: Path) -> dict[str, str]:
    """Run a tiny study to its end, and return its files."""
    options = ["--runs", "2", "--dataset", "iris", "--dataset", "twonorm"]
    command = [sys.executable, "-W", "error", str(SCRIPT), *options, "--directory", str(directory), "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    return {path.name: path.read_text(encoding="utf-8") for path in out.iterdir()}


def density(x: np.ndarray, mean: object, variance: float = 1.0) -> np.ndarray:
    """Return a normal density in 20 dimensions, up to a common factor."""
    return np.exp(-((x - mean) ** 2).sum(axis=1) / (2 * variance)) / variance**10


ALTERNATING = A * np.where(np.arange(20) % 2, -1, 1)
LIKELIER = {
    "twonorm": lambda x: density(x, A) > density(x, -A),
    "threenorm": lambda x: (density(x, A) + density(x, -A)) / 2 > density(x, ALTERNATING),
    "ringnorm": lambda x: density(x, 0, 4.0) > density(x, A),
}


@pytest.mark.parametrize(("name", "error"), [("twonorm", 0.023), ("threenorm", 0.105), ("ringnorm", 0.013)])
def test_generated_problems_are_those_of_breiman(script: dict, name: str, error: float) -> None:
    """The errors of the best possible rules are 2.3, 10.5 and 1.3%, as in Breiman (1996)."""
    cases, labels = script[name](100_000, np.random.default_rng(1))

    wrong = (LIKELIER[name](cases) != labels).mean()

    assert wrong == pytest.approx(error, abs=0.002)
    assert labels.mean() == pytest.approx(0.5, abs=0.01)


def test_ringnorm_of_mlbench_is_another_one() -> None:
    """With half of the distance between the centres the error would be 1.5%."""
    rng, near = np.random.default_rng(1), A / 2
    ring, ball = 2 * rng.normal(size=(100_000, 20)), rng.normal(size=(100_000, 20)) + near

    wrong = [density(x, 0, 4.0) > density(x, near) for x in (ring, ball)]

    assert (1 - wrong[0].mean() + wrong[1].mean()) / 2 == pytest.approx(0.015, abs=0.0006)


def test_datasets_have_two_classes_of_similar_size(script: dict) -> None:
    for name in script["NAMES"]:
        cases, labels = script["training_set"](name)

        assert set(labels) == {0, 1}
        assert 0.25 < labels.mean() < 0.75
        assert len(cases) == len(labels)


def test_held_out_cases_are_new(script: dict) -> None:
    for name in script["GENERATED"]:
        cases, _ = script["training_set"](name)
        new, _ = script["held_out_set"](name)

        assert len(new) == script["N_HELD_OUT"]
        assert not np.isin(cases, new).any()


@pytest.mark.long
def test_tiny_study_runs_and_repeats_itself(script: dict, tmp_path: Path) -> None:
    """It writes all results, the same from recorded runs, and those of the naive Bayes classifier are published."""
    first = finished(tmp_path / "runs", tmp_path / "first")
    again = finished(tmp_path / "runs", tmp_path / "again")
    tiny = rows(tmp_path / "first" / "estimates.csv")
    published = {
        (row["folds"], row["dataset"], row["run"]): row
        for row in rows(ROOT / "docs/replication-raeder-2010/estimates.csv")
    }

    assert first == again
    assert set(first) == {"estimates.csv", "stopping.csv", "held-out.csv", "study.json"}
    assert len(tiny) == 2 * 2 * 3
    for row in tiny:
        same = published[row["folds"], row["dataset"], row["run"]]
        assert float(row["NB"]) == pytest.approx(float(same["NB"]), abs=2e-5)
    assert len(rows(tmp_path / "first" / "stopping.csv")) == 2 * 3 * len(script["rules"]())
    assert len(rows(tmp_path / "first" / "held-out.csv")) == len(script["classifiers"]())


def test_results_are_whole(script: dict, results: object) -> None:
    """Every dataset, number of folds, classifier and rule, and as many runs as the study says."""
    assert set(results.datasets) == set(script["NAMES"])
    assert results.classifiers == list(script["classifiers"]())
    assert results.n_runs >= 50
    for table in results.estimates.values():
        assert table.shape == (results.n_runs, len(results.classifiers))
        assert ((table >= 0) & (table <= 1)).all()
    assert len(results.stopping) == len(script["PANELS"]) * len(results.datasets) * len(script["rules"]())
    assert len(results.truth) == len(script["GENERATED"]) * len(results.classifiers)
    assert results.about["seed"] == script["SEED"]


def test_tables_and_figures_are_of_the_results(figure: dict, results: object) -> None:
    assert figure["page"](PAGE, results) == PAGE
    for name in ("CURVES", "BARS"):
        assert figure["origin"]() in figure[name].read_text(encoding="utf-8")
        assert figure[name].name in PAGE


def test_two_folds_are_lowest_as_the_page_says(figure: dict, results: object) -> None:
    """In the steady state, except for 5-NN, and significantly below 10 folds for five of six."""
    tables = {name: results.settled(name, "steady state") for name in results.classifiers}
    ranks = {name: bonferroni_dunn_test(table, control=2) for name, table in tables.items()}

    assert [name for name, one in ranks.items() if one.mean_ranks.argmax() != 0] == ["5-NN"]
    assert [name for name, one in ranks.items() if one.pvalue[0] > 0.05] == ["5-NN"]


def test_two_runs_are_opposite_as_the_page_says(figure: dict, results: object) -> None:
    """One is significant, the other nearly so, with the mean ranks reversed."""
    (_, first), (_, second) = figure["opposite_runs"](results, 10)
    ranks = next(line for line in PAGE.splitlines() if line.startswith("| mean rank |")).split("|")[2:6]

    assert first < 0.05 < second < 0.06
    assert ranks[:2] == ranks[:1:-1]


def test_rank_rule_is_quick_where_the_page_says(results: object) -> None:
    runs = {
        (row["panel"], row["dataset"]): [row["mean_runs_1"], row["mean_runs_2"]]
        for row in results.stopping
        if row["rule"] == "Rank"
    }
    easy = [float(n) for (panel, name), both in runs.items() if name in EASY and panel != "b" for n in both]
    stable = [float(n) for (panel, _), both in runs.items() if panel == "b" for n in both]

    assert (round(min(easy)), round(max(easy))) == (5, 25)
    assert (round(min(stable)), round(max(stable))) == (11, 40)
    assert runs["a", "threenorm"] == runs["c", "threenorm"] == ["", ""]


def test_best_number_of_folds_is_that_of_the_page(results: object) -> None:
    """Five for canonical estimates, ten in the steady state, by the mean absolute and the squared error."""
    names = [name for name in results.datasets if (name, "NB") in results.truth]
    truth = [results.truth[name, c] for c in results.classifiers for name in names]
    for state, best in (("canonical", 1), ("steady state", 2)):
        places = [results.datasets.index(name) for name in names]
        estimates = np.concatenate([results.settled(c, state)[places] for c in results.classifiers]).T
        error = estimation_bias(estimates, truth)

        assert error.mean_absolute_error.argmin() == error.mean_squared_error.argmin() == best
        assert (error.bias < 0).all()


def test_skewness_is_to_the_left_as_the_page_says(results: object) -> None:
    tables = np.array([results.estimates[2, name].T for name in results.datasets])
    found = run_distribution(tables)
    low, high = found.skewness_interval()
    iris = results.datasets.index("iris")
    svm = results.classifiers.index("SVM")

    assert not (low > 0).any()
    assert (high < 0).sum() > 20
    assert found.mean[iris].argmin() == svm
    assert found.mean[iris, svm] == pytest.approx(0.80, abs=0.005)
    assert high[iris, svm] < 0


@pytest.mark.parametrize(("kind", "panels"), [("curves", "CURVE_PANELS"), ("bars", "BAR_PANELS")])
def test_figures_show_their_panels(figure: dict, results: object, kind: str, panels: str, tmp_path: Path) -> None:
    figure["draw"](results, figure[kind], tmp_path / "figure.svg")

    drawn = (tmp_path / "figure.svg").read_text(encoding="utf-8")

    assert all(f">{panel[0]}, " in drawn for panel in figure[panels])
