"""The scores of every fold, what they sum up to, and what is wrong with the folds, in words."""

from __future__ import annotations

from evalstats import analyze_predictions, read_predictions, report
from evalstats.tables import PredictionAnalysis

# the first fold is without a predicted positive, the second one perfect
TRUE, PREDICTED, FOLD = [1, 0, 0, 1, 0, 0], [0, 0, 0, 1, 0, 0], [1, 1, 1, 2, 2, 2]


def made(**choices: str) -> PredictionAnalysis:
    data = {"dataset": ["d"] * 6, "classifier": ["c"] * 6, "y_true": TRUE, "y_pred": PREDICTED, "fold": FOLD}
    return analyze_predictions(read_predictions(data), metric="f1", **choices)


def test_text_shows_folds_and_the_five_ways() -> None:
    """F of the summed counts is 2 * 1 / (2 * 1 + 1); means with and without the undefined fold are .5 and 1."""
    lines = report.text(made()).splitlines()

    assert lines[:4] == [
        "Scores of 1 classifier on 1 dataset: F1",
        "═══════════════════════════════════════",
        "",
        "F1 of the positive label 1, from TP, FP and FN summed over the folds. The checks",
    ]
    assert lines[6:9] == ["Input", "─────", ""]
    assert lines[9] == "- Read 6 instances of 1 classifier; none left out."
    assert lines[11:24] == [
        "d (6 instances, 2 positive)",
        "───────────────────────────",
        "",
        "fold                       c",
        "────────────────────────────",
        "1                          -",
        "2                      1.000",
        "tp_fp *                0.667",
        "mean                   0.500",
        "mean_skip              1.000",
        "precision_recall       0.500",
        "precision_recall_skip  1.000",
        "",
    ]


def test_undefined_score_is_shown() -> None:
    assert "mean *                     -" in report.text(made(aggregate="mean"))


def test_findings_stand_below_their_dataset() -> None:
    found = made().findings
    text = report.text(made(), width=10_000)

    assert found
    assert all(f"- {finding.severity}: {finding.sentence}\n" in text for finding in found)


def test_findings_name_their_classifiers_unless_they_are_all() -> None:
    twice = {name: values * 2 for name, values in {"y_true": TRUE, "fold": FOLD}.items()}
    data = {"dataset": ["d"] * 12, "classifier": ["a"] * 6 + ["b"] * 6, "y_pred": [*PREDICTED, *TRUE], **twice}
    text = report.text(analyze_predictions(read_predictions(data), metric="f1"), width=200)

    assert "- note (a): no instance is predicted positive in 1 of 2 folds (1)" in text


def test_wide_tables_go_on_below_themselves() -> None:
    names = [f"classifier {i}" for i in range(20)]
    data = {"dataset": ["d"] * 40, "classifier": names * 2, "y_true": [0] * 20 + [1] * 20, "y_pred": [1] * 40}

    text = report.text(analyze_predictions(read_predictions(data)), width=50)

    assert max(map(len, text.splitlines())) <= 50
    assert all(str(i) in text.split() for i in range(20))
    assert text.count("pooled *") > 1


def test_dataset_without_a_name_is_called_one_dataset() -> None:
    found = analyze_predictions(read_predictions({"y_true": [1, 0, 1], "y_pred": [1, 0, 0]}))

    shown = report.text(found)

    assert "Scores of 1 classifier on one dataset: accuracy" in shown
    assert "This dataset (3 instances)" in shown
