"""Languages of the web interface. The file ``words.json`` contains their texts."""

from __future__ import annotations

__all__ = ["LANGUAGES", "form_words", "language_of", "page", "words"]

import json
import re
from functools import cache
from html import escape
from importlib.resources import files
from urllib.parse import parse_qs, urlsplit

LANGUAGES = ("en", "de")  # the first language is the default
# a language of Accept-Language, which may have a region, and its weight
RANGE = re.compile(r"\s*([a-z]+)[\w-]*\s*(?:;\s*q=([01]\.?\d*))?\s*", re.IGNORECASE)
# keys of the words that come with the forms
OF_FORMS = ("field.", "heading.", "picture.", "sample.")


@cache
def words(language: str) -> dict[str, str | list[str]]:
    """Return the texts of the page by their keys. A list contains the singular and the plural of one text."""
    found: dict[str, str | list[str]] = json.loads(_file("words.json"))[language]
    return found


def language_of(path: str, accepted: str) -> str:
    """Return the language of ``?lang=`` in a path, or the preferred language of Accept-Language.

    Examples
    --------
    >>> language_of("/?lang=de", "en"), language_of("/", "fr, en;q=0.5, de-AT;q=0.9"), language_of("/", "*")
    ('de', 'de', 'en')
    """
    known = filter(None, map(RANGE.fullmatch, accepted.split(",")))
    accepted_ones = sorted(known, key=lambda one: -float(one[2] or 1))
    asked = [*parse_qs(urlsplit(path).query).get("lang", ()), *(one[1] for one in accepted_ones)]
    return next((one.lower() for one in asked if one.lower() in LANGUAGES), LANGUAGES[0])


def form_words(language: str) -> dict[str, str | list[str]]:
    """Return the texts of the forms. The page requests them after it is loaded."""
    return {key: text for key, text in words(language).items() if key.startswith(OF_FORMS)}


@cache
def page(language: str) -> bytes:
    """Return the HTML page in a language."""
    told = words(language)
    # a string inside an element of the page must not end the element
    own = {key: text for key, text in told.items() if not key.startswith(OF_FORMS)}
    data = json.dumps(own, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    filled = {"words": data} | {key: escape(text) for key, text in told.items() if isinstance(text, str)}
    return re.sub(r"\{([\w.-]+)\}", lambda found: filled[found[1]], _file("page.html")).encode()


def _file(name: str) -> str:
    return files("evalstats.serving").joinpath(name).read_text("utf-8")
