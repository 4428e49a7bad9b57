"""The files by which the project is released, cited and maintained: each has its form, and they agree."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import evalstats

ROOT = Path(__file__).parents[1]
GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = {
    "vendor.github-workflows": WORKFLOWS,
    "vendor.github-actions": [ROOT / "action.yml"],
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
    "vendor.github-issue-forms": [p for p in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if p.stem != "config"],
    "vendor.github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "vendor.citation-file-format": [ROOT / "CITATION.cff"],
}
AUDITED = [*WORKFLOWS, GITHUB / "dependabot.yml", ROOT / "action.yml"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def tool(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a program of the environment that runs the tests; a missing program is an error."""
    program = Path(sys.executable).parent / command[0]
    return subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)


def read(path: Path) -> dict:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_zizmor_finds_nothing_in_workflows_and_in_the_action() -> None:
    done = tool("zizmor", "--offline", "--no-progress", "--quiet", "--no-config", *AUDITED)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.sampled
@pytest.mark.parametrize("form", FORMS)
def test_file_has_the_form_that_its_reader_expects(form: str) -> None:
    assert FORMS[form]

    done = tool("check-jsonschema", "--builtin-schema", form, *FORMS[form])

    assert done.returncode == 0, done.stdout


def test_every_action_is_a_commit_beside_its_version() -> None:
    used = [line for path in WORKFLOWS for line in re.findall(r"uses: (.*)", path.read_text(encoding="utf-8"))]
    pinned = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\$/\.github/workflows/\w+\.yml")

    assert len(used) > 10
    assert [line for line in used if not pinned.fullmatch(line)] == []
    assert len({line for line in used if "@" in line}) == len({line.split("@")[0] for line in used if "@" in line})


def test_every_job_names_its_permissions() -> None:
    for path in WORKFLOWS:
        workflow = read(path)
        assert workflow["permissions"] == {}, path.name
        assert [name for name, job in workflow["jobs"].items() if not job.get("permissions")] == [], path.name


def test_every_python_of_the_project_is_tested_on_three_systems() -> None:
    matrix = read(GITHUB / "workflows" / "tests.yml")["jobs"]["tests"]["strategy"]["matrix"]
    named = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]

    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    assert set(named) <= set(matrix["python"])


def test_workflows_run_environments_that_exist() -> None:
    known = set(re.findall(r"^\[testenv:(\w+)\]", (ROOT / "tox.ini").read_text(encoding="utf-8"), re.MULTILINE))
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)

    asked = re.findall(r"tox run -e (\w+)|environment: (\w+),", text)

    assert {name for pair in asked for name in pair if name} - known == {"py"}


def test_citation_and_package_agree() -> None:
    cited = read(ROOT / "CITATION.cff")

    assert (cited["version"], cited["license"]) == (evalstats.__version__, PROJECT["license"])
    assert [author["name"] for author in cited["authors"]] == [author["name"] for author in PROJECT["authors"]]


def test_recipe_of_conda_and_package_agree() -> None:
    recipe = read(ROOT / "conda" / "recipe.yaml")
    required = [re.sub(r"(>=)", r" \1", one) for one in PROJECT["dependencies"]]
    [command] = recipe["build"]["python"]["entry_points"]

    assert recipe["context"] == {
        "version": evalstats.__version__,
        "python_min": PROJECT["requires-python"].removeprefix(">="),
    }
    assert recipe["requirements"]["run"][1:] == required
    assert recipe["package"]["name"] == PROJECT["name"]
    assert recipe["about"]["license"] == PROJECT["license"]
    assert command == f"evalstats = {PROJECT['scripts']['evalstats']}"


def test_hook_of_pre_commit_is_the_command() -> None:
    [hook] = read(ROOT / ".pre-commit-hooks.yaml")
    done = tool(*hook["entry"].split(), "--help")

    assert (done.returncode, done.stdout.split()[:3]) == (0, ["Usage:", "evalstats", "gate"])


# --- the paper --------------------------------------------------------------------------------------------------------

PAPER = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
# as the Journal of Open Source Software asks for them
SECTIONS = [
    *("Summary", "Statement of need", "State of the field", "Software design", "Validation"),
    *("Research impact statement", "AI usage disclosure", "Acknowledgements", "References"),
]


def test_paper_has_the_sections_and_the_length_that_the_journal_asks_for() -> None:
    _, head, text = PAPER.split("---\n", 2)

    assert re.findall(r"^# (.*)$", text, re.MULTILINE) == SECTIONS
    assert 750 <= len(text.split()) <= 1750
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= set(yaml.safe_load(head))


def test_every_reference_of_the_paper_is_cited_and_has_an_address() -> None:
    entries = (ROOT / "paper" / "paper.bib").read_text(encoding="utf-8").split("\n@")
    keys = [re.search(r"\{([a-z]+\d*),", entry)[1] for entry in entries]

    assert len(keys) == len(set(keys)) > 10
    assert set(re.findall(r"@([a-z]+\d*)", PAPER)) == set(keys)
    assert [key for key, entry in zip(keys, entries, strict=True) if not re.search(r"\b(doi|url) = ", entry)] == []


NUMBERS = {
    "comparison-with-r.md": (
        r"(\d+) functions against implementations in R and (\d+) functions .* formula, on (\d+) cases: no mismatch",
        "{} functions with implementations in R, and {} functions with our formula and R's distributions, on {} ",
    ),
    "randomized-comparison-with-r.md": (
        r"([\d,]+) inputs in \d+ runs, of which R answered ([\d,]+)",
        "R received {} randomly generated inputs and answered {} of them",
    ),
    "other-packages/index.md": (r"(?:There|there)\s+are (\d+)\s+inputs", "For {} inputs, the documentation describes"),
    "validation.md": (r"errata-source-papers.md\): (\d+) errors", "{} places where a printed number"),
}


@pytest.mark.parametrize("page", NUMBERS)
def test_numbers_of_the_paper_are_those_of_the_pages(page: str) -> None:
    pattern, sentence = NUMBERS[page]
    numbers = re.search(pattern, (ROOT / "docs" / page).read_text(encoding="utf-8")).groups()

    assert sentence.format(*numbers) in " ".join(re.sub(r"<!--.*?-->", "", PAPER).split())


# --- what a release waits for -----------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Write the files of a project that is ready for the release of v1.2.3."""
    (tmp_path / "evalstats").mkdir()
    (tmp_path / "evalstats" / "_version.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (2027-01-31)\n\n- One.\n")
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2.0\nversion: 1.2.3\ndate-released: 2027-01-31\n")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    return tmp_path


RELEASE_CHECK = runpy.run_path(str(ROOT / "scripts" / "release_check.py"))
FAULTS, ACCOUNT = RELEASE_CHECK["faults"], RELEASE_CHECK["PLACEHOLDER"]


def test_release_that_is_ready_has_no_fault(project: Path) -> None:
    assert FAULTS(project, "v1.2.3") == []


@pytest.mark.parametrize(
    ("name", "before", "after", "fault"),
    [
        ("evalstats/_version.py", "1.2.3", "1.2.4", "the tag must be v1.2.4"),
        ("CHANGELOG.md", "2027-01-31", "unreleased", "no heading '## 1.2.3 (YEAR-MONTH-DAY)'"),
        ("CITATION.cff", "01-31", "01-30", "'version: 1.2.3' and 'date-released: 2027-01-31'"),
        ("CITATION.cff", "version: 1.2.3", "version: 1.2.2", "'version: 1.2.3'"),
        ("CHANGELOG.md", "One", f"{ACCOUNT}/x", f"{ACCOUNT} must be replaced by the account on GitHub in CHANGELOG.md"),
    ],
)
def test_release_waits(project: Path, name: str, before: str, after: str, fault: str) -> None:
    text = (project / name).read_text()
    (project / name).write_text(text.replace(before, after))

    assert fault in "\n".join(FAULTS(project, "v1.2.3"))
