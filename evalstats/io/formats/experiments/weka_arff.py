"""What did WEKA's Experimenter write as ARFF?"""

from __future__ import annotations

__all__ = ["FORMAT"]

from evalstats.io.formats.format import Format, Found
from evalstats.io.formats.weka_experiment import experiment_found
from evalstats.io.options import Asked
from evalstats.io.sources.arff import arff_of
from evalstats.io.sources.source import Seen

EXAMPLE = """
@relation InstanceResultListener
@attribute Key_Dataset {'toy one'}
@attribute Key_Run {1}
@attribute Key_Fold {1,2}
@attribute Key_Scheme {weka.classifiers.trees.J48,weka.classifiers.functions.SMO}
@attribute Percent_correct numeric
@data
'toy one',1,1,weka.classifiers.trees.J48,75
'toy one',1,1,weka.classifiers.functions.SMO,82.5
""".lstrip()


def _recognises(seen: Seen) -> bool:
    return seen.start.lstrip()[:1] in ("@", "%") and "@attribute key_scheme" in seen.start.casefold()


def _read(seen: Seen, asked: Asked) -> Found:
    arff = arff_of(seen.name, seen.lines())
    return experiment_found(seen, asked, dict(zip(arff.names, arff.columns, strict=True)), arff.numbers)


FORMAT = Format(
    name="weka-arff",
    title="WEKA Experimenter, ARFF",
    description="As weka-csv, in the file that the Experimenter writes for its Analyse panel.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
