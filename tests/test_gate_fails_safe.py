"""A gate never passes a candidate that is worse by more than the margin, however its file was spoiled.

Each trial draws answers, or scores of datasets, of which NumPy alone says that the candidate is behind by more than the
margin, writes both sides in some layout and spoils one of them. Pass is the only wrong answer. `python
tests/test_gate_fails_safe.py 20000 1` tries as many from another seed.
"""

from __future__ import annotations

import io
import json
import sys
from collections import Counter

import numpy as np
import pandas as pd
import pytest

import evalstats
from evalstats import EvalstatsError, gate, report

MARGIN = 0.02
N_TRIALS = 400
LABELS = (("0", "1"), ("cat", "dog"), ("a", "b", "c"), ("True", "False"), ("1", "2", "3"), ("yes", "no"))
SPELLINGS = {
    "0": "0.0",
    "1": "1.0",
    "2": "2.0",
    "3": "3.0",
    "cat": "Cat",
    "dog": "DOG ",
    "a": "A",
    "b": "B",
    "c": "C",
    "True": "1",
    "False": "0",
    "yes": "Yes",
    "no": "NO",
}


# --- answers to questions ------------------------------------------------------------------------------------------


def drawn_answers(rng, *, is_worse):
    """Return labels, and predictions of which the candidate has fewer, or more, right ones."""
    n = int(rng.integers(60, 200))
    labels = LABELS[rng.integers(len(LABELS))]
    true = rng.choice(labels, n)
    high, low = rng.uniform(0.7, 0.95), rng.uniform(0.3, 0.6)
    sides = []
    for chance in (high, low) if is_worse else (low, high):
        other = np.array([rng.choice([one for one in labels if one != label]) for label in true])
        sides.append(np.where(rng.random(n) < chance, true, other))
    return true, *sides


def written(rng, true, predicted, layout, name):
    """Return the answers of one side as columns."""
    items = [f"q{i}" for i in range(len(true))]
    right = predicted == true
    words = ((1, 0), ("true", "false"), (True, False), ("1.0", "0.0"))[rng.integers(4)]
    said = [words[0] if one else words[1] for one in right]
    columns = {
        "right": {"item_id": items, "correct": said},
        "labels": {"item_id": items, "y_true": true.tolist(), "y_pred": predicted.tolist()},
        "renamed": {"Question ID": items, "gold": true.tolist(), "prediction": predicted.tolist()},
        "both": {"row": items, "y_true": true.tolist(), "y_pred": predicted.tolist(), "is_correct": said},
        "named": {"model": [name] * len(true), "item": items, "correct": said},
        "wide": {"item_id": items, name: [int(one) for one in right]},
        "wide labels": {"item_id": items, "y_true": true.tolist(), name: predicted.tolist()},
    }[layout]
    order = rng.permutation(len(true)) if rng.random() < 0.5 else np.arange(len(true))
    return {key: [values[i] for i in order] for key, values in columns.items()}


LAYOUTS = ("right", "labels", "renamed", "both", "named", "wide", "wide labels")


def stored(rng, columns):
    """Return columns as one of the sources that a gate takes."""
    kind = rng.integers(4)
    if kind == 0:
        return columns
    frame = pd.DataFrame(columns)
    if kind == 1:
        return frame
    if kind == 2:
        return io.StringIO(frame.to_csv(index=False))
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def rows_of(columns, kept):
    return {name: [values[i] for i in kept] for name, values in columns.items()}


def is_right(columns):
    """Return who is right, by columns of any layout; None where labels alone do not tell."""
    for name in ("correct", "is_correct"):
        if name in columns:
            return np.array([str(one).casefold() in ("1", "1.0", "true") for one in columns[name]])
    true = columns.get("y_true", columns.get("gold"))
    if true is None:
        return np.array([one == 1 for one in list(columns.values())[-1]])
    predicted = next(values for name, values in reversed(columns.items()) if values is not true)
    return np.array(predicted) == np.array(true)


def nothing(rng, old, new):
    return old, new, {}


def contradicting(rng, old, new):
    """Let the candidate call all of its answers right, beside labels that say otherwise."""
    if not {"y_pred", "prediction"} & new.keys():
        return old, new, {}
    told = {name: values for name, values in new.items() if name != "is_correct"}
    return old, {**told, "correct": [1] * len(new["y_true" if "y_true" in new else "gold"])}, {}


def without_its_errors(rng, old, new):
    """Wrong answers of the candidate are missing, and the questions that both have are compared."""
    right = is_right(new)
    kept = [i for i in range(len(right)) if right[i] or rng.random() < 0.3]
    return old, rows_of(new, kept), {"intersect": True}


def without_the_successes_of_the_baseline(rng, old, new):
    right = is_right(old)
    kept = [i for i in range(len(right)) if not right[i] or rng.random() < 0.5]
    return rows_of(old, kept), new, {"intersect": True}


def asked_again(rng, old, new):
    """Failed questions of the candidate have more answers, right ones."""
    if "correct" not in new:
        return old, new, {}
    right = is_right(new).tolist()
    again = [i for i, one in enumerate(right) if not one]
    more = {**rows_of(new, [*range(len(right)), *again, *again])}
    more["correct"] = [int(one) for one in right] + [1] * (2 * len(again))
    more["sample"] = [1] * len(right) + [2] * len(again) + [3] * len(again)
    return old, more, {}


def in_another_spelling(rng, old, new):
    """Let the baseline predict the same labels, spelled otherwise."""
    name = next((name for name in ("y_pred", "prediction") if name in old), None)
    if name is None or "is_correct" in old:
        return old, new, {}
    share = rng.choice([0.3, 1.0])
    return {**old, name: [SPELLINGS[one] if rng.random() < share else one for one in old[name]]}, new, {}


def other_truths(rng, old, new):
    """Give the candidate other true labels: those that it predicted."""
    if not {"y_true", "gold"} & old.keys():
        return old, new, {}
    for true, predicted in (("y_true", "y_pred"), ("gold", "prediction")):
        if true in new and "is_correct" not in new:
            return old, {**new, true: new[predicted] if predicted in new else list(new.values())[-1]}, {}
    return old, new, {}


def without_names(rng, old, new):
    """Nothing names the questions, and the rows of the candidate are sorted by who is right."""
    order = np.argsort(is_right(new)).tolist()
    gone = ("item_id", "item", "row", "Question ID")
    return old, {k: v for k, v in rows_of(new, order).items() if k not in gone}, {}


def two_metrics(rng, old, new):
    return old, new, {"metric": "error_rate", "greater_is_better": True}


OF_ITEMS = (
    *(nothing, contradicting, without_its_errors, without_the_successes_of_the_baseline, asked_again),
    *(in_another_spelling, other_truths, without_names, two_metrics),
)


def trial_of_items(rng):
    """Return what was done to a candidate that is worse, and what the gate says."""
    true, old, new = drawn_answers(rng, is_worse=True)
    while np.mean(new == true) - np.mean(old == true) >= -MARGIN:
        true, old, new = drawn_answers(rng, is_worse=True)
    sides = [written(rng, true, side, str(rng.choice(LAYOUTS)), "gpt") for side in (old, new)]
    spoiled = OF_ITEMS[rng.integers(len(OF_ITEMS))]
    first, second, choices = spoiled(rng, *sides)
    return spoiled.__name__, asked(stored(rng, first), stored(rng, second), **choices)


def asked(old, new, **choices):
    try:
        return gate(old, new, margin=MARGIN, **choices).status
    except EvalstatsError:
        return "refused"


# --- scores of datasets -----------------------------------------------------------------------------------------------

METRICS = ("accuracy", "AUC", "F1", "error rate", "score", "Fehlerrate", "MCC", "wer", "Güte")
LOSSES = ("error rate", "Fehlerrate", "wer")


def drawn_scores(rng, metric):
    """Return scores of a baseline and of a candidate that is worse on every dataset."""
    n = int(rng.integers(6, 14))
    good, bad = rng.uniform(0.75, 0.95, n), rng.uniform(0.25, 0.6, n)
    return (1 - good, 1 - bad) if metric in LOSSES else (good, bad)


def percent_candidate(rng, old, new):
    return old, new * 100


def percent_baseline(rng, old, new):
    return old * 100, new


def some_percent(rng, old, new):
    which = rng.random(len(old)) < 0.6
    which[0] = True
    return (old, np.where(which, new * 100, new)) if rng.random() < 0.5 else (np.where(which, old * 100, old), new)


def percent_in_some_rows(rng, old, new):
    """Both sides have percentages on some datasets: only there a margin of shares is small."""
    factor = np.where(np.arange(len(old)) % 2, 100.0, 1.0)
    return old * factor, new * factor


def beyond(rng, old, new):
    return old, new + 1


def negative_baseline(rng, old, new):
    return -old, new


def unchanged(rng, old, new):
    return old, new


OF_SCORES = (
    unchanged,
    percent_candidate,
    percent_baseline,
    some_percent,
    percent_in_some_rows,
    beyond,
    negative_baseline,
)


def trial_of_scores(rng):
    """Return what was done to scores of a candidate that is worse, and what the gate says."""
    metric = str(rng.choice(METRICS))
    old, new = drawn_scores(rng, metric)
    spoiled = OF_SCORES[rng.integers(len(OF_SCORES))]
    first, second = spoiled(rng, old, new)
    if (spoiled is beyond and metric in LOSSES) or (spoiled is negative_baseline and metric not in LOSSES):
        first, second = old, new  # a loss above 1 is worse still, and so is a baseline below 0 better than it was
    sides = []
    for values in (first, second):
        names = [f"d{i}" for i in range(len(values))]
        if rng.random() < 0.5:
            side = {"dataset": names, "classifier": ["m"] * len(values), metric: values.tolist()}
        else:
            side = {"dataset": names, metric: values.tolist()}
        sides.append(side)
    # where the name does not tell it, the direction is told half of the time
    told = {"greater_is_better": metric not in LOSSES} if rng.random() < 0.5 else {}
    return f"{spoiled.__name__} of {metric}", asked(*sides, **told)


def trial_of_reports(rng):
    """Return what was done to the report of a baseline, and what the gate says."""
    old, new = drawn_scores(rng, "accuracy")
    names = [f"d{i}" for i in range(len(old))]
    table = evalstats.ScoreTable(
        scores=np.stack([old, new], axis=1), datasets=tuple(names), classifiers=("old", "new"), metric="accuracy"
    )
    document = json.loads(report.json(evalstats.compare(table)))
    told = document["comparison"]["table"]
    way = int(rng.integers(4))
    if way in (0, 1):
        told["scores"] = [[0.1, row[1]] for row in told["scores"]]
    if way == 1:
        del document["checksum"]
    if way == 2:
        told["greater_is_better"] = False
    if way == 3:
        document["scores_of_the_baseline"] = [0.1] * len(names)
        told["scores"] = [[0.1, row[1]] for row in told["scores"]]
        document["checksum"] = evalstats.report.formats.json.checksum(document)
    candidate = {"dataset": names, "classifier": ["new"] * len(names), "accuracy": new.tolist()}
    return f"report {way}", asked(document, candidate, baseline_name="old")


# --- the tests --------------------------------------------------------------------------------------------------------


def trials(n, seed):
    for i in range(n):
        rng = np.random.default_rng([seed, i])
        trial = (trial_of_items, trial_of_items, trial_of_items, trial_of_scores, trial_of_scores, trial_of_reports)[
            i % 6
        ]
        yield i, *trial(rng)


@pytest.mark.long
def test_a_candidate_that_is_worse_never_passes():
    passed = [(i, what) for i, what, status in trials(N_TRIALS, 0) if status == "pass"]

    assert passed == []


@pytest.mark.long
def test_what_is_not_spoiled_fails():
    """The trials are no refusals of everything: each layout is read, and the candidate is seen to be worse."""
    statuses = Counter(status for _, what, status in trials(N_TRIALS, 0) if what == "nothing")

    assert set(statuses) == {"fail"}


@pytest.mark.parametrize("first", LAYOUTS)
@pytest.mark.parametrize("second", LAYOUTS)
def test_a_candidate_that_is_better_passes_in_every_layout(first, second):
    rng = np.random.default_rng([LAYOUTS.index(first), LAYOUTS.index(second)])
    true, old, new = drawn_answers(rng, is_worse=False)

    sides = (written(rng, true, old, first, "gpt"), written(rng, true, new, second, "gpt"))

    assert gate(*(stored(rng, side) for side in sides), margin=MARGIN).passed


if __name__ == "__main__":
    n_trials, seed = (int(word) for word in sys.argv[1:])
    found = Counter()
    for i, what, status in trials(n_trials, seed):
        found[what, status] += 1
        if status == "pass":
            sys.stdout.write(f"trial {i}: {what} passes\n")
    for (what, status), n in sorted(found.items()):
        sys.stdout.write(f"{what}: {status} {n}\n")
