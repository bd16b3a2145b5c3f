// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** As much JSON as Zarr metadata needs: maps, lists, strings, numbers (whole ones as {@code Long}), booleans. */
final class Json {
    private final String text;
    private final String source;
    private int at;

    private Json(String text, String source) {
        this.text = text;
        this.source = source;
    }

    /** Writes a tree, indented; numbers that JSON does not have become strings. */
    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, "\n", out);
        return out.toString();
    }

    private static void write(Object value, String indent, StringBuilder out) {
        switch (value) {
            case Map<?, ?> map -> {
                String inner = indent + "  ";
                out.append('{');
                Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
                while (entries.hasNext()) {
                    Map.Entry<?, ?> entry = entries.next();
                    quote(String.valueOf(entry.getKey()), out.append(inner));
                    write(entry.getValue(), inner, out.append(": "));
                    out.append(entries.hasNext() ? "," : indent);
                }
                out.append('}');
            }
            case int[] ints -> out.append(Arrays.toString(ints));
            case List<?> list -> {
                out.append('[');
                for (int i = 0; i < list.size(); i++) {
                    write(list.get(i), indent + "  ", out.append(i == 0 ? "" : ", "));
                }
                out.append(']');
            }
            case Double d when !Double.isFinite(d) -> quote(d.toString(), out);
            case Number number -> out.append(number);
            case Boolean flag -> out.append(flag);
            default -> quote(value.toString(), out);
        }
    }

    private static void quote(String string, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ') {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /**
     * @param source named if the text is malformed
     */
    static Map<String, Object> parse(String text, String source) throws IOException {
        Json json = new Json(text, source);
        try {
            json.expect('{');
            Map<String, Object> object = json.object();
            json.space();
            if (json.at != text.length()) {
                throw json.malformed();
            }
            return object;
        } catch (IndexOutOfBoundsException | NumberFormatException truncated) {
            throw json.malformed();
        }
    }

    private Object value() throws IOException {
        space();
        char c = text.charAt(at++);
        return switch (c) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> literal("rue", true);
            case 'f' -> literal("alse", false);
            case 'n' -> literal("ull", "null");
            default -> number();
        };
    }

    private Map<String, Object> object() throws IOException {
        Map<String, Object> object = new LinkedHashMap<>();
        if (skips('}')) {
            return object;
        }
        do {
            expect('"');
            String key = string();
            expect(':');
            object.put(key, value());
        } while (skips(','));
        expect('}');
        return object;
    }

    private List<Object> array() throws IOException {
        List<Object> array = new ArrayList<>();
        if (skips(']')) {
            return array;
        }
        do {
            array.add(value());
        } while (skips(','));
        expect(']');
        return array;
    }

    private String string() throws IOException {
        StringBuilder string = new StringBuilder();
        for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
            string.append(c == '\\' ? escaped() : c);
        }
        return string.toString();
    }

    private char escaped() throws IOException {
        char c = text.charAt(at++);
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> (char) Integer.parseInt(text.substring(at, at += 4), 16);
            default -> throw malformed();
        };
    }

    private Number number() {
        int start = --at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(start, at);
        if (number.matches("-?\\d+")) {
            return Long.parseLong(number);
        }
        return Double.parseDouble(number);
    }

    private Object literal(String rest, Object value) throws IOException {
        if (!text.startsWith(rest, at)) {
            throw malformed();
        }
        at += rest.length();
        return value;
    }

    private boolean skips(char c) {
        space();
        if (text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) throws IOException {
        if (!skips(c)) {
            throw malformed();
        }
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private IOException malformed() {
        return new IOException(source + " is malformed JSON at character " + at + "; write the array again");
    }
}
