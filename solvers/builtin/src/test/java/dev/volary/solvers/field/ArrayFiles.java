// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.field;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes arrays as {@code numpy.save} does. */
public final class ArrayFiles {
    private ArrayFiles() {}

    /** Writes numbers of double precision in C order. */
    public static Path write(Path file, double[] values, int... shape) {
        ByteBuffer elements = ByteBuffer.allocate(values.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (double value : values) {
            elements.putDouble(value);
        }
        return write(file, "<f8", false, elements, shape);
    }

    /** Writes any elements. */
    public static Path write(Path file, String type, boolean isFortranOrder, ByteBuffer elements, int... shape) {
        String extents = IntStream.of(shape).mapToObj(extent -> extent + ",").collect(Collectors.joining(" "));
        String text = "{'descr': '" + type + "', 'fortran_order': " + (isFortranOrder ? "True" : "False")
                + ", 'shape': (" + extents + "), }\n";
        byte[] header = text.getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer all = ByteBuffer.allocate(10 + header.length + elements.position())
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
                .putShort((short) header.length)
                .put(header)
                .put(elements.flip());
        try {
            return Files.write(file, all.array());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Evenly distributed numbers. */
    public static double[] random(long seed, int count, double from, double to) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, count)
                .mapToDouble(i -> random.nextDouble(from, to))
                .toArray();
    }
}
