from __future__ import annotations

import math

import numpy as np
import pytest

from evalstats import InvalidTypeError, InvalidValueError
from evalstats.multiple import check_published_ranks
from evalstats.multiple.published_rank_bounds import PrintedRanks

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
    return check_published_ranks(list(state.values()), 20, names=FOLDS, control=control, decimals=2, claims=claims)


def test_published_mean_ranks_give_the_published_statistic() -> None:
    """García & Herrera (2008): rank sums of five classifiers over 30 datasets, chi2 39.647, Iman-Davenport 14.309."""
    mean_ranks = (np.array([63, 97.5, 66, 130, 93.5]) / 30).round(6)
    audit = check_published_ranks(mean_ranks, 30, decimals=6)

    assert audit.chi2 == pytest.approx(39.647, abs=5e-4)
    assert audit.f == pytest.approx(14.309, abs=5e-4)


def test_three_classifiers_by_hand() -> None:
    """Mean ranks 1, 2 and 3 over 4 datasets: all agree, chi2 is n (k - 1) = 8 and F infinite."""
    audit = check_published_ranks([1, 2, 3], 4, decimals=1)

    assert (audit.rank_sum, audit.expected_sum, audit.rounding) == (6, 6, pytest.approx(0.15))
    assert (audit.chi2, audit.f) == (8, math.inf)
    assert audit.chi2_pvalue == pytest.approx(math.exp(-4))
    assert audit.f_pvalue == pytest.approx(6**-3)  # the probability that four datasets agree
    assert (audit.ok, audit.findings) == (True, ())


def test_example_of_demsar() -> None:
    """Demšar (2006), section 3.2.2: chi2 9.28, F 3.69, critical differences 1.25 (Nemenyi at .10: 1.12)."""
    claims = {"chi2": 9.28, "F": 3.69, "cd": 1.25, "rejects": True, "not_different": [(0, 3)]}

    audit = check_published_ranks([3.143, 2.000, 2.893, 1.964], 14, decimals=3, claims=claims)
    at_ten_percent = check_published_ranks(
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
    first, last, dunn = ("2-fold", "5-fold"), ("5-fold", "10-fold"), {"test": "bonferroni-dunn"}
    canonical = table_one(CANONICAL, "2-fold", different=[first], not_different=[last], **dunn)
    steady = table_one(STEADY_STATE, "10-fold", different=[last], not_different=[first], **dunn)

    assert [codes(one) for one in canonical.findings] == [[], ["different"], ["different"], [], ["different"], []]
    assert all("not-compared" in codes(one, "note") for one in canonical.findings)
    assert [codes(one, "warning")[0] for one in steady.findings] == ["not-compared"] * 6
    assert codes(canonical.findings[1], "warning") == ["post-hoc"]


@pytest.mark.parametrize(("state", "name"), [(CANONICAL, "canonical"), (STEADY_STATE, "steady state")])
def test_statistic_is_that_of_demsar_where_the_sum_is_right(state: dict[str, list[float]], name: str) -> None:
    """His formula adds 12 n / k times what the sum of the mean ranks is too large."""
    audit = check_published_ranks(list(state.values()), 20)

    np.testing.assert_allclose(audit.chi2 + 80 * (audit.rank_sum - 6), DEMSAR_CHI2[name], atol=1e-9)


def test_batch_is_the_loop_over_its_tables() -> None:
    ranks, n = [[[2.5, 1.6, 1.9], [1.5, 2.0, 2.6]], [[1.12, 1.88, 3.0], [1, 2, 3]]], [[20, 10], [18, 4]]
    claims = [{"cd": 0.709}, {}, {"rejects": True}, {"different": [(0, 1)]}]

    batch = check_published_ranks(ranks, n, claims=claims, control=0)

    assert batch.ok.shape == batch.findings.shape == (2, 2)
    assert batch.different.shape == (2, 2, 3)
    for i, j in np.ndindex(2, 2):
        one = check_published_ranks(ranks[i][j], n[i][j], claims=claims[2 * i + j], control=0).to_dict()
        of_table = {
            name: value if name in {"n_classifiers", "names", "control", "alpha", "expected_sum"} else value[i][j]
            for name, value in batch.to_dict().items()
        }
        np.testing.assert_equal(of_table, one)


def test_order_of_classifiers_does_not_matter() -> None:
    order = [2, 0, 1]
    ranks = np.array([2.65, 1.95, 1.40])

    audit, permuted = check_published_ranks(ranks, 20), check_published_ranks(ranks[order], 20)

    assert permuted.chi2 == pytest.approx(audit.chi2, rel=1e-14)
    assert (permuted.different == audit.different[np.ix_(order, order)]).all()


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1.0], 5), {}, r"mean_ranks must hold 2 or more classifiers, but their shape is \(1,\)"),
        ((1.5, 5), {}, r"mean_ranks must hold 2 or more classifiers, but their shape is \(\)"),
        (([1, math.nan], 5), {}, r"mean_ranks must be finite, but mean_ranks\[1\] is nan"),
        (([1.25, 1.75], 5), {"decimals": 1}, "mean_ranks must have 1 decimals, but one mean rank is 1.25"),
        (([1, 2], 5), {"decimals": 20}, "decimals must be at most 12, not 20"),
        (([1, 2], 0), {}, "n_datasets must be at least 1, not 0"),
        (([[1, 2], [1, 2]], [5, 6, 7]), {}, "n_datasets must be one number or one number for each table"),
        (([1, 2], 5), {"names": ["A"]}, "names must be 2 different names, one for each mean rank"),
        (([1, 2], 5), {"names": ["A", "A"]}, "names must be 2 different names"),
        (([1, 2], 5), {"control": "C", "names": ["A", "B"]}, "control must be an index from 0 to 1 or one of 'A', 'B'"),
        (([1, 2], 5), {"control": 2}, "control must be an index from 0 to 1"),
        (([1, 2], 5), {"claims": {"p": 0.1}}, "a claim must be 'cd' or 'chi2' or 'F' or 'rejects'"),
        (([1, 2], 5), {"claims": {"pvalue": 2}}, r"claims\['pvalue'\] must lie between 0 and 1, not 2"),
        (
            ([1, 2], 5),
            {"claims": {"test": "dunn"}},
            "'bonferroni-dunn' compares with a control; specify it with control=",
        ),
        (([1, 2], 5), {"claims": {"test": " "}}, r"claims\['test'\] must be the name of a test, not ''"),
        (([1, 2], 5), {"claims": {"best": "C"}}, r"claims\['best'\] must be an index from 0 to 1"),
        (([1, 2], 5), {"claims": {"cd": -1}}, r"claims\['cd'\] must be one positive number, not -1"),
        (([1, 2], 5), {"claims": {"different": ["AB"]}}, r"claims\['different'\] must be a list of pairs"),
        (([1, 2], 5), {"claims": {"different": [(0, 0)]}}, "must hold pairs of two classifiers"),
        (([1, 2], 5), {"claims": [{}, {}]}, "claims must be a dict, or a sequence of 1 dicts, one for each table"),
        (([1, 2], 5), {"alpha": 1}, "alpha must lie between 0 and 1, not 1"),
        (([1, 2], 5), {"claims": {"F": -1}}, r"claims\['F'\] must be one nonnegative number, not -1"),
        (([1e300, 2], 5), {}, r"mean_ranks must be 1e\+09 or less, but one mean rank is 1e\+300"),
        (([1, 2], [[1, 2], [3]]), {}, "n_datasets must be a regular array"),
    ],
    ids=str,
)
def test_values_that_are_refused(arguments: tuple[object, ...], options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        check_published_ranks(*arguments, **options)


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
        check_published_ranks(*arguments, **options)


def test_scores_tell_how_many_datasets_there_are() -> None:
    scores = [[0.9, 0.8], [0.7, 0.6], [0.5, 0.6]]

    assert check_published_ranks(["1.333", "1.667"], scores=scores).n_datasets == 3
    with pytest.raises(InvalidValueError, match="n_datasets must be passed if there are no scores"):
        check_published_ranks(["1.333", "1.667"])


def test_equal_ranks_of_many_datasets_without_decimals_are_undecided() -> None:
    """Mean ranks from 1.5 to 2.5 are printed as 2; the critical difference of 1,000 datasets is smaller."""
    printed = PrintedRanks(np.array([2.0, 2.0, 2.0]), 1000, 0, ("a", "b", "c"), None, 0.05)

    assert printed.cds["nemenyi"] < 0.2
    assert printed.verdict(0, 1, "nemenyi") is None
