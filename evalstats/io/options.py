"""Options of the caller for a source."""

from __future__ import annotations

__all__ = ["Asked"]

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Options of the caller that concern a format.

    Attributes
    ----------
    metric : str or None
        What to compare, if there are several.
    greater_is_better : bool or None
        The direction, if the caller gave it.
    columns : mapping of str to str or None
        Columns that the caller named: ``dataset``, ``classifier``, ``score``, ``repeat``, ``fold`` and those of
        predictions.
    n_folds : int or None
        Folds in each repeat of a cross-validation whose splits are only counted.
    pos_label : object
        The positive label, or a dict with one for each dataset, if the caller gave it.
    missing : str
        What is done about missing scores: see `evalstats.read_table`.
    as_items : bool
        Whether answers to questions of several benchmarks, or several answers to each, may be returned as such.
    transpose : bool or None
        For a dict of dicts: whether its outer names are the datasets, if the caller gave it.
    """

    metric: str | None = None
    greater_is_better: bool | None = None
    columns: Mapping[str, str | None] = field(default_factory=dict)
    n_folds: int | None = None
    pos_label: Any = None
    missing: str = "raise"
    as_items: bool = False
    transpose: bool | None = None
