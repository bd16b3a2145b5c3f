// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;

/**
 * Writes trees of maps, lists, numbers, strings and booleans as JSON. An empty {@code Optional} becomes null, as do
 * NaN and infinite numbers.
 */
public final class JsonText {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonText() {}

    /** Formats the tree on one line. */
    public static String line(Object tree) {
        return text(tree, false);
    }

    /** Formats the tree indented, on several lines. */
    public static String pretty(Object tree) {
        return text(tree, true);
    }

    private static String text(Object tree, boolean isPretty) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            if (isPretty) {
                out.useDefaultPrettyPrinter();
            }
            write(tree, out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible); // a StringWriter does not fail
        }
        return text.toString();
    }

    private static void write(Object node, JsonGenerator out) throws IOException {
        switch (node) {
            case Map<?, ?> map -> {
                out.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.writeFieldName(String.valueOf(entry.getKey()));
                    write(entry.getValue(), out);
                }
                out.writeEndObject();
            }
            case Iterable<?> list -> {
                out.writeStartArray();
                for (Object item : list) {
                    write(item, out);
                }
                out.writeEndArray();
            }
            case Optional<?> optional -> {
                if (optional.isPresent()) {
                    write(optional.get(), out);
                } else {
                    out.writeNull();
                }
            }
            case Integer number -> out.writeNumber(number);
            case Long number -> out.writeNumber(number);
            case Double number when Double.isFinite(number) -> out.writeNumber(number);
            case Double notFinite -> out.writeNull();
            case Boolean flag -> out.writeBoolean(flag);
            default -> out.writeString(node.toString());
        }
    }
}
