"""How often an analysis finds what is not there, counted on simulated tables."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import evalstats
from evalstats import InvalidTypeError, InvalidValueError, example_table, report, simulate_error_rates

TABLE = example_table("demsar-2006")


def folds(k: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = [("d", "ABC"[c], f, rng.normal()) for f in range(10) for c in range(k)]
    return pd.DataFrame(rows, columns=["dataset", "classifier", "fold", "accuracy"])


def answers(k: int = 3, n: int = 120) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    rows = [("d", "ABC"[c], i, i % 2, i % 2 if rng.random() < 0.75 else 1 - i % 2) for i in range(n) for c in range(k)]
    return pd.DataFrame(rows, columns=["dataset", "classifier", "row", "y_true", "y_pred"])


def test_exact_test_of_two_rejects_as_often_as_its_law_says() -> None:
    """Of 7 untied pairs Wilcoxon's test rejects at .05 in 6 of 128 equally likely tables: |W - 14| >= 12."""
    differences = np.array([0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7])
    scores = pd.DataFrame({"A": np.zeros(7), "B": differences}) + np.arange(7.0)[:, None]

    found = simulate_error_rates(scores, n_simulations=20_000)

    assert found.leading is None
    assert found.family_wise.low < 6 / 128 < found.family_wise.high
    assert found.family_wise.to_dict() == found.per_pair.to_dict() == found.false_discovery.to_dict()


def test_unadjusted_pairs_break_the_level_and_holm_keeps_it() -> None:
    rng = np.random.default_rng(2)
    table = pd.DataFrame(rng.normal(size=(20, 6)), columns=list("ABCDEF"))
    plain, holm = (simulate_error_rates(table, adjust=how, n_simulations=600) for how in ("none", "holm"))

    assert plain.family_wise.low > 0.2
    assert holm.family_wise.low < 0.05
    assert "exceeds the significance level" not in str(holm)
    assert str(holm).startswith("With tables like this one, the Wilcoxon signed-rank test with Holm's method at level")
    assert (plain.pairs_alone, holm.pairs_alone) == (None, None)


def test_leading_test_protects_as_long_as_no_classifier_is_better() -> None:
    rng = np.random.default_rng(2)
    table = pd.DataFrame(rng.normal(size=(20, 6)), columns=list("ABCDEF"))
    found = simulate_error_rates(table, posthoc="conover", adjust="none", n_simulations=600)

    assert found.family_wise.high < found.pairs_alone.low
    assert str(found).startswith("With tables like this one, the Friedman test followed by the Conover test at level")


def test_false_findings_beside_true_ones() -> None:
    found = simulate_error_rates(TABLE, shift=0.05, shifted_classifier="C4.5+m", posthoc="wilcoxon", n_simulations=500)

    assert found.shifted_classifier == "C4.5+m"
    assert [pair.is_different for pair in found.pairs] == ["C4.5+m" in (p.first, p.second) for p in found.pairs]
    assert found.any_found.rate > 0.9 > found.family_wise.rate
    assert found.false_discovery.rate < found.family_wise.rate
    equal, other = ([p.rate for p in found.pairs if p.is_different == truth] for truth in (False, True))
    assert found.per_pair.rate == pytest.approx(np.mean(equal))
    assert found.each_found.rate == pytest.approx(np.mean(other))


def test_shift_is_in_the_direction_of_the_metric() -> None:
    errors = pd.DataFrame(1 - TABLE.scores, columns=TABLE.classifiers)
    found = [
        simulate_error_rates(data, greater_is_better=better, shift=0.02, shifted_classifier="C4.5", n_simulations=300)
        for data, better in ((1 - errors, True), (errors, False))
    ]

    assert found[0].any_found.rate == pytest.approx(found[1].any_found.rate, abs=0.08)
    assert found[0].any_found.rate > 0.5


@pytest.mark.parametrize("k", [2, 3])
def test_folds_of_one_dataset_keep_their_level(k: int) -> None:
    """For two, the corrected t-test is exact where the differences have the correlation that it assumes."""
    found = simulate_error_rates(folds(k), n_simulations=4000)

    assert (found.design, found.null, found.n) == ("folds", "normal", 10)
    assert found.family_wise.low < 0.05
    assert found.family_wise.high > (0.05 if k == 2 else 0.02)


def test_cases_of_one_dataset() -> None:
    found = simulate_error_rates(answers(), n_simulations=1000)

    assert (found.design, found.omnibus_test, found.pair_test) == ("instances", "cochran_q_test", "mcnemar_test")
    assert found.leading.low < 0.05 < found.leading.high
    assert found.family_wise.rate < 0.05
    better = simulate_error_rates(answers(), n_simulations=300, shift=0.2, shifted_classifier="B")
    assert better.any_found.rate > 0.8


def test_f_of_cases() -> None:
    found = simulate_error_rates(answers(2, 40), metric="f1", pos_label="1", n_resamples=199, n_simulations=60)

    assert found.pair_test == "metric_permutation_test"
    assert found.family_wise.low < 0.05


def test_missing_scores_stay_missing() -> None:
    table = TABLE.to_frame()
    table.iloc[3, 1] = np.nan

    found = simulate_error_rates(table, missing="skillings-mack", method="chi2", n_simulations=50)

    assert (found.n_missing, found.omnibus_test, found.pair_test) == (1, "skillings-mack", "wilcoxon")


def test_everything_comes_out_again_with_the_seed_of_the_record() -> None:
    first = simulate_error_rates(TABLE, n_simulations=150, rng=7)

    assert simulate_error_rates(TABLE, n_simulations=150, rng=first.seed).to_dict() == first.to_dict()
    assert simulate_error_rates(TABLE, n_simulations=150, rng=8).pairs[0].to_dict() != first.pairs[0].to_dict()


@pytest.mark.parametrize("null", ["permutation", "normal"])
def test_more_tables_begin_with_the_same_ones(null: str) -> None:
    """What is done can be compared with what another run does: tables depend on their number alone."""
    few, many = (simulate_error_rates(TABLE, n_simulations=n, null=null, alpha=0.3).leading.rate for n in (100, 200))
    first = round(few * 100)

    assert first <= round(many * 200) <= first + 100


def test_ctrl_c_keeps_what_was_done() -> None:
    def stop(done: int, total: int, name: str) -> None:
        assert (total, name) == (5000, "tables")
        if done >= 200:
            raise KeyboardInterrupt

    found = simulate_error_rates(TABLE, n_simulations=5000, progress=stop)

    assert (found.n_tables, found.n_requested, found.complete) == (200, 5000, False)
    assert found.leading.to_dict() == simulate_error_rates(TABLE, n_simulations=200).leading.to_dict()
    assert "ended early, after 200 of 5000 tables" in " ".join(report.text(found).split())


def test_seconds_end_it() -> None:
    found = simulate_error_rates(TABLE, n_simulations=10**7, seconds=0.001)

    assert 0 < found.n_tables < 10**7


def test_nothing_can_be_found_with_few_datasets() -> None:
    found = simulate_error_rates(TABLE.to_frame().iloc[:4, :2], n_simulations=50)

    assert found.family_wise.rate == 0
    assert "It cannot reject: the minimum attainable p-value is 0.125" in str(found)


def test_nothing_can_be_found_where_no_pair_can() -> None:
    """The Friedman test can reject; a pair of three cannot on six datasets, and that decides."""
    found = simulate_error_rates(TABLE.to_frame().iloc[:6, :3], n_simulations=50)

    assert found.family_wise.rate == 0
    assert "It cannot reject: the minimum attainable p-value is 0.0938" in str(found)


def test_record_is_written_and_its_table_holds_the_pairs() -> None:
    found = simulate_error_rates(TABLE, n_simulations=20)

    assert json.loads(report.json(found))["error_rates"]["family_wise"]["rate"] == found.family_wise.rate
    assert list(found.to_frame()["second"]) == [pair.second for pair in found.pairs]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"null": "bootstrap"}, "null must be 'auto' or 'permutation' or 'normal', not 'bootstrap'"),
    ({"n_simulations": 0}, "n_simulations must be"),
    ({"seconds": 0}, "seconds must be above 0, not 0"),
    ({"seconds": float("nan")}, "seconds must be above 0, not nan"),
    ({"shift": -1}, "shift must be a finite number above 0, not -1"),
    ({"shift": float("nan")}, "shift must be a finite number above 0, not nan"),
    ({"shifted_classifier": "C4.5"}, "shifted_classifier names the classifier to improve, so shift is required too"),
    (
        {"shift": 1, "shifted_classifier": "SVM"},
        "shifted_classifier must be one of 'C4.5', 'C4.5+m', 'C4.5+cf', 'C4.5+m+cf', not 'SVM'",
    ),
    ({"robustness": True}, "robustness must be left out: simulate_error_rates analyzes only the tests of compare"),
    ({"metric": ["a", "b"]}, "metric must be one metric, not several: simulate_error_rates analyzes one comparison"),
    ({"posthoc": "nemeny"}, "posthoc must be .* did you mean 'nemenyi'?"),
]


@pytest.mark.parametrize(("choices", "message"), REFUSED, ids=str)
def test_wrong_choices_are_refused(choices: dict[str, Any], message: str) -> None:
    with pytest.raises((InvalidValueError, InvalidTypeError), match=f"^{re.sub(r'[+]', '[+]', message)}"):
        simulate_error_rates(TABLE, **choices)


@pytest.mark.parametrize(
    ("table", "choices", "message"),
    [
        (folds(), {"null": "permutation"}, "null must be 'normal' if folds are compared, not 'permutation'"),
        (answers(), {"null": "normal"}, "null must be 'permutation' if instances are compared, not 'normal'"),
        (answers(), {"shift": 0.9}, "shift must be at most 0.2"),
        (answers(), {"shift": 0.1, "metric": "f1", "pos_label": "1"}, "shift is for scores of datasets and folds"),
        (
            {"model": ["a", "b"] * 9, "question": np.repeat(range(9), 2), "correct": [0, 0.5, 1] * 6},
            {},
            "the table holds answers to questions, which simulate_error_rates does not simulate",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_simulated_is_refused(table: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidValueError, match=f"^{message}"):
        simulate_error_rates(table, **choices)


def test_rates_of_pairs_have_narrower_intervals_than_rates_of_tables() -> None:
    """A mean share of six pairs is known better than one rate: its interval has the effective number of tables."""
    found = simulate_error_rates(TABLE, posthoc="wilcoxon", adjust="none", omnibus="friedman", n_simulations=500)
    as_one = evalstats.metrics.proportion_interval(round(found.per_pair.rate * 500), 500)

    assert found.per_pair.high - found.per_pair.low < as_one.high - as_one.low
    shares = [pair.rate for pair in found.pairs]
    assert found.per_pair.rate == pytest.approx(np.mean(shares))
