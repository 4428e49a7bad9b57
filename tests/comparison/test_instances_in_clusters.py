"""`compare` with clusters of instances: whole clusters are exchanged, and a jackknife gives intervals and margins."""

from __future__ import annotations

import io
import itertools
import json
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evalstats import compare, gate, read_predictions, report, verify_report, which_test
from evalstats._errors import InvalidValueError
from evalstats.io import read_table
from evalstats.paired import clustered_ttest
from evalstats.tables import analyze_calibration
from evalstats.tables.errors import TableError

# of each of four patients with three images: the images that only A, and that only B classifies correctly
LEADS = ((3, 0), (2, 0), (1, 0), (0, 1))
METRICS = ("accuracy", "error_rate", "f1", "matthews_corrcoef", "roc_auc", "log_loss")


def rows(y_true: Any, of_classifier: dict[str, Any], patient: Any, **further: Any) -> dict[str, list[Any]]:
    """Return a row for each prediction of each classifier."""
    n, k = len(y_true), len(of_classifier)
    return {
        "instance": list(range(n)) * k,
        "classifier": [name for name in of_classifier for _ in range(n)],
        "patient": list(patient) * k,
        "y_true": list(y_true) * k,
        "y_pred": [label for labels in of_classifier.values() for label in labels],
        **{name: list(values) * k for name, values in further.items()},
    }


def worked() -> dict[str, list[Any]]:
    """Return the predictions of A and B for four patients, by `LEADS`."""
    is_right = {
        name: [i < a if name == "A" else i < b for a, b in LEADS for i in range(3)]  # the other images are both wrong
        for name in "AB"
    }
    y_true = [0, 1, 0] * 4
    return rows(
        y_true,
        {name: [y if own else 1 - y for y, own in zip(y_true, is_right[name], strict=True)] for name in "AB"},
        [f"patient {i}" for i in range(4) for _ in range(3)],
    )


def drawn(n_clusters: int = 8, size: int = 4, seed: int = 1, names: str = "AB") -> dict[str, list[Any]]:
    """Return labels and probabilities of classifiers that err in whole clusters."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(n_clusters), size)
    y_true = (rng.random(cluster.size) < 0.5).astype(int)
    y_true[:2] = 0, 1
    levels = {name: rng.standard_normal(n_clusters)[cluster] for name in names}
    scores = {
        name: 1 / (1 + np.exp(-(2 * y_true - 1 + level + rng.standard_normal(cluster.size))))
        for name, level in levels.items()
    }
    made = rows(y_true.tolist(), {name: (p > 0.5).astype(int).tolist() for name, p in scores.items()}, cluster.tolist())
    return made | {"y_score": [round(float(p), 4) for own in scores.values() for p in own]}


def compared(source: Any, metric: str = "accuracy", **choices: Any) -> Any:
    return compare(source, metric=metric, columns={"cluster": "patient"}, **choices)


def of_numbers(pair: Any) -> tuple[float, ...]:
    return pair.difference, pair.unadjusted_pvalue, pair.low, pair.high


# --- the test, the interval and the margins ---------------------------------------------------------------------------


def test_case_that_is_computed_by_hand() -> None:
    """The sums of +-3, +-2, +-1 and +-1 are at least as far from 0 as 5 in 6 of 16 cases; t has three degrees."""
    comparison = compared(worked())
    (pair,) = comparison.pairs
    leads = np.array([1, 2 / 3, 1 / 3, -1 / 3])
    half = stats.t.ppf(0.975, 3) * leads.std(ddof=1) / 2

    assert comparison.pair_test == "metric_permutation_test"
    assert pair.difference == pytest.approx(5 / 12)
    assert pair.unadjusted_pvalue == 6 / 16
    assert (pair.low, pair.high) == pytest.approx((5 / 12 - half, 5 / 12 + half))
    assert (comparison.n_clusters, comparison.columns) == (4, {"cluster": "patient"})
    assert comparison.validity.n_effective == pytest.approx(4)
    assert comparison.min_attainable_pvalue == 2 / 16
    assert "design-cannot-reach-alpha" in comparison.notes


def test_interval_of_accuracy_is_that_of_the_clustered_ttest() -> None:
    source = drawn(9, 3)
    rng = np.random.default_rng(3)
    kept = np.flatnonzero(np.tile(rng.random(27) < 0.7, 2))  # clusters of unequal size
    source = {name: [values[i] for i in kept] for name, values in source.items()}
    right = np.equal(source["y_true"], source["y_pred"]).reshape(2, -1).astype(float)
    expected = clustered_ttest(*right, clusters=source["patient"][: right.shape[1]]).confidence_interval()

    (pair,) = compared(source).pairs
    sign = 1 if pair.first == "A" else -1

    assert sorted((sign * pair.low, sign * pair.high)) == pytest.approx([expected.low, expected.high])


@pytest.mark.parametrize("metric", ["f1", "roc_auc", "log_loss"])
def test_exchanges_and_jackknife_are_those_of_the_definition(metric: str) -> None:
    from evalstats import metrics

    source, cluster = drawn(6, 5), np.repeat(np.arange(6), 5)
    y_true = np.array(source["y_true"][:30])
    told = np.array(source["y_pred" if metric == "f1" else "y_score"]).reshape(2, 30)
    score = {"f1": metrics.f1_score, "roc_auc": metrics.roc_auc_score, "log_loss": metrics.log_loss}[metric]
    ranked = stats.rankdata(told, axis=1) if metric == "roc_auc" else told

    def difference(values: Any, kept: Any = slice(None)) -> float:
        return float(score(y_true[kept], values[0][kept]) - score(y_true[kept], values[1][kept]))

    observed = difference(told)
    distances = []
    for swapped in itertools.product((False, True), repeat=6):
        at = np.array(swapped)[cluster]
        distances.append(abs(difference(np.where(at, ranked[::-1], ranked))))
    without = np.array([difference(told, cluster != one) for one in range(6)])
    half = stats.t.ppf(0.975, 5) * np.sqrt(5 / 6 * ((without - observed) ** 2).sum())

    (pair,) = compared(source, metric, pos_label=1).pairs
    sign = 1 if pair.first == "A" else -1

    assert sign * pair.difference == pytest.approx(observed)
    assert pair.unadjusted_pvalue == pytest.approx(np.mean(np.array(distances) >= abs(observed) - 1e-12))
    assert sorted((sign * pair.low, sign * pair.high)) == pytest.approx([observed - half, observed + half])


@pytest.mark.parametrize("metric", METRICS)
def test_clusters_of_one_instance_are_no_clusters(metric: str) -> None:
    source = drawn(24, 1)

    with_clusters = compared(source, metric, pos_label=1, n_resamples=199)
    alone = compare(source, metric=metric, pos_label=1, n_resamples=199)

    assert with_clusters.pair_test == alone.pair_test
    assert of_numbers(with_clusters.pairs[0]) == of_numbers(alone.pairs[0])
    assert with_clusters.n_clusters is None


@pytest.mark.parametrize("metric", METRICS)
def test_names_do_not_matter(metric: str) -> None:
    source = drawn()
    turned = {"A": "Z", "B": "Y"}
    renamed = source | {
        "classifier": [turned[name] for name in source["classifier"]],
        "patient": [f"p{99 - one}" for one in source["patient"]],
    }
    places = np.random.default_rng(0).permutation(len(source["y_true"]))
    renamed = {name: [values[i] for i in places] for name, values in renamed.items()}

    (before,), (after,) = compared(source, metric, pos_label=1).pairs, compared(renamed, metric, pos_label=1).pairs

    assert (after.first, after.second) == (turned[before.first], turned[before.second])
    assert of_numbers(after) == pytest.approx(of_numbers(before))


def test_labels_of_an_accuracy_can_be_swapped() -> None:
    source = drawn()
    swapped = source | {name: [1 - label for label in source[name]] for name in ("y_true", "y_pred")}

    assert of_numbers(compared(swapped).pairs[0]) == pytest.approx(of_numbers(compared(source).pairs[0]))


def test_copies_of_the_instances_in_their_cluster_are_no_evidence() -> None:
    source = drawn()
    twice = {name: values * 2 for name, values in source.items()}
    twice["instance"] = source["instance"] + [100 + one for one in source["instance"]]

    assert of_numbers(compared(twice).pairs[0]) == pytest.approx(of_numbers(compared(source).pairs[0]))
    assert compare(twice, metric="accuracy").pairs[0].pvalue < compare(source, metric="accuracy").pairs[0].pvalue


def test_several_classifiers_are_compared_in_pairs() -> None:
    comparison = compared(drawn(names="ABC"), "f1", pos_label=1, control="C")

    assert comparison.omnibus is None
    assert comparison.adjustment == "holm"
    assert len(comparison.tests) == len(comparison.pairs) == 2
    assert "clusters" in report.text(comparison)


@pytest.mark.parametrize("metric", ["accuracy", "f1", "roc_auc", "log_loss"])
def test_gate_and_compare_have_the_same_margins(metric: str) -> None:
    source = drawn(12)
    column = "y_pred" if metric in ("accuracy", "f1") else "y_score"
    sides = [
        {name: [value for value, who in zip(source[name], source["classifier"], strict=True) if who == classifier]
         for name in ("instance", "patient", "y_true", column)}
        for classifier in "AB"
    ]  # fmt: skip
    label = {} if metric == "accuracy" else {"pos_label": 1}

    task = gate(*sides, margin=0.1, metric=metric, cluster="patient", **label).tasks[0]
    (pair,) = compared(source, metric, margin=0.1, control="A", pos_label=1).margins.pairs

    assert (task.difference, task.low, task.high) == pytest.approx((pair.difference, pair.low, pair.high))
    assert task.pvalue_noninferiority == pytest.approx(pair.pvalue_noninferiority)


def test_margins_have_the_degrees_of_freedom_of_the_clusters() -> None:
    (pair,) = compared(drawn(10), "f1", pos_label=1, margin=0.3).margins.pairs
    error = (pair.high - pair.low) / 2 / stats.t.ppf(0.95, 9)

    assert pair.pvalue_noninferiority == pytest.approx(stats.t.sf((pair.difference + 0.3) / error, 9))


def test_metric_that_one_cluster_defines_has_no_interval() -> None:
    source = drawn(6, 3)
    source["y_true"] = [int(patient == 0) for patient in source["patient"]]

    comparison = compared(source, "roc_auc", pos_label=1, margin=0.1)
    (pair,) = comparison.pairs

    assert np.isnan((pair.low, pair.high)).all()
    assert not np.isnan(pair.pvalue)
    assert comparison.margins.pairs[0].verdict == "undecided"
    assert "if one of the clusters is left out, the metric is undefined" in report.text(comparison).replace("\n", " ")


# --- sources ----------------------------------------------------------------------------------------------------------


def test_every_layout_gives_the_same_comparison() -> None:
    source = drawn()
    n = len(source["y_true"]) // 2
    wide = {
        "instance": source["instance"][:n],
        "patient": source["patient"][:n],
        "y_true": source["y_true"][:n],
        **{name: source["y_pred"][i * n : (i + 1) * n] for i, name in enumerate("AB")},
    }
    labels = {name: values for name, values in source.items() if name != "y_score"}
    text = "\n".join([",".join(labels), *(",".join(map(str, row)) for row in zip(*labels.values(), strict=True))])
    expected = of_numbers(compared(labels).pairs[0])

    assert of_numbers(compared(wide).pairs[0]) == expected
    assert of_numbers(compared(io.StringIO(text)).pairs[0]) == expected
    assert of_numbers(compare(labels, cluster="patient").pairs[0]) == expected
    for read in (read_predictions, read_table):
        for one in (labels, wide):
            assert of_numbers(compare(read(one, columns={"cluster": "patient"})).pairs[0]) == expected


def test_answers_in_clusters_are_still_answers_to_questions() -> None:
    """A column of correct answers has clusters of questions, also beside true labels."""
    source = drawn()
    right = [int(a == b) for a, b in zip(source["y_true"], source["y_pred"], strict=True)]
    answers = {"question": source["instance"], "model": source["classifier"], "patient": source["patient"]}
    answers |= {"target": source["y_true"], "correct": right}

    assert compare(answers, columns={"cluster": "patient"}).design == "questions"


def test_advice_names_the_test_of_clusters() -> None:
    advice = which_test(drawn(), metric="roc_auc", pos_label=1, columns={"cluster": "patient"})
    alone = which_test(drawn(), metric="roc_auc", pos_label=1)

    assert (advice.test, advice.design.n_clusters) == ("metric_permutation_test", 8)
    assert (alone.test, alone.design.n_clusters) == ("delong_test", None)
    assert "n_clusters" not in alone.design.to_dict()
    assert any("clusters=" in one for one in alone.assumptions)


# --- other analyses, reports and verification -------------------------------------------------------------------------


def test_reports_tell_the_clusters() -> None:
    alone, told = (
        " ".join(report.text(one).split()) for one in (compare(drawn(), metric="f1", pos_label=1),
                                                       compared(drawn(), "f1", pos_label=1))
    )  # fmt: skip

    assert "name its column with --cluster COLUMN" in alone
    assert "32 instances in 8 clusters (column patient)" in told
    assert "--cluster" not in told
    methods = " ".join(report.text(compared(drawn()), part="methods").split())
    assert "each of the 8 clusters of the instances (column patient)" in methods


def test_saved_report_is_verified_with_its_data(tmp_path: Any) -> None:
    source = drawn()
    path = tmp_path / "predictions.csv"
    lines = [",".join(source), *(",".join(map(str, row)) for row in zip(*source.values(), strict=True))]
    path.write_text("\n".join(lines), encoding="utf-8")
    saved = report.json(compare(path, metric="f1", pos_label=1, cluster="patient", margin=0.1))

    assert json.loads(saved)["comparison"]["options"]["cluster"] == "patient"
    assert verify_report(io.StringIO(saved), data=path).status == "verified"
    others = saved.replace('"cluster": "patient"', '"cluster": "instance"')
    assert verify_report(io.StringIO(others), data=path).status == "not verified"


def test_record_without_clusters_has_no_field_of_them() -> None:
    told = json.loads(report.json(compare(drawn(), metric="f1", pos_label=1)))["comparison"]

    assert (told["n_clusters"], told["columns"]) == (None, {})
    assert "n_clusters" not in told["advice"]["design"]


def test_robustness_leaves_out_the_bootstrap() -> None:
    found = compared(drawn(names="ABC"), "f1", pos_label=1, robustness=True).robustness

    assert {one.posthoc_test for one in found.analyses} == {"permutation"}
    assert found.left_out == (("bootstrap", "the bootstrap of few clusters rejects too often"),)


def test_stability_and_subgroups_of_accuracy_use_the_clusters() -> None:
    source = drawn(20)
    source["sex"] = ["fm"[patient % 2] for patient in source["patient"]]

    comparison = compared(source, stability=True, subgroup="sex")

    assert comparison.stability.n_clusters == 20
    assert comparison.subgroups.pairs[0].test.n_instances.tolist() == [40, 40]


# --- what is refused --------------------------------------------------------------------------------------------------


def test_wrong_clusters_are_refused() -> None:
    source = drawn()
    n = len(source["patient"]) // 2

    with pytest.raises(InvalidValueError, match="two clusters or more, but all 32 instances are in 'p' of the column"):
        compared(source | {"patient": ["p"] * 2 * n})
    with pytest.raises(TableError, match="the name of a cluster is empty"):
        compared(source | {"patient": [1, 1, "", *source["patient"][3:]]})
    with pytest.raises(
        InvalidValueError, match="each instance must be in one cluster, but an instance is in '0', '9' of the column"
    ):
        compared(source | {"patient": [9, *source["patient"][1:]]})
    with pytest.raises(TableError, match="cluster must name a column"):
        compare(source, columns={"cluster": "hospital"})


@pytest.mark.parametrize(
    ("choices", "further", "words"),
    [
        ({"rope": 0.01}, {}, "not for rope"),
        ({"calibration": True, "metric": "brier", "pos_label": 1}, {}, "not for calibration"),
        ({"subgroup": "sex", "metric": "f1", "pos_label": 1}, {"sex": ["f", "m"] * 32}, "not for subgroups by f1"),
        ({}, {"dataset": (["x"] * 16 + ["y"] * 16) * 2}, "not for several datasets, which are the sample"),
        (
            {"aggregate": "mean", "metric": "f1", "pos_label": 1},
            {"fold": [1, 2] * 32},
            "not for the scores of folds",
        ),
    ],
    ids=["rope", "calibration", "subgroup", "datasets", "folds"],
)
def test_analyses_without_clusters_refuse_them(choices: dict, further: dict, words: str) -> None:
    rule = "cluster is for comparisons of classifiers on the instances of one test set, "

    with pytest.raises(InvalidValueError, match=rule + words):
        compare(drawn() | further, columns={"cluster": "patient"}, **choices)


def test_calibration_refuses_clusters() -> None:
    predictions = read_predictions(drawn(), pos_label=1, columns={"cluster": "patient"})

    with pytest.raises(InvalidValueError, match="not for calibration"):
        analyze_calibration(predictions)
