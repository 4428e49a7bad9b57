"""What did the caller say of a source?"""

from __future__ import annotations

__all__ = ["Asked"]

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the caller asked for, as far as it concerns a format.

    Attributes
    ----------
    metric : str or None
        What to compare, where there are several.
    greater_is_better : bool or None
        The direction, where the caller gave it.
    columns : mapping of str to str or None
        Columns that the caller named: ``dataset``, ``classifier``, ``score``, ``repeat``, ``fold`` and those of
        predictions.
    n_folds : int or None
        Folds in each repeat of a cross-validation whose splits are only counted.
    pos_label : object
        The positive label, or a dict of one for each dataset, where the caller gave it.
    missing : str
        What is done about missing scores: see `evalstats.read_table`.
    as_items : bool
        Whether answers to items of several benchmarks, or several answers to each, may be returned as such.
    transpose : bool or None
        Of a dict of dicts: whether its outer names are the datasets, where the caller said it.
    """

    metric: str | None = None
    greater_is_better: bool | None = None
    columns: Mapping[str, str | None] = field(default_factory=dict)
    n_folds: int | None = None
    pos_label: Any = None
    missing: str = "raise"
    as_items: bool = False
    transpose: bool | None = None
