"""OpenAI evals: matches, metrics, samples without a match."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import evalstats
from evalstats import mcnemar_test
from evalstats.tables.errors import TableError

FORMATS = Path(__file__).parents[3] / "data" / "formats" / "openai-evals"
ALPHA, BETA, CRASHED = (FORMATS / f"{name}.jsonl" for name in ("alpha", "beta", "beta_crashed"))


def correct(path: Path) -> list[bool]:
    events = [json.loads(line) for line in path.read_text().splitlines()]
    return [event["data"]["correct"] for event in events if event.get("type") == "match"]


def test_two_models_are_compared_sample_by_sample() -> None:
    comparison = evalstats.compare([ALPHA, BETA])
    own = [correct(ALPHA), correct(BETA)]

    assert (comparison.table.datasets, comparison.table.classifiers) == (("sums.dev.v0",), ("alpha", "beta"))
    assert comparison.table.scores.tolist() == [[sum(values) / 10 for values in own]]
    assert comparison.pairs[0].pvalue == mcnemar_test(*own).pvalue


def test_sample_without_a_match_is_missing() -> None:
    with pytest.raises(TableError, match=r"'sums\.dev\.8' of 'beta' \(not scored\)"):
        evalstats.read_table([ALPHA, CRASHED])
    assert evalstats.read_table([ALPHA, CRASHED], missing="drop-instances").scores.tolist() == [[8 / 9, 5 / 9]]


def test_metric_of_samples() -> None:
    table = evalstats.read_table([ALPHA, BETA], metric="length_error")

    assert not table.greater_is_better
    assert len(table._items.questions) == 10


def test_several_matches_of_a_sample_are_averaged(tmp_path: Path) -> None:
    lines = BETA.read_text().splitlines()
    again = [line.replace('"correct": true', '"correct": false') for line in lines if '"sums.dev.0"' in line]
    (tmp_path / "beta.jsonl").write_text("\n".join([*lines, *again]) + "\n")
    table = evalstats.read_table([ALPHA, tmp_path / "beta.jsonl"])

    assert table._items.scores[table._items.questions.index("sums.dev.0")].tolist() == [1, 0.5]


def test_other_expected_answer_is_refused(tmp_path: Path) -> None:
    (tmp_path / "beta.jsonl").write_text(BETA.read_text().replace('"expected": "4"', '"expected": "5"'))

    with pytest.raises(TableError, match=r"the question 'sums\.dev\.2' of 'sums\.dev\.v0' differs between files"):
        evalstats.read_table([ALPHA, tmp_path / "beta.jsonl"])


def test_log_without_a_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"spec": {"completion_fns": [], "eval_name": "x"}}\n')

    with pytest.raises(TableError, match=r"a\.jsonl has no completion_fns and no eval_name in its spec"):
        evalstats.read_table(tmp_path / "a.jsonl")
