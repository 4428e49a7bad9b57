"""What to look at before summing up a cross-validation."""

from __future__ import annotations

import dataclasses
import itertools
from fractions import Fraction
from math import comb, prod

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

from evalstats import Finding
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.metrics import fold_checks
from evalstats.metrics.fold_checks import FoldCheck, _pvalue_of_one_scale, check_folds, empty_fold_probability
from evalstats.metrics.folds import FOLD_PRESETS, FoldPreset
from evalstats.metrics.forman_scholz import f1_fold_bias
from evalstats.metrics.ranking_folds import auc_over_folds

# Figure 9 of Forman & Scholz (2010) prints curves only; these are their values, by inclusion and exclusion in fractions
ONCE = {10: 0.99963712, 20: 0.7852626768, 30: 0.3708628107, 50: 0.05089764707, 100: 0.0002656048223}
IN_1000_TRIALS = {50: 1.0, 75: 0.9753828332, 90: 0.5332578627, 100: 0.2332849825}


def of_counts(tp: list[int], fp: list[int], fn: list[int], tn: int) -> dict[str, np.ndarray]:
    """Return labels with these counts in each fold."""
    folds, true, predicted = [], [], []
    for i, (a, b, c) in enumerate(zip(tp, fp, fn, strict=True), 1):
        true += [1] * a + [0] * b + [1] * c + [0] * tn
        predicted += [1] * a + [1] * b + [0] * c + [0] * tn
        folds += [i] * (a + b + c + tn)
    return {"y_true": np.array(true), "fold": np.array(folds), "y_pred": np.array(predicted)}


def codes(check: FoldCheck) -> list[str]:
    return [finding.code for finding in check]


def finding(check: FoldCheck, code: str) -> Finding:
    (found,) = (f for f in check if f.code == code)
    return found


def scores(shift: float, seed: int = 1, n: int = 400) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return labels, folds and scores whose scale moves from fold to fold."""
    rng = np.random.default_rng(seed)
    fold = np.arange(n) % 5
    y_true = (np.arange(n) // 5 % 4 == 0).astype(int)
    return y_true, fold, rng.normal(y_true) + shift * fold


def test_clean_folds_have_nothing_to_say() -> None:
    y_true, fold, score = scores(0)

    check = check_folds(y_true, fold, y_pred=y_true, y_score=score, rng=1)

    assert check.findings == ()
    assert check.sentences == ()
    assert (check.n_instances, check.n_positive, check.n_folds, check.is_stratified) == (400, 100, 5, True)
    assert check.fold_sizes.tolist() == [80] * 5
    assert check.fold_positives.tolist() == [20] * 5


def test_table_2_of_forman_and_scholz() -> None:
    """No case of the second fold is predicted positive: harmless for the summed counts, a bias for the mean."""
    data = of_counts([2, 0, 4, 4], [0, 0, 0, 0], [2, 4, 0, 0], tn=368)

    recommended, experimenter = (check_folds(**data, preset=p) for p in ("recommended", "weka-experimenter"))

    assert codes(recommended) == ["fold-without-predicted-positives", "f-values-differ"]
    assert {f.severity for f in recommended} == {"note"}
    assert finding(recommended, "fold-without-predicted-positives").named("fold") == (2,)
    spread = finding(recommended, "f-values-differ").numbers
    assert [round(100 * spread[way]) for way in ("mean", "precision_recall", "tp_fp")] == [67, 68, 77]
    assert [round(100 * spread[way]) for way in ("mean_skip", "precision_recall_skip")] == [89, 91]
    assert codes(experimenter) == ["fold-without-predicted-positives", "f-values-differ", "biased-f"]
    assert {f.severity for f in experimenter} == {"warning"}


def test_expected_bias_of_the_way_asked_for() -> None:
    data = of_counts([2, 0, 4, 4], [0, 0, 0, 0], [2, 4, 0, 0], tn=368)

    for preset, way in (
        ("weka-experimenter", "mean"),
        (dataclasses.replace(FOLD_PRESETS["recommended"], f1={"aggregate": "mean", "undefined": "skip"}), "mean_skip"),
    ):
        numbers = finding(check_folds(**data, preset=preset), "biased-f").numbers
        expected = f1_fold_bias(16, 1478, 4, 10 / 13, recall=10 / 16)
        assert numbers["relative_bias"] == pytest.approx(getattr(expected.relative_bias, way), rel=1e-12)


# cases, positives, true and false positives of each fold; whether the folds are stratified
FOLDS = {
    "alike": ([20] * 5, [4] * 5, [3, 4, 2, 3, 4], [1, 0, 2, 1, 0], True),
    "one-positive-each": ([100] * 10, [1] * 10, [1] * 8 + [0] * 2, [1, 1] + [0] * 8, True),
    "positives-at-random": ([30] * 3, [9, 3, 0], [8, 2, 0], [1, 1, 0], False),
    "one-large-fold": ([10, 10, 10, 70], [1, 1, 1, 7], [1, 1, 0, 6], [0, 0, 1, 1], True),
    "two-small-folds": ([5, 5, 90], [2, 2, 36], [1, 2, 30], [0, 1, 6], True),
    "one-small-fold": ([5, 95], [1, 19], [1, 15], [0, 4], True),
    "small-fold-at-random": ([10, 90], [0, 10], [0, 8], [0, 2], False),
    "all-called-positive": ([19, 19, 19], [14, 14, 14], [14, 14, 14], [5, 5, 5], True),
}


EACH_WAY = ("mean", "mean_skip", "precision_recall", "precision_recall_skip")


def preset_of(way: str) -> FoldPreset:
    undefined = "skip" if way.endswith("_skip") else "zero"
    f1 = {"aggregate": way.removesuffix("_skip"), "undefined": undefined}
    return dataclasses.replace(FOLD_PRESETS["recommended"], f1=f1)


def simulated_f(
    sizes: list[int], positives: list[int], recall: float, false_positive_rate: float, stratified: bool, n: int
) -> dict[str, np.ndarray]:
    """Draw n cross-validations of a classifier fold by fold, and sum up each as section 2.3 of the paper says."""
    rng = np.random.default_rng(20)
    size, n_positive = np.array(sizes), np.tile(positives, (n, 1))
    if not stratified:
        cases = np.repeat([1, 0], [sum(positives), sum(sizes) - sum(positives)])
        dealt = rng.permuted(np.tile(cases, (n, 1)), axis=1)
        n_positive = np.add.reduceat(dealt, np.cumsum([0, *sizes[:-1]]), axis=1)
    tp, fp = rng.binomial(n_positive, recall), rng.binomial(size - n_positive, false_positive_rate)
    defined = (tp + fp > 0) & (n_positive > 0)
    precision, found = (np.where(defined, tp / np.maximum(of, 1), 0) for of in (tp + fp, n_positive))
    f = np.where(defined, 2 * tp / np.maximum(tp + fp + n_positive, 1), 0)

    def harmonic(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.divide(2 * a * b, a + b, out=np.zeros_like(a), where=a + b > 0)

    some = defined.any(axis=1)
    f_of, precision_of, recall_of = (
        values[some].sum(axis=1) / defined[some].sum(axis=1) for values in (f, precision, found)
    )
    return {
        "mean": f.mean(axis=1),
        "mean_skip": f_of,
        "precision_recall": harmonic(precision.mean(axis=1), found.mean(axis=1)),
        "precision_recall_skip": harmonic(precision_of, recall_of),
    }


@pytest.mark.long
@pytest.mark.parametrize("name", FOLDS)
@pytest.mark.parametrize("affordable", [None, 0], ids=["exact", "simulated"])
def test_f_is_called_biased_where_a_simulation_of_these_folds_is_off_by_one_per_cent(
    name: str, affordable: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bias is that of the folds as they are, however large each; within five standard errors of both."""
    sizes, positives, tp, fp, stratified = FOLDS[name]
    if affordable is not None:
        monkeypatch.setattr(fold_checks, "AFFORDABLE", affordable)
    of_folds = [labels_of(i, *fold) for i, fold in enumerate(zip(sizes, positives, tp, fp, strict=True))]
    y_true, fold, y_pred = (np.concatenate(parts) for parts in zip(*of_folds, strict=True))
    recall, rate = sum(tp) / sum(positives), sum(fp) / (sum(sizes) - sum(positives))
    f = 2 * sum(tp) / (sum(tp) + sum(fp) + sum(positives))
    drawn = simulated_f(sizes, positives, recall, rate, stratified, 100_000)

    for way in EACH_WAY:
        relative = drawn[way].mean() / f - 1
        error = drawn[way].std() / f * (1 / np.sqrt(len(drawn[way])) + (affordable is not None) / np.sqrt(20_000))
        found = [
            x for x in check_folds(y_true, fold, y_pred=y_pred, preset=preset_of(way), rng=1) if x.code == "biased-f"
        ]
        if found:
            assert found[0].numbers["relative_bias"] == pytest.approx(relative, abs=5 * error + 1e-12)
        if abs(abs(relative) - 0.01) > 5 * error:
            assert bool(found) == (abs(relative) >= 0.01)


def labels_of(i: int, size: int, positives: int, tp: int, fp: int) -> tuple[list[int], list[int], list[int]]:
    predicted = [1] * tp + [0] * (positives - tp) + [1] * fp + [0] * (size - positives - fp)
    return [1] * positives + [0] * (size - positives), [i] * size, predicted


@given(st.integers(1, 40), st.integers(1, 40), st.integers(2, 6), st.integers(0, 99))
def test_classifier_that_calls_all_cases_positive_is_checked(p: int, m: int, k: int, seed: int) -> None:
    """Its false positive rate is 1, not a rounding error more, which would be that of no classifier."""
    y_true = np.random.default_rng(seed).permuted([1] * p + [0] * m)
    fold = np.arange(p + m) % k

    check = check_folds(y_true, fold, y_pred=np.ones(p + m, dtype=int), preset="weka-experimenter", pos_label=1, rng=0)

    assert all(np.isfinite(list(x.numbers.values())).all() for x in check)


def test_folds_without_a_class() -> None:
    check = check_folds([1, 1, 0, 0, 1, 0], ["a", "a", "b", "b", "c", "c"])

    assert codes(check)[:2] == ["fold-without-positives", "fold-without-negatives"]
    assert finding(check, "fold-without-positives").named("fold") == ("b",)
    assert finding(check, "fold-without-negatives").named("fold") == ("a",)
    said = "error: no instance is positive in 1 of 3 folds (b): recall and AUC are undefined there"
    assert check.sentences[0] == said


def test_fewer_positives_than_folds() -> None:
    check = check_folds([1, 0, 1, 0, 0, 0, 0, 0], [1, 1, 2, 2, 3, 3, 4, 4])

    assert check.sentences == (
        "error: no instance is positive in 2 of 4 folds (3, 4): recall and AUC are undefined there",
        "error: 2 positive instances cannot fill 4 folds: at least 2 folds have none",
    )


def test_many_folds_are_not_all_named() -> None:
    check = check_folds([1] + [0] * 9, list(range(10)))

    assert "9 of 10 folds (1, 2, 3, 4, 5, ...)" in check.sentences[0]


@pytest.mark.parametrize(("n_cross_validations", "severity"), [(1, "note"), (100, "warning")])
def test_unstratified_folds_with_the_probability_of_figure_9(n_cross_validations: int, severity: str) -> None:
    """62 positives in ten folds of 100: 1.4 in 100 such experiments leave a fold without any."""
    positives = [2, 10, 6, 6, 6, 6, 6, 6, 6, 8]
    y_true = np.concatenate([[1] * p + [0] * (100 - p) for p in positives])

    found = finding(
        check_folds(y_true, np.repeat(np.arange(10), 100), n_cross_validations=n_cross_validations), "not-stratified"
    )

    assert found.severity == severity
    assert (found.numbers["fewest_positives"], found.numbers["most_positives"]) == (2, 10)
    assert found.numbers["probability"] == empty_fold_probability(62, 10, fold_sizes=100)
    assert found.numbers["probability_with_replacement"] == empty_fold_probability(62, 10)
    in_trials = empty_fold_probability(62, 10, fold_sizes=100, n_cross_validations=n_cross_validations)
    assert found.numbers["probability_in_trials"] == in_trials


@given(st.integers(10, 60), st.integers(10, 60), st.integers(2, 8), st.integers(0, 99))
def test_stratified_folds_of_scikit_learn_are_stratified(p: int, m: int, k: int, seed: int) -> None:
    y_true = np.random.default_rng(seed).permuted([1] * p + [0] * m)
    fold = np.empty(p + m, dtype=int)
    for i, (_, test) in enumerate(StratifiedKFold(k, shuffle=True, random_state=seed).split(y_true, y_true)):
        fold[test] = i

    check = check_folds(y_true, fold)

    assert check.is_stratified
    assert check.findings == ()


def test_folds_of_unequal_size() -> None:
    """30 of 50 right and 10 of 10 right: .667 pooled, .8 on average."""
    data = of_counts([10, 3], [10, 0], [10, 0], tn=20)
    data = {name: np.delete(values, np.arange(53, 66)) for name, values in data.items()}

    found = finding(check_folds(**data), "unequal-folds")

    assert found.severity == "note"
    assert found.numbers["pooled"] == pytest.approx(40 / 60)
    assert found.numbers["mean"] == pytest.approx(0.8)
    assert found.sentence.endswith("(0.6667 against 0.8000)")
    assert "pooled" not in finding(check_folds(data["y_true"], data["fold"]), "unequal-folds").numbers


def test_cases_that_stand_in_several_folds() -> None:
    patients = ["ann", "bob", "ann", "cid", "dan", "dan"]

    check = check_folds([1, 0, 1, 0, 1, 0], [1, 1, 2, 2, 3, 3], groups=patients)

    found = finding(check, "rows-in-several-folds")
    assert found.severity == "error"
    assert found.places == ({"fold": 1}, {"fold": 2})
    assert found.numbers == {"n_shared": 1, "n_keys": 4}


@pytest.mark.parametrize(("preset", "severity"), [("recommended", "note"), ("weka-explorer", "warning")])
def test_shifted_scores_are_found(preset: str, severity: str) -> None:
    """It matters to those who merge the scores of the folds."""
    y_true, fold, score = scores(shift=1.0)

    found = finding(check_folds(y_true, fold, y_score=score, preset=preset, rng=1), "uncalibrated-folds")

    assert found.severity == severity
    assert found.numbers["pvalue"] == 1 / 1000
    assert found.numbers["mean"] == pytest.approx(auc_over_folds(y_true, score, fold), rel=1e-12)
    assert found.numbers["merge"] == auc_over_folds(y_true, score, fold, aggregate="merge")
    assert found.numbers["difference"] > 0.05


def test_level_of_the_test_of_one_scale() -> None:
    """Scores on one scale are called shifted in 5% of 400 experiments, whatever the sizes of folds and classes."""
    rng = np.random.default_rng(2)
    rejected = 0
    for _ in range(400):
        y_true = rng.random(80) < 0.3
        check = check_folds(y_true, rng.integers(0, 4, 80), y_score=rng.normal(y_true), n_resamples=99, rng=rng)
        rejected += "uncalibrated-folds" in codes(check)

    assert 0.02 * 400 < rejected < 0.09 * 400


def test_pvalue_is_the_share_of_all_permutations() -> None:
    """Four positives in two folds: all 24 orders of their folds, by the definition."""
    rng = np.random.default_rng(3)
    fold = np.repeat([0, 1], 7)
    positive = np.tile([True, True, False, False, False, False, False], 2)
    score = rng.normal(positive) + fold

    pvalue = _pvalue_of_one_scale(positive, score, fold, 20_000, rng)

    observed, as_large, n = auc_over_folds(positive, score, fold), 0, 0
    for order in itertools.permutations(fold[positive]):
        permuted = fold.copy()
        permuted[positive] = order
        as_large += auc_over_folds(positive, score, permuted) >= observed - 1e-12
        n += 1
    assert pvalue == pytest.approx(as_large / n, abs=0.015)


def test_rarer_class_is_the_one_permuted() -> None:
    """Turning the classes and the scores around leaves the test as it is."""
    y_true, fold, score = scores(shift=0.3)

    pvalues = [
        _pvalue_of_one_scale(y == 1, s, fold, 199, np.random.default_rng(4))
        for y, s in ((y_true, score), (1 - y_true, -score))
    ]
    assert pvalues[0] == pvalues[1]


def test_seed_repeats_the_test() -> None:
    y_true, fold, score = scores(shift=0.3)

    first, again = (check_folds(y_true, fold, y_score=score, alpha=0.9, rng=5).to_dict() for _ in range(2))
    assert first == again


def test_scores_of_folds_of_one_class_are_left_out() -> None:
    y_true, fold, score = scores(shift=1.0)
    y_true = np.where(fold == 0, 0, y_true)

    found = finding(check_folds(y_true, fold, y_score=score, rng=1), "uncalibrated-folds")

    kept = fold != 0
    assert found.numbers["mean"] == pytest.approx(auc_over_folds(y_true[kept], score[kept], fold[kept]), rel=1e-12)


def test_gravest_findings_come_first() -> None:
    rng = np.random.default_rng(6)
    y_true, fold = (rng.random(300) < 0.05).astype(int), rng.integers(0, 10, 300)

    check = check_folds(
        y_true, fold, y_pred=rng.permuted(y_true), preset="weka-experimenter", groups=rng.integers(0, 200, 300)
    )

    order = [("error", "warning", "note").index(f.severity) for f in check]
    assert order == sorted(order)
    assert {"error", "warning", "note"} == {f.severity for f in check}


def test_findings_are_data() -> None:
    check = check_folds([1, 1, 0, 0], [1, 1, 2, 2])

    plain = check.to_dict()
    assert plain["findings"][0]["code"] == "fold-without-positives"
    assert plain["findings"][0]["places"] == [{"fold": 2}]
    with pytest.raises(dataclasses.FrozenInstanceError):
        check.findings[0].code = "other"


@pytest.mark.parametrize(("positive", "other"), [(True, False), (1, 0), (1, -1), ("yes", "no")])
def test_positive_class(positive: object, other: object) -> None:
    """True, 1, the greater of two, or the one named."""
    y_true = [positive, other, other, positive, other, other]
    fold = [1, 1, 1, 2, 2, 2]

    assert check_folds(y_true, fold).fold_positives.tolist() == [1, 1]
    assert check_folds(y_true, fold, pos_label=other).fold_positives.tolist() == [2, 2]


def test_no_positive_at_all() -> None:
    check = check_folds([0, 0, 0, 0], [1, 1, 2, 2], y_pred=[0, 1, 0, 0], y_score=[1, 2, 3, 4])

    assert check.n_positive == 0
    assert codes(check) == [
        "fold-without-positives",
        "fewer-positives-than-folds",
        "fold-without-predicted-positives",
    ]
    with pytest.raises(InvalidValueError, match="pos_label must be one of 'a', 'b', not 'c'"):
        check_folds(list("abab"), [1, 1, 2, 2], pos_label="c")


def test_one_class_of_several_is_checked_by_itself() -> None:
    y_true, fold = ["a", "b", "c", "a", "b", "b"], [1, 1, 1, 2, 2, 2]

    assert codes(check_folds(y_true, fold, y_pred=y_true, pos_label="c")) == [
        "fold-without-positives",
        "fewer-positives-than-folds",
        "fold-without-predicted-positives",
        "f-values-differ",
    ]
    with pytest.raises(InvalidValueError, match="pos_label must name the positive class: y_true holds 'a', 'b', 'c'"):
        check_folds(y_true, fold)


def test_messages() -> None:
    y_true, fold = [1, 0, 1, 0], [1, 1, 2, 2]

    with pytest.raises(
        InvalidValueError, match=r"fold must have the shape \(n,\) of y_true, \(4,\), but its shape is \(3,\)"
    ):
        check_folds(y_true, fold[:3])
    with pytest.raises(InvalidValueError, match="y_score must be finite"):
        check_folds(y_true, fold, y_score=[1, 2, np.nan, 3])
    with pytest.raises(InvalidTypeError, match="y_true and y_pred must hold labels of one kind"):
        check_folds(y_true, fold, y_pred=list("abab"))
    with pytest.raises(InvalidTypeError, match="pos_label must be of the same kind as y_true"):
        check_folds(y_true, fold, pos_label="yes")
    with pytest.raises(InvalidValueError, match="preset must be 'recommended' or 'weka-explorer' or"):
        check_folds(y_true, fold, preset="weka")
    with pytest.raises(InvalidValueError, match=r"preset.f1\['aggregate'\] must be 'tp_fp' or"):
        check_folds(y_true, fold, preset=dataclasses.replace(FOLD_PRESETS["recommended"], f1={"aggregate": "micro"}))
    with pytest.raises(InvalidValueError, match=r"preset.f1\['undefined'\] must be 'zero' or 'skip' or"):
        check_folds(y_true, fold, preset=dataclasses.replace(FOLD_PRESETS["recommended"], f1={"undefined": "nan"}))
    with pytest.raises(InvalidValueError, match="alpha must lie between 0 and 1, not 0"):
        check_folds(y_true, fold, alpha=0)
    with pytest.raises(InvalidValueError, match="equal indexes"):
        check_folds(pd.Series(y_true), pd.Series(fold, index=[3, 2, 1, 0]))


def by_inclusion_and_exclusion(n_positive: int, n_folds: int) -> Fraction:
    terms = (
        (-1) ** (j + 1) * comb(n_folds, j) * Fraction(n_folds - j, n_folds) ** n_positive for j in range(1, n_folds + 1)
    )
    return sum(terms, Fraction(0))


def by_enumeration(n_positive: int, sizes: list[int]) -> Fraction:
    """Count the ways to put positives on places that leave some fold empty."""
    ways = 0
    for dealt in itertools.product(*(range(size + 1) for size in sizes)):
        if sum(dealt) == n_positive and 0 in dealt:
            ways += prod(comb(size, p) for size, p in zip(sizes, dealt, strict=True))
    return Fraction(ways, comb(sum(sizes), n_positive))


def test_two_positives_in_two_folds_by_hand() -> None:
    """Both in the same fold: half of the time, or 2 x 1 of the 6 pairs of four places."""
    assert empty_fold_probability(2, 2) == 0.5
    assert empty_fold_probability(2, 2, fold_sizes=2) == pytest.approx(1 / 3, rel=1e-15)


def test_curve_of_figure_9() -> None:
    np.testing.assert_allclose(empty_fold_probability(list(ONCE), 10), list(ONCE.values()), rtol=1e-9)


def test_second_curve_of_figure_9() -> None:
    """Over 1000 trials it is more likely than not up to 90 positives: with 91 it is 0.497."""
    in_trials = empty_fold_probability(list(IN_1000_TRIALS), 10, n_cross_validations=1000)

    np.testing.assert_allclose(in_trials, list(IN_1000_TRIALS.values()), rtol=1e-9)
    assert empty_fold_probability(91, 10, n_cross_validations=1000) < 0.5


def test_thousand_cases_in_ten_folds() -> None:
    """Without replacement it is a little less likely."""
    probability = empty_fold_probability([10, 20, 50], 10, fold_sizes=100)

    np.testing.assert_allclose(probability, [0.9996203631, 0.777215779, 0.04429190215], rtol=1e-9)


@given(st.integers(0, 400), st.integers(1, 12))
def test_inclusion_and_exclusion(n_positive: int, n_folds: int) -> None:
    """Exact to the last digits, far into the tail, where a difference from one would be rounded to zero."""
    expected = float(by_inclusion_and_exclusion(n_positive, n_folds)) if n_positive else 1.0

    assert empty_fold_probability(n_positive, n_folds) == pytest.approx(expected, rel=1e-13)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_enumeration_of_unequal_folds(sizes: list[int], data: st.DataObject) -> None:
    n_positive = data.draw(st.integers(0, sum(sizes)))

    probability = empty_fold_probability(n_positive, len(sizes), fold_sizes=sizes)
    assert probability == pytest.approx(float(by_enumeration(n_positive, sizes)), abs=1e-14)


def test_hundred_folds() -> None:
    """The alternating sum would have terms of 1e29."""
    assert empty_fold_probability(500, 100) == pytest.approx(float(by_inclusion_and_exclusion(500, 100)), rel=1e-13)


def test_certain_cases() -> None:
    assert empty_fold_probability([0, 9], 10).tolist() == [1, 1]
    assert empty_fold_probability(1, 1) == 0
    assert empty_fold_probability(9, 10, n_cross_validations=5) == 1


def test_shape_of_the_answer() -> None:
    assert isinstance(empty_fold_probability(20, 10), float)
    assert empty_fold_probability([[20, 30], [40, 50]], 10).shape == (2, 2)


def test_messages_of_empty_folds() -> None:
    with pytest.raises(InvalidTypeError, match=r"n_positive must be a whole number, not 2\.5"):
        empty_fold_probability(2.5, 10)
    with pytest.raises(InvalidValueError, match="n_positive must be at least 0, not -1"):
        empty_fold_probability(-1, 10)
    with pytest.raises(InvalidValueError, match=r"must be one number or 10 numbers, but its shape is \(2,\)"):
        empty_fold_probability(20, 10, fold_sizes=[1, 2])
    with pytest.raises(InvalidValueError, match="n_positive must not exceed the 20 instances of all folds, but is 21"):
        empty_fold_probability(21, 2, fold_sizes=10)
    with pytest.raises(InvalidValueError, match="n_cross_validations must be at least 1"):
        empty_fold_probability(20, 10, n_cross_validations=0)
