"""evalstats learning-curves reads long rows, reports the test, and saves the plot."""

from __future__ import annotations

import pytest

from evalstats import report
from evalstats.reproducibility import learning_curve_test

SCORES = {
    "tree": [[0.60, 0.64, 0.58, 0.62], [0.70, 0.72, 0.70, 0.74], [0.76, 0.78, 0.74, 0.78]],
    "forest": [[0.62, 0.64, 0.60, 0.64], [0.78, 0.82, 0.78, 0.82], [0.90, 0.92, 0.86, 0.92]],
}
SIZES = [50, 100, 200]
ROWS = [
    f"{name},{size},{repeat},{score}"
    for name, curve in SCORES.items()
    for size, row in zip(SIZES, curve, strict=True)
    for repeat, score in enumerate(row)
]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, rows in (
        ("curves", ROWS),
        ("twice", [*ROWS, ROWS[0]]),
        ("short", ROWS[:-1]),
        ("word", [*ROWS, "a,b,1,2"]),
    ):
        text = "\n".join(["classifier,train_size,repeat,score", *rows])
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    (tmp_path / "other.csv").write_text("model,score\na,1\nb,2\n", encoding="utf-8")


def test_report_is_that_of_the_function(run, files) -> None:
    result = learning_curve_test(SCORES, SIZES, n_test=50, n_pool=200)

    done = run("learning-curves", "curves.csv", "--test-size", "50", "--pool", "200", "--plot", "curves.svg")

    assert (done.exit_code, done.stdout) == (0, report.text(result))
    assert "forest is shown to be better than tree with 100 and 200 training instances" in " ".join(done.stdout.split())


def test_losses_turn_the_winner_around(run, files) -> None:
    done = run("learning-curves", "curves.csv", "--test-size", "50", "--lower-is-better", "--format", "markdown")

    assert "tree is shown to be better than forest" in done.stdout


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("twice.csv", "has two scores with 50 instances in repeat"),
        ("short.csv", "'forest' has no score with 200 instances in repeat '3'"),
        ("word.csv", "train_size must be a whole number, not 'b'"),
        ("other.csv", "must have a column train_size"),
    ],
)
def test_faults_are_one_line(run, files, file: str, message: str) -> None:
    done = run("learning-curves", file, "--test-size", "50")

    assert done.exit_code != 0
    assert message in done.stderr
