"""``evalstats compare --reader`` says what compare_readers says."""

from __future__ import annotations

import random

import pytest

from evalstats import report
from evalstats.comparison import compare_readers


@pytest.fixture
def path(tmp_path):
    draw = random.Random(2)
    rows = ["who,modality,case,truth,rating"]
    rows += [
        f"{who},{how},{case},{case % 2},{(case % 2) * (2 if how == 'b' else 1) + draw.gauss(0, 1):.3f}"
        for who in ("x", "y", "z")
        for how in ("a", "b")
        for case in range(40)
    ]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return str(path)


OPTIONS = {
    (): {},
    ("--sampled", "readers", "--alpha", "0.1", "--drop", "y"): {"sampled": "readers", "alpha": 0.1, "drop": ["y"]},
}


@pytest.mark.parametrize("words", OPTIONS)
def test_command_prints_the_comparison(run, path, words) -> None:
    done = run("compare", path, "--reader", "who", *words)

    assert (done.exit_code, done.stdout) == (0, report.text(compare_readers(path, reader="who", **OPTIONS[words])))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--reader", "who", "--margin", "0.1"), "--margin cannot be combined with --reader"),
        (("--reader", "who", "--posthoc", "sign"), "--posthoc cannot be combined with --reader"),
        (("--reader", "who", "--plot", "figure.svg"), "this comparison has no plot"),
        (("--reader", "nobody"), "'nobody'"),
        (("--sampled", "both"), "--sampled is for ratings of several readers"),
    ],
)
def test_what_readers_do_not_take_is_named(run, path, words, message) -> None:
    done = run("compare", path, *words)

    assert (done.exit_code, message in done.stderr) == (2, True)
