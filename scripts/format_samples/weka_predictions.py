"""What WEKA's Explorer and its command line write as predictions: python weka_predictions.py WEKA_JAR DIRECTORY.

The samples were made by WEKA 3.9, whose weka.jar is in the package python-weka-wrapper3 0.3.3.
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

JAR, DIRECTORY = Path(sys.argv[1]), Path(sys.argv[2])
CLASSIFIERS = {"J48": "weka.classifiers.trees.J48", "SMO": "weka.classifiers.functions.SMO"}
OUTPUT = "weka.classifiers.evaluation.output.prediction.CSV -file {}"
OPENED = ("--add-opens", "java.base/java.lang=ALL-UNNAMED")


def data() -> str:
    """Return 40 cases of two classes, one of which has a blank in its name: WEKA quotes it where it is true, and not where it is predicted."""
    rng = random.Random(1)
    lines = [
        "@relation toy",
        "@attribute x numeric",
        "@attribute z numeric",
        "@attribute class {yes,'not yes'}",
        "@data",
    ]
    for i in range(40):
        label = ("yes", "'not yes'")[i % 2]
        lines.append(f"{rng.gauss(i % 2, 0.7):.3f},{rng.gauss(-(i % 2), 0.9):.3f},{label}")
    return "\n".join(lines) + "\n"


def java(*arguments: str) -> str:
    command = ["java", *OPENED, "-cp", str(JAR), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


with tempfile.TemporaryDirectory() as folder:
    table = Path(folder, "toy.arff")
    table.write_text(data())
    for name, scheme in CLASSIFIERS.items():
        options = ("-t", str(table), "-x", "4", "-s", "1")
        java(scheme, *options, "-classifications", OUTPUT.format(DIRECTORY / f"{name}.csv"))
version = java("weka.core.Version").split()[0]
DIRECTORY.joinpath("VERSION").write_text(f"WEKA {version}, scripts/format_samples/weka_predictions.py\n")
