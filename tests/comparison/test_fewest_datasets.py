"""The number of datasets that is told is the first with which the test calls a pair different."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import compare
from evalstats.comparison.registry import POSTHOC_TESTS
from evalstats.comparison.validity import MOST_OF_STEEL, _fewest_datasets, hopeless_words

FAMILIES = [
    (name, has_control)
    for name, test in POSTHOC_TESTS.items()
    for has_control in (False, True)
    if test.bound and (test.control if has_control else test.pairs)
]


def found(n: int, k: int, *, posthoc: str, control: str | None, alpha: float, adjust: str | None) -> bool:
    """Tell whether the best differs from the worst where n datasets agree on one order of k classifiers."""
    scores = np.tile(np.arange(k), (n, 1)) * np.linspace(1, 2, n)[:, None]
    return bool(compare(scores, posthoc=posthoc, control=control, alpha=alpha, adjust=adjust).different.any())


@pytest.mark.sampled
@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.003])
@pytest.mark.parametrize("k", [3, 5])
@pytest.mark.parametrize(("posthoc", "has_control"), FAMILIES)
def test_that_many_datasets_show_a_pair_and_fewer_do_not(posthoc: str, has_control: bool, k: int, alpha: float) -> None:
    test = POSTHOC_TESTS[posthoc]
    control = "classifier 1" if has_control else None
    for adjust in ("holm", "bonferroni", "none", "sidak") if test.adjusts else (None,):
        told = _fewest_datasets(posthoc, adjust, n_classifiers=k, has_control=has_control, alpha=alpha)

        given = {"posthoc": posthoc, "control": control, "alpha": alpha, "adjust": adjust}
        assert found(told, k, **given)
        assert told == 1 or not found(told - 1, k, **given)


@pytest.mark.parametrize("adjust", ["shaffer", "shaffer-dynamic", "bergmann-hommel"])
def test_procedures_for_pairs_begin_as_holms(adjust: str) -> None:
    assert _fewest_datasets("sign", adjust, n_classifiers=4, has_control=False, alpha=0.05) == 8
    assert found(8, 4, posthoc="sign", control=None, alpha=0.05, adjust=adjust)
    assert not found(7, 4, posthoc="sign", control=None, alpha=0.05, adjust=adjust)


def test_number_is_not_told_where_it_is_not_known() -> None:
    assert _fewest_datasets("conover", "holm", n_classifiers=4, has_control=False, alpha=0.05) is None
    many = MOST_OF_STEEL + 1
    assert _fewest_datasets("steel", None, n_classifiers=many, has_control=True, alpha=0.05) is None


def test_thousands_of_classifiers_take_no_time() -> None:
    assert _fewest_datasets("wilcoxon", "holm", n_classifiers=6000, has_control=False, alpha=0.05) == 30


def words(**changes) -> str:
    choices = {"where": "With 8 datasets", "smallest": "0.352", "n_classifiers": 10, "control": None, "alpha": 0.05}
    return hopeless_words("wilcoxon", "holm", **choices | changes)


def test_words() -> None:
    assert words() == (
        "With 8 datasets, the smallest adjusted p-value is 0.352: no pair can be significantly different; a "
        "significant difference needs 11 datasets, or 9 with a control that is chosen in advance."
    )
    assert words(control="NB").endswith(
        "no classifier can be significantly different from NB; a significant difference needs 9 datasets."
    )
    assert words(nouns=("model", "benchmark")).endswith(
        "; a significant difference needs 11 benchmarks, or 9 with a control that is chosen in advance."
    )
    assert (
        hopeless_words("conover", "none", where="Here", smallest="0.1", n_classifiers=3, control=None, alpha=0.05)
        == "Here, the smallest p-value is 0.1: no pair can be significantly different."
    )
