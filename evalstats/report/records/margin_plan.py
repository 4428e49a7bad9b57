"""Report of a plan for noninferiority or equivalence, as sentences and one table."""

from __future__ import annotations

__all__ = ["document", "verdict"]

from collections.abc import Iterator

from evalstats.design.margin_plan import MarginPlan, PlannedMargin
from evalstats.report.blocks import Document, Extent, Table, heads, paragraph, sections

TITLES = {
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "Sign test",
    "permutation": "Permutation test",
    "paired-t": "Paired t-test",
    "corrected-t": "Corrected t-test",
    "clustered-t": "Cluster-robust t-test",
    "accuracy": "Score test of accuracies",
    "auc": "Test of areas under the ROC curve",
}
UNITS = {"corrected-t": "fold scores", "clustered-t": "questions", "accuracy": "instances", "auc": "instances"}
SIZES = {
    "sd": "standard deviation",
    "discordance": "discordant instances",
    "auc": "AUC of the baseline",
    "difference": "true difference",
}
KNOWN = {
    "sd": "standard deviation",
    "n_train": "training instances",
    "n_test": "test instances",
    "auc": "AUC",
    "cluster_size": "questions in a cluster",
    "intraclass_correlation": "correlation in a cluster",
}
MEANINGS = {
    "sd": "The standard deviation is for the paired differences, which are assumed to be normally distributed.",
    "discordance": "Exactly one of the two classifiers classifies a discordant instance correctly.",
    "auc": "The scores of each class are assumed to be normally distributed.",
    "difference": "The true difference is the score of the candidate minus the score of the baseline.",
}


def verdict(plan: MarginPlan) -> str:
    """State the range of the required sample sizes of the plan."""
    found = [case.required.n for case in plan.cases]
    known = sorted(n for n in found if n is not None)
    what = f"{plan.hypothesis} with a margin of {plan.margin:g} and a power of {plan.target_power:g}"
    if not known:
        return f"No sample size that was tried is sufficient to show {what}."
    size = f"{known[0]:,}" if known[0] == known[-1] else f"{known[0]:,} to {known[-1]:,}"
    more = " For some values, no sample size that was tried is sufficient." if len(known) < len(found) else ""
    return f"To show {what} takes {size} {_units(plan)}.{more}"


def document(plan: MarginPlan, extent: Extent) -> Document:
    """Return the document: the power and the sample size for each value of the varied quantity."""
    rows = [_cells(plan, case) for case in plan.cases]
    table = Table(
        name="power",
        caption=" ".join(_legend(plan)),
        columns=heads([], rows[0]),
        rows=tuple(tuple(row.values()) for row in rows),
    )
    size = "" if plan.n is None else f" on {plan.n:,} {_units(plan)}"
    return Document(
        title=f"{TITLES[plan.test]}{size} ({plan.hypothesis}, margin = {plan.margin:g}, α = {plan.alpha:g})",
        verdict=paragraph(verdict(plan)),
        sections=sections({"Power": table}),
    )


def _units(plan: MarginPlan) -> str:
    return UNITS.get(plan.test, "datasets")


def _cells(plan: MarginPlan, case: PlannedMargin) -> dict[str, str]:
    cells = {SIZES[plan.varied]: f"{case.size:g}"}
    if case.power is not None:
        cells["power"] = f"{case.power.power:.3f}"
    required = case.required.n
    cells[f"{_units(plan)} for power {plan.target_power:g}"] = "never" if required is None else f"{required}"
    return cells


def _legend(plan: MarginPlan) -> Iterator[str]:
    if plan.known:
        yield f"Given: {', '.join(f'{KNOWN.get(name, name)} {value:.4g}' for name, value in plan.known.items())}."
    yield MEANINGS[plan.varied]
    found = [result for case in plan.cases for result in (case.power, case.required) if result is not None]
    if plan.varied != "difference":
        yield f"The true difference is {found[0].difference:g}."
    if found[0].method == "simulation":
        yield f"Simulated: the power has a standard error of up to {max(one.standard_error for one in found):.2g}."
    if any(case.required.reason is not None for case in plan.cases):
        yield "Never: no sample size that was tried is sufficient."
