"""Is one classifier really better than another?"""

from typing import TYPE_CHECKING, Any

from evalstats._checks import EvalstatsError, EvalstatsWarning, InvalidTypeError, InvalidValueError
from evalstats._findings import Finding
from evalstats._result import ConfidenceInterval
from evalstats._version import __version__ as __version__
from evalstats.adjustment.pvalues import adjust_pvalues
from evalstats.comparison.advice import ExperimentDesign, WhichTestResult, which_test
from evalstats.comparison.deciding import compare
from evalstats.comparison.over_datasets import Comparison, Pair
from evalstats.comparison.result import ComparedPair, ComparisonResult
from evalstats.multiple.bonferroni_dunn import BonferroniDunnTestResult, bonferroni_dunn_test
from evalstats.multiple.cochran import CochranQTestResult, cochran_q_test
from evalstats.multiple.critical_differences import critical_difference
from evalstats.multiple.friedman import FriedmanTestResult, friedman_test
from evalstats.multiple.groups import NotDifferentGroups, not_different_groups
from evalstats.multiple.nemenyi import NemenyiTestResult, nemenyi_test
from evalstats.paired.five_by_two import FTest5x2cvResult, TTest5x2cvResult, ftest_5x2cv, ttest_5x2cv
from evalstats.paired.mcnemar import McNemarTestResult, mcnemar_from_counts, mcnemar_test
from evalstats.paired.permutation import PermutationTestResult, permutation_test
from evalstats.paired.sign import SignTestResult, sign_test
from evalstats.paired.ttest import CorrectedTTestResult, PairedTTestResult, corrected_ttest, paired_ttest
from evalstats.paired.wilcoxon import WilcoxonTestResult, wilcoxon_test
from evalstats.tables.fold_scores import FoldScores
from evalstats.tables.grid import TableError, TableNotFoundError
from evalstats.tables.reading import read_table
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats import metrics, plot, report, reproducibility
    from evalstats.adjustment.pairwise import adjust_pairwise
    from evalstats.agreement import (
        AgreementResult,
        CohenKappaResult,
        FleissKappaResult,
        GwetAC1Result,
        KrippendorffAlphaResult,
        ScottPiResult,
        cohen_kappa,
        cohen_kappa_matrix,
        cohen_kappa_table,
        fleiss_kappa,
        fleiss_kappa_counts,
        gwet_ac1,
        gwet_ac1_counts,
        krippendorff_alpha,
        scott_pi,
        scott_pi_table,
    )
    from evalstats.bayes.correlated_t import (
        BayesCorrelatedTTestResult,
        bayes_correlated_ttest,
        bayes_pairwise_correlated_ttest,
    )
    from evalstats.bayes.hierarchical import BayesHierarchicalTestResult, bayes_hierarchical_test
    from evalstats.bayes.posterior import CredibleInterval, PosteriorRegions, PosteriorResult
    from evalstats.bayes.sign import BayesSignTestResult, bayes_pairwise_sign_test, bayes_sign_test
    from evalstats.bayes.signed_rank import (
        BayesSignedRankTestResult,
        bayes_pairwise_signed_rank_test,
        bayes_signed_rank_test,
    )
    from evalstats.comparison.one_dataset import OneDatasetComparison, OneDatasetPair
    from evalstats.comparison.over_runs import RunEstimate, RunPair, RunReport, RunStopping, report_runs
    from evalstats.comparison.robustness import Analysis, PairRobustness, Robustness
    from evalstats.design.attainable import AttainablePValue, smallest_attainable_pvalue, smallest_n
    from evalstats.design.detectable import DetectableDifference, smallest_detectable_difference
    from evalstats.design.plan import DesignPlan, PlannedCase, plan_design
    from evalstats.design.power_analysis import PowerResult, power, required_sample_size
    from evalstats.effects.dominance import (
        DominanceEffectResult,
        RankBiserialResult,
        cliffs_delta,
        rank_biserial,
        vargha_delaney_a,
    )
    from evalstats.effects.effect_size import EffectSizeResult
    from evalstats.effects.quantiles import GammaEffectResult, akinshin_gamma
    from evalstats.effects.standardized import StandardizedEffectResult, cohen_d, cohen_dz, hedges_g
    from evalstats.examples import ExampleSource, example_names, example_path, example_source, example_table
    from evalstats.multiple.conover import ConoverTestResult, conover_test
    from evalstats.multiple.durbin import DurbinTestResult, durbin_test
    from evalstats.multiple.friedman_aligned import (
        FriedmanAlignedPosthocTestResult,
        FriedmanAlignedTestResult,
        friedman_aligned_posthoc_test,
        friedman_aligned_test,
    )
    from evalstats.multiple.friedman_dunnett import FriedmanDunnettTestResult, friedman_dunnett_test
    from evalstats.multiple.kendall import KendallWResult, kendall_w
    from evalstats.multiple.letters import CompactLetters, compact_letters
    from evalstats.multiple.page import PageTestResult, page_test
    from evalstats.multiple.published_ranks import RankAudit, audit_ranks
    from evalstats.multiple.quade import QuadePosthocTestResult, QuadeTestResult, quade_posthoc_test, quade_test
    from evalstats.multiple.rank_bootstrap import RankDistribution, rank_distribution
    from evalstats.multiple.rank_sum_differences import RankSumDifferenceTestResult, rank_sum_difference_test
    from evalstats.multiple.rm_anova import RMAnovaTestResult, rm_anova_test
    from evalstats.multiple.siegel_castellan import (
        MillerTestResult,
        SiegelCastellanTestResult,
        miller_test,
        siegel_castellan_test,
    )
    from evalstats.multiple.skillings_mack import SkillingsMackTestResult, skillings_mack_test
    from evalstats.multiple.tukey import DunnettTestResult, TukeyTestResult, dunnett_test, tukey_test
    from evalstats.paired.delong import (
        DeLongTestResult,
        DeLongUnpairedTestResult,
        delong_test,
        delong_unpaired_test,
    )
    from evalstats.paired.metric_bootstrap import MetricBootstrapTestResult, metric_bootstrap_test
    from evalstats.paired.metric_permutation import MetricPermutationTestResult, metric_permutation_test
    from evalstats.paired.naive import NaiveResampledTTestResult, naive_resampled_ttest
    from evalstats.paired.square_table import McNemarTableResult, mcnemar_table
    from evalstats.paired.ten_by_ten import TTest10x10Result, ttest_10x10
    from evalstats.paired.ttest import SplitSizes, split_sizes
    from evalstats.pairwise.common_datasets import CommonDatasetsTestResult
    from evalstats.pairwise.corrected_t import PairwiseCorrectedTTestResult, pairwise_corrected_ttest
    from evalstats.pairwise.delong import PairwiseDeLongTestResult, pairwise_delong_test
    from evalstats.pairwise.mcnemar import PairwiseMcNemarTestResult, pairwise_mcnemar_test
    from evalstats.pairwise.paired_t import PairwisePairedTTestResult, pairwise_paired_ttest
    from evalstats.pairwise.sign import PairwiseSignTestResult, pairwise_sign_test
    from evalstats.pairwise.wilcoxon import PairwiseWilcoxonTestResult, pairwise_wilcoxon_test
    from evalstats.parity import ParityReport, validate
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
    from evalstats.tables.cross_validation import CrossValidationScores, cross_validation_scores, from_cross_validate
    from evalstats.tables.prediction_findings import PredictionReport, report_predictions
    from evalstats.tables.prediction_scores import GroupScore, PredictionScores, score_predictions
    from evalstats.tables.predictions import Predictions, read_predictions

__all__ = [  # noqa: RUF022 - as Python sorts, which a test checks: 10x10 before 5x2
    "AgreementResult",
    "Analysis",
    "AttainablePValue",
    "BayesCorrelatedTTestResult",
    "BayesHierarchicalTestResult",
    "BayesSignTestResult",
    "BayesSignedRankTestResult",
    "BonferroniDunnTestResult",
    "CochranQTestResult",
    "CohenKappaResult",
    "CommonDatasetsTestResult",
    "CompactLetters",
    "ComparedPair",
    "Comparison",
    "ComparisonResult",
    "ConfidenceInterval",
    "ConoverTestResult",
    "CorrectedTTestResult",
    "CredibleInterval",
    "CrossValidationScores",
    "DeLongTestResult",
    "DeLongUnpairedTestResult",
    "DesignPlan",
    "DetectableDifference",
    "DominanceEffectResult",
    "DunnettTestResult",
    "DurbinTestResult",
    "EffectSizeResult",
    "EstimateDistribution",
    "EstimateHistogram",
    "EvalstatsError",
    "EvalstatsWarning",
    "ExampleSource",
    "ExperimentDesign",
    "FTest5x2cvResult",
    "Finding",
    "FixedRuns",
    "FleissKappaResult",
    "FoldScores",
    "FriedmanAlignedPosthocTestResult",
    "FriedmanAlignedTestResult",
    "FriedmanDunnettTestResult",
    "FriedmanTestResult",
    "GammaEffectResult",
    "GroupScore",
    "GwetAC1Result",
    "InvalidTypeError",
    "InvalidValueError",
    "KendallWResult",
    "KolmogorovSmirnov",
    "KrippendorffAlphaResult",
    "McNemarTableResult",
    "McNemarTestResult",
    "MetricBootstrapTestResult",
    "MetricPermutationTestResult",
    "MillerTestResult",
    "NaiveResampledTTestResult",
    "NemenyiTestResult",
    "NotDifferentGroups",
    "OneDatasetComparison",
    "OneDatasetPair",
    "OptimismResult",
    "OverlapResult",
    "PValuesOverRuns",
    "PageTestResult",
    "Pair",
    "PairRobustness",
    "PairedTTestResult",
    "PairwiseCorrectedTTestResult",
    "PairwiseDeLongTestResult",
    "PairwiseMcNemarTestResult",
    "PairwisePairedTTestResult",
    "PairwiseSignTestResult",
    "PairwiseWilcoxonTestResult",
    "ParityReport",
    "PermutationTestResult",
    "PlannedCase",
    "PosteriorRegions",
    "PosteriorResult",
    "PowerResult",
    "PredictionReport",
    "PredictionScores",
    "Predictions",
    "QuadePosthocTestResult",
    "QuadeTestResult",
    "RMAnovaTestResult",
    "RankAudit",
    "RankBiserialResult",
    "RankCorrelation",
    "RankDistribution",
    "RankSumDifferenceTestResult",
    "ReplayResult",
    "Robustness",
    "RunEstimate",
    "RunPair",
    "RunReport",
    "RunStopping",
    "RunningMeans",
    "ScoreTable",
    "ScottPiResult",
    "SiegelCastellanTestResult",
    "SignTestResult",
    "SkillingsMackTestResult",
    "SplitSizes",
    "StandardizedEffectResult",
    "SteadyStateResult",
    "StoppingRule",
    "StudyResult",
    "StudyStorageError",
    "TTest10x10Result",
    "TTest5x2cvResult",
    "TableError",
    "TableNotFoundError",
    "TukeyTestResult",
    "VerdictReproducibility",
    "WhichTestResult",
    "WilcoxonTestResult",
    "adjust_pairwise",
    "adjust_pvalues",
    "akinshin_gamma",
    "audit_ranks",
    "bayes_correlated_ttest",
    "bayes_hierarchical_test",
    "bayes_pairwise_correlated_ttest",
    "bayes_pairwise_sign_test",
    "bayes_pairwise_signed_rank_test",
    "bayes_sign_test",
    "bayes_signed_rank_test",
    "bonferroni_dunn_test",
    "cliffs_delta",
    "cochran_q_test",
    "cohen_d",
    "cohen_dz",
    "cohen_kappa",
    "cohen_kappa_matrix",
    "cohen_kappa_table",
    "compact_letters",
    "compare",
    "conover_test",
    "corrected_ttest",
    "critical_difference",
    "cross_validation_scores",
    "delong_test",
    "delong_unpaired_test",
    "dunnett_test",
    "durbin_test",
    "estimate_distribution",
    "estimate_histogram",
    "example_names",
    "example_path",
    "example_source",
    "example_table",
    "fleiss_kappa",
    "fleiss_kappa_counts",
    "friedman_aligned_posthoc_test",
    "friedman_aligned_test",
    "friedman_dunnett_test",
    "friedman_test",
    "from_cross_validate",
    "ftest_5x2cv",
    "gwet_ac1",
    "gwet_ac1_counts",
    "hedges_g",
    "kendall_w",
    "krippendorff_alpha",
    "mcnemar_from_counts",
    "mcnemar_table",
    "mcnemar_test",
    "metric_bootstrap_test",
    "metric_permutation_test",
    "metrics",
    "miller_test",
    "naive_resampled_ttest",
    "nemenyi_test",
    "not_different_groups",
    "optimism",
    "overlap",
    "overlap_matrix",
    "page_test",
    "paired_ttest",
    "pairwise_corrected_ttest",
    "pairwise_delong_test",
    "pairwise_mcnemar_test",
    "pairwise_paired_ttest",
    "pairwise_sign_test",
    "pairwise_wilcoxon_test",
    "permutation_test",
    "plan_design",
    "plot",
    "power",
    "pvalues_over_runs",
    "quade_posthoc_test",
    "quade_test",
    "rank_biserial",
    "rank_distribution",
    "rank_sum_difference_test",
    "read_predictions",
    "read_study",
    "read_table",
    "replay",
    "report",
    "report_predictions",
    "report_runs",
    "reproducibility",
    "required_sample_size",
    "rm_anova_test",
    "run_study",
    "running_means",
    "score_predictions",
    "scott_pi",
    "scott_pi_table",
    "siegel_castellan_test",
    "sign_test",
    "skillings_mack_test",
    "smallest_attainable_pvalue",
    "smallest_detectable_difference",
    "smallest_n",
    "split_sizes",
    "steady_state",
    "ttest_10x10",
    "ttest_5x2cv",
    "tukey_test",
    "validate",
    "vargha_delaney_a",
    "verdict_reproducibility",
    "which_test",
    "wilcoxon_test",
]

# half of the time to import everything, and often not needed: loaded when first asked for
_LATER = {
    "evalstats.study.running": ("StudyResult", "StudyStorageError", "read_study", "run_study"),
    "evalstats.multiple.published_ranks": ("RankAudit", "audit_ranks"),
    "evalstats.multiple.conover": ("ConoverTestResult", "conover_test"),
    "evalstats.multiple.friedman_aligned": (
        "FriedmanAlignedPosthocTestResult",
        "FriedmanAlignedTestResult",
        "friedman_aligned_posthoc_test",
        "friedman_aligned_test",
    ),
    "evalstats.multiple.friedman_dunnett": ("FriedmanDunnettTestResult", "friedman_dunnett_test"),
    "evalstats.multiple.durbin": ("DurbinTestResult", "durbin_test"),
    "evalstats.multiple.kendall": ("KendallWResult", "kendall_w"),
    "evalstats.multiple.letters": ("CompactLetters", "compact_letters"),
    "evalstats.multiple.rank_bootstrap": ("RankDistribution", "rank_distribution"),
    "evalstats.multiple.page": ("PageTestResult", "page_test"),
    "evalstats.multiple.skillings_mack": ("SkillingsMackTestResult", "skillings_mack_test"),
    "evalstats.multiple.rm_anova": ("RMAnovaTestResult", "rm_anova_test"),
    "evalstats.multiple.tukey": ("DunnettTestResult", "TukeyTestResult", "dunnett_test", "tukey_test"),
    "evalstats.multiple.quade": ("QuadePosthocTestResult", "QuadeTestResult", "quade_posthoc_test", "quade_test"),
    "evalstats.multiple.rank_sum_differences": ("RankSumDifferenceTestResult", "rank_sum_difference_test"),
    "evalstats.multiple.siegel_castellan": (
        "MillerTestResult",
        "SiegelCastellanTestResult",
        "miller_test",
        "siegel_castellan_test",
    ),
    "evalstats.agreement": (
        "AgreementResult",
        "CohenKappaResult",
        "FleissKappaResult",
        "GwetAC1Result",
        "KrippendorffAlphaResult",
        "ScottPiResult",
        "cohen_kappa",
        "cohen_kappa_matrix",
        "cohen_kappa_table",
        "fleiss_kappa",
        "fleiss_kappa_counts",
        "gwet_ac1",
        "gwet_ac1_counts",
        "krippendorff_alpha",
        "scott_pi",
        "scott_pi_table",
    ),
    "evalstats.bayes.correlated_t": (
        "BayesCorrelatedTTestResult",
        "bayes_correlated_ttest",
        "bayes_pairwise_correlated_ttest",
    ),
    "evalstats.bayes.hierarchical": ("BayesHierarchicalTestResult", "bayes_hierarchical_test"),
    "evalstats.bayes.posterior": ("CredibleInterval", "PosteriorRegions", "PosteriorResult"),
    "evalstats.bayes.sign": ("BayesSignTestResult", "bayes_pairwise_sign_test", "bayes_sign_test"),
    "evalstats.bayes.signed_rank": (
        "BayesSignedRankTestResult",
        "bayes_pairwise_signed_rank_test",
        "bayes_signed_rank_test",
    ),
    "evalstats.effects.dominance": (
        "DominanceEffectResult",
        "RankBiserialResult",
        "cliffs_delta",
        "rank_biserial",
        "vargha_delaney_a",
    ),
    "evalstats.effects.effect_size": ("EffectSizeResult",),
    "evalstats.effects.quantiles": ("GammaEffectResult", "akinshin_gamma"),
    "evalstats.effects.standardized": ("StandardizedEffectResult", "cohen_d", "cohen_dz", "hedges_g"),
    "evalstats.design.attainable": ("AttainablePValue", "smallest_attainable_pvalue", "smallest_n"),
    "evalstats.design.detectable": ("DetectableDifference", "smallest_detectable_difference"),
    "evalstats.design.plan": ("DesignPlan", "PlannedCase", "plan_design"),
    "evalstats.design.power_analysis": ("PowerResult", "power", "required_sample_size"),
    "evalstats.examples": ("ExampleSource", "example_names", "example_path", "example_source", "example_table"),
    "evalstats.metrics": ("metrics",),
    "evalstats.paired.delong": (
        "DeLongTestResult",
        "DeLongUnpairedTestResult",
        "delong_test",
        "delong_unpaired_test",
    ),
    "evalstats.paired.metric_bootstrap": ("MetricBootstrapTestResult", "metric_bootstrap_test"),
    "evalstats.paired.metric_permutation": ("MetricPermutationTestResult", "metric_permutation_test"),
    "evalstats.pairwise.delong": ("PairwiseDeLongTestResult", "pairwise_delong_test"),
    "evalstats.paired.naive": ("NaiveResampledTTestResult", "naive_resampled_ttest"),
    "evalstats.paired.ten_by_ten": ("TTest10x10Result", "ttest_10x10"),
    "evalstats.paired.ttest": ("SplitSizes", "split_sizes"),
    "evalstats.pairwise.corrected_t": ("PairwiseCorrectedTTestResult", "pairwise_corrected_ttest"),
    "evalstats.paired.square_table": ("McNemarTableResult", "mcnemar_table"),
    "evalstats.pairwise.mcnemar": ("PairwiseMcNemarTestResult", "pairwise_mcnemar_test"),
    "evalstats.pairwise.paired_t": ("PairwisePairedTTestResult", "pairwise_paired_ttest"),
    "evalstats.pairwise.sign": ("PairwiseSignTestResult", "pairwise_sign_test"),
    "evalstats.pairwise.common_datasets": ("CommonDatasetsTestResult",),
    "evalstats.pairwise.wilcoxon": ("PairwiseWilcoxonTestResult", "pairwise_wilcoxon_test"),
    "evalstats.adjustment.pairwise": ("adjust_pairwise",),
    "evalstats.parity": ("ParityReport", "validate"),
    "evalstats.comparison.one_dataset": ("OneDatasetComparison", "OneDatasetPair"),
    "evalstats.plot": ("plot",),
    "evalstats.tables.cross_validation": ("CrossValidationScores", "cross_validation_scores", "from_cross_validate"),
    "evalstats.tables.prediction_findings": ("PredictionReport", "report_predictions"),
    "evalstats.tables.prediction_scores": ("GroupScore", "PredictionScores", "score_predictions"),
    "evalstats.tables.predictions": ("Predictions", "read_predictions"),
    "evalstats.report": ("report",),
    "evalstats.comparison.robustness": ("Analysis", "PairRobustness", "Robustness"),
    "evalstats.comparison.over_runs": (
        "RunEstimate",
        "RunPair",
        "RunReport",
        "RunStopping",
        "report_runs",
    ),
    "evalstats.reproducibility": ("reproducibility",),
    "evalstats.reproducibility.distribution": (
        "EstimateDistribution",
        "EstimateHistogram",
        "OptimismResult",
        "RunningMeans",
        "SteadyStateResult",
        "estimate_distribution",
        "estimate_histogram",
        "optimism",
        "running_means",
        "steady_state",
    ),
    "evalstats.reproducibility.overlapping_runs": (
        "OverlapResult",
        "PValuesOverRuns",
        "VerdictReproducibility",
        "overlap",
        "overlap_matrix",
        "pvalues_over_runs",
        "verdict_reproducibility",
    ),
    "evalstats.reproducibility.stopping": (
        "FixedRuns",
        "KolmogorovSmirnov",
        "RankCorrelation",
        "ReplayResult",
        "StoppingRule",
        "replay",
    ),
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    for origin, names in _LATER.items():
        if name in names:
            module = import_module(origin)
            value = globals()[name] = module if origin == f"evalstats.{name}" else getattr(module, name)
            return value
    raise AttributeError(f"module 'evalstats' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
