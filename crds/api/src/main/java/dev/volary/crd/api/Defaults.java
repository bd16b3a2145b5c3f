package dev.volary.crd.api;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Fills what a manifest leaves out, for objects that did not come through an API server. */
final class Defaults {
    private Defaults() {}

    static <T> T of(@Nullable T given, T otherwise) {
        return Objects.requireNonNullElse(given, otherwise);
    }

    static <T> List<T> list(@Nullable List<T> given) {
        return given == null ? List.of() : List.copyOf(given);
    }

    static <V> Map<String, V> map(@Nullable Map<String, V> given) {
        return given == null ? Map.of() : given;
    }
}
