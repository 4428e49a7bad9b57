"""Pictures from the command line: which one, how wide, and with which letters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evalstats.cli.options import PICTURES
from evalstats.examples import example_path

DEMSAR = str(example_path("demsar-2006"))
OF_FOLDS = ("difference-intervals", "fold-distributions")
OF_QUESTIONS = ("score-intervals",)
OF_METRICS = "ranks-by-metric"


def size(path: Path) -> tuple[float, float]:
    """Width and height of an SVG, in inches."""
    both = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', path.read_text(encoding="utf-8"))
    assert both is not None
    return float(both[1]) / 72, float(both[2]) / 72


@pytest.fixture
def folds(folder: Path) -> str:
    rows = ["dataset,classifier,fold,accuracy"]
    rows += [f"iris,{name},{i},{0.8 + 0.01 * i + shift}" for i in range(5) for name, shift in (("A", 0), ("B", 0.02))]
    (folder / "folds.csv").write_text("\n".join(rows).replace("A,2,0.82", "A,2,0.85"))
    return "folds.csv"


@pytest.mark.parametrize("width", [[], ["--width", "5"]], ids=str)
def test_picture_of_several_metrics(run, width: list[str], folder: Path) -> None:
    rows = (f"d{i},c{j},{m},{i + j * (m == 'f1')}" for i in range(6) for j in range(3) for m in ("f1", "auc"))
    (folder / "long.csv").write_text("dataset,classifier,metric,score\n" + "\n".join(rows))

    assert run("compare", "long.csv", "--metric", "f1,auc", "--plot", "picture.svg", *width).exit_code == 0


OTHERS = (*OF_FOLDS, *OF_QUESTIONS, OF_METRICS, "battle-strengths", "reliability-diagram", "learning-curves")


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in PICTURES if name not in OTHERS])
@pytest.mark.parametrize("width", [None, "5"])
def test_every_picture_of_datasets_can_be_drawn(run, name: str, width: str | None, folder: Path) -> None:
    chosen = [] if width is None else ["--width", width]

    result = run("compare", DEMSAR, "--plot", "picture.svg", "--plot-kind", name, *chosen)

    assert result.exit_code == 0, result.output
    assert (folder / "picture.svg").stat().st_size > 5000


@pytest.mark.parametrize("name", ["multi-comparison-matrix", "rank-frequencies", "podium-frequencies"])
def test_questions_have_matrix_and_frequencies(run, name: str, folder: Path) -> None:
    rows = (f"{m},{q},{int(q % n > 0)}" for q in range(30) for m, n in (("a", 2), ("b", 3)))
    (folder / "answers.csv").write_text("\n".join(("model,question,correct", *rows)))

    assert run("compare", "answers.csv", "--plot", "picture.svg", "--plot-kind", name).exit_code == 0


@pytest.mark.parametrize("name", OF_FOLDS)
def test_every_picture_of_folds_can_be_drawn(run, folds: str, name: str, folder: Path) -> None:
    assert run("compare", folds, "--plot", "picture.svg", "--plot-kind", name).exit_code == 0


@pytest.mark.parametrize("chosen", [[], ["--plot-kind", "score-intervals"]])
def test_models_on_questions_have_a_picture(run, chosen: list[str], folder: Path) -> None:
    rows = [
        "model,question,passage,correct",
        *(f"{m},{q},{q // 3},{int(q % n > 0)}" for q in range(30) for m, n in (("a", 2), ("b", 3))),
    ]
    (folder / "answers.csv").write_text("\n".join(rows))

    assert run("compare", "answers.csv", "--plot", "picture.svg", *chosen).exit_code == 0


def test_one_dataset_has_a_picture(run, folds: str, folder: Path) -> None:
    run("compare", folds, "--plot", "usual.svg")
    run("compare", folds, "--plot", "named.svg", "--plot-kind", "difference-intervals")

    assert (folder / "usual.svg").read_bytes() == (folder / "named.svg").read_bytes()


def test_width_is_that_of_the_file(run, folder: Path) -> None:
    run("compare", DEMSAR, "--output", "column.svg", "--width", "3.4", "--font-size", "7")

    assert size(folder / "column.svg")[0] == pytest.approx(3.4)


def test_caption_may_be_left_out(run, folder: Path) -> None:
    run("compare", DEMSAR, "--output", "with.svg")
    run("compare", DEMSAR, "--output", "without.svg", "--no-caption")

    assert size(folder / "without.svg")[1] < size(folder / "with.svg")[1]


def test_letters_and_dots_have_the_size_that_is_asked_for(run, folder: Path) -> None:
    run("compare", DEMSAR, "--output", "small.png", "--dpi", "50")
    run("compare", DEMSAR, "--output", "large.png", "--dpi", "50", "--font-size", "20")

    small, large = ((folder / name).read_bytes()[16:20] for name in ("small.png", "large.png"))
    assert int.from_bytes(large, "big") == pytest.approx(2 * int.from_bytes(small, "big"), rel=0.1)


def test_same_table_is_the_same_file(run, folder: Path) -> None:
    for name in ("one.pdf", "other.pdf"):
        run("compare", DEMSAR, "--output", name)

    assert (folder / "one.pdf").read_bytes() == (folder / "other.pdf").read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--width", "3"), "--width requires a plot; give its file with --plot"),
        (("--plot", "p.svg", "--width", "-3"), "width must be greater than 0 and at most 100 inches"),
        (("--plot", "p.svg", "--plot-kind", "win-matrix", "--width", "0"), "--width must be greater than 0"),
        (("--plot", "p.svg", "--dpi", "0"), "dpi must lie between 1 and 4800"),
        (("--plot", "p.svg", "--font-size", "1"), "--font-size must lie between 4 and 200 points"),
        (("--plot", "p.svg", "--plot-kind", "pie"), "'pie' is not one of"),
        (("--plot", "p.svg", "--plot-kind", "difference-intervals"), "a result of compare for one dataset"),
    ],
)
def test_refusals(refused, options: tuple[str, ...], message: str) -> None:
    assert message in refused("compare", DEMSAR, *options)


@pytest.mark.filterwarnings("default")
def test_diagram_of_too_many_classifiers_says_what_to_type(run, folder: Path) -> None:
    names = [f"net {i}" for i in range(41)]
    rows = [f"d{d}," + ",".join(str((d * 7 + i * i) % 53) for i in range(41)) for d in range(8)]
    (folder / "many.csv").write_text("\n".join(["dataset," + ",".join(names), *rows]))

    result = run("compare", "many.csv", "--output", "picture.svg")

    assert result.exit_code == 0
    assert result.stderr.count("warning: a critical-difference diagram of 41 classifiers is not readable") == 1
    assert "--plot-kind ranked-list" in result.stderr
