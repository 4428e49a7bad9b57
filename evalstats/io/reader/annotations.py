"""Labels of annotators and of a judge, from two JSON files or from a long table."""

from __future__ import annotations

__all__ = ["read_annotations"]

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evalstats._errors import InvalidValueError, listed, not_among, short
from evalstats._lexicon import simplified
from evalstats.io.reader.opening import grid_of
from evalstats.tables.errors import first_line_of

Labels = dict[str, dict[str, Any]]
COLUMNS = {
    "instance": ("item", "instance", "row", "id", "itemid", "questionid", "question"),
    "annotator": ("annotator", "rater", "judge", "worker", "coder"),
    "label": ("label", "rating", "score", "annotation", "value"),
}


def read_annotations(*sources: Any, judge: str | None = None) -> tuple[Labels, dict[str, Any]]:
    """Read the labels of annotators and of a judge.

    Parameters
    ----------
    *sources : path
        Two JSON files, ``{annotator: {instance: label}}`` and ``{instance: label}`` or ``{judge: {instance: label}}``,
        or one table with a row for each label.
    judge : str, optional
        Name of the judge: one of several judges in the second file, or an annotator in the table.

    Returns
    -------
    annotators : dict of dict
    judge : dict
    """
    if len(sources) > 2:
        raise InvalidValueError(f"the labels must be two JSON files or one table, not {len(sources)} files")
    if len(sources) == 2:
        annotators, of_judges = (_read_json(source) for source in sources)
        if not annotators or not all(isinstance(labels, dict) for labels in annotators.values()):
            raise InvalidValueError(f"{sources[0]} must hold {{annotator: {{instance: label}}}}")
        if not of_judges or not all(isinstance(labels, dict) for labels in of_judges.values()):
            return annotators, of_judges
        return annotators, _of_judge(of_judges, judge)
    labels = _read_rows(sources[0])
    of_judge = _of_judge(labels, judge)
    return {name: given for name, given in labels.items() if name != judge}, of_judge


def _of_judge(labels: Mapping[str, dict[str, Any]], judge: str | None) -> dict[str, Any]:
    if judge is None and len(labels) == 1:
        return next(iter(labels.values()))
    if judge is None:
        raise InvalidValueError(f"choose the judge among {listed(labels)} with judge=")
    if judge not in labels:
        raise InvalidValueError(not_among("judge", judge, labels))
    return labels[judge]


def _read_json(source: Any) -> dict[str, Any]:
    try:
        found = json.loads(Path(source).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # the file is not JSON, or not text
        raise InvalidValueError(f"{source} is not JSON: {first_line_of(error)}") from None
    if not isinstance(found, dict):
        raise InvalidValueError(f"{source} must hold an object of labels, not a {type(found).__name__}")
    return found


def _read_rows(source: Any) -> Labels:
    """Return the labels by annotator from a long table; reject duplicate labels."""
    grid = grid_of(source, None, "utf-8", None)
    names = [simplified(name) for name in grid.header]
    columns, places = [], dict[str, int]()
    for role, known in COLUMNS.items():
        at = [names.index(name) for name in known if name in names]
        if not at:
            raise InvalidValueError(
                f"{grid.name} must have a column {role}, but its columns are {listed(grid.header)}; labels in JSON "
                "need two files, the annotators' and the judge's"
            )
        columns.append([str(cell) for cell in grid.columns[at[0]]])
        places[role] = at[0]
    labels: Labels = {}
    for i, (instance, annotator, label) in enumerate(zip(*columns, strict=True)):
        of_one = labels.setdefault(annotator, {})
        if instance in of_one:
            place = grid.place(i, places["instance"])
            raise InvalidValueError(f"{place}: {short(annotator)} labeled {short(instance)} twice")
        if label.strip():
            of_one[instance] = _number_or_text(label)
    return labels


def _number_or_text(label: str) -> Any:
    try:
        return float(label)
    except ValueError:
        return label
