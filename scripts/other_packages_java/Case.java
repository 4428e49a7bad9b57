// One input of docs/other-packages/cases.toml for a program in Java: scripts/other_packages.py writes a subclass for
// each input, whose method ask() is the code of the input, and reads the answers as JSON.

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

abstract class Case {
    final Map<String, Object> answer = new LinkedHashMap<>();

    abstract void ask() throws Throwable;

    /** Print the answers of all inputs; an exception is the answer of its input. */
    static void printAll(List<Case> cases) {
        List<Object> answers = new ArrayList<>();
        java.io.PrintStream standardOutput = System.out;
        System.setOut(System.err); // what a program prints is no answer
        for (Case one : cases) {
            try {
                one.ask();
            } catch (Throwable error) {
                one.answer.clear();
                one.answer.put("error", error.getClass().getSimpleName() + ": " + error.getMessage());
            }
            answers.add(one.answer);
        }
        standardOutput.println(json(answers));
        System.exit(0);
    }

    private static String json(Object value) {
        List<String> parts = new ArrayList<>();
        if (value instanceof Map) {
            ((Map<?, ?>) value).forEach((key, item) -> parts.add(json(key) + ": " + json(item)));
            return "{" + String.join(", ", parts) + "}";
        }
        if (value instanceof double[]) {
            for (double item : (double[]) value) {
                parts.add(json(item));
            }
            return "[" + String.join(", ", parts) + "]";
        }
        if (value instanceof Iterable) {
            ((Iterable<?>) value).forEach(item -> parts.add(json(item)));
            return "[" + String.join(", ", parts) + "]";
        }
        if (value instanceof Double && !Double.isFinite((Double) value)) {
            return (Double) value > 0 ? "\"inf\"" : (Double) value < 0 ? "\"-inf\"" : "\"nan\"";
        }
        if (value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        return "\"" + String.valueOf(value).replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\s+", " ") + "\"";
    }
}
