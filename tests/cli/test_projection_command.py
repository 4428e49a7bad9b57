"""``evalstats projection``."""

from __future__ import annotations

import json

from evalstats import example_path


def test_map_of_a_file_of_predictions(run):
    result = run("projection", str(example_path("sklearn-predictions")))

    assert result.exit_code == 0
    assert result.output.startswith("4 classifiers on 10 datasets, and the Ideal")
    assert "Closest to the Ideal" in result.output


def test_choices_reach_the_projection(run):
    options = ("--distance", "cityblock", "--method", "mds", "--normalize", "all", "--format", "json")
    result = run("projection", str(example_path("sklearn-predictions")), *options)
    found = json.loads(result.output)
    found = found.get("record", found)

    text = json.dumps(found)
    assert '"distance": "cityblock"' in text
    assert '"method": "mds"' in text
    assert '"normalize": "all"' in text


def test_unknown_distance_is_one_line(run):
    result = run("projection", str(example_path("sklearn-predictions")), "--distance", "far")

    assert result.exit_code == 2
    assert "distance must be 'euclidean'" in result.output


def test_scores_are_refused(run, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("dataset,a,b\nd,0.1,0.2\ne,0.3,0.2\n", encoding="utf-8")

    result = run("projection", str(path))

    assert result.exit_code == 2
    assert result.output.count("\n") <= 2


def test_picture_is_drawn_beside_the_report(run, tmp_path):
    path = tmp_path / "map.svg"

    result = run("projection", str(example_path("sklearn-predictions")), "--show-folds", "--plot", str(path))

    assert result.exit_code == 0
    assert "Closest to the Ideal" in result.output
    drawn = path.read_text(encoding="utf-8")
    assert drawn.count("Ideal") >= 1


def test_picture_that_cannot_be_written_is_one_line(run, tmp_path):
    path = str(example_path("sklearn-predictions"))

    assert "--plot must end in .png or .svg or .pdf" in run("projection", path, "--plot", "map.gif").output
    assert "is the input file" in run("projection", path, "--plot", path).output
