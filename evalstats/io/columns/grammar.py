"""Is this what a classifier is called, or a dataset, or a run?

Names that papers and programs use again and again. They are evidence for what the rows and the columns of a table are,
never the only reason to change it.
"""

from __future__ import annotations

__all__ = [
    "VERSUS",
    "count_on",
    "counted",
    "is_classifier_name",
    "is_dataset_name",
    "is_fold",
    "is_run",
    "is_setting",
    "number_of_run",
    "run_and_metric",
]

import re
from collections.abc import Sequence
from functools import lru_cache

from evalstats._lexicon import plain_name
from evalstats.metrics.directions import direction_of

FEWEST_COUNTED = 3


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# a name that has one of these words is that of a classifier
_CLASSIFIERS = _set(
    """
    adaboost ann arima autogluon automl autosklearn bagging bart bayes bayesian bayesnet bert bigru bilstm boost
    boosted boosting c45 c48 c50 c5 cart catboost cnn deberta deepseek dnn dt dummy elasticnet electra elm ensemble
    ert extratrees falcon fcn flaml forest ftt fttransformer gat gbc gbdt gbm gbrt gcn gemini gemma gin glm glmnet
    gnb gp gpr gpt gru hivecote ib1 ibk inceptiontime j48 jrip ker kernel knn knn1 knn3 knn5 lasso lda libsvm lgb
    lgbm lightgbm linearsvc linearsvm llama lm logistic logit logreg logisticregression lr lstm minirocket mistral
    mixtral mlp mlr mnb multirocket naivebayes nb nbayes nbtree oner perceptron qda quant qwen randomforest ranger
    rbfn ridge rf ripper rnn roberta rocket rotf rotationforest rpart sgd smo stacking stump svc svm svmlinear
    svmradial svr tabnet tabpfn tpot transformer tree trees vgg vit voting xgb xgboost zeror resnet resnet18
    resnet34 resnet50 resnet101 resnet152 densenet efficientnet mobilenet alexnet lenet inception convnext vgg16
    vgg19 gpt2 gpt3 gpt4 claude phi phi2 phi3 sota baseline ours proposed 1nn 3nn 5nn knearest kneighbors neighbors
    neighbours regression regressor classifier
    """
)
_DATASETS = _set(
    """
    abalone adult agnews airlines albert anneal annealing appendicitis arcchallenge arcc arce arceasy arc arrhythmia
    audiology australian autos autouniv balance balancescale balloons bands bank bankmarketing banknote bbh biodeg
    bloodtransfusion boolq boston breast breastcancer breastw bupa california caltech101 car celeba census cifar
    cifar10 cifar100 citeseer cleveland cmc cnnmail cola colic coil2000 contraceptive cora connect4 covertype
    covtype creditapproval credita credit creditg crx cylinderbands dbpedia dermatology diabetes digits dna ecoli
    eeg electricity emnist enzymes etth1 etth2 ettm1 ettm2 fashionmnist fertility flags flare flowers102 food101
    gaussian german germancredit gisette glass gpqa gsm8k haberman hayes hayesroth heart heartc heartdisease
    heartstatlog hearth hellaswag hepatitis higgs horsecolic hotpotqa housing humaneval hypothyroid ifeval ijcnn1
    imagenet imdb ionosphere iris isolet jm1 jungle kc1 kc2 kc3 kddcup krkopt krvskp krvskp kropt labor led7 lenses
    letter letters liver liverdisorders lungcancer lymph lymphography madelon magic magic04 mammographic math mbpp
    mfeat miniboone mmlu mmlupro mnist mnli monk1 monk2 monk3 monks mrpc mushroom musk mutag mutagenesis nci1
    newthyroid nomao nursery ogbnarxiv oilspill optdigits ozone pageblocks parkinsons pc1 pc2 pc3 pc4 pendigits
    penbased phishing phoneme pima pimaindians piqa poker popularkids postoperative primarytumor promoters proteins
    pubmed qnli qqp qsar qsarbiodeg reddit ring ringnorm rte saheart satellite satimage seeds segment segmentation
    seismic semeion shuttle sick skin sonar soybean spam spambase spect spectf spectheart splice squad sst sst2 sst5
    statlog steel stl10 stsb svhn tae texture thoracic thyroid tictactoe titanic tokyo1 trec triviaqa truthfulqa
    twonorm usps vehicle vertebral vote votes voting vowel waveform waveform5000 wdbc weather wilt wine winequality
    winequalityred winequalitywhite winogrande wisconsin wnli wpbc yeast yelp zoo adiac arrowhead beef beetlefly
    birdchicken coffee ecg200 ecg5000 ecgfivedays fish forda fordb gunpoint ham italypowerdemand lightning2
    lightning7 mallat meat olivoil oliveoil plane starlightcurves swedishleaf syntheticcontrol trace twoleadecg
    wafer worms yoga auslan japanesevowels characttrajectories charactertrajectories arabicdigits kickvspunch
    netflow uwave walkvsrun cmusubject16 libras
    """
)
VERSUS = re.compile(r".+\S\s+(?:vs?\.?|versus)\s+\S.+", re.IGNORECASE)
# names that count folds or runs, with a number behind them
_RUN = re.compile(
    r"(?:cv|k?fold|split|partition|resample|repeat|rep|replicate|replication|run|round|seed|trial|iteration|iter|epoch"
    r"|step|bootstrap)[\W_]*\d+",
    re.IGNORECASE,
)
_PART = re.compile(r"[^\W_]+")
_COUNTED = re.compile(r"(.{0,30}?)[\W_]*(\d{1,4})", re.ASCII)
# names that only count: of anything, where a program gave them, or of runs
_COUNTERS = _set(
    """
    k f r s i it part res result val value score test exp experiment acc accuracy auc err error
    """
)
_SETTING = re.compile(r"(?:[^\W\d]\w{0,20}\s*=\s*)?[-+]?\d*[.,]?\d+(?:e-?\d+)?\s?%?", re.IGNORECASE)
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")


@lru_cache(maxsize=10_000)
def is_dataset_name(name: str) -> bool:
    """Tell whether many papers have a dataset of this name, however it is written."""
    plain = plain_name(name).removesuffix("dataset").removesuffix("data")
    return plain in _DATASETS


@lru_cache(maxsize=10_000)
def is_classifier_name(name: str) -> bool:
    """Tell whether a name is, or has a word that is, one of classifiers, and is none of a dataset."""
    words = [word.casefold() for word in _HUMPS.split(name)]
    if plain_name(name) not in _CLASSIFIERS and _CLASSIFIERS.isdisjoint(words):
        return False
    return not is_dataset_name(name) and not ("v" in name.casefold() and VERSUS.fullmatch(name))


def is_run(name: str) -> bool:
    """Tell whether a name counts folds, runs, seeds or the like."""
    return _RUN.fullmatch(name) is not None


def run_and_metric(name: str) -> tuple[str, str] | None:
    """Return the run that a name counts, and the metric that stands before or behind it; None if it counts none.

    Examples
    --------
    >>> from evalstats.io.columns.grammar import run_and_metric
    >>> run_and_metric("fold_3"), run_and_metric("fold_3_accuracy"), run_and_metric("test_fold_3")
    (('fold_3', ''), ('fold_3', 'accuracy'), ('fold_3', ''))
    """
    if is_run(name):
        return name, ""
    parts = [(part.start(), part.end()) for part in _PART.finditer(name)]
    for i, (begin, _) in enumerate(parts):
        for _, end in parts[i : i + 2]:
            if is_run(name[begin:end]):
                others = [name[:begin].strip(" _-.:/"), name[end:].strip(" _-.:/()")]
                metric = " ".join(other for other in others if other.casefold() not in ("", "test", "score", "value"))
                return (name[begin:end], metric) if not metric or direction_of(metric) is not None else None
    return None


def number_of_run(name: str) -> str:
    """Return the number of a run."""
    return str(re.findall(r"\d+", name)[-1])


def counted(names: Sequence[str], *, of_columns: bool = False) -> bool:
    """Tell whether names say no more than the numbers of something, from 0 or 1: k1, k2, k3.

    Columns may be numbers alone, or have the names that a program gives to those without one: V1, X1.
    """
    parts = [_COUNTED.fullmatch(name.strip()) for name in names]
    if len(parts) < FEWEST_COUNTED or None in parts:
        return False
    stems = {part[1].casefold() for part in parts if part is not None}
    numbers = [int(part[2]) for part in parts if part is not None]
    stem = stems.pop()
    is_known = stem in _COUNTERS or (of_columns and stem in ("", "v", "x"))
    is_subject = stem == "s" and numbers[0] == 1  # S1, S2 are persons
    return not stems and is_known and not is_subject and count_on(numbers)


def count_on(numbers: Sequence[float | None]) -> bool:
    """Tell whether whole numbers count one by one, from 0 or from 1."""
    return list(numbers) in (list(range(len(numbers))), list(range(1, len(numbers) + 1)))


def is_fold(name: str) -> bool:
    """Tell whether a name that counts runs counts the folds of one."""
    return name.casefold().startswith(("fold", "kfold", "cv", "split", "partition", "resample"))


def is_setting(name: str) -> bool:
    """Tell whether a name says a value of a parameter, as ``k=3`` does, or is a number."""
    return _SETTING.fullmatch(name.strip()) is not None
