"""Plot a map of classifiers by their confusion matrices."""

from evalstats import example_path, plot, read_predictions
from evalstats.multiple import project_classifiers
from evalstats.tables import confusion_matrices

found = confusion_matrices(read_predictions(example_path("sklearn-predictions")))
projection = project_classifiers(found.counts, classifiers=found.classifiers, datasets=found.datasets)
ax = plot.classifier_projection(projection)
ax.figure.savefig("map-of-classifiers.svg")
