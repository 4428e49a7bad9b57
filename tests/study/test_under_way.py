"""What was under way when a worker process died is what its notes say that are still there."""

from __future__ import annotations

import threading
from pathlib import Path

from evalstats.study.under_way import Notes


def test_note_of_the_last_fold_stays_until_the_repeat_is_finished() -> None:
    with Notes.kept() as notes:
        notes.begun("iris", "NB", 3, 1)
        notes.begun("iris", "NB", 3, 2)
        assert notes.left() == "'NB' on 'iris' (repeat 3, fold 2)"

        notes.finished()
        assert notes.left() == ""


def test_each_worker_has_its_own_note() -> None:
    with Notes.kept() as notes:
        other = threading.Thread(target=notes.begun, args=("iris", "SVM", 0, 0))
        notes.begun("iris", "NB", 1, 1)
        other.start()
        other.join()

        assert "'NB' on 'iris' (repeat 1, fold 1)" in notes.left()
        assert "'SVM' on 'iris' (trained on all of it)" in notes.left()


def test_worker_without_the_folder_and_a_note_that_was_cut_are_passed_over(tmp_path: Path) -> None:
    elsewhere = Notes(str(tmp_path / "gone"))
    elsewhere.begun("iris", "NB", 1, 1)
    elsewhere.finished()
    (tmp_path / "1-1").write_text('["iris", "NB')

    assert Notes(str(tmp_path)).left() == ""
