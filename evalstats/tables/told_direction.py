"""Is it known whether more of the scores is better? By the name of the metric, a title, or the name of the file."""

from __future__ import annotations

__all__ = ["UNKNOWN", "refuse_unsaid_direction", "unknown_direction", "unknown_metric"]

import os
import re
from typing import TYPE_CHECKING

from evalstats._findings import Finding
from evalstats.tables.column_kinds import role_of
from evalstats.tables.direction import direction_of, direction_of_metric, names_no_metric
from evalstats.tables.grid import Grid, TableError, listed, short

if TYPE_CHECKING:
    from evalstats.tables.cells import Cells

# the code of a note
UNKNOWN = "unknown-direction"
_NO_METRIC = re.compile(r"\b(?:standard|std\.?|typical|margins? of|±)\s*errors?\b|\berror bars?\b", re.IGNORECASE)


def _refuse_arrows(grid: Grid, cells: Cells) -> None:
    """Refuse datasets of which one is better downwards and another one upwards."""
    arrows = sorted(set("↓↑").intersection("".join(cells.datasets)))
    if arrows:
        problem = f"{grid.name}: the names of datasets have the arrows {listed(arrows)}, which tell directions"
        both = "keep those of one direction" if len(arrows) > 1 else "say which direction is meant"
        hint = f"{both}, and pass {{greater_is_better}}; {{}} names the metric"
        raise TableError(problem, hint, "metric", "error rate")


def refuse_unsaid_direction(grid: Grid, cells: Cells) -> None:
    """Refuse scores without a metric whose title, or whose file, is called like losses."""
    if cells.metric != "score" or cells.scored is not None or cells.items is not None or not cells.greater_is_better:
        return
    _refuse_arrows(grid, cells)
    stem = os.path.basename(grid.file or "").partition(".")[0]
    titles = [one.sentence.partition(": ")[2] for one in grid.findings if one.code == "title-rows"]
    told = [(title, "a line above the table") for title in titles]
    told += [(stem, "the name of the file")] * (role_of(stem) == "metric")
    for text, where in told:
        if direction_of(_NO_METRIC.sub("", text)) is False:
            raise TableError(
                f"{grid.name}: {where} speaks of losses or errors ({short(text)}), and nothing else tells the metric",
                "say what was measured, for example by {}; {greater_is_better} decides too",
                "metric",
                "error rate",
            )


def unknown_metric(metric: str) -> tuple[Finding, ...]:
    """Note a metric whose name does not tell whether more of it is better."""
    if not metric.strip() or direction_of_metric(metric) is not None or names_no_metric(metric):
        return ()
    sentence = f"Whether more or less of {short(metric)} is better is not known: higher is taken for better."
    return (Finding(code=UNKNOWN, severity="warning", sentence=sentence),)


def unknown_direction(name: str, metric: str) -> TableError:
    """Return the error of a metric whose direction is not known."""
    problem = f"{name}: whether more or less of {short(metric)} is better is not known"
    return TableError(problem, "say it by {}", "greater_is_better")
