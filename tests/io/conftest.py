"""Tables that are read from a text, what they hold, and why one is refused."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from evalstats import EvalstatsError, ScoreTable, read_table
from evalstats.io.options import given_together


def _opened(source: Any) -> Any:
    if isinstance(source, str):
        return io.StringIO(source)
    return io.BytesIO(source) if isinstance(source, bytes) else source


@pytest.fixture(scope="session")
def read() -> Callable[..., ScoreTable]:
    """Read what stands in a text, or in bytes."""

    def read(content: str | bytes, **options: Any) -> ScoreTable:
        return read_table(_opened(content), **given_together(options))

    return read


@pytest.fixture(scope="session")
def refused() -> Callable[..., str]:
    """Return the message of the refusal, which is always one line."""

    def refused(source: Any, **options: Any) -> str:
        with pytest.raises(EvalstatsError) as caught:
            read_table(_opened(source), **given_together(options))
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return refused


@pytest.fixture(scope="session")
def content() -> Callable[[ScoreTable], tuple]:
    """Return the names and the scores of a table."""

    def content(table: ScoreTable) -> tuple:
        return table.datasets, table.classifiers, table.scores.tolist()

    return content
