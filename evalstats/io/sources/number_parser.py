"""Which numbers do the fields of a text say? Those with digits and a decimal point are read all at once."""

from __future__ import annotations

__all__ = ["Fields", "NumberColumn", "last_eight", "plain_number_fields"]

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats._types import AnyArray, BoolArray, FloatArray, IndexArray

MOST_DIGITS = 19  # a whole number of so many digits fits into 64 bits
_LONGEST = MOST_DIGITS + 2  # with a sign and a point
_AT_ONCE, _SHORT_AT_ONCE = 1 << 16, 1 << 14  # fields: small arrays stay in the cache
_POWERS = np.array([10.0**k for k in range(MOST_DIGITS + 1)])
_EXACT = 2**53  # below it, a whole number is a float, and so are the powers: their quotient is rounded once
_HAS_MORE_BITS = np.finfo(np.longdouble).nmant == 63
_ZERO, _POINT, _PLUS, _MINUS = b"0.+-"
_EACH = 0x0101010101010101  # times a byte: it stands in each of eight


class Fields(NamedTuple):
    """The fields of a text: where each ends, after a first -1."""

    text: str
    ends: IndexArray

    def texts(self, at: IndexArray) -> list[str]:
        """Return what stands in some fields."""
        starts, stops = (self.ends[at] + 1).tolist(), self.ends[at + 1].tolist()
        return [self.text[start:stop] for start, stop in zip(starts, stops, strict=True)]


class NumberColumn(Sequence[str]):
    """A column of texts that are numbers with a decimal point: `numbers`, and the texts where they are asked for."""

    def __init__(self, fields: Fields, at: IndexArray, numbers: FloatArray) -> None:
        self._fields, self._at, self.numbers = fields, at, numbers

    def __len__(self) -> int:
        return len(self._at)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return self.rows(at)
        field = self._at[at]
        return self._fields.text[self._fields.ends[field] + 1 : self._fields.ends[field + 1]]

    def __iter__(self) -> Iterator[str]:
        first = self._at[:1]  # often no more is looked at
        yield from self._fields.texts(first)
        yield from self._fields.texts(self._at[1:])

    def rows(self, rows: Any) -> NumberColumn:
        """Return the column with some of its rows."""
        return NumberColumn(self._fields, self._at[rows], self.numbers[rows])


def plain_number_fields(codes: AnyArray, starts: IndexArray, stops: IndexArray) -> tuple[FloatArray, BoolArray]:
    """Return the numbers of fields, as `float` reads them, and which fields are understood.

    A sign, digits and a point are understood, up to 19 digits; whatever else there may be is left to `float`.

    Parameters
    ----------
    codes : ndarray of uint8
        The characters of the text, in ASCII.
    starts, stops : ndarray of int, shape (n,)
        Where each field begins, and the place behind it.
    """
    values, is_plain = np.zeros(len(starts)), np.zeros(len(starts), dtype=bool)
    characters = last_eight(codes)
    for at in range(0, len(starts), _SHORT_AT_ONCE):
        own = slice(at, at + _SHORT_AT_ONCE)
        lengths = stops[own] - starts[own]
        if lengths.min() <= 8:
            values[own], is_plain[own] = _short_numbers(characters[stops[own]], lengths)
    rest = np.flatnonzero(~is_plain)
    for at in range(0, len(rest), _AT_ONCE):
        others = rest[at : at + _AT_ONCE]
        values[others], is_plain[others] = _of_any_length(codes, starts[others], stops[others])
    return values, is_plain


def last_eight(codes: AnyArray) -> AnyArray:
    """Return the eight characters before each place as one whole number, of which the last one is the highest byte."""
    padded = np.concatenate([np.zeros(8, dtype=np.uint8), codes])
    return np.ndarray(len(codes) + 1, dtype="<u8", buffer=padded, strides=(1,))


def _short_numbers(characters: AnyArray, lengths: IndexArray) -> tuple[FloatArray, BoolArray]:
    """Read fields of one to eight characters without a sign, all characters of each at the same time."""
    n_before = (64 - 8 * np.minimum(lengths, 8)).astype(np.uint64)  # bits
    digits = ((characters ^ _ZERO * _EACH) >> n_before) << n_before  # zeros before the field
    # the highest bit of a byte is set by the addition of 127, unless the byte is 0
    points = ~((digits ^ (_ZERO ^ _POINT) * _EACH) + 0x7F * _EACH) & 0x80 * _EACH
    before = (points >> 7) - 1  # each bit before the point; all without a point
    shift = (points != 0) * np.uint64(8)
    digits = digits & ~(before << 8 | 0xFF) | (digits & before) << shift
    is_plain = ((digits + (0x7F - 9) * _EACH) & 0x80 * _EACH == 0) & (points & (points - 1) == 0)
    is_plain &= (lengths <= 8) & (lengths > (points != 0))
    n_decimals = 7 - ((before & _EACH >> 8) * _EACH >> 56)  # one for each byte but the last that is before the point
    pairs = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FF
    fours = (pairs * 100 + (pairs >> 16)) & 0x0000FFFF0000FFFF
    whole = (fours * 10_000 + (fours >> 32)) & 0xFFFFFFFF
    return whole / _POWERS[n_decimals], is_plain


def _of_any_length(codes: AnyArray, starts: IndexArray, stops: IndexArray) -> tuple[FloatArray, BoolArray]:
    lengths = np.minimum(stops - starts, _LONGEST + 1).astype(np.uint8)
    order = np.argsort(lengths, kind="stable")
    values, is_plain = np.zeros(len(starts)), np.zeros(len(starts), dtype=bool)
    bounds = np.cumsum(np.bincount(lengths, minlength=_LONGEST + 2))
    for length in np.flatnonzero(np.diff(bounds[:-1])).tolist():
        own = order[bounds[length] : bounds[length + 1]]
        values[own], is_plain[own] = _of_one_length(codes, starts[own], length + 1)
    return values, is_plain


def _of_one_length(codes: AnyArray, starts: IndexArray, length: int) -> tuple[FloatArray, BoolArray]:
    """Read fields of the same number of characters, one place after the other."""
    n = len(starts)
    whole = np.zeros(n, dtype=np.uint64)  # all digits without the point
    n_points, n_signs, n_decimals = (np.zeros(n, dtype=np.uint8) for _ in range(3))
    is_plain, is_negative = np.ones(n, dtype=bool), np.zeros(n, dtype=bool)
    for place in range(length):
        characters = codes[starts + place]
        digits = characters - np.uint8(_ZERO)  # below "0" is far above 9
        is_digit = digits < 10
        if is_digit.all():
            whole *= np.uint64(10)
            whole += digits
            n_decimals += n_points
            continue
        is_point = characters == _POINT
        is_plain &= is_digit | is_point
        if place == 0:
            is_negative = characters == _MINUS
            is_signed = is_negative | (characters == _PLUS)
            n_signs += is_signed
            is_plain |= is_signed
        if not is_point.all():
            whole = np.where(is_digit, whole * np.uint64(10) + digits, whole)
            n_decimals += n_points * is_digit
        n_points += is_point
    n_digits = length - n_points - n_signs
    is_plain &= (n_points <= 1) & (n_digits >= 1) & (n_digits <= MOST_DIGITS)
    values = whole / _POWERS[np.minimum(n_decimals, MOST_DIGITS)]
    is_long: BoolArray = is_plain & (whole > _EXACT)
    if is_long.any():
        values[is_long], is_plain[is_long] = _long_numbers(whole[is_long], n_decimals[is_long])
    return np.where(is_negative, -values, values), is_plain


def _long_numbers(whole: AnyArray, n_decimals: AnyArray) -> tuple[FloatArray, BoolArray]:
    """Divide whole numbers of 64 bits by powers of ten, and tell which quotients are sure.

    A quotient with a significand of 64 bits is rounded to 53 bits a second time, which is wrong only where the first
    rounding ended halfway between two floats.
    """
    if not _HAS_MORE_BITS:
        return np.zeros(len(whole)), np.zeros(len(whole), dtype=bool)
    powers = np.cumprod(np.array([1, *[10] * MOST_DIGITS], dtype=np.longdouble))  # exact up to 10**27
    quotients = whole.astype(np.longdouble) / powers[n_decimals]
    values = quotients.astype(np.float64)
    rest, gap = np.abs(quotients - values), np.spacing(values)
    return values, (2 * rest != gap) & (4 * rest != gap)  # the gap below a power of 2 is half of that above it
