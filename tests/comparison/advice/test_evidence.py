"""A design is read from tables, folds and predictions as from a description."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from evalstats import InvalidValueError, report, which_test
from evalstats.examples import example_path, example_table
from evalstats.io.reader.predictions import read_predictions
from evalstats.io.reader.tables import read_table
from evalstats.tables.cross_validation import fold_scores_from_cross_validate
from evalstats.tables.score_table import ScoreTable


def test_scores_of_several_datasets() -> None:
    advice = which_test(example_table("japkowicz-accuracy"), control="SVM")

    assert (advice.test, advice.posthoc) == ("friedman_test", ("pairwise_wilcoxon_test",))
    assert (advice.design.n_datasets, advice.design.n_classifiers, advice.design.data) == (10, 4, "scores")
    assert [(step.question, step.answer) for step in advice.path] == [
        ("How many datasets?", "several"),
        ("How many classifiers?", "three or more"),
        ("Do you assume normal differences between datasets?", "no"),
        ("Which of them are compared?", "all with a control"),
    ]


@pytest.mark.parametrize(
    "read", [str, read_table, lambda path: io.BytesIO(path.read_bytes())], ids=["path", "table", "file"]
)
def test_file_and_table_have_one_answer(read: Callable) -> None:
    path = example_path("demsar-2006")

    assert report.text(which_test(read(path))) == report.text(which_test(example_table("demsar-2006")))


def test_folds_in_a_long_table(codes) -> None:
    rows = [(c, r, f) for c in "ab" for r in range(10) for f in range(10)]
    table = {"dataset": ["d"] * 200, "classifier": [c for c, _, _ in rows], "repeat": [r for _, r, _ in rows]}
    table |= {"fold": [f for _, _, f in rows], "score": list(np.random.default_rng(1).normal(size=200))}

    advice = which_test(table)

    assert (advice.test, advice.design.n_repeats, advice.design.n_folds) == ("corrected_ttest", 10, 10)
    assert codes(advice) == {"folds-are-not-independent"}


def test_folds_of_several_datasets_are_averaged(sentence) -> None:
    rows = [(d, c, f) for d in "stuvwxyz" for c in "ab" for f in range(5)]
    table = {"dataset": [d for d, _, _ in rows], "classifier": [c for _, c, _ in rows], "fold": [f for *_, f in rows]}

    advice = which_test({**table, "score": list(range(80))})

    assert (advice.test, advice.design.data, advice.design.n_folds) == ("wilcoxon_test", "folds", 5)
    assert "8 independent scores of each classifier, not 40" in sentence(advice, "folds-are-not-datasets")


def test_scores_of_cross_validate() -> None:
    results = {name: {"test_score": np.random.default_rng(i).normal(size=10)} for i, name in enumerate(("a", "b"))}
    scores = fold_scores_from_cross_validate(results)

    assert which_test(scores).test == "corrected_ttest"
    assert which_test(scores, n_folds=2).test == "ftest_5x2cv"
    assert which_test(scores, n_repeats=5).design.n_folds == 2
    with pytest.raises(
        InvalidValueError, match="n_folds times n_repeats must equal the number of scores, 10, not 3 x 3"
    ):
        which_test(scores, n_folds=3)


@pytest.mark.parametrize(
    ("names", "datasets"),
    [
        (("fold 1", "fold 2", "fold 3", "fold 4"), 1),
        (("Fold1", "Fold2", "Fold3", "Fold4"), 1),
        (("rep 1 fold 1", "rep 1 fold 2", "rep 2 fold 1", "rep 2 fold 2"), 1),
        (("iris_run1", "iris_run2", "iris_run3", "iris_run4"), 1),
        (("iris, fold 1", "iris, fold 2", "wine, fold 1", "wine, fold 2"), 2),
        (("iris", "iris fold 2", "wine", "fold 2"), None),
        (("trump 1", "trump 2", "manifold 3", "bifold"), None),
        (("iris fold 1", "wine fold 1", "glass fold 1", "yeast fold 1"), None),
    ],
)
def test_rows_named_as_folds_are_no_datasets(codes, names: tuple[str, ...], datasets: int | None) -> None:
    """None: they are datasets after all."""
    scores = np.random.default_rng(3).normal(size=(4, 2))

    advice = which_test(ScoreTable(scores=scores, datasets=names, classifiers=("a", "b")))

    assert ("rows-named-as-folds" in codes(advice)) == (datasets is not None)
    assert advice.design.n_datasets == (datasets or 4)
    assert (advice.test == "corrected_ttest") == (datasets == 1)


def test_predictions_of_one_test_set(predictions, codes) -> None:
    advice = which_test(read_predictions(predictions(n_instances=40, n_discordant=9)))

    assert (advice.test, advice.design.n_instances, advice.design.metric) == ("mcnemar_test", 40, "accuracy")
    assert codes(advice) == set()


def test_predictions_of_several_classifiers(predictions) -> None:
    assert which_test(predictions(classifiers="abc")).test == "cochran_q_test"


def test_scores_or_labels_of_the_same_predictions(predictions) -> None:
    both = predictions(columns="dataset classifier row y_true y_pred y_score")

    assert which_test(both).test == "mcnemar_test"
    assert which_test(both, metric="f1").test == "metric_permutation_test"
    assert which_test(both, metric="roc_auc").test == "delong_test"
    assert which_test(both, data="probabilities").test == "delong_test"
    assert which_test(read_predictions(both), data="probabilities").test == "delong_test"
    assert which_test(predictions(columns="dataset classifier row y_true y_score")).test == "delong_test"


def test_predictions_of_repeated_cross_validation_are_scored_by_fold(predictions, sentence) -> None:
    """McNemar's test is no alternative to the t-test there, though the tutorial says so (slide 43)."""
    advice = which_test(predictions(n_instances=20, n_repeats=3, n_folds=5))

    assert (advice.test, advice.design.n_instances) == ("corrected_ttest", 20)
    assert "Each instance was predicted 3 times" in sentence(advice, "mcnemar-not-for-repeats")


def test_repeats_are_seen_without_a_column_of_repeats(predictions) -> None:
    """Folds of several random splits: the same case comes again."""
    table = predictions(n_repeats=3)
    table["fold"] = table.pop("repeat")

    assert which_test(table).design.n_repeats == 3


def test_predictions_in_folds(predictions, codes) -> None:
    advice = which_test(predictions(n_instances=40, n_folds=5, n_discordant=9))

    assert (advice.test, codes(advice)) == ("mcnemar_test", {"models-share-training-data"})


def test_predictions_on_several_datasets_are_scores() -> None:
    advice = which_test(example_path("sklearn-predictions"), metric="f1")

    assert (advice.test, advice.design.n_datasets, advice.design.metric) == ("friedman_test", 10, "f1")


def test_options_of_reading_are_passed_on() -> None:
    text = io.StringIO("name;NB;SVM\nx;0,5;0,6\ny;0,7;0,5\n")

    assert which_test(text, delimiter=";", decimal=",").design.n_datasets == 2


def test_answers_to_questions_are_no_scores_of_datasets() -> None:
    table = pd.DataFrame(
        [(m, b, q, s, (i + q + s) % 2) for i, m in enumerate("xyz") for b in "ab" for q in range(4) for s in range(2)],
        columns=["model", "benchmark", "question", "sample", "correct"],
    )

    advice = which_test(table)

    assert (advice.test, advice.design.data) == ("pairwise_clustered_ttest", "answers")
    assert (advice.design.n_datasets, advice.design.n_instances) == (2, 8)
    assert advice.call == "evalstats.compare(table)"
    assert "3 models on 2 benchmarks, scores of answers to 8 questions." in report.text(advice).replace("\n", " ")
