from evalstats.parity.live import RUnavailable as RUnavailable
from evalstats.parity.validation import validate as validate
from evalstats.parity.verdict import FunctionParity as FunctionParity
from evalstats.parity.verdict import ParityReport as ParityReport
