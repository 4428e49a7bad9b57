"""``evalstats plan``: what can an experiment show before it is done?"""

from __future__ import annotations

__all__ = ["plan", "planned"]

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from evalstats.cli.option_groups import HeadedCommand
from evalstats.cli.options import argument, option
from evalstats.cli.output import REPORTS, FormatName, show, shown_progress

if TYPE_CHECKING:
    from evalstats.design.margin_plan import MarginPlan
    from evalstats.design.plan import DesignPlan

# with a margin, what each test wants to know of the scores, by the options of the command
OF_MARGINS = {
    "accuracy": ("discordance",),
    "auc": ("auc", "correlation", "prevalence"),
    "clustered-t": ("sd", "cluster_size", "intraclass_correlation"),
}
# the options that only a margin has
ONLY_OF_MARGINS = (
    *("sd", "auc", "prevalence", "questions", "cluster_size", "intraclass_correlation"),
    *("equivalence", "pilot", "samples"),
)


@click.command(cls=HeadedCommand, short_help="Say what an experiment can show before it is done.")
@argument("test", required=False)
@option("--datasets", "N", "How many datasets.", type=click.IntRange(min=1))
@option("--instances", "N", "Of mcnemar: cases of the test set.", type=click.IntRange(min=1))
@option("--folds", "N", "Of corrected-t: folds of a cross-validation.", type=click.IntRange(min=2))
@option("--repeats", "N", "How often it is repeated.", type=click.IntRange(min=1))
@option("--train", "N", "Of corrected-t: training cases of a random split.", type=click.IntRange(min=1))
@option("--test", "N", "Its test cases.", "test_size", type=click.IntRange(min=1))
@option("--classifiers", "N", "How many; of a test of two, all pairs.", type=click.IntRange(min=2))
@option("--effect", "X", "Size of the difference; may be repeated.", type=float, multiple=True)
@option("--tie-rate", "P", "Of the sign test: how often the two are equal.", type=float)
@option("--accuracy", "P", "Of mcnemar: the accuracy of one of them.", type=float)
@option("--difference", "P", "Of mcnemar: how much better the other is.", type=float)
@option("--discordance", "P", "Of mcnemar: how often one of the two is right alone.", type=float)
@option("--correlation", "R", "Of mcnemar: the correlation of being right.", type=float)
@option("--margin", "X", "Plan noninferiority: the largest loss that is acceptable.", type=float)
@click.option("--equivalence", is_flag=True, help="Plan equivalence within the margin.")
@option("--sd", "X", "With a margin: standard deviation of the differences.", type=float)
@option("--auc", "P", "With a margin, of auc: AUC of the old classifier.", type=float)
@option("--prevalence", "P", "With a margin, of auc: proportion of positive instances.", type=float)
@option("--questions", "N", "Number of questions, for clustered-t.", type=click.IntRange(min=2))
@option("--cluster-size", "X", "Questions in each cluster.", type=float)
@option("--intraclass-correlation", "R", "Correlation of two differences in a cluster.", type=float)
@option("--pilot", "FILE", "Answers of two models, from which --sd and clusters of clustered-t follow.")
@option("--samples", "N", "With --pilot: answers of each model to a question.", type=click.IntRange(min=1))
@option("--alpha", "P", "Level of significance.", type=float, default=0.05, show_default=True)
@option("--power", "P", "The power that is wanted.", type=float, default=0.8, show_default=True)
@option("--alternative", "NAME", "two-sided, less or greater.", default="two-sided")
@option("--adjust", "NAME", "holm, bonferroni ...")
@option("--comparisons", "N", "How many p-values are adjusted together.", type=int)
@option("--method", "NAME", "Null distribution: exact, midp, asymptotic; chi2 ...")
@option("--simulations", "N", "Simulated experiments.", type=int, default=10_000)
@option("--seed", "N", "Of the simulations.", type=click.IntRange(min=0), default=0)
@option("--format", "NAME", ", ".join(REPORTS) + ".", type=FormatName(REPORTS), default="text")
def plan(test: str | None, **options: Any) -> None:
    """Say which p-values, which power and which sample size an experiment has.

    TEST: wilcoxon if not given, sign, permutation, paired-t, corrected-t, mcnemar, friedman, nemenyi, bonferroni-dunn.
    With --margin: wilcoxon, sign, permutation, paired-t, corrected-t, clustered-t, accuracy, auc.
    """
    with shown_progress() as progress:
        record = planned(test, options, progress)
    show(record, options["format"])


def planned(
    test: str | None, options: dict[str, Any], progress: Callable[[int, int, str], None] | None = None
) -> DesignPlan | MarginPlan:
    """Return what an experiment can show under the options of the command."""
    from evalstats.adjustment.pair_indexing import USUAL_TEST
    from evalstats.design.plan import plan_design

    test = USUAL_TEST if test is None else test
    if options.get("margin") is not None:
        return _planned_margin("accuracy" if test == "mcnemar" else test, options, progress)
    if given := [name for name in ONLY_OF_MARGINS if options.get(name)]:
        raise click.UsageError(f"--{given[0].replace('_', '-')} goes with --margin")
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
    )


def _planned_margin(test: str, options: dict[str, Any], progress: Callable[[int, int, str], None] | None) -> MarginPlan:
    """Return what an experiment can show of noninferiority or equivalence."""
    from evalstats.design.margin_plan import plan_margin

    others = ("classifiers", "effect", "tie_rate", "accuracy", "adjust", "comparisons", "method")
    given = [name for name in others if options[name]]
    given += ["alternative"] * (options["alternative"] != "two-sided")
    if given:
        raise click.UsageError(f"--{given[0].replace('_', '-')} does not go with --margin")
    own = OF_MARGINS.get(test, ("sd",))
    options = _with_pilot(test, options)
    every = sorted({name for names in OF_MARGINS.values() for name in names})
    for name in every:
        if name not in own and options[name] is not None:
            taken = ", ".join(f"--{one.replace('_', '-')}" for one in own)
            raise click.UsageError(f"--{name.replace('_', '-')} does not go with {test}, which takes {taken}")
    return plan_margin(
        test,
        margin=options["margin"],
        question="equivalence" if options["equivalence"] else "noninferiority",
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
    """Put what a pilot tells of the answers of two models in the place of the options for it."""
    if options["pilot"] is None:
        if options["samples"] is not None:
            raise click.UsageError("--samples goes with --pilot")
        return options
    if test != "clustered-t":
        raise click.UsageError(f"--pilot goes with clustered-t, not with {test}")
    from evalstats.design.questions import pilot_variance
    from evalstats.io.reader.tables import read_table

    table = read_table(options["pilot"])
    answers = table.answers
    if answers is None or len(table.classifiers) != 2:
        raise click.UsageError("--pilot needs the answers of two models to single questions")
    found = pilot_variance(answers.scores, answers.n_samples, answers.within, answers.benchmark, answers.cluster)
    given = {name: value for name, value in found.known(options["samples"]).items() if options[name] is None}
    return {**options, **given}


def _planned_size(test: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return how many datasets, cases or fold scores there are; options of other tests are refused."""
    of_tests = {
        "mcnemar": ("instances",),
        "accuracy": ("instances",),
        "auc": ("instances",),
        "clustered-t": ("questions",),
    }
    mine = {**of_tests, "corrected-t": ("folds", "repeats", "train", "test_size")}.get(test, ("datasets",))
    for name in ("datasets", "instances", "questions", "folds", "repeats", "train", "test_size"):
        if name not in mine and options[name] is not None:
            raise click.UsageError(f"--{name.removesuffix('_size')} does not go with {test}, which takes --{mine[0]}")
    if test != "corrected-t":
        return {"n": options[mine[0]]}
    folds, repeats, train, size = (options[name] for name in mine)
    if (train is None) != (size is None) or (train is None and folds is None):
        raise click.UsageError("corrected-t needs --folds, or --train and --test")
    n = None if folds is None else folds * (1 if repeats is None else repeats)
    # of k folds, k - 1 are for training; random splits have sizes of their own
    return {"n": n, "n_train": folds - 1, "n_test": 1} if train is None else {"n": n, "n_train": train, "n_test": size}
