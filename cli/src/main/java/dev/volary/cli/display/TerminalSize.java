// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.display;

/**
 * Size of a terminal, in characters.
 *
 * @param columns width
 * @param rows height
 */
record TerminalSize(int columns, int rows) {
    /** The size of a VT100, used if the size is unknown. */
    static final TerminalSize DEFAULT = new TerminalSize(80, 24);

    /** Provides the current size, which may change while a job runs. */
    @FunctionalInterface
    interface Source {
        TerminalSize now();
    }
}
