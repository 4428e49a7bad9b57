"""Report of a recommended test."""

from __future__ import annotations

__all__ = ["document", "verdict"]

from evalstats.comparison.advice.decision_tree import ExperimentDesign
from evalstats.comparison.advice.recommendation import Alternative, WhichTestResult
from evalstats.report.blocks import Document, Extent, listing, paragraph, sections
from evalstats.report.describe import counted
from evalstats.wording import metric_name


def verdict(advice: WhichTestResult) -> str:
    """Describe the experiment, and give the reason for the recommended test."""
    return f"{_design(advice.design)}. {advice.reason}"


def document(advice: WhichTestResult, extent: Extent) -> Document:
    """Return the document: the decisions that lead to the test, the assumptions, the alternatives and the warnings."""
    is_alone = advice.design.n_classifiers == 1
    others = [f"{other.test}: {other.when}{_typed(other)}" for other in advice.alternatives]
    listed = {
        "Why": [f"{step.question} {step.answer[0].upper()}{step.answer[1:]}." for step in advice.path],
        "Assumptions": advice.assumptions,
        "Commands": [line for line in (advice.command, advice.call) if line is not None],
        "Other functions" if is_alone else "Alternatives": others,
        "Warnings": [f"{finding.sentence} [{finding.code}]" for finding in advice.warnings],
    }
    without = "Describe it" if is_alone else "No test is possible"
    return Document(
        title=without if advice.test is None else " + ".join((advice.test, *advice.posthoc)),
        verdict=paragraph(verdict(advice)),
        sections=sections({heading: listing(items) for heading, items in listed.items()}),
    )


def _typed(other: Alternative) -> str:
    """Return the options and the arguments that select an alternative test."""
    return "" if other.options is None else f" ({other.options}, or {other.arguments})"


def _design(design: ExperimentDesign) -> str:
    """Describe the design of the experiment in one sentence."""
    folds = f"{design.n_repeats} x {design.n_folds} folds" if design.n_repeats > 1 else counted(design.n_folds, "fold")
    what = {
        "scores": "one score each",
        "folds": f"scores of {folds}",
        "runs": f"scores of {counted(design.n_repeats, 'run')} on one training and test set",
        "predictions": "predicted labels",
        "probabilities": "predicted scores or probabilities",
        "answers": "scores of answers",
    }[design.data]
    is_of_questions = design.data == "answers"
    if design.n_instances is not None:
        what += (
            f" to {counted(design.n_instances, 'question')}"
            if is_of_questions
            else f" of {counted(design.n_instances, 'instance')}"
        )
    if design.data in ("predictions", "probabilities"):
        what += f" in {folds}" if design.n_folds * design.n_repeats > 1 else ""
        what += f", compared by {metric_name(design.metric)}"
    control = f", all compared with {design.control}" if design.control is not None else ""
    models, datasets = ("model", "benchmark") if is_of_questions else ("classifier", "dataset")
    return f"{counted(design.n_classifiers, models)} on {counted(design.n_datasets, datasets)}, {what}{control}"
