"""The files of cases: read, refused, told apart."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from evalstats._errors import InvalidValueError
from evalstats.parity import reference_cases as cases
from evalstats.parity.live_r import R
from evalstats.parity.reference_cases import Case, Reference, Tolerance, read_stem, reference_directory, stem_names


def tolerance(relative=None, fields=(), absolute=()):
    return Tolerance(relative=relative, fields=dict(fields), absolute=dict(absolute), reason=None)


def case(mine, general, **arguments):
    reference = Reference(
        function="f", r="base::f", packages=("base",), source="implementation", second_source=None, tolerance=general
    )
    return Case(stem="subpackage/stem", name="one", arguments=arguments, reference=reference, tolerance=mine)


def test_stem_holds_its_adapter_its_references_and_its_cases(reference: Path) -> None:
    stem = read_stem("demo/subject", reference)

    assert [c.identity for c in stem.cases] == [
        "demo/subject/spread/plain",
        "demo/subject/spread/wide",
        "demo/subject/shift/matrix",
        "demo/subject/shift/one",
    ]
    assert stem.references["shift"].packages == ("base", "stats")
    assert stem.adapter.strip().startswith("spread <- function")
    assert dict(stem.cases[1].arguments) == {"x": [101, 3], "wide": True, "level": 0.25}


COMMON = """# What several adapters need.

# the mean without
# the noise
plain.mean <- function(x) {
  x <- clean(x)

  mean(x)
}

clean <- function(x) signif(x, 12)

# of no use here
unused <- function(x) meanwhile(x)
"""


def with_common(reference: Path, common: str, call: str = "plain.mean(x)") -> cases.Stem:
    (reference / "common.R").write_text(common)
    adapter = reference / "demo" / "subject.R"
    adapter.write_text(adapter.read_text().replace("mean = mean(x)", f"mean = {call}"))
    return read_stem("demo/subject", reference)


def test_adapter_stands_behind_the_shared_functions_that_it_uses(reference: Path) -> None:
    """Those that it names, those that these name, and no other, in the order of common.R."""
    stem = with_common(reference, COMMON)

    before, _, own = stem.adapter.partition("\n\n\nspread <-")
    assert before == COMMON.removeprefix("# What several adapters need.\n\n").partition("\n\n# of no use")[0]
    assert own.startswith(" function(x, wide")


def test_digest_covers_the_shared_functions_that_are_used(reference: Path) -> None:
    """A function that a used one calls counts; one that nobody here calls does not."""
    before = with_common(reference, COMMON).adapter_digest

    assert with_common(reference, COMMON.replace("meanwhile(x)", "later(x)")).adapter_digest == before
    assert with_common(reference, COMMON.replace("12", "13")).adapter_digest != before
    assert with_common(reference, COMMON.replace("the noise", "any noise")).adapter_digest == before  # a comment


def test_part_of_a_name_is_not_that_name(reference: Path) -> None:
    assert "clean <-" not in with_common(reference, COMMON, "unclean(x) + clean.up(x) + clean2(x)").adapter


@pytest.mark.live
def test_shared_functions_are_there_when_r_answers(reference: Path, r: R) -> None:
    stem = with_common(reference, COMMON)

    assert r.ask(stem, "spread", {"x": [1.0, 2.0, 3.00000000000009]}).fields["mean"] == 2.0


def functions_of(file: Path) -> dict[str, str]:
    return {found["name"]: found.group().strip() for found in cases._SHARED.finditer(file.read_text(encoding="utf-8"))}


def test_every_line_of_common_r_belongs_to_a_function() -> None:
    """What the reader of that file does not take for a function no adapter would ever see."""
    common = (reference_directory() / "common.R").read_text(encoding="utf-8")

    left = cases._SHARED.sub("", common)

    assert all(line.startswith("#") for line in left.splitlines() if line)
    assert common.count("<- function") >= len(functions_of(reference_directory() / "common.R")) > 20


def test_shared_functions_are_shared_and_stand_once() -> None:
    """Each is used by two adapters at least, and no adapter has its own, nor one that another has too."""
    shared = functions_of(reference_directory() / "common.R")
    users, own, copies = Counter(), [], Counter()
    for name in stem_names():
        used = functions_of(file := reference_directory() / f"{name}.R")
        copies.update(set(used.values()))
        own += [f"{name}: {function}" for function in used if function in shared]
        adapter = read_stem(name).adapter if file.is_file() else ""
        users.update(f for f, code in shared.items() if code in adapter)

    assert own == []
    assert [function for function in shared if users[function] < 2] == []
    assert [code for code, times in copies.items() if times > 1] == []


def test_files_beside_the_rooms_are_no_stems(reference: Path) -> None:
    (reference / "functions_without_r.toml").write_text("")
    (reference / "README.md").write_text("")

    assert stem_names(reference) == ("demo/subject",)


def test_own_reference_directory_is_found() -> None:
    assert reference_directory().joinpath("common.R").is_file()


def test_what_is_said_of_a_field_goes_before_what_is_said_of_all() -> None:
    said = case(tolerance(1e-9), tolerance(1e-10, {"interval": 1e-6, "statistic": 1e-7}, {"pvalue": 1e-15}))

    assert said.allowed("mean") == (1e-9, 0.0)
    assert said.allowed("interval") == (1e-6, 0.0)
    assert said.allowed("pvalue") == (1e-9, 1e-15)


def test_case_goes_before_its_function_and_silence_means_the_default() -> None:
    assert case(tolerance(fields={"a": 1e-3}), tolerance(fields={"a": 1e-5})).allowed("a")[0] == 1e-3
    assert case(tolerance(), tolerance(1e-8)).allowed("a")[0] == 1e-8
    assert case(tolerance(), tolerance()).allowed("a")[0] == cases.DEFAULT_TOLERANCE


def test_digest_depends_on_the_arguments_alone() -> None:
    one, same, other = (case(tolerance(w), tolerance(), x=[0.1, v]) for w, v in [(None, 2.0), (1e-3, 2.0), (None, 2.5)])

    assert one.digest == same.digest
    assert one.digest != other.digest


def test_digest_depends_on_the_names_of_the_arguments_and_not_on_their_order() -> None:
    one, turned, renamed = (
        case(tolerance(), tolerance(), **a) for a in [{"x": 1, "y": 2}, {"y": 2, "x": 1}, {"x": 1, "z": 2}]
    )

    assert one.digest == turned.digest
    assert one.digest != renamed.digest


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("[f.one]\nx = 1", r"subpackage/stem.toml has cases of f, but no \[reference.f\]"),
        (
            "[reference.f]\nr = 'base::f'",
            r"\[reference.f\] in subpackage/stem.toml must hold r, packages and source .* it holds r",
        ),
        ("[reference.f]\nr = 'f'\npackages = []\ntolerence = 1e-9", "it holds packages, r, tolerence"),
        (
            "[reference.f]\nr = 'f'\npackages = []\nsource = 'formula'",
            "source of .* 'implementation', or 'formula' with second_source",
        ),
        ("[reference.f", "subpackage/stem.toml is not TOML"),
    ],
)
def test_unclear_file_is_refused(tmp_path: Path, toml: str, message: str) -> None:
    (tmp_path / "subpackage").mkdir()
    (tmp_path / "subpackage" / "stem.toml").write_text(toml)
    (tmp_path / "subpackage" / "stem.R").write_text("")

    with pytest.raises(InvalidValueError, match=message):
        read_stem("subpackage/stem", tmp_path)


def test_cases_without_an_adapter_are_refused(reference: Path) -> None:
    (reference / "demo" / "subject.R").unlink()

    with pytest.raises(InvalidValueError, match=r"demo/subject.toml has no adapter: demo/subject.R is missing"):
        read_stem("demo/subject", reference)


def test_unknown_stem_is_refused_with_a_list(reference: Path) -> None:
    with pytest.raises(InvalidValueError, match=r"functions must be among demo/subject, not '../secret'"):
        read_stem("../secret", reference)


def test_missing_reference_directory_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "files", lambda package: tmp_path / package)

    with pytest.raises(InvalidValueError, match="the directory r_reference with the cases for R is missing"):
        reference_directory()
