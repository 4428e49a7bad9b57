"""One function for all pairwise tests, which are chosen by name."""

from __future__ import annotations

__all__ = ["pairwise_test"]

import inspect
from collections.abc import Mapping
from typing import Any

from evalstats import _checks, pairwise
from evalstats._declarations import OF_SIZES, Data, Declaration
from evalstats.adjustment.pair_indexing import USUAL_TEST, PairwiseTestResult

# function of each test, and the options that belong to the name; the names that `compare` knows are its names
TESTS: dict[str, tuple[str, Mapping[str, Any]]] = {
    "wilcoxon": ("pairwise_wilcoxon_test", {}),
    "sign": ("pairwise_sign_test", {}),
    "paired-t": ("pairwise_paired_ttest", {}),
    "max-t": ("pairwise_max_t_test", {"ranks": True}),
    "max-t-means": ("pairwise_max_t_test", {}),
    "romano-wolf": ("pairwise_max_t_test", {"method": "bootstrap"}),
    "range": ("pairwise_max_t_test", {"method": "range"}),
    "corrected-t": ("pairwise_corrected_ttest", {}),
    "clustered-t": ("pairwise_clustered_ttest", {}),
    "mcnemar": ("pairwise_mcnemar_test", {}),
    "delong": ("pairwise_delong_test", {}),
    "proper-score": ("pairwise_proper_score_test", {}),
    "betting": ("pairwise_betting_test", {}),
    "subgroup": ("pairwise_subgroup_test", {}),
}


def pairwise_test(scores: Any, *, test: str = USUAL_TEST, **options: Any) -> PairwiseTestResult:
    """Test which pairs of classifiers differ, with a test chosen by its name.

    The null hypothesis for a pair is the null hypothesis of the chosen test. The function of each test is also public,
    and its documentation describes its options.

    Parameters
    ----------
    scores : array_like of shape (n, n_classifiers)
        One row per dataset and one column per classifier, or one row per fold or instance. For ``'mcnemar'``: True for
        correct and False for incorrect.
    test : str, default: 'wilcoxon'
        For several datasets: ``'wilcoxon'``, ``'sign'``, ``'paired-t'``, ``'max-t'`` (of signed ranks),
        ``'max-t-means'``, ``'romano-wolf'`` (bootstrap of the means) or ``'range'`` (randomized Tukey HSD). For the
        folds of one dataset: ``'corrected-t'``. For the instances of one dataset: ``'mcnemar'``, ``'delong'``,
        ``'proper-score'``, ``'clustered-t'``, ``'betting'`` or ``'subgroup'``.
    **options
        Additional arguments of the function, such as `control` and `adjust`. ``'corrected-t'`` requires `n_train` and
        `n_test`. ``'delong'`` and ``'proper-score'`` require `y_true`. ``'subgroup'`` requires `subgroup`.

    Returns
    -------
    PairwiseTestResult
        The result of the function, such as a `PairwiseWilcoxonTestResult`.

    Raises
    ------
    ValueError, TypeError
        If the name of the test is unknown, an option is unknown or missing, or the function rejects an argument.

    See Also
    --------
    compare : chooses a valid test for the data.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning
    Research 7, 1-30.

    Examples
    --------
    >>> from evalstats.pairwise import pairwise_test
    >>> scores = [[70, 51, 64], [90, 62, 81], [80, 55, 91], [60, 48, 55], [90, 57, 52], [70, 64, 43], [80, 73, 72]]
    >>> pairwise_test(scores).pvalue[0].round(4)
    array([1.    , 0.0469, 0.3125])
    >>> pairwise_test(scores, test="sign", control=0).n_wins
    array([0, 0, 1])
    """
    function_name, always = TESTS[_checks.choice(test, "test", tuple(TESTS))]
    function = getattr(pairwise, function_name)
    parameters = dict(inspect.signature(function).parameters)
    data = next(name for name in ("scores", "correct") if parameters.pop(name, None))
    required = [name for name, parameter in parameters.items() if parameter.default is inspect.Parameter.empty]
    _checks.options(options, function_name, tuple(parameters), required)
    result: PairwiseTestResult = function(**{data: scores, **always, **options})
    return result


DECLARATIONS = (Declaration(function=pairwise_test, data=Data.TABLE, excused=OF_SIZES),)
