"""Report of a difference adjusted for covariates: the difference in points, and the coefficients."""

from __future__ import annotations

__all__ = ["document", "verdict"]


from evalstats.comparison.covariates import AdjustedDifference
from evalstats.report.blocks import Document, Extent, Table, heads, paragraph, sections
from evalstats.report.numbers import decimal, probability
from evalstats.wording import written_list

ALPHA = 0.05


def verdict(result: AdjustedDifference) -> str:
    """State the adjusted difference with its interval, and whether it is shown."""
    covariates = list(dict.fromkeys(name.split(" = ")[0] for name in result.coefficients[2:]))
    low, high = result.confidence_interval()
    value, ends = abs(result.estimate), (low, high) if result.estimate >= 0 else (-high, -low)
    more = "more" if result.estimate >= 0 else "less"
    if result.family == "binomial":
        value, ends = 100 * value, (100 * ends[0], 100 * ends[1])
        ends_words = f"{decimal(ends[0], 1)} to {decimal(ends[1], 1)}"
        what = f"answers {decimal(value, 1)} points {more} ({ends_words}) of the questions correctly"
    else:
        what = f"scores {decimal(value, 3)} {more} ({decimal(ends[0], 3)} to {decimal(ends[1], 3)})"
    shown = "a significant difference" if result.pvalue <= ALPHA else "no significant difference"
    words = (
        f"At equal {written_list(covariates, at_most=5)}, {result.candidate} {what} than {result.baseline}: {shown} at "
        f"the level {ALPHA:g} (p = {probability(result.pvalue)})."
    )
    return words if result.reason is None else f"{words} Note: {result.reason}."


def document(result: AdjustedDifference, extent: Extent) -> Document:
    """Return the verdict and the coefficients."""
    unit = "log-odds" if result.family == "binomial" else "points"
    rows = [
        {
            "coefficient": name,
            unit: decimal(result.coefficient[j], 3),
            "standard error": decimal(result.coefficient_standard_error[j], 3),
            "p": probability(result.coefficient_pvalue[j]),
        }
        for j, name in enumerate(result.coefficients[: extent.max_rows])
    ]
    caption = (
        f"Generalized estimating equations with {result.working_correlation} correlation"
        f"{'' if result.working_correlation == 'independence' else f' ({decimal(result.correlation, 3)})'} of the "
        f"{result.n_rows} rows in {result.n_clusters} questions; bias-reduced standard errors, t distribution with "
        f"{result.df:g} degrees of freedom. The "
        "interval of the difference is by the delta method and for these questions."
    )
    table = Table(
        name="coefficients",
        caption=caption,
        columns=heads(["coefficient"], list(rows[0])[1:]),
        rows=tuple(tuple(row.values()) for row in rows),
    )
    return Document(
        title="Adjusted difference of two models",
        verdict=paragraph(verdict(result)),
        sections=sections({"Coefficients": table}),
    )
