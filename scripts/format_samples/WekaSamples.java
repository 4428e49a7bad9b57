// What WEKA's Experimenter writes: java -cp weka.jar scripts/format_samples/WekaSamples.java DIRECTORY
// The samples under tests/data/formats/weka were made by WEKA 3.6.14 of Debian 12 (package weka), on its iris and cpu data.

import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.PrintWriter;
import java.util.Random;

import weka.classifiers.Classifier;
import weka.classifiers.functions.LinearRegression;
import weka.classifiers.functions.SMO;
import weka.classifiers.rules.ZeroR;
import weka.classifiers.trees.J48;
import weka.core.Instances;
import weka.core.Utils;
import weka.core.Version;
import weka.experiment.*;

public class WekaSamples {
    static final String DATA = "/usr/share/doc/weka/examples/";
    static File directory;

    public static void main(String[] args) throws Exception {
        directory = new File(args[0]);
        try (PrintWriter version = new PrintWriter(new File(directory, "VERSION"))) {
            version.println("WEKA " + Version.VERSION + ", scripts/format_samples/WekaSamples.java");
        }
        Classifier[] schemes = {scheme(new J48(), ""), scheme(new J48(), "-C 0.1 -M 5"), scheme(new SMO(), "")};
        Instances[] datasets = {smaller("iris.arff", "toy one", 45), smaller("weather.nominal.arff", "weather", 14)};
        run(schemes, datasets, new CSVResultListener(), "experiment.csv", folds());
        run(schemes, datasets, new InstancesResultListener(), "experiment.arff", folds());
        AveragingResultProducer averages = new AveragingResultProducer();
        averages.setResultProducer(folds());
        averages.setExpectedResultsPerAverage(2);
        averages.setCalculateStdDevs(true);
        run(schemes, datasets, new CSVResultListener(), "averages.csv", averages);
        Classifier[] regressions = {new ZeroR(), new LinearRegression()};
        Instances[] numbers = {smaller("cpu.arff", "cpu", 60)};
        RandomSplitResultProducer splits = new RandomSplitResultProducer();
        splits.setTrainPercent(66);
        splits.setSplitEvaluator(new RegressionSplitEvaluator());
        run(regressions, numbers, new CSVResultListener(), "splits.csv", splits);
    }

    static ResultProducer folds() {
        CrossValidationResultProducer producer = new CrossValidationResultProducer();
        producer.setNumFolds(2);
        producer.setSplitEvaluator(new ClassifierSplitEvaluator());
        return producer;
    }

    static Classifier scheme(Classifier classifier, String options) throws Exception {
        if (!options.isEmpty()) {
            classifier.setOptions(Utils.splitOptions(options));
        }
        return classifier;
    }

    static Instances smaller(String file, String name, int n) throws Exception {
        Instances data = new Instances(new BufferedReader(new FileReader(DATA + file)));
        data.setClassIndex(data.numAttributes() - 1);
        data.randomize(new Random(1));
        Instances kept = new Instances(data, 0, Math.min(n, data.numInstances()));
        kept.setRelationName(name);
        return kept;
    }

    static void run(Classifier[] schemes, Instances[] datasets, CSVResultListener listener, String file, ResultProducer producer)
            throws Exception {
        listener.setOutputFile(new File(directory, file));
        producer.setResultListener(listener);
        listener.preProcess(producer);
        boolean first = true;
        for (Instances data : datasets) {
            for (Classifier scheme : schemes) {
                set(producer, scheme);
                producer.setInstances(data);
                if (first) {
                    producer.preProcess();
                }
                first = false;
                for (int run = 1; run <= 2; run++) {
                    producer.doRun(run);
                }
            }
        }
        listener.postProcess(producer);
    }

    static void set(ResultProducer producer, Classifier scheme) {
        if (producer instanceof AveragingResultProducer) {
            set(((AveragingResultProducer) producer).getResultProducer(), scheme);
        } else if (producer instanceof CrossValidationResultProducer) {
            ((ClassifierSplitEvaluator) ((CrossValidationResultProducer) producer).getSplitEvaluator()).setClassifier(scheme);
        } else {
            ((RegressionSplitEvaluator) ((RandomSplitResultProducer) producer).getSplitEvaluator()).setClassifier(scheme);
        }
    }
}
