"""Would the verdict survive another run?"""

from evalstats.reproducibility.distribution import (
    EstimateDistribution,
    EstimateHistogram,
    OptimismResult,
    RunningMeans,
    SteadyStateResult,
    estimate_distribution,
    estimate_histogram,
    optimism,
    running_means,
    steady_state,
)
from evalstats.reproducibility.overlapping_runs import (
    OverlapResult,
    PValuesOverRuns,
    VerdictReproducibility,
    overlap,
    overlap_matrix,
    pvalues_over_runs,
    verdict_reproducibility,
)
from evalstats.reproducibility.stopping import (
    FixedRuns,
    KolmogorovSmirnov,
    RankCorrelation,
    ReplayResult,
    StoppingRule,
    replay,
)
from evalstats.study.running import StudyResult, StudyStorageError, read_study, run_study

__all__ = [
    "EstimateDistribution",
    "EstimateHistogram",
    "FixedRuns",
    "KolmogorovSmirnov",
    "OptimismResult",
    "OverlapResult",
    "PValuesOverRuns",
    "RankCorrelation",
    "ReplayResult",
    "RunningMeans",
    "SteadyStateResult",
    "StoppingRule",
    "StudyResult",
    "StudyStorageError",
    "VerdictReproducibility",
    "estimate_distribution",
    "estimate_histogram",
    "optimism",
    "overlap",
    "overlap_matrix",
    "pvalues_over_runs",
    "read_study",
    "replay",
    "run_study",
    "running_means",
    "steady_state",
    "verdict_reproducibility",
]
