// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.console;

import java.util.Map;

/**
 * Formats text with colors and weights for a terminal, or leaves it plain.
 *
 * @param color whether escape sequences are written
 */
public record Style(boolean color) {
    /** For pipes and files. */
    public static final Style PLAIN = new Style(false);

    /**
     * Uses colors if standard output is a terminal and the user does not opt out ({@code NO_COLOR}, see no-color.org, or {@code
     * TERM=dumb}).
     */
    public static Style detect(boolean isTerminal, Map<String, String> environment) {
        boolean isOptedOut =
                !environment.getOrDefault("NO_COLOR", "").isEmpty() || "dumb".equals(environment.get("TERM"));
        return new Style(isTerminal && !isOptedOut);
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
        return color ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
