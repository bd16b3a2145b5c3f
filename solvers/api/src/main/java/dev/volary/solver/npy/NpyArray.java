// SPDX-License-Identifier: Apache-2.0
package dev.volary.solver.npy;

import dev.volary.solver.InvalidProblemException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Reads single numbers of an array of {@code numpy.save}, in any order: real numbers of 4 or 8 bytes, the last axis the fastest.
 * The file is mapped into memory, so none of it is on the heap, and only the pages that are asked for are read. Immutable; the
 * file must not be cut off while it is in use.
 */
public final class NpyArray {
    private final NpyHeader header;
    private final boolean isSingle;
    private final ValueLayout.OfFloat singles;
    private final ValueLayout.OfDouble doubles;
    private final MemorySegment elements;

    private NpyArray(NpyHeader header, MemorySegment elements) {
        this.header = header;
        this.elements = elements;
        isSingle = header.type().bytes() == Float.BYTES;
        singles = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(header.type().order());
        doubles = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(header.type().order());
    }

    /**
     * Opens the array in a file.
     *
     * @throws InvalidProblemException if it is no array of real numbers in this order, is not complete, or cannot be read
     */
    public static NpyArray open(Path file) throws InvalidProblemException {
        try (NpyReader reader = NpyReader.open(file)) {
            NpyHeader header = reader.header();
            if (header.type().kind() != NpyType.Kind.REAL) {
                throw reader.fault(
                        "has elements of type " + header.type().name(), "write real numbers: A.astype(\"float64\")");
            }
            if (header.isFortranOrder() && header.shape().size() > 1) {
                throw reader.fault("is in Fortran order", "write numpy.ascontiguousarray(A)");
            }
            return map(file, reader);
        }
    }

    private static NpyArray map(Path file, NpyReader reader) throws InvalidProblemException {
        NpyHeader header = reader.header();
        long bytes = reader.size() * header.type().bytes();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size < header.bytes() + bytes) {
                throw reader.fault(
                        "has " + size + " bytes, but its shape " + header.shapeText() + " takes "
                                + (header.bytes() + bytes),
                        "it was cut off: get it again");
            }
            if (size > header.bytes() + bytes) {
                throw reader.fault(
                        "there is more after the " + reader.size() + " elements of its shape", "write the file again");
            }
            return new NpyArray(
                    header, channel.map(FileChannel.MapMode.READ_ONLY, header.bytes(), bytes, Arena.ofAuto()));
        } catch (IOException e) {
            throw reader.fault("cannot be read: " + e.getMessage(), "get the file again");
        }
    }

    /** Extents, the slowest axis first. */
    public List<Long> shape() {
        return header.shape();
    }

    /** The shape for messages, as {@code 3 × 4}. */
    public String shapeText() {
        return header.shapeText();
    }

    /** Number of elements. */
    public long size() {
        return header.size();
    }

    /** An element by its place in the file, counted from 0; it may be infinite or not a number. */
    public double at(long index) {
        return isSingle ? elements.getAtIndex(singles, index) : elements.getAtIndex(doubles, index);
    }

    /** Reads as many elements as {@code target} has, from one place on; faster than one by one. */
    public void read(long from, double[] target) {
        if (!isSingle) {
            MemorySegment.copy(elements, doubles, from * Double.BYTES, target, 0, target.length);
            return;
        }
        for (int i = 0; i < target.length; i++) {
            target[i] = at(from + i);
        }
    }
}
