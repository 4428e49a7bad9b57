"""How does a sceptic check the numbers in R?"""

from __future__ import annotations

__all__ = ["r_script"]

from collections.abc import Iterator
from typing import Any

from evalstats import _checks
from evalstats._version import __version__
from evalstats.comparison.by_metric import ComparisonByMetric
from evalstats.comparison.record import Comparison
from evalstats.report.formats.r_over_datasets import over_datasets
from evalstats.report.r_code import functions_for, not_checked


def r_script(comparison: Comparison | ComparisonByMetric) -> str:
    """Return a script in base R that holds the data, computes the tests anew and prints both answers side by side.

    Parameters
    ----------
    comparison : Comparison or ComparisonByMetric
        What `compare` returned.

    Returns
    -------
    str
        Run it with ``Rscript``; it needs no package. Each line that it prints begins with ``agrees``, ``DIFFERS``, or
        ``NOT CHECKED`` where base R has no such test. It is written in ASCII, and names stand in it as quoted text
        only.

    Raises
    ------
    InvalidTypeError
        If `comparison` is none.

    Examples
    --------
    >>> import evalstats
    >>> from evalstats import report
    >>> c = evalstats.compare(evalstats.example_table("demsar-2006"))
    >>> print(report.r_script(c).splitlines()[2])
    scores <- matrix(c(
    """
    if isinstance(comparison, ComparisonByMetric):
        from evalstats.report.formats.r_by_metric import by_each_metric

        data, code = "", by_each_metric(comparison, _data_and_code)
    else:
        data, code = _data_and_code(comparison)
    head = f"# Made by evalstats {__version__}: the data of a comparison, its tests computed anew in base R."
    body = "\n".join(code)
    return "\n\n".join(part for part in (head, data, f"{functions_for(body)}\n{body}\n") if part)


def _data_and_code(comparison: Any) -> tuple[str, list[str]]:
    """Return the data of one comparison, and the code that computes its tests."""
    comparison = _checks.instance(comparison, "comparison", Comparison, "what compare returned")
    if comparison.design == "datasets":
        data, code = over_datasets(comparison)
    elif comparison.design == "questions":
        from evalstats.report.formats.r_questions import on_questions  # knows clusters and benchmarks

        data, code = on_questions(comparison)
    else:
        from evalstats.report.formats.r_one_dataset import on_one_dataset  # knows predictions and folds

        data, code = on_one_dataset(comparison)
    return data, [*code, *_beside(comparison)]


def _beside(comparison: Any) -> Iterator[str]:
    """Name what stands beside the tests and is not computed anew."""
    what = {
        "the tests against the margin": comparison.margins,
        "the posterior probabilities": comparison.posteriors,
        "the other analyses": comparison.robustness,
    }
    yield from (not_checked(one, "this script computes the tests of the comparison") for one in what if what[one])
