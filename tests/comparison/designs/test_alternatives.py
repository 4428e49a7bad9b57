"""Every valid analysis of folds and of cases, each by itself, and what the decision hangs on."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from evalstats import InvalidValueError, adjust_pairwise, adjust_pvalues, compare, corrected_ttest, ttest_5x2cv
from evalstats.paired import mcnemar_test


def folds(*levels: float, n_folds: int = 10, n_repeats: int = 1, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        ("ABCD"[j], repeat, fold, level + rng.normal(0, 0.02))
        for repeat in range(n_repeats)
        for fold in range(n_folds)
        for j, level in enumerate(levels)
    ]
    return pd.DataFrame(rows, columns=["classifier", "repeat", "fold", "accuracy"]).assign(dataset="d")


def answers(*shares: float, n: int = 200, seed: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    right = rng.random((n, len(shares))) < shares
    rows = [
        ("d", "ABCD"[j], i, i % 2, i % 2 if right[i, j] else 1 - i % 2) for i in range(n) for j in range(len(shares))
    ]
    return pd.DataFrame(rows, columns=["dataset", "classifier", "row", "y_true", "y_pred"])


def tables_of(data: pd.DataFrame, first: str, second: str) -> list[list[int]]:
    wide = data.assign(right=data["y_true"] == data["y_pred"]).pivot_table(
        index="row", columns="classifier", values="right"
    )
    a, b = wide[first].astype(bool), wide[second].astype(bool)
    return [[int((a & b).sum()), int((a & ~b).sum())], [int((~a & b).sum()), int((~a & ~b).sum())]]


def test_primary_analysis_is_that_of_the_comparison() -> None:
    for source in (folds(0.8, 0.81, 0.85), answers(0.6, 0.7, 0.8)):
        found = compare(source, robustness=True)
        primary, *others = found.robustness.analyses

        assert primary.is_primary
        assert not any(one.is_primary for one in others)
        assert primary.pvalues == tuple(pair.pvalue for pair in found.pairs)
        assert primary.different == tuple(pair.different for pair in found.pairs)
        assert primary.significant == found.significant
        assert compare(source).robustness is None


def test_analyses_of_cases_are_the_forms_of_mcnemar() -> None:
    data = answers(0.6, 0.7, 0.8)
    found = compare(data, robustness=True)
    names = {"mcnemar-exact": {}, "mcnemar-midp": {"method": "midp"}}
    names |= {"mcnemar-chi2": {"method": "asymptotic", "correction": False}}
    names |= {"mcnemar-chi2-corrected": {"method": "asymptotic"}}

    assert {one.posthoc_test for one in found.robustness.analyses} == set(names)
    assert {one.omnibus_pvalue for one in found.robustness.analyses} == {found.omnibus.pvalue}
    for one in found.robustness.analyses:
        matrix = np.ones((3, 3))
        for pair in found.pairs:
            i, j = (found.table.position(name) for name in (pair.first, pair.second))
            own = mcnemar_test(counts=tables_of(data, pair.first, pair.second), **names[one.posthoc_test]).pvalue
            matrix[i, j] = matrix[j, i] = own
        adjusted = adjust_pairwise(matrix, one.adjustment)
        wanted = [adjusted[found.table.position(p.first), found.table.position(p.second)] for p in found.pairs]
        assert one.pvalues == pytest.approx(wanted)
        assert one.different == tuple(p <= 0.05 and found.omnibus.pvalue <= 0.05 for p in wanted)


def test_adjustments_with_a_control_are_those_of_a_line() -> None:
    found = compare(folds(0.8, 0.81, 0.85), control="A", robustness=True)
    own = [pair.unadjusted_pvalue for pair in found.pairs]

    assert [one.adjustment for one in found.robustness.analyses] == ["holm", "bonferroni", "hochberg", "hommel"]
    for one in found.robustness.analyses:
        assert one.pvalues == pytest.approx(adjust_pvalues(own, one.adjustment))
        assert math.isnan(one.omnibus_pvalue)


def test_without_each_fold_the_same_test_decides() -> None:
    """One fold out of ten decides where p is near alpha; the sizes of the sets stay what they are."""
    data = folds(0.8, 0.82, seed=5)
    found = compare(data, robustness=True)
    (pair,) = found.robustness.pairs
    x, y = (data[data["classifier"] == name]["accuracy"].to_numpy() for name in (pair.first, pair.second))

    deciding = [
        f"fold {i}"
        for i in range(10)
        if (corrected_ttest(np.delete(x, i), np.delete(y, i), n_train=9, n_test=1).pvalue <= 0.05) != pair.different
    ]
    assert pair.deciding_datasets == tuple(deciding)
    assert pair.stability == pytest.approx(1 - len(deciding) / 10)


def test_some_fold_decides_in_some_table() -> None:
    """The law above would be empty if no fold ever decided."""
    found = [compare(folds(0.8, 0.818, seed=seed), robustness=True).robustness.pairs[0] for seed in range(12)]

    assert any(pair.deciding_datasets for pair in found)
    assert {pair.stability == 1 for pair in found} == {True, False}


def test_repeats_name_their_folds() -> None:
    found = [compare(folds(0.8, 0.808, n_folds=5, n_repeats=2, seed=s), robustness=True) for s in range(12)]
    names = {name for one in found for name in one.robustness.pairs[0].deciding_datasets}

    assert names
    assert all(name.startswith(("repeat 0, fold ", "repeat 1, fold ")) for name in names)


def test_without_a_classifier_the_family_is_smaller() -> None:
    """A pair near alpha: holm over three pairs does not reject, alone it does."""
    for seed in range(40):
        data = folds(0.8, 0.825, 0.812, seed=seed)
        found = compare(data, robustness=True)
        for pair in found.robustness.pairs:
            for out in set("ABC") - {pair.first, pair.second}:
                left = compare(data[data["classifier"] != out]).pairs[0]
                assert (left.different != pair.different) == (out in pair.deciding_classifiers)


def test_five_times_two_folds() -> None:
    data = folds(0.8, 0.84, n_folds=2, n_repeats=5)
    found = compare(data, robustness=True)
    x, y = (data[data["classifier"] == c]["accuracy"].to_numpy().reshape(5, 2) for c in "AB")

    assert [one.posthoc_test for one in found.robustness.analyses] == ["5x2-f", "5x2-t"]
    assert found.robustness.analyses[1].pvalues == pytest.approx([ttest_5x2cv(x, y).pvalue])
    assert math.isnan(found.robustness.pairs[0].stability)


@pytest.mark.parametrize(
    ("metric", "tests"), [("f1", ["permutation", "bootstrap"]), ("accuracy", ["mcnemar-exact", "mcnemar-midp"])]
)
def test_other_metrics_have_other_tests(metric: str, tests: list[str]) -> None:
    found = compare(answers(0.6, 0.8, n=60), metric=metric, robustness=True, n_resamples=99, rng=1)

    assert [one.posthoc_test for one in found.robustness.analyses][:2] == tests
    assert all(0 <= p <= 1 for one in found.robustness.analyses for p in one.pvalues)


def test_one_score_of_each_classifier_has_nothing_to_vary() -> None:
    with pytest.raises(InvalidValueError, match="robustness requires several datasets, or the folds or"):
        compare(pd.DataFrame([[0.5, 0.6, 0.7]], columns=list("ABC"), index=["iris"]), robustness=True)
