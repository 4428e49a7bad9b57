from evalstats.study.result import StudyResult as StudyResult
from evalstats.study.running import read_study as read_study
from evalstats.study.running import run_study as run_study
from evalstats.study.store import StudyStorageError as StudyStorageError
