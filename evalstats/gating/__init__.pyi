from evalstats.gating.deciding import GatedTask as GatedTask
from evalstats.gating.deciding import GateResult as GateResult
from evalstats.gating.deciding import gate as gate
