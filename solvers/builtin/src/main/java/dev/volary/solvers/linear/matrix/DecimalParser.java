// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.linear.matrix;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Reads a decimal number from ASCII bytes, correctly rounded, without making a string of it where digits are few. */
public final class DecimalParser {
    /** Powers of ten that a double holds exactly. */
    private static final double[] EXACT_POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    private static final long EXACT_MANTISSA = 1L << 53;

    private DecimalParser() {}

    /**
     * The common short decimals by one exact multiplication or division of exact operands (Clinger's fast path, correctly
     * rounded); all others by the JDK.
     *
     * @return the number; NaN or infinite if that is what is written, or if it is too large
     * @throws NumberFormatException if it is no decimal number
     */
    static double parse(byte[] token, int length) {
        int i = 0;
        boolean negative = token[0] == '-';
        if (negative || token[0] == '+') {
            i++;
        }
        long mantissa = 0;
        int exponent = 0;
        int digits = 0;
        boolean point = false;
        for (; i < length; i++) {
            int c = token[i];
            if (c == '.' && !point) {
                point = true;
            } else if (c >= '0' && c <= '9') {
                if (mantissa >= EXACT_MANTISSA / 10) {
                    return parseSlowly(token, length);
                }
                mantissa = 10 * mantissa + (c - '0');
                digits++;
                exponent -= point ? 1 : 0;
            } else {
                break;
            }
        }
        if (digits == 0) {
            return parseSlowly(token, length);
        }
        if (i < length) {
            int written = writtenExponent(token, length, i);
            if (written == Integer.MIN_VALUE) {
                return parseSlowly(token, length);
            }
            exponent += written;
        }
        if (Math.abs(exponent) >= EXACT_POWERS.length) {
            return parseSlowly(token, length);
        }
        double value = exponent < 0 ? mantissa / EXACT_POWERS[-exponent] : mantissa * EXACT_POWERS[exponent];
        return negative ? -value : value;
    }

    /** The exponent that starts at {@code i}, or the smallest int if it is not a short one. */
    private static int writtenExponent(byte[] token, int length, int i) {
        if (token[i] != 'e' && token[i] != 'E') {
            return Integer.MIN_VALUE;
        }
        int k = i + 1;
        boolean negative = k < length && token[k] == '-';
        if (negative || (k < length && token[k] == '+')) {
            k++;
        }
        if (k == length || length - k > 3) {
            return Integer.MIN_VALUE;
        }
        int value = 0;
        for (; k < length; k++) {
            int digit = token[k] - '0';
            if (digit < 0 || digit > 9) {
                return Integer.MIN_VALUE;
            }
            value = 10 * value + digit;
        }
        return negative ? -value : value;
    }

    private static double parseSlowly(byte[] token, int length) {
        // Fortran writes 1.5D+03.
        String text = new String(token, 0, length, StandardCharsets.ISO_8859_1)
                .replace('D', 'e')
                .replace('d', 'e');
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.endsWith("nan") || lower.contains("inf")) {
            return Double.NaN;
        }
        char last = lower.charAt(lower.length() - 1);
        // Double.parseDouble would also take a type suffix and hexadecimal numbers.
        if (last == 'e' || last == 'f' || lower.contains("x")) {
            throw new NumberFormatException(text);
        }
        return Double.parseDouble(text);
    }
}
