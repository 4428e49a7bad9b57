"""The record says what was decided: pairs as the matrix, groups and letters of all pairs only."""

from __future__ import annotations

import pickle

import numpy as np

from evalstats import Comparison

Compared = Comparison


def test_decisions_on_pairs_are_those_of_the_matrix(compared: Compared) -> None:
    at = compared.table.classifiers.index

    assert [pair.different for pair in compared.pairs] == [
        compared.different[at(pair.first), at(pair.second)] for pair in compared.pairs
    ]
    assert (compared.different == compared.different.T).all()


def test_groups_and_letters_are_of_all_pairs_only(compared: Compared) -> None:
    """Beside a control the others are not compared with each other, also where there is a single other."""
    if compared.control is not None:
        assert (compared.groups, compared.pairs_outside_subsets, compared.letters) == ((), (), ())
    else:
        assert len(compared.letters) == compared.n_classifiers
        for group in compared.groups:
            at = [compared.table.classifiers.index(one) for one in group]
            assert not compared.different[np.ix_(at, at)].any()


def test_record_survives_the_way_to_another_process(compared: Compared) -> None:

    again = pickle.loads(pickle.dumps(compared))

    assert str(again.to_dict()) == str(compared.to_dict())
