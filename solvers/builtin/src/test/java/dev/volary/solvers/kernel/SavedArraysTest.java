// SPDX-License-Identifier: Apache-2.0
package dev.volary.solvers.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SavedArraysTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8191, 8192, 8193, 20_000})
    void theBytesAreThoseOfSingleValues(int count) throws IOException {
        double[] values = new Random(count).doubles(count, -1, 1).toArray();
        ByteArrayOutputStream single = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(single);
        for (double value : values) {
            out.writeDouble(value);
        }
        ByteArrayOutputStream together = new ByteArrayOutputStream();
        SavedArrays.write(new DataOutputStream(together), values);
        assertArrayEquals(single.toByteArray(), together.toByteArray());

        double[] read = new double[count];
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(together.toByteArray()));
        SavedArrays.read(in, read);
        assertArrayEquals(values, read);
        assertEquals(-1, in.read());
        if (count > 0) {
            byte[] cut = Arrays.copyOf(together.toByteArray(), together.size() - 1);
            assertThrows(
                    EOFException.class,
                    () -> SavedArrays.read(new DataInputStream(new ByteArrayInputStream(cut)), read));
        }
    }
}
