// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How the elements of an array are stored, 8 bytes each. In memory they are doubles. */
enum ElementType {
    FLOAT64("float64", Double.NaN),
    /** Whole numbers up to 2⁵³. */
    INT64("int64", -1);

    private final String zarrName;
    private final double fill;

    ElementType(String zarrName, double fill) {
        this.zarrName = zarrName;
        this.fill = fill;
    }

    static Optional<ElementType> of(@Nullable Object zarrName) {
        return Arrays.stream(values())
                .filter(type -> type.zarrName.equals(zarrName))
                .findFirst();
    }

    /** Its name in the metadata. */
    String zarrName() {
        return zarrName;
    }

    /** The value of missing elements, as the metadata has it. */
    Object zarrFill() {
        return switch (this) {
            case FLOAT64 -> "NaN";
            case INT64 -> (long) fill;
        };
    }

    /** The value of missing elements. */
    double fill() {
        return fill;
    }

    /** Writes values at a buffer's position, which stays. */
    void put(double[] values, ByteBuffer into) {
        switch (this) {
            case FLOAT64 -> into.asDoubleBuffer().put(values);
            case INT64 -> {
                for (int i = 0; i < values.length; i++) {
                    into.putLong(into.position() + i * Long.BYTES, (long) values[i]);
                }
            }
        }
    }

    /** Reads values from a buffer's position, which stays. */
    void get(ByteBuffer from, double[] values) {
        switch (this) {
            case FLOAT64 -> from.asDoubleBuffer().get(values);
            case INT64 -> {
                for (int i = 0; i < values.length; i++) {
                    values[i] = from.getLong(from.position() + i * Long.BYTES);
                }
            }
        }
    }
}
