"""`gate(subgroup=)`: the gate also fails if the candidate is shown to be worse in a subgroup of the questions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, norm

import evalstats
from evalstats import report
from evalstats._errors import InvalidValueError
from evalstats.io import read_table
from evalstats.tables.errors import TableError

# of each language: questions that only the baseline, only the candidate, both, and neither answer correctly
COUNTS = {"de": (4, 30, 200, 20), "fr": (14, 2, 80, 10)}


def sides(counts=COUNTS, **further):
    """Return the answers of baseline and candidate."""
    language = [name for name, own in counts.items() for _ in range(sum(own))]
    old = [one for a, b, c, d in counts.values() for one in [1] * a + [0] * b + [1] * c + [0] * d]
    new = [one for a, b, c, d in counts.values() for one in [0] * a + [1] * b + [1] * c + [0] * d]
    items = list(range(len(old)))
    baseline = {"item_id": items, "language": language, "correct": old, **further}
    return baseline, {"item_id": items, "correct": new, **further}


def gated(baseline, candidate, **options):
    return evalstats.gate(baseline, candidate, **{"margin": 0.05, "subgroup": "language", **options})


def test_gate_fails_for_one_worse_subgroup_although_the_whole_passes() -> None:
    """The p-value is the binomial one of 2 in 16 discordant questions, times two subgroups."""
    baseline, candidate = sides()
    result = gated(baseline, candidate)
    worse = {one.subgroup: one for one in result.subgroups if one.is_worse}

    assert evalstats.gate(baseline, candidate, margin=0.05).status == "pass"
    assert (result.status, result.tasks[0].status) == ("fail", "pass")
    assert list(worse) == ["fr"]
    assert worse["fr"].pvalue == pytest.approx(2 * binom.cdf(2, 16, 0.5))
    assert worse["fr"].difference == pytest.approx(-12 / 106)


def test_gate_passes_if_no_subgroup_is_worse() -> None:
    """A loss that is not shown does not fail the gate, and the sentence says so."""
    result = gated(*sides({"de": (4, 30, 200, 20), "fr": (5, 2, 90, 9)}))

    assert result.status == "pass"
    assert "In no subgroup of language is the candidate shown to be worse." in report.sentence(result)


def test_sentence_names_the_subgroup() -> None:
    """It is the first sentence if nothing else fails, and it follows the tasks otherwise."""
    alone = report.sentence(gated(*sides()))
    both = report.sentence(gated(*sides({"de": (60, 1, 100, 9), "fr": (3, 3, 90, 9)})))

    assert alone.startswith("Fail. The candidate is shown to be worse in fr (difference −0.113, one-sided p = 0.00418")
    assert both.startswith("Fail: in all questions the candidate is worse by more than the margin.")
    assert "The candidate is shown to be worse in de" in both


@pytest.mark.parametrize("render", [report.text, report.markdown, report.latex, report.html, report.json])
def test_each_format_contains_the_subgroups(render) -> None:
    """The table and the reason of a subgroup that is not tested."""
    written = render(gated(*sides({**COUNTS, "solo": (1, 0, 0, 0)})))

    assert "solo" in written
    assert "1 question cannot show at" in written


def test_subgroup_that_cannot_be_worse_is_not_counted() -> None:
    """Four questions cannot reach the level, so the others are adjusted for two subgroups."""
    result = gated(*sides({**COUNTS, "few": (4, 0, 0, 0)}))
    few = next(one for one in result.subgroups if one.subgroup == "few")
    fr = next(one for one in result.subgroups if one.subgroup == "fr")

    assert np.isnan(few.pvalue)
    assert not few.is_worse
    assert fr.pvalue == pytest.approx(2 * binom.cdf(2, 16, 0.5))


def test_empty_names_are_a_subgroup() -> None:
    """An question without a language is in the subgroup 'not given'."""
    baseline, candidate = sides()
    baseline["language"] = [name if name == "de" else None for name in baseline["language"]]
    result = gated(baseline, candidate)

    assert [one.subgroup for one in result.subgroups if one.is_worse] == ["not given"]


def test_clusters_and_samples_are_compared_by_their_standard_errors() -> None:
    """Every question twice in a cluster, or with two equal answers, is no more evidence than once."""
    baseline, candidate = sides()
    once = gated(baseline, candidate)
    twice = [{name: [cell for cell in column for _ in (1, 2)] for name, column in s.items()} for s in sides()]
    doc = twice[0]["item_id"]
    for side in twice:
        side["item_id"] = list(range(len(doc)))
    clustered = gated({**twice[0], "doc": doc}, twice[1], cluster="doc")
    sampled = [{name: [cell for cell in column for _ in (1, 2)] for name, column in s.items()} for s in sides()]
    for side in sampled:
        side["sample"] = [1, 2] * (len(doc) // 2)
    of_samples = gated(*sampled)

    for result in (clustered, of_samples):
        assert [one.subgroup for one in result.subgroups if one.is_worse] == ["fr"]
        for one, other in zip(result.subgroups, once.subgroups, strict=True):
            assert one.difference == pytest.approx(other.difference)
    # the one-sided values before the adjustment for two subgroups; variances of c clusters have the factor c / (c - 1)
    z = [norm.isf(result.subgroups[1].pvalue / 2) for result in (clustered, of_samples)]
    assert (z[0] / z[1]) ** 2 == pytest.approx(105 / 106)


def test_watched_tasks_do_not_count() -> None:
    """A loss in a watched task does not fail the gate."""
    counts = {"de": (0, 30, 100, 9), "fr": (14, 2, 80, 10)}
    baseline, candidate = sides(counts)
    task = [{"de": "a", "fr": "b"}[name] for name in baseline["language"]]
    halves = ["x", "y"] * (len(task) // 2) + ["x"] * (len(task) % 2)
    for side in (baseline, candidate):
        side["task"] = task
    baseline["language"] = halves
    policy = {"gate": {"margin": 0.05, "subgroup": "language"}, "task": {"b": {"tier": "watched"}}}
    result = evalstats.gate(baseline, candidate, policy=policy)

    assert {one.n for one in result.subgroups} == {69, 70}
    assert not any(one.is_worse for one in result.subgroups)


def test_table_that_is_read_has_its_subgroups() -> None:
    """A ScoreTable that was read with the column can be the baseline."""
    baseline, candidate = sides()
    read = read_table({**baseline, "model": ["old"] * len(baseline["item_id"])}, columns={"subgroup": "language"})

    assert gated(read, candidate).status == "fail"
    with pytest.raises(InvalidValueError, match="which holds the subgroups of 'language', not 'lang'"):
        gated(read, candidate, subgroup="lang")


@pytest.mark.long
def test_no_difference_never_fails_in_more_than_the_level() -> None:
    """Of 400 gates of equal sides with four subgroups, at most the binomial limit of 5 % fail by a subgroup."""
    rng, failed = np.random.default_rng(5), 0
    names = np.repeat(["a", "b", "c", "d"], [15, 40, 60, 85])
    for _ in range(400):
        answers = rng.random((2, 200)) < 0.7
        base = {"item_id": np.arange(200), "language": names, "correct": answers[0]}
        found = gated(base, {"item_id": np.arange(200), "correct": answers[1]}).subgroups
        failed += any(one.is_worse for one in found)

    assert failed <= binom.ppf(0.999, 400, 0.05)


@pytest.mark.parametrize(
    ("change", "options", "words"),
    [
        ({}, {"subgroup": "lang"}, "subgroup must name a column of"),
        ({"language": ["de"] * 360}, {}, "subgroup must hold two subgroups or more, but it holds 'de' only"),
        ({}, {"anytime": True}, "subgroup is for a gate that is used once, and cannot be combined with anytime"),
        ({}, {"metric": "f1"}, "'all questions' has a different metric"),
    ],
)
def test_messages_name_the_column_and_the_fix(change, options, words) -> None:
    """One sentence for each column that holds no subgroups, and each gate that has none."""
    baseline, candidate = sides()

    with pytest.raises((InvalidValueError, TableError), match=words):
        gated({**baseline, **change}, candidate, **options)


def test_scores_of_datasets_have_no_subgroups() -> None:
    """The sentence says what subgroups are of."""
    scores = {"dataset": ["a", "b", "c"], "accuracy": [0.1, 0.2, 0.3]}

    with pytest.raises(TableError, match="subgroup must name a column of"):
        gated(scores, scores)
    with pytest.raises(InvalidValueError, match="subgroup must name a column of individual answers of the baseline"):
        gated(*[read_table({"dataset": ["a", "b", "c"], name: [0.1, 0.2, 0.3]}) for name in ("x", "y")], metric="auc")
