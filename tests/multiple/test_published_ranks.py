from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2 as chi2_distribution
from scipy.stats import f as f_distribution

from evalstats import InvalidTypeError, InvalidValueError, audit_ranks, friedman_test, nemenyi_test
from evalstats.multiple.critical_differences import critical_difference

FOLDS = ("2-fold", "5-fold", "10-fold")

# Raeder, Hoens & Chawla (2010), Table I: mean ranks of 2-, 5- and 10-fold estimates, over 20 datasets
CANONICAL = {
    "C4.5": [2.50, 1.60, 1.90],
    "HDDT": [2.30, 1.85, 1.85],
    "MLP": [2.50, 1.95, 1.55],
    "5-NN": [2.85, 1.73, 1.43],
    "NB": [2.65, 1.95, 1.40],
    "SMO": [2.60, 1.65, 1.75],
}
STEADY_STATE = {
    "C4.5": [3.00, 1.82, 1.18],
    "HDDT": [3.00, 1.90, 1.10],
    "MLP": [2.70, 1.88, 1.43],
    "5-NN": [2.95, 1.90, 1.05],
    "NB": [2.90, 1.95, 1.15],
    "SMO": [2.85, 1.70, 1.45],
}
# computed once from these mean ranks with Demšar's formula: Friedman's chi2
DEMSAR_CHI2 = {
    "canonical": [8.4, 2.7, 9.1, 23.206, 15.7, 10.9],
    "steady state": [34.096, 36.4, 17.386, 28.3, 30.7, 22.3],
}


def codes(findings: tuple[object, ...], severity: str = "error") -> list[str]:
    return [one.code for one in findings if one.severity == severity]


def table_one(state: dict[str, list[float]], control: str, **claims: object) -> object:
    return audit_ranks(list(state.values()), 20, names=FOLDS, control=control, decimals=2, claims=claims)


def scores(n: int, k: int, *, levels: int = 4, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, levels, (n, k)).astype(float)


tables = st.tuples(st.integers(1, 30), st.integers(2, 6), st.integers(1, 6), st.integers(0, 10**6))


def test_published_mean_ranks_give_the_published_statistic() -> None:
    """García & Herrera (2008): rank sums of five classifiers over 30 datasets, chi2 39.647, Iman-Davenport 14.309."""
    mean_ranks = (np.array([63, 97.5, 66, 130, 93.5]) / 30).round(6)
    audit = audit_ranks(mean_ranks, 30, decimals=6)

    assert audit.chi2 == pytest.approx(39.647, abs=5e-4)
    assert audit.f == pytest.approx(14.309, abs=5e-4)


def test_three_classifiers_by_hand() -> None:
    """Mean ranks 1, 2 and 3 over 4 datasets: all agree, chi2 is n (k - 1) = 8 and F infinite."""
    audit = audit_ranks([1, 2, 3], 4, decimals=1)

    assert (audit.rank_sum, audit.expected_sum, audit.rounding) == (6, 6, pytest.approx(0.15))
    assert (audit.chi2, audit.f) == (8, math.inf)
    assert audit.chi2_pvalue == pytest.approx(math.exp(-4))
    assert audit.f_pvalue == pytest.approx(6**-3)  # the probability that four datasets agree
    assert (audit.ok, audit.findings) == (True, ())


def test_example_of_demsar() -> None:
    """Demšar (2006), section 3.2.2: chi2 9.28, F 3.69, critical differences 1.25 (Nemenyi at .10: 1.12)."""
    claims = {"chi2": 9.28, "F": 3.69, "cd": 1.25, "rejects": True, "not_different": [(0, 3)]}

    audit = audit_ranks([3.143, 2.000, 2.893, 1.964], 14, decimals=3, claims=claims)
    at_ten_percent = audit_ranks(
        [3.143, 2.000, 2.893, 1.964], 14, decimals=3, alpha=0.10, claims={"cd": 1.12, "different": [(0, 3), (0, 1)]}
    )

    assert audit.ok
    assert at_ten_percent.ok
    assert codes(audit.findings, "note") == ["ties"]


@pytest.mark.parametrize("state", [CANONICAL, STEADY_STATE])
def test_critical_difference_of_table_one(state: dict[str, list[float]]) -> None:
    """Raeder et al. print .709, which is Bonferroni and Dunn's of 3 estimates over 20 datasets."""
    audit = table_one(state, "2-fold", cd=0.709)

    assert all("cd" not in codes(findings) for findings in audit.findings)
    assert audit.bonferroni_dunn_difference.tolist() == pytest.approx([0.7087937773] * 6)


def test_one_column_of_table_one_does_not_add_up() -> None:
    """The steady state of 5-NN adds up to 5.90; two columns with 6.01 are rounded."""
    canonical, steady = table_one(CANONICAL, "2-fold"), table_one(STEADY_STATE, "10-fold")

    assert canonical.ok.all()
    assert canonical.rank_sum.tolist() == pytest.approx([6, 6, 6, 6.01, 6, 6])
    assert steady.rank_sum.tolist() == pytest.approx([6, 6, 6.01, 5.9, 6, 6])
    assert [codes(one) for one in steady.findings] == [[], [], [], ["sum"], [], []]


def test_significant_differences_of_table_one() -> None:
    """The text: canonical 2-fold differs from 5-fold in all cases, from 10-fold in half. By the table: in 3 and in 4.

    And in the steady state 10-fold differs from 2-fold in all cases, from 5-fold in 3.
    """
    canonical, steady = table_one(CANONICAL, "2-fold"), table_one(STEADY_STATE, "10-fold")

    assert canonical.different.sum(axis=0).tolist() == [0, 3, 4]
    assert steady.different.sum(axis=0).tolist() == [6, 3, 0]
    assert not canonical.undecided.any()
    assert not steady.undecided.any()


def test_claims_of_table_one_are_contradicted() -> None:
    canonical = table_one(CANONICAL, "2-fold", different=[("2-fold", "5-fold")], not_different=[("5-fold", "10-fold")])
    steady = table_one(STEADY_STATE, "10-fold", different=[("5-fold", "10-fold")], not_different=[("2-fold", "5-fold")])

    assert [codes(one) for one in canonical.findings] == [[], ["different"], ["different"], [], ["different"], []]
    assert all("not-compared" in codes(one, "note") for one in canonical.findings)
    assert [codes(one, "warning")[0] for one in steady.findings] == ["not-compared"] * 6
    assert codes(canonical.findings[1], "warning") == ["post-hoc"]


@pytest.mark.parametrize(("state", "name"), [(CANONICAL, "canonical"), (STEADY_STATE, "steady state")])
def test_statistic_is_that_of_demsar_where_the_sum_is_right(state: dict[str, list[float]], name: str) -> None:
    """His formula adds 12 n / k times what the sum of the mean ranks is too large."""
    audit = audit_ranks(list(state.values()), 20)

    np.testing.assert_allclose(audit.chi2 + 80 * (audit.rank_sum - 6), DEMSAR_CHI2[name], atol=1e-9)


def codes_of(ranks: list[float], n: int, **options: object) -> list[str]:
    return codes(audit_ranks(ranks, n, **options).findings)


@pytest.mark.parametrize(
    ("ranks", "n", "expected"),
    [
        ([0.90, 2.10, 3.00], 10, ["range"]),
        ([1.12, 1.88], 18, ["granularity", "granularity"]),
        ([1.11, 1.89], 18, []),
        ([1.55, 2.0, 2.6], 10, ["sum"]),
        ([1.33, 2.33, 2.33], 50, ["sum"]),  # within rounding of two decimals, but there are no thirds
        ([1.33, 2.33, 2.33], 3, []),
        ([1.0, 1.2, 3.9, 3.9], 10, ["extremes", "extremes"]),
        ([1.0, 2.0, 3.5, 3.5], 10, []),
    ],
    ids=str,
)
def test_impossible_mean_ranks_are_found(ranks: list[float], n: int, expected: list[str]) -> None:
    assert codes_of(ranks, n) == expected


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ({"cd": 1.05}, []),
        ({"cd": 0.66}, ["cd"]),
        ({"chi2": 15.0}, []),
        ({"chi2": 11.0}, ["chi2"]),
        ({"F": 27.0}, []),
        ({"F": 5.5}, ["F"]),
        ({"rejects": True}, []),
        ({"rejects": False}, ["rejects"]),
        ({"different": [(0, 1)]}, []),
        ({"different": [(0, 2)]}, ["different"]),
        ({"not_different": [(0, 1)]}, ["not-different"]),
    ],
    ids=str,
)
def test_wrong_claims_are_found(claims: dict[str, object], expected: list[str]) -> None:
    """Slide 53 of Japkowicz: mean ranks 1.5, 3, 1.5 over 10 datasets, chi2 = 15, F = 27."""
    assert codes_of([1.50, 3.00, 1.50], 10, decimals=2, claims=claims) == expected


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        ({"cd": 0.747}, "it would be that of 18 datasets"),
        ({"cd": 0.741}, "it is that of Nemenyi"),
        ({"cd": 0.123456}, "Bonferroni-Dunn for 3 classifiers, 20 datasets and alpha = 0.05 is 0.7088"),
    ],
    ids=str,
)
def test_finding_says_what_another_critical_difference_is(claims: dict[str, float], words: str) -> None:
    (finding,) = audit_ranks([2.5, 1.6, 1.9], 20, control=0, claims=claims).findings

    assert finding.sentence.removesuffix(".").endswith(words)


def test_rejection_that_needs_ties_is_a_warning() -> None:
    """Mean ranks 2.3, 1.85, 1.85 over 20 datasets: p is .26, but .0024 if 14 datasets tie all three."""
    ranks = np.full((20, 3), 2.0)
    ranks[:6] = [3, 1.5, 1.5]
    tied = friedman_test(-ranks)

    audit = audit_ranks(ranks.mean(axis=0), 20, claims={"rejects": True})

    assert codes(audit.findings, "warning") == ["rejects"]
    assert audit.chi2 == pytest.approx(tied.chi2_uncorrected)
    assert tied.chi2 == pytest.approx(12)
    assert audit.chi2_low <= audit.chi2 < tied.chi2 <= audit.chi2_tied


def test_difference_within_rounding_is_undecided() -> None:
    """One decimal and many datasets: .7 may be .65 or .75, and the critical difference is .69."""
    audit = audit_ranks([1.7, 2.4, 1.9], 23, decimals=1, claims={"different": [(0, 1)], "not_different": [(0, 1)]})

    assert 0.6 < audit.nemenyi_difference < 0.8
    assert audit.undecided[0, 1]
    assert codes(audit.findings, "warning") == ["different", "not-different"]
    assert "undecided" in codes(audit.findings, "note")


@settings(max_examples=40)
@given(tables)
def test_true_tables_pass(given_table: tuple[int, int, int, int]) -> None:
    """Whatever ranks there are, with whatever ties, and whatever they are rounded to: nothing is impossible."""
    n, k, levels, seed = given_table
    ranks = friedman_test(scores(n, k, levels=levels, seed=seed), method="chi2").mean_ranks

    for decimals in (0, 1, 2, 3, 5):
        assert codes_of(np.round(ranks, decimals), n, decimals=decimals) == []
    assert codes_of(ranks, n) == []


@settings(max_examples=40)
@given(tables)
def test_statistics_are_within_the_limits(given_table: tuple[int, int, int, int]) -> None:
    """The statistic without a correction is within rounding, that with one below the limit of ties."""
    n, k, levels, seed = given_table
    result = friedman_test(scores(n, k, levels=levels, seed=seed), method="chi2")

    for decimals in (0, 1, 2, 12):
        audit = audit_ranks(np.round(result.mean_ranks, decimals), n, decimals=decimals)
        assert audit.chi2_low - 1e-9 <= result.chi2_uncorrected <= audit.chi2_high + 1e-9
        assert result.chi2 <= audit.chi2_tied + 1e-9
        assert audit.chi2_tied <= n * (k - 1) + 1e-9


@settings(max_examples=40)
@given(tables)
def test_verdicts_are_those_of_nemenyi(given_table: tuple[int, int, int, int]) -> None:
    """What is decided in spite of rounding is decided as the scores decide it."""
    n, k, levels, seed = given_table
    test = nemenyi_test(scores(n, k, levels=levels, seed=seed))
    truth = np.abs(test.mean_ranks[:, None] - test.mean_ranks) >= test.critical_difference(0.05)

    for decimals in (0, 1, 2):
        audit = audit_ranks(np.round(test.mean_ranks, decimals), n, decimals=decimals)
        assert (audit.different == truth)[~audit.undecided].all()


def test_pvalues_are_those_of_scipy() -> None:
    audit = audit_ranks([2.65, 1.95, 1.40], 20)

    assert audit.chi2_pvalue == pytest.approx(chi2_distribution.sf(audit.chi2, 2), rel=1e-12)
    assert audit.f == pytest.approx(19 * audit.chi2 / (40 - audit.chi2), rel=1e-14)
    assert audit.f_pvalue == pytest.approx(f_distribution.sf(audit.f, 2, 38), rel=1e-12)


def test_numbers_are_those_of_friedman() -> None:
    """Without ties and rounding the mean ranks say all that the Friedman test uses."""
    table = np.random.default_rng(5).normal(size=(12, 4))
    result = friedman_test(table, method="f")

    audit = audit_ranks(result.mean_ranks, 12)

    assert (audit.chi2, audit.chi2_pvalue) == pytest.approx((result.chi2, result.chi2_pvalue), rel=1e-11)
    assert (audit.f, audit.f_pvalue) == pytest.approx((result.f, result.f_pvalue), rel=1e-10)
    assert audit.nemenyi_difference == critical_difference(12, 4)


def test_batch_is_the_loop_over_its_tables() -> None:
    ranks, n = [[[2.5, 1.6, 1.9], [1.5, 2.0, 2.6]], [[1.12, 1.88, 3.0], [1, 2, 3]]], [[20, 10], [18, 4]]
    claims = [{"cd": 0.709}, {}, {"rejects": True}, {"different": [(0, 1)]}]

    batch = audit_ranks(ranks, n, claims=claims, control=0)

    assert batch.ok.shape == batch.findings.shape == (2, 2)
    assert batch.different.shape == (2, 2, 3)
    for i, j in np.ndindex(2, 2):
        one = audit_ranks(ranks[i][j], n[i][j], claims=claims[2 * i + j], control=0).to_dict()
        of_table = {
            name: value if name in {"n_classifiers", "names", "control", "alpha", "expected_sum"} else value[i][j]
            for name, value in batch.to_dict().items()
        }
        np.testing.assert_equal(of_table, one)


def test_order_of_classifiers_does_not_matter() -> None:
    order = [2, 0, 1]
    ranks = np.array([2.65, 1.95, 1.40])

    audit, permuted = audit_ranks(ranks, 20), audit_ranks(ranks[order], 20)

    assert permuted.chi2 == pytest.approx(audit.chi2, rel=1e-14)
    assert (permuted.different == audit.different[np.ix_(order, order)]).all()


def test_names_and_indexes_say_the_same() -> None:
    by_name = audit_ranks([2.5, 1.6, 1.9], 20, names=FOLDS, control="2-fold", claims={"different": [FOLDS[:2]]})
    by_index = audit_ranks([2.5, 1.6, 1.9], 20, names=FOLDS, control=0, claims={"different": [(0, 1)]})

    assert by_name.to_dict() == by_index.to_dict()


@pytest.mark.parametrize("k", range(2, 8))
@pytest.mark.parametrize("n", [2, 7, 23])
def test_full_agreement_is_full_in_floating_point(n: int, k: int) -> None:
    audit = audit_ranks(np.arange(k) + 1, n, decimals=2)

    assert (audit.chi2, audit.f, audit.ok) == (n * (k - 1), math.inf, True)


def test_one_dataset_has_no_f() -> None:
    audit = audit_ranks([1, 2, 3], 1, decimals=0, claims={"F": 4.0})

    assert math.isnan(audit.f)
    assert math.isnan(audit.f_pvalue)
    assert codes(audit.findings) == ["F"]


def test_decimals_are_those_of_the_most_precise() -> None:
    assert audit_ranks([2.5, 1.6, 1.9], 20).decimals == 1
    assert audit_ranks([2.5, 1.625, 1.875], 20).decimals == 3
    assert audit_ranks([4 / 3, 5 / 3], 3).decimals == 12


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1.0], 5), {}, r"mean_ranks must hold 2 or more classifiers, but their shape is \(1,\)"),
        (([1, math.nan], 5), {}, r"mean_ranks must be finite, but mean_ranks\[1\] is nan"),
        (([1.25, 1.75], 5), {"decimals": 1}, "mean_ranks must have 1 decimals, but one of them is 1.25"),
        (([1, 2], 5), {"decimals": 20}, "decimals must be at most 12, not 20"),
        (([1, 2], 0), {}, "n_datasets must be at least 1, not 0"),
        (([[1, 2], [1, 2]], [5, 6, 7]), {}, "n_datasets must be one number or one for each table"),
        (([1, 2], 5), {"names": ["A"]}, "names must be 2 different names, one for each mean rank"),
        (([1, 2], 5), {"names": ["A", "A"]}, "names must be 2 different names"),
        (([1, 2], 5), {"control": "C", "names": ["A", "B"]}, "control must be an index from 0 to 1 or one of 'A', 'B'"),
        (([1, 2], 5), {"control": 2}, "control must be an index from 0 to 1"),
        (([1, 2], 5), {"claims": {"p": 0.1}}, "a claim must be 'cd' or 'chi2' or 'F' or 'rejects'"),
        (([1, 2], 5), {"claims": {"cd": -1}}, r"claims\['cd'\] must be one positive number, not -1"),
        (([1, 2], 5), {"claims": {"different": ["AB"]}}, r"claims\['different'\] must be a list of pairs"),
        (([1, 2], 5), {"claims": {"different": [(0, 0)]}}, "must be of two classifiers each"),
        (([1, 2], 5), {"claims": [{}, {}]}, "claims must be a dict, or a sequence of 1, one for each table"),
        (([1, 2], 5), {"alpha": 1}, "alpha must lie between 0 and 1, not 1"),
        (([1, 2], 5), {"claims": {"F": -1}}, r"claims\['F'\] must be one number of 0 or more, not -1"),
        (([1e300, 2], 5), {}, r"mean_ranks must be 1e\+09 or less, but one of them is 1e\+300"),
        (([1, 2], [[1, 2], [3]]), {}, "n_datasets must be a regular array"),
    ],
    ids=str,
)
def test_values_that_are_refused(arguments: tuple[object, ...], options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        audit_ranks(*arguments, **options)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((["a", "b"], 5), {}, "mean_ranks must be numbers"),
        (([1, 2], 5.0), {}, "n_datasets must be a whole number, not 5.0"),
        (([1, 2], 5), {"names": "AB"}, "names must be a sequence of str"),
        (([1, 2], 5), {"names": [1, 2]}, "names must be a sequence of str"),
        (([1, 2], 5), {"claims": [3]}, "claims must be a dict, not 3"),
        (([1, 2], 5), {"claims": {"rejects": "yes"}}, r"claims\['rejects'\] must be True or False, not 'yes'"),
    ],
    ids=str,
)
def test_types_that_are_refused(arguments: tuple[object, ...], options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidTypeError, match=message):
        audit_ranks(*arguments, **options)


def test_no_pvalue_is_zero() -> None:
    """A tail too small for a float is the smallest float, as in friedman_test."""
    audit = audit_ranks([1, 2, 3], 1000)

    assert audit.chi2_pvalue == audit.f_pvalue == math.ulp(0.0)


def test_statistics_of_equal_mean_ranks_may_be_claimed() -> None:
    """Equal mean ranks make chi2 and F 0, and a publication may say so."""
    assert audit_ranks([2, 2, 2], 10, claims={"chi2": 0, "F": 0.0}).ok


@pytest.mark.parametrize("pairs", [5, None])
def test_claims_about_pairs_are_a_list(pairs: object) -> None:
    with pytest.raises(InvalidTypeError, match=r"claims\['different'\] must be a list of pairs"):
        audit_ranks([1, 2], 5, claims={"different": pairs})
