from evalstats.adjustment.pairwise import adjust_pairwise as adjust_pairwise
from evalstats.adjustment.pvalues import adjust_pvalues as adjust_pvalues
from evalstats.adjustment.which_pairs import PairwiseTestResult as PairwiseTestResult
