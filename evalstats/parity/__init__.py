"""Do our numbers agree with R's?"""

from evalstats.parity.live import RUnavailable
from evalstats.parity.validation import validate
from evalstats.parity.verdict import FunctionParity, ParityReport

__all__ = ["FunctionParity", "ParityReport", "RUnavailable", "validate"]
