"""What a report says of a projection."""

from __future__ import annotations

import numpy as np

from evalstats import report
from evalstats.multiple import project_classifiers

BAYES, TREE = [[8, 2], [1, 9]], [[7, 3], [0, 10]]


def test_closest_and_furthest_are_named():
    found = project_classifiers({"NB": BAYES, "tree": TREE}, distance="cityblock")

    said = report.sentence(project_classifiers({"NB": BAYES, "tree": [[2, 8], [1, 9]]}))
    assert "without errors, is NB, at a distance of 3.162; the farthest is tree, at 11.40." in said
    assert "are NB and tree, at a distance of 6" in report.sentence(found)


def test_who_lies_apart_is_told():
    near = [[[10 - i, i], [0, 10]] for i in range(6)]
    found = project_classifiers([[*near, [[0, 10], [10, 0]]]])

    assert "classifier 7 is isolated" in report.sentence(found)
    assert "isolated" not in report.sentence(project_classifiers([near]))


def test_perfect_classifiers_are_told():
    assert "Every classifier has the vector of the Ideal" in report.sentence(
        project_classifiers({"a": np.eye(2), "b": np.eye(2)})
    )


def test_table_is_in_the_order_of_the_ranks():
    lines = report.text(project_classifiers({"bad": [[2, 8], [1, 9]], "good": BAYES})).splitlines()
    rows = [line.split() for line in lines if line.startswith(("bad ", "good "))]

    assert rows == [["good", "bad", "1", "3.162", "8.485"], ["bad", "good", "2", "11.402", "8.485"]] or [
        row[:3] for row in rows
    ] == [["good", "bad", "1"], ["bad", "good", "2"]]


def test_many_rows_are_cut_and_said():
    given = np.random.default_rng(0).multinomial(20, [0.5, 0.5], size=(60, 2))

    assert "The table shows the 5 of 60 classifiers that are closest to the Ideal." in report.markdown(
        report.document(project_classifiers([given]), max_rows=5)
    )


def test_how_it_was_drawn_is_told():
    found = project_classifiers({"NB": BAYES, "tree": TREE}, method="mds", distance="l1", normalize="all")
    said = report.markdown(found)

    assert "classical multidimensional scaling of the Manhattan distances" in said
    assert "proportions of the instances of their dataset" in said
    assert "Japkowicz" in said
