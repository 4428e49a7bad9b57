"""``evalstats judge``: test whether an LLM judge may replace human annotators."""

from __future__ import annotations

__all__ = ["judge"]

from typing import Any

import click

from evalstats.cli.options import HeadedCommand, argument, option, refuse_of_the_other
from evalstats.cli.output import REPORTS, FormatName, show

OF_HUMANS = ("classifier", "instance", "cluster", "prediction", "metric", "adjust")
OF_TEST = ("epsilon", "similarity", "method", "min_instances")


@click.command(cls=HeadedCommand, short_help="Test whether an LLM judge may replace human annotators.")
@argument("files", metavar="FILE...", nargs=-1, required=True)
@option("--judge", "NAME", "Name of the judge among the annotators. With --human: column of the judge.", "judge_name")
@option("--human", "COLUMN", "Column of the human scores, to compare models by the scores of a judge.")
@option("--classifier", "COLUMN", "With --human: column of the models.")
@option("--instance", "COLUMN", "With --human: column of the instances.")
@option("--cluster", "COLUMN", "With --human: column of the clusters of correlated instances.")
@option("--prediction", "COLUMN", "With --human: column of predictions, to estimate their F1 or AUC.")
@option("--metric", "NAME", "With --prediction: f1 (default) or roc_auc.")
@option("--adjust", "NAME", "With --human: adjustment for the pairs: holm, bh, none ...", default="holm")
@option("--epsilon", "X", "Largest acceptable disadvantage of the judge.", type=float, default=0.2, show_default=True)
@option("--similarity", "NAME", "Similarity measure: agreement (default) or rmse.", default="agreement")
@option("--method", "NAME", "Method for the p-values: t (default) or exact.", default="t")
@option(
    "--min-instances", "N", "Leave out annotators with fewer than N instances.", type=int, default=30, show_default=True
)
@option(
    "--alpha",
    "P",
    "False discovery rate; with --human: significance level.",
    type=float,
    default=0.05,
    show_default=True,
)
@click.option("--variation", is_flag=True, help="Estimate the variation of the labels instead of testing the judge.")
@option(
    "--distance", "NAME", "With --variation: total-variation (default) or jensen-shannon.", default="total-variation"
)
@option("--format", "NAME", f"Output format: {', '.join(REPORTS)}.", type=FormatName(REPORTS), default="text")
def judge(files: tuple[str, ...], **options: Any) -> None:
    """Test whether an LLM judge may replace human annotators.

    Give two JSON files: {annotator: {instance: label}}, and {instance: label} or {judge: {instance: label}}. You can
    also give one table with the columns instance, annotator and label. In this case, --judge is the name of the judge.
    With --human, FILE is a table with a row for each model and instance.
    """
    from evalstats.agreement.alternative_annotators import alternative_annotator_test
    from evalstats.agreement.variation import label_variation
    from evalstats.io.reader.annotations import read_annotations

    is_variation, is_comparison = options.pop("variation"), options["human"] is not None
    refuse_of_the_other((*OF_TEST, "distance") if is_comparison else OF_HUMANS, "--human", is_given=is_comparison)
    of_humans = {name: options.pop(name) for name in ("human", *OF_HUMANS)}
    if is_comparison:
        if is_variation or len(files) > 1 or options["judge_name"] is None:
            raise click.UsageError("--human needs one FILE and --judge COLUMN, without --variation")
        from evalstats.comparison.judged_scores import compare_judged

        found = compare_judged(files[0], judge=options["judge_name"], alpha=options["alpha"], **of_humans)
        show(found, options["format"])
        return
    refuse_of_the_other((*OF_TEST, "alpha") if is_variation else ("distance",), "--variation", is_given=is_variation)
    distance = options.pop("distance")
    annotators, of_judge = read_annotations(*files, judge=options.pop("judge_name"))
    name = options.pop("format")
    if is_variation:
        show(label_variation(annotators, of_judge, distance=distance), name)
    else:
        show(alternative_annotator_test(annotators, of_judge, **options), name)
