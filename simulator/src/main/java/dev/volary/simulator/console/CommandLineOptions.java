// SPDX-License-Identifier: Apache-2.0
package dev.volary.simulator.console;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parses the options of a simulator program. Each option has a value; of a repeated option the last value counts. */
public final class CommandLineOptions {
    private final Map<String, String> values;

    private CommandLineOptions(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Parses arguments.
     *
     * @param names the options that the program knows
     * @throws IllegalArgumentException if an option is unknown or has no value
     */
    public static CommandLineOptions parse(List<String> arguments, List<String> names) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(name + " needs a value");
            }
            if (!names.contains(name)) {
                throw new IllegalArgumentException("no option " + name + ", use " + String.join(", ", names));
            }
            values.put(name, arguments.get(i + 1));
        }
        return new CommandLineOptions(values);
    }

    /** The value of an option; empty if it was not given. */
    public Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /**
     * The value of an option as a whole number.
     *
     * @throws NumberFormatException if it is not one
     */
    public long number(String name, long defaultValue) {
        return text(name).map(Long::parseLong).orElse(defaultValue);
    }
}
