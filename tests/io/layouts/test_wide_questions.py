"""Right and wrong answers with a column for each model are those to questions, where benchmarks or passages stand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats import TableError, read_table

MODELS = ["large", "small", "tiny"]
KEYS = [(benchmark, f"{benchmark}-{q // 2}", f"{benchmark}-{q}") for benchmark in ("law", "reading") for q in range(6)]
FRAME = pd.DataFrame(KEYS, columns=["benchmark", "passage", "question_id"])
FRAME[MODELS] = np.random.default_rng(2).integers(0, 2, (len(FRAME), 3))
LONG = FRAME.melt(["benchmark", "passage", "question_id"], var_name="model", value_name="correct")


def test_answers_in_columns_are_those_in_rows() -> None:
    wide, long = read_table(FRAME), read_table(LONG)

    assert (wide.datasets, wide.classifiers, wide.metric) == (long.datasets, long.classifiers, "accuracy")
    np.testing.assert_array_equal(wide._items.scores, long._items.scores)
    np.testing.assert_array_equal(wide._items.cluster, long._items.cluster)


def test_texts_and_truths_are_answers_too() -> None:
    assert read_table(FRAME.astype(dict.fromkeys(MODELS, bool)))._items is not None
    assert read_table(FRAME.astype(str))._items is not None


def test_columns_models_and_benchmarks_can_be_left_out() -> None:
    assert read_table(FRAME, drop="passage")._items.cluster is None
    assert read_table(FRAME, drop="tiny").classifiers == ("large", "small")
    assert [one.name for one in read_table(FRAME, drop=["tiny", "passage"]).left_out] == ["passage", "tiny"]
    assert read_table(FRAME, drop="law").datasets == ("reading",)
    with pytest.raises(TableError, match="drop must name rows or columns"):
        read_table(FRAME, drop="nobody")


@pytest.mark.parametrize(
    "frame",
    [
        FRAME.drop(columns=["benchmark", "passage"]),
        FRAME[FRAME["benchmark"] == "law"].drop(columns=["benchmark", "passage", "question_id"]),
    ],
    ids=["questions alone", "answers alone"],
)
def test_answers_to_cases_stay_what_they_are(frame: pd.DataFrame) -> None:
    assert read_table(frame)._items is None


def test_scores_beside_questions_are_no_answers() -> None:
    scores = FRAME.assign(**{name: np.linspace(0.2, 0.9, len(FRAME)) for name in MODELS})

    with pytest.raises(TableError):
        read_table(scores)


WITH_GAP = {"id": ["a", "b", "c", "d"], "old": ["1,0", "0,0", "", "1,0"], "new": ["1,0", "1,0", "0,0", "0,0"]}


def test_missing_answer_is_refused_with_the_way_out() -> None:
    message = "1 answer is missing: row 3 / old; record a failed answer as incorrect, or leave out the questions with"
    with pytest.raises(TableError, match=message):
        read_table(WITH_GAP)


def test_questions_with_a_missing_answer_are_left_out_if_asked() -> None:
    table = read_table(WITH_GAP, missing="drop-instances")

    assert table.scores.tolist() == [[2 / 3, 2 / 3]]
    assert "1 questions that some model did not answer are left out" in " ".join(f.sentence for f in table.findings)
