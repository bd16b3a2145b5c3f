// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.manifest;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of the mappings of a file. Types and annotations of a record's components say what a field may be, as they say it to
 * the API server; a record fills in its defaults itself. A field that cannot be read is reported and counts as left out, so that one
 * pass finds every error.
 */
final class ManifestBinder {
    private final ManifestErrors errors;

    ManifestBinder(ManifestErrors errors) {
        this.errors = errors;
    }

    /**
     * A record of a mapping.
     *
     * @param path of the mapping; empty for the whole file
     */
    <R extends Record> R bind(String path, Yaml.Mapping mapping, Class<R> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        @Nullable Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = value(path, mapping, components[i]);
        }
        refuseUnknown(path, mapping, components);
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException
                | NoSuchMethodException
                | InstantiationException
                | IllegalAccessException e) {
            throw new IllegalStateException(type + " cannot be made", e);
        }
    }

    private @Nullable Object value(String path, Yaml.Mapping mapping, RecordComponent component) {
        String field = join(path, component.getName());
        Yaml.Entry entry = mapping.entries().get(component.getName());
        if (entry == null) {
            return absent(field, mapping, component);
        }
        return switch (entry.value()) {
            case Yaml.Empty empty -> {
                errors.add(empty.at(), field + " is empty; give it a value or remove the line");
                yield unread(field, component.getType());
            }
            case Yaml given -> {
                Object read = value(field, given, component.getGenericType(), component);
                yield read == null ? unread(field, component.getType()) : read;
            }
        };
    }

    private @Nullable Object absent(String field, Yaml.Mapping mapping, RecordComponent component) {
        Class<?> type = component.getType();
        boolean isRequired = has(component, Required.class);
        if (type.isRecord() && (isRequired || has(component, Default.class))) {
            return bind(field, new Yaml.Mapping(mapping.at(), Map.of()), type.asSubclass(Record.class));
        }
        if (isRequired) {
            String description = Objects.requireNonNull(annotation(component, JsonPropertyDescription.class), field)
                    .value();
            errors.add(mapping.at(), field + " is missing; add it: " + description);
            return unread(field, type);
        }
        return null;
    }

    /** Stands for a value that was reported: what is missing inside it is not news. */
    private static @Nullable Object unread(String field, Class<?> type) {
        if (type.isRecord()) {
            return new ManifestBinder(new ManifestErrors())
                    .bind(field, new Yaml.Mapping(new Position(1, 1), Map.of()), type.asSubclass(Record.class));
        }
        return null;
    }

    private @Nullable Object value(String field, Yaml given, Type type, RecordComponent component) {
        if (type instanceof ParameterizedType generic) {
            return generic.getRawType() == List.class
                    ? list(field, given, generic.getActualTypeArguments()[0], component)
                    : map(field, given, generic);
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isRecord()) {
            return given instanceof Yaml.Mapping mapping
                    ? bind(field, mapping, plain.asSubclass(Record.class))
                    : wrongType(field, given, "a mapping");
        }
        if (plain.isEnum()) {
            return choice(field, given, plain);
        }
        if (plain == String.class) {
            return text(field, given, component);
        }
        if (plain == Integer.class) {
            return integer(field, given, component);
        }
        if (plain == Boolean.class) {
            return given instanceof Yaml.Scalar scalar && scalar.value() instanceof Boolean flag
                    ? flag
                    : wrongType(field, given, "true or false");
        }
        // A type of Kubernetes, such as a pod template: only the API server knows its fields.
        return given instanceof Yaml.Mapping ? null : wrongType(field, given, "a mapping");
    }

    private @Nullable List<?> list(String field, Yaml given, Type type, RecordComponent component) {
        if (!(given instanceof Yaml.Sequence sequence)) {
            wrongType(field, given, "a list");
            return null;
        }
        List<Yaml> items = sequence.items();
        Size size = annotation(component, Size.class);
        if (size != null && items.size() > size.max()) {
            errors.add(
                    given.at(),
                    field + " has " + items.size() + " entries, at most " + size.max() + " are allowed; remove some");
        }
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            String item = field + "[" + i + "]";
            if (items.get(i) instanceof Yaml.Mapping mapping) {
                values.add(bind(item, mapping, ((Class<?>) type).asSubclass(Record.class)));
            } else {
                errors.add(
                        items.get(i).at(),
                        item + " is " + items.get(i).quoted() + ", must be a mapping; indent its fields");
            }
        }
        return values;
    }

    /** A mapping from names to strings, or to anything. */
    private @Nullable Map<String, Object> map(String field, Yaml given, ParameterizedType type) {
        if (!(given instanceof Yaml.Mapping mapping)) {
            wrongType(field, given, "a mapping");
            return null;
        }
        if (type.getActualTypeArguments()[1] != String.class) {
            return mapping.plain();
        }
        Map<String, Object> texts = new LinkedHashMap<>();
        mapping.entries().forEach((name, entry) -> {
            String text = text(join(field, name), entry.value(), null);
            if (text != null) {
                texts.put(name, text);
            }
        });
        return texts;
    }

    private @Nullable String text(String field, Yaml given, @Nullable RecordComponent component) {
        if (!(given instanceof Yaml.Scalar scalar)) {
            wrongType(field, given, "a string");
            return null;
        }
        if (!(scalar.value() instanceof String text)) {
            errors.add(
                    scalar.at(),
                    field + " is " + scalar.quoted() + ", " + scalar.kind() + ", must be a string; write \""
                            + scalar.text() + "\" in quotes");
            return null;
        }
        Size size = component == null ? null : annotation(component, Size.class);
        if (size != null && text.length() < size.min()) {
            String few = text.isEmpty()
                    ? " is empty; give it a value or remove the line"
                    : " is " + scalar.quoted() + ", must have at least " + size.min() + " characters; write it out";
            errors.add(scalar.at(), field + few);
            return null;
        }
        if (size != null && text.length() > size.max()) {
            errors.add(
                    scalar.at(),
                    field + " has " + text.length() + " characters, at most " + size.max()
                            + " are allowed; shorten it");
            return null;
        }
        return text;
    }

    private @Nullable Integer integer(String field, Yaml given, RecordComponent component) {
        Min least = annotation(component, Min.class);
        Max most = annotation(component, Max.class);
        int min = least == null ? Integer.MIN_VALUE : (int) least.value();
        int max = most == null ? Integer.MAX_VALUE : (int) most.value();
        String domain = "a whole number from " + min + " to " + max;
        if (!(given instanceof Yaml.Scalar scalar && scalar.value() instanceof Number number)) {
            wrongType(field, given, domain);
            return null;
        }
        if (number instanceof Integer whole && whole >= min && whole <= max) {
            return whole;
        }
        boolean isBelow = new BigDecimal(number.toString()).compareTo(BigDecimal.valueOf(min)) < 0;
        String remedy = number instanceof Double ? "round it" : isBelow ? "raise it" : "lower it";
        errors.add(given.at(), field + " is " + given.quoted() + ", must be " + domain + "; " + remedy);
        return null;
    }

    /** A constant of an enum, matched exactly. */
    private @Nullable Object choice(String field, Yaml given, Class<?> type) {
        String text = text(field, given, null);
        if (text == null) {
            return null;
        }
        Object[] constants = type.getEnumConstants();
        for (Object constant : constants) {
            if (constant.toString().equals(text)) {
                return constant;
            }
        }
        List<String> names = Arrays.stream(constants).map(Object::toString).toList();
        errors.add(given.at(), field + " is " + given.quoted() + "; " + NearestName.remedy(text, names));
        return null;
    }

    private void refuseUnknown(String path, Yaml.Mapping mapping, RecordComponent[] components) {
        List<String> known =
                Arrays.stream(components).map(RecordComponent::getName).toList();
        mapping.entries().forEach((name, entry) -> {
            if (!known.contains(name)) {
                String advice = NearestName.of(name, known)
                        .map(near -> "did you mean " + near + "?")
                        .orElseGet(() -> "remove it; known here: "
                                + known.stream().sorted().collect(Collectors.joining(", ")));
                errors.add(entry.at(), join(path, name) + " is an unknown field; " + advice);
            }
        });
    }

    private @Nullable Object wrongType(String field, Yaml given, String expected) {
        errors.add(given.at(), field + " is " + given.quoted() + ", must be " + expected + "; correct it");
        return null;
    }

    private static boolean has(RecordComponent component, Class<? extends java.lang.annotation.Annotation> type) {
        return annotation(component, type) != null;
    }

    private static <A extends java.lang.annotation.Annotation> @Nullable A annotation(
            RecordComponent component, Class<A> type) {
        return component.getAccessor().getAnnotation(type);
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
