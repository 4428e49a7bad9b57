"""``evalstats gate``: test whether a candidate may replace the baseline."""

from __future__ import annotations

__all__ = ["STATUS", "gate"]

import os
from typing import TYPE_CHECKING, Any

import click

from evalstats.cli.options import DIRECTION, HeadedCommand, argument, direction_asked, option
from evalstats.cli.output import REPORTS, print_text, show, written

if TYPE_CHECKING:
    from evalstats.gating.decision import GateResult

STYLES = (*REPORTS, "github")
# status 2 is for errors
STATUS = {"pass": 0, "fail": 1, "inconclusive": 3}
# annotation level of GitHub for each status
MARKS = {"pass": "notice", "fail": "error", "inconclusive": "warning"}


@click.command(cls=HeadedCommand, short_help="Test whether a candidate is noninferior to a baseline.")
@argument("baseline")
@argument("candidate")
@option("--margin", "M", "Noninferiority margin; 0.01 is one percentage point.", type=float)
@option("--metric", "NAME", "Metric: accuracy, roc_auc, f1 ...")
@option("--cluster", "COLUMN", "Column of the clusters of questions or instances.")
@option("--policy", "PATH", "TOML file with margins and tiers for each task.")
@option("--alpha", "P", "Significance level. [default: 0.05]", type=float)
@click.option("--intersect", is_flag=True, default=None, help="Compare only the questions in both files.")
@option("--allow-missing", "N", "Exclude up to N questions of a task without a worst-case check.", type=int)
@click.option(
    "--allow-unequal-samples",
    is_flag=True,
    default=None,
    help="Accept unequal numbers of answers. Valid only if no incorrect answers were sampled again.",
)
@DIRECTION
@click.option(
    "--accept-scores", is_flag=True, default=None, help="Confirm that both files use the same unit of scores."
)
@click.option(
    "--anytime",
    is_flag=True,
    default=None,
    help="Use anytime-valid tests, which you can repeat with new data.",
)
@option("--average", "NAME", "Test the mean accuracy over all tasks: macro or micro.")
@option("--subgroup", "COLUMN,...", "Also fail if the candidate is worse in a subgroup or combination of subgroups.")
@option("--pos-label", "LABEL", "Label of the positive class.")
@option("--baseline-name", "NAME", "Classifier to use from BASELINE.")
@option("--candidate-name", "NAME", "Classifier to use from CANDIDATE.")
@option("--delimiter", "CHAR", "Field delimiter: a character, tab or space.")
@option("--encoding", "NAME", "Text encoding, such as latin-1.")
@option("--sheet", "NAME", "Name of the worksheet.")
@option("--format", "NAME", f"Output format: {', '.join(STYLES)}.", type=click.Choice(STYLES), default="text")
def gate(baseline: str, candidate: str, **options: Any) -> None:
    """Test whether CANDIDATE is noninferior to BASELINE.

    Exit status: 0 pass, 1 fail, 2 error, 3 inconclusive.
    """
    from evalstats.gating.decision import gate as decide
    from evalstats.gating.matching import PARSING

    style = options.pop("format")
    options["greater_is_better"] = direction_asked(options)
    del options["lower_is_better"], options["higher_is_better"]
    options["parsing"] = {name: options.pop(name) for name in PARSING}
    result = decide(baseline, candidate, **options)
    if style == "github":
        _tell_github(result)
    else:
        show(result, style)
    raise click.exceptions.Exit(STATUS[result.status])


def _tell_github(result: GateResult) -> None:
    """Write the Markdown report to the job summary of GitHub or to the output, and print an annotation."""
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
    """Return an escaped workflow command of GitHub. A name in it cannot start another command."""
    escaped = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    named = title.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A").replace(":", "%3A").replace(",", "%2C")
    return f"::{mark} title={named}::{escaped}\n"
