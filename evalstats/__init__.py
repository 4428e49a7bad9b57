"""Is one classifier really better than another?"""

from typing import TYPE_CHECKING, Any

from evalstats._checks import EvalstatsError, EvalstatsWarning, InvalidTypeError, InvalidValueError
from evalstats._result import ConfidenceInterval
from evalstats._version import __version__ as __version__
from evalstats.compare import compare
from evalstats.comparison import Comparison, Pair
from evalstats.multiple.adjust import adjust_pvalues
from evalstats.multiple.bonferroni_dunn import BonferroniDunnTestResult, bonferroni_dunn_test
from evalstats.multiple.cochran import CochranQTestResult, cochran_q_test
from evalstats.multiple.critical_difference import critical_difference
from evalstats.multiple.friedman import FriedmanTestResult, friedman_test
from evalstats.multiple.groups import NotDifferentGroups, not_different_groups
from evalstats.multiple.nemenyi import NemenyiTestResult, nemenyi_test
from evalstats.paired.five_by_two import FTest5x2cvResult, TTest5x2cvResult, ftest_5x2cv, ttest_5x2cv
from evalstats.paired.mcnemar import McNemarTestResult, mcnemar_from_counts, mcnemar_test
from evalstats.paired.permutation import PermutationTestResult, permutation_test
from evalstats.paired.sign import SignTestResult, sign_test
from evalstats.paired.ttest import CorrectedTTestResult, PairedTTestResult, corrected_ttest, paired_ttest
from evalstats.paired.wilcoxon import WilcoxonTestResult, wilcoxon_test
from evalstats.table import ScoreTable, TableError, TableNotFoundError, read_table

if TYPE_CHECKING:
    from evalstats import metrics, plot, report
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
    from evalstats.cross_validation import CrossValidationScores, cross_validation_scores, from_cross_validate
    from evalstats.examples import ExampleSource, example_names, example_path, example_source, example_table
    from evalstats.paired.delong import DeLongTestResult, delong_test
    from evalstats.parity import ParityReport, validate
    from evalstats.prediction_report import PredictionFinding, PredictionReport, report_predictions
    from evalstats.prediction_scores import GroupScore, PredictionScores, score_predictions
    from evalstats.predictions import Predictions, read_predictions

__all__ = [
    "AgreementResult",
    "BonferroniDunnTestResult",
    "CochranQTestResult",
    "CohenKappaResult",
    "Comparison",
    "ConfidenceInterval",
    "CorrectedTTestResult",
    "CrossValidationScores",
    "DeLongTestResult",
    "EvalstatsError",
    "EvalstatsWarning",
    "ExampleSource",
    "FTest5x2cvResult",
    "FleissKappaResult",
    "FriedmanTestResult",
    "GroupScore",
    "GwetAC1Result",
    "InvalidTypeError",
    "InvalidValueError",
    "KrippendorffAlphaResult",
    "McNemarTestResult",
    "NemenyiTestResult",
    "NotDifferentGroups",
    "Pair",
    "PairedTTestResult",
    "ParityReport",
    "PermutationTestResult",
    "PredictionFinding",
    "PredictionReport",
    "PredictionScores",
    "Predictions",
    "ScoreTable",
    "ScottPiResult",
    "SignTestResult",
    "TTest5x2cvResult",
    "TableError",
    "TableNotFoundError",
    "WilcoxonTestResult",
    "adjust_pvalues",
    "bonferroni_dunn_test",
    "cochran_q_test",
    "cohen_kappa",
    "cohen_kappa_matrix",
    "cohen_kappa_table",
    "compare",
    "corrected_ttest",
    "critical_difference",
    "cross_validation_scores",
    "delong_test",
    "example_names",
    "example_path",
    "example_source",
    "example_table",
    "fleiss_kappa",
    "fleiss_kappa_counts",
    "friedman_test",
    "from_cross_validate",
    "ftest_5x2cv",
    "gwet_ac1",
    "gwet_ac1_counts",
    "krippendorff_alpha",
    "mcnemar_from_counts",
    "mcnemar_test",
    "metrics",
    "nemenyi_test",
    "not_different_groups",
    "paired_ttest",
    "permutation_test",
    "plot",
    "read_predictions",
    "read_table",
    "report",
    "report_predictions",
    "score_predictions",
    "scott_pi",
    "scott_pi_table",
    "sign_test",
    "ttest_5x2cv",
    "validate",
    "wilcoxon_test",
]

# half of the time to import everything, and often not needed: loaded when first asked for
_LATER = {
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
    "evalstats.examples": ("ExampleSource", "example_names", "example_path", "example_source", "example_table"),
    "evalstats.metrics": ("metrics",),
    "evalstats.paired.delong": ("DeLongTestResult", "delong_test"),
    "evalstats.parity": ("ParityReport", "validate"),
    "evalstats.plot": ("plot",),
    "evalstats.cross_validation": ("CrossValidationScores", "cross_validation_scores", "from_cross_validate"),
    "evalstats.prediction_report": ("PredictionFinding", "PredictionReport", "report_predictions"),
    "evalstats.prediction_scores": ("GroupScore", "PredictionScores", "score_predictions"),
    "evalstats.predictions": ("Predictions", "read_predictions"),
    "evalstats.report": ("report",),
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
