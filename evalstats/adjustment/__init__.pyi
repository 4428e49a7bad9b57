from evalstats.adjustment.e_values import EValueAdjustment as EValueAdjustment
from evalstats.adjustment.e_values import adjust_e_values as adjust_e_values
from evalstats.adjustment.pair_indexing import PairwiseTestResult as PairwiseTestResult
from evalstats.adjustment.pairwise import adjust_pairwise as adjust_pairwise
from evalstats.adjustment.pvalues import adjust_pvalues as adjust_pvalues
