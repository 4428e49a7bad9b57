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
    from evalstats.design.plan import DesignPlan


@click.command(cls=HeadedCommand, short_help="Say what an experiment can show before it is done.")
@argument("test", required=False)
@option("--datasets", "N", "How many datasets.", type=click.IntRange(min=1))
@option("--cases", "N", "Of mcnemar: cases of the test set.", type=click.IntRange(min=1))
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
    """
    with shown_progress() as progress:
        record = planned(test, options, progress)
    show(record, options["format"])


def planned(
    test: str | None, options: dict[str, Any], progress: Callable[[int, int, str], None] | None = None
) -> DesignPlan:
    """Return what an experiment can show under the options of the command."""
    from evalstats.adjustment.pair_indexing import USUAL_TEST
    from evalstats.design.plan import plan_design

    test = USUAL_TEST if test is None else test
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


def _planned_size(test: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return how many datasets, cases or fold scores there are; options of other tests are refused."""
    mine = {"mcnemar": ("cases",), "corrected-t": ("folds", "repeats", "train", "test_size")}.get(test, ("datasets",))
    for name in ("datasets", "cases", "folds", "repeats", "train", "test_size"):
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
