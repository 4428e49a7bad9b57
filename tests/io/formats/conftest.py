"""Samples of formats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sample_tables import content, means, rows  # noqa: F401 - pytest finds fixtures by their names here

SAMPLES = Path(__file__).parents[2] / "data" / "formats"


@pytest.fixture(scope="session")
def sample() -> Callable[[str], Path]:
    """Return the path of a sample."""
    return SAMPLES.joinpath
