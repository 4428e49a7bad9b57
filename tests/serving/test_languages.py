"""All words of the page are in one catalogue for each language."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from importlib.resources import files

import pytest

from evalstats.serving.form_arguments import fields_of
from evalstats.serving.handlers import PICTURES_OF, QUESTIONS
from evalstats.serving.languages import LANGUAGES, language_of, page, words
from evalstats.serving.sample_data import known_samples

HTML, SCRIPT = (files("evalstats.serving").joinpath(f"page.{kind}").read_text("utf-8") for kind in ("html", "js"))
# names that the page shows as they are, in every language
PROPER = {"evalstats", "evalstats compare FILE", " B", " kB", " MB"}
# words of the browser and of the protocol, which nobody sees
UNSEEN = {"Content-Type", "Content-Disposition", "X-Evalstats-Token", "POST", "AbortError", "Enter", "False"}


class Shown(HTMLParser):
    """The texts that an HTML page shows."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value or "" for name, value in attrs if name in ("aria-label", "title", "placeholder", "alt")]

    def handle_data(self, data: str) -> None:
        self.texts += [data.strip()] if data.strip() else []


def named_by_data() -> set[str]:
    """Return the keys that the script makes from the names of fields, samples and pictures."""
    fields = [(q, one) for q, make in QUESTIONS.items() for one in fields_of(make()[0]) if not one["is_download"]]
    return {
        *(f"heading.{one['heading']}" for _, one in fields),
        *(_key_of_label(question, one["name"]) for question, one in fields),
        *(f"sample.{one.name}" for one in known_samples()),
        *(f"picture.{name}" for names in PICTURES_OF.values() for name in names),
    }


def _key_of_label(question: str, name: str) -> str:
    """Return the key that the script tries first, if it exists."""
    return own if (own := f"field.{question}.{name}") in words("en") else f"field.{name}"


def strings(script: str) -> list[str]:
    """Return the string literals of a script, and the fixed parts of its templates, but no selectors and comments."""
    script = re.sub(r"(?m)(^|\s)//.*$", "", script)
    script = re.sub(r"/\\?[^/\n ]+/(?=\.exec|, )", "", script)  # regular expressions
    script = re.sub(r"(?:\$|querySelector|querySelectorAll|closest)\(\s*(\"[^\"]*\"|`[^`]*`)", "", script)
    templates = [part for text in re.findall(r"`([^`]*)`", script) for part in re.split(r"\$\{.*?\}", text)]
    return re.findall(r'"([^"\n]*)"', re.sub(r"`[^`$]*`", "", script)) + templates


def looks_like_words(text: str) -> bool:
    """Return whether a text begins with a capital letter or holds two words."""
    return bool(re.search(r"^\W*[A-Z]|[a-z]{2,}[,:;.]? [A-Za-z]", text)) and "/" not in text


def placeholders(text: str | list[str]) -> list[str]:
    return sorted(re.findall(r"\{\w+\}", text if isinstance(text, str) else text[0]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_have_the_same_keys_and_places_for_values(language: str) -> None:
    english, told = words("en"), words(language)

    assert list(told) == sorted(english)
    assert [key for key, text in told.items() if not text or placeholders(text) != placeholders(english[key])] == []
    assert [key for key, text in told.items() if isinstance(text, list) != isinstance(english[key], list)] == []
    assert told["language"] == language


def test_german_differs_from_english() -> None:
    same = {key for key, text in words("de").items() if text == words("en")[key]}

    assert {key.partition(".")[0] for key in same} <= {"count", "format", "hint", "role", "seen", "table", "field"}
    assert len(same) < 30


def test_page_has_no_words_of_its_own() -> None:
    texts = [re.sub(r"\{[\w.-]+\}", "", text).strip(" :") for text in Shown(HTML).texts]

    assert {text for text in texts if re.search(r"[A-Za-z]", text)} <= PROPER


def test_script_has_no_words_of_its_own() -> None:
    assert {text for text in strings(SCRIPT) if looks_like_words(text)} - UNSEEN - PROPER == set()


@pytest.mark.parametrize("line", ['say("The report is ready.");', "button(`Remove ${name}`, go);", 'title: "Copy"'])
def test_words_in_a_script_are_found(line: str) -> None:
    assert [text for text in strings(line) if looks_like_words(text)] != []


def test_every_word_is_used_and_every_key_is_known() -> None:
    literal = {key for key in re.findall(r'"([\w.-]+)"', SCRIPT) if key in words("en")}
    prefixes = set(re.findall(r"`([a-z]+\.)\$\{", SCRIPT))
    in_page = set(re.findall(r"\{([\w.-]+)\}", HTML)) - {"words"}

    assert in_page | named_by_data() <= set(words("en"))
    assert set(re.findall(r'tell\("([\w.-]+)"', SCRIPT)) <= set(words("en"))
    assert {key for key in words("en") if key not in literal | in_page and not key.startswith(tuple(prefixes))} == set()


def test_every_field_has_a_label_that_does_not_lean_on_its_option() -> None:
    labels = {key: text for key, text in words("en").items() if key.startswith("field.")}
    of_script = {f"field.{word}" for word in ("open", "automatic", "yes", "no")}

    assert set(labels) == {key for key in named_by_data() if key.startswith("field.")} | of_script
    leaning = ("Of ", "Where ", "These ", "Its ", "It ", "They ", "How often it")
    told = [str(text) for key, text in labels.items() if key not in of_script]
    assert [text for text in told if text.startswith(leaning) or not text[:1].isupper()] == []


@pytest.mark.parametrize(
    ("path", "accepted", "language"),
    [
        ("/", "", "en"),
        ("/", "de-CH,de;q=0.9,en;q=0.8", "de"),
        ("/", "fr;q=0.9, en;q=0.2, DE;q=0.5", "de"),
        ("/?token=x&lang=de", "en", "de"),
        ("/?lang=en", "de", "en"),
        ("/?lang=../x", "de;q=x, ,;", "en"),
    ],
)
def test_address_and_then_the_browser_choose_the_language(client, path: str, accepted: str, language: str) -> None:
    assert language_of(path, accepted) == language
    assert client.request("GET", path, Accept_Language=accepted)[2] == page(language)
    assert f'<html lang="{language}">' in page(language).decode()
