// SPDX-License-Identifier: Apache-2.0
package dev.volary.worker.daemon;

import dev.volary.worker.compute.BlockState;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A block's state as the value of a backup, little-endian: iteration (8 bytes); length of the core, number of halos, length of
 * each, length of what the block saved (4 bytes each); then core, halos and that. The store adds header and checksum.
 */
final class BlockStateCodec {
    private BlockStateCodec() {}

    static ByteBuffer write(BlockState state) {
        long doubles = state.core().length;
        for (double[] halo : state.halos()) {
            doubles += halo.length;
        }
        long size = Long.BYTES
                + Integer.BYTES * (3L + state.halos().size())
                + Double.BYTES * doubles
                + state.extra().length;
        ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(size)).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(state.iteration());
        out.putInt(state.core().length);
        out.putInt(state.halos().size());
        state.halos().forEach(halo -> out.putInt(halo.length));
        out.putInt(state.extra().length);
        put(out, state.core());
        state.halos().forEach(halo -> put(out, halo));
        out.put(state.extra());
        return out.flip();
    }

    /** @throws IOException if the lengths do not fit the value */
    static BlockState read(ByteBuffer value) throws IOException {
        ByteBuffer in = value.slice().order(ByteOrder.LITTLE_ENDIAN);
        try {
            long iteration = in.getLong();
            int core = length(in);
            List<Integer> lengths = new ArrayList<>();
            for (int left = length(in); left > 0; left--) {
                lengths.add(length(in));
            }
            byte[] extra = new byte[length(in)];
            double[] values = doubles(in, core);
            List<double[]> halos = new ArrayList<>();
            for (int halo : lengths) {
                halos.add(doubles(in, halo));
            }
            in.get(extra);
            return new BlockState(iteration, values, halos, extra);
        } catch (BufferUnderflowException e) {
            throw new IOException("a backup of " + value.remaining() + " bytes is shorter than its lengths say", e);
        }
    }

    private static void put(ByteBuffer out, double[] values) {
        out.asDoubleBuffer().put(values);
        out.position(out.position() + Double.BYTES * values.length);
    }

    private static int length(ByteBuffer in) throws IOException {
        int length = in.getInt();
        if (length < 0 || length > in.capacity()) {
            throw new IOException("a backup of " + in.capacity() + " bytes names a length of " + length);
        }
        return length;
    }

    private static double[] doubles(ByteBuffer in, int length) {
        if ((long) Double.BYTES * length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        double[] values = new double[length];
        in.asDoubleBuffer().get(values);
        in.position(in.position() + Double.BYTES * length);
        return values;
    }
}
