"""NeMo Evaluator: rewards of problems with repeats, bundles of benchmarks."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import evalstats
from evalstats.tables.errors import TableError

FORMATS = Path(__file__).parents[3] / "data" / "formats" / "nemo-evaluator"
RUNS = [FORMATS / name / "sums" / "results.jsonl" for name in ("alpha", "beta")]


def rewards(path: Path) -> dict[int, float]:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return {n: np.mean([row["reward"] for row in rows if row["problem_idx"] == n]) for n in range(8)}


@pytest.mark.parametrize("source", [RUNS, FORMATS, str(FORMATS / "*" / "sums"), [FORMATS / "alpha", FORMATS / "beta"]])
def test_repeats_of_a_problem_are_its_samples(source: object) -> None:
    table = evalstats.read_table(source)

    assert table.classifiers == ("acme/alpha", "acme/beta")
    assert table._items.scores.T.tolist() == [list(rewards(path).values()) for path in RUNS]


def test_bundles_are_scores_of_benchmarks() -> None:
    bundles = str(FORMATS / "*" / "*" / "eval-*.json")

    table = evalstats.read_table(bundles, metric="pass@1")

    assert (table.datasets, table.metric) == (("doubles", "sums"), "pass@1")
    assert table.scores[1].tolist() == [np.mean(list(rewards(path).values())) for path in RUNS]


def test_what_has_no_value_is_no_metric() -> None:
    """A summary, the failures and the times of a run stand beside the scores."""
    with pytest.raises(TableError, match=r"holds the metrics 'pass@1', 'pass@2'; choose one"):
        evalstats.read_table(str(FORMATS / "*" / "*" / "eval-*.json"))


def test_problems_without_a_bundle_are_called_by_their_folders(tmp_path: Path) -> None:
    for name, path in zip(("alpha", "beta"), RUNS, strict=True):
        (tmp_path / name).mkdir()
        shutil.copy(path, tmp_path / name)
    table = evalstats.read_table(tmp_path)

    assert table.classifiers == ("alpha", "beta")
    assert "named-by-folder" in [finding.code for finding in table.findings]


def test_reward_that_is_no_number_is_refused(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text('{"problem_idx": 0, "reward": 1}\n{"problem_idx": 1, "reward": "high"}\n')

    with pytest.raises(TableError, match=r"results\.jsonl, line 2 has no problem_idx, or its reward is not a number"):
        evalstats.read_table(tmp_path / "results.jsonl")


def test_reward_that_is_null_is_missing(tmp_path: Path) -> None:
    for name, reward in (("a", "null"), ("b", "1")):
        (tmp_path / name).mkdir()
        text = f'{{"problem_idx": 0, "reward": 1}}\n{{"problem_idx": 1, "reward": {reward}}}\n'
        (tmp_path / name / "results.jsonl").write_text(text)

    with pytest.raises(TableError, match=r"'1' of 'a' \(not scored\)"):
        evalstats.read_table(tmp_path)
