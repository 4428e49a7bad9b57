from __future__ import annotations

import numpy as np
import pytest

from evalstats.tables.codes import CodedColumn, coded
from evalstats.tables.coded_fields import coded_fields
from evalstats.tables.number_columns import Fields, last_eight
from evalstats.tables.reading import read_table


def block_of(texts: list[str]) -> tuple[Fields, np.ndarray]:
    text = "".join(f"{one}\n" for one in texts)
    codes = np.frombuffer(text.encode(), dtype=np.uint8)
    return Fields(text, np.concatenate([[-1], np.flatnonzero(codes == ord("\n"))])), last_eight(codes)


def coded_column(*blocks: list[str]) -> CodedColumn | None:
    return coded_fields(list(map(block_of, blocks)), [np.arange(len(block)) for block in blocks])


@pytest.mark.parametrize("length", [1, 7, 8, 9, 15, 16])
def test_texts_are_numbered_as_they_come(length: int) -> None:
    """Texts that differ in one character, or are the end of another, are different; empty ones are one text."""
    rng = np.random.default_rng(length)
    full = "".join(chr(97 + i) for i in range(length))
    names = ["", full, *(full[i:] for i in range(length)), *(full[:i] + "z" + full[i + 1 :] for i in range(length))]
    first, second = (rng.choice(names, 40_000).tolist() for _ in range(2))

    found = coded_column(first, second)

    expected = coded(first + second)
    assert found is not None
    assert list(found.values) == expected.values
    assert found.codes.tolist() == expected.codes.tolist()


def test_many_texts_meet_in_places_of_the_table() -> None:
    """Eight thousand of them in each piece share 65,536 places: hundreds of pairs meet."""
    texts = [f"name {i % 8000}" for i in range(70_000)]

    found = coded_column(texts)

    assert found is not None
    assert list(found) == texts


def test_what_is_not_short_or_not_repeated_is_left_to_others() -> None:
    assert coded_column(["a" * 17]) is None
    assert coded_column([str(i) for i in range(40_000)]) is None


@pytest.mark.parametrize("decimal", [".", ","])
def test_long_table_of_many_rows(tmp_path, decimal: str) -> None:
    """Bold and spread in a few cells, and names beyond ASCII, are understood in a large table as in a small one."""
    rng = np.random.default_rng(0)
    delimiter = "," if decimal == "." else ";"
    scores = rng.random((1200, 100)).round(3)
    rows = [
        delimiter.join((f"d{i}", f"clf {j}", str(scores[i, j]).replace(".", decimal)))
        for i in range(1200)
        for j in range(100)
    ]
    head = delimiter.join(("dataset", "classifier", "accuracy"))
    for names, shown in (("clf 7", "clf 7"), ("clf 7", "**clf 7**"), ("clf 7", "Bäume")):
        path = tmp_path / "long.csv"
        path.write_text("\n".join([head, *(row.replace(f"{names}{delimiter}", f"{shown}{delimiter}") for row in rows)]))

        table = read_table(path)

        assert list(table.datasets) == [f"d{i}" for i in range(1200)]
        assert shown.strip("*") in table.classifiers
        at = [table.classifiers.index(f"clf {j}" if j != 7 else shown.strip("*")) for j in range(100)]
        np.testing.assert_array_equal(table.scores[:, at], scores)
