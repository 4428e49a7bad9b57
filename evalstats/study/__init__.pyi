from evalstats.study.hellinger import HellingerTree as HellingerTree
from evalstats.study.hellinger import hellinger_distance as hellinger_distance
from evalstats.study.permuted_labels import LabelPermutationTestResult as LabelPermutationTestResult
from evalstats.study.permuted_labels import label_permutation_test as label_permutation_test
from evalstats.study.result import StudyResult as StudyResult
from evalstats.study.running import read_study as read_study
from evalstats.study.running import run_study as run_study
from evalstats.study.store import StudyStorageError as StudyStorageError
