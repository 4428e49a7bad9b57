"""Report of a plan: one paragraph, and one table with an explanation."""

from __future__ import annotations

__all__ = ["document", "verdict"]

import math
from collections.abc import Iterator

from evalstats.design.plan import DesignPlan, PlannedEffect
from evalstats.report.blocks import Document, Extent, Table, heads, paragraph, sections

TITLES = {
    "sign": "Sign test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "permutation": "Permutation test",
    "paired-t": "Paired t-test",
    "corrected-t": "Corrected t-test",
    "mcnemar": "McNemar's test",
    "friedman": "Friedman test",
    "nemenyi": "Nemenyi test",
    "bonferroni-dunn": "Bonferroni-Dunn test",
    "clustered-t": "Clustered t-test",
    "auc": "DeLong's test of two AUCs",
    "battles": "Difference of two strengths",
}
UNITS = {
    "corrected-t": "fold scores",
    "mcnemar": "instances",
    "clustered-t": "questions",
    "auc": "instances",
    "battles": "battles of each pair",
}
KNOWN = {
    "sd": "standard deviation of the differences",
    "sd_within": "standard deviation within a question",
    "n_samples": "sampled answers of each model",
    "cluster_size": "cluster size",
    "intraclass_correlation": "intraclass correlation",
    "auc": "AUC of the baseline",
    "correlation": "correlation of the scores",
    "prevalence": "prevalence",
    "tie_rate": "tie rate",
}
SIZES = {
    "win_probability": "probability of a win",
    "effect": "effect",
    "lead": "lead",
    "correlation": "correlation",
    "discordance": "discordant instances",
    "difference": "difference",
}
MEANINGS = {
    "sign": "A win is a dataset on which the better classifier scores higher.",
    "wilcoxon": "The effect is the mean difference in standard deviations of the differences, which are assumed to be "
    "normal.",
    "paired-t": "The effect is the mean difference in standard deviations of the differences, which are assumed to be "
    "normal.",
    "corrected-t": "The effect is the mean difference in standard deviations of the differences between the folds. "
    "More folds of the same data add little information.",
    "friedman": "The lead is the advantage of one classifier over all others, in standard deviations of its "
    "scores around the means of the datasets. The power is the probability that the test rejects.",
    "nemenyi": "The lead is the advantage of one classifier over all others, in standard deviations of its scores "
    "around the means of the datasets. The power is the probability of rejecting at least one pair, or the pair of the "
    "leader and one given classifier.",
    "permutation": "The effect is the mean difference in standard deviations of the differences, which are assumed to "
    "be normal.",
    "clustered-t": "The difference is between the mean scores of two models on the same questions.",
    "auc": "The difference is between two areas under the ROC curve on the same instances; the power is the normal "
    "approximation.",
    "battles": "The effect is the difference between two Bradley-Terry strengths, the log-odds of a win. The "
    "power is the normal approximation, with all other models halfway between the two.",
    "bonferroni-dunn": "For the power against the control, see the Nemenyi test, which has slightly less power.",
}
OF_TEST_SET = {
    "discordance": "Exactly one of the two classifiers classifies a discordant instance correctly.",
    "correlation": "The correlation is between the correctness of the two classifiers on the same instances: 0 if "
    "both err independently, and usually much larger.",
}


KNOWN_TESTS = ("clustered-t", "auc", "battles")


def verdict(plan: DesignPlan) -> str:
    """State whether the design can show a difference, and the minimum size at which it can."""
    return " ".join(_sentences(plan))


def document(plan: DesignPlan, extent: Extent) -> Document:
    """Return the document: the attainable results, and the power in a table of the effect sizes."""
    legend = " ".join(_legend(plan))
    block = _table(plan, legend) if plan.cases else paragraph(legend)
    return Document(title=_title(plan), verdict=paragraph(verdict(plan)), sections=sections({"Power": block}))


def _title(plan: DesignPlan) -> str:
    several = "" if plan.n_classifiers is None else f"{plan.n_classifiers} classifiers"
    size = "" if plan.n is None else f"{plan.n} {_unit(plan.test, plan.n)}"
    what = " and ".join(filter(None, (several, size)))
    sides = "" if plan.test in ("friedman", "nemenyi", "bonferroni-dunn") else f"{plan.alternative}, "
    return f"{TITLES[plan.test]}{' on ' * bool(what)}{what} ({sides}α = {plan.alpha:g})"


def _unit(test: str, n: int) -> str:
    return UNITS.get(test, "datasets").removesuffix("s" if n == 1 else "-")


def _sentences(plan: DesignPlan) -> Iterator[str]:
    if plan.adjust != "none" and plan.n_comparisons > 1:
        yield (
            f"{plan.n_comparisons} comparisons with the adjustment {plan.adjust!r}: a single comparison must reach p = "
            f"{plan.alpha_alone:.3g}."
        )
    fewest = plan.fewest
    if plan.test in KNOWN_TESTS:
        yield from _of_estimate(plan)
        return
    if fewest.reason is not None:
        yield "The p-value of this test has no lower limit, so only the power of the test matters."
        return
    units = "discordant instances" if plan.test == "mcnemar" else "datasets"
    adjusted = "adjusted " if plan.adjust != "none" and plan.n_comparisons > 1 else ""
    smallest = plan.smallest
    if smallest is None:
        yield f"At least {fewest.n} {units} are needed to reach p = {plan.alpha:g}."
    elif smallest.adjusted_pvalue > plan.alpha:
        yield (
            f"This design cannot show a difference: the minimum attainable {adjusted}p-value is "
            f"{smallest.adjusted_pvalue:.3g}, above {plan.alpha:g}. At least {fewest.n} {units} are needed."
        )
    else:
        yield (
            f"The minimum attainable {adjusted}p-value is {smallest.adjusted_pvalue:.3g}. At least {fewest.n} "
            f"{units} are needed to reach p = {plan.alpha:g}."
        )
    if plan.critical_difference is not None:
        yield f"Two mean ranks differ significantly if they are at least {plan.critical_difference:.3f} apart."
    width = next((c.detectable.half_width for c in plan.cases if c.detectable is not None), None)
    if width is not None:
        yield f"The accuracy of one classifier is estimated to within {width:.2g}, with 95 % confidence."


def _of_estimate(plan: DesignPlan) -> Iterator[str]:
    """Yield the minimum detectable difference of this design, and the required sample size of an effect."""
    unit = UNITS[plan.test]
    found = next((case for case in plan.cases if case.required is not None and case.required.n is not None), None)
    if plan.n is not None and plan.detectable is not None:
        yield (
            f"With {plan.n} {unit}, the minimum detectable difference at a power of {plan.target_power:g} is "
            f"{plan.detectable:.3g}{_wins(plan, plan.detectable)}."
        )
    elif plan.n is not None:
        yield f"With {plan.n} {unit}, no difference is detected with a power of {plan.target_power:g}."
    if found is not None and found.required is not None:
        (size,) = found.size.values()
        yield (
            f"To detect a difference of {size:g}{_wins(plan, size)} with a power of {plan.target_power:g} takes "
            f"{found.required.n} {unit}."
        )
    if plan.known:
        yield f"Assumed: {', '.join(f'{KNOWN[name]} {value:.4g}' for name, value in plan.known.items())}."


def _wins(plan: DesignPlan, size: float) -> str:
    return f" ({100 / (1 + math.exp(-size)):.0f} % wins)" if plan.test == "battles" else ""


def _table(plan: DesignPlan, caption: str) -> Table:
    rows = [_cells(plan, case) for case in plan.cases]
    return Table(
        name="power", caption=caption, columns=heads([], rows[0]), rows=tuple(tuple(row.values()) for row in rows)
    )


def _cells(plan: DesignPlan, case: PlannedEffect) -> dict[str, str]:
    """Return the cells for one effect size, by the names of their columns."""
    name = next(name for name in SIZES if name in case.size)
    cells = {SIZES[name]: f"{case.size[name]:g}"}
    if plan.test == "battles":
        cells["wins"] = f"{1 / (1 + math.exp(-case.size[name])):.3f}"
    if name == "correlation" and case.discordance is not None:
        cells["discordant instances"] = f"{case.discordance:.3f}"
    if case.power is not None:
        cells["power"] = f"{case.power.power:.3f}"
        if case.power.pair_power is not None:
            cells["power of one pair"] = f"{case.power.pair_power[0, 1:].mean():.3f}"
    if case.required is not None:
        unit = UNITS.get(plan.test, "datasets")
        cells[f"{unit} for power {plan.target_power:g}"] = "never" if case.required.n is None else str(case.required.n)
    if case.detectable is not None:
        found = case.detectable.difference
        cells["detectable difference"] = "none" if found is None else f"{found:.4f}"
    return cells


def _legend(plan: DesignPlan) -> Iterator[str]:
    """Explain the columns of the table, and the accuracy of the power."""
    if plan.test == "mcnemar":
        yield OF_TEST_SET["correlation" if "correlation" in plan.cases[0].size else "discordance"]
        difference = plan.cases[0].size.get("difference")
        if difference is not None:
            yield f"The power is for accuracies that differ by {abs(difference):g}."
        if plan.cases[0].detectable is not None:
            yield f"The detectable difference is the smallest difference with the power {plan.target_power:g}."
    else:
        yield MEANINGS[plan.test]
    found = [result for case in plan.cases for result in (case.power, case.required) if result is not None]
    if any(result.method == "simulation" for result in found):
        worst = max(result.standard_error for result in found)
        yield f"Simulated: the power has a standard error of up to {worst:.2g}."
    elif found and all(result.method == "exact" for result in found):
        yield "The power is exact."
    if any(result.reason is not None for result in found):
        yield "Never: no sample size that can be computed is sufficient."
