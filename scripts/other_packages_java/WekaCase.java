// An input for WEKA: predictions for its class Evaluation, and results of an experiment for its Experimenter.

import java.util.ArrayList;
import java.util.List;
import weka.classifiers.evaluation.Evaluation;
import weka.core.Attribute;
import weka.core.DenseInstance;
import weka.core.Instances;

abstract class WekaCase extends Case {
    /** Return the evaluation of the probabilities of all classes, one row for each instance; the classes are 0, 1, ... */
    static Evaluation evaluation(int[] truth, double[][] probabilities) throws Exception {
        List<String> classes = new ArrayList<>();
        for (int j = 0; j < probabilities[0].length; j++) {
            classes.add(String.valueOf(j));
        }
        ArrayList<Attribute> attributes = new ArrayList<>(List.of(new Attribute("class", classes)));
        Instances instances = new Instances("input", attributes, truth.length);
        instances.setClassIndex(0);
        for (int label : truth) {
            instances.add(new DenseInstance(1, new double[] {label}));
        }
        Evaluation evaluation = new Evaluation(instances);
        for (int i = 0; i < truth.length; i++) {
            evaluation.evaluateModelOnceAndRecordPrediction(probabilities[i], instances.instance(i));
        }
        return evaluation;
    }

    /** Return the evaluation of labels of k classes: the predicted class has probability 1. */
    static Evaluation evaluation(int[] truth, int[] predicted, int k) throws Exception {
        double[][] probabilities = new double[truth.length][k];
        for (int i = 0; i < truth.length; i++) {
            probabilities[i][predicted[i]] = 1;
        }
        return evaluation(truth, probabilities);
    }

    /** Return the evaluation of the probability of class 1 of two classes. */
    static Evaluation evaluation(int[] truth, double[] probability) throws Exception {
        double[][] probabilities = new double[truth.length][];
        for (int i = 0; i < truth.length; i++) {
            probabilities[i] = new double[] {1 - probability[i], probability[i]};
        }
        return evaluation(truth, probabilities);
    }

    /** Return the results of an experiment with the schemes x and y, one run with a fold for each score. */
    static Instances experiment(double[] x, double[] y, double training, double test) {
        List<String> schemes = List.of("x", "y");
        ArrayList<Attribute> attributes = new ArrayList<>(List.of(
                new Attribute("Key_Dataset", List.of("data")), new Attribute("Key_Scheme", schemes),
                new Attribute("Key_Run"), new Attribute("Key_Fold"),
                new Attribute("Number_of_training_instances"), new Attribute("Number_of_testing_instances"),
                new Attribute("Percent_correct")));
        Instances results = new Instances("results", attributes, 2 * x.length);
        for (int scheme = 0; scheme < 2; scheme++) {
            for (int i = 0; i < x.length; i++) {
                double score = scheme == 0 ? x[i] : y[i]; // NaN is a missing value of WEKA
                results.add(new DenseInstance(1, new double[] {0, scheme, 1, i + 1, training, test, score}));
            }
        }
        return results;
    }
}
