// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

/** Arrays in the saved state of a block: the same bytes as those of {@link DataOutput#writeDouble}, many values at once. */
public final class SavedArrays {
    private static final int AT_ONCE = 1 << 13;

    private SavedArrays() {}

    public static void write(DataOutput out, double[] values) throws IOException {
        Writer writer = new Writer(out, values.length);
        writer.put(values, 0, values.length);
        writer.flush();
    }

    /** Writes an array that lies in parts of others. */
    public static final class Writer {
        private final DataOutput out;
        private final byte[] bytes;
        private final DoubleBuffer view;

        /** @param length of the whole array */
        public Writer(DataOutput out, int length) {
            this.out = out;
            this.bytes = new byte[Math.min(length, AT_ONCE) * Double.BYTES];
            this.view = ByteBuffer.wrap(bytes).asDoubleBuffer();
        }

        /** Appends a part. */
        public void put(double[] values, int offset, int length) throws IOException {
            int next = offset;
            for (int rest = length; rest > 0; ) {
                if (!view.hasRemaining()) {
                    flush();
                }
                int count = Math.min(rest, view.remaining());
                view.put(values, next, count);
                next += count;
                rest -= count;
            }
        }

        /** Writes what was put; to be called at the end. */
        public void flush() throws IOException {
            out.write(bytes, 0, view.position() * Double.BYTES);
            view.clear();
        }
    }

    /** Reads as many values as the target has. */
    public static void read(DataInput in, double[] target) throws IOException {
        byte[] bytes = new byte[Math.min(target.length, AT_ONCE) * Double.BYTES];
        DoubleBuffer view = ByteBuffer.wrap(bytes).asDoubleBuffer();
        for (int begin = 0; begin < target.length; begin += AT_ONCE) {
            int count = Math.min(AT_ONCE, target.length - begin);
            in.readFully(bytes, 0, count * Double.BYTES);
            view.get(0, target, begin, count);
        }
    }
}
