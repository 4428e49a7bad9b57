"""Critical differences of mean ranks, from the size of the table alone."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.examples import example_table
from evalstats.multiple.bonferroni_dunn import bonferroni_dunn_test
from evalstats.multiple.critical_differences import critical_difference
from evalstats.multiple.nemenyi import nemenyi_test

# Demšar (2006), Table 5: two-tailed critical values for 2 to 10 classifiers. The 2.724 for k = 9 is a misprint of 2.734
# that stands in most copies of the table too.
NEMENYI_05 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
NEMENYI_10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]
BONFERRONI_DUNN_05 = [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.724, 2.773]
BONFERRONI_DUNN_10 = [1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539]

# Raeder, Hoens & Chawla (2010), Table I: mean ranks of 2-fold, 5-fold and 10-fold cross-validation over 20 datasets
RAEDER_CANONICAL = {
    "C4.5": (2.50, 1.60, 1.90),
    "HDDT": (2.30, 1.85, 1.85),
    "MLP": (2.50, 1.95, 1.55),
    "5-NN": (2.85, 1.73, 1.43),
    "NB": (2.65, 1.95, 1.40),
    "SMO": (2.60, 1.65, 1.75),
}


def test_two_classifiers_by_hand() -> None:
    """One comparison: 1.96 standard errors of sqrt(1 / n), by either test."""
    for test in ("nemenyi", "bonferroni-dunn"):
        assert critical_difference(25, 2, test=test) == pytest.approx(1.959963984540054 / 5, rel=1e-14)


@pytest.mark.parametrize(
    ("alpha", "test", "printed"), [(0.05, "nemenyi", 1.25), (0.10, "nemenyi", 1.12), (0.05, "bonferroni-dunn", 1.16)]
)
def test_worked_example_of_demsar(alpha: float, test: str, printed: float) -> None:
    """Demšar (2006), section 3.2.2, four classifiers on 14 datasets; 1.168 is printed as 1.16."""
    assert critical_difference(14, 4, alpha=alpha, test=test) == pytest.approx(printed, abs=0.01)


@pytest.mark.parametrize(
    ("test", "alpha", "table"),
    [
        ("nemenyi", 0.05, NEMENYI_05),
        ("nemenyi", 0.10, NEMENYI_10),
        ("bonferroni-dunn", 0.05, BONFERRONI_DUNN_05),
        ("bonferroni-dunn", 0.10, BONFERRONI_DUNN_10),
    ],
)
def test_critical_values_of_demsar(test: str, alpha: float, table: list[float]) -> None:
    """To the last digit, which the paper sometimes cuts off instead of rounding, and but for one misprint."""
    q = [critical_difference(1, k, alpha=alpha, test=test) / math.sqrt(k * (k + 1) / 6) for k in range(2, 11)]

    wrong = [
        (k, printed) for k, printed, right in zip(range(2, 11), table, q, strict=True) if abs(printed - right) > 0.001
    ]

    assert wrong == ([(9, 2.724)] if table is BONFERRONI_DUNN_05 else [])


def test_a_published_table_can_be_checked_without_its_scores() -> None:
    """Table I of Raeder et al., CD .709: 2-fold loses to 5-fold in three rows of six, the text says in all."""
    cd = critical_difference(20, 3, test="bonferroni-dunn")

    worse_than_5 = [name for name, (two, five, _) in RAEDER_CANONICAL.items() if two - five >= cd]
    worse_than_10 = [name for name, (two, _, ten) in RAEDER_CANONICAL.items() if two - ten >= cd]

    assert cd == pytest.approx(0.709, abs=0.0005)
    assert worse_than_5 == ["C4.5", "5-NN", "SMO"]
    assert worse_than_10 == ["MLP", "5-NN", "NB", "SMO"]


def test_neighbours_in_a_table_and_finite_samples_are_what_other_tools_take() -> None:
    """Other tools print 1.331 and 1.295 for Demšar's 1.254: one row further down, or with 52 degrees of freedom."""
    standard_error = math.sqrt(4 * 5 / (6 * 14))

    one_row_down = critical_difference(14, 5) / math.sqrt(5 * 6) * math.sqrt(4 * 5)
    finite_df = stats.studentized_range.isf(0.05, 4, 4 * 13) / math.sqrt(2) * standard_error

    assert (one_row_down, finite_df) == pytest.approx((1.331, 1.295), abs=0.0005)


@given(
    n=st.integers(1, 500),
    k=st.integers(2, 60),
    alpha=st.floats(1e-9, 0.99),
    test=st.sampled_from(["nemenyi", "bonferroni-dunn"]),
)
def test_falls_with_datasets_and_alpha_and_rises_with_classifiers(n: int, k: int, alpha: float, test: str) -> None:
    here = critical_difference(n, k, alpha=alpha, test=test)

    assert critical_difference(4 * n, k, alpha=alpha, test=test) == pytest.approx(here / 2, rel=1e-12)
    assert critical_difference(n, k, alpha=alpha / 2, test=test) > here
    assert critical_difference(n, k + 1, alpha=alpha, test=test) > here


@given(n=st.integers(1, 500), k=st.integers(3, 60), alpha=st.floats(1e-9, 0.2))
def test_a_control_finds_smaller_differences_than_all_pairs(n: int, k: int, alpha: float) -> None:
    control = critical_difference(n, k, alpha=alpha, test="bonferroni-dunn")

    assert control < critical_difference(n, k, alpha=alpha)


def test_results_have_it_as_a_method() -> None:
    scores = example_table("demsar-2006").scores

    assert nemenyi_test(scores).critical_difference(0.01) == critical_difference(14, 4, alpha=0.01)
    assert bonferroni_dunn_test(scores, control=0).critical_difference(0.01) == critical_difference(
        14, 4, alpha=0.01, test="bonferroni-dunn"
    )


@pytest.mark.parametrize("test", ["nemenyi", "bonferroni-dunn"])
@pytest.mark.parametrize("alpha", [1 - 2**-53, 0.9, 0.5, 1e-30, 1e-300])
def test_every_alpha_has_a_critical_difference(alpha: float, test: str) -> None:
    for k in (2, 3, 40, 2000):
        assert 0 <= critical_difference(10, k, alpha=alpha, test=test) < math.inf


@pytest.mark.parametrize(
    ("arguments", "choices", "error", "message"),
    [
        ((0, 4), {}, InvalidValueError, "n_datasets must be at least 1, not 0"),
        ((14, 1), {}, InvalidValueError, "n_classifiers must be at least 2, not 1"),
        ((14.0, 4), {}, InvalidTypeError, "n_datasets must be a whole number, not 14.0"),
        ((14, 4), {"alpha": 1}, InvalidValueError, "alpha must lie between 0 and 1, not 1"),
        ((14, 4), {"alpha": "5%"}, InvalidTypeError, "alpha must be a number, not '5%'"),
        ((14, 4), {"test": "tukey"}, InvalidValueError, "test must be 'nemenyi' or 'bonferroni-dunn', not 'tukey'"),
    ],
)
def test_messages(
    arguments: tuple[object, object], choices: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        critical_difference(*arguments, **choices)

    assert message in str(caught.value)
