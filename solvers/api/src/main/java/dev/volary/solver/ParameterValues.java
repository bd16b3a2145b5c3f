// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The validated values of a problem's parameters. */
public final class ParameterValues {
    private final Map<Parameter<?>, Object> values;
    private final Set<String> given;

    private ParameterValues(Map<Parameter<?>, Object> values, Set<String> given) {
        this.values = values;
        this.given = Set.copyOf(given);
    }

    /**
     * Checks what a manifest gives against what a problem declares and fills in the defaults.
     *
     * @param declared the problem's parameters
     * @param given values as parsed from YAML or JSON
     * @throws InvalidProblemException for an unknown or missing parameter, a wrong type, or a value out of range
     */
    public static ParameterValues of(List<Parameter<?>> declared, Map<String, Object> given)
            throws InvalidProblemException {
        Map<String, Parameter<?>> byName = declared.stream().collect(Collectors.toMap(Parameter::name, p -> p));
        for (Map.Entry<String, Object> entry : given.entrySet()) {
            if (!byName.containsKey(entry.getKey())) {
                String known = declared.stream().map(Parameter::name).collect(Collectors.joining(", "));
                throw new InvalidProblemException(
                        entry.getKey(),
                        "is " + entry.getValue() + ", but this problem has no such parameter",
                        known.isEmpty() ? "remove it; there are none" : "use one of " + known);
            }
        }
        Map<Parameter<?>, Object> values = new HashMap<>();
        for (Parameter<?> parameter : declared) {
            Object raw = given.get(parameter.name());
            if (raw != null) {
                values.put(parameter, parameter.read(raw));
            } else if (parameter.defaultValue().isPresent()) {
                values.put(parameter, parameter.defaultValue().get());
            } else if (parameter.required()) {
                throw new InvalidProblemException(parameter.name(), "is missing", "give " + parameter.domain());
            }
        }
        return new ParameterValues(values, given.keySet());
    }

    /**
     * The value of a parameter that is required or has a default.
     *
     * @throws IllegalArgumentException if it has neither, or was not declared
     */
    public <T> T get(Parameter<T> parameter) {
        return find(parameter).orElseThrow(() -> new IllegalArgumentException("no value for " + parameter.name()));
    }

    /** Whether the manifest gives this parameter, also if it gives the default. */
    public boolean isGiven(Parameter<?> parameter) {
        return given.contains(parameter.name());
    }

    /** The value of a parameter that may be left out. */
    @SuppressWarnings("unchecked") // the constructor's map holds for each parameter what its own reader returned
    public <T> Optional<T> find(Parameter<T> parameter) {
        return Optional.ofNullable((T) values.get(parameter));
    }
}
