"""The advice in words: the test, what was understood of the experiment, and all that goes with it."""

from __future__ import annotations

import pytest

from evalstats import report, which_test


def test_text_says_everything() -> None:
    advice = which_test(n_classifiers=2, n_folds=10, n_repeats=10)
    text = report.text(advice)
    line = " ".join(text.split())

    assert text.startswith("corrected_ttest\n═══════════════\n\n2 classifiers on 1 dataset, scores of")
    assert advice.reason in line
    for part in (advice.assumptions, [f.sentence for f in advice.warnings], [a.when for a in advice.alternatives]):
        assert all(words in line for words in part)
    assert "Five repeats of two folds? No." in line
    assert max(map(len, report.text(advice, width=50).splitlines())) <= 50


@pytest.mark.parametrize(
    ("design", "words"),
    [
        ({"n_classifiers": 5, "n_datasets": 12, "control": "NB"},
         "5 classifiers on 12 datasets, one score each, all compared with NB."),
        ({"n_classifiers": 2, "data": "predictions", "n_instances": 5000},
         "2 classifiers on 1 dataset, predicted labels of 5,000 instances, compared by accuracy."),
        ({"n_classifiers": 2, "data": "probabilities", "n_folds": 10},
         "2 classifiers on 1 dataset, predicted scores or probabilities in 10 folds, compared by AUC."),
        ({"n_classifiers": 2, "n_folds": 10}, "2 classifiers on 1 dataset, scores of 10 folds."),
        ({"n_classifiers": 2, "n_folds": 1}, "2 classifiers on 1 dataset, scores of 1 fold."),
    ],
)  # fmt: skip
def test_design_in_words(design: dict, words: str) -> None:
    assert report.sentence(which_test(**design)).startswith(words)


def test_title_where_no_test_can_be_made() -> None:
    assert report.document(which_test(n_classifiers=2)).title == "No test is possible"
