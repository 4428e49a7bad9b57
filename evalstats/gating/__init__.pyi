from evalstats.gating.decision import GatedTask as GatedTask
from evalstats.gating.decision import GateResult as GateResult
from evalstats.gating.decision import gate as gate
from evalstats.gating.decision import GatedSubgroup as GatedSubgroup
