"""A comparison of any design is one record: it tells its pairs, its scores and its ranking in one way."""

from __future__ import annotations

import json
import pickle
from dataclasses import fields

import pytest

import evalstats
from evalstats import Comparison, InvalidTypeError, InvalidValueError, compare, example_table
from evalstats.comparison import Pair
from evalstats.comparison.record import of_design
from evalstats.comparison.words import WORDS

ANSWERS = {"model": ["a", "b", "c"] * 8, "question": [q for q in range(8) for _ in "abc"]}
ANSWERS["correct"] = [1, 0, 0] * 5 + [1, 1, 0] * 3
ANSWERS["passage"] = [q // 2 for q in range(8) for _ in "abc"]
QUESTIONS = compare(ANSWERS)
GRADED = ANSWERS | {"correct": [score / 2 for score in ANSWERS["correct"]]}
FOLDS = {
    "dataset": ["crx"] * 15,
    "classifier": ["A"] * 5 + ["B"] * 5 + ["C"] * 5,
    "fold": [*range(5)] * 3,
    "acc": [0.81, 0.84, 0.79, 0.90, 0.85, 0.78, 0.82, 0.80, 0.84, 0.83, 0.60, 0.61, 0.59, 0.63, 0.66],
}


@pytest.fixture(scope="module")
def folds() -> Comparison:
    return compare(FOLDS)


def test_every_field_is_told_in_every_design(compared: Comparison) -> None:
    said = compared.to_dict()

    assert {f.name for f in fields(Comparison) if not f.name.startswith("_")} <= set(said)
    assert [pair["first"] for pair in said["pairs"]] == [pair.first for pair in compared.pairs]
    assert said["advice"]["test"] == compared.advice.test


def test_pairs_are_found_in_either_order(compared: Comparison) -> None:
    for pair in compared.pairs:
        assert compared.pair(pair.first, pair.second) is compared.pair(pair.second, pair.first) is pair
    with pytest.raises(InvalidValueError, match="were not compared with each other"):
        compared.pair(compared.ranking[0], compared.ranking[0])


@pytest.mark.parametrize("control", [None, "C4.5"])
def test_decisions_are_those_of_the_pairs(control: str | None) -> None:
    c = compare(example_table("demsar-2006"), control=control)
    told = list(c.decisions())

    assert "pairs" not in vars(c)
    assert told == [(p.first, p.second, p.pvalue, p.different) for p in c.pairs]


def test_pair_tells_what_its_design_has(compared: Comparison) -> None:
    """Effect sizes of another design are None, and are not told."""
    over_datasets = {"mean_rank_difference", "rank_biserial", "hodges_lehmann"}
    pair = compared.pairs[0]

    assert isinstance(pair, Pair)
    assert over_datasets <= {f.name for f in fields(pair)}
    assert (over_datasets <= set(pair.to_dict())) == (compared.design == "datasets")
    assert ("low" in compared.to_columns()) == (compared.design != "datasets")


def test_mean_ranks_are_those_of_several_datasets(folds: Comparison) -> None:
    with pytest.raises(InvalidValueError, match="mean_rank is defined only for comparisons over several datasets"):
        folds.mean_rank("A")


@pytest.mark.parametrize("design", WORDS)
def test_comparison_of_another_design_is_refused_by_what_it_is(design: str) -> None:
    others = [one for one in WORDS if one != design]

    with pytest.raises(InvalidTypeError, match=f"of one kind, not {WORDS['questions'].returned}"):
        of_design(QUESTIONS, "of one kind", *(one for one in (*others, design) if one != "questions"))
    with pytest.raises(InvalidTypeError, match="of one kind, not dict"):
        of_design({}, "of one kind", design)
    assert of_design(QUESTIONS, "of one kind", "questions", design) is QUESTIONS


def test_unknown_classifier_in_a_question(demsar: evalstats.Comparison) -> None:
    with pytest.raises(ValueError, match=r"classifier must be one of 'C4\.5', "):
        demsar.pair("C4.5", "NB")


def test_pair_that_was_not_compared() -> None:
    c = compare(example_table("demsar-2006"), control="C4.5")

    with pytest.raises(ValueError, match="were not compared"):
        c.pair("C4.5+m", "C4.5+cf")


def test_dataset_and_scores_are_asked_by_name(folds: Comparison) -> None:
    assert folds.dataset == "crx"
    assert folds.score("A") == pytest.approx((0.81 + 0.84 + 0.79 + 0.90 + 0.85) / 5, rel=1e-12)
    with pytest.raises(InvalidValueError, match="classifier must be one of 'A', 'B', 'C', not 'tree'"):
        folds.score("tree")


def test_difference_is_that_of_the_scores(folds: Comparison) -> None:
    assert [(p.first, p.second) for p in folds.pairs] == [("A", "B"), ("A", "C"), ("B", "C")]
    for pair in folds.pairs:
        assert pair.difference == pytest.approx(folds.score(pair.first) - folds.score(pair.second), rel=1e-12)
        assert pair.low < pair.difference < pair.high


def test_adjustment_never_makes_a_pvalue_smaller(folds: Comparison) -> None:
    assert all(pair.unadjusted_pvalue <= pair.pvalue for pair in folds.pairs)
    assert any(pair.unadjusted_pvalue < pair.pvalue for pair in folds.pairs)


def test_folds_are_counted_for_the_first(folds: Comparison) -> None:
    pair = folds.pair("B", "A")

    assert (pair.n_wins, pair.n_ties, pair.n_losses) == (4, 0, 1)


def test_direction_turns_the_pairs_and_not_the_unit() -> None:
    losses = compare({**FOLDS, "acc": [1 - score for score in FOLDS["acc"]]}, greater_is_better=False)

    pair = losses.pair("A", "C")
    assert (pair.first, pair.second) == ("A", "C")
    assert pair.difference == pytest.approx(losses.score("A") - losses.score("C"), rel=1e-12)
    assert pair.difference < 0


def test_record_of_questions_is_plain() -> None:
    told = QUESTIONS.to_dict()

    assert json.loads(json.dumps(told))["ranking"] == ["a", "b", "c"]
    assert len(QUESTIONS.to_columns()["pvalue"]) == 3


def test_pair_of_models_is_found_by_its_names() -> None:
    assert QUESTIONS.pair("c", "a").first == "a"
    with pytest.raises(ValueError, match="classifier must be one of 'a', 'b', 'c', not 'd'"):
        QUESTIONS.pair("a", "d")


def test_text_is_the_verdict() -> None:
    assert str(QUESTIONS) == QUESTIONS.verdict == evalstats.report.sentence(QUESTIONS)


def test_comparison_survives_pickling(compared: Comparison) -> None:
    for comparison in (compared, QUESTIONS, compare(GRADED)):
        again = pickle.loads(pickle.dumps(comparison))

        assert json.dumps(again.to_dict()) == json.dumps(comparison.to_dict())
