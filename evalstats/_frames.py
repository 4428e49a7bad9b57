"""Conversion of tables of columns to data frames."""

from __future__ import annotations

__all__ = ["DataFrame", "data_frame"]

from typing import TYPE_CHECKING, Any

from evalstats._errors import EvalstatsError

if TYPE_CHECKING:
    from pandas import DataFrame


def data_frame(table: Any, **choices: Any) -> DataFrame:
    """Convert a table to a pandas.DataFrame; if pandas is missing, raise an error with the installation command."""
    try:
        import pandas as pd
    except ImportError:
        raise EvalstatsError(
            'a data frame requires pandas: pip install "classifier-evalstats[pandas]"; to_columns() and to_dict() '
            "work without pandas"
        ) from None
    return pd.DataFrame(table, **choices)
