"""Map of classifiers: who makes the same errors? The Ideal makes none."""

from evalstats import example_path, plot, prediction_confusions, project_classifiers, read_predictions

found = prediction_confusions(read_predictions(example_path("sklearn-predictions")))
projection = project_classifiers(found.counts, classifiers=found.classifiers, domains=found.datasets)
ax = plot.classifier_projection(projection)
ax.figure.savefig("map-of-classifiers.svg")
