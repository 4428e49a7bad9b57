"""compare_learning_curves reads a long table, says at which sizes two classifiers differ, and names what is missing."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from evalstats import report
from evalstats.comparison import compare_learning_curves
from evalstats.paired import learning_curve_test

SIZES = (25, 100, 1000)
# repeats and sizes: the SVM is better with 25 instances, nothing is shown with 100, the tree is better with 1000
NOISE = np.random.default_rng(8).normal(0, 0.01, (2, 10, 3))
SCORES = np.array([[0.8, 0.85, 0.9], [0.6, 0.85, 0.95]])[:, None] + NOISE
OPTIONS = {"n_test": 50, "n_instances": 1200}


def long_rows(scores: np.ndarray = SCORES, names=("SVM", "tree", "Bayes"), sizes=SIZES) -> dict[str, list]:
    at = list(np.ndindex(scores.shape))
    return {
        "classifier": [names[i] for i, _, _ in at],
        "n_train": [sizes[j] for _, _, j in at],
        "repeat": [r + 1 for _, r, _ in at],
        "accuracy": [float(scores[one]) for one in at],
    }


def without(rows: dict[str, list], *positions: int) -> dict[str, list]:
    return {name: [value for i, value in enumerate(column) if i not in positions] for name, column in rows.items()}


def codes(comparison) -> list[str]:
    return [finding.code for finding in comparison.findings]


def test_comparison_is_the_test_of_the_columns(tmp_path) -> None:
    path = tmp_path / "curves.csv"
    pd.DataFrame(long_rows()).sample(frac=1, random_state=1).to_csv(path, index=False)

    comparison = compare_learning_curves(path, **OPTIONS)

    expected = learning_curve_test(*SCORES, n_train=SIZES, **OPTIONS)
    np.testing.assert_array_equal(comparison.test.pvalue, expected.pvalue)
    np.testing.assert_array_equal(comparison.test.mean_difference, expected.mean_difference)
    assert (comparison.classifiers, comparison.test.sizes, comparison.source) == (("SVM", "tree"), SIZES, "curves.csv")
    assert comparison.repeats[8:] == ("repeat 9", "repeat 10")


def test_verdict_names_the_sizes_in_their_order() -> None:
    assert report.sentence(compare_learning_curves(long_rows(), **OPTIONS)) == (
        "With 25 training instances, SVM is better than tree; with 1,000 training instances, tree is better than SVM "
        "(corrected resampled t-tests with Šidák's adjustment for 3 training-set sizes, family-wise α = 0.05). "
        "With 100 training instances, no difference is shown."
    )


def test_lower_losses_are_better() -> None:
    errors = long_rows(1 - SCORES)
    errors["error_rate"] = errors.pop("accuracy")

    comparison = compare_learning_curves(errors, **OPTIONS)

    assert report.sentence(comparison) == report.sentence(compare_learning_curves(long_rows(), **OPTIONS))
    shown = report.markdown(comparison)
    assert "error rate, lower is better" in shown
    assert [line.split(" | ")[:2] for line in shown.splitlines() if line[:3] in {"| 2", "| 1"}] == [
        ["| 25", "SVM"],
        ["| 100", "not shown"],
        ["| 1,000", "tree"],
    ]
    told = compare_learning_curves(errors, **OPTIONS, greater_is_better=True)
    assert told.test.winners().tolist() == [-1, 0, 1]


def test_unknown_direction_is_said() -> None:
    rows = long_rows()
    rows["zork"] = rows.pop("accuracy")

    assert codes(compare_learning_curves(rows, **OPTIONS, score="zork")) == ["unknown-direction", "family-wise-level"]
    told = compare_learning_curves(rows, **OPTIONS, score="zork", greater_is_better=True)
    assert codes(told) == ["family-wise-level"]


def test_report_says_that_small_sizes_almost_never_reject_without_all_instances() -> None:
    sparse = compare_learning_curves(long_rows(), n_test=50)

    assert codes(sparse) == ["no-n-instances", "family-wise-level"]
    assert "almost never rejects at small sizes" in report.text(sparse).replace("\n  ", " ")
    assert codes(compare_learning_curves(long_rows(), **OPTIONS)) == ["family-wise-level"]


def test_report_says_the_family_wise_error_rate_under_any_dependence() -> None:
    comparison = compare_learning_curves(long_rows(), **OPTIONS)

    assert "at most 5.13 %" in report.markdown(comparison)
    assert comparison.findings[-1].numbers["largest"] == pytest.approx(-math.log(0.95))


def test_constant_difference_is_neither_shown_nor_not_shown() -> None:
    scores = SCORES.copy()
    scores[1, :, 1] = scores[0, :, 1] + 0.125

    comparison = compare_learning_curves(long_rows(scores), **OPTIONS)

    assert codes(comparison)[0] == "no-variance"
    assert comparison.findings[0].named("size") == (100,)
    assert report.sentence(comparison).endswith(
        "With 100 training instances, there is no test, because the differences have no variance."
    )
    assert "no difference is shown" not in report.sentence(comparison)
    assert "| 100 | no test |" in report.markdown(comparison)


def test_only_constant_differences() -> None:
    comparison = compare_learning_curves(long_rows(np.stack([SCORES[0], SCORES[0] + 0.125])), **OPTIONS)

    assert report.sentence(comparison) == (
        "With 25, 100 and 1,000 training instances, there is no test, because the differences have no variance."
    )


def test_equal_scores_show_no_difference() -> None:
    comparison = compare_learning_curves(long_rows(SCORES[[0, 0]]), **OPTIONS)

    assert codes(comparison) == ["equal-scores", "family-wise-level"]
    assert report.sentence(comparison).startswith("With 25, 100 and 1,000 training instances, no difference between")


def test_one_size_needs_no_adjustment() -> None:
    comparison = compare_learning_curves(long_rows(SCORES[..., :1]), n_test=50)

    assert codes(comparison) == []
    assert "Šidák" not in report.markdown(comparison)
    assert report.sentence(comparison).endswith("(corrected resampled t-tests, α = 0.05).")


def test_other_columns_are_recognized_or_named() -> None:
    expected = compare_learning_curves(long_rows(), **OPTIONS).test.pvalue.tolist()
    rows = long_rows()
    renamed = {"model": rows["classifier"], "size": rows["n_train"], "seed": rows["repeat"], "score": rows["accuracy"]}
    named = {"who": rows["classifier"], "train size": rows["n_train"], "go": rows["repeat"], "got": rows["accuracy"]}

    assert compare_learning_curves(renamed, train_size="size", **OPTIONS).test.pvalue.tolist() == expected
    found = compare_learning_curves(named, classifier="who", repeat="go", score="got", **OPTIONS)
    assert found.test.pvalue.tolist() == expected


def test_each_fold_of_each_repeat_is_a_repeat() -> None:
    rows = long_rows()
    folds = rows | {"repeat": [(r - 1) // 5 for r in rows["repeat"]], "fold": [r % 5 for r in rows["repeat"]]}

    comparison = compare_learning_curves(folds, **OPTIONS)

    assert comparison.test.pvalue == pytest.approx(compare_learning_curves(rows, **OPTIONS).test.pvalue)
    assert comparison.repeats[::9] == ("repeat 0, fold 0", "repeat 1, fold 4")


def test_test_sizes_come_from_their_column() -> None:
    rows = long_rows()
    rows["n_test"] = [40 + size // 25 for size in rows["n_train"]]

    assert compare_learning_curves(rows).test.n_test.tolist() == [41, 44, 80]
    assert compare_learning_curves(rows, n_test=7).test.n_test.tolist() == [7, 7, 7]


def test_one_metric_of_several_is_compared() -> None:
    rows = long_rows()
    wide = rows | {"f1": [score / 2 for score in rows["accuracy"]]}
    n = len(rows["accuracy"])
    long = {name: column * 2 for name, column in rows.items() if name != "accuracy"}
    long |= {"metric": ["accuracy"] * n + ["f1"] * n, "score": rows["accuracy"] + wide["f1"]}

    for table in (wide, long):
        comparison = compare_learning_curves(table, metric="f1", **OPTIONS)
        assert (comparison.metric, comparison.test.mean_x.max() < 0.5) == ("f1", True)


def test_decimal_commas_are_read(tmp_path) -> None:
    path = tmp_path / "curves.csv"
    pd.DataFrame(long_rows()).to_csv(path, index=False, sep=";", decimal=",")

    comparison = compare_learning_curves(path, **OPTIONS)

    assert comparison.test.mean_x == pytest.approx(SCORES[0].mean(0))


def test_two_of_three_classifiers_are_kept() -> None:
    rows = long_rows(np.concatenate([SCORES, SCORES[:1] - 0.1]))

    message = (
        "learning curves of two classifiers are compared, but the table holds 'Bayes', 'SVM', 'tree'; choose two of "
        "them, for example with keep=['Bayes', 'SVM']"
    )
    with pytest.raises(ValueError, match=message.replace("[", r"\[")):
        compare_learning_curves(rows, **OPTIONS)
    kept = compare_learning_curves(rows, keep=["tree", "SVM"], **OPTIONS)
    assert kept.classifiers == compare_learning_curves(rows, drop="Bayes", **OPTIONS).classifiers == ("SVM", "tree")


def test_repeats_sizes_and_datasets_can_be_left_out() -> None:
    rows = long_rows()
    both = {name: column * 2 for name, column in rows.items()}
    both["dataset"] = ["iris"] * len(rows["repeat"]) + ["wine"] * len(rows["repeat"])

    assert compare_learning_curves(rows, drop=["25", "repeat 10"], **OPTIONS).test.mean_x.shape == (2,)
    # a size is no repeat of the same number
    assert compare_learning_curves(long_rows(sizes=(1, 100, 1000)), drop="1", **OPTIONS).test.n_repeats == 10
    with pytest.raises(ValueError, match="compared on one dataset, but the table holds 'iris', 'wine'; leave out"):
        compare_learning_curves(both, **OPTIONS)
    assert compare_learning_curves(both, drop="wine", **OPTIONS).test.n_repeats == 10


def test_missing_scores_are_named() -> None:
    rows = without(long_rows(), 4)
    rows["accuracy"][-1] = None

    message = r"2 of 60 scores are missing \(SVM at 100: repeat 2, tree at 1000: repeat 10\); leave out a repeat or a"
    with pytest.raises(ValueError, match=message):
        compare_learning_curves(rows, **OPTIONS)
    assert compare_learning_curves(rows, drop=["repeat 2", "repeat 10"], **OPTIONS).test.n_repeats == 8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_train": "many"}, "row 1: the training-set size must be a number of at least 1, not 'many'"),
        ({"n_train": 0}, "row 1: the training-set size must be a number of at least 1, not 0"),
        ({"n_train": 0.1}, "at least 1, not 0.1"),
        ({"n_train": None}, "at least 1, not None"),
        ({"n_train": math.inf}, "at least 1, not inf"),
        ({"n_train": 100}, "row 2: 'SVM' already has a score at 100 in repeat 1"),
        ({"accuracy": "good"}, "row 1: the score 'good' is not a finite number"),
        ({"accuracy": math.inf}, "row 1: the score inf is not a finite number"),
        ({"repeat": ""}, "the name of a repeat is empty"),
    ],
)
def test_wrong_cells_are_named(change: dict, message: str) -> None:
    rows = {name: list(column) for name, column in long_rows().items()}
    for name, value in change.items():
        rows[name][0] = value

    with pytest.raises(ValueError, match=message):
        compare_learning_curves(rows, **OPTIONS)


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (long_rows(SCORES[:, :1]), OPTIONS, "the test needs two repeats or more, but the table has one"),
        (long_rows(SCORES[:1]), OPTIONS, "two classifiers are compared, but the table holds 'SVM'$"),
        (long_rows(), {}, "the number of test instances is not known; pass it with n_test="),
        (long_rows(), {"n_test": 0}, "n_test must be at least 1, not 0"),
        (long_rows(), {"n_test": 50, "n_instances": 1000}, r"n_instances must be at least 1050 \(n_train \+ n_test\)"),
        (long_rows(), OPTIONS | {"keep": "forest"}, "keep must name a classifier of the table, not 'forest'"),
        (
            long_rows(),
            OPTIONS | {"drop": "30"},
            "drop must name a classifier, size, repeat or dataset of the table, not '30'",
        ),
        (long_rows(), OPTIONS | {"drop": ["SVM", "tree"]}, "holds no scores"),
        (long_rows(), OPTIONS | {"train_size": "size"}, "train_size must name a column"),
        ({name: c for name, c in long_rows().items() if name != "n_train"}, OPTIONS, "no column of the train_sizes"),
        ({name: c for name, c in long_rows().items() if name != "repeat"}, OPTIONS, "no column of the repeats"),
        (long_rows(), OPTIONS | {"alpha": 2}, "alpha"),
    ],
)
def test_wrong_tables_and_options_are_refused(rows: dict, options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compare_learning_curves(rows, **options)


@pytest.mark.parametrize("style", ["text", "markdown", "latex", "html", "json"])
def test_every_format_renders_names_with_markup(style: str) -> None:
    shown = getattr(report, style)(compare_learning_curves(long_rows(names=("a_b", "<b>&")), n_test=50))

    assert ("<b>&" in shown) == (style in {"text", "json"})
    assert len(shown) > 1000


@pytest.mark.parametrize(("n_repeats", "expected"), [(29, ["few-repeats"]), (30, [])])
def test_largest_t_needs_many_repeats(n_repeats: int, expected: list[str]) -> None:
    rng = np.random.default_rng(3)
    scores = SCORES.mean(axis=1)[:, None] + rng.normal(0, 0.01, (2, n_repeats, 3))

    comparison = compare_learning_curves(long_rows(scores), **OPTIONS, adjust="max-t")

    assert codes(comparison) == expected
    test = learning_curve_test(*scores, n_train=SIZES, **OPTIONS, adjust="max-t")
    assert comparison.test.pvalue.tolist() == test.pvalue.tolist()
    assert "with the max-t adjustment for 3 training-set sizes, family-wise α = 0.05" in report.sentence(comparison)
    assert "max-t method with the multivariate t distribution (Hothorn" in report.markdown(comparison)
