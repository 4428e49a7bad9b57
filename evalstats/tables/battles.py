"""Battles: comparisons of the answers of two models."""

from __future__ import annotations

__all__ = ["Battles"]

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evalstats._findings import Finding
from evalstats._result import Record
from evalstats._types import FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class Battles(Record):
    """Result of `read_battles`.

    Attributes
    ----------
    model_a, model_b : tuple of str
        Names of the two models of each battle.
    winner : tuple
        ``'model_a'``, ``'model_b'``, ``'tie'`` or ``'both_bad'``, or the outcome for model_a from 0 to 1.
    clusters : mapping of str to tuple
        Clusters of the battles, by the name of their column (at most two columns).
    covariates : mapping of str to ndarray
        Differences between the properties of the two answers, model_a minus model_b. The strengths are adjusted for
        these differences.
    length_difference : ndarray or None
        Length of the answer of model_a minus the length of the answer of model_b, in the unit of the source. It is None
        unless `covariates` has ``'length'``.
    position : bool
        Whether the strengths are adjusted for the position of the answers.
    weight : ndarray or None
        Weight of each battle, or None if the battles have no weights.
    source : str or None
        Name of the file.
    format : str
        Format of the source: ``'arena'``, ``'alpaca-eval'`` or ``'arena-hard'``.
    findings : tuple of Finding
        Notes on the interpretation of the source and on omitted rows.
    """

    model_a: tuple[Any, ...]
    model_b: tuple[Any, ...]
    winner: tuple[Any, ...]
    clusters: Mapping[str, tuple[Any, ...]]
    covariates: Mapping[str, FloatArray]
    length_difference: FloatArray | None
    position: bool
    weight: FloatArray | None
    source: str | None
    format: str
    findings: tuple[Finding, ...]
