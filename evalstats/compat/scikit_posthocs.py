"""Post-hoc tests with the signatures of scikit-posthocs 0.17."""

from __future__ import annotations

__all__ = [
    "posthoc_conover_friedman",
    "posthoc_demsar",
    "posthoc_miller_friedman",
    "posthoc_nemenyi_friedman",
    "posthoc_quade",
    "posthoc_siegel_friedman",
    "posthoc_wilcoxon",
]

from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, listed, short
from evalstats._frames import data_frame
from evalstats.multiple.conover import conover_test
from evalstats.multiple.nemenyi import nemenyi_test
from evalstats.multiple.quade import quade_posthoc_test
from evalstats.multiple.siegel_castellan import miller_test, siegel_castellan_test
from evalstats.pairwise.wilcoxon import pairwise_wilcoxon_test

if TYPE_CHECKING:
    from pandas import DataFrame, Series

# the statsmodels methods that scikit-posthocs accepts, except the two-stage methods, and their names in evalstats
ADJUSTMENTS = {
    "bonferroni": "bonferroni",
    "sidak": "sidak",
    "holm-sidak": "holm-sidak",
    "holm": "holm",
    "simes-hochberg": "hochberg",
    "hommel": "hommel",
    "fdr_bh": "bh",
    "fdr_by": "by",
}
WILCOXON_METHODS = {"auto": "auto", "exact": "exact", "asymptotic": "asymptotic", "approx": "asymptotic"}


def posthoc_nemenyi_friedman(
    a: Any,
    y_col: Any = None,
    group_col: Any = None,
    block_col: Any = None,
    block_id_col: Any = None,
    melted: bool = False,
    sort: bool = False,
) -> DataFrame:
    """Test which pairs of classifiers differ in mean rank, as `scikit_posthocs.posthoc_nemenyi_friedman` does.

    The p-values are the p-values of `nemenyi_test`. The null hypothesis for a pair is that both classifiers have the
    same expected rank.

    Parameters
    ----------
    a : array_like or data frame
        Scores: one row per dataset and one column per classifier or, with `melted`, one row per score.
    y_col, group_col, block_col, block_id_col : column name or index
        With `melted`: the columns of the score, the classifier and the dataset. If the names of datasets are not
        unique, also the column of the identifier of the dataset.
    melted : bool, default: False
        Whether `a` is in the long layout.
    sort : bool, default: False
        Whether to sort the classifiers by name.

    Returns
    -------
    DataFrame of shape (k, k)
        Adjusted p-values with the names of the classifiers. They are 1 on the diagonal.

    Raises
    ------
    InvalidValueError
        If a score is missing or not finite, or a classifier has two scores on a dataset.

    Examples
    --------
    >>> from evalstats.compat.scikit_posthocs import posthoc_nemenyi_friedman
    >>> x = [[31, 27, 24], [31, 28, 31], [45, 29, 46], [21, 18, 48], [42, 36, 46], [32, 17, 40]]
    >>> posthoc_nemenyi_friedman(x).round(4)
            0       1       2
    0  1.0000  0.1455  0.8322
    1  0.1455  1.0000  0.0376
    2  0.8322  0.0376  1.0000
    """
    table = _blocks(a, y_col, group_col, block_col, block_id_col, melted, sort)
    return _matrix(nemenyi_test(table.to_numpy()).pvalue, table)


def posthoc_conover_friedman(
    a: Any,
    y_col: Any = None,
    block_col: Any = None,
    block_id_col: Any = None,
    group_col: Any = None,
    melted: bool = False,
    sort: bool = False,
    p_adjust: str | None = None,
) -> DataFrame:
    """Test which pairs of classifiers differ in mean rank, as `scikit_posthocs.posthoc_conover_friedman` does.

    The p-values are the p-values of `conover_test`.

    Parameters
    ----------
    a, y_col, block_col, block_id_col, group_col, melted, sort
        As in `posthoc_nemenyi_friedman`.
    p_adjust : str, optional
        Adjustment of the p-values: ``'bonferroni'``, ``'sidak'``, ``'holm-sidak'``, ``'holm'``, ``'simes-hochberg'``,
        ``'hommel'``, ``'fdr_bh'`` or ``'fdr_by'``. None: no adjustment. The two-stage methods and ``'single-step'``
        raise an error.

    Returns
    -------
    DataFrame of shape (k, k)
        p-values with the names of the classifiers. They are 1 on the diagonal.

    Examples
    --------
    >>> from evalstats.compat.scikit_posthocs import posthoc_conover_friedman
    >>> x = [[31, 27, 24], [31, 28, 31], [45, 29, 46], [21, 18, 48], [42, 36, 46], [32, 17, 40]]
    >>> posthoc_conover_friedman(x, p_adjust="holm").round(4)
            0       1       2
    0  1.0000  0.0465  0.4295
    1  0.0465  1.0000  0.0172
    2  0.4295  0.0172  1.0000
    """
    table = _blocks(a, y_col, group_col, block_col, block_id_col, melted, sort)
    if p_adjust == "single-step":
        raise InvalidValueError(
            "p_adjust='single-step' is not supported: it treats the variance that Conover's test estimates as known; "
            "use 'holm', or posthoc_nemenyi_friedman"
        )
    return _matrix(conover_test(table.to_numpy(), adjust=_adjustment(p_adjust)).pvalue, table)


def posthoc_siegel_friedman(
    a: Any,
    y_col: Any = None,
    group_col: Any = None,
    block_col: Any = None,
    block_id_col: Any = None,
    p_adjust: str | None = None,
    melted: bool = False,
    sort: bool = False,
) -> DataFrame:
    """Test which pairs of classifiers differ in mean rank, as `scikit_posthocs.posthoc_siegel_friedman` does.

    The p-values are the p-values of `siegel_castellan_test`.

    Parameters
    ----------
    a, y_col, group_col, block_col, block_id_col, melted, sort
        As in `posthoc_nemenyi_friedman`.
    p_adjust : str, optional
        As in `posthoc_conover_friedman`.

    Returns
    -------
    DataFrame of shape (k, k)
        p-values with the names of the classifiers. They are 1 on the diagonal.

    Examples
    --------
    >>> from evalstats.compat.scikit_posthocs import posthoc_siegel_friedman
    >>> x = [[31, 27, 24], [31, 28, 31], [45, 29, 46], [21, 18, 48], [42, 36, 46], [32, 17, 40]]
    >>> posthoc_siegel_friedman(x).round(4)
            0       1       2
    0  1.0000  0.0606  0.5637
    1  0.0606  1.0000  0.0141
    2  0.5637  0.0141  1.0000
    """
    table = _blocks(a, y_col, group_col, block_col, block_id_col, melted, sort)
    return _matrix(siegel_castellan_test(table.to_numpy(), adjust=_adjustment(p_adjust)).pvalue, table)


def posthoc_miller_friedman(
    a: Any,
    y_col: Any = None,
    group_col: Any = None,
    block_col: Any = None,
    block_id_col: Any = None,
    melted: bool = False,
    sort: bool = False,
) -> DataFrame:
    """Test which pairs of classifiers differ in mean rank, as `scikit_posthocs.posthoc_miller_friedman` does.

    The p-values are the p-values of `miller_test`.

    Parameters
    ----------
    a, y_col, group_col, block_col, block_id_col, melted, sort
        As in `posthoc_nemenyi_friedman`.

    Returns
    -------
    DataFrame of shape (k, k)
        Adjusted p-values with the names of the classifiers. They are 1 on the diagonal.

    Examples
    --------
    >>> from evalstats.compat.scikit_posthocs import posthoc_miller_friedman
    >>> x = [[31, 27, 24], [31, 28, 31], [45, 29, 46], [21, 18, 48], [42, 36, 46], [32, 17, 40]]
    >>> posthoc_miller_friedman(x).round(4)
            0       1       2
    0  1.0000  0.1720  0.8465
    1  0.1720  1.0000  0.0493
    2  0.8465  0.0493  1.0000
    """
    table = _blocks(a, y_col, group_col, block_col, block_id_col, melted, sort)
    return _matrix(miller_test(table.to_numpy()).pvalue, table)


def posthoc_quade(
    a: Any,
    y_col: Any = None,
    group_col: Any = None,
    block_col: Any = None,
    block_id_col: Any = None,
    dist: str = "t",
    p_adjust: str | None = None,
    melted: bool = False,
    sort: bool = False,
) -> DataFrame:
    """Test which pairs of classifiers differ in weighted mean rank, as `scikit_posthocs.posthoc_quade` does.

    The p-values are the p-values of `quade_posthoc_test`.

    Parameters
    ----------
    a, y_col, group_col, block_col, block_id_col, melted, sort
        As in `posthoc_nemenyi_friedman`.
    dist : {'t', 'normal'}, default: 't'
        The null distribution. ``'normal'`` differs from scikit-posthocs. The variance in scikit-posthocs contains the
        number of scores instead of the number of datasets, so the test of scikit-posthocs is very liberal.
    p_adjust : str, optional
        As in `posthoc_conover_friedman`.

    Returns
    -------
    DataFrame of shape (k, k)
        p-values with the names of the classifiers. They are 1 on the diagonal.

    Examples
    --------
    >>> from evalstats.compat.scikit_posthocs import posthoc_quade
    >>> x = [[31, 27, 24], [31, 28, 31], [45, 29, 46], [21, 18, 48], [42, 36, 46], [32, 17, 40]]
    >>> posthoc_quade(x).round(4)
            0       1       2
    0  1.0000  0.0468  0.1706
    1  0.0468  1.0000  0.0038
    2  0.1706  0.0038  1.0000
    """
    table = _blocks(a, y_col, group_col, block_col, block_id_col, melted, sort)
    dist = _checks.choice(dist, "dist", ("t", "normal"))
    result = quade_posthoc_test(table.to_numpy(), method=dist, adjust=_adjustment(p_adjust))
    return _matrix(result.pvalue, table)


def posthoc_wilcoxon(
    a: Any,
    val_col: Any = None,
    group_col: Any = None,
    method: str = "auto",
    zero_method: str = "wilcox",
    correction: bool = False,
    p_adjust: str | None = None,
    sort: bool = False,
) -> DataFrame:
    """Test which pairs of classifiers differ over datasets, as `scikit_posthocs.posthoc_wilcoxon` does.

    The p-values are the p-values of `pairwise_wilcoxon_test`. By default, they are exact for up to 10,000 datasets,
    even with ties and zero differences. If all pairs together have more than 10 million differences, they are exact for
    up to 60 datasets.

    Parameters
    ----------
    a : array_like or data frame
        One row per classifier, as in scikit-posthocs, or a data frame with one row per score. In a data frame, the
        order of the datasets must be the same for each classifier.
    val_col, group_col : column name
        For a data frame: the column of the score and the column of the classifier.
    method : {'auto', 'exact', 'approx', 'asymptotic'}, default: 'auto'
        The null distribution, as in `wilcoxon_test`.
    zero_method : {'wilcox', 'pratt', 'zsplit'}, default: 'wilcox'
        Treatment of zero differences, as in `wilcoxon_test`.
    correction : bool, default: False
        Continuity correction of the normal approximation.
    p_adjust : str, optional
        As in `posthoc_conover_friedman`.
    sort : bool, default: False
        Whether to sort the classifiers by name.

    Returns
    -------
    DataFrame of shape (k, k)
        p-values with the names of the classifiers, or with numbers from 1. They are 1 on the diagonal.

    Raises
    ------
    InvalidValueError
        If the classifiers have different numbers of scores, or a score is missing.

    Examples
    --------
    >>> from evalstats.compat.scikit_posthocs import posthoc_wilcoxon
    >>> posthoc_wilcoxon([[1, 2, 3, 4, 5], [35, 31, 75, 40, 21], [10, 6, 9, 6, 1]])
            1       2       3
    1  1.0000  0.0625  0.2500
    2  0.0625  1.0000  0.0625
    3  0.2500  0.0625  1.0000
    """
    table = _samples(a, val_col, group_col, sort)
    method = WILCOXON_METHODS[_checks.choice(method, "method", tuple(WILCOXON_METHODS))]
    result = pairwise_wilcoxon_test(
        table.to_numpy(), method=method, zero_method=zero_method, correction=correction, adjust=_adjustment(p_adjust)
    )
    return _matrix(result.pvalue, table)


def posthoc_demsar(
    a: Any,
    y_col: Any = None,
    group_col: Any = None,
    block_col: Any = None,
    block_id_col: Any = None,
    control: Any = None,
    alternative: str = "two-sided",
    p_adjust: str | None = None,
    melted: bool = False,
    sort: bool = False,
    to_matrix: bool = True,
) -> Series | DataFrame:
    """Test which classifiers differ from a control in mean rank, as `scikit_posthocs.posthoc_demsar` does.

    The p-values are the p-values of `siegel_castellan_test` with a control. With ``p_adjust='bonferroni'``, the test is
    the Bonferroni-Dunn test.

    Parameters
    ----------
    a, y_col, group_col, block_col, block_id_col, melted, sort
        As in `posthoc_nemenyi_friedman`.
    control : column name
        The classifier that all others are compared with.
    alternative : {'two-sided'}
        Other alternatives raise an error.
    p_adjust : str, optional
        As in `posthoc_conover_friedman`.
    to_matrix : bool, default: True
        Whether to return a matrix instead of one p-value for each comparison.

    Returns
    -------
    DataFrame of shape (k, k), or Series
        The p-values of the comparisons with the control. In a matrix, the values of the other pairs are nan, and the
        diagonal is 1.

    Examples
    --------
    >>> from evalstats.compat.scikit_posthocs import posthoc_demsar
    >>> x = [[31, 27, 24], [31, 28, 31], [45, 29, 46], [21, 18, 48], [42, 36, 46], [32, 17, 40]]
    >>> posthoc_demsar(x, control=0, p_adjust="bonferroni", to_matrix=False).round(4)
    0  1    0.1212
       2    1.0000
    dtype: float64
    """
    table = _blocks(a, y_col, group_col, block_col, block_id_col, melted, sort)
    if alternative != "two-sided":
        raise InvalidValueError(
            f"alternative must be 'two-sided', not {short(alternative)}; pairwise_sign_test and pairwise_wilcoxon_test "
            "support one-sided comparisons with a control"
        )
    if control is None:
        raise InvalidValueError(f"control must be one of {listed(table.columns.tolist())}, not None")
    result = siegel_castellan_test(table, control=control, adjust=_adjustment(p_adjust))
    names, others = table.columns, [name for name in table.columns if name != control]
    pvalue = result.pvalue[names != control]
    if to_matrix:
        matrix = data_frame(np.where(np.eye(len(names)), 1.0, np.nan), index=names, columns=names)
        matrix.loc[control, others] = matrix.loc[others, control] = pvalue
        return matrix
    import pandas as pd

    return pd.Series(pvalue, index=pd.MultiIndex.from_product([[control], others]))


def _adjustment(p_adjust: Any) -> str:
    """Return the evalstats name of an adjustment of statsmodels."""
    if p_adjust is None:
        return "none"
    if not isinstance(p_adjust, str) or p_adjust not in ADJUSTMENTS:
        raise InvalidValueError(f"p_adjust must be None or one of {listed(ADJUSTMENTS)}, not {short(p_adjust)}")
    return ADJUSTMENTS[p_adjust]


def _matrix(pvalue: Any, table: DataFrame) -> DataFrame:
    names = table.columns.to_numpy(copy=True)
    return data_frame(pvalue, index=names, columns=names)


def _blocks(
    a: Any, y_col: Any, group_col: Any, block_col: Any, block_id_col: Any, melted: bool, sort: bool
) -> DataFrame:
    """Return the scores with a row for each dataset and a named column for each classifier."""
    table: DataFrame = a if hasattr(a, "columns") else data_frame(np.asarray(a))
    if melted:
        named = {"y_col": y_col, "group_col": group_col, "block_col": block_col}
        if lacking := [name for name, column in named.items() if column is None]:
            raise InvalidValueError(f"melted=True requires the columns of the table, but {lacking[0]} is None")
        table = _wide(table, y_col, group_col, block_col if block_id_col is None else block_id_col)
    return table.sort_index(axis=1) if sort else table


def _wide(table: DataFrame, y_col: Any, group_col: Any, block_col: Any) -> DataFrame:
    """Convert the long layout to the wide layout, with classifiers and datasets in the order of their first scores."""
    for column in (y_col, group_col, block_col):
        if column not in table.columns:
            raise InvalidValueError(f"the table has no column {short(column)}, only {listed(table.columns.tolist())}")
    twice = table.duplicated([group_col, block_col])
    if twice.any():
        group, block = table.loc[twice, [group_col, block_col]].iloc[0]
        raise InvalidValueError(
            f"{short(group)} has more than one score on {short(block)}; pass the column of the identifiers of "
            f"datasets as block_id_col"
        )
    wide = table.pivot(index=block_col, columns=group_col, values=y_col)
    ordered: DataFrame = wide.loc[table[block_col].unique(), table[group_col].unique()].astype(float)
    return ordered


def _samples(a: Any, val_col: Any, group_col: Any, sort: bool) -> DataFrame:
    """Return the scores with a column for each classifier; scores are paired in the order of the rows."""
    if not hasattr(a, "columns"):
        if isinstance(a, np.ndarray) and (a.ndim != 2 or (a.shape[1] == 2 and a.shape[0] != 2) or a.shape == (2, 2)):
            raise InvalidTypeError(
                "an array must have a row for each classifier and more than two columns; scikit-posthocs reads two "
                "columns as scores and names, so pass a list of samples, or a data frame with val_col and group_col"
            )
        samples = dict(enumerate(a, start=1))
    else:
        val_col, group_col = "vals" if val_col is None else val_col, "groups" if group_col is None else group_col
        for column in (val_col, group_col):
            if column not in a.columns:
                raise InvalidValueError(f"the table has no column {short(column)}, only {listed(a.columns.tolist())}")
        samples = {name: rows.to_numpy() for name, rows in a.groupby(group_col, sort=False, observed=True)[val_col]}
    sizes = {name: len(sample) for name, sample in samples.items()}
    if len(set(sizes.values())) > 1:
        raise InvalidValueError(
            f"the classifiers must have equal numbers of scores, but the numbers are {short(sizes)}"
        )
    table = data_frame(samples)
    return table.sort_index(axis=1) if sort else table
