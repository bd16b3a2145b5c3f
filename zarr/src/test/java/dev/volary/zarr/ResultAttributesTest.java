// SPDX-License-Identifier: Apache-2.0
package dev.volary.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultAttributesTest {
    @TempDir
    Path folder;

    @Test
    void comeBackFromAStoredGroup() throws IOException {
        ResultAttributes written = new ResultAttributes("heat", "heat2d", true, 9e-5, 1.8e-4, 1e-4, 7);
        ZarrGroup group = ZarrGroup.create(folder.resolve("result.zarr"));
        group.createArray("u", ChunkGrid.bounded(new int[] {2}, 2), List.of("x"), Map.of())
                .writeAll(new double[] {1, 2});
        group.commit(written.toMap());
        assertEquals(
                written,
                ResultAttributes.of(
                        ZarrGroup.open(folder.resolve("result.zarr")).attributes()));
    }

    @Test
    void aResultWithoutACertificateIsNotCertified() {
        assertEquals(
                new ResultAttributes("", "", false, Double.NaN, Double.NaN, Double.NaN, 0),
                ResultAttributes.of(Map.of()));
    }
}
