"""Answers of classifiers in columns: what is a true label, what names a case, and what is not a classifier."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import evalstats
from evalstats.io.reader.predictions import read_predictions
from evalstats.io.reader.tables import read_table
from evalstats.tables.errors import TableError

RNG = np.random.default_rng(7)
N = 80
BINARY = RNG.integers(0, 2, N)
CLASSES = np.array(["cat", "dog", "fox"])[RNG.integers(0, 3, N)]


def guesses(truth: np.ndarray, accuracy: float) -> np.ndarray:
    return np.where(RNG.random(N) < accuracy, truth, RNG.permutation(truth))


def frame(truth: np.ndarray = BINARY, called: str = "y_true", **others: Any) -> pd.DataFrame:
    return pd.DataFrame({called: truth, "svm": guesses(truth, 0.7), "tree": guesses(truth, 0.4), **others})


def said(table: evalstats.ScoreTable) -> list[str]:
    return [one.sentence for one in table.findings]


@pytest.mark.parametrize("called", ["y_true", "label", "Labels", "class", "y", "ground truth", "gold", "expected"])
@pytest.mark.parametrize("truth", [BINARY, CLASSES], ids=["0 and 1", "names"])
def test_true_labels_are_no_classifier(called: str, truth: np.ndarray) -> None:
    data = frame(truth, called)

    table = read_table(data)

    assert table.classifiers == ("svm", "tree")
    np.testing.assert_allclose(table.scores, [[(data.svm == truth).mean(), (data.tree == truth).mean()]])
    assert said(table) == [f"Each row is an instance, with its true label in {called!r}."]


@pytest.mark.parametrize("called", ["label", "y_true"])
@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("id", range(N)),
        ("idx", range(100, 100 + N)),
        ("image", [f"{i}.png" for i in range(N)]),
        ("question_id", [f"q{i}" for i in range(N)]),
    ],
)
def test_names_of_cases_are_no_classifier(called: str, name: str, cells: Any) -> None:
    table = read_table(frame(BINARY, called).assign(**{name: cells}))

    assert table.classifiers == ("svm", "tree")
    assert said(table) == [f"Each row is an instance, with its true label in {called!r}; {name!r} names it."]


def test_a_second_name_of_the_cases_is_left_out() -> None:
    table = read_table(frame(id=range(N), text=[f"What is {i}?" for i in range(N)]))

    assert [(one.name, one.reason) for one in table.left_out] == [("text", "names the instances, and holds no answers")]


def test_order_of_columns_and_rows_changes_nothing() -> None:
    data = frame(CLASSES, "label", id=[f"c{i}" for i in range(N)])

    scores = read_table(data).scores

    np.testing.assert_array_equal(read_table(data.sample(frac=1, random_state=1)).scores, scores)
    np.testing.assert_array_equal(read_table(data[["id", "svm", "tree", "label"]]).scores, scores)


@pytest.mark.parametrize(
    ("name", "cells", "shown"),
    [
        ("age", RNG.integers(18, 60, N), "'age' holds"),
        ("site", ["Rome", "Oslo"] * (N // 2), "'site' holds 'Rome', 'Oslo', which are not true labels as in 'y_true'"),
    ],
)
def test_what_cannot_be_an_answer_is_asked_about(name: str, cells: Any, shown: str) -> None:
    data = frame(**{name: cells})

    with pytest.raises(TableError, match=shown) as refusal:
        read_table(data)

    assert "if it is not a classifier, pass drop=" in str(refusal.value)
    assert read_table(data, drop=name).classifiers == ("svm", "tree")
    assert [one.name for one in read_table(data, drop=name).left_out] == [name]


def test_a_classifier_with_other_labels_may_be_kept() -> None:
    data = frame(CLASSES, never=["wolf"] * N)

    table = read_table(data, keep="never")

    assert table.classifiers == ("never", "svm", "tree")
    assert table.scores[0, 0] == 0


def test_labels_and_scores_are_not_compared() -> None:
    data = frame(svm_proba=RNG.random(N).round(3))

    with pytest.raises(TableError, match=r"'svm', 'tree' hold labels, but 'svm_proba' hold scores.* drop"):
        read_table(data)

    assert read_table(data, drop=["svm_proba"]).metric == "accuracy"


def test_confidences_beside_labels_are_not_offered_as_scores() -> None:
    """Ultralytics and the pipelines of transformers write the probability of the label that they predict."""
    data = {"y_true": BINARY, "top1": guesses(BINARY, 0.8), "top1_conf": RNG.uniform(0.5, 1, N)}

    with pytest.raises(TableError, match=r"'top1' hold labels, but 'top1_conf' hold scores.*drop=\['top1_conf'\]"):
        read_table(data)


def test_numbers_with_fractions_name_no_instances() -> None:
    """SPSS writes the target, the probability, the predicted label and the residual: 0 and 1 are labels there."""
    chance = RNG.random(N)
    saved = {"id": range(N), "income": BINARY, "PRE_1": chance, "PGR_1": chance.round(), "RES_1": BINARY - chance}

    with pytest.raises(TableError, match=r"80 rows without names"):
        read_table(saved)


def test_probabilities_of_a_class_no_are_not_numbers_of_instances() -> None:
    chance = RNG.random(N)
    saved = {"no": 1 - chance, "yes": chance, "class": np.array(["no", "yes"])[BINARY]}

    with pytest.raises(TableError, match=r"'no', 'yes' add up to 1 in each row"):
        read_table(saved)


def test_probabilities_of_a_tree_look_like_labels_and_can_be_kept() -> None:
    shares = np.clip(BINARY * 0.3 + RNG.random(N) * 0.7, 0, 1).round(4)
    data = pd.DataFrame({"label": BINARY, "svm": shares, "tree": RNG.permutation(BINARY).astype(float)})

    with pytest.raises(TableError, match=r"pass keep=\['tree'\]; otherwise, .* drop"):
        read_table(data)

    assert read_table(data, keep=["tree"]).classifiers == ("svm", "tree")
    assert read_table(data, keep=["tree"]).metric == "roc_auc"


def test_scores_outside_probabilities_are_said() -> None:
    shares = np.clip(BINARY * 0.3 + RNG.random(N) * 0.7, 0, 1).round(4)
    data = pd.DataFrame({"label": BINARY, "lr": shares, "svm": shares * 4 - 2})

    table = read_table(data)

    assert table.metric == "roc_auc"
    assert table.scores[0, 0] == table.scores[0, 1]
    assert said(table)[1] == (
        "Some numbers in 'svm' are outside of [0, 1], but the other classifiers have probabilities."
    )


def test_true_labels_may_be_named() -> None:
    data = frame(CLASSES, "shade")

    table = read_table(data, columns={"y_true": "shade"})

    assert table.classifiers == ("svm", "tree")
    with pytest.raises(TableError, match="y_true must name a column"):
        read_table(data, columns={"y_true": "color"})


@pytest.mark.parametrize("called", ["label", "class", "y"])
@pytest.mark.parametrize(
    "others",
    [
        pytest.param({"x": [0.1, 0.2, 0.3, 0.2, 0.1, 0.2], "": [0.1, 0.3, 0.2, 0.2, 0.1, 0.3]}, id="fractions"),
        pytest.param({"dataset": list("abcdef"), "x": [1, 2, 3, 2, 1, 2], "": [1, 3, 2, 2, 1, 3]}, id="datasets"),
    ],
)
def test_a_classifier_with_the_name_of_labels_keeps_its_scores(called: str, others: dict[str, Any]) -> None:
    table = read_table({name or called: cells for name, cells in others.items()})

    assert table.classifiers == ("x", called)


def test_a_column_called_class_of_a_table_of_scores_stays_what_it_is() -> None:
    data = pd.DataFrame({"dataset": list("abcdef"), "x": RNG.random(6), "class": RNG.random(6)})

    assert read_table(data).classifiers == ("x", "class")


@pytest.mark.parametrize("others", [{}, {"id": range(N)}, {"question": [f"What is {i}?" for i in range(N)]}])
def test_right_answers_are_cases(others: dict[str, Any]) -> None:
    right = pd.DataFrame({**others, "x": RNG.integers(0, 2, N), "z": RNG.integers(0, 2, N)})

    table = read_table(right)

    assert (len(table.datasets), table.classifiers, table.metric) == (1, ("x", "z"), "accuracy")
    assert said(table)[0].startswith("Each row is an instance, with 1 if a classifier is correct")


def test_a_column_of_an_unknown_name_is_not_used_for_datasets_unless_named() -> None:
    right = pd.DataFrame({"topic": ["law", "art"] * (N // 2), "x": RNG.integers(0, 2, N), "z": RNG.integers(0, 2, N)})

    table, of_topics = read_table(right), read_table(right, columns={"dataset": "topic"})

    assert (len(table.datasets), len(of_topics.datasets)) == (1, 2)
    assert [one.name for one in table.left_out] == ["topic"]
    (sentence,) = said(of_topics)
    assert sentence.startswith(
        "Each row is an instance, with 1 if a classifier is correct; 'topic' names its dataset. If"
    )


@pytest.mark.parametrize("columns", [{}, {"dataset": "group"}, {"stratum": "group"}, {"subgroup": "group"}])
@pytest.mark.parametrize("name", ["group", "topic", "task"])
def test_groups_of_questions_give_one_verdict_in_both_layouts(name: str, columns: dict[str, str]) -> None:
    wide = pd.DataFrame({"question": range(60), "x": np.arange(60) % 5 > 0, "z": np.arange(60) % 2})
    wide[name] = np.array(["law", "art", "bio"])[np.arange(60) % 3]
    long = wide.astype({"x": int}).melt(["question", name], var_name="model", value_name="correct")
    columns = dict.fromkeys(columns, name)

    verdicts = [evalstats.compare(data, columns=columns).verdict for data in (wide, long)]

    assert verdicts[0] == verdicts[1]


def test_predictions_are_read_from_columns() -> None:
    data = frame(CLASSES, "label", id=range(N))

    predictions = read_predictions(data)

    assert predictions.classifiers == ("svm", "tree")
    assert len(predictions.y_true) == 2 * N
    assert [one.code for one in predictions.findings] == ["cases"]
    with pytest.raises(TableError, match="true labels"):  # who was right does not tell what was predicted
        read_predictions(pd.DataFrame({"x": RNG.integers(0, 2, N), "z": RNG.integers(0, 2, N)}))


def test_unknown_names_of_columns_are_refused() -> None:
    with pytest.raises(TableError, match="drop must name columns of the table, not 'color'"):
        read_table(frame(), drop="color")


def test_numbers_may_be_written_otherwise() -> None:
    data = frame()

    table = read_table(data.astype({"svm": float, "tree": float}))

    np.testing.assert_array_equal(table.scores, read_table(data).scores)


@pytest.mark.parametrize("cell", [[1, 2], {}, (0.5,), np.array([1, 2])])
def test_cells_that_are_lists_are_no_answers(cell: object) -> None:
    with pytest.raises(TableError, match="which are not true labels"):
        read_table({"y_true": [0, 1] * 5, "a": [cell] * 10, "b": [0, 1] * 5})


# --- labels without the true ones -------------------------------------------------------------------------------------

TRUE = RNG.integers(0, 2, 60)
PREDICTED = {name: np.where(RNG.random(60) < 0.92, TRUE, 1 - TRUE) for name in ("lr", "rf", "nb")}


def test_zeros_and_ones_that_agree_as_predicted_labels_do_are_warned_of() -> None:
    sentence = "The columns 'lr', 'rf', 'nb' hold 0 and 1 and agree in nearly all rows, like predicted labels"
    for table in (pd.DataFrame(PREDICTED), pd.DataFrame(PREDICTED).astype(float), PREDICTED):
        assert said(read_table(table))[1].startswith(sentence)
        assert sorted(read_table(table).scores[0]) == sorted(pd.DataFrame(PREDICTED).mean())

    for sure in (
        read_table(pd.DataFrame(PREDICTED), layout="predictions"),
        read_table(pd.DataFrame(PREDICTED).astype(bool)),
        read_table(pd.DataFrame(PREDICTED).assign(y_true=TRUE)),
    ):
        assert sure.metric == "accuracy"
        assert not any("agree nearly everywhere" in one for one in said(sure))


def test_right_answers_of_unlike_classifiers_are_taken_for_what_they_are() -> None:
    right = pd.DataFrame({name: (own == TRUE).astype(int) for name, own in PREDICTED.items()})

    table = read_table(right)

    assert dict(zip(table.classifiers, table.scores[0], strict=True)) == right.mean().to_dict()
    assert "If 0 and 1 are predicted labels, add the true labels" in said(table)[0]


def test_words_without_the_true_ones_are_asked_about() -> None:
    words = pd.DataFrame({name: np.where(own, "ham", "spam") for name, own in PREDICTED.items()})

    with pytest.raises(TableError, match="'lr', 'rf', 'nb' hold the same few words, like predicted labels"):
        read_table(words)
    with pytest.raises(TableError, match="no column holds the true labels"):
        read_predictions(words)

    assert read_table(words.assign(truth=np.where(TRUE, "ham", "spam"))).scores.min() > 0.8


SAMPLES = Path(__file__).parents[2] / "data" / "formats" / "plain-tables"


def test_predictions_of_lazypredict_need_the_true_labels() -> None:
    assert (
        "agree in nearly all rows, like predicted labels"
        in said(read_table(SAMPLES / "lazypredict_predictions.csv"))[1]
    )

    table = read_table(SAMPLES / "lazypredict_predictions_with_truth.csv")

    frame = pd.read_csv(SAMPLES / "lazypredict_predictions_with_truth.csv")
    own = frame.drop(columns="y_true").eq(frame["y_true"], axis=0).mean()
    assert dict(zip(table.classifiers, table.scores[0], strict=True)) == own.to_dict()


def test_scores_of_lazypredict_are_those_of_one_dataset() -> None:
    with pytest.raises(TableError, match="the rows are classifiers and the columns 'Accuracy'"):
        read_table(SAMPLES / "lazypredict_scores.csv")


@pytest.mark.parametrize("form", ["pred_{}", "{}_pred", "prediction {}", "{}.predicted"])
def test_column_beside_predictions_is_no_classifier(form: str) -> None:
    frame = pd.DataFrame({"Survived": TRUE} | {form.format(name): own for name, own in PREDICTED.items()})

    with pytest.raises(TableError, match=r"true labels; name it with columns={'y_true': 'Survived'}"):
        read_table(frame)
    assert read_table(frame, columns={"y_true": "Survived"}).scores.min() > 0.8


def test_infinite_scores_are_refused_without_a_warning() -> None:
    with pytest.raises(TableError, match="not finite"):
        read_table({"y_true": ["a", "b"] * 6, "A": [np.inf, 0.2] * 6, "B": [0.1, 0.9] * 6})


def test_answers_that_all_differ_are_no_names_of_cases() -> None:
    """Texts that were asked for: each true answer is another one, and one model finds fewer than half of them."""
    true = [f"answer {i}" for i in range(20)]
    rows = {
        "gold": true,
        "good": [text if i % 4 else f"wrong {i}" for i, text in enumerate(true)],
        "poor": [text if i % 4 == 0 else f"other {i}" for i, text in enumerate(true)],
    }

    with pytest.raises(TableError, match=r"the column 'poor' holds .* if it is one, pass keep='poor'"):
        read_table(rows)
    kept = read_table(rows, keep="poor")
    assert dict(zip(kept.classifiers, kept.scores[0], strict=True)) == {"good": 0.75, "poor": 0.25}


def test_labels_called_like_sets_of_data_are_not_taken_for_them() -> None:
    labels = ["train", "test", "dev"] * 5
    rows = {"y_true": labels, "a": labels, "b": ["train"] * 15}

    assert read_table(rows).scores.tolist() == [[1.0, pytest.approx(1 / 3)]]


def test_labels_are_compared_where_every_classifier_has_scores_beside_them() -> None:
    frame = pd.DataFrame({"y_true": [0, 1] * 10, "LR_pred": [0, 1] * 10, "NB_pred": [0, 1, 1, 1] * 5})
    frame = frame.assign(LR_proba=np.linspace(0.1, 0.9, 20), NB_proba=np.linspace(0.2, 0.8, 20))

    table = read_table(frame, metric="accuracy")

    assert dict(zip(table.classifiers, table.scores[0], strict=True)) == {"LR_pred": 1.0, "NB_pred": 0.75}
    assert [one.name for one in table.left_out] == ["LR_proba", "NB_proba"]
    assert read_table(frame, metric="roc_auc", drop=["LR_pred", "NB_pred"]).metric == "roc_auc"


@pytest.mark.parametrize(
    ("corner", "rows_are", "read_as"),
    [("dataset", "datasets", 12), ("seed", "runs", 1), ("fold", "folds", 1), ("repeat", "runs", 1)],
)
def test_right_and_wrong_under_names_of_something_else_are_asked(corner: str, rows_are: str, read_as: int) -> None:
    """Zeros and ones say answers, the name of the column says datasets, folds or runs: neither wins alone."""
    frame = {corner: list(range(12)), "A": [0, 1, 1] * 4, "B": [0, 0, 1] * 4}

    with pytest.raises(TableError, match=f"rows_are='instances' or rows_are='{rows_are}'"):
        read_table(frame)
    assert len(read_table(frame, rows_are=rows_are).datasets) == read_as
    assert read_table(frame, rows_are="instances").answers is not None


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("header", ["id,A,B\n", "question_id,A,B\n", "instance,A,B\n", "y_true,A,B\n"])
def test_a_header_of_instances_alone_has_no_predictions(header: str) -> None:
    with pytest.raises(TableError, match="has no row of predictions"):
        read_table(io.StringIO(header))


def possible_clusters(table: evalstats.ScoreTable) -> list[str]:
    return [one.severity for one in table.findings if one.code == "possible-clusters"]


@pytest.mark.parametrize("name", ["patient_id", "PatientID", "Subject ID", "Document No", "user.name"])
@pytest.mark.parametrize("called", ["y_true", "y"])
def test_unused_column_that_several_instances_share_is_a_warning(called: str, name: str) -> None:
    data = frame(BINARY, called).assign(**{name: np.repeat(np.arange(N // 4), 4)})

    with pytest.raises(TableError) as refused:
        read_table(data)
    dropped, clustered = read_table(data, drop=name), read_table(data, columns={"cluster": name})

    assert f"if its values group correlated instances, pass columns={{'cluster': {name!r}}}" in str(refused.value)
    assert possible_clusters(dropped) == ["warning"]
    assert possible_clusters(clustered) == []
    assert clustered.scores.tolist() == dropped.scores.tolist()


@pytest.mark.parametrize(
    ("name", "n"), [("patient", N), ("weight_kg", 20), ("rapid", 20), ("subject", 20), ("patient", 1)]
)
def test_column_that_no_instances_share_or_with_another_name_is_no_warning(name: str, n: int) -> None:
    data = frame().assign(**{name: np.repeat(np.arange(n), N // n) + 100})

    assert possible_clusters(read_table(data, drop=name)) == []


@pytest.mark.parametrize("with_instances", [True, False])
def test_unused_patients_in_rows_of_predictions_are_a_warning(with_instances: bool) -> None:
    wide = frame().assign(patient=np.repeat(np.arange(N // 4), 4), instance=np.arange(N))
    long = wide.melt(["y_true", "patient", "instance"], var_name="classifier", value_name="y_pred")
    data = long if with_instances else long.drop(columns="instance")

    assert possible_clusters(read_table(data)) == ["warning"]
    assert possible_clusters(read_table(pd.concat([data.assign(dataset=one) for one in "xy"]))) == []
    if with_instances:
        assert possible_clusters(read_table(data, columns={"cluster": "patient"})) == []
        assert possible_clusters(read_table(data.assign(patient=data.instance))) == []


def test_unused_patients_of_questions_are_a_warning() -> None:
    wide = pd.DataFrame({"question": np.arange(N), "patient": np.repeat(np.arange(N // 4), 4), "a": BINARY, "b": 1})
    long = wide.melt(["question", "patient"], var_name="model", value_name="correct")

    assert possible_clusters(read_table(wide)) == possible_clusters(read_table(long)) == ["warning"]
    assert possible_clusters(read_table(long, columns={"cluster": "patient"})) == []


def test_column_that_counts_the_rows_is_no_classifier() -> None:
    data = frame().assign(slide=np.arange(N))

    assert read_table(data).classifiers == ("svm", "tree")
    with pytest.raises(TableError, match="holds '2', '3', which are not true labels"):
        read_table(data.assign(slide=RNG.permutation(N)))


def test_true_labels_may_be_the_subgroups_or_the_clusters() -> None:
    for called in ("y_true", "y", "target"):
        for role in ("subgroup", "cluster"):
            assert read_table(frame(BINARY, called), columns={role: called}).classifiers == ("svm", "tree")


def test_documents_with_several_instances_are_clusters_and_name_no_instance() -> None:
    wide = frame().assign(doc_id=np.arange(N) // 4)
    long = wide.melt(["y_true", "doc_id"], var_name="classifier", value_name="y_pred")

    for data in (wide, long):
        with pytest.raises(TableError, match=r"name the column of these clusters with columns={'cluster'"):
            read_table(data)
        table = read_table(data, columns={"cluster": "doc_id"})
        np.testing.assert_allclose(table.scores, [[(wide[name] == BINARY).mean() for name in table.classifiers]])
    named = read_table(frame().assign(doc_id=np.arange(N)), columns={"cluster": "doc_id"})
    assert "'doc_id' names it" in said(named)[0]
