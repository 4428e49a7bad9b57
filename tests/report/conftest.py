"""Comparisons that take every branch of a report, each by its name."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from evalstats import Comparison, ScoreTable, compare, example_table, read_table, report
from evalstats.multiple import homogeneous_subsets
from evalstats.report.blocks import Document, Listing, Paragraph, Section, Table

LETTERS = "ABCDEFGH"
NASTY = (
    '<script>alert("1")</script>',
    "a & b | c `d` *e* _f_ [g](h) #1 $x$ 100% ~ ^ {i} \\j",
    "&amp; \"quoted\" 'names'",
    "naïve Bayes 森林 β--γ",
)


def table(scores: object, names: object = LETTERS, **options: object) -> ScoreTable:
    scores = np.asarray(scores, dtype=float)
    n, k = scores.shape
    return ScoreTable(
        scores=scores,
        datasets=tuple(f"dataset {i + 1}" for i in range(n)),
        classifiers=tuple(names)[:k],
        **({"metric": "AUC"} | options),
    )


def drawn(seed: int, shape: tuple[int, int], shift: object = 0.0) -> np.ndarray:
    """Scores with two decimals, uniform but for the shift of each classifier."""
    return np.round(np.random.default_rng(seed).random(shape) + shift, 2)


def steps(n: int, *levels: float) -> np.ndarray:
    """Scores that put the classifiers in one order on every dataset."""
    return np.linspace(0, 1, n)[:, None] + np.array(levels)


def with_relation(comparison: Comparison, *pairs: tuple[int, int]) -> Comparison:
    """Change a comparison as if a test had found these places of the ranking different."""
    names, ranking = comparison.table.classifiers, comparison.ranking
    different = np.zeros((len(names), len(names)), dtype=bool)
    for i, j in pairs:
        a, b = names.index(ranking[i]), names.index(ranking[j])
        different[a, b] = different[b, a] = True
    found = homogeneous_subsets(different, [names.index(name) for name in ranking])
    return replace(
        comparison,
        different=different,
        homogeneous_subsets=tuple(tuple(names[i] for i in group) for group in found.subsets),
        pairs_outside_subsets=tuple((names[a], names[b]) for a, b in found.pairs_outside_subsets),
        notes=("pool-dependence",),
    )


def demsar(**choices: object) -> Comparison:
    return compare(example_table("demsar-2006"), **choices)


def by_ranks(scores: ScoreTable | None = None, **choices: object) -> Comparison:
    """Compare by the test of mean ranks that has a critical difference, and that the Friedman test leads."""
    posthoc = "nemenyi" if choices.get("control") is None else "bonferroni-dunn"
    return compare(example_table("demsar-2006") if scores is None else scores, posthoc=posthoc, **choices)


def dropped() -> Comparison:
    rows = {"dataset": ["a", "b", "c", "d", "e", "f", "g"]}
    rows |= {name: [0.1, 0.5, 0.4, 0.8, 0.6, 0.9, i / 4] for i, name in enumerate("XYZ")}
    rows["Y"] = [*rows["Y"][:2], float("nan"), *rows["Y"][3:]]
    return compare(read_table(rows, missing="drop-datasets"))


def incomplete(**choices: object) -> Comparison:
    """One score in five is missing."""
    rng = np.random.default_rng(1)
    scores = np.round(rng.random((14, 1)) + rng.normal(0, 0.03, (14, 4)) + np.linspace(0, 0.08, 4), 3)
    scores[rng.random((14, 4)) < 0.2] = np.nan
    return compare(scores, missing="skillings-mack", metric="AUC", **choices)


def many(k: int = 30) -> ScoreTable:
    rng = np.random.default_rng(1)
    scores = rng.random((40, 1)) + rng.normal(0, 0.05, (40, k)) + np.linspace(0, 0.15, k)
    names = [f"gradient-boosting-depth-{i:02d}-learning-rate-0.{i:02d}" if i % 2 else f"net {i}" for i in range(k)]
    return table(scores, names)


def beside_noise() -> ScoreTable:
    """Scores of which B is a hair better than A on every dataset, beside six that are noise."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=14)
    return table(np.column_stack([x, x + 0.01, rng.normal(size=(14, 6))]))


def repeated(k: int, n_repeats: int = 6) -> ScoreTable:
    rng = np.random.default_rng(k)
    at = list(np.ndindex(8, k, n_repeats, 3))
    level = rng.random(8)
    names = {"dataset": [f"d{d}" for d, *_ in at], "classifier": [LETTERS[c] for _, c, *_ in at]}
    runs = {"run": [r for *_, r, _ in at], "fold": [f for *_, f in at]}
    return read_table({**names, **runs, "AUC": [level[d] + 0.01 * c + 0.02 * rng.normal() for d, c, *_ in at]})


# seeds that lead to the branch of the name were searched for; the tests check that they do
CASES: dict[str, Callable[[], Comparison]] = {
    "all pairs: repeats": lambda: compare(repeated(4)),
    "all pairs: one run": lambda: compare(repeated(3, n_repeats=1)),
    "two: repeats": lambda: compare(repeated(2)),
    "all pairs: rejects, no pair differs": by_ranks,
    "all pairs: not rejected": lambda: by_ranks(alpha=0.001),
    "all pairs: some differ": lambda: by_ranks(alpha=0.10),
    "all pairs: all differ": lambda: by_ranks(table(steps(40, 0.0, 0.1, 0.2))),
    "all pairs: one order, few datasets": lambda: by_ranks(table(steps(6, 0.0, 0.1, 0.2, 0.3))),
    "two: the mean says otherwise": lambda: compare(table(np.c_[[0.9] * 19 + [0.1], [0.899] * 19 + [0.9]])),
    "all pairs: no variance left": lambda: compare(table(steps(6, 0.0, 0.1, 0.2, 0.3)), posthoc="conover"),
    "all pairs: best shared": lambda: by_ranks(table(steps(20, 0.0, 0.0, 0.3, 0.3, 0.3))),
    "all pairs: everything tied": lambda: by_ranks(table(np.full((6, 4), 0.5))),
    "all pairs: one dataset": lambda: by_ranks(table([[0.3, 0.5, 0.4]])),
    "all pairs: design too small": lambda: by_ranks(table(drawn(1, (2, 3)))),
    "all pairs: post-hoc too small": lambda: by_ranks(table(steps(2, 0.0, 0.1, 0.2, 0.3))),
    "all pairs: pairs without omnibus": lambda: by_ranks(table(drawn(50, (8, 3), np.linspace(0, 0.35, 3)))),
    "all pairs: lower is better": lambda: by_ranks(
        table(steps(20, 0.0, 0.1, 0.2), metric="error rate", greater_is_better=False)
    ),
    "all pairs: loose pairs": lambda: with_relation(by_ranks(), (0, 1), (1, 2)),
    "all pairs: best not shown to differ": lambda: with_relation(by_ranks(), (1, 3)),
    "all pairs: monte carlo": lambda: demsar(method="monte-carlo", n_resamples=999, rng=1),
    "all pairs: chi2, few datasets": lambda: demsar(method="chi2"),
    "all pairs: f": lambda: demsar(method="f"),
    "all pairs: datasets dropped": dropped,
    "all pairs: scores missing": incomplete,
    "all pairs: scores missing, not rejected": lambda: incomplete(alpha=0.001),
    "all pairs: no common dataset": lambda: compare(
        np.array([[1, 2, np.nan], [2, 3, np.nan], [np.nan, 1, 2], [np.nan, 3, 1], [np.nan, 2, 5]] * 2),
        missing="skillings-mack",
    ),
    "all pairs: groups that nothing links": lambda: compare(
        np.array([[1, 2, np.nan, np.nan], [np.nan, np.nan, 3, 1]] * 6), missing="skillings-mack"
    ),
    "control: scores missing": lambda: incomplete(control="classifier 1", posthoc="sign", adjust="bonferroni"),
    "all pairs: by default": demsar,
    "all pairs: by default, none differs": lambda: demsar(alpha=0.01),
    "all pairs: by default, all differ": lambda: compare(table(steps(40, 0.0, 0.1, 0.2))),
    "all pairs: by default, without Friedman": lambda: compare(beside_noise()),
    "all pairs: by default, nothing at all": lambda: compare(table(drawn(2, (12, 4)))),
    "all pairs: by default, too few datasets": lambda: compare(table(steps(5, 0.0, 0.1, 0.2, 0.3))),
    "all pairs: by default, nothing and too few datasets": lambda: compare(table(drawn(1, (4, 3)))),
    "control: by default": lambda: demsar(control="C4.5"),
    "control: by default, without Friedman": lambda: compare(beside_noise(), control="A"),
    "control: by default, too few datasets": lambda: compare(table(steps(5, 0.0, 0.1, 0.2, 0.3)), control="A"),
    "all pairs: sign test without Friedman": lambda: compare(beside_noise(), posthoc="sign"),
    "all pairs: Shaffer": lambda: demsar(adjust="shaffer"),
    "all pairs: many draws": lambda: compare(many(6), posthoc="max-t", n_resamples=199),
    "all pairs: means by signs": lambda: demsar(posthoc="max-t-means"),
    "all pairs: robustness": lambda: demsar(robustness=True, alpha=0.10, rng=1),
    "all pairs: robust": lambda: compare(table(steps(15, 0.0, 0.1, 0.2)), robustness=True, rng=1),
    "control: robustness": lambda: demsar(control="C4.5", robustness=True, rng=1),
    "two: robustness": lambda: compare(example_table("raeder-2010-seed-459"), robustness=True),
    "all pairs: holm": lambda: demsar(posthoc="conover"),
    "all pairs: simulated": lambda: demsar(posthoc="max-t", n_resamples=99),
    "control: Steel's test": lambda: demsar(posthoc="steel", control="C4.5"),
    "all pairs: not adjusted": lambda: demsar(posthoc="wilcoxon", adjust="none"),
    "all pairs: aligned ranks": lambda: demsar(posthoc="friedman-aligned", rng=1),
    "all pairs: Tukey": lambda: demsar(posthoc="tukey", alpha=0.10),
    "all pairs: ranks say otherwise": lambda: compare(
        table(np.vstack([steps(11, 0.0, 0.01, 0.9), steps(9, 0.5, 0.0, 0.9)])), posthoc="tukey"
    ),
    "all pairs: unequal variation": lambda: compare(
        table(drawn(5, (20, 4)) * [0.01, 0.02, 0.3, 1] + [0, 0.1, 0.5, 2]), posthoc="tukey"
    ),
    "all pairs: 30 classifiers": lambda: by_ranks(many()),
    "all pairs: nasty names": lambda: by_ranks(
        table(steps(20, 0.0, 0.1, 0.1, 0.4), NASTY, metric="<b>&score_1</b>", unit="%")
    ),
    "control: one better": lambda: by_ranks(control="C4.5"),
    "control: better and worse": lambda: by_ranks(table(steps(30, 0.0, 0.1, 0.2, 0.3, 0.4)), control="C"),
    "control: all worse": lambda: by_ranks(table(steps(30, 0.0, 0.1, 0.2)), control="C"),
    "control: none differs": lambda: by_ranks(control="C4.5+cf"),
    "control: no critical difference": lambda: demsar(control="C4.5", posthoc="rank-sum"),
    "control: no critical difference, not rejected": lambda: demsar(
        control="C4.5", posthoc="quade", alpha=0.001, rng=1
    ),
    "control: not rejected": lambda: by_ranks(control="C4.5", alpha=0.001),
    "control: pairs without omnibus": lambda: by_ranks(table(drawn(34, (8, 3), np.linspace(0, 0.35, 3))), control="A"),
    "control: post-hoc too small": lambda: by_ranks(table(steps(2, 0.0, 0.1, 0.2, 0.3)), control="A"),
    "control: 30 classifiers": lambda: by_ranks(many(), control="net 4"),
    "two: first better": lambda: compare(example_table("raeder-2010-seed-216")),
    "two: second better": lambda: compare(table(steps(20, 0.0, 0.1) + drawn(1, (20, 2)) / 10)),
    "two: lower is better": lambda: compare(
        table(steps(20, 0.0, 0.1) + drawn(1, (20, 2)) / 10, metric="loss", greater_is_better=False)
    ),
    "two: not rejected": lambda: compare(example_table("raeder-2010-seed-459")),
    "two: control": lambda: compare(table(steps(20, 0.0, 0.1) + drawn(1, (20, 2)) / 10), control="A"),
    "two: design too small": lambda: compare(table(drawn(1, (4, 2)))),
    "two: everything tied": lambda: compare(table(np.full((6, 2), 0.5))),
    "two: only Wilcoxon rejects": lambda: compare(
        table(np.round(np.random.default_rng(7).normal([0, 0.5], 1, (12, 2)), 2))
    ),
    "two: only the sign test rejects": lambda: compare(
        table(np.round(np.random.default_rng(10).normal([0, 0.5], 1, (12, 2)), 2))
    ),
    "two: asymptotic, few datasets": lambda: compare(table(drawn(4, (8, 2))), method="asymptotic"),
    "two: large wins against many": lambda: compare(
        table([[0.5 + (i + 12) / 50, 0.5] for i in range(9)] + [[0.5, 0.5 + (i + 1) / 99] for i in range(11)]),
        alpha=0.2,
    ),
}


@cache
def case(name: str) -> Comparison:
    return CASES[name]()


@pytest.fixture(scope="session")
def on_every_comparison(hold_for_each: Callable[..., None]) -> Callable[[Callable[[Comparison], None]], None]:
    """Hold a law against each comparison in turn."""

    def on_every_comparison(law: Callable[[Comparison], None]) -> None:
        hold_for_each({name: (name,) for name in CASES}, lambda name: law(case(name)))

    return on_every_comparison


@pytest.fixture
def named() -> Callable[[str], Comparison]:
    """Look up a comparison by its name."""
    return case


@pytest.fixture(scope="session")
def section() -> Callable[[Document, str], Section]:
    """Take the section of a name out of a document."""

    def section(report: Document, name: str) -> Section:
        return next(part for part in report.sections if part.name == name)

    return section


@pytest.fixture(scope="session")
def shown_table() -> Callable[[Document, str], Table]:
    """Take the table of a name out of a document."""

    def shown_table(report: Document, name: str) -> Table:
        tables = [b for part in report.sections for b in part.blocks if isinstance(b, Table)]
        return next(t for t in tables if t.name == name)

    return shown_table


@pytest.fixture(scope="session")
def said() -> Callable[[Document | Section], str]:
    """Join every sentence and caption of a document or of a section."""

    def said(part: Document | Section) -> str:
        if isinstance(part, Document):
            return " ".join([part.title, *part.verdict.content, *map(said, part.sections)])
        words = [part.heading]
        for block in part.blocks:
            if isinstance(block, Paragraph):
                words += [item for item in block.content if isinstance(item, str)]
            elif isinstance(block, Listing):
                words += [item for sentences in block.items for item in sentences if isinstance(item, str)]
            else:
                words += [block.caption] if isinstance(block, Table) else block.diagram.caption
        return " ".join(words)

    return said


@pytest.fixture
def in_r(tmp_path: Path) -> Callable[[object], str]:
    """Run the script of a comparison, or a script, in R, and return what it prints."""
    program = shutil.which("Rscript")
    if program is None and os.environ.get("EVALSTATS_REQUIRE_R") != "1":
        pytest.skip("R is not installed")
    assert program is not None, "EVALSTATS_REQUIRE_R is set, but there is no Rscript"

    def run(what: object) -> str:
        (tmp_path / "check.R").write_text(what if isinstance(what, str) else report.r_script(what), encoding="ascii")
        done = subprocess.run(
            [program, "--vanilla", "check.R"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def edited_in_r(in_r: Callable[[object], str]) -> Callable[[object], list[str]]:
    """Run a script whose numbers of evalstats are larger by 1%, and return the lines that do not tell."""
    of_zero = re.compile(r" evalstats (-?0|-?Inf|NaN) ")

    def run(what: object) -> list[str]:
        script = report.r_script(what)
        edit, place = "  evalstats <- 1.01 * evalstats\n", "  same <- abs(evalstats - r)"
        assert script.count(place) == 1
        lines = in_r(script.replace(place, edit + place)).splitlines()
        assert any(line.startswith("DIFFERS ") for line in lines)
        return [line for line in lines if line.startswith("agrees ") and not of_zero.search(line)]

    return run
