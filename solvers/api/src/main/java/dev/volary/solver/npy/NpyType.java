// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.npy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The type of an array's elements.
 *
 * @param name as NumPy writes it, {@code <f8} for little-endian doubles
 * @param kind what an element is
 * @param bytes of one element
 * @param order of the bytes of an element
 */
public record NpyType(String name, Kind kind, int bytes, ByteOrder order) {

    /** What an element is. */
    public enum Kind {
        /** A floating-point number of 4 or 8 bytes. */
        REAL,
        /** A whole number of 1 to 8 bytes with a sign. */
        SIGNED,
        /** A whole number of 1 to 8 bytes without a sign. */
        UNSIGNED,
        /** True or false. */
        FLAG,
        /** Bytes of text. */
        TEXT,
        /** A pair of real numbers. */
        COMPLEX,
        /** A pickled object of Python, which is a program. */
        OBJECT,
        /** Anything else. */
        OTHER
    }

    /** Reads a type as NumPy writes it: byte order, kind and size. */
    static NpyType of(String name) {
        int bytes = 0;
        for (int i = 2; i < name.length(); i++) {
            int digit = name.charAt(i) - '0';
            bytes = digit >= 0 && digit <= 9 && bytes < 1 << 20 ? 10 * bytes + digit : 0;
        }
        ByteOrder order = name.startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        return new NpyType(name, kind(name.length() < 2 ? '?' : name.charAt(1), bytes), bytes, order);
    }

    private static Kind kind(char letter, int bytes) {
        boolean isWord = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
        return switch (letter) {
            case 'f' -> bytes == 4 || bytes == 8 ? Kind.REAL : Kind.OTHER;
            case 'i' -> isWord ? Kind.SIGNED : Kind.OTHER;
            case 'u' -> isWord ? Kind.UNSIGNED : Kind.OTHER;
            case 'b' -> bytes == 1 ? Kind.FLAG : Kind.OTHER;
            case 'S' -> Kind.TEXT;
            case 'c' -> Kind.COMPLEX;
            case 'O' -> Kind.OBJECT;
            default -> Kind.OTHER;
        };
    }

    /** Whether elements are whole numbers. */
    public boolean isWhole() {
        return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
    }

    /** Whether elements are numbers: real or whole ones. */
    public boolean isNumber() {
        return kind == Kind.REAL || isWhole();
    }

    /**
     * The element at a position, as a double. Whole numbers beyond 2⁵³ are rounded; true is 1.
     *
     * @param from in the {@linkplain #order byte order} of this type
     */
    public double real(ByteBuffer from, int position) {
        if (kind == Kind.REAL) {
            return bytes == Float.BYTES ? from.getFloat(position) : from.getDouble(position);
        }
        long whole = whole(from, position);
        return kind == Kind.UNSIGNED && whole < 0 ? 2.0 * (whole >>> 1) : whole;
    }

    /** The element at a position, as a whole number; of 8 bytes without a sign, numbers from 2⁶³ on are negative. */
    long whole(ByteBuffer from, int position) {
        return switch (bytes) {
            case 1 -> kind == Kind.SIGNED ? from.get(position) : from.get(position) & 0xff;
            case 2 -> kind == Kind.SIGNED ? from.getShort(position) : from.getShort(position) & 0xffff;
            case 4 -> kind == Kind.SIGNED ? from.getInt(position) : from.getInt(position) & 0xffff_ffffL;
            default -> from.getLong(position);
        };
    }
}
