"""Two columns of one classifier are not two classifiers: what is not a score on new data is left out, and said."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd
import pytest

from evalstats import TableError, read_table
from evalstats.io.columns.kinds import is_kind, role_of, same_again

DATASETS = ["a", "b", "c", "d"]
TEST = {"LR": [0.8, 0.7, 0.9, 0.6], "C4.5": [0.7, 0.75, 0.8, 0.5], "k-NN": [0.6, 0.8, 0.85, 0.55]}


def beside(form: str, *kinds: str) -> pd.DataFrame:
    """Return a table of three classifiers with a column for each kind; the last kind holds the scores."""
    columns: dict[str, Any] = {"dataset": DATASETS}
    for name, scores in TEST.items():
        for i, kind in enumerate(kinds, 1):
            columns[form.format(name, kind)] = scores if i == len(kinds) else [one / (i + 1) for one in scores]
    return pd.DataFrame(columns)


def sources(frame: pd.DataFrame) -> tuple[Any, ...]:
    return frame, io.StringIO(frame.to_csv(index=False)), io.StringIO(frame.to_json(orient="records"))


@pytest.mark.parametrize(
    ("form", "kinds", "reason"),
    [
        ("{} {}", ("train", "test"), "contains the training score of LR"),
        ("{}_{}", ("train", "test"), "contains the training score of LR"),
        ("{1}_{0}", ("train", "test"), "contains the training score of LR"),
        ("{}{}", ("Train", "Test"), "contains the training score of LR"),
        ("{} ({})", ("Training", "Test"), "contains the training score of LR"),
        ("{}/{}", ("train", "val", "test"), "contains the training score of LR"),
        ("{}_{}", ("train_score", "test_score"), "contains the training score of LR"),
        ("{1}_{0}", ("std", "mean"), "contains the std of LR"),
        ("{}.{}", ("sd", "mean"), "contains the sd of LR"),
        ("{}_{}", ("fit_time", "score_time", "score"), "contains the fit_time of LR"),
        ("{}_{}", ("ci_low", "ci_high", "mean"), "contains the ci_low of LR"),
        ("{} {}", ("rank", "score"), "contains the rank of LR"),
        ("{}_{}", ("min", "max", "mean"), "contains the best or worst score of LR"),
        ("{}_{}", ("train", "validation"), "contains the training score of LR"),
    ],
)
def test_one_kind_is_compared_and_the_others_are_said(form: str, kinds: tuple[str, ...], reason: str) -> None:
    for source in sources(beside(form, *kinds)):
        table = read_table(source)

        assert table.classifiers == tuple(TEST)
        assert table.scores.T.tolist() == list(TEST.values())
        assert table.left_out[0].reason == reason
        assert len(table.left_out) == 3 * (len(kinds) - 1)
        assert "kinds-of-columns" in [one.code for one in table.findings]


def test_kinds_in_a_row_of_their_own_are_the_same() -> None:
    frame = beside("{}|{}", "train", "fit time", "test").set_index("dataset")
    for order in (1, -1):
        levels = pd.MultiIndex.from_tuples([tuple(name.split("|"))[::order] for name in frame.columns])

        table = read_table(frame.set_axis(levels, axis=1))

        assert table.classifiers == tuple(TEST)
        assert table.scores.T.tolist() == list(TEST.values())
        assert "'test' are compared, and 'train', 'fit time' are not" in table.findings[0].sentence


def test_a_metric_in_every_name_is_the_metric() -> None:
    table = read_table(beside("{}_{}", "rmse"))

    assert (table.metric, table.greater_is_better, table.classifiers) == ("rmse", False, tuple(TEST))
    assert read_table(beside("{}_{}", "time", "error rate")).greater_is_better is False


def test_spread_is_kept_beside_means() -> None:
    table = read_table(beside("{}_{}", "std", "mean"))

    assert table.spread is not None
    assert table.spread[:, 0].tolist() == [one / 2 for one in TEST["LR"]]


def test_what_may_be_either_is_asked_for() -> None:
    two = beside("{}_{}", "f1", "accuracy")

    with pytest.raises(
        TableError, match=r"several of them may hold the scores: 'f1', 'accuracy'; choose one, .* metric='f1'"
    ):
        read_table(two)
    assert read_table(two, metric="accuracy").scores.T.tolist() == list(TEST.values())
    with pytest.raises(TableError, match="hold the training score of each classifier, not scores on new data"):
        read_table(beside("{}_{}", "train"))
    with pytest.raises(TableError, match="of each classifier hold no scores on new data"):
        read_table(beside("{}_{}", "time", "train"))
    with pytest.raises(TableError, match=r"'LR_test' seem to belong to one classifier, .* drop='LR_test'"):
        read_table(beside("{}_{}", "train", "test").drop(columns="k-NN_train"))
    with pytest.raises(TableError, match=r"'LR' and 'LR_test' seem to belong to one classifier; .* keep='LR_test'"):
        read_table(beside("{}", "x").assign(LR_test=TEST["LR"]))


def test_a_layout_that_is_asked_for_takes_columns_as_they_are() -> None:
    assert len(read_table(beside("{}_{}", "train", "test"), rows_are="datasets").classifiers) == 6


def test_columns_that_are_kept_are_classifiers() -> None:
    table = read_table(beside("{}", "x").assign(LR_time=TEST["LR"], NB_time=TEST["LR"]), keep="LR_time")

    assert table.classifiers == (*TEST, "LR_time", "NB_time")


def test_names_with_the_words_of_kinds_stay_classifiers() -> None:
    """Pairs are needed: the words alone may belong to a name."""
    for names in (["Mean shift", "Rank SVM", "cost tree"], ["SVM", "SVM cost", "NB"], ["set a", "set f", "set x"]):
        frame = pd.DataFrame(dict(zip(names, TEST.values(), strict=True)), index=DATASETS)
        assert read_table(frame).classifiers == tuple(names)


def test_roles_follow_the_word_that_decides() -> None:
    phrases = ["test acc", "std_test_score", "fit time (s)", "95% CI", "p-value", "lb", "mean", "set f", "train f1"]

    assert [role_of(one) for one in phrases] == [
        *("metric", "spread", "time", "spread", "p-value", None, "mean", None, "training"),
    ]
    assert not is_kind("LR")


def test_numbered_columns_of_several_names_are_runs() -> None:
    assert same_again(["LR_1", "LR_2", "NB_1", "NB_2"]) == ["LR", "NB"]
    assert same_again(["LR", "LR.1", "NB", "NB.1"]) == ["LR", "NB"]
    assert same_again(["C4.5", "C5.0", "svm1"]) == []
    assert same_again(["resnet18", "resnet34", "vgg16", "vgg19"]) == []
    with pytest.raises(TableError, match="may be runs of one classifier"):
        read_table(pd.DataFrame(0.5, index=DATASETS, columns=["LR_1", "LR_2", "NB_1", "NB_2"]))


def test_numbers_of_high_precision_values_are_no_runs() -> None:
    assert same_again([f"a{'9' * 5000}", f"b{'9' * 5000}"]) == []


@pytest.mark.parametrize(
    "names",
    [
        ["SE-ResNet", "ResNet", "VGG"],
        ["SE-ResNet", "SE-Inception", "LR"],
        ["TestNet", "TrainNet", "ValNet"],
        ["RankSVM", "AUC-SVM", "LR"],
        ["Rank-SVM", "Precision-SVM", "SVM"],
        ["Max rule", "Min rule", "LR"],
        ["AVG ensemble", "Max ensemble", "Median ensemble"],
        ["MLP-test", "Time-CNN", "CNN (val)"],
        ["RandomForest_100", "1NN", "F1-boost"],
    ],
)
def test_classifiers_whose_values_or_number_contradict_a_kind_are_classifiers(names: list[str]) -> None:
    frame = pd.DataFrame(dict(zip(names, TEST.values(), strict=True)), index=DATASETS)
    for source in (frame, io.StringIO(frame.to_csv()), io.StringIO((frame * 100).to_csv(sep="\t"))):
        table = read_table(source)

        assert (table.classifiers, table.left_out) == (tuple(names), ())
    sizes = pd.DataFrame(dict(zip(["Size-NB", "NB", "LR"], TEST.values(), strict=True)), index=DATASETS)
    assert len(read_table(sizes).classifiers) == 3
    assert read_table(sizes.assign(**{"Size-NB": [12, 25, 31, 8]})).classifiers == ("NB", "LR")


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (("Acc. Naive Bayes (%)", "Acc. SVM (%)"), ("Naive Bayes (%)", "SVM (%)")),
        (("acc SVM (RBF)", "acc SVM [linear]"), ("SVM (RBF)", "SVM [linear]")),
        (("(fast) SVM acc", "(slow) SVM acc"), ("(fast) SVM", "(slow) SVM")),
        (("SVM (acc)", "NB [acc]"), ("SVM", "NB")),
    ],
)
def test_a_bracket_and_its_partner_stay_together(header: tuple[str, str], names: tuple[str, str]) -> None:
    table = read_table({"dataset": ["iris", "wine"], header[0]: [90.0, 80.0], header[1]: [80.0, 70.0]})

    assert table.classifiers == names


def test_direction_comes_from_all_words_that_the_columns_share() -> None:
    """A part of them may be a metric with the opposite direction."""
    for shared, greater_is_better in {
        "neg_log_loss": True,
        "1-AUC": False,
        "1 - error rate": True,
        "false positive rate": False,
        "Hamming loss": False,
        "recall at 1% FPR": True,
        "Fehlerrate": False,
    }.items():
        sign = -1 if shared == "neg_log_loss" else 1
        for pattern in ("{}_" + shared, "{} (" + shared + ")", shared + "_{}"):
            scores = {pattern.format(name): [0.1 * sign, 0.2 * sign] for name in ("LR", "RF", "SVM")}

            table = read_table({"dataset": ["iris", "wine"], **scores})

            assert (table.classifiers, table.greater_is_better) == (("LR", "RF", "SVM"), greater_is_better), pattern


def test_layout_does_not_hide_the_metric_of_all_columns() -> None:
    frame = {"dataset": ["iris", "wine"], "Alpha_rmse": [0.1, 0.2], "Beta_rmse": [0.3, 0.1]}

    table = read_table(frame, layout="wide")

    assert (table.classifiers, table.metric, table.greater_is_better) == (("Alpha_rmse", "Beta_rmse"), "rmse", False)


def test_training_scores_with_an_unknown_word_are_rejected() -> None:
    frame = {"dataset": ["iris", "wine"], "LR_train_Hamming_loss": [0.1, 0.2], "RF_train_Hamming_loss": [0.3, 0.1]}

    with pytest.raises(TableError, match="hold the training score of each classifier"):
        read_table(frame)


@pytest.mark.parametrize(
    ("metric", "is_better"),
    [("1-shot accuracy", True), ("5-shot accuracy", True), ("1-NN error", False), ("1 - AUC", False)],
)
def test_a_number_joined_to_a_word_belongs_to_the_metric(metric: str, is_better: bool) -> None:
    table = read_table({"dataset": ["a", "b"], f"NB {metric}": [0.3, 0.6], f"SVM {metric}": [0.4, 0.5]})

    assert (table.classifiers, table.metric, table.greater_is_better) == (("NB", "SVM"), metric, is_better)


@pytest.mark.parametrize(
    ("unit", "metric"),
    [
        *(
            ("(s)", "seconds"),
            ("[min]", "minutes"),
            ("[h]", "hours"),
            ("(ms/image)", "ms/image"),
            ("ms/image", "ms/image"),
        ),
        *(("(MB)", "MB"), ("[GB]", "GB"), ("($)", "$"), ("(kWh)", "kWh"), ("(s/epoch)", "s/epoch")),
    ],
)
def test_unit_of_all_columns_is_a_metric_of_which_less_is_better(unit: str, metric: str) -> None:
    table = read_table({"data": ["a", "b"], f"NB {unit}": [1.5, 2.5], f"SVM {unit}": [2.5, 3.5]})

    assert table.classifiers == ("NB", "SVM")
    assert (table.metric, table.greater_is_better) == (metric, False)


@pytest.mark.parametrize("unit", ["(M)", "[K]", "(min)"])
def test_what_may_be_a_unit_of_all_columns_warns(unit: str) -> None:
    """Millions of parameters were compared as scores without a word."""
    data = {"data": ["a", "b"], f"NB {unit}": [1.5, 2.5], f"SVM {unit}": [2.5, 3.5]}
    (told,) = (str(finding) for finding in read_table(data).findings if finding.code == "unknown-direction")

    assert told.startswith(f"warning: The names of all classifiers end in {unit}, which may be a unit. It is not known")
    assert not any(one.code == "unknown-direction" for one in read_table(data, greater_is_better=False).findings)


def test_gradient_boosting_in_all_names_is_no_unit() -> None:
    assert read_table({"data": ["a", "b"], "NB_GB": [1.5, 2.5], "SVM_GB": [2.5, 3.5]}).metric == "score"


@pytest.mark.parametrize("form", ["{} (MB)", "{} [GB]", "{} (s)", "{} (kWh)", "{}($)", "{} (%)"])
def test_columns_in_a_unit_are_left_out_beside_columns_without_it(form: str) -> None:
    """They were read as other classifiers: 'LR (MB)' beside 'LR'."""
    columns: dict[str, Any] = {"dataset": DATASETS}
    for name, scores in TEST.items():
        columns |= {name: scores, form.format(name): [1200 + 100 * score for score in scores]}
    alike = {"dataset": DATASETS, **TEST, form.format("LR"): TEST["k-NN"]}  # MB may be a variant of LR

    for source in sources(pd.DataFrame(columns)):
        table = read_table(source)
        assert table.classifiers == tuple(TEST)
        assert [one.name for one in table.left_out] == [form.format(name) for name in TEST]
    source = pd.DataFrame(alike)
    with pytest.raises(TableError, match=r"has the name of another column and a unit") as raised:
        read_table(source)
    assert raised.value.argument == "drop"
    assert read_table(source, drop=raised.value.value).classifiers == tuple(TEST)
    assert read_table(source, keep=raised.value.value).classifiers == (*TEST, form.format("LR"))


def test_variants_in_brackets_are_classifiers() -> None:
    frame = pd.DataFrame({"dataset": DATASETS, "LR": TEST["LR"], "LR (tuned)": TEST["k-NN"], "LR (B)": TEST["C4.5"]})

    assert read_table(frame).classifiers == ("LR", "LR (tuned)", "LR (B)")


def test_values_of_a_setting_are_no_kinds() -> None:
    table = read_table({"dataset": ["a", "b"], "RF(n=0)": [0.1, 0.2], "RF(n=1)": [0.2, 0.3], "RF(n=2)": [0.3, 0.4]})

    assert table.classifiers == ("RF(n=0)", "RF(n=1)", "RF(n=2)")
