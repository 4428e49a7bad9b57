"""evalstats compare --adjust-for says what adjusted_difference says."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import report
from evalstats.comparison import adjusted_difference

RNG = np.random.default_rng(3)
QUESTION, NEW = np.arange(60) // 2, RNG.integers(0, 2, 60)
LENGTH, CORRECT = np.round(RNG.random(60), 3), RNG.integers(0, 2, 60)
MODEL, LANGUAGE = np.where(NEW == 1, "new", "old"), np.where(QUESTION % 2 == 1, "en", "fr")


@pytest.fixture
def path(tmp_path):
    columns = zip(QUESTION, MODEL, CORRECT, LENGTH, LANGUAGE, strict=True)
    rows = [f"q{q},{m},{c},{n},{lang},p{q // 2}" for q, m, c, n, lang in columns]
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(["question_id,model,correct,length,lang,part", *rows]), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(("options", "clusters"), [((), QUESTION), (("--cluster", "part"), QUESTION // 2)])
def test_command_adjusts_for_columns(run, path, options, clusters) -> None:
    done = run("compare", path, "--adjust-for", "length,lang", "--control", "old", *options)

    named = [f"c{q}" for q in clusters]
    result = adjusted_difference(CORRECT, MODEL, named, {"length": LENGTH, "lang": LANGUAGE}, baseline="old")
    assert (done.exit_code, done.stdout) == (0, report.text(result))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("length", "--margin", "0.1"), "--margin cannot be combined with --adjust-for"),
        (("size",), "size"),
        (("length", "--control", "newer"), "--control must be one of 'new', 'old', not 'newer'; did you mean 'new'?"),
        (("length", "--score", "lang"), "the score of line 2 is neither a number nor a word for correct or incorrect"),
    ],
)
def test_faults_are_named_in_one_line(refused, path, options, message) -> None:
    assert message in refused("compare", path, "--adjust-for", *options)
