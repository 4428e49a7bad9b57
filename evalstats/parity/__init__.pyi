from evalstats.parity.validation import FunctionParity as FunctionParity
from evalstats.parity.validation import ParityReport as ParityReport
from evalstats.parity.live_r import RNotAvailableError as RNotAvailableError
from evalstats.parity.validation import validate as validate
