from evalstats.study.hellinger_tree import HellingerTree as HellingerTree
from evalstats.study.hellinger_tree import hellinger_distance as hellinger_distance
from evalstats.study.label_permutation import LabelPermutationTestResult as LabelPermutationTestResult
from evalstats.study.label_permutation import label_permutation_test as label_permutation_test
from evalstats.study.result import StudyResult as StudyResult
from evalstats.study.runner import read_study as read_study
from evalstats.study.runner import run_study as run_study
from evalstats.study.store import StudyStorageError as StudyStorageError
