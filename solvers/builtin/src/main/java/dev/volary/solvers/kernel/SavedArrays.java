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
        byte[] bytes = new byte[Math.min(values.length, AT_ONCE) * Double.BYTES];
        DoubleBuffer view = ByteBuffer.wrap(bytes).asDoubleBuffer();
        for (int begin = 0; begin < values.length; begin += AT_ONCE) {
            int count = Math.min(AT_ONCE, values.length - begin);
            view.put(0, values, begin, count);
            out.write(bytes, 0, count * Double.BYTES);
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
