"""How does a table of columns become a data frame? The one door from results to pandas."""

from __future__ import annotations

__all__ = ["DataFrame", "data_frame"]

from typing import TYPE_CHECKING, Any

from evalstats._checks import EvalstatsError

if TYPE_CHECKING:
    from pandas import DataFrame


def data_frame(table: Any, **choices: Any) -> DataFrame:
    """Return what pandas.DataFrame makes of a table, or say how to install pandas."""
    try:
        import pandas as pd
    except ImportError:
        raise EvalstatsError(
            'a data frame needs pandas: pip install "classifier-evalstats[pandas]"; to_columns() and to_dict() do not'
        ) from None
    return pd.DataFrame(table, **choices)
