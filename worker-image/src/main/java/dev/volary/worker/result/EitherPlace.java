// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.result;

import java.io.IOException;

/** Reads a part that may be in either of two places. */
public final class EitherPlace {
    private EitherPlace() {}

    /** Reads a part in one place; may block. */
    @FunctionalInterface
    public interface Reading<T> {
        /** @throws IOException if it is not there, or is damaged */
        T read() throws IOException;
    }

    /**
     * Reads from the first place, and from the second one if that fails.
     *
     * @throws IOException the failure of the second place; that of the first is attached
     */
    public static <T> T read(Reading<T> first, Reading<T> second) throws IOException {
        try {
            return first.read();
        } catch (IOException notThere) {
            try {
                return second.read();
            } catch (IOException neither) {
                neither.addSuppressed(notThere);
                throw neither;
            }
        }
    }
}
