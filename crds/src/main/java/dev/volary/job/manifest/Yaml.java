// SPDX-License-Identifier: Apache-2.0
package dev.volary.job.manifest;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A parsed document that remembers where everything stood. */
sealed interface Yaml {

    /** Where this node starts. */
    Position at();

    /** What a user calls this kind of node. */
    String kind();

    /** Plain Java: maps, lists, strings, numbers, booleans. */
    Object plain();

    /** The node as a message quotes it. */
    String quoted();

    /**
     * A field of a mapping.
     *
     * @param at where the key stands
     */
    record Entry(Position at, Yaml value) {}

    record Mapping(Position at, Map<String, Entry> entries) implements Yaml {
        @Override
        public String kind() {
            return "a mapping";
        }

        @Override
        public Map<String, Object> plain() {
            return entries.entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey,
                            e -> e.getValue().value().plain(),
                            (a, b) -> b,
                            java.util.LinkedHashMap::new));
        }

        @Override
        public String quoted() {
            return "a mapping";
        }
    }

    record Sequence(Position at, List<Yaml> items) implements Yaml {
        @Override
        public String kind() {
            return "a list";
        }

        @Override
        public List<Object> plain() {
            return items.stream().map(Yaml::plain).toList();
        }

        @Override
        public String quoted() {
            return "a list";
        }
    }

    /**
     * @param value String, Integer, Long, BigInteger, Double or Boolean
     * @param text as written
     */
    record Scalar(Position at, Object value, String text) implements Yaml {
        @Override
        public String kind() {
            return switch (value) {
                case String ignored -> "a string";
                case Boolean ignored -> "a boolean";
                default -> "a number";
            };
        }

        @Override
        public Object plain() {
            return value;
        }

        @Override
        public String quoted() {
            String shown = text.length() > 80 ? text.substring(0, 77) + "…" : text;
            return value instanceof String ? '"' + shown.replace("\n", "\\n") + '"' : shown;
        }
    }

    /** A key without a value. */
    record Empty(Position at) implements Yaml {
        @Override
        public String kind() {
            return "nothing";
        }

        @Override
        public Object plain() {
            return "";
        }

        @Override
        public String quoted() {
            return "empty";
        }
    }
}
