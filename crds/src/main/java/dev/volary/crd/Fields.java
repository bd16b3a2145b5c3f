package dev.volary.crd;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The fields of one mapping while a record reads itself from it. A field of the wrong type or range is reported to
 * {@link Faults} and read as its default, so that one pass finds every fault; a field that nobody asked for is unknown.
 */
final class Fields {
    private final String path;
    private final Yaml.Mapping mapping;
    private final Faults faults;
    private final Set<String> known = new LinkedHashSet<>();

    Fields(String path, Yaml.Mapping mapping, Faults faults) {
        this.path = path;
        this.mapping = mapping;
        this.faults = faults;
    }

    /** The full path of a field of this mapping. */
    String path(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Where a field's value stands, or else where this mapping starts. */
    Position at(String name) {
        Yaml.Entry entry = mapping.entries().get(name);
        return entry == null ? mapping.at() : entry.value().at();
    }

    /** Reports a fault of a field. */
    void fault(String name, String message) {
        faults.add(at(name), path(name) + " " + message);
    }

    /** Reports a fault of a field inside a field of this mapping. */
    void fault(String outer, String inner, String message) {
        Yaml.Entry entry = mapping.entries().get(outer);
        Position at = entry != null && entry.value() instanceof Yaml.Mapping found
                ? new Fields(path(outer), found, faults).at(inner)
                : at(outer);
        faults.add(at, path(outer) + "." + inner + " " + message);
    }

    /** A string that must be there. */
    String requiredText(String name, String remedy) {
        return text(name).orElseGet(() -> missing(name, remedy));
    }

    /** A string, if it is there. */
    Optional<String> text(String name) {
        Optional<Yaml> node = find(name);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        if (node.get() instanceof Yaml.Scalar scalar) {
            if (scalar.value() instanceof String text) {
                return Optional.of(text);
            }
            fault(
                    name,
                    "is " + scalar.quoted() + ", " + scalar.kind() + ", must be a string; write \"" + scalar.text()
                            + "\" in quotes");
            return Optional.of(scalar.text());
        }
        wrongType(name, node.get(), "a string");
        return Optional.of("");
    }

    /** A whole number within a range, if it is there. */
    Optional<Integer> integer(String name, int min, int max) {
        Optional<Yaml> node = find(name);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        String domain = "a whole number from " + min + " to " + max;
        if (node.get() instanceof Yaml.Scalar scalar && scalar.value() instanceof Number number) {
            if (number instanceof Integer i && i >= min && i <= max) {
                return Optional.of(i);
            }
            boolean whole = !(number instanceof Double);
            fault(
                    name,
                    "is " + scalar.quoted() + ", must be " + domain + "; "
                            + (!whole ? "round it" : isBelow(number, min) ? "raise it" : "lower it"));
        } else {
            wrongType(name, node.get(), domain);
        }
        return Optional.empty();
    }

    /** True or false, if it is there. */
    boolean flag(String name, boolean defaultValue) {
        Optional<Yaml> node = find(name);
        if (node.isPresent()) {
            if (node.get() instanceof Yaml.Scalar scalar && scalar.value() instanceof Boolean flag) {
                return flag;
            }
            wrongType(name, node.get(), "true or false");
        }
        return defaultValue;
    }

    /** One constant of an enum, matched exactly. */
    <E extends Enum<E>> E choice(String name, E defaultValue) {
        Optional<String> given = text(name);
        if (given.isEmpty()) {
            return defaultValue;
        }
        List<E> constants = Arrays.asList(defaultValue.getDeclaringClass().getEnumConstants());
        Optional<E> match =
                constants.stream().filter(c -> c.name().equals(given.get())).findFirst();
        if (match.isEmpty()) {
            fault(
                    name,
                    "is \"" + given.get() + "\"; "
                            + oneOf(
                                    given.get(),
                                    constants.stream().map(Enum::name).toList()));
        }
        return match.orElse(defaultValue);
    }

    /** A duration as Kubernetes writes it, with one unit: 500ms, 2s, 5m, 1h. */
    Optional<Duration> duration(String name) {
        Optional<String> given = text(name);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        Optional<Duration> read = SpecTime.read(given.get());
        if (read.isEmpty()) {
            fault(name, "is \"" + given.get() + "\", must be a duration; write it as 500ms, 2s, 5m or 1h");
        }
        return read;
    }

    /** A mapping of any content; empty if it is left out. */
    Map<String, Object> free(String name) {
        return mapping(name).map(Yaml.Mapping::plain).orElse(Map.of());
    }

    /** A list of mappings of any content; empty if it is left out. */
    List<Map<String, Object>> freeList(String name) {
        return list(name, item -> {
            item.known.addAll(item.mapping.entries().keySet());
            return item.mapping.plain();
        });
    }

    /** A mapping from names to strings; empty if it is left out. */
    Map<String, String> strings(String name) {
        Map<String, String> strings = new LinkedHashMap<>();
        mapping(name).ifPresent(m -> {
            Fields inner = new Fields(path(name), m, faults);
            m.entries().keySet().forEach(key -> inner.text(key).ifPresent(text -> strings.put(key, text)));
        });
        return strings;
    }

    /** A record that reads itself; one whose fields all have defaults may be left out. */
    <T> T object(String name, Function<Fields, T> reader) {
        Yaml.Mapping empty = new Yaml.Mapping(at(name), Map.of());
        boolean given = mapping.entries().containsKey(name);
        Optional<Yaml.Mapping> found = mapping(name);
        // a value of the wrong type has been reported: what is missing inside it is not news
        Faults sink = given && found.isEmpty() ? new Faults(faults.file()) : faults;
        return read(path(name), found.orElse(empty), sink, reader);
    }

    /** A record that reads itself, if it is there. */
    <T> Optional<T> optional(String name, Function<Fields, T> reader) {
        return mapping(name).map(m -> read(path(name), m, faults, reader));
    }

    /** A list of records that read themselves; empty if it is left out. */
    <T> List<T> list(String name, Function<Fields, T> reader) {
        List<T> items = new ArrayList<>();
        Optional<Yaml> node = find(name);
        if (node.isPresent() && node.get() instanceof Yaml.Sequence sequence) {
            for (int i = 0; i < sequence.items().size(); i++) {
                String itemPath = path(name) + "[" + i + "]";
                if (sequence.items().get(i) instanceof Yaml.Mapping item) {
                    items.add(read(itemPath, item, faults, reader));
                } else {
                    Yaml item = sequence.items().get(i);
                    faults.add(item.at(), itemPath + " is " + item.quoted() + ", must be a mapping; indent its fields");
                }
            }
        } else {
            node.ifPresent(found -> wrongType(name, found, "a list"));
        }
        return items;
    }

    static <T> T read(String path, Yaml.Mapping mapping, Faults faults, Function<Fields, T> reader) {
        Fields fields = new Fields(path, mapping, faults);
        T read = reader.apply(fields);
        fields.refuseUnknown();
        return read;
    }

    /** The advice for a name that is none of the allowed ones. */
    static String oneOf(String given, List<String> allowed) {
        return Spelling.nearest(given, allowed)
                        .map(near -> "did you mean " + near + "? ")
                        .orElse("")
                + "use one of "
                + String.join(", ", allowed);
    }

    private void refuseUnknown() {
        mapping.entries().forEach((name, entry) -> {
            if (!known.contains(name)) {
                String advice = Spelling.nearest(name, known)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("remove it; known here: "
                                + known.stream().sorted().collect(Collectors.joining(", ")));
                faults.add(entry.at(), path(name) + " is an unknown field; " + advice);
            }
        });
    }

    private Optional<Yaml> find(String name) {
        known.add(name);
        Yaml.Entry entry = mapping.entries().get(name);
        if (entry == null) {
            return Optional.empty();
        }
        if (entry.value() instanceof Yaml.Empty) {
            fault(name, "is empty; give it a value or remove the line");
            return Optional.empty();
        }
        return Optional.of(entry.value());
    }

    private Optional<Yaml.Mapping> mapping(String name) {
        Optional<Yaml> node = find(name);
        if (node.isPresent() && node.get() instanceof Yaml.Mapping found) {
            return Optional.of(found);
        }
        node.ifPresent(found -> wrongType(name, found, "a mapping"));
        return Optional.empty();
    }

    private String missing(String name, String remedy) {
        if (!mapping.entries().containsKey(name)) {
            fault(name, "is missing; " + remedy);
        }
        return "";
    }

    private void wrongType(String name, Yaml node, String expected) {
        fault(name, "is " + node.quoted() + ", must be " + expected + "; correct it");
    }

    private static boolean isBelow(Number number, int min) {
        return new BigDecimal(number.toString()).compareTo(BigDecimal.valueOf(min)) < 0;
    }
}
