// SPDX-License-Identifier: Apache-2.0
package dev.volary.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes the elements of an SVG picture, in pixels from its upper left corner. */
public final class Svg {
    public static final String GRID = "#ddd";
    public static final String INK = "#222";

    private final List<String> lines = new ArrayList<>();

    public Svg(int width, int height) {
        lines.add("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' font-size='13'>"
                .formatted(width, height));
        lines.add("<rect width='%d' height='%d' fill='white'/>".formatted(width, height));
    }

    public void line(double x1, double y1, double x2, double y2, String color, double width) {
        lines.add(String.format(
                Locale.ROOT,
                "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s' stroke-width='%.1f'/>",
                x1,
                y1,
                x2,
                y2,
                color,
                width));
    }

    /** A broken line through points, written {@code x,y x,y …}. */
    public void polyline(String points, String color) {
        lines.add("<polyline fill='none' stroke-width='1.5' stroke='%s' points='%s'/>".formatted(color, points));
    }

    /** A circle, filled or with a white inside. */
    public void circle(double x, double y, double radius, String color, boolean filled) {
        lines.add(String.format(
                Locale.ROOT,
                "<circle cx='%.1f' cy='%.1f' r='%.1f' stroke='%s' stroke-width='2' fill='%s'/>",
                x,
                y,
                radius,
                color,
                filled ? color : "white"));
    }

    /** A text; anchor is {@code start}, {@code middle} or {@code end}. */
    public void text(double x, double y, String anchor, String color, String text) {
        lines.add(String.format(
                Locale.ROOT,
                "<text x='%.1f' y='%.1f' text-anchor='%s' fill='%s'>%s</text>",
                x,
                y,
                anchor,
                color,
                text.replace("&", "&amp;").replace("<", "&lt;")));
    }

    /** The lines of the file. */
    public List<String> end() {
        List<String> all = new ArrayList<>(lines);
        all.add("</svg>");
        return all;
    }
}
