// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli;

import java.util.Map;

/**
 * Colours and weights for a terminal, or none.
 *
 * @param colour whether escape sequences are written
 */
public record Style(boolean colour) {
    /** For pipes and files. */
    public static final Style PLAIN = new Style(false);

    /** Colours if standard output is a terminal and the user does not object (no-color.org, {@code TERM=dumb}). */
    public static Style detect(boolean isTerminal, Map<String, String> environment) {
        boolean objects = !environment.getOrDefault("NO_COLOR", "").isEmpty() || "dumb".equals(environment.get("TERM"));
        return new Style(isTerminal && !objects);
    }

    public String bold(String text) {
        return with("1", text);
    }

    public String faint(String text) {
        return with("2", text);
    }

    public String red(String text) {
        return with("31", text);
    }

    public String green(String text) {
        return with("32", text);
    }

    public String yellow(String text) {
        return with("33", text);
    }

    public String cyan(String text) {
        return with("36", text);
    }

    private String with(String code, String text) {
        return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
