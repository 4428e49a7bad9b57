"""lm-evaluation-harness: filters, metrics of a corpus, groups, old files, the model beside the samples."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evalstats
from evalstats import mcnemar_test
from evalstats.tables.errors import TableError

FORMATS = Path(__file__).parents[3] / "data" / "formats" / "lm-eval"
WRITTEN = str(FORMATS / "*" / "samples_sums_written_*")
RESULTS = str(FORMATS / "*" / "results_*")


def lines(model: str, task: str) -> list[dict[str, Any]]:
    (path,) = FORMATS.glob(f"{model}/samples_{task}_*")
    return [json.loads(line) for line in path.read_text().splitlines()]


def results(model: str) -> dict[str, Any]:
    (path,) = FORMATS.glob(f"{model}/results_*")
    return json.loads(path.read_text())


@pytest.fixture
def copied(tmp_path: Path) -> Callable[..., Path]:
    """Return a copy of the directory in which each line of the samples of one task and model was changed."""

    def copy(change: Callable[[dict[str, Any]], Any], task: str = "sums_written", model: str = "acme__beta") -> Path:
        shutil.copytree(FORMATS, tmp_path / "out")
        (path,) = (tmp_path / "out").glob(f"{model}/samples_{task}_*")
        changed = [change(json.loads(line)) for line in path.read_text().splitlines()]
        path.write_text("".join(json.dumps(line) + "\n" for line in changed if line is not None))
        return tmp_path / "out"

    return copy


def of_written(directory: Path) -> str:
    return str(directory / "*" / "samples_sums_written_*")


@pytest.mark.parametrize("filter_name", ["strict-match", "flexible-extract"])
def test_two_models_are_compared_document_by_document(filter_name: str) -> None:
    comparison = evalstats.compare(WRITTEN, metric=f"exact_match,{filter_name}")
    right = [
        [line["exact_match"] == 1 for line in lines(model, "sums_written") if line["filter"] == filter_name]
        for model in ("acme__alpha", "acme__beta")
    ]

    assert comparison.table.classifiers == ("acme/alpha", "acme/beta")
    assert comparison.table.datasets == ("sums_written",)
    assert comparison.table.scores.tolist() == [np.mean(right, axis=1).tolist()]
    assert comparison.pairs[0].pvalue == mcnemar_test(*right).pvalue


def test_filters_are_asked_for_and_never_pooled() -> None:
    with pytest.raises(TableError, match=r"'exact_match, strict-match', 'exact_match, flexible-extract'; choose one"):
        evalstats.read_table(WRITTEN)


def test_directory_of_models_and_tasks() -> None:
    table = evalstats.read_table(FORMATS, metric="acc")
    expected = [
        [results(model)["results"][task]["acc,none"] for model in ("acme__alpha", "acme__beta")]
        for task in ("sums_easy", "sums_hard")
    ]

    assert table.datasets == ("sums_easy", "sums_hard")
    np.testing.assert_allclose(table.scores, expected, rtol=1e-12)
    codes = {finding.code for finding in table.findings}
    assert {"tasks-left-out", "corpus-metrics"} <= codes


def test_documents_of_several_tasks_are_questions_of_benchmarks() -> None:
    comparison = evalstats.compare(FORMATS, metric="acc")
    right = {
        (task, model): [line["acc"] for line in lines(model, task)]
        for task in ("sums_easy", "sums_hard")
        for model in ("acme__alpha", "acme__beta")
    }
    x, y = (np.concatenate([right["sums_easy", m], right["sums_hard", m]]) for m in ("acme__alpha", "acme__beta"))
    strata = np.repeat(["sums_easy", "sums_hard"], [len(right[t, "acme__beta"]) for t in ("sums_easy", "sums_hard")])

    assert isinstance(comparison, evalstats.Comparison)
    pair = comparison.pair("acme/alpha", "acme/beta")
    if comparison.pair_test == "clustered_ttest":
        expected = evalstats.clustered_ttest(x, y, strata=strata, average="macro")
    else:
        expected = evalstats.paired.clustered_permutation_test(x, y, strata=strata, average="macro")
    assert pair.pvalue == pytest.approx(expected.pvalue)


def test_cluster_is_a_field_of_the_document() -> None:
    table = evalstats.read_table(WRITTEN, metric="exact_match,strict-match", columns={"cluster": "passage"})

    passages = {str(line["doc_id"]): line["doc"]["passage"] for line in lines("acme__alpha", "sums_written")}
    pairs = {(passages[item], c) for item, c in zip(table._items.questions, table._items.cluster.tolist(), strict=True)}
    assert len(pairs) == len(set(passages.values())) == 3
    assert "clusters-found" in {finding.code for finding in table.findings}


def test_cluster_that_no_document_has_is_refused() -> None:
    with pytest.raises(TableError, match="line 1: the document has no name or number called 'story'"):
        evalstats.read_table(WRITTEN, metric="exact_match,strict-match", columns={"cluster": "story"})


def test_metric_of_a_corpus_has_no_samples() -> None:
    with pytest.raises(TableError, match="no metric of 'sums_text' belongs to individual documents; read the results"):
        evalstats.read_table(str(FORMATS / "*" / "samples_sums_text_*"))


def test_old_file_without_filters_is_refused(copied: Callable[..., Path]) -> None:
    directory = copied(lambda line: {key: value for key, value in line.items() if key != "filter"})

    with pytest.raises(
        TableError, match=r"lines 1 and 11 belong to one document, 0, and no field filter tells them apart"
    ):
        evalstats.read_table(of_written(directory))


def test_old_file_with_one_filter_is_read(copied: Callable[..., Path]) -> None:
    old = ("filter", "metrics", "doc_hash", "prompt_hash", "target_hash")
    directory = copied(lambda line: {k: v for k, v in line.items() if k not in old}, "sums_easy")
    table = evalstats.read_table(str(directory / "acme__beta" / "samples_sums_easy_*"), metric="acc")

    assert table.scores.tolist() == [[results("acme__beta")["results"]["sums_easy"]["acc,none"]]]


@pytest.mark.parametrize("field", ["doc_hash", "target_hash"])
def test_changed_benchmark_is_refused(copied: Callable[..., Path], field: str) -> None:
    directory = copied(lambda line: {**line, field: "other"} if line["doc_id"] == 4 else line)

    with pytest.raises(
        TableError,
        match=(
            r"the question '4' of 'sums_written' differs between files: "
            r"samples_sums_wr"
        ),
    ):
        evalstats.read_table(of_written(directory), metric="exact_match,strict-match")


def test_changed_prompt_is_told(copied: Callable[..., Path]) -> None:
    table = evalstats.read_table(
        of_written(copied(lambda line: {**line, "prompt_hash": "5 shots"})), metric="exact_match,strict-match"
    )

    assert "10 of 10 questions were asked in different words" in next(
        finding.sentence for finding in table.findings if finding.code == "prompts-differ"
    )


def test_limited_run_lacks_documents(copied: Callable[..., Path]) -> None:
    directory = copied(lambda line: line if line["doc_id"] < 6 else None)

    with pytest.raises(
        TableError,
        match=r"4 of 10 questions of 'sums_written' lack .*'6' of 'acme/beta' \(missing\)",
    ):
        evalstats.read_table(of_written(directory), metric="exact_match,strict-match")


def test_missing_value_is_missing(copied: Callable[..., Path]) -> None:
    directory = copied(lambda line: {**line, "exact_match": None} if line["doc_id"] == 1 else line)
    table = evalstats.read_table(of_written(directory), metric="exact_match,strict-match", missing="drop-instances")

    assert table.scores[0, 0] == 6 / 9


def test_value_of_another_kind_is_refused(copied: Callable[..., Path]) -> None:
    directory = copied(lambda line: {**line, "exact_match": "yes"} if line["doc_id"] == 1 else line)

    with pytest.raises(TableError, match=r"line 2: 'yes' is not a number"):
        evalstats.read_table(of_written(directory), metric="exact_match,strict-match")


def test_model_without_results_is_called_like_its_folder(tmp_path: Path) -> None:
    shutil.copytree(FORMATS, tmp_path / "out", ignore=shutil.ignore_patterns("results_*"))

    assert evalstats.read_table(tmp_path / "out", metric="acc").classifiers == ("acme__alpha", "acme__beta")


def test_model_of_files_without_a_folder_of_its_own_stands_in_the_results(tmp_path: Path) -> None:
    """With --output_path out.json the results are called out_<time>.json, and all files lie in one folder."""
    for path in FORMATS.glob("*/*"):
        shutil.copy(path, tmp_path / path.name.replace("results_", "out_"))

    assert evalstats.read_table(tmp_path, metric="acc").classifiers == ("acme/alpha", "acme/beta")


def test_samples_that_are_renamed_or_piped_are_refused(tmp_path: Path) -> None:
    (path,) = FORMATS.glob("acme__alpha/samples_sums_easy_*")
    shutil.copy(path, tmp_path / "mine.jsonl")

    with pytest.raises(
        TableError, match=r"mine\.jsonl must keep its name from the harness, samples_<task>_<time>\.jsonl"
    ):
        evalstats.read_table(tmp_path / "mine.jsonl")


def test_results_are_read_without_groups() -> None:
    table = evalstats.read_table(RESULTS, metric="acc")

    assert table.datasets == ("sums_easy", "sums_hard")
    assert next(f.sentence for f in table.findings if f.code == "groups").startswith("The groups 'sums_choice' are")


def test_direction_of_results_is_that_of_the_harness() -> None:
    table = evalstats.read_table(RESULTS, metric="word_perplexity")

    assert not table.greater_is_better
    assert table.scores[0, 0] == results("acme__alpha")["results"]["sums_text"]["word_perplexity,none"]


def test_unknown_direction_is_asked_for(tmp_path: Path) -> None:
    for model in ("a", "b"):
        (tmp_path / model).mkdir()
        document = {"results": {"x": {"brevity,none": 0.5}}, "config": {"model_args": f"pretrained={model},dtype=auto"}}
        document["higher_is_better"] = {"x": {"brevity": None}}
        (tmp_path / model / "results_1.json").write_text(json.dumps(document))

    with pytest.raises(
        TableError, match="it is not known whether higher or lower 'brevity,none' is better; pass greater_is"
    ):
        evalstats.read_table(tmp_path)
    assert evalstats.read_table(tmp_path, greater_is_better=True).classifiers == ("a", "b")


def test_results_of_before_filters_are_read(tmp_path: Path) -> None:
    document = {"results": {"x": {"acc": 0.5, "acc_stderr": 0.1}}, "versions": {"x": 0}, "config": {"model": "gpt2"}}
    (tmp_path / "results.json").write_text(json.dumps(document))

    table = evalstats.read_table(tmp_path / "results.json")
    assert (table.classifiers, table.metric, table.scores.tolist()) == (("gpt2",), "acc", [[0.5]])


def test_tasks_with_metrics_of_their_own(tmp_path: Path) -> None:
    of_tasks = {"x": {"acc,none": 0.5}, "y": {"exact_match,strict": 0.25}}
    document = {"results": of_tasks, "versions": {}, "model_name": "m"}
    (tmp_path / "results.json").write_text(json.dumps(document))
    table = evalstats.read_table(tmp_path / "results.json")

    assert (table.metric, table.scores.tolist()) == ("score", [[0.5], [0.25]])
    assert table.findings[0].sentence == "Each task has its own metric: x acc,none, y exact_match,strict."


def test_answers_are_predictions(copied: Callable[..., Path]) -> None:
    """The metric is chosen, and documents are left out, as for a table."""
    directory = copied(lambda line: {**line, "exact_match": None} if line["doc_id"] == 1 else line)
    chosen = {"metric": "exact_match,strict-match"}

    with pytest.raises(TableError, match="exclude them for every model with missing='drop-instances'"):
        evalstats.read_predictions(of_written(directory), **chosen)
    predictions = evalstats.read_predictions(of_written(directory), **chosen, missing="drop-instances")
    assert (len(predictions.y_true), predictions.format) == (2 * 9, "lm-eval")
    with pytest.raises(evalstats.InvalidValueError, match="metric is for logs of answers, but the table is a table of"):
        evalstats.read_predictions({"data": ["d"], "model": ["m"], "y_true": [1], "y_pred": [1]}, metric="acc")


def test_results_that_are_loaded_already() -> None:
    """As simple_evaluate of the harness returns them."""
    table = evalstats.read_table(results("acme__alpha"), metric="acc")

    assert (table.classifiers, table.datasets) == (("acme/alpha",), ("sums_easy", "sums_hard"))


def test_model_with_results_only_is_not_left_out(tmp_path: Path) -> None:
    """Only the samples of the other models would be read."""
    shutil.copytree(FORMATS, tmp_path / "out")
    for path in (tmp_path / "out").glob("acme__beta/samples_*"):
        path.unlink()

    with pytest.raises(TableError, match="holds results without samples of 'acme/beta', and samples of 'acme/alpha'"):
        evalstats.read_table(tmp_path / "out", metric="acc")
    table = evalstats.read_table(str(tmp_path / "out" / "*" / "results_*"), metric="acc")
    assert table.classifiers == ("acme/alpha", "acme/beta")


@pytest.mark.parametrize("pattern", ["samples_*", "results_*"])
def test_answers_without_scores_are_refused(tmp_path: Path, pattern: str) -> None:
    """With --predict_only, the harness writes the metric `bypass`: null for a document, and 999 for a task."""
    line = {**lines("acme__alpha", "sums_written")[0], "metrics": ["bypass"], "bypass": None}
    (tmp_path / "samples_sums_written_2026-11-22T09-51-18.036561.jsonl").write_text(json.dumps(line) + "\n")
    document = {**results("acme__alpha"), "results": {"sums_written": {"bypass,strict-match": 999}}}
    (tmp_path / "results_2026-11-22T09-51-18.036561.json").write_text(json.dumps(document))

    with pytest.raises(TableError, match="answers without scores: run the harness again without --predict_only"):
        evalstats.read_table(str(tmp_path / pattern))


@pytest.mark.parametrize("metric", ["acc", "acc_norm", "f1"])
def test_results_of_2023_are_read(metric: str) -> None:
    """The metrics had no filters, and the model was among the arguments of the run."""
    paths = sorted((FORMATS.parent / "published" / "lm-eval").iterdir())
    documents = [json.loads(path.read_text()) for path in paths]
    table = evalstats.read_table(list(map(str, paths)), metric=metric)

    tasks = sorted(task for task, own in documents[0]["results"].items() if metric in own)
    assert sorted(table.datasets) == tasks
    for model, document in zip(("13B", "7B"), documents, strict=True):
        (j,) = (j for j, name in enumerate(table.classifiers) if name.endswith(f"/{model}"))
        expected = [document["results"][task][metric] for task in table.datasets]
        assert table.scores[:, j].tolist() == expected
