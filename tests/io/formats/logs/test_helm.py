"""HELM: run directories, perturbed instances, metrics that are not scores."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import evalstats
from evalstats.tables.errors import TableError

FORMATS = Path(__file__).parents[3] / "data" / "formats" / "helm"
PUBLISHED = sorted((FORMATS.parent / "published" / "helm").glob("*model*"))
LEADERBOARD = PUBLISHED[0].parent / "safety_scenarios_accuracy.json"
ANATOMY = sorted(map(str, FORMATS.glob("*anatomy*")))


def means(directory: str, metric: str, *, perturbed: bool = False) -> dict[str, float]:
    records = json.loads(Path(directory, "per_instance_stats.json").read_text())
    return {
        record["instance_id"]: stat["mean"]
        for record in records
        for stat in record["stats"]
        if stat["name"]["name"] == metric and ("perturbation" in stat["name"]) == perturbed
    }


def test_two_runs_are_compared_instance_by_instance() -> None:
    comparison = evalstats.compare(ANATOMY)
    own = [list(means(directory, "exact_match").values()) for directory in ANATOMY]

    assert comparison.table.datasets == ("mmlu:subject=anatomy,method=multiple_choice_joint",)
    assert comparison.table.classifiers == ("acme/alpha", "acme/beta")
    assert comparison.table.scores.tolist() == [[sum(values) / 8 for values in own]]
    assert comparison.design == "instances"


def test_perturbed_instances_are_left_out_and_told() -> None:
    table = evalstats.read_table(ANATOMY)

    assert set(means(ANATOMY[0], "exact_match", perturbed=True).values()) == {0.0}
    assert "The scores of 16 perturbed instances are left out." in [finding.sentence for finding in table.findings]


def test_directory_of_all_runs() -> None:
    table = evalstats.read_table(FORMATS)

    assert [name.split(",")[0] for name in table.datasets] == ["mmlu:subject=anatomy", "mmlu:subject=botany"]
    assert table.scores.tolist() == [[7 / 8, 4 / 8], [6 / 8, 5 / 8]]


def test_file_is_read_as_its_directory() -> None:
    files = [f"{directory}/per_instance_stats.json" for directory in ANATOMY]

    assert evalstats.read_table(files).scores.tolist() == evalstats.read_table(ANATOMY).scores.tolist()


def test_another_metric_is_named_and_its_direction_asked_for() -> None:
    with pytest.raises(TableError, match="it is not known whether higher or lower 'max_prob' is better"):
        evalstats.read_table(ANATOMY, metric="max_prob")
    assert not evalstats.read_table(ANATOMY, metric="num_output_tokens").greater_is_better
    table = evalstats.read_table(ANATOMY, metric="max_prob", greater_is_better=True)

    expected = means(ANATOMY[0], "max_prob")
    assert dict(zip(table._items.questions, table._items.scores[:, 0], strict=True)) == expected


def test_metric_without_a_count_is_none() -> None:
    """training_co2_cost was measured nowhere: it has no mean."""
    with pytest.raises(TableError, match=r"has no metric 'training_co2_cost'; its metrics are 'num_output_tokens', "):
        evalstats.read_table(ANATOMY, metric="training_co2_cost")


def rewritten(tmp_path: Path, change: Any) -> list[str]:
    for directory in ANATOMY:
        shutil.copytree(directory, tmp_path / Path(directory).name)
    path = tmp_path / Path(ANATOMY[1]).name / "per_instance_stats.json"
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    return sorted(map(str, tmp_path.glob("*anatomy*")))


def test_trials_of_an_instance_are_reduced_first(tmp_path: Path) -> None:
    def add(records: Any) -> Any:
        plain = [record for record in records if "perturbation" not in record]
        return records + [{**record, "train_trial_index": 1} for record in plain]

    paths = rewritten(tmp_path, add)

    assert evalstats.read_table(paths).scores.tolist() == [[7 / 8, 4 / 8]]


def test_instance_without_the_metric_is_missing(tmp_path: Path) -> None:
    def drop(records: Any) -> Any:
        records[0]["stats"] = [stat for stat in records[0]["stats"] if stat["name"]["name"] != "exact_match"]
        return records

    with pytest.raises(TableError, match=r"'id1' of 'acme/beta' \(not scored\)"):
        evalstats.read_table(rewritten(tmp_path, drop))


def test_file_away_from_its_run_is_refused(tmp_path: Path) -> None:
    shutil.copy(Path(ANATOMY[0], "per_instance_stats.json"), tmp_path / "stats.json")

    with pytest.raises(TableError, match=r"stats\.json must be in the same directory as its run_spec\.json"):
        evalstats.read_table(tmp_path / "stats.json")


def test_records_of_other_kinds_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"per_instance_stats\.json: 5 is not a record of an instance"):
        evalstats.read_table(rewritten(tmp_path, lambda records: [*records, 5]))


def test_records_of_one_instance_are_one_answer() -> None:
    """The classes of metrics of a run write separate records, here for sst_score and for num_output_tokens."""
    expected = [means(str(run), "sst_score") for run in PUBLISHED]
    table = evalstats.read_table(list(map(str, PUBLISHED)), metric="sst_score", greater_is_better=True)

    assert [len(json.loads((run / "per_instance_stats.json").read_text())) for run in PUBLISHED] == [4, 4]
    assert table._items.questions == tuple(expected[0])
    assert table._items.scores.T.tolist() == [list(own.values()) for own in expected]
    assert table.classifiers == ("meta/llama-3-8b", "openai/gpt-4o-2024-05-13")


def test_counts_and_times_are_no_metrics_to_choose_from() -> None:
    with pytest.raises(TableError, match="holds the metrics 'sst_score', 'sst_gpt_score'; choose one"):
        evalstats.read_table(list(map(str, PUBLISHED)))
    assert evalstats.read_table(list(map(str, PUBLISHED)), metric="num_output_tokens").scores.tolist() == [[1.0, 194.0]]


def test_means_of_runs_are_read_where_no_instances_are(tmp_path: Path) -> None:
    files = [str(run / "stats.json") for run in PUBLISHED]
    for run in PUBLISHED:
        shutil.copytree(run, tmp_path / run.name, ignore=lambda *_: ["per_instance_stats.json"])
    options = {"metric": "sst_score", "greater_is_better": True}

    for source in (files, tmp_path):
        table = evalstats.read_table(source, **options)
        assert (table.datasets, table.scores.tolist()) == (("simple_safety_tests",), [[0.375, 0.75]])
    assert evalstats.read_table(PUBLISHED[0].parent, **options)._items is not None


def test_means_of_the_test_split_are_read(tmp_path: Path) -> None:
    for run in PUBLISHED:
        shutil.copytree(run, tmp_path / run.name)
        path = tmp_path / run.name / "stats.json"
        own = json.loads(path.read_text())
        valid = [{**one, "name": {**one["name"], "split": "valid"}, "mean": 0.0} for one in own]
        path.write_text(json.dumps(valid + own))

    files = sorted(map(str, tmp_path.glob("*/stats.json")))
    assert evalstats.read_table(files, metric="sst_gpt_score", greater_is_better=True).scores.tolist() == [[0.25, 0.5]]


def test_table_of_a_leaderboard_is_read_without_its_summary() -> None:
    document = json.loads(LEADERBOARD.read_text())
    header, *rows = [[cell["value"] for cell in row] for row in (document["header"], *document["rows"])]
    table = evalstats.read_table(LEADERBOARD)

    assert header[1] == "Mean win rate"
    assert (table.format, table.metric, table.greater_is_better) == ("helm-tables", "Accuracy", True)
    assert dict(zip(table.classifiers, table.scores.T.tolist(), strict=True)) == {
        row[0]: [dict(zip(header, row, strict=True))[name] for name in table.datasets] for row in rows
    }
    assert "Not used, because they are counts or summaries: 'Mean win rate'." in [
        finding.sentence for finding in table.findings
    ]


def test_tables_of_one_group_and_of_losses_are_told_apart(tmp_path: Path) -> None:
    document = json.loads(LEADERBOARD.read_text())
    first, *others = document["header"]
    losses = {
        **document,
        "title": "Toxicity",
        "header": [first, *({**cell, "lower_is_better": True} for cell in others)],
    }
    counts = {**document, "title": "Counts", "header": [{"value": cell["value"]} for cell in document["header"]]}
    path = tmp_path / "group.json"
    path.write_text(json.dumps([document, losses, counts]))

    with pytest.raises(TableError, match="holds the metrics 'Accuracy', 'Toxicity', 'Counts'; choose one"):
        evalstats.read_table(path)
    assert evalstats.read_table(path, metric="Toxicity").greater_is_better is False
    with pytest.raises(TableError, match="the table 'Counts' holds counts or summaries, but no scores"):
        evalstats.read_table(path, metric="Counts")
