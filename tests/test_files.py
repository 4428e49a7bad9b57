"""Whatever a path names, it is read to its end or refused: pipes, devices, endless streams, links."""

from __future__ import annotations

import io
import itertools
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from evalstats import _files, analyze_runs, compare, gate, read_predictions, read_table, verify_report
from evalstats._errors import EvalstatsError
from evalstats.gating.policy import read_policy
from evalstats.study.config import arguments_in

SCORES = "dataset,A,B\nx,.1,.2\ny,.3,.5\nz,.4,.45\n"


class Endless(io.RawIOBase):
    """A stream of the same line again and again, which cannot be read twice."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        buffer[:] = (b"x,1,2\n" * (len(buffer) // 6 + 1))[: len(buffer)]
        return len(buffer)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_files, "_PATIENCE", 0.05)


@pytest.fixture
def special(tmp_path: Path, impatient: None) -> dict[str, Path]:
    os.mkfifo(tmp_path / "pipe.csv")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(os.path.relpath(tmp_path / "socket.csv"))
    return {
        "a pipe without a writer": tmp_path / "pipe.csv",
        "a socket, and not a file": tmp_path / "socket.csv",
        "a device, and not a file": Path("/dev/zero"),
    }


READERS = {
    "read_table": read_table,
    "read_predictions": read_predictions,
    "compare": compare,
    "analyze_runs": analyze_runs,
    "verify_report": verify_report,
    "gate": lambda path: gate(path, io.StringIO(SCORES), margin=0.1),
    "policy": read_policy,
    "study": arguments_in,
    "a list": lambda path: read_table([path, path]),
}


@pytest.mark.parametrize("name", READERS)
def test_special_files_are_refused_by_a_sentence_of_every_reader(name, special) -> None:
    for reason, path in special.items():
        with pytest.raises(EvalstatsError, match=reason):
            READERS[name](path)


def test_special_files_of_a_folder_are_not_read(special, tmp_path) -> None:
    (tmp_path / "scores.csv").write_text(SCORES)

    assert read_table(tmp_path).classifiers == ("A", "B")
    assert sorted(_files.files_below(str(tmp_path), 10)) == [str(tmp_path / "scores.csv")]


def test_pipe_is_read_whose_writer_takes_its_time(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(_files, "_PATIENCE", 30)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program = f"import time; time.sleep(.3); f = open({str(pipe)!r}, 'w'); time.sleep(.3); f.write({SCORES!r})"

    with subprocess.Popen([sys.executable, "-c", program]):
        assert read_table(pipe).classifiers == ("A", "B")


def test_descriptors_of_a_shell_are_read(impatient) -> None:
    for content in (SCORES.encode(), b""):
        inner, outer = os.pipe()
        writer = threading.Thread(target=lambda end=outer, text=content: (os.write(end, text), os.close(end)))
        writer.start()

        assert _files.piped(f"/dev/fd/{inner}") == content
        writer.join()
        os.close(inner)


def test_endless_stream_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(_files.whole, "__defaults__", (10_000_000,))

    with pytest.raises(EvalstatsError, match="it is larger than the limit of 10,000,000 bytes"):
        read_table(io.BufferedReader(Endless()))


@pytest.mark.parametrize("content", ["a" * 100, b"a" * 100, "", b""])
def test_whole_stream_has_its_type(content) -> None:
    stream = io.StringIO(content) if isinstance(content, str) else io.BytesIO(content)

    assert _files.whole(stream) == content


def test_stream_that_is_too_long_is_refused_once_it_is_known() -> None:
    with pytest.raises(_files.TooLongError, match="limit of 99 bytes"):
        _files.whole(io.BytesIO(b"a" * 100), 99)


def test_folder_ends_at_links_that_lead_out_of_it(tmp_path) -> None:
    folder, elsewhere = tmp_path / "folder", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (folder / "own.csv").write_text(SCORES)
    (elsewhere / "secret.csv").write_text("root:x:0:0\n")
    (folder / "same.csv").symlink_to("own.csv")
    for name, target in {"root": "/", "again": ".", "once more": ".", "s.csv": elsewhere / "secret.csv"}.items():
        (folder / name).symlink_to(target)

    assert [Path(path).name for path in _files.files_below(str(folder), 100)] == ["own.csv", "same.csv"]
    found = [Path(path).name for path in _files.matching(f"{folder}/**/*.csv")]
    assert found == ["own.csv", "s.csv", "same.csv"]  # whoever writes a pattern names its files


def test_links_that_were_not_followed_are_named(tmp_path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "scores.csv").write_text(SCORES)
    (folder / "link.csv").symlink_to(tmp_path / "scores.csv")

    with pytest.raises(EvalstatsError, match="links that lead out of it and are not followed"):
        read_table(folder)
    (folder / "own.csv").write_text(SCORES)
    sentences = [one.sentence for one in read_table(folder).findings]
    assert any("links that lead out of the directory were not: 'link.csv'" in one for one in sentences)


def test_patterns_match_as_those_of_glob(tmp_path, monkeypatch) -> None:
    import glob

    monkeypatch.chdir(tmp_path)
    for path in ("a/b/c/1.csv", "a/b/2.csv", "a/3.csv", "4.csv", "a/.hidden/5.csv", "a/b/6.txt"):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text("")
    for start, pattern in itertools.product(
        ("", "./", f"{tmp_path}/"), ("**/*.csv", "a/**/*.csv", "*/**/c/*.csv", "a/*", "**/b/**/*.csv", "a/b/[12].csv")
    ):
        expected = sorted(os.path.normpath(path) for path in glob.glob(start + pattern, recursive=True))
        assert sorted(map(os.path.normpath, _files.matching(start + pattern))) == expected, start + pattern
    assert _files.matching("4.csv") == _files.matching("\0*") == []


def test_walk_stops_behind_the_most_files(tmp_path) -> None:
    for i in range(5):
        (tmp_path / f"{i}.csv").write_text("")

    assert len(list(_files.files_below(str(tmp_path), 3))) == 4
