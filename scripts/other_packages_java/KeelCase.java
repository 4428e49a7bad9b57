// An input for the module of statistical tests of KEEL, which writes its results into a LaTeX file.

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Vector;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import keel.Algorithms.Statistical_Tests.Shared.StatTest;
import keel.GraphInterKeel.statistical.Configuration;

abstract class KeelCase extends Case {
    interface Test {
        void run(double[][] data, String[] names);
    }

    /** Run a test with every post-hoc method, greater scores are better, and return the LaTeX file. */
    static String latex(Test test, double[][] scores) throws Exception {
        int k = scores[0].length;
        double[][] data = new double[k][scores.length]; // KEEL has a row for each algorithm
        String[] names = new String[k];
        for (int j = 0; j < k; j++) {
            names[j] = String.valueOf((char) ('A' + j));
            for (int i = 0; i < scores.length; i++) {
                data[j][i] = scores[i][j];
            }
        }
        Path file = Files.createTempDirectory("keel").resolve("result.tex");
        Configuration.setPath(file.toString());
        Configuration.setNAlgorithms(k);
        Configuration.setNDatasets(scores.length);
        Configuration.setObjective(1); // maximize
        Configuration.setIman(true);
        Configuration.setBonferroni(true);
        Configuration.setHolm(true);
        Configuration.setHochberg(true);
        Configuration.setHommel(true);
        Configuration.setHolland(true);
        Configuration.setRom(true);
        Configuration.setFinner(true);
        Configuration.setLi(true);
        Configuration.setNemenyi(true);
        Configuration.setShaffer(true);
        Configuration.setBergman(true);
        test.run(data, names);
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }

    /** Return the table of datasets and two classifiers. */
    static double[][] pairs(double[] x, double[] y) {
        double[][] scores = new double[x.length][];
        for (int i = 0; i < x.length; i++) {
            scores[i] = new double[] {x[i], y[i]};
        }
        return scores;
    }

    /** Run a test of KEEL's experiments with the accuracies of two classifiers in percent, and return its file. */
    static String folds(int test, double[] x, double[] y) throws Exception {
        double[][][] labels = new double[2 * x.length][100][]; // the true and the predicted label of 100 instances
        for (int fold = 0; fold < labels.length; fold++) {
            double accuracy = fold < x.length ? x[fold] : y[fold - x.length];
            for (int i = 0; i < 100; i++) {
                labels[fold][i] = new double[] {0, i < Math.round(accuracy) ? 0 : 1};
            }
        }
        Path file = Files.createTempDirectory("keel").resolve("result.txt");
        new StatTest(test, new double[][][][] {labels}, null, 0.95, file.toString(), "", new Vector<>(), null);
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }

    /** Return the number after the first occurrence of a phrase. */
    static Object after(String text, String phrase) {
        String rest = text.substring(text.indexOf(phrase) + phrase.length());
        return cell(rest.split("[.,]?(\\s|\\\\newline|\\$)", 2)[0]);
    }

    /** Return a column of the first table that has it, from top to bottom. */
    static List<Object> column(String text, String name) {
        return column(text, name, 0);
    }

    /** Return a column of a table, after `skipped` tables that have it. */
    static List<Object> column(String text, String name, int skipped) {
        for (String table : text.split("\\\\begin\\{tabular\\}")) {
            List<List<String>> rows = new ArrayList<>();
            for (String line : table.split("\\\\end\\{tabular\\}")[0].split("\\\\\\\\")) {
                List<String> cells = new ArrayList<>();
                for (String one : line.replace("\\hline", "").split("&")) {
                    cells.add(one.trim());
                }
                rows.add(cells);
            }
            int place = rows.get(0).indexOf(name);
            if (place >= 0 && skipped-- == 0) {
                return rows.stream().skip(1).filter(row -> row.size() > place).map(row -> cell(row.get(place)))
                        .collect(Collectors.toList());
            }
        }
        throw new IllegalArgumentException("no table has the column " + name);
    }

    private static Object cell(String text) {
        Matcher interval = Pattern.compile("\\[(.*) , (.*)\\]").matcher(text);
        if (interval.matches()) {
            return List.of(cell(interval.group(1)), cell(interval.group(2)));
        }
        try {
            // KEEL writes the last byte of each character: 1E of the infinity sign 221E
            return Double.valueOf(text.replace(",", "").replace("\u001e", "Infinity"));
        } catch (NumberFormatException notANumber) {
            return text.replace("$\\geq$", ">=");
        }
    }
}
