"""Do labellings agree beyond chance?"""

from evalstats.agreement.beyond_chance import AgreementResult
from evalstats.agreement.fleiss import FleissKappaResult, fleiss_kappa, fleiss_kappa_counts
from evalstats.agreement.gwet import GwetAC1Result, gwet_ac1, gwet_ac1_counts
from evalstats.agreement.kappa import CohenKappaResult, cohen_kappa, cohen_kappa_table
from evalstats.agreement.kappa_matrix import cohen_kappa_matrix
from evalstats.agreement.krippendorff import KrippendorffAlphaResult, krippendorff_alpha
from evalstats.agreement.scott import ScottPiResult, scott_pi, scott_pi_table

__all__ = [
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
]
