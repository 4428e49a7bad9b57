"""``evalstats gate``: may a candidate replace the baseline? The answer is the status of the command."""

from __future__ import annotations

__all__ = ["STATUS", "gate"]

import os
from typing import TYPE_CHECKING, Any

import click

from evalstats.cli.option_groups import HeadedCommand
from evalstats.cli.options import DIRECTION, argument, direction_asked, option
from evalstats.cli.output import REPORTS, print_text, show, written

if TYPE_CHECKING:
    from evalstats.gating.decision import GateResult

STYLES = (*REPORTS, "github")
# 2 is every error of the program
STATUS = {"pass": 0, "fail": 1, "inconclusive": 3}
# how GitHub marks what is said of each status
MARKS = {"pass": "notice", "fail": "error", "inconclusive": "warning"}


@click.command(cls=HeadedCommand, short_help="Say whether a candidate may replace the baseline.")
@argument("baseline")
@argument("candidate")
@option("--margin", "M", "How much worse is good enough: 0.01 for a percentage point.", type=float)
@option("--metric", "NAME", "accuracy, roc_auc, f1 ...")
@option("--cluster", "COLUMN", "Which items belong together.")
@option("--policy", "PATH", "Margins and tiers of single tasks, in TOML.")
@option("--alpha", "P", "Level of significance; 0.05 if not given.", type=float)
@click.option("--intersect", is_flag=True, default=None, help="Leave out the items that only one side has, and say so.")
@option("--allow-missing", "N", "Leave out so many items of a task without counting them as worst.", type=int)
@click.option(
    "--allow-unequal-samples",
    is_flag=True,
    default=None,
    help="Items may have more answers than others: none was asked again because it was wrong.",
)
@DIRECTION
@click.option(
    "--accept-scores", is_flag=True, default=None, help="The scores are in one unit, whatever they look like."
)
@click.option("--anytime", is_flag=True, default=None, help="Ask again whenever more items have come: tests that hold.")
@option("--average", "NAME", "Decide the mean over all tasks: macro or micro.")
@option("--baseline-name", "NAME", "Which classifier of the first file is meant.")
@option("--candidate-name", "NAME", "And which of the second.")
@option("--format", "NAME", ", ".join(STYLES) + ".", type=click.Choice(STYLES), default="text")
def gate(baseline: str, candidate: str, **options: Any) -> None:
    """Say whether CANDIDATE is shown to be as good as BASELINE, up to a margin.

    The status is 0 where it passes, 1 where it fails, 3 where the cases are too few to tell, and 2 for an error.
    """
    from evalstats.gating.decision import gate as decide

    style = options.pop("format")
    options["greater_is_better"] = direction_asked(options)
    del options["lower_is_better"], options["higher_is_better"]
    result = decide(baseline, candidate, **options)
    if style == "github":
        _tell_github(result)
    else:
        show(result, style)
    raise click.exceptions.Exit(STATUS[result.status])


def _tell_github(result: GateResult) -> None:
    """Write the summary of the job where GitHub wants it, else to the output, and a line that it marks."""
    from evalstats.report.documents import seen
    from evalstats.report.records.gating import task_words, verdict

    summary, path = written(result, "markdown"), os.environ.get("GITHUB_STEP_SUMMARY")
    if path:
        try:
            with open(path, "a", encoding="utf-8") as file:
                file.write(summary)
        except OSError as error:
            raise click.ClickException(f"cannot write {path}: {error.strerror}") from None
    else:
        print_text(summary)
    print_text(_annotation(MARKS[result.status], f"Gate: {result.status}", seen(verdict(result))))
    for task in result.tasks:
        if task.status != "pass" and task.tier == "required" and len(result.tasks) > 1:
            print_text(_annotation(MARKS[task.status], task.task, seen(task_words(task, result.alpha))))


def _annotation(mark: str, title: str, message: str) -> str:
    """Write a command of GitHub's workflows; no name can end it, or begin another one."""
    escaped = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    named = title.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A").replace(":", "%3A").replace(",", "%2C")
    return f"::{mark} title={named}::{escaped}\n"
