"""Report of a difference adjusted for covariates: the difference in points, and the coefficients."""

from __future__ import annotations

__all__ = ["document", "verdict"]


from evalstats.comparison.covariates import AdjustedDifference
from evalstats.report.blocks import Document, Extent, Table, heads, paragraph, sections
from evalstats.report.describe import decimal, probability
from evalstats.wording import written_list

ALPHA = 0.05


def verdict(result: AdjustedDifference) -> str:
    """State the adjusted difference with its interval, and whether it is significant."""
    covariates = list(dict.fromkeys(name.split(" = ")[0] for name in result.coefficients[2:]))
    ends = (result.estimate, *result.confidence_interval())
    if result.family == "binomial":
        value, low, high = (decimal(100 * end, 1) for end in ends)
        what, unit = "correct answers", " points"
    else:
        value, low, high = (decimal(end, 3) for end in ends)
        what, unit = "the score", ""
    shown = "a significant difference" if result.pvalue <= ALPHA else "no significant difference"
    words = (
        f"At equal {written_list(covariates, at_most=5)}, the difference in {what}, {result.candidate} minus "
        f"{result.baseline}, is {value}{unit} (95 % interval {low} to {high}): {shown} at the level {ALPHA:g} "
        f"(p = {probability(result.pvalue)})."
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
        f"Generalized estimating equations with {result.working_correlation} "
        f"correlation{'' if result.working_correlation == 'independence' else f' ({decimal(result.correlation, 3)})'} "
        f"of the {result.n_rows} rows in {result.n_clusters} questions; bias-reduced standard errors, t distribution "
        f"with {result.df:g} degrees of freedom. The interval for the difference is computed by the delta method and "
        "applies to these questions."
    )
    table = Table(
        name="coefficients",
        caption=caption,
        columns=heads(["coefficient"], list(rows[0])[1:]),
        rows=tuple(tuple(row.values()) for row in rows),
    )
    return Document(
        title="Adjusted difference between two models",
        verdict=paragraph(verdict(result)),
        sections=sections({"Coefficients": table}),
    )
