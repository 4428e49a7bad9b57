"""Functions with the signatures of scikit-posthocs return its numbers, except where the page says so."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats import InvalidTypeError, InvalidValueError, bonferroni_dunn_test, conover_test, wilcoxon_test
from evalstats.compat import scikit_posthocs as sp
from evalstats.multiple import quade_posthoc_test

TABLE = np.array([[31, 27, 24], [31, 28, 31], [45, 29, 46], [21, 18, 48], [42, 36, 46], [32, 17, 40]])
NAMES = ["svm", "nb", "rf"]
FRAME = pd.DataFrame(TABLE, columns=NAMES, index=pd.Index(list("abcdef"), name="dataset"))
LONG = FRAME.reset_index().melt(id_vars="dataset", var_name="classifier", value_name="score")
COLUMNS = {"melted": True, "y_col": "score", "group_col": "classifier", "block_col": "dataset"}
OF_BLOCKS = [
    sp.posthoc_nemenyi_friedman,
    sp.posthoc_conover_friedman,
    sp.posthoc_siegel_friedman,
    sp.posthoc_miller_friedman,
    sp.posthoc_quade,
]
# scikit-posthocs 0.17.1 with scipy 1.17.1: p-values of the pairs (0, 1), (0, 2) and (1, 2)
THEIRS = {
    ("posthoc_nemenyi_friedman", ()): [0.145534868691, 0.832229218116, 0.0376099148196],
    ("posthoc_miller_friedman", ()): [0.171973193396, 0.846481724891, 0.0492711448392],
    ("posthoc_conover_friedman", ()): [0.0232515245939, 0.429486958864, 0.00573230025725],
    ("posthoc_conover_friedman", (("p_adjust", "holm"),)): [0.0465030491877, 0.429486958864, 0.0171969007718],
    ("posthoc_conover_friedman", (("p_adjust", "hommel"),)): [0.0465030491877, 0.429486958864, 0.0171969007718],
    ("posthoc_siegel_friedman", ()): [0.060601969712, 0.563702861651, 0.0141379694559],
    ("posthoc_siegel_friedman", (("p_adjust", "fdr_by"),)): [0.166655416708, 1.0, 0.0777588320075],
    ("posthoc_siegel_friedman", (("p_adjust", "simes-hochberg"),)): [0.121203939424, 0.563702861651, 0.0424139083677],
    ("posthoc_quade", ()): [0.0467641384907, 0.170579536701, 0.00382063739607],
    ("posthoc_quade", (("p_adjust", "sidak"),)): [0.133834029302, 0.429409892397, 0.0114181761487],
}


@pytest.mark.parametrize(("name", "choices"), THEIRS)
def test_pvalues_are_those_of_scikit_posthocs(name: str, choices: tuple[tuple[str, str], ...]) -> None:
    found = getattr(sp, name)(TABLE, **dict(choices)).to_numpy()

    np.testing.assert_allclose(found[np.triu_indices(3, 1)], THEIRS[name, choices], rtol=1e-9)
    np.testing.assert_array_equal(found, found.T)
    assert np.diag(found).tolist() == [1, 1, 1]


def test_wilcoxon_pvalues_are_those_of_scikit_posthocs() -> None:
    """A row is a classifier, as in scikit-posthocs 0.17.1; the third row has tied differences."""
    found = sp.posthoc_wilcoxon([[1, 2, 3, 4, 5], [35, 31, 75, 40, 21], [10, 6, 9, 6, 1]])

    assert found.to_numpy().tolist() == [[1, 0.0625, 0.25], [0.0625, 1, 0.0625], [0.25, 0.0625, 1]]
    assert list(found.index) == list(found.columns) == [1, 2, 3]


def test_normal_approximation_of_wilcoxon_is_that_of_scikit_posthocs() -> None:
    """A zero and ties: SciPy 1.17.1 has no exact p-value for them, but the same approximation."""
    found = sp.posthoc_wilcoxon(TABLE.T.tolist(), method="asymptotic", zero_method="pratt", correction=True)

    np.testing.assert_allclose(
        found.to_numpy()[np.triu_indices(3, 1)], [0.0355223366234, 0.246251699693, 0.0739374358522], rtol=1e-9
    )


def test_demsar_compares_with_the_control_alone() -> None:
    """The values are those of scikit-posthocs 0.17.1, and of the Bonferroni-Dunn test."""
    matrix = sp.posthoc_demsar(FRAME, control="nb", p_adjust="bonferroni")
    series = sp.posthoc_demsar(FRAME, control="nb", p_adjust="bonferroni", to_matrix=False)

    np.testing.assert_allclose(series.to_numpy(), [0.121203939424, 0.0282759389118], rtol=1e-9)
    assert series.index.tolist() == [("nb", "svm"), ("nb", "rf")]
    np.testing.assert_allclose(series, bonferroni_dunn_test(TABLE, control=1).pvalue[[0, 2]], rtol=1e-12)
    np.testing.assert_array_equal(matrix.loc["nb"], [series.iloc[0], 1, series.iloc[1]])
    assert np.isnan(matrix.loc["svm", "rf"])


@pytest.mark.parametrize("test", OF_BLOCKS)
def test_layouts_have_one_answer(test) -> None:
    """The names come from the columns; a long table in any order of rows has the same p-values."""
    wide, shuffled = test(FRAME), LONG.sample(frac=1, random_state=1)

    assert list(wide.index) == list(wide.columns) == NAMES
    pd.testing.assert_frame_equal(test(LONG, **COLUMNS), wide)
    pd.testing.assert_frame_equal(test(shuffled, **COLUMNS, block_id_col="dataset").loc[NAMES, NAMES], wide)
    pd.testing.assert_frame_equal(test(shuffled, **COLUMNS, sort=True), wide.sort_index().sort_index(axis=1))
    pd.testing.assert_frame_equal(test(FRAME, sort=True), wide.sort_index().sort_index(axis=1))
    np.testing.assert_array_equal(test(TABLE.tolist()), wide)


def test_long_array_names_its_columns_by_index() -> None:
    rows = np.array([[j, i, TABLE[i, j]] for j in range(3) for i in range(6)])

    found = sp.posthoc_nemenyi_friedman(rows, y_col=2, group_col=0, block_col=1, melted=True)

    np.testing.assert_array_equal(found, sp.posthoc_nemenyi_friedman(TABLE))


def test_wilcoxon_of_a_long_table_pairs_by_the_order_of_rows() -> None:
    found = sp.posthoc_wilcoxon(LONG, val_col="score", group_col="classifier", sort=True)

    assert list(found.index) == sorted(NAMES)
    assert found.loc["svm", "rf"] == wilcoxon_test(TABLE[:, 0], TABLE[:, 2]).pvalue


def test_quade_with_the_normal_distribution_is_not_that_of_scikit_posthocs() -> None:
    """scikit-posthocs 0.17.1 has p = 0.00702534 for the first pair: its variance contains the number of scores."""
    found = sp.posthoc_quade(TABLE, dist="normal").iloc[0, 1]

    assert found == quade_posthoc_test(TABLE, adjust="none").pvalue[0, 1]
    assert found > 10 * 0.00702534


def test_equal_scores_have_no_nan() -> None:
    """scikit-posthocs 0.17.1 divides 0 by 0."""
    assert (sp.posthoc_conover_friedman(np.full((6, 3), 0.8)).to_numpy() == conover_test(np.ones((6, 3))).pvalue).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sp.posthoc_conover_friedman(TABLE, p_adjust="single-step"), "p_adjust='single-step' is not supported"),
        (
            lambda: sp.posthoc_siegel_friedman(TABLE, p_adjust="fdr_tsbh"),
            "p_adjust must be None or one of 'bon",
        ),
        (lambda: sp.posthoc_quade(TABLE, p_adjust=["holm"]), "p_adjust must be None or one of"),
        (lambda: sp.posthoc_quade(TABLE, dist="chi2"), "dist must be 't' or 'normal', not 'chi2'"),
        (
            lambda: sp.posthoc_demsar(FRAME, control="nb", alternative="less"),
            "alternative must be 'two-sided'",
        ),
        (lambda: sp.posthoc_demsar(FRAME), "control must be one of 'svm', 'nb', 'rf', not None"),
        (lambda: sp.posthoc_demsar(FRAME, control="sv"), "did you mean 'svm'"),
        (lambda: sp.posthoc_wilcoxon(TABLE, method="permutation"), "method must be 'auto' or 'exact'"),
        (lambda: sp.posthoc_wilcoxon([[1, 2, 3], [1, 2]]), "equal numbers of scores, but the numbers are {1: 3, 2: 2}"),
        (lambda: sp.posthoc_wilcoxon(LONG, val_col="acc"), "the table has no column 'acc', only 'dataset'"),
        (
            lambda: sp.posthoc_nemenyi_friedman(LONG, melted=True),
            "melted=True requires the columns of the table",
        ),
        (
            lambda: sp.posthoc_nemenyi_friedman(LONG, **COLUMNS | {"group_col": "model"}),
            "the table has no column 'model'",
        ),
        (
            lambda: sp.posthoc_nemenyi_friedman(pd.concat([LONG, LONG[:1]]), **COLUMNS),
            "'svm' has more than one score",
        ),
        (lambda: sp.posthoc_nemenyi_friedman(LONG[1:], **COLUMNS), "is nan"),
        (lambda: sp.posthoc_nemenyi_friedman(FRAME.replace(17, np.nan)), "is nan"),
        (lambda: sp.posthoc_wilcoxon(FRAME.T.replace(17, np.nan).to_numpy()), "is nan"),
    ],
)
def test_what_cannot_be_honored_is_one_sentence(call, message: str) -> None:
    with pytest.raises(InvalidValueError) as error:
        call()

    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("array", [TABLE[:, :2], TABLE[:2, :2], TABLE[0]])
def test_array_that_may_be_a_long_table_is_refused(array: np.ndarray) -> None:
    with pytest.raises(InvalidTypeError, match="an array must have a row for each classifier"):
        sp.posthoc_wilcoxon(array)
