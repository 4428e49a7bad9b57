"""Map of classifiers: who makes the same errors? The Ideal makes none."""

from evalstats import confusion_matrices, example_path, plot, project_classifiers, read_predictions

found = confusion_matrices(read_predictions(example_path("sklearn-predictions")))
projection = project_classifiers(found.counts, classifiers=found.classifiers, domains=found.datasets)
ax = plot.classifier_projection(projection)
ax.figure.savefig("map-of-classifiers.svg")
