// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

/**
 * Extents of a terminal, in characters.
 *
 * @param columns its width
 * @param rows its height
 */
record TerminalSize(int columns, int rows) {
    /** What terminals have had since the VT100. */
    static final TerminalSize USUAL = new TerminalSize(80, 24);

    /** Tells the size now; it may change while a job runs. */
    @FunctionalInterface
    interface Source {
        TerminalSize now();
    }
}
