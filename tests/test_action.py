"""The action of the repository: its steps, run as GitHub runs them, in a directory of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "action.yml").read_text(encoding="utf-8")
STEPS = [textwrap.dedent(body) for body in re.findall(r"^ {6}run: \|\n((?: {8}.*\n|\n)+)", TEXT, flags=re.MULTILINE)]
INPUTS = re.findall(r"^  ([\w-]+):\n    description", TEXT.split("outputs:")[0], flags=re.MULTILINE)


@pytest.fixture
def run(tmp_path):
    """Run the step of the gate with these inputs, and return its status, its output and what it tells GitHub."""
    runner = tmp_path / "runner" / "evalstats-gate" / "bin"
    runner.mkdir(parents=True)
    # what the first step installs
    (runner / "evalstats").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m evalstats "$@"\n')
    (runner / "evalstats").chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    rows = range(300)
    (work / "old.csv").write_text("item_id,correct\n" + "".join(f"{i},{int(i < 240)}\n" for i in rows))
    (work / "new file.csv").write_text("item_id,correct\n" + "".join(f"{i},{int(12 <= i < 242)}\n" for i in rows))

    def run(**inputs):
        variables = {name.replace("-", "_").upper(): "" for name in INPUTS}
        given = {"BASELINE": "old.csv", "CANDIDATE": "new file.csv", "FAIL_ON_INCONCLUSIVE": "true"} | inputs
        output, summary = tmp_path / "output", tmp_path / "summary"
        output.write_text("")
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "RUNNER_TEMP": str(tmp_path / "runner"),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(summary),
            **variables,
            **given,
        }
        # the shell of a composite step that says bash
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", STEPS[1]]
        done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)
        return done, output.read_text(), summary.read_text() if summary.exists() else ""

    return run


def test_there_are_two_steps():
    assert len(STEPS) == 2
    assert '"$GITHUB_ACTION_PATH"' in STEPS[0]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("margin", "code", "status"), [("0.1", 0, "pass"), ("0.001", 1, "fail"), ("0.03", 3, "inconclusive")]
)
def test_status(run, margin, code, status):
    done, output, summary = run(MARGIN=margin)

    assert (done.returncode, output) == (code, f"status={status}\n")
    assert summary.startswith(f"# Gate: {status}")
    assert done.stdout.startswith("::")


def test_inconclusive_may_go_on(run):
    done, output, _ = run(MARGIN="0.03", FAIL_ON_INCONCLUSIVE="false")

    assert (done.returncode, output) == (0, "status=inconclusive\n")


def test_error_is_told_and_never_goes_on(run):
    done, output, summary = run(MARGIN="0.1", CANDIDATE="nowhere.csv", FAIL_ON_INCONCLUSIVE="false")

    assert (done.returncode, output, summary) == (2, "status=error\n", "")
    assert "there is no file nowhere.csv" in done.stderr


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["BASELINE", "CANDIDATE", "METRIC", "CLUSTER", "POLICY", "MARGIN"])
def test_no_input_becomes_a_command(run, tmp_path, name):
    done, output, _ = run(**{"MARGIN": "0.1", name: f'"; touch {tmp_path}/owned; $(touch {tmp_path}/owned) --help'})

    assert not (tmp_path / "owned").exists()
    assert (done.returncode, output) == (2, "status=error\n")


def test_every_input_reaches_the_gate():
    for name in INPUTS:
        assert f"{name.replace('-', '_').upper()}: ${{{{ inputs.{name} }}}}" in TEXT
