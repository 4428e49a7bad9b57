"""Long tables of answers to questions: what is recognized, averaged, left out and refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalstats import TableError, read_table
from evalstats.io.options import given_together

ROWS = [
    (benchmark, model, f"{benchmark}-{question}", f"{benchmark}-{question // 2}", sample)
    for benchmark in ("reading", "law")
    for question in range(4)
    for model in ("small", "large")
    for sample in range(2)
]
FRAME = pd.DataFrame(ROWS, columns=["benchmark", "model", "question_id", "passage", "sample"])
FRAME["correct"] = np.random.default_rng(1).integers(0, 2, len(FRAME))


def means(frame: pd.DataFrame) -> np.ndarray:
    by_question = frame.groupby(["benchmark", "question_id", "model"])["correct"].mean()
    return by_question.groupby(["benchmark", "model"]).mean().unstack().to_numpy()


def test_scores_are_means_of_the_questions_of_each_benchmark() -> None:
    table = read_table(FRAME)

    assert (table.datasets, table.classifiers, table.metric) == (("law", "reading"), ("large", "small"), "accuracy")
    np.testing.assert_allclose(table.scores, means(FRAME))
    assert [finding.code for finding in table.findings] == ["samples-averaged", "clusters-found"]


def test_items_keep_their_samples_strata_and_clusters() -> None:
    items = read_table(FRAME.sample(frac=1, random_state=3))._items

    assert items.questions == tuple(f"{b}-{q}" for b in ("law", "reading") for q in range(4))
    assert items.benchmark.tolist() == [0] * 4 + [1] * 4
    assert [list(items.cluster).index(c) for c in items.cluster] == [0, 0, 2, 2, 4, 4, 6, 6]
    assert (items.n_samples == 2).all()
    own = FRAME.query("question_id == 'law-1' and model == 'small'")["correct"]
    assert items.within[1, 1] == pytest.approx(((own - own.mean()) ** 2).sum())
    assert items.columns["cluster"] == "passage"


def test_rows_in_any_order_are_the_same_table() -> None:
    here, there = read_table(FRAME)._items, read_table(FRAME.sample(frac=1, random_state=1))._items

    np.testing.assert_array_equal(here.scores, there.scores)


def test_arguments_name_columns_that_nobody_knows() -> None:
    names = {"question_id": "frage", "passage": "text", "benchmark": "teil", "correct": "punkte", "model": "wer"}
    frame = FRAME.rename(columns=names)

    columns = {"question": "frage", "cluster": "text", "stratum": "teil", "score": "punkte", "classifier": "wer"}
    table = read_table(frame, columns=columns, greater_is_better=True)

    np.testing.assert_array_equal(table.scores, read_table(FRAME).scores)
    assert table._items.cluster is not None


@pytest.mark.parametrize("words", [("True", "False"), (True, False), ("1.0", "0.0"), (1.0, 0.0)])
def test_right_and_wrong_in_any_words(words: tuple[Any, Any]) -> None:
    frame = FRAME.assign(correct=[words[0] if c else words[1] for c in FRAME["correct"]])

    np.testing.assert_allclose(read_table(frame).scores, means(FRAME))


def test_whole_texts_may_be_questions_and_passages() -> None:
    frame = FRAME.assign(passage=FRAME["passage"] + " long\ntext " * 200, question_id=FRAME["question_id"] + "?" * 1500)

    assert read_table(frame)._items.cluster.max() == 3


def test_without_benchmarks_and_samples() -> None:
    frame = FRAME.query("sample == 0")[["model", "question_id"]].assign(score=np.linspace(0, 1, 16))

    table = read_table(frame)

    assert table.datasets == ("all questions",)
    assert table._items.cluster is None
    assert table.findings == ()


def test_right_and_wrong_alone_are_predictions() -> None:
    """One answer to each question, without benchmarks and clusters, is what predictions say too."""
    frame = FRAME.query("sample == 0")[["model", "question_id", "correct"]]

    table = read_table(frame)

    assert table._items is None
    assert table.datasets == ("dataset",)
    assert table.metric == "accuracy"
    assert np.array_equal(table.scores[0], frame.groupby("model")["correct"].mean()[["large", "small"]])


def test_what_looks_like_clusters_and_is_none_is_left_alone() -> None:
    """The user who asked is another one for each sample: nothing of the question."""
    assert read_table(FRAME.assign(user=FRAME["sample"]).drop(columns="passage"))._items.cluster is None


def test_select_keeps_the_items_of_the_classifiers() -> None:
    table = read_table(FRAME).select(["small"])

    np.testing.assert_array_equal(table._items.scores[:, 0], read_table(FRAME)._items.scores[:, 1])


MISSING = FRAME.drop(index=FRAME.query("model == 'small' and question_id == 'law-1'").index)
CROSSING = FRAME.assign(passage=FRAME["passage"].str.split("-").str[1])


@pytest.mark.parametrize(
    ("frame", "reading", "message"),
    [
        (MISSING, {}, "1 answer is missing: 'law-1' of 'law' / small; record a failed answer as incorrect"),
        (
            CROSSING.rename(columns={"passage": "user"}),
            {},
            "'law'; if these are two clusters, give them two names; if questions are not correlated in this way, ",
        ),
        (
            pd.concat([FRAME, FRAME[:1]]),
            {},
            "row 33: the answer of 'small' to 'reading-0' of 'reading', sample '0' already occurs in row 1",
        ),
        (FRAME.drop(columns="sample"), {}, "name the column that counts the answers with columns={'repeat': ...}"),
        (
            FRAME.assign(passage=FRAME["sample"].astype(str)),
            {"cluster": "passage"},
            "a question belongs to one cluster",
        ),
        (FRAME.assign(correct="maybe"), {}, "row 1, column 'correct': an answer must be correct"),
        (
            FRAME.assign(correct=np.nan),
            {},
            "16 answers are missing: 'law-0' of 'law' / large",
        ),
        (FRAME.assign(question_id=None), {}, "the name of a question is empty"),
        (FRAME, {"question": "nothing"}, "question must name a column of the table"),
        (FRAME, {"question": "question_id", "layout": "wide"}, "layout is 'wide'"),
        (FRAME, {"question": "question_id", "fold": "sample"}, "fold does not apply to answers to questions"),
        (FRAME.drop(columns="correct"), {"question": "question_id"}, "is known to hold correct and incorrect answers"),
        (FRAME.drop(columns=["question_id", "sample"]), {"layout": "answers"}, "is known to name the questions"),
    ],
)
def test_what_cannot_be_read_is_refused(frame: pd.DataFrame, reading: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_table(frame, **given_together(reading))


def test_questions_that_lack_an_answer_can_be_left_out() -> None:
    table = read_table(MISSING, missing="drop-instances")

    assert len(table._items.questions) == 7
    assert table.findings[0].code == "questions-dropped"


def test_no_common_question_is_no_table() -> None:
    frame = FRAME[(FRAME["model"] == "small") == FRAME["question_id"].str.endswith("1")]

    with pytest.raises(TableError, match="no question was answered by all models"):
        read_table(frame, missing="drop-instances")


def test_tables_of_scores_stay_what_they_were() -> None:
    """A column of models and one of scores are no answers to questions, nor are predictions."""
    scores = {"dataset": ["d", "d", "e", "e"], "model": ["a", "b"] * 2, "accuracy": [0.1, 0.2, 0.3, 0.1]}
    predictions = {"model": ["a", "b"] * 2, "question": [1, 1, 2, 2], "y_true": [1, 1, 0, 0], "y_pred": [1, 0, 0, 0]}

    assert read_table(scores)._items is None
    assert read_table({"dataset": ["d"] * 4, **predictions})._items is None


def test_passages_that_are_numbered_anew_in_each_benchmark_are_other_ones() -> None:
    numbered, named = read_table(CROSSING), read_table(FRAME)

    np.testing.assert_array_equal(numbered._items.cluster, named._items.cluster)
    np.testing.assert_array_equal(numbered.scores, named.scores)
    assert "clusters-anew" in [one.code for one in numbered.findings]
    assert "clusters-anew" not in [one.code for one in named.findings]


@pytest.mark.parametrize("change", [{"0": "7"}, {"0": "a passage"}], ids=["not from 0", "names"])
def test_other_passages_that_stand_in_two_benchmarks_are_refused(change: dict[str, str]) -> None:
    with pytest.raises(TableError, match="clusters must not contain questions of several benchmarks"):
        read_table(CROSSING.assign(passage=CROSSING["passage"].replace(change)))


def test_questions_of_a_benchmark_without_passages_are_alone() -> None:
    some = FRAME.assign(passage=FRAME["passage"].where(FRAME["benchmark"] == "reading"))

    table = read_table(some)

    items = table._items
    for b, name in enumerate(table.datasets):
        n_items, clusters = int((items.benchmark == b).sum()), items.cluster[items.benchmark == b]
        assert len(set(clusters.tolist())) == (n_items if name != "reading" else len(set(some["passage"].dropna())))
    assert "questions-alone" in [one.code for one in table.findings]
    with pytest.raises(TableError, match="the name of a cluster is empty"):
        read_table(FRAME.assign(passage=FRAME["passage"].where(FRAME["question_id"] != "law-1")))


def test_a_column_of_clusters_can_be_left_out() -> None:
    table = read_table(FRAME, drop="passage")

    assert table._items.cluster is None
    assert [(one.what, one.name) for one in table.left_out] == [("column", "passage")]
    assert read_table(FRAME, drop=["passage", "small"]).classifiers == read_table(FRAME, drop="small").classifiers


PREDICTED = {
    "patient": list("aabbcc"),
    "y_true": [0, 1] * 3,
    "old": [0.1, 0.9, 0.3, 0.4, 0.2, 0.8],
    "new": [0.2, 0.7] * 3,
}
LONG = {
    "patient": PREDICTED["patient"] * 2,
    "instance": list(range(6)) * 2,
    "classifier": ["old"] * 6 + ["new"] * 6,
    "y_true": PREDICTED["y_true"] * 2,
    "y_score": PREDICTED["old"] + PREDICTED["new"],
}


@pytest.mark.parametrize("rows", [PREDICTED, LONG], ids=["wide", "long"])
@pytest.mark.parametrize("metric", ["roc_auc", None])
def test_clusters_next_to_true_labels_are_those_of_predictions(rows: dict[str, list[Any]], metric: str | None) -> None:
    table = read_table(rows, metric=metric, columns={"cluster": "patient"})
    told = table._scored._predictions._cluster

    assert table.classifiers == ("new", "old")
    assert (told.column, told.names, told.labels) == ("patient", ("a", "b", "c"), PREDICTED["patient"] * 2)


def test_answers_next_to_true_labels_have_clusters() -> None:
    table = read_table(LONG | {"correct": [1, 0] * 6}, columns={"cluster": "patient"})

    assert len(set(table._items.cluster.tolist())) == 3
