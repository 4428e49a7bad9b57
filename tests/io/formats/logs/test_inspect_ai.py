"""Logs of Inspect: packed or JSON, ended or not, with epochs, errors and several scorers."""

from __future__ import annotations

import csv
import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from later_zipfile import zstd

import evalstats
from evalstats import mcnemar_test
from evalstats.tables.errors import TableError

FORMATS_OF_LOGS = Path(__file__).parents[3] / "data" / "formats" / "inspect-ai"
ALPHA, BETA, GAMMA = (str(FORMATS_OF_LOGS / f"addition_{name}.eval") for name in ("alpha", "beta", "gamma"))
UNFINISHED = str(FORMATS_OF_LOGS / "addition_unfinished.eval")
TWICE = [str(FORMATS_OF_LOGS / f"sums_twice_{name}.json") for name in ("alpha", "beta")]


def summaries(path: str) -> list[dict[str, Any]]:
    with zstd.ZipFile(path) as archive:
        return json.loads(archive.read("summaries.json"))


def right(path: str) -> dict[str, bool]:
    return {sample["id"]: sample["scores"]["match"]["value"] == "C" for sample in summaries(path) if sample["scores"]}


@pytest.fixture
def rewritten(tmp_path: Path) -> Callable[..., str]:
    """Return a log of other members, packed by deflate as before Inspect 0.3.206."""

    def write(name: str, of: str = BETA, **members: Callable[[Any], Any] | None) -> str:
        changes = {f"{key}.json": change for key, change in members.items()}
        path = tmp_path / f"{name}.eval"
        with zstd.ZipFile(of) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
            for member in old.namelist():
                content = json.loads(old.read(member))
                change = changes.get(member, lambda content: content)
                if change is not None:
                    new.writestr(member, json.dumps(change(content)))
        return str(path)

    return write


def codes(table: evalstats.ScoreTable) -> list[str]:
    return [finding.code for finding in table.findings]


def test_two_models_are_compared_question_by_question() -> None:
    comparison = evalstats.compare([ALPHA, BETA])
    alpha, beta = right(ALPHA), right(BETA)
    expected = mcnemar_test([alpha[q] for q in sorted(alpha)], [beta[q] for q in sorted(alpha)])

    assert comparison.table.format == "inspect-ai"
    assert comparison.table.datasets == ("addition",)
    assert comparison.table.classifiers == ("mockllm/alpha", "mockllm/beta")
    assert comparison.table.scores.tolist() == [[sum(alpha.values()) / 12, sum(beta.values()) / 12]]
    assert comparison.pairs[0].pvalue == expected.pvalue


def test_deflated_log_is_the_same(rewritten: Callable[..., str]) -> None:
    table = evalstats.read_table([ALPHA, rewritten("addition_beta")])

    assert table.scores.tolist() == evalstats.read_table([ALPHA, BETA]).scores.tolist()


def test_epochs_are_reduced_first_and_the_scorer_is_asked_for() -> None:
    with pytest.raises(TableError, match=r"holds the metrics 'match', 'digits'; .*metric='match'"):
        evalstats.read_table(TWICE)
    table = evalstats.read_table(TWICE, metric="digits", greater_is_better=True)
    samples = [json.loads(Path(path).read_text())["samples"] for path in TWICE]
    means = [
        [np.mean([s["scores"]["digits"]["value"] for s in own if s["id"] == q]) for own in samples]
        for q in table._items.questions
    ]

    assert table._items.questions == ("q1", "q2", "q3", "q4", "q5", "q6")
    assert table._items.scores.tolist() == means
    assert table._items.n_samples.tolist() == [[2, 2]] * 6
    assert "samples-averaged" in codes(table)


def test_reduction_agrees_with_that_of_inspect() -> None:
    """Reductions in the log are what Inspect computed itself."""
    table = evalstats.read_table(TWICE, metric="match")
    reductions = [json.loads(Path(path).read_text())["reductions"] for path in TWICE]
    of_match = [{s["sample_id"]: s["value"] for s in own[0]["samples"]} for own in reductions]

    assert table._items.scores.tolist() == [[own[q] for own in of_match] for q in table._items.questions]


@pytest.mark.parametrize(("reducer", "expected"), [("max", 1.0), ("pass_at_1", 0.5), ("at_least_2", 0.0)])
def test_reducer_is_that_of_the_log(tmp_path: Path, reducer: str, expected: float) -> None:
    """q3 is right in one of two epochs."""
    paths = []
    for path in TWICE:
        document = json.loads(Path(path).read_text())
        document["eval"]["config"]["epochs_reducer"] = [reducer]
        paths.append(tmp_path / Path(path).name)
        paths[-1].write_text(json.dumps(document))
    table = evalstats.read_table(paths, metric="match")
    score = table.scores[table.datasets.index("q3"), 0] if len(table.datasets) > 1 else table.scores[0, 0] * 6 - 5

    assert score == pytest.approx(expected)


def test_unknown_reducer_is_told(tmp_path: Path) -> None:
    document = json.loads(Path(TWICE[0]).read_text())
    document["eval"]["config"]["epochs_reducer"] = ["collect"]
    (tmp_path / "a.json").write_text(json.dumps(document))

    assert "reducer" in codes(evalstats.read_table(tmp_path / "a.json", metric="match"))


def test_error_is_missing_and_not_wrong() -> None:
    with pytest.raises(
        TableError,
        match=(
            r"1 of 12 questions of 'addition' lacks .*'q4' of 'mockllm/gamma' \(not "
            r"scored\)"
        ),
    ):
        evalstats.read_table([ALPHA, GAMMA])
    table = evalstats.read_table([ALPHA, GAMMA], missing="drop-instances")

    assert table.scores.tolist() == [[10 / 11, 9 / 11]]
    assert "cases-dropped" in codes(table)


def test_unfinished_run_is_read_from_its_journal() -> None:
    """The log has no header; samples that were not reached are missing."""
    with pytest.raises(TableError, match="5 of 12 questions of 'addition' lack a score of a model"):
        evalstats.read_table([ALPHA, UNFINISHED])
    table = evalstats.read_table([ALPHA, UNFINISHED], missing="drop-instances")

    assert table.scores.tolist() == [[6 / 7, 1]]
    assert "unfinished" in codes(table)


@pytest.mark.parametrize(
    ("value", "score"),
    [("P", 0.5), ("N", 0.0), ("yes", 1.0), ("False", 0.0), ("0.25", 0.25), (True, 1.0), (0.75, 0.75), (-2, -2.0)],
)
def test_values_are_those_of_inspect(rewritten: Callable[..., str], value: Any, score: float) -> None:
    def change(samples: Any) -> Any:
        samples[0]["scores"]["match"]["value"] = value
        samples[1]["scores"]["match"]["value"] = 0.125  # so that the questions are questions
        return samples

    table = evalstats.read_table([ALPHA, rewritten("b", summaries=change)])

    first = table._items.questions.index(summaries(BETA)[0]["id"])
    assert table._items.scores[first, 1] == score


def test_cluster_is_a_field_of_the_metadata(rewritten: Callable[..., str]) -> None:
    def change(samples: Any) -> Any:
        return [{**sample, "metadata": {"passage": i // 3}} for i, sample in enumerate(samples)]

    logs = [rewritten("a", ALPHA, summaries=change), rewritten("b", summaries=change)]
    comparison = evalstats.compare(logs, cluster="passage")

    assert (comparison.n_questions, comparison.n_clusters) == (12, 4)
    with pytest.raises(TableError, match="the metadata of the sample have no name or number called 'story'"):
        evalstats.compare([ALPHA, BETA], cluster="story")


@pytest.mark.parametrize("value", ["maybe", "1_000", "-", "inf", [1, 2], pytest.param(10**400, id="huge")])
def test_other_value_is_refused(rewritten: Callable[..., str], value: Any) -> None:
    def change(samples: Any) -> Any:
        samples[2]["scores"]["match"]["value"] = value
        return samples

    with pytest.raises(TableError, match=r"b\.eval, sample 'q11', epoch 1: .* is not a score"):
        evalstats.read_table([ALPHA, rewritten("b", summaries=change)])


def test_nan_with_a_reason_is_missing(rewritten: Callable[..., str]) -> None:
    def change(samples: Any) -> Any:
        samples[2]["scores"]["match"] |= {"value": float("nan"), "reason": "refusal"}
        return samples

    with pytest.raises(TableError, match=r"'q11' of 'mockllm/beta' \(not scored\)"):
        evalstats.read_table([ALPHA, rewritten("b", summaries=change)])


def test_dict_of_values_is_a_score_for_each_key(rewritten: Callable[..., str]) -> None:
    def change(samples: Any) -> Any:
        for sample in samples:
            sample["scores"]["match"]["value"] = {"form": "C", "content": 0.5}
        return samples

    path = rewritten("b", summaries=change)
    with pytest.raises(TableError, match="'match/form', 'match/content'"):
        evalstats.read_table(path)
    assert evalstats.read_table(path, metric="match/form").scores.tolist() == [[1.0]]


def test_namespace_of_a_task_does_not_count(rewritten: Callable[..., str]) -> None:
    def change(header: Any) -> Any:
        header["eval"]["task"] = "acme/addition"
        return header

    assert evalstats.read_table([ALPHA, rewritten("b", header=change)]).datasets == ("addition",)


def test_changed_question_is_refused(rewritten: Callable[..., str]) -> None:
    def change(samples: Any) -> Any:
        samples[0]["input"] = "What is 2+1?"
        return samples

    with pytest.raises(TableError, match="the question 'q1' of 'addition' differs between files"):
        evalstats.read_table([ALPHA, rewritten("b", summaries=change)])


def test_duplicated_sample_is_refused(rewritten: Callable[..., str]) -> None:
    path = rewritten("b", summaries=lambda samples: [*samples, samples[0]])

    with pytest.raises(TableError, match="the question 'q1' of 'addition' occurs twice for 'mockllm/beta'"):
        evalstats.read_table([ALPHA, path])


def test_one_model_twice_is_told_apart_by_its_files(rewritten: Callable[..., str]) -> None:
    table = evalstats.read_table([BETA, rewritten("beta_again")])

    assert table.classifiers == ("mockllm/beta [addition_beta]", "mockllm/beta [beta_again]")


def test_directory_and_pattern(tmp_path: Path) -> None:
    for path in (ALPHA, BETA):
        (tmp_path / Path(path).name).write_bytes(Path(path).read_bytes())
    expected = evalstats.read_table([ALPHA, BETA]).scores.tolist()

    assert evalstats.read_table(tmp_path).scores.tolist() == expected
    assert evalstats.read_table(str(tmp_path / "*.eval")).scores.tolist() == expected


def test_log_can_be_an_open_file() -> None:
    with open(ALPHA, "rb") as file:
        assert evalstats.read_table(file).scores.tolist() == [[11 / 12]]


def test_header_only_and_cut_off(tmp_path: Path) -> None:
    document = json.loads(Path(TWICE[0]).read_text())
    del document["samples"]
    (tmp_path / "header.json").write_text(json.dumps(document))
    (tmp_path / "cut.eval").write_bytes(Path(ALPHA).read_bytes()[:5000])

    with pytest.raises(TableError, match=r"header\.json is only the header of a log"):
        evalstats.read_table(tmp_path / "header.json")
    with pytest.raises(TableError, match=r"cut\.eval cannot be read as a zip file"):
        evalstats.read_table(tmp_path / "cut.eval")


def test_invalid_and_deep_members(rewritten: Callable[..., str], tmp_path: Path) -> None:
    for name, content in (("text", b"{"), ("deep", b"[" * 200_000)):
        with zipfile.ZipFile(tmp_path / f"{name}.eval", "w") as archive:
            archive.writestr("header.json", content)
        with pytest.raises(
            TableError, match=rf"{name}\.eval: (header\.json is not valid JSON|the JSON in header\.json)"
        ):
            evalstats.read_table(tmp_path / f"{name}.eval")
    with pytest.raises(TableError, match=r"b\.eval has no model and no task"):
        evalstats.read_table(rewritten("b", header=lambda header: {**header, "eval": {}}))


def test_invalidated_log_is_told(rewritten: Callable[..., str]) -> None:
    path = rewritten("b", header=lambda header: {**header, "invalidated": True})

    assert "invalidated" in codes(evalstats.read_table([ALPHA, path]))


def test_document_that_is_loaded_already() -> None:
    table = evalstats.read_table(json.loads(Path(TWICE[0]).read_text()), metric="match")

    assert table.scores.tolist() == evalstats.read_table(TWICE[0], metric="match").scores.tolist()


def test_direction_of_numbers_is_asked_for_unless_the_log_has_their_accuracy() -> None:
    with pytest.raises(TableError, match="it is not known whether higher or lower 'digits' is better"):
        evalstats.read_table(TWICE, metric="digits")
    assert evalstats.read_table(TWICE, metric="match").greater_is_better


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python 3.14 reads Zstandard itself")
def test_log_that_needs_another_package_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "backports.zstd", None)

    with pytest.raises(
        TableError, match=r'^addition_alpha\.eval is packed by .* pip install "classifier-evalstats\[ins'
    ):
        evalstats.read_table(ALPHA)


FORMATS_OF_FRAMES = Path(__file__).parents[3] / "data" / "formats" / "inspect-ai"
SAMPLES, EVALS = FORMATS_OF_FRAMES / "samples_df.csv", FORMATS_OF_FRAMES / "evals_df.csv"


def test_samples_are_named_by_their_log_and_errors_are_missing() -> None:
    with pytest.raises(TableError, match="'q4' of 'addition_gamma'"):
        evalstats.read_table(SAMPLES)
    table = evalstats.read_table(SAMPLES, missing="drop-instances")
    with SAMPLES.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["id"] != "q4"]
    share = {
        log: [row["score_match"] == "C" for row in rows if log in row["log"]] for log in ("alpha", "beta", "gamma")
    }

    assert table.classifiers == ("addition_alpha", "addition_beta", "addition_gamma")
    assert table.scores.tolist() == [[sum(own) / len(own) for own in share.values()]]
    assert table.format == "inspect-frames"


def test_frame_with_columns_of_the_log() -> None:
    frame = pd.read_csv(SAMPLES)
    frame["model"] = ["openai/" + Path(log).stem for log in frame["log"]]
    frame["task_name"] = "acme/addition"
    table = evalstats.read_table(frame, missing="drop-instances")

    assert table.classifiers == ("openai/addition_alpha", "openai/addition_beta", "openai/addition_gamma")
    assert table.datasets == ("addition",)


def test_evals_are_scores_of_tasks() -> None:
    table = evalstats.read_table(EVALS, metric="match_accuracy")

    assert table.classifiers == ("mockllm/alpha", "mockllm/beta", "mockllm/gamma")
    assert table.scores.tolist() == [[11 / 12, 0.5, 9 / 11]]
    assert table.greater_is_better


def test_value_that_is_no_score_is_refused() -> None:
    frame = pd.read_csv(SAMPLES).astype({"score_match": object})
    frame.loc[2, "score_match"] = "maybe"

    with pytest.raises(TableError, match=r"the table, row 3, column 'id': 'maybe' is not a score"):
        evalstats.read_table(frame)
