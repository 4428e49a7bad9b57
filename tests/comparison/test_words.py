"""Each design has its own words, and what is drawn from benchmarks is called so."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats import compare
from evalstats.comparison.designs.design import design_named
from evalstats.comparison.notes import Note
from evalstats.comparison.words import WORDS, words_of


def answers() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    shares = {"a": 0.9, "b": 0.4}
    rows = [(b, m, f"q{i}", int(rng.random() < p)) for b in "xyz" for i in range(9) for m, p in shares.items()]
    return pd.DataFrame(rows, columns=["benchmark", "model", "question", "correct"])


@pytest.mark.parametrize("code", WORDS)
def test_every_design_declares_how_it_is_tested(code: str) -> None:
    design = design_named(code)

    assert callable(design.test)
    assert callable(design.margin_problems)
    assert set(design.notes) <= set(Note)
    assert (design.posteriors is None) == ("rope" in design.unanswered)
    assert (design.alternatives is None) == ("robustness" in design.unanswered)


def test_benchmarks_are_called_so_whatever_is_drawn() -> None:
    comparison = compare(answers())
    over = comparison.over_benchmarks

    assert (comparison.words.classifier, comparison.words.units) == ("model", "questions")
    assert (over.design, over.words.classifiers, over.words.units) == ("datasets", "models", "benchmarks")


def test_table_without_a_comparison_has_the_words_of_its_rows() -> None:
    comparison = compare(answers())

    assert words_of(comparison.table).datasets == "benchmarks"
    assert words_of(compare([[1, 2], [2, 3], [3, 5]]).table).datasets == "datasets"
