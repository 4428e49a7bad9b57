"""What the user says of the rows of a table is read as if the columns were called so."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalstats import TableError, compare, read_table
from evalstats._errors import InvalidValueError

RNG = np.random.default_rng(4)
SCORES = RNG.random((6, 3))
WIDE = pd.DataFrame(SCORES, columns=["LR", "NB", "SVM"])
LONG = pd.DataFrame({"model": np.repeat(WIDE.columns, 6), "acc": SCORES.T.ravel()})
NAMED = WIDE.set_axis([f"k{i}" for i in range(6)])
SOURCES = {
    "file without names": io.StringIO(WIDE.to_csv(index=False)).getvalue(),
    "file with an index": WIDE.to_csv(),
    "numbered rows": NAMED.to_csv(),
    "turned": NAMED.T.rename_axis("model").to_csv(),
    "with means below": pd.concat([NAMED, NAMED.mean().to_frame("Average").T]).to_csv(),
    "columns of settings": WIDE.assign(seed=range(6)).to_csv(index=False),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize(("rows_are", "design"), [("folds", "folds"), ("runs", "runs")])
def test_rows_are_folds_or_runs_of_one_dataset(source: str, rows_are: str, design: str) -> None:
    table = read_table(io.StringIO(source), rows_are=rows_are)

    assert table.classifiers == ("LR", "NB", "SVM")
    assert table.folds[0].same_split == (rows_are == "runs")
    np.testing.assert_allclose(table.folds[0].scores.reshape(6, 3), SCORES, rtol=1e-12)
    assert compare(table).design == design


@pytest.mark.parametrize("source", [SOURCES["file without names"], SOURCES["file with an index"]])
def test_a_file_without_names_of_rows_asks_what_they_are(source: str) -> None:
    for layout in ("auto", "wide"):
        with pytest.raises(TableError, match=r"rows_are='datasets'.*rows_are='folds'.*rows_are='runs'"):
            read_table(io.StringIO(source), layout=layout)
    assert len(read_table(io.StringIO(source), rows_are="datasets").datasets) == 6


@pytest.mark.parametrize(("rows_are", "is_run"), [("folds", False), ("runs", True)])
def test_order_tells_the_runs_of_a_long_table_if_it_is_said_to_be_the_same(rows_are: str, is_run: bool) -> None:
    with pytest.raises(
        TableError, match=r"no column shows to which .* the rows of a classifier belong; .* same_order=True"
    ):
        read_table(LONG, rows_are=rows_are)

    table = read_table(LONG, rows_are=rows_are, same_order=True)
    np.testing.assert_array_equal(table.folds[0].scores.reshape(6, 3), SCORES)
    assert table.folds[0].same_split == is_run


def test_runs_with_other_seeds_for_each_model_are_paired_by_their_order() -> None:
    frame = LONG.assign(seed=range(18))

    table = read_table(frame, rows_are="runs", same_order=True)
    np.testing.assert_array_equal(table.folds[0].scores[:, 0], SCORES)


def test_a_named_column_of_runs_is_that_of_seeds() -> None:
    frame = LONG.assign(trial=[*range(6)] * 3)

    assert read_table(frame, columns={"repeat": "trial"}, rows_are="runs").folds[0].same_split
    assert not read_table(frame, columns={"repeat": "trial"}).folds[0].same_split


def test_folds_of_several_datasets_are_numbered_in_each() -> None:
    frame = WIDE.assign(dataset=["a"] * 3 + ["b"] * 3)

    table = read_table(frame, rows_are="folds")
    assert (table.datasets, [one.folds for one in table.folds]) == (("a", "b"), [("1", "2", "3")] * 2)


def test_rows_are_questions_of_one_benchmark() -> None:
    for source in (io.StringIO(WIDE.to_csv()), WIDE):
        comparison = compare(source, rows_are="questions")
        assert comparison.design == "questions"
        assert comparison.table.scores == pytest.approx(SCORES.mean(axis=0)[None])


@pytest.mark.parametrize("rows_are", ["instances", "questions"])
def test_right_and_wrong_answers_in_columns_are_compared_by_the_exact_test(rows_are: str) -> None:
    answers = pd.DataFrame(RNG.integers(0, 2, (40, 2)), columns=["new", "old"])

    assert compare(answers, rows_are=rows_are).pair_test == "mcnemar_test"


def test_two_files_without_identifiers_are_paired_by_their_order(tmp_path: Any) -> None:
    truth = np.tile(["a", "b", "b"], 10)
    paths = []
    for name, wrong in (("new", 4), ("old", 11)):
        predicted = np.where(np.arange(30) < wrong, "c", truth)
        paths.append(tmp_path / f"{name}.csv")
        pd.DataFrame({"y_true": truth, "y_pred": predicted}).to_csv(paths[-1], index=False)

    with pytest.raises(TableError, match="are in the same order, pass same_order=True"):
        compare(paths)
    pair = compare(paths, same_order=True).pair("new", "old")
    assert (pair.n_wins, pair.n_losses) == (7, 0)


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (
            WIDE,
            {"rows_are": "people"},
            "rows_are must be 'datasets' or 'folds' or 'runs'",
        ),
        (WIDE, {"rows_are": "datasets", "layout": "answers"}, "layout must be 'auto' or 'wide' if rows_are is"),
        (WIDE, {"same_order": True}, "same_order is for rows of answers, folds or runs"),
        (WIDE[["LR"]], {"rows_are": "questions"}, "two or more must hold the scores of a model"),
        (
            {"model": ["a", "a", "b", "b"], "row": [1, 2] * 2, "y_true": [1, 0] * 2, "y_pred": [1, 0, 0, 0]},
            {"same_order": True},
            "same_order is only for rows without identifiers, but the column 'row' identifies the rows; omit",
        ),
    ],
)
def test_what_contradicts_the_table_is_refused(source: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        read_table(source, **options)


def test_what_is_said_of_rows_comes_too_late_for_a_table() -> None:
    with pytest.raises(InvalidValueError, match="rows_are"):
        read_table(read_table(WIDE), rows_are="folds")


WORDS = {
    "yes": ("yes", "no"),
    "Y": ("Y", "N"),
    "pass": ("PASS", "FAIL"),
    "ja": ("ja", "nein"),
    "oui": ("oui", "non"),
    "check": ("✓", "✗"),
    "correct": ("correct", "incorrect"),
}


def answers_in_words(right: str, wrong: str, beside: str = "") -> str:
    """Return the answers of two models to twelve questions: 8 and 6 are right."""
    rows = [f"q{i}{beside},{right if i % 3 else wrong},{right if i % 2 else wrong}" for i in range(12)]
    return "\n".join(["question_id" + (",kind" if beside else "") + ",A,B", *rows, ""])


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_answers_in_words_are_right_or_wrong(words: tuple[str, str]) -> None:
    table = read_table(io.StringIO(answers_in_words(*words)), rows_are="questions")

    np.testing.assert_allclose(table.scores, [[8 / 12, 6 / 12]])


@pytest.mark.parametrize("words", [WORDS["yes"], WORDS["ja"], WORDS["pass"]])
def test_words_that_may_be_labels_are_asked_about(words: tuple[str, str]) -> None:
    with pytest.raises(TableError, match=r"hold answers in words.*rows_are='questions'; .* the true labels in y_true"):
        read_table(io.StringIO(answers_in_words(*words)))


def test_words_beside_true_labels_are_labels() -> None:
    rows = "".join(f"{'yes' if i % 2 else 'no'},{'yes' if i % 3 else 'no'},no\n" for i in range(12))

    table = read_table(io.StringIO("y_true,A,B\n" + rows), rows_are="instances")

    np.testing.assert_allclose(table.scores, [[0.5, 0.5]])


@pytest.mark.parametrize("numbers", [("1", "0"), ("yes", "no")])
def test_what_describes_questions_is_no_model(numbers: tuple[str, str]) -> None:
    """A column of yes and no beside answers in numbers, or one that is claimed to be of subgroups."""
    text = answers_in_words(*numbers, beside=",yes").replace("q1,yes", "q1,no")
    columns = {"subgroup": "kind"} if numbers[0] == "yes" else {}

    table = read_table(io.StringIO(text), rows_are="questions", columns=columns)

    assert table.classifiers == ("A", "B")
    assert [one.name for one in table.left_out] == ([] if columns else ["kind"])


def test_subgroups_of_questions_in_rows_are_compared() -> None:
    text = answers_in_words("yes", "no", beside=",law")
    for i in range(1, 7):
        text = text.replace(f"q{i},law", f"q{i},math")

    found = compare(io.StringIO(text), rows_are="questions", subgroup="kind")

    assert found.subgroups is not None
    assert (found.subgroups.subgroups, found.subgroups.n_instances) == (("law", "math"), (6, 6))


@pytest.mark.parametrize("rows_are", ["instances", "questions"])
def test_wide_is_a_layout_of_instances_too(rows_are: str) -> None:
    data = pd.DataFrame({"a": np.linspace(0, 1, 30), "b": np.linspace(0.3, 0.7, 30)})

    wide, auto = (read_table(data, layout=layout, rows_are=rows_are) for layout in ("wide", "auto"))

    assert wide.scores.tolist() == auto.scores.tolist()


@pytest.mark.parametrize("rows_are", ["instances", "questions"])
def test_columns_of_letters_are_asked_for_the_true_labels(rows_are: str) -> None:
    gold = list("ABCDCBADBB")
    data = pd.DataFrame({"qid": range(10), "answer": gold, "gpt": [*gold[:8], "A", "A"], "phi": [*gold[:6], *"AAAA"]})

    with pytest.raises(TableError, match=r"if one holds the true labels, choose it with columns={'y_true': \.\.\.}"):
        read_table(data, rows_are=rows_are)
    assert read_table(data, rows_are=rows_are, columns={"y_true": "answer"}).scores.tolist() == [[0.8, 0.7]]


@pytest.mark.parametrize("rows_are", ["instances", "questions"])
def test_one_column_of_0_and_1_beside_probabilities_is_asked(rows_are: str) -> None:
    data = pd.DataFrame({"malignant": [0, 1] * 15, "v1": RNG.random(30), "v2": RNG.random(30)})

    with pytest.raises(TableError, match="the column 'malignant' holds only 0 and 1") as refused:
        read_table(data, rows_are=rows_are)
    labels = read_table(data, rows_are=rows_are, columns={"y_true": "malignant"})
    scores = read_table(data, rows_are=rows_are, keep="malignant")

    assert "if it holds the true labels, pass columns={'y_true': 'malignant'}" in str(refused.value)
    assert (labels.metric, labels.classifiers) == ("roc_auc", ("v1", "v2"))
    assert scores.classifiers == ("malignant", "v1", "v2")


@pytest.mark.parametrize("rows_are", ["instances", "questions"])
@pytest.mark.parametrize("names", [np.arange(30) // 3, [f"P{i // 3}" for i in range(30)]], ids=["numbers", "texts"])
def test_patients_that_rows_share_are_neither_models_nor_names_of_rows(rows_are: str, names: Any) -> None:
    data = pd.DataFrame({"patient": names, "a": RNG.random(30), "b": RNG.random(30)})

    table, clustered = (read_table(data, rows_are=rows_are, columns={"cluster": one}) for one in (None, "patient"))

    assert table.classifiers == clustered.classifiers == ("a", "b")
    assert table.scores.tolist() == clustered.scores.tolist()
    assert [one.code for one in table.findings] == ["possible-clusters"]
    assert not [one for one in clustered.findings if one.code == "possible-clusters"]


def test_rows_in_the_same_order_may_have_clusters() -> None:
    one = pd.DataFrame({"doc_id": np.arange(30) // 3, "y_true": [0, 1] * 15})
    data = pd.concat([one.assign(model=name, y_pred=RNG.integers(0, 2, 30)) for name in "ab"])

    found = compare(data, columns={"cluster": "doc_id"}, same_order=True)

    assert found.n_clusters == 10


def test_metric_is_not_offered_as_the_names_of_questions() -> None:
    data = pd.DataFrame({"user": list("aabbcc"), "model": list("xyxyxy"), "ndcg@10": RNG.random(6)})

    with pytest.raises(TableError, match=r"choose one with columns={'question': 'user'}"):
        read_table(data, rows_are="questions")


def test_documents_of_several_questions_are_asked_for_and_are_clusters() -> None:
    data = pd.DataFrame({"doc_id": np.arange(30) // 3, "a": RNG.random(30), "b": RNG.random(30)})

    with pytest.raises(TableError, match=r"several questions belong to one document, name .* columns={'cluster'"):
        read_table(data, rows_are="questions")
    assert compare(data, rows_are="questions", columns={"cluster": "doc_id"}).n_questions == 30
