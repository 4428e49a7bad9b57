"""``evalstats plan``: compute attainable p-values, power and sample size before an experiment."""

from __future__ import annotations

__all__ = ["plan", "planned"]

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from evalstats.cli.options import HeadedCommand, argument, option
from evalstats.cli.output import REPORTS, FormatName, show, shown_progress

if TYPE_CHECKING:
    from evalstats.design.margin_plan import MarginPlan
    from evalstats.design.plan import DesignPlan

# with a margin: the required properties of the scores for each test, by option
OF_MARGINS = {
    "accuracy": ("discordance",),
    "auc": ("auc", "correlation", "prevalence"),
    "clustered-t": ("sd", "cluster_size", "intraclass_correlation"),
}
# without a margin: options for the properties of the scores
KNOWN = ("sd", "sd_within", "n_samples", "auc", "prevalence", "cluster_size", "intraclass_correlation")


@click.command(cls=HeadedCommand, short_help="Compute the power and sample size of an experiment.")
@argument("test", required=False)
@option("--datasets", "N", "Number of datasets.", type=click.IntRange(min=1))
@option("--instances", "N", "mcnemar: number of test instances.", type=click.IntRange(min=1))
@option("--folds", "N", "corrected-t: number of folds.", type=click.IntRange(min=2))
@option("--repeats", "N", "Number of repeats of the cross-validation.", type=click.IntRange(min=1))
@option("--train", "N", "corrected-t: number of training instances.", type=click.IntRange(min=1))
@option("--test", "N", "corrected-t: number of test instances.", "test_size", type=click.IntRange(min=1))
@option(
    "--classifiers",
    "N",
    "Number of classifiers; tests of two classifiers compare all pairs.",
    type=click.IntRange(min=2),
)
@option("--effect", "X", "Effect size. Repeatable.", type=float, multiple=True)
@option("--tie-rate", "P", "sign, battles: probability of a tie.", type=float)
@option("--accuracy", "P", "mcnemar: accuracy of one classifier.", type=float)
@option("--difference", "X", "Difference in accuracy, AUC or mean score.", type=float)
@option("--discordance", "P", "mcnemar: probability that exactly one classifier is correct.", type=float)
@option("--correlation", "R", "Correlation of the classifiers' correctness; for auc, of their scores.", type=float)
@option("--margin", "X", "Plan a noninferiority test with this margin.", type=float)
@click.option("--equivalence", is_flag=True, help="With --margin: plan an equivalence test.")
@option("--sd", "X", "Standard deviation of the differences.", type=float)
@option("--sd-within", "X", "clustered-t: standard deviation of the difference between two answers.", type=float)
@option("--auc", "P", "auc: AUC of the baseline.", type=float)
@option("--prevalence", "P", "auc: proportion of positive instances.", type=float)
@option("--questions", "N", "clustered-t: number of questions.", type=click.IntRange(min=2))
@option("--battles", "N", "battles: number of battles of each pair of models.", type=click.IntRange(min=1))
@option("--cluster-size", "X", "Mean number of questions or battles in a cluster.", type=float)
@option("--intraclass-correlation", "R", "Correlation between two differences in a cluster.", type=float)
@option("--pilot", "FILE", "clustered-t, auc: pilot data of two classifiers, to estimate --sd and clusters.")
@option("--samples", "N", "clustered-t: number of answers from each model to a question.", type=click.IntRange(min=1))
@option("--alpha", "P", "Significance level.", type=float, default=0.05, show_default=True)
@option("--power", "P", "Target power.", type=float, default=0.8, show_default=True)
@option("--alternative", "NAME", "Alternative hypothesis: two-sided, less or greater.", default="two-sided")
@option("--adjust", "NAME", "Multiple-testing adjustment: holm, bonferroni ...")
@option("--comparisons", "N", "Number of p-values to adjust.", type=int)
@option("--method", "NAME", "Null distribution: exact, midp, asymptotic; chi2 ...")
@option("--simulations", "N", "Number of simulated experiments.", type=int, default=10_000)
@option("--seed", "N", "Random seed of the simulations.", type=click.IntRange(min=0), default=0)
@option("--format", "NAME", f"Output format: {', '.join(REPORTS)}.", type=FormatName(REPORTS), default="text")
def plan(test: str | None, **options: Any) -> None:
    """Compute the attainable p-values, the power and the required sample size for TEST.

    TEST: wilcoxon (default), sign, permutation, paired-t, corrected-t, mcnemar, friedman, nemenyi, bonferroni-dunn,
    clustered-t, auc, battles.
    With --margin: wilcoxon, sign, permutation, paired-t, corrected-t, clustered-t, accuracy, auc.
    """
    with shown_progress() as progress:
        record = planned(test, options, progress)
    show(record, options["format"])


def planned(
    test: str | None, options: dict[str, Any], progress: Callable[[int, int, str], None] | None = None
) -> DesignPlan | MarginPlan:
    """Plan an experiment with the options of the command."""
    from evalstats.adjustment.pair_indexing import USUAL_TEST
    from evalstats.design.plan import plan_design

    test = USUAL_TEST if test is None else test
    if options.get("margin") is not None:
        return _planned_margin("accuracy" if test == "mcnemar" else test, options, progress)
    if options.get("equivalence"):
        raise click.UsageError("--equivalence requires --margin")
    options = _with_pilot(test, options)
    of_the_difference = ("accuracy", "difference", "discordance", "correlation", "tie_rate")
    of_the_test = ("alpha", "power", "alternative", "adjust", "method")
    return plan_design(
        test,
        **_planned_size(test, options),
        n_classifiers=options["classifiers"],
        effects=options["effect"] or None,
        n_comparisons=options["comparisons"],
        n_simulations=options["simulations"],
        rng=options["seed"],
        progress=progress,
        **{name: options[name] for name in (*of_the_difference, *of_the_test)},
        **{name: options[name] for name in KNOWN if options.get(name) is not None},
    )


def _planned_margin(test: str, options: dict[str, Any], progress: Callable[[int, int, str], None] | None) -> MarginPlan:
    """Plan a noninferiority or equivalence test."""
    from evalstats.design.margin_plan import plan_margin

    others = ("classifiers", "effect", "tie_rate", "accuracy", "adjust", "comparisons", "method", "sd_within")
    given = [name for name in others if options[name]]
    given += ["alternative"] * (options["alternative"] != "two-sided")
    if given:
        raise click.UsageError(f"--{given[0].replace('_', '-')} cannot be combined with --margin")
    if options["pilot"] is None and options["samples"] is not None:
        raise click.UsageError("--samples requires --pilot")
    if options["pilot"] is not None and test == "auc":
        raise click.UsageError("with --margin, --pilot requires clustered-t, not auc")
    own = OF_MARGINS.get(test, ("sd",))
    options = _with_pilot(test, options)
    every = sorted({name for names in OF_MARGINS.values() for name in names})
    for name in every:
        if name not in own and options[name] is not None:
            taken = ", ".join(f"--{one.replace('_', '-')}" for one in own)
            raise click.UsageError(f"--{name.replace('_', '-')} cannot be combined with {test}, which requires {taken}")
    return plan_margin(
        test,
        margin=options["margin"],
        hypothesis="equivalence" if options["equivalence"] else "noninferiority",
        difference=options["difference"],
        power=options["power"],
        alpha=options["alpha"],
        n_simulations=options["simulations"],
        rng=options["seed"],
        progress=progress,
        **_planned_size(test, options),
        **{name: options[name] for name in own},
    )


def _with_pilot(test: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options. Estimates from the pilot data replace missing options."""
    if options["pilot"] is None:
        return {**options, "n_samples": options["samples"]}
    if test not in PILOTS:
        raise click.UsageError(f"--pilot requires {' or '.join(PILOTS)}, not {test}")
    if options["sd_within"] is not None:
        raise click.UsageError("--sd-within cannot be combined with --pilot, which estimates this standard deviation")
    found = PILOTS[test](options)
    return {**options, **{name: value for name, value in found.items() if options[name] is None}}


def _pilot_of_questions(options: dict[str, Any]) -> dict[str, float]:
    from evalstats.design.questions import pilot_variance
    from evalstats.io.reader.tables import read_table

    table = read_table(options["pilot"])
    answers = table.answers
    if answers is None or len(table.classifiers) != 2:
        raise click.UsageError("--pilot requires the answers of two models to the same questions")
    found = pilot_variance(answers.scores, answers.n_samples, answers.within, answers.benchmark, answers.cluster)
    return found.known(options["samples"])


def _pilot_of_scores(options: dict[str, Any]) -> dict[str, float]:
    """Return the standard error of DeLong's test multiplied by the square root of the number of instances."""
    from evalstats.io.reader.predictions import read_predictions
    from evalstats.paired.delong import delong_test
    from evalstats.tables.aligned_instances import aligned_cases

    if options["samples"] is not None:
        raise click.UsageError("--samples requires clustered-t, not auc")
    predictions = read_predictions(options["pilot"])
    of_two = len(predictions.classifiers) == 2 and len(predictions.datasets) == 1
    cases = aligned_cases(predictions) if of_two else None
    if cases is None or cases.y_score is None or cases.positive < 0:
        raise click.UsageError("--pilot requires the class scores of two classifiers for the instances of one dataset")
    test = delong_test(cases.is_positive, *cases.y_score, df="infinite")
    if not test.standard_error > 0:
        raise click.UsageError("the two classifiers in the pilot data must rank the instances differently")
    return {"sd": test.standard_error * len(cases.y_true) ** 0.5}


PILOTS = {"clustered-t": _pilot_of_questions, "auc": _pilot_of_scores}


def _planned_size(test: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the sample size of a test. Raise an error for a sample size of a different test."""
    of_tests = {
        "mcnemar": ("instances",),
        "accuracy": ("instances",),
        "auc": ("instances",),
        "clustered-t": ("questions",),
        "battles": ("battles",),
    }
    mine = {**of_tests, "corrected-t": ("folds", "repeats", "train", "test_size")}.get(test, ("datasets",))
    for name in ("datasets", "instances", "questions", "battles", "folds", "repeats", "train", "test_size"):
        if name not in mine and options[name] is not None:
            raise click.UsageError(
                f"--{name.removesuffix('_size')} cannot be combined with {test}, which requires --{mine[0]}"
            )
    if test != "corrected-t":
        return {"n": options[mine[0]]}
    folds, repeats, train, size = (options[name] for name in mine)
    if (train is None) != (size is None) or (train is None and folds is None):
        raise click.UsageError("corrected-t requires --folds, or both --train and --test")
    n = None if folds is None else folds * (1 if repeats is None else repeats)
    # of k folds, k - 1 are for training; random splits have their own sizes
    return {"n": n, "n_train": folds - 1, "n_test": 1} if train is None else {"n": n, "n_train": train, "n_test": size}
