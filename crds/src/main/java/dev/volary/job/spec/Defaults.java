// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.spec;

import io.fabric8.generator.annotation.Default;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Fills what a manifest leaves out. A default stands in the {@link Default} of its component only: the API server reads it from the
 * definition, which is generated from there, and these records read it for objects that did not come through an API server.
 */
final class Defaults {
    private static final ClassValue<Map<String, Object>> OF_RECORD = new ClassValue<>() {
        @Override
        protected Map<String, Object> computeValue(Class<?> type) {
            return read(type);
        }
    };

    private Defaults() {}

    /** What was given, or else the default of the component {@code name} of {@code owner}. */
    @SuppressWarnings("unchecked") // the default has the component's type, and so has what was given
    static <T> T of(@Nullable T given, Class<? extends Record> owner, String name) {
        return given != null
                ? given
                : (T) Objects.requireNonNull(
                        OF_RECORD.get(owner).get(name), () -> name + " of " + owner + " has no default");
    }

    static <T> List<T> list(@Nullable List<T> given) {
        return given == null ? List.of() : List.copyOf(given);
    }

    static <V> Map<String, V> map(@Nullable Map<String, V> given) {
        return given == null ? Map.of() : given;
    }

    private static Map<String, Object> read(Class<?> type) {
        Map<String, Object> defaults = new HashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Default given = component.getAccessor().getAnnotation(Default.class);
            if (given != null) {
                defaults.put(component.getName(), value(component.getType(), given.value()));
            }
        }
        return Map.copyOf(defaults);
    }

    /** A default is written as JSON; quotes around a string may be left out. */
    private static Object value(Class<?> type, String json) {
        if (type.isRecord()) {
            return empty(type);
        }
        if (type.isEnum()) {
            for (Object constant : type.getEnumConstants()) {
                if (constant.toString().equals(json)) {
                    return constant;
                }
            }
            throw new IllegalStateException(type + " has no constant " + json);
        }
        if (type == Integer.class) {
            return Integer.valueOf(json);
        }
        if (type == Boolean.class) {
            return Boolean.valueOf(json);
        }
        return json.startsWith("\"") ? json.substring(1, json.length() - 1) : json;
    }

    /** A record of which nothing is given: it fills itself. */
    private static Object empty(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
        }
        try {
            return type.getConstructor(types).newInstance(new Object[components.length]);
        } catch (InvocationTargetException
                | NoSuchMethodException
                | InstantiationException
                | IllegalAccessException e) {
            throw new IllegalStateException(type + " cannot be made of defaults", e);
        }
    }
}
