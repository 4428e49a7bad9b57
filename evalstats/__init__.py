"""Say whether one classifier is really better than another."""

from evalstats import plot, report
from evalstats._checks import EvalstatsError, EvalstatsWarning, InvalidTypeError, InvalidValueError
from evalstats._result import ConfidenceInterval
from evalstats._version import __version__ as __version__
from evalstats.compare import compare
from evalstats.comparison import Comparison, Pair
from evalstats.examples import example_names, example_path, example_table
from evalstats.multiple.adjust import adjust_pvalues
from evalstats.multiple.bonferroni_dunn import BonferroniDunnTestResult, bonferroni_dunn_test
from evalstats.multiple.critical_difference import critical_difference
from evalstats.multiple.friedman import FriedmanTestResult, friedman_test
from evalstats.multiple.groups import NotDifferentGroups, not_different_groups
from evalstats.multiple.nemenyi import NemenyiTestResult, nemenyi_test
from evalstats.paired.sign import SignTestResult, sign_test
from evalstats.paired.ttest import PairedTTestResult, paired_ttest
from evalstats.paired.wilcoxon import WilcoxonTestResult, wilcoxon_test
from evalstats.parity import ParityReport, validate
from evalstats.table import ScoreTable, read_table

__all__ = [
    "BonferroniDunnTestResult",
    "Comparison",
    "ConfidenceInterval",
    "EvalstatsError",
    "EvalstatsWarning",
    "FriedmanTestResult",
    "InvalidTypeError",
    "InvalidValueError",
    "NemenyiTestResult",
    "NotDifferentGroups",
    "Pair",
    "PairedTTestResult",
    "ParityReport",
    "ScoreTable",
    "SignTestResult",
    "WilcoxonTestResult",
    "adjust_pvalues",
    "bonferroni_dunn_test",
    "compare",
    "critical_difference",
    "example_names",
    "example_path",
    "example_table",
    "friedman_test",
    "nemenyi_test",
    "not_different_groups",
    "paired_ttest",
    "plot",
    "read_table",
    "report",
    "sign_test",
    "validate",
    "wilcoxon_test",
]
