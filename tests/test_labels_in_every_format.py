"""No instance is lost, whatever the labels are called, in whichever order the rows stand, in every format.

The truth is computed with pandas from the frame that was written.
``python scripts/corrupted_inputs.py labels 10000 7`` tries as many files, from a seed.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from table_files import FILES, KINDS, written

sys.path.insert(0, str(Path(__file__).parents[1]))

from evalstats import analyze_predictions, compare, read_predictions, report, score_predictions
from evalstats._errors import EvalstatsError

N_INSTANCES = 40
ACCURACIES = {"old": 0.75, "new": 0.85, "other": 0.8}

LABELS: dict[str, tuple[Any, ...]] = {
    "text": ("cat", "dog", "fish"),
    "whole numbers": (0, 1, 2),
    "0 and 1": (0, 1),
    "signs": (-1, 1),
    "booleans": (False, True),
    "truths": ("true", "false"),
    "fractions": (0.5, 1.0, 1.5),
    "large numbers": ("9007199254740993", "9007199254740992"),
    "leading zeros": ("001", "002", "010"),
    "numbers and a word": ("1", "2", "other"),
    "numbers with zeros and a word": ("01", "02", "other"),
    "per cent": ("5%", "10%", "20%"),
    "money": ("$1", "$2"),
    "powers of ten": ("1e5", "1e6"),
    "dates": ("2024-01-01", "2024-02-01", "2024-03-01"),
    "summaries": ("mean", "average", "total"),
    "mean ranks": ("rank", "std", "min"),
    "sets of data": ("train", "test", "dev"),
    "columns": ("y_true", "old", "new"),
    "words for columns": ("model", "data", "task"),
    "folds": ("fold 1", "fold 2"),
    "notes": ("note: x", "* y", "b"),
    "letter cases": ("Cat", "cat", "dog"),
    "comment": ("#a", "b"),
    "na": ("na", "yes", "no"),
    "NA": ("NA", "yes", "no"),
    "n/a": ("n/a", "b"),
    "none": ("none", "some"),
    "null": ("null", "x"),
    "dash": ("-", "+"),
    "question mark": ("?", "!"),
    "infinity": ("inf", "x"),
    "footnotes": ("1*", "1**", "2"),
    "parentheses": ("1 (low)", "1 (high)", "2"),
    "plus-minus": ("1 ± 1", "2 ± 1"),
    "delimiters": ("a,b", "c;d", "e|f"),
    "quotation marks": ('a"b', "it's"),
}
MISSING: dict[str, tuple[Any, ...]] = {"nan": ("nan", "a"), "empty": ("", "a")}


class Case(NamedTuple):
    """Predictions in a frame, and what is true of them."""

    frame: pd.DataFrame
    scores: dict[str, float]


def case(labels: tuple[Any, ...], seed: int) -> Case:
    """Draw predictions, in a row for each instance or for each prediction, in one of three orders of rows."""
    rng = np.random.default_rng(seed)
    order, layout = rng.choice(["shuffled", "sorted", "agreeing"]), rng.choice(["bare", "named", "long"])
    n, k = N_INSTANCES, len(labels)
    true = rng.integers(k, size=n)
    drawn = {"y_true": true}
    for name, accuracy in list(ACCURACIES.items())[: rng.integers(2, 4)]:
        drawn[name] = np.where(rng.random(n) > accuracy, (true + rng.integers(1, k, size=n)) % k, true)
    frame = pd.DataFrame({name: [labels[i] for i in codes] for name, codes in drawn.items()})
    names = [name for name in frame if name != "y_true"]
    scores = {name: float((frame[name] == frame["y_true"]).mean()) for name in names}
    if order == "sorted":
        frame = frame.sort_values("y_true", kind="stable")
    elif order == "agreeing":
        frame = frame.loc[(frame[names].ne(frame["y_true"], axis=0)).any(axis=1).sort_values(kind="stable").index]
    frame = frame.reset_index(drop=True)
    if layout != "bare":
        frame.insert(0, "id", np.arange(n) + 1)
    if layout == "long":
        frame = frame.melt(["id", "y_true"], var_name="model", value_name="y_pred")
        frame = frame.sample(frac=1, random_state=seed) if order == "shuffled" else frame
    return Case(frame.reset_index(drop=True), scores)


# --- what must come out -----------------------------------------------------------------------------------------------


def check(source: Any, expected: Case) -> None:
    """Read a source in both ways, and compare the scores, the numbers of instances and what is said of them."""
    compared = compare(source, metric="accuracy")
    read = read_predictions(source)
    scored = score_predictions(read, metric="accuracy")
    sentence = f"Read {N_INSTANCES} instances of {len(expected.scores)} classifiers; none left out."
    for table in (compared.table, scored):
        found = dict(zip(table.classifiers, table.scores[0], strict=True))
        assert found == pytest.approx(expected.scores, abs=1e-12)
    assert read.n_instances == N_INSTANCES
    assert sentence in report.text(compared)[:1500]
    assert sentence in report.text(analyze_predictions(read, metric="accuracy"))[:700]


def outcome(seed: int) -> str:
    """Check a source that is drawn from a seed; what spells a missing value as pandas writes it is refused."""
    rng = random.Random(seed)
    kind, labels = rng.choice(KINDS), {**LABELS, **MISSING}
    name = rng.choice(list(labels))
    expected = case(labels[name], seed)
    refused = ""
    with tempfile.TemporaryDirectory() as directory:
        try:
            check(written(expected.frame, kind, Path(directory)), expected)
        except EvalstatsError as error:
            refused = str(error)
    assert ("label is missing" in refused) == (name in MISSING), (seed, kind, name, refused)
    assert bool(refused) == (name in MISSING), (seed, kind, name, refused)
    return "refused" if refused else "read"


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_every_format_gives_the_same_scores_for_labels_of_any_kind(kind, tmp_path) -> None:
    for seed, labels in enumerate(LABELS.values(), KINDS.index(kind) * 1000):
        expected = case(labels, seed)
        check(written(expected.frame, kind, tmp_path), expected)


@pytest.mark.parametrize("name", MISSING)
@pytest.mark.parametrize("kind", KINDS)
def test_missing_label_is_refused_in_every_format(kind, name, tmp_path) -> None:
    expected = case(MISSING[name], KINDS.index(kind))

    with pytest.raises(EvalstatsError, match="label is missing; write a label there"):
        compare(written(expected.frame, kind, tmp_path), metric="accuracy")


@pytest.mark.parametrize("kind", FILES)
def test_reports_of_all_formats_count_what_was_read(kind, tmp_path) -> None:
    expected = case(LABELS["text"], 1)
    compared = compare(written(expected.frame, kind, tmp_path), metric="accuracy")
    sentence = f"Read {N_INSTANCES} instances of {len(expected.scores)} classifiers; none left out."

    for write in (report.text, report.markdown, report.html, report.latex):
        assert sentence in write(compared)
    told = json.loads(report.json(compared))["read"]
    assert (told["n_read"], told["n_kept"], told["n_left_out"]) == (N_INSTANCES, N_INSTANCES, 0)


def test_labels_that_may_be_missing_values_are_said() -> None:
    frame = case(LABELS["NA"], 0).frame

    assert "'NA' is read as a class, although it may mean a missing value" in report.text(compare(frame))


def test_word_for_a_missing_value_that_is_never_true_counts_as_wrong() -> None:
    frame = case(LABELS["text"], 3).frame
    column = next(name for name in ("old", "y_pred") if name in frame)
    frame.loc[frame.index[0], column] = "none"

    assert "'none' is predicted but never true, and counts as an incorrect answer" in report.text(compare(frame))


def test_drawn_sources_are_read() -> None:
    assert Counter(map(outcome, range(60)))["read"] > 40
