"""The advice is a plain record, and what it cannot be given is refused in one sentence."""

from __future__ import annotations

import dataclasses
import json

import pytest

from evalstats import EvalstatsError, InvalidTypeError, InvalidValueError, report, which_test
from evalstats.examples import example_table
from evalstats.io.reader.predictions import read_predictions

PREDICTIONS = {
    "dataset": ["d"] * 4,
    "classifier": ["a", "a", "b", "b"],
    "row": [0, 1, 0, 1],
    "y_true": [0, 1, 0, 1],
    "y_pred": [0, 1, 0, 1],
}


def test_result_is_frozen_and_plain() -> None:
    advice = which_test(example_table("demsar-2006"))

    with pytest.raises(dataclasses.FrozenInstanceError):
        advice.test = "paired_ttest"
    assert json.loads(json.dumps(advice.to_dict()))["design"]["n_classifiers"] == 4


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, InvalidTypeError, "which_test requires a table or n_classifiers"),
        ({"n_classifiers": 1, "control": "NB"}, InvalidValueError, "control must be left out if there is one"),
        ({"n_classifiers": 0}, InvalidValueError, "n_classifiers must be at least 1, not 0"),
        ({"n_classifiers": 2.0}, InvalidTypeError, "n_classifiers must be a whole number, not 2.0"),
        ({"n_classifiers": 2, "n_datasets": 0}, InvalidValueError, "n_datasets must be at least 1, not 0"),
        ({"n_classifiers": 2, "data": "fold"}, InvalidValueError, "data must be 'scores' or 'folds' or"),
        ({"n_classifiers": 2, "data": "folds"}, InvalidValueError, "data 'folds' requires n_folds or n_repeats"),
        ({"n_classifiers": 2, "data": "scores", "n_folds": 3}, InvalidValueError, "data must be 'folds', "),
        ({"n_classifiers": 2, "alpha": 0}, InvalidValueError, "alpha must lie between 0 and 1"),
        ({"n_classifiers": 2, "parametric": "no"}, InvalidTypeError, "parametric must be True or False"),
        ({"n_classifiers": 2, "control": 1}, InvalidTypeError, "control must be the name of a classifier, not 1"),
        ({"n_classifiers": 2, "metric": 1}, InvalidTypeError, "metric must be a name, not 1"),
        ({"n_classifiers": 2, "delimiter": ";"}, InvalidValueError, "delimiter is for reading a table"),
        ({"source": [[1, 2], [2, 3]], "n_datasets": 3}, InvalidValueError, "n_datasets must be 2 as in the data"),
        ({"source": [[1, 2], [2, 3]], "data": "folds"}, InvalidValueError, "data must be 'scores' as in the data"),
        ({"source": [[1, 2], [2, 3]], "control": "NB"}, InvalidValueError, "control must be among 'classifier 1'"),
        ({"source": 7}, InvalidTypeError, "source must be a path"),
        ({"source": read_predictions(PREDICTIONS), "metric": "roc_auc"}, InvalidValueError,
         "metric 'roc_auc' cannot be computed: the predictions contain only labels"),
        ({"source": read_predictions(PREDICTIONS), "fold": "x"}, InvalidValueError, "this source was already read"),
    ],
)  # fmt: skip
def test_messages(arguments: dict, error: type[EvalstatsError], message: str) -> None:
    with pytest.raises(error, match=message):
        which_test(**arguments)


# --- the flow chart ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        {"n_classifiers": 1},
        {"n_classifiers": 1, "n_datasets": 10},
        {"n_classifiers": 1, "n_folds": 10, "n_repeats": 10},
        {"n_classifiers": 1, "n_instances": 200, "data": "predictions"},
        {"source": [[0.8], [0.9]]},
    ],
)
def test_one_classifier_is_described_and_not_tested(given: dict) -> None:
    advice = which_test(**given)

    assert advice.test is None
    assert (advice.posthoc, advice.assumptions, advice.warnings) == ((), (), ())
    assert "described and not tested" in advice.reason
    assert advice.command == "evalstats metrics FILE"
    assert "label_permutation_test" in [other.test for other in advice.alternatives]


def test_advice_on_one_classifier_is_shown_as_what_it_is() -> None:
    shown = report.text(which_test(n_classifiers=1))

    assert shown.startswith("Describe it\n")
    assert "Other functions" in shown
    assert "Alternatives" not in shown
