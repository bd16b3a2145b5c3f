package dev.volary.crd;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * Which job this is.
 *
 * @param name lower case letters, digits and dashes, at most 63; also names the output folder of a local run
 * @param namespace {@code default} if not given; local mode has no namespaces
 * @param labels free, for selecting jobs
 * @param annotations free, for other programs
 */
public record Metadata(String name, String namespace, Map<String, String> labels, Map<String, String> annotations) {
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    public Metadata {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
    }

    static Metadata read(Fields in) {
        return new Metadata(
                label(in, "name", in.requiredText("name", "give the job a name, such as heat")),
                label(in, "namespace", in.text("namespace").orElse("default")),
                in.strings("labels"),
                in.strings("annotations"));
    }

    private static String label(Fields in, String field, String value) {
        if (!value.isEmpty() && !LABEL.matcher(value).matches()) {
            in.fault(
                    field,
                    "is \"" + value
                            + "\"; use lower case letters, digits and dashes, at most 63, with a letter or digit"
                            + " at both ends");
        }
        return value;
    }
}
