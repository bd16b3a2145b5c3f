// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A declared parameter of a problem: typed, documented, validated by the same code in the command line, the operator and
 * the worker.
 *
 * @param <T> type of the value a solver reads
 */
public final class Parameter<T> {

    /** The type of a parameter as a user sees it, and as a JSON schema calls it. */
    public enum Kind {
        INTEGER("integer"),
        REAL("number"),
        FLAG("boolean"),
        CHOICE("string"),
        TEXT("string"),
        FILE("string");

        private final String schemaType;

        Kind(String schemaType) {
            this.schemaType = schemaType;
        }

        /** The type's name in JSON schema. */
        public String schemaType() {
            return schemaType;
        }
    }

    /** What YAML 1.1 takes for true or false, as a key of a map too. */
    private static final Set<String> READ_AS_BOOLEAN = Set.of("y", "n", "yes", "no", "on", "off", "true", "false");

    private final String name;
    private final Kind kind;
    private final String documentation;
    private final String domain;
    private final @Nullable T defaultValue;
    private final boolean required;
    private final Function<Object, Optional<T>> reader;

    private Parameter(
            String name,
            Kind kind,
            String documentation,
            String domain,
            @Nullable T defaultValue,
            boolean required,
            Function<Object, Optional<T>> reader) {
        if (READ_AS_BOOLEAN.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("parameter " + name
                    + ": readers of YAML 1.1, kubectl among them, take this name for true or false; choose another");
        }
        this.name = name;
        this.kind = kind;
        this.documentation = documentation;
        this.domain = domain;
        this.defaultValue = defaultValue;
        this.required = required;
        this.reader = reader;
    }

    /** A whole number from {@code min} to {@code max}. */
    public static Parameter<Integer> integer(String name, String documentation, int defaultValue, int min, int max) {
        return new Parameter<>(
                name,
                Kind.INTEGER,
                documentation,
                "a whole number from " + min + " to " + max,
                defaultValue,
                false,
                raw -> wholeNumber(raw).filter(v -> v >= min && v <= max).map(Long::intValue));
    }

    /** A finite number from {@code min} to {@code max}; a string is accepted too, as manifests write reals as strings. */
    public static Parameter<Double> real(
            String name, String documentation, double defaultValue, double min, double max) {
        return new Parameter<>(
                name,
                Kind.REAL,
                documentation,
                "a number from " + min + " to " + max,
                defaultValue,
                false,
                raw -> number(raw).filter(v -> v >= min && v <= max));
    }

    /** Yes or no. */
    public static Parameter<Boolean> flag(String name, String documentation, boolean defaultValue) {
        return new Parameter<>(
                name,
                Kind.FLAG,
                documentation,
                "true or false",
                defaultValue,
                false,
                raw -> raw instanceof Boolean b ? Optional.of(b) : Optional.empty());
    }

    /** One constant of an enum; matched exactly. */
    public static <E extends Enum<E>> Parameter<E> choice(String name, String documentation, E defaultValue) {
        E[] constants = defaultValue.getDeclaringClass().getEnumConstants();
        String domain = "one of " + Arrays.stream(constants).map(Enum::name).collect(Collectors.joining(", "));
        return new Parameter<>(
                name,
                Kind.CHOICE,
                documentation,
                domain,
                defaultValue,
                false,
                raw -> Arrays.stream(constants)
                        .filter(c -> raw instanceof String text && c.name().equals(text))
                        .findFirst());
    }

    /** Free text that may be left out; see {@link ParameterValues#find}. */
    public static Parameter<String> text(String name, String documentation) {
        return new Parameter<>(name, Kind.TEXT, documentation, "a string", null, false, Parameter::string);
    }

    /** A file from {@code spec.inputs}, written {@code NAME:FILE}, which must be given. */
    public static Parameter<String> file(String name, String documentation) {
        return new Parameter<>(name, Kind.FILE, documentation, "a file, as NAME:FILE", null, true, Parameter::string);
    }

    /** A file from {@code spec.inputs} that may be left out; see {@link ParameterValues#find}. */
    public static Parameter<String> optionalFile(String name, String documentation) {
        return new Parameter<>(name, Kind.FILE, documentation, "a file, as NAME:FILE", null, false, Parameter::string);
    }

    /** The key under {@code spec.problem.parameters}. */
    public String name() {
        return name;
    }

    public Kind kind() {
        return kind;
    }

    /** One sentence for users. */
    public String documentation() {
        return documentation;
    }

    /** The accepted values as text. */
    public String domain() {
        return domain;
    }

    /** The value used when a manifest does not say. */
    public Optional<T> defaultValue() {
        return Optional.ofNullable(defaultValue);
    }

    /** Whether a manifest must give a value. */
    public boolean required() {
        return required;
    }

    /**
     * Reads a value as parsed from YAML or JSON.
     *
     * @throws InvalidProblemException if it has the wrong type or is out of range
     */
    T read(Object raw) throws InvalidProblemException {
        return reader.apply(raw).orElseThrow(() -> new InvalidProblemException(name, "is " + raw, "must be " + domain));
    }

    private static Optional<Long> wholeNumber(Object raw) {
        return switch (raw) {
            case Integer i -> Optional.of(i.longValue());
            case Long l -> Optional.of(l);
            default -> Optional.empty();
        };
    }

    private static Optional<Double> number(Object raw) {
        return switch (raw) {
            case Number n -> Optional.of(n.doubleValue()).filter(Double::isFinite);
            case String s -> parse(s).filter(Double::isFinite);
            default -> Optional.empty();
        };
    }

    private static Optional<Double> parse(String text) {
        try {
            return Optional.of(Double.parseDouble(text.toLowerCase(Locale.ROOT)));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }

    private static Optional<String> string(Object raw) {
        return raw instanceof String s && !s.isBlank() ? Optional.of(s) : Optional.empty();
    }
}
