"""Texts in LaTeX."""

from __future__ import annotations

__all__ = ["escaped", "number", "sentences", "words"]

import re

from evalstats.report.blocks import Cite, Sentences
from evalstats.wording import unbroken

# characters with a meaning in LaTeX, or in a ligature, an optional argument or a shorthand of babel
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"{\char34}", "`": r"\textasciigrave{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "…": r"\ldots{}", "–": "--", "−": r"\ensuremath{-}", "·": r"\ensuremath{\cdot}", "√": r"\ensuremath{\surd}",
    "°": r"\ensuremath{^{\circ}}",
    "²": r"\ensuremath{^{2}}", "∞": r"\ensuremath{\infty}", "“": "``", "”": "''", "\u00a0": "~",
}  # fmt: skip
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ",
        (
            *("alpha", "beta", "gamma", "delta", "varepsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"),
            *("nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "varphi", "chi", "psi", "omega"),
            *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega"),
        ),
        strict=True,
    )
)
_ESCAPES = _SPECIAL | {letter: rf"\ensuremath{{\{name}}}" for letter, name in _GREEK.items()}
_POWER = re.compile(r"^(.*?)([\d.]+)e([+−-])0*(\d+)$")
_NBSP = "\u00a0"
_FORMULA = re.compile(rf"(\b[pW]{_NBSP}[=<>]{_NBSP}\d(?:[.\d]*\d)?)(?![\w.]*\w)")


def sentences(content: Sentences) -> str:
    """Write running text with its citations."""
    text = ""
    for item in content:
        # the space before a citation must not break
        text = text.rstrip() + rf"~\cite{{{','.join(item.keys)}}}" if isinstance(item, Cite) else text + words(item)
    return text


def number(cell: str) -> str:
    """Write a number as mathematics, with a power of ten as a superscript."""
    if power := _POWER.match(cell):
        before, digits, sign, exponent = power.groups()
        minus = "" if sign == "+" else "-"
        return f"${_escaped_number(before)}{digits}\\times 10^{{{minus}{exponent}}}$"
    if re.fullmatch(r"[+−]?[\d.]+", cell):
        return f"${_escaped_number(cell)}$"
    return escaped(cell)


def _escaped_number(text: str) -> str:
    return text.replace("−", "-")


def words(text: str) -> str:
    """Escape running text and set its 'p = 0.05' and the like as mathematics; long names may break at underscores."""
    pieces = _FORMULA.split(unbroken(text))
    pieces[0::2] = map(escaped, pieces[0::2])
    pieces[1::2] = (f"${formula.replace(_NBSP, ' ')}$" for formula in pieces[1::2])
    return "".join(pieces).replace(r"\_", r"\_\allowbreak{}")


def escaped(text: str) -> str:
    """Escape a name so that it contains no command."""
    pieces = []
    for previous, character in zip(" " + text, text, strict=False):
        # two hyphens, commas or apostrophes in a row would become one character
        if character in "-,'" and character == previous:
            pieces.append("{}")
        pieces.append(_ESCAPES.get(character, character))
    return "".join(pieces)
