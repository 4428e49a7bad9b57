from evalstats.parity.agreement_status import FunctionParity as FunctionParity
from evalstats.parity.agreement_status import ParityReport as ParityReport
from evalstats.parity.live_r import RNotAvailableError as RNotAvailableError
from evalstats.parity.validation import validate as validate
